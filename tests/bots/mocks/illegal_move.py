"""Lays its tile where nothing lies."""

from __future__ import annotations

from typing import Any

from _good import answer, run


def decide(number: int, message: dict[str, Any]) -> None:
    """Misbehave."""
    answer({**message, "moves": ["place BA/L 40,40 r0"]})


run(decide)
