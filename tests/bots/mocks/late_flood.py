"""Answers far too late, and then the questions to come as well."""

from __future__ import annotations

import contextlib
import signal
import time
from typing import Any

from _good import answer, run


def decide(number: int, message: dict[str, Any]) -> None:
    """Misbehave."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(1.0)
    with contextlib.suppress(BrokenPipeError):
        for _ in range(1000):
            answer(message)
    time.sleep(3600)


run(decide)
