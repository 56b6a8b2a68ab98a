"""Everything that one seat may know, updated from events."""

from __future__ import annotations

from collections.abc import Mapping

from mypy_extensions import i64

from croupier.core.cards import bit
from croupier.core.contract import Event, Plain, View
from croupier.core.options import Value
from croupier_spades.events import Bid, DealEnded, DealStarted, Dealt, Played, TrickTaken
from croupier_spades.vocabulary import (
    BIDDING,
    CARDS,
    DEALING,
    HAND,
    OVER,
    PHASES,
    PLAYING,
    SEATS,
    SPADES,
    names,
    shown,
)


class SpadesView(View):
    """A seat of Spades, or a watcher."""

    def __init__(self, seat: int, options: Mapping[str, Value]) -> None:
        super().__init__(seat)
        self.options = options
        self.phase = DEALING
        self.deal = 0
        self.dealer = -1
        self.initial: i64 = 0
        """The cards this seat was dealt."""
        self.hand: i64 = 0
        self.bids = [-1] * SEATS
        self.leader = -1
        self.trick: list[int] = []
        self.tricks: list[tuple[int, list[int], int]] = []
        """The finished tricks of the deal: leader, cards, taker."""
        self.deals: list[tuple[list[int], list[int]]] = []
        """The finished deals: points and bags of both sides."""
        self.totals = [0, 0]

    def hear(self, event: Event) -> None:
        match event:
            case DealStarted():
                self.phase, self.deal, self.dealer = BIDDING, event.deal, event.dealer
                self.initial = self.hand = 0
                self.bids, self.trick, self.tricks = [-1] * SEATS, [], []
                self.leader = (event.dealer + 1) % SEATS
            case Dealt():
                self.initial = self.hand = event.hand
            case Bid():
                self.bids[event.seat] = event.tricks
                self.phase = PLAYING if -1 not in self.bids else BIDDING
            case Played():
                self.hand &= ~bit(event.card)
                self.trick = [*self.trick, event.card]
            case TrickTaken():
                self.tricks = [*self.tricks, (event.leader, event.cards, event.seat)]
                self.leader, self.trick = event.seat, []
            case DealEnded():
                self.deals = [*self.deals, (event.scores, event.bags)]
                self.totals = event.totals
                self.phase = OVER if event.over else DEALING

    def broken(self) -> bool:
        """Return whether a spade has been played in this deal (R3.4)."""
        played = [*self.trick, *(card for _, cards, _ in self.tricks for card in cards)]
        return any(bit(card) & SPADES for card in played)

    def taken(self, seat: int) -> int:
        """Return how many tricks *seat* has taken in this deal."""
        return sum(taker == seat for _, _, taker in self.tricks)

    def facts(self) -> Plain:
        last = self.tricks[-1] if self.tricks else (None, [], None)
        table: list[str | None] = [None] * SEATS
        for step, card in enumerate(self.trick):
            table[(self.leader + step) % SEATS] = CARDS[card]
        played = [len(self.tricks)] * SEATS
        for step in range(len(self.trick)):
            played[(self.leader + step) % SEATS] += 1
        return {
            "phase": PHASES[self.phase],
            "options": dict(self.options),
            "deal": self.deal,
            "dealer": self.dealer if self.dealer >= 0 else None,
            "hand": shown(self.hand),
            "counts": [HAND - n if self.deal else 0 for n in played],
            "bids": [bid if bid >= 0 else None for bid in self.bids],
            "leader": self.leader if self.leader >= 0 else None,
            "table": table,
            "last": names(last[1]),
            "last_leader": last[0],
            "last_taker": last[2],
            "taken": [self.taken(seat) for seat in range(SEATS)],
            "broken": self.broken(),
            "deals": [{"scores": scores, "bags": bags} for scores, bags in self.deals],
            "totals": self.totals,
        }
