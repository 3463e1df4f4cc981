"""How fast both engines play random games; the figures behind `carcassonne bench`."""

from __future__ import annotations

import random
import statistics
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from carcassonne.bots.searching import veiled
from carcassonne.core import FORM, layout
from carcassonne.core.game import CoreGame
from carcassonne.core.judge import Judge
from carcassonne.core.search import Search
from carcassonne.model.game import Game
from carcassonne.rules import Rules
from carcassonne.tiles import TileBox

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["ENGINES", "Speed", "measure", "play_random_game", "search_speed"]

ENGINES = ("model", "core")

_NAMES = ("A", "B", "C", "D", "E", "F")


class Speed(NamedTuple):
    """One line of the benchmark, per second of CPU time.

    `games_per_s` is the median of several runs; `decisions_per_s` and `moves_per_s` (legal moves
    listed) follow from it. A line about a search has `mcts_simulations_per_s` alone.
    """

    engine: str
    form: str
    tile_sets: list[str]
    players: int
    games_per_s: float | None = None
    decisions_per_s: float | None = None
    moves_per_s: float | None = None
    mcts_simulations_per_s: float | None = None

    def to_data(self) -> dict[str, Any]:
        """The figures that there are as an object, rounded to what they are good for."""
        return {
            key: round(value, 1) if isinstance(value, float) else value
            for key, value in self._asdict().items()
            if value is not None
        }


def play_random_game(tile_sets: Sequence[str], players: int, seed: int) -> tuple[int, int]:
    """Play one random game, listing all legal moves; returns decisions and moves listed."""
    game = Game.new(_NAMES[:players], seed=seed, tile_sets=tile_sets)
    rng = random.Random(seed)
    decisions = listed = 0
    while not game.is_over:
        moves = game.legal_moves()
        decisions += 1
        listed += len(moves)
        game.play(moves[rng.randrange(len(moves))])
    return decisions, listed


def _model_games(tile_sets: Sequence[str], players: int) -> Callable[[int], tuple[int, int]]:
    return lambda seed: play_random_game(tile_sets, players, seed)


def _core_games(tile_sets: Sequence[str], players: int) -> Callable[[int], tuple[int, int]]:
    """A player of whole games on the core, the shuffle included, in one call each."""
    box = TileBox.load(tile_sets)
    _, start = CoreGame.unbegun(players, Rules(), box, box.stack())

    def play(seed: int) -> tuple[int, int]:
        engine = start.copy()
        engine.shuffle(seed)
        engine.begin()
        counts = engine.playout(seed)
        return counts >> 32, counts & 0xFFFFFFFF

    return play


def measure(
    tile_sets: Sequence[str],
    *,
    players: int = 2,
    seconds: float = 3.0,
    runs: int = 5,
    seed: int = 0,
    engine: str = "model",
    on_game: Callable[[], None] | None = None,
) -> Speed:
    """Play random games for some CPU seconds, in several runs of which the median counts.

    Every run plays the same games, starting with the one of `seed`; the first game only warms
    up.
    """
    make = _core_games if engine == "core" else _model_games
    play = make(tile_sets, players)
    play(seed)
    speeds = []
    decisions = listed = games = 0
    for _ in range(runs):
        played = 0
        start = time.process_time()
        while played == 0 or time.process_time() - start < seconds / runs:
            new_decisions, new_listed = play(seed + played)
            decisions += new_decisions
            listed += new_listed
            played += 1
            if on_game:
                on_game()
        speeds.append(played / (time.process_time() - start))
        games += played
    speed = statistics.median(speeds)
    return Speed(
        engine, FORM if engine == "core" else "pure Python", list(tile_sets), players,
        speed, speed * decisions / games, speed * listed / games,
    )  # fmt: skip


def search_speed(*, players: int = 2, seconds: float = 3.0, runs: int = 5, seed: int = 0) -> Speed:
    """Simulations a second of the bot `mcts` in the middle of base games: the median of some.

    The games are played by the search's own heuristic until 36 tiles are left.
    """
    speeds = []
    for run in range(runs):
        search = _middle_search(players, seed + run)
        search.run(100)
        done = 0
        start = time.process_time()
        while done == 0 or time.process_time() - start < seconds / runs:
            search.run(200)
            done += 200
        speeds.append(done / (time.process_time() - start))
    speed = statistics.median(speeds)
    return Speed("core", FORM, ["base"], players, mcts_simulations_per_s=speed)


def _middle_search(players: int, seed: int) -> Search:
    game = CoreGame.new(_NAMES[:players], seed=seed, tile_sets=["base"])
    judge = Judge(game.tables, game.engine)
    while game.stack_left > 36 or game.engine.number(layout.PHASE) != layout.PLACE:
        judge.note_unseen()
        game.play_number(judge.choose())
    return Search(game.tables, veiled(game), seed)
