"""The lines of standings: what is said of a bot, of two bots, and of a seat."""

from __future__ import annotations

import math
from statistics import fmean, stdev
from typing import TYPE_CHECKING

import msgspec

from carcassonne.arena.elo import Z95
from carcassonne.arena.sprt import SprtState

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["BotLine", "Mean", "PairLine", "SeatLine"]


class Mean(msgspec.Struct, frozen=True):
    """A mean over units with half the width of its 95 % interval.

    Attributes
    ----------
    mean : float or None
        None where there is nothing to take a mean of.
    error : float or None
        ``1.96 s / sqrt(n)`` with the standard deviation `s` of `n` units; None below two units.
    """

    mean: float | None
    error: float | None

    @classmethod
    def of(cls, values: Sequence[float]) -> Mean:
        """The mean of one value for each unit."""
        if not values:
            return cls(None, None)
        error = Z95 * stdev(values) / math.sqrt(len(values)) if len(values) > 1 else None
        return cls(fmean(values), error)


class BotLine(msgspec.Struct, frozen=True):
    """What became of a bot.

    Attributes
    ----------
    rank : int or None
        By Elo, from 1; None for a bot that met no other.
    bot : str
        Its label.
    games, wins, draws, losses : int
        Games, a bot in several seats of a game counting for each. A draw is a shared first
        place; in a forfeited game the culprit loses and all others win.
    share : float or None
        Its mean share of the win (1 divided by the winners, or 0), 0 to 1.
    points, margin : float or None
        Mean points, and mean points less those of the best rival, over games played to the end.
    forfeits : dict
        Games that it forfeited, by verdict.
    defaulted : int
        Its faults that a default move made good.
    elo, low, high : float or None
        Rating with its 95 % interval, the mean of all being 0.
    los : float or None
        Likelihood that it is stronger than the bot of the next rank, 0 to 1.
    """

    rank: int | None
    bot: str
    games: int
    wins: int
    draws: int
    losses: int
    share: float | None
    points: float | None
    margin: float | None
    forfeits: dict[str, int]
    defaulted: int
    elo: float | None
    low: float | None
    high: float | None
    los: float | None


class PairLine(msgspec.Struct, frozen=True):
    """What became of two bots against each other, seen from the first.

    Attributes
    ----------
    first, second : str
        Labels, in the order of entry.
    games, wins, draws, losses : int
        Comparisons: at a table of more than two, being ahead of the other counts as a win.
    score : float
        Wins and half the draws, divided by games.
    units : int
        How many complete units they share.
    cells : tuple of int
        Counts of those units by score, the worst first; for pairs the pentanomial counts.
    by_units : bool
        Whether Elo and what belongs to it rest on whole units; on single games where there are
        fewer than two complete units.
    elo, low, high, error, los : float or None
        See `EloEstimate`; None in the place of infinite or unknown ones once exported.
    margin : Mean
        The first bot's points less the second's, a mean over units of games played to the end.
    sprt : SprtState or None
        The sequential test, if one was asked for.
    """

    first: str
    second: str
    games: int
    wins: int
    draws: int
    losses: int
    score: float
    units: int
    cells: tuple[int, ...]
    by_units: bool
    elo: float
    low: float
    high: float
    error: float
    los: float
    margin: Mean
    sprt: SprtState | None


class SeatLine(msgspec.Struct, frozen=True):
    """What a seat is worth, over the complete units without a forfeited game.

    Attributes
    ----------
    seat : int
        From 1, the first to move.
    share : Mean
        Share of the win; 1 divided by the number of seats where the seat doesn't matter.
    advantage : Mean
        Points less the mean points of all other seats.
    points : float or None
        Mean points.
    """

    seat: int
    share: Mean
    advantage: Mean
    points: float | None
