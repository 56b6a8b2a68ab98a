"""The HTTP API of tables, matches and records (docs/house-protocol.md)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from functools import cache, partial
from hmac import compare_digest
from typing import TypeVar

import msgspec
from aiohttp import web

from croupier.bots import strengths as bots
from croupier.core import contract, record
from croupier.core.chance import commitment
from croupier.core.contract import Game, RulesError
from croupier.core.options import BadOptions
from croupier.core.refusal import Refusal
from croupier.games import UnknownGame, has_lobby, languages, names, protocol_of, rules_text
from croupier.games import game as find_game
from croupier.games import material as find_material
from croupier.games import texts as find_texts
from croupier.http import Route, address_of, answer, bearer, body, deal_of, is_secure, limit_of
from croupier.net.feeds import serve_feed
from croupier.net.house import HOUSE
from croupier.net.outbox import Channel, Outbox
from croupier.net.schema import schema
from croupier.net.table_list import page
from croupier.store.api import MatchRow
from croupier.table import journal
from croupier.table.changes import Changing
from croupier.table.shell import Shell
from croupier.wire import house_messages as messages
from croupier.wire.table_spec import TableSpec
from croupier.wire.talk import token_digest

FEED_BACKLOG = 1024 * 1024

T = TypeVar("T")


def compiled() -> bool:
    """Return True if the rules run compiled."""
    return not contract.__file__.endswith(".py")


async def games(request: web.Request) -> web.StreamResponse:
    """GET /api/games"""
    return answer([_game(find_game(name)) for name in names()])


def _game(game: Game) -> messages.GameRow:
    return messages.GameRow(
        name=game.name,
        title=game.title,
        seats=list(game.seats),
        bots=bots.names(game),
        strengths=bots.strengths(game),
        usual=bots.filler(game),
        options=msgspec.convert(game.options.plain(), list[messages.OptionRow]),
        table_options=msgspec.convert(game.table_options.plain(), list[messages.OptionRow]),
        presets=msgspec.convert([one.plain() for one in game.presets], list[messages.PresetRow]),
        for_people=dict(game.for_people),
        clocks=list(game.person_clocks or game.clocks),
        penalties=game.penalties,
        sides=game.sides(max(game.seats)),
        page=dict(game.page),
        languages=languages(game.name),
        protocol=None if game.protocol is None else "lobby" if has_lobby(game.name) else "table",
        pages=list(game.pages),
        material=f"/api/games/{game.name}/material" if find_material(game) is not None else None,
    )


async def published(request: web.Request) -> web.StreamResponse:
    """GET /api/schema"""
    return answer(_schema())


@cache
def _schema() -> msgspec.Raw:
    """Return the schema, which stays the same while the server runs and takes 30 ms to make."""
    return msgspec.Raw(msgspec.json.encode(schema()))


async def material(request: web.Request) -> web.StreamResponse:
    """GET /api/games/<game>/material"""
    game = find_game(_named(request))
    found = find_material(game)
    if found is None:
        raise Refusal("no_material", f"{game.title} has no material to list")
    return answer(found)


async def texts(request: web.Request) -> web.StreamResponse:
    """GET /api/games/<game>/texts/<language>: what the game brings, in English if it has no other."""
    return answer(find_texts(_named(request), request.match_info["language"]))


async def rules(request: web.Request) -> web.StreamResponse:
    """GET /api/games/<game>/rules/<language>: the rules for people, as Markdown."""
    text = rules_text(_named(request), request.match_info["language"])
    return web.Response(text=text, content_type="text/markdown", charset="utf-8")


def _named(request: web.Request) -> str:
    name = request.match_info["game"]
    if name not in names():
        raise Refusal("no_such_game", str(UnknownGame(name)))
    return name


def is_invited(request: web.Request, shell: Shell) -> bool:
    """Return True if a client may connect to this table: to a private one only with its invitation."""
    spec = shell.table.spec
    given = request.query.get("invitation", "")
    invited = compare_digest(given.encode(errors="replace"), spec.invitation.encode())
    return not spec.private or (bool(given) and invited)


async def tables(request: web.Request) -> web.StreamResponse:
    """GET /api/tables: newest first."""
    return answer(page(request.app[HOUSE].table_feed, request))


async def deals(request: web.Request) -> web.StreamResponse:
    """GET /api/tables/<id>/deals: commitments of the table's last match, and the seeds of finished deals."""
    house = request.app[HOUSE]
    shell = await house.find(request.match_info["id"])
    if shell is None or not is_invited(request, shell):
        raise web.HTTPNotFound
    table = shell.table
    lines = await house.store.log(table.id, shell.first_line)
    if table.watch_delay and table.state is not None:
        lines = []  # watchers see a running match later
    entries = journal.decode_all(lines)
    revealed = {entry.deal for entry in entries if isinstance(entry, journal.Revealed)}
    return answer(
        messages.TableDeals(
            match=next((entry.match for entry in entries if isinstance(entry, journal.Began)), None),
            fixed_deal=table.fixed_deal,
            deals=[
                messages.DealCommitment(
                    deal=entry.deal,
                    digest=commitment(bytes.fromhex(entry.seed)),
                    nonces=entry.nonces,
                    seed=entry.seed if entry.deal in revealed else None,
                )
                for entry in entries
                if isinstance(entry, journal.Committed)
            ],
            next_deal=table.for_watchers.next_deal,
        )
    )


