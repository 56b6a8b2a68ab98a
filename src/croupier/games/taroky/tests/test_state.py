"""The rules, number by number, and properties of random deals."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.core.cards import count, mask_of
from croupier.core.contract import IllegalAction, RulesError, first_seat, play_out
from croupier.core.dice import Dice
from croupier.core.options import BadOptions
from croupier.games.taroky import GAME
from croupier.games.taroky.events import ContraAsked, ContraCalled, ContraDeclined, IoteDeclined, MoneyCalled
from croupier.games.taroky.legality import beats, discardable, partner_choice, playable, suit_of
from croupier.games.taroky.reader import parse
from croupier.games.taroky.scoring import points
from croupier.games.taroky.state import TarokyState
from croupier.games.taroky.tests.positions import GAME_A, cards, dealt, fresh, say, walk
from croupier.games.taroky.vocabulary import (
    ACTIONS,
    CARD,
    CARDS,
    CODES,
    CONTRA,
    DISCARD,
    HALF,
    IOTE,
    MONEY,
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
    WHOLE,
    YES,
    log_text,
    read_log_text,
    shown,
)

QUIET = "S1 S2 S3 S4 SJ SR SQ SK T02 T03 T04 T05"
"""A hand for Povinnost: eight spades and four trumps, no money cards."""


def hand(text: str) -> int:
    return int(mask_of(cards(text)))


def names(mask: int) -> str:
    return " ".join(shown(mask))


def discard_all(state: TarokyState) -> None:
    while state.phase == DISCARD:
        seat = int(state.turn)
        state.apply(seat, state.legal_actions(seat)[0])


def partner_game(state: TarokyState) -> TarokyState:
    """Let nobody play prever, everybody draw and discard what comes first."""
    say(state, NO, NO, NO, NO, YES, YES)
    discard_all(state)
    return state


def key_of(state: TarokyState, seat: int, action: int) -> str:
    with pytest.raises(IllegalAction) as caught:
        state.apply(seat, action)
    return caught.value.key


# Vocabulary


def test_the_actions_have_the_numbers_of_the_spec() -> None:  # spec 3.1
    assert len(ACTIONS) == 61
    assert [ACTIONS.name(n) for n in (0, 1, 2, 6, 7, 60)] == [
        "no",
        "yes",
        "partner 5",
        "partner 9",
        "card S1",
        "card T22",
    ]


def test_the_deck_stands_in_canonical_order() -> None:  # R2
    assert CARDS[:9] == ["S1", "S2", "S3", "S4", "SJ", "SR", "SQ", "SK", "C1"]
    assert CARDS[16] == "H1"
    assert CARDS[24] == "D1"
    assert CARDS[32] == "T01"
    assert CARDS[53] == "T22"
    assert int(sum(SUIT)) == int(WHOLE)


@pytest.mark.parametrize(
    ("phase", "offered", "action", "text"),
    [
        (PREVER, False, YES, "prever yes"),
        (TALON, False, YES, "talon draw"),
        (TALON, False, NO, "talon pass"),
        (TALON, True, YES, "talon accept"),
        (TALON, True, NO, "talon reject"),
        (HALF, False, YES, "half keep"),
        (HALF, False, NO, "half swap"),
        (DISCARD, False, CARD + CODES["H1"], "discard H1"),
        (MONEY, False, NO, "money no"),
        (PARTNER, False, NAME + 4, "partner 9"),
        (VALAT, False, NO, "valat no"),
        (CONTRA, False, YES, "contra yes"),
        (IOTE, False, NO, "iote no"),
        (PLAYING, False, CARD + CODES["T05"], "play T05"),
    ],
)
def test_actions_in_logs(phase: int, offered: bool, action: int, text: str) -> None:  # spec 3.1
    assert log_text(phase, offered, action) == text
    assert read_log_text(text) == action


def test_a_text_that_is_no_action_is_refused() -> None:
    with pytest.raises(RulesError, match="unknown action"):
        read_log_text("half moon")


# R1, R3: order and deal


def test_the_deal_starts_at_seat_0_and_then_at_povinnost() -> None:
    state = fresh(hands=2)
    deck = list(range(54))
    state.apply_draw(deck)
    assert state.talon_cards(0, 6) == deck[:6]
    assert state.dealt(0) == deck[6:12] + deck[30:36]
    assert state.dealt(3) == deck[24:30] + deck[48:54]
    assert state.povinnost == 0  # T02 is card 33
    rng = Random(1)
    while state.deal() == 0:
        seat = int(state.turn)
        state.apply(seat, rng.choice(state.legal_actions(seat)))
    state.apply_draw(deck)
    assert state.povinnost == 1
    assert state.dealt(1) == deck[6:12] + deck[30:36]
    assert state.dealt(0) == deck[24:30] + deck[48:54]


def test_povinnost_is_the_holder_of_ii_or_of_the_next_trump_not_in_the_talon() -> None:
    state = fresh()
    talon = cards("T02 T03 S1 S2 S3 S4")
    rest = [card for card in range(54) if card not in talon]
    rest.remove(CODES["T04"])
    rest.insert(25, CODES["T04"])  # seat 2
    state.set_out(rest, talon)
    assert state.povinnost == 2


def test_povinnost_may_be_a_seat() -> None:
    for seat in range(4):
        state = fresh(first_povinnost=str(seat))
        state.roll(Dice(3))
        assert state.povinnost == seat == state.turn


def test_chips_may_differ_from_the_start() -> None:
    assert fresh(chips="1,-2,3,4").scores() == [1, -2, 3, 4]
    assert fresh(start_chips=7).scores() == [7, 7, 7, 7]
    for bad in ("1,2,3", "1,2,3,x", "1,2,3,--4", "1,2,3,9999999999", "1,2,3,4,5", "1,2,,3"):
        with pytest.raises(BadOptions, match="option chips="):
            fresh(chips=bad)


# R5: prever


def test_the_first_yes_ends_the_questions() -> None:
    state = dealt([])
    say(state, NO, YES)
    assert (state.phase, state.turn, state.prever) == (HALF, 1, 1)


def test_with_priority_last_everybody_is_asked_and_the_last_yes_counts() -> None:
    state = dealt([], prever_priority="last")
    say(state, YES, NO, YES)
    assert state.phase == PREVER
    say(state, NO)
    assert (state.phase, state.turn, state.prever) == (HALF, 2, 2)


# R6: talon in a partner game


@pytest.mark.parametrize(
    ("answers", "turns", "draws"),
    [
        ([YES, YES], [1, 2], [4, 1, 1, 0]),
        ([NO, YES, YES], [1, 3, 2], [4, 0, 1, 1]),
        ([NO, NO, YES], [1, 3, 2], [4, 1, 1, 0]),
        ([YES, NO, YES], [1, 2, 3], [4, 1, 0, 1]),
        ([YES, NO, NO], [1, 2, 3], [4, 1, 1, 0]),
        ([NO, YES, NO, YES], [1, 3, 2, 3], [4, 0, 0, 2]),
        ([NO, NO, NO, NO], [1, 3, 2, 3], [4, 1, 1, 0]),
    ],
)
def test_cards_5_and_6_are_drawn_passed_accepted_or_rejected(
    answers: list[int], turns: list[int], draws: list[int]
) -> None:
    state = dealt([])
    say(state, NO, NO, NO, NO)
    asked: list[int] = []
    for answer in answers:
        asked.append(int(state.turn))
        say(state, answer)
    assert asked == turns
    assert state.phase == DISCARD
    assert [len(state.draws(seat)) for seat in range(4)] == draws
    assert [int(count(state.hand(seat))) - 12 for seat in range(4)] == draws
    order: list[int] = []
    while state.phase == DISCARD:
        order.append(int(state.turn))
        state.apply(order[-1], state.legal_actions(order[-1])[0])
    assert order == [seat for seat in range(4) for _ in range(draws[seat])]


# R7: talon in a prever game


@pytest.mark.parametrize(
    ("answers", "half", "kept"),
    [([YES], 1, [0, 1, 2]), ([NO, YES], 2, [3, 4, 5]), ([NO, NO], 3, [0, 1, 2])],
)
def test_halves(answers: list[int], half: int, kept: list[int]) -> None:
    state = dealt([], talon="S1 S2 S3 S4 C1 C2")
    talon = cards("S1 S2 S3 S4 C1 C2")
    say(state, NO, NO, YES)
    say(state, *answers)
    assert state.half == half
    assert state.draws(2) == [talon[n] for n in kept]
    assert (state.phase, state.turn, state.left) == (DISCARD, 2, 3)
    shown = state.view(0)
    assert shown.shown == talon[: {1: 0, 2: 3, 3: 6}[half]]


# R8: discarding


@pytest.mark.parametrize(
    ("holding", "may"),
    [
        ("S1 SK T05 T01", "S1"),
        ("SK CK T01 T21 T22 T05 T19", "T05 T19"),
        ("SQ HJ T05", "SQ HJ"),
    ],
)
def test_suit_cards_but_kings_go_first_then_trumps_but_the_trul(holding: str, may: str) -> None:
    assert names(int(discardable(hand(holding)))) == may


def test_refused_discards_have_their_reasons() -> None:
    state = dealt([QUIET], talon="T06 T07 T08 T09 C1 C2")
    say(state, NO, NO, NO, NO, YES, YES)
    assert key_of(state, 0, CARD + CODES["SK"]) == "five_pointer"
    assert key_of(state, 0, CARD + CODES["T02"]) == "suit_first"
    assert key_of(state, 0, CARD + CODES["C1"]) == "not_yours"
    assert key_of(state, 1, CARD + CODES["S1"]) == "not_your_turn"
    assert key_of(state, 0, YES) == "wrong_phase"
    assert key_of(state, 0, NAME) == "wrong_phase"


def test_a_discarded_trump_is_shown_and_a_plain_card_is_not() -> None:
    state = dealt(["SK CK HK DK T02 T03 T04 T05 T06 T07 T08 T09", "S1 S2 S3"], talon="S4 T10 T11 T12 C1 C2")
    say(state, NO, NO, NO, NO, YES, YES)
    say(state, CARD + CODES["S4"], CARD + CODES["T12"])
    other = state.view(2)
    assert other.thrown[0] == [CODES["T12"]]
    assert other.discards[0] == 2
    assert state.view(0).laid == [CODES["S4"], CODES["T12"]]


# R9: money cards


BIDA = [
    "S1 S2 S3 S4 SJ SR SQ C1 C2 C3 T02 T03",
    "T04 T05 T06 T07 T08 T09 SK CJ H2 H3 D1 D2",
    "T10 T11 T12 T13 T14 T15 CK CQ H4 HR D3 D4",
    "T01 T16 T17 T18 T19 T20 HK DK HQ DJ DR DQ",
]
BIDA_TALON = "H1 HJ C4 CR T21 T22"
"""Povinnost has a Bida, nobody else a money card."""


@pytest.mark.parametrize(("answer", "chips"), [(YES, [106, 98, 98, 98]), (NO, [100, 100, 100, 100])])
def test_povinnost_chooses_whether_to_call_uni_or_bida(answer: int, chips: list[int]) -> None:
    state = dealt(BIDA, talon=BIDA_TALON)
    say(state, NO, NO, NO, NO, YES, YES)
    discard_all(state)
    assert (state.phase, state.turn) == (MONEY, 0)
    assert [state.to_act_for(seat) for seat in (0, 1, 2, 3, -2)] == [1, 0, 0, 0, 0]
    state.events = []
    say(state, answer)
    assert state.scores() == chips
    assert len([event for event in state.events if isinstance(event, MoneyCalled)]) == 4
    assert state.phase == PARTNER


def test_in_prever_nobody_chooses() -> None:
    state = dealt(BIDA, talon=BIDA_TALON)
    say(state, NO, YES, YES)
    discard_all(state)
    assert state.phase == VALAT
    assert state.scores() == [106, 98, 98, 98]


def test_payment_is_personal() -> None:
    state = dealt(
        ["SK CK HK DK T02 T03 T04 T05 S1 S2 S3 S4", "T01 T21 T22 T06 T07 T08 T09"], talon="C1 C2 C3 C4 H1 H2"
    )
    say(state, NO, NO, NO, NO, YES, YES)
    discard_all(state)
    money = state.view(3).money
    assert money[0] & 64  # the four kings: 4 from each
    assert money[1] & 16  # the trul: 2 from each
    assert sum(state.scores()) == 400


# R10: partner


@pytest.mark.parametrize(
    ("holding", "lower"),
    [
        ("T18 T17", 0),
        ("T19", 18),
        ("T19 T18", 17),
        ("T19 T18 T17", 16),
        ("T19 T18 T17 T16", 15),
        ("T19 T18 T17 T16 T15", 0),
        ("T19 T17", 18),
    ],
)
def test_which_trump_may_be_named_instead_of_xix(holding: str, lower: int) -> None:
    assert partner_choice(hand(holding)) == lower


def test_the_partner_is_the_holder_of_the_named_trump() -> None:
    state = partner_game(dealt(["T19 T18 S1 S2 S3", "T17"], talon="C1 C2 C3 C4 H1 H2"))
    assert state.legal_actions(0) == [NAME + 2, NAME + 4]
    assert key_of(state, 0, NAME + 3) == "invalid_partner"
    twin = state.clone()
    say(state, NAME + 2)
    assert state.declarers == 0b0011
    say(twin, NAME + 4)  # his own XIX: alone, and nobody knows
    assert twin.declarers == 0b0001
    assert twin.view(1).partner() == -1


def test_a_discarded_partner_leaves_povinnost_alone() -> None:
    state = dealt(["T02 T03 T04", "T01 T21 T22 SK CK HK DK T15 T16 T17 T18 T19"], talon="S1 S2 S3 S4 T20 C1")
    say(state, NO, NO, NO, NO, YES, YES)
    while state.turn == 0:
        state.apply(0, state.legal_actions(0)[0])
    say(state, CARD + CODES["T19"])
    discard_all(state)
    if state.phase == MONEY:
        say(state, NO)
    assert state.view(3).thrown[1] == [CODES["T19"]]
    say(state, NAME + 4)
    assert state.declarers == 0b0001


# R11: valat, contra, I on the end


def announcing(*declarers: int) -> TarokyState:
    """Return a partner game in the phase valat in which player 1 and these seats declare."""
    hands = ["T02 T03 T04 S1 S2 S3", "T05 T06 T07", "T08 T09 T10", "T11 T12 T13"]
    for seat in declarers:
        hands[seat] += " T19"
    state = partner_game(dealt(hands, talon="C1 C2 C3 C4 H1 H2"))
    say(state, NAME + 4)
    assert state.declarers == sum(1 << seat for seat in {0, *declarers})
    return state


def asked(state: TarokyState) -> list[int]:
    """Let everybody say no to contra and return who was asked."""
    out: list[int] = []
    while state.phase == CONTRA:
        out.append(int(state.turn))
        say(state, NO)
    return out


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


def test_only_the_seat_that_is_asked_knows_it() -> None:  # spec 3.3
    state = announcing(2)
    say(state, NO, NO, NO, NO)
    state.events = []
    for seat in (1, 3):
        assert [state.to_act_for(s) for s in range(4)] == [1 << s if s == seat else 0 for s in range(4)]
        assert state.to_act_for(-2) == 0
        others = [state.view(s).facts() for s in (0, 2, -2)]
        for other in range(4):
            if other != seat:
                assert key_of(state, other, YES) == "not_your_turn"
        if seat == 1:
            say(state, NO)
            assert [event.audience for event in state.events] == [0b0010, 0b1000]
            assert isinstance(state.events[1], ContraAsked)
            assert isinstance(state.events[0], ContraDeclined)
            assert [state.view(s).facts() for s in (0, 2, -2)] == others
    say(state, YES)
    called, following = state.events[-2:]
    assert isinstance(called, ContraCalled)
    assert called.heard_by(-2)
    assert following.audience == 0b0001  # Povinnost is asked for rhea, and only he hears it


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


def test_nobody_is_asked_for_the_i_after_valat_or_when_it_lies_in_the_refused_half() -> None:
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


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**40), st.sampled_from([0.05, 0.3, 0.6]))
def test_properties_of_random_deals(seed: int, calls: float) -> None:  # spec 10, items 3 and 4
    state = fresh(hands=1, ace_high=seed % 2 == 0)
    for here in walk(state, Random(seed), calls):
        if here.awaiting() is None and not here.over():
            seat = int(first_seat(here.to_act()))
            legal = here.legal_actions(seat)
            assert int(here.to_act()) == 1 << seat
            assert legal
            held = int(here.hand(seat))
            if here.phase == DISCARD:
                plain = held & int(PLAIN)
                assert mask_of([a - CARD for a in legal]) == plain or held & int(TRUMPS & ~TRUL)
            elif here.phase == PARTNER:
                assert legal[-1] == NAME + 4
                assert len(legal) < 3
            elif here.phase != PLAYING:
                assert legal == [NO, YES]
    result = state.result()
    assert sum(result.points) == 106
    assert sum(result.tricks) == 12
    assert sum(result.payments) == sum(result.money) == 0
    assert sum(result.chips) == 400
    everything = sum(int(points(state.taken(s)) + points(state.laid(s))) for s in range(4))
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
