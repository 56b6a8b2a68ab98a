"""The specification of a table, used by lobbies, the HTTP API, the arena and the store.

msgspec structs cannot be compiled, so they are in a separate module.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from croupier.core.options import Value


class Guest(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player for whom a seat is reserved at a table that was opened for them."""

    name: str
    token: str
    """The digest of their token or the id of their account, never the token."""
    person: bool = True


class TableSpec(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table to be opened, stored as JSON; `table.setup.setup_of` checks it."""

    seats: Sequence[str]
    """For each seat ``open``, ``person`` or ``bot <strength>``."""
    options: Mapping[str, Value] = {}
    """Options of the rules."""
    table_options: Mapping[str, Value] = {}
    seed: str | None = None
    secret_seed: bool = False
    """Do not show the seed, because it reveals the cards."""
    auto_cycle: bool = False
    start: bool = True
    """Begin as soon as all seats are taken, without a request to start."""
    watch_open: bool = False
    watch_delay: int = 0
    """Watchers see a match this many seconds later than its players."""
    anybody_starts: bool = False
    """Watchers may also start and arrange, even if there are players: for the page of the game node."""
    seat_tokens: Sequence[str] = []
    """The digests of the tokens for which seats are reserved; an empty one reserves nothing."""
    draws: Sequence[Sequence[str]] = []
    """Fixed outcomes of the first draws in every match, spelt as by `Game.draw_name`; no connection may see
    them."""
    single: bool = False
    """The table closes when its first match has ended."""
    closes_empty: bool = False
    """The table closes when the last player has left it, and is not restored after a restart if it never had
    one."""
    private: bool = False
    """The table and its matches are not listed; watching needs the invitation."""
    invitation: str = ""
    """The invitation to a private table; if it is empty, only the table's players may connect."""
    guests: Sequence[Guest | None] = []
    """The players for whom seats are reserved, connected or not; the first match waits for them. In the seat
    of a bot, its name."""
    patience: float = 0.0
    """The number of seconds that it waits for guests."""
    filler: str = ""
    """The bot for free seats and for the seats of players who leave; empty: the game's default."""
    quick_match: float = 0.0
    """The seconds after which bots take the free seats of a quick match: a public table where people replace
    these bots between deals. 0: it is not a quick match."""
    owners: Sequence[str] = []
    """The person who opened the table, for limits: the keyed digest of an address, and the id of an account.
    """
    opening: Sequence[str] = []
    """Draws and actions with which the first match begins, as lines of a record. Version 0.1 stored lines of
    a journal instead."""
    cards_given: bool = False
    """The record of this table was imported, and its cards were given."""
