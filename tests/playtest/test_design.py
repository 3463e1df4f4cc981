"""Designs: what files and flags mean, how they are refused, and the coupling of stack orders."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carcassonne.playtest.design import (
    Arm,
    DesignError,
    checkpoints,
    contrasts,
    stack_order,
)
from carcassonne.playtest.design_file import load_design, parse_factor
from carcassonne.playtest.phrases import instead, phrase_of
from carcassonne.playtest.target import parse_until
from carcassonne.rules import Rules
from carcassonne.tiles import TileBox
from tests.playtest.synthetic import MEASURES

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

WHOLE = """
title = "Market and bridges"
games = 40
seed = 9
until = "±0.5 points of margin"
bots = ["greedy", "random"]
tile_sets = ["base", "bridges_castles_bazaars", "mine.toml"]
tile_counts = { X = 0 }
measures = ["more.py"]
[options]
tiny_city_points = 4
[factors]
bazaar_mode = ["auction", { label = "no market", value = "off" }]
bridges_per_player = ["none", 0, 5]
"tile_counts.BA/L" = [3, 0]
"""

OWN_TILES = """
format = "carcassonne-tiles/1"
name = "mine"
[[tile]]
id = "MY/1"
edges = "field field field field"
count = 2
fields = [{ halves = "NL NR EL ER SL SR WL WR" }]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a tile set and a file of measures of the user's own."""
    (tmp_path / "mine.toml").write_text(OWN_TILES)
    (tmp_path / "more.py").write_text("")
    return tmp_path


def load(folder: Path, text: str, **flags: object) -> Any:
    path = folder / "plan.toml"
    path.write_text(text, encoding="utf-8")
    return load_design(path, flags=flags)


def test_a_full_factorial_has_every_combination_as_an_arm(folder: Path) -> None:
    design = load(folder, WHOLE)
    assert [arm.levels for arm in design.arms] == [
        (i, j, k) for i in range(2) for j in range(3) for k in range(2)
    ]
    last = design.arms[-1]
    assert last.rules == Rules(tiny_city_points=4, bazaar_mode="off", bridges_per_player=5)
    assert last.tile_counts == {"BA/RRRR": 0, "BA/L": 0}
    assert last.box().counts["MY/1"] == 2
    assert (last.players, last.bots, last.turns) == (2, ("greedy", "random"), 2)
    assert (design.games, design.seed, design.title) == (40, 9, "Market and bridges")
    assert design.measures == (str(folder / "more.py"),)


def test_flags_override_the_file_key_by_key(folder: Path) -> None:
    design = load(
        folder, WHOLE, seed=4, games=None, bots=["random"], players=3,
        options={"farmers": False}, tile_counts={"BA/C": 0},
        factors=dict([parse_factor("bridges_per_player=1,2")]),
    )  # fmt: skip
    assert (design.seed, design.games, len(design.arms)) == (4, 40, 8)
    arm = design.arms[0]
    assert (arm.players, arm.bots, arm.turns) == (3, ("random",) * 3, 1)
    assert (arm.rules.farmers, arm.rules.tiny_city_points, arm.rules.bridges_per_player) == (
        False, 4, 1,
    )  # fmt: skip
    assert arm.tile_counts == {"BA/RRRR": 0, "BA/C": 0, "BA/L": 3}


def test_flags_alone_make_a_design() -> None:
    factors = dict(map(parse_factor, ("players=2,3", "bazaar_mode=auction,draft")))
    design = load_design(flags={"factors": factors, "bots": ["greedy"]})
    assert [(arm.players, arm.rules.bazaar_mode) for arm in design.arms] == [
        (2, "auction"), (2, "draft"), (3, "auction"), (3, "draft"),
    ]  # fmt: skip
    assert len(load_design().arms) == 1


