"""The observation of a seat, written from a position: what encoding.py writes for its view, but faster.

A test compares both for every seat in many matches, so that nothing reaches an observation that is not in the
view.
"""

from __future__ import annotations

from mypy_extensions import i64

from croupier.core.cards import bit, count
from croupier.core.layout import Writer, away, turned
from croupier.core.tricks import lying, played_by
from croupier.games.taroky.encoding import PARTNERS
from croupier.games.taroky.position import TarokyPosition, taker_of
from croupier.games.taroky.showing import secret_to_act
from croupier.games.taroky.vocabulary import (
    CONTRA,
    DECK,
    DISCARD,
    GIFTS,
    HALF,
    HALVES,
    LEVELS,
    MONEY,
    MONEY_CODES,
    NOBODY,
    PHASES,
    PLAYING,
    PREVER,
    SEATS,
    TRUMP,
    TRUMPS,
)


def observe(position: TarokyPosition, me: i64, out: Writer) -> None:
    """Write what *me* knows while a seat owes a decision."""
    out.one(position.phase, len(PHASES))
    out.put(position.hands[me], DECK)
    out.put(_drawn(position, me), DECK)
    seen: i64 = 0
    if position.phase == HALF and me == position.prever:
        seen = _talon(position, 3 if position.step == 2 else 0, 3)
    out.put(seen, DECK)
    out.put(position.laid(me), DECK)
    _put_contra_answers(position, me, out)
    out.put(1 if position.quiet and me == position.pagat else 0, 1)
    out.put(turned(secret_to_act(position, int(me)), me, SEATS), SEATS)
    out.put(away(position.povinnost, me, SEATS), SEATS)
    _put_prever(position, me, out)
    out.one(position.gift2, len(GIFTS))
    out.one(position.gift3, len(GIFTS))
    shown: i64 = 0
    if position.step == 2:
        shown = _talon(position, 0, 6 if position.half == 3 else 3)
    out.put(shown, DECK)
    out.one(position.half, len(HALVES))
    seat: i64 = me
    while seat < me + SEATS:
        out.put(position.laid(seat & 3) & TRUMPS, DECK)
        seat += 1
    _put_calls(position, me, out)
    _put_tricks(position, me, out)
    _put_numbers(position, me, out)


def _talon(position: TarokyPosition, start: i64, many: i64) -> i64:
    """Return *many* cards of the talon from *start* on, as a set."""
    cards: i64 = 0
    at = start
    while at < start + many:
        cards |= bit(position.talon_card(at))
        at += 1
    return cards


def _drawn(position: TarokyPosition, seat: i64) -> i64:
    """Return the talon cards that *seat* has taken, as a set."""
    if position.prever != NOBODY:
        if seat != position.prever or position.half == 0:
            return 0
        return _talon(position, 3 if position.half == 2 else 0, 3)
    player = position.player(seat)
    if player == 0:
        return _talon(position, 0, 4) if position.shared else 0
    cards: i64 = 0
    if player == taker_of(position.gift2, 1):
        cards |= bit(position.talon_card(4))
    if player == taker_of(position.gift3, 2):
        cards |= bit(position.talon_card(5))
    return cards


def _put_contra_answers(position: TarokyPosition, me: i64, out: Writer) -> None:
    asked: i64 = 0
    refused: i64 = 0
    level: i64 = 0
    while level < len(LEVELS):
        if position.refused >> (4 * level + me) & 1:
            refused |= 1 << level
            asked |= 1 << level
        elif level < position.contras and position.caller(level) == me:
            asked |= 1 << level
        level += 1
    if position.phase == CONTRA and me == position.turn:
        asked |= 1 << position.contras
    out.put(asked, len(LEVELS))
    out.put(refused, len(LEVELS))


def _put_prever(position: TarokyPosition, me: i64, out: Writer) -> None:
    seat: i64 = me
    while seat < me + SEATS:
        player = position.player(seat)
        out.one(position.yes >> player & 1 if player < position.asked else -1, 2)
        seat += 1
    prever: i64 = NOBODY
    if position.phase > PREVER:
        prever = position.prever
    out.put(away(prever, me, SEATS), SEATS)


def _put_calls(position: TarokyPosition, me: i64, out: Writer) -> None:
    i: i64 = 0
    while i < SEATS:
        money: i64 = 0
        if position.phase > MONEY:
            money = position.money >> 8 * ((me + i) & 3) & 255
        out.put(money, len(MONEY_CODES))
        i += 1
    out.one(position.named - 15, PARTNERS)
    out.put(away(_partner(position), me, SEATS), SEATS)
    i = 0
    while i < SEATS:
        player = position.player(me + i)
        answer: i64 = -1
        if player < position.answers:
            answer = 1 if position.valat != NOBODY and player == position.answers - 1 else 0
        out.one(answer, 2)
        i += 1
    level: i64 = 0
    while level < len(LEVELS):
        out.put(away(position.caller(level), me, SEATS) if level < position.contras else 0, SEATS)
        level += 1
    out.put(away(position.iote, me, SEATS), SEATS)


def _partner(position: TarokyPosition) -> i64:
    """Return the seat that has played the named trump, or NOBODY."""
    if position.named == 0 or position.phase != PLAYING:
        return NOBODY
    wanted = TRUMP + position.named
    one = bit(wanted)
    seat: i64 = 0
    while seat < SEATS:
        if played_by(position.played, position.done, seat) & one:
            return seat
        if lying(position.trick, position.fallen, position.leader, seat) == wanted:
            return seat
        seat += 1
    return NOBODY


def _put_tricks(position: TarokyPosition, me: i64, out: Writer) -> None:
    fallen: i64 = 0
    leader: i64 = NOBODY
    if position.phase == PLAYING:
        fallen = position.fallen
        leader = position.leader
    out.put(away(leader, me, SEATS), SEATS)
    seat: i64 = me
    while seat < me + SEATS:
        out.one(lying(position.trick, fallen, leader, seat), DECK)
        seat += 1
    seat = me
    while seat < me + SEATS:
        out.put(played_by(position.played, position.done, seat), DECK)
        seat += 1
    seat = me
    while seat < me + SEATS:
        out.put(position.taken[seat & 3], DECK)
        seat += 1


def _put_numbers(position: TarokyPosition, me: i64, out: Writer) -> None:
    i: i64 = 0
    while i < SEATS:
        out.number(float(position.stacks[(me + i) & 3]) / 100)
        i += 1
    i = 0
    while i < SEATS:
        out.number(float(position.gains[(me + i) & 3]) / 10 if position.phase > MONEY else 0.0)
        i += 1
    i = 0
    while i < SEATS:
        out.number(float(count(_drawn(position, (me + i) & 3))) / 6)
        i += 1
    i = 0
    while i < SEATS:
        out.number(float(count(position.laid((me + i) & 3))) / 6)
        i += 1
    i = 0
    while i < SEATS:
        out.number(float(count(position.hands[(me + i) & 3])) / 12)
        i += 1
    out.number(float(position.left) / 6 if position.phase == DISCARD else 0.0)
    out.number(float(position.step) / 2)
    out.number(float(position.done) / 12)
