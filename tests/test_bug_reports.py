"""Faults that other programs really had, as tests that need code; the rest are scenario files."""

from __future__ import annotations

import itertools
import json
import random
import re
import subprocess
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import pytest

from carcassonne import Game, Rules
from carcassonne.bots import make_bot
from carcassonne.bots.play import play_out
from carcassonne.errors import CarcassonneError, IllegalMove
from carcassonne.events import (
    BidMade,
    BidPassed,
    MarketOpened,
    Score,
    TileChosen,
    TilePlaced,
    TileSetAside,
    TileTaken,
)
from carcassonne.record import load_game, save_game
from carcassonne.render.text import board_text
from carcassonne.scenario import run_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from carcassonne.moves import Move

SIDES = "NESW"
HALVES = ("NL", "NR", "EL", "ER", "SL", "SR", "WL", "WR")
OPTIONAL = ("bridge", "meeple", "castle")
KINDS = {
    "place": "place",
    "decline": "place",
    "bridge": "bridge",
    "meeple": "meeple",
    "castle": "castle",
    "collect": "collect",
    "choose": "choose",
    "bid": "bid",
    "buy": "deal",
    "sell": "deal",
    "take": "take",
}
FOUR = Rules.preset("first_edition", tiny_city_points=4)


class Tile(NamedTuple):
    """What is printed on a tile that lies unrotated, and how many there are."""

    id: str
    copies: int
    edges: str
    pennants: int
    bridges: tuple[str, ...]
    features: tuple[tuple[str, tuple[str, ...]], ...]


# tile, copies, edges N E S W, pennants, axes that carry a bridge, segments but cloisters
PRINTED = """\
BA/L 4 FFFF 0 NS,EW field:NL,NR,EL,ER,SL,SR,WL,WR
BA/LR 2 FFRF 0 EW road:S field:NL,NR,EL,ER,SL,SR,WL,WR
BA/RCr 4 CRFR 0 - road:E,W city:N field:EL,WR field:ER,SL,SR,WL
BA/Cccc+ 1 CCCC 1 - city:N,E,S,W
BA/CccR+ 2 CCRC 1 - road:S city:N,E,W field:SL field:SR
BA/CccR 1 CCRC 0 - road:S city:N,E,W field:SL field:SR
BA/CFc+ 2 FCFC 1 NS city:E,W field:NL,NR field:SL,SR
BA/CFc.1 1 FCFC 0 NS city:E,W field:NL,NR field:SL,SR
BA/Cc.1 3 CFFC 0 - city:N,W field:EL,ER,SL,SR
BA/Cc+ 2 CFFC 1 - city:N,W field:EL,ER,SL,SR
BA/CcRr 3 CRRC 0 - road:E,S city:N,W field:EL,SR field:ER,SL
BA/CcRr+ 2 CRRC 1 - road:E,S city:N,W field:EL,SR field:ER,SL
BA/Ccc 3 CCFC 0 - city:N,E,W field:SL,SR
BA/Ccc+ 1 CCFC 1 - city:N,E,W field:SL,SR
BA/CRr 3 CRRF 0 - road:E,S city:N field:EL,SR,WL,WR field:ER,SL
BA/CRRR 3 CRRR 0 - road:E road:S road:W city:N field:EL,WR field:SR,WL field:ER,SL
BA/RrC 3 CFRR 0 - road:S,W city:N field:EL,ER,SL,WR field:SR,WL
BA/C 5 CFFF 0 EW city:N field:EL,ER,SL,SR,WL,WR
BA/CFC.2 3 CFCF 0 EW city:N city:S field:EL,ER,WL,WR
BA/CC.2 2 CFFC 0 - city:N city:W field:EL,ER,SL,SR
BA/RRRR 1 RRRR 0 - road:N road:E road:S road:W field:NL,WR field:NR,EL field:ER,SL field:SR,WL
BA/RRR 4 FRRR 0 - road:E road:S road:W field:NL,NR,EL,WR field:ER,SL field:SR,WL
BA/Rr 9 FFRR 0 - road:S,W field:NL,NR,EL,ER,SL,WR field:SR,WL
BA/RFr 8 FRFR 0 NS road:E,W field:NL,NR,EL,WR field:ER,SL,SR,WL
BB/Cccc.b 2 CCCC 0 - city:N,E,S,W
BB/CCCR 1 CCRC 0 - city:W city:N city:E road:S field:SR field:SL
BB/CFc.b 1 FCFC 0 NS city:E,W field:NL,NR field:SL,SR
BB/CFR! 1 FRFC 0 NS city:W road:E field:NL,NR field:EL field:ER,SL,SR
BB/CFR.b 1 CFRF 0 EW city:N road:S field:EL,ER,SL,SR,WL,WR
BB/F.b 1 FFFF 0 NS,EW field:NL,NR,EL,ER,SL,SR,WL,WR
BB/LCFc 1 FCFC 0 NS city:E,W field:NL,NR field:SL,SR
BB/LRFr 1 FRFR 0 NS road:E,W field:NL,NR,EL,WR field:ER,SL,SR,WL
BB/R.bi 1 FFRF 0 EW road:S field:NL,NR,EL,ER,SL,SR,WL,WR
BB/RFR.b 1 RFRF 0 EW road:N road:S field:NL,SR,WL,WR field:NR,EL,ER,SL
BB/RFR.bi 1 RFRF 0 EW road:N road:S field:NL,SR,WL,WR field:NR,EL,ER,SL
"""


