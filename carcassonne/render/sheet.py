"""Whole tile sets as one SVG picture: every type with its id and how many there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carcassonne.render.curves import number
from carcassonne.render.lettering import text_svg, text_width
from carcassonne.render.tile_svg import Drawer, document, escaped

if TYPE_CHECKING:
    from carcassonne.tiles import TileBox, TileSet, TileType

__all__ = ["sheet_svg"]

_TABLE: Final = "#efe6d2"
_QUIET: Final = "#6b5b45"
_STEP: Final = 122.0
_ROW: Final = 142.0
_HEAD: Final = 44.0
_MARGIN: Final = 20.0


def sheet_svg(box: TileBox, *, columns: int = 8, cell_size: float = 100) -> str:
    """Every tile type of the sets in a box, set by set, with counts.

    Parameters
    ----------
    columns
        Most tiles in a row.
    cell_size
        Pixels to a tile's side.
    """
    drawer = Drawer()
    most = max((len(tile_set.tiles) for tile_set, _ in box.sets), default=1)
    columns = max(1, min(columns, most))
    heads = [_head(box, tile_set, copies) for tile_set, copies in box.sets]
    widest = max(text_width(head, 12) for head in heads)
    width = max(2 * _MARGIN + columns * _STEP - (_STEP - 100), widest + 2 * _MARGIN)
    parts = []
    y = _MARGIN
    for (tile_set, copies), head in zip(box.sets, heads, strict=True):
        parts.append(text_svg(head, _MARGIN, y + 10, 12, anchor="start", weight=1.15))
        y += _HEAD - 12
        for i, tile in enumerate(tile_set.tiles):
            count = box.counts[tile.id] or (0 if tile.id in box.changed else tile.count * copies)
            left = _MARGIN + i % columns * _STEP
            parts.append(_entry(drawer, tile, count, left, y + i // columns * _ROW))
        y += -(-len(tile_set.tiles) // columns) * _ROW + 12
    body = (
        f'<path d="M0 0h{number(width)}v{number(y)}h-{number(width)}z" fill="{_TABLE}"/>'
        f"{''.join(parts)}"
    )
    title = escaped("; ".join(heads))
    return document(body, drawer.defs, width=width, height=y, scale=cell_size / 100, title=title)


def _head(box: TileBox, tile_set: TileSet, copies: int) -> str:
    tiles = sum(
        box.counts[tile.id] if tile.in_stack or tile.id in box.changed else tile.count * copies
        for tile in tile_set.tiles
    )
    noun = "tile" if tiles == 1 else "tiles"
    return f"{tile_set.title or tile_set.name}: {tiles} {noun}, {len(tile_set.tiles)} types"


def _entry(drawer: Drawer, tile: TileType, count: int, x: float, y: float) -> str:
    name = f"{tile.letter} = {tile.id}" if tile.letter else tile.id
    size = min(8.5, 8.5 * 72 / max(1.0, text_width(name, 8.5)))
    parts = [
        f"<g><title>{escaped(f'{tile.id}: {count}')}</title>{drawer.tile(tile, 0, x, y)}</g>",
        text_svg(name, x + 1, y + 112, size, anchor="start"),
        text_svg(f"{count}×", x + 99, y + 112, 9.5, anchor="end", weight=1.3),  # noqa: RUF001
    ]
    notes = [
        text for text, wanted in (("start", tile.start), ("not drawn", not tile.in_stack)) if wanted
    ]
    if notes:
        parts.append(text_svg(", ".join(notes), x + 1, y + 125, 6.5, anchor="start", colour=_QUIET))
    return "".join(parts)
