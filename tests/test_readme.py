"""The README's examples run as they stand: Python blocks as a doctest, shell blocks as commands."""

from __future__ import annotations

import doctest
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from carcassonne.cli import cli

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """The fenced code blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with what the tour uses: the files that the README shows, and the examples."""
    for name, text in re.findall(
        r"^```toml\n# (\S+\.toml)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
    shutil.copytree(ROOT / "tests" / "scenarios" / "manual", tmp_path / "tests/scenarios/manual")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    for folder in ("records", "community/samples"):
        shutil.copytree(ROOT / "tests" / folder, tmp_path / "tests" / folder)
    return tmp_path


def test_the_picture_is_that_of_its_record(tmp_path: Path) -> None:
    """`docs/board.svg`, which the page shows, is what `render` draws, byte for byte."""
    assert "](docs/board.svg)" in README
    record = ROOT / "tests" / "records" / "showcase.json"
    result = CliRunner().invoke(cli, ["render", str(record), "--out", str(tmp_path / "b.svg")])
    assert result.exit_code == 0, result.output
    assert (tmp_path / "b.svg").read_bytes() == (ROOT / "docs" / "board.svg").read_bytes()


def test_python_blocks_are_true(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each `>>>` line prints what the README says."""
    monkeypatch.chdir(folder)
    text = "\n".join(blocks("pycon"))
    test = doctest.DocTestParser().get_doctest(text, {}, "README.md", "README.md", 0)
    assert test.examples
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    runner.run(test)
    assert runner.summarize(verbose=False).failed == 0


def test_shell_blocks_run(folder: Path) -> None:
    """Each `carcassonne` command of the tour ends with exit code 0."""
    commands = [
        line.removeprefix("$ ")
        for block in blocks("console")
        for line in block.splitlines()
        if line.startswith("$ carcassonne")
    ]
    assert len(commands) >= 6
    for line in commands:
        words = [word for word in shlex.split(line, comments=True) if word != "carcassonne"]
        done = subprocess.run(  # noqa: S603 - the README's own commands
            [sys.executable, "-m", "carcassonne", *words],
            cwd=folder, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"


def test_setup_lines_are_what_ci_runs() -> None:
    """The README's test command and `.ci/run` say the same."""
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "pip install -e '.[dev]'" in README
    assert "-m pytest -n auto" in README
    assert "-e '.[dev]'" in script
    assert "-m pytest -n auto" in script
