"""Model and core side by side: the same decisions, the same legal moves, the same results.

Random games with random options, 2 to 6 players and random tile sets. Random play almost never
meets castles, collects, cascades, declines, short stacks or auctioned tiles that fit nowhere, so
every second game is steered towards them by short stacks of awkward tiles, tables full of
castles and a biased player who looks ahead on the core. What was met is counted.
"""

from __future__ import annotations

import random
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from carcassonne.core import layout
from carcassonne.core.game import CoreGame
from carcassonne.core_link import from_model, to_model
from carcassonne.events import (
    CastleBuilt,
    MarketOpened,
    MarketSkipped,
    Score,
    TileSetAside,
    TurnSkipped,
)
from carcassonne.model.game import Game
from carcassonne.position import build_position
from carcassonne.random_games import (
    NAMES,
    POOLS,
    castle_yard,
    random_rules,
    random_tile_set,
    yard_stack,
)
from carcassonne.tiles import DEFAULT_SETS, TileBox

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from carcassonne.events import Event

__all__ = [
    "Difference",
    "Report",
    "compare_engines",
    "compare_game",
    "core_twin",
    "run_selftest",
]

_CHUNK: Final = 20


class Difference(AssertionError):
    """The two engines disagree."""


@dataclass
class Report:
    """What was compared, and what was met on the way."""

    games: int = 0
    decisions: int = 0
    moves: int = 0
    met: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def add(self, other: Report) -> None:
        """Add another report to this one."""
        self.games += other.games
        self.decisions += other.decisions
        self.moves += other.moves
        self.met += other.met
        self.failures += other.failures

    def to_data(self) -> dict[str, Any]:
        """The report as plain data."""
        return {
            "games": self.games,
            "decisions": self.decisions,
            "moves_compared": self.moves,
            "met": dict(sorted(self.met.items())),
            "failures": self.failures,
        }


# ------------------------------------------------------------------------------ games


class _Setup(NamedTuple):
    game: Game
    steered: bool
    kind: str


def _new_game(seed: int, rng: random.Random, *, longest: int) -> _Setup:
    """The game of a seed: odd seeds are steered."""
    players = NAMES[: rng.randint(2, 6)]
    steered = bool(seed & 1)
    rules = random_rules(rng, changes=rng.choice((0.0, 0.15, 0.5)))
    kind = rng.choice(
        (*POOLS, "castles", "collects", "unplaceable", "declines", "own", *["yard"] * 6)
        if steered
        else ("both", "both", "base", "own", "double")
    )
    if kind == "yard":
        box = TileBox.load(DEFAULT_SETS)
        rules = random_rules(rng, changes=0.15)
        stack = tuple(map(box.tile, yard_stack(rng)))
        given = castle_yard(rng, players)
        return _Setup(
            build_position(players, given, rules=rules, box=box, stack=stack), steered, kind
        )
    if kind in POOLS:
        box = TileBox.load(DEFAULT_SETS)
        size = rng.randint(6, min(14 if kind in ("unplaceable", "declines") else 40, longest))
        ids = [rng.choice(POOLS[kind]) for _ in range(size)]
        if kind == "declines":
            alone = {"tiles": [f"{rng.choice(('BA/L', 'BA/LR', 'BB/F.b'))} 0,0 r0"]}
            stack = tuple(map(box.tile, ids))
            game = build_position(players, alone, rules=rules, box=box, stack=stack)
            return _Setup(game, steered, kind)
    elif kind == "own":
        box = TileBox.load([*rng.choice((DEFAULT_SETS, DEFAULT_SETS[:1])), random_tile_set(rng)])
        every = list(box.types)
        mine = [name for name in every if name.startswith("ME/")]
        size = rng.randint(4, min(50, longest))
        ids = [rng.choice(rng.choice((every, mine))) for _ in range(size)]
    else:
        names = {"both": DEFAULT_SETS, "base": DEFAULT_SETS[:1]}.get(kind, ("base", "base*2"))
        if kind == "double":
            names = ("base*2", f"{DEFAULT_SETS[1]}*2")
        box = TileBox.load(names)
        tiles = box.stack()
        rng.shuffle(tiles)
        ids = [tile.id for tile in tiles[:longest]]
    return _Setup(Game.of_box(players, rules=rules, box=box, stack=ids), steered, kind)


# ------------------------------------------------------------------------------ steering


def _promise(core: CoreGame) -> int:
    """What the table promises after a move, to a player who wants to see rare things."""
    number = core.engine.number
    phase = number(layout.PHASE)
    found = 60 * (phase == layout.CASTLE) + 200 * (phase == layout.COLLECT)
    found += 40 * number(layout.SMALL) + 30 * number(layout.CASTLES)
    return found + sum(number(layout.SCORE + seat) for seat in range(len(core.players)))


def _look(core: CoreGame, move: int, depth: int) -> int:
    """The best promise that a move can lead to within this placement."""
    engine = core.engine
    engine.play(move)
    phase = engine.number(layout.PHASE)
    best = _promise(core)
    if depth and phase in (layout.MEEPLE, layout.BRIDGE):
        moves = engine.moves() if phase == layout.MEEPLE else [layout.PASS]
        best = max(_look(core, following, depth - 1) for following in moves)
    engine.undo()
    return best


