"""A tile as a small raster: which segment each spot of its drawing belongs to.

The fields are found by flooding from the edges between roads, rivers, walls and hedges, just as
a player's eye does. Out of this come the places where pieces can stand, whatever the tile.
"""

from __future__ import annotations

from itertools import pairwise
from math import ceil, floor, hypot
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from carcassonne.render.curves import Path, Point
    from carcassonne.render.outlines import Outlines
    from carcassonne.tiles import TileType

__all__ = ["BARRIER", "Raster"]

SIZE: Final = 32
"""Spots in a row."""
_STEP: Final = 100 / SIZE
_OPEN: Final = ""
BARRIER: Final = "-"
"""The label of walls, hedges and houses, where nothing stands."""
_POINTS: Final = tuple(
    ((i % SIZE + 0.5) * _STEP, (i // SIZE + 0.5) * _STEP) for i in range(SIZE * SIZE)
)
_NORTH_HALVES: Final = ((25.0, 1.0), (75.0, 1.0))


class Raster:
    """The raster of a tile type in its rotation 0.

    Attributes
    ----------
    labels : list of str
        The name of the segment at each spot, row by row; `BARRIER` where nothing stands.
    """

    def __init__(self, tile: TileType, lines: Outlines) -> None:
        self.labels = [_OPEN] * (SIZE * SIZE)
        for way in lines.rivers:
            for path in way.lines:
                self.draw(path, 6.0, way.segment.name)
        for way in lines.roads:
            for path in way.lines:
                self.draw(path, 6.5, way.segment.name)
        for hedge in lines.hedges:
            self.draw(hedge, 2.5, BARRIER)
        if lines.hub:
            self.stamp((50.0, 50.0), 11.0, BARRIER)
        for city in lines.cities:
            self._fill(city.outline, city.segment.name)
            for wall in city.walls:
                self.draw(wall, 2.2, BARRIER)
        for passage in lines.passages:
            self.stamp(passage.start, 8.0, BARRIER)
            self.stamp(passage.end, 8.0, BARRIER)
        self._flood_fields(tile)
        self._distances: list[float] | None = None

    def at(self, point: Point) -> str:
        """The label at a point of the tile."""
        return self.labels[_spot(point)]

    def has(self, name: str) -> bool:
        """Whether a segment has any room in the drawing."""
        return name in self.labels

    def room(self, point: Point) -> float:
        """The distance from a point to the nearest spot of something else, in units."""
        return self.distances[_spot(point)] * _STEP

    # -------------------------------------------------------------------------- drawing

    def stamp(self, centre: Point, radius: float, label: str) -> None:
        """Label a disc."""
        self._distances = None
        x, y = centre
        for row in _range(y, radius):
            dy = (row + 0.5) * _STEP - y
            across = radius * radius - dy * dy
            if across >= 0:
                reach = across**0.5
                first = max(0, ceil((x - reach) / _STEP - 0.5))
                last = min(SIZE - 1, floor((x + reach) / _STEP - 0.5))
                if first <= last:
                    start = row * SIZE
                    self.labels[start + first : start + last + 1] = [label] * (last - first + 1)

    def draw(self, path: Path, radius: float, label: str) -> None:
        """Label everything near a line."""
        self.stamp(path.start, radius, label)
        for (ax, ay), (bx, by) in pairwise(path.points):
            steps = 1 + int(max(abs(bx - ax), abs(by - ay)) / _STEP)
            for i in range(1, steps + 1):
                part = i / steps
                self.stamp((ax + (bx - ax) * part, ay + (by - ay) * part), radius, label)

    def _fill(self, outline: Path, label: str) -> None:
        points = outline.points
        edges = list(zip(points, (*points[1:], points[0]), strict=True))
        for row in range(SIZE):
            y = (row + 0.5) * _STEP
            crossings = sorted(
                ax + (y - ay) * (bx - ax) / (by - ay)
                for (ax, ay), (bx, by) in edges
                if (ay > y) != (by > y)
            )
            for start, end in zip(crossings[::2], crossings[1::2], strict=False):
                for column in range(ceil(start / _STEP - 0.5), floor(end / _STEP - 0.5) + 1):
                    self.labels[row * SIZE + min(SIZE - 1, max(0, column))] = label

    # -------------------------------------------------------------------------- fields

    def _flood_fields(self, tile: TileType) -> None:
        inner = []
        for segment in tile.variants[0].segments:
            if segment.kind != "field":
                continue
            if not segment.halves:
                inner.append(segment.name)
            for half in segment.halves:
                self._flood(_spot(_half_point(half)), segment.name)
        rooms: list[tuple[int, str]] = []
        while _OPEN in self.labels and len(rooms) < SIZE:
            label = f"?{len(rooms)}"
            size = self._flood(self.labels.index(_OPEN), label)
            rooms.append((-size, label))
        names = dict(zip((label for _, label in sorted(rooms)), inner, strict=False))
        for i, label in enumerate(self.labels):
            if label.startswith("?"):
                self.labels[i] = names.get(label, BARRIER)

    def _flood(self, start: int, name: str) -> int:
        if self.labels[start] != _OPEN:
            return 0
        self.labels[start] = name
        edge = [start]
        for spot in edge:
            for near in _neighbours(spot):
                if self.labels[near] == _OPEN:
                    self.labels[near] = name
                    edge.append(near)
        return len(edge)

    # -------------------------------------------------------------------------- places

    @property
    def distances(self) -> list[float]:
        """For each spot how far (in spots) the nearest other label or edge of the tile is."""
        if self._distances is None:
            self._distances = _chamfer(self.labels)
        return self._distances

    def roomiest(
        self, name: str, *, count: int = 1, apart: float = 24.0, near: Point | None = None,
        avoid: Sequence[tuple[Point, float]] = (),
    ) -> list[Point]:  # fmt: skip
        """The places of a segment with the most room around them, best first.

        Parameters
        ----------
        apart
            How far the places are from each other.
        near
            A point that they should be near to, other things being equal.
        avoid
            Points to keep away from, each with a distance.
        """
        scored = []
        distances = self.distances
        for spot, label in enumerate(self.labels):
            if label != name:
                continue
            point = _POINTS[spot]
            if avoid and not all(_far(point, other, far) for other, far in avoid):
                continue
            score = min(distances[spot], 7.0)
            if near is not None:
                score -= 0.06 * hypot(point[0] - near[0], point[1] - near[1])
            scored.append((-round(score, 6), spot))
        found: list[Point] = []
        for _, spot in sorted(scored):
            if all(_far(_POINTS[spot], other, apart) for other in found):
                found.append(_POINTS[spot])
                if len(found) == count:
                    break
        return found

    def spots(self, name: str, room: float) -> list[Point]:
        """The spots of a segment that are at least so many spots from anything else."""
        if not room:
            return [_POINTS[spot] for spot, label in enumerate(self.labels) if label == name]
        return [
            _POINTS[spot]
            for spot, (label, far) in enumerate(zip(self.labels, self.distances, strict=True))
            if label == name and far >= room
        ]

    def middle_of(self, name: str) -> Point:
        """The mean of all spots of a segment."""
        points = [_POINTS[spot] for spot, label in enumerate(self.labels) if label == name]
        if not points:
            return (50.0, 50.0)
        return (
            sum(x for x, _ in points) / len(points),
            sum(y for _, y in points) / len(points),
        )


def _half_point(half: int) -> Point:
    """A point just inside the tile at a half-edge."""
    x, y = _NORTH_HALVES[half & 1]
    for _ in range(half >> 1):
        x, y = 100 - y, x
    return (x, y)


def _spot(point: Point) -> int:
    column = min(SIZE - 1, max(0, int(point[0] / _STEP)))
    row = min(SIZE - 1, max(0, int(point[1] / _STEP)))
    return row * SIZE + column


def _range(middle: float, radius: float) -> range:
    return range(
        max(0, int((middle - radius) / _STEP)), min(SIZE, int((middle + radius) / _STEP) + 1)
    )


def _neighbours(spot: int) -> Iterable[int]:
    column = spot % SIZE
    if column:
        yield spot - 1
    if column < SIZE - 1:
        yield spot + 1
    if spot >= SIZE:
        yield spot - SIZE
    if spot < SIZE * (SIZE - 1):
        yield spot + SIZE


def _far(a: Point, b: Point, distance: float) -> bool:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 >= distance * distance


def _chamfer(labels: list[str]) -> list[float]:
    """Distances to the nearest other label, along rows and columns, by a pass down and one up."""
    wide = SIZE + 2
    framed = [BARRIER] * wide
    for row in range(SIZE):
        framed += [BARRIER, *labels[row * SIZE : (row + 1) * SIZE], BARRIER]
    framed += [BARRIER] * wide
    far = [0.0] * len(framed)
    inside = [row * wide + column for row in range(1, SIZE + 1) for column in range(1, SIZE + 1)]
    for i in inside:
        label = framed[i]
        beside = far[i - 1] if framed[i - 1] == label else -0.3
        above = far[i - wide] if framed[i - wide] == label else -0.3
        far[i] = min(beside, above) + 1
    for i in reversed(inside):
        label = framed[i]
        beside = far[i + 1] if framed[i + 1] == label else -0.3
        below = far[i + wide] if framed[i + wide] == label else -0.3
        far[i] = min(far[i], beside + 1, below + 1)
    return [far[i] for i in inside]
