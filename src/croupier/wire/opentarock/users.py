"""The users of Tarock and Taroky, identified by a token, or guests; and their claims to seats.

A user who logs in is known by the digest of their token. They are stored (``user <digest>``) when they first
play; until then they are forgotten `UNPLAYED` seconds after their last connection, and one address may have a
limited number of them. Guests are removed when their connection ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import msgspec

from croupier.core.refusal import Refusal
from croupier.wire.frames import write
from croupier.wire.identity import Account, Identities
from croupier.wire.lobby import free_places
from croupier.wire.lookalikes import skeleton
from croupier.wire.opentarock.messages import Data
from croupier.wire.talk import BOT, Keep, Place, TableInfo, token_digest

if TYPE_CHECKING:
    from croupier.wire.opentarock.conversation import RoomConversation
    from croupier.wire.opentarock.room import Room


UNPLAYED: Final = 600.0
"""Seconds for which a user who has never played is known after their last connection."""


@dataclass(slots=True, eq=False)
class User:
    """A user, identified by a token, or a guest."""

    id: str
    nickname: str
    digest: str = field(repr=False)
    token: str = field(default="", repr=False)
    """Known after a login; never stored."""
    guest: bool = False
    kept: bool = True
    """False for a guest, and for a user who has not played yet."""
    address: str = ""
    """The address from which the user was registered, if they are not stored yet."""
    conversation: RoomConversation | None = None
    room: Room | None = None

    def player(self) -> Data:
        return {"user_id": self.id, "nickname": self.nickname}


def _kept(digest: str) -> str:
    return f"user {digest}"


class _Person(msgspec.Struct):
    id: str
    nickname: str


class Users:
    """All users of the lobby of a game."""

    def __init__(self, secret: Callable[[], str], identities: Identities) -> None:
        self._secret = secret
        self._identities = identities
        self.used: set[str] = set()
        """The names under which users are stored who have logged in since this set was last cleared."""
        self._by_digest: dict[str, User] = {}
        self._registered = 0
        self._guests = 0
        self._unplayed: Counter[str] = Counter()
        """The number of users who have not played yet, by the address from which they were registered."""
        self._idle: dict[User, float] = {}
        """Those of them who are not connected, with the time since when; in this order."""

    def recall(self, digest: str, data: str) -> User:
        """Return the user stored as *data*; raise msgspec.DecodeError if it is invalid."""
        person = msgspec.json.decode(data, type=_Person)
        user = self._by_digest[digest] = User(person.id, person.nickname, digest)
        self._registered = max(self._registered, number_of(person.id, "u"))
        return user

    def guest(self) -> User:
        """Return a new guest."""
        self._guests += 1
        return self._add(f"g{self._guests}", f"Guest {self._guests}", guest=True)

    def register(self, nickname: str, address: str, most: int, now: float) -> User:
        """Return a new user, or raise Refusal if *most* from this *address* have not played yet (0: any)."""
        self._forget_idle(now)
        if 0 < most <= self._unplayed[address]:
            words = (
                f"{most} users from your address have not played yet: use their tokens, or try again later"
            )
            raise Refusal("too_many", words)
        self._registered += 1
        user = self._add(f"u{self._registered}", nickname, guest=False)
        user.address = address
        self._unplayed[address] += 1
        return user

    def keep(self, user: User) -> Keep | None:
        """Return the request to store *user*, who is about to play; None if they are a guest or stored."""
        if user.kept or user.guest:
            return None
        self._settle(user)
        user.kept = True
        return self._keep(user)

    def rest(self, user: User, now: float) -> None:
        """Note that the connection of *user* has ended."""
        if not user.kept and user.digest in self._by_digest:
            self._idle[user] = now

    def _forget_idle(self, now: float) -> None:
        for user, since in list(self._idle.items()):
            if now < since + UNPLAYED:
                break
            self.forget(user)

    def _settle(self, user: User) -> None:
        """Stop counting a user who has not played."""
        self._idle.pop(user, None)
        if not user.kept and not user.guest:
            self._unplayed[user.address] -= 1
            if not self._unplayed[user.address]:
                del self._unplayed[user.address]

    def _add(self, id: str, nickname: str, guest: bool) -> User:
        token = self._secret()
        user = User(id, nickname, token_digest(token), token, guest, kept=False)
        self._by_digest[user.digest] = user
        return user

    def known(self, token: str) -> User | None:
        """Return the user with this token, or None."""
        user = self._by_digest.get(self._identities.mark(token))
        if user is None:
            return None
        self._idle.pop(user, None)
        self.used.add(_kept(user.digest))
        user.token = token
        account = self._identities.holder(token)
        if account is not None:  # the operator may have renamed it
            user.nickname = account.name
        if self._identities.bars(user.nickname, token):  # the name now belongs to an account of another user
            user.nickname = f"{user.nickname} (guest)"
        return user

    def enrol(self, account: Account, token: str) -> tuple[User, list[Keep]]:
        """Return the user of *account*, new or known, and the requests to store them."""
        user = next((one for one in self._by_digest.values() if self._is(one, account)), None)
        stale: list[Keep] = []
        if user is not None:  # they were known before they had the account
            self._settle(user)
            user.kept = True
            del self._by_digest[user.digest]
            stale.append(Keep(_kept(user.digest), None))
        else:
            self._registered += 1
            user = User(f"u{self._registered}", account.name, account.id)
        user.nickname, user.digest, user.token = account.name, account.id, token
        self._by_digest[user.digest] = user
        return user, [*stale, self._keep(user)]

    def _is(self, user: User, account: Account) -> bool:
        return not user.guest and self._identities.person(user.digest) == account.id

    def _keep(self, user: User) -> Keep:
        return Keep(_kept(user.digest), write(_Person(user.id, user.nickname)))

    def kept_as(self, name: str) -> User | None:
        """Return the user stored under *name*, or None."""
        kind, _, digest = name.partition(" ")
        return self._by_digest.get(digest) if kind == "user" else None

    def forget(self, user: User) -> None:
        """Remove *user*: their token is no longer valid."""
        if self._by_digest.pop(user.digest, None) is not None:
            self._settle(user)

    def player_at(self, info: TableInfo, place: Place) -> Data:
        """Return the player in *place* for messages: a user, a bot, or a player of another protocol."""
        user = self._by_digest.get(info.identities.person(place.token)) if place.kind != BOT else None
        if user is not None:
            return user.player()
        kind = "bot" if place.kind == BOT else "seat"
        return {"user_id": f"{kind}-{info.id}-{place.seat}", "nickname": place.name}


def number_of(id: str, letter: str) -> int:
    """Return the number in an id like ``u12``; 0 if it has another form."""
    digits = id.removeprefix(letter)
    return int(digits) if digits.isascii() and digits.isdigit() else 0


@dataclass(frozen=True, slots=True)
class _Seat:
    """A claim of a user with a token."""

    name: str
    token: str = field(repr=False)
    number: int | None = None
    person: bool = True
    address: str = ""


class OwnSeat(_Seat):
    """The claim of a member to the seat that is reserved for their token, or that they already have."""

    __slots__ = ()

    def seat(self, info: TableInfo) -> int:
        place = place_of(info, info.identities.mark(self.token))
        if place is None:
            raise Refusal("not_in_room", "no seat of this table is yours")
        return place.seat


class AnySeat(_Seat):
    """The claim of a user to a free seat of a table that waits for players."""

    __slots__ = ()

    def seat(self, info: TableInfo) -> int:
        place = place_of(info, info.identities.mark(self.token))
        if place is None:
            place = next(iter(free_places(info)), None)
        if place is None:
            raise Refusal("room_full", "no seat of this table is free")
        return place.seat


def place_of(info: TableInfo, digest: str) -> Place | None:
    """Return the place that belongs to the token, or to the account, with this digest."""
    person = info.identities.person
    return next(
        (place for place in info.places if place.kind != BOT and person(place.token) == person(digest)), None
    )


def seat_name(user: User, info: TableInfo, before: Iterable[User] = ()) -> str:
    """Return the name of *user* at a table: the nickname, with a number if another player or one of *before*
    has it or one that looks the same."""
    person = info.identities.person
    others = [place.name for place in info.places if person(place.token) != person(user.digest)]
    others += [seat_name(other, info) for other in before]
    taken = {skeleton(other) for other in others}
    name = user.nickname
    number = 2
    while skeleton(name) in taken:
        name = f"{user.nickname} ({number})"
        number += 1
    return name
