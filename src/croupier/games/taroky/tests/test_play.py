"""The rules from the announcements on, and properties of random deals."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.core.cards import mask_of
from croupier.core.contract import first_seat, play_out
from croupier.core.dice import Dice
from croupier.games.taroky import GAME
from croupier.games.taroky.events import ContraAsked, ContraCalled, ContraDeclined, IoteDeclined
from croupier.games.taroky.legality import beats, playable, suit_of
from croupier.games.taroky.reader import parse
from croupier.games.taroky.scoring import points
from croupier.games.taroky.state import TarokyState
from croupier.games.taroky.tests.positions import (
    GAME_A,
    announcing,
    asked,
    dealt,
    discard_all,
    fresh,
    hand,
    key_of,
    names,
    partner_game,
    say,
    walk,
)
from croupier.games.taroky.vocabulary import (
    CARD,
    CARDS,
    CODES,
    CONTRA,
    DISCARD,
    HALF,
    IOTE,
    NAME,
    NO,
    PARTNER,
    PHASES,
    PLAIN,
    PLAYING,
    PREVER,
    SUIT,
    TALON,
    TRUL,
    TRUMPS,
    VALAT,
    YES,
)
from croupier.testing.strategies import examples

# R11: valat, contra, I on the end


def test_the_first_valat_ends_the_questions() -> None:
    state = announcing(2)
    say(state, NO, YES)
    assert (state.valat, state.phase) == (1, CONTRA)


@pytest.mark.parametrize(
    ("declarers", "valat", "order"),
    [
        ([2], None, [1, 3]),
        ([1], None, [2, 3]),
        ([3], None, [1, 2]),
        ([0], None, [1, 2, 3]),
        ([2], 0, [1, 3]),
        ([2], 2, [1, 3]),
        ([2], 1, [0, 2]),
        ([3], 1, [0, 3]),
        ([0], 3, [0]),
    ],
)
def test_who_is_asked_for_contra(declarers: list[int], valat: int | None, order: list[int]) -> None:
    state = announcing(*declarers)
    while state.phase == VALAT:
        say(state, YES if state.turn == valat else NO)
    assert asked(state) == order


def test_stages_of_contra_start_after_the_last_caller() -> None:
    state = announcing(2)
    say(state, NO, NO, NO, NO)
    say(state, NO, YES)  # 1 declines, 3 calls contra
    assert (state.contras, state.turn) == (1, 0)
    say(state, NO)
    assert state.turn == 2
    say(state, YES)  # rhea
    assert (state.contras, state.turn) == (2, 3)
    say(state, YES)  # supra, and nothing above it
    assert (state.contras, state.phase) == (3, IOTE)
    assert [int(state.caller(level)) for level in range(3)] == [3, 2, 3]


def test_in_prever_contra_starts_after_the_prever_player() -> None:
    state = dealt([])
    say(state, NO, NO, YES, YES)
    discard_all(state)
    twin = state.clone()
    say(state, NO, NO, NO, NO)
    assert asked(state) == [3, 0, 1]
    say(twin, YES)  # an opponent announces valat
    assert asked(twin) == [2]


def only_asked(state: TarokyState, seat: int) -> None:
    """Check that *seat* is asked and that no other seat knows it."""
    assert [state.to_act_for(s) for s in range(4)] == [1 << s if s == seat else 0 for s in range(4)]
    assert state.to_act_for(-2) == 0
    others = [other for other in range(4) if other != seat]
    assert [key_of(state, other, YES) for other in others] == ["not_your_turn"] * 3


def test_only_the_seat_that_is_asked_knows_it() -> None:  # spec 3.3
    state = announcing(2)
    say(state, NO, NO, NO, NO)
    state.events = []
    only_asked(state, 1)
    others = [state.view(s).facts() for s in (0, 2, -2)]
    say(state, NO)
    assert [event.audience for event in state.events] == [0b0010, 0b1000]
    assert isinstance(state.events[0], ContraDeclined)
    assert isinstance(state.events[1], ContraAsked)
    assert [state.view(s).facts() for s in (0, 2, -2)] == others
    only_asked(state, 3)
    say(state, YES)
    called, following = state.events[-2:]
    assert isinstance(called, ContraCalled)
    assert called.heard_by(-2)
    assert following.audience == 0b0001  # Povinnost is asked for rhea, and no other seat is told


def test_the_holder_of_the_pagat_is_asked_in_secret() -> None:
    state = partner_game(dealt(["T02 T03 T04 S1 S2", "T19", "T01 T05 T06"], talon="C1 C2 C3 C4 H1 H2"))
    say(state, NAME + 4, NO, NO, NO, NO)
    asked(state)
    assert (state.phase, state.turn) == (IOTE, 2)
    assert [state.to_act_for(seat) for seat in (0, 1, 2, 3, -2)] == [0, 0, 4, 0, 0]
    state.events = []
    say(state, NO)
    assert isinstance(state.events[0], IoteDeclined)
    assert state.events[0].audience == 0b0100
    assert state.phase == PLAYING


def test_no_seat_is_asked_for_the_i_after_valat_or_when_it_is_in_the_refused_half() -> None:
    state = announcing(2)
    say(state, YES)
    asked(state)
    assert (state.phase, state.turn) == (PLAYING, 0)
    state = dealt([], talon="S1 S2 S3 T01 C1 C2")
    say(state, YES, YES)
    discard_all(state)
    say(state, NO, NO, NO, NO)
    asked(state)
    assert (state.phase, state.pagat) == (PLAYING, -1)


# R12: play


@pytest.mark.parametrize(
    ("holding", "led", "may"),
    [
        ("S1 SK H2 T05", "S3", "S1 SK"),
        ("H2 D3 T05 T22", "S3", "T05 T22"),
        ("H2 D3", "S3", "H2 D3"),
        ("H2 T01 T21", "T05", "T01 T21"),
        ("H2 D3", "T05", "H2 D3"),
    ],
)
def test_what_may_be_played(holding: str, led: str, may: str) -> None:
    assert names(int(playable(hand(holding), suit_of(CODES[led])))) == may


def test_refused_plays_have_their_reasons() -> None:
    start, _, _ = GAME_A.partition("/C4CKT02C12/")
    state = parse(f"{start}/C4CK/").state
    assert state is not None
    assert key_of(state, 1, CARD + CODES["H2"]) == "must_trump"
    assert key_of(state, 1, CARD + CODES["C1"]) == "not_yours"
    assert key_of(state, 2, CARD + CODES["C1"]) == "not_your_turn"
    assert key_of(state, 1, NO) == "wrong_phase"
    state = parse(f"{start}/C4CKT02/").state
    assert state is not None
    assert key_of(state, 2, CARD + CODES["H1"]) == "must_follow"
    assert [CARDS[action - CARD] for action in state.legal_actions(2)] == ["C1", "C3"]


@pytest.mark.parametrize(
    ("card", "best", "ace_high", "takes"),
    [
        ("S2", "S1", False, True),
        ("SK", "SQ", False, True),
        ("H1", "H4", False, False),
        ("H1", "H4", True, True),
        ("H1", "HJ", True, False),
        ("D2", "D1", True, False),
        ("D4", "D3", True, True),
        ("D3", "D2", True, True),
        ("S1", "S4", True, False),
        ("C1", "C2", True, False),
        ("T01", "SK", False, True),
        ("T22", "T21", False, True),
        ("SK", "T01", False, False),
    ],
)
def test_what_beats_what(card: str, best: str, ace_high: bool, takes: bool) -> None:  # R2, R12
    assert beats(CODES[card], CODES[best], suit_of(CODES[best]), ace_high) == takes


def test_a_card_of_another_suit_takes_nothing() -> None:
    assert not beats(CODES["DK"], CODES["S1"], suit_of(CODES["S1"]), False)


def test_suits() -> None:
    for suit, letter in enumerate("SCHDT"):
        of_it = [card for card in range(54) if CARDS[card][0] == letter]
        assert {int(suit_of(card)) for card in of_it} == {int(mask_of(of_it))} == {int(SUIT[suit])}


# Whole deals (spec 10)


def legal_phase(here: TarokyState) -> int:
    """Check what may be done here, and return the phase."""
    seat = int(first_seat(here.to_act()))
    legal = here.legal_actions(seat)
    assert int(here.to_act()) == 1 << seat
    assert legal
    held = int(here.hands[seat])
    if here.phase == DISCARD:
        plain = held & int(PLAIN)
        assert mask_of([a - CARD for a in legal]) == plain or held & int(TRUMPS & ~TRUL)
    elif here.phase == PARTNER:
        assert legal[-1] == NAME + 4
        assert len(legal) < 3
    elif here.phase != PLAYING:
        assert legal == [NO, YES]
    return int(here.phase)


def test_random_deals_reach_every_phase_except_that_of_few_trumps() -> None:
    phases = {
        legal_phase(here)
        for seed in range(20)
        for here in walk(fresh(hands=1), Random(seed), 0.3)
        if here.awaiting() is None and not here.over()
    }
    assert phases == {PREVER, HALF, TALON, DISCARD, PARTNER, VALAT, CONTRA, IOTE, PLAYING}


@examples(60)
@given(st.integers(0, 2**40), st.sampled_from([0.05, 0.3, 0.6]))
def test_properties_of_random_deals(seed: int, calls: float) -> None:  # spec 10, items 3 and 4
    state = fresh(hands=1, ace_high=seed % 2 == 0)
    phases = [
        legal_phase(here)
        for here in walk(state, Random(seed), calls)
        if here.awaiting() is None and not here.over()
    ]
    assert phases.count(PLAYING) == 48
    result = state.result()
    assert sum(result.points) == 106
    assert sum(result.tricks) == 12
    assert sum(result.payments) == sum(result.money) == 0
    assert sum(result.chips) == 400
    everything = sum(int(points(state.taken[s]) + points(state.laid(s))) for s in range(4))
    refused = [] if state.prever < 0 else state.talon_cards(0 if state.half == 2 else 3, 3)
    assert everything + int(points(mask_of(refused))) == 106


def test_default_actions_alone_finish_every_hand() -> None:  # spec 10, item 7
    bot = GAME.stand_in()
    for seed in range(20):
        state = fresh(hands=2, ace_high=seed % 2 == 0)
        dice = Dice(seed)
        while not state.over():
            if state.awaiting() is not None:
                state.roll(dice)
                continue
            seat = int(first_seat(state.to_act()))
            state.apply(seat, bot.choose(state.view(seat), Random(0)))
        assert state.prever == -1
        assert state.deal() == 2


def test_a_match_ends_after_its_hands() -> None:  # R14
    state = fresh(hands=3)
    assert play_out(state, Dice(1)) > 3 * 48
    assert state.over()
    assert state.deal() == 3
    assert key_of(state, 0, NO) == "match_over"
    assert len(state.view(1).results) == 3


def test_phases_have_the_words_of_the_spec() -> None:
    assert " ".join(PHASES) == (
        "dealing prever talon prever_talon discard moneycards partner valat contra iote play finished"
    )
