"""The bots that there are: the program's own, those of installed packages, those of a file.

A code is the name of a bot, followed by its parameters if it has any, with a colon before each:
`greedy`, `mcts:1000`, `mcts:time=0.5s:value=margin`. The code `cmd:COMMAND` is a program of its
own that speaks the protocol for bots.
"""

from __future__ import annotations

import importlib
import inspect
from importlib import metadata
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from carcassonne.bots.base import BotError
from carcassonne.bots.parameters import (
    Parameter,
    check_complete,
    hint,
    parameters_of,
    read_parameters,
    with_seed,
)
from carcassonne.user_code import line_of, load_module, what_failed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from types import ModuleType

    from carcassonne.bots.base import Bot

__all__ = ["GROUP", "BotKind", "Roster"]

GROUP: Final = "carcassonne.bots"
"""The entry points under which installed packages offer bots."""

_BUILT_IN: Final = "built in"


class _Unloadable(BotError):
    """A bot of an installed package that can't be loaded; says so by itself."""


class BotKind(NamedTuple):
    """A kind of bot that can be made.

    Attributes
    ----------
    name : str
        The first word of its codes.
    about : str
        What it does, in a few words.
    where : str
        Where it comes from: `built in`, a file or a package.
    maker : callable or str
        What makes it, called with its parameters by name, and with `seed` if it takes one; or
        where that is, `module:attribute`, loaded when it is first needed.
    parameters : tuple of Parameter
        What it takes.
    """

    name: str
    about: str
    where: str
    maker: Callable[..., Bot] | str
    parameters: tuple[Parameter, ...] = ()

    def load(self) -> Callable[..., Bot]:
        """What makes bots of this kind, called with `seed` and the parameters."""
        if not isinstance(self.maker, str):
            return with_seed(self.maker)
        module, _, attribute = self.maker.partition(":")
        return cast("Callable[..., Bot]", getattr(importlib.import_module(module), attribute))

    def make(self, *, seed: int, **values: Any) -> Bot:
        """Make a bot of this kind.

        Raises
        ------
        BotError
            It can't be made; the message says why.
        """
        if self.is_built_in:
            return self.load()(seed=seed, **values)
        try:
            if not isinstance(self.maker, str):
                check_complete(self.maker, values, self.name)
            return _sound(self.load()(seed=seed, **values))
        except _Unloadable:
            raise
        except BotError as error:
            raise self._unmade(str(error)) from error
        except (Exception, SystemExit) as error:
            raise self._unmade(what_failed(error), line_of(error, self.where)) from error

    def _unmade(self, text: str, at: str = "") -> BotError:
        at = f"{at}," if at else ""
        return BotError(f"bot {self.name!r} of {self.where}{at} can't be made: {text}")

    @property
    def is_built_in(self) -> bool:
        """Whether it is one of this program's own."""
        return self.where == _BUILT_IN

    @property
    def fault(self) -> str:
        """Why it can't be made from its name alone; empty if it can, or if it lacks parameters."""
        if self.is_built_in or any(p.required for p in self.parameters):
            return ""
        try:
            self.make(seed=0)
        except BotError as error:
            return str(error)
        return ""


def _sound(made: Any) -> Bot:
    """What a maker has made, if it is a bot."""
    is_class = isinstance(made, type)
    if is_class or not callable(getattr(made, "choose", None)):
        what = (
            f"the class {made.__name__}" if is_class else f"something of type {type(made).__name__}"
        )
        raise BotError(f"its maker gives {what}; a bot is an object with a method choose(game)")
    return cast("Bot", made)


