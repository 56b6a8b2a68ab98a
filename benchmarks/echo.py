"""A server without a game, to measure the limit of the WebSocket library.

A frame received on one of a table's four sockets is answered with as many frames of a given size as a move
costs the real server, spread over the four sockets.
"""

from __future__ import annotations

import asyncio
import gc
import signal
import sys
from collections.abc import Callable, Coroutine

from aiohttp import web

SEATS = 4


def frames_of(move: int, rate: float) -> int:
    """Return how many frames answer move *move* (from 0), so that there are *rate* on average."""
    return int((move + 1) * rate) - int(move * rate)


class Table:
    """Four sockets and the number of moves so far."""

    def __init__(self) -> None:
        self.sockets: dict[int, web.WebSocketResponse] = {}
        self.moves = 0


async def run(rate: float, size: int) -> None:
    """Answer until SIGTERM; the port is the first line printed."""
    tables: dict[str, Table] = {}
    payload = "x" * size

    async def converse(request: web.Request) -> web.WebSocketResponse:
        table = tables.setdefault(request.match_info["table"], Table())
        seat = int(request.match_info["seat"])
        socket = web.WebSocketResponse(compress=False)
        await socket.prepare(request)
        table.sockets[seat] = socket
        async for _ in socket:
            for i in range(frames_of(table.moves, rate)):
                await table.sockets[(seat + 1 + i) % SEATS].send_str(payload)
            table.moves += 1
        return socket

    app = web.Application()
    app.router.add_get("/{table}/{seat}", converse)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    await stopped(runner.addresses[0][1])
    await runner.cleanup()


async def stopped(port: int) -> None:
    """Print *port* and return at SIGTERM; memory settings are those of the real server."""
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)
    sys.stdout.write(f"{port}\n")
    sys.stdout.flush()
    await stop.wait()


def main(run: Callable[[float, int], Coroutine[None, None, None]]) -> None:
    """Run *run* with the rate and the size of the command line, on uvloop if it is installed."""
    rate, size = float(sys.argv[1]), int(sys.argv[2])
    try:
        import uvloop
    except ImportError:
        asyncio.run(run(rate, size))
    else:
        uvloop.run(run(rate, size))


if __name__ == "__main__":
    main(run)
