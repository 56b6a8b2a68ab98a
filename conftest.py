"""Settings of the whole test run."""

from __future__ import annotations

import signal
from fnmatch import fnmatch

import pytest
from hypothesis import HealthCheck, settings

# Tests that measure real milliseconds fail on a busy box; hypothesis would, by default.
settings.register_profile("croupier", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("croupier")

# What a shell without job control starts in the background ignores Ctrl-C, and so would all that is tested.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

SLOW = (
    "*/tests/bench/*",
    "*/tests/integration/*",
    "*/tests/cli/test_operating.py",
    "*/tests/cli/test_serve.py",
    "*/tests/net/test_input.py",
    "*/tests/net/test_relay.py",
    "*/tests/net/test_slow.py",
    "*/tests/store/test_sqlite.py",
    "*/tests/table/test_hall.py",
    "*/tests/test_verifier.py",
    "*/tests/wire/test_rooms.py",
    "*/games/*/tests/test_bots.py",
    "*/games/*/tests/test_conformance.py",
    "*/games/*/tests/test_notation.py",
    "*/games/*/tests/test_sample.py",
    "*/games/*/tests/test_wire_model.py",
    "*/games/*/tests/test_wire_secrets.py",
)
"""Whole files that `make check` leaves out: processes, sockets that stall, matches by the hundred."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if any(fnmatch(item.path.as_posix(), pattern) for pattern in SLOW):
            item.add_marker(pytest.mark.slow)
