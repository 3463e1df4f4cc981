"""Tile sets of JCloisterZone: its XML read into the form of our tile files.

Owns the names of places on a tile that its files use, and the reading of `<tile>` elements.
What a tile set must look like is checked by `carcassonne.tile_files`; elements and attributes
that this program knows nothing of are refused by name.
"""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET  # entities are refused before anything is parsed
from typing import TYPE_CHECKING, Any, Final

from carcassonne.errors import TileError
from carcassonne.files import parse_toml, read_text
from carcassonne.geometry import HALVES, SIDES
from carcassonne.tile_files import FORMAT, tile_set_from_data

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

__all__ = ["convert_tile_set", "parse_location", "set_names_in", "toml_text"]

_LARGEST: Final = 4 * 1024 * 1024
_TRUE: Final = ("true", "yes", "1")
_FALSE: Final = ("false", "no", "0")
_INNER: Final = {"I": 1, "INNER_FARM": 1, "INNER_FIELD": 1, "INNER_FARM_B": 2, "INNER_FIELD_B": 2}
_EDGE_LETTERS: Final = {"F": "field", "R": "road", "C": "city", "I": "river"}

_ATTRIBUTES: Final = {
    "tile": {"id", "edges", "count", "max", "group"},
    "city": {"pennant", "pennants", "cathedral", "castle-base", "resource", "wagon-move"},
    "road": {"inn", "tunnel", "wagon-move"},
    "river": set(),
    "field": {"city"},
    "cloister": {"wagon-move"},
    "monastery": {"wagon-move"},
    "bazaar": set(),
}
"""The elements of a tile and their attributes; `group` orders a river's drawing, `wagon-move`
tells wagons where to go, and neither changes the tile."""


def parse_location(text: str) -> tuple[str, ...]:
    """Read the place of a feature: sides (`NS`, `_N`), half-edges (`NL.NR`) or a middle.

    Returns
    -------
    tuple of str
        Sides in clockwise order, or half-edges, or `inner`, `inner.2` or `cloister` alone.

    Raises
    ------
    ValueError
        The text names no place on a tile.
    """
    if text in _INNER:
        return ("inner",) if _INNER[text] == 1 else ("inner.2",)
    if text in ("CLOISTER", "MONASTERY"):
        return ("cloister",)
    parts = re.split(r"[.\s]+", text.strip())
    if all(part in HALVES for part in parts):
        return tuple(half for half in HALVES if half in parts)
    sides: set[str] = set()
    for part in parts:
        letters = part.removeprefix("_")
        if not letters or any(letter not in SIDES for letter in letters):
            raise ValueError(text)
        sides |= set(SIDES) - set(letters) if part.startswith("_") else set(letters)
    return tuple(side for side in SIDES if side in sides)


# ------------------------------------------------------------------------------ reading


def set_names_in(text: str, where: str) -> list[str]:
    """The ids of the `<tile-set>` elements of a file, in order.

    Raises
    ------
    TileError
        The text is no XML that can be read safely.
    """
    return [element.get("id", "") for element in _root(text, where).iter("tile-set")]


def convert_tile_set(path: str | Path, *, name: str | None = None) -> str:
    """Read a tile set file of JCloisterZone and write it as the text of one of ours.

    Parameters
    ----------
    name
        Which `<tile-set>` to take where the file has several.

    Raises
    ------
    TileError
        Naming the file, the tile and the element that is wrong or unknown.
    """
    where = str(path)
    root = _root(read_text(path, TileError), where)
    if root.tag != "defs":
        raise TileError(f"{where}: <{root.tag}> is no tile definition; it must be <defs>")
    for element in root:
        if element.tag not in ("tiles", "sets"):
            raise TileError(f"{where}: element <{element.tag}> is unknown")
    set_id, counts = _counts(root, where, name)
    tiles = []
    for element in root.iterfind("tiles/*"):
        if element.tag != "tile":
            raise TileError(f"{where}: element <{element.tag}> in <tiles> is unknown")
        reader = _TileReader(where, element)
        count = reader.count(counts)
        if count:
            tiles.append({"id": reader.tile, "count": count, **reader.read()})
    _check_all_defined(where, counts, {tile["id"] for tile in tiles})
    data = {"format": FORMAT, "name": _plain_name(set_id), "title": set_id, "tile": tiles}
    tile_set_from_data(data, where)
    return toml_text(data, where)


