"""What one seat or a watcher knows of a match of Coinche: a fold of the events it has heard."""

from __future__ import annotations

from mypy_extensions import i64

from croupier.core.cards import bit
from croupier.core.contract import Event, View
from croupier.core.options import Value
from croupier.core.tricks import TakenTrick
from croupier.games.coinche import facts
from croupier.games.coinche.events import (
    Announced,
    AuctionEnded,
    Called,
    DealEnded,
    DealStarted,
    Dealt,
    MatchEnded,
    MatchStarted,
    PassedOut,
    Played,
    TrickStarted,
    TrickTaken,
)
from croupier.games.coinche.explain import lines, needed, stakes
from croupier.games.coinche.vocabulary import (
    ACTIONS,
    BIDDING,
    CARDS,
    COINCHE,
    CONTRACT,
    DEALING,
    DOUBLINGS,
    HAND,
    KINDS,
    OVER,
    PHASES,
    PLAYING,
    SEATS,
    SUITS,
    SURCOINCHE,
    TEAMS,
    CoincheRules,
    contract_words,
    names,
    shown,
)


class Trick(TakenTrick):
    """A trick that was taken, and the *points* of its cards."""

    def __init__(self, leader: int, cards: list[int], taker: int, points: int) -> None:
        super().__init__(leader, cards, taker)
        self.points = points

    def fact(self) -> facts.Trick:
        return facts.Trick(leader=self.leader, cards=names(self.cards), taker=self.taker, points=self.points)


class Announcement:
    """A belote (or, *again*, a rebelote) that *seat* has announced."""

    def __init__(self, seat: int, suit: int, again: bool) -> None:
        self.seat = seat
        self.suit = suit
        self.again = again

    def fact(self) -> facts.Announcement:
        word: facts.Word = "rebelote" if self.again else "belote"
        return facts.Announcement(seat=self.seat, suit=SUITS[self.suit], word=word)


class DealResult:
    """The result of one deal; without a contract (level -1) it was passed out."""

    def __init__(self, dealer: int, bidder: int, level: int, denomination: int, doubled: int) -> None:
        self.dealer = dealer
        self.bidder = bidder
        self.level = level
        self.denomination = denomination
        self.doubled = doubled
        self.made = False
        self.points: list[int] = [0, 0]
        self.tricks: list[int] = [0, 0]
        self.belote: list[int] = [0, 0]
        self.scores: list[int] = [0, 0]

    def reached(self, rules: CoincheRules) -> int:
        """Return the points of the contract's team, including a belote that counts."""
        team = self.bidder % 2
        return self.points[team] + (self.belote[team] if rules.belote_helps else 0)

    def fact(self, rules: CoincheRules) -> facts.DealResult:
        """Return the result with what the contract needed and reached, and the lines of its score."""
        if self.level < 0:
            return facts.DealResult(dealer=self.dealer, contract=None, scores=self.scores[:])
        team = self.bidder % 2
        told = lines(team, self.level, self.doubled, self.made, self.points, self.tricks, self.belote, rules)
        return facts.DealResult(
            dealer=self.dealer,
            contract=contract_words(self.level, self.denomination),
            bidder=self.bidder,
            doubled=DOUBLINGS[self.doubled],
            made=self.made,
            points=self.points[:],
            tricks=self.tricks[:],
            belote=self.belote[:],
            scores=self.scores[:],
            needed=needed(self.level, rules),
            reached=self.reached(rules),
            lines=[line.fact() for line in told],
        )


