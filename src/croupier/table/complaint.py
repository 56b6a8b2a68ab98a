"""What a player reports to the operator. The structs are here because the table itself is compiled."""

from __future__ import annotations

import msgspec


class ChatLine(msgspec.Struct, frozen=True):
    """A chat message."""

    when: str
    name: str
    text: str


class Complaint(msgspec.Struct, frozen=True):
    """A report of a player about another one at the same table."""

    table: str
    game: str
    by: str
    whom: str
    text: str
    lines: list[ChatLine]
    """The last chat messages at the table."""
