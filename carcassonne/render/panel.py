"""The strip above a board: each player's score and supply, and what is to be decided.

It is drawn in its own units and grows with the picture, so that it can be read on large boards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carcassonne.render.curves import number
from carcassonne.render.lettering import text_svg, text_width
from carcassonne.render.pieces_svg import Player, bridge_svg, castle_svg, piece_svg, place_svg
from carcassonne.render.words import listed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from carcassonne.model.game import Game
    from carcassonne.render.tile_svg import Drawer

__all__ = ["panel_svg"]

_READABLE: Final = 1000.0
"""The width in units up to which the strip isn't enlarged."""
_CARD: Final = 176.0
_HIGH: Final = 50.0
_GAP: Final = 8.0
_THUMB: Final = 0.42
_PAPER: Final = "#fffaf0"
_QUIET: Final = "#6b5b45"


def panel_svg(
    game: Game, looks: Mapping[str, Player], drawer: Drawer, width: float
) -> tuple[str, float]:
    """The strip for a picture of a width in units, and how high it is."""
    scale = max(1.0, width / _READABLE)
    room = width / scale
    cards = [_player_card(game, name, looks[name], drawer) for name in game.players]
    cards.append(_status_card(game, drawer))
    if game.on_offer:
        cards += _offer_cards(game, drawer)
    columns = max(1, min(len(cards), int((room - _GAP) / (_CARD + _GAP))))
    left = (room - columns * (_CARD + _GAP) + _GAP) / 2
    parts = []
    for i, card in enumerate(cards):
        x = left + i % columns * (_CARD + _GAP)
        y = 12 + i // columns * (_HIGH + _GAP)
        parts.append(f'<g transform="translate({number(x)} {number(y)})">{card}</g>')
    rows = -(-len(cards) // columns)
    height = (12 + rows * (_HIGH + _GAP)) * scale
    return f'<g transform="scale({scale:.4g})">{"".join(parts)}</g>', height


def _frame(stroke: str = "#b9a988", width: float = 1.0) -> str:
    return (
        f'<rect width="{_CARD:g}" height="{_HIGH:g}" rx="8" fill="{_PAPER}" stroke="{stroke}" '
        f'stroke-width="{width:g}"/>'
    )


def _player_card(game: Game, name: str, player: Player, drawer: Drawer) -> str:
    decision = game.decision
    decides = decision is not None and decision.player == name
    frame = _frame(player.colour, 3) if decides else _frame()
    piece = drawer.define("meeple", piece_svg("meeple", player))
    points = str(game.scores[name])
    space = _CARD - 50 - text_width(points, 17) - 14
    parts = [
        frame,
        place_svg(piece, 22, 25, 1.15),
        text_svg(_shortened(name, space), 44, 16, 9.5, anchor="start", weight=1.2),
        text_svg(points, _CARD - 10, 18, 17, anchor="end", weight=1.2),
    ]
    bridge = drawer.define("bridge", bridge_svg())
    castle = drawer.define("castle", castle_svg(((0, 0), (0, 1)), player))
    supply = game.supply[name]
    kinds = (("meeples", piece, 0.42), ("bridges", bridge, 0.19), ("castles", castle, 0.24))
    x = 49.0
    for kind, key, size in kinds:
        if kind == "meeples" or supply[kind] or game.box.has_expansion_8:
            shift = 2 if kind == "castles" else 0
            parts.append(place_svg(key, x + (4 if kind != "meeples" else 0), 38 + shift, size))
            parts.append(
                text_svg(str(supply[kind]), x + (10 if kind == "meeples" else 18), 38.5, 7.4,
                         anchor="start", colour=_QUIET, weight=1.1)
            )  # fmt: skip
            x += 30 if kind == "meeples" else 38
    return "".join(parts)


def _status_card(game: Game, drawer: Drawer) -> str:
    decision = game.decision
    parts = [_frame()]
    left = 10.0
    if decision is not None and decision.tile is not None:
        parts.append(_thumb(game, decision.tile, drawer))
        left = 56.0
    if decision is None:
        first, second = f"{listed(game.winners)} won", "the game is over"
    else:
        first = f"{decision.player}: {decision.kind}"
        second = f"{game.stack_left} in the stack"
        if decision.high_bid is not None and decision.high_bid >= 0:
            second = f"high bid {decision.high_bid}"
    space = _CARD - left - 8
    parts.append(text_svg(_shortened(first, space), left, 17, 9.5, anchor="start", weight=1.2))
    parts.append(text_svg(_shortened(second, space, 8), left, 35, 8, anchor="start", colour=_QUIET))
    return "".join(parts)


def _offer_cards(game: Game, drawer: Drawer) -> list[str]:
    """The bazaar's tiles, three to a card, numbered as `choose` names them."""
    tiles = game.on_offer
    cards = []
    for start in range(0, len(tiles), 3):
        parts = [_frame()]
        for i, tile in enumerate(tiles[start : start + 3]):
            label = text_svg(str(start + i + 1), 56 * i + 9, 25, 8, colour=_QUIET)
            parts.append(f'{label}<g transform="translate({56 * i + 10} 0)">')
            parts.append(f"{_thumb(game, tile, drawer)}</g>")
        cards.append("".join(parts))
    return cards


def _thumb(game: Game, tile: str, drawer: Drawer) -> str:
    drawn = drawer.tile(game.box.tile(tile), 0, 0, 0)
    return f'<g transform="translate(5 4) scale({_THUMB})">{drawn}</g>'


def _shortened(text: str, space: float, size: float = 9.5) -> str:
    """A text cut so that it is no wider than there is space."""
    if text_width(text, size) <= space:
        return text
    while text and text_width(text + "…", size) > space:
        text = text[:-1]
    return text.rstrip() + "…"
