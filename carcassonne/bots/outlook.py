"""What features will probably be worth: estimates for the stage that a game has reached.

Nothing here decides a rule. What a feature pays now the game says itself (`Game.feature`); these
are guesses of what it will pay once tiles have been added that are not there yet, in points.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from carcassonne.geometry import Cell
    from carcassonne.moves import Address
    from carcassonne.rules import Rules

__all__ = ["Known", "Outlook"]

_FAR: Final[dict[str, float]] = {"road": 9.0, "city": 13.0}
"""With so many tiles left, an open end of the kind is closed in half of all games."""

_KEEP: Final = (9.0, 5.0, 3.4, 2.5, 1.9, 1.4, 1.0, 0.8)
"""What it costs to part with a meeple for long, by the number in the supply: the last is dear."""


class Known:
    """A feature as a bot remembers it while it thinks about one decision.

    Attributes
    ----------
    open : int
        Open ends; of a cloister the empty cells around it.
    points : int
        What it would pay now.
    counts : mapping
        Meeples by seat.
    doubled : bool
        Whether it has an inn or a cathedral that counts.
    cap : bool
        Whether it is a city on one tile that can become half a castle (R-CASTLE-3).
    worth : float
        Points that its majority will probably get for it.
    """

    __slots__ = (
        "cap", "cells", "counts", "doubled", "kind", "open", "pennants", "points", "segments",
        "worth",
    )  # fmt: skip

    def __init__(self, kind: str, cells: tuple[Cell, ...], open_ends: int) -> None:
        self.kind = kind
        self.cells = cells
        self.open = open_ends
        self.points = 0
        self.pennants = 0
        self.counts: Mapping[int, int] = {}
        self.segments: tuple[Address, ...] = ()
        self.doubled = False
        self.cap = False
        self.worth = 0.0


class Outlook:
    """Estimates while so many tiles are left.

    Parameters
    ----------
    rules
        The options of the game.
    left
        Tiles left in the stack.
    players
        How many players share them.
    """

    def __init__(self, rules: Rules, left: int, players: int) -> None:
        self.rules = rules
        self.left = left
        self.turns = left / players
        self._hopes = {kind: left / (left + far) for kind, far in _FAR.items()}
        self._cell_filled = left / (left + 22.0)
        self._values: dict[tuple[str, int, int, int, bool], float] = {}

    # -------------------------------------------------------------------------- features

    def complete(self, kind: str, tiles: int, pennants: int, *, doubled: bool = False) -> float:
        """What a road or city will pay when complete."""
        if kind == "road":
            return tiles * (2 if doubled else 1)
        if tiles == 2 and not doubled:
            tiny = self.rules.tiny_city_points
            each = 2 if tiny == 4 else self.rules.tiny_city_pennant_points
            return tiny + each * pennants
        return (tiles + pennants) * (3 if doubled else 2)

    def hope(self, kind: str, open_ends: int) -> float:
        """How probable it is that a feature with so many open ends will be complete."""
        if kind == "cloister":
            return self._cell_filled**open_ends
        hope = self._hopes.get(kind, 0.0)
        return hope**open_ends

    def feature(
        self, kind: str, tiles: int, pennants: int, open_ends: int, *, doubled: bool = False
    ) -> float:
        """What a road or city will probably pay."""
        key = (kind, tiles, pennants, open_ends, doubled)
        value = self._values.get(key)
        if value is None:
            value = self._values[key] = self._feature(*key)
        return value

    def _feature(
        self,
        kind: str,
        tiles: int,
        pennants: int,
        open_ends: int,
        doubled: bool,
    ) -> float:
        full = self.complete(kind, tiles, pennants, doubled=doubled)
        if open_ends <= 0:
            return full
        if kind == "city" and not doubled:
            full = 2.0 * (tiles + pennants)
        at_end = 0.0 if doubled else tiles + (pennants if kind == "city" else 0)
        return at_end + self.hope(kind, open_ends) * (full - at_end)

    def cloister(self, around: int) -> float:
        """What a cloister with so many tiles around it will probably pay."""
        return 1 + around + (8 - around) * self._cell_filled

    def castle(self) -> float:
        """What a castle of which nothing is known will probably get."""
        return 7.0 * self.left / (self.left + 16.0)

    def field_growth(self) -> float:
        """How many points the cities still to be completed will bring to a field."""
        return 2.0 * self.left / (self.left + 30.0)

    # -------------------------------------------------------------------------- pieces

    def meeple_cost(self, in_supply: int) -> float:
        """What it costs to part with a meeple to the end of the game.

        A reserve is worth having while turns are left to use it in; on the last turn a meeple
        costs nothing.
        """
        keep = _KEEP[min(in_supply, len(_KEEP) - 1)]
        return keep * min(1.0, self.turns / 7.0)

    def bridge_cost(self, in_supply: int) -> float:
        """What a bridge is worth for later."""
        return (2.0 if in_supply == 1 else 1.4) * min(1.0, self.turns / 8.0)

    def lock(self, kind: str, open_ends: int) -> float:
        """The share of the rest of the game for which a meeple on a feature is gone: 0 to 1."""
        if kind == "field":
            return 1.2
        return 0.0 if open_ends <= 0 else 1.0 - 0.6 * self.hope(kind, open_ends)
