"""Hypothesis strategies for rules, tables, tiles and moves, and ways to steer a game.

Random play hardly ever builds a castle, so moves are ranked by how much they lead to: `ranked`
puts castles, small cities, completions near castles and high bids first.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

import msgspec
from hypothesis import strategies as st

from carcassonne import Game, Rules
from carcassonne.geometry import HALVES, ROTATIONS, SIDES, neighbour
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
from carcassonne.position import from_position
from carcassonne.tiles import TileSet, load_tile_set, shipped_sets, tile_set_from_data

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from carcassonne.geometry import Cell

NAMES = ("A", "B", "C", "D", "E", "F")
EXPANSION = "bridges_castles_bazaars"
BOTH = ("base", EXPANSION)


def examples(usual: int) -> int:
    """How many examples a test tries: many more under HYPOTHESIS_PROFILE=soak."""
    return usual * (40 if os.environ.get("HYPOTHESIS_PROFILE") == "soak" else 1)


# ------------------------------------------------------------------------------ rules

NUMBERS: dict[str, tuple[int | None, ...]] = {
    "tiny_city_points": (2, 4, 0, 3),
    "tiny_city_pennant_points": (1, 0, 2),
    "farm_points_per_city": (3, 0, 4),
    "castle_farm_points": (4, 0, 5),
    "bridges_per_player": (None, 0, 1, 5),
    "castles_per_player": (None, 3, 0, 1),
    "bridge_max_per_tile": (1, 2),
    "bazaar_max_bid": (3, None, 0, 1, 12),
}
"""Values to try of the options that are numbers; all others are tried with every value."""


def option_values() -> dict[str, tuple[Any, ...]]:
    """Every option of `Rules` with the values to try."""
    hints = get_type_hints(Rules)
    found: dict[str, tuple[Any, ...]] = {}
    for name in Rules.__struct_fields__:
        kind = hints[name]
        found[name] = NUMBERS.get(name) or ((False, True) if kind is bool else get_args(kind))
    return found


VALUES = option_values()


def random_rules(rng: random.Random, *, changes: float = 0.3) -> Rules:
    """Rules with each option changed with some probability."""
    options = {n: rng.choice(values) for n, values in VALUES.items() if rng.random() < changes}
    return Rules(**options)


def rules_options() -> st.SearchStrategy[Rules]:
    """Every option with every value, defaults more often."""
    options = {
        name: st.just(getattr(Rules(), name)) | st.sampled_from(values)
        for name, values in VALUES.items()
    }
    return st.builds(Rules, **options)


player_counts = st.integers(2, 6)

# ------------------------------------------------------------------------------ shipped tiles

CAPS = ("BA/C", "BA/CFC.2", "BA/CC.2", "BA/RCr", "BA/CRr", "BA/RrC", "BA/CRRR", "BB/CCCR")
MARKETS = ("BB/F.b", "BB/CFR.b", "BB/R.bi", "BB/RFR.b", "BB/RFR.bi", "BB/CFc.b", "BB/Cccc.b")
BRIDGING = ("BA/L", "BA/LR", "BA/RFr", "BA/Rr", "BA/RRR", "BA/RRRR", "BB/F.b", "BB/LRFr", "BA/CFc+")
AWKWARD = ("BA/Cccc+", "BA/CccR+", "BA/RRRR", "BB/Cccc.b", "BA/CRRR", "BB/CCCR")
UNPLACEABLE = ("BA/C", "BB/F.b", "BA/C", "BB/F.b", "BB/R.bi", "BA/Cccc+", "BB/Cccc.b")
YARD = (*("BA/C", "BA/LR") * 4, "BA/CC.2", "BA/CFC.2", "BA/CFC.2", "BA/L", "BB/F.b", "BA/RFr")
DECLINING = ("BA/RRRR", "BA/CRRR", "BB/F.b", "BA/RRRR", "BA/L", "BA/CcRr", "BB/CCCR")
COLLECTING = (*CAPS[:7], *CAPS[:7], *("BA/CRRR", "BA/RRR", "BA/RRRR", "BB/R.bi", "BA/LR") * 2)
EVERYTHING = tuple(tile.id for name in BOTH for tile in load_tile_set(name).tiles)
POOLS = {
    "castles": CAPS + CAPS + MARKETS + ("BA/L", "BA/Rr", "BA/RFr"),
    "bridges": BRIDGING + BRIDGING + CAPS,
    "markets": MARKETS + MARKETS + CAPS + BRIDGING,
    "awkward": AWKWARD + AWKWARD + MARKETS + CAPS,
    "unplaceable": UNPLACEABLE,
    "collects": COLLECTING,
    "declines": DECLINING,
    "mixed": EVERYTHING,
}
"""What short stacks are drawn from, by what they lead to."""


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
    """A table full of castles side by side, with holes whose filling completes things.

    All its edges are fields but for caps and dead ends that look into holes, so that castles
    can lie in any way beside each other.
    """
    players = NAMES[: rng.randint(2, 6)]
    most = 3 if len(players) <= 4 else 2
    free = {(x, y) for x in range(5) for y in range(5)}
    holes: set[Cell] = set()
    tiles: list[str] = []
    castles: list[str] = []
    meeples: list[str] = []
    owned = dict.fromkeys(players, 0)

    def lay(tile: str, cell: Cell, towards: int) -> None:
        """Lay a tile with its only cap (N) or road (S) towards a side."""
        turns = (towards - (2 if tile == "BA/LR" else 0)) % 4
        tiles.append(f"{tile} {cell[0]},{cell[1]} {ROTATIONS[turns]}")
        free.discard(cell)

    for cell in rng.sample(sorted(free), len(free)):
        if cell not in free or cell in holes:
            continue
        side = rng.randrange(4)
        other = neighbour(cell, side)
        kind = rng.random()
        name = f"{cell[0]},{cell[1]} city.{SIDES[side]}"
        if kind < 0.5 and other in free - holes:
            lay("BA/C", cell, side)
            lay("BA/C", other, (side + 2) % 4)
            owner = rng.choice(players)
            if rng.random() < 0.8 and owned[owner] < most:
                owned[owner] += 1
                castles.append(f"{owner} {name}")
            elif rng.random() < 0.3:
                castles.append(name)
        elif 0.5 <= kind < 0.58:
            lay("BA/L", cell, 0)
        elif other in free or other not in {(x, y) for x in range(5) for y in range(5)}:
            holes.add(other)
            lay(rng.choice(["BA/C", "BA/LR"]), cell, side)
            if tiles[-1].startswith("BA/C") and rng.random() < 0.5:
                meeples.append(f"{rng.choice(players)} {name}")
    stack = tuple(rng.choice(YARD) for _ in range(10))
    given = {"tiles": tiles, "castles": castles, "meeples": meeples}
    rules = random_rules(rng, changes=0.15)
    tiny = rng.choice((2, 3, 4))
    rules = msgspec.structs.replace(rules, castles_per_player=None, tiny_city_points=tiny)
    return Setup(players, rules, stack=stack, given=given)


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
SEGMENTS = (
    *(f"{kind}.{side}" for kind in ("road", "city", "river") for side in SIDES),
    *(f"field.{half}" for half in HALVES),
    "cloister", "field.inner", "field.inner.2", "field.inner.9",
)  # fmt: skip
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


def garbage(rng: random.Random, game: Game) -> Move:
    """A well-formed move about the things on a table, of any kind, seldom a legal one."""
    open_cells, laid = game.open_cells(), list(game.tiles)
    around = rng.choice([open_cells, open_cells, laid, [(40, 40)]]) or laid
    cell = rng.choice(around)
    ids = [game.drawn or "BA/L", game.drawn or "BA/L", rng.choice(EVERYTHING), "A", "no/such"]
    at = rng.choice([cell, *(neighbour(cell, side) for side in range(4))])
    place = BridgePlace(at, rng.randrange(2))
    named = game.segments(rng.choice(laid))
    address = rng.choice([*named, Address(at, rng.choice(SEGMENTS))])
    most = rng.choice([3, 40, 100_000])
    return rng.choice(
        [
            Place(rng.choice(ids), cell, rng.randrange(4), rng.choice([None, place])),
            Place(ids[0], cell, rng.randrange(4), rng.choice([None, place])),
            BuildBridge(place),
            BuildBridge(BridgePlace(rng.choice(laid[-3:]), rng.randrange(2))),
            PutMeeple(rng.choice(SEGMENTS)),
            BuildCastle(address),
            Collect(address),
            Choose(rng.randint(0, 7), rng.randint(0, most)),
            Bid(rng.randint(0, most)),
            Take(rng.randint(0, 7)),
            rng.choice([Pass(), Decline(), Buy(), Sell()]),
        ]
    )


def aliases(rng: random.Random, game: Game, move: Move) -> Move:
    """A legal move under another of its names, where it has any."""
    if isinstance(move, Place):
        tile = game.box.types[move.tile]
        turns = [r for r in range(4) if tile.same_as[r] == move.rotation]
        name = rng.choice([tile.id, tile.letter or tile.id])
        return Place(name, move.cell, rng.choice(turns), move.bridge)
    if isinstance(move, PutMeeple):
        cell = next(reversed(game.tiles))
        found = game.tiles[cell].find(move.segment)
        names = [s for s in SEGMENTS if game.tiles[cell].find(s) == found]
        return PutMeeple(rng.choice([*names, move.segment]))
    if isinstance(move, BuildCastle):
        return BuildCastle(rng.choice(game.feature(move.city).segments))
    if isinstance(move, Collect):
        return Collect(rng.choice(game.feature(move.feature).segments))
    return move


# ------------------------------------------------------------------------------ steering


def ranked(game: Game, *, patient: bool = True) -> list[Move]:
    """The listed moves, those that lead somewhere first; ties in listing order.

    The patient leave castles unpaid until several features can be completed at once.
    """
    listed = list(game.legal_moves())
    decision = game.decision
    if decision is None:
        return listed
    if decision.kind == "place":
        near = {cell for castle in game.castles if castle.occupied for cell in castle.vicinity}
        return sorted(listed, key=lambda m: -_promise(game, m, near, patient=patient))
    if decision.kind == "meeple":
        order = ("city", "cloister", "road", "field", "pass")
        return sorted(
            listed, key=lambda m: order.index(str(m).removeprefix("meeple ").split(".")[0])
        )
    return listed


def _promise(game: Game, move: Move, near: set[Cell], *, patient: bool) -> float:
    """How much a placement completes, small cities of one owner and castles' vicinity first."""
    if not isinstance(move, Place):
        return 2.5
    tiles = game.tiles
    variant = game.box.types[move.tile].variants[move.rotation]
    value = 1.0 if move.bridge else 0.0
    paying = 0
    for side in range(4):
        beyond = tiles.get(neighbour(move.cell, side))
        piece = variant.at_side[side]
        there = beyond.find(f"{piece.kind}.{SIDES[side ^ 2]}") if beyond and piece else None
        if piece is None or there is None:
            continue
        feature = game.feature(there)
        closes = len(piece.sides) == 1 and feature.open == 1
        if closes:
            reaches = bool(near & {move.cell, *feature.cells})
            paying += reaches
            value += 0 if reaches else 1
        if closes and piece.castle_base and feature.kind == "city" and feature.tiles == 1:
            value += 4 if feature.meeples else 2
    if move.cell in near:
        value += 1
    if paying:
        value += 8 if paying > 1 else -3 if patient else 4
    return value + 0.1 * sum(neighbour(move.cell, side) in tiles for side in range(4))


def steered(rng: random.Random, game: Game, *, patient: bool = True) -> Move:
    """One of the moves, good ones much more often."""
    listed = ranked(game, patient=patient)
    if rng.random() < 0.6:
        return listed[0] if rng.random() < 0.7 else listed[min(1, len(listed) - 1)]
    return rng.choice(listed)


def to_json(data: object) -> object:
    """Plain data as it comes back from a file."""
    return msgspec.json.decode(msgspec.json.encode(data))
