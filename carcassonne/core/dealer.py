"""Many games of one kind, over one stack order after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from carcassonne.core import layout
from carcassonne.core.game import CoreGame, Origin

if TYPE_CHECKING:
    from collections.abc import Sequence

    from carcassonne.core.engine import Engine
    from carcassonne.core.notes import Note
    from carcassonne.rules import Rules
    from carcassonne.tiles import TileBox

__all__ = ["Dealer"]


class Dealer:
    """Sets up games that differ in nothing but their stack.

    Parameters
    ----------
    names
        The players by seat; games may give others.

    Raises
    ------
    CapacityError
        The core has no room for such games.
    """

    def __init__(self, names: Sequence[str], rules: Rules, box: TileBox) -> None:
        self.names = tuple(names)
        self.box = box
        self.tables, self._blank = CoreGame.unbegun(len(self.names), rules, box, box.stack())
        self._numbers = {name: i for i, name in enumerate(box.types)}
        self._stacked = self._blank
        self._begun = self._blank

    def set_stack(self, stack: Sequence[str]) -> None:
        """From now on games have this stack, in draw order and without the start tile."""
        engine = self._blank.copy()
        first = engine.shared.places["stack"]
        numbers = self._numbers
        for k, name in enumerate(stack):
            engine.set_number(first + k, numbers[name])
        self._begin_with(engine)

    def shuffle(self, seed: int) -> None:
        """From now on games have the stack that the core's own shuffle makes of a seed."""
        engine = self._blank.copy()
        engine.shuffle(seed)
        self._begin_with(engine)

    def _begin_with(self, engine: Engine) -> None:
        self._stacked = engine
        self._begun = engine.copy()
        self._begun.begin()

    @property
    def stack(self) -> tuple[str, ...]:
        """The ids of the stack in draw order."""
        number, ids = self._stacked.number, tuple(self._numbers)
        first = self._stacked.shared.places["stack"]
        return tuple([ids[number(first + k)] for k in range(number(layout.STACK_SIZE))])

    def new_game(self, names: tuple[str, ...] | None = None) -> CoreGame:
        """A game with its first tile drawn."""
        return CoreGame(names or self.names, self.tables, self._begun.copy(), origin=Origin())

    def noted_game(self) -> tuple[CoreGame, list[Note]]:
        """A game that notes what happens (`carcassonne.core.notes`), its first draw included."""
        engine = self._stacked.copy()
        happened = engine.start_notes()
        engine.begin()
        return CoreGame(self.names, self.tables, engine, origin=Origin()), happened
