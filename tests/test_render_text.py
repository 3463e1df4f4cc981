"""The board as text: never too wide, and everything that lies on the table can be seen."""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from carcassonne import Game, Rules
from carcassonne.events import BidMade, MarketOpened, Score, TileTaken
from carcassonne.position import build_position
from carcassonne.render.blocks import GLYPHS, SIZES, Size, sketch, tile_lines, to_ascii
from carcassonne.render.log import TurnLog
from carcassonne.render.text import (
    auction_log,
    board_text,
    can_show,
    event_lines,
    feature_lines,
    final_lines,
    market_lines,
    player_marks,
    score_lines,
    without_colour,
)
from carcassonne.render.words import columns, points_by_kind, start_scores, wrapped
from carcassonne.tiles import DEFAULT_SETS, TileBox, shipped_sets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from carcassonne.tiles import TileType

PLAYERS = ("Ann", "Anton", "Bob", "Aristoteles-van-den-Bergh", "安娜", "Zoë")
BOX = TileBox.load(DEFAULT_SETS)


def random_game(seed: int, *, moves: int = 10_000) -> Game:
    """A game with random moves, bids kept small, castles built where they can be."""
    rng = random.Random(seed)
    game = Game.new(PLAYERS[: 2 + seed % 5], seed=seed)
    while game.decision is not None and len(game.moves) < moves:
        listed = list(game.legal_moves())
        kind = game.decision.kind
        if kind in ("choose", "bid"):
            listed = listed[:4]
        move = listed[0] if kind == "castle" else rng.choice(listed)
        game.play(move)
    return game


def table(given: dict[str, Any], players: Sequence[str] = ("A", "B")) -> Game:
    """A position."""
    return build_position(players, given, rules=Rules(), box=BOX)


def every_line(game: Game, width: int) -> list[str]:
    """All that is ever printed about a game."""
    return [
        *board_text(game, width=width).splitlines(),
        *feature_lines(game, width=width),
        *score_lines(game, width=width),
        *market_lines(game, width=width),
        *final_lines(game, width=width),
        *auction_log(game.events, width=width),
        *event_lines(game.events, width=width),
        *TurnLog(start_scores(game), width=width).lines(game.events),
    ]


def drawn(text: str) -> str:
    """The picture alone, without rim, legend and lists."""
    lines = text.split("\n\n", maxsplit=1)[0].splitlines()
    return "\n".join(
        re.sub(r"^ *-?\d+ ", "", line) for line in lines if re.search("[^-0-9 ]", line)
    )


# ------------------------------------------------------------------------------ width


@pytest.mark.parametrize("seed", range(8))
def test_no_line_is_wider_than_asked(seed: int) -> None:
    """From 40 to 200 columns, in the middle of games and at their ends."""
    for moves in (7, 60, 10_000):
        game = random_game(seed, moves=moves)
        for width in (40, 47, 60, 80, 133, 200):
            for line in every_line(game, width):
                assert columns(line) <= width, (width, line)
                assert line == line.rstrip()


def test_colour_changes_nothing_but_colour() -> None:
    """Without its escapes the coloured board is the plain one."""
    game = random_game(3)
    for width in (50, 80, 160):
        plain = board_text(game, width=width)
        painted = board_text(game, width=width, colour=True)
        assert painted != plain
        stripped = [line.rstrip() for line in without_colour(painted).splitlines()]
        assert stripped == plain.splitlines()


def test_small_boards_are_drawn_large_and_large_ones_small() -> None:
    """The size of the tiles goes with the room that there is."""
    small, large = random_game(1, moves=4), random_game(1)
    assert len(board_text(small, width=80).splitlines()[1].strip()) >= 9
    assert "columns" not in board_text(large, width=80)
    assert max(map(len, board_text(large, width=160).splitlines())) > 80


def test_a_board_that_is_too_wide_is_cut_into_panels_that_say_so() -> None:
    """Every column is shown once, under a title."""
    tiles = [f"BA/RFr {x},0 r0" for x in range(-20, 21)]
    game = table({"tiles": tiles})
    text = board_text(game, width=40)
    titles = re.findall(r"columns? (-?\d+)(?: to (-?\d+))? \(of -20 to 20\)", text)
    shown = [x for a, b in titles for x in range(int(a), int(b or a) + 1)]
    assert shown == list(range(-20, 21))


@pytest.mark.parametrize("width", [5, 9, 20])
def test_wrapping_never_exceeds_the_width(width: int) -> None:
    """Words that are too long are broken, wide characters count double."""
    text = "a  bb 安安安安安安安安安安安安 an-extraordinarily-long-word and more"
    for line in wrapped(text, width, indent=2, hang=4):
        assert columns(line) <= width


# ------------------------------------------------------------------------------ pieces


