"""Tournaments over HTTP: listing, announcing, entering, cancelling, and following one as it changes."""

from __future__ import annotations

import csv
import io
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias, cast

import msgspec
from aiohttp import web

from croupier.core import record
from croupier.core.contract import RulesError
from croupier.core.options import BadOptions
from croupier.core.refusal import Refusal
from croupier.games import UnknownGame
from croupier.games import game as find_game
from croupier.http import Route, address_of, answer, body, with_status
from croupier.table.changes import Changing
from croupier.table.setup import setup_of
from croupier.tournaments.service import Tournaments, settle, spec_of
from croupier.tournaments.tournament import (
    OPEN,
    RUNNING,
    Board,
    Entrant,
    Tournament,
    cancel_tournament,
    enter,
    entered,
    standings,
    withdraw,
)
from croupier.wire import api_messages as messages
from croupier.wire.greeting import clean_name
from croupier.wire.house_messages import TOKEN_LIMIT
from croupier.wire.identity import Identities

SHOWN_OVER: Final = 20
"""How many tournaments that are over a list shows."""
LONGEST_AHEAD: Final = 90 * 86400.0
"""How many seconds ahead a tournament may be announced."""


Feed: TypeAlias = Callable[[web.Request, Changing, Callable[[], object]], Awaitable[web.StreamResponse]]
"""Sends what a function returns over a WebSocket, now and when something changes."""


class Owner(msgspec.Struct, forbid_unknown_fields=True):
    """The body of DELETE /api/tournaments/<id>."""

    token: str


class Entry(msgspec.Struct, forbid_unknown_fields=True):
    """The body of POST and DELETE /api/tournaments/<id>/entry."""

    name: str
    token: str
    person: bool = True


class TournamentRoutes:
    """The HTTP API of tournaments."""

    def __init__(self, tournaments: Tournaments, identities: Identities, feed: Feed) -> None:
        self._tournaments = tournaments
        self._identities = identities
        self._feed = feed

    def routes(self) -> list[Route]:
        return [
            ("GET", "/api/tournaments", self.index),
            ("POST", "/api/tournaments", with_status(self.announce, bad_token=400)),
            ("GET", "/api/tournaments/{id}", self.show),
            ("DELETE", "/api/tournaments/{id}", with_status(self.cancel, bad_token=400)),
            ("GET", "/api/tournaments/{id}/live", self.live),
            ("GET", "/api/tournaments/{id}/results.csv", self.results),
            ("POST", "/api/tournaments/{id}/entry", with_status(self.entry, bad_token=400, full=409)),
            ("DELETE", "/api/tournaments/{id}/entry", with_status(self.entry, bad_token=400)),
        ]

    async def index(self, request: web.Request) -> web.StreamResponse:
        """GET /api/tournaments"""
        return answer(listing(self._tournaments))

    async def announce(self, request: web.Request) -> web.StreamResponse:
        """POST /api/tournaments"""
        given = await body(request, messages.NewTournament)
        if len(given.token) > TOKEN_LIMIT:
            raise _bad_token()
        owner = self._identities.mark(given.token) if given.token else ""
        self._identities.measures.check_ban([owner])
        try:
            made = tournament_of(given, owner)
        except (BadOptions, RulesError, UnknownGame) as error:
            raise Refusal("bad_options", str(error)) from None
        await self._tournaments.announce(made, address_of(request))
        return answer(details(made, self._identities), 201)

    async def show(self, request: web.Request) -> web.StreamResponse:
        """GET /api/tournaments/<id>"""
        return answer(details(self._known(request), self._identities))

    async def results(self, request: web.Request) -> web.StreamResponse:
        """GET /api/tournaments/<id>/results.csv"""
        made = self._known(request)
        headers = {"Content-Disposition": f'attachment; filename="tournament-{made.id}.csv"'}
        return web.Response(text=as_csv(made), content_type="text/csv", charset="utf-8", headers=headers)

    async def live(self, request: web.Request) -> web.StreamResponse:
        """WebSocket /api/tournaments/<id>/live: all of it, now and when it changes."""
        id = self._known(request).id
        all, identities = self._tournaments.all, self._identities
        return await self._feed(request, self._tournaments, lambda: details(all[id], identities))

    async def cancel(self, request: web.Request) -> web.StreamResponse:
        """DELETE /api/tournaments/<id>"""
        made = self._known(request)
        claim = await body(request, Owner)
        if not 1 <= len(claim.token) <= TOKEN_LIMIT:
            raise _bad_token()

        def how(copy: Tournament) -> None:
            settle(copy, self._identities)
            cancel_tournament(copy, self._identities.mark(claim.token))

        return await self._changed(made, how)

    async def entry(self, request: web.Request) -> web.StreamResponse:
        """POST and DELETE /api/tournaments/<id>/entry"""
        made = self._known(request)
        claim = await body(request, Entry)
        name = clean_name(claim.name)
        if name is None:
            raise Refusal("bad_name", "name: expected 1 to 64 characters, no control characters")
        if not 1 <= len(claim.token) <= TOKEN_LIMIT:
            raise _bad_token()
        account = self._identities.holder(claim.token)
        if account is not None:
            name = account.name
        elif request.method == "POST" and self._identities.bars(name, claim.token):
            words = (
                f"name {name!r}: it belongs to an account, or looks like it: send the token of that account"
            )
            raise Refusal("name_taken", words)
        mark = self._identities.mark(claim.token)
        if request.method == "POST":
            self._identities.measures.check_ban([mark])

        def how(copy: Tournament) -> None:
            settle(copy, self._identities)
            if request.method == "DELETE":
                withdraw(copy, mark)
                return
            before = entered(copy, mark) if account is not None else None  # perhaps as a guest with this name
            enter(copy, before or Entrant(name, mark, claim.person))

        return await self._changed(made, how)

    def _known(self, request: web.Request) -> Tournament:
        id = request.match_info["id"]
        made = self._tournaments.all.get(id)
        if made is None:
            raise Refusal("no_such_tournament", f"tournament {id}: not found")
        return made

    async def _changed(self, made: Tournament, how: Callable[[Tournament], None]) -> web.StreamResponse:
        return answer(details(await self._tournaments.change(made.id, how), self._identities))


