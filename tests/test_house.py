"""The house is in order: format, lint, types, import directions and declared dependencies."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TOOLS = Path(sys.executable).parent

CHECKS = {
    "ruff format": ["ruff", "format", "--check", "--quiet", "."],
    "ruff check": ["ruff", "check", "--quiet", "."],
    "mypy --strict": ["mypy"],
    "import directions": ["lint-imports", "--no-cache"],
    "declared dependencies": ["deptry", "carcassonne"],
}


@pytest.mark.parametrize("name", CHECKS)
def test_tool_finds_nothing(name: str) -> None:
    """Each tool passes over the whole checkout."""
    tool, *arguments = CHECKS[name]
    done = subprocess.run(  # noqa: S603 - the project's own tools
        [str(TOOLS / tool), *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


def test_nothing_in_the_package_is_unfinished() -> None:
    """No module says that something is not there yet."""
    words = ["not " + "implemented", "Not" + "Implemented" + "Error", "TO" + "DO", "FIX" + "ME"]
    for path in (ROOT / "carcassonne").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert not [word for word in words if word.lower() in text.lower()], path
