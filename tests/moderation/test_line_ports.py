"""Bans at the TCP ports of the line protocols, with sockets and a server process."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest

from tests.integration.servers import TIMEOUT, Server, house, steady_ports
from tests.moderation.doors import OPERATOR, TOKEN

pytestmark = pytest.mark.slow

HERE = "127.0.0.1"
BANNED = {
    "coinche": "500 ",
    "sagrada": "failed",
    "sagrada-line": "failed",
    "tarock": '{"error":"banned"',
    "taroky": '{"error":"banned"',
}
"""By port: how the last line begins that a banned client gets."""

ROOMS = b'{"command": "user.login", "nickname": "annabel"}\n'
LOGIN = {
    "coinche": b"NAME annabel\r\n",
    "sagrada": b"login\tannabel\r\n",
    "sagrada-line": b"login annabel\r\n",
    "tarock": ROOMS,
    "taroky": ROOMS,
}


def caller(port: int) -> socket.socket:
    return socket.create_connection((HERE, port), TIMEOUT)


def rest(link: socket.socket) -> list[str]:
    """Return the lines until the server closes the connection."""
    with link, link.makefile("rb") as lines:
        return lines.read().decode().split("\n")


def order(server: Server, act: str, **members: object) -> Any:
    status, entry = server.ask("/api/operator/orders", {"act": act, **members}, **OPERATOR)
    assert status == 201, entry
    return entry


@pytest.mark.parametrize("port", BANNED)
def test_a_banned_address_is_refused_at_line_ports(tmp_path: Path, port: str) -> None:
    token = tmp_path / "token"
    token.write_text(TOKEN)
    token.chmod(0o600)
    [number] = steady_ports(1)
    with house(tmp_path, "--operator-token-file", str(token), f"--{port}-port", str(number)) as server:
        link = caller(number)
        link.sendall(LOGIN[port])
        assert link.recv(100)
        order(server, "ban", who=HERE, seconds=3600, why="spam")
        assert any(line.startswith(BANNED[port]) for line in rest(link)), "who is connected is told"
        assert any(line.startswith(BANNED[port]) for line in rest(caller(number))), "who returns too"
        status, found = server.ask("/api/operator/moderation", **OPERATOR)
        assert status == 200
        order(server, "lift", id=found["measures"][0]["id"])
        with caller(number) as link, link.makefile("rb") as lines:
            link.sendall(LOGIN[port])
            assert any(b"annabel" in line for line in lines)
