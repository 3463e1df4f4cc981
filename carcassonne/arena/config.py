"""What a tournament is: its file and the flags of the command, as one validated value.

Owns the keys of the file, their defaults and the errors about them. Files and flags are checked
by the same code; an error names the key with the file, or the flag.
"""

from __future__ import annotations

import contextlib
import difflib
import math
import re
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, NamedTuple, get_args

import msgspec

from carcassonne.arena.clocks import clock_notes
from carcassonne.arena.sprt import Sprt
from carcassonne.bots import Roster
from carcassonne.bots.clock import TimeControl
from carcassonne.core.game import CoreGame
from carcassonne.core.tables import CapacityError
from carcassonne.errors import CarcassonneError
from carcassonne.files import convert, parse_toml, read_text
from carcassonne.rules import DEFAULT_PRESET, Rules
from carcassonne.seats import check_players, require_rules
from carcassonne.tiles import DEFAULT_SETS, TileBox

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from carcassonne.bots import Bot

__all__ = [
    "FORMATS", "ArenaError", "Entrant", "Reading", "Tournament", "box_of",
    "make_entrant", "read_tournament",
]  # fmt: skip

Format = Literal["round-robin", "gauntlet", "swiss", "knockout"]
FORMATS: Final[tuple[str, ...]] = get_args(Format)
_GAMES: Final = 10
"""Games for each pairing where nothing else is said."""
_LONGEST_NAME: Final = 40

_Setting = str | int | float | bool
_Count = Annotated[int, msgspec.Meta(ge=1, le=10_000_000)]


class ArenaError(CarcassonneError):
    """A tournament that can't be played as asked; the message names file and key, or folder."""


