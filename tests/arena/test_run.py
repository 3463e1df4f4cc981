"""Running tournaments: on processes, interrupted, killed, resumed; always the same games."""

from __future__ import annotations

import json
import os
import random
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from carcassonne.arena.game import work_of
from carcassonne.arena.store import RECORDS, Store, read_results
from carcassonne.errors import CarcassonneError
from carcassonne.farm.batches import BATCH_SECONDS, BatchSize
from carcassonne.farm.pool import PoolExecutor
from tests.arena.helpers import Watcher, command, play, reading, resume, run
from tests.bots.test_external import alive, mock_command

if TYPE_CHECKING:
    from collections.abc import Iterator

    from carcassonne.arena.config import Tournament
    from carcassonne.arena.game import Played
    from carcassonne.arena.schedule import Task

GAMES = 1000


def files(folder: Path) -> tuple[bytes, object]:
    """What must be the same however a tournament was played."""
    return (folder / RECORDS).read_bytes(), read_results(folder)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament played without disturbance, in one process."""
    folder = tmp_path_factory.mktemp("whole")
    play(folder, reading(games=GAMES))
    return folder


def begin(folder: Path, *words: object) -> subprocess.Popen[str]:
    """Start that tournament, or resume it, as a command."""
    return subprocess.Popen(  # noqa: S603 - the program itself
        command("tournament", "--out", str(folder), *map(str, words)),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip


WORDS = ("--bot", "random", "--bot", "random", "--games", GAMES, "--tile-sets", "base")


def wait_for_games(folder: Path, least: int = 1) -> int:
    """Wait until games are reported as finished; how many there are."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            count = len(read_results(folder).results)
        except CarcassonneError:
            count = 0
        if count >= least:
            return count
        time.sleep(0.02)
    raise AssertionError("no games in a minute")


def wait_for_end(pid: int) -> None:
    """Wait until a process is gone, or dead and not yet buried."""
    until = time.monotonic() + 20
    while time.monotonic() < until:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return
        except OSError:
            return
        time.sleep(0.05)
    raise AssertionError(f"process {pid} is still there")


# ------------------------------------------------------------------------------ processes


def pool(tournament: Tournament) -> PoolExecutor[Task, Played]:
    """Two worker processes."""
    return PoolExecutor(work_of(tournament), 2)


def test_two_processes_play_the_same_games(tmp_path: Path, whole: Path) -> None:
    play(tmp_path, reading(games=GAMES), pool)
    assert files(tmp_path) == files(whole)


@pytest.mark.parametrize(
    "keys",
    [
        {"bots": ["random"] * 5, "format": "swiss", "rounds": 3, "games": 4},
        {"bots": ["random"] * 5, "format": "knockout", "games": 4},
        {"bots": ["random"] * 4, "players": 3, "games": 3},
        {"games": 2000, "sprt": {"elo0": -5.0, "elo1": 40.0}, "seed": 2},
    ],
    ids=["swiss", "knockout", "tables", "sprt"],
)
def test_formats_on_processes_and_resumed(tmp_path: Path, keys: dict[str, object]) -> None:
    read = reading(**keys)
    play(tmp_path / "one", read)
    play(tmp_path / "two", read, pool)
    assert files(tmp_path / "one") == files(tmp_path / "two")

    class Stopped(Exception):
        """The run is broken off."""

    def stop() -> None:
        raise Stopped

    with pytest.raises(Stopped):
        play(tmp_path / "three", read, watcher=Watcher(stop))
    resume(tmp_path / "three")
    assert files(tmp_path / "one") == files(tmp_path / "three")
    stored = read_results(tmp_path / "one")
    assert stored.finished
    if read.tournament.sprt is None:
        assert len(stored.results) == stored.planned
    else:
        assert 2 < len(stored.results) < stored.planned


def test_a_killed_worker_s_games_are_played_again(tmp_path: Path, whole: Path) -> None:
    watcher = Watcher()
    executors: list[PoolExecutor[Task, Played]] = []

    def make(tournament: Tournament) -> PoolExecutor[Task, Played]:
        executors.append(PoolExecutor(work_of(tournament), 2, on_note=watcher.note))
        return executors[0]

    def kill() -> None:
        os.kill(executors[0].pids[1], signal.SIGKILL)

    watcher._at_first = kill
    play(tmp_path, reading(games=GAMES), make, watcher)
    assert files(tmp_path) == files(whole)
    assert len(watcher.notes) == 1
    assert "died (exit code -9)" in watcher.notes[0]


