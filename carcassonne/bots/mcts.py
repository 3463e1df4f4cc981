"""The bot that searches a tree of moves and draws by many simulations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from carcassonne.bots.searching import (
    Budget,
    SearchBot,
    Value,
    check_options,
    check_value,
    chunk,
    deadline,
    known_stack,
    seed_at,
    veiled,
)
from carcassonne.core.search import Search

if TYPE_CHECKING:
    from carcassonne.core.game import CoreGame

__all__ = ["MctsBot"]


class MctsBot(SearchBot):
    """Monte Carlo tree search, each player after its own good, for two to six players.

    Parameters
    ----------
    seed
        Decides all that is random. The same simulations and seed give the same game.
    simulations
        Simulations for each decision.
    time
        Seconds for each decision instead.
    value
        `win`: maximise the chance to win; `margin`: the lead.
    reuse
        Keep what was found behind the moves made since the last decision. It counts on top of the
        budget.
    options
        Single values for `carcassonne.core.search.OPTIONS`.

    Raises
    ------
    BotError
        A value that won't do.
    """

    name = "mcts"

    def __init__(
        self,
        *,
        seed: int = 0,
        simulations: int = 1000,
        time: float | None = None,
        value: Value = "win",
        reuse: bool = True,
        **options: Any,
    ) -> None:
        super().__init__()
        self._seed = seed
        self._budget = Budget(simulations, time)
        self._by_margin = check_value(value)
        self._reuse = reuse
        self._options = check_options(options)
        self._search: Search | None = None
        self._last: CoreGame | None = None
        self.kept = 0

    def search(self, game: CoreGame) -> int:
        """Search on from what is known of the game, or afresh."""
        search = self._resume(game)
        until = deadline(self._budget)
        done = 0
        while step := chunk(done, self._budget, until):
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
        return Search(
            game.tables, veiled(game), seed_at(game, self._seed), self._by_margin, self._options
        )
