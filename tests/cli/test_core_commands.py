"""Commands on the core: `bench`, and the notice where the core runs uncompiled."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from carcassonne.cli import cli
from carcassonne.core import FORM


def run(*words: str, pure: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - this program
        [sys.executable, "-m", "carcassonne", *words],
        env={**os.environ, "CARCASSONNE_PURE": pure}, capture_output=True, text=True, check=True,
    )  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [
        ("perft", "--depth", "2", "--json"),
        ("selftest", "--games", "2", "--jobs", "2", "--json"),
        ("bench", "--seconds", "0.1", "--json"),
    ],
)
def test_an_uncompiled_core_says_so_once(words: tuple[str, ...]) -> None:
    result = run(*words, pure="1")
    assert result.stderr == (
        "note: the core runs uncompiled, many times slower (CARCASSONNE_PURE is set)\n"
    )
    json.loads(result.stdout)


def test_the_model_needs_no_notice() -> None:
    assert run("perft", "--depth", "1", "--engine", "model", pure="1").stderr == ""


def test_bench_measures_three_engines_side_by_side() -> None:
    result = CliRunner().invoke(cli, ["bench", "--seconds", "0.1", "--players", "3", "--json"])
    *rows, search = json.loads(result.stdout)
    assert search["mcts_simulations_per_s"] > 10
    assert [row["engine"] for row in rows] == ["model", "core", "python_bot"] * 2
    assert [row["form"] for row in rows] == ["pure Python", FORM, FORM] * 2
    for model, core, bot in (rows[:3], rows[3:]):
        assert model["times_model"] == 1
        assert core["times_model"] > bot["times_model"] > 1
        assert model["tile_sets"] == core["tile_sets"] == bot["tile_sets"]
        for row in (model, core, bot):
            assert row["players"] == 3
            assert row["moves_per_s"] > row["decisions_per_s"] > 70 * row["games_per_s"]
