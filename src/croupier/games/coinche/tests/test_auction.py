"""The auction, call by call (section 4), and the order in which calls are refused (section 12)."""

from __future__ import annotations

import pytest

from croupier.core.contract import IllegalAction
from croupier.games.coinche.state import CoincheState
from croupier.games.coinche.tests.positions import calls, key, new, say, told, transcript
from croupier.games.coinche.vocabulary import (
    ACTIONS,
    BIDDING,
    DEALING,
    DENOMINATIONS,
    LEVELS,
    PLAYING,
)


def spoken(*words: str, **options: object) -> CoincheState:
    """Return the spec's deal after these calls; seat 0 (the spec's 1) speaks first."""
    return say(transcript(**options), *words)


def contract(state: CoincheState) -> tuple[str, int, int]:
    view = state.view(0)
    return view.contract(), view.bidder, view.doubled


def bids(state: CoincheState) -> list[str]:
    return [words.removeprefix("CONTRACT ") for words in calls(state) if words.startswith("CONTRACT")]


# Whose turn it is, and when the auction ends.


def test_the_seat_after_the_dealer_speaks_first_and_then_in_turn() -> None:  # R3.4
    state = transcript()
    turns = []
    for call in ("p", "bid 80 Spades", "bid 90 Hearts", "p", "bid 110 Hearts"):
        turns.append(int(state.turn))
        say(state, call)
    assert turns == [0, 1, 2, 3, 0]
    assert contract(state) == ("110 Hearts", 0, 0)


def test_four_passes_at_the_start_end_the_deal() -> None:  # R4.4
    state = spoken("p", "p", "p")
    assert state.phase == BIDDING
    say(state, "p")
    assert (state.phase, state.deal(), state.scores()) == (DEALING, 1, [0, 0, 0, 0])
    assert told(state)[-1].plain() == {"kind": "passed_out", "deal": 1, "totals": [0, 0]}
    state.apply_draw(list(range(32)))
    assert (state.dealer, state.turn) == (0, 1)


def test_three_passes_after_a_contract_end_the_auction() -> None:  # R4.4
    state = spoken("p", "p", "p", "bid 80 Clubs", "p", "p")
    assert state.phase == BIDDING
    say(state, "p")
    assert (state.phase, contract(state)) == (PLAYING, ("80 Clubs", 3, 0))
    assert state.turn == 0  # the seat after the dealer leads, no matter who bid


def test_a_player_who_passed_may_speak_again_and_raise_the_partner() -> None:  # R4.1
    state = spoken("p", "bid 80 Spades", "p", "bid 90 Spades", "bid 100 Hearts", "p", "bid 110 Hearts")
    assert contract(state) == ("110 Hearts", 2, 0)


def test_a_capot_ends_the_auction_at_once() -> None:  # R4.4
    state = spoken("bid capot Spades")
    assert (state.phase, contract(state)) == (PLAYING, ("capot Spades", 0, 0))


def test_a_capot_may_be_left_open_to_coinche_but_not_to_contracts() -> None:  # R4.5
    state = spoken("bid capot Spades", capot_closes=False)
    assert calls(state) == ["PASS", "COINCHE"]
    assert key(state, 1, "CONTRACT generale Hearts") == "not_higher"
    say(state, "c", "s")
    assert (state.phase, contract(state)) == (PLAYING, ("capot Spades", 0, 2))
    assert spoken("bid capot Spades", "p", "p", "p", capot_closes=False).phase == PLAYING


def test_a_generale_does_not_end_the_auction() -> None:  # R4.4
    state = spoken("bid generale Hearts")
    assert calls(state) == ["PASS", "COINCHE"]
    assert key(state, 1, "CONTRACT capot Hearts") == "not_higher"
    say(state, "p", "p", "c", "p", "p")
    assert (state.phase, contract(state)) == (PLAYING, ("generale Hearts", 0, 1))
    assert spoken("bid generale Hearts", generale_closes=True).phase == PLAYING


