"""Results made up for tests: tournaments of given or random scores."""

from __future__ import annotations

import random
from itertools import combinations

from carcassonne.arena.results import GameResult, StoredTournament

PAIR = {0: "LL", 1: "LD", 2: "LW", 3: "DW", 4: "WW"}
POINTS = {"L": (50, 60), "D": (60, 60), "W": (60, 50)}


def pair(number: int, cell: int, bots: tuple[str, str] = ("a", "b")) -> list[GameResult]:
    """The two games of a pair in which the first bot makes so many half points."""
    first, second = (POINTS[letter] for letter in PAIR[cell])
    return [
        GameResult(number, 0, bots, first),
        GameResult(number, 1, bots[::-1], second[::-1]),
    ]


def pairs(counts: tuple[int, ...], bots: tuple[str, str] = ("a", "b")) -> list[GameResult]:
    """Games of pairs with these pentanomial counts, mixed."""
    cells = [cell for cell, count in enumerate(counts) for _ in range(count)]
    random.Random(1).shuffle(cells)
    return [game for number, cell in enumerate(cells) for game in pair(number, cell, bots)]


def tournament(
    results: list[GameResult],
    bots: tuple[str, ...] = ("a", "b"),
    *,
    players: int = 2,
    sprt: tuple[float, float] | None = None,
    finished: bool = True,
    title: str = "cup",
) -> StoredTournament:
    """A stored tournament of these results."""
    return StoredTournament(title, bots, players, len(results), finished, sprt, tuple(results))


def luce(strengths: dict[str, float], players: int, units: int, seed: int) -> list[GameResult]:
    """Rotations in which places are drawn as Plackett-Luce has it."""
    rng = random.Random(seed)
    tables = list(combinations(strengths, players))
    results = []
    for number in range(units):
        table = tables[number % len(tables)]
        for turn in range(players):
            seats = table[turn:] + table[:turn]
            left, points = list(seats), {}
            while left:
                best = rng.choices(left, [strengths[bot] for bot in left])[0]
                left.remove(best)
                points[best] = 40 + 10 * len(left)
            results.append(GameResult(number, turn, seats, tuple(points[bot] for bot in seats)))
    return results


def table_game(number: int, turn: int, points: dict[str, int]) -> GameResult:
    """A game of a rotation in which every bot always makes the same points."""
    bots = tuple(points)[turn:] + tuple(points)[:turn]
    return GameResult(number, turn, bots, tuple(points[bot] for bot in bots))
