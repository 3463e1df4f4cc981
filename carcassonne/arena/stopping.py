"""When a tournament stops early: the sequential test, decided in the order of the pairs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from carcassonne.arena.config import SprtBounds, Tournament
    from carcassonne.arena.results import GameResult

__all__ = ["Stopper"]

_CLOSE: Final = 200
"""So many units are looked at one by one; later ones at every hundredth part of their number."""


class Stopper:
    """Collects the units of a tournament with a test, and says where it was decided.

    Units are looked at in the order of the schedule, whenever they arrive, so the answer does not
    depend on how many are played at the same time.

    Attributes
    ----------
    verdict : str or None
        `H0` or `H1` once the test is decided.
    last_unit : int or None
        The unit with which it was decided.
    """

    def __init__(self, tournament: Tournament) -> None:
        self._tournament = tournament
        self._open: dict[int, list[GameResult]] = {}
        self._units: list[list[GameResult]] = []
        self.verdict: str | None = None
        self.last_unit: int | None = None

    def add(self, games: Iterable[GameResult]) -> None:
        """Note results, in any order."""
        if self._tournament.sprt is None:
            return
        for game in games:
            self._open.setdefault(game.unit, []).append(game)
        while self.verdict is None:
            number = len(self._units)
            unit = self._open.get(number, [])
            if len(unit) < self._tournament.players:
                return
            self._units.append(self._open.pop(number))
            if _is_looked_at(number + 1):
                self.verdict = sprt_verdict(
                    self._tournament.sprt, self._tournament.labels[0], self._units
                )
                self.last_unit = None if self.verdict is None else number


def _is_looked_at(units: int) -> bool:
    return units <= _CLOSE or units % (10 ** (len(str(units)) - 1) // 100 or 1) == 0


def sprt_verdict(
    bounds: SprtBounds, first: str, units: Sequence[Sequence[GameResult]]
) -> str | None:
    """Which hypothesis the pairs so far decide for, if any: `H0` or `H1`.

    The log-likelihood ratio is that of the normal approximation over the pairs' scores.
    """
    scores = [sum(_score(game, first) for game in unit) / len(unit) for unit in units]
    count = len(scores)
    mean = sum(scores) / count
    spread = (sum((score - mean) ** 2 for score in scores) + 0.25) / count
    low, high = (1 / (1 + 10 ** (-elo / 400)) for elo in (bounds.elo0, bounds.elo1))
    ratio = count * (high - low) * (2 * mean - low - high) / (2 * spread)
    if ratio >= math.log((1 - bounds.beta) / bounds.alpha):
        return "H1"
    return "H0" if ratio <= math.log(bounds.beta / (1 - bounds.alpha)) else None


def _score(game: GameResult, bot: str) -> float:
    seat = game.bots.index(bot)
    if game.culprit is not None:
        return float(game.culprit != seat)
    mine, other = game.points[seat], game.points[1 - seat]
    return 1.0 if mine > other else 0.5 if mine == other else 0.0
