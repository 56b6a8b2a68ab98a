"""The lobby over HTTP: games, tables, matches, records (docs/house-protocol.md)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Protocol, TypeAlias, TypeVar

import msgspec
from aiohttp import WSMsgType, web

from croupier.bots import strengths as bots
from croupier.core import contract, record
from croupier.core.contract import Plain, RulesError
from croupier.core.options import BadOptions
from croupier.games import UnknownGame, has_desk, names
from croupier.games import game as find_game
from croupier.net.outbox import Outbox
from croupier.net.sockets import aborter, say_goodbye
from croupier.store.api import MatchRow
from croupier.table.archive import read_record
from croupier.table.hall import Config, Hall, HallFull, setup_of
from croupier.table.runner import Runner
from croupier.wire.house import seats_plain
from croupier.wire.talk import token_digest

T = TypeVar("T")
Handler: TypeAlias = Callable[[web.Request], Awaitable[web.StreamResponse]]

HALL = web.AppKey("hall", Hall)
MODE = web.AppKey("mode", str)
"""``serve``, or ``node``: the game node, which has no desks."""

LOBBY_BACKLOG = 1024 * 1024


def compiled() -> bool:
    """Say whether the rules run compiled."""
    return not contract.__file__.endswith(".py")


def answer(data: object, status: int = 200) -> web.Response:
    """Return *data* as JSON, compressed where it pays."""
    response = web.Response(
        body=msgspec.json.encode(data), status=status, content_type="application/json", charset="utf-8"
    )
    response.headers["Cache-Control"] = "no-store"
    response.enable_compression()
    return response


def problem(status: int, key: str, words: str) -> web.Response:
    """Return a refusal in the API's words."""
    return answer({"key": key, "words": words}, status)


class Problem(Exception):
    """A request that cannot be answered; the application turns it into its refusal."""

    def __init__(self, status: int, key: str, words: str) -> None:
        super().__init__(words)
        self.status = status
        self.key = key


