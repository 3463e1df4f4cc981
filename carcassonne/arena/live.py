"""The live column: a figure for each bot that moves with every game, while a tournament runs.

It hangs on the order in which games end, so it belongs on the screen and nowhere else; standings
are computed afresh from all results. The figure is an OpenSkill rating (R. C. Weng and C.-J. Lin,
"A Bayesian approximation method for online ranking", 2011; model Plackett-Luce), which needs the
extra `ratings`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from carcassonne.errors import CarcassonneError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from carcassonne.arena.results import GameResult

__all__ = ["OpenSkillColumn", "live_column"]


class OpenSkillColumn:
    """A rating for each bot: `mu`, the estimate, which starts at 25, and `sigma`, its doubt.

    Raises
    ------
    CarcassonneError
        The extra `ratings` is not installed.
    """

    def __init__(self, bots: Sequence[str]) -> None:
        try:
            from openskill.models import PlackettLuce  # noqa: PLC0415 - an optional extra
        except ImportError:
            raise CarcassonneError(
                "OpenSkill ratings need openskill: pip install 'carcassonne[ratings]'"
            ) from None
        self._model = PlackettLuce()
        self._ratings: dict[str, Any] = {bot: self._model.rating(name=bot) for bot in bots}

    def add(self, result: GameResult) -> None:
        """Take in a game that ended; a bot in several seats counts with its best place."""
        places: dict[str, int] = {}
        for bot, place in zip(result.bots, result.places, strict=True):
            places[bot] = min(place, places.get(bot, place))
        if len(places) < 2:
            return
        teams = self._model.rate(
            [[self._ratings[bot]] for bot in places], ranks=[float(p) for p in places.values()]
        )
        for bot, (rating,) in zip(places, teams, strict=True):
            self._ratings[bot] = rating

    def figure(self, bot: str) -> float:
        """A bot's `mu`."""
        return float(self._ratings[bot].mu)

    def text(self, bot: str) -> str:
        """`mu` and, behind ±, two `sigma`."""
        return f"{self.figure(bot):.1f} ± {2 * self._ratings[bot].sigma:.1f}"


def live_column(bots: Sequence[str]) -> OpenSkillColumn | None:
    """OpenSkill ratings, where the extra `ratings` is installed."""
    try:
        return OpenSkillColumn(bots)
    except CarcassonneError:
        return None
