"""The wheel holds what the program needs: built, installed afresh and used from another folder."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCENARIO = ROOT / "tests" / "scenarios" / "edge_cases" / "EC-BR-09.toml"

pytestmark = pytest.mark.system


def run(*command: str | Path, cwd: Path) -> str:
    """Run a command without anything of the checkout on its path."""
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(  # noqa: S603 - the test's own commands
        [str(word) for word in command],
        cwd=cwd, env=environment, capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    out = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--wheel", "--outdir", out, ROOT, cwd=out)
    return next(out.glob("*.whl"))


def test_wheel_holds_the_tile_sets(wheel: Path) -> None:
    """Every shipped set is inside."""
    names = zipfile.ZipFile(wheel).namelist()
    for path in (ROOT / "tile_defs").glob("*.toml"):
        assert f"carcassonne/tile_defs/{path.name}" in names
    assert "carcassonne/rule_register.toml" in names
    for kind in ("html", "css", "js"):
        assert f"carcassonne/render/replay.{kind}" in names
    assert "carcassonne/py.typed" in names


def test_every_package_is_in_the_wheel(wheel: Path) -> None:
    """No module of the checkout is missing."""
    names = set(zipfile.ZipFile(wheel).namelist())
    for path in (ROOT / "carcassonne").rglob("*.py"):
        assert str(path.relative_to(ROOT)) in names


def test_installed_wheel_plays_and_checks(wheel: Path, tmp_path: Path) -> None:
    """`play` and `check` work in a fresh environment, from a folder that is not the checkout."""
    run(sys.executable, "-m", "venv", tmp_path / "venv", cwd=tmp_path)
    binaries = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin")
    run(binaries / "pip", "install", "--quiet", "--disable-pip-version-check", wheel, cwd=tmp_path)
    carcassonne = binaries / "carcassonne"
    run(carcassonne, "play", "--seed", "7", "--out", "game.json", cwd=tmp_path)
    assert (tmp_path / "game.json").exists()
    run(carcassonne, "replay", "game.json", cwd=tmp_path)
    run(carcassonne, "replay", "game.json", "--html", "game.html", cwd=tmp_path)
    assert (tmp_path / "game.html").stat().st_size > 100_000
    assert "1 as expected" in run(carcassonne, "check", SCENARIO, cwd=tmp_path)
    assert "83 tiles to draw" in run(
        carcassonne, "tiles", "base", "bridges_castles_bazaars", cwd=tmp_path
    )
