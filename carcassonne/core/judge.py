"""What a position and its moves are probably worth: the compiled heuristic of the search bots.

Pure Python mode like `engine.py`, whose block it reads (places: `layout.py`). It decides no rule:
it only guesses, from what every player may see, so nothing here may look at the order of the
unseen tiles. All values are points.

The chance that an open cell will be filled follows from how many of the unseen tiles fit there
(`F`, scaled by how many are left now) and from how hard the kind is to finish:

    chance = F / (F + hardness * players / 2)         hope of a feature = product over its cells

A placement is rated without playing it: `_frame` notes what meets an open cell, `_effect` joins
the features there in mind and compares what their majorities could expect before and after.
"""

from __future__ import annotations

try:
    import cython
except ImportError:  # Cython is needed to compile, not to run
    from carcassonne.core import shadow as cython  # type: ignore[no-redef]

from carcassonne.core import layout
from carcassonne.core.rooms import double_room, int_room, readable

__all__ = ["WEIGHTS", "Judge"]

PLACE = cython.declare(cython.int, layout.PLACE)
BRIDGE = cython.declare(cython.int, layout.BRIDGE)
MEEPLE = cython.declare(cython.int, layout.MEEPLE)
CASTLE = cython.declare(cython.int, layout.CASTLE)
COLLECT = cython.declare(cython.int, layout.COLLECT)
CHOOSE = cython.declare(cython.int, layout.CHOOSE)
BID = cython.declare(cython.int, layout.BID)
DEAL = cython.declare(cython.int, layout.DEAL)
TAKE = cython.declare(cython.int, layout.TAKE)
OVER = cython.declare(cython.int, layout.OVER)
PASS = cython.declare(cython.int, layout.PASS)
DECLINE = cython.declare(cython.int, layout.DECLINE)
BUY = cython.declare(cython.int, layout.BUY)
PHASE = cython.declare(cython.int, layout.PHASE)
DECIDER = cython.declare(cython.int, layout.DECIDER)
ACTIVE = cython.declare(cython.int, layout.ACTIVE)
TILE = cython.declare(cython.int, layout.TILE)
PLACED = cython.declare(cython.int, layout.PLACED)
LAID = cython.declare(cython.int, layout.LAID)
NEXT_TILE = cython.declare(cython.int, layout.NEXT_TILE)
STACK_SIZE = cython.declare(cython.int, layout.STACK_SIZE)
CASTLES = cython.declare(cython.int, layout.CASTLES)
WAVE = cython.declare(cython.int, layout.WAVE)
IN_ROUND = cython.declare(cython.int, layout.IN_ROUND)
CHOOSER = cython.declare(cython.int, layout.CHOOSER)
LOT = cython.declare(cython.int, layout.LOT)
HIGH_BID = cython.declare(cython.int, layout.HIGH_BID)
HIGH_BIDDER = cython.declare(cython.int, layout.HIGH_BIDDER)
ON_OFFER = cython.declare(cython.int, layout.ON_OFFER)
SCORE = cython.declare(cython.int, layout.SCORE)
SUPPLY = cython.declare(cython.int, layout.SUPPLY)
BRIDGES_LEFT = cython.declare(cython.int, layout.BRIDGES_LEFT)
MARKERS = cython.declare(cython.int, layout.MARKERS)
OFFER = cython.declare(cython.int, layout.OFFER)
HAND = cython.declare(cython.int, layout.HAND)
CASTLE_SIZE = cython.declare(cython.int, layout.CASTLE_SIZE)
CASTLE_OWNER = cython.declare(cython.int, layout.CASTLE_OWNER)
CASTLE_CELLS = cython.declare(cython.int, layout.CASTLE_CELLS)
PAYOUT_SIZE = cython.declare(cython.int, layout.PAYOUT_SIZE)
CASTLE_FLAG = cython.declare(cython.int, layout.CASTLE_FLAG)
MEEPLES = cython.declare(cython.int, layout.MEEPLES)
OPEN_CELL = cython.declare(cython.int, layout.OPEN_CELL)
SEATS = cython.declare(cython.int, layout.SEATS)
OPTIONS = cython.declare(cython.int, 16)
ALL_BITS = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
XORSHIFT = cython.declare(cython.ulonglong, 2685821657736338717)
GOLDEN = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
MIX_ONE = cython.declare(cython.ulonglong, 0xBF58476D1CE4E5B9)
MIX_TWO = cython.declare(cython.ulonglong, 0x94D049BB133111EB)

WEIGHTS = {
    "road": 5.8,  # hardness of a cell where a road ends
    "city": 8.0,  # and a city
    "ring": 9.0,  # and of an empty cell around a cloister
    "grow": 0.45,  # tiles that each open end will add to a feature
    "back": 0.45,  # share of a meeple's worth that comes back if its feature is completed
    "farm_hope": 0.8,  # share of a farm's points for cities that may be completed
    "farm_grow": 2.0,  # points that an open farm gains from cities not begun
    "farm_far": 30.0,  # tiles left with which half of that is to be had
    "farm_lock": 1.2,  # share of the rest of the game for which a farmer is gone
    "farm_doubt": 0.65,  # share of a farm's points that its holder will keep
    "keep": 1.4,  # scale of what a meeple in the supply is worth
    "turns": 10.0,  # turns left from which on that falls to nothing
    "tempo": 3.0,  # what it is worth to be next
    "castle": 7.0,  # what a castle gets
    "castle_far": 16.0,
    "castle_lock": 0.7,
    "bridge": 1.4,  # a bridge in hand
    "bridge_turns": 8.0,
    "keep1": 5.0,  # the last meeple in the supply, the one before, ...
    "keep2": 3.4,
    "keep3": 2.5,
    "keep4": 1.9,
    "keep5": 1.4,
    "keep6": 1.0,
    "keep7": 0.8,
}  # fmt: skip
"""The numbers of the heuristic, each with what it stands for."""


