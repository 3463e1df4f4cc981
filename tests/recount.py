"""A second opinion on the rules, for tests: the board recounted from scratch, the events audited.

`Recount` knows where printed pieces end as points of the plane and joins what ends at the same
point; `Ledger` follows a game through its events alone, checks each against the rules and
answers what ought to be legal now. Neither looks at the model's graph, signatures or tables.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

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
from carcassonne.moves import (
    Address,
    Bid,
    BridgePlace,
    BuildBridge,
    BuildCastle,
    Buy,
    Choose,
    Collect,
    Decline,
    Move,
    Pass,
    Place,
    PutMeeple,
    Sell,
    Take,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from carcassonne import Game
    from carcassonne.tiles import TileType, Variant
    from carcassonne.views import Decision

Cell = tuple[int, int]
Point = tuple[int, int]
Spot = tuple[Cell, str]
"""A piece by its cell and its name in listings."""

# Where sides and half-edges lie on a tile of size 4 by 4 around 0,0 (y grows south), clockwise.
SIDE_POINTS = {"N": (0, -2), "E": (2, 0), "S": (0, 2), "W": (-2, 0)}
HALF_POINTS = {
    "NL": (-1, -2), "NR": (1, -2), "EL": (2, -1), "ER": (2, 1),
    "SL": (1, 2), "SR": (-1, 2), "WL": (-2, 1), "WR": (-2, -1),
}  # fmt: skip
NAME_OF = {point: name for name, point in (SIDE_POINTS | HALF_POINTS).items()}
ORDER = {name: i for names in (SIDE_POINTS, HALF_POINTS) for i, name in enumerate(names)}
STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
AXIS_ENDS = (("N", "S"), ("E", "W"))
EDGES = ("", "field", "road", "city", "river", "abbey")
LINES = ("road", "city", "river")


def beside(cell: Cell, side: str) -> Cell:
    """The cell beyond a side."""
    return (cell[0] + STEPS[side][0], cell[1] + STEPS[side][1])


def across(side: str) -> str:
    """The side of the neighbour that meets a side."""
    return {"N": "S", "E": "W", "S": "N", "W": "E"}[side]


def around(cell: Cell) -> list[Cell]:
    """The eight cells around a cell."""
    x, y = cell
    return [(x + i, y + j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)]


def turned(point: Point, quarters: int) -> Point:
    """A point after clockwise quarter turns about the origin."""
    x, y = point
    for _ in range(quarters):
        x, y = -y, x
    return (x, y)


@dataclass(frozen=True)
class Print:
    """A piece as printed on a tile that lies in some rotation."""

    kind: str
    ends: tuple[str, ...]
    name: str
    names: frozenset[str]
    pennants: int = 0
    inn: bool = False
    cathedral: bool = False
    cap: bool = False
    touches: tuple[str, ...] = ()
    bridge: bool = False


def prints(tile: TileType, rotation: int) -> tuple[Print, ...]:
    """The pieces of a tile, turned from the way it is printed at r0."""
    return _prints(tile.variants[0], rotation)


@lru_cache(maxsize=4096)
def _prints(printed: Variant, rotation: int) -> tuple[Print, ...]:
    upright = printed.segments
    ends_of = []
    for piece in upright:
        labels = [list(SIDE_POINTS)[s] for s in piece.sides]
        labels += [list(HALF_POINTS)[h] for h in piece.halves]
        points = SIDE_POINTS | HALF_POINTS
        moved = [NAME_OF[turned(points[label], rotation)] for label in labels]
        ends_of.append(tuple(sorted(moved, key=ORDER.__getitem__)))
    names = [
        f"{p.kind}.{ends[0]}" if ends else p.name for p, ends in zip(upright, ends_of, strict=True)
    ]
    renamed = {p.name: name for p, name in zip(upright, names, strict=True)}
    return tuple(
        Print(
            p.kind, ends, name, frozenset(f"{p.kind}.{end}" for end in ends) or frozenset({name}),
            p.pennants, p.inn, p.cathedral, p.castle_base, tuple(renamed[t] for t in p.touches),
        )
        for p, ends, name in zip(upright, ends_of, names, strict=True)
    )  # fmt: skip


def printed_edges(tile: TileType, rotation: int) -> dict[str, str]:
    """The kind of each side, turned from the way the tile is printed at r0."""
    return _printed_edges(tile.variants[0], rotation)


@lru_cache(maxsize=4096)
def _printed_edges(printed: Variant, rotation: int) -> dict[str, str]:
    upright = printed.edges
    return {
        NAME_OF[turned(SIDE_POINTS[side], rotation)]: EDGES[upright[i]]
        for i, side in enumerate(SIDE_POINTS)
    }


BRIDGE_PRINTS = tuple(
    Print("road", ends, f"road.{ends[0]}", frozenset(f"road.{e}" for e in ends), bridge=True)
    for ends in AXIS_ENDS
)


@dataclass(eq=False)
class Found:
    """A feature as recounted."""

    kind: str
    pieces: dict[Spot, Print] = field(default_factory=dict)
    open: int = 0

    @property
    def cells(self) -> set[Cell]:
        return {cell for cell, _ in self.pieces}

    @property
    def pennants(self) -> int:
        return sum(p.pennants for p in self.pieces.values())

    @property
    def at(self) -> Spot:
        """The first piece clockwise in the lowest cell (y, then x)."""

        def key(spot: Spot) -> tuple[int, int, int]:
            ends = self.pieces[spot].ends
            return (spot[0][1], spot[0][0], ORDER[ends[0]] if ends else 0)

        return min(self.pieces, key=key)


class Recount:
    """Tiles and bridges on a table, and the features that they form."""

    def __init__(self) -> None:
        self.laid: dict[Cell, tuple[TileType, int]] = {}
        self.bridges: dict[Cell, list[int]] = {}
        self._found: dict[Spot, Found] | None = None

    @classmethod
    def of(cls, game: Game) -> Recount:
        """The board of a game as its tiles lie."""
        board = cls()
        for cell, placement in game.tiles.items():
            board.lay(placement.tile, cell, placement.rotation)
            for axis in placement.bridges:
                board.build(BridgePlace(cell, axis))
        return board

    def lay(self, tile: TileType, cell: Cell, rotation: int) -> None:
        assert cell not in self.laid
        self.laid[cell] = (tile, rotation)
        self._found = None

    def build(self, place: BridgePlace) -> None:
        self.bridges.setdefault(place.cell, []).append(place.axis)
        self._found = None

    # ---------------------------------------------------------------------- features

    def edge(self, cell: Cell, side: str) -> str:
        """What a side counts as: "" where no tile lies, road at the end of a bridge."""
        if cell not in self.laid:
            return ""
        if any(side in AXIS_ENDS[axis] for axis in self.bridges.get(cell, ())):
            return "road"
        return printed_edges(*self.laid[cell])[side]

    def clashes(self) -> list[str]:
        """Every place where edges meet that differ (R-BASE-5)."""
        return [
            f"{cell} {side}"
            for cell in self.laid
            for side in ("E", "S")
            if not self._agree(self.edge(cell, side), self.edge(beside(cell, side), across(side)))
        ]

    @staticmethod
    def _agree(one: str, other: str) -> bool:
        return one == other or "" in (one, other) or "abbey" in (one, other)

    def pieces(self, cell: Cell) -> list[Print]:
        """Everything on a cell, its bridges last."""
        tile, rotation = self.laid[cell]
        bridges = [BRIDGE_PRINTS[axis] for axis in self.bridges.get(cell, ())]
        return [*prints(tile, rotation), *bridges]

    def find(self, cell: Cell | None, name: str) -> Spot | None:
        """A piece by any of its names."""
        if cell is None or cell not in self.laid:
            return None
        for piece in self.pieces(cell):
            if name in piece.names:
                return (cell, piece.name)
        return None

    def feature(self, spot: Spot) -> Found:
        return self._features()[spot]

    def features(self) -> list[Found]:
        return list({id(f): f for f in self._features().values()}.values())

    def _features(self) -> dict[Spot, Found]:
        if self._found is None:
            self._found = self._join()
        return self._found

    def _join(self) -> dict[Spot, Found]:
        """Union-find over all pieces: what ends at the same point belongs together."""
        parent: dict[Spot, Spot] = {}
        print_of: dict[Spot, Print] = {}
        meeting: dict[tuple[Point, bool], list[Spot]] = {}

        def root(spot: Spot) -> Spot:
            while parent[spot] != spot:
                spot = parent[spot]
            return spot

        for cell in self.laid:
            for piece in self.pieces(cell):
                spot = (cell, piece.name)
                assert spot not in parent, f"two pieces are called {spot}"
                parent[spot], print_of[spot] = spot, piece
                local = HALF_POINTS if piece.kind == "field" else SIDE_POINTS
                for end in piece.ends:
                    point = (4 * cell[0] + local[end][0], 4 * cell[1] + local[end][1])
                    meeting.setdefault((point, piece.kind == "field"), []).append(spot)
        for spots in meeting.values():
            assert len(spots) <= 2
            parent[root(spots[0])] = root(spots[-1])
        found: dict[Spot, Found] = {}
        for spot in parent:
            feature = found.setdefault(root(spot), Found(print_of[spot].kind))
            assert feature.kind == print_of[spot].kind
            feature.pieces[spot] = print_of[spot]
        answer = {spot: found[root(spot)] for spot in parent}
        for spot, feature in answer.items():
            cell = spot[0]
            for end in print_of[spot].ends:
                feature.open += beside(cell, end[0]) not in self.laid
            if feature.kind == "cloister":
                feature.open = sum(near not in self.laid for near in around(cell))
        return answer

    # ---------------------------------------------------------------------- placing

    def open_cells(self) -> set[Cell]:
        return {beside(c, s) for c in self.laid for s in STEPS} - set(self.laid)

    def can_bridge(self, place: BridgePlace, most: int) -> bool:
        """Whether a bridge may stand on a tile as the table lies now (R-BRIDGE-5, 7, 18)."""
        cell, axis = place.cell, place.axis
        return (
            cell in self.laid
            and len(self.bridges.get(cell, ())) < most
            and all(self.edge(cell, s) == "field" for s in AXIS_ENDS[axis])
            and all(self.edge(beside(cell, s), across(s)) in ("", "road") for s in AXIS_ENDS[axis])
        )

    def _fits(self, cell: Cell, *others: Cell) -> bool:
        return all(
            self._agree(self.edge(at, side), self.edge(beside(at, side), across(side)))
            for at in (cell, *others)
            for side in STEPS
        )

    def ways(
        self, tile: TileType, cell: Cell, rotation: int, *, bridge: bool, most: int
    ) -> list[BridgePlace | None]:
        """How a tile may lie: [None] without a bridge, else every single bridge that mends it."""
        self.laid[cell] = (tile, rotation)
        try:
            if self._fits(cell):
                return [None]
            if not bridge:
                return []
            found: list[BridgePlace | None] = []
            for at in (cell, *(beside(cell, side) for side in STEPS)):
                for axis in (0, 1):
                    place = BridgePlace(at, axis)
                    if not self.can_bridge(place, most):
                        continue
                    self.bridges.setdefault(at, []).append(axis)
                    if self._fits(cell, at):
                        found.append(place)
                    self.bridges[at].pop()
            return found
        finally:
            del self.laid[cell]

    def placements(
        self, tile: TileType, *, bridge: bool, most: int
    ) -> set[tuple[Cell, int, BridgePlace | None]]:
        """Every cell, rotation and bridge with which a tile may be laid, by trying them all."""
        return {
            (cell, rotation, way)
            for cell in self.open_cells()
            for rotation in range(4)
            for way in self.ways(tile, cell, rotation, bridge=bridge, most=most)
        }


def looks(tile: TileType, rotation: int) -> object:
    """What a tile shows in a rotation, as printed; equal for rotations that look the same."""
    whole = prints(tile, rotation)
    shapes = {p.name: (p.kind, p.ends, p.pennants, p.inn, p.cathedral, p.cap) for p in whole}
    upright = tile.variants[0].segments
    pieces = Counter(
        (shapes[p.name][:2] if not p.ends else shapes[p.name],
         frozenset(shapes[t] for t in p.touches), o.goods, o.tunnel)
        for p, o in zip(whole, upright, strict=True)
    )  # fmt: skip
    return (tuple(sorted(printed_edges(tile, rotation).items())), frozenset(pieces.items()))


def long_sides(cells: Collection[Cell]) -> frozenset[Cell]:
    """The two cells of a castle and the two on each long side (R-CASTLE-13)."""
    (x, y), (x2, y2) = sorted(cells)
    if y == y2:
        near = {(i, j) for i in (x, x2) for j in (y - 1, y, y + 1)}
    else:
        near = {(i, j) for i in (x - 1, x, x + 1) for j in (y, y2)}
    assert len(near) == 6
    return frozenset(near)


class Castle(NamedTuple):
    """A castle as the ledger knows it."""

    spots: frozenset[Spot]
    owner: str
    near: frozenset[Cell]
    part: int

    @property
    def cells(self) -> frozenset[Cell]:
        return frozenset(cell for cell, _ in self.spots)


class Paying(NamedTuple):
    """Something finished that can pay a castle."""

    spot: Spot
    points: int
    cells: frozenset[Cell]
    rule: str


FINAL_RULES = ("R-BASE-21", "R-BASE-22", "R-CASTLE-31")


class Ledger:
    """A game followed through its events; every event is checked when it is entered.

    Made from a game that has just begun. `enter` takes each move with the decision that it
    answered and the events that it caused.
    """

    def __init__(self, game: Game) -> None:  # noqa: PLR0915 - one line for each thing followed
        self.rules = game.rules
        self.players = game.players
        self.types = game.box.types
        self.letters = {t.letter: t.id for t in self.types.values() if t.letter}
        self.board = Recount()
        for cell, placement in game.tiles.items():
            self.board.lay(placement.tile, cell, placement.rotation)
            for axis in placement.bridges:
                self.board.build(BridgePlace(cell, axis))
        self.began_with = len(self.board.laid)
        full = 3 if len(self.players) <= 4 else 2
        if not any(s.name == "bridges_castles_bazaars" for s, _ in game.box.sets):
            full = 0
        given = (self.rules.bridges_per_player, self.rules.castles_per_player)
        bridges, castles = (full if n is None else n for n in given)
        self.full = {"meeples": 7, "bridges": bridges, "castles": castles}
        self.standing = [
            (name, (node.cell, node.segment))
            for node, data in game.graph().nodes(data=True)
            for name, count in data["meeples"].items()
            for _ in range(count)
        ]
        self.castles = [
            Castle(
                frozenset((s.cell, s.segment) for s in game.feature(castle.at).segments),
                castle.owner, long_sides(castle.cells), 0,
            )
            for castle in game.castles
        ]  # fmt: skip
        here = Counter(name for name, _ in self.standing)
        built = Counter(castle.owner for castle in self.castles)
        self.supply = {
            name: {
                "meeples": 7 - here[name], "bridges": bridges,
                "castles": max(0, castles - built[name]),
            }
            for name in self.players
        }  # fmt: skip
        self.scores = dict.fromkeys(self.players, 0)
        self.left = len(game.stack)
        self.set_aside: list[str] = []
        self.over = False
        self._final: Counter[tuple[str, int, str, Spot]] = Counter()
        self._ending = False
        # the turn
        self.turn = self.players[0]
        self.tile: str | None = None
        self.placed: Cell | None = None
        self.placer = ""
        self.part = 0
        self.built_bridge = False
        self.passed: set[str] = set()
        self.settled = True
        self.market_due = False
        self.drawn_as: str = ""
        # completions
        self.finished: list[tuple[Spot, int]] = []
        self.winnings: Counter[tuple[str, int, str, Spot]] = Counter()
        self.returned: list[tuple[str, Spot]] = []
        self.wave: list[Paying] | None = None
        self.next_wave: list[Paying] = []
        self.queue: list[int] = []
        self.paid: list[int] = []
        # the bazaar
        self.in_round = False
        self.leader = ""
        self.offer: list[str] = []
        self.hands: dict[str, str] = {}
        self.round: list[str] = []
        self.last_chooser = ""
        self.chooser = ""
        self.lot = -1
        self.high = -1
        self.high_bidder = ""
        self.bidders: list[str] = []
        self.payments: list[tuple[str, int, str]] = []
        self.picked = -1
        self.absorb(game.events)

    # ---------------------------------------------------------------------- entering

    def enter(self, decision: Decision, move: Move, events: Iterable[Event]) -> None:
        """Follow one move."""
        if isinstance(move, Pass) and decision.kind == "castle":
            self.passed.add(decision.player)
        self.picked = move.number - 1 if isinstance(move, Take) else -1
        self.absorb(events)

    def absorb(self, events: Iterable[Event]) -> None:
        for event in events:
            _HANDLERS[type(event)](self, event)

    def rest(self, kind: str | None) -> None:
        """Settle the part of a turn that is over when a decision of another kind is open."""
        if kind in ("place", "choose", "take", None):
            self._settle()
        if kind == "place" and self.tile is None:
            self._tile_from_hand()

    def _tile_from_hand(self) -> None:
        assert self.in_round
        self.tile = self.hands.pop(self.turn)

    def clockwise(self, first: str) -> list[str]:
        at = self.players.index(first)
        return [*self.players[at:], *self.players[:at]]

    def after(self, name: str) -> str:
        return self.clockwise(name)[1] if len(self.players) > 1 else name

    def _tile_drawn(self, event: TileDrawn) -> None:
        self._settle()
        self._no_market()
        assert self.tile is None
        assert event.player == self.turn
        self.left -= 1
        self.tile = event.tile

    def _no_market(self) -> None:
        """Pass clockwise when a normal turn is over and no bazaar was opened."""
        if not self.in_round and self.placer and self.placed and self.drawn_as != "next":
            assert not self._must_open()
            self._pass_on()

    def _pass_on(self) -> None:
        self.turn = self.after(self.leader or self.placer)
        self.leader = ""
        self.market_due = False
        self.drawn_as = "next"

    def _must_open(self) -> bool:
        enough = self.left >= len(self.players) or not self.rules.bazaar_skip_if_short
        on = self.rules.bazaar_mode != "off" and self.market_due
        return on and self.left > 0 and enough

    def _tile_set_aside(self, event: TileSetAside) -> None:
        self._settle()
        if self.tile is None:
            self._tile_from_hand()
        assert event.tile == self.tile
        assert event.player == self.turn
        ways = self.placements(event.player)
        if event.rule == "R-BASE-6":
            assert not ways
            if self.types[event.tile].bazaar and self.rules.bazaar_on_set_aside:
                self.market_due |= not self.in_round
        else:
            assert event.rule == "R-BRIDGE-11"
            assert ways
            assert all(bridge for _, _, bridge in ways)
        self.set_aside.append(event.tile)
        self.tile = None

    def _turn_skipped(self, event: TurnSkipped) -> None:
        self._settle()
        assert self.in_round
        assert event.player == self.turn
        if self.rules.bazaar_unplaceable == "redraw":
            assert self.left == 0
        self._next_in_round()

    def _next_in_round(self) -> None:
        more = self.round and (self.rules.bazaar_mode != "draft" or self.offer)
        if more:
            self.turn = self.round.pop(0)
        else:
            assert not self.hands
            self.in_round = False
            self._pass_on()

    def _tile_placed(self, event: TilePlaced) -> None:
        assert self.tile == event.tile
        assert self.turn == event.player
        self.board.lay(self.types[event.tile], event.cell, event.rotation)
        self.tile = None
        self.placed, self.placer = event.cell, event.player
        self.part += 1
        self.built_bridge = False
        self.passed = set()
        self.settled = False
        self.drawn_as = ""
        self.finished, self.returned, self.paid = [], [], []
        self.wave, self.next_wave, self.queue = None, [], []
        if self.types[event.tile].bazaar and not self.in_round:
            self.market_due = True

    def _bridge_built(self, event: BridgeBuilt) -> None:
        place = BridgePlace(event.cell, event.axis)
        assert event.player == self.placer
        assert not self.built_bridge
        assert self.board.can_bridge(place, self.rules.bridge_max_per_tile)
        assert self.placed is not None
        assert place.cell in [self.placed, *(beside(self.placed, s) for s in STEPS)]
        self.board.build(place)
        self.built_bridge = True
        self._use(event.player, "bridges")

    def _use(self, player: str, piece: str) -> None:
        self.supply[player][piece] -= 1
        assert self.supply[player][piece] >= 0

    def _meeple_placed(self, event: MeeplePlaced) -> None:
        spot = (event.at.cell, event.at.segment)
        assert event.player == self.placer
        assert spot in self.free_spots()
        self._use(event.player, "meeples")
        self.standing.append((event.player, spot))

    def _meeple_returned(self, event: MeepleReturned) -> None:
        who = (event.player, (event.at.cell, event.at.segment))
        self.standing.remove(who)
        self.supply[event.player]["meeples"] += 1
        if self._ending:
            assert self.castle_at(who[1])
        else:
            self.returned.append(who)

    # ---------------------------------------------------------------------- completions

    def on(self, found: Found) -> Counter[str]:
        """Whose meeples stand on a feature."""
        return Counter(name for name, spot in self.standing if spot in found.pieces)

    def leaders(self, found: Found) -> set[str]:
        counts = self.on(found)
        return {name for name in counts if counts[name] == max(counts.values())}

    def castle_at(self, spot: Spot) -> Castle | None:
        return next((c for c in self.castles if spot in c.spots), None)

    def is_complete(self, found: Found) -> bool:
        if found.kind not in ("road", "city", "cloister") or found.open:
            return False
        return self.castle_at(next(iter(found.pieces))) is None

    def completed_now(self) -> list[Found]:
        """Complete features on the tile just placed, cloisters also beside it."""
        if self.placed is None:
            return []
        spots = [(self.placed, p.name) for p in self.board.pieces(self.placed)]
        spots += [(c, "cloister") for c in around(self.placed) if self.board.find(c, "cloister")]
        found = {id(f): f for f in map(self.board.feature, spots)}
        return [f for f in found.values() if self.is_complete(f)]

    def small_city(self, found: Found) -> str | None:
        """Whose castle a city could become now, or None (R-CASTLE-1 to 6)."""
        pieces = found.pieces.values()
        if found.kind != "city" or found.open or len(pieces) != 2 or len(found.cells) != 2:
            return None
        leaders, count = self.leaders(found), self.on(found).total()
        if not all(p.cap for p in pieces) or len(leaders) != 1:
            return None
        if self.rules.castle_follower_rule == "single_follower" and count != 1:
            return None
        (owner,) = leaders
        if self.rules.castle_chooser == "active_player_only" and owner != self.turn:
            return None
        return owner if self.supply[owner]["castles"] else None

    def castle_choices(self) -> tuple[str, list[Found]]:
        """Who decides on castles now, and on which cities (R-CASTLE-4)."""
        open_: dict[str, list[Found]] = {}
        for found in self.completed_now():
            owner = self.small_city(found)
            if owner is not None and owner not in self.passed:
                open_.setdefault(owner, []).append(found)
        for name in self.clockwise(self.turn):
            if name in open_:
                return name, open_[name]
        return "", []

    def _castle_built(self, event: CastleBuilt) -> None:
        found = self.board.feature((event.at.cell, event.at.segment))
        assert (event.at.cell, event.at.segment) == found.at
        assert self.small_city(found) == event.player
        assert found.at[0] in self.board.laid
        assert self.placed in found.cells
        self._use(event.player, "castles")
        spots = frozenset(found.pieces)
        self.castles.append(Castle(spots, event.player, long_sides(found.cells), self.part))

    def _feature_completed(self, event: FeatureCompleted) -> None:
        spot = (event.at.cell, event.at.segment)
        found = self.board.feature(spot)
        assert not self.castle_choices()[1], "an owner of a small city was not asked"
        assert spot == found.at
        assert event.feature == found.kind
        assert self.is_complete(found)
        assert any(found is f for f in self.completed_now())
        assert spot not in [done for done, _ in self.finished]
        points, rule = self.worth(found)
        assert event.points == points
        assert set(event.winners) == self.leaders(found)
        assert len(set(event.winners)) == len(event.winners)
        self.finished.append((spot, points))
        self.winnings.update((name, points, rule, spot) for name in event.winners)

    def worth(self, found: Found) -> tuple[int, str]:
        """What a road, city or cloister pays now, and by which rule."""
        pieces, rules = list(found.pieces.values()), self.rules
        done = found.open == 0
        tiles = len(found.cells)
        if found.kind == "cloister":
            return 9 - found.open, "R-BASE-15" if done else "R-BASE-21"
        if found.kind == "road":
            count = len(pieces) if rules.road_count_mode == "segments" else tiles
            inn = rules.inns_enabled and any(p.inn for p in pieces)
            each = (2 if done else 0) if inn else 1
            return count * each, "R-BASE-13" if done else "R-BASE-21"
        if done and tiles == 2:
            tiny = rules.tiny_city_points
            pennant = 2 if tiny == 4 else rules.tiny_city_pennant_points
            return tiny + pennant * found.pennants, "R-BASE-26"
        cathedral = rules.inns_enabled and any(p.cathedral for p in pieces)
        each = 2 if done else 1
        if cathedral:
            each = 3 if done else 0
        return each * (tiles + found.pennants), "R-BASE-14" if done else "R-BASE-21"

    def farm_worth(self, found: Found) -> int:
        """What a field pays its majority (R-BASE-22, R-CASTLE-33)."""
        cities: dict[int, Found] = {}
        for (cell, _), piece in found.pieces.items():
            for name in piece.touches:
                city = self.board.feature((cell, name))
                if city.open == 0:
                    cities[id(city)] = city
        castles = sum(self.castle_at(city.at) is not None for city in cities.values())
        each, each_castle = self.rules.farm_points_per_city, self.rules.castle_farm_points
        return (len(cities) - castles) * each + castles * each_castle

    def _score(self, event: Score) -> None:
        self.scores[event.player] += event.points
        if event.items:
            assert sum(item.points for item in event.items) == event.points
        at = (event.at.cell, event.at.segment) if event.at else ((0, 0), "")
        if event.rule in FINAL_RULES:
            self._begin_ending()
            self._final[(event.player, event.points, event.rule, at)] += 1
        elif event.rule in ("R-CASTLE-18", "R-CASTLE-25"):
            self._pay_castle(event, at)
        elif event.rule in ("R-BAZAAR-11", "R-BAZAAR-12"):
            self.payments.append((event.player, event.points, event.rule))
        else:
            key = (event.player, event.points, event.rule, at)
            assert self.winnings[key] == 1
            del self.winnings[key]

    def _begin_waves(self) -> None:
        """All completions are known: the first wave of payouts to castles (R-CASTLE-26)."""
        expected = {f.at for f in self.completed_now()}
        assert {spot for spot, _ in self.finished} == expected
        assert not self.winnings
        self._take_up(
            [
                Paying(spot, points, frozenset(self.board.feature(spot).cells), "R-CASTLE-18")
                for spot, points in self.finished
            ]
        )

    def _take_up(self, wave: list[Paying]) -> None:
        self.wave, self.next_wave = wave, []
        newest = self.part if self.rules.castle_same_turn else self.part - 1
        waiting = [
            i
            for i, castle in enumerate(self.castles)
            if castle.part <= newest
            and i not in self.paid
            and any(spot in castle.spots for _, spot in self.standing)
            and self._reach(castle)
        ]
        order = self.clockwise(self.turn)
        self.queue = sorted(waiting, key=lambda i: (order.index(self.castles[i].owner), i))

    def _reach(self, castle: Castle) -> list[Paying]:
        return [p for p in self.wave or () if p.cells & castle.near]

    def next_castle(self) -> tuple[Castle, list[Paying]]:
        """The castle that is paid next and what may pay it."""
        if self.wave is None:
            self._begin_waves()
        if not self.queue:
            self._take_up(self.next_wave)
        castle = self.castles[self.queue[0]]
        return castle, self._reach(castle)

    def _pay_castle(self, event: Score, at: Spot) -> None:
        castle, payouts = self.next_castle()
        assert at in castle.spots
        assert event.player == castle.owner
        assert event.points in [p.points for p in payouts]
        assert {event.rule} == {p.rule for p in payouts}
        if self.rules.castle_multi_choice == "max":
            assert event.points == max(p.points for p in payouts)
        index = self.queue.pop(0)
        self.paid.append(index)
        spot = min(castle.spots)
        self.next_wave.append(Paying(spot, event.points, castle.cells, "R-CASTLE-25"))

    def _settle(self) -> None:
        """Check what a placement led to, once it is over."""
        if self.settled:
            return
        self.settled = True
        if self.wave is None:
            self._begin_waves()
        if not self.queue:
            self._take_up(self.next_wave)
        assert not self.queue, "a castle was not paid"
        home = {spot for done, _ in self.finished for spot in self.board.feature(done).pieces}
        home |= {spot for i in self.paid for spot in self.castles[i].spots}
        assert {spot for _, spot in self.returned} <= home
        assert not [who for who in self.standing if who[1] in home]
        if self.in_round:
            self._next_in_round()

    # ---------------------------------------------------------------------- the bazaar

    def _market_opened(self, event: MarketOpened) -> None:
        self._settle()
        assert not self.in_round
        assert self._must_open()
        assert event.player == self.turn
        assert len(event.tiles) == min(len(self.players), self.left)
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
        assert not self.in_round
        assert self.market_due
        assert self.rules.bazaar_mode != "off"
        assert not self._must_open()
        assert event.left == self.left
        self.market_due = False

    def without_tile(self, first: str) -> list[str]:
        return [name for name in self.clockwise(first) if name not in self.hands]

    def _tile_chosen(self, event: TileChosen) -> None:
        assert self.lot < 0
        assert event.player == self.without_tile(self.after(self.last_chooser))[0]
        assert self.offer[event.number - 1] == event.tile
        assert self.may_bid(event.player, event.bid)
        self.chooser = self.last_chooser = self.high_bidder = event.player
        self.lot, self.high = event.number - 1, event.bid
        self.bidders = self.without_tile(event.player)[1:]

    def limit(self, player: str) -> int | None:
        limits = [] if self.rules.bazaar_max_bid is None else [self.rules.bazaar_max_bid]
        if not self.rules.bazaar_allow_negative:
            limits.append(self.scores[player])
        return min(limits) if limits else None

    def may_bid(self, player: str, points: int) -> bool:
        limit = self.limit(player)
        if self.high < 0:
            return points >= 0 and (limit is None or points <= max(0, limit))
        return points > self.high and (limit is None or points <= limit)

    def listed_bids(self, player: str) -> list[int]:
        return [n for n in range(max(20, self.high + 10) + 1) if self.may_bid(player, n)]

    def _bid_made(self, event: BidMade) -> None:
        assert event.player == self.bidders.pop(0)
        assert self.may_bid(event.player, event.points)
        self.high, self.high_bidder = event.points, event.player

    def _bid_passed(self, event: BidPassed) -> None:
        assert event.player == self.bidders.pop(0)

    def _tile_taken(self, event: TileTaken) -> None:
        paid, self.payments = self.payments, []
        lot = self.lot
        if event.rule == "R-BAZAAR-27":
            self._settle()
            assert event.player == self.turn
            lot = self.picked if self.picked >= 0 else self.offer.index(event.tile)
            assert self.offer.pop(lot) == event.tile
            self.picked = -1
            self.tile = event.tile
            assert event.price == 0
            return
        if event.rule == "R-BAZAAR-16":
            assert self.without_tile(event.player) == [event.player]
            assert len(self.offer) == 1
            assert not paid
            lot = 0
        elif event.rule == "R-BAZAAR-12":
            assert not self.bidders
            assert event.player == self.chooser == self.high_bidder
            assert paid == [(event.player, -self.high, "R-BAZAAR-12")]
        else:
            assert event.rule == "R-BAZAAR-11"
            assert not self.bidders
            assert self.high_bidder != self.chooser
            pair = {self.chooser, self.high_bidder}
            (other,) = pair - {event.player}
            assert event.seller == (self.chooser if event.player != self.chooser else "")
            assert Counter(paid) == Counter(
                [(event.player, -self.high, event.rule), (other, self.high, event.rule)]
            )
        assert event.price == (0 if event.rule == "R-BAZAAR-16" else self.high)
        assert self.offer.pop(lot) == event.tile
        assert event.player not in self.hands
        self.hands[event.player] = event.tile
        self.lot, self.high, self.chooser = -1, -1, ""
        if not self.offer:
            self.round = [name for name in self.round if name in self.hands]
            self.turn = self.round.pop(0)

    # ---------------------------------------------------------------------- the end

    def _begin_ending(self) -> None:
        if self._ending:
            return
        self._settle()
        self._no_market()
        self._ending = True
        self._expected: Counter[tuple[str, int, str, Spot]] = Counter()
        for found in self.board.features():
            names = self.leaders(found)
            if self.castle_at(found.at):
                points, rule = 0, "R-CASTLE-31"
            elif found.kind == "field":
                points, rule = self.farm_worth(found), "R-BASE-22"
            elif found.kind == "river":
                continue
            else:
                points, rule = self.worth(found)
            self._expected.update((name, points, rule, found.at) for name in names)

    def _game_over(self, event: GameOver) -> None:
        self._begin_ending()
        assert {k: v for k, v in self._final.items() if k[1]} == {
            k: v for k, v in self._expected.items() if k[1]
        }
        assert not [spot for _, spot in self.standing if self.castle_at(spot)]
        assert event.scores == self.scores
        best = max(self.scores.values())
        assert list(event.winners) == [n for n in self.players if self.scores[n] == best]
        self.over = True
        self.tile = None

    # ---------------------------------------------------------------------- what is legal

    def placements(self, player: str) -> set[tuple[Cell, int, BridgePlace | None]]:
        assert self.tile is not None
        return self.board.placements(
            self.types[self.tile],
            bridge=self.supply[player]["bridges"] > 0,
            most=self.rules.bridge_max_per_tile,
        )

    def may_decline(self, player: str) -> bool:
        ways = self.placements(player)
        return self.rules.bridge_decline_discards and all(bridge for _, _, bridge in ways)

    def free_bridges(self) -> set[BridgePlace]:
        """Where the player who has just placed may build (R-BRIDGE-2, 3, 22, 23)."""
        rules = self.rules
        if self.placed is None or self.built_bridge or rules.bridge_requires_road_contact:
            return set()
        if not self.supply[self.placer]["bridges"]:
            return set()
        cells = [self.placed]
        if rules.bridge_adjacent_mode == "any_adjacent":
            cells += [beside(self.placed, side) for side in STEPS]
        places = [BridgePlace(cell, axis) for cell in cells for axis in (0, 1)]
        return {p for p in places if self.board.can_bridge(p, rules.bridge_max_per_tile)}

    def free_spots(self) -> set[Spot]:
        """Where the player who has just placed may put a meeple (R-BASE-8, R-BRIDGE-19)."""
        if self.placed is None or not self.supply[self.placer]["meeples"]:
            return set()
        kinds = {"road", "city", "cloister"} | ({"field"} if self.rules.farmers else set())
        spots = [(self.placed, piece.name) for piece in self.board.pieces(self.placed)]
        return {
            spot
            for spot in spots
            if self.board.feature(spot).kind in kinds and not self.on(self.board.feature(spot))
        }

    def listing(self, decision: Decision) -> set[Move]:
        """The listing that a decision ought to have."""
        return set(_LISTINGS[decision.kind](self, decision.player))

    def _list_place(self, player: str) -> Iterator[Move]:
        assert self.tile is not None
        tile = self.types[self.tile]
        shown = [looks(tile, rotation) for rotation in range(4)]
        for cell, rotation, bridge in self.placements(player):
            if shown.index(shown[rotation]) == rotation:
                yield Place(tile.id, cell, rotation, bridge)
        if self.may_decline(player):
            yield Decline()

    def _list_bridge(self, _: str) -> Iterator[Move]:
        yield from map(BuildBridge, self.free_bridges())
        yield Pass()

    def _list_meeple(self, _: str) -> Iterator[Move]:
        yield from (PutMeeple(name) for _, name in self.free_spots())
        yield Pass()

    def _list_castle(self, player: str) -> Iterator[Move]:
        owner, cities = self.castle_choices()
        assert owner == player
        yield from (BuildCastle(Address(*found.at)) for found in cities)
        yield Pass()

    def _list_collect(self, player: str) -> Iterator[Move]:
        castle, payouts = self.next_castle()
        assert castle.owner == player
        assert len({p.points for p in payouts}) > 1
        assert self.rules.castle_multi_choice == "player"
        yield from (Collect(Address(*self._named(p.spot))) for p in payouts)

    def _named(self, spot: Spot) -> Spot:
        return self.board.feature(spot).at

    def _list_choose(self, player: str) -> Iterator[Move]:
        for number in range(len(self.offer)):
            yield from (Choose(number + 1, bid) for bid in self.listed_bids(player))

    def _list_bid(self, player: str) -> Iterator[Move]:
        assert player == self.bidders[0]
        yield from map(Bid, self.listed_bids(player))
        yield Pass()

    def _list_deal(self, player: str) -> Iterator[Move]:
        assert player == self.chooser
        assert self.rules.bazaar_allow_negative or self.scores[player] >= self.high
        yield from (Buy(), Sell())

    def _list_take(self, player: str) -> Iterator[Move]:
        assert player == self.turn
        yield from (Take(number + 1) for number in range(len(self.offer)))

    def is_legal(self, decision: Decision | None, move: Move) -> bool:
        """Whether a move, under any of its names, ought to be accepted now."""
        if decision is None:
            return False
        kind, player = decision.kind, decision.player
        if isinstance(move, Pass):
            return kind in ("bridge", "meeple", "castle", "bid")
        if move.kind != kind:
            return False
        if isinstance(move, Place):
            return self._may_place(player, move)
        if isinstance(move, Decline):
            return self.may_decline(player)
        if isinstance(move, PutMeeple):
            return self.board.find(self.placed, move.segment) in self.free_spots()
        if isinstance(move, BuildCastle):
            spot = self.board.find(move.city.cell, move.city.segment)
            cities = self.castle_choices()[1]
            return spot is not None and any(spot in found.pieces for found in cities)
        if isinstance(move, Collect):
            spot = self.board.find(move.feature.cell, move.feature.segment)
            names = [self._named(p.spot) for p in self.next_castle()[1]]
            return spot is not None and self._named(spot) in names
        if isinstance(move, Choose):
            return 1 <= move.number <= len(self.offer) and self.may_bid(player, move.bid)
        if isinstance(move, Bid):
            return self.may_bid(player, move.points)
        return move in self.listing(decision)

    def _may_place(self, player: str, move: Place) -> bool:
        assert self.tile is not None
        if self.letters.get(move.tile, move.tile) != self.tile:
            return False
        if move.cell not in self.board.open_cells():
            return False
        ways = self.board.ways(
            self.types[self.tile], move.cell, move.rotation,
            bridge=self.supply[player]["bridges"] > 0, most=self.rules.bridge_max_per_tile,
        )  # fmt: skip
        return move.bridge in ways


_HANDLERS: dict[type[Event], Callable[..., None]] = {
    BidMade: Ledger._bid_made,
    BidPassed: Ledger._bid_passed,
    BridgeBuilt: Ledger._bridge_built,
    CastleBuilt: Ledger._castle_built,
    FeatureCompleted: Ledger._feature_completed,
    GameOver: Ledger._game_over,
    MarketOpened: Ledger._market_opened,
    MarketSkipped: Ledger._market_skipped,
    MeeplePlaced: Ledger._meeple_placed,
    MeepleReturned: Ledger._meeple_returned,
    Score: Ledger._score,
    TileChosen: Ledger._tile_chosen,
    TileDrawn: Ledger._tile_drawn,
    TilePlaced: Ledger._tile_placed,
    TileSetAside: Ledger._tile_set_aside,
    TileTaken: Ledger._tile_taken,
    TurnSkipped: Ledger._turn_skipped,
}

_LISTINGS: dict[str, Callable[[Ledger, str], Iterator[Move]]] = {
    "place": Ledger._list_place,
    "bridge": Ledger._list_bridge,
    "meeple": Ledger._list_meeple,
    "castle": Ledger._list_castle,
    "collect": Ledger._list_collect,
    "choose": Ledger._list_choose,
    "bid": Ledger._list_bid,
    "deal": Ledger._list_deal,
    "take": Ledger._list_take,
}

# ------------------------------------------------------------------------------ comparing


def check_features(game: Game, ledger: Ledger) -> None:
    """The game's features and graph are those of the recount, all numbers equal."""
    import networkx as nx

    board = ledger.board
    recounted = {found.at: found for found in board.features()}
    views = {(view.at.cell, view.at.segment): view for view in game.features()}
    assert views.keys() == recounted.keys()
    for at, view in views.items():
        found = recounted[at]
        castle = ledger.castle_at(at)
        assert view.kind == ("castle" if castle else found.kind), at
        assert view.tiles == len(found.cells), at
        assert set(view.cells) == found.cells, at
        assert view.open == found.open, at
        assert view.pennants == found.pennants, at
        assert view.meeples == dict(ledger.on(found)), at
        assert {(s.cell, s.segment) for s in view.segments} == found.pieces.keys(), at
        assert view.complete == ledger.is_complete(found), at
        if castle or found.kind == "river":
            assert view.points == 0, at
        elif found.kind == "field":
            assert view.points == (ledger.farm_worth(found) if game.rules.farmers else 0), at
        else:
            assert view.points == ledger.worth(found)[0], at
    graph = game.graph()
    parts = [frozenset((n.cell, n.segment) for n in p) for p in nx.connected_components(graph)]
    assert set(parts) == {frozenset(found.pieces) for found in recounted.values()}
    for node, data in graph.nodes(data=True):
        spot = (node.cell, node.segment)
        piece = board.feature(spot).pieces[spot]
        assert data["cell"] == node.cell
        assert data["segment"] == node.segment
        assert data["kind"] == ("castle" if ledger.castle_at(spot) else piece.kind)
        assert data["bridge"] == piece.bridge
        here = Counter(name for name, where in ledger.standing if where == spot)
        assert dict(data["meeples"]) == dict(here)


