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
from carcassonne.bots.parameters import Parameter, hint, parameters_of, read_parameters
from carcassonne.user_code import load_module, what_failed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from carcassonne.bots.base import Bot

__all__ = ["GROUP", "BotKind", "Roster"]

GROUP: Final = "carcassonne.bots"
"""The entry points under which installed packages offer bots."""


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
        What makes it, called with `seed` and its parameters; or where that is,
        `module:attribute`, loaded when it is first needed.
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
            return self.maker
        module, _, attribute = self.maker.partition(":")
        return cast("Callable[..., Bot]", getattr(importlib.import_module(module), attribute))

    def make(self, *, seed: int, **values: Any) -> Bot:
        """Make a bot of this kind."""
        return self.load()(seed=seed, **values)


_BUILT_IN: Final = "built in"
_TIME: Final = Parameter(
    "time", "time for each decision instead, whatever a game's clock says", "seconds", least=0.001
)
_SEARCH: Final = (
    Parameter("simulations", "simulations for each decision", "int", 1000, least=1),
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
            Parameter("nodes", "positions for each decision", "int", 100_000, least=1),
            _TIME,
            Parameter("depth", "turns to look ahead at most", "int", 2, least=1),
            Parameter("probes", "moves of each successor that are probed", "int", 3, least=0),
        ),
    ),
    BotKind(
        "cmd",
        "a program that speaks the protocol for bots, as in cmd:python bot.py; its other "
        "parameters are keys beside `code` in the file of a tournament",
        _BUILT_IN,
        "carcassonne.bots.external:external_bot",
        (
            Parameter("command", "program and arguments, all that follows the colon"),
            Parameter(
                "memory", "the most that each of its processes may use", "bytes", least=2**23
            ),
            Parameter("cpu", "seconds of processor time that it may use in a game", "int", least=1),
            Parameter("startup", "the most from its start to its hello", "seconds", 10.0),
            Parameter("patience", "the most for a decision without a clock", "seconds", 60.0),
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
        Python files with bots of one's own: each class that the file defines, or names in a
        dictionary `BOTS` from code to class, and that has a method `choose`. Its class attribute
        `name` is its code; its parameters besides `seed` are those of its constructor.
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
        try:
            return kind.make(seed=seed, **values)
        except BotError:
            raise
        except Exception as error:
            if kind.where == _BUILT_IN:
                raise
            text = what_failed(error)
            raise BotError(f"bot {kind.name!r} of {kind.where} can't be made: {text}") from error

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
                kind = _kind_of(entry.name, entry.load(), where)
            except Exception as error:  # noqa: BLE001 - a fault of theirs is no fault of others
                kind = _broken(entry.name, error, where)
            self._add(kind)


def _kind_of(name: str, maker: Callable[..., Bot], where: str) -> BotKind:
    about = (inspect.getdoc(maker) or "").partition("\n")[0].strip()
    return BotKind(name, about, where, maker, parameters_of(maker))


def _broken(name: str, error: Exception, where: str) -> BotKind:
    text = what_failed(error)

    def refuse(**_: object) -> Bot:
        raise BotError(f"{where}: bot {name!r} can't be loaded: {text}") from error

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
        found = {
            str(getattr(value, "name", value.__name__)): value
            for value in vars(module).values()
            if isinstance(value, type) and value.__module__ == module.__name__ and _is_bot(value)
        }
    for name, maker in found.items():
        if not callable(maker):
            raise BotError(f"{path}: BOTS: {name!r} is a {type(maker).__name__}, no class of bots")
    if not found:
        raise BotError(
            f"{path}: there is no bot in it: a bot is a class with a method choose(self, game)"
        )
    return [_kind_of(name, maker, str(path)) for name, maker in found.items()]


def _is_bot(value: type) -> bool:
    return callable(getattr(value, "choose", None))
