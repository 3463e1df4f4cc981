"""The file of records: one JSON line a game, `{"game": number, …, "record": {…}}`."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from carcassonne.arena.config import ArenaError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

__all__ = ["find_record", "keep_known", "put_in_order"]


class _Line(msgspec.Struct):
    game: int
    record: msgspec.Raw


class _Place(NamedTuple):
    """Where the line of a game stands."""

    game: int
    start: int
    size: int


def find_record(path: Path, game: int) -> dict[str, Any]:
    """The record of a game, as plain data.

    Raises
    ------
    ArenaError
        There is no such file or game.
    """
    try:
        with path.open("rb") as file:
            for line in file:
                found = _read(line)
                if found is not None and found.game == game:
                    record: dict[str, Any] = msgspec.json.decode(found.record)
                    return record
    except OSError as error:
        raise ArenaError(f"{path}: can't be read: {error.strerror or error}") from None
    raise ArenaError(f"{path}: has no record of game {game}")


def keep_known(path: Path, known: Collection[int]) -> set[int]:
    """Drop lines that are torn, unknown or there twice; return the games that are left.

    Mostly they are at the end, where a crash left them, and are cut off.
    """
    if not path.exists():
        return set()
    places = _places(path)
    good: dict[int, _Place] = {}
    for place in places:
        if place.game in known:
            good.setdefault(place.game, place)
    kept = sorted(good.values(), key=lambda place: place.start)
    end = sum(place.size for place in kept)
    if not kept or kept[-1].start + kept[-1].size == end:
        if path.stat().st_size > end:
            os.truncate(path, end)
    else:
        _rewrite(path, kept)
    return set(good)


def put_in_order(path: Path, known: Collection[int]) -> None:
    """Order the lines by game, those of other games left out."""
    places = [place for place in _places(path) if place.game in known]
    ordered = sorted(places)
    if ordered != places or sum(place.size for place in places) != path.stat().st_size:
        _rewrite(path, ordered)


def _places(path: Path) -> list[_Place]:
    """The whole lines of a file; game -1 where a line can't be read."""
    found = []
    start = 0
    with path.open("rb") as file:
        for line in file:
            content = _read(line)
            found.append(_Place(-1 if content is None else content.game, start, len(line)))
            start += len(line)
    return found


def _read(line: bytes) -> _Line | None:
    if not line.endswith(b"\n"):
        return None
    try:
        return msgspec.json.decode(line, type=_Line)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None


def _rewrite(path: Path, places: Sequence[_Place]) -> None:
    """Write the chosen lines in this order to a file beside, and rename it."""
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as new, path.open("rb") as old:
            new.writelines(_lines(old, places))
            new.flush()
            os.fsync(new.fileno())
        Path(temporary).chmod(path.stat().st_mode & 0o777)
        Path(temporary).replace(path)
    finally:
        Path(temporary).unlink(missing_ok=True)


def _lines(file: Any, places: Sequence[_Place]) -> Iterator[bytes]:
    for place in places:
        file.seek(place.start)
        yield file.read(place.size)
