"""`carcassonne medina`: the table, the JSON, the simulation, and bad input."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner

from carcassonne.cli import cli


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - ourselves
        [sys.executable, "-m", "carcassonne", "medina", *words],
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_r_medina_16_json_is_exact() -> None:
    """The rulebook's example for machines."""
    done = CliRunner().invoke(cli, ["medina", "3", "A=", "B=", "C=3,5", "D=2,4,8", "--json"])
    assert done.output.strip() == '{"A": -11, "B": -11, "C": -3, "D": 0}'


def test_table_gives_the_reasons() -> None:
    """Every loss with the ids of its rules."""
    done = CliRunner().invoke(cli, ["medina", "3", "A=", "B=4", "C=3,5"])
    assert done.exit_code == 0
    assert "-12" in done.output
    assert "R-MEDINA-10" in done.output


def test_option_changes_the_result() -> None:
    """The literal reading of the forum text."""
    words = ["medina", "3", "A=", "B=", "C=3,5", "--option", "medina_zero_pool=all", "--json"]
    assert json.loads(CliRunner().invoke(cli, words).output) == {"A": -12, "B": -12, "C": 0}


def test_simulation_is_the_same_for_a_seed() -> None:
    """Two runs print the same; another seed prints something else."""
    words = ["medina", "simulate", "--games", "20", "--players", "3", "--json"]
    first = CliRunner().invoke(cli, [*words, "--seed", "1"])
    again = CliRunner().invoke(cli, [*words, "--seed", "1"])
    other = CliRunner().invoke(cli, [*words, "--seed", "2"])
    assert first.exit_code == 0
    assert first.output == again.output != other.output
    assert json.loads(first.output)


@pytest.mark.parametrize(
    "words",
    [
        ["4", "A=1", "B=2"],
        ["1", "A=x", "B=2"],
        ["1", "A=1"],
        ["1", "A=1", "B=2", "--option", "foo=1"],
        ["1", "A=1", "B=2", "--option", "medina_zero_pool=no"],
        ["1", "A=1", "A=2"],
        ["one", "A=1", "B=2"],
        ["1", "A=-3", "B=2"],
        ["1", "A", "B=2"],
        ["1", "A=1,2,3,4,5", "B=6,7,8,9,10"],
        ["1", "A=1", "B=2", "--option", "medina_allow_negative_total=false"],
    ],
    ids=" ".join,
)
def test_bad_input_is_one_line_and_exit_code_2(words: list[str]) -> None:
    """Nothing on standard output, no traceback."""
    done = run(*words)
    assert done.returncode == 2
    assert not done.stdout
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("Error: ")
    assert done.stderr.count("\n") == 1


def test_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """No line is wider than the terminal."""
    monkeypatch.setenv("COLUMNS", "50")
    done = CliRunner().invoke(cli, ["medina", "3", "A=", "B=4", "C=3,5"])
    assert max(map(len, done.output.splitlines())) <= 50
