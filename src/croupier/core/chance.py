"""Draws from a seed, reproducible in any language, and the commitment that proves the seed was not changed.

A deal has one seed of 32 bytes for all its draws. `commitment(seed)` is published before the deal and the
seed after it: then everyone can repeat the draws. docs/record.md describes how, without this code. Nothing
here asks the system for randomness; the caller passes ``secrets.token_bytes(32)``.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from random import Random
from typing import Final

from croupier.core.contract import Draw

SEED_BYTES: Final = 32
_WORDS: Final = 1 << 32
_NONCE: Final = re.compile(r"[0-9A-Za-z_-]{1,64}")


def commitment(seed: bytes) -> str:
    """Return the digest of *seed*, which is published before the deal."""
    return hashlib.sha256(b"croupier commitment 1\n" + _checked(seed)).hexdigest()


def joint_seed(seed: bytes, nonces: Sequence[str]) -> bytes:
    """Return the seed of a deal to which players have added *nonces*, one per seat, empty for none.

    If there are none, this is *seed*, the server's own. The nonces were given after its commitment was
    published, so the server could not choose the result.
    """
    given = [f"\n{seat} {nonce}" for seat, nonce in enumerate(nonces) if nonce]
    if not given:
        return _checked(seed)
    return hashlib.sha256(b"croupier joint seed 1\n" + _checked(seed) + "".join(given).encode()).digest()


def is_nonce(text: str) -> bool:
    """Return True if a player may add *text* to the seed of a deal."""
    return _NONCE.fullmatch(text) is not None


def derived_seed(table_seed: int | str, match: int, deal: int) -> bytes:
    """Return the seed of a deal at a seeded table, so that the table can be reproduced."""
    # The free text comes last, so that no two triples give the same bytes.
    return hashlib.sha256(f"croupier seed 1\n{match}\n{deal}\n{table_seed}".encode()).digest()


def rng(seed: bytes, purpose: str) -> Random:
    """Return randomness for bots and stand-ins, independent of the draws of *seed*; no record needs it."""
    digest = hashlib.sha256(b"croupier rng 1\n" + _checked(seed) + purpose.encode()).digest()
    return Random(int.from_bytes(digest, "big"))


class Stream:
    """The infinite stream of 32-bit words of a seed, and the draws made from it."""

    def __init__(self, seed: bytes) -> None:
        self._seed = _checked(seed)
        self._blocks = 0
        self._words: list[int] = []

    def below(self, n: int) -> int:
        """Return a number from 0 to *n* - 1, uniformly distributed."""
        if not 0 < n <= _WORDS:
            raise ValueError(f"below {n}: expected 1…{_WORDS}")
        # Words from the last multiple of n on would favour small numbers, so they are skipped.
        limit = _WORDS - _WORDS % n
        while (word := self._next()) >= limit:
            pass
        return word % n

    def draw(self, draw: Draw) -> list[int]:
        """Return the outcome of *draw*: at least one word for each item, even if there is no choice."""
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
