"""Accounts, sessions and ratings in the database of the server. None of it is on the path of a move."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from croupier.accounts.rows import AccountRow, Change, Rating, Result, SessionRow, Tally
from croupier.store.api import PlayerRow, StoreConflict
from croupier.store.sql import NOT_PRIVATE, PLAYER, Row, SqlStore, put

_ACCOUNT: Final = "id, key, name, password, created"
_SESSION: Final = "digest, account, created, used, ended"
LOGINS: Final = "logins"
"""The realm of the addresses from which accounts were logged in to: ``<account> <digest of the address>``."""
RECOVERY: Final = "recovery"
"""The realm of the recovery codes of accounts."""
_PUT_SESSION: Final = put("sessions", "digest", _SESSION)
_PUT_RATING: Final = put("ratings", "game, who", "game, who, mu, sigma, matches")


class AccountStore:
    """The tables of the database about people."""

    def __init__(self, store: SqlStore) -> None:
        self._store = store

    async def accounts(self) -> list[AccountRow]:
        """Return all accounts."""
        return [_account(row) for row in await self._store.select(f"SELECT {_ACCOUNT} FROM accounts")]

    async def account(self, id: str) -> AccountRow | None:
        """Return the account with this id, or None."""
        rows = await self._store.select(f"SELECT {_ACCOUNT} FROM accounts WHERE id = ?", id)
        return _account(rows[0]) if rows else None

    async def add_account(self, row: AccountRow) -> None:
        """Add an account; StoreConflict if its name is taken."""
        values = (row.id, row.key, row.name, row.password, row.created)
        try:
            await self._store.change((f"INSERT INTO accounts ({_ACCOUNT}) VALUES (?, ?, ?, ?, ?)", [values]))
        except StoreConflict:
            raise StoreConflict(f"name {row.name!r}: there is already an account with it") from None

    async def rename(self, id: str, key: str, name: str) -> None:
        """Change the name of an account; StoreConflict if it is taken."""
        await self._store.change(("UPDATE accounts SET key = ?, name = ? WHERE id = ?", [(key, name, id)]))

    async def change_password(self, id: str, password: str) -> None:
        """Replace the hash of an account's password."""
        await self._store.change(("UPDATE accounts SET password = ? WHERE id = ?", [(password, id)]))

    async def forget_account(self, id: str) -> None:
        """Delete an account with its sessions and ratings, and remove it from the players of its matches."""
        await self._store.change(
            ("DELETE FROM accounts WHERE id = ?", [(id,)]),
            ("DELETE FROM sessions WHERE account = ?", [(id,)]),
            ("DELETE FROM ratings WHERE who = ?", [(id,)]),
            ("DELETE FROM kept WHERE realm = ? AND name LIKE ?", [(LOGINS, f"{id} %")]),
            ("DELETE FROM kept WHERE realm = ? AND name LIKE ?", [(RECOVERY, f"{id} %")]),
            ("UPDATE players SET who = '', mu = NULL, sigma = NULL WHERE who = ?", [(id,)]),
        )

    async def sessions(self, id: str | None = None) -> list[SessionRow]:
        """Return the sessions of one account, or all."""
        where, values = ("", ()) if id is None else ("WHERE account = ?", (id,))
        rows = await self._store.select(f"SELECT {_SESSION} FROM sessions {where}", *values)
        return [
            SessionRow(str(digest), str(account), str(created), str(used), bool(ended))
            for digest, account, created, used, ended in rows
        ]

    async def put_session(self, row: SessionRow) -> None:
        """Add a session."""
        values = (row.digest, row.account, row.created, row.used, int(row.ended))
        await self._store.change((_PUT_SESSION, [values]))

    async def use_sessions(self, digests: Iterable[str], when: str) -> None:
        """Store that these sessions were used."""
        rows = [(when, digest) for digest in digests]
        await self._store.change(("UPDATE sessions SET used = ? WHERE digest = ?", rows))

    async def forget_sessions(self, digests: Iterable[str]) -> None:
        """Forget sessions."""
        rows = [(digest,) for digest in digests]
        await self._store.change(("DELETE FROM sessions WHERE digest = ?", rows))

    async def put_codes(self, id: str, digests: Iterable[str]) -> None:
        """Store the digests of an account's recovery codes."""
        for digest in digests:
            await self._store.keep(RECOVERY, f"{id} {digest}", "")

    async def take_code(self, id: str, digest: str) -> bool:
        """Remove a recovery code of an account; return False if there is no such code."""
        name = f"{id} {digest}"
        rows = await self._store.select("SELECT 1 FROM kept WHERE realm = ? AND name = ?", RECOVERY, name)
        if rows:
            await self._store.keep(RECOVERY, name, None)
        return bool(rows)

    async def addresses(self) -> list[tuple[str, str]]:
        """Return the ids of accounts and the digests of the addresses from which they were logged in to."""
        names = [name.partition(" ") for name in await self._store.kept(LOGINS)]
        return [(id, mark) for id, _, mark in names]

    async def put_address(self, id: str, mark: str, dropped: str | None) -> None:
        """Store that an account was logged in to from the address with this digest; forget *dropped*."""
        await self._store.keep(LOGINS, f"{id} {mark}", "")
        if dropped is not None:
            await self._store.keep(LOGINS, f"{id} {dropped}", None)

    # Matches and ratings

    async def unrated(self, before: str = "~", limit: int = 16) -> list[PlayerRow]:
        """Return the seats of unrated matches that ended *before* with a result, match by match, in the order
        in which the matches ended.

        Rows of the last match may be missing if *limit* has been reached.
        """
        rows = await self._store.select(
            f"SELECT {PLAYER} FROM players WHERE place IS NOT NULL AND rated = 0 AND ended < ?"
            " ORDER BY ended, match_id, seat LIMIT ?",
            before,
            limit,
        )
        return [PlayerRow(*row) for row in rows]  # type: ignore[arg-type]  # as the schema types them

    async def ratings(self, game: str, who: Iterable[str]) -> dict[str, Rating]:
        """Return the ratings of these people and bots; those without one are omitted."""
        wanted = sorted(set(who))
        if not wanted:
            return {}
        marks = ", ".join("?" * len(wanted))
        rows = await self._store.select(
            f"SELECT who, mu, sigma, matches FROM ratings WHERE game = ? AND who IN ({marks})", game, *wanted
        )
        return dict(_rating(row) for row in rows)

    async def rate(self, game: str, match: str, seats: Sequence[str], after: Mapping[str, Rating]) -> None:
        """Store the ratings *after* a match of those who sat in *seats*."""
        ratings = [(game, who, one.mu, one.sigma, one.matches) for who, one in after.items()]
        rows = [
            (one.mu if one else None, one.sigma if one else None, match, seat)
            for seat, one in enumerate(after.get(who) for who in seats)
        ]

        await self._store.change(
            (_PUT_RATING, ratings),
            ("UPDATE players SET rated = 1, mu = ?, sigma = ? WHERE match_id = ? AND seat = ?", rows),
        )

    async def changes(self, match: str) -> list[Change]:
        """Return the ratings after a match, with those before it, by seat; empty if it has none."""
        before = (
            "SELECT q.mu FROM players q WHERE q.who = p.who AND q.game = p.game AND q.mu IS NOT NULL"
            " AND (q.ended, q.match_id) < (p.ended, p.match_id)"
            " ORDER BY q.ended DESC, q.match_id DESC LIMIT 1"
        )
        rows = await self._store.select(
            f"SELECT seat, rated, mu, sigma, ({before}) FROM players p WHERE match_id = ? ORDER BY seat",
            match,
        )
        return [Change(*row) for row in rows]  # type: ignore[arg-type]  # as the schema types them

    async def best(self, game: str, limit: int = 50, bots: bool = True) -> list[tuple[str, Rating]]:
        """Return the best players, ordered by the lower bound of the rating: mu - 1.96 sigma."""
        people = "" if bots else " AND who NOT LIKE 'bot %'"
        rows = await self._store.select(
            f"SELECT who, mu, sigma, matches FROM ratings WHERE game = ?{people}"
            " ORDER BY mu - 1.96 * sigma DESC, who LIMIT ?",
            game,
            limit,
        )
        return [_rating(row) for row in rows]

    async def tally(self, who: str) -> list[Tally]:
        """Return how often an account finished in which place, over all matches that have ended."""
        rows = await self._store.select(
            "SELECT p.game, place, count(*) FROM players p JOIN matches ON matches.id = p.match_id"
            f" WHERE who = ? AND who <> '' AND p.ended IS NOT NULL AND {NOT_PRIVATE}"
            " GROUP BY p.game, place ORDER BY p.game, place IS NULL, place",
            who,
        )
        return [Tally(*row) for row in rows]  # type: ignore[arg-type]  # as the schema types them

    async def results(
        self, who: str, game: str | None = None, limit: int = 50, before: str | None = None
    ) -> list[Result]:
        """Return the matches of an account, newest first, from before the match *before* (for paging).

        Those of private tables are omitted, here and in `tally`: a profile is public.
        """
        where, values = ["p.who = ?", "p.who <> ''", "p.ended IS NOT NULL", NOT_PRIVATE], [who]
        if game is not None:
            where.append("p.game = ?")
            values.append(game)
        if before is not None:
            where.append("(p.ended, p.match_id) < (SELECT ended, id FROM matches WHERE id = ?)")
            values.append(before)
        rows = await self._store.select(
            "SELECT p.match_id, p.game, p.seat, matches.players, matches.started, p.ended, p.place,"
            " matches.result, mu, sigma FROM players p JOIN matches ON matches.id = p.match_id"
            f" WHERE {' AND '.join(where)}"
            " ORDER BY p.ended DESC, p.match_id DESC LIMIT ?",
            *values,
            limit,
        )
        return [Result(*row) for row in rows]  # type: ignore[arg-type]  # as the schema types them

    async def accounts_in(self, matches: Sequence[str]) -> dict[str, dict[int, str]]:
        """Return the names of the accounts that played in these matches, by match and seat."""
        if not matches:
            return {}
        marks = ", ".join("?" * len(matches))
        rows = await self._store.select(
            "SELECT p.match_id, p.seat, a.name FROM players p JOIN accounts a ON a.id = p.who"
            f" WHERE p.match_id IN ({marks})",
            *matches,
        )
        names: dict[str, dict[int, str]] = {}
        for match, seat, name in rows:
            names.setdefault(str(match), {})[int(str(seat))] = str(name)
        return names


def _account(row: Row) -> AccountRow:
    return AccountRow(*row)  # type: ignore[arg-type]  # the columns of _ACCOUNT, as the schema types them


def _rating(row: Row) -> tuple[str, Rating]:
    who, *numbers = row
    return str(who), Rating(*numbers)  # type: ignore[arg-type]  # as the schema types them
