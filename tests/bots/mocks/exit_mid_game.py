"""Leaves at its third decision, as if all were well."""

from __future__ import annotations

import sys
from typing import Any

from _good import answer, run


def decide(number: int, message: dict[str, Any]) -> None:
    """Misbehave."""
    if number == 3:
        sys.exit(0)
    answer(message)


run(decide)
