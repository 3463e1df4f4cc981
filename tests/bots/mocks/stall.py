"""Never answers."""

from __future__ import annotations

import time
from typing import Any

from _good import run


def decide(number: int, message: dict[str, Any]) -> None:
    """Misbehave."""
    time.sleep(3600)


run(decide)
