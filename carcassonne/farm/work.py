"""What is spread: a kind of work, its tasks, and those who do it."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import msgspec

from carcassonne.errors import CarcassonneError

__all__ = ["FarmError", "Report", "Work", "Worker", "do_batch"]

Task = TypeVar("Task")
Done = TypeVar("Done")
Task_contra = TypeVar("Task_contra", contravariant=True)
Done_co = TypeVar("Done_co", covariant=True)


class FarmError(CarcassonneError):
    """Work that can't go on: processes die, a cluster can't be reached."""


class Worker(Protocol[Task_contra, Done_co]):
    """Does tasks of one kind of work, one after the other."""

    def play(self, task: Task_contra) -> Done_co:
        """Do a task.

        Raises
        ------
        CarcassonneError
            The work can't go on.
        """

    def close(self, *, at_once: bool = False) -> None:
        """End what is kept from task to task; `at_once`: without waiting for anything."""


class Work(NamedTuple, Generic[Task, Done]):
    """A kind of work, so described that another process can do it.

    Attributes
    ----------
    opener : str
        `module:function`, which makes a `Worker` from the settings.
    settings : bytes
        In whatever form the opener reads.
    task, done : type
        What tasks and their outcomes are; msgspec carries both.
    """

    opener: str
    settings: bytes
    task: type[Task]
    done: type[Done]

    def open(self) -> Worker[Task, Done]:
        """A worker in this process."""
        return open_worker(self.opener, self.settings)


class Report(msgspec.Struct, Generic[Done], frozen=True):
    """What comes back for a batch: what was done, or the error that ends the work."""

    done: list[Done]
    error: str = ""


def open_worker(opener: str, settings: bytes) -> Worker[Any, Any]:
    """The worker that an opener makes."""
    module, _, function = opener.partition(":")
    worker: Worker[Any, Any] = getattr(import_module(module), function)(settings)
    return worker


def do_batch(worker: Worker[Task, Done], tasks: list[Task]) -> Report[Done]:
    """Do a batch where nobody else waits."""
    try:
        return Report([worker.play(task) for task in tasks])
    except CarcassonneError as error:
        return Report([], str(error))
