"""A running server: store, hall and listeners, from the first line printed to the last write."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from aiohttp import web

from croupier.games import game as find_game
from croupier.net.logs import watch_stalls
from croupier.net.web import make_app
from croupier.store import StoreError, open_store
from croupier.table.hall import DEFAULT, Config, Hall

log = logging.getLogger(__name__)


class CannotServe(Exception):
    """The server cannot start: one line that says why."""


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
    ready: Callable[[int], None]
    """Called with the real port when everything listens."""


async def run(plan: Plan) -> None:
    """Serve until SIGINT or SIGTERM."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for sign in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # not on Windows
            loop.add_signal_handler(sign, stop.set)
    try:
        store = await open_store(plan.store)
    except StoreError as error:
        raise CannotServe(str(error)) from None
    hall = Hall(store)
    runner = web.AppRunner(make_app(hall, plan.mode), access_log=None, shutdown_timeout=2.0)
    try:
        await runner.setup()
        # The tables first: a client that comes back early finds nobody, never a house without its table.
        back = await hall.recover()
        if DEFAULT in hall.broken:
            raise CannotServe(
                f"{plan.store}: the default table cannot be brought back (see above); other --data would do"
            )
        if DEFAULT not in hall.runners:
            await hall.open(find_game("hearts"), plan.default, DEFAULT)
        port = await _listen(runner, plan)
        hall.start_sweeping()
        log.info("listening on %s port %d, %d tables back", plan.host, port, back)
        # What the start has made lives until the end: the collector need not look at it again, and
        # the path of a move makes no cycles.
        gc.collect()
        gc.freeze()
        gc.set_threshold(100_000, 50, 100)
        plan.ready(port)
        stalls = loop.create_task(watch_stalls())
        await stop.wait()
        stalls.cancel()
        log.info("stopping")
    finally:
        await hall.stop("the server stops; your game goes on when it is back")
        await runner.cleanup()
        await store.close()


async def _listen(runner: web.AppRunner, plan: Plan) -> int:
    site = web.TCPSite(runner, plan.host, plan.port, reuse_address=True)
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
    """Run the server in this thread, on uvloop where there is one."""
    try:
        import uvloop
    except ImportError:
        asyncio.run(run(plan))
    else:
        uvloop.run(run(plan))
