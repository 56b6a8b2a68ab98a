"""Card sets: small sums that must hold for every card, compiled too."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from croupier.core.cards import bit, cards_of, count, lowest, mask_of, nth, unpack

SETS = st.sets(st.integers(0, 61)).map(sorted)


def test_a_bit_is_a_power_of_two_for_every_card() -> None:
    assert [bit(card) for card in range(62)] == [2**card for card in range(62)]


@given(SETS)
def test_cards_and_sets_go_both_ways(cards: list[int]) -> None:
    mask = mask_of(cards)
    assert mask == sum(2**card for card in cards)
    assert cards_of(mask) == cards
    assert count(mask) == len(cards)


@given(SETS.filter(bool))
def test_the_cards_of_a_set_by_number(cards: list[int]) -> None:
    mask = mask_of(cards)
    assert lowest(mask) == cards[0]
    assert [nth(mask, k) for k in range(len(cards))] == cards


def test_the_empty_set() -> None:
    assert (mask_of([]), count(0), cards_of(0)) == (0, 0, [])


@given(st.lists(st.integers(0, 63), max_size=10))
def test_an_order_of_cards_is_six_bits_a_card(cards: list[int]) -> None:
    packed = sum(card << 6 * at for at, card in enumerate(cards))
    assert unpack(packed, len(cards)) == cards
