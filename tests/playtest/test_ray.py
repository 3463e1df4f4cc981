"""A playtest on a Ray cluster of several nodes, of which one dies; needs the extra `ray`."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from carcassonne.farm.executor import LocalExecutor
from carcassonne.farm.ray_executor import RayExecutor
from carcassonne.playtest.design import Arm, Design
from carcassonne.playtest.game import work_of
from carcassonne.playtest.results import Results
from carcassonne.playtest.run import run_playtest
from carcassonne.playtest.store import LabStore
from carcassonne.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from carcassonne.farm.executor import Executor
    from carcassonne.playtest.rows import GameRow

UNITS = 16
SETS = ("base", "bridges_castles_bazaars")

pytestmark = [
    pytest.mark.system,
    pytest.mark.filterwarnings("ignore"),  # Ray's own, at many places
]


class Watcher:
    """Does something once, after the first units."""

    def __init__(self, at_first: Callable[[], object]) -> None:
        self.counts: list[int] = []
        self._at_first = at_first

    def update(self, units: int, games: int) -> None:
        """Keep how many games there are."""
        if units and not self.counts:
            self._at_first()
            self.counts.append(games)


def played(
    folder: Path, make: Callable[[Design], Executor[int, list[GameRow]]], watcher: Watcher
) -> tuple[list[GameRow], dict[str, Any]]:
    """The rows that were saved, and what came out."""
    arms = tuple(
        Arm(mode, Rules(bazaar_mode=mode), SETS, {}, 2, ("greedy", "random"))
        for mode in ("auction", "draft")
    )
    design = Design("t", UNITS, 1, arms)
    with closing(LabStore.create(folder, design, [])) as store:
        outcome = run_playtest(store, lambda: make(design), watcher)
        assert outcome.is_finished
        return list(store.rows()), Results(design, outcome.statistics).to_data()


def test_a_node_dies_and_the_results_are_those_of_this_machine(
    tmp_path: Path, cluster: Any
) -> None:
    here = played(
        tmp_path / "here", lambda design: LocalExecutor(work_of(design)), Watcher(lambda: None)
    )
    notes: list[str] = []
    watcher = Watcher(lambda: cluster.remove_node(cluster.nodes[1], allow_graceful=False))
    there = played(
        tmp_path / "there",
        lambda design: RayExecutor(work_of(design), cluster.address, on_note=notes.append),
        watcher,
    )
    assert len(cluster.list_all_nodes()) == 3
    assert there == here
    assert len(here[0]) == 4 * UNITS
    assert 0 < watcher.counts[0] < 4 * UNITS  # that was when the node died
