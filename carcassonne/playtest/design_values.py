"""Single values of a design, each checked as far as it can be by itself.

Every function takes a value and where it was written, and raises a `DesignError` that says both
where and what would be right.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from carcassonne.bots.parameters import hint
from carcassonne.errors import CarcassonneError
from carcassonne.playtest.design import DesignError
from carcassonne.rules import DEFAULT_PRESET, Rules, option_help

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

__all__ = [
    "MOST_NAME",
    "Named",
    "Setting",
    "Settings",
    "check_keys",
    "flat_key",
    "flat_keys",
    "labelled",
    "option_of",
    "placed",
    "seats_of",
    "text_of",
    "texts_of",
    "under",
    "whole_of",
]

MOST_NAME: Final = 60
"""Letters of a name at most."""


class Setting(NamedTuple):
    """One checked value and where it was written, for messages."""

    value: Any
    where: str


Settings = dict[str, Setting]
"""Settings by flat key: `players`, `options.NAME`, `tile_counts.ID` ..."""


class Named:
    """Puts where a value was written before the message of an error about it."""

    def __init__(self, where: str) -> None:
        self.where = where

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, _: object) -> None:
        if isinstance(error, CarcassonneError):
            raise DesignError(f"{self.where}: {error}") from None


def check_keys(table: Mapping[str, object], known: Sequence[str], before: str) -> None:
    """Refuse a key that isn't known."""
    for key in table:
        if key not in known:
            raise DesignError(
                f"{before}{key}: is no key{hint(key, known)}; keys are {', '.join(known)}"
            )


def flat_key(name: str) -> str | None:
    """The key of the settings that a factor changes; None if it is no factor."""
    if name in ("players", "bots", "tile_sets", "preset"):
        return name
    if name.startswith("tile_counts.") and len(name) > len("tile_counts."):
        return name
    return f"options.{name}" if name in Rules.__struct_fields__ else None


def flat_keys(table: Mapping[str, Any]) -> Iterator[str]:
    """The keys of the settings that a file, an arm or the flags fix."""
    for key, value in table.items():
        if key in ("options", "tile_counts") and isinstance(value, dict):
            yield from (f"{key}.{name}" for name in value)
        else:
            yield key


def under(settings: Settings, head: str) -> Settings:
    """The settings whose keys begin with a head, by the rest of the key."""
    size = len(head) + 1
    return {key[size:]: item for key, item in settings.items() if key.startswith(f"{head}.")}


def labelled(level: Any, where: str) -> tuple[str, Any]:
    """A level's own label, empty if it has none, and its value."""
    if not isinstance(level, dict):
        return "", level
    if set(level) != {"label", "value"}:
        raise DesignError(f"{where}: a table here has just the two keys label and value")
    return text_of(level["label"], f"{where}, label", most=MOST_NAME), level["value"]


def option_of(name: str, value: Any, where: str) -> object:
    """An option of the rules; `none` stands for no value."""
    if name not in Rules.__struct_fields__:
        close = hint(name, Rules.__struct_fields__)
        raise DesignError(f"{where}: is no option of the rules{close}")
    value = None if value == "none" else value
    try:
        Rules.preset(DEFAULT_PRESET, **{name: value})
    except CarcassonneError:
        raise DesignError(f"{where}: {value!r} must be {option_help(name)}") from None
    return value


def seats_of(players: Setting, bots: Setting, arm: str) -> tuple[int, tuple[str, ...]]:
    """The number of players and the bot in each seat of an arm."""
    codes: tuple[str, ...] = bots.value
    count = players.value if players.value is not None else max(2, len(codes))
    if not 2 <= count <= 6:
        raise DesignError(f"{bots.where}: {len(codes)} bots are too many: there are 2 to 6 players")
    if len(codes) == 1:
        codes *= count
    if len(codes) != count:
        raise DesignError(
            f"{bots.where}: {len(codes)} bots for {count} players in the arm {arm!r}: give one "
            "for each seat, or one for all"
        )
    return count, codes


def placed(name: str, folder: Path) -> str:
    """A tile set's name as it is, its path relative to a folder; copies stay behind the star."""
    head, star, copies = name.rpartition("*")
    path = head if star else copies
    if not path.endswith(".toml"):
        return name
    return f"{folder / path}{star}{copies if star else ''}"


def texts_of(value: Any, where: str, wanted: str) -> tuple[str, ...]:
    """One text or a list of them, none empty."""
    items: Iterable[Any] = [value] if isinstance(value, str) else value
    if (
        not isinstance(items, list | tuple)
        or not items
        or not all(isinstance(item, str | Path) and str(item) for item in items)
    ):
        raise DesignError(f"{where}: must be {wanted}")
    return tuple(str(item) for item in items)


def text_of(value: Any, where: str, *, most: int, empty: bool = False) -> str:
    """One text, without spaces at its ends."""
    if not isinstance(value, str) or len(value) > most or not (value.strip() or empty):
        raise DesignError(f"{where}: must be a text of {0 if empty else 1} to {most} letters")
    return value.strip()


def whole_of(value: Any, where: str, *, least: int, most: int) -> int:
    """A whole number between two bounds."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise DesignError(f"{where}: {value!r} must be a whole number from {least} to {most}")
    return value
