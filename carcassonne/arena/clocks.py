"""Which bots of a tournament may lose on time: built-in ones don't look at the clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from carcassonne.bots.parameters import read_parameters

if TYPE_CHECKING:
    from collections.abc import Iterable

    from carcassonne.arena.config import Entrant
    from carcassonne.bots.clock import TimeControl
    from carcassonne.bots.roster import Roster

__all__ = ["clock_notes"]


def clock_notes(time: TimeControl, bots: Iterable[Entrant], roster: Roster) -> list[str]:
    """A sentence for each built-in bot whose budget is no time, or more time than there is."""
    limits = [limit for limit in (time.move, time.game) if limit is not None]
    if not limits:
        return []
    notes = []
    for bot in bots:
        spends = _budget(bot, roster)
        if isinstance(spends, str) or (spends is not None and spends >= min(limits)):
            text = spends if isinstance(spends, str) else f"{spends:g} seconds"
            word = bot.code.partition(":")[0].strip()
            notes.append(
                f"time: {bot.name} spends {text} on each decision, whatever the clock says, and "
                f"may lose on time; {word}:time=SECONDS keeps it to less"
            )
    return notes


def _budget(bot: Entrant, roster: Roster) -> float | str | None:
    """What a built-in bot spends on a decision: seconds, or in words; None: it doesn't search."""
    kind, values = roster.read(bot.code)
    names = [parameter.name for parameter in kind.parameters]
    if not kind.is_built_in or "time" not in names:
        return None
    settings = [f"{name}={value}" for name, value in bot.settings.items()]
    values = {**values, **read_parameters(kind.name, kind.parameters, settings)}
    if "time" in values:
        return float(values["time"])
    first = kind.parameters[0]
    return f"{values.get(first.name, first.default)} {first.name}"
