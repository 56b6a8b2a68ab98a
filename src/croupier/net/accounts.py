"""Accounts over HTTP: making them, logging in and out, and what everybody may know of a player."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

import msgspec
from aiohttp import web

from croupier.core.contract import Plain
from croupier.games import UnknownGame, names
from croupier.games import game as find_game
from croupier.net.address import address_of
from croupier.net.api import HALL, Handler, Problem, answer, body, problem, profiles
from croupier.net.clerk import Clerk, Declined
from croupier.store.people import Rating, Result, Tally
from croupier.wire.accounts import Account
from croupier.wire.talk import BOT

CLERK = web.AppKey("clerk", Clerk)

_STATUS: Final = {"name_taken": 409, "bad_login": 401, "too_many": 429, "busy": 503}
"""Of refusals that are not 400."""


class NewAccount(msgspec.Struct, forbid_unknown_fields=True):
    """The body of POST /api/account and POST /api/session."""

    name: str
    password: str
    guest: str = ""
    """A token used until now, whose seats are to be the account's."""


class NewPassword(msgspec.Struct, forbid_unknown_fields=True):
    """The body of POST /api/account/password."""

    old: str
    new: str


class Farewell(msgspec.Struct, forbid_unknown_fields=True):
    """The body of DELETE /api/account."""

    password: str


def _guarded(handler: Handler) -> Handler:
    """Return *handler* with its refusals as answers."""

    async def guarded(request: web.Request) -> web.StreamResponse:
        try:
            return await handler(request)
        except Declined as declined:
            response = problem(_STATUS.get(declined.key, 400), declined.key, str(declined))
            if declined.wait:
                response.headers["Retry-After"] = str(round(declined.wait) + 1)
            return response

    return guarded


def _token(request: web.Request) -> str:
    return request.headers.get("Authorization", "").removeprefix("Bearer ").strip()


def _holder(request: web.Request) -> Account:
    account = request.app[HALL].register.holder(_token(request))
    if account is None:
        words = "expected the token of a session in the header Authorization: log in"
        raise Problem(401, "bad_token", words)
    return account


# One's own account.


async def create(request: web.Request) -> web.StreamResponse:
    """POST /api/account"""
    wish = await body(request, NewAccount)
    clerk = request.app[CLERK]
    account, token = await clerk.create(wish.name, wish.password, wish.guest, address_of(request))
    return answer({"name": account.name, "token": token}, 201)


async def login(request: web.Request) -> web.StreamResponse:
    """POST /api/session"""
    wish = await body(request, NewAccount)
    clerk = request.app[CLERK]
    account, token = await clerk.login(wish.name, wish.password, wish.guest, address_of(request))
    return answer({"name": account.name, "token": token}, 201)


async def logout(request: web.Request) -> web.StreamResponse:
    """DELETE /api/session"""
    _holder(request)
    await request.app[CLERK].logout(_token(request))
    return web.Response(status=204)


async def show(request: web.Request) -> web.StreamResponse:
    """GET /api/account"""
    account = _holder(request)
    return answer({"name": account.name, "created": account.created, "tables": _tables(request, account)})


def _tables(request: web.Request, account: Account) -> list[Plain]:
    """Return where somebody sits."""
    hall = request.app[HALL]
    return [
        {
            "id": runner.table.id,
            "game": runner.table.game.name,
            "page": f"/table/{runner.table.id}",
            "seat": place.seat,
            "phase": runner.table.phase,
        }
        for runner in hall.runners.values()
        for place in runner.table.places
        if place.name and place.kind != BOT and hall.register.person(place.token) == account.seal
    ]


async def change_password(request: web.Request) -> web.StreamResponse:
    """POST /api/account/password"""
    account = _holder(request)
    wish = await body(request, NewPassword)
    clerk = request.app[CLERK]
    await clerk.change_password(account, _token(request), wish.old, wish.new, address_of(request))
    return web.Response(status=204)


async def delete(request: web.Request) -> web.StreamResponse:
    """DELETE /api/account"""
    account = _holder(request)
    wish = await body(request, Farewell)
    await request.app[CLERK].forget(account, wish.password, address_of(request))
    return web.Response(status=204)


# What everybody may know.


