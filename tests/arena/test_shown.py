"""Standings shown: tables for the terminal, and the page."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from rich.cells import cell_len

from carcassonne.arena.charts import Bar, interval_chart, ticks
from carcassonne.arena.page import page
from carcassonne.arena.standings import Standings, standings
from carcassonne.arena.tables import number, standings_text
from tests.arena.made import luce, pairs, tournament

NAMES = {"a": "greedy [bold]", "b": "<script>alert(1)</script>", "c": '"x" & $y', "d": "名" * 30}


def cup(players: int = 2, names: dict[str, str] = NAMES) -> Standings:
    results = luce({"a": 1, "b": 2, "c": 1.5, "d": 1.1}, players, 40, seed=3)
    results[5] = replace(results[5], verdict="timeout", culprit=1)
    results = [replace(game, bots=tuple(names[bot] for bot in game.bots)) for game in results]
    stored = tournament(results, tuple(names.values()), players=players, sprt=(0, 10))
    return standings(replace(stored, title="Cup <1> $x"), resamples=50)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("width", [80, 140])
def test_tables_fit_and_cut_no_number(width: int, players: int) -> None:
    found = cup(players)
    text = standings_text(found, width)
    assert all(cell_len(line) <= width for line in text.splitlines())
    assert "greedy" in text
    assert "…" not in text.replace("…+", "").replace("…-", "").replace(" … ", "")
    for line in found.bots:
        assert re.search(rf"\b{line.games} +{line.wins} +{line.draws} +{line.losses}\b", text)
        assert number(line.margin, sign=True) in text
    for pair in found.pairs:
        assert re.search(rf"\b{pair.games} +{pair.wins} +{pair.draws} +{pair.losses}\b", text)
        assert pair.sprt is not None
        assert number(pair.sprt.llr, 2) in text
    assert "1 game forfeited: 1 timeout" in text


def test_two_bots_are_told_bounds_ratio_and_counts() -> None:
    text = standings_text(standings(tournament(pairs((20, 10, 80, 14, 32)), sprt=(0, 10))), 80)
    assert "pentanomial counts of a against b: 20 10 80 14 32" in text
    assert "LLR" in text
    assert "(-2.94, 2.94), undecided after 156 units" in " ".join(text.split())
    assert "the first seat is worth" in text


def test_an_empty_tournament_can_be_shown() -> None:
    empty = standings(tournament([], ("a", "b"), finished=False))
    assert "0 games, 0 complete pairs at tables of 2; running, or broken off" in standings_text(
        empty, 80
    )
    assert "<h1>cup</h1>" in page(empty)


def test_numbers_without_end() -> None:
    assert [number(x) for x in (None, float("nan"), float("inf"), -float("inf"), -0.0)] == [
        "\u2013", "\u2013", "∞", "-∞", "0.0",
    ]  # fmt: skip
    assert "∞" in standings_text(standings(tournament(pairs((0, 0, 0, 0, 4)))), 80)
    assert "<svg" in page(standings(tournament(pairs((0, 0, 0, 0, 4)))))


@pytest.mark.parametrize("players", [2, 3])
def test_the_page_stands_alone_and_escapes_names(players: int) -> None:
    text = page(cup(players))
    assert "<script" not in text
    assert "&lt;script&gt;alert(1)" in text
    assert "&quot;x&quot; &amp; $y" in text
    assert "<h1>Cup &lt;1&gt; $x</h1>" in text
    assert not re.search(r"https?:|src=|@import|url\(", text)
    charts = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
    assert len(charts) == 3  # ratings, seats, margins
    for chart in charts:
        ET.fromstring(chart)  # noqa: S314 - the page's own text
    assert "prefers-color-scheme: dark" in text
    assert "width=device-width" in text


def test_the_heat_map_holds_every_score() -> None:
    found = cup()
    heat = re.search(r'<table class="heat">.*?</table>', page(found), re.DOTALL)
    assert heat
    cells = re.findall(r"<td[^>]*>([^<]*)</td>", heat[0])
    assert len(cells) == 16
    scores = found.scores()
    shown = [
        f"{100 * scores[a.bot, b.bot]:.0f}" if a != b else ""
        for a in found.bots
        for b in found.bots
    ]
    assert cells == shown


def test_a_chart_places_dots_and_bars_to_scale() -> None:
    chart = interval_chart("t", [Bar("a", "1", 10, 0, 20), Bar("b", "2", 20, 15, float("inf"))])
    dots = [float(x) for x in re.findall(r'cx="([\d.]+)"', chart)]
    spans = [tuple(map(float, s)) for s in re.findall(r'"M([\d.]+) \d+H([\d.]+)', chart)]
    assert spans[0][0] == 12
    assert dots[0] == pytest.approx(sum(spans[0]) / 2)
    assert dots[1] == pytest.approx(spans[0][1])
    assert spans[1][1] == 348


@given(st.floats(-1e6, 1e6), st.floats(1e-6, 1e6))
def test_ticks_are_few_and_hold_the_range(low: float, size: float) -> None:
    marks = ticks(low, low + size)
    assert 2 <= len(marks) <= 8
    assert marks[0] <= low + size * 1e-6
    assert marks[-1] >= low + size * (1 - 1e-6)
