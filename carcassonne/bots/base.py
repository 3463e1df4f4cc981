"""What a bot is: a name, and an answer to every decision of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias, runtime_checkable

from carcassonne.core.game import CoreGame
from carcassonne.errors import CarcassonneError
from carcassonne.model.game import Game

if TYPE_CHECKING:
    from carcassonne.bots.clock import Clock
    from carcassonne.events import Event
    from carcassonne.moves import Move

__all__ = ["AnyGame", "Bot", "BotError", "BotFault", "CoreBot", "Listener", "Verdict"]

AnyGame: TypeAlias = Game | CoreGame
"""Both engines offer the verbs that a bot needs."""

Verdict = Literal["normal", "crash", "illegal move", "timeout", "garbage", "flood"]
"""How a game ended: played out, or what a bot did that cost it the game.

crash: it raised, exited or could not be started. illegal move: a move that is not legal now, or
no move at all. timeout: it took longer than its clock allows, or used up its processor time.
garbage: what it answered is no line of the protocol. flood: it wrote more than the protocol allows.
"""


class BotError(CarcassonneError):
    """An unknown bot code, or bots that don't match the players of a game."""


class BotFault(Exception):
    """What a bot did wrong, named by the bot's own keeper, such as the keeper of a process."""

    def __init__(self, verdict: Verdict, message: str) -> None:
        self.verdict: Verdict = verdict
        super().__init__(message)


class Bot(Protocol):
    """A player that is a program.

    A bot sees what a player sees: it must not ask for the order of the stack, nor play moves on
    the game it is given to find out what will be drawn; `shuffled` is a game to try things out
    on. A bot can be asked at any decision of any game, on either engine, so it keeps no plan
    that it could not do without.
    """

    @property
    def name(self) -> str:
        """What logs and tables call it."""

    def choose(self, game: AnyGame) -> Move:
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


@runtime_checkable
class CoreBot(Bot, Protocol):
    """A bot that can answer in numbers of the core: what is quick stays quick."""

    def choose_number(self, game: CoreGame) -> int:
        """Answer the open decision with one of `game.move_numbers()`."""


@runtime_checkable
class Listener(Protocol):
    """What a bot has besides, if it follows whole games: it is told all that happens.

    Games with a listener are played on the model, whose moves have events.
    """

    def begin(self, game: Game, player: str, clock: Clock | None) -> None:
        """A game begins, in which the bot plays for a player."""

    def tell(self, player: str, move: Move, events: tuple[Event, ...]) -> None:
        """A player, perhaps the bot itself, has made a move."""

    def finish(self, scores: dict[str, int]) -> None:
        """The game has ended or was broken off, with these points."""
