"""How fast both engines play random games; the figures behind `carcassonne bench`."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from carcassonne.bots.searching import veiled
from carcassonne.core import FORM, layout
from carcassonne.core.game import CoreGame
from carcassonne.core.judge import Judge
from carcassonne.core.search import Search
from carcassonne.model.game import Game
from carcassonne.rules import Rules
from carcassonne.tiles import TileBox

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "ENGINES", "SearchSpeed", "Speed", "games_on", "measure", "play_random_game", "search_speed",
]  # fmt: skip

ENGINES = ("model", "core", "python_bot")
"""`python_bot` is a bot in Python on the core, that lists moves as numbers and picks one."""

_NAMES = ("A", "B", "C", "D", "E", "F")
_Play = Callable[[int], tuple[int, int]]
"""Plays the game of a seed; returns decisions and moves listed."""


class SearchSpeed(NamedTuple):
    """How many simulations the bot `mcts` makes in a second of CPU time, in mid-game."""

    engine: str
    form: str
    tile_sets: list[str]
    players: int
    mcts_simulations_per_s: float

    def to_data(self) -> dict[str, Any]:
        """The figures as an object."""
        return {**self._asdict(), "mcts_simulations_per_s": round(self.mcts_simulations_per_s, 1)}


class Speed(NamedTuple):
    """One line of the benchmark, per second of CPU time.

    `games_per_s` is the median of several runs; `decisions_per_s` and `moves_per_s` (legal moves
    listed) follow from it. `times_model` is the median of the ratios to the model, run by run.
    """

    engine: str
    form: str
    tile_sets: list[str]
    players: int
    games_per_s: float
    decisions_per_s: float
    moves_per_s: float
    times_model: float

    def to_data(self) -> dict[str, Any]:
        """The figures as an object, rounded to what they are good for."""
        data = self._asdict()
        for key in ("games_per_s", "decisions_per_s", "moves_per_s"):
            data[key] = round(data[key], 1)
        data["times_model"] = round(self.times_model, 2)
        return data


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


def _model_games(tile_sets: Sequence[str], players: int) -> _Play:
    return lambda seed: play_random_game(tile_sets, players, seed)


def _core_games(tile_sets: Sequence[str], players: int) -> _Play:
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


def _bot_games(tile_sets: Sequence[str], players: int) -> _Play:
    """A player of whole games that decides every move in Python, by number."""
    start = CoreGame.new(_NAMES[:players], tile_sets=tile_sets)

    def play(seed: int) -> tuple[int, int]:
        game = start.copy()
        game.engine.shuffle(seed)
        draw = random.Random(seed).random
        list_moves, make = game.move_numbers, game.play_number
        decisions = listed = 0
        moves = list_moves()
        while moves:
            decisions += 1
            listed += len(moves)
            make(moves[int(draw() * len(moves))])
            moves = list_moves()
        return decisions, listed

    return play


_LANES: Final = {"model": _model_games, "core": _core_games, "python_bot": _bot_games}


def games_on(engine: str, tile_sets: Sequence[str], players: int) -> _Play:
    """A function that plays the random game of a seed; returns decisions and moves listed."""
    return _LANES[engine](tile_sets, players)


class _Lane:
    """One engine's part in a comparison: the speeds of its runs, and what was played."""

    def __init__(self, engine: str, play: _Play) -> None:
        self.engine, self.play = engine, play
        self.speeds: list[float] = []
        self.games = self.decisions = self.listed = 0

    def run(self, seconds: float, seed: int) -> None:
        """Play games for some CPU seconds, at least one, starting with the one of `seed`."""
        played = 0
        start = time.process_time()
        while played == 0 or time.process_time() - start < seconds:
            decisions, listed = self.play(seed + played)
            self.decisions += decisions
            self.listed += listed
            played += 1
        self.speeds.append(played / (time.process_time() - start))
        self.games += played


def measure(
    tile_sets: Sequence[str],
    *,
    players: int = 2,
    seconds: float = 3.0,
    runs: int = 5,
    seed: int = 0,
    on_run: Callable[[], None] | None = None,
) -> list[Speed]:
    """Play random games on every engine, in turn, in several runs of which the median counts.

    Machines are faster at one moment than at the next: only what was measured side by side can be
    compared. Every run plays the same games, starting with the one of `seed`; a first game of
    each engine only warms up.

    Parameters
    ----------
    seconds
        CPU seconds for each engine, all runs together.
    on_run
        Called after each run of each engine.
    """
    lanes = [_Lane(engine, games_on(engine, tile_sets, players)) for engine in ENGINES]
    for lane in lanes:
        lane.play(seed)
    for _ in range(runs):
        for lane in lanes:
            lane.run(seconds / runs, seed)
            if on_run:
                on_run()
    return [_speed(lane, lanes[0], list(tile_sets), players) for lane in lanes]


def _speed(lane: _Lane, model: _Lane, tile_sets: list[str], players: int) -> Speed:
    speed = statistics.median(lane.speeds)
    ratios = [a / b for a, b in zip(lane.speeds, model.speeds, strict=True)]
    return Speed(
        lane.engine, "pure Python" if lane is model else FORM, tile_sets, players,
        speed, speed * lane.decisions / lane.games, speed * lane.listed / lane.games,
        statistics.median(ratios),
    )  # fmt: skip


def search_speed(
    *, players: int = 2, seconds: float = 3.0, runs: int = 5, seed: int = 0
) -> SearchSpeed:
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
    return SearchSpeed("core", FORM, ["base"], players, speed)


def _middle_search(players: int, seed: int) -> Search:
    game = CoreGame.new(_NAMES[:players], seed=seed, tile_sets=["base"])
    judge = Judge(game.tables, game.engine)
    while game.stack_left > 36 or game.engine.number(layout.PHASE) != layout.PLACE:
        judge.note_unseen()
        game.play_number(judge.choose())
    return Search(game.tables, veiled(game), seed)
