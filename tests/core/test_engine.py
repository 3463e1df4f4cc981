"""The engine by itself: undo, copies, both forms, capacities, the verbs of `CoreGame`."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

from carcassonne import Game, IllegalMove, InvalidMove, Rules
from carcassonne.core import COMPILED, layout
from carcassonne.core.game import CoreGame
from carcassonne.core.tables import MOST_SEGMENTS, MOST_TILES, CapacityError, Tables
from carcassonne.errors import CarcassonneError, PositionError
from carcassonne.geometry import HALVES
from carcassonne.tiles import TileBox, tile_set_from_data

ROOT = Path(__file__).parents[2]


def played(game: CoreGame, rng: random.Random, moves: int) -> int:
    """Play random moves; returns how many."""
    for done in range(moves):
        if game.is_over:
            return done
        game.play_number(rng.choice(game.move_numbers()))
    return moves


@pytest.mark.parametrize("players", range(1, 7))
def test_undo_restores_every_number(players: int) -> None:
    rng = random.Random(players)
    for seed in range(12 if COMPILED else 2):
        rules = Rules(bazaar_skip_if_short=False)
        game = CoreGame.new(list("ABCDEF")[:players], seed=seed, rules=rules)
        past = []
        while not game.is_over:
            past.append(game.engine.snapshot())
            game.play_number(rng.choice(game.move_numbers()))
        while past:
            game.undo()
            assert game.engine.snapshot() == past.pop()
        with pytest.raises(CarcassonneError, match="can't take back"):
            game.undo()


def test_copies_share_nothing() -> None:
    rng = random.Random(5)
    for seed in range(20):
        game = CoreGame.new(["A", "B", "C"], seed=seed)
        played(game, rng, rng.randrange(150))
        before = game.engine.snapshot()
        twin = game.copy()
        played(twin, rng, 300)
        assert twin.is_over
        assert game.engine.snapshot() == before
        played(game, rng, 300)
        assert game.is_over


def test_playouts_leave_the_game_as_it_was_and_repeat_themselves() -> None:
    game = CoreGame.new(["A", "B", "C", "D"], seed=2)
    before = game.engine.snapshot()
    for cheap in (False, True):
        scores = [game.playout(random.Random(4), cheap=cheap) for _ in range(2)]
        assert scores[0] == scores[1]
    assert game.engine.snapshot() == before


def test_cheap_playouts_bid_less_than_uniform_ones() -> None:
    game = CoreGame.new(["A", "B"], seed=2)
    spread = {}
    for cheap in (False, True):
        totals = [game.playout(random.Random(k), cheap=cheap) for k in range(30)]
        spread[cheap] = sum(abs(t["A"] - t["B"]) for t in totals)
    assert spread[True] < spread[False]


def test_both_forms_play_the_same_playouts() -> None:
    """These numbers come from the generator and the order of listings in either form."""
    program = (
        "import random; from carcassonne.core.game import CoreGame\n"
        "for n in (2, 5):\n"
        "    game = CoreGame.new(list('ABCDEF')[:n], seed=8)\n"
        "    print([game.playout(random.Random(k), cheap=k % 2 == 1) for k in range(6)])"
    )
    answers = set()
    for pure in ("", "1"):
        environment = {**os.environ, "CARCASSONNE_PURE": pure}
        found = subprocess.run(  # noqa: S603 - this program
            [sys.executable, "-c", program],
            cwd=ROOT, env=environment, capture_output=True, text=True, check=True,
        )  # fmt: skip
        answers.add(found.stdout)
    assert len(answers) == 1


def test_the_engine_runs_without_cython() -> None:
    program = (
        "import sys; sys.modules['cython'] = None\n"
        "from carcassonne.core.game import CoreGame; import random\n"
        "print(sum(CoreGame.new(['A', 'B'], seed=1).playout(random.Random(1)).values()))"
    )
    environment = {**os.environ, "CARCASSONNE_PURE": "1"}
    subprocess.run(  # noqa: S603 - this program
        [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, check=True
    )


@pytest.mark.parametrize("players", [2, 4, 6])
def test_a_game_of_base_and_expansion_is_small_with_its_whole_log(players: int) -> None:
    rng = random.Random(players)
    for seed in range(20 if COMPILED else 2):
        game = CoreGame.new(list("ABCDEF")[:players], seed=seed)
        played(game, rng, 1000)
        assert game.is_over
        assert 3000 < 4 * game.engine.history < game.engine.memory() < 62 * 1024


def test_constants_for_c_are_those_of_the_layout() -> None:
    text = Path(layout.__file__).with_suffix(".pxd").read_text(encoding="utf-8")
    found = dict(re.findall(r"^    ([A-Z_]+) = (-?\d+)$", text, re.MULTILINE))
    wanted = {n: str(v) for n, v in vars(layout).items() if n.isupper() and isinstance(v, int)}
    assert len(found) > 80
    assert found == wanted


def test_long_notes_are_taken_back_too() -> None:
    """Scores below -1, castles' flags and open ends don't fit into short notes."""
    game = CoreGame.new(["A", "B"], seed=3)
    rng = random.Random(3)
    low = 0
    while not game.is_over:
        game.play_number(rng.choice(game.move_numbers()))
        low = min(low, *game.scores.values())
        game.engine.set_number(layout.SCORE, game.scores["A"] - 4000)
        before = game.engine.snapshot()
        for move in game.move_numbers()[:3]:
            game.play_number(move)
            game.undo()
            assert game.engine.snapshot() == before
        game.engine.set_number(layout.SCORE, game.scores["A"] + 4000)
    assert low < -1


def test_more_tiles_than_the_core_holds_are_refused_clearly() -> None:
    with pytest.raises(CapacityError, match=str(MOST_TILES)):
        CoreGame.new(["A", "B"], tile_sets=["base*20"])
    game = CoreGame.new(["A", "B"], tile_sets=["base*4"], seed=3)
    assert game.stack_left > 250
    game.engine.playout(7)
    assert game.is_over


def test_more_segments_than_the_core_holds_are_refused_clearly() -> None:
    fields = [{"inner": True} for _ in range(9)]
    halves = [{"halves": half} for half in HALVES]
    roads = [{"sides": side} for side in "NESW"]
    tile = {"id": "ME/1", "edges": "road road road road", "roads": roads, "fields": halves + fields}
    own = tile_set_from_data(
        {"format": "carcassonne-tiles/1", "name": "own", "tile": [tile]}, "own"
    )
    with pytest.raises(CapacityError, match=f"at most {MOST_SEGMENTS}"):
        CoreGame.new(["A", "B"], tile_sets=["base", own])


def test_no_table_of_the_tiles_meets_itself_on_the_torus() -> None:
    box = TileBox.load(["base"])
    for tiles in (10, 72, 84, 250):
        tables = Tables(box, Rules(), 2, tiles=tiles)
        reach = tiles + 4
        near = {
            (x, y): tables.cell(x, y)
            for x in range(-reach, reach + 1)
            for y in range(-reach, reach + 1)
            if 0 < abs(x) + abs(y) <= reach
        }
        assert tables.cell(0, 0) not in near.values()


def test_a_straight_line_of_250_tiles_fits() -> None:
    tables = {"BA/Rr": 250}
    box_game = CoreGame.new(["A", "B"], tile_sets=["base"], tile_counts=tables,
                            stack=["BA/Rr"] * 249)  # fmt: skip
    while not box_game.is_over:
        moves = [m for m in box_game.move_numbers() if m >= 0]
        if box_game.engine.number(layout.PHASE) == layout.PLACE:
            cells = {m: box_game.decode(m) for m in moves}
            box_game.play_number(max(moves, key=lambda m: cells[m].cell[0]))  # type: ignore[attr-defined]
        else:
            box_game.play_number(layout.PASS)
    assert len(box_game.tiles) == 250


# ------------------------------------------------------------------------------ the verbs


def test_moves_are_taken_under_any_name_and_refused_by_rule() -> None:
    game = CoreGame.new(["A", "B"], stack=["BA/L", "BA/LR", "BA/RFr"])
    model = Game.new(["A", "B"], stack=["BA/L", "BA/LR", "BA/RFr"])
    with pytest.raises(InvalidMove):
        game.play("jump")
    with pytest.raises(IllegalMove) as error:
        game.play("place BA/L 2,0 r0")
    assert error.value.rules == ("R-BASE-5",)
    for move in ("place BA/L 0,1 r90", "bridge 0,1 EW", "meeple road.W"):
        model.play(move)
        game.play(move)
        assert game.supply == model.supply
    assert list(map(str, game.moves()))[1:] == ["bridge 0,1 EW", "meeple road.E"]


def test_queries_of_bots() -> None:
    game = CoreGame.new(["A", "B"], stack=["BA/LR", "BA/LR"])
    game.play("place BA/LR -1,0 r270")
    game.play("pass") if game.decision and game.decision.kind == "bridge" else None
    game.play("meeple road.E")
    view = game.feature("0,0 road.E")
    assert (view.tiles, view.open, view.points, view.meeples) == (2, 1, 2, {"A": 1})
    assert game.worth("0,0 road.W") == 2
    assert game.holders("-1,0 road.E") == {"A": 1}
    assert len(game.fits("BA/LR", with_bridge=True)) == len(game.legal_moves())
    with pytest.raises(PositionError):
        game.feature("5,5 road.E")


def test_shuffling_keeps_what_is_seen_and_follows_the_generator() -> None:
    game, model = CoreGame.new(["A", "B"], seed=3), Game.new(["A", "B"], seed=3)
    assert game.stack == model.stack
    assert game.shuffled(random.Random(5)).stack == model.shuffled(random.Random(5)).stack
    assert game.unseen == model.unseen


def test_names_are_checked() -> None:
    for names in ([], ["A", "A"], ["a b"], list("ABCDEFG")):
        with pytest.raises(PositionError):
            CoreGame.new(names)
