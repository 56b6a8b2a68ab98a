"""Many WebSockets in one process, over picows if it is installed, otherwise over aiohttp."""

from __future__ import annotations

import asyncio
import importlib.util
import os
from collections.abc import Awaitable, Callable, Iterable
from functools import cache
from typing import TYPE_CHECKING, Final, TypeVar

import aiohttp

from benchmarks.programs import Player

if TYPE_CHECKING:
    from picows import WSListener

AT_ONCE: Final = 50
"""How many connections, or tables, are opened at the same time."""

Found = TypeVar("Found")


async def gathered(jobs: Iterable[Awaitable[Found]]) -> list[Found]:
    """Return the results of all *jobs*; a few of them run at the same time."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(job: Awaitable[Found]) -> Found:
        async with gate:
            return await job

    return await asyncio.gather(*(one(job) for job in jobs))


class Connections:
    """Many WebSockets, each with its player; picows needs the least processor time, aiohttp is always
    available.
    """

    def __init__(self, session: aiohttp.ClientSession) -> None:
        self._session = session
        self._close: list[Callable[[], object]] = []
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Connections:
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        for close in self._close:
            close()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def open(self, wanted: Iterable[tuple[str, Player]]) -> None:
        """Connect each player to its address."""
        connect = self._picows if LIBRARY == "picows" else self._aiohttp
        await gathered(connect(address, player) for address, player in wanted)

    async def _picows(self, address: str, player: Player) -> None:
        from picows import WSMsgType, ws_connect

        listener = _picows_listener()
        transport, _ = await ws_connect(
            lambda: listener(player), address.replace("http", "ws", 1), read_buffer_init_size=4096
        )
        player.send = lambda data: transport.send(WSMsgType.TEXT, data)
        self._close.append(transport.disconnect)

    async def _aiohttp(self, address: str, player: Player) -> None:
        socket = await self._session.ws_connect(address)
        loop = asyncio.get_running_loop()
        sending: set[asyncio.Task[None]] = set()

        def send(data: bytes) -> None:
            task = loop.create_task(socket.send_str(data.decode()))
            sending.add(task)
            task.add_done_callback(sending.discard)

        async def read() -> None:
            async for message in socket:
                if message.type == aiohttp.WSMsgType.TEXT:
                    player.received(message.data.encode())

        player.send = send
        self._tasks.append(loop.create_task(read()))


@cache
def _picows_listener() -> Callable[[Player], WSListener]:
    """Return the listener class for picows, created only if picows is installed."""
    from picows import WSFrame, WSListener, WSMsgType, WSTransport

    class Listener(WSListener):
        def __init__(self, player: Player) -> None:
            self._received = player.received

        def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
            if frame.msg_type == WSMsgType.TEXT:
                self._received(frame.get_payload_as_bytes())

    return Listener


def _library() -> str:
    """Return the client library: picows if it is installed, unless CROUPIER_BENCH_CLIENT overrides it."""
    wanted = os.environ.get("CROUPIER_BENCH_CLIENT", "picows")
    return wanted if wanted == "picows" and importlib.util.find_spec("picows") is not None else "aiohttp"


LIBRARY = _library()
