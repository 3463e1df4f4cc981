"""What laying a tile somewhere would do to everybody: a look ahead without playing.

Puts together the features that would meet and compares what their majorities may expect before
and after. That is some ten times faster than playing a placement and taking it back, and it
reveals nothing. The results are estimates; what really happens, the game decides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from carcassonne.bots.outlook import Known
from carcassonne.bots.survey import NO_COUNTS
from carcassonne.geometry import AXIS_SIDES, DELTAS
from carcassonne.moves import Address
from carcassonne.tiles import Segment

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from carcassonne.bots.survey import Frame, Survey
    from carcassonne.geometry import Cell
    from carcassonne.moves import BridgePlace
    from carcassonne.tiles import TileType

__all__ = ["Effect", "Option", "best_option", "effect_of", "option_on", "value_of"]

_BRIDGES: Final = tuple(
    Segment(name, "road", (name,), sides)
    for name, sides in zip(("road.N", "road.E"), AXIS_SIDES, strict=True)
)
"""The road that a bridge adds to the tile under it, by axis."""

_FARM_DOUBT: Final = 0.7
"""How much of a point that a field gains now is left when the fields are scored."""


class Option(NamedTuple):
    """A place for a meeple: the points it will probably bring, and for how long it is gone."""

    worth: float
    lock: float


class Effect(NamedTuple):
    """What a placement changes: points by seat without a new meeple, and places for a meeple."""

    gains: list[float]
    options: list[Option]


class _Group:
    """Segments of the new tile, and the features beside it, that would become one feature."""

    __slots__ = ("known", "matched", "segments")

    def __init__(self, segment: Segment, known: set[Known], matched: int) -> None:
        self.segments = [segment]
        self.known = known
        self.matched = matched

    def take_in(self, other: _Group) -> None:
        """Become one with another group."""
        self.segments += other.segments
        self.known |= other.known
        self.matched += other.matched

    def counts(self) -> Mapping[int, int]:
        """The meeples that would stand on the feature, by seat."""
        held = [there.counts for there in self.known if there.counts]
        if not held:
            return NO_COUNTS
        if len(held) == 1:
            return held[0]
        both: dict[int, int] = {}
        for counts in held:
            for seat, count in counts.items():
                both[seat] = both.get(seat, 0) + count
        return both


def effect_of(
    survey: Survey, tile: TileType, cell: Cell, rotation: int, bridge: BridgePlace | None = None
) -> Effect:
    """What a placement would change."""
    frame = survey.frame(cell)
    sides = frame.sides
    segments: Iterable[Segment] = tile.variants[rotation].segments
    if bridge is not None and bridge.cell == cell:
        segments = (*segments, _BRIDGES[bridge.axis])
    elif bridge is not None:
        sides = list(sides)
        side = DELTAS.index((bridge.cell[0] - cell[0], bridge.cell[1] - cell[1]))
        sides[side] = Known("road", (bridge.cell,), 2)
    laying = _Laying(survey, cell, frame)
    for group in _groups(segments, sides, frame.halves if survey.rules.farmers else None):
        if group.segments[0].kind == "field":
            laying.join_field(group)
        else:
            laying.join_line(group)
    if tile.cloister or frame.cloisters:
        laying.surround(own=tile.cloister)
    if laying.done and survey.castles:
        laying.pay_castles()
    return Effect(laying.gains, laying.options)


def _groups(
    segments: Iterable[Segment],
    sides: list[Known | None],
    halves: list[Known | None] | None,
) -> list[_Group]:
    """The features that the tile's segments would be part of; no fields without `halves`."""
    groups: list[_Group] = []
    for segment in segments:
        ends, beyond = segment.sides, sides
        if segment.kind == "field":
            if halves is None:
                continue
            ends, beyond = segment.halves, halves
        elif not ends or segment.kind == "river":
            continue
        known: set[Known] = set()
        matched = 0
        for end in ends:
            there = beyond[end]
            if there is not None:
                known.add(there)
                matched += 1
        group = _Group(segment, known, matched)
        if known and groups:
            for other in groups.copy():
                if not known.isdisjoint(other.known):
                    groups.remove(other)
                    group.take_in(other)
        groups.append(group)
    return groups