_MANY: Final = 10**9
_DAY: Final = 86_400.0
_TIME: Final = Parameter(
    "time",
    "time for each decision instead, whatever a game's clock says",
    "seconds",
    least=0.001,
    most=_DAY,
)
_SEARCH: Final = (
    Parameter("simulations", "simulations for each decision", "int", 1000, least=1, most=_MANY),
    _TIME,
    Parameter("value", "what is maximised", default="win", choices=("win", "margin")),
)
_OWN: Final = (
    BotKind("random", "any legal move", _BUILT_IN, "carcassonne.bots.random_bot:RandomBot"),
    BotKind(
        "greedy",
        "the best points at once, for the difference of scores",
        _BUILT_IN,
        "carcassonne.bots.greedy:GreedyBot",
    ),
    BotKind(
        "mc",
        "tries each move by simulations on common shuffles, and goes on with the better half",
        _BUILT_IN,
        "carcassonne.bots.mc:McBot",
        _SEARCH,
    ),
    BotKind(
        "mcts",
        "searches a tree of moves and draws, each player after its own good",
        _BUILT_IN,
        "carcassonne.bots.mcts:MctsBot",
        (*_SEARCH, Parameter("reuse", "keep the tree between moves", "bool", default=True)),
    ),
    BotKind(
        "star",
        "expectimax with Star2.5 pruning over the heuristic",
        _BUILT_IN,
        "carcassonne.bots.star:StarBot",
        (
            Parameter("nodes", "positions for each decision", "int", 100_000, least=1, most=_MANY),
            _TIME,
            Parameter("depth", "turns to look ahead at most", "int", 2, least=1, most=100),
            Parameter(
                "probes", "moves of each successor that are probed", "int", 3, least=0, most=1000
            ),
        ),
    ),
    BotKind(
        "cmd",
        "a program that speaks the protocol for bots, as in cmd:python bot.py; its other "
        "parameters are keys beside `code` in the file of a tournament",
        _BUILT_IN,
        "carcassonne.bots.external:external_bot",
        (
            Parameter(
                "command", "program and arguments, all that follows the colon", required=True
            ),
            Parameter(
                "memory",
                "the most that each of its processes may use",
                "bytes",
                least=2**23,
                most=2**40,
            ),
            Parameter(
                "cpu",
                "seconds of processor time that it may use in a game",
                "int",
                least=1,
                most=_MANY,
            ),
            Parameter(
                "startup",
                "the most from its start to its hello",
                "seconds",
                10.0,
                least=0.001,
                most=_DAY,
            ),
            Parameter(
                "patience",
                "the most for a decision without a clock",
                "seconds",
                60.0,
                least=0.001,
                most=_DAY,
            ),
        ),
    ),
)


_COMMAND: Final = "cmd"
"""The code of programs; all that stands behind its colon is the command."""


class Roster:
    """Bots by name.

    Parameters
    ----------
    files
        Python files with bots of one's own: each class with a method `choose` that the file
        defines, its class attribute `name`, a text, being its code, or else what it is called;
        or, in a dictionary `BOTS` from code to class, or to a function that makes a bot. The
        parameters of a bot are those of its constructor, which is given a `seed` if it takes one.
    """

    def __init__(self, files: Iterable[str | Path] = ()) -> None:
        self.files = tuple(str(path) for path in files)
        self._kinds = {kind.name: kind for kind in _OWN}
        self._installed = False
        for path in self.files:
            for kind in _kinds_of_file(Path(path)):
                self._add(kind)

    @property
    def kinds(self) -> dict[str, BotKind]:
        """Every kind by name, those of installed packages included."""
        self._load_installed()
        return dict(self._kinds)

    def make(
        self, code: str, *, seed: int = 0, settings: Mapping[str, object] = MappingProxyType({})
    ) -> Bot:
        """Make a bot from its code.

        Parameters
        ----------
        code
            A name, with parameters as `name:value` or `name:key=value`.
        seed
            Decides all that is random about the bot.
        settings
            Parameters by name that are not in the code, as texts or as values.

        Raises
        ------
        BotError
            The bot or one of its parameters is unknown or wrong; the message says what there is.
        """
        kind, values = self.read(code)
        more = [f"{name}={value}" for name, value in settings.items()]
        for name, value in read_parameters(kind.name, kind.parameters, more).items():
            if name in values:
                raise BotError(f"parameter {name!r} of bot {kind.name!r} is given twice")
            values[name] = value
        return kind.make(seed=seed, **values)

    def read(self, code: str) -> tuple[BotKind, dict[str, Any]]:
        """The kind of bot that a code names, and its parameters; see `make`."""
        name, *texts = code.split(":")
        name = name.strip()
        if name == _COMMAND:
            command = code.partition(":")[2].strip()
            if not command:
                raise BotError(f"bot {code!r} must say which program, as in cmd:python bot.py")
            return self._kinds[name], {"command": command}
        if name not in self._kinds:
            self._load_installed()
        kind = self._kinds.get(name)
        if kind is None:
            raise BotError(
                f"bot {name!r} is unknown{hint(name, self._kinds)}; "
                f"bots are {', '.join(self._kinds)}"
            )
        return kind, read_parameters(name, kind.parameters, texts)

    def _add(self, kind: BotKind) -> None:
        known = self._kinds.get(kind.name)
        if known is not None:
            raise BotError(
                f"{kind.where}: a bot {kind.name!r} is there already ({known.where}); "
                "give yours another name"
            )
        if not kind.name or any(sign in kind.name for sign in ":,= \t\n"):
            raise BotError(
                f"{kind.where}: {kind.name!r} is no name for a bot: it must be a word without "
                "colons, commas and equals signs"
            )
        self._kinds[kind.name] = kind

    def _load_installed(self) -> None:
        """Add the bots of installed packages; one that can't be loaded says so when it is made."""
        if self._installed:
            return
        self._installed = True
        for entry in sorted(metadata.entry_points(group=GROUP), key=lambda entry: entry.name):
            package = entry.dist.name if entry.dist else entry.value
            where = f"package {package}"
            try:
                kind = _kind_of(entry.name, _maker(entry.load()), where)
            except (Exception, SystemExit) as error:  # noqa: BLE001 - a fault of theirs is no fault of others
                kind = _broken(entry.name, error, where)
            self._add(kind)


