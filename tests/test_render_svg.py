"""Pictures: whole, reproducible, small, and showing what lies on the table."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings

from carcassonne import Game, Rules
from carcassonne.errors import CarcassonneError
from carcassonne.playtest.steering import steered
from carcassonne.render.layout import layout
from carcassonne.render.lettering import text_svg
from carcassonne.render.outlines import outlines
from carcassonne.render.png import svg_to_png
from carcassonne.render.raster import SIZE, Raster
from carcassonne.render.svg import board_svg, sheet_svg, tile_svg
from carcassonne.scenario import run_text
from carcassonne.tiles import TileBox, tile_set_from_data
from tests.strategies import examples, tile_set_data

if TYPE_CHECKING:
    from typing import Any

    from carcassonne.tiles import TileType

SETS = (
    "base",
    "bridges_castles_bazaars",
    "inns_cathedrals",
    "traders_builders",
    "abbey_mayor",
    "river",
)
TILES = list(TileBox.load(SETS).types.values())
TOKENS = """
title = "all that can stand on a table"
players = ["Anna", "Bert", "Cleo"]
[given]
tiles = [
  "BA/RFr 0,0 r0", "BA/L 1,0 r0", "BA/RFr 2,0 r0", "BA/C 4,0 r180", "BA/C 4,1 r0",
  "BA/C 6,0 r90", "BA/C 7,0 r270", "BA/RFr 0,2 r90", "BA/L 2,2 r0",
]
bridges = ["1,0 EW", "0,2 EW"]
meeples = [
  "Anna 1,0 road.E", "Bert 1,0 cloister", "Cleo 1,0 field.NL",
  "Anna 0,2 road.E", "Bert 0,2 road.N", "Cleo 0,2 field.EL",
]
castles = ["Anna 4,0 city.S", "6,0 city.E"]
pigs = ["Bert 2,2 field.NL"]
"""
BARN = """
title = "a barn"
[given]
tiles = ["BA/L 0,0 r0"]
barns = ["B 0,0 field.NL"]
"""


def table(text: str) -> Game:
    game = run_text(text).game
    assert game is not None
    return game


def played(seed: int, tiles: int, **options: Any) -> Game:
    """A game in which castles and bridges are sought, up to so many tiles."""
    game = Game.new(["Anna", "Bert", "Cleo", "Dora"], seed=seed, **options)
    rng = random.Random(seed)
    while not game.is_over and len(game.tiles) < tiles:
        game.play(steered(rng, game))
    return game


def whole(svg: str) -> ET.Element:
    """Well-formed, every reference defined, every id once, nothing but numbers of one decimal."""
    root = ET.fromstring(svg)  # noqa: S314 - our own picture
    ids = re.findall(r' id="([^"]+)"', svg)
    assert len(ids) == len(set(ids))
    used = set(re.findall(r'href="#([^"]+)"', svg)) | set(re.findall(r"url\(#([^)]+)\)", svg))
    assert used <= set(ids)
    assert "nan" not in svg
    assert "inf" not in re.sub(r"<title>[^<]*</title>", "", svg)
    return root


def titles(root: ET.Element) -> list[str]:
    return [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}title")]


def uses(svg: str, kind: str) -> int:
    """How often something of a kind is drawn outside the strip of the players."""
    board = svg[svg.rindex("</defs>") :]
    return len(re.findall(rf'href="#{kind}-[0-9a-f]{{8}}"', board))


# ------------------------------------------------------------------------------ tiles


@pytest.mark.parametrize("tile", TILES, ids=lambda tile: tile.id)
def test_every_shipped_tile_draws_itself_in_each_rotation(tile: TileType) -> None:
    pictures = [tile_svg(tile, rotation=rotation) for rotation in range(4)]
    for picture in pictures:
        assert titles(whole(picture)) == [tile.id]
    if len(tile.rotations) > 1:
        assert len(set(pictures)) > 1


@pytest.mark.parametrize("tile", TILES, ids=lambda tile: tile.id)
def test_the_lines_of_a_shipped_tile_part_its_fields_as_defined(tile: TileType) -> None:
    """What one sees is what counts: each field is one area, apart from every other."""
    raster = Raster(tile, outlines(tile))
    for segment in tile.variants[0].segments:
        if segment.kind == "field":
            spots = {i for i, label in enumerate(raster.labels) if label == segment.name}
            assert spots, segment.name
            assert reached(spots) == spots, segment.name
        for half in segment.halves:
            x, y = ((25.0, 1.0), (75.0, 1.0))[half & 1]
            for _ in range(half >> 1):
                x, y = 100 - y, x
            assert raster.at((x, y)) == segment.name


def reached(spots: set[int]) -> set[int]:
    """The spots that hang together with the first."""
    edge = [min(spots)]
    seen = set(edge)
    for spot in edge:
        column = spot % SIZE
        near = [spot - SIZE, spot + SIZE]
        near += [spot - 1] * (column > 0) + [spot + 1] * (column < SIZE - 1)
        for other in near:
            if other in spots and other not in seen:
                seen.add(other)
                edge.append(other)
    return seen


@pytest.mark.parametrize("tile", TILES, ids=lambda tile: tile.id)
def test_pieces_stand_on_their_own_segment(tile: TileType) -> None:
    """Cities and fields: the first place lies well inside; everything has a place."""
    plan = layout(tile)
    raster = Raster(tile, plan.lines)
    for segment in tile.variants[0].segments:
        assert plan.places[segment.name]
        if segment.kind in ("city", "field"):
            assert raster.at(plan.places[segment.name][0]) == segment.name


def test_things_printed_on_tiles_are_drawn() -> None:
    for name, kind in (
        ("BA/L", "cloister"), ("AM/A", "abbey"), ("BB/F.b", "bazaar"), ("BA/RRR", "village"),
        ("IC/RFr.i", "inn"), ("IC/Cccc.c", "cathedral"), ("BA/Cccc+", "shield"),
        ("TB/Cc.w", "wine"), ("TB/Cc.g", "grain"), ("TB/CFc.w", "wine"), ("RI/s", "pond"),
    ):  # fmt: skip
        tile = next(tile for tile in TILES if tile.id == name)
        assert re.search(rf'id="{kind}-[0-9a-f]{{8}}"', tile_svg(tile)), name
    double = next(tile for tile in TILES if tile.id == "AM/C++")
    assert len(re.findall(r'href="#shield-', tile_svg(double))) == 2


def test_a_crossed_city_goes_on_below_the_other() -> None:
    """Two cities across each other: gates show that the lower one is whole; no others have any."""
    crossed = [tile.id for tile in TILES if outlines(tile).passages]
    assert crossed == ["AM/CCcc+"]
    tile = next(tile for tile in TILES if tile.id == "AM/CCcc+")
    (passage,) = outlines(tile).passages
    assert tile_svg(tile).count('rx="7" ry="4.2"') == 2
    raster = Raster(tile, outlines(tile))
    for x, y in (passage.start, passage.end):
        beyond = 50 + 3 * (y - 50)
        assert raster.at((x, beyond)) == tile.variants[0].at_side[0].name  # type: ignore[union-attr]


def test_an_odd_cap_looks_unlike_a_half_round_one() -> None:
    """R-CASTLE-3: whether a cap can be half of a castle is seen on the tile."""
    caps = []
    for castle in (True, False):
        tile = {
            "id": "ME/1", "edges": "city field field field",
            "cities": [{"sides": "N", "castle": castle}],
            "fields": [{"halves": "EL ER SL SR WL WR", "touches": "N"}],
        }  # fmt: skip
        own = tile_set_from_data(
            {"format": "carcassonne-tiles/1", "name": "own", "tile": [tile]}, "own"
        )
        caps.append(outlines(own.tiles[0]).cities[0].outline.d())
    assert caps[0] != caps[1]


@settings(max_examples=examples(60), deadline=None)
@given(tile_set_data(abbeys=True))
def test_any_valid_tile_of_a_user_draws_itself(data: dict[str, Any]) -> None:
    own = tile_set_from_data(data, "own")
    for tile in own.tiles:
        whole(tile_svg(tile, rotation=1))
        plan = layout(tile)
        assert set(plan.places) == {s.name for s in tile.variants[0].segments}
        assert all(plan.places.values())
    whole(sheet_svg(TileBox.of([(own, 2)])))


# ------------------------------------------------------------------------------ boards


def test_a_full_board_is_under_400_kb() -> None:
    """Issue's limit, with every layer on."""
    game = played(5, 84)
    while not game.is_over:
        game.play(game.legal_moves()[0])
    overlay = dict.fromkeys(game.open_cells(), "10-12")
    svg = board_svg(game, legal=True, vicinity=True, overlay=overlay)
    root = whole(svg)
    assert len(game.tiles) > 80
    assert len(svg.encode()) < 400_000
    named = titles(root)
    for cell, laid in game.tiles.items():
        assert f"{cell[0]},{cell[1]} {laid.tile.id} r{90 * laid.rotation}" in named


