"""What a game of an experiment leaves behind: one row of measures, its auctions and castles.

Owns the form of the rows. What is measured is said where games are looked at; what becomes of
the rows, where they are added up, exported and reported.
"""

from __future__ import annotations

import msgspec

__all__ = ["AuctionRow", "CastleRow", "GameRow", "Measure"]


class Measure(msgspec.Struct, frozen=True):
    """One thing that is measured of every game.

    Attributes
    ----------
    name : str
        Its column, e.g. `score_seat_1`. Names that end in `_seat_` and a number belong together,
        and so do those of one group that share their unit: charts show them side by side.
    unit : str
        points, share, tiles, turns, moves, meeples, games ... A share is from 0 to 1 and is
        reported in per cent.
    about : str
        One sentence. Up to its first colon, semicolon or full stop it is a noun phrase that
        sentences of reports use: `The first player's share of wins: 1, or 1/n of a shared win.`
    group : str
        The heading in reports: scores, points by kind, auctions, castles, bridges, course of the
        game.
    distribution : bool
        Whether its values are whole numbers whose histogram is kept.
    """

    name: str
    unit: str
    about: str
    group: str = ""
    distribution: bool = False


class AuctionRow(msgspec.Struct, frozen=True):
    """One tile of an auction.

    Attributes
    ----------
    tile : str
        Its id.
    lot : int
        The lot within its auction, from 1.
    chooser, buyer, seller : int
        Seats, from 0; no seller where nobody was paid.
    opening, price : int
        The first bid and the price paid, in points.
    how : str
        free, own bid, bought or sold.
    earned : int
        Points that the buyer scored in the turn in which it placed the tile.
    """

    tile: str
    lot: int
    chooser: int
    opening: int
    price: int
    buyer: int
    seller: int | None
    how: str
    earned: int


class CastleRow(msgspec.Struct, frozen=True):
    """One castle.

    Attributes
    ----------
    owner : int
        Seat, from 0.
    small_city : int
        Points that scoring the small city would have paid.
    built : int
        Number of the turn in which it was built (tiles laid).
    paid : int or None
        Number of the turn in which it was paid; None: never.
    by : str or None
        The kind of feature that paid it: road, city, cloister or castle.
    points : int
        What it was paid, 0 if nothing.
    """

    owner: int
    small_city: int
    built: int
    paid: int | None
    by: str | None
    points: int


class GameRow(msgspec.Struct, frozen=True):
    """One game.

    Attributes
    ----------
    arm : int
        Number of the arm in the design.
    unit : int
        Number of the stack order, shared by all arms.
    turn : int
        Rotation of the seats within the unit.
    values : tuple of (float or None)
        One for each measure, in their order; None: not applicable.
    """

    arm: int
    unit: int
    turn: int
    values: tuple[float | None, ...]
    auctions: tuple[AuctionRow, ...] = ()
    castles: tuple[CastleRow, ...] = ()
