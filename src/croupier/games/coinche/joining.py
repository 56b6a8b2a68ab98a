"""Who may sit down where over the Coinche protocol, and who may come back (spec 14)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from croupier.games.coinche.notices import nickname
from croupier.wire.greeting import locked, own_seat, owns
from croupier.wire.house import TOKEN_LIMIT
from croupier.wire.talk import BOT, GATHERING, OPEN, Face, JoinRefused, Place

BY_NAME: Final = "by name".ljust(TOKEN_LIMIT + 1, ".")
"""The token of seats that are come back to by name. It is longer than the house protocol lets anybody send:
nobody takes such a seat over there."""

_RESERVED: Final = re.compile(r"bot[0-9]+", re.IGNORECASE)


def reserved(name: str) -> bool:
    """Say whether *name* is a bot's."""
    return _RESERVED.fullmatch(name) is not None


def by_token(face: Face) -> bool:
    """Say whether players of *face* come back with a token."""
    return face.table_options["resume"] == "token"


def called(tables: Sequence[Face], name: str) -> Iterator[tuple[Face, Place]]:
    """Yield where somebody is called *name*, whatever the case, or shown by that name."""
    wanted = name.lower()
    for face in tables:
        for place in face.places:
            if place.name and wanted in (place.name.lower(), nickname(place).lower()):
                yield face, place


def may_return(face: Face, place: Place, token: str) -> bool:
    """Say whether who comes with *token* (or none) is the player of *place*."""
    if place.kind == BOT:
        return False
    if by_token(face) or face.register.holder(token) is not None:
        return owns(face, place, token)
    return owns(face, place, BY_NAME) and not place.connected


def free_seats(face: Face, token: str = "") -> list[int]:
    """Return the seats of *face* that a newcomer may take, lowest first, if it waits for players."""
    if face.phase != GATHERING:
        return []
    return [
        place.seat
        for place in face.places
        if place.kind == OPEN and not place.name and not locked(face, place, token)
    ]


@dataclass(frozen=True, slots=True)
class CoincheClaim:
    """The seat of whoever is called *name*, or of his account, or the lowest free one."""

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
            raise JoinRefused("name_taken", f"name {self.name!r}: somebody at the table is called so")
        free = free_seats(face, self.token)
        if not free:
            raise JoinRefused("table_full", "no seat is free at this table")
        return free[0]
