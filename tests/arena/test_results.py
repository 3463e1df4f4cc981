"""Results: places, shares, margins, and units."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carcassonne.arena.results import GameResult, leading, units
from carcassonne.errors import CarcassonneError
from tests.arena.made import pair, pairs

seat_points = st.lists(st.integers(0, 6), min_size=2, max_size=6).map(tuple)


def game(points: tuple[int, ...], culprit: int | None = None) -> GameResult:
    bots = tuple("abcdef"[: len(points)])
    return GameResult(0, 0, bots, points, "normal" if culprit is None else "crash", culprit)


def test_places_shares_and_margins_of_a_game() -> None:
    result = game((50, 70, 70, 20))
    assert result.places == (3, 1, 1, 4)
    assert result.winners == (1, 2)
    assert [result.share(seat) for seat in range(4)] == [0, 0.5, 0.5, 0]
    assert [result.margin(seat) for seat in range(4)] == [-20, 0, 0, -50]
    assert [result.outcome(seat) for seat in range(4)] == ["loss", "draw", "draw", "loss"]


def test_all_others_win_a_forfeited_game() -> None:
    result = game((50, 70, 20), culprit=1)
    assert result.forfeited
    assert result.places == (1, 3, 1)
    assert [result.outcome(seat) for seat in range(3)] == ["win", "loss", "win"]
    assert [result.share(seat) for seat in range(3)] == [0.5, 0, 0.5]
    assert game((0, 99), culprit=1).winners == (0,)


@given(seat_points, st.data())
def test_shares_add_up_to_one_game(points: tuple[int, ...], data: st.DataObject) -> None:
    culprit = data.draw(st.none() | st.integers(0, len(points) - 1))
    result = game(points, culprit)
    seats = range(len(points))
    assert sum(result.share(seat) for seat in seats) == pytest.approx(1)
    assert min(result.places) == 1
    if culprit is None:
        for seat in seats:
            assert result.places[seat] == 1 + sum(p > points[seat] for p in points)
            assert (result.margin(seat) >= 0) == (seat in result.winners)
    else:
        assert culprit not in result.winners
        assert len(result.winners) == len(points) - 1


def test_units_come_in_the_order_of_the_schedule() -> None:
    results = pairs((2, 0, 3, 1, 2))
    random.Random(3).shuffle(results)
    found = units(results)
    assert [unit.number for unit in found] == list(range(8))
    assert all([game.turn for game in unit.results] == [0, 1] for unit in found)
    assert all(unit.complete for unit in found)
    assert leading(found) == found


def test_a_gap_ends_what_leads() -> None:
    results = [game for number in (0, 1, 3) for game in pair(number, 2)]
    assert [unit.number for unit in leading(units(results))] == [0, 1]
    half = units([*pair(0, 4), pair(1, 4)[1], *pair(2, 4)])
    assert not half[1].complete
    assert [unit.number for unit in leading(half)] == [0]


@pytest.mark.parametrize(
    ("results", "words"),
    [
        ([*pair(4, 2), pair(4, 3)[0]], "unit 4, turn 0: there are two results"),
        ([GameResult(1, 2, ("a", "b"), (1, 2))], "unit 1, turn 2: a table of 2 has turns 0 to 1"),
        ([pair(0, 0)[0], pair(0, 0, ("a", "c"))[1]], "not those of the unit's other games"),
    ],
)
def test_results_that_contradict_are_refused(results: list[GameResult], words: str) -> None:
    with pytest.raises(CarcassonneError, match=words):
        units(results)


def test_impossible_games_are_refused() -> None:
    for bots, points, culprit, defaulted in (
        (("a",), (1,), None, ()),
        (("a", "b"), (1,), None, ()),
        (("a", "b"), (1, 2), 2, ()),
        (("a", "b"), (1, 2), None, (1,)),
    ):
        with pytest.raises(CarcassonneError, match="unit 7, turn 1"):
            GameResult(7, 1, bots, points, culprit=culprit, defaulted=defaulted)
