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
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

__all__ = [
    "Parameter", "check_complete", "hint", "parameters_of", "read_parameters", "with_seed",
]  # fmt: skip

_LARGEST: Final = 10**18 - 1
"""The largest whole number that a parameter can be, where it has no limit of its own."""
_SHOWN: Final = 40
"""So much of a wrong value is quoted."""

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
    least, most : float or None
        The bounds of a number; None: any.
    required : bool
        Whether it must be given.
    """

    name: str
    about: str = ""
    kind: str = "text"
    default: int | float | bool | str | None = None
    choices: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None
    required: bool = False

    def read(self, text: str) -> int | float | bool | str:
        """The value that a text means.

        Raises
        ------
        BotError
            Saying what would be right.
        """
        value = _READERS[self.kind](text.strip())
        shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
        if value is None or (self.choices and value not in self.choices):
            raise BotError(f"{self.name}={shown} must be {self.wanted}")
        if isinstance(value, int | float) and not isinstance(value, bool):
            self._check_bounds(value, shown)
        return value

    def _check_bounds(self, value: float, shown: str) -> None:
        least, most = self.least, self.most
        if self.kind == "int":
            least = -_LARGEST if least is None else least
            most = _LARGEST if most is None else most
        if least is not None and value < least:
            raise BotError(f"{self.name}={shown} must be {self._within(least, self.most)}")
        if most is not None and value > most:
            raise BotError(f"{self.name}={shown} must be {self._within(self.least, most)}")

    @property
    def wanted(self) -> str:
        """What values it takes, in words."""
        return " or ".join(self.choices) if self.choices else self._within(self.least, self.most)

    def _within(self, least: float | None, most: float | None) -> str:
        words = {
            "int": "a whole number", "float": "a number", "bool": "yes or no", "text": "a text",
            "seconds": "a time such as 0.5s or 200ms", "bytes": "a size such as 500MB",
        }[self.kind]  # fmt: skip
        bounds = [("at least", least), ("at most", most)]
        said = " and ".join(
            f"{w} {self.text_of(bound)}" for w, bound in bounds if bound is not None
        )
        return f"{words}, {said}" if said else words

    def text_of(self, value: float | bool | str) -> str:
        """A value as it is written in a code."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        if self.kind == "seconds":
            return f"{value:g}s"
        return f"{float(value) / 2**20:.12g}MiB" if self.kind == "bytes" else f"{value}"


def _whole(text: str) -> int | None:
    digits = text.replace("_", "")
    if not re.fullmatch(r"-?[0-9]+", digits):
        return None
    if len(digits) > len(str(_LARGEST)) + 1:  # beyond every bound, and int() takes time for it
        return -_LARGEST - 1 if digits.startswith("-") else _LARGEST + 1
    return int(digits)


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
    scaled = math.inf if value is None else value * float(units[found[2].lower()])
    return scaled if math.isfinite(scaled) else None


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
_NAMELESS: Final = (inspect.Parameter.POSITIONAL_ONLY, *_GATHERING)


def parameters_of(make: Callable[..., object]) -> tuple[Parameter, ...]:
    """The parameters that a maker of bots takes besides `seed`, from its signature.

    Their kinds are those of their defaults, or else of their annotations.
    """
    return tuple(
        _parameter_of(parameter)
        for name, parameter in (_signature(make) or {}).items()
        if name != "seed" and parameter.kind not in _NAMELESS
    )


def _signature(make: Callable[..., object]) -> Mapping[str, inspect.Parameter] | None:
    """The parameters of a callable by name; None if it does not tell."""
    try:
        return inspect.signature(make).parameters
    except (TypeError, ValueError):
        return None


def with_seed(make: Callable[..., Any]) -> Callable[..., Any]:
    """A maker of bots as one that is called with `seed` and its parameters, all by name.

    One that takes no seed is called without it. Where its signature does not tell, a type error
    makes it be called once more without one.
    """
    known = _signature(make)
    if known is not None and "seed" in known and known["seed"].kind not in _NAMELESS:
        return make

    def unseeded(*, seed: int, **values: Any) -> Any:  # noqa: ARG001 - all makers have it
        return make(**values)

    if known is not None and all(p.kind != p.VAR_KEYWORD for p in known.values()):
        return unseeded

    def either(*, seed: int, **values: Any) -> Any:
        try:
            return make(seed=seed, **values)
        except TypeError as first:
            try:
                return make(**values)
            except TypeError:
                raise first from None

    return either


def check_complete(make: Callable[..., object], values: Collection[str], code: str) -> None:
    """See that a maker of bots gets all that it must have.

    Parameters
    ----------
    values
        The names of the parameters that are given.
    code
        How the bot is called, for messages.

    Raises
    ------
    BotError
        Naming the parameter that lacks, and how to give it.
    """
    for name, parameter in (_signature(make) or {}).items():
        if parameter.default is not parameter.empty or parameter.kind in _GATHERING:
            continue
        if parameter.kind == parameter.POSITIONAL_ONLY:
            raise BotError(
                f"its constructor takes {name!r} by position only; take it by name, or give it a "
                "default"
            )
        if name != "seed" and name not in values:
            raise BotError(
                f"its parameter {name!r} is missing: write {code}:{name}=value, or give it a "
                "default"
            )


def _parameter_of(parameter: inspect.Parameter) -> Parameter:
    default = parameter.default if type(parameter.default) in _KINDS else None
    note = getattr(parameter.annotation, "__name__", str(parameter.annotation))
    names = {kind.__name__: word for kind, word in _KINDS.items()}
    kind = _KINDS.get(type(default), names.get(note.partition(" ")[0], "text"))
    return Parameter(
        parameter.name,
        kind=kind,
        default=default,
        required=parameter.default is parameter.empty,
    )


def hint(word: str, known: Iterable[str]) -> str:
    """A guess of what was meant, to be put into a message; empty where nothing comes close."""
    close = difflib.get_close_matches(word.lower(), list(known), 1)
    return f" (did you mean {close[0]}?)" if close else ""