def read_tiles(text: str) -> list[Tile]:
    """Read the table above."""
    tiles = []
    for line in text.splitlines():
        name, copies, edges, pennants, bridges, *segments = line.split()
        features = tuple(
            (kind, tuple(parts.split(","))) for kind, parts in (s.split(":") for s in segments)
        )
        axes = () if bridges == "-" else tuple(bridges.split(","))
        tiles.append(Tile(name, int(copies), edges, int(pennants), axes, features))
    return tiles


TILES = read_tiles(PRINTED)
ALL_BUT_START = Counter({t.id: t.copies for t in TILES}) - Counter(["BA/RCr"])
NEIGHBOUR = {"F": "BA/L", "R": "BA/RRRR", "C": "BA/Cccc+"}  # the same edge on all four sides


def turned(part: str, turns: int) -> str:
    """Return a side or a half-edge after some clockwise quarter turns."""
    if part in SIDES:
        return SIDES[(SIDES.index(part) + turns) % 4]
    return HALVES[(HALVES.index(part) + 2 * turns) % 8]


def kind_of(game: Game) -> str:
    """Return the kind of the open decision, or `over`."""
    return "over" if game.decision is None else game.decision.kind


def advance(game: Game, *moves: str) -> None:
    """Play moves; optional decisions before the one that a move answers are passed."""
    for text in moves:
        wanted = KINDS.get(text.split()[0])
        while wanted and kind_of(game) in OPTIONAL and kind_of(game) != wanted:
            game.play("pass")
        game.play(text)


def settle(game: Game) -> None:
    """Pass the optional decisions that are open."""
    while kind_of(game) in OPTIONAL:
        game.play("pass")


def reloaded(game: Game, path: Path) -> Game:
    """Save a game, load it and hand over what was loaded."""
    save_game(game, path)
    return load_game(path)


def record_of(game: Game, path: Path) -> dict[str, Any]:
    """Return a game's record as the saved file has it."""
    save_game(game, path)
    record: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return record


def from_position(path: Path, given: dict[str, Any], stack: Sequence[str]) -> Game:
    """Return a two-player game that begins from a position, by way of a record."""
    record = record_of(Game.new(["A", "B"], stack=list(stack)), path)
    record["given"] = given
    path.write_text(json.dumps(record), encoding="utf-8")
    return load_game(path)


def texts(game: Game) -> list[str]:
    """Return the listed legal moves as text."""
    return [str(move) for move in game.legal_moves()]


def play_randomly(game: Game, rng: random.Random, most: int = 100_000) -> list[str]:
    """Play random listed moves until the game is over, at most so many; return them."""
    played: list[str] = []
    while game.decision is not None and len(played) < most:
        move = rng.choice(texts(game))
        game.play(move)
        played.append(move)
    return played


def assert_passes(text: str, name: str) -> None:
    """Run a scenario and show its failures."""
    result = run_text(text, name)
    assert result.passed, result.failures


def assert_refused(game: Game, *moves: str) -> None:
    """Each move is refused with a reason and leaves the state as it was."""
    before = game.fingerprint()
    for text in moves:
        with pytest.raises(IllegalMove):
            game.play(text)
        violations = game.why_not(text)
        assert violations, text
        assert all(v.rule.startswith("R-") and v.message for v in violations), text
        assert game.fingerprint() == before, text


CASTLE = ("place BA/C 0,-1 r180", "meeple city.S", "castle 0,-1 city.S")
MONEY = ["BB/F.b", "BA/RFr", "BA/C", "BA/L", "BA/RFr", "BA/RFr"]


def money_game() -> Game:
    """Return a three-player game in which A has just opened a market."""
    game = Game.new(["A", "B", "C"], stack=MONEY)
    advance(game, "place BB/F.b 0,1 r0")
    settle(game)
    return game


# ---------------------------------------------------------------- castles


def test_bug_b_13_every_query_works_on_a_castle(tmp_path: Path) -> None:
    """After a city has become a castle every read-only query answers, and the next tile lies."""
    game = Game.new(["A", "B"], rules=FOUR, stack=["BA/C", "BA/L", "BA/C", "BA/RFr"])
    advance(game, *CASTLE)
    before = game.fingerprint()
    assert len(game.graph()) > 0
    assert texts(game)
    assert game.scores == {"A": 0, "B": 0}
    assert game.explain() is not None
    assert game.why_not("place BA/L 1,0 r0")
    assert board_text(game, width=80)
    assert reloaded(game, tmp_path / "game.json").fingerprint() == before
    assert game.copy().fingerprint() == before
    assert [str(event) for event in game.events]
    assert str(make_bot("random", seed=1).choose(game)) in texts(game)
    assert game.fingerprint() == before
    advance(game, "place BA/L 1,-1 r0", "meeple field.NL", "place BA/C 0,-2 r0")
    settle(game)
    assert board_text(game, width=80)
    advance(game, "place BA/RFr 1,0 r0")
    settle(game)
    assert game.decision is None
    assert game.scores == {"A": 0, "B": 4}


