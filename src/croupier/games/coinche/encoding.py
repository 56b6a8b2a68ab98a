"""A view of Coinche as numbers. Seats count from the observer's, so one policy works for every seat.

The options, which do not change, the order of the calls, and finished deals except for the totals are
omitted.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from croupier.core.cards import bit
from croupier.core.contract import View
from croupier.core.layout import Field, Layout, Writer, away, turned
from croupier.core.tricks import played, taken
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
        Field("points", 2, "card points of this deal's tricks / 162, own team first", 0, 2),
        Field("totals", 2, "points of the match / 1000, limited to 5, own team first", 0, 5),
        Field("trick", 1, "number of the trick / 8"),
    ],
)


def encode(view: View, out: Writer) -> None:
    """Write what the seat of *view* knows, in the order of `LAYOUT`."""
    assert isinstance(view, CoincheView)
    me = view.seat
    order = [(me + i) % SEATS for i in range(SEATS)]
    out.one(view.phase, len(PHASES))
    out.put(view.hand, DECK)
    for seat in order:
        out.several([action for caller, action in view.calls if caller == seat], PLAY)
    out.one(view.level, len(LEVELS))
    out.one(view.denomination, len(DENOMINATIONS))
    out.put(away(view.bidder, me, SEATS), SEATS)
    out.one(view.doubled - 1, 2)
    out.put(away(view.dealer, me, SEATS), SEATS)
    out.put(away(view.leader, me, SEATS), SEATS)
    out.put(turned(view.to_act, me, SEATS), SEATS)
    for seat in order:
        out.one(view.table[seat], DECK)
    _put_tricks(out, view, order)
    points = [0, 0]
    for trick in view.tricks:
        points[(trick.taker - me) % 2] += trick.points
    out.number(points[0] / 162)
    out.number(points[1] / 162)
    out.number(view.totals[me % 2] / 1000)
    out.number(view.totals[1 - me % 2] / 1000)
    out.number(view.trick / 8)


def _put_tricks(out: Writer, view: CoincheView, order: list[int]) -> None:
    for seat in order:
        out.put(played(view.tricks, seat), DECK)
    for seat in order:
        out.put(taken(view.tricks, seat), DECK)
    for seat in order:
        belote: i64 = 0
        for said in view.announced:
            if said.seat == seat:
                belote |= bit(said.suit + (4 if said.again else 0))
        out.put(belote, 8)
