"""Accounts: creation, deletion, login, logout, passwords.

`Identities`, which wires and tables read, always equals what is stored: it changes after the database.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from collections.abc import Awaitable, Callable, Container, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final, TypeAlias

from croupier.accounts.passwords import Passwords
from croupier.accounts.rows import AccountRow, SessionRow
from croupier.accounts.store import AccountStore
from croupier.core.refusal import Refusal
from croupier.store.api import StoreConflict
from croupier.table.tables import clock_text
from croupier.wire.identity import Account, Identities, fold, looks, name_error, password_error, shown_name
from croupier.wire.talk import token_digest
from croupier.wire.token_bucket import TokenBuckets

SESSION_DAYS: Final = 180
"""A token expires after this many days without use."""
CODES: Final = 4
"""How many recovery codes a new account has, of 64 bits each."""
MOST_SESSIONS: Final = 50
"""Sessions per account; beyond this number the least recently used ones are ended."""
MOST_ADDRESSES: Final = 20
"""How many addresses from which an account was logged in to are remembered; the oldest are dropped."""
GUEST_TOKEN: Final = (20, 256)
"""An account can take over the seats of a guest token with at least this many characters; shorter tokens
may be shared by several players."""

HOUR: Final = 3600.0
WINDOW: Final = 600.0


_Try: TypeAlias = tuple[TokenBuckets, object, str]
"""A limit of attempts, the key under which they are counted, and what is counted, in words."""


class Accounts:
    """All accounts of a server."""

    def __init__(
        self,
        store: AccountStore,
        identities: Identities,
        held: Callable[[str], Sequence[str]],
        leaves: Callable[[Account], Awaitable[None]],
    ) -> None:
        """*held(key)* returns the digests of the tokens that reserve a name in lobbies and tournaments.

        *leaves(account)* withdraws an account that is about to be deleted from tournaments.
        """
        self.store = store
        self.identities = identities
        self._held = held
        self._leaves = leaves
        self._passwords = Passwords()
        self._made = TokenBuckets(20, 20 / HOUR)
        self._failed_there = TokenBuckets(5, 5 / WINDOW)
        """By name and address."""
        self._failed_address = TokenBuckets(30, 30 / WINDOW)
        self._failed_name = TokenBuckets(100, 100 / WINDOW)
        """By name, for all addresses from which no one has logged in to that account before."""
        self._known: dict[str, dict[str, None]] = {}
        """The addresses from which an account was logged in to, oldest first, by the id of the account."""
        self._making: set[str] = set()
        """Keys and looks of the names of accounts that are being created."""
        self._settling = asyncio.Lock()
        """Held from the last check of a password until the operation that it permits is complete."""

    async def open(self) -> None:
        """Read the stored accounts and sessions; remove expired sessions."""
        known: dict[str, Account] = {}
        for row in await self.store.accounts():
            known[row.id] = Account(row.name, row.id, row.created)
            self.identities.admit(known[row.id])
        edge = _days_ago(SESSION_DAYS)
        for session in await self.store.sessions():
            if session.account in known and session.used >= edge:
                self._admit(session, known[session.account])
        for id, address in await self.store.addresses():
            self._known.setdefault(id, {})[address] = None
        await self._expire()

    async def refresh(self) -> None:
        """Read again what another server has changed."""
        accounts, sessions, former = self.identities.known()
        rows = {row.id: row for row in await self.store.accounts()}
        for id in accounts - set(rows):
            self.identities.repeat(["dismiss", id])
        for id, row in rows.items():
            self.identities.repeat(["admit", row.name, id, row.created])
        edge = _days_ago(SESSION_DAYS)
        kept = [row for row in await self.store.sessions() if row.used >= edge]
        over = {row.digest for row in kept if row.ended}
        for digest in (sessions | former) - {row.digest for row in kept} | sessions & over:
            self.identities.repeat(["end", digest])
        for session in kept:
            what = "remember" if session.ended else "open"
            self.identities.repeat([what, session.digest, session.account])

    async def forget_unused(self) -> None:
        """Store which sessions were used, and remove expired ones."""
        await self.note_use()
        await self._expire()

    async def note_use(self) -> None:
        """Store which sessions were used since the last time."""
        used = set(self.identities.used)
        if used:
            await self.store.use_sessions(used, clock_text())
            self.identities.used -= used

    def close(self) -> None:
        """Stop the threads for passwords."""
        self._passwords.close()

    async def _expire(self) -> None:
        edge = _days_ago(SESSION_DAYS)
        old = [row.digest for row in await self.store.sessions() if row.used < edge]
        old = [digest for digest in old if digest not in self.identities.used]
        if old:
            await self.store.forget_sessions(old)
            for digest in old:
                self.identities.end_session(digest)

    # Operations of users.

    async def create(
        self, raw: str, password: str, guest: str, address: str
    ) -> tuple[Account, str, list[str]]:
        """Create an account; return it, the token of its first session and its recovery codes.

        *guest* is the token that was used until now, if any: seats and names that were taken with it belong
        to the account from now on.
        """
        name = self.check_name(raw)
        wrong = password_error(password, name)
        if wrong:
            raise Refusal("bad_password", wrong)
        self._check_guest(guest)
        key, shown = fold(name), looks(name)
        if any(digest != token_digest(guest) for digest in self._held(key)):
            words = f"name {name!r}: another player uses it; to keep it, send the token it was taken with"
            raise Refusal("name_taken", words)
        self._slow_down(self._made, address, "accounts from your address")
        self._made.take(address, _now())
        making = {key, *shown}
        self._making |= making
        try:
            hashed = await self._passwords.hash(password)
            account = Account(name, secrets.token_hex(32), clock_text())
            await self.store.add_account(AccountRow(account.id, key, name, hashed, account.created))
        except StoreConflict:
            raise Refusal("name_taken", f"name {name!r}: there is already an account with it") from None
        finally:
            self._making -= making
        self.identities.admit(account)
        await self._remember(account, address)
        codes = ["-".join(re.findall("....", secrets.token_hex(8))) for _ in range(CODES)]
        await self.store.put_codes(account.id, map(_code_digest, codes))
        return account, await self._begin(account, guest), codes

    def check_name(self, raw: str) -> str:
        """Return the name in *raw* if a new account may have it, or raise Refusal."""
        name = shown_name(raw)
        wrong = name_error(name)
        if wrong:
            raise Refusal("bad_name", wrong)
        if self.identities.owner(name) is not None or fold(name) in self._making:
            raise Refusal("name_taken", f"name {name!r}: there is already an account with it")
        if self.identities.resembled(name) is not None or not self._making.isdisjoint(looks(name)):
            words = f"name {name!r}: it looks like the name of another account: choose another one"
            raise Refusal("name_taken", words)
        return name

    async def rename(self, account: Account, raw: str) -> Account:
        """Give an account another name, by order of the operator; its sessions continue."""
        name = self.check_name(raw)
        making = {fold(name), *looks(name)}
        self._making |= making
        try:
            async with self._settling:
                await self.store.rename(account.id, fold(name), name)
                return self.identities.rename(account, name)
        except StoreConflict:
            raise Refusal("name_taken", f"name {name!r}: there is already an account with it") from None
        finally:
            self._making -= making

    async def recover(self, name: str, code: str, password: str, address: str) -> tuple[Account, str]:
        """Set a new password with a recovery code, which is used up; all sessions end except a new one."""
        wrong = password_error(password, shown_name(name))
        if wrong:
            raise Refusal("bad_password", wrong)
        account = self.identities.owner(name)
        tries = self._attempts(account, fold(name), address)
        hashed = await self._passwords.hash(password)
        async with self._settling:
            digest = _code_digest(code)
            if account is not None:  # a refusal does not use up the code
                self.identities.measures.check_ban([account.id])
            if account is None or not await self.store.take_code(account.id, digest):
                raise Refusal("bad_login", "wrong name or recovery code")
            self._put_back(tries)
            await self.store.change_password(account.id, hashed)
            await self._end_others(account, "")
            await self._remember(account, address)
            return account, await self._begin(account, "")

    async def login(self, name: str, password: str, guest: str, address: str) -> tuple[Account, str]:
        """Check name and password; return the account and the token of a new session."""
        self._check_guest(guest)
        account = self.identities.owner(name)
        kept = await self._prove(account, fold(name), password, address)
        assert account is not None
        self.identities.measures.check_ban([account.id])
        async with self._settling:
            await self._check_unchanged(account, kept)
            await self._remember(account, address)
            return account, await self._begin(account, guest)

    async def logout(self, token: str) -> None:
        """End a session."""
        digest = token_digest(token)
        await self.store.forget_sessions([digest])
        self.identities.end_session(digest)

    async def change_password(self, account: Account, token: str, old: str, new: str, address: str) -> None:
        """Replace the password, and end all sessions except the one of *token*."""
        wrong = password_error(new, account.name)
        if wrong:
            raise Refusal("bad_password", wrong)
        kept = await self._prove(account, account.key, old, address)
        hashed = await self._passwords.hash(new)
        async with self._settling:
            await self._check_unchanged(account, kept)
            await self.store.change_password(account.id, hashed)
            await self._end_others(account, token_digest(token))

    async def forget(self, account: Account, password: str, address: str) -> None:
        """Delete an account: its name becomes free; finished matches still show the name."""
        kept = await self._prove(account, account.key, password, address)
        async with self._settling:
            await self._check_unchanged(account, kept)
            await self._leaves(account)
            await self.store.forget_account(account.id)
            self._known.pop(account.id, None)
            self.identities.dismiss(account)

    # Implementation.

    async def _end_others(self, account: Account, but: str) -> None:
        """End the sessions of *account* except the one with the digest *but*; it keeps its seats."""
        ended = set(self.identities.end_sessions(account, but=but))
        for row in await self.store.sessions(account.id):
            if row.digest in ended:
                self.identities.remember(row.digest, account)
                await self.store.put_session(replace(row, ended=True))

    def _attempts(self, account: Account | None, key: str, address: str) -> list[_Try]:
        """Count an attempt to log in before its result is known; refuse it if there were too many.

        Failures from elsewhere do not count for an address from which the account was logged in to before:
        nobody can lock its owner out.
        """
        tries: list[_Try] = [
            (self._failed_there, (key, address), "failed logins"),
            (self._failed_address, address, "failed logins from your address"),
        ]
        known = self._known.get(account.id, {}) if account is not None else {}
        if self.identities.address_mark(address) not in known:
            tries.append((self._failed_name, key, "failed logins with this name"))
        for attempts, by, what in tries:
            self._slow_down(attempts, by, what)
        for attempts, by, _ in tries:
            attempts.take(by, _now())
        return tries

    def _put_back(self, tries: list[_Try]) -> None:
        """Forget an attempt that succeeded."""
        for attempts, by, _ in tries:
            attempts.put_back(by)

    async def _prove(self, account: Account | None, key: str, password: str, address: str) -> str:
        """Raise Refusal unless *password* is the account's; an unknown name is refused in the same way.

        Return the hash that was checked: the stored hash may have changed in the meantime.
        """
        tries = self._attempts(account, key, address)
        row = await self.store.account(account.id) if account is not None else None
        kept = row.password if row is not None else None
        fits = await self._passwords.fits(kept, password)
        if not fits:
            raise Refusal("bad_login", "wrong name or password")
        self._put_back(tries)
        assert kept is not None
        assert account is not None
        if self._passwords.outdated(kept):
            hashed = await self._passwords.hash(password)
            async with self._settling:
                await self._check_unchanged(account, kept)
                await self.store.change_password(account.id, hashed)
            kept = hashed
        return kept

    async def _check_unchanged(self, account: Account, kept: str) -> None:
        row = await self.store.account(account.id)
        if row is None:
            raise Refusal("bad_login", "this account has just been deleted")
        if row.password != kept:
            raise Refusal("busy", "the password has just been changed: try again", 1.0)

    async def _remember(self, account: Account, address: str) -> None:
        """Store that *account* was logged in to from *address*."""
        mark = self.identities.address_mark(address)
        known = self._known.setdefault(account.id, {})
        if mark not in known:
            known[mark] = None
            dropped = next(iter(known)) if len(known) > MOST_ADDRESSES else None
            if dropped is not None:
                del known[dropped]
            await self.store.put_address(account.id, mark, dropped)

    async def _begin(self, account: Account, guest: str) -> str:
        token = secrets.token_urlsafe(32)
        when = clock_text()
        rows = [SessionRow(token_digest(token), account.id, when, when)]
        before = token_digest(guest)
        if guest and self.identities.person(before) == before:
            rows.append(SessionRow(before, account.id, when, when))
        for row in rows:
            await self.store.put_session(row)
            self._admit(row, account)
        await self._make_room(account, {row.digest for row in rows})
        return token

    def _admit(self, row: SessionRow, account: Account) -> None:
        (self.identities.remember if row.ended else self.identities.open_session)(row.digest, account)

    async def _make_room(self, account: Account, fresh: Container[str]) -> None:
        """End the least recently used sessions if there are too many, except the *fresh* ones."""
        await self.note_use()
        own = await self.store.sessions(account.id)
        if len(own) > MOST_SESSIONS:
            own.sort(key=lambda row: (row.digest in fresh, row.used, row.created))
            ended = [row.digest for row in own[: len(own) - MOST_SESSIONS]]
            await self.store.forget_sessions(ended)
            for digest in ended:
                self.identities.end_session(digest)

    def _check_guest(self, guest: str) -> None:
        least, most = GUEST_TOKEN
        if guest and not least <= len(guest) <= most:
            raise Refusal("bad_token", f"guest: {len(guest)} characters, expected {least} to {most}")

    def _slow_down(self, attempts: TokenBuckets, by: object, what: str) -> None:
        wait = attempts.wait(by, _now())
        if wait > 0:
            raise Refusal("too_many", f"too many {what}: try again in {_shown(wait)}", wait)


def _code_digest(code: str) -> str:
    """Return the digest under which a recovery code is stored; dashes, spaces and case do not matter."""
    return token_digest(re.sub("[^0-9a-z]", "", code.lower()))


def _now() -> float:
    return time.monotonic()


def _shown(seconds: float) -> str:
    return f"{seconds / 60:.0f} minutes" if seconds > 90 else f"{seconds:.0f} seconds"


def _days_ago(days: int) -> str:
    return (datetime.now(UTC) - timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%SZ")
