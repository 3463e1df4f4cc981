"""The tile grid: what lies where, what fits where, and how laid tiles join the features.

For each open cell the board keeps one integer, its signature: the edges that meet it (three
bits a side) and the sides whose tile could take a bridge towards it. A tile type answers a
signature with its fitting rotations once and remembers the answer, so listing placements is a
walk over the open cells (R-BASE-5, R-BRIDGE-8, R-BRIDGE-9).
"""

from __future__ import annotations

from bisect import bisect_left, insort
from typing import TYPE_CHECKING, Final

from carcassonne.geometry import (
    AXIS_SIDES,
    DELTAS,
    SURROUNDING,
    Cell,
    facing_half,
    neighbour,
    opposite,
)
from carcassonne.model.features import FeatureGraph, Journal
from carcassonne.moves import Address, BridgePlace
from carcassonne.tiles import ABBEY, EMPTY, FIELD, ROAD, Segment

if TYPE_CHECKING:
    from collections.abc import Iterator

    from carcassonne.tiles import TileType, Variant

__all__ = ["Board", "Fit", "Placement"]

Fit = tuple[int, int, int]
"""A way to lie in a cell: rotation, then -1, or the side of the neighbour that takes the bridge
(`4 + axis` for a bridge on the new tile), then the axis of the bridge or -1."""


class Placement:
    """A tile on the board.

    Attributes
    ----------
    edges : tuple of int
        Edge codes as they count now: a bridge turns both its ends into road edges (R-BRIDGE-6).
    nodes : dict
        Segment name to its address; bridges included.
    bridges : tuple of int
        Axes of the bridges on it.
    """

    __slots__ = ("_sides", "bridges", "cell", "edges", "nodes", "tile", "variant")

    def __init__(self, tile: TileType, cell: Cell, rotation: int) -> None:
        variant = tile.variants[rotation]
        self.tile = tile
        self.cell = cell
        self.variant: Variant = variant
        self.edges = variant.edges
        self.bridges: tuple[int, ...] = ()
        self.nodes: dict[str, Address] = {s.name: Address(cell, s.name) for s in variant.segments}
        self._sides = variant.at_side

    def at_side(self, side: int) -> Address | None:
        """The road, city or river (a bridge included) at a side."""
        piece = self._sides[side]
        return None if piece is None else self.nodes[piece.name]

    def at_half(self, half: int) -> Address | None:
        """The field at a half-edge."""
        piece = self.variant.at_half[half]
        return None if piece is None else self.nodes[piece.name]

    @property
    def rotation(self) -> int:
        """Clockwise quarter turns, 0 to 3."""
        return self.variant.rotation

    def copy(self) -> Placement:
        """An equal placement that shares nothing that can change."""
        twin = Placement.__new__(Placement)
        twin.tile, twin.cell, twin.variant = self.tile, self.cell, self.variant
        twin.edges, twin.bridges = self.edges, self.bridges
        twin.nodes = dict(self.nodes)
        twin._sides = self._sides  # noqa: SLF001 - a twin
        return twin

    def add_bridge(self, axis: int) -> None:
        """Note a bridge on the tile: a segment, and roads at both its ends (R-BRIDGE-6)."""
        name = _BRIDGE_NAMES[axis][0]
        self.nodes[name] = Address(self.cell, name)
        self.bridges = (*self.bridges, axis)
        for side in AXIS_SIDES[axis]:
            self.set_side(side, ROAD, _BRIDGE_PIECES[axis])

    def set_side(self, side: int, edge: int, piece: Segment | None) -> None:
        """Change what a side counts as, and the segment that meets it there."""
        self.edges = (*self.edges[:side], edge, *self.edges[side + 1 :])
        self._sides = (*self._sides[:side], piece, *self._sides[side + 1 :])

    def find(self, name: str) -> Address | None:
        """The segment with a name, by any of its names; bridges included."""
        piece = self.variant.by_name.get(name)
        if piece is not None:
            return self.nodes[piece.name]
        for axis in self.bridges:
            if name in _BRIDGE_NAMES[axis]:
                return self.nodes[_BRIDGE_NAMES[axis][0]]
        return None


