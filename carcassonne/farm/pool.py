"""Work on several processes of this machine.

Workers are spawned, so they are the same on every system. They ignore Ctrl-C (it's the parent
who decides), end their bots and themselves when they are told to or when the parent is gone, and
when one of them dies its tasks are done again by a new one. A worker that has nothing to do lets
its bots quit when it is closed; one that is working ends them at once.
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
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

import msgspec

from carcassonne.farm.batches import BatchSize
from carcassonne.farm.work import FarmError, Report, Work, Worker, do_batch

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

__all__ = ["PoolExecutor"]

Task = TypeVar("Task")
Done = TypeVar("Done")

_MOST_DEATHS: Final = 3
"""How many processes a single task may cost."""
_PATIENCE: Final = 2.0
"""Seconds that a working process has to end its bots before it is killed."""
_QUIT_PATIENCE: Final = 8.0
"""Seconds that an idle one has, whose bots may take their time to quit."""


class _Hand(Generic[Task, Done]):
    """A process that works, as its parent sees it."""

    def __init__(self, work: Work[Task, Done]) -> None:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        self.pipe: Connection[Any, Any] = ours
        self.process: BaseProcess = context.Process(
            target=_work, args=(theirs, work), daemon=True, name="carcassonne-worker"
        )
        self.process.start()
        theirs.close()
        self._report: Any = Report[work.done]  # type: ignore[name-defined]  # known at run time
        self.tasks: list[Task] = []
        self.since = 0.0
        self.size = BatchSize()

    def give(self, tasks: Sequence[Task]) -> None:
        """Let it do a batch; if it's dead, that is found out on listening."""
        self.tasks = list(tasks)
        self.since = time.monotonic()
        with contextlib.suppress(OSError):
            self.pipe.send_bytes(msgspec.msgpack.encode(self.tasks))

    def read(self) -> Report[Done] | None:
        """What it has done; None: it has died."""
        try:
            report: Report[Done] = msgspec.msgpack.decode(self.pipe.recv_bytes(), type=self._report)
        except (EOFError, OSError):
            return None
        self.size.note(len(self.tasks), time.monotonic() - self.since)
        self.tasks = []
        return report


class PoolExecutor(Generic[Task, Done]):
    """Works on processes of this machine.

    Parameters
    ----------
    jobs
        How many there are.
    on_note
        Called with a sentence when a worker has died.
    what
        What a task is, for messages: `stack order`.
    """

    def __init__(
        self,
        work: Work[Task, Done],
        jobs: int,
        *,
        on_note: Callable[[str], object] | None = None,
        what: str = "task",
    ) -> None:
        self._work = work
        self._what = what
        self._note = on_note or (lambda _text: None)
        self._again: list[Task] = []
        self._deaths: dict[Task, int] = {}
        self._hands = [_Hand(work) for _ in range(jobs)]

    @property
    def pids(self) -> list[int]:
        """The processes that work."""
        return [hand.process.pid or 0 for hand in self._hands]

    @property
    def busy(self) -> int:
        """See `Executor`."""
        return len(self._again) + sum(len(hand.tasks) for hand in self._hands)

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

    def _idle(self) -> _Hand[Task, Done] | None:
        return next((hand for hand in self._hands if not hand.tasks), None)

    def _repeat(self) -> None:
        """Give out tasks of dead processes, one at a time: one of them may be deadly."""
        while self._again and (idle := self._idle()) is not None:
            idle.give([self._again.pop(0)])

    def collect(self, timeout: float) -> list[Done]:
        """See `Executor`."""
        self._repeat()
        pipes = {hand.pipe: hand for hand in self._hands if hand.tasks}
        done: list[Done] = []
        for pipe in connection.wait(list(pipes), timeout):
            hand = pipes[pipe]  # type: ignore[index]
            report = hand.read()
            if report is None:
                self._bury(hand)
            elif report.error:
                raise FarmError(report.error)
            else:
                done += report.done
        return done

    def _bury(self, dead: _Hand[Task, Done]) -> None:
        """Replace a worker that has died, and note its tasks to be done again."""
        dead.process.join(_PATIENCE)
        dead.pipe.close()
        if len(dead.tasks) == 1:
            task = dead.tasks[0]
            self._deaths[task] = self._deaths.get(task, 0) + 1
            if self._deaths[task] >= _MOST_DEATHS:
                raise FarmError(
                    f"{self._what} {task}: {_MOST_DEATHS} processes have died over it "
                    f"(exit code {dead.process.exitcode})"
                )
        number = len(dead.tasks)
        again = f"{self._what} is" if number == 1 else f"{number} {self._what}s are"
        self._note(
            f"a worker process has died (exit code {dead.process.exitcode}); its {again} played "
            "again"
        )
        self._again += dead.tasks
        self._hands[self._hands.index(dead)] = _Hand(self._work)

    def recall(self) -> None:
        """See `Executor`."""
        self._again.clear()

    def close(self) -> None:
        """End the processes, their bots too; see `Executor`."""
        start = time.monotonic()
        for hand in self._hands:
            if hand.tasks:
                hand.process.terminate()
            else:
                hand.pipe.close()  # that there is no more to do it sees by this
        for hand in self._hands:
            patience = _PATIENCE if hand.tasks else _QUIT_PATIENCE
            hand.process.join(max(0.0, start + patience - time.monotonic()))
            if hand.process.exitcode is None:
                hand.process.kill()
                hand.process.join()
            hand.pipe.close()
        self._hands = []


def _work(pipe: Connection[Any, Any], work: Work[Any, Any]) -> None:
    """What a process does: batches, until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    if hasattr(os, "setsid"):
        with contextlib.suppress(OSError):
            os.setsid()  # Ctrl-C in the terminal must not reach the bots' processes either
    worker = work.open()
    gc.freeze()  # what is loaded by now stays: no collection need look at it again
    threading.Thread(target=_die_with_parent, args=(worker,), daemon=True).start()
    decoder = msgspec.msgpack.Decoder(list[work.task])  # type: ignore[name-defined]
    at_once = True
    try:
        while True:
            tasks: list[Any] = decoder.decode(pipe.recv_bytes())
            pipe.send_bytes(msgspec.msgpack.encode(do_batch(worker, tasks)))
    except (EOFError, OSError):
        at_once = False  # there is no more to do
    finally:
        worker.close(at_once=at_once)


def _die_with_parent(worker: Worker[Any, Any]) -> None:
    """End this process as soon as the parent is gone, whatever is being done."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
    with contextlib.suppress(Exception):
        worker.close(at_once=True)
    os._exit(1)
