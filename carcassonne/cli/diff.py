"""`carcassonne diff`: the first difference of two games or positions."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from carcassonne.model.game import Game

__all__ = ["command"]

_LISTED = 20


@click.command(name="diff")
@click.argument("first", type=click.Path(path_type=Path))
@click.argument("second", type=click.Path(path_type=Path))
@click.option(
    "--at", type=click.IntRange(min=0), metavar="N", help="FIRST after N moves, not at its end."
)
@click.option("--at2", type=click.IntRange(min=0), metavar="M", help="SECOND after M moves.")
@click.option("--all", "show_all", is_flag=True, help=f"Up to {_LISTED} differences, not one.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@click.pass_context
def command(
    ctx: click.Context,
    first: Path,
    second: Path,
    *,
    at: int | None,
    at2: int | None,
    show_all: bool,
    as_json: bool,
) -> None:
    """Name the first difference between two saved games or scenarios.

    Compared are, in this order: rules, tile sets, players, stack, moves (under whatever names
    they are written), and the table as it is: tiles, bridges, features, meeples, castles,
    scores, supplies, the rest of the stack, the open decision and its legal moves. Where the
    two began from different positions, stack and moves are passed over and the tables compared.

    Exit code 0: no difference; 1: a difference; 2: a file could not be read.

    \b
    Examples:  carcassonne diff game.json other.json
               carcassonne diff game.json case.toml --at 40
    """
    from carcassonne.cli.tables import load_table  # noqa: PLC0415 - the engine loads only to run
    from carcassonne.diff import all_differences  # noqa: PLC0415

    one, other = load_table(first, at), load_table(second, at2)
    found = list(islice(all_differences(one, other), _LISTED if show_all else 1))
    if as_json:
        differences = [
            {"what": difference.key, "first": difference.first, "second": difference.second}
            for difference in found
        ]
        data = {
            "first": str(first), "second": str(second), "same": not found,
            "differences": differences,
        }  # fmt: skip
        click.echo(json.dumps(data, indent=1, ensure_ascii=False))
    elif not found:
        click.echo(f"{first} and {second} are the same: {_described(one)}")
    for difference in [] if as_json else found:
        click.echo(difference.key)
        click.echo(f"  {first}: {difference.first}")
        click.echo(f"  {second}: {difference.second}")
    ctx.exit(1 if found else 0)


def _described(game: Game) -> str:
    decision = game.decision
    what = f"{decision.player} decides: {decision.kind}" if decision else "the game is over"
    return f"{len(game.tiles)} tiles, {what}"
