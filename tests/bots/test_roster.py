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

    from carcassonne import Game
    from carcassonne.moves import Move

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
    Parameter("simulations", kind="int", default=1000, least=1, most=1_000_000),
    Parameter("time", kind="seconds"),
    Parameter("value", choices=("win", "margin"), default="win"),
    Parameter("wide", kind="bool"),
    Parameter("memory", kind="bytes"),
    Parameter("c", kind="float"),
    Parameter("share", kind="int"),
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
        (["9" * 26], ["at least 1 and at most 1000000"]),
        (["9" * 9000], ["99... must be", "at most 1000000"]),
        (["c=1e400"], ["a number"]),
        (["memory=1e308GiB"], ["500MB"]),
        (["share=1000000000000000000"], ["at most 999999999999999999"]),
        (["share=-1000000000000000000"], ["at least -999999999999999999"]),
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
        ("BOTS = {'x': 3}", ["'x'", "it is of type int"]),
        (f"{MINE}\nclass Second(First): pass", ["First and Second both have the name 'first'"]),
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


PLAIN = """
import functools

class Plain:
    name = "plain"
    def choose(self, game):
        return game.legal_moves()[0]

class Deep(Plain):
    name = "deep"
    def __init__(self, depth=2):
        self.depth = depth

class Seeded(Plain):
    name = "seeded"
    def __init__(self, seed):
        self.seed = seed

class Gathering(Plain):
    name = "gathering"
    def __init__(self, **settings):
        self.settings = settings

class Handing(Plain):
    name = "handing"
    def __init__(self, *args, **settings):
        super().__init__(*args, **settings)

class Titled(Plain):
    @property
    def name(self):
        return "a title of its own"

class ByPosition(Plain):
    name = "position"
    def __init__(self, seed=5, /):
        self.seed = seed
"""
NAMED = (
    PLAIN
    + """
def factory(depth: int, *, seed):
    bot = Deep(depth)
    bot.seed = seed
    return bot

BOTS = {
    "factory": factory,
    "lambda": lambda: Plain(),
    "partial": functools.partial(Deep, depth=7),
    "class": Deep,
}
"""
)


@pytest.mark.parametrize(
    ("text", "code", "made"),
    [
        (PLAIN, "plain", {}),
        (PLAIN, "deep", {"depth": 2}),
        (PLAIN, "deep:5", {"depth": 5}),
        (PLAIN, "seeded", {"seed": 9}),
        (PLAIN, "gathering", {"settings": {"seed": 9}}),
        (PLAIN, "handing", {}),
        (PLAIN, "Titled", {}),
        (PLAIN, "position", {"seed": 5}),
        (NAMED, "factory:3", {"depth": 3, "seed": 9}),
        (NAMED, "lambda", {}),
        (NAMED, "partial", {"depth": 7}),
        (NAMED, "class:depth=1", {"depth": 1}),
    ],
)
def test_a_seed_is_given_to_those_who_take_one(
    tmp_path: Path, text: str, code: str, made: dict[str, object]
) -> None:
    """What the manual says of a bot is enough: a class with a name and a method `choose(game)`."""
    roster = Roster([write(tmp_path, text)])
    assert vars(roster.make(code, seed=9)) == made
    kind, values = roster.read(code)
    assert vars(kind.load()(seed=9, **values)) == made


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("def __init__(self, depth): pass", ["'depth' is missing", "first:depth=value"]),
        ("def __init__(self, depth, /): pass", ["'depth' by position only"]),
        ("def __init__(self): raise SystemExit(3)", ["mine.py, line 19,", "SystemExit: 3"]),
        ("def __init__(self): [][1]", ["mine.py, line 19,", "IndexError"]),
        ("def __init__(self, **kw): len(5)", ["line 19", "TypeError: object of type 'int'"]),
        ("def __new__(cls): return 5", ["of type int", "a method choose(game)"]),
        ("def __new__(cls): return cls", ["gives the class First", "a method choose(game)"]),
    ],
)
def test_only_what_is_wrong_is_reported_and_the_list_tells_it(
    tmp_path: Path, lines: str, words: list[str]
) -> None:
    path = write(tmp_path, MINE.partition("    def __init__")[0] + f"    {lines}\n"
                 "    def choose(self, game): ...\n")  # fmt: skip
    with pytest.raises(BotError) as refused:
        Roster([path]).make("first")
    for word in ["'first'", str(path), *words]:
        assert word in str(refused.value)
    run = CliRunner().invoke(cli, ["bots", "--bots", str(path), "--json"])
    listed = {kind["name"]: kind for kind in json.loads(run.stdout)}
    if listed["first"]["parameters"]:
        assert listed["first"]["parameters"][0]["required"]
        assert run.exit_code == 0
    else:
        assert listed["first"]["fault"] == str(refused.value)
        assert run.exit_code == 1
    assert listed["greedy"]["fault"] is None


@pytest.mark.parametrize("command", ["play", "playtest", "tournament"])
def test_plain_bots_play_everywhere(tmp_path: Path, command: str) -> None:
    path = write(tmp_path, PLAIN)
    words = {
        "play": ["--players", "plain,deep:1", "-q"],
        "playtest": ["--bot", "plain", "--factor", "bazaar_mode=off,draft", "--games", "1"],
        "tournament": ["--bots", "plain,handing", "--games", "2", "--out", str(tmp_path / "t")],
    }[command]
    run = CliRunner().invoke(cli, [command, *words, "--bots", str(path)])
    assert run.exit_code == 0, run.output
    assert "forfeit" not in run.output


class Offered:
    """Plays the last move listed."""

    name = "last"

    def __init__(self, *, seed: int = 0) -> None:
        self.seed = seed

    def choose(self, game: Game) -> Move:
        """The last one."""
        return game.legal_moves()[-1]


class Bare:
    """Takes no seed."""

    def choose(self, game: Game) -> Move:
        """The first one."""
        return game.legal_moves()[0]


THING = object()


def test_installed_packages_offer_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also those that can't be loaded are listed; they fail only when they are asked for."""
    group = "carcassonne.bots"
    entries = metadata.EntryPoints(
        [
            metadata.EntryPoint("last", f"{__name__}:Offered", group),
            metadata.EntryPoint("bare", f"{__name__}:Bare", group),
            metadata.EntryPoint("thing", f"{__name__}:THING", group),
            metadata.EntryPoint("broken", "nothing.like.this:Bot", group),
        ]
    )
    monkeypatch.setattr(metadata, "entry_points", lambda group: entries.select(group=group))
    roster = Roster()
    assert roster.make("last", seed=4).seed == 4  # type: ignore[attr-defined]
    assert isinstance(roster.make("bare", seed=4), Bare)
    assert "it is of type object" in roster.kinds["thing"].about
    assert roster.kinds["bare"].fault == ""
    assert "ModuleNotFoundError" in roster.kinds["broken"].fault
    assert "ModuleNotFoundError" in roster.kinds["broken"].about
    with pytest.raises(BotError, match="'broken' can't be loaded"):
        roster.make("broken")


def test_the_command_lists_bots_with_their_parameters(tmp_path: Path) -> None:
    path = write(tmp_path, MINE)
    run = CliRunner().invoke(cli, ["bots", "--bots", str(path), "--json"])
    listed = {kind["name"]: kind for kind in json.loads(run.stdout)}
    assert listed["first"]["parameters"][0] == {
        "name": "depth", "about": "", "kind": "int", "default": 2, "choices": [],
        "required": False,
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
