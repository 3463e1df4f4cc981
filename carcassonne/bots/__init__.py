"""Players that are programs, made from codes such as `greedy`.

`Bot` says what a bot is, `Roster` which ones there are and how codes are written,
`carcassonne.bots.play` sits bots down at a game.
"""

from __future__ import annotations

from carcassonne.bots.base import Bot, BotError
from carcassonne.bots.roster import BotKind, Roster

__all__ = ["Bot", "BotError", "BotKind", "Roster", "bot_codes", "make_bot"]


def bot_codes() -> dict[str, str]:
    """The names of the bots that `make_bot` knows, each with what it does in a few words."""
    return {name: kind.about for name, kind in Roster().kinds.items()}


def make_bot(code: str, *, seed: int = 0) -> Bot:
    """Make a bot of the program's own, or of an installed package, from its code.

    Parameters
    ----------
    code
        One of `bot_codes`, with parameters as `name:value` or `name:key=value`.
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
    return Roster().make(code, seed=seed)
