#!/usr/bin/env python3
"""A bot for `carcassonne`, in plain Python: it counts the points that each move brings.

It reads one JSON object a line and answers `hello` and `decide`, as docs/bot-protocol.md says.
It follows the board from the events, so that it can look at features; farms it leaves alone.
Copy it and write a better one.
"""

from __future__ import annotations

import json
import sys

SIDES = "NESW"
STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))
AROUND = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]
HOPES = (1.0, 0.6, 0.35, 0.2, 0.1)  # that a feature with so many open sides will be completed


def cell_of(text):
    """A cell from its text: `1,-2`."""
    x, y = text.split(",")
    return int(x), int(y)


class Segment:
    """A road, city or cloister on one tile as it lies."""

    def __init__(self, kind, sides, pennants=0):
        self.kind, self.sides, self.pennants = kind, sides, pennants
        self.meeples = []


class Feature:
    """Segments that are joined: counts of what matters for points."""

    def __init__(self, kind):
        self.kind, self.segments, self.cells = kind, [], set()
        self.open = self.pennants = 0
        self.meeples = []


def worth(kind, tiles, pennants, open_sides):
    """What a feature will bring, more or less."""
    if kind == "cloister":
        return tiles + (9 - tiles) * max(0.0, 0.9 - 0.1 * open_sides)
    now = tiles + pennants
    done = now if kind == "road" else 2 * now
    hope = HOPES[min(open_sides, len(HOPES) - 1)]
    return hope * done + (1 - hope) * now


