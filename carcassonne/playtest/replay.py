"""Moves played once more under the invariants, and the first thing that does not hold.

To `replay` moves are hints: what has become impossible is left out, what is missing is answered in
the simplest way. So the moves of a long game can be tried on a shorter one. `check_moves` plays
just the moves that it is given.
"""

from __future__ import annotations

import traceback
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from carcassonne.moves import Decline, Pass, Place
from carcassonne.playtest.broken import CRASH, Broken
from carcassonne.playtest.watch import CHECKS, Watch

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from carcassonne.model.game import Game
    from carcassonne.moves import Move
    from carcassonne.playtest.setups import Setup

__all__ = ["Fault", "Trial", "caught", "check_moves", "replay"]

_PACKAGE: Final = Path(__file__).parents[1]


class Fault(NamedTuple):
    """Something that did not hold.

    Attributes
    ----------
    invariant : str
        Its name in `INVARIANTS`.
    where : str
        Of a crash: the error's type and the function that raised it. Else empty.
    check : str
        The check that found it.
    trace : str
        Of a crash: the traceback.
    """

    invariant: str
    message: str
    rule: str = ""
    where: str = ""
    check: str = ""
    trace: str = ""

    def is_like(self, other: Fault | None) -> bool:
        """Whether both are the same fault as far as anybody can tell."""
        mine = (self.invariant, self.rule, self.where)
        return other is not None and mine == (other.invariant, other.rule, other.where)


def caught(error: Exception, doing: str) -> Fault:
    """Make a fault of what was raised while a check was being made."""
    if isinstance(error, Broken):
        return Fault(error.invariant, error.message, error.rule, check=doing)
    frames = traceback.extract_tb(error.__traceback__)
    mine = [f for f in frames if Path(f.filename).is_relative_to(_PACKAGE)]
    frame = (mine or list(frames))[-1]
    file = Path(frame.filename)
    name = file.relative_to(_PACKAGE.parent).as_posix() if mine else file.name
    where = f"{type(error).__name__} in {name}, {frame.name}"
    trace = "".join(traceback.format_exception(error))
    message = f"{where}: {error}"
    if mine and file.is_relative_to(Path(__file__).parent):
        message = f"what happened cannot be followed: {message}"
        return Fault("events-follow", message, where=where, check=doing, trace=trace)
    return Fault(CRASH, message, where=where, check=doing, trace=trace)


class Trial(NamedTuple):
    """What came of playing moves.

    Attributes
    ----------
    moves : list of Move
        Those really played; at a fault the last one led to it.
    drawn : list of int
        How many tiles of the stack had been drawn before each of them.
    entered : bool
        Whether the last move was accepted: the fault is in what it left, not in playing it.
    """

    fault: Fault | None
    moves: list[Move]
    drawn: list[int]
    entered: bool = True


def replay(setup: Setup, hints: Sequence[Move], *, only: Collection[str] = tuple(CHECKS)) -> Trial:
    """Play a game by hints from its start, every check after each move, up to the first fault.

    Parameters
    ----------
    only
        The checks to make.
    """
    return _replay(setup, hints, only, _next_move)


def _replay(
    setup: Setup,
    hints: Sequence[Move],
    only: Collection[str],
    next_move: Callable[[Game, deque[Move]], Move | None],
    sound: int = -1,
) -> Trial:
    """Play and check; the first `sound` moves were checked before."""
    moves: list[Move] = []
    drawn: list[int] = []
    watch = Watch(setup, only=only)
    left = deque(hints)
    try:
        watch.quiet = sound >= 0
        game = watch.begin()
        while left and not game.is_over:
            move = next_move(game, left)
            if move is None:
                break
            moves.append(move)
            drawn.append(len(game.stack) - game.stack_left)
            watch.quiet = len(moves) <= sound
            watch.play(move)
        if game.is_over:
            watch.finish()
    except Exception as error:  # noqa: BLE001 - whatever is raised is what is looked for
        entered = watch.doing != "play" or not moves
        return Trial(caught(error, watch.doing), moves, drawn, entered)
    return Trial(None, moves, drawn)


def check_moves(setup: Setup, moves: Sequence[Move]) -> Trial:
    """Check a game after each of its moves, and each move that could be made next.

    A move that is not legal ends it: none is left out, and none is put in.
    """
    trial = _replay(setup, moves, tuple(CHECKS), _given_move)
    if trial.fault is not None or len(trial.moves) < len(moves):
        return trial
    try:
        game = setup.begin()
        for move in moves:
            game.play(move)
        following = list(game.legal_moves())
    except Exception as error:  # noqa: BLE001 - whatever is raised is what is looked for
        return Trial(caught(error, "play"), trial.moves, trial.drawn)
    for move in following:
        ahead = _replay(setup, [*moves, move], tuple(CHECKS), _given_move, len(moves))
        if ahead.fault is not None:
            return ahead
    return trial


def _given_move(game: Game, moves: deque[Move]) -> Move | None:
    """The next move as it was given; None: it is not legal."""
    move = moves.popleft()
    return move if _is_legal(game, move) else None


def _next_move(game: Game, hints: deque[Move]) -> Move | None:
    """The next move by the hints; None: they lead nowhere any more."""
    decision = game.decision
    if decision is None:
        return None
    if decision.kind != "place":
        return _answer(game, hints, decision.kind)
    while hints:
        hint = hints.popleft()
        if _is_legal(game, hint):
            return hint
        if isinstance(hint, Place) and hint.tile == game.drawn:
            return next(iter(game.legal_moves()), None)
    return None


def _answer(game: Game, hints: deque[Move], kind: str) -> Move | None:
    """A follow-up of a placement, or a move of an auction."""
    if hints and not isinstance(hints[0], Place | Decline):
        if _is_legal(game, hints[0]):
            return hints.popleft()
        if hints[0].kind == kind:
            hints.popleft()
    listed = list(game.legal_moves())
    if Pass() in listed:
        return Pass()
    return listed[0] if listed else None


def _is_legal(game: Game, move: Move) -> bool:
    return move in list(game.legal_moves()) or not game.why_not(move)