def _root(text: str, where: str) -> ET.Element:
    """Parse XML without document types, entities or sizes that could do harm."""
    if len(text) > _LARGEST:
        raise TileError(f"{where}: is larger than {_LARGEST // 1024**2} MiB")
    for forbidden in ("<!DOCTYPE", "<!ENTITY"):
        if forbidden in text.upper():
            raise TileError(f"{where}: {forbidden} is refused: a tile set needs no document type")
    try:
        return ET.fromstring(text)  # noqa: S314 - no document type, so no entities to expand
    except (ET.ParseError, ValueError, RecursionError) as error:
        raise TileError(f"{where}: is no XML: {error}") from None


def _counts(root: ET.Element, where: str, name: str | None) -> tuple[str, dict[str, int] | None]:
    """The chosen set's id and its counts; None where the file has tiles but no set."""
    sets = {element.get("id", ""): element for element in root.iterfind("sets/*")}
    for element in sets.values():
        if element.tag != "tile-set":
            raise TileError(f"{where}: element <{element.tag}> in <sets> is unknown")
    if not sets and name is None:
        return "converted", None
    chosen = name if name is not None else next(iter(sets)) if len(sets) == 1 else None
    if chosen not in sets:
        what = f"there is no set {name!r}" if name is not None else "there are several sets"
        raise TileError(f"{where}: {what}; name one of {', '.join(sets) or 'none'}")
    counts: dict[str, int] = {}
    for element in sets[chosen]:
        tile = element.get("tile", "")
        if element.tag == "remove":
            counts[tile] = 0
        elif element.tag == "ref":
            number = _number(where, f"tile {tile}: count", element.get("count", "1"))
            counts[tile] = counts.get(tile, 0) + number
        else:
            raise TileError(f"{where}: element <{element.tag}> in <tile-set> is unknown")
    return chosen, counts


def _check_all_defined(where: str, counts: dict[str, int] | None, defined: set[str]) -> None:
    for tile, count in (counts or {}).items():
        if count and tile not in defined:
            raise TileError(f"{where}: tile {tile}: the set counts it, but no <tile> defines it")


def _plain_name(set_id: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.-]", "_", set_id).lstrip("_.-") or "converted"


