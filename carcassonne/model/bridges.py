"""Bridges: where they may stand, and why not (R-BRIDGE-1 to R-BRIDGE-31).

Which placements a bridge makes legal is answered by the board's signatures; this module builds
bridges, lists the free ones and explains every refusal that has to do with edges.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from carcassonne.errors import Violation
from carcassonne.events import BridgeBuilt
from carcassonne.geometry import AXES, AXIS_SIDES, Cell, cell_text, neighbour
from carcassonne.model.state import changed
from carcassonne.moves import BridgePlace
from carcassonne.tiles import ABBEY, EDGE_KINDS, EMPTY, FIELD, ROAD

if TYPE_CHECKING:
    from carcassonne.model.board import Board
    from carcassonne.model.state import State
    from carcassonne.tiles import TileType

__all__ = ["build", "explain_free_bridge", "explain_placement", "free_places"]


def build(state: State, place: BridgePlace) -> None:
    """Build one of the active player's bridges; it never comes back (R-BRIDGE-1, R-BRIDGE-2)."""
    table = state.table
    table.bridges = changed(table.bridges, table.active, -1)
    table.bridge_built = True
    state.board.build_bridge(place)
    state.events.append(BridgeBuilt(state.players[table.active], place.cell, place.axis))


def free_places(state: State) -> list[BridgePlace]:
    """Where the active player may build after placing, most recent tile first (R-BRIDGE-22)."""
    table, rules = state.table, state.rules
    if (
        table.placed is None
        or table.bridge_built
        or not table.bridges[table.active]
        or rules.bridge_requires_road_contact
    ):
        return []
    places = state.board.free_bridges(table.placed)
    if rules.bridge_adjacent_mode == "any_adjacent":
        for side in range(4):
            places += state.board.free_bridges(neighbour(table.placed, side))
    return places


# ------------------------------------------------------------------------------ refusals


_SIDE_NAMES: Final = ("north", "east", "south", "west")


class _Clash(NamedTuple):
    """Two edges that meet and differ, and the bridge that could mend it, if any."""

    side: int
    mine: int
    theirs: int
    beyond: Cell
    mend: BridgePlace | None


def _obstacles(
    board: Board, place: BridgePlace, edges: tuple[int, ...], facing: tuple[int, int]
) -> list[Violation]:
    """Why a bridge can't stand on a tile with these edges and these edges beyond its ends."""
    found: list[Violation] = []
    name = f"a bridge {AXES[place.axis]} on {cell_text(place.cell)}"
    laid = board.tiles.get(place.cell)
    for side, beyond in zip(AXIS_SIDES[place.axis], facing, strict=True):
        edge = edges[side]
        end = f"its {_SIDE_NAMES[side]} end"
        if laid and place.axis in laid.bridges:
            continue
        if edge == ABBEY:
            found.append(
                Violation("R-BRIDGE-24", f"{name}: {end} would stand on an abbey, not on a field")
            )
        if edge != FIELD:
            kind = EDGE_KINDS[edge]
            found.append(
                Violation("R-BRIDGE-5", f"{name}: {end} would stand on a {kind} edge, not on field")
            )
        if beyond not in (EMPTY, ROAD):
            found.append(
                Violation(
                    "R-BRIDGE-7",
                    f"{name}: {end} would meet a {EDGE_KINDS[beyond]} edge on "
                    f"{cell_text(neighbour(place.cell, side))}; only an empty cell or a road "
                    "edge may lie there",
                )
            )
    if laid and place.axis in laid.bridges:
        found.append(Violation("R-BRIDGE-24", f"{name}: both edges carry a bridge already"))
    if laid and len(laid.bridges) >= board.bridges_per_tile:
        found.append(
            Violation("R-BRIDGE-18", f"{name}: the tile carries a bridge; it holds no more")
        )
    return found


def _facing(board: Board, place: BridgePlace, new: Cell | None, kind: int) -> tuple[int, int]:
    """The edges beyond both ends of a bridge; a new tile not yet laid shows the given kind."""
    first, last = (
        kind if neighbour(place.cell, side) == new else board.edge_beyond(place.cell, side)
        for side in AXIS_SIDES[place.axis]
    )
    return (first, last)


