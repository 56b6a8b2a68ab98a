"""The strength and the points of cards, by contract (R5).

A table of the eight ranks is one number with a byte for each rank, the 7 in the lowest byte: compiled, a
lookup is a shift. The strength tables hold, for each rank, the ranks that beat it within its suit.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from croupier.games.coinche.vocabulary import ALL_TRUMPS, NO_TRUMPS, SUIT, CoincheRules

TRUMP_ABOVE: Final[i64] = 0x149C_DC00_9410_FCFE
"""J 9 A 10 K Q 8 7."""
PLAIN_ABOVE: Final[i64] = 0x0088_C8E8_80F8_FCFE
"""A 10 K Q J 9 8 7."""

TRUMP_POINTS: Final[i64] = 0x0B04_0314_0A0E_0000
"""J 20, 9 14, A 11, 10 10, K 4, Q 3."""
PLAIN_POINTS: Final[i64] = 0x0B04_0302_0A00_0000
"""A 11, 10 10, K 4, Q 3, J 2."""
SA_POINTS: Final[i64] = 0x1304_0302_0A00_0000
"""A 19, 10 10, K 4, Q 3, J 2."""
TA_POINTS: Final[i64] = 0x0603_010E_0509_0000
"""J 14, 9 9, A 6, 10 5, K 3, Q 1."""
TA_POINTS_13: Final[i64] = 0x0603_020D_0509_0000
"""J 13, 9 9, A 6, 10 5, K 3, Q 2."""

LAST_TRICK: Final = 10

_TOP_SUIT: Final[i64] = 0xFF000000


def suit_of(card: i64) -> i64:
    """Return the suit of *card* as a set."""
    return _TOP_SUIT >> (24 - (card & 24))


def stronger(card: i64, table: i64) -> i64:
    """Return the cards of its suit that beat *card* according to a strength table."""
    return (table >> ((card & 7) << 3) & 0xFF) << (card & 24)


def trumps_of(denomination: i64) -> i64:
    """Return the trumps of a suit contract; in TA and SA no suit beats another (R6.5)."""
    if denomination < ALL_TRUMPS:
        return SUIT[denomination]
    return 0


def strength(suit: i64, denomination: i64) -> i64:
    """Return the strength table of *suit* (a set) in a contract (R5.1)."""
    if denomination == ALL_TRUMPS or suit == trumps_of(denomination):
        return TRUMP_ABOVE
    return PLAIN_ABOVE


def points(card: i64, denomination: i64, rules: CoincheRules) -> i64:
    """Return the points of *card* in a contract (R5.2)."""
    if denomination == ALL_TRUMPS:
        table: i64 = TA_POINTS_13 if rules.small_jack else TA_POINTS
    elif denomination == NO_TRUMPS:
        table = SA_POINTS
    elif card >> 3 == denomination:
        table = TRUMP_POINTS
    else:
        table = PLAIN_POINTS
    return table >> ((card & 7) << 3) & 0xFF
