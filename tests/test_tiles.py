"""Tile sets: the shipped ones are complete and right, users' own are read exactly or refused."""

from __future__ import annotations

import copy
import json
import random
import re
import tomllib
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from carcassonne.errors import TileError
from carcassonne.geometry import turn_half, turn_side
from carcassonne.playtest.recount import looks, printed_edges, prints
from carcassonne.tiles import (
    EDGE_KINDS,
    TileBox,
    TileSet,
    base_letters,
    load_tile_set,
    shipped_sets,
    tile_set_from_data,
)
from tests.strategies import examples, tile_data, tile_set_data, to_json

if TYPE_CHECKING:
    from pathlib import Path

SIZES = {
    "base": (24, 72),
    "bridges_castles_bazaars": (11, 12),
    "inns_cathedrals": (17, 18),
    "traders_builders": (24, 24),
    "abbey_mayor": (13, 18),
    "river": (10, 12),
}
TOTALS = {
    "base": {
        "field": 115, "road": 94, "city": 79, "pennants": 10, "cloisters": 6, "bazaars": 0,
        "inns": 0, "cathedrals": 0, "cities": 49, "roads": 62, "fields": 126, "caps": 28,
    },
    "bridges_castles_bazaars": {
        "field": 21, "road": 10, "city": 17, "pennants": 0, "cloisters": 2, "bazaars": 8,
        "inns": 2, "cathedrals": 0, "cities": 9, "roads": 9, "fields": 18, "caps": 4,
    },
    "inns_cathedrals": {
        "field": 17, "road": 24, "city": 31, "pennants": 3, "cloisters": 1, "bazaars": 0,
        "inns": 6, "cathedrals": 2, "cities": 20, "roads": 18, "fields": 35, "caps": 12,
    },
    "traders_builders": {
        "field": 19, "road": 25, "city": 52, "pennants": 0, "cloisters": 1, "bazaars": 0,
        "inns": 0, "cathedrals": 0, "cities": 29, "roads": 23, "fields": 56, "caps": 8,
    },
    "abbey_mayor": {
        "field": 12, "road": 17, "city": 19, "pennants": 6, "cloisters": 1, "bazaars": 0,
        "inns": 0, "cathedrals": 0, "cities": 12, "roads": 12, "fields": 29, "caps": 5,
    },
    "river": {
        "field": 15, "road": 6, "city": 5, "pennants": 0, "cloisters": 1, "bazaars": 0,
        "inns": 0, "cathedrals": 0, "cities": 4, "roads": 4, "fields": 28, "caps": 3,
    },
}  # fmt: skip
"""Counted on the printed tiles; abbeys, which are not drawn, are left out."""


def every_tile() -> list[Any]:
    return [tile for name in shipped_sets() for tile in load_tile_set(name).tiles]


@pytest.mark.parametrize("name", sorted(SIZES))
def test_shipped_set_holds_what_is_printed(name: str) -> None:
    """Types, tiles, edges, segments, pennants, inns and the rest add up (R-BASE-2, R-BASE-30)."""
    tile_set = load_tile_set(name)
    assert (len(tile_set.tiles), tile_set.size) == SIZES[name]
    total: Counter[str] = Counter()
    for tile in tile_set.tiles:
        if not tile.in_stack:
            continue
        printed = tile.variants[0]
        total.update({EDGE_KINDS[edge]: 0 for edge in printed.edges})
        for edge in printed.edges:
            total[EDGE_KINDS[edge]] += tile.count
        total["bazaars"] += tile.bazaar * tile.count
        for piece in printed.segments:
            total[{"city": "cities"}.get(piece.kind, f"{piece.kind}s")] += tile.count
            total["pennants"] += piece.pennants * tile.count
            total["inns"] += piece.inn * tile.count
            total["cathedrals"] += piece.cathedral * tile.count
            total["caps"] += piece.castle_base * tile.count
    assert {key: total[key] for key in TOTALS[name]} == TOTALS[name]
    assert total["river"] == (22 if name == "river" else 0)


def test_shipped_sets_are_all_listed_and_fit_together() -> None:
    """No id or letter is used twice among the shipped sets; 84 tiles with expansion 8."""
    assert set(shipped_sets()) == set(SIZES)
    box = TileBox.load(shipped_sets())
    assert len(box.types) == sum(types for types, _ in SIZES.values())
    both = TileBox.load(["base", "bridges_castles_bazaars"])
    assert sum(both.counts.values()) == 84
    assert len(both.stack()) == 83
    assert both.start is not None
    assert both.start.id == "BA/RCr"
    assert both.has_expansion_8
    assert not TileBox.load(["base"]).has_expansion_8
    assert sorted(base_letters()) == [chr(65 + i) for i in range(24)]


