"""The rules that are cited are there, and the rules that are there are shown by something."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from carcassonne.rule_register import register
from carcassonne.scenario import find_scenarios, read_scenario

ROOT = Path(__file__).parent.parent
SIZES = {"R-BASE": 30, "R-BRIDGE": 32, "R-CASTLE": 40, "R-BAZAAR": 33, "R-MEDINA": 26}
GROUPS = "BASE|BRIDGE|CASTLE|BAZAAR|MEDINA"
CITED = re.compile(rf"\bR-(?:{GROUPS})-\d+(?:(?:, | and | to |, and )\d+)*")
NEEDING = [entry.id for entry in register().values() if entry.needs]
OTHERS = ("test_rule_register.py", "test_rules_cited.py")
"""Tests of the register itself; they show no rule."""


def ids_in(text: str) -> set[str]:
    """The rule ids that a text cites; `R-CASTLE-16, 17` and `R-BASE-20 to 25` are all of them."""
    found = set()
    for match in CITED.finditer(text):
        group, _, numbers = match[0].rpartition("-") if match[0].count("-") == 2 else ("", "", "")
        words = re.split(r"(, and |, | and | to )", numbers)
        last = 0
        for i, word in enumerate(words):
            if word.isdigit():
                start = last + 1 if i and words[i - 1] == " to " else int(word)
                found |= {f"{group}-{n}" for n in range(start, int(word) + 1)}
                last = int(word)
    return found


@cache
def shown() -> dict[str, set[str]]:
    """The rules that each scenario names, and that each test cites, by file."""
    files = {}
    for path in find_scenarios([ROOT / "tests/scenarios"]):
        scenario = read_scenario(path.read_text(encoding="utf-8"), str(path))
        steps = {step.rule for step in scenario.steps if step.rule is not None}
        files[path.name] = {*scenario.rules, *steps}
    for path in (ROOT / "tests").rglob("test_*.py"):
        if path.name not in OTHERS:
            files[path.name] = ids_in(path.read_text(encoding="utf-8"))
    return files


def test_ids_are_found_in_lists_and_ranges() -> None:
    assert ids_in("R-CASTLE-16, 17 and 25") == {"R-CASTLE-16", "R-CASTLE-17", "R-CASTLE-25"}
    assert ids_in("R-BASE-12 to 14, R-BASE-3") == {
        "R-BASE-12", "R-BASE-13", "R-BASE-14", "R-BASE-3",
    }  # fmt: skip


def test_every_rule_of_every_group_is_in_the_register() -> None:
    """Base, bridges, castles, bazaar and Medina, without a gap."""
    for group, size in SIZES.items():
        assert [f"{group}-{n}" for n in range(1, size + 1)] == [
            name for name in register() if name.startswith(f"{group}-")
        ]


@pytest.mark.parametrize(
    "path",
    sorted([*(ROOT / "carcassonne").rglob("*.py"), *(ROOT / "tests").rglob("*.py")]),
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_every_cited_rule_exists(path: Path) -> None:
    """In the program and in its tests; made-up ids stand only in the register's own tests."""
    if path.name in OTHERS:
        return
    unknown = ids_in(path.read_text(encoding="utf-8")) - set(register()) - {"R-BASE-99"}
    assert not unknown


def test_every_rule_that_a_scenario_names_exists() -> None:
    for name, ids in shown().items():
        assert ids - {"R-BASE-99"} <= set(register()), name


@pytest.mark.parametrize("name", [name for name in register() if name not in NEEDING])
def test_every_rule_is_shown_by_a_scenario_or_test(name: str) -> None:
    """But for the rules that need pieces that the game does not have."""
    assert any(name in ids for ids in shown().values()), "no scenario and no test cites it"


def test_the_rules_that_wait_for_pieces_are_these() -> None:
    """They are marked in the register, and `carcassonne rules --needs` lists them."""
    assert NEEDING == [
        "R-BRIDGE-32",
        "R-CASTLE-23",
        "R-CASTLE-38",
        "R-CASTLE-39",
        "R-CASTLE-40",
        "R-BAZAAR-23",
        "R-BAZAAR-24",
        "R-BAZAAR-33",
    ]
