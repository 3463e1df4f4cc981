"""Letters as drawn lines, so that pictures look the same on machines without any font.

Owns a plain stroke alphabet for ASCII. Text with other characters falls back to an SVG `text`
element, which needs a font on the machine that shows it.
"""

from __future__ import annotations

from typing import Final
from xml.sax.saxutils import escape

from carcassonne.render.curves import number

__all__ = ["text_svg", "text_width"]

_CAP: Final = 6.0
"""The height of a capital in the alphabet's own units; the baseline is there, the top at 0."""
_GAP: Final = 1.3
_SPACE: Final = 1.6

_GLYPHS: Final[dict[str, tuple[float, str]]] = {
    "A": (4, "0 6l2-6l2 6;.7 4h2.6"),
    "B": (3.8, "0 0v6h2.2q1.6 0 1.6-1.6q0-1.5-1.6-1.5h-2.2;0 0h2q1.4 0 1.4 1.4q0 1.5-1.4 1.5"),
    "C": (3.8, "3.8 1q-.7-1-1.9-1q-1.9 0-1.9 3q0 3 1.9 3q1.2 0 1.9-1"),
    "D": (3.8, "0 0v6h1.5q2.3 0 2.3-3q0-3-2.3-3z"),
    "E": (3.4, "3.4 0h-3.4v6h3.4;0 2.9h2.8"),
    "F": (3.3, "3.4 0h-3.4v6;0 2.9h2.8"),
    "G": (3.8, "3.8 1q-.7-1-1.9-1q-1.9 0-1.9 3q0 3 1.9 3q1.9 0 1.9-1.6v-1.1h-1.7"),
    "H": (3.8, "0 0v6;3.8 0v6;0 2.9h3.8"),
    "I": (1.6, "0 0h1.6;.8 0v6;0 6h1.6"),
    "J": (2.6, "2.6 0v4.4q0 1.6-1.3 1.6q-1.3 0-1.3-1.4"),
    "K": (3.7, "0 0v6;3.6 0l-3.6 3.6;1.3 2.4l2.4 3.6"),
    "L": (3.2, "0 0v6h3.2"),
    "M": (4.4, "0 6v-6l2.2 3.6l2.2-3.6v6"),
    "N": (3.8, "0 6v-6l3.8 6v-6"),
    "O": (4, "2 0q-2 0-2 3q0 3 2 3q2 0 2-3q0-3-2-3z"),
    "P": (3.7, "0 6v-6h2q1.7 0 1.7 1.7q0 1.7-1.7 1.7h-2"),
    "Q": (4.1, "2 0q-2 0-2 3q0 3 2 3q2 0 2-3q0-3-2-3z;2.4 4.4l1.7 1.9"),
    "R": (3.8, "0 6v-6h2q1.7 0 1.7 1.7q0 1.7-1.7 1.7h-2;1.6 3.4l2.2 2.6"),
    "S": (
        3.7,
        "3.5.9q-.6-.9-1.8-.9q-1.6 0-1.6 1.5q0 1.1 1.7 1.4q1.9.4 1.9 1.6q0 1.5-1.9 1.5q-1.2 0-1.8-1",
    ),
    "T": (3.8, "0 0h3.8;1.9 0v6"),
    "U": (3.8, "0 0v4.2q0 1.8 1.9 1.8q1.9 0 1.9-1.8v-4.2"),
    "V": (4, "0 0l2 6l2-6"),
    "W": (5.4, "0 0l1.3 6l1.4-5l1.4 5l1.3-6"),
    "X": (3.6, "0 0l3.6 6;3.6 0l-3.6 6"),
    "Y": (3.8, "0 0l1.9 3l1.9-3;1.9 3v3"),
    "Z": (3.6, "0 0h3.6l-3.6 6h3.6"),
    "a": (2.9, "2.9 3q-.5-1-1.5-1q-1.4 0-1.4 2q0 2 1.4 2q1 0 1.5-1;2.9 2v4"),
    "b": (3, "0 0v6;0 3q.5-1 1.5-1q1.5 0 1.5 2q0 2-1.5 2q-1 0-1.5-1"),
    "c": (2.8, "2.8 2.8q-.5-.8-1.4-.8q-1.4 0-1.4 2q0 2 1.4 2q.9 0 1.4-.8"),
    "d": (2.9, "2.9 0v6;2.9 3q-.5-1-1.5-1q-1.4 0-1.4 2q0 2 1.4 2q1 0 1.5-1"),
    "e": (2.9, "0 4h2.9q0-2-1.4-2q-1.5 0-1.5 2q0 2 1.5 2q.9 0 1.4-.8"),
    "f": (1.9, "2 0q-1.4-.2-1.4 1.2v4.8;0 2.2h1.9"),
    "g": (2.9, "2.9 3q-.5-1-1.5-1q-1.4 0-1.4 2q0 2 1.4 2q1 0 1.5-1;2.9 2v4.4q0 1.6-1.5 1.6h-.9"),
    "h": (2.8, "0 0v6;0 3.2q.4-1.2 1.5-1.2q1.3 0 1.3 1.4v2.6"),
    "i": (0.4, ".2 2v4;.2.5v.1"),
    "j": (1, "1 2v4.7q0 1.3-1 1.3;1 .5v.1"),
    "k": (2.7, "0 0v6;2.6 2l-2.6 2.4;1 3.6l1.7 2.4"),
    "l": (0.8, "0 0v5q0 1 .8 1"),
    "m": (4.4, "0 2v4;0 3.2q.3-1.2 1.2-1.2q1 0 1 1.3v2.7;2.2 3.3q.3-1.3 1.2-1.3q1 0 1 1.3v2.7"),
    "n": (2.8, "0 2v4;0 3.2q.4-1.2 1.5-1.2q1.3 0 1.3 1.4v2.6"),
    "o": (3, "1.5 2q-1.5 0-1.5 2q0 2 1.5 2q1.5 0 1.5-2q0-2-1.5-2z"),
    "p": (3, "0 2v6;0 3q.5-1 1.5-1q1.5 0 1.5 2q0 2-1.5 2q-1 0-1.5-1"),
    "q": (2.9, "2.9 2v6;2.9 3q-.5-1-1.5-1q-1.4 0-1.4 2q0 2 1.4 2q1 0 1.5-1"),
    "r": (1.8, "0 2v4;0 3.4q.4-1.4 1.8-1.3"),
    "s": (2.5, "2.4 2.6q-.4-.6-1.2-.6q-1.1 0-1.1 1q0 .8 1.2 1q1.3.2 1.3 1q0 1-1.3 1q-.9 0-1.3-.7"),
    "t": (1.9, ".7.7v4.2q0 1.1 1.2 1.1;0 2.2h1.9"),
    "u": (2.8, "0 2v2.6q0 1.4 1.3 1.4q1.1 0 1.5-1.2;2.8 2v4"),
    "v": (2.8, "0 2l1.4 4l1.4-4"),
    "w": (4.4, "0 2l1.1 4l1.1-3.4l1.1 3.4l1.1-4"),
    "x": (2.6, "0 2l2.6 4;2.6 2l-2.6 4"),
    "y": (2.8, "0 2l1.4 4;2.8 2l-1.9 5.2q-.3.8-.9.8"),
    "z": (2.5, "0 2h2.5l-2.5 4h2.5"),
    "0": (3.4, "1.7 0q-1.7 0-1.7 3q0 3 1.7 3q1.7 0 1.7-3q0-3-1.7-3z"),
    "1": (1.6, "0 1.2l1.5-1.2v6"),
    "2": (3.4, "0 1.4q.2-1.4 1.7-1.4q1.6 0 1.6 1.5q0 1-1.2 2.1l-2.1 2.4h3.4"),
    "3": (3.4, (
        "0 .9q.5-.9 1.6-.9q1.6 0 1.6 1.4q0 1.4-1.6 1.4q1.8 0 1.8 1.6q0 1.6-1.8 1.6"
        "q-1.2 0-1.6-1"
    )),
    "4": (3.6, "2.6 6v-6l-2.6 4.2h3.6"),
    "5": (3.4, "3.1 0h-2.7l-.3 2.7q.6-.6 1.5-.6q1.8 0 1.8 1.9q0 2-1.9 2q-1.1 0-1.5-.9"),
    "6": (
        3.3,
        (
            "2.9.7q-.5-.7-1.3-.7q-1.6 0-1.6 3.4q0 2.6 1.6 2.6q1.6 0 1.6-1.9"
            "q0-1.8-1.6-1.8q-1.3 0-1.6 1.3"
        ),
    ),
    "7": (3.3, "0 0h3.3l-2 6"),
    "8": (
        3.4,
        (
            "1.7 2.8q-1.5 0-1.5-1.4q0-1.4 1.5-1.4q1.5 0 1.5 1.4q0 1.4-1.5 1.4"
            "q-1.7 0-1.7 1.6q0 1.6 1.7 1.6q1.7 0 1.7-1.6q0-1.6-1.7-1.6"
        ),
    ),
    "9": (
        3.3,
        ".4 5.3q.5.7 1.3.7q1.6 0 1.6-3.4q0-2.6-1.6-2.6q-1.6 0-1.6 1.9q0 1.8 1.6 1.8q1.3 0 1.6-1.3",
    ),
    "-": (2, "0 3.3h2"),
    "+": (2.6, "0 3.3h2.6;1.3 2v2.6"),
    ",": (0.6, ".5 5.6v.6l-.5 1"),
    ".": (0.3, ".1 5.9v.1"),
    "/": (2.2, "0 6.6l2.2-7"),
    "!": (0.3, ".1 0v4;.1 5.8v.1"),
    "?": (2.8, "0 1.2q.2-1.2 1.4-1.2q1.4 0 1.4 1.4q0 1-1 1.5q-.4.3-.4 1.1;1.4 5.8v.1"),
    ":": (0.3, ".1 2.5v.1;.1 5.8v.1"),
    ";": (0.6, ".5 2.5v.1;.5 5.6v.6l-.5 1"),
    "'": (0.3, ".1 0v1.4"),
    '"': (1.2, ".1 0v1.4;1.1 0v1.4"),
    "(": (1.1, "1.1-.4q-1.1 1.4-1.1 3.4q0 2 1.1 3.6"),
    ")": (1.1, "0-.4q1.1 1.4 1.1 3.4q0 2-1.1 3.6"),
    "[": (1, "1-.4h-1v7h1"),
    "]": (1, "0-.4h1v7h-1"),
    "_": (3, "0 6.6h3"),
    "=": (2.4, "0 2.6h2.4;0 4.2h2.4"),
    "*": (2, "1 .4v2.4;0 1l2 1.2;2 1l-2 1.2"),
    "#": (3, ".9 1l-.6 4.6;2.7 1l-.6 4.6;0 2.5h3;0 4.1h3"),
    "&": (3.8, (
        "3.8 6l-2.9-3.6q-.8-1.2.1-2q1-.8 1.8 0q.8 1-.4 1.8q-2.4 1.3-2.4 2.3"
        "q0 1.5 1.5 1.5q1.5 0 2.2-2"
    )),
    "%": (4.4, (
        "4 0l-3.6 6;.9.2q-.9 0-.9 1.1q0 1.1.9 1.1q.9 0 .9-1.1q0-1.1-.9-1.1;3.5 3.6"
        "q-.9 0-.9 1.1q0 1.1.9 1.1q.9 0 .9-1.1q0-1.1-.9-1.1"
    )),
    "<": (2.2, "2.2 1.4l-2.2 2l2.2 2"),
    ">": (2.2, "0 1.4l2.2 2l-2.2 2"),
    "|": (0.3, ".1-.4v7"),
    "@": (4, (
        "2.8 2.6q-.4-.6-1-.6q-1 0-1 1.3q0 1.3 1 1.3q.6 0 1-.6v-1.4;2.8 4q.2.6.7.6"
        "q.5 0 .5-1.6q0-3-2-3q-2 0-2 3q0 3 2 3q.8 0 1.3-.3"
    )),
    "~": (2.6, "0 3.6q.6-.9 1.3-.3q.7.6 1.3-.3"),
    "×": (2.4, "0 2.2l2.4 2.4;2.4 2.2l-2.4 2.4"),  # noqa: RUF001 - the sign of multiplication
    "·": (0.3, ".1 3.3v.1"),
    "…": (2.6, ".1 5.9v.1;1.3 5.9v.1;2.5 5.9v.1"),
}  # fmt: skip


