"""The report of an experiment: one page that needs nothing else, neither files nor network.

Owns the order of the page and its words. Its charts are chosen in
`carcassonne.playtest.figures` and drawn in `carcassonne.playtest.charts`. The page runs no
script and its policy forbids all; whatever comes from a design or a game is escaped.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib import resources
from string import Template
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from carcassonne.files import write_text
from carcassonne.playtest import figures
from carcassonne.playtest.charts import escaped
from carcassonne.playtest.compare import LEVEL, cluster_interval, interval_of
from carcassonne.playtest.sentences import (
    amount,
    interval_text,
    multiplicity,
    points_text,
    unit_word,
)
from carcassonne.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from carcassonne.playtest.compare import Effect
    from carcassonne.playtest.results import Example, Results
    from carcassonne.playtest.sums import Ratio

__all__ = ["report_html", "write_report"]

_MOST_FINDINGS: Final = 12
_HOW: Final = ("free", "own bid", "bought", "sold")


def write_report(results: Results, path: str | Path) -> None:
    """Write the report, whole or not at all.

    Raises
    ------
    CarcassonneError
        The file can't be written.
    """
    write_text(path, report_html(results))


def report_html(results: Results) -> str:
    """The report as one page of HTML."""
    sections = [
        ("findings", "What changed", _findings(results)),
        ("effects", "The effect of each factor", _effects(results)),
        ("scores", "Scores and seats", _charts(figures.scores(results))),
        ("kinds", "Points by kind", _charts(figures.kinds(results))),
        ("auctions", "Auctions", _auctions(results)),
        ("castles", "Castles", _castles(results)),
        ("games", "Games to look at", _games(results)),
        ("means", "All measures by arm", _means(results)),
        ("arms", "The arms", _arms(results)),
        ("method", "How to read this", _method(results)),
    ]
    shown = [(name, head, body) for name, head, body in sections if body]
    contents = "".join(f'<li><a href="#{name}">{head}</a></li>' for name, head, _ in shown)
    return Template(_asset("report.html")).substitute(
        title=escaped(results.design.title),
        lead=escaped(_lead(results)),
        notes="".join(f'<p class="note">{escaped(note)}</p>' for note in results.notes),
        contents=f"<ul>{contents}</ul>",
        sections="\n".join(
            f'<section id="{name}"><h2>{head}</h2>{body}</section>' for name, head, body in shown
        ),
        style=_asset("report.css"),
        style_hash=_style_hash(),
        version=VERSION,
        seed=results.design.seed,
    )


@cache
def _asset(name: str) -> str:
    return (resources.files("carcassonne.playtest") / name).read_text(encoding="utf-8")


@cache
def _style_hash() -> str:
    """What the page's policy knows its style sheet by."""
    return base64.b64encode(hashlib.sha256(_asset("report.css").encode()).digest()).decode()


def _lead(results: Results) -> str:
    arms, units, games = len(results.design.arms), results.statistics.units, results.games
    return (
        f"{games:,} {'game' if games == 1 else 'games'}: {arms} {'arm' if arms == 1 else 'arms'} "
        f"{'plays' if arms == 1 else 'play the same'} {units:,} stack "
        f"{'order' if units == 1 else 'orders'}."
    )


def _charts(charts: Iterable[str]) -> str:
    drawn = [f"<figure>{chart}</figure>" for chart in charts if chart]
    return f'<div class="charts">{"".join(drawn)}</div>' if drawn else ""


