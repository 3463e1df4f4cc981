"""Random games to try the engines on: rules, unseen tiles, stacks that lead somewhere.

Random play almost never meets castles, collects, cascades, declines or tiles that fit nowhere.
The pools of tiles lead towards them when short stacks are drawn from them, and a yard is a table
full of castles. Nothing is played here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, get_args, get_type_hints

from carcassonne.core.tables import MOST_SEGMENTS
from carcassonne.geometry import HALVES, ROTATIONS, SIDES, neighbour
from carcassonne.rules import Rules
from carcassonne.tiles import DEFAULT_SETS, TileSet, load_tile_set, tile_set_from_data

if TYPE_CHECKING:
    import random

    from carcassonne.geometry import Cell

__all__ = [
    "CAPS",
    "DECLINING",
    "EVERYTHING",
    "MARKETS",
    "NAMES",
    "OPTION_VALUES",
    "POOLS",
    "castle_yard",
    "random_rules",
    "random_tile",
    "random_tile_set",
    "yard_stack",
]

NAMES: Final = ("A", "B", "C", "D", "E", "F")

_NUMBERS: Final[dict[str, tuple[int | None, ...]]] = {
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

# ------------------------------------------------------------------------------ tiles

CAPS: Final = ("BA/C", "BA/CFC.2", "BA/CC.2", "BA/RCr", "BA/CRr", "BA/RrC", "BA/CRRR", "BB/CCCR")
MARKETS: Final = ("BB/F.b", "BB/CFR.b", "BB/R.bi", "BB/RFR.b", "BB/RFR.bi", "BB/CFc.b", "BB/Cccc.b")
_BRIDGING: Final = (
    "BA/L",
    "BA/LR",
    "BA/RFr",
    "BA/Rr",
    "BA/RRR",
    "BA/RRRR",
    "BB/F.b",
    "BB/LRFr",
    "BA/CFc+",
)
_AWKWARD = ("BA/Cccc+", "BA/CccR+", "BA/RRRR", "BB/Cccc.b", "BA/CRRR", "BB/CCCR")
_UNPLACEABLE = ("BA/C", "BB/F.b", "BA/C", "BB/F.b", "BB/R.bi", "BA/Cccc+", "BB/Cccc.b")
_YARD: Final = (
    *("BA/C", "BA/LR") * 4,
    "BA/CC.2",
    "BA/CFC.2",
    "BA/CFC.2",
    "BA/L",
    "BB/F.b",
    "BA/RFr",
)
DECLINING: Final = ("BA/RRRR", "BA/CRRR", "BB/F.b", "BA/RRRR", "BA/L", "BA/CcRr", "BB/CCCR")
_COLLECTING: Final = (
    *CAPS[:7],
    *CAPS[:7],
    *("BA/CRRR", "BA/RRR", "BA/RRRR", "BB/R.bi", "BA/LR") * 2,
)
EVERYTHING: Final = tuple(t.id for name in DEFAULT_SETS for t in load_tile_set(name).tiles)
"""Every tile of the two usual sets."""
POOLS: Final = {
    "castles": CAPS + CAPS + MARKETS + ("BA/L", "BA/Rr", "BA/RFr"),
    "bridges": _BRIDGING + _BRIDGING + CAPS,
    "markets": MARKETS + MARKETS + CAPS + _BRIDGING,
    "awkward": _AWKWARD + _AWKWARD + MARKETS + CAPS,
    "unplaceable": _UNPLACEABLE,
    "collects": _COLLECTING,
    "declines": DECLINING,
    "mixed": EVERYTHING,
}
"""What short stacks are drawn from, by what they lead to."""

# ------------------------------------------------------------------------------ rules and sets


def _option_values() -> dict[str, tuple[Any, ...]]:
    hints = get_type_hints(Rules)
    return {
        name: _NUMBERS.get(name)
        or ((False, True) if hints[name] is bool else get_args(hints[name]))
        for name in Rules.__struct_fields__
    }


OPTION_VALUES: Final = _option_values()
"""Every option of `Rules` with the values to try."""


def random_rules(rng: random.Random, *, changes: float = 0.3) -> Rules:
    """Rules with each option changed with some probability."""
    options = {n: rng.choice(v) for n, v in OPTION_VALUES.items() if rng.random() < changes}
    return Rules(**options)


def random_tile(rng: random.Random, name: str, *, abbeys: bool = True) -> dict[str, Any]:
    """A valid tile of no known kind: random edges, in random segments and fields."""
    kinds = ("field", "field", "road", "road", "city", "city", "city", "river", "abbey")
    most = 9 if abbeys else 8
    edges = [rng.choice(kinds[: rng.choice((7, 7, 7, most))]) for _ in SIDES]

    def groups(things: list[Any]) -> list[list[Any]]:
        found: dict[int, list[Any]] = {}
        for thing in things:
            found.setdefault(rng.randrange(len(things)), []).append(thing)
        return list(found.values())

    def sides_of(kind: str) -> list[str]:
        sides = [side for side, edge in zip(SIDES, edges, strict=True) if edge == kind]
        return [" ".join(group) for group in groups(sides)]

    blocks: list[list[str]] = []
    for i, edge in enumerate(edges):
        halves = list(HALVES[2 * i : 2 * i + 2])
        if edge == "field":
            blocks.append(halves)
        elif edge in ("road", "river"):
            blocks += [halves[:1], halves[1:]]
    cities: list[dict[str, Any]] = [
        {"sides": s, "pennants": rng.choice((0, 0, 1, 2)), "cathedral": rng.random() < 0.2}
        | ({"castle": rng.random() < 0.8} if " " not in s else {})
        for s in sides_of("city")
    ]
    caps = [city["sides"].split()[0] for city in cities]

    def touching() -> str:
        return " ".join(cap for cap in caps if rng.random() < 0.5)

    fields: list[dict[str, Any]] = [
        {"halves": " ".join(half for block in group for half in block), "touches": touching()}
        for group in groups(blocks)
    ]
    fields += [{"inner": True, "touches": touching()} for _ in range(rng.choice((0, 0, 0, 1, 2)))]
    return {
        "id": name, "edges": " ".join(edges), "cities": cities,
        "roads": [{"sides": s, "inn": rng.random() < 0.3} for s in sides_of("road")],
        "rivers": [{"sides": s} for s in sides_of("river")],
        "fields": fields, "cloister": rng.random() < 0.25, "bazaar": rng.random() < 0.3,
        "count": rng.randint(1, 4),
    }  # fmt: skip


def random_tile_set(rng: random.Random, *, abbeys: bool = True) -> TileSet:
    """A valid set of 2 to 7 tile types that the core can hold; their ids begin with `ME/`.

    Parameters
    ----------
    abbeys
        Whether edges may be abbeys, which have rules of their own that this program lacks.
    """
    tiles: list[dict[str, Any]] = []
    while len(tiles) < 2 or (len(tiles) < 7 and rng.random() < 0.7):
        tile = random_tile(rng, f"ME/{len(tiles)}", abbeys=abbeys)
        segments = sum(len(tile[key]) for key in ("cities", "roads", "rivers", "fields"))
        if segments + tile["cloister"] <= MOST_SEGMENTS:
            tiles.append(tile)
    return tile_set_from_data(
        {"format": "carcassonne-tiles/1", "name": "own", "tile": tiles}, "own"
    )


# ------------------------------------------------------------------------------ castles


def yard_stack(rng: random.Random, size: int = 10) -> list[str]:
    """A stack for a castle yard."""
    return [rng.choice(_YARD) for _ in range(size)]


def castle_yard(rng: random.Random, players: tuple[str, ...]) -> dict[str, Any]:
    """A table full of castles side by side, with holes whose filling completes things.

    All its edges are fields but for caps and dead ends that look into holes, so that castles can
    lie in any way beside each other. Returned is a position's `given`.
    """
    most = 3 if len(players) <= 4 else 2
    inside = {(x, y) for x in range(5) for y in range(5)}
    free, holes = set(inside), set[Any]()
    tiles: list[str] = []
    castles: list[str] = []
    meeples: list[str] = []
    owned = dict.fromkeys(players, 0)
    standing = dict.fromkeys(players, 0)

    def lay(tile: str, cell: Cell, towards: int) -> None:
        # with its only cap (north) or road (south) towards a side
        turns = (towards - (2 if tile == "BA/LR" else 0)) % 4
        tiles.append(f"{tile} {cell[0]},{cell[1]} {ROTATIONS[turns]}")
        free.discard(cell)

    for cell in rng.sample(sorted(free), len(free)):
        if cell not in free or cell in holes:
            continue
        side, kind = rng.randrange(4), rng.random()
        other = neighbour(cell, side)
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
        elif other in free or other not in inside:
            holes.add(other)
            lay(rng.choice(["BA/C", "BA/LR"]), cell, side)
            owner = rng.choice(players)
            if tiles[-1].startswith("BA/C") and rng.random() < 0.5 and standing[owner] < 3:
                standing[owner] += 1
                meeples.append(f"{owner} {name}")
    return {"tiles": tiles, "castles": castles, "meeples": meeples}
