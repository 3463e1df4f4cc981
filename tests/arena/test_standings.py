"""Standings: every figure by hand, independence of order and timing, odd tournaments."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from msgspec.structs import replace

from carcassonne.arena.results import GameResult, StoredTournament
from carcassonne.arena.standings import standings
from carcassonne.errors import CarcassonneError
from tests.arena.made import luce, pair, pairs, table_game, tournament

COUNTS = (20, 10, 80, 14, 32)


def test_the_figures_of_two_bots() -> None:
    found = standings(tournament(pairs(COUNTS)))
    best, other = found.bots
    (line,) = found.pairs
    # LL is 2 losses, LD a loss and a draw, LW one of each here, DW a win and a draw, WW 2 wins
    wins, draws, losses = 80 + 14 + 64, 10 + 14, 40 + 10 + 80
    assert (best.bot, best.rank, best.games) == ("a", 1, 312)
    assert (best.wins, best.draws, best.losses) == (wins, draws, losses)
    assert (other.wins, other.draws, other.losses) == (losses, draws, wins)
    assert best.share == pytest.approx((wins + draws / 2) / 312)
    assert best.margin == pytest.approx(10 * (wins - losses) / 312)
    assert (line.cells, line.units, line.by_units) == (COUNTS, 156, True)
    assert (line.wins, line.draws, line.losses) == (wins, draws, losses)
    assert line.margin.mean == pytest.approx(best.margin)
    assert best.elo is not None
    assert other.elo is not None
    assert best.elo - other.elo == pytest.approx(line.elo, abs=0.1)
    assert best.los == pytest.approx(line.los, abs=0.01)
    assert found.forfeits == {}


def test_the_first_seat_is_worth_what_it_wins() -> None:
    """The first to move wins every game but four."""
    results = [
        GameResult(unit, turn, bots, (60, 52))
        for unit in range(20)
        for turn, bots in enumerate((("a", "b"), ("b", "a")))
    ]
    results += [game for number in range(20, 22) for game in pair(number, 2)]
    results[-4:] = [replace(game, points=(52, 60)) for game in results[-4:]]
    found = standings(tournament(results))
    first, second = found.seats
    assert first.share.mean == pytest.approx(40 / 44)
    assert second.share.mean == pytest.approx(4 / 44)
    assert first.advantage.mean == pytest.approx(8 * 36 / 44)
    assert found.first_seat_elo is not None
    assert found.first_seat_elo.elo == pytest.approx(400.0)
    assert found.first_seat_elo.low < 400 < found.first_seat_elo.high
    assert found.pairs[0].cells == (0, 0, 22, 0, 0)


def test_forfeits_are_counted_by_verdict_and_kept_out_of_points_and_seats() -> None:
    results = [game for number in range(4) for game in pair(number, 2)]
    results[0] = replace(results[0], verdict="timeout", culprit=0, points=(999, 0))
    results[3] = replace(results[3], verdict="crash", culprit=1, defaulted=(0, 2))
    results[5] = replace(results[5], verdict="crash", culprit=1)
    found = standings(tournament(results))
    a, b = sorted(found.bots, key=lambda line: line.bot)
    assert found.forfeits == {"crash": 2, "timeout": 1}
    assert a.forfeits == {"crash": 2, "timeout": 1}
    assert (b.forfeits, a.defaulted, b.defaulted) == ({}, 2, 0)
    assert (b.wins, b.losses) == (7 - 1, 8 - 6)
    assert a.points is not None
    assert a.points <= 60
    # the one pair that was played to the end: the second to move won both of its games
    assert [line.points for line in found.seats] == [50, 60]


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_tables_of_more(players: int) -> None:
    bots = tuple("abcdef"[:players])
    points = dict.fromkeys(bots, 20) | {"a": 50, "b": 50, bots[-1]: 10}
    results = [table_game(number, turn, points) for number in range(5) for turn in range(players)]
    found = standings(tournament(results, bots, players=players), resamples=50)
    by_bot = {line.bot: line for line in found.bots}
    assert by_bot["a"].draws == by_bot["b"].draws == 5 * players
    assert by_bot[bots[-1]].losses == 5 * players
    assert by_bot["a"].share == pytest.approx(0.5)
    assert [line.share.mean for line in found.seats] == pytest.approx([1 / players] * players)
    assert found.first_seat_elo is None
    assert len(found.pairs) == players * (players - 1) / 2
    assert found.pairs[0].cells[players] == 5
    assert found.bots[-1].bot == bots[-1]


def test_all_others_win_a_forfeited_game_at_a_table_of_three() -> None:
    results = [table_game(0, turn, {"a": 9, "b": 8, "c": 7}) for turn in range(3)]
    results[0] = replace(results[0], verdict="illegal move", culprit=0)
    found = {b.bot: b for b in standings(tournament(results, ("a", "b", "c"), players=3)).bots}
    assert (found["a"].wins, found["a"].losses) == (2, 1)
    assert (found["b"].wins, found["c"].wins) == (1, 1)
    assert found["b"].share == pytest.approx(0.5 / 3)


def data(stored: StoredTournament, **others: Any) -> dict[str, Any]:
    return standings(stored, resamples=100, **others).to_data()


def test_the_data_is_json_and_hangs_on_no_order() -> None:
    results = luce({"a": 1, "b": 2, "c": 1.5}, 2, 30, seed=2)
    bots = ("a", "b", "c")
    first = json.dumps(data(tournament(results, bots, sprt=(0, 10))), allow_nan=False)
    random.Random(4).shuffle(results)
    assert json.dumps(data(tournament(results, bots, sprt=(0, 10)))) == first


def test_what_has_no_end_is_null() -> None:
    found = data(tournament(pairs((0, 0, 0, 0, 5))))
    assert found["pairs"][0]["elo"] is None
    assert found["pairs"][0]["los"] == pytest.approx(1, abs=1e-4)
    assert found["bots"][0]["high"] is None
    assert isinstance(found["bots"][0]["elo"], float)
    json.dumps(found, allow_nan=False)


def test_games_after_the_deciding_unit_count_for_nothing() -> None:
    """Which of them were under way when the test stopped is a matter of timing."""
    results = pairs((0, 5, 60, 40, 30))
    stopped = standings(tournament(results, sprt=(0, 10)), resamples=50)
    assert stopped.sprt is not None
    assert stopped.sprt.accepted == "H1"
    last = stopped.sprt.units - 1
    assert stopped.units == last + 1 < 135
    for kept in (last, last + 1, last + 3):
        fewer = [game for game in results if game.unit <= kept]
        cut = replace(tournament(fewer, sprt=(0, 10)), planned=270)
        assert standings(cut, resamples=50) == stopped
    half = [g for g in results if g.unit <= last] + [g for g in results if g.unit == last + 2][:1]
    cut = replace(tournament(half, sprt=(0, 10)), planned=270)
    assert standings(cut, resamples=50) == stopped


def test_the_test_may_err_as_often_as_it_was_told() -> None:
    stored = replace(tournament(pairs(COUNTS), sprt=(0, 10)), sprt_errors=(0.01, 0.2))
    found = standings(stored, resamples=10)
    assert found.sprt is not None
    assert (found.sprt.lower, found.sprt.upper) == pytest.approx((-1.5994, 4.3820), abs=1e-4)


def test_with_more_bots_every_pairing_is_tested() -> None:
    results = luce({"a": 1, "b": 1.2, "c": 4}, 2, 90, seed=2)
    found = standings(tournament(results, ("a", "b", "c"), sprt=(-10, 60)), resamples=10)
    assert found.sprt is None
    assert [pair.sprt.accepted for pair in found.pairs if pair.sprt] == [None, "H0", "H0"]
    assert found.units == 90


def test_a_running_tournament_uses_units_that_are_not_complete_for_games_only() -> None:
    results = pairs(COUNTS)[:-1]
    found = standings(replace(tournament(results, finished=False), planned=999))
    assert (found.games, found.units, found.complete_units) == (311, 156, 155)
    assert sum(found.pairs[0].cells) == 155
    assert found.bots[0].games == 311


def test_nothing_played_yet() -> None:
    found = standings(tournament([], ("a", "b", "c"), sprt=(0, 5)))
    assert [line.rank for line in found.bots] == [None] * 3
    assert found.pairs == ()
    assert found.first_seat_elo is None
    assert found.to_data()["bots"][0]["share"] is None


def test_one_game_only() -> None:
    found = standings(tournament([GameResult(0, 0, ("a", "b"), (70, 50))], sprt=(0, 5)))
    assert [line.bot for line in found.bots] == ["a", "b"]
    assert not found.pairs[0].by_units
    assert found.pairs[0].units == 0
    assert found.sprt is not None
    assert found.sprt.units == 0
    json.dumps(found.to_data(), allow_nan=False)


def test_rows_hold_every_bot_and_head_to_head_scores() -> None:
    results = luce({"a": 1, "b": 2, "c": 1.5}, 2, 30, seed=2)
    results[0] = replace(results[0], verdict="crash", culprit=0)
    found = standings(tournament(results, ("a", "b", "c")), resamples=20)
    head, *rows = found.to_rows()
    assert {len(row) for row in rows} == {len(head)}
    assert head[-3:] == [f"score against {line.bot}" for line in found.bots]
    assert sum(int(row[head.index("forfeits: crash")] or 0) for row in rows) == 1
    scores = [row[-3:] for row in rows]
    for i in range(3):
        assert scores[i][i] is None
        for j in range(i):
            assert float(scores[i][j] or 0) + float(scores[j][i] or 0) == pytest.approx(1)


@pytest.mark.parametrize(
    ("stored", "words"),
    [
        (tournament(pairs((1, 0, 0, 0, 0)), ("a", "c")), "unit 0, turn 0: no bot 'b' was entered"),
        (tournament(pairs((1, 0, 0, 0, 0)), players=3), "2 bots at a table of 3"),
        (tournament([], ("a", "a")), "cup: two bots bear the same label"),
        (tournament(pairs((1, 0, 0, 0, 0)) * 2), "two results of this game"),
    ],
)
def test_results_that_do_not_belong_are_refused(stored: StoredTournament, words: str) -> None:
    with pytest.raises(CarcassonneError, match=words):
        standings(stored)
