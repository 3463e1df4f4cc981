"""The rules desk: refusals in sentences, positions with all that they hold, points that add up."""

from __future__ import annotations

import json
import random
import time

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carcassonne import Game
from carcassonne.errors import InvalidMove, PositionError
from carcassonne.explain import explain_game, explain_move, explain_position, explain_turn
from carcassonne.playtest.near_moves import garbage
from carcassonne.playtest.steering import steered
from carcassonne.position import from_position
from carcassonne.rule_register import is_rule
from carcassonne.rules import Rules
from tests.strategies import castle_yard, examples, random_setup


def table(
    tiles: list[str], stack: list[str], *, rules: Rules | None = None, **more: object
) -> Game:
    return from_position(["A", "B"], {"tiles": tiles, "stack": stack, **more}, rules=rules)


# ------------------------------------------------------------------------------ moves


def test_a_refusal_names_cells_edges_and_pieces() -> None:
    """The bridge is to blame, the tile shows something else, and a bridge would mend it."""
    game = table(["BA/LR 1,0 r0"], ["BA/L", "BA/L"], bridges=["1,0 EW"])
    explained = explain_move(game, "place BA/L 2,0 r0")
    assert not explained.legal
    said = [f"{reason.message} ({reason.rule})" for reason in explained.violations]
    assert (
        "the west edge of 2,0 is road because of the bridge on 1,0; BA/L shows field there "
        "(R-BRIDGE-6)"
    ) in said
    assert [reason.rule for reason in explained.violations] == [
        "R-BASE-5",
        "R-BRIDGE-6",
        "R-BRIDGE-8",
    ]
    for reason in explained.violations:
        assert "2,0" in reason.message


def test_who_has_no_bridge_left_and_who_would_need_two_is_told_where() -> None:
    """R-BRIDGE-9 and R-BRIDGE-10 name the places."""
    game = table(
        ["BA/LR 0,0 r270", "BA/LR 1,1 r180"],
        ["BA/L", "BA/L"],
        supply={"A": {"bridges": 0}},
    )
    rules = {r.rule: r.message for r in explain_move(game, "place BA/L 1,0 r0").violations}
    assert "1,0 NS and 1,0 EW" in rules["R-BRIDGE-9"]
    assert rules["R-BRIDGE-10"].startswith("a bridge on 1,0 NS and 1,0 EW would be needed")


def test_a_legal_move_says_what_follows_but_not_what_is_drawn_next() -> None:
    game = table(["BA/C 0,0 r0"], ["BA/C", "BA/L"], meeples=["B 0,0 city.N"])
    explained = explain_move(game, "place BA/C 0,-1 r180")
    assert explained.legal
    assert explained.violations == ()
    passed = explain_move(game, "place E 0,-1 r180")
    assert passed.legal
    before = game.fingerprint()
    game.play("place E 0,-1 r180")
    game.play("pass")  # no free bridge
    game.play("pass")  # no meeple
    castle = explain_move(game, "pass")
    assert any(text.startswith("B +2 city") for text in castle.follows)
    assert not any("draws" in text for text in castle.follows)
    game.undo(3)
    assert game.fingerprint() == before


def test_open_optional_decisions_are_passed_and_said_so() -> None:
    """A placement of the next turn is judged after the meeple decision is passed."""
    game = table(["BA/L 0,0 r0"], ["BA/L", "BA/L", "BA/L"])
    game.play("place BA/L 1,0 r0")
    explained = explain_move(game, "place BA/L 2,0 r0")
    assert explained.legal
    assert explained.passed == ("A's bridge", "A's meeple")
    assert (explained.player, explained.decision) == ("B", "place")
    refused = explain_move(game, "meeple road.N")
    assert [reason.rule for reason in refused.violations] == ["R-BASE-8"]
    assert "has no road.N" in refused.violations[0].message


def broken(game: Game, move: str) -> set[str]:
    return {reason.rule for reason in explain_move(game, move).violations}


