"""The errors that users meet: each is a `ValueError` with one clear sentence.

Whoever calls the library catches `CarcassonneError`; the command line turns it into one line
and exit code 2.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = [
    "CarcassonneError",
    "IllegalMove",
    "InvalidMove",
    "PositionError",
    "RecordError",
    "RulesError",
    "ScenarioError",
    "TileError",
    "Violation",
]


class CarcassonneError(ValueError):
    """Base of every error that this package raises for bad input.

    The message is always one printable line, whatever the input held that it quotes.
    """

    def __init__(self, message: str) -> None:
        super().__init__(
            "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in message)
        )


class TileError(CarcassonneError):
    """A tile set that can't be used; the message names file, tile and field."""


class RulesError(CarcassonneError):
    """An unknown option or a value that an option can't take."""


class PositionError(CarcassonneError):
    """A position that can't lie on a table; the message names the key of `given`."""


class RecordError(CarcassonneError):
    """A saved game that is damaged, tampered with or too new; the message names line or move."""


class ScenarioError(CarcassonneError):
    """A scenario file that can't be read; the message names file and key."""


class InvalidMove(CarcassonneError):
    """Text that is no move at all."""


class Violation(NamedTuple):
    """One rule that a move breaks, with a sentence that names the cells and pieces concerned."""

    rule: str
    message: str

    def __str__(self) -> str:
        return f"{self.message} ({self.rule})"


class IllegalMove(CarcassonneError):
    """A move that the rules forbid now.

    Attributes
    ----------
    move : str
        The refused move as text.
    violations : tuple of Violation
        Every rule that it breaks; never empty.
    """

    def __init__(self, move: str, violations: tuple[Violation, ...]) -> None:
        self.move = move
        self.violations = violations
        super().__init__(f"illegal move '{move}': " + "; ".join(str(v) for v in violations))

    @property
    def rules(self) -> tuple[str, ...]:
        """The ids of the broken rules."""
        return tuple(v.rule for v in self.violations)