def test_a_list_of_arms(folder: Path) -> None:
    design = load(
        folder,
        """
        players = 3
        [options]
        farmers = false
        [[arms]]
        name = "usual"
        [[arms]]
        name = "own tiles"
        players = 2
        bots = ["greedy", "random"]
        tile_sets = ["base", "mine.toml"]
        preset = "new_edition"
        options = { castle_chooser = "active_player_only" }
        tile_counts = { "MY/1" = 5 }
        """,
    )
    usual, own = design.arms
    assert (usual.players, usual.rules, usual.name) == (3, Rules(farmers=False), "usual")
    assert own.rules == Rules.preset(
        "new_edition", farmers=False, castle_chooser="active_player_only"
    )
    assert (own.players, own.box().counts["MY/1"]) == (2, 5)
    (contrast,) = contrasts(design)
    assert (contrast.plus, contrast.minus) == ((1,), (0,))


def test_contrasts_of_a_factorial_average_over_the_other_factors(folder: Path) -> None:
    found = contrasts(load(folder, WHOLE))
    assert [(c.factor, c.plus, c.minus) for c in found] == [
        ("bazaar_mode", (6, 7, 8, 9, 10, 11), (0, 1, 2, 3, 4, 5)),
        ("bridges_per_player", (2, 3, 8, 9), (0, 1, 6, 7)),
        ("bridges_per_player", (4, 5, 10, 11), (0, 1, 6, 7)),
        ("tile_counts.BA/L", (1, 3, 5, 7, 9, 11), (0, 2, 4, 6, 8, 10)),
    ]
    assert [c.phrase for c in found][:2] == [
        "no market instead of the auction",
        "no bridges instead of the usual bridges",
    ]


