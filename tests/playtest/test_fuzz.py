"""Fuzzing finds nothing in the engine, and what is planted it finds, shrinks, saves and repeats."""

from __future__ import annotations

import ast
import json
import pickle
import random
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from click.testing import CliRunner

from carcassonne import record as record_module
from carcassonne.cli import cli, fuzzing
from carcassonne.core.game import CoreGame
from carcassonne.errors import CarcassonneError, RecordError, Violation
from carcassonne.geometry import AXIS_SIDES, neighbour
from carcassonne.model import legality, scoring
from carcassonne.model.board import Board
from carcassonne.model.game import Game
from carcassonne.model.state import State
from carcassonne.moves import BridgePlace, parse_move
from carcassonne.playtest.broken import CRASH, INVARIANTS, Broken
from carcassonne.playtest.fuzz import fuzz, fuzz_game
from carcassonne.playtest.replay import check_moves, replay
from carcassonne.playtest.setups import KINDS, Setup, random_setup
from carcassonne.playtest.shrink import shrink
from carcassonne.playtest.watch import CHECKS
from carcassonne.record import begin_record, load_game, record_of, replay_record, save_game
from carcassonne.rule_register import is_rule
from carcassonne.rules import PRESETS, Rules
from carcassonne.scenario import run_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from carcassonne.playtest.failures import Failure

    Plant = Callable[[pytest.MonkeyPatch], None]

PACKAGE = Path(__file__).parents[2] / "carcassonne" / "playtest"

# ------------------------------------------------------------------------------ healthy games


def test_random_games_keep_every_invariant() -> None:
    games = list(fuzz(range(300, 330), longest=9))
    assert [game.failure for game in games if game.failure] == []
    assert sum(game.decisions for game in games) > 400
    assert {game.kind for game in games} >= {"pool", "yard", "own", "counts"}
    assert {game.players for game in games} >= {1, 2, 3}


def test_setups_draw_on_everything() -> None:
    """Every kind, number of players, preset and option value comes up."""
    setups = [random_setup(random.Random(seed)) for seed in range(400)]
    assert {setup.kind for setup in setups} == set(KINDS)
    assert {len(setup.players) for setup in setups} == {1, 2, 3, 4, 5, 6}
    assert {Rules.preset(name) for name in PRESETS} <= {setup.rules for setup in setups}
    for name in Rules.__struct_fields__:
        assert len({getattr(setup.rules, name) for setup in setups}) >= 2, name
    assert any(setup.box.changed for setup in setups)
    assert any(not s.shipped for setup in setups for s, _ in setup.box.sets)
    assert any(copies > 1 for setup in setups for _, copies in setup.box.sets)
    assert all(len(random_setup(random.Random(n), longest=3).stack) <= 3 for n in range(20))


def test_a_game_is_its_seed() -> None:
    assert fuzz_game(7, longest=8) == fuzz_game(7, longest=8)
    assert fuzz_game(7, longest=8).met != fuzz_game(8, longest=8).met


def test_the_number_of_processes_changes_nothing() -> None:
    one = list(fuzz(range(20, 26), longest=6))
    two = list(fuzz(range(20, 26), jobs=2, longest=6))
    assert one == two
    assert [game.seed for game in two] == list(range(20, 26))


# ------------------------------------------------------------------------------ planted faults


def farms_pay_four(monkeypatch: pytest.MonkeyPatch) -> None:
    real = scoring.farm_worth

    def farm_worth(board: Any, field: Any, rules: Rules, nodes: Any, seat: Any) -> scoring.Worth:
        points = rules.farm_points_per_city + 1
        rules = msgspec.structs.replace(rules, farm_points_per_city=points)
        return real(board, field, rules, nodes, seat)

    monkeypatch.setattr(scoring, "farm_worth", farm_worth)


def meeples_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    def send_home(self: State, node: object, *, keep: object = ()) -> None:
        pass

    monkeypatch.setattr(State, "send_home", send_home)


def bridges_meet_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    """A free bridge may reach over three tiles: its ends meet whatever lies there."""

    def free_bridges(self: Board, cell: tuple[int, int]) -> list[BridgePlace]:
        placement = self.tiles.get(cell)
        return [
            BridgePlace(cell, axis)
            for axis in (0, 1)
            if placement is not None
            and self.can_take_bridge(placement, axis)
            and any(neighbour(cell, side) in self.tiles for side in AXIS_SIDES[axis])
        ]

    monkeypatch.setattr(Board, "free_bridges", free_bridges)


