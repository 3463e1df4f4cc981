"""Tables for other programs: the same numbers, typed, described, whole or not at all."""

from __future__ import annotations

import builtins
import csv
import sys
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

from carcassonne.errors import CarcassonneError
from carcassonne.playtest.export import Exporter, columns, dictionary
from carcassonne.playtest.rows import AuctionRow, GameRow, Measure
from tests.playtest.synthetic import MEASURES, design, rows

if TYPE_CHECKING:
    from pathlib import Path

PLAN = design(2, turns=2)


def export(folder: Path, form: Any = "csv", units: int = 5) -> list[Path]:
    exporter = Exporter(folder, PLAN, MEASURES, form)
    exporter.add(rows(PLAN, units=units))
    return exporter.close()


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def parquet(path: Path) -> duckdb.DuckDBPyRelation:
    return duckdb.read_parquet(str(path))


def test_there_is_a_row_for_each_game_auction_and_castle(tmp_path: Path) -> None:
    paths = export(tmp_path / "new" / "folder")
    assert [path.name for path in paths] == [
        "games.csv", "auctions.csv", "castles.csv", "data_dictionary.md",
    ]  # fmt: skip
    games, auctions, castles = (read(path) for path in paths[:3])
    played = list(rows(PLAN, units=5))
    assert len(games) == len(played) == 20
    for line, row in zip(games, played, strict=True):
        assert (line["arm"], line["unit"], line["turn"]) == (
            str(row.arm), str(row.unit), str(row.turn),
        )  # fmt: skip
        assert line["factor_bazaar_mode"] == ("auction", "draft")[row.arm]
        for measure, value in zip(MEASURES, row.values, strict=True):
            text = line[measure.name]
            assert (float(text) if text else None) == value
    assert [line["tile"] for line in auctions] == [a.tile for r in played for a in r.auctions]
    assert [line["price"] for line in auctions] == [
        str(a.price) for r in played for a in r.auctions
    ]
    assert [(line["built"], line["paid"]) for line in castles] == [
        (str(c.built), "" if c.paid is None else str(c.paid)) for r in played for c in r.castles
    ]


def test_parquet_holds_the_same_with_types(tmp_path: Path) -> None:
    export(tmp_path, "csv", 30)
    export(tmp_path, "parquet", 30)
    for table in ("games", "auctions", "castles"):
        typed = parquet(tmp_path / f"{table}.parquet").fetchall()
        plain = read(tmp_path / f"{table}.csv")
        assert len(typed) == len(plain) > 0
        for one, other in zip(typed, plain, strict=True):
            for value, text in zip(one, other.values(), strict=True):
                if value is None or isinstance(value, str):
                    assert (value or "") == text
                else:
                    assert value == float(text)
    castles = parquet(tmp_path / "castles.parquet")
    kinds = dict(zip(castles.columns, map(str, castles.types), strict=True))
    assert kinds["paid"] == "INTEGER"
    assert kinds["by"] == "VARCHAR"


def test_text_with_quotes_and_line_breaks_survives(tmp_path: Path) -> None:
    name = 'a "b", c\nd'
    row = GameRow(0, 0, 0, (), (AuctionRow(name, 1, 0, 1, 2, 1, None, "free", 3),))
    folder = tmp_path / "it's"
    forms: tuple[Any, ...] = ("csv", "parquet")
    for form in forms:
        with Exporter(folder, PLAN, (), form) as exporter:
            exporter.add([row])
    assert read(folder / "auctions.csv")[0]["tile"] == name
    (line,) = parquet(folder / "auctions.parquet").fetchall()
    assert (line[4], line[10]) == (name, None)
    assert parquet(folder / "castles.parquet").fetchall() == []


def test_every_column_is_in_the_dictionary(tmp_path: Path) -> None:
    paths = export(tmp_path)
    text = paths[-1].read_text(encoding="utf-8")
    assert text == dictionary(PLAN, MEASURES)
    found = columns(PLAN, MEASURES)
    for path in paths[:3]:
        with path.open(encoding="utf-8") as file:
            head = next(csv.reader(file))
        assert head == [c.name for c in found if c.table == path.stem]
    for column in found:
        about = column.about.replace("<", "&lt;")
        assert f"| {column.name} | {column.unit} | {about} |" in text
        assert column.about


def test_a_broken_off_export_leaves_earlier_files_as_they_were(tmp_path: Path) -> None:
    export(tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    def play() -> None:
        with Exporter(tmp_path, PLAN, MEASURES) as exporter:
            exporter.add(rows(PLAN, units=1))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play()
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_nothing_is_left_beside_the_tables(tmp_path: Path) -> None:
    for form in ("csv", "parquet"):
        export(tmp_path, form)
    assert sorted(path.suffix for path in tmp_path.iterdir()) == sorted(
        [".csv"] * 3 + [".parquet"] * 3 + [".md"]
    )
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_a_folder_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CarcassonneError, match="file: can't be written"):
        Exporter(tmp_path / "file", PLAN, MEASURES)
    (tmp_path / "castles.csv").mkdir()
    with pytest.raises(CarcassonneError, match=r"castles\.csv: is no ordinary file"):
        export(tmp_path)


def test_a_measure_cannot_take_the_name_of_another_column(tmp_path: Path) -> None:
    for name in ("arm", "Unit", "factor_bazaar_mode"):
        with pytest.raises(CarcassonneError, match=f"measure '{name}'"):
            Exporter(tmp_path, PLAN, (Measure(name, "points", "It."),))
    twice = (Measure("a", "points", "It."), Measure("a", "points", "It."))
    with pytest.raises(CarcassonneError, match="measure 'a'"):
        Exporter(tmp_path, PLAN, twice)
    assert not list(tmp_path.iterdir())


def test_without_duckdb_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def missing(name: str, *rest: Any) -> Any:
        if name == "duckdb":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.delitem(sys.modules, "duckdb")
    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(CarcassonneError, match=r"carcassonne\[analysis\]"):
        export(tmp_path, "parquet")
    assert not list(tmp_path.iterdir())
    export(tmp_path, "csv")
