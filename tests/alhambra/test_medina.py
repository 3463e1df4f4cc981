"""Medina scoring: the sources' examples by rule id, the edge cases, and properties."""

from __future__ import annotations

import ast
import re
from itertools import permutations, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carcassonne.alhambra.medina import (
    EXTRA,
    MEDINAS,
    PENALTIES,
    MedinaError,
    MedinaOptions,
    score_medinas,
)
from carcassonne.errors import CarcassonneError

PLACES = MedinaOptions()
ALL = MedinaOptions(medina_zero_pool="all")
SHARE = MedinaOptions(medina_final_tie="share")
NO_DEBT = MedinaOptions(medina_allow_negative_total=False)
EVERY_OPTION = [
    MedinaOptions(medina_zero_pool=pool, medina_final_tie=tie)
    for pool, tie in product(("places", "all"), ("next_price_then_share", "share"))
]

Built = dict[str, list[int]]


def points(number: int, options: MedinaOptions = PLACES, /, **built: list[int]) -> dict[str, int]:
    return score_medinas(number, built, options=options).points


def rules_of(
    number: int, player: str, options: MedinaOptions = PLACES, /, **built: list[int]
) -> str:
    score = score_medinas(number, built, options=options).of(player)
    return " ".join(rule for item in score.items for rule in item.rules)


# ------------------------------------------------------------------------------ strategies

rounds = st.sampled_from(sorted(PENALTIES))
options_values = st.sampled_from(EVERY_OPTION)
prices = st.integers(2, 10)


@st.composite
def tables(draw: st.DrawFn, most: int = MEDINAS) -> Built:
    """Two to six players with at most so many Medinas, prices repeating or not."""
    players = "ABCDEF"[: draw(st.integers(2, 6))]
    built: Built = {player: [] for player in players}
    for owner in draw(st.lists(st.sampled_from(players), max_size=most)):
        built[owner].append(draw(prices))
    return built


@st.composite
def different_counts(draw: st.DrawFn) -> tuple[Built, Built]:
    """Two tables with the same numbers of Medinas, which only players without any share."""
    owned = draw(st.sampled_from([(), (1,), (4,), (1, 2), (2, 5), (1, 2, 3), (2, 3, 4), (1, 2, 6)]))
    without = draw(st.integers(max(0, 2 - len(owned)), 6 - len(owned)))
    counts = draw(st.permutations([*owned, *[0] * without]))

    def table() -> Built:
        return {
            player: draw(st.lists(prices, min_size=count, max_size=count))
            for player, count in zip("ABCDEF", counts, strict=False)
        }

    return table(), table()


def loss_by_counting(number: int, built: Built, player: str, options: MedinaOptions) -> int:
    """The same rules from one player's seat: how many are worse, how many equal."""

    def key(name: str) -> tuple[int, list[int]]:
        dearest_first = sorted(built[name], reverse=True)
        shown = 1 if options.medina_final_tie == "share" else MEDINAS
        return len(dearest_first), dearest_first[:shown]

    without = [name for name in built if not built[name]]
    costs = [*PENALTIES[number], 0, 0, 0, 0, 0, 0]
    worse = sum(key(name) < key(player) for name in built)
    equal = sum(key(name) == key(player) for name in built)
    pool = sum(costs[worse : worse + equal])
    if options.medina_zero_pool == "all" and without:
        pool = 0 if built[player] else sum(costs)
    extra = 0 if built[player] else EXTRA[number]
    return (pool + equal - 1) // equal + extra


# ------------------------------------------------------------------------------ the rulebook


def test_r_medina_15_the_rulebooks_first_example() -> None:
    """R-MEDINA-15: C has fewest; A and B have three each, and A the dearest, 8."""
    assert points(3, A=[8, 3, 2], B=[7, 6, 4], C=[5]) == {"A": -3, "B": -6, "C": -9}
    assert points(3, A=[8, 3, 2], B=[7, 6, 4], C=[5, 9]) == {"A": -3, "B": -6, "C": -9}
    assert "R-MEDINA-7" in rules_of(3, "A", A=[8, 3, 2], B=[7, 6, 4], C=[5])


