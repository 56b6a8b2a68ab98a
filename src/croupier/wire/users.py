"""Who speaks the command family: users known by a token, guests, and the seats they claim.

A user who logs in is kept by the digest of his token (``user <digest>``); the token itself is only his.
Guests are forgotten with their connection.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec

from croupier.wire.accounts import Account, Register
from croupier.wire.desk import DeskConversation
from croupier.wire.frames import write
from croupier.wire.messages import Data
from croupier.wire.talk import BOT, GATHERING, OPEN, Face, JoinRefused, Keep, Output, Place, token_digest

if TYPE_CHECKING:
    from croupier.wire.room import Room


class Member(DeskConversation):
    """A connection as the lobby sees it."""

    def event(self, name: str, fields: Data) -> list[Output]:
        """Return how to tell this client of an event."""
        raise NotImplementedError

    def failed(self, command: str, code: str, words: str) -> list[Output]:
        """Return how to tell this client that something it was promised went wrong."""
        raise NotImplementedError


@dataclass(slots=True, eq=False)
class User:
    """Somebody: known by a token, or a guest."""

    id: str
    nickname: str
    digest: str = field(repr=False)
    token: str = field(default="", repr=False)
    """Known from a login on; never kept."""
    guest: bool = False
    conversation: Member | None = None
    room: Room | None = None

    def player(self) -> Data:
        return {"user_id": self.id, "nickname": self.nickname}


def _kept(digest: str) -> str:
    return f"user {digest}"


class _Person(msgspec.Struct):
    id: str
    nickname: str


class Users:
    """Everybody the desk of a game knows."""

    def __init__(self, secret: Callable[[], str], register: Register) -> None:
        self._secret = secret
        self._register = register
        self.used: set[str] = set()
        """Under what users are kept who came since somebody asked."""
        self._by_digest: dict[str, User] = {}
        self._registered = 0
        self._guests = 0

    def recall(self, digest: str, data: str) -> User:
        """Return the user who was kept as *data*; msgspec.DecodeError if that is none."""
        person = msgspec.json.decode(data, type=_Person)
        user = self._by_digest[digest] = User(person.id, person.nickname, digest)
        self._registered = max(self._registered, number_of(person.id, "u"))
        return user

    def guest(self) -> User:
        """Return a new user who will be forgotten."""
        self._guests += 1
        return self._add(f"g{self._guests}", f"Guest {self._guests}", guest=True)

    def register(self, nickname: str) -> tuple[User, Keep]:
        """Return a new user and how to keep him."""
        self._registered += 1
        user = self._add(f"u{self._registered}", nickname, guest=False)
        return user, self._keep(user)

    def _add(self, id: str, nickname: str, guest: bool) -> User:
        token = self._secret()
        user = User(id, nickname, token_digest(token), token, guest)
        self._by_digest[user.digest] = user
        return user

    def known(self, token: str) -> User | None:
        """Return the user with this token."""
        user = self._by_digest.get(self._register.seal(token))
        if user is None:
            return None
        self.used.add(_kept(user.digest))
        user.token = token
        if self._register.bars(user.nickname, token):  # somebody has an account of this name by now
            user.nickname = f"{user.nickname} (guest)"
        return user

    def expired(self, user: User) -> bool:
        """Say whether *user* has come by a session of an account that has ended since."""
        return self._register.seal(user.token) != self._register.person(user.digest)

    def enrol(self, account: Account, token: str) -> tuple[User, list[Keep]]:
        """Return the user that somebody with an account is here, and how to keep him."""
        user = next((one for one in self._by_digest.values() if self._is(one, account)), None)
        stale: list[Keep] = []
        if user is not None:  # he has come before he had the account
            del self._by_digest[user.digest]
            stale.append(Keep(_kept(user.digest), None))
        else:
            self._registered += 1
            user = User(f"u{self._registered}", account.name, account.seal)
        user.nickname, user.digest, user.token = account.name, account.seal, token
        self._by_digest[user.digest] = user
        return user, [*stale, self._keep(user)]

    def _is(self, user: User, account: Account) -> bool:
        return not user.guest and self._register.person(user.digest) == account.seal

    def _keep(self, user: User) -> Keep:
        return Keep(_kept(user.digest), write(_Person(user.id, user.nickname)))

    def kept_as(self, name: str) -> User | None:
        """Return the user who is kept under *name*."""
        kind, _, digest = name.partition(" ")
        return self._by_digest.get(digest) if kind == "user" else None

    def forget(self, user: User) -> None:
        """Nobody will come back with this user's token."""
        self._by_digest.pop(user.digest, None)

    def player_at(self, face: Face, place: Place) -> Data:
        """Return whoever sits in *place* as a player: a user, a bot, somebody from elsewhere."""
        user = self._by_digest.get(face.register.person(place.token)) if place.kind != BOT else None
        if user is not None:
            return user.player()
        kind = "bot" if place.kind == BOT else "seat"
        return {"user_id": f"{kind}-{face.id}-{place.seat}", "nickname": place.name}


def number_of(id: str, letter: str) -> int:
    """Return the number in an id like ``u12``, 0 if it is another one."""
    digits = id.removeprefix(letter)
    return int(digits) if digits.isascii() and digits.isdigit() else 0


@dataclass(frozen=True, slots=True)
class _Seat:
    """A claim of somebody known by his token."""

    name: str
    token: str = field(repr=False)
    number: int | None = None
    person: bool = True


class OwnSeat(_Seat):
    """The claim of a member to the seat that is kept for his token, or that he has already."""

    __slots__ = ()

    def seat(self, face: Face) -> int:
        place = place_of(face, face.register.seal(self.token))
        if place is None:
            raise JoinRefused("not_yours", "no seat of this table is yours")
        return place.seat


class AnySeat(_Seat):
    """The claim of somebody from the lobby to a free seat of a table that waits for players."""

    __slots__ = ()

    def seat(self, face: Face) -> int:
        place = place_of(face, face.register.seal(self.token))
        if place is None:
            place = next(iter(free_places(face)), None)
        if place is None:
            raise JoinRefused("room_full", "no seat of this table is free")
        return place.seat


def place_of(face: Face, digest: str) -> Place | None:
    """Return the place that belongs to the token, or to the account, with this digest."""
    person = face.register.person
    return next(
        (place for place in face.places if place.kind != BOT and person(place.token) == person(digest)), None
    )


def free_places(face: Face) -> list[Place]:
    """Return the places of a table that anybody may take."""
    if face.phase != GATHERING:
        return []
    return [place for place in face.places if place.kind == OPEN and not place.name and not place.token]


def seat_name(user: User, face: Face, before: Iterable[User] = ()) -> str:
    """Return what *user* is called at a table: his nickname, unless somebody there or *before* has it."""
    person = face.register.person
    taken = {place.name for place in face.places if person(place.token) != person(user.digest)}
    for other in before:
        taken.add(seat_name(other, face))
    name = user.nickname
    number = 2
    while name in taken:
        name = f"{user.nickname} ({number})"
        number += 1
    return name
