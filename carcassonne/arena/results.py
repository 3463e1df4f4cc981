"""Results of games, gathered into units: all seatings of the same bots over one stack order.

Seats rotate over the same stack order, so the games of a unit hang together: in two-player play
a unit is a pair. Whole units are the evidence of everything that is estimated from results.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from carcassonne.errors import CarcassonneError

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["GameResult", "Outcome", "StoredTournament", "Unit", "leading", "units"]

Outcome = Literal["win", "draw", "loss"]


class GameResult(msgspec.Struct, frozen=True):
    """How one game of a tournament ended.

    Attributes
    ----------
    unit : int
        Number of the unit in the schedule, from 0: all its games share one stack order.
    turn : int
        Which game of the unit, from 0: the seats are turned by so many.
    bots : tuple of str
        Labels of the bots by seat. A label may sit in several seats.
    points : tuple of int
        By seat, as they stood at the end.
    verdict : str
        "normal", or what forfeited the game: "crash", "illegal move", "timeout" and so on.
    culprit : int or None
        The seat that forfeited.
    moves : int
        How many moves were played.
    defaulted : tuple of int
        By seat: faults that a default move made good. Empty: none.
    """

    unit: int
    turn: int
    bots: tuple[str, ...]
    points: tuple[int, ...]
    verdict: str = "normal"
    culprit: int | None = None
    moves: int = 0
    defaulted: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        seats = len(self.bots)
        where = f"unit {self.unit}, turn {self.turn}"
        if seats < 2:
            raise CarcassonneError(f"{where}: a game has 2 or more bots, not {seats}")
        if len(self.points) != seats:
            raise CarcassonneError(f"{where}: {seats} bots, but points of {len(self.points)}")
        if self.defaulted and len(self.defaulted) != seats:
            raise CarcassonneError(f"{where}: {seats} bots, but faults of {len(self.defaulted)}")
        if self.culprit is not None and not 0 <= self.culprit < seats:
            raise CarcassonneError(f"{where}: no seat {self.culprit} forfeits among {seats}")

    @property
    def forfeited(self) -> bool:
        """Whether a bot's fault ended the game."""
        return self.culprit is not None

    @property
    def places(self) -> tuple[int, ...]:
        """Place by seat, from 1: most points first, and equals share the better place.

        In a forfeited game the culprit is last and all others share the first place: what they
        had when it broke off says nothing about who would have won.
        """
        if self.culprit is not None:
            return tuple(
                len(self.bots) if seat == self.culprit else 1 for seat in range(len(self.bots))
            )
        return tuple(1 + sum(other > own for other in self.points) for own in self.points)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats in the first place."""
        return tuple(seat for seat, place in enumerate(self.places) if place == 1)

    def share(self, seat: int) -> float:
        """A seat's share of the win: 1 divided by the number of winners, or 0."""
        winners = self.winners
        return 1 / len(winners) if seat in winners else 0.0

    def margin(self, seat: int) -> int:
        """A seat's points less those of the best rival."""
        rivals = (own for other, own in enumerate(self.points) if other != seat)
        return self.points[seat] - max(rivals)

    def outcome(self, seat: int) -> Outcome:
        """Win, draw or loss of a seat.

        A draw is a first place shared at the end of a game; against a culprit all others win.
        """
        winners = self.winners
        if seat not in winners:
            return "loss"
        return "win" if len(winners) == 1 or self.forfeited else "draw"


class Unit(msgspec.Struct, frozen=True):
    """The games played so far of one unit.

    Attributes
    ----------
    number : int
        The unit's number in the schedule, from 0.
    results : tuple of GameResult
        One for each turn played, in the order of turns; never empty.
    """

    number: int
    results: tuple[GameResult, ...]

    @property
    def bots(self) -> tuple[str, ...]:
        """Labels of the bots at the table, sorted; a label in several seats comes as often."""
        return tuple(sorted(self.results[0].bots))

    @property
    def players(self) -> int:
        """How many seats the table has, which is how many games make the unit complete."""
        return len(self.results[0].bots)

    @property
    def complete(self) -> bool:
        """Whether every rotation of the seats has been played."""
        return len(self.results) == self.players

    @property
    def forfeited(self) -> bool:
        """Whether any of its games was forfeited."""
        return any(result.forfeited for result in self.results)


class StoredTournament(msgspec.Struct, frozen=True):
    """A tournament as it lies on disk, finished or running.

    Attributes
    ----------
    title : str
        What the tournament is called.
    bots : tuple of str
        Labels of all bots entered, in the order of entry.
    players : int
        Seats at a table.
    planned : int
        How many games the schedule holds; 0 where that is unknown.
    finished : bool
        Whether nothing is left to play: the schedule is through, or a test has decided.
    sprt : tuple of float or None
        The two hypotheses of the sequential test in Elo, if one was asked for.
    results : tuple of GameResult
        Every game that ended, in any order.
    sprt_errors : tuple of float
        How often the test may err where the first, and where the second hypothesis is true.
    """

    title: str
    bots: tuple[str, ...]
    players: int
    planned: int
    finished: bool
    sprt: tuple[float, float] | None
    results: tuple[GameResult, ...]
    sprt_errors: tuple[float, float] = (0.05, 0.05)


def units(results: Iterable[GameResult]) -> list[Unit]:
    """Gather results into units, in the order of the schedule.

    Raises
    ------
    CarcassonneError
        A game comes twice, is a turn too many, or has other bots than the rest of its unit.
    """
    gathered: dict[int, dict[int, GameResult]] = {}
    for result in results:
        unit = gathered.setdefault(result.unit, {})
        where = f"unit {result.unit}, turn {result.turn}"
        if result.turn in unit:
            raise CarcassonneError(f"{where}: there are two results of this game")
        if not 0 <= result.turn < len(result.bots):
            raise CarcassonneError(
                f"{where}: a table of {len(result.bots)} has turns 0 to {len(result.bots) - 1}"
            )
        other = next(iter(unit.values()), result)
        if sorted(other.bots) != sorted(result.bots):
            raise CarcassonneError(f"{where}: its bots are not those of the unit's other games")
        unit[result.turn] = result
    return [
        Unit(number, tuple(unit[turn] for turn in sorted(unit)))
        for number, unit in sorted(gathered.items())
    ]


def leading(all_units: Iterable[Unit]) -> list[Unit]:
    """The complete units before the first gap in the schedule, whose order decides tests."""
    found: list[Unit] = []
    for unit in all_units:
        if unit.number != len(found) or not unit.complete:
            break
        found.append(unit)
    return found
