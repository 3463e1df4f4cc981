"""Plays well, but starts children in its group and in groups of their own, and stays itself."""

from __future__ import annotations

import os
import signal
import time
from typing import Any

from _good import answer, run

signal.signal(signal.SIGTERM, signal.SIG_IGN)


def decide(number: int, message: dict[str, Any]) -> None:
    """Misbehave."""
    for leaves in (False, True):
        if number <= 3 and os.fork() == 0:
            if leaves:
                os.setsid()
                if os.fork():
                    os._exit(0)
            time.sleep(3600)
    answer(message)


run(decide, leave=lambda: time.sleep(3600))
time.sleep(3600)
