"""The game on one flat block of integers: the same rules as the model, for search and playouts.

Cython's pure Python mode: this file runs as it is, and compiles to C with the types that its
annotations name. It decides nothing that the model does not; every step below has the name of
the model's step (`carcassonne.model.turns`, `bazaar`, `castles`), where the rules are argued.

The block of a game (`g`), one `int` each:

    0 .. HEAD-1      header: phase, decider, turn, counts, bazaar, rows of a number a seat
                     (places: `layout.py`)
    board            a number for each cell:   -1-i   placement i lies there
                                               else   0, or the number f > 0 of an open cell in
                                                      the frontier; from bit 16 on a bit for each
                                                      of the eight places of a cloister nearby
    fcell fsig fmend frontier, for f = 1 .. FRONTIER: its cell; its signature; four bits, one for
                     each side beyond which a tile could take a bridge towards the cell
    var pcell bridge placements i = 0 .. LAID-1: type * 4 + rotation; cell; axes bridged (bits)
    px py            their coordinates
    around           1 + empty cells around a cloister on it; 0 without a cloister
    root next        segments s = i * stride + local: the segment that stands for the feature;
                     the next one in the feature's circle of members
    folk ends        of roots only: meeples, four bits a seat, with flags for castle and barn;
                     open ends << 16 | number of segments
    stand            meeples that stand on this very segment, four bits a seat
    stack aside      types in draw order; those set aside
    castles          CASTLES times: root, owner, part of building, six cells of the vicinity
    finished small   roots completed by this placement; pairs of owner and root that may become
                     castles
    wave next_wave   payouts: root, points, whether a castle paid it; the wave after
    unpaid paid      castles still to be paid in this wave, in order; castles paid
    animals          pigs and barns of a position: segment, seat, 1 for a barn

The board is a torus without an edge. Cell x,y is number (x + across * y) mod cells, a helix:

          x ->   0    1    2   ...                 a walk that comes back to its own number takes
      y   0      0    1    2   ...                 at least capacity + 5 steps, and no two tiles,
      |   1     90   91   92   ...                 open cells or neighbours of a connected table
      v   2    180  181  182   ...  (mod 4096)     lie so far apart: the table can't meet itself

A signature packs the edges that meet an open cell, kinds**side * code for N E S W (base 4, or more
with rivers or abbeys). One look into `fit[type][signature]` says which rotations fit, which a
bridge on the new tile mends, and which one on a neighbour would:

    bits   0..3 as they are | 4..7 bridge on the new tile | 8..23 on the neighbour N, E, S, W

and `fmend`, spread to four bits a side, masks the last. Features: root[s] is always the feature
itself; when two join, the smaller side's root is rewritten and the circles are spliced:

    next:  a1 -> a2 -> a1   b1 -> b2 -> b3 -> b1    ==>    a1 -> b2 -> b3 -> b1 -> a2 -> a1

A move is one `int`, which means something only together with the open decision:

    place    cell << 4 | rotation << 2 | how     how: 0 no bridge, 1 on the new tile, 2 neighbour
    bridge   placement * 2 + axis      meeple  local segment       castle, collect  root
    choose   lot << 20 | bid           bid     points              deal 0 buy, 1 sell
    take     lot                       pass -1, decline -2

The undo log (`log`) holds notes, newest last; taking a move back pops to the last mark. Every
change of an old number is noted (`_put`): the number's place and what stood there, in one `int`
where both are small, else in two. Two things are changed without notes: the numbers of the
turn (phase, decider, tile, ...), all of which a mark keeps in one word, and in the move that lays a
tile the rows of that new placement, which are wiped:

    | word -1 | 17<<12|3+1 | old -2-i | 640<<12|12+1 | 70000 LONG-3 | ... | word -1 | ...
      mark      g[17] was 3  |                         g[3] was 70000       mark of the next move
                             placement i is new, and PLACED was old    newer ->
"""

from __future__ import annotations

try:
    import cython
except ImportError:  # Cython is needed to compile, not to run
    from carcassonne.core import shadow as cython  # type: ignore[no-redef]

from carcassonne.core import notes

if cython.compiled:  # numbers that the C compiler knows
    from cython.cimports.carcassonne.core.layout import *  # noqa: F403 - listed below
else:
    from carcassonne.core.layout import (  # noqa: I001 - not a line for each of ninety names
        ACTIVE, ANIMALS, ASIDE, BARN_FLAG, BID, BIDDER, BIDDERS, BRIDGE, BRIDGES_LEFT, BRIDGE_BUILT,
        BUY, CASTLE, CASTLES, CASTLE_CELLS, CASTLE_FLAG, CASTLE_OWNER, CASTLE_PART, CASTLE_ROOT,
        CASTLE_SIZE, CHOOSE, CHOOSER, CLOSING, COLLECT, DEAL, DECIDER, DECLINE, FINISHED, FROM_HAND,
        FRONTIER, HAND, HANDS_OUT, HIGH_BID, HIGH_BIDDER, IN_ROUND, LAID, LAST_CHOOSER, LEADER,
        LISTED, LONG, LOT, MARK, MARKERS, MARKET_DUE, MAY_BRIDGE, MAY_DECLINE, MEEPLE, MEEPLES,
        NEXT_TILE, NEXT_WAVE, OFFER, ON_OFFER, OPEN_CELL, OPEN_END, OVER, PAID, PART, PASS,
        PAYOUT_CASTLE, PAYOUT_POINTS, PAYOUT_ROOT, PAYOUT_SIZE, PHASE, PLACE, PLACED, PLACER, QUEUE,
        QUEUED, RINGED, RING_SHIFT, SCORE, SEATS, SELL, SHORT_OLD, SHORT_PLACE, SHORT_SHIFT, SMALL,
        STACK_SIZE, STOPPED, SUPPLY, TAKE, TILE, UNPAID, WAVE,
    )  # fmt: skip

__all__ = ["COMPILED", "Dice", "Engine", "Shared"]

COMPILED = bool(cython.compiled)


# constants of the generators; without a name they would be Python numbers in C too
ALL_BITS = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
XORSHIFT = cython.declare(cython.ulonglong, 2685821657736338717)
GOLDEN = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
MIX_ONE = cython.declare(cython.ulonglong, 0xBF58476D1CE4E5B9)
MIX_TWO = cython.declare(cython.ulonglong, 0x94D049BB133111EB)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _sown(seed: cython.ulonglong) -> cython.ulonglong:
    """The state of a generator that a seed begins (a step of splitmix64); never 0."""
    x: cython.ulonglong = (seed + GOLDEN) & ALL_BITS
    x = ((x ^ (x >> 30)) * MIX_ONE) & ALL_BITS
    x = ((x ^ (x >> 27)) * MIX_TWO) & ALL_BITS
    x ^= x >> 31
    return x if x else 1


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _stepped(x: cython.ulonglong) -> cython.ulonglong:
    """The next state of a generator (xorshift64*)."""
    x ^= x >> 12
    x ^= (x << 25) & ALL_BITS
    return x ^ (x >> 27)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _below(x: cython.ulonglong, count: cython.int) -> cython.int:
    """What a state says, as a number below `count`."""
    x = ((x * XORSHIFT) & ALL_BITS) >> 32
    return (x * count) >> 32


@cython.no_gc
@cython.final
@cython.cclass
class Dice:
    """A generator of somebody's own: the same numbers in every form and on every engine.

    Parameters
    ----------
    seed
        From 0 to 2**64 - 1.
    """

    x: cython.ulonglong

    def __init__(self, seed: cython.ulonglong) -> None:
        self.x = _sown(seed)

    @cython.ccall
    @cython.exceptval(check=False)
    def below(self, count: cython.int) -> cython.int:
        """A number from 0 to count - 1, each with the same chance."""
        self.x = _stepped(self.x)
        return _below(self.x, count)


@cython.no_gc
@cython.final
@cython.cclass
class Shared:
    """The tables and options of a kind of game, and scratch room for its moves.

    One for all games of a kind; what is in the scratch room lasts only within one call.
    """

    places = cython.declare(dict, visibility="readonly")
    ways: list
    block: object
    moves_block: object
    marks_block: object
    t: cython.p_int
    mv: cython.p_int
    mark: cython.p_int
    fit_rows: cython.p_int
    spread_rows: cython.p_int
    stamp: cython.Py_ssize_t
    size: cython.Py_ssize_t
    players: cython.Py_ssize_t
    stride: cython.Py_ssize_t
    inverse: cython.Py_ssize_t
    segments: cython.Py_ssize_t
    spare: cython.Py_ssize_t
    capacity: cython.Py_ssize_t
    mask: cython.Py_ssize_t
    kinds: cython.Py_ssize_t
    signatures: cython.Py_ssize_t
    # places of the tables
    side_step: cython.Py_ssize_t
    ring_step: cython.Py_ssize_t
    power: cython.Py_ssize_t
    edge: cython.Py_ssize_t
    shows: cython.Py_ssize_t
    axes: cython.Py_ssize_t
    meets: cython.Py_ssize_t
    kind: cython.Py_ssize_t
    fresh: cython.Py_ssize_t
    flags: cython.Py_ssize_t
    touches: cython.Py_ssize_t
    counts: cython.Py_ssize_t
    lines: cython.Py_ssize_t
    cloister: cython.Py_ssize_t
    bazaar: cython.Py_ssize_t
    same: cython.Py_ssize_t
    fit: cython.Py_ssize_t
    spread: cython.Py_ssize_t
    mended: cython.Py_ssize_t
    # places of the parts of a game's block
    board: cython.Py_ssize_t
    fcell: cython.Py_ssize_t
    fsig: cython.Py_ssize_t
    fmend: cython.Py_ssize_t
    var: cython.Py_ssize_t
    pcell: cython.Py_ssize_t
    bridge: cython.Py_ssize_t
    px: cython.Py_ssize_t
    py: cython.Py_ssize_t
    around: cython.Py_ssize_t
    root: cython.Py_ssize_t
    next: cython.Py_ssize_t
    folk: cython.Py_ssize_t
    ends: cython.Py_ssize_t
    stand: cython.Py_ssize_t
    stack: cython.Py_ssize_t
    aside: cython.Py_ssize_t
    castles: cython.Py_ssize_t
    finished: cython.Py_ssize_t
    small: cython.Py_ssize_t
    wave: cython.Py_ssize_t
    next_wave: cython.Py_ssize_t
    unpaid: cython.Py_ssize_t
    paid: cython.Py_ssize_t
    animals: cython.Py_ssize_t
    # options
    tiny_points: cython.Py_ssize_t
    tiny_pennant: cython.Py_ssize_t
    farm_city: cython.Py_ssize_t
    farm_castle: cython.Py_ssize_t
    inns: cython.Py_ssize_t
    bridge_max: cython.Py_ssize_t
    placed_only: cython.Py_ssize_t
    road_contact: cython.Py_ssize_t
    decline_discards: cython.Py_ssize_t
    by_segments: cython.Py_ssize_t
    active_chooser: cython.Py_ssize_t
    single_follower: cython.Py_ssize_t
    same_turn: cython.Py_ssize_t
    best_payout: cython.Py_ssize_t
    bazaar_mode: cython.Py_ssize_t
    skip_short: cython.Py_ssize_t
    allow_negative: cython.Py_ssize_t
    on_set_aside: cython.Py_ssize_t
    farmers: cython.Py_ssize_t
    max_bid: cython.Py_ssize_t
    lose_turn: cython.Py_ssize_t

    def __init__(self, tables, places):
        """Take the tables, and the places of the parts of a game's block."""
        data = tables.data
        self.places = places
        self.block = _room(len(data))
        self.moves_block = _room(16 * tables.capacity + 256)
        segments: cython.Py_ssize_t = tables.capacity * tables.stride
        self.marks_block = _room(max(segments, tables.capacity) + 64)
        if cython.compiled:
            self.t = cython.cast(cython.p_int, cython.cast(cython.p_char, self.block))
            self.mv = cython.cast(cython.p_int, cython.cast(cython.p_char, self.moves_block))
            self.mark = cython.cast(cython.p_int, cython.cast(cython.p_char, self.marks_block))
        else:
            self.t, self.mv, self.mark = self.block, self.moves_block, self.marks_block
        self.stamp = 0
        i: cython.Py_ssize_t
        for i in range(len(data)):
            self.t[i] = data[i]
        self._set_tables(tables)
        if cython.compiled:
            self.fit_rows = self.t + self.fit
            self.spread_rows = self.t + self.spread
        self._set_options(tables.rules)
        self._set_places(places)
        self.ways = [] if cython.compiled else _ways_of(tables)

    def _set_tables(self, tables):
        at = tables.at
        self.players = tables.players
        self.stride, self.segments, self.spare = tables.stride, tables.segments, tables.spare
        self.capacity = tables.capacity * tables.stride
        self.inverse = (1 << 20) // tables.stride + 1
        self.mask = tables.cells - 1
        self.kinds, self.signatures = tables.kinds, tables.signatures
        self.side_step, self.ring_step = at["side_step"], at["ring_step"]
        self.power, self.edge, self.meets = at["power"], at["edge"], at["meets"]
        self.shows, self.axes = at["shows"], at["axes"]
        self.kind, self.fresh, self.flags = at["kind"], at["fresh"], at["flags"]
        self.touches, self.counts, self.lines = at["touches"], at["segments"], at["lines"]
        self.cloister, self.bazaar = at["cloister"], at["bazaar"]
        self.same, self.fit, self.spread = at["same"], at["fit"], at["spread"]
        self.mended = at["mended"]

    def _set_options(self, rules):
        self.tiny_points = rules.tiny_city_points
        self.tiny_pennant = rules.tiny_city_pennant_points
        self.farm_city, self.farm_castle = rules.farm_points_per_city, rules.castle_farm_points
        self.inns = rules.inns_enabled
        self.bridge_max = rules.bridge_max_per_tile
        self.placed_only = rules.bridge_adjacent_mode == "placed_only"
        self.road_contact = rules.bridge_requires_road_contact
        self.decline_discards = rules.bridge_decline_discards
        self.by_segments = rules.road_count_mode == "segments"
        self.active_chooser = rules.castle_chooser == "active_player_only"
        self.single_follower = rules.castle_follower_rule == "single_follower"
        self.same_turn = rules.castle_same_turn
        self.best_payout = rules.castle_multi_choice == "max"
        self.bazaar_mode = ("off", "auction", "draft").index(rules.bazaar_mode)
        self.skip_short = rules.bazaar_skip_if_short
        self.allow_negative = rules.bazaar_allow_negative
        self.on_set_aside = rules.bazaar_on_set_aside
        self.farmers = rules.farmers
        self.max_bid = -1 if rules.bazaar_max_bid is None else rules.bazaar_max_bid
        self.lose_turn = rules.bazaar_unplaceable == "lose_turn"

    def _set_places(self, places):
        self.board = places["board"]
        self.fcell, self.fsig, self.fmend = places["fcell"], places["fsig"], places["fmend"]
        self.var, self.pcell, self.bridge = places["var"], places["pcell"], places["bridge"]
        self.px, self.py, self.around = places["px"], places["py"], places["around"]
        self.root, self.next, self.folk = places["root"], places["next"], places["folk"]
        self.ends, self.stand = places["ends"], places["stand"]
        self.stack, self.aside = places["stack"], places["aside"]
        self.castles, self.finished = places["castles"], places["finished"]
        self.small, self.wave = places["small"], places["wave"]
        self.next_wave, self.unpaid = places["next_wave"], places["unpaid"]
        self.paid, self.animals = places["paid"], places["animals"]
        self.size = places["size"]


