"""Which charts a report shows of an experiment."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from carcassonne.playtest.charts import (
    MOST_SERIES,
    Bar,
    Point,
    Row,
    bars,
    forest,
    histogram,
    scatter,
)
from carcassonne.playtest.compare import interval_of
from carcassonne.playtest.sentences import amount, interval_text, scale, unit_word

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from carcassonne.playtest.accumulate import ArmStatistics
    from carcassonne.playtest.compare import Effect
    from carcassonne.playtest.results import Results
    from carcassonne.playtest.rows import Measure

__all__ = ["auctions", "castles", "effects", "kinds", "scores"]

_SEAT: Final = re.compile(r"(.+)_seat_([0-9]+)")
_KINDS: Final = "points by kind"
_MOST_ROWS: Final = 24
_PAYERS: Final = ("road", "city", "cloister", "castle", "never")


def effects(results: Results) -> Iterator[str]:
    """A forest of the effects in deviations for each comparison, and in the units of scores."""
    for number, contrast in enumerate(results.statistics.contrasts):
        mine = [effect for effect in results.effects if effect.contrast == number]
        strongest = sorted((e for e in mine if e.d is not None), key=lambda e: -abs(e.d or 0.0))
        kept = {effect.measure for effect in strongest[:_MOST_ROWS]}
        title = contrast.name
        if len(strongest) > len(kept):
            title += f" (the {len(kept)} largest of {len(strongest)} effects)"
        yield forest(
            title,
            "effect in standard deviations of single games",
            [_standard_row(results, e) for e in mine if e.measure in kept and e.d is not None],
        )


def _standard_row(results: Results, effect: Effect) -> Row:
    """An effect in deviations: differences of all units on one scale."""
    mean, low, high, _ = effect.interval
    one = abs(mean / effect.d) if effect.d else 1.0
    name = results.measures[effect.measure].name
    return Row(_plain(name), mean / one, low / one, high / one, strong=effect.is_fact)


def scores(results: Results) -> Iterator[str]:
    """Distributions, and what seats and the like are worth side by side."""
    names = [arm.name for arm in results.design.arms]
    for i, measure in enumerate(results.measures):
        series = [
            (name, arm.histograms[i].items())
            for name, arm in zip(names, results.statistics.arms, strict=True)
            if i in arm.histograms and arm.values[i].count
        ]
        if series:
            yield histogram(f"Distribution: {_plain(measure.name)}", measure.unit, series)
    for family, members in _families(results.measures).items():
        labels = [f"seat {seat}" for seat, _ in members]
        numbers = [i for _, i in members]
        yield _side_by_side(results, f"By seat: {_plain(family)}", labels, numbers)


def kinds(results: Results) -> Iterator[str]:
    """Points by kind of feature, arm beside arm: a chart for each unit."""
    numbers = [
        i for i in results.groups.get(_KINDS, ()) if not _SEAT.fullmatch(results.measures[i].name)
    ]
    by_unit: dict[str, list[int]] = {}
    for i in numbers:
        by_unit.setdefault(results.measures[i].unit, []).append(i)
    for unit, same in by_unit.items():
        labels = [_plain(results.measures[i].name.removeprefix("points_")) for i in same]
        title = "Points by kind" if unit == "points" else f"Points by kind: {unit}"
        yield _side_by_side(results, title, labels, same)


def auctions(results: Results) -> Iterator[str]:
    """Price against what was earned at once, by tile, for each arm with auctions."""
    for arm, found in zip(results.design.arms, results.statistics.arms, strict=True):
        points = [
            Point(
                tile,
                tiles.price.mean,
                tiles.earned.mean,
                tiles.price.count,
                f"{tile}: bid for {tiles.price.count} times, price {tiles.price.mean:.2f}, "
                f"earned {tiles.earned.mean:.2f}",
            )
            for tile, tiles in found.tiles.items()
            if tiles.price.count
        ]
        yield scatter(
            f"Price and worth: {arm.name}", "mean price (points)", "mean earned (points)", points
        )


def castles(results: Results) -> Iterator[str]:
    """How long castles wait, and what pays them."""
    named = [
        (arm.name, found.castles)
        for arm, found in zip(results.design.arms, results.statistics.arms, strict=True)
        if found.castles.points.count
    ][:MOST_SERIES]
    yield histogram(
        "Waiting times of castles", "turns from building to pay",
        [(name, castles.waiting.items()) for name, castles in named], "% of paid castles",
    )  # fmt: skip
    payers = dict.fromkeys([*_PAYERS, *sorted({k for _, c in named for k in c.paid_by})])
    groups = [
        (kind, [
            Bar(100 * castles.paid_by.get(kind, 0) / castles.points.count, series=i, title=name)
            for i, (name, castles) in enumerate(named)
        ])
        for kind in payers
    ]  # fmt: skip
    if named:
        yield bars("What paid the castles", "% of castles", groups, [name for name, _ in named])


def _side_by_side(
    results: Results, title: str, labels: Sequence[str], numbers: Sequence[int]
) -> str:
    """Bars with intervals: a group for each measure, a bar for each arm."""
    arms = list(zip(results.design.arms, results.statistics.arms, strict=True))[:MOST_SERIES]
    groups = []
    for label, i in zip(labels, numbers, strict=True):
        measure = results.measures[i]
        found = [
            _bar(arm, measure, i, series, plan.name) for series, (plan, arm) in enumerate(arms)
        ]
        groups.append((label, [bar for bar in found if bar is not None]))
    unit = unit_word(results.measures[numbers[0]]) if numbers else ""
    return bars(title, unit, groups, [plan.name for plan, _ in arms])


def _bar(arm: ArmStatistics, measure: Measure, i: int, series: int, name: str) -> Bar | None:
    if not arm.values[i].count:
        return None
    times = scale(measure)
    interval = interval_of(arm.unit_values[i])
    if interval is None:
        mean = arm.values[i].mean * times
        return Bar(mean, series=series, title=f"{name}: {amount(mean, 2)}")
    return Bar(
        interval.mean * times, interval.low * times, interval.high * times, series,
        f"{name}: {interval_text(interval, measure)}",
    )  # fmt: skip


def _families(measures: Sequence[Measure]) -> dict[str, list[tuple[int, int]]]:
    """Measures that differ in the seat only: seat and number."""
    found: dict[str, list[tuple[int, int]]] = {}
    for i, measure in enumerate(measures):
        match = _SEAT.fullmatch(measure.name)
        if match:
            found.setdefault(match[1], []).append((int(match[2]), i))
    return {name: sorted(members) for name, members in found.items() if len(members) > 1}


def _plain(name: str) -> str:
    return name.replace("_", " ")