class Bot:
    """Follows one game after the other."""

    def __init__(self):
        self.tiles = {}  # id: definition

    # ------------------------------------------------------------------ what it is told

    def new_game(self, message):
        """Take up the table as it lies."""
        self.tiles = {tile["id"]: tile for one in message["tile_sets"] for tile in one["tile"]}
        self.me = message["player"]
        table = message["table"]
        self.board = {}  # cell: its segments
        self.supply = {name: pieces["meeples"] for name, pieces in table["supply"].items()}
        self.last = None  # the cell of the tile just placed
        for text in table["tiles"]:
            tile, cell, rotation = text.split()
            self.lay(tile, cell_of(cell), rotation)
        for text in table["bridges"]:
            cell, axis = text.split()
            self.bridge(cell_of(cell), axis)
        for text in table["meeples"]:
            player, cell, name = text.split()
            self.put(player, cell_of(cell), name)

    def event(self, message):
        """Follow what has happened."""
        for detail in message["details"]:
            kind = detail["event"]
            if kind == "TilePlaced":
                self.last = cell_of(detail["cell"])
                self.lay(detail["tile"], self.last, detail["rotation"])
            elif kind == "BridgeBuilt":
                self.bridge(cell_of(detail["cell"]), detail["axis"])
            elif kind in ("MeeplePlaced", "MeepleReturned"):
                cell, name = detail["at"].split()
                come = kind == "MeeplePlaced"
                self.supply[detail["player"]] += -1 if come else 1
                (self.put if come else self.take)(detail["player"], cell_of(cell), name)

    def lay(self, tile, cell, rotation):
        """Lay a tile."""
        self.board[cell] = self.segments(tile, rotation)

    def bridge(self, cell, axis):
        """A bridge is a road over the tile from side to side."""
        self.board[cell].append(Segment("road", [SIDES.index(side) for side in axis]))

    def put(self, player, cell, name):
        """A meeple comes; one on a field doesn't matter here."""
        segment = self.find(cell, name)
        if segment:
            segment.meeples.append(player)

    def take(self, player, cell, name):
        """A meeple goes home."""
        segment = self.find(cell, name)
        if segment and player in segment.meeples:
            segment.meeples.remove(player)

    # ------------------------------------------------------------------ what it sees

    def segments(self, tile, rotation):
        """The segments of a tile when it is turned."""
        turns = int(rotation[1:]) // 90
        found = []
        for kind, key in (("road", "roads"), ("city", "cities")):
            for entry in self.tiles[tile].get(key, []):
                sides = [(SIDES.index(side) + turns) % 4 for side in entry["sides"].split()]
                found.append(Segment(kind, sides, entry.get("pennants", 0)))
        if self.tiles[tile].get("cloister"):
            found.append(Segment("cloister", []))
        return found

    def find(self, cell, name):
        """The segment of a name such as `road.E`; None for fields."""
        kind, _, side = name.partition(".")
        for segment in self.board[cell]:
            if segment.kind == kind and (not side or SIDES.find(side) in segment.sides):
                return segment
        return None

    def at_side(self, cell, side):
        """The road or city of a tile at one of its sides."""
        for segment in self.board[cell]:
            if side in segment.sides:
                return segment
        return None

    def feature(self, cell, segment):
        """All that is joined to a segment; remembered while the bot thinks."""
        known = self.known.get(segment)
        if known:
            return known
        feature = Feature(segment.kind)
        todo = [(cell, segment)]
        while todo:
            here, piece = todo.pop()
            if piece in feature.segments:
                continue
            feature.segments.append(piece)
            feature.cells.add(here)
            feature.pennants += piece.pennants
            feature.meeples += piece.meeples
            self.known[piece] = feature
            for side in piece.sides:
                there = (here[0] + STEPS[side][0], here[1] + STEPS[side][1])
                beyond = self.at_side(there, side ^ 2) if there in self.board else None
                if beyond:
                    todo.append((there, beyond))
                else:
                    feature.open += 1
        if segment.kind == "cloister":
            around = sum((cell[0] + x, cell[1] + y) in self.board for x, y in AROUND)
            feature.cells.update((cell, n) for n in range(around))
            feature.open = 8 - around
        return feature

    def sign(self, meeples):
        """Whose points they are: 1 mine, -1 another's, 0 nobody's or shared."""
        mine = meeples.count(self.me)
        others = max((meeples.count(name) for name in meeples if name != self.me), default=0)
        return (mine > others) - (others > mine)

    # ------------------------------------------------------------------ what it decides

    def decide(self, message):
        """The best of the legal moves."""
        self.known = {}
        kind = message["decision"]["kind"]
        rate = getattr(self, "rate_" + kind, None)
        moves = message["moves"]
        return max(moves, key=lambda move: rate(move.split())) if rate else moves[0]

    def rate_place(self, words):
        """What changes for everybody's features, and what a meeple on the tile could get."""
        if words[0] == "decline":
            return -3.0
        cell = cell_of(words[2])
        total, best = -0.5 if "bridge" in words else 0.0, 0.0
        for segment in self.segments(words[1], words[3]):
            parts, joined = set(), 0
            for side in segment.sides:
                there = (cell[0] + STEPS[side][0], cell[1] + STEPS[side][1])
                if there in self.board:
                    joined += 1
                    beyond = self.at_side(there, side ^ 2)
                    if beyond:
                        parts.add(self.feature(there, beyond))
            tiles = 1 + sum(len(part.cells) for part in parts)
            pennants = segment.pennants + sum(part.pennants for part in parts)
            ends = len(segment.sides) - 2 * joined + sum(part.open for part in parts)
            if segment.kind == "cloister":
                around = sum((cell[0] + x, cell[1] + y) in self.board for x, y in AROUND)
                tiles, ends = 1 + around, 8 - around
            meeples = [name for part in parts for name in part.meeples]
            after = worth(segment.kind, tiles, pennants, max(0, ends))
            total += self.sign(meeples) * after
            for part in parts:
                before = worth(part.kind, len(part.cells), part.pennants, part.open)
                total -= self.sign(part.meeples) * before
            if not meeples:
                best = max(best, after - self.cost(ends))
        for x, y in AROUND:
            for segment in self.board.get((cell[0] + x, cell[1] + y), ()):
                if segment.kind == "cloister":
                    total += self.sign(segment.meeples)
        return total + (best if self.supply[self.me] else 0.0)

    def cost(self, open_sides):
        """What a meeple is worth that may not come home: more when few are left."""
        return 0.5 if open_sides <= 0 else 1.0 + 6.0 / (1 + self.supply[self.me])

    def rate_meeple(self, words):
        """What the feature brings, less what the meeple is worth."""
        if words[0] == "pass":
            return 0.0
        segment = self.find(self.last, words[1]) if self.last else None
        if segment is None:
            return -1.0
        it = self.feature(self.last, segment)
        return worth(it.kind, len(it.cells), it.pennants, it.open) - self.cost(it.open)

    def rate_castle(self, words):
        """A castle brings more than a small city, as a rule."""
        return words[0] == "castle"

    def rate_bridge(self, words):
        """Bridges are kept for tiles that need one."""
        return words[0] == "pass"

    def rate_collect(self, words):
        """The feature with most points."""
        segment = self.find(cell_of(words[1]), words[2])
        if segment is None:
            return 0.0
        it = self.feature(cell_of(words[1]), segment)
        return worth(it.kind, len(it.cells), it.pennants, 0)

    def rate_choose(self, words):
        """Open as low as possible, the largest number of roads and cities first."""
        return -int(words[3])

    def rate_bid(self, words):
        """A point for a tile, not more."""
        return words == ["bid", "1"]

    def rate_deal(self, words):
        """Points are points."""
        return words[0] == "sell"


def say(answer):
    """Write a line, at once."""
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def main():
    """Read messages until `quit`."""
    bot = Bot()
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":
            say({"name": "counter", "version": "1.0"})
        elif kind == "new_game":
            bot.new_game(message)
        elif kind == "event":
            bot.event(message)
        elif kind == "decide":
            say({"move": bot.decide(message)})
        elif kind == "quit":
            break


if __name__ == "__main__":
    main()