def text_width(text: str, size: float) -> float:
    """How wide a line of text is; `size` is the height of a capital."""
    scale = size / _CAP
    return sum(_width(char) + _GAP for char in text) * scale - (_GAP * scale if text else 0)


def text_svg(
    text: str,
    x: float,
    y: float,
    size: float,
    *,
    colour: str = "#2b2118",
    anchor: str = "middle",
    weight: float = 1.0,
) -> str:
    """A line of text as SVG.

    Parameters
    ----------
    x, y
        Where it is; `y` is the middle of the capitals.
    size
        The height of a capital.
    anchor
        `start`, `middle` or `end`: what of the text is at `x`.
    weight
        How bold; 1 is regular.
    """
    if any(char not in _GLYPHS and char != " " for char in text):
        return (
            f'<text x="{number(x)}" y="{number(y + size / 2)}" font-size="{number(size * 1.38)}" '
            f'text-anchor="{anchor}" fill="{colour}" font-family="sans-serif">{escape(text)}</text>'
        )
    scale = size / _CAP
    shift = {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor] * text_width(text, size)
    strokes = []
    pen = 0.0
    for char in text:
        if char != " ":
            strokes += [_moved(stroke, pen) for stroke in _GLYPHS[char][1].split(";")]
        pen += _width(char) + _GAP
    return (
        f'<path transform="translate({number(x - shift)} {number(y - size / 2)}) '
        f'scale({scale:.3g})" d="{"".join(strokes)}" fill="none" stroke="{colour}" '
        f'stroke-width="{weight:.3g}" stroke-linecap="round" stroke-linejoin="round"/>'
    )


def _width(char: str) -> float:
    if char == " ":
        return _SPACE
    return _GLYPHS[char][0] if char in _GLYPHS else _CAP * 0.7


def _moved(stroke: str, pen: float) -> str:
    """A stroke of the alphabet with its start moved to the right; the rest is relative."""
    end = next(i for i, char in enumerate(stroke) if char in "lhvqz")
    start = stroke[:end]
    x, y = _start(start)
    return f"M{number(x + pen)} {number(y)}{stroke[end:]}"


def _start(text: str) -> tuple[float, float]:
    """Read the two numbers that a stroke begins with, written as SVG allows (`.7.7`, `1-.4`)."""
    x_text, _, y_text = text.partition(" ")
    if not y_text:
        cut = x_text.rfind("-") if "-" in x_text[1:] else x_text.rfind(".")
        x_text, y_text = x_text[:cut], x_text[cut:]
    return float(x_text), float(y_text)