def undo_forgets_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Game.undo

    def undo(self: Game, moves: int = 1) -> None:
        scores = self._state.table.scores
        real(self, moves)
        self._state.table.scores = scores

    monkeypatch.setattr(Game, "undo", undo)


def a_placement_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    real = legality._LISTERS["place"]

    def lister(state: State) -> list[Any]:
        found = real(state)
        return found[:-1] if len(found) > 3 else found

    monkeypatch.setitem(legality._LISTERS, "place", lister)


def a_refusal_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Meeples are listed in cloisters, but refused there."""
    real = legality.violations

    def violations(state: State, move: Any) -> list[Any]:
        found = real(state, move)
        if not found and str(move) == "meeple cloister":
            return [Violation("R-BASE-8", "not today")]
        return found

    monkeypatch.setattr(legality, "violations", violations)


def bridges_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    def build_bridge(self: Board, place: BridgePlace) -> None:
        raise KeyError(str(place))

    monkeypatch.setattr(Board, "build_bridge", build_bridge)


def the_core_counts_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    real: Any = CoreGame.__dict__["stack_left"]
    monkeypatch.setattr(CoreGame, "stack_left", property(lambda core: max(real.fget(core), 1)))


def records_lose_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last of many moves is not saved."""

    def record_of(game: Game) -> dict[str, Any]:
        record = record_module.record_of(game)
        return record | {"moves": record["moves"][:-1] if len(game.moves) > 2 else record["moves"]}

    monkeypatch.setattr("carcassonne.playtest.watch.record_of", record_of)


FAULTS: dict[str, tuple[Plant, set[str], int]] = {
    "a farm pays 4": (farms_pay_four, {"feature-worth", "final-scoring"}, 2),
    "a meeple does not come home": (meeples_stay, {"meeples-home"}, 3),
    "a bridge crosses three tiles": (bridges_meet_tiles, {"legal-moves"}, 2),
    "undo forgets the score": (undo_forgets_scores, {"undo", "copies"}, 2),
    "a legal move is missing": (a_placement_is_missing, {"legal-moves"}, 1),
    "a legal move is refused": (a_refusal_too_many, {"bots", "refusals", "listed-moves-play"}, 2),
    "a crash": (bridges_crash, {CRASH}, 2),
    "the core counts wrong": (the_core_counts_wrong, {"engines-agree"}, 1),
    "a record is cut": (records_lose_moves, {"record"}, 6),
}
"""Each with what plants it, the invariants that may tell, and the most moves it may take."""

GAMES = 25


def first_failure() -> Failure:
    for game in fuzz(range(GAMES), longest=14):
        if game.failure is not None:
            return game.failure
    raise AssertionError(f"nothing was found in {GAMES} games")


