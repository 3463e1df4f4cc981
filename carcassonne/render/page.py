"""A whole game as one web page that needs no server and no network.

The page holds the final table as one drawing whose parts know when they lie there, the steps
of the game as data, and a script that shows any of them. Everything of a file (names, tiles) is
escaped; a content security policy forbids anything but the page's own script and style.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html import escape
from importlib import resources
from typing import TYPE_CHECKING, Final

import msgspec

from carcassonne.render.chart import DASHES, chart_svg, scale_of
from carcassonne.render.pieces_svg import PALETTE, bridge_svg, castle_svg, piece_svg
from carcassonne.render.table import looks_of
from carcassonne.render.timeline import LAYERS, timeline
from carcassonne.render.words import listed, points_text
from carcassonne.rule_register import register

if TYPE_CHECKING:
    from carcassonne.model.game import Game
    from carcassonne.render.pieces_svg import Player
    from carcassonne.render.timeline import Element, Timeline

__all__ = ["replay_page"]

_RULE: Final = re.compile(r"R-[A-Z]+-[0-9]+")
_SLOT: Final = re.compile(r"\{\{ (\w+) \}\}")
_ABOVE: Final = {"bridges": '<path id="frame" class="off"/><circle id="ring" class="off" r="21"/>'}
"""What the script moves about, by the layer above which it lies."""


def replay_page(game: Game, *, at: int | None = None, title: str = "Carcassonne") -> str:
    """A game as an HTML page that can be stepped through.

    Parameters
    ----------
    at
        After how many moves it opens; by default at the start.
    title
        The title of the page.

    Returns
    -------
    str
        A whole HTML document; equal games give equal bytes.
    """
    line = timeline(game)
    looks = looks_of(game)
    first = min(at or 0, len(line.steps) - 1)
    scores = [step.scores for step in line.steps]
    script, style = _asset("replay.js"), _asset("replay.css") + _player_colours()
    data = _data(game, line, looks, first)  # defines what is shown beside the board
    slots = {
        "title": escape(title),
        "subtitle": escape(_subtitle(game)),
        "policy": _policy(script, style),
        "style": style,
        "script": script,
        "board": _board(line, first),
        "chart": chart_svg(scores),
        "last": str(len(line.steps) - 1),
        "at": str(first),
        "data": _plain(data),
    }
    return _SLOT.sub(lambda match: slots[match[1]], _asset("replay.html"))


def _subtitle(game: Game) -> str:
    tiles = f"{len(game.tiles)} tiles"
    if not game.is_over:
        return f"{listed(game.players)}; {tiles}, unfinished"
    verb = "win" if len(game.winners) > 1 else "wins"
    best = points_text(max(game.scores.values()))
    return f"{listed(game.winners)} {verb} with {best}; {tiles}"


def _asset(name: str) -> str:
    return resources.files("carcassonne.render").joinpath(name).read_text(encoding="utf-8")


def _player_colours() -> str:
    """The colours of the pieces as classes of the style sheet, by seat."""
    return "".join(
        f".p{seat}{{--mine:{colour};--on-mine:{ink}}}" for seat, (colour, ink) in enumerate(PALETTE)
    )


def _policy(script: str, style: str) -> str:
    """Only this very script and style run; nothing is loaded from anywhere."""
    return (
        f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _plain(data: dict[str, object]) -> str:
    """Data as JSON that can stand in a script element, whatever it holds."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text


# ------------------------------------------------------------------------------ the board


def _board(line: Timeline, first: int) -> str:
    groups = "".join(
        f'<g id="{layer}">'
        + "".join(_element(element, first) for element in line.layers[layer])
        + f"</g>{_ABOVE.get(layer, '')}"
        for layer in LAYERS
    )
    left, top, right, bottom = line.steps[-1].box
    view = (100 * left - 60, 100 * top - 60, 100 * (right - left) + 220, 100 * (bottom - top) + 220)
    return (
        f'<svg id="board" viewBox="{" ".join(map(str, view))}" role="img" aria-label="The board">'
        f'{line.drawer.defs}<g id="rim"></g>{groups}<circle id="spot" class="off" r="30"/>'
        '<g id="pops"></g></svg>'
    )


def _element(element: Element, first: int) -> str:
    """A thing with the steps of its presence; those that lie there at first are to be seen."""
    off = "" if element.first <= first < element.end else ' class="off"'
    return (
        f'<g data-from="{element.first}" data-to="{element.end}"{off}>'
        f"<title>{escape(element.name)}</title>{element.markup}</g>"
    )


# ------------------------------------------------------------------------------ the data


def _data(game: Game, line: Timeline, looks: dict[str, Player], first: int) -> dict[str, object]:
    """Everything that the script needs, as plain data."""
    drawer = line.drawer
    steps = msgspec.to_builtins(line.steps)
    auctions = msgspec.to_builtins(line.auctions)
    players = [
        {
            "name": name,
            "letter": look.letter,
            "meeple": drawer.define("meeple", piece_svg("meeple", look)),
            "castle": drawer.define("castle", castle_svg(((0, 0), (0, 1)), look)),
            "dash": DASHES[seat],
        }
        for seat, (name, look) in enumerate(looks.items())
    ]
    scale = scale_of([step.scores for step in line.steps])
    cited = sorted(set(_RULE.findall(json.dumps([steps, auctions]))))
    return {
        "at": first,
        "winners": list(game.winners),
        "expansion": any(piece for step in line.steps for s in step.supply for piece in s[1:]),
        "bridge": drawer.define("bridge", bridge_svg()),
        "players": players,
        "scale": [scale.low, scale.high],
        "tiles": {name: drawer.lying(game.box.tile(name)) for name in _shown(line)},
        "rules": {name: register()[name].text for name in cited if name in register()},
        "steps": steps,
        "auctions": auctions,
    }


def _shown(line: Timeline) -> list[str]:
    """The tiles that are shown beside the board."""
    names: set[str] = set()
    for step in line.steps:
        names.update(step.offer, (tile for _, tile in step.hands))
        if step.decision is not None and step.decision.tile:
            names.add(step.decision.tile)
    for auction in line.auctions:
        names.update(auction.tiles, (lot.tile for lot in auction.lots if lot.tile))
    return sorted(names)
