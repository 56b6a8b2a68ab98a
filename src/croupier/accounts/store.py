"""Accounts, sessions and ratings in the database of the server. None of it is on the path of a move."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from croupier.accounts.rows import AccountRow, Rating, Result, SessionRow, Tally
from croupier.store.api import PlayerRow, StoreConflict
from croupier.store.sqlite import SqliteStore
from croupier.store.sqlite_writer import PLAYER, Row

_ACCOUNT: Final = "seal, key, name, password, created"
_SESSION: Final = "digest, seal, created, used, ended"
"""The id of an account is in the column *seal*."""


class AccountStore:
    """The tables of the database about people."""

    def __init__(self, store: SqliteStore) -> None:
        self._store = store

    async def accounts(self) -> list[AccountRow]:
        """Return all accounts."""
        return [_account(row) for row in await self._store.select(f"SELECT {_ACCOUNT} FROM accounts")]

    async def account(self, id: str) -> AccountRow | None:
        """Return the account with this id, or None."""
        rows = await self._store.select(f"SELECT {_ACCOUNT} FROM accounts WHERE seal = ?", id)
        return _account(rows[0]) if rows else None

    async def add_account(self, row: AccountRow) -> None:
        """Add an account; StoreConflict if its name is taken."""

        def work(db: sqlite3.Connection) -> None:
            values = (row.id, row.key, row.name, row.password, row.created)
            try:
                db.execute(f"INSERT INTO accounts ({_ACCOUNT}) VALUES (?, ?, ?, ?, ?)", values)
            except sqlite3.IntegrityError:
                raise StoreConflict(f"name {row.name!r}: there is already an account with it") from None

        await self._store.write(work)

    async def change_password(self, id: str, password: str) -> None:
        """Replace the hash of an account's password."""

        def work(db: sqlite3.Connection) -> None:
            db.execute("UPDATE accounts SET password = ? WHERE seal = ?", (password, id))

        await self._store.write(work)

    async def forget_account(self, id: str) -> None:
        """Delete an account with its sessions and ratings, and remove it from the players of its matches."""

        def work(db: sqlite3.Connection) -> None:
            for table in ("accounts", "sessions"):
                db.execute(f"DELETE FROM {table} WHERE seal = ?", (id,))
            db.execute("DELETE FROM ratings WHERE who = ?", (id,))
            db.execute("UPDATE players SET who = '', mu = NULL, sigma = NULL WHERE who = ?", (id,))

        await self._store.write(work)

    async def sessions(self, id: str | None = None) -> list[SessionRow]:
        """Return the sessions of one account, or all."""
        where, values = ("", ()) if id is None else ("WHERE seal = ?", (id,))
        rows = await self._store.select(f"SELECT {_SESSION} FROM sessions {where}", *values)
        return [
            SessionRow(str(digest), str(account), str(created), str(used), bool(ended))
            for digest, account, created, used, ended in rows
        ]

    async def put_session(self, row: SessionRow) -> None:
        """Add a session."""
        values = (row.digest, row.account, row.created, row.used, row.ended)

        def work(db: sqlite3.Connection) -> None:
            db.execute(f"INSERT OR REPLACE INTO sessions ({_SESSION}) VALUES (?, ?, ?, ?, ?)", values)

        await self._store.write(work)

    async def use_sessions(self, digests: Iterable[str], when: str) -> None:
        """Store that these sessions were used."""
        values = [(when, digest) for digest in digests]

        def work(db: sqlite3.Connection) -> None:
            db.executemany("UPDATE sessions SET used = ? WHERE digest = ?", values)

        await self._store.write(work)

    async def forget_sessions(self, digests: Iterable[str]) -> None:
        """Forget sessions."""
        values = [(digest,) for digest in digests]

        def work(db: sqlite3.Connection) -> None:
            db.executemany("DELETE FROM sessions WHERE digest = ?", values)

        await self._store.write(work)

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
        """Return the ratings of those of these people and bots that have one."""
        wanted = sorted(set(who))
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

        def work(db: sqlite3.Connection) -> None:
            db.executemany("INSERT OR REPLACE INTO ratings VALUES (?, ?, ?, ?, ?)", ratings)
            db.executemany(
                "UPDATE players SET rated = 1, mu = ?, sigma = ? WHERE match_id = ? AND seat = ?", rows
            )

        await self._store.write(work)

    async def best(self, game: str, limit: int = 50) -> list[tuple[str, Rating]]:
        """Return the best players, ordered by the lower bound of the rating: mu - 1.96 sigma."""
        rows = await self._store.select(
            "SELECT who, mu, sigma, matches FROM ratings WHERE game = ?"
            " ORDER BY mu - 1.96 * sigma DESC, who LIMIT ?",
            game,
            limit,
        )
        return [_rating(row) for row in rows]

    async def tally(self, who: str) -> list[Tally]:
        """Return how often an account finished in which place, over all matches that have ended."""
        rows = await self._store.select(
            "SELECT game, place, count(*) FROM players WHERE who = ? AND who <> '' AND ended IS NOT NULL"
            " GROUP BY game, place ORDER BY game, place IS NULL, place",
            who,
        )
        return [Tally(*row) for row in rows]  # type: ignore[arg-type]  # as the schema types them

    async def results(
        self, who: str, game: str | None = None, limit: int = 50, before: str | None = None
    ) -> list[Result]:
        """Return the matches of an account, newest first, from before the match *before* (for paging)."""
        where, values = ["p.who = ?", "p.who <> ''", "p.ended IS NOT NULL"], [who]
        if game is not None:
            where.append("p.game = ?")
            values.append(game)
        if before is not None:
            where.append("(p.ended, p.match_id) < (SELECT ended, id FROM matches WHERE id = ?)")
            values.append(before)
        rows = await self._store.select(
            "SELECT p.match_id, p.game, p.seat, m.players, m.started, p.ended, p.place, m.result, mu, sigma"
            f" FROM players p JOIN matches m ON m.id = p.match_id WHERE {' AND '.join(where)}"
            " ORDER BY p.ended DESC, p.match_id DESC LIMIT ?",
            *values,
            limit,
        )
        return [Result(*row) for row in rows]  # type: ignore[arg-type]  # as the schema types them

    async def accounts_in(self, matches: Sequence[str]) -> dict[str, dict[int, str]]:
        """Return the names of the accounts that played in these matches, by match and seat."""
        marks = ", ".join("?" * len(matches))
        rows = await self._store.select(
            "SELECT p.match_id, p.seat, a.name FROM players p JOIN accounts a ON a.seal = p.who"
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
