"""A real server and players on real sockets."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from math import inf
from pathlib import Path
from random import Random
from typing import Any, Final

import aiohttp

from chaos.endings import CASES, Case
from chaos.players import HousePlayer, Player, own_player
from chaos.virtual import HOUSE, NO_PAUSES
from croupier.core.options import Value
from croupier.games import game
from tests.integration.servers import Server, steady_port, steady_ports

LINES: Final = "lines"
"""The door of a line protocol: a TCP port."""
TERMINAL: Final = "terminal"
"""The port for people at a terminal; the workshop has both."""
LINE_ENDS: Final = {
    "coinche": b"\n",
    "tarock": b"\n",
    "taroky": b"\n",
    "sagrada": b"\r",
    "sagrada-line": b"\r\n",
}
"""The ports by the names of their options, with the end of a line on each."""
ALL_CASES: Final = [
    *CASES,
    *((name, LINES) for name in LINE_ENDS if not name.endswith("-line")),
    ("sagrada", TERMINAL),
]
NO_LINE_PORTS: Final = ("--coinche-port", "off", "--sagrada-port", "off", "--sagrada-line-port", "off")
NO_LIMITS: Final = ("--most-tables", "100000", "--most-connections", "15000")
GLASS: Final = ("--option", "sagrada.lobby_wait=1", "--option", "sagrada.players_max=2")
BROKEN: Final = (aiohttp.ClientError, ConnectionError, TimeoutError)
SLOW: Final[dict[str, dict[str, Value]]] = {
    "hearts": {f"{what}_timeout": 600_000 for what in ("pass_cards", "expose_cards", "pick_card")}
}
"""Clocks that do not run out while a server restarts."""
LONG: Final[dict[str, dict[str, Value]]] = {"hearts": {"deals": 16}}
"""Games as long as possible for one player and bots: the next game would wait until the player starts it."""


@contextlib.contextmanager
def server(*options: str, ports: bool = False, module: str = "croupier") -> Iterator[tuple[Server, Path]]:
    """Run a server on a new database; yield it with its folder."""
    with tempfile.TemporaryDirectory(prefix="croupier-chaos-") as name:
        folder = Path(name)
        where = ["--port", str(steady_port()), "--data", str(folder / "data"), "--log-level", "error"]
        lines = () if ports else NO_LINE_PORTS
        # Searching bots are not part of any goal.
        one = _Process(
            module,
            folder / "log",
            "serve",
            *where,
            *lines,
            *GLASS,
            *NO_LIMITS,
            "--bot-processes",
            "0",
            *options,
        )
        try:
            one.start()
            yield one, folder
        finally:
            one.kill()


class _Process(Server):
    """A server that another module runs, for example with another clock."""

    def __init__(self, module: str, log: Path, *arguments: str) -> None:
        super().__init__(log, *arguments)
        self._module = module

    def command(self) -> list[str]:
        python, flag, _, *rest = super().command()
        return [python, flag, self._module, *rest]


class Gate:
    """The state that all players share: if the server is up, and the number of acknowledged decisions."""

    def __init__(self) -> None:
        self.up = asyncio.Event()
        self.up.set()
        self.acknowledged = 0
        self._wanted = 0
        self._enough = asyncio.Event()

    def acknowledge(self, many: int) -> None:
        self.acknowledged += many
        if self.acknowledged >= self._wanted:
            self._enough.set()

    async def wait_for(self, more: int, seconds: float) -> bool:
        """Wait until *more* decisions have been acknowledged; return False if that takes too long."""
        self._wanted = self.acknowledged + more
        self._enough.clear()
        try:
            await asyncio.wait_for(self._enough.wait(), seconds)
        except TimeoutError:
            return False
        return True


def line_ports() -> dict[str, int]:
    """Return ports for the line protocols, which stay the same when the server is started again."""
    return dict(zip(LINE_ENDS, steady_ports(1 + len(LINE_ENDS))[1:], strict=True))


class Link:
    """A player on a WebSocket, which reconnects when the server is up."""

    def __init__(self, player: Player, url: str, gate: Gate) -> None:
        self.player = player
        self.url = url
        self.gate = gate

    async def run(self, session: aiohttp.ClientSession) -> None:
        """Play until it is cancelled."""
        while True:
            await self.gate.up.wait()
            with contextlib.suppress(*BROKEN):
                await self._play(session)
            await asyncio.sleep(0.02)

    async def _play(self, session: aiohttp.ClientSession) -> None:
        """Play over one connection until it ends."""
        async with session.ws_connect(self.url, max_msg_size=0) as socket:
            for message in self.player.hello():
                await socket.send_str(message)
            async for frame in socket:
                if frame.type != aiohttp.WSMsgType.TEXT:
                    return
                for message in self._replies(frame.data):
                    await socket.send_str(message)

    def _replies(self, frame: str) -> list[str]:
        """Return the messages that the player sends after *frame*."""
        return [*self._hear(frame), *self.player.answer()]

    def _hear(self, frame: str) -> list[str]:
        """Return what the player sends at once after *frame*, without answering a question."""
        before = len(self.player.acknowledged)
        replies = self.player.hear(frame)
        self.gate.acknowledge(len(self.player.acknowledged) - before)
        return replies


class LineLink(Link):
    """A player on a TCP port for lines."""

    def __init__(self, player: Player, port: int, gate: Gate, end: bytes) -> None:
        super().__init__(player, "", gate)
        self.port = port
        self._end = end

    async def _play(self, session: aiohttp.ClientSession) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 20)
        messages = self.player.hello()
        try:
            with contextlib.suppress(asyncio.IncompleteReadError):
                while True:
                    writer.writelines(message.encode() + self._end for message in messages)
                    line = await reader.readuntil(self._end)
                    messages = self._replies(line.decode())
        finally:
            writer.transport.abort()


def open_tables(
    one: Server,
    ports: Mapping[str, int],
    gate: Gate,
    many: int,
    chance: Random,
    cases: Sequence[Case] = ALL_CASES,
    full: float = inf,
) -> list[list[Link]]:
    """Open *many* tables, each of *cases* in turn; return the players of each table.

    The first *full* tables have a player in every seat. The others have one player, over the house protocol,
    and bots.

    The players of the house protocol join first, because otherwise the lobby of Coinche would take their
    seats.
    """
    links = []
    for number in range(many):
        name, door = cases[number % len(cases)]
        alone = number >= full
        if alone:  # a match of the workshop is short, and its end is told to nobody if its player is away
            name, door = "coinche" if name == "sagrada" else name, HOUSE
        seats = 2 if name == "sagrada" else 4
        bots = seats - 1 if alone else 0
        id = ""
        if name != "sagrada" or door == HOUSE:
            wish = {**NO_PAUSES[name], **SLOW.get(name, {})}
            kinds = ["open"] * (seats - bots) + ["bot heuristic"] * bots
            id = one.new_table(
                game=name, seats=kinds, table_options=wish, options=LONG.get(name, {}) if alone else {}
            )
        table: list[Link] = []
        for seat in range(seats - bots):
            who, own = f"player{number}x{seat}", Random(chance.random())
            if door == HOUSE:
                table.append(Link(HousePlayer(who, own, seat), f"{one.ws}/house/{id}", gate))
                continue
            player = own_player(name, who, own, seat, id)
            path = f"t/{id}" if name == "hearts" else name
            if door in (LINES, TERMINAL):
                port = name if door == LINES else f"{name}-line"
                table.append(LineLink(player, ports[port], gate, LINE_ENDS[port]))
            else:
                table.append(Link(player, f"{one.ws}/{path}", gate))
        links.append(table)
    return sorted(links, key=lambda table: not isinstance(table[0].player, HousePlayer))


def rules_of(name: str, config: dict[str, Any]) -> dict[str, Value]:
    """Return the options of a stored table."""
    return game(name).options.read(config.get("options", {}))
