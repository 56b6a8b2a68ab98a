"""The load: four program clients a table in one process, over picows if that is installed, else over aiohttp.

`play` plays Hearts in the Trend protocol against a real server, `echo` plays ping-pong with `bench.echo`.
Either prints its result as one line of JSON.
"""

from __future__ import annotations

import asyncio
import gc
import importlib.util
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol, TypeAlias

import aiohttp
import msgspec

from croupier.bench.echo import SEATS, frames_of

TURN_END = b'{"eventName":"turn_end"'
YOUR_TURN = b'{"eventName":"your_turn"'
PASS_CARDS = b'{"eventName":"pass_cards"'
EXPOSE_CARDS = b'{"eventName":"expose_cards"'
GAME_END = b'{"eventName":"game_end"'
AT_ONCE = 50
"""How many connections are opened at the same time."""
LIMIT = 600.0
"""Seconds after which something is wrong."""

Send: TypeAlias = Callable[[bytes], None]


class Player(Protocol):
    """What sits behind one connection."""

    send: Send
    """Set when the connection is open."""

    def received(self, data: bytes) -> None: ...


class Result(msgspec.Struct):
    """What a run has found."""

    moves: int
    seconds: float
    moves_per_second: float
    """In the middle of the run, when every table is playing."""
    p50_ms: float
    p99_ms: float
    frames_per_move: float
    """Frames that clients received, of every kind."""
    frame_bytes: float
    sent_bytes: float
    """The size of a move as it is sent."""
    errors: int
    """Answers that the server counted as wrong or late."""
    cpu_seconds: float | None
    """The server's, over the run."""
    idle_bytes: int | None
    peak_bytes: int | None
    """The server's memory, before the tables were made and at its largest."""
    library: str


class Tally:
    """Counts of the whole run."""

    def __init__(self, tables: int) -> None:
        self.moves = 0
        self.frames = 0
        self.bytes = 0
        self.sent = 0
        self.errors = 0
        self.waits: list[float] = []
        self.times: list[float] = []
        self.left = tables * SEATS
        self.done = asyncio.Event()

    def moved(self, since: float) -> None:
        now = time.perf_counter()
        self.waits.append(now - since)
        self.times.append(now)

    def leave(self) -> None:
        self.left -= 1
        if not self.left:
            self.done.set()


# Hearts


class _Me(msgspec.Struct):
    cards: list[str] = msgspec.field(name="candidateCards")


class _Question(msgspec.Struct):
    deal: int = msgspec.field(name="dealNumber")
    round: int = msgspec.field(name="roundNumber")
    me: _Me = msgspec.field(name="self")


class _Asked(msgspec.Struct):
    data: _Question


class _Score(msgspec.Struct):
    errors: int = msgspec.field(name="errorCount")
    late: int = msgspec.field(name="timeoutCount")
    name: str = msgspec.field(name="playerName")


class _Scores(msgspec.Struct):
    players: list[_Score]


class _Ended(msgspec.Struct):
    data: _Scores


_asked = msgspec.json.Decoder(_Asked)
_ended = msgspec.json.Decoder(_Ended)
_encode = msgspec.json.Encoder().encode


