"""The game of purchases: a market of four spaces on which Medinas turn up (R-MEDINA-1, 2, 4).

Owns the tiles' stack and market, money, hands, what is built and what lies in reserve, and when
the three scoring rounds happen. What a round pays is `buildings` and `medinas`; who buys what is
`buyers`.

What is played, and in which simple way
---------------------------------------
- Nine Medinas are shuffled among the building tiles; four lie on the market, each on the space of
  one currency. At the end of a turn empty spaces are refilled. The game ends when they can't be.
- Money is the 108 cards of the published game: four currencies, values 1 to 9, three of each.
  Everybody starts with cards worth at least 20. Four lie open; a player takes one of them, or
  several worth at most 5 together. Spent cards come back when the pile has run out.
- A turn is one action: take money, buy a tile with cards of its space's currency (nothing is given
  back; who pays exactly may act once more), or move a tile from the reserve into the Alhambra.
- Bought tiles are built, or put in reserve, at the end of the turn. Walls and paths are not
  modelled: each bought tile fits at once with the probability `fits`, else it can only be kept. A
  tile that lies in reserve always fits later.
- The cards of the scoring rounds 1 and 2 are in the second and fourth fifth of the money pile.
  Round 3 ends the game: what is left on the market goes, tile by tile, to the one player with most
  money in that currency (to nobody if two have it), and is built if it fits. If round 1 or 2 has
  not come up by then, it is scored before.
- The first player is given, not found by the number of cards; two players play without the
  published game's neutral third.

A game always ends: each purchase uses up a tile, each move one in reserve, and money that is only
taken runs out. Everything random comes from one generator in the game, so a game is its seed and
its actions.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from carcassonne.alhambra.buildings import KINDS, RoundScore, score_round
from carcassonne.alhambra.data import Tile, TileSet, default_tiles
from carcassonne.alhambra.medina import MedinaError, MedinaOptions, check_players

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = [
    "CURRENCIES",
    "DEFAULT_FITS",
    "Action",
    "Build",
    "Buy",
    "Card",
    "Keep",
    "Move",
    "PurchaseGame",
    "Stop",
    "Take",
    "View",
]

CURRENCIES: Final = ("blue", "green", "orange", "yellow")
"""One for each space of the market."""

DEFAULT_FITS: Final = 0.9
"""How likely a bought tile can be built at once: an assumption in place of walls and paths."""

_VALUES: Final = range(1, 10)
_COPIES: Final = 3
_START_MONEY: Final = 20
_OPEN_CARDS: Final = 4
_SEVERAL_AT_MOST: Final = 5
_FIFTHS: Final = 5


class Card(NamedTuple):
    """A money card."""

    currency: str
    value: int

    def __str__(self) -> str:
        return f"{self.currency} {self.value}"


@dataclass(frozen=True, slots=True)
class Take:
    """Take open money: one card, or several worth at most 5 together."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Buy:
    """Buy the tile on a space (0 to 3) with cards of that space's currency."""

    space: int
    payment: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Move:
    """Move a tile from the reserve into the Alhambra."""

    tile: Tile


@dataclass(frozen=True, slots=True)
class Stop:
    """Do no more: after an exact payment, or when nothing can be done."""


@dataclass(frozen=True, slots=True)
class Build:
    """Build a tile that was bought in this turn."""

    tile: Tile


@dataclass(frozen=True, slots=True)
class Keep:
    """Put a tile that was bought in this turn into the reserve."""

    tile: Tile


Action = Take | Buy | Move | Stop | Build | Keep


@dataclass(frozen=True, slots=True)
class View:
    """What a player sees when it is that player's decision.

    Attributes
    ----------
    player : str
        Whose decision it is.
    round : int
        The scoring round that comes next.
    hand : tuple of Card
        The player's own money.
    money : tuple of Card
        The open money.
    market : tuple of (Tile or None)
        The four spaces, in the order of `CURRENCIES`.
    built, reserve : mapping of str to tuple of Tile
        What every player has; only what is built counts (R-MEDINA-4).
    actions : tuple
        What can be done. For each tile that can be paid there is one way to pay it: exactly if
        possible, else with the least loss. Other payments are accepted too.
    """

    player: str
    round: int
    hand: tuple[Card, ...]
    money: tuple[Card, ...]
    market: tuple[Tile | None, ...]
    built: Mapping[str, tuple[Tile, ...]]
    reserve: Mapping[str, tuple[Tile, ...]]
    actions: tuple[Action, ...]

    def medinas(self) -> dict[str, list[int]]:
        """List the prices of everybody's built Medinas, as `score_medinas` takes them."""
        return {
            player: [tile.price for tile in tiles if tile.is_medina]
            for player, tiles in self.built.items()
        }


