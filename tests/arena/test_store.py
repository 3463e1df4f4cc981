"""The folder of a tournament: what is in it, what a crash leaves, who may use it."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest

from carcassonne import folder as folders
from carcassonne.arena import lines
from carcassonne.arena.game import Referee
from carcassonne.arena.store import DATABASE, RECORDS, Store, read_results
from carcassonne.errors import CarcassonneError
from carcassonne.record import game_from_record
from tests.arena.helpers import play, reading, resume, tasks_of

if TYPE_CHECKING:
    from collections.abc import Callable


def files(folder: Path) -> tuple[bytes, object]:
    """What must be the same however a tournament was played."""
    return (folder / RECORDS).read_bytes(), read_results(folder)


def test_results_come_back(tmp_path: Path) -> None:
    read = reading(bots=["random", "random", "random"], games=4, title="cup")
    play(tmp_path, read)
    stored = read_results(tmp_path)
    assert (stored.title, stored.bots, stored.players) == ("cup", read.tournament.labels, 2)
    assert (stored.planned, stored.finished, stored.sprt) == (12, True, None)
    referee = Referee(read.tournament)
    played = [referee.play(task) for task in tasks_of(read.tournament)]
    assert list(stored.results) == [game.result for game in played]
    text = (tmp_path / RECORDS).read_bytes()
    assert text == b"".join(game.line for game in played)
    for line in text.splitlines():
        game_from_record(msgspec.json.decode(line)["record"])
    with sqlite3.connect(tmp_path / DATABASE) as database:
        rows = database.execute("SELECT min(seconds), max(seconds) FROM games").fetchone()
        assert 0 < rows[0] <= rows[1] < 10
        rows = database.execute("SELECT count(*), min(seconds) FROM seats").fetchone()
        assert rows[0] == 24
        assert rows[1] > 0


def test_without_records_there_is_no_file(tmp_path: Path) -> None:
    play(tmp_path, reading(games=2, records=False))
    assert not (tmp_path / RECORDS).exists()
    assert len(read_results(tmp_path).results) == 2


def half_played(folder: Path) -> list[bytes]:
    """A tournament of 20 games of which 12 are saved, in some order; the lines of the rest."""
    read = reading(games=20)
    referee = Referee(read.tournament)
    played = [referee.play(task) for task in tasks_of(read.tournament)]
    random.Random(4).shuffle(played)
    store = Store.create(folder, read)
    store.add(played[:5])
    store.add(played[5:12])
    store.close()
    return [game.line for game in played[12:]]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same tournament without a crash."""
    folder = tmp_path_factory.mktemp("whole")
    play(folder, reading(games=20))
    return folder


def test_a_tournament_is_resumed_and_ends_the_same(tmp_path: Path, whole: Path) -> None:
    half_played(tmp_path)
    assert not read_results(tmp_path).finished
    assert len(read_results(tmp_path).results) == 12
    resume(tmp_path)
    assert files(tmp_path) == files(whole)
    resume(tmp_path)
    assert files(tmp_path) == files(whole)


@pytest.mark.parametrize("cut", [1, 200, 1000])
def test_a_torn_last_line_and_orphans_are_dropped(tmp_path: Path, whole: Path, cut: int) -> None:
    """A batch was being written: some lines are there, the last one not whole, no row."""
    rest = half_played(tmp_path)
    good = (tmp_path / RECORDS).read_bytes()
    with (tmp_path / RECORDS).open("ab") as file:
        file.write(b"".join(rest[:3])[:-cut])
    Store.resume(tmp_path).close()
    assert (tmp_path / RECORDS).read_bytes() == good
    resume(tmp_path)
    assert files(tmp_path) == files(whole)


