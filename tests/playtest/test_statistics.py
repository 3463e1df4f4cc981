"""Statistics: honest intervals, planted effects, exact sums in any order, known values."""

from __future__ import annotations

import itertools
import math
import random
import statistics as plain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carcassonne.errors import CarcassonneError
from carcassonne.playtest.accumulate import Statistics, UnitQueue
from carcassonne.playtest.compare import (
    Interval,
    cluster_interval,
    compare,
    holm,
    interval_of,
    is_precise,
)
from carcassonne.playtest.design import Arm, Contrast, Design, Factor, Level, contrasts
from carcassonne.playtest.results import Results, empty_statistics
from carcassonne.playtest.rows import GameRow, Measure
from carcassonne.playtest.sentences import interval_text, multiplicity, noun, short_interval
from carcassonne.playtest.student import two_sided_p, two_sided_quantile
from carcassonne.playtest.sums import MOST_BARS, Histogram, Moments, Ratio, on_grid
from carcassonne.playtest.target import parse_until
from carcassonne.rules import Rules
from tests.playtest.synthetic import MEASURES, design, results, rows

SCORE = (Measure("score", "points", "The score.", "scores"),)
PAIR = (Contrast("b against a", "b instead of a", (1,), (0,)),)


def experiment(rng: random.Random, units: int, shift: float = 0.0) -> Statistics:
    """Two arms on shared stack orders, whose effect on both is as large as that of chance."""
    found = Statistics((1, 1), SCORE, PAIR)
    for unit in range(units):
        order = rng.gauss(80, 12)
        found.add_unit(
            GameRow(arm, unit, 0, (order + rng.expovariate(1 / 12) + shift * arm,))
            for arm in range(2)
        )
    return found


# ------------------------------------------------------------------------------ honesty


@pytest.mark.parametrize("units", [8, 25])
def test_intervals_of_identical_arms_cover_zero_in_95_of_100(units: int) -> None:
    """1,000 small experiments without any effect, with skewed scores."""
    rng = random.Random(2026 + units)
    covered = 0
    for _ in range(1_000):
        (effect,) = compare(experiment(rng, units))
        covered += not effect.is_measurable
    assert 930 <= covered <= 970


def test_intervals_of_means_cover_the_truth() -> None:
    rng = random.Random(5)
    covered = 0
    for _ in range(1_000):
        moments = Moments()
        for _ in range(10):
            moments.add(on_grid(rng.gauss(3, 2)))
        interval = interval_of(moments)
        assert interval is not None
        covered += interval.low <= 3 <= interval.high
    assert 930 <= covered <= 970


def test_intervals_of_clustered_means_cover_the_truth() -> None:
    """Several auctions in a stack order, whose prices go together."""
    rng = random.Random(6)
    covered = 0
    for _ in range(1_000):
        ratio = Ratio()
        for _ in range(40):
            level = rng.randrange(11)
            ratio.add(level + rng.randrange(5) for _ in range(rng.randrange(6)))
        interval = cluster_interval(ratio)
        assert interval is not None
        covered += interval.low <= 7 <= interval.high
    assert 925 <= covered <= 970


def test_stopping_early_by_precision_leaves_intervals_honest() -> None:
    rng = random.Random(7)
    target = parse_until("±4 points")
    covered, stops = 0, set()
    for _ in range(300):
        found = Statistics((1, 1), SCORE, PAIR)
        for unit in range(200):
            found.add_unit(GameRow(a, unit, 0, (rng.gauss(80, 12),)) for a in range(2))
            if unit + 1 in (32, 40, 48, 60, 72, 88, 108, 132, 164) and is_precise(found, target):
                break
        stops.add(found.units)
        covered += not compare(found)[0].is_measurable
    assert len(stops) > 2
    assert 273 <= covered <= 297


@pytest.mark.parametrize("shift", [3.0, -3.0])
def test_a_planted_effect_is_found_with_its_sign_and_size(shift: float) -> None:
    rng = random.Random(11)
    estimates, covered, signs = [], 0, 0
    for _ in range(200):
        (effect,) = compare(experiment(rng, 150, shift))
        estimates.append(effect.interval.mean)
        covered += effect.interval.low <= shift <= effect.interval.high
        signs += effect.is_measurable and effect.interval.mean * shift > 0
    assert plain.mean(estimates) == pytest.approx(shift, abs=0.35)
    assert covered >= 182
    # 3 points against an error of sqrt(2 * 144 / 150) = 1.39: found in 58 of 100, by theory
    assert 0.45 < signs / 200 < 0.7