@pytest.mark.parametrize(
    ("factor", "levels", "words"),
    [
        ("tiny_city_points", (4, 2), "cities of two tiles at 4 instead of 2 points"),
        ("players", (3, 2), "3 instead of 2 players"),
        ("bridges_per_player", (3, 1), "3 bridges each instead of 1 bridge each"),
        ("bazaar_mode", ("draft", "auction"), "the draft instead of the auction"),
    ],
)
def test_what_is_alike_is_said_once(factor: str, levels: tuple[object, ...], words: str) -> None:
    assert instead(*(phrase_of(factor, level) for level in levels)) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("titel = 'x'", ["titel", "did you mean title?"]),
        ("games = 0", ["games", "0", "a whole number from 1"]),
        ("games = true", ["games", "whole number"]),
        ("seed = -1", ["seed", "whole number from 0"]),
        ("title = 3", ["title", "text"]),
        ("players = 7", ["players", "from 2 to 6"]),
        ("bots = ['gredy']", ["bots", "gredy", "did you mean greedy?"]),
        ("bots = []", ["bots", "one a seat or one for all"]),
        ("players = 3\nbots = ['greedy', 'random']", ["bots", "2 bots for 3 players"]),
        ("preset = 'third'", ["preset", "first_edition or new_edition"]),
        ("tile_sets = ['bases']", ["tile_sets", "bases", "unknown"]),
        ("tile_sets = ['none.toml']", ["tile_sets", "none.toml", "can't be read"]),
        ("tile_counts = { 'BA/ZZZ' = 1 }", ["tile_counts.BA/ZZZ", "in none of the sets"]),
        ("tile_counts = { 'BA/L' = -1 }", ["tile_counts.BA/L", "from 0 to 999"]),
        ("options = 3", ["options", "table"]),
        ("[options]\nfarmer = true", ["options.farmer", "did you mean farmers?"]),
        ("[options]\nbazaar_mode = 'sale'", ["options.bazaar_mode", "auction or draft or off"]),
        ("until = 'soon'", ["until", "'±0.5 points'"]),
        ("measures = ['no.py']", ["measures", "no.py", "no file"]),
        ("[factors]\nbazar_mode = [1, 2]", ["factors.bazar_mode", "did you mean bazaar_mode?"]),
        ("[factors]\nplayers = [2]", ["factors.players", "two levels or more"]),
        ("[factors]\nplayers = [2, 9]", ["factors.players, level 2", "from 2 to 6"]),
        ("[factors]\nplayers = [2, 2]", ["players, level 2", "'2' comes twice; take one away"]),
        ("[factors]\nplayers = [2, {value = 3}]", ["level 2", "label and value"]),
        ("[factors]\n" + "\n".join(
            f"{name} = [0, 1, 2, 3, 4]" for name in
            ("tiny_city_points", "farm_points_per_city", "castle_farm_points")
        ), ["factors", "125 arms, more than 64"]),
        ("[factors]\nplayers = [2, 3]\n[[arms]]\nname = 'a'", ["arms", "either factors or arms"]),
        ("arms = 3", ["arms", "[[arms]]"]),
        ("[[arms]]\nplayers = 2", ["arms, entry 1", "no name"]),
        ("[[arms]]\nname = 'a'\n[[arms]]\nname = 'a'", ["entry 2, name", "there already"]),
        ("[[arms]]\nname = 'a'\ngames = 3", ["arms, entry 1", "games", "is no key"]),
        ("[[arms]]\nname = 'a'\noptions = {farmers = 3}", ["entry 1, options.farmers", "true"]),
        ("not toml", ["is no TOML"]),
    ],
)  # fmt: skip
def test_a_wrong_file_is_refused_by_file_and_key(
    folder: Path, text: str, words: Sequence[str]
) -> None:
    with pytest.raises(ValueError, match=r"plan\.toml") as refusal:
        load(folder, text)
    for word in words:
        assert word in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        ({"players": 9}, ["--players", "from 2 to 6"]),
        ({"options": {"farmers": 2}}, ["--option farmers", "true or false"]),
        ({"tile_counts": {"BA/ZZZ": 1}}, ["--tile-count BA/ZZZ", "none of the sets"]),
        ({"factors": {"colour": [1, 2]}}, ["--factor colour", "is no factor"]),
        ({"players": 2, "factors": {"players": [2, 3]}}, ["--players", "the factor players"]),
        (
            {"options": {"farmers": True}, "factors": {"farmers": [True, False]}},
            ["--option farmers: the factor farmers sets it already"],
        ),
        (
            {"tile_counts": {"BA/L": 0}, "factors": {"tile_counts.BA/L": [1, 2]}},
            ["--tile-count BA/L: the factor tile_counts.BA/L sets it already"],
        ),
        (
            {"tile_counts": {"X": 0}, "factors": {"tile_counts.BA/RRRR": [0, 1]}},
            ["is the tile BA/RRRR, as in --tile-count X"],
        ),
        (
            {"bots": ["random"], "factors": {"bots": [["random"], ["greedy"]]}},
            ["--bots: the factor bots sets it already"],
        ),
        ({"factors": {"farmers": [True, True]}}, ["level 2: 'on' comes twice; take one away"]),
        ({"until": "±0 points"}, ["--until", "above 0"]),
    ],
)
def test_a_wrong_flag_is_refused_by_name(flags: dict[str, object], words: list[str]) -> None:
    with pytest.raises(DesignError) as refusal:
        load_design(flags=flags)
    for word in words:
        assert word in str(refusal.value)


@pytest.mark.parametrize(
    ("fixed", "factor"),
    [
        ("players = 3", "players = [2, 3]"),
        ("bots = ['random']", "bots = [['random'], ['greedy']]"),
        ("preset = 'new_edition'", "preset = ['first_edition', 'new_edition']"),
        ("tile_sets = ['base']", "tile_sets = [['base'], ['base', 'bridges_castles_bazaars']]"),
        ("tile_counts = { 'BA/L' = 0 }", '"tile_counts.BA/L" = [1, 2]'),
        ("options = { farmers = true }", "farmers = [true, false]"),
    ],
)
def test_what_a_file_fixes_beside_a_factor_is_refused(
    folder: Path, fixed: str, factor: str
) -> None:
    with pytest.raises(DesignError, match=r"plan\.toml: [\w./]+: the factor .* sets it already"):
        load(folder, f"{fixed}\n[factors]\n{factor}")
    load(folder, f"{fixed}\n[factors]\ntiny_city_points = [2, 4]")


