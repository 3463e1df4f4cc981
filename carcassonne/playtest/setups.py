"""What a game is begun from, as one value, and random ones of every kind.

A `Setup` is rules, tile sets, players, the order of the stack and perhaps a position: all of a
record but its moves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from carcassonne import random_games
from carcassonne.model.game import Game
from carcassonne.position import build_position
from carcassonne.random_games import CAPS, DECLINING, EVERYTHING, MARKETS, NAMES, POOLS
from carcassonne.record import FORMAT, sets_data
from carcassonne.rules import PRESETS, Rules
from carcassonne.tiles import ABBEY, DEFAULT_SETS, EXPANSION_8, TileBox, load_tile_set, shipped_sets

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping, Sequence

__all__ = ["KINDS", "Setup", "random_setup"]


@dataclass(frozen=True)
class Setup:
    """How a game begins.

    Attributes
    ----------
    stack : tuple of str
        The draw order, by tile id.
    given : dict or None
        The position to begin from, as in a record; None for a start tile.
    kind : str
        Which kind of game it is, for counting.
    """

    players: tuple[str, ...]
    rules: Rules
    box: TileBox
    stack: tuple[str, ...]
    given: dict[str, Any] | None = None
    kind: str = ""

    @classmethod
    def of(cls, game: Game) -> Setup:
        """How a game began."""
        return cls(game.players, game.rules, game.box, game.stack, game.given)

    def begin(self) -> Game:
        """A new game.

        Raises
        ------
        CarcassonneError
            There is no such game.
        """
        if self.given is None:
            return Game.of_box(self.players, rules=self.rules, box=self.box, stack=self.stack)
        stack = [self.box.tile(name) for name in self.stack]
        return build_position(self.players, self.given, rules=self.rules, box=self.box, stack=stack)

    def record(self, moves: Sequence[str] = ()) -> dict[str, Any]:
        """A record of moves as plain data, whether or not they can be played: without a result."""
        data: dict[str, Any] = {
            "format": FORMAT,
            "rules": self.rules.to_data(),
            "tile_sets": sets_data(self.box),
            "players": list(self.players),
            "stack": list(self.stack),
            "moves": list(moves),
            "result": {"scores": dict.fromkeys(self.players, 0), "winners": []},
        }
        if self.box.changed:
            data["tile_counts"] = dict(self.box.changed)
        if self.given is not None:
            data["given"] = self.given
        return data


# ------------------------------------------------------------------------------ random ones


KINDS: Final[Mapping[str, int]] = {
    "pool": 8, "yard": 3, "alone": 2, "own": 4, "counts": 4, "foreign": 2, "double": 1, "whole": 1,
}  # fmt: skip
"""Kinds of random games with their weights.

pool: a short stack of tiles that lead to rare things. yard: a table full of castles. alone: a
position of one tile, where tiles are declined. own: made-up tiles. counts: the usual sets with
changed counts. foreign: tiles of the other sets that are shipped. double: several copies of sets.
whole: all the tiles of the two usual sets, or of the base.
"""

_FOREIGN: Final = tuple(
    tile.id
    for name in shipped_sets()
    if name not in DEFAULT_SETS
    for tile in load_tile_set(name).tiles
    if ABBEY not in tile.variants[0].edges
)
"""Tiles of other sets; abbeys have rules of their own, which this program lacks."""


def random_setup(rng: random.Random, *, longest: int = 1000) -> Setup:
    """A game of any kind: rules, players, tiles.

    Parameters
    ----------
    longest
        At most so many tiles in the stack.
    """
    players = NAMES[: rng.choice((1, 2, 2, 2, 3, 3, 4, 5, 6))]
    rules = _rules(rng)
    kind = rng.choices(list(KINDS), list(KINDS.values()))[0]
    box, stack, given = _tiles(rng, kind, players)
    return Setup(players, rules, box, tuple(stack[:longest]), given, kind)


def _rules(rng: random.Random) -> Rules:
    """A preset, or rules with a few, half or all of the options drawn anew."""
    changes = rng.choice((0.0, 0.15, 0.15, 0.5, 1.0))
    if not changes:
        return Rules.preset(rng.choice(list(PRESETS)))
    return random_games.random_rules(rng, changes=changes)


def _tiles(
    rng: random.Random, kind: str, players: tuple[str, ...]
) -> tuple[TileBox, list[str], dict[str, Any] | None]:
    box = TileBox.load(DEFAULT_SETS)
    if kind == "yard":
        return box, random_games.yard_stack(rng), random_games.castle_yard(rng, players)
    if kind == "alone":
        first = rng.choice(("BA/L", "BA/LR", "BB/F.b", "BA/CFC.2"))
        return box, _drawn(rng, DECLINING, 12), {"tiles": [f"{first} 0,0 r0"]}
    if kind == "pool":
        return box, _drawn(rng, POOLS[rng.choice(list(POOLS))], 24), None
    if kind == "foreign":
        box = TileBox.load(shipped_sets())
        return box, _drawn(rng, _FOREIGN + CAPS, 20), None
    if kind == "own":
        own = random_games.random_tile_set(rng, abbeys=False)
        box = TileBox.load([*rng.choice((DEFAULT_SETS, DEFAULT_SETS[:1])), own])
        mine = tuple(tile.id for tile in own.tiles)
        return box, _drawn(rng, mine + rng.choice(((), EVERYTHING[:24])), 24), None
    box = _changed_box(rng, kind)
    stack = [tile.id for tile in box.stack()]
    rng.shuffle(stack)
    most = len(stack) if kind == "whole" else rng.randint(1, 40)
    return box, stack[:most], None


def _changed_box(rng: random.Random, kind: str) -> TileBox:
    if kind == "double":
        return TileBox.load([f"base*{rng.randint(1, 2)}", f"{EXPANSION_8}*{rng.randint(1, 3)}"])
    if kind == "whole":
        return TileBox.load(rng.choice((DEFAULT_SETS, DEFAULT_SETS, DEFAULT_SETS[:1])))
    counts = {
        name: rng.randint(0, 4) for name in (*EVERYTHING, *CAPS, *MARKETS) if rng.random() < 0.6
    }
    start = next(tile.id for tile in TileBox.load(DEFAULT_SETS).types.values() if tile.start)
    return TileBox.load(DEFAULT_SETS, counts=counts | {start: max(1, counts.get(start, 1))})


def _drawn(rng: random.Random, pool: Sequence[str], most: int) -> list[str]:
    return [rng.choice(pool) for _ in range(rng.randint(1, most))]
