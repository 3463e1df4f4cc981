"""`carcassonne playtest`: games played by programs to learn something; here, fuzzing."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from carcassonne.cli.numbers import FiniteRange

__all__ = ["command"]

_GAMES = 200


@click.command(name="playtest")
@click.option("--fuzz", is_flag=True, help="Play games of random kinds under all invariants.")
@click.option(
    "--games",
    type=click.IntRange(min=1),
    default=None,
    help=f"How many games.  [default: {_GAMES}, or as many as --seconds allows]",
)
@click.option(
    "--seconds",
    type=FiniteRange(min=0, min_open=True),
    default=None,
    help="Begin no more games after so much time.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="The seed of the first game; the next has the next.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    help="Processes to spread the games over.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("fuzz-failures"),
    show_default=True,
    help="Folder for what fails.",
)
@click.option(
    "--record",
    type=click.Path(path_type=Path),
    default=None,
    metavar="FILE",
    help="Check a saved game instead of playing.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@click.pass_context  # fmt: skip
def command(  # noqa: PLR0913 - one for each option
    ctx: click.Context,
    *,
    fuzz: bool,
    games: int | None,
    seconds: float | None,
    seed: int,
    jobs: int,
    out: Path,
    record: Path | None,
    as_json: bool,
) -> None:
    """Play games to test the rules and the engine.

    With --fuzz: random rules, tile sets, players and bots. After every move the board is
    recounted, the events are audited, moves are taken back, games copied and saved, and both
    engines compared. A game that fails is saved as a record, shortened as far as it still fails,
    with a text that says what is wrong. The same seed is the same game. Exit code 1: a game
    failed.

    \b
    Examples:  carcassonne playtest --fuzz --games 1000 --jobs 4
               carcassonne playtest --fuzz --seconds 600 --out found
               carcassonne playtest --fuzz --record found/fuzz-7.json
    """
    from carcassonne.cli.fuzzing import run_fuzz, run_record  # noqa: PLC0415 - loaded to run only

    if not fuzz:
        raise click.UsageError("say what to do: --fuzz")
    if record is not None:
        ctx.exit(run_record(record))
    if games is None and seconds is None:
        games = _GAMES
    ctx.exit(
        run_fuzz(
            games=games,
            seconds=seconds,
            seed=seed,
            jobs=jobs,
            out=out,
            progress=sys.stderr.isatty() and not as_json,
            as_json=as_json,
        )
    )
