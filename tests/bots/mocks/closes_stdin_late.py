"""Answers once, lets the next question come, then hears nothing any more."""

from __future__ import annotations

import os
import time
from typing import Any

from _good import answer, run


def decide(number: int, message: dict[str, Any]) -> None:
    """Misbehave."""
    answer(message)
    time.sleep(0.1)
    os.close(0)
    time.sleep(3600)


run(decide)
