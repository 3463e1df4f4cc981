"""Where the lines of a tile run: city walls, roads, rivers and hedges, from its definition alone.

Everything is in the tile's rotation 0. A city is drawn along the corners that it touches; from
one touched corner to the next there is either the tile's edge or a wall that bends inward
around the sides between them. Where two different fields meet at a corner, a city that both
border on reaches out to that corner (so odd-shaped caps come out odd), or else a hedge does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from carcassonne.geometry import opposite
from carcassonne.render.curves import CENTRE, CORNERS, MIDDLES, Path, Point, turned_path

if TYPE_CHECKING:
    from carcassonne.tiles import Segment, TileType, Variant

__all__ = ["City", "Outlines", "Way", "outlines"]


@dataclass(frozen=True)
class City:
    """The shape of a city segment; `walls` are the parts of its outline inside the tile."""

    segment: Segment
    outline: Path
    walls: tuple[Path, ...]


@dataclass(frozen=True)
class Way:
    """A road or river segment: its lines, each from an edge of the tile inward or across."""

    segment: Segment
    lines: tuple[Path, ...]


@dataclass(frozen=True)
class Outlines:
    """All lines of a tile.

    Attributes
    ----------
    hub : bool
        Whether roads end in the middle of the tile, at a building or at some houses.
    passages : tuple of Path
        Where a city goes on below another one that crosses it, from wall to wall.
    """

    cities: tuple[City, ...]
    roads: tuple[Way, ...]
    rivers: tuple[Way, ...]
    hedges: tuple[Path, ...]
    hub: bool
    passages: tuple[Path, ...] = ()


def outlines(tile: TileType) -> Outlines:
    """Draw up the lines of a tile type in its rotation 0."""
    variant = tile.variants[0]
    spikes, hedges = _corners(variant)
    cities = tuple(
        _city(segment, spikes.get(segment.name, ()), variant)
        for segment in variant.segments
        if segment.kind == "city"
    )
    plan = _Roads(tile, variant, cities)
    rivers = tuple(
        Way(segment, _through(segment)) for segment in variant.segments if segment.kind == "river"
    )
    return Outlines(
        cities, plan.ways(), rivers, (*hedges, *plan.hedges()), plan.hub, _passages(cities)
    )


# ------------------------------------------------------------------------------ cities


def _corners(variant: Variant) -> tuple[dict[str, tuple[int, ...]], list[Path]]:
    """The corners that cities reach out to, and hedges at corners that no city reaches."""
    spikes: dict[str, tuple[int, ...]] = {}
    hedges = []
    for corner in range(4):
        before, after = variant.at_half[2 * corner - 1], variant.at_half[2 * corner]
        if before is None or after is None or before is after:
            continue
        shared = [name for name in before.touches if name in after.touches]
        if shared:
            city = variant.by_name[shared[0]].name
            spikes[city] = (*spikes.get(city, ()), corner)
        else:
            hedges.append(Path.through(CORNERS[corner], CENTRE))
    return spikes, hedges


def _city(segment: Segment, spikes: tuple[int, ...], variant: Variant) -> City:
    touched = sorted({*segment.sides, *((side + 1) % 4 for side in segment.sides), *spikes})
    parts = []
    walls = []
    for corner, following in zip(touched, (*touched[1:], touched[0]), strict=True):
        sides = (following - corner) % 4 or 4
        if sides == 1 and corner in segment.sides:
            parts.append(Path.through(CORNERS[corner], CORNERS[following]))
            continue
        wall = _wall(segment, corner, sides, variant)
        parts.append(wall)
        walls.append(wall)
    return City(segment, Path.joined(parts), tuple(walls))


def _passages(cities: tuple[City, ...]) -> tuple[Path, ...]:
    """The hidden part of a city that is crossed by one drawn above it: it stays one city."""
    straight = [city for city in cities if city.segment.sides in ((0, 2), (1, 3))]
    if len(straight) != 2:
        return ()
    north_west, south_east = (wall.at(0.5) for wall in straight[1].walls)
    return (Path.through(north_west, south_east),)


_POINTED: Final = ((80.0, 12.0), (58.0, 20.0), (50.0, 44.0)), ((42.0, 20.0), (20.0, 12.0))


def _wall(segment: Segment, corner: int, sides: int, variant: Variant) -> Path:
    """The wall from a corner, clockwise around some sides that the city doesn't cover."""
    around = [(corner + i) % 4 for i in range(sides)]
    beyond = {piece.name for side in around if (piece := variant.at_side[side])} & {
        piece.name for piece in variant.segments if piece.kind == "city"
    }
    if sides == 1:
        depth = 56.0 if beyond else 34.0
        path = Path(CORNERS[0], (((20.0, depth), (80.0, depth), CORNERS[1]),))
        return turned_path(path, corner)
    if sides == 2:
        whole = len(beyond) == 1 and all(variant.at_side[side] for side in around)
        inward = (
            8.0
            if whole and variant.by_name[next(iter(beyond))].sides == tuple(sorted(around))
            else 0.0
        )
        path = Path(
            CORNERS[0],
            (((22.0 - inward, 42.0 + inward), (58.0 - inward, 78.0 + inward), CORNERS[2]),),
        )
        return turned_path(path, corner)
    if not segment.castle_base:
        first, second = _POINTED
        path = Path(CORNERS[1], (first, (*second, CORNERS[0])))
        return turned_path(path, corner - 1)
    right = (83.0, 12.0) if _is_city(variant, around[0]) else (87.0, 21.0)
    left = (17.0, 12.0) if _is_city(variant, around[-1]) else (13.0, 21.0)
    dome = ((right, (73.0, 30.0), (50.0, 30.0)), ((27.0, 30.0), left, CORNERS[0]))
    return turned_path(Path(CORNERS[1], dome), corner - 1)


