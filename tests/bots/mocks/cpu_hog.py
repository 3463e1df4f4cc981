"""Thinks as hard as it can."""

from __future__ import annotations

from typing import Any

from _good import run


def decide(number: int, message: dict[str, Any]) -> None:
    """Misbehave."""
    while number:
        number += 1


run(decide)
