"""Experiments end to end: the same results however they are played, and resumed ones too."""

from __future__ import annotations

import io
import itertools
import json
import os
import re
import subprocess
import sys
import time
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
from rich.console import Console

from carcassonne.farm.executor import LocalExecutor
from carcassonne.farm.pool import PoolExecutor
from carcassonne.farm.work import FarmError, Work
from carcassonne.folder import FolderError, is_begun
from carcassonne.playtest.design_file import load_design
from carcassonne.playtest.examples import choose_examples
from carcassonne.playtest.game import Lab, measures_of, work_of
from carcassonne.playtest.results import Results, empty_statistics
from carcassonne.playtest.run import run_playtest
from carcassonne.playtest.store import KIND, LabStore
from carcassonne.playtest.summary import print_summary
from carcassonne.record import load_game
from tests.playtest import synthetic

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from carcassonne.playtest.design import Design
    from carcassonne.playtest.run import Outcome

DESIGN = """
title = "Auction or draft"
games = 12
seed = 4
bots = ["random", "greedy"]
tile_counts = { "BA/Rr" = 2, "BA/RFr" = 2, "BA/RRR" = 1, "BA/Ccc" = 0, "BA/CRr" = 0 }
[factors]
bazaar_mode = ["auction", "draft"]
"""


class Quiet:
    """Watches nothing."""

    def update(self, units: int, games: int) -> None:
        """Forget it."""


def write(folder: Path, text: str = DESIGN) -> Path:
    """The file of a design."""
    path = folder / "study.toml"
    path.write_text(text, encoding="utf-8")
    return path


def play(store: LabStore, **options: Any) -> Outcome:
    """Play in this process."""
    return run_playtest(store, lambda: LocalExecutor(work_of(store.design)), Quiet(), **options)


