"""Accounts over HTTP: creating and deleting them, logging in and out, public profiles and rankings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast
from urllib.parse import urlencode

import msgspec
from aiohttp import web

from croupier.accounts.rows import Change, Rating, Result, Tally
from croupier.accounts.service import Accounts
from croupier.core.refusal import Refusal
from croupier.games import UnknownGame, names
from croupier.games import game as find_game
from croupier.http import Route, address_of, answer, bearer, body, limit_of, with_status
from croupier.table.tables import Tables
from croupier.wire import api_messages as messages
from croupier.wire.api_messages import (
    AccountInfo,
    AccountSeat,
    GameRecord,
    MadeAccount,
    PlayedMatch,
    PlayerInfo,
    RankingRow,
    RatingChange,
    RatingChanges,
    SessionInfo,
)
from croupier.wire.house_messages import Phase
from croupier.wire.identity import Account
from croupier.wire.talk import BOT

NEW: Final = 25.0
"""The rating of a new player in the model of openskill."""
MIDDLE: Final = 1500
"""The same as displayed."""
SCALE: Final = 40.0
"""The number of displayed points per point of the model; a new player has 1500 ± 653."""


class NewAccount(msgspec.Struct, forbid_unknown_fields=True):
    """The body of POST /api/account and POST /api/session."""

    name: str
    password: str
    guest: str = ""
    """The guest token used so far; seats taken with it become the account's."""


class Recovery(msgspec.Struct, forbid_unknown_fields=True):
    """The body of POST /api/account/recovery."""

    name: str
    code: str
    password: str
    """The new password."""


class NewPassword(msgspec.Struct, forbid_unknown_fields=True):
    """The body of POST /api/account/password."""

    old: str
    new: str


class Deletion(msgspec.Struct, forbid_unknown_fields=True):
    """The body of DELETE /api/account."""

    password: str


class AccountRoutes:
    """The HTTP API of accounts."""

    def __init__(self, accounts: Accounts, tables: Tables) -> None:
        self._accounts = accounts
        self._store = accounts.store
        self._identities = accounts.identities
        self._tables = tables

    def routes(self) -> list[Route]:
        return [
            ("POST", "/api/account", with_status(self.create, bad_token=400)),
            ("GET", "/api/account", self.show),
            ("DELETE", "/api/account", self.delete),
            ("POST", "/api/account/password", self.change_password),
            ("POST", "/api/account/recovery", self.recover),
            ("POST", "/api/session", with_status(self.login, bad_token=400)),
            ("DELETE", "/api/session", self.logout),
            ("GET", "/api/players", self.ranking),
            ("GET", "/api/players/{name}", self.profile),
            ("GET", "/api/matches/{id}/ratings", self.changes),
        ]

    # The account of the client.

    async def create(self, request: web.Request) -> web.StreamResponse:
        """POST /api/account"""
        given = await body(request, NewAccount)
        account, token, codes = await self._accounts.create(
            given.name, given.password, given.guest, address_of(request)
        )
        return answer(MadeAccount(account.name, token, codes), 201)

    async def recover(self, request: web.Request) -> web.StreamResponse:
        """POST /api/account/recovery"""
        given = await body(request, Recovery)
        made = await self._accounts.recover(given.name, given.code, given.password, address_of(request))
        return _session(*made)

    async def login(self, request: web.Request) -> web.StreamResponse:
        """POST /api/session"""
        given = await body(request, NewAccount)
        made = await self._accounts.login(given.name, given.password, given.guest, address_of(request))
        return _session(*made)

    async def logout(self, request: web.Request) -> web.StreamResponse:
        """DELETE /api/session"""
        self._holder(request)
        await self._accounts.logout(bearer(request))
        return web.Response(status=204)

    async def show(self, request: web.Request) -> web.StreamResponse:
        """GET /api/account"""
        account = self._holder(request)
        return answer(AccountInfo(account.name, account.created, self._seats(account)))

    async def change_password(self, request: web.Request) -> web.StreamResponse:
        """POST /api/account/password"""
        account = self._holder(request)
        given = await body(request, NewPassword)
        address = address_of(request)
        await self._accounts.change_password(account, bearer(request), given.old, given.new, address)
        return web.Response(status=204)

    async def delete(self, request: web.Request) -> web.StreamResponse:
        """DELETE /api/account"""
        account = self._holder(request)
        given = await body(request, Deletion)
        await self._accounts.forget(account, given.password, address_of(request))
        return web.Response(status=204)

    def _holder(self, request: web.Request) -> Account:
        account = self._identities.holder(bearer(request))
        if account is None:
            words = "expected the token of a session in the header Authorization: log in"
            raise Refusal("bad_token", words)
        return account

    def _seats(self, account: Account) -> list[AccountSeat]:
        """Return the seats of *account*."""
        return [
            AccountSeat(
                id=shell.table.id,
                game=shell.table.game.name,
                page=_page(shell.table.id, shell.table.spec.invitation),
                seat=place.seat,
                phase=cast(Phase, shell.table.phase),
            )
            for shell in self._tables.shells.values()
            for place in shell.table.places
            if place.name and place.kind != BOT and self._identities.person(place.token) == account.id
        ]

    # Public information.

    async def profile(self, request: web.Request) -> web.StreamResponse:
        """GET /api/players/<name>"""
        name = request.match_info["name"]
        account = self._identities.owner(name)
        if account is None:
            raise Refusal("no_such_player", f"{name[:40]}: there is no account with this name")
        limit, game = limit_of(request, 50), _game(request)
        tally = await self._store.tally(account.id)
        games: list[GameRecord] = []
        for one in sorted({row.game for row in tally}, key=names().index):
            ratings = await self._store.ratings(one, [account.id])
            games.append(_summary(one, [row for row in tally if row.game == one], ratings.get(account.id)))
        rows = await self._store.results(account.id, game, limit + 1, request.query.get("before"))
        others = await self._store.accounts_in([row.match for row in rows])
        return answer(
            PlayerInfo(
                name=account.name,
                created=account.created,
                games=games,
                results=[_result(row, others.get(row.match, {})) for row in rows[:limit]],
                more=len(rows) > limit,
            )
        )

    async def ranking(self, request: web.Request) -> web.StreamResponse:
        """GET /api/players?game=<game>"""
        game = _game(request)
        if game is None:
            raise Refusal("bad_game", f"game: expected one of {', '.join(names())}")
        listed: list[RankingRow] = []
        bots = request.query.get("bots", "yes") != "no"
        for who, rating in await self._store.best(game, limit_of(request, 50), bots):
            account = self._identities.account(who)
            bot = who.removeprefix("bot ") if who.startswith("bot ") else None
            if account is not None or bot is not None:
                name = account.name if account else None
                listed.append(RankingRow(name, bot, rating.matches, _rating(rating)))
        return answer(listed)

    async def changes(self, request: web.Request) -> web.StreamResponse:
        """GET /api/matches/<id>/ratings"""
        id = request.match_info["id"]
        if await self._tables.store.match(id) is None:
            raise Refusal("no_such_match", f"match {id[:40]}: not found")
        rows = await self._store.changes(id)
        ratings = [_change(row) for row in rows]
        return answer(RatingChanges(all(row.rated for row in rows), ratings))


