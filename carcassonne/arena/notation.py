"""Moves of a core game as text, fast: what records of many games are made of.

The text of a number is that of `CoreGame.decode`; most are looked up instead of made, under what
they depend on: the variant laid and its cell, the segment's variant and number, the bid.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carcassonne.core import layout
from carcassonne.geometry import ROTATIONS, cell_text

if TYPE_CHECKING:
    from carcassonne.core.game import CoreGame
    from carcassonne.core.tables import Tables

__all__ = ["Scribe"]

_BY_NUMBER: Final = frozenset((layout.CHOOSE, layout.BID, layout.DEAL, layout.TAKE))
"""Decisions whose moves need nothing but their number."""
_MOST: Final = 200_000
"""Texts kept before all are forgotten."""


class Scribe:
    """Plays moves on core games of one kind and writes them down."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._texts: dict[tuple[int, ...], str] = {}

    def play(self, game: CoreGame, move: int) -> str:
        """Make a move that `game.move_numbers()` lists, and return its text."""
        number = game.engine.number
        phase = number(layout.PHASE)
        if move == layout.PASS:
            text = "pass"
        elif phase == layout.PLACE:
            if move >= 0 and not move & 3:
                game.play_number(move)
                return self._placed(game)
            text = str(game.decode(move))
        elif phase == layout.MEEPLE and move < self._tables.segments:
            variant = number(game.engine.shared.places["var"] + number(layout.PLACED))
            text = self._kept(game, (variant, move), move)
        elif phase in _BY_NUMBER:
            text = self._kept(game, (phase, move, -1, -1), move)
        else:
            text = str(game.decode(move))
        game.play_number(move)
        return text

    def _kept(self, game: CoreGame, key: tuple[int, ...], move: int) -> str:
        text = self._texts.get(key)
        if text is None:
            text = self._keep(key, str(game.decode(move)))
        return text

    def _keep(self, key: tuple[int, ...], text: str) -> str:
        if len(self._texts) >= _MOST:
            self._texts.clear()
        self._texts[key] = text
        return text

    def _placed(self, game: CoreGame) -> str:
        """The text of the placement just made, without a bridge."""
        places, number = game.engine.shared.places, game.engine.number
        i = number(layout.PLACED)
        key = (number(places["var"] + i), number(places["px"] + i), number(places["py"] + i))
        text = self._texts.get(key)
        if text is None:
            variant, x, y = key
            tile = self._tables.types[variant >> 2].id
            text = self._keep(key, f"place {tile} {cell_text((x, y))} {ROTATIONS[variant & 3]}")
        return text
