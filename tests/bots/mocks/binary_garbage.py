"""Answers with every byte there is."""

from __future__ import annotations

import sys
from typing import Any

from _good import run


def decide(number: int, message: dict[str, Any]) -> None:
    """Misbehave."""
    sys.stdout.buffer.write(bytes(range(256)) + b"\n")
    sys.stdout.buffer.flush()


run(decide)
