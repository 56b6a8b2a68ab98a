"""Which bonuses may be announced, and what obligations that brings (R8)."""

from __future__ import annotations

from mypy_extensions import i64

from croupier.games.tarock.contracts import CONTRACTS, KLOP, SOLO_WITHOUT
from croupier.games.tarock.sides import announcer
from croupier.games.tarock.vocabulary import B_KING, B_PAGAT, B_VALAT, PAGAT_BIT, SEATS, TarockRules


def with_bonuses(contract: i64, rules: TarockRules) -> bool:
    """Return True if difference and bonuses count in *contract* (R11)."""
    return CONTRACTS[int(contract)].bonuses or (contract == SOLO_WITHOUT and rules.rich_without)


def with_announcing(contract: i64, rules: TarockRules) -> bool:
    """Return True if *contract* has a phase of announcements."""
    if contract == KLOP:
        return False
    return rules.kontra or (rules.announcements and with_bonuses(contract, rules))


def announceable(
    turns: i64,
    contract: i64,
    rules: TarockRules,
    announcers: i64,
    claimed: i64,
    raised: i64,
    hand: i64,
    king: i64,
) -> i64:
    """Return the bonuses the holder of *hand* may announce, as a mask, after those already *claimed*.

    *king* is the called king as a set. Once items are *raised* no more bonuses may be announced in that turn.
    """
    if turns >= SEATS or raised or not rules.announcements or not with_bonuses(contract, rules):
        return 0
    if announcer(announcers, B_VALAT) >= 0:
        return 0  # R8.4
    bonuses: i64 = 0
    bonus: i64 = 0
    while bonus <= B_VALAT:
        able = True
        if bonus == B_PAGAT:
            able = hand & PAGAT_BIT != 0
        elif bonus == B_KING:
            able = hand & king != 0
        if able and announcer(announcers, bonus) < 0:
            bonuses |= 1 << bonus
        bonus += 1
    return only_above(bonuses, claimed)


def kept_by(seat: i64, announcers: i64, king: i64) -> i64:
    """Return the cards *seat* must keep for its announced ultimos, unless a valat has made them void."""
    if announcers == 0 or announcer(announcers, B_VALAT) >= 0:
        return 0  # R8.4
    kept: i64 = 0
    if announcer(announcers, B_PAGAT) == seat:
        kept |= PAGAT_BIT
    if announcer(announcers, B_KING) == seat:
        kept |= king
    return kept


def only_above(mask: i64, taken: i64) -> i64:
    """Return the bits of *mask* above the highest of *taken*."""
    while taken:
        lowest = taken & -taken
        mask &= ~(lowest | (lowest - 1))
        taken &= ~lowest
    return mask
