"""Which games a tournament consists of, round by round, in one fixed order.

The unit of evidence is a unit: the same bots over the same stack, once for each rotation of their
seats (with two bots a pair: seats swapped). Stacks are counted within a pairing, so that all
pairings meet the same ones. What a round is depends on the results of earlier rounds only.

Round robin and gauntlet are one round. Swiss: bots of like scores meet, as few of them as can be
for a second time; with an odd number the last one who has not yet had it sits out, which counts
as winning a match. Knockout: the list is the seeding, and a bracket that isn't full lets its first
bots through. A match is won by results, if these are equal by the sum of margins of points, and
if these are equal too by the bot that stands first in the list.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple, Protocol

import msgspec
import networkx as nx

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from carcassonne.arena.config import Tournament
    from carcassonne.arena.results import GameResult

__all__ = ["Schedule", "Task", "Unit", "champion_of", "game_number", "schedule_of"]


class Task(msgspec.Struct, frozen=True, array_like=True):
    """One game to be played.

    Attributes
    ----------
    unit, turn : int
        Which unit, and by how many seats its bots are turned.
    bots : tuple of int
        By seat, as numbers in the tournament's list.
    deal : int
        Which of the tournament's stack orders.
    """

    unit: int
    turn: int
    bots: tuple[int, ...]
    deal: int

    def __str__(self) -> str:
        return f"unit {self.unit}, game {self.turn}"


class Unit(NamedTuple):
    """All rotations of some bots over one stack order."""

    number: int
    bots: tuple[int, ...]
    deal: int

    def tasks(self) -> Iterator[Task]:
        """Its games, in order."""
        seats = len(self.bots)
        for turn in range(seats):
            seated = self.bots[turn:] + self.bots[:turn]
            yield Task(self.number, turn, seated, self.deal)


def game_number(unit: int, turn: int, players: int) -> int:
    """The number of a game in its tournament, from 0."""
    return unit * players + turn


class Schedule(Protocol):
    """The rounds of a tournament."""

    @property
    def planned(self) -> int:
        """How many games there will be."""

    def units(self, number: int, results: Sequence[GameResult]) -> Iterable[Unit] | None:
        """The units of a round, from 0, given all results of earlier rounds; None: it's over."""


def schedule_of(tournament: Tournament) -> Schedule:
    """The schedule of a tournament."""
    if tournament.format == "swiss":
        return _Swiss(tournament)
    if tournament.format == "knockout":
        return _Knockout(tournament)
    return _Open(tournament)


def champion_of(tournament: Tournament, results: Sequence[GameResult]) -> str | None:
    """Who has won a knockout tournament, all of whose games are played; None for other formats."""
    return _Knockout(tournament).champion(results) if tournament.format == "knockout" else None


class _Open:
    """Round robin and gauntlet: one round, all pairings or tables side by side."""

    def __init__(self, tournament: Tournament) -> None:
        bots, players = len(tournament.bots), tournament.players
        self._units = tournament.units
        if tournament.format == "gauntlet":
            others = itertools.combinations(range(1, bots), players - 1)
            self._tables = [(0, *table) for table in others]
        else:
            self._tables = list(itertools.combinations(range(bots), players))
        self.planned = len(self._tables) * tournament.games

    def units(self, number: int, results: Sequence[GameResult]) -> Iterator[Unit] | None:  # noqa: ARG002
        return None if number else _units(self._tables, self._units, 0, 0)


def _units(
    tables: Sequence[tuple[int, ...]], each: int, first: int, first_deal: int
) -> Iterator[Unit]:
    """So many units of each table, all tables getting on side by side."""
    number = itertools.count(first)
    for deal in range(first_deal, first_deal + each):
        for table in tables:
            yield Unit(next(number), table, deal)


