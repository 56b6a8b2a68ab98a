"""The process that reviews one deal or computes a hint: reads an order, writes lines of JSON."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from typing import Final

import msgspec

from croupier.core import record
from croupier.games import game as find_game
from croupier.reviews.hint import HintOrder, answer
from croupier.reviews.review import Finding, Reviewer, costly, decisions
from croupier.wire import house_messages as messages

NICE: Final = 10


class Order(msgspec.Struct, tag="review"):
    """What is to be reviewed."""

    record: str
    deal: int
    simulations: int


def lines(order: Order) -> Iterator[messages.ReviewBegun | messages.Finding | messages.ReviewEnded]:
    """Yield the number of decisions, then each finding, and finally the difference that counts as costly."""
    written = record.read(order.record)
    game = find_game(written.game)
    wanted = [one for one in decisions(written, game) if one.deal == order.deal]
    yield messages.ReviewBegun(len(wanted))
    reviewer = Reviewer(written, game, order.simulations)
    findings: list[Finding] = []
    for decision in wanted:
        findings.append(reviewer.judge(decision))
        yield findings[-1].message()
    yield messages.ReviewEnded(True, round(costly(findings), 2))


def main() -> None:
    """Carry out one order; the server kills this process when the review has no readers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server
    with contextlib.suppress(AttributeError, OSError):  # not available on every platform
        os.nice(NICE)
    order = msgspec.json.decode(sys.stdin.buffer.read(), type=Order | HintOrder)
    try:
        for line in lines(order) if isinstance(order, Order) else [answer(order)]:
            sys.stdout.buffer.write(msgspec.json.encode(line) + b"\n")
            sys.stdout.buffer.flush()
    except BrokenPipeError:
        os._exit(1)  # the server has ended


if __name__ == "__main__":
    main()
