"""How the greedy bot trades at the bazaar: what tiles are worth, and prices that can't go wrong.

Everybody gets one tile, so a tile is worth what it brings more than the others on offer. Points
that pass from one player to another count on both sides, so in a duel a price hurts twice. At
the fair price buying and selling come to the same for the bidder; a bid of it gains as much
whatever the chooser does, and no higher bid gains more. For the chooser an opening bid is only
money lost (R-BAZAAR-12), since any bid can be bought or sold: it opens as low as it may.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from carcassonne.bots.laying import effect_of, value_of
from carcassonne.bots.sight import board_key, lot_state
from carcassonne.bots.survey import Survey, weights
from carcassonne.moves import Bid, Buy, Choose, Move, Pass, Sell, Take

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from carcassonne.bots.base import AnyGame
    from carcassonne.tiles import TileType

__all__ = ["Appraiser", "appraise", "bid", "choose", "deal", "take"]


def appraise(survey: Survey, tile: TileType) -> list[float]:
    """What a tile is worth to each seat if it were laid now, as a difference of points.

    Bridges are left out. A tile that fits nowhere is worth nothing.
    """
    seats = range(len(survey.players))
    shares = [weights([0] * len(seats), seat) for seat in seats]
    best: list[float | None] = [None] * len(seats)
    for cell, rotation in survey.fits(tile):
        effect = effect_of(survey, tile, cell, rotation)
        for seat in seats:
            value = value_of(survey, effect, seat, shares[seat])
            known = best[seat]
            if known is None or value > known:
                best[seat] = value
    return [value or 0.0 for value in best]


class Appraiser:
    """Appraisals of tiles, kept as long as it is the same game and the board lies as it did.

    They follow from the game alone: a bot that kept none would play the same, only slower.
    """

    def __init__(self) -> None:
        self._key: Hashable = None
        self._survey: Survey | None = None
        self._worths: dict[str, list[float]] = {}

    def nets(self, game: AnyGame) -> list[list[float]]:
        """For each tile on offer what it is worth to each seat, compared with the other tiles."""
        offer = game.on_offer
        worths = [self._worth(game, tile) for tile in offer]
        others = max(len(offer) - 1, 1)
        sums = [sum(column) for column in zip(*worths, strict=True)]
        return [
            [worth - (total - worth) / others for worth, total in zip(row, sums, strict=True)]
            for row in worths
        ]

    def _worth(self, game: AnyGame, tile: str) -> list[float]:
        key = board_key(game)
        if self._survey is None or self._survey.game is not game or self._key != key:
            self._key, self._survey, self._worths = key, Survey(game), {}
        found = self._worths.get(tile)
        if found is None:
            found = self._worths[tile] = appraise(self._survey, game.box.tile(tile))
        return found


# ------------------------------------------------------------------------------ decisions


def _appeal(game: AnyGame, nets: list[list[float]]) -> list[float]:
    """What having each tile means to the one who decides, if else a rival has it."""
    _, shares = _decider(game)
    return [sum(net * abs(share) for net, share in zip(row, shares, strict=True)) for row in nets]


def _decider(game: AnyGame) -> tuple[int, list[float]]:
    decision = game.decision
    if decision is None:
        raise AssertionError("the game is not over")
    seat = game.players.index(decision.player)
    return seat, weights([0] * len(game.players), seat)


def _swing(game: AnyGame, nets: list[list[float]], rival: str) -> tuple[float, float]:
    """What it means that the decider has the tile being bid for instead of a rival.

    Returns the difference in points, and what each point that the decider pays the rival costs.
    """
    decision = game.decision
    seat, shares = _decider(game)
    lot = game.on_offer.index(decision.tile) if decision and decision.tile else 0
    other = game.players.index(rival)
    share = -shares[other]
    return nets[lot][seat] + share * nets[lot][other], 1.0 + share


def choose(game: AnyGame, appraiser: Appraiser) -> Move:
    """Pick the tile that means most and open as low as allowed (R-BAZAAR-7)."""
    appeal = _appeal(game, appraiser.nets(game))
    best = max(range(len(appeal)), key=appeal.__getitem__)
    return min(
        (m for m in game.legal_moves() if isinstance(m, Choose) and m.number == best + 1),
        key=lambda move: move.bid,
    )


def take(game: AnyGame, appraiser: Appraiser) -> Move:
    """Take the tile that means most (R-BAZAAR-27)."""
    appeal = _appeal(game, appraiser.nets(game))
    return Take(max(range(len(appeal)), key=appeal.__getitem__) + 1)


def bid(game: AnyGame, appraiser: Appraiser) -> Move:
    """Bid the fair price, or what comes nearest, unless passing is better (R-BAZAAR-8, 9)."""
    chooser, high_bidder = lot_state(game)
    swing, factor = _swing(game, appraiser.nets(game), chooser)
    paid_to_nobody = (game.high_bid or 0) if high_bidder == chooser else 0
    best, answer = (factor - 1.0) * paid_to_nobody, None
    for points in _listed(game.legal_moves()):
        gain = min(swing - factor * points, factor * points)
        if gain > best:
            best, answer = gain, points
    return Pass() if answer is None else Bid(answer)


def _listed(moves: Iterable[Move]) -> Iterable[int]:
    return (move.points for move in moves if isinstance(move, Bid))


def deal(game: AnyGame, appraiser: Appraiser) -> Move:
    """Buy below the fair price, sell above it (R-BAZAAR-11)."""
    _, bidder = lot_state(game)
    swing, factor = _swing(game, appraiser.nets(game), bidder)
    price = game.high_bid or 0
    moves = list(game.legal_moves())
    if Buy() in moves and swing - factor * price > factor * price:
        return Buy()
    return Sell()
