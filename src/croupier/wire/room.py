"""A room of the command family: who is in it, what it plays, and how it is kept on disk while it plays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

import msgspec

from croupier.core.options import Value
from croupier.wire.users import Member, User

WAITING: Final = "waiting"
STARTING: Final = "starting"
PLAYING: Final = "playing"


@dataclass(frozen=True, slots=True)
class Rules:
    """What a room plays."""

    options: Mapping[str, Value]
    table_options: Mapping[str, Value]
    seed: str | None = None
    draws: tuple[tuple[str, ...], ...] = ()
    before: Rules | None = None
    """What the room plays when the next match is over, if these rules are for one match alone."""


@dataclass(slots=True, eq=False)
class Room:
    """Up to as many users as the game has seats; lobby.py says how it becomes a table and comes back."""

    id: str
    name: str
    rules: Rules
    members: list[User] = field(default_factory=list)
    private: bool = False
    password: str = field(default="", repr=False)
    """Its digest."""
    autostart: bool = False
    fill_bots: bool = True
    bots: str = ""
    """The strength of bots on free seats, if the room asks for one."""
    house: bool = False
    status: str = WAITING
    table: str = ""
    """Where it plays."""
    games: int = 0
    """How many matches it has begun."""
    states: dict[str, str] = field(default_factory=dict)
    """What each member but the owner must send to be ready, by his id, while starting."""
    ready: set[str] = field(default_factory=set)
    deadline: float = 0.0
    opener: Member | None = None
    """Whose request waits for the table."""

    @property
    def owner(self) -> User:
        return self.members[0]

    def others(self, but: User | None) -> Iterator[Member]:
        """Yield the connections of all members but one."""
        for member in self.members:
            if member is not but and member.conversation is not None:
                yield member.conversation


class RulesRow(msgspec.Struct, omit_defaults=True):
    """Rules as they are kept."""

    options: dict[str, Value]
    table_options: dict[str, Value]
    seed: str | None = None


class Row(msgspec.Struct, omit_defaults=True):
    """A room as it is kept."""

    id: str
    name: str
    members: list[str]
    options: dict[str, Value]
    table_options: dict[str, Value]
    seed: str | None = None
    private: bool = False
    password: str = ""
    autostart: bool = False
    fill_bots: bool = True
    games: int = 0
    bots: str = ""
    before: RulesRow | None = None


def row_of(room: Room) -> Row:
    """Return *room* as it is kept."""
    own = room.rules.before
    return Row(
        room.id,
        room.name,
        [user.id for user in room.members],
        dict(room.rules.options),
        dict(room.rules.table_options),
        room.rules.seed,
        room.private,
        room.password,
        room.autostart,
        room.fill_bots,
        room.games,
        room.bots,
        None if own is None else RulesRow(dict(own.options), dict(own.table_options), own.seed),
    )


def recalled(row: Row, table: str) -> Room:
    """Return the room that plays at *table*, still without its members."""
    own = row.before
    before = None if own is None else Rules(own.options, own.table_options, own.seed)
    return Room(
        row.id,
        row.name,
        Rules(row.options, row.table_options, row.seed, before=before),
        private=row.private,
        password=row.password,
        autostart=row.autostart,
        fill_bots=row.fill_bots,
        bots=row.bots,
        status=PLAYING,
        table=table,
        games=row.games,
    )
