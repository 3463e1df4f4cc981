"""Plays many games of greedy bots with everything on and checks how each of them ends.

Run from the checkout: `python -m tests.soak --seeds 0-999 --players 2 --jobs 2`, or with
`--seeds 0-99 --players 2-6`. Exit code 1 if a game fails; every failing one is named.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
import traceback
from collections import Counter
from typing import NamedTuple

from carcassonne import Game
from carcassonne.bots import make_bot
from carcassonne.bots.play import play_out
from carcassonne.events import Score, TilePlaced, TileSetAside

__all__ = ["Result", "main", "play_one"]

NAMES = ("A", "B", "C", "D", "E", "F")


class Result(NamedTuple):
    """One game: what went wrong (empty if nothing), what it had, and CPU seconds."""

    seed: int
    players: int
    error: str
    counts: Counter[str]
    seconds: float


def play_one(job: tuple[int, int]) -> Result:
    """Play the game of a seed and a number of players."""
    seed, players = job
    start = time.process_time()
    counts: Counter[str] = Counter()
    try:
        game = Game.new(NAMES[:players], seed=seed)
        bots = [make_bot("greedy", seed=seed + seat) for seat in range(players)]
        outcome = play_out(game, bots)
        error = outcome.message or _check(game)
        counts.update(type(event).__name__ for event in game.events)
        counts.update(f"{str(move).split(' ', maxsplit=1)[0]} move" for move in game.moves)
    except Exception:  # noqa: BLE001 - whatever happens, the other seeds are played
        error = traceback.format_exc()
    return Result(seed, players, error, counts, time.process_time() - start)


def _check(game: Game) -> str:
    """What is wrong with a finished game."""
    if not game.is_over or not game.winners or game.stack_left:
        return "the game is not over"
    sums = dict.fromkeys(game.players, 0)
    for event in game.events:
        if isinstance(event, Score):
            sums[event.player] += event.points
    if sums != game.scores:
        return f"score events add up to {sums}, but the scores are {game.scores}"
    placed = sum(isinstance(event, TilePlaced) for event in game.events)
    aside = sum(isinstance(event, TileSetAside) for event in game.events)
    if placed + aside != len(game.stack) or placed + 1 != len(game.tiles):
        return f"{placed} tiles placed and {aside} set aside of {len(game.stack)}"
    return ""


def _numbers(text: str) -> range:
    """Read `5` or `0-999`."""
    first, dash, last = text.partition("-")
    return range(int(first), int(last if dash else first) + 1)


def main(arguments: list[str] | None = None) -> int:
    """Play all the games; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--seeds", type=_numbers, default=range(1000), metavar="0-999")
    parser.add_argument("--players", type=_numbers, default=range(2, 3), metavar="2-6")
    parser.add_argument("--jobs", type=int, default=1, metavar="N")
    options = parser.parse_args(arguments)
    jobs = [(seed, players) for players in options.players for seed in options.seeds]
    start = time.monotonic()
    failed = 0
    seconds = 0.0
    counts: Counter[str] = Counter()
    with multiprocessing.get_context("spawn").Pool(options.jobs) as pool:
        for result in pool.imap_unordered(play_one, jobs, chunksize=4):
            counts += result.counts
            seconds += result.seconds
            if result.error:
                failed += 1
                print(f"FAILED: seed {result.seed}, {result.players} players: {result.error}")
    for name, count in sorted(counts.items()):
        print(f"{name:20} {count:9}  {count / len(jobs):8.2f} a game")
    print(
        f"{len(jobs)} games, {failed} failed, {seconds / len(jobs):.3f} s CPU a game, "
        f"{time.monotonic() - start:.0f} s in all"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