def test_r_medina_16_the_rulebooks_second_example() -> None:
    """R-MEDINA-16: A and B have none, C two, D three."""
    assert points(3, A=[], B=[], C=[3, 5], D=[2, 4, 8]) == {"A": -11, "B": -11, "C": -3, "D": 0}


def test_r_medina_6_the_table_of_penalties() -> None:
    """R-MEDINA-6, R-MEDINA-3: 3; 6 and 3; 9, 6 and 3; nobody ever gains."""
    built = {"A": [2], "B": [3, 4], "C": [5, 6, 7], "D": [8, 9, 10]}
    assert list(score_medinas(1, built).points.values()) == [-3, 0, 0, 0]
    assert list(score_medinas(2, built).points.values()) == [-6, -3, 0, 0]
    assert list(score_medinas(3, built).points.values()) == [-9, -6, -3, 0]


def test_r_medina_11_the_rulebooks_notes_on_splitting() -> None:
    """R-MEDINA-11: 3 split by all; 9 by two or more; 15 by two, 18 by three or more."""
    split = {1: {2: 2, 3: 1}, 2: {2: 5, 3: 3}, 3: {2: 8, 3: 6, 4: 5}}
    for number, shares in split.items():
        for count, share in shares.items():
            built: Built = {player: [] for player in "ABCD"[:count]}
            score = score_medinas(number, {**built, "X": [4], "Y": [5, 6]})
            assert score.of("A").items[0].points == -share
            expected = -3 if (number, count) == (3, 2) else 0
            assert score.of("X").points == expected


# ------------------------------------------------------------------------------ the forum text


def test_r_medina_17_the_forum_example_of_a_tie() -> None:
    """R-MEDINA-17, R-MEDINA-7: 4 and 5 against 2 and 6, so the owner of the 6 is better off."""
    assert points(1, me=[4, 5], you=[2, 6]) == {"me": -3, "you": 0}


def test_r_medina_18_the_forum_examples_of_players_without() -> None:
    """R-MEDINA-18: 3 each in round 1, 7 each in round 2, and 12, 6, 3 and 0 in round 3."""
    assert points(1, me=[], you=[], x=[2]) == {"me": -3, "you": -3, "x": 0}
    assert points(2, me=[], you=[], x=[2]) == {"me": -7, "you": -7, "x": 0}
    expected = {"me": -12, "you": -6, "other": -3, "x": 0}
    assert points(3, me=[], you=[4], other=[2, 3], x=[5, 6, 7]) == expected


def test_r_medina_19_the_forum_sentences_only_with_their_option() -> None:
    """R-MEDINA-19: the general sentences clash with the examples; `all` plays them."""
    assert points(2, ALL, A=[], B=[4]) == {"A": -11, "B": 0}
    assert points(3, ALL, A=[], B=[4]) == {"A": -21, "B": 0}
    assert points(3, ALL, A=[], B=[], C=[3, 5], D=[2, 4, 8])["A"] == -12
    assert points(3, A=[], B=[], C=[3, 5], D=[2, 4, 8])["A"] == -11
    assert points(1, ALL, A=[], B=[], C=[4]) == points(1, A=[], B=[], C=[4])
    assert "R-MEDINA-19" in rules_of(3, "B", ALL, A=[], B=[4])


def test_r_medina_19_with_the_option_all_nothing_changes_while_everybody_has_one() -> None:
    """R-MEDINA-19 is about players without a Medina only."""
    built = {"A": [2], "B": [3, 4], "C": [5, 6, 7]}
    assert score_medinas(3, built, options=ALL).points == score_medinas(3, built).points


def test_the_docs_say_where_the_forum_text_is_not_followed() -> None:
    """R-MEDINA-19 and R-MEDINA-20 are explained where they are decided."""
    from carcassonne.alhambra import buildings, medina

    assert "R-MEDINA-19" in str(medina.__doc__)
    assert "R-MEDINA-20" in str(medina.__doc__)
    assert "R-MEDINA-20" in str(buildings.__doc__)


