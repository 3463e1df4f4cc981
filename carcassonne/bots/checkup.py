"""Walks a bot that is a command through the protocol, step by step."""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import msgspec

from carcassonne.bots.base import BotFault
from carcassonne.bots.clock import Clock, TimeControl
from carcassonne.bots.external import ExternalBot
from carcassonne.bots.play import play_out
from carcassonne.bots.trial import BOT, SPARRING, TRIALS, SparringBot

if TYPE_CHECKING:
    from collections.abc import Iterator

    from carcassonne.bots.base import Bot
    from carcassonne.bots.trial import Trial

__all__ = ["Step", "check_bot"]

_ANSWERED: Final = (b'{"type":"hello"', b'{"type":"decide"', b'{"type":"quit"')


class Step(msgspec.Struct, frozen=True):
    """What came of a step.

    Attributes
    ----------
    text : str
        What was found, or what went wrong.
    verdict : str
        `normal`, or what the fault is called (see `Verdict`).
    sent, got : str
        The last message that wanted an answer, and what came back, if anything did.
    stderr : list of str
        The last lines that the bot wrote to its standard error, if the step failed.
    decisions : dict
        How many decisions of each kind the bot has answered in this step.
    """

    name: str
    passed: bool
    text: str
    verdict: str = "normal"
    sent: str = ""
    got: str = ""
    stderr: list[str] = []
    decisions: dict[str, int] = {}


class _Ear:
    """Remembers the last question and answer, and how long the bot took."""

    def __init__(self) -> None:
        self.sent = self.got = b""
        self.kinds: Counter[str] = Counter()
        self.slowest = 0.0
        self._asked = 0.0

    def hear(self, way: str, line: bytes) -> None:
        if way == "got":
            self.got = line
            self.slowest = max(self.slowest, time.perf_counter() - self._asked)
            if self.sent.startswith(_ANSWERED[1]):
                self.kinds[msgspec.json.decode(self.sent)["decision"]["kind"]] += 1
        elif line.startswith(_ANSWERED):
            self.sent, self.got = line, b""
            self._asked = time.perf_counter()

    def begin(self) -> None:
        """A step begins."""
        self.sent = self.got = b""
        self.kinds.clear()
        self.slowest = 0.0


class _Checkup:
    def __init__(self, command: str, seconds: float, options: dict[str, Any]) -> None:
        self.ear = _Ear()
        self.command = command
        self.seconds = seconds
        self.bot = ExternalBot(command, trace=self.ear.hear, **options)

    def step(self, name: str, text: str, verdict: str = "normal") -> Step:
        ear, passed = self.ear, verdict == "normal"
        sent, got = (line.decode("utf-8", "backslashreplace") for line in (ear.sent, ear.got))
        stderr = [] if passed else self.bot.stderr_tail[-10:]
        return Step(name, passed, text, verdict, sent, got, stderr, dict(ear.kinds))

    def run(self) -> Iterator[Step]:
        try:
            about = self.bot.start()
        except BotFault as fault:
            if not self.ear.sent:
                yield self.step("start", str(fault), fault.verdict)
                return
            yield Step("start", passed=True, text=self.command)
            yield self.step("hello", str(fault), fault.verdict)
            return
        yield Step("start", passed=True, text=self.command)
        yield self.step("hello", f"{about.name} {about.version}".strip())
        for number, trial in enumerate(TRIALS, 1):
            self.ear.begin()
            yield self.game(number, trial)
        yield from self.leave()

    def game(self, number: int, trial: Trial) -> Step:
        clocks = {BOT: Clock(TimeControl(move=self.seconds))}
        bots: dict[str, Bot] = {BOT: self.bot, SPARRING: SparringBot(trial.script)}
        outcome = play_out(trial.game(), bots, clocks=clocks, trusted=True)
        name = f"game {number}"
        if outcome.culprit is not None:
            return self.step(name, f"{trial.title}: {outcome.message}", outcome.verdict)
        kinds = ", ".join(f"{kind} {count}" for kind, count in self.ear.kinds.items())
        slowest = f"slowest {self.ear.slowest * 1000:.0f} ms"
        return self.step(name, f"{trial.title}: {kinds}; {slowest}")

    def leave(self) -> Iterator[Step]:
        self.ear.begin()
        try:
            self.bot.start()
        except BotFault as fault:
            yield self.step("quit", str(fault), fault.verdict)
            return
        ending = self.bot.close()
        if ending is None or not ending.left:
            text = "it doesn't exit when it is told to quit, and had to be ended"
            yield self.step("quit", text, "timeout")
            return
        if ending.unasked:
            text = f"it wrote a line that nobody asked for: {ending.unasked}"
            yield self.step("quit", text, "flood")
        else:
            yield self.step("quit", "it exited by itself")
        verdict = "crash" if ending.code else "normal"
        yield self.step("exit code", f"{ending.code}{', not 0' if ending.code else ''}", verdict)


def check_bot(
    command: str, *, seconds: float = 5.0, memory: int | None = None, cpu: int | None = None
) -> Iterator[Step]:
    """Walk a bot through the protocol.

    Parameters
    ----------
    seconds
        The most that it may take for a decision.
    memory, cpu
        Limits, as for `ExternalBot`.

    Yields
    ------
    Step
        Start, hello, short games with every kind of decision, quit, exit code; after a start or
        hello that failed no more.

    Raises
    ------
    BotError
        The command can't be read, or a limit is no limit.
    """
    checkup = _Checkup(command, seconds, {"memory": memory, "cpu": cpu})
    try:
        yield from checkup.run()
    finally:
        checkup.bot.close()