def _session(account: Account, token: str) -> web.Response:
    return answer(SessionInfo(account.name, token), 201)


def _rating(rating: Rating) -> messages.Rating:
    """Return a rating for the API."""
    return messages.Rating(_shown(rating.mu), round(SCALE * 1.96 * rating.sigma))


def _shown(mu: float) -> int:
    return round(MIDDLE + SCALE * (mu - NEW))


def _change(row: Change) -> RatingChange | None:
    """Return the rating of a seat's player after a match and its change, or None if it has none."""
    if row.mu is None or row.sigma is None:
        return None
    rating = _rating(Rating(row.mu, row.sigma))
    before = NEW if row.before is None else row.before
    return RatingChange(rating.value, rating.interval, rating.value - _shown(before))


def _game(request: web.Request) -> str | None:
    game = request.query.get("game")
    if game is not None:
        try:
            find_game(game)
        except UnknownGame as error:
            raise Refusal("bad_game", str(error)) from None
    return game


def _page(table: str, invitation: str) -> str:
    return f"/table/{table}?{urlencode({'invitation': invitation})}" if invitation else f"/table/{table}"


def _summary(game: str, tally: list[Tally], rating: Rating | None) -> GameRecord:
    """Return the results of an account in one game."""
    places = {row.place: row.matches for row in tally if row.place is not None}
    return GameRecord(
        game=game,
        title=find_game(game).title,
        matches=sum(places.values()),
        won=places.get(1, 0),
        places=[places.get(place, 0) for place in range(1, max(places, default=0) + 1)],
        broken_off=sum(row.matches for row in tally if row.place is None),
        rating=_rating(rating) if rating is not None else None,
    )


def _result(row: Result, accounts: Mapping[int, str]) -> PlayedMatch:
    players = msgspec.json.decode(row.players, type=list[str])
    scores = msgspec.json.decode(row.scores, type=list[int]) if row.scores is not None else None
    return PlayedMatch(
        match=row.match,
        game=row.game,
        started=row.started,
        ended=row.ended,
        players=players,
        profiles=[accounts.get(seat) for seat in range(len(players))],
        seat=row.seat,
        place=row.place,
        score=scores[row.seat] if scores is not None and row.seat < len(scores) else None,
        scores=scores,
        rating=_rating(Rating(row.mu, row.sigma)) if row.mu is not None and row.sigma is not None else None,
    )
