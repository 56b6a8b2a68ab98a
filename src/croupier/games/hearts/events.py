"""The facts of a match of Hearts, in the order they happen, each with its audience."""

from __future__ import annotations

from mypy_extensions import i64

from croupier.core.cards import mask_of
from croupier.core.contract import PUBLIC, Event
from croupier.core.options import Value
from croupier.games.hearts import facts
from croupier.games.hearts.vocabulary import CARDS, names, shown


class GameStarted(Event):
    """Game *game* (from 1) of the match begins; everyone has moved to the next position."""

    def __init__(self, game: int, options: dict[str, Value]) -> None:
        super().__init__(PUBLIC)
        self.opens = True
        self.game = game
        self.options = options
        """The rules of the match, every option named."""

    def fact(self) -> facts.GameStarted:
        return facts.GameStarted(game=self.game, options=dict(self.options))


class DealStarted(Event):
    """Deal *deal* (from 1) of the game begins; packets will travel in *direction*."""

    def __init__(self, deal: int, direction: facts.Direction) -> None:
        super().__init__(PUBLIC)
        self.starts_deal = True
        self.deal = deal
        self.direction = direction

    def fact(self) -> facts.DealStarted:
        return facts.DealStarted(deal=self.deal, direction=self.direction)


class Dealt(Event):
    """A seat's 13 cards."""

    def __init__(self, seat: int, hand: i64) -> None:
        super().__init__(1 << seat)
        self.seat = seat
        self.hand: i64 = hand

    def fact(self) -> facts.Dealt:
        return facts.Dealt(seat=self.seat, cards=shown(self.hand))


class PassingStarted(Event):
    """Everyone chooses three cards to pass."""

    def __init__(self) -> None:
        super().__init__(PUBLIC)

    def fact(self) -> facts.PassingStarted:
        return facts.PassingStarted()


class Picked(Event):
    """A seat's own choice of a card to pass."""

    def __init__(self, seat: int, card: int) -> None:
        super().__init__(1 << seat)
        self.seat = seat
        self.card = card

    def fact(self) -> facts.Picked:
        return facts.Picked(seat=self.seat, card=CARDS[self.card])


class Passed(Event):
    """A seat has chosen its three cards; which ones stays secret."""

    def __init__(self, seat: int) -> None:
        super().__init__(PUBLIC)
        self.seat = seat

    def fact(self) -> facts.Passed:
        return facts.Passed(seat=self.seat)


class Received(Event):
    """The three cards passed to a seat, in the order their giver named them."""

    def __init__(self, seat: int, giver: int, cards: list[int]) -> None:
        super().__init__(1 << seat)
        self.seat = seat
        self.giver = giver
        self.cards = cards

    def fact(self) -> facts.Received:
        return facts.Received(seat=self.seat, giver=self.giver, cards=names(self.cards))


class PassingEnded(Event):
    """All packets have changed hands."""

    def __init__(self) -> None:
        super().__init__(PUBLIC)

    def fact(self) -> facts.PassingEnded:
        return facts.PassingEnded()


class ExposingStarted(Event):
    """The holder of AH is asked whether to expose it; who holds it stays secret."""

    def __init__(self) -> None:
        super().__init__(PUBLIC)

    def fact(self) -> facts.ExposingStarted:
        return facts.ExposingStarted()


class ExposingEnded(Event):
    """*seat* has exposed AH, or it stays hidden (*seat* -1)."""

    def __init__(self, seat: int) -> None:
        super().__init__(PUBLIC)
        self.seat = seat

    def fact(self) -> facts.ExposingEnded:
        return facts.ExposingEnded(seat=self.seat if self.seat >= 0 else None)


class TrickStarted(Event):
    """Round *number* (from 1) is led by *leader*."""

    def __init__(self, number: int, leader: int) -> None:
        super().__init__(PUBLIC)
        self.number = number
        self.leader = leader

    def fact(self) -> facts.TrickStarted:
        return facts.TrickStarted(round=self.number, leader=self.leader)


class Played(Event):
    """A seat has played a card."""

    def __init__(self, seat: int, card: int, broken: bool) -> None:
        super().__init__(PUBLIC)
        self.seat = seat
        self.card = card
        self.broken = broken
        """Whether hearts are broken now."""

    def fact(self) -> facts.Played:
        return facts.Played(seat=self.seat, card=CARDS[self.card], broken=self.broken)


class TrickTaken(Event):
    """*taker* takes the trick (the protocol's round); *scores* are everyone's points in this deal so far."""

    def __init__(self, taker: int, taken: i64, scores: list[int]) -> None:
        super().__init__(PUBLIC)
        self.taker = taker
        self.taken: i64 = taken
        self.scores = scores

    def fact(self) -> facts.TrickTaken:
        return facts.TrickTaken(taker=self.taker, taken=shown(self.taken), scores=self.scores[:])


class DealEnded(Event):
    """The deal is scored and every hand is open."""

    def __init__(
        self,
        deal: int,
        hands: list[list[int]],
        picked: list[list[int]],
        received: list[list[int]],
        scores: list[int],
        totals: list[int],
        exposed: int,
        moon: int,
    ) -> None:
        super().__init__(PUBLIC)
        self.deal = deal
        self.hands = hands
        """The 13 cards dealt to each seat, ascending."""
        self.picked = picked
        self.received = received
        self.scores = scores
        self.totals = totals
        self.exposed = exposed
        """The seat that exposed AH, or -1."""
        self.moon = moon
        """The seat that shot the moon, or -1."""

    def fact(self) -> facts.DealEnded:
        return facts.DealEnded(
            deal=self.deal,
            hands=[shown(mask_of(hand)) for hand in self.hands],
            picked=[names(cards) for cards in self.picked],
            received=[names(cards) for cards in self.received],
            scores=self.scores[:],
            totals=self.totals[:],
            exposed=self.exposed if self.exposed >= 0 else None,
            moon=self.moon if self.moon >= 0 else None,
        )


class GameEnded(Event):
    """The last deal of a game is scored."""

    def __init__(self, game: int, totals: list[int], ranks: list[int]) -> None:
        super().__init__(PUBLIC)
        self.rests = True
        self.game = game
        self.totals = totals
        self.ranks = ranks

    def fact(self) -> facts.GameEnded:
        return facts.GameEnded(game=self.game, totals=self.totals[:], ranks=self.ranks[:])


class MatchEnded(Event):
    """The last game of the match is scored: *totals* add up its games."""

    def __init__(self, totals: list[int], ranks: list[int]) -> None:
        super().__init__(PUBLIC)
        self.totals = totals
        self.ranks = ranks

    def fact(self) -> facts.MatchEnded:
        return facts.MatchEnded(totals=self.totals[:], ranks=self.ranks[:])
