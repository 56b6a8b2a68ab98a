"""The data of an arena: the arena file, the matches that follow from it, and their results.

All of it is exchanged between processes and stored in the results file as JSON text.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import msgspec

from croupier.core.options import Value

ROUND_ROBIN: Final = "round-robin"
SWISS: Final = "swiss"
KNOCKOUT: Final = "knockout"
FORMATS: Final = (ROUND_ROBIN, SWISS, KNOCKOUT)
HOUSE: Final = "house"
OWN: Final = "own"
LINES: Final = "lines"
ENVIRONMENT: Final = "environment"
STDIN: Final = "stdin"

Kind: TypeAlias = Literal["timeout", "illegal", "crash", "not understood", "memory", "foul"]


class Limits(msgspec.Struct, frozen=True):
    """The limits of a program."""

    seconds: float = 5.0
    """Seconds for one decision."""
    start: float = 15.0
    """Seconds until it must have joined its table."""
    memory: int = 1024
    """In megabytes, including its child processes."""
    refusals: int = 50
    """Refused answers allowed per question, in protocols whose clients learn by trying."""


class Contestant(msgspec.Struct, frozen=True, omit_defaults=True):
    """A bot of the game, a program to be started, or one that connects from outside."""

    name: str
    bot: str = ""
    command: tuple[str, ...] = ()
    """The command that starts the program."""
    wire: str = HOUSE
    """``house``, or the protocol published for the game: ``own`` over WebSockets, ``lines`` over TCP."""
    listen: str = ""
    """The address for a program from outside: ``host:port``."""
    keys: str = ENVIRONMENT
    """Where a program gets its address and token: ``environment`` (or its command), or ``stdin``."""

    @property
    def is_program(self) -> bool:
        return bool(self.command or self.listen)

    @property
    def address(self) -> tuple[str, int]:
        """Return host and port of `listen`."""
        host, _, port = self.listen.rpartition(":")
        return host.strip("[]"), int(port)


class Arena(msgspec.Struct, frozen=True):
    """A validated arena file with all defaults filled in."""

    game: str
    seats: int
    contestants: tuple[Contestant, ...]
    seed: str
    deals: int = 100
    """Duplicates per meeting: each is one deal, played once in every rotation of the seats."""
    format: str = ROUND_ROBIN
    rounds: int = 0
    """Rounds of a Swiss tournament."""
    at_table: int = 2
    """The number of contestants at a table."""
    records: bool = True
    options: dict[str, Value] = {}
    limits: Limits = Limits()
    folder: str = "."
    """The working directory of the programs."""
    wait: float = 300.0
    """Seconds for programs from outside to connect before the first match."""
    sandbox: bool = False
    """Programs are isolated from each other and from the files in `hidden`."""
    hidden: tuple[str, ...] = ()
    """Files and folders that programs in a sandbox must not see."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(one.name for one in self.contestants)

    def called(self, name: str) -> Contestant:
        """Return the contestant with this name."""
        return next(one for one in self.contestants if one.name == name)


class Meeting(msgspec.Struct, frozen=True):
    """The contestants that meet in a round."""

    round: int
    contestants: tuple[str, ...]


class Play(msgspec.Struct, frozen=True, omit_defaults=True):
    """One match to be played: a deal of a meeting in one of its rotations."""

    meeting: Meeting
    deal: int
    rotation: int
    seats: tuple[str, ...]
    """The contestant in each seat."""
    suspect: str = ""
    """Set to find the cause of a program's death: only this program plays, with bots in the other seats."""


class Verdict(msgspec.Struct, frozen=True, omit_defaults=True):
    """A match that a seat lost before its end, and the reason."""

    seat: int
    kind: Kind
    words: str
    output: tuple[str, ...] = ()
    """The last lines that the program printed."""
    killed: bool = False
    """True if it ended by a signal that another program may have sent."""


class Result(msgspec.Struct, frozen=True, omit_defaults=True):
    """The result of a match."""

    play: Play
    payoffs: tuple[float, ...] = ()
    """Higher is better in every game; empty if a verdict ended the match."""
    scores: tuple[int, ...] = ()
    """In the game's own points."""
    verdict: Verdict | None = None
    seconds: float = 0.0
    record: str = ""


def from_outside(arena: Arena, play: Play) -> bool:
    """Return whether a program from outside plays in *play*."""
    return any(arena.called(name).listen for name in play.seats)


def encode(value: Arena | Play | Result) -> str:
    """Return *value* as one line."""
    return msgspec.json.encode(value).decode()


def seed_of(arena: Arena, play: Play) -> str:
    """Return the seed for the draws of a match: the same in every rotation and meeting of a round."""
    return f"{arena.seed} {play.meeting.round} {play.deal}"
