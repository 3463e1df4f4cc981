"""Tile sets and rules as integers: everything that the engine looks up and never changes.

Owns the translation of a `TileBox` and a `Rules` into one flat list of numbers (`Tables.data`)
with the place of each table in it, and the capacities of the core. Edge codes are those of
`carcassonne.tile_types`; a variant is `type * 4 + rotation`; a local segment is the number of a
segment in the listing order of its variant, the two after the last are the bridges NS and EW.
"""

from __future__ import annotations

from functools import lru_cache
from math import isqrt
from typing import TYPE_CHECKING, Final

from carcassonne.core.layout import CASTLE_SIZE, CLOSING, HEAD, PAYOUT_SIZE
from carcassonne.errors import CarcassonneError
from carcassonne.geometry import DELTAS, SURROUNDING
from carcassonne.tile_types import ABBEY, EMPTY, FEATURE_KINDS, FIELD, ROAD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from carcassonne.rules import Rules
    from carcassonne.tile_types import TileType, Variant
    from carcassonne.tiles import TileBox

__all__ = ["MOST_SEGMENTS", "MOST_TILES", "CapacityError", "Tables"]

MOST_TILES: Final = 1000
"""The most tiles, the start tile included, that a game on the core can hold."""
MOST_TYPES: Final = 8000
"""The most types of tile: a mark of the log has 14 bits for one."""
MOST_SEGMENTS: Final = 12
"""The most segments of one tile, bridges apart."""
MOST_MEEPLES: Final = 15
"""The most meeples of one player, on the board and in the supply."""

OWN_SHIFT: Final = 4
BESIDE_SHIFT: Final = 8


class CapacityError(CarcassonneError):
    """A tile set or a position that is too large for the core; the model has no such limit."""


class Tables:
    """The tables of one kind of game.

    Attributes
    ----------
    data : list of int
        All tables, one behind the other; `at` says where each begins.
    at : dict
        Table name to its first index in `data`.
    stride : int
        Segments of a placement: `segments` printed ones at most, and room for bridges.
    cells, across : int
        The board: cell `x,y` is number `(x + across * y) & (cells - 1)`.
    """

    __slots__ = (
        "across", "at", "box", "capacity", "cells", "data", "kinds", "players", "rules",
        "segments", "signatures", "spare", "stride", "types",
    )  # fmt: skip

    def __init__(
        self,
        box: TileBox,
        rules: Rules,
        players: int,
        *,
        tiles: int,
        reach: int = 0,
        bridges: bool = True,
    ) -> None:
        """Build the tables.

        Parameters
        ----------
        players
            How many play.
        tiles
            The most tiles that can come to lie on the table.
        reach
            For a position: how far apart its tiles lie, counted in steps.
        bridges
            Whether a bridge can ever stand.

        Raises
        ------
        CapacityError
            There are more tiles than `MOST_TILES`, more types than `MOST_TYPES` or more segments
            than `MOST_SEGMENTS`.
        """
        if tiles > MOST_TILES:
            raise CapacityError(
                f"the core holds games of at most {MOST_TILES} tiles, and this one has {tiles}"
            )
        self.box, self.rules, self.players = box, rules, players
        self.types: tuple[TileType, ...] = tuple(box.types.values())
        if len(self.types) > MOST_TYPES:
            raise CapacityError(
                f"the core holds at most {MOST_TYPES} types of tile, and here are {len(self.types)}"
            )
        for tile in self.types:
            count = len(tile.variants[0].segments)
            if count > MOST_SEGMENTS:
                raise CapacityError(
                    f"tile {tile.id} has {count} segments; the core holds at most {MOST_SEGMENTS}"
                )
        self.capacity = tiles
        self.segments = max(len(tile.variants[0].segments) for tile in self.types)
        self.spare = 2 if bridges else 0
        self.stride = self.segments + self.spare
        self.cells, self.across = _torus(max(tiles, reach + 1) + 5)
        printed = {edge for tile in self.types for edge in tile.variants[0].edges}
        self.kinds = max(4, max(printed) + 1)
        self.signatures = self.kinds**4
        self.data, self.at = _build(self)

    def places(self, stack: int, castles: int, animals: int) -> dict[str, int]:
        """Where the parts of a game's block begin, and its size (see the head of `engine.py`)."""
        tiles, segments = self.capacity, self.capacity * self.stride
        finished = self.stride + 9
        rooms = {
            "head": HEAD, "board": self.cells,
            **dict.fromkeys(("fcell", "fsig", "fmend"), 2 * tiles + 4),
            **dict.fromkeys(("var", "pcell", "bridge", "px", "py", "around"), tiles),
            **dict.fromkeys(("root", "next", "folk", "ends", "stand"), segments),
            "stack": stack, "aside": stack, "castles": castles * CASTLE_SIZE,
            "finished": finished, "small": 2 * finished,
            "wave": (finished + castles) * PAYOUT_SIZE, "next_wave": (castles + 1) * PAYOUT_SIZE,
            "unpaid": castles + 1, "paid": castles + 1, "animals": 3 * animals,
        }  # fmt: skip
        places, end = {}, 0
        for name, room in rooms.items():
            places[name] = end
            end += room
        return {**places, "size": end}

    def cell(self, x: int, y: int) -> int:
        """The number of a cell."""
        return (x + self.across * y) & (self.cells - 1)


