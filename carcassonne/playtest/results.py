"""The results of an experiment: what reports, tables and machines are made from."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from carcassonne.playtest.accumulate import Statistics
from carcassonne.playtest.compare import cluster_interval, compare, interval_of
from carcassonne.playtest.design import contrasts
from carcassonne.playtest.sentences import sentence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from carcassonne.playtest.compare import Effect, Interval
    from carcassonne.playtest.design import Design
    from carcassonne.playtest.rows import Measure
    from carcassonne.playtest.sums import Ratio

__all__ = ["Example", "Results", "empty_statistics"]


class Example:
    """A game to look at.

    Attributes
    ----------
    title : str
        Why this one: `The closest game`.
    caption : str
        What it was.
    svg : str
        Its last position as an SVG document; empty: none.
    link : str
        The path of its replay, relative to the report; empty: none.
    """

    __slots__ = ("caption", "link", "svg", "title")

    def __init__(self, title: str, caption: str, svg: str = "", link: str = "") -> None:
        self.title = title
        self.caption = caption
        self.svg = svg
        self.link = link


def empty_statistics(design: Design, measures: Sequence[Measure]) -> Statistics:
    """The statistics of an experiment before its first game."""
    return Statistics([arm.turns for arm in design.arms], measures, contrasts(design))


class Results:
    """All that an experiment has shown.

    Parameters
    ----------
    design
    statistics
        Of all its games.
    examples
        Games to look at.
    notes
        Sentences about how it went: why it stopped, what went wrong.
    """

    def __init__(
        self,
        design: Design,
        statistics: Statistics,
        examples: Sequence[Example] = (),
        notes: Sequence[str] = (),
    ) -> None:
        self.design = design
        self.statistics = statistics
        self.examples = tuple(examples)
        self.notes = tuple(notes)

    @property
    def measures(self) -> tuple[Measure, ...]:
        """What was measured."""
        return self.statistics.measures

    @property
    def games(self) -> int:
        """Games played, of all arms."""
        return sum(arm.games for arm in self.statistics.arms)

    @cached_property
    def effects(self) -> tuple[Effect, ...]:
        """Every comparison, by contrast and measure."""
        return tuple(compare(self.statistics))

    @cached_property
    def groups(self) -> dict[str, list[int]]:
        """The numbers of the measures under each heading."""
        found: dict[str, list[int]] = {}
        for i, measure in enumerate(self.measures):
            found.setdefault(measure.group or "others", []).append(i)
        return found

    def sentence(self, effect: Effect) -> str:
        """An effect in plain English."""
        contrast = self.statistics.contrasts[effect.contrast]
        units = min(self.statistics.arms[arm].units for arm in (*contrast.plus, *contrast.minus))
        return sentence(effect, contrast, self.measures[effect.measure], units)

    @cached_property
    def findings(self) -> tuple[Effect, ...]:
        """The measurable effects: the sure ones first, then by their size in deviations."""
        return tuple(
            sorted(
                (effect for effect in self.effects if effect.is_measurable),
                key=lambda e: (not e.is_fact, -abs(e.d or 0.0), e.contrast, e.measure),
            )
        )

    def to_data(self) -> dict[str, Any]:
        """Everything as plain data, for JSON."""
        return {
            "title": self.design.title,
            "seed": self.design.seed,
            "units": self.statistics.units,
            "games": self.games,
            "notes": list(self.notes),
            "arms": [self._arm_data(number) for number in range(len(self.design.arms))],
            "effects": [self._effect_data(effect) for effect in self.effects],
        }

    def _arm_data(self, number: int) -> dict[str, Any]:
        arm = self.statistics.arms[number]
        return {
            "name": self.design.arms[number].name,
            "games": arm.games,
            "units": arm.units,
            "measures": {
                measure.name: {
                    **_interval_data(interval_of(arm.unit_values[i])),
                    "sd": arm.values[i].sd,
                    "games": arm.values[i].count,
                }
                for i, measure in enumerate(self.measures)
                if arm.values[i].count
            },
            "auctions": {
                tile: {
                    "count": found.price.count,
                    "how": dict(sorted(found.how.items())),
                    "opening": _ratio_data(found.opening),
                    "price": _ratio_data(found.price),
                    "earned": _ratio_data(found.earned),
                    "gain": _ratio_data(found.gain),
                }
                for tile, found in sorted(arm.tiles.items())
                if found.price.count
            },
            "castles": {
                "count": arm.castles.points.count,
                "paid_by": dict(sorted(arm.castles.paid_by.items())),
                "waiting": {str(turns): times for turns, times in arm.castles.waiting.items()},
                "points": _ratio_data(arm.castles.points),
                "gain": _ratio_data(arm.castles.gain),
            },
        }

    def _effect_data(self, effect: Effect) -> dict[str, Any]:
        return {
            "contrast": self.statistics.contrasts[effect.contrast].name,
            "measure": self.measures[effect.measure].name,
            "unit": self.measures[effect.measure].unit,
            **_interval_data(effect.interval),
            "base": effect.base,
            "p": effect.p,
            "holds_after_holm": effect.holds,
            "paired_d": effect.paired_d,
            "d": effect.d,
            "sentence": self.sentence(effect),
        }


def _interval_data(interval: Interval | None) -> dict[str, Any]:
    if interval is None:
        return {"mean": None, "low": None, "high": None, "units": 0}
    return {
        "mean": interval.mean,
        "low": interval.low,
        "high": interval.high,
        "units": interval.n,
    }


def _ratio_data(ratio: Ratio) -> dict[str, Any]:
    interval = cluster_interval(ratio)
    return {**_interval_data(interval), "mean": ratio.mean}
