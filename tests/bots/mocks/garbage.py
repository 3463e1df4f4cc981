"""Answers in plain words."""

from __future__ import annotations

from typing import Any

from _good import run


def decide(number: int, message: dict[str, Any]) -> None:
    """Misbehave."""
    print("I play", message["moves"][0])


run(decide)
