"""Tiles as SVG, drawn from their definitions alone: no image files, any valid tile draws itself.

`Drawer` collects what a picture needs: each symbol, each tile type's ground and each tile as it
lies is defined once, under a name made from what it looks like, and used as often as it occurs.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from zlib import crc32

from carcassonne.render.curves import number, turned
from carcassonne.render.layout import layout
from carcassonne.render.symbols import GRASS, SYMBOLS
from carcassonne.tiles import ABBEY

if TYPE_CHECKING:
    from collections.abc import Iterable

    from carcassonne.render.curves import Path, Point
    from carcassonne.render.layout import Layout
    from carcassonne.render.outlines import City, Way
    from carcassonne.tiles import TileType

__all__ = ["Drawer", "aside", "document", "escaped", "tile_svg", "use"]

_CITY: Final = "#dfb987"
_PAVED: Final = "#d3c19a"
_ROAD: Final = (("#7d6748", 11.4), ("#f7f0de", 8.2))
_RIVER: Final = (("#5286a8", 15.0), ("#84bfe2", 11.6))
_WALL: Final = (
    ("#46352a", 5.4, ""),
    ("#cfc4b2", 3.6, ""),
    ("#8d8071", 3.6, ' stroke-dasharray="1.5 3"'),
)
_BUILDINGS: Final = ("cloister", "abbey", "bazaar", "cathedral", "shield")
_ASIDE: Final = 10.0
_CLIP: Final = '<clipPath id="tile-edge"><path d="M0 0h100v100h-100z"/></clipPath>'


class Drawer:
    """The definitions of one picture."""

    def __init__(self) -> None:
        self._defined: dict[str, str] = {"tile-edge": _CLIP}
        self._lying: dict[tuple[TileType, int, tuple[int, ...]], str] = {}

    def define(self, name: str, markup: str) -> str:
        """Define a group once; the answer is its id, which its looks decide.

        Pictures that are shown together on one page may so share ids without harm.
        """
        plain = re.sub(r"[^A-Za-z0-9]+", "-", name)
        key = f"{plain}-{crc32(markup.encode()):08x}"
        self._defined.setdefault(key, f'<g id="{key}">{markup}</g>')
        return key

    def define_raw(self, name: str, markup: str) -> None:
        """Define something that carries its own id."""
        self._defined.setdefault(name, markup)

    @property
    def defs(self) -> str:
        """All definitions, in the order in which they were first needed."""
        return f"<defs>{''.join(self._defined.values())}</defs>"

    def symbol(self, kind: str, x: float, y: float) -> str:
        """A drawing of `SYMBOLS` at a point."""
        return use(self.define(kind, SYMBOLS[kind]), x, y)

    def tile(
        self, tile: TileType, rotation: int, x: float, y: float, *, bridges: tuple[int, ...] = ()
    ) -> str:
        """A tile as it lies, 100 by 100 units, with its north-west corner at a point.

        Buildings step aside from the middle line of `bridges`, so that they can be seen.
        """
        return use(self.lying(tile, rotation, bridges), x, y)

    def lying(self, tile: TileType, rotation: int = 0, bridges: tuple[int, ...] = ()) -> str:
        """Define a tile as it lies; the answer is the id of the group."""
        looks = (tile, rotation, bridges)
        if looks not in self._lying:
            self._lying[looks] = self._define_tile(tile, rotation, bridges)
        return self._lying[looks]

    def _define_tile(self, tile: TileType, rotation: int, bridges: tuple[int, ...]) -> str:
        plan = layout(tile)
        ground = self.define(f"ground-{tile.id}", _ground(tile, plan))
        turn = f' transform="rotate({90 * rotation} 50 50)"' if rotation else ""
        parts = [f'<use href="#{ground}"{turn}/>']
        for thing in plan.things:
            px, py = turned(thing.at, rotation)
            if thing.kind in _BUILDINGS:
                dx, dy = aside((px, py), bridges)
                px, py = px + dx, py + dy
            parts.append(self.symbol(thing.kind, px, py))
        return self.define(f"{tile.id}-r{90 * rotation}", "".join(parts))


def aside(site: Point, bridges: tuple[int, ...]) -> Point:
    """How far a building steps aside from the bridges over its tile, whose decks bow N and E."""
    x, y = site
    return (
        -_ASIDE if 0 in bridges and abs(x - 50) < _ASIDE else 0.0,
        _ASIDE if 1 in bridges and abs(y - 50) < _ASIDE else 0.0,
    )


def use(key: str, x: float, y: float) -> str:
    """A defined group at a point."""
    return f'<use href="#{key}" x="{number(x)}" y="{number(y)}"/>'


def document(body: str, defs: str, *, width: float, height: float, scale: float, title: str) -> str:
    """A whole SVG picture of a size in units, shown at `scale` pixels a unit."""
    size = f"{number(width)} {number(height)}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" '
        f'width="{number(width * scale)}" height="{number(height * scale)}" role="img" '
        f'style="max-width:100%;height:auto"><title>{title}</title>{defs}{body}</svg>\n'
    )


def tile_svg(tile: TileType, *, rotation: int = 0, cell_size: float = 100) -> str:
    """A single tile as an SVG picture.

    Parameters
    ----------
    rotation
        Clockwise quarter turns, 0 to 3.
    cell_size
        Pixels to its side.
    """
    drawer = Drawer()
    body = drawer.tile(tile, rotation & 3, 0, 0)
    return document(
        body, drawer.defs, width=100, height=100, scale=cell_size / 100, title=escaped(tile.id)
    )


def escaped(text: str) -> str:
    """Text for the content of an element."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


