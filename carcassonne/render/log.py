"""What happened in a game, as a log for terminals: turns in short lines, auctions bid by bid.

Made from events alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from carcassonne.events import (
    BidMade,
    BidPassed,
    BridgeBuilt,
    Event,
    FeatureCompleted,
    GameOver,
    MarketOpened,
    MeeplePlaced,
    MeepleReturned,
    Score,
    TileChosen,
    TileDrawn,
    TilePlaced,
    TileSetAside,
    TileTaken,
)
from carcassonne.geometry import AXES, ROTATIONS, cell_text
from carcassonne.render.words import columns, item_text, numbered, points_text, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

__all__ = ["FINAL_RULES", "TurnLog", "auction_log", "event_lines", "taken_text"]

_INDENT: Final = 6
FINAL_RULES: Final = ("R-BASE-21", "R-BASE-22", "R-CASTLE-31")
"""The rules of scores with one of which the final scoring begins."""
_MARKET: Final = (MarketOpened, TileChosen, BidMade, BidPassed, TileTaken)


def auction_log(events: Iterable[Event], *, width: int = 80) -> list[str]:
    """All bazaars: who opened them, and for each tile who bid what and who got it."""
    lines: list[str] = []
    number = 0
    market = [event for event in events if isinstance(event, _MARKET)]
    for event, text in _lots(market):
        if isinstance(event, MarketOpened):
            number += 1
            title = f"Bazaar {number}, opened by {event.player}: {', '.join(event.tiles)}"
            lines += wrapped(title, width, hang=4)
        else:
            lines += wrapped(text, width, indent=2, hang=4)
    return lines


def _lots(events: Iterable[Event]) -> Iterator[tuple[Event, str]]:
    """Market events with one text for each tile: all its bids and who got it."""
    bids: list[str] = []
    tile = ""
    event: Event | None = None
    for event in events:
        if isinstance(event, MarketOpened):
            yield event, f"{event.player} opens the bazaar: {numbered(event.tiles)}"
        elif isinstance(event, TileChosen):
            tile = event.tile
            bids = [f"{event.player} {event.bid}"]
        elif isinstance(event, BidMade):
            bids.append(f"{event.player} {event.points}")
        elif isinstance(event, BidPassed):
            bids.append(f"{event.player} passes")
        elif isinstance(event, TileTaken):
            how = [", ".join(bids), taken_text(event)]
            yield event, f"{event.tile}: {'; '.join(filter(None, how))}"
            bids, tile = [], ""
    if bids and event:
        yield event, f"{tile + ': ' if tile else ''}{', '.join(bids)}"


def taken_text(event: TileTaken) -> str:
    """How a lot ended."""
    if event.rule == "R-BAZAAR-27":
        return f"{event.player} takes it"
    price = f"for {event.price}" if event.price else "for nothing"
    if event.seller:
        return f"{event.seller} sells to {event.player} {price}"
    if event.rule == "R-BAZAAR-12" and event.price:
        return f"{event.player} takes it, pays {event.price} to nobody"
    if event.rule == "R-BAZAAR-11":
        return f"{event.player} buys it {price}"
    return f"{event.player} gets it {price}"


# ------------------------------------------------------------------------------ the log


def event_lines(events: Sequence[Event], *, width: int = 80) -> list[str]:
    """What happened, in short lines: a line for a placement with all that belongs to it."""
    return TurnLog(None, width=width).lines(events)


class TurnLog:
    """Tells a game turn by turn; keeps the number of the turn and the scores so far.

    Parameters
    ----------
    scores
        The scores at the start, to show what each payment leads to; None: show neither that nor
        the numbers of the turns.
    """

    def __init__(self, scores: Mapping[str, int] | None, *, width: int = 80) -> None:
        self.width = width
        self._start = scores
        self._names = max(map(columns, scores or ()), default=0)
        self.start_over()

    def start_over(self, events: Sequence[Event] = ()) -> None:
        """Begin again, with these events told already (moves were taken back, say)."""
        self.turn = 0
        self._final = False
        self._scores = None if self._start is None else dict(self._start)
        self.lines(events)

    def lines(self, events: Sequence[Event]) -> list[str]:
        """The lines for the next events."""
        lines: list[str] = []
        i = 0
        while i < len(events):
            end = i + 1
            event = events[i]
            if isinstance(event, TilePlaced | BridgeBuilt | MeeplePlaced):
                while end < len(events) and isinstance(events[end], BridgeBuilt | MeeplePlaced):
                    end += 1
                lines += self._placement(events[i:end])
            elif isinstance(event, _MARKET):
                while end < len(events) and _of_market(events[end]):
                    end += 1
                lines += self._market(events[i:end])
            else:
                lines += self._single(event)
            i = end
        return lines

    def _indented(self, text: str) -> list[str]:
        return wrapped(text, self.width, indent=_INDENT, hang=4)

    def _placement(self, events: Sequence[Event]) -> list[str]:
        first = events[0]
        parts = []
        for event in events:
            if isinstance(event, TilePlaced):
                where = f"{cell_text(event.cell)} {ROTATIONS[event.rotation]}"
                parts.append(f"{event.tile} at {where}")
            elif isinstance(event, BridgeBuilt):
                parts.append(f"bridge on {cell_text(event.cell)} {AXES[event.axis]}")
            elif isinstance(event, MeeplePlaced):
                parts.append(f"meeple on {event.at.segment}")
        text = ", ".join(parts)
        if not isinstance(first, TilePlaced):
            return self._indented(f"{getattr(first, 'player', '')}: {text}")
        self.turn += 1
        if self._start is None:
            return wrapped(f"{first.player}  {text}", self.width, indent=2, hang=4)
        name = first.player + " " * (self._names - columns(first.player))
        hang = _INDENT - 2 if self._names > self.width // 3 else self._names + _INDENT
        number = str(self.turn)
        return wrapped(f"{number}  {name}  {text}", self.width, indent=3 - len(number), hang=hang)

    def _market(self, events: Sequence[Event]) -> list[str]:
        lines: list[str] = []
        for event in events:
            if isinstance(event, Score):
                self._add(event)
        for _, text in _lots(e for e in events if isinstance(e, _MARKET)):
            lines += self._indented(text)
        if self._scores is not None and any(isinstance(e, TileTaken) and e.price for e in events):
            now = ", ".join(f"{name} {points}" for name, points in self._scores.items())
            lines += self._indented(f"scores: {now}")
        return lines

    def _add(self, event: Score) -> None:
        if self._scores is not None:
            self._scores[event.player] += event.points

    def _single(self, event: Event) -> list[str]:
        if isinstance(event, Score):
            self._add(event)
            opening = [] if self._final or event.rule not in FINAL_RULES else ["Final scoring"]
            self._final = self._final or bool(opening)
            return [*opening, *self._indented(self._score(event))]
        if isinstance(event, TileDrawn | MeepleReturned | GameOver):
            return []
        if isinstance(event, FeatureCompleted):
            if event.winners:
                return []
            points = points_text(event.points)
            text = f"{event.feature} {event.at} is complete: {points} for nobody"
        elif isinstance(event, TileSetAside):
            declined = event.rule == "R-BRIDGE-11"
            verb = "declines" if declined else "sets aside"
            text = f"{event.player} {verb} {event.tile}{'' if declined else ': it fits nowhere'}"
        else:
            text = str(event)
        return self._indented(text)

    def _score(self, event: Score) -> str:
        """Who got how many points for what, and what that makes."""
        total = f" = {self._scores[event.player]}" if self._scores is not None else ""
        where = f" {event.at}" if event.at else ""
        items = " + ".join(item_text(i.what, i.count, i.each) for i in event.items)
        return f"{event.player} {event.points:+d}{total}: {event.feature}{where}" + (
            f", {items}" if items else ""
        )


def _of_market(event: Event) -> bool:
    return isinstance(event, _MARKET) or (isinstance(event, Score) and event.feature == "auction")