def test_shared_orders_make_differences_sharper() -> None:
    found = experiment(random.Random(3), 400)
    paired = interval_of(found.differences[0][0])
    assert paired is not None
    apart = [arm.unit_values[0].variance for arm in found.arms]
    assert paired.half_width < 0.8 * 1.96 * math.sqrt(sum(apart) / 400)


def test_effect_sizes_have_their_scale() -> None:
    found = experiment(random.Random(4), 3_000, 6.0)
    (effect,) = compare(found)
    assert effect.d == pytest.approx(6 / math.sqrt(288), abs=0.05)
    assert effect.paired_d == pytest.approx(6 / math.sqrt(288), abs=0.05)
    assert effect.base == pytest.approx(92, abs=1.2)


def test_main_effects_of_a_factorial_are_planted_ones() -> None:
    """Effects of 5 and -2 points that add up."""
    plan = factorial()
    rng = random.Random(8)
    found = Statistics([1] * 4, SCORE, contrasts(plan))
    for unit in range(500):
        order = rng.gauss(80, 10)
        found.add_unit(
            GameRow(i, unit, 0, (order + rng.gauss(0, 3) + 5 * arm.levels[0] - 2 * arm.levels[1],))
            for i, arm in enumerate(plan.arms)
        )
    first, second = compare(found)
    assert first.interval.mean == pytest.approx(5, abs=0.4)
    assert second.interval.mean == pytest.approx(-2, abs=0.4)
    assert first.interval.half_width == pytest.approx(1.96 * 3 / math.sqrt(500), rel=0.1)


def factorial() -> Design:
    levels = (Level("a", "a"), Level("b", "b"))
    arms = tuple(
        Arm(f"{i}{j}", Rules(), ("base",), {}, 2, ("greedy",) * 2, (i, j))
        for i, j in itertools.product(range(2), range(2))
    )
    return Design("x", 10, 0, arms, (Factor("f", levels), Factor("g", levels)))


# ------------------------------------------------------------------------------ exactness


def test_results_do_not_depend_on_the_order_in_which_games_end() -> None:
    plan = design(2, turns=2)
    games = list(rows(plan, units=40))

    def reduced(order: list[GameRow]) -> dict[str, object]:
        queue = UnitQueue([arm.turns for arm in plan.arms])
        found = empty_statistics(plan, MEASURES)
        seen = []
        for row in order:
            for unit, whole in queue.push(row):
                seen.append(unit)
                found.add_unit(whole)
        assert seen == list(range(40))
        return Results(plan, found).to_data()

    first = reduced(games)
    for seed in range(5):
        shuffled = list(games)
        random.Random(seed).shuffle(shuffled)
        assert reduced(shuffled) == first


def test_parts_of_several_processes_merge_into_the_same() -> None:
    plan = design(3, turns=2)
    whole = empty_statistics(plan, MEASURES)
    parts = [empty_statistics(plan, MEASURES) for _ in range(3)]
    for unit, games in itertools.groupby(rows(plan, units=30), key=lambda row: row.unit):
        found = list(games)
        whole.add_unit(found)
        parts[unit * 7 % 3].add_unit(reversed(found))
    merged = empty_statistics(plan, MEASURES)
    for part in (parts[2], parts[0], parts[1]):
        merged.merge(part)
    assert Results(plan, merged).to_data() == Results(plan, whole).to_data()


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=30), st.randoms(use_true_random=False))
@settings(max_examples=100, deadline=None)
def test_moments_are_the_textbook_ones_in_any_order(
    values: list[float], rng: random.Random
) -> None:
    one, other = Moments(), Moments()
    for value in values:
        one.add(on_grid(value))
    rng.shuffle(values)
    for value in values:
        other.add(on_grid(value))
    assert (one.mean, one.variance) == (other.mean, other.variance)
    assert one.mean == pytest.approx(plain.fmean(values), abs=1e-9)
    assert one.variance == pytest.approx(plain.variance(values), rel=1e-9, abs=1e-6)


