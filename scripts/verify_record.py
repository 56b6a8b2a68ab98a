"""Verify the draws of a match from its record, using only Python's standard library.

    python verify_record.py RECORD...        (- reads standard input)

For every deal, the seed revealed after it must match the digest published before it, and the seed must
produce exactly the cards or dice in the record. docs/record.md describes the record format and the
computation of draws; this script is written from that page alone and imports nothing of the server, so that
the server need not be trusted. Not verified here: that every action was legal (`croupier verify` replays the
match by the rules), and that the seed was random. If a seed or cards were given, that is reported.

Exit status: 0 if no error was found, 1 if one was, 2 if a record cannot be read.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

# For known games the pool must be complete: draws from a deck without aces would prove nothing.
POOLS = {
    "hearts": [rank + suit for suit in "DCHS" for rank in "23456789TJQKA"],
}
WIDEST = 64 * 1024  # characters in a line
LARGEST = 16 * 1024 * 1024  # bytes in a record


NONCE_SIGNS = set("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-")


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


def joint_seed(seed: bytes, nonces: list[tuple[int, str]]) -> bytes:
    """Return the seed of the draws: the server's own, or its hash with what seats have added."""
    if not nonces:
        return seed
    text = "".join(f"\n{seat} {nonce}" for seat, nonce in nonces)
    return hashlib.sha256(b"croupier joint seed 1\n" + seed + text.encode()).digest()


class Deal:
    """One deal of the record: its commitment, its seed, its draws and its errors."""

    def __init__(self, number: int, digest: str | None) -> None:
        self.number = number
        self.digest = digest
        self.seed: bytes | None = None
        self.given = False
        self.nonces: list[tuple[int, str]] = []
        self.draws: list[tuple[list[str] | None, list[str], bool]] = []
        self.faults: list[str] = []

    def judge(self) -> tuple[str, str]:
        """Return ``proved``, ``given``, ``open`` or ``broken``, and a text."""
        if self.seed is not None and self.digest is not None:
            if commitment(self.seed) != self.digest:
                self.faults.append("the seed does not match the commitment")
            words = words_of(joint_seed(self.seed, self.nonces))
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
        if self.given:
            return "given", "not random: cards were given"
        if self.seed is None:
            return "open", "not yet revealed"
        nonces = f" with the nonces of {len(self.nonces)} seats" if self.nonces else ""
        return "proved", f"the seed matches the commitment and gives all draws ({len(self.draws)}){nonces}"


def deals_of(text: str) -> list[Deal]:
    """Return the deals of the record *text*."""
    lines = [line.rstrip("\r") for line in text.lstrip("\ufeff").split("\n")]
    if lines[0] != "croupier record 1":
        raise Unreadable("line 1: expected 'croupier record 1'")
    game = ""
    given = False
    in_head = True
    pool: list[str] | None = None
    deals: list[Deal] = []
    latest: dict[int, Deal] = {}
    for number, line in enumerate(lines[1:], 2):
        if len(line) > WIDEST:
            raise Unreadable(f"line {number}: found {len(line)} characters, expected at most {WIDEST}")
        key, _, rest = line.partition(" ")
        if line.startswith("#"):
            continue
        if in_head:
            if key == "game":
                game = rest.split(" ")[0]
            given = given or key == "seed" or line == "cards given"
            in_head = bool(line) or not game
        elif key == "commit":
            deal = Deal(*numbered(number, rest))
            if deal.number in latest:
                deal.faults.append("there are two commitments for this deal")
            deals.append(deal)
            latest[deal.number] = deal
        elif key == "nonce":
            add_nonce(number, rest, deals)
        elif key == "pool":
            pool = rest.split(" ")
        elif key in ("draw", "roll") and rest:
            if not deals:
                deals.append(Deal(0, None))
                latest[0] = deals[0]
                if not given:
                    deals[0].faults.append("a draw comes before any commitment")
            deal = deals[-1]
            if deal.seed is not None:
                deal.faults.append(f"draw {len(deal.draws) + 1} was made after the seed was revealed")
            if pool is not None and pool != POOLS.get(game, pool):
                deal.faults.append(f"the pool is not that of {game}")
            deal.draws.append((pool, rest.split(" "), key == "roll"))
        elif key == "reveal":
            name, seed = numbered(number, rest)
            known = latest.get(name)
            if known is None:
                deals.append(Deal(name, None))
                deals[-1].faults.append("a seed was revealed without a commitment")
                latest[name] = deals[-1]
            elif known.seed is None:
                known.seed = bytes.fromhex(seed)
            elif known.seed != bytes.fromhex(seed):
                known.faults.append("two seeds were revealed")
    if not game:
        raise Unreadable("there is no game line")
    for deal in deals:
        deal.given = given
    return deals


def add_nonce(line: int, rest: str, deals: list[Deal]) -> None:
    """Read what a seat has added to the seed of the last deal."""
    words = rest.split(" ")
    if len(words) != 3 or not (words[0] + words[1]).isdigit() or not 1 <= len(words[2]) <= 64:
        raise Unreadable(f"line {line}: expected a deal, a seat and a nonce")
    if not set(words[2]) <= NONCE_SIGNS:
        raise Unreadable(f"line {line}: expected letters, digits, - and _ in a nonce")
    deal, seat = int(words[0]), int(words[1])
    if not deals or deals[-1].number != deal or deals[-1].draws:
        deals.append(Deal(deal, None))
        deals[-1].faults.append("a nonce is not between the commitment and the first draw")
    elif deals[-1].nonces and deals[-1].nonces[-1][0] >= seat:
        deals[-1].faults.append("the nonces are not in the order of the seats")
    deals[-1].nonces.append((seat, words[2]))


def numbered(line: int, rest: str) -> tuple[int, str]:
    """Return the number of a deal and the 64 hexadecimal digits after it."""
    deal, _, digits = rest.partition(" ")
    if not (deal.isascii() and deal.isdigit() and len(deal) < 10):
        raise Unreadable(f"line {line}: expected the number of a deal")
    if len(digits) != 64 or not set(digits) <= set("0123456789abcdef"):
        raise Unreadable(f"line {line}: expected 64 hexadecimal digits, lower case")
    return int(deal), digits


def read(name: str) -> bytes:
    """Return the contents of a file, or of standard input."""
    if name == "-":
        data = sys.stdin.buffer.read(LARGEST + 1)
    else:
        with Path(name).open("rb") as file:
            data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        line = data.count(b"\n") + 1
        raise Unreadable(f"line {line}: expected at most {LARGEST} bytes up to here")
    return data


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="prove the draws of a match from its record")
    parser.add_argument("record", nargs="+", help="a file with a record; - for standard input")
    status = 0
    for name in parser.parse_args(arguments).record:
        try:
            deals = deals_of(read(name).decode("utf-8"))
        except (OSError, UnicodeDecodeError, Unreadable) as error:
            print(f"{name}: {error}", file=sys.stderr)
            status = 2
            continue
        counts = {"proved": 0, "given": 0, "open": 0, "broken": 0}
        for deal in deals:
            kind, words = deal.judge()
            counts[kind] += 1
            print(f"{name}: deal {deal.number}: {kind}: {words}")
        print(f"{name}: {', '.join(f'{count} {kind}' for kind, count in counts.items())}")
        if counts["broken"]:
            status = max(status, 1)
    return status


if __name__ == "__main__":
    sys.exit(main())
