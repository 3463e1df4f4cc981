"""The greedy bot: it ends every game, gives nothing away and plays sensibly."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

from carcassonne import Game, Rules
from carcassonne.bots import make_bot
from carcassonne.bots.play import play_out
from carcassonne.events import BridgeBuilt, CastleBuilt, MarketOpened, Score, TilePlaced
from carcassonne.moves import Bid, Choose, Place
from carcassonne.position import from_position
from carcassonne.record import game_from_text, record_text
from tests.soak import play_one

if TYPE_CHECKING:
    from collections.abc import Sequence

NAMES = ["A", "B", "C", "D", "E", "F"]
DUEL = ["A", "B"]


def play_greedily(game: Game, seed: int = 0) -> None:
    """Play a game to its end with greedy bots."""
    bots = {name: make_bot("greedy", seed=seed + i) for i, name in enumerate(game.players)}
    outcome = play_out(game, bots)
    assert outcome.verdict == "normal", outcome.message
    assert game.is_over


def check_scores(game: Game) -> None:
    """The score events of each player add up to the score."""
    sums = dict.fromkeys(game.players, 0)
    for event in game.events:
        if isinstance(event, Score):
            sums[event.player] += event.points
    assert sums == game.scores


def answer(
    given: dict[str, Any], moves: Sequence[str] = (), *, seed: int = 0, **options: object
) -> str:
    """What the bot does in a position after some moves."""
    game = from_position(DUEL, given, rules=Rules.preset("first_edition", **options))
    for move in moves:
        game.play(move)
    return str(make_bot("greedy", seed=seed).choose(game))


# ------------------------------------------------------------------------------ whole games


@pytest.mark.parametrize("players", range(1, 7))
@pytest.mark.parametrize("seed", range(2))
def test_games_of_any_number_of_players_end(players: int, seed: int) -> None:
    game = Game.new(NAMES[:players], seed=seed)
    play_greedily(game)
    check_scores(game)


@pytest.mark.parametrize(
    ("players", "options"),
    [
        (2, {"bazaar_mode": "draft"}),
        (5, {"bazaar_mode": "draft", "bazaar_unplaceable": "lose_turn"}),
        (3, {"bazaar_mode": "off", "bridges_per_player": 0, "castles_per_player": 0}),
        (2, {"bazaar_allow_negative": False}),
        (4, {"bazaar_max_bid": 0}),
        (3, {"bazaar_max_bid": 3, "bazaar_allow_negative": False}),
        (2, {"farmers": False, "bridge_decline_discards": False}),
        (2, {"inns_enabled": True, "tiny_city_points": 4, "castle_follower_rule": "sole_majority"}),
        (3, {"bridge_max_per_tile": 2, "bridge_adjacent_mode": "placed_only"}),
        (4, {"bazaar_skip_if_short": False, "bazaar_on_set_aside": True}),
        (2, {"bridges_per_player": 9, "castles_per_player": 9, "castle_same_turn": True}),
        (2, {"bridge_requires_road_contact": True, "castle_chooser": "active_player_only"}),
        (2, {"road_count_mode": "segments", "castle_multi_choice": "max"}),
    ],
)
def test_games_under_any_option_end(players: int, options: dict[str, object]) -> None:
    rules = Rules.preset("new_edition", **options)
    game = Game.new(NAMES[:players], seed=players, rules=rules)
    play_greedily(game)
    check_scores(game)


def test_games_of_the_base_set_alone_and_of_doubled_sets_end() -> None:
    for sets in (["base"], ["bridges_castles_bazaars", "base*2"]):
        game = Game.new(DUEL, seed=4, tile_sets=sets)
        play_greedily(game)
        check_scores(game)


def test_the_same_seed_plays_the_same_game() -> None:
    first, second = (Game.new(DUEL, seed=9) for _ in range(2))
    play_greedily(first, seed=1)
    play_greedily(second, seed=1)
    assert first.moves == second.moves


def test_choosing_leaves_the_game_as_it_was() -> None:
    game = Game.new(["A", "B", "C"], seed=5)
    bots = {name: make_bot("greedy") for name in game.players}
    while (decision := game.decision) is not None:
        before = game.fingerprint()
        move = bots[decision.player].choose(game)
        assert game.fingerprint() == before
        assert move in game.legal_moves()
        game.play(move)


def test_the_order_of_the_stack_changes_nothing_about_a_choice() -> None:
    """The bot cannot know what comes next: on a reshuffled game it does the same."""
    game = Game.new(DUEL, seed=6)
    rng = random.Random(1)
    bot = make_bot("greedy", seed=2)
    while game.decision is not None:
        move = bot.choose(game)
        assert make_bot("greedy", seed=2).choose(game.shuffled(rng)) == move
        game.play(move)


def test_a_fresh_bot_goes_on_from_any_half_done_turn() -> None:
    """Saved and loaded at every decision, the game goes on just as without (BUG-B-73)."""
    game = Game.new(DUEL, seed=7)
    play_greedily(game)
    assert any(isinstance(event, MarketOpened) for event in game.events)
    kinds = set()
    twin = Game.new(DUEL, seed=7)
    for number, move in enumerate(game.moves):
        assert twin.decision is not None
        kind, player = twin.decision.kind, twin.decision.player
        if kind != "place" or number % 10 == 0:
            twin = game_from_text(record_text(twin))
            fresh = make_bot("greedy", seed=DUEL.index(player))
            assert fresh.choose(twin) == move
            kinds.add(kind)
        twin.play(move)
    assert {"place", "meeple", "choose", "bid", "deal"} <= kinds
    assert twin.scores == game.scores


def test_a_bot_that_has_seen_other_games_plays_as_a_fresh_one_does() -> None:
    """Nothing that a bot remembers of a copy that was played on changes what it does."""
    game = Game.new(DUEL, seed=7)
    bot = make_bot("greedy", seed=3)
    while game.decision is not None:
        move = bot.choose(game)
        assert move == make_bot("greedy", seed=3).choose(game)
        if game.decision.kind == "choose":
            twin = game.copy()
            for _ in range(12):
                if twin.decision is not None:
                    twin.play(bot.choose(twin))
        game.play(move)


def test_it_beats_the_random_bot() -> None:
    """In twelve games, without auctions that a random bot throws points away in."""
    wins = 0
    for seed in range(12):
        game = Game.new(DUEL, seed=seed, rules=Rules.preset("first_edition", bazaar_mode="off"))
        seat = seed % 2
        bots = [make_bot("random", seed=seed), make_bot("random", seed=seed)]
        bots[seat] = make_bot("greedy", seed=seed)
        outcome = play_out(game, bots)
        wins += outcome.winners == (DUEL[seat],)
    assert wins >= 11


# ------------------------------------------------------------------------------ single choices


@pytest.mark.parametrize("seed", range(20))
def test_it_does_not_finish_a_rival_s_road_for_nothing(seed: int) -> None:
    """B's road of four tiles lacks one; A's own road can grow elsewhere (BUG-B-74)."""
    given = {
        "tiles": [
            "BA/LR -3,0 r270", "BA/RFr -2,0 r0", "BA/RFr -1,0 r0", "BA/RCr 0,0 r0",
            "BA/LR 2,0 r90",
            "BA/RFr 0,5 r0", "BA/RFr 1,5 r0",
        ],
        "meeples": ["B -3,0 road.E", "A 0,5 road.E"],
        "stack": ["BA/RFr", "BA/RFr", "BA/RFr", "BA/RFr"],
    }  # fmt: skip
    move = answer(given, seed=seed)
    assert not move.startswith("place BA/RFr 1,0 ")


def test_it_finishes_its_own_road() -> None:
    """The same road, when it is A's own."""
    given = {
        "tiles": ["BA/LR -1,0 r270", "BA/RCr 0,0 r0", "BA/LR 2,0 r90"],
        "meeples": ["A -1,0 road.E"],
        "supply": {"A": {"bridges": 0}},
        "stack": ["BA/RFr", "BA/RFr", "BA/RFr", "BA/RFr"],
    }
    assert answer(given) == "place BA/RFr 1,0 r0"


