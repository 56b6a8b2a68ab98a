"""Accounts, their sessions, and which names are considered equal. Without I/O.

The seats of an account are marked with its *id*. It has the form of a token's digest, but no token has this
digest, so clients cannot send it. The token of a session is mapped to the id (`Identities.person`);
everything else compares digests of tokens as without accounts. Guests have no account and are identified by
the digest of their token.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from hmac import digest as keyed_digest
from typing import Final, Protocol

import msgspec

from croupier.wire.lookalikes import skeleton
from croupier.wire.measures import BAN, Measure, Measures, Notice
from croupier.wire.talk import Conversation, token_digest

SHORTEST: Final = 4
LONGEST: Final = 20
"""The minimum and maximum number of letters and digits in the name of an account, which every protocol
accepts.
"""
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
"""Latin letters that Unicode does not decompose to plain letters."""
_WORDS: Final = """
password passwort password1 password12 password123 passw0rd 12345678 123456789 1234567890 11111111
87654321 qwertyui qwertyuiop qwerty123 qwertz123 asdfghjkl iloveyou sunshine princess football baseball
superman starwars trustno1 letmein1 welcome1 whatever computer michelle jennifer internet croupier
abcdefgh abcd1234 00000000 1q2w3e4r 1qaz2wsx zaq12wsx hearts123 coinche123
"""
_COMMON: Final = frozenset(_WORDS.split())


def fold(name: str) -> str:
    """Return *name* as it is compared: its letters and digits, without case, accents and variants."""
    plain = unicodedata.normalize("NFKD", name).casefold().translate(_LETTERS)
    return "".join(sign for sign in unicodedata.normalize("NFKD", plain) if sign.isalnum())


def looks(name: str) -> set[str]:
    """Return what *name* looks like, as it is written and in lower case: names that share one look alike."""
    lower = unicodedata.normalize("NFKD", name).casefold()
    return {fold(skeleton(name)), fold(skeleton(lower))} - {""}


def alike(one: str, other: str) -> bool:
    """Return True if two names are equal as they are compared, or look alike."""
    return fold(one) == fold(other) != "" or one == other or not looks(one).isdisjoint(looks(other))


def name_error(name: str) -> str:
    """Return what is wrong with *name* for an account, or an empty string."""
    if len(name) > SHOWN or any(not (sign.isalnum() or sign in _SIGNS) for sign in name):
        return f"name: expected at most {SHOWN} letters, digits, spaces and - _ . '"
    key = fold(name)
    if not _KEY.fullmatch(key):
        return f"name: expected {SHORTEST} to {LONGEST} Latin letters and digits"
    if _TAKEN.fullmatch(key) or not looks(name).isdisjoint(_HOUSE):
        return f"name {name!r}: this name is reserved"
    return ""


def shown_name(raw: str) -> str:
    """Return *raw* normalised: composed letters, single spaces, no surrounding space."""
    return " ".join(unicodedata.normalize("NFKC", raw).split())


def password_error(password: str, name: str) -> str:
    """Return what is wrong with *password* for the account *name*, or an empty string."""
    least, most = PASSWORD
    if not least <= len(password) <= most:
        return f"password: {len(password)} characters, expected {least} to {most}"
    plain = fold(password)
    if password.lower() in _COMMON or len(set(password)) < 3:
        return "password: too easy to guess"
    if plain and plain in (fold(name), fold(name) * 2):
        return "password: it must differ from the name"
    return ""


_HOUSE: Final = frozenset(
    look for name in ("croupier", "operator", "admin", "administrator") for look in looks(name)
)
"""What the reserved names look like."""


@dataclass(frozen=True, slots=True)
class Account:
    """A name with a password."""

    name: str
    id: str = field(repr=False)
    """Marks the account's seats (see the module docstring)."""
    created: str = ""

    @property
    def key(self) -> str:
        """Return the name as it is compared."""
        return fold(self.name)


class Connection(Hashable, Protocol):
    """A connection of a client."""

    @property
    def conversation(self) -> Conversation: ...
    def revoke(self) -> None:
        """End the connection: the session has ended."""
        ...

    def expel(self, key: str, words: str) -> None:
        """End the connection by order of the operator; *key* is ``banned`` or ``removed``."""
        ...

    def announce(self) -> None:
        """Tell the client about the announced restart, or that it has been cancelled."""
        ...


