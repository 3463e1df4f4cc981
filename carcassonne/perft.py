"""How many sequences of listed moves a game allows, as chess programs count them.

The stack order is fixed by the seed, so the counts are exact and the same on both engines: a
fingerprint of all rules about what may be done.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from carcassonne.core.game import CoreGame
from carcassonne.model.game import Game

if TYPE_CHECKING:
    from collections.abc import Sequence

    from carcassonne.rules import Rules
    from carcassonne.tiles import TileBox

__all__ = ["perft", "perft_core", "perft_model"]


def perft(
    players: Sequence[str],
    depth: int,
    *,
    rules: Rules,
    box: TileBox,
    seed: int = 0,
    stack: Sequence[str] | None = None,
    engine: str = "core",
) -> int:
    """The number of sequences of `depth` listed moves from the start.

    Sequences that end sooner are not counted.

    Raises
    ------
    CarcassonneError
        The players, tiles or rules won't do.
    """
    if engine == "model":
        return perft_model(
            Game.of_box(players, rules=rules, box=box, seed=seed, stack=stack), depth
        )
    return perft_core(CoreGame.of_box(players, rules=rules, box=box, seed=seed, stack=stack), depth)


def perft_core(game: CoreGame, depth: int) -> int:
    """The count from a game on the core."""
    count: int = game.engine.perft(depth)
    return count


def perft_model(game: Game, depth: int) -> int:
    """The count from a game on the model; the game is left as it was."""
    if depth == 0:
        return 1
    moves = list(game.legal_moves())
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        game.play(move)
        total += perft_model(game, depth - 1)
        game.undo()
    return total