# ------------------------------------------------------------------------------ other rules


def test_r_medina_8_price_breaks_no_tie_of_players_without() -> None:
    """R-MEDINA-8: who owns no Medina has no dearest one; those players share."""
    score = score_medinas(2, {"A": [], "B": [], "C": [9]})
    assert score.of("A").places == score.of("B").places == (1, 2)
    assert "R-MEDINA-7" not in rules_of(2, "A", A=[], B=[], C=[9])


def test_r_medina_9_unpenalised_places_count_nothing_in_the_split() -> None:
    """R-MEDINA-9: four without in round 2 share 6 + 3 + 0 + 0."""
    assert points(2, A=[], B=[], C=[], D=[], E=[4])["A"] == -5
    assert "R-MEDINA-9" in rules_of(2, "A", A=[], B=[], C=[], D=[], E=[4])


@pytest.mark.parametrize(("number", "extra"), [(1, 1), (2, 2), (3, 3)])
def test_r_medina_10_the_extra_of_each_round(number: int, extra: int) -> None:
    """R-MEDINA-10: each player without loses 1, 2 or 3 on top."""
    items = score_medinas(number, {"A": [], "B": [4]}).of("A").items
    assert [(item.points, item.rules) for item in items[1:]] == [(-extra, ("R-MEDINA-10",))]


@pytest.mark.parametrize(("number", "loss"), [(1, 4), (2, 8), (3, 12)])
def test_r_medina_12_one_player_without(number: int, loss: int) -> None:
    """R-MEDINA-12: the worst place and the extra; the others take the next places."""
    built = {"A": [], "B": [4], "C": [5, 6], "D": [7, 8, 9]}
    others = {1: [0, 0, 0], 2: [-3, 0, 0], 3: [-6, -3, 0]}[number]
    assert list(score_medinas(number, built).points.values()) == [-loss, *others]
    assert "R-MEDINA-12" in rules_of(number, "A", **built)


@pytest.mark.parametrize(
    ("number", "losses"),
    [(1, [4, 3, 2, 2, 2, 2]), (2, [8, 7, 5, 5, 4, 4]), (3, [12, 11, 9, 8, 7, 6])],
)
def test_r_medina_13_the_loss_by_number_of_players_without(number: int, losses: list[int]) -> None:
    """R-MEDINA-13: the table for one to six players without a Medina."""
    for count, loss in enumerate(losses, 1):
        built: Built = {player: [] for player in "ABCDEF"[:count]}
        if count < 6:
            built["X"] = [4]
        assert score_medinas(number, built).points["A"] == -loss


def test_r_medina_14_the_places_that_are_left_go_to_owners() -> None:
    """R-MEDINA-14: in the order of their ranks."""
    assert points(3, A=[], B=[4], C=[9], D=[2, 3]) == {"A": -12, "B": -6, "C": -3, "D": 0}
    assert "R-MEDINA-14" in rules_of(3, "B", A=[], B=[4], C=[9], D=[2, 3])


def test_r_medina_22_more_places_than_players() -> None:
    """R-MEDINA-22: with two players the leader loses 6 in round 3."""
    assert points(3, A=[2], B=[3, 4]) == {"A": -9, "B": -6}
    assert points(2, A=[2], B=[3, 4]) == {"A": -6, "B": -3}


def test_r_medina_23_equal_numbers_and_equal_dearest() -> None:
    """R-MEDINA-23: the next dearest decide; who is equal in all shares, rounded up."""
    assert points(3, A=[7, 5], B=[7, 3], C=[2]) == {"A": -3, "B": -6, "C": -9}
    assert points(3, A=[7, 5], B=[5, 7], C=[2]) == {"A": -5, "B": -5, "C": -9}
    assert points(3, SHARE, A=[7, 5], B=[7, 3], C=[2]) == {"A": -5, "B": -5, "C": -9}
    assert points(3, SHARE, A=[8, 2], B=[7, 3], C=[2]) == {"A": -3, "B": -6, "C": -9}
    assert "R-MEDINA-23" in rules_of(3, "A", A=[7, 5], B=[7, 3], C=[2])


