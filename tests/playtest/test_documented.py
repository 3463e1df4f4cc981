"""`docs/playtest.md` says what is true: its designs and measures work, and no fact is left out."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from carcassonne.cli import cli
from carcassonne.playtest.design_file import load_design
from carcassonne.playtest.facts import Facts
from carcassonne.playtest.game import Lab

PAGE = (Path(__file__).parents[2] / "docs" / "playtest.md").read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the files that the page shows."""
    for name, text in re.findall(
        r"^```(?:toml|python)\n# (\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_the_design_is_read_and_its_measures_are_taken(folder: Path) -> None:
    design = load_design(folder / "study.toml")
    assert len(design.arms) == 4
    names = [taken.measure.name for taken in Lab(design)._measures]
    assert names[-2:] == ["runner_up", "best_castle"]
    row = Lab(design).play_game(0, 0, 0)
    assert row.values[-2] is not None


def test_the_list_of_arms_is_read(folder: Path) -> None:
    arms = load_design(folder / "arms.toml").arms
    assert [arm.players for arm in arms] == [2, 5]


@pytest.mark.parametrize("line", re.findall(r"^carcassonne playtest (.*)$", PAGE, re.MULTILINE))
def test_commands_run(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run = CliRunner().invoke(cli, ["playtest", *shlex.split(line), "--games", "1", "--json"])
    assert run.exit_code == 0, run.output


def test_every_fact_is_named() -> None:
    table = PAGE.partition("| name |")[2].partition("Seats count")[0]
    named = set(re.findall(r"`([a-z_]+)`", table))
    assert set(Facts.__slots__) <= named
