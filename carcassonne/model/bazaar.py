"""The bazaar: the auction, the draft without one, and the round of turns that follows.

Implements R-BAZAAR-2 to R-BAZAAR-31. Each step changes the state and answers the name of the
next step, or None where a player has to decide.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from carcassonne.events import (
    BidMade,
    BidPassed,
    Item,
    MarketOpened,
    MarketSkipped,
    TileChosen,
    TileTaken,
)
from carcassonne.moves import Bid, Choose, Move, Sell, Take

if TYPE_CHECKING:
    from carcassonne.model.state import State
    from carcassonne.tiles import TileType

__all__ = [
    "answer_bid",
    "answer_choose",
    "answer_deal",
    "answer_take",
    "can_buy",
    "draft_next",
    "highest_bid",
    "listed_bids",
    "next_bidder",
    "next_lot",
    "open_market",
    "round_next",
    "without_tile",
]

_LISTED: int = 20
"""A listing of bids goes at least this far, or ten above the current bid."""


def without_tile(state: State, first: int) -> list[int]:
    """Seats that have no tile of this bazaar yet, in turn order from a seat (R-BAZAAR-15)."""
    hands = state.table.hands
    return [seat for seat in state.clockwise(first) if hands[seat] is None]


def highest_bid(state: State, seat: int, *, opening: bool) -> int | None:
    """The most that a seat may bid, None for no limit (R-BAZAAR-18).

    The limits are `bazaar_max_bid` and, without `bazaar_allow_negative`, the player's own
    score; an opening bid of 0 is always allowed, since the chooser cannot pass (R-BAZAAR-7).
    """
    rules = state.rules
    limits = [] if rules.bazaar_max_bid is None else [rules.bazaar_max_bid]
    if not rules.bazaar_allow_negative:
        limits.append(state.table.scores[seat])
    if not limits:
        return None
    return max(0, min(limits)) if opening else min(limits)


def listed_bids(state: State, seat: int) -> range:
    """The bids that a listing shows: at most up to 20, or ten above the current bid."""
    current = state.table.high_bid
    most = max(_LISTED, current + 10)
    limit = highest_bid(state, seat, opening=current < 0)
    return range(current + 1, (most if limit is None else min(most, limit)) + 1)


def open_market(state: State) -> str | None:
    """Reveal as many tiles as there are players (R-BAZAAR-4, R-BAZAAR-5, R-BAZAAR-31)."""
    table, rules = state.table, state.rules
    count = len(state.players)
    player = state.players[table.active]
    table.market_due = False
    if state.left == 0 or (state.left < count and rules.bazaar_skip_if_short):
        state.events.append(MarketSkipped(player, state.left))
        return "end_turn"
    table.offer = state.stack[table.next_tile : table.next_tile + count]
    table.next_tile += len(table.offer)
    table.in_round = True
    table.leader = table.active
    table.last_chooser = table.active
    table.hands = (None,) * count
    state.events.append(MarketOpened(player, tuple(tile.id for tile in table.offer)))
    if rules.bazaar_mode == "draft":
        table.round_queue = tuple(state.clockwise((table.leader + 1) % count))
        return "draft_next"
    return "next_lot"


# ------------------------------------------------------------------------------ the auction


def next_lot(state: State) -> str | None:
    """Find who chooses next; the last tile goes for nothing (R-BAZAAR-6, 14, 16)."""
    table = state.table
    waiting = without_tile(state, (table.last_chooser + 1) % len(state.players))
    if not table.offer:
        return "start_round"
    if len(waiting) == 1:
        _hand_over(state, waiting[0], 0, 0, "R-BAZAAR-16")
        return "start_round"
    table.chooser = table.last_chooser = waiting[0]
    table.lot, table.high_bid, table.high_bidder = -1, -1, -1
    if len(table.offer) == 1 and len(listed_bids(state, table.chooser)) == 1:
        return answer_choose(state, Choose(1, 0))
    table.phase, table.decider = "choose", table.chooser
    return None


def answer_choose(state: State, move: Move) -> str | None:
    """The chooser picks a tile and opens the bidding (R-BAZAAR-7)."""
    assert isinstance(move, Choose)  # noqa: S101 - dispatch by kind
    table = state.table
    table.lot = move.number - 1
    table.high_bid, table.high_bidder = move.bid, table.chooser
    table.bidders = tuple(without_tile(state, table.chooser)[1:])
    player = state.players[table.chooser]
    state.events.append(TileChosen(player, move.number, table.offer[table.lot].id, move.bid))
    return "next_bidder"


def next_bidder(state: State) -> str | None:
    """Ask the next player who can raise; each has one bid (R-BAZAAR-8, R-BAZAAR-10)."""
    table = state.table
    while table.bidders:
        seat, *rest = table.bidders
        table.bidders = tuple(rest)
        if listed_bids(state, seat):
            table.phase, table.decider = "bid", seat
            return None
        state.events.append(BidPassed(state.players[seat]))
    if table.high_bidder == table.chooser:
        _pay_nobody(state)
        return "next_lot"
    if not can_buy(state):
        return answer_deal(state, Sell())
    table.phase, table.decider = "deal", table.chooser
    return None


def answer_bid(state: State, move: Move) -> str | None:
    """A higher bid, or none (R-BAZAAR-9)."""
    table = state.table
    player = state.players[table.decider]
    if isinstance(move, Bid):
        table.high_bid, table.high_bidder = move.points, table.decider
        state.events.append(BidMade(player, move.points))
    else:
        state.events.append(BidPassed(player))
    return "next_bidder"


def can_buy(state: State) -> bool:
    """Whether the chooser may pay the high bid (`bazaar_allow_negative`, R-BAZAAR-18)."""
    table = state.table
    return state.rules.bazaar_allow_negative or table.scores[table.chooser] >= table.high_bid


def answer_deal(state: State, move: Move) -> str | None:
    """Buy from the highest bidder, or sell to them (R-BAZAAR-11, R-BAZAAR-13)."""
    table = state.table
    chooser, bidder, price = table.chooser, table.high_bidder, table.high_bid
    buyer, seller = (bidder, chooser) if isinstance(move, Sell) else (chooser, bidder)
    tile = table.offer[table.lot].id
    rule = "R-BAZAAR-11"
    items = (Item(tile, 1, -price, rule),)
    state.score(buyer, -price, rule, "auction", None, items)
    state.score(seller, price, rule, "auction", None, (Item(tile, 1, price, rule),))
    sold_by = state.players[chooser] if buyer == bidder else ""
    _hand_over(state, buyer, table.lot, price, rule, sold_by)
    return "next_lot"


def _pay_nobody(state: State) -> None:
    """Nobody outbid the chooser: the own bid leaves the game (R-BAZAAR-12, R-BAZAAR-30)."""
    table = state.table
    price, rule = table.high_bid, "R-BAZAAR-12"
    items = (Item(table.offer[table.lot].id, 1, -price, rule),)
    state.score(table.chooser, -price, rule, "auction", None, items)
    _hand_over(state, table.chooser, table.lot, price, rule)


def _hand_over(state: State, seat: int, lot: int, price: int, rule: str, seller: str = "") -> None:
    table = state.table
    tile = table.offer[lot]
    table.offer = table.offer[:lot] + table.offer[lot + 1 :]
    table.hands = (*table.hands[:seat], tile, *table.hands[seat + 1 :])
    table.chooser, table.lot, table.high_bid, table.high_bidder = -1, -1, -1, -1
    table.bidders = ()
    state.events.append(TileTaken(state.players[seat], tile.id, price, rule, seller))


# ------------------------------------------------------------------------------ the round


def start_round(state: State) -> str | None:
    """Full turns from the left of the active player, who comes last (R-BAZAAR-19)."""
    table = state.table
    seats = state.clockwise((table.leader + 1) % len(state.players))
    table.round_queue = tuple(seat for seat in seats if table.hands[seat] is not None)
    return "round_next"


def round_next(state: State) -> str | None:
    """The next turn of the round, or back to normal play (R-BAZAAR-20)."""
    table = state.table
    if state.rules.bazaar_mode == "draft":
        return "draft_next"
    if not table.round_queue:
        return _close_round(state)
    seat, *rest = table.round_queue
    table.round_queue = tuple(rest)
    tile = table.hands[seat]
    table.hands = (*table.hands[:seat], None, *table.hands[seat + 1 :])
    return _begin_bazaar_turn(state, seat, tile)


def draft_next(state: State) -> str | None:
    """Pick and play alternate; the last tile is given without a question (R-BAZAAR-27)."""
    table = state.table
    if not table.round_queue or not table.offer:
        return _close_round(state)
    seat, *rest = table.round_queue
    table.round_queue = tuple(rest)
    if len(table.offer) == 1:
        return _draft(state, seat, 0)
    table.active = seat
    table.phase, table.decider = "take", seat
    return None


def answer_take(state: State, move: Move) -> str | None:
    """A player takes a tile on offer and plays it at once (R-BAZAAR-27)."""
    assert isinstance(move, Take)  # noqa: S101 - dispatch by kind
    return _draft(state, state.table.decider, move.number - 1)


def _draft(state: State, seat: int, lot: int) -> str:
    table = state.table
    tile = table.offer[lot]
    table.offer = table.offer[:lot] + table.offer[lot + 1 :]
    state.events.append(TileTaken(state.players[seat], tile.id, 0, "R-BAZAAR-27"))
    return _begin_bazaar_turn(state, seat, tile)


def _begin_bazaar_turn(state: State, seat: int, tile: TileType | None) -> str:
    table = state.table
    table.active = seat
    table.tile, table.from_hand = tile, True
    return "find_place"


def _close_round(state: State) -> str:
    table = state.table
    table.in_round = False
    table.hands, table.offer, table.round_queue = (), (), ()
    table.active = table.leader
    return "next_player"
