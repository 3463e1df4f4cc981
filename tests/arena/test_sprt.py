"""The sequential test: published ratios, error rates by simulation, and its order."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carcassonne.arena.results import GameResult, units
from carcassonne.arena.sprt import Sprt, SprtRun
from carcassonne.errors import CarcassonneError
from tests.arena.made import pairs, table_game


@pytest.mark.parametrize(
    ("elo0", "elo1", "cells", "ratio"),
    [
        (0, 5, (39, 2226, 31451, 2412, 40), "-68.7187"),
        (0.2, 0.9, (39, 2226, 31451, 2412, 40), "2.1625"),
        (-3, 1, (10789, 19328, 33806, 19402, 10543), "2.1311"),
    ],
)
def test_published_ratios(elo0: float, elo1: float, cells: tuple[int, ...], ratio: str) -> None:
    assert f"{Sprt(elo0, elo1).llr(cells):.4f}" == ratio


def test_the_bounds_are_walds() -> None:
    test = Sprt(0, 10, alpha=0.05, beta=0.1)
    assert test.lower == pytest.approx(math.log(0.1 / 0.95))
    assert test.upper == pytest.approx(math.log(0.9 / 0.05))
    assert Sprt(0, 5).state((39, 2226, 31451, 2412, 40)).accepted == "H0"


def simulated(elo_cells: tuple[float, ...], seed: int, tournaments: int = 1000) -> list[str]:
    """What SPRT(0, 10) decides when pairs fall in cells with these chances."""
    test = Sprt(0, 10)
    rng = random.Random(seed)
    decisions: list[str] = []
    for _ in range(tournaments):
        cells = [0] * 5
        state = test.state(cells)
        while not state.accepted:
            for cell in rng.choices(range(5), elo_cells, k=8):  # looks after every 8 pairs
                cells[cell] += 1
            state = test.state(cells)
        decisions.append(state.accepted)
    return decisions


def test_equal_bots_are_taken_for_stronger_in_at_most_five_percent() -> None:
    """1,000 tournaments; 6 % is 1.45 standard errors above the 5 % promised."""
    decisions = simulated((0.005, 0.09, 0.81, 0.09, 0.005), seed=1)
    assert 0.01 <= decisions.count("H1") / 1000 <= 0.06


def test_bots_ten_elo_stronger_are_missed_in_at_most_five_percent() -> None:
    """The score that 10 Elo lets expect is 0.51439."""
    shift = 2 * (0.514388 - 0.5)
    decisions = simulated((0.005, 0.09 - shift, 0.81, 0.09 + shift, 0.005), seed=2, tournaments=400)
    assert 0.01 <= decisions.count("H0") / 400 <= 0.066


cells5 = st.lists(st.integers(0, 2000), min_size=5, max_size=5)


@given(cells5)
def test_the_mirrored_test_has_the_opposite_ratio(cells: list[int]) -> None:
    assert Sprt(0, 8).llr(cells) == pytest.approx(-Sprt(-8, 0).llr(cells[::-1]), abs=1e-6)


def test_each_better_result_speaks_for_the_stronger_hypothesis() -> None:
    test = Sprt(0, 10)
    ratios = [test.llr((10, 50, 300 - wins, 50 + wins, 10)) for wins in range(0, 200, 10)]
    assert ratios == sorted(ratios)
    assert ratios[0] < 0 < ratios[-1]


def test_no_result_says_nothing() -> None:
    assert Sprt(0, 10).llr([0] * 5) == 0
    assert SprtRun(Sprt(0, 10), "a", "b").state.units == 0


def test_the_order_of_units_decides_not_that_of_arrival() -> None:
    results = pairs((0, 5, 60, 40, 30))
    run = SprtRun(Sprt(0, 10), "a", "b")
    whole = run.follow(units(results))
    assert whole.accepted == "H1"
    assert run.decided_at is not None
    assert run.decided_at + 1 == whole.units < 135
    late = SprtRun(Sprt(0, 10), "a", "b")
    arrived: list[GameResult] = []
    shuffled = list(results)
    random.Random(5).shuffle(shuffled)
    for start in range(0, len(shuffled), 9):
        arrived += shuffled[start : start + 9]
        late.follow(units(arrived))
    assert late.state == whole
    assert late.decided_at == run.decided_at


def test_it_waits_for_what_is_missing() -> None:
    results = pairs((0, 5, 60, 40, 30))
    gap = [game for game in results if game.unit != 2]
    run = SprtRun(Sprt(0, 10), "a", "b")
    assert run.follow(units(gap)).units == 2
    assert run.next_unit == 2
    assert run.follow(units(results)).accepted == "H1"


def test_tables_of_three_are_tested_too() -> None:
    points = ({"a": 9, "b": 8, "c": 7}, {"a": 9, "b": 8, "c": 10}, {"a": 7, "b": 8, "c": 9})
    results = [
        table_game(number, turn, points[number % 3]) for number in range(300) for turn in range(3)
    ]
    ahead = SprtRun(Sprt(0, 50), "a", "b")
    assert ahead.follow(units(results)).accepted == "H1"
    assert len(ahead.cells) == 7
    assert SprtRun(Sprt(0, 50), "b", "a").follow(units(results)).accepted == "H0"


@pytest.mark.parametrize("text", ["5", "a,b", "1,2,3", "", "5,5", "10,0", "nan,5", "0,inf"])
def test_hypotheses_that_make_no_test_are_refused(text: str) -> None:
    with pytest.raises(CarcassonneError, match=r"elo0,elo1|over elo0"):
        Sprt.parse(text)


def test_hypotheses_are_read() -> None:
    assert Sprt.parse("0, 10") == Sprt(0, 10)
    with pytest.raises(CarcassonneError, match=r"alpha: 0\.5 must be .* under 0\.5"):
        Sprt(0, 10, alpha=0.5)