class CoincheView(View):
    """What a seat knows. Pairs are by team: index 0 for seats 0 and 2, index 1 for seats 1 and 3."""

    def __init__(self, seat: int) -> None:
        super().__init__(seat)
        self.options: dict[str, Value] = {}
        """The rules of the match, known when it starts."""
        self.phase = DEALING
        self.deal = 0
        self.dealer = -1
        # Known to this seat alone.
        self.initial: i64 = 0
        self.hand: i64 = 0
        # The auction.
        self.calls: list[tuple[int, int]] = []
        """All calls of this deal: seat and action."""
        self.level = -1
        self.denomination = -1
        self.bidder = -1
        self.doubled = 0
        self.factor = 0
        """The factor of the contract, once the auction is over."""
        # The play.
        self.trick = 0
        """The number of the trick being played, from 1."""
        self.leader = -1
        self.table: list[int] = [-1, -1, -1, -1]
        """The card each seat has played to this trick, until the next one starts."""
        self.tricks: list[Trick] = []
        """The tricks of this deal that were taken."""
        self.announced: list[Announcement] = []
        self.counts: list[int] = [0, 0, 0, 0]
        # The match.
        self.totals: list[int] = [0, 0]
        self.deals: list[DealResult] = []
        self.winner = -1
        """The team that has won the match."""

    def first(self) -> int:
        """Return the seat that calls first in this deal."""
        return (self.dealer + 1) % SEATS

    def hear(self, event: Event) -> None:
        if isinstance(event, Played):
            self.table[event.seat] = event.card
            self.counts[event.seat] -= 1
            if event.seat == self.seat:
                self.hand &= ~bit(event.card)
        elif isinstance(event, TrickStarted):
            self.phase = PLAYING
            self.trick = event.number
            self.leader = event.leader
            self.table = [-1, -1, -1, -1]
        elif isinstance(event, TrickTaken):
            cards = [self.table[(self.leader + i) % SEATS] for i in range(SEATS)]
            self.tricks.append(Trick(self.leader, cards, event.taker, event.points))
        elif isinstance(event, Called):
            self._called(event.seat, event.action)
        elif isinstance(event, AuctionEnded):
            self.factor = event.factor
        elif isinstance(event, Announced):
            self.announced.append(Announcement(event.seat, event.suit, event.again))
        elif isinstance(event, DealStarted):
            self._deal_started(event)
        elif isinstance(event, Dealt):
            self.initial = event.hand
            self.hand = event.hand
        elif isinstance(event, DealEnded):
            self._deal_ended(event)
        elif isinstance(event, PassedOut):
            self.phase = DEALING
            self.deals.append(DealResult(self.dealer, -1, -1, -1, 0))
        elif isinstance(event, MatchStarted):
            self.options = dict(event.options)
        elif isinstance(event, MatchEnded):
            self.phase = OVER
            self.winner = event.winner

    def _called(self, seat: int, action: int) -> None:
        self.calls.append((seat, action))
        if action >= CONTRACT:
            self.level = (action - CONTRACT) // KINDS
            self.denomination = (action - CONTRACT) % KINDS
            self.bidder = seat
        elif action == COINCHE:
            self.doubled = 1
        elif action == SURCOINCHE:
            self.doubled = 2

    def _deal_started(self, event: DealStarted) -> None:
        self.phase = BIDDING
        self.deal = event.deal
        self.dealer = event.dealer
        self.initial = 0
        self.hand = 0
        self.calls = []
        self.level = -1
        self.denomination = -1
        self.bidder = -1
        self.doubled = 0
        self.factor = 0
        self.trick = 0
        self.leader = -1
        self.table = [-1, -1, -1, -1]
        self.tricks = []
        self.announced = []
        self.counts = [HAND, HAND, HAND, HAND]

    def _deal_ended(self, event: DealEnded) -> None:
        self.phase = DEALING
        self.table = [-1, -1, -1, -1]
        self.totals = event.totals[:]
        result = DealResult(self.dealer, self.bidder, self.level, self.denomination, self.doubled)
        result.made = event.made
        result.points = event.points[:]
        result.tricks = event.tricks[:]
        result.belote = event.belote[:]
        result.scores = event.scores[:]
        self.deals.append(result)

    def contract(self) -> str:
        """Return the contract as the protocol writes it; "" if there is none yet."""
        return contract_words(self.level, self.denomination) if self.level >= 0 else ""

    def typed_facts(self) -> facts.Facts:
        rules = CoincheRules(self.options) if self.options else None
        return facts.Facts(
            phase=PHASES[self.phase],
            deal=self.deal,
            dealer=self.dealer if self.dealer >= 0 else None,
            initial=shown(self.initial),
            hand=shown(self.hand),
            calls=[facts.Call(seat=seat, call=ACTIONS.name(action)) for seat, action in self.calls],
            contract=self.contract() or None,
            bidder=self.bidder if self.bidder >= 0 else None,
            doubled=DOUBLINGS[self.doubled],
            factor=self.factor if self.factor else None,
            stakes=stakes(self.level, rules) if rules and self.level >= 0 else None,
            trick=self.trick,
            leader=self.leader if self.leader >= 0 else None,
            table=[CARDS[card] if card >= 0 else None for card in self.table],
            tricks=[trick.fact() for trick in self.tricks],
            announced=[announcement.fact() for announcement in self.announced],
            counts=self.counts[:],
            totals=self.totals[:],
            deals=[deal.fact(rules) for deal in self.deals] if rules else [],
            winner=TEAMS[self.winner] if self.winner >= 0 else None,
            options=dict(self.options),
        )
