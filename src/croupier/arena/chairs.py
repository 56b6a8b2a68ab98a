"""The seats that programs play: what they are called there, and how they come to them."""

from __future__ import annotations

import re
import secrets
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from croupier.arena.plan import HOUSE, Arena, Contestant
from croupier.core import record
from croupier.games import has_desk
from croupier.wire.talk import Claim, Face, Place

if TYPE_CHECKING:
    from croupier.arena.process import Program

SHORTEST: Final = 4
LONGEST: Final = 16
"""Letters of a name that every protocol takes, with room for a number behind it."""
PLACEHOLDERS: Final = ("url", "host", "port", "name", "seat", "number", "token", "room", "python")
"""What is filled into a command, each in braces."""


@dataclass(slots=True, eq=False)
class Chair:
    """A seat that a program plays."""

    seat: int
    contestant: Contestant
    name: str
    desk: bool = False
    """Its protocol begins at a desk."""
    key: str = field(default_factory=lambda: secrets.token_hex(8))
    """Names the seat in the address."""
    program: Program | None = None
    """What was started for it; nothing for a program from outside."""
    links: int = 0
    """How many connections from outside play it now."""
    sent: str | bytes = ""
    """What came last."""
    noise: str = ""
    """What came of the program since it was last asked and led to nothing."""
    refusal: str = ""
    """What the rules refused since then, and why."""
    refused: int = 0
    """How often they did."""

    def asked(self) -> None:
        """A question is put to the program: what it did before does not count any more."""
        self.noise = self.refusal = ""
        self.refused = 0

    def command(self, table: str, url: str, host: str, port: int) -> tuple[list[str], dict[str, str]]:
        """Return what to run for this seat, and what its environment says."""
        words = {
            "name": self.name,
            "seat": str(self.seat),
            "number": str(self.seat + 1),
            "token": self.key,
            "url": url,
            "host": host,
            "port": str(port),
            "room": table,
        }
        command = list(self.contestant.command)
        for word, value in {**words, "python": sys.executable}.items():
            command = [part.replace("{" + word + "}", value) for part in command]
        return command, {f"CROUPIER_{word.upper()}": value for word, value in words.items()}

    def claim(self, claim: Claim, places: Sequence[Place]) -> Placed:
        """Return *claim* as one to this seat; desks know people by their tokens: there it keeps its own."""
        others = {place.name for place in places if place.seat != self.seat}
        name = claim.name if claim.name and claim.name not in others else self.name
        return Placed(name, self.seat, claim.token if self.desk else self.key)


@dataclass(frozen=True, slots=True)
class Placed:
    """A claim to the seat of a program, whatever else it said."""

    name: str
    place: int
    token: str = field(repr=False)
    person: bool = False

    @property
    def number(self) -> int:
        return self.place + 1

    def seat(self, face: Face) -> int:
        return self.place


def chairs(arena: Arena, seats: Sequence[str]) -> dict[int, Chair]:
    """Return the chairs of a match whose *seats* are taken by these contestants."""
    found: dict[int, Chair] = {}
    used: set[str] = set()
    for seat, called in enumerate(seats):
        contestant = arena.called(called)
        if not contestant.is_program:
            continue
        at_desk = contestant.wire != HOUSE and has_desk(arena.game)
        name = first = _plain(called) if at_desk else record.clean(called)
        again = 1
        while name in used:
            again += 1
            name = f"{first}{again}" if at_desk else f"{first} {again}"
        used.add(name)
        found[seat] = Chair(seat, contestant, name, at_desk)
    return found


def _plain(name: str) -> str:
    """Return *name* in letters and digits that every protocol takes for a nickname."""
    plain = re.sub(r"[^A-Za-z0-9]", "", name)[:LONGEST]
    if re.fullmatch(r"(?i)bot[0-9]*", plain):  # those are the house's own
        plain = f"my{plain}"
    return plain.ljust(SHORTEST, "0")
