"""What is known of a tournament's games: the form in which they are stored and counted."""

from __future__ import annotations

import msgspec

__all__ = ["GameResult", "StoredTournament"]


class GameResult(msgspec.Struct, frozen=True):
    """The result of one game.

    Attributes
    ----------
    unit : int
        Number of the unit (pair, rotation) in the schedule, from 0: all its games share one
        stack order.
    turn : int
        Which game of the unit, from 0: seats turned by so many.
    bots : tuple of str
        Labels of the bots by seat.
    points : tuple of int
        Points by seat, as they stood at the end.
    verdict : str
        `normal`, or what forfeited the game.
    culprit : int or None
        The seat that forfeited.
    moves : int
        How many moves were made.
    defaulted : tuple of int
        By seat: faults made good by a default move; empty: none.
    """

    unit: int
    turn: int
    bots: tuple[str, ...]
    points: tuple[int, ...]
    verdict: str = "normal"
    culprit: int | None = None
    moves: int = 0
    defaulted: tuple[int, ...] = ()


class StoredTournament(msgspec.Struct, frozen=True):
    """A tournament as it stands in its folder; results in the order of the schedule."""

    title: str
    bots: tuple[str, ...]
    players: int
    planned: int
    finished: bool
    sprt: tuple[float, float] | None
    results: tuple[GameResult, ...]
