"""The suites of published protocols run on SQLite, and every night on PostgreSQL too."""

from __future__ import annotations

import pytest

from tests.integration import servers


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.nightly)])
def on_each_database(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `servers.house` use a database of either kind."""
    if request.param == "postgres":
        monkeypatch.setattr(servers, "database", ["--database", request.getfixturevalue("postgres")])
