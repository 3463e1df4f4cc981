"""Saved games: rules, tile sets, players, stack order and moves; loading is replaying.

A record that does not replay to the result that it states is refused, so every saved game is a
test. Files are written beside and renamed; loading never executes anything.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import msgspec

from carcassonne.errors import CarcassonneError, IllegalMove, InvalidMove, RecordError
from carcassonne.files import convert, read_text, write_text
from carcassonne.model.game import Game
from carcassonne.position import build_position
from carcassonne.rules import Rules
from carcassonne.tiles import TileBox, load_tile_set, tile_set_from_data

if TYPE_CHECKING:
    from pathlib import Path

    from carcassonne.tiles import TileSet

__all__ = [
    "FORMAT", "begin_record", "game_from_record", "load_game", "record_head", "record_of",
    "record_text", "replay_record", "save_game", "sets_data",
]  # fmt: skip

FORMAT: Final = "carcassonne-game/1"
_FAMILY: Final = FORMAT.partition("/")[0]


class _Result(msgspec.Struct, forbid_unknown_fields=True):
    scores: dict[str, int]
    winners: list[str]


class _EmbeddedSet(msgspec.Struct, forbid_unknown_fields=True):
    set: dict[str, Any]
    copies: int = 1


class _Record(msgspec.Struct, forbid_unknown_fields=True):
    format: str
    rules: dict[str, Any]
    tile_sets: list[str | _EmbeddedSet]
    players: list[str]
    stack: list[str]
    moves: list[str]
    result: _Result
    tile_counts: dict[str, int] = {}
    given: dict[str, Any] | None = None
    stopped: bool = False


def record_of(game: Game) -> dict[str, Any]:
    """The record of a game, finished or not, as plain data.

    The keys are those of the file: format, rules, tile_sets, tile_counts (if changed), players,
    given (if it began from a position), stack (draw order without the start tile), moves,
    stopped (if the game was ended before its stack), result.
    """
    data = record_head(game.rules, game.box)
    data["players"] = list(game.players)
    if game.given is not None:
        data["given"] = game.given
    data["stack"] = list(game.stack)
    data["moves"] = [str(move) for move in game.moves]
    if game.was_stopped:
        data["stopped"] = True
    data["result"] = {"scores": game.scores, "winners": game.winners}
    return data


def sets_data(box: TileBox) -> list[str | dict[str, Any]]:
    """The tile sets as a record holds them: shipped ones by name, a user's own embedded."""
    return [_set_data(tile_set, copies) for tile_set, copies in box.sets]


def record_head(rules: Rules, box: TileBox) -> dict[str, Any]:
    """The first keys of a record, those that say which kind of game it is."""
    data: dict[str, Any] = {
        "format": FORMAT,
        "rules": rules.to_data(),
        "tile_sets": sets_data(box),
    }
    if box.changed:
        data["tile_counts"] = dict(box.changed)
    return data


def _set_data(tile_set: TileSet, copies: int) -> str | dict[str, Any]:
    if tile_set.shipped:
        return tile_set.name if copies == 1 else f"{tile_set.name}*{copies}"
    embedded: dict[str, Any] = {"set": tile_set.to_data()}
    return embedded if copies == 1 else {**embedded, "copies": copies}


def record_text(game: Game) -> str:
    """The record as the text of its file, one move a line."""
    return json.dumps(record_of(game), indent=1, ensure_ascii=False) + "\n"


def save_game(game: Game, path: str | Path) -> None:
    """Save a game; the file is written whole or not at all.

    Raises
    ------
    CarcassonneError
        The file can't be written.
    """
    write_text(path, record_text(game))


def load_game(path: str | Path) -> Game:
    """Load a saved game by replaying it.

    Raises
    ------
    RecordError
        Naming the file and the line, key or move that is wrong.
    """
    where = str(path)
    return game_from_record(_read(path), where)


def _read(path: str | Path) -> object:
    where = str(path)
    text = read_text(path, RecordError)
    if where.lower().endswith(".toml"):
        raise RecordError(
            f"{where}: is no saved game; if it is a scenario, 'carcassonne position' and "
            "'carcassonne explain' show it, and 'carcassonne check' runs it"
        )
    return _parse(text, where)


def game_from_text(text: str, where: str = "record") -> Game:
    """Load a game from the text of a record; see `load_game`."""
    return game_from_record(_parse(text, where), where)