class Program:
    """A program that plays any card it may."""

    def __init__(self, tally: Tally, number: int) -> None:
        self.send: Send = lambda data: None
        self._tally = tally
        self._number = number
        self._name = f"program{number}"
        self._since = 0.0

    def join(self) -> None:
        self.send(_frame("join", {"playerName": self._name, "playerNumber": self._number, "token": "t"}))

    def received(self, data: bytes) -> None:
        tally = self._tally
        tally.frames += 1
        tally.bytes += len(data)
        if data.startswith(TURN_END):
            if self._since:
                tally.moved(self._since)
                self._since = 0.0
        elif data.startswith(YOUR_TURN):
            asked = _asked.decode(data).data
            cards = asked.me.cards
            move = _frame(
                "pick_card",
                {
                    "dealNumber": asked.deal,
                    "roundNumber": asked.round,
                    "turnCard": cards[tally.moves % len(cards)],
                },
            )
            tally.moves += 1
            tally.sent += len(move)
            self._since = time.perf_counter()
            self.send(move)
        elif data.startswith(PASS_CARDS):
            asked = _asked.decode(data).data
            self.send(_frame("pass_my_cards", {"dealNumber": asked.deal, "cards": asked.me.cards[:3]}))
        elif data.startswith(EXPOSE_CARDS):
            self.send(_frame("expose_my_cards", {"dealNumber": _asked.decode(data).data.deal, "cards": []}))
        elif data.startswith(GAME_END):
            mine = [score for score in _ended.decode(data).data.players if score.name == self._name]
            tally.errors += sum(score.errors + score.late for score in mine)
            tally.leave()


def _frame(name: str, data: dict[str, object]) -> bytes:
    return _encode({"eventName": name, "data": data})


async def play(url: str, pid: int, tables: int, deals: int) -> Result:
    """Play a game of *deals* deals at each of *tables* tables and return what that took."""
    tally = Tally(tables)
    idle = memory(pid)
    wish = {
        "game": "hearts",
        "seats": ["open"] * SEATS,
        "options": {"deals": deals, "match_games": 1},
        "table_options": {
            "command_interval": 0,
            "round_interval": 0,
            "deal_interval": 0,
            "pass_cards_timeout": 600_000,
            "expose_cards_timeout": 600_000,
            "pick_card_timeout": 600_000,
        },
    }
    addresses: list[str] = []
    async with aiohttp.ClientSession() as session:
        for _ in range(tables):
            async with session.post(f"{url}/api/tables", json=wish) as response:
                response.raise_for_status()
                addresses.append((await response.json())["hearts"])
        seats = [[Program(tally, number + 1) for _ in addresses] for number in range(SEATS)]
        async with Connections(session) as connections:
            for programs in seats:
                await connections.open(list(zip(addresses, programs, strict=True)))
            for programs in seats[:-1]:
                for program in programs:
                    program.join()
            await quiet(tally)
            before, frames, size = cpu(pid), tally.frames, tally.bytes
            begun = time.perf_counter()
            for program in seats[-1]:  # all tables are complete, and begin, at once
                program.join()
            await asyncio.wait_for(tally.done.wait(), LIMIT)
            return summary(tally, begun, frames, size, before, pid, idle)


async def quiet(tally: Tally) -> None:
    """Wait until nothing comes any more, and keep the collector from counting as the server's delay."""
    seen = -1
    while seen != tally.frames:
        seen = tally.frames
        await asyncio.sleep(0.3)
    gc.collect()
    gc.freeze()
    gc.disable()


# Echo


class Pinger:
    """A table of four sockets that take turns: whoever is next sends when all frames of a move are here."""

    def __init__(self, tally: Tally, rate: float, moves: int, request: bytes) -> None:
        self.sockets = [_Socket(self) for _ in range(SEATS)]
        self._tally = tally
        self._rate = rate
        self._moves = moves
        self._request = request
        self._move = 0
        self._waiting = 0
        self._since = 0.0

    def go(self) -> None:
        """Send the next move."""
        self._waiting = frames_of(self._move, self._rate)
        self._tally.moves += 1
        self._tally.sent += len(self._request)
        self._since = time.perf_counter()
        self.sockets[self._move % SEATS].send(self._request)

    def received(self, data: bytes) -> None:
        self._tally.frames += 1
        self._tally.bytes += len(data)
        self._waiting -= 1
        if self._waiting:
            return
        self._tally.moved(self._since)
        self._move += 1
        if self._move < self._moves:
            self.go()
        else:
            for _ in range(SEATS):
                self._tally.leave()


class _Socket:
    def __init__(self, table: Pinger) -> None:
        self.send: Send = lambda data: None
        self._table = table

    def received(self, data: bytes) -> None:
        self._table.received(data)


