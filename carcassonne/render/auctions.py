"""Every bazaar of a game as plain values: what was offered, who bid what, who got it for what."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from carcassonne.events import BidMade, BidPassed, MarketOpened, TileChosen, TileTaken
from carcassonne.render.log import taken_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from carcassonne.events import Event

__all__ = ["Auction", "AuctionLog", "BidTold", "Lot"]


class BidTold(msgspec.Struct, frozen=True):
    """A bid, or None for passing, with the step in which it was made."""

    step: int
    player: int
    points: int | None


class Lot(msgspec.Struct):
    """A tile of a bazaar: its bids, and once it is taken who got it.

    Attributes
    ----------
    step : int
        In which it was chosen; `end` is the one in which it was taken, -1 before that.
    buyer, seller : int
        Seats; -1 for nobody.
    """

    step: int
    tile: str
    bids: list[BidTold]
    end: int = -1
    buyer: int = -1
    seller: int = -1
    price: int = 0
    text: str = ""
    rule: str = ""


class Auction(msgspec.Struct):
    """A bazaar: the step in which it was opened, by whom, and its tiles."""

    step: int
    player: int
    tiles: tuple[str, ...]
    lots: list[Lot]


class AuctionLog:
    """Collects the bazaars of a game, step by step; `seats` are those of the players' names."""

    def __init__(self, seats: Mapping[str, int]) -> None:
        self._seats = seats
        self._auctions: list[Auction] = []
        self._open: Lot | None = None

    def add(self, step: int, events: Iterable[Event]) -> None:
        """Note what a step brought."""
        for event in events:
            if isinstance(event, MarketOpened):
                self._auctions.append(Auction(step, self._seats[event.player], event.tiles, []))
            elif isinstance(event, TileChosen):
                self._lot(step, event.tile).bids.append(
                    BidTold(step, self._seats[event.player], event.bid)
                )
            elif isinstance(event, BidMade | BidPassed):
                points = event.points if isinstance(event, BidMade) else None
                bid = BidTold(step, self._seats[event.player], points)
                self._lot(step, "").bids.append(bid)
            elif isinstance(event, TileTaken):
                self._take(step, event)

    def _auction(self, step: int) -> Auction:
        """The bazaar that is open; a game may begin from a position in the midst of one."""
        if not self._auctions:
            self._auctions.append(Auction(step, -1, (), []))
        return self._auctions[-1]

    def _lot(self, step: int, tile: str) -> Lot:
        if self._open is None:
            self._open = Lot(step, tile, [])
            self._auction(step).lots.append(self._open)
        return self._open

    def _take(self, step: int, event: TileTaken) -> None:
        lot = self._lot(step, event.tile)
        lot.tile, lot.end, lot.price, lot.rule = event.tile, step, event.price, event.rule
        lot.buyer = self._seats[event.player]
        lot.seller = self._seats.get(event.seller, -1)
        lot.text = taken_text(event)
        self._open = None

    def done(self) -> tuple[Auction, ...]:
        """All of them."""
        return tuple(self._auctions)