async def new_table(request: web.Request) -> web.StreamResponse:
    """POST /api/tables"""
    house = request.app[HOUSE]
    given = await body(request, messages.NewTable)
    spec = TableSpec(
        seats=given.seats,
        options=given.options,
        table_options=given.table_options,
        seed=None if given.seed is None else str(given.seed),
        auto_cycle=given.auto_cycle,
        start=given.start,
        watch_open=given.watch_open,
        watch_delay=given.watch_delay,
        anybody_starts=house.mode == "node",
        seat_tokens=[token_digest(token) if token else "" for token in given.seat_tokens],
        owners=owners(request),
    )
    await house.place(given.game)
    try:
        return opened(request, await house.tables.open(find_game(given.game), spec))
    except (BadOptions, RulesError, UnknownGame) as error:
        raise Refusal("bad_options", str(error)) from None


def owners(request: web.Request) -> list[str]:
    """Return who counts as the owner of a table that this request opens."""
    token = bearer(request)
    tokens = [token_digest(token)] if token else []
    return request.app[HOUSE].identities.owners(address_of(request), tokens)


def opened(request: web.Request, shell: Shell) -> web.Response:
    """Return the addresses of a new table."""
    return addresses(request, shell.table.id, shell.table.game.name, 201)


def addresses(request: web.Request, id: str, game: str, status: int) -> web.Response:
    """Return the addresses of the table *id* of *game*."""
    base = f"{'wss' if is_secure(request) else 'ws'}://{request.host}"
    own = None
    if game in request.app[HOUSE].lobbies:
        own = f"{base}/{game}"
    elif protocol_of(game) is not None and not has_lobby(game):
        own = f"{base}/t/{id}"
    return answer(messages.Opened(id, f"/table/{id}", f"{base}/house/{id}", own), status)


async def lobby(request: web.Request) -> web.StreamResponse:
    """WebSocket /api/lobby: the open tables, and what changes."""
    return await request.app[HOUSE].table_feed.follow(request)


async def feed(request: web.Request, source: Changing, look: Callable[[], object]) -> web.StreamResponse:
    """Send the result of *look*, now and when *source* changes, until the connection ends."""

    async def send(outbox: Outbox, channel: Channel) -> None:
        while outbox.push(msgspec.json.encode(look())):
            await source.changed(source.changes)
            await asyncio.sleep(0.2)  # a full table changes in bursts; the newest state is enough

    return await serve_feed(request, FEED_BACKLOG, send)


def _match(row: MatchRow, accounts: Mapping[int, str]) -> messages.MatchRow:
    assert row.result is not None, "only finished matches are shown"
    players = msgspec.json.decode(row.players, type=list[str])
    return messages.MatchRow(
        id=row.id,
        game=row.game,
        table=row.table,
        players=players,
        profiles=[accounts.get(seat) for seat in range(len(players))],
        started=row.started,
        ended=row.ended,
        result=msgspec.json.decode(row.result, type=list[int]),
    )


