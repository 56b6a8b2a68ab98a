"""The facts of a match of Taroky, in the order they happen, each with its audience.

An event for one seat comes just before the public event of the same thing: first the cards to the seat that
drew, then to everyone that it drew. A "no" in the secret phases, contra and the I on the end, is told only
to the seat that said it.
"""

from __future__ import annotations

from mypy_extensions import i64

from croupier.core.contract import PUBLIC, Event
from croupier.core.options import Value
from croupier.games.taroky import facts
from croupier.games.taroky.scoring import DealResult
from croupier.games.taroky.vocabulary import CARDS, LEVELS, TAKEN, money_names, names


def seat_or_none(seat: int) -> int | None:
    """Return *seat* for a message, None for nobody."""
    return seat if seat >= 0 else None


class MatchStarted(Event):
    """A match begins; *options* are its rules, with every option."""

    def __init__(self, options: dict[str, Value]) -> None:
        super().__init__(PUBLIC)
        self.opens = True
        self.options = options

    def fact(self) -> facts.MatchStarted:
        return facts.MatchStarted(options=dict(self.options))


class DealStarted(Event):
    """Deal *deal* (from 1) begins; *povinnost* is asked for prever first."""

    def __init__(self, deal: int, povinnost: int, chips: list[int]) -> None:
        super().__init__(PUBLIC)
        self.starts_deal = True
        self.deal = deal
        self.povinnost = povinnost
        self.chips = chips

    def fact(self) -> facts.DealStarted:
        return facts.DealStarted(deal=self.deal, povinnost=self.povinnost, chips=self.chips[:])


class Dealt(Event):
    """A seat's twelve cards, in the order they were dealt."""

    def __init__(self, seat: int, cards: list[int]) -> None:
        super().__init__(1 << seat)
        self.seat = seat
        self.cards = cards

    def fact(self) -> facts.Dealt:
        return facts.Dealt(seat=self.seat, cards=names(self.cards))


class PreverAnswered(Event):
    """A seat plays prever or does not; *next* is asked now, or nobody (-1)."""

    def __init__(self, seat: int, prever: bool, next: int) -> None:
        super().__init__(PUBLIC)
        self.seat = seat
        self.prever = prever
        self.next = next

    def fact(self) -> facts.PreverAnswered:
        return facts.PreverAnswered(seat=self.seat, prever=self.prever, next=seat_or_none(self.next))


class PreverEnded(Event):
    """*seat* plays prever, or nobody does (-1)."""

    def __init__(self, seat: int) -> None:
        super().__init__(PUBLIC)
        self.seat = seat

    def fact(self) -> facts.PreverEnded:
        return facts.PreverEnded(seat=seat_or_none(self.seat))


class TalonCards(Event):
    """The talon cards that a seat takes, told to that seat alone."""

    def __init__(self, seat: int, cards: list[int]) -> None:
        super().__init__(1 << seat)
        self.seat = seat
        self.cards = cards

    def fact(self) -> facts.TalonCards:
        return facts.TalonCards(seat=self.seat, cards=names(self.cards))


class TalonDrawn(Event):
    """A seat takes *count* cards of the talon."""

    def __init__(self, seat: int, count: int) -> None:
        super().__init__(PUBLIC)
        self.seat = seat
        self.count = count

    def fact(self) -> facts.TalonDrawn:
        return facts.TalonDrawn(seat=self.seat, count=self.count)


class TalonAnswered(Event):
    """A seat draws or passes its card, or player 4 accepts or rejects what *offered_by* passed."""

    def __init__(self, seat: int, action: facts.Answer, offered_by: int, next: int) -> None:
        super().__init__(PUBLIC)
        self.seat = seat
        self.action = action
        """``draw``, ``pass``, ``accept`` or ``reject``."""
        self.offered_by = offered_by
        self.next = next

    def fact(self) -> facts.TalonAnswered:
        return facts.TalonAnswered(
            seat=self.seat,
            action=self.action,
            offered_by=seat_or_none(self.offered_by),
            next=seat_or_none(self.next),
        )


class TalonEnded(Event):
    """The talon has been distributed; *counts* are the cards each seat took."""

    def __init__(self, counts: list[int]) -> None:
        super().__init__(PUBLIC)
        self.counts = counts

    def fact(self) -> facts.TalonEnded:
        return facts.TalonEnded(counts=self.counts[:])


