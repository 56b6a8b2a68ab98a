"""The facts of a match of Tarock, in the order they happen, each with its audience.

Everything is public except a seat's hand, its discards (tarocks among them are shown when the exchange
ends) and the announcements it has not finished. No event reveals the partner before the partner does.
"""

from __future__ import annotations

import msgspec
from mypy_extensions import i64

from croupier.core.contract import PUBLIC, Event
from croupier.core.options import Value
from croupier.games.tarock import facts
from croupier.games.tarock.scoring import DealResult
from croupier.games.tarock.vocabulary import (
    BONUSES,
    CARDS,
    CONTRACT_NAMES,
    ITEMS,
    SUITS,
    names,
    of_mask,
    seat_or_none,
    shown,
)


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
    """Deal *deal* (from 1) begins, with everyone's totals and radelci so far."""

    def __init__(
        self, deal: int, dealer: int, totals: list[int], radelci: list[int], compulsory: bool
    ) -> None:
        super().__init__(PUBLIC)
        self.starts_deal = True
        self.deal = deal
        self.dealer = dealer
        self.totals = totals
        self.radelci = radelci
        self.compulsory = compulsory
        """Whether klop is played unless a player bids solo without or higher (option)."""

    def fact(self) -> facts.DealStarted:
        return facts.DealStarted(
            deal=self.deal,
            dealer=self.dealer,
            forehand=(self.dealer + 1) % 4,
            totals=self.totals[:],
            radelci=self.radelci[:],
            compulsory=self.compulsory,
        )


class Dealt(Event):
    """A seat's 12 cards."""

    def __init__(self, seat: int, hand: i64) -> None:
        super().__init__(1 << seat)
        self.seat = seat
        self.hand: i64 = hand

    def fact(self) -> facts.Dealt:
        return facts.Dealt(seat=self.seat, cards=shown(self.hand))


class BiddingStarted(Event):
    """Forehand is deemed to have bid *contract*; *next* bids first."""

    def __init__(self, seat: int, contract: int, next: int) -> None:
        super().__init__(PUBLIC)
        self.seat = seat
        self.contract = contract
        self.next = next

    def fact(self) -> facts.BiddingStarted:
        return facts.BiddingStarted(seat=self.seat, contract=CONTRACT_NAMES[self.contract], next=self.next)


class Spoke(Event):
    """A seat has bid *contract* or passed (-1); *next* is asked now, nobody (-1) if the auction is over."""

    def __init__(self, seat: int, contract: int, next: int) -> None:
        super().__init__(PUBLIC)
        self.seat = seat
        self.contract = contract
        self.next = next

    def fact(self) -> facts.Spoke:
        return facts.Spoke(
            seat=self.seat,
            bid=CONTRACT_NAMES[self.contract] if self.contract >= 0 else "pass",
            next=seat_or_none(self.next),
        )


class BiddingEnded(Event):
    """*seat* is the declarer of *contract*."""

    def __init__(self, seat: int, contract: int) -> None:
        super().__init__(PUBLIC)
        self.seat = seat
        self.contract = contract

    def fact(self) -> facts.BiddingEnded:
        return facts.BiddingEnded(seat=self.seat, contract=CONTRACT_NAMES[self.contract])


class CallingStarted(Event):
    """*seat* is to call a king."""

    def __init__(self, seat: int) -> None:
        super().__init__(PUBLIC)
        self.seat = seat

    def fact(self) -> facts.CallingStarted:
        return facts.CallingStarted(seat=self.seat)


class KingCalled(Event):
    """*seat* has called the king of *suit*; only its holder knows who has it."""

    def __init__(self, seat: int, suit: int) -> None:
        super().__init__(PUBLIC)
        self.seat = seat
        self.suit = suit

    def fact(self) -> facts.KingCalled:
        return facts.KingCalled(seat=self.seat, suit=SUITS[self.suit])


class ExchangeStarted(Event):
    """The talon is turned up in sets of *many* cards; *seat* takes a set and discards as many cards."""

    def __init__(self, seat: int, talon: list[int], many: int) -> None:
        super().__init__(PUBLIC)
        self.seat = seat
        self.talon = talon
        self.many = many

    def sets(self) -> list[list[int]]:
        """Return the talon as it is laid out."""
        return sets_of(self.talon, self.many)

    def fact(self) -> facts.ExchangeStarted:
        return facts.ExchangeStarted(
            seat=self.seat, talon=[names(cards) for cards in self.sets()], count=self.many
        )


class SetTaken(Event):
    """*seat* has taken set *picked* (from 0) into its hand."""

    def __init__(self, seat: int, picked: int) -> None:
        super().__init__(PUBLIC)
        self.seat = seat
        self.picked = picked

    def fact(self) -> facts.SetTaken:
        return facts.SetTaken(seat=self.seat, picked=self.picked)


class LaidAway(Event):
    """A card that a seat has discarded, in secret."""

    def __init__(self, seat: int, card: int) -> None:
        super().__init__(1 << seat)
        self.seat = seat
        self.card = card

    def fact(self) -> facts.LaidAway:
        return facts.LaidAway(seat=self.seat, card=CARDS[self.card])


