"""Fill a fresh view with what a seat may know of a position; folding the events gives the same view."""

from __future__ import annotations

from mypy_extensions import i64

from croupier.core.cards import bit, count, unpack
from croupier.games.coinche.auction import NOBODY
from croupier.games.coinche.position import CoinchePosition
from croupier.games.coinche.ranks import points
from croupier.games.coinche.view import CoincheView, Trick
from croupier.games.coinche.vocabulary import OVER, PLAYING, SEATS


def show(position: CoinchePosition, view: CoincheView) -> None:
    """Fill *view* with what its seat may know, except the legal actions."""
    if position.number == 0:
        return
    view.options = dict(position.rules.options)
    view.phase = int(position.phase)
    view.deal = int(position.number)
    view.dealer = int(position.dealer)
    if view.seat >= 0:
        view.initial = position.dealt[view.seat]
        view.hand = position.hands[view.seat]
    view.totals = position.totals()
    view.deals = position.results[:]
    view.winner = position.leading() if position.phase == OVER else -1
    _show_auction(position, view)
    _show_tricks(position, view)


def _show_auction(position: CoinchePosition, view: CoincheView) -> None:
    auction = position.auction
    view.calls = [(call % 4, call // 4) for call in auction.calls]
    view.level = int(auction.level)
    view.denomination = int(auction.denomination)
    view.bidder = int(auction.bidder)
    view.doubled = int(auction.doubled)
    if auction.turn == NOBODY and not auction.passed_out():
        view.factor = int(position.rules.factor(auction.doubled))


def _show_tricks(position: CoinchePosition, view: CoincheView) -> None:
    view.counts = [int(count(position.hands[seat])) for seat in range(SEATS)]
    if position.round == 0:
        return
    view.trick = int(position.round)
    view.leader = int(position.leader)
    held = list(position.dealt)
    for at in range(position.round if position.phase != PLAYING else position.round - 1):
        packed = position.played[at]
        leader = int(packed >> 24)
        cards = unpack(packed, SEATS)
        total: i64 = 0
        for i in range(SEATS):
            total += points(cards[i], position.auction.denomination, position.rules)
            _show_card(position, view, held, (leader + i) & 3, cards[i])
        view.tricks.append(Trick(leader, cards, int(position.takers >> 2 * at & 3), int(total)))
    for i, card in enumerate(unpack(position.trick, position.fallen)):
        seat = int((position.leader + i) & 3)
        _show_card(position, view, held, seat, card)
        view.table[seat] = card


def _show_card(position: CoinchePosition, view: CoincheView, held: list[i64], seat: int, card: int) -> None:
    held[seat] &= ~bit(card)
    word = position.announcement(seat, card, held[seat])
    if word is not None:
        view.announced.append(word)
