"""Addresses of clusters are tried before anything is made; without Ray itself, which is slow."""

from __future__ import annotations

import socket
import sys
import time
from types import ModuleType
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from carcassonne.cli import cli
from carcassonne.farm.executor import require_cluster
from carcassonne.farm.work import FarmError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(autouse=True)
def ray(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It is installed, and this machine belongs to no cluster."""
    monkeypatch.setitem(sys.modules, "ray", ModuleType("ray"))
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    monkeypatch.setenv("RAY_TMPDIR", str(tmp_path))


@pytest.fixture
def listening() -> Iterator[str]:
    """An address where somebody listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"127.0.0.1:{server.getsockname()[1]}"


@pytest.fixture
def closed() -> str:
    """An address where nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return f"127.0.0.1:{server.getsockname()[1]}"


def note_current(tmp_path: Path, address: str) -> None:
    """Note a cluster as Ray does."""
    (tmp_path / "ray").mkdir()
    (tmp_path / "ray" / "ray_current_cluster").write_text(address)


@pytest.mark.parametrize(
    "words", [["tournament"], ["playtest", "--factor", "bazaar_mode=off,draft"]]
)
@pytest.mark.parametrize("form", ["ray:{}", "ray:ray://{}"])
def test_a_cluster_that_can_t_be_reached_is_one_line(
    tmp_path: Path, closed: str, words: list[str], form: str
) -> None:
    out = tmp_path / "t"
    start = time.monotonic()
    done = CliRunner().invoke(cli, [*words, "--out", str(out), "--cluster", form.format(closed)])
    assert isinstance(done.exception, FarmError), done.output
    assert (
        str(done.exception)
        == f"--cluster: can't reach {form.format(closed)[4:]}: Connection refused"
    )
    assert not out.exists()
    assert time.monotonic() - start < 30


def test_a_host_that_isn_t_there() -> None:
    with pytest.raises(FarmError, match=r"can't reach no-such-host\.invalid:6379"):
        require_cluster("ray:no-such-host.invalid:6379")


@pytest.mark.parametrize("address", ["nohost", "nohost:", ":1", "nohost:x", "nohost:99999"])
def test_what_is_no_address(address: str) -> None:
    with pytest.raises(FarmError, match="an address is HOST:PORT, auto or local"):
        require_cluster(f"ray:{address}")


@pytest.mark.parametrize("form", ["ray", "ray:local", "ray:{}", "ray:ray://{}"])
def test_clusters_that_can_be_tried(listening: str, form: str) -> None:
    require_cluster(form.format(listening))


def test_the_cluster_of_this_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, listening: str, closed: str
) -> None:
    with pytest.raises(FarmError, match="no cluster runs on this machine"):
        require_cluster("ray:auto")
    note_current(tmp_path, closed)
    for name in ("ray", "ray:auto"):
        with pytest.raises(FarmError, match=f"can't reach {closed}.*ray_current_cluster"):
            require_cluster(name)
    monkeypatch.setenv("RAY_ADDRESS", listening)
    for name in ("ray", "ray:auto"):
        require_cluster(name)
