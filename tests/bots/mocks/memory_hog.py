"""Takes a gigabyte."""

from __future__ import annotations

from typing import Any

from _good import answer, run


def decide(number: int, message: dict[str, Any]) -> None:
    """Misbehave."""
    table = bytearray(1024**3)
    answer({**message, "table": len(table)})


run(decide)
