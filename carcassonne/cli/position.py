"""`carcassonne position`: write a game at any move as a scenario."""

from __future__ import annotations

import json
from pathlib import Path

import click

from carcassonne.errors import CarcassonneError

__all__ = ["command"]


@click.command(name="position")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--at", type=click.IntRange(min=0), metavar="N", help="After N moves, not at the end."
)
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), metavar="CASE.toml",
    help="Write this file instead of printing it.",
)  # fmt: skip
@click.option("--title", default="", help="What the case shows, as a sentence.")
@click.option("--json", "as_json", is_flag=True, help="Print the keys of the scenario as JSON.")
def command(file: Path, *, at: int | None, out: Path | None, title: str, as_json: bool) -> None:
    """Write the game in FILE (a saved game or a scenario) as a scenario, to make a case of it.

    [given] is the table at the start of the turn, or of the turn whose market opened the bazaar
    that is still on; the moves since are its steps, and a last step expects what is there now.
    The scenario leads to exactly the same position, the order of the stack included. Tile sets
    of your own are written beside the case, as CASE.NAME.toml.

    \b
    Example:  carcassonne position game.json --at 40 --out case.toml
              carcassonne check case.toml
    """
    from carcassonne.cli.tables import load_table  # noqa: PLC0415 - the engine loads only to run
    from carcassonne.position_writer import (  # noqa: PLC0415
        position_of,
        position_text,
        save_position,
    )

    if "\n" in title:
        raise click.UsageError("--title must be one line")
    game = load_table(file, at)
    if out is not None and out.suffix != ".toml":
        raise click.UsageError(f"--out {out}: a scenario's file name ends in .toml")
    if out is not None and not as_json:
        files = save_position(game, out, title=title)
        click.echo(f"{out}: written" + "".join(f", with {name}" for name in files[:-1]))
        return
    written = position_of(game, title=title, stem=out.stem if out else "case")
    if written.own_sets and not as_json:
        names = ", ".join(s.name for s, _ in game.box.sets if not s.shipped)
        raise CarcassonneError(
            f"{file}: uses tile sets of its own ({names}), which must lie beside the case; "
            "write it to a file with --out"
        )
    if as_json:
        if out is not None:
            save_position(game, out, title=title)
        click.echo(json.dumps(written.data, indent=1, ensure_ascii=False))
        return
    click.echo(position_text(written), nl=False)
