"""Schedules: who meets whom, in which seats and over which stacks."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from typing import TYPE_CHECKING

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from carcassonne.arena.config import Entrant
from carcassonne.arena.results import GameResult
from carcassonne.arena.schedule import bracket, champion_of, game_number, schedule_of
from tests.arena.helpers import reading

if TYPE_CHECKING:
    from carcassonne.arena.config import Format, Tournament
    from carcassonne.arena.schedule import Unit

BASIS = reading().tournament


def tournament(
    form: Format, bots: int, *, players: int = 2, units: int = 1, rounds: int = 0
) -> Tournament:
    entrants = tuple(Entrant(f"b{i}", "random") for i in range(bots))
    return msgspec.structs.replace(
        BASIS, format=form, bots=entrants, players=players, games=units * players, rounds=rounds
    )


def results_of(
    t: Tournament, units: list[Unit], strength: list[float], seed: int
) -> list[GameResult]:
    """Results that follow strengths, with some luck, and forfeits now and then."""
    rng = random.Random(seed)
    found = []
    for unit in units:
        for task in unit.tasks():
            points = tuple(int(strength[bot] + rng.randrange(4)) for bot in task.bots)
            culprit = rng.randrange(2) if rng.random() < 0.1 else None
            names = tuple(t.labels[bot] for bot in task.bots)
            verdict = "normal" if culprit is None else "crash"
            found.append(GameResult(task.unit, task.turn, names, points, verdict, culprit))
    return found


def rounds_of(t: Tournament, seed: int = 0) -> tuple[list[list[Unit]], list[GameResult]]:
    """Play a schedule through; results arrive in a shuffled order."""
    schedule = schedule_of(t)
    rng = random.Random(seed)
    strength = [rng.random() * 8 for _ in t.bots]
    results: list[GameResult] = []
    rounds: list[list[Unit]] = []
    while (units := schedule.units(len(rounds), results)) is not None:
        rounds.append(list(units))
        results += results_of(t, rounds[-1], strength, seed)
        rng.shuffle(results)
    assert len(results) == schedule.planned
    numbers = [unit.number for units in rounds for unit in units]
    assert numbers == list(range(len(numbers)))
    return rounds, results


@given(
    st.integers(2, 7),
    st.integers(2, 6),
    st.integers(1, 3),
    st.sampled_from(["round-robin", "gauntlet"]),
)
def test_every_table_meets_equally_and_everybody_sits_in_every_seat(
    bots: int, players: int, units: int, form: Format
) -> None:
    players = min(players, bots)
    t = tournament(form, bots, players=players, units=units)
    (only,), _ = rounds_of(t)
    tables = Counter(unit.bots for unit in only)
    expected = (
        math.comb(bots, players) if form == "round-robin" else math.comb(bots - 1, players - 1)
    )
    assert len(tables) == expected
    assert set(tables.values()) == {units}
    if form == "gauntlet":
        assert all(0 in table for table in tables)
    for unit in only:
        tasks = list(unit.tasks())
        assert [task.turn for task in tasks] == list(range(players))
        seats = Counter((bot, seat) for task in tasks for seat, bot in enumerate(task.bots))
        assert seats == {(bot, seat): 1 for bot in unit.bots for seat in range(players)}
        assert len({task.deal for task in tasks}) == 1
        numbers = [game_number(task.unit, task.turn, players) for task in tasks]
        assert numbers == list(range(unit.number * players, (unit.number + 1) * players))
    deals = {table: {unit.deal for unit in only if unit.bots == table} for table in tables}
    assert all(found == set(range(units)) for found in deals.values())


@given(st.integers(2, 12), st.data())
def test_swiss(bots: int, data: st.DataObject) -> None:
    most = bots - 1 + bots % 2
    rounds = data.draw(st.integers(1, most))
    t = tournament("swiss", bots, units=2, rounds=rounds)
    played, _ = rounds_of(t, seed=data.draw(st.integers(0, 99)))
    assert len(played) == rounds
    byes = Counter(range(bots))
    for units in played:
        pairs = {unit.bots for unit in units}
        seen = [bot for pair in pairs for bot in pair]
        assert len(seen) == len(set(seen)) == bots - bots % 2
        byes.subtract(seen)
    sat_out = [rounds + byes[bot] - 1 for bot in range(bots)]
    assert sum(sat_out) == rounds * (bots % 2)
    assert max(sat_out) <= 1


def test_swiss_lets_equals_meet_and_nobody_twice_in_few_rounds() -> None:
    t = tournament("swiss", 8, units=1, rounds=3)
    schedule = schedule_of(t)
    results: list[GameResult] = []
    seen: set[tuple[int, ...]] = set()
    for number in range(3):
        units = list(schedule.units(number, results) or [])
        pairs = {unit.bots for unit in units}
        assert not pairs & seen
        seen |= pairs
        for unit in units:  # who stands first in the list always wins
            for task in unit.tasks():
                points = tuple(100 - bot for bot in task.bots)
                names = tuple(t.labels[bot] for bot in task.bots)
                results.append(GameResult(task.unit, task.turn, names, points))
    wins = Counter(game.bots[game.points.index(max(game.points))] for game in results)
    assert wins["b0"] == 6
    assert wins["b7"] == 0


@given(st.integers(2, 12), st.integers(0, 99))
def test_knockout(bots: int, seed: int) -> None:
    t = tournament("knockout", bots)
    played, results = rounds_of(t, seed)
    assert len(played) == math.ceil(math.log2(bots))
    assert len(played[-1]) == 1
    lost: Counter[str] = Counter()
    for units in played:
        for unit in units:
            games = [game for game in results if game.unit == unit.number]
            one, other = (t.labels[bot] for bot in unit.bots)
            lead = margin = 0
            for game in games:
                seat = game.bots.index(one)
                mine, its = game.points[seat], game.points[1 - seat]
                if game.culprit is None:
                    lead += (mine > its) - (mine < its)
                    margin += mine - its
                else:
                    lead += 1 if game.culprit != seat else -1
            lost[other if (lead, margin) >= (0, 0) else one] += 1
    assert sorted(lost.values()) == [1] * (bots - 1)
    assert set(t.labels) - set(lost) == {champion_of(t, results)}
    for before, after in itertools.pairwise(played):
        out = {t.labels[bot] for unit in before for bot in unit.bots} & set(lost)
        assert len(out) >= len(before)
        assert all(lost[t.labels[bot]] <= 1 for unit in after for bot in unit.bots)


def test_the_bracket_keeps_the_first_apart() -> None:
    assert bracket(8) == [0, 7, 3, 4, 1, 6, 2, 5]
    assert bracket(5) == [0, None, 3, 4, 1, None, 2, None]
    assert bracket(2) == [0, 1]


@pytest.mark.parametrize("form", ["swiss", "knockout"])
def test_rounds_don_t_depend_on_the_order_of_results(form: Format) -> None:
    t = tournament(form, 7, units=2, rounds=4 if form == "swiss" else 0)
    _, results = rounds_of(t, seed=3)
    schedule = schedule_of(t)
    for number in range(3):
        expected = list(
            schedule.units(number, sorted(results, key=lambda g: (g.unit, g.turn))) or []
        )
        assert list(schedule.units(number, results) or []) == expected
