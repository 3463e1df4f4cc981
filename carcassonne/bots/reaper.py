"""Ends the processes of bots whose keeper is gone: `reaper.py MARK KEEPER`.

It runs as a script of its own, started by `carcassonne.bots.wards`, and reads from its standard
input which process groups there are: `+123` and `-123`, a line each. When that ends, or its
parent is no longer the process KEEPER, it kills those groups and all that bears the mark, and
exits. Whatever ends the keeper, a kill -9 too, closes the pipe.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import time
from typing import Final

__all__ = ["VARIABLE", "kill_group", "kill_marked", "marked"]

VARIABLE: Final = "CARCASSONNE_BOT"
"""The environment variable that bears a mark; what a bot starts inherits it."""
_LOOK: Final = 1.0  # seconds between looks at the parent
_PAUSE: Final = 0.01
_KILL_SECONDS: Final = 2.0  # that what was killed may take to be gone
_SETTLE: Final = 0.1  # in which a process that was just being started gets its mark


def marked(mark: str) -> list[int]:
    """Processes whose mark begins so; none where the system doesn't show environments."""
    sign = f"\0{VARIABLE}={mark}".encode()
    found = []
    with contextlib.suppress(OSError):
        for name in os.listdir("/proc"):  # noqa: PTH208 - a path for each costs too much
            if name.isdecimal():
                with contextlib.suppress(OSError), open(f"/proc/{name}/environ", "rb") as file:  # noqa: PTH123
                    if sign in b"\0" + file.read():
                        found.append(int(name))
    return found


def kill_marked(mark: str) -> None:
    """Kill processes by their mark, also those that left their group, until there are none."""
    until = time.monotonic() + _KILL_SECONDS
    while (found := marked(mark)) and time.monotonic() < until:
        for pid in found:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(_PAUSE)


def kill_group(group: int, number: int = signal.SIGKILL) -> None:
    """Send a signal to a process group, if it is there."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def _watch(keeper: int) -> set[int]:
    """Listen until the keeper is gone; the groups that it has left."""
    groups: set[int] = set()
    rest = b""
    while os.getppid() == keeper:
        if not select.select([0], [], [], _LOOK)[0]:
            continue
        chunk = os.read(0, 65536)
        if not chunk:
            break
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            group = int(line[1:])
            if line[:1] == b"+":
                groups.add(group)
            else:
                groups.discard(group)
    return groups


def _main() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    mark, keeper = sys.argv[1], int(sys.argv[2])
    for group in _watch(keeper):
        kill_group(group)
    kill_marked(mark)
    time.sleep(_SETTLE)
    kill_marked(mark)


if __name__ == "__main__":
    _main()