LOADER = """\
import json, sys
from pathlib import Path
from carcassonne.record import load_game
game = load_game(Path(sys.argv[1]))
before = [str(move) for move in game.legal_moves()], game.decision.kind, game.decision.player
game.play("place BA/RRR 1,0 r0")
while game.decision.kind in ("bridge", "meeple", "castle"):
    game.play("pass")
print(json.dumps([*before, game.scores]))
"""


def test_bug_b_14_castle_meeples_survive_loading_in_a_fresh_process(tmp_path: Path) -> None:
    """A game with two castles, loaded by another process, pays both of them."""
    stack = ["BA/C", "BA/C", "BA/RRR", "BA/C", "BA/RRR", "BA/RFr"]
    game = Game.new(["A", "B"], rules=FOUR, stack=stack)
    advance(game, *CASTLE, "place BA/C 1,-1 r0", "meeple city.N", "place BA/RRR -1,0 r0")
    advance(game, "place BA/C 1,-2 r180", "castle 1,-2 city.S")
    path = tmp_path / "game.json"
    assert reloaded(game, path).fingerprint() == game.fingerprint()
    done = subprocess.run(  # noqa: S603  # this interpreter, this file
        [sys.executable, "-c", LOADER, str(path)], capture_output=True, text=True, check=True
    )
    listed, kind, player, scores = json.loads(done.stdout)
    assert (listed, kind, player) == (texts(game), "place", "A")
    assert scores == {"A": 3, "B": 3}


# ---------------------------------------------------------------- bridges and tile tables


ROTATED = """\
title = "A bridge forced on a rotated neighbour completes its road"
rules = ["R-BRIDGE-8"]
[given]
tiles = ["BA/RCr 0,0 r0"]
stack = ["BA/LR", "BA/RRR", "BA/LR", "BA/RFr"]
[[steps]]
play = ["place BA/LR 1,0 r90", "place BA/RRR 1,1 r180 bridge 1,0 NS", "meeple road.N"]
expect = { bridges = { A = 3, B = 2 }, meeples = { B = 6 } }
[[steps]]
play = "place BA/LR 1,-1 r0"
settle = true
expect = { scores = { A = 0, B = 3 }, bridges = { B = 2 }, meeples = { B = 7 } }
"""


def turned_text(text: str, turns: int) -> str:
    """Turn every cell, rotation, axis and side of a scenario clockwise about the start tile."""

    def cell(found: re.Match[str]) -> str:
        x, y = int(found[1]), int(found[2])
        for _ in range(turns):
            x, y = -y, x
        return f"{x},{y} "

    text = re.sub(r"(-?\d+),(-?\d+) ", cell, text)
    text = re.sub(r"\br(\d+)\b", lambda m: f"r{(int(m[1]) + 90 * turns) % 360}", text)
    if turns % 2:
        text = re.sub(r"\b(NS|EW)\b", lambda m: "EW" if m[1] == "NS" else "NS", text)
    return re.sub(r"\broad\.([NESW])", lambda m: "road." + turned(m[1], turns), text)


@pytest.mark.parametrize("turns", range(4))
def test_bug_b_15_forced_bridge_in_four_orientations(turns: int) -> None:
    """A bridge forced onto a rotated neighbour completes the road in every orientation."""
    assert_passes(turned_text(ROTATED, turns), f"turned by {90 * turns}")


@pytest.mark.parametrize("tile", TILES, ids=lambda tile: tile.id)
@pytest.mark.parametrize("axis", ["NS", "EW"])
def test_bug_b_19_axes_that_carry_a_bridge(tile: Tile, axis: str) -> None:
    """A bridge spans a tile along an axis exactly if both of its edges there are plain fields."""
    side, cell = (3, "-1,0") if axis == "NS" else (0, "0,-1")
    beside = NEIGHBOUR[tile.edges[side]]
    if axis in tile.bridges:
        question = f'allow = "bridge 0,0 {axis}"'
    else:
        question = f'refuse = "bridge 0,0 {axis}"\nrule = "R-BRIDGE-5"'
    assert_passes(
        f"""\
title = "A free bridge {axis}"
rules = ["R-BRIDGE-4", "R-BRIDGE-5"]
[given]
tiles = ["{beside} {cell} r0"]
stack = ["{tile.id}", "BA/L", "BA/L"]
[[steps]]
play = "place {tile.id} 0,0 r0"
[[steps]]
{question}
""",
        f"{tile.id} {axis}",
    )


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize("tile", TILES, ids=lambda tile: tile.id)
def test_bug_b_59_half_edges_belong_to_the_printed_segments(tile: Tile, turns: int) -> None:
    """In every rotation each half-edge and edge names the segment that is printed there."""
    features, joined, apart = [], [], []
    firsts: dict[str, list[str]] = {}
    for kind, parts in tile.features:
        names = [f"0,0 {kind}.{turned(part, turns)}" for part in parts]
        joined += [[names[0], other] for other in names[1:]]
        apart += [[names[0], other] for other in firsts.get(kind, [])]
        firsts.setdefault(kind, []).append(names[0])
        extra = "" if kind == "field" else f", open = {len(parts)}, complete = false"
        if kind == "city":
            extra += f", pennants = {tile.pennants}"
        features += [f'{{ at = "{name}", tiles = 1{extra} }}' for name in names]
    assert_passes(
        f"""\
title = "The segments of {tile.id}"
rules = ["R-BASE-23"]
[given]
tiles = ["{tile.id} 0,0 r{90 * turns}"]
stack = ["{NEIGHBOUR[tile.edges[0]]}"]
[[steps]]
expect = {{ features = [{", ".join(features)}], joined = {joined}, apart = {apart} }}
""",
        f"{tile.id} r{90 * turns}",
    )


