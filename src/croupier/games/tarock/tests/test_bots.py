"""The stand-in of the spec's C8, the heuristic bot, and the clocks."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from croupier.bots.duel import duel, play
from croupier.core.contract import RandomBot
from croupier.core.dice import Dice
from croupier.games.tarock import GAME
from croupier.games.tarock.bidding import odds, sure_tricks
from croupier.games.tarock.events import DealStarted, KingCalled, MatchStarted, Played, Spoke
from croupier.games.tarock.heuristic import Heuristic
from croupier.games.tarock.stand_in import StandIn
from croupier.games.tarock.state import TarockState
from croupier.games.tarock.tests.positions import act, bid, dealt, declare, mask, transcript
from croupier.games.tarock.view import TarockView
from croupier.games.tarock.vocabulary import ACTIONS, CONTRACT_NAMES


def default(state: TarockState) -> str:
    """Return the stand-in's action for the seat to act."""
    return ACTIONS.name(StandIn().choose(state.view(int(state.turn)), Random(1)))


def test_the_automatic_actions() -> None:  # C8
    state = transcript()
    assert default(state) == "bid pass"
    bid(state, "pass", "pass", "pass")
    assert default(state) == "bid klop"
    state = transcript()
    bid(state, "two", "pass", "pass", "pass")
    assert default(state) == "bid two"  # passing is not allowed: the lowest valid bid
    state = transcript()
    declare(state, 1, "two")
    assert default(state) == "call C"
    act(state, 1, "call H")
    assert default(state) == "take 0"
    act(state, 1, "take 0")
    assert default(state) == "discard C8"
    act(state, 1, "discard C8")
    assert default(state) == "discard CJ"
    act(state, 1, "discard CJ")
    for _ in range(4):
        assert default(state) == "done"
        act(state, int(state.turn), "done")
    assert default(state) == "play S10"


@pytest.mark.parametrize(
    ("kings", "suit"), [("CK", "S"), ("CK SK HK", "D"), ("CK SK HK DK", "C"), ("SK", "C"), ("CK HK", "S")]
)
def test_the_automatic_king(kings: str, suit: str) -> None:  # C8
    filled = " ".join([kings, *(f"T{number}" for number in range(2, 14 - len(kings.split())))])
    state = dealt(["", filled, "", ""])
    declare(state, 1, "three")
    assert default(state) == f"call {suit}"


def test_a_stand_in_finishes_a_turn_that_was_begun() -> None:
    state = transcript()
    declare(state, 1, "two")
    act(state, 1, "call H", "take 1", "discard HQ", "discard CJ", "announce trula")
    assert default(state) == "done"


# The heuristic


def test_strong_hands_are_likely_to_make_more() -> None:
    strong = mask("TS T21 T20 T19 T18 T17 T16 T1 CK SK HK C7")
    weak = mask("T2 T3 T4 C7 C8 C9 S7 S8 H4 H3 D4 D3")
    for contract in range(1, 7):
        assert odds(strong, contract) > 0.9 > 0.3 > odds(weak, contract) or contract < 2
    assert odds(weak, CONTRACT_NAMES.index("klop")) == 0.0


def test_a_beggar_wants_low_cards_in_every_suit() -> None:
    beggar = CONTRACT_NAMES.index("beggar")
    low = mask("T2 T3 C7 C8 C9 S7 S8 S9 H4 H3 D4 D3")
    high = mask("T18 T20 CK CQ CJ SK SQ H1 HJ HK DQ DK")
    assert odds(low, beggar) > 0.5 > odds(high, beggar)


@pytest.mark.parametrize(
    ("hand", "color", "valat"),
    [
        ("CK CQ CN CJ C10 C9 C8 C7 SK SQ SN SJ", True, False),
        ("CK CQ CN CJ C10 C9 C8 C7 SK SQ SN S10", False, False),
        ("TS T21 T20 T19 T18 T17 T16 T15 T14 T13 T12 CK", True, True),
    ],
)
def test_hands_that_cannot_lose_a_trick(hand: str, color: bool, valat: bool) -> None:
    assert sure_tricks(mask(hand), trumps=False) == color
    assert sure_tricks(mask(hand), trumps=True) == valat


def contracts_of(deals: int, seed: int) -> tuple[Counter[str], Counter[str]]:
    """Return how often each contract was played by four heuristics, and how often made."""
    bids: Counter[str] = Counter()
    made: Counter[str] = Counter()
    for deal in range(deals):
        state = GAME.new(GAME.options.read({"deals": 1, "radelci": False}), 4)
        play(state, [Heuristic()] * 4, Dice(seed * 100_003 + deal), Random(deal))
        result = state.results()[-1]
        name = CONTRACT_NAMES[int(result.contract)]
        bids[name] += 1
        made[name] += result.won == 1
    return bids, made


def test_the_heuristic_makes_what_it_bids_more_often_than_not() -> None:
    bids, made = contracts_of(60, seed=1)
    bid_for = sum(many for name, many in bids.items() if name != "klop")
    assert sum(made.values()) > 0.5 * bid_for


@pytest.mark.slow
@pytest.mark.compiled
def test_the_heuristic_makes_every_contract_it_bids_more_often_than_not() -> None:
    bids, made = contracts_of(2500, seed=2)
    often = {name: made[name] / many for name, many in bids.items() if name != "klop" and many >= 20}
    assert len(often) >= 5, often
    assert min(often.values()) > 0.5, often


@pytest.mark.parametrize("other", [RandomBot(), StandIn()], ids=["random", "default"])
def test_the_heuristic_beats_simple_bots(other: RandomBot | StandIn) -> None:
    found = duel(GAME, Heuristic(), other, 40, seed=3, options={"deals": 1, "radelci": False})
    assert found.difference.value > 0


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("other", [RandomBot(), StandIn()], ids=["random", "default"])
def test_the_heuristic_clearly_beats_simple_bots(other: RandomBot | StandIn) -> None:
    found = duel(GAME, Heuristic(), other, 500, seed=4, options={"deals": 1, "radelci": False})
    assert found.difference.value > 2 * found.difference.margin


def test_bots_play_every_option() -> None:
    for raw in (
        {"preset": "exact"},
        {"kontra": True},
        {"solo_without": "difference", "compulsory_klop": True},
    ):
        state = GAME.new(GAME.options.read({"deals": 3, **raw}), 4)
        play(state, [Heuristic(), StandIn(), Heuristic(), RandomBot()], Dice(9), Random(9))
        assert state.over()


# Clocks


def test_the_clocks_of_a_table() -> None:
    pace = GAME.pace(GAME.table_options.read({}))
    view = TarockView(0)
    assert pace.limit(view, person=True) == pace.limit(view, person=False) == 30.0
    zeros = [0, 0, 0, 0]
    assert pace.before(DealStarted(2, 1, zeros, zeros, False)) == pace.rest() == 3.0
    assert pace.before(DealStarted(1, 0, zeros, zeros, False)) == 0.0
    assert pace.before(MatchStarted({})) == 0.0
    assert GAME.pace(GAME.table_options.read({"turn_timeout_ms": 0})).limit(view, True) == 0.0


def test_the_pauses_of_a_table_where_people_play() -> None:
    wish = {"call_pause_ms": 100, "card_pause_ms": 200, "trick_pause_ms": 300}
    pace = GAME.pace(GAME.table_options.read(wish))
    assert pace.before(Spoke(0, -1, 1)) == pace.before(KingCalled(0, 2)) == 0.1
    assert pace.before(Played(0, 5, False, 1, -1, -1)) == 0.2
    assert pace.before(Played(0, 5, True, 1, -1, -1)) == 0.3
