"""The terminal: how wide it is, and whether it shows colours and box-drawing characters."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from carcassonne.geometry import Cell
    from carcassonne.model.game import Game
    from carcassonne.moves import Address

__all__ = ["Screen", "is_interactive"]

_WIDEST: Final = 240
_WIDEST_TEXT: Final = 100
_NARROWEST: Final = 20


def is_interactive() -> bool:
    """Whether a person sits at this terminal, to press keys."""
    return sys.stdin.isatty() and sys.stdout.isatty()


class Screen:
    """Prints lines and boards as the terminal can show them.

    Attributes
    ----------
    width : int
        For boards; `text_width` for everything to be read as text.
    """

    def __init__(self, *, ascii_only: bool = False) -> None:
        from carcassonne.render.text import can_show  # noqa: PLC0415 - loaded to print only

        self.width = max(_NARROWEST, min(_WIDEST, shutil.get_terminal_size().columns))
        self.text_width = min(_WIDEST_TEXT, self.width)
        self.ascii_only = ascii_only or not can_show(sys.stdout.encoding)
        self.colour = (
            sys.stdout.isatty()
            and not os.environ.get("NO_COLOR")
            and os.environ.get("TERM") != "dumb"
        )

    def show(self, lines: str | Iterable[str]) -> None:
        """Print a line or lines."""
        from carcassonne.render.text import to_ascii  # noqa: PLC0415

        text = lines if isinstance(lines, str) else "\n".join(lines)
        if text or isinstance(lines, str):
            click.echo(to_ascii(text) if self.ascii_only else text)

    def heading(self, text: str) -> None:
        """Print a heading with an empty line above."""
        self.show("\n" + (click.style(text, bold=True) if self.colour else text))

    def board(
        self,
        game: Game,
        *,
        notes: Mapping[Cell | Address, str] | None = None,
        focus: Cell | None = None,
        features: bool = True,
    ) -> None:
        """Print the board, or what lies around a cell."""
        from carcassonne.render.text import board_text  # noqa: PLC0415

        self.show(
            board_text(
                game,
                width=self.width,
                colour=self.colour,
                ascii_only=self.ascii_only,
                notes=notes or {},
                legend=focus is None,
                features=features and focus is None,
                focus=focus,
            )
        )