@pytest.mark.parametrize("copies", [1, 2, 3, 99])
def test_sets_can_be_multiplied_and_counts_changed(copies: int) -> None:
    """`base*2` is two copies with one start tile; `tile_counts` changes single counts."""
    box = TileBox.load([f"base*{copies}"], counts={"BA/L": 0, "X": 7})
    assert len(box.stack()) == 72 * copies - 1 - 4 * copies - copies + 7
    assert box.names() == ["base" if copies == 1 else f"base*{copies}"]


@pytest.mark.parametrize("tile", every_tile(), ids=lambda tile: tile.id)
def test_each_half_edge_lies_in_exactly_one_piece(tile: Any) -> None:
    """Sides and half-edges are covered exactly once in each rotation, fields join cities there."""
    for rotation, variant in enumerate(tile.variants):
        assert variant.rotation == rotation
        sides = Counter(side for piece in variant.segments for side in piece.sides)
        halves = Counter(half for piece in variant.segments for half in piece.halves)
        for side in range(4):
            kind = EDGE_KINDS[variant.edges[side]]
            line = kind in ("road", "city", "river")
            assert sides[side] == line
            for half in (2 * side, 2 * side + 1):
                assert halves[half] == (kind not in ("city", "abbey"))
                piece = variant.at_half[half]
                assert (piece is None) == (not halves[half])
                assert piece is None or half in piece.halves
            piece = variant.at_side[side]
            assert (piece.kind == kind and side in piece.sides) if piece else not line
        names = [name for piece in variant.segments for name in piece.names]
        assert len(names) == len(set(names))
        for piece in variant.segments:
            assert piece.name == piece.names[0]
            assert all(variant.by_name[name] is piece for name in piece.names)
            assert all(variant.by_name[name].kind == "city" for name in piece.touches)
            assert not piece.castle_base or (piece.kind, len(piece.sides)) == ("city", 1)
        for axis in (0, 1):
            fields = [EDGE_KINDS[variant.edges[side]] == "field" for side in (axis, axis + 2)]
            assert variant.free_axes[axis] == all(fields)


@pytest.mark.parametrize("tile", every_tile(), ids=lambda tile: tile.id)
def test_rotations_are_turns_of_the_printed_tile(tile: Any) -> None:
    """Each rotation is what turning the points of the print gives; equal looks are found."""
    _check_rotations(tile)


def _check_rotations(tile: Any) -> None:
    for rotation, variant in enumerate(tile.variants):
        edges = printed_edges(tile, rotation)
        assert [edges[side] for side in "NESW"] == [EDGE_KINDS[e] for e in variant.edges]
        turned = {(p.kind, p.name, p.names, p.touches) for p in prints(tile, rotation)}
        assert turned == {(p.kind, p.name, frozenset(p.names), p.touches) for p in variant.segments}
        first = tile.variants[0]
        assert {turn_side(s, rotation) for p in first.segments for s in p.sides} == {
            s for p in variant.segments for s in p.sides
        }
        assert {turn_half(h, rotation) for p in first.segments for h in p.halves} == {
            h for p in variant.segments for h in p.halves
        }
    shown = [looks(tile, rotation) for rotation in range(4)]
    assert tile.same_as == tuple(shown.index(look) for look in shown)
    assert tile.rotations == tuple(sorted(set(tile.same_as)))
    assert tile.rotations in ((0,), (0, 1), (0, 1, 2, 3))


def test_rotations_of_known_tiles() -> None:
    """A cloister alone looks the same all four ways, a straight road two, a bend four (D2, D4)."""
    base = {tile.id: tile for tile in load_tile_set("base").tiles}
    expansion = {tile.id: tile for tile in load_tile_set("bridges_castles_bazaars").tiles}
    for name in ("BA/L", "BA/RRRR", "BA/Cccc+"):
        assert base[name].rotations == (0,)
    for name in ("BA/RFr", "BA/CFc.1", "BA/CFC.2"):
        assert base[name].rotations == (0, 1)
        assert base[name].same_as == (0, 1, 0, 1)
    for name in ("BA/Rr", "BA/RCr", "BA/LR"):
        assert base[name].rotations == (0, 1, 2, 3)
    assert expansion["BB/RFR.bi"].rotations == (0, 1, 2, 3)
    assert expansion["BB/RFR.b"].rotations == (0, 1)


# ------------------------------------------------------------------------------ own sets


@pytest.mark.parametrize("name", sorted(SIZES))
def test_shipped_sets_survive_the_trip_through_data(name: str) -> None:
    """`to_data` and `tile_set_from_data` are inverses, also through JSON."""
    _round_trip(load_tile_set(name))


