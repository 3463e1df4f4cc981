"""Playing one game of a tournament: from a task to its result, its times and its record.

Everything random follows from the tournament's seed and the task, so that it doesn't matter where
and in which order games are played. Built-in bots that answer in numbers play on the core without
a detour; other bots sit at the core or, if they follow the events, at the model.
"""

from __future__ import annotations

import contextlib
import hashlib
import random
import time
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from carcassonne.arena.config import Tournament, box_of, make_entrant
from carcassonne.arena.notation import Scribe
from carcassonne.arena.results import GameResult
from carcassonne.arena.schedule import Task, game_number
from carcassonne.bots.base import Listener
from carcassonne.bots.clock import Clock, TimeControl
from carcassonne.bots.external import close_all
from carcassonne.bots.play import play_out
from carcassonne.bots.roster import Roster
from carcassonne.bots.table import is_quick
from carcassonne.core import layout
from carcassonne.core.dealer import Dealer
from carcassonne.core.tables import CapacityError
from carcassonne.farm.work import Work
from carcassonne.model.game import Game
from carcassonne.record import record_head, record_of
from carcassonne.user_code import what_failed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from carcassonne.bots import Bot
    from carcassonne.bots.base import AnyGame
    from carcassonne.core.game import CoreGame
    from carcassonne.events import Event
    from carcassonne.moves import Move

__all__ = ["Played", "Referee", "open_referee", "work_of"]

_NO_LIMIT = TimeControl()


class Played(msgspec.Struct, frozen=True, array_like=True):
    """A game that was played.

    Attributes
    ----------
    result : GameResult
        What counts.
    message : str
        How the culprit forfeited.
    seconds : tuple of float
        By seat: how long the bot's decisions took.
    took : float
        Seconds of the whole game.
    line : bytes
        Its line of the records' file; empty without records.
    """

    result: GameResult
    message: str
    seconds: tuple[float, ...]
    took: float
    line: bytes


class _Ending(NamedTuple):
    """How a game went, before it's a result."""

    points: tuple[int, ...]
    moves: int
    seconds: tuple[float, ...]
    record: bytes
    verdict: str = "normal"
    culprit: int | None = None
    message: str = ""
    defaulted: tuple[int, ...] = ()


