"""Ratings: closed forms, planted strengths, invariances, intervals."""

from __future__ import annotations

import math
import random
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carcassonne.arena.elo import ELO_PER_NAT, elo_from_score, score_from_elo
from carcassonne.arena.evidence import pool_units
from carcassonne.arena.ratings import Rating, RatingList, rate
from carcassonne.arena.results import GameResult, units
from carcassonne.errors import CarcassonneError
from tests.arena.made import luce, pairs, table_game

AB = ("a", "b")


def rated(results: list[GameResult], bots: tuple[str, ...] = AB, **others: object) -> RatingList:
    return rate(units(results), bots, **others)  # type: ignore[arg-type]


def difference(found: RatingList, first: str, second: str) -> float:
    return found.ratings[first].elo - found.ratings[second].elo


@given(st.lists(st.integers(0, 9), min_size=5, max_size=5).filter(lambda c: any(c[1:4])))
def test_two_bots_differ_by_the_elo_of_the_score(cells: list[int]) -> None:
    """Bradley-Terry's closed form, once the prior is negligible."""
    score = sum(i * n for i, n in enumerate(cells)) / (4 * sum(cells))
    found = rated(pairs(tuple(cells)), resamples=0, prior=1e-6)
    assert difference(found, "a", "b") == pytest.approx(elo_from_score(score), abs=0.01)


def test_the_prior_hardly_shows_in_a_tournament_of_fair_length() -> None:
    """136 wins, 111 draws and 96 losses (and 1 game more than pairs can hold) are 40.70 Elo."""
    bots = AB
    outcomes = [(60, 50)] * 136 + [(55, 55)] * 111 + [(50, 60)] * 96
    results = [GameResult(number, 0, bots, points) for number, points in enumerate(outcomes)]
    assert difference(rated(results, resamples=0), "a", "b") == pytest.approx(40.70, abs=0.02)


def test_three_bots_satisfy_the_equations_of_the_fit() -> None:
    """At the likeliest ratings every bot's expected score is its real one."""
    results = pairs((3, 2, 10, 4, 8))
    for other, cells in ((("b", "c"), (1, 3, 9, 9, 2)), (("a", "c"), (5, 0, 4, 8, 30))):
        results += [
            GameResult(game.unit + len(results), game.turn, game.bots, game.points)
            for game in pairs(cells, other)
        ]
    found = rated(results, ("a", "b", "c"), resamples=0, prior=1e-9)
    for bot in "abc":
        real = expected = 0.0
        for game in results:
            if bot in game.bots:
                seat = game.bots.index(bot)
                real += game.share(seat)
                expected += score_from_elo(difference(found, bot, game.bots[1 - seat]))
        assert expected == pytest.approx(real, abs=1e-4)
    assert sum(rating.elo for rating in found.ratings.values()) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_planted_strengths_are_recovered(players: int) -> None:
    strengths = {bot: 1.35**i for i, bot in enumerate("abcdef")}
    found = rated(luce(strengths, players, 240, seed=players), tuple(strengths))
    true = {bot: ELO_PER_NAT * math.log(value) for bot, value in strengths.items()}
    mean = sum(true.values()) / len(true)
    for bot, rating in found.ratings.items():
        assert rating.low is not None
        assert rating.high is not None
        assert rating.low < true[bot] - mean + 25
        assert rating.high > true[bot] - mean - 25
        assert rating.elo == pytest.approx(true[bot] - mean, abs=75 if players == 2 else 50)


def test_ties_count_as_every_order_equally_often() -> None:
    """A tie for three, spelled out: the evidence is the mean over the six orders."""
    tied = pool_units(
        units([GameResult(0, 0, ("a", "b", "c"), (5, 5, 5))]), {"a": 0, "b": 1, "c": 2}
    )
    orders = [
        GameResult(number, 0, ("a", "b", "c"), points)
        for number, points in enumerate(permutations((1, 2, 3)))
    ]
    spelled = pool_units(units(orders), {"a": 0, "b": 1, "c": 2})
    chosen, weights = tied.add_up([1.0])
    all_chosen, all_weights = spelled.add_up([1 / 6] * 6)
    assert chosen == pytest.approx(all_chosen)
    assert dict(zip(tied.sets, weights, strict=True)) == pytest.approx(
        dict(zip(spelled.sets, all_weights, strict=True))
    )
    assert sorted(tied.sets) == [(0, 1), (0, 1, 2), (0, 2), (1, 2)]


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_bots_that_always_tie_are_equal(players: int) -> None:
    bots = tuple("abcdef"[:players])
    points = {bot: 10 if bot != bots[-1] else 3 for bot in bots}
    found = rated([table_game(0, turn, points) for turn in range(players)], bots)
    values = [found.ratings[bot].elo for bot in bots]
    assert values[:-1] == pytest.approx([values[0]] * (players - 1))
    assert values[-1] < values[0] - 100


