"""Draws from a seed, the same in any language, and the commitment that proves the seed was not changed.

A deal has one seed of 32 bytes, which serves every draw of that deal. Before the deal `commitment(seed)` is
published, after it the seed: then anybody can repeat the draws. docs/record.md tells how, without this code.
Nothing here asks the system for randomness; whoever opens a deal passes ``secrets.token_bytes(32)``.
"""

from __future__ import annotations

import hashlib
from random import Random
from typing import Final

from croupier.core.contract import Draw

SEED_BYTES: Final = 32
_WORDS: Final = 1 << 32


def commitment(seed: bytes) -> str:
    """Return what is published before the deal: a digest that only *seed* gives."""
    return hashlib.sha256(b"croupier commitment 1\n" + _checked(seed)).hexdigest()


def derived_seed(table_seed: int | str, match: int, deal: int) -> bytes:
    """Return the seed of a deal at a table that was given a seed, so that the table can be repeated."""
    # The free text comes last: no two triples spell the same bytes.
    return hashlib.sha256(f"croupier seed 1\n{match}\n{deal}\n{table_seed}".encode()).digest()


def rng(seed: bytes, purpose: str) -> Random:
    """Return chance for bots and stand-ins, which no record needs: independent of the draws of *seed*."""
    digest = hashlib.sha256(b"croupier rng 1\n" + _checked(seed) + purpose.encode()).digest()
    return Random(int.from_bytes(digest, "big"))


class Stream:
    """The endless row of 32-bit words that a seed stands for, and the draws made of it in turn."""

    def __init__(self, seed: bytes) -> None:
        self._seed = _checked(seed)
        self._blocks = 0
        self._words: list[int] = []

    def below(self, n: int) -> int:
        """Return a number from 0 to *n* - 1, each as likely as the others."""
        if not 0 < n <= _WORDS:
            raise ValueError(f"below {n}: expected 1…{_WORDS}")
        # The words from the last multiple of n on would favour small numbers: they are passed over.
        limit = _WORDS - _WORDS % n
        while (word := self._next()) >= limit:
            pass
        return word % n

    def draw(self, draw: Draw) -> list[int]:
        """Return the outcome of *draw*: one word or more for each item, even where there is no choice."""
        pool = draw.pool[:]
        if draw.replace:
            return [pool[self.below(len(pool))] for _ in range(draw.take)]
        if draw.take > len(pool):
            raise ValueError(f"{draw.take} items of a pool of {len(pool)}")
        for i in range(draw.take):
            j = i + self.below(len(pool) - i)
            pool[i], pool[j] = pool[j], pool[i]
        return pool[: draw.take]

    def _next(self) -> int:
        if not self._words:
            block = hashlib.sha256(self._seed + self._blocks.to_bytes(8, "big")).digest()
            self._blocks += 1
            self._words = [int.from_bytes(block[at : at + 4], "big") for at in range(28, -1, -4)]
        return self._words.pop()


def _checked(seed: bytes) -> bytes:
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed of {len(seed)} bytes: expected {SEED_BYTES}")
    return seed
