"""Sampled states: exactly those that a view allows, all equally likely."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from croupier.core.cards import cards_of, mask_of
from croupier.core.contract import RulesError
from croupier.games.coinche import GAME
from croupier.games.coinche.sample import Bounds, bounds, sample, tricks
from croupier.games.coinche.state import CoincheState
from croupier.games.coinche.tests.positions import cards, dealt, play, say
from croupier.games.coinche.view import CoincheView
from croupier.games.coinche.vocabulary import (
    DENOMINATIONS,
    PLAY,
    PLAYING,
    RULES_OPTIONS,
    SEATS,
    CoincheRules,
    deck_of,
)


def replays(view: CoincheView, hands: list[int]) -> bool:
    """Return True if *hands* could have led to *view*: tested with the rules, not with limits."""
    state = GAME.new(RULES_OPTIONS.read(view.options), SEATS)
    state.resume(view.deals[: view.deal - 1], view.dealer)
    state.apply_draw(deck_of([cards_of(hand) for hand in hands], view.dealer))
    try:
        for seat, action in view.calls:
            state.apply(seat, action)
        for trick in tricks(view):
            for seat, card in trick:
                state.apply(seat, PLAY + card)
    except RulesError:
        return False
    return state.view(view.seat).facts() == view.facts()


def all_hands(view: CoincheView) -> set[tuple[int, ...]]:
    """Return every distribution of the cards *view* has not seen that the rules allow."""
    played = [
        int(mask_of([c for trick in tricks(view) for s, c in trick if s == seat])) for seat in range(SEATS)
    ]
    played[view.seat] = int(view.initial)
    gone = 0
    for cards_ in played:
        gone |= cards_
    unseen = [card for card in range(32) if not gone >> card & 1]
    a, b, c = (seat for seat in range(SEATS) if seat != view.seat)
    rooms = [8 - played[seat].bit_count() for seat in (a, b, c)]
    found: set[tuple[int, ...]] = set()
    for first in combinations(unseen, rooms[0]):
        rest = [card for card in unseen if card not in first]
        for second in combinations(rest, rooms[1]):
            third = [card for card in rest if card not in second]
            hands = played[:]
            hands[a] |= int(mask_of(list(first)))
            hands[b] |= int(mask_of(list(second)))
            hands[c] |= int(mask_of(third))
            if replays(view, hands):
                found.add(tuple(hands))
    return found


def late_view(seed: int, left: int, **options: object) -> CoincheView:
    """Return the view of a random seat in a random deal with about *left* cards in each hand."""
    rng = Random(seed)
    state = GAME.new(GAME.options.read(options), SEATS)
    state.apply_draw(rng.sample(range(32), 32))
    # Contracts in TA and in suits reveal most.
    say(state, f"bid 80 {rng.choice(DENOMINATIONS[:5])}", "p", "p", "p")
    while state.phase == PLAYING and max(state.view(0).counts) > left:
        state.apply(int(state.turn), rng.choice(state.legal_actions(int(state.turn))))
    for _ in range(rng.randrange(4)):
        state.apply(int(state.turn), rng.choice(state.legal_actions(int(state.turn))))
    return state.view(rng.randrange(SEATS))


@pytest.mark.parametrize(
    ("seed", "left"),
    [
        *((seed, 2) for seed in range(60)),
        *(pytest.param(seed, 3, marks=pytest.mark.slow) for seed in range(60, 72)),
    ],
)
def test_bounds_allow_exactly_what_the_rules_allow(seed: int, left: int) -> None:
    options: dict[str, object] = {
        "undertrump": ["forced", "free"][seed % 2],
        "undertrump_partner": ["free", "never_if_able"][seed // 2 % 2],
    }
    view = late_view(seed, left, **options)
    expected = all_hands(view)
    rng = Random(seed)
    rules = CoincheRules(RULES_OPTIONS.read(view.options))
    assert {tuple(Bounds(view, rules).hands(rng)) for _ in range(20 * len(expected))} == expected


def test_all_possible_hands_are_equally_likely() -> None:
    for seed in range(40):
        view = late_view(seed, 2)
        expected = all_hands(view)
        if 5 <= len(expected) <= 12:
            break
    rules = CoincheRules(RULES_OPTIONS.read(view.options))
    rng = Random(2)
    times = Counter(tuple(Bounds(view, rules).hands(rng)) for _ in range(400 * len(expected)))
    assert set(times) == expected
    assert all(300 < many < 500 for many in times.values()), times.values()


OTHERS = [
    "9H 10H JS QS KS AS 7D 8D",
    "JH AH 9D 10D JD QD KD AD",
    "7C 8C 9C 10C JC QC KC AC",
]
HANDS = [
    "7H 8H 9H KH AS 10S KS QS",
    "10H QH JS 9S 8S 7S 7D 8D",
    "JH AH 9D 10D JD QD KD AD",
    "7C 8C 9C 10C JC QC KC AC",
]


def started(denomination: str, **options: object) -> CoincheState:
    return say(dealt(HANDS, **options), f"bid 80 {denomination}", "p", "p", "p")


def test_a_belote_reveals_the_place_of_the_other_card() -> None:
    state = say(dealt(["KH QH 7H 8H 7S 8S 9S 10S", *OTHERS]), "bid 80 Hearts", "p", "p", "p")
    play(state, "KH")
    known, possible = bounds(state.view(1))
    assert known[0] == int(mask_of(cards("QH")))
    assert not possible[2] & int(mask_of(cards("QH")))


def test_a_king_without_belote_excludes_the_queen() -> None:
    state = play(started("Hearts"), "KH")
    _, possible = bounds(state.view(3))
    queen = int(mask_of(cards("QH")))
    assert not possible[0] & queen
    assert possible[1] & queen
    assert possible[2] & queen


def test_not_following_excludes_the_suit() -> None:
    state = play(started("Hearts"), "AS 7S 9D")
    view = state.view(0)
    _, possible = bounds(view)
    # Seat 2 threw a diamond on its partner's ace: it has no spades and may have trumps.
    assert not possible[2] & int(mask_of(cards("8S 9S JS")))
    assert possible[2] & int(mask_of(cards("JH AH")))


@pytest.mark.parametrize("seed", range(20))
def test_a_sampled_state_has_the_same_view(seed: int) -> None:
    view = late_view(seed, 6)
    expected = view.facts()
    state = sample(view, Random(seed))
    assert state.view(view.seat).facts() == expected
    assert state.view(view.seat).legal == view.legal
