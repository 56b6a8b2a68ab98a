"""A running server: store, hall and listeners, from the first line printed to the last write."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import signal
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from ssl import SSLContext
from typing import Final

from aiohttp import web

from croupier.core.contract import Plain
from croupier.core.options import BadOptions
from croupier.games import game as find_game
from croupier.games import has_desk, names
from croupier.net.accounts import CLERK
from croupier.net.clerk import Clerk
from croupier.net.limits import Crowd
from croupier.net.logs import watch_stalls
from croupier.net.operator import PULSE, Pulse
from croupier.net.reception import Reception
from croupier.net.tcp import Listener
from croupier.net.tournaments import TOURNAMENTS
from croupier.net.web import DOORS, RECEPTIONS, make_app
from croupier.store import StoreError, open_store
from croupier.table.hall import DEFAULT, MOST_TABLES, Config, Hall
from croupier.table.thinkers import Thinkers

log = logging.getLogger(__name__)


TEND_SECONDS: Final = 3600.0
GOODBYE: Final = "the server stops; your game goes on when it is back"


class CannotServe(Exception):
    """The server cannot start: one line that says why."""


@dataclass(frozen=True, slots=True)
class Door:
    """A TCP port of one game's protocol."""

    game: str
    port: int
    """0 takes any free one."""
    option: str
    """The command line's name for it."""
    must: bool = True
    """Rather do not serve at all than without it."""
    line: bool = False
    """The variant of the protocol that is made for terminals."""


@dataclass(slots=True)
class Plan:
    """What to run."""

    host: str
    port: int
    mode: str
    """``serve`` or ``node``."""
    store: str | Path
    default: Config
    """The Hearts table at the root of the port; an existing one of that name goes on as it was."""
    ready: Callable[[int, Mapping[Door, int]], None]
    """Called with the real ports when everything listens."""
    doors: Sequence[Door] = ()
    tls: SSLContext | None = None
    most_tables: int = MOST_TABLES
    most_connections: int = 10_000
    thinkers: int | None = None
    """How many processes think for searching bots; None is one for each core."""
    operator_token: str = ""
    options: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    """By game: options of the tables that its own protocol opens."""


async def run(plan: Plan, stop: asyncio.Event | None = None) -> None:
    """Serve until *stop* is set or, without one, until SIGINT or SIGTERM."""
    loop = asyncio.get_running_loop()
    if stop is None:
        stop = asyncio.Event()
        for sign in (signal.SIGINT, signal.SIGTERM):
            with contextlib.suppress(NotImplementedError):  # not on Windows
                loop.add_signal_handler(sign, stop.set)
    try:
        store = await open_store(plan.store)
    except StoreError as error:
        raise CannotServe(str(error)) from None
    many = plan.thinkers if plan.thinkers is not None else os.cpu_count() or 1
    thinkers = Thinkers(many) if many else None
    hall = Hall(store, plan.most_tables, thinkers)
    crowd = Crowd(plan.most_connections)
    app = make_app(hall, plan.mode, crowd, plan.operator_token)
    pulse = app[PULSE] = Pulse(hall, crowd)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=2.0)
    receptions = app[RECEPTIONS]
    clerk = app[CLERK]
    listeners: list[Listener] = []
    try:
        await runner.setup()
        await clerk.open()
        # First what there was: a client that comes back early finds nobody, never a house without its table.
        back = await hall.recover()
        if DEFAULT in hall.broken:
            raise CannotServe(
                f"{plan.store}: the default table cannot be brought back (see above); other --data would do"
            )
        if DEFAULT not in hall.runners:
            await hall.open(find_game("hearts"), plan.default, DEFAULT)
        if plan.mode == "serve":
            for name in filter(has_desk, names()):
                receptions[name] = await _reception(hall, name, plan.options.get(name, {}), clerk)
            await app[TOURNAMENTS].load()
        port = await _listen(runner, plan)
        doors = await _open_doors(plan, receptions, crowd, listeners)
        for door, number in doors.items():
            said: Plain = {"game": door.game, "port": number, "line": door.line, "tls": plan.tls is not None}
            app[DOORS].append(said)
        hall.start_sweeping()
        log.info("listening on %s port %d, %d tables back", plan.host, port, back)
        plan.ready(port, doors)
        watches = [
            loop.create_task(watch_stalls()),
            loop.create_task(pulse.beat()),
            loop.create_task(_tend(clerk, receptions)),
        ]
        if plan.mode == "serve":
            watches.append(loop.create_task(app[TOURNAMENTS].run()))
        await stop.wait()
        for watch in watches:
            watch.cancel()
        log.info("stopping")
    finally:
        for listener in listeners:
            listener.close()
        await hall.stop(GOODBYE)
        if thinkers is not None:
            await thinkers.stop()
        for reception in receptions.values():
            reception.stop(GOODBYE)
        await asyncio.gather(*(listener.stop() for listener in listeners))
        await runner.cleanup()
        await _note_use(clerk, receptions)
        clerk.close()
        await store.close()


