"""Every scenario file holds, and scenarios can fail: the desk itself is checked."""

from __future__ import annotations

import shutil
import textwrap
from pathlib import Path

import pytest

from carcassonne.errors import ScenarioError
from carcassonne.scenario import find_scenarios, run_file, run_text

FOLDER = Path(__file__).parent / "scenarios"


@pytest.mark.parametrize("path", find_scenarios([FOLDER]), ids=lambda path: path.stem)
def test_scenario_is_as_expected(path: Path) -> None:
    """Each file under tests/scenarios passes."""
    result = run_file(path)
    assert result.passed, "\n".join(map(str, result.failures))
    assert result.rules, "a scenario names the rules that it shows"


START = """
title = "a case"
[given]
stack = ["BA/C", "BA/RRR", "BB/F.b", "BA/L", "BA/L", "BA/L"]
"""

WRONG = {
    "scores": 'play = "place BA/C 0,-1 r180"\nexpect = { scores = { A = 5 } }',
    "meeples": "expect = { meeples = { A = 6 } }",
    "bridges": "expect = { bridges = { B = 2 } }",
    "castles": "expect = { castles = { B = 2 } }",
    "decision": 'expect = { decision = "meeple" }',
    "player": 'expect = { player = "B" }',
    "active": 'expect = { active = "B" }',
    "drawn": 'expect = { drawn = "BA/L" }',
    "stack": "expect = { stack = 4 }",
    "discarded": 'expect = { discarded = ["BA/L"] }',
    "on_offer": 'expect = { on_offer = ["BA/L"] }',
    "hands": 'expect = { hands = { A = "BA/L" } }',
    "high_bid": "expect = { high_bid = 1 }",
    "winners": 'expect = { winners = ["A"] }',
    "placements": "expect = { placements = 99 }",
    "cells": 'expect = { cells = ["0,-1"] }',
    "features tiles": 'expect = { features = [{ at = "0,0 road.E", tiles = 2 }] }',
    "features open": 'expect = { features = [{ at = "0,0 road.E", open = 1 }] }',
    "features complete": 'expect = { features = [{ at = "0,0 road.E", complete = true }] }',
    "features points": 'expect = { features = [{ at = "0,0 road.E", points = 2 }] }',
    "features pennants": 'expect = { features = [{ at = "0,0 city.N", pennants = 1 }] }',
    "features meeples": 'expect = { features = [{ at = "0,0 city.N", meeples = { A = 1 } }] }',
    "features missing": 'expect = { features = [{ at = "0,0 city.S", tiles = 1 }] }',
    "joined": 'expect = { joined = [["0,0 road.E", "0,0 city.N"]] }',
    "apart": 'expect = { apart = [["0,0 road.E", "0,0 road.W"]] }',
    "castle": 'expect = { castle = [{ at = "0,0 city.N" }] }',
    "events": 'expect = { events = [{ player = "A", points = 3 }] }',
    "refuse": 'refuse = "place BA/C 0,-1 r180"',
    "refuse rule": 'refuse = "place BA/C 0,-1 r0"\nrule = "R-BRIDGE-8"',
    "allow": 'allow = ["place BA/C 0,-1 r180", "place BA/C 0,-1 r0"]',
    "offers": 'offers = ["pass"]',
    "play": 'play = "place BA/C 0,-1 r0"',
    "undo": "undo = 1",
    "stop": 'play = "place BA/C 0,-1 r180"\nstop = true',
}


@pytest.mark.parametrize("key", WRONG)
def test_each_key_can_fail(key: str) -> None:
    """A wrong expectation is a failure that names its step and key."""
    result = run_text(f"{START}[[steps]]\n{WRONG[key]}\n")
    assert not result.passed
    assert result.failures[0].step == 1
    assert key.partition(" ")[0] in result.failures[0].key


