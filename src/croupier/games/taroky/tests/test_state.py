"""The rules, number by number, and properties of random deals."""

from __future__ import annotations

from random import Random

import pytest

from croupier.core.cards import count
from croupier.core.dice import Dice
from croupier.core.options import BadOptions
from croupier.games.taroky.events import MoneyCalled
from croupier.games.taroky.legality import discardable, partner_choice
from croupier.games.taroky.tests.positions import (
    BIDA,
    BIDA_TALON,
    QUIET,
    cards,
    dealt,
    discard_all,
    fresh,
    hand,
    key_of,
    names,
    partner_game,
    say,
)
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
    PLAYING,
    PREVER,
    SUIT,
    TALON,
    VALAT,
    WHOLE,
    YES,
    log_text,
)

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


def test_with_priority_last_everyone_is_asked_and_the_last_yes_counts() -> None:
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
    assert [int(count(state.hands[seat])) - 12 for seat in range(4)] == draws
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
def test_suit_cards_except_kings_go_first_then_trumps_except_the_trul(holding: str, may: str) -> None:
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


def test_in_prever_no_seat_chooses() -> None:
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
    say(twin, NAME + 4)  # Povinnost holds XIX: alone, and no other seat knows
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
