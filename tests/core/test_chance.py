"""Draws from seeds. The numbers written out here must never change: old records depend on them."""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.core.chance import Stream, commitment, derived_seed, rng
from croupier.core.contract import Draw

SEED = bytes(range(32))
seeds = st.binary(min_size=32, max_size=32)


def test_commitment_is_the_documented_digest() -> None:
    assert commitment(SEED) == hashlib.sha256(b"croupier commitment 1\n" + SEED).hexdigest()
    assert commitment(SEED) == "6dd70c76107694a70567d41c814b3bf414831cea1844511b48a930180d7a5975"


def test_derived_seed_is_the_documented_digest() -> None:
    assert derived_seed(7, 1, 2) == hashlib.sha256(b"croupier seed 1\n1\n2\n7").digest()
    assert derived_seed(7, 1, 2) == derived_seed("7", 1, 2)


def test_table_match_and_deal_have_seeds_of_their_own() -> None:
    triples: list[tuple[int | str, int, int]] = [
        (7, 1, 2),
        (7, 2, 1),
        (8, 1, 2),
        (7, 1, 12),
        (7, 11, 2),
        ("2\n7", 1, 1),
    ]
    assert len({derived_seed(*triple) for triple in triples}) == len(triples)


def test_words_are_blocks_of_sha256_in_counter_mode() -> None:
    stream = Stream(SEED)
    expected = b"".join(hashlib.sha256(SEED + bytes(7) + bytes([block])).digest() for block in range(3))
    for at in range(0, 96, 4):
        assert stream.below(1 << 32) == int.from_bytes(expected[at : at + 4], "big")


def test_a_known_seed_gives_known_draws() -> None:
    stream = Stream(SEED)
    assert stream.draw(Draw(list(range(52)), 52)) == [
        12,
        17,
        31,
        49,
        9,
        50,
        11,
        37,
        36,
        16,
        40,
        7,
        48,
        15,
        39,
        5,
        35,
        13,
        51,
        20,
        45,
        42,
        18,
        30,
        41,
        32,
        1,
        28,
        27,
        29,
        21,
        33,
        24,
        6,
        2,
        46,
        0,
        10,
        4,
        47,
        43,
        22,
        44,
        38,
        23,
        3,
        8,
        14,
        25,
        34,
        26,
        19,
    ]
    assert stream.draw(Draw([1, 2, 3, 4, 5, 6], 5, replace=True)) == [4, 6, 6, 2, 3]
    assert stream.draw(Draw(list(range(10)), 3)) == [3, 5, 7]


def test_words_that_would_favour_small_numbers_are_passed_over() -> None:
    # Two thirds of 2**32 plus one: every third word or so must be rejected.
    n = (1 << 32) * 2 // 3 + 1
    words = Stream(SEED)
    kept = [word for word in (words.below(1 << 32) for _ in range(300)) if word < n]
    stream = Stream(SEED)
    assert [stream.below(n) for _ in range(len(kept))] == kept
    assert len(kept) < 250


def test_every_number_is_about_as_likely() -> None:
    stream = Stream(SEED)
    counts = Counter(stream.below(6) for _ in range(6000))
    assert sorted(counts) == [0, 1, 2, 3, 4, 5]
    # Chi-square with five degrees of freedom passes 20.5 once in a thousand seeds; this seed is fixed.
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 20.5


@given(seeds, st.lists(st.integers(0, 90), min_size=1, max_size=90), st.data())
def test_a_draw_is_one_the_rules_accept(seed: bytes, pool: list[int], data: st.DataObject) -> None:
    draw = Draw(pool, data.draw(st.integers(0, len(pool))), data.draw(st.booleans()))
    before = pool[:]
    outcome = Stream(seed).draw(draw)
    draw.check(outcome)
    assert draw.pool == before
    assert Stream(seed).draw(draw) == outcome


def test_one_stream_serves_the_draws_of_a_deal_in_turn() -> None:
    deck = Draw(list(range(52)), 52)
    stream = Stream(SEED)
    assert stream.draw(deck) != stream.draw(deck)


@pytest.mark.parametrize("n", [0, -1, (1 << 32) + 1])
def test_below_wants_a_range_it_can_serve(n: int) -> None:
    with pytest.raises(ValueError, match=f"below {n}"):
        Stream(SEED).below(n)


def test_a_draw_cannot_take_more_than_there_is() -> None:
    with pytest.raises(ValueError, match="3 items of a pool of 2"):
        Stream(SEED).draw(Draw([1, 2], 3))
    assert len(Stream(SEED).draw(Draw([1, 2], 3, replace=True))) == 3


def test_a_seed_has_32_bytes() -> None:
    for use in (commitment, Stream, lambda seed: rng(seed, "dummy")):
        with pytest.raises(ValueError, match="a seed of 5 bytes: expected 32"):
            use(b"short")


def test_bots_chance_follows_from_seed_and_purpose() -> None:
    def numbers(seed: bytes, purpose: str) -> list[int]:
        random = rng(seed, purpose)
        return [random.randrange(1000) for _ in range(5)]

    assert numbers(SEED, "seat 1") == [430, 574, 991, 834, 810]
    assert numbers(SEED, "seat 2") != numbers(SEED, "seat 1")
    assert numbers(bytes(32), "seat 1") != numbers(SEED, "seat 1")
