"""A view of Hearts as numbers. Seats count from the observer's, so one policy works for every seat.

The options, which do not change, are omitted, and so are finished deals and games except for their scores.
"""

from __future__ import annotations

from typing import Final

from croupier.core.cards import mask_of
from croupier.core.contract import View
from croupier.core.layout import Field, Layout, Writer, away, turned
from croupier.games.hearts.view import HeartsView
from croupier.games.hearts.vocabulary import DECK, PHASES, SEATS

DIRECTIONS: Final = ["left", "right", "across", "none"]
CARDS: Final = "card = 13 * (D 0, C 1, H 2, S 3) + (2 is 0 … ace is 12)"
BY_SEAT: Final = "by seat, own first, then clockwise"

LAYOUT: Final = Layout(
    [
        Field("phase", len(PHASES), "one of " + ", ".join(PHASES)),
        Field("hand", DECK, f"own hand; {CARDS}"),
        Field("picked", DECK, "cards this seat has picked to pass"),
        Field("received", DECK, "cards passed to this seat"),
        Field("table", SEATS * DECK, f"the card played in this round, {BY_SEAT}"),
        Field("played", SEATS * DECK, f"all cards played in this deal, {BY_SEAT}"),
        Field("taken", SEATS * DECK, f"score cards taken in this deal, {BY_SEAT}"),
        Field("void", SEATS * 4, f"suits shown not to be held, {BY_SEAT}"),
        Field("leader", SEATS, f"who leads this round, {BY_SEAT}"),
        Field("exposed", SEATS, f"who has shown the ace of hearts, {BY_SEAT}"),
        Field("passed", SEATS, f"who has chosen the cards to pass, {BY_SEAT}"),
        Field("to_act", SEATS, f"who owes a decision, as far as this seat may know, {BY_SEAT}"),
        Field("direction", 4, "where cards are passed: " + ", ".join(DIRECTIONS)),
        Field("broken", 1, "hearts are broken"),
    ],
    [
        Field("scores", SEATS, f"points of this deal / 26, {BY_SEAT}", -3, 12),
        Field("totals", SEATS, f"points of this game / 100, limited to -12 … 12, {BY_SEAT}", -12, 12),
        Field("round", 1, "round / 13"),
    ],
)


def encode(view: View, out: Writer) -> None:
    """Write what the seat of *view* knows, in the order of `LAYOUT`."""
    assert isinstance(view, HeartsView)
    me = view.seat
    order = [(me + i) % SEATS for i in range(SEATS)]
    out.one(view.phase, len(PHASES))
    out.put(view.hand, DECK)
    out.put(mask_of(view.picked), DECK)
    out.put(mask_of(view.received), DECK)
    for seat in order:
        out.one(view.table[seat], DECK)
    for seat in order:
        out.put(mask_of(view.played[seat]), DECK)
    for seat in order:
        out.put(view.taken[seat], DECK)
    for seat in order:
        out.put(view.void[seat], 4)
    out.put(away(view.leader, me, SEATS), SEATS)
    out.put(away(view.exposed, me, SEATS), SEATS)
    out.put(turned(view.passed, me, SEATS), SEATS)
    out.put(turned(view.to_act, me, SEATS), SEATS)
    out.one(DIRECTIONS.index(view.direction), len(DIRECTIONS))
    out.put(1 if view.broken else 0, 1)
    for seat in order:
        out.number(view.scores[seat] / 26)
    for seat in order:
        out.number(view.totals[seat] / 100)
    out.number(view.round / 13)
