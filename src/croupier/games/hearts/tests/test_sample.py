"""Sampled states agree with what the seat has seen; everything else varies."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.core.cards import bit
from croupier.games.hearts import GAME
from croupier.games.hearts.sample import plays, sample
from croupier.games.hearts.state import HeartsState
from croupier.games.hearts.tests.positions import (
    TRANSCRIPT_PASSES,
    TRANSCRIPT_ROUNDS,
    act,
    cards,
    dealt,
    keep,
    new,
    pass_all,
    play,
    transcript,
)
from croupier.games.hearts.vocabulary import CODES, HEARTS, PENALTY, SUIT, shown
from croupier.testing.strategies import examples, walks
from croupier.testing.walks import Walk, random_options, seen, walk


def worlds(state: HeartsState, seat: int, many: int = 40) -> list[HeartsState]:
    """Return worlds that *seat* cannot distinguish from *state*; each is checked."""
    rng = Random(1)
    found = [sample(state.view(seat), rng) for _ in range(many)]
    assert all(seen(world, seat) == seen(state, seat) for world in found)
    return found


def playing(rounds: int = 0, **options: object) -> HeartsState:
    state = transcript(**options)
    pass_all(state, TRANSCRIPT_PASSES)
    keep(state)
    for fallen, _, _ in TRANSCRIPT_ROUNDS[:rounds]:
        play(state, fallen)
    return state


def holders(found: list[HeartsState], card: str) -> set[int]:
    return {seat for world in found for seat in range(4) if world.hands[seat] & bit(CODES[card])}


@examples(30)
@given(walks(GAME, steps=150), st.randoms(use_true_random=False))
def test_a_sampled_state_has_the_view_it_was_sampled_from(here: Walk, rng: Random) -> None:
    for seat in range(4):
        view = here.state.view(seat)
        assert seen(GAME.sample(view, rng), seat) == seen(here.state, seat)


@pytest.mark.slow
@pytest.mark.compiled
def test_twenty_thousand_worlds_without_a_contradiction() -> None:
    rng = Random(7)
    made = 0
    seed = 0
    while made < 20_000:
        seed += 1
        options = random_options(GAME, rng)
        for here in walk(GAME, options, seed):
            if rng.random() < 0.2:
                for seat in range(4):
                    assert seen(GAME.sample(here.state.view(seat), rng), seat) == seen(here.state, seat)
                    made += 1


def test_the_cards_passed_are_with_their_receiver() -> None:
    found = worlds(playing(), 0)
    for card in TRANSCRIPT_PASSES[0].split():
        assert holders(found, card) == {1}


def test_hidden_cards_are_dealt_again() -> None:
    found = worlds(playing(), 0)
    assert holders(found, "2C") == {1}  # it leads
    assert holders(found, "QS") == {1, 2, 3}
    assert len({world.hands[2] for world in found}) > 30


def test_packets_of_others_are_free_before_and_after_the_exchange() -> None:
    before = transcript()
    for card in TRANSCRIPT_PASSES[2].split():
        act(before, 2, f"pass {card}")
    assert len({tuple(world.picked(2)) for world in worlds(before, 0)}) > 30
    after = worlds(playing(), 0)
    assert len({tuple(world.picked(1)) for world in after}) > 30
    assert {tuple(world.picked(3)) for world in after} == {tuple(cards(TRANSCRIPT_PASSES[3]))}


def test_a_suit_not_followed_is_not_held() -> None:
    # Dan has thrown KH on clubs, bob 2H: neither has clubs; cyd shows no diamonds in round 7.
    found = worlds(playing(7), 0)
    for world in found:
        assert world.hands[1] & SUIT[1] == world.hands[3] & SUIT[1] == 0
        assert world.hands[2] & SUIT[2] == 0


def test_the_exposed_ace_stays_where_it_was_shown() -> None:
    state = transcript()
    pass_all(state, TRANSCRIPT_PASSES)
    act(state, 0, "expose AH")
    assert holders(worlds(state, 2), "AH") == {0}


def test_a_seat_that_throws_a_penalty_card_in_the_first_round_has_nothing_else() -> None:  # R7.3
    state = dealt(
        [
            "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC",
            "QS 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH",
            "2S 3S 4S 5S 6S 7S 8S 9S TS JS KS AS AH",
            "2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD",
        ],
        pass_sequence=["none"],
    )
    keep(state)
    play(state, "2C 2H")
    for world in worlds(state, 0):
        assert world.hands[1] & ~PENALTY == 0


def test_a_seat_that_leads_a_heart_before_they_are_broken_has_only_hearts() -> None:  # R7.6
    state = dealt(
        [
            "AC 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH",
            "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AH",
            "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS",
            "2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD",
        ],
        pass_sequence=["none"],
    )
    keep(state)
    play(state, "2C 2S 2D AC 2H")
    for world in worlds(state, 3):
        assert world.hands[0] & ~HEARTS == 0


def test_the_hands_of_a_repeated_deck_are_known() -> None:  # R11
    state = playing(13, match_decks="duplicate", deals=1)
    state.apply_draw([])
    for world in worlds(state, 2):
        assert [world.dealt[seat] for seat in range(4)] == [state.dealt[seat] for seat in range(4)]
    pass_all(state, [" ".join(shown(state.hands[seat])[:3]) for seat in range(4)])
    keep(state)
    found = worlds(state, 2)
    assert len({tuple(world.picked(0)) for world in found}) > 10


def test_plays_are_told_in_their_order() -> None:
    state = playing(8)
    play(state, "9D 4D")
    expected = [card for fallen, _, _ in TRANSCRIPT_ROUNDS[:8] for card in cards(fallen)] + cards("9D 4D")
    assert [card for _, card in plays(state.view(3))] == expected


def test_a_match_that_has_not_begun_is_a_fresh_one() -> None:
    assert seen(sample(new().view(1), Random(1)), 1) == seen(new(), 1)


# The deal of hidden cards