BROKEN = {
    "title": "[given]\n",
    "steps[1].expect.scores": 'title = "x"\n[[steps]]\nexpect = { scores = { Z = 1 } }',
    "steps[2].expect": 'title = "x"\n[[steps]]\nsettle = true\n[[steps]]\nexpect = { score = 1 }',
    "unknown field": 'title = "x"\nsurprise = 1',
    "rules": 'title = "x"\nrules = ["R-BASE-99"]',
    "steps[1].rule": 'title = "x"\n[[steps]]\nplay = "pass"\nrule = "R-BASE-4"',
    "steps[1].play": 'title = "x"\n[[steps]]\nplay = "jump"',
    "steps[1].refuse": 'title = "x"\n[[steps]]\nrefuse = ["place BA/C 0,0"]',
    "steps[1]: ": 'title = "x"\n[[steps]]',
    "use one of": 'title = "x"\n[[steps]]\nundo = 1\nreload = true',
    "given.tiles": 'title = "x"\n[given]\ntiles = ["BA/C 0,0 r0", "BA/L 0,-1 r0"]',
    "two tiles": 'title = "x"\n[given]\ntiles = ["BA/C 0,0 r0", "BA/C 0,0 r90"]',
    "BA/Z": 'title = "x"\n[given]\ntiles = ["BA/Z 0,0 r0"]',
    "must be written": 'title = "x"\n[given]\ntiles = ["BA/C 0,0"]',
    "given.bridges": 'title = "x"\n[given]\nbridges = ["0,0 NS"]',
    "R-BRIDGE-18": (
        'title = "x"\n[given]\ntiles = ["BA/L 0,0 r0"]\nbridges = ["0,0 NS", "0,0 EW"]'
    ),
    "given.meeples": 'title = "x"\n[given]\nmeeples = ["A 0,0 road.N"]',
    "no player": 'title = "x"\n[given]\nmeeples = ["Z 0,0 road.E"]',
    "given.castles": 'title = "x"\n[given]\ncastles = ["A 0,0 city.N"]',
    "R-CASTLE-3": (
        'title = "x"\n[given]\ntiles = ["BB/CFR! 0,0 r0", "BA/C -1,0 r90"]\n'
        'castles = ["A 0,0 city.W"]'
    ),
    "given.pigs": 'title = "x"\n[given]\npigs = ["A 0,0 road.E"]',
    "barn": ('title = "x"\n[given]\nbarns = ["A 0,0 field.SL"]\nmeeples = ["B 0,0 field.SR"]'),
    "given.supply": 'title = "x"\n[given]\nsupply = { A = { meeple = 3 } }',
    "given.supply.B.meeples": (
        'title = "x"\n[given]\nsupply = { A = { meeples = 1 }, B = { meeples = -1 } }'
    ),
    "steps[1].undo": 'title = "x"\n[[steps]]\nundo = 0',
    "steps[1].expect.features": 'title = "x"\n[[steps]]\nexpect = { features = [{ at = "0,0" }] }',
    "steps[1].expect.joined": 'title = "x"\n[[steps]]\nexpect = { joined = [["0,0 road.E", "x"]] }',
    "steps[1].expect.drawn": 'title = "x"\n[[steps]]\nexpect = { drawn = "BA/QQ" }',
    "steps[1].expect.hands": 'title = "x"\n[[steps]]\nexpect = { hands = { A = "BA/QQ" } }',
    "steps[1].expect.decision": 'title = "x"\n[[steps]]\nexpect = { decision = "foo" }',
    "steps[1].expect.events": 'title = "x"\n[[steps]]\nexpect = { events = [{ rule = "X" }] }',
    "steps[1].expect.cells": 'title = "x"\n[[steps]]\nexpect = { cells = ["a"] }',
    "steps[1].expect.stack": 'title = "x"\n[[steps]]\nexpect = { stack = -1 }',
    "steps[1].refuse: tile 'XX/Q'": 'title = "x"\n[[steps]]\nrefuse = "place XX/Q 0,0 r0"',
    "given.scores": 'title = "x"\n[given]\nscores = { A = "many" }',
    "given.active": 'title = "x"\n[given]\nactive = "Z"',
    "given.stack": 'title = "x"\n[given]\nstack = ["BA/Z"]',
    "option 'tiny_points'": 'title = "x"\n[options]\ntiny_points = 4',
    "option tiny_city_points": 'title = "x"\n[options]\ntiny_city_points = "four"',
    "preset": 'title = "x"\npreset = "third_edition"',
    "tile set": 'title = "x"\ntile_sets = ["bases"]',
    "copies": 'title = "x"\ntile_sets = ["base*0"]',
    "tile_counts": 'title = "x"\ntile_counts = { "BA/L" = -1 }',
    "player name": 'title = "x"\nplayers = ["A", "A"]',
    "players": 'title = "x"\nplayers = []',
    "no TOML": 'title = "x',
}


