"""The facts of a match of Coinche, in the order they happen, each with its audience.

Everything is public except the cards dealt to a seat. Pairs are by team: seats 0 and 2, seats 1 and 3.
"""

from __future__ import annotations

from mypy_extensions import i64

from croupier.core.contract import PUBLIC, Event
from croupier.core.options import Value
from croupier.games.coinche import facts
from croupier.games.coinche.vocabulary import ACTIONS, CARDS, DOUBLINGS, SUITS, TEAMS, contract_words, shown


class MatchStarted(Event):
    """The match begins."""

    def __init__(self, options: dict[str, Value]) -> None:
        super().__init__(PUBLIC)
        self.opens = True
        self.options = options
        """The rules of the match, with every option."""

    def fact(self) -> facts.MatchStarted:
        return facts.MatchStarted(options=dict(self.options))


class DealStarted(Event):
    """Deal *deal* (from 1) begins: *dealer* has dealt, *first* speaks first and leads."""

    def __init__(self, deal: int, dealer: int, first: int) -> None:
        super().__init__(PUBLIC)
        self.starts_deal = True
        self.deal = deal
        self.dealer = dealer
        self.first = first

    def fact(self) -> facts.DealStarted:
        return facts.DealStarted(deal=self.deal, dealer=self.dealer, first=self.first)


class Dealt(Event):
    """A seat's eight cards."""

    def __init__(self, seat: int, hand: i64) -> None:
        super().__init__(1 << seat)
        self.seat = seat
        self.hand: i64 = hand

    def fact(self) -> facts.Dealt:
        return facts.Dealt(seat=self.seat, cards=shown(self.hand))


class Called(Event):
    """A seat has made a call: *action* is a pass, a contract, a coinche or a surcoinche."""

    def __init__(self, seat: int, action: int) -> None:
        super().__init__(PUBLIC)
        self.seat = seat
        self.action = action

    def fact(self) -> facts.Called:
        return facts.Called(seat=self.seat, call=ACTIONS.name(self.action))


class AuctionEnded(Event):
    """The auction has ended with *bidder*'s contract, coinched (*doubled* 1), surcoinched (2) or neither."""

    def __init__(self, bidder: int, level: int, denomination: int, doubled: int, factor: int) -> None:
        super().__init__(PUBLIC)
        self.bidder = bidder
        self.level = level
        self.denomination = denomination
        self.doubled = doubled
        self.factor = factor
        """The factor by which the contract is multiplied."""

    def fact(self) -> facts.AuctionEnded:
        return facts.AuctionEnded(
            bidder=self.bidder,
            contract=contract_words(self.level, self.denomination),
            doubled=DOUBLINGS[self.doubled],
            factor=self.factor,
        )


class PassedOut(Event):
    """Four passes: nothing is scored, the next seat deals."""

    def __init__(self, deal: int, totals: list[int]) -> None:
        super().__init__(PUBLIC)
        self.deal = deal
        self.totals = totals
        """The match score by team, unchanged."""

    def fact(self) -> facts.PassedOut:
        return facts.PassedOut(deal=self.deal, totals=self.totals[:])


class TrickStarted(Event):
    """Trick *number* (from 1) is led by *leader*."""

    def __init__(self, number: int, leader: int) -> None:
        super().__init__(PUBLIC)
        self.number = number
        self.leader = leader

    def fact(self) -> facts.TrickStarted:
        return facts.TrickStarted(trick=self.number, leader=self.leader)


class Played(Event):
    """A seat has played a card."""

    def __init__(self, seat: int, card: int) -> None:
        super().__init__(PUBLIC)
        self.seat = seat
        self.card = card

    def fact(self) -> facts.Played:
        return facts.Played(seat=self.seat, card=CARDS[self.card])


class Announced(Event):
    """A seat has played the first card of a belote, or the second (*again*)."""

    def __init__(self, seat: int, suit: int, again: bool) -> None:
        super().__init__(PUBLIC)
        self.seat = seat
        self.suit = suit
        self.again = again

    def fact(self) -> facts.Announced:
        word: facts.Word = "rebelote" if self.again else "belote"
        return facts.Announced(seat=self.seat, word=word, suit=SUITS[self.suit])


class TrickTaken(Event):
    """*taker* takes trick *number*; *points* are those of its cards, without the last trick's ten."""

    def __init__(self, number: int, taker: int, points: int) -> None:
        super().__init__(PUBLIC)
        self.number = number
        self.taker = taker
        self.points = points

    def fact(self) -> facts.TrickTaken:
        return facts.TrickTaken(trick=self.number, taker=self.taker, points=self.points)


class DealEnded(Event):
    """The eighth trick is taken and the deal is scored."""

    def __init__(
        self,
        deal: int,
        made: bool,
        points: list[int],
        tricks: list[int],
        belote: list[int],
        scores: list[int],
        totals: list[int],
    ) -> None:
        super().__init__(PUBLIC)
        self.deal = deal
        self.made = made
        self.points = points
        """By team: card points and the last trick, or the points for all eight tricks."""
        self.tricks = tricks
        self.belote = belote
        """The belote points each team held, no matter which team scores them."""
        self.scores = scores
        self.totals = totals

    def fact(self) -> facts.DealEnded:
        return facts.DealEnded(
            deal=self.deal,
            made=self.made,
            points=self.points[:],
            tricks=self.tricks[:],
            belote=self.belote[:],
            scores=self.scores[:],
            totals=self.totals[:],
        )


class MatchEnded(Event):
    """A team has reached the target and has more points than the other."""

    def __init__(self, winner: int, totals: list[int]) -> None:
        super().__init__(PUBLIC)
        self.winner = winner
        """The team."""
        self.totals = totals

    def fact(self) -> facts.MatchEnded:
        return facts.MatchEnded(winner=TEAMS[self.winner], totals=self.totals[:])
