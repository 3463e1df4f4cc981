"""SVG pictures as PNG, by resvg; an optional extra of the package."""

from __future__ import annotations

from carcassonne.errors import CarcassonneError

__all__ = ["svg_to_png"]


def svg_to_png(svg: str, *, scale: float = 1.0) -> bytes:
    """An SVG picture as the bytes of a PNG file, `scale` times its own size.

    Raises
    ------
    CarcassonneError
        The extra `image` is not installed, or the picture can't be drawn at that size.
    """
    try:
        import resvg_py  # noqa: PLC0415 - an optional extra, loaded only to draw
    except ImportError:
        raise CarcassonneError(
            "PNG pictures need resvg-py: pip install 'carcassonne[image]'"
        ) from None
    if not 0 < scale <= 20:
        raise CarcassonneError(f"a picture can be scaled by 0 to 20 times, not {scale:g}")
    try:
        return bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=scale))
    except ValueError as error:
        raise CarcassonneError(f"the picture can't be drawn: {error}") from None
