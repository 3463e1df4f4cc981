"""What a bot is: a name, and an answer to every decision of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from carcassonne.errors import CarcassonneError

if TYPE_CHECKING:
    from carcassonne.model.game import Game
    from carcassonne.moves import Move

__all__ = ["Bot", "BotError"]


class BotError(CarcassonneError):
    """An unknown bot code, or bots that don't match the players of a game."""


class Bot(Protocol):
    """A player that is a program.

    A bot sees what a player sees: it must not ask for `Game.stack`, nor play moves on the game it
    is given to find out what will be drawn; `Game.shuffled` is a game to try things out on. A bot
    can be asked at any decision of any game, so it keeps no plan that it could not do without.
    """

    @property
    def name(self) -> str:
        """What logs and tables call it."""

    def choose(self, game: Game) -> Move:
        """Answer the open decision of a game, and leave the game as it was.

        Parameters
        ----------
        game
            A game that is not over. The one who decides, `game.decision.player`, is the bot.

        Returns
        -------
        Move
            A legal move.
        """
