"""A game followed through its events alone, each of them checked against the rules.

`Ledger` is the second opinion on what happens: it enters each move with the events that the move
caused and never looks at the model's graph, signatures or tables.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, ClassVar, Final

from carcassonne.events import (
    BidMade,
    BidPassed,
    BridgeBuilt,
    CastleBuilt,
    Event,
    FeatureCompleted,
    GameOver,
    MarketOpened,
    MarketSkipped,
    MeeplePlaced,
    MeepleReturned,
    Score,
    TileChosen,
    TileDrawn,
    TilePlaced,
    TileSetAside,
    TileTaken,
    TurnSkipped,
)
from carcassonne.moves import BridgePlace, Move, Pass, Take
from carcassonne.playtest.broken import require
from carcassonne.playtest.payouts import Payouts, people
from carcassonne.playtest.recount import STEPS, beside

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from carcassonne.model.game import Game
    from carcassonne.playtest.payouts import Paid
    from carcassonne.playtest.recount import Found
    from carcassonne.views import Decision

__all__ = ["Ledger"]

_FINAL: Final = ("R-BASE-21", "R-BASE-22", "R-CASTLE-31")
_TO_CASTLES: Final = ("R-CASTLE-18", "R-CASTLE-25")
_DEALS: Final = ("R-BAZAAR-11", "R-BAZAAR-12")


class Ledger(Payouts):
    """Made from a game that has just begun; `enter` takes each move with its events."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._passed_on = False
        self._picked = -1
        self._payments: list[tuple[str, int, str]] = []
        self._final: Counter[Paid] = Counter()
        self._expected: Counter[Paid] = Counter()
        self._ending = False
        self._done_before = {
            spot
            for found in self.board.features()
            if self.is_complete(found) and self.on(found)
            for spot in found.pieces
        }
        self.absorb(game.events)

    # ---------------------------------------------------------------------- entering

    def enter(self, decision: Decision, move: Move, events: Iterable[Event]) -> None:
        """Follow one move.

        Raises
        ------
        Broken
            An event breaks a rule.
        """
        if isinstance(move, Pass) and decision.kind == "castle":
            self.passed.add(decision.player)
        self._picked = move.number - 1 if isinstance(move, Take) else -1
        self.absorb(events)

    def absorb(self, events: Iterable[Event]) -> None:
        """Follow events.

        Raises
        ------
        Broken
            An event breaks a rule.
        """
        for event in events:
            self._handlers[type(event)](self, event)

    def rest(self, kind: str | None) -> None:
        """Settle the part of a turn that is over when a decision of another kind is open."""
        if kind in ("place", "choose", "take", None):
            self._settle()
        if kind == "place" and self.tile is None:
            self._tile_from_hand()

    def _tile_from_hand(self) -> None:
        held = self.in_round and self.turn in self.hands
        require(held, "round", f"{self.turn} has no tile to place")
        self.tile = self.hands.pop(self.turn)

    # ---------------------------------------------------------------------- turns

    def _tile_drawn(self, event: TileDrawn) -> None:
        self._settle()
        self._no_market()
        require(self.tile is None, "tiles-drawn", f"{event.player} draws with a tile in hand")
        require(event.player == self.turn, "turn-order", f"{event}, but it is {self.turn}'s turn")
        require(self.left > 0, "tiles-drawn", f"{event} from an empty stack")
        self.left -= 1
        self.tile = event.tile

    def _no_market(self) -> None:
        """Pass clockwise when a normal turn is over and no bazaar was opened."""
        if not self.in_round and self.placer and self.placed and not self._passed_on:
            require(not self.must_open(), "market", f"{self.turn}'s bazaar does not open")
            self._pass_on()

    def _pass_on(self) -> None:
        self.turn = self.after(self.leader or self.placer)
        self.leader = ""
        self.market_due = False
        self._passed_on = True

    def _tile_set_aside(self, event: TileSetAside) -> None:
        self._settle()
        if self.tile is None:
            self._tile_from_hand()
        require(event.tile == self.tile, "tiles-drawn", f"{event}, but the tile is {self.tile}")
        require(event.player == self.turn, "turn-order", f"{event}, but it is {self.turn}'s turn")
        ways = self.placements(event.player)
        bare = [way for way in ways if not way[2]]
        if event.rule == "R-BASE-6":
            require(not ways, "set-aside", f"{event}, but it fits in {len(ways)} ways")
            if self.types[event.tile].bazaar and self.rules.bazaar_on_set_aside:
                self.market_due |= not self.in_round
        else:
            text = f"{event}, but it fits in {len(ways)} ways, {len(bare)} without a bridge"
            known = event.rule == "R-BRIDGE-11"
            require(known and ways and not bare, "set-aside", text, "R-BRIDGE-11")
        self.set_aside.append(event.tile)
        self.tile = None

    def _turn_skipped(self, event: TurnSkipped) -> None:
        self._settle()
        mine = self.in_round and event.player == self.turn
        require(mine, "round", f"{event}, but it is {self.turn}'s turn", "R-BAZAAR-26")
        if self.rules.bazaar_unplaceable == "redraw":
            text = f"{event} with {self.left} tiles in the stack"
            require(self.left == 0, "round", text, "R-BAZAAR-26")
        self._next_in_round()

    def _next_in_round(self) -> None:
        if self.round and (self.rules.bazaar_mode != "draft" or self.offer):
            self.turn = self.round.pop(0)
            return
        require(not self.hands, "round", f"the round ends while {self.hands} are to be placed")
        self.in_round = False
        self._pass_on()

    def _tile_placed(self, event: TilePlaced) -> None:
        require(self.tile == event.tile, "tiles-drawn", f"{event}, but drawn is {self.tile}")
        require(self.turn == event.player, "turn-order", f"{event}, but it is {self.turn}'s turn")
        self.board.lay(self.types[event.tile], event.cell, event.rotation)
        self.tile = None
        self.placed, self.placer = event.cell, event.player
        self.part += 1
        self.built_bridge = False
        self.passed = set()
        self.settled = self._passed_on = False
        self._begin_placement()
        if self.types[event.tile].bazaar and not self.in_round:
            self.market_due = True

    def _bridge_built(self, event: BridgeBuilt) -> None:
        place = BridgePlace(event.cell, event.axis)
        mine = event.player == self.placer and not self.built_bridge
        require(mine, "bridge-building", f"{event} out of turn or twice", "R-BRIDGE-2")
        stands = self.board.can_bridge(place, self.rules.bridge_max_per_tile)
        require(stands, "bridge-building", f"{event}, where none can stand")
        near = [] if self.placed is None else [beside(self.placed, side) for side in STEPS]
        text = f"{event}, neither on {self.placed} nor beside it"
        require(place.cell in [self.placed, *near], "bridge-building", text, "R-BRIDGE-3")
        self.board.build(place)
        self.built_bridge = True
        self._use(event.player, "bridges", "R-BRIDGE-10")

    def _meeple_placed(self, event: MeeplePlaced) -> None:
        spot = (event.at.cell, event.at.segment)
        require(event.player == self.placer, "meeple-placing", f"{event} out of turn")
        require(spot in self.free_spots(), "meeple-placing", f"{event}, which is not free")
        self._use(event.player, "meeples", "R-BASE-3")
        self.standing.append((event.player, spot))

    def _meeple_returned(self, event: MeepleReturned) -> None:
        who = (event.player, (event.at.cell, event.at.segment))
        require(who in self.standing, "meeples-home", f"{event}, where none stands")
        self.standing.remove(who)
        self.supply[event.player]["meeples"] += 1
        if self._ending:
            text = f"{event} at the end, from no castle"
            require(self.castle_at(who[1]), "meeples-home", text, "R-CASTLE-31")
        else:
            self._returned.append(who)

    # ---------------------------------------------------------------------- completions

    def _score(self, event: Score) -> None:
        self.scores[event.player] += event.points
        total = sum(item.points for item in event.items)
        same = not event.items or total == event.points
        require(same, "score-items", f"{event}: its items add up to {total}")
        at = (event.at.cell, event.at.segment) if event.at else ((0, 0), "")
        if event.rule in _FINAL or at in self._done_before:
            self._begin_ending()
            self._final[event.player, event.points, event.rule, at] += 1
        elif event.rule in _TO_CASTLES:
            self._pay_castle(event, at)
        elif event.rule in _DEALS:
            self._payments.append((event.player, event.points, event.rule))
        else:
            key = (event.player, event.points, event.rule, at)
            if not self._winnings[key]:
                self._settle()  # who should have gone home may be paid again: say that first
            require(self._winnings[key] == 1, "majority", f"{event}, which nothing has won")
            del self._winnings[key]

    def _settle(self) -> None:
        if self.settled:
            return
        self._check_settled()
        if self.in_round:
            self._next_in_round()

    # ---------------------------------------------------------------------- the bazaar

    def _market_opened(self, event: MarketOpened) -> None:
        self._settle()
        due = not self.in_round and self.must_open() and event.player == self.turn
        require(due, "market", f"{event}, though none is due", "R-BAZAAR-5")
        most = min(len(self.players), self.left)
        require(len(event.tiles) == most, "market", f"{event}: it should be {most} tiles")
        self.market_due = False
        self.left -= len(event.tiles)
        self.offer = list(event.tiles)
        self.in_round = True
        self.leader = self.last_chooser = event.player
        self.hands = {}
        self.round = self.clockwise(self.after(event.player))
        if self.rules.bazaar_mode == "draft":
            self.turn = self.round.pop(0)

    def _market_skipped(self, event: MarketSkipped) -> None:
        self._settle()
        skipped = not self.in_round and self.market_due and self.rules.bazaar_mode != "off"
        skipped = skipped and not self.must_open()
        require(skipped, "market", f"{event}, though none is due", "R-BAZAAR-5")
        text = f"{event}, but {self.left} are left"
        require(event.left == self.left, "market", text, "R-BAZAAR-5")
        self.market_due = False

    def _tile_chosen(self, event: TileChosen) -> None:
        turn = self.without_tile(self.after(self.last_chooser))[:1]
        mine = self.lot < 0 and [event.player] == turn
        require(mine, "bidding", f"{event}, but {turn} should choose", "R-BAZAAR-6")
        there = self.offer[event.number - 1 : event.number] == [event.tile]
        require(there, "bidding", f"{event}, which is not on offer", "R-BAZAAR-7")
        may = self.may_bid(event.player, event.bid)
        require(may, "bidding", f"{event}: such a bid is not allowed", "R-BAZAAR-7")
        self.chooser = self.last_chooser = self.high_bidder = event.player
        self.lot, self.high = event.number - 1, event.bid
        self.bidders = self.without_tile(event.player)[1:]

    def _bid_made(self, event: BidMade) -> None:
        self._next_bidder(event)
        may = self.may_bid(event.player, event.points)
        require(may, "bidding", f"{event}: such a bid is not allowed", "R-BAZAAR-9")
        self.high, self.high_bidder = event.points, event.player

    def _next_bidder(self, event: BidMade | BidPassed) -> None:
        mine = self.bidders[:1] == [event.player]
        require(mine, "bidding", f"{event}, but the bidders are {self.bidders}")
        del self.bidders[0]

    def _tile_taken(self, event: TileTaken) -> None:
        if event.rule == "R-BAZAAR-27":
            self._take(event)
            return
        paid, self._payments = self._payments, []
        lot = self.lot
        if event.rule == "R-BAZAAR-16":
            alone = self.without_tile(event.player) == [event.player] and len(self.offer) == 1
            require(alone, "sale", f"{event} for nothing, but not as the last", "R-BAZAAR-16")
            lot, price, due = 0, 0, []
        else:
            require(not self.bidders, "sale", f"{event} while {self.bidders} may bid")
            price, due = self.high, self._due(event)
        require(event.price == price, "sale", f"{event}: the price is {price}", event.rule)
        text = f"{event}: paid were {paid}, due {due}"
        require(Counter(paid) == Counter(due), "sale", text, event.rule)
        there = self.offer[lot : lot + 1] == [event.tile] and event.player not in self.hands
        require(there, "sale", f"{event}, which is not for sale")
        del self.offer[lot]
        self.hands[event.player] = event.tile
        self.lot, self.high, self.chooser = -1, -1, ""
        if not self.offer:
            self.round = [name for name in self.round if name in self.hands]
            self.turn = self.round.pop(0)

    def _take(self, event: TileTaken) -> None:
        """A tile taken in the variant without auction."""
        self._settle()
        require(event.player == self.turn, "round", f"{event}, but it is {self.turn}'s turn")
        there = event.price == 0 and event.tile in self.offer
        require(there, "sale", f"{event}, which is not on offer", event.rule)
        lot = self._picked if self._picked >= 0 else self.offer.index(event.tile)
        text = f"{event}, but picked is {self.offer[lot]}"
        require(self.offer.pop(lot) == event.tile, "sale", text, event.rule)
        self._picked = -1
        self.tile = event.tile

    def _due(self, event: TileTaken) -> list[tuple[str, int, str]]:
        """Who has to pay and who gets how much for the tile that was bid for."""
        buyer = event.player
        if event.rule == "R-BAZAAR-12":
            won = buyer == self.chooser == self.high_bidder
            require(
                won, "sale", f"{event}, but the highest bid is {self.high_bidder}'s", event.rule
            )
            return [(buyer, -self.high, event.rule)]
        pair = {self.chooser, self.high_bidder}
        fair = event.rule == "R-BAZAAR-11" and len(pair) == 2 and buyer in pair
        require(fair, "sale", f"{event}, but {sorted(pair)} deal with each other")
        seller = self.chooser if buyer != self.chooser else ""
        require(event.seller == seller, "sale", f"{event}: the seller is {seller or 'nobody'}")
        other = (pair - {buyer}).pop()
        return [(buyer, -self.high, event.rule), (other, self.high, event.rule)]

    # ---------------------------------------------------------------------- the end

    def _begin_ending(self) -> None:
        if self._ending:
            return
        self._settle()
        self._no_market()
        self._ending = True
        for found in self.board.features():
            if found.kind == "river":
                continue
            points, rule = self._worth_at_end(found)
            self._expected.update((name, points, rule, found.at) for name in self.leaders(found))

    def _worth_at_end(self, found: Found) -> tuple[int, str]:
        if self.castle_at(found.at):
            return 0, "R-CASTLE-31"
        if found.kind == "field":
            return self.farm_worth(found), "R-BASE-22"
        return self.worth(found)

    def _game_over(self, event: GameOver) -> None:
        self._begin_ending()
        paid, due = (
            Counter({key: count for key, count in scores.items() if key[1]})
            for scores in (self._final, self._expected)
        )
        wrong = sorted((paid - due) | (due - paid))
        rule = wrong[0][2] if wrong else ""
        text = f"paid are {sorted(paid - due)}, due {sorted(due - paid)}"
        require(not wrong, "final-scoring", text, rule)
        left = [who for who in self.standing if self.castle_at(who[1])]
        require(not left, "meeples-home", f"{people(left)} did not go home", "R-CASTLE-31")
        same = event.scores == self.scores
        require(same, "winners", f"the end says {event.scores}, but it is {self.scores}")
        best = max(self.scores.values())
        names = [name for name in self.players if self.scores[name] == best]
        require(list(event.winners) == names, "winners", f"{event.winners} win, not {names}")
        self.over = True
        self.tile = None

    _handlers: ClassVar[dict[type[Event], Callable[..., None]]] = {
        BidMade: _bid_made,
        BidPassed: _next_bidder,
        BridgeBuilt: _bridge_built,
        CastleBuilt: Payouts.castle_built,
        FeatureCompleted: Payouts.feature_completed,
        GameOver: _game_over,
        MarketOpened: _market_opened,
        MarketSkipped: _market_skipped,
        MeeplePlaced: _meeple_placed,
        MeepleReturned: _meeple_returned,
        Score: _score,
        TileChosen: _tile_chosen,
        TileDrawn: _tile_drawn,
        TilePlaced: _tile_placed,
        TileSetAside: _tile_set_aside,
        TileTaken: _tile_taken,
        TurnSkipped: _turn_skipped,
    }  # fmt: skip