@given(st.randoms(use_true_random=False), st.integers(2, 4))
@settings(max_examples=15)
def test_labels_and_order_change_nothing(rng: random.Random, players: int) -> None:
    results = luce({"a": 1, "b": 2, "c": 1.5, "d": 0.7}, players, 12, seed=rng.randrange(99))
    bots = ("a", "b", "c", "d")
    base = rated(results, bots, resamples=0)
    new = dict(zip(bots, rng.sample(["w", "x", "y", "z"], 4), strict=True))
    renamed = [GameResult(g.unit, g.turn, tuple(new[b] for b in g.bots), g.points) for g in results]
    rng.shuffle(renamed)
    entered = list(new.values())
    rng.shuffle(entered)
    other = rated(renamed, tuple(entered), resamples=0)
    for bot in bots:
        assert other.ratings[new[bot]].elo == pytest.approx(base.ratings[bot].elo, abs=1e-6)
    rng.shuffle(results)
    assert rated(results, bots, resamples=20) == rated(sorted(results, key=id), bots, resamples=20)


def test_a_bot_that_played_nobody_changes_nothing() -> None:
    results = pairs((3, 2, 10, 4, 8))
    base = rated(results, resamples=50)
    more = rated(results, ("a", "b", "idle"), resamples=0)
    assert "idle" not in more.ratings
    for bot in AB:
        assert more.ratings[bot].elo == pytest.approx(base.ratings[bot].elo, abs=1e-6)


def test_records_of_wins_only_stay_finite_and_grow() -> None:
    gaps = []
    for number in (1, 5, 50):
        found = rated(pairs((0, 0, 0, 0, number)))
        gaps.append(difference(found, "a", "b"))
        if number > 1:
            low, high = found.ratings["a"].low, found.ratings["a"].high
            assert low is not None
            assert high is not None
            assert 0 < low < found.ratings["a"].elo < 3000
            assert high == math.inf  # nothing says how far it may reach
            assert found.ratings["b"].low == -math.inf
    assert gaps == sorted(gaps)
    assert gaps[0] > 300
    assert gaps[-1] < 2000


def test_the_fewer_the_units_the_less_all_wins_prove() -> None:
    """10 of 10 pairs: the 95 % interval of Jeffreys' Beta(10.5, 0.5) begins at 0.783."""
    found = rated(pairs((0, 0, 0, 0, 10)))
    low = found.ratings["a"].low
    assert low is not None
    assert 0.70 < score_from_elo(2 * low) < 0.85


def test_one_game_only() -> None:
    found = rated([GameResult(0, 0, AB, (70, 50))])
    assert difference(found, "a", "b") > 100
    assert found.ratings["a"].low is None
    assert found.superiority("a", "b") is None


def test_nothing_played() -> None:
    assert rated([]) == RatingList({}, {})
    assert rated([GameResult(0, 0, ("a", "a"), (1, 2))]) == RatingList({}, {})


def test_groups_that_never_met_both_have_ratings() -> None:
    results = pairs((0, 0, 5, 0, 5))
    results += [
        GameResult(g.unit + 10, g.turn, g.bots, g.points)
        for g in pairs((0, 0, 5, 0, 5), ("c", "d"))
    ]
    found = rated(results, ("a", "b", "c", "d"), resamples=100)
    assert difference(found, "a", "b") == pytest.approx(difference(found, "c", "d"))
    assert found.ratings["a"].elo == pytest.approx(found.ratings["c"].elo)


def test_an_anchor_is_zero_and_has_no_interval() -> None:
    results = pairs((3, 2, 10, 4, 8))
    free, held = rated(results), rated(results, anchor="b")
    assert held.ratings["b"] == Rating(0.0, None, None)
    assert held.ratings["a"].elo == pytest.approx(difference(free, "a", "b"))
    with pytest.raises(CarcassonneError, match="no bot 'c'"):
        rated(results, anchor="c")
    with pytest.raises(CarcassonneError, match="above 0"):
        rated(results, prior=0.0)
    with pytest.raises(CarcassonneError, match="no bot 'b' was entered"):
        rated(results, ("a", "c"))


def test_the_same_seed_gives_the_same_intervals() -> None:
    results = luce({"a": 1, "b": 2, "c": 1.5}, 2, 30, seed=1)
    bots = ("a", "b", "c")
    assert rated(results, bots, seed=3) == rated(results, bots, seed=3)
    assert rated(results, bots, seed=3) != rated(results, bots, seed=4)


def test_superiority_agrees_with_the_figure_from_pairs() -> None:
    """Two bots: the bootstrap's likelihood of superiority is near the closed form's."""
    from carcassonne.arena.pentanomial import ScoreCounts

    cells = (20, 10, 80, 14, 32)
    found = rated(pairs(cells)).superiority("a", "b")
    assert found == pytest.approx(ScoreCounts(cells).estimate().los, abs=0.01)


def test_intervals_hold_the_true_difference_in_95_percent_of_tournaments() -> None:
    """400 tournaments of 60 pairs; a standard error is 1.1 %."""
    chances = (0.08, 0.10, 0.40, 0.20, 0.22)
    true = elo_from_score(sum(i * p for i, p in enumerate(chances)) / 4)
    rng = random.Random(11)
    held = 0
    for _ in range(400):
        cells = [0] * 5
        for cell in rng.choices(range(5), chances, k=60):
            cells[cell] += 1
        interval = rated(pairs(tuple(cells)), resamples=200, anchor="b").ratings["a"]
        assert interval.low is not None
        assert interval.high is not None
        held += interval.low <= true <= interval.high
    assert 0.93 <= held / 400 <= 0.97