def occupied(game: Game) -> Counter[str]:
    """The letters that must be on the board, a farmer's small."""
    marks = player_marks(game.players)
    expected: Counter[str] = Counter()
    for _, data in game.graph().nodes(data=True):
        for name, count in data["meeples"].items():
            mark = marks[name]
            expected[mark.lower() if data["kind"] == "field" else mark] += count
    return expected


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("ascii_only", [False, True])
def test_every_meeple_castle_and_bridge_is_visible(seed: int, *, ascii_only: bool) -> None:
    """Whatever the size of the tiles: each meeple's letter, castles twice, all bridges."""
    for moves in (40, 90, 10_000):
        game = random_game(seed, moves=moves)
        for width in (60, 80, 110, 160):
            text = board_text(game, width=width, ascii_only=ascii_only)
            picture = drawn(text)
            found = Counter(c for c in picture if c.isalpha())
            for title in re.findall("columns? .*", picture):
                found -= Counter(c for c in title if c.isalpha())
            assert +found == occupied(game)
            castle, *bridges = (GLYPHS[key] for key in ("castle", "NS", "EW"))
            if ascii_only:
                castle, *bridges = (to_ascii(glyph) for glyph in (castle, *bridges))
            assert picture.count(castle) == 2 * len(game.castles)
            built = {axis for tile in game.tiles.values() for axis in tile.bridges}
            assert {axis for axis in (0, 1) if bridges[axis] in picture} == built


def test_ascii_is_ascii() -> None:
    """Nothing else is left, not even in names, and the picture keeps its shape."""
    game = random_game(4)
    fancy = board_text(game, width=80)
    plain = board_text(game, width=80, ascii_only=True)
    assert plain.isascii()
    assert [len(line) for line in plain.splitlines()] == [len(line) for line in fancy.splitlines()]
    assert len({to_ascii(glyph) for glyph in GLYPHS.values()}) == len(GLYPHS)


def test_meeples_on_and_under_a_bridge_are_told_apart() -> None:
    """Both letters are seen; the one on the bridge stands in its line, the other on the road."""
    given = {"tiles": ["BA/RCr 0,0 r0", "BA/RFr 1,0 r0"], "bridges": ["1,0 NS"]}
    both = table({**given, "meeples": ["A 1,0 road.N", "B 1,0 road.W"]})
    other = table({**given, "meeples": ["B 1,0 road.N", "A 1,0 road.W"]})
    for width in (30, 45, 80):
        text, swapped = (drawn(board_text(game, width=width)) for game in (both, other))
        assert Counter(c for c in text if c.isalpha()) == {"A": 1, "B": 1}
        assert text != swapped
        lines = text.splitlines()
        (bridge_line,) = (line for line in lines if "A" in line)
        (road_line,) = (line for line in lines if "B" in line)
        column = bridge_line.index("A")
        assert {line[column] for line in lines if column < len(line)} >= {"║", "A"}
        assert "─" in road_line
    assert any("on the bridge at 1,0" in line for line in feature_lines(both))


def test_castles_stand_on_both_their_tiles_with_the_meeple() -> None:
    """The marker is on either half, the owner's letter on one."""
    game = table({
        "tiles": ["BA/RCr 0,0 r0", "BA/C 0,-1 r180"],
        "castles": ["B 0,0 city.N"],
    })  # fmt: skip
    for width in (20, 40, 80):
        picture = drawn(board_text(game, width=width))
        assert picture.count("♜") == 2
        assert picture.count("B") == 1
    assert any(line.startswith("castle") and "B;" in line for line in feature_lines(game))


def test_pigs_and_barns_of_a_position_are_shown() -> None:
    """They have glyphs of their own, explained below."""
    game = table({"tiles": ["BA/RCr 0,0 r0"], "pigs": ["A 0,0 field.SL"]})
    text = board_text(game)
    assert GLYPHS["pig"] in drawn(text)
    assert f"{GLYPHS['pig']} pig" in text


def test_players_letters_are_unique() -> None:
    """Also where names start alike or have no Latin letter at all."""
    names = ["Ann", "Anna", "ann", "A", "安", "Ä"]
    marks = player_marks(names)
    assert marks["Ann"] == "A"
    assert len(set(marks.values())) == len(names)
    assert all(mark.isascii() and mark.isupper() for mark in marks.values())


def test_notes_mark_cells_and_segments() -> None:
    """Numbers of moves are written where the moves are."""
    game = random_game(2, moves=0)
    address = game.feature("0,0 road.E").at
    picture = board_text(game, notes={(1, 0): "7-9", (0, 1): "10-12", address: "3"}, legend=False)
    assert "7-9" in picture
    assert "10-12" in picture
    assert "3" in picture


# ------------------------------------------------------------------------------ blocks


