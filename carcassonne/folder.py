"""A folder in which a long run saves what it does: a lock, and a database with its settings.

The lock is released by the system however the process ends; what was committed survives
`kill -9`. A database has a table `meta` (key, value as JSON) beside the tables of its owner; two
of its keys are those of this module: `format`, and `version`, that of the program that began it.
"""

from __future__ import annotations

import contextlib
import sqlite3
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from carcassonne.errors import CarcassonneError
from carcassonne.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path
    from typing import Self

__all__ = ["Folder", "FolderError", "Kind", "is_begun", "read_meta", "reading", "require_format"]

_LOCK: Final = "lock"
_META: Final = "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID"


class FolderError(CarcassonneError):
    """A folder that can't be used, is in use, or holds something else."""


class Kind(NamedTuple):
    """What folders of a kind hold.

    Attributes
    ----------
    noun : str
        For messages: `tournament`.
    database : str
        The name of the database's file.
    format : str
        Of the database, as in `meta`.
    """

    noun: str
    database: str
    format: str


class Folder:
    """A folder that this process writes. Made by `create` or `open`; to be closed."""

    def __init__(self, path: Path, kind: Kind) -> None:
        self.path = path
        self._file = path / kind.database
        self._lock = _locked(path, kind)
        try:
            self._database = _opened(self._file)
        except BaseException:
            self._lock.close()
            raise

    @classmethod
    def create(
        cls, path: Path, kind: Kind, schema: Sequence[str], meta: Mapping[str, object]
    ) -> Self:
        """Begin a folder, which is made if it isn't there, with tables and first settings.

        Raises
        ------
        FolderError
            It is in use, holds such a database already, or can't be written.
        """
        folder = cls(path, kind)
        try:
            _require_new(path, kind)
            with folder.transaction() as database:
                for statement in (_META, *schema):
                    database.execute(statement)
                first = {"format": kind.format, "version": VERSION}
                _write_meta(database, {**first, **meta})
        except BaseException:
            folder.close()
            raise
        return folder

    @classmethod
    def open(cls, path: Path, kind: Kind) -> Self:
        """Go on with a folder.

        Raises
        ------
        FolderError
            There is none, it is in use, or another version of the program began it.
        """
        if not is_begun(path, kind):
            raise FolderError(f"{path}: holds no {kind.noun} to resume")
        folder = cls(path, kind)
        try:
            require_format(folder.meta("format"), path, kind)
            begun = folder.meta("version")
            if begun != VERSION:
                raise FolderError(  # noqa: TRY301 - the folder is closed below
                    f"{path}: was begun with version {begun}; this is {VERSION}, "
                    "which might play other games"
                )
        except BaseException:
            folder.close()
            raise
        return folder

    @contextlib.contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing; what the database can't do is an error of the folder."""
        database = self._database
        try:
            database.execute("BEGIN IMMEDIATE")
            try:
                yield database
            except BaseException:
                database.execute("ROLLBACK")
                raise
            database.execute("COMMIT")
        except sqlite3.Error as error:
            raise FolderError(f"{self._file}: can't be written: {error}") from None

    def read(self, query: str, values: Sequence[object] = ()) -> Iterator[tuple[Any, ...]]:
        """The rows of a query.

        Raises
        ------
        FolderError
            The database can't be read.
        """
        try:
            yield from self._database.execute(query, values)
        except sqlite3.Error as error:
            raise FolderError(f"{self._file}: can't be read: {error}") from None

    @property
    def database(self) -> sqlite3.Connection:
        """The database itself, to be read."""
        return self._database

    def set_meta(self, **values: object) -> None:
        """Note settings by key."""
        with self.transaction() as database:
            _write_meta(database, values)

    def meta(self, key: str) -> Any:
        """A setting; None if it was never noted."""
        return read_meta(self._database, self._file, key)

    def close(self) -> None:
        """Leave the folder to others, with one file as its database."""
        with contextlib.suppress(sqlite3.Error):  # a reader may be there: then it stays as it is
            self._database.execute("PRAGMA busy_timeout = 0")
            self._database.execute("PRAGMA journal_mode = DELETE")
        self._database.close()
        self._lock.close()


def is_begun(path: Path, kind: Kind) -> bool:
    """Whether a folder holds such a database; one whose creation was cut short doesn't count."""
    if not (path / kind.database).is_file():
        return False
    with reading(path, kind) as database:
        found = database.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone()
    return found is not None


@contextlib.contextmanager
def reading(path: Path, kind: Kind) -> Iterator[sqlite3.Connection]:
    """The database of a folder, to be read, also while another process writes it.

    Raises
    ------
    FolderError
        The folder holds none, or one that can't be read.
    """
    file = path / kind.database
    if not file.is_file():
        raise FolderError(f"{path}: holds no {kind.noun} ({kind.database} is missing)")
    try:
        database = sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, timeout=30)
        try:
            yield database
        finally:
            database.close()
    except sqlite3.Error as error:
        raise FolderError(f"{file}: can't be read: {error}") from None


def read_meta(database: sqlite3.Connection, file: Path, key: str) -> Any:
    """A setting of a database; None if it was never noted.

    Raises
    ------
    FolderError
        The database has no settings.
    """
    try:
        row = database.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else msgspec.json.decode(row[0])
    except (sqlite3.Error, msgspec.MsgspecError) as error:
        raise FolderError(f"{file}: {key}: can't be read: {error}") from None


def require_format(written: object, path: Path, kind: Kind) -> None:
    """Refuse a database of another format.

    Raises
    ------
    FolderError
        Naming both.
    """
    if written != kind.format:
        raise FolderError(f"{path}: format: {written!r} is not {kind.format!r}")


def _require_new(path: Path, kind: Kind) -> None:
    if is_begun(path, kind):
        raise FolderError(
            f"{path}: holds a {kind.noun} already; go on with it by --resume, or name another "
            "folder"
        )


def _write_meta(database: sqlite3.Connection, values: Mapping[str, object]) -> None:
    rows = [(key, msgspec.json.encode(value).decode()) for key, value in values.items()]
    database.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", rows)


def _locked(path: Path, kind: Kind) -> sqlite3.Connection:
    try:
        path.mkdir(parents=True, exist_ok=True)
        lock = sqlite3.connect(path / _LOCK, timeout=0, isolation_level=None)
    except (OSError, sqlite3.Error) as error:
        text = getattr(error, "strerror", None) or error
        raise FolderError(f"{path}: can't be used as a folder: {text}") from None
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError:
        lock.close()
        raise FolderError(f"{path}: a {kind.noun} is running in it") from None
    except sqlite3.Error as error:
        lock.close()
        raise FolderError(f"{path / _LOCK}: is no lock of a {kind.noun}: {error}") from None
    return lock


def _opened(file: Path) -> sqlite3.Connection:
    try:
        database = sqlite3.connect(file, isolation_level=None, timeout=30)
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
    except sqlite3.Error as error:
        raise FolderError(f"{file}: can't be written: {error}") from None
    return database
