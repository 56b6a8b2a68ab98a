"""A room of Tarock or Taroky: its members, its rules, and how it is stored while it is playing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import msgspec

from croupier.core.options import Value
from croupier.wire.opentarock.users import User
from croupier.wire.talk import Open

if TYPE_CHECKING:
    from croupier.wire.opentarock.conversation import RoomConversation

WAITING: Final = "waiting"
STARTING: Final = "starting"
PLAYING: Final = "playing"


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a room."""

    options: Mapping[str, Value]
    table_options: Mapping[str, Value]
    seed: str | None = None
    draws: tuple[tuple[str, ...], ...] = ()
    before: Rules | None = None
    """The rules after the next match, if these rules are for one match only."""


@dataclass(slots=True, eq=False)
class Room:
    """A group of at most as many users as the game has seats (see lobby.py)."""

    id: str
    name: str
    rules: Rules
    members: list[User] = field(default_factory=list)
    private: bool = False
    password: str = field(default="", repr=False)
    """The digest of the password."""
    autostart: bool = False
    fill_bots: bool = True
    bots: str = ""
    """The bot for free seats, if the room has set one."""
    house: bool = False
    status: str = WAITING
    table: str = ""
    """The id of its table."""
    games: int = 0
    """The number of matches it has begun."""
    states: dict[str, str] = field(default_factory=dict)
    """What each member except the owner must send to be ready, by user id, while starting."""
    ready: set[str] = field(default_factory=set)
    deadline: float = 0.0
    """When the start is cancelled, or the table closed because no member has returned; 0: never."""
    opening: Open | None = None
    """The table that is being opened for it."""

    @property
    def owner(self) -> User:
        return self.members[0]

    @property
    def fixed_deal(self) -> bool:
        """Return True if a player could know the cards of its current or next match in advance."""
        rules = self.rules
        first = self.games == (1 if self.status == PLAYING else 0)
        return rules.seed is not None or rules.before is not None or (first and bool(rules.draws))

    def connected(self, but: User | None = None) -> list[RoomConversation]:
        """Return the connections of its members, except that of *but*."""
        found = [member.conversation for member in self.members if member is not but]
        return [conversation for conversation in found if conversation is not None]


class RulesRow(msgspec.Struct, omit_defaults=True):
    """Rules as stored."""

    options: dict[str, Value]
    table_options: dict[str, Value]
    seed: str | None = None


class Row(msgspec.Struct, omit_defaults=True):
    """A room as stored."""

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
    draws: list[list[str]] = []


def row_of(room: Room) -> Row:
    """Return the row to be stored for *room*."""
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
        [list(draw) for draw in room.rules.draws],
    )


def recalled(row: Row, table: str) -> Room:
    """Return the room of *row*, which is playing at *table*, without its members."""
    own = row.before
    before = None if own is None else Rules(own.options, own.table_options, own.seed)
    return Room(
        row.id,
        row.name,
        Rules(row.options, row.table_options, row.seed, tuple(map(tuple, row.draws)), before),
        private=row.private,
        password=row.password,
        autostart=row.autostart,
        fill_bots=row.fill_bots,
        bots=row.bots,
        status=PLAYING,
        table=table,
        games=row.games,
    )
