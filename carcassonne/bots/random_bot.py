"""The bot that plays any legal move: the opponent every other bot must beat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carcassonne.core.engine import Dice

if TYPE_CHECKING:
    from carcassonne.bots.base import AnyGame
    from carcassonne.core.game import CoreGame
    from carcassonne.moves import Move

__all__ = ["RandomBot"]


_WORD: Final = 2**64 - 1


class RandomBot:
    """Chooses uniformly among `Game.legal_moves`.

    Parameters
    ----------
    seed
        Decides every choice: the same seed on the same game and engine gives the same moves (the
        engines list moves in orders of their own).

    Attributes
    ----------
    dice : Dice
        What it decides by. Whoever runs a game of random bots alone can hand them to the core.
    """

    name = "random"

    def __init__(self, *, seed: int = 0) -> None:
        self.dice = Dice(seed & _WORD)

    def choose(self, game: AnyGame) -> Move:
        """Answer the open decision with any of the moves listed."""
        moves = game.legal_moves()
        return moves[self.dice.below(len(moves))]

    def choose_number(self, game: CoreGame) -> int:
        """As `choose`, in numbers of the core."""
        return game.engine.draw(self.dice)
