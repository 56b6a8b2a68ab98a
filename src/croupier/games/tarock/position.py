"""The position of a match of Tarock: the data that the rules work on.

state.py holds the rules, showing.py decides what a seat may see. Card sets are 64-bit masks. The order of
bids and plays, which only views need, is packed into integers: four bits per bid, six per card.

What each seat has is in a ``vec`` by seat. `sums`, `owned` and `dealt` are replaced, never changed in place,
so clones share them. The others are empty until the first deal and do not change between deals.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from croupier.core.cards import NOTHING, bit, count, unpack
from croupier.core.contract import State
from croupier.games.tarock import sides
from croupier.games.tarock.contracts import KLOP
from croupier.games.tarock.scoring import DealResult
from croupier.games.tarock.view import Trick, Turn
from croupier.games.tarock.vocabulary import (
    DEALING,
    NOBODY,
    OVER,
    SEATS,
    TAROCKS,
    TarockRules,
)

NO_RESULTS: Final[list[DealResult]] = []
NO_TURNS: Final[list[int]] = []
"""Empty lists that fresh states share; these lists are replaced, never changed in place."""


class TarockPosition(State):
    """The data of a match; `TarockState` adds the rules."""

    def __init__(self, rules: TarockRules) -> None:
        super().__init__()
        self.rules = rules
        self.phase: i64 = DEALING
        self.turn: i64 = NOBODY
        """The seat that owes a decision."""
        # The match.
        self.number: i64 = 0
        """The deal, from 1."""
        self.ended: i64 = 0
        self.sums: vec[i64] = NOTHING
        """The totals."""
        self.owned: vec[i64] = NOTHING
        """The radelci."""
        self.books: list[DealResult] = NO_RESULTS
        """The results of all deals except the last one."""
        self.last: DealResult | None = None
        """The result of the last deal, until the next one is dealt."""
        self.void = False
        """Whether a void deal came before this one, which may make klop compulsory."""
        # The deal. Everything stays visible until the next one is dealt.
        self.dealer: i64 = NOBODY
        self.compulsory = False
        self.dealt: vec[i64] = vec[i64]()
        """The 12 cards dealt to each seat."""
        self.hands: vec[i64] = vec[i64]()
        """The cards each seat holds."""
        self.talon: i64 = 0
        """The six cards of the talon in their order, packed."""
        # The auction.
        self.passed: i64 = 0
        self.high: i64 = NOBODY
        self.holder: i64 = NOBODY
        self.low: i64 = 0
        """The lowest contract the seat whose turn it is may bid."""
        self.passable: i64 = 0
        """1 if that seat may pass, otherwise 0."""
        self.spoken: i64 = 0
        """The number of bids, 24 at most; ``b0`` and ``b1`` hold them, contracts counting from 1."""
        self.b0: i64 = 0
        self.b1: i64 = 0
        self.contract: i64 = NOBODY
        self.declarer: i64 = NOBODY
        # The king and the talon.
        self.king: i64 = NOBODY
        self.king_bit: i64 = 0
        self.partner: i64 = NOBODY
        self.found: i64 = sides.UNKNOWN
        """What everyone knows of the partner (sides.py)."""
        self.foes: i64 = 0
        self.many: i64 = 0
        """How many cards are exchanged; more than 0 once the talon is open."""
        self.picked: i64 = NOBODY
        self.laid: i64 = 0
        self.laid_order: i64 = 0
        """Declarer's discards, as a set and packed in the order named."""
        self.rest: i64 = 0
        """The cards of the talon that were not taken, while they belong to the opponents."""
        self.exchanged = False
        # Announcements.
        self.turns: i64 = 0
        self.idle: i64 = 0
        """The number of empty turns in a row."""
        self.claimed: i64 = 0
        self.raised: i64 = 0
        """The bonuses and items that the seat whose turn it is has chosen in its unfinished turn."""
        self.announcers: i64 = 0
        self.steps: i64 = 0
        """Packed as in sides.py."""
        self.a0: i64 = 0
        """The first four turns, thirteen bits each: seat, bonuses, items."""
        self.later: list[int] = NO_TURNS
        """The turns after the first four."""
        # The play.
        self.aim: i64 = 0
        self.negative = False
        self.trumps: i64 = TAROCKS
        self.tricks: i64 = 0
        """The number of finished tricks."""
        self.leader: i64 = NOBODY
        self.fallen: i64 = 0
        """The number of cards on the table."""
        self.trick: i64 = 0
        """The cards on the table, packed, beginning with the leader's."""
        self.table: i64 = 0
        """The same cards as a set."""
        self.led: i64 = 0
        self.best: i64 = 0
        self.winner: i64 = NOBODY
        """The seat that has played the best card so far."""
        self.may: i64 = 0
        """What the seat whose turn it is may play."""
        self.piles: vec[i64] = vec[i64]()
        """The cards each seat has won, gifts and the rest of the talon included."""
        self.won: i64 = 0
        """How many tricks each seat has won, four bits per seat."""
        self.mond: i64 = NOBODY
        """The seat that has lost the mond to the škis."""
        self.shown = False
        """Whether the hand of an open beggar has been shown."""
        self.played: vec[i64] = vec[i64]()
        """The finished tricks of the deal: four packed cards, then the leader."""

    def copy_to(self, twin: TarockPosition) -> None:
        """Copy this position to *twin*, which has the same rules."""
        twin.phase = self.phase
        twin.turn = self.turn
        twin.number = self.number
        twin.ended = self.ended
        twin.sums = self.sums
        twin.owned = self.owned
        # These lists are replaced, never changed in place.
        twin.books = self.books
        twin.last = self.last
        twin.later = self.later
        twin.void = self.void
        twin.dealer = self.dealer
        twin.compulsory = self.compulsory
        twin.dealt = self.dealt
        twin.talon = self.talon
        twin.passed = self.passed
        twin.high = self.high
        twin.holder = self.holder
        twin.low = self.low
        twin.passable = self.passable
        twin.spoken = self.spoken
        twin.b0 = self.b0
        twin.b1 = self.b1
        twin.contract = self.contract
        twin.declarer = self.declarer
        twin.king = self.king
        twin.king_bit = self.king_bit
        twin.partner = self.partner
        twin.found = self.found
        twin.foes = self.foes
        twin.many = self.many
        twin.picked = self.picked
        twin.laid = self.laid
        twin.laid_order = self.laid_order
        twin.rest = self.rest
        twin.exchanged = self.exchanged
        twin.turns = self.turns
        twin.idle = self.idle
        twin.claimed = self.claimed
        twin.raised = self.raised
        twin.announcers = self.announcers
        twin.steps = self.steps
        twin.a0 = self.a0
        twin.aim = self.aim
        twin.negative = self.negative
        twin.trumps = self.trumps
        twin.tricks = self.tricks
        twin.leader = self.leader
        twin.fallen = self.fallen
        twin.trick = self.trick
        twin.table = self.table
        twin.led = self.led
        twin.best = self.best
        twin.winner = self.winner
        twin.may = self.may
        twin.won = self.won
        twin.mond = self.mond
        twin.shown = self.shown
        if self.phase == DEALING or self.phase == OVER:
            twin.hands = self.hands
            twin.piles = self.piles
            twin.played = self.played
        else:
            twin.hands = self.hands[:]
            twin.piles = self.piles[:]
            twin.played = self.played[:]

    def totals(self) -> list[int]:
        """Return everyone's total so far."""
        return [int(total) for total in self.sums]

    def all_radelci(self) -> list[int]:
        """Return everyone's radelci."""
        return [int(many) for many in self.owned]

    def results(self) -> list[DealResult]:
        """Return the results of the finished deals."""
        return self.books[:] if self.last is None else [*self.books, self.last]

    def talon_set(self, number: i64) -> i64:
        """Return set *number* of the open talon."""
        cards: i64 = 0
        at = number * self.many
        end = at + self.many
        while at < end:
            cards |= bit(self.talon >> 6 * at & 63)
            at += 1
        return cards

    def discarded(self) -> list[int]:
        """Return declarer's discards in the order named."""
        return unpack(self.laid_order, count(self.laid))

    # Bids, announcements and tricks, packed for the views.

    def write_bid(self, code: i64) -> None:
        """Record a bid: 0 for pass, contracts from 1."""
        at = self.spoken
        if at < 15:
            self.b0 |= code << 4 * at
        else:
            self.b1 |= code << 4 * (at - 15)
        self.spoken += 1

    def write_turn(self, seat: i64, bonuses: i64, items: i64) -> None:
        """Record the announcements of a turn."""
        packed = seat | bonuses << 2 | items << 7
        if self.turns < SEATS:
            self.a0 |= packed << 13 * self.turns
        else:
            self.later = [*self.later, int(packed)]
        self.turns += 1

    def bids(self) -> list[list[int]]:
        """Return seat and contract (-1 for pass) of all bids."""
        out: list[list[int]] = []
        seat = (int(self.dealer) + 2) % SEATS
        passed = 0
        for at in range(self.spoken):
            word = self.b0 if at < 15 else self.b1
            code = int(word >> 4 * (at % 15) & 15)
            out.append([seat, code - 1])
            if code == 0:
                passed |= 1 << seat
            if passed == 0b1111:
                break
            seat = (seat + 1) % SEATS
            while passed >> seat & 1:
                seat = (seat + 1) % SEATS
        return out

    def said(self) -> list[Turn]:
        """Return the turns of the announcements."""
        packed = [int(self.a0 >> 13 * at & 0x1FFF) for at in range(min(int(self.turns), SEATS))]
        return [Turn(word & 3, word >> 2 & 31, word >> 7) for word in packed + self.later]

    def finished(self) -> list[Trick]:
        """Return the finished tricks."""
        out: list[Trick] = []
        for at in range(self.tricks):
            leader = int(self.played[at] >> 24)
            # The winner of a trick leads to the next.
            winner = int(self.played[at + 1] >> 24) if at + 1 < self.tricks else int(self.leader)
            gift = int(self.talon >> 6 * at & 63) if self.contract == KLOP and at < 6 else NOBODY
            out.append(Trick(leader, unpack(self.played[at], SEATS), winner, gift))
        return out
