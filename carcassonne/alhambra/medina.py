"""The Medinas of Alhambra in a scoring round: who loses how much, and why.

Owns R-MEDINA-3, 4, 6 to 19, 22, 23, 25 and 26 and their options. The six ordinary kinds of
building and the order of a whole round are `buildings`; where Medinas come from is `market`.

Where the two texts on Medina disagree
--------------------------------------
The forum explanation says in its general sentences for rounds 2 and 3 that the players without a
Medina share *all* penalties of the round. Its own example for round 3 (12 for one player, while
two others still lose 6 and 3) and the rulebook's example (11 each for two) refute that, so they
share only the places that they take (R-MEDINA-19); `medina_zero_pool=all` plays the sentences as
they stand. The same text gives the tower majority 8 points in round 1; the scoring card of the
published game says 6 (R-MEDINA-20, in `buildings`).
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import groupby
from typing import TYPE_CHECKING, Final

from carcassonne.errors import CarcassonneError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = [
    "EXTRA",
    "MAX_PRICE",
    "MEDINAS",
    "OPTION_VALUES",
    "PENALTIES",
    "Item",
    "MedinaError",
    "MedinaOptions",
    "MedinaScore",
    "PlayerScore",
    "check_players",
    "check_round",
    "in_words",
    "score_medinas",
]

MEDINAS: Final = 9
"""How many Medina tiles there are (R-MEDINA-1)."""

PENALTIES: Final[Mapping[int, tuple[int, ...]]] = {1: (3,), 2: (6, 3), 3: (9, 6, 3)}
"""What the places cost in each round, the fewest Medinas first (R-MEDINA-6)."""

EXTRA: Final[Mapping[int, int]] = {1: 1, 2: 2, 3: 3}
"""What a player without any Medina loses besides in each round (R-MEDINA-10)."""

MAX_PRICE: Final = 999
"""The dearest price that is accepted; a guard against slips of the pen, not a rule."""

OPTION_VALUES: Final[Mapping[str, tuple[str, ...]]] = {
    "medina_zero_pool": ("places", "all"),
    "medina_final_tie": ("next_price_then_share", "share"),
    "medina_allow_negative_total": ("true", "false"),
}
"""The options and the texts of their values, the default first."""

_FEWEST: Final = ("worst", "second worst", "third worst", "fourth", "fifth", "sixth")
_PLAYERS: Final = range(2, 7)


class MedinaError(CarcassonneError):
    """Anything wrong with what was given to the Medina module; one clear sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MedinaOptions:
    """How the open questions of the Medina rules are answered.

    Attributes
    ----------
    medina_zero_pool : str
        `places`: players without a Medina share the penalties of the places that they take
        (R-MEDINA-9). `all`: they share all penalties of the round, and nobody else loses
        anything (the forum text's general sentences, R-MEDINA-19).
    medina_final_tie : str
        Equal numbers of Medinas and equally dear dearest ones (R-MEDINA-23).
        `next_price_then_share`: the next dearest are compared and so on, and who is equal in
        all shares the places, rounded up. `share`: share at once.
    medina_allow_negative_total : bool
        Whether the loss may take a player's total below 0 (R-MEDINA-25). If not, the totals
        before the scoring are needed.

    Raises
    ------
    MedinaError
        A value that an option can't take.
    """

    medina_zero_pool: str = "places"
    medina_final_tie: str = "next_price_then_share"
    medina_allow_negative_total: bool = True

    def __post_init__(self) -> None:
        for name, text in self.as_texts().items():
            if text not in OPTION_VALUES[name]:
                raise MedinaError(_wrong_value(name, text))

    def as_texts(self) -> dict[str, str]:
        """Every option with its value as it is written on the command line."""
        texts = {field.name: getattr(self, field.name) for field in fields(self)}
        return {
            name: str(value).lower() if isinstance(value, bool) else str(value)
            for name, value in texts.items()
        }

    @classmethod
    def parse(cls, texts: Iterable[str]) -> MedinaOptions:
        """Read options written as `name=value`.

        Raises
        ------
        MedinaError
            No such option, one given twice, or a value that it can't take.

        Examples
        --------
        >>> MedinaOptions.parse(["medina_zero_pool=all"]).medina_zero_pool
        'all'
        """
        values: dict[str, str] = {}
        for text in texts:
            name, equals, value = text.partition("=")
            if name not in OPTION_VALUES:
                raise MedinaError(f"option {name!r} is unknown; known: {', '.join(OPTION_VALUES)}")
            if not equals or value not in OPTION_VALUES[name]:
                raise MedinaError(_wrong_value(name, value))
            if name in values:
                raise MedinaError(f"option {name} is given twice")
            values[name] = value
        return cls(
            medina_zero_pool=values.get("medina_zero_pool", "places"),
            medina_final_tie=values.get("medina_final_tie", "next_price_then_share"),
            medina_allow_negative_total=values.get("medina_allow_negative_total") != "false",
        )