class HalfSeen(Event):
    """The half of the talon that the prever player looks at, told to that seat alone."""

    def __init__(self, seat: int, cards: list[int]) -> None:
        super().__init__(1 << seat)
        self.seat = seat
        self.cards = cards

    def fact(self) -> facts.HalfSeen:
        return facts.HalfSeen(seat=self.seat, cards=names(self.cards))


class HalfOffered(Event):
    """The prever player looks at the first (*step* 1) or second half of the talon."""

    def __init__(self, seat: int, step: int) -> None:
        super().__init__(PUBLIC)
        self.seat = seat
        self.step = step

    def fact(self) -> facts.HalfOffered:
        return facts.HalfOffered(seat=self.seat, step=self.step)


class HalfShown(Event):
    """The half that the prever player has refused is shown."""

    def __init__(self, seat: int, cards: list[int]) -> None:
        super().__init__(PUBLIC)
        self.seat = seat
        self.cards = cards

    def fact(self) -> facts.HalfShown:
        return facts.HalfShown(seat=self.seat, cards=names(self.cards))


class HalfEnded(Event):
    """The prever player has taken half 1 (top), 2 (bottom) or 3 (returned to top)."""

    def __init__(self, seat: int, half: int) -> None:
        super().__init__(PUBLIC)
        self.seat = seat
        self.half = half

    def fact(self) -> facts.HalfEnded:
        return facts.HalfEnded(seat=self.seat, half=TAKEN[self.half - 1], multiplier=1 << self.half - 1)


class DiscardStarted(Event):
    """*seat* is the first to discard, *left* cards."""

    def __init__(self, seat: int, left: int) -> None:
        super().__init__(PUBLIC)
        self.seat = seat
        self.left = left

    def fact(self) -> facts.DiscardStarted:
        return facts.DiscardStarted(seat=self.seat, left=self.left)


class LaidAway(Event):
    """The card that a seat discards, told to that seat alone."""

    def __init__(self, seat: int, card: int) -> None:
        super().__init__(1 << seat)
        self.seat = seat
        self.card = card

    def fact(self) -> facts.LaidAway:
        return facts.LaidAway(seat=self.seat, card=CARDS[self.card])


class Discarded(Event):
    """A seat has discarded a card: *shown* is the card if it is a trump, otherwise -1.

    *next* discards now and has *left* cards to discard.
    """

    def __init__(self, seat: int, shown: int, next: int, left: int) -> None:
        super().__init__(PUBLIC)
        self.seat = seat
        self.shown = shown
        self.next = next
        self.left = left

    def fact(self) -> facts.Discarded:
        return facts.Discarded(
            seat=self.seat,
            shown=CARDS[self.shown] if self.shown >= 0 else None,
            next=seat_or_none(self.next),
            left=self.left,
        )


class DiscardEnded(Event):
    """Everyone holds twelve cards; money cards are called now."""

    def __init__(self) -> None:
        super().__init__(PUBLIC)

    def fact(self) -> facts.DiscardEnded:
        return facts.DiscardEnded()


class MoneyCalled(Event):
    """A seat's money cards, what each other seat pays for them, and the chips after that."""

    def __init__(self, seat: int, codes: i64, value: int, chips: list[int]) -> None:
        super().__init__(PUBLIC)
        self.seat = seat
        self.codes: i64 = codes
        self.value = value
        self.chips = chips

    def fact(self) -> facts.MoneyCalled:
        return facts.MoneyCalled(
            seat=self.seat, codes=money_names(self.codes), value=self.value, chips=self.chips[:]
        )


class MoneyEnded(Event):
    """All money cards are paid."""

    def __init__(self, chips: list[int]) -> None:
        super().__init__(PUBLIC)
        self.chips = chips

    def fact(self) -> facts.MoneyEnded:
        return facts.MoneyEnded(chips=self.chips[:])


class PartnerNamed(Event):
    """Povinnost plays with the holder of trump *trump*."""

    def __init__(self, seat: int, trump: int) -> None:
        super().__init__(PUBLIC)
        self.seat = seat
        self.trump = trump

    def fact(self) -> facts.PartnerNamed:
        return facts.PartnerNamed(seat=self.seat, trump=f"T{self.trump}")


class ValatAnswered(Event):
    """A seat announces valat or does not; *next* is asked now, or nobody (-1)."""

    def __init__(self, seat: int, call: bool, next: int) -> None:
        super().__init__(PUBLIC)
        self.seat = seat
        self.call = call
        self.next = next

    def fact(self) -> facts.ValatAnswered:
        return facts.ValatAnswered(seat=self.seat, call=self.call, next=seat_or_none(self.next))


