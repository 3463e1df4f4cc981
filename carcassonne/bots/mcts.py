"""The bot that searches a tree of moves and draws by many simulations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from carcassonne.bots.searching import SimulationBot, chunk, deadline, known_stack

if TYPE_CHECKING:
    from carcassonne.core.game import CoreGame
    from carcassonne.core.search import Search

__all__ = ["MctsBot"]


class MctsBot(SimulationBot):
    """Monte Carlo tree search, each player after its own good, for two to six players.

    Parameters
    ----------
    reuse
        Keep what was found behind the moves made since the last decision. It counts on top of the
        budget.
    others
        Those of every `SimulationBot`.

    Raises
    ------
    BotError
        A value that won't do.
    """

    name = "mcts"

    def __init__(self, *, reuse: bool = True, **others: Any) -> None:
        super().__init__(**others)
        self._reuse = reuse
        self._search: Search | None = None
        self._last: CoreGame | None = None
        self.kept = 0

    def search(self, game: CoreGame) -> int:
        """Search on from what is known of the game, or afresh."""
        search = self._resume(game)
        until = deadline(self.budget)
        done = 0
        while step := chunk(done, self.budget, until):
            search.run(step)
            done += step
        if self._reuse:
            self._search, self._last = search, game.copy()
        return search.best()

    def _resume(self, game: CoreGame) -> Search:
        search = self._search
        self._search, self.kept = None, 0
        if search is not None and self._last is not None:
            moves = game.numbers_since(self._last)
            if moves is not None:
                self.kept = search.advance(moves, known_stack(game))
                if search.matches(game.engine):
                    return search
                self.kept = 0
        return self.new_search(game)
