"""`carcassonne play`: whole games between bots, and sessions of people at the terminal."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from carcassonne import Game
from carcassonne.cli import main
from carcassonne.cli.play import command
from carcassonne.record import game_from_record, load_game, record_of

if TYPE_CHECKING:
    from pathlib import Path

SMALL = ["--tile-sets", "base"]
BOTS = ["--players", "random,random", *SMALL]


def run(*arguments: str, text: str = "") -> Result:
    """Run the command with something typed."""
    return CliRunner().invoke(command, list(arguments), input=text, env={"COLUMNS": "80"})


def person(*lines: str, players: str = "human,random", more: tuple[str, ...] = ()) -> Result:
    """A session of a person called Ann."""
    typed = "".join(f"{line}\n" for line in lines)
    names = ["Ann", "Bob", "Cid"][: players.count(",") + 1]
    return run("--players", players, "--names", ",".join(names), "--seed", "5", *more, text=typed)


# ------------------------------------------------------------------------------ bots


def test_without_options_a_whole_game_is_told() -> None:
    """Random against greedy: turns, auctions, the board, the points and who won."""
    result = run()
    assert result.exit_code == 0, result.output
    out = result.output
    assert re.search(r"^  1  Random  \S+ at -?\d,-?\d r\d+", out, re.MULTILINE)
    for heading in ("Final scoring", "Auctions", "Bazaar 1, opened by", "The board at the end"):
        assert heading in out
    table = out[out.index("\nPoints\n") :].splitlines()
    assert table[2].split() == [
        "player", "road", "city", "cloister", "farm", "castle", "auction", "total",
    ]  # fmt: skip
    rows = [line.split() for line in table[3:5]]
    for _, *numbers, total in rows:
        assert sum(map(int, numbers)) == int(total)
    assert re.search(r"^(Random|Greedy) wins with \d+ points\.$", out, re.MULTILINE)
    assert max(map(len, out.splitlines())) <= 80


def test_the_same_seed_is_the_same_game() -> None:
    """And another seed another one."""
    outputs = [run("--quiet", *BOTS, "--seed", seed).output for seed in ("3", "3", "4")]
    assert outputs[0] == outputs[1] != outputs[2]


def test_the_same_bots_at_different_seats_play_differently() -> None:
    """Each bot has randomness of its own, and a name of its own."""
    record = json.loads(run("--json", *BOTS).output)["record"]
    assert record["players"] == ["Random1", "Random2"]


def test_out_saves_a_record_that_replays(tmp_path: Path) -> None:
    """The saved game is the one that was played."""
    path = tmp_path / "game.json"
    result = run(*BOTS, "--out", str(path), "--quiet", "--seed", "2")
    assert result.exit_code == 0, result.output
    game = load_game(path)
    assert game.is_over
    assert f"wins with {max(game.scores.values())} points" in result.output


def test_json_is_one_object_with_everything() -> None:
    """Scores by kind, winners, and the record, which replays to just that."""
    result = run(*BOTS, "--json", "--seed", "2")
    data = json.loads(result.output)
    game = game_from_record(data["record"])
    assert record_of(game) == data["record"]
    assert data["scores"] == game.scores
    assert data["winners"] == game.winners
    assert data["moves"] == len(game.moves)
    for player in data["players"]:
        assert sum(player["points"].values()) == player["score"] == data["scores"][player["name"]]


@pytest.mark.parametrize("count", [2, 3, 6])
def test_two_to_six_players(count: int) -> None:
    """All get a row in the table."""
    result = run("--players", ",".join(["random"] * count), *SMALL, "--quiet")
    assert result.exit_code == 0, result.output
    assert len(re.findall(r"^Random\d ", result.output, re.MULTILINE)) >= count


def test_quiet_prints_the_table_only() -> None:
    """No turns, no board."""
    lines = run(*BOTS, "--quiet").output.splitlines()
    assert lines[0].startswith("player")
    assert len(lines) == 4


def test_options_change_the_game() -> None:
    """Rules, tiles and counts of tiles."""
    result = run(
        *BOTS, "--json", "--preset", "new_edition", "--option", "farmers=false",
        "--tile-count", "BA/L=0",
    )  # fmt: skip
    record = json.loads(result.output)["record"]
    assert record["rules"]["farmers"] is False
    assert record["rules"]["tiny_city_points"] == 4
    assert "BA/L" not in record["stack"]
    assert len(record["stack"]) == 67


def test_ascii_draws_with_ascii() -> None:
    """For terminals that can't show more."""
    assert run(*BOTS, "--ascii").output.isascii()


