"""Tile files: reading and validating `tile_defs/*.toml` and users' own sets.

Owns the form of the files and every check of them; errors name file, tile and field. The head
of `base.toml` explains the form to the people who write it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from carcassonne.errors import TileError
from carcassonne.files import convert, parse_toml, read_text
from carcassonne.geometry import HALVES, SIDES, turn_half, turn_side
from carcassonne.tile_types import (
    ABBEY,
    CITY,
    EDGE_KINDS,
    FIELD,
    RIVER,
    ROAD,
    Segment,
    TileType,
    Variant,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = [
    "EXPANSION_8",
    "TileSet",
    "base_letters",
    "load_tile_set",
    "shipped_sets",
    "tile_set_from_data",
]

FORMAT: Final = "carcassonne-tiles/1"
EXPANSION_8: Final = "bridges_castles_bazaars"

MOST_OF_A_TILE: Final = 999
_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+!:/-]*")

# ------------------------------------------------------------------------------ the file's form


class _Raw(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Base of the tables in a tile file."""


class RawCity(_Raw):
    """A city segment: `castle` is true for a plain half-round cap (the default for one side)."""

    sides: str
    pennants: int = 0
    cathedral: bool = False
    goods: Literal["", "cloth", "grain", "wine"] = ""
    castle: bool | None = None


class RawRoad(_Raw):
    """A road segment."""

    sides: str
    inn: bool = False
    tunnel: bool = False


class RawRiver(_Raw):
    """A river segment."""

    sides: str


class RawField(_Raw):
    """A field segment; `touches` names a side of each city segment that it adjoins."""

    halves: str = ""
    inner: bool = False
    touches: str = ""


class RawTile(_Raw):
    """One `[[tile]]` table."""

    id: str
    edges: str
    count: int = 1
    letter: str = ""
    start: int = 0
    cities: list[RawCity] = []
    roads: list[RawRoad] = []
    rivers: list[RawRiver] = []
    fields: list[RawField] = []
    cloister: bool = False
    bazaar: bool = False
    in_stack: bool = True


class RawSet(_Raw):
    """A whole tile file."""

    format: str
    name: str
    title: str = ""
    needs: list[str] = []
    tile: list[RawTile] = []


