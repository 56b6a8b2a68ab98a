"""Fill a fresh view with what a seat may know of a position; folding the events gives the same view."""

from __future__ import annotations

from croupier.core.cards import cards_of, unpack
from croupier.games.hearts.position import HeartsPosition
from croupier.games.hearts.view import HeartsView
from croupier.games.hearts.vocabulary import EXPOSING, PASSING, PLAYING, SEATS


def show(position: HeartsPosition, view: HeartsView) -> None:
    """Fill *view* with what its seat may know, except the legal actions."""
    if position.game == 0:
        return
    view.options = dict(position.rules.options)
    view.phase = int(position.phase)
    view.game = int(position.game)
    view.deal = int(position.number)
    view.round = int(position.round)
    view.direction = position.rules.direction(int(position.number))
    view.totals = position.game_scores()
    view.deals = position.results[:]
    view.games = [game[:] for game in position.games]
    if position.lies_open():
        view.deals.append(position.result())
        if position.ends_game():
            view.games.append(position.game_scores())
    _show_own(position, view)
    _show_passing(position, view)
    _show_rounds(position, view)
    if position.lies_open():
        _show_all(position, view)
    # In game 1 nobody knows all the hands of the current deal yet.
    known = position.decks if position.game > 1 else position.decks[: int(position.ended)]
    view.decks = [[cards_of(hand) for hand in deck] for deck in known]


def _show_own(position: HeartsPosition, view: HeartsView) -> None:
    seat = view.seat
    if seat < 0:
        return
    view.initial = position.dealt[seat]
    view.hand = position.hands[seat]
    view.picked = position.picked(seat)
    view.received = position.received(seat)


def _show_passing(position: HeartsPosition, view: HeartsView) -> None:
    view.counts = [13, 13, 13, 13]
    if position.phase == PASSING:
        view.passed = int(0b1111 & ~position.waiting)
        view.counts = [13 if position.waiting >> seat & 1 else 10 for seat in range(SEATS)]
    elif position.step:
        view.passed = 0b1111
        view.exchanged = True
    view.exposed = int(position.exposed)


def _show_rounds(position: HeartsPosition, view: HeartsView) -> None:
    if position.round == 0:
        return
    for at in range(position.finished()):
        packed = position.played[at]
        leader = int(packed >> 24)
        cards = unpack(packed, SEATS)
        for i in range(SEATS):
            _show_card(view, (leader + i) & 3, cards[i], cards[0])
        view.last = cards
        view.last_leader = leader
    view.leader = int(position.leader)
    cards = unpack(position.trick, position.fallen)
    for i, card in enumerate(cards):
        _show_card(view, (view.leader + i) & 3, card, cards[0])
        view.table[(view.leader + i) & 3] = card
    if view.last:
        # The winner of the last round leads this one, unless it was the thirteenth.
        view.last_taker = int(position.leader if position.phase == PLAYING else position.winner)
    view.broken = position.broken
    view.taken = list(position.taken)
    view.scores = position.deal_scores()


def _show_all(position: HeartsPosition, view: HeartsView) -> None:
    seats = range(SEATS)
    view.hands = [cards_of(position.dealt[seat]) for seat in seats]
    view.all_picked = [position.picked(seat) for seat in seats]
    view.all_received = [position.received(seat) for seat in seats]


def _show_card(view: HeartsView, seat: int, card: int, first: int) -> None:
    view.played[seat].append(card)
    view.counts[seat] -= 1
    if card // 13 != first // 13:
        view.void[seat] |= 1 << first // 13


def secret_to_act(position: HeartsPosition, seat: int) -> int:
    """Return the seats that owe a decision as far as *seat* may know: only the holder of AH knows it (R6)."""
    if position.phase == EXPOSING and not (seat >= 0 and position.waiting >> seat & 1):
        return 0
    return int(position.waiting)
