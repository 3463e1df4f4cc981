"""What happened: small frozen values that both engines return and that explain themselves.

Every point that changes hands is a `Score` with its items and rule ids, so that the sum of a
player's score events is always the player's score.
"""

from __future__ import annotations

import msgspec

from carcassonne.geometry import AXES, ROTATIONS, Cell, cell_text
from carcassonne.moves import Address

__all__ = [
    "BidMade",
    "BidPassed",
    "BridgeBuilt",
    "CastleBuilt",
    "Event",
    "FeatureCompleted",
    "GameOver",
    "Item",
    "MarketOpened",
    "MarketSkipped",
    "MeeplePlaced",
    "MeepleReturned",
    "Score",
    "TileChosen",
    "TileDrawn",
    "TilePlaced",
    "TileSetAside",
    "TileTaken",
    "TurnSkipped",
]


class Item(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """One line of a score: `count` things at `each` points by a rule."""

    what: str
    count: int
    each: int
    rule: str

    @property
    def points(self) -> int:
        """What the item adds."""
        return self.count * self.each

    def __str__(self) -> str:
        return f"{self.count} {self.what} x {self.each} ({self.rule})"


class Event(msgspec.Struct, frozen=True, tag=True, gc=False):
    """Base of all events."""


class TileDrawn(Event, frozen=True, gc=False):
    """A tile came from the stack and will be placed (R-BASE-4)."""

    player: str
    tile: str

    def __str__(self) -> str:
        return f"{self.player} draws {self.tile}"


class TileSetAside(Event, frozen=True, gc=False):
    """A tile left the game unplaced: it fits nowhere or was declined (R-BASE-6, R-BRIDGE-11)."""

    player: str
    tile: str
    rule: str

    def __str__(self) -> str:
        why = "declined" if self.rule == "R-BRIDGE-11" else "fits nowhere"
        return f"{self.player} sets {self.tile} aside: {why} ({self.rule})"


class TilePlaced(Event, frozen=True, gc=False):
    """A tile was laid."""

    player: str
    tile: str
    cell: Cell
    rotation: int

    def __str__(self) -> str:
        where = f"{cell_text(self.cell)} {ROTATIONS[self.rotation]}"
        return f"{self.player} places {self.tile} at {where}"


class BridgeBuilt(Event, frozen=True, gc=False):
    """A bridge was built; it stays to the end (R-BRIDGE-1)."""

    player: str
    cell: Cell
    axis: int

    def __str__(self) -> str:
        return f"{self.player} builds a bridge on {cell_text(self.cell)} {AXES[self.axis]}"


class MeeplePlaced(Event, frozen=True, gc=False):
    """A meeple was put on a segment."""

    player: str
    at: Address

    def __str__(self) -> str:
        return f"{self.player} puts a meeple on {self.at}"


class MeepleReturned(Event, frozen=True, gc=False):
    """A meeple went home (R-BASE-17, R-CASTLE-30, R-CASTLE-31)."""

    player: str
    at: Address

    def __str__(self) -> str:
        return f"{self.player}'s meeple comes home from {self.at}"


class CastleBuilt(Event, frozen=True, gc=False):
    """A small city became a castle (R-CASTLE-8)."""

    player: str
    at: Address

    def __str__(self) -> str:
        return f"{self.player} builds a castle on {self.at}"


class FeatureCompleted(Event, frozen=True, gc=False):
    """A road, city or cloister was completed; `winners` may be empty (R-BASE-18)."""

    feature: str
    at: Address
    points: int
    winners: tuple[str, ...]

    def __str__(self) -> str:
        whose = " and ".join(self.winners) or "nobody"
        return f"the {self.feature} at {self.at} is complete: {self.points} for {whose}"


class Score(Event, frozen=True, gc=False):
    """Points that a player got or paid, with the rule and the items that add up to them."""

    player: str
    points: int
    rule: str
    feature: str
    at: Address | None = None
    items: tuple[Item, ...] = ()

    def __str__(self) -> str:
        where = f" at {self.at}" if self.at else ""
        items = " = " + " + ".join(map(str, self.items)) if self.items else ""
        return f"{self.player} {self.points:+d} {self.feature}{where} ({self.rule}){items}"


class MarketOpened(Event, frozen=True, gc=False):
    """Tiles were revealed for an auction or a draft (R-BAZAAR-4)."""

    player: str
    tiles: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.player} opens the bazaar: {', '.join(self.tiles)}"


class MarketSkipped(Event, frozen=True, gc=False):
    """A market tile opened nothing: too few tiles are left (R-BAZAAR-5)."""

    player: str
    left: int

    def __str__(self) -> str:
        return f"no bazaar: only {self.left} tiles are left (R-BAZAAR-5)"


class TileChosen(Event, frozen=True, gc=False):
    """A chooser picked a tile and opened the bidding (R-BAZAAR-7)."""

    player: str
    number: int
    tile: str
    bid: int

    def __str__(self) -> str:
        return f"{self.player} chooses {self.tile} and bids {self.bid}"


class BidMade(Event, frozen=True, gc=False):
    """A higher bid (R-BAZAAR-9)."""

    player: str
    points: int

    def __str__(self) -> str:
        return f"{self.player} bids {self.points}"


class BidPassed(Event, frozen=True, gc=False):
    """A player did not bid (R-BAZAAR-8)."""

    player: str

    def __str__(self) -> str:
        return f"{self.player} passes"


class TileTaken(Event, frozen=True, gc=False):
    """A tile of the bazaar found its owner; `seller` is set where a chooser sold it."""

    player: str
    tile: str
    price: int
    rule: str
    seller: str = ""

    def __str__(self) -> str:
        price = f"for {self.price}" if self.price else "for nothing"
        source = f" from {self.seller}" if self.seller else ""
        return f"{self.player} gets {self.tile}{source} {price} ({self.rule})"


class TurnSkipped(Event, frozen=True, gc=False):
    """A turn of a bazaar round that had no tile to be placed (R-BAZAAR-26)."""

    player: str
    rule: str

    def __str__(self) -> str:
        return f"{self.player} has no tile to place and is skipped ({self.rule})"


class GameOver(Event, frozen=True, gc=False):
    """The game has ended and the farms are scored (R-BASE-20, R-BASE-25)."""

    scores: dict[str, int]
    winners: tuple[str, ...]

    def __str__(self) -> str:
        table = ", ".join(f"{name} {points}" for name, points in self.scores.items())
        return f"the game is over: {table}; {' and '.join(self.winners)} won"