@cython.final
@cython.cclass
class Judge:
    """Rates the moves of one engine's open decision, plays cheap turns on it, and values it.

    `rate` writes moves and rates into rooms that the search shares (`rooms`), `evaluate` the
    expected score of each seat. Scratch room is kept between calls; results are not.
    """

    engine: object
    kept: list
    g: cython.p_int
    t: cython.p_int
    mv: cython.p_int
    moves: cython.p_int
    rates: cython.p_double
    worth: cython.p_double
    w: cython.p_double
    gain: cython.p_double
    share: cython.p_double
    cost: cython.p_double
    back: cython.p_double
    tiles: cython.p_int
    signs: cython.p_int
    opens: cython.p_int
    hope: cython.p_double
    value: cython.p_double
    known: cython.p_int
    mark: cython.p_int
    fmark: cython.p_int
    fitting: cython.p_int
    fitted: cython.p_int
    left: cython.p_int
    frame: cython.p_int
    label: cython.p_int
    entry: cython.p_int
    change: cython.p_double
    op_local: cython.p_int
    op_worth: cython.p_double
    op_lock: cython.p_double
    appraised: cython.p_double
    seed: cython.ulonglong
    market: cython.ulonglong
    noise: cython.double
    options: cython.int
    entries: cython.int
    lines: cython.int
    changes: cython.int
    stamp: cython.int
    pass_stamp: cython.int
    unseen_stamp: cython.int
    frame_cell: cython.int
    first_laid: cython.int
    unseen: cython.int
    scale: cython.double
    now: cython.double
    fade: cython.double
    castle: cython.double
    players: cython.int
    stride: cython.int
    segments: cython.int
    mask: cython.int
    types: cython.int
    signatures: cython.int
    farmers: cython.int
    lose_turn: cython.int
    inns: cython.int
    tiny_points: cython.int
    tiny_pennant: cython.int
    by_segments: cython.int
    farm_city: cython.int
    farm_castle: cython.int
    side_step: cython.int
    ring_step: cython.int
    power: cython.int
    edge: cython.int
    meets: cython.int
    kind: cython.int
    fresh: cython.int
    flags: cython.int
    touches: cython.int
    counts: cython.int
    cloister: cython.int
    fit: cython.int
    board: cython.int
    fsig: cython.int
    var: cython.int
    pcell: cython.int
    bridges: cython.int
    around: cython.int
    root: cython.int
    next: cython.int
    folk: cython.int
    ends: cython.int
    stand: cython.int
    stack: cython.int
    castles: cython.int
    wave: cython.int
    unpaid: cython.int

    def __init__(self, tables, engine, weights=None):
        """Watch an engine of these tables; `weights` replaces single numbers of `WEIGHTS`."""
        self.engine = engine
        self.kept = []
        block, listed, data = engine.rooms()
        self.g = self._ints(block)
        self.mv = self._ints(listed)
        self.t = self._ints(data)
        self._set_places(tables, engine.shared.places)
        self._set_rooms(tables)
        rules = tables.rules
        self.farmers, self.inns = rules.farmers, rules.inns_enabled
        self.lose_turn = rules.bazaar_unplaceable == "lose_turn"
        self.tiny_points = rules.tiny_city_points
        self.tiny_pennant = rules.tiny_city_pennant_points
        self.by_segments = rules.road_count_mode == "segments"
        self.farm_city, self.farm_castle = rules.farm_points_per_city, rules.castle_farm_points
        numbers = {**WEIGHTS, **(weights or {})}
        k: cython.int
        for k in range(len(numbers)):
            self.w[k] = list(numbers.values())[k]
        self.seed = 1
        self.noise = 0.0
        self.stamp = self.pass_stamp = self.unseen_stamp = 0
        self.options = self.entries = self.lines = self.changes = 0
        self.frame_cell = -1
        self.note_unseen()

    @cython.cfunc
    def _ints(self, room: object) -> cython.p_int:
        """The numbers of a room, which is kept as long as this lives."""
        self.kept.append(room)
        if cython.compiled:
            return cython.cast(cython.p_int, cython.cast(cython.p_char, room))
        else:
            return readable(room)

    @cython.cfunc
    def _doubles(self, room: object) -> cython.p_double:
        self.kept.append(room)
        if cython.compiled:
            return cython.cast(cython.p_double, cython.cast(cython.p_char, room))
        else:
            return room

    def _set_places(self, tables, places):
        at = tables.at
        self.players, self.stride, self.segments = tables.players, tables.stride, tables.segments
        self.mask = tables.cells - 1
        self.types, self.signatures = len(tables.types), tables.signatures
        self.side_step, self.ring_step = at["side_step"], at["ring_step"]
        self.power, self.edge, self.meets = at["power"], at["edge"], at["meets"]
        self.kind, self.fresh, self.flags = at["kind"], at["fresh"], at["flags"]
        self.touches, self.counts = at["touches"], at["segments"]
        self.cloister, self.fit = at["cloister"], at["fit"]
        self.board, self.fsig = places["board"], places["fsig"]
        self.var, self.pcell, self.bridges = places["var"], places["pcell"], places["bridge"]
        self.around, self.root, self.next = places["around"], places["root"], places["next"]
        self.folk, self.ends, self.stand = places["folk"], places["ends"], places["stand"]
        self.stack, self.castles = places["stack"], places["castles"]
        self.wave, self.unpaid = places["wave"], places["unpaid"]

    def _set_rooms(self, tables):
        compiled = cython.compiled
        most = 16 * tables.capacity + 256
        segments = tables.capacity * tables.stride
        self.moves = self._ints(int_room(most, compiled))
        self.rates = self._doubles(double_room(most, compiled))
        self.worth = self._doubles(double_room(SEATS, compiled))
        self.w = self._doubles(double_room(len(WEIGHTS), compiled))
        self.gain = self._doubles(double_room(SEATS, compiled))
        self.share = self._doubles(double_room(SEATS * SEATS, compiled))
        self.cost = self._doubles(double_room(SEATS, compiled))
        self.back = self._doubles(double_room(SEATS, compiled))
        self.tiles = self._ints(int_room(segments, compiled))
        self.signs = self._ints(int_room(segments, compiled))
        self.opens = self._ints(int_room(segments, compiled))
        self.hope = self._doubles(double_room(segments, compiled))
        self.value = self._doubles(double_room(segments, compiled))
        self.known = self._ints(int_room(segments, compiled))
        self.mark = self._ints(int_room(segments, compiled))
        self.fmark = self._ints(int_room(2 * tables.capacity + 8, compiled))
        self.fitting = self._ints(int_room(tables.signatures, compiled))
        self.fitted = self._ints(int_room(tables.signatures, compiled))
        self.left = self._ints(int_room(len(tables.types), compiled))
        self.frame = self._ints(int_room(48, compiled))
        self.label = self._ints(int_room(OPTIONS, compiled))
        self.entry = self._ints(int_room(48, compiled))
        self.change = self._doubles(double_room(32, compiled))
        self.op_local = self._ints(int_room(2 * OPTIONS, compiled))
        self.op_worth = self._doubles(double_room(2 * OPTIONS, compiled))
        self.op_lock = self._doubles(double_room(2 * OPTIONS, compiled))
        self.appraised = self._doubles(double_room(SEATS * SEATS, compiled))

    def rooms(self):
        """Moves and rates as `rate` writes them, values of `evaluate`; in this order."""
        return self.kept[3], self.kept[4], self.kept[5]

    def rated(self):
        """The moves of the open decision with what each is worth to the decider."""
        k: cython.int
        count: cython.int = self.rate()
        return [(self.moves[k], self.rates[k]) for k in range(count)]

    def values(self):
        """The expected final score of each seat."""
        k: cython.int
        self.evaluate()
        return [self.worth[k] for k in range(self.players)]

    # ---------------------------------------------------------------- what is unseen

    def note_unseen(self):
        """Count the unseen tiles; to be called when the search begins at a new position."""
        g = self.g
        k: cython.int
        self.unseen = g[STACK_SIZE] - g[NEXT_TILE]
        self.first_laid = g[LAID]
        self.market = 0
        for k in range(self.types):
            self.left[k] = 0
        for k in range(g[NEXT_TILE], g[STACK_SIZE]):
            self.left[g[self.stack + k]] += 1
        self.unseen_stamp += 1

    def sow(self, seed: cython.ulonglong, noise: cython.double):
        """Seed the generator of the playouts; `noise` points are added to rates at most."""
        x: cython.ulonglong = (seed + GOLDEN) & ALL_BITS
        x = ((x ^ (x >> 30)) * MIX_ONE) & ALL_BITS
        x = ((x ^ (x >> 27)) * MIX_TWO) & ALL_BITS
        x ^= x >> 31
        self.seed = x or 1
        self.noise = noise

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _random(self) -> cython.double:
        """A number from 0 up to 1."""
        x: cython.ulonglong = self.seed
        x ^= x >> 12
        x ^= (x << 25) & ALL_BITS
        x ^= x >> 27
        self.seed = x
        x = ((x * XORSHIFT) & ALL_BITS) >> 40
        k: cython.int = x
        return k / 16777216.0

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _chance(self, signature: cython.int, hardness: cython.double) -> cython.double:
        """How probable it is that an open cell will be filled in time."""
        k: cython.int
        count: cython.int
        if self.fitted[signature] != self.unseen_stamp:
            count = 0
            for k in range(self.types):
                if self.left[k] and self.t[self.fit + k * self.signatures + signature] & 15:
                    count += self.left[k]
            self.fitted[signature] = self.unseen_stamp
            self.fitting[signature] = count
        x: cython.double = self.fitting[signature] * self.scale + 0.02
        return x / (x + hardness)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _look(self) -> cython.void:
        """Note the stage of the game and what meeples cost now; forget what was known."""
        g = self.g
        w = self.w
        left: cython.int = g[STACK_SIZE] - g[NEXT_TILE]
        seat: cython.int
        n: cython.int
        turns: cython.double = (left + 0.5) / self.players
        self.pass_stamp += 1
        self.frame_cell = -1
        self.now = left
        self.scale = left / (1.0 * self.unseen) if self.unseen else 0.0
        self.fade = 0.5 * self.players
        self.castle = w[13] * left / (left + w[14])
        x: cython.double = turns / w[11]
        if x > 1.0:
            x = 1.0
        x *= w[10]
        for seat in range(self.players):
            n = g[SUPPLY + seat]
            self.cost[seat] = 1e9 if n == 0 else x * w[17 + (min(7, n))]
            n += 1
            self.back[seat] = x * w[17 + (min(7, n))]

    # ---------------------------------------------------------------- features

    @cython.cfunc
    @cython.exceptval(check=False)
    def _line(self, r: cython.int) -> cython.void:
        """Find out about a road or a city: tiles, flags, open cells, hope and worth."""
        g = self.g
        t = self.t
        mark = self.mark
        if self.known[r] == self.pass_stamp:
            return
        self.known[r] = self.pass_stamp
        self.stamp += 1
        stamp: cython.int = self.stamp
        opened: cython.bint = g[self.ends + r] >> 16 > 0
        tiles: cython.int = 0
        pennants: cython.int = 0
        flags: cython.int = 0
        opens: cython.int = 0
        hope: cython.double = 1.0
        s: cython.int = r
        i: cython.int
        local: cython.int
        side: cython.int
        f: cython.int
        v: cython.int
        cell: cython.int
        kind: cython.int = t[self.kind + g[self.var + r // self.stride] * self.stride
                             + r % self.stride]  # fmt: skip
        hardness: cython.double = self.w[1 if kind else 0] * self.fade
        while True:
            i = s // self.stride
            local = s - i * self.stride
            v = g[self.var + i]
            if mark[i] != stamp:
                mark[i] = stamp
                tiles += 1
            f = t[self.flags + v * self.stride + local]
            flags |= f & ~255
            pennants += f & 255
            if opened:
                cell = g[self.pcell + i]
                for side in range(4):
                    if (
                        (t[self.meets + 4 * v + side] & 15) == local + 1
                        if local < self.segments
                        else (side & 1) == local - self.segments
                    ):
                        f = g[self.board + ((cell + t[self.side_step + side]) & self.mask)]
                        if f > 0:
                            f &= OPEN_CELL
                        if f > 0 and self.fmark[f] != stamp:
                            self.fmark[f] = stamp
                            opens += 1
                            hope *= self._chance(g[self.fsig + f], hardness)
            s = g[self.next + s]
            if s == r:
                break
        self.tiles[r] = tiles
        self.signs[r] = flags | (min(255, pennants))
        self.opens[r] = opens
        self.hope[r] = hope
        self.value[r] = self._pays(
            kind, g[self.ends + r] & 0xFFFF if kind == 0 and self.by_segments else tiles,
            self.signs[r], opens, hope, not opened,
        )  # fmt: skip

    @cython.cfunc
    @cython.exceptval(check=False)
    def _pays(
        self,
        kind: cython.int,
        tiles: cython.int,
        signs: cython.int,
        opens: cython.int,
        hope: cython.double,
        complete: cython.bint,
    ) -> cython.double:
        """What a road or city will probably pay."""
        pennants: cython.int = signs & 255
        doubled: cython.bint = self.inns != 0 and (signs >> 8 & 3) != 0
        size: cython.double = tiles + (pennants if kind else 0)
        if complete:
            if kind == 0:
                return 2 * size if doubled else size
            if tiles == 2 and not doubled:
                return self.tiny_points + pennants * (
                    2 if self.tiny_points == 4 else self.tiny_pennant
                )
            return 3 * size if doubled else 2 * size
        full: cython.double = size + self.w[3] * opens
        if kind:
            full *= 3.0 if doubled else 2.0
        elif doubled:
            full *= 2.0
        if doubled:
            return hope * full
        return size + hope * (full - size)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _field(self, r: cython.int) -> cython.double:
        """What a field will probably pay its majority."""
        if self.known[r] == self.pass_stamp:
            return self.value[r]
        g = self.g
        points: cython.double = 0.0
        s: cython.int = r
        i: cython.int
        c: cython.int
        near: cython.int
        w = self.w
        while True:
            i = s // self.stride
            near = self.t[self.touches + g[self.var + i] * self.stride + s - i * self.stride]
            c = i * self.stride
            while near:
                if near & 1:
                    i = g[self.root + c]
                    self._line(i)
                near >>= 1
                c += 1
            s = g[self.next + s]
            if s == r:
                break
        self.stamp += 1
        stamp: cython.int = self.stamp
        while True:
            i = s // self.stride
            near = self.t[self.touches + g[self.var + i] * self.stride + s - i * self.stride]
            c = i * self.stride
            while near:
                if near & 1:
                    i = g[self.root + c]
                    if self.mark[i] != stamp:
                        self.mark[i] = stamp
                        if g[self.ends + i] >> 16:
                            points += self.farm_city * w[5] * self.hope[i]
                        elif g[self.folk + i] & CASTLE_FLAG:
                            points += self.farm_castle
                        else:
                            points += self.farm_city
                near >>= 1
                c += 1
            s = g[self.next + s]
            if s == r:
                break
        if g[self.ends + r] >> 16:
            points += w[6] * self.now / (self.now + w[7])
        points *= w[9] if self.now > 0 else 1.0
        self.known[r] = self.pass_stamp
        self.value[r] = points
        return points

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _ringed(self, missing: cython.int) -> cython.double:
        """The chance that so many empty cells around a cloister will be filled."""
        p: cython.double = self.now / (self.now + self.w[2] * self.fade * 2.4)
        hope: cython.double = 1.0
        while missing > 0:
            hope *= p
            missing -= 1
        return hope

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _cloister(self, missing: cython.int) -> cython.double:
        """What a cloister with so many empty cells around it will probably pay."""
        return 9.0 - missing + missing * self.now / (self.now + self.w[2] * self.fade * 2.4)

    # ---------------------------------------------------------------- majorities

    @cython.cfunc
    @cython.exceptval(check=False)
    def _credit(self, folk: cython.int, points: cython.double) -> cython.void:
        """Give points to the majority (R-BASE-16)."""
        seat: cython.int
        n: cython.int
        best: cython.int = 1
        for seat in range(self.players):
            n = folk >> 4 * seat & 15
            if n > best:
                best = n
        for seat in range(self.players):
            if folk >> 4 * seat & 15 == best:
                self.gain[seat] += points

    @cython.cfunc
    @cython.exceptval(check=False)
    def _return(self, folk: cython.int, lock: cython.double) -> cython.void:
        """Credit the meeples of a feature by the share of the game for which they come back."""
        seat: cython.int = 0
        while folk:
            if folk & 15:
                self.gain[seat] += (folk & 15) * lock * self.back[seat]
            folk >>= 4
            seat += 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def _set_shares(self) -> cython.void:
        """How much a point of each counts for each: 1 for its own, -1 for all rivals together.

        With several rivals, half of that is spread evenly and half is for whoever leads them.
        """
        g = self.g
        share = self.share
        me: cython.int
        seat: cython.int
        best: cython.int
        leaders: cython.int
        n: cython.int = self.players
        for me in range(n):
            if n == 2:
                share[SEATS * me + me] = 1.0
                share[SEATS * me + 1 - me] = -1.0
                continue
            best = -1000000
            leaders = 0
            for seat in range(n):
                if seat == me:
                    continue
                if g[SCORE + seat] > best:
                    best = g[SCORE + seat]
                    leaders = 0
                if g[SCORE + seat] == best:
                    leaders += 1
            for seat in range(n):
                share[SEATS * me + seat] = -0.5 / (n - 1) - (
                    0.5 / leaders if g[SCORE + seat] == best else 0.0
                )
            share[SEATS * me + me] = 1.0

    @cython.cfunc
    @cython.exceptval(check=False)
    def _for_seat(self, seat: cython.int) -> cython.double:
        """What the gains are worth to a seat."""
        k: cython.int
        total: cython.double = 0.0
        for k in range(self.players):
            total += self.gain[k] * self.share[SEATS * seat + k]
        return total

    @cython.cfunc
    @cython.exceptval(check=False)
    def _best_option(self, seat: cython.int) -> cython.double:
        """What the best place for a meeple is worth to a seat; 0 if it keeps its meeple."""
        k: cython.int
        best: cython.double = 0.0
        x: cython.double
        cost: cython.double = self.cost[seat]
        if cost > 1e8:
            return 0.0
        for k in range(self.options):
            x = self.op_worth[k] - cost * self.op_lock[k]
            if x > best:
                best = x
        return best

    # ---------------------------------------------------------------- placements

    @cython.cfunc
    @cython.exceptval(check=False)
    def _frame(self, cell: cython.int) -> cython.void:
        """Note what an open cell meets: for each side neighbour, line, left and right field."""
        g = self.g
        fr = self.frame
        side: cython.int
        w: cython.int
        m: cython.int
        line: cython.int
        first: cython.int
        self.frame_cell = cell
        for side in range(4):
            w = g[self.board + ((cell + self.t[self.side_step + side]) & self.mask)]
            if w > 0:
                w &= OPEN_CELL
            fr[side] = w
            fr[4 + side] = fr[8 + side] = fr[12 + side] = -1
            if w >= 0:
                continue
            w = -1 - w
            m = self.t[self.meets + 4 * g[self.var + w] + (side ^ 2)]
            line = m & 15
            if g[self.bridges + w] >> (side & 1) & 1:
                line = self.segments + (side & 1) + 1
            first = self.root + w * self.stride - 1
            if line:
                fr[4 + side] = g[first + line]
            if m >> 4 & 15:
                fr[8 + side] = g[first + (m >> 4 & 15)]
            if m >> 8:
                fr[12 + side] = g[first + (m >> 8)]
        fr[16] = 0
        fr[17] = 0
        for side in range(8):
            w = g[self.board + ((cell + self.t[self.ring_step + side]) & self.mask)]
            if w < 0:
                fr[16] += 1
                if g[self.around - 1 - w] > 1:
                    fr[18 + fr[17]] = -1 - w
                    fr[17] += 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def _enter(self, local: cython.int, r: cython.int, first: cython.int) -> cython.void:
        """Note that a segment of the new tile meets a feature; segments that share one join."""
        k: cython.int
        j: cython.int
        a: cython.int
        b: cython.int
        label = self.label
        for k in range(first, self.entries):
            if self.entry[2 * k] == r:
                a = label[self.entry[2 * k + 1]]
                b = label[local]
                if a != b:
                    for j in range(OPTIONS):
                        if label[j] == b:
                            label[j] = a
                return
        self.entry[2 * self.entries] = r
        self.entry[2 * self.entries + 1] = local
        self.entries += 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def _effect(self, move: cython.int, tile: cython.int) -> cython.void:
        """What a placement changes: points by seat without a new meeple, and places for one."""
        g = self.g
        t = self.t
        label = self.label
        fr = self.frame
        cell: cython.int = move >> 4
        v: cython.int = 4 * tile + (move >> 2 & 3)
        n: cython.int = t[self.counts + tile]
        row: cython.int = v * self.stride
        k: cython.int
        side: cython.int
        m: cython.int
        axis: cython.int = -1
        for k in range(SEATS):
            self.gain[k] = 0.0
        self.options = 0
        self.entries = 0
        self.changes = 0
        if self.frame_cell != cell:
            self._frame(cell)
        for k in range(OPTIONS):
            label[k] = k
        if move & 3 == 1:
            axis = self._clashing(v) & 1
        for side in range(4):
            m = t[self.meets + 4 * v + side] & 15
            if (side & 1) == axis:
                m = self.segments + axis + 1
            if m and fr[4 + side] >= 0 and fr[side] < 0:
                self._enter(m - 1, fr[4 + side], 0)
        self.lines = self.entries
        for side in range(4):
            if fr[side] >= 0:
                self._touch(cell, v, side)
        for k in range(n):
            if label[k] == k and t[self.kind + row + k] < 2:
                self._join_lines(k, v, n, axis)
        if axis >= 0 and label[self.segments + axis] == self.segments + axis:
            self._join_lines(self.segments + axis, v, n, axis)
        for k in range(self.changes):
            self._change(k)
        if self.farmers:
            for side in range(4):
                m = t[self.meets + 4 * v + side]
                if m >> 4 & 15 and fr[12 + side] >= 0:
                    self._enter((m >> 4 & 15) - 1, fr[12 + side], self.lines)
                if m >> 8 and fr[8 + side] >= 0:
                    self._enter((m >> 8) - 1, fr[8 + side], self.lines)
            for k in range(n):
                if label[k] == k and t[self.kind + row + k] == 3:
                    self._join_fields(k)
        k = t[self.cloister + tile]
        if k >= 0:
            self._option(k, self._cloister(8 - fr[16]), 1.0 - self.w[4] * self._ringed(8 - fr[16]))
            if fr[16] == 8:
                self.op_lock[self.options - 1] = 0.0
                if g[CASTLES]:
                    self._castles_near(cell, -1, 9.0)
        for k in range(fr[17]):
            self._ring(fr[18 + k])

    @cython.cfunc
    @cython.exceptval(check=False)
    def _clashing(self, v: cython.int) -> cython.int:
        """The side on which a bridge on the new tile mends the fit."""
        side: cython.int
        for side in range(4):
            if (
                self.frame[side] < 0
                and self.t[self.edge + 4 * v + side] == 1
                and self.frame[4 + side] >= 0
            ):
                return side
        return 0

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _option(self, local: cython.int, worth: cython.double, lock: cython.double) -> cython.void:
        k: cython.int = self.options
        self.op_local[k] = local
        self.op_worth[k] = worth
        self.op_lock[k] = lock
        self.options = k + 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def _touch(self, cell: cython.int, v: cython.int, side: cython.int) -> cython.void:
        """An empty cell beside the new tile gets harder to fill: note which features that hits."""
        g = self.g
        t = self.t
        f: cython.int = self.frame[side]
        beside: cython.int
        other: cython.int
        w: cython.int
        line: cython.int
        k: cython.int
        if f == 0:
            return
        beside = (cell + t[self.side_step + side]) & self.mask
        before: cython.int = g[self.fsig + f]
        after: cython.int = before + t[self.edge + 4 * v + side] * t[self.power + (side ^ 2)]
        first: cython.int = self.changes
        for other in range(4):
            if other == side ^ 2:
                continue
            w = g[self.board + ((beside + t[self.side_step + other]) & self.mask)]
            if w >= 0:
                continue
            w = -1 - w
            line = t[self.meets + 4 * g[self.var + w] + (other ^ 2)] & 15
            if g[self.bridges + w] >> (other & 1) & 1:
                line = self.segments + (other & 1) + 1
            if line == 0:
                continue
            line = g[self.root + w * self.stride + line - 1]
            for k in range(first, self.changes):
                if self.entry[32 + k] == line:
                    break
            else:
                k = t[self.kind + g[self.var + w] * self.stride
                      + (t[self.meets + 4 * g[self.var + w] + (other ^ 2)] & 15) - 1]  # fmt: skip
                if g[self.bridges + w] >> (other & 1) & 1:
                    k = 0
                if k < 2:
                    self._line(line)
                    hardness: cython.double = self.w[k] * self.fade
                    self.entry[32 + self.changes] = line
                    self.change[self.changes] = self._chance(after, hardness) / self._chance(
                        before, hardness
                    )
                    self.changes += 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def _change(self, k: cython.int) -> cython.void:
        """A feature that the new tile does not join has become harder to complete, or easier."""
        g = self.g
        r: cython.int = self.entry[32 + k]
        j: cython.int
        folk: cython.int = g[self.folk + r] & MEEPLES
        if folk == 0:
            return
        hope: cython.double = self.hope[r] * self.change[k]
        for j in range(self.lines):
            if self.entry[2 * j] == r:
                return
        for j in range(k):
            if self.entry[32 + j] == r:
                return
        for j in range(k + 1, self.changes):
            if self.entry[32 + j] == r:
                hope *= self.change[j]
        kind: cython.int = self._kind(r)
        self._credit(
            folk,
            self._pays(kind, self.tiles[r], self.signs[r], self.opens[r], hope, False)
            - self.value[r],
        )
        self._return(folk, self.w[4] * (hope - self.hope[r]))

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _kind(self, s: cython.int) -> cython.int:
        i: cython.int = s // self.stride
        return self.t[self.kind + self.g[self.var + i] * self.stride + s - i * self.stride]

    @cython.cfunc
    @cython.exceptval(check=False)
    def _join_lines(
        self, rep: cython.int, v: cython.int, n: cython.int, axis: cython.int
    ) -> cython.void:
        """A road or city of the new tile with all that it joins: grown, merged or completed."""
        g = self.g
        t = self.t
        label = self.label
        fr = self.frame
        row: cython.int = v * self.stride
        k: cython.int
        j: cython.int
        r: cython.int
        side: cython.int
        m: cython.int
        kind: cython.int = 0 if rep >= self.segments else t[self.kind + row + rep]
        hardness: cython.double = self.w[1 if kind else 0] * self.fade
        flags: cython.int = 0
        pennants: cython.int = 0
        ends: cython.int = 0
        opens: cython.int = 0
        tiles: cython.int = 1
        folk: cython.int = 0
        joined: cython.int = 0
        sole: cython.int = -1
        hope: cython.double = 1.0
        for k in range(n):
            if label[k] == rep and t[self.kind + row + k] == kind:
                flags |= t[self.flags + row + k] & ~255
                pennants += t[self.flags + row + k] & 255
        for side in range(4):
            m = t[self.meets + 4 * v + side] & 15
            if (side & 1) == axis:
                m = self.segments + axis + 1
            if m == 0 or label[m - 1] != rep:
                continue
            if fr[side] >= 0:
                ends += 1
                opens += 1
                m = t[self.edge + 4 * v + side] * t[self.power + (side ^ 2)]
                if fr[side] > 0:
                    m += g[self.fsig + fr[side]]
                hope *= self._chance(m, hardness)
            elif fr[4 + side] >= 0:
                ends -= 1
        for k in range(self.lines):
            if label[self.entry[2 * k + 1]] != rep:
                continue
            r = self.entry[2 * k]
            self._line(r)
            joined += 1
            sole = r
            tiles += self.tiles[r]
            flags |= self.signs[r] & ~255
            pennants += self.signs[r] & 255
            ends += g[self.ends + r] >> 16
            opens += self.opens[r] - 1
            m = self._signature_here()
            hope *= self.hope[r] / self._chance(m, hardness)
            for j in range(self.changes):
                if self.entry[32 + j] == r:
                    hope *= self.change[j]
            m = g[self.folk + r] & MEEPLES
            if m:
                folk += m
                self._credit(m, -self.value[r])
                self._return(m, -self.w[4] * self.hope[r])
        if hope > 1.0:
            hope = 1.0
        complete: cython.bint = ends <= 0
        worth: cython.double = self._pays(
            kind, tiles, flags | (min(255, pennants)), max(0, opens),
            hope, complete,
        )  # fmt: skip
        if (
            complete
            and tiles == 2
            and kind
            and joined == 1
            and flags >> 10 & 1
            and self.signs[sole] >> 10 & 1
            and g[MARKERS + g[ACTIVE]]
            and worth < self.castle - 0.5
        ):
            worth = self.castle - 0.5
        if folk:
            self._credit(folk, worth)
            self._return(folk, 1.0 if complete else self.w[4] * hope)
        else:
            self._option(rep, worth, 0.0 if complete else 1.0 - self.w[4] * hope)
        if complete:
            if kind and self.farmers:
                self._feed_farms(rep)
            if g[CASTLES]:
                for k in range(self.lines):
                    if label[self.entry[2 * k + 1]] == rep:
                        self._castles_near(self.frame_cell, self.entry[2 * k], worth)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _signature_here(self) -> cython.int:
        g = self.g
        f: cython.int = g[self.board + self.frame_cell]
        return g[self.fsig + (f & OPEN_CELL)] if f > 0 else 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def _feed_farms(self, rep: cython.int) -> cython.void:
        """A completed city feeds the fields beside it that have farmers (R-BASE-22)."""
        g = self.g
        t = self.t
        k: cython.int
        s: cython.int
        r: cython.int
        i: cython.int
        local: cython.int
        v: cython.int
        gain: cython.double
        self.stamp += 1
        stamp: cython.int = self.stamp
        for k in range(self.lines):
            if self.label[self.entry[2 * k + 1]] != rep:
                continue
            r = s = self.entry[2 * k]
            gain = self.farm_city * (1.0 - self.w[5] * self.hope[r]) * self.w[9]
            while True:
                i = s // self.stride
                v = g[self.var + i]
                for local in range(t[self.counts + (v >> 2)]):
                    if t[self.touches + v * self.stride + local] >> (s - i * self.stride) & 1:
                        r = g[self.root + i * self.stride + local]
                        if self.mark[r] != stamp:
                            self.mark[r] = stamp
                            if g[self.folk + r] & MEEPLES:
                                self._credit(g[self.folk + r] & MEEPLES, gain)
                s = g[self.next + s]
                if s == self.entry[2 * k]:
                    break

    @cython.cfunc
    @cython.exceptval(check=False)
    def _join_fields(self, rep: cython.int) -> cython.void:
        """A field of the new tile grows fields, joins them, or begins one."""
        g = self.g
        k: cython.int
        r: cython.int
        m: cython.int
        folk: cython.int = 0
        joined: cython.int = 0
        held: cython.int = 0
        points: cython.double = 0.0
        grow: cython.double = self.w[6] * self.now / (self.now + self.w[7])
        grow *= self.w[9] if self.now > 0 else 1.0
        for k in range(self.lines, self.entries):
            if self.label[self.entry[2 * k + 1]] == rep:
                r = self.entry[2 * k]
                joined += 1
                if g[self.folk + r] & MEEPLES:
                    folk += g[self.folk + r] & MEEPLES
                    held += 1
        if folk and joined == 1:
            return
        for k in range(self.lines, self.entries):
            if self.label[self.entry[2 * k + 1]] == rep:
                r = self.entry[2 * k]
                m = g[self.folk + r] & MEEPLES
                points += self._field(r)
                if m:
                    self._credit(m, -self.value[r])
        if joined > 1:
            points -= grow * (joined - 1)
        if joined == 0:
            points = grow
        if folk:
            self._credit(folk, points)
        else:
            self._option(rep, points, self.w[8])

    @cython.cfunc
    @cython.exceptval(check=False)
    def _ring(self, i: cython.int) -> cython.void:
        """A cloister beside the new tile gets one more tile around it."""
        g = self.g
        missing: cython.int = g[self.around + i] - 1
        r: cython.int = i * self.stride + self.t[self.cloister + (g[self.var + i] >> 2)]
        folk: cython.int = g[self.folk + r] & MEEPLES
        if folk:
            self._credit(folk, self._cloister(missing - 1) - self._cloister(missing))
            if missing == 1:
                self._return(folk, 1.0 - self.w[4] * self._ringed(1))
            else:
                self._return(folk, self.w[4] * (self._ringed(missing - 1) - self._ringed(missing)))
        if missing == 1 and g[CASTLES]:
            self._castles_near(g[self.pcell + i], -1, 9.0)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _castles_near(self, cell: cython.int, r: cython.int, points: cython.double) -> cython.void:
        """A completed feature pays the castles beside it (R-CASTLE-15), whoever's they are."""
        g = self.g
        c: cython.int
        k: cython.int
        s: cython.int
        w: cython.int
        at: cython.int
        near: cython.bint
        for c in range(g[CASTLES]):
            at = self.castles + CASTLE_SIZE * c
            if not g[self.folk + g[at]] & MEEPLES:
                continue
            near = False
            for k in range(at + CASTLE_CELLS, at + CASTLE_CELLS + 6):
                if g[k] == cell:
                    near = True
                w = g[self.board + g[k]]
                if w < 0 and r >= 0:
                    w = (-1 - w) * self.stride
                    for s in range(w, w + self.stride):
                        if g[self.root + s] == r and g[self.ends + s]:
                            near = True
            if near and g[at + CASTLE_OWNER] >= 0:
                k = g[at + CASTLE_OWNER]
                self.gain[k] += points - self.castle + self.w[15] * self.back[k]

    # ---------------------------------------------------------------- rating moves

    @cython.ccall
    @cython.exceptval(check=False)
    def rate(self) -> cython.int:
        """List the moves of the open decision with what each is worth to the decider."""
        g = self.g
        phase: cython.int = g[PHASE]
        count: cython.int = self.engine.count_moves()
        moves = self.moves
        k: cython.int
        for k in range(count):
            moves[k] = self.mv[k]
        if count == 1:
            self.rates[0] = 0.0
            return count
        self._look()
        self._set_shares()
        if phase == PLACE:
            self._rate_places(count)
        elif phase == MEEPLE:
            self._rate_meeples(count)
        elif phase == BRIDGE:
            self._rate_bridges(count)
        elif phase == CASTLE:
            self._rate_castles(count)
        elif phase == COLLECT:
            self._rate_payouts(count)
        else:
            self._appraise_offer()
            if phase == CHOOSE:
                self._rate_choices(count)
            elif phase == BID:
                self._rate_bids(count)
            elif phase == DEAL:
                self._rate_deals(count)
            else:
                for k in range(count):
                    self.rates[k] = self._appeal(k, g[DECIDER])
        return count

    @cython.cfunc
    @cython.exceptval(check=False)
    def _rate_places(self, count: cython.int) -> cython.void:
        g = self.g
        k: cython.int
        move: cython.int
        seat: cython.int = g[DECIDER]
        tile: cython.int = g[TILE]
        price: cython.double = self._bridge_price(seat)
        for k in range(count):
            move = self.moves[k]
            if move == DECLINE:
                self.rates[k] = self.w[12]
                continue
            self._effect(move, tile)
            self.rates[k] = self._for_seat(seat) + self._best_option(seat)
            if move & 3:
                self.rates[k] -= price

    @cython.cfunc
    @cython.exceptval(check=False)
    def _bridge_price(self, seat: cython.int) -> cython.double:
        x: cython.double = self.now / (self.players * self.w[17])
        if x > 1.0:
            x = 1.0
        return x * self.w[16] * (1.4 if self.g[BRIDGES_LEFT + seat] == 1 else 1.0)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _worth_here(self, r: cython.int) -> cython.double:
        """What a meeple on a free feature of the board will bring, and its lock in `op_lock[0]`."""
        g = self.g
        kind: cython.int = self._kind(r)
        i: cython.int = r // self.stride
        if kind == 3:
            self.op_lock[0] = self.w[8]
            return self._field(r)
        if kind == 2:
            i = g[self.around + i] - 1
            self.op_lock[0] = 1.0 - self.w[4] * self._ringed(i) if i else 0.0
            return self._cloister(i)
        self._line(r)
        if g[self.ends + r] >> 16 == 0:
            self.op_lock[0] = 0.0
            if (
                kind
                and self.tiles[r] == 2
                and g[self.ends + r] == 2
                and g[MARKERS + g[ACTIVE]]
                and self._flag(r, 10)
                and self._flag(g[self.next + r], 10)
            ):
                return max(self.value[r], self._castle_worth(r) - 0.5)
        else:
            self.op_lock[0] = 1.0 - self.w[4] * self.hope[r]
        return self.value[r]

    @cython.cfunc
    @cython.exceptval(check=False)
    def _flag(self, s: cython.int, bit: cython.int) -> cython.bint:
        i: cython.int = s // self.stride
        return (
            self.t[self.flags + self.g[self.var + i] * self.stride + s - i * self.stride] >> bit & 1
        )

    @cython.cfunc
    @cython.exceptval(check=False)
    def _castle_worth(self, r: cython.int) -> cython.double:
        """What a castle on a small city will probably get: from the likeliest feature on."""
        g = self.g
        t = self.t
        a: cython.int = g[self.pcell + r // self.stride]
        b: cython.int = g[self.pcell + g[self.next + r] // self.stride]
        gap: cython.int = (a - b) & self.mask
        across: cython.int = t[self.side_step + 2]
        step: cython.int = 1 if gap in (across, self.mask + 1 - across) else across
        k: cython.int
        w: cython.int
        s: cython.int
        f: cython.int
        kind: cython.int
        best: cython.double = 0.0
        missed: cython.double = 1.0
        free: cython.int = 0
        self.stamp += 1
        for k in range(6):
            w = g[self.board + (((a if k < 3 else b) + (k % 3 - 1) * step) & self.mask)]
            if w >= 0:
                free += 1
                continue
            w = -1 - w
            for f in range(t[self.counts + (g[self.var + w] >> 2)]):
                s = g[self.root + w * self.stride + f]
                kind = self._kind(s)
                if kind == 2:
                    if g[self.around + w] > 1:
                        best += missed * self._ringed(g[self.around + w] - 1) * 9.0
                        missed *= 1.0 - self._ringed(g[self.around + w] - 1)
                elif kind < 2 and g[self.ends + s] >> 16:
                    self._line(s)
                    if self.opens[s] > 0 and self.tiles[s] > 0:
                        self.tiles[s] = -self.tiles[s]
                        best += (
                            missed
                            * self.hope[s]
                            * ((-self.tiles[s] + self.opens[s]) * (2 if kind else 1))
                        )
                        missed *= 1.0 - self.hope[s]
        for k in range(6):
            w = g[self.board + (((a if k < 3 else b) + (k % 3 - 1) * step) & self.mask)]
            if w < 0:
                w = -1 - w
                for f in range(t[self.counts + (g[self.var + w] >> 2)]):
                    s = g[self.root + w * self.stride + f]
                    if self.known[s] == self.pass_stamp and self.tiles[s] < 0:
                        self.tiles[s] = -self.tiles[s]
        return best + missed * self.castle * (0.5 + free / 12.0)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _rate_meeples(self, count: cython.int) -> cython.void:
        g = self.g
        k: cython.int
        seat: cython.int = g[DECIDER]
        first: cython.int = self.root + g[PLACED] * self.stride
        for k in range(count):
            if self.moves[k] == PASS:
                self.rates[k] = 0.0
            else:
                self.rates[k] = self._worth_here(g[first + self.moves[k]])
                self.rates[k] -= self.cost[seat] * self.op_lock[0]

    @cython.cfunc
    @cython.exceptval(check=False)
    def _rate_bridges(self, count: cython.int) -> cython.void:
        """A bridge pays where the meeple has no better place than the new road."""
        g = self.g
        k: cython.int
        r: cython.int
        seat: cython.int = g[DECIDER]
        n: cython.int = self.t[self.counts + (g[self.var + g[PLACED]] >> 2)]
        best: cython.double = 0.0
        x: cython.double
        hope: cython.double
        price: cython.double = self._bridge_price(seat)
        for k in range(n):
            r = g[self.root + g[PLACED] * self.stride + k]
            if g[self.folk + r] & MEEPLES or self._kind(r) > 3:
                continue
            if self._kind(r) == 3 and not self.farmers:
                continue
            x = self._worth_here(r)
            x -= self.cost[seat] * self.op_lock[0]
            if x > best:
                best = x
        hope = self.now / (self.now + 9.0)
        hope *= hope
        x = 1.0 + hope - self.cost[seat] * (1.0 - self.w[4] * hope) - best
        for k in range(count):
            if self.moves[k] == PASS:
                self.rates[k] = 0.0
            elif self.moves[k] >> 1 == g[PLACED] and x > 0:
                self.rates[k] = x - price
            else:
                self.rates[k] = -price

    @cython.cfunc
    @cython.exceptval(check=False)
    def _rate_castles(self, count: cython.int) -> cython.void:
        k: cython.int
        seat: cython.int = self.g[DECIDER]
        for k in range(count):
            if self.moves[k] == PASS:
                self.rates[k] = 0.0
            else:
                self._line(self.moves[k])
                self.rates[k] = self._castle_worth(self.moves[k]) - self.value[self.moves[k]]
                self.rates[k] -= self.w[15] * self.back[seat]

    @cython.cfunc
    @cython.exceptval(check=False)
    def _rate_payouts(self, count: cython.int) -> cython.void:
        g = self.g
        k: cython.int
        j: cython.int
        for k in range(count):
            self.rates[k] = 0.0
            for j in range(g[WAVE]):
                if g[self.wave + PAYOUT_SIZE * j] == self.moves[k]:
                    self.rates[k] = g[self.wave + PAYOUT_SIZE * j + 1]

    # ---------------------------------------------------------------- the bazaar

    @cython.cfunc
    @cython.exceptval(check=False)
    def _board_hash(self) -> cython.ulonglong:
        """A number for what lies on the table since the search began, and what is on offer."""
        g = self.g
        x: cython.ulonglong = g[LAID] + 1
        k: cython.int
        s: cython.int
        for k in range(self.first_laid, g[LAID]):
            x = ((x ^ (g[self.pcell + k] * 4096 + g[self.var + k])) * MIX_ONE) & ALL_BITS
            for s in range(k * self.stride, (k + 1) * self.stride):
                if g[self.stand + s]:
                    x = ((x ^ (s * 64 + (g[self.stand + s] & 1048575))) * MIX_TWO) & ALL_BITS
        for k in range(self.players):
            x = ((x ^ (g[SUPPLY + k] + 16 * k)) * MIX_ONE) & ALL_BITS
        for k in range(g[ON_OFFER]):
            x = ((x ^ (g[OFFER + k] + 256)) * MIX_TWO) & ALL_BITS
        return x | 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def _appraise_offer(self) -> cython.void:
        """What each tile on offer is worth to each seat compared with the other tiles.

        Everybody gets one, so only differences count. Kept until the board or the offer changes.
        """
        g = self.g
        lot: cython.int
        seat: cython.int
        k: cython.int
        n: cython.int = g[ON_OFFER]
        total: cython.double
        key: cython.ulonglong = self._board_hash()
        if key == self.market:
            return
        self.market = key
        for lot in range(n):
            for k in range(lot):
                if g[OFFER + k] == g[OFFER + lot]:
                    break
            else:
                k = lot
            if k < lot:
                for seat in range(self.players):
                    self.appraised[SEATS * lot + seat] = self.appraised[SEATS * k + seat]
            else:
                self._appraise(g[OFFER + lot], lot)
        for seat in range(self.players):
            total = 0.0
            for lot in range(n):
                total += self.appraised[SEATS * lot + seat]
            for lot in range(n):
                if n > 1:
                    self.appraised[SEATS * lot + seat] -= (
                        total - self.appraised[SEATS * lot + seat]
                    ) / (n - 1)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _appraise(self, tile: cython.int, lot: cython.int) -> cython.void:
        """What a tile is worth to each seat if it were laid now, without a bridge."""
        seat: cython.int
        k: cython.int
        x: cython.double
        best: cython.p_double = self.appraised
        at: cython.int = SEATS * lot
        listed: cython.int = 0
        for seat in range(self.players):
            best[at + seat] = -1e9
        listed = self.engine.count_fits(tile)
        for k in range(listed):
            self._effect(self.mv[k], tile)
            for seat in range(self.players):
                x = self._for_seat(seat) + self._best_option(seat)
                if x > best[at + seat]:
                    best[at + seat] = x
        for seat in range(self.players):
            if best[at + seat] < -1e8:
                best[at + seat] = 0.0 if self.lose_turn else self.w[12]

    @cython.cfunc
    @cython.exceptval(check=False)
    def _appeal(self, lot: cython.int, seat: cython.int) -> cython.double:
        """What having a tile means to a seat, if else a rival has it."""
        k: cython.int
        x: cython.double
        total: cython.double = 0.0
        for k in range(self.players):
            x = self.share[SEATS * seat + k]
            total += self.appraised[SEATS * lot + k] * (x if x > 0 else -x)
        return total

    @cython.cfunc
    @cython.exceptval(check=False)
    def _swing(self, seat: cython.int, rival: cython.int) -> cython.double:
        """What it means in points that a seat has the tile being bid for instead of a rival."""
        at: cython.int = SEATS * self.g[LOT]
        return (
            self.appraised[at + seat]
            - self.share[SEATS * seat + rival] * self.appraised[at + rival]
        )

    @cython.cfunc
    @cython.exceptval(check=False)
    def _rate_choices(self, count: cython.int) -> cython.void:
        """An opening bid is only money lost, unless it keeps others from bidding."""
        k: cython.int
        seat: cython.int = self.g[DECIDER]
        for k in range(count):
            self.rates[k] = 0.5 * self._appeal(self.moves[k] >> 20, seat)
            self.rates[k] -= 0.6 * (self.moves[k] & 0xFFFFF)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _rate_bids(self, count: cython.int) -> cython.void:
        """A bid gains what the worse of buying and selling leaves; at the fair price both do."""
        g = self.g
        k: cython.int
        seat: cython.int = g[DECIDER]
        chooser: cython.int = g[CHOOSER]
        swing: cython.double = self._swing(seat, chooser)
        share: cython.double = -self.share[SEATS * seat + chooser]
        own: cython.double
        other: cython.double
        for k in range(count):
            if self.moves[k] == PASS:
                self.rates[k] = 0.0
                if g[HIGH_BIDDER] == chooser:
                    self.rates[k] = share * g[HIGH_BID]
                continue
            own = swing - (1.0 + share) * self.moves[k]
            other = (1.0 + share) * self.moves[k]
            self.rates[k] = min(other, own)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _rate_deals(self, count: cython.int) -> cython.void:
        """Buy below the fair price, sell above it."""
        g = self.g
        k: cython.int
        seat: cython.int = g[DECIDER]
        swing: cython.double = self._swing(seat, g[HIGH_BIDDER])
        factor: cython.double = 1.0 - self.share[SEATS * seat + g[HIGH_BIDDER]]
        for k in range(count):
            if self.moves[k] == BUY:
                self.rates[k] = swing - factor * g[HIGH_BID]
            else:
                self.rates[k] = factor * g[HIGH_BID]

    # ---------------------------------------------------------------- playing and valuing

    @cython.cfunc
    @cython.exceptval(check=False)
    def _choose(self) -> cython.int:
        """The move with the best rate, after some noise."""
        count: cython.int = self.rate()
        k: cython.int
        best: cython.int = 0
        x: cython.double
        top: cython.double = -1e18
        noise: cython.double = self.noise if self.g[PHASE] <= MEEPLE else 0.0
        if count == 1:
            return self.moves[0]
        for k in range(count):
            x = self.rates[k]
            if noise > 0:
                x += noise * self._random()
            if x > top:
                top = x
                best = k
        return self.moves[best]

    @cython.ccall
    @cython.exceptval(check=False)
    def choose(self) -> cython.int:
        """The move with the best rate, after some noise."""
        return self._choose()

    @cython.ccall
    @cython.exceptval(check=False)
    def play_turns(self, turns: cython.int) -> cython.int:
        """Play cheap moves until so many turns have begun and ended, and no round is open.

        Returns how many moves were played, to be taken back.
        """
        g = self.g
        played: cython.int = 0
        phase: cython.int
        while g[PHASE] != OVER:
            phase = g[PHASE]
            if phase == PLACE and not g[IN_ROUND]:
                if turns <= 0:
                    break
                turns -= 1
            self.engine.play(self._choose())
            played += 1
        return played

    @cython.ccall
    @cython.exceptval(check=False)
    def evaluate(self) -> cython.void:
        """Write the expected final score of each seat."""
        g = self.g
        gain = self.gain
        w = self.w
        seat: cython.int
        k: cython.int
        s: cython.int
        n: cython.int
        kind: cython.int
        folk: cython.int
        stride: cython.int = self.stride
        for seat in range(self.players):
            gain[seat] = g[SCORE + seat]
        if g[PHASE] != OVER:
            self._look()
            for s in range(g[LAID] * stride):
                folk = g[self.folk + s]
                if folk == 0 or g[self.root + s] != s:
                    continue
                if folk & CASTLE_FLAG:
                    self._value_castle(s, folk)
                    continue
                kind = self._kind(s)
                folk &= MEEPLES
                if kind == 3:
                    if self.farmers and folk:
                        self._credit(folk, self._field(s))
                elif folk:
                    self._credit(folk, self._worth_here(s))
                    self._return(folk, 1.0 - self.op_lock[0])
            for seat in range(self.players):
                self._value_pieces(seat)
            k = g[ACTIVE]
            if g[PHASE] == PLACE:
                gain[k] += w[12]
            for seat in range(self.players):
                n = g[HAND + seat]
                if g[IN_ROUND] and n >= 0:
                    gain[seat] += w[12]
        for seat in range(self.players):
            self.worth[seat] = gain[seat]

    @cython.cfunc
    @cython.exceptval(check=False)
    def _value_castle(self, r: cython.int, folk: cython.int) -> cython.void:
        """A castle waits for something to be completed beside it."""
        seat: cython.int
        for seat in range(self.players):
            if folk >> 4 * seat & 15:
                self.gain[seat] += self._castle_worth(r)
                self.gain[seat] += (1.0 - self.w[15]) * self.back[seat]

    @cython.cfunc
    @cython.exceptval(check=False)
    def _value_pieces(self, seat: cython.int) -> cython.void:
        """Meeples and bridges in the supply."""
        g = self.g
        w = self.w
        k: cython.int
        x: cython.double = (self.now + 0.5) / (self.players * w[11])
        if x > 1.0:
            x = 1.0
        for k in range(1, g[SUPPLY + seat] + 1):
            self.gain[seat] += x * w[10] * w[17 + (min(7, k))]
        x = self.now / (self.players * w[17])
        if x > 1.0:
            x = 1.0
        self.gain[seat] += x * w[16] * g[BRIDGES_LEFT + seat]
