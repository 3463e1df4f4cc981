"""`carcassonne replay`: a saved game at any of its moves."""

from __future__ import annotations

import json
import random
import re
import sys
from typing import TYPE_CHECKING

import click
import pytest
from click.testing import CliRunner, Result

from carcassonne import Game
from carcassonne.cli import main
from carcassonne.cli.replay import command
from carcassonne.record import save_game

if TYPE_CHECKING:
    from pathlib import Path


def random_game(seed: int) -> Game:
    """A whole game with small bids."""
    rng = random.Random(seed)
    game = Game.new(["Ann", "Bob"], seed=seed)
    while game.decision is not None:
        listed = list(game.legal_moves())
        short = listed[:4] if game.decision.kind in ("choose", "bid") else listed
        game.play(rng.choice(short))
    return game


@pytest.fixture(scope="module")
def game() -> Game:
    """A finished game."""
    return random_game(11)


@pytest.fixture
def path(game: Game, tmp_path: Path) -> Path:
    """Its file."""
    file = tmp_path / "game.json"
    save_game(game, file)
    return file


def run(*arguments: str) -> Result:
    """Run the command in 80 columns."""
    return CliRunner().invoke(command, list(arguments), env={"COLUMNS": "80"})


def test_the_end_is_shown_with_every_turn(game: Game, path: Path) -> None:
    """Turns, auctions, board and points."""
    result = run(str(path))
    assert result.exit_code == 0, result.output
    out = result.output
    assert f"After move {len(game.moves)} of {len(game.moves)}" in out
    for heading in ("Final scoring", "Auctions", "total"):
        assert heading in out
    assert len(re.findall(r"^ {0,2}\d+  (Ann|Bob)", out, re.MULTILINE)) == len(game.tiles) - 1
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize("at", [0, 1, 2, 17, 60, 100])
def test_at_shows_the_position_after_so_many_moves(game: Game, path: Path, at: int) -> None:
    """Scores and the open decision are those of the game then."""
    twin = game.copy()
    twin.undo(len(game.moves) - at)
    result = run(str(path), "--at", str(at))
    assert f"After move {at} of" in result.output
    assert twin.decision is not None
    assert f"{twin.decision.player} decides: {twin.decision.kind}" in result.output
    data = json.loads(run(str(path), "--at", str(at), "--json").output)
    assert data["scores"] == twin.scores
    assert data["supply"] == twin.supply
    assert data["at"] == at
    assert len(data["tiles"]) == len(twin.tiles)
    assert data["events"] == [str(event) for event in twin.events]
    assert data["decision"]["kind"] == twin.decision.kind


def test_json_of_the_end(game: Game, path: Path) -> None:
    """No decision, the winners."""
    data = json.loads(run(str(path), "--json").output)
    assert data["over"] is True
    assert data["decision"] is None
    assert data["winners"] == game.winners
    assert data["moves"] == [str(move) for move in game.moves]


def test_a_stopped_game_ends_with_its_last_move(tmp_path: Path) -> None:
    """Its final scoring belongs to the end, and goes when a move is taken back."""
    game = Game.new(["Ann", "Bob"], seed=1)
    for _ in range(30):
        game.play(game.legal_moves()[0])
    while game.decision and game.decision.kind != "place":
        game.play(game.legal_moves()[-1])
    game.stop()
    file = tmp_path / "stopped.json"
    save_game(game, file)
    assert json.loads(run(str(file), "--json").output)["over"] is True
    before = run(str(file), "--json", "--at", str(len(game.moves) - 1)).output
    assert json.loads(before)["over"] is False


def test_quiet_shows_the_position_only(path: Path) -> None:
    """No turns."""
    result = run(str(path), "--quiet", "--ascii")
    assert not re.search(r"^  1  (Ann|Bob)", result.output, re.MULTILINE)
    assert result.output.isascii()


@pytest.mark.parametrize(
    ("text", "arguments", "says"),
    [
        (None, [], "can't be read"),
        ("{", [], "JSON"),
        ("[]", [], "game.json"),
        ("keep", ["--at", "9999"], "has"),
        ("keep", ["--at", "-1"], "-1"),
        ("keep", ["--step"], "interactive"),
        ("keep", ["--step", "--json"], "together"),
    ],
)
def test_what_cant_be_shown_is_told_and_ends_with_2(
    path: Path, text: str | None, arguments: list[str], says: str,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """In a sentence on standard error."""
    if text is None:
        path.unlink()
    elif text != "keep":
        path.write_text(text, encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["carcassonne", "replay", str(path), *arguments])
    with pytest.raises(SystemExit) as ending:
        main()
    assert ending.value.code == 2
    printed = capsys.readouterr()
    assert not printed.out
    assert says in printed.err


def test_stepping_with_keys(game: Game, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Next, previous, turns, both ends, unknown keys; q ends it."""
    keys = iter(["n", "\x1b[C", "p", "t", "x", "e", "n", "\x1b[D", "g", "p", "q"])
    monkeypatch.setattr("carcassonne.cli.screen.is_interactive", lambda: True)
    monkeypatch.setattr(click, "getchar", lambda: next(keys))
    result = run(str(path), "--step")
    assert result.exit_code == 0, result.output
    shown = [int(number) for number in re.findall(r"After move (\d+) of", result.output)]
    last = len(game.moves)
    turn = shown[4]
    assert shown == [0, 1, 2, 1, turn, turn, last, last, last - 1, 0, 0]
    assert turn > 1


def test_the_end_of_keys_ends_the_stepping(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C and Ctrl-D too."""
    for error in (EOFError, KeyboardInterrupt):

        def stopped(error: type[BaseException] = error) -> str:
            raise error

        monkeypatch.setattr("carcassonne.cli.screen.is_interactive", lambda: True)
        monkeypatch.setattr(click, "getchar", stopped)
        assert run(str(path), "--step", "--at", "5").exit_code == 0
