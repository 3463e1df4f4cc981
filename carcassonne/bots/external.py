"""A bot that is a command: any program that speaks the protocol of `docs/bot-protocol.md`.

What it does wrong is a `BotFault` of the decision at which it shows. After a fault that leaves the
process out of step it is ended, its other decisions of that game are faults at once, and the next
game starts it afresh.
"""

from __future__ import annotations

import hashlib
import shlex
import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from carcassonne.bots import protocol
from carcassonne.bots.base import BotError, BotFault
from carcassonne.bots.process import ChildProcess, Limits
from carcassonne.model.game import Game
from carcassonne.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from types import TracebackType
    from typing import Self

    from carcassonne.bots.base import AnyGame
    from carcassonne.bots.clock import Clock
    from carcassonne.bots.process import Trace
    from carcassonne.events import Event
    from carcassonne.moves import Move

__all__ = ["Ending", "ExternalBot", "close_all", "external_bot"]

_KILL_GRACE: Final = 0.3  # between asking a faulty process to terminate and killing it
_MOST_STARTS: Final = 3  # failed starts in a row, after which a command is not tried again
_LEAST_MEMORY: Final = 8  # MiB; below it no program starts
_STRAY_SECONDS: Final = 1.0  # in which the answer follows a line that nobody asked for
_STRAY_MARGIN: Final = 0.05  # so that no clock runs out meanwhile

_Read = TypeVar("_Read")


class Ending(NamedTuple):
    """How a process ended.

    Attributes
    ----------
    left : bool
        Whether it left by itself when told to quit.
    code : int or None
        Its exit code.
    unasked : str
        What it wrote although nobody had asked, shortened.
    """

    left: bool
    code: int | None
    unasked: str = ""


