"""What a tournament costs beside the games themselves: compare the rows of one run.

The goal, on any machine: a tournament of random bots plays at least 60 % of the games of the plain
loop with records off, 35 % with records on.
"""

from __future__ import annotations

import itertools
import random
from typing import TYPE_CHECKING

import pytest

from carcassonne.arena.game import work_of
from carcassonne.arena.store import Store
from carcassonne.core.game import CoreGame, Origin
from carcassonne.farm.executor import LocalExecutor
from carcassonne.rules import Rules
from carcassonne.tiles import TileBox
from tests.arena.helpers import SETS, reading, tasks_of

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_benchmark.fixture import BenchmarkFixture

GAMES = 200


def test_plain_loop(benchmark: BenchmarkFixture) -> None:
    """Random games on the core as a Python bot plays them, without a tournament around them."""
    box = TileBox.load(SETS)
    tables, blank = CoreGame.unbegun(2, Rules(), box, box.stack())
    seeds = itertools.count()

    def play() -> int:
        for seed in itertools.islice(seeds, GAMES):
            engine = blank.copy()
            engine.shuffle(seed)
            engine.begin()
            game = CoreGame(("A", "B"), tables, engine, origin=Origin())
            rng = random.Random(seed)
            while not game.is_over:
                moves = game.move_numbers()
                game.play_number(moves[rng.randrange(len(moves))])
        return game.move_count

    assert benchmark(play) > 70


@pytest.mark.parametrize("records", [False, True], ids=["without records", "with records"])
def test_tournament(benchmark: BenchmarkFixture, tmp_path: Path, *, records: bool) -> None:
    """As many games of two random bots, played in this process and saved."""
    read = reading(games=1_000_000, records=records)
    store = Store.create(tmp_path, read)
    executor = LocalExecutor(work_of(store.tournament))
    tasks = iter(tasks_of(reading(games=100_000, records=records).tournament))

    def play() -> int:
        executor.submit(list(itertools.islice(tasks, GAMES)))
        saved = 0
        while executor.busy:
            played = executor.collect(0.4)
            store.add(played)
            saved += len(played)
        return saved

    assert benchmark(play) == GAMES
    store.close()
