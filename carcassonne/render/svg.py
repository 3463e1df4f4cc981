"""Boards and tile sheets as SVG pictures: the same bytes for the same position, every time.

Owns the composition: which tile, piece, mark and label is drawn where and above what. Single
tiles are `carcassonne.render.tile_svg`'s, pieces `carcassonne.render.pieces_svg`'s. A picture
shows what `Game` says and decides nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carcassonne.events import MeeplePlaced, TilePlaced
from carcassonne.geometry import reading_order
from carcassonne.moves import Place
from carcassonne.render.curves import number
from carcassonne.render.lettering import text_svg, text_width
from carcassonne.render.panel import panel_svg
from carcassonne.render.pieces_svg import bridge_svg, place_svg
from carcassonne.render.sheet import sheet_svg
from carcassonne.render.symbols import hatch_svg
from carcassonne.render.table import TablePicture, looks_of
from carcassonne.render.tile_svg import Drawer, document, escaped, tile_svg

if TYPE_CHECKING:
    from collections.abc import Mapping

    from carcassonne.geometry import Cell
    from carcassonne.model.game import Game
    from carcassonne.moves import Address

__all__ = ["board_svg", "sheet_svg", "tile_svg"]

_TABLE: Final = "#e9dfc8"
_RIM: Final = 34.0
_MARGIN: Final = 10.0
_MOST_PIXELS: Final = 1200.0
_LARGEST_CELL: Final = 110.0
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
        self.table = TablePicture(game, self.drawer, self.looks)

    # -------------------------------------------------------------------------- layers

    def lay_tiles(self) -> None:
        """Every tile, with its cell and name as a tooltip."""
        for tile in self.table.tiles():
            self.parts.append(_titled(tile.name, tile.markup))

    def shade_vicinities(self) -> None:
        """The six cells of each castle, also where no tile lies."""
        if self.game.castles:
            self.drawer.define_raw("vicinity", hatch_svg("vicinity", _VICINITY, 10))
        for castle in self.game.castles:
            xs, ys = [c[0] for c in castle.vicinity], [c[1] for c in castle.vicinity]
            owner = self.table.owner(castle)
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
        for cell, axis in sorted(self.legal.items(), key=lambda item: reading_order(item[0])):
            x, y = 100 * cell[0], 100 * cell[1]
            self.parts.append(
                f'<rect x="{x + 5}" y="{y + 5}" width="90" height="90" rx="8" fill="url(#legal)" '
                f'fill-opacity=".38" stroke="{_LEGAL}" stroke-width="2.6"/>'
            )
            if axis is not None:
                key = self.drawer.define("bridge", bridge_svg())
                shift = 22 if cell in self.overlay else 0
                icon = place_svg(key, x + 50, y + 50 + shift, 0.6)
                turn = ' rotate(90)"/>' if axis == 0 else '"/>'
                self.parts.append(icon.replace('"/>', turn))
        for cell, text in sorted(self.overlay.items(), key=lambda item: reading_order(item[0])):
            self.parts.append(_note(text, 100 * cell[0] + 50, 100 * cell[1] + 50))

    def build_castles(self) -> None:
        """Every castle over its two tiles."""
        self.parts += [castle.markup for castle in self.table.castles()]

    def build_bridges(self) -> None:
        """Every bridge over its tile."""
        self.parts += [bridge.markup for bridge in self.table.bridges()]

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
        for token, part in self.table.tokens():
            if token.kind == "meeple" and token.at == ring:
                self.parts.append(
                    f'<circle cx="{number(part.at[0])}" cy="{number(part.at[1])}" r="20" '
                    f'fill="#fffaf0" fill-opacity=".55" stroke="{_LAST}" stroke-width="2.6"/>'
                )
            self.parts.append(_titled(part.name, part.markup))

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


def _legal_cells(game: Game) -> dict[Cell, int | None]:
    """The legal cells of the drawn tile; for those that need a bridge the axis of the first."""
    found: dict[Cell, int | None] = {}
    for move in game.legal_moves():
        if isinstance(move, Place):
            axis = move.bridge.axis if move.bridge else None
            found[move.cell] = None if axis is None else found.get(move.cell, axis)
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


def _titled(name: str, markup: str) -> str:
    return f"<g><title>{escaped(name)}</title>{markup}</g>"


def _note(text: str, x: float, y: float) -> str:
    """A label on a cell, as large as the cell allows."""
    size = min(17.0, 17.0 * 72 / max(text_width(text, 17), 1))
    wide = text_width(text, size) + 16
    return (
        f'<rect x="{number(x - wide / 2)}" y="{number(y - size / 2 - 8)}" width="{number(wide)}" '
        f'height="{number(size + 16)}" rx="8" fill="#fffaf0" fill-opacity=".9" stroke="#6b5b45" '
        f'stroke-width="1.2"/>{text_svg(text, x, y, size, weight=1.15)}'
    )
