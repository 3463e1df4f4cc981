"""Boards and tile sheets as SVG pictures: the same bytes for the same position, every time.

Owns the composition: which tile, piece, mark and label is drawn where and above what. Single
tiles are `carcassonne.render.tile_svg`'s, pieces `carcassonne.render.pieces_svg`'s. A picture
shows what `Game` says and decides nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carcassonne.events import MeeplePlaced, TilePlaced
from carcassonne.geometry import cell_text, reading_order
from carcassonne.moves import Place
from carcassonne.render.curves import number, turned
from carcassonne.render.layout import layout
from carcassonne.render.lettering import text_svg, text_width
from carcassonne.render.panel import panel_svg
from carcassonne.render.pieces_svg import (
    PALETTE,
    Player,
    bridge_svg,
    castle_svg,
    deck_offset,
    piece_svg,
    place_svg,
)
from carcassonne.render.sheet import sheet_svg
from carcassonne.render.symbols import hatch_svg
from carcassonne.render.tile_svg import Drawer, aside, document, escaped, tile_svg
from carcassonne.render.words import player_marks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from carcassonne.geometry import Cell
    from carcassonne.model.board import Placement
    from carcassonne.model.game import Game
    from carcassonne.moves import Address
    from carcassonne.render.curves import Point
    from carcassonne.views import CastleView, TokenView

__all__ = ["board_svg", "looks_of", "sheet_svg", "tile_svg"]

_TABLE: Final = "#e9dfc8"
_RIM: Final = 34.0
_MARGIN: Final = 10.0
_MOST_PIXELS: Final = 1200.0
_LARGEST_CELL: Final = 110.0
_DECK: Final = 19.0
"""How far from a bridge's deck a piece stands that is not on it."""
_PIECE: Final = 1.16
"""The size of pieces on the board."""
_LAST: Final = "#e6007e"
_LEGAL: Final = "#1b7837"
_VICINITY: Final = "#7b3294"


def board_svg(
    game: Game,
    *,
    legal: bool = False,
    vicinity: bool = False,
    coordinates: bool = True,
    last_move: bool = True,
    overlay: Mapping[Cell, str] | None = None,
    panel: bool = True,
    cell_size: float | None = None,
) -> str:
    """The board as an SVG picture.

    Parameters
    ----------
    legal
        Hatch the cells where the drawn tile may legally go; those that need a bridge say so.
    vicinity
        Shade the cells of every castle's vicinity (R-CASTLE-13).
    coordinates
        Write the cells' coordinates at the rim.
    last_move
        Frame the tile laid last, and what was built or put down with it.
    overlay
        A short text for each of some cells, open ones in particular.
    panel
        Show the players, their scores and supplies, and what is to be decided, above the board.
    cell_size
        Pixels to a tile's side; by default as large as a screen allows, 110 at most.

    Returns
    -------
    str
        A whole SVG document without anything random in it: equal positions that were reached by
        equal moves give equal bytes.
    """
    picture = _Board(game, legal=legal, vicinity=vicinity, overlay=overlay or {})
    picture.lay_tiles()
    if vicinity:
        picture.shade_vicinities()
    picture.mark_cells()
    picture.build_castles()
    picture.build_bridges()
    if last_move:
        picture.frame_last()
    picture.put_pieces(ring=_last_put(game) if last_move else None)
    return picture.document(coordinates=coordinates, panel=panel, cell_size=cell_size)


def looks_of(game: Game) -> dict[str, Player]:
    """The letter and colours of each player."""
    marks = player_marks(game.players)
    return {
        name: Player(marks[name], *PALETTE[seat % len(PALETTE)])
        for seat, name in enumerate(game.players)
    }


