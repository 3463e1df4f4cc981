"""Which bots there are: codes and their parameters, files of one's own, installed packages."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from importlib import metadata
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from carcassonne.bots import BotError, Roster
from carcassonne.bots.parameters import Parameter, read_parameters
from carcassonne.cli import cli
from carcassonne.cli.options import split_codes

if TYPE_CHECKING:
    from pathlib import Path

MINE = '''
"""Bots of my own."""

from carcassonne.bots.base import Bot


class Helper:
    """No bot."""


class First:
    """Plays the first move listed.

    More about it.
    """

    name = "first"

    def __init__(self, *, seed=0, depth=2, style: str = "plain", share: float = 0.5):
        self.seed, self.depth, self.style, self.share = seed, depth, style, share

    def choose(self, game):
        return game.legal_moves()[0]
'''


def write(folder: Path, text: str, name: str = "mine.py") -> Path:
    """A file of bots."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


PARAMETERS = (
    Parameter("simulations", kind="int", default=1000, least=1),
    Parameter("time", kind="seconds"),
    Parameter("value", choices=("win", "margin"), default="win"),
    Parameter("wide", kind="bool"),
    Parameter("memory", kind="bytes"),
    Parameter("c", kind="float"),
)


@pytest.mark.parametrize(
    ("texts", "values"),
    [
        (["1000"], {"simulations": 1000}),
        (["10_000", "value=margin"], {"simulations": 10000, "value": "margin"}),
        (["time=0.5s"], {"time": 0.5}),
        (["time=200ms", "wide=yes"], {"time": 0.2, "wide": True}),
        (["time=2", "c=-1.5"], {"time": 2.0, "c": -1.5}),
        (["memory=500 MB"], {"memory": 500_000_000}),
        (["memory=1GiB"], {"memory": 2**30}),
        ([], {}),
    ],
)
def test_parameters_are_read_by_kind(texts: list[str], values: dict[str, object]) -> None:
    assert read_parameters("mcts", PARAMETERS, texts) == values


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        (["many"], ["simulations=many", "whole number, at least 1"]),
        (["0"], ["at least 1"]),
        (["1.5"], ["whole number"]),
        (["5", "6"], ["'simulations'", "twice"]),
        (["simulation=5"], ["did you mean simulations", "takes the parameters"]),
        (["time"], ["time=value"]),
        (["time=soon"], ["0.5s or 200ms"]),
        (["time=nan"], ["0.5s or 200ms"]),
        (["value=both"], ["win or margin"]),
        (["wide=perhaps"], ["yes or no"]),
        (["memory=lots"], ["500MB"]),
        ([""], ["simulations="]),
    ],
)
def test_wrong_parameters_are_named(texts: list[str], words: list[str]) -> None:
    with pytest.raises(BotError) as refused:
        read_parameters("mcts", PARAMETERS, texts)
    for word in words:
        assert word in str(refused.value)


@given(st.text(max_size=30))
def test_any_code_is_made_or_refused(code: str) -> None:
    with contextlib.suppress(BotError):
        assert Roster().make(code).name in (code.partition(":")[0].strip(), code[4:].strip())


def test_bots_of_a_file_take_the_parameters_of_their_constructor(tmp_path: Path) -> None:
    roster = Roster([write(tmp_path, MINE)])
    assert set(roster.kinds) >= {"random", "greedy", "first"}
    kind = roster.kinds["first"]
    assert kind.about == "Plays the first move listed."
    assert [p.kind for p in kind.parameters] == ["int", "text", "float"]
    bot = roster.make("first:3:share=0.25", seed=9)
    assert vars(bot) == {"seed": 9, "depth": 3, "style": "plain", "share": 0.25}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = 1", ["no bot in it", "choose(self, game)"]),
        ("import nothing_like_this", ["line 1", "ModuleNotFoundError"]),
        ("a = 1\nb = a /", ["line 2", "SyntaxError"]),
        ("raise SystemExit(3)", ["line 1", "SystemExit"]),
        ("BOTS = 3", ["BOTS must be a dictionary"]),
        ("BOTS = {'x': 3}", ["'x' is a int"]),
        (MINE.replace("first", "random"), ["'random' is there already (built in)"]),
        (MINE.replace('"first"', '"my bot"'), ["'my bot' is no name"]),
    ],
)
def test_files_that_hold_no_bots_are_refused_by_name(
    tmp_path: Path, text: str, words: list[str]
) -> None:
    path = write(tmp_path, text)
    with pytest.raises(BotError) as refused:
        Roster([path])
    assert str(path) in str(refused.value)
    for word in words:
        assert word in str(refused.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BotError, match=r"gone\.py"):
        Roster([tmp_path / "gone.py"])


