"""The position of a match of Coinche: the data that the rules work on.

state.py holds the rules, showing.py decides what a seat may see. The auction is a separate object
(auction.py) that does not change once it is over, so clones share it. Card sets are 64-bit masks. The
order of plays, which only views need, is packed into integers, six bits per card.

What each seat has is in a ``vec`` by seat, empty until the first deal. `dealt` is replaced, never changed in
place, so clones share it. The others do not change between deals.
"""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from croupier.core.cards import bit
from croupier.core.contract import State
from croupier.games.coinche.auction import NOBODY, Auction
from croupier.games.coinche.scoring import belote_suits, pair
from croupier.games.coinche.view import Announcement, DealResult
from croupier.games.coinche.vocabulary import BIDDING, DEALING, HAND, OVER, CoincheRules


class CoinchePosition(State):
    """The data of a match; `CoincheState` adds the rules."""

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
        """The next dealer, or -1 until one is drawn."""
        self.s0: i64 = 0
        self.s1: i64 = 0
        """``s0`` and ``s1``: the match score of the teams."""
        self.results: list[DealResult] = []
        # The deal. Everything stays visible until the next one is dealt.
        self.dealer: i64 = NOBODY
        self.auction = Auction(rules, NOBODY)
        self.dealt: vec[i64] = vec[i64]()
        """The eight cards dealt to each seat."""
        self.hands: vec[i64] = vec[i64]()
        """The cards each seat holds."""
        self.p0: i64 = 0
        self.p1: i64 = 0
        """``p0`` and ``p1``: the card points the teams have taken."""
        self.takers: i64 = 0
        """The takers of the tricks, two bits each."""
        self.won: i64 = 0
        """How many tricks team 1 took."""
        # The trick.
        self.round: i64 = 0
        self.leader: i64 = NOBODY
        self.turn: i64 = NOBODY
        """The seat that is to call or to play."""
        self.may: i64 = 0
        """What the seat whose turn it is may play."""
        self.fallen: i64 = 0
        """The number of cards on the table."""
        self.trick: i64 = 0
        """The cards on the table, packed, beginning with the leader's."""
        self.led: i64 = 0
        self.best: i64 = 0
        self.over_best: i64 = 0
        """The cards that would beat the best card of the trick."""
        self.winner: i64 = NOBODY
        self.pile: i64 = 0
        """The points on the table."""
        self.played: vec[i64] = vec[i64]()
        """The finished tricks of the deal: four packed cards, then the leader."""

    def copy_to(self, twin: CoinchePosition) -> None:
        """Copy this position to *twin*, which has the same rules."""
        twin.phase = self.phase
        twin.number = self.number
        twin.ended = self.ended
        twin.next_dealer = self.next_dealer
        twin.s0 = self.s0
        twin.s1 = self.s1
        twin.results = self.results  # this list is replaced, never changed in place
        twin.dealer = self.dealer
        twin.auction = self.auction.clone() if self.phase == BIDDING else self.auction
        twin.dealt = self.dealt
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
        if self.phase == DEALING or self.phase == OVER:
            twin.hands = self.hands
            twin.played = self.played
        else:
            twin.hands = self.hands[:]
            twin.played = self.played[:]

    # Tricks, belotes and scores.

    def partner_holds(self) -> bool:
        """Return True if the partner of the seat whose turn it is has the best card so far."""
        return (self.winner ^ self.turn) & 1 == 0

    def announcement(self, seat: i64, card: i64, left: i64) -> Announcement | None:
        """Return what *seat* announces when it plays *card* and keeps *left* (R7.2)."""
        suit = card // 8
        both = pair(suit)
        if not bit(card) & both or self.dealt[seat] & both != both:
            return None
        if not belote_suits(self.auction.denomination, self.rules) >> suit & 1:
            return None
        return Announcement(int(seat), int(suit), left & both == 0)

    def alone(self) -> bool:
        """Return True if the bidder's own cards took all eight tricks."""
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
