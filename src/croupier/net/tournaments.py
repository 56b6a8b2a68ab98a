"""Tournaments of a server: announced, entered, played at its tables, with standings as they change.

A table of a round keeps its seats for whoever drew them: entrants come to it over any protocol the way one
comes back to a seat, by name and token. What happens is in the store before anybody is told.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Callable
from typing import Final, Literal

import msgspec
from aiohttp import web

from croupier.core import record
from croupier.core.contract import Plain, RulesError
from croupier.core.options import BadOptions
from croupier.games import UnknownGame
from croupier.games import game as find_game
from croupier.net.address import address_of
from croupier.net.api import HALL, Handler, Problem, answer, body, feed, problem
from croupier.table.archive import read_record
from croupier.table.effects import Guest
from croupier.table.hall import Config, Hall, HallFull, setup_of
from croupier.table.tournament import (
    CALLED_OFF,
    OPEN,
    OVER,
    RUNNING,
    SWISS,
    BadTournament,
    Board,
    CannotEnter,
    Entrant,
    Tournament,
    call_off,
    enter,
    entered,
    finished,
    next_round,
    standings,
    whole,
    withdraw,
)
from croupier.wire.accounts import Account, Register, fold
from croupier.wire.greeting import clean_name
from croupier.wire.house import TOKEN_LIMIT

log = logging.getLogger(__name__)

REALM: Final = "tournaments"
MOST_OPEN: Final = 50
"""So many tournaments may be announced or under way at once."""
MOST_BY_ONE: Final = 10
"""So many of them may have been announced from one address."""
SHOWN_OVER: Final = 20
AGAIN: Final = 5.0
"""Seconds until what the hall or the disk refused is tried once more."""
LONGEST_AHEAD: Final = 90 * 86400.0


class Tournaments:
    """All tournaments of a server."""

    def __init__(self, hall: Hall, clock: Callable[[], float] = time.time) -> None:
        self.all: dict[str, Tournament] = {}
        self.changes = 0
        self._hall = hall
        self._clock = clock
        self._from: dict[str, str] = {}
        """The addresses that those announced since the start came from."""
        self._lock = asyncio.Lock()
        self._bell = asyncio.Event()
        self._changed = asyncio.Event()

    async def load(self) -> None:
        """Take up what the store has kept."""
        for id, data in (await self._hall.store.kept(REALM)).items():
            self.all[id] = msgspec.json.decode(data, type=Tournament)

    async def changed(self, since: int) -> int:
        """Wait until something is different from what it was at change *since*; return the count."""
        while self.changes == since:
            self._changed.clear()
            await self._changed.wait()
        return self.changes

    async def announce(self, made: Tournament, address: str) -> None:
        """Take in a new tournament that has been checked."""
        async with self._lock:
            current = [id for id, one in self.all.items() if one.phase in (OPEN, RUNNING)]
            if len(current) >= MOST_OPEN:
                raise HallFull(f"{MOST_OPEN} tournaments are announced: try again later")
            self._from = {id: self._from[id] for id in current if id in self._from}
            if list(self._from.values()).count(address) >= MOST_BY_ONE:
                words = f"{MOST_BY_ONE} tournaments from your address are not over: call one off or wait"
                raise HallFull(words)
            await self._keep(made)
            self._from[made.id] = address

    async def change(self, id: str, how: Callable[[Tournament], None]) -> Tournament:
        """Let *how* change a tournament; it is stored before anybody sees it."""
        async with self._lock:
            copy = msgspec.convert(msgspec.to_builtins(self.all[id]), Tournament)
            how(copy)
            await self._keep(copy)
            return copy

    async def forget(self, account: Account) -> None:
        """Let an account that is deleted go from the tournaments that have not begun."""

        def go(copy: Tournament) -> None:
            settle(copy, self._hall.register)
            withdraw(copy, account.seal)

        def disown(copy: Tournament) -> None:
            copy.owner = ""

        for id, one in list(self.all.items()):
            if one.owner and self._hall.register.person(one.owner) == account.seal:
                await self.change(id, disown)
            with contextlib.suppress(CannotEnter):
                await self.change(id, go)

    def held(self, key: str) -> str | None:
        """Return what the name *key* is entered with where it is not over; none fits if those are several."""
        current = [one for one in self.all.values() if one.phase in (OPEN, RUNNING)]
        tokens = {who.token for one in current for who in one.entrants if fold(who.name) == key}
        return tokens.pop() if len(tokens) == 1 else "" if tokens else None

    async def _keep(self, made: Tournament) -> None:
        await self._hall.store.keep(REALM, made.id, msgspec.json.encode(made).decode())
        self.all[made.id] = made
        self.changes += 1
        self._changed.set()
        self._bell.set()

    # Playing.

    async def run(self) -> None:
        """Start what is due and see what has ended, for as long as the server runs."""
        while True:
            seen = self._hall.changes
            self._bell.clear()
            again = self._clock() + 3600.0
            for id in list(self.all):
                try:
                    await self._advance(id)
                except Exception:  # whatever it is, the others go on
                    log.exception("tournament %s cannot go on; trying again in %g s", id, AGAIN)
                    again = self._clock() + AGAIN
            starts = [one.starts for one in self.all.values() if one.phase == OPEN]
            running = any(one.phase == RUNNING for one in self.all.values())
            wait = max(0.0, min([*starts, again]) - self._clock())
            await self._rest(wait, seen if running else None)

    async def _rest(self, wait: float, seen: int | None) -> None:
        """Wait for the next start, a new entry, or a table that has ended."""
        news: list[asyncio.Task[int] | asyncio.Task[Literal[True]]]
        news = [asyncio.create_task(self._bell.wait())]
        if seen is not None:
            news.append(asyncio.create_task(self._hall.changed(seen)))
        try:
            await asyncio.wait(news, timeout=wait, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in news:
                task.cancel()
            await asyncio.gather(*news, return_exceptions=True)

    async def _advance(self, id: str) -> None:
        made = self.all[id]
        if made.phase == OPEN and made.starts <= self._clock():
            await self.change(id, lambda copy: _start(copy, self._hall.register))
            made = self.all[id]
        if made.phase != RUNNING:
            return
        for number, board in enumerate(made.played[-1]):
            if not board.match:
                await self._look(made, number)
        if whole(self.all[id].played[-1]):
            await self.change(id, _go_on)
            if self.all[id].phase == RUNNING:
                await self._advance(id)

    async def _look(self, made: Tournament, number: int) -> None:
        """Open a table that is due, or write down how its match has ended."""
        board = made.played[-1][number]
        row = await self._hall.store.table(board.table)
        if row is None:
            await self._open(made, board)
            return
        if await self._hall.find(board.table) is not None or board.table in self._hall.broken:
            return
        match = await self._hall.store.match(f"{board.table}-1")
        if match is not None and match.ended is None and row.closed is None:
            return  # it is being closed
        payoffs: list[float] = []
        if match is not None and match.result is not None:
            written = await read_record(self._hall.store, match)
            state = await asyncio.to_thread(record.replay, written, find_game(made.game))
            payoffs = state.payoffs()

        def note(copy: Tournament) -> None:
            copy.played[-1][number].match = f"{board.table}-1"
            copy.played[-1][number].payoffs = payoffs

        await self.change(made.id, note)

    async def _open(self, made: Tournament, board: Board) -> None:
        config = _config(made, board)
        await self._hall.open(find_game(made.game), config, board.table)


def _config(made: Tournament, board: Board) -> Config:
    guests: list[Guest | None] = []
    for entrant in board.seats:
        one = made.entrants[entrant] if entrant >= 0 else None
        guests.append(None if one is None else Guest(one.name, one.token, one.person))
    return Config(
        seats=["person" if entrant >= 0 else f"bot {made.fill}" for entrant in board.seats],
        options=made.options,
        table_options=made.table_options,
        auto_cycle=True,  # a match may have several games
        single=True,
        guests=guests,
        patience=made.patience,
    )


def settle(made: Tournament, register: Register) -> None:
    """Give an account what was its before it was one; several entries of one person are the first."""
    made.owner = made.owner and register.person(made.owner)
    found: dict[str, Entrant] = {}
    for one in made.entrants:
        seal = register.person(one.token)
        found.setdefault(seal, msgspec.structs.replace(one, token=seal))
    made.entrants = list(found.values())


def _start(made: Tournament, register: Register) -> None:
    settle(made, register)
    made.phase = RUNNING if made.entrants else CALLED_OFF
    if made.entrants:
        _deal_out(made)


def _go_on(made: Tournament) -> None:
    if finished(made):
        made.phase = OVER
    else:
        _deal_out(made)


def _deal_out(made: Tournament) -> None:
    made.played.append([Board(secrets.token_hex(4), seats) for seats in next_round(made)])


# The API.


TOURNAMENTS = web.AppKey("tournaments", Tournaments)


def _moment(seconds: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def brief(made: Tournament) -> Plain:
    """Return a tournament as lists show it."""
    return {
        "id": made.id,
        "name": made.name,
        "game": made.game,
        "seats": made.seats,
        "format": made.format,
        "rounds": made.rounds,
        "starts": _moment(made.starts),
        "phase": made.phase,
        "entrants": len(made.entrants),
        "round": len(made.played),
        "page": f"/tournament/{made.id}",
    }


def whole_story(made: Tournament) -> Plain:
    """Return all that anybody may know of a tournament."""
    names = [one.name for one in made.entrants]
    return {
        **brief(made),
        "fill": made.fill,
        "patience": made.patience,
        "options": made.options,
        "players": names,
        "standings": [
            {
                "name": names[line.entrant],
                "points": line.points,
                "payoff": line.payoff,
                "matches": line.matches,
            }
            for line in standings(made)
        ],
        "tables": [
            [
                {
                    "table": board.table,
                    "players": [names[entrant] if entrant >= 0 else None for entrant in board.seats],
                    "match": board.match if board.payoffs else None,
                    "ended": bool(board.match),
                    "payoffs": board.payoffs,
                }
                for board in boards
            ]
            for boards in made.played
        ],
    }


def listing(tournaments: Tournaments) -> list[Plain]:
    """Return the tournaments to come and under way, then the last that are over."""
    rank = {RUNNING: 0, OPEN: 1}
    known = sorted(tournaments.all.values(), key=lambda one: -one.starts)
    current = sorted(
        (one for one in known if one.phase in rank), key=lambda one: (rank[one.phase], one.starts)
    )
    past = [one for one in known if one.phase not in rank]
    return [brief(one) for one in [*current, *past[:SHOWN_OVER]]]


async def tournaments(request: web.Request) -> web.StreamResponse:
    """GET /api/tournaments"""
    return answer(listing(request.app[TOURNAMENTS]))


class NewTournament(msgspec.Struct, forbid_unknown_fields=True):
    """The body of POST /api/tournaments."""

    name: str
    game: str
    starts_in: float
    """Seconds from now."""
    seats: int | None = None
    format: str = SWISS
    rounds: int = 3
    fill: str = "club"
    patience: float = 60.0
    options: dict[str, bool | int | str | list[str]] = {}
    table_options: dict[str, bool | int | str | list[str]] = {}
    token: str = ""
    """What calls it off again."""


async def new_tournament(request: web.Request) -> web.StreamResponse:
    """POST /api/tournaments"""
    wish = await body(request, NewTournament)
    if len(wish.token) > TOKEN_LIMIT:
        raise _bad_token()
    try:
        game = find_game(wish.game)
        if not 0 <= wish.starts_in <= LONGEST_AHEAD:
            raise BadTournament(f"starts_in {wish.starts_in:g}: expected 0…{LONGEST_AHEAD:g} seconds")
        made = Tournament(
            secrets.token_hex(4),
            record.clean(wish.name),
            game.name,
            max(game.seats) if wish.seats is None else wish.seats,
            time.time() + wish.starts_in,
            wish.format,
            wish.rounds,
            wish.fill,
            wish.patience,
            game.options.changed(game.options.read(wish.options)),
            game.table_options.changed(game.table_options.read(wish.table_options)),
            owner=request.app[HALL].register.seal(wish.token) if wish.token else "",
        )
        made.check()
        if made.seats not in game.seats:
            many = ", ".join(str(count) for count in game.seats if count > 1)
            raise BadTournament(f"{made.seats} seats: expected {many}")
        setup_of("new", game, _config(made, Board("new", [-1] * made.seats)))
    except (BadOptions, RulesError, UnknownGame, BadTournament) as error:
        return problem(400, "bad_options", str(error))
    try:
        await request.app[TOURNAMENTS].announce(made, address_of(request))
    except HallFull as error:
        return problem(503, "full", str(error))
    return answer(whole_story(made), 201)


def _bad_token() -> Problem:
    return Problem(400, "bad_token", f"token: expected 1 to {TOKEN_LIMIT} characters")


def _known(request: web.Request) -> Tournament:
    id = request.match_info["id"]
    made = request.app[TOURNAMENTS].all.get(id)
    if made is None:
        raise Problem(404, "no_such_tournament", f"tournament {id}: there is none")
    return made


async def tournament(request: web.Request) -> web.StreamResponse:
    """GET /api/tournaments/<id>"""
    return answer(whole_story(_known(request)))


async def live(request: web.Request) -> web.StreamResponse:
    """WebSocket /api/tournaments/<id>/live: all of it, now and whenever it changes."""
    made = _known(request)
    every = request.app[TOURNAMENTS]
    return await feed(request, every, lambda: whole_story(every.all[made.id]))


class Owner(msgspec.Struct, forbid_unknown_fields=True):
    """The body of DELETE /api/tournaments/<id>."""

    token: str


async def calling_off(request: web.Request) -> web.StreamResponse:
    """DELETE /api/tournaments/<id>"""
    made = _known(request)
    claim = await body(request, Owner)
    if not 1 <= len(claim.token) <= TOKEN_LIMIT:
        raise _bad_token()
    register = request.app[HALL].register

    def how(copy: Tournament) -> None:
        settle(copy, register)
        call_off(copy, register.seal(claim.token))

    return await _changed(request, made, how)


async def _changed(
    request: web.Request, made: Tournament, how: Callable[[Tournament], None]
) -> web.StreamResponse:
    try:
        return answer(whole_story(await request.app[TOURNAMENTS].change(made.id, how)))
    except CannotEnter as error:
        return problem(409, error.key, str(error))


class Claim(msgspec.Struct, forbid_unknown_fields=True):
    """The body of POST and DELETE /api/tournaments/<id>/entry."""

    name: str
    token: str
    person: bool = True


async def entry(request: web.Request) -> web.StreamResponse:
    """POST and DELETE /api/tournaments/<id>/entry"""
    made = _known(request)
    claim = await body(request, Claim)
    name = clean_name(claim.name)
    if name is None:
        return problem(400, "bad_name", "name: expected 1 to 64 characters, no control characters")
    if not 1 <= len(claim.token) <= TOKEN_LIMIT:
        raise _bad_token()
    register = request.app[HALL].register
    account = register.holder(claim.token)
    if account is not None:
        name = account.name
    elif request.method == "POST" and register.owner(name) is not None:
        return problem(409, "name_taken", f"name {name!r}: it belongs to an account, whose token would do")
    seal = register.seal(claim.token)

    def how(copy: Tournament) -> None:
        settle(copy, register)
        if request.method == "DELETE":
            withdraw(copy, seal)
            return
        before = entered(copy, seal) if account is not None else None  # perhaps as a guest, so called
        enter(copy, before or Entrant(name, seal, claim.person))

    return await _changed(request, made, how)


ROUTES: list[tuple[str, str, Handler]] = [
    ("GET", "/api/tournaments", tournaments),
    ("POST", "/api/tournaments", new_tournament),
    ("GET", "/api/tournaments/{id}", tournament),
    ("DELETE", "/api/tournaments/{id}", calling_off),
    ("GET", "/api/tournaments/{id}/live", live),
    ("POST", "/api/tournaments/{id}/entry", entry),
    ("DELETE", "/api/tournaments/{id}/entry", entry),
]