def _rating(rating: Rating | None) -> Plain | None:
    """Return a rating as it is shown: it lies within *interval* of *value* in 19 cases of 20."""
    if rating is None:
        return None
    return {"value": round(rating.mu, 2), "interval": round(1.96 * rating.sigma, 2)}


def _limit(request: web.Request) -> int:
    limit = request.query.get("limit", "50")
    if not (limit.isascii() and limit.isdigit() and len(limit) <= 3 and 1 <= int(limit) <= 200):
        raise Problem(400, "bad_limit", f"limit={limit[:20]}: expected 1…200")
    return int(limit)


def _game(request: web.Request) -> str | None:
    game = request.query.get("game")
    if game is not None:
        try:
            find_game(game)
        except UnknownGame as error:
            raise Problem(400, "bad_game", str(error)) from None
    return game


async def profile(request: web.Request) -> web.StreamResponse:
    """GET /api/players/<name>"""
    hall = request.app[HALL]
    name = request.match_info["name"]
    account = hall.register.owner(name)
    if account is None:
        return problem(404, "no_such_player", f"{name[:40]}: nobody with an account is called so")
    limit, game = _limit(request), _game(request)
    tally = await hall.store.tally(account.seal)
    played = sorted({one.game for one in tally}, key=names().index)
    games: list[Plain] = []
    for one in played:
        ratings = await hall.store.ratings(one, [account.seal])
        games.append(_summary(one, [row for row in tally if row.game == one], ratings.get(account.seal)))
    before = request.query.get("before")
    rows = await hall.store.results(account.seal, game, limit + 1, before)
    others = await hall.store.accounts_in([row.match for row in rows])
    return answer(
        {
            "name": account.name,
            "created": account.created,
            "games": games,
            "results": [_result(row, others.get(row.match, {})) for row in rows[:limit]],
            "more": len(rows) > limit,
        }
    )


def _summary(game: str, tally: list[Tally], rating: Rating | None) -> Plain:
    """Return what somebody has done in one game."""
    places = {row.place: row.matches for row in tally if row.place is not None}
    return {
        "game": game,
        "title": find_game(game).title,
        "matches": sum(places.values()),
        "won": places.get(1, 0),
        "places": [places.get(place, 0) for place in range(1, max(places, default=0) + 1)],
        "broken_off": sum(row.matches for row in tally if row.place is None),
        "rating": _rating(rating),
    }


def _result(row: Result, accounts: Mapping[int, str]) -> Plain:
    players = msgspec.json.decode(row.players, type=list[str])
    scores = msgspec.json.decode(row.scores) if row.scores is not None else None
    rating = Rating(row.mu, row.sigma) if row.mu is not None and row.sigma is not None else None
    return {
        "match": row.match,
        "game": row.game,
        "started": row.started,
        "ended": row.ended,
        "players": players,
        "profiles": profiles(players, accounts),
        "seat": row.seat,
        "place": row.place,
        "score": scores[row.seat] if scores is not None and row.seat < len(scores) else None,
        "scores": scores,
        "rating": _rating(rating),
    }


async def ranking(request: web.Request) -> web.StreamResponse:
    """GET /api/players?game=<game>"""
    game = _game(request)
    if game is None:
        raise Problem(400, "bad_game", f"game: expected one of {', '.join(names())}")
    hall = request.app[HALL]
    rows = await hall.store.best(game, _limit(request))
    listed: list[Plain] = []
    for who, rating in rows:
        account = hall.register.account(who)
        bot = who.removeprefix("bot ") if who.startswith("bot ") else None
        if account is not None or bot is not None:
            shown: Plain = {"name": account.name if account else None, "bot": bot}
            listed.append({**shown, "matches": rating.matches, "rating": _rating(rating)})
    return answer(listed)


_ROUTES: Final[list[tuple[str, str, Callable[[web.Request], Awaitable[web.StreamResponse]]]]] = [
    ("POST", "/api/account", create),
    ("GET", "/api/account", show),
    ("DELETE", "/api/account", delete),
    ("POST", "/api/account/password", change_password),
    ("POST", "/api/session", login),
    ("DELETE", "/api/session", logout),
    ("GET", "/api/players", ranking),
    ("GET", "/api/players/{name}", profile),
]
ROUTES: Final = [(method, path, _guarded(handler)) for method, path, handler in _ROUTES]