def _number(where: str, what: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise TileError(f"{where}: {what}: {text!r} must be a number from 0 to 999")
    return int(text)


class _TileReader:
    """Reads one `<tile>`, naming file, tile and element in errors."""

    def __init__(self, where: str, element: ET.Element) -> None:
        self.where = where
        self.element = element
        self.tile = element.get("id", "")
        self._check_attributes(element)

    def fail(self, text: str) -> TileError:
        return TileError(f"{self.where}: tile {self.tile or 'without an id'}: {text}")

    def _check_attributes(self, element: ET.Element) -> None:
        if element.tag not in _ATTRIBUTES:
            raise self.fail(f"element <{element.tag}> is unknown")
        for name in sorted(set(element.keys()) - _ATTRIBUTES[element.tag]):
            raise self.fail(f"<{element.tag}>: attribute {name!r} is unknown")

    def count(self, counts: dict[str, int] | None) -> int:
        """How many of the tile there are: as its set says, at most its `max`."""
        own = self._count_of("count", 1)
        number = own if counts is None else counts.get(self.tile, 0)
        return min(number, self._count_of("max", 999))

    def _count_of(self, name: str, default: int) -> int:
        text = self.element.get(name)
        return default if text is None else _number(self.where, f"tile {self.tile}: {name}", text)

    def read(self) -> dict[str, Any]:
        """The tile as our files write it, its id and count left out."""
        tile: dict[str, Any] = {"edges": ""}
        edges = dict.fromkeys(SIDES, "field")
        for child in self.element:
            self._check_attributes(child)
            if len(child):
                raise self.fail(f"<{child.tag}>: element <{child[0].tag}> is unknown")
            if child.tag in ("cloister", "monastery", "bazaar"):
                tile["bazaar" if child.tag == "bazaar" else "cloister"] = True
            elif child.tag == "field":
                tile.setdefault("fields", []).append(self._field(child))
            else:
                sides = self._places(child, SIDES)
                for side in sides:
                    edges[side] = child.tag
                entry = {"sides": " ".join(sides), **self._extras(child)}
                plural = "cities" if child.tag == "city" else f"{child.tag}s"
                tile.setdefault(plural, []).append(entry)
        tile["edges"] = " ".join(edges.values())
        self._check_edges(tile["edges"])
        return tile

    def _check_edges(self, found: str) -> None:
        stated = self.element.get("edges")
        if stated is None:
            return
        letters = stated.replace(" ", "").upper()
        if len(letters) != 4 or any(letter not in _EDGE_LETTERS for letter in letters):
            raise self.fail(f"edges: {stated!r} must be four of the letters F R C I, N E S W")
        if " ".join(_EDGE_LETTERS[letter] for letter in letters) != found:
            raise self.fail(f"edges: {stated!r} differs from its features, which show {found}")

    def _places(self, element: ET.Element, known: Iterable[str]) -> tuple[str, ...]:
        text = (element.text or "").strip()
        try:
            places = parse_location(text)
        except ValueError:
            places = ()
        if not places or any(place not in known for place in places):
            raise self.fail(f"<{element.tag}>: {text!r} names no places that a {element.tag} has")
        return places

    def _field(self, element: ET.Element) -> dict[str, Any]:
        places = self._places(element, (*HALVES, "inner", "inner.2"))
        inner = places[0].startswith("inner")
        entry: dict[str, Any] = {"inner": True} if inner else {"halves": " ".join(places)}
        cities = element.get("city", "").strip()
        if cities:
            try:
                entry["touches"] = " ".join(parse_location(cities))
            except ValueError:
                raise self.fail(f"<field>: city: {cities!r} names no sides") from None
        return entry

    def _flag(self, element: ET.Element, name: str) -> bool:
        text = element.get(name, "false").lower()
        if text not in _TRUE + _FALSE:
            raise self.fail(f"<{element.tag}>: {name}: {text!r} must be true or false")
        return text in _TRUE

    def _extras(self, element: ET.Element) -> dict[str, Any]:
        extras: dict[str, Any] = {}
        for name in ("cathedral", "inn", "tunnel"):
            if self._flag(element, name):
                extras[name] = True
        if element.get("castle-base") is not None and not self._flag(element, "castle-base"):
            extras["castle"] = False
        pennants = _number(
            self.where, f"tile {self.tile}: pennants", element.get("pennants", "0")
        ) or int(self._flag(element, "pennant"))
        if pennants:
            extras["pennants"] = pennants
        goods = element.get("resource", "").lower()
        return {**extras, "goods": goods} if goods else extras


# ------------------------------------------------------------------------------ writing


def toml_text(data: dict[str, Any], where: str) -> str:
    """The text of a tile file; read back, it gives the same data.

    Raises
    ------
    TileError
        A text in it can't be written as TOML.
    """
    lines = [f"{key} = {_value(data[key])}" for key in ("format", "name", "title")]
    for tile in data["tile"]:
        lines += ["", "[[tile]]", *(f"{key} = {_value(tile[key])}" for key in tile)]
    text = "\n".join(lines) + "\n"
    if parse_toml(text, where, TileError) != data:
        raise TileError(f"{where}: a name in it can't be written as TOML")
    return text


def _value(value: object) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(_value(entry) for entry in value) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_value(entry)}" for key, entry in value.items()) + " }"
    return json.dumps(value, ensure_ascii=False)
