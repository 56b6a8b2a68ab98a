"""Real nodes on PostgreSQL and NATS: any of them takes any connection, and each sees the whole house."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from croupier.testing.nats import NatsServer
from croupier.testing.postgres import PostgresServer
from tests.integration.servers import Server, command
from tests.store.proxy import Cutter

pytestmark = pytest.mark.slow

LINE_PORTS = ["--coinche-port", "any", "--sagrada-port", "off", "--sagrada-line-port", "off"]


@pytest.fixture(scope="module")
def nats() -> Iterator[NatsServer]:
    server = NatsServer()
    yield server
    server.end()


class House:
    """Some nodes on one database."""

    def __init__(self, folder: Path, database: str, nats: str) -> None:
        self._folder = folder
        self.database = database
        self._nats = nats
        self.nodes: list[Server] = []

    def start(self, *more: str) -> Server:
        """Start one more node, with *more* options."""
        options = ("--database", self.database, "--nats", self._nats, "--bot-processes", "0", *LINE_PORTS)
        node = Server(self._folder / f"log{len(self.nodes)}", "serve", "--port", "0", *options, *more)
        self.nodes.append(node)
        node.start()
        return node

    def owners(self, server: PostgresServer) -> dict[str, int]:
        """Return the owner of everything, by name."""
        rows = server.sql("SELECT name, owner FROM thing", self.database.rpartition("/")[2])
        return {name: int(owner) for name, _, owner in (line.partition("|") for line in rows.splitlines())}


@pytest.fixture
def house(tmp_path: Path, postgres: str, nats: NatsServer) -> Iterator[House]:
    """A house with two nodes."""
    house = House(tmp_path, postgres, nats.url)
    try:
        house.start()
        house.start()
        yield house
    finally:
        for node in house.nodes:
            node.kill()


def until(true: Any, seconds: float = 20.0) -> None:
    """Wait until *true* returns something true."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)


async def first_frame(node: Server, path: str) -> str:
    async with aiohttp.ClientSession() as session, session.ws_connect(node.ws + path) as ws:
        return str((await ws.receive(10)).data)


def test_any_node_takes_any_connection_and_lists_all_tables(
    house: House, postgres_server: PostgresServer
) -> None:
    first, second = house.nodes
    here, there = first.new_table(), second.new_table()
    owners = house.owners(postgres_server)
    assert owners[here] != owners[there]
    for node in house.nodes:
        for table in (here, there):
            assert table in asyncio.run(first_frame(node, f"/house/{table}"))
            assert node.ask(f"/api/tables/{table}/deals")[0] == 200
        assert "coinche" in asyncio.run(first_frame(node, "/coinche"))
        assert node.ask("/api/tournaments")[0] == 200
        until(lambda node=node: {here, there} <= {row["id"] for row in node.ask("/api/tables")[1]})
    # Tables of a game with a lobby live with the lobby, wherever they are opened.
    rooms = [node.new_table(game="tarock", seats=["open"] * 4) for node in house.nodes]
    owners = house.owners(postgres_server)
    assert {owners[room] for room in rooms} == {owners["main"]}
    status, refusal = second.ask("/api/tables/nowhere/deals")
    assert (status, refusal["key"]) == (404, "not_found")


def test_a_node_that_has_just_started_opens_tables_of_lobbies(house: House) -> None:
    house.start().new_table(game="tarock", seats=["open"] * 4)


def test_a_line_port_of_any_node_leads_to_the_lobby(house: House) -> None:
    for node in house.nodes:
        assert node.process is not None
        assert node.process.stdout is not None
        port = int(node.process.stdout.readline().split()[-1])
        with socket.create_connection(("127.0.0.1", port), 10) as line:
            file = line.makefile("rw", newline="\n")
            assert "coinche" in file.readline()
            file.write(f"NAME line{port}\n")
            file.flush()
            assert file.readline().startswith("200 ")