class _Board:
    """A board being drawn, from the table upwards. Tile `x,y` lies at `100 x, 100 y`."""

    def __init__(
        self, game: Game, *, legal: bool, vicinity: bool, overlay: Mapping[Cell, str]
    ) -> None:
        self.game = game
        self.tiles = game.tiles
        self.looks = looks_of(game)
        self.drawer = Drawer()
        self.parts: list[str] = []
        self.overlay = overlay
        self.legal = _legal_cells(game) if legal else {}
        areas = [cell for castle in game.castles for cell in castle.vicinity] if vicinity else []
        cells = [*self.tiles, *self.legal, *overlay, *areas] or [(0, 0)]
        self.left, self.right = min(c[0] for c in cells), max(c[0] for c in cells)
        self.top, self.bottom = min(c[1] for c in cells), max(c[1] for c in cells)
        self.castled = {
            node: castle for castle in game.castles for node in game.feature(castle.at).segments
        }

    # -------------------------------------------------------------------------- layers

    def lay_tiles(self) -> None:
        """Every tile, with its cell and name as a tooltip."""
        for cell in sorted(self.tiles, key=reading_order):
            laid = self.tiles[cell]
            drawn = self.drawer.tile(
                laid.tile, laid.rotation, 100 * cell[0], 100 * cell[1], bridges=laid.bridges
            )
            name = escaped(f"{cell_text(cell)} {laid.tile.id} r{90 * laid.rotation}")
            self.parts.append(f"<g><title>{name}</title>{drawn}</g>")

    def shade_vicinities(self) -> None:
        """The six cells of each castle, also where no tile lies."""
        if self.game.castles:
            self.drawer.define_raw("vicinity", hatch_svg("vicinity", _VICINITY, 10))
        for castle in self.game.castles:
            xs, ys = [c[0] for c in castle.vicinity], [c[1] for c in castle.vicinity]
            owner = self._owner(castle)
            box = (
                f'<rect x="{100 * min(xs) + 4}" y="{100 * min(ys) + 4}" '
                f'width="{100 * (max(xs) - min(xs)) + 92}" '
                f'height="{100 * (max(ys) - min(ys)) + 92}" rx="12"'
            )
            self.parts.append(
                f'{box} fill="url(#vicinity)" fill-opacity=".26" stroke="#fffaf0" '
                f'stroke-width="6"/>{box} fill="none" stroke-width="3.4" stroke-dasharray="10 5" '
                f'stroke="{owner.colour if owner else _VICINITY}"/>'
            )

    def mark_cells(self) -> None:
        """Legal cells and the texts of the overlay."""
        if self.legal:
            self.drawer.define_raw("legal", hatch_svg("legal", _LEGAL))
        for cell, bridged in sorted(self.legal.items(), key=lambda item: reading_order(item[0])):
            x, y = 100 * cell[0], 100 * cell[1]
            self.parts.append(
                f'<rect x="{x + 5}" y="{y + 5}" width="90" height="90" rx="8" fill="url(#legal)" '
                f'fill-opacity=".38" stroke="{_LEGAL}" stroke-width="2.6"/>'
            )
            if bridged:
                key = self.drawer.define("bridge", bridge_svg())
                shift = 22 if cell in self.overlay else 0
                self.parts.append(place_svg(key, x + 50, y + 50 + shift, 0.6))
        for cell, text in sorted(self.overlay.items(), key=lambda item: reading_order(item[0])):
            self.parts.append(_note(text, 100 * cell[0] + 50, 100 * cell[1] + 50))

    def build_castles(self) -> None:
        """Every castle over its two tiles."""
        for castle in self.game.castles:
            key = self.drawer.define("castle", castle_svg(castle.cells, self._owner(castle)))
            self.parts.append(place_svg(key, *_castle_point(castle)))

    def build_bridges(self) -> None:
        """Every bridge over its tile; a second one crosses above the first."""
        for cell in sorted(self.tiles, key=reading_order):
            for axis in sorted(self.tiles[cell].bridges, reverse=True):
                key = self.drawer.define("bridge", bridge_svg())
                x, y = 100 * cell[0] + 50, 100 * cell[1] + 50
                turn = "" if axis else " rotate(90)"
                self.parts.append(f'<use href="#{key}" transform="translate({x} {y}){turn}"/>')

    def frame_last(self) -> None:
        """The tile laid last."""
        cell = _last_cell(self.game)
        if cell is not None:
            x, y = 100 * cell[0], 100 * cell[1]
            box = f'<rect x="{x + 1.5:g}" y="{y + 1.5:g}" width="97" height="97" rx="3" fill="none"'
            self.parts.append(
                f'{box} stroke="#fffaf0" stroke-width="6"/>{box} stroke="{_LAST}" '
                'stroke-width="3.4"/>'
            )

    def put_pieces(self, *, ring: Address | None) -> None:
        """Meeples, pigs and barns; a ring around those on one segment."""
        standing: dict[Address, int] = {}
        taken: dict[Cell, list[Point]] = {}
        for token in self.game.tokens():
            castle = self.castled.get(token.at)
            if castle is not None:
                x, y = _castle_point(castle)
                point = (x + 26 * standing.get(castle.at, 0), y + 5)
                standing[castle.at] = standing.get(castle.at, 0) + 1
            else:
                point = self._free_place(token.at, taken.setdefault(token.at.cell, []))
            self._put(token, point, ringed=token.kind == "meeple" and token.at == ring)

    def _put(self, token: TokenView, point: Point, *, ringed: bool) -> None:
        farmer = token.kind == "meeple" and token.at.segment.startswith("field")
        kind = "farmer" if farmer else token.kind
        key = self.drawer.define(kind, piece_svg(kind, self.looks[token.player]))
        if ringed:
            self.parts.append(
                f'<circle cx="{number(point[0])}" cy="{number(point[1])}" r="20" fill="#fffaf0" '
                f'fill-opacity=".55" stroke="{_LAST}" stroke-width="2.6"/>'
            )
        name = escaped(f"{token.player}: {token.kind} on {token.at}")
        self.parts.append(f"<g><title>{name}</title>{place_svg(key, *point, _PIECE)}</g>")

    def _free_place(self, at: Address, taken: list[Point]) -> Point:
        """A place on a segment that no other piece has, off any bridge that it is not on."""
        laid = self.tiles[at.cell]
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

    def _owner(self, castle: CastleView) -> Player | None:
        return self.looks.get(castle.owner)

    # -------------------------------------------------------------------------- the whole

    def document(self, *, coordinates: bool, panel: bool, cell_size: float | None) -> str:
        """The finished picture."""
        rim = _RIM if coordinates else _MARGIN
        columns, rows = self.right - self.left + 1, self.bottom - self.top + 1
        width = max(100.0 * columns + 2 * rim, 560.0 if panel else 0.0)
        across = (width - 100 * columns) / 2 - 100 * self.left
        head, height_of_head = "", 0.0
        if panel:
            head, height_of_head = panel_svg(self.game, self.looks, self.drawer, width)
        height = height_of_head + 100 * rows + 2 * rim
        down = height_of_head + rim - 100 * self.top
        labels = self._labels() if coordinates else ""
        body = (
            f'<path d="M0 0h{number(width)}v{number(height)}h-{number(width)}z" fill="{_TABLE}"/>'
            f'{head}<g transform="translate({number(across)} {number(down)})">'
            f"{labels}{''.join(self.parts)}</g>"
        )
        if cell_size is None:
            cell_size = min(_LARGEST_CELL, 100 * _MOST_PIXELS / max(width, height))
        title = escaped(f"Carcassonne: {_summary(self.game)}")
        return document(
            body, self.drawer.defs, width=width, height=height, scale=cell_size / 100, title=title
        )

    def _labels(self) -> str:
        columns = [
            (str(x), 100 * x + 50, y)
            for x in range(self.left, self.right + 1)
            for y in (100 * self.top - 17, 100 * self.bottom + 117)
        ]
        rows = [
            (str(y), x, 100 * y + 50)
            for y in range(self.top, self.bottom + 1)
            for x in (100 * self.left - 17, 100 * self.right + 117)
        ]
        return "".join(
            text_svg(text, x, y, 13, colour="#6b5b45", weight=1.1) for text, x, y in columns + rows
        )


