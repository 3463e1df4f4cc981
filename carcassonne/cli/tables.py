"""Loading what a command is to look at: a saved game or a scenario, up to any of its moves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from carcassonne.errors import CarcassonneError

if TYPE_CHECKING:
    from carcassonne.model.game import Game

__all__ = ["load_table"]


def load_table(path: str | Path, at: int | None = None) -> Game:
    """The game of a record (*.json) or of a scenario (*.toml) after its last step.

    Parameters
    ----------
    at
        Take it back to after so many moves; passes that a scenario leaves out count.

    Raises
    ------
    CarcassonneError
        The file can't be read, or the game has fewer moves.
    """
    if Path(path).suffix.lower() == ".toml":
        from carcassonne.scenario import run_file  # noqa: PLC0415 - only one of the two is needed

        game = run_file(path).game
        if game is None:
            raise CarcassonneError(f"{path}: the scenario has no table")
    else:
        from carcassonne.record import load_game  # noqa: PLC0415

        game = load_game(path)
    if at is None:
        return game
    last = len(game.moves)
    if not 0 <= at <= last:
        raise CarcassonneError(f"{path}: can't go to move {at}: there are {last} moves")
    back = last - at + (game.was_stopped and at < last)
    if back:
        game.undo(back)
    return game