class Entrant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A bot in the list of a tournament.

    Attributes
    ----------
    name : str
        Its label in tables and its player name in records.
    code : str
        What it is made from, see `carcassonne.bots.Roster`.
    settings : dict
        Parameters that are not in the code, by name.
    """

    name: str
    code: str
    settings: dict[str, _Setting] = {}


class Tournament(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament, complete and checked. Two that are equal are played just the same.

    Attributes
    ----------
    games : int
        Games of each pairing or table, in whole units: a multiple of `players`.
    players : int
        Bots at a table.
    rounds : int
        Rounds of a Swiss tournament, else 0.
    bot_files : tuple of str
        Python files with bots of the user's own.
    """

    title: str
    bots: tuple[Entrant, ...]
    format: Format
    players: int
    games: int
    rounds: int
    seed: int
    rules: Rules
    tile_sets: tuple[str, ...]
    tile_counts: dict[str, int]
    time: TimeControl | None
    sprt: Sprt | None
    on_error: Literal["forfeit", "default-move"]
    records: bool
    bot_files: tuple[str, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the bots, in their order."""
        return tuple(bot.name for bot in self.bots)

    @property
    def units(self) -> int:
        """Units of each pairing or table."""
        return self.games // self.players


class Reading(NamedTuple):
    """A tournament that was read.

    Attributes
    ----------
    notes : tuple of str
        What was rounded on the way, and bots that a clock may take by surprise, as sentences.
    keys : dict
        What it was read from, file and flags together.
    """

    tournament: Tournament
    notes: tuple[str, ...]
    keys: dict[str, Any]


class _Form(msgspec.Struct, forbid_unknown_fields=True):
    """The keys of the file."""

    bots: list[str | dict[str, _Setting]] | None = None
    games: _Count = _GAMES
    seed: Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)] = 0
    format: Format = "round-robin"
    players: Annotated[int, msgspec.Meta(ge=2, le=6)] = 2
    rounds: Annotated[int, msgspec.Meta(ge=1, le=1000)] | None = None
    tile_sets: list[str] = msgspec.field(default_factory=lambda: list(DEFAULT_SETS))
    tile_counts: dict[str, int] = {}
    preset: str = DEFAULT_PRESET
    options: dict[str, Any] = {}
    time: TimeControl | None = None
    sprt: Sprt | None = None
    on_error: Literal["forfeit", "default-move"] = "forfeit"
    records: bool = True
    title: str = ""
    bot_files: list[str] = msgspec.field(default_factory=list)


_TABLES: Final[dict[str, tuple[str, ...]]] = {
    "time": TimeControl.__struct_fields__,
    "sprt": Sprt.__struct_fields__,
}
_ADDED: Final = ("options", "tile_counts")
_CHOICES: Final = {"format": FORMATS, "on_error": ("forfeit", "default-move")}
_DEFAULT_BOTS: Final = ("random", "greedy", "star:depth=1", "mc:100", "mcts:100")
"""Who meets where nothing is said."""
_FLAGS: Final = {"bots": "--bots", "bot_files": "--bots", "options": "--option",
                 "tile_counts": "--tile-count",
                 "records": "--no-records"}  # fmt: skip


def read_tournament(
    path: Path | None,
    flags: Mapping[str, object] = MappingProxyType({}),
    *,
    base: Mapping[str, object] | None = None,
) -> Reading:
    """Read a tournament from its file and from flags, which win over it.

    Parameters
    ----------
    path
        The file; None: the flags alone, and defaults: the built-in bots meet in a round robin.
    flags
        Values by the keys of the file. `options` and `tile_counts` are added to the file's.
    base
        Stands in for a file where there is none.

    Raises
    ------
    CarcassonneError
        Naming the file and the key, or the flag, and what would be right.
    """
    data: dict[str, Any] = dict(base or {})
    if path is not None:
        data = parse_toml(read_text(path, ArenaError), str(path), ArenaError)
    for key, value in flags.items():
        old = data.get(key)
        if key in _ADDED and isinstance(old, dict) and isinstance(value, dict):
            data[key] = {**old, **value}
        else:
            data[key] = value
    return _Reader("" if path is None else str(path), frozenset(flags)).read(data)


def box_of(tournament: Tournament) -> TileBox:
    """The tiles of a tournament.

    Raises
    ------
    CarcassonneError
        A tile set can't be read.
    """
    return TileBox.load(tournament.tile_sets, counts=tournament.tile_counts)


def make_entrant(entrant: Entrant, seed: int, roster: Roster) -> Bot:
    """Make the bot of an entrant.

    Raises
    ------
    BotError
        The code or a setting is wrong.
    """
    return roster.make(entrant.code, seed=seed, settings=entrant.settings)


class _Reader:
    """Checks the data of one file, and says where what is wrong stands."""

    def __init__(self, path: str, flags: frozenset[str]) -> None:
        self._path = path
        self._flags = flags
        self._notes: list[str] = []
        self._roster = Roster()

    def _where(self, key: str) -> str:
        first = re.split("[.:]", key)[0]
        if first in self._flags or not self._path:
            return _FLAGS.get(first, f"--{first.replace('_', '-')}")
        return f"{self._path}: {key}"

    def _error(self, key: str, text: object) -> ArenaError:
        return ArenaError(f"{self._where(key)}: {text}")

    def read(self, data: dict[str, Any]) -> Reading:
        """The whole tournament."""
        self._check_keys(data)
        form = self._convert(data)
        self._roster = self._load_roster(form)
        bots = self._bots(form)
        rules = self._rules(form)
        box = self._box(form, rules)
        self._check_format(form, bots)
        if form.time is not None:
            self._notes += clock_notes(form.time, bots, self._roster)
        tournament = Tournament(
            title=form.title or self._title(form),
            bots=bots,
            format=form.format,
            players=form.players,
            games=self._whole_units(form),
            rounds=self._rounds(form, len(bots)),
            seed=form.seed,
            rules=rules,
            tile_sets=tuple(form.tile_sets),
            tile_counts=dict(box.changed),
            time=form.time,
            sprt=form.sprt,
            on_error=form.on_error,
            records=form.records,
            bot_files=self._roster.files,
        )
        return Reading(tournament, tuple(self._notes), data)

    def _title(self, form: _Form) -> str:
        return f"{form.format}, tables of {form.players}" if form.players > 2 else form.format

    # ------------------------------------------------------------------ keys and types

    def _check_keys(self, data: dict[str, Any]) -> None:
        self._check_known(data, _Form.__struct_fields__, "")
        for key, known in _TABLES.items():
            if isinstance(data.get(key), dict):
                self._check_known(data[key], known, f"{key}.")

    def _check_known(self, data: Collection[str], known: Sequence[str], prefix: str) -> None:
        for key in data:
            if key not in known:
                close = difflib.get_close_matches(key.lower(), known, 1)
                hint = f"; did you mean {close[0]}?" if close else f"; keys are {', '.join(known)}"
                raise self._error(f"{prefix}{key}", f"there is no such key{hint}")

    def _convert(self, data: dict[str, Any]) -> _Form:
        try:
            return convert(data, _Form)
        except msgspec.ValidationError as error:
            text, _, path = str(error).partition(" - at `$")
            key = path.rstrip("`").lstrip(".")
            if not key:  # raised by a struct itself: it names its own key
                key, _, text = text.partition(": ")
            if key in _CHOICES:
                text = f"{data[key]!r} is not one of {', '.join(_CHOICES[key])}"
            raise self._error(key, text.removeprefix(f"{key}: ").replace(" | null", "")) from None

    # ------------------------------------------------------------------ what the keys mean

    def _load_roster(self, form: _Form) -> Roster:
        """The bots there are; files named in the file are looked for beside it."""
        key = "bot_files"
        beside = Path() if key in self._flags or not self._path else Path(self._path).parent
        try:
            return Roster([(beside / name).absolute() for name in form.bot_files])
        except CarcassonneError as error:
            raise self._error(key, error) from None

    def _bots(self, form: _Form) -> tuple[Entrant, ...]:
        given = list(_DEFAULT_BOTS) if form.bots is None else form.bots
        if not given:
            raise self._error("bots", "there is none; without the key the built-in bots meet")
        entrants: list[Entrant] = []
        for number, bot in enumerate(given, 1):
            key = f"bots: {number}"
            data: dict[str, _Setting] = {"code": bot} if isinstance(bot, str) else bot
            entrants.append(self._entrant(data, key, [entrant.name for entrant in entrants]))
        return tuple(entrants)

    def _entrant(self, data: dict[str, _Setting], key: str, taken: list[str]) -> Entrant:
        code, name = data.get("code"), data.get("name")
        if not isinstance(code, str) or not isinstance(name, str | None):
            raise self._error(
                key, 'a bot is a code, or a table as in { code = "greedy", name = "a" }'
            )
        try:
            kind, _ = self._roster.read(code)
        except CarcassonneError as error:
            raise self._error(key, error) from None
        parameters = [parameter.name for parameter in kind.parameters]
        self._check_known(data, ("code", "name", *parameters), f"{key}: ")
        others = {k: value for k, value in data.items() if k not in ("code", "name")}
        if name in taken:
            raise self._error(key, f"the name {name} is taken; give each bot its own")
        entrant = Entrant(name or _free_name(code, taken), code, others)
        try:
            check_players([entrant.name])
            bot = make_entrant(entrant, 0, self._roster)
        except CarcassonneError as error:
            raise self._error(key, error) from None
        close = getattr(bot, "close", None)
        if close is not None:
            close()
        return entrant

    def _rules(self, form: _Form) -> Rules:
        try:
            return Rules.preset(form.preset, **form.options)
        except CarcassonneError as error:
            key = "preset" if str(error).startswith("preset") else "options"
            raise self._error(key, error) from None

    def _box(self, form: _Form, rules: Rules) -> TileBox:
        key = "tile_sets"
        try:
            box = TileBox.load(form.tile_sets)
            _require_playable(box, rules, form.players)
            key = "tile_counts"
            box = TileBox.load(form.tile_sets, counts=form.tile_counts)
            _require_playable(box, rules, form.players)
        except CarcassonneError as error:
            raise self._error(key, str(error).removeprefix(f"{key}: ")) from None
        return box

    def _check_format(self, form: _Form, bots: tuple[Entrant, ...]) -> None:
        if len(bots) < form.players:
            seats = "2 are needed" if form.players == 2 else f"tables have {form.players} seats"
            raise self._error("bots", f"there are {len(bots)}; {seats}")
        if form.format in ("swiss", "knockout") and form.players != 2:
            raise self._error(
                "players", f"a {form.format} tournament is for 2 players, not {form.players}; "
                "tables of more are round-robin or gauntlet"
            )  # fmt: skip
        if form.sprt is not None and (len(bots) != 2 or form.players != 2):
            raise self._error("sprt", f"the test is between 2 bots; there are {len(bots)}")

    def _whole_units(self, form: _Form) -> int:
        whole = math.ceil(form.games / form.players) * form.players
        if whole != form.games:
            what = "pairs" if form.players == 2 else f"rotations of {form.players} seats"
            self._notes.append(f"games: {form.games} is rounded up to {whole}: whole {what}")
        return whole

    def _rounds(self, form: _Form, bots: int) -> int:
        if form.format != "swiss":
            if form.rounds is not None:
                raise self._error("rounds", f"a {form.format} tournament has no number of rounds")
            return 0
        most = bots - 1 + bots % 2
        rounds = form.rounds or math.ceil(math.log2(bots))
        if rounds > most:
            raise self._error("rounds", f"{bots} bots can meet anew in {most} rounds, not {rounds}")
        return rounds


def _require_playable(box: TileBox, rules: Rules, players: int) -> None:
    """Refuse tiles that no game can be begun with."""
    require_rules(box)
    with contextlib.suppress(CapacityError):  # the model has room for it
        CoreGame.unbegun(players, rules, box, box.stack())


def _free_name(code: str, taken: list[str]) -> str:
    """A player name made from a code, numbered where another bot has it already."""
    word = re.sub(r"[^\w.:=+-]+", "_", code)[: _LONGEST_NAME - 4] or "bot"
    name, number = word, 2
    while name in taken:
        name, number = f"{word}-{number}", number + 1
    return name
