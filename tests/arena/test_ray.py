"""A tournament on a Ray cluster of several nodes, of which one dies; needs the extra `ray`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from carcassonne.arena.game import work_of
from carcassonne.arena.store import RECORDS, read_results
from carcassonne.farm.ray_executor import RayExecutor
from tests.arena.helpers import Watcher, play, reading

if TYPE_CHECKING:
    from pathlib import Path

GAMES = 24

pytestmark = [
    pytest.mark.system,
    pytest.mark.filterwarnings("ignore"),  # Ray's own, at many places
]


def test_a_node_dies_and_the_results_are_those_of_this_machine(
    tmp_path: Path, cluster: Any
) -> None:
    read = reading(bots=["random", "greedy"], games=GAMES, tile_counts={"BA/RFr": 1, "BA/Rr": 1})
    play(tmp_path / "here", read)
    watcher = Watcher(lambda: cluster.remove_node(cluster.nodes[1], allow_graceful=False))
    play(
        tmp_path / "there",
        read,
        lambda tournament: RayExecutor(work_of(tournament), cluster.address, on_note=watcher.note),
        watcher,
    )
    assert len(cluster.list_all_nodes()) == 3
    assert read_results(tmp_path / "there") == read_results(tmp_path / "here")
    here, there = ((tmp_path / name / RECORDS).read_bytes() for name in ("here", "there"))
    assert here == there
    assert 0 < next(filter(None, watcher.counts)) < GAMES  # that was when the node died
