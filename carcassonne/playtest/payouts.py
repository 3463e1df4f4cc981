"""What a placement finishes and whom it pays: completions, castles and their waves of payouts.

The part of the ledger that follows one placement from the castle decisions to the last meeple
that goes home.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from carcassonne.playtest.books import Books, Castle, Paying
from carcassonne.playtest.broken import require
from carcassonne.playtest.recount import long_sides

if TYPE_CHECKING:
    from collections.abc import Iterable

    from carcassonne.events import CastleBuilt, FeatureCompleted, Score
    from carcassonne.model.game import Game
    from carcassonne.playtest.recount import Spot

    Paid = tuple[str, int, str, Spot]

__all__ = ["Payouts", "people"]


class Payouts(Books):
    """Books that follow completions, castles and what they pay."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.settled = True
        self._begin_placement()

    def _begin_placement(self) -> None:
        """Forget what the placement before has finished."""
        self._finished: list[tuple[Spot, int]] = []
        self._winnings: Counter[Paid] = Counter()
        self._returned: list[tuple[str, Spot]] = []
        self._wave: list[Paying] | None = None
        self._next_wave: list[Paying] = []
        self._queue: list[int] = []
        self._paid: list[int] = []

    def _use(self, player: str, piece: str, rule: str) -> None:
        self.supply[player][piece] -= 1
        left = self.supply[player][piece]
        require(left >= 0, "supply", f"{player} uses more {piece} than there are", rule)

    def castle_built(self, event: CastleBuilt) -> None:
        """Follow the building of a castle."""
        spot = (event.at.cell, event.at.segment)
        found = self.board.feature(spot)
        require(spot == found.at, "castle-building", f"{event}: the city is named {found.at}")
        owner = self.small_city(found)
        require(owner == event.player, "castle-building", f"{event}, but it is {owner}'s to build")
        now = self.placed in found.cells
        require(now, "castle-building", f"{event}, which this turn did not complete")
        self._use(event.player, "castles", "R-CASTLE-1")
        spots = frozenset(found.pieces)
        self.castles.append(Castle(spots, event.player, long_sides(found.cells), self.part))

    def feature_completed(self, event: FeatureCompleted) -> None:
        """Follow the scoring of something that was finished."""
        spot = (event.at.cell, event.at.segment)
        found = self.board.feature(spot)
        asked = not self.castle_choices()[1]
        require(asked, "castle-asked", f"{event} before {self.castle_choices()[0]} was asked")
        named = spot == found.at and event.feature == found.kind
        require(named, "completion", f"{event}: it is the {found.kind} at {found.at}")
        new = any(found is f for f in self.completed_now())
        new = new and spot not in [done for done, _ in self._finished]
        require(new, "completion", f"{event}: not complete now, or scored already")
        points, rule = self.worth(found)
        require(event.points == points, "completion", f"{event}: it is worth {points}", rule)
        leaders = self.leaders(found)
        fair = Counter(event.winners) == Counter(leaders)
        require(fair, "majority", f"{event} pays {event.winners}, not {sorted(leaders)}")
        self._finished.append((spot, points))
        self._winnings.update((name, points, rule, spot) for name in event.winners)

    def _begin_waves(self) -> None:
        """All completions are known: the first wave of payouts to castles (R-CASTLE-26)."""
        expected = {found.at for found in self.completed_now()}
        done = {spot for spot, _ in self._finished}
        text = f"completed are {sorted(expected)}, scored {sorted(done)}"
        require(done == expected, "completion", text)
        text = f"not paid: {sorted(self._winnings)}"
        require(not self._winnings, "majority", text)
        self._take_up(
            [
                Paying(spot, points, frozenset(self.board.feature(spot).cells), "R-CASTLE-18")
                for spot, points in self._finished
            ]
        )

    def _take_up(self, wave: list[Paying]) -> None:
        self._wave, self._next_wave = wave, []
        newest = self.part if self.rules.castle_same_turn else self.part - 1
        waiting = [
            i
            for i, castle in enumerate(self.castles)
            if castle.part <= newest
            and i not in self._paid
            and any(spot in castle.spots for _, spot in self.standing)
            and self._reach(castle)
        ]
        order = self.clockwise(self.turn)
        self._queue = sorted(waiting, key=lambda i: (order.index(self.castles[i].owner), i))

    def _reach(self, castle: Castle) -> list[Paying]:
        return [paying for paying in self._wave or () if paying.cells & castle.near]

    def next_castle(self) -> tuple[Castle, list[Paying]]:
        """The castle that is paid next and what may pay it.

        Raises
        ------
        Broken
            No castle is to be paid.
        """
        if self._wave is None:
            self._begin_waves()
        if not self._queue:
            self._take_up(self._next_wave)
        require(self._queue, "castle-payout", "a castle is paid, or asked, that nothing reaches")
        castle = self.castles[self._queue[0]]
        return castle, self._reach(castle)

    def _pay_castle(self, event: Score, at: Spot) -> None:
        castle, payouts = self.next_castle()
        next_one = at in castle.spots and event.player == castle.owner
        text = f"{event}, but next is {castle.owner}'s castle on {sorted(castle.cells)}"
        require(next_one, "castle-payout", text, "R-CASTLE-26")
        offered = sorted({paying.points for paying in payouts})
        may = event.points in offered and {event.rule} == {paying.rule for paying in payouts}
        require(may, "castle-payout", f"{event}: it can be paid {offered}", "R-CASTLE-20")
        if self.rules.castle_multi_choice == "max":
            text = f"{event}: the best is {offered[-1]}"
            require(event.points == offered[-1], "castle-payout", text, "R-CASTLE-21")
        self._paid.append(self._queue.pop(0))
        spot = min(castle.spots)
        self._next_wave.append(Paying(spot, event.points, castle.cells, "R-CASTLE-25"))

    def _check_settled(self) -> None:
        """Check what a placement has paid and sent home, now that it is over."""
        self.settled = True
        if self._wave is None:
            self._begin_waves()
        if not self._queue:
            self._take_up(self._next_wave)
        require(not self._queue, "castle-payout", "a castle was not paid", "R-CASTLE-20")
        home = {spot for done, _ in self._finished for spot in self.board.feature(done).pieces}
        home |= {spot for i in self._paid for spot in self.castles[i].spots}
        early = [who for who in self._returned if who[1] not in home]
        require(not early, "meeples-home", f"{people(early)} went home, though nothing is scored")
        late = [who for who in self.standing if who[1] in home]
        require(not late, "meeples-home", f"{people(late)} did not go home")


def people(standing: Iterable[tuple[str, Spot]]) -> str:
    """Whose meeples, where."""
    return ", ".join(
        f"{name}'s meeple on {x},{y} {segment}" for name, ((x, y), segment) in standing
    )