async def body(request: web.Request, kind: type[T]) -> T:
    """Return what a request brings along."""
    # Only a page of our own may send this type without asking first, so a foreign page cannot.
    if request.content_type != "application/json":
        words = f"content type {request.content_type}: expected application/json"
        raise Problem(415, "bad_type", words)
    try:
        return msgspec.json.decode(await request.read(), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        # The words of msgspec name members and types, never values.
        raise Problem(400, "bad_message", str(error) or "too deeply nested") from None


async def games(request: web.Request) -> web.StreamResponse:
    """GET /api/games"""
    found: list[Plain] = []
    for name in names():
        game = find_game(name)
        found.append(
            {
                "name": game.name,
                "title": game.title,
                "seats": list(game.seats),
                "bots": bots.names(game),
                "strengths": bots.strengths(game),
                "usual": bots.filler(game),
                "options": game.options.plain(),
                "table_options": game.table_options.plain(),
            }
        )
    return answer(found)


def listing(hall: Hall) -> list[Plain]:
    """Return the open tables as the lobby shows them, newest first."""
    rows = [_table(hall, runner) for runner in hall.runners.values() if not runner.table.setup.private]
    return rows[::-1]


def _table(hall: Hall, runner: Runner) -> Plain:
    table = runner.table.gallery
    return {
        "id": table.id,
        "game": table.game.name,
        "title": table.game.title,
        "phase": table.phase,
        "seats": seats_plain(table),
        "watch_delay": table.watch_delay,
        "watchers": sum(1 for peer in runner.peers.values() if peer.conversation.seat < 0),
        "created": hall.created[table.id],
        "page": f"/table/{table.id}",
    }


async def tables(request: web.Request) -> web.StreamResponse:
    """GET /api/tables"""
    return answer(listing(request.app[HALL]))


class NewTable(msgspec.Struct, forbid_unknown_fields=True):
    """The body of POST /api/tables."""

    game: str
    seats: list[str]
    options: dict[str, bool | int | str | list[str]] = {}
    table_options: dict[str, bool | int | str | list[str]] = {}
    seed: str | int | None = None
    auto_cycle: bool = False
    start: bool = True
    watch_open: bool = False
    watch_delay: int = 0
    seat_tokens: list[str] = []


async def new_table(request: web.Request) -> web.StreamResponse:
    """POST /api/tables"""
    wish = await body(request, NewTable)
    try:
        game = find_game(wish.game)
        config = Config(
            seats=wish.seats,
            options=game.options.changed(game.options.read(wish.options)),
            table_options=game.table_options.changed(game.table_options.read(wish.table_options)),
            seed=None if wish.seed is None else str(wish.seed),
            auto_cycle=wish.auto_cycle,
            start=wish.start,
            watch_open=wish.watch_open,
            watch_delay=wish.watch_delay,
            anybody_starts=request.app[MODE] == "node",
            seat_tokens=[token_digest(token) if token else "" for token in wish.seat_tokens],
        )
        setup_of("new", game, config)
    except (BadOptions, RulesError, UnknownGame) as error:
        return problem(400, "bad_options", str(error))
    try:
        runner = await request.app[HALL].open(game, config)
    except HallFull as error:
        return problem(503, "full", str(error))
    return opened(request, runner)


def opened(request: web.Request, runner: Runner) -> web.Response:
    """Say where a new table is to be found."""
    id = runner.table.id
    base = f"{'wss' if request.secure else 'ws'}://{request.host}"
    found = {"id": id, "page": f"/table/{id}", "house": f"{base}/house/{id}"}
    game = runner.table.game.name
    if not has_desk(game):
        found[game] = f"{base}/t/{id}"
    elif request.app[MODE] == "serve":
        found[game] = f"{base}/{game}"
    return answer(found, 201)


class Changing(Protocol):
    """Something that says when it looks different."""

    changes: int

    async def changed(self, since: int) -> int: ...


async def lobby(request: web.Request) -> web.StreamResponse:
    """WebSocket /api/lobby: the list of tables, now and whenever it changes."""
    hall = request.app[HALL]
    return await feed(request, hall, lambda: listing(hall))


async def feed(request: web.Request, source: Changing, look: Callable[[], object]) -> web.StreamResponse:
    """Send what *look* sees, now and whenever *source* changes, until the connection ends."""
    socket = web.WebSocketResponse(max_msg_size=1024, heartbeat=30.0)
    await socket.prepare(request)

    outbox = Outbox(LOBBY_BACKLOG, socket.send_str, partial(say_goodbye, socket), aborter(request))
    sending = asyncio.get_running_loop().create_task(_send(source, look, outbox))
    try:
        async for message in socket:
            if message.type == WSMsgType.ERROR:
                break
    finally:
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)
        await outbox.stop()
    return socket


async def _send(source: Changing, look: Callable[[], object], outbox: Outbox) -> None:
    seen = source.changes
    while outbox.push(msgspec.json.encode(look()).decode()):
        seen = await source.changed(seen)
        await asyncio.sleep(0.2)  # a full table changes in bursts; the newest state is enough
        seen = source.changes


def profiles(players: Sequence[str], accounts: Mapping[int, str]) -> list[str | None]:
    """Return for each seat the name of the account that played there, which has a profile."""
    return [accounts.get(seat) for seat in range(len(players))]


def _match(row: MatchRow, accounts: Mapping[int, str]) -> Plain:
    players = msgspec.json.decode(row.players, type=list[str])
    return {
        "id": row.id,
        "game": row.game,
        "table": row.table,
        "players": players,
        "profiles": profiles(players, accounts),
        "started": row.started,
        "ended": row.ended,
        "result": msgspec.json.decode(row.result) if row.result is not None else None,
    }