def test_a_surcoinche_ends_the_auction_at_once() -> None:  # R4.4
    state = spoken("bid 80 Clubs", "c", "p", "s")
    assert (state.phase, contract(state)) == (PLAYING, ("80 Clubs", 0, 2))
    assert told(state)[-2].plain()["factor"] == 4


def test_after_a_coinche_only_the_contracts_team_speaks() -> None:  # R4.3
    state = spoken("p", "bid 80 Clubs", "c")  # seat 2 coinches seat 1's contract
    assert (state.turn, calls(state)) == (3, ["PASS", "SURCOINCHE"])
    say(state, "p")
    assert (state.turn, calls(state)) == (1, ["PASS", "SURCOINCHE"])
    say(state, "p")
    assert (state.phase, contract(state)) == (PLAYING, ("80 Clubs", 1, 1))
    other = spoken("p", "bid 80 Clubs", "p", "p", "c")  # seat 0 coinches: seat 1 is asked, then seat 3
    assert other.turn == 1
    assert say(other, "p").turn == 3


@pytest.mark.parametrize(("leads", "leader"), [(False, 0), (True, 2)])
def test_the_bidder_of_a_generale_may_lead(leads: bool, leader: int) -> None:  # R3.4
    state = spoken("p", "p", "bid generale TA", "p", "p", "p", generale_leads=leads)
    assert state.turn == leader
    number = spoken("p", "p", "bid 90 TA", "p", "p", "p", generale_leads=leads)
    assert number.turn == 0


# Legal bids.


def test_everything_may_be_bid_at_first() -> None:  # R4.1
    assert calls(transcript()) == [
        "PASS",
        *(f"CONTRACT {level} {denomination}" for level in LEVELS for denomination in DENOMINATIONS),
    ]


@pytest.mark.parametrize("level", range(9))
def test_only_a_higher_level_may_follow_in_any_denomination(level: int) -> None:  # R4.1
    state = spoken(f"bid {LEVELS[level]} Clubs")
    assert bids(state) == [f"{high} {kind}" for high in LEVELS[level + 1 :] for kind in DENOMINATIONS]
    assert key(state, 1, f"CONTRACT {LEVELS[level]} Spades") == "not_higher"


def test_bounds_and_step_of_the_numbers() -> None:
    state = transcript(min_bid=90, max_bid=140, bid_step=20, allow_ta_sa=False, allow_generale=False)
    suits = DENOMINATIONS[:4]
    assert bids(state) == [f"{level} {suit}" for level in ("100", "120", "140", "capot") for suit in suits]
    assert key(state, 0, "CONTRACT 80 Hearts") == "too_low"
    assert key(state, 0, "CONTRACT 150 Hearts") == "too_high"
    assert key(state, 0, "CONTRACT 110 Hearts") == "bad_level"
    assert key(state, 0, "CONTRACT generale Hearts") == "bad_level"
    assert key(state, 0, "CONTRACT 100 TA") == "bad_denomination"
    assert key(state, 0, "CONTRACT capot SA") == "bad_denomination"
    assert "the lowest bid is 90" in str(state.why_not(0, ACTIONS.parse("CONTRACT 80 Hearts")))


def test_a_maximum_below_the_minimum_leaves_capot_and_generale() -> None:
    assert {bid.split()[0] for bid in bids(transcript(min_bid=120, max_bid=100))} == {"capot", "generale"}


# Refusals, in the order of the protocol's checks: level, denomination, turn, height.

