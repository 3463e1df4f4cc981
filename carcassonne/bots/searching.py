"""What the search bots share: any kind of game becomes one on the core, shuffled, to search in.

They answer by searching a copy in which the unseen tiles are put into an order of their own, so
nothing that they do depends on the true one.
"""

from __future__ import annotations

import time as clock
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Final, Literal

from carcassonne.bots.base import BotError
from carcassonne.core import layout
from carcassonne.core.game import CoreGame
from carcassonne.core.search import OPTIONS, Search
from carcassonne.core_link import from_model
from carcassonne.errors import IllegalMove

if TYPE_CHECKING:
    from collections.abc import Mapping

    from carcassonne.core.engine import Engine
    from carcassonne.model.game import Game
    from carcassonne.moves import Move

__all__ = [
    "Budget",
    "Follower",
    "SearchBot",
    "SimulationBot",
    "Value",
    "chunk",
    "deadline",
    "known_stack",
    "veiled",
]

Value = Literal["win", "margin"]

_CHUNK: Final = 50
"""Simulations between two looks at the clock."""

_LEAST: Final = {
    "sharp": 0.01,
    "spread": 0.01,
    "trust": 0.01,
    "width": 1,
    "branches": 1,
    "limit": 1,
}
_MOST: Final = 5_000_000


class Budget:
    """How much a bot may search for one decision: simulations, or seconds.

    Parameters
    ----------
    simulations
        Number of simulations (or nodes); the same number gives the same answer.
    time
        Seconds of wall clock; replaces `simulations`.

    Raises
    ------
    BotError
        Either is not above 0.
    """

    def __init__(self, simulations: int, time: float | None) -> None:
        if isinstance(simulations, bool) or not isinstance(simulations, int) or simulations < 1:
            raise BotError(f"simulations must be a whole number from 1 on, not {simulations!r}")
        if time is not None and not 0 < time < 1e6:
            raise BotError(f"time must be seconds above 0, not {time!r}")
        self.simulations = simulations
        self.time = time


class Follower:
    """Makes core games of a model game; of the same one later on, the same one further on.

    So a search knows that it is still the same game.
    """

    def __init__(self) -> None:
        self._moves: tuple[Move, ...] = ()
        self._core: CoreGame | None = None

    def on_core(self, game: Game) -> CoreGame:
        """The twin of a game on the core."""
        fresh = from_model(game)
        known, self._core = self._core, None
        count = len(self._moves)
        if known is None or game.moves[:count] != self._moves or not _play_on(known, fresh, count):
            known = fresh
        self._moves, self._core = game.moves, known
        return known


def _play_on(known: CoreGame, fresh: CoreGame, count: int) -> bool:
    """Make the moves behind the first so many; whether that leads to the fresh game."""
    if known.players != fresh.players or known.rules != fresh.rules:
        return False
    if known.engine.number(layout.STACK_SIZE) != fresh.engine.number(layout.STACK_SIZE):
        return False
    at = known.engine.shared.places["stack"]
    for k, tile in enumerate(known_stack(fresh)):
        known.engine.set_number(at + k, tile)
    try:
        for move in fresh.origin.moves[count:]:
            known.play(move)
    except IllegalMove:
        return False
    return _facts(known) == _facts(fresh)


def _facts(game: CoreGame) -> tuple[object, ...]:
    """What is to be seen of a game, to tell whether two are the same."""
    seen = (game.decision, game.scores, game.supply, game.on_offer, game.hands)
    return (*seen, game.unseen, game.tiles, game.in_round)


def known_stack(game: CoreGame) -> list[int]:
    """The stack as a player knows it: drawn tiles in their order, the unseen ones sorted."""
    engine, at = game.engine, game.engine.shared.places["stack"]
    drawn = engine.number(layout.NEXT_TILE)
    tiles = [engine.number(at + k) for k in range(engine.number(layout.STACK_SIZE))]
    return tiles[:drawn] + sorted(tiles[drawn:])


