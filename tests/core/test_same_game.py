"""Model and core are the same game: short games side by side, half of them steered."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

from carcassonne import Game
from carcassonne.core import COMPILED
from carcassonne.core_link import from_model, to_model
from carcassonne.selftest import run_selftest
from carcassonne.tiles import DEFAULT_SETS

GAMES = 300 if COMPILED else 120
ROOT = Path(__file__).parents[2]


def test_short_games_are_the_same_on_both_engines() -> None:
    report = run_selftest(GAMES, seed=50_000, longest=24)
    assert report.failures == []
    assert report.games == GAMES
    for rare in ("castle built", "castle paid by a feature", "tile that fits nowhere",
                 "bridge that a placement needed", "market skipped (short stack)",
                 "model to core", "core to model"):  # fmt: skip
        assert report.met[rare], rare


def test_abbeys_close_bridges_only_if_they_came_later() -> None:
    """Found by the selftest: a core made from the model left such a bridge open."""
    stack = ["BA/L", "AM/A", "BA/L"]
    model = Game.new(["A", "B"], tile_sets=[*DEFAULT_SETS, "abbey_mayor"], stack=stack)
    for move in ("place BA/L 1,0 r0 bridge 1,0 EW", "pass", "place AM/A 2,0 r0"):
        model.play(move)
    core = from_model(model)
    assert core.feature("1,0 road.E").open == model.feature("1,0 road.E").open == 1


def test_the_other_form_is_the_same_game() -> None:
    """The uncompiled file, asked for by the environment, whatever form is installed."""
    program = (
        "from carcassonne.core import COMPILED; from carcassonne.selftest import run_selftest; "
        "r = run_selftest(40, seed=60_000, longest=16); "
        "assert not COMPILED; assert not r.failures, r.failures; print(r.games)"
    )
    environment = {**os.environ, "CARCASSONNE_PURE": "1"}
    found = subprocess.run(  # noqa: S603 - this program
        [sys.executable, "-c", program],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert found.stdout.strip() == "40"


def test_a_game_crosses_to_the_core_and_back_at_any_point() -> None:
    rng = random.Random(3)
    model = Game.new(["A", "B", "C"], seed=11)
    kinds = set()
    while not model.is_over:
        if model.decision is not None and model.decision.kind not in kinds:
            kinds.add(model.decision.kind)
            assert to_model(from_model(model)).fingerprint() == model.fingerprint()
        moves = model.legal_moves()
        model.play(moves[rng.randrange(len(moves))])
    assert {"place", "meeple", "choose", "bid"} <= kinds
    assert to_model(from_model(model)).fingerprint() == model.fingerprint()


def test_a_stopped_game_stays_stopped() -> None:
    model = Game.new(["A", "B"], seed=1)
    core = from_model(model)
    core.stop()
    model.stop()
    assert core.scores == model.scores
    assert to_model(core).was_stopped
    assert from_model(model).was_stopped
