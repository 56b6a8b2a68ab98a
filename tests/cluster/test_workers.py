"""`croupier serve --workers N`: several nodes on one port, watched by one process."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from croupier.arena.supervisor import CANNOT_START
from croupier.cli import workers
from croupier.cli.workers import Workers
from croupier.testing.nats import NatsServer
from croupier.testing.postgres import PostgresServer
from tests.integration.servers import Server, command, steady_port

OFF = ["--coinche-port", "off", "--sagrada-port", "off", "--sagrada-line-port", "off"]


@pytest.mark.slow
def test_workers_share_a_port_and_a_dead_one_is_replaced(
    tmp_path: Path, postgres: str, postgres_server: PostgresServer
) -> None:
    nats = NatsServer()
    options = ["--database", postgres, "--nats", nats.url, "--bot-processes", "0", *OFF]
    server = Server(tmp_path / "log", "serve", "--port", str(steady_port()), "--workers", "2", *options)
    name = postgres.rpartition("/")[2]

    def processes() -> set[int]:
        rows = postgres_server.sql("SELECT name FROM node WHERE lease_until > now()", name)
        return {int(row.rpartition(" ")[2]) for row in rows.splitlines()}

    try:
        server.start()
        _until(lambda: len(processes()) == 2)
        tables = {server.new_table() for _ in range(8)}
        _until(lambda: tables <= {row["id"] for row in server.ask("/api/tables")[1]})
        before = processes()
        os.kill(min(before), signal.SIGKILL)
        _until(lambda: len(processes()) == 2 and processes() != before)
        for table in tables:
            _until(lambda table=table: server.ask(f"/api/tables/{table}/deals")[0] == 200)
        assert server.stop() == 0
        assert processes() == set()
        assert "ended with status -9; it is started again" in server.log
    finally:
        server.kill()
        nats.end()


def _until(true: object, seconds: float = 30.0) -> None:
    end = time.monotonic() + seconds
    while True:
        try:
            if true():  # type: ignore[operator]
                return
        except OSError:  # the process that took the connection has just been killed
            pass
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)


def test_a_worker_that_ends_again_and_again_is_not_started_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(workers, "PAUSE", 0.0)
    said: list[str] = []
    script = "import os; print('supervised', os.getppid() == int(os.environ['CROUPIER_WORKER'])); exit(3)"

    async def run() -> bool:
        return await Workers(2, [sys.executable, "-c", script], said.append).run()

    with caplog.at_level(logging.WARNING):
        assert not asyncio.run(run())
    assert said == ["supervised True"]
    given_up = [record.getMessage() for record in caplog.records if record.levelno == logging.ERROR]
    assert sorted(given_up) == [
        f"worker {number} ended 5 times within 30 s (status 3); it is not started again" for number in (1, 2)
    ]


@pytest.mark.slow
def test_a_worker_whose_supervisor_has_already_ended_does_not_start(tmp_path: Path) -> None:
    with subprocess.Popen(["true"]) as ended:
        ended.wait()
    done = subprocess.run(
        command("serve", "--port", "0", "--data", str(tmp_path / "data"), *OFF),
        env={**os.environ, workers.VARIABLE: str(ended.pid)},
        timeout=60,
        check=False,
    )
    assert done.returncode == CANNOT_START
    assert not (tmp_path / "data").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--workers", "2"], "several nodes need NATS"),
        (
            ["--workers", "2", "--nats", "nats://127.0.0.1", "--database", "postgresql://x/y", "--port", "0"],
            "same ports",
        ),
    ],
)
def test_workers_need_nats_and_fixed_ports(arguments: list[str], words: str) -> None:
    done = subprocess.run(
        command("serve", *arguments), capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert words in done.stderr
