"""Settings of the whole test run."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# Tests that measure real milliseconds fail on a busy box; hypothesis would, by default.
settings.register_profile("croupier", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("croupier")
