"""Positions as scenarios: the table at the start of a turn, and the moves since as steps.

A position in the middle of a turn, of an auction or of its round has no form of its own: it is
the table at the start of that turn, or of the turn whose market opened the bazaar, and the moves
since. What is written is run and compared before anybody gets it, so a position is written
exactly or not at all.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import msgspec

from carcassonne.diff import all_differences, state_facts
from carcassonne.errors import CarcassonneError, PositionError
from carcassonne.events import TileDrawn, TileSetAside
from carcassonne.files import write_text
from carcassonne.geometry import AXES, ROTATIONS, cell_text
from carcassonne.moves import Choose, Decline, Place, Take
from carcassonne.position import build_position
from carcassonne.rules import PRESETS, Rules
from carcassonne.tiles import DEFAULT_SETS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from carcassonne.model.game import Game
    from carcassonne.tiles import TileSet

__all__ = [
    "WrittenPosition",
    "lying_there",
    "position_of",
    "position_text",
    "save_position",
    "turn_start",
]


class WrittenPosition(msgspec.Struct, frozen=True):
    """A position as a scenario file holds it.

    Attributes
    ----------
    data : dict
        The keys of the file: title, rules, players, preset, tile_sets, tile_counts, options,
        given, steps; those with their defaults are left out.
    own_sets : dict
        The user's own tile sets that must lie beside the file: file name to the set's data.
    moves_since : int
        How many moves the steps hold.
    """

    data: dict[str, Any]
    own_sets: dict[str, dict[str, Any]]
    moves_since: int


# ------------------------------------------------------------------------------ what to write


def turn_start(game: Game) -> int:
    """The number of moves before the turn, or the turn whose market opened the open bazaar."""
    return _rewound(game)[1]


def _rewound(game: Game) -> tuple[Game, int]:
    """A copy taken back to the start of the turn, and how many moves it has."""
    twin = game.copy()
    if twin.was_stopped:
        twin.undo()
    while twin.moves:
        decision = twin.decision
        last = twin.moves[-1]
        at_place = decision is not None and decision.kind == "place" and not twin.in_round
        if at_place and not isinstance(last, Decline):
            break
        twin.undo()
        if at_place and twin.in_round:
            twin.play(last)  # the last tile of a round was declined: the next turn begins there
            break
    return twin, len(twin.moves)


def position_of(game: Game, *, title: str = "", stem: str = "case") -> WrittenPosition:
    """The position of a game as a scenario.

    Parameters
    ----------
    title
        What the case shows; by default where it comes from.
    stem
        Starts the names of the files for the user's own tile sets: `case.mine.toml`.

    Raises
    ------
    PositionError
        The position can't be written exactly; the message names what would differ.
    """
    start, number = _rewound(game)
    rules = game.rules
    preset, options = _preset_of(rules)
    sets, own_sets = _sets_of(game, stem)
    given = _given_of(start)
    steps = _steps_of(game, number)
    _verify(game, given, number)
    data: dict[str, Any] = {
        "title": title or _default_title(game),
        "rules": [],
        "players": list(game.players),
        "preset": preset,
    }
    if sets != list(DEFAULT_SETS):
        data["tile_sets"] = sets
    if game.box.changed:
        data["tile_counts"] = dict(game.box.changed)
    if options:
        data["options"] = options
    data["given"] = given
    data["steps"] = [*steps, {"expect": _expectation(game)}]
    return WrittenPosition(data, own_sets, len(game.moves) - number)


def _default_title(game: Game) -> str:
    decision = game.decision
    what = f"{decision.player} decides: {decision.kind}" if decision else "the game is over"
    return f"After {len(game.moves)} moves, {what}"


def _preset_of(rules: Rules) -> tuple[str, dict[str, Any]]:
    """The preset from which the fewest options differ, and those options."""
    data = rules.to_data()
    found = []
    for name in PRESETS:
        base = Rules.preset(name).to_data()
        found.append((name, {key: value for key, value in data.items() if value != base[key]}))
    return min(found, key=lambda pair: len(pair[1]))


def _sets_of(game: Game, stem: str) -> tuple[list[str], dict[str, dict[str, Any]]]:
    names, own = [], {}
    for tile_set, copies in game.box.sets:
        name = _set_name(tile_set, stem)
        if not tile_set.shipped:
            own[name] = tile_set.to_data()
        names.append(name if copies == 1 else f"{name}*{copies}")
    return names, own


def _set_name(tile_set: TileSet, stem: str) -> str:
    return tile_set.name if tile_set.shipped else f"{stem}.{tile_set.name}.toml"


def _given_of(start: Game) -> dict[str, Any]:
    """The table of a game that stands at the start of a turn."""
    if not start.moves and start.given is not None:
        return {**start.given, "stack": list(start.stack)}
    given: dict[str, Any] = {key: value for key, value in lying_there(start).items() if value}
    given["scores"] = start.scores
    given["supply"] = start.supply
    given["stack"] = list(start.stack[len(start.stack) - start.stack_left - _drawn(start) :])
    given["active"] = start.active
    return given


def lying_there(game: Game) -> dict[str, list[str]]:
    """What lies on the board now, by the keys of `given`; those of which there is none as well."""
    return {
        "tiles": [
            f"{laid.tile.id} {cell_text(cell)} {ROTATIONS[laid.rotation]}"
            for cell, laid in game.tiles.items()
        ],
        "bridges": [
            f"{cell_text(cell)} {AXES[axis]}"
            for cell, laid in game.tiles.items()
            for axis in laid.bridges
        ],
        "meeples": _meeples_of(game),
        "castles": [
            f"{castle.owner} {castle.at}" if castle.occupied else str(castle.at)
            for castle in game.castles
        ],
        **{key: list((game.given or {}).get(key, [])) for key in ("pigs", "barns")},
    }


def _meeples_of(game: Game) -> list[str]:
    """Who stands where; castles' meeples are named with the castles."""
    under = {node for castle in game.castles for node in game.feature(castle.at).segments}
    return [
        f"{name} {node}"
        for node, data in game.graph().nodes(data=True)
        if node not in under
        for name, count in data["meeples"].items()
        for _ in range(count)
    ]


