"""What moves while a tournament runs: the table, and its column of OpenSkill ratings."""

from __future__ import annotations

import sys
from io import StringIO

import msgspec
import pytest
from rich.console import Console

from carcassonne.arena.live import OpenSkillColumn, live_column
from carcassonne.arena.progress import live_table
from carcassonne.arena.results import GameResult, StoredTournament
from carcassonne.arena.standings import Standings, standings
from carcassonne.errors import CarcassonneError
from tests.arena.made import luce, pairs


def fed(column: OpenSkillColumn, results: list[GameResult]) -> OpenSkillColumn:
    for result in results:
        column.add(result)
    return column


def test_openskill_orders_bots_by_strength() -> None:
    strengths = {"a": 1.0, "b": 3.0, "c": 9.0}
    column = fed(OpenSkillColumn(tuple(strengths)), luce(strengths, 3, 30, seed=1))
    assert column.figure("a") < column.figure("b") < column.figure("c")
    assert "±" in column.text("a")


def test_openskill_starts_at_25_and_keeps_equal_bots_level() -> None:
    column = OpenSkillColumn(("a", "b", "idle"))
    assert column.figure("idle") == 25
    fed(column, pairs((0, 0, 20, 0, 0))[:20])
    assert column.figure("a") == pytest.approx(column.figure("b"), abs=2)
    column.add(GameResult(0, 0, ("a", "a"), (3, 4)))
    assert column.figure("idle") == 25


def stored(results: list[GameResult], **changes: object) -> StoredTournament:
    plain = StoredTournament(
        title="t", bots=("a", "b"), players=2, planned=100, finished=False, sprt=None,
        results=tuple(results),
    )  # fmt: skip
    return msgspec.structs.replace(plain, **changes)


def shown(found: Standings, column: OpenSkillColumn | None) -> str:
    out = StringIO()
    Console(file=out, width=80).print(live_table(found, column))
    return out.getvalue()


def test_the_table_has_elo_with_its_interval_openskill_and_the_test() -> None:
    results = pairs((1, 2, 6, 8, 9))
    found = standings(stored(results, sprt=(0.0, 20.0)), resamples=50)
    column = live_column(("a", "b"))
    assert column is not None
    text = shown(found, fed(column, results))
    first = found.bots[0]
    assert first.elo is not None
    assert "95 %" in text
    assert "OpenSkill" in text
    assert f"{first.elo:+.0f}" in text
    assert f"{first.low:+.0f}…{first.high:+.0f}" in text
    assert "LLR" in text
    assert max(map(len, text.splitlines())) <= 80


def test_without_the_extra_there_is_no_openskill(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    with pytest.raises(CarcassonneError, match=r"pip install 'carcassonne\[ratings\]'"):
        OpenSkillColumn(("a", "b"))
    column = live_column(("a", "b"))
    assert column is None
    text = shown(standings(stored(pairs((1, 0, 0, 0, 3))), resamples=50), column)
    assert "OpenSkill" not in text
    assert "75.0" in text
