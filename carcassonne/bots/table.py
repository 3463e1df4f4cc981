"""A game of either engine as those who run it use it: ask the bot, play its answer.

What a bot does to the game that it is handed never reaches the real one.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

from carcassonne.bots.base import BotFault, CoreBot
from carcassonne.core.game import CoreGame
from carcassonne.errors import IllegalMove, InvalidMove
from carcassonne.moves import Move
from carcassonne.user_code import what_failed

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from carcassonne.bots.base import AnyGame, Bot
    from carcassonne.events import Event
    from carcassonne.model.game import Game

    Played = tuple[Move, tuple[Event, ...]]

__all__ = ["Table", "is_built_in", "is_quick", "table_of"]

_OWN = f"{__package__}."


def is_built_in(bot: Bot) -> bool:
    """Whether a bot is one of this program's own, which keep the rules for bots."""
    return type(bot).__module__.startswith(_OWN)


def is_quick(bot: Bot) -> bool:
    """Whether a bot can be asked for numbers of the core without precautions."""
    return _is_quick(type(bot))


@lru_cache(maxsize=256)
def _is_quick(kind: type) -> bool:
    methods = ("choose_number", "begin")
    answers, listens = (callable(getattr(kind, name, None)) for name in methods)
    return kind.__module__.startswith(_OWN) and answers and not listens


class Table(Protocol):
    """A game with bots around it."""

    @property
    def count(self) -> int:
        """Moves made so far, those before the bots sat down included."""

    def decider(self) -> str | None:
        """Who has to decide; None when the game is over."""

    def ask(self, bot: Bot, rng: random.Random | None) -> object:
        """A bot's answer; with a generator the bot is given a shuffled copy.

        Raises
        ------
        BotFault
            The bot raised, or changed the game that it was trusted with.
        """

    def play(self, answer: object) -> Played:
        """Play an answer, whatever it is.

        Raises
        ------
        BotFault
            It is no legal move.
        """

    def play_first(self) -> Played:
        """Play the first legal move."""


def table_of(game: AnyGame) -> Table:
    """The table of a game."""
    return _CoreTable(game) if isinstance(game, CoreGame) else _ModelTable(game)


class _ModelTable:
    def __init__(self, game: Game) -> None:
        self._game = game

    @property
    def count(self) -> int:
        return len(self._game.moves)

    def decider(self) -> str | None:
        decision = self._game.decision
        return None if decision is None else decision.player

    def ask(self, bot: Bot, rng: random.Random | None) -> object:
        game = self._game
        if rng is not None:
            return _call(bot.choose, game.shuffled(rng))
        before = game.moves
        events = len(game.events)
        try:
            answer = _call(bot.choose, game)
        finally:
            after = game.moves
            changed = len(game.events) != events or after != before
            if changed:
                _restore(game, before)
        if changed:
            raise BotFault("illegal move", "the bot changed the game it was asked about")
        return answer

    def play(self, answer: object) -> Played:
        text = _text_of(answer)
        try:
            events = self._game.play(text)
        except (IllegalMove, InvalidMove) as error:
            raise BotFault("illegal move", str(error)) from error
        return self._game.moves[-1], events

    def play_first(self) -> Played:
        events = self._game.play(self._game.legal_moves()[0])
        return self._game.moves[-1], events


class _CoreTable:
    def __init__(self, game: CoreGame) -> None:
        self._game = game
        self.count = game.move_count

    def decider(self) -> str | None:
        return self._game.decider

    def ask(self, bot: Bot, rng: random.Random | None) -> object:
        if rng is not None:
            return _call(bot.choose, self._game.shuffled(rng))
        game = self._game if is_built_in(bot) else self._game.copy()
        if isinstance(bot, CoreBot):
            return game.decode(_call(bot.choose_number, game))
        return _call(bot.choose, game)

    def play(self, answer: object) -> Played:
        text = _text_of(answer)
        try:
            number = self._game.encode(text)
        except (IllegalMove, InvalidMove) as error:
            raise BotFault("illegal move", str(error)) from error
        return self._play(number)

    def play_first(self) -> Played:
        return self._play(self._game.move_numbers()[0])

    def _play(self, number: int) -> Played:
        move = self._game.decode(number)
        self._game.play_number(number)
        self.count += 1
        return move, ()


def _call(choose: Callable[[Any], Any], game: AnyGame) -> Any:
    try:
        return choose(game)
    except BotFault:
        raise
    except (Exception, SystemExit) as error:
        text = what_failed(error)
        raise BotFault("crash", text) from error


def _text_of(answer: object) -> str:
    """An answer as text: that makes sure that a move is well formed, not only of the right type."""
    if not isinstance(answer, Move | str):
        raise BotFault("illegal move", f"the bot answered a {type(answer).__name__}, no move")
    try:
        return str(answer)
    except Exception as error:
        raise BotFault("illegal move", f"a {type(answer).__name__} with bad parts") from error


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
