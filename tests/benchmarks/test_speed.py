"""What things cost, side by side in one run: compare the rows, not the seconds.

Run with `python -m pytest tests/benchmarks --benchmark-only -n 0`. Without `--benchmark-only`, and
beside other tests in parallel, each case runs once and only has to work.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from carcassonne.benchmark import games_on, play_random_game
from carcassonne.bots import make_bot
from carcassonne.bots.external import ExternalBot
from carcassonne.bots.play import play_out
from carcassonne.core_link import from_model
from carcassonne.model.game import Game
from carcassonne.record import game_from_record, record_of
from carcassonne.scenario import run_file
from carcassonne.tiles import DEFAULT_SETS

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

MANUAL = sorted((Path(__file__).parents[1] / "scenarios" / "manual").glob("*.toml"))


def middle_of_a_game() -> Game:
    """A two-player game with everything on, at a `place` decision after 45 tiles."""
    game = Game.new(["A", "B"], seed=1)
    rng = random.Random(1)
    while len(game.tiles) < 45 or game.decision is None or game.decision.kind != "place":
        moves = game.legal_moves()
        game.play(moves[rng.randrange(len(moves))])
    return game


@pytest.mark.parametrize("sets", [DEFAULT_SETS[:1], DEFAULT_SETS], ids=["base", "expansion"])
@pytest.mark.parametrize("players", [2, 4])
def test_random_game(benchmark: BenchmarkFixture, sets: tuple[str, ...], players: int) -> None:
    """A whole game, all legal moves listed at every decision."""
    decisions, listed = benchmark(play_random_game, sets, players, 1)
    assert listed > decisions > 70


def test_greedy_game(benchmark: BenchmarkFixture) -> None:
    """A whole game of two greedy bots."""

    def play() -> Game:
        game = Game.new(["A", "B"], seed=1)
        play_out(game, [make_bot("greedy", seed=seat) for seat in range(2)])
        return game

    assert benchmark(play).is_over


def test_game_of_external_bots(benchmark: BenchmarkFixture) -> None:
    """A whole game of two bots that are commands; the aim is 300 decisions a second per core."""
    script = Path(__file__).parents[2] / "examples" / "bot.py"
    command = [sys.executable, str(script)]

    with ExternalBot(command) as one, ExternalBot(command) as two:

        def play() -> Game:
            game = Game.new(["A", "B"], seed=1)
            assert play_out(game, [one, two]).verdict == "normal"
            return game

        decisions = len(benchmark(play).moves)
    benchmark.extra_info["decisions"] = decisions
    if benchmark.stats is not None:
        rate = decisions / benchmark.stats.stats.mean
        benchmark.extra_info["decisions_per_second"] = round(rate)
    assert decisions > 100


def test_listing(benchmark: BenchmarkFixture) -> None:
    """Listing the placements of a tile in the middle of a game."""
    game = middle_of_a_game()
    copy = game.copy()

    def list_afresh() -> int:
        copy.undo()
        copy.play(game.moves[-1])
        return len(copy.legal_moves())

    assert benchmark(list_afresh) == len(game.legal_moves())


def test_play_and_undo(benchmark: BenchmarkFixture) -> None:
    """Laying a tile and taking it up again."""
    game = middle_of_a_game()
    move = game.legal_moves()[0]
    before = game.fingerprint()

    def there_and_back() -> None:
        game.play(move)
        game.undo()

    benchmark(there_and_back)
    assert game.fingerprint() == before


def test_copy(benchmark: BenchmarkFixture) -> None:
    """A copy that shares nothing."""
    game = middle_of_a_game()
    assert benchmark(game.copy).scores == game.scores


def test_load_a_record(benchmark: BenchmarkFixture) -> None:
    """Loading is replaying."""
    data = record_of(middle_of_a_game())
    assert len(benchmark(game_from_record, data).tiles) == 45


def test_check_a_scenario(benchmark: BenchmarkFixture) -> None:
    """Checking the manual's examples."""
    results = benchmark(lambda: [run_file(path) for path in MANUAL])
    assert all(result.passed for result in results)


# ------------------------------------------------------------------------------ on the core


@pytest.mark.parametrize("sets", [DEFAULT_SETS[:1], DEFAULT_SETS], ids=["base", "expansion"])
@pytest.mark.parametrize("engine", ["core", "python_bot"])
def test_random_game_on_the_core(
    benchmark: BenchmarkFixture, sets: tuple[str, ...], engine: str
) -> None:
    """A whole game as `test_random_game`, on the core in one call, or decided move by move."""
    decisions, listed = benchmark(games_on(engine, sets, 2), 1)
    assert listed > decisions > 70


def test_copy_on_the_core(benchmark: BenchmarkFixture) -> None:
    """A copy of numbers."""
    game = from_model(middle_of_a_game())
    assert benchmark(game.copy).scores == game.scores


def test_play_and_undo_on_the_core(benchmark: BenchmarkFixture) -> None:
    """Every listed placement laid and taken up again, ten times, in the compiled loop."""
    game = from_model(middle_of_a_game())
    before = game.engine.snapshot()
    assert benchmark(game.engine.exercise, 10) == 10 * len(game.move_numbers())
    assert game.engine.snapshot() == before
