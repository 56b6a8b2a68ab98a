"""Fixtures of several folders of tests."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.store import open_store
from croupier.testing.postgres import QUICK, PostgresServer

os.environ["LC_ALL"] = "C.UTF-8"  # the terminal speaks English


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """A PostgreSQL server with the database ``ready``, which croupier has prepared."""
    server = PostgresServer(*QUICK)
    try:
        server.sql("CREATE DATABASE ready TEMPLATE template0")

        async def prepare() -> None:
            await (await open_store(server.url("ready"))).close()

        asyncio.run(prepare())
        yield server
    finally:
        server.remove()


@pytest.fixture
def postgres(postgres_server: PostgresServer) -> Iterator[str]:
    """The address of a new database."""
    url = postgres_server.new("ready")
    yield url
    postgres_server.drop(url)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A new database of either kind: the path of a file, or an address."""
    return str(request.getfixturevalue("postgres") if request.param == "postgres" else tmp_path / "games.db")
