"""`carcassonne render` and `carcassonne tiles --sheet` write pictures."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner

from carcassonne import Game
from carcassonne.cli import cli
from carcassonne.errors import CarcassonneError
from carcassonne.record import save_game
from carcassonne.render.svg import board_svg

if TYPE_CHECKING:
    from click.testing import Result

CASE = """
title = "one tile more"
[given]
tiles = ["BA/RFr 0,0 r0"]
stack = ["BA/RFr", "BA/RFr"]
[[steps]]
play = "place BA/RFr 1,0 r0"
settle = true
expect = { scores = { A = 99 } }
"""


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, list(map(str, arguments)))


@pytest.fixture
def game() -> Game:
    game = Game.new(["Anna", "Bert"], seed=4)
    for _ in range(12):
        game.play(game.legal_moves()[0])
    return game


@pytest.fixture
def record(tmp_path: Path, game: Game) -> Path:
    save_game(game, tmp_path / "game.json")
    return tmp_path / "game.json"


def test_a_record_is_drawn(record: Path, game: Game, tmp_path: Path) -> None:
    """The file is exactly what `board_svg` gives, at the end and after any move."""
    out = tmp_path / "board.svg"
    result = run("render", record, "--out", out)
    assert result.exit_code == 0, result.output
    assert out.read_text(encoding="utf-8") == board_svg(game)
    run("render", record, "--out", out, "--at", 5)
    game.undo(len(game.moves) - 5)
    assert out.read_text(encoding="utf-8") == board_svg(game)


def test_options_reach_the_picture(record: Path, game: Game, tmp_path: Path) -> None:
    out = tmp_path / "board.svg"
    options = ["--legal", "--vicinity", "--no-coordinates", "--no-panel", "--cell", 60]
    assert run("render", record, "--out", out, *options).exit_code == 0
    assert out.read_text(encoding="utf-8") == board_svg(
        game, legal=True, vicinity=True, coordinates=False, panel=False, cell_size=60
    )


def test_a_scenario_is_drawn_after_its_steps_even_if_it_fails(tmp_path: Path) -> None:
    case, out = tmp_path / "case.toml", tmp_path / "case.svg"
    case.write_text(CASE, encoding="utf-8")
    assert run("render", case, "--out", out).exit_code == 0
    assert "1,0 BA/RFr r0" in out.read_text(encoding="utf-8")
    assert run("render", case, "--out", out, "--at", 0).exit_code == 0
    assert "1,0 BA/RFr r0" not in out.read_text(encoding="utf-8")


def test_png(record: Path, tmp_path: Path) -> None:
    pytest.importorskip("resvg_py")
    out = tmp_path / "board.PNG"
    assert run("render", record, "--out", out).exit_code == 0
    assert out.read_bytes().startswith(b"\x89PNG")


def test_png_without_its_extra_writes_nothing(
    record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    result = run("render", record, "--out", tmp_path / "board.png")
    assert isinstance(result.exception, CarcassonneError)
    assert not (tmp_path / "board.png").exists()


def test_wrong_names_and_moves_are_errors(record: Path, tmp_path: Path) -> None:
    """Exit code 2, one line, nothing written."""
    result = run("render", record, "--out", tmp_path / "board.gif")
    assert result.exit_code == 2
    assert "ends in .svg or .png" in result.output
    for arguments in (
        ["render", record, "--out", tmp_path / "b.svg", "--at", 99],
        ["render", tmp_path / "none.json", "--out", tmp_path / "b.svg"],
        ["render", record, "--out", tmp_path / "no" / "b.svg"],
    ):
        assert isinstance(run(*arguments).exception, CarcassonneError)
    assert run("render", record).exit_code == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.json"]


def test_tiles_sheet(tmp_path: Path) -> None:
    """A whole set with counts; without SETS all that are shipped; with --json both."""
    out = tmp_path / "sheet.svg"
    result = run("tiles", "base", "--sheet", out)
    assert result.exit_code == 0
    assert result.output == f"{out}: written\n"
    ET.fromstring(out.read_text(encoding="utf-8"))  # noqa: S314 - our own picture
    assert "BA/RFr: 8" in out.read_text(encoding="utf-8")
    assert run("tiles", "--sheet", out).exit_code == 0
    assert "RI/s: 1" in out.read_text(encoding="utf-8")
    assert run("tiles", "base", "--sheet", tmp_path / "x.pdf").exit_code == 2
    assert run("tiles", "base", "--json", "--sheet", out).output.startswith("[")


def test_every_scenario_can_be_drawn() -> None:
    """The picture of any table that the tests know."""
    from carcassonne.scenario import find_scenarios, run_file

    folder = Path(__file__).parent.parent / "scenarios"
    for path in find_scenarios([folder])[::7]:
        game = run_file(path).game
        if game is not None:
            svg = board_svg(game, legal=True, vicinity=True)
            ET.fromstring(svg)  # noqa: S314 - our own picture
            assert len(svg) < 400_000, path
