"""The game on one flat block of integers: the same rules as the model, for search and playouts.

Cython's pure Python mode: this file runs as it is, and compiles to C with the types that its
annotations name. It decides nothing that the model does not; every step below has the name of
the model's step (`carcassonne.model.turns`, `bazaar`, `castles`), where the rules are argued.

The block of a game (`g`), one `int` each:

    0 .. HEAD-1      header: phase, decider, turn, counts, bazaar, rows of a number a seat
                     (places: `layout.py`)
    board            a number for each cell:   0      nothing near it
                                               f > 0  open cell, number f of the frontier
                                               -1-i   placement i lies there
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

The undo log (`log`) holds pairs, newest last. Every change of an old number goes through `_put`,
which notes the number's place and what stood there; taking a move back pops to the last mark:

    | -1 0 | 17 3 | 96 0 | -2-i 0 | 640 12 | ... | -1 0 | 5 1 | ...
      mark   g[17] was 3   |               newer ->  mark of the next move
                           placement i was new: its rows are wiped (they were written without notes)
"""

from __future__ import annotations

try:
    import cython
except ImportError:  # Cython is needed to compile, not to run
    from carcassonne.core import shadow as cython  # type: ignore[no-redef]

from carcassonne.core import layout

__all__ = ["COMPILED", "Engine", "Shared"]

COMPILED = bool(cython.compiled)

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
SELL = cython.declare(cython.int, layout.SELL)
SEATS = cython.declare(cython.int, layout.SEATS)
PHASE = cython.declare(cython.int, layout.PHASE)
DECIDER = cython.declare(cython.int, layout.DECIDER)
ACTIVE = cython.declare(cython.int, layout.ACTIVE)
TILE = cython.declare(cython.int, layout.TILE)
FROM_HAND = cython.declare(cython.int, layout.FROM_HAND)
MAY_DECLINE = cython.declare(cython.int, layout.MAY_DECLINE)
PLACED = cython.declare(cython.int, layout.PLACED)
PLACER = cython.declare(cython.int, layout.PLACER)
PART = cython.declare(cython.int, layout.PART)
BRIDGE_BUILT = cython.declare(cython.int, layout.BRIDGE_BUILT)
MARKET_DUE = cython.declare(cython.int, layout.MARKET_DUE)
LAID = cython.declare(cython.int, layout.LAID)
FRONTIER = cython.declare(cython.int, layout.FRONTIER)
NEXT_TILE = cython.declare(cython.int, layout.NEXT_TILE)
STACK_SIZE = cython.declare(cython.int, layout.STACK_SIZE)
ASIDE = cython.declare(cython.int, layout.ASIDE)
CASTLES = cython.declare(cython.int, layout.CASTLES)
FINISHED = cython.declare(cython.int, layout.FINISHED)
SMALL = cython.declare(cython.int, layout.SMALL)
WAVE = cython.declare(cython.int, layout.WAVE)
NEXT_WAVE = cython.declare(cython.int, layout.NEXT_WAVE)
UNPAID = cython.declare(cython.int, layout.UNPAID)
PAID = cython.declare(cython.int, layout.PAID)
IN_ROUND = cython.declare(cython.int, layout.IN_ROUND)
LEADER = cython.declare(cython.int, layout.LEADER)
LAST_CHOOSER = cython.declare(cython.int, layout.LAST_CHOOSER)
CHOOSER = cython.declare(cython.int, layout.CHOOSER)
LOT = cython.declare(cython.int, layout.LOT)
HIGH_BID = cython.declare(cython.int, layout.HIGH_BID)
HIGH_BIDDER = cython.declare(cython.int, layout.HIGH_BIDDER)
ON_OFFER = cython.declare(cython.int, layout.ON_OFFER)
BIDDERS = cython.declare(cython.int, layout.BIDDERS)
QUEUED = cython.declare(cython.int, layout.QUEUED)
HANDS_OUT = cython.declare(cython.int, layout.HANDS_OUT)
ANIMALS = cython.declare(cython.int, layout.ANIMALS)
MAY_BRIDGE = cython.declare(cython.int, layout.MAY_BRIDGE)
STOPPED = cython.declare(cython.int, layout.STOPPED)
CLOISTERS = cython.declare(cython.int, layout.CLOISTERS)
RINGED = cython.declare(cython.int, layout.RINGED)
SCORE = cython.declare(cython.int, layout.SCORE)
SUPPLY = cython.declare(cython.int, layout.SUPPLY)
BRIDGES_LEFT = cython.declare(cython.int, layout.BRIDGES_LEFT)
MARKERS = cython.declare(cython.int, layout.MARKERS)
OFFER = cython.declare(cython.int, layout.OFFER)
HAND = cython.declare(cython.int, layout.HAND)
BIDDER = cython.declare(cython.int, layout.BIDDER)
QUEUE = cython.declare(cython.int, layout.QUEUE)
HEAD = cython.declare(cython.int, layout.HEAD)
CASTLE_SIZE = cython.declare(cython.int, layout.CASTLE_SIZE)
CASTLE_ROOT = cython.declare(cython.int, layout.CASTLE_ROOT)
CASTLE_OWNER = cython.declare(cython.int, layout.CASTLE_OWNER)
CASTLE_PART = cython.declare(cython.int, layout.CASTLE_PART)
CASTLE_CELLS = cython.declare(cython.int, layout.CASTLE_CELLS)
PAYOUT_SIZE = cython.declare(cython.int, layout.PAYOUT_SIZE)
PAYOUT_ROOT = cython.declare(cython.int, layout.PAYOUT_ROOT)
PAYOUT_POINTS = cython.declare(cython.int, layout.PAYOUT_POINTS)
PAYOUT_CASTLE = cython.declare(cython.int, layout.PAYOUT_CASTLE)
CASTLE_FLAG = cython.declare(cython.int, layout.CASTLE_FLAG)
BARN_FLAG = cython.declare(cython.int, layout.BARN_FLAG)
MEEPLES = cython.declare(cython.int, layout.MEEPLES)
OPEN_END = cython.declare(cython.int, layout.OPEN_END)

MARK = cython.declare(cython.int, -1)
LISTED = cython.declare(cython.int, 20)
# constants of the generators; without a name they would be Python numbers in C too
ALL_BITS = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
XORSHIFT = cython.declare(cython.ulonglong, 2685821657736338717)
GOLDEN = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
MIX_ONE = cython.declare(cython.ulonglong, 0xBF58476D1CE4E5B9)
MIX_TWO = cython.declare(cython.ulonglong, 0x94D049BB133111EB)


