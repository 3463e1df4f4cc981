"""Numbers and effects in plain English."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from carcassonne.playtest.compare import Effect, Interval
    from carcassonne.playtest.design import Contrast
    from carcassonne.playtest.rows import Measure

__all__ = [
    "amount",
    "decimals_for",
    "interval_text",
    "multiplicity",
    "noun",
    "points_text",
    "scale",
    "sentence",
    "short_interval",
    "unit_word",
]

_LONGEST_NOUN: Final = 80
_PER_CENT: Final = 100
_MOST_DECIMALS: Final = 4
_BOTH: Final = 2
_MINUS: Final = "\N{MINUS SIGN}"
_STARTS: Final = re.compile(r"(?:the|a|an|each|every|how|what|whether|all|[a-z]+s)\b")
_BEHIND_HEAD: Final = re.compile(
    r" (?:of|for|in|on|at|by|to|a|per|from|with|without|between|that|when|while|until|used|built"
    r"|left|won|paid|taken|laid|set|[a-z]+ed|standing|which|where)\b"
)


def noun(measure: Measure) -> str:
    """What a measure is called within a sentence: `the first player's share of wins`."""
    text = re.split(r"[:;.(]", measure.about, maxsplit=1)[0].strip()
    if not text or len(text) > _LONGEST_NOUN:
        return f"the measure {measure.name}"
    if len(text) > 1 and not text[1].isupper():
        text = text[0].lower() + text[1:]
    return text if _STARTS.match(text) else f"the {text}"


def _is_plural(words: str) -> bool:
    """Whether a noun phrase takes a plural verb: `points for roads`."""
    head = _BEHIND_HEAD.split(words, maxsplit=1)[0].rpartition(" ")[2]
    return head.endswith("s") and not head.endswith(("ss", "us", "is"))


def scale(measure: Measure) -> int:
    """What values are multiplied by to be shown: shares become per cent."""
    return _PER_CENT if measure.unit == "share" else 1


def unit_word(measure: Measure, *, difference: bool = False, one: bool = False) -> str:
    """The unit behind a number."""
    if measure.unit == "share":
        if not difference:
            return "%"
        return "percentage point" if one else "percentage points"
    return measure.unit.removesuffix("s") if one else measure.unit


def decimals_for(half_width: float) -> int:
    """The decimals that a number deserves whose interval reaches that far to each side."""
    if half_width <= 0:
        return 2
    return max(0, min(_MOST_DECIMALS, 1 - math.floor(math.log10(half_width))))


def amount(value: float, decimals: int, *, signed: bool = False) -> str:
    """A number as text, with a real minus sign."""
    text = f"{abs(value):.{decimals}f}"
    is_zero = not float(text)
    sign = "" if is_zero else _MINUS if value < 0 else "+" if signed else ""
    return sign + text


def interval_text(interval: Interval, measure: Measure, *, signed: bool = False) -> str:
    """A mean and its interval: `12.3 (11.0 to 13.6)`."""
    times = scale(measure)
    if interval.is_constant:
        often = f"in all {interval.n}" if interval.is_few else "always"
        return f"{amount(interval.mean * times, 2, signed=signed)} ({often})"
    decimals = decimals_for(interval.half_width * times)
    mean, low, high = (
        amount(value * times, decimals, signed=signed)
        for value in (interval.mean, interval.low, interval.high)
    )
    return f"{mean} ({low} to {high})"


def short_interval(interval: Interval, measure: Measure) -> str:
    """A mean and how far its interval reaches: `12.3 ±1.3`; `±?` where that can't be told."""
    reach = interval.half_width * scale(measure)
    decimals = decimals_for(reach)
    to_each_side = "?" if interval.is_constant and interval.is_few else amount(reach, decimals)
    return f"{amount(interval.mean * scale(measure), decimals)} ±{to_each_side}"


def points_text(value: float, measure: Measure) -> str:
    """A mean without an interval."""
    return amount(value * scale(measure), 2)


def sentence(effect: Effect, contrast: Contrast, measure: Measure, units: int | None = None) -> str:
    """An effect in a plain sentence, with its 95 % interval.

    Parameters
    ----------
    units
        How many stack orders were played; None: as many as the effect was seen in.
    """
    interval = effect.interval
    what = noun(measure)
    plural = _is_plural(what)
    start = f"With {contrast.phrase}, {what}" + "," * ("," in what)
    partly = units is not None and interval.n < units
    scope = _scope(interval.n, partly=partly)
    few = ": too few to tell" if interval.is_few else ""
    if effect.is_nothing:
        return f"{start} {'are' if plural else 'is'} the same{scope}{few}."
    if not (partly or few or interval.is_constant):
        scope = ""
    if not effect.is_measurable:
        does = "do" if plural else "does"
        return f"{start} {does} not change measurably ({_span(effect, measure)}){scope}{few}."
    verb = ("rise" if interval.mean > 0 else "fall") + ("" if plural else "s")
    doubt = "" if effect.is_fact or few else "; among so many comparisons this may be chance"
    return f"{start} {verb} by {_size(effect, measure)}{scope}{few}{doubt}."


def _scope(units: int, *, partly: bool) -> str:
    """In how many stack orders something was seen."""
    if partly:
        return f" in the {units} stack orders where it applies"
    return " in both stack orders" if units == _BOTH else f" in all {units:,} stack orders"


def _span(effect: Effect, measure: Measure) -> str:
    """An interval with its unit: `+0.3 to +1.2 points`."""
    interval, times = effect.interval, scale(measure)
    decimals = decimals_for(interval.half_width * times)
    low, high = (
        amount(value * times, decimals, signed=True) for value in (interval.low, interval.high)
    )
    return f"{low} to {high} {unit_word(measure, difference=True)}"


def _size(effect: Effect, measure: Measure) -> str:
    """How large a measurable effect is: `3.2 points (1.1 to 5.3)`."""
    interval, times = effect.interval, scale(measure)
    decimals = decimals_for(interval.half_width * times)
    low, high = sorted((abs(interval.low) * times, abs(interval.high) * times))
    while decimals < _MOST_DECIMALS and round(low, decimals) == 0:
        decimals += 1  # an interval that leaves 0 out must not read as if it began there
    size = amount(abs(interval.mean) * times, decimals)
    text = f"{size} {unit_word(measure, difference=True, one=float(size) == 1)}"
    if interval.is_constant:
        return text
    return f"{text} ({amount(low, decimals)} to {amount(high, decimals)})"


def multiplicity(effects: Sequence[Effect]) -> str:
    """How many intervals there are, and what that means for those that leave 0 out."""
    total = len(effects)
    if not total:
        return "There is nothing to compare."
    if total == 1:
        return "There is one comparison, with one interval of 95 %."
    out = [effect for effect in effects if effect.is_measurable]
    return (
        f"There are {total} comparisons, each with an interval of 95 %. If nothing had any effect, "
        f"about {total * 0.05:.1f} of them would leave 0 out by chance. "
        f"{_how_many(len(out), sum(effect.holds for effect in out))}."
    )


def _how_many(found: int, held: int) -> str:
    """How many comparisons leave 0 out, and how many of them hold."""
    after = "after Holm's correction for all comparisons"
    if not found:
        return "Here none does"
    if found == 1:
        return f"Here one does, and it {'holds' if held else 'does not hold'} {after}"
    number = {0: "none", 1: "one"}.get(held, str(held))
    return f"Here {found} do, of which {number} {'hold' if held > 1 else 'holds'} {after}"
