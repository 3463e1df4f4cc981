"""Scores over time as a small picture: a stepped line for each player, from left to right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from carcassonne.render.curves import number

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["DASHES", "Scale", "chart_svg", "scale_of"]

DASHES: Final = ("", "7 3", "2 3", "10 3 2 3", "5 5", "1 4")
"""How the line of each seat is broken, so that nobody has to tell colours apart."""
_STEPS: Final = (5, 10, 20, 25, 50, 100, 200, 250, 500, 1000)
_INTERVALS: Final = 6
_WIDE: Final = 1000.0
_HIGH: Final = 300.0


class Scale(NamedTuple):
    """The lowest and the highest score that the chart has room for, and its lines between."""

    low: int
    high: int
    lines: tuple[int, ...]


def scale_of(scores: Sequence[Sequence[int]]) -> Scale:
    """A scale for scores by step and seat; 0 is always on it."""
    low = min(0, *(min(row) for row in scores))
    high = max(0, *(max(row) for row in scores))
    step = next((s for s in _STEPS if high - low <= _INTERVALS * s), high - low)
    low, high = step * (low // step), step * max(-(-high // step), low // step + 1)
    return Scale(low, high, tuple(range(low, high + 1, step)))


def chart_svg(scores: Sequence[Sequence[int]]) -> str:
    """The lines of a chart, in a box that is stretched to any size.

    Parameters
    ----------
    scores
        For each step the points by seat.

    Returns
    -------
    str
        An `svg` element; its colours are those of the style sheet's classes `p0` to `p5`.
    """
    scale = scale_of(scores)
    last = max(len(scores) - 1, 1)

    def x(step: int) -> str:
        return number(_WIDE * step / last)

    def y(points: int) -> str:
        return number(_HIGH * (scale.high - points) / (scale.high - scale.low))

    grid = "".join(f"M0 {y(points)}H{_WIDE:g}" for points in scale.lines)
    parts = [f'<path class="grid" d="{grid}"/><path class="zero" d="M0 {y(0)}H{_WIDE:g}"/>']
    for seat in range(len(scores[0])):
        d = f"M0 {y(scores[0][seat])}"
        for step in range(1, len(scores)):
            if scores[step][seat] != scores[step - 1][seat]:
                d += f"H{x(step)}V{y(scores[step][seat])}"
        d += f"H{_WIDE:g}"
        dash = f' stroke-dasharray="{DASHES[seat]}"' if DASHES[seat] else ""
        parts.append(
            f'<path class="casing p{seat}" d="{d}"/><path class="line p{seat}" d="{d}"{dash}/>'
        )
    ticks = "".join(
        f'<text x="4" y="{number(100 * (scale.high - points) / (scale.high - scale.low))}%" '
        f'dy="{".8em" if points == scale.high else "-.2em" if points == scale.low else ".32em"}">'
        f"{points}</text>"
        for points in scale.lines
    )
    return (
        f'<svg class="lines" aria-hidden="true"><svg viewBox="0 0 {_WIDE:g} {_HIGH:g}" '
        f'width="100%" height="100%" preserveAspectRatio="none">{"".join(parts)}</svg>{ticks}</svg>'
    )
