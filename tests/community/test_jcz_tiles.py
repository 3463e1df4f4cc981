"""Tile sets of JCloisterZone become tile files of ours; unknown things are refused by name."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from carcassonne.cli import cli
from carcassonne.community.jcz_tiles import (
    convert_tile_set,
    parse_location,
    set_names_in,
    toml_text,
)
from carcassonne.errors import TileError
from carcassonne.geometry import HALVES, SIDES
from carcassonne.tiles import TileBox, load_tile_set, tile_set_from_data
from tests.strategies import examples, tile_set_data

if TYPE_CHECKING:
    from collections.abc import Iterable

SAMPLES = Path(__file__).parent / "samples"
FIELD = "<field>NL NR EL ER SL SR WL WR</field>"


def xml(tile: str, *, sets: str = "", attributes: str = 'id="ME/1"') -> str:
    """A file of one tile."""
    return f"<defs><tiles><tile {attributes}>{tile}</tile></tiles>{sets}</defs>"


def converted(text: str, folder: Path, *, name: str | None = None) -> dict[str, Any]:
    """The data of the tile file that comes out."""
    file = folder / "tiles.xml"
    file.write_text(text, encoding="utf-8")
    return tomllib.loads(convert_tile_set(file, name=name))


# ------------------------------------------------------------------------------ the sample


def test_sample_converts_to_a_set_that_loads(tmp_path: Path) -> None:
    """The command writes a set; counts, removals and maxima are those of the chosen set."""
    out = tmp_path / "made_up.toml"
    args = ["convert", str(SAMPLES / "tiles.xml"), "--out", str(out), "--set", "made-up/1:1"]
    done = CliRunner().invoke(cli, args)
    assert done.exit_code == 0, done.output
    tiles = {tile.id: tile for tile in load_tile_set(out).tiles}
    assert {name: tile.count for name, tile in tiles.items()} == {
        "ME/Gate": 3, "ME/Fair": 1, "ME/Abbey": 1, "ME/Ring": 1
    }  # fmt: skip
    gate = tiles["ME/Gate"].variants[0].by_name
    assert gate["city.N"].pennants == 2
    assert gate["city.N"].castle_base
    assert gate["road.E"].inn
    assert gate["field.EL"].touches == ("city.N",)
    assert tiles["ME/Fair"].bazaar
    assert tiles["ME/Abbey"].cloister
    ring = tiles["ME/Ring"].variants[0].by_name
    assert [ring[f"city.{side}"].castle_base for side in "NES"] == [False, True, False]
    assert ring["city.S"].pennants == 1
    assert ring["field.inner"].touches == ("city.N", "city.E", "city.S")
    assert TileBox.load(["base", str(out)]).counts["ME/Gate"] == 3


def test_other_set_of_the_sample(tmp_path: Path) -> None:
    """Each set of a file can be had; the id becomes a name."""
    text = (SAMPLES / "tiles.xml").read_text(encoding="utf-8")
    data = converted(text, tmp_path, name="made-up/2:1")
    assert data["name"] == "made-up_2_1"
    assert [(tile["id"], tile["edges"]) for tile in data["tile"]] == [
        ("ME/Ford", "river field river field")
    ]
    assert set_names_in(text, "x") == ["made-up/1:1", "made-up/2:1"]


def test_several_sets_must_be_chosen_from(tmp_path: Path) -> None:
    """Without a choice, and with a wrong one, the error lists the sets."""
    out = tmp_path / "out.toml"
    for more in ([], ["--set", "none"]):
        args = ["convert", str(SAMPLES / "tiles.xml"), "--out", str(out), *more]
        done = CliRunner().invoke(cli, args)
        assert isinstance(done.exception, TileError)
        assert "made-up/1:1, made-up/2:1" in str(done.exception)
        assert not out.exists()


def test_command_says_what_it_converts(tmp_path: Path) -> None:
    """Other suffixes are refused, and `--set` for a game."""
    for args in (["a.xml", "--out", "b.json"], ["a.jcz", "--out", "b.toml"],
                 ["a.jcz", "--out", "b.json", "--set", "x"]):  # fmt: skip
        done = CliRunner().invoke(cli, ["convert", *args])
        assert done.exit_code != 0
        assert done.exception is not None


# ------------------------------------------------------------------------------ refusals


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (xml(FIELD + "<volcano/>"), "tile ME/1: element <volcano> is unknown"),
        (xml(FIELD + '<road princess="yes">N</road>'), "attribute 'princess' is unknown"),
        (xml(FIELD, attributes='id="ME/1" hill="yes"'), "attribute 'hill' is unknown"),
        (xml("<field><sheep/>NL</field>"), "element <sheep> is unknown"),
        (xml("<city>NE SX</city>"), "tile ME/1: <city>: 'NE SX'"),
        (xml("<city>NL</city>"), "tile ME/1: <city>: 'NL'"),
        (xml("<field>N</field>"), "tile ME/1: <field>: 'N'"),
        (xml('<city>N</city><field city="Q">EL</field>'), "city: 'Q'"),
        (xml("<city>N</city>"), "tile ME/1: fields: no field covers"),
        (xml(FIELD, attributes='id="ME/1" edges="CFFF"'), "edges: 'CFFF' differs"),
        (xml(FIELD, attributes='id="ME/1" edges="XFFF"'), "edges: 'XFFF' must be"),
        (xml(FIELD, attributes='id="ME/1" count="many"'), "count: 'many'"),
        (xml(FIELD, attributes='id="M E"'), "tile M E: id"),
        (xml('<city pennant="maybe">N E S W</city>'), "pennant: 'maybe'"),
        (xml('<city resource="gold">N E S W</city>'), "goods"),
        (xml(FIELD, sets='<sets><tile-set id="a"><ref tile="ME/2" count="1"/></tile-set></sets>'),
         "tile ME/2: the set counts it"),
        (xml(FIELD, sets='<sets><tile-set id="a"><add/></tile-set></sets>'), "<add>"),
        (xml(FIELD, sets='<sets><pack id="a"/></sets>'), "<pack>"),
        (xml(FIELD, sets="<modifiers/>"), "<modifiers>"),
        ("<defs><tiles><card/></tiles></defs>", "<card>"),
        ("<defs/>", "needs at least one"),
        ("<pack/>", "must be <defs>"),
        ("<defs>", "is no XML"),
        ("", "is no XML"),
        ('<!DOCTYPE a [<!ENTITY b "c">]><defs/>', "<!DOCTYPE is refused"),
        ("<defs>" + " " * 5_000_000 + "</defs>", "larger than"),
    ],
)  # fmt: skip
def test_what_is_unknown_or_wrong_is_named(text: str, words: str, tmp_path: Path) -> None:
    """File, tile and element; always one line."""
    with pytest.raises(TileError) as refused:
        converted(text, tmp_path)
    assert "tiles.xml: " in str(refused.value)
    assert words in str(refused.value)
    assert str(refused.value).isprintable()


# ------------------------------------------------------------------------------ properties


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("N", ("N",)), ("NW", ("N", "W")), ("WE", ("E", "W")), ("N W S E", tuple(SIDES)),
        ("_N", ("E", "S", "W")), ("NWSE", tuple(SIDES)), ("W.E", ("E", "W")),
        ("WR NL", ("NL", "WR")), ("NL.NR.EL.ER", ("NL", "NR", "EL", "ER")),
        ("I", ("inner",)), ("INNER_FARM_B", ("inner.2",)), ("CLOISTER", ("cloister",)),
    ],
)  # fmt: skip
def test_locations(text: str, places: tuple[str, ...]) -> None:
    """All ways in which places on a tile are written."""
    assert parse_location(text) == places


@given(st.text(alphabet="NESWLR_. IQ", max_size=8))
def test_other_locations_are_value_errors(text: str) -> None:
    """Any text is read or refused."""
    try:
        places = parse_location(text)
    except ValueError:
        return
    assert places or text.startswith("_")
    assert set(places) <= {*SIDES, *HALVES, "inner", "inner.2", "cloister"}


def _spaced(words: Iterable[str]) -> str:
    return " ".join(reversed(list(words)))


def as_xml(data: dict[str, Any]) -> str:
    """A set of ours in their form."""
    tiles = []
    for tile in data["tile"]:
        parts = []
        for city in tile.get("cities", []):
            more = f' pennants="{city.get("pennants", 0)}"'
            more += ' cathedral="true"' if city.get("cathedral") else ""
            more += ' castle-base="false"' if city.get("castle") is False else ""
            parts.append(f"<city{more}>{_spaced(city['sides'].split())}</city>")
        for road in tile.get("roads", []):
            more = "".join(f' {key}="yes"' for key in ("inn", "tunnel") if road.get(key))
            parts.append(f"<road{more}>{_spaced(road['sides'].split())}</road>")
        parts += [f"<river>{_spaced(r['sides'].split())}</river>" for r in tile.get("rivers", [])]
        inner = iter(("I", "INNER_FARM_B"))
        for entry in tile.get("fields", []):
            where = next(inner) if entry.get("inner") else _spaced(entry["halves"].split())
            city = f' city="{entry["touches"]}"' if entry.get("touches") else ""
            parts.append(f"<field{city}>{where}</field>")
        parts += ["<cloister/>"] * bool(tile.get("cloister"))
        parts += ["<bazaar/>"] * bool(tile.get("bazaar"))
        tiles.append(f'<tile id="{tile["id"]}" count="{tile.get("count", 1)}">'
                     f"{''.join(parts)}</tile>")  # fmt: skip
    return f"<defs><tiles>{''.join(tiles)}</tiles></defs>"


@settings(max_examples=examples(60), deadline=None)
@given(tile_set_data())
def test_any_set_written_as_theirs_comes_back(data: dict[str, Any]) -> None:
    """Every tile, in each of its parts."""
    if any("abbey" in tile["edges"] for tile in data["tile"]):
        return
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        back = converted(as_xml(data), Path(folder))
    ours = {tile.id: tile for tile in tile_set_from_data(data, "own").tiles}
    theirs = {tile.id: tile for tile in tile_set_from_data(back, "back").tiles}
    assert ours.keys() == theirs.keys()
    for name, tile in ours.items():
        other = theirs[name]
        assert (tile.count, tile.bazaar, tile.cloister) == (
            other.count, other.bazaar, other.cloister
        )  # fmt: skip
        assert tile.variants[0].edges == other.variants[0].edges
        assert tile.variants[0].by_name == other.variants[0].by_name


@pytest.mark.parametrize("name", ["base", "bridges_castles_bazaars", "inns_cathedrals", "river"])
def test_shipped_sets_survive_the_way_there_and_back(name: str, tmp_path: Path) -> None:
    """The sets that ship, written as theirs and converted, are the same tiles."""
    shipped = load_tile_set(name)
    back = tile_set_from_data(converted(as_xml(shipped.to_data()), tmp_path), "back")
    for tile, other in zip(shipped.tiles, back.tiles, strict=True):
        assert (tile.id, tile.count) == (other.id, other.count)
        assert tile.variants[0].edges == other.variants[0].edges
        assert tile.variants[0].by_name == other.variants[0].by_name


@settings(max_examples=examples(40))
@given(st.text(max_size=20))
def test_toml_holds_any_title_or_says_so(title: str) -> None:
    """The text that is written reads back to the same data."""
    data = {"format": "carcassonne-tiles/1", "name": "x", "title": title, "tile": []}
    try:
        text = toml_text(data, "x")
    except TileError:
        return
    assert tomllib.loads(text)["title"] == title