def test_an_account_and_its_end_are_announced_to_all_nodes(house: House) -> None:
    first, second = house.nodes
    status, made = second.ask("/api/account", {"name": "Anna", "password": "a long password"})
    assert status == 201, made
    token = made["token"]
    for node in house.nodes:
        assert node.ask("/api/account", Authorization=f"Bearer {token}")[0] == 200

    async def revoke() -> float:
        """Join at a table of each node, log out at the other, and return when the last connection ended."""
        table = second.new_table()
        async with aiohttp.ClientSession() as session:
            sockets: list[aiohttp.ClientWebSocketResponse] = []
            for node in house.nodes:
                ws = await session.ws_connect(f"{node.ws}/house/{table}")
                await ws.send_json({"type": "join", "seat": len(sockets), "name": "Anna", "token": token})
                while (await ws.receive_json(timeout=30))["type"] != "joined":
                    pass
                sockets.append(ws)
            begun = time.monotonic()
            await asyncio.to_thread(_log_out, first, token)
            for ws in sockets[-1:]:
                while (await ws.receive(10)).type is aiohttp.WSMsgType.TEXT:
                    pass
            return time.monotonic() - begun

    assert asyncio.run(revoke()) < 10.0, "it was announced; the accounts are read again only after 30 s"


def _log_out(node: Server, token: str) -> None:
    request = urllib.request.Request(
        f"{node.http}/api/session", method="DELETE", headers={"Authorization": f"Bearer {token}"}
    )
    with urllib.request.urlopen(request, timeout=10) as response:
        assert response.status < 300


def test_a_killed_nodes_tables_go_on_elsewhere(house: House, postgres_server: PostgresServer) -> None:
    first, second = house.nodes  # the first has the lobbies
    table = first.new_table()
    first.kill()
    begun = time.monotonic()
    until(lambda: second.ask(f"/api/tables/{table}/deals")[0] == 200)
    took = time.monotonic() - begun
    assert "coinche" in asyncio.run(first_frame(second, "/coinche"))
    assert len(set(house.owners(postgres_server).values())) == 1
    print(f"taken over after {took:.1f} s")  # noqa: T201


def test_a_stopped_node_hands_its_tables_over(house: House, postgres_server: PostgresServer) -> None:
    first, second = house.nodes
    table = first.new_table()

    async def play() -> None:
        async with aiohttp.ClientSession() as session, session.ws_connect(f"{second.ws}/house/{table}") as ws:
            await ws.receive(10)
            assert await asyncio.to_thread(first.stop) == 0
            while (message := await ws.receive(10)).type is aiohttp.WSMsgType.TEXT:
                pass
            assert message.data == 1001

    asyncio.run(play())
    assert second.ask(f"/api/tables/{table}/deals")[0] == 200
    assert len(set(house.owners(postgres_server).values())) == 1


