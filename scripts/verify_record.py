"""Verify the draws of a match from its record, using only Python's standard library.

    python verify_record.py RECORD...        (- reads standard input)

For every deal, the seed revealed after it must match the digest published before it, and the seed must
produce exactly the cards or dice in the record. docs/record.md describes the record format and the
computation of draws; this script is written from that page alone and imports nothing of the server, so that
the server need not be trusted. Not verified here: that every action was legal (`croupier verify` replays the
match by the rules), and that the seed was random.

Exit status: 0 if no error was found, 1 if one was, 2 if a record cannot be read.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

# For known games the pool must be correct: a deck without aces would prove nothing.
POOLS = {
    "hearts": [rank + suit for suit in "DCHS" for rank in "23456789TJQKA"],
}


class Unreadable(Exception):
    """The text is not a record that this script can read."""


def words_of(seed: bytes) -> Iterator[int]:
    """Yield the 32-bit words of *seed*: SHA-256 of the seed and an 8-byte counter, 8 words per block."""
    counter = 0
    while True:
        block = hashlib.sha256(seed + counter.to_bytes(8, "big")).digest()
        for at in range(0, 32, 4):
            yield int.from_bytes(block[at : at + 4], "big")
        counter += 1


def below(words: Iterator[int], n: int) -> int:
    """Return a number from 0 to n - 1: the first word under the last multiple of n, modulo n."""
    limit = 2**32 - 2**32 % n
    word = next(words)
    while word >= limit:
        word = next(words)
    return word % n


def draw(words: Iterator[int], pool: list[str], take: int, replace: bool) -> list[str]:
    """Return *take* items of *pool*, with or without replacement."""
    if replace:
        return [pool[below(words, len(pool))] for _ in range(take)]
    pool = list(pool)
    for i in range(take):
        j = i + below(words, len(pool) - i)
        pool[i], pool[j] = pool[j], pool[i]
    return pool[:take]


def commitment(seed: bytes) -> str:
    """Return the digest that is published before the deal."""
    return hashlib.sha256(b"croupier commitment 1\n" + seed).hexdigest()


class Deal:
    """One deal of the record: its commitment, its seed, its draws and its errors."""

    def __init__(self, number: int, digest: str | None) -> None:
        self.number = number
        self.digest = digest
        self.seed: bytes | None = None
        self.draws: list[tuple[list[str] | None, list[str], bool]] = []
        self.faults: list[str] = []

    def judge(self) -> tuple[str, str]:
        """Return ``proved``, ``open`` or ``broken``, and a text."""
        if self.seed is not None and self.digest is not None:
            if commitment(self.seed) != self.digest:
                self.faults.append("the seed does not match the commitment")
            words = words_of(self.seed)
            for count, (pool, items, replace) in enumerate(self.draws, 1):
                if pool is None:
                    self.faults.append(f"draw {count} has no pool")
                    break
                if len(items) > len(pool) and not replace:
                    self.faults.append(f"draw {count} takes more items than the pool has")
                    break
                expected = draw(words, pool, len(items), replace)
                if expected != items:
                    found = " ".join(items)
                    self.faults.append(f"draw {count} is {found}, but the seed gives {' '.join(expected)}")
        if self.faults:
            return "broken", "; ".join(self.faults)
        if self.seed is None:
            return "open", "not yet revealed"
        return "proved", f"the seed matches the commitment and gives all draws ({len(self.draws)})"


def deals_of(text: str) -> list[Deal]:
    """Return the deals of the record *text*."""
    lines = [line.rstrip("\r") for line in text.lstrip("\ufeff").split("\n")]
    if lines[0] != "croupier record 1":
        raise Unreadable("line 1: expected 'croupier record 1'")
    game = ""
    in_head = True
    pool: list[str] | None = None
    deals: list[Deal] = []
    for number, line in enumerate(lines[1:], 2):
        key, _, rest = line.partition(" ")
        if line.startswith("#"):
            continue
        if in_head:
            if key == "game":
                game = rest.split(" ")[0]
            in_head = bool(line) or not game
        elif key == "commit":
            deal = Deal(*numbered(number, rest))
            if any(earlier.number == deal.number for earlier in deals):
                deal.faults.append("there are two commitments for this deal")
            deals.append(deal)
        elif key == "pool":
            pool = rest.split(" ")
        elif key in ("draw", "roll") and rest:
            if not deals:
                deals.append(Deal(0, None))
                deals[0].faults.append("a draw comes before any commitment")
            deal = deals[-1]
            if deal.seed is not None:
                deal.faults.append(f"draw {len(deal.draws) + 1} was made after the seed was revealed")
            if pool is not None and pool != POOLS.get(game, pool):
                deal.faults.append(f"the pool is not that of {game}")
            deal.draws.append((pool, rest.split(" "), key == "roll"))
        elif key == "reveal":
            name, seed = numbered(number, rest)
            known = [earlier for earlier in deals if earlier.number == name]
            if not known:
                deals.append(Deal(name, None))
                deals[-1].faults.append("a seed was revealed without a commitment")
            elif known[-1].seed is None:
                known[-1].seed = bytes.fromhex(seed)
            elif known[-1].seed != bytes.fromhex(seed):
                known[-1].faults.append("two seeds were revealed")
    if not game:
        raise Unreadable("there is no game line")
    return deals


def numbered(line: int, rest: str) -> tuple[int, str]:
    """Return the number of a deal and the 64 hexadecimal digits after it."""
    deal, _, digits = rest.partition(" ")
    if not (deal.isascii() and deal.isdigit() and len(deal) < 10):
        raise Unreadable(f"line {line}: expected the number of a deal")
    if len(digits) != 64 or not set(digits) <= set("0123456789abcdef"):
        raise Unreadable(f"line {line}: expected 64 hexadecimal digits, lower case")
    return int(deal), digits


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="prove the draws of a match from its record")
    parser.add_argument("record", nargs="+", help="a file with a record; - for standard input")
    status = 0
    for name in parser.parse_args(arguments).record:
        try:
            data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
            deals = deals_of(data.decode("utf-8"))
        except (OSError, UnicodeDecodeError, Unreadable) as error:
            print(f"{name}: {error}", file=sys.stderr)
            status = 2
            continue
        counts = {"proved": 0, "open": 0, "broken": 0}
        for deal in deals:
            kind, words = deal.judge()
            counts[kind] += 1
            print(f"{name}: deal {deal.number}: {kind}: {words}")
        print(f"{name}: {counts['proved']} proved, {counts['open']} open, {counts['broken']} broken")
        if counts["broken"]:
            status = max(status, 1)
    return status


if __name__ == "__main__":
    sys.exit(main())
