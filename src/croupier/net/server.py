"""Runs a server: builds its parts, listens on its ports, and stops in order."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import gc
import logging
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

from croupier.net.house import CannotServe, House, LinePort, Plan, build
from croupier.net.http_port import HttpRunner
from croupier.net.limits import RESERVE
from croupier.net.listening import Doors, listen
from croupier.net.tcp import Listener
from croupier.net.web import make_app
from croupier.store.api import StoreError
from croupier.wire import api_messages

if TYPE_CHECKING:
    from croupier.net.member import Member

log = logging.getLogger(__name__)

DRAIN_SECONDS: Final = 5.0
"""How long a node may take to give up its tables when it stops."""
M_MMAP_THRESHOLD: Final = -3
"""The name of an option of `mallopt`, in malloc.h."""
CLOSING_SECONDS: Final = 1.6
"""How long clients may take to read what is left and to answer the close when the server stops."""


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
        house.store.on_lost = stop.set
        await stop.wait()
        log.info("stopping")
        if house.member is not None and house.store.lost is None:
            with contextlib.suppress(StoreError, TimeoutError):  # the lease will expire instead
                await asyncio.wait_for(house.member.drain(), DRAIN_SECONDS)
    if house.store.lost is not None:
        raise CannotServe(f"{house.store.lost}; the server has stopped")


@contextlib.asynccontextmanager
async def _listening(house: House, plan: Plan) -> AsyncIterator[tuple[int, dict[LinePort, int]]]:
    """Listen on every port; at the end inform all clients before the connections are closed."""
    runner = HttpRunner(make_app(house), house.connections, CLOSING_SECONDS / 2)  # it waits twice
    listeners: list[Listener | Doors] = []
    http: asyncio.Server | None = None
    try:
        await runner.setup()
        if house.member is not None:
            await _start(house, house.member, runner)
        http = await _listen(runner, plan)
        line_ports = await _open_line_ports(house, plan, listeners)
        for one, number in line_ports.items():
            house.ports.append(
                api_messages.LinePort(game=one.game, port=number, line=one.line, tls=plan.tls is not None)
            )
        yield int(http.sockets[0].getsockname()[1]), line_ports
    finally:
        if http is not None:
            http.close()
        for listener in listeners:
            listener.close()
        await house.announce_stop()
        await asyncio.gather(runner.cleanup(), *(listener.stop(CLOSING_SECONDS) for listener in listeners))


async def _start(house: House, member: Member, runner: HttpRunner) -> None:
    assert runner.server is not None, "it is set up"
    try:
        await member.start(runner.server)
    except StoreError as error:
        raise CannotServe(str(error)) from None


async def _open_line_ports(
    house: House, plan: Plan, listeners: list[Listener | Doors]
) -> dict[LinePort, int]:
    """Listen on every line port; return the actual port numbers."""
    ports: dict[LinePort, int] = {}
    for one in plan.line_ports:
        listener: Listener | Doors
        if house.member is not None:
            listener = Doors(partial(house.member.line_door, one))
        else:
            lobby = house.lobbies[one.game]
            listener = Listener(lobby, partial(lobby.converse, line=one.line), house.connections)
        try:
            ports[one] = await listener.start(plan.host, one.port, plan.tls, plan.reuse_port)
        except OSError as error:
            words = f"cannot listen on {plan.host} port {one.port}: {error.strerror or error}"
            if one.must:
                raise CannotServe(f"{words}; choose another port with {one.option}") from None
            log.warning("%s; continuing without it (choose another port with %s)", words, one.option)
            continue
        listeners.append(listener)
        log.info("%s lines on %s port %d", one.game, plan.host, ports[one])
    return ports


async def _listen(runner: HttpRunner, plan: Plan) -> asyncio.Server:
    assert runner.server is not None, "it is set up"
    try:
        return await listen(runner.server, plan.host, plan.port, plan.tls, plan.reuse_port)
    except OSError as error:
        words = error.strerror or str(error)
        raise CannotServe(
            f"cannot listen on {plan.host} port {plan.port}: {words}; choose another one with --port"
        ) from None


def raise_descriptor_limit() -> int:
    """Allow this process as many descriptors as the system permits; return their number."""
    try:
        import resource
    except ImportError:  # Windows
        return sys.maxsize
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):  # some systems have a limit below the hard one
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        soft = hard
    return sys.maxsize if soft == resource.RLIM_INFINITY else soft


def return_large_blocks() -> None:
    """Let glibc give freed blocks of 1 MB and more back to the system.

    Otherwise it raises that limit when such a block is freed, and each thread that has checked a password
    keeps the 19 MB that it took.
    """
    with contextlib.suppress(OSError, AttributeError, TypeError):  # other systems, and musl, do not have it
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, 1 << 20)


def serve(plan: Plan) -> None:
    """Run the server in this thread, on uvloop if it is installed; the process must run nothing else."""
    return_large_blocks()
    tell = plan.ready
    plan.descriptors = raise_descriptor_limit()
    if plan.most_connections + RESERVE > plan.descriptors:
        log.warning(
            "the system allows %d descriptors, too few for %d connections; raise its limit (ulimit -Hn)",
            plan.descriptors,
            plan.most_connections,
        )

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
    gc.freeze()  # the interpreter collects again when it ends, which takes seconds with many tables
