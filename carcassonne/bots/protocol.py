"""The messages between the program and a bot that is a command: one JSON object a line.

`docs/bot-protocol.md` tells it to the authors of bots. Nothing here reads the order of the stack:
a bot is told which tiles are left, and of a tile that is drawn when everybody sees it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import msgspec

from carcassonne.bots.base import BotFault
from carcassonne.errors import InvalidMove
from carcassonne.events import Event
from carcassonne.geometry import AXES, ROTATIONS, cell_text
from carcassonne.moves import Address, Move, parse_move
from carcassonne.position_writer import lying_there

if TYPE_CHECKING:
    from carcassonne.bots.clock import Clock
    from carcassonne.events import Item
    from carcassonne.model.game import Game

__all__ = [
    "EVENTS",
    "PROTOCOL",
    "Decide",
    "EventMessage",
    "GameOverMessage",
    "Hello",
    "HelloAnswer",
    "Message",
    "NewGame",
    "Quit",
    "decide_message",
    "encode",
    "event_detail",
    "new_game_message",
    "read_answer",
    "read_hello",
]

PROTOCOL: Final = "carcassonne-bot/1"


class Message(msgspec.Struct, frozen=True, tag_field="type"):
    """Base of what the program sends."""


class Hello(Message, frozen=True, tag="hello"):
    """The first message; the bot answers with its name and version."""

    version: str
    name: str = "carcassonne"
    protocol: str = PROTOCOL


class NewGame(Message, frozen=True, tag="new_game"):
    """A game begins, perhaps in the middle.

    Attributes
    ----------
    rules : dict
        Every option by name.
    tile_sets : list
        Each set in full, as its file has it, with its number of `copies`.
    tile_counts : dict
        How many there are of each tile in the whole game.
    players : list of str
        In turn order.
    seat : int
        The bot's place among them, from 0; `player` is its name.
    seed : int
        For all that is random about the bot.
    clock : dict
        Seconds for a `move` and for the `game`, null without limit, and the `increment`.
    table : dict
        What lies there now, by the keys of a scenario; see `_table`.
    """

    game: int
    rules: dict[str, Any]
    tile_sets: list[dict[str, Any]]
    tile_counts: dict[str, int]
    players: list[str]
    seat: int
    player: str
    seed: int
    clock: dict[str, float | None]
    table: dict[str, Any]


class EventMessage(Message, frozen=True, tag="event"):
    """A player has made a move; the details are what came of it, in order."""

    player: str
    move: str
    details: list[dict[str, Any]]


class Decide(Message, frozen=True, tag="decide"):
    """The bot has to decide; it answers with one of the moves."""

    id: int
    decision: dict[str, Any]
    moves: list[str]
    clock: dict[str, float | None]


class GameOverMessage(Message, frozen=True, tag="game_over"):
    """The game has ended or was broken off."""

    scores: dict[str, int]


class Quit(Message, frozen=True, tag="quit"):
    """The bot shall exit, with code 0."""


class HelloAnswer(msgspec.Struct, frozen=True):
    """What a bot says of itself."""

    name: str
    version: str = ""


class _HelloLine(msgspec.Struct, frozen=True):
    """A bot's answer to `hello`; a version may be a number, or null."""

    name: str
    version: str | int | float | None = None


class _Answer(msgspec.Struct, frozen=True):
    """A bot's answer to `decide`; with the `id` of the question if it likes."""

    move: str
    id: int | None = None


_encoder: Final = msgspec.json.Encoder()
_hellos: Final = msgspec.json.Decoder(_HelloLine)
_answers: Final = msgspec.json.Decoder(_Answer)


def encode(message: Message) -> bytes:
    """A message as a line, without its end."""
    return _encoder.encode(message)


# ------------------------------------------------------------------------------ what is sent


def new_game_message(
    game: Game, player: str, clock: Clock | None, *, number: int, seed: int
) -> NewGame:
    """All that a player knows of a game that is about to go on."""
    control = None if clock is None else clock.control
    return NewGame(
        game=number,
        rules=game.rules.to_data(),
        tile_sets=[{**tiles.to_data(), "copies": copies} for tiles, copies in game.box.sets],
        tile_counts=game.box.counts,
        players=list(game.players),
        seat=game.players.index(player),
        player=player,
        seed=seed,
        clock={
            "move": control.move if control else None,
            "game": clock.game_left if clock else None,
            "increment": control.increment if control else 0.0,
        },
        table=_table(game),
    )


