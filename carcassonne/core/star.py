"""Expectimax with Star2.5 pruning on one engine, compiled.

The algorithm that Heyden (2009) and Ameneyro, Galvan and Kuri-Morales (2020) play Carcassonne
with. Depth counts turns: all decisions of one turn are on the same depth, and between two turns
lies a chance node with a successor for each kind of tile left. Values are bounded, so a chance
node need not look at all of its successors: with `p` the chances, `v` the known values, and
bounds `low` and `high` of the others, successor i matters only if its value lies between

    a = (alpha - sum of p * v before i - sum of p * high behind i) / p
    b = (beta  - sum of p * v before i - sum of p * low  behind i) / p

(Star1). Star2 probes first: the best-rated moves of every successor alone give a bound of it, from
below where the searcher decides, from above where a rival does. Star2.5 probes more than one move.

The searcher maximises its expected lead; all rivals minimise it, with more than two players too.
A bazaar is not searched: the position is valued where one opens.
"""

from __future__ import annotations

try:
    import cython
except ImportError:  # Cython is needed to compile, not to run
    from carcassonne.core import shadow as cython  # type: ignore[no-redef]

from carcassonne.core import layout
from carcassonne.core.judge import Judge
from carcassonne.core.rooms import double_room, int_room, readable

__all__ = ["BOUND", "Star"]

PLACE = cython.declare(cython.int, layout.PLACE)
COLLECT = cython.declare(cython.int, layout.COLLECT)
OVER = cython.declare(cython.int, layout.OVER)
PHASE = cython.declare(cython.int, layout.PHASE)
DECIDER = cython.declare(cython.int, layout.DECIDER)
NEXT_TILE = cython.declare(cython.int, layout.NEXT_TILE)
STACK_SIZE = cython.declare(cython.int, layout.STACK_SIZE)

BOUND = 80.0
"""By how much the lead can change: a larger change counts as this much."""

LIMIT = cython.declare(cython.double, BOUND)