def test_every_piece_is_drawn() -> None:
    """Each token with its owner, lying or standing; each bridge and castle."""
    game = table(TOKENS)
    svg = board_svg(game, panel=False)
    named = titles(whole(svg))
    for token in game.tokens():
        assert f"{token.player}: {token.kind} on {token.at}" in named
    assert len([t for t in named if ": " in t]) == len(game.tokens()) + 1  # the picture's own
    assert uses(svg, "bridge") == 2
    assert uses(svg, "castle") == 2
    assert uses(svg, "farmer") == 2
    assert uses(svg, "meeple") == 5
    assert uses(svg, "pig") == 1
    assert uses(board_svg(table(BARN), panel=False), "barn") == 1


def test_meeples_on_and_below_a_bridge_stand_apart() -> None:
    svg = board_svg(table(TOKENS), panel=False)
    places = {
        name: (float(x), float(y))
        for name, x, y in re.findall(
            r"<title>\w+: meeple on ([^<]+)</title><use [^>]*translate\(([-\d.]+) ([-\d.]+)\)", svg
        )
    }
    on, below = places["0,2 road.E"], places["0,2 road.N"]
    assert on[1] < 241
    assert (on[0] - below[0]) ** 2 + (on[1] - below[1]) ** 2 > 25**2
    assert len(set(places.values())) == len(places)


