"""Sits bots down at a game and plays it out; a bot's fault never stops the program.

A bot that raises, changes the game or answers no legal move has made a fault. By default that
forfeits the game, with a verdict that says so; a game can also go on with a default move. Only
Ctrl-C passes through.
"""

from __future__ import annotations

import random
import traceback
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from carcassonne.bots.base import BotError
from carcassonne.bots.greedy import GreedyBot
from carcassonne.bots.random_bot import RandomBot
from carcassonne.errors import IllegalMove, InvalidMove
from carcassonne.moves import Move

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from carcassonne.bots.base import Bot
    from carcassonne.events import Event
    from carcassonne.model.game import Game

    OnMove = Callable[[Game, str, Move, tuple[Event, ...]], object]

__all__ = ["Fault", "Outcome", "Verdict", "play_out"]

Verdict = Literal["normal", "crash", "illegal move"]

_BUILT_IN = (GreedyBot, RandomBot)


class Fault(NamedTuple):
    """What a bot did wrong, and before which move of the game (counted from 0)."""

    player: str
    verdict: Verdict
    message: str
    move: int

    def __str__(self) -> str:
        return f"{self.player}, move {self.move}: {self.verdict}: {self.message}"


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended.

    Attributes
    ----------
    verdict : str
        `normal`: the game was played to its end. `crash` or `illegal move`: `culprit` forfeited
        it, `message` says how.
    winners : tuple of str
        Everyone with the most points; of a forfeited game everyone but the culprit.
    scores : dict
        Points by player as they stood at the end, of a forfeited game without final scoring.
    moves : int
        Moves that the game has now, those before this was called included.
    faults : tuple of Fault
        Every fault, also those that a default move made good.
    """

    verdict: Verdict
    winners: tuple[str, ...]
    scores: dict[str, int]
    moves: int
    culprit: str | None = None
    message: str = ""
    faults: tuple[Fault, ...] = ()


class _FaultError(Exception):
    """A bot's fault on its way to the verdict."""

    def __init__(self, verdict: Verdict, message: str) -> None:
        self.verdict: Verdict = verdict
        super().__init__(message)


def play_out(
    game: Game,
    bots: Mapping[str, Bot] | Sequence[Bot],
    *,
    on_error: Literal["forfeit", "default-move"] = "forfeit",
    on_move: OnMove | None = None,
    trusted: bool | None = None,
    seed: int = 0,
) -> Outcome:
    """Play a game to its end, or to the first fault.

    Parameters
    ----------
    game
        Where to start; any open decision will do. It is played on in place.
    bots
        The bot of each player by name, or in seating order.
    on_error
        `forfeit`: a fault ends the game at once and everybody else has won. `default-move`: the
        first legal move is played instead, and the fault is counted.
    on_move
        Called after each move with the game, the player, the move and what happened.
    trusted
        Whether bots are given the game itself. Else they are given a copy with the unseen tiles
        shuffled, which costs about a millisecond a decision: what a bot does to it changes
        nothing, and looking at its stack tells nothing. None: only the built-in bots are
        trusted. A trusted bot that leaves the game with other moves has made a fault; its
        changes are taken back.
    seed
        Decides how those copies are shuffled.

    Raises
    ------
    BotError
        The bots do not match the players.
    """
    seated = _seat(game.players, bots)
    if on_error not in ("forfeit", "default-move"):
        raise BotError(f"on_error {on_error!r} is unknown: it is forfeit or default-move")
    rng = random.Random(seed)
    faults: list[Fault] = []
    while (decision := game.decision) is not None:
        player = decision.player
        bot = seated[player]
        trust = type(bot) in _BUILT_IN if trusted is None else trusted
        try:
            answer = _ask(bot, game, None if trust else rng)
            events = _play(game, answer)
        except _FaultError as fault:
            faults.append(Fault(player, fault.verdict, str(fault), len(game.moves)))
            if on_error == "forfeit":
                return _forfeit(game, faults)
            events = game.play(game.legal_moves()[0])
        if on_move is not None:
            on_move(game, player, game.moves[-1], events)
    return Outcome(
        "normal", tuple(game.winners), game.scores, len(game.moves), faults=tuple(faults)
    )


def _seat(players: tuple[str, ...], bots: Mapping[str, Bot] | Sequence[Bot]) -> dict[str, Bot]:
    """Who plays for whom."""
    if hasattr(bots, "keys"):
        seated = dict(bots)
        for name in players:
            if name not in seated:
                raise BotError(f"player {name} has no bot; there are bots for {', '.join(seated)}")
        for name in seated:
            if name not in players:
                raise BotError(f"there is a bot for {name}, but players are {', '.join(players)}")
        return seated
    if len(bots) != len(players):
        raise BotError(f"{len(players)} players need as many bots, not {len(bots)}")
    return dict(zip(players, bots, strict=True))


def _ask(bot: Bot, game: Game, rng: random.Random | None) -> object:
    """The bot's answer, from the game itself or (with a generator) from a shuffled copy."""
    if rng is not None:
        return _call(bot, game.shuffled(rng))
    before = game.moves
    events = len(game.events)
    try:
        answer = _call(bot, game)
    finally:
        after = game.moves
        changed = len(game.events) != events or after != before
        if changed:
            _restore(game, before)
    if changed:
        raise _FaultError("illegal move", "the bot changed the game it was asked about")
    return answer


def _call(bot: Bot, game: Game) -> object:
    try:
        return bot.choose(game)
    except (Exception, SystemExit) as error:
        text = traceback.format_exception_only(error)[-1].strip()
        raise _FaultError("crash", text) from error


def _restore(game: Game, moves: tuple[Move, ...]) -> None:
    """Bring a game back to the moves that it had."""
    if game.was_stopped:
        game.undo()
    now = game.moves
    same = 0
    while same < min(len(now), len(moves)) and now[same] == moves[same]:
        same += 1
    if len(now) > same:
        game.undo(len(now) - same)
    for move in moves[same:]:
        game.play(move)


def _play(game: Game, answer: object) -> tuple[Event, ...]:
    """Play a bot's answer, whatever it is.

    Going by its text makes sure that a move is well formed, not only of the right type.
    """
    if not isinstance(answer, Move | str):
        raise _FaultError("illegal move", f"the bot answered a {type(answer).__name__}, no move")
    try:
        text = str(answer)
    except Exception as error:
        raise _FaultError("illegal move", f"a {type(answer).__name__} with bad parts") from error
    try:
        return game.play(text)
    except (IllegalMove, InvalidMove) as error:
        raise _FaultError("illegal move", str(error)) from error


def _forfeit(game: Game, faults: list[Fault]) -> Outcome:
    """The verdict when a fault ends the game: everybody else has won."""
    fault = faults[-1]
    return Outcome(
        fault.verdict,
        tuple(name for name in game.players if name != fault.player),
        game.scores,
        len(game.moves),
        culprit=fault.player,
        message=fault.message,
        faults=tuple(faults),
    )
