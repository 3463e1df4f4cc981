"""The time that a bot has: for a decision, for a game, and what each decision adds to it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import msgspec

from carcassonne.errors import CarcassonneError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Clock", "TimeControl"]


class TimeControl(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Limits in seconds.

    Attributes
    ----------
    move : float or None
        The most that one decision may take.
    game : float or None
        What all decisions of a game may take together.
    increment : float
        What each decision adds to the time left for the game.
    """

    move: float | None = None
    game: float | None = None
    increment: float = 0.0

    def __post_init__(self) -> None:
        """Refuse what is no time.

        Raises
        ------
        CarcassonneError
            Naming the key.
        """
        for key in ("move", "game"):
            value = getattr(self, key)
            if value is not None and not 0 < value < float("inf"):
                raise CarcassonneError(f"time: {key}: {value} must be a number of seconds over 0")
        if not 0 <= self.increment < float("inf"):
            raise CarcassonneError(f"time: increment: {self.increment} must be 0 seconds or more")
        if self.increment and self.game is None:
            raise CarcassonneError("time: increment: there is nothing to add to without a `game`")


class Clock:
    """The time of one player in one game; it runs while the player decides."""

    def __init__(
        self, control: TimeControl, *, now: Callable[[], float] = time.perf_counter
    ) -> None:
        self.control = control
        self.used = 0.0
        """Seconds that all decisions took so far."""
        self._left = control.game
        self._now = now
        self._started: float | None = None

    @property
    def left(self) -> float | None:
        """Seconds left for the decision that is open; None without a limit. Negative: too late."""
        limits = [limit for limit in (self.control.move, self._left) if limit is not None]
        if not limits:
            return None
        running = 0.0 if self._started is None else self._now() - self._started
        return min(limits) - running

    @property
    def game_left(self) -> float | None:
        """Seconds left for the rest of the game, the open decision included; None: no limit."""
        if self._left is None or self._started is None:
            return self._left
        return self._left - (self._now() - self._started)

    def start(self) -> None:
        """A decision begins."""
        self._started = self._now()

    def stop(self) -> str | None:
        """A decision ends.

        Returns
        -------
        str or None
            Which limit was passed, in words; None if none was.
        """
        if self._started is None:
            raise AssertionError("the clock was not running")
        took = self._now() - self._started
        self._started = None
        self.used += took
        late = None
        if self._left is not None:
            if took > self._left:
                late = f"used more than its {self.control.game:g} seconds for the game"
            self._left += self.control.increment - took
        if self.control.move is not None and took > self.control.move:
            late = f"took {took:.3g} seconds for a move; it has {self.control.move:g}"
        return late
