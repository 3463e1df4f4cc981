"""Cells, sides, half-edges and quarter turns: small pure algebra without any game in it.

Owns the naming of directions. A cell is a pair `(x, y)`, x grows east and y grows south
(so north is `y - 1`). Sides are `0..3` for `N E S W`; half-edges are `0..7` for
`NL NR EL ER SL SR WL WR`, clockwise, L anticlockwise of R as seen from the tile's centre.
A rotation is a number of clockwise quarter turns, `0..3`.
"""

from __future__ import annotations

from typing import Final

__all__ = [
    "AXES",
    "AXIS_SIDES",
    "DELTAS",
    "HALVES",
    "ROTATIONS",
    "SIDES",
    "SURROUNDING",
    "Cell",
    "axis_of",
    "cell_text",
    "facing_half",
    "neighbour",
    "opposite",
    "parse_cell",
    "reading_order",
    "surrounding",
    "turn_cell",
    "turn_half",
    "turn_side",
]

Cell = tuple[int, int]

SIDES: Final = ("N", "E", "S", "W")
HALVES: Final = ("NL", "NR", "EL", "ER", "SL", "SR", "WL", "WR")
AXES: Final = ("NS", "EW")
AXIS_SIDES: Final = ((0, 2), (1, 3))
ROTATIONS: Final = ("r0", "r90", "r180", "r270")
DELTAS: Final = ((0, -1), (1, 0), (0, 1), (-1, 0))
SURROUNDING: Final = ((-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1))
"""Offsets of the eight cells around a cell, in reading order (R-BASE-15)."""

_FACING_HALF: Final = (5, 4, 7, 6, 1, 0, 3, 2)
_LARGEST_COORDINATE: Final = 9999


def neighbour(cell: Cell, side: int) -> Cell:
    """The cell beyond a side."""
    dx, dy = DELTAS[side]
    return (cell[0] + dx, cell[1] + dy)


def surrounding(cell: Cell) -> tuple[Cell, ...]:
    """The eight cells around a cell, in reading order."""
    x, y = cell
    return tuple((x + dx, y + dy) for dx, dy in SURROUNDING)


def opposite(side: int) -> int:
    """The side across the tile, which is also the side of the neighbour that meets this one."""
    return side ^ 2


def axis_of(side: int) -> int:
    """The axis on which a side lies: 0 for NS, 1 for EW."""
    return side & 1


def facing_half(half: int) -> int:
    """The half-edge of the neighbouring tile that meets this one (NL meets SR)."""
    return _FACING_HALF[half]


def turn_side(side: int, quarters: int) -> int:
    """A side after clockwise quarter turns of the tile."""
    return (side + quarters) & 3


def turn_half(half: int, quarters: int) -> int:
    """A half-edge after clockwise quarter turns of the tile."""
    return (half + 2 * quarters) & 7


def turn_cell(cell: Cell, quarters: int) -> Cell:
    """A cell after clockwise quarter turns of the whole table about the origin."""
    x, y = cell
    for _ in range(quarters & 3):
        x, y = -y, x
    return (x, y)


def reading_order(cell: Cell) -> tuple[int, int]:
    """Sort key of a cell: top row first, then from the west (`y`, then `x`)."""
    return (cell[1], cell[0])


def cell_text(cell: Cell) -> str:
    """A cell as `x,y`."""
    return f"{cell[0]},{cell[1]}"


def parse_cell(text: str) -> Cell | None:
    """Read `x,y`, or None when the text is not exactly what `cell_text` writes.

    Coordinates go from -9999 to 9999: no game can reach farther.
    """
    x_text, comma, y_text = text.partition(",")
    x, y = parse_integer(x_text), parse_integer(y_text)
    if not comma or x is None or y is None:
        return None
    if abs(x) > _LARGEST_COORDINATE or abs(y) > _LARGEST_COORDINATE:
        return None
    return (x, y)


def parse_integer(text: str) -> int | None:
    """Read a decimal integer, or None when the text is not exactly what `str(int)` writes."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > 9:
        return None
    value = int(text)
    return value if str(value) == text else None