@given(st.lists(st.integers(-(10**7), 10**7), max_size=60), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_histograms_merge_and_lose_nothing(values: list[int], rng: random.Random) -> None:
    whole, left, right = Histogram(), Histogram(), Histogram()
    for value in values:
        whole.add(value)
        (left if rng.random() < 0.5 else right).add(value)
    left.merge(right)
    assert left.items() == whole.items()
    assert whole.count == len(values)


def test_histograms_are_bounded_and_the_same_in_any_order() -> None:
    values = [i * i % 99_991 for i in range(20_000)]
    found = []
    for order in (values, sorted(values), sorted(values, reverse=True)):
        histogram = Histogram()
        for value in order:
            histogram.add(value)
        found.append((histogram.width, histogram.items()))
    assert found[0] == found[1] == found[2]
    assert len(found[0][1]) <= MOST_BARS
    assert sum(times for _, times in found[0][1]) == 20_000


def test_memory_does_not_grow_with_the_number_of_games() -> None:
    """The numbers that are kept are as many after 4,000 games as after 400."""
    plan = design(2)

    def kept(units: int) -> int:
        found = results(plan, units=units).statistics
        return sum(
            len(arm.values) + len(arm.unit_values) + len(arm.tiles)
            + len(arm.castles.paid_by) for arm in found.arms
        ) + sum(len(row) for row in found.differences)  # fmt: skip

    assert kept(200) == kept(1_000)


def test_a_queue_hands_on_whole_units_only_and_refuses_strays() -> None:
    queue = UnitQueue((1, 2))
    game = [GameRow(a, u, t, ()) for u in range(2) for a, t in ((0, 0), (1, 0), (1, 1))]
    assert list(queue.push(game[3])) == []
    assert list(queue.push(game[1])) == list(queue.push(game[2])) == []
    assert [(unit, len(found)) for unit, found in queue.push(game[0])] == [(0, 3)]
    for stray in (game[0], game[3], GameRow(2, 1, 0, ()), GameRow(0, 1, 1, ())):
        with pytest.raises(ValueError, match="unexpected"):
            list(queue.push(stray))
    assert queue.next == 1


def test_a_queue_does_not_fill_memory() -> None:
    queue = UnitQueue((1,))

    def play_all_but_the_first() -> None:
        for unit in range(1, 60_000):
            list(queue.push(GameRow(0, unit, 0, ())))

    with pytest.raises(RuntimeError, match="waited for"):
        play_all_but_the_first()


def test_a_unit_counts_where_both_arms_finished_it_and_the_measure_applies() -> None:
    found = Statistics((1, 2), SCORE, PAIR)
    found.add_unit([GameRow(0, 0, 0, (1,)), GameRow(1, 0, 0, (2,)), GameRow(1, 0, 1, (4,))])
    found.add_unit([GameRow(0, 1, 0, (1,)), GameRow(1, 1, 0, (2,))])  # a game is missing
    found.add_unit([GameRow(0, 2, 0, (None,)), GameRow(1, 2, 0, (2,)), GameRow(1, 2, 1, (2,))])
    found.add_unit([GameRow(0, 3, 0, (5,)), GameRow(1, 3, 0, (None,)), GameRow(1, 3, 1, (4,))])
    moments = found.differences[0][0]
    assert (moments.count, moments.mean) == (2, (2 + -1) / 2)
    assert [(arm.games, arm.units) for arm in found.arms] == [(4, 4), (7, 3)]
    assert found.arms[1].values[0].count == 6


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 1e300])
def test_a_measure_that_gives_no_ordinary_number_is_named(value: float) -> None:
    found = Statistics((1,), SCORE, ())
    with pytest.raises(CarcassonneError, match="measure 'score' gave"):
        found.add_unit([GameRow(0, 0, 0, (value,))])


def test_a_distribution_is_of_whole_numbers() -> None:
    found = Statistics((1,), (Measure("m", "points", "M.", distribution=True),), ())
    with pytest.raises(CarcassonneError, match=r"measure 'm' gave 0\.5"):
        found.add_unit([GameRow(0, 0, 0, (0.5,))])


# ------------------------------------------------------------------------------ known values


@pytest.mark.parametrize(
    ("level", "df", "value"),
    [
        (0.95, 1, 12.7062), (0.95, 2, 4.3027), (0.95, 3, 3.1824), (0.95, 5, 2.5706),
        (0.95, 10, 2.2281), (0.95, 20, 2.0860), (0.95, 30, 2.0423), (0.95, 60, 2.0003),
        (0.95, 120, 1.9799), (0.95, 1e9, 1.9600), (0.99, 1, 63.6567), (0.99, 4, 4.6041),
        (0.99, 30, 2.7500), (0.90, 7, 1.8946), (0.80, 15, 1.3406), (0.999, 10, 4.5869),
    ],
)  # fmt: skip
def test_student_quantiles_are_the_published_ones(level: float, df: float, value: float) -> None:
    assert two_sided_quantile(level, df) == pytest.approx(value, abs=1e-4)


