"""What the mocks have in common: a bot that plays the first legal move, until it misbehaves."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def say(answer: dict[str, Any]) -> None:
    """Write a line at once."""
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def answer(message: dict[str, Any]) -> None:
    """Play the first legal move."""
    say({"move": message["moves"][0], "id": message["id"]})


def run(
    decide: Callable[[int, dict[str, Any]], object] | None = None,
    leave: Callable[[], object] = lambda: sys.exit(0),
) -> None:
    """Serve until `quit`; `decide` gets the number of the decision, from 1, and the message."""
    number = 0
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            say({"name": "mock", "version": "1"})
        elif message["type"] == "decide":
            number += 1
            if decide is None:
                answer(message)
            else:
                decide(number, message)
        elif message["type"] == "quit":
            leave()
