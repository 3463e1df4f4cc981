"""Student's t distribution, by the continued fraction of the incomplete beta function."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

__all__ = ["two_sided_p", "two_sided_quantile"]

_TINY: Final = 1e-300
_STEPS: Final = 500


def two_sided_p(t: float, df: float) -> float:
    """The chance that |T| is `t` or more, for T with `df` degrees of freedom."""
    if math.isinf(t):
        return 0.0
    return _incomplete_beta(df / 2, 0.5, df / (df + t * t))


@lru_cache(maxsize=4096)
def two_sided_quantile(level: float, df: float) -> float:
    """The number that |T| exceeds with chance `1 - level`; accurate to about ten digits."""
    low, high = 0.0, 1.0
    while two_sided_p(high, df) > 1 - level:
        low, high = high, high * 2
    while high - low > 1e-11 * high:
        middle = (low + high) / 2
        if two_sided_p(middle, df) > 1 - level:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function I_x(a, b)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
        + a * math.log(x) + b * math.log1p(-x)
    )  # fmt: skip
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(a, b, x) / a
    return 1 - front * _fraction(b, a, 1 - x) / b


def _fraction(a: float, b: float, x: float) -> float:
    """The continued fraction, by Lentz's method."""
    c, d = 1.0, 1 / _safe(1 - (a + b) * x / (a + 1))
    product = d
    for m in range(1, _STEPS):
        for factor in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / _safe(1 + factor * d)
            c = _safe(1 + factor / c)
            product *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return product


def _safe(value: float) -> float:
    return value if abs(value) > _TINY else _TINY
