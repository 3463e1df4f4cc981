"""What callers see of a game: plain frozen values, by name instead of seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

import msgspec

from carcassonne.errors import InvalidMove
from carcassonne.geometry import Cell, reading_order
from carcassonne.model import scoring
from carcassonne.moves import Address, Move

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from carcassonne.model.features import Feature
    from carcassonne.model.state import Castle, State

__all__ = [
    "CastleView",
    "Decision",
    "FeatureView",
    "LegalMoves",
    "TokenView",
    "view_castle",
    "view_feature",
    "view_tokens",
]


class Decision(msgspec.Struct, frozen=True):
    """The open decision.

    Attributes
    ----------
    kind : str
        place, bridge, meeple, castle, collect, choose, bid, deal or take.
    player : str
        Who decides.
    tile : str or None
        The id of the tile to be placed, or being bid for.
    castle : Address or None
        The castle that a `collect` decision pays.
    high_bid : int or None
        The bid to beat or to deal with.
    """

    kind: str
    player: str
    tile: str | None = None
    castle: Address | None = None
    high_bid: int | None = None


class FeatureView(msgspec.Struct, frozen=True):
    """A feature as it is now.

    `open` counts open sides (a field's open half-edges, a cloister's empty cells around it);
    `points` is what it would pay now: as completed if it is, else as at the end; for a field,
    what it pays its majority; a city under a castle is a castle: not complete, 0.
    """

    at: Address
    kind: str
    tiles: int
    open: int
    complete: bool
    points: int
    pennants: int
    meeples: dict[str, int]
    cells: tuple[Cell, ...]
    segments: tuple[Address, ...]


class CastleView(msgspec.Struct, frozen=True):
    """A castle as it is now; `owner` is empty for an emptied castle of a position."""

    at: Address
    owner: str
    occupied: bool
    vicinity: tuple[Cell, ...]
    cells: tuple[Cell, ...]


class TokenView(msgspec.Struct, frozen=True):
    """A piece on a segment: whose, its kind (meeple, pig or barn), and where.

    The meeple of a castle stands on one of the two city segments under it.
    """

    player: str
    kind: str
    at: Address


class LegalMoves(Sequence[Move]):
    """The legal moves of a decision: a sequence, in a fixed order.

    `in` asks whether a move (or its text) would be accepted, under any name, also beyond what
    the listing shows (bids have no end).
    """

    def __init__(self, moves: list[Move], is_legal: Callable[[Move | str], bool]) -> None:
        self._moves = moves
        self._is_legal = is_legal

    @overload
    def __getitem__(self, index: int) -> Move: ...
    @overload
    def __getitem__(self, index: slice) -> list[Move]: ...
    def __getitem__(self, index: int | slice) -> Move | list[Move]:
        return self._moves[index]

    def __len__(self) -> int:
        return len(self._moves)

    def __iter__(self) -> Iterator[Move]:
        return iter(self._moves)

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, Move | str):
            return False
        try:
            return self._is_legal(move)
        except InvalidMove:
            return False

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Sequence) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<LegalMoves: {', '.join(map(str, self._moves))}>"


def view_feature(state: State, feature: Feature) -> FeatureView:
    """The feature as callers see it."""
    board = state.board
    is_castle = state.castle_at(feature.members[0]) is not None
    cells = sorted(feature.cells, key=reading_order)
    meeples: dict[str, int] = {}
    for seat, _ in sorted(feature.followers, key=lambda token: token[0]):
        meeples[state.players[seat]] = meeples.get(state.players[seat], 0) + 1
    open_ends = feature.open
    if feature.kind == "cloister":
        open_ends = 8 - board.surrounded(cells[0])
    return FeatureView(
        at=board.features.name(feature),
        kind="castle" if is_castle else feature.kind,
        tiles=len(cells),
        open=open_ends,
        complete=not is_castle and scoring.is_complete(board, feature),
        points=0 if is_castle else _points(state, feature),
        pennants=sum(board.features.pieces[node].pennants for node in feature.members),
        meeples=meeples,
        cells=tuple(cells),
        segments=tuple(feature.members),
    )


def _points(state: State, feature: Feature) -> int:
    if feature.kind == "river":
        return 0
    if feature.kind != "field":
        return scoring.worth(state.board, feature, state.rules).points
    if not state.rules.farmers:
        return 0
    owners: list[Any] = list(scoring.farm_owners(feature)) or [None]
    nodes = state.castle_nodes
    return max(
        scoring.farm_worth(state.board, feature, state.rules, nodes, seat).points for seat in owners
    )


def view_castle(state: State, castle: Castle) -> CastleView:
    """The castle as callers see it."""
    return CastleView(
        at=castle.at,
        owner=state.players[castle.owner] if castle.owner >= 0 else "",
        occupied=state.is_occupied(castle),
        vicinity=tuple(sorted(castle.vicinity, key=reading_order)),
        cells=tuple(sorted(castle.cells, key=reading_order)),
    )


def view_tokens(state: State) -> list[TokenView]:
    """Every meeple, pig and barn on the board: by cell, segment, kind and seat."""
    found = [
        (reading_order(node.cell), node.segment, kind, seat, node)
        for feature in state.board.features.all()
        for kind, tokens in (
            ("meeple", feature.followers),
            ("pig", feature.pigs),
            ("barn", feature.barns),
        )
        for seat, node in tokens
    ]
    found.sort(key=lambda row: row[:4])
    return [TokenView(state.players[seat], kind, node) for *_, kind, seat, node in found]
