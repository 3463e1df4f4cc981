"""What is left and what it can do: counts against the model, chances against brute force."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carcassonne import Game
from carcassonne.errors import CarcassonneError
from carcassonne.geometry import parse_cell
from carcassonne.odds import dead_cells, feature_odds, open_ends, position_odds, tiles_left
from carcassonne.playtest.steering import steered
from carcassonne.position import from_position
from tests.strategies import castle_yard, examples, random_setup

if TYPE_CHECKING:
    from carcassonne.geometry import Cell
    from carcassonne.moves import Address


def table(tiles: list[str], stack: list[str], **more: object) -> Game:
    return from_position(["A", "B"], {"tiles": tiles, "stack": stack, **more})


def can_complete(game: Game, at: Address, cells: list[Cell], hand: tuple[str, ...]) -> bool:
    """Whether these tiles can complete a feature, one in each cell, found by trying everything."""
    if not cells:
        return game.feature(at).complete
    open_cells = set(game.open_cells())
    for cell in cells:
        if cell not in open_cells:
            continue
        rest = [other for other in cells if other != cell]
        for name in set(hand):
            less = list(hand)
            less.remove(name)
            for place in game.fits(name, cell=cell):
                with game.supposing(place):
                    if can_complete(game, at, rest, tuple(less)):
                        return True
        return False
    return False


def brute_chances(game: Game, at: Address) -> list[Fraction]:
    """The chances by trying every set of tiles of the stack."""
    stack = game.stack[len(game.stack) - game.stack_left :]
    drawn = [game.drawn] if game.drawn else []
    hand = [*drawn, *game.on_offer, *game.hands.values()]
    cells = open_ends(game, game.feature(at))
    memory: dict[tuple[str, ...], bool] = {}
    chances = []
    for draws in range(len(stack) + 1):
        good = 0
        sets = list(combinations(stack, draws))
        for tiles in sets:
            key = tuple(sorted([*tiles, *hand]))
            if key not in memory:
                memory[key] = can_complete(game, at, cells, key)
            good += memory[key]
        chances.append(Fraction(good, len(sets)))
    return chances


@settings(max_examples=examples(25))
@given(seed=st.integers(0, 100_000))
def test_chances_are_those_of_trying_every_set_of_tiles(seed: int) -> None:
    """On short stacks: road, city and cloister, all numbers of draws, as exact fractions."""
    rng = random.Random(seed)
    setup = castle_yard(rng) if seed % 3 == 0 else random_setup(rng, stack_size=12)
    game = setup.game()
    while not game.is_over and game.stack_left > 6:
        game.play(steered(rng, game))
    for view in game.features():
        wanted = view.kind in ("road", "city", "cloister") and not view.complete
        if not wanted or len(open_ends(game, view)) > 3:
            continue
        odds = feature_odds(game, view.at)
        if not odds.counted:
            continue
        if odds.dead:
            assert set(odds.chances) == {0}
        assert list(odds.chances) == brute_chances(game, view.at), (setup, view)


@settings(max_examples=examples(15))
@given(seed=st.integers(0, 100_000))
def test_counts_of_cells_are_those_of_laying_each_tile(seed: int) -> None:
    """Tiles that fit a cell without and with a bridge, dead cells, and the sum of tiles left."""
    rng = random.Random(seed)
    game = random_setup(rng, stack_size=14).game()
    for _ in range(rng.randrange(20)):
        if not game.is_over:
            game.play(steered(rng, game))
    odds = position_odds(game)
    left = {count.tile: count.stack + count.in_hand for count in tiles_left(game)}
    assert sum(count.stack for count in odds.tiles) == game.stack_left
    assert [cell.cell for cell in odds.cells if cell.dead] == [
        cell.cell for cell in odds.cells if parse_cell(cell.cell) in dead_cells(game)
    ]
    some = any(odds.bridges.values())
    for cell in odds.cells:
        where = parse_cell(cell.cell)
        assert where is not None
        bare = {n for n in left if any(p.bridge is None for p in game.fits(n, cell=where))}
        more = {n for n in left if game.fits(n, cell=where, with_bridge=some)}
        assert cell.fit == sum(left[name] for name in bare)
        assert cell.fit_with_bridge == sum(left[name] for name in more)
        assert cell.types == {name: left[name] for name in left if name in bare}


@settings(max_examples=examples(15))
@given(seed=st.integers(0, 100_000))
def test_supposing_leaves_no_trace(seed: int) -> None:
    """After a supposition, and after nested ones, the game is exactly as before."""
    rng = random.Random(seed)
    game = random_setup(rng, stack_size=12).game()
    for _ in range(rng.randrange(16)):
        if not game.is_over:
            game.play(steered(rng, game))
    before, moves = game.fingerprint(), list(game.legal_moves())
    for count in tiles_left(game):
        for place in game.fits(count.tile, with_bridge=True)[:3]:
            with game.supposing(place):
                assert place.cell in game.tiles
                for other in game.fits(count.tile)[:2]:
                    with game.supposing(other):
                        assert len(game.tiles) >= 2
    assert game.fingerprint() == before
    assert list(game.legal_moves()) == moves


def test_a_chance_is_the_hypergeometric_one() -> None:
    """One open end and three caps among ten tiles: 1 - C(7, k) / C(10, k)."""
    stack = ["BA/L", *["BA/C"] * 3, *["BA/L"] * 7]
    game = table(["BA/C 0,0 r0", "BA/L 0,1 r0"], stack)
    odds = feature_odds(game, "0,0 city.N")
    assert odds.needs == {"0,-1": 3}
    assert list(map(str, odds.chances[:4])) == ["0", "3/10", "8/15", "17/24"]
    assert odds.chance(8) == odds.chance(99) == 1


def test_the_tile_in_hand_is_certain() -> None:
    """A drawn cap makes the chance 1 before anything else is drawn."""
    game = table(["BA/C 0,0 r0"], ["BA/C", "BA/L"])
    assert set(feature_odds(game, "0,0 city.N").chances) == {1}


def test_two_ends_need_two_tiles_and_order_does_not_matter() -> None:
    """Two dead ends for both ends of a road: one of the two draws in three tiles, and so on."""
    game = table(["BA/RFr 0,0 r90"], ["BA/L", "BA/LR", "BA/LR", "BA/L"])
    at = next(f.at for f in game.features() if f.kind == "road")
    odds = feature_odds(game, at)
    assert list(map(str, odds.chances)) == ["0", "0", "1/3", "1"]
    assert list(odds.needs.values()) == [2, 2]


def test_a_dead_cell_says_that_it_is_over() -> None:
    """No cap left: the city can't be completed, whatever is drawn."""
    game = table(["BA/C 0,0 r0"], ["BA/L", "BA/L"])
    odds = feature_odds(game, "0,0 city.N")
    assert odds.dead == ("0,-1",)
    assert set(odds.chances) == {0}


