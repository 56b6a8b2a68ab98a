"""People in the SQLite file: what `SqliteStore` does beyond tables and their logs."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from croupier.store.api import taken_name
from croupier.store.people import (
    AccountRow,
    PeopleStore,
    PlayerRow,
    Rating,
    Result,
    SessionRow,
    Tally,
    by_match,
)

Row: TypeAlias = tuple[object, ...]
Work: TypeAlias = Callable[[sqlite3.Connection], None]

_ACCOUNT: Final = "seal, key, name, password, created"
_SESSION: Final = "digest, seal, created, used, ended"
_PLAYER: Final = "match_id, seat, who, game, ended, place"


def put_players(db: sqlite3.Connection, players: Sequence[PlayerRow]) -> None:
    """Put the seats of a match, part of the request that puts the match itself."""
    db.executemany(
        f"INSERT OR REPLACE INTO players ({_PLAYER}) VALUES (?, ?, ?, ?, ?, ?)",
        [(row.match, row.seat, row.who, row.game, row.ended, row.place) for row in players],
    )


class SqlitePeople(PeopleStore):
    """See the module's head; `_write` and `_select` are the store's."""

    async def _write(self, work: Work) -> None:
        raise NotImplementedError

    async def _select(self, sql: str, *values: object) -> list[Row]:
        raise NotImplementedError

    async def accounts(self) -> list[AccountRow]:
        return [_account(row) for row in await self._select(f"SELECT {_ACCOUNT} FROM accounts")]

    async def account(self, seal: str) -> AccountRow | None:
        rows = await self._select(f"SELECT {_ACCOUNT} FROM accounts WHERE seal = ?", seal)
        return _account(rows[0]) if rows else None

    async def add_account(self, row: AccountRow) -> None:
        def work(db: sqlite3.Connection) -> None:
            values = (row.seal, row.key, row.name, row.password, row.created)
            try:
                db.execute(f"INSERT INTO accounts ({_ACCOUNT}) VALUES (?, ?, ?, ?, ?)", values)
            except sqlite3.IntegrityError:
                raise taken_name(row.name) from None

        await self._write(work)

    async def change_password(self, seal: str, password: str) -> None:
        def work(db: sqlite3.Connection) -> None:
            db.execute("UPDATE accounts SET password = ? WHERE seal = ?", (password, seal))

        await self._write(work)

    async def forget_account(self, seal: str) -> None:
        def work(db: sqlite3.Connection) -> None:
            for table in ("accounts", "sessions"):
                db.execute(f"DELETE FROM {table} WHERE seal = ?", (seal,))
            db.execute("DELETE FROM ratings WHERE who = ?", (seal,))
            db.execute("UPDATE players SET who = '', mu = NULL, sigma = NULL WHERE who = ?", (seal,))

        await self._write(work)

    async def sessions(self, seal: str | None = None) -> list[SessionRow]:
        where, values = ("", ()) if seal is None else ("WHERE seal = ?", (seal,))
        rows = await self._select(f"SELECT {_SESSION} FROM sessions {where}", *values)
        return [
            SessionRow(str(digest), str(seal), str(created), str(used), bool(ended))
            for digest, seal, created, used, ended in rows
        ]

    async def put_session(self, row: SessionRow) -> None:
        values = (row.digest, row.seal, row.created, row.used, row.ended)

        def work(db: sqlite3.Connection) -> None:
            db.execute(f"INSERT OR REPLACE INTO sessions ({_SESSION}) VALUES (?, ?, ?, ?, ?)", values)

        await self._write(work)

    async def use_sessions(self, digests: Iterable[str], when: str) -> None:
        values = [(when, digest) for digest in digests]

        def work(db: sqlite3.Connection) -> None:
            db.executemany("UPDATE sessions SET used = ? WHERE digest = ?", values)

        await self._write(work)

    async def forget_sessions(self, digests: Iterable[str]) -> None:
        values = [(digest,) for digest in digests]

        def work(db: sqlite3.Connection) -> None:
            db.executemany("DELETE FROM sessions WHERE digest = ?", values)

        await self._write(work)

    # Matches and ratings

    async def unrated(self, before: str = "~", limit: int = 16) -> list[PlayerRow]:
        rows = await self._select(
            f"SELECT {_PLAYER} FROM players WHERE place IS NOT NULL AND rated = 0 AND ended < ?"
            " ORDER BY ended, match_id, seat LIMIT ?",
            before,
            limit,
        )
        return [PlayerRow(*row) for row in rows]  # type: ignore[arg-type]  # as the schema types them

    async def ratings(self, game: str, who: Iterable[str]) -> dict[str, Rating]:
        wanted = sorted(set(who))
        marks = ", ".join("?" * len(wanted))
        rows = await self._select(
            f"SELECT who, mu, sigma, matches FROM ratings WHERE game = ? AND who IN ({marks})", game, *wanted
        )
        return dict(_rating(row) for row in rows)

    async def rate(self, game: str, match: str, seats: Sequence[str], after: Mapping[str, Rating]) -> None:
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

        await self._write(work)

    async def best(self, game: str, limit: int = 50) -> list[tuple[str, Rating]]:
        rows = await self._select(
            "SELECT who, mu, sigma, matches FROM ratings WHERE game = ?"
            " ORDER BY mu - 1.96 * sigma DESC, who LIMIT ?",
            game,
            limit,
        )
        return [_rating(row) for row in rows]

    async def tally(self, who: str) -> list[Tally]:
        rows = await self._select(
            "SELECT game, place, count(*) FROM players WHERE who = ? AND who <> '' AND ended IS NOT NULL"
            " GROUP BY game, place ORDER BY game, place IS NULL, place",
            who,
        )
        return [Tally(*row) for row in rows]  # type: ignore[arg-type]  # as the schema types them

    async def results(
        self, who: str, game: str | None = None, limit: int = 50, before: str | None = None
    ) -> list[Result]:
        where, values = ["p.who = ?", "p.who <> ''", "p.ended IS NOT NULL"], [who]
        if game is not None:
            where.append("p.game = ?")
            values.append(game)
        if before is not None:
            where.append("(p.ended, p.match_id) < (SELECT ended, id FROM matches WHERE id = ?)")
            values.append(before)
        rows = await self._select(
            "SELECT p.match_id, p.game, p.seat, m.players, m.started, p.ended, p.place, m.result, mu, sigma"
            f" FROM players p JOIN matches m ON m.id = p.match_id WHERE {' AND '.join(where)}"
            " ORDER BY p.ended DESC, p.match_id DESC LIMIT ?",
            *values,
            limit,
        )
        return [Result(*row) for row in rows]  # type: ignore[arg-type]  # as the schema types them

    async def accounts_in(self, matches: Sequence[str]) -> dict[str, dict[int, str]]:
        marks = ", ".join("?" * len(matches))
        rows = await self._select(
            "SELECT p.match_id, p.seat, a.name FROM players p JOIN accounts a ON a.seal = p.who"
            f" WHERE p.match_id IN ({marks})",
            *matches,
        )
        return by_match((str(match), int(str(seat)), str(name)) for match, seat, name in rows)


def _account(row: Row) -> AccountRow:
    return AccountRow(*row)  # type: ignore[arg-type]  # the columns of _ACCOUNT, as the schema types them


def _rating(row: Row) -> tuple[str, Rating]:
    who, *numbers = row
    return str(who), Rating(*numbers)  # type: ignore[arg-type]  # as the schema types them