def test_a_game_that_kills_its_workers_ends_the_tournament(tmp_path: Path) -> None:
    script = """
import os, sys
from carcassonne.arena import game
from carcassonne.arena.game import work_of
from carcassonne.farm.pool import PoolExecutor
from tests.arena.helpers import play, reading
from pathlib import Path

def die(self, task):
    os._exit(7)

game.Referee.play = die
if __name__ == "__main__":
    play(Path(sys.argv[1]), reading(games=2), lambda t: PoolExecutor(work_of(t), 1))
"""
    path = tmp_path / "deadly.py"
    path.write_text(script)
    done = subprocess.run(  # noqa: S603 - the program itself
        [sys.executable, str(path), str(tmp_path / "t")], capture_output=True, text=True,
        check=False, timeout=60, env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )  # fmt: skip
    assert "3 processes have died over it (exit code 7)" in done.stderr


def test_workers_end_with_their_parent(tmp_path: Path) -> None:
    running = begin(tmp_path, *WORDS, "--games", 200_000, "--jobs", 2)
    wait_for_games(tmp_path)
    listed = Path(f"/proc/{running.pid}/task/{running.pid}/children").read_text()
    children = [int(pid) for pid in listed.split()]
    assert len(children) >= 2
    running.kill()
    running.communicate()
    for pid in children:
        wait_for_end(pid)


# ------------------------------------------------------------------------------ killed


@pytest.mark.parametrize("jobs", [1, 2])
def test_killed_at_any_moment_and_resumed(tmp_path: Path, whole: Path, jobs: int) -> None:
    """No game that was reported is lost or played twice, and it all ends the same."""
    rng = random.Random(jobs)
    running = begin(tmp_path, *WORDS, "--jobs", jobs)
    wait_for_games(tmp_path)
    for _ in range(2):
        time.sleep(rng.random() * 0.4)
        running.kill()
        running.communicate()
        before = read_results(tmp_path).results
        assert before
        running = begin(tmp_path, "--resume", "--jobs", jobs)
        wait_for_games(tmp_path, min(len(before) + 1, GAMES))
        assert set(before) <= set(read_results(tmp_path).results)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, err) == (0, "")
    assert f"{GAMES:,} games" in out
    assert files(tmp_path) == files(whole)


# ------------------------------------------------------------------------------ Ctrl-C


