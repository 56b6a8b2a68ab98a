"""A view of Hearts as numbers: every seat is counted from the one that looks, so one policy serves all seats.

Not in it: the options, which stay the same, and finished deals and games but for their scores.
"""

from __future__ import annotations

from typing import Final

from croupier.core.contract import View
from croupier.core.layout import Encoded, Field, Layout, away, one, row, several, turned
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
        Field("received", DECK, "cards it was passed"),
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
        Field("scores", SEATS, f"points of this deal / 26, {BY_SEAT}"),
        Field("totals", SEATS, f"points of this game / 100, {BY_SEAT}"),
        Field("round", 1, "round / 13"),
    ],
)


def encode(view: View) -> Encoded:
    """Return what the seat of *view* knows, in the order of `LAYOUT`."""
    assert isinstance(view, HeartsView)
    me = view.seat
    order = [(me + i) % SEATS for i in range(SEATS)]
    sets = [
        one(view.phase),
        int(view.hand),
        several(view.picked),
        several(view.received),
        row([one(view.table[seat]) for seat in order], DECK),
        row([several(view.played[seat]) for seat in order], DECK),
        row([int(view.taken[seat]) for seat in order], DECK),
        row([view.void[seat] for seat in order], 4),
        away(view.leader, me, SEATS),
        away(view.exposed, me, SEATS),
        turned(view.passed, me, SEATS),
        turned(view.to_act, me, SEATS),
        one(DIRECTIONS.index(view.direction)),
        1 if view.broken else 0,
    ]
    numbers = [view.scores[seat] / 26 for seat in order]
    numbers += [view.totals[seat] / 100 for seat in order]
    numbers.append(view.round / 13)
    return Encoded(sets, numbers)
