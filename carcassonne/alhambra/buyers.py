"""Simple buyers for the game of purchases, and a tally of how the penalties fall out.

A buyer is a function of what the player sees and a generator, and answers one of the actions that
are listed there. None of them plays well; they differ in what they think of Medinas.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from carcassonne.alhambra.buildings import KINDS
from carcassonne.alhambra.market import (
    CURRENCIES,
    DEFAULT_FITS,
    Action,
    Build,
    Buy,
    Card,
    Keep,
    Move,
    PurchaseGame,
    Stop,
    Take,
    View,
)
from carcassonne.alhambra.medina import PENALTIES, MedinaError, MedinaOptions, score_medinas

if TYPE_CHECKING:
    from carcassonne.alhambra.data import Tile, TileSet

__all__ = ["BUYERS", "Buyer", "Tally", "find_buyer", "play_game", "played_games"]

Buyer = Callable[[View, random.Random], Action]


def random_buyer(view: View, rng: random.Random) -> Action:
    """Do anything that is possible, all with the same chance."""
    return rng.choice(view.actions)


def thrifty(view: View, _rng: random.Random) -> Action:
    """Buy the cheapest tile, whatever it is."""
    return _planned(view, {space: -tile.price for space, tile in _offers(view)})


def shunner(view: View, _rng: random.Random) -> Action:
    """Buy the worthiest building; a Medina only when the market has nothing else."""
    others = {space: _worth(tile.kind) for space, tile in _offers(view) if not tile.is_medina}
    return _planned(view, others or {space: 0 for space, _ in _offers(view)})


def collector(view: View, _rng: random.Random) -> Action:
    """Buy Medinas first, the dearest before the others; then the worthiest building."""
    return _planned(
        view,
        {
            space: len(KINDS) + tile.price if tile.is_medina else _worth(tile.kind)
            for space, tile in _offers(view)
        },
    )


def wary(view: View, rng: random.Random) -> Action:
    """Buy Medinas first as long as the next scoring round would cost points; then as `shunner`."""
    on_offer = any(tile.is_medina for _, tile in _offers(view))
    if on_offer and score_medinas(view.round, view.medinas()).points[view.player] < 0:
        return collector(view, rng)
    return shunner(view, rng)


BUYERS: Final[Mapping[str, Buyer]] = {
    "random": random_buyer,
    "thrifty": thrifty,
    "shunner": shunner,
    "collector": collector,
    "wary": wary,
}
"""The buyers by name."""


def find_buyer(name: str) -> Buyer:
    """Find a buyer.

    Raises
    ------
    MedinaError
        None has that name.
    """
    if name not in BUYERS:
        raise MedinaError(f"buyer {name!r} is unknown; known: {', '.join(BUYERS)}")
    return BUYERS[name]


def play_game(
    buyers: Sequence[str],
    *,
    seed: int | str,
    tiles: TileSet | None = None,
    options: MedinaOptions | None = None,
    fits: float = DEFAULT_FITS,
    first: int = 0,
) -> PurchaseGame:
    """Play a game to its end; players are called P1, P2 and so on.

    Parameters
    ----------
    buyers : sequence of str
        The buyers' names by seat, two to six.
    seed : int or str
        What the game and all buyers' choices follow from.
    tiles, options, fits, first
        As for `PurchaseGame`.

    Raises
    ------
    MedinaError
        An unknown buyer, or what `PurchaseGame` refuses.

    Examples
    --------
    >>> game = play_game(["wary", "shunner"], seed=1)
    >>> game.phase, [score.medinas.round for score in game.scorings]
    ('over', [1, 2, 3])
    """
    names = [f"P{seat + 1}" for seat in range(len(buyers))]
    choose = dict(zip(names, map(find_buyer, buyers), strict=True))
    rngs = {name: random.Random(f"{seed}/{name}") for name in names}
    game = PurchaseGame(names, seed=seed, tiles=tiles, options=options, fits=fits, first=first)
    while not game.is_over:
        game.play(choose[game.player](game.view(), rngs[game.player]))
    return game


def played_games(
    number: int,
    buyers: Sequence[str],
    *,
    seed: int,
    tiles: TileSet | None = None,
    options: MedinaOptions | None = None,
    fits: float = DEFAULT_FITS,
) -> Iterator[PurchaseGame]:
    """Play games one after the other, each with a seed of its own; each seat begins in turn.

    Parameters
    ----------
    number : int
        How many games.
    buyers, seed, tiles, options, fits
        As for `play_game`.

    Raises
    ------
    MedinaError
        What `play_game` refuses.
    """
    for index in range(number):
        yield play_game(
            buyers,
            seed=f"{seed}.{index}",
            tiles=tiles,
            options=options,
            fits=fits,
            first=index % len(buyers),
        )


@dataclass(slots=True)
class _Seat:
    """The sums of one player over all games; lists are by round."""

    total: int = 0
    from_buildings: int = 0
    first_places: int = 0
    medinas: list[int] = field(default_factory=lambda: [0, 0, 0])
    points: list[int] = field(default_factory=lambda: [0, 0, 0])
    without: list[int] = field(default_factory=lambda: [0, 0, 0])


class Tally:
    """Counts over finished games, in the order of seats.

    Parameters
    ----------
    buyers : sequence of str
        The buyers' names by seat.

    Attributes
    ----------
    games : int
        How many games were counted.
    losses : dict of int to Counter
        By round, how often a player's Medinas cost so many points.
    """

    def __init__(self, buyers: Sequence[str]) -> None:
        self.buyers = tuple(buyers)
        self.games = 0
        self.losses: dict[int, Counter[int]] = {number: Counter() for number in PENALTIES}
        self._seats = [_Seat() for _ in buyers]

    def add(self, game: PurchaseGame) -> None:
        """Count a finished game.

        Raises
        ------
        MedinaError
            It isn't over, or has another number of players.
        """
        if not game.is_over or len(game.players) != len(self.buyers):
            raise MedinaError("only finished games with the same number of players are counted")
        self.games += 1
        for player, seat in zip(game.players, self._seats, strict=True):
            seat.total += game.totals[player]
            seat.first_places += player in game.winners
            for index, scored in enumerate(game.scorings):
                mine = scored.medinas.of(player)
                seat.from_buildings += scored.buildings.points[player]
                seat.medinas[index] += len(mine.medinas)
                seat.points[index] += mine.points
                seat.without[index] += not mine.medinas
                self.losses[scored.medinas.round][mine.points] += 1

    def players(self) -> list[dict[str, Any]]:
        """Every seat's means a game, as plain values.

        Returns
        -------
        list of dict
            `seat`, `buyer`, `total`, `buildings`, `medina_points` (of all rounds), `first_places`
            (a number of games, shared ones too) and `rounds`: for each round the mean `medinas`
            built, their `points`, and the share of games `without` any.
        """
        return [
            {
                "seat": number,
                "buyer": buyer,
                "total": self._mean(seat.total),
                "buildings": self._mean(seat.from_buildings),
                "medina_points": self._mean(sum(seat.points)),
                "first_places": seat.first_places,
                "rounds": [
                    {
                        "round": index + 1,
                        "medinas": self._mean(seat.medinas[index]),
                        "points": self._mean(seat.points[index]),
                        "without": self._mean(seat.without[index]),
                    }
                    for index in range(len(PENALTIES))
                ],
            }
            for number, (buyer, seat) in enumerate(zip(self.buyers, self._seats, strict=True), 1)
        ]

    def _mean(self, total: int) -> float:
        return round(total / self.games, 4) if self.games else 0.0


# ---------------------------------------------------------------------------- how buyers choose


def _offers(view: View) -> list[tuple[int, Tile]]:
    """List the spaces that have a tile, with it."""
    return [(space, tile) for space, tile in enumerate(view.market) if tile is not None]


def _worth(kind: str) -> int:
    """Kinds are worth more the more their majority pays."""
    return KINDS.index(kind) + 1


def _planned(view: View, worth: Mapping[int, int]) -> Action:
    """Act by a liking for some spaces of the market.

    Build what can be built; buy what is liked, exactly if possible, best first; build from the
    reserve; else take the money that brings the best liked tile nearest.
    """
    if isinstance(view.actions[0], Build | Keep):
        return view.actions[0]
    buys = [a for a in view.actions if isinstance(a, Buy) and a.space in worth]
    if buys:
        return max(buys, key=lambda buy: (_is_exact(view, buy), worth[buy.space], -buy.space))
    moves = [action for action in view.actions if isinstance(action, Move)]
    if moves:
        return moves[0]
    return _best_take(view, worth)


def _is_exact(view: View, buy: Buy) -> bool:
    tile = view.market[buy.space]
    return tile is not None and _value(buy.payment, CURRENCIES[buy.space]) == tile.price


def _best_take(view: View, worth: Mapping[int, int]) -> Action:
    """Take what leaves the least to pay for the best liked tile, then what is worth most."""
    takes = [action for action in view.actions if isinstance(action, Take)]
    if not takes:
        return Stop() if Stop() in view.actions else view.actions[0]
    if not worth:
        return max(takes, key=lambda take: _value(take.cards))
    aim = max(worth, key=lambda space: (worth[space], -space))
    tile = view.market[aim]
    price = tile.price if tile is not None else 0
    short = price - _value(view.hand, CURRENCIES[aim])

    def gain(take: Take) -> tuple[int, int]:
        return min(short, _value(take.cards, CURRENCIES[aim])), _value(take.cards)

    return max(takes, key=gain)


def _value(cards: Sequence[Card], currency: str | None = None) -> int:
    return sum(card.value for card in cards if currency in (None, card.currency))
