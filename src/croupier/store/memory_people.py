"""People in dictionaries: what `MemoryStore` does beyond tables and their logs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from croupier.store.api import MatchRow, taken_name
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


class MemoryPeople(PeopleStore):
    """See the module's head; `_check_open` and `_matches` are the store's."""

    _matches: dict[str, MatchRow]

    def __init__(self) -> None:
        self._accounts: dict[str, AccountRow] = {}
        self._sessions: dict[str, SessionRow] = {}
        self._players: dict[tuple[str, int], PlayerRow] = {}
        self._after: dict[tuple[str, int], Rating | None] = {}
        self._ratings: dict[tuple[str, str], Rating] = {}

    def _check_open(self) -> None:
        raise NotImplementedError

    def _put_players(self, players: Sequence[PlayerRow]) -> None:
        for row in players:
            self._players[row.match, row.seat] = row

    async def accounts(self) -> list[AccountRow]:
        self._check_open()
        return list(self._accounts.values())

    async def account(self, seal: str) -> AccountRow | None:
        self._check_open()
        return self._accounts.get(seal)

    async def add_account(self, row: AccountRow) -> None:
        self._check_open()
        if row.seal in self._accounts or any(row.key == other.key for other in self._accounts.values()):
            raise taken_name(row.name)
        self._accounts[row.seal] = row

    async def change_password(self, seal: str, password: str) -> None:
        self._check_open()
        if seal in self._accounts:
            self._accounts[seal] = replace(self._accounts[seal], password=password)

    async def forget_account(self, seal: str) -> None:
        self._check_open()
        self._accounts.pop(seal, None)
        self._sessions = {digest: row for digest, row in self._sessions.items() if row.seal != seal}
        self._ratings = {key: one for key, one in self._ratings.items() if key[1] != seal}
        for key, row in self._players.items():
            if row.who == seal:
                self._players[key] = replace(row, who="")
                if key in self._after:
                    self._after[key] = None

    async def sessions(self, seal: str | None = None) -> list[SessionRow]:
        self._check_open()
        return [row for row in self._sessions.values() if seal is None or row.seal == seal]

    async def put_session(self, row: SessionRow) -> None:
        self._check_open()
        self._sessions[row.digest] = row

    async def use_sessions(self, digests: Iterable[str], when: str) -> None:
        self._check_open()
        for digest in digests:
            if digest in self._sessions:
                self._sessions[digest] = replace(self._sessions[digest], used=when)

    async def forget_sessions(self, digests: Iterable[str]) -> None:
        self._check_open()
        for digest in digests:
            self._sessions.pop(digest, None)

    # Matches and ratings

    async def unrated(self, before: str = "~", limit: int = 16) -> list[PlayerRow]:
        self._check_open()
        rows = [
            row
            for key, row in self._players.items()
            if row.place is not None and key not in self._after and (row.ended or "") < before
        ]
        return sorted(rows, key=lambda row: (row.ended or "", row.match, row.seat))[:limit]

    async def ratings(self, game: str, who: Iterable[str]) -> dict[str, Rating]:
        self._check_open()
        return {one: self._ratings[game, one] for one in set(who) if (game, one) in self._ratings}

    async def rate(self, game: str, match: str, seats: Sequence[str], after: Mapping[str, Rating]) -> None:
        self._check_open()
        for who, rating in after.items():
            self._ratings[game, who] = rating
        for seat, who in enumerate(seats):
            self._after[match, seat] = after.get(who)

    async def best(self, game: str, limit: int = 50) -> list[tuple[str, Rating]]:
        self._check_open()
        found = [(who, rating) for (of, who), rating in self._ratings.items() if of == game]
        return sorted(found, key=lambda one: (1.96 * one[1].sigma - one[1].mu, one[0]))[:limit]

    async def tally(self, who: str) -> list[Tally]:
        self._check_open()
        counts = Counter((row.game, row.place) for row in self._ended(who))
        order = sorted(counts.items(), key=lambda item: (item[0][0], item[0][1] is None, item[0][1] or 0))
        return [Tally(game, place, many) for (game, place), many in order]

    def _ended(self, who: str) -> list[PlayerRow]:
        if not who:
            return []
        return [row for row in self._players.values() if row.who == who and row.ended is not None]

    async def results(
        self, who: str, game: str | None = None, limit: int = 50, before: str | None = None
    ) -> list[Result]:
        self._check_open()
        rows = [row for row in self._ended(who) if game is None or row.game == game]
        if before is not None:
            edge = self._matches.get(before)
            ended = edge.ended if edge is not None else None
            rows = [
                row for row in rows if ended is not None and (row.ended or "", row.match) < (ended, before)
            ]
        rows.sort(key=lambda row: (row.ended or "", row.match), reverse=True)
        return [self._result(row) for row in rows[:limit]]

    def _result(self, row: PlayerRow) -> Result:
        match = self._matches[row.match]
        after = self._after.get((row.match, row.seat))
        return Result(
            row.match,
            row.game,
            row.seat,
            match.players,
            match.started,
            row.ended or "",
            row.place,
            match.result,
            after.mu if after is not None else None,
            after.sigma if after is not None else None,
        )

    async def accounts_in(self, matches: Sequence[str]) -> dict[str, dict[int, str]]:
        self._check_open()
        return by_match(
            (row.match, row.seat, self._accounts[row.who].name)
            for row in self._players.values()
            if row.match in matches and row.who in self._accounts
        )
