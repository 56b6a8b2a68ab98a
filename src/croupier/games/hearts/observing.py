"""The observation of a seat, written from a position: what encoding.py writes for its view, but faster.

A test compares both for every seat in many matches, so that nothing reaches an observation that is not in the
view.
"""

from __future__ import annotations

from mypy_extensions import i64

from croupier.core.cards import bit
from croupier.core.layout import Writer, away, turned
from croupier.core.tricks import lying
from croupier.games.hearts.encoding import DIRECTIONS
from croupier.games.hearts.position import HeartsPosition
from croupier.games.hearts.scoring import deal_score, shoots
from croupier.games.hearts.showing import secret_to_act
from croupier.games.hearts.vocabulary import DECK, NOBODY, PASSING, PHASES, SEATS

VOID = 4
"""Where the sums of the suits begin that each seat has shown not to hold; those of its cards begin at 0."""


def observe(position: HeartsPosition, me: i64, out: Writer) -> None:
    """Write what *me* knows while a seat owes a decision."""
    out.one(position.phase, len(PHASES))
    out.put(position.hands[me], DECK)
    out.put(_packet(position.picks[me]), DECK)
    received: i64 = 0
    if position.step and position.phase != PASSING:
        received = _packet(position.picks[(me - position.step) & 3])
    out.put(received, DECK)
    seat: i64 = me
    while seat < me + SEATS:
        out.one(lying(position.trick, position.fallen, position.leader, seat), DECK)
        seat += 1
    _put_played(position, me, out)
    out.put(away(position.leader, me, SEATS), SEATS)
    out.put(away(position.exposed, me, SEATS), SEATS)
    out.put(turned(_passed(position), me, SEATS), SEATS)
    out.put(turned(secret_to_act(position, int(me)), me, SEATS), SEATS)
    out.one((3, 0, 2, 1)[int(position.step)], len(DIRECTIONS))
    out.put(1 if position.broken else 0, 1)
    _put_numbers(position, me, out)


def _packet(packed: i64) -> i64:
    """Return the picked cards as a set."""
    cards: i64 = 0
    while packed:
        cards |= bit((packed & 63) - 1)
        packed >>= 6
    return cards


def _passed(position: HeartsPosition) -> i64:
    if position.phase == PASSING:
        return 0b1111 & ~position.waiting
    if position.step:
        return 0b1111
    return 0


def _put_played(position: HeartsPosition, me: i64, out: Writer) -> None:
    """Write the cards played and taken, and the suits that seats have shown not to hold."""
    sums = out.sums
    i: i64 = 0
    while i < 2 * SEATS:
        sums[i] = 0
        i += 1
    i = 0
    while i < position.finished():
        packed = position.played[i]
        _add_trick(out, packed, packed >> 24, SEATS)
        i += 1
    _add_trick(out, position.trick, position.leader, position.fallen)
    i = 0
    while i < SEATS:
        out.put(sums[(me + i) & 3], DECK)
        i += 1
    i = 0
    while i < SEATS:
        out.put(position.taken[(me + i) & 3], DECK)
        i += 1
    i = 0
    while i < SEATS:
        out.put(sums[VOID + ((me + i) & 3)], 4)
        i += 1


def _add_trick(out: Writer, packed: i64, leader: i64, many: i64) -> None:
    sums = out.sums
    led = (packed & 63) // 13
    at: i64 = 0
    while at < many:
        card = packed >> 6 * at & 63
        seat = (leader + at) & 3
        sums[seat] |= bit(card)
        if card // 13 != led:
            sums[VOID + seat] |= 1 << led
        at += 1


def _put_numbers(position: HeartsPosition, me: i64, out: Writer) -> None:
    taken = position.taken
    moon = shoots(taken[0]) or shoots(taken[1]) or shoots(taken[2]) or shoots(taken[3])
    i: i64 = 0
    while i < SEATS:
        score = deal_score(taken[(me + i) & 3], moon, position.exposed != NOBODY, position.rules)
        out.number(float(score) / 26)
        i += 1
    i = 0
    while i < SEATS:
        out.number(float(position.totals[(me + i) & 3]) / 100)
        i += 1
    out.number(float(position.round) / 13)
