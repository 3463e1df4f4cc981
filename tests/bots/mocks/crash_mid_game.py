"""Raises at its third decision."""

from __future__ import annotations

from typing import Any

from _good import answer, run


def decide(number: int, message: dict[str, Any]) -> None:
    """Misbehave."""
    if number == 3:
        print(1 // 0)
    answer(message)


run(decide)
