"""Answers once, then says nothing any more."""

from __future__ import annotations

import os
from typing import Any

from _good import answer, run


def decide(number: int, message: dict[str, Any]) -> None:
    """Misbehave."""
    if number == 2:
        os.close(1)
        return
    answer(message)


run(decide)
