"""Tables of an experiment for other programs: one row a game, an auction and a castle.

Owns the columns and the files: CSV by itself, Parquet through DuckDB (the extra `analysis`), and
a data dictionary. Rows are written as they come, so that memory does not grow; files are written
beside and renamed when all is there.
"""

from __future__ import annotations

import csv
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, Literal, NamedTuple, Self

from carcassonne.errors import CarcassonneError
from carcassonne.files import replace, write_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from types import TracebackType

    from carcassonne.playtest.design import Design
    from carcassonne.playtest.rows import GameRow, Measure

__all__ = ["Column", "Exporter", "columns", "dictionary"]

Form = Literal["csv", "parquet"]


class Column(NamedTuple):
    """A column of a table.

    Attributes
    ----------
    table : str
        games, auctions or castles.
    kind : str
        Its type in SQL.
    """

    table: str
    name: str
    unit: str
    about: str
    kind: str


_HEAD: Final = (
    ("arm", "", "Number of the arm in the design, from 0.", "INTEGER"),
    ("arm_name", "", "Its name.", "VARCHAR"),
    ("unit", "", "Number of the stack order, from 0; all arms share it.", "BIGINT"),
    ("turn", "", "Rotation of the seats within the unit, from 0.", "INTEGER"),
)
_AUCTION: Final = (
    ("tile", "", "Id of the tile.", "VARCHAR"),
    ("lot", "", "Number of the lot within its auction, from 1.", "INTEGER"),
    ("chooser", "seat", "Seat, from 0, of the player who chose the tile.", "INTEGER"),
    ("opening", "points", "The first bid.", "INTEGER"),
    ("price", "points", "What was paid.", "INTEGER"),
    ("buyer", "seat", "Seat, from 0, of the player who got the tile.", "INTEGER"),
    ("seller", "seat", "Seat, from 0, of the player who was paid; empty: nobody.", "INTEGER"),
    ("how", "", "free, own bid, bought or sold.", "VARCHAR"),
    ("earned", "points", "What the buyer scored in the turn with the tile.", "INTEGER"),
)
_CASTLE: Final = (
    ("owner", "seat", "Seat, from 0, of the player who built it.", "INTEGER"),
    ("small_city", "points", "What scoring the small city would have paid.", "INTEGER"),
    ("built", "turns", "Number of the turn in which it was built (tiles laid).", "INTEGER"),
    ("paid", "turns", "Number of the turn in which it was paid; empty: never.", "INTEGER"),
    ("by", "", "Kind of feature that paid it: road, city, cloister or castle.", "VARCHAR"),
    ("points", "points", "What it was paid, 0 if nothing.", "INTEGER"),
)


def columns(design: Design, measures: Sequence[Measure]) -> list[Column]:
    """Every column of every table, in order.

    Raises
    ------
    CarcassonneError
        A measure has the name of another column.
    """
    factors = [
        (f"factor_{factor.name}", "", f"Level of the factor {factor.name}.", "VARCHAR")
        for factor in design.factors
    ]
    values = [(m.name, m.unit, m.about, "DOUBLE") for m in measures]
    found = [Column("games", *row) for row in (*_HEAD, *factors, *values)]
    names = [column.name.lower() for column in found]
    for measure in measures:
        if names.count(measure.name.lower()) > 1:
            raise CarcassonneError(
                f"measure {measure.name!r}: a column of the table of games has that name already"
            )
    found += [Column("auctions", *row) for row in (*_HEAD, *_AUCTION)]
    return found + [Column("castles", *row) for row in (*_HEAD, *_CASTLE)]


def dictionary(design: Design, measures: Sequence[Measure]) -> str:
    """The data dictionary, as Markdown."""
    lines = [f"# Data of the playtest: {_cell(design.title)}", ""]
    about = {
        "games": "One row a game, in the order of stack orders, arms and rotations.",
        "auctions": "One row a tile that was put up for auction.",
        "castles": "One row a castle.",
    }
    every = columns(design, measures)
    for table, text in about.items():
        lines += [f"## {table}", "", text, "", "| column | unit | about |", "|---|---|---|"]
        lines += [
            f"| {_cell(c.name)} | {_cell(c.unit)} | {_cell(c.about)} |"
            for c in every
            if c.table == table
        ]
        lines.append("")
    return "\n".join(lines)


