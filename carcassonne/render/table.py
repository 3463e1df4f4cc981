"""What lies on the table as pieces of SVG, each by itself: tiles, castles, bridges, tokens.

`carcassonne.render.svg` composes still pictures of them, `carcassonne.render.timeline` a game
that can be stepped through. Tile `x,y` lies at `100 x, 100 y`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from carcassonne.geometry import AXES, cell_text, reading_order
from carcassonne.render.curves import Point, turned
from carcassonne.render.layout import layout
from carcassonne.render.pieces_svg import (
    PALETTE,
    Player,
    bridge_svg,
    castle_svg,
    deck_offset,
    piece_svg,
    place_svg,
)
from carcassonne.render.tile_svg import Drawer, aside
from carcassonne.render.words import player_marks

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from carcassonne.geometry import Cell
    from carcassonne.model.board import Placement
    from carcassonne.model.game import Game
    from carcassonne.moves import Address
    from carcassonne.views import CastleView, TokenView

__all__ = ["Part", "TablePicture", "looks_of", "segment_point"]

_DECK: Final = 19.0
"""How far from a bridge's deck a piece stands that is not on it."""
_PIECE: Final = 1.16
"""The size of pieces on the board."""


class Part(NamedTuple):
    """One thing on the table: its name in words, the middle of it, and its drawing."""

    name: str
    at: Point
    markup: str


def looks_of(game: Game) -> dict[str, Player]:
    """The letter and colours of each player."""
    marks = player_marks(game.players)
    return {
        name: Player(marks[name], *PALETTE[seat % len(PALETTE)])
        for seat, name in enumerate(game.players)
    }


class TablePicture:
    """The table of a game as it is now, drawn with the definitions of a drawer."""

    def __init__(self, game: Game, drawer: Drawer, looks: Mapping[str, Player]) -> None:
        self.game = game
        self.drawer = drawer
        self.looks = looks
        self.laid = game.tiles
        self.cells = sorted(self.laid, key=reading_order)
        self._castles = game.castles
        self._castled = {
            node: castle for castle in self._castles for node in game.feature(castle.at).segments
        }

    def tiles(self) -> Iterator[Part]:
        """Every tile, in reading order."""
        for cell in self.cells:
            laid = self.laid[cell]
            drawn = self.drawer.tile(
                laid.tile, laid.rotation, 100 * cell[0], 100 * cell[1], bridges=laid.bridges
            )
            yield Part(
                f"{cell_text(cell)} {laid.tile.id} r{90 * laid.rotation}", _middle(cell), drawn
            )

    def castles(self) -> Iterator[Part]:
        """Every castle over its two tiles, in the order of building."""
        for castle in self._castles:
            key = self.drawer.define("castle", castle_svg(castle.cells, self.owner(castle)))
            at = _castle_point(castle)
            whose = f"{castle.owner}'s castle" if castle.owner else "a castle of nobody"
            yield Part(f"{whose} on {castle.at}", at, place_svg(key, *at))

    def bridges(self) -> Iterator[Part]:
        """Every bridge over its tile; a second one crosses above the first."""
        for cell in self.cells:
            for axis in sorted(self.laid[cell].bridges, reverse=True):
                key = self.drawer.define("bridge", bridge_svg())
                x, y = _middle(cell)
                turn = "" if axis else " rotate(90)"
                drawn = f'<use href="#{key}" transform="translate({x} {y}){turn}"/>'
                yield Part(f"bridge on {cell_text(cell)} {AXES[axis]}", (x, y), drawn)

    def tokens(self) -> Iterator[tuple[TokenView, Part]]:
        """Meeples, pigs and barns, each where no other one stands."""
        standing: dict[Address, int] = {}
        taken: dict[Cell, list[Point]] = {}
        for token in self.game.tokens():
            castle = self._castled.get(token.at)
            if castle is not None:
                x, y = _castle_point(castle)
                point = (x + 26 * standing.get(castle.at, 0), y + 5)
                standing[castle.at] = standing.get(castle.at, 0) + 1
            else:
                place = taken.setdefault(token.at.cell, [])
                point = _free_place(self.laid[token.at.cell], token.at, place)
            farmer = token.kind == "meeple" and token.at.segment.startswith("field")
            kind = "farmer" if farmer else token.kind
            key = self.drawer.define(kind, piece_svg(kind, self.looks[token.player]))
            name = f"{token.player}: {token.kind} on {token.at}"
            yield token, Part(name, point, place_svg(key, *point, _PIECE))

    def point_of(self, at: Address) -> Point:
        """Where something is written that concerns a segment, or the castle on it."""
        castle = self._castled.get(at)
        return _castle_point(castle) if castle else segment_point(self.laid[at.cell], at)

    def owner(self, castle: CastleView) -> Player | None:
        """How the owner of a castle looks; None if it has none any more."""
        return self.looks.get(castle.owner)


