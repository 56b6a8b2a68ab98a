"""The example configurations of proxies in front of three nodes, with Debian's HAProxy and Caddy."""

from __future__ import annotations

import json
import os
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from croupier.testing.nats import NatsServer
from tests.integration.servers import Server, steady_ports

pytestmark = pytest.mark.slow

OPS = Path(__file__).parents[2] / "docs" / "ops"
NAME = "cards.example.org"


class Front:
    """A proxy, the nodes behind it, and a client that trusts its certificate."""

    def __init__(self, nodes: list[Server], folder: Path, port: int) -> None:
        self.nodes = nodes
        self.port = port
        self.log = folder / "proxy.log"
        self.trust = ssl.create_default_context(cafile=str(folder / "certificate.pem"))

    def connect(self) -> ssl.SSLSocket:
        """Connect to the proxy under the name of the site."""
        return self.trust.wrap_socket(
            socket.create_connection(("127.0.0.1", self.port), 20), server_hostname=NAME
        )

    def ask(self, path: str, body: object = None) -> tuple[int, Any]:
        """Return status and JSON of a GET, or of a POST if there is a body."""
        connection = HTTPConnection(NAME, self.port)
        with self.connect() as connection.sock:
            method, data = ("GET", None) if body is None else ("POST", json.dumps(body))
            headers = {"Content-Type": "application/json", "Connection": "close"}
            connection.request(method, path, data, headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())

    def first_frame(self, path: str) -> str:
        """Return the beginning of the first frame of a WebSocket."""
        key = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        upgrade = f"Host: {NAME}:{self.port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n{key}"
        with self.connect() as wire:
            wire.sendall(f"GET {path} HTTP/1.1\r\n{upgrade}\r\n".encode())
            heard = b""
            while b"\r\n\r\n" not in heard or len(heard.partition(b"\r\n\r\n")[2]) < 500:
                heard += wire.recv(4096) or b" " * 500
            assert heard.startswith(b"HTTP/1.1 101 "), heard
            return heard.partition(b"\r\n\r\n")[2].decode(errors="replace")


@pytest.fixture
def ports() -> list[int]:
    """Ports for the lines of each node, for the pages and for the lines of the proxy."""
    return steady_ports(5)


@pytest.fixture
def nodes(tmp_path: Path, postgres: str, ports: list[int]) -> Iterator[list[Server]]:
    """Three nodes of one house."""
    nats = NatsServer()
    found: list[Server] = []
    options = ["--database", postgres, "--nats", nats.url, "--bot-processes", "0"]
    options += ["--trust-proxy", "127.0.0.1", "--public-host", NAME]
    options += ["--sagrada-port", "off", "--sagrada-line-port", "off"]
    try:
        for number, coinche in enumerate(ports[:3]):
            lines = ["--coinche-port", str(coinche)]
            node = Server(tmp_path / f"log{number}", "serve", "--port", "0", *options, *lines)
            found.append(node)
            node.start()
        yield found
    finally:
        for node in found:
            node.kill()
        nats.end()


def certificate(folder: Path) -> None:
    """Create a certificate of the site, its key, and a file with both."""
    subject = ["-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"]
    files = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "certificate.pem")]
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *subject, *files]
    subprocess.run(command, check=True, capture_output=True)
    both = (folder / "certificate.pem").read_text() + (folder / "key.pem").read_text()
    (folder / "both.pem").write_text(both)


def configured(name: str, nodes: list[Server], changes: dict[str, str]) -> str:
    """Return an example with the addresses of *nodes* and *changes*, each of which must occur."""
    text = (OPS / name).read_text()
    for number, node in enumerate(nodes, 1):
        changes |= {f"10.0.0.{number}:8080": f"127.0.0.1:{node.port}"}
    for old, new in changes.items():
        assert old in text, old
        text = text.replace(old, new)
    return text