@pytest.mark.parametrize("tile", TILES, ids=lambda tile: tile.id)
def test_bug_b_59_each_half_edge_lies_in_exactly_one_city_or_field(tile: Tile) -> None:
    """Every half-edge of the table lies in one field or city, every road edge in one road."""
    owners = Counter(part for kind, parts in tile.features if kind == "field" for part in parts)
    roads = Counter(part for kind, parts in tile.features if kind == "road" for part in parts)
    cities = Counter(part for kind, parts in tile.features if kind == "city" for part in parts)
    for side, edge in zip(SIDES, tile.edges, strict=True):
        halves = 0 if edge == "C" else 1
        assert (owners[side + "L"], owners[side + "R"]) == (halves, halves)
        assert roads[side] == (edge == "R")
        assert cities[side] == (edge == "C")
    for kind, parts in tile.features:
        if kind == "field":
            plain = [s for s, edge in zip(SIDES, tile.edges, strict=True) if edge == "F"]
            assert all((s + "L" in parts) == (s + "R" in parts) for s in plain)


def test_bug_b_59_pennants_of_the_whole_set() -> None:
    """The base game has ten tiles with a pennant and the expansion none."""
    pennants = {t.id: t.copies for t in TILES if t.pennants}
    assert pennants == {
        "BA/Cccc+": 1,
        "BA/CccR+": 2,
        "BA/CFc+": 2,
        "BA/Cc+": 2,
        "BA/CcRr+": 2,
        "BA/Ccc+": 1,
    }
    assert sum(pennants.values()) == 10


@pytest.mark.parametrize(
    ("sets", "drawn"),
    [(["base"], 71), (["base", "bridges_castles_bazaars"], 83)],
    ids=["base", "with the expansion"],
)
def test_bug_b_48_one_copy_of_the_start_tile_leaves_the_stack(
    sets: list[str], drawn: int, tmp_path: Path
) -> None:
    """The stack holds every printed tile but the one start tile."""
    game = Game.new(["A", "B"], seed=3, tile_sets=sets)
    stack = Counter(record_of(game, tmp_path / "game.json")["stack"])
    assert stack.total() == drawn
    assert stack["BA/RCr"] == 3
    wanted = {t.id: t.copies for t in TILES if t.id[:2] == "BA" or len(sets) == 2}
    assert stack + Counter(["BA/RCr"]) == wanted


HOLE = """\
title = "The hole"
rules = ["R-BASE-5"]
[given]
tiles = ["BA/RCr 0,0 r0", "BA/L 0,1 r0", "BA/L 1,1 r0", "BA/C 1,2 r90", "BA/C 1,3 r90", \
"BA/C 0,3 r180", "BA/C -1,3 r270", "BA/C -1,2 r270", "BA/L -1,1 r0"]
stack = ["{tile}", "BA/RFr", "BA/RFr"]
[[steps]]
{verb} = {moves}
"""


@pytest.mark.parametrize(
    ("tile", "fits"),
    [
        ("BA/L", True),
        ("BB/F.b", True),
        ("BA/LR", False),
        ("BA/C", False),
        ("BA/RFr", False),
        ("BA/Rr", False),
        ("BA/RRRR", False),
    ],
)
def test_bug_b_61_what_fits_into_a_hole_of_four_fields(tile: str, fits: bool) -> None:
    """An enclosed cell takes what matches all four of its edges, and nothing else."""
    moves = json.dumps([f"place {tile} 0,2 r{degrees}" for degrees in (0, 90, 180, 270)])
    verb = "allow" if fits else "refuse"
    assert_passes(HOLE.format(tile=tile, verb=verb, moves=moves), tile)


# ---------------------------------------------------------------- rendering


def test_bug_b_25_meeples_on_and_under_a_bridge_are_both_drawn(tmp_path: Path) -> None:
    """A meeple on a bridge and one on the road below are both shown, and told apart."""
    pictures = []
    for meeples in (
        [],
        ["A 1,0 road.W"],
        ["B 1,0 road.N"],
        ["A 1,0 road.W", "B 1,0 road.N"],
        ["B 1,0 road.W", "A 1,0 road.N"],
    ):
        given = {
            "tiles": ["BA/RCr 0,0 r0", "BA/RFr 1,0 r0"],
            "bridges": ["1,0 NS"],
            "meeples": meeples,
        }
        game = from_position(tmp_path / "game.json", given, ["BA/RFr", "BA/RFr"])
        pictures.append(board_text(game, width=80))
    assert len(set(pictures)) == len(pictures)
    both = pictures[3]
    assert "road.N" in both
    assert "road.E" in both or "road.W" in both


