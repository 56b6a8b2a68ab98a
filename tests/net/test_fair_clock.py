"""The clock that stops while the process is paused."""

from __future__ import annotations

import logging

import pytest

from croupier.net.fair_clock import BEAT, PAUSE, FairClock


class Watch:
    """A clock set by the test."""

    def __init__(self) -> None:
        self.now = 50.0

    def __call__(self) -> float:
        return self.now


def test_it_runs_as_long_as_it_is_read() -> None:
    watch = Watch()
    clock = FairClock(watch)
    start = clock.time()
    for _ in range(200):
        watch.now += BEAT
        clock.time()
    assert clock.time() - start == pytest.approx(200 * BEAT)


@pytest.mark.parametrize("seconds", [PAUSE + 0.001, 1.0, 3600.0])
def test_a_pause_is_not_charged(seconds: float) -> None:
    watch = Watch()
    clock = FairClock(watch)
    before = clock.time()
    watch.now += seconds
    assert 0 <= clock.time() - before <= BEAT + 1e-9
    watch.now += BEAT
    assert clock.time() - before <= 2 * BEAT + 1e-9, "it continues from there"


def test_a_short_delay_counts() -> None:
    watch = Watch()
    clock = FairClock(watch)
    before = clock.time()
    watch.now += PAUSE
    assert clock.time() - before == pytest.approx(PAUSE)


def test_nothing_is_logged_while_the_server_starts(caplog: pytest.LogCaptureFixture) -> None:
    watch = Watch()
    clock = FairClock(watch)
    with caplog.at_level(logging.WARNING):
        watch.now += 5.0
        clock.time()
    assert caplog.records == []