def test_r_medina_23_no_extra_for_owners_who_share() -> None:
    """R-MEDINA-23, R-MEDINA-10: sharing owners have a Medina, so they lose no extra."""
    assert points(1, A=[7], B=[7]) == {"A": -2, "B": -2}


def test_r_medina_25_totals_may_go_below_0_or_not() -> None:
    """R-MEDINA-25: by default they may; otherwise a loss stops at 0."""
    built: Built = {"A": [], "B": [], "C": [3, 5], "D": [2, 4, 8]}
    totals = {"A": 4, "B": 20, "C": 3, "D": 0}
    free = score_medinas(3, built, totals=totals)
    assert [score.total for score in free.players] == [-7, 9, 0, 0]
    floored = score_medinas(3, built, totals=totals, options=NO_DEBT)
    assert floored.points == {"A": -4, "B": -11, "C": -3, "D": 0}
    assert [score.total for score in floored.players] == [0, 9, 0, 0]
    assert floored.of("A").items[-1].rules == ("R-MEDINA-25",)
    assert floored.of("A").items[-1].points == 7


def test_r_medina_26_rounding_up_means_a_larger_loss_before_the_extra() -> None:
    """R-MEDINA-26: 1.5 is 2, 4.5 is 5, 7.5 is 8, and then the extra."""
    for number, share in ((1, 2), (2, 5), (3, 8)):
        first, extra = score_medinas(number, {"A": [], "B": [], "C": [4]}).of("A").items
        assert first.points == -share
        assert "R-MEDINA-26" in first.rules
        assert extra.points == -number


def test_r_medina_24_any_prices_are_taken() -> None:
    """R-MEDINA-24: prices are input; the examples' 2, 4, 5, 6 and 8 are among the possible."""
    assert points(1, A=[1], B=[999]) == {"A": -3, "B": 0}


# ------------------------------------------------------------------------------ edge cases


def test_ec_m_01_tie_broken_by_the_dearest_in_round_3() -> None:
    assert points(3, A=[8, 2, 3], B=[7, 4, 5], C=[9]) == {"A": -3, "B": -6, "C": -9}
    assert points(3, A=[8, 2, 3], B=[7, 4, 5], C=[9, 10]) == {"A": -3, "B": -6, "C": -9}


def test_ec_m_02_two_without_two_with_in_round_3() -> None:
    assert points(3, A=[], B=[], C=[6, 7], D=[2, 3, 4]) == {"A": -11, "B": -11, "C": -3, "D": 0}


def test_ec_m_03_four_and_five_against_two_and_six() -> None:
    assert points(1, me=[5, 4], you=[6, 2]) == {"me": -3, "you": 0}


def test_ec_m_04_two_without_in_round_1() -> None:
    assert points(1, A=[], B=[], C=[2], D=[3]) == {"A": -3, "B": -3, "C": 0, "D": 0}


def test_ec_m_05_two_without_in_round_2() -> None:
    assert points(2, A=[], B=[], C=[2], D=[3]) == {"A": -7, "B": -7, "C": 0, "D": 0}


def test_ec_m_06_counts_0_1_2_and_more_in_round_3() -> None:
    assert points(3, A=[], B=[2], C=[3, 4], D=[5, 6, 7]) == {"A": -12, "B": -6, "C": -3, "D": 0}


def test_ec_m_08_one_without_in_round_1() -> None:
    assert points(1, A=[], B=[2], C=[3]) == {"A": -4, "B": 0, "C": 0}


def test_ec_m_09_three_without_in_round_3() -> None:
    assert points(3, A=[], B=[], C=[], D=[2]) == {"A": -9, "B": -9, "C": -9, "D": 0}