_BRIDGE_NAMES: Final = (("road.N", "road.S"), ("road.E", "road.W"))
_BRIDGE_PIECES: Final = tuple(
    Segment(names[0], "road", names, sides)
    for names, sides in zip(_BRIDGE_NAMES, AXIS_SIDES, strict=True)
)


class Board:
    """The tiles on the table and the cells next to them.

    Attributes
    ----------
    tiles : dict
        Cell to `Placement`, in the order of laying.
    may_bridge : bool
        Whether anybody has a bridge at all; if not, signatures leave bridges out.
    cells_by_signature : dict
        The open cells (empty, beside a tile) by their signature, sorted.
    """

    def __init__(
        self,
        players: tuple[str, ...],
        journal: Journal,
        *,
        bridges_per_tile: int,
        may_bridge: bool,
    ) -> None:
        self.tiles: dict[Cell, Placement] = {}
        self.cells_by_signature: dict[int, list[Cell]] = {}
        self.features = FeatureGraph(players, journal)
        self.cloisters: dict[Cell, Address] = {}
        self._signatures: dict[Cell, int] = {}
        self._journal = journal
        self.bridges_per_tile = bridges_per_tile
        self.may_bridge = may_bridge

    def copy(self, players: tuple[str, ...], journal: Journal) -> Board:
        """An equal board that shares nothing that can change."""
        twin = Board(
            players,
            journal,
            bridges_per_tile=self.bridges_per_tile,
            may_bridge=self.may_bridge,
        )
        twin.tiles = {cell: placement.copy() for cell, placement in self.tiles.items()}
        twin.cells_by_signature = {s: list(c) for s, c in self.cells_by_signature.items()}
        twin.features = self.features.copy(journal)
        twin.cloisters = dict(self.cloisters)
        twin._signatures = dict(self._signatures)
        return twin

    # -------------------------------------------------------------------------- questions

    def find(self, address: Address) -> Address | None:
        """The segment that an address names, by any of its names."""
        placement = self.tiles.get(address.cell)
        return placement.find(address.segment) if placement else None

    def edge_beyond(self, cell: Cell, side: int) -> int:
        """The edge code that meets a cell from beyond one of its sides."""
        dx, dy = DELTAS[side]
        beyond = self.tiles.get((cell[0] + dx, cell[1] + dy))
        return beyond.edges[side ^ 2] if beyond else EMPTY

    def signatures(self) -> tuple[tuple[Cell, int], ...]:
        """The open cells with their signatures, in order."""
        return tuple(sorted(self._signatures.items()))

    def surrounded(self, cell: Cell) -> int:
        """How many of the eight cells around a cell hold a tile (R-BASE-15)."""
        x, y = cell
        tiles = self.tiles
        return sum((x + dx, y + dy) in tiles for dx, dy in SURROUNDING)

    def fits(
        self, tile: TileType, cell: Cell, *, bridge_in_hand: bool, listed: bool = False
    ) -> tuple[Fit, ...]:
        """The ways in which a tile may lie in an open cell; `listed` as for `placements`."""
        signature = self._signatures.get(cell)
        if signature is None:
            return ()
        return _fits_of(tile, signature, bridge_in_hand=bridge_in_hand)[listed]

    def placements(
        self, tile: TileType, *, bridge_in_hand: bool, listed: bool
    ) -> list[tuple[list[Cell], tuple[Fit, ...]]]:
        """Groups of cells where a tile may lie, in order, each with the ways to lie there.

        `listed` leaves out rotations that look the same as a lower one.
        """
        memory = tile.memory[bridge_in_hand]
        groups = self.cells_by_signature
        found = []
        for signature in sorted(groups):
            fits = memory.get(signature)
            if fits is None:
                fits = _fits_of(tile, signature, bridge_in_hand=bridge_in_hand)
            if fits[listed]:
                found.append((groups[signature], fits[listed]))
        return found

    def ways_to_fit(self, tile: TileType, *, bridge_in_hand: bool) -> tuple[bool, bool]:
        """Whether a tile can be placed at all, and whether without a bridge (R-BASE-6)."""
        bridged = False
        for signature in self.cells_by_signature:
            for _, how, _ in _fits_of(tile, signature, bridge_in_hand=bridge_in_hand)[1]:
                if how < 0:
                    return True, True
                bridged = True
        return bridged, False

    def can_take_bridge(self, placement: Placement, axis: int) -> bool:
        """Whether a tile itself can take a bridge, whatever lies around it (R-BRIDGE-5, 18)."""
        first, last = AXIS_SIDES[axis]
        edges = placement.edges
        return (
            edges[first] == FIELD
            and edges[last] == FIELD
            and len(placement.bridges) < self.bridges_per_tile
        )

    def free_bridges(self, cell: Cell) -> list[BridgePlace]:
        """The bridges that could stand on a tile without touching anything (R-BRIDGE-22)."""
        placement = self.tiles.get(cell)
        if placement is None:
            return []
        return [
            BridgePlace(cell, axis)
            for axis in (0, 1)
            if self.can_take_bridge(placement, axis)
            and all(neighbour(cell, side) not in self.tiles for side in AXIS_SIDES[axis])
        ]

    # -------------------------------------------------------------------------- changes

    def lay(self, tile: TileType, cell: Cell, rotation: int) -> Placement:
        """Lay a tile without asking whether it fits, and join what meets."""
        placement = Placement(tile, cell, rotation)
        features = self.features
        for segment in placement.variant.segments:
            features.add(placement.nodes[segment.name], segment)
        self.tiles[cell] = placement
        if tile.cloister:
            self.cloisters[cell] = placement.nodes["cloister"]
        self._journal.append((_take_up, cell))
        self._set_signature(cell, 0)
        self._meet(placement)
        return placement

    def _meet(self, placement: Placement) -> None:
        """Join a new tile to its neighbours and tell the cells around it what they meet now."""
        signatures = self._signatures
        x, y = placement.cell
        for side, (dx, dy) in enumerate(DELTAS):
            cell = (x + dx, y + dy)
            back = side ^ 2
            beyond = self.tiles.get(cell)
            if beyond is None:
                signature = signatures.get(cell, 0) | placement.edges[side] << (3 * back)
                if self._can_be_mended(placement, back):
                    signature |= 1 << (12 + back)
                self._set_signature(cell, signature)
                continue
            self._join_side(placement, beyond, side)
            far = (x + 2 * dx, y + 2 * dy)
            signature = signatures.get(far, 0)
            if signature >> (12 + back) & 1:
                self._set_signature(far, signature ^ 1 << (12 + back))

    def _can_be_mended(self, placement: Placement, side: int) -> bool:
        """Whether a tile could take a bridge whose far end leaves it by a side (R-BRIDGE-7)."""
        return (
            self.may_bridge
            and self.can_take_bridge(placement, side & 1)
            and neighbour(placement.cell, side) not in self.tiles
        )

    def _join_side(self, placement: Placement, beyond: Placement, side: int) -> None:
        """Join the segments of two tiles that meet at a side of the first."""
        features = self.features
        here, there = placement.at_side(side), beyond.at_side(opposite(side))
        if here and there:
            features.join(here, there)
        elif placement.edges[side] == ABBEY or beyond.edges[opposite(side)] == ABBEY:
            self._close_side(placement, side)
            self._close_side(beyond, opposite(side))
            return
        for half in (2 * side, 2 * side + 1):
            here, there = placement.at_half(half), beyond.at_half(facing_half(half))
            if here and there:
                features.join(here, there)

    def _close_side(self, placement: Placement, side: int) -> None:
        nodes = (
            placement.at_side(side),
            placement.at_half(2 * side),
            placement.at_half(2 * side + 1),
        )
        for node in nodes:
            if node:
                self.features.close(node)

    def build_bridge(self, place: BridgePlace) -> Address:
        """Build a bridge without asking whether it may stand, and join the roads at its ends."""
        placement = self.tiles[place.cell]
        axis = place.axis
        node = Address(place.cell, _BRIDGE_NAMES[axis][0])
        self.features.add(node, _BRIDGE_PIECES[axis], bridge=True)
        placement.add_bridge(axis)
        self._journal.append((_unbuild, place.cell, axis))
        for side in AXIS_SIDES[axis]:
            beyond = self.tiles.get(neighbour(place.cell, side))
            if beyond is None:
                continue
            there = beyond.at_side(opposite(side))
            if there:
                self.features.join(node, there)
            elif beyond.edges[opposite(side)] == ABBEY:
                self.features.close(node)
        for side in range(4):
            self._refresh(neighbour(place.cell, side))
        return node

    # -------------------------------------------------------------------------- open cells

    def _refresh(self, cell: Cell) -> None:
        """Work out the signature of an open cell afresh."""
        if cell in self.tiles:
            return
        signature = 0
        for side in range(4):
            beyond = self.tiles.get(neighbour(cell, side))
            if beyond is not None:
                signature |= beyond.edges[side ^ 2] << (3 * side)
                signature |= self._can_be_mended(beyond, side) << (12 + side)
        self._set_signature(cell, signature)

    def _set_signature(self, cell: Cell, signature: int) -> None:
        before = self._signatures.get(cell, 0)
        if before != signature:
            self._journal.append((_restore_cell, cell, before))
            self.move_cell(cell, signature)

    def move_cell(self, cell: Cell, signature: int) -> None:
        """Put a cell among those of a signature; 0: it is no open cell."""
        groups = self.cells_by_signature
        before = self._signatures.get(cell)
        if before is not None:
            group = groups[before]
            if len(group) == 1:
                del groups[before]
            else:
                del group[bisect_left(group, cell)]
        if not signature:
            del self._signatures[cell]
            return
        self._signatures[cell] = signature
        if signature in groups:
            insort(groups[signature], cell)
        else:
            groups[signature] = [cell]


