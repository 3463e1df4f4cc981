"""Elo: the scale, published figures, and counts of scores."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carcassonne.arena.elo import elo_from_score, score_from_elo
from carcassonne.arena.pentanomial import ScoreCounts, comparisons, count_units, unit_cell
from carcassonne.arena.results import GameResult, units
from carcassonne.errors import CarcassonneError
from tests.arena.made import pairs, table_game


def test_published_elo_and_likelihood_of_superiority() -> None:
    """136 wins, 96 losses, 111 draws: Elo 40.70 ± 30.43, LOS 99.60 %."""
    found = ScoreCounts.of_games(wins=136, draws=111, losses=96).estimate()
    assert f"{found.elo:.2f} ± {found.error:.2f}" == "40.70 ± 30.43"
    assert f"{100 * found.los:.2f}" == "99.60"


@pytest.mark.parametrize(("elo", "score"), [(0, 0.5), (100, 0.640065), (-400, 1 / 11)])
def test_the_scale(elo: float, score: float) -> None:
    assert score_from_elo(elo) == pytest.approx(score, abs=1e-6)


@given(st.floats(-3000, 3000))
def test_elo_and_score_are_inverse(elo: float) -> None:
    assert elo_from_score(score_from_elo(elo)) == pytest.approx(elo, abs=1e-4)
    assert score_from_elo(elo) + score_from_elo(-elo) == pytest.approx(1)


def test_scores_without_end() -> None:
    assert elo_from_score(1) == math.inf
    assert elo_from_score(0) == -math.inf
    assert score_from_elo(1e6) == 1
    assert score_from_elo(-1e6) == 0


counts5 = st.lists(st.integers(0, 50), min_size=5, max_size=5).filter(any).map(tuple)


@given(counts5)
def test_seen_from_the_other_side_all_signs_turn(cells: tuple[int, ...]) -> None:
    own, other = ScoreCounts(cells).estimate(), ScoreCounts(cells[::-1]).estimate()
    assert own.elo == pytest.approx(-other.elo, abs=1e-6)
    assert own.los == pytest.approx(1 - other.los)
    assert own.low == pytest.approx(-other.high, abs=1e-6, nan_ok=True)


def test_what_shows_no_spread_is_judged_by_how_much_there_is() -> None:
    """As if half a pair more had been won and lost: nine pairs tell more than two."""
    won = ScoreCounts((0, 0, 0, 0, 9)).estimate()
    assert won.elo == won.high == won.error == math.inf
    assert 150 < won.low < ScoreCounts((0, 0, 0, 0, 200)).estimate().low
    few = ScoreCounts((0, 0, 0, 2, 0)).estimate()
    assert few.low < 0 < few.elo < few.high
    assert 0.5 < few.los < 0.9 < won.los < 1
    assert ScoreCounts((0, 0, 3, 0, 0)).estimate().los == 0.5
    with pytest.raises(CarcassonneError, match="no games"):
        ScoreCounts((0, 0, 0)).estimate()
    with pytest.raises(CarcassonneError, match="2 or more cells"):
        ScoreCounts((1, -1))


def test_pairs_are_counted_by_their_half_points() -> None:
    counts = (3, 1, 4, 1, 5)
    found = count_units(units(pairs(counts)), "a", "b")
    assert found == ScoreCounts(counts)
    assert count_units(units(pairs(counts)), "b", "a") == ScoreCounts(counts[::-1])
    assert count_units(units(pairs(counts)[:1]), "a", "b") is None
    assert count_units(units(pairs(counts)), "a", "c") is None


def test_pairs_that_cancel_out_are_sharper_evidence_than_their_games() -> None:
    """Where the seat decides every game, pairs show that the bots are equal."""
    paired = ScoreCounts((1, 0, 98, 0, 1)).estimate()
    single = ScoreCounts.of_games(wins=100, draws=0, losses=100).estimate()
    assert paired.error < single.error / 5


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_a_rotation_scores_two_bots_by_their_places(players: int) -> None:
    points = {bot: 10 * i for i, bot in enumerate("abcdef"[:players])}
    points["b"] = points["a"]
    (unit,) = units(table_game(0, turn, points) for turn in range(players))
    assert unit_cell(unit, "a", "b") == (players, 2 * players + 1)
    assert unit_cell(unit, "c", "a") == (2 * players, 2 * players + 1)
    assert unit_cell(unit, "a", "c") == (0, 2 * players + 1)
    assert unit_cell(unit, "a", "nobody") == (0, 1)


def test_a_bot_in_two_seats_is_compared_twice() -> None:
    result = GameResult(0, 0, ("a", "b", "a"), (30, 20, 20))
    assert comparisons(result, "a", "b") == [2, 1]
    assert comparisons(result, "b", "a") == [0, 1]
