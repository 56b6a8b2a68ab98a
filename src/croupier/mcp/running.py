"""Serves agents over standard input and output or over HTTP, with a server of its own if needed."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import socket
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

import uvicorn

from croupier.client import Server
from croupier.mcp.tools import Tools, make_server
from croupier.net.house import CannotServe, LinePort, Plan
from croupier.net.server import run as run_house
from croupier.wire.table_spec import TableSpec

PATH: Final = "/mcp"
LAST_WORDS: Final = 2
"""Seconds for open requests to finish when the server stops."""


@contextlib.asynccontextmanager
async def own_house(store: str | Path) -> AsyncIterator[str]:
    """Run a server in this process, on a free loopback port; yield its address."""
    loop = asyncio.get_running_loop()
    ports: list[int] = []
    ready = asyncio.Event()

    def listening(port: int, line_ports: Mapping[LinePort, int]) -> None:
        ports.append(port)
        ready.set()

    stop = asyncio.Event()
    plan = Plan("127.0.0.1", 0, "serve", store, TableSpec(["open"] * 4, auto_cycle=True), listening)
    house = loop.create_task(run_house(plan, stop))
    house.add_done_callback(lambda _: ready.set())
    await ready.wait()
    if not ports:
        await house  # it raises the reason
    try:
        yield f"http://127.0.0.1:{ports[0]}"
    finally:
        stop.set()
        await house


async def serve(
    server: str | None, store: str | Path, http: tuple[str, int] | None, tell: Callable[[str], None]
) -> None:
    """Serve agents until they disconnect (standard input) or until SIGINT or SIGTERM (HTTP).

    The tables are those of the server at *server* or, without one, of a server in this process that stores
    them in *store*. *tell* gets the addresses.
    """
    # Requests contain seat ids, which must stay secret.
    logging.getLogger("mcp").setLevel(logging.WARNING)
    async with contextlib.AsyncExitStack() as stack:
        if server is None:
            server = await stack.enter_async_context(own_house(store))
            tell(f"using the tables of {server}/")
        tools = Tools(await stack.enter_async_context(Server(server)))
        stack.push_async_callback(tools.close)
        if http is None:
            await make_server(tools).run_stdio_async()
        else:
            await _serve_http(tools, *http, tell)


async def _serve_http(tools: Tools, host: str, port: int, tell: Callable[[str], None]) -> None:
    try:
        listener = socket.create_server((host, port), family=_family(host))
    except OSError as error:
        words = error.strerror or str(error)
        raise CannotServe(
            f"cannot listen on {host} port {port}: {words}; choose another --http HOST:PORT"
        ) from None
    app = make_server(tools).streamable_http_app(streamable_http_path=PATH, host=host)
    config = uvicorn.Config(
        app, log_config=None, access_log=False, lifespan="on", timeout_graceful_shutdown=LAST_WORDS
    )
    server = _Quiet(config)
    for sign in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # not on Windows
            asyncio.get_running_loop().add_signal_handler(sign, setattr, server, "should_exit", True)
    with listener:
        shown = f"[{host}]" if ":" in host else host
        tell(f"agents connect to http://{shown}:{listener.getsockname()[1]}{PATH}")
        await server.serve(sockets=[listener])


class _Quiet(uvicorn.Server):
    """A server without its own signal handling, which would end the process before the tables are closed."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET
