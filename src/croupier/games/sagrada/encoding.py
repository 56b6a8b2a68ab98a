"""A view of the dice game as numbers: seats are counted from the one that looks, so one policy serves all.

There is room for four seats; those that nobody sits on are zero. Not in it: the options, which stay the same.
"""

from __future__ import annotations

from typing import Final

from croupier.core.contract import View
from croupier.core.layout import Encoded, Field, Layout, away, one, row, several, turned
from croupier.games.sagrada.material import CELLS, COLOURS
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
        Field("pool", KINDS, f"dice of the pool / 2; {KIND}"),
        Field("bag", len(COLOURS), "dice in the bag / 18, by colour"),
        Field("tokens", MOST, f"favor tokens / 6, {BY_SEAT}"),
        Field("round", 1, "round / 10"),
        Field("activations", 1, "how often a tool was activated in this turn / 6"),
        Field("points", 1, "points of the better private objective now / 30"),
    ],
)


def encode(view: View) -> Encoded:
    """Return what the seat of *view* knows, in the order of `LAYOUT`."""
    assert isinstance(view, GlassView)
    me, seats = view.seat, view.seats
    laid = [(me + i) % seats for i in range(seats)] if view.windows else []
    sets = [
        one(PHASES.index(view.phase)),
        several([number - 1 for number in view.privates]),
        several([number - 1 for number in view.offered]),
        one(view.window - 1),
        one(view.active - 1),
        one(view.paying),
        several(view.picks),
        several([number - 1 for number in view.tools]),
        several([number - 1 for number in view.used_tools]),
        several([number - 1 for number in view.publics]),
        turned(view.chosen, me, seats),
        row([_demands(view.windows[seat].pattern.grid) for seat in laid], CELLS * len(SIGNS)),
        row([_dice(view.windows[seat]) for seat in laid], CELLS * len(SIGNS)),
        row([several(slot) for slot in view.track], KINDS),
        turned(view.to_act, me, seats),
        away(view.turn_seat, me, seats),
        away(view.start, me, seats),
        turned(view.dropped, me, seats),
        one(view.turn),
        1 if view.drafted else 0,
        one(view.used - 1),
        one(view.hand),
        several(view.moved),
    ]
    pool = [0] * KINDS
    for die in view.pool:
        pool[die] += 1
    tokens = [view.tokens[seat] for seat in laid] + [0] * (MOST - len(laid))
    numbers = [count / 2 for count in pool]
    numbers += [count / 18 for count in view.bag()]
    numbers += [count / 6 for count in tokens]
    numbers += [view.round / 10, view.activations / 6, (view.private_points() or 0) / 30]
    return Encoded(sets, numbers)


def _demands(grid: str) -> int:
    whole = 0
    for cell, sign in enumerate(grid):
        if sign != ".":
            whole |= 1 << cell * len(SIGNS) + SIGNS.index(sign)
    return whole


def _dice(window: Window) -> int:
    whole = 0
    for cell, die in enumerate(window.dice()):
        if die >= 0:
            whole |= (1 << die // 6 | 1 << 5 + die % 6) << cell * len(SIGNS)
    return whole