# ------------------------------------------------------------------------------ the ground


def _ground(tile: TileType, plan: Layout) -> str:
    """Everything of a tile that turns with it."""
    lines = plan.lines
    edges = tile.variants[0].edges
    paved = set(edges) == {ABBEY}
    parts = [f'<path d="M0 0h100v100h-100z" fill="{_PAVED if paved else GRASS}"/>']
    if not paved:
        parts += _meadow(tile.id)
        parts += [_abbey_edge(side) for side, edge in enumerate(edges) if edge == ABBEY]
    parts += _ways(lines.rivers, _RIVER)
    parts += [
        f'<path d="{hedge.d()}" fill="none" stroke="{colour}" stroke-width="{width}" '
        f'stroke-dasharray=".1 {gap}" stroke-linecap="round"/>'
        for hedge in lines.hedges
        for colour, width, gap in (("#46702f", 6, 4.4), ("#6b9a48", 3.6, 4.4))
    ]
    parts += _ways(lines.roads, _ROAD)
    parts += [_tunnel(way) for way in lines.roads if way.segment.tunnel]
    for city in lines.cities:
        parts += _city(city)
    parts += [_passage(path) for path in lines.passages]
    parts.append(
        '<path d="M0 0h100v100h-100z" fill="none" stroke="#3b2c1c" stroke-opacity=".55" '
        'stroke-width="1.4"/>'
    )
    return f'<g clip-path="url(#tile-edge)">{"".join(parts)}</g>'


def _meadow(name: str) -> Iterable[str]:
    """Soft patches of lighter and darker grass, so that no two types look quite alike."""
    for i, colour in enumerate(("#b6d07c", "#9dbb61", "#b2cd76")):
        seed = crc32(f"{name} meadow {i}".encode())
        x, y = seed % 100, seed // 100 % 100
        rx, ry = 22 + seed // 10_000 % 16, 14 + seed // 1_000_000 % 12
        yield f'<ellipse cx="{x}" cy="{y}" rx="{rx}" ry="{ry}" fill="{colour}"/>'


def _abbey_edge(side: int) -> str:
    return (
        f'<path d="M0 0h100l-18 13h-64z" fill="{_PAVED}" stroke="#8d8071" stroke-width="1" '
        f'transform="rotate({90 * side} 50 50)"/>'
    )


def _ways(ways: tuple[Way, ...], strokes: tuple[tuple[str, float], ...]) -> Iterable[str]:
    """Roads or rivers: each segment with its border whole, so that crossings show what is above."""
    for way in ways:
        d = "".join(path.d() for path in way.lines)
        for colour, width in strokes:
            yield (
                f'<path d="{d}" fill="none" stroke="{colour}" stroke-width="{width}" '
                'stroke-linejoin="round"/>'
            )


def _tunnel(way: Way) -> str:
    """Dark mouths where a road goes underground."""
    mouths = []
    for path in way.lines:
        (x, y), (sx, _) = path.end, path.start
        if abs(x - 50) + abs(y - 50) > 8:
            across = sx == x
            rx, ry = (7.0, 4.0) if across else (4.0, 7.0)
            mouths.append(
                f'<ellipse cx="{number(x)}" cy="{number(y)}" rx="{rx:g}" ry="{ry:g}" '
                'fill="#2b2118" stroke="#8d8071" stroke-width="1.6"/>'
            )
    return "".join(mouths)


def _passage(path: Path) -> str:
    """Dark gates where a city goes below another one, and broken lines between them."""
    (ax, ay), (zx, zy) = path.start, path.end
    across = abs(ax - zx) < abs(ay - zy)
    dx, dy = (6.0, 0.0) if across else (0.0, 6.0)
    lines = "".join(
        f"M{number(ax + k * dx)} {number(ay + k * dy)}L{number(zx + k * dx)} {number(zy + k * dy)}"
        for k in (-1, 1)
    )
    rx, ry = (7.0, 4.2) if across else (4.2, 7.0)
    gates = "".join(
        f'<ellipse cx="{number(x)}" cy="{number(y)}" rx="{rx:g}" ry="{ry:g}" fill="#2b2118" '
        'stroke="#8d8071" stroke-width="1.8"/>'
        for x, y in (path.start, path.end)
    )
    return (
        f'<path d="{lines}" fill="none" stroke="#46352a" stroke-width="1.5" '
        f'stroke-dasharray="2.4 1.8"/>{gates}'
    )


def _city(city: City) -> Iterable[str]:
    walls = "".join(wall.d() for wall in city.walls)
    if walls:
        yield f'<path d="{walls}" fill="none" stroke="#4a6a2a" stroke-width="9" opacity=".3"/>'
    yield f'<path d="{city.outline.d(closed=True)}" fill="{_CITY}"/>'
    for colour, width, dash in _WALL if walls else ():
        yield f'<path d="{walls}" fill="none" stroke="{colour}" stroke-width="{width}"{dash}/>'
