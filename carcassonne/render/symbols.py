"""Small drawings that tiles and boards are furnished with: houses, trees, shields, buildings.

Each is a piece of SVG around its own point 0,0, upright whichever way a tile lies. A picture
defines once those that it uses.
"""

from __future__ import annotations

from typing import Final

from carcassonne.render.lettering import text_svg

__all__ = ["GRASS", "INK", "SYMBOLS", "hatch_svg"]

INK: Final = "#43301f"
"""The colour of outlines."""
GRASS: Final = "#a9c66c"


def _house(wall: str, roof: str, w: float, h: float) -> str:
    """A house that is `w` wide to each side and `h` high up to its roof."""
    return (
        f'<path d="M{-w} {-h / 3:g}v{h:g}h{2 * w:g}v{-h:g}z" fill="{wall}"/>'
        f'<path d="M{-w - 1:g} {-h / 3:g}L0 {-h:g}L{w + 1:g} {-h / 3:g}z" fill="{roof}"/>'
    )


def _outlined(markup: str, width: float = 0.7) -> str:
    return f'<g stroke="{INK}" stroke-width="{width:g}" stroke-linejoin="round">{markup}</g>'


def _at(x: float, y: float, markup: str) -> str:
    return f'<g transform="translate({x:g} {y:g})">{markup}</g>'


def _shade(rx: float, ry: float, y: float) -> str:
    return f'<ellipse cx="1.2" cy="{y:g}" rx="{rx:g}" ry="{ry:g}" fill="#2b2118" opacity=".22"/>'


def _tree(leaf: str, light: str, r: float) -> str:
    return (
        _shade(r + 0.6, r * 0.55, r * 0.7)
        + f'<circle r="{r:g}" fill="{leaf}"/>'
        + f'<circle cx="{-r / 3.5:g}" cy="{-r / 3.5:g}" r="{r * 0.55:g}" fill="{light}"/>'
    )


_TREES: Final = {
    "tree0": _tree("#5d8c3e", "#76a551", 4.2),
    "tree1": _at(-2.2, 0, _tree("#6c9a45", "#86b25c", 3))
    + _at(2.4, 1.4, _tree("#5d8c3e", "#76a551", 2.4)),
    "tree2": (
        '<path d="M-3 2q1-3 .4-5M0 2.4q.2-3.4 0-6M3 2q-1-3-.2-5" fill="none" '
        'stroke="#6d9546" stroke-width="1.1" stroke-linecap="round"/>'
    ),
}

_HOUSES: Final = {
    "house0": _shade(5.4, 2.4, 3.4) + _outlined(_house("#f4e6c8", "#b8482f", 4.3, 6.4)),
    "house1": _shade(4.6, 2, 3.2) + _outlined(_house("#ecd7ae", "#96422c", 3.4, 7.2)),
    "house2": _shade(6, 2.4, 3) + _outlined(_house("#f7ecd4", "#c9683f", 5.4, 5.6)),
}

_CROSS: Final = f'<path d="M0-4v6M-2-2h4" stroke="{INK}" stroke-width="1.1" fill="none"/>'


def _cloister(plot: str) -> str:
    """A church with a tower and a side wing on a plot of its own."""
    church = (
        '<path d="M-4-2h17v12h-17z" fill="#f6ead0"/>'
        '<path d="M-6-1l3-8h15l3 8z" fill="#b8482f"/>'
        '<path d="M-13-7h9v17h-9z" fill="#fbf3e0"/>'
        '<path d="M-14.2-6.4l5.7-9l5.7 9z" fill="#96422c"/>'
        '<path d="M-10 10v-4.4q1.5-2.4 3 0v4.4z" fill="#5b3c25"/>'
        '<path d="M-9.6-3.6h2.2v3.2h-2.2zM-.6 2h2.2v4h-2.2zM3.9 2h2.2v4h-2.2zM8.4 2h2.2v4h-2.2z" '
        'fill="#7d93a6" stroke-width=".5"/>'
    )
    return (
        f'<rect x="-18" y="-13" width="36" height="27" rx="5" fill="{plot}" '
        f'stroke="#7c9a4c" stroke-width="1.4" stroke-dasharray="2.6 1.6"/>'
        + _at(1, 10.4, _shade(16, 2.6, 0))
        + _outlined(church, 0.9)
        + _at(-8.5, -15.5, _CROSS)
    )


_BAZAAR: Final = (
    _shade(16, 3.4, 9.4)
    + _outlined(
        '<path d="M-12-3h24v12h-24z" fill="#8a5a34"/>'
        '<path d="M-12 2.6h24v6.4h-24z" fill="#d8a964"/>'
        '<path d="M-14-2l3-8h22l3 8z" fill="#fff6e4"/>'
        '<path d="M-14-2l3-8h4.4l-1.4 8zM-2.8-2l.6-8h4.4l.6 8zM8-2l-1.4-8h4.4l3 8z" '
        'fill="#2f7f86"/>'
        '<path d="M-14-2q2.9 4.4 5.8 0q2.7 4.4 5.4 0q2.8 4.4 5.6 0q2.7 4.4 5.4 0q2.9 4.4 5.8 0z" '
        'fill="#fff6e4"/>'
        '<path d="M-14-2q2.9 4.4 5.8 0zM-2.8-2q2.8 4.4 5.6 0zM8.2-2q2.9 4.4 5.8 0z" '
        'fill="#2f7f86"/>',
        0.8,
    )
    + '<circle cx="-8" cy="4.6" r="1.9" fill="#d1495b"/><circle cx="-4" cy="4.8" r="1.9" '
    'fill="#edae49"/><circle cx="0" cy="4.6" r="1.9" fill="#66a182"/><circle cx="4" cy="4.8" '
    'r="1.9" fill="#d1495b"/><circle cx="8" cy="4.6" r="1.9" fill="#8d6a9f"/>'
)

