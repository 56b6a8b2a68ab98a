"""Seats over the Coinche protocol: which seat a player gets, and who may return to one (spec 14)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from croupier.core.refusal import Refusal
from croupier.games.coinche.messages import nickname
from croupier.wire.greeting import lost_from, own_seat, owns, resembling
from croupier.wire.house_messages import TOKEN_LIMIT
from croupier.wire.lobby import free_places
from croupier.wire.talk import Place, TableInfo

BY_NAME: Final = "by name".ljust(TOKEN_LIMIT + 1, ".")
"""The token of seats to which players return by name. It is longer than the house protocol accepts, so such
a seat cannot be taken there."""

_RESERVED: Final = re.compile(r"bot[0-9]+", re.IGNORECASE)


def reserved(name: str) -> bool:
    """Return True if *name* is the name of a bot."""
    return _RESERVED.fullmatch(name) is not None


def by_token(info: TableInfo) -> bool:
    """Return True if players of *info* need a token to return."""
    return info.table_options["resume"] == "token"


def called(tables: Sequence[TableInfo], name: str) -> Iterator[tuple[TableInfo, Place]]:
    """Yield the places whose player has the name *name*, or is shown with it, ignoring case."""
    wanted = name.lower()
    for info in tables:
        for place in info.places:
            if place.name and wanted in (place.name.lower(), nickname(place).lower()):
                yield info, place


def may_return(info: TableInfo, place: Place, claim: CoincheClaim) -> bool:
    """Return True if the player of *claim* may return to *place*.

    Without a token they need the exact name, and the address from which they took the seat.
    """
    if claim.token != BY_NAME:
        return owns(info, place, claim.token)
    if by_token(info) or claim.name not in (place.name, nickname(place)):
        return False
    return owns(info, place, BY_NAME) and lost_from(info, place, claim.address)


@dataclass(frozen=True, slots=True)
class CoincheClaim:
    """A claim to the seat of the account, of the player with this name, or to the lowest free one."""

    name: str
    token: str = field(repr=False)
    address: str = field(default="", repr=False)
    person: bool = True
    number: int | None = None

    def seat(self, info: TableInfo) -> int:
        own = own_seat(info, self.token)
        if own is not None:
            return own.seat
        for _, place in called([info], self.name):
            if may_return(info, place, self):
                return place.seat
            raise Refusal("name_taken", f"name {self.name!r}: another player at the table has this name")
        if resembling(info, self.name) is not None:
            raise Refusal("name_taken", f"name {self.name!r}: it looks like that of a player at the table")
        free = free_places(info, self.token)
        if not free:
            raise Refusal("table_full", "no seat is free at this table")
        return free[0].seat
