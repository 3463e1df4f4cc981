"""Hypothesis strategies for rules, tables, tiles and moves."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec
from hypothesis import strategies as st

from carcassonne import Game, Rules, random_games
from carcassonne.geometry import HALVES, SIDES
from carcassonne.moves import (
    Address,
    Bid,
    BridgePlace,
    BuildBridge,
    BuildCastle,
    Buy,
    Choose,
    Collect,
    Decline,
    Move,
    Pass,
    Place,
    PutMeeple,
    Sell,
    Take,
)
from carcassonne.playtest.near_moves import SEGMENTS
from carcassonne.position import from_position
from carcassonne.random_games import (
    CAPS,
    DECLINING,
    EVERYTHING,
    MARKETS,
    NAMES,
    OPTION_VALUES,
    POOLS,
    random_rules,
)
from carcassonne.tiles import (
    DEFAULT_SETS,
    EXPANSION_8,
    TileSet,
    load_tile_set,
    shipped_sets,
    tile_set_from_data,
)

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence


EXPANSION = EXPANSION_8
BOTH = DEFAULT_SETS
VALUES = OPTION_VALUES


def examples(usual: int) -> int:
    """How many examples a test tries: many more under HYPOTHESIS_PROFILE=soak."""
    return usual * (40 if os.environ.get("HYPOTHESIS_PROFILE") == "soak" else 1)


# ------------------------------------------------------------------------------ rules


def rules_options() -> st.SearchStrategy[Rules]:
    """Every option with every value, defaults more often."""
    options = {
        name: st.just(getattr(Rules(), name)) | st.sampled_from(values)
        for name, values in VALUES.items()
    }
    return st.builds(Rules, **options)


player_counts = st.integers(2, 6)

# ------------------------------------------------------------------------------ whole games


@dataclass(frozen=True)
class Setup:
    """What a game is made of."""

    players: tuple[str, ...]
    rules: Rules
    seed: int = 0
    tile_sets: tuple[str | TileSet, ...] = BOTH
    tile_counts: dict[str, int] = field(default_factory=dict)
    stack: tuple[str, ...] | None = None
    given: dict[str, Any] = field(default_factory=dict)

    def game(self) -> Game:
        """A new game of these things; what is `given` lies in place of the start tile."""
        if self.given:
            return from_position(
                self.players,
                {**self.given, "stack": list(self.stack or ())},
                rules=self.rules,
                tile_sets=self.tile_sets,
                tile_counts=self.tile_counts,
            )
        return Game.new(
            self.players,
            seed=self.seed,
            rules=self.rules,
            tile_sets=self.tile_sets,
            tile_counts=self.tile_counts,
            stack=self.stack,
        )


def tile_choices() -> st.SearchStrategy[dict[str, Any]]:
    """Tile sets, counts and stacks; most stacks are short."""
    fewer = dict.fromkeys(load_ids("base"), 0)
    shuffled: list[dict[str, Any]] = [
        {"tile_sets": ("base",), "tile_counts": {**fewer, **dict.fromkeys(CAPS[:7], 2)}},
        {"tile_counts": {**fewer, **dict.fromkeys(CAPS, 2), **dict.fromkeys(MARKETS, 2)}},
        {"tile_counts": {**fewer, "BA/RCr": 1, "BA/L": 6, "BA/RFr": 6, "BB/F.b": 5}},
        {"tile_sets": ("base", f"{EXPANSION}*2"), "tile_counts": {**fewer, "BA/RCr": 1, "BA/C": 8}},
        {"tile_sets": ("base",)},
        {},
    ]
    short = st.sampled_from([*sorted(POOLS), "collects"]).flatmap(
        lambda pool: st.lists(st.sampled_from(POOLS[pool]), max_size=16).map(tuple)
    )
    own = st.builds(
        lambda tiles, order: {
            "tile_sets": (*BOTH, tile_set_from_data(tiles, "own")),
            "stack": tuple(tiles["tile"][i % len(tiles["tile"])]["id"] for i in order),
        },
        tile_set_data(),
        st.lists(st.integers(0, 5), min_size=1, max_size=14),
    )
    foreign = st.lists(st.sampled_from(FOREIGN + CAPS), min_size=4, max_size=14).map(
        lambda stack: {"tile_sets": shipped_sets(), "stack": tuple(stack)}
    )
    stacks = short.map(lambda stack: {"stack": stack})
    lonely = st.builds(
        lambda start, stack: {"given": alone(start), "stack": tuple(stack)},
        st.sampled_from(["BA/L", "BA/LR", "BB/F.b", "BA/CFC.2"]),
        st.lists(st.sampled_from(DECLINING), min_size=1, max_size=12),
    )
    return st.one_of(stacks, stacks, stacks, lonely, own, foreign, st.sampled_from(shuffled))


def load_ids(name: str) -> list[str]:
    """The ids of a shipped set."""
    return [tile.id for tile in load_tile_set(name).tiles]


FOREIGN = tuple(tile for name in shipped_sets() if name not in BOTH for tile in load_ids(name))


def setups() -> st.SearchStrategy[Setup]:
    """Whole games: 2 to 6 players, options, tiles."""
    return st.builds(
        lambda count, rules, seed, tiles: Setup(NAMES[:count], rules, seed, **tiles),
        player_counts,
        rules_options(),
        st.integers(0, 999),
        tile_choices(),
    )


def alone(tile: str) -> dict[str, Any]:
    """A position of one tile."""
    return {"tiles": [f"{tile} 0,0 r0"]}


def castle_yard(rng: random.Random) -> Setup:
    """A table full of castles side by side, with holes whose filling completes things."""
    players = NAMES[: rng.randint(2, 6)]
    rules = random_rules(rng, changes=0.15)
    tiny = rng.choice((2, 3, 4))
    rules = msgspec.structs.replace(rules, castles_per_player=None, tiny_city_points=tiny)
    given = random_games.castle_yard(rng, players)
    return Setup(players, rules, stack=tuple(random_games.yard_stack(rng)), given=given)


def random_setup(rng: random.Random, *, stack_size: int = 0, pool: str = "") -> Setup:
    """As `setups`, from a generator: a short stack of a size, or all 83 tiles."""
    stack: tuple[str, ...] | None = None
    given: dict[str, Any] = {}
    if stack_size:
        pool = pool or rng.choice([*sorted(POOLS), "collects"])
        stack = tuple(rng.choice(POOLS[pool]) for _ in range(stack_size))
        given = alone("BA/L") if pool == "declines" else {}
    players = NAMES[: rng.randint(2, 6)]
    rules = random_rules(rng, changes=rng.choice([0.2, 0.6]))
    return Setup(players, rules, rng.randrange(1000), stack=stack, given=given)


# ------------------------------------------------------------------------------ own tiles


@st.composite
def _partition(draw: st.DrawFn, things: Sequence[Any]) -> list[list[Any]]:
    """Things spread over groups in any way."""
    groups: dict[int, list[Any]] = {}
    for thing in things:
        groups.setdefault(draw(st.integers(0, len(things))), []).append(thing)
    return list(groups.values())


@st.composite
def tile_data(draw: st.DrawFn, name: str = "ME/1", *, abbeys: bool = False) -> dict[str, Any]:
    """A valid `[[tile]]` table: edges, and a partition of them into segments and fields."""
    kinds = ["field", "road", "city", "city", "river", *(["abbey"] if abbeys else [])]
    edges = [draw(st.sampled_from(kinds)) for _ in SIDES]
    data: dict[str, Any] = {"id": name, "edges": " ".join(edges)}

    def sides_of(kind: str) -> list[list[str]]:
        return draw(_partition([s for s, edge in zip(SIDES, edges, strict=True) if edge == kind]))

    flag = st.booleans()
    data["cities"] = [
        {"sides": " ".join(sides), "pennants": draw(st.sampled_from([0, 0, 1, 2])),
         "cathedral": draw(flag)} | ({"castle": draw(flag)} if len(sides) == 1 else {})
        for sides in sides_of("city")
    ]  # fmt: skip
    data["roads"] = [
        {"sides": " ".join(sides), "inn": draw(flag), "tunnel": draw(flag)}
        for sides in sides_of("road")
    ]
    data["rivers"] = [{"sides": " ".join(sides)} for sides in sides_of("river")]
    blocks: list[list[str]] = []
    for i, edge in enumerate(edges):
        left, right = HALVES[2 * i], HALVES[2 * i + 1]
        if edge == "field":
            blocks.append([left, right])
        elif edge in ("road", "river"):
            blocks += [[left], [right]]
    caps = [c["sides"].split()[0] for c in data["cities"]]
    touching = st.lists(st.sampled_from(caps), unique=True).map(" ".join) if caps else st.just("")
    data["fields"] = [
        {"halves": " ".join(half for block in group for half in block), "touches": draw(touching)}
        for group in draw(_partition(blocks))
    ]
    data["fields"] += [
        {"inner": True, "touches": draw(touching)} for _ in range(draw(st.integers(0, 2)))
    ]
    data["cloister"] = draw(flag)
    data["bazaar"] = draw(st.sampled_from([False, False, True]))
    data["count"] = draw(st.integers(1, 4))
    return data


@st.composite
def tile_set_data(draw: st.DrawFn, *, abbeys: bool = False) -> dict[str, Any]:
    """A valid tile set as plain data."""
    count = draw(st.integers(1, 4))
    tiles = [draw(tile_data(f"ME/{i}", abbeys=abbeys)) for i in range(count)]
    return {"format": "carcassonne-tiles/1", "name": "own", "title": "My own", "tile": tiles}


# ------------------------------------------------------------------------------ moves

cells = st.tuples(st.integers(-9999, 9999), st.integers(-9999, 9999)) | st.tuples(
    st.integers(-3, 3), st.integers(-3, 3)
)
bridge_places = st.builds(BridgePlace, cells, st.sampled_from((0, 1)))
segments = st.sampled_from(SEGMENTS)
addresses = st.builds(Address, cells, segments)
amounts = st.integers(0, 30) | st.integers(0, 100_000)
tile_names = st.sampled_from(EVERYTHING) | st.text(
    st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=8
)


def moves() -> st.SearchStrategy[Move]:
    """Well-formed moves of every kind."""
    return st.one_of(
        st.builds(Place, tile_names, cells, st.integers(0, 3), st.none() | bridge_places),
        st.builds(BuildBridge, bridge_places),
        st.builds(PutMeeple, segments),
        st.builds(BuildCastle, addresses),
        st.builds(Collect, addresses),
        st.builds(Choose, amounts, amounts),
        st.builds(Bid, amounts),
        st.builds(Take, amounts),
        st.sampled_from([Pass(), Decline(), Buy(), Sell()]),
    )


WORDS = (
    "place", "decline", "bridge", "meeple", "castle", "collect", "choose", "bid", "buy", "sell",
    "take", "pass", "BA/L", "A", "0,0", "1,-1", "-0,0", "01,2", "1,", ",", "NS", "EW", "SN", "r0",
    "r90", "r45", "road.E", "city.N", "field.NL", "field.inner", "field.inner.1", "cloister", "3",
    "-1", "1e3", "00", "٣", "²", "\n", "\x00", "\ud800", "", "9" * 5000,
)  # fmt: skip
"""What broken moves are made of."""


def move_texts() -> st.SearchStrategy[str]:
    """Text that may be a move, or nearly one, or nothing of the kind."""
    whole = moves().map(str)
    mangled = st.builds(
        lambda text, at, what, cut: text[: at % (len(text) + 1)] + what + text[at + cut :],
        whole,
        st.integers(0, 60),
        st.sampled_from(WORDS) | st.text(max_size=2),
        st.integers(0, 3),
    )
    spliced = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)
    return st.one_of(whole, mangled, spliced, st.text(max_size=30))


def to_json(data: object) -> object:
    """Plain data as it comes back from a file."""
    return msgspec.json.decode(msgspec.json.encode(data))
