"""What results say under Plackett-Luce: who was chosen, and from among whom.

The places of a game are a row of choices: the best among all, then the best among the rest, and
so on. Each choice is evidence of the form "this bot, from this set of bots". Bots that share
places count as if every order of them had come up equally often.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from carcassonne.errors import CarcassonneError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from carcassonne.arena.results import GameResult, Unit

__all__ = ["Evidence", "Pool", "pool_units"]

_Ranking = tuple[tuple[int, ...], ...]
_Set = tuple[int, ...]


class Evidence(NamedTuple):
    """What one unit says.

    Attributes
    ----------
    chosen : tuple
        Pairs: number of a bot, how often it was chosen.
    sets : tuple
        Pairs: number of a set of bots, how often was chosen from it.
    """

    chosen: tuple[tuple[int, float], ...]
    sets: tuple[tuple[int, float], ...]


class Pool(NamedTuple):
    """All units, those together that say the same.

    Attributes
    ----------
    size : int
        How many bots there are.
    sets : list
        The sets of bots that were chosen from, each sorted; a bot in several seats comes as often.
    kinds : list
        Pairs: how many units of a kind there are, and what each of them says.
    meetings : list of int
        For each two bots that met, the number of the set of these two; it may have no weight.
    """

    size: int
    sets: list[_Set]
    kinds: list[tuple[int, Evidence]]
    meetings: list[int]

    def add_up(self, factors: Sequence[float]) -> tuple[list[float], list[float]]:
        """What all kinds of units say, each times its factor: by bot, and by set."""
        chosen, weights = [0.0] * self.size, [0.0] * len(self.sets)
        for factor, (_, evidence) in zip(factors, self.kinds, strict=True):
            for bot, weight in evidence.chosen:
                chosen[bot] += factor * weight
            for number, weight in evidence.sets:
                weights[number] += factor * weight
        return chosen, weights


def pool_units(units: Iterable[Unit], index: dict[str, int]) -> Pool:
    """Pool units by what came out; `index` numbers the bots.

    Raises
    ------
    CarcassonneError
        A bot in the results has no number.
    """
    kinds = Counter(tuple(sorted(_ranking(game, index) for game in unit.results)) for unit in units)
    numbers: dict[_Set, int] = {}
    pooled = []
    for rankings, count in sorted(kinds.items()):
        chosen: defaultdict[int, float] = defaultdict(float)
        sets: defaultdict[int, float] = defaultdict(float)
        for ranking in rankings:
            for group, left, weight in _stages(ranking):
                sets[numbers.setdefault(group, len(numbers))] += weight
                for bot in left:
                    chosen[bot] += weight / len(left)
        pooled.append((count, Evidence(tuple(chosen.items()), tuple(sets.items()))))
    met = sorted({pair for group in numbers for pair in combinations(sorted(set(group)), 2)})
    meetings = [numbers.setdefault(pair, len(numbers)) for pair in met]
    return Pool(len(index), list(numbers), pooled, meetings)


def _ranking(game: GameResult, index: dict[str, int]) -> _Ranking:
    """The bots' numbers by place, the best first."""
    groups: dict[int, list[int]] = {}
    for bot, place in zip(game.bots, game.places, strict=True):
        if bot not in index:
            raise CarcassonneError(f"unit {game.unit}: no bot {bot!r} was entered")
        groups.setdefault(place, []).append(index[bot])
    return tuple(tuple(sorted(groups[place])) for place in sorted(groups))


@lru_cache(maxsize=4096)
def _stages(ranking: _Ranking) -> tuple[tuple[_Set, _Set, float], ...]:
    """Each choice of a ranking: among whom, who was chosen (all equally), with which weight.

    Of `m` bots that share a place, each subset of `s` is left at one stage of an order with the
    probability ``1 / (m over s)``. Choices of a bot from among itself say nothing and are left
    out.
    """
    stages = []
    for place, tied in enumerate(ranking):
        behind = tuple(bot for group in ranking[place + 1 :] for bot in group)
        for size in range(1, len(tied) + 1):
            weight = 1 / math.comb(len(tied), size)
            for left in combinations(tied, size):
                group = tuple(sorted(left + behind))
                if group[0] != group[-1]:
                    stages.append((group, left, weight))
    return tuple(stages)
