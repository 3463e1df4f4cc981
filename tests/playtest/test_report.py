"""The report: one safe page that shows what the numbers say, and charts that are right."""

from __future__ import annotations

import base64
import hashlib
import io
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from carcassonne.playtest.charts import (
    Bar,
    Point,
    Row,
    bars,
    escaped,
    forest,
    histogram,
    scatter,
)
from carcassonne.playtest.compare import interval_of
from carcassonne.playtest.report import report_html, write_report
from carcassonne.playtest.results import Example, Results, empty_statistics
from carcassonne.playtest.sentences import interval_text
from carcassonne.playtest.summary import print_summary
from tests.playtest.synthetic import MEASURES, design, results

if TYPE_CHECKING:
    from pathlib import Path

HOSTILE = "\"'><script>alert(1)</script>&amp;\x07"
VOID = {"meta", "img", "link", "br", "input"}


class Page(HTMLParser):
    """Reads a page and complains of tags that don't match."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return "".join(self.words)


@pytest.fixture(scope="module")
def found() -> Results:
    """An experiment with a planted effect and three games to look at."""
    made = results(design(3), units=120, shift=5)
    made.examples = (
        Example("The median game", "88 to 85", "<svg xmlns='http://www.w3.org/2000/svg'/>",
                "replays/a b?#.html"),
        Example("The closest game", HOSTILE, "", ""),
        Example("The most lopsided game", "140 to 32", "<svg/>", "javascript:alert(1)"),
    )  # fmt: skip
    return made


def test_the_page_is_whole_and_needs_nothing_else(found: Results) -> None:
    text = report_html(found)
    page = Page(text)
    for tag, attributes in page.tags:
        assert tag not in {"script", "iframe", "object", "embed", "link", "base", "form"}
        assert not any(name.startswith("on") or name == "style" for name in attributes)
        for name in ("src", "href"):
            value = attributes.get(name) or "#"
            assert value.startswith(("#", "./", "data:image/svg+xml;base64,")), value
    assert "http" not in re.sub(r"http-equiv", "", text)
    assert "url(" not in text
    assert "@import" not in text


def test_the_policy_allows_the_style_sheet_and_nothing_else(found: Results) -> None:
    text = report_html(found)
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]+)"', text)
    (style,) = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none';")
    assert "prefers-color-scheme: dark" in style
    assert 'name="viewport"' in text


def test_links_to_replays_stay_in_the_folder(found: Results) -> None:
    links = [a["href"] for tag, a in Page(report_html(found)).tags if tag == "a"]
    assert "./replays/a%20b%3F%23.html" in links
    assert "./javascript%3Aalert%281%29" in links


def test_whatever_comes_from_outside_is_escaped(found: Results) -> None:
    arms = tuple(
        msgspec.structs.replace(arm, name=f"{HOSTILE}{i}") for i, arm in enumerate(design(2).arms)
    )
    plan = msgspec.structs.replace(design(2), title=HOSTILE, arms=arms, factors=())
    made = Results(plan, results(plan, units=10).statistics, found.examples, [HOSTILE])
    text = report_html(made)
    page = Page(text)
    assert "<script" not in text
    assert all(tag != "script" for tag, _ in page.tags)
    assert "<script>alert(1)</script>" in page.text
    assert "BB/<i>" in page.text


def test_the_page_says_what_the_numbers_are(found: Results) -> None:
    text = Page(report_html(found)).text
    for effect in found.effects:
        assert found.sentence(effect) in text
    for arm in found.statistics.arms:
        for i, measure in enumerate(found.measures):
            interval = interval_of(arm.unit_values[i])
            assert interval is None or interval_text(interval, measure) in text
    for measure in found.measures:
        assert measure.about in text
    assert "360 games: 3 arms play the same 120 stack orders." in text


def test_every_chart_of_the_requirement_is_there(found: Results) -> None:
    charts = re.findall(r'<svg class="chart".*?aria-label="([^"]+)"', report_html(found))
    for title in (
        "bazaar_mode: draft against auction",
        "Distribution: score seat 1",
        "Distribution: margin",
        "By seat: win",
        "By seat: score",
        "Points by kind",
        "Price and worth: bazaar_mode auction",
        "Waiting times of castles",
        "What paid the castles",
    ):
        assert title in charts


def test_an_experiment_without_comparisons_auctions_or_games_has_a_page() -> None:
    plan = design(1)
    for made in (results(plan, units=1), Results(plan, empty_statistics(plan, MEASURES))):
        page = Page(report_html(made))
        assert "What changed" not in page.text
        assert "nan" not in page.text.lower().split()


def test_the_page_is_the_same_every_time_and_written_whole(found: Results, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    write_report(found, path)
    assert path.read_text(encoding="utf-8") == report_html(found)
    assert [file.name for file in tmp_path.iterdir()] == ["report.html"]


# ------------------------------------------------------------------------------ charts


def drawn(chart: str) -> ET.Element:
    """A chart as XML, with every coordinate inside the picture."""
    root = ET.fromstring(chart)  # noqa: S314 - the project's own picture
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    for element in root.iter():
        for name in ("x", "x1", "x2", "cx"):
            assert -1 <= float(element.get(name, 0)) <= width + 1, (name, element.attrib)
        for name in ("y", "y1", "y2", "cy"):
            assert -1 <= float(element.get(name, 0)) <= height + 1, (name, element.attrib)
    return root


def texts(root: ET.Element) -> list[str]:
    return [element.text or "" for element in root.iter("text")]


numbers = st.floats(-1e7, 1e7).filter(lambda value: value == 0 or abs(value) > 1e-6)


@given(st.lists(st.tuples(st.text(max_size=30), numbers, numbers, numbers), max_size=8))
@settings(max_examples=80, deadline=None)
def test_charts_hold_any_numbers_and_words(items: list[tuple[str, float, float, float]]) -> None:
    rows = []
    for label, *values in items:
        low, middle, high = sorted(values)
        rows.append(Row(label, middle, low, high))
    charts = [
        forest("f", "d", rows),
        scatter("s", "x", "y", [Point(label, x, y, abs(w)+1) for label, x, y, w in items]),
        bars("b", "points", [(label, [Bar(y, min(x, y), max(y, z))]) for label, x, y, z in items]),
        histogram("h", "points", [("a", sorted({int(x): 1 for _, x, _, _ in items}.items()))]),
    ]  # fmt: skip
    for chart in charts:
        assert bool(chart) == bool(items)
        if chart:
            drawn(chart)


def test_a_histogram_shows_shares_of_each_series() -> None:
    chart = histogram("t", "points", [("a", [(0, 1), (1, 3)]), ("b", [(1, 10)])])
    root = drawn(chart)
    paths = [e.get("d") or "" for e in root.iter("path")]
    heights = [[float(v) for v in re.findall(r"V([-\d.]+)H", path)] for path in paths]
    foot = float(re.findall(r"V([-\d.]+)$", paths[0])[0])
    first, second = ([foot - h for h in row] for row in heights)
    assert first[1] == pytest.approx(3 * first[0], abs=0.3)
    assert second[0] == 0
    assert second[1] == pytest.approx(4 * first[0], abs=0.5)
    assert {"points", "% of games", "a", "b", "t"} <= set(texts(root))


def test_a_forest_tells_what_holds_and_draws_to_scale() -> None:
    root = drawn(forest("t", "d", [Row("up", 1, 0.5, 1.5), Row("down", -2, -3, -1, strong=False)]))
    dots = {e.get("class"): float(e.get("cx", 0)) for e in root.iter("circle")}
    (zero,) = [float(e.get("x1", 0)) for e in root.iter("line") if e.get("class") == "zero"]
    assert dots["hollow s0"] - zero == pytest.approx(-2 * (dots["dot s0"] - zero), abs=0.3)
    assert "up: +1.00 (+0.50 to +1.50)" in [e.text for e in root.iter("title")]


def test_labels_of_a_scatter_do_not_cover_each_other() -> None:
    points = [Point(f"BA/LONG{i}", 1 + i % 3 / 100, 1 + i / 200, 5) for i in range(40)]
    root = drawn(scatter("t", "price", "earned", points))
    labels = [e for e in root.iter("text") if (e.text or "").startswith("BA/")]
    assert 1 <= len(labels) < 40
    assert len([e for e in root.iter("title") if e.text]) == 40


def test_escaping_leaves_nothing_that_markup_could_start_with() -> None:
    text = escaped(HOSTILE)
    assert not set("<>\"'\x07") & set(text)
    assert ET.fromstring(f'<a b="{text}">{text}</a>').text  # noqa: S314


# ------------------------------------------------------------------------------ the terminal


@pytest.mark.parametrize("width", [80, 140])
def test_the_summary_fits_its_terminal(found: Results, width: int) -> None:
    out = io.StringIO()
    print_summary(found, Console(file=out, width=width, highlight=False))
    lines = out.getvalue().splitlines()
    assert max(len(line) for line in lines) <= width
    words = " ".join(out.getvalue().split())
    for effect in found.findings[:10]:
        assert found.sentence(effect) in words.replace(" * ", " ").replace(" - ", " ")
    for word in ("What changed", "Scores", "Auctions", "Castles", "score_seat_1", "BA/L", "±"):
        assert word in words or (word == "±" and width > 100)


def test_the_summary_of_nothing_is_short() -> None:
    out = io.StringIO()
    plan = design(1)
    print_summary(Results(plan, empty_statistics(plan, MEASURES)), Console(file=out, width=80))
    assert "0 games" in out.getvalue()
    assert "nan" not in out.getvalue()