def _is_city(variant: Variant, side: int) -> bool:
    piece = variant.at_side[side]
    return piece is not None and piece.kind == "city"


# ------------------------------------------------------------------------------ roads


def _through(segment: Segment) -> tuple[Path, ...]:
    """The lines of a road or river that joins several sides, or ends in the middle."""
    sides = segment.sides
    if len(sides) == 2:
        return (_between(*sides),)
    return tuple(Path.through(MIDDLES[side], CENTRE) for side in sides)


def _between(a: int, b: int) -> Path:
    """A line from one side to another: a quarter of a ring, or nearly straight."""
    start, end = MIDDLES[a], MIDDLES[b]
    if b == opposite(a):
        return Path(start, ((_towards(start, 0.6, 5), _towards(end, 0.6, 5), end),))
    return Path(start, ((_towards(start, 0.5), _towards(end, 0.5), end),))


def _towards(point: Point, share: float, aside: float = 0.0) -> Point:
    """A point on the way from a side's middle to the centre, or somewhat beside it."""
    dx, dy = CENTRE[0] - point[0], CENTRE[1] - point[1]
    return (
        point[0] + dx * share - dy / 50 * aside,
        point[1] + dy * share + dx / 50 * aside,
    )


class _Roads:
    """Finds out where roads end: at another side, a city's gate, or the middle of the tile."""

    def __init__(self, tile: TileType, variant: Variant, cities: tuple[City, ...]) -> None:
        self.variant = variant
        self.cities = cities
        self.roads = [s for s in variant.segments if s.kind == "road"]
        built = tile.cloister or tile.bazaar
        ending = [s for s in self.roads if len(s.sides) == 1 and not s.tunnel]
        self.gates = (
            {} if built else {s.sides[0]: city for s in ending if (city := self._gate(s.sides[0]))}
        )
        left = [s for s in ending if s.sides[0] not in self.gates]
        self.unserved = self._unserved(left)
        self.straight_on = len(left) == 1 and len(self.unserved) == 1 and not built
        if self.straight_on:
            self.gates[left[0].sides[0]] = self.unserved.pop()[0]
        self.covered = any(_holds_centre(city) for city in cities)
        self.hub = bool(left) and not self.straight_on and (built or not self.covered)

    def _gate(self, side: int) -> City | None:
        """The city at which a road ends: it parts two fields that both border on that city."""
        left, right = self.variant.at_half[2 * side], self.variant.at_half[2 * side + 1]
        if left is None or right is None or left is right:
            return None
        for city in self.cities:
            name = city.segment.name
            if name in left.touches and name in right.touches:
                return city
        return None

    def _unserved(self, to_middle: list[Segment]) -> list[tuple[City, Path]]:
        """Walls along which the field changes although no road ends there: something must."""
        found = []
        ending = {s.sides[0] for s in to_middle}
        for city in self.cities:
            for wall in city.walls:
                fields = self._fields_along(city, wall)
                names = [f.name for _, f in fields]
                gates = sum(
                    1
                    for side, other in self.gates.items()
                    if other is city and side in {side for side, _ in fields}
                )
                changes = len(dict.fromkeys(names)) - 1
                if changes > gates and (ending or not gates):
                    found.append((city, wall))
        return found

    def _fields_along(self, city: City, wall: Path) -> list[tuple[int, Segment]]:
        """The fields that border on a wall, clockwise along it, with their sides."""
        first = CORNERS.index(wall.start)
        last = CORNERS.index(wall.end)
        sides = [(first + i) % 4 for i in range((last - first) % 4 or 4)]
        found = []
        for side in sides:
            for half in (2 * side, 2 * side + 1):
                piece = self.variant.at_half[half]
                if piece and piece.kind == "field" and city.segment.name in piece.touches:
                    found.append((side, piece))
        return found

    def ways(self) -> tuple[Way, ...]:
        """The roads with their lines."""
        return tuple(Way(s, self._lines(s)) for s in self.roads)

    def _lines(self, road: Segment) -> tuple[Path, ...]:
        if road.tunnel:
            return tuple(self._into_tunnel(side) for side in road.sides)
        if road.sides[0] in self.gates:
            return (self._to_gate(road.sides[0]),)
        return _through(road)

    def _into_tunnel(self, side: int) -> Path:
        """The part of a road before its tunnel; short where the field goes on around its mouth."""
        start = MIDDLES[side]
        around = self.variant.at_half[2 * side] is self.variant.at_half[2 * side + 1]
        share = 0.22 if around else 0.9 if self.covered else 0.5
        return Path.through(start, _towards(start, share))

    def _to_gate(self, side: int) -> Path:
        """A road from a side into a city, whose shape will cover its end."""
        city = self.gates[side]
        others = sorted(s for s, other in self.gates.items() if other is city)
        wall = next(w for w in city.walls if side in _spanned(w))
        span = _spanned(wall)
        here = [s for s in span if s in others]
        if len(span) == 1 or (len(here) == 1 and len(span) == 2):
            share = 0.5
        elif len(span) == 2:
            share = 0.3 if here[0] == side else 0.7
        else:
            share = (0.32, 0.5, 0.68)[span.index(side)]
        gate = wall.at(share)
        inside = _inside(city, gate)
        start = MIDDLES[side]
        return Path(start, ((_towards(start, 0.45), _beyond(gate, inside, -14), inside),))

    def hedges(self) -> list[Path]:
        """Hedges from walls to the middle, where only that keeps two fields apart."""
        found = []
        for _, wall in self.unserved:
            gate = wall.at(0.5)
            target = CENTRE
            bends = [_between(*s.sides).at(0.5) for s in self.roads if len(s.sides) == 2]
            if bends and not self.hub:
                target = bends[0]
            found.append(Path.through(gate, target))
        return found


