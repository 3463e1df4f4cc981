"""Where games are played: the interface of all executors, and the one without processes.

An executor takes batches of games and hands back what was played, in any order. How large a batch
is follows from how long the last ones took, so that quick games cost no more for being spread,
and slow ones come back one by one.
"""

from __future__ import annotations

import time
from collections import deque
from typing import TYPE_CHECKING, Final, Protocol

import msgspec

from carcassonne.arena.game import Played, Referee
from carcassonne.errors import CarcassonneError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from carcassonne.arena.config import Tournament
    from carcassonne.arena.schedule import Task

__all__ = ["BATCH_SECONDS", "BatchSize", "Executor", "LocalExecutor", "Report", "play_batch"]

BATCH_SECONDS: Final = 0.4
"""How long a batch should take."""
_LARGEST: Final = 5000


class Executor(Protocol):
    """Plays batches of games."""

    def wanted(self) -> int:
        """How many games would make up the next batch; 0: everybody is busy."""

    def submit(self, tasks: Sequence[Task]) -> None:
        """Take a batch, after `wanted` has asked for one."""

    @property
    def busy(self) -> int:
        """How many games were submitted and are not back yet."""

    def collect(self, timeout: float) -> list[Played]:
        """Wait for games; nothing may have come after so many seconds.

        Raises
        ------
        CarcassonneError
            The tournament can't go on: a bot can't be made, or a game ends whoever plays it.
        """

    def recall(self) -> None:
        """Forget the games that nobody plays yet; those running are still played."""

    def close(self) -> None:
        """End at once; games still running are lost."""


class BatchSize:
    """Sets the size of batches by how long they take."""

    def __init__(self) -> None:
        self._size = 1.0

    def __call__(self) -> int:
        """Games for the next batch."""
        return int(self._size)

    def note(self, games: int, seconds: float) -> None:
        """A batch of so many games took so long."""
        fits = games * BATCH_SECONDS / max(seconds, 1e-6)
        self._size = max(1.0, min(fits, 4 * games, _LARGEST))


class Report(msgspec.Struct, frozen=True):
    """What comes back for a batch: the games, or the error that ends the tournament."""

    played: list[Played]
    error: str = ""


def play_batch(referee: Referee, tasks: Sequence[Task]) -> Report:
    """Play a batch where nobody else waits."""
    try:
        return Report([referee.play(task) for task in tasks])
    except CarcassonneError as error:
        return Report([], str(error))


class LocalExecutor:
    """Plays in this process, one game after the other."""

    def __init__(
        self, tournament: Tournament, *, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._referee = Referee(tournament)
        self._queue: deque[Task] = deque()
        self._size = BatchSize()
        self._now = now

    @property
    def busy(self) -> int:
        """Games in the queue."""
        return len(self._queue)

    def wanted(self) -> int:
        """See `Executor`."""
        return 0 if self._queue else self._size()

    def submit(self, tasks: Sequence[Task]) -> None:
        """See `Executor`."""
        self._queue.extend(tasks)

    def collect(self, timeout: float) -> list[Played]:
        """Play for so long, at least one game."""
        start = self._now()
        played: list[Played] = []
        while self._queue and (not played or self._now() - start < timeout):
            played.append(self._referee.play(self._queue.popleft()))
        if played:
            self._size.note(len(played), self._now() - start)
        return played

    def recall(self) -> None:
        """See `Executor`."""
        self._queue.clear()

    def close(self) -> None:
        """End the bots' processes, if they have any."""
        self._referee.close()