def check_table(game: Game, ledger: Ledger) -> None:
    """Nothing was lost or made up: pieces, tiles, points (R-BASE-3, R-BRIDGE-1, R-CASTLE-1)."""
    decision = game.decision
    ledger.rest(decision.kind if decision else None)
    assert game.scores == ledger.scores
    assert game.supply == ledger.supply
    board = ledger.board
    tiles = {c: (p.tile.id, p.rotation, set(p.bridges)) for c, p in game.tiles.items()}
    assert tiles == {
        cell: (tile.id, rotation, set(board.bridges.get(cell, ())))
        for cell, (tile, rotation) in board.laid.items()
    }
    assert not board.clashes()
    assert set(game.open_cells()) == board.open_cells()
    meeples = Counter(name for name, _ in ledger.standing)
    owners = Counter(castle.owner for castle in ledger.castles)
    for name in game.players:
        assert game.supply[name]["meeples"] + meeples[name] == 7
        full = max(ledger.full["castles"], owners[name])
        assert game.supply[name]["castles"] + owners[name] == full
        assert all(number >= 0 for number in game.supply[name].values())
    bridges = sum(len(axes) for axes in board.bridges.values())
    spare = sum(pieces["bridges"] for pieces in game.supply.values())
    assert bridges + spare == len(game.players) * ledger.full["bridges"]
    in_hand = int(game.drawn is not None)
    others = len(game.discarded) + game.stack_left + len(game.hands) + len(game.on_offer) + in_hand
    assert len(tiles) + others == ledger.began_with + len(game.stack)
    assert game.stack_left == ledger.left == sum(game.unseen.values())
    assert list(game.discarded) == ledger.set_aside
    assert list(game.on_offer) == ledger.offer
    assert game.hands == ledger.hands
    assert game.drawn == ledger.tile
    assert game.is_over == ledger.over
    assert sum(game.scores.values()) == sum(
        event.points for event in game.events if isinstance(event, Score)
    )
    assert [(c.owner, set(c.cells), set(c.vicinity), c.occupied) for c in game.castles] == [
        (
            castle.owner, set(castle.cells), set(castle.near),
            any(spot in castle.spots for _, spot in ledger.standing),
        )
        for castle in ledger.castles
    ]  # fmt: skip
    if decision is not None and decision.kind in ("place", "bridge", "meeple", "castle", "collect"):
        assert game.active == ledger.turn or ledger.settled
    if decision is not None and decision.kind in ("place", "bridge", "meeple", "take"):
        assert decision.player == ledger.turn


def check_listing(game: Game, ledger: Ledger) -> None:
    """The listing of the open decision is what trying everything finds, each once."""
    decision = game.decision
    listed = list(game.legal_moves())
    if decision is None:
        assert listed == []
        return
    assert set(listed) == ledger.listing(decision)
    assert len(set(map(str, listed))) == len(listed)
    assert listed, decision
    if decision.kind == "place":
        ways = ledger.placements(decision.player)
        assert game.placements() == len(ways)
        assert set(game.legal_cells()) == {cell for cell, _, _ in ways}
        assert len({(cell, rotation) for cell, rotation, _ in ways}) == len(ways)
    elif decision.kind in ("bridge", "meeple", "castle", "bid"):
        assert len(listed) > 1 or decision.kind == "castle", f"nothing to decide: {decision}"
