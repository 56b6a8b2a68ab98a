"""The bus on a real nats-server."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from croupier.cluster.bus import BusError
from croupier.cluster.messages import EVERYONE
from croupier.cluster.nats_bus import NatsBus
from croupier.testing.nats import NatsServer

pytestmark = pytest.mark.slow

LONG = b"x" * 300_000


class Member:
    """A node's bus, and what it has heard."""

    def __init__(self, bus: NatsBus) -> None:
        self.bus = bus
        self.heard: list[bytes] = []
        self.changes: list[str] = []
        bus.received = self.heard.append
        bus.lost = lambda: self.changes.append("lost")
        bus.restored = lambda: self.changes.append("restored")

    @classmethod
    async def join(cls, url: str, node: int, key: str = "key") -> Member:
        return cls(await NatsBus.open(url, key, node))


async def until(true: Callable[[], object], seconds: float = 20.0) -> None:
    """Wait until *true* returns something true."""
    async with asyncio.timeout(seconds):
        while not true():  # noqa: ASYNC110  # nothing tells when a message arrives
            await asyncio.sleep(0.01)


async def exchange(url: str) -> None:
    """Let two nodes of a house and a stranger send messages."""
    first, second = await Member.join(url, 1), await Member.join(url, 2)
    stranger = await Member.join(url, 2, "other")
    first.bus.publish(2, b"one\r\n")
    first.bus.publish(2, LONG)
    first.bus.publish(EVERYONE, b"")
    second.bus.publish(1, b"back")
    await until(lambda: len(second.heard) == 3 and first.heard)
    assert second.heard == [b"one\r\n", LONG, b""]
    assert first.heard == [b"back"], "what is for all comes back to nobody"
    assert not stranger.heard
    for member in (first, second, stranger):
        await member.bus.close()
        assert not member.changes


def test_nodes_exchange_messages() -> None:
    server = NatsServer()
    try:
        asyncio.run(exchange(server.url))
    finally:
        server.end()


@pytest.mark.parametrize(
    ("options", "user"),
    [(["--user", "anna", "--pass", "se/cret"], "anna:se%2Fcret"), (["--auth", "t0ken"], "t0ken")],
)
def test_a_user_and_a_token_are_given_in_the_address(options: list[str], user: str) -> None:
    server = NatsServer(*options)
    try:
        asyncio.run(exchange(server.url.replace("//", f"//{user}@")))
        with pytest.raises(BusError, match=r"^nats://127.0.0.1:\d+: NATS refuses the user \(Authorization"):
            asyncio.run(NatsBus.open(server.url.replace("//", "//wrong@"), "key", 1))
    finally:
        server.end()


def test_tls_is_used_if_the_address_or_the_server_asks_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wish = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1"
    files = ["-keyout", str(tmp_path / "key.pem"), "-out", str(tmp_path / "own.pem")]
    subprocess.run(["openssl", *wish.split(), *files], check=True, capture_output=True)
    server = NatsServer(
        "--tls", "--tlscert", str(tmp_path / "own.pem"), "--tlskey", str(tmp_path / "key.pem")
    )
    try:
        with pytest.raises(BusError, match="certificate"):
            asyncio.run(NatsBus.open(server.url, "key", 1))
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "own.pem"))
        asyncio.run(exchange(server.url))
        asyncio.run(exchange(server.url.replace("nats:", "tls:")))
    finally:
        server.end()


def test_a_bus_connects_again_and_tells_that_messages_were_lost(caplog: pytest.LogCaptureFixture) -> None:
    server = NatsServer()

    async def run() -> None:
        first, second = await Member.join(server.url, 1), await Member.join(server.url, 2)
        server.end()
        await until(lambda: first.changes == second.changes == ["lost"])
        first.bus.publish(2, b"lost")
        await asyncio.to_thread(server.start)
        await until(lambda: first.changes == second.changes == ["lost", "restored"])
        first.bus.publish(2, b"arrives")
        await until(lambda: second.heard == [b"arrives"])
        await first.bus.close()
        await second.bus.close()

    try:
        with caplog.at_level(logging.WARNING):
            asyncio.run(run())
    finally:
        server.end()
    assert "connection lost" in caplog.text
    assert "connected again" in caplog.text


def test_a_server_that_does_not_answer_is_noticed() -> None:
    server = NatsServer()
    assert server.process is not None
    pid = server.process.pid

    async def run() -> None:
        member = await Member.join(server.url, 1)
        os.kill(pid, signal.SIGSTOP)
        await until(lambda: member.changes == ["lost"])
        os.kill(pid, signal.SIGCONT)
        await until(lambda: member.changes == ["lost", "restored"])
        await member.bus.close()

    try:
        asyncio.run(run())
    finally:
        os.kill(pid, signal.SIGCONT)
        server.end()


def test_a_server_of_another_protocol_is_one_clear_line() -> None:
    async def run() -> None:
        async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"220 mail.example.org ready\r\n")
            await reader.read()
            writer.close()

        server = await asyncio.start_server(greet, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with server:
            await NatsBus.open(f"nats://127.0.0.1:{port}", "key", 1)

    with pytest.raises(BusError, match="220 instead of a line of NATS"):
        asyncio.run(run())


def test_the_other_servers_of_a_cluster_are_tried() -> None:
    other = NatsServer()

    async def run() -> None:
        async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b'INFO {"connect_urls":["127.0.0.1:%d"]}\r\n' % other.port)
            await reader.readuntil(b"PING\r\n")
            writer.write(b"PONG\r\n")
            server.close()
            writer.close()

        server = await asyncio.start_server(greet, "127.0.0.1", 0)
        member = await Member.join(f"nats://127.0.0.1:{server.sockets[0].getsockname()[1]}", 1)
        await until(lambda: member.changes == ["lost", "restored"])
        second = await Member.join(other.url, 2)
        second.bus.publish(1, b"arrives")
        await until(lambda: member.heard == [b"arrives"])
        await member.bus.close()
        await second.bus.close()

    try:
        asyncio.run(run())
    finally:
        other.end()
