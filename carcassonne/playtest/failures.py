"""A failing game as it is kept: the record that still fails, what it shows, and a scenario.

Everything is plain data and text, so that it can come from another process and go into files.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from carcassonne.files import write_text
from carcassonne.playtest.broken import CRASH, INVARIANTS
from carcassonne.position_writer import save_position
from carcassonne.record import game_from_text, record_text
from carcassonne.rule_register import is_rule, rule

if TYPE_CHECKING:
    from collections.abc import Sequence

    from carcassonne.moves import Move
    from carcassonne.playtest.replay import Fault
    from carcassonne.playtest.setups import Setup
    from carcassonne.playtest.shrink import Case

__all__ = ["Failure"]


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """A game in which an invariant broke.

    Attributes
    ----------
    seed : int
        The seed of the game that failed.
    invariant, message, rule : str
        What broke; see `carcassonne.playtest.broken.INVARIANTS`.
    moves : int
        How many moves had been made in the shrunk game when it broke.
    found : int
        The same in the game that was played.
    refused : str
        The move that fails; empty if the fault is in the state after the last move.
    record : str
        The shrunk game as the text of a record; without the move that fails.
    loads : str
        Empty if the record loads; else why it doesn't.
    scenario : dict
        The moment as scenario files, by name; empty if it has no such form.
    trace : str
        Of a crash: the traceback.
    setting : str
        What kind of game it was.
    repeats : bool
        Whether the game failed again when its moves were played once more.
    """

    seed: int
    invariant: str
    message: str
    rule: str
    moves: int
    found: int
    refused: str
    record: str
    loads: str
    scenario: dict[str, str]
    trace: str
    setting: str
    repeats: bool

    @classmethod
    def of(
        cls,
        seed: int,
        seats: Sequence[str],
        setup: Setup,
        moves: Sequence[Move],
        fault: Fault,
        case: Case | None,
    ) -> Failure:
        """Describe a failure from the game that was played and the shrunk one, if there is one."""
        small = setup if case is None else case.setup
        played = [*(moves if case is None else case.moves)]
        refused = ""
        if played and (case is None or not case.entered):
            refused = str(played.pop())
        told = fault if case is None else case.fault
        record = _record(small, [str(move) for move in played])
        return cls(
            seed=seed,
            invariant=told.invariant,
            message=told.message,
            rule=told.rule,
            moves=len(played),
            found=len(moves),
            refused=refused,
            record=record,
            loads=_why_not_loaded(record),
            scenario=_scenario(small, played, f"fuzz-{seed}", f"{told.invariant}: fuzz {seed}"),
            trace=told.trace,
            setting=_setting(setup, seats),
            repeats=case is not None,
        )

    @property
    def stem(self) -> str:
        """How its files are named."""
        return f"fuzz-{self.seed}"

    def to_data(self) -> dict[str, Any]:
        """What broke where, as plain data, without the files' texts."""
        names = ("seed", "invariant", "rule", "message", "moves", "found", "refused", "repeats")
        return {name: getattr(self, name) for name in names}

    def save(self, folder: Path) -> list[Path]:
        """Write the record, the text beside it and the scenario.

        Raises
        ------
        CarcassonneError
            A file can't be written.
        """
        texts = {f"{self.stem}.json": self.record, **self.scenario}
        texts[f"{self.stem}.txt"] = self.text(folder)
        for name, text in texts.items():
            write_text(folder / name, text)
        return [folder / name for name in texts]

    def text(self, folder: Path) -> str:
        """What failed, by which rule, and how to see it again."""
        what = INVARIANTS[self.invariant]
        lines = [f"{self.invariant}: {what.about}", f"What is wrong: {self.message}"]
        if is_rule(self.rule):
            lines.append(f"Rule: {self.rule}: {rule(self.rule).text}")
        lines += [
            f"When: {self._when()}",
            (
                f"Found in: {self.setting}; after {_moves(self.found)}, made short to "
                f"{_moves(self.moves)}."
            ),
        ]
        if not self.repeats:
            lines.append(
                "It did not fail when its moves were played once more, so it was not made short: "
                "it depends on what was tried in between."
            )
        record = folder / f"{self.stem}.json"
        lines += [
            "",
            "See it again:",
            f"  carcassonne playtest --fuzz --record {record}",
            f"  carcassonne playtest --fuzz --games 1 --seed {self.seed}",
            "  (once that is mended, the game may lead to another result than the record states)",
        ]
        if self.loads:
            lines += ["", f"Note: {record.name} does not load: {self.loads}"]
        elif self.repeats:
            lines.append(f"  carcassonne replay {record}")
        if self.scenario:
            lines.append(f"  carcassonne check {folder / self.stem}.toml  (the moment it fails)")
        if self.trace:
            lines += ["", self.trace.rstrip()]
        return "\n".join(lines) + "\n"

    def _when(self) -> str:
        if self.refused:
            return f"the move after {_moves(self.moves)} fails: '{self.refused}'."
        return f"after {_moves(self.moves)}." if self.moves else "at the start."

    def summary(self) -> str:
        """One line."""
        about = f" ({self.rule})" if self.rule else ""
        kind = "crash" if self.invariant == CRASH else self.invariant
        return f"seed {self.seed}: {kind}{about}, {_moves(self.moves)}: {self.message}"


def _moves(number: int) -> str:
    return f"{number} move" if number == 1 else f"{number} moves"


def _setting(setup: Setup, seats: Sequence[str]) -> str:
    who = ", ".join(f"{name} {code}" for name, code in zip(setup.players, seats, strict=False))
    sets = ", ".join(setup.box.names())
    return f"a game of kind '{setup.kind}' ({sets}; {who})"


def _record(setup: Setup, moves: list[str]) -> str:
    """The record as the program saves it; if it can't, by hand."""
    try:
        game = setup.begin()
        for move in moves:
            game.play(move)
        return record_text(game)
    except Exception:  # noqa: BLE001 - an engine with a fault
        data = msgspec.json.encode(setup.record(moves))
        return msgspec.json.format(data, indent=1).decode() + "\n"


def _why_not_loaded(record: str) -> str:
    try:
        game_from_text(record)
    except Exception as error:  # noqa: BLE001 - an engine with a fault
        return f"{type(error).__name__}: {error}"
    return ""


def _scenario(setup: Setup, moves: Sequence[Move], stem: str, title: str) -> dict[str, str]:
    """The moment as a scenario, if it has such a form."""
    try:
        game = setup.begin()
        for move in moves:
            game.play(move)
        with tempfile.TemporaryDirectory() as folder:
            files = save_position(game, Path(folder) / f"{stem}.toml", title=title)
            return {file.name: file.read_text(encoding="utf-8") for file in files}
    except Exception:  # noqa: BLE001 - an engine with a fault, or a moment without such a form
        return {}