def command(*words: object) -> subprocess.CompletedProcess[str]:
    """Run the command."""
    return subprocess.run(  # noqa: S603 - this program
        [sys.executable, "-m", "carcassonne", "playtest", *map(str, words)],
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip


def data_of(design: Design, outcome: Outcome) -> dict[str, Any]:
    """What came out, as plain data."""
    return Results(design, outcome.statistics).to_data()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the design shows when nothing disturbs it."""
    folder = tmp_path_factory.mktemp("whole")
    design = load_design(write(folder))
    store = LabStore.create(folder / "out", design, [])
    outcome = play(store)
    assert outcome.is_finished
    store.close()
    return data_of(design, outcome)


def test_rows_follow_from_the_design_alone(tmp_path: Path) -> None:
    design = load_design(write(tmp_path))
    one, two = Lab(design), Lab(design)
    rows = {unit: one.play(unit) for unit in range(4)}
    assert {unit: two.play(unit) for unit in (3, 1, 2, 0)} == rows
    assert len(rows[0]) == 4  # two arms, two seatings


def test_arms_meet_the_same_tiles(tmp_path: Path) -> None:
    design = load_design(write(tmp_path))
    lab = Lab(design)
    games = [lab.replay(arm, 2, 0) for arm in (0, 1)]
    assert games[0].stack == games[1].stack


def test_a_replay_is_the_game_that_was_measured(tmp_path: Path) -> None:
    design = load_design(write(tmp_path))
    lab = Lab(design)
    names = [taken.measure.name for taken in measures_of(design)]
    for row in lab.play(5):
        game = lab.replay(row.arm, row.unit, row.turn)
        values = dict(zip(names, row.values, strict=True))
        assert values["winning_score"] == max(game.scores.values())
        assert values["decisions"] == len(game.moves)
        assert values["score"] == sum(game.scores.values()) / 2


def test_an_interrupted_playtest_goes_on_to_the_same_end(
    tmp_path: Path, whole: dict[str, Any]
) -> None:
    design = load_design(write(tmp_path))
    store = LabStore.create(tmp_path / "out", design, [])
    looks = iter(range(100))
    outcome = play(store, is_interrupted=lambda: next(looks) > 1)
    assert not outcome.is_finished
    assert "Interrupted" in outcome.note
    store.close()
    again = LabStore.resume(tmp_path / "out", lambda _: [])
    assert 0 < len(list(again.rows())) < 48
    outcome = play(again)
    assert outcome.is_finished
    assert data_of(design, outcome) == whole
    again.close()


def test_two_processes_give_the_same(tmp_path: Path, whole: dict[str, Any]) -> None:
    path = write(tmp_path)
    run = command(path, "--jobs", 2, "--json", "--out", tmp_path / "out")
    assert run.returncode == 0, run.stderr
    data = json.loads(run.stdout)
    data.pop("notes")
    assert data == {key: value for key, value in whole.items() if key != "notes"}


def test_kill_9_loses_nothing_that_was_saved(tmp_path: Path, whole: dict[str, Any]) -> None:
    path, out = write(tmp_path), tmp_path / "out"
    process = subprocess.Popen(  # noqa: S603 - this program
        [sys.executable, "-m", "carcassonne", "playtest", str(path), "--out", str(out)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    until = time.monotonic() + 60
    while not is_begun(out, KIND) and time.monotonic() < until:
        time.sleep(0.02)
    process.kill()
    process.wait()
    run = command("--out", out, "--resume", "--json")
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["effects"] == whole["effects"]


def test_precision_stops_early_at_the_same_unit_whoever_plays(tmp_path: Path) -> None:
    text = DESIGN.replace("games = 12", 'games = 400\nuntil = "±40 points of margin"').replace(
        '["random", "greedy"]', '["random"]'
    )
    units = []
    for jobs in (1, 2):
        run = command(write(tmp_path, text), "--jobs", jobs, "--json", "--out",
                      tmp_path / str(jobs))  # fmt: skip
        assert run.returncode == 0, run.stderr
        data = json.loads(run.stdout)
        assert data["notes"][0].endswith("the precision ±40 points of margin is reached.")
        units.append(data["units"])
    assert units[0] == units[1] < 400


def test_a_limit_of_time_ends_it(tmp_path: Path) -> None:
    text = DESIGN.replace("games = 12", "games = 100000")
    run = command(write(tmp_path, text), "--seconds", 0.5, "--json")
    assert run.returncode == 0, run.stderr
    assert "time was up" in json.loads(run.stdout)["notes"][0]


def test_report_tables_and_replays_are_written(tmp_path: Path) -> None:
    report = tmp_path / "r" / "report.html"
    report.parent.mkdir()
    run = command(write(tmp_path), "--report", report, "--csv", tmp_path / "csv")
    assert run.returncode == 0, run.stderr
    text = report.read_text(encoding="utf-8")
    for name in ("median", "closest", "lopsided"):
        assert f'href="./report-games/{name}.html"' in text
        assert (report.parent / "report-games" / f"{name}.html").exists()
        assert load_game(report.parent / "report-games" / f"{name}.json").is_over
    lines = (tmp_path / "csv" / "games.csv").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 1 + 48


def test_the_examples_are_what_their_titles_say(tmp_path: Path) -> None:
    design = load_design(write(tmp_path))
    measures = [taken.measure for taken in measures_of(design)]
    names = [measure.name for measure in measures]
    lab = Lab(design)
    rows = [row for unit in range(6) for row in lab.play(unit)]
    margins = [row.values[names.index("margin")] for row in rows if row.arm == 0]
    chosen = choose_examples(rows, measures, 0.0)
    at = names.index("margin")
    assert chosen["closest"].values[at] == min(m for m in margins if m is not None)
    assert chosen["lopsided"].values[at] == max(m for m in margins if m is not None)


MEASURE = """
from carcassonne.playtest.measures import measure

@measure("points", group="mine")
def runner_up(game):
    "The second-best score."
    return sorted(game.scores)[-2]
"""


def test_measures_of_one_s_own_are_taken(tmp_path: Path) -> None:
    own = tmp_path / "mine.py"
    own.write_text(MEASURE, encoding="utf-8")
    run = command(write(tmp_path), "--measure", own, "--games", 3, "--json")
    assert run.returncode == 0, run.stderr
    arm = json.loads(run.stdout)["arms"][0]["measures"]
    assert arm["runner_up"]["games"] == 6


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda text: text + "    return 1 / 0\n", None),
        (lambda text: text.replace("return sorted(game.scores)[-2]", "return 1 / 0"),
         "line 7: measure 'runner_up' (stack order 0, arm "),
        (lambda text: text.replace('"The second-best score."', "pass"), "needs a docstring"),
        (lambda text: text.replace("runner_up", "margin"), "two measures called 'margin'"),
        (lambda _: "x = 1", "no measure in it"),
        (lambda _: "x = ", "line 1: SyntaxError"),
    ],
)  # fmt: skip
def test_bad_measures_are_named(
    tmp_path: Path, change: Callable[[str], str], words: str | None
) -> None:
    own = tmp_path / "mine.py"
    own.write_text(change(MEASURE), encoding="utf-8")
    run = command(write(tmp_path), "--measure", own, "--games", 1, "--json")
    assert "Traceback" not in run.stderr
    if words is None:
        assert run.returncode == 0, run.stderr
    else:
        assert run.returncode == 2
        assert words in run.stderr


OWN_VALUE = """
import sys
from carcassonne.playtest.measures import measure

@measure("points", distribution=True)
def mine(game):
    "Mine."
    return VALUE
"""


def own_value(folder: Path, value: str) -> subprocess.CompletedProcess[str]:
    """Run a single game with a measure that gives a value."""
    own = folder / "mine.py"
    own.write_text(OWN_VALUE.replace("VALUE", value), encoding="utf-8")
    return command("--measure", own, "--bot", "random", "--games", 1, "--json")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ('"text"', "gave str 'text': it must give a number or None"),
        ("[1]", "gave list [1]: it must give a number or None"),
        ("10 ** 400", "gave a number beyond 10^18"),
        ("1e300", "gave a number beyond 10^18"),
        ('float("nan")', "gave nan: it must give an ordinary number"),
        ("-float('inf')", "gave -inf: it must give an ordinary number"),
        ("0.5", "gave 0.5: with distribution = True it must give whole numbers"),
    ],
)
def test_a_value_that_is_no_number_is_refused_by_measure_and_file(
    tmp_path: Path, value: str, words: str
) -> None:
    run = own_value(tmp_path, value)
    assert run.returncode == 2
    assert run.stderr.startswith(f"Error: {tmp_path / 'mine.py'}: measure 'mine' (stack order 0, ")
    assert words in run.stderr
    assert run.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("value", "words"),
    [("1 // 0", "ZeroDivisionError"), ("sys.exit(3)", "SystemExit: 3"), ("game.x", "'x'")],
)
def test_a_measure_that_fails_is_named_with_line_and_game(
    tmp_path: Path, value: str, words: str
) -> None:
    run = own_value(tmp_path, value)
    assert run.returncode == 2
    head = f"Error: {tmp_path / 'mine.py'}, line 8: measure 'mine' (stack order 0, arm 'all games')"
    assert run.stderr.startswith(f"{head} failed: ")
    assert words in run.stderr
    assert run.stderr.count("\n") == 1


@pytest.mark.parametrize("value", ["True", "1", "1.0"])
def test_true_counts_as_1(tmp_path: Path, value: str) -> None:
    run = own_value(tmp_path, value)
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["arms"][0]["measures"]["mine"]["mean"] is None  # a single unit
    assert json.loads(run.stdout)["arms"][0]["measures"]["mine"]["games"] == 1


@pytest.mark.parametrize(
    ("arms", "kept"),
    [
        ([("random", "greedy")], {"random": True, "greedy": True}),
        ([("random", "greedy", "random")], {"random": False, "greedy": True}),
        ([("random", "random"), ("greedy", "random")], {"random": False, "greedy": True}),
    ],
)
def test_scores_of_a_bot_in_several_seats_have_no_histogram(
    tmp_path: Path, arms: list[tuple[str, ...]], kept: dict[str, bool]
) -> None:
    tables = "".join(
        f"[[arms]]\nname = 'a{i}'\nbots = {list(bots)}\n" for i, bots in enumerate(arms)
    )
    design = load_design(write(tmp_path, f"games = 4\n{tables}"))
    found = {taken.measure.name: taken.measure.distribution for taken in measures_of(design)}
    assert {bot: found[f"score_{bot}"] for bot in kept} == kept
    store = LabStore.create(tmp_path / "out", design, [])
    assert play(store).is_finished
    store.close()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "say what to compare"),
        (["--resume"], "--resume needs --out"),
        (["--factor", "bazaar_mode=auction,draft", "--cluster", "moon"], "--cluster"),
        (["--factor", "bazaar_mode=auction,draught"], "bazaar_mode"),
        (["--fuzz", "--report", "x.html"], "--report doesn't go together with --fuzz"),
        (["--record", "x.json"], "--record needs --fuzz"),
        (["--fuzz", "--players", "3"], "--players doesn't go together with --fuzz"),
        (["--fuzz", "--bots", "greedy"], "--bots doesn't go together with --fuzz"),
        (["--fuzz", "--tile-count", "BA/L=0"], "--tile-count doesn't go together with --fuzz"),
        (["x.toml", "--fuzz"], "FILE.toml doesn't go together with --fuzz"),
        (["--fuzz", "--record", "x.json", "--games", "5"], "--games doesn't go together"),
        (["--fuzz", "--record", "x.json", "--jobs", "1"], "--jobs doesn't go together"),
        (["--factor", "farmers=on,off", "--report", "x.pdf"], "--report x.pdf: must end in .html"),
        (
            ["--factor", "players=2,3", "--factor", "players=4,5"],
            "--factor players is given twice: write all its levels into one",
        ),
        (["--bot", "random", "--until", "±1 points of marjin"], "did you mean margin?"),
    ],
)
def test_wrong_usage_is_one_line(words: list[str], message: str) -> None:
    run = command(*words)
    assert run.returncode == 2
    assert message in run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("games = 12", "games = 13", "games: the playtest was begun with 12, not 13"),
        ("seed = 4", "seed = 5", "seed: the playtest was begun with 4, not 5"),
        (
            '["random", "greedy"]',
            '["random", "random"]',
            "arms, entry 1.bots, entry 2: the playtest was begun with 'greedy', not 'random'",
        ),
        (
            '"draft"]',
            '"draft", "off"]',
            "begun with ['bazaar_mode auction', 'bazaar_mode draft'], not ['bazaar_mode auction', ",
        ),
        ("[factors]", "until = '±1 points'\n[factors]", "begun with nothing, not '±1 points'"),
    ],
)
def test_a_refusal_to_go_on_names_both_values(
    tmp_path: Path, old: str, new: str, words: str
) -> None:
    store = LabStore.create(tmp_path / "out", load_design(write(tmp_path)), [])
    with closing(store), pytest.raises(FolderError) as refusal:
        store.require(load_design(write(tmp_path, DESIGN.replace(old, new))))
    assert words in str(refusal.value)


@pytest.mark.parametrize("width", [60, 80, 140])
def test_tables_of_many_arms_fit_and_break_no_heading(width: int) -> None:
    factors = {"farmers": [True, False], "bridges_per_player": ["none", 0, 5],
               "bazaar_mode": ["auction", "draft", "off"]}  # fmt: skip
    design = load_design(flags={"factors": factors, "bots": ["random"], "games": 2})
    lab = Lab(design)
    statistics = empty_statistics(design, [taken.measure for taken in measures_of(design)])
    for unit in range(2):
        statistics.add_unit(lab.play(unit))
    console = Console(width=width, file=io.StringIO(), highlight=False)
    print_summary(Results(design, statistics), console)
    text = console.file.getvalue()  # type: ignore[attr-defined]  # a StringIO
    lines = text.splitlines()
    assert max(map(len, lines)) <= width
    heads = [line for line in lines if line.startswith(" measure ")]
    found = [re.findall(r"arm \d+", head) for head in heads]
    assert all(head.split()[:2] == ["measure", "unit"] for head in heads)
    first = list(itertools.takewhile(lambda arms: arms[0] != "arm 1", found[1:]))
    shown = [arm for arms in (found[0], *first) for arm in arms]
    assert shown == [f"arm {number}" for number in range(1, 19)]
    words = " ".join(text.split())
    assert all(f"arm {i} {arm.name}" in words for i, arm in enumerate(design.arms, 1))


def test_arms_whose_names_fit_keep_them() -> None:
    console = Console(width=80, file=io.StringIO(), highlight=False)
    print_summary(synthetic.results(synthetic.design(3)), console)
    text = console.file.getvalue()  # type: ignore[attr-defined]  # a StringIO
    assert "arm 1" in text  # `bazaar_mode auction` is too long for three columns of 80
    console = Console(width=140, file=io.StringIO(), highlight=False)
    print_summary(synthetic.results(synthetic.design(3)), console)
    text = console.file.getvalue()  # type: ignore[attr-defined]  # a StringIO
    assert "arm 1" not in text
    assert "bazaar_mode auction" in text


def test_one_of_each_is_said_in_english(tmp_path: Path) -> None:
    run = command("--bot", "random", "--games", 1)
    assert run.returncode == 0, run.stderr
    assert "1 game, 1 stack order, 1 arm\nThe stack order was played.\n" in run.stdout


@pytest.mark.system
def test_a_report_that_can_t_be_written_is_named() -> None:
    run = command("--bot", "random", "--games", 1, "--report", "/proc/x.html")
    assert run.returncode == 2
    assert run.stderr.startswith("Error: /proc/x.html: can't be written: ")


class Deadly:
    """Ends its process over every task."""

    def play(self, task: int) -> int:
        """Die."""
        os._exit(9 + task)

    def close(self) -> None:
        """There is nothing to end."""


def open_deadly(_settings: bytes) -> Deadly:
    """What the processes of the next test work with."""
    return Deadly()


def test_a_deadly_stack_order_is_named() -> None:
    notes: list[str] = []
    work = Work(f"{__name__}:{open_deadly.__name__}", b"", int, int)
    pool = PoolExecutor(work, 1, on_note=notes.append, what="stack order")

    def play_all() -> None:
        while pool.busy:
            pool.collect(0.1)

    with closing(pool):
        pool.submit([0, 0])
        with pytest.raises(FarmError, match=r"^stack order 0: 3 processes have died over it"):
            play_all()
    died = "a worker process has died (exit code 9); its"
    assert notes == [
        f"{died} 2 stack orders are played again", *[f"{died} stack order is played again"] * 2,
    ]  # fmt: skip


def test_folders_are_kept_apart(tmp_path: Path) -> None:
    design = load_design(write(tmp_path))
    store = LabStore.create(tmp_path / "out", design, [])
    with pytest.raises(FolderError, match="running in it"):
        LabStore.resume(tmp_path / "out", lambda _: [])
    store.close()
    with pytest.raises(FolderError, match="holds a playtest already"):
        LabStore.create(tmp_path / "out", design, [])
    with pytest.raises(FolderError, match="tiles have changed"):
        LabStore.resume(tmp_path / "out", lambda _: ["other"])
    with pytest.raises(FolderError, match="no playtest to resume"):
        LabStore.resume(tmp_path / "nothing", lambda _: [])
    again = LabStore.resume(tmp_path / "out", lambda _: [])
    other = load_design(write(tmp_path, DESIGN.replace("seed = 4", "seed = 5")))
    with pytest.raises(FolderError, match="seed: the playtest was begun with 4, not 5"):
        again.require(other)
    again.close()
