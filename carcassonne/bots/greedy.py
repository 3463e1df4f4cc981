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
from carcassonne.bots.survey import Option, Survey, weights
from carcassonne.events import Score
from carcassonne.moves import (
    Address,
    BuildBridge,
    BuildCastle,
    Collect,
    Decline,
    Move,
    Pass,
    Place,
    PutMeeple,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from carcassonne.model.game import Game

__all__ = ["GreedyBot"]

_SAME: Final = 1e-6
"""Values closer than this are a tie, which the seed decides."""


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

    def choose(self, game: Game) -> Move:
        """Answer the open decision with the move that is worth most."""
        decision = game.decision
        if decision is None:
            raise AssertionError("the game is over: there is nothing to choose")
        return _ANSWERS[decision.kind](self, game)

    # -------------------------------------------------------------------------- a turn

    def _place(self, game: Game) -> Move:
        moves = game.legal_moves()
        if len(moves) == 1:
            return moves[0]
        survey = Survey(game)
        seat = survey.seats[game.active]
        share = weights(survey.scores, seat)
        values = [_placing(survey, move, seat, share) for move in moves]
        return self._best(game, moves, values)

    def _bridge(self, game: Game) -> Move:
        """Build only where the meeple of this turn has no better place (R-BRIDGE-21)."""
        survey = Survey(game)
        seat = survey.seats[game.active]
        outlook = survey.outlook
        road = Option(outlook.feature("road", 1, 0, 2), outlook.lock("road", 2))
        options = [option for _, option in _places(survey)]
        gain = survey.best_option([*options, road], seat) - survey.best_option(options, seat)
        cell = _last_cell(game)
        if gain > outlook.bridge_cost(survey.supply[game.active]["bridges"]):
            for move in game.legal_moves():
                if isinstance(move, BuildBridge) and move.place.cell == cell:
                    return move
        return Pass()

    def _meeple(self, game: Game) -> Move:
        survey = Survey(game)
        seat = survey.seats[game.active]
        options = dict(_places(survey))
        moves = game.legal_moves()
        values = [
            survey.best_option([options[move.segment]], seat)
            if isinstance(move, PutMeeple)
            else _SAME
            for move in moves
        ]
        return self._best(game, moves, values)

    def _castle(self, game: Game) -> Move:
        """Convert where the castle will probably pay more than the city does (R-CASTLE-4)."""
        survey = Survey(game)
        moves = game.legal_moves()
        decision = game.decision
        player = decision.player if decision else game.active
        cost = survey.outlook.meeple_cost(survey.supply[player]["meeples"] + 1)
        values = []
        for move in moves:
            value = 0.0
            if isinstance(move, BuildCastle):
                city = survey.known(move.city)
                value = survey.castle_worth(city.cells) - 0.7 * cost - city.points
            values.append(value)
        return self._best(game, moves, values)

    def _collect(self, game: Game) -> Move:
        """Take the best payout."""
        moves = game.legal_moves()
        values = [_payout(game, m.feature) if isinstance(m, Collect) else 0.0 for m in moves]
        return self._best(game, moves, values)

    def _best(self, game: Game, moves: Sequence[Move], values: list[float]) -> Move:
        top = max(values) - _SAME
        ties = [move for move, value in zip(moves, values, strict=True) if value >= top]
        if len(ties) == 1:
            return ties[0]
        return random.Random(f"{self._seed} {len(game.moves)}").choice(ties)

    # -------------------------------------------------------------------------- the bazaar

    def _choose(self, game: Game) -> Move:
        return auction.choose(game, self._appraiser)

    def _bid(self, game: Game) -> Move:
        return auction.bid(game, self._appraiser)

    def _deal(self, game: Game) -> Move:
        return auction.deal(game, self._appraiser)

    def _take(self, game: Game) -> Move:
        return auction.take(game, self._appraiser)


_ANSWERS: Final[dict[str, Callable[[GreedyBot, Game], Move]]] = {
    "place": GreedyBot._place,
    "bridge": GreedyBot._bridge,
    "meeple": GreedyBot._meeple,
    "castle": GreedyBot._castle,
    "collect": GreedyBot._collect,
    "choose": GreedyBot._choose,
    "bid": GreedyBot._bid,
    "deal": GreedyBot._deal,
    "take": GreedyBot._take,
}  # fmt: skip


# ------------------------------------------------------------------------------ estimates


def _placing(survey: Survey, move: Move, seat: int, share: list[float]) -> float:
    """What a placement is worth, or declining it, which is worth the next tile."""
    if isinstance(move, Decline):
        return _next_tile(survey, seat)
    if not isinstance(move, Place):
        raise AssertionError(f"{move} answers no 'place' decision")
    tile = survey.game.box.tile(move.tile)
    effect = survey.effect(tile, move.cell, move.rotation, move.bridge)
    value = survey.value(effect, seat, share)
    if move.bridge is not None:
        value -= survey.outlook.bridge_cost(survey.supply[survey.players[seat]]["bridges"])
    return value


def _next_tile(survey: Survey, seat: int) -> float:
    """What a tile from the stack is worth on average; 0 if there is none."""
    unseen = survey.game.unseen
    total = sum(
        count * appraise(survey, survey.game.box.tile(tile))[seat]
        for tile, count in unseen.items()
    )
    return total / max(sum(unseen.values()), 1)


def _last_cell(game: Game) -> tuple[int, int]:
    """Where the tile of this turn lies: tiles are in the order of laying."""
    return next(reversed(game.tiles))


def _places(survey: Survey) -> list[tuple[str, Option]]:
    """The free segments of the tile just placed, and what a meeple there will bring."""
    found = []
    cell = _last_cell(survey.game)
    for node in survey.game.segments(cell):
        feature = survey.known(node)
        if feature.counts or feature.kind == "river":
            continue
        found.append((node.segment, survey.option(feature)))
    return found


def _payout(game: Game, at: Address) -> float:
    """What a finished feature pays a castle, or a castle that has just been paid (R-CASTLE-25)."""
    view = game.feature(at)
    if view.kind != "castle":
        return view.points
    for event in reversed(game.events):
        if isinstance(event, Score) and event.feature == "castle" and event.at == view.at:
            return event.points
    return 0.0
