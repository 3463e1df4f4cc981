"""Writes a long log with each move, and plays well."""

from __future__ import annotations

import sys
from typing import Any

from _good import answer, run


def decide(number: int, message: dict[str, Any]) -> None:
    """Misbehave."""
    sys.stderr.write("a line of a log\n" * 10_000)
    answer(message)


run(decide)
