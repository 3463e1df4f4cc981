"""The tiles of the purchase game as data: nine Medinas and the ordinary buildings with prices.

Owns reading and checking `alhambra_medina.toml` and users' own files of that form. Prices are
data, since no text on Medina tells them (R-MEDINA-24).
"""

from __future__ import annotations

import tomllib
from collections import Counter
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import msgspec

from carcassonne.alhambra.buildings import KINDS
from carcassonne.alhambra.medina import MAX_PRICE, MEDINAS, MedinaError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["DEFAULT_FILE", "MEDINA", "Tile", "TileSet", "data_path", "default_tiles", "load_tiles"]

DEFAULT_FILE: Final = "alhambra_medina.toml"
FORMAT: Final = "alhambra-medina/1"
MEDINA: Final = "medina"
"""The kind of a Medina tile."""

_Price = Annotated[int, msgspec.Meta(ge=1, le=MAX_PRICE)]
_Prices = Annotated[list[_Price], msgspec.Meta(min_length=1, max_length=99)]


class _MedinaEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    prices: list[_Price]


class _BuildingEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kind: str
    prices: _Prices


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: str
    medina: _MedinaEntry
    building: list[_BuildingEntry]
    title: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Tile:
    """One building tile: its number in the set, one of the six kinds or `medina`, its price."""

    number: int
    kind: str
    price: int

    @property
    def is_medina(self) -> bool:
        """Whether it is a Medina."""
        return self.kind == MEDINA

    def __str__(self) -> str:
        return f"{self.kind} {self.price}"


@dataclass(frozen=True, slots=True)
class TileSet:
    """The prices of all tiles.

    Attributes
    ----------
    title, note : str
        What the set is, and what a reader of results should know of it.
    medinas : tuple of int
        The prices of the nine Medinas, in any order.
    buildings : mapping of str to tuple of int
        The prices of the other tiles by kind, all six kinds.
    """

    title: str
    note: str
    medinas: tuple[int, ...]
    buildings: Mapping[str, tuple[int, ...]]

    def tiles(self) -> tuple[Tile, ...]:
        """Every tile once: the Medinas are among the others (R-MEDINA-1)."""
        priced = [(kind, price) for kind in KINDS for price in self.buildings[kind]]
        priced += [(MEDINA, price) for price in self.medinas]
        return tuple(Tile(number, kind, price) for number, (kind, price) in enumerate(priced))

    def check_built(self, prices: Iterable[int]) -> None:
        """Refuse Medinas that this set doesn't have, or more of a price than it has.

        Raises
        ------
        MedinaError
            A price that is given more often than there are Medinas of it.
        """
        there = Counter(self.medinas)
        for price, count in Counter(prices).items():
            if count > there[price]:
                raise MedinaError(
                    f"Medinas of price {price}: {count} built, {there[price] or 'none'} among the"
                    f" tiles (prices {', '.join(map(str, self.medinas))})"
                )


def data_path(name: str) -> Path:
    """Find a data file in the installed package, or in the checkout if it isn't there.

    Raises
    ------
    MedinaError
        Neither has it.
    """
    here = Path(__file__).parents[2] / "tile_defs" / name
    try:
        packaged = Path(str(resources.files("carcassonne.tile_defs") / name))
    except ModuleNotFoundError:
        packaged = here
    for path in (packaged, here):
        if path.is_file():
            return path
    raise MedinaError(f"the data file {name} is missing: {here}")


def load_tiles(path: Path | str) -> TileSet:
    """Read and check a file of tiles.

    Parameters
    ----------
    path : path
        A TOML file of the form that the head of `alhambra_medina.toml` explains.

    Raises
    ------
    MedinaError
        It can't be read or used; the message names file, entry and field.
    """
    path = Path(path)
    try:
        read = msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), _File)
    except OSError as error:
        raise MedinaError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise MedinaError(f"{path}: this is no text in UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise MedinaError(f"{path}: this is no TOML: {error}") from None
    except RecursionError:
        raise MedinaError(f"{path}: nested too deeply") from None
    except msgspec.ValidationError as error:
        raise MedinaError(f"{path}: {_readable(str(error))}") from None
    except ValueError as error:
        raise MedinaError(f"{path}: {error}") from None
    if read.format != FORMAT:
        raise MedinaError(f"{path}: format: {read.format!r} isn't {FORMAT!r}")
    return TileSet(read.title, read.note, _medinas(path, read), _buildings(path, read))


@cache
def default_tiles() -> TileSet:
    """Read the tiles that come with this program; the Medina prices are an assumption.

    Raises
    ------
    MedinaError
        The file is missing or damaged.
    """
    return load_tiles(data_path(DEFAULT_FILE))


def _readable(message: str) -> str:
    """Put the place in front: `medina.prices[2]: Expected ...`."""
    what, _, where = message.partition(" - at `$.")
    return f"{where.rstrip('`')}: {what}" if where else what


def _medinas(path: Path, read: _File) -> tuple[int, ...]:
    prices = tuple(read.medina.prices)
    if len(prices) != MEDINAS:
        raise MedinaError(
            f"{path}: medina.prices: there are {MEDINAS} Medinas, not {len(prices)} (R-MEDINA-1)"
        )
    return prices


def _buildings(path: Path, read: _File) -> dict[str, tuple[int, ...]]:
    found: dict[str, tuple[int, ...]] = {}
    for index, entry in enumerate(read.building):
        place = f"{path}: building[{index}].kind"
        if entry.kind not in KINDS:
            raise MedinaError(f"{place}: {entry.kind!r} is none of {', '.join(KINDS)}")
        if entry.kind in found:
            raise MedinaError(f"{place}: {entry.kind!r} was given before")
        found[entry.kind] = tuple(entry.prices)
    for kind in KINDS:
        if kind not in found:
            raise MedinaError(f"{path}: building: no entry has the kind {kind!r}")
    return found
