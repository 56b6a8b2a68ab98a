"""Rate limits: the number of tokens, and when the next one is available."""

from __future__ import annotations

import pytest

from croupier.net.limits import refusal_limit
from croupier.wire.token_bucket import MOST_KEYS, MessageLimit, TokenBucket, TokenBuckets


def test_a_bucket_gains_tokens_with_time_up_to_its_capacity() -> None:
    bucket = TokenBucket(3, 2.0)
    assert [bucket.take(10.0) for _ in range(5)] == [True, True, True, False, False]
    assert bucket.refused == 2
    assert bucket.ready() == 10.5
    assert (bucket.wait(10.25), bucket.take(10.5), bucket.refused) == (0.25, True, 0)
    assert [bucket.take(100.0) for _ in range(4)] == [True, True, True, False]


def test_spending_is_not_counted_as_refused() -> None:
    bucket = TokenBucket(1, 1.0)
    assert [bucket.spend(0.0), bucket.spend(0.0), bucket.take(0.0)] == [True, False, False]
    assert bucket.refused == 1


def test_times_may_be_equal_or_inexact() -> None:
    bucket = TokenBucket(1, 3.0)
    assert bucket.take(0.1)
    assert bucket.take(0.1 + 1 / 3), "sums of times are not exact"
    assert not bucket.take(0.0)


def test_with_a_step_tokens_are_added_every_full_second() -> None:
    bucket = TokenBucket(3, 3.0, step=1.0)
    assert [bucket.take(10.1) for _ in range(5)] == [True, True, True, False, False]
    assert [bucket.take(10.99), bucket.take(11.0)] == [False, True]


def test_the_first_message_after_a_question_is_not_counted() -> None:
    limit = MessageLimit(step=1.0, most=2)
    questions = [object() for _ in range(20)]
    assert all(limit.allows(5.0, question) for question in questions)
    assert [limit.allows(5.0, questions[-1]) for _ in range(3)] == [True, True, False]
    assert limit.refused == 1


def test_each_key_has_its_own_bucket() -> None:
    buckets = TokenBuckets(3, 3 / 10)
    for now in (0.0, 0.0, 0.0):
        assert buckets.wait("a", now) == 0
        assert buckets.take("a", now)
    assert buckets.wait("a", 1.0) == pytest.approx(10 / 3 - 1)
    assert not buckets.take("a", 1.0)
    assert buckets.wait("b", 1.0) == 0
    buckets.put_back("a")
    assert buckets.wait("a", 1.0) == 0
    buckets.put_back("nobody")


def test_refusals_after_the_third_in_ten_seconds_are_delayed() -> None:  # Hearts 6.2
    limit = refusal_limit()
    assert [limit.take("a", now) for now in (0.0, 1.0, 2.0, 3.0, 9.0)] == [True, True, True, False, False]
    assert limit.take("b", 9.0)
    assert limit.take("a", 30.0)


def test_full_buckets_are_dropped() -> None:
    limit = refusal_limit()
    for number in range(3 * MOST_KEYS):
        limit.take(str(number), number / 100)
    assert len(limit) <= MOST_KEYS