def _steered(core: CoreGame, moves: list[int], rng: random.Random) -> int:
    """A move of the biased player."""
    phase = core.engine.number(layout.PHASE)
    if phase in (layout.CASTLE, layout.COLLECT):
        return moves[0] if rng.random() < 0.85 else rng.choice(moves)
    if phase == layout.PLACE and layout.DECLINE in moves and rng.random() < 0.5:
        return layout.DECLINE
    if phase == layout.MEEPLE and rng.random() < 0.7:
        return _stand_on_cap(core, moves, rng)
    if phase == layout.PLACE and rng.random() < 0.8:
        sample = rng.sample(moves, min(len(moves), 10))
        return max(sample, key=lambda move: (_look(core, move, 2), rng.random()))
    return rng.choice(moves)


def _stand_on_cap(core: CoreGame, moves: list[int], rng: random.Random) -> int:
    """A meeple on a city of a single segment if there is one, else anywhere."""
    names = {move: str(core.decode(move)) for move in moves}
    cities = [move for move, name in names.items() if name.startswith("meeple city")]
    return rng.choice(cities or moves)


# ------------------------------------------------------------------------------ comparing


def compare_engines(model: Game, core: CoreGame, *, full: bool) -> None:
    """Compare one game on both engines: the decision, its moves, and what lies on the table.

    Parameters
    ----------
    full
        Compare all features; else those on the last tile.

    Raises
    ------
    Difference
        At the first thing in which they disagree.
    """
    _compare_tables(model, core, full=full)
    _compare_decisions(model, core)


def _same(what: str, model: object, core: object) -> None:
    if model == core:
        return
    if isinstance(model, dict) and isinstance(core, dict):
        keys = [key for key in {**model, **core} if model.get(key) != core.get(key)]
        model = {str(key): model.get(key) for key in keys}
        core = {str(key): core.get(key) for key in keys}
    raise Difference(f"{what}: the model says {model}, the core says {core}")


def _compare_decisions(model: Game, core: CoreGame) -> None:
    """The open decision and its legal moves, in any order; at the end the winners."""
    here, there = model.decision, core.decision
    if here is None or there is None:
        _same("over", here, there)
        _same("winners", model.winners, core.winners)
        return
    _same("decision", _fields(here), _fields(there))
    names = [str(core.decode(number)) for number in core.move_numbers()]
    _same("legal moves", sorted(map(str, model.legal_moves())), sorted(names))


def _compare_tables(model: Game, core: CoreGame, *, full: bool) -> None:
    """Everything that lies on the table; features near the last tile, or all."""
    for what in ("scores", "supply", "on_offer", "hands", "discarded", "stack_left", "active",
                 "in_round", "high_bid", "drawn", "is_over"):  # fmt: skip
        _same(what, getattr(model, what), getattr(core, what))
    _same("castles", list(map(_fields, model.castles)), list(map(_fields, core.castles)))
    if full:
        here = {f.at: _feature(f) for f in model.features()}
        _same("features", here, {f.at: _feature(f) for f in core.features()})
        _same("open cells", model.open_cells(), core.open_cells())
        return
    placed = list(model.tiles)[-1]
    for node in model.segments(placed):
        _same(f"feature {node}", _feature(model.feature(node)), _feature(core.feature(node)))


def core_twin(model: Game) -> CoreGame:
    """A game that has just begun, on the core: begun there, too, unless it is a position.

    Raises
    ------
    CapacityError
        The game is larger than the core holds.
    """
    if model.given is not None:
        return from_model(model)
    return CoreGame.of_box(model.players, rules=model.rules, box=model.box, stack=model.stack)


