"""Writes a log without end."""

from __future__ import annotations

import sys
from typing import Any

from _good import run


def decide(number: int, message: dict[str, Any]) -> None:
    """Misbehave."""
    while True:
        sys.stderr.write(f"thinking about move {number}\n" * 100)


run(decide)
