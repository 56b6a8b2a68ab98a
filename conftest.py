"""Settings of the whole test run."""

from __future__ import annotations

import gc
import os
import signal
from fnmatch import fnmatch
from functools import cache

import pytest
from hypothesis import HealthCheck, settings

from tests import stray

# By default hypothesis fails examples that take long, which proves nothing on a busy machine.
settings.register_profile("croupier", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("nightly", settings.get_profile("croupier"), max_examples=2000)
settings.register_profile("check", settings.get_profile("croupier"), max_examples=20)
settings.load_profile("croupier")

# A shell without job control starts background processes with SIGINT ignored; tested ones inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

SLOW = (
    "*/tests/benchmarks/*",
    "*/tests/chaos/*",
    "*/tests/integration/*",
    "*/tests/cli/test_operating.py",
    "*/tests/cli/test_serve.py",
    "*/tests/net/test_input.py",
    "*/tests/net/test_relay.py",
    "*/tests/net/test_slow.py",
    "*/tests/store/test_postgres.py",
    "*/tests/store/test_sqlite.py",
    "*/tests/table/test_tables.py",
    "*/tests/test_verifier.py",
    "*/tests/wire/test_rooms.py",
    "*/games/*/tests/test_bots.py",
    "*/games/*/tests/test_conformance.py",
    "*/games/*/tests/test_sample.py",
    "*/games/*/tests/test_wire_model.py",
    "*/games/*/tests/test_wire_secrets.py",
)
"""Whole files that `make check` skips: processes, sockets that stall, matches by the hundred."""


RULES = (
    "*/tests/bots/*",
    "*/tests/core/*",
    "*/tests/envs/*",
    "*/tests/reviews/test_review.py",
    "*/tests/test_every_game.py",
    "*/games/*/tests/test_[!w]*",
    "*/games/coinche/tests/test_wire*",
    "*/games/hearts/tests/test_wire*",
    "*/tests/table/test_[!bptr]*",
    "*/tests/table/test_table.py",
    "*/tests/table/test_presence.py",
    "*/tests/wire/test_house.py",
)
"""Files that also run compiled, except those in SLOW: rules, environments, bots, and the path of a move (the
table, its shell, the wires of Hearts, Coinche and the house)."""
INTERPRETED = (
    "*/tests/core/test_chance.py",
    "*/tests/core/test_record.py",
    "*/games/*/tests/test_accounts.py",
    "*/games/*/tests/test_explain.py",
    "*/games/*/tests/test_joining.py",
    "*/games/*/tests/test_log.py",
    "*/games/*/tests/test_pace.py",
    "*/tests/table/test_opening.py",
)
"""Files of RULES about modules that are never compiled: they would run the same code twice."""


def pytest_configure() -> None:
    stray.kill_at_end()
    gc.disable()  # the collected tests all stay alive, so there is no garbage


@cache
def matches(path: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatch(path, pattern) for pattern in patterns)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        path = item.path.as_posix()
        if matches(path, SLOW):
            item.add_marker(pytest.mark.slow)
        elif matches(path, RULES) and not matches(path, INTERPRETED):
            item.add_marker(pytest.mark.rules)


def pytest_collection_finish() -> None:
    """Exclude the collected tests, which all stay alive, from the work of the cycle collector."""
    gc.freeze()
    gc.enable()


@pytest.fixture(autouse=True, scope="session")
def _state_folder(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep the results of arenas out of the home directory."""
    os.environ["XDG_STATE_HOME"] = str(tmp_path_factory.mktemp("state"))