@pytest.mark.parametrize("count", [3, 4, 5, 6])
def test_ec_m_12_three_or_more_without_in_round_1(count: int) -> None:
    built: Built = {player: [] for player in "ABCDEF"[:count]}
    assert set(score_medinas(1, built).points.values()) == {-2}


def test_ec_m_14_two_players_both_without_in_round_3() -> None:
    assert points(3, A=[], B=[]) == {"A": -11, "B": -11}


def test_ec_m_17_the_literal_sentence_would_clash_with_the_rulebook() -> None:
    assert points(3, ALL, A=[], B=[], C=[6, 7], D=[2, 3, 4])["A"] == -12
    assert points(3, A=[], B=[], C=[6, 7], D=[2, 3, 4])["A"] == -11
    assert MedinaOptions().medina_zero_pool == "places"


# M-18 (a Medina in reserve counts as none) is played in test_market.py.


def test_ec_m_19_equal_dearest_compares_the_next() -> None:
    assert points(1, A=[5, 7], B=[3, 7]) == {"A": 0, "B": -3}


# ------------------------------------------------------------------------------ properties


@given(rounds, tables(), options_values)
def test_every_loss_is_what_counting_from_the_players_seat_gives(
    number: int, built: Built, options: MedinaOptions
) -> None:
    score = score_medinas(number, built, options=options)
    assert score.points == {p: -loss_by_counting(number, built, p, options) for p in built}


@given(rounds, tables(), options_values)
def test_penalties_sum_to_the_places_plus_rounding_and_extras(
    number: int, built: Built, options: MedinaOptions
) -> None:
    score = score_medinas(number, built, options=options)
    without = sum(not medinas for medinas in built.values())
    taken = PENALTIES[number][: len(built)]
    if options.medina_zero_pool == "all" and without:
        taken = PENALTIES[number]
    rounding = -sum(score.points.values()) - sum(taken) - without * EXTRA[number]
    shared = sum(len(player.places) > 1 for player in score.players)
    assert 0 <= rounding <= max(0, shared - 1)


@given(rounds, tables(), options_values, st.randoms(use_true_random=False))
def test_the_order_of_players_and_of_prices_never_matters(
    number: int, built: Built, options: MedinaOptions, rng: object
) -> None:
    expected = score_medinas(number, built, options=options).points
    for order in list(permutations(built))[:24]:
        shuffled = {player: built[player][::-1] for player in order}
        assert score_medinas(number, shuffled, options=options).points == expected
        assert list(score_medinas(number, shuffled, options=options).points) == list(order)


@given(rounds, tables(most=MEDINAS - 1), options_values, st.data())
def test_who_builds_one_more_medina_never_loses_more(
    number: int, built: Built, options: MedinaOptions, data: st.DataObject
) -> None:
    player = data.draw(st.sampled_from(sorted(built)))
    more = {**built, player: [*built[player], data.draw(prices)]}
    before = score_medinas(number, built, options=options).points[player]
    assert score_medinas(number, more, options=options).points[player] >= before


@given(rounds, different_counts(), options_values)
def test_no_result_depends_on_prices_when_counts_differ(
    number: int, both: tuple[Built, Built], options: MedinaOptions
) -> None:
    one, other = both
    assert (
        score_medinas(number, one, options=options).points
        == score_medinas(number, other, options=options).points
    )


@given(rounds, tables(), options_values)
def test_places_are_handed_out_once_and_reasons_add_up(
    number: int, built: Built, options: MedinaOptions
) -> None:
    score = score_medinas(number, built, options=options)
    groups = {player.places for player in score.players}
    assert sorted(place for group in groups for place in group) == list(range(1, len(built) + 1))
    for player in score.players:
        assert player.items
        assert sum(item.points for item in player.items) == player.points <= 0
        assert all(re.fullmatch(r"R-MEDINA-\d+", rule) for i in player.items for rule in i.rules)


@given(rounds, tables(), st.data())
def test_without_debts_nobody_loses_more_than_there_is(
    number: int, built: Built, data: st.DataObject
) -> None:
    totals = {player: data.draw(st.integers(0, 15)) for player in built}
    free = score_medinas(number, built).points
    score = score_medinas(number, built, options=NO_DEBT, totals=totals)
    assert score.points == {player: max(free[player], -totals[player]) for player in built}


