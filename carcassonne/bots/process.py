"""Keeps a child process that answers lines: it can't block, flood or outlive its keeper.

Every read and write is non-blocking and has a deadline or a bound; what the child writes to
standard error is read all the time and its last lines are kept. The child leads a process group
of its own, which ends as a whole, and bears a mark by which what leaves the group is found. If
the keeper can't end them, the reaper of `carcassonne.bots.wards` does.
"""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
import subprocess
import sys
import time
import weakref
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, NamedTuple

from carcassonne.bots.base import BotError, BotFault
from carcassonne.bots.reaper import VARIABLE, kill_group, kill_marked
from carcassonne.bots.wards import wards

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    Trace: TypeAlias = Callable[[str, bytes], object]

__all__ = ["ChildProcess", "Limits"]

LONGEST_LINE: Final = 64 * 1024
"""Bytes that a line may have."""
MOST_STDERR: Final = 4 * 1024 * 1024
"""Bytes that may come on standard error while one answer is awaited."""
MOST_UNREAD: Final = 8 * 1024 * 1024
"""Bytes that a child may leave unread before it is given up."""

_CHUNK: Final = 64 * 1024
_TAIL: Final = 4096
_SLICE: Final = 0.05  # how soon an exit is seen although a grandchild holds the pipe open
_EXIT_WAIT: Final = 1.0  # between closing its pipes and its exit a child may take so long


class Limits(NamedTuple):
    """What a process may use: `memory` in bytes of address space, `cpu` in seconds; 0: no limit."""

    memory: int = 0
    cpu: int = 0


NO_LIMITS: Final = Limits()


