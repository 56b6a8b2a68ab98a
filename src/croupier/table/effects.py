"""What a table is made from, and what it wants done."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import msgspec

from croupier.core.contract import Game
from croupier.core.options import Value
from croupier.table import journal
from croupier.table.task import Task
from croupier.wire import talk
from croupier.wire.accounts import Register

Key: TypeAlias = Hashable
"""A connection, as the runner names it."""


class Guest(msgspec.Struct, frozen=True, omit_defaults=True):
    """Somebody a seat is kept for, at a table that was opened for them."""

    name: str
    token: str
    """The digest or the seal, never the token."""
    person: bool = True


@dataclass(slots=True)
class Setup:
    """How a table was made; the store keeps it."""

    id: str
    game: Game
    rules_options: Mapping[str, Value]
    table_options: Mapping[str, Value]
    seats: Sequence[str]
    """For each seat ``open``, ``person`` or ``bot <strength>``."""
    seed: str | None = None
    secret_seed: bool = False
    """Nobody is to see the seed, for it tells the cards."""
    auto_cycle: bool = False
    start: bool = True
    """Play as soon as the seats are filled, without anybody pressing start."""
    watch_open: bool = False
    watch_delay: int = 0
    """Watchers hear of a match this many seconds later than its players."""
    anybody_starts: bool = False
    """Watchers may start and arrange too, even while players sit here: the game node's page."""
    seat_tokens: Sequence[str] = ()
    """Digests of the tokens that seats are reserved for; an empty one reserves nothing."""
    draws: Sequence[Sequence[str]] = ()
    """What chance gives first in every match, draw by draw; no connection may see it."""
    single: bool = False
    """The table closes when its first match has ended."""
    private: bool = False
    """The table is in no list."""
    guests: Sequence[Guest | None] = ()
    """Who a seat is kept for, whether they are here or not; the first match waits for them."""
    patience: float = 0.0
    """For how many seconds it waits."""
    filler: str = ""
    """The bot that takes a seat which nobody does, or a player's who gets up; empty: the usual one."""
    opening: Sequence[journal.Drew | journal.Acted] = ()
    """What has happened already when the first match begins: a position that is to be played on."""
    register: Register = field(default_factory=Register)
    """The accounts of the house; no part of what is kept."""


# In the order they come. Every Write of a list is on disk before anything else of it happens.


@dataclass(frozen=True, slots=True)
class Write:
    entry: journal.AnyEntry


@dataclass(frozen=True, slots=True)
class Reply:
    """To the connection that asked."""

    key: Key
    note: talk.Note


@dataclass(frozen=True, slots=True)
class Tell:
    """To whoever sits in *seat*, or to every watcher."""

    seat: int
    note: talk.Note


@dataclass(frozen=True, slots=True)
class Bind:
    """The connection now plays *seat*."""

    key: Key
    seat: int


@dataclass(frozen=True, slots=True)
class Cut:
    """The connection has lost its seat to a newer one."""

    key: Key


@dataclass(frozen=True, slots=True)
class Ponder:
    """Let a searching bot think about *task*; its answer goes to `Table.thought` with this number."""

    number: int
    task: Task


@dataclass(frozen=True, slots=True)
class Drop:
    """Nobody wants the answer to this `Ponder` any more."""

    number: int


Effect: TypeAlias = Write | Reply | Tell | Bind | Cut | Ponder | Drop
