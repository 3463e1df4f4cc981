"""What tournaments and playtests cost beside the games themselves, over long runs.

Run from the checkout: `python -m tests.benchmarks.long_runs --games 100000 --jobs 2`. Each line
compares a run in steady state with the Python-bot loop of `carcassonne bench`, which is played in
as many processes at once just before and just after. The goals: a tournament of random bots has
0.60 of the loop's games with records off and 0.35 with records on; a playtest with all measures
0.40, in less than 1 GiB.
"""

from __future__ import annotations

import argparse
import itertools
import multiprocessing
import resource
import tempfile
import time
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from carcassonne.arena.config import read_tournament
from carcassonne.arena.game import work_of as tournament_work
from carcassonne.arena.run import run_tournament
from carcassonne.arena.store import Store
from carcassonne.benchmark import games_on
from carcassonne.farm.executor import make_executor
from carcassonne.playtest.design import Arm, Design
from carcassonne.playtest.game import work_of as playtest_work
from carcassonne.playtest.run import run_playtest
from carcassonne.playtest.store import LabStore
from carcassonne.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from carcassonne.arena.results import GameResult

_SECONDS = 5.0
_WARM = 0.1
"""The share of a run that is start-up."""


class _Clock:
    """Sees how many games are done and when; what the first tenth took does not count."""

    def __init__(self, games: int) -> None:
        self._from = games * _WARM
        self._first: tuple[float, int] | None = None
        self._last: tuple[float, int] = (0.0, 0)

    def note(self, text: str) -> None:
        print(text)

    def see(self, games: int) -> None:
        if games == self._last[1]:
            return
        self._last = (time.perf_counter(), games)
        if self._first is None and games >= self._from:
            self._first = self._last

    @property
    def rate(self) -> float:
        """Games a second."""
        assert self._first is not None
        return (self._last[1] - self._first[1]) / (self._last[0] - self._first[0])


class _TournamentView(_Clock):
    def update(self, results: Sequence[GameResult]) -> None:
        self.see(len(results))


class _PlaytestView(_Clock):
    def update(self, units: int, games: int) -> None:
        self.see(games)


def _loop(job: tuple[list[str], int]) -> float:
    sets, first = job
    play = games_on("python_bot", sets, 2)
    play(0)
    start = time.perf_counter()
    games = 0
    while time.perf_counter() - start < _SECONDS:
        play(first + games)
        games += 1
    return games / (time.perf_counter() - start)


def _loops(sets: list[str], jobs: int) -> float:
    with multiprocessing.Pool(jobs) as pool:
        return sum(pool.map(_loop, [(sets, 1_000_000 * job) for job in range(jobs)]))


def _tournament(sets: list[str], games: int, jobs: int, records: bool) -> float:
    keys: dict[str, Any] = {
        "bots": ["random", "random"], "games": games, "tile_sets": sets, "records": records,
    }  # fmt: skip
    view = _TournamentView(games)
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(Store.create(Path(folder) / "t", read_tournament(None, keys))) as store,
    ):
        work = tournament_work(store.tournament)
        run_tournament(store, lambda: make_executor(work, jobs=jobs), view)
    return view.rate


def _playtest(sets: list[str], games: int, jobs: int) -> float:
    arm = Arm("all", Rules(), tuple(sets), {}, 2, ("random", "random"))
    design = Design("long run", games, 1, (arm,))
    view = _PlaytestView(games)
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(LabStore.create(Path(folder) / "p", design, {})) as store,
    ):
        run_playtest(store, lambda: make_executor(playtest_work(design), jobs=jobs), view)
    return view.rate


_RUNS: Final[tuple[tuple[str, Callable[[list[str], int, int], float]], ...]] = (
    ("tournament, records off", partial(_tournament, records=False)),
    ("tournament, records on", partial(_tournament, records=True)),
    ("playtest, all measures", _playtest),
)
_SETS: Final = (["base"], ["base", "bridges_castles_bazaars"])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    for (name, run), sets in itertools.product(_RUNS, _SETS):
        before = _loops(sets, asked.jobs)
        rate = run(sets, asked.games, asked.jobs)
        after = _loops(sets, asked.jobs)
        loop = (before + after) / 2
        here = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        there = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
        print(
            f"{name}, {sets[-1]}: {rate:,.0f} games/s, loop {before:,.0f} and {after:,.0f}, "
            f"ratio {rate / loop:.3f}; memory so far {here} MiB, a worker {there} MiB",
            flush=True,
        )


if __name__ == "__main__":
    main()