def tournament_of(given: messages.NewTournament, owner: str) -> Tournament:
    """Return the tournament that *given* describes; BadOptions, RulesError or UnknownGame if it is wrong."""
    game = find_game(given.game)
    if not 0 <= given.starts_in <= LONGEST_AHEAD:
        raise BadOptions(f"starts_in {given.starts_in:g}: expected 0…{LONGEST_AHEAD:g} seconds")
    made = Tournament(
        secrets.token_hex(4),
        record.clean(given.name),
        game.name,
        max(game.seats) if given.seats is None else given.seats,
        time.time() + given.starts_in,
        given.format,
        given.rounds,
        given.fill,
        given.patience,
        game.options.changed(game.options.read(given.options)),
        game.table_options.changed(game.table_options.read(given.table_options)),
        owner=owner,
    )
    made.check()
    if made.seats not in game.seats:
        many = ", ".join(str(count) for count in game.seats if count > 1)
        raise BadOptions(f"{made.seats} seats: expected {many}")
    setup_of("new", game, spec_of(made, Board("new", [-1 - seat for seat in range(made.seats)])))
    return made


def _bad_token() -> Refusal:
    return Refusal("bad_token", f"token: expected 1 to {TOKEN_LIMIT} characters")


def _moment(seconds: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def brief(made: Tournament) -> messages.TournamentRow:
    """Return a tournament as lists show it."""
    return messages.TournamentRow(
        id=made.id,
        name=made.name,
        game=made.game,
        seats=made.seats,
        format=cast(messages.Format, made.format),
        rounds=made.rounds,
        starts=_moment(made.starts),
        phase=cast(messages.TournamentPhase, made.phase),
        entrants=len(made.entrants),
        round=len(made.played),
        page=f"/tournament/{made.id}",
    )


def details(made: Tournament, identities: Identities) -> messages.TournamentInfo:
    """Return everything public about a tournament."""

    def profile(entrant: int) -> str | None:
        token = identities.person(made.entrants[entrant].token) if entrant >= 0 else ""
        account = identities.account(token)
        return account.name if account is not None else None

    return messages.TournamentInfo(
        **msgspec.structs.asdict(brief(made)),
        fill=made.fill,
        patience=made.patience,
        options=made.options,
        players=[one.name for one in made.entrants],
        standings=[
            messages.TournamentStanding(
                name=made.name_of(line.entrant),
                bot=line.entrant < 0,
                profile=profile(line.entrant),
                place=line.place,
                points=line.points,
                score=line.score,
                matches=line.matches,
            )
            for line in standings(made)
        ],
        tables=[
            [
                messages.TournamentBoard(
                    table=board.table,
                    players=[made.name_of(entrant) for entrant in board.seats],
                    bots=[entrant < 0 for entrant in board.seats],
                    profiles=[profile(entrant) for entrant in board.seats],
                    match=board.match if board.places else None,
                    ended=bool(board.match),
                    scores=board.scores,
                    places=board.places,
                )
                for board in boards
            ]
            for boards in made.played
        ],
    )


def as_csv(made: Tournament) -> str:
    """Return the standings as CSV, with the score of each round."""
    rounds = [
        {
            entrant: score
            for board in boards
            for entrant, score in zip(board.seats, board.scores, strict=False)
        }
        for boards in made.played
    ]
    file = io.StringIO()
    rows = csv.writer(file)
    numbers = range(1, len(rounds) + 1)
    rows.writerow(["place", "player", "bot", "points", "score", "matches", *(f"round {n}" for n in numbers)])
    for line in standings(made):
        scores = [scores.get(line.entrant, "") for scores in rounds]
        bot = "yes" if line.entrant < 0 else "no"
        name = _as_text(made.name_of(line.entrant))
        rows.writerow([line.place, name, bot, line.points, line.score, line.matches, *scores])
    return file.getvalue()


def _as_text(name: str) -> str:
    """Return *name* so that no spreadsheet takes it for a formula."""
    return f"'{name}" if name[0] in "=+-@" else name


def listing(tournaments: Tournaments) -> list[messages.TournamentRow]:
    """Return the tournaments that are announced or running, then the last finished ones."""
    rank = {RUNNING: 0, OPEN: 1}
    known = sorted(tournaments.all.values(), key=lambda one: -one.starts)
    current = sorted(
        (one for one in known if one.phase in rank), key=lambda one: (rank[one.phase], one.starts)
    )
    past = [one for one in known if one.phase not in rank]
    return [brief(one) for one in [*current, *past[:SHOWN_OVER]]]