# ------------------------------------------------------------------------------ taking back


def _take_up(board: Board, cell: Cell) -> None:
    del board.tiles[cell]
    board.cloisters.pop(cell, None)


def _unbuild(board: Board, cell: Cell, axis: int) -> None:
    placement = board.tiles[cell]
    placement.bridges = placement.bridges[:-1]
    del placement.nodes[_BRIDGE_NAMES[axis][0]]
    for side in AXIS_SIDES[axis]:
        placement.set_side(side, FIELD, None)


def _restore_cell(board: Board, cell: Cell, signature: int) -> None:
    board.move_cell(cell, signature)


# ------------------------------------------------------------------------------ fitting


def _fits_of(
    tile: TileType, signature: int, *, bridge_in_hand: bool
) -> tuple[tuple[Fit, ...], tuple[Fit, ...]]:
    """A signature's fits, worked out once: all of them, and those that look different."""
    memory = tile.memory[bridge_in_hand]
    answer: tuple[tuple[Fit, ...], tuple[Fit, ...]] | None = memory.get(signature)
    if answer is None:
        fits = tuple(_fits(tile, signature, bridge_in_hand=bridge_in_hand))
        answer = (fits, tuple(fit for fit in fits if fit[0] in tile.rotations))
        memory[signature] = answer
    return answer


