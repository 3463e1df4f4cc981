"""`carcassonne standings`: what the results of a tournament say."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from carcassonne.cli.screen import Screen
from carcassonne.files import write_text

if TYPE_CHECKING:
    from carcassonne.arena.standings import Standings

__all__ = ["command"]


@click.command(name="standings")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path), required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON; nothing in it depends on time.")
@click.option(
    "--csv", "csv_file", metavar="[FILE]", is_flag=False, flag_value="-",
    help="Print a table as CSV, a row a bot, or write it to a file.",
)  # fmt: skip
@click.option(
    "--html", "html_file", metavar="FILE", type=click.Path(path_type=Path),
    help="Write a page with charts of ratings and head-to-head scores.",
)  # fmt: skip
@click.option("--anchor", metavar="BOT", help="Whose Elo is to be 0; without it, the mean is.")
def command(
    *,
    folder: Path | None,
    as_json: bool,
    csv_file: str | None,
    html_file: Path | None,
    anchor: str | None,
) -> None:
    """Print or export the standings of a tournament, finished or running.

    Elo is the fit that makes all results the likeliest (Bradley-Terry, Plackett-Luce at tables of
    more than two; a tenth of a drawn game against an average bot is added to each, so that it stays
    finite), with 95 % intervals over whole units: all seatings over one stack order. LOS is the
    likelihood that a bot is stronger than the next one.

    \b
    Example:  carcassonne standings cup
              carcassonne standings cup --html cup.html --csv cup.csv
    """
    if folder is None and csv_file not in {None, "-"} and Path(str(csv_file)).is_dir():
        folder, csv_file = Path(str(csv_file)), "-"
    if folder is None:
        raise click.UsageError("say which tournament: carcassonne standings DIR")
    if as_json and csv_file == "-":
        raise click.UsageError("print JSON or CSV, not both: give --csv a file")
    from carcassonne.arena.standings import standings  # noqa: PLC0415 - loaded only to run
    from carcassonne.arena.store import read_results  # noqa: PLC0415

    tournament = read_results(folder)
    if anchor is not None and anchor not in tournament.bots:
        raise click.UsageError(f"--anchor {anchor}: the bots are {', '.join(tournament.bots)}")
    found = standings(tournament, anchor=anchor)
    if html_file:
        from carcassonne.arena.page import page  # noqa: PLC0415

        write_text(html_file, page(found))
    if csv_file and csv_file != "-":
        write_text(csv_file, _csv(found))
    if as_json:
        click.echo(json.dumps(found.to_data(), indent=1))
    elif csv_file == "-":
        click.echo(_csv(found), nl=False)
    elif not html_file and not csv_file:
        _print(found)


def _csv(found: Standings) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(found.to_rows())
    return out.getvalue()


def _print(found: Standings) -> None:
    from carcassonne.arena.tables import standings_text  # noqa: PLC0415 - loaded only to print

    screen = Screen()
    screen.show(standings_text(found, screen.width, colour=screen.colour))
