"""What must hold in every game, by name: the register of invariants, and how a breach is told.

Owns the names, the sentences and the rules that go with them. The checks themselves are in
`carcassonne.playtest.ledger` (what happens) and `carcassonne.playtest.invariants` (what is).
"""

from __future__ import annotations

from typing import Final, NamedTuple

__all__ = ["CRASH", "INVARIANTS", "Broken", "Invariant", "require"]

CRASH: Final = "no-crash"
"""The invariant that a crash breaks, of whatever part of the program."""


class Invariant(NamedTuple):
    """Something that holds in every game.

    Attributes
    ----------
    check : str
        The check that finds it broken: a key of `carcassonne.playtest.invariants.CHECKS`, or
        `events` for what is checked as events are followed.
    about : str
        What holds, as one sentence.
    rule : str
        The rule behind it, empty where it is a promise of the program and no rule of the game.
    """

    check: str
    about: str
    rule: str = ""


INVARIANTS: Final[dict[str, Invariant]] = {
    CRASH: Invariant("play", "No part of the program stops with an unexpected error."),
    "listed-moves-play": Invariant("play", "Every move that is listed can be played."),
    # what happens
    "events-follow": Invariant("events", "What happened can be followed event by event."),
    "turn-order": Invariant("events", "Turns and choices go round in order.", "R-BASE-4"),
    "tiles-drawn": Invariant("events", "The tile drawn is the tile laid or set aside.", "R-BASE-4"),
    "set-aside": Invariant("events", "Only what fits nowhere is set aside.", "R-BASE-6"),
    "bridge-building": Invariant("events", "Bridges stand only where they may.", "R-BRIDGE-5"),
    "supply": Invariant("events", "Nobody uses more pieces than they have.", "R-BASE-3"),
    "meeple-placing": Invariant("events", "Meeples go on free features only.", "R-BASE-8"),
    "castle-building": Invariant("events", "Only small cities become castles.", "R-CASTLE-2"),
    "castle-asked": Invariant("events", "Owners of small cities are asked first.", "R-CASTLE-4"),
    "completion": Invariant(
        "events", "What a tile finishes is scored once, all of it, at its worth.", "R-BASE-12"
    ),
    "majority": Invariant("events", "Majorities are paid, each once.", "R-BASE-16"),
    "score-items": Invariant("events", "The items of a score add up to its points."),
    "meeples-home": Invariant("events", "Meeples of what was scored go home.", "R-BASE-17"),
    "castle-payout": Invariant(
        "events", "Castles are paid once, in waves, by what reaches them.", "R-CASTLE-18"
    ),
    "market": Invariant("events", "A bazaar opens exactly when it must.", "R-BAZAAR-4"),
    "bidding": Invariant("events", "Everybody bids once and higher.", "R-BAZAAR-8"),
    "sale": Invariant("events", "The auctioned tile is paid for as the deal says.", "R-BAZAAR-11"),
    "round": Invariant("events", "Each player of a bazaar lays a tile in turn.", "R-BAZAAR-19"),
    "auction-sum": Invariant(
        "events", "Auctions keep the sum of all scores but for what is paid to nobody.",
        "R-BAZAAR-30",
    ),
    "final-scoring": Invariant("events", "The end pays what the recount says.", "R-BASE-21"),
    "winners": Invariant("events", "The most points win.", "R-BASE-25"),
    # what is
    "scores-are-sums": Invariant("table", "A score is the sum of its events."),
    "pieces-kept": Invariant(
        "table", "Pieces in supplies and on the board are all the pieces.", "R-BASE-3"
    ),
    "tiles-kept": Invariant(
        "table", "Tiles in stack, hands, offer, board and set aside are all the tiles.", "R-BASE-4"
    ),
    "board": Invariant("table", "The board is what was laid and built on it."),
    "edges-match": Invariant("table", "Edges that meet show the same.", "R-BASE-5"),
    "open-cells": Invariant("table", "Open cells are the empty ones beside a tile."),
    "castles": Invariant("table", "Castles are those built, with six cells each.", "R-CASTLE-13"),
    "who-decides": Invariant("table", "Whose turn it is, and who decides, is right.", "R-BASE-4"),
    "features": Invariant(
        "features", "Features are the segments that join on the table, each once.", "R-BASE-23"
    ),
    "open-ends": Invariant("features", "Open ends are those that face empty cells.", "R-BASE-12"),
    "feature-worth": Invariant("features", "Features are worth what a recount gives.", "R-BASE-13"),
    "feature-meeples": Invariant("features", "Meeples stand where they were put.", "R-BASE-8"),
    "graph": Invariant("features", "The graph's components are the features."),
    "legal-moves": Invariant("listing", "Listed is what trying everything finds, each once."),
    "placements": Invariant("listing", "Placements are counted as trying all finds.", "R-BASE-5"),
    "something-to-decide": Invariant("listing", "Nobody is asked without a choice."),
    "refusals": Invariant("refusals", "What is not legal is refused by a rule, and nothing else."),
    "names": Invariant("refusals", "A move means the same under all its names."),
    "undo": Invariant("undo", "Undo restores what was, and the move can be made again."),
    "copies": Invariant("copies", "A copy is equal and shares nothing with the game."),
    "record": Invariant("record", "A saved game loads to the same state and the same record."),
    "engines-agree": Invariant("core", "Model and core are the same game."),
    "bots": Invariant("bots", "A bot answers with a legal move and leaves the game alone."),
}  # fmt: skip
"""Every invariant by name."""


class Broken(AssertionError):
    """An invariant does not hold.

    Attributes
    ----------
    invariant : str
        A name of `INVARIANTS`.
    message : str
        What is wrong, with the things concerned.
    rule : str
        The rule that is broken; empty if it is no rule of the game.
    """

    def __init__(self, invariant: str, message: str, rule: str = "") -> None:
        self.invariant = invariant
        self.message = message
        self.rule = rule or INVARIANTS[invariant].rule
        super().__init__(f"{invariant}: {message}" + (f" ({self.rule})" if self.rule else ""))

    def __reduce__(self) -> tuple[type[Broken], tuple[str, str, str]]:
        return (Broken, (self.invariant, self.message, self.rule))


def require(holds: object, invariant: str, message: str, rule: str = "") -> None:
    """Raise `Broken` unless something holds.

    Raises
    ------
    Broken
        `holds` is false.
    """
    if not holds:
        raise Broken(invariant, message, rule)
