"""Which cards are legal: the worked examples of the spec (section 17) and its table (section 6)."""

from __future__ import annotations

from random import Random

import pytest

from croupier.core.cards import bit, cards_of, mask_of
from croupier.games.coinche.legality import broken_rule, cards_over, playable
from croupier.games.coinche.ranks import suit_of
from croupier.games.coinche.tests.positions import cards, key, legal, playing
from croupier.games.coinche.vocabulary import (
    CARD_WORDS,
    DENOMINATIONS,
    RULES_OPTIONS,
    CoincheRules,
    names,
)

# (number, contract, trick, hand, legal, legal with undertrump=free where it differs)
WORKED = [
    ("L1", "Hearts", "", "7♥ 8♦ A♣", "all", ""),
    ("L2", "Hearts", "10♠", "J♥ 7♠ A♠", "7♠ A♠", ""),
    ("L3", "Hearts", "10♥", "9♥ Q♥ A♥ 7♣", "9♥ A♥", ""),
    ("L4", "Hearts", "9♥ 7♥", "10♥ A♥ 8♦", "10♥ A♥", ""),
    ("L5", "Hearts", "A♥ 7♥", "9♥ K♥ 8♦", "9♥", ""),
    ("L6", "Hearts", "8♥", "10♦ A♠", "all", ""),
    ("L7", "Hearts", "A♠", "7♥ J♥ 8♦", "7♥ J♥", ""),
    ("L8", "Hearts", "A♠ 7♠", "7♥ J♥ 8♦", "all", ""),
    ("L9", "Hearts", "A♠ 10♥", "8♥ 9♥ 7♦", "9♥", ""),
    ("L10", "Hearts", "A♠ 10♥", "8♥ K♥ 7♦", "8♥ K♥", "all"),
    ("L11", "Hearts", "A♠ 10♥", "7♦ 8♣", "all", ""),
    ("L12", "Hearts", "K♠ Q♥ 10♠", "7♥ J♥ 8♦", "all", ""),
    ("L13", "Hearts", "K♠ 8♥ 9♥", "10♥ A♥ 8♦", "10♥ A♥", "all"),
    ("L14", "Hearts", "K♠ 8♥ 7♠", "7♥ 9♥ A♠", "A♠", ""),
    ("L15", "TA", "Q♠", "A♥ 7♠ J♠", "J♠", ""),
    ("L16", "TA", "A♠ K♠", "J♥ 8♠ 10♠", "8♠ 10♠", ""),
    ("L17", "TA", "9♠ J♠", "10♦ 8♣", "all", ""),
    ("L18", "SA", "7♠ 8♠", "7♦ A♠", "A♠", ""),
    ("L19", "SA", "10♠", "A♦ 7♣", "all", ""),
]


@pytest.mark.parametrize(
    ("contract", "trick", "hand", "expected", "free"), [row[1:] for row in WORKED], ids=[r[0] for r in WORKED]
)
def test_the_worked_examples(contract: str, trick: str, hand: str, expected: str, free: str) -> None:
    for undertrump, wanted in (("forced", expected), ("free", free or expected)):
        state = playing(hand, trick, contract, undertrump=undertrump)
        assert legal(state) == set(names(cards(hand if wanted == "all" else wanted))), undertrump


@pytest.mark.parametrize(
    ("trick", "hand", "card", "expected"),
    [
        ("10♠", "J♥ 7♠", "J♥", "must_follow"),
        (
            "10♥",
            "9♥ Q♥ 7♣",
            "7♣",
            "must_follow",
        ),  # the first broken rule, although it also breaks the rule to play a higher trump
        ("10♥", "9♥ Q♥ 7♣", "Q♥", "must_play_higher_trump"),
        ("A♠", "7♥ 8♦", "8♦", "must_trump"),
        ("A♠ 10♥", "8♥ 9♥ 7♦", "7♦", "must_trump"),
        ("A♠ 10♥", "8♥ 9♥ 7♦", "8♥", "must_overtrump"),
        ("A♠ 10♥", "8♥ K♥ 7♦", "7♦", "must_trump"),
        ("A♠", "7♥ 8♦", "9♥", "not_yours"),
    ],
)
def test_a_refused_card_names_the_first_rule_it_breaks(
    trick: str, hand: str, card: str, expected: str
) -> None:
    state = playing(hand, trick, "Hearts")
    assert key(state, 0, f"PLAY {CARD_WORDS[cards(card)[0]]}") == expected


