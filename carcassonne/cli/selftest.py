"""`carcassonne selftest`: model and core are compared, move by move."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from carcassonne.cli.core_form import core_form

if TYPE_CHECKING:
    from carcassonne.selftest import Report

__all__ = ["command"]


@click.command(name="selftest")
@click.option("--games", type=click.IntRange(min=1), default=200, show_default=True)
@click.option("--jobs", type=click.IntRange(1, 256), default=1, show_default=True,
              help="Processes to spread the games over.")  # fmt: skip
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True,
              help="The seed of the first game; the next has the next.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@click.pass_context
def command(ctx: click.Context, *, games: int, jobs: int, seed: int, as_json: bool) -> None:
    """Play random games on both engines side by side and compare them at every move.

    Compared are the open decision, all legal moves, scores, supplies, hands, features and castles;
    moves are taken back, games copied and carried from one engine to the other. Every second game
    is steered towards rare things, and what was met is counted. Exit code 1: the engines differ.

    \b
    Example:  carcassonne selftest --games 1000 --jobs 4
    """
    from carcassonne.selftest import run_selftest  # noqa: PLC0415 - the engines load only to run

    form = core_form()
    watched = sys.stderr.isatty() and not as_json

    def show(report: Report) -> None:
        if watched:
            done = report.games + len(report.failures)
            text = f"\r{done:,} of {games:,} games, {len(report.failures)} differ"
            click.echo(text, nl=False, err=True)

    report = run_selftest(games, jobs=jobs, seed=seed, on_games=show)
    if watched:
        click.echo("\r" + " " * 60 + "\r", nl=False, err=True)
    if as_json:
        click.echo(json.dumps({"core": form, **report.to_data()}, indent=1))
    else:
        _print(report, form)
    ctx.exit(1 if report.failures else 0)


def _print(report: Report, form: str) -> None:
    click.echo(f"core: {form}")
    click.echo(
        f"{report.games:,} games the same, {report.decisions:,} decisions and "
        f"{report.moves:,} legal moves compared"
    )
    for name, count in sorted(report.met.items()):
        click.echo(f"{count:>10,}  {name}")
    for failure in report.failures:
        click.echo(f"DIFFERENT: {failure}", err=True)
