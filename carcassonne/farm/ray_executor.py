"""Games on a Ray cluster; needs the extra `ray`.

Batches are Ray tasks. When a node or a worker dies, Ray plays its tasks elsewhere; what Ray gives
up is submitted again here.
"""

from __future__ import annotations

import contextlib
import functools
import os
import socket
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

import msgspec

from carcassonne.farm.batches import BatchSize
from carcassonne.farm.work import FarmError, Report, Work, Worker, do_batch, open_worker

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


__all__ = ["RayExecutor", "import_ray", "require_address"]

Task = TypeVar("Task")
Done = TypeVar("Done")

_RETRIES: Final = 3
_MOST_FAILURES: Final = 10
"""How often a batch may fail, after Ray's own retries."""
_CONNECT_SECONDS: Final = 5.0
"""How long a cluster may take to take a connection; Ray itself tries for minutes."""
_CURRENT: Final = ("ray", "ray_current_cluster")
"""Where, in the folder for temporary files, Ray notes the cluster that this machine is part of."""


class RayExecutor(Generic[Task, Done]):
    """Works on all CPUs of a Ray cluster.

    Parameters
    ----------
    address
        The cluster's; empty: the one that this machine belongs to, or a new one on this machine.

    Raises
    ------
    FarmError
        Ray is not installed, or the cluster can't be reached.
    """

    def __init__(
        self,
        work: Work[Task, Done],
        address: str = "",
        *,
        on_note: Callable[[str], object] | None = None,
    ) -> None:
        self._ray = ray = import_ray()
        self._note = on_note or (lambda _text: None)
        self._begun_here = not ray.is_initialized()
        if self._begun_here:
            try:
                ray.init(address=address or None, log_to_driver=False, logging_level="error")
            except (ConnectionError, ValueError, RuntimeError) as error:
                text = str(error).strip().splitlines()[0]
                raise FarmError(f"--cluster: ray {address or '(local)'}: {text}") from None
        self._settings = ray.put(work.settings)
        self._opener, self._task = work.opener, work.task
        self._report: Any = Report[work.done]  # type: ignore[name-defined]  # known at run time
        self._do = ray.remote(max_retries=_RETRIES, num_cpus=1)(_do_on_node)
        self._running: dict[Any, tuple[bytes, int, float]] = {}
        self._failures: dict[bytes, int] = {}
        self._size = BatchSize()

    @property
    def busy(self) -> int:
        """See `Executor`."""
        return sum(games for _, games, _ in self._running.values())

    def wanted(self) -> int:
        """See `Executor`."""
        cpus = int(self._ray.cluster_resources().get("CPU", 1))
        return self._size() if len(self._running) < cpus else 0

    def submit(self, tasks: Sequence[Task]) -> None:
        """See `Executor`."""
        self._submit(msgspec.msgpack.encode(list(tasks)), len(tasks))

    def _submit(self, batch: bytes, games: int) -> None:
        self._running[self._do.remote(self._opener, self._settings, self._task, batch)] = (
            batch,
            games,
            time.monotonic(),
        )

    def collect(self, timeout: float) -> list[Done]:
        """See `Executor`."""
        if not self._running:
            return []
        done, _ = self._ray.wait(list(self._running), timeout=timeout)
        found: list[Done] = []
        for reference in done:
            batch, games, since = self._running.pop(reference)
            try:
                answer = self._ray.get(reference)
            except self._ray.exceptions.RayError as error:
                self._do_again(batch, games, error)
                continue
            report = msgspec.msgpack.decode(answer, type=self._report)
            if report.error:
                raise FarmError(report.error)
            self._size.note(games, time.monotonic() - since)
            found += report.done
        return found

    def _do_again(self, batch: bytes, games: int, error: Exception) -> None:
        self._failures[batch] = self._failures.get(batch, 0) + 1
        text = str(error).strip().splitlines()[0]
        if self._failures[batch] >= _MOST_FAILURES:
            raise FarmError(f"--cluster: ray: a batch failed {_MOST_FAILURES} times: {text}")
        self._note(f"{text}; its {games} games are played again")
        self._submit(batch, games)

    def recall(self) -> None:
        """See `Executor`."""

    def close(self) -> None:
        """Cancel what runs, and leave the cluster if it was joined here."""
        for reference in self._running:
            with contextlib.suppress(Exception):
                self._ray.cancel(reference, force=True)
        self._running.clear()
        if self._begun_here:
            self._ray.shutdown()


def import_ray() -> Any:
    """The library.

    Raises
    ------
    FarmError
        It isn't installed.
    """
    try:
        import ray  # noqa: PLC0415 - an extra
    except ImportError:
        raise FarmError(
            "--cluster: ray is not installed; install the extra: pip install 'carcassonne[ray]'"
        ) from None
    return ray


def require_address(address: str) -> None:
    """See that somebody listens at a cluster's address, before Ray tries to for minutes.

    Parameters
    ----------
    address
        `HOST:PORT`, `ray://HOST:PORT`, `auto`, `local`, or empty: the one that RAY_ADDRESS names
        or that this machine belongs to; without one, a new one is begun.

    Raises
    ------
    FarmError
        It is none of these, or nobody listens there.
    """
    named = address if address not in ("", "auto") else os.environ.get("RAY_ADDRESS", "")
    if named == "local":
        return
    where = named if named not in ("", "auto") else _current_cluster()
    if not where:
        if "auto" in (address, named):
            raise FarmError(
                "--cluster: ray:auto: no cluster runs on this machine; start one with "
                "`ray start --head`, or write ray:HOST:PORT"
            )
        return
    host, colon, port = where.removeprefix("ray://").rpartition(":")
    if not (colon and host and port.isdecimal() and 0 < int(port) < 2**16):
        raise FarmError(f"--cluster: ray:{where}: an address is HOST:PORT, auto or local")
    try:
        socket.create_connection((host.strip("[]"), int(port)), _CONNECT_SECONDS).close()
    except OSError as error:
        reason = error.strerror or str(error)
        hint = "" if named not in ("", "auto") else f" (noted in {_current_file()}; see `ray stop`)"
        raise FarmError(f"--cluster: can't reach {where}: {reason}{hint}") from None


def _current_file() -> Path:
    return Path(os.environ.get("RAY_TMPDIR") or tempfile.gettempdir(), *_CURRENT)


def _current_cluster() -> str:
    """The address of the cluster that this machine is part of; empty if there is none."""
    try:
        return _current_file().read_text(encoding="utf-8").strip()
    except (OSError, UnicodeError):
        return ""


@functools.lru_cache(maxsize=1)
def _worker(opener: str, settings: bytes) -> Worker[Any, Any]:
    """The worker of this process, which does many batches."""
    return open_worker(opener, settings)


def _do_on_node(opener: str, settings: bytes, task: type, batch: bytes) -> bytes:
    """Do a batch; runs on the cluster."""
    tasks: list[Any] = msgspec.msgpack.decode(batch, type=list[task])  # type: ignore[valid-type]
    return msgspec.msgpack.encode(do_batch(_worker(opener, settings), tasks))
