"""The bot that tries each of its moves by simulations and goes on with the better half."""

from __future__ import annotations

import time as clock
from typing import TYPE_CHECKING, Any, Final

from carcassonne.bots.searching import (
    Budget,
    SearchBot,
    Value,
    check_options,
    check_value,
    deadline,
    seed_at,
    veiled,
)
from carcassonne.core.search import Search

if TYPE_CHECKING:
    from carcassonne.core.game import CoreGame

__all__ = ["McBot"]

_FIRST: Final = 64
_MOST: Final = 2000
"""Simulations of the first and of the largest halving between two looks at the clock."""


class McBot(SearchBot):
    """Flat Monte Carlo with sequential halving; all moves are tried on the same shuffles.

    Parameters
    ----------
    seed
        Decides all that is random. The same simulations and seed give the same game.
    simulations
        Simulations for each decision.
    time
        Seconds for each decision instead: simulations are doubled until they are over.
    value
        `win`: maximise the chance to win; `margin`: the lead.
    options
        Single values for `carcassonne.core.search.OPTIONS`.

    Raises
    ------
    BotError
        A value that won't do.
    """

    name = "mc"

    def __init__(
        self,
        *,
        seed: int = 0,
        simulations: int = 1000,
        time: float | None = None,
        value: Value = "win",
        **options: Any,
    ) -> None:
        super().__init__()
        self._seed = seed
        self._budget = Budget(simulations, time)
        self._by_margin = check_value(value)
        self._options = check_options(options)

    def search(self, game: CoreGame) -> int:
        """Halve once, or again and again with more simulations until the time is over."""
        search = Search(
            game.tables, veiled(game), seed_at(game, self._seed), self._by_margin, self._options
        )
        until = deadline(self._budget)
        step = self._budget.simulations if until is None else _FIRST
        search.halve(step)
        while until is not None and clock.perf_counter() < until:
            step *= 2
            search.halve(min(step, _MOST))
        return search.best_mean()
