"""Where work is done: the interface of all executors, the one without processes, and the choice.

An executor takes batches of tasks and hands back what was done, in any order.
"""

from __future__ import annotations

import time
from collections import deque
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from carcassonne.farm.batches import BatchSize
from carcassonne.farm.work import FarmError, Work

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Notes = Callable[[str], object]

__all__ = [
    "Executor",
    "LocalExecutor",
    "make_executor",
    "require_cluster",
]

Task = TypeVar("Task")
Task_contra = TypeVar("Task_contra", contravariant=True)
Done = TypeVar("Done")


class Executor(Protocol[Task_contra, Done]):
    """Does batches of tasks."""

    def wanted(self) -> int:
        """How many tasks would make up the next batch; 0: everybody is busy."""

    def submit(self, tasks: Sequence[Task_contra]) -> None:
        """Take a batch, after `wanted` has asked for one."""

    @property
    def busy(self) -> int:
        """How many tasks were submitted and are not back yet."""

    def collect(self, timeout: float) -> list[Done]:
        """Wait for what is done; nothing may have come after so many seconds.

        Raises
        ------
        CarcassonneError
            The work can't go on: a bot can't be made, or a task ends whoever does it.
        """

    def recall(self) -> None:
        """Forget the tasks that nobody does yet; those running are still done."""

    def close(self) -> None:
        """End, with all that the work has started; tasks still running are lost."""


class LocalExecutor(Generic[Task, Done]):
    """Does the work in this process, one task after the other."""

    def __init__(
        self, work: Work[Task, Done], *, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._worker = work.open()
        self._queue: deque[Task] = deque()
        self._is_playing = False
        self._size = BatchSize()
        self._now = now

    @property
    def busy(self) -> int:
        """Tasks in the queue."""
        return len(self._queue)

    def wanted(self) -> int:
        """See `Executor`."""
        return 0 if self._queue else self._size()

    def submit(self, tasks: Sequence[Task]) -> None:
        """See `Executor`."""
        self._queue.extend(tasks)

    def collect(self, timeout: float) -> list[Done]:
        """Work for so long, at least one task."""
        start = self._now()
        done: list[Done] = []
        while self._queue and (not done or self._now() - start < timeout):
            self._is_playing = True
            done.append(self._worker.play(self._queue.popleft()))
            self._is_playing = False
        if done:
            self._size.note(len(done), self._now() - start)
        return done

    def recall(self) -> None:
        """See `Executor`."""
        self._queue.clear()

    def close(self) -> None:
        """End the bots' processes, if they have any; in the middle of a task without waiting."""
        self._worker.close(at_once=self._is_playing)


def make_executor(
    work: Work[Task, Done],
    *,
    jobs: int = 1,
    cluster: str | None = None,
    on_note: Notes | None = None,
    what: str = "task",
) -> Executor[Task, Done]:
    """The executor that a command line asks for.

    Parameters
    ----------
    jobs
        Processes on this machine; 1: this one.
    cluster
        `ray` or `ray:ADDRESS`; None: this machine.
    on_note
        Called with a sentence when a process or a node has died.
    what
        What a task is, for messages: `stack order`.

    Raises
    ------
    FarmError
        The cluster is unknown, can't be reached, or its library is missing.
    """
    if cluster is not None:
        require_cluster(cluster)
        from carcassonne.farm.ray_executor import RayExecutor  # noqa: PLC0415 - an extra

        return RayExecutor(work, cluster.partition(":")[2], on_note=on_note)
    if jobs == 1:
        return LocalExecutor(work)
    from carcassonne.farm.pool import PoolExecutor  # noqa: PLC0415 - only where it is needed

    return PoolExecutor(work, jobs, on_note=on_note, what=what)


def require_cluster(cluster: str) -> None:
    """See that a cluster is written as it must be, its library is there and it answers.

    Raises
    ------
    FarmError
        It is not.
    """
    kind, _, address = cluster.partition(":")
    if kind != "ray":
        raise FarmError(f"--cluster: {cluster!r} is unknown; it is written ray or ray:ADDRESS")
    from carcassonne.farm.ray_executor import import_ray, require_address  # noqa: PLC0415

    import_ray()
    require_address(address)
