"""What callers see of a game on either engine: plain frozen values, by name instead of seat."""

from __future__ import annotations

import msgspec

from carcassonne.geometry import Cell
from carcassonne.moves import Address

__all__ = ["CastleView", "Decision", "FeatureView", "FinishedView", "TokenView"]


class Decision(msgspec.Struct, frozen=True):
    """The open decision.

    Attributes
    ----------
    kind : str
        place, bridge, meeple, castle, collect, choose, bid, deal or take.
    player : str
        Who decides.
    tile : str or None
        The id of the tile to be placed, or being bid for.
    castle : Address or None
        The castle that a `collect` decision pays.
    high_bid : int or None
        The bid to beat or to deal with.
    """

    kind: str
    player: str
    tile: str | None = None
    castle: Address | None = None
    high_bid: int | None = None


class FeatureView(msgspec.Struct, frozen=True):
    """A feature as it is now.

    `open` counts open sides (a field's open half-edges, a cloister's empty cells around it);
    `points` is what it would pay now: as completed if it is, else as at the end; for a field,
    what it pays its majority; a city under a castle is a castle: not complete, 0.
    """

    at: Address
    kind: str
    tiles: int
    open: int
    complete: bool
    points: int
    pennants: int
    meeples: dict[str, int]
    cells: tuple[Cell, ...]
    segments: tuple[Address, ...]


class CastleView(msgspec.Struct, frozen=True):
    """A castle as it is now; `owner` is empty for an emptied castle of a position."""

    at: Address
    owner: str
    occupied: bool
    vicinity: tuple[Cell, ...]
    cells: tuple[Cell, ...]


class FinishedView(msgspec.Struct, frozen=True):
    """What is finished in the turn being settled and may pay a castle.

    `sure` is false for a small city that may yet become a castle itself (R-CASTLE-11).
    """

    at: Address
    points: int
    sure: bool


class TokenView(msgspec.Struct, frozen=True):
    """A piece on a segment: whose, its kind (meeple, pig or barn), and where.

    The meeple of a castle stands on one of the two city segments under it.
    """

    player: str
    kind: str
    at: Address
