"""Charts as SVG: histograms, bars with intervals, forest plots and scatter plots.

Owns how charts look. They take numbers and words and know nothing of games; every text is
escaped here. Colours and letters come from the classes of the page's style sheet (`s0` to `s7`
for series), so that a chart is right by day and by night. Series differ by dash and shape as
well as by colour.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from carcassonne.playtest.sentences import amount

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = [
    "MOST_SERIES",
    "Bar",
    "Point",
    "Row",
    "bars",
    "escaped",
    "forest",
    "histogram",
    "scatter",
]

MOST_SERIES: Final = 8
"""Series in one chart at most: there are so many colours that everybody can tell apart."""

_WIDTH: Final = 460
_LETTER: Final = 6.9
"""The width of a letter, about."""
_LINE: Final = 17
_LEFT: Final = 62
_RIGHT: Final = 18
_LABELS: Final = 170
"""The most room for the names of a forest's rows."""
_MOST_BARS: Final = 60
_SHAPES: Final = (
    ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    ((-1, 1), (1, 1), (0, -1)),
    ((0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)),
    ((-1, -1), (1, -1), (0, 1)),
)
"""Square, triangle, diamond, triangle upside down: corners around the middle."""


class Bar(NamedTuple):
    """A value with its interval, if there is one; `series` from 0."""

    value: float
    low: float | None = None
    high: float | None = None
    series: int = 0
    title: str = ""


class Row(NamedTuple):
    """A row of a forest plot; `strong`: drawn full, otherwise hollow."""

    label: str
    value: float
    low: float
    high: float
    strong: bool = True


class Point(NamedTuple):
    """A point of a scatter plot; `weight` decides its size."""

    label: str
    x: float
    y: float
    weight: float = 1.0
    title: str = ""


def escaped(text: str) -> str:
    """Text for elements and attributes of HTML and SVG."""
    for sign, name in (("&", "amp"), ("<", "lt"), (">", "gt"), ('"', "quot"), ("'", "#39")):
        text = text.replace(sign, f"&{name};")
    return "".join(c if c.isprintable() or c == "\n" else "\N{REPLACEMENT CHARACTER}" for c in text)


# ------------------------------------------------------------------------------ axes


class _Axis:
    """A linear scale from numbers to pixels, with round ticks."""

    def __init__(self, low: float, high: float, start: float, end: float, ticks: int = 6) -> None:
        if not high > low:
            low, high = low - 0.5, high + 0.5
        self.step = _round_step((high - low) / ticks)
        self.low = math.floor(low / self.step + 1e-9) * self.step
        self.high = math.ceil(high / self.step - 1e-9) * self.step
        self.start, self.end = start, end
        self.decimals = max(0, -math.floor(math.log10(self.step) + 1e-9))

    def __call__(self, value: float) -> float:
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    @property
    def ticks(self) -> list[tuple[float, str]]:
        count = round((self.high - self.low) / self.step)
        values = [self.low + i * self.step for i in range(count + 1)]
        return [(self(value), amount(value, self.decimals)) for value in values]


def _round_step(rough: float) -> float:
    power = 10.0 ** math.floor(math.log10(rough))
    return next(m * power for m in (1, 2, 5, 10) if rough <= m * power * 1.0001)


def _text(x: float, y: float, words: str, anchor: str = "middle", kind: str = "") -> str:
    mark = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{mark}>{escaped(words)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def _document(height: float, title: str, parts: Sequence[str]) -> str:
    return (
        f'<svg class="chart" viewBox="0 0 {_WIDTH} {height:.0f}" role="img" '
        f'aria-label="{escaped(title)}">'
        f"{_text(0, 16, title, 'start', 'head')}{''.join(parts)}</svg>"
    )


def _cut(words: str, letters: int) -> str:
    return (
        words
        if len(words) <= letters
        else words[: letters - 1].rstrip() + "\N{HORIZONTAL ELLIPSIS}"
    )


def _legend(names: Sequence[str], y: float) -> tuple[list[str], float]:
    """The names of the series in lines, and where they end."""
    if len(names) < 2:
        return [], y
    parts: list[str] = []
    x = 0.0
    for i, name in enumerate(names):
        short = _cut(name, 58)
        width = 30 + _LETTER * len(short) + 14
        if x and x + width > _WIDTH:
            x, y = 0.0, y + _LINE
        parts.append(_line(x, y + 10, x + 24, y + 10, f"line s{i}"))
        parts.append(_marker(i, x + 12, y + 10))
        parts.append(_text(x + 30, y + 14, short, "start"))
        x += width
    return parts, y + _LINE + 6


def _marker(series: int, x: float, y: float, *, size: float = 4.5, kind: str = "dot") -> str:
    """A shape for each series: a circle for the first, then polygons."""
    mark = f'class="{kind} s{series}"'
    if not series:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size:.1f}" {mark}/>'
    corners = _SHAPES[(series - 1) % len(_SHAPES)]
    points = " ".join(f"{x + size * dx:.1f},{y + size * dy:.1f}" for dx, dy in corners)
    return f'<polygon points="{points}" {mark}/>'


