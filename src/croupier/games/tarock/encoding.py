"""A view of Tarock as numbers. Seats count from the observer's, so one policy works for every seat.

The options, which do not change, the order of bids and announcements, and finished deals except for totals
and radelci are omitted.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from croupier.core.cards import bit, mask_of
from croupier.core.contract import View
from croupier.core.layout import Field, Layout, Writer, away, turned
from croupier.core.tricks import played, taken
from croupier.games.tarock import sides
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
        Field("laid", DECK, "cards this seat has discarded"),
        Field("bids", SEATS * BIDS, f"pass, then what was bid ({', '.join(CONTRACT_NAMES)}), {BY_SEAT}"),
        Field("high", len(CONTRACT_NAMES), "the highest bid"),
        Field("holder", SEATS, f"who made it, {BY_SEAT}"),
        Field("contract", len(CONTRACT_NAMES), "the contract, once the auction is over"),
        Field("declarer", SEATS, f"who plays it, {BY_SEAT}"),
        Field("king", len(SUITS), f"suit of the called king: {', '.join(SUITS)}"),
        Field("partner", SEATS, f"who this seat knows to be declarer's partner, {BY_SEAT}"),
        Field("alone", 1, "this seat knows that declarer has no partner"),
        Field("opponents", SEATS, f"who this seat knows to play against declarer, {BY_SEAT}"),
        Field("talon", TALON * DECK, "the sets of an open talon, one after another"),
        Field("picked", TALON, "the set declarer took"),
        Field("discarded", DECK, "tarocks that declarer has discarded"),
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
        Field("totals", SEATS, f"points of the match / 100, limited to -5 … 5, {BY_SEAT}", -5, 5),
        Field("radelci", SEATS, f"radelci / 4, limited to 5, {BY_SEAT}", 0, 5),
        Field("trick", 1, "finished tricks / 12"),
    ],
)


def encode(view: View, out: Writer) -> None:
    """Write what the seat of *view* knows, in the order of `LAYOUT`."""
    assert isinstance(view, TarockView)
    me = view.seat
    order = [(me + i) % SEATS for i in range(SEATS)]
    out.one(view.phase, len(PHASES))
    out.put(view.hand, DECK)
    out.put(mask_of(view.laid), DECK)
    _put_auction(out, view, order)
    _put_sides(out, view, order)
    _put_talon(out, view)
    _put_announcements(out, view, order)
    out.put(away(view.leader, me, SEATS), SEATS)
    out.put(turned(view.to_act, me, SEATS), SEATS)
    out.put(away(view.dealer, me, SEATS), SEATS)
    _put_tricks(out, view, order)
    out.put(view.revealed, DECK)
    out.put(1 if view.compulsory else 0, 1)
    for item in range(len(ITEMS)):
        out.number(int(sides.step_of(view.steps, item)) / 4)
    for seat in order:
        out.number(view.totals[seat] / 100)
    for seat in order:
        out.number(view.radelci[seat] / 4)
    out.number(len(view.tricks) / 12)


def _put_auction(out: Writer, view: TarockView, order: list[int]) -> None:
    for seat in order:
        said: i64 = 0
        for bid in view.bids:
            if bid[0] == seat:
                said |= bit(bid[1] + 1)
        out.put(said, BIDS)
    out.one(view.high, len(CONTRACT_NAMES))
    out.put(away(view.holder, view.seat, SEATS), SEATS)
    out.one(view.contract, len(CONTRACT_NAMES))
    out.put(away(view.declarer, view.seat, SEATS), SEATS)


def _put_sides(out: Writer, view: TarockView, order: list[int]) -> None:
    out.one(view.king, len(SUITS))
    partner = view.partner()
    out.put(away(partner, view.seat, SEATS), SEATS)
    out.put(1 if partner == NOBODY else 0, 1)
    for seat in order:
        out.put(1 if view.side(seat) == sides.OPPONENTS else 0, 1)


def _put_talon(out: Writer, view: TarockView) -> None:
    for at in range(TALON):
        out.put(mask_of(view.talon[at * view.many : (at + 1) * view.many]), DECK)
    out.one(view.picked, TALON)
    out.put(view.discarded, DECK)


def _put_announcements(out: Writer, view: TarockView, order: list[int]) -> None:
    for seat in order:
        bonuses: i64 = 0
        for turn in view.turns:
            if turn.seat == seat:
                bonuses |= turn.bonuses
        out.put(bonuses, len(BONUSES))
    out.put(view.claimed, len(BONUSES))
    out.put(view.raised, len(ITEMS))


def _put_tricks(out: Writer, view: TarockView, order: list[int]) -> None:
    for seat in order:
        at = (seat - view.leader) % SEATS
        out.one(view.trick[at] if at < len(view.trick) else -1, DECK)
    for seat in order:
        out.put(played(view.tricks, seat), DECK)
    for seat in order:
        out.put(taken(view.tricks, seat), DECK)
