"""Positions: a table set up by hand, as scenarios and records give it.

Owns the form of `given` and its checks: everything named must exist, edges that meet must match
(bridges counted), pieces must stand where they can. Errors name the key.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import msgspec

from carcassonne.errors import InvalidMove, PositionError, TileError
from carcassonne.files import convert
from carcassonne.geometry import (
    AXES,
    AXIS_SIDES,
    ROTATIONS,
    SIDES,
    Cell,
    cell_text,
    neighbour,
    opposite,
    parse_cell,
)
from carcassonne.model import castles, turns
from carcassonne.model.game import Game
from carcassonne.model.setup import empty_state
from carcassonne.model.state import Castle
from carcassonne.moves import Address, BridgePlace, parse_address
from carcassonne.rules import Rules
from carcassonne.seats import MEEPLES, check_players
from carcassonne.tiles import ABBEY, DEFAULT_SETS, EDGE_KINDS, EMPTY, FIELD, ROAD, TileBox

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from carcassonne.model.state import State
    from carcassonne.tiles import TileSet, TileType

__all__ = ["build_position", "from_position"]

_Count = Annotated[int, msgspec.Meta(ge=0, le=99)]
_Points = Annotated[int, msgspec.Meta(ge=-100_000, le=100_000)]


class _Supply(msgspec.Struct, forbid_unknown_fields=True):
    """Pieces left to one player; None: the full supply less what stands on the board."""

    meeples: _Count | None = None
    bridges: _Count | None = None
    castles: _Count | None = None


class _Given(msgspec.Struct, forbid_unknown_fields=True):
    """The `given` table as it is written."""

    tiles: list[str] | None = None
    bridges: list[str] = []
    meeples: list[str] = []
    castles: list[str] = []
    pigs: list[str] = []
    barns: list[str] = []
    scores: dict[str, _Points] = {}
    supply: dict[str, _Supply] = {}
    stack: list[str] | None = None
    active: str | None = None


class _Laid(NamedTuple):
    tile: TileType
    cell: Cell
    rotation: int


class _Plan(NamedTuple):
    """A checked position, ready to be set up any number of times."""

    tiles: list[_Laid]
    bridges: list[BridgePlace]
    meeples: list[tuple[int, Address]]
    castles: list[tuple[int, Address]]
    pigs: list[tuple[int, Address]]
    barns: list[tuple[int, Address]]
    raw: _Given
    active: int


def from_position(
    players: Sequence[str],
    given: Mapping[str, Any],
    *,
    rules: Rules | None = None,
    tile_sets: Sequence[str | Path | TileSet] = DEFAULT_SETS,
    tile_counts: Mapping[str, int] | None = None,
    seed: int = 0,
) -> Game:
    """Start a game from a position: the turn of the active player begins, its tile is drawn.

    Parameters
    ----------
    given
        The table of a scenario's `given`: tiles, bridges, meeples, castles, pigs, barns,
        scores, supply, stack, active.
    seed
        Shuffles the default stack, the rest of the tile sets.

    Raises
    ------
    CarcassonneError
        Naming the key of `given` that is wrong, and what would be right.
    """
    box = TileBox.load(tile_sets, counts=tile_counts)
    return build_position(players, given, rules=rules or Rules(), box=box, seed=seed)


def build_position(
    players: Sequence[str],
    given: Mapping[str, Any],
    *,
    rules: Rules,
    box: TileBox,
    seed: int = 0,
    stack: Sequence[TileType] | None = None,
) -> Game:
    """As `from_position`, with tile sets that are loaded and perhaps a whole stack."""
    names = check_players(players)
    try:
        raw = convert(dict(given), _Given)
    except msgspec.ValidationError as error:
        text, _, path = str(error).partition(" - at `$")
        raise PositionError(f"given{_with_names(path.rstrip('`'), given)}: {text}") from None
    plan = _Reader(names, box, rules).read(raw)
    order = tuple(stack) if stack is not None else _stack(plan, box, seed)

    def make(tiles: tuple[TileType, ...]) -> State:
        state = empty_state(rules, names, box, tiles)
        _set_up(state, plan)
        state.journal.clear()
        turns.run(state, "begin_turn")
        return state

    saved = {key: value for key, value in given.items() if key != "stack"}
    return Game(make, order, given=saved)


def _with_names(path: str, given: Mapping[str, Any]) -> str:
    """Name the player behind `supply[...]` in the path of a validation message."""
    head, dots, rest = path.partition("[...]")
    table = given.get(head.lstrip("."))
    if not dots or not isinstance(table, dict):
        return path
    form = dict[str, _Supply] if head == ".supply" else dict[str, _Points]
    for name, value in table.items():
        try:
            convert({name: value}, form)
        except msgspec.ValidationError:
            return f"{head}.{name}{rest}"
    return path


def _stack(plan: _Plan, box: TileBox, seed: int) -> tuple[TileType, ...]:
    if plan.raw.stack is not None:
        return tuple(_tile(box, "given.stack", name) for name in plan.raw.stack)
    rest = Counter(box.counts)
    rest.subtract(laid.tile.id for laid in plan.tiles)
    tiles = [box.types[name] for name, count in rest.items() for _ in range(max(0, count))]
    random.Random(seed).shuffle(tiles)
    return tuple(tiles)


def _tile(box: TileBox, key: str, name: str) -> TileType:
    try:
        return box.tile(name)
    except TileError as error:
        raise PositionError(f"{key}: {error}") from None


# ------------------------------------------------------------------------------ reading


class _Reader:
    """Reads the texts of `given` and checks them against one another."""

    def __init__(self, players: tuple[str, ...], box: TileBox, rules: Rules) -> None:
        self.players = players
        self.box = box
        self.rules = rules
        self.laid: dict[Cell, _Laid] = {}
        self.bridged: dict[Cell, list[int]] = {}

    def read(self, raw: _Given) -> _Plan:
        tiles = self._tiles(raw)
        bridges = [self._bridge(text) for text in raw.bridges]
        self._check_edges()
        for key, table in (("scores", raw.scores), ("supply", raw.supply)):
            for name in table:
                self._seat(f"given.{key}", name)
        return _Plan(
            tiles,
            bridges,
            [self._piece("meeples", text) for text in raw.meeples],
            [self._castle(text) for text in raw.castles],
            [self._piece("pigs", text, only="field") for text in raw.pigs],
            [self._piece("barns", text, only="field") for text in raw.barns],
            raw,
            self._seat("given.active", raw.active) if raw.active is not None else 0,
        )

    def _seat(self, key: str, name: str) -> int:
        if name not in self.players:
            raise PositionError(
                f"{key}: {name!r} is no player; the players are {', '.join(self.players)}"
            )
        return self.players.index(name)

    def _tiles(self, raw: _Given) -> list[_Laid]:
        if raw.tiles is None:
            if self.box.start is None:
                raise PositionError("given.tiles: the tile sets have no start tile; name the tiles")
            laid = [_Laid(self.box.start, (0, 0), 0)]
        else:
            laid = [self._laid(text) for text in raw.tiles]
        if not laid:
            raise PositionError("given.tiles: at least one tile must lie on the table")
        for one in laid:
            if one.cell in self.laid:
                raise PositionError(f"given.tiles: two tiles lie on {cell_text(one.cell)}")
            self.laid[one.cell] = one
        return laid

    def _laid(self, text: str) -> _Laid:
        words = text.split(" ")
        cell = parse_cell(words[1]) if len(words) == 3 else None
        if cell is None or words[2] not in ROTATIONS:
            raise PositionError(
                f"given.tiles: {text!r} must be written TILE X,Y ROTATION, as in 'BA/L 1,0 r90'"
            )
        return _Laid(_tile(self.box, "given.tiles", words[0]), cell, ROTATIONS.index(words[2]))

    def _bridge(self, text: str) -> BridgePlace:
        words = text.split(" ")
        cell = parse_cell(words[0]) if len(words) == 2 else None
        if cell is None or words[1] not in AXES:
            raise PositionError(f"given.bridges: {text!r} must be written X,Y AXIS, as in '1,0 EW'")
        axis = AXES.index(words[1])
        if cell not in self.laid:
            raise PositionError(f"given.bridges: {text}: no tile lies on {cell_text(cell)}")
        for side in AXIS_SIDES[axis]:
            edge = self._printed(cell, side)
            if edge != FIELD:
                raise PositionError(
                    f"given.bridges: {text}: the {SIDES[side]} edge there is {EDGE_KINDS[edge]}, "
                    "and a bridge must end on field edges (R-BRIDGE-5)"
                )
        axes = self.bridged.setdefault(cell, [])
        if axis in axes or len(axes) >= self.rules.bridge_max_per_tile:
            raise PositionError(
                f"given.bridges: {text}: the tile holds only {self.rules.bridge_max_per_tile} "
                "bridge (R-BRIDGE-18)"
            )
        axes.append(axis)
        return BridgePlace(cell, axis)

    def _printed(self, cell: Cell, side: int) -> int:
        laid = self.laid.get(cell)
        return laid.tile.variants[laid.rotation].edges[side] if laid else EMPTY

    def _edge(self, cell: Cell, side: int) -> int:
        return ROAD if side & 1 in self.bridged.get(cell, ()) else self._printed(cell, side)

    def _check_edges(self) -> None:
        for cell, laid in self.laid.items():
            for side in (1, 2):
                beyond = neighbour(cell, side)
                here, there = self._edge(cell, side), self._edge(beyond, opposite(side))
                if here == there or EMPTY in (here, there) or ABBEY in (here, there):
                    continue
                for end, other, out in ((cell, beyond, opposite(side)), (beyond, cell, side)):
                    if side & 1 in self.bridged.get(end, ()):
                        name, kind = self.laid[other].tile.id, EDGE_KINDS[self._edge(other, out)]
                        raise PositionError(
                            f"given.bridges: the {SIDES[out]} edge of {cell_text(other)} is road "
                            f"because of the bridge on {cell_text(end)}; {name} shows {kind} "
                            "there (R-BRIDGE-6)"
                        )
                raise PositionError(
                    f"given.tiles: the {SIDES[side]} edge of {laid.tile.id} on {cell_text(cell)} "
                    f"is {EDGE_KINDS[here]}, but {self.laid[beyond].tile.id} on "
                    f"{cell_text(beyond)} shows {EDGE_KINDS[there]} there (R-BASE-5)"
                )

    def _piece(self, key: str, text: str, only: str = "") -> tuple[int, Address]:
        name, _, where = text.partition(" ")
        seat = self._seat(f"given.{key}", name)
        return seat, self._address(key, where, only)

    def _address(self, key: str, text: str, only: str = "") -> Address:
        try:
            address = parse_address(text)
        except InvalidMove:
            raise PositionError(
                f"given.{key}: {text!r} must be written X,Y SEGMENT, as in '0,0 road.E'"
            ) from None
        laid = self.laid.get(address.cell)
        if laid is None:
            raise PositionError(f"given.{key}: no tile lies on {cell_text(address.cell)}")
        piece = laid.tile.variants[laid.rotation].by_name.get(address.segment)
        axes = self.bridged.get(address.cell, [])
        on_bridge = piece is None and any(
            address.segment == f"road.{SIDES[side]}" for axis in axes for side in AXIS_SIDES[axis]
        )
        kind = "road" if on_bridge else piece.kind if piece else ""
        if not kind:
            known = ", ".join(s.name for s in laid.tile.variants[laid.rotation].segments)
            raise PositionError(
                f"given.{key}: {laid.tile.id} on {cell_text(address.cell)} has no "
                f"{address.segment}; its segments are {known}"
            )
        if only and kind != only:
            raise PositionError(f"given.{key}: {text} is a {kind}, not a {only}")
        if kind == "river":
            raise PositionError(f"given.{key}: {text} is a river, where nothing can stand")
        if kind == "field" and not self.rules.farmers:
            raise PositionError(f"given.{key}: {text}: nothing stands on fields (farmers = false)")
        return address

    def _castle(self, text: str) -> tuple[int, Address]:
        owner, _, where = text.partition(" ")
        if " " in where:
            return self._seat("given.castles", owner), self._address("castles", where, "city")
        return -1, self._address("castles", text, "city")


# ------------------------------------------------------------------------------ setting up


def _set_up(state: State, plan: _Plan) -> None:
    board, table = state.board, state.table
    raw = plan.raw
    stocked = any(supply.bridges for supply in raw.supply.values())
    board.may_bridge = board.may_bridge or stocked
    for laid in plan.tiles:
        board.lay(laid.tile, laid.cell, laid.rotation)
    for place in plan.bridges:
        board.build_bridge(place)
    for key, animals in (("pigs", plan.pigs), ("barns", plan.barns)):
        for seat, address in animals:
            board.features.add_animal(_node(state, address), seat, barn=key == "barns")
    for seat, address in plan.castles:
        _set_castle(state, seat, address)
    for seat, address in plan.meeples:
        _set_meeple(state, seat, address)
    table.scores = tuple(raw.scores.get(name, 0) for name in state.players)
    table.active = plan.active
    _set_supply(state, raw)


def _node(state: State, address: Address) -> Address:
    node = state.board.find(address)
    if node is None:
        raise AssertionError(f"{address} was checked")
    return node


def _set_castle(state: State, seat: int, address: Address) -> None:
    features = state.board.features
    feature = features.of(_node(state, address))
    pieces = features.pieces
    if not castles.is_small_city(feature):
        raise PositionError(
            f"given.castles: the city {address} is no closed city of two segments on two tiles "
            "(R-CASTLE-2)"
        )
    if not all(pieces[node].castle_base for node in feature.members):
        raise PositionError(
            f"given.castles: a half of the city {address} is no plain half-round cap (R-CASTLE-3)"
        )
    if state.castle_at(feature.members[0]):
        raise PositionError(f"given.castles: two castles stand on {address}")
    name = features.name(feature)
    area = castles.vicinity(frozenset(feature.cells))
    castle = Castle(name, seat, tuple(feature.members), area, 0)
    state.table.castles = (*state.table.castles, castle)
    for node in feature.members:
        features.rename(node, "castle")
    if seat >= 0:
        features.put(name, seat)


def _set_meeple(state: State, seat: int, address: Address) -> None:
    node = _node(state, address)
    feature = state.board.features.of(node)
    if state.castle_at(node):
        raise PositionError(
            f"given.meeples: a castle stands on {address}; its meeple is given by its owner in "
            "`castles`"
        )
    if feature.barns:
        raise PositionError(
            f"given.meeples: {address} lies on the field of a barn, which stands there alone "
            "(R-CASTLE-33)"
        )
    state.board.features.put(node, seat)


def _set_supply(state: State, raw: _Given) -> None:
    table = state.table
    standing = Counter(
        seat for feature in state.board.features.all() for seat, _ in feature.followers
    )
    owned = Counter(castle.owner for castle in table.castles)
    meeples, markers, bridges = [], [], []
    for seat, name in enumerate(state.players):
        supply = raw.supply.get(name, _Supply())
        left = MEEPLES - standing[seat] if supply.meeples is None else supply.meeples
        if left < 0:
            raise PositionError(
                f"given.meeples: {name} has {standing[seat]} meeples on the board, more than "
                f"{MEEPLES}; give `supply` if that is meant"
            )
        meeples.append(left)
        full = table.castle_markers[seat]
        markers.append(max(0, full - owned[seat]) if supply.castles is None else supply.castles)
        bridges.append(table.bridges[seat] if supply.bridges is None else supply.bridges)
    table.meeples = tuple(meeples)
    table.castle_markers = tuple(markers)
    table.bridges = tuple(bridges)
