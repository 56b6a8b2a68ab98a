"""Whose name is whose: accounts, their sessions, and what names count as the same. Without I/O.

An account marks its seats with its *seal*: a digest that no token has, so that nothing somebody could send
stands for it. A session's token stands for the seal (`Register.person`); everything else that compares
digests of tokens goes on as without accounts. Guests, who have no account, are known by the digest of their
token alone.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from typing import Final

from croupier.wire.talk import token_digest

SHORTEST: Final = 4
LONGEST: Final = 20
"""Letters and digits of an account's name: what the strictest of the protocols takes for a name."""
SHOWN: Final = 24
PASSWORD: Final = (8, 128)

_SIGNS: Final = " -_.'"
_KEY: Final = re.compile(rf"[a-z0-9]{{{SHORTEST},{LONGEST}}}")
_TAKEN: Final = re.compile(
    r"(bot|player|guest|seat|table|user|nobody|dummy)[0-9]*|croupier|house|operator|admin(istrator)?|server|system"
)
_LETTERS: Final = str.maketrans(
    {"đ": "d", "ð": "d", "ł": "l", "ø": "o", "æ": "ae", "œ": "oe", "ı": "i", "þ": "th"}
)
"""Latin letters that have no plain letter in them, as Unicode sees it."""
_WORDS: Final = """
password passwort password1 password12 password123 passw0rd 12345678 123456789 1234567890 11111111
87654321 qwertyui qwertyuiop qwerty123 qwertz123 asdfghjkl iloveyou sunshine princess football baseball
superman starwars trustno1 letmein1 welcome1 whatever computer michelle jennifer internet croupier
abcdefgh abcd1234 00000000 1q2w3e4r 1qaz2wsx zaq12wsx hearts123 coinche123
"""
_COMMON: Final = frozenset(_WORDS.split())


def fold(name: str) -> str:
    """Return what *name* is compared by: its letters and digits, without case, marks and ways of spelling."""
    plain = unicodedata.normalize("NFKD", name).casefold().translate(_LETTERS)
    return "".join(sign for sign in unicodedata.normalize("NFKD", plain) if sign.isalnum())


def name_error(name: str) -> str:
    """Return what is wrong with *name* for an account, or nothing."""
    if len(name) > SHOWN or any(not (sign.isalnum() or sign in _SIGNS) for sign in name):
        return f"name: expected at most {SHOWN} letters, digits, blanks and - _ . '"
    key = fold(name)
    if not _KEY.fullmatch(key):
        return f"name: expected {SHORTEST} to {LONGEST} Latin letters and digits"
    if _TAKEN.fullmatch(key):
        return f"name {name!r}: the house keeps it for itself"
    return ""


def shown_name(raw: str) -> str:
    """Return *raw* in the one way of writing it: composed letters, single blanks, none around it."""
    return " ".join(unicodedata.normalize("NFKC", raw).split())


def password_error(password: str, name: str) -> str:
    """Return what is wrong with *password* for the account *name*, or nothing."""
    least, most = PASSWORD
    if not least <= len(password) <= most:
        return f"password: {len(password)} characters, expected {least} to {most}"
    plain = fold(password)
    if password.lower() in _COMMON or len(set(password)) < 3:
        return "password: that is one of the first everybody would try"
    if plain and plain in (fold(name), fold(name) * 2):
        return "password: it is the name"
    return ""


@dataclass(frozen=True, slots=True)
class Account:
    """Somebody who can prove who he is."""

    name: str
    seal: str = field(repr=False)
    """See the module's head."""
    created: str = ""

    @property
    def key(self) -> str:
        """Return what the name is compared by."""
        return fold(self.name)


class Register:
    """All accounts and their sessions, of which only digests are known."""

    def __init__(self) -> None:
        self._by_key: dict[str, Account] = {}
        self._by_seal: dict[str, Account] = {}
        self._sessions: dict[str, Account] = {}
        self._former: dict[str, Account] = {}
        """Digests of tokens whose sessions have ended: what was taken with them stays the account's."""
        self.used: set[str] = set()
        """The digests of the sessions that were used; whoever writes that down empties it."""

    def admit(self, account: Account) -> None:
        """Add an account, whose name nobody has."""
        self._by_key[account.key] = account
        self._by_seal[account.seal] = account

    def dismiss(self, account: Account) -> None:
        """Forget an account and its sessions."""
        self._by_key.pop(account.key, None)
        self._by_seal.pop(account.seal, None)
        self.end_sessions(account)
        self._former = {digest: whose for digest, whose in self._former.items() if whose is not account}

    def open_session(self, digest: str, account: Account) -> None:
        """From now on the token with this digest stands for *account*."""
        self._sessions[digest] = account

    def remember(self, digest: str, account: Account) -> None:
        """What was taken with the token of this digest is the account's; it stands for nobody any more."""
        self._former[digest] = account

    def end_session(self, digest: str) -> None:
        """From now on the token with this digest stands for nobody."""
        self._sessions.pop(digest, None)
        self._former.pop(digest, None)
        self.used.discard(digest)

    def end_sessions(self, account: Account, but: str = "") -> list[str]:
        """End the sessions of *account* except one; return their digests."""
        ended = [digest for digest, whose in self._sessions.items() if whose is account and digest != but]
        for digest in ended:
            self.end_session(digest)
        return ended

    def holder(self, token: str) -> Account | None:
        """Return whose session *token* is."""
        digest = token_digest(token)
        account = self._sessions.get(digest)
        if account is not None:
            self.used.add(digest)
        return account

    def owner(self, name: str) -> Account | None:
        """Return the account that *name* belongs to, however it is spelt."""
        return self._by_key.get(fold(name))

    def account(self, seal: str) -> Account | None:
        """Return the account with this seal."""
        return self._by_seal.get(seal)

    def person(self, digest: str) -> str:
        """Return who is behind the digest of a token: the seal of an account, or the digest itself."""
        account = self._sessions.get(digest) or self._former.get(digest)
        return account.seal if account is not None else digest

    def seal(self, token: str) -> str:
        """Return what a seat is marked with that is taken with *token*."""
        account = self.holder(token)
        return account.seal if account is not None else token_digest(token)

    def bars(self, name: str, token: str) -> bool:
        """Say whether *name* belongs to an account that *token* is not of."""
        owner = self.owner(name)
        return owner is not None and self.holder(token) is not owner
