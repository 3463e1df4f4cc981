"""What the README says of strength and of studies belongs to the code that is shipped.

Playing it all again takes hours, so the first pair of a row of the table is played again where
that takes seconds; what the README says of studies stands in the shipped reports.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from carcassonne.arena.store import read_results
from tests.arena.helpers import play, reading

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
SETS = {"base": ["base"], "all": ["base", "bridges_castles_bazaars"]}


class Row(NamedTuple):
    """A line of the table of strength."""

    first: str
    second: str
    tiles: str
    games: int
    won: int
    drawn: int
    lost: int
    share: float
    elo: str


def rows() -> Iterator[Row]:
    """The table of strength."""
    for line in README.splitlines():
        cells = [cell.strip(" `") for cell in line.strip("|").split("|")]
        if len(cells) == 7 and cells[2] in SETS:
            won, drawn, lost = map(int, cells[4].replace(",", "").split())
            first, second, tiles, games, _, share, elo = cells
            yield Row(first, second, tiles, int(games), won, drawn, lost, float(share), elo)


FIRST_PAIRS = {
    ("greedy", "random", "base"): ((96, 18), (30, 98)),
    ("greedy", "random", "all"): ((219, -15), (-39, 171)),
    ("mcts:300", "star:nodes=300", "base"): ((119, 94), (86, 75)),
    ("mcts:1000", "greedy", "base"): ((117, 77), (66, 92)),
}
"""Points by seat of the first two games of rows that take seconds."""


@pytest.mark.parametrize("row", FIRST_PAIRS, ids=" ".join)
def test_the_first_pair_is_played_again(row: tuple[str, str, str], tmp_path: Path) -> None:
    first, second, tiles = row
    assert row in {(r.first, r.second, r.tiles) for r in rows()}
    play(tmp_path, reading(bots=[first, second], games=2, seed=1, tile_sets=SETS[tiles]))
    results = sorted(read_results(tmp_path).results, key=lambda game: game.turn)
    assert tuple(game.points for game in results) == FIRST_PAIRS[row]


@pytest.mark.parametrize(
    "row", list(rows()), ids=lambda row: f"{row.first} {row.second} {row.tiles}"
)
def test_rows_add_up(row: Row) -> None:
    assert row.won + row.drawn + row.lost == row.games
    assert row.share == pytest.approx(100 * (row.won + row.drawn / 2) / row.games, abs=0.05)
    assert row.share > 50
    assert row.elo.startswith("+") or "∞" in row.elo


def test_there_is_a_row_for_every_claim() -> None:
    found = {(r.first.partition(":")[0], r.second.partition(":")[0], r.tiles) for r in rows()}
    assert found >= {
        ("greedy", "random", "base"), ("greedy", "random", "all"), ("mcts", "star", "base"),
        ("mcts", "greedy", "base"), ("mcts", "greedy", "all"),
    }  # fmt: skip


@pytest.mark.parametrize("name", ["expansion", "auction", "small_cities"])
def test_studies_say_what_their_reports_say(name: str) -> None:
    """Every interval of a study's lines is one of its report."""
    report = (ROOT / "docs" / "studies" / f"{name}.html").read_text(encoding="utf-8")
    assert (ROOT / "examples" / "studies" / f"{name}.toml").exists()
    said = re.search(rf"^- `{name}`: (.*?)\n(?:- |\n)", README, re.MULTILINE | re.DOTALL)
    assert said is not None
    text = " ".join(said[1].split())
    intervals = re.findall(r"\((\S+ to [^)\s]+)", text)
    assert len(intervals) >= 2
    for interval in intervals:
        assert f"({interval}" in report
    for shown in ("median", "closest", "lopsided"):
        assert f'href="./{name}-games/{shown}.html"' in report
        assert (ROOT / "docs" / "studies" / f"{name}-games" / f"{shown}.json").exists()
