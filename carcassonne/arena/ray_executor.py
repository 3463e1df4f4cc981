"""Games on a Ray cluster; needs the extra `ray`.

Batches are Ray tasks. When a node or a worker dies, Ray plays its tasks elsewhere; what Ray gives
up is submitted again here.
"""

from __future__ import annotations

import contextlib
import functools
import time
from typing import TYPE_CHECKING, Any, Final

import msgspec

from carcassonne.arena.config import ArenaError, Tournament
from carcassonne.arena.executor import BatchSize, Report, play_batch
from carcassonne.arena.game import Referee
from carcassonne.arena.schedule import Task

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from carcassonne.arena.game import Played

__all__ = ["RayExecutor", "import_ray"]

_RETRIES: Final = 3
_MOST_FAILURES: Final = 10
"""How often a batch may fail, after Ray's own retries."""


class RayExecutor:
    """Plays on all CPUs of a Ray cluster.

    Parameters
    ----------
    address
        The cluster's; empty: the one that this machine belongs to, or a new one on this machine.

    Raises
    ------
    ArenaError
        Ray is not installed, or the cluster can't be reached.
    """

    def __init__(
        self,
        tournament: Tournament,
        address: str = "",
        *,
        on_note: Callable[[str], object] | None = None,
    ) -> None:
        self._ray = ray = import_ray()
        self._note = on_note or (lambda _text: None)
        self._begun_here = not ray.is_initialized()
        if self._begun_here:
            try:
                ray.init(address=address or None, log_to_driver=False, logging_level="error")
            except (ConnectionError, ValueError, RuntimeError) as error:
                text = str(error).strip().splitlines()[0]
                raise ArenaError(f"--cluster: ray {address or '(local)'}: {text}") from None
        self._config = ray.put(msgspec.msgpack.encode(tournament))
        self._play = ray.remote(max_retries=_RETRIES, num_cpus=1)(_play_on_node)
        self._running: dict[Any, tuple[bytes, int, float]] = {}
        self._failures: dict[bytes, int] = {}
        self._size = BatchSize()

    @property
    def busy(self) -> int:
        """See `Executor`."""
        return sum(games for _, games, _ in self._running.values())

    def wanted(self) -> int:
        """See `Executor`."""
        cpus = int(self._ray.cluster_resources().get("CPU", 1))
        return self._size() if len(self._running) < cpus else 0

    def submit(self, tasks: Sequence[Task]) -> None:
        """See `Executor`."""
        self._submit(msgspec.msgpack.encode(list(tasks)), len(tasks))

    def _submit(self, batch: bytes, games: int) -> None:
        self._running[self._play.remote(self._config, batch)] = (batch, games, time.monotonic())

    def collect(self, timeout: float) -> list[Played]:
        """See `Executor`."""
        if not self._running:
            return []
        done, _ = self._ray.wait(list(self._running), timeout=timeout)
        played: list[Played] = []
        for reference in done:
            batch, games, since = self._running.pop(reference)
            try:
                answer = self._ray.get(reference)
            except self._ray.exceptions.RayError as error:
                self._play_again(batch, games, error)
                continue
            report = msgspec.msgpack.decode(answer, type=Report)
            if report.error:
                raise ArenaError(report.error)
            self._size.note(games, time.monotonic() - since)
            played += report.played
        return played

    def _play_again(self, batch: bytes, games: int, error: Exception) -> None:
        self._failures[batch] = self._failures.get(batch, 0) + 1
        text = str(error).strip().splitlines()[0]
        if self._failures[batch] >= _MOST_FAILURES:
            raise ArenaError(f"--cluster: ray: a batch failed {_MOST_FAILURES} times: {text}")
        self._note(f"{text}; its {games} games are played again")
        self._submit(batch, games)

    def recall(self) -> None:
        """See `Executor`."""

    def close(self) -> None:
        """Cancel what runs, and leave the cluster if it was joined here."""
        for reference in self._running:
            with contextlib.suppress(Exception):
                self._ray.cancel(reference, force=True)
        self._running.clear()
        if self._begun_here:
            self._ray.shutdown()


def import_ray() -> Any:
    """The library.

    Raises
    ------
    ArenaError
        It isn't installed.
    """
    try:
        import ray  # noqa: PLC0415 - an extra
    except ImportError:
        raise ArenaError(
            "--cluster: ray is not installed; install the extra: pip install 'carcassonne[ray]'"
        ) from None
    return ray


@functools.lru_cache(maxsize=1)
def _referee(config: bytes) -> Referee:
    """The referee of this worker process, which plays many batches."""
    return Referee(msgspec.msgpack.decode(config, type=Tournament))


def _play_on_node(config: bytes, batch: bytes) -> bytes:
    """Play a batch; runs on the cluster."""
    tasks = msgspec.msgpack.decode(batch, type=list[Task])
    return msgspec.msgpack.encode(play_batch(_referee(config), tasks))