def _y_axis(axis: _Axis, label: str) -> list[str]:
    parts = []
    for y, words in axis.ticks:
        parts.append(_line(_LEFT, y, _WIDTH - _RIGHT, y, "grid"))
        parts.append(_text(_LEFT - 7, y + 4, words, "end"))
    middle = (axis.start + axis.end) / 2
    parts.append(
        f'<text transform="translate(13 {middle:.0f}) rotate(-90)" text-anchor="middle" '
        f'class="unit">{escaped(label)}</text>'
    )
    return parts


def _x_axis(axis: _Axis, top: float, bottom: float, label: str, *, grid: bool) -> list[str]:
    parts = [_line(axis.start, bottom, axis.end, bottom, "axis")]
    for x, words in axis.ticks:
        parts.append(_line(x, top if grid else bottom, x, bottom + (0 if grid else 4), "grid"))
        parts.append(_text(x, bottom + 17, words))
    parts.append(_text((axis.start + axis.end) / 2, bottom + 36, label, kind="unit"))
    return parts


# ------------------------------------------------------------------------------ charts


def histogram(
    title: str,
    label: str,
    series: Sequence[tuple[str, Sequence[tuple[int, int]]]],
    unit: str = "% of games",
) -> str:
    """How often each whole number came, as a share of each series.

    Parameters
    ----------
    label
        What the numbers are, with their unit.
    series
        Names, and pairs of number and times.
    unit
        Of the shares.
    """
    series = [item for item in series[:MOST_SERIES] if item[1]]
    if not series:
        return ""
    low = min(items[0][0] for _, items in series)
    high = max(items[-1][0] for _, items in series)
    step = _bar_width(high - low + 1)
    first = math.floor(low / step) * step
    count = (high - first) // step + 1
    shares = [(name, _shares(items, first, step, count)) for name, items in series]
    parts, top = _legend([name for name, _ in shares], 28)
    y = _Axis(0, max(max(values) for _, values in shares), top + 210, top + 12, 4)
    x = _Axis(first, first + count * step, _LEFT, _WIDTH - _RIGHT, 8)
    parts += _y_axis(y, unit)
    parts += _x_axis(x, top, top + 210, label, grid=False)
    for i, (_, values) in enumerate(shares):
        path = f"M{x(first):.1f} {y(0):.1f}"
        for bar, share in enumerate(values):
            path += f"V{y(share):.1f}H{x(first + (bar + 1) * step):.1f}"
        kind = "area" if i == 0 else "line"
        parts.append(f'<path d="{path}V{y(0):.1f}" class="{kind} s{i}"/>')
    return _document(top + 252, title, parts)


def _bar_width(span: int) -> int:
    """The width of a bar: a round number that gives 30 bars at most, or single numbers."""
    if span <= 30:
        return 1
    return max(1, round(_round_step(span / 30)))


