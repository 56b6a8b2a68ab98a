"""What an arena file asks for, the plays that follow from it, and what became of them.

All of it travels between processes and into the results file as JSON text.
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

Kind: TypeAlias = Literal["timeout", "illegal", "crash", "not understood", "memory"]
KINDS: Final[tuple[Kind, ...]] = ("timeout", "illegal", "crash", "not understood", "memory")


class Limits(msgspec.Struct, frozen=True):
    """What a program may use."""

    seconds: float = 5.0
    """For one decision."""
    start: float = 15.0
    """Until it has joined its table."""
    memory: int = 1024
    """In megabytes, the processes it starts included."""
    refusals: int = 50
    """Answers to one question that may be refused in protocols whose clients learn by trying."""


class Contestant(msgspec.Struct, frozen=True, omit_defaults=True):
    """A bot of the game, a program to be started, or one that connects from outside."""

    name: str
    bot: str = ""
    command: tuple[str, ...] = ()
    """How to start the program."""
    wire: str = HOUSE
    """``house``, or what was published for the game: ``own`` over WebSockets, ``lines`` over TCP."""
    listen: str = ""
    """Where a program from outside connects to: ``host:port``."""

    @property
    def is_program(self) -> bool:
        return bool(self.command or self.listen)

    @property
    def address(self) -> tuple[str, int]:
        """Return host and port of `listen`."""
        host, _, port = self.listen.rpartition(":")
        return host.strip("[]"), int(port)


class Arena(msgspec.Struct, frozen=True):
    """An arena file, checked, every default filled in."""

    game: str
    seats: int
    contestants: tuple[Contestant, ...]
    seed: str
    deals: int = 100
    """Duplicates a meeting has: each is one deal, played once in every rotation of the seats."""
    format: str = ROUND_ROBIN
    rounds: int = 0
    """Of a Swiss tournament."""
    at_table: int = 2
    """How many contestants meet at a table."""
    records: bool = True
    options: dict[str, Value] = {}
    limits: Limits = Limits()
    folder: str = "."
    """Where programs are started."""
    wait: float = 300.0
    """Seconds that programs from outside have to connect before anything is played."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(one.name for one in self.contestants)

    def called(self, name: str) -> Contestant:
        """Return the contestant of that name."""
        return next(one for one in self.contestants if one.name == name)


class Meeting(msgspec.Struct, frozen=True):
    """Who meets in which round."""

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
    """Set to find out who kills its worker: the one program that really plays; bots sit for the others."""


class Verdict(msgspec.Struct, frozen=True):
    """A match that a seat has lost without playing it to its end, and why."""

    seat: int
    kind: Kind
    words: str


class Result(msgspec.Struct, frozen=True, omit_defaults=True):
    """What became of a play."""

    play: Play
    payoffs: tuple[float, ...] = ()
    """More is better, in every game; empty where a verdict ended the match."""
    scores: tuple[int, ...] = ()
    """As the game counts."""
    verdict: Verdict | None = None
    seconds: float = 0.0
    record: str = ""


def from_outside(arena: Arena, play: Play) -> bool:
    """Say whether a program from outside plays in *play*."""
    return any(arena.called(name).listen for name in play.seats)


def encode(value: Arena | Play | Result) -> str:
    """Return *value* as one line."""
    return msgspec.json.encode(value).decode()


def seed_of(arena: Arena, play: Play) -> str:
    """Return the seed of a play's draws: the same in every rotation and meeting of a round."""
    return f"{arena.seed} {play.meeting.round} {play.deal}"
