"""`carcassonne standings` prints and exports."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from carcassonne.arena import store
from carcassonne.cli import standings as module
from tests.arena.made import pairs, tournament

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

STORED = tournament(pairs((20, 10, 80, 14, 32)), sprt=(0, 10))


@pytest.fixture(autouse=True)
def stored(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The folders that were read; each holds the same tournament."""
    folders: list[Path] = []

    def read(folder: Path) -> object:
        folders.append(folder)
        return STORED

    monkeypatch.setattr(store, "read_results", read)
    return folders


def run(*arguments: object) -> Result:
    return CliRunner().invoke(module.command, list(map(str, arguments)))


def test_tables_are_printed(tmp_path: Path, stored: list[Path]) -> None:
    done = run(tmp_path)
    assert done.exit_code == 0
    assert stored == [tmp_path]
    assert "Standings" in done.output
    assert "20 10 80 14 32" in done.output


def test_json_is_the_same_twice(tmp_path: Path) -> None:
    first, second = run(tmp_path, "--json"), run(tmp_path, "--json")
    assert first.output == second.output
    assert json.loads(first.output)["pairs"][0]["cells"] == [20, 10, 80, 14, 32]


def test_csv_goes_to_the_screen_or_to_a_file(tmp_path: Path, stored: list[Path]) -> None:
    shown = run(tmp_path, "--csv")
    table = list(csv.DictReader(shown.output.splitlines()))
    assert [row["bot"] for row in table] == ["a", "b"]
    done = run(tmp_path, "--csv", tmp_path / "cup.csv")
    assert (done.exit_code, done.output) == (0, "")
    assert (tmp_path / "cup.csv").read_text(encoding="utf-8") == shown.output
    assert run("--csv", tmp_path).output == shown.output
    assert stored == [tmp_path] * 3


def test_a_page_is_written(tmp_path: Path) -> None:
    done = run(tmp_path, "--html", tmp_path / "cup.html", "--json")
    assert json.loads(done.output)["title"] == "cup"
    assert "</html>" in (tmp_path / "cup.html").read_text(encoding="utf-8")


def test_an_anchor_is_zero(tmp_path: Path) -> None:
    data = json.loads(run(tmp_path, "--json", "--anchor", "b").output)
    assert [line["elo"] for line in data["bots"] if line["bot"] == "b"] == [0]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "say which tournament"),
        (["cup", "--json", "--csv"], "JSON or CSV, not both"),
        (["cup", "--anchor", "zed"], "--anchor zed: the bots are a, b"),
    ],
)
def test_wrong_usage_is_told(arguments: list[str], words: str) -> None:
    done = run(*arguments)
    assert done.exit_code == 2
    assert words in done.output