@pytest.mark.parametrize("text", BROKEN)
def test_broken_file_is_one_clear_error(text: str) -> None:
    """What can't be read is an error of the file that names the key, not a failure."""
    with pytest.raises(ScenarioError) as error:
        run_text(BROKEN[text], "case.toml")
    assert str(error.value).startswith("case.toml: ")
    assert text in str(error.value)
    assert "\n" not in str(error.value)


def test_optional_decisions_are_passed_across_the_end_of_a_turn() -> None:
    """A `play` passes bridge, meeple and castle decisions that stand before its own."""
    text = textwrap.dedent("""
        title = "two places in a row"
        [given]
        stack = ["BA/L", "BA/L", "BA/L"]
        [[steps]]
        play = ["place BA/L 0,1 r0", "place BA/L 1,1 r0"]
        expect = { active = "B", meeples = { A = 7 }, bridges = { A = 3 } }
        [[steps]]
        settle = true
        expect = { active = "A", decision = "place" }
        """)
    assert run_text(text).passed


def test_own_tile_set_is_found_beside_the_scenario(tmp_path: Path) -> None:
    """A relative path of a tile set starts at the scenario's folder."""
    (tmp_path / "mine.toml").write_text(
        'format = "carcassonne-tiles/1"\nname = "mine"\n[[tile]]\nid = "ME/X"\nstart = 1\n'
        'edges = "field field field field"\n'
        'fields = [{ halves = "NL NR EL ER SL SR WL WR" }]\n',
        encoding="utf-8",
    )
    case = tmp_path / "case.toml"
    case.write_text(
        'title = "a set of my own"\ntile_sets = ["mine.toml"]\n[given]\nstack = ["ME/X"]\n'
        "[[steps]]\nexpect = { placements = 16 }\n",
        encoding="utf-8",
    )
    assert run_file(case).passed


def test_a_player_named_like_a_cell_can_own_a_castle() -> None:
    """The owner of a castle is told by the number of words, not by the look of a name."""
    text = textwrap.dedent("""
        title = "a name that looks like a cell"
        players = ["0,0", "B"]
        [given]
        tiles = ["BA/C 0,0 r0", "BA/C 0,-1 r180"]
        castles = ["0,0 0,0 city.N"]
        stack = ["BA/L"]
        [[steps]]
        expect = { castle = [{ at = "0,0 city.N", owner = "0,0", occupied = true }] }
        """)
    assert run_text(text).passed


def test_a_tile_set_beside_the_cases_is_no_case(tmp_path: Path) -> None:
    """A folder may hold the tile sets that its cases use."""
    (tmp_path / "case.toml").write_text('title = "x"\n', encoding="utf-8")
    shutil.copy(FOLDER.parents[1] / "tile_defs" / "river.toml", tmp_path / "river.toml")
    assert [path.name for path in find_scenarios([tmp_path])] == ["case.toml"]


def test_an_abbey_closes_a_bridge_in_a_position_as_in_play() -> None:
    """A bridge beside an abbey ends there, whichever was laid first (R-BRIDGE-24)."""
    text = textwrap.dedent("""
        title = "a bridge beside an abbey"
        tile_sets = ["base", "bridges_castles_bazaars", "abbey_mayor"]
        [given]
        tiles = ["BA/L 0,0 r0", "AM/A 1,0 r0"]
        bridges = ["0,0 EW"]
        stack = ["BA/L"]
        [[steps]]
        expect = { features = [{ at = "0,0 road.E", open = 1 }] }
        """)
    assert run_text(text).passed
