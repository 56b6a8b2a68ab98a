"""A proxy between a program and its database that can cut connections at a chosen moment."""

from __future__ import annotations

import asyncio
import contextlib


class Cutter:
    """Forwards connections to *port*; used as an asynchronous context manager."""

    def __init__(self, port: int) -> None:
        self.port = 0
        self.refuses = False
        """New connections are closed at once."""
        self.cuts = 0
        """How many connections were cut."""
        self._to = port
        self._mark: bytes | None = None
        self._deliver = False
        self._refuse = False
        self._flows = asyncio.Event()
        self._flows.set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: set[asyncio.StreamWriter] = set()

    async def __aenter__(self) -> Cutter:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        self.hold(False)
        self.cut_all()
        await asyncio.sleep(0)  # what was held is passed on
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def cut_at(self, mark: bytes, deliver: bool, refuse: bool = False) -> None:
        """Cut the next connection whose client sends *mark*, before the database gets it or, with *deliver*,
        when the database has answered: the answer is discarded. With *refuse*, refuse all later ones."""
        self._mark, self._deliver, self._refuse = mark, deliver, refuse

    def cut_all(self) -> None:
        for writer in self._writers:
            writer.close()

    def hold(self, held: bool) -> None:
        """Hold back everything, as a network that loses all packets; what is held arrives afterwards."""
        if held:
            self._flows.clear()
        else:
            self._flows.set()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.refuses:
            writer.close()
            return
        try:
            up, down = await asyncio.open_connection("127.0.0.1", self._to)
        except ConnectionError:
            writer.close()
            return
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self._writers |= {writer, down}
        discard = asyncio.Event()
        answers = asyncio.create_task(self._answer(up, writer, discard))
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(1 << 16):
                if self._mark is not None and self._mark in data:
                    self._mark = None
                    self.cuts += 1
                    self.refuses = self._refuse
                    if self._deliver:
                        discard.set()
                        down.write(data)
                        await answers
                    break
                await self._flows.wait()
                down.write(data)
        for one in (writer, down):
            one.close()
            self._writers.discard(one)
        answers.cancel()
        await asyncio.gather(answers, return_exceptions=True)
        self._tasks.discard(task)

    async def _answer(
        self, up: asyncio.StreamReader, writer: asyncio.StreamWriter, discard: asyncio.Event
    ) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await up.read(1 << 16):
                if discard.is_set():
                    return
                await self._flows.wait()
                writer.write(data)
        writer.close()