@pytest.mark.parametrize("name", FAULTS)
def test_planted_faults_are_found_and_shrunk(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Found, short, saved with all that explains it, and found again from the saved record."""
    plant, invariants, most = FAULTS[name]
    plant(monkeypatch)
    failure = first_failure()
    assert failure.invariant in invariants, failure
    assert failure.repeats
    assert failure.moves <= most, failure
    assert failure == fuzz_game(failure.seed, longest=14).failure
    failure.save(tmp_path)
    record, text = tmp_path / f"{failure.stem}.json", tmp_path / f"{failure.stem}.txt"
    assert failure.loads == ""
    assert len(load_game(record).moves) == failure.moves
    told = text.read_text(encoding="utf-8")
    assert told.startswith(f"{failure.invariant}: {INVARIANTS[failure.invariant].about}")
    assert failure.message in told
    assert f"--fuzz --games 1 --seed {failure.seed}" in told
    assert f"--record {record}" in told
    assert ("Traceback" in told) == (failure.invariant == CRASH)
    done = CliRunner().invoke(cli, ["playtest", "--fuzz", "--record", str(record)])
    assert done.exit_code == 1, done.output
    monkeypatch.undo()
    healthy = CliRunner().invoke(cli, ["playtest", "--fuzz", "--record", str(record)])
    if replay_record(record)[1]:  # what the fault made of the scores stands in the record
        assert failure.invariant in ("feature-worth", "final-scoring", "meeples-home")
        assert (healthy.exit_code, "nothing else fails" in healthy.output) == (1, True)
    else:
        assert (healthy.exit_code, "nothing fails" in healthy.output) == (0, True), healthy.output


def test_the_text_names_the_rule_and_the_scenario_shows_the_moment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    meeples_stay(monkeypatch)
    failure = first_failure()
    assert failure.rule == "R-BASE-17"
    files = failure.save(tmp_path)
    text = (tmp_path / f"{failure.stem}.txt").read_text(encoding="utf-8")
    assert "Rule: R-BASE-17: Once a completed feature is scored, all meeples on it return" in text
    scenarios = [file for file in files if file.suffix == ".toml"]
    assert scenarios
    assert run_file(scenarios[-1]).passed
    assert "meeples-home" in scenarios[-1].read_text(encoding="utf-8")


def test_a_game_that_can_not_begin_is_kept_with_a_note(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The record does not load, the text says why; when the engine is mended, it does."""

    @contextmanager
    def broken() -> Iterator[None]:
        with monkeypatch.context() as patch:
            patch.setattr("carcassonne.model.turns.run", lambda *_: 1 // 0)
            yield

    with broken():
        failure = fuzz_game(3, longest=8).failure
        assert failure is not None
        failure.save(tmp_path)
    assert failure.invariant == CRASH
    assert failure.moves == 0
    assert "ZeroDivisionError" in failure.loads
    text = (tmp_path / f"{failure.stem}.txt").read_text(encoding="utf-8")
    assert f"Note: {failure.stem}.json does not load: ZeroDivisionError" in text
    game, moves = begin_record(tmp_path / f"{failure.stem}.json")
    assert moves == ()
    assert not game.moves


# ------------------------------------------------------------------------------ shrinking


def long_failure(monkeypatch: pytest.MonkeyPatch) -> tuple[Setup, list[Any], Any]:
    """A long game with a fault in it, played without looking, and what a replay finds."""
    meeples_stay(monkeypatch)
    rules = Rules(tiny_city_points=3, inns_enabled=True, bazaar_mode="draft")
    stack = ["BA/Rr", "BA/L", "BB/F.b", "BA/LR", *["BA/RFr", "BA/C", "BA/CRr", "BA/Cc"] * 4]
    box = random_setup(random.Random(0)).box.load(["base*2", "bridges_castles_bazaars"])
    setup = Setup(("A", "B", "C", "D"), rules, box, tuple(s for s in stack if s in box.types))
    rng = random.Random(5)
    game = setup.begin()
    while not game.is_over:
        game.play(rng.choice(game.legal_moves()))
    trial = replay(setup, game.moves, only=("events",))
    assert trial.fault is not None
    return setup, trial.moves, trial.fault


def test_shrinking_takes_everything_away_that_is_not_needed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    setup, moves, fault = long_failure(monkeypatch)
    assert len(moves) > 8
    case = shrink(setup, moves, fault)
    assert case is not None
    assert fault.is_like(case.fault)
    assert len(case.moves) <= 2
    assert len(case.setup.stack) <= 1
    assert len(case.setup.players) == 1
    assert case.setup.rules == Rules()
    assert case.setup.box.names() == ["base"]
    again = shrink(setup, moves, fault)
    assert again is not None
    assert (again.setup, again.moves) == (case.setup, case.moves)


def test_shrinking_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    setup, moves, fault = long_failure(monkeypatch)
    played: list[int] = []
    real = Game.play

    def play(self: Game, *arguments: Any, **named: Any) -> Any:
        played.append(1)
        return real(self, *arguments, **named)

    monkeypatch.setattr(Game, "play", play)
    case = shrink(setup, moves, fault, budget=0)
    assert case is not None
    assert list(case.moves) == moves
    few = len(played)
    shrink(setup, moves, fault, budget=100)
    assert few < len(played) < few + 100 + 40 * len(moves)


def test_what_does_not_fail_again_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    setup, moves, fault = long_failure(monkeypatch)
    monkeypatch.undo()
    assert shrink(setup, moves, fault) is None
    assert check_moves(setup, [parse_move("pass")]).moves == []


# ------------------------------------------------------------------------------ the register


def test_every_invariant_is_used_and_every_one_used_is_known() -> None:
    words = {
        node.value
        for path in PACKAGE.glob("*.py")
        if path.name != "broken.py"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert {name for name in INVARIANTS if name != CRASH} <= words
    for node in (n for path in PACKAGE.glob("*.py") for n in calls(path)):
        named = node.args[1 if ast.unparse(node.func) == "require" else 0]
        if isinstance(named, ast.Constant):
            assert named.value in INVARIANTS, ast.unparse(node)
        else:
            assert ast.unparse(named) in ("invariant", "self.invariant"), ast.unparse(node)
    for name, invariant in INVARIANTS.items():
        assert invariant.check in CHECKS, name
        assert invariant.about.endswith(".")
        assert not invariant.rule or is_rule(invariant.rule), name


def calls(path: Path) -> Iterator[ast.Call]:
    """Where invariants are named."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("require", "Broken", "_same"):
            yield node


def test_a_breach_comes_through_from_another_process() -> None:
    broken = Broken("undo", "it stays")
    twin = pickle.loads(pickle.dumps(broken))  # noqa: S301 - made on the line itself
    assert (twin.invariant, twin.message, str(twin)) == ("undo", "it stays", "undo: it stays")


# ------------------------------------------------------------------------------ the command


def test_the_command_plays_and_reports() -> None:
    done = CliRunner().invoke(cli, ["playtest", "--fuzz", "--games", "2", "--seed", "41"])
    assert done.exit_code == 0, done.output
    assert "2 games (seeds 41 to 42)" in done.output
    assert "none of them failed" in done.output
    args = ["playtest", "--fuzz", "--games", "2", "--seed", "41", "--json"]
    data = json.loads(CliRunner().invoke(cli, args).output)
    assert (data["games"], data["failures"], data["stopped"]) == (2, [], False)
    assert data == json.loads(CliRunner().invoke(cli, args).output)
    short = CliRunner().invoke(cli, ["playtest", "--fuzz", "--seconds", "0.001", "--json"])
    assert json.loads(short.output)["games"] == 1


def test_the_command_saves_what_fails(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    a_placement_is_missing(monkeypatch)
    out = tmp_path / "deep" / "found"
    arguments = ["playtest", "--fuzz", "--games", "1", "--seed", "1", "--out", str(out)]
    done = CliRunner().invoke(cli, arguments)
    assert done.exit_code == 1
    assert "FAILED: seed 1: legal-moves (R-B" in done.output
    assert {file.name for file in out.iterdir()} >= {"fuzz-1.json", "fuzz-1.txt"}
    assert str(out / "fuzz-1.json") in done.output


def test_ctrl_c_keeps_what_was_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    a_placement_is_missing(monkeypatch)
    failing = fuzz_game(1, longest=8)

    def games(*_: object) -> Iterator[Any]:
        yield failing
        raise KeyboardInterrupt

    monkeypatch.setattr(fuzzing, "_games", games)
    arguments = ["playtest", "--fuzz", "--out", str(tmp_path), "--json"]
    done = CliRunner().invoke(cli, arguments)
    assert done.exit_code == 1
    assert json.loads(done.output)["stopped"]
    assert (tmp_path / "fuzz-1.json").is_file()

    def stopped(*_: object) -> Iterator[Any]:
        raise KeyboardInterrupt

    monkeypatch.setattr(fuzzing, "_games", stopped)
    done = CliRunner().invoke(cli, ["playtest", "--fuzz", "--out", str(tmp_path)])
    assert (done.exit_code, done.output.splitlines()[0][:7]) == (130, "0 games")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "say what to compare"),
        (["--fuzz", "--games", "0"], "0 is not in the range"),
        (["--fuzz", "--seconds", "nan"], "is no number"),
        (["--fuzz", "--record", "nowhere.json"], "nowhere.json"),
    ],
)
def test_wrong_usage_is_one_line(
    arguments: list[str], words: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(cli, ["playtest", *arguments])
    said = str(done.exception) if done.exit_code == 1 else done.output
    assert done.exit_code != 0
    assert words in said


def test_records_that_are_no_more_possible_are_refused(tmp_path: Path) -> None:
    setup = random_setup(random.Random(0))
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(setup.record(["pass"])), encoding="utf-8")
    done = CliRunner().invoke(cli, ["playtest", "--fuzz", "--record", str(path)])
    assert "move 1: illegal move 'pass'" in str(done.exception)
    given = {"tiles": ["BA/RCr 0,0 r0"], "pigs": ["A 0,0 field.SL"], "stack": []}
    record = setup.record() | {"given": given, "tile_sets": ["base"], "stack": []}
    path.write_text(json.dumps({**record, "tile_counts": {}}), encoding="utf-8")
    done = CliRunner().invoke(cli, ["playtest", "--fuzz", "--record", str(path)])
    assert "pigs or barns" in str(done.exception)


def played(folder: Path) -> dict[str, Any]:
    """The record of a short game with a bazaar, as plain data."""
    game = Game.new(("A", "B"), seed=3, tile_counts={"BA/L": 0})
    rng = random.Random(2)
    while game.decision is not None and game.decision.kind != "deal":
        game.play(rng.choice(game.legal_moves()))
    while game.decision is not None and game.decision.kind != "place":
        game.play(game.legal_moves()[0])
    save_game(game, folder / "whole.json")
    return record_of(game)


def checked(record: dict[str, Any], path: Path) -> tuple[int, str]:
    """The exit code and all that `--record` says about a record; 2 for a refused one."""
    path.write_text(json.dumps(record), encoding="utf-8")
    done = CliRunner().invoke(cli, ["playtest", "--fuzz", "--record", str(path)])
    if isinstance(done.exception, CarcassonneError):
        return 2, str(done.exception)
    return done.exit_code, done.output


def test_a_damaged_record_is_refused_as_replay_does(tmp_path: Path) -> None:
    """Whatever is put at whichever move: that move is named, why, and by which rule."""
    record = played(tmp_path)
    moves = record["moves"]
    path = tmp_path / "damaged.json"
    tried = 0
    for number in range(1, len(moves) + 1, 3):
        for text in ("place BA/L 99,99 r0", "choose 9 bid 1", "bid 0", "pass", "buy", "nonsense"):
            damaged = record | {"moves": [*moves[: number - 1], text, *moves[number:]]}
            path.write_text(json.dumps(damaged), encoding="utf-8")
            refused = refusal(path)
            if "move " in refused:
                tried += 1
                assert checked(damaged, path) == (2, refused)
    assert tried > 20
    number = max(n for n, move in enumerate(moves, 1) if move.startswith("place"))
    late = record | {"moves": [*moves[: number - 1], "place BA/L 99,99 r0", *moves[number:]]}
    code, said = checked(late, path)
    assert code == 2
    assert f"move {number}: illegal move 'place BA/L 99,99 r0'" in said
    assert "(R-BASE-5)" in said


def refusal(path: Path) -> str:
    """Why a record does not load; empty if it does."""
    try:
        load_game(path)
    except RecordError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    "result",
    [{"scores": {"A": 999, "B": 0}, "winners": []}, {"scores": None, "winners": ["A"]}],
)
def test_a_result_that_does_not_follow_from_the_moves_is_a_failure(
    tmp_path: Path, result: dict[str, Any]
) -> None:
    whole = played(tmp_path)
    whole["moves"] = whole["moves"][:3]
    game = begin_record(tmp_path / "whole.json")[0]
    for move in whole["moves"]:
        game.play(move)
    right = {"scores": game.scores, "winners": game.winners}
    assert checked(whole | {"result": right}, tmp_path / "r.json")[0] == 0
    scores = result["scores"] or game.scores
    code, said = checked(whole | {"result": result | {"scores": scores}}, tmp_path / "r.json")
    assert code == 1
    assert "FAILED at the end: result: the moves lead to the" in said
    assert "nothing else fails" in said


def test_checked_moves_are_those_that_were_given() -> None:
    """Shrinking takes moves as hints; checking leaves none out and puts none in."""
    setup = random_setup(random.Random(0))
    first = setup.begin().legal_moves()[0]
    wrong = parse_move("place BA/L 99,99 r0")
    assert len(replay(setup, [wrong, first], only=("play",)).moves) >= 1
    trial = check_moves(setup, [wrong, first])
    assert (trial.moves, trial.fault) == ([], None)
