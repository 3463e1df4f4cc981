"""The folder of a tournament: results in SQLite, records as JSON lines.

Games are saved in batches: their records are appended and flushed to the disk, then their rows
are committed in one transaction. A row without its record or a record without its row can only
be what a crash left of the last batch; opening the folder drops both, and those games are played
again. When a tournament is over its records are put in the order of the schedule, so that the
folder's contents follow from the configuration alone.

`results.sqlite` holds `meta` (key, value as JSON), `games` (one row a game) and `seats` (one row
a game and seat); `games.jsonl` holds `{"game": number, "unit": …, "turn": …, "verdict": …,
"record": {…}}` a line. `lock` is held while a tournament runs.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from typing import TYPE_CHECKING, Any, Final

import msgspec

import carcassonne
from carcassonne.arena import lines
from carcassonne.arena.config import ArenaError, Tournament, box_of
from carcassonne.arena.results import GameResult, StoredTournament
from carcassonne.arena.schedule import game_number, schedule_of
from carcassonne.record import record_head

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from carcassonne.arena.config import Reading
    from carcassonne.arena.game import Played

__all__ = ["DATABASE", "RECORDS", "Store", "connect", "read_results", "read_tournament_of"]

DATABASE: Final = "results.sqlite"
RECORDS: Final = "games.jsonl"
_LOCK: Final = "lock"
_FORMAT: Final = "carcassonne-tournament/1"

_SCHEMA: Final = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE games (
  game INTEGER PRIMARY KEY, unit INTEGER NOT NULL, turn INTEGER NOT NULL,
  verdict TEXT NOT NULL, culprit INTEGER, message TEXT NOT NULL,
  moves INTEGER NOT NULL, seconds REAL NOT NULL
);
CREATE TABLE seats (
  game INTEGER NOT NULL, seat INTEGER NOT NULL, bot TEXT NOT NULL, points INTEGER NOT NULL,
  defaulted INTEGER NOT NULL, seconds REAL NOT NULL, PRIMARY KEY (game, seat)
) WITHOUT ROWID;
"""