# ---------------------------------------------------------------- bazaar


@pytest.mark.parametrize("seed", range(1, 7))
def test_bug_b_26_no_tile_is_lost_or_cloned(seed: int) -> None:
    """Over a whole game every tile of the set is placed or set aside exactly once."""
    game = Game.new(["A", "B", "C", "D"][: 2 + seed % 3], seed=seed)
    play_randomly(game, random.Random(seed))
    used: Counter[str] = Counter()
    for event in game.events:
        if isinstance(event, TilePlaced | TileSetAside):
            used[event.tile] += 1
    assert used == ALL_BUT_START
    assert used.total() + 1 == 84
    for market in game.events:
        if isinstance(market, MarketOpened):
            assert len(market.tiles) == len(game.scores)


def correlation(xs: Sequence[int], ys: Sequence[int]) -> float:
    """Return Pearson's correlation of two lists of the same length."""
    n = len(xs)
    mx, my = sum(xs) / n, sum(ys) / n
    sxy = sum((x - mx) * (y - my) for x, y in zip(xs, ys, strict=True))
    sxx, syy = sum((x - mx) ** 2 for x in xs), sum((y - my) ** 2 for y in ys)
    return float(sxy / (sxx * syy) ** 0.5)


def test_bug_b_27_the_order_of_the_stack_is_random(tmp_path: Path) -> None:
    """Over many seeds a tile lies anywhere in the stack, whatever lies elsewhere."""
    seeds = range(1000)
    names = [tile.id for tile in TILES if tile.copies == 1]
    places: dict[str, list[int]] = {name: [] for name in names}
    path = tmp_path / "game.json"
    for seed in seeds:
        stack = record_of(Game.new(["A", "B", "C", "D"], seed=seed), path)["stack"]
        for name in names:
            places[name].append(stack.index(name))
    for name in names:  # mean 41 +- 0.76, five deviations allowed
        assert abs(sum(places[name]) / len(seeds) - 41) < 3.8, name
    for one, other in itertools.pairwise(names):  # -1/82 +- 0.032
        assert abs(correlation(places[one], places[other]) + 1 / 82) < 0.16, (one, other)


@pytest.mark.parametrize("seed", range(8))
def test_bug_b_27_a_market_shows_the_next_tiles_of_the_stack(seed: int, tmp_path: Path) -> None:
    """The auctioned tiles are the next in the stack, none twice, and a seed repeats itself."""
    games = []
    for _ in range(2):
        game = Game.new(["A", "B", "C", "D"], seed=seed)
        play_randomly(game, random.Random(seed))
        games.append(game)
    markets = [[e.tiles for e in game.events if isinstance(e, MarketOpened)] for game in games]
    assert markets[0] == markets[1]
    stack: list[str] = record_of(games[0], tmp_path / "game.json")["stack"]
    used = 0  # tiles that left the stack so far
    for event in games[0].events:
        if isinstance(event, MarketOpened):
            in_round = list(event.tiles)
            assert stack[used : used + 4] == in_round
        if isinstance(event, TilePlaced | TileSetAside):
            used += 1
    assert used == len(stack)


def test_bug_b_34_with_the_option_a_set_aside_market_tile_opens_an_auction() -> None:
    """Under the first edition's wording a market tile that fits nowhere still opens an auction."""
    for option in (False, True):
        game = Game.new(
            ["A", "B"],
            rules=Rules.preset("first_edition", bazaar_on_set_aside=option),
            stack=["BA/C", "BB/Cccc.b", "BA/RFr", "BA/RFr", "BA/RFr", "BA/RFr"],
        )
        advance(game, "place BA/C 0,-1 r180")
        settle(game)
        if kind_of(game) == "place":  # B draws again in the same turn
            assert game.decision is not None
            assert game.decision.player == "B"
            advance(game, "place BA/RFr 1,0 r0")
            settle(game)
        asides = [e.tile for e in game.events if isinstance(e, TileSetAside)]
        assert asides == ["BB/Cccc.b"]
        opened = [e.player for e in game.events if isinstance(e, MarketOpened)]
        assert opened == (["B"] if option else [])


def test_bug_b_36_nobody_bids_for_an_owned_tile_or_out_of_turn() -> None:
    """Once a tile has an owner it can't be chosen, and its owner has no say in the auction."""
    game = money_game()
    advance(game, "choose 1 bid 0", "pass", "pass")
    assert game.decision is not None
    assert (game.decision.kind, game.decision.player) == ("choose", "C")
    assert_refused(game, "choose 3 bid 0", "bid 5", "buy", "sell", "pass")
    advance(game, "choose 1 bid 0")
    assert (game.decision.kind, game.decision.player) == ("bid", "A")  # B has a tile
    assert_refused(game, "choose 1 bid 1", "bid 0", "buy", "sell", "take 1")
    advance(game, "pass")
    assert game.decision is not None
    assert (game.decision.kind, game.decision.player) == ("place", "B")