@cython.no_gc
@cython.final
@cython.cclass
class Shared:
    """The tables and options of a kind of game, and scratch room for its moves.

    One for all games of a kind; what is in the scratch room lasts only within one call.
    """

    places = cython.declare(dict, visibility="readonly")
    rotations: list
    rows: list
    block: object
    moves_block: object
    marks_block: object
    t: cython.p_int
    mv: cython.p_int
    mark: cython.p_int
    stamp: cython.int
    size: cython.int
    players: cython.int
    stride: cython.int
    segments: cython.int
    spare: cython.int
    mask: cython.int
    kinds: cython.int
    signatures: cython.int
    # places of the tables
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
    lines: cython.int
    cloister: cython.int
    bazaar: cython.int
    same: cython.int
    fit: cython.int
    spread: cython.int
    mended: cython.int
    # places of the parts of a game's block
    board: cython.int
    fcell: cython.int
    fsig: cython.int
    fmend: cython.int
    var: cython.int
    pcell: cython.int
    bridge: cython.int
    px: cython.int
    py: cython.int
    around: cython.int
    root: cython.int
    next: cython.int
    folk: cython.int
    ends: cython.int
    stand: cython.int
    stack: cython.int
    aside: cython.int
    castles: cython.int
    finished: cython.int
    small: cython.int
    wave: cython.int
    next_wave: cython.int
    unpaid: cython.int
    paid: cython.int
    animals: cython.int
    # options
    tiny_points: cython.int
    tiny_pennant: cython.int
    farm_city: cython.int
    farm_castle: cython.int
    inns: cython.int
    bridge_max: cython.int
    placed_only: cython.int
    road_contact: cython.int
    decline_discards: cython.int
    by_segments: cython.int
    active_chooser: cython.int
    single_follower: cython.int
    same_turn: cython.int
    best_payout: cython.int
    bazaar_mode: cython.int
    skip_short: cython.int
    allow_negative: cython.int
    on_set_aside: cython.int
    farmers: cython.int
    max_bid: cython.int
    lose_turn: cython.int

    def __init__(self, tables, places):
        """Take the tables, and the places of the parts of a game's block."""
        data = tables.data
        self.places = places
        self.rotations = [
            [rotation << 2 for rotation in range(4) if mask >> rotation & 1] for mask in range(16)
        ]
        self.block = _room(len(data))
        self.moves_block = _room(16 * tables.capacity + 256)
        segments: cython.int = tables.capacity * tables.stride
        self.marks_block = _room(max(segments, tables.capacity) + 64)
        if cython.compiled:
            self.t = cython.cast(cython.p_int, cython.cast(cython.p_char, self.block))
            self.mv = cython.cast(cython.p_int, cython.cast(cython.p_char, self.moves_block))
            self.mark = cython.cast(cython.p_int, cython.cast(cython.p_char, self.marks_block))
        else:
            self.t, self.mv, self.mark = self.block, self.moves_block, self.marks_block
        self.stamp = 0
        i: cython.int
        for i in range(len(data)):
            self.t[i] = data[i]
        self._set_tables(tables)
        self._set_options(tables.rules)
        self._set_places(places)
        self.rows = [
            [] if cython.compiled else data[row : row + tables.signatures]
            for row in range(self.fit, len(data), tables.signatures)
        ]

    def _set_tables(self, tables):
        at = tables.at
        self.players = tables.players
        self.stride, self.segments, self.spare = tables.stride, tables.segments, tables.spare
        self.mask = tables.cells - 1
        self.kinds, self.signatures = tables.kinds, tables.signatures
        self.side_step, self.ring_step = at["side_step"], at["ring_step"]
        self.power, self.edge, self.meets = at["power"], at["edge"], at["meets"]
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
    size: cython.int
    players: cython.int
    stride: cython.int
    segments: cython.int
    spare: cython.int
    mask: cython.int
    kinds: cython.int
    signatures: cython.int
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
    lines: cython.int
    cloister: cython.int
    bazaar: cython.int
    same: cython.int
    fit: cython.int
    spread: cython.int
    mended: cython.int
    board: cython.int
    fcell: cython.int
    fsig: cython.int
    fmend: cython.int
    var: cython.int
    pcell: cython.int
    bridge: cython.int
    px: cython.int
    py: cython.int
    around: cython.int
    root: cython.int
    next: cython.int
    folk: cython.int
    ends: cython.int
    stand: cython.int
    stack: cython.int
    aside: cython.int
    castles: cython.int
    finished: cython.int
    small: cython.int
    wave: cython.int
    next_wave: cython.int
    unpaid: cython.int
    paid: cython.int
    animals: cython.int
    tiny_points: cython.int
    tiny_pennant: cython.int
    farm_city: cython.int
    farm_castle: cython.int
    inns: cython.int
    bridge_max: cython.int
    placed_only: cython.int
    road_contact: cython.int
    decline_discards: cython.int
    by_segments: cython.int
    active_chooser: cython.int
    single_follower: cython.int
    same_turn: cython.int
    best_payout: cython.int
    bazaar_mode: cython.int
    skip_short: cython.int
    allow_negative: cython.int
    on_set_aside: cython.int
    farmers: cython.int
    max_bid: cython.int
    lose_turn: cython.int
    block: object
    log_block: object
    g: cython.p_int
    log: cython.p_int
    nlog: cython.int
    room: cython.int
    silent: cython.int
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
        if cython.compiled:
            self.g = cython.cast(cython.p_int, cython.cast(cython.p_char, block))
        else:
            self.g = block

    @cython.cfunc
    @cython.exceptval(check=False)
    def _drop_log(self) -> cython.void:
        self.log_block = None
        self.nlog = self.room = self.silent = 0
        if not cython.compiled:
            self.log = []

    @cython.cfunc
    @cython.exceptval(check=False)
    def _follow(self, shared: Shared) -> cython.void:
        """Note the places and options of the kind of game: at hand, they need no counting."""
        self.shared = shared
        self.t, self.mv, self.mark = shared.t, shared.mv, shared.mark
        self.size = shared.size
        self.players = shared.players
        self.stride = shared.stride
        self.segments = shared.segments
        self.spare = shared.spare
        self.mask = shared.mask
        self.kinds = shared.kinds
        self.signatures = shared.signatures
        self.side_step = shared.side_step
        self.ring_step = shared.ring_step
        self.power = shared.power
        self.edge = shared.edge
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

    @property
    def history(self):
        """How many numbers the log holds."""
        return self.nlog

    # ---------------------------------------------------------------- the log

    @cython.cfunc
    @cython.exceptval(check=False)
    def _grow(self) -> cython.void:
        room: cython.int = 2 * self.room if self.room else 512
        block: object = _room(room)
        if cython.compiled:
            new: cython.p_int = cython.cast(cython.p_int, cython.cast(cython.p_char, block))
        else:
            new = block
        i: cython.int
        for i in range(self.nlog):
            new[i] = self.log[i]
        self.log_block = block
        self.log = new
        self.room = room

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _note(self, place: cython.int, old: cython.int) -> cython.void:
        if self.silent:
            return
        k: cython.int = self.nlog
        if k + 2 > self.room:
            self._grow()
        self.log[k] = place
        self.log[k + 1] = old
        self.nlog = k + 2

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _put(self, place: cython.int, value: cython.int) -> cython.void:
        k: cython.int
        if not self.silent:
            k = self.nlog
            if k + 2 > self.room:
                self._grow()
            self.log[k] = place
            self.log[k + 1] = self.g[place]
            self.nlog = k + 2
        self.g[place] = value

    @cython.ccall
    @cython.exceptval(check=False)
    def undo(self) -> cython.bint:
        """Take the last move back, exactly; False if the log is empty."""
        if self.nlog == 0:
            return False
        g = self.g
        log = self.log
        k: cython.int = self.nlog
        place: cython.int
        while True:
            k -= 2
            place = log[k]
            if place >= 0:
                g[place] = log[k + 1]
            elif place == MARK:
                break
            else:
                self._wipe(-2 - place)
        self.nlog = k
        return True

    @cython.cfunc
    @cython.exceptval(check=False)
    def _wipe(self, i: cython.int) -> cython.void:
        """Forget the rows of a placement that was new."""
        g = self.g
        s: cython.int
        for s in range(i * self.stride, (i + 1) * self.stride):
            g[self.root + s] = g[self.next + s] = g[self.folk + s] = g[self.ends + s] = g[
                self.stand + s
            ] = 0
        g[self.var + i] = g[self.pcell + i] = g[self.bridge + i] = 0
        g[self.px + i] = g[self.py + i] = g[self.around + i] = 0

    # ---------------------------------------------------------------- listings

    def moves(self):
        """Every distinct possibility of the open decision once, as numbers."""
        count: cython.int = self._list()
        mv = self.mv
        i: cython.int
        return [mv[i] for i in range(count)]

    @cython.ccall
    @cython.exceptval(check=False)
    def count_moves(self) -> cython.int:
        """How many moves `moves` would list."""
        return self._list()

    @cython.cfunc
    @cython.exceptval(check=False)
    def _list(self) -> cython.int:
        phase: cython.int = self.g[PHASE]
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
    def _list_place(self) -> cython.int:
        g = self.g
        k: cython.int = self._fits(g[TILE], g[BRIDGES_LEFT + g[ACTIVE]] > 0)
        if g[MAY_DECLINE]:
            self.mv[k] = DECLINE
            k += 1
        return k

    def fits(self, tile: cython.int, with_bridge: cython.bint):
        """The distinct ways to lay a type of tile now, drawn or not, as numbers of moves."""
        count: cython.int = self._fits(tile, with_bridge)
        mv = self.mv
        i: cython.int
        return [mv[i] for i in range(count)]

    @cython.ccall
    @cython.exceptval(check=False)
    def count_fits(self, tile: cython.int) -> cython.int:
        """How many ways to lay a type of tile without a bridge are now in the room of moves."""
        return self._fits(tile, False)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _fits(self, tile: cython.int, bridges: cython.bint) -> cython.int:
        """Write the fitting moves of a type (R-BASE-5, R-BRIDGE-8); returns how many."""
        if cython.compiled:
            return self._fits_fast(tile, bridges)
        else:
            g = self.g
            t = self.t
            mv = self.mv
            rotations = self.shared.rotations
            row = self.shared.rows[tile]
            last = g[FRONTIER]
            first = self.fcell + 1
            masks = [row[signature] for signature in g[self.fsig + 1 : self.fsig + 1 + last]]
            k = 0
            for f, m in enumerate(masks):
                if m & 15:
                    base = g[first + f] << 4
                    for rotation in rotations[m & 15]:
                        mv[k] = base + rotation
                        k += 1
                if bridges and m > 15 and (m & 240 or m & t[self.mended + g[self.fmend + 1 + f]]):
                    k = self._fits_bridged(f + 1, m, k)
            return k

    @cython.cfunc
    @cython.exceptval(check=False)
    def _fits_fast(self, tile: cython.int, bridges: cython.bint) -> cython.int:
        """As `_fits`, in C, where nothing should have to be guessed ahead.

        Four numbers are always written, and the next cell overwrites those that did not fit.
        """
        if cython.compiled:
            row: cython.p_int = self.t + (self.fit + tile * self.signatures)
            spread: cython.p_int = self.t + self.spread
            mended: cython.p_int = self.t + self.mended
            cells: cython.p_int = self.g + self.fcell
            signatures: cython.p_int = self.g + self.fsig
            mends: cython.p_int = self.g + self.fmend
            out: cython.p_int = self.mv
            four: cython.p_int
            f: cython.Py_ssize_t
            last: cython.Py_ssize_t = self.g[FRONTIER]
            m: cython.int
            base: cython.int
            a: cython.int
            b: cython.int
            c: cython.int
            d: cython.int
            for f in range(1, last + 1):
                m = row[signatures[f]]
                base = cells[f] << 4
                four = spread + 5 * (m & 15)
                a = base + four[0]
                b = base + four[1]
                c = base + four[2]
                d = base + four[3]
                out[0] = a
                out[1] = b
                out[2] = c
                out[3] = d
                out += four[4]
                if bridges and (m & 240 or m & mended[mends[f]]):
                    out = self.mv + self._fits_bridged(f, m, out - self.mv)
            return out - self.mv

    @cython.cfunc
    @cython.exceptval(check=False)
    def _fits_bridged(self, f: cython.int, m: cython.int, k: cython.int) -> cython.int:
        g = self.g
        mv = self.mv
        base: cython.int = g[self.fcell + f] << 4
        own: cython.int = (m >> 4) & 15
        beside: cython.int = m & self.t[self.mended + g[self.fmend + f]]
        r: cython.int
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
    def _ways(self, tile: cython.int, bridges: cython.bint) -> cython.int:
        """0 if a tile fits nowhere, 1 only with a bridge, 2 without one (R-BASE-6)."""
        g = self.g
        t = self.t
        row: cython.int = self.fit + tile * self.signatures
        fsig: cython.int = self.fsig
        f: cython.int
        m: cython.int
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
    def _list_bridge(self) -> cython.int:
        k: cython.int = self._free_bridges()
        self.mv[k] = PASS
        return k + 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def _free_bridges(self) -> cython.int:
        """Write where the active player may build after placing (R-BRIDGE-22)."""
        g = self.g
        if g[BRIDGE_BUILT] or g[BRIDGES_LEFT + g[ACTIVE]] == 0 or self.road_contact:
            return 0
        k: cython.int = self._free_axes(g[PLACED], 0)
        cell: cython.int = g[self.pcell + g[PLACED]]
        side: cython.int
        w: cython.int
        if not self.placed_only:
            for side in range(4):
                w = g[self.board + ((cell + self.t[self.side_step + side]) & self.mask)]
                if w < 0:
                    k = self._free_axes(-1 - w, k)
        return k

    @cython.cfunc
    @cython.exceptval(check=False)
    def _free_axes(self, i: cython.int, k: cython.int) -> cython.int:
        g = self.g
        t = self.t
        cell: cython.int = g[self.pcell + i]
        axis: cython.int
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
    def _can_take(self, i: cython.int, axis: cython.int) -> cython.bint:
        """Whether a tile itself can take a bridge (R-BRIDGE-5, R-BRIDGE-18)."""
        g = self.g
        v: cython.int = self.edge + 4 * g[self.var + i] + axis
        b: cython.int = g[self.bridge + i]
        return (
            self.t[v] == 1
            and self.t[v + 2] == 1
            and (b == 0 or (self.bridge_max > 1 and b != 3 and not b >> axis & 1))
        )

    @cython.cfunc
    @cython.exceptval(check=False)
    def _list_meeple(self) -> cython.int:
        k: cython.int = self._free_segments(0)
        self.mv[k] = PASS
        return k + 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def _free_segments(self, g_only: cython.int) -> cython.int:
        """Write the free segments of the tile just placed (R-BASE-8); with `g_only` stop at one."""
        g = self.g
        t = self.t
        mv = self.mv
        i: cython.int = g[PLACED]
        v: cython.int = g[self.var + i]
        first: cython.int = i * self.stride
        kinds: cython.int = self.kind + v * self.stride
        k: cython.int = 0
        n: cython.int = t[self.counts + (v >> 2)]
        most: cython.int = 4 if self.farmers else 3
        local: cython.int
        kind: cython.int
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
    def _list_castle(self) -> cython.int:
        g = self.g
        k: cython.int = 0
        j: cython.int
        for j in range(g[SMALL]):
            if g[self.small + 2 * j] == g[DECIDER]:
                self.mv[k] = g[self.small + 2 * j + 1]
                k += 1
        self.mv[k] = PASS
        return k + 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def _list_collect(self) -> cython.int:
        g = self.g
        k: cython.int = 0
        j: cython.int
        for j in range(g[WAVE]):
            if self._reaches(g[self.unpaid], g[self.wave + PAYOUT_SIZE * j]):
                self.mv[k] = g[self.wave + PAYOUT_SIZE * j]
                k += 1
        return k

    @cython.cfunc
    @cython.exceptval(check=False)
    def _top_bid(self, seat: cython.int, opening: cython.bint) -> cython.int:
        """The most that a seat may bid, or a large number for no limit (R-BAZAAR-18)."""
        g = self.g
        top: cython.int = 1000000000
        if self.max_bid >= 0:
            top = self.max_bid
        if not self.allow_negative:
            top = min(top, g[SCORE + seat])
        if opening and top < 0:
            top = 0
        return top

    def top_bid(self, seat: cython.int, opening: cython.bint):
        """The most that a seat may bid now; a billion if there is no limit (R-BAZAAR-18)."""
        return self._top_bid(seat, opening)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _last_listed(self, seat: cython.int) -> cython.int:
        """The highest bid that a listing shows to a seat."""
        current: cython.int = self.g[HIGH_BID]
        most: cython.int = max(LISTED, current + 10)
        return min(most, self._top_bid(seat, current < 0))

    @cython.cfunc
    @cython.exceptval(check=False)
    def _list_choose(self) -> cython.int:
        g = self.g
        mv = self.mv
        k: cython.int = 0
        last: cython.int = self._last_listed(g[DECIDER])
        lot: cython.int
        bid: cython.int
        for lot in range(g[ON_OFFER]):
            for bid in range(last + 1):
                mv[k] = lot << 20 | bid
                k += 1
        return k

    @cython.cfunc
    @cython.exceptval(check=False)
    def _list_bid(self) -> cython.int:
        g = self.g
        mv = self.mv
        k: cython.int = 0
        bid: cython.int
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
    def _list_deal(self) -> cython.int:
        mv = self.mv
        k: cython.int = 0
        if self._can_buy():
            mv[0] = BUY
            k = 1
        mv[k] = SELL
        return k + 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def _list_take(self) -> cython.int:
        lot: cython.int
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
        self._note(MARK, 0)
        self._answer(move)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _answer(self, move: cython.int) -> cython.void:
        phase: cython.int = self.g[PHASE]
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

    def set_up(self, stack, bridges: cython.int, markers: cython.int, meeples: cython.int):
        """Fill the header of an empty table: a stack of types, and everybody's pieces."""
        g = self.g
        k: cython.int
        for k in range(len(stack)):
            g[self.stack + k] = stack[k]
        g[STACK_SIZE] = len(stack)
        g[TILE] = g[PLACED] = g[PLACER] = -1
        g[CHOOSER] = g[LOT] = g[HIGH_BID] = g[HIGH_BIDDER] = -1
        for k in range(layout.SEATS):
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
        first: cython.int = self.stack + g[NEXT_TILE]
        k: cython.int
        j: cython.int
        tile: cython.int
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
        self._note(MARK, 0)
        self._put(STOPPED, 1)
        self._finish_game()

    @cython.cfunc
    @cython.exceptval(check=False)
    def _ask(self, phase: cython.int, seat: cython.int) -> cython.void:
        self._put(PHASE, phase)
        self._put(DECIDER, seat)

    # ---------------------------------------------------------------- taking a tile

    @cython.cfunc
    @cython.exceptval(check=False)
    def _begin_turn(self) -> cython.void:
        """A normal turn, or the end of the game when the stack is empty (R-BASE-20)."""
        g = self.g
        if g[NEXT_TILE] == g[STACK_SIZE]:
            self._finish_game()
            return
        if g[TILE] >= 0:
            self._put(TILE, -1)
        if g[FROM_HAND]:
            self._put(FROM_HAND, 0)
        self._find_place()

    @cython.cfunc
    @cython.exceptval(check=False)
    def _find_place(self) -> cython.void:
        """Draw until a tile can be placed, setting aside those that can't (R-BASE-6)."""
        g = self.g
        tile: cython.int
        ways: cython.int
        while True:
            tile = g[TILE]
            if tile < 0:
                if g[NEXT_TILE] == g[STACK_SIZE]:
                    self._end_turn()
                    return
                tile = g[self.stack + g[NEXT_TILE]]
                self._put(NEXT_TILE, g[NEXT_TILE] + 1)
                self._put(TILE, tile)
            ways = self._ways(tile, g[BRIDGES_LEFT + g[ACTIVE]] > 0)
            if ways:
                ways = ways == 1 and self.decline_discards
                if g[MAY_DECLINE] != ways:
                    self._put(MAY_DECLINE, ways)
                self._ask(PLACE, g[ACTIVE])
                return
            if self.on_set_aside and self.t[self.bazaar + tile] and not g[IN_ROUND]:
                self._put(MARKET_DUE, 1)
            self._set_aside()
            if g[FROM_HAND] and self.lose_turn:
                self._end_turn()
                return

    @cython.cfunc
    @cython.exceptval(check=False)
    def _set_aside(self) -> cython.void:
        g = self.g
        self._put(self.aside + g[ASIDE], g[TILE])
        self._put(ASIDE, g[ASIDE] + 1)
        self._put(TILE, -1)

    # ---------------------------------------------------------------- placing

    @cython.cfunc
    @cython.exceptval(check=False)
    def _answer_place(self, move: cython.int) -> cython.void:
        """Lay the tile with its bridge, or decline it (R-BRIDGE-8, R-BRIDGE-11)."""
        g = self.g
        if move == DECLINE:
            self._set_aside()
            if g[FROM_HAND] and self.lose_turn:
                self._end_turn()
            else:
                self._find_place()
            return
        tile: cython.int = g[TILE]
        cell: cython.int = move >> 4
        variant: cython.int = 4 * tile + (move >> 2 & 3)
        i: cython.int = g[LAID]
        side: cython.int = 0
        if move & 3:
            side = self._clash(cell, variant)
        self._put(PART, g[PART] + 1)
        self._put(PLACED, i)
        self._put(PLACER, g[ACTIVE])
        if g[BRIDGE_BUILT]:
            self._put(BRIDGE_BUILT, 0)
        self._put(TILE, -1)
        if self.t[self.bazaar + tile] and not g[IN_ROUND]:
            self._put(MARKET_DUE, 1)
        self._lay(cell, variant)
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
    def _edge_of(self, i: cython.int, side: cython.int) -> cython.int:
        """The edge code of a laid tile as it counts now (R-BRIDGE-6)."""
        g = self.g
        if g[self.bridge + i] >> (side & 1) & 1:
            return 2
        return self.t[self.edge + 4 * g[self.var + i] + side]

    @cython.cfunc
    @cython.exceptval(check=False)
    def _clash(self, cell: cython.int, variant: cython.int) -> cython.int:
        """The first side on which a tile laid so would clash with a laid one."""
        g = self.g
        side: cython.int
        w: cython.int
        mine: cython.int
        theirs: cython.int
        for side in range(4):
            w = g[self.board + ((cell + self.t[self.side_step + side]) & self.mask)]
            if w < 0:
                mine = self.t[self.edge + 4 * variant + side]
                theirs = self._edge_of(-1 - w, side ^ 2)
                if mine not in (theirs, 5) and theirs != 5:
                    return side
        return -1

    def clash(self, cell: cython.int, variant: cython.int):
        """The first side on which a tile laid so would clash, or -1."""
        return self._clash(cell, variant)

    def lay(self, x: cython.int, y: cython.int, variant: cython.int):
        """Lay a tile by coordinates without asking whether it fits: to set up positions."""
        g = self.g
        i: cython.int = g[LAID]
        cell: cython.int = self._cell(x, y)
        self._lay(cell, variant)
        g[self.px + i] = x
        g[self.py + i] = y

    @cython.cfunc
    @cython.exceptval(check=False)
    def _cell(self, x: cython.int, y: cython.int) -> cython.int:
        return (x + self.t[self.side_step + 2] * y) & self.mask

    def cell(self, x: cython.int, y: cython.int):
        """The number of a cell."""
        return self._cell(x, y)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _lay(self, cell: cython.int, variant: cython.int) -> cython.void:
        """Lay a tile, join what meets, and tell the cells around what they meet now."""
        g = self.g
        t = self.t
        i: cython.int = g[LAID]
        first: cython.int = i * self.stride
        n: cython.int = t[self.counts + (variant >> 2)]
        s: cython.int
        fresh: cython.int = self.fresh + variant * self.stride - first
        root: cython.int = self.root
        nxt: cython.int = self.next
        ends: cython.int = self.ends
        board: cython.int = self.board
        fsig: cython.int = self.fsig
        px: cython.int = self.px
        py: cython.int = self.py
        side: cython.int
        nb: cython.int
        w: cython.int
        f: cython.int
        edge: cython.int = self.edge + 4 * variant
        self._note(-2 - i, 0)
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
        self._put(LAID, i + 1)
        f = g[board + cell]
        if f > 0:
            self._close_cell(f)
        self._put(board + cell, -1 - i)
        for side in range(4):
            nb = (cell + t[self.side_step + side]) & self.mask
            w = g[board + nb]
            if w < 0:
                if side & 1:
                    g[px + i] = g[px - 1 - w] + side - 2
                    g[py + i] = g[py - 1 - w]
                else:
                    g[px + i] = g[px - 1 - w]
                    g[py + i] = g[py - 1 - w] + 1 - side
                self._join_side(i, variant, -1 - w, side)
            else:
                if w == 0:
                    w = g[FRONTIER] + 1
                    self._put(FRONTIER, w)
                    self._put(board + nb, w)
                    self._put(self.fcell + w, nb)
                self._put(fsig + w, g[fsig + w] + t[edge + side] * t[self.power + (side ^ 2)])
        if g[MAY_BRIDGE]:
            self._tell_bridges(i, cell)
        self._surround(i, cell, t[self.cloister + (variant >> 2)])

    @cython.cfunc
    @cython.exceptval(check=False)
    def _close_cell(self, f: cython.int) -> cython.void:
        """Take an open cell out of the frontier: the last one takes its number."""
        g = self.g
        last: cython.int = g[FRONTIER]
        self._put(FRONTIER, last - 1)
        if f != last:
            self._put(self.fcell + f, g[self.fcell + last])
            self._put(self.fsig + f, g[self.fsig + last])
            self._put(self.board + g[self.fcell + last], f)
            if g[self.fmend + f] != g[self.fmend + last]:
                self._put(self.fmend + f, g[self.fmend + last])
        self._put(self.fsig + last, 0)
        if g[self.fmend + last]:
            self._put(self.fmend + last, 0)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _tell_bridges(self, i: cython.int, cell: cython.int) -> cython.void:
        """Tell the open cells near a new tile which tiles can take bridges towards them."""
        g = self.g
        board: cython.int = self.board
        side: cython.int
        step: cython.int
        x: cython.int
        y: cython.int
        for side in range(2):
            step = self.t[self.side_step + side]
            x = g[board + ((cell + step) & self.mask)]
            y = g[board + ((cell - step) & self.mask)]
            if x > 0 and y > 0:
                if self._can_take(i, side):
                    self._put(self.fmend + x, g[self.fmend + x] | 4 << side)
                    self._put(self.fmend + y, g[self.fmend + y] | 1 << side)
                continue
            if x < 0:
                self._untell(cell + 2 * step, side ^ 2)
            if y < 0:
                self._untell(cell - 2 * step, side)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _untell(self, cell: cython.int, side: cython.int) -> cython.void:
        """Nothing beyond a side of this cell can be bridged towards it any more."""
        g = self.g
        f: cython.int = g[self.board + (cell & self.mask)]
        if f > 0 and g[self.fmend + f] >> side & 1:
            self._put(self.fmend + f, g[self.fmend + f] ^ 1 << side)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _tell_mend(self, f: cython.int, i: cython.int, side: cython.int) -> cython.void:
        """Note for the open cell beyond a side whether the tile can be bridged towards it.

        Its far end must be over an empty cell (R-BRIDGE-7).
        """
        g = self.g
        far: cython.int = (g[self.pcell + i] + self.t[self.side_step + (side ^ 2)]) & self.mask
        bit: cython.int = 1 << (side ^ 2)
        before: cython.int = g[self.fmend + f]
        after: cython.int = before & ~bit
        if g[self.board + far] >= 0 and self._can_take(i, side & 1):
            after |= bit
        if before != after:
            self._put(self.fmend + f, after)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _surround(self, i: cython.int, cell: cython.int, cloister: cython.int) -> cython.void:
        """Count the new tile for the cloisters around it, and the tiles around its own."""
        g = self.g
        left: cython.int = 9
        if cloister >= 0:
            self._put(CLOISTERS, g[CLOISTERS] + 1)
        elif g[CLOISTERS] == 0:
            return
        k: cython.int
        w: cython.int
        for k in range(8):
            w = g[self.board + ((cell + self.t[self.ring_step + k]) & self.mask)]
            if w < 0:
                left -= 1
                if g[self.around - 1 - w]:
                    self._put(self.around - 1 - w, g[self.around - 1 - w] - 1)
                    if g[self.around - 1 - w] == 1:
                        self._put(RINGED, g[PART])
        if cloister >= 0:
            g[self.around + i] = left

    @cython.cfunc
    @cython.exceptval(check=False)
    def _join_side(
        self, i: cython.int, variant: cython.int, j: cython.int, side: cython.int
    ) -> cython.void:
        """Join the segments of two tiles that meet at a side of the first (R-BASE-9)."""
        g = self.g
        t = self.t
        mine: cython.int = t[self.meets + 4 * variant + side]
        theirs: cython.int = t[self.meets + 4 * g[self.var + j] + (side ^ 2)]
        a: cython.int = i * self.stride - 1
        b: cython.int = j * self.stride - 1
        if g[self.bridge + j] >> (side & 1) & 1:
            theirs = theirs & ~15 | (self.segments + (side & 1) + 1)
        if mine & 15 and theirs & 15:
            self._join(a + (mine & 15), b + (theirs & 15))
        elif t[self.edge + 4 * variant + side] == 5 or self._edge_of(j, side ^ 2) == 5:
            self._close_side(a, mine)
            self._close_side(b, theirs)
            return
        if (mine >> 4) & 15 and theirs >> 8:
            self._join(a + ((mine >> 4) & 15), b + (theirs >> 8))
        if mine >> 8 and (theirs >> 4) & 15:
            self._join(a + (mine >> 8), b + ((theirs >> 4) & 15))

    @cython.cfunc
    @cython.exceptval(check=False)
    def _close_side(self, first: cython.int, meets: cython.int) -> cython.void:
        g = self.g
        r: cython.int
        while meets:
            if meets & 15:
                r = g[self.root + first + (meets & 15)]
                self._put(self.ends + r, g[self.ends + r] - OPEN_END)
            meets >>= 4

    @cython.cfunc
    @cython.exceptval(check=False)
    def _join(self, s: cython.int, u: cython.int) -> cython.void:
        """Join the features of two segments that meet; both lose an open end."""
        g = self.g
        a: cython.int = g[self.root + s]
        b: cython.int = g[self.root + u]
        if a == b:
            self._put(self.ends + a, g[self.ends + a] - 2 * OPEN_END)
            return
        x: cython.int = g[self.ends + a]
        y: cython.int = g[self.ends + b]
        if (x & (OPEN_END - 1)) > (y & (OPEN_END - 1)):
            a, b = b, a
        self._put(self.ends + b, x + y - 2 * OPEN_END)
        x = g[self.folk + a]
        if x:
            y = g[self.folk + b]
            self._put(self.folk + b, (x & MEEPLES) + (y & MEEPLES) + ((x | y) & ~MEEPLES))
        s = a
        while True:
            self._put(self.root + s, b)
            s = g[self.next + s]
            if s == a:
                break
        x = g[self.next + a]
        self._put(self.next + a, g[self.next + b])
        self._put(self.next + b, x)

    # ---------------------------------------------------------------- bridges

    def build_bridge(self, i: cython.int, axis: cython.int):
        """Lay a bridge of nobody's: to set up positions."""
        self._lay_bridge(i, axis)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _build_bridge(self, i: cython.int, axis: cython.int) -> cython.void:
        """Build one of the active player's bridges (R-BRIDGE-1, R-BRIDGE-2)."""
        seat: cython.int = BRIDGES_LEFT + self.g[ACTIVE]
        self._put(seat, self.g[seat] - 1)
        self._put(BRIDGE_BUILT, 1)
        self._lay_bridge(i, axis)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _lay_bridge(self, i: cython.int, axis: cython.int) -> cython.void:
        """Add the bridge's road, join the roads at its ends, change what the cells there meet."""
        g = self.g
        t = self.t
        s: cython.int = i * self.stride + self.segments + axis
        cell: cython.int = g[self.pcell + i]
        side: cython.int
        w: cython.int
        theirs: cython.int
        self._put(self.root + s, s)
        self._put(self.next + s, s)
        self._put(self.ends + s, 2 * OPEN_END + 1)
        self._put(self.folk + s, 0)
        self._put(self.bridge + i, g[self.bridge + i] | 1 << axis)
        for side in range(axis, 4, 2):
            w = g[self.board + ((cell + t[self.side_step + side]) & self.mask)]
            if w > 0:
                self._put(self.fsig + w, g[self.fsig + w] + t[self.power + (side ^ 2)])
            elif w < 0:
                w = -1 - w
                if g[self.bridge + w] >> axis & 1:
                    self._join(s, w * self.stride + self.segments + axis)
                else:
                    theirs = t[self.meets + 4 * g[self.var + w] + (side ^ 2)] & 15
                    if theirs:
                        self._join(s, w * self.stride + theirs - 1)
        if g[MAY_BRIDGE]:
            for side in range(4):
                w = g[self.board + ((cell + t[self.side_step + side]) & self.mask)]
                if w > 0:
                    self._tell_mend(w, i, side)

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
    def _answer_bridge(self, move: cython.int) -> cython.void:
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
    def _answer_meeple(self, move: cython.int) -> cython.void:
        g = self.g
        seat: cython.int = g[ACTIVE]
        if move >= 0:
            self._put(SUPPLY + seat, g[SUPPLY + seat] - 1)
            self._stand(g[PLACED] * self.stride + move, seat)
        self._complete_features()

    @cython.cfunc
    @cython.exceptval(check=False)
    def _stand(self, s: cython.int, seat: cython.int) -> cython.void:
        g = self.g
        r: cython.int = g[self.root + s]
        self._put(self.folk + r, g[self.folk + r] + (1 << 4 * seat))
        self._put(self.stand + s, g[self.stand + s] + (1 << 4 * seat))

    def put_meeple(self, s: cython.int, seat: cython.int):
        """Put a meeple on a segment: to set up positions."""
        self._stand(s, seat)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _send_home(self, r: cython.int) -> cython.void:
        """Return all meeples of a feature to their owners (R-BASE-17)."""
        g = self.g
        folk: cython.int = g[self.folk + r] & MEEPLES
        if folk == 0:
            return
        self._put(self.folk + r, g[self.folk + r] & ~MEEPLES)
        seat: cython.int = 0
        while folk:
            if folk & 15:
                self._put(SUPPLY + seat, g[SUPPLY + seat] + (folk & 15))
            folk >>= 4
            seat += 1
        s: cython.int = r
        while True:
            if g[self.stand + s]:
                self._put(self.stand + s, 0)
            s = g[self.next + s]
            if s == r:
                break

    # ---------------------------------------------------------------- completions

    @cython.cfunc
    @cython.exceptval(check=False)
    def _finish(self, r: cython.int) -> cython.void:
        """Add a feature to those that this placement completed, once."""
        g = self.g
        j: cython.int
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
        i: cython.int = g[PLACED]
        first: cython.int = i * self.stride
        v: cython.int = g[self.var + i]
        local: cython.int
        r: cython.int
        j: cython.int
        w: cython.int
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
    def _is_small(self, r: cython.int) -> cython.bint:
        """Whether a completed feature is a city of two segments on two tiles (R-CASTLE-2)."""
        g = self.g
        if g[self.ends + r] != 2 or self._kind(r) != 1:
            return False
        return r // self.stride != g[self.next + r] // self.stride

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _kind(self, s: cython.int) -> cython.int:
        i: cython.int = s // self.stride
        return self.t[self.kind + self.g[self.var + i] * self.stride + s - i * self.stride]

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _flags(self, s: cython.int) -> cython.int:
        i: cython.int = s // self.stride
        return self.t[self.flags + self.g[self.var + i] * self.stride + s - i * self.stride]

    @cython.cfunc
    @cython.exceptval(check=False)
    def _owner(self, r: cython.int) -> cython.int:
        """Whose castle a city could become (R-CASTLE-5, R-CASTLE-6), or -1."""
        folk: cython.int = self.g[self.folk + r] & MEEPLES
        best: cython.int = 0
        owner: cython.int = -1
        total: cython.int = 0
        seat: cython.int
        n: cython.int
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
        k: cython.int
        j: cython.int
        seat: cython.int
        r: cython.int
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
    def _drop_small(self, owner: cython.int, r: cython.int) -> cython.void:
        """Strike small cities off the list: an owner's (r < 0), or one."""
        g = self.g
        kept: cython.int = 0
        j: cython.int
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
        seat: cython.int
        while g[SMALL]:
            seat = g[self.small]
            if g[MARKERS + seat]:
                self._ask(CASTLE, seat)
                return
            self._drop_small(seat, -1)
        self._score_features()

    @cython.cfunc
    @cython.exceptval(check=False)
    def _answer_castle(self, move: cython.int) -> cython.void:
        """Convert one city; a pass leaves the owner's other cities to be scored."""
        g = self.g
        j: cython.int
        kept: cython.int = 0
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
    def _build_castle(self, r: cython.int) -> cython.void:
        """A marker on a small city, one meeple of the owner on the marker (R-CASTLE-8)."""
        g = self.g
        owner: cython.int = self._owner(r)
        s: cython.int = r
        if not g[self.stand + s] >> 4 * owner & 15:
            s = g[self.next + s]
        self._send_home(r)
        self._put(SUPPLY + owner, g[SUPPLY + owner] - 1)
        self._put(MARKERS + owner, g[MARKERS + owner] - 1)
        self._stand(s, owner)
        self._add_castle(r, owner, g[PART])

    def add_castle(self, r: cython.int, owner: cython.int, part: cython.int):
        """Put a castle on a small city: to set up positions."""
        self._add_castle(r, owner, part)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _add_castle(self, r: cython.int, owner: cython.int, part: cython.int) -> cython.void:
        g = self.g
        c: cython.int = self.castles + CASTLE_SIZE * g[CASTLES]
        self._put(CASTLES, g[CASTLES] + 1)
        self._put(self.folk + r, g[self.folk + r] | CASTLE_FLAG)
        self._put(c + CASTLE_ROOT, r)
        self._put(c + CASTLE_OWNER, owner)
        self._put(c + CASTLE_PART, part)
        a: cython.int = g[self.pcell + r // self.stride]
        b: cython.int = g[self.pcell + g[self.next + r] // self.stride]
        gap: cython.int = (a - b) & self.mask
        across: cython.int = self.t[self.side_step + 2]
        step: cython.int = 1 if gap in (across, self.mask + 1 - across) else across
        k: cython.int
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
            return 9 if completed else 10 - g[self.around + r // self.stride]
        if kind > 2:
            return 0
        tiles: cython.int = 0
        flags: cython.int = 0
        pennants: cython.int = 0
        count: cython.int = g[self.ends + r] & (OPEN_END - 1)
        s: cython.int = r
        i: cython.int
        f: cython.int
        self.shared.stamp += 1
        stamp: cython.int = self.shared.stamp
        while True:
            i = s // self.stride
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
    def _award(self, folk: cython.int, points: cython.int) -> cython.void:
        """Pay everyone who has the most meeples (R-BASE-16)."""
        g = self.g
        best: cython.int = 1
        seat: cython.int
        n: cython.int
        for seat in range(self.players):
            n = folk >> 4 * seat & 15
            if n > best:
                best = n
        for seat in range(self.players):
            if folk >> 4 * seat & 15 == best:
                self._put(SCORE + seat, g[SCORE + seat] + points)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _score_features(self) -> cython.void:
        """Pay the majorities of all completed features, then look at the castles."""
        g = self.g
        watched: cython.bint = g[CASTLES] > 0
        j: cython.int
        r: cython.int
        folk: cython.int
        points: cython.int
        for j in range(g[FINISHED]):
            r = g[self.finished + j]
            folk = g[self.folk + r] & MEEPLES
            if folk or watched:
                points = self._worth(r, self._kind(r), True)
                self._award(folk, points)
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
    def _reaches(self, castle: cython.int, r: cython.int) -> cython.bint:
        """Whether a feature has a tile in a castle's vicinity (R-CASTLE-16, 17, 25, 27)."""
        g = self.g
        c: cython.int = self.castles + CASTLE_SIZE * castle + CASTLE_CELLS
        k: cython.int
        w: cython.int
        s: cython.int
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
        k: cython.int
        c: cython.int
        seat: cython.int
        at: cython.int
        count: cython.int = 0
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
    def _is_paid(self, castle: cython.int) -> cython.bint:
        g = self.g
        j: cython.int
        for j in range(g[PAID]):
            if g[self.paid + j] == castle:
                return True
        return False

    @cython.cfunc
    @cython.exceptval(check=False)
    def _is_reached(self, castle: cython.int) -> cython.bint:
        g = self.g
        j: cython.int
        for j in range(g[WAVE]):
            if self._reaches(castle, g[self.wave + PAYOUT_SIZE * j]):
                return True
        return False

    @cython.cfunc
    @cython.exceptval(check=False)
    def _pay_castles(self) -> cython.void:
        """Pay the castles of this wave; an owner chooses where payouts differ (R-CASTLE-21)."""
        g = self.g
        j: cython.int
        best: cython.int
        most: cython.int
        points: cython.int
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
    def _differ(self, points: cython.int) -> cython.bint:
        """Whether a payout on offer to the castle at the head is worth something else."""
        g = self.g
        j: cython.int
        for j in range(g[WAVE]):
            if g[self.wave + PAYOUT_SIZE * j + PAYOUT_POINTS] != points and self._reaches(
                g[self.unpaid], g[self.wave + PAYOUT_SIZE * j]
            ):
                return True
        return False

    @cython.cfunc
    @cython.exceptval(check=False)
    def _pay(self, payout: cython.int) -> cython.void:
        """Pay the castle at the head of the queue (R-CASTLE-18, R-CASTLE-25)."""
        g = self.g
        c: cython.int = g[self.unpaid]
        at: cython.int = self.castles + CASTLE_SIZE * c
        points: cython.int = g[self.wave + PAYOUT_SIZE * payout + PAYOUT_POINTS]
        seat: cython.int = g[at + CASTLE_OWNER]
        n: cython.int = self.next_wave + PAYOUT_SIZE * g[NEXT_WAVE]
        j: cython.int
        self._put(SCORE + seat, g[SCORE + seat] + points)
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
    def _answer_collect(self, move: cython.int) -> cython.void:
        """The owner takes one of the payouts."""
        g = self.g
        j: cython.int
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
        j: cython.int
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
        seat: cython.int = g[ACTIVE] + 1
        self._put(ACTIVE, 0 if seat == self.players else seat)
        if g[MARKET_DUE]:
            self._put(MARKET_DUE, 0)
        self._begin_turn()

    @cython.cfunc
    @cython.exceptval(check=False)
    def _finish_game(self) -> cython.void:
        """Final scoring of all that is unfinished, and of farms (R-BASE-20 to 25)."""
        g = self.g
        self._put(TILE, -1)
        s: cython.int
        folk: cython.int
        kind: cython.int
        for s in range(g[LAID] * self.stride):
            folk = g[self.folk + s]
            if folk == 0 or g[self.root + s] != s:
                continue
            kind = self._kind(s)
            if folk & CASTLE_FLAG:
                self._send_home(s)
            elif kind == 3:
                if self.farmers:
                    self._score_farm(s, folk)
            else:
                self._award(
                    folk & MEEPLES,
                    self._worth(s, kind, self._is_complete(s, kind)),
                )
        self._ask(OVER, -1)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _is_complete(self, r: cython.int, kind: cython.int) -> cython.bint:
        g = self.g
        if kind == 2:
            return g[self.around + r // self.stride] == 1
        return kind < 2 and g[self.ends + r] < OPEN_END

    @cython.cfunc
    @cython.exceptval(check=False)
    def _score_farm(self, r: cython.int, folk: cython.int) -> cython.void:
        """Pay the owners of barns on a field, else its majority (R-BASE-22, R-CASTLE-33)."""
        g = self.g
        seat: cython.int
        best: cython.int = 1
        if g[ANIMALS] == 0:
            self._award(folk & MEEPLES, self._farm(r, 0))
            return
        if not folk & BARN_FLAG:
            for seat in range(self.players):
                best = max(best, folk >> 4 * seat & 15)
        for seat in range(self.players):
            if self._has_animal(r, seat, 1) if folk & BARN_FLAG else folk >> 4 * seat & 15 == best:
                self._put(SCORE + seat, g[SCORE + seat] + self._farm_of(r, seat))

    @cython.cfunc
    @cython.exceptval(check=False)
    def _farm_of(self, r: cython.int, seat: cython.int) -> cython.int:
        """What a field pays a seat, pigs and barns counted."""
        barn: cython.int = self.g[self.folk + r] & BARN_FLAG
        return self._farm(r, 1 if barn or self._has_animal(r, seat, 0) else 0)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _has_animal(self, r: cython.int, seat: cython.int, barn: cython.int) -> cython.bint:
        g = self.g
        j: cython.int
        for j in range(self.animals, self.animals + 3 * g[ANIMALS], 3):
            if g[self.root + g[j]] == r and g[j + 1] == seat and g[j + 2] == barn:
                return True
        return False

    @cython.cfunc
    @cython.exceptval(check=False)
    def _farm(self, r: cython.int, bonus: cython.int) -> cython.int:
        """Points of a field: each completed city once, castles among them (R-BASE-22, 24)."""
        g = self.g
        points: cython.int = 0
        s: cython.int = r
        i: cython.int
        c: cython.int
        near: cython.int
        self.shared.stamp += 1
        stamp: cython.int = self.shared.stamp
        while True:
            i = s // self.stride
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
        left: cython.int = g[STACK_SIZE] - g[NEXT_TILE]
        k: cython.int
        self._put(MARKET_DUE, 0)
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
        k: cython.int
        seat: cython.int
        waiting: cython.int = 0
        first: cython.int = -1
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
    def _answer_choose(self, move: cython.int) -> cython.void:
        """The chooser picks a tile and opens the bidding (R-BAZAAR-7)."""
        g = self.g
        k: cython.int
        seat: cython.int
        count: cython.int = 0
        self._put(LOT, move >> 20)
        self._put(HIGH_BID, move & 0xFFFFF)
        self._put(HIGH_BIDDER, g[CHOOSER])
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
        seat: cython.int
        k: cython.int
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
            self._hand_over(seat, g[LOT])
            self._next_lot()
            return
        if not self._can_buy():
            self._answer_deal(SELL)
            return
        self._ask(DEAL, g[CHOOSER])

    @cython.cfunc
    @cython.exceptval(check=False)
    def _answer_bid(self, move: cython.int) -> cython.void:
        """A higher bid, or none (R-BAZAAR-9)."""
        if move >= 0:
            self._put(HIGH_BID, move)
            self._put(HIGH_BIDDER, self.g[DECIDER])
        self._next_bidder()

    @cython.cfunc
    @cython.exceptval(check=False)
    def _answer_deal(self, move: cython.int) -> cython.void:
        """Buy from the highest bidder, or sell to them (R-BAZAAR-11, R-BAZAAR-13)."""
        g = self.g
        buyer: cython.int = g[CHOOSER]
        seller: cython.int = g[HIGH_BIDDER]
        if move == SELL:
            buyer, seller = seller, buyer
        self._put(SCORE + buyer, g[SCORE + buyer] - g[HIGH_BID])
        self._put(SCORE + seller, g[SCORE + seller] + g[HIGH_BID])
        self._hand_over(buyer, g[LOT])
        self._next_lot()

    @cython.cfunc
    @cython.exceptval(check=False)
    def _take_off(self, lot: cython.int) -> cython.int:
        """Take a tile off the table of those on offer."""
        g = self.g
        tile: cython.int = g[OFFER + lot]
        k: cython.int
        for k in range(lot + 1, g[ON_OFFER]):
            self._put(OFFER + k - 1, g[OFFER + k])
        self._put(ON_OFFER, g[ON_OFFER] - 1)
        return tile

    @cython.cfunc
    @cython.exceptval(check=False)
    def _hand_over(self, seat: cython.int, lot: cython.int) -> cython.void:
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
        k: cython.int
        seat: cython.int
        count: cython.int = 0
        for k in range(1, self.players + 1):
            seat = (g[LEADER] + k) % self.players
            if g[HAND + seat] >= 0:
                self._put(QUEUE + count, seat)
                count += 1
        self._put(QUEUED, count)
        self._round_next()

    @cython.cfunc
    @cython.exceptval(check=False)
    def _next_in_round(self) -> cython.int:
        """Take the next seat out of the round's queue."""
        g = self.g
        seat: cython.int = g[QUEUE]
        k: cython.int
        for k in range(1, g[QUEUED]):
            self._put(QUEUE + k - 1, g[QUEUE + k])
        self._put(QUEUED, g[QUEUED] - 1)
        return seat

    @cython.cfunc
    @cython.exceptval(check=False)
    def _round_next(self) -> cython.void:
        """The next turn of the round, or back to normal play (R-BAZAAR-20)."""
        g = self.g
        tile: cython.int
        seat: cython.int
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
        seat: cython.int
        if g[QUEUED] == 0 or g[ON_OFFER] == 0:
            self._close_round()
            return
        seat = self._next_in_round()
        if g[ON_OFFER] == 1:
            self._begin_bazaar_turn(seat, self._take_off(0))
            return
        self._put(ACTIVE, seat)
        self._ask(TAKE, seat)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _answer_take(self, move: cython.int) -> cython.void:
        """A player takes a tile on offer and plays it at once (R-BAZAAR-27)."""
        self._begin_bazaar_turn(self.g[DECIDER], self._take_off(move))

    @cython.cfunc
    @cython.exceptval(check=False)
    def _begin_bazaar_turn(self, seat: cython.int, tile: cython.int) -> cython.void:
        self._put(ACTIVE, seat)
        self._put(TILE, tile)
        self._put(FROM_HAND, 1)
        self._find_place()

    @cython.cfunc
    @cython.exceptval(check=False)
    def _close_round(self) -> cython.void:
        g = self.g
        k: cython.int
        self._put(IN_ROUND, 0)
        self._put(HANDS_OUT, 0)
        for k in range(self.players):
            if g[HAND + k] >= 0:
                self._put(HAND + k, -1)
        self._put(ON_OFFER, 0)
        self._put(QUEUED, 0)
        self._put(ACTIVE, g[LEADER])
        self._next_player()

    # ---------------------------------------------------------------- questions

    def worth(self, r: cython.int):
        """What a road, city or cloister pays as it lies; a field its cities, without animals."""
        return self._worth_now(r)

    @cython.cfunc
    @cython.exceptval(check=False)
    def _worth_now(self, r: cython.int) -> cython.int:
        g = self.g
        kind: cython.int = self._kind(r)
        seat: cython.int
        best: cython.int = 0
        folk: cython.int = g[self.folk + r]
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
            most: cython.int = 1
            for seat in range(self.players):
                most = max(most, folk >> 4 * seat & 15)
            for seat in range(self.players):
                if folk >> 4 * seat & 15 == most:
                    best = max(best, self._farm_of(r, seat))
        return best

    def members(self, s: cython.int):
        """The segments of the feature of a segment."""
        g = self.g
        r: cython.int = g[self.root + s]
        found = [r]
        s = g[self.next + r]
        while s != r:
            found.append(s)
            s = g[self.next + s]
        return found

    def roots(self):
        """Every feature once, by the segment that stands for it."""
        g = self.g
        s: cython.int
        return [
            s for s in range(g[LAID] * self.stride) if g[self.root + s] == s and g[self.ends + s]
        ]

    # ---------------------------------------------------------------- playouts

    @cython.cfunc
    @cython.exceptval(check=False)
    def _sow(self, seed: cython.ulonglong) -> cython.void:
        x: cython.ulonglong = (seed + GOLDEN) & ALL_BITS
        x = ((x ^ (x >> 30)) * MIX_ONE) & ALL_BITS
        x = ((x ^ (x >> 27)) * MIX_TWO) & ALL_BITS
        x ^= x >> 31
        self.seed = x if x else 1

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _pick(self, count: cython.int) -> cython.int:
        """A number below `count` from the generator (xorshift64*)."""
        x: cython.ulonglong = self.seed
        x ^= x >> 12
        x ^= (x << 25) & ALL_BITS
        x ^= x >> 27
        self.seed = x
        x = ((x * XORSHIFT) & ALL_BITS) >> 32
        return (x * count) >> 32

    @cython.ccall
    @cython.exceptval(check=False)
    def playout(self, seed: cython.ulonglong, policy: cython.int = 0) -> cython.longlong:
        """Play this game to its end with random moves; returns decisions << 32 | moves listed.

        `policy` 0 takes every listed move with the same chance; 1 is the cheap policy of
        `_choose_cheaply`. What was playable back before still is; the playout itself is not.
        """
        self._sow(seed)
        g = self.g
        mv = self.mv
        decisions: cython.longlong = 0
        listed: cython.longlong = 0
        count: cython.int
        self.nlog = 0
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

    @cython.cfunc
    @cython.exceptval(check=False)
    def _choose_cheaply(self, count: cython.int) -> cython.int:
        """A move as a cheap player makes it.

        Bids are capped by what the tile on offer could earn at once, castles are built, collects
        take the most, meeples are kept for later two times in five, bridges mostly too.
        """
        g = self.g
        mv = self.mv
        phase: cython.int = g[PHASE]
        value: cython.int
        j: cython.int
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
    def _best_collect(self) -> cython.int:
        g = self.g
        j: cython.int
        best: cython.int = -1
        for j in range(g[WAVE]):
            if self._reaches(g[self.unpaid], g[self.wave + PAYOUT_SIZE * j]) and (
                best < 0
                or g[self.wave + PAYOUT_SIZE * j + 1] > g[self.wave + PAYOUT_SIZE * best + 1]
            ):
                best = j
        return g[self.wave + PAYOUT_SIZE * best]

    def gain(self, tile: cython.int, seat: cython.int):
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
        best: cython.int = 2
        f: cython.int
        r: cython.int
        m: cython.int
        side: cython.int
        row: cython.int = self.fit + tile * self.signatures
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
    def _closing(self, cell: cython.int, side: cython.int, seat: cython.int) -> cython.int:
        """The road or city of a seat whose last open end meets a cell from a side, or -1."""
        g = self.g
        w: cython.int = g[self.board + ((cell + self.t[self.side_step + side]) & self.mask)]
        r: cython.int
        line: cython.int
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

    def perft(self, depth: cython.int):
        """How many sequences of so many listed moves there are from here."""
        count: cython.int = self._list()
        if depth <= 1:
            return count if depth == 1 else 1
        mv = self.mv
        i: cython.int
        listed = [mv[i] for i in range(count)]
        total = 0
        for move in listed:
            self.play(move)
            total += self.perft(depth - 1)
            self.undo()
        return total

    def exercise(self, rounds: cython.int):
        """Play and take back every listed move some times; returns how many were played."""
        count: cython.int = self._list()
        mv = self.mv
        i: cython.int
        j: cython.int
        listed = [mv[i] for i in range(count)]
        played: cython.longlong = 0
        move: cython.int
        for j in range(rounds):
            for i in range(count):
                move = listed[i]
                self.play(move)
                self.undo()
                played += 1
        return played

    def probe_copies(self, rounds: cython.int):
        """Copy the game some times; to measure."""
        twin: Engine = self
        j: cython.int
        for j in range(rounds):
            twin = self.copy()
        return twin
