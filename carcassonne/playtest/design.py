"""The design of an experiment: its arms, what is compared with what, and the stack orders.

Owns designs as values. Files and flags that describe one are read by
`carcassonne.playtest.design_file`.

All arms play the same stack orders: a unit is one order, and every arm plays each unit, in as
many seatings as its bots have. What differs between two arms is then only what the design
changes, so that differences within units are sharp.
"""

from __future__ import annotations

from collections import Counter
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

import msgspec

from carcassonne.errors import CarcassonneError
from carcassonne.playtest.phrases import instead
from carcassonne.rules import Rules
from carcassonne.tiles import TileBox

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "MOST_ARMS",
    "Arm",
    "Contrast",
    "Deck",
    "Design",
    "DesignError",
    "Factor",
    "Level",
    "checkpoints",
    "contrasts",
    "stack_order",
]

_WORD: Final = (1 << 64) - 1
MOST_ARMS: Final = 64
"""More arms than these are refused: their statistics would fill memory and no reader's head."""


class DesignError(CarcassonneError):
    """An experiment that can't be run; the message names file or flag, and key."""


class Level(msgspec.Struct, frozen=True):
    """One level of a factor.

    Attributes
    ----------
    label : str
        Short, for tables.
    phrase : str
        For sentences, after `with`: `the auction`, `2 bridges a player`.
    """

    label: str
    phrase: str


class Factor(msgspec.Struct, frozen=True):
    """What a full factorial design varies; the first level is what the others are compared with."""

    name: str
    levels: tuple[Level, ...]


class Arm(msgspec.Struct, frozen=True):
    """One way to play: every unit is played in every arm.

    Attributes
    ----------
    name : str
        Unique within the design.
    rules : Rules
    tile_sets : tuple of str
        Names, or paths that can be opened from where the program runs.
    tile_counts : dict
        Changed counts by full id.
    players : int
        2 to 6.
    bots : tuple of str
        The code of the bot in each seat, in the first seating.
    levels : tuple of int
        The number of its level for each factor of the design.
    """

    name: str
    rules: Rules
    tile_sets: tuple[str, ...]
    tile_counts: dict[str, int]
    players: int
    bots: tuple[str, ...]
    levels: tuple[int, ...] = ()

    @property
    def turns(self) -> int:
        """How many games of this arm a unit has: the different rotations of its bots."""
        return next(
            turn for turn in range(1, len(self.bots) + 1) if self.seating(turn) == self.bots
        )

    def seating(self, turn: int) -> tuple[str, ...]:
        """The bots by seat in a rotation: in turn 1 the second bot has the first seat."""
        turn %= len(self.bots)
        return self.bots[turn:] + self.bots[:turn]

    def box(self) -> TileBox:
        """The tiles; read anew at every call."""
        return TileBox.load(self.tile_sets, counts=self.tile_counts)


class Design(msgspec.Struct, frozen=True):
    """A whole experiment.

    Attributes
    ----------
    games : int
        Units, that is stack orders, at most; each arm plays every one.
    seed : int
        Decides all that is random.
    arms : tuple of Arm
        The first is what the others are compared with.
    factors : tuple of Factor
        Of a full factorial design; empty where the arms are a chosen list.
    until : str
        The precision at which to stop early, as written; empty: none.
    measures, bot_files : tuple of str
        Paths of Python files with measures and bots of the user's own.
    """

    title: str
    games: int
    seed: int
    arms: tuple[Arm, ...]
    factors: tuple[Factor, ...] = ()
    until: str = ""
    measures: tuple[str, ...] = ()
    bot_files: tuple[str, ...] = ()


class Contrast(msgspec.Struct, frozen=True):
    """What is compared: the mean of some arms less the mean of others, unit by unit.

    Attributes
    ----------
    name : str
        For tables: `bazaar_mode: draft against auction`.
    phrase : str
        For sentences: `the draft instead of the auction`.
    plus, minus : tuple of int
        Numbers of the arms.
    factor : str
        The factor whose main effect it is; empty for a pair of arms.
    """

    name: str
    phrase: str
    plus: tuple[int, ...]
    minus: tuple[int, ...]
    factor: str = ""


def contrasts(design: Design) -> tuple[Contrast, ...]:
    """All comparisons of a design.

    Of a full factorial: each level of a factor with its first level, averaged over the other
    factors. Of a list of arms: each with the first.
    """
    if not design.factors:
        base = design.arms[0]
        return tuple(
            Contrast(f"{arm.name} against {base.name}", instead(arm.name, base.name),
                     (number,), (0,))
            for number, arm in enumerate(design.arms) if number
        )  # fmt: skip
    return tuple(
        Contrast(
            f"{factor.name}: {level.label} against {factor.levels[0].label}",
            instead(level.phrase, factor.levels[0].phrase),
            _arms_at(design, place, number),
            _arms_at(design, place, 0),
            factor.name,
        )
        for place, factor in enumerate(design.factors)
        for number, level in enumerate(factor.levels)
        if number
    )


def _arms_at(design: Design, factor: int, level: int) -> tuple[int, ...]:
    return tuple(i for i, arm in enumerate(design.arms) if arm.levels[factor] == level)


def checkpoints(games: int) -> Iterator[int]:
    """The numbers of whole units after which the precision is looked at; the last is `games`.

    They are fixed beforehand, so that an experiment stops at the same unit however many
    processes play it, and grow by a quarter, so that there are few looks.
    """
    units = 32
    while units < games:
        yield units
        units += max(4, units // 16 * 4)
    yield games


class Deck:
    """The tiles of a box, to be put in the order of any unit.

    Every copy of a tile has a random key that depends on nothing but the seed, the unit, the
    tile's id and the number of the copy, and the stack is sorted by key. So two boxes that share
    tiles share their relative order, whatever else they hold, and each order of a box is equally
    likely.
    """

    def __init__(self, box: TileBox) -> None:
        copies: Counter[str] = Counter()
        self._salts = []
        for tile in box.stack():
            copies[tile.id] += 1
            self._salts.append((_number(f"{tile.id}\0{copies[tile.id]}"), tile.id))

    def order(self, seed: int, unit: int) -> list[str]:
        """The ids of all tiles to be drawn, without the start tile, in the order of a unit."""
        base = _number(f"{seed}\0{unit}")
        keyed = []
        for salt, name in self._salts:  # as splitmix64 does, but for what the order ignores
            x = (salt ^ base) * 0xBF58476D1CE4E5B9 & _WORD
            keyed.append(((x ^ x >> 27) * 0x94D049BB133111EB & _WORD, name))
        keyed.sort()
        return [name for _, name in keyed]


def stack_order(box: TileBox, seed: int, unit: int) -> list[str]:
    """The order of a unit; see `Deck`."""
    return Deck(box).order(seed, unit)


def _number(text: str) -> int:
    """A number below 2^64 that follows from a text."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")
