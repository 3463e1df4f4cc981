"""The board as text: blocks of characters side by side, with coordinates at the rim.

Owns the picture (`board_text`, its legend, the players' letters); single tiles are
`carcassonne.render.blocks`', everything told in words `carcassonne.render.words`'. The picture
shows what `Game` says and decides nothing.
"""

from __future__ import annotations

import re
from itertools import groupby
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from carcassonne.render.blocks import GLYPHS, SIZES, Size, Spot, sketch, to_ascii
from carcassonne.render.log import auction_log, event_lines
from carcassonne.render.words import (
    columns,
    feature_lines,
    final_lines,
    flowed,
    market_lines,
    player_marks,
    score_lines,
    wrapped,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from carcassonne.geometry import Cell
    from carcassonne.model.board import Placement
    from carcassonne.model.game import Game
    from carcassonne.moves import Address

__all__ = [
    "auction_log",
    "board_text",
    "can_show",
    "columns",
    "event_lines",
    "feature_lines",
    "final_lines",
    "market_lines",
    "player_marks",
    "score_lines",
    "to_ascii",
    "without_colour",
]

_TALLEST: Final = 45
"""Lines that a picture of large blocks may have; beyond it blocks of three lines are used."""
_NO_NOTES: Final[Mapping[Cell | Address, str]] = MappingProxyType({})
_ESCAPE: Final = re.compile(r"\x1b\[[0-9;]*m")
_COLOURS: Final = {
    "field": "32", "city": "33", "road": "1", "river": "34", "cloister": "1;31", "bridge": "1;35",
    "castle": "1;33", "pennant": "1;34", "bazaar": "1;36", "inn": "36", "cathedral": "1;31",
    "note": "1;36", "pig": "35", "barn": "35",
}  # fmt: skip
_PLAYER_COLOURS: Final = ("1;97;41", "1;97;44", "1;30;43", "1;97;45", "1;30;46", "1;30;47")

_LEGEND: Final = {
    "city": "city", "river": "river", "cloister": "cloister", "castle": "castle",
    "pennant": "pennant", "bazaar": "bazaar", "inn": "inn", "cathedral": "cathedral",
    "pig": "pig", "barn": "barn",
}  # fmt: skip


class _Glyph(NamedTuple):
    """A character and what it shows: a kind of `_COLOURS`, or `player 0` and so on."""

    char: str
    kind: str


_Picture = dict[Spot, _Glyph]
_Pieces = dict["Address", list[_Glyph]]
"""What stands on segments: castles, then pigs and barns, then meeples."""


def can_show(encoding: str | None) -> bool:
    """Whether a terminal's encoding has every glyph of the picture."""
    try:
        "".join((*GLYPHS.values(), "│─└┌┐┘├┬┤┴┼╲╱…")).encode(encoding or "ascii")  # noqa: RUF001
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def without_colour(text: str) -> str:
    """The text without terminal escapes."""
    return _ESCAPE.sub("", text)


def board_text(
    game: Game,
    *,
    width: int = 80,
    colour: bool = False,
    ascii_only: bool = False,
    notes: Mapping[Cell | Address, str] = _NO_NOTES,
    legend: bool = True,
    features: bool = True,
    focus: Cell | None = None,
) -> str:
    """The board as text, with its coordinates and a legend.

    Parameters
    ----------
    width
        No line is longer. Smaller blocks are used as the board grows; where even the smallest
        are too wide, the board is cut into panels from west to east.
    colour
        Add ANSI colours.
    ascii_only
        For terminals without box-drawing characters.
    notes
        Short texts to show in the middle of cells, empty ones in particular, or on segments.
    legend
        Explain the glyphs that occur, and the players' letters, below.
    features
        List the occupied features and the castles below.
    focus
        Show only this cell and those around it, as large as possible.

    Returns
    -------
    str
        Lines without trailing blanks. Meeples are capital letters, farmers small ones; a bridge
        is a double line over the tile, and a meeple on it stands in that line.
    """
    on_cells = {key: note for key, note in notes.items() if isinstance(key, tuple)}
    cells = [cell for cell in (*game.tiles, *on_cells) if _is_near(cell, focus)]
    columns_, rows = _span([c[0] for c in cells]), _span([c[1] for c in cells])
    rim = max(len(str(rows[0])), len(str(rows[-1]))) + 1
    size = _fitting_size(len(columns_), len(rows), width - rim)
    marks = player_marks(game.players)
    pieces = _pieces(game, marks)
    for key, note in notes.items():
        if not isinstance(key, tuple):
            pieces.setdefault(key, []).extend(_Glyph(char, "note") for char in note)
    pictures = {
        cell: _picture(game.tiles[cell], size, pieces) for cell in cells if cell in game.tiles
    }
    for cell, note in on_cells.items():
        _write_note(pictures.setdefault(cell, {}), note, size)
    per_panel = max(1, (width - rim) // size.width)
    panels = _cut(columns_, per_panel)
    lines: list[str] = []
    for panel in panels:
        if len(panels) > 1:
            lines += _panel_title(panel, columns_, width)
        lines += _panel(pictures, panel, rows, size, rim, colour=colour)
    if legend:
        lines += ["", *_legend_lines(pictures, marks, width)]
    if features:
        below = feature_lines(game, width=width)
        lines += ["", *below] if below else []
    text = "\n".join(lines)
    return to_ascii(text) if ascii_only else text


def _is_near(cell: Cell, focus: Cell | None) -> bool:
    return not focus or max(abs(cell[0] - focus[0]), abs(cell[1] - focus[1])) <= 1


def _span(numbers: Sequence[int]) -> range:
    return range(min(numbers, default=0), max(numbers, default=0) + 1)


def _fitting_size(columns_: int, rows: int, width: int) -> Size:
    """The largest block with which the board is neither too wide nor too tall."""
    for size in SIZES[:-1]:
        if columns_ * size.width <= width and (size.height <= 3 or rows * size.height <= _TALLEST):
            return size
    return SIZES[-1]


def _cut(columns_: range, most: int) -> list[range]:
    """Columns cut into as few panels as possible, about equally wide."""
    count = -(-len(columns_) // most)
    each = -(-len(columns_) // count)
    return [columns_[i : i + each] for i in range(0, len(columns_), each)]


def _panel_title(panel: range, columns_: range, width: int) -> list[str]:
    """Say which columns a panel shows."""
    shown = f"columns {panel[0]} to {panel[-1]}" if len(panel) > 1 else f"column {panel[0]}"
    title = f"{shown} (of {columns_[0]} to {columns_[-1]})"
    start = [] if panel[0] == columns_[0] else [""]
    return [*start, *wrapped(title, width)]


# ------------------------------------------------------------------------------ pieces


def _pieces(game: Game, marks: Mapping[str, str]) -> _Pieces:
    on: _Pieces = {}
    for castle in game.castles:
        for node in game.feature(castle.at).segments:
            on.setdefault(node, []).append(_Glyph(GLYPHS["castle"], "castle"))
    seats = {name: seat for seat, name in enumerate(game.players)}
    for token in sorted(game.tokens(), key=lambda token: token.kind == "meeple"):
        glyph = _Glyph(GLYPHS.get(token.kind, ""), token.kind)
        if token.kind == "meeple":
            mark = marks[token.player]
            farmer = token.at.segment.startswith("field")
            glyph = _Glyph(mark.lower() if farmer else mark, f"player {seats[token.player]}")
        on.setdefault(token.at, []).append(glyph)
    return on


def _picture(placement: Placement, size: Size, pieces: _Pieces) -> _Picture:
    """A tile with everything that stands on it."""
    drawn = sketch(placement.tile, placement.rotation, placement.bridges, size)
    picture = {spot: _Glyph(char, drawn.kinds[spot]) for spot, char in drawn.glyphs.items()}
    taken: set[Spot] = set()
    anywhere = tuple(spot for spot, kind in drawn.kinds.items() if kind not in ("bridge", "road"))
    for name, node in placement.nodes.items():
        for glyph in pieces.get(node, ()):
            spot = _free_spot((*drawn.spots[name], *anywhere), taken)
            if spot:
                picture[spot] = glyph
    for kind, spots in drawn.extras:
        spot = _free_spot(spots, taken)
        if spot:
            picture[spot] = _Glyph(GLYPHS[kind], kind)
    return picture


def _free_spot(spots: Sequence[Spot], taken: set[Spot]) -> Spot | None:
    """Take the first spot that is still free."""
    for spot in spots:
        if spot not in taken:
            taken.add(spot)
            return spot
    return None


def _write_note(picture: _Picture, note: str, size: Size) -> None:
    """Write into the middle of a cell; `10-12` is `10+` where there is no room for it."""
    text = note if len(note) <= size.width else note.partition("-")[0] + "+"
    text = text[: size.width]
    left = (size.width - len(text)) // 2
    for i, char in enumerate(text):
        picture[left + i, size.height // 2] = _Glyph(char, "note")


# ------------------------------------------------------------------------------ lines


def _panel(
    pictures: Mapping[Cell, _Picture], panel: range, rows: range, size: Size, rim: int,
    *, colour: bool,
) -> list[str]:  # fmt: skip
    head = " " * rim + "".join(str(x).center(size.width) for x in panel)
    lines = [head.rstrip()]
    for y in rows:
        for line in range(size.height):
            label = str(y) if line == size.height // 2 else ""
            glyphs = [
                pictures.get((x, y), {}).get((column, line), _Glyph(" ", "gap"))
                for x in panel
                for column in range(size.width)
            ]
            while glyphs and glyphs[-1].char == " ":
                glyphs.pop()
            lines.append(f"{label.rjust(rim - 1)} {_coloured(glyphs, colour=colour)}".rstrip())
    return [*lines, head.rstrip()] if len(rows) > 3 else lines


def _coloured(glyphs: Sequence[_Glyph], *, colour: bool) -> str:
    if not colour:
        return "".join(glyph.char for glyph in glyphs)
    parts = []
    for kind, run in groupby(glyphs, key=lambda glyph: glyph.kind):
        parts.append(_paint("".join(glyph.char for glyph in run), kind))
    return "".join(parts)


def _paint(text: str, kind: str) -> str:
    code = _COLOURS.get(kind, "")
    if kind.startswith("player "):
        code = _PLAYER_COLOURS[int(kind.removeprefix("player "))]
    return f"\x1b[{code}m{text}\x1b[0m" if code else text


def _legend_lines(
    pictures: Mapping[Cell, _Picture], marks: Mapping[str, str], width: int
) -> list[str]:
    """Explain the glyphs that occur, and the letters of the players."""
    shown = {glyph for picture in pictures.values() for glyph in picture.values()}
    chars = {glyph.char for glyph in shown}
    kinds = {glyph.kind for glyph in shown}
    entries = ["─ road"] if "road" in kinds else []
    entries += [f"{GLYPHS[k]} {text}" for k, text in _LEGEND.items() if GLYPHS[k] in chars]
    if "bridge" in kinds:
        both = " ".join(g for g in (GLYPHS["EW"], GLYPHS["NS"]) if g in chars)
        entries.append(f"{both} bridge")
    if GLYPHS["junction"] in chars:
        entries.insert(1, f"{GLYPHS['junction']} junction")
    people = [f"{mark} {name}" for name, mark in marks.items()]
    people[-1] += f" (farmers {', '.join(mark.lower() for mark in marks.values())})"
    return [*flowed(entries, width), *flowed(people, width)]
