"""Fuzzing: games of random kinds under every invariant, and what fails, made short.

A game is its seed: rules, tiles, players, bots and the moments of the checks all follow from it.
"""

from __future__ import annotations

import random
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import count, islice
from multiprocessing import get_context
from signal import SIG_DFL, SIGINT, signal
from typing import TYPE_CHECKING, Any, Final

from carcassonne.bots import make_bot
from carcassonne.playtest.broken import Broken
from carcassonne.playtest.failures import Failure
from carcassonne.playtest.replay import caught, replay
from carcassonne.playtest.setups import random_setup
from carcassonne.playtest.shrink import BUDGET, shrink
from carcassonne.playtest.steering import steered
from carcassonne.playtest.watch import Watch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Future

    from carcassonne.model.game import Game
    from carcassonne.moves import Move

    Player = Callable[[Game], Move]

__all__ = ["FuzzReport", "Fuzzed", "fuzz", "fuzz_game"]

_PLAYERS: Final = {"random": 3, "greedy": 1, "biased": 3}
"""Who plays at each seat, with weights: the built-in bots, and a player who likes rare things."""

_TELLING: Final = ("events", "table", "listing", "features")
"""The checks that say best what is wrong; in a game they are not all made at every move."""


@dataclass
class Fuzzed:
    """One game that was played, or as much of it as went well."""

    seed: int
    kind: str = ""
    players: int = 0
    decisions: int = 0
    met: Counter[str] = field(default_factory=Counter)
    failure: Failure | None = None


@dataclass
class FuzzReport:
    """All games so far."""

    games: int = 0
    decisions: int = 0
    met: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)

    def add(self, game: Fuzzed) -> None:
        """Count one more game."""
        self.games += 1
        self.decisions += game.decisions
        self.met += game.met
        if game.failure is not None:
            self.failures.append(game.failure)

    def to_data(self) -> dict[str, Any]:
        """The report as plain data."""
        return {
            "games": self.games,
            "decisions": self.decisions,
            "met": dict(sorted(self.met.items())),
            "failures": [failure.to_data() for failure in self.failures],
        }


def fuzz_game(seed: int, *, longest: int = 1000, budget: int = BUDGET) -> Fuzzed:
    """Play the game of a seed under the invariants, and shrink it if one breaks.

    Parameters
    ----------
    longest
        At most so many tiles in the stack.
    budget
        How many moves may be played to shrink a failing game.
    """
    rng = random.Random(seed)
    done = Fuzzed(seed)
    setup = random_setup(rng, longest=longest)
    done.kind, done.players = setup.kind, len(setup.players)
    seats = rng.choices(list(_PLAYERS), list(_PLAYERS.values()), k=len(setup.players))
    players = {
        name: _player(code, rng.getrandbits(32))
        for name, code in zip(setup.players, seats, strict=True)
    }
    done.met.update((f"games of kind '{setup.kind}'", *(f"seats played by {s}" for s in seats)))
    watch = Watch(setup, rng=rng)
    moves: list[Move] = []
    try:
        game = watch.begin()
        while (decision := game.decision) is not None:
            done.met[f"decisions: {decision.kind}"] += 1
            watch.doing = "bots"
            moves.append(_chosen(players[decision.player], game))
            watch.play(moves[-1])
            done.decisions += 1
        watch.finish()
    except Exception as error:  # noqa: BLE001 - whatever breaks is what is looked for
        fault = caught(error, watch.doing)
        told = replay(setup, moves, only=(*_TELLING, fault.check))
        case = shrink(setup, moves, told.fault or fault, budget=budget)
        done.failure = Failure.of(seed, seats, setup, moves, fault, case)
    return done


def _player(code: str, seed: int) -> Player:
    if code == "biased":
        rng = random.Random(seed)
        patient = rng.random() < 0.5
        return lambda game: steered(rng, game, patient=patient)
    return make_bot(code, seed=seed).choose


def _chosen(player: Player, game: Game) -> Move:
    before = len(game.events), game.moves
    move = player(game)
    if (len(game.events), game.moves) != before:
        raise Broken("bots", "a bot has changed the game that it was asked about")
    return move


# ------------------------------------------------------------------------------ many games


def fuzz(
    seeds: Iterable[int] | None = None,
    *,
    jobs: int = 1,
    longest: int = 1000,
    budget: int = BUDGET,
) -> Iterator[Fuzzed]:
    """Play the games of many seeds, in their order whatever the number of processes.

    Parameters
    ----------
    seeds
        By default 0, 1, 2 and so on without end.
    jobs
        Processes to spread the games over.

    Raises
    ------
    BrokenProcessPool
        A process has died.
    """
    numbers = iter(count() if seeds is None else seeds)
    if jobs == 1:
        for seed in numbers:
            yield fuzz_game(seed, longest=longest, budget=budget)
        return
    # as in a terminal Ctrl-C reaches every process, the others go quietly
    with ProcessPoolExecutor(
        jobs, mp_context=get_context("spawn"), initializer=signal, initargs=(SIGINT, SIG_DFL)
    ) as pool:

        def start(seed: int) -> Future[Fuzzed]:
            return pool.submit(fuzz_game, seed, longest=longest, budget=budget)

        waiting = [start(seed) for seed in islice(numbers, 2 * jobs)]
        try:
            while waiting:
                done = waiting.pop(0).result()
                waiting += [start(seed) for seed in islice(numbers, 1)]
                yield done
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
