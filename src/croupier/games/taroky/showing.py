"""Fill a fresh view with what a seat may know of a position; folding the events gives the same view."""

from __future__ import annotations

from croupier.core.cards import bit, unpack
from croupier.games.taroky.position import TarokyPosition
from croupier.games.taroky.view import TarokyView, Trick
from croupier.games.taroky.vocabulary import (
    CONTRA,
    DEALING,
    DISCARD,
    HALF,
    IOTE,
    MONEY,
    NOBODY,
    OVER,
    PLAYING,
    PREVER,
    SEATS,
    TRUMP,
)

SECRET = (MONEY, CONTRA, IOTE)
"""The phases in which nobody else may know who is asked (R11)."""


def show(position: TarokyPosition, view: TarokyView) -> None:
    """Fill *view* with what its seat may know, except the legal actions."""
    if position.number == 0:
        return
    view.options = dict(position.rules.options)
    view.clear(int(position.povinnost))
    view.phase = int(position.phase)
    view.deal = int(position.number)
    view.chips = position.chips()
    view.results = position.results[:]
    view.turn = NOBODY if view.phase in SECRET else int(position.turn)
    _show_talon(position, view)
    _show_discards(position, view)
    _show_calls(position, view)
    _show_play(position, view)
    _show_own(position, view)


def _show_own(position: TarokyPosition, view: TarokyView) -> None:
    seat = view.seat
    if seat < 0:
        return
    view.initial = position.dealt(seat)
    view.hand = position.hands[seat]
    view.drawn = position.draws(seat)
    view.laid = position.discards(seat)
    for level in range(3):
        if position.refused >> (4 * level + seat) & 1:
            view.refused |= 1 << level
            view.asked |= 1 << level
        elif level < position.contras and position.caller(level) == seat:
            view.asked |= 1 << level
    if view.phase == CONTRA and seat == position.turn:
        view.asked |= 1 << int(position.contras)
    view.kept_quiet = position.quiet and seat == position.pagat
    if view.phase == HALF and seat == position.prever:
        view.seen = position.talon_cards(3 if position.step == 2 else 0, 3)


def _show_talon(position: TarokyPosition, view: TarokyView) -> None:
    asked = int(position.asked)
    view.prevers = [position.yes >> player & 1 == 1 for player in range(asked)]
    if view.phase > PREVER or position.lies_open():  # until the last answer several may say yes
        view.prever = int(position.prever)
    view.gifts = [int(position.gift2), int(position.gift3)]
    view.draws = [len(position.draws(seat)) for seat in range(SEATS)]
    view.step = int(position.step)
    view.half = int(position.half)
    if position.step == 2:
        view.shown = position.talon_cards(0, 6 if position.half == 3 else 3)


def _show_discards(position: TarokyPosition, view: TarokyView) -> None:
    view.left = int(position.left) if view.phase == DISCARD else 0
    for seat in range(SEATS):
        cards = position.discards(seat)
        view.discards[seat] = len(cards)
        view.thrown[seat] = [card for card in cards if card > TRUMP]
        view.counts[seat] = 12 + view.draws[seat] - len(cards)


def _show_calls(position: TarokyPosition, view: TarokyView) -> None:
    called = position.lies_open() or view.phase > MONEY
    if called:
        view.money = [position.money >> 8 * view.seat_of(player) & 255 for player in range(1, SEATS + 1)]
        view.brought = position.brought()
    view.named = int(position.named)
    view.valats = [False] * int(position.answers)
    view.valat = int(position.valat)
    if view.valat != NOBODY:
        view.valats[-1] = True
    view.contras = [int(position.caller(level)) for level in range(position.contras)]
    view.iote = int(position.iote)


def _show_play(position: TarokyPosition, view: TarokyView) -> None:
    for at in range(position.done):
        packed = position.played[at]
        view.tricks.append(Trick(int(packed >> 24), unpack(packed, SEATS), NOBODY))
    for trick, following in zip(view.tricks, view.tricks[1:]):  # noqa: B905  # mypyc knows no strict
        trick.taker = following.leader
    if view.tricks:
        # The taker of the last trick leads this one, unless it was the twelfth.
        view.tricks[-1].taker = int(position.winner if position.fallen == 0 else position.leader)
    if view.phase == PLAYING:
        view.leader = int(position.leader)
        view.trick = unpack(position.trick, position.fallen)
    for trick in [*view.tricks, Trick(view.leader, view.trick, NOBODY)]:
        for at in range(len(trick.cards)):
            view.counts[(trick.leader + at) & 3] -= 1
    if view.phase in (DEALING, OVER):
        view.hands = [position.dealt(seat) for seat in range(SEATS)]
        view.talon = position.talon_cards(0, 6)
        view.all_discards = [position.discards(seat) for seat in range(SEATS)]
        view.results.append(position.result())


def secret_to_act(position: TarokyPosition, seat: int) -> int:
    """Return the seats that owe a decision as far as *seat* may know."""
    if position.turn == NOBODY:
        return 0
    if int(position.phase) in SECRET and seat != position.turn:
        return 0
    return int(bit(position.turn))
