"""`carcassonne render`: draw the board of a saved game or a scenario as SVG or PNG."""

from __future__ import annotations

from pathlib import Path

import click

from carcassonne.cli.pictures import check_suffix, write_picture

__all__ = ["command"]


@click.command(name="render")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="PICTURE",
    help="The picture's file, .svg or .png.",
)
@click.option(
    "--at", type=click.IntRange(min=0), metavar="N", help="After N moves, not at the end."
)
@click.option("--legal", is_flag=True, help="Hatch the cells where the drawn tile may go.")
@click.option("--vicinity", is_flag=True, help="Shade the vicinity of each castle.")
@click.option("--no-coordinates", is_flag=True, help="Leave out the coordinates at the rim.")
@click.option("--no-panel", is_flag=True, help="Leave out the players and their scores.")
@click.option(
    "--cell",
    type=click.IntRange(20, 400),
    metavar="PIXELS",
    help="Pixels to a tile's side; by default as many as a screen allows.",
)
def command(
    file: Path, *, out: Path, at: int | None, legal: bool, vicinity: bool, no_coordinates: bool,
    no_panel: bool, cell: int | None,
) -> None:  # fmt: skip
    """Draw the table of FILE, a saved game (.json) or a scenario (.toml) after its last step.

    PNG needs the extra image: pip install 'carcassonne[image]'.

    \b
    Examples:  carcassonne render game.json --out board.svg --legal
               carcassonne render case.toml --out board.png --vicinity
    """
    check_suffix("--out", out)
    from carcassonne.cli.tables import load_table  # noqa: PLC0415 - the engine loads only to run
    from carcassonne.render.svg import board_svg  # noqa: PLC0415

    svg = board_svg(
        load_table(file, at),
        legal=legal,
        vicinity=vicinity,
        coordinates=not no_coordinates,
        panel=not no_panel,
        cell_size=cell,
    )
    write_picture(out, svg)
    click.echo(f"{out}: written")
