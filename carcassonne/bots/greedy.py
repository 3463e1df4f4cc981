"""The bot that takes the best points at once, for the difference of scores.

It knows what completed features pay, guesses what open ones will, keeps some meeples and
bridges back, and counts its rivals' points against its own. It looks no further than its own
turn and plays nothing out, so it sees only what a player sees. Each decision is taken from the
game as it stands: a bot that has just been made goes on with any half-done turn.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final

from carcassonne.bots import auction
from carcassonne.bots.auction import Appraiser, appraise
from carcassonne.bots.laying import Option, best_option, effect_of, option_on, value_of
from carcassonne.bots.sight import move_count, payout_of
from carcassonne.bots.survey import Survey, weights
from carcassonne.moves import (
    BuildBridge,
    BuildCastle,
    Collect,
    Move,
    Place,
    PutMeeple,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from carcassonne.bots.base import AnyGame
    from carcassonne.geometry import Cell

__all__ = ["GreedyBot"]

_SAME: Final = 1e-6
"""Values closer than this are a tie, which the seed decides. Passing wins ties with nothing."""

_CASTLE_LOCK: Final = 0.7
"""The share of the rest of the game for which a castle keeps its meeple."""


class GreedyBot:
    """Takes the move that is worth most to it at once.

    Parameters
    ----------
    seed
        Decides ties. The same seed at the same point of a game gives the same move, whether or
        not the bot has seen the game before.
    """

    name = "greedy"

    def __init__(self, *, seed: int = 0) -> None:
        self._seed = seed
        self._appraiser = Appraiser()

    def choose(self, game: AnyGame) -> Move:
        """Answer the open decision with the move that is worth most."""
        decision = game.decision
        if decision is None:
            raise AssertionError("the game is over: there is nothing to choose")
        trade = _TRADES.get(decision.kind)
        if trade is not None:
            return trade(game, self._appraiser)
        moves = game.legal_moves()
        if len(moves) == 1:
            return moves[0]
        values = _VALUES[decision.kind](Survey(game), decision.player, moves)
        return self._best(game, moves, values)

    def _best(self, game: AnyGame, moves: Sequence[Move], values: list[float]) -> Move:
        top = max(values) - _SAME
        ties = [move for move, value in zip(moves, values, strict=True) if value >= top]
        if len(ties) == 1:
            return ties[0]
        ties.sort(key=str)  # engines list moves in orders of their own
        return random.Random(f"{self._seed} {move_count(game)}").choice(ties)


# ------------------------------------------------------------------------------ moves of a turn


def _places(survey: Survey, player: str, moves: Sequence[Move]) -> list[float]:
    """What each placement is worth, and declining the tile, which is worth the next one."""
    seat = survey.seats[player]
    shares = weights(survey.scores, seat)
    bridge_cost = survey.outlook.bridge_cost(survey.supply[player]["bridges"])
    tiles = survey.game.box.types
    values = []
    for move in moves:
        if isinstance(move, Place):
            tile = tiles[move.tile]
            effect = effect_of(survey, tile, move.cell, move.rotation, move.bridge)
            value = value_of(survey, effect, seat, shares)
            values.append(value - bridge_cost if move.bridge else value)
        else:
            values.append(_next_tile(survey, seat))
    return values


def _next_tile(survey: Survey, seat: int) -> float:
    """What a tile from the stack is worth on average; 0 if there is none."""
    unseen = survey.game.unseen
    tiles = survey.game.box.types
    total = sum(count * appraise(survey, tiles[name])[seat] for name, count in unseen.items())
    return total / max(sum(unseen.values()), 1)


def _bridges(survey: Survey, player: str, moves: Sequence[Move]) -> list[float]:
    """A bridge pays where the meeple of this turn has no better place than the new road.

    Only a bridge on the tile just placed can take the meeple (R-BRIDGE-19).
    """
    seat = survey.seats[player]
    outlook = survey.outlook
    road = Option(outlook.feature("road", 1, 0, 2), outlook.lock("road", 2))
    options = list(_free_segments(survey).values())
    gain = best_option(survey, [*options, road], seat) - best_option(survey, options, seat)
    gain -= outlook.bridge_cost(survey.supply[player]["bridges"])
    cell = _last_cell(survey)
    return [
        (gain if move.place.cell == cell else -1.0) if isinstance(move, BuildBridge) else _SAME * 2
        for move in moves
    ]


def _meeples(survey: Survey, player: str, moves: Sequence[Move]) -> list[float]:
    """What a meeple on each free segment brings more than it costs."""
    cost = survey.meeple_costs[survey.seats[player]] or 0.0
    options = _free_segments(survey)
    return [
        options[move.segment].worth - cost * options[move.segment].lock
        if isinstance(move, PutMeeple)
        else _SAME * 2
        for move in moves
    ]


def _castles(survey: Survey, player: str, moves: Sequence[Move]) -> list[float]:
    """How much more a castle will probably pay than the city does (R-CASTLE-4)."""
    in_supply = survey.supply[player]["meeples"]
    cost = survey.outlook.meeple_cost(in_supply + 1)
    values = []
    for move in moves:
        value = 0.0
        if isinstance(move, BuildCastle):
            city = survey.known(move.city)
            value = survey.castle_worth(city.cells) - _CASTLE_LOCK * cost - city.points
        values.append(value)
    return values


def _payouts(survey: Survey, _player: str, moves: Sequence[Move]) -> list[float]:
    """What each of the finished features pays the castle (R-CASTLE-21)."""
    return [
        float(payout_of(survey.game, move.feature)) if isinstance(move, Collect) else 0.0
        for move in moves
    ]


def _last_cell(survey: Survey) -> Cell:
    """Where the tile of this turn lies: the tiles are in the order of laying."""
    return next(reversed(survey.tiles))


def _free_segments(survey: Survey) -> dict[str, Option]:
    """The free segments of the tile just placed, and what a meeple there will bring."""
    found = {}
    for node in survey.tiles[_last_cell(survey)].nodes.values():
        there = survey.known(node)
        if not there.counts:
            found[node.segment] = option_on(survey, there)
    return found


_VALUES: Final[dict[str, Callable[[Survey, str, Sequence[Move]], list[float]]]] = {
    "place": _places,
    "bridge": _bridges,
    "meeple": _meeples,
    "castle": _castles,
    "collect": _payouts,
}

_TRADES: Final[dict[str, Callable[[AnyGame, Appraiser], Move]]] = {
    "choose": auction.choose,
    "bid": auction.bid,
    "deal": auction.deal,
    "take": auction.take,
}