def test_a_factor_given_as_a_flag_wins_over_what_a_file_fixes(folder: Path) -> None:
    design = load(folder, "players = 3\n[options]\nfarmers = false", factors={"players": [2, 4]})
    assert [arm.players for arm in design.arms] == [2, 4]
    design = load(folder, "[options]\nfarmers = false", factors={"farmers": [True, False]})
    assert [arm.rules.farmers for arm in design.arms] == [True, False]


def test_an_option_that_an_arm_would_ignore_is_refused(folder: Path) -> None:
    arm = "[[arms]]\nname = 'a'\noptions = { farmers = true }"
    with pytest.raises(DesignError, match="--option farmers: the arm 'a' sets it already"):
        load(folder, arm, options={"farmers": False})
    assert load(folder, arm, options={"tiny_city_points": 4}).arms[0].rules.tiny_city_points == 4


def test_a_flag_that_an_arm_would_ignore_is_refused(folder: Path) -> None:
    with pytest.raises(DesignError, match="--players: the arm 'a' sets it already"):
        load(folder, "[[arms]]\nname = 'a'\nplayers = 3", players=2)


def test_factors_as_flags() -> None:
    assert parse_factor("tile_counts.BA/L=0,3") == ("tile_counts.BA/L", [0, 3])
    assert parse_factor("farmers = true,false") == ("farmers", [True, False])
    assert parse_factor("bots=greedy+random,greedy") == ("bots", [["greedy", "random"], ["greedy"]])
    for text in ("players", "=2,3", "players=2,,3", "players="):
        with pytest.raises(DesignError, match="--factor"):
            parse_factor(text)


@pytest.mark.parametrize(
    ("bots", "turns"),
    [("aa", 1), ("ab", 2), ("abab", 2), ("aab", 3), ("aaaa", 1), ("abcabc", 3), ("abac", 4)],
)
def test_seats_rotate_as_often_as_it_makes_a_difference(bots: str, turns: int) -> None:
    arm = Arm("x", Rules(), ("base",), {}, len(bots), tuple(bots))
    assert arm.turns == turns
    assert len({arm.seating(turn) for turn in range(12)}) == turns


# ------------------------------------------------------------------------------ stack orders


@given(st.integers(0, 99), st.integers(0, 9), st.sampled_from(["BA/L", "BA/C", "BB/F.b"]))
@settings(max_examples=25, deadline=None)
def test_arms_that_share_tiles_share_their_order(seed: int, unit: int, left_out: str) -> None:
    sets = ["base", "bridges_castles_bazaars"]
    whole = stack_order(TileBox.load(sets), seed, unit)
    without = stack_order(TileBox.load(sets, counts={left_out: 0}), seed, unit)
    assert without == [tile for tile in whole if tile != left_out]
    larger = stack_order(TileBox.load([*sets, "inns_cathedrals"]), seed, unit)
    shared = set(whole)
    assert [tile for tile in larger if tile in shared] == whole


def test_a_copy_more_leaves_the_others_in_their_order() -> None:
    box = TileBox.load(["base"], counts={"BA/L": 4})
    fewer = TileBox.load(["base"], counts={"BA/L": 3})
    order = stack_order(box, 1, 1)
    places = [i for i, tile in enumerate(order) if tile == "BA/L"]
    assert stack_order(fewer, 1, 1) in [order[:i] + order[i + 1 :] for i in places]


def test_a_stack_holds_the_box_without_its_start_tile() -> None:
    box = TileBox.load(["base", "bridges_castles_bazaars"])
    assert Counter(stack_order(box, 5, 7)) == Counter(tile.id for tile in box.stack())
    assert stack_order(box, 5, 7) == stack_order(box, 5, 7) != stack_order(box, 5, 8)
    assert stack_order(box, 5, 7) != stack_order(box, 57, 7)