class ExternalBot:
    """A player that is a program of its own, in any language.

    The process starts with the first game and serves as many as come; with a processor limit
    each game has its own. Whoever makes such a bot closes it (`with`, or `close`).

    Parameters
    ----------
    command
        Program and arguments, as one text in the manner of a shell or as a list. No shell is
        involved.
    name
        What logs and tables call it; by default the command.
    seed
        Decides the seed that the bot gets with each game, which tells nothing of this one.
    memory
        The most address space in MiB that each of its processes may use.
    cpu
        The most seconds of processor time that its process may use in a game.
    startup
        The most seconds from its start to its answer to `hello`.
    patience
        The most seconds for a decision where no clock says less.
    quit_grace
        How many seconds it may take to quit before it is ended.
    trace
        Called with `sent` or `got` and each line.

    Raises
    ------
    BotError
        The command can't be read, or a limit is no limit.
    """

    def __init__(  # noqa: PLR0913 - each is an option of its own
        self,
        command: str | Sequence[str],
        *,
        name: str | None = None,
        seed: int = 0,
        memory: int | None = None,
        cpu: int | None = None,
        startup: float = 10.0,
        patience: float = 60.0,
        quit_grace: float = 2.0,
        trace: Trace | None = None,
    ) -> None:
        self._command = _words(command)
        self.name = name or (command if isinstance(command, str) else shlex.join(command))
        self.seed = seed
        self.about: protocol.HelloAnswer | None = None
        """What the bot has said of itself, once it has."""
        self._limits = Limits(
            _limit("memory", memory, _LEAST_MEMORY) * 1024**2, _limit("cpu", cpu, 1)
        )
        self._startup = _seconds("startup", startup)
        self._patience = _seconds("patience", patience)
        self._quit_grace = _seconds("quit_grace", quit_grace)
        self._trace = trace
        self._process: ChildProcess | None = None
        self._leaves_until: float | None = None
        self._tail: list[str] = []
        self._fault: BotFault | None = None
        self._failed_starts = 0
        self._fault_at_start: BotFault | None = None
        self._games = 0
        self._questions = 0
        self._game: Game | None = None
        self._clock: Clock | None = None

    # -------------------------------------------------------------------------- a game

    def begin(self, game: Game, player: str, clock: Clock | None) -> None:
        """Tell the bot that a game begins; what goes wrong shows at its first decision.

        Raises
        ------
        BotError
            The bot sits at this game already, at another seat.
        """
        if self._game is game:
            raise BotError(f"bot {self.name} can't sit at two seats: make one for each")
        self._game, self._clock = game, clock
        self._introduce(game, player, clock)

    def reseed(self, seed: int) -> None:
        """From the next game on, another seed."""
        self.seed = seed

    def tell(self, player: str, move: Move, events: tuple[Event, ...]) -> None:
        """Tell the bot what has happened."""
        if self._process is not None:
            details = [protocol.event_detail(event) for event in events]
            self._send(protocol.EventMessage(player, str(move), details))

    def finish(self, scores: dict[str, int]) -> None:
        """Tell the bot that the game is over."""
        self._game = self._clock = None
        self._send(protocol.GameOverMessage(scores))
        if self._limits.cpu:
            self.close()

    def choose(self, game: AnyGame) -> Move:
        """Ask the bot; outside a game that it follows, it is told the table first.

        Raises
        ------
        BotFault
            Whatever the bot did wrong.
        BotError
            The game is on the core.
        """
        if not isinstance(game, Game):
            raise BotError(f"bot {self.name} needs a game on the model")
        decision = game.decision
        if decision is None:
            raise BotError("the game is over: there is nothing to decide")
        if self._game is None:
            self._introduce(game, decision.player, None)
        if self._fault is not None:
            raise BotFault(self._fault.verdict, str(self._fault))
        return self._ask(game)

    def _introduce(self, game: Game, player: str, clock: Clock | None) -> None:
        self._fault = None
        try:
            self.start()
        except BotFault as fault:
            self._fault = fault
            return
        self._games += 1
        self._send(
            protocol.new_game_message(
                game, player, clock, number=self._games, seed=_bot_seed(self.seed)
            )
        )

    def _ask(self, game: Game) -> Move:
        clock, process = self._clock, self._process
        if process is None:
            raise AssertionError("a bot without a process has a fault")
        self._questions += 1
        left = self._patience if clock is None or clock.left is None else clock.left
        deadline = time.perf_counter() + left
        message = protocol.decide_message(
            game,
            self._questions,
            left=None if clock is None else clock.left,
            game_left=None if clock is None else clock.game_left,
        )
        try:
            return _answer(
                process,
                protocol.encode(message),
                deadline,
                lambda line: protocol.read_answer(line, self._questions),
            )
        except BotFault as fault:
            if fault.verdict == "timeout":
                fault = BotFault("timeout", f"{fault} ({_had(clock, left)})")
            if fault.verdict != "illegal move":
                self._fault = fault
                self._end()
            raise fault from None

    def _send(self, message: protocol.Message) -> None:
        if self._process is not None:
            self._process.send(protocol.encode(message))

    # -------------------------------------------------------------------------- its process

    def start(self) -> protocol.HelloAnswer:
        """Start the process unless it runs, and exchange `hello`.

        Raises
        ------
        BotFault
            It can't be started, or gives no proper answer in time. After a few such failures
            in a row it isn't tried again.
        """
        if self._process is not None and self._process.status() is None and self.about:
            return self.about
        self._end()
        if self._failed_starts >= _MOST_STARTS and self._fault_at_start is not None:
            fault = self._fault_at_start
            raise BotFault(fault.verdict, f"{fault} (it failed to start {_MOST_STARTS} times)")
        try:
            self.about = self._hello()
        except BotFault as fault:
            self._failed_starts += 1
            self._fault_at_start = fault
            self._end()
            raise
        self._failed_starts = 0
        return self.about

    def _hello(self) -> protocol.HelloAnswer:
        deadline = time.perf_counter() + self._startup
        self._process = ChildProcess(self._command, limits=self._limits, trace=self._trace)
        hello = protocol.encode(protocol.Hello(VERSION))
        try:
            return _answer(self._process, hello, deadline, protocol.read_hello)
        except BotFault as fault:
            if fault.verdict != "timeout":
                raise
            text = f"{fault} to hello (it has {self._startup:g} s to start)"
            raise BotFault("timeout", text) from None

    @property
    def stderr_tail(self) -> list[str]:
        """The last lines that the bot wrote to its standard error, also of an ended process."""
        return self._tail if self._process is None else self._process.stderr_tail

    def _end(self, grace: float = _KILL_GRACE) -> int | None:
        """End the process, if there is one, with all its children."""
        process, self._process = self._process, None
        self._leaves_until = None
        if process is None:
            return None
        code = process.end(grace)
        self._tail = process.stderr_tail
        return code

    def kill(self) -> None:
        """End the process at once, without a word."""
        self._end(0)

    def leave(self) -> None:
        """Tell the bot to quit; `close` waits for it, counting from now."""
        if self._process is not None and self._leaves_until is None:
            self._send(protocol.Quit())
            self._process.close_input()
            self._leaves_until = time.perf_counter() + self._quit_grace

    def wait_to_leave(self) -> bool:
        """Wait for the bot to leave; if it stays, ask it to terminate. Whether it has left."""
        process, until = self._process, self._leaves_until
        if process is None or until is None:
            return True
        left = process.wait(until - time.perf_counter()) is not None
        if not left:
            self._quit_grace = min(self._quit_grace, _KILL_GRACE)  # it won't be waited for again
            process.terminate(_KILL_GRACE)
        return left

    def close(self) -> Ending | None:
        """Tell the bot to quit, and end it with all its children if it doesn't.

        Returns
        -------
        Ending or None
            How it ended; None if there was no process.
        """
        process = self._process
        if process is None:
            return None
        self.leave()
        left = self.wait_to_leave()
        code = self._end()
        return Ending(left, code, process.unasked)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is not None and not issubclass(kind, Exception):
            self._end()  # Ctrl-C should not have to wait for a bot to quit
        else:
            self.close()

    def __repr__(self) -> str:
        return f"<ExternalBot: {self.name}>"


