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

import os
from typing import TYPE_CHECKING, Any, Final

import msgspec

from carcassonne.arena import lines
from carcassonne.arena.config import ArenaError, Tournament, box_of
from carcassonne.arena.results import GameResult, StoredTournament
from carcassonne.arena.schedule import game_number, schedule_of
from carcassonne.folder import Folder, Kind, is_begun, read_meta, reading, require_format
from carcassonne.record import record_head

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from carcassonne.arena.config import Reading
    from carcassonne.arena.game import Played

__all__ = ["DATABASE", "RECORDS", "Store", "read_messages", "read_results", "with_results"]

DATABASE: Final = "results.sqlite"
RECORDS: Final = "games.jsonl"
_KIND: Final = Kind("tournament", DATABASE, "carcassonne-tournament/1")

_SCHEMA: Final = (
    """
CREATE TABLE games (
  game INTEGER PRIMARY KEY, unit INTEGER NOT NULL, turn INTEGER NOT NULL,
  verdict TEXT NOT NULL, culprit INTEGER, message TEXT NOT NULL,
  moves INTEGER NOT NULL, seconds REAL NOT NULL
)
""",
    """
CREATE TABLE seats (
  game INTEGER NOT NULL, seat INTEGER NOT NULL, bot TEXT NOT NULL, points INTEGER NOT NULL,
  defaulted INTEGER NOT NULL, seconds REAL NOT NULL, PRIMARY KEY (game, seat)
) WITHOUT ROWID
""",
)


class Store:
    """The folder of a running tournament. Made by `create` or `resume`; to be closed."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder.path
        self._folder = folder
        self.tournament: Tournament = _config_of(folder.meta("config"), folder.path)
        self._reconcile()
        self._file = (self.folder / RECORDS).open("ab") if self.tournament.records else None

    @classmethod
    def create(cls, folder: Path, reading: Reading) -> Store:
        """Begin a tournament in a folder, which is made if it isn't there.

        Raises
        ------
        CarcassonneError
            There is a tournament in it, or the folder can't be written.
        """
        if not is_begun(folder, _KIND) and (folder / RECORDS).exists():
            raise ArenaError(f"{folder}: holds a {RECORDS} of its own; name another folder")
        meta = {
            "config": reading.tournament,
            "keys": reading.keys,
            "kind": _kind(reading.tournament),
            "finished": False,
        }
        return cls._of(Folder.create(folder, _KIND, _SCHEMA, meta))

    @classmethod
    def resume(cls, folder: Path) -> Store:
        """Go on with the tournament of a folder.

        Raises
        ------
        CarcassonneError
            There is none, it is running, or it was begun by another version of the program.
        """
        store = cls._of(Folder.open(folder, _KIND))
        if store._folder.meta("kind") != _kind(store.tournament):  # noqa: SLF001 - its own
            store.close()
            raise ArenaError(f"{folder}: tile_sets: the tiles have changed since it was begun")
        return store

    @classmethod
    def _of(cls, folder: Folder) -> Store:
        try:
            return cls(folder)
        except BaseException:
            folder.close()
            raise

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
        return list(_results(self._folder.database))

    @property
    def keys(self) -> dict[str, Any]:
        """The keys, of file and flags, that the tournament was begun with."""
        keys: dict[str, Any] = self._folder.meta("keys")
        return keys

    @property
    def is_finished(self) -> bool:
        """Whether the tournament is over."""
        return bool(self._folder.meta("finished"))

    @property
    def verdict(self) -> str | None:
        """What the sequential test decided, if there was one: `H0` or `H1`."""
        verdict: str | None = self._folder.meta("sprt_verdict")
        return verdict

    def add(self, games: Sequence[Played]) -> None:
        """Save games; when this returns they are safe."""
        if self._file is not None:
            self._file.write(b"".join(game.line for game in games))
            self._file.flush()
            os.fsync(self._file.fileno())
        with self._folder.transaction() as database:
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
        self._folder.set_meta(finished=True, sprt_verdict=verdict)

    def close(self) -> None:
        """Leave the folder to others."""
        if self._file is not None:
            self._file.close()
        self._folder.close()

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
        return {game for (game,) in self._folder.read("SELECT game FROM games")}

    def _drop(self, condition: str, value: int) -> None:
        chosen = f"(SELECT game FROM games WHERE {condition})"  # noqa: S608 - our own words
        with self._folder.transaction() as database:
            database.execute(f"DELETE FROM seats WHERE game IN {chosen}", (value,))  # noqa: S608
            database.execute(f"DELETE FROM games WHERE {condition}", (value,))  # noqa: S608


def read_results(folder: Path) -> StoredTournament:
    """A tournament as it stands, also while it runs.

    Raises
    ------
    CarcassonneError
        The folder holds no tournament.
    """
    with reading(folder, _KIND) as database:
        file = folder / DATABASE
        require_format(read_meta(database, file, "format"), folder, _KIND)
        tournament = _config_of(read_meta(database, file, "config"), folder)
        finished = bool(read_meta(database, file, "finished"))
        return with_results(tournament, _results(database), finished=finished)


def with_results(
    tournament: Tournament, results: Iterable[GameResult], *, finished: bool
) -> StoredTournament:
    """A tournament with what has come of it, as standings take it."""
    sprt = tournament.sprt
    return StoredTournament(
        title=tournament.title,
        bots=tournament.labels,
        players=tournament.players,
        planned=schedule_of(tournament).planned,
        finished=finished,
        sprt=None if sprt is None else (sprt.elo0, sprt.elo1),
        results=tuple(results),
        sprt_errors=(0.05, 0.05) if sprt is None else (sprt.alpha, sprt.beta),
    )


# ------------------------------------------------------------------------------ inside


def read_messages(folder: Path) -> dict[int, str]:
    """How the culprits of a tournament's forfeited games failed, by number of the game."""
    with reading(folder, _KIND) as database:
        rows = database.execute("SELECT game, message FROM games WHERE culprit IS NOT NULL")
        return dict(rows.fetchall())


def _kind(tournament: Tournament) -> dict[str, Any]:
    """Rules and tiles, those of a user's own sets in full."""
    head: dict[str, Any] = msgspec.json.decode(
        msgspec.json.encode(record_head(tournament.rules, box_of(tournament)))
    )
    return head


def _config_of(config: object, folder: Path) -> Tournament:
    try:
        return msgspec.convert(config, Tournament)
    except msgspec.ValidationError as error:
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
