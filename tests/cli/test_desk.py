"""The rules desk at the command line: explain, position, diff and odds, as a newcomer uses them."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from carcassonne import Game
from carcassonne.cli import cli
from carcassonne.cli.tables import load_table
from carcassonne.errors import CarcassonneError, InvalidMove
from carcassonne.moves import parse_move
from carcassonne.playtest.steering import steered
from carcassonne.record import save_game
from tests.strategies import castle_yard

if TYPE_CHECKING:
    from pathlib import Path

BRIDGED = """
title = "a bridge that asks for a road"
[given]
tiles = ["BA/LR 1,0 r0"]
bridges = ["1,0 EW"]
stack = ["BA/L", "BA/LR"]
"""


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole game with bridges, castles and auctions."""
    game = Game.new(["Ann", "Ben", "Cleo"], seed=4)
    rng = random.Random(4)
    while not game.is_over:
        game.play(steered(rng, game))
    path = tmp_path_factory.mktemp("desk") / "game.json"
    save_game(game, path)
    return path


@pytest.fixture
def case(tmp_path: Path) -> Path:
    path = tmp_path / "case.toml"
    path.write_text(BRIDGED, encoding="utf-8")
    return path


def run(*arguments: object, columns: int = 80) -> Result:
    return CliRunner().invoke(cli, list(map(str, arguments)), env={"COLUMNS": str(columns)})


def well(result: Result, code: int = 0) -> str:
    assert result.exit_code == code, result.output
    return result.output


# ------------------------------------------------------------------------------ explain


def test_an_illegal_move_is_1_and_names_every_rule(case: Path) -> None:
    text = well(run("explain", case, "--move", "place BA/L 2,0 r0", columns=120), 1)
    assert (
        "the west edge of 2,0 is road because of the bridge on 1,0; BA/L shows field there "
        "(R-BRIDGE-6)" in text
    )
    for rule in ("R-BASE-5: ", "R-BRIDGE-6: ", "R-BRIDGE-8: "):
        assert rule in text


def test_a_legal_move_is_0_and_no_move_is_2(case: Path) -> None:
    legal = "place BA/L 2,0 r0 bridge 2,0 EW"
    assert "legal" in well(run("explain", case, "--move", legal))
    result = run("explain", case, "--move", "jump")
    assert result.exit_code == 2
    data = json.loads(
        well(run("explain", case, "--json", "--move", legal, "--move", "meeple road.E"), 1)
    )
    assert [move["legal"] for move in data["moves"]] == [True, False]
    assert data["moves"][1]["violations"][0]["rule"] == "R-BASE-4"


@pytest.mark.parametrize("columns", [60, 80, 120])
@pytest.mark.parametrize("at", ["0", "1", "40", "75"])
@pytest.mark.parametrize("flags", [(), ("--turn",), ("--game",)])
def test_explanations_fit_the_terminal(
    record: Path, columns: int, at: str, flags: tuple[str, ...]
) -> None:
    text = well(run("explain", record, "--at", at, *flags, columns=columns))
    assert max(map(len, text.splitlines())) <= columns
    assert text.strip()


def test_a_position_shows_decision_features_and_castles(tmp_path: Path) -> None:
    game = castle_yard(random.Random(5)).game()
    path = tmp_path / "yard.json"
    save_game(game, path)
    text = well(run("explain", path))
    for part in ("decides: place", "legal move", "Castles", "vicinity: ", "Occupied features"):
        assert part in text
    data = json.loads(well(run("explain", path, "--json")))["position"]
    assert len(data["features"]) == len(game.features())
    assert data["legal_moves"] == list(map(str, game.legal_moves()))
    assert {castle["at"] for castle in data["castles"]} == {str(c.at) for c in game.castles}


