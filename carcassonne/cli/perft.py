"""`carcassonne perft`: how many sequences of moves a game allows."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import click

from carcassonne.cli.core_form import core_form
from carcassonne.cli.options import game_options

if TYPE_CHECKING:
    from carcassonne.cli.options import GameSetup

__all__ = ["command"]

_NAMES = ("A", "B", "C", "D", "E", "F")


@click.command(name="perft")
@click.option("--depth", type=click.IntRange(0, 30), default=3, show_default=True,
              help="How many moves a sequence has.")  # fmt: skip
@click.option("--players", type=click.IntRange(1, 6), default=2, show_default=True)
@click.option("--engine", type=click.Choice(["model", "core"]), default="core", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@game_options
def command(*, depth: int, players: int, engine: str, as_json: bool, setup: GameSetup) -> None:
    """Count the sequences of listed moves from the start of a game, of every depth up to one.

    The stack order is fixed by the seed. Both engines must count the same.

    \b
    Example:  carcassonne perft --depth 4 --seed 7 --engine core
    """
    from carcassonne.perft import perft  # noqa: PLC0415 - the engines load only to run
    from carcassonne.tiles import TileBox  # noqa: PLC0415

    if engine == "core":
        core_form()
    box = TileBox.load(setup.tile_sets, counts=setup.tile_counts)
    counts: list[int] = []
    for level in range(1, depth + 1) if depth else [0]:
        start = time.process_time()
        counts.append(
            perft(
                _NAMES[:players], level, rules=setup.rules, box=box, seed=setup.seed, engine=engine
            )
        )
        if not as_json:
            spent = time.process_time() - start
            click.echo(f"depth {level}: {counts[-1]:,} ({spent:.2f} s)")
    if as_json:
        data = {"engine": engine, "players": players, "seed": setup.seed, "depth": depth,
                "count": counts[-1], "counts": counts}  # fmt: skip
        click.echo(json.dumps(data, indent=1))
