"""The bot that looks some turns ahead over all draws: expectimax with Star2.5 pruning."""

from __future__ import annotations

import time as clock
from typing import TYPE_CHECKING

from carcassonne.bots.base import BotError
from carcassonne.bots.searching import Budget, SearchBot, veiled
from carcassonne.core import layout
from carcassonne.core.star import Star

if TYPE_CHECKING:
    from carcassonne.core.game import CoreGame

__all__ = ["StarBot"]


class StarBot(SearchBot):
    """Searches one turn deep, then two, and so on. It trades at the bazaar by the heuristic alone.

    Parameters
    ----------
    seed
        Taken for the sake of the other bots: nothing here is random.
    depth
        The most turns to look ahead, its own turn included.
    nodes
        The most positions to look at for one decision.
    time
        Seconds for each decision instead of `nodes`.
    probes
        How many moves of each successor are probed (1: Star2; 0: Star1).

    Raises
    ------
    BotError
        A value that won't do.
    """

    name = "star"

    def __init__(
        self,
        *,
        seed: int = 0,
        depth: int = 2,
        nodes: int = 100_000,
        time: float | None = None,
        probes: int = 3,
    ) -> None:
        for name, value, least in (("depth", depth, 1), ("nodes", nodes, 1), ("probes", probes, 0)):
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise BotError(f"{name} must be a whole number from {least} on, not {value!r}")
        super().__init__()
        self._seed = seed
        self._depth = depth
        self._budget = Budget(nodes, time)
        self._probes = probes
        self.nodes = 0
        self.reached = 0

    def search(self, game: CoreGame) -> int:
        """Deepen until the depth, the nodes or the time are used up."""
        star = Star(game.tables, veiled(game), self._probes)
        best = star.choose()
        self.reached = 0
        if game.engine.number(layout.PHASE) <= layout.COLLECT:
            seconds = self._budget.time
            until = 0.0 if seconds is None else clock.perf_counter() + seconds
            most = self._budget.simulations if seconds is None else 0
            for depth in range(1, self._depth + 1):
                found = star.search(
                    depth, best, most, None if seconds is None else clock.perf_counter, until
                )
                if found is not None:
                    best = found
                if star.stopped:
                    break
                self.reached = depth
        self.nodes = star.nodes
        return best
