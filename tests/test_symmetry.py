"""Nothing depends on how the table is turned, on players' names or on the order of iteration."""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from carcassonne.events import (
    BridgeBuilt,
    CastleBuilt,
    Event,
    FeatureCompleted,
    GameOver,
    MeeplePlaced,
    MeepleReturned,
    Score,
    TilePlaced,
)
from carcassonne.geometry import HALVES, ROTATIONS, SIDES, turn_cell
from carcassonne.moves import (
    Address,
    BridgePlace,
    BuildBridge,
    BuildCastle,
    Collect,
    Move,
    Place,
    PutMeeple,
)
from carcassonne.playtest.near_moves import garbage
from carcassonne.playtest.steering import steered
from carcassonne.position import from_position
from carcassonne.random_games import NAMES
from tests.strategies import castle_yard, examples, random_setup

if TYPE_CHECKING:
    from collections.abc import Iterable

    from carcassonne import Game
    from tests.strategies import Setup

SEEDS = range(examples(12))


def turned_name(name: str, quarters: int) -> str:
    """A segment's name on a tile that is turned with the table."""
    kind, _, where = name.partition(".")
    if where in SIDES:
        return f"{kind}.{SIDES[(SIDES.index(where) + quarters) % 4]}"
    if where in HALVES:
        return f"{kind}.{HALVES[(HALVES.index(where) + 2 * quarters) % 8]}"
    return name


def turned_at(at: Address, quarters: int) -> Address:
    return Address(turn_cell(at.cell, quarters), turned_name(at.segment, quarters))


def turned_bridge(place: BridgePlace, quarters: int) -> BridgePlace:
    return BridgePlace(turn_cell(place.cell, quarters), (place.axis + quarters) % 2)


def turned_move(move: Move, quarters: int) -> Move:
    """The same move on a table that is turned by clockwise quarters."""
    if isinstance(move, Place):
        bridge = turned_bridge(move.bridge, quarters) if move.bridge else None
        cell = turn_cell(move.cell, quarters)
        return Place(move.tile, cell, (move.rotation + quarters) % 4, bridge)
    if isinstance(move, BuildBridge):
        return BuildBridge(turned_bridge(move.place, quarters))
    if isinstance(move, PutMeeple):
        return PutMeeple(turned_name(move.segment, quarters))
    if isinstance(move, BuildCastle):
        return BuildCastle(turned_at(move.city, quarters))
    if isinstance(move, Collect):
        return Collect(turned_at(move.feature, quarters))
    return move


def told(game: Game, events: Iterable[Event]) -> Counter[str]:
    """What events say, without where on the table it happened."""
    lines: Counter[str] = Counter()
    for event in events:
        if isinstance(event, Score):
            items = [(item.count, item.each, item.rule) for item in event.items]
            text = f"{event.player} {event.points} {event.rule} {event.feature} {items}"
        elif isinstance(event, FeatureCompleted):
            text = f"{event.feature} {event.points} {sorted(event.winners)}"
        elif isinstance(
            event, BridgeBuilt | CastleBuilt | MeeplePlaced | MeepleReturned | TilePlaced
        ):
            text = f"{type(event).__name__} {event.player}"
        elif isinstance(event, GameOver):
            text = f"over {sorted(event.scores.items())} {event.winners}"
        else:
            text = str(event)
        lines[text] += 1
    return lines


def features_of(game: Game, quarters: int = 0, twin: Game | None = None) -> set[tuple[object, ...]]:
    """Every feature with all its numbers; the segments turned, as the twin calls them."""

    def called(at: Address) -> Address | None:
        if twin is None:
            return at
        there = turned_at(at, quarters)
        return twin.tiles[there.cell].find(there.segment)

    return {
        (
            frozenset(map(called, view.segments)), view.kind, view.tiles,
            view.open, view.complete, view.points, view.pennants, frozenset(view.meeples.items()),
        )
        for view in game.features()
    }  # fmt: skip


def canonical_names(game: Game, moves: Iterable[Move]) -> set[str]:
    return {str(game.canonical(move)) for move in moves}