_DEFAULTS: Final = MedinaOptions()


@dataclass(frozen=True, slots=True)
class Item:
    """One part of a score.

    Attributes
    ----------
    points : int
        What it changes; losses are negative.
    rules : tuple of str
        The ids of the rules behind it, the deciding one first.
    reason : str
        Why, as a sentence without a full stop.
    """

    points: int
    rules: tuple[str, ...]
    reason: str

    def __str__(self) -> str:
        points = f"{self.points:+d}" if self.points else "0"
        return f"{points} {self.reason} ({', '.join(self.rules)})"


@dataclass(frozen=True, slots=True)
class PlayerScore:
    """What a scoring of the Medinas does to one player.

    Attributes
    ----------
    player : str
        The name.
    medinas : tuple of int
        The prices of the built Medinas, dearest first.
    places : tuple of int
        The places taken or shared, 1 being the worst.
    items : tuple of Item
        The parts of the score; never empty.
    total : int or None
        The player's total after the scoring, if the total before was given.
    """

    player: str
    medinas: tuple[int, ...]
    places: tuple[int, ...]
    items: tuple[Item, ...]
    total: int | None = None

    @property
    def points(self) -> int:
        """The change of the player's total, 0 or negative."""
        return sum(item.points for item in self.items)


@dataclass(frozen=True, slots=True)
class MedinaScore:
    """A scoring of the Medinas, players in the order in which they were given."""

    round: int
    options: MedinaOptions
    players: tuple[PlayerScore, ...]

    @property
    def points(self) -> dict[str, int]:
        """Every player's change of total."""
        return {score.player: score.points for score in self.players}

    def of(self, player: str) -> PlayerScore:
        """Find one player's score.

        Raises
        ------
        MedinaError
            Nobody has that name.
        """
        for score in self.players:
            if score.player == player:
                return score
        raise MedinaError(f"there is no player {player!r}")


@dataclass(frozen=True, slots=True)
class _Scoring:
    """What is scored: the round, everybody's prices (dearest first), and the options."""

    number: int
    medinas: Mapping[str, tuple[int, ...]]
    options: MedinaOptions

    @property
    def zeros_take_all(self) -> bool:
        """Whether players without a Medina bear all penalties of this round (R-MEDINA-19)."""
        return self.options.medina_zero_pool == "all" and self.anybody_without

    @property
    def anybody_without(self) -> bool:
        return not all(self.medinas.values())

    def pool(self, group: _Group) -> tuple[int, ...]:
        """List what the places of a group cost (R-MEDINA-6); beyond the penalties they are free.

        There may be fewer players than penalties (R-MEDINA-22).
        """
        costs = PENALTIES[self.number]
        return tuple(costs[place] if place < len(costs) else 0 for place in group.places)


@dataclass(frozen=True, slots=True)
class _Group:
    """Players whom nothing tells apart, and the places (counted from 0) that they fill."""

    players: tuple[str, ...]
    first: int
    medinas: int

    @property
    def places(self) -> range:
        return range(self.first, self.first + len(self.players))