def _kind_of(name: str, maker: Callable[..., Bot], where: str) -> BotKind:
    about = (inspect.getdoc(maker) or "").partition("\n")[0].strip()
    return BotKind(name, about, where, maker, parameters_of(maker))


def _maker(value: object) -> Callable[..., Bot]:
    if not callable(value):
        kind = type(value).__name__
        raise BotError(
            f"it is of type {kind}; a class of bots, or a function that makes one, is wanted"
        )
    return cast("Callable[..., Bot]", value)


def _broken(name: str, error: BaseException, where: str) -> BotKind:
    text = str(error) if isinstance(error, BotError) else what_failed(error)

    def refuse(**_: object) -> Bot:
        raise _Unloadable(f"{where}: bot {name!r} can't be loaded: {text}") from error

    return BotKind(name, f"can't be loaded: {text}", where, refuse)


def _kinds_of_file(path: Path) -> list[BotKind]:
    """The bots of a Python file, which is run for that."""
    module = load_module(path, "bots", BotError)
    named = getattr(module, "BOTS", None)
    if named is not None:
        if not isinstance(named, dict):
            raise BotError(f"{path}: BOTS must be a dictionary from codes to classes of bots")
        found = {str(name): maker for name, maker in named.items()}
    else:
        found = _classes(module, path)
    kinds = []
    for name, maker in found.items():
        try:
            kinds.append(_kind_of(name, _maker(maker), str(path)))
        except BotError as error:
            raise BotError(f"{path}: BOTS: {name!r}: {error}") from None
    if not kinds:
        raise BotError(
            f"{path}: there is no bot in it: a bot is a class with a method choose(self, game)"
        )
    return kinds


def _classes(module: ModuleType, path: Path) -> dict[str, Any]:
    """The classes of bots that a file defines, by their codes."""
    found: dict[str, type] = {}
    for value in vars(module).values():
        if isinstance(value, type) and value.__module__ == module.__name__ and _is_bot(value):
            own = getattr(value, "name", None)
            name = own if isinstance(own, str) else value.__name__
            if found.setdefault(name, value) is not value:
                raise BotError(
                    f"{path}: the classes {found[name].__name__} and {value.__name__} both have "
                    f"the name {name!r}; give each its own"
                )
    return found


def _is_bot(value: type) -> bool:
    return callable(getattr(value, "choose", None)) and not inspect.isabstract(value)
