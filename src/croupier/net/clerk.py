"""Who may call himself what: makes accounts, checks passwords, gives out tokens and takes them back.

The register, which wires and tables read, is always what is on disk: it changes when the store has.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final

from croupier.net.limits import Attempts
from croupier.net.passwords import Passwords, TooBusy
from croupier.store.api import Store, StoreConflict
from croupier.store.people import AccountRow, SessionRow
from croupier.table.hall import clock_text
from croupier.wire.accounts import Account, Register, fold, name_error, password_error, shown_name
from croupier.wire.talk import token_digest

SESSION_DAYS: Final = 180
"""So long a token lives without being used."""
MOST_SESSIONS: Final = 50
"""Of one account; those that were not used for longest make room."""
GUEST_TOKEN: Final = (20, 256)
"""Characters of a token that can become an account's: no token of nobody in particular is so long."""

WINDOW: Final = 600.0


class Declined(Exception):
    """What was asked for is refused: a key for programs, words for people."""

    def __init__(self, key: str, words: str, wait: float = 0.0) -> None:
        super().__init__(words)
        self.key = key
        self.wait = wait
        """Seconds after which it may be tried again, if that is what is wrong."""


class Clerk:
    """One per server."""

    def __init__(self, store: Store, register: Register) -> None:
        self.register = register
        self.rivals: list[Callable[[str], str | None]] = []
        """Where else names are held: each returns the digest of the token that a name is held with."""
        self.farewells: list[Callable[[Account], Awaitable[None]]] = []
        """Who is told of an account that is about to be forgotten."""
        self._store = store
        self._passwords = Passwords()
        self._made = Attempts(20, 3600.0)
        self._failed_there = Attempts(5, WINDOW)
        """By name and address."""
        self._failed_address = Attempts(30, WINDOW)
        self._failed_name = Attempts(100, WINDOW)
        self._making: set[str] = set()
        """Names of accounts that are on their way to the disk."""
        self._settling = asyncio.Lock()
        """Held from the last look at a password to the end of what it allows."""

    async def open(self) -> None:
        """Read what is stored; forget the sessions that nobody has used for long."""
        known: dict[str, Account] = {}
        for row in await self._store.accounts():
            known[row.seal] = Account(row.name, row.seal, row.created)
            self.register.admit(known[row.seal])
        edge = _days_ago(SESSION_DAYS)
        for session in await self._store.sessions():
            if session.seal in known and session.used >= edge:
                self._admit(session, known[session.seal])
        await self._expire()

    async def forget_unused(self) -> None:
        """Write down which sessions were used, and forget those that nobody has used for long."""
        await self.note_use()
        await self._expire()

    async def note_use(self) -> None:
        """Write down which sessions were used since the last time."""
        used = set(self.register.used)
        if used:
            await self._store.use_sessions(used, clock_text())
            self.register.used -= used

    def close(self) -> None:
        """The server stops."""
        self._passwords.close()

    async def _expire(self) -> None:
        edge = _days_ago(SESSION_DAYS)
        old = [row.digest for row in await self._store.sessions() if row.used < edge]
        old = [digest for digest in old if digest not in self.register.used]
        if old:
            await self._store.forget_sessions(old)
            for digest in old:
                self.register.end_session(digest)

    # What people ask for.

    async def create(self, raw: str, password: str, guest: str, address: str) -> tuple[Account, str]:
        """Make an account; return it and the token of its first session.

        *guest* is a token that was used until now, if any: seats and names that were taken with it are the
        account's from now on.
        """
        name = shown_name(raw)
        wrong = name_error(name)
        if wrong:
            raise Declined("bad_name", wrong)
        wrong = password_error(password, name)
        if wrong:
            raise Declined("bad_password", wrong)
        self._check_guest(guest)
        key = fold(name)
        if self.register.owner(name) is not None or key in self._making:
            raise Declined("name_taken", f"name {name!r}: somebody has it already")
        held = [digest for rival in self.rivals if (digest := rival(key)) is not None]
        if any(digest != token_digest(guest) for digest in held):
            words = f"name {name!r}: somebody plays under it: it takes the token it is held with"
            raise Declined("name_taken", words)
        self._slow_down(self._made, address, "accounts from your address")
        self._made.note(address, _now())
        self._making.add(key)
        try:
            hashed = await self._hashed(password)
            account = Account(name, secrets.token_hex(32), clock_text())
            await self._store.add_account(AccountRow(account.seal, key, name, hashed, account.created))
        except StoreConflict:
            raise Declined("name_taken", f"name {name!r}: somebody has it already") from None
        finally:
            self._making.discard(key)
        self.register.admit(account)
        return account, await self._begin(account, guest)

    async def login(self, name: str, password: str, guest: str, address: str) -> tuple[Account, str]:
        """Return the account whose name and password these are, and the token of a new session."""
        self._check_guest(guest)
        account = self.register.owner(name)
        kept = await self._prove(account, fold(name), password, address)
        assert account is not None
        async with self._settling:
            await self._check_unchanged(account, kept)
            return account, await self._begin(account, guest)

    async def logout(self, token: str) -> None:
        """End a session."""
        digest = token_digest(token)
        await self._store.forget_sessions([digest])
        self.register.end_session(digest)

    async def change_password(self, account: Account, token: str, old: str, new: str, address: str) -> None:
        """Replace the password, and end every session but the one of *token*."""
        wrong = password_error(new, account.name)
        if wrong:
            raise Declined("bad_password", wrong)
        kept = await self._prove(account, account.key, old, address)
        hashed = await self._hashed(new)
        async with self._settling:
            await self._check_unchanged(account, kept)
            await self._store.change_password(account.seal, hashed)
            ended = set(self.register.end_sessions(account, but=token_digest(token)))
            for row in await self._store.sessions(account.seal):
                if row.digest in ended:
                    self.register.remember(row.digest, account)
                    await self._store.put_session(replace(row, ended=True))

    async def forget(self, account: Account, password: str, address: str) -> None:
        """Forget an account: its name is free, its matches keep the name as it was shown."""
        kept = await self._prove(account, account.key, password, address)
        async with self._settling:
            await self._check_unchanged(account, kept)
            for farewell in self.farewells:
                await farewell(account)
            await self._store.forget_account(account.seal)
            self.register.dismiss(account)

    # How.

    async def _prove(self, account: Account | None, key: str, password: str, address: str) -> str:
        """Raise Declined unless *password* is the account's; a name that nobody has is told by nothing.

        Return the hash it fits: by the time it does, there may be another one.
        """
        self._slow_down(self._failed_there, (key, address), "failed logins")
        self._slow_down(self._failed_address, address, "failed logins from your address")
        self._slow_down(self._failed_name, key, "failed logins with this name")
        tries = (
            (self._failed_there, (key, address)),
            (self._failed_address, address),
            (self._failed_name, key),
        )
        for attempts, by in tries:  # before it is known, so that many at once are no way around it
            attempts.note(by, _now())
        row = await self._store.account(account.seal) if account is not None else None
        kept = row.password if row is not None else None
        try:
            fits = await self._passwords.fits(kept, password)
        except TooBusy:
            raise _busy() from None
        if not fits:
            raise Declined("bad_login", "name or password: they do not belong together")
        for attempts, by in tries:
            attempts.forgive(by)
        assert kept is not None
        assert account is not None
        if self._passwords.outdated(kept):
            hashed = await self._hashed(password)
            async with self._settling:
                await self._check_unchanged(account, kept)
                await self._store.change_password(account.seal, hashed)
            kept = hashed
        return kept

    async def _check_unchanged(self, account: Account, kept: str) -> None:
        row = await self._store.account(account.seal)
        if row is None:
            raise Declined("bad_login", "this account has just been deleted")
        if row.password != kept:
            raise Declined("busy", "the password has just been changed: try again", 1.0)

    async def _hashed(self, password: str) -> str:
        try:
            return await self._passwords.hash(password)
        except TooBusy:
            raise _busy() from None

    async def _begin(self, account: Account, guest: str) -> str:
        token = secrets.token_urlsafe(32)
        when = clock_text()
        rows = [SessionRow(token_digest(token), account.seal, when, when)]
        before = token_digest(guest)
        if guest and self.register.person(before) == before:
            rows.append(SessionRow(before, account.seal, when, when))
        for row in rows:
            await self._store.put_session(row)
            self._admit(row, account)
        await self._make_room(account)
        return token

    def _admit(self, row: SessionRow, account: Account) -> None:
        (self.register.remember if row.ended else self.register.open_session)(row.digest, account)

    async def _make_room(self, account: Account) -> None:
        await self.note_use()
        own = await self._store.sessions(account.seal)
        if len(own) > MOST_SESSIONS:
            own.sort(key=lambda row: (row.used, row.created))
            ended = [row.digest for row in own[: len(own) - MOST_SESSIONS]]
            await self._store.forget_sessions(ended)
            for digest in ended:
                self.register.end_session(digest)

    def _check_guest(self, guest: str) -> None:
        least, most = GUEST_TOKEN
        if guest and not least <= len(guest) <= most:
            raise Declined("bad_token", f"guest: {len(guest)} characters, expected {least} to {most}")

    def _slow_down(self, attempts: Attempts, by: object, what: str) -> None:
        wait = attempts.wait(by, _now())
        if wait > 0:
            raise Declined("too_many", f"too many {what}: try again in {_shown(wait)}", wait)


def _now() -> float:
    return time.monotonic()


def _busy() -> Declined:
    return Declined("busy", "too many people log in at this moment: try again", 5.0)


def _shown(seconds: float) -> str:
    return f"{seconds / 60:.0f} minutes" if seconds > 90 else f"{seconds:.0f} seconds"


def _days_ago(days: int) -> str:
    return (datetime.now(UTC) - timedelta(days=days)).strftime("%Y-%m-%dT%H:%M:%SZ")
