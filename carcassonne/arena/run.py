"""The loop of a tournament: from the schedule to the executor, and from there to the store.

The first Ctrl-C lets running games end and saves them, the second ends at once; either way the
folder can be resumed.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Protocol

from carcassonne.arena.schedule import Task, game_number, schedule_of
from carcassonne.arena.stopping import Stopper
from carcassonne.farm.interrupts import Interrupts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from carcassonne.arena.game import Played
    from carcassonne.arena.results import GameResult
    from carcassonne.arena.store import Store
    from carcassonne.farm.executor import Executor

__all__ = ["View", "run_tournament"]

_PAUSE = 0.25
"""Seconds between looks at what else has happened."""


class View(Protocol):
    """Who watches a tournament."""

    def note(self, text: str) -> None:
        """Something happened that is worth a sentence."""

    def update(self, results: Sequence[GameResult]) -> None:
        """More games are saved."""


def run_tournament(store: Store, make: Callable[[], Executor[Task, Played]], view: View) -> bool:
    """Play what is still to be played.

    Returns
    -------
    bool
        Whether the tournament is over; else it was interrupted.

    Raises
    ------
    KeyboardInterrupt
        Ctrl-C was pressed twice.
    CarcassonneError
        The tournament can't go on.
    """
    if store.is_finished:
        return True
    with Interrupts(view.note) as interrupts:
        run = _Run(store, view, interrupts)
        executor = make()
        try:
            return run.play(executor)
        finally:
            executor.close()


class _Run:
    """A tournament being played."""

    def __init__(self, store: Store, view: View, interrupts: Interrupts) -> None:
        self._store = store
        self._view = view
        self._interrupts = interrupts
        self._results = store.results()
        self._stopper = Stopper(store.tournament)
        self._stopper.add(self._results)

    def play(self, executor: Executor[Task, Played]) -> bool:
        """Play round after round."""
        schedule = schedule_of(self._store.tournament)
        for number in itertools.count():
            units = schedule.units(number, self._results)
            if units is None or self._stopper.verdict is not None:
                break
            self._pump(executor, self._missing(unit.tasks() for unit in units))
            if self._interrupts.pressed:
                return False
        self._store.finish(last_unit=self._stopper.last_unit, verdict=self._stopper.verdict)
        return True

    def _missing(self, units: Iterator[Iterator[Task]]) -> Iterator[Task]:
        """The games of units that are not saved yet."""
        players = self._store.tournament.players
        done = {game_number(game.unit, game.turn, players) for game in self._results}
        for task in itertools.chain.from_iterable(units):
            if game_number(task.unit, task.turn, players) not in done:
                yield task

    def _pump(self, executor: Executor[Task, Played], tasks: Iterator[Task]) -> None:
        """Keep the executor busy until there is nothing left, or reason to stop."""
        while True:
            if self._interrupts.pressed:
                executor.recall()
            while not self._interrupts.pressed and (wanted := executor.wanted()):
                batch = list(itertools.islice(tasks, wanted))
                if not batch:
                    break
                executor.submit(batch)
            if not executor.busy:
                return
            played = executor.collect(_PAUSE)
            if played:
                self._store.add(played)
                results = [game.result for game in played]
                self._results += results
                self._stopper.add(results)
            self._view.update(self._results)
            if self._stopper.verdict is not None:
                return
