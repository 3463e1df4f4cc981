"""One tile as a small block of characters, drawn from its definition alone.

Owns where on a block each road, city, cloister, field and bridge lies, and where pieces on it
may be shown, so that tiles of the user's own look right as well. Putting blocks together is
`carcassonne.render.text`'s. Every glyph has a plain ASCII twin of the same width (`to_ascii`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from carcassonne.geometry import AXIS_SIDES
from carcassonne.tiles import ABBEY

if TYPE_CHECKING:
    from carcassonne.tiles import Segment, TileType, Variant

__all__ = ["GLYPHS", "SIZES", "Size", "Sketch", "Spot", "sketch", "tile_lines", "to_ascii"]

Spot = tuple[int, int]
"""A character of a block: column and row."""


class Size(NamedTuple):
    """Characters and lines of a block, both odd, so that it has a middle."""

    width: int
    height: int


SIZES: Final = (Size(11, 5), Size(7, 3), Size(5, 3), Size(3, 3))
"""From large to small. A character is about twice as high as wide: these are nearly square."""

GLYPHS: Final = {
    "field": "·", "city": "▒", "river": "≈", "abbey": ":", "cloister": "⌂",
    "NS": "║", "EW": "═", "castle": "♜", "pennant": "⚑", "bazaar": "$", "inn": "∩",
    "cathedral": "‡", "pig": "¶", "barn": "▲", "junction": "×",  # noqa: RUF001 - a drawing
}  # fmt: skip
"""The glyphs of everything but roads."""

_LINES: Final = {
    (0,): "│", (2,): "│", (1,): "─", (3,): "─", (0, 2): "│", (1, 3): "─",
    (0, 1): "└", (1, 2): "┌", (2, 3): "┐", (0, 3): "┘",
    (0, 1, 2): "├", (1, 2, 3): "┬", (0, 2, 3): "┤", (0, 1, 3): "┴", (0, 1, 2, 3): "┼",
}  # fmt: skip
_HALF_POINTS: Final = (
    (-0.5, -1.0), (0.5, -1.0), (1.0, -0.5), (1.0, 0.5),
    (0.5, 1.0), (-0.5, 1.0), (-1.0, 0.5), (-1.0, -0.5),
)  # fmt: skip
"""Where the half-edges NL NR EL ER SL SR WL WR lie, the tile being from -1 to 1 each way."""
_CAP_SLACK: Final = 0.05
_CAP_DEPTH: Final = 0.35
_DIAGONAL: Final = 0.1

_ASCII: Final = str.maketrans(
    "·▒≈×⌂║═♜⚑∩‡¶▲│─└┌┐┘├┬┤┴┼╲╱…",  # noqa: RUF001 - drawing characters
    '.#~*^"=@!%&<>|-+++++++++\\/.',
)


def to_ascii(text: str) -> str:
    """The same text, just as long, for a terminal that shows ASCII only."""
    return text.translate(_ASCII).encode("ascii", "replace").decode("ascii")


class Sketch(NamedTuple):
    """A block before any pieces stand on it.

    Attributes
    ----------
    glyphs : dict
        Each spot's character.
    kinds : dict
        What each spot shows: field, city, road, river, cloister, bridge, abbey, mark or gap.
    spots : dict
        For each segment (a bridge's road too), where pieces on it go, best first; never empty.
    extras : tuple
        Printed things that are shown where pieces leave room: kind and their spots, best first.
    """

    glyphs: dict[Spot, str]
    kinds: dict[Spot, str]
    spots: dict[str, tuple[Spot, ...]]
    extras: tuple[tuple[str, tuple[Spot, ...]], ...]


@lru_cache(maxsize=4096)
def sketch(tile: TileType, rotation: int, bridges: tuple[int, ...], size: Size) -> Sketch:
    """Draw a tile as it lies, with bridges on some axes (0 NS, 1 EW). Shared: don't change it."""
    drawing = _Drawing(tile.variants[rotation], size)
    drawing.draw_cities()
    for segment in drawing.variant.segments:
        if segment.kind == "river":
            drawing.draw_line(segment)
    drawing.draw_roads(bazaar=tile.bazaar)
    drawing.draw_bridges(bridges)
    if tile.cloister:
        drawing.draw_cloister()
    drawing.draw_fields()
    return Sketch(drawing.glyphs, drawing.kinds, drawing.spots(), drawing.extras(tile))


def tile_lines(tile: TileType, rotation: int = 0, size: Size = SIZES[1]) -> list[str]:
    """A tile alone, as lines of text all of the same width."""
    drawn = sketch(tile, rotation, (), size)
    glyphs = dict(drawn.glyphs)
    taken: set[Spot] = set()
    for kind, spots in drawn.extras:
        spot = next((spot for spot in spots if spot not in taken), None)
        if spot:
            taken.add(spot)
            glyphs[spot] = GLYPHS[kind]
    return ["".join(glyphs[x, y] for x in range(size.width)) for y in range(size.height)]


class _Drawing:
    """A block in the making. `owner` says which segment each spot belongs to."""

    def __init__(self, variant: Variant, size: Size) -> None:
        self.variant = variant
        self.size = size
        self.middle = (size.width // 2, size.height // 2)
        self.all = [(x, y) for y in range(size.height) for x in range(size.width)]
        self.glyphs: dict[Spot, str] = {}
        self.kinds: dict[Spot, str] = {}
        self.owner: dict[Spot, str] = {}
        self.bridge_names: list[str] = []

    def point(self, spot: Spot) -> tuple[float, float]:
        """Where a spot's centre lies on the tile, from -1 to 1 each way."""
        return (
            (2 * spot[0] + 1) / self.size.width - 1,
            (2 * spot[1] + 1) / self.size.height - 1,
        )

    def paint(self, spot: Spot, kind: str, glyph: str, owner: str) -> None:
        self.kinds[spot], self.glyphs[spot], self.owner[spot] = kind, glyph, owner

    def distance(self, spot: Spot, to: tuple[float, float] = (0.0, 0.0)) -> float:
        u, v = self.point(spot)
        return round((u - to[0]) ** 2 + (v - to[1]) ** 2, 6)

    # -------------------------------------------------------------------------- cities

    def draw_cities(self) -> None:
        cities = [s for s in self.variant.segments if s.kind == "city"]
        for city in cities:
            for spot in self.all:
                if self.is_in_city(spot, city) and spot not in self.owner:
                    self.paint(spot, "city", GLYPHS["city"], city.name)
        if len(cities) > 1:
            self._part_cities()

    def is_in_city(self, spot: Spot, city: Segment) -> bool:
        """Whether a spot lies in a city: a cap, a corner, or all but the other sides' caps."""
        u, v = self.point(spot)
        sides = city.sides
        if len(sides) == 1:
            return self.in_cap(u, v, sides[0])
        if len(sides) == 2 and sides not in AXIS_SIDES:
            return sum(_towards(u, v, side) for side in sides) > _DIAGONAL
        return not any(self.in_cap(u, v, side) for side in range(4) if side not in sides)

    def in_cap(self, u: float, v: float, side: int) -> bool:
        """Whether a point lies in the cap of a side; the smallest tiles need their corners."""
        far, across = _towards(u, v, side), abs(u) if side in AXIS_SIDES[0] else abs(v)
        slack = -_CAP_SLACK if self.size.width <= 3 else _CAP_SLACK
        return far > _CAP_DEPTH and across < far + slack

    def _part_cities(self) -> None:
        """Leave a gap where different cities of the tile would touch: those at the sides yield."""
        standing = {s.name for s in self.variant.segments if set(s.sides) & {0, 2}}
        touching = []
        for (x, y), mine in self.owner.items():
            near = {self.owner.get(s) for s in ((x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1))}
            if mine not in standing and near - {mine, None}:
                touching.append((x, y))
        for spot in touching:
            del self.owner[spot], self.kinds[spot], self.glyphs[spot]

    # -------------------------------------------------------------------------- lines

    def arm(self, side: int) -> list[Spot]:
        """The spots from a side up to the middle, which is left out."""
        cx, cy = self.middle
        return (
            [(cx, y) for y in range(cy)],
            [(x, cy) for x in range(self.size.width - 1, cx, -1)],
            [(cx, y) for y in range(self.size.height - 1, cy, -1)],
            [(x, cy) for x in range(cx)],
        )[side]

    def draw_line(self, segment: Segment) -> None:
        """A road or river from its sides to the middle, and through it if it goes on there."""
        for side in segment.sides:
            for spot in self.arm(side):
                if self.kinds.get(spot) == "city":
                    break
                self._line_at(spot, segment, (side,))
        if len(segment.sides) > 1:
            self._line_at(self.middle, segment, segment.sides)

    def _line_at(self, spot: Spot, segment: Segment, sides: tuple[int, ...]) -> None:
        glyph = GLYPHS["river"] if segment.kind == "river" else _LINES[sides]
        self.paint(spot, segment.kind, glyph, segment.name)

    def draw_roads(self, *, bazaar: bool) -> None:
        roads = [s for s in self.variant.segments if s.kind == "road"]
        for road in sorted(roads, key=lambda road: not road.tunnel):
            self.draw_line(road)
        bent = [r for r in roads if len(r.sides) == 2 and r.sides not in AXIS_SIDES]
        if len(bent) == 2:
            falling = (0, 1) in (bent[0].sides, bent[1].sides)
            glyph = "╲" if falling else "╱"  # noqa: RUF001 - drawing characters
            self.paint(self.middle, "road", glyph, "")
        if self.middle in self.kinds or bazaar or self.variant.by_name.get("cloister"):
            return
        if len(roads) == 1:
            self._line_at(self.middle, roads[0], roads[0].sides)
        elif roads:
            self.paint(self.middle, "road", GLYPHS["junction"], "")

    def draw_bridges(self, axes: tuple[int, ...]) -> None:
        """A bridge goes over the tile from edge to edge and hides what lies below it."""
        cx, cy = self.middle
        for axis in axes:
            spots = [(cx, y) for y in range(self.size.height)]
            if axis:
                spots = [(x, cy) for x in range(self.size.width)]
            name = ("road.N", "road.E")[axis]
            self.bridge_names.append(name)
            for spot in spots:
                self.paint(spot, "bridge", GLYPHS["EW" if axis else "NS"], name)

    # -------------------------------------------------------------------------- the rest

    def draw_cloister(self) -> None:
        """As near the middle as roads and bridges allow, between brackets if there is room."""
        busy = ("road", "bridge", "river")
        x, y = min(
            (spot for spot in self.all if self.kinds.get(spot) not in busy), key=self.distance
        )
        self.paint((x, y), "cloister", GLYPHS["cloister"], "cloister")
        sides = ((x - 1, y), (x + 1, y))
        if all(0 <= s[0] < self.size.width and self.kinds.get(s) not in busy for s in sides):
            for spot, bracket in zip(sides, "[]", strict=True):
                self.paint(spot, "cloister", bracket, "")

    def draw_fields(self) -> None:
        """Everything else is grass of the field whose half-edge is nearest.

        Corners stay blank where there is room, so that tiles can be told apart.
        """
        points = [
            (point, field)
            for point, field in zip(_HALF_POINTS, self.variant.at_half, strict=True)
            if field
        ]
        last = (self.size.width - 1, self.size.height - 1)
        for spot in self.all:
            if spot in self.kinds:
                continue
            if not points:
                abbey = ABBEY in self.variant.edges
                glyph = GLYPHS["abbey"] if abbey else " "
                self.paint(spot, "abbey" if abbey else "gap", glyph, "")
                continue
            nearest = min(points, key=lambda pair: self.distance(spot, pair[0]))
            corner = last[0] > 2 and spot[0] in (0, last[0]) and spot[1] in (0, last[1])
            glyph = " " if corner else GLYPHS["field"]
            self.paint(spot, "field", glyph, nearest[1].name)

    # -------------------------------------------------------------------------- pieces

    def spots(self) -> dict[str, tuple[Spot, ...]]:
        """For each segment its spots, the one nearest to the middle of them first."""
        names = [segment.name for segment in self.variant.segments]
        found: dict[str, tuple[Spot, ...]] = {}
        for name in names:
            own = [spot for spot in self.all if self.owner.get(spot) == name]
            if name in self.bridge_names:
                own = []
            found[name] = tuple(own and self._from_the_middle(own))
        for name in self.bridge_names:
            own = [s for s in self.all if self.owner.get(s) == name and s != self.middle]
            found[name] = tuple(self._along(own))
        for name in names:
            if not found[name]:
                best = {spots[0] for spots in found.values() if spots}
                found[name] = tuple(sorted(self._instead(name), key=best.__contains__))
        return found

    def _from_the_middle(self, own: list[Spot]) -> list[Spot]:
        """Sorted from the middle of some spots outwards, edges of the block last."""
        x = sum(spot[0] for spot in own) / len(own)
        y = sum(spot[1] for spot in own) / len(own)
        return sorted(own, key=lambda s: ((s[0] - x) ** 2 + 4 * (s[1] - y) ** 2, s[1], s[0]))

    def _along(self, own: list[Spot]) -> list[Spot]:
        """A bridge's spots: half way between the middle and an end first."""
        half = max(self.distance(spot) for spot in own) / 3
        return sorted(own, key=lambda s: (abs(self.distance(s) - half), s[1], s[0]))

    def _instead(self, name: str) -> tuple[Spot, ...]:
        """Spots for a segment that has none of its own (an inner field, say): near the middle."""
        loose = [s for s in self.all if self.kinds[s] in ("field", "city", "gap", "abbey")]
        segment = self.variant.by_name[name]
        to = _HALF_POINTS[segment.halves[0]] if segment.halves else (0.1, 0.1)
        return tuple(sorted(loose or self.all, key=lambda s: self.distance(s, to)))

    def extras(self, tile: TileType) -> tuple[tuple[str, tuple[Spot, ...]], ...]:
        """Pennants, cathedrals, inns and the bazaar's sign."""
        found: list[tuple[str, tuple[Spot, ...]]] = []
        spots = self.spots()
        for segment in self.variant.segments:
            own = spots[segment.name]
            found += [("pennant", own)] * segment.pennants
            if segment.cathedral:
                found.append(("cathedral", own))
            if segment.inn:
                found.append(("inn", self._grass_near(own)))
        if tile.bazaar:
            sign = [s for s in self.all if self.kinds[s] in ("field", "city")]
            found.append(("bazaar", tuple(sorted(sign, key=self.distance))))
        return tuple(found)

    def _grass_near(self, own: tuple[Spot, ...]) -> tuple[Spot, ...]:
        """Grass beside a road, for its inn."""
        to = self.point(own[0])
        grass = [spot for spot in self.all if self.kinds[spot] == "field"]
        return tuple(sorted(grass, key=lambda s: self.distance(s, to)))


def _towards(u: float, v: float, side: int) -> float:
    """How far a point lies towards a side."""
    return (-v, u, v, -u)[side]