@given(data=tile_set_data(abbeys=True))
@settings(max_examples=examples(80))
def test_own_sets_survive_the_trip_through_data(data: dict[str, Any]) -> None:
    """Any valid set is read, and read back, with all its facts."""
    tile_set = tile_set_from_data(data, "own.toml")
    assert [tile.id for tile in tile_set.tiles] == [tile["id"] for tile in data["tile"]]
    assert tile_set.size == sum(tile["count"] for tile in data["tile"])
    _round_trip(tile_set)
    for tile in tile_set.tiles:
        _check_rotations(tile)
        test_each_half_edge_lies_in_exactly_one_piece(tile)


def _round_trip(tile_set: TileSet) -> None:
    data = tile_set.to_data()
    for again in (data, to_json(data)):
        other = tile_set_from_data(again, "again", shipped=tile_set.shipped)
        assert other == tile_set
        assert other.to_data() == data
        for one, two in zip(tile_set.tiles, other.tiles, strict=True):
            assert one == two
            assert [v.segments for v in one.variants] == [v.segments for v in two.variants]
            assert [v.edges for v in one.variants] == [v.edges for v in two.variants]


ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 10**30, 1.5, float("nan"), "", " ", "N", "N E", "N N", "X", "NL",
    "field field field field", "city road", "castle", [], [[]], {}, {"sides": "N"}, "\n", "\x00",
    ["N"], "a b", "é", "BA/L", [{"sides": "N E S W"}], [{"halves": "NL NR"}], [{"inner": True}],
)  # fmt: skip
"""Values that belong somewhere else."""


def broken(rng: random.Random, data: dict[str, Any]) -> dict[str, Any]:
    """A copy of plain data with one thing wrong, or oddly right."""
    other = copy.deepcopy(data)
    spots: list[tuple[Any, Any]] = []

    def walk(node: Any) -> None:
        keys = list(node) if isinstance(node, dict) else range(len(node))
        for key in keys:
            spots.append((node, key))
            if isinstance(node[key], dict | list):
                walk(node[key])

    walk(other)
    node, key = rng.choice(spots)
    what = rng.randrange(5)
    if what == 0:
        del node[key]
    elif what == 1:
        node[key] = copy.deepcopy(rng.choice(ODD))
    elif what == 2 and isinstance(node, list):
        node.append(copy.deepcopy(node[key]))
    elif what == 2:
        node[rng.choice(["sidez", "", "count", "x\ny", "castle", "inner"])] = rng.choice(ODD)
    elif isinstance(node[key], str):
        words = node[key].split(" ")
        i = rng.randrange(len(words))
        words[i : i + 1] = rng.choice([[], ["NL"], ["W"], ["field"], [words[i], words[i]], ["?"]])
        node[key] = " ".join(words)
    elif isinstance(node[key], bool):
        node[key] = not node[key]
    else:
        node[key] = rng.choice(ODD)
    return other


def _read_or_refuse(data: object, where: str = "mine.toml") -> TileSet | None:
    """The set, or None if it is refused as it should be: one line that names the file."""
    message = ""
    try:
        tile_set = tile_set_from_data(data, where)
    except TileError as error:
        message = str(error)
        tile_set = None
    if tile_set is None:
        assert message.startswith(f"{where}: ")
        assert len(message) > len(where) + 5
        assert "\n" not in message
    return tile_set


@given(data=tile_set_data(abbeys=True), seed=st.integers(0, 2**32))
@settings(max_examples=examples(150))
def test_broken_data_is_refused_or_still_a_set(data: dict[str, Any], seed: int) -> None:
    """One clear `TileError` that names the file, or a set that holds together."""
    rng = random.Random(seed)
    for _ in range(8):
        tile_set = _read_or_refuse(broken(rng, data))
        if tile_set is not None:
            _round_trip(tile_set)
            for tile in tile_set.tiles:
                test_each_half_edge_lies_in_exactly_one_piece(tile)