def test_a_bridge_named_with_a_placement_is_judged_wherever_it_is_said_to_stand() -> None:
    """Not needed, on the taken cell's own tile, beside it, far away: ends and supply all count."""
    game = table(
        ["BA/LR 0,0 r0", "BA/L 0,-1 r0", "BA/C 1,-1 r90"], ["BA/L", "BA/L"], bridges=["0,0 EW"]
    )
    taken = broken(game, "place BA/L 0,0 r0 bridge 0,0 NS")
    assert {"R-BASE-5", "R-BRIDGE-18", "R-BRIDGE-5"} <= taken
    beside = broken(game, "place BA/L 0,-1 r0 bridge 1,-1 EW")
    assert {"R-BASE-5", "R-BRIDGE-5"} <= beside
    spare = broken(game, "place BA/L 0,-2 r0 bridge 0,0 EW")
    assert {"R-BRIDGE-3", "R-BRIDGE-18", "R-BRIDGE-24", "R-BRIDGE-8"} <= spare
    nowhere = explain_move(game, "place BA/L 0,-2 r0 bridge 0,-3 NS").violations
    assert any("0,-3 holds no tile" in reason.message for reason in nowhere)


@pytest.mark.parametrize(
    ("tiles", "said"),
    [
        (["BA/LR 0,0 r0", "BA/L 1,0 r0"], "given.bridges: the W edge of 1,0 is road because"),
        (["BA/LR 0,0 r0", "BA/L -1,0 r0"], "given.bridges: the E edge of -1,0 is road because"),
    ],
)
def test_a_bridge_that_makes_a_given_position_clash_is_blamed(tiles: list[str], said: str) -> None:
    with pytest.raises(PositionError) as error:
        table(tiles, ["BA/L"], bridges=["0,0 EW"])
    assert str(error.value).startswith(said)
    assert "of the bridge on 0,0; BA/L shows field there (R-BRIDGE-6)" in str(error.value)


def test_a_city_completed_long_ago_is_no_castle_for_that_reason_too() -> None:
    game = table(
        ["BA/C 0,0 r0", "BA/C 0,-1 r180", "BA/C 1,0 r0"], ["BA/C", "BA/L"], meeples=["A 1,0 city.N"]
    )
    game.play("place BA/C 1,-1 r180")
    while game.decision is not None and game.decision.kind != "castle":
        game.play("pass")
    assert broken(game, "castle 0,0 city.N") == {"R-CASTLE-2", "R-CASTLE-6"}
    assert broken(game, "castle 1,0 city.N") == set()


def test_bids_and_castle_payments_at_the_wrong_decision_are_judged_on() -> None:
    """The clash with the open decision comes first; what else is wrong is told as well."""
    game = table(["BA/L 0,0 r0"], ["BB/F.b", "BA/L", "BA/L", "BA/L"], rules=Rules(bazaar_max_bid=5))
    assert broken(game, "collect 0,0 cloister") == {"R-CASTLE-21", "R-CASTLE-15"}
    assert broken(game, "collect 5,5 road.N") == {"R-CASTLE-21", "R-CASTLE-16"}
    assert broken(game, "bid 9") == {"R-BAZAAR-8", "R-BAZAAR-4", "R-BAZAAR-18"}
    game.play("place BB/F.b 1,0 r0")
    while game.decision is not None and game.decision.kind != "choose":
        game.play("pass")
    assert broken(game, "bid 9") == {"R-BAZAAR-8", "R-BAZAAR-7", "R-BAZAAR-18"}
    game.play("choose 1 bid 3")
    assert broken(game, "choose 7 bid 2") == {"R-BAZAAR-7"}
    assert broken(game, "bid 3") == {"R-BAZAAR-9"}


def test_what_is_no_move_is_an_error() -> None:
    with pytest.raises(InvalidMove):
        explain_move(Game.new(["A", "B"]), "jump")