def _drawn(start: Game) -> int:
    """How many tiles this turn has drawn already, those that fitted nowhere included."""
    drawn = 0
    for event in reversed(start.events):
        if not isinstance(event, TileDrawn | TileSetAside):
            break
        drawn += isinstance(event, TileDrawn)
    return drawn


def _steps_of(game: Game, number: int) -> list[dict[str, Any]]:
    """The moves from a number on: a step for each tile that is laid or chosen."""
    steps: list[dict[str, Any]] = []
    for move in game.moves[number:]:
        if not steps or isinstance(move, Place | Decline | Choose | Take):
            steps.append({"play": []})
        steps[-1]["play"].append(str(move))
    if game.was_stopped:
        steps.append({"stop": True})
    return steps


def _expectation(game: Game) -> dict[str, Any]:
    decision = game.decision
    if decision is None:
        return {"scores": game.scores, "decision": "over", "winners": game.winners}
    return {"scores": game.scores, "decision": decision.kind, "player": decision.player}


def _verify(game: Game, given: Mapping[str, Any], number: int) -> None:
    """Play the written moves from the written table and compare.

    Raises
    ------
    PositionError
        The table can't be set up, or something would be different.
    """
    try:
        twin = build_position(game.players, given, rules=game.rules, box=game.box)
        for move in game.moves[number:]:
            twin.play(move)
        if game.was_stopped:
            twin.stop()
    except CarcassonneError as error:
        raise PositionError(f"this position has no form as a scenario: {error}") from None
    if state_facts(twin) != state_facts(game):
        difference = next(all_differences(game, twin))
        raise PositionError(
            f"this position has no form as a scenario: {difference.key} would be "
            f"{difference.second} instead of {difference.first}"
        )


# ------------------------------------------------------------------------------ files


def save_position(game: Game, path: Path, *, title: str = "") -> list[Path]:
    """Write the position of a game as a scenario file, with the user's own tile sets beside it.

    Returns
    -------
    list of Path
        The files that were written, the scenario last.

    Raises
    ------
    CarcassonneError
        The position can't be written exactly, or a file can't be written.
    """
    written = position_of(game, title=title, stem=path.stem)
    files = []
    for name, data in written.own_sets.items():
        write_text(path.parent / name, _set_text(data))
        files.append(path.parent / name)
    write_text(path, position_text(written))
    return [*files, path]


def position_text(written: WrittenPosition) -> str:
    """The text of the scenario file."""
    data = written.data
    lines = []
    for key in ("title", "rules", "players", "preset", "tile_sets", "tile_counts"):
        if key in data:
            note = "  # name the rules that the case shows" if key == "rules" else ""
            lines.append(f"{key} = {_value(data[key])}{note}")
    for key in ("options", "given"):
        if key in data:
            lines += ["", f"[{key}]", *_entries(data[key])]
    for step in data["steps"]:
        lines += ["", "[[steps]]", *_entries(step)]
    return "\n".join(lines) + "\n"


def _set_text(data: Mapping[str, Any]) -> str:
    """A tile set as TOML."""
    lines = list(_entries({key: value for key, value in data.items() if key != "tile"}))
    for tile in data["tile"]:
        lines += ["", "[[tile]]", *_entries(tile)]
    return "\n".join(lines) + "\n"


_WIDE: Final = 100


def _entries(table: Mapping[str, Any]) -> Iterator[str]:
    """`key = value` lines; a long list gets as many entries a line as fit."""
    for key, value in table.items():
        line = f"{_key(key)} = {_value(value)}"
        if len(line) <= _WIDE or not isinstance(value, list):
            yield line
            continue
        yield f"{_key(key)} = ["
        yield from _filled([_value(item) for item in value])
        yield "]"


def _filled(items: Sequence[str]) -> Iterator[str]:
    line = " "
    for item in items:
        if line != " " and len(line) + len(item) + 2 > _WIDE:
            yield line
            line = " "
        line += f" {item},"
    yield line


def _value(value: Any) -> str:
    """A value as TOML on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        inside = ", ".join(f"{_key(key)} = {_value(item)}" for key, item in value.items())
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    return str(value) if isinstance(value, int) else _quoted(str(value))


def _key(key: str) -> str:
    bare = key.isascii() and key.replace("_", "").replace("-", "").isalnum()
    return key if bare else _quoted(key)


def _quoted(text: str) -> str:
    """A basic string: as in JSON, with the one control character that TOML forbids besides."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