def every_tile() -> list[TileType]:
    """All types of all shipped sets."""
    return list(TileBox.load(shipped_sets()).types.values())


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_every_segment_of_every_tile_has_a_spot(size: Size) -> None:
    """In every rotation, also under bridges; of the sets that are played with, one of its own."""
    for tile in every_tile():
        for rotation in range(4):
            free = [axis for axis in (0, 1) if tile.variants[rotation].free_axes[axis]]
            for bridges in [(), *((axis,) for axis in free)]:
                block = sketch(tile, rotation, bridges, size)
                assert len(block.glyphs) == size.width * size.height
                names = [s.name for s in tile.variants[rotation].segments]
                names += [("road.N", "road.E")[axis] for axis in bridges]
                assert set(block.spots) == set(names)
                best = [spots[0] for spots in block.spots.values()]
                if tile.set_name in DEFAULT_SETS:
                    assert len(set(best)) == len(best), (tile.id, rotation, bridges)


def test_edges_of_a_block_show_the_edges_of_the_tile() -> None:
    """In the middle of each side there is a road where the tile has one, a city likewise."""
    kinds = {1: "field", 2: "road", 3: "city", 4: "river"}
    for tile in every_tile():
        for rotation in range(4):
            for size in SIZES if tile.set_name in DEFAULT_SETS else SIZES[:-1]:
                block = sketch(tile, rotation, (), size)
                x, y = size.width // 2, size.height // 2
                middles = ((x, 0), (size.width - 1, y), (x, size.height - 1), (0, y))
                for spot, edge in zip(middles, tile.variants[rotation].edges, strict=True):
                    if edge in kinds and block.kinds[spot] != "cloister":
                        assert block.kinds[spot] == kinds[edge], (tile.id, rotation, size)


def test_a_tile_alone() -> None:
    """The start tile in a few lines."""
    tile = BOX.tile("BA/RCr")
    assert tile_lines(tile, 0, Size(5, 3)) == [" ▒▒▒ ", "─────", " ··· "]
    assert tile_lines(tile, 1, Size(5, 3)) == [" ·│·▒", "··│▒▒", " ·│·▒"]


# ------------------------------------------------------------------------------ words


@pytest.mark.parametrize("seed", range(6))
def test_the_final_table_adds_up(seed: int) -> None:
    """Points by kind are the sums of the score events, and make the scores."""
    game = random_game(seed)
    points = points_by_kind(game.events, game.players)
    assert {name: sum(kinds.values()) for name, kinds in points.items()} == game.scores
    numbers = {
        line.split()[0]: int(line.split()[-1])
        for line in final_lines(game, width=100)[1:-1]
    }  # fmt: skip
    assert sorted(numbers.values()) == sorted(game.scores.values())
    assert "win" in final_lines(game)[-1]


def test_the_log_tells_every_score_and_its_total() -> None:
    """The last total of each player is the final score."""
    game = random_game(5)
    lines = TurnLog(start_scores(game), width=200).lines(game.events)
    scored = [e for e in game.events if isinstance(e, Score) and e.feature != "auction"]
    told = [line for line in lines if re.search(r"[+-]\d+ = -?\d+: ", line)]
    assert len(told) == len(scored)
    for name, points in game.scores.items():
        totals = [line for line in told if line.strip().startswith(f"{name} ")]
        if totals and scored[-1].player == name:
            assert f"= {points}:" in totals[-1]


def test_the_auction_log_tells_who_bid_what() -> None:
    """A line for each bazaar and one for each of its tiles, with every bid."""
    game = random_game(6)
    log = auction_log(game.events, width=200)
    opened = [e for e in game.events if isinstance(e, MarketOpened)]
    taken = [e for e in game.events if isinstance(e, TileTaken)]
    assert len(log) == len(opened) + len(taken)
    for bid in (e for e in game.events if isinstance(e, BidMade)):
        assert any(f"{bid.player} {bid.points}" in line for line in log)


def test_occupied_features_are_listed_once_each() -> None:
    """With address, size, points and holders."""
    game = random_game(7, moves=80)
    lines = feature_lines(game, width=160)
    features = [f for f in game.features() if f.meeples and f.kind != "castle"]
    assert len(lines) == 1 + len(features) + len(game.castles)
    for feature in features:
        (line,) = (line for line in lines if re.search(rf"{feature.kind} +{feature.at} ", line))
        assert re.search(rf" {feature.points} ", line)
        assert all(name in line for name in feature.meeples)


def test_the_open_bazaar_is_shown() -> None:
    """What is on offer, and the bid to beat."""
    for seed in range(20):
        game = random_game(seed, moves=0)
        rng = random.Random(seed)
        while game.decision and game.decision.kind != "bid":
            game.play(rng.choice(list(game.legal_moves())))
        if game.decision:
            text = "\n".join(market_lines(game))
            assert all(tile in text for tile in game.on_offer)
            assert f"{game.high_bid} so far" in text


@pytest.mark.parametrize(
    ("encoding", "can"), [("utf-8", True), ("ascii", False), ("latin-1", False), (None, False)]
)
def test_whether_a_terminal_can_show_the_glyphs(encoding: str | None, *, can: bool) -> None:
    """Only an encoding that has them all."""
    assert can_show(encoding) is can
