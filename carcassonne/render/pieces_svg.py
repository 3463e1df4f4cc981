"""The pieces on a board as SVG: meeples, pigs, barns, bridges and castles.

Players differ by colour (a palette made for colour-blind people) and by the letter that each
piece bears. Farmers lie, everybody else stands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from carcassonne.render.curves import number
from carcassonne.render.lettering import text_svg
from carcassonne.render.symbols import INK

if TYPE_CHECKING:
    from carcassonne.geometry import Cell

__all__ = ["BOW", "PALETTE", "Player", "bridge_svg", "castle_svg", "piece_svg"]


class Player(NamedTuple):
    """How a player's pieces look: a letter, and colours of the piece and of the letter on it."""

    letter: str
    colour: str
    ink: str


PALETTE: Final = (
    ("#0072b2", "#ffffff"),
    ("#d55e00", "#ffffff"),
    ("#f0e442", "#1a1a1a"),
    ("#1a1a1a", "#ffffff"),
    ("#cc79a7", "#1a1a1a"),
    ("#56b4e9", "#1a1a1a"),
)
"""Colours after Okabe and Ito, with that of the letter on them, by seat."""

BOW: Final = 13.0
"""How far the middle of a bridge's deck bows out of its straight line."""

_MEEPLE: Final = (
    "M0-13C3.8-13 5.8-10.5 5.8-7.8C5.8-6.6 5.4-5.6 4.8-4.8C8.8-3.5 13-1.2 13 1.4C13 3.4 11 3.7 "
    "9.4 3.6L6 3.2C7 6 9.3 8.6 10.3 11C11 12.6 10.2 13 8.8 13L3.4 13C2.1 13 1.8 12.2 1.2 10.8C.8 "
    "9.8.5 9 0 9C-.5 9-.8 9.8-1.2 10.8C-1.8 12.2-2.1 13-3.4 13L-8.8 13C-10.2 13-11 12.6-10.3 "
    "11C-9.3 8.6-7 6-6 3.2L-9.4 3.6C-11 3.7-13 3.4-13 1.4C-13-1.2-8.8-3.5-4.8-4.8C-5.4-5.6-5.8-"
    "6.6-5.8-7.8C-5.8-10.5-3.8-13 0-13Z"
)
_PIG: Final = (
    "M-10-1C-10-6-5-7 0-7C5-7 8-6 9-4L12-5.6L11.6-2C13 0 14 .6 14 2L14 4L11 5C10 7 8 7.4 8 8L8 "
    "11L5 11L4 8L-4 8L-5 11L-8 11L-8.6 7C-10 5-10 2-10-1Z"
)
_BARN: Final = "M-12 10L-12-2L-7-9L7-9L12-2L12 10Z"


def _shape(d: str, player: Player, shadow: str, letter_size: float, y: float) -> str:
    return (
        f'{shadow}<path d="{d}" fill="{player.colour}" stroke="#fffaf0" stroke-width="3.4" '
        f'stroke-linejoin="round"/><path d="{d}" fill="{player.colour}" stroke="#1a1208" '
        'stroke-width=".9" stroke-linejoin="round"/>'
        + text_svg(player.letter, 0, y, letter_size, colour=player.ink, weight=1.25)
    )


def piece_svg(kind: str, player: Player) -> str:
    """A piece around its own point 0,0: a `meeple`, `farmer`, `pig` or `barn`."""
    if kind == "farmer":
        lying = _shape(_MEEPLE, player._replace(letter=""), "", 0, 0)
        return (
            '<ellipse cx="1" cy="8" rx="15" ry="7" fill="#2b2118" opacity=".25"/>'
            f'<g transform="rotate(-90)">{lying}</g>'
            + text_svg(player.letter, 0.6, 0, 7.6, colour=player.ink, weight=1.25)
        )
    if kind == "pig":
        return _shape(
            _PIG, player, '<ellipse cx="2" cy="10" rx="13" ry="4" fill="#2b2118" opacity=".25"/>',
            7, 1,
        )  # fmt: skip
    if kind == "barn":
        roof = '<path d="M-12-2L-7-9L7-9L12-2Z" fill="#2b2118" opacity=".35"/>'
        return _shape(
            _BARN, player, '<ellipse cx="2" cy="10" rx="15" ry="4" fill="#2b2118" opacity=".25"/>',
            7.6, 4,
        ) + roof  # fmt: skip
    shadow = '<ellipse cx="1.4" cy="12" rx="13" ry="4" fill="#2b2118" opacity=".28"/>'
    return _shape(_MEEPLE, player, shadow, 7.6, 1)