class Store:
    """The folder of a running tournament. Made by `create` or `resume`; to be closed."""

    def __init__(
        self, folder: Path, lock: sqlite3.Connection, database: sqlite3.Connection
    ) -> None:
        self.folder = folder
        self._lock = lock
        self._database = database
        self.tournament: Tournament = _config_of(database, folder)
        self._reconcile()
        self._file = (folder / RECORDS).open("ab") if self.tournament.records else None

    @classmethod
    def create(cls, folder: Path, reading: Reading) -> Store:
        """Begin a tournament in a folder, which is made if it isn't there.

        Raises
        ------
        ArenaError
            There is a tournament in it, or the folder can't be written.
        """
        with contextlib.ExitStack() as opened:
            lock = opened.enter_context(contextlib.closing(_locked(folder)))
            _require_unused(folder)
            database = opened.enter_context(contextlib.closing(_open(folder)))
            _begin(database, reading)
            store = cls(folder, lock, database)
            opened.pop_all()
        return store

    @classmethod
    def resume(cls, folder: Path) -> Store:
        """Go on with the tournament of a folder.

        Raises
        ------
        ArenaError
            There is none, it is running, or it was begun by another version of the program.
        """
        if not _is_begun(folder):
            raise ArenaError(f"{folder}: holds no tournament to resume")
        with contextlib.ExitStack() as opened:
            lock = opened.enter_context(contextlib.closing(_locked(folder)))
            database = opened.enter_context(contextlib.closing(_open(folder)))
            _require_same(database, folder)
            store = cls(folder, lock, database)
            opened.pop_all()
        return store

    def require(self, wanted: Tournament) -> None:
        """Refuse to go on as another tournament.

        Raises
        ------
        ArenaError
            Naming the key that differs.
        """
        new = msgspec.to_builtins(wanted)
        for key, value in msgspec.to_builtins(self.tournament).items():
            if new[key] != value:
                detail = "" if isinstance(value, dict | list) else f": {value!r}, not {new[key]!r}"
                raise ArenaError(f"{self.folder}: {key}: was begun otherwise{detail}")

    # ------------------------------------------------------------------ games

    def results(self) -> list[GameResult]:
        """All results, in the order of the schedule."""
        return list(_results(self._database))

    @property
    def keys(self) -> dict[str, Any]:
        """The keys, of file and flags, that the tournament was begun with."""
        keys: dict[str, Any] = _meta(self._database, "keys")
        return keys

    @property
    def is_finished(self) -> bool:
        """Whether the tournament is over."""
        return bool(_meta(self._database, "finished"))

    @property
    def verdict(self) -> str | None:
        """What the sequential test decided, if there was one: `H0` or `H1`."""
        verdict: str | None = _meta(self._database, "sprt_verdict")
        return verdict

    def add(self, games: Sequence[Played]) -> None:
        """Save games; when this returns they are safe."""
        if self._file is not None:
            self._file.write(b"".join(game.line for game in games))
            self._file.flush()
            os.fsync(self._file.fileno())
        with _transaction(self._database) as database:
            database.executemany("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                                 [_game_row(self.tournament, game) for game in games])  # fmt: skip
            database.executemany("INSERT INTO seats VALUES (?, ?, ?, ?, ?, ?)",
                                 [row for game in games
                                  for row in _seat_rows(self.tournament, game)])  # fmt: skip

    def finish(self, *, last_unit: int | None = None, verdict: str | None = None) -> None:
        """The tournament is over; games after its last unit, if it has one, don't count."""
        if last_unit is not None:
            self._drop("unit > ?", last_unit)
        if self._file is not None:
            self._file.close()
            self._file = None
            lines.put_in_order(self.folder / RECORDS, self._known())
        with _transaction(self._database) as database:
            _set_meta(database, finished=True, sprt_verdict=verdict)

    def close(self) -> None:
        """Leave the folder to others."""
        if self._file is not None:
            self._file.close()
        with contextlib.suppress(sqlite3.Error):  # a reader may be there: then it stays as it is
            self._database.execute("PRAGMA busy_timeout = 0")
            self._database.execute("PRAGMA journal_mode = DELETE")
        self._database.close()
        self._lock.close()

    # ------------------------------------------------------------------ after a crash

    def _reconcile(self) -> None:
        """Drop what a crash left of the last batch."""
        if not self.tournament.records:
            return
        kept = lines.keep_known(self.folder / RECORDS, self._known())
        lost = self._known() - kept
        for game in lost:
            self._drop("game = ?", game)

    def _known(self) -> set[int]:
        return {game for (game,) in self._database.execute("SELECT game FROM games")}

    def _drop(self, condition: str, value: int) -> None:
        chosen = f"(SELECT game FROM games WHERE {condition})"  # noqa: S608 - our own words
        with _transaction(self._database) as database:
            database.execute(f"DELETE FROM seats WHERE game IN {chosen}", (value,))  # noqa: S608
            database.execute(f"DELETE FROM games WHERE {condition}", (value,))  # noqa: S608


def read_tournament_of(folder: Path) -> Tournament:
    """What is played in a folder.

    Raises
    ------
    ArenaError
        It holds no tournament.
    """
    with connect(folder) as database:
        return _config_of(database, folder)


def read_results(folder: Path) -> StoredTournament:
    """A tournament as it stands, also while it runs.

    Raises
    ------
    ArenaError
        The folder holds no tournament.
    """
    with connect(folder) as database:
        tournament = _config_of(database, folder)
        sprt = tournament.sprt
        return StoredTournament(
            title=tournament.title,
            bots=tournament.labels,
            players=tournament.players,
            planned=schedule_of(tournament).planned,
            finished=bool(_meta(database, "finished")),
            sprt=None if sprt is None else (sprt.elo0, sprt.elo1),
            results=tuple(_results(database)),
            sprt_errors=(0.05, 0.05) if sprt is None else (sprt.alpha, sprt.beta),
        )


@contextlib.contextmanager
def connect(folder: Path) -> Iterator[sqlite3.Connection]:
    """The database of a folder, to be read.

    Raises
    ------
    ArenaError
        The folder holds no tournament, or one that can't be read.
    """
    path = folder / DATABASE
    if not path.is_file():
        raise ArenaError(f"{folder}: holds no tournament ({DATABASE} is missing)")
    try:
        database = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=30)
        try:
            yield database
        finally:
            database.close()
    except sqlite3.Error as error:
        raise ArenaError(f"{path}: can't be read: {error}") from None


# ------------------------------------------------------------------------------ inside


def _locked(folder: Path) -> sqlite3.Connection:
    """Hold the folder's lock; the system releases it however this process ends."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = sqlite3.connect(folder / _LOCK, timeout=0, isolation_level=None)
    except (OSError, sqlite3.Error) as error:
        text = getattr(error, "strerror", None) or error
        raise ArenaError(f"{folder}: can't be used as a folder: {text}") from None
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError:
        lock.close()
        raise ArenaError(f"{folder}: a tournament is running in it") from None
    except sqlite3.Error as error:
        lock.close()
        raise ArenaError(f"{folder / _LOCK}: is no lock of a tournament: {error}") from None
    return lock


def _open(folder: Path) -> sqlite3.Connection:
    path = folder / DATABASE
    try:
        database = sqlite3.connect(path, isolation_level=None, timeout=30)
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
    except sqlite3.Error as error:
        raise ArenaError(f"{path}: can't be written: {error}") from None
    return database


def _is_begun(folder: Path) -> bool:
    """Whether a folder holds a tournament; one whose creation was cut short doesn't count."""
    if not (folder / DATABASE).is_file():
        return False
    with connect(folder) as database:
        found = database.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone()
    return found is not None


