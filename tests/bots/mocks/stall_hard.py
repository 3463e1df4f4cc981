"""Never answers, and does not let itself be terminated."""

from __future__ import annotations

import signal
import time
from typing import Any

from _good import run


def decide(number: int, message: dict[str, Any]) -> None:
    """Misbehave."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(3600)


run(decide)