def explain_free_bridge(state: State, place: BridgePlace) -> list[Violation]:
    """Every rule that an optional bridge of the player who placed last would break."""
    table, rules, board = state.table, state.rules, state.board
    player = state.players[table.placer]
    found: list[Violation] = []
    where = cell_text(place.cell)
    laid = board.tiles.get(place.cell)
    placed = table.placed
    near = placed is not None and (
        place.cell == placed or place.cell in [neighbour(placed, side) for side in range(4)]
    )
    if placed is not None and not (laid and near):
        what = "lies neither on nor beside" if laid else "holds no tile; it must be on or beside"
        found.append(
            Violation("R-BRIDGE-3", f"{where} {what} the tile just placed at {cell_text(placed)}")
        )
    elif rules.bridge_adjacent_mode == "placed_only" and place.cell != placed:
        found.append(
            Violation(
                "R-BRIDGE-22",
                f"{where} is not the tile just placed (bridge_adjacent_mode = placed_only)",
            )
        )
    if rules.bridge_requires_road_contact:
        found.append(
            Violation(
                "R-BRIDGE-23",
                "a free bridge continues no road (bridge_requires_road_contact = true)",
            )
        )
    if laid:
        found += _obstacles(board, place, laid.edges, _facing(board, place, None, EMPTY))
    if table.placer >= 0 and not table.bridges[table.placer]:
        found.append(Violation("R-BRIDGE-10", f"{player} has no bridge left"))
    if table.bridge_built:
        found.append(
            Violation("R-BRIDGE-2", f"{player} has built a bridge with this placement already")
        )
    return found


def explain_placement(
    state: State, tile: TileType, cell: Cell, rotation: int, bridge: BridgePlace | None
) -> list[Violation]:
    """Every rule of edges and bridges that laying a tile so would break."""
    board = state.board
    found: list[Violation] = []
    if cell in board.tiles:
        name = board.tiles[cell].tile.id
        taken = Violation("R-BASE-5", f"{cell_text(cell)} is taken by {name}")
        if bridge is None:
            return [taken]
        return [taken, *_explain_supply(state, bridge), *_explain_site(board, bridge, cell, None)]
    if not any(neighbour(cell, side) in board.tiles for side in range(4)):
        found.append(Violation("R-BASE-5", f"{cell_text(cell)} touches no tile on the board"))
    clashes = _clashes(board, tile, cell, rotation)
    if bridge is None:
        return found + _explain_bare(state, tile, cell, rotation, clashes)
    return found + _explain_bridged(state, tile, cell, rotation, clashes, bridge)


def _explain_supply(state: State, bridge: BridgePlace) -> list[Violation]:
    """A bridge is named, but the active player has none (R-BRIDGE-10)."""
    table = state.table
    if table.bridges[table.active]:
        return []
    return [
        Violation(
            "R-BRIDGE-10",
            f"{state.players[table.active]} has no bridge left for {bridge}",
        )
    ]


def _explain_site(
    board: Board, bridge: BridgePlace, cell: Cell, edges: tuple[int, ...] | None
) -> list[Violation]:
    """Why a bridge can't stand where it is named with a placement, needed or not.

    `edges` are those of the new tile; None if its cell is taken, so that the tile that lies
    there counts.
    """
    laid = board.tiles.get(bridge.cell)
    if bridge.cell == cell:
        own = laid.edges if laid else edges or ()
        return _obstacles(board, bridge, own, _facing(board, bridge, None, EMPTY))
    side = next((s for s in range(4) if neighbour(cell, s) == bridge.cell), None)
    where = cell_text(bridge.cell)
    found = []
    if side is None:
        found.append(Violation("R-BRIDGE-3", f"{where} is neither the new tile nor beside it"))
    elif laid is None:
        found.append(Violation("R-BRIDGE-3", f"{where} holds no tile that could carry a bridge"))
    if laid:
        new, kind = (cell, edges[side]) if side is not None and edges else (None, EMPTY)
        found += _obstacles(board, bridge, laid.edges, _facing(board, bridge, new, kind))
    return found


