"""The options with which every command that makes games says which game: `game_options`."""

from __future__ import annotations

import csv
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from carcassonne.errors import RulesError
from carcassonne.rules import DEFAULT_PRESET, PRESETS, Rules, parse_options
from carcassonne.tiles import DEFAULT_SETS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from carcassonne.model.game import Game

__all__ = [
    "GameSetup",
    "bots_option",
    "bots_or_files_option",
    "game_options",
    "parse_count",
    "read_rule_flags",
    "rule_options",
    "split_bots",
    "split_codes",
]


class GameSetup(NamedTuple):
    """Which game is to be played: its rules, its tiles and the seed that shuffles them."""

    rules: Rules
    tile_sets: tuple[str, ...]
    tile_counts: Mapping[str, int]
    seed: int

    def new_game(self, players: Sequence[str], *, seed: int | None = None) -> Game:
        """A new game; with another seed where one is given.

        Raises
        ------
        CarcassonneError
            The players, tile sets or counts won't do.
        """
        from carcassonne.model.game import Game  # noqa: PLC0415 - the engine loads only to run

        return Game.new(
            players,
            seed=self.seed if seed is None else seed,
            rules=self.rules,
            tile_sets=self.tile_sets,
            tile_counts=self.tile_counts,
        )


_OPTIONS = (
    click.option(
        "--preset", type=click.Choice(list(PRESETS)), default=DEFAULT_PRESET, show_default=True,
        help="Whose rules.",
    ),
    click.option(
        "--option", "options", multiple=True, metavar="NAME=VALUE",
        help="Change a single rule, e.g. bazaar_max_bid=10. Can be repeated.",
    ),
    click.option(
        "--tile-sets", default=",".join(DEFAULT_SETS), show_default=True, metavar="SET,...",
        help="Names or paths of tile sets; base*2 is two copies.",
    ),
    click.option(
        "--tile-count", "tile_counts", multiple=True, metavar="TILE=NUMBER",
        help="Change how many there are of a tile, e.g. BA/L=0. Can be repeated.",
    ),
    click.option(
        "--seed", type=click.IntRange(min=0), default=0, show_default=True,
        help="Decides all that is random.",
    ),
)  # fmt: skip


def game_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options of a game; it gets them as one `GameSetup` named `setup`."""

    @wraps(function)
    def with_setup(
        *args: Any,
        preset: str,
        options: tuple[str, ...],
        tile_sets: str,
        tile_counts: tuple[str, ...],
        seed: int,
        **others: Any,
    ) -> Any:
        setup = GameSetup(
            Rules.preset(preset, **parse_options(options)),
            tuple(name.strip() for name in tile_sets.split(",")),
            dict(parse_count(text) for text in tile_counts),
            seed,
        )
        return function(*args, setup=setup, **others)

    decorated: Callable[..., Any] = with_setup
    for option in reversed(_OPTIONS):
        decorated = option(decorated)
    return decorated


bots_option = click.option(
    "--bots", "bot_files", multiple=True, type=click.Path(path_type=Path), metavar="FILE.py",
    help="A Python file with bots of your own (it is run). Can be repeated.",
)  # fmt: skip
"""Give a command the files of a `Roster`, as `bot_files`."""

rule_options = (
    click.option("--preset", metavar="NAME", help="Whose rules."),
    click.option(
        "--option", "options", multiple=True, metavar="NAME=VALUE",
        help="Change a single rule, e.g. bazaar_max_bid=10. Can be repeated.",
    ),
    click.option("--tile-sets", metavar="SET,...", help="Names or paths; base*2 is two copies."),
    click.option(
        "--tile-count", "tile_counts", multiple=True, metavar="TILE=NUMBER",
        help="Change how many there are of a tile. Can be repeated.",
    ),
)  # fmt: skip
"""Rules and tiles as flags of a command whose file names them too; see `read_rule_flags`."""


def read_rule_flags(given: Mapping[str, Any]) -> dict[str, Any]:
    """Those of `rule_options` that were given, in the form of a file."""
    found: dict[str, Any] = {}
    if given.get("preset") is not None:
        found["preset"] = given["preset"]
    if given.get("options"):
        found["options"] = parse_options(given["options"])
    if given.get("tile_sets"):
        found["tile_sets"] = [name.strip() for name in given["tile_sets"].split(",")]
    if given.get("tile_counts"):
        found["tile_counts"] = dict(parse_count(text) for text in given["tile_counts"])
    return found


bots_or_files_option = click.option(
    "--bots", "bots_or_files", multiple=True, metavar="CODE,...|FILE.py",
    help="Bots by their codes, between commas; or a Python file with bots of your own (it is "
    "run). Can be repeated.",
)  # fmt: skip
"""The same for a command that has a list of bots; see `split_bots`."""


def split_bots(values: Iterable[str]) -> tuple[list[str], list[str]]:
    """What `--bots` was given: codes, and files."""
    codes: list[str] = []
    files: list[str] = []
    for value in values:
        if value.endswith(".py") and "cmd:" not in value:
            files.append(value)
        else:
            codes += split_codes(value)
    return codes, files


def split_codes(text: str) -> list[str]:
    """Codes of bots, between commas; a code that holds commas itself stands in double quotes."""
    row = next(csv.reader([text.replace("\n", " ")], skipinitialspace=True), [""])
    return [code.strip() for code in row] or [""]


def parse_count(text: str) -> tuple[str, int]:
    """Read `TILE=NUMBER`; an id may itself hold an equals sign's worth of anything but spaces."""
    tile, equals, number = text.rpartition("=")
    if not equals or not tile or not (number.isascii() and number.isdigit()):
        raise RulesError(f"tile count {text!r} must be written TILE=NUMBER, as in BA/L=0")
    if len(number) > 6:
        raise RulesError(f"tile count {text!r} is too large")
    return tile, int(number)
