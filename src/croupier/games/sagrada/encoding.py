"""A view of the dice game as numbers. Seats count from the observer's, so one policy works for every seat.

There is room for four seats; missing seats are zero. The options, which do not change, are omitted.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from croupier.core.cards import bit
from croupier.core.contract import View
from croupier.core.layout import Field, Layout, Writer, away, turned
from croupier.games.sagrada.material import CELLS, COLOURS, PATTERNS
from croupier.games.sagrada.placement import Window
from croupier.games.sagrada.view import GlassView
from croupier.games.sagrada.vocabulary import (
    CHOOSING,
    DICE,
    END,
    EXTRACTING,
    KINDS,
    OVER,
    ROUNDS,
    SEATING,
    TURN,
    TURNS,
)

MOST: Final = 4
PHASES: Final = [SEATING, CHOOSING, EXTRACTING, TURN, OVER]
SIGNS: Final = COLOURS + "123456"
SHOWN: Final = "each cell, row by row, as 5 colours (R G B Y P) and 6 values"
KIND: Final = "kind = 6 * (R 0, G 1, B 2, Y 3, P 4) + value - 1"
BY_SEAT: Final = "by seat, own first, then in playing order"

LAYOUT: Final = Layout(
    [
        Field("phase", len(PHASES), "one of setup, choosing, extracting, turn, over"),
        Field("privates", 5, "own private objectives"),
        Field("offered", 24, "window patterns this seat may choose from"),
        Field("window", 24, "the pattern it has chosen"),
        Field("active", 12, "tool it has ready"),
        Field("paying", KINDS, f"die it has set aside for that, alone; {KIND}"),
        Field("picks", END, "actions of its dialogue that can still be taken back"),
        Field("tools", 12, "tool cards on the table"),
        Field("spent", 12, "those used before"),
        Field("publics", 10, "public objectives"),
        Field("chosen", MOST, f"who has chosen a pattern, {BY_SEAT}"),
        Field("demands", MOST * CELLS * len(SIGNS), f"what the window prints, {BY_SEAT}; {SHOWN}"),
        Field("windows", MOST * CELLS * len(SIGNS), f"the dice on the window, {BY_SEAT}; {SHOWN}"),
        Field("track", ROUNDS * KINDS, "kinds of dice in each round's slot"),
        Field("to_act", MOST, f"who owes a decision, {BY_SEAT}"),
        Field("turn_seat", MOST, f"whose turn it is, {BY_SEAT}"),
        Field("start", MOST, f"who starts this round, {BY_SEAT}"),
        Field("dropped", MOST, f"whose second turn of this round is dropped, {BY_SEAT}"),
        Field("turn", len(TURNS), "the turn is the " + ", ".join(TURNS)),
        Field("drafted", 1, "a die has been placed in this turn"),
        Field("used", 12, "tool that has taken effect in this turn"),
        Field("hand", len(DICE), "die in the hand of whose turn it is; the last 5 have no value yet"),
        Field("moved", CELLS, "cells that dice were moved to in this turn"),
    ],
    [
        Field("pool", KINDS, f"dice of the pool / 2; {KIND}", 0, 5),
        Field("bag", len(COLOURS), "dice in the bag / 18, by colour"),
        Field("tokens", MOST, f"favor tokens / 6, {BY_SEAT}"),
        Field("round", 1, "round / 10"),
        Field("activations", 1, "how often a tool was activated in this turn / 6, limited to 5", 0, 5),
        Field("points", 1, "points of the better private objective now / 30", 0, 4),
    ],
)

LINE: Final = 5


def _lines(grid: str) -> list[int]:
    """Return the symbols printed on *grid*, a set for each row of cells."""
    lines = [0] * (CELLS // LINE)
    for cell, sign in enumerate(grid):
        if sign != ".":
            lines[cell // LINE] |= 1 << cell % LINE * len(SIGNS) + SIGNS.index(sign)
    return lines


DEMANDS: Final = [_lines("." * CELLS)] + [_lines(pattern.grid) for pattern in PATTERNS]
"""By the number of the pattern; the first one is for a seat without a window."""


def encode(view: View, out: Writer) -> None:
    """Write what the seat of *view* knows, in the order of `LAYOUT`."""
    assert isinstance(view, GlassView)
    me, seats = view.seat, view.seats
    laid = [(me + i) % seats for i in range(seats)] if view.windows else []
    out.one(PHASES.index(view.phase), len(PHASES))
    _put_cards(out, view.privates, 5)
    _put_cards(out, view.offered, 24)
    out.one(view.window - 1, 24)
    out.one(view.active - 1, 12)
    out.one(view.paying, KINDS)
    out.several(view.picks, END)
    _put_cards(out, view.tools, 12)
    _put_cards(out, view.used_tools, 12)
    _put_cards(out, view.publics, 10)
    out.put(turned(view.chosen, me, seats), MOST)
    for i in range(MOST):
        for line in DEMANDS[view.windows[laid[i]].pattern.number if i < len(laid) else 0]:
            out.put(line, LINE * len(SIGNS))
    for i in range(MOST):
        _put_dice(out, view.windows[laid[i]] if i < len(laid) else None)
    for i in range(ROUNDS):
        out.several(view.track[i] if i < len(view.track) else [], KINDS)
    out.put(turned(view.to_act, me, seats), MOST)
    out.put(away(view.turn_seat, me, seats), MOST)
    out.put(away(view.start, me, seats), MOST)
    out.put(turned(view.dropped, me, seats), MOST)
    out.one(view.turn, len(TURNS))
    out.put(1 if view.drafted else 0, 1)
    out.one(view.used - 1, 12)
    out.one(view.hand, len(DICE))
    out.several(view.moved, CELLS)
    _put_numbers(out, view, laid)


def _put_cards(out: Writer, numbers: list[int], many: int) -> None:
    """Write a set of cards, whose numbers count from 1."""
    members: i64 = 0
    for number in numbers:
        members |= bit(number - 1)
    out.put(members, many)


def _put_dice(out: Writer, window: Window | None) -> None:
    cell: i64 = 0
    while cell < CELLS:
        die = window.die(cell) if window is not None else -1
        out.put(bit(die // 6) | bit(len(COLOURS) + die % 6) if die >= 0 else 0, len(SIGNS))
        cell += 1


def _put_numbers(out: Writer, view: GlassView, laid: list[int]) -> None:
    pool = [0] * KINDS
    for die in view.pool:
        pool[die] += 1
    for many in pool:
        out.number(many / 2)
    for many in view.bag():
        out.number(many / 18)
    for i in range(MOST):
        out.number(view.tokens[laid[i]] / 6 if i < len(laid) else 0)
    out.number(view.round / 10)
    out.number(view.activations / 6)
    out.number((view.private_points() or 0) / 30)
