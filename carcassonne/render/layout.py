"""Where everything on a tile goes: its lines, its buildings, and places for pieces to stand.

Worked out once a tile type, in rotation 0, from the definition alone; equal definitions give
equal layouts on every machine. Pictures turn it as they need.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple
from zlib import crc32

from carcassonne.render.curves import CENTRE, Point
from carcassonne.render.outlines import Outlines, outlines
from carcassonne.render.raster import BARRIER, Raster
from carcassonne.tiles import ABBEY

if TYPE_CHECKING:
    from carcassonne.render.outlines import Way
    from carcassonne.tiles import Segment, TileType

__all__ = ["Layout", "Thing", "layout"]

_CLOISTER_ROOM: Final = 15.0
_BAZAAR_ROOM: Final = 13.0
_CATHEDRAL_ROOM: Final = 15.0
_AROUND: Final = ((0.0, 8.0), (-15.0, 14.0), (15.0, 14.0), (-17.0, -12.0), (17.0, -12.0))
_INSETS: Final = {
    "cloister": 19.0, "bazaar": 15.0, "cathedral": 19.0, "inn": 13.0, "garden": 14.0,
    "shield": 9.5, "wine": 9.5, "grain": 9.5, "cloth": 9.5,
}  # fmt: skip
"""How far the middle of a thing stays from the tile's edges, so that nothing sticks out."""
_PLACES: Final = 5
"""Places that a segment has for pieces, where there is room."""


class Thing(NamedTuple):
    """Something that stands upright on a tile, whichever way the tile lies."""

    kind: str
    at: Point


@dataclass(frozen=True)
class Layout:
    """The drawing plan of a tile type.

    Attributes
    ----------
    lines : Outlines
        Cities, roads, rivers, hedges.
    things : tuple of Thing
        Buildings, shields, trees and the like.
    places : dict
        For each segment the points where pieces can stand, best first; never empty.
    """

    lines: Outlines
    things: tuple[Thing, ...]
    places: dict[str, tuple[Point, ...]]


def layout(tile: TileType) -> Layout:
    """The drawing plan of a tile type."""
    return _layout(tile.id, tile, tile.variants[0].segments)


@lru_cache(maxsize=512)
def _layout(name: str, tile: TileType, segments: tuple[Segment, ...]) -> Layout:
    """Remember plans by all that they depend on: sets of a user may share an id."""
    return _Planner(name, tile, segments).plan()