class ValatEnded(Event):
    """*seat* has announced valat, or nobody (-1); contra may be called now."""

    def __init__(self, seat: int) -> None:
        super().__init__(PUBLIC)
        self.seat = seat

    def fact(self) -> facts.ValatEnded:
        return facts.ValatEnded(seat=seat_or_none(self.seat))


class ContraAsked(Event):
    """A seat is asked for a level of contra, in secret."""

    def __init__(self, seat: int, level: int) -> None:
        super().__init__(1 << seat)
        self.seat = seat
        self.level = level

    def fact(self) -> facts.ContraAsked:
        return facts.ContraAsked(seat=self.seat, level=LEVELS[self.level])


class ContraDeclined(Event):
    """A seat has said no to a level of contra, in secret."""

    def __init__(self, seat: int, level: int) -> None:
        super().__init__(1 << seat)
        self.seat = seat
        self.level = level

    def fact(self) -> facts.ContraDeclined:
        return facts.ContraDeclined(seat=self.seat, level=LEVELS[self.level])


class ContraCalled(Event):
    """A seat has called contra, rhea or supra (*level* 0 to 2)."""

    def __init__(self, seat: int, level: int) -> None:
        super().__init__(PUBLIC)
        self.seat = seat
        self.level = level

    def fact(self) -> facts.ContraCalled:
        return facts.ContraCalled(seat=self.seat, level=LEVELS[self.level], multiplier=2 << self.level)


class ContraEnded(Event):
    """Nobody doubles any more; the I on the end may be announced now."""

    def __init__(self, contras: int) -> None:
        super().__init__(PUBLIC)
        self.contras = contras

    def fact(self) -> facts.ContraEnded:
        return facts.ContraEnded(multiplier=1 << self.contras)


class IoteDeclined(Event):
    """The holder of T01 does not announce it, in secret."""

    def __init__(self, seat: int) -> None:
        super().__init__(1 << seat)
        self.seat = seat

    def fact(self) -> facts.IoteDeclined:
        return facts.IoteDeclined(seat=self.seat)


class IoteCalled(Event):
    """A seat announces that it will win the last trick with T01."""

    def __init__(self, seat: int) -> None:
        super().__init__(PUBLIC)
        self.seat = seat

    def fact(self) -> facts.IoteCalled:
        return facts.IoteCalled(seat=self.seat)


class IoteEnded(Event):
    """All announcements are made; *leader* plays the first card."""

    def __init__(self, leader: int) -> None:
        super().__init__(PUBLIC)
        self.leader = leader

    def fact(self) -> facts.IoteEnded:
        return facts.IoteEnded(leader=self.leader)


class Played(Event):
    """A seat has played a card; *next* plays now, unless the trick is complete."""

    def __init__(self, seat: int, card: int, next: int) -> None:
        super().__init__(PUBLIC)
        self.seat = seat
        self.card = card
        self.next = next

    def fact(self) -> facts.Played:
        return facts.Played(seat=self.seat, card=CARDS[self.card], next=seat_or_none(self.next))


class TrickTaken(Event):
    """*taker* takes trick *number* (from 1) and leads the next, if there is one."""

    def __init__(self, number: int, taker: int) -> None:
        super().__init__(PUBLIC)
        self.number = number
        self.taker = taker

    def fact(self) -> facts.TrickTaken:
        return facts.TrickTaken(number=self.number, taker=self.taker)


class DealEnded(Event):
    """The deal is settled and every card is shown."""

    def __init__(
        self,
        deal: int,
        hands: list[list[int]],
        talon: list[int],
        discards: list[list[int]],
        result: DealResult,
    ) -> None:
        super().__init__(PUBLIC)
        self.deal = deal
        self.hands = hands
        """The twelve cards dealt to each seat."""
        self.talon = talon
        self.discards = discards
        """The discards of each seat, in order."""
        self.result = result

    def fact(self) -> facts.DealEnded:
        return facts.DealEnded(
            deal=self.deal,
            hands=[names(hand) for hand in self.hands],
            talon=names(self.talon),
            discards=[names(cards) for cards in self.discards],
            result=self.result.fact(),
        )


class MatchEnded(Event):
    """The last deal is settled."""

    def __init__(self, chips: list[int], ranks: list[int]) -> None:
        super().__init__(PUBLIC)
        self.rests = True
        self.chips = chips
        self.ranks = ranks

    def fact(self) -> facts.MatchEnded:
        return facts.MatchEnded(chips=self.chips[:], ranks=self.ranks[:])