def test_rows_without_a_record_are_played_again(tmp_path: Path, whole: Path) -> None:
    """The machine went down, and the last records never reached the disk."""
    half_played(tmp_path)
    text = (tmp_path / RECORDS).read_bytes()
    (tmp_path / RECORDS).write_bytes(text[: len(text) // 2])
    Store.resume(tmp_path).close()
    assert 0 < len(read_results(tmp_path).results) < 12
    resume(tmp_path)
    assert files(tmp_path) == files(whole)


def test_a_damaged_line_in_the_middle_costs_only_its_game(tmp_path: Path, whole: Path) -> None:
    half_played(tmp_path)
    parts = (tmp_path / RECORDS).read_bytes().splitlines(keepends=True)
    parts[4] = b'{"game": 3, "rec' + parts[4][16:]
    (tmp_path / RECORDS).write_bytes(b"".join(parts))
    Store.resume(tmp_path).close()
    assert (tmp_path / RECORDS).read_bytes() == b"".join(parts[:4] + parts[5:])
    assert len(read_results(tmp_path).results) == 11
    resume(tmp_path)
    assert files(tmp_path) == files(whole)


def test_a_crash_before_the_end_was_noted(tmp_path: Path, whole: Path) -> None:
    play(tmp_path, reading(games=20))
    with sqlite3.connect(tmp_path / DATABASE) as database:
        database.execute("UPDATE meta SET value = 'false' WHERE key = 'finished'")
    resume(tmp_path)
    assert files(tmp_path) == files(whole)


def test_a_folder_has_one_tournament(tmp_path: Path) -> None:
    half_played(tmp_path)
    with pytest.raises(CarcassonneError, match="--resume"):
        Store.create(tmp_path, reading())
    with pytest.raises(CarcassonneError, match="holds no tournament"):
        Store.resume(tmp_path / "other")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / RECORDS).write_text("precious")
    with pytest.raises(CarcassonneError, match="of its own"):
        Store.create(tmp_path / "mine", reading())
    assert (tmp_path / "mine" / RECORDS).read_text() == "precious"
    (tmp_path / "file").write_text("")
    with pytest.raises(CarcassonneError, match="can't be used as a folder"):
        Store.create(tmp_path / "file", reading())
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / DATABASE).write_text("no database at all, but a text")
    uses: list[Callable[[Path], object]] = [
        lambda path: Store.create(path, reading()),
        Store.resume,
        read_results,
    ]
    for use in uses:
        with pytest.raises(CarcassonneError, match="odd"):
            use(tmp_path / "odd")


def test_a_running_tournament_locks_its_folder(tmp_path: Path) -> None:
    store = Store.create(tmp_path, reading())
    with pytest.raises(CarcassonneError, match="a tournament is running in it"):
        Store.resume(tmp_path)
    with pytest.raises(CarcassonneError, match="a tournament is running in it"):
        Store.create(tmp_path, reading())
    assert read_results(tmp_path).results == ()
    store.close()
    Store.resume(tmp_path).close()


def test_a_creation_cut_short_counts_for_nothing(tmp_path: Path) -> None:
    sqlite3.connect(tmp_path / DATABASE).close()
    (tmp_path / DATABASE).touch()
    with pytest.raises(CarcassonneError, match="no tournament to resume"):
        Store.resume(tmp_path)
    play(tmp_path, reading(games=2))
    assert read_results(tmp_path).finished


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"seed": 1}, "seed: was begun otherwise: 0, not 1"),
        ({"games": 22}, "games: was begun otherwise: 20, not 22"),
        ({"options": {"farmers": False}}, "rules: "),
        ({"bots": ["random", "greedy"]}, "bots: "),
        ({"records": False}, "records: "),
        ({"time": {"move": 1.0}}, "time: "),
    ],
)
def test_another_configuration_is_refused(
    tmp_path: Path, keys: dict[str, object], words: str
) -> None:
    half_played(tmp_path)
    store = Store.resume(tmp_path)
    store.require(reading(games=20).tournament)
    with pytest.raises(CarcassonneError) as error:
        store.require(reading(**{"games": 20, **keys}).tournament)
    assert words in str(error.value)
    store.close()


def test_another_version_or_other_tiles_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own.toml"
    text = (Path(__file__).parents[2] / "tile_defs" / "base.toml").read_text(encoding="utf-8")
    own.write_text(text.replace('name = "base"', 'name = "own"'), encoding="utf-8")
    folder = tmp_path / "t"
    play(folder, reading(games=2, tile_sets=[str(own)]))
    Store.resume(folder).close()
    own.write_text(own.read_text(encoding="utf-8").replace("count = 2", "count = 1", 1))
    with pytest.raises(CarcassonneError, match="tile_sets: the tiles have changed"):
        Store.resume(folder)
    monkeypatch.setattr(folders, "VERSION", "9.9")
    with pytest.raises(CarcassonneError, match=r"begun with version .*; this is 9\.9"):
        Store.resume(folder)


def test_single_records_are_found(tmp_path: Path) -> None:
    play(tmp_path, reading(games=6))
    found = lines.find_record(tmp_path / RECORDS, 4)
    assert game_from_record(found).is_over
    with pytest.raises(CarcassonneError, match="no record of game 6"):
        lines.find_record(tmp_path / RECORDS, 6)
    with pytest.raises(CarcassonneError, match="can't be read"):
        lines.find_record(tmp_path / "x", 6)
