"""Reading a design: its TOML file and the flags that override it.

Owns the form of the file and every check of it; an error names file or flag, and key, and says
what would be right. All keys:

    title = "Auction or draft?"
    games = 400                      # stack orders; every arm plays each one
    seed = 1
    until = "±0.5 points of margin"  # stop early when it is that precise
    players = 2
    bots = ["greedy", "random"]      # a code for each seat, or one for all
    tile_sets = ["base", "bridges_castles_bazaars", "my_tiles.toml"]
    preset = "first_edition"
    tile_counts = { "BA/L" = 0 }
    measures = ["my_measures.py"]
    bot_files = ["my_bots.py"]
    [options]
    tiny_city_points = 4
    [factors]                        # every combination is an arm
    bazaar_mode = ["auction", "draft"]
    players = [2, { label = "a crowd", value = 5 }]
    "tile_counts.BA/L" = [3, 0]

or, instead of `[factors]`, a list of arms with a name and any of the keys from `players` to
`[options]`, without `measures` and `bot_files`:

    [[arms]]
    name = "no castles"
    options = { castles_per_player = 0 }
"""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from carcassonne.bots.parameters import hint
from carcassonne.bots.roster import Roster
from carcassonne.files import parse_toml, read_text
from carcassonne.playtest.design import MOST_ARMS, Arm, Design, DesignError, Factor, Level
from carcassonne.playtest.design_values import (
    MOST_NAME,
    Named,
    Setting,
    Settings,
    check_keys,
    flat_key,
    flat_keys,
    labelled,
    option_of,
    placed,
    seats_of,
    text_of,
    texts_of,
    under,
    whole_of,
)
from carcassonne.playtest.phrases import label_of, phrase_of
from carcassonne.playtest.target import parse_until
from carcassonne.rules import DEFAULT_PRESET, PRESETS, Rules, parse_options
from carcassonne.seats import require_rules
from carcassonne.tiles import DEFAULT_SETS, TileBox

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["load_design", "parse_factor"]

DEFAULT_GAMES: Final = 200
_MOST_GAMES: Final = 100_000_000
_MOST_SEED: Final = 2**63 - 1
_MOST_TITLE: Final = 200

_SETUP_KEYS: Final = ("players", "bots", "tile_sets", "tile_counts", "preset", "options")
_KEYS: Final = (
    "title", "games", "seed", "until", "measures", "bot_files", "factors", "arms", *_SETUP_KEYS,
)  # fmt: skip
_ONCE: Final = ("take one away", "label one of them otherwise")
_FLAGS: Final = {
    "options": "--option",
    "tile_counts": "--tile-count",
    "factors": "--factor",
    "measures": "--measure",
    "bot_files": "--bots",
    "bots": "--bots",
}


def load_design(
    path: str | Path | None = None, *, flags: Mapping[str, object] | None = None
) -> Design:
    """Read a design from a file, from flags, or from a file that flags override.

    Parameters
    ----------
    path
        A TOML file; None: the flags say all.
    flags
        Values by the keys of the file (and in their form); those that are None are left out.
        `options`, `tile_counts` and `factors` are added to the file's, key by key. Paths among
        them are relative to where the program runs, those of the file to the file.

    Raises
    ------
    DesignError
        Naming file or flag, and key, and what would be right.
    """
    data: dict[str, Any] = {}
    if path is not None:
        data = parse_toml(read_text(path, DesignError), str(path), DesignError)
    given = {key: value for key, value in (flags or {}).items() if value is not None}
    return _Reader(_Source(data, given, path)).design()


def parse_factor(text: str) -> tuple[str, list[object]]:
    """Read a flag `NAME=LEVEL,LEVEL`; a level with several bots or tile sets joins them by `+`.

    Raises
    ------
    DesignError
        The text has another form.
    """
    name, equals, levels = text.partition("=")
    name = name.strip()
    if name.startswith("tile_counts.") or "/" in name:
        name, equals, levels = text.rpartition("=")
        name = name.strip()
    if not equals or not name or not all(level.strip() for level in levels.split(",")):
        raise DesignError(
            f"--factor {text!r} must be written NAME=LEVEL,LEVEL, as in bazaar_mode=auction,draft"
        )
    words = [level.strip() for level in levels.split(",")]
    if name in ("bots", "tile_sets"):
        return name, [word.split("+") for word in words]
    return name, [parse_options([f"x={word}"])["x"] for word in words]


class _Source:
    """The file and the flags, and how each key of them is called in messages."""

    def __init__(
        self, data: dict[str, Any], flags: dict[str, Any], path: str | Path | None
    ) -> None:
        self.path = path
        self.folder = Path(path).parent if path is not None else Path()
        check_keys(data, _KEYS, "" if path is None else f"{path}: ")
        check_keys(flags, _KEYS, "--")
        self.data = data
        self.flags = flags

    def where(self, key: str, *, flag: bool) -> str:
        head, _, rest = key.partition(".")
        if flag:
            name = _FLAGS.get(head, "--" + head.replace("_", "-"))
            return f"{name} {rest}" if rest else name
        return f"{self.path}: {key}"

    def both(self) -> tuple[tuple[dict[str, Any], bool], ...]:
        """The file and the flags, each with whether it is the latter."""
        return (self.data, False), (self.flags, True)

    def parts(self, key: str) -> Iterator[tuple[Any, bool]]:
        """The values of a key, the file's first, each with whether it is a flag's."""
        for values, flag in self.both():
            if key in values:
                yield values[key], flag

    def last(self, key: str, default: Any) -> Setting:
        """The value of a key that flags replace."""
        found = Setting(default, key)
        for value, flag in self.parts(key):
            found = Setting(value, self.where(key, flag=flag))
        return found


