"""Lines in the plane for drawing: points, cubic curves, and how they are written in SVG.

A tile is a square of 100 by 100 units, `0,0` in its north-west corner. Numbers are written with
one decimal at most, so that equal pictures are equal bytes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["CENTRE", "CORNERS", "MIDDLES", "Path", "Point", "number", "turned", "turned_path"]

Point = tuple[float, float]

CENTRE: Final[Point] = (50.0, 50.0)
CORNERS: Final[tuple[Point, ...]] = ((0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0))
"""Corner `k` begins side `k`, going clockwise: NW, NE, SE, SW."""
MIDDLES: Final[tuple[Point, ...]] = ((50.0, 0.0), (100.0, 50.0), (50.0, 100.0), (0.0, 50.0))

_STEPS: Final = 10


def number(value: float) -> str:
    """A number with at most one decimal, as short as it can be."""
    text = f"{value:.1f}"
    text = text.removesuffix(".0")
    return "0" if text == "-0" else text


def turned(point: Point, quarters: int) -> Point:
    """A point of a tile after clockwise quarter turns of the tile."""
    x, y = point
    for _ in range(quarters & 3):
        x, y = 100 - y, x
    return (x, y)


@dataclass(frozen=True)
class Path:
    """A line made of cubic curves and straight pieces.

    Attributes
    ----------
    start : Point
        Where it begins.
    pieces : tuple
        For each piece its end (straight), or two control points and its end (a curve).
    """

    start: Point
    pieces: tuple[tuple[Point, ...], ...]

    @classmethod
    def through(cls, *points: Point) -> Path:
        """A broken line."""
        return cls(points[0], tuple((point,) for point in points[1:]))

    @classmethod
    def joined(cls, paths: Sequence[Path]) -> Path:
        """Paths that follow each other, as one."""
        return cls(paths[0].start, tuple(piece for path in paths for piece in path.pieces))

    @property
    def end(self) -> Point:
        """Where it ends."""
        return self.pieces[-1][-1] if self.pieces else self.start

    def d(self, *, closed: bool = False) -> str:
        """The path as the attribute `d` of SVG."""
        pieces = (("C" if len(p) == 3 else "L") + " ".join(map(_pair, p)) for p in self.pieces)
        return f"M{_pair(self.start)}{''.join(pieces)}{'Z' if closed else ''}"

    @cached_property
    def points(self) -> tuple[Point, ...]:
        """The path as a broken line of short pieces."""
        found = [self.start]
        for piece in self.pieces:
            found += _flattened(found[-1], piece)
        return tuple(found)

    def at(self, share: float) -> Point:
        """The point after a share (0 to 1) of the way, by length."""
        points = self.points
        lengths = [_distance(a, b) for a, b in pairwise(points)]
        left = share * sum(lengths)
        for (a, b), length in zip(pairwise(points), lengths, strict=True):
            if left <= length and length > 0:
                part = left / length
                return (a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part)
            left -= length
        return points[-1]


def turned_path(path: Path, quarters: int) -> Path:
    """A path after clockwise quarter turns of the tile."""
    return Path(
        turned(path.start, quarters),
        tuple(tuple(turned(point, quarters) for point in piece) for piece in path.pieces),
    )


def _flattened(start: Point, piece: tuple[Point, ...]) -> Iterable[Point]:
    (ax, ay), (zx, zy) = start, piece[-1]
    if len(piece) == 1:
        for i in range(1, _STEPS + 1):
            t = i / _STEPS
            yield (ax + (zx - ax) * t, ay + (zy - ay) * t)
        return
    (bx, by), (cx, cy) = piece[0], piece[1]
    for i in range(1, _STEPS + 1):
        t = i / _STEPS
        s = 1 - t
        k0, k1, k2, k3 = s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t
        yield (k0 * ax + k1 * bx + k2 * cx + k3 * zx, k0 * ay + k1 * by + k2 * cy + k3 * zy)


def _distance(a: Point, b: Point) -> float:
    return float(((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5)


def _pair(point: Point) -> str:
    return f"{number(point[0])} {number(point[1])}"
