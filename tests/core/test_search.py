"""The compiled search by itself: pruning, budgets, the tree's rooms, values."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carcassonne.bots.searching import known_stack, veiled
from carcassonne.core import COMPILED, layout
from carcassonne.core.game import CoreGame
from carcassonne.core.judge import Judge
from carcassonne.core.search import Search
from carcassonne.core.star import Star
from carcassonne.random_games import random_rules
from carcassonne.rules import Rules
from tests.strategies import examples


def middle(players: int, seed: int, left: int, rules: Rules | None = None) -> CoreGame:
    """A game that is at a decision other than trading, with so many tiles left at most."""
    game = CoreGame.new(list("ABCDEF")[:players], seed=seed, rules=rules)
    rng = random.Random(seed)
    while not game.is_over and (
        game.stack_left > left or game.engine.number(layout.PHASE) > layout.COLLECT
    ):
        game.play_number(rng.choice(game.move_numbers()))
    return game


def ready(game: CoreGame, seed: int = 1, **options: float) -> Search:
    """A search from where a game stands."""
    return Search(game.tables, veiled(game), seed, options=options)


# ------------------------------------------------------------------------------ star


@settings(max_examples=examples(14 if COMPILED else 3), deadline=None)
@given(
    st.integers(2, 4), st.integers(0, 10**6), st.integers(1, 3), st.booleans(), st.integers(0, 4)
)
def test_pruning_changes_no_value(
    players: int, seed: int, left: int, deep: bool, probes: int
) -> None:
    """Star1, Star2 and Star2.5 find what plain expectimax of the same depth finds."""
    game = middle(players, seed, left, random_rules(random.Random(seed)))
    if game.is_over:
        return
    depth = 3 if deep and left == 1 and COMPILED else 2
    plain = Star(game.tables, veiled(game), 0, prune=False)
    pruned = Star(game.tables, veiled(game), probes)
    for star in (plain, pruned):
        assert star.search(depth, -100) in game.move_numbers()
        assert not star.stopped
    assert pruned.value == pytest.approx(plain.value, abs=1e-9)


def test_pruning_saves_nodes() -> None:
    counts = [0, 0]
    for seed in range(3):
        game = middle(2, seed, 12 if COMPILED else 3)
        for prune in (False, True):
            star = Star(game.tables, veiled(game), 3, prune=prune)
            star.search(2, -100)
            counts[prune] += star.nodes
    assert 3 * counts[1] < 2 * counts[0]


def test_a_star_stops_at_its_nodes() -> None:
    game = middle(2, 2, 12)
    star = Star(game.tables, veiled(game))
    star.search(9, -100, 300)
    assert star.stopped
    assert 300 <= star.nodes < 300 + 400


# ------------------------------------------------------------------------------ halving


@pytest.mark.parametrize("budget", [7, 64, 500])
def test_halving_spends_its_budget_and_most_on_the_best(budget: int) -> None:
    game = middle(2, 3, 20)
    search = ready(game)
    spent = search.halve(budget)
    counts = sorted((tried for _, tried, _, _ in search.report()), reverse=True)
    assert spent == sum(counts) == search.simulations
    assert budget * 0.7 <= spent <= budget
    if budget == 500:
        assert counts[0] >= 4 * counts[-1]
        assert search.best_mean() in {
            move for move, tried, _, _ in search.report() if tried >= counts[1]
        }


# ------------------------------------------------------------------------------ the tree


def test_simulations_leave_the_engine_as_it_was_but_for_what_is_unseen() -> None:
    for players in (2, 3, 5):
        game = middle(players, players, 25)
        search = ready(game)
        assert search.matches(game.engine)
        search.run(60)
        search.halve(60)
        assert search.matches(game.engine)
        at = game.engine.shared.places["stack"]
        first, last = game.engine.number(layout.NEXT_TILE), game.engine.number(layout.STACK_SIZE)
        unseen = [search.engine.number(at + k) for k in range(first, last)]
        assert sorted(unseen) == known_stack(game)[first:]


def test_visits_add_up_and_means_are_chances() -> None:
    search = ready(middle(3, 4, 25))
    search.run(150)
    report = search.report()
    assert sum(tried for _, tried, _, _ in report) == 150
    assert all(mean is None or 0 <= mean <= 1 for _, _, mean, _ in report)
    assert sum(prior for *_, prior in report) == pytest.approx(1)
    assert search.best() == max(report, key=lambda row: row[1])[0]


def test_the_tree_is_limited_and_does_not_leak_from_move_to_move() -> None:
    """A full tree still counts; what lies behind other moves is dropped on the way."""
    game = CoreGame.new(["A", "B"], seed=5)
    search = ready(game, limit=120)
    for _ in range(12):
        search.run(150)
        nodes, edges = search.size()
        assert nodes <= 120
        assert edges <= 120 * 14 + 64 * 12
        move = search.best()
        game.play_number(move)
        kept = search.advance([move], known_stack(game))
        assert search.matches(game.engine)
        assert kept <= 150 * 12
        assert search.size()[0] < 120
        assert search.best() in game.move_numbers()
    assert search.memory() < 400_000


def test_going_on_keeps_exactly_what_was_found_behind_the_move() -> None:
    game = middle(2, 6, 30)
    while game.engine.number(layout.PHASE) != layout.PLACE or len(game.move_numbers()) < 3:
        game.play_number(game.move_numbers()[0])
    search = ready(game)
    search.run(300)
    move = search.best()
    tried = {row[0]: row[1] for row in search.report()}
    game.play_number(move)
    kept = search.advance([move], known_stack(game))
    if game.engine.number(layout.PHASE) == layout.MEEPLE:
        assert kept == tried[move]
    assert {row[0] for row in search.report()} == set(game.move_numbers())


# ------------------------------------------------------------------------------ the heuristic


def test_at_the_end_expected_scores_are_the_scores() -> None:
    game = middle(3, 1, 0)
    while not game.is_over:
        game.play_number(game.move_numbers()[0])
    assert Judge(game.tables, game.engine).values() == list(game.scores.values())


def test_rating_and_valuing_change_nothing() -> None:
    rng = random.Random(7)
    for seed in range(4):
        game = CoreGame.new(["A", "B", "C"], seed=seed)
        judge = Judge(game.tables, game.engine)
        while not game.is_over:
            before = game.engine.snapshot()
            judge.note_unseen()
            rated = judge.rated()
            values = judge.values()
            assert game.engine.snapshot() == before
            assert [move for move, _ in rated] == game.move_numbers()
            assert all(abs(rate) < 300 for _, rate in rated)
            assert all(abs(value) < 500 for value in values)
            game.play_number(rng.choice(game.move_numbers()))


def test_the_heuristic_alone_beats_random_play() -> None:
    wins = 0
    rules = Rules.preset("first_edition", bazaar_mode="off")
    for seed in range(20):
        game = CoreGame.new(["A", "B"], seed=seed, rules=rules)
        judge = Judge(game.tables, game.engine)
        rng = random.Random(seed)
        while not game.is_over:
            if game.engine.number(layout.DECIDER) == seed % 2:
                judge.note_unseen()
                game.play_number(judge.choose())
            else:
                game.play_number(rng.choice(game.move_numbers()))
        wins += game.winners == ["AB"[seed % 2]]
    assert wins >= 19
