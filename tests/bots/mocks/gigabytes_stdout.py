"""Answers, and answers, and answers."""

from __future__ import annotations

import json
import sys
from typing import Any

from _good import run


def decide(number: int, message: dict[str, Any]) -> None:
    """Misbehave."""
    answers = (json.dumps({"move": message["moves"][0]}) + "\n") * 10  # at once, or not at all
    while True:
        sys.stdout.write(answers)
        sys.stdout.flush()


run(decide)
