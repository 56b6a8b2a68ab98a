"""A view of Spades as numbers, for learning programs. Seats count from the observer's."""

from __future__ import annotations

from typing import Final

from croupier.core.cards import mask_of
from croupier.core.contract import View
from croupier.core.layout import Field, Layout, Writer, away, turned
from croupier_spades.view import SpadesView
from croupier_spades.vocabulary import DECK, PHASES, SEATS

BY_SEAT: Final = "by seat, own first, then clockwise"
LAYOUT: Final = Layout(
    [
        Field("phase", len(PHASES), "one of " + ", ".join(PHASES)),
        Field("hand", DECK, "own hand; card = 13 * (D 0, C 1, H 2, S 3) + (2 is 0 … ace is 12)"),
        Field("table", SEATS * DECK, f"the card played to this trick, {BY_SEAT}"),
        Field("played", DECK, "all cards of finished tricks of this deal"),
        Field("leader", SEATS, f"who leads this trick, {BY_SEAT}"),
        Field("to_act", SEATS, f"who has to decide, {BY_SEAT}"),
        Field("broken", 1, "spades are broken"),
    ],
    [
        Field("bids", SEATS, f"bid / 13, -1 before the bid, {BY_SEAT}"),
        Field("taken", SEATS, f"tricks taken / 13, {BY_SEAT}"),
        Field("totals", 2, "points of the match / 500, own side first"),
    ],
)


def encode(view: View, out: Writer) -> None:
    """Write what the seat of *view* knows, in the order of `LAYOUT`."""
    assert isinstance(view, SpadesView)
    me = max(view.seat, 0)
    order = [(me + step) % SEATS for step in range(SEATS)]
    table = {(view.leader + step) % SEATS: card for step, card in enumerate(view.trick)}
    out.one(view.phase, len(PHASES))
    out.put(view.hand, DECK)
    for seat in order:
        out.one(table.get(seat, -1), DECK)
    out.put(mask_of([card for _, cards, _ in view.tricks for card in cards]), DECK)
    out.put(away(view.leader, me, SEATS), SEATS)
    out.put(turned(view.to_act, me, SEATS), SEATS)
    out.put(1 if view.broken() else 0, 1)
    for seat in order:
        out.number(view.bids[seat] / 13 if view.bids[seat] >= 0 else -1.0)
    for seat in order:
        out.number(view.taken(seat) / 13)
    for side in (me % 2, (me + 1) % 2):
        out.number(view.totals[side] / 500)