@given(st.floats(0, 60), st.integers(1, 2000))
@settings(max_examples=100, deadline=None)
def test_chances_are_chances_and_fall(t: float, df: int) -> None:
    assert 0 <= two_sided_p(t + 0.1, df) <= two_sided_p(t, df) <= 1


def test_student_of_one_and_two_degrees_has_closed_forms() -> None:
    for t in (0.1, 0.7, 1.5, 4.0, 30.0):
        assert two_sided_p(t, 1) == pytest.approx(1 - 2 * math.atan(t) / math.pi, rel=1e-9)
        assert two_sided_p(t, 2) == pytest.approx(1 - t / math.sqrt(2 + t * t), rel=1e-9)


def test_holm_on_a_textbook_example() -> None:
    chances = [0.01, 0.04, 0.03, 0.005]
    assert holm(chances) == [True, False, False, True]
    assert holm([0.01, 0.011, 0.02, 0.049]) == [True, True, True, True]
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
@settings(max_examples=100, deadline=None)
def test_holm_lies_between_bonferroni_and_nothing(chances: list[float]) -> None:
    for chance, holds in zip(chances, holm(chances), strict=True):
        assert holds or chance > 0.05 / len(chances)
        assert not holds or chance <= 0.05


def test_holm_keeps_a_family_of_nothing_honest() -> None:
    """In 95 of 100 experiments with ten measures and no effect, nothing holds."""
    rng = random.Random(12)
    wrong = sum(any(holm([rng.random() for _ in range(10)])) for _ in range(2_000))
    assert 0.035 < wrong / 2_000 < 0.065


# ------------------------------------------------------------------------------ sentences


def test_sentences_are_plain_and_have_the_right_units() -> None:
    found = results(units=400, shift=6)
    by_name = {found.measures[e.measure].name: found.sentence(e) for e in found.effects}
    assert by_name["score_seat_1"].startswith(
        "With the draft instead of the auction, the first player's score rises by "
    )
    assert by_name["win_seat_2"].startswith(
        "With the draft instead of the auction, the second player's share of wins falls by "
    )
    assert "percentage points (" in by_name["win_seat_2"]
    assert by_name["length"].endswith("the length of the game is the same in all 400 stack orders.")
    assert "do not change measurably (" in by_name["points_castle"]
    assert "auction_price" not in by_name
    assert "9 comparisons" in multiplicity(found.effects)


def test_the_numbers_of_a_sentence_are_those_of_its_effect() -> None:
    found = Statistics((1, 1), (Measure("w", "share", "The share of wins.", "scores"),), PAIR)
    for unit in range(100):
        found.add_unit([GameRow(0, unit, 0, (0.6,)), GameRow(1, unit, 0, (0.55 + unit % 2 / 50,))])
    plan = factorial()
    assert Results(plan, found).sentence(compare(found)[0]) == (
        "With b instead of a, the share of wins falls by 4.00 percentage points (3.80 to 4.20)."
    )


def compared(*pairs: tuple[float | None, float | None], unit: str = "points") -> Results:
    """Two arms' values of one measure in each stack order."""
    measure = (Measure("m", unit, "The measure.", "scores"),)
    found = Statistics((1, 1), measure, PAIR)
    for number, values in enumerate(pairs):
        found.add_unit(GameRow(arm, number, 0, (value,)) for arm, value in enumerate(values))
    return Results(factorial(), found)


def told(found: Results) -> str:
    """The sentence of the only effect, without its beginning."""
    (effect,) = found.effects
    return found.sentence(effect).removeprefix("With b instead of a, the measure ")


@pytest.mark.parametrize("units", [2, 3, 4, 5])
def test_constant_differences_of_few_units_prove_nothing(units: int) -> None:
    found = compared(*[(1, 2)] * units)
    (effect,) = found.effects
    assert (effect.p, effect.holds, effect.paired_d) == (2.0 ** (1 - units), False, None)
    where = "both" if units == 2 else f"all {units}"
    assert told(found) == f"rises by 1.00 point in {where} stack orders: too few to tell."