async def _tend(clerk: Clerk, receptions: Mapping[str, Reception]) -> None:
    """Forget, now and then, whoever has not come for long."""
    while True:
        await asyncio.sleep(TEND_SECONDS)
        try:
            await clerk.forget_unused()
            for reception in receptions.values():
                await reception.forget_unused()
        except StoreError:
            log.exception("nobody is forgotten for now")


async def _note_use(clerk: Clerk, receptions: Mapping[str, Reception]) -> None:
    try:
        await clerk.note_use()
        for reception in receptions.values():
            await reception.note_use()
    except StoreError:
        log.exception("it is not written down who was here")


async def _reception(hall: Hall, name: str, options: Mapping[str, object], clerk: Clerk) -> Reception:
    try:
        reception = Reception(hall, find_game(name), await hall.store.kept(name), options, clerk)
    except BadOptions as error:
        raise CannotServe(f"{name}: {error}") from None
    await reception.forget_unused()
    return reception


async def _open_doors(
    plan: Plan, receptions: Mapping[str, Reception], crowd: Crowd, listeners: list[Listener]
) -> dict[Door, int]:
    """Listen at every door; return their real ports."""
    ports: dict[Door, int] = {}
    for door in plan.doors:
        reception = receptions[door.game]
        listener = Listener(reception, partial(reception.desk.conversation, line=door.line), crowd)
        try:
            ports[door] = await listener.start(plan.host, door.port, plan.tls)
        except OSError as error:
            words = f"cannot listen on {plan.host} port {door.port}: {error.strerror or error}"
            if door.must:
                raise CannotServe(f"{words}; another {door.option} would do") from None
            log.warning("%s; going on without it (%s PORT would do)", words, door.option)
            continue
        listeners.append(listener)
        log.info("%s lines on %s port %d", door.game, plan.host, ports[door])
    return ports


async def _listen(runner: web.AppRunner, plan: Plan) -> int:
    site = web.TCPSite(runner, plan.host, plan.port, reuse_address=True, ssl_context=plan.tls)
    try:
        await site.start()
    except OSError as error:
        words = error.strerror or str(error)
        raise CannotServe(
            f"cannot listen on {plan.host} port {plan.port}: {words}; another --port would do"
        ) from None
    for address in runner.addresses:
        return int(address[1])
    raise CannotServe("no address to listen on")


def serve(plan: Plan) -> None:
    """Run the server in this thread, and this process for it alone, on uvloop where there is one."""
    tell = plan.ready

    def ready(port: int, doors: Mapping[Door, int]) -> None:
        # What the start has made lives until the end: the collector need not look at it again, and
        # the path of a move makes no cycles.
        gc.collect()
        gc.freeze()
        gc.set_threshold(100_000, 50, 100)
        tell(port, doors)

    plan.ready = ready
    try:
        import uvloop
    except ImportError:
        asyncio.run(run(plan))
    else:
        uvloop.run(run(plan))
