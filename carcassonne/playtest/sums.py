"""Exact sums: means and variances that don't depend on the order of what is added.

Values are put on a grid of 2^-40 and summed as whole numbers, so that adding and merging are
exact and give the same result in every order and from any number of processes.
"""

from __future__ import annotations

import math
from operator import mul
from typing import TYPE_CHECKING, Final

from carcassonne.errors import CarcassonneError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["LARGEST", "Histogram", "Moments", "Ratio", "column_on_grid", "divided", "on_grid"]

_BITS: Final = 40
_GRID: Final = 1 << _BITS
LARGEST: Final = 1e18
"""Values must not lie farther from 0."""
MOST_BARS: Final = 2048
_ROUNDING: Final = 4
"""Grid steps: a mean or spread of so few is what rounding leaves of none."""


def on_grid(value: float, name: str = "") -> int:
    """A value as a whole number of grid steps.

    Raises
    ------
    CarcassonneError
        It is not finite, or beyond 10^18; the name is that of the measure.
    """
    if isinstance(value, int) and abs(value) <= LARGEST:
        return value << _BITS
    if not math.isfinite(value) or abs(value) > LARGEST:
        raise CarcassonneError(f"measure {name!r} gave {value!r}: it must give ordinary numbers")
    return round(value * _GRID)


def column_on_grid(values: Iterable[float | None], name: str = "") -> list[int | None]:
    """Values as whole numbers of grid steps; what is None stays so. See `on_grid`."""
    return [
        None
        if value is None
        else value << _BITS
        if type(value) is int and -LARGEST < value < LARGEST
        else on_grid(value, name)
        for value in values
    ]


def divided(total: int, by: int) -> int:
    """A whole number of grid steps divided, rounded half up."""
    return (2 * total + by) // (2 * by)


class Moments:
    """Number, mean and variance of values, in constant memory."""

    __slots__ = ("count", "squares", "total")

    def __init__(self) -> None:
        self.count = 0
        self.total = 0
        self.squares = 0

    def add(self, steps: int) -> None:
        """Add a value on the grid."""
        self.count += 1
        self.total += steps
        self.squares += steps * steps

    def add_all(self, values: Sequence[int]) -> None:
        """Add values on the grid."""
        self.count += len(values)
        self.total += sum(values)
        self.squares += sum(map(mul, values, values))

    def merge(self, other: Moments) -> None:
        """Add all that another one holds."""
        self.count += other.count
        self.total += other.total
        self.squares += other.squares

    @property
    def mean(self) -> float:
        """The mean, 0 of nothing, and where it is no more than rounding."""
        if abs(self.total) <= _ROUNDING * self.count:
            return 0.0
        return self.total / (self.count * _GRID)

    @property
    def variance(self) -> float:
        """The sample variance, 0 of fewer than two values, and where it is only rounding."""
        n = self.count
        spread, pairs = n * self.squares - self.total**2, n * (n - 1)
        if spread <= _ROUNDING**2 * pairs:
            return 0.0
        return spread / pairs / _GRID / _GRID

    @property
    def sd(self) -> float:
        """The standard deviation."""
        return math.sqrt(self.variance)


class Ratio:
    """A mean of things that come in clusters: of auctions, several in a stack order.

    The mean is that of all things; its error counts the clusters, since things of one cluster
    are no independent evidence.
    """

    __slots__ = ("both", "clusters", "count", "counts", "squares", "total")

    def __init__(self) -> None:
        self.clusters = 0
        self.count = 0
        self.counts = 0
        self.total = 0
        self.squares = 0
        self.both = 0

    def add(self, values: Iterable[int]) -> None:
        """Add the values of one cluster, whole numbers; an empty cluster changes nothing."""
        values = tuple(values)
        n, total = len(values), sum(values)
        if n:
            self.clusters += 1
            self.count += n
            self.counts += n * n
            self.total += total
            self.squares += total * total
            self.both += n * total

    def merge(self, other: Ratio) -> None:
        """Add all that another one holds."""
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    @property
    def mean(self) -> float:
        """The mean of all values, 0 of nothing."""
        return self.total / self.count if self.count else 0.0

    @property
    def error(self) -> float | None:
        """The standard error of the mean; None from fewer than two clusters."""
        if self.clusters < 2:
            return None
        n, total = self.count, self.total
        spread = self.squares * n * n - 2 * total * n * self.both + total * total * self.counts
        return math.sqrt(spread / n**4 * self.clusters / (self.clusters - 1))


class Histogram:
    """How often each whole number came; bars are widened, by doubling, where they get too many."""

    __slots__ = ("bars", "width")

    def __init__(self) -> None:
        self.width = 1
        self.bars: dict[int, int] = {}

    def add(self, value: int, times: int = 1) -> None:
        """Count a value."""
        bar = value // self.width
        self.bars[bar] = self.bars.get(bar, 0) + times
        while len(self.bars) > MOST_BARS:
            self._widen()

    def merge(self, other: Histogram) -> None:
        """Count all that another one holds."""
        while self.width < other.width:
            self._widen()
        for bar, times in other.bars.items():
            self.add(bar * other.width, times)

    def _widen(self) -> None:
        self.width *= 2
        bars: dict[int, int] = {}
        for bar, times in self.bars.items():
            bars[bar // 2] = bars.get(bar // 2, 0) + times
        self.bars = bars

    def items(self) -> list[tuple[int, int]]:
        """The least number of each bar and how often it came, in order."""
        return [(bar * self.width, self.bars[bar]) for bar in sorted(self.bars)]

    @property
    def count(self) -> int:
        """How many values there are."""
        return sum(self.bars.values())

    @property
    def median(self) -> float:
        """The lower median, 0 of nothing."""
        wanted = (self.count + 1) // 2
        for value, times in self.items():
            wanted -= times
            if wanted <= 0:
                return float(value)
        return 0.0
