"""The fast random source for playouts and searches; tables draw from core/chance.py."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from croupier.core.cards import bit, count, nth

M32: Final[i64] = 0xFFFF_FFFF
WORD: Final[i64] = 0x8000_0000
"""2**31: two numbers below it form the 62 bits of a set."""

HIGH_STEP: Final[i64] = 0x9E37_79B9
LOW_STEP: Final[i64] = 0x7F4A_7C15


def _mixed(high: i64, low: i64) -> i64:
    """Return the lower half of the 64-bit number that splitmix64 makes of two halves.

    It computes with halves because a compiled product loses the bits above the 64th.
    """
    low, high = low ^ ((low >> 30 | high << 2) & M32), high ^ high >> 30
    product = low * 0x1CE4_E5B9
    high = ((product >> 32) + high * 0x1CE4_E5B9 + low * 0xBF58_476D) & M32
    low = product & M32
    low, high = low ^ ((low >> 27 | high << 5) & M32), high ^ high >> 27
    product = low * 0x1331_11EB
    high = ((product >> 32) + high * 0x1331_11EB + low * 0x94D0_49BB) & M32
    low = product & M32
    return low ^ ((low >> 31 | high << 1) & M32)


class Dice:
    """Marsaglia's xorshift128: four 32-bit words, the same numbers interpreted and compiled."""

    def __init__(self, seed: int) -> None:
        self.x: i64 = 0
        self.y: i64 = 0
        self.z: i64 = 0
        self.w: i64 = 0
        # splitmix64 spreads the seed over all four words; the | 1 ensures that not all of them are zero.
        high: i64 = seed >> 32 & 0xFFFF_FFFF
        low: i64 = seed & 0xFFFF_FFFF
        at: i64 = 0
        while at < 4:
            low += LOW_STEP
            high = (high + HIGH_STEP + (low >> 32)) & M32
            low &= M32
            self.x = self.y
            self.y = self.z
            self.z = self.w
            self.w = _mixed(high, low)
            at += 1
        self.x |= 1

    def below(self, n: i64) -> i64:
        """Return a number from 0 to *n* - 1 (*n* up to 2**31)."""
        t: i64 = self.x ^ ((self.x << 11) & M32)
        self.x = self.y
        self.y = self.z
        self.z = self.w
        self.w = self.w ^ (self.w >> 19) ^ t ^ (t >> 8)
        return (self.w * n) >> 32

    def index(self, many: i64) -> i64:
        """Return a number from 0 to *many* - 1; if it can only be 0, without using a random number."""
        if many == 1:
            return 0
        return self.below(many)

    def any_of(self, cards: i64) -> i64:
        """Return a random card of *cards*, uniformly distributed; a single card uses no random number."""
        if cards & (cards - 1) == 0:
            return count(cards - 1)
        return nth(cards, self.below(count(cards)))

    def one_of(self, cards: i64) -> i64:
        """Return a random card of *cards*, uniformly distributed."""
        return nth(cards, self.below(count(cards)))

    def some_of(self, cards: i64, many: i64) -> i64:
        """Return *many* of *cards*, with every choice equally likely.

        First each card is chosen with probability 1/2; then cards are removed or added at random, one by one,
        until the number is right.
        """
        half = cards & (self.below(WORD) * WORD + self.below(WORD))
        held = count(half)
        while held > many:
            half &= ~bit(nth(half, self.below(held)))
            held -= 1
        while held < many:
            half |= bit(self.one_of(cards & ~half))
            held += 1
        return half
