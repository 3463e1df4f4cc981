"""When a tournament stops early: the sequential test, decided in the order of the pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from carcassonne.arena.results import Unit
from carcassonne.arena.sprt import SprtRun

if TYPE_CHECKING:
    from collections.abc import Iterable

    from carcassonne.arena.config import Tournament
    from carcassonne.arena.results import GameResult

__all__ = ["Stopper"]


class Stopper:
    """Follows the test of a tournament, if it has one, and says where it was decided.

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
        sprt = tournament.sprt
        self._run = None if sprt is None else SprtRun(sprt, *tournament.labels)
        self._players = tournament.players
        self._open: dict[int, dict[int, GameResult]] = {}
        self.verdict: str | None = None
        self.last_unit: int | None = None

    def add(self, games: Iterable[GameResult]) -> None:
        """Note results, in any order."""
        run = self._run
        if run is None:
            return
        for game in games:
            self._open.setdefault(game.unit, {})[game.turn] = game
        while self.verdict is None and len(self._open.get(run.next_unit, ())) == self._players:
            turns = self._open.pop(run.next_unit)
            results = tuple(turns[turn] for turn in sorted(turns))
            self.verdict = run.follow([Unit(run.next_unit, results)]).accepted
            self.last_unit = run.decided_at
