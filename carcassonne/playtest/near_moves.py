"""Moves about the things on a table that are seldom legal, and other names of moves that are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carcassonne.geometry import HALVES, SIDES, neighbour
from carcassonne.moves import (
    Address,
    Bid,
    BridgePlace,
    BuildBridge,
    BuildCastle,
    Buy,
    Choose,
    Collect,
    Decline,
    Move,
    Pass,
    Place,
    PutMeeple,
    Sell,
    Take,
)

if TYPE_CHECKING:
    import random

    from carcassonne.model.game import Game

__all__ = ["SEGMENTS", "aliases", "garbage"]

SEGMENTS: Final = (
    *(f"{kind}.{side}" for kind in ("road", "city", "river") for side in SIDES),
    *(f"field.{half}" for half in HALVES),
    "cloister", "field.inner", "field.inner.2", "field.inner.9",
)  # fmt: skip
"""Every name that a segment can have, and some that none has."""


def garbage(rng: random.Random, game: Game) -> Move:
    """A well-formed move about the things on a table, of any kind, seldom a legal one."""
    open_cells, laid = game.open_cells(), list(game.tiles)
    around = rng.choice([open_cells, open_cells, laid, [(40, 40)]]) or laid
    cell = rng.choice(around)
    ids = [
        game.drawn or "BA/L",
        game.drawn or "BA/L",
        rng.choice(list(game.box.types)),
        "A",
        "no/such",
    ]
    at = rng.choice([cell, *(neighbour(cell, side) for side in range(4))])
    place = BridgePlace(at, rng.randrange(2))
    named = game.segments(rng.choice(laid))
    address = rng.choice([*named, Address(at, rng.choice(SEGMENTS))])
    most = rng.choice([3, 40, 100_000])
    return rng.choice(
        [
            Place(rng.choice(ids), cell, rng.randrange(4), rng.choice([None, place])),
            Place(ids[0], cell, rng.randrange(4), rng.choice([None, place])),
            BuildBridge(place),
            BuildBridge(BridgePlace(rng.choice(laid[-3:]), rng.randrange(2))),
            PutMeeple(rng.choice(SEGMENTS)),
            BuildCastle(address),
            Collect(address),
            Choose(rng.randint(0, 7), rng.randint(0, most)),
            Bid(rng.randint(0, most)),
            Take(rng.randint(0, 7)),
            rng.choice([Pass(), Decline(), Buy(), Sell()]),
        ]
    )


def aliases(rng: random.Random, game: Game, move: Move) -> Move:
    """A legal move under another of its names, where it has any."""
    if isinstance(move, Place):
        tile = game.box.types[move.tile]
        turns = [r for r in range(4) if tile.same_as[r] == move.rotation]
        name = rng.choice([tile.id, tile.letter or tile.id])
        return Place(name, move.cell, rng.choice(turns), move.bridge)
    if isinstance(move, PutMeeple):
        cell = next(reversed(game.tiles))
        found = game.tiles[cell].find(move.segment)
        names = [s for s in SEGMENTS if game.tiles[cell].find(s) == found]
        return PutMeeple(rng.choice([*names, move.segment]))
    if isinstance(move, BuildCastle):
        return BuildCastle(rng.choice(game.feature(move.city).segments))
    if isinstance(move, Collect):
        return Collect(rng.choice(game.feature(move.feature).segments))
    return move