def test_it_keeps_its_last_meeple_from_a_poor_place() -> None:
    """Early in a game the last meeple is worth more than an open road of one tile."""
    given = {
        "tiles": ["BA/RCr 0,0 r0"],
        "supply": {"A": {"meeples": 1, "bridges": 0}},
        "stack": ["BA/RFr", *["BA/Rr"] * 60],
    }
    assert answer(given, ["place BA/RFr 0,1 r0"]) == "pass"


def test_it_spends_its_last_meeple_on_the_last_turn() -> None:
    given = {
        "tiles": ["BA/RCr 0,0 r0"],
        "supply": {"A": {"meeples": 1, "bridges": 0}},
        "stack": ["BA/RFr"],
    }
    assert answer(given, ["place BA/RFr 0,1 r0"]) == "meeple road.E"


def test_it_builds_a_bridge_that_pays() -> None:
    """With a bridge on the last tile its road of three tiles counts four and is complete."""
    given = {
        "tiles": ["BA/LR -1,0 r270", "BA/RCr 0,0 r0", "BA/LR 2,0 r90"],
        "meeples": ["A -1,0 road.E"],
        "stack": ["BA/L"],
    }
    assert answer(given) == "place BA/L 1,0 r0 bridge 1,0 EW"


def test_it_saves_its_bridges_for_better_than_a_free_road() -> None:
    given = {"tiles": ["BA/RCr 0,0 r0"], "stack": ["BA/L", *["BA/Rr"] * 60]}
    assert answer(given, ["place BA/L 0,1 r0"]) == "pass"


