"""The six ordinary kinds, a whole round in order, and the game of purchases."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carcassonne.alhambra import (
    BUYERS,
    MedinaError,
    MedinaOptions,
    PurchaseGame,
    Tally,
    load_tiles,
    play_game,
    played_games,
    score_buildings,
    score_round,
)
from carcassonne.alhambra.buildings import CARD, KINDS
from carcassonne.alhambra.data import default_tiles
from carcassonne.alhambra.market import Action, Buy, Keep, Move, Stop

if TYPE_CHECKING:
    from pathlib import Path

COUNTS = st.lists(st.integers(0, 11), min_size=2, max_size=6)


def test_r_medina_20_the_card_gives_the_tower_six_in_round_1() -> None:
    """Not 8, as the forum text has it; 8 is the pavilion's first place in round 2."""
    assert score_buildings(1, {"A": {"tower": 1}, "B": {}}).points == {"A": 6, "B": 0}
    assert CARD[2]["pavilion"][0] == 8
    assert CARD[3]["tower"] == (21, 13, 6)


@pytest.mark.parametrize(
    ("number", "counts", "expected"),
    [
        (1, (2, 2, 1), (0, 0, 0)),
        (2, (2, 2, 1), (4, 4, 0)),
        (2, (3, 2, 2), (8, 0, 0)),
        (3, (3, 2, 2), (16, 4, 4)),
        (3, (1, 1, 1), (8, 8, 8)),
        (3, (1, 0, 0), (16, 0, 0)),
    ],
)
def test_r_medina_21_ties_pool_the_places_and_round_down(
    number: int, counts: tuple[int, ...], expected: tuple[int, ...]
) -> None:
    """Pavilions of three players."""
    built = {name: {"pavilion": n} for name, n in zip("ABC", counts, strict=True)}
    assert tuple(score_buildings(number, built).points.values()) == expected


@given(st.sampled_from((1, 2, 3)), st.sampled_from(KINDS), COUNTS)
def test_more_buildings_never_score_less(number: int, kind: str, counts: list[int]) -> None:
    """Within a kind points follow the numbers, and never exceed what the card pays."""
    points = score_buildings(number, {f"P{i}": {kind: n} for i, n in enumerate(counts)}).points
    ranked = sorted(zip(counts, points.values(), strict=True))
    assert [p for _, p in ranked] == sorted(p for _, p in ranked)
    assert sum(points.values()) <= sum(CARD[number][kind])


def test_r_medina_5_medinas_come_last() -> None:
    """With totals that stop at 0, the buildings' points are there before the loss."""
    scored = score_round(
        1,
        {"A": {"tower": 1}, "B": {}},
        {"A": [], "B": [4]},
        options=MedinaOptions(medina_allow_negative_total=False),
    )
    assert scored.totals == {"A": 2, "B": 0}
    assert scored.points == {"A": 2, "B": 0}


def test_a_round_has_one_set_of_players() -> None:
    """Buildings and Medinas must be given for the same players."""
    with pytest.raises(MedinaError):
        score_round(1, {"A": {}, "B": {}}, {"A": [], "C": []})
    with pytest.raises(MedinaError):
        score_buildings(1, {"A": {"castle": 1}, "B": {}})


@pytest.mark.parametrize("players", range(2, 7))
def test_r_medina_1_2_games_end_and_every_tile_goes_somewhere(players: int) -> None:
    """Whole games of purchases: nine Medinas among the tiles, three scorings, nothing lost."""
    total = len(default_tiles().tiles())
    for seed in range(6):
        game = play_game(
            [list(BUYERS)[(seed + i) % len(BUYERS)] for i in range(players)], seed=seed
        )
        assert game.phase == "over"
        assert [scored.medinas.round for scored in game.scorings] == [1, 2, 3]
        owned = sum(map(len, game.built.values())) + sum(map(len, game.reserve.values()))
        assert owned <= total
        medinas = [t for tiles in game.built.values() for t in tiles if t.is_medina]
        assert len(medinas) <= 9
        assert game.totals == {
            name: sum(scored.points[name] for scored in game.scorings) for name in game.players
        }
        assert game.winners


def test_only_built_medinas_count_in_a_game() -> None:
    """R-MEDINA-4: a player who keeps every tile in reserve is scored as one without."""
    game = PurchaseGame(["A", "B"], seed=3)
    while game.phase != "over":
        actions = game.actions()
        wishes: list[Action] = [a for a in actions if isinstance(a, Keep)]
        wishes += [a for a in actions if isinstance(a, Buy)]
        wishes += [a for a in actions if not isinstance(a, Move | Stop)]
        game.play([*wishes, actions[-1]][0])
    last = game.scorings[-1].medinas
    assert any(tile.is_medina for tiles in game.reserve.values() for tile in tiles)
    assert all(not score.medinas for score in last.players if not game.built[score.player])


def test_same_seed_same_game() -> None:
    """A game follows from its seed; another seed gives another game."""
    first, again = play_game(["wary", "random"], seed=5), play_game(["wary", "random"], seed=5)
    other = play_game(["wary", "random"], seed=6)
    assert first.built == again.built
    assert first.totals == again.totals
    assert first.built != other.built


def test_impossible_actions_change_nothing() -> None:
    """An action that isn't possible is refused with the state as it was."""
    game = PurchaseGame(["A", "B"], seed=1)
    hands = {name: list(cards) for name, cards in game.hands.items()}
    tile = next(tile for tile in game.market if tile)
    for action in (Move(tile), Buy(9, ()), Buy(0, ()), Keep(tile)):
        with pytest.raises(MedinaError):
            game.play(action)
    assert game.hands == hands


def test_tally_counts_seats_and_losses() -> None:
    """Shunning Medinas costs in every round; the tally says how much."""
    tally = Tally(["wary", "shunner"])
    for game in played_games(10, ["wary", "shunner"], seed=1):
        tally.add(game)
    wary, shunner = tally.players()
    assert tally.games == 10
    assert shunner["medina_points"] < wary["medina_points"]
    assert sum(tally.losses[1].values()) == 20
    assert shunner["rounds"][1]["without"] > wary["rounds"][1]["without"]


BROKEN = {
    "medina.prices": 'title = "x"\n[medina]\nprices = [1, 2]\n',
    "TOML": "title = ",
    "note": 'title = "x"\nsurprise = 1\n',
}


@pytest.mark.parametrize("what", BROKEN)
def test_broken_price_files_are_one_clear_error(what: str, tmp_path: Path) -> None:
    """File, entry and field are named."""
    path = tmp_path / "prices.toml"
    path.write_text(BROKEN[what], encoding="utf-8")
    with pytest.raises(MedinaError) as error:
        load_tiles(path)
    assert str(error.value).startswith(str(path))
    assert "\n" not in str(error.value)


def test_missing_price_file(tmp_path: Path) -> None:
    """So is a file that is not there."""
    with pytest.raises(MedinaError, match=r"nowhere\.toml"):
        load_tiles(tmp_path / "nowhere.toml")
