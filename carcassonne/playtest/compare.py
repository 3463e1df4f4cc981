"""Comparisons: intervals, effect sizes, Holm's correction and the stopping rule.

Owns what is concluded from `carcassonne.playtest.accumulate.Statistics`. Every interval is
Student's t interval over units, that is over stack orders: games of one order are no independent
evidence. How conclusions are worded is `carcassonne.playtest.sentences`' concern.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from carcassonne.playtest.student import two_sided_p, two_sided_quantile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from carcassonne.playtest.accumulate import Statistics
    from carcassonne.playtest.sums import Moments, Ratio
    from carcassonne.playtest.target import Target

__all__ = [
    "LEVEL",
    "Effect",
    "Interval",
    "cluster_interval",
    "compare",
    "holm",
    "interval_of",
    "is_precise",
]

LEVEL: Final = 0.95
"""The chance with which an interval covers the truth."""

_LEAST_COMPARED: Final = 5
"""A comparison in fewer units holds never."""

_LEAST_UNITS: Final = 30
"""Whole units, at the least, before a precision is believed."""


class Interval(NamedTuple):
    """A mean with its 95 % interval; `n` is the number of units behind it."""

    mean: float
    low: float
    high: float
    n: int

    @property
    def half_width(self) -> float:
        """How far it reaches to each side."""
        return (self.high - self.low) / 2

    @property
    def is_constant(self) -> bool:
        """Whether all units were alike: there is no spread from which to tell how sure it is."""
        return self.low == self.high

    @property
    def is_few(self) -> bool:
        """Whether so few units prove nothing: fewer than 5, or alike by chance (sign test)."""
        chance = _sign_test(self.n) if self.is_constant else 0.0
        return self.n < _LEAST_COMPARED or chance > 1 - LEVEL


def interval_of(moments: Moments) -> Interval | None:
    """The t interval of a mean; None from fewer than two values."""
    n = moments.count
    if n < 2:
        return None
    reach = two_sided_quantile(LEVEL, n - 1) * moments.sd / math.sqrt(n)
    return Interval(moments.mean, moments.mean - reach, moments.mean + reach, n)


def cluster_interval(ratio: Ratio) -> Interval | None:
    """The interval of a mean of things that come in clusters; None from fewer than two."""
    error = ratio.error
    if error is None:
        return None
    reach = two_sided_quantile(LEVEL, ratio.clusters - 1) * error
    return Interval(ratio.mean, ratio.mean - reach, ratio.mean + reach, ratio.clusters)


class Effect(NamedTuple):
    """What a contrast does to a measure.

    Attributes
    ----------
    contrast, measure : int
        Their numbers.
    interval : Interval
        Of the mean difference within units, in the measure's unit.
    base : float
        The mean of the measure in the arms that are compared with.
    p : float
        Two-sided, of no difference.
    holds : bool
        Whether it is there after Holm's correction for all the comparisons of the experiment.
        Never from fewer than 5 units or without spread: a t test says nothing there.
    paired_d : float or None
        The difference over its own standard deviation between units; None where that is 0.
    d : float or None
        The difference over the standard deviation of single games, pooled over the arms.
    """

    contrast: int
    measure: int
    interval: Interval
    base: float
    p: float
    holds: bool
    paired_d: float | None
    d: float | None

    @property
    def is_measurable(self) -> bool:
        """Whether the interval leaves 0 out."""
        return self.interval.low > 0 or self.interval.high < 0

    @property
    def is_nothing(self) -> bool:
        """Whether there was no difference in any unit."""
        return self.interval.low == 0 == self.interval.high

    @property
    def is_fact(self) -> bool:
        """Whether it holds, or came out alike in so many units that it needs no test."""
        return self.holds or (self.interval.is_constant and not self.interval.is_few)


def compare(statistics: Statistics) -> list[Effect]:
    """All effects that can be told, in the order of contrasts and measures."""
    found = []
    for number, differences in enumerate(statistics.differences):
        for i, moments in enumerate(differences):
            interval = interval_of(moments)
            if interval is not None:
                found.append(_effect(statistics, number, i, interval))
    held = holm([effect.p for effect in found])
    return [
        effect._replace(holds=holds and not (effect.interval.is_constant or effect.interval.is_few))
        for effect, holds in zip(found, held, strict=True)
    ]


def _effect(statistics: Statistics, number: int, i: int, interval: Interval) -> Effect:
    contrast = statistics.contrasts[number]
    moments = statistics.differences[number][i]
    arms = [statistics.arms[arm] for arm in (*contrast.plus, *contrast.minus)]
    pooled = math.sqrt(sum(arm.values[i].variance for arm in arms) / len(arms))
    base = [statistics.arms[arm].unit_values[i].mean for arm in contrast.minus]
    sd = moments.sd
    return Effect(
        number,
        i,
        interval,
        sum(base) / len(base),
        _p_value(moments),
        holds=False,
        paired_d=interval.mean / sd if sd else None,
        d=interval.mean / pooled if pooled else None,
    )


def _p_value(moments: Moments) -> float:
    if moments.mean == 0:
        return 1.0
    if moments.variance == 0:
        return _sign_test(moments.count)  # a t test of no spread proves too much
    return two_sided_p(moments.mean / (moments.sd / math.sqrt(moments.count)), moments.count - 1)


def _sign_test(units: int) -> float:
    """The chance that so many differences have the same sign if there is no effect."""
    return 2.0 ** (1 - units)


def holm(chances: Sequence[float], level: float = LEVEL) -> list[bool]:
    """Which of several tests hold when all of them together may err with chance `1 - level`.

    Holm's step-down correction: the smallest p-value is held against `(1 - level) / m`, the next
    against `(1 - level) / (m - 1)` and so on; the first that fails ends it.
    """
    held = [False] * len(chances)
    order = sorted(range(len(chances)), key=lambda i: (chances[i], i))
    for rank, i in enumerate(order):
        if chances[i] > (1 - level) / (len(chances) - rank):
            break
        held[i] = True
    return held


def is_precise(statistics: Statistics, target: Target) -> bool:
    """Whether every interval that a target means is as narrow as it asks.

    Of an experiment that compares, those are the differences; of a single arm, its means. A
    measure that applies in no unit of two arms is left out. To be asked at
    `carcassonne.playtest.design.checkpoints` only: the number of units at which an experiment
    stops must not depend on the order in which games end.
    """
    rows = statistics.differences or [arm.unit_values for arm in statistics.arms]
    wanted = [row[i] for row in rows for i in target.pick(statistics.measures)]
    intervals = [interval_of(moments) for moments in wanted if moments.count]
    return bool(intervals) and all(
        interval is not None
        and interval.n >= _LEAST_UNITS
        and interval.half_width <= target.half_width
        for interval in intervals
    )