def test_in_all_trumps_every_suit_must_be_gone_over() -> None:
    state = playing("A♥ 7♠ J♠", "Q♠", "TA")
    assert key(state, 0, "PLAY 7 Spades") == "must_go_higher"
    assert "a higher card of Spades" in str(state.why_not(0, 69 + cards("7♠")[0]))
    assert key(state, 0, "PLAY A Hearts") == "must_follow"


def test_undertrumping_the_partner_can_be_forbidden_if_overtrumping_is_possible() -> None:  # R6.4
    strict = {"undertrump_partner": "never_if_able"}
    state = playing("7♥ J♥ 8♦", "K♠ Q♥ 10♠", "Hearts", **strict)
    assert legal(state) == {"JH", "8D"}
    assert key(state, 0, "PLAY 7 Hearts") == "no_undertrump"
    # A seat that could not go over it may play anything, and so may all before the first trump.
    assert legal(playing("7♥ 8♥ 8♦", "K♠ Q♥ 10♠", "Hearts", **strict)) == {"7H", "8H", "8D"}
    assert legal(playing("7♥ J♥ 8♦", "A♠ 7♠", "Hearts", **strict)) == {"7H", "JH", "8D"}
    # A trump led by the partner is followed upwards anyway.
    assert legal(playing("7♥ J♥ 8♦", "A♥ 8♥", "Hearts", **strict)) == {"JH"}


# A second, simple implementation of the same rules: lists of words, no sets, no tables.

TRUMP = ["J", "9", "A", "10", "K", "Q", "8", "7"]
PLAIN = ["A", "10", "K", "Q", "J", "9", "8", "7"]


def slow_legal(hand: list[str], trick: list[str], contract: str, free: bool, strict: bool) -> list[str]:
    def suit(card: str) -> str:
        return card[-1]

    def is_trump(card: str) -> bool:
        return contract == "TA" or (suit(card) == contract[0] and contract != "SA")

    def power(card: str) -> int:
        return -(TRUMP if is_trump(card) else PLAIN).index(card[:-1])

    def weight(card: str) -> tuple[int, int]:
        ruffs = contract not in ("TA", "SA") and is_trump(card)
        return (2 if ruffs else 1 if suit(card) == suit(trick[0]) else 0), power(card)

    if not trick:
        return hand
    led = suit(trick[0])
    same = [card for card in hand if suit(card) == led]
    held = max(range(len(trick)), key=lambda at: weight(trick[at]))
    if same:
        if contract == "SA" or not is_trump(trick[0]):
            return same
        top = max(power(card) for card in trick if suit(card) == led)
        return [card for card in same if power(card) > top] or same
    if contract in ("TA", "SA"):
        return hand
    trumps = [card for card in hand if is_trump(card)]
    lying = [power(card) for card in trick if is_trump(card)]
    if (len(trick) - held) % 2 == 0:
        higher = [card for card in trumps if is_trump(trick[held]) and power(card) > max(lying)]
        return [card for card in hand if card not in trumps or card in higher] if strict and higher else hand
    if not trumps:
        return hand
    if not lying:
        return trumps
    higher = [card for card in trumps if power(card) > max(lying)]
    return higher or (hand if free else trumps)


def variant(free: bool, strict: bool) -> CoincheRules:
    options = {
        "undertrump": "free" if free else "forced",
        "undertrump_partner": "never_if_able" if strict else "free",
    }
    return CoincheRules(RULES_OPTIONS.read(options))


@pytest.mark.parametrize("contract", DENOMINATIONS)
def test_a_second_simple_implementation_agrees(contract: str) -> None:
    rng = Random(contract)
    kind = DENOMINATIONS.index(contract)
    variants = [(free, strict, variant(free, strict)) for free in (True, False) for strict in (True, False)]
    refusals = 0
    for number in range(1500):
        free, strict, rules = variants[number % 4]
        deck = rng.sample(range(32), 11)
        trick, hand = deck[: rng.randint(1, 3)], deck[3 : rng.randint(4, 11)]
        led, best, holder = int(suit_of(trick[0])), trick[0], 0
        over = int(cards_over(best, led, kind))
        for at, card in enumerate(trick):
            if bit(card) & over:
                best, holder, over = card, at, int(cards_over(card, led, kind))
        partner = (len(trick) - holder) % 2 == 0
        found = playable(mask_of(hand), led, best, over, partner, kind, rules)
        expected = slow_legal(names(hand), names(trick), contract, free, strict)
        assert set(names(cards_of(found))) == set(expected), (names(trick), names(hand), free, strict)
        refused = [card for card in hand if not found & bit(card)]
        assert all(broken_rule(card, mask_of(hand), led, over, partner, kind) for card in refused)
        refusals += len(refused)
    assert refusals > 1000
