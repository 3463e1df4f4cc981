"""The six ordinary kinds of building, and a whole scoring round in the right order.

Owns R-MEDINA-5, 20 and 21: in each kind the players with most buildings score, ties pool the
places and round down, and the Medinas come last. Walls are no part of this module.

The numbers are the scoring card of the published game. The forum explanation of Medina gives the
tower majority 8 points in round 1; the card says 6, and 8 is what the pavilion pays first in
round 2 (R-MEDINA-20).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from carcassonne.alhambra.medina import (
    Item,
    MedinaError,
    MedinaOptions,
    MedinaScore,
    check_players,
    check_round,
    in_words,
    score_medinas,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["CARD", "KINDS", "BuildingScore", "RoundScore", "score_buildings", "score_round"]

KINDS: Final = ("pavilion", "seraglio", "arcades", "chambers", "garden", "tower")
"""The ordinary kinds, cheapest first."""

_BEST: Final = {1: (1,), 2: (8, 1), 3: (16, 8, 1)}

CARD: Final[Mapping[int, Mapping[str, tuple[int, ...]]]] = {
    number: {kind: tuple(points + step for points in best) for step, kind in enumerate(KINDS)}
    for number, best in _BEST.items()
}
"""What the places pay, by round and kind, the most buildings first (R-MEDINA-20, 21)."""

_MOST: Final = ("most", "second most", "third most")


@dataclass(frozen=True, slots=True)
class BuildingScore:
    """A scoring of the six kinds.

    Attributes
    ----------
    round : int
        The scoring round.
    items : mapping of str to tuple of Item
        For each player what each kind paid; kinds that pay the player nothing are left out.
    """

    round: int
    items: Mapping[str, tuple[Item, ...]]

    @property
    def points(self) -> dict[str, int]:
        """Every player's points."""
        return {player: sum(item.points for item in items) for player, items in self.items.items()}


@dataclass(frozen=True, slots=True)
class RoundScore:
    """A whole scoring round: the buildings first, the Medinas last (R-MEDINA-5).

    Attributes
    ----------
    buildings : BuildingScore
        What the six kinds pay.
    medinas : MedinaScore
        What the Medinas cost, counted from the totals after the buildings.
    totals : mapping of str to int
        Every player's total after the round.
    """

    buildings: BuildingScore
    medinas: MedinaScore
    totals: Mapping[str, int]

    @property
    def points(self) -> dict[str, int]:
        """Every player's change of total in this round."""
        lost = self.medinas.points
        return {player: gained + lost[player] for player, gained in self.buildings.points.items()}


def score_buildings(number: int, built: Mapping[str, Mapping[str, int]]) -> BuildingScore:
    """Score the majorities of the six kinds in round 1, 2 or 3 (R-MEDINA-20, 21).

    Parameters
    ----------
    number : int
        The scoring round.
    built : mapping of str to mapping of str to int
        For each of two to six players how many buildings of each kind stand in the Alhambra;
        kinds left out are 0. Who has none of a kind scores nothing in it.

    Raises
    ------
    MedinaError
        No such round or kind, a number that can't be, or a wrong number of players.

    Examples
    --------
    >>> score_buildings(2, {"A": {"tower": 2}, "B": {"tower": 2}, "C": {"tower": 1}}).points
    {'A': 9, 'B': 9, 'C': 0}
    """
    check_round(number)
    check_players(built)
    _check_counts(built)
    items: dict[str, list[Item]] = {player: [] for player in built}
    for kind in KINDS:
        counts = {player: kinds.get(kind, 0) for player, kinds in built.items()}
        for player, item in _score_kind(number, kind, counts):
            items[player].append(item)
    return BuildingScore(number, {player: tuple(parts) for player, parts in items.items()})


def score_round(
    number: int,
    buildings: Mapping[str, Mapping[str, int]],
    medinas: Mapping[str, Sequence[int]],
    *,
    options: MedinaOptions | None = None,
    totals: Mapping[str, int] | None = None,
) -> RoundScore:
    """Score a whole round, the Medinas after all other kinds (R-MEDINA-5).

    Parameters
    ----------
    number : int
        The scoring round.
    buildings, medinas : mapping
        What each player has built, as `score_buildings` and `score_medinas` take it.
    options : MedinaOptions, optional
        How open questions are answered.
    totals : mapping of str to int, optional
        Totals before the round; 0 for a player who is left out.

    Raises
    ------
    MedinaError
        The two mappings have different players, or one of them can't be scored.

    Examples
    --------
    >>> score_round(1, {"A": {"tower": 1}, "B": {}}, {"A": [], "B": [4]}).totals
    {'A': 2, 'B': 0}
    """
    if set(buildings) != set(medinas):
        raise MedinaError("buildings and Medinas are given for different players")
    totals = totals or {}
    scored = score_buildings(number, buildings)
    between = {player: totals.get(player, 0) + gain for player, gain in scored.points.items()}
    for player in totals:
        if player not in between:
            raise MedinaError(f"a total is given for {player!r}, who doesn't play")
    in_order = {player: medinas[player] for player in buildings}
    lost = score_medinas(number, in_order, options=options, totals=between)
    after = {player: total + lost.points[player] for player, total in between.items()}
    return RoundScore(scored, lost, after)


def _check_counts(built: Mapping[str, Mapping[str, int]]) -> None:
    for player, kinds in built.items():
        for kind, count in kinds.items():
            if kind not in KINDS:
                known = ", ".join(KINDS)
                raise MedinaError(f"player {player}: no kind of building is {kind!r}; {known}")
            if not isinstance(count, int) or isinstance(count, bool) or count < 0:
                raise MedinaError(f"player {player}: {count!r} is no number of {kind} buildings")


def _score_kind(number: int, kind: str, counts: Mapping[str, int]) -> list[tuple[str, Item]]:
    """Who gets what for one kind: places in order of numbers, ties pooled and rounded down."""
    scored: list[tuple[str, Item]] = []
    places = CARD[number][kind]
    first = 0
    for count in sorted({count for count in counts.values() if count}, reverse=True):
        tied = [player for player, own in counts.items() if own == count]
        pool = places[first : first + len(tied)]
        if pool:
            item = _kind_item(kind, first, pool, tied)
            scored.extend((player, item) for player in tied)
        first += len(tied)
    return scored


def _kind_item(kind: str, first: int, pool: Sequence[int], tied: Sequence[str]) -> Item:
    share, rest = divmod(sum(pool), len(tied))
    reason = f"{kind}: {in_words(_MOST[first : first + len(pool)])}"
    if len(tied) > 1:
        added = " + ".join(map(str, pool))
        down = f", down to {share}" if rest else f": {share}"
        reason = f"{reason}, shared by {in_words(tied)}: {added}, by {len(tied)}{down}"
    return Item(share, ("R-MEDINA-21",), reason)
