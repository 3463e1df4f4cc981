"""Players that are programs, made from codes such as `greedy`.

A code is the name of a bot, followed by its parameters if it has any, as `name:key=value`, with
another `:` before each further one. `Bot` says what a bot is, `carcassonne.bots.play` sits bots
down at a game.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Final, NamedTuple

from carcassonne.bots.base import Bot, BotError
from carcassonne.bots.greedy import GreedyBot
from carcassonne.bots.random_bot import RandomBot

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["Bot", "BotError", "bot_codes", "make_bot"]


class _Kind(NamedTuple):
    """A bot that can be made: what it is in a few words, how, and the parameters it takes."""

    about: str
    make: Callable[..., Bot]
    parameters: tuple[str, ...] = ()


_KINDS: Final[dict[str, _Kind]] = {
    "random": _Kind("any legal move", RandomBot),
    "greedy": _Kind("the best points at once, for the difference of scores", GreedyBot),
}


def bot_codes() -> dict[str, str]:
    """The codes that `make_bot` knows, each with what the bot does in a few words."""
    return {name: kind.about for name, kind in _KINDS.items()}


def make_bot(code: str, *, seed: int = 0) -> Bot:
    """Make a bot from its code.

    Parameters
    ----------
    code
        One of `bot_codes`, with parameters as `name:key=value` where it takes some.
    seed
        Decides all that is random about the bot.

    Raises
    ------
    BotError
        The bot or one of its parameters is unknown; the message names those that are known.

    Examples
    --------
    >>> make_bot("greedy", seed=3).name
    'greedy'
    """
    name, *texts = code.split(":")
    kind = _KINDS.get(name)
    if kind is None:
        raise BotError(f"bot {name!r} is unknown{_hint(name, _KINDS)}; {_known()}")
    return kind.make(seed=seed, **_parameters(name, kind.parameters, texts))


def _parameters(name: str, known: tuple[str, ...], texts: list[str]) -> dict[str, str]:
    values: dict[str, str] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if key not in known:
            takes = f"the parameters {', '.join(known)}" if known else "no parameters"
            raise BotError(
                f"parameter {key!r} of bot {name!r} is unknown{_hint(key, known)}; "
                f"{name} takes {takes}"
            )
        if not equals or key in values:
            raise BotError(f"parameter {text!r} of bot {name!r} must be written once, {key}=value")
        values[key] = value
    return values


def _hint(word: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(word.lower(), list(known), 1)
    return f" (did you mean {close[0]}?)" if close else ""


def _known() -> str:
    return f"bots are {', '.join(_KINDS)}"