def _require_unused(folder: Path) -> None:
    if _is_begun(folder):
        raise ArenaError(
            f"{folder}: holds a tournament already; go on with it by --resume, or name another "
            "folder"
        )
    if (folder / RECORDS).exists():
        raise ArenaError(f"{folder}: holds a {RECORDS} of its own; name another folder")


def _require_same(database: sqlite3.Connection, folder: Path) -> None:
    """Refuse what this program would not play on just as it was begun."""
    begun = _meta(database, "version")
    if begun != carcassonne.__version__:
        raise ArenaError(
            f"{folder}: was begun with version {begun}; this is {carcassonne.__version__}, which "
            "might play other games"
        )
    if _meta(database, "kind") != _kind(_config_of(database, folder)):
        raise ArenaError(f"{folder}: tile_sets: the tiles have changed since it was begun")


def _begin(database: sqlite3.Connection, reading: Reading) -> None:
    with _transaction(database):
        for statement in filter(str.strip, _SCHEMA.split(";")):
            database.execute(statement)
        _set_meta(
            database,
            format=_FORMAT,
            version=carcassonne.__version__,
            config=reading.tournament,
            keys=reading.keys,
            kind=_kind(reading.tournament),
            finished=False,
        )


def _kind(tournament: Tournament) -> dict[str, Any]:
    """Rules and tiles, those of a user's own sets in full."""
    head: dict[str, Any] = msgspec.json.decode(
        msgspec.json.encode(record_head(tournament.rules, box_of(tournament)))
    )
    return head


@contextlib.contextmanager
def _transaction(database: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """All or nothing; what the database can't do is an error of the folder."""
    try:
        database.execute("BEGIN IMMEDIATE")
        try:
            yield database
        except BaseException:
            database.execute("ROLLBACK")
            raise
        database.execute("COMMIT")
    except sqlite3.Error as error:
        raise ArenaError(f"{DATABASE}: can't be written: {error}") from None


def _set_meta(database: sqlite3.Connection, **values: object) -> None:
    rows = [(key, msgspec.json.encode(value).decode()) for key, value in values.items()]
    database.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", rows)


def _meta(database: sqlite3.Connection, key: str) -> Any:
    row = database.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return None if row is None else msgspec.json.decode(row[0])


def _config_of(database: sqlite3.Connection, folder: Path) -> Tournament:
    try:
        written = _meta(database, "format")
        if written != _FORMAT:
            raise ArenaError(f"{folder}: format: {written!r} is not {_FORMAT!r}")
        return msgspec.convert(_meta(database, "config"), Tournament)
    except (sqlite3.Error, msgspec.MsgspecError) as error:
        raise ArenaError(f"{folder / DATABASE}: is no tournament's: {error}") from None


def _game_row(tournament: Tournament, game: Played) -> tuple[object, ...]:
    result = game.result
    number = game_number(result.unit, result.turn, tournament.players)
    return (
        number, result.unit, result.turn, result.verdict, result.culprit, game.message,
        result.moves, round(game.took, 6),
    )  # fmt: skip


def _seat_rows(tournament: Tournament, game: Played) -> Iterator[tuple[object, ...]]:
    result = game.result
    number = game_number(result.unit, result.turn, tournament.players)
    for seat, bot in enumerate(result.bots):
        defaulted = result.defaulted[seat] if result.defaulted else 0
        yield (number, seat, bot, result.points[seat], defaulted, round(game.seconds[seat], 6))


def _results(database: sqlite3.Connection) -> Iterator[GameResult]:
    database.execute("BEGIN")  # both tables as they stand at one moment
    try:
        seats = database.execute("SELECT * FROM seats ORDER BY game, seat")
        games = database.execute(
            "SELECT game, unit, turn, verdict, culprit, moves FROM games ORDER BY game"
        )
        row = seats.fetchone()
        for game, unit, turn, verdict, culprit, moves in games:
            bots, points, defaulted = [], [], []
            while row is not None and row[0] == game:
                bots.append(row[2])
                points.append(row[3])
                defaulted.append(row[4])
                row = seats.fetchone()
            yield GameResult(
                unit, turn, tuple(bots), tuple(points), verdict, culprit, moves,
                tuple(defaulted) if any(defaulted) else (),
            )  # fmt: skip
    finally:
        database.execute("ROLLBACK")
