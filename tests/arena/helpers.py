"""What the arena's tests share: tournaments that are quickly played."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Any

from carcassonne.arena.config import Reading, read_tournament
from carcassonne.arena.game import work_of
from carcassonne.arena.run import run_tournament
from carcassonne.arena.schedule import schedule_of
from carcassonne.arena.store import Store
from carcassonne.farm.executor import LocalExecutor

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from carcassonne.arena.config import Tournament
    from carcassonne.arena.game import Played
    from carcassonne.arena.results import GameResult
    from carcassonne.arena.schedule import Task
    from carcassonne.farm.executor import Executor

SETS = ["base"]


class Watcher:
    """Notes what it is told, and does something after the first games."""

    def __init__(self, at_first: Callable[[], object] | None = None) -> None:
        self.notes: list[str] = []
        self.counts: list[int] = []
        self._at_first = at_first

    def note(self, text: str) -> None:
        """Keep a sentence."""
        self.notes.append(text)

    def update(self, results: Sequence[GameResult]) -> None:
        """Keep how many there are."""
        self.counts.append(len(results))
        if results and self._at_first is not None:
            self._at_first()
            self._at_first = None


def reading(**keys: Any) -> Reading:
    """A tournament of random bots with the base set, unless the keys say otherwise."""
    return read_tournament(None, {"bots": ["random", "random"], "tile_sets": SETS, **keys})


def play(
    folder: Path,
    read: Reading,
    make: Callable[[Tournament], Executor[Task, Played]] = lambda t: LocalExecutor(work_of(t)),
    watcher: Watcher | None = None,
) -> None:
    """Play a whole tournament."""
    store = Store.create(folder, read)
    try:
        assert run_tournament(store, lambda: make(store.tournament), watcher or Watcher())
    finally:
        store.close()


def resume(folder: Path, watcher: Watcher | None = None) -> None:
    """Play the rest of a tournament."""
    store = Store.resume(folder)
    try:
        tournament = store.tournament
        assert run_tournament(
            store, lambda: LocalExecutor(work_of(tournament)), watcher or Watcher()
        )
    finally:
        store.close()


def tasks_of(tournament: Tournament) -> list[Task]:
    """The games of the first round."""
    units = schedule_of(tournament).units(0, [])
    assert units is not None
    return [task for unit in units for task in unit.tasks()]


def command(*words: str) -> list[str]:
    """A command line of the program."""
    return [sys.executable, "-m", "carcassonne", *words]


def run(*words: object) -> subprocess.CompletedProcess[str]:
    """Run a command of the program to its end."""
    return subprocess.run(  # noqa: S603 - the program itself
        command(*map(str, words)), capture_output=True, text=True, check=False, timeout=120
    )