class _Swiss:
    def __init__(self, tournament: Tournament) -> None:
        self._tournament = tournament
        self._matches = len(tournament.bots) // 2
        self.planned = tournament.rounds * self._matches * tournament.games

    def units(self, number: int, results: Sequence[GameResult]) -> Iterator[Unit] | None:
        tournament = self._tournament
        if number >= tournament.rounds:
            return None
        before = number * self._matches * tournament.units
        pairs = self._pairs(number, [game for game in results if game.unit < before])
        return _units(pairs, tournament.units, before, number * tournament.units)

    def _pairs(self, rounds: int, results: Sequence[GameResult]) -> list[tuple[int, ...]]:
        labels = self._tournament.labels
        bots = range(len(labels))
        score = dict.fromkeys(bots, 0)
        met: Counter[frozenset[int]] = Counter()
        played: set[tuple[int, int]] = set()
        a_round = self._matches * self._tournament.units
        for game in results:
            pair = [labels.index(label) for label in game.bots]
            for bot, half_points in zip(pair, _half_points(game), strict=True):
                score[bot] += half_points
                played.add((game.unit // a_round, bot))
            met[frozenset(pair)] += 1
        out = Counter(
            bot for bot in bots for number in range(rounds) if (number, bot) not in played
        )
        for bot, byes in out.items():
            score[bot] += 2 * self._tournament.games * byes
        ranked = sorted(bots, key=lambda bot: (-score[bot], bot))
        if len(ranked) % 2:
            ranked.remove(min(reversed(ranked), key=lambda bot: out[bot]))
        return _match(ranked, score, met)


def _match(
    ranked: Sequence[int], score: dict[int, int], met: Counter[frozenset[int]]
) -> list[tuple[int, ...]]:
    """Pair bots: few meet again, scores are close, neighbours in rank before others."""
    graph: nx.Graph[int] = nx.Graph()
    for (i, a), (j, b) in itertools.combinations(enumerate(ranked), 2):
        cost = met[frozenset((a, b))] * 10**15 + (score[a] - score[b]) ** 2 * 10**5 + (j - i) ** 2
        graph.add_edge(a, b, weight=-cost)
    pairs = nx.max_weight_matching(graph, maxcardinality=True)
    place = {bot: i for i, bot in enumerate(ranked)}
    in_order = sorted((sorted(pair) for pair in pairs), key=lambda p: min(place[p[0]], place[p[1]]))
    return [tuple(pair) for pair in in_order]


class _Knockout:
    def __init__(self, tournament: Tournament) -> None:
        self._tournament = tournament
        self._bots = len(tournament.bots)
        self.planned = (self._bots - 1) * tournament.games

    def units(self, number: int, results: Sequence[GameResult]) -> Iterator[Unit] | None:
        alive, first = self._after(number, results)
        each = self._tournament.units
        matches = _matches(alive)
        return _units(matches, each, first, number * each) if matches else None

    def champion(self, results: Sequence[GameResult]) -> str:
        """Who is left when all is played."""
        alive, _ = self._after(math.ceil(math.log2(self._bots)), results)
        return self._tournament.labels[alive[0] or 0]

    def _after(self, rounds: int, results: Sequence[GameResult]) -> tuple[list[int | None], int]:
        """The bracket after so many rounds, and how many units they had."""
        each = self._tournament.units
        alive = bracket(self._bots)
        first = 0
        for _ in range(rounds):
            matches = _matches(alive)
            games = [g for g in results if first <= g.unit < first + each * len(matches)]
            won = {pair: self._winner(pair, games) for pair in matches}
            alive = [_through(pair, won) for pair in _neighbours(alive)]
            first += each * len(matches)
        return alive, first

    def _winner(self, pair: tuple[int, int], games: Sequence[GameResult]) -> int:
        labels = [self._tournament.labels[bot] for bot in pair]
        lead = margin = 0
        for game in games:
            if set(game.bots) == set(labels):
                one, other = (game.bots.index(label) for label in labels)
                halves = _half_points(game)
                lead += halves[one] - halves[other]
                if game.culprit is None:
                    margin += game.points[one] - game.points[other]
        return pair[0] if (lead, margin) >= (0, 0) else pair[1]


def bracket(bots: int) -> list[int | None]:
    """Places of a bracket from top to bottom: the first meet the last, and one another late."""
    order = [0]
    for _ in range(math.ceil(math.log2(bots))):
        size = 2 * len(order)
        order = [place for seed in order for place in (seed, size - 1 - seed)]
    return [seed if seed < bots else None for seed in order]


def _neighbours(alive: Sequence[int | None]) -> Iterator[tuple[int | None, int | None]]:
    return zip(alive[::2], alive[1::2], strict=True)


def _matches(alive: Sequence[int | None]) -> list[tuple[int, int]]:
    """The matches among neighbours of a bracket, the bot listed first in front."""
    if len(alive) < 2:
        return []
    return [
        (min(one, other), max(one, other))
        for one, other in _neighbours(alive)
        if one is not None and other is not None
    ]


def _through(pair: tuple[int | None, int | None], won: dict[tuple[int, int], int]) -> int | None:
    one, other = pair
    if one is None or other is None:
        return other if one is None else one
    return won[min(one, other), max(one, other)]


def _half_points(game: GameResult) -> tuple[int, int]:
    """2 for a win, 1 for a draw, by seat; who forfeits has lost."""
    if game.culprit is not None:
        return (0, 2) if game.culprit == 0 else (2, 0)
    one, other = game.points
    return (1 + (one > other) - (one < other), 1 + (other > one) - (other < one))
