"""Experiments that nobody played: rows drawn from known distributions."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from carcassonne.playtest.design import Arm, Design, Factor, Level
from carcassonne.playtest.results import Results, empty_statistics
from carcassonne.playtest.rows import AuctionRow, CastleRow, GameRow, Measure
from carcassonne.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Iterator

MEASURES = (
    Measure("score_seat_1", "points", "The first player's score.", "scores", distribution=True),
    Measure("score_seat_2", "points", "The second player's score.", "scores", distribution=True),
    Measure("win_seat_1", "share", "The first player's share of wins: 1, or a half of a tie.",
            "scores"),
    Measure("win_seat_2", "share", "The second player's share of wins: 1, or a half of a tie.",
            "scores"),
    Measure("margin", "points", "The margin: first to second.", "scores", distribution=True),
    Measure("points_road", "points", "Points for roads.", "points by kind"),
    Measure("points_city", "points", "Points for cities.", "points by kind"),
    Measure("points_castle", "points", "Points for castles.", "points by kind"),
    Measure("length", "turns", "The length of the game.", "course of the game"),
    Measure("auction_price", "points", "The mean price of a tile at auction.", "auctions"),
)  # fmt: skip

_TILES = ("BA/L", "BA/RCr", "BB/F.b", "BB/C", "BB/R.a", "BB/<i>")


def design(arms: int = 2, *, turns: int = 1, factors: bool = True, games: int = 60) -> Design:
    """Arms with two players each; with factors, arms differ in the market (and the players)."""
    bots = ("greedy", "greedy") if turns == 1 else ("greedy", "random")
    levels = [("auction", "the auction"), ("draft", "the draft"), ("off", "no bazaars")][:arms]
    return Design(
        "Auction or draft? <b>bold</b>",
        games,
        1,
        tuple(
            Arm(f"bazaar_mode {label}", Rules(), ("base",), {}, 2, bots, (i,) if factors else ())
            for i, (label, _) in enumerate(levels)
        ),
        (Factor("bazaar_mode", tuple(Level(*level) for level in levels)),) if factors else (),
    )


def rows(plan: Design, *, units: int, seed: int = 0, shift: float = 0.0) -> Iterator[GameRow]:
    """All games of an experiment; arm `a` scores `shift * a` more in the first seat."""
    for unit in range(units):
        shared = random.Random(f"{seed}/{unit}").gauss(0, 10)
        for number, arm in enumerate(plan.arms):
            for turn in range(arm.turns):
                rng = random.Random(f"{seed}/{unit}/{number}/{turn}")
                yield _game(number, unit, turn, rng, shared + shift * number)


def _game(arm: int, unit: int, turn: int, rng: random.Random, lift: float) -> GameRow:
    first, second = round(rng.gauss(88 + lift, 12)), round(rng.gauss(85, 12))
    win = 0.5 if first == second else float(first > second)
    roads, cities, castles = rng.randrange(10, 30), rng.randrange(20, 50), rng.randrange(12)
    auctions = tuple(_auction(rng, lot) for lot in range(1, 5)) if arm == 0 else ()
    return GameRow(
        arm, unit, turn,
        (first, second, win, 1 - win, abs(first - second), roads, cities, castles, 80,
         sum(a.price for a in auctions) / 4 if auctions else None),
        auctions,
        tuple(_castle(rng) for _ in range(rng.randrange(4))),
    )  # fmt: skip


def _auction(rng: random.Random, lot: int) -> AuctionRow:
    number = rng.randrange(len(_TILES))
    price = rng.randrange(1 + number * 2)
    how = rng.choice(["free", "own bid", "bought", "sold"])
    return AuctionRow(
        _TILES[number], lot, 0, price // 2, price, 1, None if how == "free" else 0, how,
        rng.randrange(2 + number * 2),
    )  # fmt: skip


def _castle(rng: random.Random) -> CastleRow:
    built = rng.randrange(70)
    if rng.random() < 0.2:
        return CastleRow(0, 2, built, None, None, 0)
    by = rng.choice(["road", "city", "cloister", "castle"])
    return CastleRow(0, 2, built, built + 1 + int(rng.expovariate(0.2)), by, rng.randrange(2, 16))


def results(plan: Design | None = None, *, units: int = 60, shift: float = 4.0) -> Results:
    """The results of such an experiment."""
    plan = plan or design()
    statistics = empty_statistics(plan, MEASURES)
    by_unit: dict[int, list[GameRow]] = {}
    for row in rows(plan, units=units, shift=shift):
        by_unit.setdefault(row.unit, []).append(row)
    for unit in by_unit.values():
        statistics.add_unit(unit)
    return Results(plan, statistics, notes=["It stopped after 60 stack orders."])
