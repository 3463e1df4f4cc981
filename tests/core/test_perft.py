"""How many sequences of moves there are: golden numbers, the same on both engines."""

from __future__ import annotations

from typing import Any

import pytest

from carcassonne import Rules
from carcassonne.perft import perft
from carcassonne.tiles import DEFAULT_SETS, TileBox

YARD = ["BA/C", "BA/C", "BA/LR", "BA/C", "BA/CFC.2", "BB/F.b", "BA/L"]
MARKETS = ["BB/F.b", "BA/L", "BA/LR", "BA/RFr", "BB/R.bi", "BA/C", "BA/C"]

CASES: dict[str, tuple[dict[str, Any], dict[str, Any], list[int]]] = {
    "default, seed 0": ({}, {}, [8, 26, 190, 940, 7500, 29724]),
    "default, seed 1": ({}, {"seed": 1}, [9, 34, 391, 1445, 10539]),
    "default, seed 7, 4 players": ({}, {"seed": 7, "players": 4}, [4, 16, 116, 344, 3584, 10400]),
    "base alone": ({}, {"tile_sets": ["base"], "seed": 2}, [1, 3, 15, 55, 396, 1742, 18764]),
    "no farmers": ({"farmers": False}, {"seed": 3}, [3, 8, 65, 210, 1054, 4124, 27476]),
    "castles": (
        {"bridges_per_player": 0, "castle_same_turn": True},
        {"stack": YARD},
        [4, 12, 98, 282, 2961, 11864],
    ),
    "castles and bridges": ({}, {"stack": YARD, "players": 3}, [8, 26, 278, 882, 8607]),
    "markets, capped bids": (
        {"bazaar_max_bid": 2},
        {"stack": MARKETS},
        [3, 8, 41, 210, 838, 4792, 21530],
    ),
    "markets, no debts": (
        {"bazaar_allow_negative": False},
        {"stack": MARKETS, "players": 3},
        [3, 8, 23, 51, 354, 1326, 9692],
    ),
    "draft": (
        {"bazaar_mode": "draft"},
        {"stack": MARKETS, "players": 3},
        [3, 8, 23, 177, 663, 1717, 9894],
    ),
    "bridges beside only where placed, two a tile": (
        {"bridge_adjacent_mode": "placed_only", "bridge_max_per_tile": 2},
        {"stack": MARKETS},
        [3, 8, 257, 3642, 11992],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_core_counts_the_golden_number(name: str) -> None:
    options, game, counts = CASES[name]
    for depth, count in enumerate(counts, 1):
        assert _count(options, game, depth, "core") == count


@pytest.mark.parametrize("name", CASES)
def test_the_model_counts_the_golden_number(name: str) -> None:
    options, game, counts = CASES[name]
    depth = max((d for d, count in enumerate(counts, 1) if count < 3000), default=1)
    assert _count(options, game, depth, "model") == counts[depth - 1]


def _count(options: dict[str, Any], game: dict[str, Any], depth: int, engine: str) -> int:
    box = TileBox.load(game.get("tile_sets", DEFAULT_SETS))
    players = "ABCDEF"[: game.get("players", 2)]
    return perft(
        list(players), depth, rules=Rules(**options), box=box, seed=game.get("seed", 0),
        stack=game.get("stack"), engine=engine,
    )  # fmt: skip