def score_medinas(
    number: int,
    built: Mapping[str, Sequence[int]],
    *,
    options: MedinaOptions | None = None,
    totals: Mapping[str, int] | None = None,
) -> MedinaScore:
    """Score the built Medinas in round 1, 2 or 3 (R-MEDINA-3 to 19, 22, 23, 25, 26).

    Parameters
    ----------
    number : int
        The scoring round.
    built : mapping of str to sequence of int
        Two to six players, each with the prices of the Medinas that stand in the Alhambra, in any
        order. Medinas in a reserve don't count and must not be given (R-MEDINA-4).
    options : MedinaOptions, optional
        How open questions are answered.
    totals : mapping of str to int, optional
        Totals before this scoring, after all other kinds of building (R-MEDINA-5).

    Returns
    -------
    MedinaScore
        For each player the loss with its reasons. The order of the players never matters.

    Raises
    ------
    MedinaError
        No such round, a wrong number of players, names or prices that can't be, more than nine
        Medinas, or totals that are needed and missing or belong to nobody.

    Examples
    --------
    The rulebook's example (R-MEDINA-16):

    >>> score_medinas(3, {"A": [], "B": [], "C": [3, 5], "D": [2, 4, 8]}).points
    {'A': -11, 'B': -11, 'C': -3, 'D': 0}
    """
    options = options or _DEFAULTS
    check_round(number)
    check_players(built)
    medinas = _checked_medinas(built)
    before = _checked_totals(medinas, totals or {}, options)
    scoring = _Scoring(number, medinas, options)
    group_of = {player: group for group in _ranked(scoring) for player in group.players}
    scores = (_player_score(scoring, p, group_of[p], before.get(p)) for p in medinas)
    return MedinaScore(number, options, tuple(scores))


def check_round(number: int) -> None:
    """Refuse any scoring round but 1, 2 and 3.

    Raises
    ------
    MedinaError
        It is another one.
    """
    if isinstance(number, bool) or number not in PENALTIES:
        raise MedinaError(f"there is no round {number!r}: the scoring rounds are 1, 2 and 3")


def check_players(players: Iterable[str]) -> None:
    """Refuse any but two to six players with sensible, different names.

    Raises
    ------
    MedinaError
        Too few, too many, a name twice, or a name that is empty or has spaces in it.
    """
    names = list(players)
    for name in names:
        if not isinstance(name, str) or not name or name.split() != [name]:
            raise MedinaError(f"{name!r} is no name for a player: it needs letters and no spaces")
        if not name.isprintable():
            raise MedinaError(f"{name!r} is no name for a player: it can't be printed")
        if names.count(name) > 1:
            raise MedinaError(f"player {name!r} is given twice")
    if len(names) not in _PLAYERS:
        raise MedinaError(f"two to six players are needed, not {len(names)}")


def in_words(names: Iterable[object]) -> str:
    """Join names to `A`, `A and B`, `A, B and C`."""
    *others, last = map(str, names)
    return f"{', '.join(others)} and {last}" if others else last


def _wrong_value(name: str, value: str) -> str:
    return f"option {name} can't be {value!r}: it is {' or '.join(OPTION_VALUES[name])}"


def _checked_medinas(built: Mapping[str, Sequence[int]]) -> dict[str, tuple[int, ...]]:
    """Every player's prices, dearest first."""
    for player, prices in built.items():
        for price in prices:
            if not isinstance(price, int) or isinstance(price, bool):
                raise MedinaError(f"player {player}: {price!r} is no price")
            if not 1 <= price <= MAX_PRICE:
                raise MedinaError(f"player {player}: the price {price} isn't 1 to {MAX_PRICE}")
    count = sum(map(len, built.values()))
    if count > MEDINAS:
        raise MedinaError(f"there are only {MEDINAS} Medinas, not {count} (R-MEDINA-1)")
    return {player: tuple(sorted(prices, reverse=True)) for player, prices in built.items()}


def _checked_totals(
    players: Iterable[str], totals: Mapping[str, int], options: MedinaOptions
) -> Mapping[str, int]:
    """Check totals: each is a player's, and every player's is there where they matter."""
    for player in totals:
        if player not in players:
            raise MedinaError(f"a total is given for {player!r}, who doesn't play")
    if options.medina_allow_negative_total:
        return totals
    for player in players:
        if player not in totals:
            raise MedinaError(
                f"the total of {player} is needed with medina_allow_negative_total=false"
            )
        if totals[player] < 0:
            raise MedinaError(
                f"the total of {player} can't be {totals[player]}"
                " with medina_allow_negative_total=false"
            )
    return totals


def _ranked(scoring: _Scoring) -> tuple[_Group, ...]:
    """Put players whom nothing tells apart into groups, the worst first (R-MEDINA-7, 8, 23)."""
    medinas = scoring.medinas
    compared = 1 if scoring.options.medina_final_tie == "share" else MEDINAS

    def standing(player: str) -> tuple[int, tuple[int, ...]]:
        return len(medinas[player]), medinas[player][:compared]

    groups: list[_Group] = []
    first = 0
    for (count, _), equals in groupby(sorted(medinas, key=standing), key=standing):
        group = _Group(tuple(equals), first, count)
        groups.append(group)
        first += len(group.players)
    return tuple(groups)


