"""Charts as inline SVG: values with their intervals, one to a row.

They are 360 units wide, a phone's width, and grow with the page. Colours and sizes of letters
are the page's (`page.html`).
"""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Bar", "interval_chart", "ticks"]

_WIDTH: Final = 360
_SIDE: Final = 12
_ROW: Final = 36
_HEAD: Final = 6
_FOOT: Final = 26
_LONGEST_LABEL: Final = 34


class Bar(NamedTuple):
    """A row of a chart.

    Attributes
    ----------
    label, text : str
        Name on the left, the value as it is to be read on the right.
    value : float
        Where the dot stands.
    low, high : float or None
        The ends of the interval's bar; None for no bar, infinite for one to the chart's edge.
    """

    label: str
    text: str
    value: float
    low: float | None = None
    high: float | None = None


def ticks(low: float, high: float) -> list[float]:
    """Three to eight round numbers from at most `low` to at least `high`; low < high."""
    rough = (high - low) / 5
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)
    first, last = math.floor(low / step), math.ceil(high / step)
    return [number * step for number in range(first, last + 1)]


def interval_chart(title: str, bars: Sequence[Bar], *, base: float | None = 0.0) -> str:
    """The SVG of a chart of dots with intervals.

    Parameters
    ----------
    title
        What screen readers say of it.
    base
        A value that gets a line and stays in sight.
    """
    ends = [
        end
        for bar in bars
        for end in (bar.value, bar.low, bar.high)
        if end is not None and math.isfinite(end)
    ]
    ends += [] if base is None else [base]
    low, high = min(ends, default=0.0), max(ends, default=1.0)
    if high - low < 1e-9:
        low, high = low - 1, high + 1
    marks = ticks(low, high)
    scale = _Scale(marks[0], marks[-1])
    height = _HEAD + _ROW * len(bars) + _FOOT
    parts = [
        f'<svg viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{escape(title)}">',
        f"<title>{escape(title)}</title>",
    ]
    for mark in marks:
        x = scale(mark)
        kind = "base" if base is not None and abs(mark - base) < 1e-9 else "grid"
        parts.append(f'<path class="{kind}" d="M{x} {_HEAD}V{height - _FOOT}"/>')
        parts.append(f'<text class="tick" x="{x}" y="{height - 8}">{mark + 0.0:g}</text>')
    if base is not None and not any(abs(mark - base) < 1e-9 for mark in marks):
        parts.append(f'<path class="base" d="M{scale(base)} {_HEAD}V{height - _FOOT}"/>')
    for row, bar in enumerate(bars):
        parts += _row(bar, _HEAD + _ROW * row, scale)
    return "".join([*parts, "</svg>"])


class _Scale(NamedTuple):
    low: float
    high: float

    def __call__(self, value: float) -> float:
        """The abscissa of a value, which may be infinite."""
        part = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return round(_SIDE + part * (_WIDTH - 2 * _SIDE), 1)


def _row(bar: Bar, top: int, scale: _Scale) -> list[str]:
    label = bar.label
    if len(label) > _LONGEST_LABEL:
        label = label[: _LONGEST_LABEL - 1] + "…"
    y = top + 24
    parts = [
        f"<g><title>{escape(bar.label)}: {escape(bar.text)}</title>",
        f'<text class="label" x="{_SIDE}" y="{top + 13}">{escape(label)}</text>',
        f'<text class="value" x="{_WIDTH - _SIDE}" y="{top + 13}">{escape(bar.text)}</text>',
    ]
    if bar.low is not None and bar.high is not None and bar.low <= bar.high:
        left, right = scale(bar.low), scale(bar.high)
        parts.append(
            f'<path class="span" d="M{left} {y}H{right}M{left} {y - 4}v8M{right} {y - 4}v8"/>'
        )
    if math.isfinite(bar.value):
        parts.append(f'<circle class="dot" cx="{scale(bar.value)}" cy="{y}" r="4.5"/>')
    return [*parts, "</g>"]
