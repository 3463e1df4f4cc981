"""Whole games by a state machine and by seeded play: nothing is lost, everything is recounted."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from carcassonne import Game, IllegalMove
from carcassonne.errors import CarcassonneError
from carcassonne.events import Event, Score, TilePlaced
from carcassonne.moves import Choose, Decline, Move, Place, parse_move
from carcassonne.playtest.invariants import check_features, check_listing, check_table
from carcassonne.playtest.ledger import Ledger
from carcassonne.playtest.listings import is_legal
from carcassonne.playtest.near_moves import aliases, garbage
from carcassonne.playtest.recount import Recount
from carcassonne.playtest.steering import ranked, steered
from carcassonne.random_games import EVERYTHING
from carcassonne.record import game_from_record, record_of
from carcassonne.rule_register import is_rule
from tests.strategies import VALUES, Setup, castle_yard, examples, random_setup, setups, to_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

AUCTION = ("choose", "bid", "deal")
SCORING = (
    *("R-BASE-13", "R-BASE-14", "R-BASE-15", "R-BASE-21", "R-BASE-22", "R-BASE-26"),
    *("R-CASTLE-18", "R-CASTLE-25", "R-CASTLE-31", "R-BAZAAR-11", "R-BAZAAR-12"),
)
"""Every rule that a score event of these games can carry."""
POOLS_THAT_LEAD = (
    *("collects", "unplaceable", "awkward", "castles", "bridges", "markets", "declines"),
)


def listing(game: Game) -> list[str]:
    """The legal moves as text, in the order listed."""
    return [str(move) for move in game.legal_moves()]


class Table:
    """A game with its ledger, its history and every check of one move."""

    def __init__(self, setup: Setup, *, every: int = 1) -> None:
        self.setup = setup
        self.every = every
        self.game = setup.game()
        self.ledger = Ledger(self.game)
        self.steps: list[tuple[Any, Move, int]] = []
        self.prints: dict[int, tuple[object, ...]] = {0: self.game.fingerprint()}
        self.listings: list[list[str]] = [listing(self.game)]
        self.check()

    @property
    def now(self) -> tuple[object, ...]:
        """The fingerprint of the game after its last move, remembered."""
        return self.prints.setdefault(len(self.steps), self.game.fingerprint())

    def same(self, game: Game) -> None:
        """A game is what this one was after as many moves."""
        at = len(game.moves)
        if at in self.prints:
            assert game.fingerprint() == self.prints[at]
        assert listing(game) == self.listings[at]

    def check(self) -> None:
        """Everything that must hold at every decision."""
        check_table(self.game, self.ledger)
        if len(self.steps) % min(self.every, 3) == 0:
            check_features(self.game, self.ledger)
        check_listing(self.game, self.ledger)

    def play(self, move: Move | str) -> None:
        """One legal move, with what it may change."""
        game = self.game
        decision, before = game.decision, sum(game.scores.values())
        assert decision is not None
        value = parse_move(move) if isinstance(move, str) else move
        events = game.play(move, player=decision.player)
        self.ledger.enter(decision, value, events)
        if decision.kind in AUCTION and not game.is_over:
            gone = [e.points for e in events if isinstance(e, Score) and e.rule == "R-BAZAAR-12"]
            assert sum(game.scores.values()) - before == sum(gone)
        self.steps.append((decision, value, len(events)))
        if len(self.steps) % self.every == 0:
            self.prints[len(self.steps)] = game.fingerprint()
        self.listings.append(listing(game))
        self.check()

    def take_back(self, count: int) -> None:
        """Undo exactly, then follow the shorter game anew."""
        self.game.undo(count)
        del self.steps[-count:], self.listings[-count:]
        self.prints = {at: value for at, value in self.prints.items() if at <= len(self.steps)}
        self.same(self.game)
        self.ledger = Ledger(self.setup.game())
        at = 0
        events = self.game.events
        start = len(self.setup.game().events)
        for decision, move, size in self.steps:
            self.ledger.rest(decision.kind)
            self.ledger.enter(decision, move, events[start + at : start + at + size])
            at += size
        check_table(self.game, self.ledger)

    def refuse(self, move: Move) -> None:
        """A move is refused, and with known rules, exactly when it ought to be illegal."""
        game = self.game
        found = game.why_not(move)
        legal = is_legal(self.ledger, game.decision, move)
        assert (not found) == legal, (str(move), found)
        legal_moves: Sequence[object] = game.legal_moves()
        assert (str(move) in legal_moves) == (move in legal_moves) == legal
        if legal:
            return
        assert all(is_rule(violation.rule) for violation in found), found
        assert all(violation.message for violation in found)
        with pytest.raises(IllegalMove) as refused:
            game.play(move)
        assert refused.value.violations == tuple(found)
        assert str(refused.value).count("\n") == 0

    def try_all(self, rng: random.Random, most: int) -> None:
        """Listed moves are accepted, also under other names, and change nothing until played."""
        game = self.game
        moves = list(game.legal_moves())
        for move in rng.sample(moves, min(most, len(moves))):
            assert game.why_not(move) == []
            other = aliases(rng, game, move)
            assert game.why_not(str(other)) == []
            assert game.canonical(other) == move
            assert str(game.canonical(str(other))) == str(move)
            one, twin = game.copy(), game.copy()
            assert _but_rotation(one.play(move)) == _but_rotation(twin.play(str(other)))
            assert _aspects(one) == _aspects(twin)
            one.undo()
            assert one.fingerprint() == self.now
        assert game.fingerprint() == self.now

    def copy_and_part(self, rng: random.Random, steps: int) -> None:
        """A copy goes its own way and back to the start; the game does not notice."""
        twin = self.game.copy()
        assert twin.fingerprint() == self.now
        assert listing(twin) == self.listings[-1]
        for _ in range(steps):
            if not twin.is_over:
                twin.play(steered(rng, twin))
        played = len(twin.moves)
        if played:
            twin.undo(rng.randint(1, played))
            if len(twin.moves) <= len(self.steps):
                self.same(twin)
        if twin.moves:
            twin.undo(len(twin.moves))
        assert twin.fingerprint() == self.prints[0]
        assert self.game.fingerprint() == self.now
        for decision, move, _ in self.steps:
            assert twin.decision == decision
            twin.play(move)
        assert twin.fingerprint() == self.now

    def save_and_load(self) -> None:
        """The record replays to the same state, and says the same again."""
        record = record_of(self.game)
        loaded = game_from_record(json.loads(json.dumps(record)))
        assert loaded.fingerprint() == self.now
        assert listing(loaded) == self.listings[-1]
        assert record_of(loaded) == record == to_json(record)

    def there_and_back(self) -> None:
        """Undo step by step to the start, then forward again to the very same states."""
        game = self.game
        moves = list(game.moves)
        for _ in moves:
            game.undo()
            self.same(game)
        with pytest.raises(CarcassonneError):
            game.undo()
        for move in moves:
            game.play(move)
            self.same(game)


def _but_rotation(events: Iterable[Event]) -> list[Event]:
    """Events without the rotation of a placement, which a symmetric tile leaves open."""
    return [event for event in events if not isinstance(event, TilePlaced)]


def _aspects(game: Game) -> tuple[object, ...]:
    """What a game shows, but for the rotation of symmetric tiles."""
    return (game.scores, game.supply, game.decision, game.stack_left, len(game.features()))


class WholeGames(RuleBasedStateMachine):
    """Games of any size under any options, with every check after every move."""

    table: Table

    @initialize(setup=setups())
    def begin(self, setup: Setup) -> None:
        self.table = Table(setup)

    @property
    def game(self) -> Game:
        game: Game = self.table.game
        return game

    def _is_on(self) -> bool:
        return not self.game.is_over

    @precondition(_is_on)
    @rule(at=st.just(0) | st.integers(0, 400))
    def play(self, at: int) -> None:
        moves = ranked(self.game)
        self.table.play(moves[at % len(moves)])

    @precondition(_is_on)
    @rule(at=st.just(0) | st.integers(0, 400), count=st.integers(2, 8))
    def play_on(self, at: int, count: int) -> None:
        for i in range(count):
            if not self.game.is_over:
                moves = ranked(self.game)
                self.table.play(moves[at * (i + 1) % len(moves)])

    @precondition(lambda self: len(self.game.moves) > 0)
    @rule(count=st.integers(1, 6))
    def take_back(self, count: int) -> None:
        self.table.take_back(min(count, len(self.game.moves)))

    @rule(seed=st.integers(0, 2**32))
    def refuse(self, seed: int) -> None:
        rng = random.Random(seed)
        for _ in range(25):
            self.table.refuse(garbage(rng, self.game))
        assert self.game.fingerprint() == self.table.now

    @precondition(_is_on)
    @rule(seed=st.integers(0, 2**32))
    def try_all(self, seed: int) -> None:
        self.table.try_all(random.Random(seed), 6)

    @rule(seed=st.integers(0, 2**32), steps=st.integers(0, 8))
    def copy_and_part(self, seed: int, steps: int) -> None:
        self.table.copy_and_part(random.Random(seed), steps)

    @rule()
    def save_and_load(self) -> None:
        self.table.save_and_load()

    @precondition(lambda self: self.game.decision is not None)
    @rule()
    def stop(self) -> None:
        game = self.game.copy()
        if game.decision is not None and game.decision.kind != "place":
            with pytest.raises(CarcassonneError):
                game.stop()
            assert game.fingerprint() == self.table.now
            return
        game.stop()
        assert game.is_over
        assert game.was_stopped
        assert list(game.legal_moves()) == []
        loaded = game_from_record(record_of(game))
        assert loaded.fingerprint() == game.fingerprint()
        game.undo()
        assert game.fingerprint() == self.table.now

    def teardown(self) -> None:
        if hasattr(self, "table"):
            self.table.there_and_back()
            self.table.save_and_load()


WholeGames.TestCase.settings = settings(max_examples=examples(100), stateful_step_count=50)
TestWholeGames = WholeGames.TestCase


@pytest.mark.parametrize("seed", range(examples(28)))
def test_seeded_games_keep_all_properties(seed: int) -> None:
    """Full games under changed options: checked at every move, copied and saved now and then."""
    rng = random.Random(seed)
    setup = random_setup(rng, stack_size=(0, 14, 40)[seed % 3])
    table = Table(setup, every=7)
    while not table.game.is_over:
        table.play(steered(rng, table.game))
        for _ in range(4):
            table.refuse(garbage(rng, table.game))
        if rng.random() < 0.04:
            table.try_all(rng, 3)
            table.copy_and_part(rng, 3)
            table.save_and_load()
            table.take_back(rng.randint(1, min(4, len(table.steps))))
    table.save_and_load()
    table.there_and_back()
    assert Recount.of(table.game).clashes() == []


@pytest.mark.parametrize("seed", range(examples(8)))
def test_castles_side_by_side_are_paid_in_waves(seed: int) -> None:
    """Yards full of castles: every payout, choice and return is audited (R-CASTLE-20 to 30)."""
    rng = random.Random(seed)
    seen: Counter[str] = Counter()
    for _ in range(10):
        table = Table(castle_yard(rng))
        while not table.game.is_over:
            seen[table.listings[-1][0].split(" ")[0]] += 1
            table.play(steered(rng, table.game, patient=False))
            for _ in range(2):
                table.refuse(garbage(rng, table.game))
        seen.update(event.rule for event in table.game.events if isinstance(event, Score))
        table.there_and_back()
        table.save_and_load()
    assert seen["R-CASTLE-18"] > 3, seen
    assert seen["R-CASTLE-25"] > 3, seen


def test_steering_reaches_every_decision_and_rule() -> None:
    """The games that are compared do hold castles, cascades, collects, declines and auctions."""
    kinds: Counter[str] = Counter()
    rules: Counter[str] = Counter()
    for seed in range(210):
        rng = random.Random(seed)
        pool = POOLS_THAT_LEAD[seed % len(POOLS_THAT_LEAD)]
        game = random_setup(rng, stack_size=rng.choice([14, 30, 30]), pool=pool).game()
        while game.decision is not None:
            kinds[game.decision.kind] += 1
            kinds["decline"] += any(isinstance(move, Decline) for move in game.legal_moves())
            events = game.play(steered(rng, game))
            rules.update(event.rule for event in events if isinstance(event, Score))
            kinds.update(type(event).__name__ for event in events)
    for kind in ("place", "bridge", "meeple", "castle", "choose", "bid", "deal", "take"):
        assert kinds[kind] > 100, kinds
    assert kinds["collect"] > 5, kinds
    assert kinds["decline"] > 5, kinds
    for name in ("CastleBuilt", "MarketSkipped", "TileSetAside"):
        assert kinds[name] > 5, kinds
    assert kinds["TurnSkipped"] > 1, kinds
    for name in SCORING:
        assert rules[name] > 5, rules


def test_every_option_is_tried_with_every_value() -> None:
    """No option of the rules is missing from the strategies."""
    fields = set(random_setup(random.Random(0)).rules.__struct_fields__)
    assert set(VALUES) == fields
    assert all(len(values) >= 2 for values in VALUES.values())


def test_nobody_else_may_move() -> None:
    """Only the decider's moves are accepted, whoever's turn it is (R-BASE-4)."""
    rng = random.Random(1)
    game = random_setup(rng, stack_size=20).game()
    while game.decision is not None:
        move, before = steered(rng, game), game.fingerprint()
        for name in game.players:
            if name != game.decision.player:
                with pytest.raises(IllegalMove) as refused:
                    game.play(move, player=name)
                assert "R-BASE-4" in refused.value.rules
        assert game.fingerprint() == before
        game.play(move)


def test_a_fair_reshuffle_keeps_what_is_known() -> None:
    """`shuffled` keeps the board, the drawn tiles and the counts of the unseen ones."""
    rng = random.Random(5)
    game = random_setup(rng, stack_size=0).game()
    for _ in range(30):
        game.play(steered(rng, game))
    before = game.fingerprint()
    other = game.shuffled(random.Random(9))
    assert other.unseen == game.unseen
    assert listing(other) == listing(game)
    seen = len(game.stack) - game.stack_left
    assert other.stack[:seen] == game.stack[:seen]
    assert sorted(other.stack) == sorted(game.stack)
    while not other.is_over:
        other.play(steered(rng, other))
    assert game.fingerprint() == before


def test_any_bid_beyond_the_listing_is_accepted() -> None:
    """A listing of bids ends somewhere, the bids that are legal do not."""
    setup = Setup(("A", "B", "C"), random_setup(random.Random(0)).rules.__class__(), 0)
    game = Setup(setup.players, setup.rules, 0, stack=("BB/F.b", *EVERYTHING[:6])).game()
    while game.decision is not None and game.decision.kind != "choose":
        game.play(next(m for m in game.legal_moves() if not isinstance(m, Decline)))
    assert max(m.bid for m in game.legal_moves() if isinstance(m, Choose)) == 20
    game.play("choose 1 bid 99999")
    assert listing(game)[-2:] == ["bid 100000", "pass"] or "bid 100009" in listing(game)
    game.play("bid 100000")
    assert game.high_bid == 100_000
    assert not [move for move in game.legal_moves() if isinstance(move, Place)]