SMALL_CITY = {"tiles": ["BA/RCr 0,0 r0"], "meeples": ["A 0,0 city.N"]}


def test_it_builds_a_castle_while_there_is_time_for_it_to_pay() -> None:
    given = {**SMALL_CITY, "stack": ["BA/C", *["BA/Rr"] * 60]}
    answered = answer(given, ["place BA/C 0,-1 r180", "pass", "pass"])
    assert answered == "castle 0,-1 city.S"


def test_it_takes_the_points_of_a_small_city_at_the_end() -> None:
    given = {**SMALL_CITY, "stack": ["BA/C"]}
    assert answer(given, ["place BA/C 0,-1 r180", "pass", "pass"]) == "pass"


def test_it_collects_the_best_payout() -> None:
    """One tile completes roads of two and of three tiles beside A's castle."""
    given = {
        "tiles": [
            "BA/C 0,0 r0", "BA/C 0,-1 r180", "BA/LR 2,0 r90", "BA/RFr 1,1 r90", "BA/LR 1,2 r180",
        ],
        "castles": ["A 0,0 city.N"],
        "supply": {"A": {"bridges": 0, "meeples": 0}},
        "stack": ["BA/RRR", "BA/L"],
    }  # fmt: skip
    game = from_position(DUEL, given)
    game.play("place BA/RRR 1,0 r270")
    assert [str(move) for move in game.legal_moves()] == [
        "collect 1,0 road.E",
        "collect 1,0 road.S",
    ]
    assert str(make_bot("greedy").choose(game)) == "collect 1,0 road.S"


# ------------------------------------------------------------------------------ the bazaar


def market(first: str, second: str) -> Game:
    """A duel with a bazaar open on two tiles, B to choose."""
    stack = ["BB/F.b", first, second, *["BA/L"] * 20]
    game = from_position(DUEL, {"tiles": ["BA/L 0,0 r0", "BA/L 1,0 r0"], "stack": stack})
    bot = make_bot("greedy")
    while game.decision is not None and game.decision.kind != "choose":
        game.play(bot.choose(game))
    return game


def test_it_chooses_the_better_tile_and_opens_low() -> None:
    """A cloister on an open meadow is worth more than a road tile that fits nowhere."""
    assert str(make_bot("greedy").choose(market("BA/Cccc+", "BA/L"))) == "choose 2 bid 0"
    assert str(make_bot("greedy").choose(market("BA/L", "BA/Cccc+"))) == "choose 1 bid 0"


def test_it_bids_for_what_is_worth_having_and_not_for_what_is_not() -> None:
    game = market("BA/Cccc+", "BA/L")
    game.play(Choose(2, 0))
    assert isinstance(make_bot("greedy").choose(game), Bid)
    game = market("BA/Cccc+", "BA/L")
    game.play(Choose(1, 0))
    assert str(make_bot("greedy").choose(game)) == "pass"


def test_it_does_not_bid_more_than_a_tile_is_worth() -> None:
    game = market("BA/Cccc+", "BA/L")
    game.play(Choose(2, 15))
    assert str(make_bot("greedy").choose(game)) == "pass"


@pytest.mark.parametrize(("price", "deal"), [(1, "buy"), (12, "sell")])
def test_it_buys_cheap_and_sells_dear(price: int, deal: str) -> None:
    game = market("BA/Cccc+", "BA/L")
    game.play(Choose(2, 0))
    game.play(Bid(price))
    assert str(make_bot("greedy").choose(game)) == deal


def test_games_use_all_that_the_expansion_adds() -> None:
    """Over a few games there are bridges, castles, bids, purchases and sales."""
    seen: set[str] = set()
    kinds: set[type] = set()
    for seed in range(4):
        game = Game.new(DUEL, seed=seed)
        play_greedily(game, seed=seed)
        seen |= {str(move).split(" ", maxsplit=1)[0] for move in game.moves}
        kinds |= {type(event) for event in game.events}
        assert any(isinstance(move, Place) and move.bridge for move in game.moves)
    assert {"bid", "buy", "sell", "choose", "castle"} <= seen
    assert {BridgeBuilt, CastleBuilt, TilePlaced} <= kinds


def test_the_soak_finds_nothing_wrong_with_a_game() -> None:
    """`python -m tests.soak` plays thousands of games like this one."""
    result = play_one((3, 3))
    assert result.error == ""
    assert result.counts["TilePlaced"] > 70