# ------------------------------------------------------------------------------ bridges


def deck_offset(along: float) -> float:
    """How far the deck of a bridge bows out of its line, `along` (-50 to 50) from its middle."""
    return BOW * (1 - (along / 50) ** 2)


def bridge_svg() -> str:
    """A bridge from west to east over a tile, around the tile's middle.

    A deck of planks that bows upward (north), so that what it crosses shows below it; stone
    piers at both edges and its shadow straight on the ground.
    """
    peak = 2 * BOW

    def band(upper: float, lower: float) -> str:
        return (
            f"M-50 {upper:g}Q0 {upper - peak:g} 50 {upper:g}V{lower:g}"
            f"Q0 {lower - peak:g}-50 {lower:g}Z"
        )

    planks = "".join(f"M{x} {number(-6 - deck_offset(x))}v11" for x in range(-44, 46, 5))
    rails = "".join(f"M-50 {y}Q0 {y - peak:g} 50 {y}" for y in (-6.4, 5.4))
    posts = "".join(
        f"M{x} {number(y - deck_offset(x))}v-3.4" for x in range(-40, 41, 16) for y in (-6, 6)
    )
    piers = "".join(
        f'<path d="M{x}-10h9v21h-9z" fill="#b9afa0" stroke="#46352a" stroke-width="1"/>'
        f'<path d="M{x}-3.5h9M{x} 3.5h9M{x + 4.5:g}-10v6.5M{x + 4.5:g} 3.5v7" stroke="#7c7163" '
        'stroke-width=".8" fill="none"/>'
        for x in (-50, 41)
    )
    return (
        '<path d="M-46 1q46-5 92 0v8q-46 6-92 0z" fill="#1a1208" opacity=".3"/>'
        f'{piers}<path d="{band(5, 9.5)}" fill="#7a4a20" stroke="#4a2b10" stroke-width=".8"/>'
        f'<path d="{band(-6, 6)}" fill="#c98a4b"/>'
        f'<path d="{planks}" stroke="#8a5524" stroke-width=".9" fill="none"/>'
        f'<path d="{rails}" stroke="#5a3413" stroke-width="2.2" fill="none"/>'
        f'<path d="{posts}" stroke="#5a3413" stroke-width="2" stroke-linecap="round" fill="none"/>'
    )


# ------------------------------------------------------------------------------ castles


def castle_svg(cells: tuple[Cell, ...], owner: Player | None) -> str:
    """A castle around the middle of the edge that its two tiles share; grey without an owner."""
    turn = "" if cells[0][0] == cells[-1][0] else ' transform="rotate(90)"'
    lens = "M-46 0C-38-19-24-26 0-26S38-19 46 0C38 19 24 26 0 26S-38 19-46 0Z"
    ground = (
        f'<g{turn}><path d="{lens}" fill="#cfc6b6" stroke="#3a2d24" stroke-width="4.6"/>'
        f'<path d="{lens}" fill="none" stroke="#a69b8b" stroke-width="2.8"/>'
        f'<path d="{lens}" fill="none" stroke="#6f6456" stroke-width="2.8" '
        'stroke-dasharray="2 3"/></g>'
    )
    colour = owner.colour if owner else "#8f8a80"
    flag = (
        f'<path d="M-14-23v-15M14-23v-15" stroke="{INK}" stroke-width="1.2"/>'
        f'<path d="M-14-38l11 3.4l-11 3.6zM14-38l11 3.4l-11 3.6z" fill="{colour}" stroke="{INK}" '
        'stroke-width=".8"/>'
    )
    keep = (
        f'<g stroke="{INK}" stroke-width="1" stroke-linejoin="round">'
        '<path d="M-11-10v-5h4v3h4v-3h6v3h4v-3h4v22h-22z" fill="#e6e0d4"/>'
        + "".join(
            f'<path d="M{x} 11v-33h3v3h2.6v-3h2.8v3h2.6v-3h3v33z" fill="#d5cdbf"/>'
            for x in (-21, 7)
        )
        + '<path d="M-4 11v-7q4-5.4 8 0v7z" fill="#4a3423"/>'
        '<path d="M-15.4-13h2.6v5h-2.6zM12.6-13h2.6v5h-2.6z" fill="#4a3423" stroke="none"/></g>'
    )
    return f"{ground}{flag}{keep}"


def place_svg(key: str, x: float, y: float, scale: float = 1.0) -> str:
    """A defined group at a point, at a size."""
    size = f" scale({scale:g})" if scale != 1 else ""
    return f'<use href="#{key}" transform="translate({number(x)} {number(y)}){size}"/>'