@cython.final
@cython.cclass
class Star:
    """A searcher over one engine, which it owns: the caller hands over a copy."""

    engine: object
    judge: object
    clock: object
    kept: list
    g: cython.p_int
    moves: cython.p_int
    rates: cython.p_double
    worth: cython.p_double
    pool: cython.p_int
    odds: cython.p_double
    nodes = cython.declare(cython.longlong, visibility="readonly")
    stopped = cython.declare(cython.bint, visibility="readonly")
    value = cython.declare(cython.double, visibility="readonly")
    base: cython.double
    settled: cython.double
    most: cython.longlong
    until: cython.double
    top: cython.int
    odds_top: cython.int
    types: cython.int
    room: cython.int
    players: cython.int
    stack: cython.int
    me: cython.int
    probes: cython.int
    prune: cython.bint

    def __init__(self, tables, engine, probes=3, prune=True, weights=None):
        """Search from where the engine stands.

        `probes` is how many moves of each successor are tried before it is searched (1: Star2, 0:
        Star1); without `prune` it is plain expectimax.
        """
        self.engine = engine
        self.judge = Judge(tables, engine, weights)
        self.kept = [engine.rooms()[0], *self.judge.rooms()]
        self.types = len(tables.types)
        self.room = 64 * (16 * tables.capacity + 256)
        self.kept.append(int_room(self.room, cython.compiled))
        self.kept.append(double_room(64 * 4 * self.types, cython.compiled))
        self.g, self.moves = self._ints(self.kept[0]), self._ints(self.kept[1])
        self.rates, self.worth = self._doubles(self.kept[2]), self._doubles(self.kept[3])
        self.pool, self.odds = self._ints(self.kept[4]), self._doubles(self.kept[5])
        self.players = tables.players
        self.stack = engine.shared.places["stack"]
        self.probes, self.prune = probes, prune
        self.top = self.odds_top = 0
        self.nodes = 0
        self.me = self.g[DECIDER]
        self.judge.note_unseen()
        self.base = self._lead()

    @cython.cfunc
    def _ints(self, room: object) -> cython.p_int:
        if cython.compiled:
            return cython.cast(cython.p_int, cython.cast(cython.p_char, room))
        else:
            return readable(room)

    @cython.cfunc
    def _doubles(self, room: object) -> cython.p_double:
        if cython.compiled:
            return cython.cast(cython.p_double, cython.cast(cython.p_char, room))
        else:
            return room

    def search(self, depth: cython.int, first, most: cython.longlong = 0, clock=None, until=0.0):
        """The best move `depth` turns deep, or None if the budget ran out before one was known.

        Parameters
        ----------
        first
            The move to look at before all others, -100 for none.
        most
            Nodes at which to stop, counted over all searches; 0 for no limit.
        clock, until
            A function that tells the time, and when to stop.
        """
        begin: cython.int = self.top
        count: cython.int = self._sorted()
        k: cython.int
        j: cython.int
        chosen: cython.int = first
        best: cython.double = -LIMIT
        x: cython.double
        found = None
        self.most = most
        self.clock, self.until = clock, until
        self.stopped = False
        for k in range(1, count):
            if self.pool[begin + k] == chosen:
                for j in range(k, 0, -1):
                    self.pool[begin + j] = self.pool[begin + j - 1]
                self.pool[begin] = chosen
        for k in range(count):
            x = self._follow(
                self.pool[begin + k], depth, best if self.prune and k else -LIMIT, LIMIT
            )
            if self.stopped:
                break
            if found is None or x > best:
                found, best = self.pool[begin + k], x
        self.top = begin
        if found is not None:
            self.value = best + self.base
        return found

    def choose(self):
        """The move that the heuristic rates best."""
        return self.judge.choose()

    @cython.cfunc
    @cython.exceptval(check=False)
    def _sorted(self) -> cython.int:
        """Put the moves of the open decision on the pool, those with the best rates first."""
        count: cython.int = self.judge.rate()
        k: cython.int
        j: cython.int
        move: cython.int
        x: cython.double
        pool = self.pool
        rates = self.rates
        moves = self.moves
        begin: cython.int = self.top
        for k in range(1, count):
            move = moves[k]
            x = rates[k]
            j = k
            while j > 0 and rates[j - 1] < x:
                rates[j] = rates[j - 1]
                moves[j] = moves[j - 1]
                j -= 1
            rates[j] = x
            moves[j] = move
        for k in range(count):
            pool[begin + k] = moves[k]
        self.top = begin + count
        return count

    @cython.cfunc
    @cython.exceptval(check=False)
    def _leaf(self) -> cython.double:
        """The lead of the searcher that can be expected, counted from that at the root."""
        x: cython.double = self._lead() - self.base
        if x > LIMIT:
            return LIMIT
        return max(-LIMIT, x)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _lead(self) -> cython.double:
        seat: cython.int
        best: cython.double = -1e9
        self.nodes += 1
        self.judge.evaluate()
        for seat in range(self.players):
            if seat != self.me and self.worth[seat] > best:
                best = self.worth[seat]
        return self.worth[self.me] - (best if self.players > 1 else 0.0)

    @cython.cfunc
    def _is_over_budget(self) -> cython.bint:
        if self.stopped:
            return True
        spent: cython.bint = self.most > 0 and self.nodes >= self.most
        if not spent and self.clock is not None and self.nodes % 256 == 0:
            spent = self.clock() >= self.until
        self.stopped = spent
        return self.stopped

    @cython.cfunc
    def _node(
        self, depth: cython.int, alpha: cython.double, beta: cython.double, width: cython.int
    ) -> cython.double:
        """The value of the open decision; with `width` only its best-rated moves are tried."""
        g = self.g
        begin: cython.int = self.top
        count: cython.int
        k: cython.int
        x: cython.double
        mine: cython.bint = g[DECIDER] == self.me
        best: cython.double = -LIMIT if mine else LIMIT
        if g[PHASE] == OVER:
            return self._leaf()
        self.nodes += 1
        if self._is_over_budget() or begin + 8192 > self.room:
            return self._leaf()
        count = self._sorted()
        if 0 < width < count:
            count = width
        for k in range(count):
            x = self._follow(self.pool[begin + k], depth, alpha, beta)
            if mine:
                best = max(best, x)
                alpha = max(alpha, x)
            else:
                best = min(best, x)
                beta = min(beta, x)
            if self.stopped or (self.prune and alpha >= beta):
                break
        self.top = begin
        return best

    @cython.cfunc
    def _follow(
        self, move: cython.int, depth: cython.int, alpha: cython.double, beta: cython.double
    ) -> cython.double:
        """The value of a move: of what comes next in the turn, or of the next turns."""
        g = self.g
        before: cython.int = g[NEXT_TILE]
        phase: cython.int
        x: cython.double
        self.engine.play(move)
        phase = g[PHASE]
        if phase == OVER or phase > COLLECT or (phase == PLACE and depth <= 1):
            x = self._leaf()
        elif phase != PLACE:
            x = self._node(depth, alpha, beta, 0)
        elif g[NEXT_TILE] == before:
            x = self._node(depth - 1, alpha, beta, 0)
        else:
            self.engine.undo()
            return self._chance(move, depth - 1, alpha, beta)
        self.engine.undo()
        return x

    @cython.cfunc
    @cython.exceptval(check=False)
    def _draw(self, tile: cython.int) -> cython.int:
        """Put a tile of a type on top of the unseen ones; returns where it lay."""
        g = self.g
        k: cython.int = self.stack + g[NEXT_TILE]
        first: cython.int = k
        while g[k] != tile:
            k += 1
        g[k] = g[first]
        g[first] = tile
        return k

    @cython.cfunc
    def _after(
        self,
        move: cython.int,
        tile: cython.int,
        depth: cython.int,
        alpha: cython.double,
        beta: cython.double,
        width: cython.int,
    ) -> cython.double:
        """The value of a move behind which a tile is drawn."""
        g = self.g
        first: cython.int = self.stack + g[NEXT_TILE]
        place: cython.int = self._draw(tile)
        x: cython.double
        self.engine.play(move)
        x = self._node(depth, alpha, beta, width) if g[PHASE] == PLACE else self._leaf()
        self.engine.undo()
        g[first] = g[place]
        g[place] = tile
        return x

    @cython.cfunc
    def _chance(
        self, move: cython.int, depth: cython.int, alpha: cython.double, beta: cython.double
    ) -> cython.double:
        """The mean over the tiles that can be drawn behind a move."""
        g = self.g
        begin: cython.int = self.top
        odds: cython.int = self.odds_top
        n: cython.int = 0
        k: cython.int
        left: cython.int = g[STACK_SIZE] - g[NEXT_TILE]
        tile: cython.int
        total: cython.double = 0.0
        p: cython.double
        x: cython.double
        low: cython.double = 0.0
        high: cython.double = 0.0
        a: cython.double
        b: cython.double
        if begin + 8192 > self.room or odds + 3 * self.types >= 64 * 4 * self.types:
            return self._leaf()
        for tile in range(self.types):
            x = 0.0
            for k in range(self.stack + g[NEXT_TILE], self.stack + g[STACK_SIZE]):
                if g[k] == tile:
                    x += 1.0
            if x > 0:
                self.pool[begin + n] = tile
                self.odds[odds + 3 * n] = x / left
                self.odds[odds + 3 * n + 1] = -LIMIT
                self.odds[odds + 3 * n + 2] = LIMIT
                n += 1
        self.top = begin + n
        self.odds_top = odds + 3 * n
        low, high = -LIMIT, LIMIT
        if self.prune and self.probes and self._probe(move, depth, alpha, beta, begin, odds, n):
            x = self.settled
            self.top, self.odds_top = begin, odds
            return x
        if self.prune:
            low = high = 0.0
            for k in range(n):
                low += self.odds[odds + 3 * k] * self.odds[odds + 3 * k + 1]
                high += self.odds[odds + 3 * k] * self.odds[odds + 3 * k + 2]
        for k in range(n):
            p = self.odds[odds + 3 * k]
            if self.prune:
                low -= p * self.odds[odds + 3 * k + 1]
                high -= p * self.odds[odds + 3 * k + 2]
                a = max((alpha - total - high) / p, -LIMIT)
                b = min((beta - total - low) / p, LIMIT)
                x = self._after(move, self.pool[begin + k], depth, a, b, 0)
                if self.stopped:
                    break
                if x <= a and a > -LIMIT:
                    total += p * x + high
                    break
                if x >= b and b < LIMIT:
                    total += p * x + low
                    break
            else:
                x = self._after(move, self.pool[begin + k], depth, -LIMIT, LIMIT, 0)
            total += p * x
        self.top, self.odds_top = begin, odds
        return total

    @cython.cfunc
    def _probe(
        self,
        move: cython.int,
        depth: cython.int,
        alpha: cython.double,
        beta: cython.double,
        begin: cython.int,
        odds: cython.int,
        n: cython.int,
    ) -> cython.bint:
        """Bound every successor by its best-rated moves; True if that settles it, in `value`."""
        g = self.g
        k: cython.int
        p: cython.double
        x: cython.double
        a: cython.double
        b: cython.double
        mine: cython.bint = self._decides_behind(move)
        total: cython.double = -LIMIT if mine else LIMIT
        for k in range(n):
            p = self.odds[odds + 3 * k]
            if mine:
                b = min((beta - total) / p - LIMIT, LIMIT)
                x = self._after(move, self.pool[begin + k], depth, -LIMIT, b, self.probes)
                x = min(x, LIMIT)
                self.odds[odds + 3 * k + 1] = x
                total += p * (x + LIMIT)
                if total >= beta:
                    self.settled = total
                    return True
            else:
                a = max((alpha - total) / p + LIMIT, -LIMIT)
                x = self._after(move, self.pool[begin + k], depth, a, LIMIT, self.probes)
                self.odds[odds + 3 * k + 2] = x
                total += p * (x - LIMIT)
                if total <= alpha:
                    self.settled = total
                    return True
            if self.stopped:
                return False
        return g[PHASE] == OVER

    @cython.cfunc
    @cython.exceptval(check=False)
    def _decides_behind(self, move: cython.int) -> cython.bint:
        """Whether the searcher decides behind a move; a draw does not change that."""
        mine: cython.bint
        self.engine.play(move)
        mine = self.g[DECIDER] == self.me
        self.engine.undo()
        return mine
