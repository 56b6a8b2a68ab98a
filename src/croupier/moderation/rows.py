"""What moderation stores and shows, and the orders of the operator, as structs."""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta

from croupier.table.complaint import ChatLine

Words: TypeAlias = Annotated[str, Meta(max_length=200)]
Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64)]
Act: TypeAlias = Literal[
    "close", "remove", "rename", "mute", "ban", "lift", "announce", "withdraw", "dismiss"
]
Seconds: TypeAlias = Annotated[float, Meta(gt=0, le=10 * 365 * 24 * 3600)]


# Orders.


class Order(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="act"
):
    """The common members of all orders: the body of POST /api/operator/orders."""

    by: Annotated[str, Meta(min_length=1, max_length=40)] = "operator"
    """The person who gives the order, for the audit log."""
    why: Words = ""
    """The reason. The person concerned is told."""


class CloseTable(Order, frozen=True, tag="close"):
    """Close a table; a running match is aborted."""

    table: str


class Remove(Order, frozen=True, tag="remove"):
    """Remove a person from their seats and end their connections there; during a match a bot takes over."""

    name: Name
    table: str = ""
    """Only at this table."""


class Rename(Order, frozen=True, tag="rename"):
    """Rename an account, or a guest at the tables where they sit."""

    name: Name
    new: Name
    table: str = ""
    """Rename them at this table only."""


class Mute(Order, frozen=True, tag="mute"):
    """Refuse the chat messages of a person for a time."""

    who: Name
    """The name of an account or of a guest who is present, or an address."""
    seconds: Seconds
    addresses: bool = False
    """Also the addresses from which the account is connected now."""


class Ban(Mute, frozen=True, tag="ban"):
    """Refuse a person on every protocol for a time, and end their connections."""


class Lift(Order, frozen=True, tag="lift"):
    """End a ban or a mute."""

    id: str


class Announce(Order, frozen=True, tag="announce"):
    """Announce a restart to everyone; the server does not stop by itself."""

    seconds: Annotated[float, Meta(gt=0, le=7 * 24 * 3600)]
    text: Words = ""
    """A note that is added to the announcement."""


class Withdraw(Order, frozen=True, tag="withdraw"):
    """Withdraw the announcement of a restart."""


class Dismiss(Order, frozen=True, tag="dismiss"):
    """Remove a report from the list."""

    report: str


AnyOrder: TypeAlias = CloseTable | Remove | Rename | Mute | Ban | Lift | Announce | Withdraw | Dismiss
ORDERS: Final = (CloseTable, Remove, Rename, Mute, Ban, Lift, Announce, Withdraw, Dismiss)


# What is stored and shown.


class AuditEntry(msgspec.Struct, frozen=True):
    """A line of the audit log."""

    when: str
    by: str
    act: Act
    whom: str
    """The person, the table or the address (the first digits of its digest)."""
    until: str | None = None
    new: str = ""
    """The new name, or the text of an announcement."""
    why: str = ""


class PlayerReport(msgspec.Struct, frozen=True):
    """A report of a player about another one."""

    id: str
    when: str
    table: str
    game: str
    by: str
    whom: str
    text: str
    lines: list[ChatLine]
    """The last chat messages at the table."""


class MeasureRow(msgspec.Struct, frozen=True):
    """A ban or a mute as the operator sees it."""

    id: str
    kind: str
    """ban or mute."""
    whom: str
    until: str
    why: str


class Person(msgspec.Struct, frozen=True):
    """A person who has a seat, or a name in a lobby."""

    name: str
    account: str | None
    game: str
    """Empty in a lobby."""
    table: str | None
    seat: int | None
    connected: bool


class Overview(msgspec.Struct, frozen=True):
    """The answer to GET /api/operator/moderation."""

    people: list[Person]
    measures: list[MeasureRow]
    reports: list[PlayerReport]
    audit: list[AuditEntry]
    """The last entries, newest first."""
    restart: float | None
    """The seconds until the announced restart."""