def _cell(text: str) -> str:
    """Text in a table of Markdown: one line, bars and tags as they are."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


class Exporter:
    """Writes the tables of an experiment into a folder.

    A context manager: where its block is left by an error, nothing is left behind and files of
    earlier exports stay as they were.

    Parameters
    ----------
    folder
        Made if it is not there.
    form
        csv or parquet.

    Raises
    ------
    CarcassonneError
        The folder can't be written to, a measure has the name of another column, or DuckDB is
        not installed.
    """

    def __init__(
        self, folder: str | Path, design: Design, measures: Sequence[Measure], form: Form = "csv"
    ) -> None:
        if form == "parquet":
            _duckdb()
        self.folder = Path(folder)
        self._design = design
        self._measures = tuple(measures)
        self._form = form
        self._columns = columns(design, measures)
        self._heads = [self._head(number) for number in range(len(design.arms))]
        self._files: dict[str, tuple[IO[str], Path]] = {}
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._writers = {table: self._open(table) for table in ("games", "auctions", "castles")}
        except OSError as error:
            self.discard()
            raise self._failed(error) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None:
            self.close()
        else:
            self.discard()

    def add(self, rows: Iterable[GameRow]) -> None:
        """Write games with their auctions and castles, in the order in which they are given."""
        try:
            for row in rows:
                self._add(row)
        except OSError as error:
            raise self._failed(error) from None

    def close(self) -> list[Path]:
        """Finish: the files get their names.

        Returns
        -------
        list of Path
            The three tables and the data dictionary.
        """
        try:
            for file, _ in self._files.values():
                file.flush()
                os.fsync(file.fileno())
                file.close()
            paths = [self._finish(table, part) for table, (_, part) in self._files.items()]
        except OSError as error:
            raise self._failed(error) from None
        finally:
            self.discard()
        about = self.folder / "data_dictionary.md"
        write_text(about, dictionary(self._design, self._measures))
        return [*paths, about]

    def discard(self) -> None:
        """Take away what is not finished."""
        for file, part in self._files.values():
            with suppress(OSError):  # a full disk is told of once
                file.close()
            part.unlink(missing_ok=True)
        self._files = {}

    # ------------------------------------------------------------------------------ rows

    def _head(self, number: int) -> tuple[str, tuple[str, ...]]:
        """An arm's name and its levels."""
        arm = self._design.arms[number]
        levels = zip(self._design.factors, arm.levels, strict=True)
        return arm.name, tuple(factor.levels[level].label for factor, level in levels)

    def _add(self, row: GameRow) -> None:
        name, levels = self._heads[row.arm]
        head = (row.arm, name, row.unit, row.turn)
        self._writers["games"].writerow((*head, *levels, *row.values))
        self._writers["auctions"].writerows(
            (*head, a.tile, a.lot, a.chooser, a.opening, a.price, a.buyer, a.seller, a.how,
             a.earned)
            for a in row.auctions
        )  # fmt: skip
        self._writers["castles"].writerows(
            (*head, c.owner, c.small_city, c.built, c.paid, c.by, c.points) for c in row.castles
        )

    # ------------------------------------------------------------------------------ files

    def _open(self, table: str) -> Any:
        handle, name = tempfile.mkstemp(prefix=f".{table}.", suffix=".part", dir=self.folder)
        file = os.fdopen(handle, "w", encoding="utf-8", newline="")
        self._files[table] = (file, Path(name))
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(column.name for column in self._of(table))
        return writer

    def _of(self, table: str) -> Iterator[Column]:
        return (column for column in self._columns if column.table == table)

    def _finish(self, table: str, part: Path) -> Path:
        target = self.folder / f"{table}.{self._form}"
        if target.exists() and not target.is_file():
            raise CarcassonneError(f"{target}: is no ordinary file, so nothing is written there")
        if self._form == "parquet":
            beside = part.with_suffix(".parquet.part")
            try:
                self._convert(table, part, beside)
                replace(beside, target)
            finally:
                beside.unlink(missing_ok=True)
        else:
            replace(part, target)
        return target

    def _convert(self, table: str, source: Path, target: Path) -> None:
        """Turn CSV into Parquet, a few rows at a time."""
        duckdb = _duckdb()
        kinds = ", ".join(f"{_quoted(c.name)}: {_quoted(c.kind)}" for c in self._of(table))
        try:
            with duckdb.connect(":memory:") as base:
                base.execute("SET threads = 1")
                base.execute("SET memory_limit = '256MB'")
                base.execute(f"SET temp_directory = {_quoted(str(self.folder))}")
                base.execute(
                    f"COPY (SELECT * FROM read_csv({_quoted(str(source))}, header = true, "  # noqa: S608
                    f"delim = ',', quote = '\"', escape = '\"', columns = {{{kinds}}})) "
                    f"TO {_quoted(str(target))} (FORMAT parquet)"
                )
        except duckdb.Error as error:
            text = str(error).partition("\n")[0]
            raise CarcassonneError(f"{self.folder}: {table}.parquet: {text}") from None

    def _failed(self, error: OSError) -> CarcassonneError:
        return CarcassonneError(f"{self.folder}: can't be written: {error.strerror or error}")


def _quoted(text: str) -> str:
    """A text in SQL."""
    return "'" + text.replace("'", "''") + "'"


def _duckdb() -> Any:
    try:
        import duckdb  # noqa: PLC0415 - an extra, loaded where it is needed
    except ImportError:
        raise CarcassonneError(
            "--parquet needs DuckDB: install it with pip install 'carcassonne[analysis]', or "
            "use --csv"
        ) from None
    return duckdb
