"""Plays the first legal move and does nothing wrong."""

from __future__ import annotations

from typing import Any

from _good import answer, run


def decide(number: int, message: dict[str, Any]) -> None:
    """Misbehave."""
    answer(message)


run(decide)
