"""Medina scoring: every case of the collected edge cases, both texts' examples, and properties.

Test names carry the id of the case (EC-M-…) or of the rule (R-MEDINA-…).
"""

from __future__ import annotations

import re
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carcassonne.alhambra import MedinaError, MedinaOptions, score_medinas
from carcassonne.alhambra.medina import EXTRA, PENALTIES
from carcassonne.rule_register import register

ALL = MedinaOptions(medina_zero_pool="all")
FLOOR = MedinaOptions(medina_allow_negative_total=False)
SHARE = MedinaOptions(medina_final_tie="share")

if TYPE_CHECKING:
    from collections.abc import Callable

CASES: dict[str, tuple[int, dict[str, list[int]], dict[str, int]]] = {
    "EC-M-01": (3, {"A": [8, 2, 3], "B": [7, 4, 5], "C": [6]}, {"A": -3, "B": -6, "C": -9}),
    "EC-M-02": (3, {"A": [], "B": [], "C": [3, 5], "D": [2, 4, 8]},
                {"A": -11, "B": -11, "C": -3, "D": 0}),
    "EC-M-03": (1, {"me": [4, 5], "you": [2, 6]}, {"me": -3, "you": 0}),
    "EC-M-04": (1, {"A": [], "B": [], "C": [2]}, {"A": -3, "B": -3, "C": 0}),
    "EC-M-05": (2, {"A": [], "B": [], "C": [2]}, {"A": -7, "B": -7, "C": 0}),
    "EC-M-06": (3, {"A": [], "B": [2], "C": [3, 4], "D": [5, 6, 7]},
                {"A": -12, "B": -6, "C": -3, "D": 0}),
    "EC-M-08": (1, {"A": [], "B": [2], "C": [3]}, {"A": -4, "B": 0, "C": 0}),
    "EC-M-09": (3, {"A": [], "B": [], "C": [], "D": [2]}, {"A": -9, "B": -9, "C": -9, "D": 0}),
    "EC-M-12": (1, {"A": [], "B": [], "C": [], "D": [2]}, {"A": -2, "B": -2, "C": -2, "D": 0}),
    "EC-M-14": (3, {"A": [], "B": []}, {"A": -11, "B": -11}),
    "EC-M-19": (1, {"A": [5, 7], "B": [3, 7]}, {"A": 0, "B": -3}),
    "R-MEDINA-22": (3, {"A": [2], "B": [3, 4, 5]}, {"A": -9, "B": -6}),
    "R-MEDINA-15": (3, {"A": [8, 3, 2], "B": [4, 5, 6], "C": [9, 7]},
                    {"A": -3, "B": -6, "C": -9}),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_case(case: str) -> None:
    """The numbers of the case."""
    number, built, expected = CASES[case]
    assert score_medinas(number, built).points == expected


def test_ec_m_17_r_medina_19_the_literal_sentence_is_an_option() -> None:
    """Read literally, two without lose 12 each in round 3; by default 11, as the rulebook says."""
    built = {"A": [], "B": [], "C": [3, 5], "D": [2, 4, 8]}
    assert score_medinas(3, built, options=ALL).points == {"A": -12, "B": -12, "C": 0, "D": 0}
    assert score_medinas(3, built).points["A"] == -11
    alone: dict[str, list[int]] = {"A": [], "B": [2], "C": [3, 4]}
    assert score_medinas(2, alone, options=ALL).points["A"] == -11
    assert score_medinas(3, alone, options=ALL).points["A"] == -21


def test_ec_m_18_r_medina_4_reserved_medinas_are_not_given() -> None:
    """A Medina in the reserve counts as none."""
    assert score_medinas(1, {"A": [], "B": [4]}).points == {"A": -4, "B": 0}


@pytest.mark.parametrize("without", range(1, 7))
@pytest.mark.parametrize("number", [1, 2, 3])
def test_r_medina_13_table_of_players_without(number: int, without: int) -> None:
    """The table of losses by round and number of players without a Medina (R-MEDINA-11, 12)."""
    table = {1: (4, 3, 2, 2, 2, 2), 2: (8, 7, 5, 5, 4, 4), 3: (12, 11, 9, 8, 7, 6)}
    built: dict[str, list[int]] = {f"P{i}": [] for i in range(without)}
    for i in range(without, max(without, 2)):
        built[f"P{i}"] = [2 + i]
    assert score_medinas(number, built).points["P0"] == -table[number][without - 1]


def test_r_medina_8_the_tie_rule_is_only_among_owners() -> None:
    """Players without a Medina share; nothing is compared (R-MEDINA-9)."""
    scored = score_medinas(2, {"A": [], "B": [], "C": [2], "D": [5]})
    assert scored.of("A").items == scored.of("B").items
    assert scored.of("A").places == (1, 2)


def test_r_medina_23_equal_in_all_shares_the_places_rounded_up() -> None:
    """Prices that are equal throughout share 3 in round 1: 2 each (R-MEDINA-26)."""
    assert score_medinas(1, {"A": [7, 3], "B": [7, 3]}).points == {"A": -2, "B": -2}
    assert score_medinas(1, {"A": [7, 5], "B": [7, 3]}, options=SHARE).points == {"A": -2, "B": -2}


def test_r_medina_25_totals_can_stop_at_zero() -> None:
    """With the option a player loses no more than there is, and never gains by it."""
    built: dict[str, list[int]] = {"A": [], "B": [4], "C": [5, 6]}
    scored = score_medinas(3, built, options=FLOOR, totals={"A": 5, "B": 0, "C": 9})
    assert [score.total for score in scored.players] == [0, 0, 6]
    assert scored.points == {"A": -5, "B": 0, "C": -3}
    assert score_medinas(3, built, totals={"A": 5}).of("A").total == -7


def test_every_item_explains_itself_with_registered_rules() -> None:
    """The items add up, and the rules they name are in the register (R-MEDINA-14, 18)."""
    for number, built, _ in CASES.values():
        for score in score_medinas(number, built).players:
            assert sum(item.points for item in score.items) == score.points
            for item in score.items:
                assert item.reason
                assert item.rules
                assert all(rule in register() for rule in item.rules)


BAD: dict[str, Callable[[], object]] = {
    "round": lambda: score_medinas(4, {"A": [], "B": []}),
    "two to six": lambda: score_medinas(1, {"A": []}),
    "seven": lambda: score_medinas(1, {f"P{i}": [] for i in range(7)}),
    "price": lambda: score_medinas(1, {"A": [0], "B": []}),
    "nine": lambda: score_medinas(1, {"A": [1] * 10, "B": []}),
    "option": lambda: MedinaOptions(medina_zero_pool="none"),
    "unknown": lambda: MedinaOptions.parse(["medina=1"]),
    "twice": lambda: MedinaOptions.parse(["medina_zero_pool=all", "medina_zero_pool=all"]),
    "totals": lambda: score_medinas(1, {"A": [], "B": []}, options=FLOOR),
    "nobody": lambda: score_medinas(1, {"A": [], "B": []}, totals={"Z": 1}),
    "name": lambda: score_medinas(1, {"A B": [], "B": []}),
}


@pytest.mark.parametrize("what", BAD)
def test_bad_input_is_one_clear_error(what: str) -> None:
    """Every wrong call is a MedinaError in one line."""
    with pytest.raises(MedinaError) as error:
        BAD[what]()
    assert "\n" not in str(error.value)


# ------------------------------------------------------------------------------ properties

Built = dict[str, list[int]]


@st.composite
def tables(draw: st.DrawFn, *, some: bool = False) -> Built:
    """Two to six players who share out up to nine Medinas with different prices."""
    count = draw(st.integers(2, 6))
    prices = draw(st.lists(st.integers(1, 30), unique=True, max_size=9))
    built: Built = {f"P{i}": [] for i in range(count)}
    for price in prices:
        built[f"P{draw(st.integers(0, count - 1))}"].append(price)
    if some:
        for i, name in enumerate(built):
            built[name] = built[name] or [40 + i]
        while sum(map(len, built.values())) > 9:
            max(built.values(), key=len).pop()
    return built


rounds = st.sampled_from((1, 2, 3))


@given(rounds, tables())
def test_penalties_sum_to_what_the_places_say(number: int, built: Built) -> None:
    """All penalties are paid, as far as there are places, plus rounding and extras."""
    scored = score_medinas(number, built)
    without = sum(not medinas for medinas in built.values())
    places = sum(PENALTIES[number][: len(built)])
    lost = -sum(scored.points.values()) - without * EXTRA[number]
    assert places <= lost < places + max(1, without)


@given(rounds, tables())
def test_order_of_players_never_matters(number: int, built: Built) -> None:
    """Any seating gives every player the same loss."""
    expected = score_medinas(number, built).points
    for order in list(permutations(built))[:24]:
        shuffled = {name: list(reversed(built[name])) for name in order}
        assert score_medinas(number, shuffled).points == expected


@given(rounds, tables(), st.data())
def test_one_more_medina_never_costs(number: int, built: Built, data: st.DataObject) -> None:
    """Building one more never makes the builder lose more."""
    if sum(map(len, built.values())) == 9:
        built[max(built, key=lambda name: len(built[name]))].pop()
    name = data.draw(st.sampled_from(sorted(built)))
    taken = {price for prices in built.values() for price in prices}
    price = data.draw(st.integers(1, 60).filter(lambda p: p not in taken))
    before = score_medinas(number, built).points[name]
    after = score_medinas(number, {**built, name: [*built[name], price]}).points[name]
    assert after >= before


@given(rounds, st.permutations([0, 1, 2, 3]), st.data())
def test_prices_are_nothing_when_counts_differ(
    number: int, counts: list[int], data: st.DataObject
) -> None:
    """With different numbers of Medinas, any prices give the same result."""
    results = []
    for _ in range(2):
        prices = iter(data.draw(st.permutations(list(range(1, 10)))))
        built = {f"P{i}": [next(prices) for _ in range(n)] for i, n in enumerate(counts)}
        results.append(score_medinas(number, built).points)
    assert results[0] == results[1]


@given(rounds, tables(some=True))
def test_r_medina_6_with_medinas_only_the_places_are_paid(number: int, built: Built) -> None:
    """Where everybody has a Medina, the losses are exactly the round's penalties, and 0."""
    losses = sorted(-points for points in score_medinas(number, built).points.values())
    expected = sorted([*PENALTIES[number][: len(built)]] + [0] * (len(built) - number))
    assert losses == expected


def test_every_medina_rule_is_cited() -> None:
    """Each of R-MEDINA-1 to 26 is named in the module, its docstrings or these tests."""
    root = Path(__file__).parents[2]
    texts = [p.read_text(encoding="utf-8") for p in (root / "carcassonne/alhambra").glob("*.py")]
    texts += [p.read_text(encoding="utf-8") for p in Path(__file__).parent.glob("*.py")]
    cited = set()
    for text in texts:
        for match in re.finditer(r"R-MEDINA-(\d+)((?:(?:, | and | to )\d+)*)", text):
            numbers = [int(match[1])]
            for joint, number in re.findall(r"(, | and | to )(\d+)", match[2]):
                numbers += range(
                    numbers[-1] + 1 if joint == " to " else int(number), int(number) + 1
                )
            cited.update(numbers)
    assert cited >= set(range(1, 27)), set(range(1, 27)) - cited
