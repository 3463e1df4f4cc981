"""Monte Carlo tree search and sequential halving on one engine: compiled, in flat arrays.

Each simulation shuffles the unseen tiles anew, walks down the tree by upper confidence bounds
with the rates of `judge.Judge` as prior, plays some cheap turns and values what came out; then
everything is taken back. The tree is open to chance: behind a move lies one node for each tile
(or offer of the bazaar) that has been drawn there.

    node   first edge, edges, visits, seat that decides, key of the draw, next node with the same
           move, sum of the seat's values
    edge   move, visits, first node behind it, prior, expected value, sum of values

A node gets its edges at its second visit, best rates first; more of them are looked at the more
often it was visited (progressive widening). Nodes are limited (`Search.limit`), edges to 8 times
as many: 84 MB by the usual limit. A full tree still counts, but grows no more. Going on to the
next position copies what is behind it and drops the rest.

The n-th simulation of any move at the root has the same shuffle and the same noise, and the first
tile drawn goes through the unseen ones in turn: moves are compared by the same luck.

Values are between 0 and 1, for each seat its own: the chance to win guessed from the expected
scores, or the margin; with several rivals a seat must beat each.
"""

from __future__ import annotations

try:
    import cython
except ImportError:  # Cython is needed to compile, not to run
    from carcassonne.core import shadow as cython  # type: ignore[no-redef]

from carcassonne.core import layout
from carcassonne.core.judge import Judge
from carcassonne.core.rooms import double_room, int_room, readable

__all__ = ["OPTIONS", "Search"]

PLACE = cython.declare(cython.int, layout.PLACE)
MEEPLE = cython.declare(cython.int, layout.MEEPLE)
COLLECT = cython.declare(cython.int, layout.COLLECT)
OVER = cython.declare(cython.int, layout.OVER)
PASS = cython.declare(cython.int, layout.PASS)
PHASE = cython.declare(cython.int, layout.PHASE)
DECIDER = cython.declare(cython.int, layout.DECIDER)
TILE = cython.declare(cython.int, layout.TILE)
LAID = cython.declare(cython.int, layout.LAID)
NEXT_TILE = cython.declare(cython.int, layout.NEXT_TILE)
STACK_SIZE = cython.declare(cython.int, layout.STACK_SIZE)
IN_ROUND = cython.declare(cython.int, layout.IN_ROUND)
ON_OFFER = cython.declare(cython.int, layout.ON_OFFER)
OFFER = cython.declare(cython.int, layout.OFFER)
SEATS = cython.declare(cython.int, layout.SEATS)
DEEP = cython.declare(cython.int, 600)
ROOT_WIDTH = cython.declare(cython.int, 64)
EDGES_EACH = cython.declare(cython.int, 8)
ALL_BITS = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
XORSHIFT = cython.declare(cython.ulonglong, 2685821657736338717)
GOLDEN = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
MIX_ONE = cython.declare(cython.ulonglong, 0xBF58476D1CE4E5B9)
MIX_TWO = cython.declare(cython.ulonglong, 0x94D049BB133111EB)

OPTIONS = {
    "turns": 4,  # turns from the root until a position is valued
    "noise": 1.0,  # points of noise in the cheap turns
    "explore": 0.6,  # weight of the prior against the values
    "trust": 1.5,  # simulations that the rate of a move stands for
    "sharp": 2.5,  # points below the best rate that halve a prior
    "width": 4.0,  # moves looked at from the start, and more with visits ** 0.4
    "widen": 1.2,
    "branches": 14,  # most moves of a node below the root
    "spread": 2.4,  # points * sqrt(tiles left + 1) that make a difference of scores count
    "limit": 262144,  # most nodes
}  # fmt: skip
"""What the search can be told, each with its usual value."""