@lru_cache(maxsize=64)
def _torus(need: int) -> tuple[int, int]:
    """The smallest helical torus on which a walk of fewer than `need` steps never closes.

    Two different cells share a number only if they lie at least `need` steps apart (steps to
    the four sides); see the head of `engine.py`.
    """
    cells = 64
    while True:
        guess = isqrt(2 * cells)
        for across in sorted(range(3, cells // 2), key=lambda w: abs(w - guess))[: 4 * guess]:
            if _shortest(cells, across, need) >= need:
                return cells, across
        cells *= 2


def _shortest(cells: int, across: int, need: int) -> int:
    """The fewest steps that lead from a cell to another one with the same number."""
    best = cells
    for y in range(1, need):
        x = (-across * y) % cells
        best = min(best, y + min(x, cells - x))
        if best < need:
            return best
    return best


def _build(tables: Tables) -> tuple[list[int], dict[str, int]]:
    data: list[int] = []
    at: dict[str, int] = {}

    def add(name: str, numbers: Sequence[int]) -> None:
        at[name] = len(data)
        data.extend(numbers)

    variants = [variant for tile in tables.types for variant in tile.variants]
    stride, across = tables.stride, tables.across
    add("side_step", [dx + across * dy for dx, dy in DELTAS])
    add("ring_step", [dx + across * dy for dx, dy in SURROUNDING])
    add("power", [tables.kinds**side for side in range(4)])
    add("edge", [edge for variant in variants for edge in variant.edges])
    add("shows", [
        edge * tables.kinds ** (side ^ 2)
        for variant in variants
        for side, edge in enumerate(variant.edges)
    ])  # fmt: skip
    add("axes", [
        sum(1 << axis for axis in (0, 1) if variant.edges[axis] == variant.edges[axis + 2] == FIELD)
        for variant in variants
    ])  # fmt: skip
    add("meets", [_meets(variant, side) for variant in variants for side in range(4)])
    for name, rows in _segment_tables(variants, stride).items():
        add(name, rows)
    add("segments", [len(tile.variants[0].segments) for tile in tables.types])
    add("lines", [
        sum(segment.kind in ("road", "city") for segment in tile.variants[0].segments)
        for tile in tables.types
    ])  # fmt: skip
    add("cloister", [_cloister(tile) for tile in tables.types])
    add("bazaar", [int(tile.bazaar) for tile in tables.types])
    add("same", [tile.same_as[r] for tile in tables.types for r in range(4)])
    add("spread", [number for mask in range(16) for number in _spread(mask)])
    add("mended", [
        15 << OWN_SHIFT
        | sum(15 << (BESIDE_SHIFT + 4 * side) for side in range(4) if sides >> side & 1)
        for sides in range(16)
    ])  # fmt: skip
    add("fit", _fits(tables.types, tables.kinds))
    return data, at


def _spread(mask: int) -> list[int]:
    """The rotations of a mask as they stand in moves, filled up to four, and how many they are.

    Eight numbers a row, of which three mean nothing: eight are quicker to find than five.
    """
    found = [rotation << 2 for rotation in range(4) if mask >> rotation & 1]
    return [*found, *[0] * (4 - len(found)), len(found), 0, 0, 0]


def _cloister(tile: TileType) -> int:
    kinds = [segment.kind for segment in tile.variants[0].segments]
    return kinds.index("cloister") if "cloister" in kinds else -1


def _meets(variant: Variant, side: int) -> int:
    """What meets the neighbour at a side: line, field of the left half, of the right, each + 1.

    Above them a bit for an edge that closes whatever it meets.
    """
    place = {id(segment): i + 1 for i, segment in enumerate(variant.segments)}
    found = (variant.at_side[side], variant.at_half[2 * side], variant.at_half[2 * side + 1])
    closing = CLOSING if variant.edges[side] == ABBEY else 0
    return closing | sum(
        place[id(piece)] << (4 * i) for i, piece in enumerate(found) if piece is not None
    )


def _segment_tables(variants: list[Variant], stride: int) -> dict[str, list[int]]:
    """Kind, open ends with size 1, flags and adjoining cities of every segment of a variant."""
    kinds: list[int] = []
    fresh: list[int] = []
    flags: list[int] = []
    touches: list[int] = []
    for variant in variants:
        numbers = {name: i for i, s in enumerate(variant.segments) for name in s.names}
        rows = [
            (
                FEATURE_KINDS.index(s.kind),
                s.openings << 16 | 1,
                min(s.pennants, 255) | s.inn << 8 | s.cathedral << 9 | s.castle_base << 10,
                sum(1 << numbers[name] for name in s.touches),
            )
            for s in variant.segments
        ]
        rows += [(0, 2 << 16 | 1, 0, 0)] * (stride - len(rows))
        for row in rows:
            kinds.append(row[0])
            fresh.append(row[1])
            flags.append(row[2])
            touches.append(row[3])
    return {"kind": kinds, "fresh": fresh, "flags": flags, "touches": touches}


# ------------------------------------------------------------------------------ fitting

_remembered: dict[tuple[int, ...], tuple[tuple[TileType, ...], list[int]]] = {}
"""Fit tables by the identities of their tile types, which are kept so that none is reused."""


def _fits(types: tuple[TileType, ...], kinds: int) -> list[int]:
    """For each type and signature the fitting rotations that look different.

    Bits 0 to 3: rotations that fit as they are (R-BASE-5); bits 4 to 7: those that a bridge on
    the new tile mends; bits 8 + 4 * side: those that a bridge on the neighbour there would mend
    if it can stand (R-BRIDGE-8, R-BRIDGE-9).
    """
    key = (kinds, *map(id, types))
    known = _remembered.get(key)
    if known is None:
        rows: list[int] = []
        for tile in types:
            row = [0] * kinds**4
            for rotation in tile.rotations:
                _fit_variant(row, tile.variants[rotation], kinds)
            rows += row
        if len(_remembered) >= 32:
            _remembered.pop(next(iter(_remembered)))
        known = _remembered[key] = (types, rows)
    return known[1]


def _fit_variant(row: list[int], variant: Variant, kinds: int) -> None:
    bare = 1 << variant.rotation
    clean = [
        [code for code in range(kinds) if code in (EMPTY, ABBEY, edge) or edge == ABBEY]
        for edge in variant.edges
    ]
    for signature in _signatures(clean, kinds):
        row[signature] |= bare
    for axis in (0, 1):
        if variant.free_axes[axis]:
            choices = list(clean)
            choices[axis] = choices[axis + 2] = [EMPTY, ROAD]
            for signature in _signatures(choices, kinds):
                if not row[signature] & bare:
                    row[signature] |= bare << OWN_SHIFT
    for side in range(4):
        if variant.edges[side] == ROAD:
            choices = list(clean)
            choices[side] = [FIELD]
            for signature in _signatures(choices, kinds):
                row[signature] |= bare << (BESIDE_SHIFT + 4 * side)


def _signatures(choices: list[list[int]], kinds: int) -> list[int]:
    found = [0]
    for side, codes in enumerate(choices):
        found = [signature + code * kinds**side for signature in found for code in codes]
    return found
