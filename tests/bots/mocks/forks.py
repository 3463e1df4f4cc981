"""Starts children that hold its pipes open, then crashes."""

from __future__ import annotations

import os
import signal
import time
from typing import Any

from _good import answer, run


def decide(number: int, message: dict[str, Any]) -> None:
    """Misbehave."""
    for _ in range(3):
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            time.sleep(3600)
    if number == 2:
        os._exit(7)
    answer(message)


run(decide)