def test_a_bot_that_can_t_be_made_says_why(tmp_path: Path) -> None:
    text = MINE.replace("self.seed, self", "1 / 0; self.seed, self")
    roster = Roster([write(tmp_path, text)])
    with pytest.raises(BotError, match=r"'first'.*ZeroDivisionError"):
        roster.make("first")


class Offered:
    """Plays the last move listed."""

    name = "last"

    def __init__(self, *, seed: int = 0) -> None:
        self.seed = seed


def test_installed_packages_offer_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also those that can't be loaded are listed; they fail only when they are asked for."""
    group = "carcassonne.bots"
    entries = metadata.EntryPoints(
        [
            metadata.EntryPoint("last", f"{__name__}:Offered", group),
            metadata.EntryPoint("broken", "nothing.like.this:Bot", group),
        ]
    )
    monkeypatch.setattr(metadata, "entry_points", lambda group: entries.select(group=group))
    roster = Roster()
    assert roster.make("last", seed=4).seed == 4  # type: ignore[attr-defined]
    assert "ModuleNotFoundError" in roster.kinds["broken"].about
    with pytest.raises(BotError, match="'broken' can't be loaded"):
        roster.make("broken")


def test_the_command_lists_bots_with_their_parameters(tmp_path: Path) -> None:
    path = write(tmp_path, MINE)
    run = CliRunner().invoke(cli, ["bots", "--bots", str(path), "--json"])
    listed = {kind["name"]: kind for kind in json.loads(run.stdout)}
    assert listed["first"]["parameters"][0] == {
        "name": "depth", "about": "", "kind": "int", "default": 2, "choices": [],
    }  # fmt: skip
    run = CliRunner().invoke(cli, ["bots", "--bots", str(path)])
    assert "depth" in run.stdout
    assert "mine.py" in run.stdout.replace("\n", "").replace(" ", "")


def test_a_bot_of_a_file_plays(tmp_path: Path) -> None:
    path = write(tmp_path, MINE)
    run = subprocess.run(  # noqa: S603 - this program
        [sys.executable, "-m", "carcassonne", "play", "--players", "first:depth=1,random",
         "--bots", str(path), "--json"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert json.loads(run.stdout)["players"][0]["code"] == "first:depth=1"


def test_codes_with_commas_stand_in_quotes() -> None:
    text = 'greedy, "cmd:python bot.py --a,b" ,random'
    assert split_codes(text) == ["greedy", "cmd:python bot.py --a,b", "random"]
    assert split_codes("") == [""]


def test_play_hands_copies_to_bots_that_are_not_its_own(tmp_path: Path) -> None:
    """What such a bot does to the game that it is handed changes nothing."""
    spoils = MINE.replace(
        "return game.legal_moves()[0]",
        "move = game.legal_moves()[0]; game.play(move); return move",
    )
    path = write(tmp_path, spoils)
    run = CliRunner().invoke(cli, ["play", "--players", "first,random", "--bots", str(path), "-q"])
    assert run.exit_code == 0
    assert "forfeits" not in run.output


def test_people_and_programs_meet(tmp_path: Path) -> None:
    """A program follows the game; after an undo it is told the game anew."""
    code = f"cmd:{sys.executable} examples/bot.py"
    typed = "1\nundo\n1\n" + "1\n" * 400
    run = CliRunner().invoke(
        cli, ["play", "--players", f'human,"{code}"', "--out", str(tmp_path / "g.json")], typed
    )
    assert run.exit_code == 0, run.output[-2000:]
    assert "taken back" in run.output
    assert "win" in run.output