def _ways_of(tables):
    """For each type and signature the rotations that fit, as they stand in moves."""
    masks = [[r << 2 for r in range(4) if mask >> r & 1] for mask in range(16)]
    data, size = tables.data, tables.signatures
    return [
        [masks[fit & 15] for fit in data[row : row + size]]
        for row in range(tables.at["fit"], len(data), size)
    ]


def _room(count):
    """Room for some ints, all zero: bytes for C, a list without it."""
    return bytearray(4 * count + 16) if cython.compiled else [0] * (count + 4)


@cython.no_gc
@cython.final
@cython.cclass
class Engine:
    """One game: its block of numbers, and the log that takes moves back."""

    shared = cython.declare(Shared, visibility="readonly")
    t: cython.p_int
    mv: cython.p_int
    mark: cython.p_int
    fit_rows: cython.p_int
    spread_rows: cython.p_int
    size: cython.Py_ssize_t
    players: cython.Py_ssize_t
    stride: cython.Py_ssize_t
    inverse: cython.Py_ssize_t
    segments: cython.Py_ssize_t
    spare: cython.Py_ssize_t
    capacity: cython.Py_ssize_t
    mask: cython.Py_ssize_t
    kinds: cython.Py_ssize_t
    signatures: cython.Py_ssize_t
    side_step: cython.Py_ssize_t
    ring_step: cython.Py_ssize_t
    power: cython.Py_ssize_t
    edge: cython.Py_ssize_t
    shows: cython.Py_ssize_t
    axes: cython.Py_ssize_t
    meets: cython.Py_ssize_t
    kind: cython.Py_ssize_t
    fresh: cython.Py_ssize_t
    flags: cython.Py_ssize_t
    touches: cython.Py_ssize_t
    counts: cython.Py_ssize_t
    lines: cython.Py_ssize_t
    cloister: cython.Py_ssize_t
    bazaar: cython.Py_ssize_t
    same: cython.Py_ssize_t
    fit: cython.Py_ssize_t
    spread: cython.Py_ssize_t
    mended: cython.Py_ssize_t
    board: cython.Py_ssize_t
    fcell: cython.Py_ssize_t
    fsig: cython.Py_ssize_t
    fmend: cython.Py_ssize_t
    var: cython.Py_ssize_t
    pcell: cython.Py_ssize_t
    bridge: cython.Py_ssize_t
    px: cython.Py_ssize_t
    py: cython.Py_ssize_t
    around: cython.Py_ssize_t
    root: cython.Py_ssize_t
    next: cython.Py_ssize_t
    folk: cython.Py_ssize_t
    ends: cython.Py_ssize_t
    stand: cython.Py_ssize_t
    stack: cython.Py_ssize_t
    aside: cython.Py_ssize_t
    castles: cython.Py_ssize_t
    finished: cython.Py_ssize_t
    small: cython.Py_ssize_t
    wave: cython.Py_ssize_t
    next_wave: cython.Py_ssize_t
    unpaid: cython.Py_ssize_t
    paid: cython.Py_ssize_t
    animals: cython.Py_ssize_t
    tiny_points: cython.Py_ssize_t
    tiny_pennant: cython.Py_ssize_t
    farm_city: cython.Py_ssize_t
    farm_castle: cython.Py_ssize_t
    inns: cython.Py_ssize_t
    bridge_max: cython.Py_ssize_t
    placed_only: cython.Py_ssize_t
    road_contact: cython.Py_ssize_t
    decline_discards: cython.Py_ssize_t
    by_segments: cython.Py_ssize_t
    active_chooser: cython.Py_ssize_t
    single_follower: cython.Py_ssize_t
    same_turn: cython.Py_ssize_t
    best_payout: cython.Py_ssize_t
    bazaar_mode: cython.Py_ssize_t
    skip_short: cython.Py_ssize_t
    allow_negative: cython.Py_ssize_t
    on_set_aside: cython.Py_ssize_t
    farmers: cython.Py_ssize_t
    max_bid: cython.Py_ssize_t
    lose_turn: cython.Py_ssize_t
    block: object
    log_block: object
    g: cython.p_int
    log: cython.p_int
    nlog: cython.Py_ssize_t
    room: cython.Py_ssize_t
    silent: cython.Py_ssize_t
    told: object
    ahead: cython.Py_ssize_t
    seed: cython.ulonglong

    def __init__(self, shared: Shared):
        """An empty table; `start` or `set_number` and `lay` fill it."""
        self._follow(shared)
        self._own(_room(shared.size))
        self._drop_log()

    @cython.cfunc
    @cython.exceptval(check=False)
    def _own(self, block: object) -> cython.void:
        self.block = block
        self.told = None
        if cython.compiled:
            self.g = cython.cast(cython.p_int, cython.cast(cython.p_char, block))
        else:
            self.g = block

    @cython.cfunc
    @cython.exceptval(check=False)
    def _drop_log(self) -> cython.void:
        self.log_block = None
        self.nlog = self.room = self.silent = self.ahead = 0
        if not cython.compiled:
            self.log = []

    @cython.cfunc
    @cython.exceptval(check=False)
    def _follow(self, shared: Shared) -> cython.void:
        """Note the places and options of the kind of game: at hand, they need no counting."""
        self.shared = shared
        self.t, self.mv, self.mark = shared.t, shared.mv, shared.mark
        self.size = shared.size
        if cython.compiled:
            self.fit_rows, self.spread_rows = shared.fit_rows, shared.spread_rows
        self.players = shared.players
        self.stride = shared.stride
        self.inverse = shared.inverse
        self.segments = shared.segments
        self.spare = shared.spare
        self.capacity = shared.capacity
        self.mask = shared.mask
        self.kinds = shared.kinds
        self.signatures = shared.signatures
        self.side_step = shared.side_step
        self.ring_step = shared.ring_step
        self.power = shared.power
        self.edge = shared.edge
        self.shows = shared.shows
        self.axes = shared.axes
        self.meets = shared.meets
        self.kind = shared.kind
        self.fresh = shared.fresh
        self.flags = shared.flags
        self.touches = shared.touches
        self.counts = shared.counts
        self.lines = shared.lines
        self.cloister = shared.cloister
        self.bazaar = shared.bazaar
        self.same = shared.same
        self.fit = shared.fit
        self.spread = shared.spread
        self.mended = shared.mended
        self.board = shared.board
        self.fcell = shared.fcell
        self.fsig = shared.fsig
        self.fmend = shared.fmend
        self.var = shared.var
        self.pcell = shared.pcell
        self.bridge = shared.bridge
        self.px = shared.px
        self.py = shared.py
        self.around = shared.around
        self.root = shared.root
        self.next = shared.next
        self.folk = shared.folk
        self.ends = shared.ends
        self.stand = shared.stand
        self.stack = shared.stack
        self.aside = shared.aside
        self.castles = shared.castles
        self.finished = shared.finished
        self.small = shared.small
        self.wave = shared.wave
        self.next_wave = shared.next_wave
        self.unpaid = shared.unpaid
        self.paid = shared.paid
        self.animals = shared.animals
        self.tiny_points = shared.tiny_points
        self.tiny_pennant = shared.tiny_pennant
        self.farm_city = shared.farm_city
        self.farm_castle = shared.farm_castle
        self.inns = shared.inns
        self.bridge_max = shared.bridge_max
        self.placed_only = shared.placed_only
        self.road_contact = shared.road_contact
        self.decline_discards = shared.decline_discards
        self.by_segments = shared.by_segments
        self.active_chooser = shared.active_chooser
        self.single_follower = shared.single_follower
        self.same_turn = shared.same_turn
        self.best_payout = shared.best_payout
        self.bazaar_mode = shared.bazaar_mode
        self.skip_short = shared.skip_short
        self.allow_negative = shared.allow_negative
        self.on_set_aside = shared.on_set_aside
        self.farmers = shared.farmers
        self.max_bid = shared.max_bid
        self.lose_turn = shared.lose_turn

    def copy(self):
        """An equal game that shares nothing that changes; its log begins here."""
        twin: Engine = Engine.__new__(Engine)
        twin._follow(self.shared)
        twin._own(self.block[:])
        twin._drop_log()
        return twin

    # ---------------------------------------------------------------- numbers

    def number(self, place: cython.int):
        """One number of the block."""
        return self.g[place]

    def set_number(self, place: cython.int, value: cython.int):
        """Change one number, without a note in the log: to set up positions."""
        self.g[place] = value

    def snapshot(self):
        """The whole block as one value, to compare games."""
        return bytes(self.block) if cython.compiled else tuple(self.block)

    def rooms(self):
        """The block, the room of listed moves and the tables themselves, for the search."""
        return self.block, self.shared.moves_block, self.shared.block

    def memory(self):
        """Bytes that this game takes: its block, and its log as it is now."""
        return 4 * (self.size + self.room)

    def forget(self):
        """Drop the log: moves made so far can no longer be taken back."""
        self._drop_log()

    def start_notes(self):
        """Note from here on what happens (see `notes.py`); returns the list that grows.

        Taking moves back takes back no notes; copies note nothing.
        """
        self.told = []
        return self.told

    @property
    def history(self):
        """How many numbers the log holds."""
        return self.nlog

    # ---------------------------------------------------------------- the log

    @cython.cfunc
    @cython.exceptval(check=False)
    def _grow(self) -> cython.void:
        room: cython.Py_ssize_t = self.room + max(512, self.room // 8)
        block: object = _room(room)
        if cython.compiled:
            new: cython.p_int = cython.cast(cython.p_int, cython.cast(cython.p_char, block))
        else:
            new = block
        i: cython.Py_ssize_t
        for i in range(self.nlog):
            new[i] = self.log[i]
        self.log_block = block
        self.log = new
        self.room = room

    @cython.cfunc
    @cython.exceptval(check=False)
    def _note(self, place: cython.Py_ssize_t, old: cython.Py_ssize_t) -> cython.void:
        """Note what stood in a place: one number of the log where both are small, else two."""
        if self.silent:
            return
        k: cython.Py_ssize_t = self.nlog
        if k + 2 > self.room:
            self._grow()
        if 0 <= place < SHORT_PLACE and -1 <= old < SHORT_OLD:
            self.log[k] = place << SHORT_SHIFT | (old + 1)
            self.nlog = k + 1
        else:
            self.log[k] = old
            self.log[k + 1] = LONG - place if place >= 0 else place
            self.nlog = k + 2

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _put(self, place: cython.Py_ssize_t, value: cython.Py_ssize_t) -> cython.void:
        g = self.g
        if not self.silent and g[place] != value:
            self._note(place, g[place])
        g[place] = value

    @cython.ccall
    @cython.exceptval(check=False)
    def undo(self) -> cython.bint:
        """Take the last move back, exactly; False if the log is empty."""
        if self.nlog == 0:
            return False
        g = self.g
        log = self.log
        k: cython.Py_ssize_t = self.nlog
        word: cython.Py_ssize_t
        while True:
            k -= 1
            word = log[k]
            if word >= 0:
                g[word >> SHORT_SHIFT] = (word & SHORT_OLD) - 1
                continue
            k -= 1
            if word == MARK:
                break
            if word <= LONG:
                g[LONG - word] = log[k]
            else:
                self._lift(-2 - word)
                g[PLACED] = log[k]
        self._turn_back(log[k])
        self.nlog = k
        return True

    @cython.cfunc
    @cython.exceptval(check=False)
    def _turn(self) -> cython.Py_ssize_t:
        """The numbers of the turn, packed into the one that a mark keeps."""
        g = self.g
        return (
            g[PHASE]
            | (g[DECIDER] + 1) << 4
            | g[ACTIVE] << 7
            | (g[PLACER] + 1) << 10
            | g[FROM_HAND] << 13
            | g[MAY_DECLINE] << 14
            | g[BRIDGE_BUILT] << 15
            | g[MARKET_DUE] << 16
            | (g[TILE] + 1) << 17
        )

    @cython.cfunc
    @cython.exceptval(check=False)
    def _turn_back(self, word: cython.Py_ssize_t) -> cython.void:
        """Restore the numbers of the turn."""
        g = self.g
        g[PHASE] = word & 15
        g[DECIDER] = (word >> 4 & 7) - 1
        g[ACTIVE] = word >> 7 & 7
        g[PLACER] = (word >> 10 & 7) - 1
        g[FROM_HAND] = word >> 13 & 1
        g[MAY_DECLINE] = word >> 14 & 1
        g[BRIDGE_BUILT] = word >> 15 & 1
        g[MARKET_DUE] = word >> 16 & 1
        g[TILE] = (word >> 17) - 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def _lift(self, i: cython.Py_ssize_t) -> cython.void:
        """Take up a placement that was new: all its rows are zero again."""
        g = self.g
        s: cython.Py_ssize_t
        g[LAID] = i
        for s in range(i * self.stride, (i + 1) * self.stride):
            g[self.root + s] = g[self.next + s] = g[self.folk + s] = g[self.ends + s] = g[
                self.stand + s
            ] = 0
        g[self.var + i] = g[self.pcell + i] = g[self.bridge + i] = 0
        g[self.px + i] = g[self.py + i] = g[self.around + i] = 0

    # ---------------------------------------------------------------- listings

    def moves(self):
        """Every distinct possibility of the open decision once, as numbers."""
        count: cython.Py_ssize_t = self._list()
        mv = self.mv
        i: cython.Py_ssize_t
        return [mv[i] for i in range(count)]

    @cython.ccall
    @cython.exceptval(check=False)
    def count_moves(self) -> cython.int:
        """How many moves `moves` would list."""
        return self._list()

    @cython.cfunc
    @cython.exceptval(check=False)
    def _list(self) -> cython.int:
        phase: cython.Py_ssize_t = self.g[PHASE]
        if phase == PLACE:
            return self._list_place()
        if phase == MEEPLE:
            return self._list_meeple()
        if phase == BRIDGE:
            return self._list_bridge()
        if phase == CASTLE:
            return self._list_castle()
        if phase == COLLECT:
            return self._list_collect()
        if phase == CHOOSE:
            return self._list_choose()
        if phase == BID:
            return self._list_bid()
        if phase == DEAL:
            return self._list_deal()
        if phase == TAKE:
            return self._list_take()
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def _list_place(self) -> cython.Py_ssize_t:
        g = self.g
        k: cython.Py_ssize_t = self.ahead
        self.ahead = 0
        if k == 0:
            k = self._fits(g[TILE], g[BRIDGES_LEFT + g[ACTIVE]] > 0)
        if g[MAY_DECLINE]:
            self.mv[k] = DECLINE
            k += 1
        return k

    def fits(self, tile: cython.Py_ssize_t, with_bridge: cython.bint):
        """The distinct ways to lay a type of tile now, drawn or not, as numbers of moves."""
        count: cython.Py_ssize_t = self._fits(tile, with_bridge)
        mv = self.mv
        i: cython.Py_ssize_t
        return [mv[i] for i in range(count)]

    @cython.ccall
    @cython.exceptval(check=False)
    def count_fits(self, tile: cython.int) -> cython.int:
        """How many ways to lay a type of tile without a bridge are now in the room of moves."""
        return self._fits(tile, False)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _fits(self, tile: cython.Py_ssize_t, bridges: cython.bint) -> cython.Py_ssize_t:
        """Write the fitting moves of a type (R-BASE-5, R-BRIDGE-8); returns how many."""
        if cython.compiled:
            return self._fits_bridges(tile) if bridges else self._fits_plain(tile)
        elif bridges:
            g = self.g
            t = self.t
            ways = self.shared.ways[tile]
            row = self.fit + tile * self.signatures
            k = 0
            for f in range(1, g[FRONTIER] + 1):
                signature = g[self.fsig + f]
                for rotation in ways[signature]:
                    self.mv[k] = (g[self.fcell + f] << 4) + rotation
                    k += 1
                m = t[row + signature]
                if m > 15 and m & t[self.mended + g[self.fmend + f]]:
                    k = self._fits_bridged(f, m, k)
            return k
        else:
            g = self.g
            last = g[FRONTIER]
            cells = g[self.fcell + 1 : self.fcell + 1 + last]
            signatures = g[self.fsig + 1 : self.fsig + 1 + last]
            ways = self.shared.ways[tile]
            found = [
                (cell << 4) + rotation
                for cell, signature in zip(cells, signatures, strict=True)
                for rotation in ways[signature]
            ]
            k = len(found)
            self.mv[:k] = found
            return k

    @cython.cfunc
    @cython.exceptval(check=False)
    def _fits_plain(self, tile: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """As `_fits` without bridges, in C, where nothing should have to be guessed ahead.

        Four numbers are always written, and the next cell overwrites those that did not fit.
        """
        if cython.compiled:
            row: cython.p_int = self.fit_rows + tile * self.signatures
            signatures: cython.p_int = self.g + self.fsig
            cells: cython.p_int = self.g + self.fcell
            spread: cython.p_int = self.spread_rows
            out: cython.p_int = self.mv
            four: cython.p_int
            f: cython.Py_ssize_t
            base: cython.int
            a: cython.int
            b: cython.int
            c: cython.int
            d: cython.int
            for f in range(1, self.g[FRONTIER] + 1):
                four = spread + 8 * (row[signatures[f]] & 15)
                base = cells[f] << 4
                a = base + four[0]
                b = base + four[1]
                c = base + four[2]
                d = base + four[3]
                out[0] = a
                out[1] = b
                out[2] = c
                out[3] = d
                out += four[4]
            return out - self.mv

    @cython.cfunc
    @cython.exceptval(check=False)
    def _fits_bridges(self, tile: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """As `_fits_plain`, and what bridges mend."""
        if cython.compiled:
            row: cython.p_int = self.fit_rows + tile * self.signatures
            signatures: cython.p_int = self.g + self.fsig
            cells: cython.p_int = self.g + self.fcell
            mends: cython.p_int = self.g + self.fmend
            spread: cython.p_int = self.spread_rows
            mended: cython.p_int = self.t + self.mended
            out: cython.p_int = self.mv
            four: cython.p_int
            f: cython.Py_ssize_t
            m: cython.int
            base: cython.int
            a: cython.int
            b: cython.int
            c: cython.int
            d: cython.int
            for f in range(1, self.g[FRONTIER] + 1):
                m = row[signatures[f]]
                four = spread + 8 * (m & 15)
                base = cells[f] << 4
                a = base + four[0]
                b = base + four[1]
                c = base + four[2]
                d = base + four[3]
                out[0] = a
                out[1] = b
                out[2] = c
                out[3] = d
                out += four[4]
                if m & mended[mends[f]]:
                    out = self.mv + self._fits_bridged(f, m, out - self.mv)
            return out - self.mv

    @cython.cfunc
    @cython.exceptval(check=False)
    def _fits_bridged(
        self, f: cython.Py_ssize_t, m: cython.Py_ssize_t, k: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        g = self.g
        mv = self.mv
        base: cython.Py_ssize_t = g[self.fcell + f] << 4
        own: cython.Py_ssize_t = (m >> 4) & 15
        beside: cython.Py_ssize_t = m & self.t[self.mended + g[self.fmend + f]]
        r: cython.Py_ssize_t
        beside = (beside >> 8 | beside >> 12 | beside >> 16 | beside >> 20) & 15
        if own | beside:
            for r in range(4):
                if own >> r & 1:
                    mv[k] = base | r << 2 | 1
                    k += 1
                if beside >> r & 1:
                    mv[k] = base | r << 2 | 2
                    k += 1
        return k

    @cython.cfunc
    @cython.exceptval(check=False)
    def _ways(self, tile: cython.Py_ssize_t, bridges: cython.bint) -> cython.Py_ssize_t:
        """0 if a tile fits nowhere, 1 only with a bridge, 2 without one (R-BASE-6)."""
        g = self.g
        t = self.t
        row: cython.Py_ssize_t = self.fit + tile * self.signatures
        fsig: cython.Py_ssize_t = self.fsig
        f: cython.Py_ssize_t
        m: cython.Py_ssize_t
        for f in range(1, g[FRONTIER] + 1):
            if t[row + g[fsig + f]] & 15:
                return 2
        if bridges:
            for f in range(1, g[FRONTIER] + 1):
                m = t[row + g[self.fsig + f]]
                if m >> 4 and self._fits_bridged(f, m, 0):
                    return 1
        return 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def _list_ahead(self, tile: cython.Py_ssize_t, bridges: cython.bint) -> cython.Py_ssize_t:
        """As `_ways`, and keep the listing for the decision that comes next, in playouts only."""
        mv = self.mv
        k: cython.Py_ssize_t = self._fits(tile, bridges)
        j: cython.Py_ssize_t
        self.ahead = k
        for j in range(k):
            if not mv[j] & 3:
                return 2
        return 1 if k else 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def _list_bridge(self) -> cython.Py_ssize_t:
        k: cython.Py_ssize_t = self._free_bridges()
        self.mv[k] = PASS
        return k + 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def _free_bridges(self) -> cython.Py_ssize_t:
        """Write where the active player may build after placing (R-BRIDGE-22)."""
        g = self.g
        if g[BRIDGE_BUILT] or g[BRIDGES_LEFT + g[ACTIVE]] == 0 or self.road_contact:
            return 0
        k: cython.Py_ssize_t = self._free_axes(g[PLACED], 0)
        cell: cython.Py_ssize_t = g[self.pcell + g[PLACED]]
        side: cython.Py_ssize_t
        w: cython.Py_ssize_t
        if not self.placed_only:
            for side in range(4):
                w = g[self.board + ((cell + self.t[self.side_step + side]) & self.mask)]
                if w < 0:
                    k = self._free_axes(-1 - w, k)
        return k

    @cython.cfunc
    @cython.exceptval(check=False)
    def _free_axes(self, i: cython.Py_ssize_t, k: cython.Py_ssize_t) -> cython.Py_ssize_t:
        g = self.g
        t = self.t
        cell: cython.Py_ssize_t = g[self.pcell + i]
        axis: cython.Py_ssize_t
        for axis in range(2):
            if (
                self._can_take(i, axis)
                and g[self.board + ((cell + t[self.side_step + axis]) & self.mask)] >= 0
                and g[self.board + ((cell + t[self.side_step + axis + 2]) & self.mask)] >= 0
            ):
                self.mv[k] = 2 * i + axis
                k += 1
        return k

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _can_take(self, i: cython.Py_ssize_t, axis: cython.Py_ssize_t) -> cython.bint:
        """Whether a tile itself can take a bridge (R-BRIDGE-5, R-BRIDGE-18)."""
        b: cython.Py_ssize_t = self.g[self.bridge + i]
        return self.t[self.axes + self.g[self.var + i]] >> axis & 1 and (
            b == 0 or (self.bridge_max > 1 and b != 3 and not b >> axis & 1)
        )

    @cython.cfunc
    @cython.exceptval(check=False)
    def _list_meeple(self) -> cython.Py_ssize_t:
        k: cython.Py_ssize_t = self._free_segments(0)
        self.mv[k] = PASS
        return k + 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def _free_segments(self, g_only: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Write the free segments of the tile just placed (R-BASE-8); with `g_only` stop at one."""
        g = self.g
        t = self.t
        mv = self.mv
        i: cython.Py_ssize_t = g[PLACED]
        v: cython.Py_ssize_t = g[self.var + i]
        first: cython.Py_ssize_t = i * self.stride
        kinds: cython.Py_ssize_t = self.kind + v * self.stride
        k: cython.Py_ssize_t = 0
        n: cython.Py_ssize_t = t[self.counts + (v >> 2)]
        most: cython.Py_ssize_t = 4 if self.farmers else 3
        local: cython.Py_ssize_t
        kind: cython.Py_ssize_t
        for local in range(n):
            if g[self.folk + g[self.root + first + local]] == 0:
                kind = t[kinds + local]
                if kind < most and (kind != 3 or self.farmers):
                    mv[k] = local
                    k += 1
                    if g_only:
                        return k
        if g[self.bridge + i]:
            for local in range(self.segments, self.segments + 2):
                if g[self.bridge + i] >> (local - self.segments) & 1 and (
                    g[self.folk + g[self.root + first + local]] == 0
                ):
                    mv[k] = local
                    k += 1
        return k

    @cython.cfunc
    @cython.exceptval(check=False)
    def _list_castle(self) -> cython.Py_ssize_t:
        g = self.g
        k: cython.Py_ssize_t = 0
        j: cython.Py_ssize_t
        for j in range(g[SMALL]):
            if g[self.small + 2 * j] == g[DECIDER]:
                self.mv[k] = g[self.small + 2 * j + 1]
                k += 1
        self.mv[k] = PASS
        return k + 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def _list_collect(self) -> cython.Py_ssize_t:
        g = self.g
        k: cython.Py_ssize_t = 0
        j: cython.Py_ssize_t
        for j in range(g[WAVE]):
            if self._reaches(g[self.unpaid], g[self.wave + PAYOUT_SIZE * j]):
                self.mv[k] = g[self.wave + PAYOUT_SIZE * j]
                k += 1
        return k

    @cython.cfunc
    @cython.exceptval(check=False)
    def _top_bid(self, seat: cython.Py_ssize_t, opening: cython.bint) -> cython.Py_ssize_t:
        """The most that a seat may bid, or a large number for no limit (R-BAZAAR-18)."""
        g = self.g
        top: cython.Py_ssize_t = 1000000000
        if self.max_bid >= 0:
            top = self.max_bid
        if not self.allow_negative:
            top = min(top, g[SCORE + seat])
        if opening and top < 0:
            top = 0
        return top

    def top_bid(self, seat: cython.Py_ssize_t, opening: cython.bint):
        """The most that a seat may bid now; a billion if there is no limit (R-BAZAAR-18)."""
        return self._top_bid(seat, opening)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _last_listed(self, seat: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """The highest bid that a listing shows to a seat."""
        current: cython.Py_ssize_t = self.g[HIGH_BID]
        most: cython.Py_ssize_t = max(LISTED, current + 10)
        return min(most, self._top_bid(seat, current < 0))

    @cython.cfunc
    @cython.exceptval(check=False)
    def _list_choose(self) -> cython.Py_ssize_t:
        g = self.g
        mv = self.mv
        k: cython.Py_ssize_t = 0
        last: cython.Py_ssize_t = self._last_listed(g[DECIDER])
        lot: cython.Py_ssize_t
        bid: cython.Py_ssize_t
        for lot in range(g[ON_OFFER]):
            for bid in range(last + 1):
                mv[k] = lot << 20 | bid
                k += 1
        return k

    @cython.cfunc
    @cython.exceptval(check=False)
    def _list_bid(self) -> cython.Py_ssize_t:
        g = self.g
        mv = self.mv
        k: cython.Py_ssize_t = 0
        bid: cython.Py_ssize_t
        for bid in range(g[HIGH_BID] + 1, self._last_listed(g[DECIDER]) + 1):
            mv[k] = bid
            k += 1
        mv[k] = PASS
        return k + 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def _can_buy(self) -> cython.bint:
        g = self.g
        return self.allow_negative != 0 or g[SCORE + g[CHOOSER]] >= g[HIGH_BID]

    @cython.cfunc
    @cython.exceptval(check=False)
    def _list_deal(self) -> cython.Py_ssize_t:
        mv = self.mv
        k: cython.Py_ssize_t = 0
        if self._can_buy():
            mv[0] = BUY
            k = 1
        mv[k] = SELL
        return k + 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def _list_take(self) -> cython.Py_ssize_t:
        lot: cython.Py_ssize_t
        for lot in range(self.g[ON_OFFER]):
            self.mv[lot] = lot
        return self.g[ON_OFFER]

    # ---------------------------------------------------------------- playing

    @cython.ccall
    @cython.exceptval(check=False)
    def play(self, move: cython.int) -> cython.void:
        """Make a legal move of the open decision and walk on to the next one.

        The move is not checked: a number that `moves` would not list (of equal rotations and
        higher bids any) leaves a broken game.
        """
        if not self.silent:
            self._note(MARK, self._turn())
        self._answer(move)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _answer(self, move: cython.int) -> cython.void:
        phase: cython.Py_ssize_t = self.g[PHASE]
        if phase == PLACE:
            self._answer_place(move)
        elif phase == MEEPLE:
            self._answer_meeple(move)
        elif phase == BRIDGE:
            self._answer_bridge(move)
        elif phase == CASTLE:
            self._answer_castle(move)
        elif phase == COLLECT:
            self._answer_collect(move)
        elif phase == CHOOSE:
            self._answer_choose(move)
        elif phase == BID:
            self._answer_bid(move)
        elif phase == DEAL:
            self._answer_deal(move)
        elif phase == TAKE:
            self._answer_take(move)

    def set_up(
        self,
        stack,
        bridges: cython.Py_ssize_t,
        markers: cython.Py_ssize_t,
        meeples: cython.Py_ssize_t,
    ):
        """Fill the header of an empty table: a stack of types, and everybody's pieces."""
        g = self.g
        k: cython.Py_ssize_t
        for k in range(len(stack)):
            g[self.stack + k] = stack[k]
        g[STACK_SIZE] = len(stack)
        g[TILE] = g[PLACED] = g[PLACER] = -1
        g[CHOOSER] = g[LOT] = g[HIGH_BID] = g[HIGH_BIDDER] = -1
        for k in range(SEATS):
            g[HAND + k] = -1
        for k in range(self.players):
            g[SUPPLY + k] = meeples
            g[BRIDGES_LEFT + k] = bridges
            g[MARKERS + k] = markers
        g[MAY_BRIDGE] = bridges > 0

    @cython.ccall
    @cython.exceptval(check=False)
    def shuffle(self, seed: cython.ulonglong) -> cython.void:
        """Shuffle what nobody has seen of the stack, from where it stands: fast, for playouts."""
        g = self.g
        first: cython.Py_ssize_t = self.stack + g[NEXT_TILE]
        k: cython.Py_ssize_t
        j: cython.Py_ssize_t
        tile: cython.Py_ssize_t
        self._sow(seed)
        for k in range(g[STACK_SIZE] - g[NEXT_TILE] - 1, 0, -1):
            j = self._pick(k + 1)
            tile = g[first + k]
            g[first + k] = g[first + j]
            g[first + j] = tile

    def begin(self):
        """Begin the first turn of a table that is set up; the log begins behind it."""
        self._begin_turn()
        self._drop_log()

    def stop(self):
        """End the game here with the final scoring."""
        self._note(MARK, self._turn())
        self._put(STOPPED, 1)
        self._finish_game()

    @cython.cfunc
    @cython.exceptval(check=False)
    def _ask(self, phase: cython.Py_ssize_t, seat: cython.Py_ssize_t) -> cython.void:
        g = self.g
        g[PHASE] = phase
        g[DECIDER] = seat

    # ---------------------------------------------------------------- taking a tile

    @cython.cfunc
    @cython.exceptval(check=False)
    def _begin_turn(self) -> cython.void:
        """A normal turn, or the end of the game when the stack is empty (R-BASE-20)."""
        g = self.g
        if g[NEXT_TILE] == g[STACK_SIZE]:
            self._finish_game()
            return
        g[TILE] = -1
        g[FROM_HAND] = 0
        self._find_place()

    @cython.cfunc
    @cython.exceptval(check=False)
    def _find_place(self) -> cython.void:
        """Draw until a tile can be placed, setting aside those that can't (R-BASE-6)."""
        g = self.g
        tile: cython.Py_ssize_t
        ways: cython.Py_ssize_t
        while True:
            tile = g[TILE]
            if tile < 0:
                if g[NEXT_TILE] == g[STACK_SIZE]:
                    self._end_turn()
                    return
                tile = g[self.stack + g[NEXT_TILE]]
                self._put(NEXT_TILE, g[NEXT_TILE] + 1)
                g[TILE] = tile
            if self.silent:
                ways = self._list_ahead(tile, g[BRIDGES_LEFT + g[ACTIVE]] > 0)
            else:
                ways = self._ways(tile, g[BRIDGES_LEFT + g[ACTIVE]] > 0)
            if ways:
                g[MAY_DECLINE] = ways == 1 and self.decline_discards
                if self.told is not None:
                    self._tell_turn()
                self._ask(PLACE, g[ACTIVE])
                return
            if self.told is not None:
                self.told.append((notes.ASIDE, g[TILE], g[FROM_HAND]))
            if self.on_set_aside and self.t[self.bazaar + tile] and not g[IN_ROUND]:
                g[MARKET_DUE] = 1
            self._set_aside()
            if g[FROM_HAND] and self.lose_turn:
                self._end_turn()
                return

    @cython.cfunc
    def _tell_turn(self):
        g = self.g
        seat: cython.Py_ssize_t
        supply: cython.Py_ssize_t = 0
        for seat in range(self.players):
            supply |= g[SUPPLY + seat] << 10 * seat
        self.told.append((notes.TURN, g[ACTIVE], g[TILE], g[FROM_HAND], supply))

    @cython.cfunc
    @cython.exceptval(check=False)
    def _set_aside(self) -> cython.void:
        g = self.g
        self._put(self.aside + g[ASIDE], g[TILE])
        self._put(ASIDE, g[ASIDE] + 1)
        g[TILE] = -1

    # ---------------------------------------------------------------- placing

    @cython.cfunc
    @cython.exceptval(check=False)
    def _answer_place(self, move: cython.Py_ssize_t) -> cython.void:
        """Lay the tile with its bridge, or decline it (R-BRIDGE-8, R-BRIDGE-11)."""
        g = self.g
        if move == DECLINE:
            if self.told is not None:
                self.told.append((notes.DECLINED, g[ACTIVE], g[TILE]))
            self._set_aside()
            if g[FROM_HAND] and self.lose_turn:
                self._end_turn()
            else:
                self._find_place()
            return
        tile: cython.Py_ssize_t = g[TILE]
        cell: cython.Py_ssize_t = move >> 4
        variant: cython.Py_ssize_t = 4 * tile + (move >> 2 & 3)
        i: cython.Py_ssize_t = g[LAID]
        side: cython.Py_ssize_t = 0
        if move & 3:
            side = self._clash(cell, variant)
        self._put(PART, g[PART] + 1)
        g[PLACER] = g[ACTIVE]
        g[BRIDGE_BUILT] = 0
        g[TILE] = -1
        if self.t[self.bazaar + tile] and not g[IN_ROUND]:
            g[MARKET_DUE] = 1
        self._lay(cell, variant)
        g[PLACED] = i
        if move & 3:
            if move & 1:
                self._build_bridge(i, side & 1)
            else:
                self._build_bridge(
                    -1 - g[self.board + ((cell + self.t[self.side_step + side]) & self.mask)],
                    side & 1,
                )
        self._offer_bridge()

    @cython.cfunc
    @cython.exceptval(check=False)
    def _edge_of(self, i: cython.Py_ssize_t, side: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """The edge code of a laid tile as it counts now (R-BRIDGE-6)."""
        g = self.g
        if g[self.bridge + i] >> (side & 1) & 1:
            return 2
        return self.t[self.edge + 4 * g[self.var + i] + side]

    @cython.cfunc
    @cython.exceptval(check=False)
    def _clash(self, cell: cython.Py_ssize_t, variant: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """The first side on which a tile laid so would clash with a laid one."""
        g = self.g
        side: cython.Py_ssize_t
        w: cython.Py_ssize_t
        mine: cython.Py_ssize_t
        theirs: cython.Py_ssize_t
        for side in range(4):
            w = g[self.board + ((cell + self.t[self.side_step + side]) & self.mask)]
            if w < 0:
                mine = self.t[self.edge + 4 * variant + side]
                theirs = self._edge_of(-1 - w, side ^ 2)
                if mine not in (theirs, 5) and theirs != 5:
                    return side
        return -1

    def clash(self, cell: cython.Py_ssize_t, variant: cython.Py_ssize_t):
        """The first side on which a tile laid so would clash, or -1."""
        return self._clash(cell, variant)

    def lay(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t, variant: cython.Py_ssize_t):
        """Lay a tile by coordinates without asking whether it fits: to set up positions."""
        g = self.g
        i: cython.Py_ssize_t = g[LAID]
        cell: cython.Py_ssize_t = self._cell(x, y)
        self._lay(cell, variant)
        g[self.px + i] = x
        g[self.py + i] = y

    @cython.cfunc
    @cython.exceptval(check=False)
    def _cell(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t) -> cython.Py_ssize_t:
        return (x + self.t[self.side_step + 2] * y) & self.mask

    def cell(self, x: cython.Py_ssize_t, y: cython.Py_ssize_t):
        """The number of a cell."""
        return self._cell(x, y)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _lay(self, cell: cython.Py_ssize_t, variant: cython.Py_ssize_t) -> cython.void:
        """Lay a tile, join what meets, and tell the cells around what they meet now."""
        g = self.g
        t = self.t
        i: cython.Py_ssize_t = g[LAID]
        first: cython.Py_ssize_t = i * self.stride
        n: cython.Py_ssize_t = t[self.counts + (variant >> 2)]
        new: cython.Py_ssize_t = 0 if self.silent else first
        s: cython.Py_ssize_t
        fresh: cython.Py_ssize_t = self.fresh + variant * self.stride - first
        root: cython.Py_ssize_t = self.root
        nxt: cython.Py_ssize_t = self.next
        ends: cython.Py_ssize_t = self.ends
        board: cython.Py_ssize_t = self.board
        fsig: cython.Py_ssize_t = self.fsig
        shows: cython.Py_ssize_t = self.shows + 4 * variant
        steps: cython.Py_ssize_t = self.side_step
        last: cython.Py_ssize_t = g[FRONTIER]
        side: cython.Py_ssize_t
        nb: cython.Py_ssize_t
        w: cython.Py_ssize_t
        near: cython.Py_ssize_t
        j: cython.Py_ssize_t = 0
        beyond: cython.Py_ssize_t = -1
        self._note(-2 - i, g[PLACED])
        if cython.compiled:
            for s in range(first, first + n):
                g[root + s] = s
                g[nxt + s] = s
                g[ends + s] = t[fresh + s]
        else:
            g[root + first : root + first + n] = range(first, first + n)
            g[nxt + first : nxt + first + n] = range(first, first + n)
            g[ends + first : ends + first + n] = t[fresh + first : fresh + first + n]
        g[self.var + i] = variant
        g[self.pcell + i] = cell
        g[LAID] = i + 1
        w = g[board + cell]
        near = w >> RING_SHIFT
        w &= OPEN_CELL
        if w:
            self._close_cell(w, last)
            last -= 1
        loud: cython.bint = not self.silent
        if loud:
            self._note(board + cell, g[board + cell])
        g[board + cell] = -1 - i
        for side in range(4):
            nb = board + ((cell + t[steps + side]) & self.mask)
            w = g[nb]
            if w < 0:
                j = -1 - w
                beyond = side
                self._join_side(i, variant, j, side, new)
            else:
                w &= OPEN_CELL
                if w == 0:
                    last += 1
                    w = last
                    if loud:
                        self._note(nb, g[nb])
                        self._note(self.fcell + w, g[self.fcell + w])
                    g[nb] |= w
                    g[self.fcell + w] = nb - board
                w += fsig
                if loud:
                    self._note(w, g[w])
                g[w] += t[shows + side]
        self._put(FRONTIER, last)
        if beyond >= 0:
            g[self.px + i] = g[self.px + j] + (beyond - 2 if beyond & 1 else 0)
            g[self.py + i] = g[self.py + j] + (0 if beyond & 1 else 1 - beyond)
        if g[MAY_BRIDGE]:
            self._tell_bridges(cell, t[self.axes + variant])
        if near:
            self._fill_rings(cell, near)
        if t[self.cloister + (variant >> 2)] >= 0:
            self._begin_ring(i, cell)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _close_cell(self, f: cython.Py_ssize_t, last: cython.Py_ssize_t) -> cython.void:
        """Take an open cell out of the frontier: the last one takes its number."""
        g = self.g
        w: cython.Py_ssize_t
        if f != last:
            w = self.board + g[self.fcell + last]
            self._put(self.fcell + f, g[self.fcell + last])
            self._put(self.fsig + f, g[self.fsig + last])
            self._put(w, g[w] + f - last)
            if g[self.fmend + f] != g[self.fmend + last]:
                self._put(self.fmend + f, g[self.fmend + last])
        self._put(self.fsig + last, 0)
        if g[self.fmend + last]:
            self._put(self.fmend + last, 0)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _tell_bridges(self, cell: cython.Py_ssize_t, axes: cython.Py_ssize_t) -> cython.void:
        """Tell the open cells near a new tile which tiles can take bridges towards them."""
        g = self.g
        board: cython.Py_ssize_t = self.board
        axis: cython.Py_ssize_t
        step: cython.Py_ssize_t
        x: cython.Py_ssize_t
        y: cython.Py_ssize_t
        for axis in range(2):
            step = self.t[self.side_step + axis]
            x = g[board + ((cell + step) & self.mask)]
            y = g[board + ((cell - step) & self.mask)]
            if x < 0:
                self._untell(cell + 2 * step, axis ^ 2)
            if y < 0:
                self._untell(cell - 2 * step, axis)
            if axes >> axis & 1 and x >= 0 and y >= 0:
                x = self.fmend + (x & OPEN_CELL)
                y = self.fmend + (y & OPEN_CELL)
                self._put(x, g[x] | 4 << axis)
                self._put(y, g[y] | 1 << axis)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _untell(self, cell: cython.Py_ssize_t, side: cython.Py_ssize_t) -> cython.void:
        """Nothing beyond a side of this cell can be bridged towards it any more."""
        g = self.g
        f: cython.Py_ssize_t = g[self.board + (cell & self.mask)]
        if f > 0:
            f = self.fmend + (f & OPEN_CELL)
            if g[f] >> side & 1:
                self._put(f, g[f] ^ 1 << side)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _tell_mend(
        self, f: cython.Py_ssize_t, i: cython.Py_ssize_t, side: cython.Py_ssize_t
    ) -> cython.void:
        """Note for the open cell beyond a side whether the tile can be bridged towards it.

        Its far end must be over an empty cell (R-BRIDGE-7).
        """
        g = self.g
        far: cython.Py_ssize_t = (
            g[self.pcell + i] + self.t[self.side_step + (side ^ 2)]
        ) & self.mask
        bit: cython.Py_ssize_t = 1 << (side ^ 2)
        before: cython.Py_ssize_t = g[self.fmend + f]
        after: cython.Py_ssize_t = before & ~bit
        if g[self.board + far] >= 0 and self._can_take(i, side & 1):
            after |= bit
        if before != after:
            self._put(self.fmend + f, after)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _begin_ring(self, i: cython.Py_ssize_t, cell: cython.Py_ssize_t) -> cython.void:
        """Count the tiles around a new cloister, and mark the empty cells there."""
        g = self.g
        left: cython.Py_ssize_t = 9
        k: cython.Py_ssize_t
        nb: cython.Py_ssize_t
        for k in range(8):
            nb = self.board + ((cell + self.t[self.ring_step + k]) & self.mask)
            if g[nb] < 0:
                left -= 1
            else:
                self._put(nb, g[nb] | 1 << (RING_SHIFT + k))
        g[self.around + i] = left

    @cython.cfunc
    @cython.exceptval(check=False)
    def _fill_rings(self, cell: cython.Py_ssize_t, near: cython.Py_ssize_t) -> cython.void:
        """Count a new tile for the cloisters around it."""
        g = self.g
        k: cython.Py_ssize_t = self.ring_step
        w: cython.Py_ssize_t
        while near:
            if near & 1:
                w = self.around - 1 - g[self.board + ((cell - self.t[k]) & self.mask)]
                self._put(w, g[w] - 1)
                if g[w] == 1:
                    self._put(RINGED, g[PART])
            near >>= 1
            k += 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def _join_side(
        self,
        i: cython.Py_ssize_t,
        variant: cython.Py_ssize_t,
        j: cython.Py_ssize_t,
        side: cython.Py_ssize_t,
        new: cython.Py_ssize_t,
    ) -> cython.void:
        """Join the segments of two tiles that meet at a side of the first (R-BASE-9)."""
        g = self.g
        t = self.t
        mine: cython.Py_ssize_t = t[self.meets + 4 * variant + side]
        theirs: cython.Py_ssize_t = t[self.meets + 4 * g[self.var + j] + (side ^ 2)]
        a: cython.Py_ssize_t = i * self.stride - 1
        b: cython.Py_ssize_t = j * self.stride - 1
        if g[self.bridge + j] >> (side & 1) & 1:
            theirs = theirs & ~15 | (self.segments + (side & 1) + 1)
        if mine & 15 and theirs & 15:
            self._join(a + (mine & 15), b + (theirs & 15), new)
        elif (mine | theirs) & CLOSING:
            self._close_side(a, mine)
            self._close_side(b, theirs)
            return
        mine >>= 4
        theirs >>= 4
        if mine & 15 and theirs >> 4 & 15:
            self._join(a + (mine & 15), b + (theirs >> 4 & 15), new)
        if mine >> 4 & 15 and theirs & 15:
            self._join(a + (mine >> 4 & 15), b + (theirs & 15), new)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _close_side(self, first: cython.Py_ssize_t, meets: cython.Py_ssize_t) -> cython.void:
        g = self.g
        r: cython.Py_ssize_t
        meets &= CLOSING - 1
        while meets:
            if meets & 15:
                r = g[self.root + first + (meets & 15)]
                self._put(self.ends + r, g[self.ends + r] - OPEN_END)
            meets >>= 4

    @cython.cfunc
    @cython.exceptval(check=False)
    def _join(
        self, s: cython.Py_ssize_t, u: cython.Py_ssize_t, new: cython.Py_ssize_t
    ) -> cython.void:
        """Join the features of two segments that meet; both lose an open end.

        The rows of segments from `new` on need no notes.
        """
        g = self.g
        root: cython.Py_ssize_t = self.root
        nxt: cython.Py_ssize_t = self.next
        ends: cython.Py_ssize_t = self.ends
        a: cython.Py_ssize_t = g[root + s]
        b: cython.Py_ssize_t = g[root + u]
        x: cython.Py_ssize_t = g[ends + a]
        y: cython.Py_ssize_t
        if a == b:
            if a < new:
                self._note(ends + a, x)
            g[ends + a] = x - 2 * OPEN_END
            return
        y = g[ends + b]
        if (x & (OPEN_END - 1)) > (y & (OPEN_END - 1)):
            s = a
            a = b
            b = s
        if b < new:
            self._note(ends + b, g[ends + b])
            self._note(nxt + b, g[nxt + b])
        g[ends + b] = x + y - 2 * OPEN_END
        x = g[self.folk + a]
        if x:
            y = g[self.folk + b]
            self._put(self.folk + b, (x & MEEPLES) + (y & MEEPLES) + ((x | y) & ~MEEPLES))
        s = a
        while True:
            if s < new:
                self._note(root + s, a)
            g[root + s] = b
            s = g[nxt + s]
            if s == a:
                break
        x = g[nxt + a]
        if a < new:
            self._note(nxt + a, x)
        g[nxt + a] = g[nxt + b]
        g[nxt + b] = x

    # ---------------------------------------------------------------- bridges

    def build_bridge(self, i: cython.Py_ssize_t, axis: cython.Py_ssize_t):
        """Lay a bridge of nobody's: to set up positions."""
        self._lay_bridge(i, axis)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _build_bridge(self, i: cython.Py_ssize_t, axis: cython.Py_ssize_t) -> cython.void:
        """Build one of the active player's bridges (R-BRIDGE-1, R-BRIDGE-2)."""
        g = self.g
        seat: cython.Py_ssize_t = BRIDGES_LEFT + g[ACTIVE]
        k: cython.Py_ssize_t
        left: cython.Py_ssize_t = -1
        self._put(seat, g[seat] - 1)
        g[BRIDGE_BUILT] = 1
        if self.told is not None:
            self.told.append((notes.BRIDGE, g[ACTIVE], int(i == g[PLACED]), int(g[PHASE] == PLACE)))
        self._lay_bridge(i, axis)
        if self.silent:
            for k in range(self.players):
                left += g[BRIDGES_LEFT + k]
            g[MAY_BRIDGE] = left >= 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def _lay_bridge(self, i: cython.Py_ssize_t, axis: cython.Py_ssize_t) -> cython.void:
        """Add the bridge's road, join the roads at its ends, change what the cells there meet."""
        g = self.g
        t = self.t
        s: cython.Py_ssize_t = i * self.stride + self.segments + axis
        cell: cython.Py_ssize_t = g[self.pcell + i]
        side: cython.Py_ssize_t
        w: cython.Py_ssize_t
        theirs: cython.Py_ssize_t
        new: cython.Py_ssize_t = 0 if self.silent else self.capacity
        self._put(self.root + s, s)
        self._put(self.next + s, s)
        self._put(self.ends + s, 2 * OPEN_END + 1)
        self._put(self.folk + s, 0)
        self._put(self.bridge + i, g[self.bridge + i] | 1 << axis)
        for side in range(axis, 4, 2):
            w = g[self.board + ((cell + t[self.side_step + side]) & self.mask)]
            if w >= 0:
                w = self.fsig + (w & OPEN_CELL)
                self._put(w, g[w] + t[self.power + (side ^ 2)])
            else:
                w = -1 - w
                if g[self.bridge + w] >> axis & 1:
                    self._join(s, w * self.stride + self.segments + axis, new)
                else:
                    theirs = t[self.meets + 4 * g[self.var + w] + (side ^ 2)] & 15
                    if theirs:
                        self._join(s, w * self.stride + theirs - 1, new)
        if g[MAY_BRIDGE]:
            for side in range(4):
                w = g[self.board + ((cell + t[self.side_step + side]) & self.mask)]
                if w >= 0:
                    self._tell_mend(w & OPEN_CELL, i, side)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _offer_bridge(self) -> cython.void:
        """An optional bridge comes before the meeple (R-BRIDGE-21)."""
        if self._free_bridges():
            self._ask(BRIDGE, self.g[ACTIVE])
        else:
            self._offer_meeple()

    @cython.cfunc
    @cython.exceptval(check=False)
    def _answer_bridge(self, move: cython.Py_ssize_t) -> cython.void:
        if move >= 0:
            self._build_bridge(move >> 1, move & 1)
        self._offer_meeple()

    # ---------------------------------------------------------------- meeples

    @cython.cfunc
    @cython.exceptval(check=False)
    def _offer_meeple(self) -> cython.void:
        """One meeple on the tile or bridge just placed (R-BASE-8, R-BRIDGE-20)."""
        g = self.g
        if g[SUPPLY + g[ACTIVE]] and self._free_segments(1):
            self._ask(MEEPLE, g[ACTIVE])
        else:
            self._complete_features()

    @cython.cfunc
    @cython.exceptval(check=False)
    def _answer_meeple(self, move: cython.Py_ssize_t) -> cython.void:
        g = self.g
        seat: cython.Py_ssize_t = g[ACTIVE]
        if move >= 0:
            self._put(SUPPLY + seat, g[SUPPLY + seat] - 1)
            self._stand(g[PLACED] * self.stride + move, seat)
            if self.told is not None:
                kind: cython.Py_ssize_t = self._kind(g[PLACED] * self.stride + move)
                self.told.append((notes.PUT, seat, kind))
        self._complete_features()

    @cython.cfunc
    @cython.exceptval(check=False)
    def _stand(self, s: cython.Py_ssize_t, seat: cython.Py_ssize_t) -> cython.void:
        g = self.g
        r: cython.Py_ssize_t = g[self.root + s]
        self._put(self.folk + r, g[self.folk + r] + (1 << 4 * seat))
        self._put(self.stand + s, g[self.stand + s] + (1 << 4 * seat))

    def put_meeple(self, s: cython.Py_ssize_t, seat: cython.Py_ssize_t):
        """Put a meeple on a segment: to set up positions."""
        self._stand(s, seat)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _send_home(self, r: cython.Py_ssize_t) -> cython.void:
        """Return all meeples of a feature to their owners (R-BASE-17)."""
        g = self.g
        folk: cython.Py_ssize_t = g[self.folk + r] & MEEPLES
        if folk == 0:
            return
        self._put(self.folk + r, g[self.folk + r] & ~MEEPLES)
        seat: cython.Py_ssize_t = 0
        while folk:
            if folk & 15:
                self._put(SUPPLY + seat, g[SUPPLY + seat] + (folk & 15))
            folk >>= 4
            seat += 1
        s: cython.Py_ssize_t = r
        while True:
            if g[self.stand + s]:
                self._put(self.stand + s, 0)
            s = g[self.next + s]
            if s == r:
                break

    # ---------------------------------------------------------------- completions

    @cython.cfunc
    @cython.exceptval(check=False)
    def _finish(self, r: cython.Py_ssize_t) -> cython.void:
        """Add a feature to those that this placement completed, once."""
        g = self.g
        j: cython.Py_ssize_t
        for j in range(g[FINISHED]):
            if g[self.finished + j] == r:
                return
        self._put(self.finished + g[FINISHED], r)
        self._put(FINISHED, g[FINISHED] + 1)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _complete_features(self) -> cython.void:
        """Find what this placement completed, and the small cities among it (R-BASE-12 to 15)."""
        g = self.g
        i: cython.Py_ssize_t = g[PLACED]
        first: cython.Py_ssize_t = i * self.stride
        v: cython.Py_ssize_t = g[self.var + i]
        local: cython.Py_ssize_t
        r: cython.Py_ssize_t
        j: cython.Py_ssize_t
        w: cython.Py_ssize_t
        for local in range(self.t[self.lines + (v >> 2)]):
            r = g[self.root + first + local]
            if g[self.ends + r] < OPEN_END:
                self._finish(r)
        if g[self.bridge + i]:
            for local in range(2):
                if g[self.bridge + i] >> local & 1:
                    r = g[self.root + first + self.segments + local]
                    if g[self.ends + r] < OPEN_END:
                        self._finish(r)
        if g[self.around + i] == 1:
            self._finish(first + self.t[self.cloister + (v >> 2)])
        for j in range(8 if g[RINGED] == g[PART] else 0):
            w = g[self.board + ((g[self.pcell + i] + self.t[self.ring_step + j]) & self.mask)]
            if w < 0 and g[self.around - 1 - w] == 1:
                w = -1 - w
                self._finish(w * self.stride + self.t[self.cloister + (g[self.var + w] >> 2)])
        if g[FINISHED] == 0:
            self._end_turn()
            return
        for j in range(g[FINISHED]):
            if self._is_small(g[self.finished + j]):
                self._find_owners()
                self._offer_castle()
                return
        self._score_features()

    @cython.cfunc
    @cython.exceptval(check=False)
    def _is_small(self, r: cython.Py_ssize_t) -> cython.bint:
        """Whether a completed feature is a city of two segments on two tiles (R-CASTLE-2)."""
        g = self.g
        if g[self.ends + r] != 2 or self._kind(r) != 1:
            return False
        return (r * self.inverse >> 20) != (g[self.next + r] * self.inverse >> 20)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _kind(self, s: cython.Py_ssize_t) -> cython.Py_ssize_t:
        i: cython.Py_ssize_t = s * self.inverse >> 20
        return self.t[self.kind + self.g[self.var + i] * self.stride + s - i * self.stride]

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _flags(self, s: cython.Py_ssize_t) -> cython.Py_ssize_t:
        i: cython.Py_ssize_t = s * self.inverse >> 20
        return self.t[self.flags + self.g[self.var + i] * self.stride + s - i * self.stride]

    @cython.cfunc
    @cython.exceptval(check=False)
    def _owner(self, r: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Whose castle a city could become (R-CASTLE-5, R-CASTLE-6), or -1."""
        folk: cython.Py_ssize_t = self.g[self.folk + r] & MEEPLES
        best: cython.Py_ssize_t = 0
        owner: cython.Py_ssize_t = -1
        total: cython.Py_ssize_t = 0
        seat: cython.Py_ssize_t
        n: cython.Py_ssize_t
        for seat in range(self.players):
            n = folk >> 4 * seat & 15
            total += n
            if n > best:
                best = n
                owner = seat
            elif n == best:
                owner = -1
        if self.single_follower and total != 1:
            return -1
        return owner

    @cython.cfunc
    @cython.exceptval(check=False)
    def _find_owners(self) -> cython.void:
        """List the small cities that may become castles, owners clockwise (R-CASTLE-1 to 6)."""
        g = self.g
        k: cython.Py_ssize_t
        j: cython.Py_ssize_t
        seat: cython.Py_ssize_t
        r: cython.Py_ssize_t
        for k in range(self.players):
            seat = (g[ACTIVE] + k) % self.players
            if g[MARKERS + seat] == 0 or (self.active_chooser and seat != g[ACTIVE]):
                continue
            for j in range(g[FINISHED]):
                r = g[self.finished + j]
                if (
                    self._is_small(r)
                    and self._owner(r) == seat
                    and self._flags(r) >> 10 & 1
                    and self._flags(g[self.next + r]) >> 10 & 1
                ):
                    self._put(self.small + 2 * g[SMALL], seat)
                    self._put(self.small + 2 * g[SMALL] + 1, r)
                    self._put(SMALL, g[SMALL] + 1)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _drop_small(self, owner: cython.Py_ssize_t, r: cython.Py_ssize_t) -> cython.void:
        """Strike small cities off the list: an owner's (r < 0), or one."""
        g = self.g
        kept: cython.Py_ssize_t = 0
        j: cython.Py_ssize_t
        for j in range(g[SMALL]):
            if (r < 0 and g[self.small + 2 * j] == owner) or g[self.small + 2 * j + 1] == r:
                continue
            if kept != j:
                self._put(self.small + 2 * kept, g[self.small + 2 * j])
                self._put(self.small + 2 * kept + 1, g[self.small + 2 * j + 1])
            kept += 1
        self._put(SMALL, kept)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _offer_castle(self) -> cython.void:
        """Owners clockwise from the active player decide on their small cities (R-CASTLE-4, 35)."""
        g = self.g
        seat: cython.Py_ssize_t
        while g[SMALL]:
            seat = g[self.small]
            if g[MARKERS + seat]:
                self._ask(CASTLE, seat)
                return
            self._drop_small(seat, -1)
        self._score_features()

    @cython.cfunc
    @cython.exceptval(check=False)
    def _answer_castle(self, move: cython.Py_ssize_t) -> cython.void:
        """Convert one city; a pass leaves the owner's other cities to be scored."""
        g = self.g
        j: cython.Py_ssize_t
        kept: cython.Py_ssize_t = 0
        if move < 0:
            self._drop_small(g[DECIDER], -1)
        else:
            self._build_castle(move)
            self._drop_small(-1, move)
            for j in range(g[FINISHED]):
                if g[self.finished + j] != move:
                    if kept != j:
                        self._put(self.finished + kept, g[self.finished + j])
                    kept += 1
            self._put(FINISHED, kept)
        self._offer_castle()

    @cython.cfunc
    @cython.exceptval(check=False)
    def _build_castle(self, r: cython.Py_ssize_t) -> cython.void:
        """A marker on a small city, one meeple of the owner on the marker (R-CASTLE-8)."""
        g = self.g
        owner: cython.Py_ssize_t = self._owner(r)
        s: cython.Py_ssize_t = r
        if not g[self.stand + s] >> 4 * owner & 15:
            s = g[self.next + s]
        if self.told is not None:
            self.told.append((notes.CASTLE, owner, g[CASTLES], self._worth(r, 1, True)))
        self._send_home(r)
        self._put(SUPPLY + owner, g[SUPPLY + owner] - 1)
        self._put(MARKERS + owner, g[MARKERS + owner] - 1)
        self._stand(s, owner)
        self._add_castle(r, owner, g[PART])

    def add_castle(self, r: cython.Py_ssize_t, owner: cython.Py_ssize_t, part: cython.Py_ssize_t):
        """Put a castle on a small city: to set up positions."""
        self._add_castle(r, owner, part)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _add_castle(
        self, r: cython.Py_ssize_t, owner: cython.Py_ssize_t, part: cython.Py_ssize_t
    ) -> cython.void:
        g = self.g
        c: cython.Py_ssize_t = self.castles + CASTLE_SIZE * g[CASTLES]
        self._put(CASTLES, g[CASTLES] + 1)
        self._put(self.folk + r, g[self.folk + r] | CASTLE_FLAG)
        self._put(c + CASTLE_ROOT, r)
        self._put(c + CASTLE_OWNER, owner)
        self._put(c + CASTLE_PART, part)
        a: cython.Py_ssize_t = g[self.pcell + (r * self.inverse >> 20)]
        b: cython.Py_ssize_t = g[self.pcell + (g[self.next + r] * self.inverse >> 20)]
        gap: cython.Py_ssize_t = (a - b) & self.mask
        across: cython.Py_ssize_t = self.t[self.side_step + 2]
        step: cython.Py_ssize_t = 1 if gap in (across, self.mask + 1 - across) else across
        k: cython.Py_ssize_t
        for k in range(3):
            self._put(c + CASTLE_CELLS + k, (a + (k - 1) * step) & self.mask)
            self._put(c + CASTLE_CELLS + 3 + k, (b + (k - 1) * step) & self.mask)

    # ---------------------------------------------------------------- scoring

    @cython.cfunc
    @cython.exceptval(check=False)
    def _worth(self, r: cython.int, kind: cython.int, completed: cython.bint) -> cython.int:
        """What a road, city or cloister pays, completed or not (R-BASE-13, 14, 15, 21, 26)."""
        g = self.g
        if kind == 2:
            return 9 if completed else 10 - g[self.around + (r * self.inverse >> 20)]
        if kind > 2:
            return 0
        tiles: cython.Py_ssize_t = 0
        flags: cython.Py_ssize_t = 0
        pennants: cython.Py_ssize_t = 0
        count: cython.Py_ssize_t = g[self.ends + r] & (OPEN_END - 1)
        s: cython.Py_ssize_t = r
        i: cython.Py_ssize_t
        f: cython.Py_ssize_t
        self.shared.stamp += 1
        stamp: cython.Py_ssize_t = self.shared.stamp
        while True:
            i = s * self.inverse >> 20
            if self.mark[i] != stamp:
                self.mark[i] = stamp
                tiles += 1
            f = self.t[self.flags + g[self.var + i] * self.stride + s - i * self.stride]
            flags |= f
            pennants += f & 255
            s = g[self.next + s]
            if s == r:
                break
        if kind == 0:
            if self.by_segments:
                tiles = count
            if self.inns and flags >> 8 & 1:
                return 2 * tiles if completed else 0
            return tiles
        if completed and tiles == 2:
            return self.tiny_points + pennants * (2 if self.tiny_points == 4 else self.tiny_pennant)
        if self.inns and flags >> 9 & 1:
            return 3 * (tiles + pennants) if completed else 0
        return (tiles + pennants) * (2 if completed else 1)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _award(
        self,
        r: cython.Py_ssize_t,
        folk: cython.Py_ssize_t,
        points: cython.Py_ssize_t,
        final: cython.Py_ssize_t,
    ) -> cython.void:
        """Pay everyone who has the most meeples (R-BASE-16)."""
        g = self.g
        best: cython.Py_ssize_t = 1
        seat: cython.Py_ssize_t
        n: cython.Py_ssize_t
        for seat in range(self.players):
            n = folk >> 4 * seat & 15
            if n > best:
                best = n
        for seat in range(self.players):
            if folk >> 4 * seat & 15 == best:
                self._put(SCORE + seat, g[SCORE + seat] + points)
                if self.told is not None:
                    self._tell_score(r, seat, points, final)

    @cython.cfunc
    def _tell_score(
        self,
        r: cython.Py_ssize_t,
        seat: cython.Py_ssize_t,
        points: cython.Py_ssize_t,
        final: cython.Py_ssize_t,
    ):
        g = self.g
        kind: cython.Py_ssize_t = self._kind(r)
        bridged: cython.Py_ssize_t = 0
        s: cython.Py_ssize_t = r
        while kind == 0:
            if s % self.stride >= self.segments:
                bridged = 1
            s = g[self.next + s]
            if s == r:
                break
        self.told.append((notes.SCORE, seat, kind, points, final, bridged))

    @cython.cfunc
    @cython.exceptval(check=False)
    def _score_features(self) -> cython.void:
        """Pay the majorities of all completed features, then look at the castles."""
        g = self.g
        watched: cython.bint = g[CASTLES] > 0
        j: cython.Py_ssize_t
        r: cython.Py_ssize_t
        folk: cython.Py_ssize_t
        points: cython.Py_ssize_t
        for j in range(g[FINISHED]):
            r = g[self.finished + j]
            folk = g[self.folk + r] & MEEPLES
            if folk or watched:
                points = self._worth(r, self._kind(r), True)
                self._award(r, folk, points, 0)
                if watched:
                    self._put(self.wave + PAYOUT_SIZE * j + PAYOUT_ROOT, r)
                    self._put(self.wave + PAYOUT_SIZE * j + PAYOUT_POINTS, points)
                    self._put(self.wave + PAYOUT_SIZE * j + PAYOUT_CASTLE, 0)
        if watched:
            self._put(WAVE, g[FINISHED])
            if self._open_wave():
                self._pay_castles()
                return
        self._homecoming()

    @cython.cfunc
    @cython.exceptval(check=False)
    def _reaches(self, castle: cython.Py_ssize_t, r: cython.Py_ssize_t) -> cython.bint:
        """Whether a feature has a tile in a castle's vicinity (R-CASTLE-16, 17, 25, 27)."""
        g = self.g
        c: cython.Py_ssize_t = self.castles + CASTLE_SIZE * castle + CASTLE_CELLS
        k: cython.Py_ssize_t
        w: cython.Py_ssize_t
        s: cython.Py_ssize_t
        for k in range(c, c + 6):
            w = g[self.board + g[k]]
            if w < 0:
                w = (-1 - w) * self.stride
                for s in range(w, w + self.stride):
                    if g[self.root + s] == r and g[self.ends + s]:
                        return True
        return False

    @cython.cfunc
    @cython.exceptval(check=False)
    def _open_wave(self) -> cython.bint:
        """Queue the castles that the wave reaches; False if none (R-CASTLE-22, R-CASTLE-28)."""
        g = self.g
        k: cython.Py_ssize_t
        c: cython.Py_ssize_t
        seat: cython.Py_ssize_t
        at: cython.Py_ssize_t
        count: cython.Py_ssize_t = 0
        self._put(NEXT_WAVE, 0)
        for k in range(self.players):
            seat = (g[ACTIVE] + k) % self.players
            for c in range(g[CASTLES]):
                at = self.castles + CASTLE_SIZE * c
                if (
                    g[at + CASTLE_OWNER] == seat
                    and (g[at + CASTLE_PART] < g[PART] or self.same_turn)
                    and g[self.folk + g[at + CASTLE_ROOT]] & MEEPLES
                    and not self._is_paid(c)
                    and self._is_reached(c)
                ):
                    self._put(self.unpaid + count, c)
                    count += 1
        self._put(UNPAID, count)
        return count > 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def _is_paid(self, castle: cython.Py_ssize_t) -> cython.bint:
        g = self.g
        j: cython.Py_ssize_t
        for j in range(g[PAID]):
            if g[self.paid + j] == castle:
                return True
        return False

    @cython.cfunc
    @cython.exceptval(check=False)
    def _is_reached(self, castle: cython.Py_ssize_t) -> cython.bint:
        g = self.g
        j: cython.Py_ssize_t
        for j in range(g[WAVE]):
            if self._reaches(castle, g[self.wave + PAYOUT_SIZE * j]):
                return True
        return False

    @cython.cfunc
    @cython.exceptval(check=False)
    def _pay_castles(self) -> cython.void:
        """Pay the castles of this wave; an owner chooses where payouts differ (R-CASTLE-21)."""
        g = self.g
        j: cython.Py_ssize_t
        best: cython.Py_ssize_t
        most: cython.Py_ssize_t
        points: cython.Py_ssize_t
        while True:
            while g[UNPAID]:
                best = -1
                most = 0
                for j in range(g[WAVE]):
                    if self._reaches(g[self.unpaid], g[self.wave + PAYOUT_SIZE * j]):
                        points = g[self.wave + PAYOUT_SIZE * j + PAYOUT_POINTS]
                        if best < 0 or points > most:
                            best, most = j, points
                if self._differ(most) and not self.best_payout:
                    self._ask(
                        COLLECT, g[self.castles + CASTLE_SIZE * g[self.unpaid] + CASTLE_OWNER]
                    )
                    return
                self._pay(best)
            for j in range(PAYOUT_SIZE * g[NEXT_WAVE]):
                self._put(self.wave + j, g[self.next_wave + j])
            self._put(WAVE, g[NEXT_WAVE])
            if not self._open_wave():
                break
        self._homecoming()

    @cython.cfunc
    @cython.exceptval(check=False)
    def _differ(self, points: cython.Py_ssize_t) -> cython.bint:
        """Whether a payout on offer to the castle at the head is worth something else."""
        g = self.g
        j: cython.Py_ssize_t
        for j in range(g[WAVE]):
            if g[self.wave + PAYOUT_SIZE * j + PAYOUT_POINTS] != points and self._reaches(
                g[self.unpaid], g[self.wave + PAYOUT_SIZE * j]
            ):
                return True
        return False

    @cython.cfunc
    @cython.exceptval(check=False)
    def _pay(self, payout: cython.Py_ssize_t) -> cython.void:
        """Pay the castle at the head of the queue (R-CASTLE-18, R-CASTLE-25)."""
        g = self.g
        c: cython.Py_ssize_t = g[self.unpaid]
        at: cython.Py_ssize_t = self.castles + CASTLE_SIZE * c
        points: cython.Py_ssize_t = g[self.wave + PAYOUT_SIZE * payout + PAYOUT_POINTS]
        seat: cython.Py_ssize_t = g[at + CASTLE_OWNER]
        n: cython.Py_ssize_t = self.next_wave + PAYOUT_SIZE * g[NEXT_WAVE]
        j: cython.Py_ssize_t
        self._put(SCORE + seat, g[SCORE + seat] + points)
        if self.told is not None:
            j = self.wave + PAYOUT_SIZE * payout
            kind: cython.Py_ssize_t = self._kind(g[j + PAYOUT_ROOT])
            if g[j + PAYOUT_CASTLE]:
                kind = notes.CASTLE_KIND
            self.told.append((notes.PAY, c, kind, points, seat))
        for j in range(1, g[UNPAID]):
            self._put(self.unpaid + j - 1, g[self.unpaid + j])
        self._put(UNPAID, g[UNPAID] - 1)
        self._put(self.paid + g[PAID], c)
        self._put(PAID, g[PAID] + 1)
        self._put(n + PAYOUT_ROOT, g[at + CASTLE_ROOT])
        self._put(n + PAYOUT_POINTS, points)
        self._put(n + PAYOUT_CASTLE, 1)
        self._put(NEXT_WAVE, g[NEXT_WAVE] + 1)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _answer_collect(self, move: cython.Py_ssize_t) -> cython.void:
        """The owner takes one of the payouts."""
        g = self.g
        j: cython.Py_ssize_t
        for j in range(g[WAVE]):
            if g[self.wave + PAYOUT_SIZE * j] == move:
                self._pay(j)
                break
        self._pay_castles()

    @cython.cfunc
    @cython.exceptval(check=False)
    def _homecoming(self) -> cython.void:
        """Meeples of scored features and paid castles go home (R-BASE-17, R-CASTLE-30)."""
        g = self.g
        j: cython.Py_ssize_t
        for j in range(g[FINISHED]):
            self._send_home(g[self.finished + j])
        for j in range(g[PAID]):
            self._send_home(g[self.castles + CASTLE_SIZE * g[self.paid + j] + CASTLE_ROOT])
        if g[FINISHED]:
            self._put(FINISHED, 0)
        if g[PAID]:
            self._put(PAID, 0)
        if g[WAVE] or g[NEXT_WAVE]:
            self._put(WAVE, 0)
            self._put(NEXT_WAVE, 0)
        self._end_turn()

    # ---------------------------------------------------------------- the end of a turn

    @cython.cfunc
    @cython.exceptval(check=False)
    def _end_turn(self) -> cython.void:
        """Open the bazaar that is due, go on with its round, or pass clockwise."""
        g = self.g
        if g[IN_ROUND]:
            self._round_next()
        elif g[MARKET_DUE] and self.bazaar_mode:
            self._open_market()
        else:
            self._next_player()

    @cython.cfunc
    @cython.exceptval(check=False)
    def _next_player(self) -> cython.void:
        g = self.g
        seat: cython.Py_ssize_t = g[ACTIVE] + 1
        g[ACTIVE] = 0 if seat == self.players else seat
        g[MARKET_DUE] = 0
        self._begin_turn()

    @cython.cfunc
    @cython.exceptval(check=False)
    def _finish_game(self) -> cython.void:
        """Final scoring of all that is unfinished, and of farms (R-BASE-20 to 25)."""
        g = self.g
        first: cython.Py_ssize_t = self.folk
        s: cython.Py_ssize_t
        g[TILE] = -1
        for s in range(first, first + g[LAID] * self.stride):
            if g[s]:
                self._finish_feature(s - first)
        self._ask(OVER, -1)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _finish_feature(self, s: cython.Py_ssize_t) -> cython.void:
        """Score a feature at the end, if this segment stands for it."""
        g = self.g
        folk: cython.Py_ssize_t = g[self.folk + s]
        kind: cython.Py_ssize_t = self._kind(s)
        if g[self.root + s] != s:
            return
        if folk & CASTLE_FLAG:
            self._send_home(s)
        elif kind == 3:
            if self.farmers:
                self._score_farm(s, folk)
        else:
            self._award(s, folk & MEEPLES, self._worth(s, kind, self._is_complete(s, kind)), 1)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _is_complete(self, r: cython.Py_ssize_t, kind: cython.Py_ssize_t) -> cython.bint:
        g = self.g
        if kind == 2:
            return g[self.around + (r * self.inverse >> 20)] == 1
        return kind < 2 and g[self.ends + r] < OPEN_END

    @cython.cfunc
    @cython.exceptval(check=False)
    def _score_farm(self, r: cython.Py_ssize_t, folk: cython.Py_ssize_t) -> cython.void:
        """Pay the owners of barns on a field, else its majority (R-BASE-22, R-CASTLE-33)."""
        g = self.g
        seat: cython.Py_ssize_t
        best: cython.Py_ssize_t = 1
        if g[ANIMALS] == 0:
            self._award(r, folk & MEEPLES, self._farm(r, 0), 1)
            return
        if not folk & BARN_FLAG:
            for seat in range(self.players):
                best = max(best, folk >> 4 * seat & 15)
        for seat in range(self.players):
            if self._has_animal(r, seat, 1) if folk & BARN_FLAG else folk >> 4 * seat & 15 == best:
                self._put(SCORE + seat, g[SCORE + seat] + self._farm_of(r, seat))
                if self.told is not None:
                    self._tell_score(r, seat, self._farm_of(r, seat), 1)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _farm_of(self, r: cython.Py_ssize_t, seat: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """What a field pays a seat, pigs and barns counted."""
        barn: cython.Py_ssize_t = self.g[self.folk + r] & BARN_FLAG
        return self._farm(r, 1 if barn or self._has_animal(r, seat, 0) else 0)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _has_animal(
        self, r: cython.Py_ssize_t, seat: cython.Py_ssize_t, barn: cython.Py_ssize_t
    ) -> cython.bint:
        g = self.g
        j: cython.Py_ssize_t
        for j in range(self.animals, self.animals + 3 * g[ANIMALS], 3):
            if g[self.root + g[j]] == r and g[j + 1] == seat and g[j + 2] == barn:
                return True
        return False

    @cython.cfunc
    @cython.exceptval(check=False)
    def _farm(self, r: cython.Py_ssize_t, bonus: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Points of a field: each completed city once, castles among them (R-BASE-22, 24)."""
        g = self.g
        points: cython.Py_ssize_t = 0
        s: cython.Py_ssize_t = r
        i: cython.Py_ssize_t
        c: cython.Py_ssize_t
        near: cython.Py_ssize_t
        self.shared.stamp += 1
        stamp: cython.Py_ssize_t = self.shared.stamp
        while True:
            i = s * self.inverse >> 20
            near = self.t[self.touches + g[self.var + i] * self.stride + s - i * self.stride]
            c = i * self.stride
            while near:
                if near & 1:
                    i = g[self.root + c]
                    if g[self.ends + i] < OPEN_END and self.mark[i] != stamp:
                        self.mark[i] = stamp
                        points += bonus
                        points += (
                            self.farm_castle if g[self.folk + i] & CASTLE_FLAG else self.farm_city
                        )
                near >>= 1
                c += 1
            s = g[self.next + s]
            if s == r:
                break
        return points

    # ---------------------------------------------------------------- the bazaar

    @cython.cfunc
    @cython.exceptval(check=False)
    def _open_market(self) -> cython.void:
        """Reveal as many tiles as there are players (R-BAZAAR-4, R-BAZAAR-5, R-BAZAAR-31)."""
        g = self.g
        left: cython.Py_ssize_t = g[STACK_SIZE] - g[NEXT_TILE]
        k: cython.Py_ssize_t
        g[MARKET_DUE] = 0
        if left == 0 or (left < self.players and self.skip_short):
            self._end_turn()
            return
        left = min(left, self.players)
        for k in range(left):
            self._put(OFFER + k, g[self.stack + g[NEXT_TILE] + k])
        for k in range(self.players):
            self._put(HAND + k, -1)
        self._put(ON_OFFER, left)
        self._put(NEXT_TILE, g[NEXT_TILE] + left)
        self._put(IN_ROUND, 1)
        self._put(HANDS_OUT, 1)
        self._put(LEADER, g[ACTIVE])
        self._put(LAST_CHOOSER, g[ACTIVE])
        if self.bazaar_mode == 2:
            for k in range(self.players):
                self._put(QUEUE + k, (g[LEADER] + 1 + k) % self.players)
            self._put(QUEUED, self.players)
            self._draft_next()
        else:
            self._next_lot()

    @cython.cfunc
    @cython.exceptval(check=False)
    def _next_lot(self) -> cython.void:
        """Find who chooses next; the last tile goes for nothing (R-BAZAAR-6, 14, 16)."""
        g = self.g
        k: cython.Py_ssize_t
        seat: cython.Py_ssize_t
        waiting: cython.Py_ssize_t = 0
        first: cython.Py_ssize_t = -1
        if g[ON_OFFER] == 0:
            self._start_round()
            return
        for k in range(1, self.players + 1):
            seat = (g[LAST_CHOOSER] + k) % self.players
            if g[HAND + seat] < 0:
                waiting += 1
                if first < 0:
                    first = seat
        if waiting == 1:
            if self.told is not None:
                self.told.append((notes.PRICE, first, -1, g[OFFER], 0, notes.FREE))
            self._hand_over(first, 0)
            self._start_round()
            return
        self._put(CHOOSER, first)
        self._put(LAST_CHOOSER, first)
        self._put(LOT, -1)
        self._put(HIGH_BID, -1)
        self._put(HIGH_BIDDER, -1)
        if g[ON_OFFER] == 1 and self._last_listed(first) == 0:
            self._answer_choose(0)
            return
        self._ask(CHOOSE, first)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _answer_choose(self, move: cython.Py_ssize_t) -> cython.void:
        """The chooser picks a tile and opens the bidding (R-BAZAAR-7)."""
        g = self.g
        k: cython.Py_ssize_t
        seat: cython.Py_ssize_t
        count: cython.Py_ssize_t = 0
        self._put(LOT, move >> 20)
        self._put(HIGH_BID, move & 0xFFFFF)
        self._put(HIGH_BIDDER, g[CHOOSER])
        if self.told is not None:
            self.told.append((notes.LOT, g[CHOOSER], g[OFFER + g[LOT]], g[HIGH_BID]))
        for k in range(1, self.players):
            seat = (g[CHOOSER] + k) % self.players
            if g[HAND + seat] < 0:
                self._put(BIDDER + count, seat)
                count += 1
        self._put(BIDDERS, count)
        self._next_bidder()

    @cython.cfunc
    @cython.exceptval(check=False)
    def _next_bidder(self) -> cython.void:
        """Ask the next player who can raise; each has one bid (R-BAZAAR-8, R-BAZAAR-10)."""
        g = self.g
        seat: cython.Py_ssize_t
        k: cython.Py_ssize_t
        while g[BIDDERS]:
            seat = g[BIDDER]
            for k in range(1, g[BIDDERS]):
                self._put(BIDDER + k - 1, g[BIDDER + k])
            self._put(BIDDERS, g[BIDDERS] - 1)
            if self._last_listed(seat) > g[HIGH_BID]:
                self._ask(BID, seat)
                return
        if g[HIGH_BIDDER] == g[CHOOSER]:
            seat = g[CHOOSER]
            self._put(SCORE + seat, g[SCORE + seat] - g[HIGH_BID])
            if self.told is not None:
                self._tell_price(seat, -1, notes.OWN_BID)
            self._hand_over(seat, g[LOT])
            self._next_lot()
            return
        if not self._can_buy():
            self._answer_deal(SELL)
            return
        self._ask(DEAL, g[CHOOSER])

    @cython.cfunc
    @cython.exceptval(check=False)
    def _answer_bid(self, move: cython.Py_ssize_t) -> cython.void:
        """A higher bid, or none (R-BAZAAR-9)."""
        if move >= 0:
            self._put(HIGH_BID, move)
            self._put(HIGH_BIDDER, self.g[DECIDER])
        self._next_bidder()

    @cython.cfunc
    @cython.exceptval(check=False)
    def _answer_deal(self, move: cython.Py_ssize_t) -> cython.void:
        """Buy from the highest bidder, or sell to them (R-BAZAAR-11, R-BAZAAR-13)."""
        g = self.g
        buyer: cython.Py_ssize_t = g[CHOOSER]
        seller: cython.Py_ssize_t = g[HIGH_BIDDER]
        if move == SELL:
            buyer, seller = seller, buyer
        self._put(SCORE + buyer, g[SCORE + buyer] - g[HIGH_BID])
        self._put(SCORE + seller, g[SCORE + seller] + g[HIGH_BID])
        if self.told is not None:
            self._tell_price(buyer, seller, notes.SOLD if move == SELL else notes.BOUGHT)
        self._hand_over(buyer, g[LOT])
        self._next_lot()

    @cython.cfunc
    def _tell_price(self, buyer: cython.Py_ssize_t, seller: cython.Py_ssize_t, how: cython.int):
        g = self.g
        self.told.append((notes.PRICE, buyer, seller, g[OFFER + g[LOT]], g[HIGH_BID], how))

    @cython.cfunc
    @cython.exceptval(check=False)
    def _take_off(self, lot: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Take a tile off the table of those on offer."""
        g = self.g
        tile: cython.Py_ssize_t = g[OFFER + lot]
        k: cython.Py_ssize_t
        for k in range(lot + 1, g[ON_OFFER]):
            self._put(OFFER + k - 1, g[OFFER + k])
        self._put(ON_OFFER, g[ON_OFFER] - 1)
        return tile

    @cython.cfunc
    @cython.exceptval(check=False)
    def _hand_over(self, seat: cython.Py_ssize_t, lot: cython.Py_ssize_t) -> cython.void:
        self._put(HAND + seat, self._take_off(lot))
        self._put(CHOOSER, -1)
        self._put(LOT, -1)
        self._put(HIGH_BID, -1)
        self._put(HIGH_BIDDER, -1)
        self._put(BIDDERS, 0)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _start_round(self) -> cython.void:
        """Full turns from the left of the active player, who comes last (R-BAZAAR-19)."""
        g = self.g
        k: cython.Py_ssize_t
        seat: cython.Py_ssize_t
        count: cython.Py_ssize_t = 0
        for k in range(1, self.players + 1):
            seat = (g[LEADER] + k) % self.players
            if g[HAND + seat] >= 0:
                self._put(QUEUE + count, seat)
                count += 1
        self._put(QUEUED, count)
        self._round_next()

    @cython.cfunc
    @cython.exceptval(check=False)
    def _next_in_round(self) -> cython.Py_ssize_t:
        """Take the next seat out of the round's queue."""
        g = self.g
        seat: cython.Py_ssize_t = g[QUEUE]
        k: cython.Py_ssize_t
        for k in range(1, g[QUEUED]):
            self._put(QUEUE + k - 1, g[QUEUE + k])
        self._put(QUEUED, g[QUEUED] - 1)
        return seat

    @cython.cfunc
    @cython.exceptval(check=False)
    def _round_next(self) -> cython.void:
        """The next turn of the round, or back to normal play (R-BAZAAR-20)."""
        g = self.g
        tile: cython.Py_ssize_t
        seat: cython.Py_ssize_t
        if self.bazaar_mode == 2:
            self._draft_next()
            return
        if g[QUEUED] == 0:
            self._close_round()
            return
        seat = self._next_in_round()
        tile = g[HAND + seat]
        self._put(HAND + seat, -1)
        self._begin_bazaar_turn(seat, tile)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _draft_next(self) -> cython.void:
        """Pick and play alternate; the last tile is given without a question (R-BAZAAR-27)."""
        g = self.g
        seat: cython.Py_ssize_t
        if g[QUEUED] == 0 or g[ON_OFFER] == 0:
            self._close_round()
            return
        seat = self._next_in_round()
        if g[ON_OFFER] == 1:
            self._begin_bazaar_turn(seat, self._take_off(0))
            return
        g[ACTIVE] = seat
        self._ask(TAKE, seat)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _answer_take(self, move: cython.Py_ssize_t) -> cython.void:
        """A player takes a tile on offer and plays it at once (R-BAZAAR-27)."""
        self._begin_bazaar_turn(self.g[DECIDER], self._take_off(move))

    @cython.cfunc
    @cython.exceptval(check=False)
    def _begin_bazaar_turn(self, seat: cython.Py_ssize_t, tile: cython.Py_ssize_t) -> cython.void:
        g = self.g
        g[ACTIVE] = seat
        g[TILE] = tile
        g[FROM_HAND] = 1
        self._find_place()

    @cython.cfunc
    @cython.exceptval(check=False)
    def _close_round(self) -> cython.void:
        g = self.g
        k: cython.Py_ssize_t
        self._put(IN_ROUND, 0)
        self._put(HANDS_OUT, 0)
        for k in range(self.players):
            if g[HAND + k] >= 0:
                self._put(HAND + k, -1)
        self._put(ON_OFFER, 0)
        self._put(QUEUED, 0)
        g[ACTIVE] = g[LEADER]
        self._next_player()

    # ---------------------------------------------------------------- questions

    def worth(self, r: cython.Py_ssize_t):
        """What a road, city or cloister pays as it lies; a field its cities, without animals."""
        return self._worth_now(r)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _worth_now(self, r: cython.Py_ssize_t) -> cython.Py_ssize_t:
        g = self.g
        kind: cython.Py_ssize_t = self._kind(r)
        seat: cython.Py_ssize_t
        best: cython.Py_ssize_t = 0
        folk: cython.Py_ssize_t = g[self.folk + r]
        if folk & CASTLE_FLAG or kind == 4:
            return 0
        if kind != 3:
            return self._worth(r, kind, self._is_complete(r, kind))
        if not self.farmers:
            return 0
        if g[ANIMALS] == 0:
            return self._farm(r, 0)
        best = self._farm(r, 1 if folk & BARN_FLAG else 0)
        if not folk & BARN_FLAG:
            most: cython.Py_ssize_t = 1
            for seat in range(self.players):
                most = max(most, folk >> 4 * seat & 15)
            for seat in range(self.players):
                if folk >> 4 * seat & 15 == most:
                    best = max(best, self._farm_of(r, seat))
        return best

    def members(self, s: cython.Py_ssize_t):
        """The segments of the feature of a segment."""
        g = self.g
        r: cython.Py_ssize_t = g[self.root + s]
        found = [r]
        s = g[self.next + r]
        while s != r:
            found.append(s)
            s = g[self.next + s]
        return found

    def roots(self):
        """Every feature once, by the segment that stands for it."""
        g = self.g
        s: cython.Py_ssize_t
        return [
            s for s in range(g[LAID] * self.stride) if g[self.root + s] == s and g[self.ends + s]
        ]

    # ---------------------------------------------------------------- playouts

    @cython.cfunc
    @cython.exceptval(check=False)
    def _sow(self, seed: cython.ulonglong) -> cython.void:
        self.seed = _sown(seed)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _pick(self, count: cython.int) -> cython.int:
        """A number below `count` from the playout's own generator."""
        self.seed = _stepped(self.seed)
        return _below(self.seed, count)

    @cython.ccall
    @cython.exceptval(check=False)
    def playout(self, seed: cython.ulonglong, policy: cython.int = 0) -> cython.longlong:
        """Play this game to its end with random moves; returns decisions << 32 | moves listed.

        `policy` 0 takes every listed move with the same chance; 1 is the cheap policy of
        `_choose_cheaply`. Nothing is noted: the log is empty afterwards. Once nobody has a bridge
        left, which open cells one could mend is no longer kept up.
        """
        self._sow(seed)
        g = self.g
        mv = self.mv
        decisions: cython.longlong = 0
        listed: cython.longlong = 0
        count: cython.Py_ssize_t
        self.nlog = self.ahead = 0
        self.silent = 1
        while g[PHASE] != OVER:
            count = self._list()
            decisions += 1
            listed += count
            if policy:
                self._answer(self._choose_cheaply(count))
            else:
                self._answer(mv[self._pick(count)])
        self.silent = 0
        return decisions << 32 | listed

    def draw(self, dice: Dice):
        """One of the moves listed, each with the same chance; 0 where there is none."""
        count: cython.int = self._list()
        return self.mv[dice.below(count)] if count else 0

    def roll_out(self, dice: list):
        """As `playout` with policy 0, but each seat decides by dice of its own.

        Notes are taken, if they were begun.
        """
        mv = self.mv
        decisions: cython.longlong = 0
        listed: cython.longlong = 0
        count: cython.int
        own: Dice
        self.nlog = self.ahead = 0
        self.silent = 1
        while self.g[PHASE] != OVER:
            count = self._list()
            decisions += 1
            listed += count
            own = dice[self.g[DECIDER]]
            self._answer(mv[own.below(count)])
        self.silent = 0
        return decisions << 32 | listed

    @cython.cfunc
    @cython.exceptval(check=False)
    def _choose_cheaply(self, count: cython.int) -> cython.int:
        """A move as a cheap player makes it.

        Bids are capped by what the tile on offer could earn at once, castles are built, collects
        take the most, meeples are kept for later two times in five, bridges mostly too.
        """
        g = self.g
        mv = self.mv
        phase: cython.Py_ssize_t = g[PHASE]
        value: cython.Py_ssize_t
        j: cython.Py_ssize_t
        if phase == CHOOSE:
            j = self._pick(g[ON_OFFER])
            value = min(self._gain(g[OFFER + j], g[DECIDER]) // 2, self._last_listed(g[DECIDER]))
            return j << 20 | self._pick(value + 1)
        if phase == BID:
            value = self._gain(g[OFFER + g[LOT]], g[DECIDER])
            value = min(value, self._last_listed(g[DECIDER]))
            if value <= g[HIGH_BID]:
                return PASS
            return g[HIGH_BID] + 1 + self._pick(value - g[HIGH_BID])
        if phase == DEAL:
            if count == 2 and self._gain(g[OFFER + g[LOT]], g[CHOOSER]) > 2 * g[HIGH_BID]:
                return BUY
            return SELL
        if phase == CASTLE:
            return mv[0]
        if phase == COLLECT:
            return self._best_collect()
        if (phase == MEEPLE and self._pick(5) < 2) or (phase == BRIDGE and self._pick(4)):
            return PASS
        return mv[self._pick(count)]

    @cython.cfunc
    @cython.exceptval(check=False)
    def _best_collect(self) -> cython.Py_ssize_t:
        g = self.g
        j: cython.Py_ssize_t
        best: cython.Py_ssize_t = -1
        for j in range(g[WAVE]):
            if self._reaches(g[self.unpaid], g[self.wave + PAYOUT_SIZE * j]) and (
                best < 0
                or g[self.wave + PAYOUT_SIZE * j + 1] > g[self.wave + PAYOUT_SIZE * best + 1]
            ):
                best = j
        return g[self.wave + PAYOUT_SIZE * best]

    def gain(self, tile: cython.Py_ssize_t, seat: cython.Py_ssize_t):
        """The most that a seat's own open features could earn at once by laying a type of tile."""
        return self._gain(tile, seat)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _gain(self, tile: cython.int, seat: cython.int) -> cython.int:
        """The most that closing a held road or city with a tile would pay at once, else 2.

        Only features with one open end that the tile could close are looked at, without a
        bridge; the tile itself counts.
        """
        g = self.g
        best: cython.Py_ssize_t = 2
        f: cython.Py_ssize_t
        r: cython.Py_ssize_t
        m: cython.Py_ssize_t
        side: cython.Py_ssize_t
        row: cython.Py_ssize_t = self.fit + tile * self.signatures
        for f in range(1, g[FRONTIER] + 1):
            m = self.t[row + g[self.fsig + f]] & 15
            if m == 0:
                continue
            for side in range(4):
                r = self._closing(g[self.fcell + f], side, seat)
                if r >= 0:
                    best = max(best, self._worth(r, self._kind(r), True) + 1 + self._kind(r))
        return best

    @cython.cfunc
    @cython.exceptval(check=False)
    def _closing(
        self, cell: cython.Py_ssize_t, side: cython.Py_ssize_t, seat: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """The road or city of a seat whose last open end meets a cell from a side, or -1."""
        g = self.g
        w: cython.Py_ssize_t = g[self.board + ((cell + self.t[self.side_step + side]) & self.mask)]
        r: cython.Py_ssize_t
        line: cython.Py_ssize_t
        if w >= 0:
            return -1
        w = -1 - w
        line = self.t[self.meets + 4 * g[self.var + w] + (side ^ 2)] & 15
        if g[self.bridge + w] >> (side & 1) & 1:
            line = self.segments + (side & 1) + 1
        if line == 0:
            return -1
        r = g[self.root + w * self.stride + line - 1]
        if g[self.ends + r] >> 16 == 1 and g[self.folk + r] >> 4 * seat & 15 and self._kind(r) < 2:
            return r
        return -1

    # ---------------------------------------------------------------- speed and perft

    def perft(self, depth: cython.Py_ssize_t):
        """How many sequences of so many listed moves there are from here."""
        count: cython.Py_ssize_t = self._list()
        if depth <= 1:
            return count if depth == 1 else 1
        mv = self.mv
        i: cython.Py_ssize_t
        listed = [mv[i] for i in range(count)]
        total = 0
        for move in listed:
            self.play(move)
            total += self.perft(depth - 1)
            self.undo()
        return total

    def exercise(self, rounds: cython.Py_ssize_t):
        """Play and take back every listed move some times; returns how many were played."""
        count: cython.Py_ssize_t = self._list()
        mv = self.mv
        i: cython.Py_ssize_t
        j: cython.Py_ssize_t
        listed = [mv[i] for i in range(count)]
        played: cython.longlong = 0
        move: cython.Py_ssize_t
        for j in range(rounds):
            for i in range(count):
                move = listed[i]
                self.play(move)
                self.undo()
                played += 1
        return played

    def probe_copies(self, rounds: cython.Py_ssize_t):
        """Copy the game some times; to measure."""
        twin: Engine = self
        j: cython.Py_ssize_t
        for j in range(rounds):
            twin = self.copy()
        return twin
