"""The bots of a game that follow it: told that it begins, each move, and that it is over.

What a bot does wrong while it is told something is a fault of its next decision.
"""

from __future__ import annotations

import contextlib
from functools import partial
from typing import TYPE_CHECKING

from carcassonne.bots.base import BotError, BotFault, Listener
from carcassonne.model.game import Game
from carcassonne.user_code import what_failed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from carcassonne.bots.base import AnyGame, Bot
    from carcassonne.bots.clock import Clock
    from carcassonne.events import Event
    from carcassonne.moves import Move

__all__ = ["Followers"]


class Followers:
    """Those at a table who are listeners.

    Parameters
    ----------
    seated
        Who plays for whom; None is a person.
    """

    def __init__(self, seated: Mapping[str, Bot | None]) -> None:
        self._listeners: dict[str, Listener] = {}
        for player, bot in seated.items():
            if bot is not None and isinstance(bot, Listener):
                self._listeners[player] = bot
        self._faults: dict[str, BotFault] = {}

    def begin(self, game: AnyGame, clocks: Mapping[str, Clock]) -> None:
        """A game begins, or goes on from another point.

        Raises
        ------
        BotError
            The game is on the core, which has no events to tell, or a bot refuses its seat.
        """
        self._faults.clear()
        for player, listener in self._listeners.items():
            if not isinstance(game, Game):
                raise BotError(f"{player}'s bot follows the game's events: it needs the model")
            self._try(player, partial(listener.begin, game, player, clocks.get(player)))

    def tell(self, player: str, move: Move, events: tuple[Event, ...]) -> None:
        """A player has made a move."""
        for name, listener in self._listeners.items():
            self._try(name, partial(listener.tell, player, move, events))

    def finish(self, scores: dict[str, int]) -> None:
        """The game has ended or was broken off; nobody's fault counts any more."""
        for listener in self._listeners.values():
            with contextlib.suppress(Exception):
                listener.finish(scores)

    def require_sound(self, player: str) -> None:
        """See that a player's bot took what it was told.

        Raises
        ------
        BotFault
            It did not.
        """
        fault = self._faults.get(player)
        if fault is not None:
            raise fault

    def _try(self, player: str, tell: Callable[[], None]) -> None:
        try:
            tell()
        except BotError:
            raise
        except BotFault as fault:
            self._faults.setdefault(player, fault)
        except Exception as error:  # noqa: BLE001 - a bot's fault never stops the program
            self._faults.setdefault(player, BotFault("crash", what_failed(error)))
