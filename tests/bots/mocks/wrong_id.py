"""Answers another question than the one that it was asked."""

from __future__ import annotations

from typing import Any

from _good import answer, run


def decide(number: int, message: dict[str, Any]) -> None:
    """Misbehave."""
    answer({**message, "id": message["id"] + 1})


run(decide)
