"""Plays well, and says farewell at the end."""

import sys

from _good import run


def leave() -> None:
    """Misbehave."""
    sys.stdout.write("farewell\n")
    sys.exit(0)


run(leave=leave)
