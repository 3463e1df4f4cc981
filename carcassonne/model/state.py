"""The whole state of a game: the board, and a small table of everything else.

The table (`Table`) is a value whose parts never change in place: a move starts with a shallow
copy of it, which is all that taking the move back needs. The board takes its own changes back
through the journal. Nothing here decides a rule.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

import msgspec

from carcassonne.events import Event, Item, MeepleReturned, Score
from carcassonne.geometry import Cell
from carcassonne.moves import Address
from carcassonne.tiles import TileType

if TYPE_CHECKING:
    from carcassonne.model.board import Board
    from carcassonne.model.features import Journal
    from carcassonne.rules import Rules
    from carcassonne.tiles import TileBox

from carcassonne.errors import Violation

__all__ = ["Castle", "Payout", "State", "Table"]


class Castle(msgspec.Struct, frozen=True, gc=False):
    """A castle (R-CASTLE-8, R-CASTLE-13).

    Attributes
    ----------
    at : Address
        The city segment that names it.
    owner : int
        The owner's seat; -1 for an emptied castle of a position.
    nodes : tuple of Address
        The two city segments under it.
    vicinity : frozenset of Cell
        Its six cells.
    part : int
        The placement in which it was built; 0 for one of a position.
    """

    at: Address
    owner: int
    nodes: tuple[Address, ...]
    vicinity: frozenset[Cell]
    part: int

    @property
    def cells(self) -> frozenset[Cell]:
        """Its own two cells."""
        return frozenset(node.cell for node in self.nodes)


class Payout(msgspec.Struct, frozen=True, gc=False):
    """A finished feature, or a castle paid in the wave before, that can pay a castle."""

    at: Address
    points: int
    cells: frozenset[Cell]
    by_castle: bool


class Table(msgspec.Struct, gc=False):
    """Everything but the board. Seats are numbers in turn order from 0; -1 is nobody."""

    scores: tuple[int, ...]
    meeples: tuple[int, ...]
    bridges: tuple[int, ...]
    castle_markers: tuple[int, ...]
    castles: tuple[Castle, ...] = ()
    next_tile: int = 0
    set_aside: tuple[TileType, ...] = ()
    # the open decision
    phase: str = ""
    decider: int = 0
    # the turn
    active: int = 0
    tile: TileType | None = None
    from_hand: bool = False
    may_decline: bool = False
    placed: Cell | None = None
    placer: int = -1
    part: int = 0
    bridge_built: bool = False
    market_due: bool = False
    no_meeple: Violation | None = None
    # completions
    finished: tuple[Address, ...] = ()
    small_cities: tuple[tuple[int, Address], ...] = ()
    castle_refusals: tuple[tuple[Address, tuple[Violation, ...]], ...] = ()
    wave: tuple[Payout, ...] = ()
    next_wave: tuple[Payout, ...] = ()
    unpaid: tuple[int, ...] = ()
    paid: tuple[int, ...] = ()
    # the bazaar
    in_round: bool = False
    leader: int = 0
    offer: tuple[TileType, ...] = ()
    hands: tuple[TileType | None, ...] = ()
    last_chooser: int = 0
    chooser: int = -1
    lot: int = -1
    high_bid: int = -1
    high_bidder: int = -1
    bidders: tuple[int, ...] = ()
    round_queue: tuple[int, ...] = ()


def changed(values: tuple[int, ...], seat: int, change: int) -> tuple[int, ...]:
    """A tuple of numbers with one of them changed."""
    return (*values[:seat], values[seat] + change, *values[seat + 1 :])


class State:
    """What the turn steps work on."""

    __slots__ = ("board", "box", "events", "journal", "players", "rules", "stack", "table")

    def __init__(
        self,
        *,
        rules: Rules,
        players: tuple[str, ...],
        box: TileBox,
        stack: tuple[TileType, ...],
        board: Board,
        table: Table,
        journal: Journal,
    ) -> None:
        self.rules = rules
        self.players = players
        self.box = box
        self.stack = stack
        self.board = board
        self.table = table
        self.journal = journal
        self.events: list[Event] = []

    def copy(self, stack: tuple[TileType, ...]) -> State:
        """An equal state with perhaps another stack, that shares nothing that can change."""
        journal: Journal = []
        twin = State(
            rules=self.rules,
            players=self.players,
            box=self.box,
            stack=stack,
            board=self.board.copy(self.players, journal),
            table=copy.copy(self.table),
            journal=journal,
        )
        twin.events = list(self.events)
        return twin

    @property
    def left(self) -> int:
        """How many tiles the stack still holds."""
        return len(self.stack) - self.table.next_tile

    @property
    def castle_nodes(self) -> frozenset[Address]:
        """Every city segment that lies under a castle."""
        return frozenset(node for castle in self.table.castles for node in castle.nodes)

    def castle_at(self, node: Address) -> Castle | None:
        """The castle over a city segment."""
        for castle in self.table.castles:
            if node in castle.nodes:
                return castle
        return None

    def is_occupied(self, castle: Castle) -> bool:
        """Whether the castle's meeple still stands on it."""
        return bool(self.board.features.of(castle.nodes[0]).followers)

    def clockwise(self, seat: int) -> list[int]:
        """All seats in turn order, starting with one."""
        count = len(self.players)
        return [(seat + i) % count for i in range(count)]

    # -------------------------------------------------------------------------- changes

    def unwind(self, length: int) -> None:
        """Take the board back to where the journal had a length."""
        while len(self.journal) > length:
            take_back, *arguments = self.journal.pop()
            take_back(self.board, *arguments)

    def score(
        self,
        seat: int,
        points: int,
        rule: str,
        feature: str,
        at: Address | None = None,
        items: tuple[Item, ...] = (),
    ) -> None:
        """Move points and say why; the only way in which a score changes."""
        table = self.table
        table.scores = changed(table.scores, seat, points)
        self.events.append(Score(self.players[seat], points, rule, feature, at, items))

    def send_home(self, node: Address, *, keep: tuple[tuple[int, Address], ...] = ()) -> None:
        """Return the meeples of a feature, but those kept, to their owners (R-BASE-17)."""
        features = self.board.features
        table = self.table
        for seat, where in features.keep_only(features.of(node), keep):
            table.meeples = changed(table.meeples, seat, 1)
            self.events.append(MeepleReturned(self.players[seat], where))