class _Laying:
    """One placement while its effect is put together.

    Attributes
    ----------
    done : list
        Points and cells of the features that it would complete.
    """

    __slots__ = ("cell", "done", "frame", "gains", "options", "outlook", "survey")

    def __init__(self, survey: Survey, cell: Cell, frame: Frame) -> None:
        self.survey = survey
        self.outlook = survey.outlook
        self.cell = cell
        self.frame = frame
        self.gains = [0.0] * len(survey.players)
        self.options: list[Option] = []
        self.done: list[tuple[float, set[Cell]]] = []

    def credit(self, counts: Mapping[int, int], points: float) -> None:
        """Give points to the majority (R-BASE-16)."""
        gains = self.gains
        if len(counts) == 1:
            for seat in counts:
                gains[seat] += points
            return
        most = max(counts.values())
        for seat, count in counts.items():
            if count == most:
                gains[seat] += points

    def join_line(self, group: _Group) -> None:
        """A road or city grows, joins others or is completed."""
        outlook = self.outlook
        kind = group.segments[0].kind
        inns = self.survey.rules.inns_enabled
        open_ends = -2 * group.matched
        tiles, pennants, doubled = 1, 0, False
        for segment in group.segments:
            open_ends += len(segment.sides)
            pennants += segment.pennants
            doubled = doubled or (inns and (segment.inn or segment.cathedral))
        for there in group.known:
            open_ends += there.open
            tiles += len(there.cells)
            pennants += there.pennants
            doubled = doubled or there.doubled
            if there.counts:
                self.credit(there.counts, -there.worth)
        worth = outlook.feature(kind, tiles, pennants, open_ends, doubled=doubled)
        if open_ends <= 0 and tiles == 2 and self._may_be_castle(group):
            worth = max(worth, outlook.castle() - 0.5)
        counts = group.counts()
        if counts:
            self.credit(counts, worth)
        else:
            self.options.append(Option(worth, outlook.lock(kind, open_ends)))
        if open_ends <= 0:
            self._complete(group, kind, worth)

    def _may_be_castle(self, group: _Group) -> bool:
        return (
            len(group.segments) == 1
            and group.segments[0].castle_base
            and all(there.cap for there in group.known)
            and any(pieces["castles"] for pieces in self.survey.supply.values())
        )

    def _complete(self, group: _Group, kind: str, points: float) -> None:
        if self.survey.castles:
            cells = {self.cell}.union(*(there.cells for there in group.known))
            self.done.append((points, cells))
        if kind == "city" and self.survey.rules.farmers:
            gain = _FARM_DOUBT * self.survey.rules.farm_points_per_city
            for field in self._fields_around(group):
                self.credit(field.counts, gain)

    def _fields_around(self, group: _Group) -> set[Known]:
        """Fields with farmers that adjoin the cities beside the new tile (R-BASE-22)."""
        survey = self.survey
        fields = set()
        for there in group.known:
            for node in there.segments:
                for segment in survey.tiles[node.cell].variant.segments:
                    if node.segment in segment.touches:
                        fields.add(survey.known(Address(node.cell, segment.name)))
        return {field for field in fields if field.counts}

    def join_field(self, group: _Group) -> None:
        """A field grows or joins others."""
        points = self.outlook.field_growth()
        for there in group.known:
            points += there.points
        counts = group.counts()
        if not counts:
            self.options.append(Option(points, self.outlook.lock("field", 1)))
        elif len(group.known) > 1:
            for there in group.known:
                if there.counts:
                    self.credit(there.counts, -there.worth)
            self.credit(counts, points)

    def surround(self, *, own: bool) -> None:
        """The tile's own cloister, and those that it lies beside."""
        outlook, frame = self.outlook, self.frame
        if own:
            lock = outlook.lock("cloister", 8 - frame.around)
            self.options.append(Option(outlook.cloister(frame.around), lock))
            if frame.around == 8:
                self.done.append((9.0, {self.cell}))
        for there in frame.cloisters:
            if there.counts:
                self.credit(there.counts, outlook.cloister(9 - there.open) - there.worth)
            if there.open == 1:
                self.done.append((9.0, set(there.cells)))

    def pay_castles(self) -> None:
        """The completed features pay the castles beside them (R-CASTLE-15), whoever's they are."""
        expected = self.outlook.castle()
        for castle in self.survey.castles:
            paid = [points for points, cells in self.done if not cells.isdisjoint(castle.vicinity)]
            if paid:
                self.gains[self.survey.seats[castle.owner]] += max(paid) - expected


# ------------------------------------------------------------------------------ values


def value_of(survey: Survey, effect: Effect, seat: int, shares: list[float]) -> float:
    """What an effect is worth to a seat, the best use of a meeple included.

    `shares` says how much a point of each player counts (`survey.weights`).
    """
    total = 0.0
    for gain, share in zip(effect.gains, shares, strict=True):
        if gain:
            total += gain * share
    return total + best_option(survey, effect.options, seat)


def best_option(survey: Survey, options: Iterable[Option], seat: int) -> float:
    """What the best place for a meeple is worth to a seat; 0 if it keeps its meeple."""
    cost = survey.meeple_costs[seat]
    if cost is None:
        return 0.0
    best = 0.0
    for worth, lock in options:
        value = worth - cost * lock
        best = max(best, value)
    return best


def option_on(survey: Survey, there: Known) -> Option:
    """What a meeple on a free feature of the board as it lies will bring."""
    worth = there.worth
    if survey.is_small_city(there):
        worth = max(worth, survey.castle_worth(there.cells) - 1.0)
    return Option(worth, survey.outlook.lock(there.kind, there.open))