def _clashes(board: Board, tile: TileType, cell: Cell, rotation: int) -> list[_Clash]:
    edges = tile.variants[rotation].edges
    found = []
    for side in range(4):
        mine, theirs = edges[side], board.edge_beyond(cell, side)
        if theirs in (EMPTY, ABBEY, mine) or mine == ABBEY:
            continue
        beyond = neighbour(cell, side)
        mend = None
        if mine == FIELD and theirs == ROAD:
            mend = BridgePlace(cell, side & 1)
        elif mine == ROAD and theirs == FIELD:
            mend = BridgePlace(beyond, side & 1)
        found.append(_Clash(side, mine, theirs, beyond, mend))
    return found


def _describe(state: State, clash: _Clash, tile: TileType, cell: Cell) -> list[Violation]:
    """The clash itself, and the bridge that is to blame for it, if one is (R-BRIDGE-6)."""
    beyond = state.board.tiles[clash.beyond]
    where, there, mine = cell_text(cell), cell_text(clash.beyond), EDGE_KINDS[clash.mine]
    side = _SIDE_NAMES[clash.side]
    bridged = clash.side & 1 in beyond.bridges
    owner = f"the bridge on {there}" if bridged else f"{beyond.tile.id} on {there}"
    found = [
        Violation(
            "R-BASE-5",
            f"{tile.id} shows {mine} on the {side} edge of {where}, where {owner} "
            f"has {EDGE_KINDS[clash.theirs]}",
        )
    ]
    if bridged:
        found.append(
            Violation(
                "R-BRIDGE-6",
                f"the {side} edge of {where} is road because of the bridge on {there}; "
                f"{tile.id} shows {mine} there",
            )
        )
    return found


def _mends(
    state: State, tile: TileType, cell: Cell, rotation: int, clashes: list[_Clash]
) -> list[BridgePlace] | None:
    """The bridges that together would mend all clashes, or None if no bridges could."""
    board = state.board
    places: list[BridgePlace] = []
    for clash in clashes:
        if clash.mend is None:
            return None
        if clash.mend not in places:
            places.append(clash.mend)
    edges = tile.variants[rotation].edges
    for place in places:
        if place.cell == cell:
            trouble = _obstacles(board, place, edges, _facing(board, place, None, EMPTY))
        else:
            laid = board.tiles[place.cell]
            trouble = _obstacles(board, place, laid.edges, _facing(board, place, cell, ROAD))
        if trouble:
            return None
    return places


def _explain_bare(
    state: State, tile: TileType, cell: Cell, rotation: int, clashes: list[_Clash]
) -> list[Violation]:
    found = [violation for clash in clashes for violation in _describe(state, clash, tile, cell)]
    mends = _mends(state, tile, cell, rotation, clashes) if clashes else None
    if not mends:
        return found
    table = state.table
    player = state.players[table.active]
    names = " and ".join(map(str, mends))
    if len(mends) > 1:
        found.append(
            Violation(
                "R-BRIDGE-9",
                f"it would take {len(mends)} bridges, on {names}, and a placement has one at most",
            )
        )
    elif table.bridges[table.active]:
        found.append(
            Violation("R-BRIDGE-8", f"a bridge on {names} would mend it, but the move names none")
        )
    if not table.bridges[table.active]:
        found.append(
            Violation(
                "R-BRIDGE-10", f"a bridge on {names} would be needed, but {player} has none left"
            )
        )
    return found


def _explain_bridged(
    state: State,
    tile: TileType,
    cell: Cell,
    rotation: int,
    clashes: list[_Clash],
    bridge: BridgePlace,
) -> list[Violation]:
    board = state.board
    found = _explain_supply(state, bridge)
    found += _explain_site(board, bridge, cell, tile.variants[rotation].edges)
    remaining = [clash for clash in clashes if clash.mend != bridge]
    for clash in remaining:
        found += _describe(state, clash, tile, cell)
    if len(remaining) < len(clashes):
        mends = _mends(state, tile, cell, rotation, clashes) if remaining else None
        if mends:
            names = " and ".join(map(str, mends))
            text = (
                f"it would take {len(mends)} bridges, on {names}, and a placement has one at most"
            )
            found.append(Violation("R-BRIDGE-9", text))
    else:
        what = "mends none of the clashes" if clashes else "is not needed for the placement"
        found.append(
            Violation(
                "R-BRIDGE-8",
                f"the bridge on {bridge} {what}; a free bridge is built after placing",
            )
        )
    return found