class ExchangeEnded(Event):
    """All discards are made; the tarocks among them are shown."""

    def __init__(self, seat: int, picked: int, tarocks: i64) -> None:
        super().__init__(PUBLIC)
        self.seat = seat
        self.picked = picked
        self.tarocks: i64 = tarocks

    def fact(self) -> facts.ExchangeEnded:
        return facts.ExchangeEnded(seat=self.seat, picked=self.picked, discarded=shown(self.tarocks))


class AnnouncingStarted(Event):
    """*next* is to announce first."""

    def __init__(self, next: int) -> None:
        super().__init__(PUBLIC)
        self.next = next

    def fact(self) -> facts.AnnouncingStarted:
        return facts.AnnouncingStarted(next=self.next)


class Claimed(Event):
    """A bonus or an item to double that a seat has chosen in its unfinished turn to announce."""

    def __init__(self, seat: int, bonus: int, item: int) -> None:
        super().__init__(1 << seat)
        self.seat = seat
        self.bonus = bonus
        """A bonus, or -1."""
        self.item = item
        """An item, or -1."""

    def fact(self) -> facts.Claimed:
        return facts.Claimed(
            seat=self.seat,
            bonus=BONUSES[self.bonus] if self.bonus >= 0 else None,
            kontra=ITEMS[self.item] if self.item >= 0 else None,
        )


class Announced(Event):
    """A seat has announced *bonuses* and doubled *kontras* (masks); *next* is asked now, or nobody (-1)."""

    def __init__(self, seat: int, bonuses: int, kontras: int, next: int) -> None:
        super().__init__(PUBLIC)
        self.seat = seat
        self.bonuses = bonuses
        self.kontras = kontras
        self.next = next

    def fact(self) -> facts.Announced:
        return facts.Announced(
            seat=self.seat,
            bonuses=of_mask(BONUSES, self.bonuses),
            kontras=of_mask(ITEMS, self.kontras),
            next=seat_or_none(self.next),
        )


class AnnouncingEnded(Event):
    """The announcements are over."""

    def __init__(self) -> None:
        super().__init__(PUBLIC)

    def fact(self) -> facts.AnnouncingEnded:
        return facts.AnnouncingEnded()


class HandShown(Event):
    """The hand of an open beggar's declarer is shown."""

    def __init__(self, seat: int, hand: i64) -> None:
        super().__init__(PUBLIC)
        self.seat = seat
        self.hand: i64 = hand

    def fact(self) -> facts.HandShown:
        return facts.HandShown(seat=self.seat, cards=shown(self.hand))


class PlayStarted(Event):
    """*leader* leads to the first trick."""

    def __init__(self, leader: int) -> None:
        super().__init__(PUBLIC)
        self.leader = leader

    def fact(self) -> facts.PlayStarted:
        return facts.PlayStarted(leader=self.leader)


class Played(Event):
    """A seat has played a card; the fourth one ends the trick."""

    def __init__(self, seat: int, card: int, leads: bool, next: int, winner: int, gift: int) -> None:
        super().__init__(PUBLIC)
        self.seat = seat
        self.card = card
        self.leads = leads
        """Whether it is the first card of a trick."""
        self.next = next
        """The seat that plays next, or -1 if the deal is over."""
        self.winner = winner
        """The seat that has won the trick, or -1 if it is not finished."""
        self.gift = gift
        """The talon card that went to the winner in klop, or -1."""

    def fact(self) -> facts.Played:
        return facts.Played(
            seat=self.seat,
            card=CARDS[self.card],
            next=seat_or_none(self.next),
            winner=seat_or_none(self.winner),
            gift=CARDS[self.gift] if self.gift >= 0 else None,
        )


class DealEnded(Event):
    """The deal is scored and every card is shown."""

    def __init__(
        self,
        deal: int,
        result: DealResult,
        totals: list[int],
        discards: list[int],
        rest: list[int],
        hands: list[i64],
        talon: list[int],
    ) -> None:
        super().__init__(PUBLIC)
        self.deal = deal
        self.result = result
        self.totals = totals
        self.discards = discards
        self.rest = rest
        """The cards of an open talon that declarer did not take, in order."""
        self.hands = hands
        """The 12 cards dealt to each seat."""
        self.talon = talon

    def fact(self) -> facts.DealEnded:
        return facts.DealEnded(
            deal=self.deal,
            **msgspec.structs.asdict(self.result.fact()),
            totals=self.totals[:],
            discards=names(self.discards),
            talon_rest=names(self.rest),
            hands=[shown(hand) for hand in self.hands],
            talon=names(self.talon),
        )


class MatchEnded(Event):
    """The last deal is scored: *final* are the totals minus the cost of the remaining radelci."""

    def __init__(
        self, totals: list[int], radelci: list[int], final: list[int], ranking: list[list[int]]
    ) -> None:
        super().__init__(PUBLIC)
        self.rests = True
        self.totals = totals
        self.radelci = radelci
        self.final = final
        self.ranking = ranking
        """The seats from the best to the worst, those with equal scores together."""

    def fact(self) -> facts.MatchEnded:
        return facts.MatchEnded(
            totals=self.totals[:],
            radelci=self.radelci[:],
            final=self.final[:],
            ranking=[seats[:] for seats in self.ranking],
        )


def sets_of(talon: list[int], many: int) -> list[list[int]]:
    """Return *talon* in its sets of *many* cards."""
    return [talon[at : at + many] for at in range(0, len(talon), many)] if many else []