@settings(max_examples=examples(15))
@given(seed=st.integers(0, 100_000))
def test_every_move_is_judged_as_the_game_judges_it(seed: int) -> None:
    """Legal moves are legal; any other has reasons with known rules; nothing is changed."""
    rng = random.Random(seed)
    game = random_setup(rng, stack_size=10).game()
    while not game.is_over:
        before = game.fingerprint()
        for _ in range(4):
            move = garbage(rng, game)
            explained = explain_move(game, str(move))
            if not game.why_not(move):
                assert explained.legal
                assert explained.passed == ()
            if not explained.legal:
                assert explained.violations
                for reason in explained.violations:
                    assert is_rule(reason.rule)
                    assert reason.message == reason.message.strip() != ""
        assert game.fingerprint() == before
        game.play(steered(rng, game))


# ------------------------------------------------------------------------------ positions


def test_a_position_holds_every_feature_with_its_worth() -> None:
    """A city that two share, a farm, and a free road."""
    game = table(
        ["BA/RCr 0,0 r0", "BA/Ccc+ 0,-1 r180", "BA/C 1,-1 r270"],
        ["BA/L", "BA/L"],
        meeples=["A 0,0 city.N", "B 0,-1 city.S", "A 0,0 road.E", "B 0,0 field.SL"],
    )
    explained = explain_position(game)
    city = next(f for f in explained.features if f.kind == "city")
    assert (city.at, city.tiles, city.pennants) == ("0,-1 city.E", 3, 1)
    assert city.meeples == {"A": 1, "B": 1}
    assert city.majority == ("A", "B")
    assert city.needs == ("-1,-1",)
    assert (city.now.points, city.now.rule, city.at_end.points) == (4, "R-BASE-21", 4)
    assert city.completed is not None
    assert (city.completed.points, city.completed.rule) == (8, "R-BASE-14")
    assert [item.points for item in city.completed.items] == [6, 2]
    assert city.dead == ("-1,-1",)
    road = next(f for f in explained.features if f.kind == "road")
    assert (road.majority, road.open, road.needs) == (("A",), 2, ("-1,0", "1,0"))
    free = next(f for f in explained.features if f.kind == "field" and not f.meeples)
    assert free.at_end.points == 0
    assert free.completed is None
    assert explained.player == "A"
    assert explained.decision == "place"
    assert len(explained.legal_moves) == len(game.legal_moves())


def test_a_castle_says_what_could_still_pay_it() -> None:
    """Roads, cities and cloisters with a tile in its six cells, and castles beside it."""
    game = table(
        [
            "BA/C 0,0 r0", "BA/C 0,-1 r180", "BA/L 1,0 r0", "BA/LR 1,-1 r180", "BA/C -1,-1 r270",
            "BA/L 0,1 r0", "BA/C -1,0 r270",
        ],
        ["BA/L", "BA/LR", "BA/C"],
        castles=["A 0,0 city.N"],
    )  # fmt: skip
    castle = explain_position(game).castles[0]
    assert castle.vicinity == ("-1,-1", "0,-1", "1,-1", "-1,0", "0,0", "1,0")
    assert castle.empty_cells == ()
    found = {(payer.kind, payer.at, payer.rule) for payer in castle.payers}
    assert ("cloister", "1,0 cloister", "R-CASTLE-17") in found
    assert ("city", "-1,-1 city.W", "R-CASTLE-16") in found
    assert not any(at == "0,1 cloister" for _, at, _ in found), "its own cell must be among the six"
    assert all(kind in ("road", "city", "cloister") for kind, _, _ in found)


def test_a_neighbour_castle_can_pay_and_a_paid_one_waits_for_nothing() -> None:
    game = table(
        ["BA/C 0,0 r0", "BA/C 0,-1 r180", "BA/C 1,0 r0", "BA/C 1,-1 r180"],
        ["BA/L", "BA/L"],
        castles=["A 0,0 city.N", "B 1,0 city.N"],
    )
    one, other = explain_position(game).castles
    assert [(p.kind, p.at, p.rule) for p in one.payers] == [("castle", other.at, "R-CASTLE-25")]
    paid = table(["BA/C 0,0 r0", "BA/C 0,-1 r180", "BA/L 1,0 r0"], ["BA/L"], castles=["0,0 city.N"])
    (castle,) = explain_position(paid).castles
    assert (castle.owner, castle.occupied, castle.payers) == ("", False, ())


