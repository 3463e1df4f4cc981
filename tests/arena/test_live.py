"""The live column: OpenSkill, or the running score without it."""

from __future__ import annotations

import sys

import pytest

from carcassonne.arena.live import LiveColumn, OpenSkillColumn, ScoreColumn, live_column
from carcassonne.arena.results import GameResult
from carcassonne.errors import CarcassonneError
from tests.arena.made import luce, pairs


def fed(column: LiveColumn, results: list[GameResult]) -> LiveColumn:
    for result in results:
        column.add(result)
    return column


def test_openskill_orders_bots_by_strength() -> None:
    strengths = {"a": 1.0, "b": 3.0, "c": 9.0}
    column = fed(live_column(tuple(strengths)), luce(strengths, 3, 30, seed=1))
    assert isinstance(column, OpenSkillColumn)
    assert column.figure("a") < column.figure("b") < column.figure("c")
    assert "±" in column.text("a")


def test_openskill_starts_at_25_and_keeps_equal_bots_level() -> None:
    column = OpenSkillColumn(("a", "b", "idle"))
    assert column.figure("idle") == 25
    fed(column, pairs((0, 0, 20, 0, 0))[:20])
    assert column.figure("a") == pytest.approx(column.figure("b"), abs=2)
    column.add(GameResult(0, 0, ("a", "a"), (3, 4)))
    assert column.figure("idle") == 25


def test_without_the_extra_the_score_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    with pytest.raises(CarcassonneError, match=r"pip install 'carcassonne\[ratings\]'"):
        OpenSkillColumn(("a", "b"))
    column = live_column(("a", "b"))
    assert isinstance(column, ScoreColumn)
    assert column.text("a") == "-"
    fed(column, pairs((1, 0, 0, 0, 3)))
    assert column.figure("a") == 0.75
    assert column.text("b") == "25.0 %"