def test_bridges_count_only_where_they_are_allowed() -> None:
    """A field between two dead ends closes the road with a bridge over it, and not without."""
    game = table(
        ["BA/LR 0,0 r270", "BA/LR 2,0 r90", "BA/C 1,1 r180"],
        ["BA/C", "BA/L"],
    )
    road = game.feature("0,0 road.E").at
    assert set(feature_odds(game, road).chances) == {0}
    assert feature_odds(game, road, bridges=True).chances[0] == 1
    alone = table(
        ["BA/LR 0,0 r270", "BA/LR 2,0 r90", "BA/C 1,1 r180"],
        ["BA/C", "BA/L"],
        supply={"A": {"bridges": 0}, "B": {"bridges": 0}},
    )
    assert set(feature_odds(alone, road, bridges=True).chances) == {0}


def test_what_is_no_road_city_or_cloister_is_refused() -> None:
    game = Game.new(["A", "B"])
    with pytest.raises(CarcassonneError, match="is a field"):
        feature_odds(game, "0,0 field.NL" if game.tiles[0, 0].find("field.NL") else "0,0 field.SL")
    with pytest.raises(CarcassonneError, match="no segment"):
        feature_odds(game, "5,5 road.E")


def test_a_complete_feature_is_certain_and_too_many_ways_are_not_guessed() -> None:
    """Whatever can't be counted has no chance instead of a wrong one."""
    game = table(["BA/C 0,0 r0", "BA/C 0,-1 r180"], ["BA/L", "BA/L"])
    assert set(feature_odds(game, "0,0 city.N").chances) == {1}
    fresh = table(["BA/L 0,0 r0"], [])
    assert not fresh.unseen
    whole = Game.new(["A", "B"], seed=3)
    while whole.drawn != "BA/L":
        whole.play(whole.legal_moves()[0])
    whole.play(next(m for m in whole.legal_moves()))
    cloister = next(f.at for f in whole.features() if f.kind == "cloister")
    odds = feature_odds(whole, cloister)
    assert odds.counted or (odds.chances == () and odds.chance(3) is None)


def test_beside_a_dead_cell_every_other_cell_still_has_its_own_count() -> None:
    """A road needs two cells: nothing fits one of them, two tiles (or three) fit the other."""
    game = table(["BA/RCr 0,0 r0", "BA/C -1,-1 r180"], ["BA/LR", "BA/LR", "BA/L"])
    odds = feature_odds(game, "0,0 road.E")
    assert odds.dead == ("-1,0",)
    assert odds.needs == {"-1,0": 0, "1,0": 2}
    assert feature_odds(game, "0,0 road.E", bridges=True).needs == {"-1,0": 0, "1,0": 3}
    assert not any(odds.chances)