def _summary(game: Game) -> str:
    scores = ", ".join(f"{name} {points}" for name, points in game.scores.items())
    return f"{len(game.tiles)} tiles; {scores}"


# ------------------------------------------------------------------------------ where things are


def _legal_cells(game: Game) -> dict[Cell, bool]:
    """The legal cells of the drawn tile, and whether each needs a bridge."""
    found: dict[Cell, bool] = {}
    for move in game.legal_moves():
        if isinstance(move, Place):
            found[move.cell] = found.get(move.cell, True) and move.bridge is not None
    return found


def _last_cell(game: Game) -> Cell | None:
    for event in reversed(game.events):
        if isinstance(event, TilePlaced):
            return event.cell
    return None


def _last_put(game: Game) -> Address | None:
    """Where a meeple was put with the tile laid last."""
    for event in reversed(game.events):
        if isinstance(event, MeeplePlaced):
            return event.at
        if isinstance(event, TilePlaced):
            return None
    return None


def _castle_point(castle: CastleView) -> Point:
    """The middle of the edge between the two tiles of a castle."""
    (ax, ay), (bx, by) = castle.cells[0], castle.cells[-1]
    return (50.0 * (ax + bx) + 50, 50.0 * (ay + by) + 50)


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


def _note(text: str, x: float, y: float) -> str:
    """A label on a cell, as large as the cell allows."""
    size = min(17.0, 17.0 * 72 / max(text_width(text, 17), 1))
    wide = text_width(text, size) + 16
    return (
        f'<rect x="{number(x - wide / 2)}" y="{number(y - size / 2 - 8)}" width="{number(wide)}" '
        f'height="{number(size + 16)}" rx="8" fill="#fffaf0" fill-opacity=".9" stroke="#6b5b45" '
        f'stroke-width="1.2"/>{text_svg(text, x, y, size, weight=1.15)}'
    )