async def matches(request: web.Request) -> web.StreamResponse:
    """GET /api/matches: finished ones, newest first."""
    query = request.query
    limit = query.get("limit", "20")
    if not (limit.isascii() and limit.isdigit() and len(limit) <= 3 and 1 <= int(limit) <= 200):
        return problem(400, "bad_limit", f"limit={limit[:20]}: expected 1…200")
    store = request.app[HALL].store
    rows = await store.matches(
        game=query.get("game"), ended=True, limit=int(limit), before=query.get("before")
    )
    accounts = await store.accounts_in([row.id for row in rows])
    return answer([_match(row, accounts.get(row.id, {})) for row in rows if row.result is not None])


async def finished_match(request: web.Request) -> tuple[MatchRow, record.Record]:
    """Return a finished match and its record; a running one is nobody's to read."""
    hall = request.app[HALL]
    id = request.match_info["id"]
    row = await hall.store.match(id)
    if row is None:
        raise Problem(404, "no_such_match", f"match {id}: there is none")
    if row.result is None or row.last is None:
        raise Problem(409, "not_finished", f"match {id} has not been played to its end")
    return row, await read_record(hall.store, row)


async def match(request: web.Request) -> web.StreamResponse:
    """GET /api/matches/<id>"""
    row, written = await finished_match(request)
    seeds = {entry.deal: entry.seed for entry in written.entries if isinstance(entry, record.Reveal)}
    commits = [entry for entry in written.entries if isinstance(entry, record.Commit)]
    accounts = await request.app[HALL].store.accounts_in([row.id])
    return answer(
        {
            **_match(row, accounts.get(row.id, {})),
            "options": written.options,
            "seed": written.seed,
            "deals": record.replay(written, find_game(row.game)).deal(),
            "commitments": [
                {"deal": commit.deal, "digest": commit.digest, "seed": seeds.get(commit.deal)}
                for commit in commits
            ],
        }
    )


async def steps(request: web.Request) -> web.StreamResponse:
    """GET /api/matches/<id>/steps?deal=<n>: what happened in one deal, every hand open."""
    row, written = await finished_match(request)
    return answer(await asyncio.to_thread(_steps, row, written, deal_of(request)))


def deal_of(request: web.Request) -> int:
    """Return which deal of a match is wanted."""
    wanted = request.query.get("deal", "1")
    if not (wanted.isascii() and wanted.isdigit()):
        raise Problem(400, "bad_deal", f"deal={wanted[:20]}: expected a number from 1 on")
    return int(wanted[:6])


def _steps(row: MatchRow, written: record.Record, wanted: int) -> Plain:
    game = find_game(row.game)
    seats = range(written.seats)
    steps: list[Plain] = []
    deal = 1
    for entry, state, events in record.steps(written, game):
        if deal == wanted and isinstance(entry, record.Drawn | record.Acted):
            steps.append(
                {
                    "entry": record.write_entry(entry),
                    "events": [event.plain() for event in events],
                    "heard": [[seat for seat in seats if event.heard_by(seat)] for event in events],
                    "views": [state.view(seat).facts() for seat in seats],
                }
            )
        deal = state.deal() + 1
    return {"deal": wanted, "deals": deal - 1, "steps": steps}


async def record_text(request: web.Request) -> web.StreamResponse:
    """GET /api/matches/<id>/record"""
    row, written = await finished_match(request)
    response = web.Response(text=record.write(written), content_type="text/plain", charset="utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{row.id}.record"'
    return response


ROUTES: list[tuple[str, str, Handler]] = [
    ("GET", "/api/games", games),
    ("GET", "/api/tables", tables),
    ("POST", "/api/tables", new_table),
    ("GET", "/api/lobby", lobby),
    ("GET", "/api/matches", matches),
    ("GET", "/api/matches/{id}", match),
    ("GET", "/api/matches/{id}/steps", steps),
    ("GET", "/api/matches/{id}/record", record_text),
]
