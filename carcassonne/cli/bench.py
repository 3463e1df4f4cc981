"""`carcassonne bench`: how many games a second this machine plays."""

from __future__ import annotations

import json
import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING

import click

from carcassonne.cli.core_form import core_form
from carcassonne.cli.numbers import FiniteRange
from carcassonne.tiles import DEFAULT_SETS

if TYPE_CHECKING:
    from carcassonne.benchmark import Speed

__all__ = ["command"]


@click.command(name="bench")
@click.option("--players", type=click.IntRange(2, 6), default=2, show_default=True)
@click.option(
    "--seconds", type=FiniteRange(0.1, 3600), default=3.0, show_default=True,
    help="CPU seconds for each line.",
)  # fmt: skip
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list, an object a line.")
def command(*, players: int, seconds: float, seed: int, as_json: bool) -> None:
    """Play random games, all legal moves listed at every decision, and print the speed.

    Figures are per second of CPU time on one core, medians of several runs: the base set alone,
    and with the expansion, on the model, on the core, and of a bot in Python that picks among the
    core's moves by number. The engines take turns, so that their ratio holds on a busy machine.
    Last come simulations of the bot mcts in the middle of base games.

    \b
    Example:  carcassonne bench --seconds 5
    """
    from carcassonne.benchmark import measure, search_speed  # noqa: PLC0415 - the engines load only to run

    core_form()
    speeds: list[Speed] = []
    watched = sys.stderr.isatty() and not as_json
    for tile_sets in (DEFAULT_SETS[:1], DEFAULT_SETS):
        text = f"{players} players, {' + '.join(tile_sets)}"
        with _Progress(text) if watched else nullcontext():
            speeds += measure(tile_sets, players=players, seconds=seconds, seed=seed)
    with _Progress(f"mcts, {players} players, base") if watched else nullcontext():
        search = search_speed(players=players, seconds=seconds, seed=seed)
    if as_json:
        click.echo(json.dumps([*(line.to_data() for line in speeds), search.to_data()], indent=1))
        return
    _print(speeds)
    click.echo(
        f"mcts, base, {players} players, 36 tiles left: "
        f"{search.mcts_simulations_per_s:,.0f} simulations a second"
    )


class _Progress:
    """A line that says what is being measured, wiped when it is done."""

    def __init__(self, text: str) -> None:
        self.text = f"measuring {text} ..."

    def __enter__(self) -> None:
        click.echo(self.text, nl=False, err=True)

    def __exit__(self, *_: object) -> None:
        click.echo("\r" + " " * len(self.text) + "\r", nl=False, err=True)


def _print(speeds: list[Speed]) -> None:
    from rich.console import Console  # noqa: PLC0415 - rich is loaded only to print
    from rich.table import Table  # noqa: PLC0415

    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("engine", "tile sets"):
        table.add_column(name, overflow="fold")
    for name in ("games/s", "decisions/s", "moves/s", "x model"):
        table.add_column(name, justify="right", no_wrap=True)
    for speed in speeds:
        table.add_row(
            speed.engine.replace("_", " "), " + ".join(speed.tile_sets),
            f"{speed.games_per_s:,.1f}", f"{speed.decisions_per_s:,.0f}",
            f"{speed.moves_per_s:,.0f}", f"{speed.times_model:,.1f}",
        )  # fmt: skip
    Console().print(table)
    click.echo(
        f"random play of {speeds[0].players}, moves listed, per second of CPU time; "
        f"core: {core_form()}"
    )
