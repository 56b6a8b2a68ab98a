"""A view of Taroky as numbers. Seats count from the observer's, so one policy works for every seat.

The options, which do not change, and finished deals except for the chips are omitted.
"""

from __future__ import annotations

from typing import Final

from croupier.core.cards import mask_of
from croupier.core.contract import View
from croupier.core.layout import Field, Layout, Writer, away, turned
from croupier.core.tricks import played, taken
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
        Field("shown", DECK, "talon cards everyone has seen"),
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
        Field("chips", SEATS, f"chips / 100, limited to -5 … 5, {BY_SEAT}", -5, 5),
        Field("brought", SEATS, f"chips from money cards / 10, limited to -5 … 5, {BY_SEAT}", -5, 5),
        Field("draws", SEATS, f"talon cards taken / 6, {BY_SEAT}"),
        Field("discards", SEATS, f"cards discarded / 6, {BY_SEAT}"),
        Field("counts", SEATS, f"cards held / 12, {BY_SEAT}", 0, 2),
        Field("left", 1, "cards that the discarding seat has yet to discard / 6"),
        Field("step", 1, "half of the talon that the prever player looks at / 2"),
        Field("trick", 1, "finished tricks / 12"),
    ],
)


def encode(view: View, out: Writer) -> None:
    """Write what the seat of *view* knows, in the order of `LAYOUT`."""
    assert isinstance(view, TarokyView)
    me = view.seat
    order = [(me + i) % SEATS for i in range(SEATS)]
    players = [(seat - view.povinnost) % SEATS for seat in order]
    out.one(view.phase, len(PHASES))
    out.put(view.hand, DECK)
    out.put(mask_of(view.drawn), DECK)
    out.put(mask_of(view.seen), DECK)
    out.put(mask_of(view.laid), DECK)
    out.put(view.asked, len(LEVELS))
    out.put(view.refused, len(LEVELS))
    out.put(1 if view.kept_quiet else 0, 1)
    out.put(turned(view.to_act, me, SEATS), SEATS)
    out.put(away(view.povinnost, me, SEATS), SEATS)
    _put_answers(out, view.prevers, players)
    out.put(away(view.prever, me, SEATS), SEATS)
    for gift in view.gifts:
        out.one(gift, len(GIFTS))
    out.put(mask_of(view.shown), DECK)
    out.one(view.half, len(HALVES))
    for seat in order:
        out.put(mask_of(view.thrown[seat]), DECK)
    _put_calls(out, view, players)
    out.put(away(view.leader, me, SEATS), SEATS)
    _put_tricks(out, view, order)
    for seat in order:
        out.number(view.chips[seat] / 100 if view.chips else 0)
    for seat in order:
        out.number(view.brought[seat] / 10)
    for seat in order:
        out.number(view.draws[seat] / 6)
    for seat in order:
        out.number(view.discards[seat] / 6)
    for seat in order:
        out.number(view.counts[seat] / 12)
    out.number(view.left / 6)
    out.number(view.step / 2)
    out.number(len(view.tricks) / 12)


def _put_answers(out: Writer, answers: list[bool], players: list[int]) -> None:
    for player in players:
        out.one((1 if answers[player] else 0) if player < len(answers) else -1, 2)


def _put_calls(out: Writer, view: TarokyView, players: list[int]) -> None:
    me = view.seat
    for player in players:
        out.put(view.money[player] if player < len(view.money) else 0, len(MONEY_CODES))
    out.one(view.named - 15, PARTNERS)
    out.put(away(view.partner(), me, SEATS), SEATS)
    _put_answers(out, view.valats, players)
    for level in range(len(LEVELS)):
        out.put(away(view.contras[level], me, SEATS) if level < len(view.contras) else 0, SEATS)
    out.put(away(view.iote, me, SEATS), SEATS)


def _put_tricks(out: Writer, view: TarokyView, order: list[int]) -> None:
    for seat in order:
        at = (seat - view.leader) % SEATS
        out.one(view.trick[at] if at < len(view.trick) else -1, DECK)
    for seat in order:
        out.put(played(view.tricks, seat), DECK)
    for seat in order:
        out.put(taken(view.tricks, seat), DECK)