def auction_steps() -> Iterator[tuple[Game, list[str]]]:
    """Hand over the game before each step of an auction and its round, and what is to come."""
    moves = [
        "choose 1 bid 2",
        "bid 3",
        "pass",
        "buy",
        "choose 1 bid 0",
        "pass",
        "place BA/RFr 1,0 r0",
        "place BA/C 0,-1 r180",
        "place BA/L 1,1 r0",
    ]
    game = money_game()
    for number in range(len(moves)):
        yield game.copy(), moves[number:]
        advance(game, moves[number])
        settle(game)


def test_bug_b_37_saving_at_every_step_of_an_auction_changes_nothing(tmp_path: Path) -> None:
    """Loaded at any step: the same player, the same legal moves, the same game afterwards."""
    kinds = []
    for before, moves in auction_steps():
        loaded = reloaded(before, tmp_path / "game.json")
        assert loaded.decision is not None
        assert before.decision is not None
        kinds.append(loaded.decision.kind)
        assert (loaded.decision.kind, loaded.decision.player) == (
            before.decision.kind,
            before.decision.player,
        )
        assert texts(loaded) == texts(before)
        assert loaded.fingerprint() == before.fingerprint()
        if moves[0] == "pass" and len(moves) == 7:
            assert_refused(loaded, "bid 3")
            assert not loaded.why_not("bid 4")
        for game in (before, loaded):
            for move in moves:
                advance(game, move)
                settle(game)
        assert loaded.fingerprint() == before.fingerprint()
        assert loaded.scores == {"A": 0, "B": -3, "C": 3}
    assert kinds == ["choose", "bid", "bid", "deal", "choose", "bid", "place", "place", "place"]


def test_bug_b_39_the_events_of_an_auction_tell_every_step() -> None:
    """Tiles shown, choice, bids, passes, deal and payments are events, and the points add up."""
    game = money_game()
    advance(game, "choose 1 bid 2", "bid 3", "pass", "sell", "choose 1 bid 4", "pass")
    told = [
        (type(event).__name__, event.player)
        for event in game.events
        if isinstance(event, MarketOpened | TileChosen | BidMade | BidPassed | TileTaken)
    ]
    assert told == [
        ("MarketOpened", "A"),
        ("TileChosen", "B"),
        ("BidMade", "C"),
        ("BidPassed", "A"),
        ("TileTaken", "C"),
        ("TileChosen", "A"),
        ("BidPassed", "B"),
        ("TileTaken", "A"),
        ("TileTaken", "B"),
    ]
    scores = [(e.player, e.points, e.rule) for e in game.events if isinstance(e, Score)]
    assert sorted(scores) == [
        ("A", -4, "R-BAZAAR-12"),
        ("B", 3, "R-BAZAAR-11"),
        ("C", -3, "R-BAZAAR-11"),
    ]
    assert game.scores == {"A": -4, "B": 3, "C": -3}


@pytest.mark.parametrize("seed", range(6))
def test_bug_b_39_score_events_sum_to_the_scores(seed: int) -> None:
    """At any time a player's score is the sum of the player's score events."""
    rng = random.Random(seed)
    game = Game.new(["A", "B", "C"], seed=seed)
    while game.decision is not None:
        play_randomly(game, rng, most=20)
        sums = dict.fromkeys(game.scores, 0)
        for event in game.events:
            if isinstance(event, Score):
                sums[event.player] += event.points
        assert sums == game.scores


# ---------------------------------------------------------------- undo, records, refusals


def test_bug_b_66_laying_and_undoing_a_hundred_times_earns_nothing() -> None:
    """Undo takes the points back: a hundred rounds leave the state exactly as it was."""
    game = Game.new(["A", "B"], rules=FOUR, stack=["BA/C", "BA/C", "BA/RFr", "BA/RFr"])
    advance(game, "place BA/C 0,1 r180", "meeple city.S")
    before = game.fingerprint()
    moves = ("place BA/C 0,2 r0", "pass", "pass", "pass")
    for _ in range(100):
        for move in moves:
            game.play(move)
        assert game.scores == {"A": 4, "B": 0}
        for _ in moves:
            game.undo()
        assert game.scores == {"A": 0, "B": 0}
        assert game.fingerprint() == before
    for move in moves:
        game.play(move)
    assert game.scores == {"A": 4, "B": 0}


def test_bug_b_66_undo_past_the_start_is_refused() -> None:
    """There is nothing to undo at the start, and trying changes nothing."""
    game = Game.new(["A", "B"], seed=5)
    before = game.fingerprint()
    with pytest.raises(CarcassonneError):
        game.undo()
    assert game.fingerprint() == before
    game.play(texts(game)[0])
    game.undo()
    assert game.fingerprint() == before


