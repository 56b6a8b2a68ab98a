"""The registered users with their nicks and tokens (spec 4). Only the digest of a token is stored."""

from __future__ import annotations

import secrets
import string
from collections.abc import Mapping
from dataclasses import dataclass, field
from hmac import compare_digest
from math import inf
from typing import Final

from croupier.core.refusal import Refusal
from croupier.games.sagrada.parsing import is_nick
from croupier.wire.identity import Account, fold
from croupier.wire.talk import BOT, PLAYING, Keep, Place, TableInfo, token_digest

_SIGNS: Final = string.ascii_letters + string.digits
_PREFIX: Final = "user "


def fresh_token() -> str:
    """Return a token that cannot be guessed."""
    return "".join(secrets.choice(_SIGNS) for _ in range(20))


@dataclass(slots=True, eq=False)
class User:
    """A registered user; *key* is the form of the nick used for comparison."""

    nick: str
    digest: str = field(repr=False)
    seen: float | None = inf
    """When the last connection of this user ended or, if there was none yet, when `Users.stale` first saw the
    user (inf before that); None while there is a connection."""

    account: bool = False
    """Whether the digest is the id of an account."""

    @property
    def key(self) -> str:
        return self.nick.lower()


class Users:
    """The registered users. A user who is inactive for *ttl* seconds and has no seat is removed."""

    def __init__(self, kept: Mapping[str, str], ttl: float) -> None:
        self._ttl = ttl
        self._known: dict[str, User] = {}
        for name, data in kept.items():
            nick, _, digest = data.partition(" ")
            if name.startswith(_PREFIX) and digest:
                self._known[nick.lower()] = User(nick, digest)

    def get(self, nick: str) -> User | None:
        """Return the user with this nick, or None."""
        return self._known.get(nick.lower())

    def create(self, nick: str, token: str) -> tuple[User, Keep]:
        """Return a new user and the request to store them."""
        user = User(nick, token_digest(token))
        self._known[user.key] = user
        return user, Keep(_PREFIX + user.key, f"{nick} {user.digest}")

    def enrol(self, account: Account) -> User:
        """Return the user for an account; the account itself is stored elsewhere."""
        nick = account.name if is_nick(account.name) else account.key
        user = self._known.get(nick.lower())
        if user is None or user.digest != account.id:
            user = self._known[nick.lower()] = User(nick, account.id, account=True)
        return user

    def holder(self, key: str) -> str | None:
        """Return the digest of the token that reserves the nick with this *key*."""
        held = (user.digest for user in self._known.values() if fold(user.nick) == key and not user.account)
        return next(held, None)

    def kept_as(self, name: str) -> User | None:
        """Return the user stored under *name*."""
        return self._known.get(name.removeprefix(_PREFIX)) if name.startswith(_PREFIX) else None

    def forget(self, user: User) -> Keep:
        """Remove a user; the nick becomes free."""
        if self._known.get(user.key) is user:
            del self._known[user.key]
        return Keep(_PREFIX + user.key, None)

    def stale(self, now: float) -> list[User]:
        """Return the expired users; the time of a user without a connection starts at the first call."""
        gone = [(user, user.seen) for user in self._known.values() if user.seen is not None]
        for user, seen in gone:
            user.seen = min(seen, now)
        return [user for user, seen in gone if now > seen + self._ttl]


def kept_name(user: User) -> str:
    """Return the name under which a user is stored."""
    return _PREFIX + user.key


def owns(user: User, token: str) -> bool:
    """Return True if *token* is the token of the user."""
    return compare_digest(user.digest, token_digest(token))


def place_of(user: User, info: TableInfo) -> Place | None:
    """Return the place of *user* in a running game, or the one reserved for them until one begins."""
    return next(
        (
            place
            for place in info.places
            if (info.phase == PLAYING or not place.connected) and _own(info, place, user.digest, user.nick)
        ),
        None,
    )


def _own(info: TableInfo, place: Place, digest: str, nick: str) -> bool:
    # An account may have taken a seat under the spelling of its name in another protocol.
    same = place.name.lower() == nick.lower() or info.identities.account(digest) is not None
    return (
        place.kind != BOT
        and place.name != ""
        and same
        and compare_digest(info.identities.person(place.token), digest)
    )


@dataclass(frozen=True, slots=True)
class Seat:
    """A user's claim to the seat that they have, or that is reserved for them."""

    name: str
    token: str = field(repr=False)
    digest: str = field(repr=False)
    number: int | None = None
    person: bool = False
    address: str = ""

    def seat(self, info: TableInfo) -> int:
        identities = info.identities
        digest = identities.person(self.digest)
        for place in info.places:
            kept = not place.name and compare_digest(identities.person(place.token), digest)
            if kept or _own(info, place, digest, self.name):
                return place.seat
        raise Refusal("not_yours", "you have no seat at this table")
