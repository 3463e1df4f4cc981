"""The bots that search: legal, repeatable, blind to the order of the stack, and sensible."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from carcassonne import Game, Rules
from carcassonne.bots.base import BotError
from carcassonne.bots.mc import McBot
from carcassonne.bots.mcts import MctsBot
from carcassonne.bots.searching import SearchBot, known_stack
from carcassonne.bots.star import StarBot
from carcassonne.core import COMPILED, layout
from carcassonne.core.game import CoreGame
from carcassonne.moves import Bid, Choose
from carcassonne.position import from_position
from carcassonne.random_games import random_rules

ROOT = Path(__file__).parents[2]
NAMES = ["A", "B", "C", "D", "E", "F"]
DUEL = ["A", "B"]
FEW = 40 if COMPILED else 12


def bots(seed: int = 0, simulations: int = FEW) -> list[SearchBot]:
    """One of each kind."""
    return [
        MctsBot(seed=seed, simulations=simulations),
        McBot(seed=seed, simulations=simulations),
        StarBot(seed=seed, depth=2, nodes=3 * simulations),
    ]


def middle(players: int, seed: int, left: int, rules: Rules | None = None) -> CoreGame:
    """A game on the core, played at random until so few tiles are left."""
    game = CoreGame.new(NAMES[:players], seed=seed, rules=rules)
    rng = random.Random(seed)
    while not game.is_over and game.stack_left > left:
        game.play_number(rng.choice(game.move_numbers()))
    return game


def short(players: int) -> CoreGame:
    """A game of a few tiles with everything in it."""
    stack = ["BA/C", "BA/RFr", "BB/F.b", "BA/CRr", "BA/L", "BA/CFc+", "BA/C", "BA/RCr", "BA/Rr"]
    return CoreGame.new(NAMES[:players], stack=stack)


# ------------------------------------------------------------------------------ whole games


def played(game: CoreGame, seats: list[SearchBot]) -> list[int]:
    """Play a game to its end, every answer a legal one; returns the moves."""
    made = []
    while not game.is_over:
        seat = game.engine.number(layout.DECIDER)
        before = game.engine.snapshot()
        move = seats[seat].choose_number(game)
        assert game.engine.snapshot() == before
        assert move in game.move_numbers()
        made.append(move)
        game.play_number(move)
    return made


@pytest.mark.parametrize("players", range(1, 7))
def test_every_kind_of_decision_is_answered_legally(players: int) -> None:
    for seed in range(3 if COMPILED else 1):
        rng = random.Random(100 * players + seed)
        game = middle(players, seed, 14, random_rules(rng))
        kinds = bots(seed, 8)
        played(game, [kinds[(seat + seed) % 3] for seat in range(players)])


@pytest.mark.parametrize("mode", ["auction", "draft"])
def test_bazaars_castles_and_bridges_are_all_met_and_answered(mode: str) -> None:
    seen: set[str] = set()
    rules = Rules.preset("first_edition", bazaar_mode=mode, castle_follower_rule="sole_majority")
    for seed in range(3 if COMPILED else 1):
        game = CoreGame.new(["A", "B", "C"], seed=seed, rules=rules)
        kinds = bots(seed, 6)
        while not game.is_over:
            seat = game.engine.number(layout.DECIDER)
            seen.add(layout.PHASES[game.engine.number(layout.PHASE)])
            move = kinds[seat].choose_number(game)
            assert move in game.move_numbers()
            game.play_number(move)
    wanted = {"take"} if mode == "draft" else {"choose", "bid", "deal"}
    assert {"place", "bridge", "meeple"} | wanted <= seen


def test_the_same_seed_plays_the_same_and_a_fresh_bot_as_well() -> None:
    for kind in range(3):
        games = [middle(2, 5, 12) for _ in range(2)]
        first, second = (
            played(game, [bots(1)[kind], bots(2)[kind]]) for game in games
        )  # fmt: skip
        assert first == second


def test_models_and_core_games_get_the_same_answers() -> None:
    model = Game.new(DUEL, seed=3)
    core = CoreGame.new(DUEL, seed=3)
    on_model, on_core = bots(4), bots(4)
    for number in range(16):
        assert model.decision is not None
        moves = [bot.choose(model) for bot in on_model]
        assert moves == [bot.choose(core) for bot in on_core]
        model.play(moves[number % 3])
        core.play(moves[number % 3])


def test_both_forms_make_the_same_moves() -> None:
    program = (
        "from tests.bots.test_search_bots import bots, short\n"
        "for players in (2, 3):\n"
        "    game = short(players)\n"
        "    kinds = bots(players, 12)\n"
        "    while not game.is_over:\n"
        "        moves = [bot.choose_number(game) for bot in kinds]\n"
        "        print(*moves)\n"
        "        game.play_number(moves[0])\n"
    )
    found = []
    for pure in ("", "1"):
        environment = {**os.environ, "CARCASSONNE_PURE": pure}
        done = subprocess.run(  # noqa: S603 - this program
            [sys.executable, "-c", program],
            cwd=ROOT, env=environment, capture_output=True, text=True, check=True,
        )  # fmt: skip
        found.append(done.stdout)
    assert found[0] == found[1]
    assert len(found[0].splitlines()) > 10


# ------------------------------------------------------------------------------ what is unseen


def test_the_order_of_the_stack_changes_nothing_about_a_choice() -> None:
    rng = random.Random(1)
    for seed in range(5):
        game = middle(2 + seed % 3, seed, 30 - 5 * seed)
        others = [game.shuffled(rng) for _ in range(2)]
        assert known_stack(game) == known_stack(others[0])
        for kind in range(3):
            answers = {bots(seed)[kind].choose_number(g) for g in (game, *others)}
            assert len(answers) == 1


# ------------------------------------------------------------------------------ reuse of the tree


def test_the_tree_is_kept_along_the_game_and_only_there() -> None:
    game = CoreGame.new(DUEL, seed=8)
    bot = MctsBot(simulations=200 if COMPILED else 40)
    kept = []
    for _ in range(30):
        move = bot.choose_number(game)
        kept.append(bot.kept)
        game.play_number(move)
    assert kept[0] == 0
    assert sum(k > 0 for k in kept) > 15
    bot.choose_number(CoreGame.new(DUEL, seed=9))
    assert bot.kept == 0
    bot.choose_number(game)
    assert bot.kept == 0


def test_the_tree_is_kept_for_a_model_game_too() -> None:
    game = Game.new(DUEL, seed=8)
    bot = MctsBot(simulations=200 if COMPILED else 40)
    kept = []
    for _ in range(20):
        move = bot.choose(game)
        assert move in game.legal_moves()
        kept.append(bot.kept)
        game.play(move)
    assert sum(k > 0 for k in kept) > 8
    game.undo(4)
    assert bot.choose(game) in game.legal_moves()
    assert bot.kept == 0


def test_without_reuse_a_bot_answers_as_one_that_has_seen_nothing() -> None:
    game = CoreGame.new(DUEL, seed=2)
    bot = MctsBot(simulations=FEW, reuse=False)
    for _ in range(12):
        move = bot.choose_number(game)
        assert move == MctsBot(simulations=FEW).choose_number(game)
        game.play_number(move)


# ------------------------------------------------------------------------------ budgets


def test_a_budget_of_time_ends() -> None:
    game = middle(2, 1, 30)
    for bot in (MctsBot(time=0.05), McBot(time=0.05), StarBot(time=0.05, depth=9)):
        assert bot.choose_number(game) in game.move_numbers()


@pytest.mark.parametrize(
    ("make", "options"),
    [
        (MctsBot, {"simulations": 0}),
        (MctsBot, {"simulations": True}),
        (MctsBot, {"time": 0.0}),
        (MctsBot, {"value": "luck"}),
        (MctsBot, {"colour": 3}),
        (McBot, {"simulations": 1.5}),
        (McBot, {"value": ""}),
        (StarBot, {"depth": 0}),
        (StarBot, {"nodes": -1}),
        (StarBot, {"probes": -1}),
        (StarBot, {"time": float("nan")}),
    ],
)
def test_values_that_won_t_do_are_refused(make: Any, options: dict[str, Any]) -> None:
    with pytest.raises(BotError, match=next(iter(options))):
        make(**options)


# ------------------------------------------------------------------------------ single choices


def answers(given: dict[str, Any], *moves: str, **options: object) -> set[str]:
    """What the bots do in a position after some moves."""
    game = from_position(DUEL, given, rules=Rules.preset("first_edition", **options))
    for move in moves:
        game.play(move)
    return {str(bot.choose(game)) for bot in bots(1, 300 if COMPILED else 60)}


def test_they_complete_their_own_big_city() -> None:
    """One cap closes a city of four tiles with a pennant; it also fits elsewhere."""
    given = {
        "tiles": ["BA/C -1,0 r90", "BA/CFc+ 0,0 r0", "BA/CFc+ 1,0 r0", "BA/RFr 0,1 r0"],
        "meeples": ["A 0,0 city.E"],
        "supply": {"A": {"bridges": 0}, "B": {"bridges": 0}},
        "stack": ["BA/C", "BA/RFr", "BA/RFr"],
    }
    assert answers(given) == {"place BA/C 2,0 r270"}


def test_they_finish_their_own_road() -> None:
    given = {
        "tiles": ["BA/LR -1,0 r270", "BA/RCr 0,0 r0", "BA/LR 2,0 r90"],
        "meeples": ["A -1,0 road.E"],
        "supply": {"A": {"bridges": 0}, "B": {"bridges": 0}},
        "stack": ["BA/RFr", "BA/RFr", "BA/RFr", "BA/RFr"],
    }
    assert answers(given) == {"place BA/RFr 1,0 r0"}


def test_they_don_t_finish_a_rival_s_road_for_nothing() -> None:
    given = {
        "tiles": [
            "BA/LR -3,0 r270", "BA/RFr -2,0 r0", "BA/RFr -1,0 r0", "BA/RCr 0,0 r0",
            "BA/LR 2,0 r90",
            "BA/RFr 0,5 r0", "BA/RFr 1,5 r0",
        ],
        "meeples": ["B -3,0 road.E", "A 0,5 road.E"],
        "stack": ["BA/RFr"],
    }  # fmt: skip
    assert not any(move.startswith("place BA/RFr 1,0 ") for move in answers(given))


def test_they_build_a_bridge_that_pays() -> None:
    given = {
        "tiles": ["BA/LR -1,0 r270", "BA/RCr 0,0 r0", "BA/LR 2,0 r90"],
        "meeples": ["A -1,0 road.E"],
        "stack": ["BA/L"],
    }
    assert answers(given, farmers=False) == {"place BA/L 1,0 r0 bridge 1,0 EW"}


def test_they_take_the_points_of_a_small_city_at_the_end() -> None:
    given = {"tiles": ["BA/RCr 0,0 r0"], "meeples": ["A 0,0 city.N"], "stack": ["BA/C"]}
    assert answers(given, "place BA/C 0,-1 r180", "pass", "pass") == {"pass"}


def test_they_build_a_castle_while_there_is_time_for_it_to_pay() -> None:
    given = {
        "tiles": ["BA/RCr 0,0 r0"], "meeples": ["A 0,0 city.N"], "stack": ["BA/C", *["BA/Rr"] * 60],
    }  # fmt: skip
    game = from_position(DUEL, given)
    for move in ("place BA/C 0,-1 r180", "pass", "pass"):
        game.play(move)
    for bot in bots(1, 300 if COMPILED else 60)[:2]:
        assert str(bot.choose(game)) == "castle 0,-1 city.S"


def test_they_collect_the_best_payout() -> None:
    given = {
        "tiles": [
            "BA/C 0,0 r0", "BA/C 0,-1 r180", "BA/LR 2,0 r90", "BA/RFr 1,1 r90", "BA/LR 1,2 r180",
        ],
        "castles": ["A 0,0 city.N"],
        "supply": {"A": {"bridges": 0, "meeples": 0}},
        "stack": ["BA/RRR", "BA/L"],
    }  # fmt: skip
    assert answers(given, "place BA/RRR 1,0 r270") == {"collect 1,0 road.S"}


def test_they_spend_their_last_meeple_on_the_last_turn() -> None:
    given = {
        "tiles": ["BA/RCr 0,0 r0"], "supply": {"A": {"meeples": 1, "bridges": 0}},
        "stack": ["BA/RFr"],
    }  # fmt: skip
    assert answers(given, "place BA/RFr 0,1 r0", farmers=False) == {"meeple road.E"}


# ------------------------------------------------------------------------------ the bazaar


def market(*moves: Choose | Bid) -> Game:
    """A duel with a bazaar: on offer are a tile that fits nowhere, and a cloister; B chooses.

    Who has the first misses a turn.
    """
    stack = ["BB/F.b", "BA/Cccc+", "BA/L", *["BA/L"] * 20]
    given = {"tiles": ["BA/L 0,0 r0", "BA/L 1,0 r0"], "stack": stack}
    rules = Rules.preset("first_edition", bazaar_unplaceable="lose_turn")
    game = from_position(DUEL, given, rules=rules)
    while game.decision is not None and game.decision.kind != "choose":
        kinds = {str(move): move for move in game.legal_moves()}
        game.play(kinds.get("pass", game.legal_moves()[0]))
    for move in moves:
        game.play(move)
    return game


def all_answer(game: Game) -> set[str]:
    return {str(bot.choose(game)) for bot in bots(1, 400 if COMPILED else 60)}


def test_nobody_pays_much_for_a_worthless_tile() -> None:
    for answer in all_answer(market(Choose(1, 0))):
        assert answer == "pass" or int(answer.split()[1]) <= 3
    assert all_answer(market(Choose(2, 15))) == {"pass"}


def test_the_better_tile_is_chosen_and_bid_for() -> None:
    for answer in all_answer(market()):
        _, lot, _, points = answer.split()
        assert lot == "2"
        assert int(points) <= 4
    for answer in all_answer(market(Choose(2, 0))):
        assert answer.startswith("bid ")


@pytest.mark.parametrize(("price", "deal"), [(1, "buy"), (12, "sell")])
def test_they_buy_cheap_and_sell_dear(price: int, deal: str) -> None:
    assert all_answer(market(Choose(2, 0), Bid(price))) == {deal}
