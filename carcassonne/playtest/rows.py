"""What is kept of a playtest's games: a row a game, a row an auction, a row a castle."""

from __future__ import annotations

import msgspec

__all__ = ["AuctionRow", "CastleRow", "GameRow", "Measure"]


class Measure(msgspec.Struct, frozen=True):
    """A number that is taken of every game.

    Attributes
    ----------
    name : str
        As in tables and files.
    unit : str
        points, share, tiles, turns, moves, meeples, games, …
    about : str
        What it is, in a sentence.
    group : str
        The heading under which reports list it.
    distribution : bool
        Whether its values are whole numbers whose histogram is kept.
    """

    name: str
    unit: str
    about: str
    group: str = ""
    distribution: bool = False


class AuctionRow(msgspec.Struct, frozen=True):
    """A tile of the bazaar and how it found its owner.

    Attributes
    ----------
    tile : str
        Its id.
    lot : int
        Which tile of its bazaar it was, from 1.
    chooser, buyer : int
        Seats. Nobody chose a tile that was left over: there, both are its owner.
    seller : int or None
        Who was paid; None: nobody.
    opening, price : int
        Bids in points.
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
    earned: int = 0


class CastleRow(msgspec.Struct, frozen=True):
    """A castle.

    Attributes
    ----------
    owner : int
        Seat.
    small_city : int
        Points that scoring the small city would have paid.
    built, paid : int
        Numbers of the turns; `paid` is None if nothing paid it.
    by : str or None
        What paid it: road, city, cloister or castle.
    points : int
        What it was paid.
    """

    owner: int
    small_city: int
    built: int
    paid: int | None = None
    by: str | None = None
    points: int = 0


class GameRow(msgspec.Struct, frozen=True):
    """A game.

    Attributes
    ----------
    arm, unit, turn : int
        Its arm of the design, its stack order (shared by all arms), its rotation of the seats.
    values : tuple
        One value for each measure, in their order; None where a measure says nothing.
    """

    arm: int
    unit: int
    turn: int
    values: tuple[float | None, ...]
    auctions: tuple[AuctionRow, ...] = ()
    castles: tuple[CastleRow, ...] = ()