def test_tokens_are_in_a_fixed_order() -> None:
    """By cell in reading order; the meeple of a castle is among them."""
    tokens = table(TOKENS).tokens()
    assert [str(token.at) for token in tokens] == [
        "1,0 cloister", "1,0 field.NL", "1,0 road.E", "4,0 city.S", "0,2 field.NR", "0,2 road.E",
        "0,2 road.N", "2,2 field.NL",
    ]  # fmt: skip
    assert [token.kind for token in tokens].count("meeple") == 7
    assert tokens[-1].kind == "pig"


def test_players_differ_by_letter_and_colour() -> None:
    """Also with names alike, in every seat."""
    names = ["Ann", "Anna", "Anne", "Anton", "Andy", "Ada"]
    game = Game.new(names, seed=1)
    svg = board_svg(game)
    meeples = re.findall(r'<g id="meeple-[0-9a-f]{8}">(.*?)</g>', svg)
    assert len(meeples) == 6
    fills = {re.findall(r'fill="(#[0-9a-f]{6})" stroke="#fffaf0"', m)[0] for m in meeples}
    letters = {m[m.rindex(' d="') :].partition('" fill')[0] for m in meeples}
    assert len(fills) == 6
    assert len(letters) == 6


def test_options_have_an_effect() -> None:
    game = played(3, 12)
    while game.decision is not None and game.decision.kind != "place":
        game.play(game.legal_moves()[-1])
    plain = board_svg(game)
    assert plain == board_svg(game, legal=False, vicinity=False)
    legal = board_svg(game, legal=True)
    assert legal.count('fill="url(#legal)"') == len(game.legal_cells())
    assert 'url(#legal)"' not in plain
    noted = board_svg(game, overlay={game.open_cells()[0]: "7/12"})
    for other in (
        legal,
        noted,
        board_svg(game, coordinates=False),
        board_svg(game, last_move=False),
        board_svg(game, panel=False),
        board_svg(game, cell_size=40),
    ):
        whole(other)
        assert other != plain


