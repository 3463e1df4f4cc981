"""Games on several processes of this machine.

Workers are spawned, so they are the same on every system. They ignore Ctrl-C (it's the parent
who decides), end their bots and themselves when they are told to or when the parent is gone, and
when one of them dies its games are played again by a new one.
"""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import signal
import sys
import threading
import time
from multiprocessing import connection
from typing import TYPE_CHECKING, Any, Final

import msgspec

from carcassonne.arena.config import ArenaError, Tournament
from carcassonne.arena.executor import BatchSize, Report, play_batch
from carcassonne.arena.game import Referee
from carcassonne.arena.schedule import Task

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

    from carcassonne.arena.game import Played

__all__ = ["PoolExecutor"]

_MOST_DEATHS: Final = 3
"""How many workers a single game may cost."""
_PATIENCE: Final = 2.0
"""Seconds that a worker has to end its bots before it is killed."""


class _Worker:
    """A process that plays, as its parent sees it."""

    def __init__(self, config: bytes) -> None:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        self.pipe: Connection[Any, Any] = ours
        self.process: BaseProcess = context.Process(
            target=_work, args=(theirs, config), daemon=True, name="carcassonne-worker"
        )
        self.process.start()
        theirs.close()
        self.tasks: list[Task] = []
        self.since = 0.0
        self.size = BatchSize()

    def give(self, tasks: Sequence[Task]) -> None:
        """Let it play a batch; if it's dead, that is found out on listening."""
        self.tasks = list(tasks)
        self.since = time.monotonic()
        with contextlib.suppress(OSError):
            self.pipe.send_bytes(msgspec.msgpack.encode(self.tasks))

    def read(self) -> Report | None:
        """What it has played; None: it has died."""
        try:
            report = msgspec.msgpack.decode(self.pipe.recv_bytes(), type=Report)
        except (EOFError, OSError):
            return None
        self.size.note(len(self.tasks), time.monotonic() - self.since)
        self.tasks = []
        return report


class PoolExecutor:
    """Plays on worker processes.

    Parameters
    ----------
    jobs
        How many there are.
    on_note
        Called with a sentence when a worker has died.
    """

    def __init__(
        self, tournament: Tournament, jobs: int, *, on_note: Callable[[str], object] | None = None
    ) -> None:
        self._config = msgspec.msgpack.encode(tournament)
        self._note = on_note or (lambda _text: None)
        self._again: list[Task] = []
        self._deaths: dict[Task, int] = {}
        self._workers = [_Worker(self._config) for _ in range(jobs)]

    @property
    def pids(self) -> list[int]:
        """The processes that play."""
        return [worker.process.pid or 0 for worker in self._workers]

    @property
    def busy(self) -> int:
        """See `Executor`."""
        return len(self._again) + sum(len(worker.tasks) for worker in self._workers)

    def wanted(self) -> int:
        """See `Executor`."""
        self._repeat()
        idle = self._idle()
        return idle.size() if idle is not None else 0

    def submit(self, tasks: Sequence[Task]) -> None:
        """See `Executor`."""
        idle = self._idle()
        if idle is None:
            raise AssertionError("all workers are busy")
        idle.give(tasks)

    def _idle(self) -> _Worker | None:
        return next((worker for worker in self._workers if not worker.tasks), None)

    def _repeat(self) -> None:
        """Give out games of dead workers, one at a time: one of them may be deadly."""
        while self._again and (idle := self._idle()) is not None:
            idle.give([self._again.pop(0)])

    def collect(self, timeout: float) -> list[Played]:
        """See `Executor`."""
        self._repeat()
        pipes = {worker.pipe: worker for worker in self._workers if worker.tasks}
        played: list[Played] = []
        for pipe in connection.wait(list(pipes), timeout):
            worker = pipes[pipe]  # type: ignore[index]
            report = worker.read()
            if report is None:
                self._bury(worker)
            elif report.error:
                raise ArenaError(report.error)
            else:
                played += report.played
        return played

    def _bury(self, dead: _Worker) -> None:
        """Replace a worker that has died, and note its games to be played again."""
        dead.process.join(_PATIENCE)
        dead.pipe.close()
        if len(dead.tasks) == 1:
            task = dead.tasks[0]
            self._deaths[task] = self._deaths.get(task, 0) + 1
            if self._deaths[task] >= _MOST_DEATHS:
                raise ArenaError(
                    f"unit {task.unit}, game {task.turn}: {_MOST_DEATHS} processes have died "
                    f"playing it (exit code {dead.process.exitcode})"
                )
        self._note(
            f"a worker process has died (exit code {dead.process.exitcode}); its "
            f"{len(dead.tasks)} games are played again"
        )
        self._again += dead.tasks
        self._workers[self._workers.index(dead)] = _Worker(self._config)

    def recall(self) -> None:
        """See `Executor`."""
        self._again.clear()

    def close(self) -> None:
        """End the workers, their bots too."""
        for worker in self._workers:
            worker.process.terminate()
        until = time.monotonic() + _PATIENCE
        for worker in self._workers:
            worker.process.join(max(0.0, until - time.monotonic()))
            if worker.process.exitcode is None:
                worker.process.kill()
                worker.process.join()
            worker.pipe.close()
        self._workers = []


def _work(pipe: Connection[Any, Any], config: bytes) -> None:
    """What a worker does: play batches until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    if hasattr(os, "setsid"):
        with contextlib.suppress(OSError):
            os.setsid()  # Ctrl-C in the terminal must not reach the bots' processes either
    referee = Referee(msgspec.msgpack.decode(config, type=Tournament))
    gc.freeze()  # what is loaded by now stays: no collection need look at it again
    threading.Thread(target=_die_with_parent, args=(referee,), daemon=True).start()
    try:
        while True:
            tasks = msgspec.msgpack.decode(pipe.recv_bytes(), type=list[Task])
            pipe.send_bytes(msgspec.msgpack.encode(play_batch(referee, tasks)))
    except (EOFError, OSError):
        pass  # the parent has ended
    finally:
        referee.close()


def _die_with_parent(referee: Referee) -> None:
    """End this process as soon as the parent is gone, whatever is being played."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
    with contextlib.suppress(Exception):
        referee.close()
    os._exit(1)