def _parse(text: str, where: str) -> object:
    try:
        data: object = json.loads(text)
    except json.JSONDecodeError as error:
        cut = " (is the file cut short?)" if error.pos >= len(text.rstrip()) else ""
        raise RecordError(
            f"{where}: line {error.lineno}, column {error.colno}: is no JSON: {error.msg}{cut}"
        ) from None
    except (RecursionError, ValueError):
        raise RecordError(
            f"{where}: is no record: nested too deeply or a number too long"
        ) from None
    return data


def game_from_record(data: object, where: str = "record") -> Game:
    """Replay a record that is given as plain data.

    Raises
    ------
    RecordError
        Naming `where` and the key or move that is wrong.
    """
    record = _convert(data, where)
    game = _play(record, where)
    differs = _difference(record.result, game)
    if differs:
        raise RecordError(f"{where}: {differs}")
    return game


def replay_record(path: str | Path) -> tuple[Game, str]:
    """Replay a saved record whatever result it states.

    Returns
    -------
    game : Game
    differs : str
        What of the stated result does not follow from the moves; empty if all of it does.

    Raises
    ------
    RecordError
        Naming the file and the line, key or move that is wrong.
    """
    where = str(path)
    record = _convert(_read(path), where)
    game = _play(record, where)
    return game, _difference(record.result, game)


def _play(record: _Record, where: str) -> Game:
    try:
        game = _begin(record)
    except CarcassonneError as error:
        raise RecordError(f"{where}: {error}") from None
    for number, text in enumerate(record.moves, 1):
        try:
            game.play(text)
        except (IllegalMove, InvalidMove) as error:
            raise RecordError(f"{where}: move {number}: {error}") from None
    if record.stopped:
        try:
            game.stop()
        except CarcassonneError as error:
            raise RecordError(f"{where}: stopped: {error}") from None
    return game


def begin_record(path: str | Path) -> tuple[Game, tuple[str, ...]]:
    """Begin the game of a saved record without playing it: the game, and the moves to be made.

    What the moves lead to is not compared with the record's result.

    Raises
    ------
    RecordError
        Naming the file and the line or key that is wrong.
    """
    where = str(path)
    record = _convert(_read(path), where)
    try:
        return _begin(record), tuple(record.moves)
    except CarcassonneError as error:
        raise RecordError(f"{where}: {error}") from None


def _convert(data: object, where: str) -> _Record:
    if not isinstance(data, dict):
        raise RecordError(f"{where}: a record is a table with the keys of a saved game")
    name = data.get("format")
    if not isinstance(name, str) or name.partition("/")[0] != _FAMILY:
        raise RecordError(f"{where}: format: {name!r} is not {FORMAT!r}; this is no saved game")
    if name != FORMAT:
        raise RecordError(
            f"{where}: format: {name!r} was written by another version of the program; this one "
            f"reads {FORMAT!r}"
        )
    try:
        return convert(data, _Record)
    except msgspec.ValidationError as error:
        text, _, path = str(error).partition(" - at `$")
        key = path.rstrip("`").lstrip(".") or "record"
        raise RecordError(f"{where}: {key}: {text}") from None


def _begin(record: _Record) -> Game:
    rules = Rules.from_data(record.rules)
    sets = []
    for entry in record.tile_sets:
        if isinstance(entry, _EmbeddedSet):
            if not 1 <= entry.copies <= 99:
                raise RecordError(f"tile_sets: copies: {entry.copies} must be from 1 to 99")
            sets.append((tile_set_from_data(entry.set, "tile_sets: embedded set"), entry.copies))
        else:
            name, _, copies = entry.partition("*")
            if name.endswith(".toml"):
                raise RecordError(f"tile_sets: {entry!r}: a user's own set must be embedded")
            if copies and not (copies.isascii() and copies.isdigit() and 1 <= int(copies) <= 99):
                raise RecordError(f"tile_sets: {entry!r}: the copies must be from 1 to 99")
            sets.append((load_tile_set(name), int(copies or 1)))
    box = TileBox.of(sets, counts=record.tile_counts)
    if record.given is not None:
        stack = [box.tile(name) for name in record.stack]
        return build_position(record.players, record.given, rules=rules, box=box, stack=stack)
    return Game.of_box(record.players, rules=rules, box=box, stack=record.stack)


def _difference(result: _Result, game: Game) -> str:
    """What of a result does not follow from the moves; empty if all of it does."""
    pairs = [
        ("scores", game.scores, result.scores, result.scores == game.scores),
        ("winners", game.winners, result.winners, sorted(result.winners) == sorted(game.winners)),
    ]
    for name, found, stated, same in pairs:
        if not same:
            return (
                f"result: the moves lead to the {name} {found}, not to {stated}; the record was "
                "changed by hand or damaged"
            )
    return ""
