"""The rule register: complete, readable, true to the options, and listed by the command."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import FrozenInstanceError
from importlib import resources

import pytest
from click.testing import CliRunner, Result

from carcassonne.cli.rules import command
from carcassonne.rule_register import (
    RuleEntry,
    UnknownRule,
    is_rule,
    register,
    rule,
    rules_under,
)

SIZES = {"R-BASE": 30, "R-BRIDGE": 32, "R-CASTLE": 40, "R-BAZAAR": 33, "R-MEDINA": 26}
IDS = [f"{group}-{number}" for group, size in SIZES.items() for number in range(1, size + 1)]

OPTIONS = {
    "tiny_city_points",
    "tiny_city_pennant_points",
    "farm_points_per_city",
    "castle_farm_points",
    "inns_enabled",
    "bridges_per_player",
    "castles_per_player",
    "bridge_max_per_tile",
    "bridge_adjacent_mode",
    "bridge_requires_road_contact",
    "bridge_decline_discards",
    "road_count_mode",
    "castle_chooser",
    "castle_follower_rule",
    "castle_same_turn",
    "castle_multi_choice",
    "bazaar_mode",
    "bazaar_skip_if_short",
    "bazaar_allow_negative",
    "bazaar_on_set_aside",
    "farmers",
    "bazaar_max_bid",
    "bazaar_builder_order",
    "bazaar_nested",
    "bazaar_unplaceable",
    "medina_zero_pool",
    "medina_final_tie",
    "medina_allow_negative_total",
}

MISSING_PIECES = [
    "R-BRIDGE-32",
    "R-CASTLE-23",
    "R-CASTLE-38",
    "R-CASTLE-39",
    "R-CASTLE-40",
    "R-BAZAAR-23",
    "R-BAZAAR-24",
    "R-BAZAAR-33",
]

SOURCES = ("manual: ", "clarification: ", "inference", "open: ")


def run(*arguments: str, columns: int = 100) -> Result:
    return CliRunner().invoke(command, arguments, env={"COLUMNS": str(columns)})


def listed(*arguments: str) -> list[str]:
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return [entry["id"] for entry in json.loads(result.stdout)]


# ------------------------------------------------------------------------------ the register


def test_every_numbered_rule_has_one_entry_in_order() -> None:
    assert list(register()) == IDS
    assert len(IDS) == 161


def test_the_file_has_no_keys_that_are_silently_passed_over() -> None:
    text = resources.files("carcassonne").joinpath("rule_register.toml").read_text("utf-8")
    keys = {key for entry in tomllib.loads(text).values() for key in entry}
    assert keys == {"text", "source", "options", "needs"}


@pytest.mark.parametrize("name", IDS)
def test_a_text_is_one_plain_sentence_of_moderate_length(name: str) -> None:
    text = rule(name).text
    assert re.fullmatch(r"[A-Z].*[^.\s]\.", text)
    assert not re.search(r"[.?]\s", text), "more than one sentence"
    assert text.isascii()
    assert text == " ".join(text.split())
    assert len(text) <= 200


def test_no_two_rules_say_the_same() -> None:
    texts = [entry.text.lower() for entry in register().values()]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("name", IDS)
def test_a_source_starts_with_its_kind_and_names_public_sources_in_words(name: str) -> None:
    source = rule(name).source
    assert source.startswith(SOURCES)
    assert source.isascii()
    assert not re.search(r"\bS-[ABC]\b|\b(JCZ|WC\d?|PG|GK|TTS)\b|[/\\]", source)


def test_the_register_names_every_option_and_no_other() -> None:
    named = [option for entry in register().values() for option in entry.options]
    assert set(named) == OPTIONS
    for entry in register().values():
        assert len(set(entry.options)) == len(entry.options), entry.id


def test_rules_for_pieces_that_are_not_there_say_which() -> None:
    assert [entry.id for entry in register().values() if entry.needs] == MISSING_PIECES
    assert rule("R-CASTLE-23").needs == "builder"
    assert rule("R-CASTLE-33").needs is None
    assert all(entry.needs is None or entry.needs.strip() for entry in register().values())


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("R-BASE-26", ("tiny_city_points",)),
        ("R-BRIDGE-22", ("bridge_adjacent_mode", "bridge_requires_road_contact")),
        ("R-CASTLE-33", ("castle_farm_points",)),
        ("R-BAZAAR-5", ("bazaar_skip_if_short",)),
        ("R-BASE-25", ()),
    ],
)
def test_an_entry_names_the_options_that_change_it(name: str, options: tuple[str, ...]) -> None:
    assert rule(name).options == options


def test_the_register_is_read_once_and_cannot_be_changed() -> None:
    assert register() is register()
    with pytest.raises(TypeError):
        register()["R-BASE-1"] = rule("R-BASE-2")  # type: ignore[index]
    entry = rule("R-BASE-1")
    with pytest.raises(FrozenInstanceError):
        entry.text = "no"  # type: ignore[misc]
    assert not hasattr(entry, "__dict__")


def test_an_entry_knows_its_group() -> None:
    assert {entry.group for entry in register().values()} == set(SIZES)
    assert RuleEntry("R-BASE-1", "Text.", "inference").group == "R-BASE"


def test_is_rule_wants_the_exact_id() -> None:
    assert is_rule("R-BRIDGE-9")
    for wrong in ("R-BRIDGE", "R-BRIDGE-33", "R-BRIDGE-0", "R-BRIDGE-09", "r-bridge-9", ""):
        assert not is_rule(wrong)


@pytest.mark.parametrize(
    ("wrong", "nearest"),
    [
        ("R-BRIGDE-9", "R-BRIDGE-9"),
        ("r-castle-13", "R-CASTLE-13"),
        ("R-BASE-99", "R-BASE-9"),
        ("BAZAAR-31", "R-BAZAAR-31"),
        ("R-CASTLE", "R-CASTLE-9"),
    ],
)
def test_an_unknown_id_is_refused_with_the_nearest_ones(wrong: str, nearest: str) -> None:
    with pytest.raises(UnknownRule) as caught:
        rule(wrong)
    message = str(caught.value)
    assert repr(wrong) in message
    assert re.search(rf"\b{nearest}\b", message.partition("did you mean")[2])
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize("wrong", ["", "zzz", "XX"])
def test_a_name_like_no_rule_gets_no_far_fetched_suggestion(wrong: str) -> None:
    with pytest.raises(UnknownRule, match="'carcassonne rules' lists them all") as caught:
        rule(wrong)
    assert "did you mean" not in str(caught.value)


def test_a_group_name_finds_that_group_and_an_id_only_itself() -> None:
    for group, size in SIZES.items():
        assert [e.id for e in rules_under(group)] == [f"{group}-{n + 1}" for n in range(size)]
    assert rules_under("R-CASTLE-1") == (rule("R-CASTLE-1"),)
    assert rules_under("r-castle-1") == (rule("R-CASTLE-1"),)
    with pytest.raises(UnknownRule, match="R-CASTLE"):
        rules_under("R-CASTEL")


# ------------------------------------------------------------------------------ the command


def test_the_command_lists_all_rules() -> None:
    result = run()
    assert result.exit_code == 0
    for name in IDS:
        assert re.search(rf"^\s*{name}\s", result.stdout, re.MULTILINE), name
    assert listed() == IDS


def test_the_command_shows_one_rule_with_all_that_is_known_of_it() -> None:
    result = run("R-BAZAAR-24", columns=300)
    assert result.exit_code == 0
    entry = rule("R-BAZAAR-24")
    for part in (entry.id, entry.text, entry.source, "bazaar_builder_order", "needs: builder"):
        assert part in result.stdout
    assert "R-BAZAAR-2 " not in result.stdout


def test_the_command_lists_groups_and_several_names_each_rule_once() -> None:
    assert listed("R-CASTLE") == [name for name in IDS if name.startswith("R-CASTLE-")]
    assert listed("R-CASTLE-3") == ["R-CASTLE-3"]
    assert listed("r-base-5", "R-BASE-2", "R-BASE-5") == ["R-BASE-5", "R-BASE-2"]


def test_the_command_lists_rules_that_need_missing_pieces() -> None:
    assert listed("--needs") == MISSING_PIECES
    assert listed("R-BAZAAR", "--needs") == ["R-BAZAAR-23", "R-BAZAAR-24", "R-BAZAAR-33"]
    assert listed("R-BASE", "--needs") == []
    nothing = run("R-BASE", "--needs")
    assert nothing.exit_code == 0
    assert nothing.stdout.count("\n") == 1


def test_json_carries_every_field() -> None:
    result = run("R-BASE-13", "R-CASTLE-23", "--json")
    first, second = json.loads(result.stdout)
    assert first == {
        "id": "R-BASE-13",
        "text": rule("R-BASE-13").text,
        "source": rule("R-BASE-13").source,
        "options": ["road_count_mode", "inns_enabled"],
        "needs": None,
    }
    assert second["needs"] == "builder"


@pytest.mark.parametrize("columns", [60, 80, 140])
def test_the_table_wraps_and_keeps_ids_options_and_words_whole(columns: int) -> None:
    result = run(columns=columns)
    assert result.exit_code == 0
    assert max(map(len, result.stdout.splitlines())) <= columns
    words = result.stdout.replace(",", " ").split()
    for entry in register().values():
        assert entry.id in words
        assert set(entry.options) <= set(words)
    assert "…" not in result.stdout


@pytest.mark.parametrize("wrong", ["R-BRIDGE-99", "R-NOTHING", "R-BASE-", "two\nlines", ""])
@pytest.mark.parametrize("flags", [(), ("--json",), ("--needs",)])
def test_an_unknown_id_gives_one_line_on_stderr_and_exit_2(
    wrong: str, flags: tuple[str, ...]
) -> None:
    result = run("R-BASE-1", wrong, *flags)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert repr(wrong) in result.stderr
    assert "did you mean" in result.stderr or "lists them all" in result.stderr


def test_help_has_an_example() -> None:
    result = run("--help")
    assert result.exit_code == 0
    assert "carcassonne rules R-BRIDGE-9" in map(str.strip, result.stdout.splitlines())