def _answer(
    process: ChildProcess, question: bytes, deadline: float, read: Callable[[bytes], _Read]
) -> _Read:
    """What is read of the answer to a question.

    Raises
    ------
    BotFault
        There is none, or it can't be read: a `flood` if the answer stands behind what can't.
    """
    line = process.ask(question, deadline)
    try:
        return read(line)
    except BotFault as fault:
        until = min(deadline - _STRAY_MARGIN, time.perf_counter() + _STRAY_SECONDS)
        if fault.verdict != "garbage" or not _follows(process, until, read):
            raise
    shown = line[:60].decode("utf-8", "backslashreplace")
    raise BotFault("flood", f"it wrote a line that nobody asked for: {shown!r}")


def _follows(process: ChildProcess, deadline: float, read: Callable[[bytes], object]) -> bool:
    """Whether the answer comes behind other lines."""
    while time.perf_counter() < deadline and (line := process.next_line(deadline)) is not None:
        try:
            read(line)
        except BotFault as fault:
            if fault.verdict == "garbage":
                continue
        return True
    return False


def close_all(bots: Iterable[Any], *, at_once: bool = False) -> None:
    """Close bots, of whatever kind; those that are commands have their time to quit in common.

    Parameters
    ----------
    at_once
        Don't wait for any of them.
    """
    bots = list(bots)
    commands = [bot for bot in bots if isinstance(bot, ExternalBot)]
    for bot in commands:
        if at_once:
            bot.kill()
        else:
            bot.leave()
    for bot in commands:
        bot.wait_to_leave()
    for bot in bots:
        bot.close()


def _words(command: str | Sequence[str]) -> list[str]:
    try:
        words = shlex.split(command) if isinstance(command, str) else list(command)
    except ValueError as error:
        raise BotError(f"command {command!r} can't be read: {error}") from None
    if not words or not words[0] or any("\0" in word for word in words):
        raise BotError(f"command {command!r} must name a program, as in 'python bot.py'")
    return words


def _limit(key: str, value: int | None, least: int) -> int:
    if value is None:
        return 0
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value < 2**31:
        unit = "MiB" if key == "memory" else "seconds"
        raise BotError(f"{key}: {value!r} must be a whole number of {unit}, {least} or more")
    return value


def _seconds(key: str, value: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e6:
        raise BotError(f"{key}: {value!r} must be a number of seconds over 0")
    return float(value)


def _had(clock: Clock | None, left: float) -> str:
    """Which limit a late bot has passed."""
    if clock is None or clock.left is None:
        return f"without a clock the limit is {left:g} s"
    control = clock.control
    if control.move is not None and (clock.game_left is None or clock.left < clock.game_left):
        return f"it has {control.move:g} s for a move"
    return f"it had {left:.3g} s left of {control.game:g} s for the game"


def _bot_seed(seed: int) -> int:
    """The seed that a bot is told: one that any language can hold, and that gives nothing away."""
    digest = hashlib.sha256(f"bot seed {seed}".encode()).digest()
    return int.from_bytes(digest[:6], "big")


def external_bot(
    *, seed: int, command: str, memory: int | None = None, **limits: Any
) -> ExternalBot:
    """An external bot as its code has it: `memory` in bytes; see `ExternalBot`."""
    mebibytes = None if memory is None else -(-memory // 1024**2)
    return ExternalBot(command, seed=seed, memory=mebibytes, **limits)
