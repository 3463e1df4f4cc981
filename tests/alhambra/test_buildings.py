"""The ordinary buildings: the scoring card, pooled ties, and a whole round with Medinas last."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carcassonne.alhambra.buildings import CARD, KINDS, score_buildings, score_round
from carcassonne.alhambra.medina import MedinaError, MedinaOptions

Built = dict[str, dict[str, int]]


@st.composite
def palaces(draw: st.DrawFn) -> Built:
    players = "ABCDEF"[: draw(st.integers(2, 6))]
    counts = st.dictionaries(st.sampled_from(KINDS), st.integers(0, 5))
    return {player: draw(counts) for player in players}


def test_r_medina_20_the_scoring_card() -> None:
    """R-MEDINA-20: in round 1 the tower pays 6; the 8 of the forum text is round 2's pavilion."""
    assert [CARD[1][kind] for kind in KINDS] == [(1,), (2,), (3,), (4,), (5,), (6,)]
    assert [CARD[2][kind][0] for kind in KINDS] == [8, 9, 10, 11, 12, 13]
    assert [CARD[2][kind][1] for kind in KINDS] == [1, 2, 3, 4, 5, 6]
    assert [CARD[3][kind][0] for kind in KINDS] == [16, 17, 18, 19, 20, 21]
    assert [CARD[3][kind][1] for kind in KINDS] == [8, 9, 10, 11, 12, 13]
    assert [CARD[3][kind][2] for kind in KINDS] == [1, 2, 3, 4, 5, 6]
    assert KINDS == ("pavilion", "seraglio", "arcades", "chambers", "garden", "tower")
    assert score_buildings(1, {"A": {"tower": 1}, "B": {}}).points == {"A": 6, "B": 0}


def test_r_medina_21_one_two_or_three_players_score_in_each_kind() -> None:
    """R-MEDINA-21: most; the two with most; the three with most."""
    built = {player: {"garden": count} for player, count in zip("ABCD", (1, 4, 2, 3), strict=True)}
    assert score_buildings(1, built).points == {"A": 0, "B": 5, "C": 0, "D": 0}
    assert score_buildings(2, built).points == {"A": 0, "B": 12, "C": 0, "D": 5}
    assert score_buildings(3, built).points == {"A": 0, "B": 20, "C": 5, "D": 12}


def test_r_medina_21_ties_pool_the_places_and_round_down() -> None:
    """R-MEDINA-21: shares are rounded down, losses of Medinas up."""
    built = {"A": {"pavilion": 2}, "B": {"pavilion": 2}, "C": {"pavilion": 1}}
    assert score_buildings(1, built).points == {"A": 0, "B": 0, "C": 0}
    assert score_buildings(2, built).points == {"A": 4, "B": 4, "C": 0}
    assert score_buildings(3, built).points == {"A": 12, "B": 12, "C": 1}
    three = {player: {"tower": 1} for player in "ABC"}
    assert score_buildings(3, three).points == {"A": 13, "B": 13, "C": 13}
    second = {"A": {"tower": 2}, "B": {"tower": 1}, "C": {"tower": 1}, "D": {"tower": 1}}
    assert score_buildings(3, second).points == {"A": 21, "B": 6, "C": 6, "D": 6}


def test_nobody_scores_a_kind_without_a_building_of_it() -> None:
    assert score_buildings(3, {"A": {"tower": 1}, "B": {"tower": 0}}).points == {"A": 21, "B": 0}
    assert score_buildings(3, {"A": {}, "B": {}}).items == {"A": (), "B": ()}


def test_items_say_kind_place_and_split() -> None:
    built = {"A": {"pavilion": 2}, "B": {"pavilion": 2}, "C": {"tower": 1}}
    items = score_buildings(2, built).items
    shared = "pavilion: most and second most, shared by A and B: 8 + 1, by 2, down to 4"
    assert str(items["A"][0]) == f"+4 {shared} (R-MEDINA-21)"
    assert str(items["C"][0]) == "+13 tower: most (R-MEDINA-21)"


def test_r_medina_5_a_round_scores_the_medinas_last() -> None:
    """R-MEDINA-5: what the buildings pay can be lost to the Medinas, even without debts."""
    options = MedinaOptions(medina_allow_negative_total=False)
    score = score_round(1, {"A": {"seraglio": 1}, "B": {}}, {"A": [], "B": [4]}, options=options)
    assert score.buildings.points == {"A": 2, "B": 0}
    assert score.medinas.points == {"A": -2, "B": 0}
    assert score.totals == {"A": 0, "B": 0}
    assert score.points == {"A": 0, "B": 0}


def test_r_medina_5_a_whole_round_comes_out() -> None:
    """R-MEDINA-5, R-MEDINA-16, R-MEDINA-21: buildings and the rulebook's example together."""
    kinds: Built = {"A": {"tower": 3}, "B": {"tower": 2, "garden": 1}, "C": {"garden": 1}, "D": {}}
    medinas: dict[str, list[int]] = {"A": [], "B": [], "C": [3, 5], "D": [2, 4, 8]}
    score = score_round(3, kinds, medinas, totals={"A": 10, "B": 0, "C": 1})
    assert score.buildings.points == {"A": 21, "B": 13 + 16, "C": 16, "D": 0}
    assert score.medinas.points == {"A": -11, "B": -11, "C": -3, "D": 0}
    assert score.totals == {"A": 20, "B": 18, "C": 14, "D": 0}


@given(st.sampled_from([1, 2, 3]), palaces())
def test_a_kind_never_pays_more_than_the_card_and_at_most_the_rounding_less(
    number: int, built: Built
) -> None:
    score = score_buildings(number, built)
    for kind in KINDS:
        owners = sum(kinds.get(kind, 0) > 0 for kinds in built.values())
        full = sum(CARD[number][kind][:owners])
        paid = sum(i.points for items in score.items.values() for i in items if kind in i.reason)
        assert full - owners < paid <= full or owners == paid == 0


@given(st.sampled_from([1, 2, 3]), palaces())
def test_the_order_of_players_never_matters(number: int, built: Built) -> None:
    reverse = {player: built[player] for player in reversed(built)}
    assert score_buildings(number, built).points == score_buildings(number, reverse).points


@given(st.sampled_from([1, 2, 3]), palaces(), st.sampled_from(KINDS))
def test_one_more_building_never_pays_less(number: int, built: Built, kind: str) -> None:
    more = {**built, "A": {**built["A"], kind: built["A"].get(kind, 0) + 1}}
    assert score_buildings(number, more).points["A"] >= score_buildings(number, built).points["A"]


def test_wrong_input_is_refused() -> None:
    with pytest.raises(MedinaError, match="no round 4"):
        score_buildings(4, {"A": {}, "B": {}})
    with pytest.raises(MedinaError, match="two to six"):
        score_buildings(1, {"A": {}})
    with pytest.raises(MedinaError, match="no kind of building is 'palace'"):
        score_buildings(1, {"A": {"palace": 1}, "B": {}})
    with pytest.raises(MedinaError, match="-1 is no number of tower"):
        score_buildings(1, {"A": {"tower": -1}, "B": {}})
    with pytest.raises(MedinaError, match="different players"):
        score_round(1, {"A": {}, "B": {}}, {"A": [], "C": []})
    with pytest.raises(MedinaError, match="'C', who doesn't play"):
        score_round(1, {"A": {}, "B": {}}, {"A": [], "B": []}, totals={"C": 0})
