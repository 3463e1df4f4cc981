"""Sits bots down at a game and plays it out; a bot's fault never stops the program.

A bot that raises, changes the game, answers no legal move or takes too long has made a fault. By
default that forfeits the game, with a verdict that says so; a game can also go on with a default
move. Only Ctrl-C passes through.
"""

from __future__ import annotations

import contextlib
import random
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from carcassonne.bots.base import BotError, BotFault, Verdict
from carcassonne.bots.followers import Followers
from carcassonne.bots.table import is_built_in, table_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import TypeAlias

    from carcassonne.bots.base import AnyGame, Bot
    from carcassonne.bots.clock import Clock
    from carcassonne.events import Event
    from carcassonne.moves import Move

    OnMove: TypeAlias = Callable[[AnyGame, str, Move, tuple[Event, ...]], object]
    Bots: TypeAlias = Mapping[str, Bot] | Sequence[Bot]

__all__ = ["Fault", "Outcome", "play_out"]


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
        `normal`: the game was played to its end. Else what `culprit` did that forfeited it (see
        `Verdict`); `message` says how.
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


def play_out(
    game: AnyGame,
    bots: Bots,
    *,
    on_error: Literal["forfeit", "default-move"] = "forfeit",
    on_move: OnMove | None = None,
    trusted: bool | None = None,
    seed: int = 0,
    clocks: Mapping[str, Clock] | None = None,
) -> Outcome:
    """Play a game to its end, or to the first fault.

    Parameters
    ----------
    game
        Where to start, on either engine; any open decision will do. It is played on in place.
    bots
        The bot of each player by name, or in seating order. A `Listener` needs the model.
    on_error
        `forfeit`: a fault ends the game at once and everybody else has won. `default-move`: the
        first legal move is played instead, and the fault is counted.
    on_move
        Called after each move with the game, the player, the move and what happened (nothing on
        the core, which has no events).
    trusted
        Whether bots are given the game itself. Else they are given a copy with the unseen tiles
        shuffled, which costs about a millisecond a decision on the model: what a bot does to it
        changes nothing, and looking at its stack tells nothing. None: only the built-in bots are
        trusted. A trusted bot that leaves the game with other moves has made a fault; its
        changes are taken back (on the core, one that isn't built in is given a copy at once).
    seed
        Decides how those copies are shuffled.
    clocks
        The clock of each player who has one. A bot of this process that takes too long is not
        interrupted: its fault shows when it answers.

    Raises
    ------
    BotError
        The bots do not match the players, or one of them needs the model.
    """
    seated = _seat(game.players, bots)
    if on_error not in ("forfeit", "default-move"):
        raise BotError(f"on_error {on_error!r} is unknown: it is forfeit or default-move")
    table = table_of(game)
    clocks = clocks or {}
    followers = Followers(seated)
    followers.begin(game, clocks)
    rng = random.Random(seed)
    faults: list[Fault] = []
    try:
        while (player := table.decider()) is not None:
            bot = seated[player]
            trust = is_built_in(bot) if trusted is None else trusted
            try:
                followers.require_sound(player)
                with _timed(clocks.get(player)):
                    answer = table.ask(bot, None if trust else rng)
                move, events = table.play(answer)
            except BotFault as fault:
                faults.append(Fault(player, fault.verdict, str(fault), table.count))
                if on_error == "forfeit":
                    return _forfeit(game, faults, table.count)
                move, events = table.play_first()
            followers.tell(player, move, events)
            if on_move is not None:
                on_move(game, player, move, events)
    finally:
        followers.finish(game.scores)
    return Outcome("normal", tuple(game.winners), game.scores, table.count, faults=tuple(faults))


@contextlib.contextmanager
def _timed(clock: Clock | None) -> Iterator[None]:
    """A decision on a clock; what takes too long is a fault, whatever came of it."""
    if clock is None:
        yield
        return
    clock.start()
    try:
        yield
    finally:
        late = clock.stop()
    if late is not None:
        raise BotFault("timeout", late)


def _seat(players: tuple[str, ...], bots: Bots) -> dict[str, Bot]:
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


def _forfeit(game: AnyGame, faults: list[Fault], moves: int) -> Outcome:
    """The verdict when a fault ends the game: everybody else has won."""
    fault = faults[-1]
    return Outcome(
        fault.verdict,
        tuple(name for name in game.players if name != fault.player),
        game.scores,
        moves,
        culprit=fault.player,
        message=fault.message,
        faults=tuple(faults),
    )