class PurchaseGame:
    """A game of purchases from the first card to the third scoring round.

    Parameters
    ----------
    players : sequence of str
        Two to six names, in the order of seats.
    seed : int or str
        What everything random follows from.
    tiles : TileSet, optional
        The tiles and their prices; by default those that come with the program.
    options : MedinaOptions, optional
        How the open questions of the Medina rules are answered.
    fits : float
        How likely a bought tile can be built at once, 0 to 1.
    first : int
        The seat (from 0) that begins.

    Attributes
    ----------
    players : tuple of str
        The names.
    phase : str
        `act`, `place` (a bought tile) or `over`.
    market : list
        The four spaces, each with a tile or None.
    money : list of Card
        The open money.
    hands, built, reserve : dict
        What every player has.
    totals : dict of str to int
        The scores; below 0 unless the options forbid it (R-MEDINA-25).
    scorings : list of RoundScore
        The rounds that were scored.

    Raises
    ------
    MedinaError
        Players, chance or first seat can't be, or there are too few tiles for the market.
    """

    def __init__(
        self,
        players: Sequence[str],
        *,
        seed: int | str,
        tiles: TileSet | None = None,
        options: MedinaOptions | None = None,
        fits: float = DEFAULT_FITS,
        first: int = 0,
    ) -> None:
        check_players(players)
        if not 0 <= fits <= 1:
            raise MedinaError(f"the chance that a tile fits is 0 to 1, not {fits}")
        if not 0 <= first < len(players):
            raise MedinaError(
                f"there is no seat {first} to begin: they are 0 to {len(players) - 1}"
            )
        self.players = tuple(players)
        self.phase: Literal["act", "place", "over"] = "act"
        self.totals = dict.fromkeys(players, 0)
        self.scorings: list[RoundScore] = []
        self.hands: dict[str, list[Card]] = {player: [] for player in players}
        self.built: dict[str, list[Tile]] = {player: [] for player in players}
        self.reserve: dict[str, list[Tile]] = {player: [] for player in players}
        self.market: list[Tile | None] = [None] * len(CURRENCIES)
        self.money: list[Card] = []
        self._rng = random.Random(seed)
        self._options = options or MedinaOptions()
        self._fits = fits
        self._seat = first
        self._acted = False
        self._idle = 0
        self._bought: list[tuple[Tile, bool]] = []
        self._spent: list[Card] = []
        self._stack = self._shuffled_tiles(tiles or default_tiles())
        self._pile = self._dealt_pile()
        self._fill_market()
        self._fill_money()

    @property
    def player(self) -> str:
        """Whose turn it is."""
        return self.players[self._seat]

    @property
    def is_over(self) -> bool:
        """Whether the third round has been scored."""
        return self.phase == "over"

    @property
    def tiles_left(self) -> int:
        """How many tiles are still face down."""
        return len(self._stack)

    @property
    def winners(self) -> tuple[str, ...]:
        """Who has the highest total; nobody before the end."""
        if not self.is_over:
            return ()
        best = max(self.totals.values())
        return tuple(player for player in self.players if self.totals[player] == best)

    def view(self) -> View:
        """Show what the player to decide sees."""
        return View(
            player=self.player,
            round=len(self.scorings) + 1,
            hand=tuple(self.hands[self.player]),
            money=tuple(self.money),
            market=tuple(self.market),
            built={player: tuple(tiles) for player, tiles in self.built.items()},
            reserve={player: tuple(tiles) for player, tiles in self.reserve.items()},
            actions=self.actions(),
        )

    def actions(self) -> tuple[Action, ...]:
        """List what can be done now; nothing when the game is over."""
        if self.is_over:
            return ()
        if self.phase == "place":
            tile, fits = self._bought[0]
            return (Build(tile), Keep(tile)) if fits else (Keep(tile),)
        found: list[Action] = [*self._purchases(), *self._takes()]
        found += [Move(tile) for tile in self.reserve[self.player]]
        if self._acted or not found:
            found.append(Stop())
        return tuple(found)

    def play(self, action: Action) -> None:
        """Carry out an action of the player whose turn it is.

        Raises
        ------
        MedinaError
            It isn't possible now; nothing has changed.
        """
        if self.is_over:
            raise MedinaError("the game is over")
        if isinstance(action, Build | Keep) != (self.phase == "place"):
            raise MedinaError(f"{action} isn't possible in the phase {self.phase!r}")
        match action:
            case Take(cards):
                self._take(cards)
            case Buy(space, payment):
                self._buy(space, payment)
            case Move(tile):
                self._move(tile)
            case Stop():
                self._stop()
            case Build(tile) | Keep(tile):
                self._place(tile, build=isinstance(action, Build))

    # ------------------------------------------------------------------------------ setup

    def _shuffled_tiles(self, tiles: TileSet) -> list[Tile]:
        """Shuffle the Medinas among the other tiles (R-MEDINA-1)."""
        stack = list(tiles.tiles())
        if len(stack) < len(CURRENCIES):
            raise MedinaError(f"{len(stack)} tiles are too few for the market")
        self._rng.shuffle(stack)
        return stack

    def _dealt_pile(self) -> list[Card | int]:
        """Deal the first money and put the cards of rounds 1 and 2 into the rest.

        The pile is drawn from its end; a number in it is the card of that scoring round.
        """
        cards = [Card(c, v) for c in CURRENCIES for v in _VALUES for _ in range(_COPIES)]
        self._rng.shuffle(cards)
        for hand in self.hands.values():
            while sum(card.value for card in hand) < _START_MONEY:
                hand.append(cards.pop())
        self.money = [cards.pop() for _ in range(_OPEN_CARDS)]
        fifth = len(cards) // _FIFTHS
        pile: list[Card | int] = [*cards]
        pile.insert(self._rng.randint(fifth, 2 * fifth), 2)
        pile.insert(self._rng.randint(3 * fifth, 4 * fifth) + 1, 1)
        return pile

    # ------------------------------------------------------------------------------ actions

    def _purchases(self) -> list[Buy]:
        """One payment for each tile that the player can pay."""
        found = []
        for space, tile in enumerate(self.market):
            payment = tile and _payment(self.hands[self.player], CURRENCIES[space], tile.price)
            if payment:
                found.append(Buy(space, payment))
        return found

    def _takes(self) -> list[Take]:
        """Every single open card, and every several that are worth at most 5."""
        small = sorted(card for card in self.money if card.value < _SEVERAL_AT_MOST)
        several = {
            cards
            for count in range(2, len(small) + 1)
            for cards in combinations(small, count)
            if sum(card.value for card in cards) <= _SEVERAL_AT_MOST
        }
        single = {(card,) for card in self.money}
        return [Take(cards) for cards in sorted(single) + sorted(several)]

    def _take(self, cards: tuple[Card, ...]) -> None:
        if not cards or Counter(cards) - Counter(self.money):
            raise MedinaError(f"{_listed(cards)}: not all of this is open money")
        if len(cards) > 1 and sum(card.value for card in cards) > _SEVERAL_AT_MOST:
            raise MedinaError(f"{_listed(cards)}: several cards are worth at most 5 together")
        for card in cards:
            self.money.remove(card)
            self.hands[self.player].append(card)
        self._end_actions()

    def _buy(self, space: int, payment: tuple[Card, ...]) -> None:
        tile = self.market[space] if 0 <= space < len(self.market) else None
        if tile is None:
            raise MedinaError(f"there is no tile on space {space} of the market")
        hand = self.hands[self.player]
        if Counter(payment) - Counter(hand):
            raise MedinaError(f"{_listed(payment)}: {self.player} doesn't hold all of this")
        paid = sum(card.value for card in payment)
        if paid < tile.price or any(card.currency != CURRENCIES[space] for card in payment):
            raise MedinaError(f"{_listed(payment)} doesn't pay {tile.price} {CURRENCIES[space]}")
        for card in payment:
            hand.remove(card)
            self._spent.append(card)
        self.market[space] = None
        self._bought.append((tile, self._rng.random() < self._fits))
        if paid == tile.price:
            self._acted = True
        else:
            self._end_actions()

    def _move(self, tile: Tile) -> None:
        if tile not in self.reserve[self.player]:
            raise MedinaError(f"{tile} isn't in {self.player}'s reserve")
        self.reserve[self.player].remove(tile)
        self.built[self.player].append(tile)
        self._end_actions()

    def _stop(self) -> None:
        if Stop() not in self.actions():
            raise MedinaError(f"{self.player} has an action to take")
        if self._acted:
            self._end_actions()
        else:
            self._idle += 1
            self._end_turn()

    def _place(self, tile: Tile, *, build: bool) -> None:
        expected, fits = self._bought[0]
        if tile != expected:
            raise MedinaError(f"{expected} has to be placed now, not {tile}")
        if build and not fits:
            raise MedinaError(f"{tile} doesn't fit now and goes to the reserve")
        del self._bought[0]
        (self.built if build else self.reserve)[self.player].append(tile)
        if not self._bought:
            self._end_turn()

    # ------------------------------------------------------------------------------ the turn

    def _end_actions(self) -> None:
        self._idle = 0
        if self._bought:
            self.phase = "place"
        else:
            self._end_turn()

    def _end_turn(self) -> None:
        """Refill, score what has come up, and pass the turn; or end the game."""
        self._acted = False
        if self._idle == len(self.players) or not self._fill_market():
            self._end_game()
            return
        self._fill_money()
        self.phase = "act"
        self._seat = (self._seat + 1) % len(self.players)

    def _fill_market(self) -> bool:
        """Put tiles on the empty spaces; say whether there were enough."""
        for space, tile in enumerate(self.market):
            if tile is None:
                if not self._stack:
                    return False
                self.market[space] = self._stack.pop()
        return True

    def _fill_money(self) -> None:
        """Open money cards again; a scoring card among them is scored at once."""
        while len(self.money) < _OPEN_CARDS and (self._pile or self._spent):
            if not self._pile:
                self._rng.shuffle(self._spent)
                self._pile, self._spent = [*self._spent], []
            card = self._pile.pop()
            if isinstance(card, Card):
                self.money.append(card)
            else:
                self._score(card)

    def _end_game(self) -> None:
        for number in (1, 2):
            if len(self.scorings) < number:
                self._score(number)
        for currency, tile in zip(CURRENCIES, self.market, strict=True):
            if tile is not None:
                self._give_away(tile, currency)
        self._score(3)
        self.market = [None] * len(CURRENCIES)
        self.phase = "over"

    def _give_away(self, tile: Tile, currency: str) -> None:
        """Give a tile that is left to the one player with most money of its currency."""
        money = {
            player: sum(card.value for card in hand if card.currency == currency)
            for player, hand in self.hands.items()
        }
        richest = [player for player, own in money.items() if own and own == max(money.values())]
        if len(richest) == 1:
            fits = self._rng.random() < self._fits
            (self.built if fits else self.reserve)[richest[0]].append(tile)

    def _score(self, number: int) -> None:
        """Score what is built: the ordinary kinds, then the Medinas (R-MEDINA-4, 5)."""
        kinds = {
            player: Counter(tile.kind for tile in tiles if tile.kind in KINDS)
            for player, tiles in self.built.items()
        }
        medinas = {
            player: [tile.price for tile in tiles if tile.is_medina]
            for player, tiles in self.built.items()
        }
        scored = score_round(number, kinds, medinas, options=self._options, totals=self.totals)
        self.scorings.append(scored)
        self.totals = dict(scored.totals)


def _payment(hand: Sequence[Card], currency: str, price: int) -> tuple[Card, ...]:
    """Find the cards of a currency that pay a price with the least loss; none if too few.

    Every sum below the price is remembered once with the cards that make it, so the work is the
    price times the number of cards.
    """
    own = sorted((card for card in hand if card.currency == currency), reverse=True)
    if sum(card.value for card in own) < price:
        return ()
    sums: dict[int, tuple[Card, ...]] = {0: ()}
    for card in own:
        for total, cards in list(sums.items()):
            if total < price:
                sums.setdefault(total + card.value, (*cards, card))
    return sums[min(total for total in sums if total >= price)]


def _listed(cards: Sequence[Card]) -> str:
    return ", ".join(map(str, cards)) or "no money"
