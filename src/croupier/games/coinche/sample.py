"""Sample a state that a seat cannot distinguish from the real one: deal the hidden cards again, replay the
rest.

Every card played limits what its seat held: a suit it did not follow, a trump it did not play over
another, a king of trumps without "belote". "Belote" itself shows where the other card is. Every deal of
the hidden cards within these limits is equally likely; calls are not taken into account. The actions
known to the seat are then replayed, so the rules check the result.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from croupier.core.cards import bit, cards_of, count, mask_of
from croupier.core.hidden import Odds, deal_out
from croupier.games.coinche.legality import cards_over, must_rise
from croupier.games.coinche.ranks import suit_of, trumps_of
from croupier.games.coinche.scoring import belote_suits, pair
from croupier.games.coinche.state import CoincheState
from croupier.games.coinche.view import CoincheView
from croupier.games.coinche.vocabulary import (
    HAND,
    PLAY,
    RULES,
    SEATS,
    WHOLE,
    CoincheRules,
    deck_of,
)


def sample(view: CoincheView, rng: Random, odds: Odds | None = None) -> CoincheState:
    """Return a state with exactly this *view*; without *odds* all possible ones are equally likely."""
    assert view.seat >= 0, "a watcher has no state of its own to imagine"
    rules = RULES.of(view.options)
    state = CoincheState(rules)
    if view.deal == 0:
        return state
    hands = Bounds(view, rules).hands(rng, odds)
    state.resume(view.deals[: view.deal - 1], view.dealer)
    state.apply_draw(deck_of([cards_of(hand) for hand in hands], view.dealer))
    for seat, action in view.calls:
        state.apply(seat, action)
    for trick in tricks(view):
        for seat, card in trick:
            state.apply(seat, PLAY + card)
    return state


def tricks(view: CoincheView) -> Iterator[list[tuple[int, int]]]:
    """Yield the tricks of this deal in order, the unfinished one last, as pairs of seat and card."""
    for trick in view.tricks:
        yield [((trick.leader + i) % SEATS, card) for i, card in enumerate(trick.cards)]
    if view.leader >= 0:
        order = [(view.leader + i) % SEATS for i in range(SEATS)]
        yield [(seat, view.table[seat]) for seat in order if view.table[seat] >= 0]


class Bounds:
    """Derives from a view what the seats may have been dealt."""

    def __init__(self, view: CoincheView, rules: CoincheRules) -> None:
        self.view = view
        self.rules = rules
        self.known = [0] * SEATS
        """The cards that each seat was certainly dealt."""
        self.possible = [int(WHOLE)] * SEATS
        """The further cards that each seat may have been dealt."""
        self.known[view.seat] = int(view.initial)
        for trick in tricks(view):
            self._read(trick)
        for word in view.announced:
            self.known[word.seat] |= int(pair(word.suit))

    def _read(self, trick: list[tuple[int, int]]) -> None:
        best = winner = led = over = 0
        for at, (seat, card) in enumerate(trick):
            one = int(bit(card))
            if at == 0:
                led = int(suit_of(card))
            else:
                self.possible[seat] &= ~self._lacking(card, led, best, over, (winner ^ seat) & 1 == 0)
            if at == 0 or one & over:
                best, winner = card, seat
                over = int(cards_over(card, led, self.view.denomination))
            self.known[seat] |= one
            self._hear_nothing(seat, card)

    def _lacking(self, card: int, led: int, best: int, over: int, partner_holds: bool) -> int:
        """Return the cards a seat did not hold when *card* was legal for it (R6)."""
        one = int(bit(card))
        kind = self.view.denomination
        if one & led:
            # A seat that followed below the best card had nothing above it.
            return led & over if must_rise(led, kind) and not one & over else 0
        trumps = int(trumps_of(kind))
        if partner_holds:
            under = one & trumps and bit(best) & trumps and not one & over
            return led | (over if self.rules.partner_strict and under else 0)
        if one & over:
            return led
        # No overtrump although an opponent held the trick; if undertrumping is forced a discard shows more.
        if one & trumps or (self.rules.undertrump_free and bit(best) & trumps):
            return led | (trumps & over)
        return led | trumps

    def _hear_nothing(self, seat: int, card: int) -> None:
        """Exclude the other half of a belote if a king or queen of trumps was not announced (R7)."""
        suit = card // 8
        if bit(card) & pair(suit) and belote_suits(self.view.denomination, self.rules) >> suit & 1:
            silent = all((word.seat, word.suit) != (seat, suit) for word in self.view.announced)
            if silent:
                self.possible[seat] &= ~int(pair(suit))

    def hands(self, rng: Random, odds: Odds | None = None) -> list[int]:
        """Return what each seat was dealt, within all limits."""
        others = [seat for seat in range(SEATS) if seat != self.view.seat]
        unknown = int(WHOLE)
        for cards in self.known:
            unknown &= ~cards
        rooms = [HAND - int(count(self.known[seat])) for seat in others]
        holders = [odds.of(seat) for seat in others] if odds is not None else []
        possible = [self.possible[seat] for seat in others]
        shares = deal_out(unknown, rooms, possible, rng, odds, holders)
        dealt = self.known[:]
        for seat, share in zip(others, shares, strict=True):
            dealt[seat] |= share
        return dealt


def bounds(view: CoincheView) -> tuple[list[int], list[int]]:
    """Return for each seat the cards it certainly holds now and the further cards it may hold."""
    found = Bounds(view, RULES.of(view.options))
    gone = int(mask_of([card for trick in tricks(view) for _, card in trick]))
    taken = gone
    for cards in found.known:
        taken |= cards
    known = [cards & ~gone for cards in found.known]
    return known, [possible & ~taken & int(WHOLE) for possible in found.possible]
