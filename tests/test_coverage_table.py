"""The coverage table lists every published case, and what it lists exists."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).parent
TABLE: dict[str, dict[str, Any]] = tomllib.loads(
    (TESTS / "coverage_table.toml").read_text(encoding="utf-8")
)
FOLDERS = {"EC": "edge_cases", "BUG": "bug_reports"}
NUMBERS = {
    "EC-B": "01 02 04 05 07 08 09 10 11 12 13 15 17 19 20 21 22",
    "EC-BR": "01 02 03 04 05 06 07 08 09 10 12 14 15 17 22 23 24 25 27 28 30 31 32 33 35 36 37 39 "
    "40 41 43 44 45",
    "EC-C": "01 02 03 04 05 06 08 09 10 13 14 20 21 24 25 26 27 28 29 31 32 33 35 36 37 39 40 41 "
    "42 43 44 45",
    "EC-Z": "01 02 03 04 07 08 09 10 12 14 15 16 17 18 20 21 22 24 25 26",
    "BUG-B": "01 03 05 06 08 09 11 12 13 14 15 17 19 20 21 23 24 25 26 27 28 29 31 33 34 35 36 37 "
    "38 39 40 41 42 44 47 48 49 50 51 53 54 55 56 57 58 59 61 62 63 64 66 67 69 71 72 73 74 75 "
    "76 78",
}
IDS = [f"{group}-{number}" for group, numbers in NUMBERS.items() for number in numbers.split()]


def functions(file: str) -> set[str]:
    """Return the names of a test module's functions."""
    tree = ast.parse((TESTS / file).read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def listed() -> list[str]:
    """Return everything that the table names, in its order."""
    return [place for entry in TABLE.values() for place in entry.get("where", [])]


def test_every_case_is_in_the_table_once_and_in_order() -> None:
    """The table holds exactly the 102 edge cases and the 60 bug reports."""
    assert len(IDS) == 102 + 60
    assert list(TABLE) == IDS


@pytest.mark.parametrize("case", IDS)
def test_a_case_is_proved_or_says_what_it_waits_for(case: str) -> None:
    """Each entry has places where it is proved, or says why there are none yet."""
    entry = TABLE[case]
    assert set(entry) <= {"where", "waits", "later"}
    assert entry
    assert all(isinstance(entry[key], str) and entry[key] for key in set(entry) - {"where"})
    if "where" in entry:
        assert entry["where"]
        assert len(set(entry["where"])) == len(entry["where"])


@pytest.mark.parametrize("case", IDS)
def test_what_a_case_lists_exists_and_bears_its_id(case: str) -> None:
    """A listed scenario is a file, a listed test a function, and both are named by the case."""
    group, rest = case.split("-", 1)
    for place in TABLE[case].get("where", []):
        file, _, function = place.partition("::")
        assert (TESTS / file).is_file(), place
        if function:
            assert function in functions(file), place
            assert function.startswith(f"test_{case.lower().replace('-', '_')}_"), place
        else:
            path = Path(file)
            assert path.parent.as_posix() == f"scenarios/{FOLDERS[group]}", place
            suffix = path.stem.removeprefix(f"{group}-{rest}")
            assert suffix != path.stem, place
            assert suffix == "" or suffix.isalpha(), place


@pytest.mark.parametrize("folder", FOLDERS.values())
def test_every_scenario_of_the_folders_is_listed(folder: str) -> None:
    """No scenario lies in the folders that the table does not know."""
    present = {
        path.relative_to(TESTS).as_posix()
        for path in (TESTS / "scenarios" / folder).rglob("*.toml")
    }
    assert present
    assert present == {place for place in listed() if place.startswith(f"scenarios/{folder}/")}


def test_every_test_of_a_bug_report_is_listed() -> None:
    """No test function is named by a report that the table does not list it for."""
    file = "test_bug_reports.py"
    present = {f"{file}::{name}" for name in functions(file) if name.startswith("test_")}
    assert present == {place for place in listed() if place.startswith(f"{file}::")}
