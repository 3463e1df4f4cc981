"""`carcassonne medina`: the table, JSON, many games, and one clear line for wrong input."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from carcassonne.alhambra.buyers import BUYERS, played_games
from carcassonne.alhambra.data import DEFAULT_FILE, data_path
from carcassonne.alhambra.medina import OPTION_VALUES
from carcassonne.cli import medina as module
from carcassonne.cli.medina import command

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from carcassonne.alhambra.market import PurchaseGame

EXAMPLE = ("3", "A=", "B=", "C=3,5", "D=2,4,8")


def run(*arguments: str, columns: int = 100) -> Result:
    return CliRunner().invoke(command, arguments, env={"COLUMNS": str(columns)})


def refusal(*arguments: str) -> str:
    result = run(*arguments)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("Error: ")
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.stderr
    return result.stderr


# ------------------------------------------------------------------------------ one scoring


def test_the_json_is_exactly_the_points_in_the_order_given() -> None:
    result = run(*EXAMPLE, "--json")
    assert result.exit_code == 0
    assert result.stdout == '{"A": -11, "B": -11, "C": -3, "D": 0}\n'
    assert result.stderr == ""


def test_the_table_gives_the_reasons_with_their_rules() -> None:
    result = run(*EXAMPLE, columns=200)
    assert result.exit_code == 0
    lines = [" ".join(line.split()) for line in result.stdout.splitlines()]
    assert "Medinas, scoring round 3: the worst places cost 9, 6, 3." in lines
    shared = (
        "A none -11 -8 no Medina: worst and second worst places, shared by A and B:"
        " 9 + 6 = 15, by 2, up to 8 (R-MEDINA-9, R-MEDINA-26)"
    )
    assert shared in lines
    assert "-3 no Medina: the extra of round 3 (R-MEDINA-10)" in lines
    assert "C 5, 3 -3 -3 third worst place (R-MEDINA-14)" in lines
    assert "D 8, 4, 2 0 0 fourth place: no penalty (R-MEDINA-6)" in lines


@pytest.mark.parametrize("columns", [30, 60, 100, 200])
def test_the_table_keeps_to_the_width_and_loses_no_word(columns: int) -> None:
    result = run("2", "A=7,4", "B=7,3", "C=8,1", "D=9", columns=columns)
    assert result.exit_code == 0
    assert "…" not in result.stdout
    table = result.stdout.splitlines()[1:]
    assert max(map(len, table)) <= columns


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("3", "A=", "B=4", "--option", "medina_zero_pool=all"), {"A": -21, "B": 0}),
        (("1", "A=5,7", "B=3,7"), {"A": 0, "B": -3}),
        (("1", "A=5,7", "B=3,7", "--option", "medina_final_tie=share"), {"A": -2, "B": -2}),
        (
            (
                *("1", "A=", "B=4", "--total", "A=2", "--total", "B=0"),
                *("--option", "medina_allow_negative_total=false"),
            ),
            {"A": -2, "B": 0},
        ),
    ],
)
def test_options_change_the_score(arguments: tuple[str, ...], expected: dict[str, int]) -> None:
    assert json.loads(run(*arguments, "--json").stdout) == expected
    table = run(*arguments, columns=200).stdout
    changed = [text for text in arguments if text.startswith("medina_")]
    assert [line for line in table.splitlines() if line.startswith("With ")] == [
        f"With {text}." for text in changed
    ]


def test_totals_are_shown_if_given() -> None:
    lines = run("1", "A=", "B=4", "--total", "A=10", columns=200).stdout.splitlines()
    assert any(line.split()[:4] == ["A", "none", "-4", "6"] for line in lines)
    assert any(line.split()[:4] == ["B", "4", "0", "?"] for line in lines)


def test_options_may_come_first_and_names_may_be_anything_printable() -> None:
    assert json.loads(run("--json", *EXAMPLE).stdout)["D"] == 0
    assert (
        json.loads(run("--option", "medina_zero_pool=all", "--json", *EXAMPLE).stdout)["A"] == -12
    )
    assert json.loads(run("--json", "--", "3", "A=", "B=").stdout) == {"A": -11, "B": -11}
    assert json.loads(run("1", "Zoë=4", "[red]=", "--json").stdout) == {"Zoë": 0, "[red]": -4}
    assert "[red]" in run("1", "Zoë=4", "[red]=").stdout


def test_an_output_that_cannot_show_a_name_gets_escapes() -> None:
    result = CliRunner(charset="ascii").invoke(command, ["1", "Zoë=4", "B="])
    assert result.exit_code == 0
    assert "Zo\\xeb" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "no round is given; try: carcassonne medina 3 A= B= C=3,5 D=2,4,8"),
        (("4", "A=", "B="), "no round '4': it is 1, 2 or 3"),
        (("0", "A=", "B="), "no round '0'"),
        (("x", "A=", "B="), "no round 'x'"),
        (("\uff13", "A=", "B="), "no round"),
        (("score", "3", "A=", "B="), "no round 'score'"),
        (("A=", "B=3"), "no round 'A='"),
        (("3",), "two to six players are needed, not 0"),
        (("3", "A="), "two to six players are needed, not 1"),
        (("3", *(f"{p}=" for p in "ABCDEFG")), "two to six players are needed, not 7"),
        (("3", "A=", "A=3"), "player 'A' is given twice"),
        (("3", "A", "B="), "write A= without Medinas, A=3,5 with two"),
        (("3", "A:3", "B="), "'A:3' is no player"),
        (("3", "=3", "B="), "'' is no name"),
        (("3", "A b=", "B="), "'A b' is no name"),
        (("3", "A=x", "B="), "player 'A': 'x' is no price"),
        (("3", "A=3,,5", "B="), "player 'A': '' is no price"),
        (("3", "A=2.5", "B="), "player 'A': '2.5' is no price"),
        (("3", "A=-3", "B="), "player 'A': '-3' is no price"),
        (("3", "A=\uff13", "B="), "is no price"),
        (("3", "A=" + "9" * 5000, "B="), "is no price"),
        (("3", "A=0", "B="), "the price 0 isn't 1 to 999"),
        (("3", "A=1,2,3,4,5", "B=1,2,3,4,5"), "only 9 Medinas, not 10"),
        (
            ("3", "A=", "B=", "--option", "medina=all"),
            "option 'medina' is unknown; known: medina_z",
        ),
        (("3", "A=", "B=", "--option", "medina_zero_pool=some"), "it is places or all"),
        (("3", "A=", "B=", "--option"), "requires an argument"),
        (("3", "A=", "B=", "--nothing"), "No such option"),
        (("3", "A=", "B=", "--x\ny"), "No such option"),
        (("3", "A=", "B=", "--total", "A"), "--total 'A': write PLAYER=POINTS"),
        (("3", "A=", "B=", "--total", "A=1", "--total", "A=1"), "given twice"),
        (("3", "A=", "B=", "--total", "C=1"), "'C', who doesn't play"),
        (
            ("3", "A=", "B=", "--option", "medina_allow_negative_total=false"),
            "total of A is needed",
        ),
        (("3", "A=", "B=", "--tiles", "/nowhere.toml"), "/nowhere.toml: No such file"),
        (("3", "A=11", "B=", "--tiles", str(data_path(DEFAULT_FILE))), "none among the tiles"),
        (("3", "A=5", "B=5", "--tiles", str(data_path(DEFAULT_FILE))), "price 5: 2 built, 1 among"),
    ],
)
def test_wrong_input_gets_one_line_on_stderr_and_exit_2(
    arguments: tuple[str, ...], message: str
) -> None:
    assert message in refusal(*arguments)


def test_help_shows_both_uses_all_options_and_an_example() -> None:
    for arguments in (("--help",), ("3", "A=", "--help")):
        result = run(*arguments)
        assert result.exit_code == 0
        text = " ".join(result.stdout.split())
        assert "carcassonne medina 3 A= B= C=3,5 D=2,4,8" in text
        assert "ROUND PLAYER=" in text
        for part in (*OPTION_VALUES, "simulate", "--total", "--tiles", "--json", "--option"):
            assert part in text


# ------------------------------------------------------------------------------ many games


def test_simulate_plays_games_and_shows_how_penalties_fall_out() -> None:
    result = run("simulate", "--games", "4", "--buyers", "wary,shunner,collector", "--seed", "3")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("4 games of purchases, seed 3, fits 0.9")
    for part in ("P1 wary", "P2 shunner", "P3 collector", "round 3", "an assumption"):
        assert part in result.stdout
    assert result.stderr == ""


def test_simulate_as_json_is_reproducible() -> None:
    arguments = ("simulate", "--games", "3", "--seed", "7", "--players", "4", "--json")
    result = run(*arguments)
    read = json.loads(result.stdout)
    assert run(*arguments).stdout == result.stdout
    assert run(*arguments[:4], "8", *arguments[5:]).stdout != result.stdout
    assert (read["games"], read["seed"], read["fits"]) == (3, 7, 0.9)
    assert read["options"]["medina_zero_pool"] == "places"
    assert [player["buyer"] for player in read["players"]] == ["wary"] * 4
    assert {number: sum(counts.values()) for number, counts in read["losses"].items()} == {
        "1": 12,
        "2": 12,
        "3": 12,
    }


def test_simulate_takes_options_tiles_and_its_name_after_options(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    text = data_path(DEFAULT_FILE).read_text(encoding="utf-8")
    own.write_text(text.replace("The Medina prices", "My prices"), encoding="utf-8")
    arguments = ("--games", "2", "simulate", "--json", "--tiles", str(own))
    read = json.loads(run(*arguments, "--option", "medina_zero_pool=all").stdout)
    assert read["games"] == 2
    assert read["note"].startswith("My prices")
    assert read["options"]["medina_zero_pool"] == "all"
    assert (
        "With medina_final_tie=share."
        in run("simulate", "--games", "1", "--option", "medina_final_tie=share").stdout
    )


@pytest.mark.parametrize("columns", [60, 120])
def test_simulate_keeps_to_the_width(columns: int) -> None:
    result = run("simulate", "--games", "1", "--players", "6", columns=columns)
    assert result.exit_code == 0
    assert max(map(len, result.stdout.splitlines())) <= columns
    assert "…" not in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--games", "0"), "0 is not in the range"),
        (("--games", "x"), "not a valid integer"),
        (("--players", "1"), "1 is not in the range"),
        (("--players", "7"), "7 is not in the range"),
        (("--players", "3", "--buyers", "wary,wary"), "2 buyers are named for 3 players"),
        (("--buyers", "wary,miser"), "buyer 'miser' is unknown; known: random"),
        (("--buyers", ",".join(["wary"] * 7)), "two to six players are needed, not 7"),
        (("--seed", "x"), "not a valid integer"),
        (("--fits", "2"), "2.0 is not in the range"),
        (("--fits", "nan"), "0 to 1, not nan"),
        (("--option", "medina_final_tie=toss"), "next_price_then_share or share"),
        (("--tiles", "/nowhere.toml"), "No such file"),
        (("extra",), "unexpected extra argument"),
        (("--nothing",), "No such option"),
    ],
)
def test_simulate_refuses_wrong_input_in_one_line(arguments: tuple[str, ...], message: str) -> None:
    assert message in refusal("simulate", *arguments)


def test_ctrl_c_shows_the_games_that_were_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_number: int, buyers: list[str], **_rest: object) -> Iterator[PurchaseGame]:
        yield from played_games(2, buyers, seed=1)
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "played_games", interrupted)
    result = run("simulate", "--games", "9", "--json")
    assert result.exit_code == 130
    assert json.loads(result.stdout)["games"] == 2
    assert result.stderr == "interrupted: 2 of 9 games are counted\n"


def test_help_of_simulate_lists_the_buyers_and_an_example() -> None:
    result = run("simulate", "--help")
    assert result.exit_code == 0
    text = " ".join(result.stdout.split())
    assert "carcassonne medina simulate --games 200 --seed 7 --players 4" in text
    for part in (*BUYERS, *OPTION_VALUES):
        assert part in text
