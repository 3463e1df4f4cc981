"""`carcassonne playtest`: experiments with rules, tiles and bots; and fuzzing."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from click.core import ParameterSource

from carcassonne.cli.numbers import FiniteRange
from carcassonne.cli.options import bots_or_files_option, rule_options

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["command"]

_FUZZ_GAMES: Final = 200
_ONLY_FUZZ: Final = ("record",)
_WITH_RECORD: Final = ("fuzz", "record")
_ONLY_LAB: Final = (
    "file", "title", "until", "factors", "players", "bots", "preset", "options", "tile_sets",
    "tile_counts", "measures", "bots_or_files", "resume", "cluster", "report", "csv", "parquet",
)  # fmt: skip

_OPTIONS: Final = (
    click.option("--title", metavar="TEXT", help="Stands over the report."),
    click.option(
        "--games", type=click.IntRange(min=1), metavar="N",
        help="Stack orders at most; every arm plays each one.  [default: 200]",
    ),
    click.option("--seed", type=click.IntRange(min=0), help="Decides all that is random."),
    click.option(
        "--factor", "factors", multiple=True, metavar="NAME=LEVEL,LEVEL",
        help="What is varied: a rule, players, bots, preset, tile_sets or tile_counts.ID; "
        "to be repeated.",
    ),
    click.option("--players", type=click.IntRange(2, 6), help="How many play.  [default: 2]"),
    click.option(
        "--bot", "bots", multiple=True, metavar="CODE",
        help="A bot for each seat, or one for all.  [default: greedy]",
    ),
    bots_or_files_option,
    *rule_options,
    click.option(
        "--measure", "measures", multiple=True, metavar="FILE.py",
        type=click.Path(path_type=Path), help="Measures of your own (the file is run).",
    ),
    click.option(
        "--until", metavar="PRECISION",
        help="Stop early when 95 % intervals reach no farther: '±0.5 points of margin', or of any "
        "other measure. Without one, all of the group `scores` in that unit are meant: '±1 points' "
        "is of score, winning_score, margin and first_seat_lead, '±1 %' of first_seat_wins.",
    ),
    click.option(
        "--seconds", type=FiniteRange(min=0, min_open=True),
        help="Begin no more games after so much time.",
    ),
    click.option(
        "--out", type=click.Path(path_type=Path, file_okay=False), metavar="DIR",
        help="The folder for games and results; of --fuzz, for what fails.",
    ),
    click.option("--resume", is_flag=True, help="Go on where the playtest in DIR stopped."),
    click.option(
        "--jobs", type=click.IntRange(1, 256), default=1, show_default=True,
        help="Processes to spread the games over.",
    ),
    click.option(
        "--cluster", metavar="ray[:ADDRESS]", help="Spread them over a Ray cluster instead."
    ),
    click.option(
        "--report", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE.html",
        help="Write a page with tables and charts.",
    ),
    click.option(
        "--csv", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER",
        help="Write a row a game, auction and castle, and a dictionary of the columns.",
    ),
    click.option(
        "--parquet", type=click.Path(path_type=Path, file_okay=False), metavar="FOLDER",
        help="The same as Parquet (extra `analysis`).",
    ),
    click.option("--fuzz", is_flag=True, help="Play games of random kinds under all invariants."),
    click.option(
        "--record", type=click.Path(path_type=Path), metavar="FILE",
        help="With --fuzz: check a saved game instead of playing.",
    ),
    click.option("--json", "as_json", is_flag=True, help="Print a JSON object."),
)  # fmt: skip


def _options(function: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


@click.command(name="playtest")
@click.argument("file", type=click.Path(path_type=Path), required=False)
@_options
@click.pass_context
def command(ctx: click.Context, /, *, fuzz: bool, as_json: bool, jobs: int, **keys: Any) -> None:
    """Ask what a rule, a tile or a bot does to the game: play thousands of games and compare.

    FILE.toml, or --factor, says what is varied; every arm plays the same stack orders, so that
    differences are sharp. Each comes with its 95 % interval and a sentence. Flags win over the
    file. With --out games are saved as they end: Ctrl-C lets running games end, --resume goes on.

    With --fuzz: random rules, tile sets, players and bots. After every move the board is
    recounted, the events are audited, moves are taken back, games copied and saved, and both
    engines compared. A game that fails is saved as a record, shortened as far as it still fails,
    with a text that says what is wrong. Exit code 1: a game failed.

    \b
    Examples:  carcassonne playtest --factor bazaar_mode=auction,draft --games 400 --jobs 2
               carcassonne playtest study.toml --out study --report study/report.html
               carcassonne playtest study.toml --out study --resume
               carcassonne playtest --fuzz --seconds 600 --jobs 2 --out found
    """
    progress = sys.stderr.isatty() and not as_json
    if fuzz:
        _refuse(ctx, _ONLY_LAB, "doesn't go together with --fuzz")
        if keys["record"] is not None:
            others = [name for name in ctx.params if name not in _WITH_RECORD]
            _refuse(ctx, others, "doesn't go together with --record")
        ctx.exit(_fuzz(keys, jobs=jobs, progress=progress, as_json=as_json))
    _refuse(ctx, _ONLY_FUZZ, "needs --fuzz")
    from carcassonne.cli.lab import run_lab  # noqa: PLC0415 - loaded to run only

    ctx.exit(run_lab(keys, jobs=jobs, progress=progress, as_json=as_json))


def _fuzz(keys: dict[str, Any], *, jobs: int, progress: bool, as_json: bool) -> int:
    from carcassonne.cli.fuzzing import run_fuzz, run_record  # noqa: PLC0415

    if keys["record"] is not None:
        return run_record(keys["record"])
    games, seconds = keys["games"], keys["seconds"]
    if games is None and seconds is None:
        games = _FUZZ_GAMES
    return run_fuzz(
        games=games,
        seconds=seconds,
        seed=keys["seed"] or 0,
        jobs=jobs,
        out=keys["out"] or Path("fuzz-failures"),
        progress=progress,
        as_json=as_json,
    )


def _refuse(ctx: click.Context, names: Sequence[str], why: str) -> None:
    """Refuse options that were given but would be ignored, by their names on the command line."""
    for parameter in ctx.command.params:
        source = ctx.get_parameter_source(parameter.name or "")
        if parameter.name in names and source is ParameterSource.COMMANDLINE:
            flag = "FILE.toml" if isinstance(parameter, click.Argument) else parameter.opts[0]
            raise click.UsageError(f"{flag} {why}")