def test_vicinity_is_shaded_on_request_also_beyond_the_tiles() -> None:
    game = table(TOKENS)
    shaded = board_svg(game, vicinity=True)
    assert shaded.count('fill="url(#vicinity)"') == 2
    assert "vicinity" not in board_svg(game)
    root = whole(shaded)
    height = [float(n) for n in root.attrib["viewBox"].split()][3]
    assert height > [float(n) for n in whole(board_svg(game)).attrib["viewBox"].split()][3]


def test_legal_cells_that_need_a_bridge_show_one() -> None:
    text = """
    title = "one cell needs a bridge"
    [given]
    tiles = ["BA/RFr 0,0 r0"]
    stack = ["BA/L"]
    """
    svg = board_svg(table(text), legal=True, panel=False)
    assert uses(svg, "bridge") == 2
    assert svg.count('fill="url(#legal)"') == 4
    turned = board_svg(table(text.replace("r0", "r90")), legal=True, panel=False)
    assert {svg.count("rotate(90)"), turned.count("rotate(90)")} == {0, 2}  # NS and EW


def test_the_last_tile_is_framed() -> None:
    game = Game.new(["A", "B"], stack=["BA/L", "BA/L"])
    assert 'stroke="#e6007e"' not in board_svg(game)
    game.play("place BA/L 0,1 r0")
    assert 'x="1.5" y="101.5"' in board_svg(game)
    game.play("pass")
    game.play("meeple cloister")
    assert board_svg(game).count('stroke="#e6007e"') == 2
    assert 'stroke="#e6007e"' not in board_svg(game, last_move=False)


def test_every_decision_can_be_drawn() -> None:
    """Auctions, castles and the end too; with one player and with two bridges on a tile."""
    kinds = set()
    rules = Rules.preset("first_edition", bridge_max_per_tile=2)
    for seed in (1, 4):
        game = Game.new(["A", "B", "C"], seed=seed, rules=rules)
        rng = random.Random(seed)
        while True:
            kind = game.decision.kind if game.decision else "over"
            if kind not in kinds:
                kinds.add(kind)
                whole(board_svg(game, legal=True, vicinity=True))
            if game.is_over:
                break
            game.play(steered(rng, game))
    assert {"place", "bridge", "meeple", "choose", "bid", "over"} <= kinds
    whole(board_svg(Game.new(["Solo"])))


