"""The observation of a seat, written from a position: what encoding.py writes for its view, but faster.

A test compares both for every seat in many matches, so that nothing reaches an observation that is not in the
view.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from croupier.core.cards import bit
from croupier.core.layout import Writer, away, turned
from croupier.games.sagrada import tools
from croupier.games.sagrada.encoding import DEMANDS, LINE, MOST, SIGNS
from croupier.games.sagrada.encoding import PHASES as SHOWN_PHASES
from croupier.games.sagrada.material import CELLS, COLOURS
from croupier.games.sagrada.objectives import private_points
from croupier.games.sagrada.placement import Window
from croupier.games.sagrada.position import GlassPosition, kinds
from croupier.games.sagrada.vocabulary import (
    CHOOSING,
    DICE,
    END,
    EXTRACTING,
    KINDS,
    PAYING,
    ROUNDS,
    TURN,
    TURNS,
)

SPREAD: Final = vec[i64]([sum(1 << len(SIGNS) * i for i in range(LINE) if row >> i & 1) for row in range(32)])
"""For each set of cells in a row, the set of their first signs."""


def observe(shop: GlassPosition, me: i64, out: Writer) -> None:
    """Write what *me* knows while a seat owes a decision."""
    phase = shop.phase
    playing = phase >= TURN
    own = playing and me == shop.seat
    shown: i64 = phase
    if playing:
        shown = TURN
    elif phase != CHOOSING:
        shown = EXTRACTING
    out.one(SHOWN_PHASES.index(int(shown)), len(SHOWN_PHASES))
    _put_cards(out, shop.privates[int(me)], 5)
    _put_cards(out, shop.offers[int(me)], 24)
    out.one(shop.chosen[int(me)] - 1, 24)
    out.one(shop.active - 1 if own and phase != PAYING else -1, 12)
    out.one(shop.paying if own else -1, KINDS)
    if own:
        out.several(tools.picks(shop), END)
    else:
        out.skip(END)
    _put_cards(out, shop.tools, 12)
    _put_table(shop, me, out)
    _put_turn(shop, me, out)
    _put_numbers(shop, me, out)


def _put_cards(out: Writer, numbers: list[int], many: i64) -> None:
    """Write a set of cards, whose numbers count from 1."""
    members: i64 = 0
    for number in numbers:
        members |= bit(number - 1)
    out.put(members, many)


def _put_table(shop: GlassPosition, me: i64, out: Writer) -> None:
    """Write what is on the table once all seats have chosen a window."""
    everyone = bit(shop.seats) - 1
    if shop.phase == CHOOSING:
        out.skip(12 + 10)
        out.put(turned(everyone & ~shop.waiting, me, shop.seats), MOST)
        out.skip(2 * MOST * CELLS * len(SIGNS) + ROUNDS * KINDS)
        return
    out.put(shop.spent >> 1, 12)
    _put_cards(out, shop.publics, 10)
    out.put(everyone, MOST)
    i: i64 = 0
    while i < shop.seats:
        for line in DEMANDS[shop.windows[int((me + i) % shop.seats)].pattern.number]:
            out.put(line, LINE * len(SIGNS))
        i += 1
    out.skip((MOST - shop.seats) * CELLS * len(SIGNS))
    i = 0
    while i < shop.seats:
        _put_dice(out, shop.windows[int((me + i) % shop.seats)])
        i += 1
    out.skip((MOST - shop.seats) * CELLS * len(SIGNS))
    for slot in shop.track:
        out.put(kinds(slot), KINDS)
    out.skip((ROUNDS - len(shop.track)) * KINDS)


def _put_dice(out: Writer, window: Window) -> None:
    row: i64 = 0
    while row < CELLS:
        line: i64 = 0
        if window.filled >> row & 31:
            colour: i64 = 0
            while colour < len(COLOURS):
                line |= SPREAD[window.colour(colour) >> row & 31] << colour
                colour += 1
            value: i64 = 0
            while value < 6:
                line |= SPREAD[window.value(value) >> row & 31] << (len(COLOURS) + value)
                value += 1
        out.put(line, LINE * len(SIGNS))
        row += LINE


def _put_turn(shop: GlassPosition, me: i64, out: Writer) -> None:
    seats = shop.seats
    out.put(turned(shop.waiting, me, seats), MOST)
    playing = shop.phase >= TURN
    out.put(away(shop.seat if playing else -1, me, seats), MOST)
    out.put(away(shop.start_seat() if shop.phase > CHOOSING else -1, me, seats), MOST)
    out.put(turned(shop.dropped, me, seats) if shop.phase > CHOOSING else 0, MOST)
    if not playing:
        out.skip(len(TURNS) + 1 + 12 + len(DICE) + CELLS)
        return
    out.one(shop.turn, len(TURNS))
    out.put(1 if shop.drafted else 0, 1)
    out.one(shop.used - 1, 12)
    out.one(shop.hand, len(DICE))
    out.put(shop.moved, CELLS)


def _put_numbers(shop: GlassPosition, me: i64, out: Writer) -> None:
    pool = out.next
    i: i64 = 0
    while i < KINDS:
        out.number(0.0)
        i += 1
    dice: i64 = 0
    if shop.phase >= TURN:
        dice = shop.pool
    while dice:
        out.numbers[pool + (dice & 31) - 1] += 0.5
        dice >>= 5
    i = 0
    while i < len(COLOURS):
        out.number(float(shop.bag >> 5 * i & 31) / 18)
        i += 1
    i = 0
    while i < MOST:
        tokens: i64 = 0
        if i < shop.seats and shop.phase > CHOOSING:
            tokens = shop.tokens_of((me + i) % shop.seats)
        out.number(float(tokens) / 6)
        i += 1
    out.number(float(shop.round) / 10)
    out.number(float(shop.activations) / 6 if shop.phase >= TURN and me == shop.seat else 0.0)
    best = 0
    if shop.windows:
        for number in shop.privates[int(me)]:
            best = max(best, private_points(number, shop.windows[int(me)]))
    out.number(best / 30)
