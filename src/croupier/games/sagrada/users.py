"""Who is known by which nick and token (spec 4). Only the digest of a token is kept."""

from __future__ import annotations

import secrets
import string
from collections.abc import Mapping
from dataclasses import dataclass, field
from hmac import compare_digest
from math import inf
from typing import Final

from croupier.games.sagrada.fields import is_nick
from croupier.wire.accounts import Account, fold
from croupier.wire.talk import BOT, PLAYING, Face, JoinRefused, Keep, Place, token_digest

_SIGNS: Final = string.ascii_letters + string.digits
_PREFIX: Final = "user "


def fresh_token() -> str:
    """Return a token nobody can guess."""
    return "".join(secrets.choice(_SIGNS) for _ in range(20))


@dataclass(slots=True, eq=False)
class User:
    """Somebody with a nick; *key* is how nicks are compared."""

    nick: str
    digest: str = field(repr=False)
    seen: float | None = inf
    """When the last connection of this user ended or, before there was one, he was first missed (inf: he has
    not been); None while there is one."""

    account: bool = False
    """The digest is the seal of an account."""

    @property
    def key(self) -> str:
        return self.nick.lower()


class Users:
    """The known users. One who has not been seen for *ttl* seconds and plays nowhere is forgotten."""

    def __init__(self, kept: Mapping[str, str], ttl: float) -> None:
        self._ttl = ttl
        self._known: dict[str, User] = {}
        for name, data in kept.items():
            nick, _, digest = data.partition(" ")
            if name.startswith(_PREFIX) and digest:
                self._known[nick.lower()] = User(nick, digest)

    def get(self, nick: str) -> User | None:
        """Return the user called so."""
        return self._known.get(nick.lower())

    def create(self, nick: str, token: str) -> tuple[User, Keep]:
        """Return a new user and how to keep him."""
        user = User(nick, token_digest(token))
        self._known[user.key] = user
        return user, Keep(_PREFIX + user.key, f"{nick} {user.digest}")

    def enrol(self, account: Account) -> User:
        """Return the user that somebody with an account is here; the account is kept elsewhere."""
        nick = account.name if is_nick(account.name) else account.key
        user = self._known.get(nick.lower())
        if user is None or user.digest != account.seal:
            user = self._known[nick.lower()] = User(nick, account.seal, account=True)
        return user

    def holder(self, key: str) -> str | None:
        """Return the digest of the token that a nick is held with which is compared by *key*."""
        held = (user.digest for user in self._known.values() if fold(user.nick) == key and not user.account)
        return next(held, None)

    def kept_as(self, name: str) -> User | None:
        """Return the user who is kept under *name*."""
        return self._known.get(name.removeprefix(_PREFIX)) if name.startswith(_PREFIX) else None

    def forget(self, user: User) -> Keep:
        """Let the nick be free again."""
        if self._known.get(user.key) is user:
            del self._known[user.key]
        return Keep(_PREFIX + user.key, None)

    def stale(self, now: float) -> list[User]:
        """Return the users whose time is up; it starts when they are first missed."""
        gone = [(user, user.seen) for user in self._known.values() if user.seen is not None]
        for user, seen in gone:
            user.seen = min(seen, now)
        return [user for user, seen in gone if now > seen + self._ttl]


def kept_name(user: User) -> str:
    """Return under what a user is kept."""
    return _PREFIX + user.key


def owns(user: User, token: str) -> bool:
    """Say whether *token* is the user's."""
    return compare_digest(user.digest, token_digest(token))


def place_of(user: User, face: Face) -> Place | None:
    """Return where *user* sits in a running game, or where a seat waits for him until one begins."""
    return next(
        (
            place
            for place in face.places
            if (face.phase == PLAYING or not place.connected) and _own(face, place, user.digest, user.nick)
        ),
        None,
    )


def _own(face: Face, place: Place, digest: str, nick: str) -> bool:
    # An account may have sat down under its name as another protocol spells it.
    same = place.name.lower() == nick.lower() or face.register.account(digest) is not None
    return (
        place.kind != BOT
        and place.name != ""
        and same
        and compare_digest(face.register.person(place.token), digest)
    )


@dataclass(frozen=True, slots=True)
class Seat:
    """A user's claim to the seat that he has already, or that is kept for him."""

    name: str
    token: str = field(repr=False)
    """What he has proved with that the digest is his; a session's may have ended since."""
    digest: str = field(repr=False)
    number: int | None = None
    person: bool = False

    def seat(self, face: Face) -> int:
        register = face.register
        digest = register.person(self.digest)
        account = register.account(digest)
        if account is not None and register.holder(self.token) is None:
            register.remember(token_digest(self.token), account)
        for place in face.places:
            kept = not place.name and compare_digest(register.person(place.token), digest)
            if kept or _own(face, place, digest, self.name):
                return place.seat
        raise JoinRefused("not_yours", "no seat of this table is yours")
