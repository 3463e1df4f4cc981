"""What happened in one game, put together from the core's notes, for measures to read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carcassonne.core import notes
from carcassonne.playtest.rows import AuctionRow, CastleRow
from carcassonne.tile_types import FEATURE_KINDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from carcassonne.core.notes import Note

__all__ = ["KINDS", "Facts"]

KINDS: Final = ("road", "city", "cloister", "farm", "castle")
"""Kinds of points, as `Facts.by_kind` has them."""

_BEFORE_OVERFLOW: Final = 100
"""So many supplies of up to ten meeples each can be added in the ten bits that a seat has."""
_ROW_OF: Final = (0, 1, 2, 3, 3, 4)
"""Where the points of a note's kind go in `KINDS`."""
_PAYER: Final = (*FEATURE_KINDS, "castle")


class Facts:
    """A game that has ended.

    Attributes
    ----------
    players : int
        How many there were.
    bots : tuple of str
        Their labels by seat.
    scores : tuple of int
        Points by seat.
    winners : tuple of int
        Seats with the most points.
    moves : int
        Decisions taken.
    listed : int
        Legal moves at all those decisions together.
    turns : int
        Tiles that were placed or declined.
    by_kind : list of list of int
        Points by kind (`KINDS`), then by seat.
    paid, received : list of int
        Points paid and received at the bazaar, by seat.
    left : int
        Points that left the game: own bids, which nobody receives.
    idle : list of int
        Meeples in supply, summed over all turns, by seat.
    leads : int
        How often the lead changed: another player than the last one alone in the lead leads alone.
    deficit : int
        The most points by which the winner was ever behind (of several, the one behind least).
    bridges, own_bridges, forced_bridges : int
        Built; on the tile just placed instead of a neighbour; needed for the placement.
    roads, bridged_roads : int
        Roads completed with meeples; those that lead over a bridge.
    unplaceable, declined : int
        Tiles set aside because they fit nowhere; declined.
    puts : list of int
        Meeples put, by kind of feature.
    auctions, castles : list
        A row each.
    """

    __slots__ = (
        "auctions", "bots", "bridged_roads", "bridges", "by_kind", "castles", "declined",
        "deficit", "forced_bridges", "idle", "leads", "left", "listed", "moves", "own_bridges",
        "paid", "players", "puts", "received", "roads", "scores", "turns", "unplaceable",
        "winners",
    )  # fmt: skip

    def __init__(
        self,
        bots: Sequence[str],
        scores: Sequence[int],
        happened: Sequence[Note],
        tiles: Sequence[str],
        *,
        moves: int = 0,
        listed: int = 0,
    ) -> None:
        """Read the notes of a game.

        Parameters
        ----------
        bots, scores
            By seat.
        happened
            The notes, in order.
        tiles
            The ids of the tiles by their numbers.
        """
        players = self.players = len(scores)
        self.bots = tuple(bots)
        self.scores = tuple(scores)
        best = max(scores)
        self.winners = tuple(seat for seat in range(players) if scores[seat] == best)
        self.moves, self.listed = moves, listed
        self.turns = self.bridges = self.own_bridges = self.forced_bridges = 0
        self.roads = self.bridged_roads = self.unplaceable = self.declined = self.left = 0
        self.by_kind = [[0] * players for _ in KINDS]
        self.paid, self.received = [0] * players, [0] * players
        self.idle = [0] * players
        self.puts = [0] * len(FEATURE_KINDS)
        self.auctions: list[AuctionRow] = []
        self.castles: list[CastleRow] = []
        self.leads = 0
        self.deficit = 0
        _Reader(self, tiles).read(happened)