ORDER = [
    # (calls before, seat, words, the key of the first check that fails)
    ((), 1, "CONTRACT 80 Spades", "not_your_turn"),
    ((), 0, "COINCHE", "no_contract"),
    ((), 1, "COINCHE", "no_contract"),
    ((), 0, "SURCOINCHE", "not_coinched"),
    ((), 1, "PASS", "not_your_turn"),
    ((), 0, "PLAY 7 Hearts", "not_your_turn"),
    ((), 0, "PLAY A Hearts", "not_your_turn"),  # before the holder of the card is checked
    (("bid 90 Hearts",), 1, "CONTRACT 80 Spades", "not_higher"),
    (("bid 90 Hearts",), 1, "CONTRACT 90 Spades", "not_higher"),
    (("bid 90 Hearts",), 2, "CONTRACT 80 Spades", "not_your_turn"),  # turn before height
    (("bid 90 Hearts",), 0, "COINCHE", "own_contract"),
    (("bid 90 Hearts",), 2, "COINCHE", "own_contract"),  # the side before the turn
    (("bid 90 Hearts",), 3, "COINCHE", "not_your_turn"),
    (("bid 90 Hearts",), 0, "SURCOINCHE", "not_coinched"),
    (("bid 90 Hearts", "c"), 2, "CONTRACT 100 Hearts", "bidding_over"),
    (("bid 90 Hearts", "c"), 1, "CONTRACT 100 Hearts", "bidding_over"),
    (("bid 90 Hearts", "c"), 3, "COINCHE", "already_coinched"),
    (("bid 90 Hearts", "c"), 2, "COINCHE", "already_coinched"),
    (("bid 90 Hearts", "c"), 1, "SURCOINCHE", "not_coinched"),  # the wrong side
    (("bid 90 Hearts", "c"), 0, "SURCOINCHE", "not_your_turn"),  # the partner answers first
    (("bid 90 Hearts", "c"), 0, "PASS", "not_your_turn"),
    (("bid 90 Hearts", "c", "s"), 0, "SURCOINCHE", "already_surcoinched"),
    (("bid 90 Hearts", "c", "s"), 3, "SURCOINCHE", "already_surcoinched"),
    (("bid 90 Hearts", "c", "s"), 0, "CONTRACT 100 TA", "bidding_over"),
    (("bid 90 Hearts", "c", "p", "p"), 0, "SURCOINCHE", "bidding_over"),
    (("bid 90 Hearts", "p", "p", "p"), 1, "COINCHE", "bidding_over"),
    (("bid 90 Hearts", "p", "p", "p"), 0, "PASS", "bidding_over"),
    (("bid 90 Hearts", "p", "p", "p"), 1, "PLAY A Hearts", "not_your_turn"),
    (("bid 90 Hearts", "p", "p", "p"), 0, "PLAY A Hearts", "not_yours"),
    (("p", "p", "p", "p"), 0, "PASS", "not_dealt"),
]


@pytest.mark.parametrize(("before", "seat", "words", "expected"), ORDER)
def test_the_first_check_that_fails_decides(
    before: tuple[str, ...], seat: int, words: str, expected: str
) -> None:
    state = spoken(*before)
    assert key(state, seat, words) == expected
    with pytest.raises(IllegalAction) as refused:
        state.apply(seat, ACTIONS.parse(words))
    assert refused.value.key == expected


def test_the_level_is_judged_before_denomination_and_turn() -> None:
    options = {"min_bid": 90, "allow_ta_sa": False}
    assert key(transcript(**options), 2, "CONTRACT 80 TA") == "too_low"
    assert key(transcript(**options), 2, "CONTRACT 90 TA") == "bad_denomination"
    assert key(transcript(**options), 2, "CONTRACT 90 Clubs") == "not_your_turn"


@pytest.mark.parametrize("seat", [-2, -1, 4])
@pytest.mark.parametrize("words", ["PASS", "COINCHE", "SURCOINCHE", "CONTRACT 160 TA", "PLAY 7 Hearts"])
def test_no_other_player_may_speak(seat: int, words: str) -> None:
    for before in ((), ("bid 80 Clubs",), ("bid 80 Clubs", "c")):
        state = spoken(*before)
        with pytest.raises(IllegalAction):
            state.apply(seat, ACTIONS.parse(words))


def test_before_the_first_deal_nothing_can_be_said() -> None:
    assert key(new(), 0, "PASS") == "not_dealt"
