"""The memory of a real server."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from chaos.hostile import memory
from croupier.accounts.passwords import AT_ONCE
from tests.integration.servers import house

NO_PORTS = ("--coinche-port", "off", "--sagrada-port", "off", "--sagrada-line-port", "off")
BLOCK = 19 * 1024 * 1024
"""What the computation of a hash takes."""


@pytest.mark.slow
def test_the_memory_of_password_checks_is_given_back(tmp_path: Path) -> None:
    with house(tmp_path, *NO_PORTS) as server, ThreadPoolExecutor(2 * AT_ONCE) as threads:
        assert server.process is not None
        before = memory(server.process.pid)
        account = {"name": "anna", "password": "correct horse battery"}
        assert server.ask("/api/account", account)[0] == 201
        wrong = partial(server.ask, "/api/session", {**account, "password": "wrong horse battery"})
        answers = [found.result() for found in [threads.submit(wrong) for _ in range(2 * AT_ONCE)]]
        assert [status for status, _ in answers] == [401] * len(answers)
        assert memory(server.process.pid) - before < BLOCK / 2
