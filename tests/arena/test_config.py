"""Tournament files and flags: what they mean, and what is said about mistakes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from carcassonne.arena.config import read_tournament
from carcassonne.bots.clock import TimeControl
from carcassonne.errors import CarcassonneError
from tests.arena.helpers import run

if TYPE_CHECKING:
    from pathlib import Path

FILE = """
title = "spring cup"
bots = ["greedy", { code = "random", name = "dice" }, "random", "random"]
games = 7
seed = 5
format = "swiss"
rounds = 3
tile_sets = ["base"]
tile_counts = { "BA/L" = 0 }
preset = "new_edition"
on_error = "default-move"
records = false
[options]
farmers = false
[time]
game = 60
increment = 0.5
"""

MISTAKES = [
    ("gaems = 3", "gaems", "did you mean games?"),
    ("xyz = 3", "xyz", "keys are bots, games"),
    ("games = 0", "games", ">= 1"),
    ('games = "3"', "games", "Expected `int`"),
    ("seed = -1", "seed", ">= 0"),
    ("seed = 99999999999999999999", "seed", "int"),
    ('format = "cup"', "format", "round-robin, gauntlet, swiss, knockout"),
    ("players = 7", "players", "<= 6"),
    (
        'players = 3\nformat = "swiss"\nbots = ["random", "random", "random"]',
        "players",
        "2 players",
    ),
    ('bots = ["greedy"]', "bots", "2 are needed"),
    ('players = 4\nbots = ["random", "random", "random"]', "bots", "tables have 4 seats"),
    ('bots = ["greedy", "greddy"]', "bots: 2", "did you mean greedy?"),
    ('bots = ["greedy", { name = "x" }]', "bots: 2", "a bot is a code"),
    ('bots = ["greedy", { code = "random", nmae = "x" }]', "bots: 2: nmae", "did you mean name?"),
    ('bots = ["greedy", { code = "random", name = "a b" }]', "bots: 2", "without spaces"),
    ('bots = ["greedy", { code = "random", name = "greedy" }]', "bots: 2", "is taken"),
    ('bots = [{ code = "random", name = 3 }, "random"]', "bots: 1", "a bot is a code"),
    ("bots = 3", "bots", "Expected `array`"),
    ("rounds = 3", "rounds", "round-robin"),
    ('bots = ["random", "greedy"]\nformat = "swiss"\nrounds = 2', "rounds", "1 rounds"),
    ('tile_sets = ["bsae"]', "tile_sets", "bsae"),
    ('tile_sets = ["bridges_castles_bazaars"]', "tile_sets", "no start tile"),
    ('tile_counts = { "ZZ" = 1 }', "tile_counts", "ZZ"),
    ('preset = "third"', "preset", "first_edition, new_edition"),
    ("[options]\nfarmer = true", "options", "did you mean farmers?"),
    ("[time]\nmvoe = 3", "time.mvoe", "did you mean move?"),
    ("[time]\nmove = 0", "time", "over 0"),
    ("[time]\nincrement = 1", "time", "nothing to add"),
    ("[sprt]\nelo0 = 3\nelo1 = 2", "sprt", "must be over elo0"),
    ("[sprt]\nelo0 = 0\nelo1 = 9\nalpha = 0.7", "sprt", "under 0.5"),
    ("[sprt]\nelo0 = 0", "sprt", "elo1"),
    ('on_error = "ignore"', "on_error", "ignore"),
    ("games = ", "", "is no TOML"),
]


def test_a_file_says_it_all(tmp_path: Path) -> None:
    path = tmp_path / "cup.toml"
    path.write_text(FILE)
    t, notes, keys = read_tournament(path)
    assert t.title == "spring cup"
    assert t.labels == ("greedy", "dice", "random", "random-2")
    assert (t.games, t.units, t.players, t.rounds, t.seed) == (8, 4, 2, 3, 5)
    assert notes == ("games: 7 is rounded up to 8: whole pairs",)
    assert (t.rules.tiny_city_points, t.rules.farmers) == (4, False)
    assert t.tile_counts == {"BA/L": 0}
    assert t.time == TimeControl(game=60, increment=0.5)
    assert (t.on_error, t.records) == ("default-move", False)
    assert read_tournament(None, base=keys).tournament == t


def test_flags_win_and_single_options_are_added(tmp_path: Path) -> None:
    path = tmp_path / "cup.toml"
    path.write_text(FILE)
    flags = {"seed": 9, "options": {"bazaar_mode": "off"}, "tile_counts": {"BA/C": 2}}
    t = read_tournament(path, flags).tournament
    assert t.seed == 9
    assert (t.rules.farmers, t.rules.bazaar_mode) == (False, "off")
    assert t.tile_counts == {"BA/L": 0, "BA/C": 2}


def test_without_a_file_the_built_in_bots_meet() -> None:
    t = read_tournament(None).tournament
    assert {"random", "greedy"} <= set(t.labels)
    assert (t.format, t.games, t.players, t.records) == ("round-robin", 10, 2, True)


@pytest.mark.parametrize(("text", "key", "words"), MISTAKES)
def test_mistakes_are_named(tmp_path: Path, text: str, key: str, words: str) -> None:
    path = tmp_path / "cup.toml"
    path.write_text(text)
    with pytest.raises(CarcassonneError) as error:
        read_tournament(path)
    message = str(error.value)
    assert message.startswith(f"{path}: {key}")
    assert words in message


CLOCKED: list[tuple[str | dict[str, Any], dict[str, float], str]] = [
    ("star", {"game": 2}, "star spends 100000 nodes on each decision"),
    ("mcts:50", {"move": 1}, "mcts:50 spends 50 simulations on each decision"),
    ("mc:time=2s", {"move": 1, "game": 60}, "mc:time=2s spends 2 seconds on each decision"),
    ({"code": "mc", "name": "a", "time": "1s"}, {"move": 1}, "a spends 1 seconds on each decision"),
]


@pytest.mark.parametrize(("bot", "time", "words"), CLOCKED)
def test_bots_that_may_lose_on_time_are_named(
    bot: str | dict[str, Any], time: dict[str, float], words: str
) -> None:
    notes = read_tournament(None, {"bots": ["greedy", bot], "time": time}).notes
    assert len(notes) == 1
    assert notes[0].startswith(f"time: {words}")
    assert notes[0].endswith(":time=SECONDS keeps it to less")


@pytest.mark.parametrize("time", [{"move": 1.0}, {"game": 30.0}, {"increment": 0.0}, None])
def test_bots_with_little_time_are_not(time: dict[str, float] | None) -> None:
    bots = ["greedy", "mc:time=0.1s", {"code": "star", "time": 0.2}, "cmd:no-such-bot"]
    keys = {"bots": bots} if time is None else {"bots": bots, "time": time}
    assert read_tournament(None, keys).notes == ()


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        ({"games": 0}, "--games: "),
        ({"bots": ["greedy", "x"]}, "--bots: bot 'x'"),
        ({"options": {"farmer": 1}}, "--option: "),
        ({"format": "cup"}, "--format: "),
        ({"tile_sets": ["x"]}, "--tile-sets: "),
        ({"sprt": {"elo0": 0.0, "elo1": 0.0}}, "--sprt: "),
    ],
)
def test_mistakes_in_flags_name_the_flag(tmp_path: Path, flags: dict[str, Any], words: str) -> None:
    path = tmp_path / "cup.toml"
    path.write_text("seed = 3")
    with pytest.raises(CarcassonneError) as error:
        read_tournament(path, flags)
    assert str(error.value).startswith(words)


def test_the_command_ends_with_one_line(tmp_path: Path) -> None:
    done = run("tournament", "--out", tmp_path / "t", "--bot", "greedy", "--bot", "greddy")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "greddy" in done.stderr
    assert not (tmp_path / "t").exists()
    done = run("tournament", "--out", tmp_path / "t", "--time", "move")
    assert done.returncode == 2
    assert "KEY=NUMBER" in done.stderr
