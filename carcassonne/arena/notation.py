"""Moves of a core game as text, fast: what records of many games are made of.

The text of a move is that of `CoreGame.decode`; most texts are looked up instead of made. What a
placement or a meeple is called follows from the tile that was laid, its cell and rotation, and the
board still shows these when the game is over; so while it is played, little more than numbers is
noted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from carcassonne.core import layout
from carcassonne.geometry import ROTATIONS, cell_text

if TYPE_CHECKING:
    from carcassonne.core.game import CoreGame
    from carcassonne.core.tables import Tables

__all__ = ["Scribe"]

_MOST: Final = 200_000
"""Texts kept before all are forgotten."""


class Scribe:
    """Writes down core games of one kind, one after the other."""

    def __init__(self, tables: Tables) -> None:
        self._placements = _Placements(tables)
        self._meeples: dict[tuple[int, int], str] = {}
        self._bazaar: dict[tuple[int, int], str] = {}
        self._tables = tables
        self._noted: list[int | str | tuple[str] | None] = []

    def begin(self) -> None:
        """Another game begins; what was noted is forgotten."""
        self._noted = []
        if len(self._placements) > _MOST:
            self._placements.clear()
        if len(self._bazaar) > _MOST:
            self._bazaar.clear()

    def note(self, game: CoreGame, phase: int, move: int) -> None:
        """Note a move that `game.move_numbers()` lists, before it is made.

        Parameters
        ----------
        phase
            The game's open decision: the number at `layout.PHASE`.
        """
        if phase == layout.PLACE and move >= 0:
            # None: to be read off the board; else the text, wrapped, for a tile is laid too
            self._noted.append((str(game.decode(move)),) if move & 3 else None)
        elif move < 0:
            self._noted.append("pass" if move == layout.PASS else "decline")
        elif phase == layout.MEEPLE and move < self._tables.segments:
            self._noted.append(move)
        elif phase >= layout.CHOOSE:
            text = self._bazaar.get((phase, move))
            if text is None:
                text = self._bazaar[phase, move] = str(game.decode(move))
            self._noted.append(text)
        else:
            self._noted.append(str(game.decode(move)))

    def texts(self, game: CoreGame) -> list[str]:
        """All moves noted since `begin`, now that they are made."""
        variants, xs, ys = _rows(game, "var", "px", "py")
        placed = map(self._placements.__getitem__, zip(variants, xs, ys, strict=True))
        laid = -1
        found = []
        for noted in self._noted:
            if noted is None:
                laid += 1
                found.append(next(placed))
            elif isinstance(noted, str):
                found.append(noted)
            elif isinstance(noted, int):
                found.append(self._meeple(variants[laid], noted))
            else:
                laid += 1
                next(placed)
                found.append(noted[0])
        return found

    def _meeple(self, variant: int, local: int) -> str:
        text = self._meeples.get((variant, local))
        if text is None:
            segments = self._tables.types[variant >> 2].variants[variant & 3].segments
            text = self._meeples[variant, local] = f"meeple {segments[local].name}"
        return text


class _Placements(dict[tuple[int, int, int], str]):
    """The text of a placement by variant, x and y, made when it is first asked for."""

    def __init__(self, tables: Tables) -> None:
        super().__init__()
        self._types = tables.types

    def __missing__(self, key: tuple[int, int, int]) -> str:
        variant, x, y = key
        tile = self._types[variant >> 2].id
        text = f"place {tile} {cell_text((x, y))} {ROTATIONS[variant & 3]}"
        self[key] = text
        return text


def _rows(game: CoreGame, *names: str) -> list[list[int]]:
    """Rows of the game's block: a number for each tile that was laid after the start tile."""
    block: Any = game.engine.snapshot()
    if isinstance(block, bytes):
        block = memoryview(block).cast("i")
    count = game.engine.number(layout.LAID)
    starts = [game.engine.shared.places[name] for name in names]
    return [list(block[start + 1 : start + count]) for start in starts]