def segment_point(laid: Placement, at: Address) -> Point:
    """The best place for a piece on a segment, by itself."""
    x, y = _places(laid, at.segment)[0]
    return (100 * at.cell[0] + x, 100 * at.cell[1] + y)


# ------------------------------------------------------------------------------ where things are


def _middle(cell: Cell) -> Point:
    return (100 * cell[0] + 50, 100 * cell[1] + 50)


def _castle_point(castle: CastleView) -> Point:
    """The middle of the edge between the two tiles of a castle."""
    (ax, ay), (bx, by) = castle.cells[0], castle.cells[-1]
    return (50.0 * (ax + bx) + 50, 50.0 * (ay + by) + 50)


def _free_place(laid: Placement, at: Address, taken: list[Point]) -> Point:
    """A place on a segment that no other piece has, off any bridge that it is not on."""
    places = _places(laid, at.segment)
    clear = [point for point in places if _off_bridges(laid, at.segment, point)] or places
    free = [p for p in clear if all(_apart(p, other) for other in taken)]
    if free:
        point = free[0]
    else:
        x, y = clear[0]
        point = (x + 9 * (len(taken) % 3 - 1), y + 7 * ((len(taken) + 1) // 3))
    taken.append(point)
    return (100 * at.cell[0] + point[0], 100 * at.cell[1] + point[1])


def _places(laid: Placement, segment: str) -> tuple[Point, ...]:
    """Where pieces can stand on a segment of a tile as it lies, or on its bridge."""
    piece = laid.variant.by_name.get(segment)
    if piece is None:
        axis = int(segment in ("road.E", "road.W"))
        return tuple(_on_deck(axis, along) for along in (0.0, -27.0, 27.0))
    for printed in laid.tile.variants[0].segments:
        lying = _turned_names(printed.sides, printed.halves, laid.rotation)
        same = lying == (piece.sides, piece.halves) and printed.kind == piece.kind
        if same and (printed.sides or printed.halves or printed.name == piece.name):
            plan = layout(laid.tile)
            points = [turned(point, laid.rotation) for point in plan.places[printed.name]]
            if piece.kind == "cloister":
                site = next(t.at for t in plan.things if t.kind in ("cloister", "abbey"))
                dx, dy = aside(turned(site, laid.rotation), laid.bridges)
                points = [(x + dx, y + dy) for x, y in points]
            return tuple(points)
    raise AssertionError(f"{segment} is on {laid.tile.id} in every rotation")


def _turned_names(
    sides: tuple[int, ...], halves: tuple[int, ...], rotation: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return (
        tuple(sorted((side + rotation) % 4 for side in sides)),
        tuple(sorted((half + 2 * rotation) % 8 for half in halves)),
    )


def _on_deck(axis: int, along: float) -> Point:
    """A place on a bridge where a meeple's feet are on the deck."""
    off = deck_offset(along)
    return (50 + along, 42 - off) if axis else (50 + off, 44 + along)


def _off_bridges(laid: Placement, segment: str, point: Point) -> bool:
    """Whether a place is beside every bridge on the tile that its segment isn't itself."""
    on_bridge = segment not in laid.variant.by_name
    x, y = point
    for axis in laid.bridges:
        own = on_bridge and (segment in ("road.E", "road.W")) == bool(axis)
        off = y - 50 + deck_offset(x - 50) if axis else x - 50 - deck_offset(y - 50)
        if not own and abs(off) < _DECK:
            return False
    return True


def _apart(a: Point, b: Point) -> bool:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 >= 23 * 23