def settling_yard() -> Game:
    """A castle of A beside a road and a city that one tile finishes; small cities elsewhere."""
    game = table(
        ["BA/RCr 0,0 r0", "BA/C 0,-1 r180", "BA/RRR -1,0 r0", "BA/CFc.1 2,0 r0", "BA/C 3,0 r270"],
        ["BB/CFR!", "BA/L"],
        castles=["A 0,0 city.N"],
        meeples=["B 2,0 city.E"],
    )
    game.play("place BB/CFR! 1,0 r180")
    return game


def test_a_castle_takes_what_is_finished_now_and_nothing_later() -> None:
    """At every decision of the turn that finishes something, down to the castle's own choice."""
    game = settling_yard()
    kinds = []
    while game.decision is not None and game.decision.kind != "place":
        kinds.append(game.decision.kind)
        (castle,) = explain_position(game).castles
        assert castle.state == "waiting"
        found = {(p.at, p.points) for p in castle.payers}
        assert found == {("-1,0 road.E", 3), ("1,0 city.E", 6)}
        assert all(p.needs == () and p.rule == "R-CASTLE-16" for p in castle.payers)
        if game.decision.kind == "collect":
            assert {f"collect {at}" for at, _ in found} == set(map(str, game.legal_moves()))
            game.play("collect 1,0 city.E")
        else:
            game.play("pass")
    assert kinds == ["bridge", "meeple", "collect"]
    (castle,) = explain_position(game).castles
    assert (castle.occupied, castle.state) == (False, "paid")


def test_a_small_city_pays_a_castle_nearby_only_if_it_stays_a_city() -> None:
    """R-CASTLE-11: until its owner has decided it is not sure, and later payers are named too."""
    game = table(
        ["BA/C 0,0 r0", "BA/C 0,-1 r180", "BA/C 1,0 r0", "BA/C -1,-1 r270"],
        ["BA/C", "BA/L"],
        castles=["A 0,0 city.N"],
        meeples=["B 1,0 city.N"],
    )
    game.play("place BA/C 1,-1 r180")
    while game.decision is not None and game.decision.kind != "castle":
        game.play("pass")
    payers = {p.at: p for p in explain_position(game).castles[0].payers}
    assert (payers["1,-1 city.S"].rule, payers["1,-1 city.S"].points) == ("R-CASTLE-11", 2)
    assert payers["-1,-1 city.W"].points is None


def test_a_castle_unpaid_at_the_end_was_never_paid_and_a_barn_is_no_free_field() -> None:
    """R-CASTLE-31 and R-CASTLE-33, before the end and after it."""
    game = table(
        ["BA/RCr 0,0 r0", "BA/C 0,-1 r180"],
        ["BA/L"],
        castles=["B 0,0 city.N"],
        barns=["A 0,-1 field.NL"],
    )
    before = explain_position(game)
    field = next(f for f in before.features if f.barns)
    assert (field.kind, field.barns, field.majority) == ("field", {"A": 1}, ("A",))
    assert field.at_end.points == 5
    assert before.castles[0].state == "waiting"
    game.stop()
    after = explain_position(game)
    assert [c.state for c in after.castles] == ["never_paid"]
    assert game.scores["A"] == 5


