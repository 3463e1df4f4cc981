"""The tile sets of a game put together: which tiles there are, and how many of each.

Tile types and the files that they come from are in `carcassonne.tile_types` and
`carcassonne.tile_files`; their names can be imported from here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from typing import TYPE_CHECKING, Final

from carcassonne.errors import TileError
from carcassonne.tile_files import (
    EXPANSION_8,
    MOST_OF_A_TILE,
    TileSet,
    base_letters,
    load_tile_set,
    shipped_sets,
    tile_set_from_data,
)
from carcassonne.tile_types import (
    ABBEY,
    CITY,
    EDGE_KINDS,
    EMPTY,
    FEATURE_KINDS,
    FIELD,
    RIVER,
    ROAD,
    Segment,
    TileType,
    Variant,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

__all__ = [
    "ABBEY",
    "CITY",
    "DEFAULT_SETS",
    "EDGE_KINDS",
    "EMPTY",
    "EXPANSION_8",
    "FEATURE_KINDS",
    "FIELD",
    "RIVER",
    "ROAD",
    "Segment",
    "TileBox",
    "TileSet",
    "TileType",
    "Variant",
    "base_letters",
    "load_tile_set",
    "shipped_sets",
    "tile_set_from_data",
]

DEFAULT_SETS: Final = ("base", EXPANSION_8)

_MOST_COPIES: Final = 99


@dataclass(frozen=True)
class TileBox:
    """The tile sets of one game put together: which types there are and how many of each.

    Attributes
    ----------
    sets : tuple of (TileSet, int)
        Each set with its number of copies.
    counts : dict
        Tiles of each id, after `tile_counts` (R-BASE-29).
    changed : dict
        The single counts that were changed.
    """

    sets: tuple[tuple[TileSet, int], ...]
    changed: dict[str, int] = field(default_factory=dict)

    @classmethod
    def load(
        cls,
        names: Sequence[str | Path | TileSet],
        *,
        counts: Mapping[str, int] | None = None,
        folder: Path | None = None,
    ) -> TileBox:
        """Load sets by name or path; `"base*2"` stands for two copies.

        Raises
        ------
        TileError
            A set can't be loaded, two sets share an id, or a changed count names no tile.
        """
        if isinstance(names, str) or not names:
            raise TileError("tile_sets must be a list with at least one set")
        loaded = []
        for name in names:
            if isinstance(name, TileSet):
                loaded.append((name, 1))
                continue
            text, star, copies = str(name).rpartition("*")
            if not star:
                text, copies = copies, "1"
            if not (re.fullmatch("[0-9]{1,2}", copies) and 1 <= int(copies) <= _MOST_COPIES):
                raise TileError(
                    f"tile set {str(name)!r}: the copies must be a number from 1 to {_MOST_COPIES}"
                )
            loaded.append((load_tile_set(text, folder=folder), int(copies)))
        return cls.of(loaded, counts=counts)

    @classmethod
    def of(
        cls,
        sets: Sequence[tuple[TileSet, int]],
        *,
        counts: Mapping[str, int] | None = None,
    ) -> TileBox:
        """Put loaded sets together.

        Raises
        ------
        TileError
            Two sets share an id or letter, or a changed count names no tile.
        """
        owner: dict[str, str] = {}
        for tile_set, _ in sets:
            for tile in tile_set.tiles:
                for name in filter(None, (tile.id, tile.letter)):
                    if name in owner:
                        raise TileError(
                            f"tile {name} is in two sets, {owner[name]} and {tile_set.name}: ids "
                            "and letters must be unique (for more copies write a set as 'name*2')"
                        )
                for name in filter(None, (tile.id, tile.letter)):
                    owner[name] = tile_set.name
        box = cls(tuple(sets), {})
        for name, count in (counts or {}).items():
            number = count if isinstance(count, int) and not isinstance(count, bool) else -1
            if not 0 <= number <= MOST_OF_A_TILE:
                raise TileError(
                    f"tile_counts: {name}: {count!r} must be a number from 0 to {MOST_OF_A_TILE}"
                )
            box.changed[box.tile(name).id] = number
        return box

    @cached_property
    def types(self) -> dict[str, TileType]:
        """Every tile type by id, in the order of the files."""
        return {tile.id: tile for tile_set, _ in self.sets for tile in tile_set.tiles}

    @cached_property
    def _by_letter(self) -> dict[str, TileType]:
        return {tile.letter: tile for tile in self.types.values() if tile.letter}

    @cached_property
    def counts(self) -> dict[str, int]:
        """Tiles of each id that belong to the stack, the start tile included."""
        counts = {
            tile.id: tile.count * copies if tile.in_stack else 0
            for tile_set, copies in self.sets
            for tile in tile_set.tiles
        }
        return {**counts, **self.changed}

    @cached_property
    def start(self) -> TileType | None:
        """The start tile: the first type of the first set that has one (R-BASE-2)."""
        for tile in self.types.values():
            if tile.start and self.counts[tile.id]:
                return tile
        return None

    @property
    def has_expansion_8(self) -> bool:
        """Whether Bridges, Castles & Bazaars is among the sets (R-BRIDGE-1, R-CASTLE-1)."""
        return any(tile_set.name == EXPANSION_8 for tile_set, _ in self.sets)

    @property
    def needs(self) -> dict[str, tuple[str, ...]]:
        """The sets whose special rules this program lacks, each with the rules."""
        return {tile_set.name: tile_set.needs for tile_set, _ in self.sets if tile_set.needs}

    def names(self) -> list[str]:
        """The sets as they are written in records: `name` or `name*copies`."""
        return [s.name if copies == 1 else f"{s.name}*{copies}" for s, copies in self.sets]

    def tile(self, name: str) -> TileType:
        """A tile type by its full id or its letter.

        Raises
        ------
        TileError
            No loaded set has such a tile.
        """
        found = self.types.get(name) or self._by_letter.get(name)
        if found is None:
            sets = ", ".join(tile_set.name for tile_set, _ in self.sets)
            hint = _hint(name) or _nearest(name, self.types)
            raise TileError(f"tile {name!r} is in none of the sets {sets}{hint}")
        return found

    def stack(self) -> list[TileType]:
        """All tiles to be drawn, unshuffled, without one start tile."""
        tiles = [self.types[name] for name, count in self.counts.items() for _ in range(count)]
        if self.start is not None:
            tiles.remove(self.start)
        return tiles


def _nearest(name: str, known: Iterable[str]) -> str:
    """Which ids a wrong one may have meant: the nearest, compared without the case."""
    ids = {one.lower(): one for one in known}
    near = [ids[one] for one in get_close_matches(name.lower(), ids, n=3)]
    return f"; did you mean {' or '.join(near)}?" if near else ""


def _hint(name: str) -> str:
    """Say which shipped set would have the tile."""
    for set_name in shipped_sets():
        if any(name in (tile.id, tile.letter) for tile in load_tile_set(set_name).tiles):
            return f" (it is in {set_name})"
    return ""