class _Pair:
    """One game on both engines."""

    def __init__(self, seed: int, *, longest: int) -> None:
        self.seed = seed
        self.rng = random.Random(seed)
        self.setup = _new_game(seed, self.rng, longest=longest)
        self.model = self.setup.game
        self.core = core_twin(self.model)
        self.report = Report(games=1)
        self.report.met[f"games of kind '{self.setup.kind}'"] += 1

    def same(self, what: str, model: object, core: object) -> None:
        """Raise unless both engines answer the same."""
        with self._placed():
            _same(what, model, core)

    @contextmanager
    def _placed(self) -> Iterator[None]:
        """Say in which game, and where in it, the engines differ."""
        try:
            yield
        except Difference as difference:
            moves = "; ".join(map(str, self.model.moves[-6:]))
            raise Difference(
                f"seed {self.seed}, move {len(self.model.moves)}, {difference} (after {moves})"
            ) from None

    def play(self) -> Report:
        """The whole game."""
        model, rng, met = self.model, self.rng, self.report.met
        self._tables(full=True)
        while not model.is_over:
            number = self._choose()
            move = self.core.decode(number)
            if rng.random() < 0.1:
                self._probe(number)
            if rng.random() < 0.01:
                self._cross()
                number = self.core.encode(move)
            met.update(_met_moves(str(move), self.core))
            events = model.play(move)
            self.core.play_number(number)
            met.update(_met_events(events))
            self._tables(full=rng.random() < 0.04 or model.is_over)
        self.same("winners", model.winners, self.core.winners)
        return self.report

    def _choose(self) -> int:
        """Compare the open decision and its legal moves, and choose one."""
        core = self.core
        with self._placed():
            _compare_decisions(self.model, core)
        numbers = core.move_numbers()
        names = [str(core.decode(number)) for number in numbers]
        self.same("encode", numbers[0], core.encode(names[0]))
        self.report.decisions += 1
        self.report.moves += len(numbers)
        if self.setup.steered:
            return _steered(core, numbers, self.rng)
        return self.rng.choice(numbers)

    def _tables(self, *, full: bool) -> None:
        with self._placed():
            _compare_tables(self.model, self.core, full=full)

    def _probe(self, number: int) -> None:
        """Play and take back; play a copy on: neither may leave a trace."""
        core, met = self.core, self.report.met
        before = core.engine.snapshot()
        core.play_number(number)
        core.undo()
        self.same("undo", True, before == core.engine.snapshot())  # noqa: FBT003 - a value
        twin = core.copy()
        for _ in range(self.rng.randint(1, 30)):
            if twin.is_over:
                break
            twin.play_number(self.rng.choice(twin.move_numbers()))
            met["moves taken back on copies"] += 1
        after = twin.engine.snapshot()
        self.same("copies", True, before == core.engine.snapshot())  # noqa: FBT003 - a value
        self.same("copies", True, after == twin.engine.snapshot())  # noqa: FBT003 - a value
        while twin.engine.undo():
            pass
        self.same("undo of all", True, before == twin.engine.snapshot())  # noqa: FBT003

    def _cross(self) -> None:
        """Go over to a core made from the model, or compare a model made from the core."""
        if self.rng.random() < 0.75:
            self.core = from_model(self.model)
            self.report.met["model to core"] += 1
            return
        twin = to_model(self.core)
        self.same("to_model", self.model.fingerprint(), twin.fingerprint())
        self.report.met["core to model"] += 1


def _fields(value: Any) -> tuple[Any, ...]:
    return tuple(getattr(value, name) for name in value.__struct_fields__)


def _feature(view: Any) -> tuple[Any, ...]:
    return (
        view.at, view.kind, view.tiles, view.open, view.complete, view.points, view.pennants,
        view.meeples, view.cells, frozenset(view.segments),
    )  # fmt: skip


def _met_moves(move: str, core: CoreGame) -> Iterator[str]:
    """The rare things that a move is, by the name under which they are counted."""
    word = move.partition(" ")[0]
    if word in ("decline", "collect", "castle", "buy", "sell", "take", "bid"):
        yield word
    if word == "bridge":
        yield "free bridge"
    if word == "place" and " bridge " in move:
        yield "bridge that a placement needed"
    if word == "castle" and core.engine.number(layout.SMALL) > 1:
        yield "castle out of several"


def _met_events(events: tuple[Event, ...]) -> Iterator[str]:
    for event in events:
        match event:
            case CastleBuilt():
                yield "castle built"
            case MarketOpened():
                yield "market opened"
            case MarketSkipped():
                yield "market skipped (short stack)"
            case TileSetAside(rule="R-BASE-6"):
                yield "tile that fits nowhere"
            case TurnSkipped():
                yield "turn of a round skipped"
            case Score(rule="R-CASTLE-18"):
                yield "castle paid by a feature"
            case Score(rule="R-CASTLE-25"):
                yield "castle paid by a castle (cascade)"
            case _:
                pass


# ------------------------------------------------------------------------------ running


def compare_game(seed: int, *, longest: int = 1000) -> Report:
    """Play the game of a seed on both engines.

    Raises
    ------
    Difference
        At the first thing in which they disagree.
    """
    return _Pair(seed, longest=longest).play()


def _run(seeds: range, longest: int) -> Report:
    report = Report()
    for seed in seeds:
        try:
            report.add(compare_game(seed, longest=longest))
        except Exception as error:  # noqa: BLE001 - whatever breaks is a finding with its seed
            report.failures.append(f"seed {seed}: {type(error).__name__}: {error}")
    return report


def run_selftest(
    games: int,
    *,
    jobs: int = 1,
    seed: int = 0,
    longest: int = 1000,
    on_games: Callable[[Report], None] | None = None,
) -> Report:
    """Play many games on both engines, and report what was compared and where they differ.

    Parameters
    ----------
    jobs
        Processes to spread the games over.
    longest
        At most so many tiles in a stack.
    on_games
        Called with what has been done so far.
    """
    chunks = [
        range(start, min(start + _CHUNK, seed + games))
        for start in range(seed, seed + games, _CHUNK)
    ]
    report = Report()

    def take(part: Report) -> None:
        report.add(part)
        if on_games:
            on_games(report)

    if jobs == 1:
        for chunk in chunks:
            take(_run(chunk, longest))
    else:
        with ProcessPoolExecutor(jobs) as pool:
            for part in pool.map(_run, chunks, [longest] * len(chunks)):
                take(part)
    return report
