"""Who may sit down, and with which tiles: what both engines ask before a game starts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carcassonne.errors import PositionError, RulesError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from carcassonne.tiles import TileBox

__all__ = ["MEEPLES", "check_players", "check_seed", "leaders", "require_rules"]

MEEPLES: Final = 7
"""Usable meeples of each player (R-BASE-3)."""

_MOST_PLAYERS: Final = 6


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


def check_seed(seed: int) -> int:
    """Validate a seed.

    Raises
    ------
    PositionError
        It is no whole number.
    """
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise PositionError(f"seed must be a whole number, not {seed!r}")
    return seed


def leaders(scores: Mapping[str, int]) -> list[str]:
    """Everyone with the most points: they share the win (R-BASE-25)."""
    best = max(scores.values())
    return [name for name, points in scores.items() if points == best]