def test_one_bad_move_leaves_the_judgments_of_the_others(case: Path) -> None:
    """Blanks around a move don't count; what is wrong with a part is said; exit code 2."""
    result = run(
        "explain", case, "--move", " meeple road.E ", "--move", "place BA/L 1,0 r45",
        "--move", "place BA/LX 2,0 r0", columns=200,
    )  # fmt: skip
    text = well(result, 2)
    assert "meeple road.E: illegal" in text
    assert "'r45' is not a rotation: r0, r90, r180 or r270" in text
    assert "tile 'BA/LX' is in none of the sets" in text
    assert "did you mean BA/L" in text
    result = run("explain", case, "--json", "--move", "bid -1", "--move", "pass")
    assert result.exit_code == 2
    data = json.loads(result.stdout)
    assert [one["move"] for one in data["moves"]] == ["pass"]
    assert "'-1' is not a whole number of points" in data["errors"][0]


@pytest.mark.parametrize(
    ("move", "said"),
    [
        ("place BA/L 1;0 r0", "'1;0' is not a cell"),
        ("place BA/L 1,0 r0 bridge 1,0 ns", "'ns' is not an axis: NS or EW"),
        ("meeple road-E", "'road-E' is not a segment"),
        ("choose 1 for 3", "'for' is not 'bid'"),
        ("place BA/L  1,0 r0", "there is a blank too many"),
    ],
)
def test_a_malformed_move_says_which_part_is_wrong(move: str, said: str) -> None:
    with pytest.raises(InvalidMove) as error:
        parse_move(move)
    assert said in str(error.value)


def test_bids_without_end_are_written_in_a_few_words(tmp_path: Path) -> None:
    """`choose` and `bid`, without a limit and with one; every listed move is covered."""
    path = tmp_path / "bazaar.toml"
    text = """
title = "a bazaar"
players = ["A", "B", "C"]
{rules}
[given]
tiles = ["BA/L 0,0 r0"]
stack = ["BB/F.b", "BA/L", "BA/L", "BA/L", "BA/L"]
[[steps]]
play = "place BB/F.b 1,0 r0"
settle = true
[[steps]]
play = "choose 2 bid 3"
"""
    path.write_text(text.format(rules=""), encoding="utf-8")
    last = len(load_table(path).moves)
    shown = well(run("explain", path, "--at", last - 1))
    assert "choose 1, 2 or 3 with a bid of 0 or more (the list shows up to 20)" in shown
    assert "choose 1 bid 7" not in shown
    assert "bid 4 or more (the list shows up to 20)\npass" in well(run("explain", path))
    limited = text.format(rules="options = { bazaar_max_bid = 5 }")
    path.write_text(limited, encoding="utf-8")
    assert "bid 4 to 5\npass" in well(run("explain", path))


def test_the_wrong_kind_of_file_is_called_what_it_is(case: Path, tmp_path: Path) -> None:
    text = str(run("replay", case).exception)
    assert "carcassonne position" in text
    assert "carcassonne explain" in text
    tiles = tmp_path / "set.toml"
    tiles.write_text('format = "carcassonne-tiles/1"\nname = "x"\n[[tile]]\n', encoding="utf-8")
    for command in ("explain", "odds"):
        assert "is a tile set, no scenario" in str(run(command, tiles).exception)


def test_a_river_edge_is_no_road_edge_and_counts_are_in_the_right_number() -> None:
    text = well(run("tiles", "river", columns=120))
    assert "1 cloister," in text
    assert "W R W R  road EW, river NS" in text
    assert "R road" in text
    assert "W river" in text


def test_castles_and_barns_of_a_position_are_told_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "barn.toml"
    path.write_text(
        """
title = "a barn"
[given]
tiles = ["BA/RCr 0,0 r0", "BA/C 0,-1 r180"]
castles = ["B 0,0 city.N"]
barns = ["A 0,-1 field.NL"]
stack = ["BA/L"]
[[steps]]
stop = true
expect = { decision = "over" }
""",
        encoding="utf-8",
    )
    text = well(run("explain", path, "--position", columns=120))
    assert "never paid; its meeple was removed at the end (R-CASTLE-31)" in text
    assert "1 barn of A: the field pays A (R-CASTLE-33)" in text
    assert "at the end 5 = 1 castle with a barn x 5" in text
    assert "0,-1 field.NL" not in text.partition("Free fields")[2]