def _table(
    heads: Sequence[str], rows: Sequence[Sequence[str]], caption: str = "", *, words: int = 1
) -> str:
    """A table of escaped texts; the first `words` columns are words, the others numbers."""
    if not rows:
        return ""
    marks = ['class="words"' if i < words else "" for i in range(len(heads))]
    top = "".join(
        f'<th scope="col" {mark}>{escaped(head)}</th>'
        for head, mark in zip(heads, marks, strict=True)
    )
    body = "".join(
        "<tr>"
        + "".join(f"<td {mark}>{escaped(cell)}</td>" for cell, mark in zip(row, marks, strict=True))
        + "</tr>"
        for row in rows
    )
    about = f"<caption>{escaped(caption)}</caption>" if caption else ""
    return (
        f'<div class="wide"><table>{about}<thead><tr>{top}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


# ------------------------------------------------------------------------------ sections


def _findings(results: Results) -> str:
    if not results.statistics.contrasts:
        return ""
    found = results.findings
    mark = {True: "held", False: "doubtful"}
    items = "".join(
        f'<li class="{mark[effect.holds]}">{escaped(results.sentence(effect))}</li>'
        for effect in found[:_MOST_FINDINGS]
    )
    if not found:
        items = "<li>Nothing changes measurably.</li>"
    left = len(found) - _MOST_FINDINGS
    more = f'<p class="note">{left} more are in the table below.</p>' if left > 0 else ""
    return (
        f'<ul class="findings">{items}</ul>{more}'
        f'<p class="note">{escaped(multiplicity(results.effects))}</p>'
    )


def _effects(results: Results) -> str:
    if not results.effects:
        return ""
    rows = [_effect_row(results, effect) for effect in results.effects]
    table = _table(
        ["Comparison", "Measure", "Unit", "Before", "Difference (95 % interval)", "d of games",
         "d of pairs", "p", "After Holm", "Stack orders"],
        rows,
        words=3,
    )  # fmt: skip
    sentences = "".join(f"<li>{escaped(results.sentence(e))}</li>" for e in results.effects)
    return (
        _charts(figures.effects(results))
        + '<p class="note">Lines are 95 % intervals. A full dot holds after Holm\'s correction, '
        "a hollow one does not.</p>"
        + f"<details><summary>All {len(rows)} comparisons as a table</summary>{table}</details>"
        + f"<details><summary>All as sentences</summary><ul>{sentences}</ul></details>"
    )


def _effect_row(results: Results, effect: Effect) -> list[str]:
    measure = results.measures[effect.measure]
    return [
        results.statistics.contrasts[effect.contrast].name,
        measure.name,
        unit_word(measure, difference=True),
        points_text(effect.base, measure),
        interval_text(effect.interval, measure, signed=True),
        _deviations(effect.d),
        _deviations(effect.paired_d),
        "<0.0001" if effect.p < 0.0001 else f"{effect.p:.4f}",
        "holds" if effect.holds else "no",
        str(effect.interval.n),
    ]


def _deviations(value: float | None) -> str:
    return "" if value is None else amount(value, 2, signed=True)


def _auctions(results: Results) -> str:
    parts = [_charts(figures.auctions(results))]
    for arm, found in zip(results.design.arms, results.statistics.arms, strict=True):
        rows = [
            [
                tile,
                str(tiles.price.count),
                amount(tiles.opening.mean, 2),
                _clustered(tiles.price),
                _clustered(tiles.earned),
                _clustered(tiles.gain, signed=True),
                *(str(tiles.how.get(how, 0)) for how in _HOW),
            ]
            for tile, tiles in sorted(found.tiles.items(), key=lambda item: -item[1].gain.mean)
            if tiles.price.count
        ]
        heads = [
            "Tile",
            "Bid for",
            "Opening",
            "Price",
            "Earned at once",
            "Earned less price",
            *_HOW,
        ]
        table = _table(heads, rows, "Points, means with 95 % intervals")
        if table:
            parts.append(
                f"<details><summary>By tile: {escaped(arm.name)}</summary>{table}</details>"
            )
    if len(parts) == 1:
        return ""
    note = (
        '<p class="note">Earned: the points that the buyer scored in the turn with the tile. '
        "A tile may be worth more later on, or in keeping it from another. Prices are those of "
        "tiles that were bid for, each counted alike; the measures average over games.</p>"
    )
    return parts[0] + note + "".join(parts[1:])


def _clustered(ratio: Ratio, *, signed: bool = False) -> str:
    interval = cluster_interval(ratio)
    if interval is None:
        return amount(ratio.mean, 2, signed=signed)
    mean, low, high = (
        amount(v, 2, signed=signed) for v in (interval.mean, interval.low, interval.high)
    )
    return f"{mean} ({low} to {high})"


def _castles(results: Results) -> str:
    rows = []
    for arm, found in zip(results.design.arms, results.statistics.arms, strict=True):
        castles = found.castles
        total = castles.points.count
        if total:
            never = castles.paid_by.get("never", 0)
            rows.append(
                [
                    arm.name,
                    f"{total:,}",
                    amount(total / found.games, 2),
                    f"{100 * never / total:.1f} %",
                    _clustered(castles.points),
                    _clustered(castles.small_city),
                    _clustered(castles.gain, signed=True),
                ]
            )
    if not rows:
        return ""
    heads = ["Arm", "Castles", "A game", "Never paid", "Paid", "As small city", "Gain"]
    return _charts(figures.castles(results)) + _table(
        heads, rows, "Points of castles, each counted alike: means with 95 % intervals"
    )


def _games(results: Results) -> str:
    games = [_game(example) for example in results.examples]
    return f'<div class="games">{"".join(games)}</div>' if games else ""


def _game(example: Example) -> str:
    picture = ""
    if example.svg:
        data = base64.b64encode(example.svg.encode()).decode()
        picture = (
            f'<img alt="{escaped(f"Board at the end: {example.title}")}" '
            f'src="data:image/svg+xml;base64,{data}">'
        )
    link = ""
    if example.link:
        target = quote(example.link.replace("\\", "/"), safe="/")
        target = target if target.startswith("/") else f"./{target}"
        link = f'<p><a href="{escaped(target)}">Replay</a></p>'
    return (
        f"<figure><h3>{escaped(example.title)}</h3>{picture}"
        f"<figcaption><p>{escaped(example.caption)}</p>{link}</figcaption></figure>"
    )


def _means(results: Results) -> str:
    arms = results.statistics.arms
    parts = []
    for group, numbers in results.groups.items():
        rows = []
        for i in numbers:
            measure = results.measures[i]
            cells = [
                "" if (interval := interval_of(arm.unit_values[i])) is None
                else interval_text(interval, measure)
                for arm in arms
            ]  # fmt: skip
            if any(cells):
                rows.append([measure.name, unit_word(measure), *cells])
        names = [arm.name for arm in results.design.arms]
        table = _table(["Measure", "Unit", *names], rows, words=2)
        if table:
            head = escaped(group[:1].upper() + group[1:])
            parts.append(f"<details><summary>{head}</summary>{table}</details>")
    return "".join(parts)


def _arms(results: Results) -> str:
    rows = []
    for arm, found in zip(results.design.arms, results.statistics.arms, strict=True):
        changed = [f"{name} = {value}" for name, value in _changed(arm.rules.to_data())]
        rows.append(
            [
                arm.name,
                ", ".join(arm.bots),
                ", ".join(arm.tile_sets),
                ", ".join(f"{tile}: {count}" for tile, count in arm.tile_counts.items()) or "-",
                "; ".join(changed) or "first_edition",
                str(arm.players),
                f"{found.games:,}",
            ]
        )
    heads = ["Arm", "Bots", "Tile sets", "Changed counts", "Rules", "Players", "Games"]
    return _table(heads, rows, words=5)


def _changed(options: dict[str, object]) -> list[tuple[str, object]]:
    from carcassonne.rules import Rules  # noqa: PLC0415

    usual = Rules().to_data()
    return [(name, value) for name, value in options.items() if value != usual[name]]


def _method(results: Results) -> str:
    rows = [[measure.name, unit_word(measure), measure.about] for measure in results.measures]
    return (
        "<p>All arms play the same stack orders, as far as they share tiles, and seats rotate "
        "where bots differ. Differences are taken within each stack order and averaged; their "
        f"{100 * LEVEL:.0f} % intervals are Student's, over stack orders. A level of a factor is "
        "compared with the first level, averaged over the other factors. "
        "<em>d of games</em> is the difference over the standard deviation of single games, "
        "<em>d of pairs</em> over that of the differences: about 0.2 is small, 0.8 large. "
        "What holds after Holm's correction would, all of it together, be due to chance in at "
        "most 5 of 100 such experiments.</p>" + f"<details><summary>What is measured</summary>"
        f"{_table(['Measure', 'Unit', 'About'], rows, words=3)}</details>"
    )
