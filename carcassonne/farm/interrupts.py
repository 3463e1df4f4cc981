"""Ctrl-C in a long run: the first lets games end and be saved, the second stops at once."""

from __future__ import annotations

import contextlib
import signal
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import Self

__all__ = ["Interrupts"]


class Interrupts:
    """Counts Ctrl-C while its block runs: the first is noted, the second passes.

    Parameters
    ----------
    note
        Told what the first one does.

    Attributes
    ----------
    pressed : bool
    """

    def __init__(self, note: Callable[[str], object]) -> None:
        self._note = note
        self._before: Any = None
        self.pressed = False

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._press)
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def _press(self, _number: int, _frame: FrameType | None) -> None:
        if self.pressed:
            raise KeyboardInterrupt
        self.pressed = True
        with contextlib.suppress(RuntimeError):  # it may be in the middle of printing
            self._note("running games are finished and saved; Ctrl-C again stops at once")
