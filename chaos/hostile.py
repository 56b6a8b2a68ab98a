"""G4: hostile input on every door. No exception, no stuck table, no growth, and bystanders hardly notice.

A door is a WebSocket, a TCP port for lines, the HTTP port itself, or a part of the HTTP API. Each gets random
bytes and damaged copies of valid messages, over connections that are opened again whenever the server closes
them. The limits per address are those of a server for the public: they are part of the defence.

Any request delays a bystander, and on a small machine so does the processor time of the clients. So the same
clients also send as many harmless messages through the same doors, over as many connections, in turn with the
attack: an attack may delay the bystander at most twice as much. The report also compares with the time in
which another server of the machine is attacked.
"""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Final, TypeAlias

import aiohttp

from benchmarks.report import Figure
from chaos.bystander import Bystander, Times
from chaos.hostile_messages import (
    BYTES,
    FRAMES,
    OPERATOR_TOKEN,
    ORDINARY,
    PASSWORD,
    REQUESTS,
    Request,
    damaged,
    damaged_request,
    filled,
    written,
)
from chaos.outcome import Outcome, Tell, none_of, some_of
from chaos.real import BROKEN, server
from chaos.virtual import NO_PAUSES, SHORT
from croupier.games import names, protocol_of
from tests.integration.servers import Server

WARM_UP: Final = 5000
"""Messages for each door before anything is measured, unless that is more than the attack itself: valid ones
until the limits per address are reached, and hostile ones until the cycle collector has run several times."""
ROUNDS: Final = 5
"""How often the phases take turns: so other work on the machine disturbs all of them."""
PER_ADDRESS: Final = "200"
"""The limit of tables, users, sessions and so on per address: the default of `croupier serve`."""
ATTACKERS: Final = ("127.0.0.2", 0)
"""The address of the attackers: other clients must not meet the limits of that address."""
BURST: Final = 40
"""Messages of one connection at a time: the server ignores more in a second."""
ENDS: Final = 60.0
"""Seconds in which a match of bots has to end after the attack."""

SOCKETS: Final = (
    *("/house/default", "/t/default", "/watch", "/t/default/watch"),
    *("/coinche", "/tarock", "/taroky", "/sagrada"),
    *("/api/lobby", "/api/tournaments/CUP/live", "/api/log/log-of-an-attacked-one"),
)
"""The WebSockets. CUP stands for the id of a tournament."""


