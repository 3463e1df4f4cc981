"""The board recounted from scratch: a second opinion on features, edges and placements.

`Recount` knows where printed pieces end as points of the plane and joins what ends at the same
point. It never looks at the model's graph, signatures or tables.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from carcassonne.moves import BridgePlace
from carcassonne.playtest.broken import require

if TYPE_CHECKING:
    from collections.abc import Collection

    from carcassonne.model.game import Game
    from carcassonne.tile_types import TileType, Variant

__all__ = [
    "AXIS_ENDS",
    "STEPS",
    "Cell",
    "Found",
    "Print",
    "Recount",
    "Spot",
    "across",
    "around",
    "beside",
    "long_sides",
    "looks",
    "printed_edges",
    "prints",
]

Cell: TypeAlias = tuple[int, int]
Point: TypeAlias = tuple[int, int]
Spot: TypeAlias = tuple[Cell, str]
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
        """Every cell that it lies on."""
        return {cell for cell, _ in self.pieces}

    @property
    def pennants(self) -> int:
        """Pennants on it."""
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
        """Lay a tile on an empty cell."""
        require(cell not in self.laid, "board", f"a second tile is laid on {cell}")
        self.laid[cell] = (tile, rotation)
        self._found = None

    def build(self, place: BridgePlace) -> None:
        """Build a bridge, unchecked."""
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
        """Find the feature of a piece."""
        return self._features()[spot]

    def features(self) -> list[Found]:
        """Every feature, each once."""
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
                require(spot not in parent, "features", f"two pieces are called {spot}")
                parent[spot], print_of[spot] = spot, piece
                local = HALF_POINTS if piece.kind == "field" else SIDE_POINTS
                for end in piece.ends:
                    point = (4 * cell[0] + local[end][0], 4 * cell[1] + local[end][1])
                    meeting.setdefault((point, piece.kind == "field"), []).append(spot)
        for spots in meeting.values():
            require(len(spots) <= 2, "features", f"more than two pieces meet: {spots}")
            parent[root(spots[0])] = root(spots[-1])
        found: dict[Spot, Found] = {}
        for spot in parent:
            feature = found.setdefault(root(spot), Found(print_of[spot].kind))
            joined = f"{spot} joins a {feature.kind}"
            require(feature.kind == print_of[spot].kind, "features", joined)
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
        """Empty cells beside a tile."""
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
    return frozenset(near)
