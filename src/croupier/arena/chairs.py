"""The seats played by programs: their names, addresses and tokens."""

from __future__ import annotations

import re
import secrets
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from croupier.arena.plan import HOUSE, STDIN, Arena, Contestant
from croupier.core import record
from croupier.games import has_lobby
from croupier.wire.frames import write
from croupier.wire.talk import Claim, Place, TableInfo

if TYPE_CHECKING:
    from croupier.arena.process import Program

SHORTEST: Final = 4
LONGEST: Final = 16
"""The length of a name that every protocol accepts, with room for a number after it."""
PLACEHOLDERS: Final = ("url", "host", "port", "name", "seat", "number", "token", "room", "python")
"""The placeholders in a command, each in braces."""
SECRETS: Final = ("url", "token")
"""The values that contain the key of a seat."""


@dataclass(slots=True, eq=False)
class Chair:
    """A seat played by a program."""

    seat: int
    contestant: Contestant
    name: str
    lobby: bool = False
    """Its protocol starts in a lobby."""
    key: str = field(default_factory=lambda: secrets.token_hex(8))
    """Identifies the seat in the address."""
    program: Program | None = None
    """The process started for it; None for a program that connects from outside."""
    connections: int = 0
    """The number of connections from outside that play it now."""
    strangers: int = 0
    """The number of refused connections from processes that are not the program's."""
    sent: str | bytes = ""
    """The last message."""
    noise: str = ""
    """The last message from the program since the last question that had no effect."""
    refusal: str = ""
    """The reason of the last refusal since then."""
    refused: int = 0
    """The number of refusals since then."""

    @property
    def secret_key(self) -> bool:
        """Return True if no other program can read the key."""
        return self.contestant.keys == STDIN

    def asked(self) -> None:
        """Start counting again: a new question was put to the program."""
        self.noise = self.refusal = ""
        self.refused = 0

    def command(self, table: str, url: str, host: str, port: int) -> tuple[list[str], dict[str, str], str]:
        """Return the command, the environment and the standard input for this seat."""
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
        told = write(words) + "\n" if self.secret_key else ""
        if self.secret_key:
            words = {word: value for word, value in words.items() if word not in SECRETS}
        command = list(self.contestant.command)
        for word, value in {**words, "python": sys.executable}.items():
            command = [part.replace("{" + word + "}", value) for part in command]
        return command, {f"CROUPIER_{word.upper()}": value for word, value in words.items()}, told

    def claim(self, claim: Claim, places: Sequence[Place]) -> Placed:
        """Return *claim* as a claim to this seat; lobbies identify people by token, so a claim made in a
        lobby keeps its own token.
        """
        others = {place.name for place in places if place.seat != self.seat}
        name = claim.name if claim.name and claim.name not in others else self.name
        return Placed(name, self.seat, claim.token if self.lobby else self.key)


@dataclass(frozen=True, slots=True)
class Placed:
    """A claim to the seat of a program, in place of the claim it sent."""

    name: str
    place: int
    token: str = field(repr=False)
    person: bool = False
    address: str = ""

    @property
    def number(self) -> int:
        return self.place + 1

    def seat(self, info: TableInfo) -> int:
        return self.place


def chairs(arena: Arena, seats: Sequence[str]) -> dict[int, Chair]:
    """Return the chairs of a match whose *seats* are taken by these contestants."""
    found: dict[int, Chair] = {}
    used: set[str] = set()
    for seat, called in enumerate(seats):
        contestant = arena.called(called)
        if not contestant.is_program:
            continue
        in_lobby = contestant.wire != HOUSE and has_lobby(arena.game)
        name = first = _plain(called) if in_lobby else record.clean(called)
        again = 1
        while name in used:
            again += 1
            name = f"{first}{again}" if in_lobby else f"{first} {again}"
        used.add(name)
        found[seat] = Chair(seat, contestant, name, in_lobby)
    return found


def _plain(name: str) -> str:
    """Return *name* reduced to letters and digits, so that every protocol accepts it as a nickname."""
    plain = re.sub(r"[^A-Za-z0-9]", "", name)[:LONGEST]
    if re.fullmatch(r"(?i)bot[0-9]*", plain):  # these names are reserved for the server's bots
        plain = f"my{plain}"
    return plain.ljust(SHORTEST, "0")
