"""How a game shows itself in a notebook, without the model knowing any picture.

Whoever can draw registers here; the package itself does so when it is first imported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from carcassonne.model.game import Game

__all__ = ["picture_of", "register"]

_DRAWERS: Final[list[Callable[[Game], str]]] = []


def register(drawer: Callable[[Game], str]) -> None:
    """Make a function the one that draws games as SVG."""
    _DRAWERS[:] = [drawer]


def picture_of(game: Game) -> str | None:
    """The game as SVG; None where nobody has registered a way to draw."""
    return _DRAWERS[0](game) if _DRAWERS else None
