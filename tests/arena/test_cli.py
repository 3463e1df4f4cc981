"""The commands `tournament` and `games`."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from carcassonne.arena.store import read_results
from carcassonne.cli import cli
from carcassonne.errors import CarcassonneError
from tests.arena.helpers import play, reading

if TYPE_CHECKING:
    from pathlib import Path


def run(*words: object) -> str:
    """What a command prints."""
    done = CliRunner().invoke(cli, list(map(str, words)))
    assert done.exit_code == 0, done.output
    return done.stdout


def refusal(*words: object) -> str:
    """What a command says against its input."""
    done = CliRunner().invoke(cli, list(map(str, words)))
    assert isinstance(done.exception, CarcassonneError), done.output
    return str(done.exception)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament that was played."""
    path: Path = tmp_path_factory.mktemp("arena") / "t"
    play(path, reading(bots=["random", "random", {"code": "random", "name": "dice"}], games=6))
    return path


def test_a_file_and_flags_are_played(tmp_path: Path) -> None:
    (tmp_path / "cup.toml").write_text(
        'bots = ["random", "random"]\ntile_sets = ["base"]\ngames = 2\n[options]\nfarmers = true'
    )
    out = tmp_path / "t"
    done = CliRunner().invoke(
        cli, ["tournament", str(tmp_path / "cup.toml"), "--out", str(out), "--games", "3",
              "--title", "cup", "--option", "farmers=false", "--json"],
    )  # fmt: skip
    assert done.stderr == "games: 3 is rounded up to 4: whole pairs\n"
    data = json.loads(done.stdout)
    assert (data["finished"], data["planned"], len(data["results"])) == (True, 4, 4)
    assert data["tournament"]["rules"]["farmers"] is False
    assert read_results(out).title == "cup"
    text = run("tournament", "--out", out, "--resume")
    assert text.startswith("cup\n4 games")
    assert "random-2" in text


def test_bots_are_codes_or_files(tmp_path: Path) -> None:
    own = tmp_path / "own.py"
    own.write_text(
        "from carcassonne.bots.random_bot import RandomBot\n"
        "class Own(RandomBot):\n    name = 'own'\nBOTS = {'own': Own}\n",
        encoding="utf-8",
    )
    out = tmp_path / "t"
    code = f"cmd:{sys.executable} missing.py"
    words = ["tournament", "--out", out, "--bots", own, "--bots", f"random,own,{code}"]
    data = json.loads(run(*words, "--bot", "greedy", "--games", 2, "--players", 4, "--json"))
    codes = [bot["code"] for bot in data["tournament"]["bots"]]
    assert codes == ["random", "own", code, "greedy"]


def test_clusters_that_can_t_be_used_leave_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = ("tournament", "--out", tmp_path / "t")
    assert "written ray or ray:ADDRESS" in refusal(*out, "--cluster", "slurm")
    monkeypatch.setitem(sys.modules, "ray", None)
    assert "pip install 'carcassonne[ray]'" in refusal(*out, "--cluster", "ray")
    assert not (tmp_path / "t").exists()


def test_what_was_decided_is_said(tmp_path: Path) -> None:
    words = ("--bot", "random", "--bot", "random", "--tile-sets", "base")
    cup = ("tournament", "--out", tmp_path / "cup")
    text = run(*cup, *words, "--format", "knockout", "--games", 4)
    champion = json.loads(run(*cup, "--resume", "--json"))["champion"]
    assert f"{champion} has won the knockout." in text
    test = ("tournament", "--out", tmp_path / "t", *words, "--games", 2000)
    text = run(*test, "--sprt", "elo0=-300,elo1=300", "--records")
    assert "accepted after" in " ".join(text.split())
    assert read_results(tmp_path / "t").sprt == (-300, 300)


def test_resuming_as_something_else_is_refused(folder: Path) -> None:
    out = ("tournament", "--out", folder)
    assert "seed: was begun otherwise: 0, not 3" in refusal(*out, "--resume", "--seed", 3)
    assert "rules: was begun" in refusal(*out, "--resume", "--preset", "new_edition")
    assert "bots: was begun" in refusal(*out, "--resume", "--bot", "random", "--bot", "greedy")
    assert "18 games" in run(*out, "--resume", "--games", 6)
    assert "--resume" in refusal(*out)


