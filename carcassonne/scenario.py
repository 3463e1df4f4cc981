"""Scenario files: rules checking as data, given / when / then.

Owns the form of the files and how steps are played. What is expected is compared in
`carcassonne.expectations`. A file that can't be read raises `ScenarioError`; an expectation that
does not hold becomes a `Failure`.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec

from carcassonne.errors import CarcassonneError, InvalidMove, ScenarioError, TileError, Violation
from carcassonne.expectations import Expect, Mismatch, compare, describe
from carcassonne.files import convert, parse_toml, read_text
from carcassonne.moves import Move, Pass, Place, parse_address, parse_move
from carcassonne.position import build_position
from carcassonne.record import game_from_record, record_of
from carcassonne.rule_register import UnknownRule, rule
from carcassonne.rules import DEFAULT_PRESET, Rules
from carcassonne.tiles import DEFAULT_SETS, TileBox

if TYPE_CHECKING:
    from collections.abc import Iterable

    from carcassonne.model.game import Game

__all__ = ["Failure", "Scenario", "ScenarioResult", "find_scenarios", "run_file", "run_text"]

OPTIONAL: Final = ("bridge", "meeple", "castle")
"""Decisions that are passed when a later one is answered."""


class Step(msgspec.Struct, forbid_unknown_fields=True):
    """One `[[steps]]` table."""

    play: str | list[str] | None = None
    undo: Annotated[int, msgspec.Meta(ge=1)] | None = None
    reload: bool = False
    settle: bool = False
    stop: bool = False
    refuse: str | list[str] | None = None
    rule: str | None = None
    allow: str | list[str] | None = None
    offers: list[str] | None = None
    expect: Expect | None = None


class Scenario(msgspec.Struct, forbid_unknown_fields=True):
    """A whole file."""

    title: str
    rules: list[str] = []
    source: str = ""
    players: list[str] = msgspec.field(default_factory=lambda: ["A", "B"])
    preset: str = DEFAULT_PRESET
    tile_sets: list[str] = msgspec.field(default_factory=lambda: list(DEFAULT_SETS))
    tile_counts: dict[str, int] = {}
    options: dict[str, Any] = {}
    given: dict[str, Any] = {}
    steps: list[Step] = []


@dataclass(frozen=True)
class Failure:
    """One thing that was not as expected.

    Attributes
    ----------
    step : int
        Counted from 1.
    key : str
        What was looked at, for example `expect.scores`.
    rules : tuple of str
        The rules involved.
    """

    step: int
    key: str
    expected: str
    found: str
    rules: tuple[str, ...] = ()

    def __str__(self) -> str:
        rules = f" ({', '.join(self.rules)})" if self.rules else ""
        return f"step {self.step}, {self.key}: expected {self.expected}; found {self.found}{rules}"


@dataclass(frozen=True)
class ScenarioResult:
    """How a scenario went. `game` is the table after its last step."""

    name: str
    title: str
    rules: tuple[str, ...]
    failures: tuple[Failure, ...]
    game: Game | None = field(default=None, repr=False, compare=False)

    @property
    def passed(self) -> bool:
        """Whether every step was as expected."""
        return not self.failures


# ------------------------------------------------------------------------------ reading


def find_scenarios(paths: Iterable[str | Path]) -> list[Path]:
    """The scenario files that files and folders name, sorted within each folder.

    Raises
    ------
    ScenarioError
        A path does not exist, or a folder holds no scenario.
    """
    found: list[Path] = []
    for path in map(Path, paths):
        if path.is_dir():
            inside = sorted(p for p in path.rglob("*.toml") if p.is_file() and _is_case(p))
            if not inside:
                raise ScenarioError(f"{path}: holds no scenario files (*.toml)")
            found += inside
        elif path.exists():
            found.append(path)
        else:
            raise ScenarioError(f"{path}: there is no such file or folder")
    return found


def _is_case(path: Path) -> bool:
    """Whether a file of a folder is no tile set, which may lie beside the cases that use it."""
    head = path.read_bytes()[:65536]
    return not re.search(rb"^format *= *[\"']carcassonne-tiles/", head, re.MULTILINE)


def run_file(path: str | Path) -> ScenarioResult:
    """Run a scenario file.

    Raises
    ------
    ScenarioError
        The file can't be read or is no scenario; file and key are named.
    """
    where = Path(path)
    text = read_text(where, ScenarioError)
    return run_text(text, str(where), folder=where.parent)


def run_text(text: str, name: str = "scenario", *, folder: Path | None = None) -> ScenarioResult:
    """Run a scenario that is given as TOML text; relative tile set paths start at `folder`.

    Raises
    ------
    ScenarioError
        The text is no scenario; `name` and the key are named.
    """
    scenario = read_scenario(text, name)
    try:
        game = begin(scenario, folder=folder)
    except CarcassonneError as error:
        raise ScenarioError(f"{name}: {error}") from None
    _check_tiles(scenario, game.box, name)
    runner = _Runner(scenario, game, name)
    for number, step in enumerate(scenario.steps, 1):
        if not runner.run(number, step):
            break
    return ScenarioResult(
        name, scenario.title, tuple(scenario.rules), tuple(runner.failures), runner.game
    )


def read_scenario(text: str, name: str = "scenario") -> Scenario:
    """Read and check the form of a scenario.

    Raises
    ------
    ScenarioError
        Naming the key and what would be right.
    """
    data = parse_toml(text, name, ScenarioError)
    if "tile" in data or str(data.get("format", "")).startswith("carcassonne-tiles"):
        raise ScenarioError(
            f"{name}: is a tile set, no scenario; 'carcassonne tiles' lists what it holds"
        )
    unknown = next((key for key in data if key not in Scenario.__struct_fields__), None)
    if unknown is not None and not {"given", "steps"} & set(data):
        raise ScenarioError(
            f"{name}: is no saved game and no scenario: unknown field {unknown!r}; a scenario "
            f"has {', '.join(Scenario.__struct_fields__)}"
        )
    try:
        scenario = convert(data, Scenario)
    except msgspec.ValidationError as error:
        text, _, path = str(error).partition(" - at `$")
        key = path.rstrip("`").lstrip(".") or "the file"
        raise ScenarioError(f"{name}: {_count_from_one(key)}: {text}") from None
    _check_words(scenario, name)
    return scenario


def _count_from_one(key: str) -> str:
    """Steps are counted from 1 everywhere that a person sees them."""
    head, bracket, tail = key.partition("[")
    number, closing, rest = tail.partition("]")
    if head == "steps" and bracket and number.isdigit():
        return f"steps[{int(number) + 1}{closing}{rest}"
    return key


def _check_words(scenario: Scenario, name: str) -> None:
    """Check rule ids, moves and player names before anything is played."""
    if not scenario.title.strip():
        raise ScenarioError(f"{name}: title: say in a sentence what the case shows")
    for rule_id in scenario.rules:
        _check_rule(rule_id, f"{name}: rules")
    for number, step in enumerate(scenario.steps, 1):
        where = f"{name}: steps[{number}]"
        if step.rule is not None:
            if step.refuse is None:
                raise ScenarioError(f"{where}.rule: goes with `refuse`")
            _check_rule(step.rule, f"{where}.rule")
        if sum((step.play is not None, step.undo is not None, step.reload)) > 1:
            raise ScenarioError(f"{where}: use one of play, undo and reload in a step")
        if step == Step():
            raise ScenarioError(f"{where}: the step says nothing")
        for key in ("play", "refuse", "allow", "offers"):
            for text in _texts(getattr(step, key)):
                _move(text, f"{where}.{key}")
        if step.expect is not None:
            _check_expect(scenario, step.expect, where)


def _check_expect(scenario: Scenario, expect: Expect, where: str) -> None:
    """Check the players, rules and segments that a step expects something of."""
    _check_names(scenario, expect, where)
    for event in expect.events or []:
        if event.rule is not None:
            _check_rule(event.rule, f"{where}.expect.events")
    for key, at in expect.addresses():
        _check_address(at, f"{where}.expect.{key}")


def _check_rule(rule_id: str, where: str) -> None:
    try:
        rule(rule_id)
    except UnknownRule as error:
        raise ScenarioError(f"{where}: {error}") from None


def _check_names(scenario: Scenario, expect: Expect, where: str) -> None:
    for key, name in expect.player_names():
        if name not in scenario.players:
            players = ", ".join(scenario.players)
            raise ScenarioError(
                f"{where}.expect.{key}: {name!r} is no player; the players are {players}"
            )


def _check_tiles(scenario: Scenario, box: TileBox, name: str) -> None:
    """Check that every tile that a step names is in the sets."""
    for number, step in enumerate(scenario.steps, 1):
        where = f"{name}: steps[{number}]"
        named = [
            (key, move.tile)
            for key in ("play", "refuse", "allow", "offers")
            for move in map(parse_move, _texts(getattr(step, key)))
            if isinstance(move, Place)
        ]
        if step.expect is not None:
            named += [(f"expect.{key}", tile) for key, tile in step.expect.tile_names()]
        for key, tile in named:
            try:
                box.tile(tile)
            except TileError as error:
                raise ScenarioError(f"{where}.{key}: {error}") from None


def _check_address(text: str, where: str) -> None:
    try:
        parse_address(text)
    except InvalidMove as error:
        raise ScenarioError(f"{where}: {error}") from None


def _texts(value: str | list[str] | None) -> list[str]:
    if value is None:
        return []
    return [value] if isinstance(value, str) else value


def _move(text: str, where: str) -> Move:
    try:
        return parse_move(text)
    except InvalidMove as error:
        raise ScenarioError(f"{where}: {error}") from None


def begin(scenario: Scenario, *, folder: Path | None = None) -> Game:
    """The game of a scenario before its first step."""
    rules = Rules.preset(scenario.preset, **scenario.options)
    box = TileBox.load(
        [_located(name, folder) for name in scenario.tile_sets], counts=scenario.tile_counts
    )
    return build_position(scenario.players, scenario.given, rules=rules, box=box)


def _located(name: str, folder: Path | None) -> str:
    """A tile set's path as seen from the scenario's folder, where there is such a file."""
    path, star, copies = name.partition("*")
    if folder is not None and path.endswith(".toml") and (folder / path).exists():
        return f"{folder / path}{star}{copies}"
    return name


# ------------------------------------------------------------------------------ running


class _Runner:
    """Plays the steps of one scenario and collects what is not as expected."""

    def __init__(self, scenario: Scenario, game: Game, name: str) -> None:
        self.scenario = scenario
        self.game = game
        self.name = name
        self.failures: list[Failure] = []
        self.number = 0
        self.events_from = 0

    def fail(self, key: str, expected: str, found: str, rules: Iterable[str] = ()) -> None:
        every = tuple(dict.fromkeys([*rules, *self.scenario.rules]))
        self.failures.append(Failure(self.number, key, expected, found, every))

    def run(self, number: int, step: Step) -> bool:
        """Run a step; False if the rest can't be played any more."""
        self.number = number
        if not self._change(step):
            return False
        for text in _texts(step.refuse):
            self._refuse(text, step.rule)
        for text in _texts(step.allow):
            found = _reach(self.game.copy(), parse_move(text))
            if found:
                self.fail(f"allow '{text}'", "a legal move", _said(found), _ids(found))
        if step.offers is not None:
            self._offers(step.offers)
        if step.expect is not None:
            for mismatch in compare(self.game, step.expect, self.game.events[self.events_from :]):
                self._mismatch(mismatch)
        return True

    def _mismatch(self, mismatch: Mismatch) -> None:
        self.fail(f"expect.{mismatch.key}", mismatch.expected, mismatch.found)

    def _change(self, step: Step) -> bool:
        if step.play is not None:
            self.events_from = len(self.game.events)
        for text in _texts(step.play):
            move = parse_move(text)
            found = _reach(self.game, move)
            if found:
                self.fail(f"play '{text}'", "a legal move", _said(found), _ids(found))
                return False
            self.game.play(move)
        if step.undo is not None:
            try:
                self.game.undo(step.undo)
            except CarcassonneError as error:
                self.fail("undo", f"{step.undo} moves taken back", str(error))
                return False
            self.events_from = min(self.events_from, len(self.game.events))
        if step.reload:
            self._reload()
        if step.settle:
            while self.game.decision is not None and self.game.decision.kind in OPTIONAL:
                self.game.play("pass")
        if step.stop:
            try:
                self.game.stop()
            except CarcassonneError as error:
                self.fail("stop", "the end of the game", str(error))
                return False
        return True

    def _reload(self) -> None:
        """Save the game and load it again, through the text of a record."""
        data = json.loads(json.dumps(record_of(self.game)))
        before = self.game.fingerprint()
        self.game = game_from_record(data, f"{self.name}: reload")
        if self.game.fingerprint() != before:
            self.fail("reload", "the same state after saving and loading", "another state")

    def _refuse(self, text: str, rule_id: str | None) -> None:
        copy = self.game.copy()
        found = _reach(copy, parse_move(text))
        if not found:
            self.fail(f"refuse '{text}'", "an illegal move", "it is legal", [rule_id or ""])
        elif rule_id is not None and rule_id not in _ids(found):
            self.fail(f"refuse '{text}'", f"a breach of {rule_id}", _said(found), _ids(found))

    def _offers(self, texts: list[str]) -> None:
        game = self.game
        expected = sorted(str(game.canonical(text)) for text in texts)
        found = sorted(map(str, game.legal_moves()))
        if expected != found:
            missing = [text for text in expected if text not in found]
            extra = [text for text in found if text not in expected]
            parts = []
            if missing:
                parts.append(f"not offered: {', '.join(missing)}")
            if extra:
                parts.append(f"offered too: {', '.join(extra)}")
            decision = game.decision
            what = f"at {decision.player}'s '{decision.kind}' decision " if decision else ""
            self.fail("offers", describe(texts), what + ("; ".join(parts) or "doubled moves"))


def _reach(game: Game, move: Move) -> list[Violation]:
    """Pass optional decisions until a move is legal; if it never is, why, and nothing changed.

    Bids, deals and collects are never passed; a `pass` answers the decision that is open.
    """
    passed = 0
    seen: list[Violation] = []
    while True:
        found = game.why_not(move)
        if not found:
            return []
        decision = game.decision
        if decision is not None and decision.kind == move.kind:
            seen = found if not seen or passed == 0 else seen
            if decision.kind != "castle":
                seen = found
                break
        seen = seen or found
        if decision is None or decision.kind not in OPTIONAL or isinstance(move, Pass):
            seen += [violation for violation in found if violation not in seen]
            break
        game.play("pass")
        passed += 1
    if passed:
        game.undo(passed)
    return seen


def _ids(found: list[Violation]) -> list[str]:
    return [violation.rule for violation in found]


def _said(found: list[Violation]) -> str:
    return "; ".join(map(str, found))