def turned_game(setup: Setup, quarters: int) -> Game:
    """The game of a setup with all that lies on the table turned."""
    given = setup.given or {"tiles": ["BA/RCr 0,0 r0"]}

    def where(cell: str) -> str:
        x, y = turn_cell((int(cell.split(",", maxsplit=1)[0]), int(cell.split(",")[1])), quarters)
        return f"{x},{y}"

    def tile(text: str) -> str:
        name, cell, rotation = text.split(" ")
        turns = (ROTATIONS.index(rotation) + quarters) % 4
        return f"{name} {where(cell)} {ROTATIONS[turns]}"

    def piece(text: str) -> str:
        *owner, cell, name = text.split(" ")
        return " ".join([*owner, where(cell), turned_name(name, quarters)])

    return from_position(
        setup.players,
        {
            "tiles": [tile(text) for text in given["tiles"]],
            "castles": [piece(text) for text in given.get("castles", [])],
            "meeples": [piece(text) for text in given.get("meeples", [])],
            "stack": list(setup.game().stack),
        },
        rules=setup.rules,
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_a_turned_table_changes_nothing_but_coordinates(seed: int) -> None:
    """The game and its three turned twins have the same choices, scores and supplies throughout."""
    rng = random.Random(seed)
    _play_together(random_setup(rng, stack_size=rng.choice([12, 20, 30])), rng)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_turned_yard_of_castles_pays_the_same(seed: int) -> None:
    """Cascades go the same way whichever way the castles lie (R-CASTLE-26)."""
    rng = random.Random(seed)
    for _ in range(4):
        _play_together(castle_yard(rng), rng, patient=False)


def _play_together(setup: Setup, rng: random.Random, *, patient: bool = True) -> None:
    game = setup.game()
    twins = {quarters: turned_game(setup, quarters) for quarters in range(4)}
    while True:
        _compare(game, twins, rng)
        if game.decision is None:
            break
        move = steered(rng, game, patient=patient)
        events = told(game, game.play(move))
        for quarters, twin in twins.items():
            assert told(twin, twin.play(turned_move(move, quarters))) == events


def _compare(game: Game, twins: dict[int, Game], rng: random.Random) -> None:
    decision = game.decision
    moves = list(game.legal_moves())
    wrong = garbage(rng, game)
    rules = Counter(violation.rule for violation in game.why_not(wrong))
    thorough = len(game.moves) % 5 == 0
    for quarters, twin in twins.items():
        other = twin.decision
        assert (other is None) == (decision is None)
        if decision is not None and other is not None:
            same = ("kind", "player", "tile", "high_bid")
            assert [getattr(other, key) for key in same] == [getattr(decision, key) for key in same]
        turned = canonical_names(twin, [turned_move(move, quarters) for move in moves])
        assert turned == {str(move) for move in twin.legal_moves()}
        assert len(turned) == len(moves)
        assert (twin.scores, twin.supply) == (game.scores, game.supply)
        assert (twin.discarded, twin.hands, twin.on_offer) == (
            game.discarded, game.hands, game.on_offer,
        )  # fmt: skip
        assert {turn_cell(cell, quarters) for cell in game.open_cells()} == set(twin.open_cells())
        found = twin.why_not(turned_move(wrong, quarters))
        assert Counter(violation.rule for violation in found) == rules, str(wrong)
        if thorough:
            assert features_of(twin) == features_of(game, quarters, twin)
            assert {
                (c.owner, c.occupied, frozenset(turn_cell(v, quarters) for v in c.vicinity))
                for c in game.castles
            } == {(c.owner, c.occupied, frozenset(c.vicinity)) for c in twin.castles}


@pytest.mark.parametrize("seed", SEEDS)
def test_rulings_do_not_depend_on_names(seed: int) -> None:
    """Names that sort the other way round, or look like other things, change no ruling."""
    rng = random.Random(seed)
    setup = random_setup(rng, stack_size=25)
    count = len(setup.players)
    others = rng.choice(
        [
            tuple(reversed(NAMES[:count])),
            ("zz", "road.E", "pass", "Ä", "over", "city.N")[:count],
            tuple("9876543210"[:count]),
        ]
    )
    game = setup.game()
    twin = replace(setup, players=others).game()
    seat = dict(zip(setup.players, others, strict=True))
    while game.decision is not None:
        other = twin.decision
        assert other is not None
        assert (other.kind, other.player) == (game.decision.kind, seat[game.decision.player])
        assert list(map(str, twin.legal_moves())) == list(map(str, game.legal_moves()))
        assert twin.scores == {seat[name]: points for name, points in game.scores.items()}
        assert twin.supply == {seat[name]: pieces for name, pieces in game.supply.items()}
        wrong = garbage(rng, game)
        rules = [violation.rule for violation in game.why_not(wrong)]
        assert [violation.rule for violation in twin.why_not(wrong)] == rules
        move = steered(rng, game)
        events, twins = game.play(move), twin.play(move)
        assert [type(event) for event in twins] == [type(event) for event in events]
        assert [e.points for e in twins if isinstance(e, Score)] == [
            e.points for e in events if isinstance(e, Score)
        ]
    assert twin.decision is None
    assert twin.winners == [seat[name] for name in game.winners]


def digest() -> str:
    """A digest of every listing, event and refusal of some games."""
    total = hashlib.sha256()
    for seed in range(4):
        rng = random.Random(seed)
        game = random_setup(rng, stack_size=20).game()
        while game.decision is not None:
            total.update("\n".join(map(str, game.legal_moves())).encode())
            wrong = garbage(rng, game)
            total.update("\n".join(map(str, game.why_not(wrong))).encode())
            total.update("\n".join(map(str, game.play(steered(rng, game)))).encode())
        total.update("\n".join(map(repr, game.features())).encode())
    return total.hexdigest()


def test_rulings_do_not_depend_on_the_order_of_iteration() -> None:
    """Processes with different hash seeds list, refuse, play and explain alike, word for word."""
    code = "from tests.test_symmetry import digest; print(digest())"
    answers = set()
    for hash_seed in ("0", "1", "77"):
        done = subprocess.run(  # noqa: S603 - this very test module
            [sys.executable, "-c", code],
            env={
                **os.environ,
                "PYTHONHASHSEED": hash_seed,
                "PYTHONPATH": os.pathsep.join(sys.path),
            },
            capture_output=True,
            text=True,
            check=True,
        )
        answers.add(done.stdout)
    assert answers == {digest() + "\n"}