class _Checker:
    """Turns the raw tables of one file into tile types, naming file, tile and field in errors."""

    def __init__(self, where: str, set_name: str) -> None:
        self.where = where
        self.set_name = set_name
        self.tile = ""

    def fail(self, key: str, text: str) -> TileError:
        return TileError(f"{self.where}: tile {self.tile}: {key}: {text}")

    def convert(self, raw: RawTile) -> TileType:
        self.tile = raw.id or "without an id"
        self._check_head(raw)
        edges = self._edges(raw.edges)
        cities = self._cities(raw, edges)
        roads = self._lines(raw.roads, "roads", ROAD, edges)
        rivers = self._lines(raw.rivers, "rivers", RIVER, edges)
        fields = self._fields(raw, edges, cities)
        cloister = [Segment("cloister", "cloister", ("cloister",))] if raw.cloister else []
        segments = [*cities, *roads, *rivers, *fields, *cloister]
        return TileType(
            raw.id, raw.letter, raw.count, raw.start, raw.bazaar, raw.cloister, raw.in_stack,
            self.set_name, tuple(_turned(edges, segments, turns) for turns in range(4)),
        )  # fmt: skip

    def _check_head(self, raw: RawTile) -> None:
        if not _ID.fullmatch(raw.id) or len(raw.id) < 2:
            raise self.fail(
                "id", f"{raw.id!r} must be 2 or more letters, digits or ._+!:/- without spaces"
            )
        if raw.letter and not re.fullmatch("[A-Z]", raw.letter):
            raise self.fail("letter", f"{raw.letter!r} must be one letter from A to Z")
        if not 1 <= raw.count <= MOST_OF_A_TILE:
            raise self.fail("count", f"{raw.count} must be from 1 to {MOST_OF_A_TILE}")
        if not 0 <= raw.start <= raw.count:
            raise self.fail("start", f"{raw.start} must be from 0 to the count, {raw.count}")

    def _edges(self, text: str) -> tuple[int, ...]:
        words = text.split()
        if len(words) != 4:
            raise self.fail("edges", f"{text!r} must name four edges, N E S W")
        for side, word in zip(SIDES, words, strict=True):
            if word not in EDGE_KINDS[1:]:
                known = ", ".join(EDGE_KINDS[1:])
                raise self.fail("edges", f"{word!r} on side {side} is none of {known}")
        return tuple(EDGE_KINDS.index(word) for word in words)

    def _names(self, key: str, text: str, known: Sequence[str]) -> tuple[int, ...]:
        words = text.split()
        for word in words:
            if word not in known:
                raise self.fail(key, f"{word!r} is none of {' '.join(known)}")
            if words.count(word) > 1:
                raise self.fail(key, f"{word} stands there twice")
        return tuple(sorted(known.index(word) for word in words))

    def _claim(self, key: str, sides: tuple[int, ...], kind: int, taken: dict[int, str],
               edges: tuple[int, ...]) -> None:  # fmt: skip
        """Check that sides have the right kind of edge and belong to one segment only."""
        if not sides:
            raise self.fail(key, "names no side")
        for side in sides:
            if edges[side] != kind:
                raise self.fail(
                    key, f"side {SIDES[side]} is a {EDGE_KINDS[edges[side]]} edge, "
                    f"not a {EDGE_KINDS[kind]} edge"
                )  # fmt: skip
            if side in taken:
                raise self.fail(key, f"side {SIDES[side]} already belongs to {taken[side]}")
            taken[side] = key

    def _all_claimed(self, key: str, kind: int, taken: Mapping[int, str],
                     edges: tuple[int, ...]) -> None:  # fmt: skip
        for side in range(4):
            if edges[side] == kind and side not in taken:
                raise self.fail(key, f"no segment covers the {EDGE_KINDS[kind]} edge {SIDES[side]}")

    def _cities(self, raw: RawTile, edges: tuple[int, ...]) -> list[Segment]:
        taken: dict[int, str] = {}
        segments = []
        for i, city in enumerate(raw.cities, 1):
            key = f"cities, entry {i}"
            sides = self._names(f"{key}, sides", city.sides, SIDES)
            self._claim(key, sides, CITY, taken, edges)
            if not 0 <= city.pennants <= 9:
                raise self.fail(f"{key}, pennants", f"{city.pennants} must be from 0 to 9")
            if city.castle and len(sides) > 1:
                raise self.fail(f"{key}, castle", "a half-round cap has one side only")
            cap = len(sides) == 1 if city.castle is None else city.castle
            names = tuple(f"city.{SIDES[s]}" for s in sides)
            segments.append(
                Segment(names[0], "city", names, sides, pennants=city.pennants,
                        cathedral=city.cathedral, goods=city.goods, castle_base=cap)
            )  # fmt: skip
        self._all_claimed("cities", CITY, taken, edges)
        return segments

    def _lines(self, raws: Sequence[RawRoad | RawRiver], key: str, kind: int,
               edges: tuple[int, ...]) -> list[Segment]:  # fmt: skip
        taken: dict[int, str] = {}
        segments = []
        word = EDGE_KINDS[kind]
        for i, raw in enumerate(raws, 1):
            sides = self._names(f"{key}, entry {i}, sides", raw.sides, SIDES)
            self._claim(f"{key}, entry {i}", sides, kind, taken, edges)
            names = tuple(f"{word}.{SIDES[s]}" for s in sides)
            inn, tunnel = getattr(raw, "inn", False), getattr(raw, "tunnel", False)
            segments.append(Segment(names[0], word, names, sides, inn=inn, tunnel=tunnel))
        self._all_claimed(key, kind, taken, edges)
        return segments

    def _fields(self, raw: RawTile, edges: tuple[int, ...],
                cities: Sequence[Segment]) -> list[Segment]:  # fmt: skip
        city_at = {side: city.name for city in cities for side in city.sides}
        taken: dict[int, int] = {}
        segments: list[Segment] = []
        inner = 0
        for i, entry in enumerate(raw.fields, 1):
            key = f"fields, entry {i}"
            halves = self._names(f"{key}, halves", entry.halves, HALVES)
            if entry.inner == bool(halves):
                raise self.fail(key, "must either name half-edges or be inner = true")
            for half in halves:
                self._claim_half(key, half, i, taken, edges)
            touched = []
            for side in self._names(f"{key}, touches", entry.touches, SIDES):
                if side not in city_at:
                    raise self.fail(f"{key}, touches", f"no city covers side {SIDES[side]}")
                touched.append(city_at[side])
            inner += entry.inner
            names = tuple(f"field.{HALVES[h]}" for h in halves) or (
                "field.inner" if inner == 1 else f"field.inner.{inner}",
            )
            touches = tuple(dict.fromkeys(touched))
            segments.append(Segment(names[0], "field", names, halves=halves, touches=touches))
        self._all_halves(taken, edges)
        return segments

    def _claim_half(self, key: str, half: int, entry: int, taken: dict[int, int],
                    edges: tuple[int, ...]) -> None:  # fmt: skip
        if edges[half // 2] in (CITY, ABBEY):
            kind = EDGE_KINDS[edges[half // 2]]
            raise self.fail(key, f"{HALVES[half]} lies on a {kind} edge")
        if half in taken:
            raise self.fail(key, f"{HALVES[half]} already belongs to entry {taken[half]}")
        taken[half] = entry

    def _all_halves(self, taken: Mapping[int, int], edges: tuple[int, ...]) -> None:
        for half in range(8):
            if edges[half // 2] not in (CITY, ABBEY) and half not in taken:
                raise self.fail("fields", f"no field covers half-edge {HALVES[half]}")
        for side in range(4):
            left, right = 2 * side, 2 * side + 1
            if edges[side] == FIELD and taken[left] != taken[right]:
                raise self.fail(
                    "fields", f"both halves of the field edge {SIDES[side]} must lie in one field"
                )


def _turned(edges: tuple[int, ...], segments: Sequence[Segment], turns: int) -> Variant:
    """The variant of a tile that is turned by clockwise quarter turns."""
    renamed: dict[str, str] = {}
    lying = []
    for segment in segments:
        sides = tuple(sorted(turn_side(s, turns) for s in segment.sides))
        halves = tuple(sorted(turn_half(h, turns) for h in segment.halves))
        names = (
            tuple(f"{segment.kind}.{SIDES[s]}" for s in sides)
            or tuple(f"field.{HALVES[h]}" for h in halves)
            or segment.names
        )
        renamed[segment.name] = names[0]
        lying.append((segment, names, sides, halves))
    return Variant(
        turns,
        tuple(edges[(side - turns) & 3] for side in range(4)),
        [
            Segment(
                names[0], s.kind, names, sides, halves, s.pennants, s.inn, s.cathedral, s.goods,
                s.castle_base, s.tunnel, tuple(renamed[name] for name in s.touches),
            )
            for s, names, sides, halves in lying
        ],
    )  # fmt: skip


# ------------------------------------------------------------------------------ sets


@dataclass(frozen=True)
class TileSet:
    """A set of tile types from one file.

    Attributes
    ----------
    needs : tuple of str
        Special rules that the set's tiles call for and this program does not have.
    shipped : bool
        Whether the set comes with the program (records name it instead of embedding it).
    raw : RawSet
        The file's own form, for embedding a user's set in a record.
    """

    name: str
    title: str
    needs: tuple[str, ...]
    tiles: tuple[TileType, ...]
    shipped: bool = False
    raw: RawSet | None = field(default=None, repr=False, compare=False)

    @property
    def size(self) -> int:
        """How many tiles the set has, tiles outside the stack included."""
        return sum(tile.count for tile in self.tiles)

    def to_data(self) -> dict[str, Any]:
        """The set as plain data that `tile_set_from_data` reads back."""
        data: dict[str, Any] = msgspec.to_builtins(self.raw)
        return data


def tile_set_from_data(data: object, where: str, *, shipped: bool = False) -> TileSet:
    """Validate a tile set given as plain data (a parsed TOML or JSON table).

    Raises
    ------
    TileError
        Naming `where`, the tile and the field, and saying what would be right.
    """
    try:
        raw = convert(data, RawSet)
    except msgspec.ValidationError as error:
        raise TileError(f"{where}: {_locate(str(error), data)}") from None
    if raw.format != FORMAT:
        raise TileError(f"{where}: format: {raw.format!r} must be {FORMAT!r}")
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]*", raw.name):
        raise TileError(f"{where}: name: {raw.name!r} must be letters, digits and _ . - only")
    if not raw.tile:
        raise TileError(f"{where}: tile: a set needs at least one [[tile]]")
    checker = _Checker(where, raw.name)
    tiles = tuple(checker.convert(tile) for tile in raw.tile)
    _check_unique(tiles, where)
    return TileSet(raw.name, raw.title or raw.name, _needs(raw, tiles), tiles, shipped, raw)


def _locate(message: str, data: object) -> str:
    """Replace the index of a tile in a validation message by the tile's id."""
    match = re.search(r" - at `\$\.?(.*)`$", message)
    if not match:
        return message
    text, path = message[: match.start()], match[1]
    tile = re.match(r"tile\[(\d+)\]\.?", path)
    if tile and isinstance(data, dict):
        entry = data["tile"][int(tile[1])]
        name = entry.get("id") if isinstance(entry, dict) else None
        label = name if isinstance(name, str) else f"number {int(tile[1]) + 1}"
        return f"tile {label}: {path[tile.end() :] or 'table'}: {text}"
    return f"{path or 'file'}: {text}"


def _check_unique(tiles: Iterable[TileType], where: str) -> None:
    seen: set[str] = set()
    for tile in tiles:
        for name, key in ((tile.id, "id"), (tile.letter, "letter")):
            if name and name in seen:
                raise TileError(f"{where}: tile {tile.id}: {key}: {name} stands there twice")
            seen.add(name)


def _needs(raw: RawSet, tiles: Iterable[TileType]) -> tuple[str, ...]:
    """The special rules that are missing: those the file names, and those its tiles show."""
    needs = list(raw.needs)
    if not needs:
        segments = [s for tile in tiles for s in tile.variants[0].segments]
        if any(s.kind == "river" for s in segments):
            needs.append("laying the river first")
        if any(s.goods for s in segments):
            needs.append("trade goods")
        if any(ABBEY in tile.variants[0].edges for tile in tiles):
            needs.append("abbey tiles")
    return tuple(needs)


@cache
def _folder() -> Any:
    """Where the shipped sets are: inside an installed package, else in the checkout."""
    from importlib import resources  # noqa: PLC0415 - slow to load, and not every import reads sets

    try:
        packaged = resources.files("carcassonne.tile_defs")
        if packaged.joinpath("base.toml").is_file():
            return packaged
    except ModuleNotFoundError:
        pass
    return Path(__file__).parent.parent / "tile_defs"


_SHIPPED: Final = (
    "base",
    EXPANSION_8,
    "inns_cathedrals",
    "traders_builders",
    "abbey_mayor",
    "river",
)


def shipped_sets() -> tuple[str, ...]:
    """Names of the sets that come with the program."""
    return _SHIPPED


@cache
def _shipped(name: str) -> TileSet:
    text = _folder().joinpath(f"{name}.toml").read_text(encoding="utf-8")
    return tile_set_from_data(
        parse_toml(text, f"{name}.toml", TileError), f"{name}.toml", shipped=True
    )


def load_tile_set(name_or_path: str | Path, *, folder: Path | None = None) -> TileSet:
    """Load a shipped set by name, or a user's own by path.

    Parameters
    ----------
    name_or_path
        A name of `shipped_sets()`, or the path of a TOML file.
    folder
        Where relative paths start; the working directory by default.

    Raises
    ------
    TileError
        The set is unknown, the file unreadable or invalid.
    """
    text = str(name_or_path)
    if text in _SHIPPED:
        return _shipped(text)
    path = Path(text) if folder is None else folder / text
    if not text.endswith(".toml"):
        raise TileError(
            f"tile set {text!r} is unknown: name one of {', '.join(_SHIPPED)} "
            "or give the path of a .toml file"
        )
    data = parse_toml(read_text(path, TileError), str(path), TileError)
    return tile_set_from_data(data, str(path))


@cache
def base_letters() -> dict[str, str]:
    """The rulebook letters A to X of the base tiles, each with the full id."""
    return {tile.letter: tile.id for tile in _shipped("base").tiles}