async def matches(request: web.Request) -> web.StreamResponse:
    """GET /api/matches: finished ones, newest first."""
    query = request.query
    rows = await request.app[HOUSE].store.matches(
        game=query.get("game"),
        ended=True,
        limit=limit_of(request, 20),
        before=query.get("before"),
        listed=True,
    )
    accounts = await _accounts_in(request, [row.id for row in rows])
    return answer([_match(row, accounts.get(row.id, {})) for row in rows if row.result is not None])


async def _accounts_in(request: web.Request, matches: list[str]) -> dict[str, dict[int, str]]:
    """Return the names of the accounts that played in these matches, by match and seat."""
    accounts = request.app[HOUSE].accounts
    return await accounts.store.accounts_in(matches) if accounts is not None else {}


async def _of_match(request: web.Request, use: Callable[[MatchRow, record.Record], T]) -> T:
    """Return what *use* computes from the finished match that the request asks for."""
    return await request.app[HOUSE].archive.match(request.match_info["id"], use)


async def match(request: web.Request) -> web.StreamResponse:
    """GET /api/matches/<id>"""
    accounts = (await _accounts_in(request, [request.match_info["id"]])).get(request.match_info["id"], {})
    return answer(await _of_match(request, partial(_match_info, accounts)))


def _match_info(accounts: Mapping[int, str], row: MatchRow, written: record.Record) -> messages.MatchInfo:
    seeds = {entry.deal: entry.seed for entry in written.entries if isinstance(entry, record.Reveal)}
    commits = [entry for entry in written.entries if isinstance(entry, record.Commit)]
    nonces = record.nonces(written)
    return messages.MatchInfo(
        **msgspec.structs.asdict(_match(row, accounts)),
        options=written.options,
        seed=written.seed,
        fixed_deal=not written.is_random,
        deals=record.replay(written, find_game(row.game)).deal(),
        commitments=[
            messages.DealCommitment(
                deal=commit.deal,
                digest=commit.digest,
                nonces=nonces.get(commit.deal, []),
                seed=seeds.get(commit.deal),
            )
            for commit in commits
        ],
    )


async def steps(request: web.Request) -> web.StreamResponse:
    """GET /api/matches/<id>/steps?deal=<n>: the events of one deal, with all hands open."""
    return answer(await _of_match(request, partial(_steps, deal_of(request))))


def _steps(wanted: int, row: MatchRow, written: record.Record) -> messages.DealSteps:
    game = find_game(row.game)
    seats = range(written.seats)
    steps: list[messages.MatchStep] = []
    deal = 1
    for entry, state, events in record.steps(written, game):
        if deal == wanted and isinstance(entry, record.Drawn | record.Acted):
            steps.append(
                messages.MatchStep(
                    entry=record.write_entry(entry),
                    events=[event.fact() for event in events],
                    heard=[[seat for seat in seats if event.heard_by(seat)] for event in events],
                    views=[state.view(seat).typed_facts() for seat in seats],
                )
            )
        deal = state.deal() + 1
    return messages.DealSteps(deal=wanted, deals=deal - 1, steps=steps)


async def record_text(request: web.Request) -> web.StreamResponse:
    """GET /api/matches/<id>/record"""
    id, text = await _of_match(request, lambda row, written: (row.id, record.write(written)))
    response = web.Response(text=text, content_type="text/plain", charset="utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{id}.record"'
    return response


ROUTES: list[Route] = [
    ("GET", "/api/games", games),
    ("GET", "/api/games/{game}/material", material),
    ("GET", "/api/schema", published),
    ("GET", "/api/games/{game}/texts/{language}", texts),
    ("GET", "/api/games/{game}/rules/{language}", rules),
    ("GET", "/api/tables", tables),
    ("POST", "/api/tables", new_table),
    ("GET", "/api/tables/{id}/deals", deals),
    ("GET", "/api/lobby", lobby),
    ("GET", "/api/matches", matches),
    ("GET", "/api/matches/{id}", match),
    ("GET", "/api/matches/{id}/steps", steps),
    ("GET", "/api/matches/{id}/record", record_text),
]
