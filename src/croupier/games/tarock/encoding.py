"""A view of Tarock as numbers: seats are counted from the one that looks, so one policy serves all seats.

Not in it: the options, which stay the same, the order of bids and announcements, and finished deals but for
totals and radelci.
"""

from __future__ import annotations

from typing import Final

from croupier.core.contract import View
from croupier.core.layout import Encoded, Field, Layout, away, one, row, several, turned
from croupier.games.tarock import sides
from croupier.games.tarock.events import sets_of
from croupier.games.tarock.view import TarockView
from croupier.games.tarock.vocabulary import (
    BONUSES,
    CONTRACT_NAMES,
    DECK,
    ITEMS,
    NOBODY,
    PHASES,
    SEATS,
    SUITS,
)

CARDS: Final = "card = 8 * (C 0, S 1, H 2, D 3) + (weakest 0 … king 7), then the tarocks T1 (32) … TS (53)"
BY_SEAT: Final = "by seat, own first, then in playing order"
BIDS: Final = 1 + len(CONTRACT_NAMES)
TALON: Final = 6

LAYOUT: Final = Layout(
    [
        Field("phase", len(PHASES), "one of " + ", ".join(PHASES)),
        Field("hand", DECK, f"own hand; {CARDS}"),
        Field("laid", DECK, "cards this seat has laid away"),
        Field("bids", SEATS * BIDS, f"pass, then what was bid ({', '.join(CONTRACT_NAMES)}), {BY_SEAT}"),
        Field("high", len(CONTRACT_NAMES), "the highest bid"),
        Field("holder", SEATS, f"who made it, {BY_SEAT}"),
        Field("contract", len(CONTRACT_NAMES), "the contract, once the auction is over"),
        Field("declarer", SEATS, f"who plays it, {BY_SEAT}"),
        Field("king", len(SUITS), f"suit of the called king: {', '.join(SUITS)}"),
        Field("partner", SEATS, f"who this seat knows to be declarer's partner, {BY_SEAT}"),
        Field("alone", 1, "this seat knows that declarer has no partner"),
        Field("opponents", SEATS, f"who this seat knows to play against declarer, {BY_SEAT}"),
        Field("talon", TALON * DECK, "the sets of an open talon, one after the other"),
        Field("picked", TALON, "the set declarer took"),
        Field("discarded", DECK, "tarocks that declarer laid away"),
        Field("announced", SEATS * len(BONUSES), f"bonuses announced ({', '.join(BONUSES)}), {BY_SEAT}"),
        Field("claimed", len(BONUSES), "bonuses this seat is about to announce"),
        Field("raised", len(ITEMS), f"what it is about to double: {', '.join(ITEMS)}"),
        Field("leader", SEATS, f"who leads this trick, {BY_SEAT}"),
        Field("to_act", SEATS, f"whose turn it is, {BY_SEAT}"),
        Field("dealer", SEATS, f"who dealt, {BY_SEAT}"),
        Field("table", SEATS * DECK, f"the card played to this trick, {BY_SEAT}"),
        Field("played", SEATS * DECK, f"all cards of finished tricks, by who played them, {BY_SEAT}"),
        Field("taken", SEATS * DECK, f"all cards of finished tricks, by who won them, gifts too, {BY_SEAT}"),
        Field("revealed", DECK, "what is left of the hand an open beggar has shown"),
        Field("compulsory", 1, "the deal is a compulsory klop"),
    ],
    [
        Field("kontra", len(ITEMS), f"how often each is doubled / 4: {', '.join(ITEMS)}"),
        Field("totals", SEATS, f"points of the match / 100, {BY_SEAT}"),
        Field("radelci", SEATS, f"radelci / 4, {BY_SEAT}"),
        Field("trick", 1, "finished tricks / 12"),
    ],
)


def encode(view: View) -> Encoded:
    """Return what the seat of *view* knows, in the order of `LAYOUT`."""
    assert isinstance(view, TarockView)
    me = view.seat
    order = [(me + i) % SEATS for i in range(SEATS)]
    bids = [0] * SEATS
    for bid in view.bids:
        bids[(bid[0] - me) % SEATS] |= 1 << bid[1] + 1
    announced = [0] * SEATS
    for turn in view.turns:
        announced[(turn.seat - me) % SEATS] |= turn.bonuses
    played = [0] * SEATS
    taken = [0] * SEATS
    for trick in view.tricks:
        for i, card in enumerate(trick.cards):
            played[(trick.leader + i - me) % SEATS] |= 1 << card
            taken[(trick.winner - me) % SEATS] |= 1 << card
        if trick.gift >= 0:
            taken[(trick.winner - me) % SEATS] |= 1 << trick.gift
    table = [0] * SEATS
    for i, card in enumerate(view.trick):
        table[(view.leader + i - me) % SEATS] = 1 << card
    partner = view.partner()
    foes = 0
    for i, seat in enumerate(order):
        if view.side(seat) == sides.OPPONENTS:
            foes |= 1 << i
    sets = [
        one(view.phase),
        int(view.hand),
        several(view.laid),
        row(bids, BIDS),
        one(view.high),
        away(view.holder, me, SEATS),
        one(view.contract),
        away(view.declarer, me, SEATS),
        one(view.king),
        away(partner, me, SEATS),
        1 if partner == NOBODY else 0,
        foes,
        row([several(cards) for cards in sets_of(view.talon, view.many)], DECK),
        one(view.picked),
        int(view.discarded),
        row(announced, len(BONUSES)),
        view.claimed,
        view.raised,
        away(view.leader, me, SEATS),
        turned(view.to_act, me, SEATS),
        away(view.dealer, me, SEATS),
        row(table, DECK),
        row(played, DECK),
        row(taken, DECK),
        int(view.revealed),
        1 if view.compulsory else 0,
    ]
    numbers = [int(sides.step_of(view.steps, item)) / 4 for item in range(len(ITEMS))]
    numbers += [view.totals[seat] / 100 for seat in order]
    numbers += [view.radelci[seat] / 4 for seat in order]
    numbers.append(len(view.tricks) / 12)
    return Encoded(sets, numbers)