def _table(game: Game) -> dict[str, Any]:
    """The table as everybody sees it; `unseen` is sorted by tile, not by order of drawing."""
    return {
        **lying_there(game),
        "scores": game.scores,
        "supply": game.supply,
        "active": game.active,
        "drawn": game.drawn,
        "on_offer": list(game.on_offer),
        "hands": game.hands,
        "discarded": list(game.discarded),
        "unseen": game.unseen,
    }


EVENTS: Final = tuple(Event.__subclasses__())
"""Every kind of event that a detail can be."""


def event_detail(event: Event) -> dict[str, Any]:
    """An event as plain data, its places in notation."""
    detail: dict[str, Any] = {"event": type(event).__name__}
    for key in event.__struct_fields__:
        detail[key] = _plain(key, getattr(event, key))
    return detail


def _plain(key: str, value: Any) -> Any:
    if isinstance(value, Address):
        return str(value)
    if key == "cell":
        return cell_text(value)
    if key == "rotation":
        return ROTATIONS[value]
    if key == "axis":
        return AXES[value]
    if key == "items":
        return [_item(item) for item in value]
    return value


def _item(item: Item) -> dict[str, Any]:
    return {
        "what": item.what,
        "count": item.count,
        "each": item.each,
        "points": item.points,
        "rule": item.rule,
    }


def decide_message(
    game: Game, number: int, *, left: float | None, game_left: float | None
) -> Decide:
    """The open decision of a game.

    Parameters
    ----------
    left, game_left
        Seconds left for this decision and for all decisions of the game; None: no limit.
    """
    decision = game.decision
    if decision is None:
        raise AssertionError("the game is over")
    return Decide(
        id=number,
        decision={
            "kind": decision.kind,
            "player": decision.player,
            "tile": decision.tile,
            "castle": None if decision.castle is None else str(decision.castle),
            "high_bid": decision.high_bid,
            "on_offer": list(game.on_offer),
        },
        moves=[str(move) for move in game.legal_moves()],
        clock={"move": _rounded(left), "game": _rounded(game_left)},
    )


def _rounded(seconds: float | None) -> float | None:
    return None if seconds is None else max(0.0, round(seconds, 4))


# ------------------------------------------------------------------------------ what comes back


def read_hello(line: bytes) -> HelloAnswer:
    """A bot's name and version, made fit to be printed.

    Raises
    ------
    BotFault
        `garbage`: the line is no such answer.
    """
    answer = _decoded(_hellos, line, '{"name": "...", "version": "..."}')
    version = "" if answer.version is None else str(answer.version)
    name, version = (
        "".join(c for c in text if c.isprintable())[:60] for text in (answer.name, version)
    )
    if not name.strip():
        raise BotFault("garbage", "it answered hello without a name")
    return HelloAnswer(name.strip(), version.strip())


def read_answer(line: bytes, number: int) -> Move:
    """The move that a bot answers to the question of a number; blanks around words are no fault.

    Raises
    ------
    BotFault
        `garbage`: the line is no answer, or to another question. `illegal move`: what it names
        is no move; whether it is legal only the game can tell.
    """
    answer = _decoded(_answers, line, '{"move": "..."}')
    if answer.id is not None and answer.id != number:
        raise BotFault("garbage", f"it answered question {answer.id}, not question {number}")
    try:
        return parse_move(" ".join(answer.move.split()))
    except InvalidMove as error:
        raise BotFault("illegal move", str(error)) from None


def _decoded(decoder: msgspec.json.Decoder[Any], line: bytes, form: str) -> Any:
    try:
        return decoder.decode(line)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        shown = line[:60].decode("utf-8", "backslashreplace")
        why = "it is not valid Unicode" if _is_half_character(line) else error
        text = f"{shown!r}{'...' if len(line) > 60 else ''} is no answer like {form}: {why}"
        raise BotFault("garbage", text) from None


def _is_half_character(line: bytes) -> bool:
    """Whether a line would be JSON but for bytes or escapes that make no character."""
    try:
        line.decode("utf-8")
        found = json.loads(line)
    except UnicodeError:
        return True
    except (ValueError, RecursionError):
        return False
    text = json.dumps(found, ensure_ascii=False)
    return any("\ud800" <= sign <= "\udfff" for sign in text)