@cython.final
@cython.cclass
class Search:
    """A search tree over one engine, which it owns: the caller hands over a copy."""

    engine = cython.declare(object, visibility="readonly")
    judge = cython.declare(object, visibility="readonly")
    kept: list
    node_rooms: list
    edge_rooms: list
    g: cython.p_int
    moves: cython.p_int
    rates: cython.p_double
    worth: cython.p_double
    first: cython.p_int
    count: cython.p_int
    visits: cython.p_int
    seat: cython.p_int
    key: cython.p_int
    sibling: cython.p_int
    total: cython.p_double
    move: cython.p_int
    tried: cython.p_int
    child: cython.p_int
    prior: cython.p_double
    expected: cython.p_double
    value: cython.p_double
    deck: cython.p_int
    path: cython.p_int
    path_node: cython.p_int
    gained: cython.p_double
    alive: cython.p_int
    nodes: cython.int
    edges: cython.int
    node_room: cython.int
    edge_room: cython.int
    limit = cython.declare(cython.int, visibility="readonly")
    simulations = cython.declare(cython.longlong, visibility="readonly")
    root: cython.int
    players: cython.int
    stack: cython.int
    unseen: cython.int
    turns: cython.int
    branches: cython.int
    by_margin: cython.int
    noise: cython.double
    explore: cython.double
    trust: cython.double
    sharp: cython.double
    width: cython.double
    widen: cython.double
    spread: cython.double
    reach: cython.double
    seed: cython.ulonglong
    dice: cython.ulonglong

    def __init__(self, tables, engine, seed=0, by_margin=False, options=None, weights=None):
        """Search from where the engine stands. `seed` decides all that is random.

        `options` replaces single values of `OPTIONS`, `weights` single ones of `judge.WEIGHTS`.
        """
        chosen = {**OPTIONS, **(options or {})}
        self.engine = engine
        self.judge = Judge(tables, engine, weights)
        self.kept = []
        self.g = self._ints(engine.rooms()[0])
        moves, rates, worth = self.judge.rooms()
        self.moves = self._ints(moves)
        self.rates, self.worth = self._doubles(rates), self._doubles(worth)
        self.deck = self._ints(int_room(tables.capacity + 1, cython.compiled))
        self.path = self._ints(int_room(DEEP, cython.compiled))
        self.path_node = self._ints(int_room(DEEP, cython.compiled))
        self.gained = self._doubles(double_room(SEATS, cython.compiled))
        self.alive = self._ints(int_room(16 * tables.capacity + 256, cython.compiled))
        self.players = tables.players
        self.stack = engine.shared.places["stack"]
        self.by_margin = by_margin
        self.turns, self.branches = chosen["turns"], chosen["branches"]
        self.noise, self.explore, self.trust = chosen["noise"], chosen["explore"], chosen["trust"]
        self.sharp, self.width, self.widen = chosen["sharp"], chosen["width"], chosen["widen"]
        self.spread, self.limit = chosen["spread"], chosen["limit"]
        self.seed = self._mix(seed & 0xFFFFFFFFFFFFFFFF)
        self.simulations = 0
        self._clear()
        self._prepare()

    @cython.cfunc
    def _ints(self, room: object) -> cython.p_int:
        """The numbers of a room, which is kept as long as this lives."""
        self.kept.append(room)
        return self._as_ints(room)

    @cython.cfunc
    def _as_ints(self, room: object) -> cython.p_int:
        if cython.compiled:
            return cython.cast(cython.p_int, cython.cast(cython.p_char, room))
        else:
            return readable(room)

    @cython.cfunc
    def _doubles(self, room: object) -> cython.p_double:
        self.kept.append(room)
        return self._as_doubles(room)

    @cython.cfunc
    def _as_doubles(self, room: object) -> cython.p_double:
        if cython.compiled:
            return cython.cast(cython.p_double, cython.cast(cython.p_char, room))
        else:
            return room

    # ---------------------------------------------------------------- the arrays

    def _clear(self):
        """An empty tree."""
        self.node_room, self.edge_room = 512, 4096
        self.nodes = self.edges = 0
        self._own(_new_rooms(512, _NODE_ROWS), _new_rooms(4096, _EDGE_ROWS))
        self.root = self._new_node(0)

    @cython.cfunc
    def _own(self, nodes: list, edges: list) -> cython.void:
        self.node_rooms, self.edge_rooms = nodes, edges
        self.first, self.count = self._as_ints(nodes[0]), self._as_ints(nodes[1])
        self.visits, self.seat = self._as_ints(nodes[2]), self._as_ints(nodes[3])
        self.key, self.sibling = self._as_ints(nodes[4]), self._as_ints(nodes[5])
        self.total = self._as_doubles(nodes[6])
        self.move, self.tried = self._as_ints(edges[0]), self._as_ints(edges[1])
        self.child, self.prior = self._as_ints(edges[2]), self._as_doubles(edges[3])
        self.expected, self.value = self._as_doubles(edges[4]), self._as_doubles(edges[5])

    @cython.cfunc
    def _grow(self) -> cython.void:
        """Twice the room, where it has run out."""
        nodes: list = self.node_rooms
        edges: list = self.edge_rooms
        if self.nodes >= self.node_room:
            nodes = _larger(nodes, self.node_room, _NODE_ROWS)
            self.node_room *= 2
        if self.edges + ROOT_WIDTH >= self.edge_room:
            edges = _larger(edges, self.edge_room, _EDGE_ROWS)
            self.edge_room *= 2
        self._own(nodes, edges)

    @cython.cfunc
    def _new_node(self, key: cython.int) -> cython.int:
        """A node for the open decision, or -1 if the tree is full."""
        k: cython.int = self.nodes
        if k >= self.limit:
            return -1
        if k >= self.node_room:
            self._grow()
        self.nodes = k + 1
        self.first[k] = self.count[k] = self.visits[k] = 0
        self.seat[k] = self.g[DECIDER]
        self.key[k] = key
        self.sibling[k] = -1
        self.total[k] = 0.0
        return k

    def memory(self):
        """Bytes that the tree takes now; nodes are limited, so is this."""
        return self.node_room * _bytes(_NODE_ROWS) + self.edge_room * _bytes(_EDGE_ROWS)

    def size(self):
        """How many nodes and edges the tree has."""
        return self.nodes, self.edges

    # ---------------------------------------------------------------- chance

    @cython.cfunc
    @cython.exceptval(check=False)
    def _mix(self, x: cython.ulonglong) -> cython.ulonglong:
        x = (x + GOLDEN) & ALL_BITS
        x = ((x ^ (x >> 30)) * MIX_ONE) & ALL_BITS
        x = ((x ^ (x >> 27)) * MIX_TWO) & ALL_BITS
        x ^= x >> 31
        return x or 1

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _below(self, count: cython.int) -> cython.int:
        """A number below `count` (xorshift64*)."""
        x: cython.ulonglong = self.dice
        x ^= x >> 12
        x ^= (x << 25) & ALL_BITS
        x ^= x >> 27
        self.dice = x
        x = ((x * XORSHIFT) & ALL_BITS) >> 32
        return (x * count) >> 32

    def _prepare(self):
        """Note what is unseen, in an order that depends on nothing but the seed."""
        g = self.g
        self.engine.forget()
        self.judge.note_unseen()
        left: cython.int = g[STACK_SIZE] - g[NEXT_TILE]
        k: cython.int
        j: cython.int
        tile: cython.int
        numbers = sorted([g[self.stack + k] for k in range(g[NEXT_TILE], g[STACK_SIZE])])
        for k in range(left):
            self.deck[k] = numbers[k]
        self.unseen = left
        x: cython.ulonglong = (
            self.seed ^ (g[LAID] * 64 + g[PHASE] * 8 + g[DECIDER] + 1)
        ) & ALL_BITS
        self.dice = self._mix(x)
        for k in range(left - 1, 0, -1):
            j = self._below(k + 1)
            tile = self.deck[k]
            self.deck[k] = self.deck[j]
            self.deck[j] = tile
        self.reach = self.spread * (left + 1.0) ** 0.5

    @cython.cfunc
    @cython.exceptval(check=False)
    def _shuffle(self, turn: cython.int) -> cython.void:
        """The shuffle of the n-th simulation of any move, a different first tile each time."""
        g = self.g
        at: cython.int = self.stack + g[NEXT_TILE]
        left: cython.int = self.unseen
        k: cython.int
        j: cython.int
        tile: cython.int
        x: cython.ulonglong = turn
        self.dice = self._mix(self.seed ^ (x << 20))
        for k in range(left):
            g[at + k] = self.deck[k]
        if left == 0:
            return
        j = turn % left
        tile = g[at]
        g[at] = g[at + j]
        g[at + j] = tile
        for k in range(left - 1, 1, -1):
            j = 1 + self._below(k)
            tile = g[at + k]
            g[at + k] = g[at + j]
            g[at + j] = tile

    # ---------------------------------------------------------------- simulations

    def run(self, simulations: cython.int):
        """Make so many simulations."""
        k: cython.int
        if self.g[PHASE] == OVER:
            return
        for k in range(simulations):
            self._simulate()
        self.simulations += simulations

    @cython.cfunc
    @cython.exceptval(check=False)
    def _simulate(self) -> cython.void:
        g = self.g
        node: cython.int = self.root
        depth: cython.int = 0
        turns: cython.int = 0
        e: cython.int
        k: cython.int
        before: cython.int
        played: cython.int
        if self.count[node] == 0:
            self._expand(node, ROOT_WIDTH)
        while g[PHASE] != OVER and depth < DEEP - 2:
            if self.count[node] == 0:
                if self.visits[node] == 0 or self.edges >= EDGES_EACH * self.limit:
                    break
                self._expand(node, self.branches)
            e = self._select(node)
            if depth == 0:
                self._shuffle(self.tried[e])
                self.judge.sow(self.dice, self.noise)
            self.path[depth] = e
            self.path_node[depth] = node
            depth += 1
            before = g[NEXT_TILE]
            if depth > 1 and g[PHASE] == PLACE and not g[IN_ROUND]:
                turns += 1
            self.engine.play(self.move[e])
            k = self._draw_key() if g[NEXT_TILE] != before else 0
            node = self._behind(e, k)
            if node < 0:
                break
        turns = self.turns - turns
        played = depth + self.judge.play_turns(max(1, turns))
        self._settle()
        if node >= 0:
            self.visits[node] += 1
            if self.seat[node] >= 0:
                self.total[node] += self.gained[self.seat[node]]
        for k in range(depth):
            node = self.path_node[k]
            e = self.path[k]
            self.visits[node] += 1
            self.tried[e] += 1
            self.total[node] += self.gained[self.seat[node]]
            self.value[e] += self.gained[self.seat[node]]
        for k in range(played):
            self.engine.undo()

    @cython.cfunc
    @cython.exceptval(check=False)
    def _draw_key(self) -> cython.int:
        """A number for what a draw has shown."""
        g = self.g
        k: cython.int
        x: cython.longlong = (g[TILE] + 2) * 16 + g[PHASE]
        for k in range(g[ON_OFFER]):
            x = (x * 1021 + g[OFFER + k] + 1) & 0x3FFFFF
        return x * 256 + (g[NEXT_TILE] & 255)

    @cython.cfunc
    def _behind(self, e: cython.int, key: cython.int) -> cython.int:
        """The node behind a move after a draw, a new one if need be; -1 if the tree is full."""
        node: cython.int = self.child[e]
        last: cython.int = -1
        while node >= 0:
            if self.key[node] == key:
                return node
            last = node
            node = self.sibling[node]
        node = self._new_node(key)
        if node >= 0:
            if last < 0:
                self.child[e] = node
            else:
                self.sibling[last] = node
        return node

    @cython.cfunc
    def _expand(self, node: cython.int, most: cython.int) -> cython.void:
        """List the moves of a node, those with the best rates first."""
        count: cython.int = self.judge.rate()
        rates = self.rates
        k: cython.int
        j: cython.int
        best: cython.int
        e: cython.int
        taken: cython.int = 0
        top: cython.double = 0.0
        x: cython.double
        total: cython.double = 0.0
        if self.edges + ROOT_WIDTH >= self.edge_room:
            self._grow()
        self.first[node] = self.edges
        most = min(most, count)
        for k in range(most):
            best = -1
            for j in range(count):
                if rates[j] > -1e17 and (best < 0 or rates[j] > rates[best]):
                    best = j
            if (
                k == most - 1
                and most > 1
                and rates[count - 1] > -1e17
                and (self.moves[count - 1] == PASS)
            ):
                best = count - 1  # keeping out of it can always be tried
            e = self.edges
            self.edges = e + 1
            if k == 0:
                top = rates[best]
            self.move[e] = self.moves[best]
            self.tried[e] = 0
            self.child[e] = -1
            self.value[e] = 0.0
            x = top - rates[best]
            self.expected[e] = -x / self.reach / 2.0
            x /= self.sharp
            self.prior[e] = 1.0 / (1.0 + x * x)
            total += self.prior[e]
            rates[best] = -1e18
            taken += 1
        for k in range(self.first[node], self.first[node] + taken):
            self.prior[k] /= total
        self.count[node] = taken

    @cython.cfunc
    @cython.exceptval(check=False)
    def _select(self, node: cython.int) -> cython.int:
        """The move with the highest bound among those that are looked at already."""
        first: cython.int = self.first[node]
        seen: cython.int = self.visits[node]
        open_moves: cython.int = self._open_moves(node)
        mean: cython.double = self.total[node] / seen if seen else 0.5
        scale: cython.double = self.explore * (seen + 1.0) ** 0.5
        trust: cython.double = self.trust
        e: cython.int
        best: cython.int = first
        x: cython.double
        top: cython.double = -1e18
        for e in range(first, first + open_moves):
            x = (self.value[e] + trust * (mean + self.expected[e])) / (self.tried[e] + trust)
            x += scale * self.prior[e] / (1.0 + self.tried[e])
            if x > top:
                top = x
                best = e
        return best

    @cython.cfunc
    @cython.exceptval(check=False)
    def _open_moves(self, node: cython.int) -> cython.int:
        most: cython.double = self.width + self.widen * (self.visits[node] + 0.0) ** 0.4
        k: cython.int = self.count[node]
        if most < k:
            k = cython.cast(cython.int, most) if cython.compiled else int(most)
        return k

    @cython.cfunc
    @cython.exceptval(check=False)
    def _settle(self) -> cython.void:
        """Turn the expected scores of the position into each seat's value."""
        g = self.g
        n: cython.int = self.players
        i: cython.int
        j: cython.int
        reach: cython.double = self.reach
        total: cython.double = 0.0
        x: cython.double
        p: cython.double
        self.judge.evaluate()
        worth = self.worth
        if self.by_margin:
            reach = 40.0
        elif g[PHASE] == OVER:
            reach = 0.6
        for i in range(n):
            p = 1.0
            for j in range(n):
                if j != i:
                    x = (worth[i] - worth[j]) / reach
                    p *= 0.5 + 0.5 * x / (1.0 + x * x) ** 0.5
            self.gained[i] = p + 1e-9
            total += self.gained[i]
        for i in range(n):
            self.gained[i] /= total

    # ---------------------------------------------------------------- sequential halving

    def halve(self, simulations: cython.int):
        """Spend simulations on the moves at the root, the better half further on each time.

        Every move has the same shuffles. Returns how many simulations there were: at most so
        many, and at least one for each move.
        """
        node: cython.int = self.root
        k: cython.int
        j: cython.int
        e: cython.int
        each: cython.int
        spent: cython.int = 0
        alive = self.alive
        if self.g[PHASE] == OVER:
            return 0
        if self.count[node] == 0:
            self._expand(node, ROOT_WIDTH)
        n: cython.int = min(self.count[node], max(simulations, 1))
        rounds: cython.int = 0
        while n > 1 << rounds:
            rounds += 1
        for k in range(n):
            alive[k] = self.first[node] + k
        if n == 1:
            return 0
        for j in range(rounds):
            each = (simulations - spent) // (n * (rounds - j))
            each = max(each, 1)
            for k in range(n):
                for _ in range(each):
                    if spent < simulations:
                        self._flat(alive[k])
                        spent += 1
            self._sort_alive(n)
            n = (n + 1) // 2
        self.simulations += spent
        return spent

    @cython.cfunc
    @cython.exceptval(check=False)
    def _flat(self, e: cython.int) -> cython.void:
        """One simulation of a move at the root, without a tree."""
        k: cython.int
        played: cython.int
        seat: cython.int = self.g[DECIDER]
        self._shuffle(self.tried[e])
        self.judge.sow(self.dice, self.noise)
        self.engine.play(self.move[e])
        played = 1 + self.judge.play_turns(self.turns)
        self._settle()
        self.tried[e] += 1
        self.value[e] += self.gained[seat]
        self.visits[self.root] += 1
        for k in range(played):
            self.engine.undo()

    @cython.cfunc
    @cython.exceptval(check=False)
    def _mean(self, e: cython.int) -> cython.double:
        return (self.value[e] + self.expected[e] * 0.5 + 0.25) / (self.tried[e] + 0.5)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _sort_alive(self, n: cython.int) -> cython.void:
        """The best means first."""
        k: cython.int
        j: cython.int
        e: cython.int
        for k in range(1, n):
            e = self.alive[k]
            j = k
            while j > 0 and self._mean(self.alive[j - 1]) < self._mean(e):
                self.alive[j] = self.alive[j - 1]
                j -= 1
            self.alive[j] = e

    # ---------------------------------------------------------------- answers

    def best(self):
        """The move at the root that was tried most; of equals the one with the higher value."""
        node: cython.int = self.root
        e: cython.int
        if self.count[node] == 0:
            self._expand(node, ROOT_WIDTH)
        best: cython.int = self.first[node]
        for e in range(best + 1, self.first[node] + self.count[node]):
            if self.tried[e] > self.tried[best] or (
                self.tried[e] == self.tried[best] and self._mean(e) > self._mean(best)
            ):
                best = e
        return self.move[best]

    def best_mean(self):
        """The move that is left after halving: of those tried most the one with the best mean."""
        return self.move[self.alive[0]] if self.count[self.root] > 1 else self.best()

    def report(self):
        """Moves at the root with simulations, mean value to the decider and prior."""
        node: cython.int = self.root
        e: cython.int
        return [
            (
                self.move[e], self.tried[e],
                self.value[e] / self.tried[e] if self.tried[e] else None, self.prior[e],
            )
            for e in range(self.first[node], self.first[node] + self.count[node])
        ]  # fmt: skip

    # ---------------------------------------------------------------- going on

    def advance(self, moves, stack):
        """Make the moves that were made in the game, and keep what is behind them.

        `stack` is the whole stack as far as it is known: drawn tiles in their order, the unseen
        ones in any. Returns how many simulations are kept.
        """
        g = self.g
        k: cython.int
        e: cython.int
        node: cython.int = self.root
        before: cython.int
        found: cython.int
        self.engine.forget()
        for k in range(len(stack)):
            g[self.stack + k] = stack[k]
        for move in moves:
            before = g[NEXT_TILE]
            self.engine.play(move)
            if node < 0:
                continue
            found = -1
            for e in range(self.first[node], self.first[node] + self.count[node]):
                if self.move[e] == move:
                    k = self._draw_key() if g[NEXT_TILE] != before else 0
                    found = self.child[e]
                    while found >= 0 and self.key[found] != k:
                        found = self.sibling[found]
                    break
            node = found
        if node < 0 or g[PHASE] == OVER or self.visits[node] == 0:
            self._clear()
        else:
            self._keep(node)
        self._prepare()
        if self.count[self.root] and self.count[self.root] == self.branches:
            self._widen_root()
        return self.visits[self.root]

    @cython.cfunc
    def _widen_root(self) -> cython.void:
        """A node that was inside lists only its best moves; as a root it gets all of them."""
        old: cython.int = self.first[self.root]
        n: cython.int = self.count[self.root]
        k: cython.int
        j: cython.int
        self._expand(self.root, ROOT_WIDTH)
        for k in range(old, old + n):
            for j in range(self.first[self.root], self.first[self.root] + self.count[self.root]):
                if self.move[j] == self.move[k]:
                    self.tried[j] = self.tried[k]
                    self.child[j] = self.child[k]
                    self.value[j] = self.value[k]

    def _keep(self, root):
        """Copy what is behind a node into new rooms; it becomes the root."""
        old_nodes: list = self.node_rooms
        old_edges: list = self.edge_rooms
        first = self.first
        count = self.count
        visits = self.visits
        seat = self.seat
        key = self.key
        sibling = self.sibling
        total = self.total
        move = self.move
        tried = self.tried
        child = self.child
        prior = self.prior
        expected = self.expected
        value = self.value
        room: cython.int = self.node_room
        ordered: object = int_room(room, cython.compiled)
        order: cython.p_int = self._as_ints(ordered)
        nodes: cython.int = 1
        edges: cython.int = 0
        k: cython.int = 0
        e: cython.int
        j: cython.int
        n: cython.int
        last: cython.int
        self._own(_new_rooms(self.node_room, _NODE_ROWS), _new_rooms(self.edge_room, _EDGE_ROWS))
        order[0] = root
        self.sibling[0] = -1
        while k < nodes:
            n = order[k]
            self.first[k] = edges
            self.count[k] = count[n]
            self.visits[k] = visits[n]
            self.seat[k] = seat[n]
            self.key[k] = key[n]
            self.total[k] = total[n]
            for e in range(first[n], first[n] + count[n]):
                self.move[edges] = move[e]
                self.tried[edges] = tried[e]
                self.prior[edges] = prior[e]
                self.expected[edges] = expected[e]
                self.value[edges] = value[e]
                self.child[edges] = -1
                j = child[e]
                last = -1
                while j >= 0:
                    order[nodes] = j
                    self.sibling[nodes] = -1
                    if last < 0:
                        self.child[edges] = nodes
                    else:
                        self.sibling[last] = nodes
                    last = nodes
                    nodes += 1
                    j = sibling[j]
                edges += 1
            k += 1
        self.nodes, self.edges, self.root = nodes, edges, 0
        del ordered, old_nodes, old_edges

    def matches(self, engine):
        """Whether another engine is at the same position, whatever the order of what is unseen."""
        mine, other = self.engine.snapshot(), engine.snapshot()
        size = 4 if cython.compiled else 1
        begin = size * (self.stack + self.g[NEXT_TILE])
        end = size * (self.stack + self.g[STACK_SIZE])
        return mine[:begin] == other[:begin] and mine[end:] == other[end:]


_NODE_ROWS = (0, 0, 0, 0, 0, 0, 1)
_EDGE_ROWS = (0, 0, 0, 1, 1, 1)
"""The rows of a node and of an edge: 0 ints, 1 floating point numbers."""


def _new_rooms(count, rows):
    return [
        double_room(count, cython.compiled) if row else int_room(count, cython.compiled)
        for row in rows
    ]


def _larger(rooms, count, rows):
    larger = _new_rooms(2 * count, rows)
    for room, old, row in zip(larger, rooms, rows):  # noqa: B905 - the same rows
        size = count * (8 if row else 4) if cython.compiled else count
        room[:size] = old[:size]
    return larger


def _bytes(rows):
    return sum(8 if row else 4 for row in rows)