class _Planner:
    """Puts the things of one tile in their places, one after the other."""

    def __init__(self, name: str, tile: TileType, segments: tuple[Segment, ...]) -> None:
        self.name = name
        self.tile = tile
        self.segments = segments
        self.lines = outlines(tile)
        self.raster = Raster(tile, self.lines)
        self.things: list[Thing] = []
        self.places: dict[str, tuple[Point, ...]] = {}

    def plan(self) -> Layout:
        """Put everything in its place."""
        self._place_buildings()
        for way in self.lines.roads:
            self.places[way.segment.name] = self._road_places(way)
            if way.segment.inn:
                self._place_inn(way)
        for segment in self.segments:
            if segment.kind == "city":
                self._furnish_city(segment)
            elif segment.kind == "field":
                self._furnish_field(segment)
            elif segment.kind == "river":
                self.places[segment.name] = (CENTRE,)
        self.things.sort(key=lambda thing: (thing.at[1], thing.at[0], thing.kind))
        return Layout(self.lines, tuple(self.things), self.places)

    # -------------------------------------------------------------------------- buildings

    def _place_buildings(self) -> None:
        middle_free = self.lines.hub
        if self.tile.cloister:
            site = CENTRE if middle_free else self._site()
            middle_free = False
            abbey = set(self.tile.variants[0].edges) == {ABBEY}
            self._put("abbey" if abbey else "cloister", site, _CLOISTER_ROOM)
            site = self.things[-1].at
            self.places["cloister"] = tuple((site[0] + dx, site[1] + dy) for dx, dy in _AROUND)
        if self.tile.bazaar:
            self._put("bazaar", CENTRE if middle_free else self._site(), _BAZAAR_ROOM)
            middle_free = False
        if middle_free:
            self._put("village", CENTRE, 0.0)
        for way in self.lines.rivers:
            if len(way.segment.sides) == 1:
                self._put("pond", CENTRE, 0.0)

    def _site(self) -> Point:
        """A free place for a building, near the middle."""
        best = (-1.0, CENTRE)
        for segment in self.segments:
            if segment.kind in ("city", "field"):
                for point in self.raster.roomiest(segment.name, near=CENTRE):
                    off = ((point[0] - 50) ** 2 + (point[1] - 50) ** 2) ** 0.5
                    best = max(best, (min(self.raster.room(point), 20.0) - off / 5 + 99, point))
        return best[1]

    def _put(self, kind: str, at: Point, room: float) -> None:
        inset = _INSETS.get(kind, 0.0)
        at = (min(max(at[0], inset), 100 - inset), min(max(at[1], inset), 100 - inset))
        self.things.append(Thing(kind, at))
        if room:
            self.raster.stamp(at, room, BARRIER)

    def _place_inn(self, way: Way) -> None:
        """A lake with an inn, right beside its road."""
        best = (-1.0, CENTRE)
        for path in way.lines:
            for share in (0.3, 0.45, 0.6, 0.75):
                x, y = path.at(share)
                ahead = path.at(share + 0.05)
                dx, dy = ahead[0] - x, ahead[1] - y
                length = (dx * dx + dy * dy) ** 0.5 or 1.0
                for aside in (15.0, -15.0):
                    point = (x - dy / length * aside, y + dx / length * aside)
                    if self.raster.at(point).startswith("field"):
                        best = max(best, (round(self.raster.room(point), 1), point))
        self._put("inn", best[1], 10.0)

    # -------------------------------------------------------------------------- segments

    def _road_places(self, way: Way) -> tuple[Point, ...]:
        shares = (0.36, 0.2, 0.55) if len(way.segment.sides) == 1 else (0.5, 0.22, 0.78)
        if len(way.lines) > 1:
            shares = (0.45, 0.7, 0.2)
        points = [path.at(share) for share in shares for path in way.lines]
        own = [point for point in points if self.raster.at(point) == way.segment.name]
        return tuple(own or points)

    def _furnish_city(self, city: Segment) -> None:
        if city.cathedral:
            site = self.raster.roomiest(city.name, near=CENTRE) or [CENTRE]
            self._put("cathedral", site[0], _CATHEDRAL_ROOM)
        places = self._standing_places(city.name)
        self.places[city.name] = tuple(places)
        taken = [(places[0], 19.0)]
        marks = ["shield"] * city.pennants + ([city.goods] if city.goods else [])
        for kind in marks:
            at = self._mark_place(city.name, places, taken)
            taken.append((at, 14.0))
            self._put(kind, at, 7.0)
        self._scatter(city.name, "house", taken, area=20, room=2.3, apart=12.5, most=12)

    def _mark_place(
        self, name: str, places: list[Point], taken: list[tuple[Point, float]]
    ) -> Point:
        """Where a shield or a good is seen, if possible beside whoever stands in the city."""
        for apart in (29.0, 23.0):
            avoid = [(places[0], apart), *taken[1:]]
            spots = self.raster.roomiest(name, avoid=avoid, near=places[0])
            if spots:
                return spots[0]
        return places[-1]

    def _furnish_field(self, field: Segment) -> None:
        if not self.raster.has(field.name):
            self._lay_garden(field)
        places = self._standing_places(field.name)
        self.places[field.name] = tuple(places)
        self._scatter(field.name, "tree", [(places[0], 13.0)], area=60, room=2.1, apart=13, most=7)

    def _lay_garden(self, field: Segment) -> None:
        """An inner field that the lines leave no room for is a garden within its city."""
        spots: list[Point] = []
        for name in (*field.touches, *(s.name for s in self.segments)):
            spots = spots or self.raster.roomiest(name)
        at = spots[0] if spots else CENTRE
        self._put("garden", at, 0.0)
        self.raster.stamp(at, 10.0, field.name)

    def _standing_places(self, name: str) -> list[Point]:
        middle = self.raster.middle_of(name)
        return self.raster.roomiest(name, count=_PLACES, near=middle) or [middle]

    def _scatter(
        self, name: str, kind: str, taken: list[tuple[Point, float]], *,
        area: int, room: float, apart: float, most: int,
    ) -> None:  # fmt: skip
        """Strew small things over a segment, in an order that only the tile's id decides."""
        spots = self.raster.spots(name, room)
        count = min(most, (len(self.raster.spots(name, 0)) + area // 2) // area)
        seed = crc32(f"{self.name} {kind} {name}".encode()) | 1
        spots.sort(key=lambda point: int(point[0] * 331 + point[1] * 9973) * seed % 65521)
        keep = list(taken)
        for x, y in spots:
            if count == 0:
                break
            if all((x - px) ** 2 + (y - py) ** 2 >= far * far for (px, py), far in keep):
                keep.append(((x, y), apart))
                variety = crc32(f"{x} {y} {self.name}".encode()) % 3
                self.things.append(Thing(f"{kind}{variety}", (x, y)))
                count -= 1
