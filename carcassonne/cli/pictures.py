"""Writing pictures to files: SVG as it is, or PNG by the optional extra `image`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from carcassonne.files import write_bytes, write_text

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["check_suffix", "write_picture"]

_SUFFIXES: Final = (".svg", ".png")


def check_suffix(option: str, path: Path) -> None:
    """See that a file's name says which kind of picture it is to be.

    Raises
    ------
    click.UsageError
        It ends neither in .svg nor in .png.
    """
    if path.suffix.lower() not in _SUFFIXES:
        raise click.UsageError(f"{option} {path}: the picture's file name ends in .svg or .png")


def write_picture(path: Path, svg: str, *, scale: float = 1.0) -> None:
    """Write an SVG picture as the kind of file that the name says; `scale` is for PNG.

    Raises
    ------
    CarcassonneError
        The file can't be written, or the extra that makes PNG is not installed.
    """
    if path.suffix.lower() == ".png":
        from carcassonne.render.png import svg_to_png  # noqa: PLC0415 - only for PNG

        write_bytes(path, svg_to_png(svg, scale=scale))
    else:
        write_text(path, svg)
