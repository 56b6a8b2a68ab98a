"""Fill a fresh view with what a seat may know of a position; folding the events gives the same view."""

from __future__ import annotations

from croupier.core.cards import unpack
from croupier.games.tarock.position import TarockPosition
from croupier.games.tarock.view import TarockView
from croupier.games.tarock.vocabulary import DEALING, HAND, OVER, PLAYING, SEATS, TAROCKS


def show(position: TarockPosition, view: TarockView) -> None:
    """Fill *view* with what its seat may know, except the legal actions."""
    if position.number == 0:
        return
    view.options = dict(position.rules.options)
    view.phase = int(position.phase)
    view.deal = int(position.number)
    view.dealer = int(position.dealer)
    view.compulsory = position.compulsory
    view.turn = int(position.turn)
    view.totals = position.totals()
    view.radelci = position.all_radelci()
    view.results = position.results()
    _show_own(position, view)
    _show_contract(position, view)
    _show_play(position, view)
    if position.phase == DEALING or position.phase == OVER:
        view.hands = list(position.dealt)
        view.whole_talon = unpack(position.talon, 6)
        view.discards = position.discarded()


def _show_own(position: TarockPosition, view: TarockView) -> None:
    seat = view.seat
    if seat < 0:
        return
    view.dealt = position.dealt[seat]
    view.hand = position.hands[seat]
    if seat == position.declarer:
        view.laid = position.discarded()
    if seat == position.turn:
        view.claimed = int(position.claimed)
        view.raised = int(position.raised)


def _show_contract(position: TarockPosition, view: TarockView) -> None:
    view.bids = position.bids()
    view.passed = int(position.passed)
    view.high = int(position.high)
    view.holder = int(position.holder)
    view.contract = int(position.contract)
    view.declarer = int(position.declarer)
    view.king = int(position.king)
    view.found = int(position.found)
    view.foes = int(position.foes)
    view.many = int(position.many)
    if position.many:
        view.talon = unpack(position.talon, 6)
        view.picked = int(position.picked)
        if position.exchanged:
            view.discarded = position.laid & TAROCKS
    view.turns = position.said()
    view.announcers = int(position.announcers)
    view.steps = int(position.steps)


def _show_play(position: TarockPosition, view: TarockView) -> None:
    view.counts = [HAND, HAND, HAND, HAND]
    view.leader = int(position.leader)
    view.tricks = position.finished()
    view.trick = unpack(position.trick, position.fallen) if position.phase == PLAYING else []
    for at in range(SEATS):
        seat = (view.leader + at) % SEATS
        view.counts[seat] -= len(view.tricks) + (1 if at < len(view.trick) else 0)
    if position.shown:
        view.revealed = position.hands[position.declarer]
