"""What the operator has ordered: bans and mutes that end by themselves, and a notice. Without I/O.

A measure applies to *marks*: the ids of accounts and the keyed digests of addresses (identity.py). Every
connection of every protocol is compared with them when it opens, when its client sends a token, and
when a measure is imposed. Chat has a limit for everyone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from croupier.core.refusal import Refusal, house_refusal
from croupier.wire.token_bucket import TokenBuckets

BAN: Final = "ban"
MUTE: Final = "mute"

CHAT_LINES: Final = 10
"""How many chat messages one account or address may send at once."""
CHAT_SECONDS: Final = 2.0
"""Seconds after which one more is allowed."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A ban or a mute."""

    id: str
    kind: str
    """BAN or MUTE."""
    whom: str
    """For the operator; an address is shown as a part of its digest."""
    marks: tuple[str, ...]
    until: float
    """In seconds since 1970."""
    why: str = ""

    @property
    def words(self) -> str:
        """Return what the person is told."""
        what = "banned" if self.kind == BAN else "muted"
        return f"you are {what} until {moment(self.until)}" + (f": {self.why}" if self.why else "")


@dataclass(frozen=True, slots=True)
class Notice:
    """A restart that the operator has announced."""

    at: float
    """In seconds since 1970."""
    text: str = ""
    """A note by the operator, in any language."""


class Measures:
    """All measures in force."""

    def __init__(self, now: Callable[[], float] = time.time) -> None:
        """*now* returns the seconds since 1970."""
        self.now = now
        self.notice: Notice | None = None
        """The announced restart, if any; its time may have passed."""
        self._all: dict[str, Measure] = {}
        self._chat = TokenBuckets(CHAT_LINES, 1 / CHAT_SECONDS)

    def all(self) -> list[Measure]:
        """Return the measures that have not ended, in the order in which they were imposed."""
        self._all = {id: one for id, one in self._all.items() if one.until > self.now()}
        return list(self._all.values())

    def put(self, measure: Measure) -> None:
        """Add a measure."""
        self._all[measure.id] = measure

    def lift(self, id: str) -> None:
        """Remove the measure with this id, if there is one."""
        self._all.pop(id, None)

    def find(self, kind: str, marks: Iterable[str]) -> Measure | None:
        """Return the measure of this kind that applies to one of *marks* and ends last, or None."""
        if not self._all:
            return None
        given = set(marks)
        found = [one for one in self.all() if one.kind == kind and not given.isdisjoint(one.marks)]
        return max(found, key=lambda one: one.until, default=None)

    def check_ban(self, marks: Iterable[str]) -> None:
        """Refuse a person who is banned."""
        ban = self.find(BAN, marks)
        if ban is not None:
            raise Refusal("banned", ban.words)

    def check_chat(self, marks: list[str], now: float) -> None:
        """Refuse a chat message of a person who is muted, or who has sent too many at *now*.

        *marks* are those of the address and the account, in this order: people with an account are counted by
        it, the others by their address.
        """
        mute = self.find(MUTE, marks)
        if mute is not None:
            raise Refusal("muted", mute.words)
        who = marks[-1] if marks else ""
        if not self._chat.take(who, now):
            wait = self._chat.wait(who, now)
            raise house_refusal("chat_flood", {"seconds": round(wait)}, wait)

    def seconds_left(self) -> float | None:
        """Return the seconds until the announced restart; None if there is none."""
        left = self.notice.at - self.now() if self.notice is not None else 0.0
        return left if left > 0 else None


def moment(seconds: float) -> str:
    """Return a time for people.

    >>> moment(0.0)
    '1970-01-01 00:00 UTC'
    """
    return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(seconds))