@pytest.mark.parametrize("name", sorted(SIZES))
def test_shipped_sets_with_one_fault_are_refused_or_still_a_set(name: str) -> None:
    """The same for the data of the shipped sets."""
    rng = random.Random(name)
    data = load_tile_set(name).to_data()
    for _ in range(examples(60)):
        _read_or_refuse(broken(rng, data))


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"edges": "field field field"}, "edges"),
        ({"edges": "field field field castle"}, "castle"),
        ({"edges": "field field field road"}, "roads"),
        ({"edges": "city field field field"}, "cities"),
        ({"fields": []}, "fields"),
        ({"fields": [{"halves": "NL NR EL ER SL SR WL"}]}, "WR"),
        ({"fields": [{"halves": "NL NR EL ER SL SR WL WR"}, {"halves": "NL"}]}, "fields, entry 2"),
        ({"fields": [{"halves": "NL EL ER SL SR WL WR"}, {"halves": "NR"}]}, "side N"),
        ({"fields": [{"halves": "NL NR EL ER SL SR WL WR", "touches": "N"}]}, "touches"),
        ({"fields": [{"halves": "NL NR EL ER SL SR WL WX"}]}, "WX"),
        ({"roads": [{"sides": "N"}]}, "roads, entry 1"),
        ({"count": 0}, "count"),
        ({"count": "3"}, "count"),
        ({"start": 2}, "start"),
        ({"letter": "ab"}, "letter"),
        ({"cloister": "yes"}, "cloister"),
        ({"colour": "red"}, "colour"),
        ({"cities": [{"sides": "N", "goods": "beer"}]}, "goods"),
    ],
)  # fmt: skip
def test_refusals_name_file_tile_and_field(change: dict[str, Any], expected: str) -> None:
    """Where a single field is wrong, the message leads there."""
    good = {
        "id": "ME/1",
        "edges": "field field field field",
        "fields": [{"halves": "NL NR EL ER SL SR WL WR"}],
    }
    frame = {"format": "carcassonne-tiles/1", "name": "own"}
    assert _read_or_refuse({**frame, "tile": [good]}) is not None
    with pytest.raises(TileError) as refused:
        tile_set_from_data({**frame, "tile": [{**good, **change}]}, "mine.toml")
    message = str(refused.value)
    assert message.startswith("mine.toml: tile ME/1: ")
    words = expected.replace("side N", "N")
    assert words in message


@pytest.mark.parametrize(
    "data",
    [
        None, 3, [], "base", {}, {"format": "carcassonne-tiles/1"},
        {"format": "carcassonne-tiles/2", "name": "own", "tile": []},
        {"format": "carcassonne-tiles/1", "name": "own", "tile": []},
        {"format": "carcassonne-tiles/1", "name": "a b", "tile": [{}]},
        {"format": "carcassonne-tiles/1", "name": "own", "tile": {}},
        {"format": "carcassonne-tiles/1", "name": "own", "tile": [None]},
        {"format": "carcassonne-tiles/1", "name": "own", "tile": [{"id": 3}]},
        {3: 4},
    ],
)  # fmt: skip
def test_what_is_no_set_is_refused(data: object) -> None:
    """Other data than a set of tiles, down to no table at all."""
    assert _read_or_refuse(data) is None


def test_ids_and_letters_are_unique_among_sets() -> None:
    """Two sets with the same id or letter can't lie in one box."""
    own = {
        "format": "carcassonne-tiles/1",
        "name": "own",
        "tile": [
            {
                "id": "BA/L",
                "edges": "field field field field",
                "fields": [{"halves": "NL NR EL ER SL SR WL WR"}],
            }
        ],
    }
    with pytest.raises(TileError, match="BA/L is in two sets"):
        TileBox.load(["base", tile_set_from_data(own, "own.toml")])
    with pytest.raises(TileError, match="two sets"):
        TileBox.load(["base", "base"])
    twice = {**own, "tile": [*own["tile"], *own["tile"]]}
    with pytest.raises(TileError, match="BA/L: id"):
        tile_set_from_data(twice, "own.toml")


# ------------------------------------------------------------------------------ files


def _toml(data: dict[str, Any]) -> str:
    """Plain data of a set as TOML (JSON's strings, numbers and lists are TOML's as well)."""

    def inline(value: Any) -> str:
        if isinstance(value, dict):
            return "{" + ", ".join(f"{key} = {inline(v)}" for key, v in value.items()) + "}"
        if isinstance(value, list):
            return "[" + ", ".join(map(inline, value)) + "]"
        return json.dumps(value)

    head = [f"{key} = {inline(value)}" for key, value in data.items() if key != "tile"]
    tables = [
        "\n".join(["[[tile]]", *(f"{key} = {inline(value)}" for key, value in tile.items())])
        for tile in data["tile"]
    ]
    return "\n".join([*head, *tables]) + "\n"


def _load_or_refuse(path: Path) -> TileSet | None:
    message = ""
    try:
        return load_tile_set(path)
    except TileError as error:
        message = str(error)
    assert message.startswith(str(path))
    assert "\n" not in message
    return None


