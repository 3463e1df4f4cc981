"""The notation of moves: parsing and printing are exact inverses, all else is `InvalidMove`."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from carcassonne import Game, IllegalMove, InvalidMove
from carcassonne.moves import Address, Move, Place, parse_address, parse_move
from carcassonne.playtest.near_moves import garbage
from carcassonne.playtest.steering import steered
from carcassonne.random_games import EVERYTHING
from carcassonne.tiles import base_letters
from tests.strategies import WORDS, addresses, examples, move_texts, moves, random_setup


@given(move=moves())
@settings(max_examples=examples(200))
def test_what_is_printed_is_read_back(move: Move) -> None:
    """Any well-formed move, any kind: text and value stand for each other."""
    text = str(move)
    assert "\n" not in text
    again = parse_move(text)
    assert again == move
    assert hash(again) == hash(move)
    assert str(again) == text
    assert Move.parse(text) == move
    assert type(again) is type(move)


@given(text=move_texts())
@example("place BA/RCr 0,0 r0 bridge 0,0 NS ")
@example("place  BA/RCr 0,0 r0")
@example("bid -0")
@example("bid 1_000")
@example("bid \u0663")
@example("place \u2028 0,0 r0")
@example("choose 1 bid")
@example("castle 0,0  city.N")
@example("meeple field.inner.1")
@example("meeple field.inner.10")
@example("\ud800")
@example("place A " + "9" * 5000 + ",0 r0")
@settings(max_examples=examples(500))
def test_text_is_a_move_exactly_or_invalid(text: str) -> None:
    """Whatever the text: the move that prints as just this text, or one clear `InvalidMove`."""
    started = time.monotonic()
    try:
        move = parse_move(text)
    except InvalidMove as error:
        message = str(error)
        assert message
        assert "\n" not in message
        assert len(message) < 400
        assert message.isprintable()
    else:
        assert str(move) == text
        assert parse_move(str(move)) == move
    assert time.monotonic() - started < 5


@given(text=st.text(st.sampled_from("placebridgNESW0123-,. r9"), max_size=40))
@settings(max_examples=examples(300))
def test_near_misses_are_invalid_or_exact(text: str) -> None:
    """Text made of the letters of moves is no different."""
    for candidate in (text, f"place {text}", f"bid {text}", f"meeple {text}", f"bridge {text}"):
        try:
            assert str(parse_move(candidate)) == candidate
        except InvalidMove:
            continue


@given(address=addresses)
@settings(max_examples=examples(100))
def test_addresses_are_read_back(address: Address) -> None:
    """Places on the board are written and read alike."""
    assert parse_address(str(address)) == address


@given(text=st.text(max_size=20) | st.sampled_from(WORDS))
@settings(max_examples=examples(200))
def test_broken_addresses_are_invalid(text: str) -> None:
    """Text that is no address is refused as such."""
    for candidate in (text, f"0,0 {text}", f"{text} road.E"):
        refusal = ""
        try:
            assert str(parse_address(candidate)) == candidate
        except InvalidMove as error:
            refusal = str(error)
        assert "\n" not in refusal


@pytest.mark.parametrize("value", [None, 3, b"pass", ["pass"], object(), 1.5])
def test_what_is_no_text_is_invalid(value: object) -> None:
    """Values of other types are no moves."""
    with pytest.raises(InvalidMove):
        parse_move(value)  # type: ignore[arg-type]


@given(tile=st.sampled_from(sorted(base_letters())))
def test_a_letter_and_its_id_are_the_same_move(tile: str) -> None:
    """Base tiles answer to their rulebook letter; the text stays as written."""
    short, long = Place(tile, (1, 0), 2), Place(base_letters()[tile], (1, 0), 2)
    assert short == long
    assert hash(short) == hash(long)
    assert str(short) != str(long)


def test_all_moves_of_games_are_read_back() -> None:
    """Every listed and every refused move of some games survives the trip through text."""
    for seed in range(examples(4)):
        rng = random.Random(seed)
        game = random_setup(rng, stack_size=20).game()
        while game.decision is not None:
            for move in (*game.legal_moves(), garbage(rng, game)):
                assert parse_move(str(move)) == move
                assert str(parse_move(str(move))) == str(move)
            game.play(str(steered(rng, game)))


@given(text=move_texts())
@settings(max_examples=examples(150))
def test_a_game_takes_no_harm_from_text(text: str) -> None:
    """Playing any text at all raises one of the package's errors, or plays the move."""
    game = Game.new(["A", "B"], stack=EVERYTHING[:3])
    before = game.fingerprint()
    refusal = ""
    try:
        game.play(text)
    except (InvalidMove, IllegalMove) as error:
        refusal = str(error)
    assert "\n" not in refusal
    assert (game.fingerprint() == before) == bool(refusal)
