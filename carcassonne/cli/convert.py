"""`carcassonne convert`: files of JCloisterZone into records and tile sets of ours."""

from __future__ import annotations

from pathlib import Path

import click

from carcassonne.errors import CarcassonneError

__all__ = ["command"]


@click.command(name="convert")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, metavar="FILE",
    help="Where to write: a .json record, or a .toml tile set.",
)  # fmt: skip
@click.option("--set", "set_name", help="Which <tile-set> to take where a file has several.")
def command(file: Path, *, out: Path, set_name: str | None) -> None:
    """Convert FILE, a saved game (.jcz) or a tile set (.xml) of JCloisterZone.

    A game must use the base set, Bridges, Castles & Bazaars and options that this program has;
    others are refused by naming the element that it doesn't know. The draw order is taken from
    the file, or from its placements; tiles that nobody drew lie at the bottom of the stack.

    \b
    Examples:  carcassonne convert game.jcz --out game.json
               carcassonne convert tiles.xml --out tiles.toml
    """
    suffix, wanted = file.suffix.lower(), out.suffix.lower()
    if suffix == ".xml" and wanted == ".toml":
        _convert_tiles(file, out, set_name)
    elif suffix in (".jcz", ".json") and wanted == ".json":
        if set_name is not None:
            raise CarcassonneError("--set is for tile sets (.xml), not for games")
        _convert_game(file, out)
    else:
        raise CarcassonneError(
            f"{file} to {out}: convert a game as GAME.jcz --out RECORD.json, a tile set as "
            "TILES.xml --out SET.toml"
        )


def _convert_game(file: Path, out: Path) -> None:
    from carcassonne.community.jcz_game import load_jcz  # noqa: PLC0415 - the heavy half
    from carcassonne.record import save_game  # noqa: PLC0415

    game = load_jcz(file)
    save_game(game, out)
    state = "over" if game.is_over else f"{game.stack_left} tiles left"
    scores = ", ".join(f"{name} {points}" for name, points in game.scores.items())
    click.echo(f"{out}: {len(game.moves)} moves, {state}; {scores}")


def _convert_tiles(file: Path, out: Path, set_name: str | None) -> None:
    from carcassonne.community.jcz_tiles import convert_tile_set  # noqa: PLC0415
    from carcassonne.files import write_text  # noqa: PLC0415

    text = convert_tile_set(file, name=set_name)
    write_text(out, text)
    click.echo(f"{out}: {text.count('[[tile]]')} kinds of tile")