class ChildProcess:
    """A running command that is asked by lines and answers by lines.

    Parameters
    ----------
    command
        Program and arguments.
    limits
        Set before the command starts, for it and each of its children.
    trace
        Called with `sent` or `got` and each line without its end.

    Raises
    ------
    BotFault
        `crash`: the command can't be started.
    BotError
        This platform has no process groups or no limits.
    """

    def __init__(
        self, command: Sequence[str], *, limits: Limits = NO_LIMITS, trace: Trace | None = None
    ) -> None:
        self._limits = limits
        self._trace = trace
        self._buffer = bytearray()
        self._unsent = bytearray()
        self._tail = b""
        self._stderr_count = 0
        self._clogged = False
        self._until: float | None = None
        self._popen, mark = _start(command, limits)
        self._finalizer = weakref.finalize(self, _abandon, self._popen, mark, os.getpid())
        self._stdin, self._stdout, self._stderr = map(_descriptor, _pipes(self._popen))

    # -------------------------------------------------------------------------- talking

    def send(self, line: bytes) -> None:
        """Write a line, as much of it as goes at once; the rest goes while answers are awaited."""
        if self._trace is not None:
            self._trace("sent", line)
        if self._stdin < 0:
            return
        if len(self._unsent) + len(line) > MOST_UNREAD:
            self._clogged = True
            return
        self._unsent += line + b"\n"
        self._flush()
        with contextlib.suppress(BotFault):  # that it floods shows when it is asked
            self._read_stderr()

    def ask(self, line: bytes, deadline: float) -> bytes:
        """Write a line and wait for one line in answer.

        Parameters
        ----------
        deadline
            On the clock of `time.perf_counter`.

        Raises
        ------
        BotFault
            `timeout`: no answer came in time. `flood`: more came than one line, or a line without
            end. `crash`: the process exited or closed its pipes.
        """
        self._stderr_count = 0
        self._absorb()
        if self._buffer.strip():
            raise BotFault("flood", f"it wrote a line that nobody asked for: {self._shown()}")
        self._buffer.clear()
        self.send(line)
        return self._await_line(deadline)

    def _await_line(self, deadline: float) -> bytes:
        while True:
            exited = self.status() is not None
            if exited:
                self._absorb()
            answer = self._take_line()
            if answer is not None:
                if self._trace is not None:
                    self._trace("got", answer)
                return answer
            if len(self._buffer) > LONGEST_LINE:
                raise BotFault("flood", f"it wrote over {LONGEST_LINE // 1024} KiB without a line")
            if exited or self._stdout < 0 or self._stdin < 0:
                raise self._gone()
            left = deadline - time.perf_counter()
            if left <= 0 or self._clogged:
                why = " and doesn't read its input" if self._unsent or self._clogged else ""
                raise BotFault("timeout", f"it gave no answer in time{why}")
            self._wait(min(left, _SLICE))

    def next_line(self, deadline: float) -> bytes | None:
        """Another line besides the answer just read; None if none comes in time.

        Raises
        ------
        BotFault
            `flood`: it is too long, or there is no end of what is written.
        """
        while True:
            self._absorb()
            line = self._take_line()
            left = deadline - time.perf_counter()
            if line is not None or left <= 0 or self._stdout < 0 or self.status() is not None:
                return line
            self._wait(min(left, _SLICE))

    def _take_line(self) -> bytes | None:
        """The first line in the buffer that isn't blank."""
        while (end := self._buffer.find(b"\n")) >= 0:
            line = bytes(self._buffer[:end])
            del self._buffer[: end + 1]
            if len(line) > LONGEST_LINE:
                raise BotFault("flood", f"it wrote a line of over {LONGEST_LINE // 1024} KiB")
            if line.strip():
                return line
        return None

    @property
    def unasked(self) -> str:
        """What it wrote besides its answers, shortened; empty if there is nothing."""
        return self._shown() if self._buffer.strip() else ""

    def _shown(self) -> str:
        """The first line that came, as far as it can be shown."""
        return repr(bytes(self._buffer[:60]).strip().partition(b"\n")[0])[1:]

    # -------------------------------------------------------------------------- pipes

    def _wait(self, seconds: float) -> None:
        """Wait until something can be read or written, and do it."""
        poll = select.poll()
        for fd in (self._stdout, self._stderr):
            if fd >= 0:
                poll.register(fd, select.POLLIN)
        if self._stdin >= 0:  # that nobody reads it any more shows without writing, too
            poll.register(self._stdin, select.POLLOUT if self._unsent else 0)
        for fd, happened in poll.poll(max(1, int(seconds * 1000))):
            if fd == self._stdin:
                self._flush()
                if happened & ~select.POLLOUT:
                    self._stdin = -1
            elif fd == self._stdout:
                self._read_stdout()
            else:
                self._read_stderr()

    def _absorb(self) -> None:
        """Read what has come already, up to the bounds."""
        while len(self._buffer) <= LONGEST_LINE and self._read_stdout():
            pass
        while self._read_stderr():
            pass

    def _read_stdout(self) -> bool:
        chunk = _read(self._stdout)
        if chunk:
            self._buffer += chunk
        elif chunk is not None:
            self._stdout = -1
        return bool(chunk)

    def _read_stderr(self) -> bool:
        """Read a chunk of standard error; only the end of it all is kept.

        Raises
        ------
        BotFault
            `flood`: there is no end of it.
        """
        chunk = _read(self._stderr)
        if chunk:
            self._tail = (self._tail + chunk)[-_TAIL:]
            self._stderr_count += len(chunk)
            if self._stderr_count > MOST_STDERR:
                most = MOST_STDERR // 1024**2
                raise BotFault("flood", f"it wrote over {most} MiB to its standard error")
        elif chunk is not None:
            self._stderr = -1
        return bool(chunk)

    def _flush(self) -> None:
        try:
            while self._unsent and self._stdin >= 0:
                del self._unsent[: os.write(self._stdin, self._unsent[:_CHUNK])]
        except BlockingIOError:
            pass
        except OSError:
            self._stdin = -1
            self._unsent.clear()

    @property
    def stderr_tail(self) -> list[str]:
        """The last lines that came on standard error, made printable."""
        text = self._tail.decode("utf-8", "replace")
        lines = ["".join(c if c.isprintable() else " " for c in t) for t in text.splitlines()]
        return [line.rstrip() for line in lines if line.strip()]

    # -------------------------------------------------------------------------- its end

    def status(self) -> int | None:
        """The exit code, or minus the signal that ended the process; None while it runs.

        The process stays a zombie until the keeper has ended its group, so that the number of
        the group can't be anybody else's.
        """
        if self._popen.returncode is not None:
            return self._popen.returncode
        if not hasattr(os, "waitid"):
            return self._popen.poll()
        try:
            found = os.waitid(os.P_PID, self._popen.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return self._popen.poll()
        if found is None:
            return None
        return found.si_status if found.si_code == os.CLD_EXITED else -found.si_status

    def _gone(self) -> BotFault:
        """Why no answer can come any more."""
        status = self.wait(_EXIT_WAIT)
        with contextlib.suppress(BotFault):
            self._absorb()
        tail = self.stderr_tail
        words = f"; it wrote: {tail[-1][:200]}" if tail else ""
        if status is None:
            pipe = "input" if self._stdin < 0 else "output"
            return BotFault("crash", f"it closed its standard {pipe}{words}")
        if status == -signal.SIGXCPU:
            return BotFault("timeout", f"it used up its {self._limits.cpu} s of processor time")
        return BotFault("crash", f"{_ended(status)}{words}")

    def wait(self, seconds: float) -> int | None:
        """Wait for the process to exit, reading what it writes; answers `status`."""
        deadline = time.perf_counter() + seconds
        pause = 0.001
        while (status := self.status()) is None and time.perf_counter() < deadline:
            with contextlib.suppress(BotFault):
                self._read_stderr()
            self._flush()
            time.sleep(pause)
            pause = min(2 * pause, 0.02)
        return status

    def close_input(self) -> None:
        """Close its standard input, as the last word."""
        self._flush()
        self._stdin = -1
        _pipes(self._popen)[0].close()

    def terminate(self, grace: float) -> None:
        """Ask the process group to terminate; `end` waits so many seconds from now."""
        if self._until is None and self.status() is None:
            kill_group(self._popen.pid, signal.SIGTERM)
            self._until = time.perf_counter() + grace

    def end(self, grace: float) -> int | None:
        """End the whole process group: ask it to terminate, then kill what is left.

        What has left the group is killed, too, where the system shows it (Linux).

        Parameters
        ----------
        grace
            Seconds between the two, unless it was asked to `terminate` already.

        Returns
        -------
        int or None
            How the process ended, as `status`.
        """
        self.terminate(grace)
        if self._until is not None:
            self.wait(self._until - time.perf_counter())
        with contextlib.suppress(BotFault):
            self._absorb()
        self._stdin = self._stdout = self._stderr = -1
        self._finalizer()
        return self._popen.returncode


# ------------------------------------------------------------------------------ the system


def _start(command: Sequence[str], limits: Limits) -> tuple[subprocess.Popen[bytes], str]:
    """Start the command in a group of its own; the process, and the mark that it bears."""
    if os.name != "posix":
        raise BotError("bots that are commands need process groups, which this platform lacks")
    program = shutil.which(command[0])
    if program is None:
        there = Path(command[0]).exists()
        why = (
            f"{command[0]!r} is not executable" if there else f"there is no command {command[0]!r}"
        )
        raise BotFault("crash", f"it can't be started: {why}")
    words = [program, *command[1:]]
    if any(limits):
        launcher = str(Path(__file__).with_name("launch.py"))
        words = [sys.executable, "-I", "-S", launcher, *map(str, limits), *words]
    mark = wards().new_mark()
    try:
        popen = subprocess.Popen(  # noqa: S603 - the user's own bot
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1", VARIABLE: mark},
        )
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise BotFault("crash", f"it can't be started: {command[0]}: {reason}") from None
    wards().add(popen.pid)
    return popen, mark


def _pipes(popen: subprocess.Popen[bytes]) -> list[IO[bytes]]:
    """Our ends of its standard input, output and error."""
    return [pipe for pipe in (popen.stdin, popen.stdout, popen.stderr) if pipe is not None]


def _descriptor(pipe: IO[bytes]) -> int:
    os.set_blocking(pipe.fileno(), False)
    return pipe.fileno()


def _read(fd: int) -> bytes | None:
    """What can be read now; nothing at the end, None if it isn't there yet."""
    if fd < 0:
        return None
    try:
        return os.read(fd, _CHUNK)
    except BlockingIOError:
        return None
    except OSError:
        return b""


def _abandon(popen: subprocess.Popen[bytes], mark: str, keeper: int) -> None:
    """Close the pipes, kill all that was started and reap the leader, but not from a fork."""
    for pipe in _pipes(popen):
        pipe.close()
    if os.getpid() != keeper:
        return
    kill_group(popen.pid)
    kill_marked(mark)
    wards().discard(popen.pid)
    with contextlib.suppress(subprocess.TimeoutExpired):
        popen.wait(5)


def _ended(status: int) -> str:
    if status >= 0:
        return f"it exited with code {status}"
    try:
        return f"it was ended by {signal.Signals(-status).name}"
    except ValueError:
        return f"it was ended by signal {-status}"
