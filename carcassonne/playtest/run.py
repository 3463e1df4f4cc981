"""The loop of a playtest: units go to the executor, whole units come back in their order.

A unit is one stack order, played in every arm and every seating. Rows are saved as they come;
statistics see whole units in the order of their numbers, so that nothing depends on how many
processes play. Only a limit of time stops where it happens to be reached.
"""

from __future__ import annotations

import itertools
import time
from typing import TYPE_CHECKING, Protocol

from carcassonne.playtest.accumulate import UnitQueue
from carcassonne.playtest.compare import is_precise
from carcassonne.playtest.design import checkpoints
from carcassonne.playtest.game import measures_of
from carcassonne.playtest.phrases import counted
from carcassonne.playtest.results import empty_statistics
from carcassonne.playtest.target import parse_until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from carcassonne.farm.executor import Executor
    from carcassonne.playtest.accumulate import Statistics
    from carcassonne.playtest.rows import GameRow
    from carcassonne.playtest.store import LabStore

__all__ = ["Outcome", "View", "run_playtest"]

_PAUSE = 0.25
"""Seconds between looks at what else has happened."""


class View(Protocol):
    """Who watches a playtest."""

    def update(self, units: int, games: int) -> None:
        """So many whole units and games are saved."""


class Outcome:
    """How a playtest went.

    Attributes
    ----------
    statistics : Statistics
    is_finished : bool
        Whether it is over; else it was interrupted and can be resumed.
    note : str
        Why it ended, in a sentence.
    """

    def __init__(self, statistics: Statistics) -> None:
        self.statistics = statistics
        self.is_finished = False
        self.note = ""


def run_playtest(
    store: LabStore,
    make: Callable[[], Executor[int, list[GameRow]]],
    view: View,
    *,
    is_interrupted: Callable[[], bool] = lambda: False,
    seconds: float | None = None,
) -> Outcome:
    """Play what is still to be played.

    Parameters
    ----------
    make
        Gives the executor, if there is anything to play.
    is_interrupted
        Asked now and then; once it says yes, running games are finished and saved.
    seconds
        Begin no more units after so long; the playtest is over then.

    Raises
    ------
    CarcassonneError
        The playtest can't go on: a bot broke down, a measure failed, `until` means nothing.
    """
    run = _Run(store, view, is_interrupted, seconds)
    run.take_saved()
    if not run.is_over:
        executor = make()
        try:
            run.play(executor)
        finally:
            executor.close()
    return run.end()


class _Run:
    def __init__(
        self,
        store: LabStore,
        view: View,
        is_interrupted: Callable[[], bool],
        seconds: float | None,
    ) -> None:
        design = store.design
        measures = [taken.measure for taken in measures_of(design)]
        self._store = store
        self._view = view
        self._is_interrupted = is_interrupted
        self._deadline = None if seconds is None else time.monotonic() + seconds
        self._design = design
        self._queue = UnitQueue([arm.turns for arm in design.arms])
        self._target = parse_until(design.until) if design.until else None
        self._aim = self._target.told(measures) if self._target is not None else ""
        self._looks = set(checkpoints(design.games))
        self._outcome = Outcome(empty_statistics(design, measures))
        self._saved: set[int] = set()
        self._games = 0
        self._stopped = False
        self._timed_out = False

    @property
    def is_over(self) -> bool:
        """Whether there is nothing more to play."""
        return self._stopped or self._store.is_finished or self._queue.next == self._design.games

    def take_saved(self) -> None:
        """Count the games that an earlier run has saved; half a unit is played again."""
        for unit, rows in itertools.groupby(self._store.rows(), key=lambda row: row.unit):
            whole = list(rows)
            if len(whole) == sum(arm.turns for arm in self._design.arms):
                self._saved.add(unit)
                self._count(whole)

    def play(self, executor: Executor[int, list[GameRow]]) -> None:
        """Keep the executor busy until there is nothing left, or reason to stop."""
        units = (unit for unit in range(self._design.games) if unit not in self._saved)
        while not self._stopped:
            if self._must_end():
                executor.recall()
            else:
                self._fill(executor, units)
            if not executor.busy:
                return
            done = executor.collect(_PAUSE)
            if done:
                self._store.add([row for rows in done for row in rows])
                self._count(row for rows in done for row in rows)
            self._view.update(self._queue.next, self._games)

    def _must_end(self) -> bool:
        if self._deadline is not None and time.monotonic() > self._deadline:
            self._timed_out = True
        return self._timed_out or self._is_interrupted()

    def _fill(self, executor: Executor[int, list[GameRow]], units: Iterator[int]) -> None:
        while wanted := executor.wanted():
            batch = list(itertools.islice(units, wanted))
            if not batch:
                return
            executor.submit(batch)

    def _count(self, rows: Iterable[GameRow]) -> None:
        """Let statistics see the units that are whole and next, until it is precise enough."""
        waiting: list[list[GameRow]] = []
        for row in rows:
            for unit, whole in self._queue.push(row):
                if self._stopped:
                    return
                waiting.append(whole)
                if unit + 1 in self._looks:
                    self._add(waiting)
                    waiting = []
                    self._stopped = self._is_precise()
        self._add(waiting)

    def _add(self, units: list[list[GameRow]]) -> None:
        self._outcome.statistics.add_units(units)
        self._games += sum(map(len, units))

    def _is_precise(self) -> bool:
        return self._target is not None and is_precise(self._outcome.statistics, self._target)

    def end(self) -> Outcome:
        """Close the books; a playtest that was interrupted stays open."""
        outcome = self._outcome
        units = outcome.statistics.units
        orders = counted(units, "stack order")
        if self._stopped:
            outcome.note = f"Stopped after {orders}: the precision {self._aim} is reached."
        elif self._timed_out:
            outcome.note = f"Stopped after {orders}: its time was up."
        elif self.is_over:
            were = {1: "The stack order was", 2: "Both stack orders were"}
            outcome.note = f"{were.get(units, f'All {orders} were')} played."
            if self._aim:
                outcome.note += f" The precision {self._aim} was not reached."
        else:
            outcome.note = f"Interrupted after {orders}."
            return outcome
        outcome.is_finished = True
        if not self._store.is_finished:
            self._store.finish(units)
        return outcome