def test_bug_b_66_undo_walks_a_whole_random_game_back() -> None:
    """Every state on the way back equals the state on the way there."""
    game, rng = Game.new(["A", "B", "C"], seed=11), random.Random(11)
    states = [game.fingerprint()]
    while game.decision is not None:
        play_randomly(game, rng, most=1)
        states.append(game.fingerprint())
    while states:
        assert game.fingerprint() == states.pop()
        if states:
            game.undo()


def test_bug_b_67_undo_works_after_loading(tmp_path: Path) -> None:
    """A game saved between tile and meeple can be undone as if it had never been saved."""
    game = Game.new(["A", "B"], stack=["BA/RFr", "BA/Ccc", "BA/RFr"])
    advance(game, "place BA/RFr 1,0 r0", "meeple road.E")
    before = game.fingerprint()
    advance(game, "place BA/Ccc 0,-1 r180")
    loaded = reloaded(game, tmp_path / "game.json")
    loaded.undo()
    assert loaded.fingerprint() == before


def test_bug_b_67_a_second_seat_cannot_move() -> None:
    """Moves and passes that come from another player than the decider change nothing."""
    game = Game.new(["A", "B"], seed=3)
    for text in ("pass", str(game.legal_moves()[0])):
        before = game.fingerprint()
        with pytest.raises(IllegalMove) as refusal:
            game.play(text, player="B")
        assert refusal.value.rules[0] == "R-BASE-4"
        assert game.fingerprint() == before
    game.play(game.legal_moves()[0], player="A")


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_bug_b_69_a_loaded_game_is_the_same_game(seed: int, tmp_path: Path) -> None:
    """Seats, meeples, statistics, stack and future of a saved four-player game are the same."""
    names = ["D", "B", "A", "C"]
    game = Game.new(names, seed=seed)
    play_randomly(game, random.Random(seed), most=60)
    loaded = reloaded(game, tmp_path / "game.json")
    assert list(loaded.scores) == names
    assert loaded.fingerprint() == game.fingerprint()
    assert [str(e) for e in loaded.events] == [str(e) for e in game.events]
    assert texts(loaded) == texts(game)
    mine = play_randomly(game, random.Random(99))
    theirs = play_randomly(loaded, random.Random(99))
    assert mine == theirs
    assert loaded.fingerprint() == game.fingerprint()
    assert loaded.winners == game.winners


COLLECT = ["BA/C", "BA/Cc.1", "BA/RRR", "BA/C", "BA/CRRR", "BA/RFr"]
TO_COLLECT = (
    *CASTLE,
    "place BA/Cc.1 1,-1 r180",
    "meeple city.S",
    "place BA/RRR -1,0 r0",
    "place BA/C 2,-1 r270",
    "place BA/CRRR 1,0 r0",
    "pass",
)
DRAFT = Rules.preset("first_edition", bazaar_mode="draft")
PHASES: list[tuple[str, Rules, list[str], tuple[str, ...]]] = [
    ("place", FOUR, ["BA/L", "BA/RFr"], ()),
    ("bridge", FOUR, ["BA/L", "BA/RFr"], ("place BA/L 0,1 r0",)),
    ("meeple", FOUR, ["BA/L", "BA/RFr"], ("place BA/L 0,1 r0", "pass")),
    ("castle", FOUR, COLLECT, CASTLE[:2]),
    ("collect", FOUR, COLLECT, TO_COLLECT),
    ("choose", FOUR, MONEY, ("place BB/F.b 0,1 r0", "pass", "pass")),
    ("bid", FOUR, MONEY, ("place BB/F.b 0,1 r0", "choose 1 bid 0")),
    ("deal", FOUR, MONEY, ("place BB/F.b 0,1 r0", "choose 1 bid 0", "bid 1")),
    ("take", DRAFT, MONEY, ("place BB/F.b 0,1 r0", "pass", "pass")),
]
COMMANDS = {
    "place": ("place BA/RFr 1,0 r0", "place BA/L 0,2 r0", "decline"),
    "bridge": ("bridge 0,1 EW", "bridge 0,0 NS"),
    "meeple": ("meeple field.NL", "meeple road.E"),
    "castle": ("castle 0,-1 city.S",),
    "collect": ("collect 0,0 road.E",),
    "choose": ("choose 1 bid 0", "choose 1 bid 5"),
    "bid": ("bid 1", "bid 7"),
    "deal": ("buy", "sell"),
    "take": ("take 1",),
}


@pytest.mark.parametrize(("phase", "rules", "stack", "moves"), PHASES, ids=[p[0] for p in PHASES])
def test_bug_b_71_commands_of_other_phases_are_refused(
    phase: str, rules: Rules, stack: list[str], moves: tuple[str, ...], tmp_path: Path
) -> None:
    """A command that belongs to another decision is refused, changes nothing, and play goes on."""
    game = Game.new(["A", "B"], rules=rules, stack=stack)
    advance(game, *moves)
    assert kind_of(game) == phase
    for kind, commands in COMMANDS.items():
        if kind != phase:
            assert_refused(game, *commands)
    if phase in ("place", "collect", "choose", "deal", "take"):
        assert_refused(game, "pass")
    if moves and moves[-1] != "pass":  # the last command once more
        assert_refused(game, moves[-1])
    with pytest.raises(IllegalMove, match=phase):
        game.play("take 1" if phase != "take" else "buy")
    assert reloaded(game, tmp_path / "game.json").fingerprint() == game.fingerprint()
    play_randomly(game, random.Random(1))
    assert game.decision is None
    assert reloaded(game, tmp_path / "game.json").fingerprint() == game.fingerprint()


