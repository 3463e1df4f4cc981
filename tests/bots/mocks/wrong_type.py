"""Answers with a number."""

from __future__ import annotations

from typing import Any

from _good import run


def decide(number: int, message: dict[str, Any]) -> None:
    """Misbehave."""
    print('{"move": 17}')


run(decide)
