"""The rule register: what each numbered rule says in one sentence, and where it comes from.

Owns the ids and the texts that refusals, score events, scenarios and `carcassonne rules` cite.
It decides no rule: that is the model's part. The texts stand in `rule_register.toml` beside this
module and are read when somebody first asks.
"""

from __future__ import annotations

import difflib
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from carcassonne.errors import CarcassonneError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["RuleEntry", "UnknownRule", "is_rule", "register", "rule", "rules_under"]

_FILE: Final = "rule_register.toml"


class UnknownRule(CarcassonneError):
    """An id that no rule has; the message names the nearest ones."""


@dataclass(frozen=True, slots=True)
class RuleEntry:
    """One numbered rule.

    Attributes
    ----------
    id : str
        `R-BRIDGE-9`: the group and the number in it.
    text : str
        What the rule says by default, as one sentence.
    source : str
        Where it comes from; starts with manual, clarification, inference or open.
    options : tuple of str
        The options that change it.
    needs : str or None
        The pieces that it needs and this game doesn't have, if any.
    """

    id: str
    text: str
    source: str
    options: tuple[str, ...] = ()
    needs: str | None = None

    @property
    def group(self) -> str:
        """The id without its number, such as `R-BRIDGE`."""
        return self.id.rpartition("-")[0]


@cache
def register() -> Mapping[str, RuleEntry]:
    """Every rule by id, in the order of their numbers; read once and not to be changed."""
    text = resources.files("carcassonne").joinpath(_FILE).read_text(encoding="utf-8")
    return MappingProxyType(
        {
            name: RuleEntry(
                id=name,
                text=entry["text"],
                source=entry["source"],
                options=tuple(entry.get("options", ())),
                needs=entry.get("needs"),
            )
            for name, entry in tomllib.loads(text).items()
        }
    )


def is_rule(name: str) -> bool:
    """Whether a rule has exactly this id."""
    return name in register()


def rule(name: str) -> RuleEntry:
    """Look up the rule with exactly this id.

    Raises
    ------
    UnknownRule
        No rule has it; the message names those with the nearest ids.
    """
    entry = register().get(name)
    if entry is None:
        raise _unknown(name, register())
    return entry


def rules_under(name: str) -> tuple[RuleEntry, ...]:
    """Find the rule with this id, or all rules of the group with this name, in any case.

    Raises
    ------
    UnknownRule
        Neither a rule nor a group has the name.

    Examples
    --------
    >>> [entry.id for entry in rules_under("r-bridge-9")]
    ['R-BRIDGE-9']
    >>> len(rules_under("R-CASTLE"))
    40
    """
    wanted = name.upper()
    found = tuple(entry for entry in register().values() if wanted in (entry.id, entry.group))
    if not found:
        groups = dict.fromkeys(entry.group for entry in register().values())
        raise _unknown(name, (*groups, *register()))
    return found


def _unknown(name: str, known: Iterable[str]) -> UnknownRule:
    """Say which of the known names come nearest to a wrong one."""
    near = difflib.get_close_matches(name.upper(), known, n=3)
    if not near:
        text = f"rule {name!r} is unknown; rules are named like R-BASE-1, their groups like R-BASE"
        return UnknownRule(f"{text}; 'carcassonne rules' lists them all")
    *others, last = near
    nearest = f"{', '.join(others)} or {last}" if others else last
    return UnknownRule(f"rule {name!r} is unknown; did you mean {nearest}?")
