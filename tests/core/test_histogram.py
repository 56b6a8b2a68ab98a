"""Durations in buckets."""

from __future__ import annotations

from croupier.core.histogram import BOUNDS, Histogram


def test_each_duration_is_in_one_bucket_and_all_above_it() -> None:
    times = Histogram()
    for seconds in (0.0004, 0.0005, 0.003, 60.0):
        times.add(seconds)
    found = dict(times.buckets())
    assert (found["0.0005"], found["0.001"], found["0.005"], found["10.0"], found["+Inf"]) == (2, 2, 3, 3, 4)
    assert len(found) == len(BOUNDS) + 1
    assert round(times.sum, 4) == 60.0039