class _Reader:
    """Goes through the notes of a game once and fills its facts."""

    def __init__(self, facts: Facts, tiles: Sequence[str]) -> None:
        self.facts = facts
        self.tiles = tiles
        self.now = [0] * facts.players
        self.behind = [0] * facts.players
        self.leader = -1
        self.changed = True
        self.supplies = 0
        self.waiting: dict[int, int] = {}
        """The auctions whose tile is not placed yet, by buyer."""
        self.earning = -1
        """The auction whose tile is being placed; -1: none."""
        self.lot = 0
        self.opened = (0, 0)

    def read(self, happened: Sequence[Note]) -> None:
        """Read all notes."""
        reading = tuple(getattr(self, name) for name in _READING)
        for note in happened:
            reading[note[0]](note)
        self._add_idle()
        self.facts.deficit = min(self.behind[seat] for seat in self.facts.winners)

    def turn(self, note: Note) -> None:
        """Count the turn, idle meeples and who leads."""
        _, seat, _, from_hand, supply = note
        self.facts.turns += 1
        self.supplies += supply
        if not self.facts.turns % _BEFORE_OVERFLOW:
            self._add_idle()
        self.lot = 0
        self.earning = self.waiting.pop(seat, -1) if from_hand else -1
        if self.changed:
            self._compare()

    def _add_idle(self) -> None:
        idle = self.facts.idle
        for seat in range(len(idle)):
            idle[seat] += self.supplies >> 10 * seat & 1023
        self.supplies = 0

    def _compare(self) -> None:
        """See who leads since scores changed, and how far the later winners are behind."""
        now, behind = self.now, self.behind
        self.changed = False
        best = max(now)
        if now.count(best) == 1:
            first = now.index(best)
            if first != self.leader:
                self.facts.leads += self.leader >= 0
                self.leader = first
        for other in self.facts.winners:
            behind[other] = max(behind[other], best - now[other])

    def score(self, note: Note) -> None:
        """A feature pays."""
        _, seat, kind, points, final, bridged = note
        self.changed = True
        facts = self.facts
        facts.by_kind[_ROW_OF[kind]][seat] += points
        self.now[seat] += points
        if not final:
            if kind == 0:
                facts.roads += 1
                facts.bridged_roads += bridged
            self._earn(seat, points)

    def castle(self, note: Note) -> None:
        """A castle is built."""
        _, owner, _, points = note
        self.facts.castles.append(CastleRow(owner, points, self.facts.turns))

    def pay(self, note: Note) -> None:
        """A castle is paid."""
        _, number, kind, points, owner = note
        self.changed = True
        facts = self.facts
        facts.by_kind[4][owner] += points
        self.now[owner] += points
        built = facts.castles[number]
        facts.castles[number] = CastleRow(
            owner, built.small_city, built.built, facts.turns, _PAYER[kind], points
        )
        self._earn(owner, points)

    def bridge(self, note: Note) -> None:
        """A bridge is built."""
        _, _, own, forced = note
        facts = self.facts
        facts.bridges += 1
        facts.own_bridges += own
        facts.forced_bridges += forced

    def choose(self, note: Note) -> None:
        """The bidding for a tile opens."""
        _, chooser, _, bid = note
        self.opened = (chooser, bid)

    def price(self, note: Note) -> None:
        """A tile has found its owner."""
        _, buyer, seller, tile, price, how = note
        self.changed = True
        facts, now = self.facts, self.now
        facts.paid[buyer] += price
        now[buyer] -= price
        if seller >= 0:
            facts.received[seller] += price
            now[seller] += price
        else:
            facts.left += price
        chooser, opening = (buyer, 0) if how == notes.FREE else self.opened
        self.lot += 1
        self.waiting[buyer] = len(facts.auctions)
        facts.auctions.append(
            AuctionRow(
                self.tiles[tile], self.lot, chooser, opening, price, buyer,
                seller if seller >= 0 else None, notes.HOW[how],
            )
        )  # fmt: skip

    def aside(self, _: Note) -> None:
        """A tile fits nowhere."""
        self.facts.unplaceable += 1
        self.earning = -1

    def decline(self, _: Note) -> None:
        """A tile was declined."""
        self.facts.declined += 1

    def put(self, note: Note) -> None:
        """A meeple is put on a feature."""
        _, _, kind = note
        self.facts.puts[kind] += 1

    def _earn(self, seat: int, points: int) -> None:
        """Count what a buyer scores in the turn in which it places the tile."""
        if self.earning < 0:
            return
        row = self.facts.auctions[self.earning]
        if row.buyer == seat:
            self.facts.auctions[self.earning] = AuctionRow(
                row.tile, row.lot, row.chooser, row.opening, row.price, row.buyer, row.seller,
                row.how, row.earned + points,
            )  # fmt: skip


_READING: Final = (
    "turn", "score", "castle", "pay", "bridge", "choose", "price", "aside", "decline", "put",
)  # fmt: skip
"""What reads a note, by its code."""
