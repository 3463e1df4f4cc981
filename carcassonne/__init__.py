"""Carcassonne with Bridges, Castles & Bazaars.

`Game` plays, `Rules` holds the options; everything else is imported from its module. Names are
loaded when they are first used, so that importing the package costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from carcassonne.model import display
from carcassonne.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable

    from carcassonne.errors import CarcassonneError, IllegalMove, InvalidMove
    from carcassonne.model.game import Game
    from carcassonne.moves import Move
    from carcassonne.rules import Rules

__all__ = ["CarcassonneError", "Game", "IllegalMove", "InvalidMove", "Move", "Rules"]
__version__ = VERSION

_HOMES = {
    "CarcassonneError": "carcassonne.errors",
    "Game": "carcassonne.model.game",
    "IllegalMove": "carcassonne.errors",
    "InvalidMove": "carcassonne.errors",
    "Move": "carcassonne.moves",
    "Rules": "carcassonne.rules",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])


def _draw(game: Game) -> str:
    draw: Callable[[Game], str] = import_module("carcassonne.render.svg").board_svg
    return draw(game)


display.register(_draw)
