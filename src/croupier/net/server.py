"""Runs a server: builds its parts, listens on its ports, and stops in order."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import signal
from collections.abc import AsyncIterator, Mapping
from functools import partial

from aiohttp import web

from croupier.net.house import CannotServe, House, LinePort, Plan, build
from croupier.net.tcp import Listener
from croupier.net.web import make_app

log = logging.getLogger(__name__)


async def run(plan: Plan, stop: asyncio.Event | None = None) -> None:
    """Serve until *stop* is set or, without one, until SIGINT or SIGTERM."""
    loop = asyncio.get_running_loop()
    if stop is None:
        stop = asyncio.Event()
        for sign in (signal.SIGINT, signal.SIGTERM):
            with contextlib.suppress(NotImplementedError):  # not on Windows
                loop.add_signal_handler(sign, stop.set)
    async with build(plan) as house, _listening(house, plan) as (port, line_ports):
        log.info("listening on %s port %d, %d tables to restore", plan.host, port, house.waiting)
        plan.ready(port, line_ports)
        house.begin_work()
        await stop.wait()
        log.info("stopping")


@contextlib.asynccontextmanager
async def _listening(house: House, plan: Plan) -> AsyncIterator[tuple[int, dict[LinePort, int]]]:
    """Listen on every port; at the end inform all clients before the connections are closed."""
    runner = web.AppRunner(make_app(house), access_log=None, shutdown_timeout=2.0)
    listeners: list[Listener] = []
    try:
        await runner.setup()
        port = await _listen(runner, plan)
        line_ports = await _open_line_ports(house, plan, listeners)
        for one, number in line_ports.items():
            house.ports.append(
                {"game": one.game, "port": number, "line": one.line, "tls": plan.tls is not None}
            )
        yield port, line_ports
    finally:
        for listener in listeners:
            listener.close()
        await house.announce_stop()
        await asyncio.gather(*(listener.stop() for listener in listeners))
        await runner.cleanup()


async def _open_line_ports(house: House, plan: Plan, listeners: list[Listener]) -> dict[LinePort, int]:
    """Listen on every line port; return the actual port numbers."""
    ports: dict[LinePort, int] = {}
    for one in plan.line_ports:
        lobby = house.lobbies[one.game]
        listener = Listener(lobby, partial(lobby.converse, line=one.line), house.connections)
        try:
            ports[one] = await listener.start(plan.host, one.port, plan.tls)
        except OSError as error:
            words = f"cannot listen on {plan.host} port {one.port}: {error.strerror or error}"
            if one.must:
                raise CannotServe(f"{words}; choose another port with {one.option}") from None
            log.warning("%s; continuing without it (choose another port with %s)", words, one.option)
            continue
        listeners.append(listener)
        log.info("%s lines on %s port %d", one.game, plan.host, ports[one])
    return ports


async def _listen(runner: web.AppRunner, plan: Plan) -> int:
    site = web.TCPSite(runner, plan.host, plan.port, reuse_address=True, ssl_context=plan.tls)
    try:
        await site.start()
    except OSError as error:
        words = error.strerror or str(error)
        raise CannotServe(
            f"cannot listen on {plan.host} port {plan.port}: {words}; choose another one with --port"
        ) from None
    for address in runner.addresses:
        return int(address[1])
    raise CannotServe("no address to listen on")


def serve(plan: Plan) -> None:
    """Run the server in this thread, on uvloop if it is installed; the process must run nothing else."""
    tell = plan.ready

    def ready(port: int, line_ports: Mapping[LinePort, int]) -> None:
        # Objects created at the start live until the end, so the garbage collector need not visit them again;
        # the path of a move creates no cycles.
        gc.collect()
        gc.freeze()
        gc.set_threshold(100_000, 50, 100)
        tell(port, line_ports)

    plan.ready = ready
    try:
        import uvloop
    except ImportError:
        asyncio.run(run(plan))
    else:
        uvloop.run(run(plan))
