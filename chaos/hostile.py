"""G4: hostile input on every door. No exception, no stuck table, no growth, and bystanders hardly notice.

A door is a WebSocket of a protocol, a TCP port for lines, or the HTTP port itself. Each gets random bytes and
damaged copies of valid messages, over connections that are opened again whenever the server closes them.

The attackers need processor time, too, and would delay a bystander on a small machine even if the server did
nothing. So the bystander is measured twice under the same load: while another server is attacked, and then
its own.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Final

import aiohttp

from benchmarks.report import Figure
from chaos.bystander import Bystander
from chaos.outcome import Outcome, Tell, none_of, some_of
from chaos.real import BROKEN, server
from chaos.virtual import NO_PAUSES, SHORT
from croupier.games import names, protocol_of
from tests.integration.servers import Server

WARM_UP: Final = 1000
"""Messages for each door before anything is measured, unless that is more than the attack itself."""
BURST: Final = 40
"""Messages of one connection at a time: the server ignores more in a second."""
ENDS: Final = 60.0
"""Seconds in which a match of bots has to end after the attack."""

VALID: Final = (
    b'{"type":"join","name":"eve","token":"t","seat":0,"last":3,"words":true,"views":"all","id":1}',
    b'{"type":"act","turn":1,"actions":["play QS"],"id":2}',
    b'{"type":"arrange","seats":["open","person","bot random","open"]}',
    b'{"type":"say","text":"hello"}',
    b'{"eventName":"join","data":{"playerName":"eve","playerNumber":1,"token":"t"}}',
    b'{"eventName":"pick_card","data":{"dealNumber":1,"roundNumber":1,"turnCard":"QS"}}',
    b'{"command":"user.login","nickname":"eve","request_id":1}',
    b'{"command":"lobby.room.create","name":"x","rules":{"deals":1},"options":{"private":true}}',
    b'{"command":"lobby.room.join","room_id":"r1"}',
    b'{"command":"game.tarock.play","card":"CK"}',
    b'{"command":"game.taroky.load","notation":"1/2/3/4//"}',
    b"NAME eve1",
    b"CONTRACT 80 Hearts",
    b"PLAY 7 Spades",
    b"login\teve",
    b"token\tabc",
    b"place\tR5\t1\t1",
    b"active_tool_card\t8",
)
_HEAD: Final = b"Host: x\r\nContent-Type: application/json\r\nContent-Length: 30\r\n\r\n"
_UPGRADE: Final = b"Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
_KEY: Final = b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
REQUESTS: Final = (
    b"GET /api/tables HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /api/matches?limit=99999999999999999999&before=%00 HTTP/1.1\r\nHost: x\r\n\r\n",
    b"POST /api/tables HTTP/1.1\r\n" + _HEAD + b'{"game":"hearts","seats":["xx"',
    b"POST /api/session HTTP/1.1\r\n" + _HEAD + b'{"name":"eve","password":"xx"}',
    b"GET /house/default HTTP/1.1\r\n" + _UPGRADE + _KEY + b"\x81\xff\xff",
    b"GET /api/account HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \xff\xfe\r\n\r\n",
    b"DELETE /api/session HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a\r\n\r\n",
    b"GET /../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n",
)
DOORS: Final = (
    *("/house/default", "/t/default", "/watch", "/api/lobby"),
    *("/coinche", "/tarock", "/taroky", "/sagrada"),
)
INSERTED: Final = (b"\x00", b'"', b"\\ud800", b"-1", b"1e999", b"\r\n", b"null", b"9" * 30)


def damaged(message: bytes, chance: Random) -> bytes:
    """Return *message* with some damage, or something else entirely."""
    roll = chance.random()
    if roll < 0.15:
        return chance.randbytes(chance.randint(0, 60))
    if roll < 0.2:
        return b"[" * chance.choice((10, 2000))
    if roll < 0.25:
        return message * chance.randint(2, 60)
    data = bytearray(message)
    for _ in range(chance.choice((0, 1, 1, 3))):
        at = chance.randrange(len(data))
        what = chance.randrange(3)
        if what == 0:
            data[at] = chance.randrange(256)
        elif what == 1:
            del data[at : at + chance.randint(1, 5)]
        else:
            data[at:at] = chance.choice(INSERTED)
        if not data:
            return b""
    return bytes(data)


def run(many: int, seed: int, tell: Tell) -> Outcome:
    """Send *many* messages to each door."""
    lobbies = [found for name in names() if (found := protocol_of(name)) is not None]
    ports = [f"--{port.name}-port" for lobby in lobbies for port in lobby.ports]
    doors = [word for port in ports for word in (port, "any")]
    some = max(many // 10, min(many, WARM_UP))
    with server(*doors, ports=True) as (one, _), server(*doors, ports=True) as (other, _):
        asyncio.run(_attack(one, some, seed, tell))  # warm-up
        with Bystander(one.http) as bystander:
            began = time.time()
            asyncio.run(_attack(other, some, seed, tell))
            elsewhere = began, time.time()
            assert one.process is not None
            before = memory(one.process.pid)
            sent = asyncio.run(_attack(one, many, seed + 1, tell))
            here = elsewhere[1], time.time()
            after = memory(one.process.pid)
        quiet, during = bystander.p99(elsewhere), bystander.p99(here)
        stuck = [name for name in names() if not _ends(one, name)]
        log = one.log
    return Outcome(
        f"{len(sent)} doors, {many:,} messages each",
        [
            none_of("exceptions in the log", log.count("Traceback")),
            none_of("games that do not end afterwards", len(stuck)),
            some_of("fewest messages of a door", min(sent.values()), many),
            bystander.answered(elsewhere, here),
        ],
        [
            Figure("growth of memory", 100 * (after - before) / before, 5, "%"),
            Figure(
                "bystander p99, times the one while another server is attacked", during / max(quiet, 1.0), 2
            ),
        ],
        [
            f"bystander p99 {quiet:.1f} ms during the attack on the other, {during:.1f} ms on its own server",
            *log.splitlines()[:20],
        ],
    )


def memory(pid: int) -> int:
    """Return the memory of a process in bytes."""
    for line in Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise AssertionError(f"process {pid} has ended")


async def _attack(one: Server, many: int, seed: int, tell: Tell) -> dict[str, int]:
    """Attack all doors at the same time; return how many messages each got."""
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        async with session.get(f"{one.http}/api/house") as answer:
            lines = [int(row["port"]) for row in (await answer.json())["doors"]]
        doors: dict[str, Awaitable[int]] = {}
        for path in DOORS:
            doors[path] = _frames(session, f"{one.ws}{path}", many, Random(f"{seed} {path}"))
        for number, port in enumerate(lines):
            doors[f"port {number}"] = _bytes(port, many, Random(f"{seed} {number}"), _line)
        doors["http"] = _bytes(one.port, many, Random(f"{seed} http"), _request)
        found = await asyncio.gather(*doors.values())
    tell(f"{sum(found):,} messages")
    return dict(zip(doors, found, strict=True))


async def _frames(session: aiohttp.ClientSession, url: str, many: int, chance: Random) -> int:
    sent = 0
    while sent < many:
        with contextlib.suppress(*BROKEN):
            async with session.ws_connect(url, max_msg_size=0) as socket:
                for _ in range(min(BURST, many - sent)):
                    message = damaged(chance.choice(VALID), chance)
                    sent += 1
                    if chance.random() < 0.1:
                        await socket.send_bytes(message)
                    else:
                        await socket.send_str(message.decode("utf-8", "replace"))
                await _read_a_little(socket)
    return sent


async def _read_a_little(socket: aiohttp.ClientWebSocketResponse) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(0.05):
            async for _ in socket:
                pass


def _line(chance: Random) -> bytes:
    return damaged(chance.choice(VALID), chance) + chance.choice((b"\n", b"\r\n", b"\r", b""))


def _request(chance: Random) -> bytes:
    return damaged(chance.choice(REQUESTS), chance)


async def _bytes(port: int, many: int, chance: Random, make: Callable[[Random], bytes]) -> int:
    sent = 0
    while sent < many:
        with contextlib.suppress(OSError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            try:
                for _ in range(min(BURST if make is _line else 1, many - sent)):
                    writer.write(make(chance))
                    sent += 1
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(reader.read(65536), 0.02)
            finally:
                writer.transport.abort()
    return sent


def _ends(one: Server, name: str) -> bool:
    """Return True if a match of bots at a new table ends."""
    seats = ["bot random"] * (2 if name == "sagrada" else 4)
    id = one.new_table(game=name, seats=seats, options=SHORT[name], table_options=NO_PAUSES[name])
    end = time.monotonic() + ENDS
    while time.monotonic() < end:
        if any(row["table"] == id for row in one.ask("/api/matches?limit=50")[1]):
            return True
        time.sleep(0.2)
    return False