def test_delay_shows_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    """After each turn, with a pause."""
    naps: list[float] = []
    monkeypatch.setattr(time, "sleep", naps.append)
    result = run(*BOTS, "--delay", "0.5")
    assert len(naps) >= 60
    assert set(naps) == {0.5}
    assert result.output.count("─ road") > 60


# ------------------------------------------------------------------------------ refusals


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--players", "random"], "2 to 6 players"),
        (["--players", ",".join(["random"] * 7)], "2 to 6 players"),
        (["--players", "random,nobody"], "nobody"),
        (["--names", "A"], "as many names"),
        (["--names", "A,A"], "different"),
        (["--names", "A,B C"], "without spaces"),
        (["--option", "farmers=maybe"], "farmers"),
        (["--option", "farmer=true"], "farmers"),
        (["--tile-sets", "bse"], "bse"),
        (["--tile-count", "BA/L"], "TILE=NUMBER"),
        (["--tile-count", "BA/ZZ=1"], "BA/ZZ"),
        (["--tile-sets", "base,traders_builders"], "special rules"),
        (["--out", "/nowhere/at/all/game.json"], "can't be written"),
        (["--players", "human,random", "--json"], "--json"),
        (["--seed", "-1"], "seed"),
    ],
)
def test_wrong_usage_is_told_and_ends_with_2(
    arguments: list[str], says: str, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """In a sentence on standard error, without a traceback."""
    monkeypatch.setattr(sys, "argv", ["carcassonne", "play", *arguments])
    with pytest.raises(SystemExit) as ending:
        main()
    assert ending.value.code == 2
    printed = capsys.readouterr()
    assert not printed.out
    assert says in " ".join(printed.err.split())
    assert "Traceback" not in printed.err


def test_a_bot_that_fails_forfeits(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The game so far is saved and the program ends with 1."""
    from carcassonne.bots.random_bot import RandomBot

    calls: list[int] = []
    choose = RandomBot.choose

    def failing(self: RandomBot, game: object) -> object:
        calls.append(1)
        if len(calls) > 20:
            raise ZeroDivisionError
        return choose(self, game)  # type: ignore[arg-type]

    monkeypatch.setattr(RandomBot, "choose", failing)
    path = tmp_path / "game.json"
    result = run(*BOTS, "--out", str(path))
    assert result.exit_code == 1
    assert "forfeits" in result.output
    assert len(load_game(path).moves) == 20


# ------------------------------------------------------------------------------ people


def test_a_person_plays_by_number_and_by_notation() -> None:
    """Placements, also short ones, and meeples."""
    result = person("5", "meeple road.W", "quit")
    assert result.exit_code == 0
    assert "Ann  BA/RRR at 1,0 r0" in result.output
    assert "Ann: meeple on road.W" in result.output
    for text in ("place BA/RRR 1,0 r0", "1,0 r0", "place W 1,0 r0"):
        assert "Ann  BA/RRR at 1,0 r0" in person(text).output


def test_legal_moves_are_listed_in_groups() -> None:
    """For each cell its rotations with the numbers, which stand on the board as well."""
    result = person()
    assert "1,0: 5 r0, 6 r90, 7 r180" in result.output
    assert re.search("2-4 .*─── .*5-7", result.output)
    assert "r270" in result.output


def test_meeples_are_explained() -> None:
    """What each segment is, and its number in the picture."""
    result = person("5")
    assert "3  meeple road.W  (road: 2 tiles, 1 open, 2 points now)" in result.output
    assert re.search("3──.──1──", result.output)


def test_why_explains_refusals() -> None:
    """With the rules that are broken; what is legal is called so; nothing is played."""
    result = person("why 1,0 r270", "why 1,0 r0", "why 3", "why", "why nonsense", "1,0 r270")
    assert result.output.count("R-BASE-5") == 2
    assert "'place BA/RRR 1,0 r0' is legal" in result.output
    assert "write: why move" in result.output.lower()
    assert "is no move" in result.output
    assert "Ann  BA/RRR at" not in result.output


@pytest.mark.parametrize(
    "nonsense",
    ["", "   ", "0", "99", "1 2", "-1", "²", "place", "1,0 r45", "bid 3", "\x00", "é" * 50],
)
def test_nonsense_is_refused_and_asked_again(nonsense: str) -> None:
    """One clear sentence and a new question."""
    result = person(nonsense, "5")
    assert result.exception is None
    assert "Ann  BA/RRR at 1,0 r0" in result.output


def test_commands_that_show_something() -> None:
    """Help, board, scores, moves."""
    result = person("help", "board", "scores", "moves", "?", "b", "s", "m")
    assert result.output.count("take back your last move") == 2
    assert result.output.count("82 tiles left in the stack") == 3
    assert result.output.count("1,0: 5 r0, 6 r90, 7 r180") == 3


def test_bug_b_38_undo_stops_at_the_last_tile_revealed() -> None:
    """A placement can be taken back while its turn lasts, and not after the next tile is drawn."""
    result = person("undo", "5", "undo", "6", "pass", "undo")
    out = result.output
    assert out.count("nothing can be taken back") == 2
    assert "taken back: place BA/RRR 1,0 r0" in out
    assert "  1  Ann  BA/RRR at 1,0 r90" in out


def test_bug_b_66_undo_at_the_table_never_passes_a_revealed_tile() -> None:
    """A game says of each move whether it revealed a tile; one that did can't be taken back."""
    game = Game.new(["A", "B"], seed=1)
    assert not game.can_undo_at_table
    while not game.is_over:
        drawn = game.stack_left
        game.play(game.legal_moves()[-1])
        assert game.can_undo_at_table == (game.stack_left == drawn)


def test_a_whole_game_between_two_people(tmp_path: Path) -> None:
    """Numbers and `pass` answer every decision; what does not fit is asked again."""
    path = tmp_path / "game.json"
    answers = ["1 0", "1", "pass"] * 1000
    result = person(*answers, players="human,human", more=("--out", str(path)))
    assert result.exit_code == 0, result.output[-500:]
    assert load_game(path).is_over
    assert "Auctions" in result.output
    assert re.search(r"wins? (together )?with", result.output)


def test_choosing_asks_for_the_bid() -> None:
    """A tile's number alone is asked on; a bid that is none is refused."""
    text = person(*["1", "pass"] * 60, players="human,human").output
    assert "choose a tile and open the bidding" in text
    assert "opening bid for" in text
    assert "a bid is a number of points" in text


def test_save_writes_a_file(tmp_path: Path) -> None:
    """Where it says, or tells why not, and the game goes on."""
    path = tmp_path / "mine.json"
    result = person("5", f"save {path}", "save", "save /nowhere/at/all.json", "pass")
    assert load_game(path).moves[0].kind == "place"
    assert "Write: save FILE" in result.output
    assert "can't be written" in result.output
    assert "  2  Bob" in result.output


@pytest.mark.parametrize("ending", ["quit", None])
def test_quit_and_the_end_of_input_save(tmp_path: Path, ending: str | None) -> None:
    """What was played so far is in the file."""
    path = tmp_path / "game.json"
    lines = ["5", "pass", *([ending] if ending else [])]
    result = person(*lines, more=("--out", str(path)))
    assert result.exit_code == 0
    assert result.exception is None
    game = load_game(path)
    assert not game.is_over
    assert str(game.moves[0]) == "place BA/RRR 1,0 r0"


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_saves_and_ends_without_a_traceback(tmp_path: Path) -> None:
    """In the middle of a game between bots."""
    path = tmp_path / "game.json"
    process = subprocess.Popen(  # noqa: S603 - the project's own command
        [sys.executable, "-m", "carcassonne", "play", *BOTS, "--delay", "0.2", "--out", str(path)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip
    assert process.stdout is not None
    for line in process.stdout:
        if "  3  Random" in line:
            break
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Traceback" not in out + err
    assert "Interrupted" in err
    assert len(load_game(path).moves) >= 3