def _shares(items: Sequence[tuple[int, int]], first: int, step: int, count: int) -> list[float]:
    bars = [0] * count
    for value, times in items:
        bars[(value - first) // step] += times
    total = sum(bars)
    return [100 * bar / total for bar in bars]


def bars(
    title: str, unit: str, groups: Sequence[tuple[str, Sequence[Bar]]], names: Sequence[str] = ()
) -> str:
    """Values side by side, each with its interval.

    Parameters
    ----------
    unit
        Of the values.
    groups
        What stands at the foot, each with a bar a series.
    names
        Of the series.
    """
    flat = [bar for _, group in groups for bar in group]
    if not flat or len(flat) > _MOST_BARS * 4:
        return ""
    parts, top = _legend(names[:MOST_SERIES], 28)
    ends = [v for b in flat for v in (b.value, b.low, b.high) if v is not None]
    y = _Axis(min(0.0, *ends), max(0.0, *ends), top + 200, top + 12, 5)
    parts += _y_axis(y, unit)
    slot = (_WIDTH - _RIGHT - _LEFT) / len(groups)
    for place, (label, group) in enumerate(groups):
        left = _LEFT + place * slot
        width = min(44.0, slot * 0.82 / max(1, len(group)))
        start = left + slot / 2 - width * len(group) / 2
        parts += [_bar(y, bar, start + i * width, width) for i, bar in enumerate(group)]
        parts += _foot(label, left + slot / 2, top + 217, slot)
    parts.append(_line(_LEFT, y(0), _WIDTH - _RIGHT, y(0), "axis"))
    lines = max(len(_wrapped(label, slot)) for label, _ in groups)
    return _document(top + 212 + 15 * lines, title, parts)


def _bar(y: _Axis, bar: Bar, x: float, width: float) -> str:
    top, bottom = sorted((y(bar.value), y(0)))
    middle = x + width / 2
    tip = f"<title>{escaped(bar.title)}</title>" if bar.title else ""
    whisker = ""
    if bar.low is not None and bar.high is not None:
        low, high = y(bar.low), y(bar.high)
        cap = min(5.0, width / 4)
        whisker = (
            f'<path d="M{middle:.1f} {low:.1f}V{high:.1f}'
            f"M{middle - cap:.1f} {low:.1f}h{2 * cap:.1f}"
            f'M{middle - cap:.1f} {high:.1f}h{2 * cap:.1f}" class="whisker"/>'
        )
    return (
        f'<g>{tip}<rect x="{x + 1:.1f}" y="{top:.1f}" width="{max(1.0, width - 2):.1f}" '
        f'height="{max(0.5, bottom - top):.1f}" class="bar s{bar.series}"/>{whisker}</g>'
    )


def _wrapped(label: str, width: float) -> list[str]:
    """A label in up to three lines that fit."""
    letters = max(4, round(width / _LETTER))
    lines = [""]
    for word in label.split(" "):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > letters:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    lines = [_cut(line, letters) for line in lines]
    return lines if len(lines) <= 3 else [*lines[:2], _cut(" ".join(lines[2:]), letters)]


def _foot(label: str, x: float, y: float, width: float) -> list[str]:
    return [_text(x, y + 15 * i, line) for i, line in enumerate(_wrapped(label, width))]


def forest(title: str, unit: str, rows: Sequence[Row]) -> str:
    """Effects below each other, each with its interval, around a line at 0."""
    if not rows:
        return ""
    longest = max(len(row.label) for row in rows)
    room = min(_LABELS, max(60, _LETTER * longest + 10))
    ends = [value for row in rows for value in (row.low, row.high)]
    x = _Axis(min(0.0, *ends), max(0.0, *ends), room, _WIDTH - _RIGHT, 6)
    bottom = 32 + 24 * len(rows)
    parts = _x_axis(x, 26, bottom, unit, grid=True)
    parts.append(_line(x(0), 26, x(0), bottom, "zero"))
    for i, row in enumerate(rows):
        y = 44 + 24 * i
        words = f"{row.label}: {_short(row.value)} ({_short(row.low)} to {_short(row.high)})"
        parts.append(_text(room - 8, y + 4, _cut(row.label, round((room - 10) / _LETTER)), "end"))
        dot = "dot" if row.strong else "hollow"
        parts.append(
            f"<g><title>{escaped(words)}</title>{_line(x(row.low), y, x(row.high), y, 'line s0')}"
            f"{_marker(0, x(row.value), y, size=5, kind=dot)}</g>"
        )
    return _document(bottom + 44, title, parts)


def _short(value: float) -> str:
    return amount(value, 2, signed=True)


def scatter(title: str, x_label: str, y_label: str, points: Sequence[Point]) -> str:
    """Points with labels, and the diagonal where both are equal."""
    points = sorted(points, key=lambda p: (-p.weight, p.label))[:_MOST_BARS]
    if not points:
        return ""
    top, bottom = 30.0, 360.0
    across, up = [0.0, *(p.x for p in points)], [0.0, *(p.y for p in points)]
    x = _Axis(min(across), max(across), _LEFT, _WIDTH - 60)
    y = _Axis(min(up), max(up), bottom, top)
    parts = _y_axis(y, y_label)
    parts += _x_axis(x, top, bottom, x_label, grid=True)
    low, high = max(x.low, y.low), min(x.high, y.high)
    if low < high:
        parts.append(_line(x(low), y(low), x(high), y(high), "diagonal"))
    largest = max(point.weight for point in points)
    taken: list[tuple[float, float, float, float]] = []
    dots = [(p, x(p.x), y(p.y), 3 + 6 * math.sqrt(p.weight / largest)) for p in points]
    taken += [(px - r, py - r, px + r, py + r) for _, px, py, r in dots]
    for point, px, py, r in dots:
        tip = f"<title>{escaped(point.title or point.label)}</title>"
        parts.append(f"<g>{tip}{_marker(0, px, py, size=r, kind='dot')}</g>")
        parts.append(_free_label(point.label, px, py, r, taken))
    return _document(bottom + 44, title, parts)


def _free_label(
    label: str, x: float, y: float, r: float, taken: list[tuple[float, float, float, float]]
) -> str:
    """A label at a place beside its point where nothing else is; none where there is no place."""
    width = _LETTER * len(label)
    places: tuple[tuple[float, float, Callable[[float], float], str], ...] = (
        (x + r + 3, y + 4, lambda at: at, "start"),
        (x - r - 3, y + 4, lambda at: at - width, "end"),
        (x, y - r - 4, lambda at: at - width / 2, "middle"),
        (x, y + r + 13, lambda at: at - width / 2, "middle"),
    )
    for at, base, start, anchor in places:
        box = (start(at), base - 11, start(at) + width, base + 2)
        if box[2] <= _WIDTH and box[0] >= _LEFT and not any(_meet(box, other) for other in taken):
            taken.append(box)
            return _text(at, base, label, anchor, "label")
    return ""


def _meet(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
