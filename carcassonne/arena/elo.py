"""Elo as a logistic scale: differences, expected scores, and what wins, draws and losses say.

A bot that is ``d`` Elo stronger is expected to score ``s = 1 / (1 + 10 ** (-d / 400))`` of the
points, a draw being half a point; so ``d = -400 log10(1 / s - 1)``.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Final

import msgspec

__all__ = ["ELO_PER_NAT", "Z95", "EloEstimate", "elo_from_score", "estimate", "score_from_elo"]

ELO_PER_NAT: Final = 400 / math.log(10)
"""Elo per unit of the natural logarithm of strength, 173.7."""

Z95: Final = NormalDist().inv_cdf(0.975)
"""Half the width of a 95 % interval in standard errors, 1.96."""


class EloEstimate(msgspec.Struct, frozen=True):
    """A difference in Elo with its 95 % interval.

    Attributes
    ----------
    elo : float
        The difference; infinite where every point went to one side.
    low, high : float
        The interval: the ends of the score's 95 % interval, in Elo. Infinite where the score's
        interval reaches 0 or 1.
    los : float
        Likelihood of superiority: how likely the stronger side is the first, 0 to 1.
    """

    elo: float
    low: float
    high: float
    los: float

    @property
    def error(self) -> float:
        """Half the width of the interval, the figure behind ±, in Elo."""
        return (self.high - self.low) / 2


def score_from_elo(elo: float) -> float:
    """The score that a difference in Elo lets expect, 0 to 1."""
    nats = elo / ELO_PER_NAT
    if nats >= 0:
        return 1 / (1 + math.exp(-nats))
    power = math.exp(nats)
    return power / (1 + power)


def elo_from_score(score: float) -> float:
    """The difference in Elo that a score stands for; infinite at 0 and below, 1 and above."""
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return ELO_PER_NAT * math.log(score / (1 - score))


def estimate(mean: float, variance: float, count: int) -> EloEstimate:
    """The Elo of a mean score of independent observations.

    The standard error of the mean is ``e = sqrt(variance / count)``. The interval is
    ``mean ± 1.96 e`` put through `elo_from_score`, the likelihood of superiority
    ``Φ((mean - 1/2) / e)``: the figures that chess testing (fishtest, fastchess) prints.

    Observations that are all alike show no spread, however few they are. Then the mean and the
    spread that the interval is made of are those of a won and a lost half observation more, after
    Jeffreys' prior; the estimate stays that of the observations.

    Parameters
    ----------
    mean
        Mean score of the first side, 0 to 1.
    variance
        Variance of one observation about that mean, its maximum likelihood value.
    count
        How many observations: games, or whole units. At least 1.
    """
    elo = elo_from_score(mean)
    if variance <= 0:
        mean = (mean * count + 0.5) / (count + 1)
        error = math.sqrt(mean * (1 - mean) / (count + 2))
    else:
        error = math.sqrt(variance / count)
    return EloEstimate(
        elo,
        elo_from_score(mean - Z95 * error),
        elo_from_score(mean + Z95 * error),
        NormalDist().cdf((mean - 0.5) / error),
    )
