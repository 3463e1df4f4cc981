"""The likeliest ratings for given evidence, by Newton's method."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from carcassonne.errors import CarcassonneError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from carcassonne.arena.evidence import Pool

__all__ = ["Fit", "Tally", "invert"]

_STEPS: Final = 100
_LONGEST_STEP: Final = 2.0

_Matrix = list[list[float]]


class Tally(NamedTuple):
    """Evidence added up.

    Attributes
    ----------
    chosen : list of float
        By bot: how often it was chosen.
    weights : list of float
        By set: how often was chosen from it.
    won, lost : list of float
        By bot: games won and lost against a phantom of strength 1.
    """

    chosen: Sequence[float]
    weights: Sequence[float]
    won: Sequence[float]
    lost: Sequence[float]


class Fit:
    """Ratings of the bots of a pool: its log-likelihood is concave in the logs of strength.

    Bots that no set holds stay at 0.
    """

    def __init__(self, pool: Pool) -> None:
        self.size = pool.size
        self.rated = sorted({bot for group in pool.sets for bot in group})
        self.groups = [tuple(Counter(group).items()) for group in pool.sets]

    def solve(
        self, tally: Tally, start: Sequence[float] | None = None, *, precision: float = 1e-9
    ) -> list[float]:
        """Logarithms of strength by bot.

        Parameters
        ----------
        start
            Where to begin; at 0 without it.
        precision
            How long the last step may be.

        Raises
        ------
        CarcassonneError
            There is no single likeliest rating: nothing ties the bots together.
        """
        values = list(start) if start else [0.0] * self.size
        for _ in range(_STEPS):
            gradient, curvature = self.slopes(tally, values)
            steps = _solve(curvature, gradient)
            longest = max(map(abs, steps), default=0.0)
            scale = min(1.0, _LONGEST_STEP / longest) if longest else 1.0
            for bot, step in zip(self.rated, steps, strict=True):
                values[bot] += scale * step
            if longest <= precision:
                break
        return values

    def slopes(self, tally: Tally, values: Sequence[float]) -> tuple[list[float], _Matrix]:
        """Gradient of the log-likelihood, and its Hessian with the sign turned, of rated bots."""
        strength = [math.exp(value) for value in values]
        gradient = list(tally.chosen)
        curvature = [[0.0] * self.size for _ in range(self.size)]
        for i in self.rated:
            chance = strength[i] / (1 + strength[i])
            games = tally.won[i] + tally.lost[i]
            gradient[i] += tally.won[i] - games * chance
            curvature[i][i] += games * chance * (1 - chance)
        for weight, group in zip(tally.weights, self.groups, strict=True):
            shares = [(i, times * strength[i]) for i, times in group]
            total = sum(share for _, share in shares)
            while shares:
                i, share = shares.pop()
                expected = weight * share / total
                gradient[i] -= expected
                row = curvature[i]
                row[i] += expected * (1 - share / total)
                for j, other in shares:
                    row[j] -= expected * other / total
        return self._of_rated(gradient, curvature)

    def _of_rated(self, gradient: list[float], half: _Matrix) -> tuple[list[float], _Matrix]:
        """Leave out the rest, and mirror a matrix that was filled on one side or the other."""
        rated = self.rated
        matrix = [[half[i][j] + half[j][i] if i != j else half[i][i] for j in rated] for i in rated]
        return [gradient[i] for i in rated], matrix

    def influence(self, pool: Pool, values: Sequence[float]) -> list[list[tuple[int, float]]]:
        """Gradient of the log-likelihood of one unit of each kind; pairs of a bot and its slope."""
        strength = [math.exp(value) for value in values]
        found = []
        for _, evidence in pool.kinds:
            slopes = dict(evidence.chosen)
            for number, weight in evidence.sets:
                group = self.groups[number]
                total = sum(times * strength[i] for i, times in group)
                for i, times in group:
                    slopes[i] = slopes.get(i, 0.0) - weight * times * strength[i] / total
            found.append(list(slopes.items()))
        return found


def _solve(matrix: _Matrix, right: Sequence[float]) -> list[float]:
    """Solve ``matrix x = right``; the matrix is symmetric and positive definite, and used up.

    Raises
    ------
    CarcassonneError
        It is singular.
    """
    size, found = len(right), list(right)
    for i in range(size):
        row = matrix[i]
        pivot = row[i]
        if pivot <= 1e-12:
            raise CarcassonneError("the results don't tie all ratings together: use a prior")
        for k in range(i + 1, size):
            factor = matrix[k][i] / pivot
            if factor:
                other = matrix[k]
                for j in range(i, size):
                    other[j] -= factor * row[j]
                found[k] -= factor * found[i]
    for i in reversed(range(size)):
        row = matrix[i]
        found[i] -= sum(row[j] * found[j] for j in range(i + 1, size))
        found[i] /= row[i]
    return found


def invert(matrix: _Matrix) -> _Matrix:
    """The inverse of a symmetric, positive definite matrix."""
    size = len(matrix)
    return [
        _solve([list(row) for row in matrix], [float(i == j) for j in range(size)])
        for i in range(size)
    ]
