"""Streaming statistics: what stays in memory of the games of an experiment.

Rows go through a `UnitQueue`, which hands on whole units in their order, into `Statistics`, whose
size depends on the design alone and not on the number of games. Sums are exact
(`carcassonne.playtest.sums`), so that results depend neither on the order in which games end nor
on the number of processes.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from carcassonne.errors import CarcassonneError
from carcassonne.playtest.sums import Histogram, Moments, Ratio, column_on_grid, divided

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from carcassonne.playtest.design import Contrast
    from carcassonne.playtest.rows import AuctionRow, CastleRow, GameRow, Measure

__all__ = ["ArmStatistics", "CastleStatistics", "Statistics", "TileStatistics", "UnitQueue"]

_MOST_WAITING: Final = 50_000


class UnitQueue:
    """Puts rows that arrive in any order into whole units, in the order of their numbers.

    Parameters
    ----------
    turns
        How many games each arm has in a unit.
    """

    def __init__(self, turns: Sequence[int]) -> None:
        self._turns = tuple(turns)
        self._size = sum(turns)
        self._waiting: dict[int, dict[tuple[int, int], GameRow]] = {}
        self._rows = 0
        self.next = 0

    def push(self, row: GameRow) -> Iterator[tuple[int, list[GameRow]]]:
        """Take a row and hand on the units that are now whole and next.

        Their rows are in the order of arm and turn.

        Raises
        ------
        ValueError
            A row twice, or one that no unit has.
        RuntimeError
            So many rows wait for others that memory would fill: units must be played about in
            their order.
        """
        self._check(row)
        self._waiting.setdefault(row.unit, {})[row.arm, row.turn] = row
        self._rows += 1
        if self._rows > _MOST_WAITING + self._size:
            raise RuntimeError(f"unit {self.next} is waited for by {self._rows} rows")
        while len(self._waiting.get(self.next, ())) == self._size:
            yield self._pop(self.next)
            self.next += 1

    def _check(self, row: GameRow) -> None:
        known = 0 <= row.arm < len(self._turns) and 0 <= row.turn < self._turns[row.arm]
        if not known or row.unit < self.next or self._holds(row):
            raise ValueError(f"row of arm {row.arm}, unit {row.unit}, turn {row.turn}: unexpected")

    def _holds(self, row: GameRow) -> bool:
        return (row.arm, row.turn) in self._waiting.get(row.unit, {})

    def _pop(self, unit: int) -> tuple[int, list[GameRow]]:
        rows = self._waiting.pop(unit)
        self._rows -= len(rows)
        return unit, [rows[key] for key in sorted(rows)]


class TileStatistics:
    """The auctions of one type of tile in one arm.

    Attributes
    ----------
    opening, price, earned, gain : Ratio
        Points, of tiles that were bid for: the first bid, the price, what the buyer scored in the
        turn with the tile, and the last of these less the price.
    how : dict
        How often it was had in each way: free (nobody was left to bid against), own bid, bought,
        sold.
    """

    __slots__ = ("earned", "gain", "how", "opening", "price")

    def __init__(self) -> None:
        self.opening = Ratio()
        self.price = Ratio()
        self.earned = Ratio()
        self.gain = Ratio()
        self.how: dict[str, int] = {}

    def add(self, rows: Sequence[AuctionRow]) -> None:
        """Add all auctions of one unit."""
        bid_for = [row for row in rows if row.how != "free"]
        if bid_for:
            self.opening.add(row.opening for row in bid_for)
            self.price.add(row.price for row in bid_for)
            self.earned.add(row.earned for row in bid_for)
            self.gain.add(row.earned - row.price for row in bid_for)
        for row in rows:
            self.how[row.how] = self.how.get(row.how, 0) + 1

    def merge(self, other: TileStatistics) -> None:
        """Add all that another one holds."""
        self.opening.merge(other.opening)
        self.price.merge(other.price)
        self.earned.merge(other.earned)
        self.gain.merge(other.gain)
        for how, times in other.how.items():
            self.how[how] = self.how.get(how, 0) + times


class CastleStatistics:
    """The castles of one arm.

    Attributes
    ----------
    waiting : Histogram
        Turns from the building of a castle to its pay, of those that were paid.
    paid_by : dict
        How often each kind of feature paid; the key `never` where none did.
    points, small_city, gain : Ratio
        What castles were paid, what the small city would have paid, and the difference.
    """

    __slots__ = ("gain", "paid_by", "points", "small_city", "waiting")

    def __init__(self) -> None:
        self.waiting = Histogram()
        self.paid_by: dict[str, int] = {}
        self.points = Ratio()
        self.small_city = Ratio()
        self.gain = Ratio()

    def add(self, rows: Sequence[CastleRow]) -> None:
        """Add all castles of one unit."""
        self.points.add(row.points for row in rows)
        self.small_city.add(row.small_city for row in rows)
        self.gain.add(row.points - row.small_city for row in rows)
        for row in rows:
            kind = "never" if row.paid is None else row.by or "unknown"
            self.paid_by[kind] = self.paid_by.get(kind, 0) + 1
            if row.paid is not None:
                self.waiting.add(row.paid - row.built)

    def merge(self, other: CastleStatistics) -> None:
        """Add all that another one holds."""
        self.waiting.merge(other.waiting)
        self.points.merge(other.points)
        self.small_city.merge(other.small_city)
        self.gain.merge(other.gain)
        for kind, times in other.paid_by.items():
            self.paid_by[kind] = self.paid_by.get(kind, 0) + times


class ArmStatistics:
    """What one arm has shown.

    Attributes
    ----------
    games : int
    units : int
        Units of which all games were played.
    values : list of Moments
        Of single games, for each measure: their spread is that of games.
    unit_values : list of Moments
        Of the means of units: their spread tells how precise the mean is.
    histograms : dict
        By the number of the measure, of measures with a distribution.
    tiles : dict
        Auctions by tile id.
    """

    def __init__(self, measures: Sequence[Measure]) -> None:
        self.games = 0
        self.units = 0
        self.values = [Moments() for _ in measures]
        self.unit_values = [Moments() for _ in measures]
        self.histograms = {i: Histogram() for i, m in enumerate(measures) if m.distribution}
        self.tiles: dict[str, TileStatistics] = {}
        self.castles = CastleStatistics()

    def add_pieces(self, rows: Sequence[GameRow]) -> None:
        """Add the auctions and castles of one unit."""
        by_tile: dict[str, list[AuctionRow]] = {}
        for row in rows:
            for auction in row.auctions:
                by_tile.setdefault(auction.tile, []).append(auction)
        for tile, auctions in by_tile.items():
            self.tiles.setdefault(tile, TileStatistics()).add(auctions)
        self.castles.add([castle for row in rows for castle in row.castles])

    def merge(self, other: ArmStatistics) -> None:
        """Add all that another one holds."""
        self.games += other.games
        self.units += other.units
        for mine, more in zip(
            self.values + self.unit_values, other.values + other.unit_values, strict=True
        ):
            mine.merge(more)
        for number, histogram in other.histograms.items():
            self.histograms[number].merge(histogram)
        for tile, statistics in other.tiles.items():
            self.tiles.setdefault(tile, TileStatistics()).merge(statistics)
        self.castles.merge(other.castles)


class Statistics:
    """All that is kept of an experiment.

    Parameters
    ----------
    turns
        How many games each arm has in a unit.
    measures
        In the order of the rows' values.
    contrasts
        What is compared.

    Attributes
    ----------
    arms : list of ArmStatistics
    units : int
        Units of which at least one game was played.
    differences : list of list of Moments
        For each contrast and measure, differences within units. A unit counts where every arm of
        the contrast played all its games and the measure applies in each.
    """

    def __init__(
        self, turns: Sequence[int], measures: Sequence[Measure], contrasts: Sequence[Contrast]
    ) -> None:
        self.turns = tuple(turns)
        self.measures = tuple(measures)
        self.contrasts = tuple(contrasts)
        self.units = 0
        self.arms = [ArmStatistics(measures) for _ in turns]
        self.differences = [[Moments() for _ in measures] for _ in contrasts]

    def add_unit(self, rows: Iterable[GameRow]) -> None:
        """Add the games of one unit; see `add_units`."""
        self.add_units([rows])

    def add_units(self, units: Iterable[Iterable[GameRow]]) -> None:
        """Add the games of some units: of each all of them, or those there are.

        Raises
        ------
        CarcassonneError
            A measure gave no ordinary number, or no whole one although it has a distribution.
        """
        by_arm: list[list[list[GameRow]]] = [[] for _ in self.arms]
        for rows in units:
            split: list[list[GameRow]] = [[] for _ in self.arms]
            for row in rows:
                split[row.arm].append(row)
            self.units += any(split)
            for arm, games in enumerate(split):
                by_arm[arm].append(games)
        columns = [self._add_arm(arm, games) for arm, games in enumerate(by_arm)]
        for contrast, differences in zip(self.contrasts, self.differences, strict=True):
            for i, moments in enumerate(differences):
                plus = zip(*(columns[arm][i] for arm in contrast.plus), strict=True)
                minus = zip(*(columns[arm][i] for arm in contrast.minus), strict=True)
                moments.add_all(
                    [
                        divided(
                            sum(more) * len(less) - sum(less) * len(more), len(more) * len(less)
                        )
                        for more, less in zip(plus, minus, strict=True)
                        if None not in more and None not in less
                    ]
                )

    def merge(self, other: Statistics) -> None:
        """Add all that another one of the same design holds, of other units."""
        self.units += other.units
        for arm, more in zip(self.arms, other.arms, strict=True):
            arm.merge(more)
        for mine, theirs in zip(self.differences, other.differences, strict=True):
            for moments, added in zip(mine, theirs, strict=True):
                moments.merge(added)

    def _add_arm(self, number: int, units: list[list[GameRow]]) -> list[list[int | None]]:
        """Add one arm's games of some units.

        Returns
        -------
        list
            For each measure, and then each unit, its mean on the grid: None where the measure
            says nothing, or games of the unit are missing.
        """
        arm, turns = self.arms[number], self.turns[number]
        for rows in units:
            arm.add_pieces(rows)
        games = [row.values for rows in units for row in rows]
        whole = [len(rows) == turns for rows in units]
        arm.games += len(games)
        arm.units += sum(whole)
        found = []
        for i, measure in enumerate(self.measures):
            values = [row[i] for row in games]
            steps = column_on_grid(values, measure.name)
            arm.values[i].add_all([value for value in steps if value is not None])
            if i in arm.histograms:
                _count(arm.histograms[i], values, measure)
            means = _means(steps, [len(rows) for rows in units], whole)
            arm.unit_values[i].add_all([mean for mean in means if mean is not None])
            found.append(means)
        return found


def _count(histogram: Histogram, values: Iterable[float | None], measure: Measure) -> None:
    for value, times in Counter(values).items():
        if value is None:
            continue
        if value != int(value):
            raise CarcassonneError(
                f"measure {measure.name!r} gave {value!r}: with distribution = True it must give "
                "whole numbers"
            )
        histogram.add(int(value), times)


def _means(
    steps: list[int | None], sizes: Sequence[int], whole: Sequence[bool]
) -> list[int | None]:
    """The mean of each unit, whose games stand one after the other."""
    if all(whole) and all(size == 1 for size in sizes):
        return steps
    means: list[int | None] = []
    first = 0
    for size, is_whole in zip(sizes, whole, strict=True):
        known = [value for value in steps[first : first + size] if value is not None]
        first += size
        means.append(divided(sum(known), len(known)) if known and is_whole else None)
    return means