def veiled(game: CoreGame) -> Engine:
    """A copy of a game's engine that tells nothing about the order of what is unseen."""
    engine = game.engine.copy()
    at = engine.shared.places["stack"]
    for k, tile in enumerate(known_stack(game)):
        engine.set_number(at + k, tile)
    return engine


class SearchBot(ABC):
    """A bot that answers with the numbers of the core."""

    name = "search"

    def __init__(self) -> None:
        self._follower = Follower()

    def choose(self, game: Game | CoreGame) -> Move:
        """Answer the open decision of a game, and leave the game as it was."""
        core = game if isinstance(game, CoreGame) else self._follower.on_core(game)
        return core.decode(self.choose_number(core))

    def choose_number(self, game: CoreGame) -> int:
        """Answer the open decision of a game on the core with the number of a move."""
        moves = game.move_numbers()
        if not moves:
            raise AssertionError("the game is over: there is nothing to choose")
        return moves[0] if len(moves) == 1 else self.search(game)

    @abstractmethod
    def search(self, game: CoreGame) -> int:
        """Answer a decision that has more than one move."""


class SimulationBot(SearchBot):
    """A bot that searches by simulations of the rest of the game.

    Parameters
    ----------
    seed
        Decides all that is random. The same simulations and seed give the same game.
    simulations
        Simulations for each decision.
    time
        Seconds for each decision instead.
    value
        `win`: maximise the chance to win; `margin`: the lead.
    options
        Single values for `carcassonne.core.search.OPTIONS`.

    Raises
    ------
    BotError
        A value that won't do.
    """

    def __init__(
        self,
        *,
        seed: int = 0,
        simulations: int = 1000,
        time: float | None = None,
        value: Value = "win",
        **options: Any,
    ) -> None:
        super().__init__()
        self._seed = seed
        self.budget = Budget(simulations, time)
        self._by_margin = _is_by_margin(value)
        self._options = _checked(options)

    def new_search(self, game: CoreGame) -> Search:
        """A search from a game on that knows nothing yet."""
        return Search(
            game.tables, veiled(game), _seed_at(game, self._seed), self._by_margin, self._options
        )


def deadline(budget: Budget) -> float | None:
    """When the time is over, by `time.perf_counter`; None without a limit of time."""
    return None if budget.time is None else clock.perf_counter() + budget.time


def chunk(done: int, budget: Budget, until: float | None) -> int:
    """How many simulations come next; 0 if the budget is spent."""
    if until is None:
        return max(budget.simulations - done, 0)
    return _CHUNK if done == 0 or clock.perf_counter() < until else 0


def _is_by_margin(value: str) -> bool:
    """Whether a bot plays for the margin; else for the win.

    Raises
    ------
    BotError
        It is neither.
    """
    if value not in ("win", "margin"):
        raise BotError(f"value must be win or margin, not {value!r}")
    return value == "margin"


def _checked(options: Mapping[str, Any]) -> Mapping[str, Any]:
    """Validate single values for `carcassonne.core.search.OPTIONS`.

    Raises
    ------
    BotError
        There is no such option, or it can't have that value.
    """
    for name, value in options.items():
        usual = OPTIONS.get(name)
        if usual is None:
            raise BotError(f"option {name} is unknown; options are {', '.join(OPTIONS)}")
        whole = isinstance(usual, int)
        if isinstance(value, bool) or not isinstance(value, int if whole else (int, float)):
            raise BotError(f"{name} must be a {'whole ' if whole else ''}number, not {value!r}")
        if not _LEAST.get(name, 0) <= value <= _MOST:
            raise BotError(f"{name} must be from {_LEAST.get(name, 0)} to {_MOST:,}, not {value!r}")
    return options


def _seed_at(game: CoreGame, seed: int) -> int:
    """A seed for one decision of a game: the same at the same point."""
    number = game.engine.number
    here = 0
    for place in (layout.PART, layout.LAID, layout.NEXT_TILE, layout.PHASE, layout.ON_OFFER):
        here = here * 1009 + number(place)
    return (seed * 0x9E3779B97F4A7C15 + here) & 0xFFFFFFFFFFFFFFFF
