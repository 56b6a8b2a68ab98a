"""Joining a table over the Trend protocol: which seat a client gets, or why it is refused (spec 6.1)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from croupier.core.refusal import Refusal
from croupier.games.hearts.vocabulary import SEATS
from croupier.wire.frames import whole_or_digits
from croupier.wire.greeting import clean_name, locked, may_return, own_seat, resembling, seat_called
from croupier.wire.talk import OPEN, Place, TableInfo

LARGEST_NUMBER: Final = 2**53 - 1
"""The largest integer that every JSON reader reads exactly."""

_MISSING: Final = object()


@dataclass(frozen=True, slots=True)
class HeartsClaim:
    """A `join` as it was received; `seat` checks it in the spec's order."""

    raw_name: object
    raw_number: object = _MISSING
    token: str = field(default="", repr=False)
    address: str = field(default="", repr=False)
    person: bool = False

    @classmethod
    def read(cls, data: object, address: str = "") -> HeartsClaim:
        """Return the claim in the `data` of a `join` from *address*; *data* may be any JSON value."""
        members = data if isinstance(data, dict) else {}
        given = members.get("token")
        token = given if isinstance(given, str) else ""
        return cls(
            members.get("playerName"),
            members.get("playerNumber", _MISSING),
            token,
            "" if token else address,
        )

    @property
    def name(self) -> str:
        return clean_name(self.raw_name) or ""

    @property
    def number(self) -> int | None:
        return None if self.raw_number is _MISSING else whole_or_digits(self.raw_number)

    def seat(self, info: TableInfo) -> int:
        name = clean_name(self.raw_name)
        if name is None:
            raise Refusal("bad_name", "playerName: expected 1 to 64 characters, no control characters")
        number = self.number
        if self.raw_number is not _MISSING and (number is None or not 0 < number <= LARGEST_NUMBER):
            raise Refusal("bad_number", "playerNumber: expected a positive integer, or none at all")
        account = info.identities.holder(self.token)
        if account is not None and account is not info.identities.owner(name):
            raise Refusal(
                "bad_token", f"token: it belongs to the account {account.name!r}: join with that name"
            )
        namesake = own_seat(info, self.token) or seat_called(info, name)
        if namesake is not None:
            if may_return(info, namesake, self.token, self.address):
                return namesake.seat
            raise Refusal(
                "player_name_dup", f"playerName {name!r}: another player at the table has this name"
            )
        if resembling(info, name) is not None:
            words = f"playerName {name!r}: it looks like the name of another player at the table"
            raise Refusal("player_name_dup", words)
        if info.identities.bars(name, self.token):
            words = (
                f"playerName {name!r}: it belongs to an account, or looks like it; the token is not its own"
            )
            raise Refusal("player_name_dup", words)
        place = (
            _numbered(info, number) if number is not None and number <= SEATS else _free(info, name, number)
        )
        if locked(info, place, self.token):
            raise Refusal("bad_token", f"seat {place.seat + 1}: it is reserved for another token")
        return place.seat


def _empty(place: Place) -> bool:
    return place.kind == OPEN and not place.name


def _numbered(info: TableInfo, number: int) -> Place:
    place = info.places[number - 1]
    if not _empty(place):
        raise Refusal("seat_taken", f"playerNumber {number}: that seat is not free")
    return place


def _free(info: TableInfo, name: str, number: int | None) -> Place:
    free = [place for place in info.places if _empty(place)]
    if not free:
        raise Refusal("table_full", "no seat is free at this table")
    if any(place.name and place.number == number for place in info.places):
        raise Refusal("number_taken", f"playerNumber {number}: another player at the table has it")
    return next((place for place in free if place.former == name), free[0])
