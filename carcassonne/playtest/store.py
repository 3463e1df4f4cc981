"""The folder of a playtest: the rows of its games in SQLite, to go on with and to export from.

`playtest.sqlite` holds `meta` (key, value as JSON) and `games` (arm, unit, turn and the rest of
the row as MessagePack). Games are committed in batches; what a crash lost is played again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from carcassonne.folder import Folder, FolderError, Kind
from carcassonne.playtest.design import Design
from carcassonne.playtest.rows import GameRow

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from typing import Self

__all__ = ["KIND", "LabStore"]

KIND: Final = Kind("playtest", "playtest.sqlite", "carcassonne-playtest/1")
_GAMES: Final = """
CREATE TABLE games (
  unit INTEGER NOT NULL, arm INTEGER NOT NULL, turn INTEGER NOT NULL, row BLOB NOT NULL,
  PRIMARY KEY (unit, arm, turn)
) WITHOUT ROWID
"""


class LabStore:
    """The folder of a playtest. Made by `create` or `resume`; to be closed."""

    def __init__(self, folder: Folder, design: Design) -> None:
        self.folder = folder.path
        self.design = design
        self._folder = folder
        self._encoder = msgspec.msgpack.Encoder()
        self._decoder = msgspec.msgpack.Decoder(GameRow)

    @classmethod
    def create(cls, path: Path, design: Design, tiles: Any) -> Self:
        """Begin a playtest in a folder, which is made if it isn't there.

        Parameters
        ----------
        tiles
            What the design's tile sets hold now, as plain data: they may change.

        Raises
        ------
        FolderError
            There is a playtest in it, or it can't be written.
        """
        meta = {"design": design, "tiles": tiles, "finished": False}
        return cls(Folder.create(path, KIND, [_GAMES], meta), design)

    @classmethod
    def resume(cls, path: Path, tiles_of: Any) -> Self:
        """Go on with the playtest of a folder.

        Parameters
        ----------
        tiles_of
            Gives what a design's tile sets hold now.

        Raises
        ------
        FolderError
            There is none, it is running, or this program would play it otherwise.
        """
        folder = Folder.open(path, KIND)
        try:
            design = _design_of(folder)
            if folder.meta("tiles") != tiles_of(design):
                raise FolderError(  # noqa: TRY301 - the folder is closed below
                    f"{path}: tile_sets: the tiles have changed since it was begun"
                )
        except BaseException:
            folder.close()
            raise
        return cls(folder, design)

    def require(self, wanted: Design) -> None:
        """Refuse to go on as another playtest.

        Raises
        ------
        FolderError
            Naming the key that differs, and both values.
        """
        old, new = msgspec.to_builtins(self.design), msgspec.to_builtins(wanted)
        for key in old:
            where, begun, now = _difference(old[key], new[key], key)
            if begun != now:
                raise FolderError(
                    f"{self.folder}: {where}: the playtest was begun with {_shown(begun)}, not "
                    f"{_shown(now)}"
                )

    @property
    def is_finished(self) -> bool:
        """Whether the playtest is over."""
        return bool(self._folder.meta("finished"))

    def add(self, rows: Sequence[GameRow]) -> None:
        """Save games; when this returns they are safe."""
        encode = self._encoder.encode
        with self._folder.transaction() as database:
            database.executemany(
                "INSERT INTO games VALUES (?, ?, ?, ?)",
                [(row.unit, row.arm, row.turn, encode(row)) for row in rows],
            )

    def rows(self) -> Iterator[GameRow]:
        """All games, by unit, arm and turn; one after the other."""
        decode = self._decoder.decode
        for (row,) in self._folder.read("SELECT row FROM games ORDER BY unit, arm, turn"):
            yield decode(row)

    def finish(self, units: int) -> None:
        """The playtest is over; games of later units don't count."""
        with self._folder.transaction() as database:
            database.execute("DELETE FROM games WHERE unit >= ?", (units,))
        self._folder.set_meta(finished=True)

    def close(self) -> None:
        """Leave the folder to others."""
        self._folder.close()


def _difference(old: Any, new: Any, where: str) -> tuple[str, Any, Any]:
    """The first place where two pieces of plain data differ, and what is there; or the whole."""
    if isinstance(old, dict) and isinstance(new, dict):
        parts = [
            (old.get(key), new.get(key), f"{where}.{key}") for key in dict.fromkeys((*old, *new))
        ]
    elif isinstance(old, list | tuple) and isinstance(new, list | tuple) and len(old) == len(new):
        parts = [
            (one, other, f"{where}, entry {number}")
            for number, (one, other) in enumerate(zip(old, new, strict=True), 1)
        ]
    else:
        return where, old, new
    for one, other, place in parts:
        if one != other:
            return _difference(one, other, place)
    return where, old, new


def _shown(value: Any) -> str:
    """Plain data for a message; of tables with names only those."""
    if isinstance(value, list | tuple):
        items = [item.get("name") or item.get("label") if isinstance(item, dict) else item
                 for item in value]  # fmt: skip
        return f"[{', '.join(map(_shown, items))}]"
    return "nothing" if value is None or value == "" else repr(value)


def _design_of(folder: Folder) -> Design:
    try:
        return msgspec.convert(folder.meta("design"), Design)
    except msgspec.ValidationError as error:
        raise FolderError(f"{folder.path}: design: {error}") from None