class _Reader:
    """Makes a design of a source."""

    def __init__(self, source: _Source) -> None:
        self.source = source
        self.bot_files = self._paths("bot_files")
        self.roster = Roster(self.bot_files)

    def design(self) -> Design:
        title = text_of(*self.source.last("title", "Playtest"), most=_MOST_TITLE)
        until = text_of(*self.source.last("until", ""), most=_MOST_TITLE, empty=True)
        if until:
            with Named(self.source.last("until", "").where):
                parse_until(until)
        factors = self._factors()
        arms = self._arms_of_factors(factors) if factors else self._listed_arms()
        return Design(
            title,
            whole_of(*self.source.last("games", DEFAULT_GAMES), least=1, most=_MOST_GAMES),
            whole_of(*self.source.last("seed", 0), least=0, most=_MOST_SEED),
            tuple(arms),
            tuple(Factor(name, tuple(level for level, _ in levels)) for name, levels in factors),
            until,
            self._paths("measures"),
            self.bot_files,
        )

    def _paths(self, key: str) -> tuple[str, ...]:
        paths = []
        for value, flag in self.source.parts(key):
            where = self.source.where(key, flag=flag)
            for text in texts_of(value, where, "a list of paths of Python files"):
                path = Path(text) if flag else self.source.folder / text
                if not path.is_file():
                    raise DesignError(f"{where}: there is no file {path}")
                paths.append(str(path))
        return tuple(dict.fromkeys(paths))

    # -------------------------------------------------------------------------- settings

    def _base(self) -> Settings:
        settings: Settings = {}
        for values, flag in self.source.both():
            for key in _SETUP_KEYS:
                if key in values:
                    where = self.source.where(key, flag=flag)
                    settings.update(self._settings(key, values[key], where, flag=flag))
        return settings

    def _settings(self, key: str, value: Any, where: str, *, flag: bool) -> Settings:
        """The checked settings that one key of a file or an arm stands for."""
        if key not in ("options", "tile_counts"):
            return {key: Setting(self._checked(key, value, where, flag=flag), where)}
        if not isinstance(value, dict):
            raise DesignError(f"{where}: must be a table of names and values")
        join = " " if flag else "."
        return {
            f"{key}.{name}": Setting(
                self._checked(f"{key}.{name}", item, f"{where}{join}{name}", flag=flag),
                f"{where}{join}{name}",
            )
            for name, item in value.items()
        }

    def _checked(self, key: str, value: Any, where: str, *, flag: bool) -> Any:
        """A value of a flat key, checked as far as it can be by itself."""
        head, _, name = key.partition(".")
        if head == "options":
            return option_of(name, value, where)
        if head == "tile_counts":
            return whole_of(value, where, least=0, most=999)
        if head == "players":
            return whole_of(value, where, least=2, most=6)
        if head == "preset":
            if not isinstance(value, str) or value not in PRESETS:
                raise DesignError(f"{where}: {value!r} must be {' or '.join(PRESETS)}")
            return value
        if head == "bots":
            codes = texts_of(value, where, "a list of codes of bots, one a seat or one for all")
            for code in codes:
                with Named(where):
                    self.roster.read(code)
            return codes
        names = texts_of(value, where, "a list of names or paths of tile sets")
        folder = Path() if flag else self.source.folder
        return tuple(placed(name, folder) for name in names)

    # -------------------------------------------------------------------------- factors

    def _factors(self) -> list[tuple[str, list[tuple[Level, Settings]]]]:
        """Each factor: its name, and its levels with the settings that they change."""
        found: dict[str, list[tuple[Level, Settings]]] = {}
        for table, flag in self.source.parts("factors"):
            where = self.source.where("factors", flag=flag)
            if not isinstance(table, dict):
                raise DesignError(f"{where}: must be a table of names and lists of levels")
            for name, levels in table.items():
                at = self.source.where(f"factors.{name}", flag=flag)
                found[name] = self._levels(name, levels, at, flag=flag)
        if not found:
            return []
        if "arms" in self.source.data:
            raise DesignError(
                f"{self.source.where('arms', flag=False)}: an experiment has either factors or "
                "arms: take one of them away"
            )
        self._refuse_ignored()
        arms = math.prod(len(levels) for levels in found.values())
        if arms > MOST_ARMS:
            where = self.source.last("factors", {}).where
            raise DesignError(
                f"{where}: all combinations are {arms} arms, more than {MOST_ARMS}: leave levels "
                "away or list the arms you want under [[arms]]"
            )
        return list(found.items())

    def _refuse_ignored(self) -> None:
        """Refuse what is fixed beside a factor that sets it; but flags win over the file."""
        for table, by_flag in self.source.parts("factors"):
            names = {flat_key(name): name for name in table}
            for values, flag in self.source.both():
                for key in flat_keys(values) if flag or not by_flag else ():
                    if key in names:
                        raise DesignError(
                            f"{self.source.where(key, flag=flag)}: the factor {names[key]} sets "
                            "it already; take one of them away"
                        )

    def _levels(
        self, name: str, levels: Any, where: str, *, flag: bool
    ) -> list[tuple[Level, Settings]]:
        if not isinstance(levels, list) or len(levels) < 2:
            raise DesignError(f"{where}: must be a list of two levels or more")
        key = flat_key(name)
        if key is None:
            known = [*Rules.__struct_fields__, "players", "bots", "tile_sets", "preset"]
            raise DesignError(
                f"{where}: is no factor{hint(name, known)}; a factor is an option of the rules, "
                'players, bots, tile_sets, preset or "tile_counts.ID"'
            )
        found: list[tuple[Level, Settings]] = []
        for number, level in enumerate(levels, 1):
            at = f"{where}, level {number}"
            label, value = labelled(level, at)
            setting = Setting(self._checked(key, value, at, flag=flag), at)
            value = None if setting.value is None else value
            words = Level(label, label) if label else Level(label_of(value), phrase_of(name, value))
            if any(words.label == other.label for other, _ in found):
                raise DesignError(f"{at}: {words.label!r} comes twice; {_ONCE[bool(label)]}")
            found.append((words, {key: setting}))
        return found

    def _arms_of_factors(
        self, factors: Sequence[tuple[str, list[tuple[Level, Settings]]]]
    ) -> Iterator[Arm]:
        base = self._base()
        for numbers in itertools.product(*(range(len(levels)) for _, levels in factors)):
            settings = dict(base)
            words = []
            for number, (name, levels) in zip(numbers, factors, strict=True):
                level, changes = levels[number]
                settings.update(changes)
                words.append(f"{name} {level.label}")
            yield self._arm(", ".join(words), settings, numbers)

    # -------------------------------------------------------------------------- arms

    def _listed_arms(self) -> Iterator[Arm]:
        base = self._base()
        tables = self.source.data.get("arms")
        where = self.source.where("arms", flag=False)
        if tables is None:
            yield self._arm("all games", base, ())
            return
        if not isinstance(tables, list) or not 1 <= len(tables) <= MOST_ARMS:
            raise DesignError(f"{where}: must be 1 to {MOST_ARMS} tables, each headed [[arms]]")
        names: list[str] = []
        for number, table in enumerate(tables, 1):
            at = f"{where}, entry {number}"
            if not isinstance(table, dict):
                raise DesignError(f"{at}: must be a table, headed [[arms]]")
            check_keys(table, ("name", *_SETUP_KEYS), f"{at}: ")
            if "name" not in table:
                raise DesignError(f'{at}: has no name: add name = "..."')
            name = text_of(table["name"], f"{at}, name", most=MOST_NAME)
            if name in names:
                raise DesignError(f"{at}, name: {name!r} is there already; give it another")
            names.append(name)
            yield self._arm(name, {**base, **self._own_settings(table, at)}, ())

    def _own_settings(self, table: dict[str, Any], where: str) -> Settings:
        found: Settings = {}
        ignored = set(flat_keys(table)) & set(flat_keys(self.source.flags))
        for key in sorted(ignored):
            raise DesignError(
                f"{self.source.where(key, flag=True)}: the arm {table['name']!r} sets it already; "
                "take one of them away"
            )
        for key, value in table.items():
            if key == "name":
                continue
            found.update(self._settings(key, value, f"{where}, {key}", flag=False))
        return found

    def _arm(self, name: str, settings: Settings, levels: tuple[int, ...]) -> Arm:
        """An arm of flat settings, checked as a whole."""

        def of(key: str, default: Any) -> Setting:
            return settings.get(key, Setting(default, key))

        options = under(settings, "options")
        rules = Rules.preset(
            of("preset", DEFAULT_PRESET).value, **{n: s.value for n, s in options.items()}
        )
        sets = of("tile_sets", DEFAULT_SETS)
        with Named(sets.where):
            box = TileBox.load(sets.value)
        counts: dict[str, int] = {}
        first: dict[str, Setting] = {}
        for tile, setting in under(settings, "tile_counts").items():
            with Named(setting.where):
                known = box.tile(tile).id
            other = first.setdefault(known, setting)
            if other is not setting:
                raise DesignError(
                    f"{setting.where}: is the tile {known}, as in {other.where}; take one away"
                )
            counts[known] = setting.value
        box = TileBox.of(box.sets, counts=counts)
        with Named(sets.where):
            require_rules(box)
        if not box.stack():
            raise DesignError(f"{sets.where}: the arm {name!r} has no tiles to draw")
        players, bots = seats_of(of("players", None), of("bots", ("greedy",)), name)
        return Arm(name, rules, tuple(sets.value), counts, players, bots, levels)
