"""The observation of a seat, written from a position: what encoding.py writes for its view, but faster.

A test compares both for every seat in many matches, so that nothing reaches an observation that is not in the
view.
"""

from __future__ import annotations

from mypy_extensions import i64

from croupier.core.cards import bit
from croupier.core.layout import Writer, away
from croupier.core.tricks import cards_in, lying, played_by
from croupier.games.coinche.position import CoinchePosition
from croupier.games.coinche.scoring import belote_suits, pair
from croupier.games.coinche.vocabulary import (
    DECK,
    DENOMINATIONS,
    LEVELS,
    PHASES,
    PLAY,
    PLAYING,
    SEATS,
)

HALF = 35
"""A set of calls is too wide for a mask: it is written in two parts."""


def observe(position: CoinchePosition, me: i64, out: Writer) -> None:
    """Write what *me* knows while a seat owes a decision."""
    auction = position.auction
    out.one(position.phase, len(PHASES))
    out.put(position.hands[me], DECK)
    _put_calls(auction.calls, me, out)
    out.one(auction.level, len(LEVELS))
    out.one(auction.denomination, len(DENOMINATIONS))
    out.put(away(auction.bidder, me, SEATS), SEATS)
    out.one(auction.doubled - 1, 2)
    out.put(away(position.dealer, me, SEATS), SEATS)
    out.put(away(position.leader, me, SEATS), SEATS)
    out.put(away(position.turn, me, SEATS), SEATS)
    seat: i64 = me
    while seat < me + SEATS:
        out.one(lying(position.trick, position.fallen, position.leader, seat), DECK)
        seat += 1
    _put_tricks(position, me, out)
    own = position.p1 if me & 1 else position.p0
    out.number(float(own) / 162)
    out.number(float(position.p0 + position.p1 - own) / 162)
    total = position.s1 if me & 1 else position.s0
    out.number(float(total) / 1000)
    out.number(float(position.s0 + position.s1 - total) / 1000)
    out.number(float(position.round) / 8)


def _put_calls(calls: list[int], me: i64, out: Writer) -> None:
    i: i64 = 0
    while i < SEATS:
        low: i64 = 0
        high: i64 = 0
        for packed in calls:
            call: i64 = packed
            if call & 3 == (me + i) & 3:
                action = call >> 2
                if action < HALF:
                    low |= bit(action)
                else:
                    high |= bit(action - HALF)
        out.put(low, HALF)
        out.put(high, PLAY - HALF)
        i += 1


def _put_tricks(position: CoinchePosition, me: i64, out: Writer) -> None:
    done: i64 = 0
    if position.phase == PLAYING:
        done = position.round - 1
    i: i64 = 0
    while i < SEATS:
        out.put(played_by(position.played, done, (me + i) & 3), DECK)
        i += 1
    i = 0
    while i < SEATS:
        out.put(_taken(position, done, (me + i) & 3), DECK)
        i += 1
    i = 0
    while i < SEATS:
        out.put(_belotes(position, (me + i) & 3), 8)
        i += 1


def _taken(position: CoinchePosition, done: i64, seat: i64) -> i64:
    """Return the cards of the first *done* tricks that *seat* took."""
    cards: i64 = 0
    at: i64 = 0
    while at < done:
        if position.takers >> 2 * at & 3 == seat:
            cards |= cards_in(position.played[at])
        at += 1
    return cards


def _belotes(position: CoinchePosition, seat: i64) -> i64:
    """Return the belotes that *seat* has announced, then its rebelotes, as a mask of suits each."""
    if position.round == 0:
        return 0
    dealt = position.dealt[seat]
    suits = belote_suits(position.auction.denomination, position.rules)
    said: i64 = 0
    suit: i64 = 0
    while suit < 4:
        both = pair(suit)
        if suits >> suit & 1 and dealt & both == both:
            left = position.hands[seat] & both
            if left != both:
                said |= bit(suit)
            if left == 0:
                said |= bit(suit + 4)
        suit += 1
    return said