@settings(max_examples=examples(15))
@given(seed=st.integers(0, 100_000))
def test_positions_agree_with_the_model(seed: int) -> None:
    """Every feature once; items add up; what is paid at the end is what the end pays."""
    rng = random.Random(seed)
    game = (castle_yard(rng) if seed % 3 == 0 else random_setup(rng, stack_size=12)).game()
    for _ in range(rng.randrange(30)):
        if not game.is_over:
            game.play(steered(rng, game))
    explained = explain_position(game)
    assert len(explained.features) == len(game.features())
    for feature in explained.features:
        view = game.feature(feature.at)
        assert feature.now.points == view.points
        for value in (feature.now, feature.completed, feature.at_end):
            if value is not None and value.items:
                assert sum(item.points for item in value.items) == value.points
        if view.complete and feature.completed is not None:
            assert feature.completed == feature.now
    json.dumps(msgspec.to_builtins(explained))
    decision = game.decision
    if decision is None or decision.kind != "place":
        return
    before = game.scores
    expected = dict(before)
    for feature in explained.features:
        for name in feature.majority:
            expected[name] += feature.at_end.points
    pigs = bool((game.given or {}).get("pigs"))
    game.stop()
    assert pigs or game.scores == expected


# ------------------------------------------------------------------------------ points


@settings(max_examples=examples(25))
@given(seed=st.integers(0, 100_000))
def test_every_point_is_explained_and_they_add_up(seed: int) -> None:
    """Turn by turn, at any move: start, items and totals lead to the scores."""
    rng = random.Random(seed)
    size = rng.choice([0, 14])
    game = (castle_yard(rng) if seed % 3 == 0 else random_setup(rng, stack_size=size)).game()
    while not game.is_over:
        game.play(steered(rng, game))
        if rng.random() < 0.1 or game.is_over:
            check_sums(game)


def check_sums(game: Game) -> None:
    explained = explain_game(game)
    assert explained.scores == game.scores
    totals = dict(explained.start)
    for turn in explained.turns:
        assert turn.before == totals
        for line in turn.scores:
            totals[line.player] += line.points
            assert line.total == totals[line.player]
            assert sum(item.points for item in line.items) == line.points
            assert is_rule(line.rule)
            assert all(is_rule(item.rule) for item in line.items)
        assert turn.after == totals
    assert totals == game.scores
    numbers = [turn.number for turn in explained.turns]
    ordinary = [number for number in numbers if number]
    assert ordinary == list(range(1, len(ordinary) + 1))
    assert numbers.count(0) <= 1
    assert not game.is_over or numbers[-1:] == [0]


def test_a_turn_is_that_of_the_last_tile() -> None:
    """The next tile drawn begins no turn of its own; an auction belongs to its market's turn."""
    game = table(
        ["BA/C 0,0 r0"], ["BA/C", "BB/F.b", "BA/L", "BA/L", "BA/L"], meeples=["A 0,0 city.N"]
    )
    assert explain_turn(game) is None
    game.play("place BA/C 0,-1 r180")
    game.play("pass")
    game.play("pass")
    game.play("pass")
    turn = explain_turn(game)
    assert turn is not None
    assert (turn.number, turn.player) == (1, "A")
    assert [(s.player, s.points, s.rule) for s in turn.scores] == [("A", 2, "R-BASE-26")]
    game.play("place BB/F.b 1,0 r0")
    while game.decision is not None and game.decision.kind in ("bridge", "meeple"):
        game.play("pass")
    game.play("choose 1 bid 3")
    game.play("pass")
    turn = explain_turn(game)
    assert turn is not None
    assert (turn.number, turn.player) == (2, "B")
    assert [(s.player, s.points, s.rule) for s in turn.scores] == [("A", -3, "R-BAZAAR-12")]
    assert explain_turn(game, 1) == explain_game(game).turns[0]
    assert explain_turn(game, 9) is None


def test_a_full_board_is_explained_in_a_moment() -> None:
    """84 tiles: all features, all points, in far less than a second."""
    game = Game.new(["A", "B", "C"], seed=8)
    rng = random.Random(8)
    while not game.is_over:
        game.play(steered(rng, game))
    game.undo()
    start = time.perf_counter()
    explained = explain_position(game)
    explain_game(game)
    for _ in range(10):
        explain_move(game, "place BA/L 0,0 r0")
    assert time.perf_counter() - start < 1.5
    assert len(explained.features) > 50
