"""The parameters of bots, as they are written in codes: `mcts:1000:value=margin`."""

from __future__ import annotations

import difflib
import inspect
import math
import re
from typing import TYPE_CHECKING, Any, Final

import msgspec

from carcassonne.bots.base import BotError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

__all__ = ["Parameter", "hint", "parameters_of", "read_parameters"]

_SECONDS: Final = {"": 1.0, "s": 1.0, "ms": 0.001, "m": 60.0, "min": 60.0}
_BYTES: Final = {
    "": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9,
    "kib": 2**10, "mib": 2**20, "gib": 2**30,
}  # fmt: skip
_BOOLS: Final = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


class Parameter(msgspec.Struct, frozen=True):
    """One parameter of a bot.

    Attributes
    ----------
    name : str
        As it is written before the `=`; the first parameter of a bot can do without.
    about : str
        What it does, in a few words.
    kind : str
        int, float, bool, text, seconds (`0.5s`, `200ms`) or bytes (`500MB`).
    default : object
        Its value where it is left out; None: none.
    choices : tuple of str
        The only values of a text; empty: any.
    least : float or None
        The least value of a number; None: any.
    """

    name: str
    about: str = ""
    kind: str = "text"
    default: int | float | bool | str | None = None
    choices: tuple[str, ...] = ()
    least: float | None = None

    def read(self, text: str) -> int | float | bool | str:
        """The value that a text means.

        Raises
        ------
        BotError
            Saying what would be right.
        """
        value = _READERS[self.kind](text.strip())
        if value is None:
            raise BotError(f"{self.name}={text} must be {self.wanted}")
        if self.choices and value not in self.choices:
            raise BotError(f"{self.name}={text} must be {self.wanted}")
        if self.least is not None and isinstance(value, int | float) and value < self.least:
            raise BotError(f"{self.name}={text} must be {self.wanted}")
        return value

    @property
    def wanted(self) -> str:
        """What values it takes, in words."""
        if self.choices:
            return " or ".join(self.choices)
        words = {
            "int": "a whole number", "float": "a number", "bool": "yes or no", "text": "a text",
            "seconds": "a time such as 0.5s or 200ms", "bytes": "a size such as 500MB",
        }[self.kind]  # fmt: skip
        return words if self.least is None else f"{words}, at least {self.text_of(self.least)}"

    def text_of(self, value: float | bool | str) -> str:
        """A value as it is written in a code."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        if self.kind == "seconds":
            return f"{value:g}s"
        return f"{float(value) / 2**20:g}MiB" if self.kind == "bytes" else f"{value}"


def _whole(text: str) -> int | None:
    digits = text.replace("_", "")
    return int(digits) if re.fullmatch(r"-?[0-9]{1,18}", digits) else None


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _scaled(text: str, units: dict[str, Any]) -> float | None:
    found = re.fullmatch(r"([0-9.eE+_-]+?)\s*([A-Za-z]*)", text)
    if found is None or found[2].lower() not in units:
        return None
    value = _number(found[1])
    return None if value is None else value * units[found[2].lower()]


def _size(text: str) -> int | None:
    value = _scaled(text, _BYTES)
    return None if value is None else int(value)


_READERS: Final[dict[str, Callable[[str], int | float | bool | str | None]]] = {
    "int": _whole,
    "float": _number,
    "bool": lambda text: _BOOLS.get(text.lower()),
    "text": lambda text: text,
    "seconds": lambda text: _scaled(text, _SECONDS),
    "bytes": _size,
}


def read_parameters(
    bot: str, known: Sequence[Parameter], texts: Iterable[str]
) -> dict[str, int | float | bool | str]:
    """The parameters of a code, by name.

    Parameters
    ----------
    bot
        Its name, for messages.
    known
        What it takes; a text without a `=` is the first of them.
    texts
        What stands between the colons of the code, behind the name.

    Raises
    ------
    BotError
        Naming the parameter that is unknown, doubled or no value of its kind.
    """
    by_name = {parameter.name: parameter for parameter in known}
    values: dict[str, int | float | bool | str] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals and known and key not in by_name:
            key, equals, value = known[0].name, "=", text
        key = key.strip()
        if key not in by_name:
            takes = f"the parameters {', '.join(by_name)}" if by_name else "no parameters"
            raise BotError(
                f"parameter {key!r} of bot {bot!r} is unknown{hint(key, by_name)}; "
                f"{bot} takes {takes}"
            )
        if key in values:
            raise BotError(f"parameter {key!r} of bot {bot!r} is given twice")
        if not equals:
            raise BotError(f"parameter {text!r} of bot {bot!r} must be written as {key}=value")
        try:
            values[key] = by_name[key].read(value)
        except BotError as error:
            raise BotError(f"bot {bot!r}: {error}") from None
    return values


_KINDS: Final = {int: "int", float: "float", bool: "bool", str: "text"}
_GATHERING: Final = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)


def parameters_of(make: Callable[..., object]) -> tuple[Parameter, ...]:
    """The parameters that a maker of bots takes besides `seed`, from its signature.

    Their kinds are those of their defaults, or else of their annotations.
    """
    try:
        signature = inspect.signature(make)
    except (TypeError, ValueError):
        return ()
    return tuple(
        _parameter_of(parameter)
        for name, parameter in signature.parameters.items()
        if name != "seed" and parameter.kind not in _GATHERING
    )


def _parameter_of(parameter: inspect.Parameter) -> Parameter:
    default = None if parameter.default is parameter.empty else parameter.default
    note = getattr(parameter.annotation, "__name__", str(parameter.annotation))
    names = {kind.__name__: word for kind, word in _KINDS.items()}
    kind = _KINDS.get(type(default), names.get(note.partition(" ")[0], "text"))
    return Parameter(parameter.name, kind=kind, default=default)


def hint(word: str, known: Iterable[str]) -> str:
    """A guess of what was meant, to be put into a message; empty where nothing comes close."""
    close = difflib.get_close_matches(word.lower(), list(known), 1)
    return f" (did you mean {close[0]}?)" if close else ""
