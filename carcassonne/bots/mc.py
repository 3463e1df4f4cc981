"""The bot that tries each of its moves by simulations and goes on with the better half."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from carcassonne.bots.searching import SimulationBot, deadline

if TYPE_CHECKING:
    from carcassonne.core.game import CoreGame

__all__ = ["McBot"]

_FIRST: Final = 64
_MOST: Final = 2000
"""Simulations of the first and of the largest halving between two looks at the clock."""


class McBot(SimulationBot):
    """Flat Monte Carlo with sequential halving; all moves are tried on the same shuffles.

    On a budget of time the simulations are doubled until it is spent.
    """

    name = "mc"

    def search(self, game: CoreGame) -> int:
        """Halve once, or again and again with more simulations until the time is over."""
        search = self.new_search(game)
        until = deadline(self.budget)
        step = self.budget.simulations if until is None else _FIRST
        search.halve(step)
        while until is not None and time.perf_counter() < until:
            step *= 2
            search.halve(min(step, _MOST))
        return search.best_mean()
