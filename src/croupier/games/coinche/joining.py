"""Seats over the Coinche protocol: which seat a player gets, and who may return to one (spec 14)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from croupier.core.refusal import Refusal
from croupier.games.coinche.messages import nickname
from croupier.wire.greeting import own_seat, owns
from croupier.wire.house import TOKEN_LIMIT
from croupier.wire.lobby import free_places
from croupier.wire.talk import Face, Place

BY_NAME: Final = "by name".ljust(TOKEN_LIMIT + 1, ".")
"""The token of seats to which players return by name. It is longer than the house protocol accepts, so such
a seat cannot be taken there."""

_RESERVED: Final = re.compile(r"bot[0-9]+", re.IGNORECASE)


def reserved(name: str) -> bool:
    """Return True if *name* is the name of a bot."""
    return _RESERVED.fullmatch(name) is not None


def by_token(face: Face) -> bool:
    """Return True if players of *face* need a token to return."""
    return face.table_options["resume"] == "token"


def called(tables: Sequence[Face], name: str) -> Iterator[tuple[Face, Place]]:
    """Yield the places whose player has the name *name*, or is shown with it, ignoring case."""
    wanted = name.lower()
    for face in tables:
        for place in face.places:
            if place.name and wanted in (place.name.lower(), nickname(place).lower()):
                yield face, place


def may_return(face: Face, place: Place, token: str) -> bool:
    """Return True if a client with *token* (or none) may return to *place*."""
    if token not in ("", BY_NAME):
        return owns(face, place, token)
    return not by_token(face) and owns(face, place, BY_NAME) and not place.connected


@dataclass(frozen=True, slots=True)
class CoincheClaim:
    """A claim to the seat of the account, of the player with this name, or to the lowest free one."""

    name: str
    token: str = field(repr=False)
    person: bool = True
    number: int | None = None

    def seat(self, face: Face) -> int:
        own = own_seat(face, self.token)
        if own is not None:
            return own.seat
        for _, place in called([face], self.name):
            if may_return(face, place, self.token):
                return place.seat
            raise Refusal("name_taken", f"name {self.name!r}: another player at the table has this name")
        free = free_places(face, self.token)
        if not free:
            raise Refusal("table_full", "no seat is free at this table")
        return free[0].seat