def test_a_finished_game_is_explained_point_by_point(record: Path) -> None:
    """Without any flag; the sums are the scores."""
    text = well(run("explain", record))
    scores = load_table(record).scores
    for name, points in scores.items():
        assert f"{name}: 0 " in text
        assert f"= {points}" in text
    assert "Final scoring" in text
    data = json.loads(well(run("explain", record, "--json")))["game"]
    for name, points in scores.items():
        lines = [line for turn in data["turns"] for line in turn["scores"]]
        assert sum(line["points"] for line in lines if line["player"] == name) == points


def test_questions_that_do_not_go_together_are_wrong_usage(case: Path) -> None:
    assert run("explain", case, "--game", "--move", "pass").exit_code == 2


def test_bad_files_are_2_with_one_line(tmp_path: Path) -> None:
    """A file that is not there, is no game, or has fewer moves."""
    for command in ("explain", "position", "odds"):
        done = subprocess.run(  # noqa: S603 - ourselves
            [sys.executable, "-m", "carcassonne", command, str(tmp_path / "no.json")],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1


def test_a_table_is_taken_back_to_any_move(record: Path, case: Path) -> None:
    """Also that of a stopped game, and never beyond its moves."""
    last = len(load_table(record).moves)
    for at in (0, 1, last - 1, last):
        assert len(load_table(record, at).moves) == at
    for path, at in ((record, last + 1), (case, 1)):
        with pytest.raises(CarcassonneError, match=f"can't go to move {at}"):
            load_table(path, at)


def test_a_stopped_game_is_shown_stopped_only_at_its_end(tmp_path: Path) -> None:
    game = Game.new(["A", "B"], seed=2)
    for _ in range(3):
        game.play(game.legal_moves()[0])
        while game.decision is not None and game.decision.kind != "place":
            game.play("pass")
    game.stop()
    path = tmp_path / "stopped.json"
    save_game(game, path)
    assert load_table(path).is_over
    assert load_table(path, len(game.moves)).is_over
    assert not load_table(path, len(game.moves) - 1).is_over


# ------------------------------------------------------------------------------ position, diff


@pytest.mark.parametrize("at", [0, 7, 40, 60, None])
def test_a_position_is_a_case_that_passes_and_equals_the_game(
    record: Path, tmp_path: Path, at: int | None
) -> None:
    out = tmp_path / "case.toml"
    moment = [] if at is None else ["--at", at]
    assert f"{out}: written" in well(run("position", record, *moment, "--out", out))
    well(run("check", out))
    assert "are the same" in well(run("diff", record, out, *moment))
    printed = well(run("position", record, *moment))
    assert printed == out.read_text(encoding="utf-8")


def test_a_position_has_a_title_and_room_for_rules(record: Path) -> None:
    text = well(run("position", record, "--at", 3, "--title", "A case of mine"))
    assert text.startswith('title = "A case of mine"\nrules = []')
    data = json.loads(well(run("position", record, "--at", 3, "--json", "--title", "T")))
    assert data["title"] == "T"
    assert set(data) >= {"given", "steps", "players"}


def test_a_position_with_own_tiles_needs_a_file(tmp_path: Path) -> None:
    """Printed it would name a tile set that is nowhere; written it lies beside."""
    (tmp_path / "mine.toml").write_text(
        'format = "carcassonne-tiles/1"\nname = "mine"\n[[tile]]\nid = "ME/X"\nstart = 1\n'
        'count = 3\nedges = "field field field field"\n'
        'fields = [{ halves = "NL NR EL ER SL SR WL WR" }]\n',
        encoding="utf-8",
    )
    game = Game.new(["A", "B"], tile_sets=[tmp_path / "mine.toml"])
    save_game(game, tmp_path / "game.json")
    result = run("position", tmp_path / "game.json")
    assert isinstance(result.exception, CarcassonneError)
    assert "--out" in str(result.exception)
    out = tmp_path / "new" / "case.toml"
    out.parent.mkdir()
    assert "case.mine.toml" in well(run("position", tmp_path / "game.json", "--out", out))
    well(run("check", out))


def test_wrong_names_are_wrong_usage(record: Path, tmp_path: Path) -> None:
    assert run("position", record, "--out", tmp_path / "case.json").exit_code == 2
    assert run("position", record, "--title", "two\nlines").exit_code == 2
    assert run("odds", record, "--out", tmp_path / "odds.bmp").exit_code == 2


def test_the_first_difference_is_1_and_is_named(record: Path, tmp_path: Path) -> None:
    game = load_table(record, 10)
    other = game.copy()
    game.play(game.legal_moves()[0])
    other.play(other.legal_moves()[-1])
    for name, one in (("one", game), ("two", other)):
        save_game(one, tmp_path / f"{name}.json")
    text = well(run("diff", tmp_path / "one.json", tmp_path / "two.json"), 1)
    assert text.startswith("move 11\n")
    assert str(game.moves[-1]) in text
    assert str(other.moves[-1]) in text
    data = json.loads(well(run("diff", tmp_path / "one.json", tmp_path / "two.json", "--json"), 1))
    assert data["same"] is False
    assert [difference["what"] for difference in data["differences"]] == ["move 11"]
    everything = well(run("diff", tmp_path / "one.json", tmp_path / "two.json", "--all"), 1)
    assert len(everything.splitlines()) > 3
    same = run("diff", tmp_path / "one.json", tmp_path / "two.json", "--at", 10, "--at2", 10)
    assert "are the same" in well(same)


# ------------------------------------------------------------------------------ odds


@pytest.mark.parametrize("columns", [60, 120])
def test_odds_show_tiles_cells_and_the_board(record: Path, columns: int) -> None:
    text = well(run("odds", record, "--at", 40, columns=columns))
    assert max(map(len, text.splitlines())) <= columns
    for part in ("Tiles left: ", "Open cells", "with bridge", "bridges left: "):
        assert part in text
    data = json.loads(well(run("odds", record, "--at", 40, "--json")))
    game = load_table(record, 40)
    assert data["stack"] == game.stack_left
    assert len(data["cells"]) == len(game.open_cells())
    assert all(cell["fit"] <= cell["fit_with_bridge"] for cell in data["cells"])


@pytest.mark.parametrize("columns", [60, 120])
def test_odds_of_a_feature_are_exact_fractions(tmp_path: Path, columns: int) -> None:
    path = tmp_path / "caps.toml"
    stack = ["BA/L", *["BA/C"] * 3, *["BA/L"] * 7]
    path.write_text(
        'title = "caps"\n[given]\ntiles = ["BA/C 0,0 r0", "BA/L 0,1 r0"]\n'
        f"stack = {json.dumps(stack)}\n",
        encoding="utf-8",
    )
    text = well(run("odds", path, "--feature", "0,0 city.N", columns=columns))
    assert "0,-1 (3 tiles)" in text
    assert "30.0 % = 3/10" in text
    assert max(map(len, text.splitlines())) <= columns
    one = well(run("odds", path, "--feature", "0,0 city.N", "--draws", 2, columns=columns))
    assert "53.3 % = 8/15" in one
    assert "3/10" not in one
    data = json.loads(well(run("odds", path, "--feature", "0,0 city.N", "--json")))
    (feature,) = data["features"]
    assert feature["without_bridges"]["chances"][:3] == ["0", "3/10", "8/15"]
    assert feature["without_bridges"]["percent"][1] == 30


def test_odds_are_drawn_on_the_board(record: Path, tmp_path: Path) -> None:
    """The picture carries the number of every open cell."""
    png = tmp_path / "odds.png"
    well(run("odds", record, "--at", 40, "--out", png))
    assert png.read_bytes().startswith(b"\x89PNG")
    out = tmp_path / "odds.svg"
    assert f"{out}: written" in well(run("odds", record, "--at", 40, "--out", out))
    picture = out.read_text(encoding="utf-8")
    for cell in json.loads(well(run("odds", record, "--at", 40, "--json")))["cells"]:
        assert str(cell["fit"]) in picture


def test_odds_refuse_what_cannot_be_asked(record: Path) -> None:
    for arguments in (["--feature", "0,0 field.SL"], ["--feature", "x"], ["--draws", 999]):
        result = run("odds", record, "--at", 5, *arguments)
        assert isinstance(result.exception, CarcassonneError), arguments


@pytest.mark.parametrize("command", ["explain", "position", "diff", "odds"])
def test_help_has_an_example(command: str) -> None:
    text = well(run(command, "--help"))
    assert f"carcassonne {command} game.json" in text