def test_constant_differences_of_many_units_are_told_as_what_they_are() -> None:
    found = compared(*[(1, 3)] * 40)
    (effect,) = found.effects
    assert (effect.holds, effect.is_fact) == (False, True)  # no t test without any spread
    assert told(found) == "rises by 2.00 points in all 40 stack orders."


def test_spread_that_is_only_rounding_counts_as_none() -> None:
    """A third of the share in two stack orders, whose parts are rounded differently."""
    found = compared((2 / 3, 5 / 6), (1 / 2, 2 / 3), unit="share")
    (effect,) = found.effects
    assert effect.interval.is_constant
    assert not effect.holds
    words = "rises by 16.67 percentage points in both stack orders: too few to tell."
    assert told(found) == words
    assert compared((1 / 3, 1 / 3 + 1e-12), (1 / 7, 1 / 7)).effects[0].is_nothing


@given(st.integers(2, 4), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_nothing_holds_from_fewer_than_five_units(units: int, rng: random.Random) -> None:
    tiny = [(1.0, 2 + rng.random() * 10 ** -rng.randrange(13)) for _ in range(units)]
    found = compared(*tiny)
    assert not any(effect.holds for effect in found.effects)
    assert told(found).endswith("stack orders: too few to tell.")


def test_a_sentence_says_in_how_many_stack_orders_a_measure_applies() -> None:
    nothing: list[tuple[float | None, float | None]] = [(None, 1.0)] * 3
    plain_words = told(compared(*[(0, 5 + i % 3) for i in range(9)]))
    assert plain_words == "rises by 6.00 points (5.33 to 6.67)."
    some = told(compared(*[(0, 5 + i % 3) for i in range(9)], *nothing))
    assert some == "rises by 6.00 points (5.33 to 6.67) in the 9 stack orders where it applies."
    assert told(compared((1, 1), (2, 2), (3, 3), *nothing)) == (
        "is the same in the 3 stack orders where it applies: too few to tell."
    )
    wide = told(compared(*[(0, (-1) ** i) for i in range(8)], *nothing))
    assert wide.startswith("does not change measurably (")
    assert wide.endswith(" points) in the 8 stack orders where it applies.")


def test_means_that_never_differed_claim_no_more_than_there_is() -> None:
    def written(units: int) -> tuple[str, str]:
        moments = Moments()
        moments.add_all([on_grid(83)] * units)
        interval = interval_of(moments)
        assert interval is not None
        return interval_text(interval, SCORE[0]), short_interval(interval, SCORE[0])

    assert written(3) == ("83.00 (in all 3)", "83.00 ±?")
    assert written(30) == ("83.00 (always)", "83.00 ±0.00")


@pytest.mark.parametrize(
    ("found", "held", "words"),
    [
        (0, 0, "Here none does."),
        (1, 0, "Here one does, and it does not hold after"),
        (1, 1, "Here one does, and it holds after"),
        (2, 0, "Here 2 do, of which none holds after"),
        (2, 1, "Here 2 do, of which one holds after"),
        (3, 2, "Here 3 do, of which 2 hold after"),
    ],
)
def test_comparisons_are_counted_in_english(found: int, held: int, words: str) -> None:
    (some,) = compared(*[(0, i % 3) for i in range(9)]).effects
    out, within = Interval(1, 0.5, 1.5, 9), Interval(0, -1, 1, 9)
    effects = [some._replace(interval=out, holds=i < held) for i in range(found)]
    effects += [some._replace(interval=within, holds=False)] * (9 - found)
    assert words in multiplicity(effects)


@pytest.mark.parametrize(
    ("about", "words"),
    [
        ("The first player's share of wins: 1, or a half.", "the first player's share of wins"),
        ("Points for roads.", "points for roads"),
        ("Length of the game; in turns.", "the length of the game"),
        ("What a castle is paid, 0 for others.", "what a castle is paid, 0 for others"),
        ("", "the measure m"),
        ("x" * 99, "the measure m"),
    ],
)
def test_measures_have_a_noun(about: str, words: str) -> None:
    assert noun(Measure("m", "points", about)) == words


def test_precision_is_of_every_measure_that_is_meant() -> None:
    found = results(units=200).statistics
    assert is_precise(found, parse_until("±9 points"))
    assert not is_precise(found, parse_until("±0.1 points"))
    assert not is_precise(results(units=20).statistics, parse_until("±99 points"))
    alone = results(design(1), units=200).statistics
    assert is_precise(alone, parse_until("±9 points of margin"))
