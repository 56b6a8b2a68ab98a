"""Where a match of Tarock stands: all that the rules remember, and what each seat may see of it.

What happens is in state.py. Card sets are 64-bit masks held in plain attributes, one a seat (``h0`` to
``h3``): compiled, they need no objects at all. What only views want, the order of bids and plays, is
packed into integers: four bits a bid, six a card.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from croupier.core.cards import bit, count, unpack
from croupier.core.contract import State
from croupier.games.tarock import sides
from croupier.games.tarock.contracts import KLOP
from croupier.games.tarock.scoring import DealResult
from croupier.games.tarock.view import TarockView, Trick, Turn
from croupier.games.tarock.vocabulary import (
    DEALING,
    HAND,
    NOBODY,
    OVER,
    PLAYING,
    SEATS,
    TAROCKS,
    TarockRules,
)

NO_RESULTS: Final[list[DealResult]] = []
NO_TURNS: Final[list[int]] = []
"""Lists of the history are replaced, never changed: so fresh states can share the empty ones."""


class TarockPosition(State):
    """The memory of a match; `TarockState` plays it."""

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
        self.s0: i64 = 0
        self.s1: i64 = 0
        self.s2: i64 = 0
        self.s3: i64 = 0
        """``s0`` to ``s3``: the totals."""
        self.r0: i64 = 0
        self.r1: i64 = 0
        self.r2: i64 = 0
        self.r3: i64 = 0
        """``r0`` to ``r3``: the radelci."""
        self.results: list[DealResult] = NO_RESULTS
        self.void = False
        """Whether a deal had to be dealt again, which may make klop compulsory."""
        # The deal. Everything stays to be seen until the next one is dealt.
        self.dealer: i64 = NOBODY
        self.compulsory = False
        self.d0: i64 = 0
        self.d1: i64 = 0
        self.d2: i64 = 0
        self.d3: i64 = 0
        """``d0`` to ``d3``: the 12 cards each seat was dealt."""
        self.h0: i64 = 0
        self.h1: i64 = 0
        self.h2: i64 = 0
        self.h3: i64 = 0
        """``h0`` to ``h3``: the hands."""
        self.talon: i64 = 0
        """The six cards of the talon in their order, packed."""
        # The auction.
        self.passed: i64 = 0
        self.high: i64 = NOBODY
        self.holder: i64 = NOBODY
        self.low: i64 = 0
        """The lowest contract the speaker may bid."""
        self.passable: i64 = 0
        """1 if he may pass, else 0."""
        self.spoken: i64 = 0
        """How much was said, 24 at most; ``b0`` and ``b1`` hold it, a contract counting from 1."""
        self.b0: i64 = 0
        self.b1: i64 = 0
        self.contract: i64 = NOBODY
        self.declarer: i64 = NOBODY
        # The king and the talon.
        self.king: i64 = NOBODY
        self.king_bit: i64 = 0
        self.partner: i64 = NOBODY
        self.found: i64 = sides.UNKNOWN
        """What everybody knows of the partner (sides.py)."""
        self.foes: i64 = 0
        self.many: i64 = 0
        """How many cards are exchanged; more than 0 once the talon is open."""
        self.picked: i64 = NOBODY
        self.laid: i64 = 0
        self.laid_order: i64 = 0
        """What declarer has laid away, as a set and packed in the order he named it."""
        self.rest: i64 = 0
        """The unpicked cards of the talon, while they are the opponents'."""
        self.exchanged = False
        # Announcements.
        self.turns: i64 = 0
        self.idle: i64 = 0
        """How many turns in a row were empty."""
        self.claimed: i64 = 0
        self.raised: i64 = 0
        """What the seat whose turn it is is about to announce and to double."""
        self.announcers: i64 = 0
        self.steps: i64 = 0
        """Packed as in sides.py."""
        self.a0: i64 = 0
        """The first four turns, thirteen bits each: seat, bonuses, items."""
        self.later: list[int] = NO_TURNS
        """The turns after these."""
        # The play.
        self.aim: i64 = 0
        self.negative = False
        self.trumps: i64 = TAROCKS
        self.tricks: i64 = 0
        """How many are finished."""
        self.leader: i64 = NOBODY
        self.fallen: i64 = 0
        """How many cards lie on the table."""
        self.trick: i64 = 0
        """These cards, packed from the leader on."""
        self.table: i64 = 0
        """The same as a set."""
        self.led: i64 = 0
        self.best: i64 = 0
        self.winner: i64 = NOBODY
        """Who has played the best card so far."""
        self.may: i64 = 0
        """What the seat whose turn it is may play."""
        self.p0: i64 = 0
        self.p1: i64 = 0
        self.p2: i64 = 0
        self.p3: i64 = 0
        """``p0`` to ``p3``: the cards each seat has won, gifts and the rest of the talon included."""
        self.won: i64 = 0
        """How many tricks each seat has won, four bits a seat."""
        self.mond: i64 = NOBODY
        """Who has lost the mond to the škis."""
        self.shown = False
        """Whether the hand of an open beggar lies open."""
        # The finished tricks, two in a word: four cards, then the leader.
        self.l0: i64 = 0
        self.l1: i64 = 0
        self.l2: i64 = 0
        self.l3: i64 = 0
        self.l4: i64 = 0
        self.l5: i64 = 0

    def copy_to(self, twin: TarockPosition) -> None:
        """Make *twin*, which has the same rules, stand where this one does."""
        twin.phase = self.phase
        twin.turn = self.turn
        twin.number = self.number
        twin.ended = self.ended
        twin.s0 = self.s0
        twin.s1 = self.s1
        twin.s2 = self.s2
        twin.s3 = self.s3
        twin.r0 = self.r0
        twin.r1 = self.r1
        twin.r2 = self.r2
        twin.r3 = self.r3
        # These only grow, by whole new lists.
        twin.results = self.results
        twin.later = self.later
        twin.void = self.void
        twin.dealer = self.dealer
        twin.compulsory = self.compulsory
        twin.d0 = self.d0
        twin.d1 = self.d1
        twin.d2 = self.d2
        twin.d3 = self.d3
        twin.h0 = self.h0
        twin.h1 = self.h1
        twin.h2 = self.h2
        twin.h3 = self.h3
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
        twin.p0 = self.p0
        twin.p1 = self.p1
        twin.p2 = self.p2
        twin.p3 = self.p3
        twin.won = self.won
        twin.mond = self.mond
        twin.shown = self.shown
        twin.l0 = self.l0
        twin.l1 = self.l1
        twin.l2 = self.l2
        twin.l3 = self.l3
        twin.l4 = self.l4
        twin.l5 = self.l5

    # One attribute a seat, found by number.

    def hand(self, seat: i64) -> i64:
        """Return the cards *seat* holds."""
        if seat < 2:
            return self.h0 if seat == 0 else self.h1
        return self.h2 if seat == 2 else self.h3

    def set_hand(self, seat: i64, cards: i64) -> None:
        """Give *seat* these cards."""
        if seat < 2:
            if seat == 0:
                self.h0 = cards
            else:
                self.h1 = cards
        elif seat == 2:
            self.h2 = cards
        else:
            self.h3 = cards

    def dealt(self, seat: i64) -> i64:
        """Return the 12 cards *seat* was dealt."""
        if seat < 2:
            return self.d0 if seat == 0 else self.d1
        return self.d2 if seat == 2 else self.d3

    def pile(self, seat: i64) -> i64:
        """Return the cards *seat* has won."""
        if seat < 2:
            return self.p0 if seat == 0 else self.p1
        return self.p2 if seat == 2 else self.p3

    def add_to_pile(self, seat: i64, cards: i64) -> None:
        """Put *cards* on the pile of *seat*."""
        if seat < 2:
            if seat == 0:
                self.p0 |= cards
            else:
                self.p1 |= cards
        elif seat == 2:
            self.p2 |= cards
        else:
            self.p3 |= cards

    def totals(self) -> list[int]:
        """Return everybody's total so far."""
        return [int(self.s0), int(self.s1), int(self.s2), int(self.s3)]

    def all_radelci(self) -> list[int]:
        """Return everybody's radelci."""
        return [int(self.r0), int(self.r1), int(self.r2), int(self.r3)]

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
        """Return what declarer has laid away, in the order he named it."""
        return unpack(self.laid_order, count(self.laid))

    # What was said and played, packed away for the views.

    def write_bid(self, code: i64) -> None:
        """Note what was said: 0 for pass, contracts from 1."""
        at = self.spoken
        if at < 15:
            self.b0 |= code << 4 * at
        else:
            self.b1 |= code << 4 * (at - 15)
        self.spoken += 1

    def write_turn(self, seat: i64, bonuses: i64, items: i64) -> None:
        """Note what was announced in a turn."""
        packed = seat | bonuses << 2 | items << 7
        if self.turns < SEATS:
            self.a0 |= packed << 13 * self.turns
        else:
            self.later = [*self.later, int(packed)]
        self.turns += 1

    def write_trick(self) -> None:
        """Note the trick on the table."""
        packed = self.trick | self.leader << 24
        if self.tricks & 1:
            packed <<= 26
        word = self.tricks >> 1
        if word == 0:
            self.l0 |= packed
        elif word == 1:
            self.l1 |= packed
        elif word == 2:
            self.l2 |= packed
        elif word == 3:
            self.l3 |= packed
        elif word == 4:
            self.l4 |= packed
        else:
            self.l5 |= packed

    def bids(self) -> list[list[int]]:
        """Return seat and contract (-1 for pass) of all that was said."""
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
        words: list[i64] = []
        for word in [self.l0, self.l1, self.l2, self.l3, self.l4, self.l5]:
            words.append(word & 0x3FFFFFF)
            words.append(word >> 26)
        out: list[Trick] = []
        for at in range(self.tricks):
            leader = int(words[at] >> 24)
            # Who wins a trick leads to the next.
            winner = int(words[at + 1] >> 24) if at + 1 < self.tricks else int(self.leader)
            gift = int(self.talon >> 6 * at & 63) if self.contract == KLOP and at < 6 else NOBODY
            out.append(Trick(leader, unpack(words[at], SEATS), winner, gift))
        return out

    # What a seat may know.

    def to_act_for(self, seat: int) -> int:
        return self.to_act()

    def view(self, seat: int) -> TarockView:
        view = TarockView(seat)
        if self.number == 0:
            return view
        view.to_act = self.to_act()
        view.legal = self.legal_actions(seat)
        view.options = dict(self.rules.options)
        view.phase = int(self.phase)
        view.deal = int(self.number)
        view.dealer = int(self.dealer)
        view.compulsory = self.compulsory
        view.turn = int(self.turn)
        view.totals = self.totals()
        view.radelci = self.all_radelci()
        view.results = self.results[:]
        self._show_own(view)
        self._show_contract(view)
        self._show_play(view)
        if self.phase == DEALING or self.phase == OVER:
            view.hands = [self.d0, self.d1, self.d2, self.d3]
            view.whole_talon = unpack(self.talon, 6)
            view.discards = self.discarded()
        return view

    def _show_own(self, view: TarockView) -> None:
        seat = view.seat
        if seat < 0:
            return
        view.dealt = self.dealt(seat)
        view.hand = self.hand(seat)
        if seat == self.declarer:
            view.laid = self.discarded()
        if seat == self.turn:
            view.claimed = int(self.claimed)
            view.raised = int(self.raised)

    def _show_contract(self, view: TarockView) -> None:
        view.bids = self.bids()
        view.passed = int(self.passed)
        view.high = int(self.high)
        view.holder = int(self.holder)
        view.contract = int(self.contract)
        view.declarer = int(self.declarer)
        view.king = int(self.king)
        view.found = int(self.found)
        view.foes = int(self.foes)
        view.many = int(self.many)
        if self.many:
            view.talon = unpack(self.talon, 6)
            view.picked = int(self.picked)
            if self.exchanged:
                view.discarded = self.laid & TAROCKS
        view.turns = self.said()
        view.announcers = int(self.announcers)
        view.steps = int(self.steps)

    def _show_play(self, view: TarockView) -> None:
        view.counts = [HAND, HAND, HAND, HAND]
        view.leader = int(self.leader)
        view.tricks = self.finished()
        view.trick = unpack(self.trick, self.fallen) if self.phase == PLAYING else []
        for at in range(SEATS):
            seat = (view.leader + at) % SEATS
            view.counts[seat] -= len(view.tricks) + (1 if at < len(view.trick) else 0)
        if self.shown:
            view.revealed = self.hand(self.declarer)
