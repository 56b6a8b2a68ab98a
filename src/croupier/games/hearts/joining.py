"""Who may sit down where over the Trend protocol (spec 6.1)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from croupier.games.hearts.vocabulary import SEATS
from croupier.wire.frames import whole_or_digits
from croupier.wire.greeting import clean_name, locked, own_seat, owns, seat_called
from croupier.wire.talk import OPEN, Face, JoinRefused, Place

LARGEST_NUMBER: Final = 2**53 - 1
"""Every JSON reader takes integers up to here for what they are."""

_MISSING: Final = object()


@dataclass(frozen=True, slots=True)
class HeartsClaim:
    """A `join`, as it came: what is wrong with it is found in the spec's order."""

    raw_name: object
    raw_number: object = _MISSING
    token: str = field(default="", repr=False)
    person: bool = False

    @classmethod
    def read(cls, data: object) -> HeartsClaim:
        """Return the claim in the `data` of a `join`, whatever that is."""
        members = data if isinstance(data, dict) else {}
        token = members.get("token")
        return cls(
            members.get("playerName"),
            members.get("playerNumber", _MISSING),
            token if isinstance(token, str) else "",
        )

    @property
    def name(self) -> str:
        return clean_name(self.raw_name) or ""

    @property
    def number(self) -> int | None:
        return None if self.raw_number is _MISSING else whole_or_digits(self.raw_number)

    def seat(self, face: Face) -> int:
        name = clean_name(self.raw_name)
        if name is None:
            raise JoinRefused("bad_name", "playerName: expected 1 to 64 characters, no control characters")
        number = self.number
        if self.raw_number is not _MISSING and (number is None or not 0 < number <= LARGEST_NUMBER):
            raise JoinRefused("bad_number", "playerNumber: expected a positive integer, or none at all")
        account = face.register.holder(self.token)
        if account is not None and account is not face.register.owner(name):
            raise JoinRefused("bad_token", f"token: it belongs to the account {account.name!r}: join as that")
        namesake = own_seat(face, self.token) or seat_called(face, name)
        if namesake is not None:
            if owns(face, namesake, self.token):
                return namesake.seat
            raise JoinRefused("player_name_dup", f"playerName {name!r}: somebody at the table is called so")
        if face.register.bars(name, self.token):
            words = f"playerName {name!r}: it belongs to an account, and the token is not its own"
            raise JoinRefused("player_name_dup", words)
        place = (
            _numbered(face, number) if number is not None and number <= SEATS else _free(face, name, number)
        )
        if locked(face, place, self.token):
            raise JoinRefused("bad_token", f"seat {place.seat + 1}: it is kept for another token")
        return place.seat


def _empty(place: Place) -> bool:
    return place.kind == OPEN and not place.name


def _numbered(face: Face, number: int) -> Place:
    place = face.places[number - 1]
    if not _empty(place):
        raise JoinRefused("seat_taken", f"playerNumber {number}: that seat is not free")
    return place


def _free(face: Face, name: str, number: int | None) -> Place:
    free = [place for place in face.places if _empty(place)]
    if not free:
        raise JoinRefused("table_full", "no seat is free at this table")
    if any(place.name and place.number == number for place in face.places):
        raise JoinRefused("number_taken", f"playerNumber {number}: somebody at the table has it")
    return next((place for place in free if place.former == name), free[0])
