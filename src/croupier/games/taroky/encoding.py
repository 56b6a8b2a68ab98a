"""A view of Taroky as numbers: seats are counted from the one that looks, so one policy serves all seats.

Not in it: the options, which stay the same, and finished deals but for the chips.
"""

from __future__ import annotations

from typing import Final

from croupier.core.contract import View
from croupier.core.layout import Encoded, Field, Layout, away, one, row, several, turned
from croupier.games.taroky.view import TarokyView
from croupier.games.taroky.vocabulary import DECK, GIFTS, HALVES, LEVELS, MONEY_CODES, PHASES, SEATS

CARDS: Final = (
    "card = 8 * (S 0, C 1, H 2, D 3) + (1 2 3 4 J R Q K from 0), then the trumps T01 (32) … T22 (53)"
)
BY_SEAT: Final = "by seat, own first, then in playing order"
PARTNERS: Final = 5

LAYOUT: Final = Layout(
    [
        Field("phase", len(PHASES), "one of " + ", ".join(PHASES)),
        Field("hand", DECK, f"own hand; {CARDS}"),
        Field("drawn", DECK, "talon cards this seat has taken"),
        Field("seen", DECK, "half of the talon it looks at while it decides"),
        Field("laid", DECK, "cards it has discarded"),
        Field("asked", len(LEVELS), f"levels it has been asked for: {', '.join(LEVELS)}"),
        Field("refused", len(LEVELS), "levels it has said no to"),
        Field("kept_quiet", 1, "it holds T01 and has not announced it"),
        Field("to_act", SEATS, f"who is asked, as far as this seat may know, {BY_SEAT}"),
        Field("povinnost", SEATS, f"who is Povinnost, {BY_SEAT}"),
        Field("prevers", SEATS * 2, f"no, yes to prever, {BY_SEAT}"),
        Field("prever", SEATS, f"who plays prever, {BY_SEAT}"),
        Field("gifts", 2 * len(GIFTS), f"the talon card of player 2, of player 3: {', '.join(GIFTS)}"),
        Field("shown", DECK, "talon cards everybody has seen"),
        Field("half", len(HALVES), "half that a prever player took: none yet, top, bottom, returned to top"),
        Field("thrown", SEATS * DECK, f"trumps discarded, {BY_SEAT}"),
        Field("money", SEATS * len(MONEY_CODES), f"money cards called ({', '.join(MONEY_CODES)}), {BY_SEAT}"),
        Field("named", PARTNERS, "trump named as partner, T15 … T19"),
        Field("partner", SEATS, f"who is known to hold it, {BY_SEAT}"),
        Field("valats", SEATS * 2, f"no, yes to valat, {BY_SEAT}"),
        Field("contras", len(LEVELS) * SEATS, f"who called {', '.join(LEVELS)}, each {BY_SEAT}"),
        Field("iote", SEATS, f"who has announced the I on the end, {BY_SEAT}"),
        Field("leader", SEATS, f"who leads this trick, {BY_SEAT}"),
        Field("table", SEATS * DECK, f"the card played to this trick, {BY_SEAT}"),
        Field("played", SEATS * DECK, f"all cards of finished tricks, by who played them, {BY_SEAT}"),
        Field("taken", SEATS * DECK, f"all cards of finished tricks, by who took them, {BY_SEAT}"),
    ],
    [
        Field("chips", SEATS, f"chips / 100, {BY_SEAT}"),
        Field("brought", SEATS, f"what money cards brought / 10, {BY_SEAT}"),
        Field("draws", SEATS, f"talon cards taken / 6, {BY_SEAT}"),
        Field("discards", SEATS, f"cards discarded / 6, {BY_SEAT}"),
        Field("counts", SEATS, f"cards held / 12, {BY_SEAT}"),
        Field("left", 1, "cards that whoever discards has to discard yet / 6"),
        Field("step", 1, "half of the talon that the prever player looks at / 2"),
        Field("trick", 1, "finished tricks / 12"),
    ],
)


def encode(view: View) -> Encoded:
    """Return what the seat of *view* knows, in the order of `LAYOUT`."""
    assert isinstance(view, TarokyView)
    me = view.seat
    order = [(me + i) % SEATS for i in range(SEATS)]
    first = view.povinnost - me
    prevers = [0] * SEATS
    for i, answer in enumerate(view.prevers):
        prevers[(first + i) % SEATS] = 2 if answer else 1
    valats = [0] * SEATS
    for i, answer in enumerate(view.valats):
        valats[(first + i) % SEATS] = 2 if answer else 1
    money = [0] * SEATS
    for i, codes in enumerate(view.money):
        money[(first + i) % SEATS] = int(codes)
    played = [0] * SEATS
    taken = [0] * SEATS
    for trick in view.tricks:
        for i, card in enumerate(trick.cards):
            played[(trick.leader + i - me) % SEATS] |= 1 << card
            taken[(trick.taker - me) % SEATS] |= 1 << card
    table = [0] * SEATS
    for i, card in enumerate(view.trick):
        table[(view.leader + i - me) % SEATS] = 1 << card
    sets = [
        one(view.phase),
        int(view.hand),
        several(view.drawn),
        several(view.seen),
        several(view.laid),
        view.asked,
        view.refused,
        1 if view.kept_quiet else 0,
        turned(view.to_act, me, SEATS),
        away(view.povinnost, me, SEATS),
        row(prevers, 2),
        away(view.prever, me, SEATS),
        row([one(gift) for gift in view.gifts], len(GIFTS)),
        several(view.shown),
        one(view.half),
        row([several(view.thrown[seat]) for seat in order], DECK),
        row(money, len(MONEY_CODES)),
        one(view.named - 15),
        away(view.partner(), me, SEATS),
        row(valats, 2),
        row([away(seat, me, SEATS) for seat in view.contras], SEATS),
        away(view.iote, me, SEATS),
        away(view.leader, me, SEATS),
        row(table, DECK),
        row(played, DECK),
        row(taken, DECK),
    ]
    chips = view.chips if view.chips else [0] * SEATS
    numbers = [chips[seat] / 100 for seat in order]
    numbers += [view.brought[seat] / 10 for seat in order]
    numbers += [view.draws[seat] / 6 for seat in order]
    numbers += [view.discards[seat] / 6 for seat in order]
    numbers += [view.counts[seat] / 12 for seat in order]
    numbers += [view.left / 6, view.step / 2, len(view.tricks) / 12]
    return Encoded(sets, numbers)
