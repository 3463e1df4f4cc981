"""A player who likes rare things: castles, small cities, completions near castles, bridges.

Random play hardly ever builds a castle, so moves are ranked by how much they lead to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from carcassonne.geometry import SIDES, neighbour
from carcassonne.moves import Move, Place

if TYPE_CHECKING:
    import random

    from carcassonne.geometry import Cell
    from carcassonne.model.game import Game

__all__ = ["ranked", "steered"]


def ranked(game: Game, *, patient: bool = True) -> list[Move]:
    """The listed moves, those that lead somewhere first; ties in listing order.

    The patient leave castles unpaid until several features can be completed at once.
    """
    listed = list(game.legal_moves())
    decision = game.decision
    if decision is None:
        return listed
    if decision.kind == "place":
        near = {cell for castle in game.castles if castle.occupied for cell in castle.vicinity}
        return sorted(listed, key=lambda m: -_promise(game, m, near, patient=patient))
    if decision.kind == "meeple":
        order = ("city", "cloister", "road", "field", "pass")
        return sorted(
            listed, key=lambda m: order.index(str(m).removeprefix("meeple ").split(".")[0])
        )
    return listed


def _promise(game: Game, move: Move, near: set[Cell], *, patient: bool) -> float:
    """How much a placement completes, small cities of one owner and castles' vicinity first."""
    if not isinstance(move, Place):
        return 2.5
    tiles = game.tiles
    variant = game.box.types[move.tile].variants[move.rotation]
    value = 1.0 if move.bridge else 0.0
    paying = 0
    for side in range(4):
        beyond = tiles.get(neighbour(move.cell, side))
        piece = variant.at_side[side]
        there = beyond.find(f"{piece.kind}.{SIDES[side ^ 2]}") if beyond and piece else None
        if piece is None or there is None:
            continue
        feature = game.feature(there)
        closes = len(piece.sides) == 1 and feature.open == 1
        if closes:
            reaches = bool(near & {move.cell, *feature.cells})
            paying += reaches
            value += 0 if reaches else 1
        if closes and piece.castle_base and feature.kind == "city" and feature.tiles == 1:
            value += 4 if feature.meeples else 2
    if move.cell in near:
        value += 1
    if paying:
        value += 8 if paying > 1 else -3 if patient else 4
    return value + 0.1 * sum(neighbour(move.cell, side) in tiles for side in range(4))


def steered(rng: random.Random, game: Game, *, patient: bool = True) -> Move:
    """One of the moves, good ones much more often."""
    listed = ranked(game, patient=patient)
    if rng.random() < 0.6:
        return listed[0] if rng.random() < 0.7 else listed[min(1, len(listed) - 1)]
    return rng.choice(listed)