class Identities:
    """All accounts and their sessions, by name and by the digests of tokens."""

    def __init__(self) -> None:
        self.address_key = b""
        """The key of `address_mark`: random, and kept in the database."""
        self._by_key: dict[str, Account] = {}
        self._by_id: dict[str, Account] = {}
        self._by_look: dict[str, Account] = {}
        """The accounts by each of the `looks` of their names. If accounts from before version 0.3 look alike,
        it has the first.
        """
        self._sessions: dict[str, Account] = {}
        self._former: dict[str, Account] = {}
        """Digests of tokens whose sessions have ended: seats taken with them still belong to the account."""
        self.used: set[str] = set()
        """The digests of the sessions that were used since this set was last cleared."""
        self._connections: dict[str, dict[Connection, None]] = {}
        """All connections, by the digests of their tokens and by the marks of their addresses."""
        self.measures = Measures()
        self.told: Callable[[list[str]], None] | None = None
        """Called with every change, in the form that `repeat` accepts."""
        self.on_notice: Callable[[], None] = lambda: None
        """Called when a restart has been announced, or its announcement withdrawn."""

    def admit(self, account: Account) -> None:
        """Add an account, whose name must be free."""
        self._tell("admit", account.name, account.id, account.created)
        self._by_key[account.key] = account
        self._by_id[account.id] = account
        for look in looks(account.name):
            self._by_look.setdefault(look, account)

    def dismiss(self, account: Account) -> None:
        """Remove an account and its sessions."""
        self._tell("dismiss", account.id)
        self._by_key.pop(account.key, None)
        self._by_id.pop(account.id, None)
        self.end_sessions(account)
        self._look_again()
        self._former = {digest: whose for digest, whose in self._former.items() if whose is not account}

    def rename(self, account: Account, name: str) -> Account:
        """Give an account another name, which must be free; return the account as it is now."""
        renamed = Account(name, account.id, account.created)
        sessions = {digest for digest, whose in self._sessions.items() if whose is account}
        former = {digest for digest, whose in self._former.items() if whose is account}
        self._tell("rename", account.id, name)
        del self._by_key[account.key]
        self._by_id[account.id] = self._by_key[renamed.key] = renamed
        self._sessions.update(dict.fromkeys(sessions, renamed))
        self._former.update(dict.fromkeys(former, renamed))
        self._look_again()
        return renamed

    def _look_again(self) -> None:
        self._by_look = {}
        for account in self._by_id.values():
            for look in looks(account.name):
                self._by_look.setdefault(look, account)

    # Orders of the operator.

    def impose(self, measure: Measure) -> None:
        """Put a measure in force; a ban ends the connections of those it applies to."""
        self._tell("impose", msgspec.json.encode(measure).decode())
        self.measures.put(measure)
        if measure.kind == BAN:
            for connection in self.connections(measure.marks):
                connection.expel("banned", measure.words)

    def lift(self, id: str) -> None:
        """End the measure with this id."""
        self._tell("lift", id)
        self.measures.lift(id)

    def announce(self, notice: Notice | None) -> None:
        """Tell every client about a restart, or that it will not take place."""
        self._tell("notice", msgspec.json.encode(notice).decode())
        self.measures.notice = notice
        for connection in self.everyone():
            connection.announce()
        self.on_notice()

    def everyone(self) -> list[Connection]:
        """Return the connections of all clients."""
        return list({one: None for some in self._connections.values() for one in some})

    def connections(self, marks: Iterable[str]) -> list[Connection]:
        """Return the connections of accounts with these ids and from addresses with these marks."""
        wanted = set(marks)
        found = {
            one: None
            for mark, some in self._connections.items()
            if self.person(mark) in wanted
            for one in some
        }
        return list(found)

    # Sessions.

    def open_session(self, digest: str, account: Account) -> None:
        """Add a session of *account* whose token has this digest."""
        self._tell("open", digest, account.id)
        self._sessions[digest] = account

    def remember(self, digest: str, account: Account) -> None:
        """Add an ended session of *account*: seats taken with its token still belong to the account."""
        self._tell("remember", digest, account.id)
        self._former[digest] = account

    def end_session(self, digest: str) -> None:
        """Remove the session whose token has this digest, and end its connections."""
        self._tell("end", digest)
        self._sessions.pop(digest, None)
        self._former.pop(digest, None)
        self.used.discard(digest)
        for connection in list(self._connections.pop(digest, ())):
            connection.revoke()

    def _tell(self, *change: str) -> None:
        if self.told is not None:
            self.told(list(change))

    def repeat(self, change: Sequence[str]) -> None:
        """Apply a change that another server has announced."""
        told, self.told = self.told, None
        try:
            match change:
                case "admit", name, id, created if id not in self._by_id:
                    self.admit(Account(name, id, created))
                case "dismiss", id if id in self._by_id:
                    self.dismiss(self._by_id[id])
                case "open", digest, id if id in self._by_id:
                    self.open_session(digest, self._by_id[id])
                case "remember", digest, id if id in self._by_id:
                    self.remember(digest, self._by_id[id])
                case "end", digest:
                    self.end_session(digest)
                case "rename", id, name if id in self._by_id:
                    self.rename(self._by_id[id], name)
                case "impose", measure:
                    self.impose(msgspec.json.decode(measure, type=Measure))
                case "lift", id:
                    self.lift(id)
                case "notice", notice:
                    self.announce(msgspec.json.decode(notice, type=Notice | None))
        finally:
            self.told = told

    def known(self) -> tuple[set[str], set[str], set[str]]:
        """Return the ids of all accounts, the digests of all sessions, and those of ended ones."""
        return set(self._by_id), set(self._sessions), set(self._former)

    def attach(self, digest: str, connection: Connection) -> None:
        """Note that *connection* uses the token with this digest."""
        self._connections.setdefault(digest, {})[connection] = None

    def detach(self, digest: str, connection: Connection) -> None:
        """Note that *connection*, which used the token with this digest, has ended."""
        others = self._connections.get(digest)
        if others is not None:
            others.pop(connection, None)
            if not others:
                del self._connections[digest]

    def end_sessions(self, account: Account, but: str = "") -> list[str]:
        """End the sessions of *account* except one; return their digests."""
        ended = [digest for digest, whose in self._sessions.items() if whose is account and digest != but]
        for digest in ended:
            self.end_session(digest)
        return ended

    def holder(self, token: str) -> Account | None:
        """Return the account whose session has *token*, or None."""
        digest = token_digest(token)
        account = self._sessions.get(digest)
        if account is not None:
            self.used.add(digest)
        return account

    def owner(self, name: str) -> Account | None:
        """Return the account to which *name* belongs, in any spelling that counts as equal, or None."""
        return self._by_key.get(fold(name))

    def resembled(self, name: str) -> Account | None:
        """Return an account whose name looks like *name* but is not equal to it, or None."""
        if self.owner(name) is not None:
            return None
        return next((self._by_look[look] for look in looks(name) if look in self._by_look), None)

    def account(self, id: str) -> Account | None:
        """Return the account with this id, or None."""
        return self._by_id.get(id)

    def person(self, digest: str) -> str:
        """Return the id of the account to which the token with *digest* belongs, else the digest itself."""
        account = self._sessions.get(digest) or self._former.get(digest)
        return account.id if account is not None else digest

    def mark(self, token: str) -> str:
        """Return the mark of a seat taken with *token*: the id of its account, or the digest of the token."""
        account = self.holder(token)
        return account.id if account is not None else token_digest(token)

    def address_mark(self, address: str) -> str:
        """Return the keyed digest under which an address is stored; empty for no address."""
        if not address:
            return ""
        return keyed_digest(self.address_key, address.encode("utf-8", "surrogatepass"), "sha256").hex()

    def owners(self, address: str, tokens: Iterable[str] = ()) -> list[str]:
        """Return the marks under which what a client opens is counted: those of its address and its account.

        *tokens* are the digests of the tokens that the client has sent.
        """
        people = [self.person(digest) for digest in tokens]
        marks = [self.address_mark(address), *(one for one in people if one in self._by_id)]
        return [mark for mark in marks if mark]

    def bars(self, name: str, token: str) -> bool:
        """Return True if *name* is that of an account, or looks like it, and *token* is not its session."""
        owner = self.owner(name) or self.resembled(name)
        return owner is not None and self.holder(token) is not owner
