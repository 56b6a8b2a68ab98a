"""The facts of a match of Spades, each with its audience."""

from __future__ import annotations

from mypy_extensions import i64

from croupier.core.contract import PUBLIC, Event, Plain
from croupier_spades.vocabulary import CARDS, names, shown


class DealStarted(Event):
    """Deal *deal* (from 1) begins."""

    def __init__(self, deal: int, dealer: int) -> None:
        super().__init__(PUBLIC)
        self.starts_deal = True
        self.opens = deal == 1
        self.deal = deal
        self.dealer = dealer

    def plain(self) -> Plain:
        return {"kind": "deal_started", "deal": self.deal, "dealer": self.dealer}


class Dealt(Event):
    """The 13 cards of a seat."""

    def __init__(self, seat: int, hand: i64) -> None:
        super().__init__(1 << seat)
        self.seat = seat
        self.hand = hand

    def plain(self) -> Plain:
        return {"kind": "dealt", "seat": self.seat, "cards": shown(self.hand)}


class Bid(Event):
    """A seat bids *tricks*; 0 is nil."""

    def __init__(self, seat: int, tricks: int) -> None:
        super().__init__(PUBLIC)
        self.seat = seat
        self.tricks = tricks

    def plain(self) -> Plain:
        return {"kind": "nil" if self.tricks == 0 else "bid", "seat": self.seat, "tricks": self.tricks}


class Played(Event):
    """A seat plays a card."""

    def __init__(self, seat: int, card: int) -> None:
        super().__init__(PUBLIC)
        self.seat = seat
        self.card = card

    def plain(self) -> Plain:
        return {"kind": "played", "seat": self.seat, "card": CARDS[self.card]}


class TrickTaken(Event):
    """A trick is complete: its cards, beginning with the leader's, and who takes it."""

    def __init__(self, leader: int, cards: list[int], taker: int) -> None:
        super().__init__(PUBLIC)
        self.leader = leader
        self.cards = cards
        self.seat = taker

    def plain(self) -> Plain:
        cards = names(self.cards)
        return {"kind": "trick_taken", "seat": self.seat, "leader": self.leader, "cards": cards}


class DealEnded(Event):
    """A deal is over: by side, its points and the bags since the last penalty, and the totals."""

    def __init__(self, deal: int, scores: list[int], bags: list[int], totals: list[int], over: bool) -> None:
        super().__init__(PUBLIC)
        self.deal = deal
        self.scores = scores
        self.bags = bags
        self.totals = totals
        self.over = over

    def plain(self) -> Plain:
        kind = "match_ended" if self.over else "deal_ended"
        rest: Plain = {"scores": self.scores, "bags": self.bags, "totals": self.totals}
        return {"kind": kind, "deal": self.deal, **rest}