def _player_score(scoring: _Scoring, player: str, group: _Group, total: int | None) -> PlayerScore:
    """Add up one player's loss: the places, the extra, and the floor of the total if any."""
    if group.medinas:
        items = [_share_of_owners(scoring, group)]
    else:
        items = [_share_without(scoring, group), _extra(scoring.number)]
    after = None if total is None else total + sum(item.points for item in items)
    if after is not None and after < 0 and not scoring.options.medina_allow_negative_total:
        items.append(Item(-after, ("R-MEDINA-25",), "totals stop at 0"))
        after = 0
    places = tuple(place + 1 for place in group.places)
    return PlayerScore(player, scoring.medinas[player], places, tuple(items), after)


def _share_without(scoring: _Scoring, group: _Group) -> Item:
    """Charge players without a Medina for their places (R-MEDINA-9, 11, 12, 13, 19)."""
    if scoring.zeros_take_all:
        what = "no Medina: all penalties of the round (medina_zero_pool=all)"
        return _shared(PENALTIES[scoring.number], group.players, what, "R-MEDINA-19")
    rule = "R-MEDINA-12" if len(group.players) == 1 else "R-MEDINA-9"
    what = f"no Medina: {_places(group.places)}"
    return _shared(scoring.pool(group), group.players, what, rule)


def _extra(number: int) -> Item:
    return Item(-EXTRA[number], ("R-MEDINA-10",), f"no Medina: the extra of round {number}")


def _share_of_owners(scoring: _Scoring, group: _Group) -> Item:
    """Charge players with Medinas for the place they take or share (R-MEDINA-6, 7, 14, 23)."""
    if scoring.zeros_take_all:
        reason = "players without a Medina take all penalties (medina_zero_pool=all)"
        return Item(0, ("R-MEDINA-19",), reason)
    pool = scoring.pool(group)
    rule = "R-MEDINA-14" if scoring.anybody_without and any(pool) else "R-MEDINA-6"
    tie, tie_rules = _tie(group, scoring.medinas)
    return _shared(pool, group.players, f"{_places(group.places)}{tie}", rule, *tie_rules)


def _tie(group: _Group, medinas: Mapping[str, tuple[int, ...]]) -> tuple[str, tuple[str, ...]]:
    """Say how equal numbers of Medinas were told apart, or that they were not."""
    peers = {name: prices for name, prices in medinas.items() if len(prices) == group.medinas}
    if len(peers) == 1:
        return "", ()
    mine = group.players[0]
    same_top = [name for name, prices in peers.items() if prices[0] == peers[mine][0]]
    rules = ("R-MEDINA-7",) if len(same_top) < len(peers) else ()
    if len(same_top) == 1:
        dearest = in_words(f"{name} {prices[0]}" for name, prices in peers.items())
        return f", {_count(group.medinas)} each, dearest: {dearest}", rules
    prices_of = in_words(f"{name} {'+'.join(map(str, peers[name]))}" for name in peers)
    return f", {_count(group.medinas)} each: {prices_of}", (*rules, "R-MEDINA-23")


def _shared(pool: Sequence[int], players: Sequence[str], reason: str, *rules: str) -> Item:
    """Split penalties equally among players, rounded up to the larger loss (R-MEDINA-26)."""
    total, count = sum(pool), len(players)
    loss = -(-total // count)
    if total == 0:
        return Item(0, rules, f"{reason}: no penalty")
    if count == 1 and len(pool) == 1:
        return Item(-loss, rules, reason)
    added = " + ".join(str(penalty) for penalty in pool if penalty)
    added = added if added == str(total) else f"{added} = {total}"
    if count == 1:
        return Item(-loss, rules, f"{reason}: {added}")
    reason = f"{reason}, shared by {in_words(players)}: {added}, by {count}"
    if total % count:
        return Item(-loss, (*rules, "R-MEDINA-26"), f"{reason}, up to {loss}")
    return Item(-loss, rules, f"{reason}: {loss}")


def _places(places: Sequence[int]) -> str:
    noun = "place" if len(places) == 1 else "places"
    return f"{in_words(_FEWEST[place] for place in places)} {noun}"


def _count(medinas: int) -> str:
    return f"{medinas} Medina{'' if medinas == 1 else 's'}"
