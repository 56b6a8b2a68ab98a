"""Where a match of Coinche stands: all that the rules remember of it.

What happens is in state.py, what a seat may see in showing.py. The auction is a value of its own
(auction.py), frozen once it is over, so that clones share it. Card sets are 64-bit masks held in plain
attributes, one a seat (``h0`` to ``h3``): compiled, they need no objects at all. What only views want, the
order of plays, is packed into integers, six bits a card.
"""

from __future__ import annotations

from mypy_extensions import i64

from croupier.core.cards import bit
from croupier.core.contract import State
from croupier.games.coinche.auction import NOBODY, Auction
from croupier.games.coinche.scoring import belote_suits, pair
from croupier.games.coinche.view import Announcement, DealResult
from croupier.games.coinche.vocabulary import BIDDING, DEALING, HAND, CoincheRules


class CoinchePosition(State):
    """The memory of a match; `CoincheState` plays it."""

    def __init__(self, rules: CoincheRules) -> None:
        super().__init__()
        self.rules = rules
        self.phase: i64 = DEALING
        # The match.
        self.number: i64 = 0
        """The deal, from 1."""
        self.ended: i64 = 0
        """The deals that are over."""
        self.next_dealer: i64 = rules.first_dealer
        """Who deals next, or -1 while that is to be drawn."""
        self.s0: i64 = 0
        self.s1: i64 = 0
        """``s0`` and ``s1``: the match score of the teams."""
        self.results: list[DealResult] = []
        # The deal. Everything stays to be seen until the next one is dealt.
        self.dealer: i64 = NOBODY
        self.auction = Auction(rules, NOBODY)
        self.d0: i64 = 0
        self.d1: i64 = 0
        self.d2: i64 = 0
        self.d3: i64 = 0
        """``d0`` to ``d3``: the eight cards each seat was dealt."""
        self.h0: i64 = 0
        self.h1: i64 = 0
        self.h2: i64 = 0
        self.h3: i64 = 0
        """``h0`` to ``h3``: the hands."""
        self.p0: i64 = 0
        self.p1: i64 = 0
        """``p0`` and ``p1``: the card points the teams have taken."""
        self.takers: i64 = 0
        """Who took the tricks, two bits each."""
        self.won: i64 = 0
        """How many of them team 1 took."""
        # The trick.
        self.round: i64 = 0
        self.leader: i64 = NOBODY
        self.turn: i64 = NOBODY
        """Whoever is to speak or to play."""
        self.may: i64 = 0
        """What the seat whose turn it is may play."""
        self.fallen: i64 = 0
        """How many cards lie on the table."""
        self.trick: i64 = 0
        """These cards, packed from the leader on."""
        self.led: i64 = 0
        self.best: i64 = 0
        self.over_best: i64 = 0
        """The cards that would take the trick from the best one."""
        self.winner: i64 = NOBODY
        self.pile: i64 = 0
        """The points on the table."""
        # The finished tricks, two in a word: four cards, then the leader.
        self.l0: i64 = 0
        self.l1: i64 = 0
        self.l2: i64 = 0
        self.l3: i64 = 0

    def copy_to(self, twin: CoinchePosition) -> None:
        """Make *twin*, which has the same rules, stand where this one does."""
        twin.phase = self.phase
        twin.number = self.number
        twin.ended = self.ended
        twin.next_dealer = self.next_dealer
        twin.s0 = self.s0
        twin.s1 = self.s1
        twin.results = self.results  # it only grows, by whole new lists: see CoincheState
        twin.dealer = self.dealer
        twin.auction = self.auction.clone() if self.phase == BIDDING else self.auction
        twin.d0 = self.d0
        twin.d1 = self.d1
        twin.d2 = self.d2
        twin.d3 = self.d3
        twin.h0 = self.h0
        twin.h1 = self.h1
        twin.h2 = self.h2
        twin.h3 = self.h3
        twin.p0 = self.p0
        twin.p1 = self.p1
        twin.takers = self.takers
        twin.won = self.won
        twin.round = self.round
        twin.leader = self.leader
        twin.turn = self.turn
        twin.may = self.may
        twin.fallen = self.fallen
        twin.trick = self.trick
        twin.led = self.led
        twin.best = self.best
        twin.over_best = self.over_best
        twin.winner = self.winner
        twin.pile = self.pile
        twin.l0 = self.l0
        twin.l1 = self.l1
        twin.l2 = self.l2
        twin.l3 = self.l3

    # One attribute a seat, found by number.

    def hand(self, seat: i64) -> i64:
        """Return the cards *seat* holds."""
        if seat < 2:
            return self.h0 if seat == 0 else self.h1
        return self.h2 if seat == 2 else self.h3

    def dealt(self, seat: i64) -> i64:
        """Return the eight cards *seat* was dealt."""
        if seat < 2:
            return self.d0 if seat == 0 else self.d1
        return self.d2 if seat == 2 else self.d3

    def take_from(self, seat: i64, card: i64) -> None:
        """Take *card* out of the hand of *seat*."""
        gone = ~bit(card)
        if seat < 2:
            if seat == 0:
                self.h0 &= gone
            else:
                self.h1 &= gone
        elif seat == 2:
            self.h2 &= gone
        else:
            self.h3 &= gone

    # The tricks, packed away for the views.

    def write_trick(self) -> None:
        """Note the trick on the table."""
        packed = self.trick | self.leader << 24
        at = self.round - 1
        if at & 1:
            packed <<= 26
        word = at >> 1
        if word < 2:
            if word == 0:
                self.l0 |= packed
            else:
                self.l1 |= packed
        elif word == 2:
            self.l2 |= packed
        else:
            self.l3 |= packed

    def finished(self, at: i64) -> i64:
        """Return trick *at* (from 0) of the deal: four cards and its leader."""
        word = self.l0 if at < 2 else self.l1 if at < 4 else self.l2 if at < 6 else self.l3
        return word >> 26 if at & 1 else word & 0x3FFFFFF

    # How the deal and the match stand.

    def partner_holds(self) -> bool:
        """Say whether the partner of the seat whose turn it is has the best card so far."""
        return (self.winner ^ self.turn) & 1 == 0

    def announcement(self, seat: i64, card: i64, left: i64) -> Announcement | None:
        """Return what *seat* says when it plays *card* and keeps *left* (R7.2)."""
        suit = card // 8
        both = pair(suit)
        if not bit(card) & both or self.dealt(seat) & both != both:
            return None
        if not belote_suits(self.auction.denomination, self.rules) >> suit & 1:
            return None
        return Announcement(int(seat), int(suit), left & both == 0)

    def alone(self) -> bool:
        """Say whether the bidder's own cards took all eight tricks."""
        at: i64 = 0
        while at < HAND:
            if self.takers >> 2 * at & 3 != self.auction.bidder:
                return False
            at += 1
        return True

    def leading(self) -> int:
        """Return the team with the higher match score."""
        return 0 if self.s0 > self.s1 else 1

    def totals(self) -> list[int]:
        """Return the match score of the two teams."""
        return [int(self.s0), int(self.s1)]

    def deal(self) -> int:
        return int(self.ended)

    def scores(self) -> list[int]:
        return self.totals() * 2

    def payoffs(self) -> list[float]:
        gap = float(self.s0 - self.s1)
        return [gap, -gap, gap, -gap]
