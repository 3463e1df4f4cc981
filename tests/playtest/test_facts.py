"""The core's notes say what the model's events say, and facts add them up."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from carcassonne import Game, Rules
from carcassonne.core.dealer import Dealer
from carcassonne.core.game import CoreGame
from carcassonne.events import (
    BridgeBuilt,
    CastleBuilt,
    Score,
    TileChosen,
    TileDrawn,
    TilePlaced,
    TileSetAside,
    TileTaken,
)
from carcassonne.moves import Place
from carcassonne.playtest.facts import KINDS, Facts
from carcassonne.playtest.measures import measures_for, take
from carcassonne.selftest import _steered
from carcassonne.tile_types import FEATURE_KINDS

AT_THE_END = ("R-BASE-21", "R-BASE-22", "R-CASTLE-31")
"""The rules by which features pay at the end of the game."""

RULES = {
    "first": Rules(),
    "new": Rules.preset("new_edition"),
    "draft": Rules(bazaar_mode="draft"),
    "tight": Rules(bazaar_max_bid=3, bazaar_unplaceable="lose_turn", bridge_decline_discards=True),
    "none": Rules(bazaar_mode="off", castle_multi_choice="max", farmers=False),
}


def play_both(seed: int, players: int, rules: Rules) -> tuple[Game, Facts]:
    """A steered game on both engines: the model's game and what the core noted."""
    names = tuple("ABCDEF")[:players]
    game = Game.new(names, seed=seed, rules=rules)
    core = CoreGame.new(names, rules=rules, stack=game.stack)
    dealer = Dealer(names, rules, game.box)
    dealer.set_stack(game.stack)
    twin, happened = dealer.noted_game()
    rng = random.Random(seed)
    moves = listed = 0
    while not core.is_over:
        numbers = core.move_numbers()
        number = _steered(core, numbers, rng)
        listed += len(numbers)
        moves += 1
        game.play(core.decode(number))
        core.play_number(number)
        twin.play_number(number)
    scores = tuple(game.scores.values())
    facts = Facts(names, scores, happened, list(game.box.types), moves=moves, listed=listed)
    return game, facts


@pytest.mark.parametrize("players", [1, 2, 3, 6])
@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_notes_say_what_events_say(players: int, rules: Rules) -> None:
    for seed in range(3):
        game, facts = play_both(seed, players, rules)
        events = game.events
        seats = {name: seat for seat, name in enumerate(game.players)}
        points: Counter[tuple[str, int]] = Counter()
        for event in events:
            if isinstance(event, Score):
                points[event.feature, seats[event.player]] += event.points
        for row, kind in zip(facts.by_kind, KINDS, strict=True):
            assert row == [points[kind, seat] for seat in range(players)], kind
        for seat in range(players):
            assert facts.received[seat] - facts.paid[seat] == points["auction", seat]
            kinds = sum(row[seat] for row in facts.by_kind)
            assert kinds + facts.received[seat] - facts.paid[seat] == facts.scores[seat]
        assert facts.left == sum(facts.paid) - sum(facts.received)
        assert facts.bridges == sum(isinstance(event, BridgeBuilt) for event in events)
        forced = sum(isinstance(move, Place) and move.bridge is not None for move in game.moves)
        assert facts.forced_bridges == forced
        assert len(facts.castles) == sum(isinstance(event, CastleBuilt) for event in events)
        aside = [event for event in events if isinstance(event, TileSetAside)]
        assert facts.declined == sum(event.rule == "R-BRIDGE-11" for event in aside)
        assert facts.unplaceable == len(aside) - facts.declined
        assert (
            facts.turns == sum(isinstance(event, TilePlaced) for event in events) + facts.declined
        )
        assert sum(facts.puts) == sum(str(move).startswith("meeple") for move in game.moves)
        check_auctions(game, facts)


def check_auctions(game: Game, facts: Facts) -> None:
    """Each tile of an auction once, with its price and what its buyer scored with it."""
    taken: list[dict[str, Any]] = []
    opening = 0
    earner: dict[str, Any] | None = None
    waiting: dict[str, dict[str, Any]] = {}
    for event in game.events:
        if isinstance(event, TileChosen):
            opening = event.bid
        elif isinstance(event, TileTaken) and game.rules.bazaar_mode == "auction":
            taken.append({"tile": event.tile, "buyer": event.player, "price": event.price,
                          "seller": event.seller, "opening": opening, "earned": 0})  # fmt: skip
            opening = 0
            waiting[event.player] = taken[-1]
        elif isinstance(event, TilePlaced):
            earner = waiting.pop(event.player, None)
        elif isinstance(event, TileDrawn):
            earner = None
        elif (
            isinstance(event, Score)
            and earner is not None
            and event.feature != "auction"
            and event.player == earner["buyer"]
            and event.rule not in AT_THE_END
        ):
            earner["earned"] += event.points
    assert [row.tile for row in facts.auctions] == [row["tile"] for row in taken]
    for row, expected in zip(facts.auctions, taken, strict=True):
        assert game.players[row.buyer] == expected["buyer"]
        assert row.price == expected["price"]
        assert row.earned == expected["earned"]
        assert row.opening == expected["opening"] or row.how == "free"


def test_rare_things_are_among_what_is_compared() -> None:
    met: Counter[str] = Counter()
    for seed in range(12):
        _, facts = play_both(seed, 2 + seed % 3, Rules())
        met["castle"] += len(facts.castles)
        met["paid"] += sum(castle.paid is not None for castle in facts.castles)
        met["forced"] += facts.forced_bridges
        for row in facts.auctions:
            met[row.how] += 1
        for castle in facts.castles:
            if castle.paid is not None:
                assert castle.by in (*FEATURE_KINDS, "castle")
                assert castle.paid >= castle.built
    assert all(
        met[word] for word in ("castle", "paid", "forced", "free", "own bid", "bought", "sold")
    )


def test_every_measure_has_words_and_values() -> None:
    _, facts = play_both(3, 3, Rules())
    measures = measures_for(3, ["A", "B", "C"])
    values = take(measures, facts)
    for taken, value in zip(measures, values, strict=True):
        found = taken.measure
        assert found.about.endswith("."), found.name
        assert found.unit
        assert found.group
        assert value is None or value == value  # noqa: PLR0124 - no nan
    by_name = {taken.measure.name: value for taken, value in zip(measures, values, strict=True)}
    assert by_name["score"] == pytest.approx(sum(facts.scores) / 3)
    assert by_name["winning_score"] == max(facts.scores)
    assert sum(by_name[f"wins_seat_{seat}"] or 0 for seat in (1, 2, 3)) == pytest.approx(1)
    kinds = sum(value or 0 for name, value in by_name.items() if name.startswith("points_")
                and name not in {"points_auction_paid", "points_left_game"})  # fmt: skip
    assert kinds - (by_name["points_auction_paid"] or 0) == pytest.approx(by_name["score"])