def test_names_with_any_characters_are_written() -> None:
    """Letters that the stroke alphabet lacks are written as text; markup is escaped."""
    game = Game.new(["<b>&", "Zoë", "李"])
    svg = board_svg(game)
    root = whole(svg)
    texts = [e.text for e in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts == [
        "Zoë",
        "李",
    ]
    assert "<text" not in board_svg(Game.new(["Anna", "B-2"]))
    assert "<text" not in text_svg(
        "".join(map(chr, range(32, 127)))
        .replace("\\", "")
        .replace("$", "")
        .replace("^", "")
        .replace("`", "")
        .replace("{", "")
        .replace("}", ""),
        0,
        0,
        9,
    )


# ------------------------------------------------------------------------------ reproducible


def test_pictures_are_the_same_in_every_process() -> None:
    """No hash order, no randomness: the same bytes whatever PYTHONHASHSEED says."""
    code = (
        "import sys\n"
        "from carcassonne.scenario import run_text\n"
        "from carcassonne.render.svg import board_svg, sheet_svg\n"
        "from carcassonne.tiles import TileBox\n"
        f"game = run_text({TOKENS!r}).game\n"
        "text = board_svg(game, legal=True, vicinity=True) + sheet_svg(TileBox.load(['base']))\n"
        "sys.stdout.buffer.write(text.encode())\n"
    )
    here = board_svg(table(TOKENS), legal=True, vicinity=True) + sheet_svg(TileBox.load(["base"]))
    for seed in ("0", "1", "4242"):
        done = subprocess.run(  # noqa: S603 - our own interpreter
            [sys.executable, "-c", code], capture_output=True, check=True,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(filter(None, sys.path))},
        )  # fmt: skip
        assert done.stdout.decode() == here


def test_a_copy_and_a_game_taken_back_draw_the_same() -> None:
    game = played(2, 15)
    before = board_svg(game)
    assert board_svg(game.copy()) == before
    game.play(game.legal_moves()[0])
    game.undo()
    assert board_svg(game) == before


# ------------------------------------------------------------------------------ sheets, display


def test_a_sheet_shows_every_type_with_its_count() -> None:
    box = TileBox.load(["base", "abbey_mayor"], counts={"BA/L": 7, "BA/RFr": 0})
    named = titles(whole(sheet_svg(box)))
    assert "BA/L: 7" in named
    assert "BA/RFr: 0" in named
    assert "AM/A: 6" in named
    assert len(named) == 1 + len(box.types)
    assert "BA/L: 8" in titles(whole(sheet_svg(TileBox.load(["base*2"]))))


@pytest.mark.parametrize("source", ["carcassonne", "carcassonne.model.game"])
def test_a_notebook_shows_the_board(source: str) -> None:
    """However the game was made or imported: `_repr_svg_` gives the picture."""
    code = f"from {source} import Game; print(Game.new(['A', 'B'])._repr_svg_(), end='')"
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout == board_svg(Game.new(["A", "B"]))


# ------------------------------------------------------------------------------ PNG


def test_png_is_made_and_letters_appear_without_fonts() -> None:
    """Letters are lines: pictures that differ in a letter alone differ as PNG."""
    pytest.importorskip("resvg_py")
    first = svg_to_png(board_svg(Game.new(["A", "B"])), scale=0.5)
    other = svg_to_png(board_svg(Game.new(["A", "C"])), scale=0.5)
    assert first.startswith(b"\x89PNG\r\n")
    assert first == svg_to_png(board_svg(Game.new(["A", "B"])), scale=0.5)
    assert first != other


def test_png_without_its_extra_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(CarcassonneError, match=r"pip install 'carcassonne\[image\]'"):
        svg_to_png("<svg/>")


def test_png_refuses_what_it_cannot_draw() -> None:
    pytest.importorskip("resvg_py")
    with pytest.raises(CarcassonneError, match="can't be drawn"):
        svg_to_png("no picture")
    for scale in (0, -1, 1000):
        with pytest.raises(CarcassonneError, match="scaled"):
            svg_to_png(board_svg(Game.new(["A"])), scale=scale)


def test_a_long_id_on_a_sheet_is_shortened_in_its_middle_and_stays_legible() -> None:
    from carcassonne.render.lettering import text_width
    from carcassonne.render.sheet import _shortened

    shown = _shortened("LONG/" + "x" * 60 + ".end1", 6.5)
    assert shown.startswith("LONG/")
    assert shown.endswith(".end1")
    assert text_width(shown, 6.5) <= 72
    assert _shortened("BA/L", 8.5) == "BA/L"
