"""Begins a line and never ends it."""

from __future__ import annotations

import sys
from typing import Any

from _good import run


def decide(number: int, message: dict[str, Any]) -> None:
    """Misbehave."""
    while True:
        sys.stdout.write("x" * 1000)


run(decide)
