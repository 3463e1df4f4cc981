"""The sequential test: play on until one of two hypotheses about a difference in Elo is decided.

A generalised sequential probability ratio test (GSPRT) on the counts of whole units, as fishtest
runs it with logistic Elo. Hypothesis H0 says that the first bot is `elo0` stronger than the
second, H1 that it is `elo1` stronger. Each is given its best chance: among all distributions over
the cells whose mean is the score that the Elo lets expect, the most likely one, which has the
closed form ``q_i = p_i / (1 + x (a_i - s))``, where ``p`` are the observed frequencies, ``a`` the
scores of the cells, ``s`` the expected score, and ``x`` solves
``sum p_i (a_i - s) / (1 + x (a_i - s)) = 0``. The log-likelihood ratio is then
``LLR = N sum p_i log(q1_i / q0_i)``. It stops at Wald's bounds: H1 is accepted at
``log((1 - beta) / alpha)`` or above, H0 at ``log(beta / (1 - alpha))`` or below.

Sources: M. Van den Bergh's notes for fishtest (support_MLE_multinomial.pdf, proposition 1.1, and
GSPRT_approximation.pdf at hardy.uhasselt.be/Fishtest) and fishtest's `LLRcalc.py`; A. Wald,
"Sequential Tests of Statistical Hypotheses", 1945.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from carcassonne.arena.elo import score_from_elo
from carcassonne.arena.pentanomial import unit_cell
from carcassonne.errors import CarcassonneError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from carcassonne.arena.results import Unit

__all__ = ["Hypothesis", "Sprt", "SprtRun", "SprtState"]

Hypothesis = Literal["H0", "H1"]

_EMPTY_CELL: Final = 1e-3
"""What a cell without observations counts, as in fishtest: the ratio stays finite."""
_PRECISION: Final = 1e-12
_WIDEST_ELO: Final = 2000.0


class SprtState(msgspec.Struct, frozen=True):
    """Where a test stands.

    Attributes
    ----------
    llr : float
        The log-likelihood ratio of H1 to H0.
    lower, upper : float
        The bounds.
    units : int
        How many units it rests on.
    accepted : "H0", "H1" or None
        The hypothesis decided for, or None as long as the ratio lies between the bounds.
    """

    llr: float
    lower: float
    upper: float
    units: int
    accepted: Hypothesis | None


class Sprt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sequential test of two hypotheses.

    Attributes
    ----------
    elo0, elo1 : float
        By how many Elo the first bot is stronger under H0 and under H1; elo0 < elo1.
    alpha : float
        How often H1 may be accepted where H0 is true; above 0, below ½.
    beta : float
        How often H0 may be accepted where H1 is true; above 0, below ½.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not -_WIDEST_ELO <= self.elo0 < self.elo1 <= _WIDEST_ELO:
            raise CarcassonneError(
                f"sprt: elo1: {self.elo1:g} must be over elo0, {self.elo0:g}, both within "
                f"{_WIDEST_ELO:.0f}"
            )
        for key in ("alpha", "beta"):
            if not 0 < getattr(self, key) < 0.5:
                raise CarcassonneError(
                    f"sprt: {key}: {getattr(self, key):g} must be over 0 and under 0.5"
                )

    @classmethod
    def parse(cls, text: str) -> Sprt:
        """Read `elo0,elo1`.

        Raises
        ------
        CarcassonneError
            The text is no such pair.
        """
        try:
            elo0, elo1 = map(float, text.split(","))
        except ValueError:
            raise CarcassonneError(
                f"a sequential test is written elo0,elo1, as in 0,10, not {text!r}"
            ) from None
        return cls(elo0, elo1)

    @property
    def lower(self) -> float:
        """At this ratio or below, H0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """At this ratio or above, H1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def llr(self, cells: Sequence[int]) -> float:
        """The log-likelihood ratio of counts, cell `i` of `k` being the score ``i / (k - 1)``.

        Cells without observations count a thousandth; without any observation it is 0.
        """
        if not any(cells):
            return 0.0
        top = len(cells) - 1
        counts = [number or _EMPTY_CELL for number in cells]
        scores = [i / top for i in range(len(cells))]
        weights0 = _tilt(counts, scores, score_from_elo(self.elo0))
        weights1 = _tilt(counts, scores, score_from_elo(self.elo1))
        return math.fsum(
            number * math.log(w0 / w1)
            for number, w0, w1 in zip(counts, weights0, weights1, strict=True)
        )

    def state(self, cells: Sequence[int]) -> SprtState:
        """Where the test stands with these counts."""
        llr = self.llr(cells)
        accepted: Hypothesis | None = None
        if llr >= self.upper:
            accepted = "H1"
        elif llr <= self.lower:
            accepted = "H0"
        return SprtState(llr, self.lower, self.upper, sum(cells), accepted)


def _tilt(counts: Sequence[float], scores: Sequence[float], mean: float) -> list[float]:
    """The `1 + x (a_i - s)` of the most likely distribution with a mean.

    The function to be brought to 0 falls strictly between its two poles, so Newton's steps,
    with bisection where one would leave the bracket, always find the one root.
    """
    offsets = [score - mean for score in scores]
    low, high = -1 / offsets[-1], -1 / offsets[0]
    total = sum(counts)
    x = 0.0
    for _ in range(200):
        value = slope = 0.0
        for number, offset in zip(counts, offsets, strict=True):
            ratio = offset / (1 + x * offset)
            value += number * ratio
            slope += number * ratio * ratio
        if value > 0:
            low = x
        else:
            high = x
        following = x + value / slope
        if not low < following < high:
            following = (low + high) / 2
        if abs(value) <= _PRECISION * total or following == x:
            break
        x = following
    return [1 + x * offset for offset in offsets]


class SprtRun:
    """A test being followed, unit by unit in the order of the schedule.

    The decision hangs on that order alone, not on which game ended first, so it is the same
    whatever the number of processes: units after the deciding one count for nothing. `follow`
    keeps that order, `take` leaves it to the caller.

    Attributes
    ----------
    cells : list of int
        Counts of the units taken so far, up to the deciding one.
    decided_at : int or None
        Number of the unit that decided.
    """

    def __init__(self, sprt: Sprt, first: str, second: str) -> None:
        self.sprt = sprt
        self.first = first
        self.second = second
        self.cells: list[int] = []
        self.decided_at: int | None = None
        self._state = SprtState(0.0, sprt.lower, sprt.upper, 0, None)
        self._next = 0

    @property
    def state(self) -> SprtState:
        """Where the test stands."""
        return self._state

    @property
    def next_unit(self) -> int:
        """Number of the unit that it waits for."""
        return self._next

    def follow(self, units: Iterable[Unit]) -> SprtState:
        """Take what comes next in the schedule, as far as it is complete without a gap.

        Parameters
        ----------
        units
            In the order of the schedule. Those taken already are passed over, so it may be all
            units so far, or only new ones. Units in which the two don't meet, or meet in more
            or fewer seats than in the first, are passed over too.
        """
        for unit in units:
            if unit.number < self._next:
                continue
            if unit.number > self._next or not unit.complete:
                break
            self._next += 1
            self.take(unit)
        return self._state

    def take(self, unit: Unit) -> None:
        """Take a complete unit as the next one, unless the test has decided already."""
        if self.decided_at is not None:
            return
        cell, width = unit_cell(unit, self.first, self.second)
        if width == 1:
            return
        self.cells = self.cells or [0] * width
        if len(self.cells) != width:
            return
        self.cells[cell] += 1
        self._state = self.sprt.state(self.cells)
        if self._state.accepted:
            self.decided_at = unit.number