@pytest.fixture(params=["haproxy", "caddy"])
def front(
    request: pytest.FixtureRequest, tmp_path: Path, nodes: list[Server], ports: list[int]
) -> Iterator[Front]:
    """One of the proxies, as its example configures it."""
    certificate(tmp_path)
    *coinche, port, lines = ports
    if request.param == "haproxy":
        changes = {f"10.0.0.{n}:4242": f"127.0.0.1:{line}" for n, line in enumerate(coinche, 1)}
        changes |= {
            "maxconn 20000": "maxconn 200",
            "bind :443": f"bind 127.0.0.1:{port}",
            "bind :4242": f"bind 127.0.0.1:{lines}",
            "/etc/haproxy/cards.example.org.pem": str(tmp_path / "both.pem"),
        }
        file, command = tmp_path / "haproxy.cfg", ["/usr/sbin/haproxy", "-db", "-f"]
        file.write_text(configured("haproxy.cfg", nodes, changes))
    else:
        keys = f"\ttls {tmp_path}/certificate.pem {tmp_path}/key.pem\n"
        changes = {f"{NAME} {{\n": f"https://{NAME}:{port} {{\n{keys}"}
        file = tmp_path / "Caddyfile"
        alone = "{\n\tadmin off\n\tauto_https disable_redirects\n}\n"
        file.write_text(alone + configured("Caddyfile", nodes, changes))
        command = [shutil.which("caddy") or "/usr/bin/caddy", "run", "--adapter", "caddyfile", "--config"]
    front = Front(nodes, tmp_path, port)
    with front.log.open("w") as log:
        process = subprocess.Popen(
            [*command, str(file)], stderr=log, stdout=log, env={**os.environ, "HOME": str(tmp_path)}
        )
    try:
        _until(lambda: front.ask("/healthz")[0] == 200, front)
        yield front
    finally:
        process.kill()
        process.wait(30)


def _until(true: Any, front: Front, seconds: float = 30.0) -> None:
    end = time.monotonic() + seconds
    while True:
        try:
            if true():
                return
        except OSError:
            pass
        assert time.monotonic() < end, front.log.read_text()[-2000:]
        time.sleep(0.1)


def test_a_proxy_leads_to_any_node_over_tls(front: Front) -> None:
    tables = []
    for _ in range(3):
        status, table = front.ask("/api/tables", {"game": "hearts", "seats": ["open"] * 4})
        assert status == 201, table
        # The node believes the proxy: the address is that of the site, with TLS.
        assert table["house"].startswith(f"wss://{NAME}:{front.port}/house/")
        tables.append(table["id"])
    for table in tables:
        assert table in front.first_frame(f"/house/{table}")
    # A node stops: its tables go on elsewhere, and no client is sent to it.
    assert front.nodes[0].stop() == 0
    for table in tables:
        _until(lambda table=table: front.ask(f"/api/tables/{table}/deals")[0] == 200, front)


@pytest.mark.parametrize("front", ["haproxy"], indirect=True)
def test_haproxy_forwards_the_lines_of_coinche(front: Front, ports: list[int]) -> None:
    for number in range(3):
        with socket.create_connection(("127.0.0.1", ports[-1]), 20) as line:
            file = line.makefile("rw", newline="\n")
            assert "coinche" in file.readline()
            file.write(f"NAME line{number}\n")
            file.flush()
            assert file.readline().startswith("200 ")


def test_the_examples_are_accepted_as_they_are(tmp_path: Path) -> None:
    certificate(tmp_path)
    text = (OPS / "haproxy.cfg").read_text()
    (tmp_path / "haproxy.cfg").write_text(
        text.replace("/etc/haproxy/cards.example.org.pem", str(tmp_path / "both.pem"))
    )
    caddy = shutil.which("caddy") or "/usr/bin/caddy"
    for command in (
        ["/usr/sbin/haproxy", "-c", "-f", str(tmp_path / "haproxy.cfg")],
        [caddy, "validate", "--adapter", "caddyfile", "--config", str(OPS / "Caddyfile")],
    ):
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, env={**os.environ, "HOME": str(tmp_path)}
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert "[WARNING]" not in done.stderr, done.stderr
