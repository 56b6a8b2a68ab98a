"""Who plays with whom, who knows it, and who may therefore double what (R6, R9).

The partner is the holder of the called king. *found* is what is known of the partner: UNKNOWN, NOBODY
(declarer is alone) or a seat. *foes* are the seats known to be opponents while the partner is unknown. A
seat's actions may reveal the partner; its legal actions never depend on what the seat does not know.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from croupier.games.tarock.vocabulary import B_VALAT, ITEMS, NOBODY

UNKNOWN: Final = -2
OPPONENTS: Final = 0
DECLARERS: Final = 1


def side_of(seat: i64, declarer: i64, found: i64, foes: i64) -> i64:
    """Return the side of *seat*, or UNKNOWN."""
    if seat == declarer:
        return DECLARERS
    if seat == found:
        return DECLARERS
    return OPPONENTS if found != UNKNOWN or foes >> seat & 1 else UNKNOWN


def found_by(seat: i64, holds_king: bool, declarer: i64, found: i64) -> i64:
    """Return what *seat* knows of the partner when everyone knows *found*."""
    if found == UNKNOWN and holds_king:
        return NOBODY if seat == declarer else seat
    return found


def foes_for(seat: i64, holds_king: bool, declarer: i64, foes: i64) -> i64:
    """Return what *seat* knows of opponents when everyone knows *foes*."""
    if seat >= 0 and seat != declarer and not holds_king:
        return foes | 1 << seat
    return foes


def announcer(announcers: i64, bonus: i64) -> i64:
    """Return the seat that has announced *bonus*; *announcers* are packed, three bits each, seats from 1."""
    return (announcers >> 3 * bonus & 7) - 1


def step_of(steps: i64, item: i64) -> i64:
    """Return how often *item* was doubled; *steps* are packed, three bits per item."""
    return steps >> 3 * item & 7


def owner_of(item: i64, declarer: i64, announcers: i64) -> i64:
    """Return the seat that owns *item*, NOBODY if there is no such item (R9)."""
    if item == 0:
        return declarer
    if item - 1 != B_VALAT and announcer(announcers, B_VALAT) >= 0:
        return NOBODY  # R8.4: void
    return announcer(announcers, item - 1)


def raisable(seat: i64, declarer: i64, found: i64, foes: i64, announcers: i64, steps: i64, most: i64) -> i64:
    """Return the items *seat* may double, as a mask, given what it knows (*found*, *foes*)."""
    items: i64 = 0
    own = side_of(seat, declarer, found, foes)
    item: i64 = 0
    while item < len(ITEMS):
        owner = owner_of(item, declarer, announcers)
        step = step_of(steps, item)
        if owner >= 0 and step < most:
            side = own if owner == seat else side_of(owner, declarer, found, foes)
            if side != UNKNOWN and own != UNKNOWN and (side != own) == (step & 1 == 0):
                items |= 1 << item
        item += 1
    return items


def found_by_raise(
    seat: i64, item: i64, declarer: i64, found: i64, foes: i64, announcers: i64, step: i64
) -> i64:
    """Return what everyone knows of the partner once *seat* doubles *item*, doubled *step* times before.

    If the owner's side is not public, only the holder of the called king can know it, so doubling
    reveals the holder.
    """
    owner = owner_of(item, declarer, announcers)
    if found != UNKNOWN or owner == seat:
        return found
    side = side_of(owner, declarer, found, foes)
    if side == UNKNOWN:
        return NOBODY if seat == declarer else seat
    return seat if seat != declarer and side == step & 1 else UNKNOWN


def foes_by_raise(
    seat: i64, item: i64, declarer: i64, found: i64, foes: i64, announcers: i64, step: i64
) -> i64:
    """Return the seats everyone knows to be opponents once *seat* doubles *item*."""
    owner = owner_of(item, declarer, announcers)
    if found != UNKNOWN or owner == seat or seat == declarer:
        return foes
    side = side_of(owner, declarer, found, foes)
    return foes | 1 << seat if side != UNKNOWN and side != step & 1 else foes


def with_claims(announcers: i64, seat: i64, bonuses: i64) -> i64:
    """Return *announcers* with *bonuses* (a mask) announced by *seat* added."""
    bonus: i64 = 0
    while bonus <= B_VALAT:
        if bonuses >> bonus & 1:
            announcers |= (seat + 1) << 3 * bonus
        bonus += 1
    return announcers