def run(many: int, seed: int, tell: Tell) -> Outcome:
    """Send *many* messages to each door."""
    lobbies = [found for name in names() if (found := protocol_of(name)) is not None]
    ports = [f"--{port.name}-port" for lobby in lobbies for port in lobby.ports]
    options = [word for port in ports for word in (port, "any")]
    options += ["--most-per-address", PER_ADDRESS]
    warm_up, compared = min(many, WARM_UP), min(many, max(many // 10, WARM_UP))
    with tempfile.NamedTemporaryFile("w") as file:
        file.write(OPERATOR_TOKEN)
        file.flush()
        options += ["--operator-token-file", file.name]
        with server(*options, ports=True) as (one, _), server(*options, ports=True) as (other, _):
            assert one.process is not None
            own, others = Attack(one, seed, tell), Attack(other, seed, tell)
            own.go(warm_up, VALID)
            own.go(warm_up)
            others.go(warm_up)
            before = memory(one.process.pid)
            own.sent.clear()
            with Bystander(one.http) as bystander:
                elsewhere, harmless, here = [], [], []
                for number in range(ROUNDS):
                    elsewhere.append(others.go(_part(compared, number)))
                    harmless.append(own.go(_part(compared, number), HARMLESS))
                    here.append(own.go(_part(many, number)))
            after = memory(one.process.pid)
            quiet, usual, during = (bystander.p99(*times) for times in (elsewhere, harmless, here))
            stuck = [name for name in names() if not _ends(one, name)]
            log = one.log + other.log
    return Outcome(
        f"{len(own.sent)} doors, {many:,} messages each",
        [
            none_of("exceptions in the log", log.count("Traceback")),
            none_of("games that do not end afterwards", len(stuck)),
            some_of("fewest messages of a door", min(own.sent.values()), many),
            bystander.answered(*elsewhere, *harmless, *here),
        ],
        [
            Figure("growth of memory", 100 * (after - before) / before, 5, "%"),
            Figure(
                "bystander p99, times the one during as many harmless messages", during / max(usual, 1.0), 2
            ),
        ],
        [
            f"memory {before / 1e6:.0f} MB before, {after / 1e6:.0f} MB after",
            f"bystander p99: {during:.1f} ms during the attack, {usual:.1f} ms during harmless messages",
            f"{quiet:.1f} ms while another server is attacked: {during / max(quiet, 1.0):.1f} times that now",
            *log.splitlines()[:20],
        ],
    )


def memory(pid: int) -> int:
    """Return the memory of a process in bytes."""
    for line in Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise AssertionError(f"process {pid} has ended")


def _part(whole: int, number: int) -> int:
    """Return the size of a part of *whole* when it is divided into `ROUNDS`."""
    return whole * (number + 1) // ROUNDS - whole * number // ROUNDS


Make: TypeAlias = Callable[[Random], bytes]
"""Returns one message."""


@dataclass(frozen=True, slots=True)
class Messages:
    """A kind of messages for all doors."""

    frame: Make
    line: Make
    parts: Callable[[Mapping[bytes, bytes]], dict[str, Make]]
    """Returns what is sent to the HTTP port, by its parts, from what the words in capitals stand for."""


def _damaged_frame(chance: Random) -> bytes:
    return damaged(chance.choice(FRAMES), chance)


def _damaged_line(chance: Random) -> bytes:
    return _damaged_frame(chance) + chance.choice((b"\n", b"\r\n", b"\r", b""))


def _damaged_bytes(chance: Random) -> bytes:
    return damaged(chance.choice(BYTES), chance)


def _damaged_request(requests: Sequence[Request], chance: Random) -> bytes:
    return written(damaged_request(chance.choice(requests), chance))


def _damaged_parts(known: Mapping[bytes, bytes]) -> dict[str, Make]:
    parts: dict[str, Make] = {"http": _damaged_bytes}
    for name, requests in REQUESTS.items():
        parts[name] = partial(_damaged_request, [filled(request, known) for request in requests])
    return parts


def _frame(chance: Random) -> bytes:
    return chance.choice(FRAMES)


def _line(chance: Random) -> bytes:
    return _frame(chance) + b"\n"


def _one_of(requests: Sequence[bytes], chance: Random) -> bytes:
    return chance.choice(requests)


def _valid_parts(known: Mapping[bytes, bytes]) -> dict[str, Make]:
    parts: dict[str, Make] = {"http": partial(_one_of, BYTES)}
    for name, requests in REQUESTS.items():
        parts[name] = partial(_one_of, [written(filled(request, known)) for request in requests])
    return parts


def _ordinary_parts(known: Mapping[bytes, bytes]) -> dict[str, Make]:
    return {name: partial(_one_of, [written(filled(request, known))]) for name, request in ORDINARY.items()}


HOSTILE: Final = Messages(_damaged_frame, _damaged_line, _damaged_parts)
VALID: Final = Messages(_frame, _line, _valid_parts)
"""The same without damage."""
HARMLESS: Final = Messages(_frame, _line, _ordinary_parts)
"""Those that take little work."""


class Attack:
    """The attack on one server."""

    def __init__(self, one: Server, seed: int, tell: Tell) -> None:
        """Create what the requests refer to: an account, a table, a tournament, a match."""
        assert _ends(one, "coinche")
        self.sent: Counter[str] = Counter()
        """The number of messages by door."""
        self._one = one
        self._seed = seed
        self._tell = tell
        cup = {"name": "Cup", "game": "hearts", "starts_in": 3600}
        account = {"name": "mallory", "password": PASSWORD}
        login = {"command": "user.login", "nickname": "eve"}
        known = {
            b"OPERATOR": OPERATOR_TOKEN,
            b"TABLE": one.new_table(),
            b"CUP": one.ask("/api/tournaments", cup)[1]["id"],
            b"SESSION": one.ask("/api/account", account)[1]["token"],
            b"RELAY": one.ask("/relay", login)[1]["token"],
            b"MATCH": one.ask("/api/matches")[1][0]["id"],
        }
        self._known = {name: str(value).encode() for name, value in known.items()}

    def go(self, many: int, messages: Messages | None = None) -> Times:
        """Send *many* messages to each door, to all of them at the same time; return the period.

        They are hostile, unless there are other *messages*.
        """
        began = time.time()
        sent = asyncio.run(self._go(many, messages or HOSTILE))
        if messages is None:
            self.sent.update(sent)
        self._tell(f"{self.sent.total():,} messages")
        return began, time.time()

    async def _go(self, many: int, messages: Messages) -> dict[str, int]:
        self._seed += 1
        one, known, doors = self._one, self._known, dict[str, Awaitable[int]]()
        connector = aiohttp.TCPConnector(limit=0, local_addr=ATTACKERS)
        async with aiohttp.ClientSession(connector=connector) as session:
            async with session.get(f"{one.http}/api/house") as answer:
                lines = [int(row["port"]) for row in (await answer.json())["doors"]]
            for path in SOCKETS:
                url = one.ws + path.replace("CUP", known[b"CUP"].decode())
                doors[path] = _frames(session, url, many, messages.frame, self._chance(path))
            for number, port in enumerate(lines):
                doors[f"port {number}"] = _bytes(port, many, BURST, messages.line, self._chance(str(number)))
            for name, make in messages.parts(known).items():
                doors[name] = _bytes(one.port, many, 1, make, self._chance(name))
            return dict(zip(doors, await asyncio.gather(*doors.values()), strict=True))

    def _chance(self, door: str) -> Random:
        return Random(f"{self._seed} {door}")


async def _frames(
    session: aiohttp.ClientSession, url: str, many: int, make: Callable[[Random], bytes], chance: Random
) -> int:
    sent = 0
    while sent < many:
        with contextlib.suppress(*BROKEN):
            async with session.ws_connect(url, max_msg_size=0) as socket:
                for _ in range(min(BURST, many - sent)):
                    message = make(chance)
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


async def _bytes(port: int, many: int, burst: int, make: Callable[[Random], bytes], chance: Random) -> int:
    """Send *many* messages, *burst* over each connection; return their number."""
    sent = 0
    while sent < many:
        with contextlib.suppress(OSError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=ATTACKERS)
            try:
                for _ in range(min(burst, many - sent)):
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
