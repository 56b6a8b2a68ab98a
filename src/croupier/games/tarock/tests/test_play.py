"""The play: R10."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.core.cards import bit, count, mask_of
from croupier.core.contract import IllegalAction
from croupier.games.tarock.legality import best_of, playable, ruled_out, suit_of
from croupier.games.tarock.tests.positions import (
    act,
    bid,
    cards,
    dealt,
    declare,
    ending,
    finish,
    kinds,
    legal,
    mask,
    play,
    told,
)
from croupier.games.tarock.vocabulary import CONTRACT_NAMES, DEALING, TAROCKS, shown
from croupier.testing.strategies import examples


def allowed(hand: str, table: str, *, negative: bool, kept: str = "") -> str:
    """Return what *hand* may play to *table*."""
    lying = cards(table)
    led = suit_of(lying[0]) if lying else 0
    best = best_of(lying, TAROCKS) if lying else 0
    return " ".join(shown(playable(mask(hand), led, best, mask(table), negative, mask(kept))))


@pytest.mark.parametrize(
    ("hand", "table", "expected"),
    [
        ("S8 SQ T13 HJ", "S7", "S8 SQ"),  # follow suit
        ("T13 HJ T1", "S7", "T1 T13"),  # or play a tarock
        ("HJ D4", "S7", "HJ D4"),  # or anything
        ("S8 T2 T21", "T5", "T2 T21"),  # tarocks are a suit
        ("S8 HJ", "T5", "S8 HJ"),
        ("S8 T1", "", "S8 T1"),  # any card may be led
    ],
)
def test_following(hand: str, table: str, expected: str) -> None:  # R10.1
    assert allowed(hand, table, negative=False) == expected


@pytest.mark.parametrize(
    ("hand", "table", "expected"),
    [  # A10
        ("T13 S8 SQ", "SN S7", "SQ"),
        ("T13 S8 SQ", "SK S7", "S8 SQ"),
        ("T13 S8 SQ", "SJ T2", "S8 SQ"),
        ("T13 HJ T1 T5", "T12 S7", "T13"),
        ("T13 HJ T1 T5", "TS S7", "T5 T13"),
        ("T13 HJ T1 T5", "SQ", "T5 T13"),
        ("T13 HJ T1 T5", "TS DJ T21", "T1"),
        ("H3 HN T1", "HJ T21 TS", "H3 HN"),
        ("T1 HJ", "SQ T4", "T1"),
        ("C7 T1", "", "C7"),
        # and beyond
        ("T1", "", "T1"),
        ("C7 HJ", "SQ T4", "C7 HJ"),
        ("T2 T3", "T1 T21 TS", "T2 T3"),  # the emperor's trick: the highest card on the table is still TS
    ],
)
def test_duties_in_negative_contracts(hand: str, table: str, expected: str) -> None:  # R10.5 to R10.8
    assert allowed(hand, table, negative=True) == expected


@pytest.mark.parametrize(
    ("hand", "table", "kept", "expected"),
    [
        ("T1 T5 C7", "T9", "T1", "T5"),
        ("T1 C7", "T9", "T1", "T1"),  # no other legal card
        ("T1 C7", "", "T1", "C7"),
        ("HK H2", "H4", "HK", "H2"),
        ("HK T1", "", "HK T1", "HK T1"),  # one of the two must go
    ],
)
def test_keeping_an_announced_ultimo(hand: str, table: str, kept: str, expected: str) -> None:  # R8.3
    assert allowed(hand, table, negative=False, kept=kept) == expected


@pytest.mark.parametrize(
    ("trick", "winner", "color_valat"),
    [
        ("C7 C9 CK CQ", "CK", "CK"),
        ("H4 H1 H2 H3", "H1", "H1"),  # red suits run backwards
        ("C7 T2 CK T1", "T2", "CK"),
        ("T5 T21 T20 C7", "T21", "T21"),
        ("C7 D4 H4 S7", "C7", "C7"),
        ("TS T21 T1 C7", "T1", "T1"),  # the emperor's trick, in any order
        ("T1 T21 TS T5", "T1", "T1"),
        ("T21 T1 C7 TS", "T1", "T1"),
        ("C7 T21 TS T1", "T1", "C7"),  # in a colour valat only if tarocks were led
        ("T21 TS T5 T6", "TS", "TS"),
    ],
)
def test_who_wins_a_trick(trick: str, winner: str, color_valat: str) -> None:  # R10.2, R10.3
    for contract, expected in (("valat", winner), ("color_valat", color_valat)):
        last = trick.split()
        state = finish(ending(contract, last, 0, declarer=0, won=(11, 0, 0, 0)))
        assert state.leader == last.index(expected)


@examples(400)
@given(st.data())
def test_what_a_card_rules_out_is_what_would_have_made_it_illegal(data: st.DataObject) -> None:
    pool = data.draw(st.permutations(range(54)))
    lying = pool[: data.draw(st.integers(0, 3))]
    hand = pool[4 : 5 + data.draw(st.integers(0, 11))]
    negative = data.draw(st.booleans())
    kept = 0 if negative else int(mask_of(data.draw(st.lists(st.sampled_from([7, 32]), max_size=2))))
    led = suit_of(lying[0]) if lying else 0
    best = best_of(lying, TAROCKS) if lying else 0
    table = mask_of(lying)
    held = mask_of(hand)
    legal_now = playable(held, led, best, table, negative, kept)
    for card in hand:
        out = ruled_out(card, led, best, table, negative, kept)
        assert (out & held == 0) == (legal_now & bit(card) != 0)


# Whole deals


@pytest.mark.parametrize(
    ("hand", "table", "card", "key"),
    [
        ("S8 T4", "S7", "TS", "not_yours"),
        ("S8 T4", "S7", "T4", "must_follow"),
        ("T4 H2", "S7", "H2", "must_play_tarock"),
        ("T13 T5", "T12", "T5", "must_overtake"),
        ("T1 T5", "S7", "T1", "pagat_last"),
        ("C7 T1", "", "T1", "pagat_last"),
        ("T1 T5", "T21 TS", "T5", "emperor"),
    ],
)
def test_why_a_card_is_refused(hand: str, table: str, card: str, key: str) -> None:
    lying = cards(table)
    state = ending("klop", [hand, "H4", "H3", "H1"], 0, declarer=1, tricks=4)
    state.leader = -len(lying) % 4
    for at, one in enumerate(lying):
        state.trick |= one << 6 * at
    state.table = mask(table)
    state.fallen = len(lying)
    if lying:
        state.led = suit_of(lying[0])
        state.best = best_of(lying, TAROCKS)
    state._turn_to(0)
    with pytest.raises(IllegalAction) as caught:
        act(state, 0, f"play {card}")
    assert caught.value.key == key


def test_the_order_of_checks() -> None:  # C3
    state = dealt(deals=1)

    def key(seat: int, words: str) -> str:
        with pytest.raises(IllegalAction) as caught:
            act(state, seat, words)
        return caught.value.key

    assert key(0, "play TS") == "wrong_phase"  # before the turn
    assert key(0, "bid klop") == "not_your_turn"  # before the rule
    assert key(2, "bid klop") == "invalid_contract"
    with pytest.raises(IllegalAction) as caught:
        state.apply(0, 999)
    assert caught.value.key == "unknown_action"
    called = state.clone()
    declare(called, 2, "two")
    with pytest.raises(IllegalAction, match="bid two: the match is calling"):
        act(called, 2, "bid two")
    declare(state, 2, "valat")
    while not state.over():
        act(state, int(state.turn), legal(state)[0])
    assert key(0, "play TS") == "match_over"


def test_a_beggar_ends_when_declarer_takes_a_trick() -> None:  # R10.9
    state = dealt(["", "", "TS T21 T20", ""], deals=2)
    declare(state, 2, "beggar")
    play(state, "TS")
    while state.fallen:
        act(state, int(state.turn), legal(state)[0])
    assert (state.phase, state.tricks) == (DEALING, 1)
    assert state.results()[-1].scores() == [0, 0, -70, 0]


@pytest.mark.parametrize("contract", ["color_valat", "valat"])
def test_a_valat_ends_when_declarer_loses_a_trick(contract: str) -> None:  # R10.9
    state = dealt(["", "", "C7 C8", "CK"], deals=2)
    declare(state, 2, contract)
    play(state, "C7 CK")
    while state.fallen:
        act(state, int(state.turn), legal(state)[0])
    assert (state.phase, state.tricks) == (DEALING, 1)
    assert state.results()[-1].won == 0


def test_everything_else_is_played_to_the_end() -> None:
    for contract in ("klop", "three", "two", "one", "solo_three", "solo_without"):
        state = dealt(deals=1)
        declare(state, 1, contract)
        while not state.over():
            act(state, int(state.turn), legal(state)[-1])
        assert state.tricks == 12


def test_an_open_beggar_is_shown_after_the_first_trick() -> None:  # R10.10
    state = dealt(["", "", "C7 C9 S7 S8 H4 H3 D4 D3 D2 T1 T2 H2", ""], deals=1)
    declare(state, 2, "open_beggar")
    told(state)
    assert state.view(0).revealed == 0
    play(state, "C7")
    while state.fallen:
        act(state, int(state.turn), legal(state)[-1])
    assert "hand_shown" in kinds(told(state))
    assert state.view(0).revealed == state.hands[2] == mask("C9 S7 S8 H4 H3 D4 D3 D2 T1 T2 H2")


def test_an_open_beggar_may_be_shown_at_the_start() -> None:
    state = dealt(deals=1, open_beggar_reveal="at_start")
    told(state)
    declare(state, 2, "open_beggar")
    assert kinds(told(state))[-2:] == ["hand_shown", "play_started"]
    assert state.view(-2).revealed == state.hands[2]


def test_klop_gives_the_talon_to_the_winners_of_the_first_six_tricks() -> None:  # R10.11
    state = dealt(talon="CK T21 H4 D4 S7 TS", deals=1)
    bid(state, "pass", "pass", "pass", "klop")
    gifts: list[str] = []
    winners: list[int] = []
    for trick in range(12):
        while state.tricks == trick:
            act(state, int(state.turn), legal(state)[0])
        event = [event.plain() for event in told(state) if event.plain()["kind"] == "played"][-1]
        gifts.append(str(event["gift"]))
        winners.append(int(str(event["winner"])))
    assert all(state.piles[winners[trick]] & mask(gifts[trick]) for trick in range(6))
    assert gifts == ["CK", "T21", "H4", "D4", "S7", "TS"] + ["None"] * 6
    assert sum(state.piles) == (1 << 54) - 1


@pytest.mark.parametrize("contract", CONTRACT_NAMES)
def test_every_card_is_in_one_place_at_any_time(contract: str) -> None:
    state = dealt(deals=1)
    declare(state, 1, contract)
    while not state.over():
        act(state, int(state.turn), legal(state)[0])
        places = [state.hands[seat] for seat in range(4)] + [state.piles[seat] for seat in range(4)]
        talon = [bit(state.talon >> 6 * at & 63) for at in range(6)]
        if contract == "klop":
            places += talon[min(6, int(state.tricks)) :]
        elif state.many and state.picked >= 0:
            # If declarer got the rest of the talon, it is in declarer's pile already.
            places += [state.laid, state.rest]
        else:
            places += talon
        places.append(state.table)
        assert sum(int(count(place)) for place in places) == 54
        whole = 0
        for place in places:
            whole |= int(place)
        assert whole == (1 << 54) - 1
