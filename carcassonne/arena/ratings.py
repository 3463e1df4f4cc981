"""Ratings of all bots at once: Bradley-Terry for two seats, Plackett-Luce for more.

A bot of rating `r` has the strength ``e ** (r / 173.7)`` (see `ELO_PER_NAT`). Under Plackett-Luce
the places of a game are drawn from the best down, each time a bot among those left with a
probability proportional to its strength; for two seats that is Bradley-Terry, and the chance to
win is the logistic Elo formula. Bots that share places count as if every order of them had come
up equally often: with two seats a draw is half a win each. The ratings are those that make all
results together the likeliest ("batch"): order plays no part.

Two things are added to the results:

- So that ratings are finite and unique also where a bot won all its games or two groups never
  met, each bot has `prior` drawn games (0.1) against a phantom of rating 0 before all shift.
- Intervals come from the Bayesian bootstrap over whole units: each unit gets a random weight from
  the exponential distribution, instead of being drawn 0, 1, 2, … times, and the ratings are
  fitted anew. Alike units are pooled, for their weights add up to a gamma distribution. Units
  that all ended alike would show no spread at all, however few they are; so each bot also wins
  and loses half a unit of random weight, spread over those that it met, after Jeffreys' prior.
  Where the first Newton step from the ratings is short, as in long tournaments, that step is the
  new fit.

Sources: R. A. Bradley and M. E. Terry, "Rank analysis of incomplete block designs", 1952; R. L.
Plackett, "The analysis of permutations", 1975; D. R. Hunter, "MM algorithms for generalized
Bradley-Terry models", 2004; D. B. Rubin, "The Bayesian bootstrap", 1981.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from statistics import NormalDist, fmean, pstdev
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from carcassonne.arena.elo import ELO_PER_NAT
from carcassonne.arena.evidence import pool_units
from carcassonne.arena.fit import Fit, Tally, invert
from carcassonne.errors import CarcassonneError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from carcassonne.arena.evidence import Pool
    from carcassonne.arena.results import Unit

__all__ = ["PRIOR", "RESAMPLES", "Rating", "RatingList", "rate"]

PRIOR: Final = 0.1
"""Drawn games of each bot against the phantom."""

RESAMPLES: Final = 1000
"""How many times the units are weighted anew."""

_SHORT_STEP: Final = 0.2
"""In logarithms of strength, 35 Elo: up to here one Newton step is near enough."""


_Place = Literal["first", "between", "last"]


class Rating(NamedTuple):
    """A bot's rating in Elo with its 95 % interval.

    Attributes
    ----------
    elo : float
        The mean of all rated bots is 0, or the anchor is.
    low, high : float or None
        The interval; None where there are fewer than two units, and for the anchor. Without an
        end where all or none of the games were won.
    """

    elo: float
    low: float | None
    high: float | None


class RatingList(NamedTuple):
    """The ratings of a tournament.

    Attributes
    ----------
    ratings : dict
        Rating by bot; a bot that met no other has none.
    samples : dict
        The ratings of all resamples by bot, in Elo; empty where there are no intervals.
    """

    ratings: dict[str, Rating]
    samples: dict[str, tuple[float, ...]]

    def superiority(self, first: str, second: str) -> float | None:
        """Likelihood that the first bot is the stronger one: ``Φ(d / e)``, 0 to 1.

        `d` is the difference of the ratings and `e` its standard deviation over the resamples.
        None where that can't be said.
        """
        if first not in self.samples or second not in self.samples:
            return None
        spread = pstdev(
            a - b for a, b in zip(self.samples[first], self.samples[second], strict=True)
        )
        difference = self.ratings[first].elo - self.ratings[second].elo
        return NormalDist().cdf(difference / spread) if spread > 0 else None


def rate(
    units: Iterable[Unit],
    bots: Sequence[str],
    *,
    anchor: str | None = None,
    prior: float = PRIOR,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> RatingList:
    """Rate bots by all games of the units.

    Parameters
    ----------
    bots
        Labels of all bots.
    anchor
        The bot whose rating is to be 0; without one, the mean rating is.
    prior
        Drawn games of each bot against the phantom, above 0.
    resamples
        How many times the units are weighted anew for the intervals; 0 for none.
    seed
        Decides the weights.

    Raises
    ------
    CarcassonneError
        A bot in the results, or the anchor, is not among `bots`, or the prior is not above 0.
    """
    if not 0 < prior < math.inf:
        raise CarcassonneError(f"the prior of ratings is above 0, not {prior:g}")
    index = {bot: number for number, bot in enumerate(bots)}
    if anchor is not None and anchor not in index:
        raise CarcassonneError(f"there is no bot {anchor!r} to anchor ratings at")
    units = list(units)
    pool = pool_units(units, index)
    fit = Fit(pool)
    phantom = [prior / 2] * pool.size
    best = fit.solve(Tally(*pool.add_up([n for n, _ in pool.kinds]), phantom, phantom))
    met = set(fit.rated)
    origin = [index[anchor]] if anchor is not None and index[anchor] in met else fit.rated
    elo = _elo(best, origin)
    several = sum(count for count, _ in pool.kinds) > 1
    rows = _resample(pool, fit, best, phantom, resamples, seed) if several else []
    places = _places(units)
    samples = {
        bots[i]: column
        for i, column in enumerate(zip(*(_elo(row, origin) for row in rows), strict=True))
        if i in met
    }
    return RatingList(
        {
            bots[i]: Rating(
                elo[i],
                *_interval(
                    samples.get(bots[i], ()),
                    elo[i],
                    places.get(bots[i], set()),
                    fixed=origin == [i],
                ),
            )
            for i in fit.rated
        },
        samples,
    )


def _elo(values: Sequence[float], origin: Sequence[int]) -> list[float]:
    zero = fmean(values[i] for i in origin) if origin else 0.0
    return [(value - zero) * ELO_PER_NAT for value in values]


def _interval(
    samples: Sequence[float], point: float, places: set[_Place], *, fixed: bool
) -> tuple[float | None, float | None]:
    """The middle 95 % of samples, made to hold the point itself.

    Where all or none of a bot's games were won nothing says how far its strength may reach: the
    interval has no end on that side.
    """
    if fixed or not samples:
        return None, None
    ordered = sorted(samples)
    last = len(ordered) - 1
    low, high = ordered[round(0.025 * last)], ordered[round(0.975 * last)]
    return (
        -math.inf if places == {"last"} else min(low, point),
        math.inf if places == {"first"} else max(high, point),
    )


def _places(units: Iterable[Unit]) -> dict[str, set[_Place]]:
    """Which places each bot had: first alone, last alone, or another."""
    found: dict[str, set[_Place]] = {}
    for unit in units:
        for game in unit.results:
            for bot, place in zip(game.bots, game.places, strict=True):
                alone = game.places.count(place) == 1
                kind: _Place = "between"
                if alone and place in (1, len(game.bots)):
                    kind = "first" if place == 1 else "last"
                found.setdefault(bot, set()).add(kind)
    return found


def _resample(
    pool: Pool, fit: Fit, best: list[float], phantom: list[float], resamples: int, seed: int
) -> list[list[float]]:
    """Logarithms of strength by bot, once for each set of random weights."""
    rng = random.Random(seed)
    half_units = _half_units(pool)
    games = _games_of_a_unit(pool)
    expected = [(games * shape, games * shape) for shape in half_units]
    counts = [count for count, _ in pool.kinds]
    _, curvature = fit.slopes(_tally(pool, counts, expected, phantom), best)
    inverse = invert(curvature)
    influence = fit.influence(pool, best)
    found = []
    for _ in range(resamples):
        drawn = [_gamma(count, rng) for count in counts]
        added = [(games * _gamma(shape, rng), games * _gamma(shape, rng)) for shape in half_units]
        slopes = _added_slopes(pool, added, best)
        for factor, kind in zip(drawn, influence, strict=True):
            for bot, slope in kind:
                slopes[bot] += factor * slope
        right = [slopes[bot] for bot in fit.rated]
        steps = [sum(map(float.__mul__, row, right)) for row in inverse]
        level = fmean(steps)  # only the phantom holds it, and it is taken off again
        values = list(best)
        for bot, step in zip(fit.rated, steps, strict=True):
            values[bot] += step - level
        if max(abs(step - level) for step in steps) > _SHORT_STEP:
            tally = _tally(pool, drawn, added, phantom)
            values = fit.solve(tally, best, precision=_SHORT_STEP / 10)
        found.append(values)
    return found


def _half_units(pool: Pool) -> list[float]:
    """For each meeting, which part of a unit each of the two wins besides: half a unit a bot."""
    rivals = Counter(bot for number in pool.meetings for bot in pool.sets[number])
    return [fmean(0.5 / rivals[bot] for bot in pool.sets[number]) for number in pool.meetings]


def _tally(
    pool: Pool,
    factors: Sequence[float],
    added: Sequence[tuple[float, float]],
    phantom: list[float],
) -> Tally:
    """What units say, each kind times its factor, and games added to each meeting."""
    chosen, weights = pool.add_up(factors)
    for number, games in zip(pool.meetings, added, strict=True):
        weights[number] += sum(games)
        for bot, won in zip(pool.sets[number], games, strict=True):
            chosen[bot] += won
    return Tally(chosen, weights, phantom, phantom)


def _added_slopes(
    pool: Pool, added: Sequence[tuple[float, float]], values: Sequence[float]
) -> list[float]:
    slopes = [0.0] * pool.size
    for number, (won, lost) in zip(pool.meetings, added, strict=True):
        first, second = pool.sets[number]
        slope = won - (won + lost) / (1 + math.exp(values[second] - values[first]))
        slopes[first] += slope
        slopes[second] -= slope
    return slopes


def _games_of_a_unit(pool: Pool) -> float:
    """How many choices of a bot a mean unit holds per bot in it, about its number of games."""
    held = sum(count * sum(w for _, w in evidence.sets) for count, evidence in pool.kinds)
    seats = sum(
        count * max(1, len({bot for n, _ in evidence.sets for bot in pool.sets[n]}) - 1)
        for count, evidence in pool.kinds
    )
    return held / seats if seats else 0.0


def _gamma(shape: float, rng: random.Random) -> float:
    return rng.gammavariate(shape, 1.0) if shape != 1 else -math.log(1.0 - rng.random())