class Referee:
    """Plays games of one tournament, one after the other."""

    def __init__(self, tournament: Tournament) -> None:
        self._tournament = tournament
        self._box = box_of(tournament)
        self._roster = Roster(tournament.bot_files)
        self._head = msgspec.json.encode(record_head(tournament.rules, self._box))[:-1]
        self._kept: dict[int, Bot] = {}
        self._deal = -1
        self._stack: tuple[str, ...] | None = None
        self._stack_text = b""
        self._dealer: Dealer | None = None
        with contextlib.suppress(CapacityError):  # the model has room for it
            self._dealer = Dealer("ABCDEF"[: tournament.players], tournament.rules, self._box)
            self._scribe = Scribe(self._dealer.tables)

    def play(self, task: Task) -> Played:
        """Play a game.

        Raises
        ------
        CarcassonneError
            A bot can't be made: the tournament can't go on.
        """
        start = time.perf_counter()
        labels = self._tournament.labels
        names = tuple(labels[bot] for bot in task.bots)
        self._shuffle(task.deal)
        bots = [self._bot(task, seat) for seat in range(len(names))]
        dealer = self._dealer
        if dealer is not None and self._tournament.time is None and all(map(is_quick, bots)):
            ending = self._play_quickly(dealer, names, bots)
        else:
            ending = self._play_carefully(task, names, bots)
        result = GameResult(
            task.unit, task.turn, names, ending.points, ending.verdict, ending.culprit,
            ending.moves, ending.defaulted,
        )  # fmt: skip
        self._let_go(task, result)
        line = self._line(result, ending.record) if self._tournament.records else b""
        took = time.perf_counter() - start
        return Played(result, ending.message, ending.seconds, took, line)

    def close(self, *, at_once: bool = False) -> None:
        """End the bots that are kept from game to game."""
        kept, self._kept = self._kept, {}
        close_all(kept.values(), at_once=at_once)

    def _let_go(self, task: Task, result: GameResult) -> None:
        """End kept bots that have made a fault; they begin afresh with their next game."""
        for seat, number in enumerate(task.bots):
            failed = seat == result.culprit or (result.defaulted and result.defaulted[seat])
            bot = self._kept.pop(number, None) if failed else None
            if bot is not None:
                bot.close()  # type: ignore[attr-defined]

    # ------------------------------------------------------------------ what is random

    def _seed(self, *parts: int) -> int:
        text = repr((self._tournament.seed, *parts)).encode()
        return int.from_bytes(hashlib.blake2b(text, digest_size=4).digest(), "big")

    def _shuffle(self, deal: int) -> None:
        """Make the stack of a deal the next game's."""
        if deal == self._deal:
            return
        seed = self._seed(deal)
        if self._dealer is not None:
            self._dealer.shuffle(seed)
            self._stack = None  # named only where it is asked for
        else:
            names = [tile.id for tile in self._box.stack()]
            random.Random(seed).shuffle(names)
            self._stack = tuple(names)
        self._deal = deal
        if self._tournament.records:
            self._stack_text = msgspec.json.encode(self._stack_names())

    def _stack_names(self) -> tuple[str, ...]:
        """The stack of the deal, by tile ids."""
        if self._stack is None and self._dealer is not None:
            self._stack = self._dealer.stack
        return self._stack or ()

    def _bot(self, task: Task, seat: int) -> Bot:
        """The bot of a seat: made anew, unless it has to be closed and so is kept.

        A bot that is kept and has a method `reseed` is told the seed of the game.
        """
        number = task.bots[seat]
        seed = self._seed(task.unit, task.turn, seat)
        bot = self._kept.get(number)
        if bot is None:
            bot = make_entrant(self._tournament.bots[number], seed, self._roster)
            if hasattr(bot, "close"):
                self._kept[number] = bot
        elif hasattr(bot, "reseed"):
            bot.reseed(seed)
        return bot

    # ------------------------------------------------------------------ playing

    def _play_quickly(self, dealer: Dealer, names: tuple[str, ...], bots: Sequence[Any]) -> _Ending:
        """Play with built-in bots that answer in numbers."""
        game = dealer.new_game(names)
        number = game.engine.number
        choosers = [bot.choose_number for bot in bots]
        seconds = [0.0] * len(bots)
        defaulted = [0] * len(bots)
        self._scribe.begin()
        note = self._scribe.note if self._tournament.records else None
        now, play = time.perf_counter, game.play_number
        moves = 0
        fault = None
        since = now()
        while (phase := number(layout.PHASE)) != layout.OVER:
            seat = number(layout.DECIDER)
            try:
                move = choosers[seat](game)
            except Exception as error:  # noqa: BLE001 - a broken bot must not stop a tournament
                if self._tournament.on_error == "forfeit":
                    fault = (seat, what_failed(error))
                    break
                defaulted[seat] += 1
                move = game.move_numbers()[0]
            time_now = now()
            seconds[seat] += time_now - since
            since = time_now
            if note is not None:
                note(game, phase, move)
            play(move)
            moves += 1
        ending = _Ending(
            tuple(number(layout.SCORE + seat) for seat in range(len(bots))),
            moves,
            tuple(seconds),
            self._core_record(game, self._scribe.texts(game)) if note is not None else b"",
            defaulted=tuple(defaulted) if any(defaulted) else (),
        )
        if fault is not None:
            ending = ending._replace(verdict="crash", culprit=fault[0], message=fault[1])
        return ending

    def _play_carefully(self, task: Task, names: tuple[str, ...], bots: Sequence[Bot]) -> _Ending:
        """Play with any bots: on a clock, with shuffled copies, on the model for listeners."""
        tournament = self._tournament
        game: AnyGame
        if self._dealer is None or any(isinstance(bot, Listener) for bot in bots):
            game = Game.of_box(
                names, rules=tournament.rules, box=self._box, stack=self._stack_names()
            )
        else:
            game = self._dealer.new_game(names)
        clocks = {name: Clock(tournament.time or _NO_LIMIT) for name in names}
        texts: list[str] = []

        def note(_game: AnyGame, _player: str, move: Move, _events: tuple[Event, ...]) -> None:
            texts.append(str(move))

        outcome = play_out(
            game, bots, on_error=tournament.on_error, on_move=note, clocks=clocks,
            seed=self._seed(task.unit, task.turn, -1),
        )  # fmt: skip
        record = b""
        if tournament.records:
            if isinstance(game, Game):
                record = msgspec.json.encode(record_of(game))
            else:
                record = self._core_record(game, texts)
        faults = [fault.player for fault in outcome.faults]
        is_defaulted = faults and tournament.on_error == "default-move"
        return _Ending(
            tuple(outcome.scores[name] for name in names),
            outcome.moves,
            tuple(clocks[name].used for name in names),
            record,
            outcome.verdict,
            None if outcome.culprit is None else names.index(outcome.culprit),
            outcome.message,
            tuple(faults.count(name) for name in names) if is_defaulted else (),
        )

    # ------------------------------------------------------------------ records

    def _core_record(self, game: CoreGame, texts: list[str]) -> bytes:
        """What `record_of` writes of the same game on the model."""
        encode = msgspec.json.encode
        result = {"scores": game.scores, "winners": game.winners}
        return b'%b,"players":%b,"stack":%b,"moves":%b,"result":%b}' % (
            self._head, encode(game.players), self._stack_text, encode(texts), encode(result),
        )  # fmt: skip

    def _line(self, result: GameResult, record: bytes) -> bytes:
        number = game_number(result.unit, result.turn, self._tournament.players)
        return b'{"game":%d,"unit":%d,"turn":%d,"verdict":"%b","record":%b}\n' % (
            number, result.unit, result.turn, result.verdict.encode(), record,
        )  # fmt: skip


def open_referee(settings: bytes) -> Referee:
    """The referee of a tournament that another process has sent."""
    return Referee(msgspec.msgpack.decode(settings, type=Tournament))


def work_of(tournament: Tournament) -> Work[Task, Played]:
    """The work of a tournament; its tasks are games."""
    opener = f"{__name__}:{open_referee.__name__}"
    return Work(opener, msgspec.msgpack.encode(tournament), Task, Played)
