"""Sample a state that a seat cannot distinguish from the real one: deal the hidden cards again, replay."""

from __future__ import annotations

from random import Random

from croupier.core.cards import cards_of
from croupier.core.hidden import deal_out
from croupier_spades.state import SpadesState
from croupier_spades.view import SpadesView
from croupier_spades.vocabulary import BID, DEALING, DECK, HAND, OVER, PLAY, SEATS, SUIT

ALL = (1 << DECK) - 1


def tricks_of(view: SpadesView) -> list[tuple[int, list[int]]]:
    """Return the tricks of the deal, the unfinished one last: leader and cards."""
    return [*((leader, cards) for leader, cards, _ in view.tricks), (view.leader, view.trick)]


def hands(view: SpadesView, rng: Random) -> list[int]:
    """Return the four hands at the beginning of the deal, as far as *view* determines them."""
    played = [0] * SEATS
    possible = [ALL] * SEATS
    for leader, cards in tricks_of(view):
        for step, card in enumerate(cards):
            seat = (leader + step) % SEATS
            played[seat] |= 1 << card
            if card // 13 != cards[0] // 13:
                possible[seat] &= ~SUIT[cards[0] // 13]  # R3.2: it could not follow
    played[view.seat] = int(view.initial)
    others = [seat for seat in range(SEATS) if seat != view.seat]
    hidden = ALL & ~(played[0] | played[1] | played[2] | played[3])
    rooms = [HAND - played[seat].bit_count() for seat in others]
    dealt = deal_out(hidden, rooms, [possible[seat] for seat in others], rng)
    for seat, more in zip(others, dealt, strict=True):
        played[seat] |= more
    return played


def sample(view: SpadesView, rng: Random) -> SpadesState:
    """Return a state with exactly this *view*."""
    state = SpadesState(view.options)
    finished = view.phase in (DEALING, OVER)
    done = view.deals[:-1] if finished and view.deals else view.deals
    state.deals = list(done)
    state.totals = [sum(scores[side] for scores, _ in done) for side in range(2)]
    state.dealt = max(view.deal - 1, 0)
    if view.deal:
        deck = [card for hand in hands(view, rng) for card in cards_of(hand)]
        state.apply_draw(deck)
        for step in range(SEATS):
            seat = (view.dealer + 1 + step) % SEATS
            if view.bids[seat] >= 0:
                state.apply(seat, BID + view.bids[seat])
        for leader, cards in tricks_of(view):
            for step, card in enumerate(cards):
                state.apply((leader + step) % SEATS, PLAY + card)
    return state
