"""The game of purchases: tiles as data, the market, what is built, whole games, buyers."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carcassonne.alhambra.buyers import BUYERS, Tally, find_buyer, play_game, played_games
from carcassonne.alhambra.data import (
    DEFAULT_FILE,
    Tile,
    TileSet,
    data_path,
    default_tiles,
    load_tiles,
)
from carcassonne.alhambra.market import (
    CURRENCIES,
    Action,
    Build,
    Buy,
    Card,
    Keep,
    Move,
    PurchaseGame,
    Stop,
    Take,
    View,
)
from carcassonne.alhambra.medina import MedinaError, MedinaOptions, score_medinas

if TYPE_CHECKING:
    from pathlib import Path

MEDINA_5 = Tile(900, "medina", 5)
TOWER_9 = Tile(901, "tower", 9)
FIVE, SIX, TWO = Card("blue", 5), Card("blue", 6), Card("blue", 2)


def game_with_medina_on_blue(*cards: Card, fits: float = 1.0) -> PurchaseGame:
    game = PurchaseGame(["A", "B"], seed=1, fits=fits)
    game.market[0] = MEDINA_5
    game.hands["A"] = list(cards)
    return game


def played(game: PurchaseGame, choose: random.Random) -> PurchaseGame:
    while not game.is_over:
        game.play(choose.choice(game.actions()))
    return game


def all_tiles(game: PurchaseGame) -> list[Tile]:
    """Every tile that is somewhere in the game, in the order of numbers."""
    there = [*game._stack, *(tile for tile in game.market if tile)]
    there += [tile for tile, _ in game._bought]
    for place in (game.built, game.reserve):
        there += [tile for tiles in place.values() for tile in tiles]
    return sorted(there, key=lambda tile: tile.number)


def all_cards(game: PurchaseGame) -> Counter[Card]:
    cards = [card for card in game._pile if isinstance(card, Card)]
    cards += [*game.money, *game._spent]
    return Counter(cards + [card for hand in game.hands.values() for card in hand])


# ------------------------------------------------------------------------------ tiles as data


def test_r_medina_24_the_default_prices_are_data_and_called_an_assumption() -> None:
    """R-MEDINA-24: no source tells the prices; those of the examples are among the default."""
    tiles = default_tiles()
    assert {2, 4, 5, 6, 8} <= set(tiles.medinas)
    assert "assumption" in tiles.note
    assert "ASSUMPTION" in data_path(DEFAULT_FILE).read_text(encoding="utf-8")


def test_r_medina_1_nine_medinas_among_the_54_other_tiles() -> None:
    """R-MEDINA-1: nine Medinas, mixed with the tiles of the base game."""
    counts = Counter(tile.kind for tile in default_tiles().tiles())
    assert counts == {
        "pavilion": 7,
        "seraglio": 7,
        "arcades": 9,
        "chambers": 9,
        "garden": 11,
        "tower": 11,
        "medina": 9,
    }
    assert len({tile.number for tile in default_tiles().tiles()}) == 63


def test_a_file_of_ones_own_is_read(tmp_path: Path) -> None:
    text = data_path(DEFAULT_FILE).read_text(encoding="utf-8")
    path = tmp_path / "mine.toml"
    path.write_text(text.replace("[2, 3, 4, 5, 6, 7, 8, 9, 10]", "[4, 4, 4, 4, 4, 4, 4, 4, 4]"))
    assert load_tiles(path).medinas == (4,) * 9
    assert load_tiles(str(path)).buildings == default_tiles().buildings


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"alhambra-medina/1"', '"other/1"', "format: 'other/1' isn't"),
        ("[medina]", "[medinas]", "unknown field `medinas`"),
        ("[2, 3, 4, 5, 6, 7, 8, 9, 10]", "[2, 3]", "medina.prices: there are 9 Medinas, not 2"),
        ("[2, 3, 4, 5, 6, 7, 8, 9, 10]", '[2, "x"]', "medina.prices[1]: Expected `int`"),
        ("[2, 3, 4, 5, 6, 7, 8, 9, 10]", "[2, 0]", "medina.prices[1]: Expected `int` >= 1"),
        ("[2, 3, 4, 5, 6, 7, 8, 9, 10]", "[2, true]", "medina.prices[1]: Expected `int`"),
        ("[2, 3, 4, 5, 6, 7, 8, 9, 10]", "[2, 1000]", "medina.prices[1]: Expected `int` <= 999"),
        ("[2, 3, 4, 5, 6, 7, 8, 9, 10]", "[2, 2.5]", "medina.prices[1]: Expected `int`"),
        ("[3, 4, 5, 6, 7, 8, 9]", "[]", "building[1].prices: Expected `array` of length >= 1"),
        ('"tower"', '"castle"', "building[5].kind: 'castle' is none of pavilion"),
        ('"tower"', '"garden"', "building[5].kind: 'garden' was given before"),
        ('[[building]]\nkind = "pavilion"\nprices = [2, 3, 4, 5, 6, 7, 8]', "", "kind 'pavilion'"),
        ('kind = "tower"', 'kind = "tower"\nwalls = 3', "building[5]: Object contains unknown"),
        ('kind = "tower"', "", "building[5]: Object missing required field `kind`"),
        ("[medina]", "[medina", "this is no TOML"),
        ("[2, 3, 4, 5, 6, 7, 8, 9, 10]", "[" * 5000, "this is no TOML|nested too deeply"),
    ],
)
def test_a_wrong_file_is_refused_naming_file_entry_and_field(
    old: str, new: str, message: str, tmp_path: Path
) -> None:
    text = data_path(DEFAULT_FILE).read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "mine.toml"
    path.write_text(new.join(text.rsplit(old, 1)), encoding="utf-8")
    with pytest.raises(MedinaError) as caught:
        load_tiles(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert any(part in str(caught.value) for part in message.split("|"))


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.toml"):
        with pytest.raises(MedinaError, match=str(path)):
            load_tiles(path)
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(MedinaError, match="no text in UTF-8"):
        load_tiles(binary)
    with pytest.raises(MedinaError, match=r"nothing\.toml is missing"):
        data_path("nothing.toml")


# ------------------------------------------------------------------------------ the market


def test_r_medina_1_medinas_are_shuffled_among_the_others() -> None:
    """R-MEDINA-1: the order follows from the seed, and Medinas can lie anywhere in it."""

    def order(seed: int) -> list[Tile]:
        game = PurchaseGame(["A", "B"], seed=seed)
        return [tile for tile in game.market if tile] + game._stack[::-1]

    assert order(1) == order(1)
    assert order(1) != order(2)
    assert sorted(order(1), key=lambda tile: tile.number) == list(default_tiles().tiles())
    found = {place for seed in range(60) for place, t in enumerate(order(seed)) if t.is_medina}
    assert found == set(range(63))


def test_r_medina_2_a_medina_is_bought_and_built_like_any_tile() -> None:
    """R-MEDINA-2: paid exactly, so the player goes on; then built at the end of the turn."""
    game = game_with_medina_on_blue(FIVE, SIX)
    game.play(Buy(0, (FIVE,)))
    assert (game.player, game.phase, game.market[0]) == ("A", "act", None)
    game.play(Stop())
    assert game.actions() == (Build(MEDINA_5), Keep(MEDINA_5))
    game.play(Build(MEDINA_5))
    assert game.built["A"] == [MEDINA_5]
    assert game.player == "B"
    assert None not in game.market


def test_r_medina_2_overpaying_ends_the_actions_and_gives_nothing_back() -> None:
    """R-MEDINA-2: as for every other tile."""
    game = game_with_medina_on_blue(SIX, TWO)
    game.play(Buy(0, (SIX,)))
    assert game.phase == "place"
    game.play(Keep(MEDINA_5))
    assert game.reserve["A"] == [MEDINA_5]
    assert game.hands["A"] == [TWO]


def test_r_medina_2_a_medina_is_moved_from_the_reserve_later() -> None:
    """R-MEDINA-2: moving is the action of a later turn."""
    game = game_with_medina_on_blue(SIX)
    game.play(Buy(0, (SIX,)))
    game.play(Keep(MEDINA_5))
    game.play(Take((game.money[0],)))
    assert game.player == "A"
    assert Move(MEDINA_5) in game.actions()
    game.play(Move(MEDINA_5))
    assert (game.built["A"], game.reserve["A"]) == ([MEDINA_5], [])


@pytest.mark.parametrize("number", [1, 2, 3])
def test_ec_m_18_a_medina_in_reserve_counts_as_none(number: int) -> None:
    """R-MEDINA-4: only what is built counts."""
    game = PurchaseGame(["A", "B"], seed=1)
    game.reserve["A"] = [MEDINA_5]
    game.built["B"] = [Tile(902, "medina", 2)]
    game._score(number)
    lost = game.scorings[-1].medinas
    assert lost.points == score_medinas(number, {"A": [], "B": [2]}).points
    assert "R-MEDINA-10" in lost.of("A").items[-1].rules


def test_a_tile_that_does_not_fit_can_only_be_kept() -> None:
    game = game_with_medina_on_blue(SIX, fits=0)
    game.play(Buy(0, (SIX,)))
    assert game.actions() == (Keep(MEDINA_5),)
    with pytest.raises(MedinaError, match="doesn't fit"):
        game.play(Build(MEDINA_5))
    game.play(Keep(MEDINA_5))
    assert game.reserve["A"] == [MEDINA_5]


def test_money_is_taken_one_card_or_several_worth_five() -> None:
    game = PurchaseGame(["A", "B"], seed=1)
    ones = [Card("green", 1), Card("green", 1), Card("blue", 3), Card("blue", 9)]
    game.money = list(ones)
    game.hands["A"] = []
    takes = {action.cards for action in game.actions() if isinstance(action, Take)}
    green, blue, nine = ones[0], ones[2], ones[3]
    assert takes == {
        (green,),
        (blue,),
        (nine,),
        (green, green),
        (blue, green),
        (blue, green, green),
    }
    with pytest.raises(MedinaError, match="at most 5"):
        game.play(Take((blue, nine)))
    with pytest.raises(MedinaError, match="not all of this is open"):
        game.play(Take((green, green, green)))
    with pytest.raises(MedinaError, match="no money: not all"):
        game.play(Take(()))
    game.play(Take((green, blue, green)))
    assert Counter(game.hands["A"]) == Counter([green, blue, green])
    assert len(game.money) == 4


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (Buy(4, (FIVE,)), "no tile on space 4"),
        (Buy(-1, (FIVE,)), "no tile on space -1"),
        (Buy(0, (Card("blue", 9),)), "A doesn't hold all of this"),
        (Buy(0, (FIVE, FIVE)), "A doesn't hold all of this"),
        (Buy(0, (TWO,)), "blue 2 doesn't pay 5 blue"),
        (Buy(0, (Card("green", 9),)), "green 9 doesn't pay 5 blue"),
        (Buy(0, ()), "no money doesn't pay"),
        (Move(TOWER_9), "tower 9 isn't in A's reserve"),
        (Stop(), "A has an action to take"),
        (Build(MEDINA_5), "isn't possible in the phase 'act'"),
        (Keep(MEDINA_5), "isn't possible in the phase 'act'"),
    ],
)
def test_what_is_not_possible_is_refused_and_changes_nothing(action: Action, message: str) -> None:
    game = game_with_medina_on_blue(FIVE, TWO, Card("green", 9))
    before = game.view()
    with pytest.raises(MedinaError, match=message):
        game.play(action)
    assert game.view() == before


def test_tiles_are_placed_in_the_order_of_purchase() -> None:
    game = game_with_medina_on_blue(FIVE)
    game.play(Buy(0, (FIVE,)))
    game.play(Stop())
    with pytest.raises(MedinaError, match="medina 5 has to be placed now, not tower 9"):
        game.play(Build(TOWER_9))
    with pytest.raises(MedinaError, match="phase 'place'"):
        game.play(Stop())


def test_the_listed_payment_loses_least() -> None:
    game = game_with_medina_on_blue(Card("blue", 9), SIX, Card("blue", 3), TWO)
    payments = {a.space: a.payment for a in game.actions() if isinstance(a, Buy)}
    assert Counter(payments[0]) == Counter([Card("blue", 3), TWO])
    game.hands["A"] = [Card("blue", 9), SIX, TWO]
    payments = {a.space: a.payment for a in game.actions() if isinstance(a, Buy)}
    assert payments[0] == (SIX,)


@pytest.mark.parametrize("wrong", [{"fits": 1.1}, {"fits": float("nan")}, {"first": 2}])
def test_a_game_that_cannot_be_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(MedinaError, match="to"):
        PurchaseGame(["A", "B"], seed=1, **wrong)  # type: ignore[arg-type]
    with pytest.raises(MedinaError, match="two to six"):
        PurchaseGame(["A"], seed=1)
    few = TileSet("", "", (4,), dict.fromkeys(default_tiles().buildings, ()))
    with pytest.raises(MedinaError, match="too few"):
        PurchaseGame(["A", "B"], seed=1, tiles=few)


# ------------------------------------------------------------------------------ whole games


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 6), st.integers(0, 10**6), st.floats(0, 1))
def test_any_game_ends_with_three_rounds_and_loses_no_piece(
    count: int, seed: int, fits: float
) -> None:
    game = PurchaseGame([*"ABCDEF"[:count]], seed=seed, fits=fits)
    cards = all_cards(game)
    assert cards == Counter(Card(c, v) for c in CURRENCIES for v in range(1, 10) for _ in range(3))
    choose = random.Random(seed)
    while not game.is_over:
        before = len(game.scorings)
        game.play(choose.choice(game.actions()))
        if not game.is_over:
            assert all_tiles(game) == list(default_tiles().tiles())
            assert all_cards(game) == cards
            assert len(game.scorings) - before in (0, 1, 2)
    assert [score.medinas.round for score in game.scorings] == [1, 2, 3]
    assert game.actions() == ()
    assert len(all_tiles(game)) >= 63 - 4
    for player in game.players:
        gained = sum(score.points[player] for score in game.scorings)
        assert game.totals[player] == gained
    with pytest.raises(MedinaError, match="over"):
        game.play(Stop())


def test_a_game_follows_from_its_seed_and_leaves_the_global_generator_alone() -> None:
    state = random.getstate()
    one = play_game(["random", "wary", "thrifty"], seed=5)
    other = play_game(["random", "wary", "thrifty"], seed=5)
    assert random.getstate() == state
    assert (one.totals, one.built, one.scorings) == (other.totals, other.built, other.scorings)
    assert one.totals != play_game(["random", "wary", "thrifty"], seed=6).totals


def test_a_game_ends_even_if_nobody_ever_buys() -> None:
    game = PurchaseGame(["A", "B"], seed=3)
    while not game.is_over:
        actions = game.actions()
        waits = (action for action in actions if isinstance(action, Take | Stop))
        game.play(next(waits, actions[0]))
    assert [score.medinas.round for score in game.scorings] == [1, 2, 3]


def test_a_game_ends_when_nobody_can_do_anything() -> None:
    game = PurchaseGame(["A", "B"], seed=3)
    game.hands = {"A": [], "B": []}
    game.money, game._pile, game._spent = [], [], []
    assert game.actions() == (Stop(),)
    game.play(Stop())
    assert game.player == "B"
    game.play(Stop())
    assert game.is_over
    assert game.winners == ("A", "B")


def test_what_is_left_goes_to_the_one_with_most_money_of_the_currency() -> None:
    game = PurchaseGame(["A", "B"], seed=3, fits=1)
    game.market = [MEDINA_5, TOWER_9, Tile(902, "garden", 8), Tile(903, "garden", 9)]
    game.hands = {"A": [FIVE, Card("green", 2)], "B": [SIX, Card("green", 2)]}
    game._end_game()
    assert game.built == {"A": [], "B": [MEDINA_5]}


def test_r_medina_25_without_debts_totals_stay_at_0_or_above() -> None:
    """R-MEDINA-25: the option reaches every round of a game."""
    options = MedinaOptions(medina_allow_negative_total=False)
    free = [play_game(["random"] * 6, seed=seed, fits=0.3) for seed in range(8)]
    floored = [play_game(["random"] * 6, seed=seed, fits=0.3, options=options) for seed in range(8)]
    low = [total for game in free for score in game.scorings for total in score.totals.values()]
    assert min(low) < 0
    assert all(t >= 0 for game in floored for score in game.scorings for t in score.totals.values())


def test_r_medina_3_built_medinas_earn_nothing() -> None:
    """R-MEDINA-3: no round ever pays for them."""
    for game in played_games(5, ["collector", "wary", "shunner"], seed=2):
        for score in game.scorings:
            assert all(lost <= 0 for lost in score.medinas.points.values())


# ------------------------------------------------------------------------------ buyers


@pytest.mark.parametrize("name", BUYERS)
def test_every_buyer_plays_every_seat_to_the_end(name: str) -> None:
    for count in (2, 6):
        assert play_game([name] * count, seed=count).is_over


def test_buyers_think_of_medinas_as_they_say() -> None:
    tally = Tally(["collector", "shunner", "wary"])
    for game in played_games(30, tally.buyers, seed=1):
        tally.add(game)
    collector, shunner, wary = (player["rounds"][2]["medinas"] for player in tally.players())
    assert collector > wary > shunner
    losses = [player["medina_points"] for player in tally.players()]
    assert losses[1] < losses[0]


def test_a_buyer_sees_no_hidden_tiles_and_chooses_what_is_listed() -> None:
    game = PurchaseGame(["A", "B"], seed=9)
    rng = random.Random(1)
    while not game.is_over:
        view = game.view()
        assert isinstance(view, View)
        choices = {name: buyer(view, rng) for name, buyer in BUYERS.items()}
        assert all(choice in view.actions for choice in choices.values())
        game.play(choices["random"])


def test_unknown_buyers_are_refused() -> None:
    with pytest.raises(MedinaError, match="buyer 'miser' is unknown; known: random, thrifty"):
        find_buyer("miser")


def test_a_tally_counts_every_player_of_every_game() -> None:
    buyers = ["wary", "shunner", "random"]
    tally = Tally(buyers)
    games = list(played_games(6, buyers, seed=4))
    for game in games:
        tally.add(game)
    assert tally.games == 6
    assert [counts.total() for counts in tally.losses.values()] == [18, 18, 18]
    for seat, player in enumerate(tally.players()):
        name = f"P{seat + 1}"
        mean = sum(game.totals[name] for game in games) / 6
        assert player["total"] == pytest.approx(mean, abs=1e-3)
        assert player["total"] == pytest.approx(
            player["buildings"] + player["medina_points"], abs=1e-3
        )
    with pytest.raises(MedinaError, match="finished"):
        tally.add(PurchaseGame(["A", "B", "C"], seed=1))
    with pytest.raises(MedinaError, match="same number"):
        tally.add(play_game(["wary", "wary"], seed=1))
    assert Tally(["wary", "wary"]).players()[0]["total"] == 0.0


def test_each_seat_begins_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    firsts: list[int] = []

    def noted(buyers: list[str], *, first: int, **settings: Any) -> PurchaseGame:
        firsts.append(first)
        return play_game(buyers, first=first, **settings)

    monkeypatch.setattr("carcassonne.alhambra.buyers.play_game", noted)
    assert len(list(played_games(4, ["wary"] * 3, seed=1))) == 4
    assert firsts == [0, 1, 2, 0]
    assert PurchaseGame(["A", "B", "C"], seed=1, first=2).player == "C"
