"""Starting a game: names, sets and supplies are checked, and an empty table is made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from carcassonne.errors import PositionError, RulesError
from carcassonne.model.board import Board
from carcassonne.model.state import State, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from carcassonne.rules import Rules
    from carcassonne.tiles import TileBox, TileType

__all__ = ["MEEPLES", "check_players", "empty_state", "require_rules"]

MEEPLES = 7
"""Usable meeples of each player (R-BASE-3)."""

_MOST_PLAYERS = 6


def check_players(players: Sequence[str]) -> tuple[str, ...]:
    """Validate player names: one to six, different, without spaces (R-BASE-3).

    Raises
    ------
    PositionError
        Saying which name is wrong.
    """
    if isinstance(players, str) or not 1 <= len(players) <= _MOST_PLAYERS:
        raise PositionError(f"players must be a list of 1 to {_MOST_PLAYERS} names")
    for name in players:
        if not isinstance(name, str) or not name or not name.isprintable() or " " in name:
            raise PositionError(f"player name {name!r} must be text without spaces")
        if len(name) > 40:
            raise PositionError(f"player name {name[:40]!r}... is longer than 40 letters")
        if list(players).count(name) > 1:
            raise PositionError(f"player name {name!r} is given twice")
    return tuple(players)


def require_rules(box: TileBox) -> None:
    """Refuse to shuffle sets whose special rules this program lacks.

    Raises
    ------
    RulesError
        Naming the sets and the rules that are missing.
    """
    lacking = [f"{name} (it lacks: {', '.join(needs)})" for name, needs in box.needs.items()]
    if lacking:
        raise RulesError(
            "these tile sets have special rules that are not there yet, so no game can be "
            f"played with them: {'; '.join(lacking)}. Their tiles can be laid in positions."
        )


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
