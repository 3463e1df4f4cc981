"""The bots' processes that this process keeps, and the reaper that ends them if it can't itself.

The reaper is one small process for each process that keeps bots. It starts with the first bot and
exits with its keeper, whatever ends that.
"""

from __future__ import annotations

import atexit
import contextlib
import itertools
import os
import secrets
import subprocess
import sys
import threading
from pathlib import Path
from typing import Final

from carcassonne.bots import reaper

__all__ = ["Wards", "wards"]

_EXIT_WAIT: Final = 3.0


class Wards:
    """What the reaper of this process is told."""

    def __init__(self) -> None:
        self.keeper = os.getpid()
        inherited = os.environ.get(reaper.VARIABLE, "")
        self._mark = f"{inherited}{self.keeper}-{secrets.token_hex(8)}."
        self._numbers = itertools.count(1)
        self._groups: set[int] = set()
        self._lock = threading.RLock()
        self._reaper: subprocess.Popen[bytes] | None = None

    @property
    def reaper(self) -> int | None:
        """The process number of the reaper; None if there is none."""
        process = self._reaper
        return None if process is None or process.poll() is not None else process.pid

    def new_mark(self) -> str:
        """A mark for a bot, for its environment; the reaper runs from now on."""
        with self._lock:
            if self.reaper is None:
                self._start()
            return f"{self._mark}{next(self._numbers)}/"

    def add(self, group: int) -> None:
        """A process group is to be ended with this process."""
        with self._lock:
            self._groups.add(group)
            self._tell(f"+{group}\n")

    def discard(self, group: int) -> None:
        """A process group has ended; call it before another can get its number."""
        with self._lock:
            self._groups.discard(group)
            self._tell(f"-{group}\n")

    def _start(self) -> None:
        if self._reaper is not None and self._reaper.stdin is not None:
            self._reaper.stdin.close()
        script = str(Path(__file__).with_name("reaper.py"))
        self._reaper = subprocess.Popen(  # noqa: S603 - our own script
            [sys.executable, "-I", "-S", script, self._mark, str(self.keeper)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,
            cwd="/",
        )
        for group in self._groups:
            self._tell(f"+{group}\n")

    def _tell(self, line: str) -> None:
        """Write a line; a reaper that somebody has killed is replaced with the next bot."""
        if self._reaper is not None and self._reaper.stdin is not None:
            with contextlib.suppress(OSError):
                self._reaper.stdin.write(line.encode())

    def close(self) -> None:
        """Let the reaper end what is left, and wait for it."""
        if self._reaper is not None and os.getpid() == self.keeper:
            if self._reaper.stdin is not None:
                self._reaper.stdin.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._reaper.wait(_EXIT_WAIT)


_ours: list[Wards] = []


def wards() -> Wards:
    """Those of this process; a fork has its own."""
    if not _ours or _ours[-1].keeper != os.getpid():
        _ours.append(Wards())
        atexit.register(_ours[-1].close)
    return _ours[-1]
