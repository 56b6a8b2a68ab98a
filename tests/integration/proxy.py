"""A simulated bad network: cuts connections, delays or withholds bytes, forwards them in random pieces."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from random import Random


class Proxy:
    """Forwards bytes unreliably to a port of this machine; the same seed causes the same faults."""

    def __init__(self, port: int, seed: int = 1, life: tuple[int, int] = (2_000, 60_000)) -> None:
        """A connection is cut after a random number of bytes in the range *life*, often inside a frame."""
        self.target = port
        self.port = 0
        self.connections = 0
        self.cuts = 0
        self.pieces = 0
        self.forwards = asyncio.Event()
        """While it is cleared, connections stay open but nothing is forwarded."""
        self.forwards.set()
        self._chance = Random(seed)
        self._life = life
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: list[asyncio.StreamWriter] = []

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[Proxy]:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            for writer in self._writers:
                writer.transport.abort()
                with contextlib.suppress(OSError):
                    await writer.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self._writers.append(writer)
        self.connections += 1
        chance = Random(self._chance.random())
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()
            return
        self._writers.append(far_writer)
        ways = [
            asyncio.create_task(self._carry(reader, far_writer, chance)),
            asyncio.create_task(self._carry(far_reader, writer, chance)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            pass  # the proxy is ending; asyncio's streams would log the error
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            # Sometimes a clean close, sometimes an abort.
            for side in (writer, far_writer):
                if chance.random() < 0.5:
                    side.transport.abort()
                else:
                    side.close()
            self._tasks.discard(task)

    async def _carry(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, chance: Random) -> None:
        left = chance.randint(*self._life)
        while data := await source.read(4096):
            await self.forwards.wait()
            while data:
                size = chance.choice((1, 2, 7, 100, 1000, 4096))
                piece, data = data[:size], data[size:]
                left -= len(piece)
                if left < 0:
                    self.cuts += 1
                    return
                sink.write(piece)
                self.pieces += 1
                await sink.drain()
                if chance.random() < 0.1:
                    await asyncio.sleep(chance.random() * 0.004)