def test_ctrl_c_saves_running_games_and_the_rest_can_be_played(tmp_path: Path, whole: Path) -> None:
    running = begin(tmp_path, *WORDS, "--jobs", 2)
    wait_for_games(tmp_path)
    os.killpg(running.pid, signal.SIGINT)
    _, err = running.communicate(timeout=30)
    if running.returncode == 130:  # else it was quicker
        stored = read_results(tmp_path)
        assert f"{len(stored.results):,} of {GAMES:,} games are saved" in err
        assert "--resume" in err
        assert not stored.finished
    done = run("tournament", "--out", tmp_path, "--resume", "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["finished"]
    assert files(tmp_path) == files(whole)


SLOW = """
import sys, time
from pathlib import Path
from carcassonne.arena import game
from carcassonne.cli import main

class Slow:
    name = "slow"

    def choose(self, state):
        Path(sys.argv[-1], "asked").touch()
        time.sleep(float(Path(sys.argv[-1], "pause").read_text()))
        return state.legal_moves()[0]

game.make_entrant = lambda entrant, seed, roster: Slow()
if __name__ == "__main__":
    main()
"""


@pytest.fixture
def slow(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A tournament of bots that take their time, the first of which is thinking."""
    (tmp_path / "slow.py").write_text(SLOW)
    (tmp_path / "pause").write_text("0.02")
    words = ["tournament", *map(str, WORDS), "--out", str(tmp_path)]
    running = subprocess.Popen(  # noqa: S603 - the program itself
        [sys.executable, str(tmp_path / "slow.py"), *words],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    until = time.monotonic() + 30
    while not (tmp_path / "asked").exists() and time.monotonic() < until:
        time.sleep(0.02)
    yield running
    running.kill()
    running.communicate()


def test_the_first_ctrl_c_finishes_the_running_game(
    tmp_path: Path, slow: subprocess.Popen[str]
) -> None:
    slow.send_signal(signal.SIGINT)
    _, err = slow.communicate(timeout=60)
    assert slow.returncode == 130
    assert "running games are finished and saved" in err
    assert len(read_results(tmp_path).results) == 1


def test_the_second_ctrl_c_stops_at_once(tmp_path: Path, slow: subprocess.Popen[str]) -> None:
    (tmp_path / "pause").write_text("30")
    slow.send_signal(signal.SIGINT)
    time.sleep(0.5)
    assert slow.poll() is None
    slow.send_signal(signal.SIGINT)
    _, err = slow.communicate(timeout=10)
    assert slow.returncode == 130
    assert "Traceback" not in err
    assert read_results(tmp_path).results == ()
    Store.resume(tmp_path).close()


# ------------------------------------------------------------------------------ bots that stay

STUBBORN = ("ignores_quit", "leaves_group")


@pytest.fixture
def token(tmp_path: Path) -> Iterator[str]:
    """An argument for the bots of a tournament, none of whose processes may be left after it."""
    token = str(tmp_path / "token")
    yield token
    until = time.monotonic() + 10
    while alive(token) and time.monotonic() < until:
        time.sleep(0.02)
    assert alive(token) == []


def stubborn(token: str, *names: str) -> list[str]:
    """The words for a tournament with bots that don't go when they are told to."""
    codes = ["random", *(f"cmd:{shlex.join(mock_command(name, token))}" for name in names)]
    words = [word for code in codes for word in ("--bot", code)]
    return [*words, "--tile-sets", "base", "--format", "gauntlet"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_no_bot_outlives_a_tournament(tmp_path: Path, token: str, jobs: int) -> None:
    words = stubborn(token, *STUBBORN, "ignores_quit")
    done = run("tournament", *words, "--games", 4, "--jobs", jobs, "--out", tmp_path / "t", "-q")
    assert done.returncode == 0
    assert alive(token) == []


def play_on(tmp_path: Path, token: str) -> subprocess.Popen[str]:
    """Begin a long tournament of such bots on two processes."""
    words = stubborn(token, *STUBBORN)
    running = begin(tmp_path / "t", *words, "--games", 10_000, "--jobs", 2, "-q")
    wait_for_games(tmp_path / "t")
    assert alive(token)
    return running


def test_no_bot_outlives_two_ctrl_c(tmp_path: Path, token: str) -> None:
    running = play_on(tmp_path, token)
    running.send_signal(signal.SIGINT)
    time.sleep(0.3)  # so that it is two
    running.send_signal(signal.SIGINT)
    running.communicate(timeout=20)
    assert running.returncode == 130


def test_no_bot_outlives_a_killed_tournament(tmp_path: Path, token: str) -> None:
    running = play_on(tmp_path, token)
    running.kill()
    running.communicate()


def test_no_bot_outlives_a_killed_worker(tmp_path: Path, token: str) -> None:
    """Its tasks are done again by another worker, with bots of its own."""
    running = play_on(tmp_path, token)
    before = set(alive(token))
    listed = Path(f"/proc/{running.pid}/task/{running.pid}/children").read_text()
    for pid in listed.split():
        os.kill(int(pid), signal.SIGKILL)
    until = time.monotonic() + 10
    while before & set(alive(token)) and time.monotonic() < until:
        time.sleep(0.02)
    assert not before & set(alive(token))
    running.kill()
    running.communicate()


# ------------------------------------------------------------------------------ small things


def test_batches_grow_to_their_time_and_shrink_at_once() -> None:
    size = BatchSize()
    assert size() == 1
    sizes = []
    for _ in range(10):
        sizes.append(size())
        size.note(size(), size() * 0.001)
    assert sizes[:3] == [1, 4, 16]
    assert sizes[-1] == pytest.approx(BATCH_SECONDS / 0.001, abs=1)
    size.note(size(), 100.0)
    assert size() == 1