# ------------------------------------------------------------------------------ refusals


@pytest.mark.parametrize("number", [0, 4, -1, True, "3", None])
def test_there_are_only_three_rounds(number: object) -> None:
    with pytest.raises(MedinaError, match="round"):
        score_medinas(number, {"A": [], "B": []})  # type: ignore[arg-type]


@pytest.mark.parametrize("count", [0, 1, 7])
def test_two_to_six_players(count: int) -> None:
    with pytest.raises(MedinaError, match=f"two to six players are needed, not {count}"):
        score_medinas(1, {player: [] for player in "ABCDEFG"[:count]})


@pytest.mark.parametrize("name", ["", "a b", " a", "a\n", "\udcff", 3])
def test_a_player_needs_a_name(name: object) -> None:
    with pytest.raises(MedinaError, match="is no name"):
        score_medinas(1, {name: [], "B": []})  # type: ignore[dict-item]


@pytest.mark.parametrize("price", [0, -3, 1000, 2.0, True, "4", None])
def test_a_price_is_a_whole_number_from_1_to_999(price: object) -> None:
    with pytest.raises(MedinaError, match=r"player A: .*pric"):
        score_medinas(1, {"A": [price], "B": []})  # type: ignore[list-item]


def test_r_medina_1_no_more_than_nine_medinas() -> None:
    """R-MEDINA-1: there are nine tiles."""
    assert points(1, A=[2] * 5, B=[3] * 4)
    with pytest.raises(MedinaError, match="only 9 Medinas, not 10"):
        points(1, A=[2] * 5, B=[3] * 5)


def test_totals_are_checked() -> None:
    with pytest.raises(MedinaError, match="'C', who doesn't play"):
        score_medinas(1, {"A": [], "B": []}, totals={"C": 1})
    with pytest.raises(MedinaError, match="total of B is needed"):
        score_medinas(1, {"A": [], "B": []}, totals={"A": 1}, options=NO_DEBT)
    with pytest.raises(MedinaError, match="total of B can't be -1"):
        score_medinas(1, {"A": [], "B": []}, totals={"A": 1, "B": -1}, options=NO_DEBT)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("medina_zero_pool=some", "can't be 'some': it is places or all"),
        ("medina_zero_pool", "can't be ''"),
        ("medina_allow_negative_total=True", "it is true or false"),
        ("zero_pool=all", "option 'zero_pool' is unknown"),
        ("", "option '' is unknown"),
    ],
)
def test_options_as_text_are_checked(text: str, message: str) -> None:
    with pytest.raises(MedinaError, match=re.escape(message)):
        MedinaOptions.parse([text])


def test_options_as_text_and_back() -> None:
    for options in [*EVERY_OPTION, NO_DEBT]:
        texts = [f"{name}={value}" for name, value in options.as_texts().items()]
        assert MedinaOptions.parse(texts) == options
    with pytest.raises(MedinaError, match="given twice"):
        MedinaOptions.parse(["medina_zero_pool=all", "medina_zero_pool=all"])
    with pytest.raises(MedinaError, match="medina_final_tie can't be 'toss'"):
        MedinaOptions(medina_final_tie="toss")


def test_the_error_is_one_of_the_packages_and_a_value_error() -> None:
    assert issubclass(MedinaError, CarcassonneError)
    assert issubclass(MedinaError, ValueError)
    with pytest.raises(MedinaError, match="no player 'X'"):
        score_medinas(1, {"A": [], "B": []}).of("X")


# ------------------------------------------------------------------------------ the dossier


def test_every_medina_rule_is_cited_by_a_test() -> None:
    cited: set[int] = set()
    for path in Path(__file__).parent.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                text = ast.get_docstring(node) or ""
                cited |= {int(number) for number in re.findall(r"R-MEDINA-(\d+)", text)}
    assert cited == set(range(1, 27))
