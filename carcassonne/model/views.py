"""The model's state as its callers see it, in the values of `carcassonne.views`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, overload

from msgspec import structs

from carcassonne.errors import InvalidMove
from carcassonne.geometry import reading_order
from carcassonne.model import scoring, values
from carcassonne.moves import Move
from carcassonne.views import CastleView, Decision, FeatureView, TokenView

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from carcassonne.model.features import Feature
    from carcassonne.model.state import Castle, State

__all__ = [
    "LegalMoves",
    "fingerprint",
    "view_castle",
    "view_decision",
    "view_feature",
    "view_supply",
    "view_tokens",
]


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
        points=values.worth_of(state, feature).points,
        pennants=sum(board.features.pieces[node].pennants for node in feature.members),
        meeples=meeples,
        cells=tuple(cells),
        segments=tuple(feature.members),
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


def view_supply(state: State) -> dict[str, dict[str, int]]:
    """Pieces left in each player's supply: meeples, bridges, castles."""
    table = state.table
    return {
        name: {
            "meeples": table.meeples[seat],
            "bridges": table.bridges[seat],
            "castles": table.castle_markers[seat],
        }
        for seat, name in enumerate(state.players)
    }


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


def view_decision(state: State) -> Decision | None:
    """The open decision as callers see it; None when the game is over."""
    table = state.table
    if table.phase == "over":
        return None
    tile = table.tile
    castle = None
    if table.phase in ("bid", "deal"):
        tile = table.offer[table.lot]
    elif table.phase == "collect":
        castle = table.castles[table.unpaid[0]].at
    return Decision(
        kind=table.phase,
        player=state.players[table.decider],
        tile=tile.id if tile else None,
        castle=castle,
        high_bid=table.high_bid if table.phase in ("bid", "deal") else None,
    )


def fingerprint(state: State) -> tuple[object, ...]:
    """A comparable value of the whole state; equal states have equal fingerprints."""
    board = state.board
    features, graph = board.features, board.features.graph
    parts = sorted(
        (
            str(features.name(f)), f.open, sorted(map(str, f.members)),
            sorted((seat, str(node)) for seat, node in f.followers),
            sorted((seat, str(node)) for seat, node in f.pigs + f.barns),
        )
        for f in features.all()
    )  # fmt: skip
    nodes = sorted(
        (str(node), data["kind"], data["bridge"], sorted(data["meeples"].items()))
        for node, data in graph.nodes(data=True)
    )
    edges = sorted(tuple(sorted((str(a), str(b)))) for a, b in graph.edges)
    tiles = sorted(
        (cell, p.tile.id, p.rotation, tuple(p.edges), tuple(p.bridges))
        for cell, p in board.tiles.items()
    )
    return (
        structs.astuple(state.table), tuple(state.events), tuple(tile.id for tile in state.stack),
        repr(parts), repr(nodes), repr(edges), tuple(tiles), board.signatures(),
    )  # fmt: skip
