"""Fuzzing on the command line: many games, a progress bar, files for what fails."""

from __future__ import annotations

import json
import time
from itertools import count
from typing import TYPE_CHECKING, Final

import click

from carcassonne.errors import CarcassonneError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from carcassonne.model.game import Game
    from carcassonne.moves import Move
    from carcassonne.playtest.fuzz import Fuzzed, FuzzReport
    from carcassonne.playtest.replay import Trial

__all__ = ["run_fuzz", "run_record"]

_INTERRUPTED: Final = 130


def run_fuzz(
    *,
    games: int | None,
    seconds: float | None,
    seed: int,
    jobs: int,
    out: Path,
    progress: bool,
    as_json: bool = False,
) -> int:
    """Play games of random kinds under the invariants; save those that fail as they come.

    Parameters
    ----------
    games, seconds
        When to end: after so many games, or so much time, whichever comes first; at least one.
    seed
        The seed of the first game; the next has the next.
    out
        The folder for what fails; made when something does.
    progress
        Whether to show a line of progress on standard error.

    Returns
    -------
    int
        The exit code: 1 if a game failed; 130 after Ctrl-C if none had.

    Raises
    ------
    CarcassonneError
        A file can't be written, or a process has died.
    """
    from carcassonne.playtest.fuzz import FuzzReport  # noqa: PLC0415 - the engines load to run

    report = FuzzReport()
    files: list[Path] = []
    stopped = False
    try:
        for game in _games(games, seconds, seed, jobs):
            report.add(game)
            if game.failure is not None:
                _make(out)
                files += game.failure.save(out)
            if progress:
                _show(report, games)
    except KeyboardInterrupt:
        stopped = True
    if progress:
        click.echo("\r" + " " * 72 + "\r", nl=False, err=True)
    if as_json:
        data = {**report.to_data(), "stopped": stopped, "files": [str(file) for file in files]}
        click.echo(json.dumps(data, indent=1))
    else:
        _print(report, files, seed, stopped=stopped)
    if report.failures:
        return 1
    return _INTERRUPTED if stopped else 0


def _games(games: int | None, seconds: float | None, seed: int, jobs: int) -> Iterator[Fuzzed]:
    from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415 - as above

    from carcassonne.playtest.fuzz import fuzz  # noqa: PLC0415

    seeds = count(seed) if games is None else range(seed, seed + games)
    end = None if seconds is None else time.monotonic() + seconds
    at = seed
    try:
        for game in fuzz(seeds, jobs=jobs):
            yield game
            at = game.seed + 1
            if end is not None and time.monotonic() >= end:
                return
    except BrokenProcessPool:
        raise CarcassonneError(
            f"a process has died in one of the games of seeds {at} to {at + 2 * jobs - 1}: "
            f"find it with --jobs 1 --seed {at}"
        ) from None


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CarcassonneError(f"{folder}: can't be made: {error.strerror or error}") from None


def _show(report: FuzzReport, games: int | None) -> None:
    of = f" of {games:,}" if games is not None else ""
    text = f"{report.games:,}{of} games, {report.decisions:,} decisions, "
    click.echo(f"\r{text}{len(report.failures)} failed", nl=False, err=True)


def _print(report: FuzzReport, files: list[Path], seed: int, *, stopped: bool) -> None:
    until = " before they were stopped" if stopped else ""
    failed = len(report.failures)
    last = f" (seeds {seed} to {seed + report.games - 1})" if report.games else ""
    games = "1 game" if report.games == 1 else f"{report.games:,} games"
    click.echo(f"{games}{last}, {report.decisions:,} decisions{until}")
    for name, number in sorted(report.met.items()):
        click.echo(f"{number:>10,}  {name}")
    for failure in report.failures:
        click.echo(f"FAILED: {failure.summary()}", err=True)
    for file in files:
        click.echo(f"saved: {file}", err=True)
    click.echo(f"{failed} of them failed" if failed else "none of them failed")


def run_record(path: Path) -> int:
    """Check a saved game under every invariant, and each move that could be made next.

    Returns
    -------
    int
        The exit code: 1 if an invariant breaks, or the moves don't lead to the stated result.

    Raises
    ------
    RecordError
        The file is no record, or has a move that is not legal.
    CarcassonneError
        The game can't be followed: it has pigs or barns.
    """
    from carcassonne.playtest.replay import Trial, caught  # noqa: PLC0415 - engines load to run
    from carcassonne.record import replay_record  # noqa: PLC0415

    try:
        game, differs = replay_record(path)
        if differs:
            click.echo(f"FAILED at the end: {differs}")
        trial = _checked(path, game, game.moves)
    except CarcassonneError:
        raise
    except Exception as error:  # noqa: BLE001 - an engine with a fault
        differs, trial = "", _crash(path) or Trial(caught(error, "play"), [], [])
    if trial.fault is not None:
        what = f"move {len(trial.moves)}, '{trial.moves[-1]}'" if trial.moves else "the start"
        click.echo(f"FAILED at {what}: {trial.fault.invariant}: {trial.fault.message}")
        if trial.fault.trace:
            click.echo(trial.fault.trace.rstrip(), err=True)
        return 1
    what = "nothing else fails" if differs else "nothing fails"
    click.echo(f"{len(trial.moves)} moves and all that could come next: {what}")
    return 1 if differs else 0


def _checked(path: Path, game: Game, moves: Sequence[Move]) -> Trial:
    from carcassonne.playtest.replay import check_moves  # noqa: PLC0415 - engines load to run
    from carcassonne.playtest.setups import Setup  # noqa: PLC0415

    given = game.given or {}
    if given.get("pigs") or given.get("barns"):
        raise CarcassonneError(f"{path}: has pigs or barns, which this check cannot follow")
    return check_moves(Setup.of(game), moves)


def _crash(path: Path) -> Trial | None:
    """What a record shows that the engine can't replay; None if not even its game begins."""
    from carcassonne.moves import parse_move  # noqa: PLC0415 - engines load to run
    from carcassonne.record import begin_record  # noqa: PLC0415

    try:
        game, texts = begin_record(path)
        trial = _checked(path, game, [parse_move(text) for text in texts])
    except CarcassonneError:
        raise
    except Exception:  # noqa: BLE001 - an engine with a fault
        return None
    return trial if trial.fault is not None else None