def test_sets_are_loaded_from_files(tmp_path: Path) -> None:
    """A set written as TOML is the set, by absolute path and by a path within a folder."""
    data = load_tile_set("bridges_castles_bazaars").to_data()
    path = tmp_path / "own.toml"
    path.write_text(_toml({**data, "name": "mine"}), encoding="utf-8")
    assert tomllib.loads(path.read_text(encoding="utf-8"))["tile"] == data["tile"]
    one, two = load_tile_set(path), load_tile_set("own.toml", folder=tmp_path)
    assert one == two
    assert one.tiles[0].id == data["tile"][0]["id"]
    assert not one.shipped


def test_damaged_files_are_refused_or_still_sets(tmp_path: Path) -> None:
    """Cut, flipped or mixed up bytes: one clear `TileError`, or a set that holds together."""
    rng = random.Random(3)
    whole = _toml(load_tile_set("bridges_castles_bazaars").to_data()).encode()
    path = tmp_path / "own.toml"
    for i in range(examples(250)):
        data = bytearray(whole)
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(len(data))
            if i % 3 == 0:
                data[at] = rng.randrange(256)
            elif i % 3 == 1:
                del data[at : at + rng.choice([1, 2, 30, 10**6])]
                data = data or bytearray(b" ")
            else:
                data[at:at] = rng.choice(
                    [b'"', b"]", b"{", b"\n", b"9", b"\xff", b"[[tile]]", b"'"]
                )
        path.write_bytes(bytes(data))
        tile_set = _load_or_refuse(path)
        if tile_set is not None:
            _round_trip(tile_set)


@pytest.mark.parametrize(
    "text",
    [
        "", "\ufeff", "[[tile]]", "tile = 1", "format = 1", "a = " + "[" * 3000 + "]" * 3000,
        "x = 2020-13-45", "x = 1979-05-27T07:32:00Z", "a.b.c = 1\na.b = 2", "\x00", "name = nan",
        'format = "carcassonne-tiles/1"\nname = "own"\ntile = [{id = 1979-05-27}]',
        'format = "carcassonne-tiles/1"\nname = "own"\n[[tile]]\nid = "ME/1"\ncount = inf',
        'format = "carcassonne-tiles/1"\nname = "own"\n[[tile]]\nid = "ME/1"\ncount = ' + "9" * 40,
        'format = "carcassonne-tiles/1"\nname = "own"\n"a\\nb" = 3',
        "count = " + "9" * 5000,
    ],
    ids=lambda text: re.sub(r"\W+", "_", text[:30]),
)  # fmt: skip
def test_odd_files_are_refused(tmp_path: Path, text: str) -> None:
    """Texts that are TOML or nearly, but no tile set."""
    path = tmp_path / "own.toml"
    path.write_text(text, encoding="utf-8")
    assert _load_or_refuse(path) is None


@pytest.mark.parametrize(
    "name",
    ["nowhere", "nowhere.toml", "", ".toml", "base.tom", "base*0", "base*x", "*2", "a\0.toml"],
)
def test_sets_that_are_not_there_are_refused(name: str) -> None:
    """Unknown names, missing files and bad numbers of copies."""
    with pytest.raises(TileError):
        TileBox.load([name])


def test_folders_and_bytes_are_refused(tmp_path: Path) -> None:
    """A folder in place of a file, and a file that is no UTF-8."""
    folder = tmp_path / "folder.toml"
    folder.mkdir()
    assert _load_or_refuse(folder) is None
    path = tmp_path / "latin.toml"
    path.write_bytes("title = 'é'".encode("latin-1"))
    assert _load_or_refuse(path) is None


@given(tile=tile_data(abbeys=True), counts=st.dictionaries(st.sampled_from(["ME/1", "BA/L", "no"]),
       st.sampled_from([0, 1, 999, 1000, -1, True, None, "3", 2.0]), max_size=2))  # fmt: skip
@example(tile={"id": "ME/1", "edges": "abbey abbey abbey abbey"}, counts={"ME/1": 0})
@settings(max_examples=examples(60))
def test_counts_are_checked(tile: dict[str, Any], counts: dict[str, Any]) -> None:
    """`tile_counts` takes whole numbers from 0 to 999 of tiles that are there."""
    own = tile_set_from_data(
        {"format": "carcassonne-tiles/1", "name": "own", "tile": [tile]}, "own.toml"
    )
    good = {k: v for k, v in counts.items() if type(v) is int and 0 <= v <= 999 and k != "no"}
    if good == counts:
        box = TileBox.load(["base", own], counts=counts)
        assert {name: box.counts[name] for name in counts} == counts
        assert len(box.stack()) == sum(box.counts.values()) - 1
    else:
        with pytest.raises(TileError):
            TileBox.load(["base", own], counts=counts)
