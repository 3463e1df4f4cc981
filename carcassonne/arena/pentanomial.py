"""Scores of whole units: pentanomial counts, and their like for more games.

A pair of games between two bots scores 0, ½, 1, 1½ or 2 points; how often each came up are the
pentanomial counts. Games over one stack order with seats swapped hang together, so these counts,
not single games, carry the spread. At a table of more seats every comparison of the two bots
counts like a game: for each game of the unit, and each seat of the one and each seat of the other
bot in it, the better place is 1 point, the same place ½. A unit of `n` comparisons then has
``2 n + 1`` cells. Under the Plackett-Luce model the one of two bots is ahead of the other as
often as if they had played alone, so Elo means the same whatever the number of seats.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from carcassonne.arena.elo import EloEstimate, estimate
from carcassonne.errors import CarcassonneError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from carcassonne.arena.results import GameResult, Unit

__all__ = ["ScoreCounts", "comparisons", "count_units", "unit_cell"]


class ScoreCounts(msgspec.Struct, frozen=True):
    """How often each score came up: cell `i` of `k` cells is the score ``i / (k - 1)``.

    Three cells are losses, draws and wins of games; five are the pentanomial counts of pairs.
    """

    cells: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.cells) < 2 or min(self.cells) < 0:
            raise CarcassonneError("scores are counted in 2 or more cells, none below 0")

    @classmethod
    def of_games(cls, wins: int, draws: int, losses: int) -> ScoreCounts:
        """Counts of single games, in the order in which people say them."""
        return cls((losses, draws, wins))

    @property
    def count(self) -> int:
        """How many observations there are."""
        return sum(self.cells)

    @property
    def mean(self) -> float:
        """Mean score, 0 to 1; ½ where there is no observation."""
        if not self.count:
            return 0.5
        top = len(self.cells) - 1
        return sum(i * number for i, number in enumerate(self.cells)) / (top * self.count)

    @property
    def variance(self) -> float:
        """Variance of one observation about the mean, its maximum likelihood value."""
        if sum(number > 0 for number in self.cells) < 2:
            return 0.0
        top, mean = len(self.cells) - 1, self.mean
        return sum(n * (i / top - mean) ** 2 for i, n in enumerate(self.cells)) / self.count

    def estimate(self) -> EloEstimate:
        """The difference in Elo, its 95 % interval and the likelihood of superiority.

        Raises
        ------
        CarcassonneError
            There is no observation.
        """
        if not self.count:
            raise CarcassonneError("no Elo can be told from no games")
        return estimate(self.mean, self.variance, self.count)


def comparisons(result: GameResult, first: str, second: str) -> list[int]:
    """The first bot's half points, 0 to 2, against each seat of the second in one game."""
    places = result.places
    return [
        1 + (theirs > own) - (theirs < own)
        for bot, own in zip(result.bots, places, strict=True)
        if bot == first
        for other, theirs in zip(result.bots, places, strict=True)
        if other == second
    ]


def unit_cell(unit: Unit, first: str, second: str) -> tuple[int, int]:
    """The cell that a unit falls in, seen from the first bot, and how many cells there are.

    The cell is the sum of half points over all comparisons. A unit that holds no comparison of
    the two has one cell.
    """
    halves = [half for game in unit.results for half in comparisons(game, first, second)]
    return sum(halves), 2 * len(halves) + 1


def count_units(units: Iterable[Unit], first: str, second: str) -> ScoreCounts | None:
    """Counts of the complete units in which two different bots met; None where there is none.

    Units with other numbers of comparisons than the first one's (bots in more seats than
    usual) are left out, for their scores have other cells.
    """
    found: Counter[int] = Counter()
    width = 0
    for unit in units:
        if not unit.complete:
            continue
        cell, cells = unit_cell(unit, first, second)
        if cells == 1:
            continue
        width = width or cells
        if cells == width:
            found[cell] += 1
    return ScoreCounts(tuple(found[cell] for cell in range(width))) if width else None