# ---------------------------------------------------------------- bots and whole games


@pytest.mark.parametrize("seed", range(1, 9))
def test_bug_b_72_games_of_bots_end(seed: int) -> None:
    """Bots know every decision of the expansion: games of two to five of them come to an end."""
    names = ["A", "B", "C", "D", "E"][: 2 + seed % 4]
    game = Game.new(names, seed=seed)
    play_out(game, [make_bot("random", seed=seed + i) for i in range(len(names))])
    assert game.decision is None
    assert game.winners


class ThrowingBot:
    """A bot that fails whenever it is asked."""

    def choose(self, game: Game) -> Move:
        """Fail."""
        raise RuntimeError(f"no idea what to do at {game.decision}")


class CheatingBot:
    """A bot that always plays the same move, legal or not."""

    def choose(self, game: Game) -> Any:
        """Answer nonsense."""
        assert game.decision is not None
        return "place BA/Cccc+ 40,40 r0"


@pytest.mark.parametrize(
    ("bot", "verdict"), [(ThrowingBot, "crash"), (CheatingBot, "illegal move")]
)
@pytest.mark.parametrize("on_error", ["default-move", "forfeit"])
def test_bug_b_72_a_bot_that_fails_does_not_hang_the_game(
    bot: type, verdict: str, on_error: Literal["default-move", "forfeit"]
) -> None:
    """A bot that throws or cheats is replaced by the first legal move, or forfeits; it is noted."""
    game = Game.new(["A", "B"], seed=4, tile_sets=["base"])
    outcome = play_out(game, [bot(), make_bot("random", seed=2)], on_error=on_error)
    assert outcome.faults
    assert {(fault.player, fault.verdict) for fault in outcome.faults} == {("A", verdict)}
    if on_error == "default-move":
        assert game.decision is None
        assert list(outcome.winners) == list(game.winners)
        assert len(outcome.faults) > 30
    else:
        assert outcome.winners == ("B",)
        assert len(outcome.faults) == 1
        assert not any(isinstance(e, TilePlaced) for e in game.events)


def test_bug_b_73_a_bot_goes_on_in_the_middle_of_its_turn(tmp_path: Path) -> None:
    """A game saved between a bot's tile and its meeple, or at its bid, goes on from there."""
    game = Game.new(["A", "B"], stack=["BA/L", "BA/RFr", "BA/RFr"])
    advance(game, "place BA/L 0,1 r0")
    loaded = reloaded(game, tmp_path / "game.json")
    bot = make_bot("random", seed=8)
    while loaded.decision is not None and loaded.decision.kind in OPTIONAL:
        assert loaded.decision.player == "A"
        loaded.play(bot.choose(loaded))
    assert sum(isinstance(e, TilePlaced) for e in loaded.events) == 1
    assert loaded.decision is not None
    assert (loaded.decision.kind, loaded.decision.player) == ("place", "B")

    game = money_game()
    advance(game, "choose 1 bid 2")
    loaded = reloaded(game, tmp_path / "game.json")
    assert loaded.decision is not None
    assert (loaded.decision.kind, loaded.decision.player) == ("bid", "C")
    loaded.play(bot.choose(loaded))
    assert sum(isinstance(e, TilePlaced) for e in loaded.events) == 1
    assert loaded.decision is not None
    assert (loaded.decision.kind, loaded.decision.player) == ("bid", "A")


@pytest.mark.parametrize("seed", range(10))
def test_bug_b_74_a_bot_does_not_finish_another_player_s_road_for_nothing(
    seed: int, tmp_path: Path
) -> None:
    """Where its own road can grow, a bot doesn't close a five-point road of its opponent."""
    given = {
        "tiles": [
            "BA/LR -2,0 r270",
            "BA/RFr -1,0 r0",
            "BA/RCr 0,0 r0",
            "BA/LR 2,0 r90",
            "BA/RFr 0,5 r0",
            "BA/RFr 1,5 r0",
        ],
        "meeples": ["B -2,0 road.E", "A 0,5 road.E"],
        "supply": {"A": {"bridges": 0, "meeples": 0}},
    }
    game = from_position(tmp_path / "game.json", given, ["BA/RFr", "BA/RFr", "BA/RFr"])
    move = str(make_bot("greedy", seed=seed).choose(game))
    assert not move.startswith("place BA/RFr 1,0 ")


def test_bug_b_75_a_game_writes_no_log(
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    """A random base game plays to its end and writes nothing anywhere."""
    game = Game.new(["A", "B"], seed=1, tile_sets=["base"])
    play_randomly(game, random.Random(1))
    assert game.decision is None
    assert sum(isinstance(e, TilePlaced | TileSetAside) for e in game.events) == 71
    assert not caplog.records
    assert capfd.readouterr() == ("", "")
