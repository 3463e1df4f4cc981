"""`carcassonne check` says what failed, why, and ends with the right code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

from click.testing import CliRunner

from carcassonne.cli import cli

if TYPE_CHECKING:
    from pathlib import Path

GOOD = 'title = "good"\nrules = ["R-BASE-5"]\n[[steps]]\nexpect = { scores = { A = 0 } }\n'
BAD = 'title = "bad"\nrules = ["R-BASE-5"]\n[[steps]]\nexpect = { scores = { A = 1 } }\n'


def write(folder: Path, **texts: str) -> None:
    for name, text in texts.items():
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")


def test_all_good_is_0(tmp_path: Path) -> None:
    """Folders are searched; the last line counts."""
    write(tmp_path, a=GOOD, b=GOOD)
    done = CliRunner().invoke(cli, ["check", str(tmp_path)])
    assert done.exit_code == 0
    assert "2 scenarios: 2 as expected, 0 not" in done.output


def test_failure_is_1_and_shows_expected_found_board_and_rules(tmp_path: Path) -> None:
    """A failure prints everything needed to judge it."""
    write(tmp_path, bad=BAD)
    done = CliRunner().invoke(cli, ["check", str(tmp_path / "bad.toml")])
    assert done.exit_code == 1
    for part in ("{ A = 1 }", "{ A = 0 }", "expect.scores", "R-BASE-5: ", "0,0"):
        assert part in done.output or part.replace("0,0", "0") in done.output


def test_unreadable_is_2_and_wins_over_failures(tmp_path: Path) -> None:
    """The other files still run, and their results stand."""
    write(tmp_path, bad=BAD, broken="title = ", good=GOOD)
    done = CliRunner().invoke(cli, ["check", str(tmp_path)])
    assert done.exit_code == 2
    assert "3 scenarios: 1 as expected, 1 not, 1 could not be read" in done.output


def test_json_is_a_list_of_all_files(tmp_path: Path) -> None:
    """Machines get the same facts."""
    write(tmp_path, bad=BAD, broken="title = ", good=GOOD)
    done = CliRunner().invoke(cli, ["check", "--json", str(tmp_path)])
    reports = json.loads(done.stdout)
    assert done.exit_code == 2
    assert [report["passed"] for report in reports] == [False, False, True]
    assert reports[0]["failures"][0]["found"] == "{ A = 0 }"
    assert "broken.toml" in reports[1]["error"]


def test_missing_path_and_empty_folder_are_2(tmp_path: Path) -> None:
    """Nothing to check is an error, not a success."""
    for path in (tmp_path / "nowhere.toml", tmp_path):
        done = CliRunner().invoke(cli, ["check", str(path)])
        assert done.exit_code != 0
        assert str(path) in str(done.exception)


def test_main_turns_errors_into_one_line(tmp_path: Path) -> None:
    """No traceback reaches a user."""
    done = subprocess.run(  # noqa: S603 - ourselves
        [sys.executable, "-m", "carcassonne", "check", str(tmp_path / "no.toml")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.startswith("Error: ")
    assert done.stderr.count("\n") == 1


def test_a_pipe_is_no_scenario_and_no_target(tmp_path: Path) -> None:
    """Pipes and devices are refused at once, for reading and for writing."""
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    for words in (["check", pipe], ["replay", pipe], ["play", "--quiet", "--out", pipe]):
        done = subprocess.run(  # noqa: S603 - ourselves
            [sys.executable, "-m", "carcassonne", *map(str, words)],
            capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip
        assert done.returncode == 2, words
        assert "ordinary file" in done.stderr
        assert "Traceback" not in done.stderr
    assert pipe.is_fifo()


def test_nan_is_no_number_of_seconds() -> None:
    """What looks like a number and is none is refused before anything runs."""
    for words in (["bench", "--seconds", "nan"], ["play", "--delay", "nan"]):
        done = CliRunner().invoke(cli, words)
        assert done.exit_code == 2
        assert "no number" in done.output
