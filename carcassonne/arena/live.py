"""The live column: a figure for each bot that moves with every game, while a tournament runs.

It hangs on the order in which games end, so it belongs on the screen and nowhere else; standings
are computed afresh from all results. With the extra `ratings` the figure is an OpenSkill rating
(R. C. Weng and C.-J. Lin, "A Bayesian approximation method for online ranking", 2011; model
Plackett-Luce), else the plain running score.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from carcassonne.errors import CarcassonneError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from carcassonne.arena.results import GameResult

__all__ = ["LiveColumn", "OpenSkillColumn", "ScoreColumn", "live_column"]


class LiveColumn(Protocol):
    """A heading and a figure for each bot.

    Attributes
    ----------
    heading : str
        What the figures are.
    """

    heading: str

    def add(self, result: GameResult) -> None:
        """Take in a game that ended."""

    def figure(self, bot: str) -> float:
        """A bot's figure now; the better bot has the higher one."""

    def text(self, bot: str) -> str:
        """The figure as it is to be shown."""


class ScoreColumn:
    """The share of the wins that a bot had so far, 0 to 1; 0 before its first game."""

    heading = "score"

    def __init__(self, bots: Sequence[str]) -> None:
        self._won = dict.fromkeys(bots, 0.0)
        self._games = dict.fromkeys(bots, 0)

    def add(self, result: GameResult) -> None:
        """Take in a game that ended."""
        for seat, bot in enumerate(result.bots):
            self._won[bot] += result.share(seat)
            self._games[bot] += 1

    def figure(self, bot: str) -> float:
        """A bot's mean share of the win."""
        return self._won[bot] / self._games[bot] if self._games[bot] else 0.0

    def text(self, bot: str) -> str:
        """The score in percent."""
        return f"{100 * self.figure(bot):.1f} %" if self._games[bot] else "-"


class OpenSkillColumn:
    """OpenSkill ratings: `mu`, the estimate, which starts at 25, and `sigma`, its doubt.

    Raises
    ------
    CarcassonneError
        The extra `ratings` is not installed.
    """

    heading = "OpenSkill"

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


def live_column(bots: Sequence[str]) -> LiveColumn:
    """OpenSkill ratings where the extra `ratings` is installed, else running scores."""
    try:
        return OpenSkillColumn(bots)
    except CarcassonneError:
        return ScoreColumn(bots)
