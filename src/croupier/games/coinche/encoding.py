"""A view of Coinche as numbers: seats are counted from the one that looks, so one policy serves all seats.

Not in it: the options, which stay the same, the order of the calls, and finished deals but for the totals.
"""

from __future__ import annotations

from typing import Final

from croupier.core.contract import View
from croupier.core.layout import Encoded, Field, Layout, away, one, row, turned
from croupier.games.coinche.view import CoincheView
from croupier.games.coinche.vocabulary import DECK, DENOMINATIONS, LEVELS, PHASES, PLAY, SEATS

CARDS: Final = "card = 8 * (Hearts 0, Diamonds 1, Clubs 2, Spades 3) + (7 8 9 10 J Q K A from 0)"
BY_SEAT: Final = "by seat, own first, then in playing order"

LAYOUT: Final = Layout(
    [
        Field("phase", len(PHASES), "one of " + ", ".join(PHASES)),
        Field("hand", DECK, f"own hand; {CARDS}"),
        Field("calls", SEATS * PLAY, f"what was said in the auction, as actions 0…{PLAY - 1}, {BY_SEAT}"),
        Field("level", len(LEVELS), "level of the contract: " + ", ".join(LEVELS)),
        Field("denomination", len(DENOMINATIONS), "its denomination: " + ", ".join(DENOMINATIONS)),
        Field("bidder", SEATS, f"who bid it, {BY_SEAT}"),
        Field("doubled", 2, "coinched, surcoinched"),
        Field("dealer", SEATS, f"who dealt, {BY_SEAT}"),
        Field("leader", SEATS, f"who leads this trick, {BY_SEAT}"),
        Field("to_act", SEATS, f"whose turn it is, {BY_SEAT}"),
        Field("table", SEATS * DECK, f"the card played to this trick, {BY_SEAT}"),
        Field("played", SEATS * DECK, f"all cards of finished tricks, by who played them, {BY_SEAT}"),
        Field("taken", SEATS * DECK, f"all cards of finished tricks, by who took them, {BY_SEAT}"),
        Field("belote", SEATS * 8, f"belotes announced, four suits, then rebelotes, {BY_SEAT}"),
    ],
    [
        Field("points", 2, "card points of this deal's tricks / 162, own team first"),
        Field("totals", 2, "points of the match / 1000, own team first"),
        Field("trick", 1, "number of the trick / 8"),
    ],
)


def encode(view: View) -> Encoded:
    """Return what the seat of *view* knows, in the order of `LAYOUT`."""
    assert isinstance(view, CoincheView)
    me = view.seat
    calls = [0] * SEATS
    for seat, action in view.calls:
        calls[(seat - me) % SEATS] |= 1 << action
    played = [0] * SEATS
    taken = [0] * SEATS
    points = [0, 0]
    for trick in view.tricks:
        for i, card in enumerate(trick.cards):
            played[(trick.leader + i - me) % SEATS] |= 1 << card
            taken[(trick.taker - me) % SEATS] |= 1 << card
        points[(trick.taker - me) % 2] += trick.points
    belote = [0] * SEATS
    for said in view.announced:
        belote[(said.seat - me) % SEATS] |= 1 << said.suit + (4 if said.again else 0)
    sets = [
        one(view.phase),
        int(view.hand),
        row(calls, PLAY),
        one(view.level),
        one(view.denomination),
        away(view.bidder, me, SEATS),
        one(view.doubled - 1),
        away(view.dealer, me, SEATS),
        away(view.leader, me, SEATS),
        turned(view.to_act, me, SEATS),
        row([one(view.table[(me + i) % SEATS]) for i in range(SEATS)], DECK),
        row(played, DECK),
        row(taken, DECK),
        row(belote, 8),
    ]
    numbers = [points[0] / 162, points[1] / 162, view.totals[me % 2] / 1000, view.totals[1 - me % 2] / 1000]
    numbers.append(view.trick / 8)
    return Encoded(sets, numbers)
