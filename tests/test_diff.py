"""The first difference of two games is named by what it is, and equal games have none."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carcassonne import Game, Rules
from carcassonne.diff import all_differences, first_difference, state_facts
from carcassonne.playtest.near_moves import aliases
from carcassonne.playtest.steering import steered
from carcassonne.position import from_position
from carcassonne.record import game_from_record, record_of
from tests.strategies import examples, random_setup, to_json

BASE: dict[str, Any] = {
    "tiles": ["BA/RFr 0,0 r0", "BA/C 3,0 r0", "BA/C 3,-1 r180"],
    "stack": ["BA/L", "BA/LR", "BA/L"],
}


def position(rules: Rules | None = None, **more: Any) -> Game:
    return from_position(["A", "B"], {**BASE, **more}, rules=rules)


@settings(max_examples=examples(20))
@given(seed=st.integers(0, 100_000))
def test_equal_games_have_no_difference(seed: int) -> None:
    """A copy, a record that was saved and loaded, and other names of the same moves are equal."""
    rng = random.Random(seed)
    setup = random_setup(rng, stack_size=12)
    one, other = setup.game(), setup.game()
    while not one.is_over:
        move = steered(rng, one)
        alias = aliases(rng, one, move)
        one.play(move)
        other.play(alias)
    assert first_difference(one, one.copy()) is None
    assert first_difference(one, game_from_record(to_json(record_of(one)))) is None
    difference = first_difference(one, other)
    assert difference is None, difference


@settings(max_examples=examples(20))
@given(seed=st.integers(0, 100_000))
def test_the_first_other_move_is_named(seed: int) -> None:
    """Two games of the same stack part at the move in which they part."""
    rng = random.Random(seed)
    game = random_setup(rng, stack_size=12).game()
    while not game.is_over and (len(game.moves) < 5 or len(game.legal_moves()) < 2):
        game.play(steered(rng, game))
    if game.is_over:
        return
    other = game.copy()
    first, second = rng.sample(list(game.legal_moves()), 2)
    game.play(first)
    other.play(second)
    difference = first_difference(game, other)
    assert difference is not None
    assert difference.key == f"move {len(game.moves)}"
    assert (difference.first, difference.second) == (str(first), str(second))


DIFFERENT: dict[str, tuple[Game, Game]] = {
    "rules tiny_city_points": (position(), position(Rules(tiny_city_points=4))),
    "players": (Game.new(["A", "B"]), Game.new(["A", "C"])),
    "tile set bridges_castles_bazaars": (
        Game.new(["A", "B"]),
        Game.new(["A", "B"], tile_sets=["base"]),
    ),
    "count of BA/L": (Game.new(["A", "B"]), Game.new(["A", "B"], tile_counts={"BA/L": 1})),
    "stack, tile 1": (Game.new(["A", "B"], seed=1), Game.new(["A", "B"], seed=2)),
    "tile on 0,1": (position(), position(tiles=[*BASE["tiles"], "BA/L 0,1 r0"])),
    "tile on 0,0": (position(), position(tiles=["BA/RFr 0,0 r90", *BASE["tiles"][1:]])),
    "bridge on 0,0": (position(), position(bridges=["0,0 NS"])),
    "meeples on 0,0 road.E": (position(), position(meeples=["A 0,0 road.E"])),
    "castle 1": (position(castles=["A 3,0 city.N"]), position(castles=["B 3,0 city.N"])),
    "pigs A 0,0 field.NL": (position(pigs=["A 0,0 field.NL"]), position()),
    "score of B": (position(scores={"B": 3}), position()),
    "bridges of A": (position(supply={"A": {"bridges": 1}}), position()),
    "rest of the stack, entry 1": (position(), position(stack=["BA/L", "BA/L", "BA/LR"])),
    "whose turn": (position(active="B"), position()),
}


@pytest.mark.parametrize("key", DIFFERENT)
def test_each_kind_of_difference_has_its_name(key: str) -> None:
    one, other = DIFFERENT[key]
    found = list(all_differences(one, other))
    assert key in [difference.key for difference in found]
    mirrored = list(all_differences(other, one))
    assert [d.key for d in mirrored if d.key == key] == [key]
    difference = next(d for d in found if d.key == key)
    assert difference.first != difference.second
    assert str(difference).startswith(f"{key}: ")


def test_the_first_difference_is_the_most_telling() -> None:
    """Rules before players before the stack before the table."""
    one = Game.new(["A", "B"], seed=1)
    other = Game.new(["A", "C"], seed=2, rules=Rules(farmers=False))
    keys = [difference.key for difference in all_differences(one, other)]
    assert keys[0] == "rules farmers"
    assert keys.index("players") < keys.index("stack, tile 1") < keys.index("score of B")


def test_long_lists_are_not_printed_whole() -> None:
    """Of the rest of the stack, or of legal moves, only the first entry that differs is named."""
    for difference in all_differences(*DIFFERENT["rest of the stack, entry 1"]):
        assert len(difference.first) < 60


def test_a_stopped_game_differs_from_one_that_goes_on() -> None:
    one, other = Game.new(["A", "B"]), Game.new(["A", "B"])
    one.stop()
    difference = first_difference(one, other)
    assert difference is not None
    assert difference.key == "end"
    assert "decision" in state_facts(one)
