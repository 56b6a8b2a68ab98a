"""A real server with few descriptors: silent connections cannot shut out players."""

from __future__ import annotations

import asyncio
import contextlib
import resource
import shlex
import socket
from pathlib import Path

import pytest

from tests.integration.servers import Server, command, house
from tests.net.rig import RawSocket

FEW = 200


class Limited(Server):
    """A server whose process has a hard limit of descriptors."""

    def command(self) -> list[str]:
        line = shlex.join(command(*self._arguments))
        return ["sh", "-c", f"ulimit -n {FEW}; exec {line}"]


@pytest.mark.slow
def test_silent_connections_do_not_use_up_the_descriptors(tmp_path: Path) -> None:
    async def play(server: Server) -> None:
        with contextlib.ExitStack() as silent:
            for _ in range(2 * FEW):
                silent.enter_context(socket.create_connection(("127.0.0.1", server.port)))
            client = await RawSocket.open(server.port, "/house/default", 0, {})
            assert await client.answered()
            assert server.ask("/healthz")[0] == 200
            client.close()

    quiet = ("--coinche-port", "off", "--sagrada-port", "off", "--sagrada-line-port", "off")
    server = Limited(tmp_path / "log", "serve", "--port", "0", "--data", str(tmp_path / "data"), *quiet)
    try:
        server.start()
        asyncio.run(play(server))
        assert f"the system allows {FEW} descriptors, too few for 10000 connections" in server.log
        assert "Traceback" not in server.log
    finally:
        server.kill()


def test_the_limit_is_raised_at_the_start(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(FEW, hard), hard))
    try:
        with house(tmp_path) as server:
            assert server.process is not None
            assert resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE) == (hard, hard)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