async def echo(url: str, pid: int, tables: int, moves: int, rate: float, request: int) -> Result:
    """Let *tables* tables make *moves* moves each, answered by *rate* frames, and return what that took."""
    tally = Tally(tables)
    idle = memory(pid)
    pingers = [Pinger(tally, rate, moves, b"x" * request) for _ in range(tables)]
    async with aiohttp.ClientSession() as session, Connections(session) as connections:
        await connections.open(
            [
                (f"{url}/{number}/{seat}", socket)
                for number, pinger in enumerate(pingers)
                for seat, socket in enumerate(pinger.sockets)
            ]
        )
        await quiet(tally)
        before = cpu(pid)
        begun = time.perf_counter()
        for pinger in pingers:
            pinger.go()
        await asyncio.wait_for(tally.done.wait(), LIMIT)
        return summary(tally, begun, 0, 0, before, pid, idle)


# Connections


class Connections:
    """Many WebSockets, each with its player; picows costs the client least, aiohttp is always there."""

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

    async def open(self, wanted: list[tuple[str, Player]]) -> None:
        """Connect each player to its address."""
        gate = asyncio.Semaphore(AT_ONCE)
        connect = self._picows if LIBRARY == "picows" else self._aiohttp

        async def one(address: str, player: Player) -> None:
            async with gate:
                await connect(address, player)

        await asyncio.gather(*(one(address, player) for address, player in wanted))

    async def _picows(self, address: str, player: Player) -> None:
        from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

        class Listener(WSListener):
            def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
                if frame.msg_type == WSMsgType.TEXT:
                    player.received(frame.get_payload_as_bytes())

        transport, _ = await ws_connect(Listener, address.replace("http", "ws", 1))
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


def _library() -> str:
    """Return what carries the clients: picows where it is, unless CROUPIER_BENCH_CLIENT says otherwise."""
    wanted = os.environ.get("CROUPIER_BENCH_CLIENT", "picows")
    return wanted if wanted == "picows" and importlib.util.find_spec("picows") is not None else "aiohttp"


LIBRARY = _library()


# Numbers


def summary(
    tally: Tally, begun: float, frames: int, size: int, before: float | None, pid: int, idle: int | None
) -> Result:
    """Return the result of a run that began with so many frames and bytes already received."""
    after = cpu(pid)
    seconds = time.perf_counter() - begun
    waits = sorted(tally.waits)
    low, high = len(tally.times) // 10, len(tally.times) * 9 // 10
    received = tally.frames - frames
    return Result(
        moves=len(waits),
        seconds=seconds,
        moves_per_second=(high - low) / (tally.times[high] - tally.times[low]),
        p50_ms=waits[len(waits) // 2] * 1000,
        p99_ms=waits[len(waits) * 99 // 100] * 1000,
        frames_per_move=received / len(waits),
        frame_bytes=(tally.bytes - size) / received,
        sent_bytes=tally.sent / tally.moves,
        errors=tally.errors,
        cpu_seconds=after - before if after is not None and before is not None else None,
        idle_bytes=idle,
        peak_bytes=memory(pid),
        library=LIBRARY,
    )


def cpu(pid: int) -> float | None:
    """Return the processor time that a process has used, where the system tells."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> int | None:
    """Return the memory a process has at most held so far, where the system tells."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return None
    for line in status.splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    return None


def main() -> None:
    how, url, *numbers = sys.argv[1:]
    if how == "play":
        pid, tables, deals = (int(number) for number in numbers)
        job = play(url, pid, tables, deals)
    else:
        pid, tables, moves, request = (int(number) for number in numbers[:4])
        job = echo(url, pid, tables, moves, float(numbers[4]), request)
    try:
        import uvloop
    except ImportError:
        found = asyncio.run(job)
    else:
        found = uvloop.run(job)
    sys.stdout.write(msgspec.json.encode(found).decode() + "\n")


if __name__ == "__main__":
    main()