def _fits(tile: TileType, key: int, *, bridge_in_hand: bool) -> Iterator[Fit]:
    """The ways in which a tile answers a signature.

    Each clash fixes the tile and the axis of the bridge that could mend it, so there is at most
    one bridge for a cell and rotation (R-BRIDGE-9).
    """
    facing = tuple((key >> (3 * side)) & 7 for side in range(4))
    for variant in tile.variants:
        clashes = [
            side
            for side, edge in enumerate(variant.edges)
            if facing[side] not in (EMPTY, ABBEY, edge) and edge != ABBEY
        ]
        if not clashes:
            yield (variant.rotation, -1, -1)
        elif bridge_in_hand:
            yield from _mended(variant, facing, clashes, key)


def _mended(
    variant: Variant, facing: tuple[int, ...], clashes: list[int], key: int
) -> Iterator[Fit]:
    """The one bridge, if any, that mends all clashes and makes no new one (R-BRIDGE-7, 8)."""
    axis = clashes[0] & 1
    if (
        all(facing[side] == ROAD and side & 1 == axis for side in clashes)
        and variant.free_axes[axis]
        and all(facing[side] in (EMPTY, ROAD) for side in AXIS_SIDES[axis])
    ):
        yield (variant.rotation, 4 + axis, axis)
    elif len(clashes) == 1 and variant.edges[clashes[0]] == ROAD and key >> (12 + clashes[0]) & 1:
        yield (variant.rotation, clashes[0], axis)
