"""The effects of a table, which the shell carries out."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final, TypeAlias

from croupier.core.contract import PUBLIC
from croupier.table import journal
from croupier.table.bot_task import BotTask
from croupier.table.complaint import Complaint
from croupier.wire import talk

Key: TypeAlias = Hashable
"""The shell's key of a connection."""
WATCHERS: Final = 1 << 30
"""The bit of an audience for all watchers."""


# Effects are carried out in order, but only after all Writes of the same list are on disk.


@dataclass(frozen=True, slots=True)
class Write:
    entry: journal.AnyEntry


@dataclass(frozen=True, slots=True)
class Reply:
    """Send *note* to the connection that made the request."""

    key: Key
    note: talk.Note


@dataclass(frozen=True, slots=True)
class Tell:
    """Send *note* to *audience*: bit ``s`` is seat ``s``, `WATCHERS` all watchers, PUBLIC all connections."""

    note: talk.Note
    audience: int = PUBLIC
    first: int = -1
    """The seat that is told first, or -1: the seat that has acted."""


@dataclass(frozen=True, slots=True)
class Bind:
    """Record that the connection now plays *seat*, or watches."""

    key: Key
    seat: int


@dataclass(frozen=True, slots=True)
class Cut:
    """End the connection, because a newer one has taken over its seat."""

    key: Key


@dataclass(frozen=True, slots=True)
class Expel:
    """End the connection, because the operator has removed its player; *words* tell them why."""

    key: Key
    words: str


@dataclass(frozen=True, slots=True)
class Complain:
    """Pass a complaint on to the operator; the connection gets the answer."""

    key: Key
    request: talk.Report
    complaint: Complaint


@dataclass(frozen=True, slots=True)
class Search:
    """Start a search for *task*; pass its answer to `Table.answer` with this number."""

    number: int
    task: BotTask


@dataclass(frozen=True, slots=True)
class CancelSearch:
    """Cancel the `Search` with this number."""

    number: int


Effect: TypeAlias = Write | Reply | Tell | Bind | Cut | Expel | Complain | Search | CancelSearch