_INN: Final = (
    '<ellipse cx="-1" cy="2.6" rx="10.4" ry="7.2" fill="#4f8db3"/>'
    '<ellipse cx="-1.4" cy="2" rx="8.8" ry="5.6" fill="#86c1e4"/>'
    '<path d="M-7 3.4q1.4-1.2 2.8 0t2.8 0M-3.6 5.6q1.4-1.2 2.8 0t2.8 0" fill="none" '
    'stroke="#eaf6fc" stroke-width=".8"/>'
    + _at(3.6, -3, _outlined(_house("#f7ecd4", "#7a3b6b", 4.4, 6.6)))
    + f'<path d="M9-1v-6.4" stroke="{INK}" stroke-width=".8"/>'
    + '<path d="M9-7.4h3.4v2.6h-3.4z" fill="#edae49" stroke="#43301f" stroke-width=".5"/>'
)

_CATHEDRAL: Final = _at(1, 13.6, _shade(17, 3, 0)) + _outlined(
    '<path d="M-8-4h16v17h-16z" fill="#dfe3e6"/>'
    '<path d="M-9-4l9-9l9 9z" fill="#6f7f8f"/>'
    '<path d="M-15-10h7.6v23h-7.6zM7.4-10h7.6v23h-7.6z" fill="#f1f3f4"/>'
    '<path d="M-16-10l4.8-10l4.8 10zM6.4-10l4.8-10l4.8 10z" fill="#566676"/>'
    '<circle cy="0" r="3.4" fill="#7cc4e0"/>'
    '<path d="M0-3.4v6.8M-3.4 0h6.8" stroke-width=".5" fill="none"/>'
    '<path d="M-3 13v-5q3-4.6 6 0v5z" fill="#5b3c25"/>'
    '<path d="M-12.4-5h2.4v5h-2.4zM10-5h2.4v5h-2.4zM-12.4 3h2.4v5h-2.4zM10 3h2.4v5h-2.4z" '
    'fill="#5d7488" stroke-width=".4"/>',
    0.9,
)

_SHIELD: Final = (
    '<path d="M-6.4-7h12.8v6.4q0 5.8-6.4 8.8q-6.4-3-6.4-8.8z" fill="#1d4f91" stroke="#fff8e6" '
    'stroke-width="1.6"/><path d="M0-6.2v12.6M-5.6-1.6h11.2" stroke="#ffd75e" stroke-width="2.2"/>'
    '<path d="M-6.4-7h12.8v6.4q0 5.8-6.4 8.8q-6.4-3-6.4-8.8z" fill="none" stroke="#12294a" '
    'stroke-width=".6"/>'
)


def _token(letter: str, fill: str) -> str:
    return (
        f'<circle r="7.2" fill="#fff4dc" stroke="{INK}" stroke-width=".8"/>'
        f'<circle r="5.6" fill="{fill}"/>' + text_svg(letter, 0, 0, 5.6, colour="#fff", weight=1.4)
    )


_VILLAGE: Final = (
    '<ellipse cx="0" cy="0" rx="12.5" ry="11.5" fill="#f3ead2" '
    'stroke="#8a7355" stroke-width="1.4"/>'
    + _at(-5.4, -3.6, _HOUSES["house1"])
    + _at(5.2, -2.6, _HOUSES["house0"])
    + _at(-0.6, 5, _HOUSES["house2"])
)

SYMBOLS: Final[dict[str, str]] = {
    **_TREES,
    **_HOUSES,
    "cloister": _cloister("#c7d78f"),
    "abbey": _at(0, 0, f'<g transform="scale(1.5)">{_cloister("#d9c79d")}</g>'),
    "bazaar": _BAZAAR,
    "inn": _INN,
    "cathedral": _CATHEDRAL,
    "shield": _SHIELD,
    "wine": _token("W", "#8e2f5c"),
    "grain": _token("G", "#b8860b"),
    "cloth": _token("C", "#2f6f8f"),
    "village": _VILLAGE,
    "pond": (
        '<ellipse rx="19" ry="15" fill="#5286a8"/><ellipse rx="17.3" ry="13.3" fill="#84bfe2"/>'
    ),
    "garden": (
        f'<ellipse rx="13" ry="10.5" fill="{GRASS}" stroke="#5d8c3e" stroke-width="2" '
        'stroke-dasharray=".1 3" stroke-linecap="round"/>'
    ),
}
"""Every drawing by its name."""


def hatch_svg(name: str, colour: str, step: int = 12) -> str:
    """A pattern of slanting lines."""
    return (
        f'<pattern id="{name}" width="{step}" height="{step}" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate(45)"><path d="M{step // 2} 0v{step}" stroke="{colour}" '
        f'stroke-width="{step / 3:g}"/></pattern>'
    )