def _spanned(wall: Path) -> list[int]:
    """The sides that a wall runs around, clockwise."""
    first, last = CORNERS.index(wall.start), CORNERS.index(wall.end)
    return [(first + i) % 4 for i in range((last - first) % 4 or 4)]


def _inside(city: City, gate: Point) -> Point:
    """A point a little behind a gate, towards the sides that the city covers."""
    sides = city.segment.sides
    x = sum(MIDDLES[side][0] for side in sides) / len(sides)
    y = sum(MIDDLES[side][1] for side in sides) / len(sides)
    return _beyond(gate, (x, y), 9)


def _beyond(start: Point, towards: Point, steps: float) -> Point:
    dx, dy = towards[0] - start[0], towards[1] - start[1]
    length = (dx * dx + dy * dy) ** 0.5 or 1.0
    return (start[0] + dx / length * steps, start[1] + dy / length * steps)


def _holds_centre(city: City) -> bool:
    """Whether the middle of the tile lies inside a city (the even-odd rule)."""
    points = city.outline.points
    inside = False
    for (ax, ay), (bx, by) in zip(points, (*points[1:], points[0]), strict=True):
        if (ay > 50) != (by > 50) and ax + (50 - ay) * (bx - ax) / (by - ay) > 50:
            inside = not inside
    return inside