def test_every_order_is_equally_likely() -> None:
    """Chi-square over the 24 orders of four different tiles: 23 degrees of freedom."""
    box = TileBox.load(["base"])
    four = [tile for tile in box.types if box.counts[tile] and not box.types[tile].start][:4]
    small = TileBox.load(["base"], counts={t: int(t in four) for t in box.types})
    units = 4800
    orders = Counter(tuple(stack_order(small, 3, unit)) for unit in range(units))
    assert len(orders) == 24
    expected = units / 24
    chi = sum((count - expected) ** 2 / expected for count in orders.values())
    assert 9.3 < chi < 44.2  # the 0.5 % and 99.5 % points


def test_equal_copies_take_every_place_equally_often() -> None:
    """Where the copies of one tile lie in the whole box, over ten tenths of the stack."""
    box = TileBox.load(["base"])
    tile = max(box.counts, key=lambda name: box.counts[name])
    tenths = [0] * 10
    for unit in range(400):
        order = stack_order(box, 11, unit)
        for place, name in enumerate(order[:70]):
            tenths[place // 7] += name == tile
    expected = sum(tenths) / 10
    chi = sum((count - expected) ** 2 / expected for count in tenths)
    assert chi < 23.6  # 99.5 % point of 9 degrees of freedom; draws without return spread less


# ------------------------------------------------------------------------------ precision


@pytest.mark.parametrize(
    ("text", "width", "unit", "name"),
    [
        ("±0.5 points", 0.5, "points", ""),
        ("+-1 %", 0.01, "share", ""),
        ("+/- 2%", 0.02, "share", ""),
        ("0.25 percentage points", 0.0025, "share", ""),
        ("±0.5 points of margin", 0.5, "points", "margin"),
        ("±1 % of win seat 1", 0.01, "share", "win seat 1"),
    ],
)
def test_precisions_are_read(text: str, width: float, unit: str, name: str) -> None:
    target = parse_until(text)
    assert target.half_width == pytest.approx(width)
    assert (target.unit, target.name) == (unit, name)


@pytest.mark.parametrize("text", ["", "±", "points", "±0 points", "±x points", "±1", "-1 points"])
def test_other_precisions_are_refused(text: str) -> None:
    with pytest.raises(DesignError, match="a number above 0 and a unit"):
        parse_until(text)


def test_a_precision_picks_its_measures() -> None:
    names = [measure.name for measure in MEASURES]

    def picked(text: str) -> list[str]:
        return [names[i] for i in parse_until(text).pick(MEASURES)]

    assert picked("±1 point") == ["score_seat_1", "score_seat_2", "margin"]
    assert picked("±1 %") == ["win_seat_1", "win_seat_2"]
    assert picked("±1 points of margin") == ["margin"]
    assert picked("±1 points of points") == ["points_road", "points_city", "points_castle"]
    assert picked("±1 turns") == ["length"]
    for text, words in [
        ("±1 metres", "nothing is measured in metres"),
        ("±1 % of margin", "margin is measured in points"),
        ("±1 points of margins", "did you mean margin"),
        ("±1 points of castel", "did you mean points_castle"),
        ("±1 points of xyzzy", "measures are score_seat_1, score_seat_2, "),
    ]:
        with pytest.raises(DesignError, match=words):
            picked(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("+-1 points of margin", "±1 points of margin"),
        ("0.5 points", "±0.5 points of score_seat_1, score_seat_2 and margin"),
        ("±2.5 pp", "±2.5 % of win_seat_1 and win_seat_2"),
        ("±1 turns", "±1 turns of length"),
    ],
)
def test_a_precision_names_the_measures_that_it_means(text: str, words: str) -> None:
    assert parse_until(text).told(MEASURES) == words


def test_looks_are_fixed_beforehand_and_few() -> None:
    assert list(checkpoints(10)) == [10]
    looks = list(checkpoints(100_000))
    assert looks[0] == 32
    assert looks[-1] == 100_000
    assert looks == sorted(set(looks))
    assert len(looks) < 45
    assert looks[:10] == list(checkpoints(5_000))[:10]