def test_an_operator_drains_a_node_which_still_takes_connections(
    house: House, postgres_server: PostgresServer
) -> None:
    first, _ = house.nodes
    table = first.new_table()
    number = house.owners(postgres_server)[table]
    drained = command("drain", "--database", house.database, str(number))
    done = subprocess.run(drained, capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout == f"node {number} has no tables\n", done.stderr
    assert number not in house.owners(postgres_server).values()
    until(lambda: first.ask(f"/api/tables/{table}/deals")[0] == 200)
    another = first.new_table()
    assert house.owners(postgres_server)[another] != number
    listed = command("nodes", "--database", house.database)
    found = subprocess.run(listed, capture_output=True, text=True, timeout=60, check=False).stdout
    assert ", 0 tables, draining, lease" in found
    assert ", lobbies, lease" in found
    refused = command("drain", "--database", house.database, "12345")
    done = subprocess.run(refused, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, "node 12345: not found" in done.stderr) == (1, True)


def test_every_node_shows_the_whole_house_in_its_metrics(house: House) -> None:
    for node in house.nodes:
        until(lambda node=node: "croupier_nodes 2.0" in metrics(node))
        assert metrics(node).count("croupier_house_tables{") == 2


def metrics(node: Server) -> str:
    with urllib.request.urlopen(f"{node.http}/metrics", timeout=10) as response:
        return str(response.read().decode())


def test_the_operator_sees_nodes_and_people_of_the_whole_house(house: House, tmp_path: Path) -> None:
    (tmp_path / "token").write_text("a long operator token")
    (tmp_path / "token").chmod(0o600)
    third = house.start("--operator-token-file", str(tmp_path / "token"))

    def ask(what: str) -> Any:
        return third.ask(f"/api/operator{what}", Authorization="Bearer a long operator token")[1]

    async def sit() -> None:
        table = await asyncio.to_thread(house.nodes[0].new_table)
        address = f"{house.nodes[1].ws}/house/{table}"
        async with aiohttp.ClientSession() as session, session.ws_connect(address) as ws:
            await ws.send_json({"type": "join", "seat": 2, "name": "Anna", "token": "secret"})
            await asyncio.to_thread(until, lambda: ("Anna", table, 2) in seated())

    def seated() -> list[tuple[str, str | None, int | None]]:
        return [(one["name"], one["table"], one["seat"]) for one in ask("/moderation")["people"]]

    async def wait_in_a_lobby(node: Server) -> None:
        login = {"command": "user.login", "nickname": "Clara"}
        async with aiohttp.ClientSession() as session, session.ws_connect(f"{node.ws}/tarock") as ws:
            await ws.send_json(login)
            await asyncio.to_thread(until, lambda: ("Clara", None, None) in seated())

    asyncio.run(sit())
    until(lambda: sorted(node["tables"] for node in ask("")["nodes"]) == [0, 0, 2])
    for node in house.nodes:
        asyncio.run(wait_in_a_lobby(node))
        until(lambda: ("Clara", None, None) not in seated())


@pytest.mark.parametrize(
    ("nats_url", "words"),
    [
        ("nats://127.0.0.1:1", "cannot be reached"),
        ("not a url", "--nats not a url: expected nats://HOST:PORT"),
    ],
)
def test_a_wrong_address_of_nats_is_one_clear_line(postgres: str, nats_url: str, words: str) -> None:
    arguments = ["serve", "--port", "0", "--database", postgres, "--nats", nats_url]
    done = subprocess.run(command(*arguments), capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert words in done.stderr.splitlines()[-1]


def test_a_nats_that_refuses_the_user_is_one_clear_line(postgres: str) -> None:
    server = NatsServer("--user", "anna", "--pass", "secret")
    try:
        arguments = ["serve", "--port", "0", "--database", postgres, "--nats", server.url]
        done = subprocess.run(command(*arguments), capture_output=True, text=True, timeout=60, check=False)
    finally:
        server.end()
    assert done.returncode == 1
    assert "NATS refuses the user" in done.stderr.splitlines()[-1]


def test_several_nodes_need_postgresql(tmp_path: Path) -> None:
    arguments = ["serve", "--data", str(tmp_path), "--nats", "nats://127.0.0.1"]
    done = subprocess.run(command(*arguments), capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "--nats: several nodes need a PostgreSQL database" in done.stderr


def test_clocks_that_differ_by_an_hour_do_no_harm(
    house: House, postgres_server: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    (library,) = Path("/usr/lib").glob("*/faketime/libfaketime.so.1")
    # The monotonic clock is right on every machine.
    for name, value in {"LD_PRELOAD": library, "FAKETIME": "+1h", "FAKETIME_DONT_FAKE_MONOTONIC": 1}.items():
        monkeypatch.setenv(name, str(value))
    ahead = house.start()
    monkeypatch.undo()
    right = house.nodes[0]
    offset = _date(ahead) - _date(right)
    assert 3500 < offset < 3700, offset
    tables = [node.new_table() for node in house.nodes]
    before = house.owners(postgres_server)
    time.sleep(4.0)  # longer than a lease
    assert house.owners(postgres_server) == before, "nothing has a new owner"
    ahead.kill()
    until(lambda: all(right.ask(f"/api/tables/{table}/deals")[0] == 200 for table in tables))


def _date(node: Server) -> float:
    """Return the time by the clock of a node."""
    with urllib.request.urlopen(f"{node.http}/healthz", timeout=10) as response:
        return parsedate_to_datetime(response.headers["Date"]).timestamp()


def test_a_node_without_its_database_says_so(
    house: House, postgres: str, postgres_server: PostgresServer
) -> None:
    async def play() -> None:
        async with Cutter(postgres_server.port) as proxy:
            house.database = postgres.replace(f":{postgres_server.port}/", f":{proxy.port}/")
            node = await asyncio.to_thread(house.start)
            table = await asyncio.to_thread(house.nodes[0].new_table)
            proxy.hold(True)
            status, found = await asyncio.to_thread(node.ask, f"/api/tables/{table}/deals")
            assert (status, found["key"]) == (503, "busy")
            await asyncio.to_thread(until, lambda: node.ask("/healthz")[0] == 503)
            node.kill()

    asyncio.run(play())


def test_two_houses_on_one_nats_do_not_meet(
    house: House, postgres_server: PostgresServer, nats: NatsServer, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    other = House(tmp_path / "other", postgres_server.new("ready"), nats.url)
    try:
        stranger = other.start()
        theirs, ours = stranger.new_table(), house.nodes[0].new_table()
        until(lambda: ours in {row["id"] for row in house.nodes[1].ask("/api/tables")[1]})
        assert {row["id"] for row in stranger.ask("/api/tables")[1]} == {theirs, "default"}
        assert "croupier_nodes 1.0" in metrics(stranger)
        for node in (stranger, *house.nodes):
            assert "croupier_forged_total 0.0" in metrics(node)
    finally:
        for node in other.nodes:
            node.kill()
        postgres_server.drop(other.database)


def test_a_forged_message_is_ignored_and_reported_once(house: House, nats: NatsServer) -> None:
    first, _ = house.nodes
    with socket.create_connection(("127.0.0.1", nats.port), 10) as forger:
        # A subscription to everything shows the subjects of the house.
        forger.sendall(b'CONNECT {"verbose":false}\r\nSUB croupier.> 1\r\n')
        heard = b""
        while b"MSG croupier." not in heard:
            heard += forger.recv(65536)
            first.new_table()
        subject = heard.partition(b"MSG ")[2].split()[0]
        forger.sendall(b"PUB %s 5\r\nforge\r\nPUB %s 5\r\nagain\r\nPING\r\n" % (subject, subject))
        until(lambda: "without the signature of this house was ignored" in first.log)
    assert first.log.count("without the signature") == 1
    assert first.ask("/healthz")[0] == 200


def test_an_announcement_that_is_sent_again_has_no_effect(house: House, nats: NatsServer) -> None:
    """A session that has ended does not begin again."""
    first, second = house.nodes
    table = second.new_table()
    with socket.create_connection(("127.0.0.1", nats.port), 10) as bus:
        bus.sendall(b'CONNECT {"verbose":false}\r\nSUB croupier.> 1\r\n')
        token = first.ask("/api/account", {"name": "Anna", "password": "a long password"})[1]["token"]
        subject, batch = _batch_with(bus, b'["open",')
        until(lambda: asyncio.run(_join(second, table, token)) == "joined")
        _log_out(first, token)
        until(lambda: asyncio.run(_join(second, table, token)) != "joined")
        bus.sendall(b"PUB %s %d\r\n%s\r\nPING\r\n" % (subject, len(batch), batch))
        _batch_with(bus, batch)
        table = first.new_table()  # its announcement follows that of the session
        until(lambda: table in {row["id"] for row in second.ask("/api/tables")[1]})
    assert asyncio.run(_join(second, second.new_table(), token)) == "refused"
    assert second.log.count("was sent again and is ignored") == 1
    assert "croupier_forged_total 1.0" in metrics(second)


async def _join(node: Server, table: str, token: str) -> str:
    """Return the type of the answer to a person with the account of Anna."""
    async with aiohttp.ClientSession() as session, session.ws_connect(f"{node.ws}/house/{table}") as ws:
        await ws.send_json({"type": "join", "seat": 0, "name": "Anna", "token": token})
        while (found := (await ws.receive_json(timeout=30))["type"]) not in ("joined", "refused"):
            pass
        return str(found)


def _batch_with(listener: socket.socket, words: bytes) -> tuple[bytes, bytes]:
    """Return the first message on the bus that has *words*, with its subject."""
    file = listener.makefile("rb")
    while True:
        line = file.readline()
        if line.startswith(b"MSG "):
            _, subject, *_, size = line.split()
            batch = file.read(int(size))
            if words in batch:
                return subject, batch
