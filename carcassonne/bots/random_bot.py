"""The bot that plays any legal move: the opponent every other bot must beat."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from carcassonne.bots.base import AnyGame
    from carcassonne.core.game import CoreGame
    from carcassonne.moves import Move

__all__ = ["RandomBot"]


class RandomBot:
    """Chooses uniformly among `Game.legal_moves`.

    Parameters
    ----------
    seed
        Decides every choice: the same seed on the same game gives the same moves.
    """

    name = "random"

    def __init__(self, *, seed: int = 0) -> None:
        self._random = random.Random(seed)

    def choose(self, game: AnyGame) -> Move:
        """Answer the open decision with any of the moves listed."""
        return self._random.choice(game.legal_moves())

    def choose_number(self, game: CoreGame) -> int:
        """As `choose`, in numbers of the core."""
        return self.choose_among(game, game.move_numbers())

    def choose_among(self, _: CoreGame, moves: list[int]) -> int:
        """As `choose_number`, where the moves are listed already."""
        return moves[int(self._random.random() * len(moves))]
