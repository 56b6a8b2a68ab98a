"""The deal, the contracts and the auction: R3, R4, R5."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from croupier.core.cards import cards_of, count
from croupier.core.contract import BadDraw, IllegalAction, RulesError
from croupier.core.dice import Dice
from croupier.games.tarock import GAME
from croupier.games.tarock.contracts import (
    ALL,
    CONTRACTS,
    FEW,
    MANY,
    NONE,
    POINTS,
    left_alone,
    lowest_bid,
    may_pass,
    next_speaker,
)
from croupier.games.tarock.state import TarockState
from croupier.games.tarock.tests.positions import (
    act,
    bid,
    dealt,
    deck,
    declare,
    kinds,
    legal,
    new,
    told,
)
from croupier.games.tarock.vocabulary import (
    BIDDING,
    CONTRACT_NAMES,
    DEALING,
    PHASES,
)

FROM_TWO = CONTRACT_NAMES[2:]
FROM_ONE = CONTRACT_NAMES[3:]


# R3 Deal


def test_the_talon_comes_first_and_packets_of_six_go_round_from_forehand() -> None:  # R3.2
    state = new()
    shuffled = list(range(54))
    Random(3).shuffle(shuffled)
    state.apply_draw(shuffled)
    assert [int(state.talon >> 6 * at & 63) for at in range(6)] == shuffled[:6]
    for packet in range(8):
        held = cards_of(state.dealt[(1 + packet) % 4])
        assert set(shuffled[6 + 6 * packet : 12 + 6 * packet]) <= set(held)
    assert all(count(state.hands[seat]) == 12 for seat in range(4))


def test_the_deal_passes_to_the_next_seat() -> None:  # R3.1
    state = new(deals=6)
    for number in range(6):
        while state.phase == DEALING:
            state.roll(Dice(number * 7 + int(state.void)))
        assert (state.dealer, state.turn) == (number % 4, (number + 2) % 4)
        declare(state, (number + 2) % 4, "valat")
        while state.deal() == number:
            act(state, int(state.turn), legal(state)[0])


def test_a_deal_with_a_hand_without_tarocks_is_void_and_has_no_events() -> None:  # R3.3
    state = new()
    suits = list(range(32))
    tarocks = list(range(32, 54))
    void = tarocks[:6] + suits[:6] + suits[12:18] + suits[18:24] + tarocks[6:12] + suits[6:12] + tarocks[12:]
    void += suits[24:]
    assert sorted(void) == list(range(54))
    state.apply_draw(void)
    assert state.phase == DEALING
    assert state.awaiting() is not None
    assert told(state) == []
    assert state.view(0).facts() == new().view(0).facts()
    state.apply_draw(deck(["", "", "", ""]))
    assert kinds(told(state)) == ["match_started", "deal_started", *["dealt"] * 4, "bidding_started"]
    assert not state.compulsory


def test_impossible_draws_are_refused() -> None:
    state = new()
    for outcome in ([], list(range(53)), [0] * 54, list(range(1, 55))):
        with pytest.raises(BadDraw):
            state.apply_draw(outcome)
    state.apply_draw(deck(["", "", "", ""]))
    with pytest.raises(BadDraw, match="none is due"):
        state.apply_draw(deck(["", "", "", ""]))


def test_only_four_play() -> None:
    with pytest.raises(RulesError, match="3 seats: Tarock is played by 4"):
        GAME.new(GAME.options.read({}), 3)


# R5 Contracts


@pytest.mark.parametrize(
    ("name", "value", "king", "talon", "declarer_leads", "aim", "bonuses"),
    [  # A5
        ("klop", 70, False, 0, False, FEW, False),
        ("three", 10, True, 3, False, POINTS, True),
        ("two", 20, True, 2, False, POINTS, True),
        ("one", 30, True, 1, False, POINTS, True),
        ("solo_three", 40, False, 3, False, POINTS, True),
        ("solo_two", 50, False, 2, False, POINTS, True),
        ("solo_one", 60, False, 1, False, POINTS, True),
        ("beggar", 70, False, 0, True, NONE, False),
        ("solo_without", 80, False, 0, True, POINTS, False),
        ("open_beggar", 90, False, 0, True, NONE, False),
        ("color_valat", 125, False, 0, True, ALL, False),
        ("valat", 500, False, 0, True, ALL, False),
    ],
)
def test_the_table_of_contracts(
    name: str, value: int, king: bool, talon: int, declarer_leads: bool, aim: int, bonuses: bool
) -> None:
    kind = CONTRACTS[CONTRACT_NAMES.index(name)]
    assert (kind.name, kind.value, kind.king, kind.talon) == (name, value, king, talon)
    assert (kind.declarer_leads, kind.aim, kind.bonuses) == (declarer_leads, aim, bonuses)
    assert kind.negative == (name in ("klop", "beggar", "open_beggar"))


@pytest.mark.parametrize("kontra", [False, True])
@pytest.mark.parametrize("contract", CONTRACT_NAMES)
def test_the_phases_of_every_contract(contract: str, kontra: bool) -> None:  # R5.3
    state = dealt(kontra=kontra, deals=1)
    seat = 1 if contract in ("klop", "three") else 2
    declare(state, seat, contract)
    phases = ["bidding"]
    for _ in range(20):
        phase = PHASES[int(state.phase)]
        if phase != phases[-1]:
            phases.append(phase)
        if phase == "playing":
            break
        act(state, int(state.turn), legal(state)[-1])
    kind = CONTRACTS[CONTRACT_NAMES.index(contract)]
    expected = ["bidding"]
    expected += ["calling"] if kind.king else []
    expected += ["exchanging"] if kind.talon else []
    expected += ["announcing"] if kind.talon or (kontra and contract != "klop") else []
    assert phases == [*expected, "playing"]
    assert state.turn == (seat if kind.declarer_leads else 1)


# R4 Auction


@pytest.mark.parametrize(
    ("said", "seat", "bids", "can_pass"),
    [  # A4, dealer 0, forehand 1
        ([], 2, FROM_TWO, True),
        (["two"], 3, FROM_ONE, True),
        (["two", "pass", "pass"], 1, FROM_TWO, True),
        (["two", "pass", "pass", "two"], 2, FROM_ONE, True),
        (["two", "pass", "pass", "two", "pass"], 1, FROM_TWO, False),
        (["two", "pass", "one", "solo_three", "pass"], 0, CONTRACT_NAMES[5:], True),
        (["pass", "pass", "pass"], 1, CONTRACT_NAMES, False),
        (["valat"], 3, [], True),
    ],
)
def test_what_may_be_bid(said: list[str], seat: int, bids: list[str], can_pass: bool) -> None:
    state = dealt()
    bid(state, *said)
    assert state.turn == seat
    assert legal(state) == [f"bid {word}" for word in (["pass"] if can_pass else []) + bids]
    view = state.view(seat)
    assert [CONTRACT_NAMES[contract] for contract in view.valid_bids()] == bids
    assert view.can_pass() == can_pass


@pytest.mark.parametrize("said", [["two", "pass", "pass", "two", "pass"], ["pass", "pass", "pass"]])
def test_a_seat_that_must_bid_cannot_pass(said: list[str]) -> None:
    state = dealt()
    bid(state, *said)
    assert refusal(state, "bid pass")[0] == "must_bid"


def refusal(state: TarockState, words: str) -> tuple[str, str]:
    """Return key and words of the refusal of an action of the seat to act."""
    with pytest.raises(IllegalAction) as caught:
        act(state, int(state.turn), words)
    return caught.value.key, str(caught.value)


@pytest.mark.parametrize(
    ("said", "wish", "words"),
    [
        ([], "three", "only forehand may bid it"),
        ([], "klop", "only forehand may bid it"),
        (["two"], "two", "too low, expected one or higher"),
        (["valat"], "valat", "nothing is higher than the last bid, you can only pass"),
        (["two", "pass", "pass", "one", "pass"], "two", "too low, expected one or higher"),
    ],
)
def test_a_contract_that_cannot_be_bid_now(said: list[str], wish: str, words: str) -> None:
    state = dealt()
    bid(state, *said)
    key, found = refusal(state, f"bid {wish}")
    assert key == "invalid_contract"
    assert words in found


def test_the_last_bid_ends_the_auction_and_names_the_declarer() -> None:  # R4.3
    state = dealt()
    bid(state, "two", "pass", "pass", "two", "pass")
    told(state)
    bid(state, "solo_two")
    events = [event.plain() for event in told(state)]
    assert events[:2] == [
        {"kind": "spoke", "seat": 1, "bid": "solo_two", "next": None},
        {"kind": "bidding_ended", "seat": 1, "contract": "solo_two"},
    ]
    assert (state.declarer, CONTRACT_NAMES[int(state.contract)]) == (1, "solo_two")


def test_without_the_final_raise_the_last_bid_stands() -> None:
    state = dealt(final_raise=False)
    bid(state, "two", "pass", "pass", "pass")
    assert (state.declarer, CONTRACT_NAMES[int(state.contract)]) == (2, "two")
    state = dealt(final_raise=False)
    bid(state, "pass", "pass", "pass")
    assert legal(state)[:2] == ["bid klop", "bid three"]  # forehand still chooses


def test_every_bid_is_higher_or_holds_with_more_priority() -> None:  # R4.2
    state = dealt()
    while state.phase == BIDDING:
        words = legal(state)
        act(state, int(state.turn), words[1] if words[0] == "bid pass" and len(words) > 1 else words[0])
    bids = state.bids()
    ranks = [contract * 4 - (seat - 1) % 4 for seat, contract in bids[:-1] if contract >= 0]
    assert ranks == sorted(set(ranks))
    assert bids[-1][1] == CONTRACT_NAMES.index("valat")
    assert [seat for seat, _ in bids[:5]] == [2, 3, 0, 1, 2]


@cache
def longest(turn: int, passed: int, high: int, holder: int, compulsory: bool) -> int:
    """Return the largest possible number of further bids; forehand is seat 1."""
    ends = [0]
    for contract in range(int(lowest_bid(1, turn, passed, high, holder, compulsory)), MANY):
        after = int(next_speaker(turn, passed))
        alone = left_alone(turn, passed)
        ends.append(1 if alone else 1 + longest(after, passed, contract, turn, compulsory))
    if may_pass(turn, passed, high, compulsory):
        gone = passed | 1 << turn
        over = gone == 0b1111
        ends.append(1 if over else 1 + longest(int(next_speaker(turn, gone)), gone, high, holder, compulsory))
    return max(ends)


def test_no_auction_is_longer_than_the_state_can_hold() -> None:
    assert longest(2, 0, -1, -1, False) == 24
    assert longest(2, 0, -1, -1, True) == 12


# Compulsory klop


def after_a_zero() -> TarockState:
    """Return the second deal of a match in which three totals are 0."""
    state = dealt(["", "", "TS T21 T20", ""], deals=3, compulsory_klop=True)
    declare(state, 2, "beggar")
    while state.deal() == 0:
        act(state, int(state.turn), legal(state)[-1])
    state.apply_draw(deck(["", "", "", ""], forehand=2))
    return state


def test_a_total_of_zero_makes_klop_compulsory() -> None:
    state = after_a_zero()
    assert state.compulsory
    assert (state.dealer, state.turn) == (1, 3)
    started = [event.plain() for event in told(state) if event.plain()["kind"] == "bidding_started"]
    assert started[-1] == {"kind": "bidding_started", "seat": 2, "contract": "klop", "next": 3}
    assert legal(state) == [f"bid {word}" for word in ["pass", *CONTRACT_NAMES[8:]]]
    bid(state, "pass", "pass", "pass")
    assert legal(state) == [f"bid {word}" for word in ["pass", *CONTRACT_NAMES[8:]]]
    bid(state, "pass")
    assert (state.declarer, CONTRACT_NAMES[int(state.contract)]) == (2, "klop")
    assert state.view(0).bids == [[3, -1], [0, -1], [1, -1], [2, -1]]


def test_a_high_contract_may_be_bid_where_klop_is_compulsory() -> None:
    state = after_a_zero()
    bid(state, "pass", "solo_without", "pass", "pass")
    assert legal(state)[0] == "bid solo_without"
    bid(state, "valat")
    assert (state.declarer, CONTRACT_NAMES[int(state.contract)]) == (0, "valat")


def test_a_void_deal_makes_klop_compulsory_even_before_the_first() -> None:
    state = new(compulsory_klop=True)
    state.void = True
    state.apply_draw(deck(["", "", "", ""]))
    assert state.compulsory
    state = new(compulsory_klop=True)
    state.apply_draw(deck(["", "", "", ""]))
    assert not state.compulsory  # totals of 0 before the first deal do not count
