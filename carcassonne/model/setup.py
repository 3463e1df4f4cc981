"""An empty table with full supplies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from carcassonne.model.board import Board
from carcassonne.model.state import State, Table
from carcassonne.seats import MEEPLES

if TYPE_CHECKING:
    from carcassonne.rules import Rules
    from carcassonne.tiles import TileBox, TileType

__all__ = ["empty_state"]


def empty_state(
    rules: Rules, players: tuple[str, ...], box: TileBox, stack: tuple[TileType, ...]
) -> State:
    """A state with an empty board and full supplies (R-BASE-3, R-BRIDGE-1, R-CASTLE-1)."""
    count = len(players)
    bridges, castles = rules.supply(count, expansion_8=box.has_expansion_8)
    journal: list[Any] = []
    return State(
        rules=rules,
        players=players,
        box=box,
        stack=stack,
        board=Board(
            players,
            journal,
            bridges_per_tile=rules.bridge_max_per_tile,
            may_bridge=bridges > 0,
        ),
        table=Table(
            scores=(0,) * count,
            meeples=(MEEPLES,) * count,
            bridges=(bridges,) * count,
            castle_markers=(castles,) * count,
        ),
        journal=journal,
    )
