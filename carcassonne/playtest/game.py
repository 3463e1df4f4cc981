"""Playing one game of an experiment: from an arm, a stack order and a seating to its row.

Everything random follows from the design's seed, the unit and the seat, so that it doesn't matter
where and in which order games are played; all arms of a unit share stack order and bots' seeds.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import msgspec

from carcassonne.bots.base import BotError
from carcassonne.bots.play import play_out
from carcassonne.bots.random_bot import RandomBot
from carcassonne.bots.roster import Roster
from carcassonne.bots.table import is_quick
from carcassonne.core import layout
from carcassonne.core.dealer import Dealer
from carcassonne.core_link import to_model
from carcassonne.farm.work import Work
from carcassonne.playtest.design import Deck, Design
from carcassonne.playtest.facts import Facts
from carcassonne.playtest.measures import load_measures, measures_for, take
from carcassonne.playtest.rows import GameRow

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from carcassonne.bots import Bot
    from carcassonne.core.game import CoreGame
    from carcassonne.model.game import Game
    from carcassonne.playtest.measures import Taken

__all__ = ["Lab", "measures_of", "open_lab", "seat_names", "work_of"]


def measures_of(design: Design) -> tuple[Taken, ...]:
    """All measures of a design, the user's own included, in the order of a row's values.

    Raises
    ------
    MeasureError
        A file of measures can't be used.
    """
    players = max(arm.players for arm in design.arms)
    labels = dict.fromkeys(bot for arm in design.arms for bot in arm.bots)
    own = [taken for path in design.measures for taken in load_measures(path)]
    averaged = {bot for arm in design.arms for bot in arm.bots if arm.bots.count(bot) > 1}
    return measures_for(players, list(labels), own, averaged=averaged)


def seat_names(players: int) -> tuple[str, ...]:
    """The names of the players of a playtest, by seat."""
    return tuple("ABCDEF"[:players])


class Lab:
    """Plays games of one design, one after the other.

    Raises
    ------
    CarcassonneError
        A bot, a tile set or a file of measures of the design can't be used.
    """

    def __init__(self, design: Design) -> None:
        self._design = design
        self._measures = measures_of(design)
        self._roster = Roster(design.bot_files)
        self._dealers = [
            Dealer(seat_names(arm.players), arm.rules, arm.box()) for arm in design.arms
        ]
        self._types = [list(dealer.box.types) for dealer in self._dealers]
        self._decks = [Deck(dealer.box) for dealer in self._dealers]
        self._makers: dict[str, tuple[Callable[..., Bot], dict[str, Any]]] = {}
        self._dealt = [-1] * len(design.arms)

    def play(self, unit: int) -> list[GameRow]:
        """Play all games of a unit, by arm and seating; see `play_game`."""
        return [
            self.play_game(arm, unit, turn)
            for arm, kind in enumerate(self._design.arms)
            for turn in range(kind.turns)
        ]

    def play_game(self, arm: int, unit: int, turn: int) -> GameRow:
        """Play a game and take its measures.

        Raises
        ------
        CarcassonneError
            A bot can't be made or broke down, or a measure failed.
        """
        dealer = self._deal(arm, unit)
        game, happened = dealer.noted_game()
        codes = self._design.arms[arm].seating(turn)
        bots = self._seat(codes, unit)
        moves, listed = (
            _play_quickly(game, bots) if all(map(is_quick, bots)) else _play_out(game, bots, unit)
        )
        number = game.engine.number
        scores = [number(layout.SCORE + seat) for seat in range(len(bots))]
        facts = Facts(codes, scores, happened, self._types[arm], moves=moves, listed=listed)
        return GameRow(
            arm, unit, turn, take(self._measures, facts, self._name(arm, unit)),
            tuple(facts.auctions), tuple(facts.castles),
        )  # fmt: skip

    def _name(self, arm: int, unit: int) -> str:
        return f"stack order {unit}, arm {self._design.arms[arm].name!r}"

    def close(self, *, at_once: bool = False) -> None:
        """There is nothing to end: bots live as long as their game."""

    def replay(self, arm: int, unit: int, turn: int) -> Game:
        """Play a game once more and hand it over on the model, with all its events."""
        game = self._deal(arm, unit).new_game()
        bots = self._seat(self._design.arms[arm].seating(turn), unit)
        _play_out(game, bots, unit)
        return to_model(game)

    def _deal(self, arm: int, unit: int) -> Dealer:
        dealer = self._dealers[arm]
        if self._dealt[arm] != unit:
            dealer.set_stack(self._decks[arm].order(self._design.seed, unit))
            self._dealt[arm] = unit
        return dealer

    def _seat(self, codes: Sequence[str], unit: int) -> list[Bot]:
        digest = hashlib.blake2b(repr((self._design.seed, unit)).encode(), digest_size=24).digest()
        bots = []
        for seat, code in enumerate(codes):
            known = self._makers.get(code)
            if known is None:
                self._roster.make(code)
                kind, values = self._roster.read(code)
                known = self._makers[code] = (kind.make, values)
            make, values = known
            seed = int.from_bytes(digest[4 * seat : 4 * seat + 4], "little")
            bots.append(make(seed=seed, **values))
        return bots


def open_lab(settings: bytes) -> Lab:
    """The lab of a design that another process has sent."""
    return Lab(msgspec.msgpack.decode(settings, type=Design))


def work_of(design: Design) -> Work[int, list[GameRow]]:
    """The work of a playtest; its tasks are units."""
    opener = f"{__name__}:{open_lab.__name__}"
    return Work(opener, msgspec.msgpack.encode(design), int, list[GameRow])


def _play_quickly(game: CoreGame, bots: Sequence[Any]) -> tuple[int, int]:
    """Play with built-in bots that answer in numbers; returns decisions and moves listed."""
    engine = game.engine
    dice = [bot.dice for bot in bots if isinstance(bot, RandomBot)]
    if len(dice) == len(bots):  # nobody thinks: the core can play the game in one go
        counts = engine.roll_out(dice)
        return counts >> 32, counts & 0xFFFF_FFFF
    number, count, play = engine.number, engine.count_moves, game.play_number
    choosers = [bot.choose_number for bot in bots]
    moves = listed = 0
    while number(layout.PHASE) != layout.OVER:
        listed += count()
        moves += 1
        play(choosers[number(layout.DECIDER)](game))
    return moves, listed


def _play_out(game: CoreGame, bots: Sequence[Bot], seed: int) -> tuple[int, int]:
    """Play with any bots, which are handed copies unless they are built in."""
    count = game.engine.count_moves
    listed = count()

    def add(*_: object) -> None:
        nonlocal listed
        listed += count()

    outcome = play_out(game, bots, on_move=add, seed=seed)
    if outcome.verdict != "normal":
        raise BotError(f"a bot broke down: {outcome.faults[-1]}")
    return outcome.moves, listed
