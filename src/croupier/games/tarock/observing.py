"""The observation of a seat, written from a position: what encoding.py writes for its view, but faster.

A test compares both for every seat in many matches, so that nothing reaches an observation that is not in the
view.
"""

from __future__ import annotations

from mypy_extensions import i64

from croupier.core.cards import bit
from croupier.core.layout import Writer, away
from croupier.core.tricks import cards_in, lying, played_by
from croupier.games.tarock import sides
from croupier.games.tarock.contracts import CONTRACTS, KLOP
from croupier.games.tarock.encoding import BIDS, TALON
from croupier.games.tarock.position import TarockPosition
from croupier.games.tarock.vocabulary import (
    BONUSES,
    CONTRACT_NAMES,
    DECK,
    ITEMS,
    NOBODY,
    PHASES,
    PLAYING,
    SEATS,
    SUITS,
    TAROCKS,
)


def observe(position: TarockPosition, me: i64, out: Writer) -> None:
    """Write what *me* knows while a seat owes a decision."""
    out.one(position.phase, len(PHASES))
    out.put(position.hands[me], DECK)
    laid: i64 = 0
    if me == position.declarer:
        laid = position.laid
    out.put(laid, DECK)
    _put_auction(position, me, out)
    _put_sides(position, me, out)
    _put_talon(position, out)
    _put_announcements(position, me, out)
    out.put(away(position.leader, me, SEATS), SEATS)
    out.put(away(position.turn, me, SEATS), SEATS)
    out.put(away(position.dealer, me, SEATS), SEATS)
    _put_tricks(position, me, out)
    shown: i64 = 0
    if position.shown:
        shown = position.hands[position.declarer]
    out.put(shown, DECK)
    out.put(1 if position.compulsory else 0, 1)
    _put_numbers(position, me, out)


def _put_sums(out: Writer, me: i64, size: i64) -> None:
    """Write the sets added up for the seats, the one of *me* first."""
    i: i64 = 0
    while i < SEATS:
        out.put(out.sums[(me + i) & 3], size)
        i += 1


def _clear_sums(out: Writer) -> None:
    i: i64 = 0
    while i < SEATS:
        out.sums[i] = 0
        i += 1


def _put_auction(position: TarockPosition, me: i64, out: Writer) -> None:
    _clear_sums(out)
    seat = (position.dealer + 2) & 3
    passed: i64 = 0
    at: i64 = 0
    while at < position.spoken:
        code = position.b0 >> 4 * at & 15
        if at >= 15:
            code = position.b1 >> 4 * (at - 15) & 15
        out.sums[seat] |= bit(code)
        if code == 0:
            passed |= 1 << seat
            if passed == 0b1111:
                break
        seat = (seat + 1) & 3
        while passed >> seat & 1:
            seat = (seat + 1) & 3
        at += 1
    _put_sums(out, me, BIDS)
    out.one(position.high, len(CONTRACT_NAMES))
    out.put(away(position.holder, me, SEATS), SEATS)
    out.one(position.contract, len(CONTRACT_NAMES))
    out.put(away(position.declarer, me, SEATS), SEATS)


def _put_sides(position: TarockPosition, me: i64, out: Writer) -> None:
    out.one(position.king, len(SUITS))
    holds = position.hands[me] & position.king_bit != 0
    partner = sides.found_by(me, holds, position.declarer, position.found)
    out.put(away(partner, me, SEATS), SEATS)
    out.put(1 if partner == NOBODY else 0, 1)
    if position.contract <= KLOP or (CONTRACTS[int(position.contract)].king and position.king < 0):
        out.skip(SEATS)
        return
    foes = sides.foes_for(me, holds, position.declarer, position.foes)
    i: i64 = 0
    while i < SEATS:
        side = sides.side_of((me + i) & 3, position.declarer, partner, foes)
        out.put(1 if side == sides.OPPONENTS else 0, 1)
        i += 1


def _put_talon(position: TarockPosition, out: Writer) -> None:
    at: i64 = 0
    while at < TALON:
        cards: i64 = 0
        if (at + 1) * position.many <= TALON:
            cards = position.talon_set(at)
        out.put(cards, DECK)
        at += 1
    out.one(position.picked, TALON)
    discarded: i64 = 0
    if position.exchanged:
        discarded = position.laid & TAROCKS
    out.put(discarded, DECK)


def _put_announcements(position: TarockPosition, me: i64, out: Writer) -> None:
    _clear_sums(out)
    at: i64 = 0
    while at < position.turns and at < SEATS:
        packed = position.a0 >> 13 * at & 0x1FFF
        out.sums[packed & 3] |= packed >> 2 & 31
        at += 1
    for later in position.later:
        word: i64 = later
        out.sums[word & 3] |= word >> 2 & 31
    _put_sums(out, me, len(BONUSES))
    if me == position.turn:
        out.put(position.claimed, len(BONUSES))
        out.put(position.raised, len(ITEMS))
    else:
        out.skip(len(BONUSES) + len(ITEMS))


def _put_tricks(position: TarockPosition, me: i64, out: Writer) -> None:
    fallen: i64 = 0
    if position.phase == PLAYING:
        fallen = position.fallen
    seat: i64 = me
    while seat < me + SEATS:
        out.one(lying(position.trick, fallen, position.leader, seat), DECK)
        seat += 1
    seat = me
    while seat < me + SEATS:
        out.put(played_by(position.played, position.tricks, seat), DECK)
        seat += 1
    _clear_sums(out)
    at: i64 = 0
    while at < position.tricks:
        winner = position.leader
        if at + 1 < position.tricks:
            winner = position.played[at + 1] >> 24
        out.sums[winner] |= cards_in(position.played[at])
        if position.contract == KLOP and at < TALON:
            out.sums[winner] |= bit(position.talon >> 6 * at & 63)
        at += 1
    _put_sums(out, me, DECK)


def _put_numbers(position: TarockPosition, me: i64, out: Writer) -> None:
    item: i64 = 0
    while item < len(ITEMS):
        out.number(float(sides.step_of(position.steps, item)) / 4)
        item += 1
    i: i64 = 0
    while i < SEATS:
        out.number(float(position.sums[(me + i) & 3]) / 100)
        i += 1
    i = 0
    while i < SEATS:
        out.number(float(position.owned[(me + i) & 3]) / 4)
        i += 1
    out.number(float(position.tricks) / 12)