def games(folder: Path, *words: object) -> list[dict[str, Any]]:
    """The games that are found."""
    found: list[dict[str, Any]] = json.loads(run("games", folder, "--json", *words))
    return found


def test_games_are_found(folder: Path) -> None:
    every = games(folder)
    assert [game["game"] for game in every] == list(range(18))
    for game in every:
        first, second = sorted(game["points"], reverse=True)
        assert game["margin"] == first - second
    found = games(folder, "--bot", "dice", "--min-margin", 5, "--sort", "margin", "--reverse")
    wanted = [game for game in every if "dice" in game["bots"] and game["margin"] >= 5]
    assert sorted(game["game"] for game in found) == sorted(game["game"] for game in wanted)
    margins = [game["margin"] for game in found]
    assert margins == sorted(margins, reverse=True)
    assert {len(game["bots"]) for game in games(folder, "--bot", "dice", "--bot", "random")} == {2}
    lengths = sorted(game["moves"] for game in every)
    ends = ("--min-moves", lengths[3], "--max-moves", lengths[12])
    assert len(games(folder, *ends)) == sum(lengths[3] <= n <= lengths[12] for n in lengths)
    won = games(folder, "--won-by", "dice")
    assert won
    assert all(g["points"][g["bots"].index("dice")] == max(g["points"]) for g in won)
    assert games(folder, "--verdict", "forfeit") == []
    assert len(games(folder, "--verdict", "normal")) == 18
    assert len(games(folder, "--limit", 3)) == 3
    assert "3 of 18 games; --limit 0 lists all" in run("games", folder, "--limit", 3)


def test_why_a_bot_forfeits_is_told(tmp_path: Path) -> None:
    own = tmp_path / "own.py"
    own.write_text(
        "class Own:\n    name = 'own'\n    def __init__(self, seed=0): pass\n"
        "    def choose(self, game): raise ValueError('no [idea]')\n",
        encoding="utf-8",
    )
    out = tmp_path / "t"
    words = ["tournament", "--out", out, "--bots", own, "--bots", "random,own", "--games", 2]
    run(*words, "--tile-sets", "base")
    assert all("no [idea]" in game["message"] for game in games(out, "--verdict", "forfeit"))
    assert "no [idea]" in " ".join(run("games", out).split())
    again = tmp_path / "u"
    run(*words[:2], again, *words[3:], "--tile-sets", "base", "--on-error", "default-move")
    assert "by default" in run("games", again)
    assert "defaults" in run("standings", again)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--on-error", "ignore"), "'ignore' is not one of forfeit, default-move"),
        (("--sprt", "0"), "two numbers are wanted, as in 0,20"),
        (("--time", "move=1,move=2"), "move is given twice"),
        (("--time", "move=0"), "--time: move: 0.0 must be a number of seconds over 0"),
        (("--format", "cup"), "'cup' is not one of round-robin"),
    ],
)
def test_wrong_flags_are_told_what_would_be_right(
    tmp_path: Path, words: tuple[str, ...], message: str
) -> None:
    done = CliRunner().invoke(cli, ["tournament", "--out", str(tmp_path / "t"), *words])
    assert done.exit_code
    assert message in f"{done.output} {done.exception}"


def test_no_bots_are_no_default(tmp_path: Path) -> None:
    path = tmp_path / "cup.toml"
    path.write_text("bots = []", encoding="utf-8")
    assert "bots: there is none" in refusal("tournament", path, "--out", tmp_path / "t")


def test_a_game_is_saved_for_replay(folder: Path, tmp_path: Path) -> None:
    saved = tmp_path / "game.json"
    assert "saved" in run("games", folder, "--save", 7, saved)
    best = max(games(folder)[7]["points"])
    assert f"with {best} points" in run("replay", "--quiet", saved)
    assert "no record of game 70" in refusal("games", folder, "--save", 70, saved)
    assert "bots are random, random-2, dice" in refusal("games", folder, "--bot", "nobody")
    assert "no tournament" in refusal("games", tmp_path)
    assert "no records" in refusal("games", tmp_path, "--save", 1, saved)
