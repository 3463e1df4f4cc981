"""Moves: small frozen values, each one line of text; parsing and printing are exact inverses.

Owns the notation of decisions. A move knows nothing of a game: whether it is legal, and which
other names of the same thing it could have used, only a game can tell (`Game.why_not`,
`Game.canonical`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec

from carcassonne.errors import InvalidMove
from carcassonne.geometry import AXES, HALVES, ROTATIONS, SIDES, Cell, cell_text, parse_cell
from carcassonne.geometry import parse_integer as _integer
from carcassonne.tiles import base_letters

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "Address",
    "Bid",
    "BridgePlace",
    "BuildBridge",
    "BuildCastle",
    "Buy",
    "Choose",
    "Collect",
    "Decline",
    "Move",
    "Pass",
    "Place",
    "PutMeeple",
    "Sell",
    "Take",
    "as_move",
    "parse_address",
    "parse_move",
]

_SEGMENT: Final = re.compile(
    rf"(?:road|city|river)\.[{''.join(SIDES)}]|cloister|field\.(?:{'|'.join(HALVES)})"
    r"|field\.inner(?:\.[2-9])?"
)
_MOST: Final = 100_000


class Address(msgspec.Struct, frozen=True, gc=False, cache_hash=True):
    """A segment on the board: its cell and its name, written `0,0 road.E`."""

    cell: Cell
    segment: str

    def __str__(self) -> str:
        return f"{cell_text(self.cell)} {self.segment}"


class BridgePlace(msgspec.Struct, frozen=True, gc=False):
    """Where a bridge stands: a cell and an axis (0 NS, 1 EW), written `0,0 NS`."""

    cell: Cell
    axis: int

    def __str__(self) -> str:
        return f"{cell_text(self.cell)} {AXES[self.axis]}"


class Move(msgspec.Struct, frozen=True, gc=False):
    """Base of all moves. `kind` is the decision that the move answers ("" for `pass`)."""

    @property
    def kind(self) -> str:
        """The kind of decision that this move answers."""
        return _KINDS[type(self)]

    @classmethod
    def parse(cls, text: str) -> Move:
        """Read a move; see `parse_move`."""
        return parse_move(text)


class Place(Move, frozen=True, gc=False, eq=False):
    """Lay the drawn tile, with the bridge that makes it legal if one is needed (R-BRIDGE-8)."""

    tile: str
    cell: Cell
    rotation: int
    bridge: BridgePlace | None = None

    def __str__(self) -> str:
        bridge = f" bridge {self.bridge}" if self.bridge else ""
        return f"place {self.tile} {cell_text(self.cell)} {ROTATIONS[self.rotation]}{bridge}"

    def _key(self) -> tuple[str, Cell, int, BridgePlace | None]:
        tile = self.tile if len(self.tile) > 1 else base_letters().get(self.tile, self.tile)
        return (tile, self.cell, self.rotation, self.bridge)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Place):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())


class Decline(Move, frozen=True, gc=False):
    """Set aside a tile that fits only with a bridge, and draw again (R-BRIDGE-11)."""

    def __str__(self) -> str:
        return "decline"


class BuildBridge(Move, frozen=True, gc=False):
    """Build a bridge that no placement needed (R-BRIDGE-22)."""

    place: BridgePlace

    def __str__(self) -> str:
        return f"bridge {self.place}"


class PutMeeple(Move, frozen=True, gc=False):
    """Put a meeple on a segment of the tile just placed (R-BASE-8)."""

    segment: str

    def __str__(self) -> str:
        return f"meeple {self.segment}"


class BuildCastle(Move, frozen=True, gc=False):
    """Turn a small city into a castle (R-CASTLE-8)."""

    city: Address

    def __str__(self) -> str:
        return f"castle {self.city}"


class Collect(Move, frozen=True, gc=False):
    """Choose which finished feature pays the castle (R-CASTLE-21)."""

    feature: Address

    def __str__(self) -> str:
        return f"collect {self.feature}"


class Choose(Move, frozen=True, gc=False):
    """Pick a tile on offer (counted from 1) and open the bidding (R-BAZAAR-7)."""

    number: int
    bid: int

    def __str__(self) -> str:
        return f"choose {self.number} bid {self.bid}"


class Bid(Move, frozen=True, gc=False):
    """Bid more than the bid so far (R-BAZAAR-9)."""

    points: int

    def __str__(self) -> str:
        return f"bid {self.points}"


class Buy(Move, frozen=True, gc=False):
    """Keep the tile and pay the highest bidder that bid (R-BAZAAR-11)."""

    def __str__(self) -> str:
        return "buy"


class Sell(Move, frozen=True, gc=False):
    """Let the highest bidder have the tile for that bid (R-BAZAAR-11)."""

    def __str__(self) -> str:
        return "sell"


class Take(Move, frozen=True, gc=False):
    """Take a tile on offer (counted from 1) where there is no auction (R-BAZAAR-27)."""

    number: int

    def __str__(self) -> str:
        return f"take {self.number}"


class Pass(Move, frozen=True, gc=False):
    """Do nothing: no bridge, no meeple, no castle, no bid."""

    def __str__(self) -> str:
        return "pass"


_KINDS: Final[dict[type[Move], str]] = {
    Place: "place", Decline: "place", BuildBridge: "bridge", PutMeeple: "meeple",
    BuildCastle: "castle", Collect: "collect", Choose: "choose", Bid: "bid",
    Buy: "deal", Sell: "deal", Take: "take", Pass: "",
}  # fmt: skip

_FORMS: Final = {
    "place": "place TILE X,Y ROTATION [bridge X,Y AXIS], as in 'place BA/RCr 1,0 r90'",
    "decline": "decline",
    "bridge": "bridge X,Y AXIS, as in 'bridge 0,0 NS'",
    "meeple": "meeple SEGMENT, as in 'meeple road.E'",
    "castle": "castle X,Y SEGMENT, as in 'castle 0,-1 city.S'",
    "collect": "collect X,Y SEGMENT, as in 'collect 1,0 road.W'",
    "choose": "choose NUMBER bid POINTS, as in 'choose 2 bid 3'",
    "bid": "bid POINTS, as in 'bid 4'",
    "buy": "buy",
    "sell": "sell",
    "take": "take NUMBER, as in 'take 1'",
    "pass": "pass",
}


def parse_move(text: str) -> Move:
    """Read the text form of a move; `str` of the result is the text again.

    Raises
    ------
    InvalidMove
        The text is no move; the message says which form would be right.
    """
    if not isinstance(text, str):
        raise InvalidMove(f"a move must be text, not {type(text).__name__}")
    words = text.split(" ")
    try:
        move = _read(words)
    except (ValueError, IndexError):
        move = None
    if move is None or str(move) != text:
        wrong = _wrong_part(words)
        raise InvalidMove(f"{_quoted(text)} is no move; {wrong}{_expected(words[0])}")
    return move


def as_move(move: Move | str) -> Move:
    """A move as it is, or read from its text.

    Raises
    ------
    InvalidMove
        It is neither a move nor the text of one.
    """
    return move if isinstance(move, Move) else parse_move(move)


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 80 else text[:77] + "...")


def _expected(verb: str) -> str:
    form = _FORMS.get(verb)
    if form:
        return f"a {verb} move is written: {form}"
    return f"a move starts with one of {', '.join(_FORMS)}"


def _read(words: list[str]) -> Move | None:
    match words:
        case ["place", tile, cell, rotation]:
            return Place(_tile(tile), _cell(cell), ROTATIONS.index(rotation))
        case ["place", tile, cell, rotation, "bridge", where, axis]:
            bridge = BridgePlace(_cell(where), AXES.index(axis))
            return Place(_tile(tile), _cell(cell), ROTATIONS.index(rotation), bridge)
        case ["bridge", where, axis]:
            return BuildBridge(BridgePlace(_cell(where), AXES.index(axis)))
        case ["meeple", segment]:
            return PutMeeple(_segment(segment))
        case ["castle", cell, segment]:
            return BuildCastle(Address(_cell(cell), _segment(segment)))
        case ["collect", cell, segment]:
            return Collect(Address(_cell(cell), _segment(segment)))
        case ["choose", number, "bid", bid]:
            return Choose(_number(number), _number(bid))
        case ["bid", points]:
            return Bid(_number(points))
        case ["take", number]:
            return Take(_number(number))
        case [word]:
            return _PLAIN.get(word)
    return None


_PLAIN: Final[dict[str, Move]] = {
    "pass": Pass(),
    "decline": Decline(),
    "buy": Buy(),
    "sell": Sell(),
}


def _tile(text: str) -> str:
    if not text or not text.isprintable():
        raise ValueError(text)
    return text


def _cell(text: str) -> Cell:
    cell = parse_cell(text)
    if cell is None:
        raise ValueError(text)
    return cell


def _segment(text: str) -> str:
    if not _SEGMENT.fullmatch(text):
        raise ValueError(text)
    return text


def _number(text: str) -> int:
    number = _integer(text)
    if number is None or not 0 <= number <= _MOST:
        raise ValueError(text)
    return number


_PARTS: Final[dict[str, Callable[[str], object]]] = {
    "TILE": _tile,
    "X,Y": _cell,
    "ROTATION": ROTATIONS.index,
    "AXIS": AXES.index,
    "SEGMENT": _segment,
    "NUMBER": _number,
    "POINTS": _number,
}
"""How the parts of the forms are read; each raises ValueError."""

_PART_WORDS: Final = {
    "TILE": "the id of a tile",
    "X,Y": "a cell, written X,Y as in 1,-2",
    "ROTATION": "a rotation: r0, r90, r180 or r270",
    "AXIS": "an axis: NS or EW",
    "SEGMENT": "a segment, as in road.E, city.NS, cloister or field.NL",
    "NUMBER": "the number of a tile, from 1",
    "POINTS": "a whole number of points, from 0",
}


def _wrong_part(words: list[str]) -> str:
    """The first part of a move that is not what it should be, in words; empty if none is."""
    form = _FORMS.get(words[0], "").partition(", as in")[0]
    parts = form.replace("[", "").replace("]", "").split(" ")
    for word, part in zip(words, parts, strict=False):
        try:
            good = _PARTS[part](word) is not None if part in _PARTS else word == part
        except ValueError:
            good = False
        if not good and form:
            should = _PART_WORDS.get(part, f"'{part}'")
            return f"{_quoted(word)} is not {should}; " if word else "there is a blank too many; "
    return ""


def parse_address(text: str) -> Address:
    """Read `X,Y SEGMENT`.

    Raises
    ------
    InvalidMove
        The text is not written so.
    """
    cell_part, _, segment = text.partition(" ")
    try:
        return Address(_cell(cell_part), _segment(segment))
    except ValueError:
        raise InvalidMove(
            f"{_quoted(text)} is no place on the board; write X,Y SEGMENT, as in '0,0 road.E'"
        ) from None
