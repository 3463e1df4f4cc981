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
_ID_ROOM: Final = 72.0
_SMALLEST: Final = 6.5
"""An id is shortened in its middle rather than written smaller than this."""


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
    types = len(tile_set.tiles)
    kinds = f"{types} type" if types == 1 else f"{types} types"
    return f"{tile_set.title or tile_set.name}: {tiles} {noun}, {kinds}"


def _shortened(name: str, size: float) -> str:
    """An id that still has no room at its smallest size, without letters in its middle."""
    shown, kept = name, len(name)
    while kept > 2 and text_width(shown, size) > _ID_ROOM:
        kept -= 1
        shown = f"{name[: (kept + 1) // 2]}...{name[len(name) - kept // 2 :]}"
    return shown


def _entry(drawer: Drawer, tile: TileType, count: int, x: float, y: float) -> str:
    name = f"{tile.letter} = {tile.id}" if tile.letter else tile.id
    size = min(8.5, max(_SMALLEST, 8.5 * _ID_ROOM / max(1.0, text_width(name, 8.5))))
    name = _shortened(name, size)
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
