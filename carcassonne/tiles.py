"""Tile types and tile sets: what is printed on a tile, and the files that say so.

Owns reading and validating `tile_defs/*.toml` and users' own sets, the four ways in which a
tile can lie, and putting sets together for a game (R-BASE-2, R-BASE-29). What happens on the
table is not its concern.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from carcassonne.errors import TileError
from carcassonne.geometry import HALVES, SIDES, turn_half, turn_side

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = [
    "DEFAULT_SETS",
    "EDGE_KINDS",
    "EMPTY",
    "FEATURE_KINDS",
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

FORMAT: Final = "carcassonne-tiles/1"
EXPANSION_8: Final = "bridges_castles_bazaars"
DEFAULT_SETS: Final = ("base", EXPANSION_8)

EDGE_KINDS: Final = ("", "field", "road", "city", "river", "abbey")
"""Names of the edge codes; code 0 stands for the edge of an empty cell."""
EMPTY, FIELD, ROAD, CITY, RIVER, ABBEY = range(6)

FEATURE_KINDS: Final = ("road", "city", "cloister", "field", "river")

_MOST_COPIES: Final = 99
_MOST_OF_A_TILE: Final = 999
_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+!:/-]*")


# ------------------------------------------------------------------------------ the printed tile


@dataclass(frozen=True, slots=True)
class Segment:
    """One piece of road, city, field, river or a cloister on a tile as it lies.

    Attributes
    ----------
    name : str
        Its name in listings: the first side clockwise from N, or the first half-edge from NL.
    kind : str
        One of `FEATURE_KINDS`.
    names : tuple of str
        All accepted names, `name` first.
    sides : tuple of int
        Sides that a road, city or river covers.
    halves : tuple of int
        Half-edges that a field covers; empty for an inner field.
    castle_base : bool
        Whether the segment can be half of a castle (R-CASTLE-3).
    touches : tuple of str
        Names of the city segments of the same tile that a field adjoins (R-BASE-22).
    """

    name: str
    kind: str
    names: tuple[str, ...]
    sides: tuple[int, ...] = ()
    halves: tuple[int, ...] = ()
    pennants: int = 0
    inn: bool = False
    cathedral: bool = False
    goods: str = ""
    castle_base: bool = False
    tunnel: bool = False
    touches: tuple[str, ...] = ()

    @property
    def openings(self) -> int:
        """Sides (half-edges of a field) through which the segment can go on."""
        return len(self.halves) if self.kind == "field" else len(self.sides)


class Variant:
    """A tile type in one of its four rotations.

    Attributes
    ----------
    edges : tuple of int
        Edge codes (`EDGE_KINDS`) of the sides N, E, S, W.
    segments : tuple of Segment
        In listing order: roads, cities, cloister, fields, rivers.
    at_side, at_half : tuple of (Segment or None)
        The road, city or river at each side; the field at each half-edge.
    by_name : dict
        Every accepted name to its segment.
    free_axes : tuple of bool
        For NS and EW, whether both printed edges are field edges (R-BRIDGE-5).
    """

    __slots__ = ("at_half", "at_side", "by_name", "edges", "free_axes", "rotation", "segments")

    def __init__(self, rotation: int, edges: tuple[int, ...], segments: Iterable[Segment]) -> None:
        self.rotation = rotation
        self.edges = edges
        order = {kind: i for i, kind in enumerate(FEATURE_KINDS)}
        self.segments = tuple(
            sorted(segments, key=lambda s: (order[s.kind], (s.sides or s.halves or (9,))[0]))
        )
        at_side: list[Segment | None] = [None] * 4
        at_half: list[Segment | None] = [None] * 8
        self.by_name: dict[str, Segment] = {}
        for segment in self.segments:
            for side in segment.sides:
                at_side[side] = segment
            for half in segment.halves:
                at_half[half] = segment
            for name in segment.names:
                self.by_name[name] = segment
        self.at_side = tuple(at_side)
        self.at_half = tuple(at_half)
        self.free_axes = tuple(
            edges[axis] == FIELD and edges[axis + 2] == FIELD for axis in (0, 1)
        )


@dataclass(frozen=True)
class TileType:
    """A kind of tile: its printed facts and its four rotations. Compares by identity of the id."""

    id: str
    letter: str
    count: int
    start: int
    bazaar: bool
    cloister: bool
    in_stack: bool
    set_name: str
    variants: tuple[Variant, ...] = field(repr=False, compare=False)

    def __hash__(self) -> int:
        return hash(self.id)

    @cached_property
    def memory(self) -> dict[int, Any]:
        """Answers that a board has worked out for this type, by signature; never a ruling."""
        return {}

    @cached_property
    def same_as(self) -> tuple[int, ...]:
        """For each rotation the lowest one that looks just the same, as printed."""
        looks = [
            (v.edges, frozenset(Counter(_plain(s) for s in v.segments).items()))
            for v in self.variants
        ]
        return tuple(looks.index(look) for look in looks)

    @cached_property
    def rotations(self) -> tuple[int, ...]:
        """The rotations that look different, lowest of each kind."""
        return tuple(sorted(set(self.same_as)))


def _plain(segment: Segment) -> tuple[object, ...]:
    """A segment without the numbering of inner fields, for comparing looks."""
    return (
        segment.kind, segment.sides, segment.halves, segment.pennants, segment.inn,
        segment.cathedral, segment.goods, segment.castle_base, segment.tunnel,
        frozenset(segment.touches),
    )  # fmt: skip


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
        if not 1 <= raw.count <= _MOST_OF_A_TILE:
            raise self.fail("count", f"{raw.count} must be from 1 to {_MOST_OF_A_TILE}")
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
        raw = msgspec.convert(data, RawSet)
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
    return tile_set_from_data(tomllib.loads(text), f"{name}.toml", shipped=True)


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
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise TileError(f"{path}: can't be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise TileError(f"{path}: is no UTF-8 text (byte {error.start})") from None
    except tomllib.TOMLDecodeError as error:
        raise TileError(f"{path}: is no TOML: {error}") from None
    except RecursionError:
        raise TileError(f"{path}: is nested too deeply") from None
    return tile_set_from_data(data, str(path))


@cache
def base_letters() -> dict[str, str]:
    """The rulebook letters A to X of the base tiles, each with the full id."""
    return {tile.letter: tile.id for tile in _shipped("base").tiles}


# ------------------------------------------------------------------------------ sets in a game


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
            if not (copies.isascii() and copies.isdigit() and 1 <= int(copies) <= _MOST_COPIES):
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
            if not 0 <= number <= _MOST_OF_A_TILE:
                raise TileError(
                    f"tile_counts: {name}: {count!r} must be a number from 0 to {_MOST_OF_A_TILE}"
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
            raise TileError(f"tile {name!r} is in none of the sets {sets}{_hint(name)}")
        return found

    def stack(self) -> list[TileType]:
        """All tiles to be drawn, unshuffled, without one start tile."""
        tiles = [self.types[name] for name, count in self.counts.items() for _ in range(count)]
        if self.start is not None:
            tiles.remove(self.start)
        return tiles


def _hint(name: str) -> str:
    """Say which shipped set would have the tile."""
    for set_name in _SHIPPED:
        if any(name in (tile.id, tile.letter) for tile in _shipped(set_name).tiles):
            return f" (it is in {set_name})"
    return ""
