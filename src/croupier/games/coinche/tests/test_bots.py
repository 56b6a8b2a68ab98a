"""The stand-in, the heuristic, and the clocks of a table."""

from __future__ import annotations

from random import Random

import pytest

from croupier.bots.duel import duel
from croupier.core.cards import mask_of
from croupier.core.contract import RandomBot
from croupier.core.dice import Dice
from croupier.games.coinche import GAME
from croupier.games.coinche.bidding import chance, features, on_top
from croupier.games.coinche.events import DealEnded, DealStarted, Played, TrickStarted
from croupier.games.coinche.heuristic import Heuristic
from croupier.games.coinche.stand_in import StandIn
from croupier.games.coinche.state import CoincheState
from croupier.games.coinche.tests.positions import cards, dealt, play, playing, say, transcript
from croupier.games.coinche.vocabulary import ACTIONS, BIDDING, CARDS, DENOMINATIONS, PLAY, TABLE_OPTIONS

RNG = Random(1)


def stand_in(state: CoincheState) -> str:
    return ACTIONS.name(StandIn().choose(state.view(int(state.turn)), RNG))


def heuristic(state: CoincheState) -> str:
    return ACTIONS.name(Heuristic().choose(state.view(int(state.turn)), RNG))


# The default action (section 14)


def test_the_stand_in_passes() -> None:
    assert stand_in(transcript()) == "PASS"
    assert stand_in(say(transcript(), "bid 80 Clubs", "c")) == "PASS"


@pytest.mark.parametrize(
    ("hand", "trick", "denomination", "expected"),
    [
        ("9H 8D AC", "", "Hearts", "8 Diamonds"),  # fewest points
        ("9D 8H 7C", "", "Hearts", "7 Clubs"),  # then the lowest rank
        ("7S 7C 7D 8H", "", "Hearts", "7 Diamonds"),  # then Hearts, Diamonds, Clubs, Spades
        ("9H JS QD", "", "Hearts", "J Spades"),  # a plain jack counts 2
        ("9H JS QD", "", "TA", "Q Diamonds"),  # in all trumps a queen counts 1
        ("7D AS KS", "10S", "Hearts", "K Spades"),  # only what is legal
    ],
)
def test_the_stand_in_plays_the_cheapest_card(
    hand: str, trick: str, denomination: str, expected: str
) -> None:
    assert stand_in(playing(hand, trick, denomination)) == f"PLAY {expected}"


# The heuristic


def test_a_strong_hand_bids_and_a_weak_one_passes() -> None:
    state = dealt(
        [
            "JH 9H AH 10H AS AD 7C 8C",
            "7H 8H 7S 8S 9S 7D 8D 9D",
            "QH KH 10S JS QS KS 10D JD",
            "QD KD 9C 10C JC QC KC AC",
        ]
    )
    call = heuristic(state)
    assert call.startswith("CONTRACT 1")
    assert call.endswith("Hearts")
    say(state, call)
    assert heuristic(state) == "PASS"


def test_a_hand_that_cannot_lose_a_trick_bids_all_tricks() -> None:
    hands = [
        "JH 9H AH 10H KH QH 8H 7H",
        "7S 8S 9S 7D 8D 9D 7C 8C",
        "10S JS QS 10D JD QD 9C 10C",
        "KS AS KD AD JC QC KC AC",
    ]
    assert heuristic(dealt(hands)) == "CONTRACT generale Hearts"
    assert heuristic(dealt(hands, allow_generale=False)) == "CONTRACT capot Hearts"


def test_on_top_counts_what_cannot_be_beaten() -> None:
    hand = int(mask_of(cards("JH 9H AH 10H 7H AS 10S 7D")))
    assert on_top(hand, DENOMINATIONS.index("Hearts"), leads=False) == 7
    assert on_top(hand, DENOMINATIONS.index("SA"), leads=True) == 7  # A and 10 draw K, Q and 8
    assert on_top(hand, DENOMINATIONS.index("Spades"), leads=True) == 2  # A and 10 of hearts
    assert on_top(hand, DENOMINATIONS.index("SA"), leads=False) == 0


def test_chances_are_fair() -> None:
    assert chance(100.0, 100.5, 20.0) == 0.5
    assert chance(120.0, 80.0, 20.0) > 0.95
    assert sum(features(int(mask_of(cards("JH 9H 7D"))), 0)) == 2 + 3 + 2 + 1


def test_the_heuristic_takes_tricks_cheaply() -> None:
    # Last to play, the opponents hold the trick: the ten takes it, the jack of trumps can wait.
    assert heuristic(playing("10S 7S JH", "9S 8S KS", "Hearts")) == "PLAY 10 Spades"
    # The partner's ace is safe: the ten goes along.
    assert heuristic(playing("10S 7S 8D", "9S AS 8S", "Hearts")) == "PLAY 10 Spades"
    # An opponent's trump holds the trick and cannot be beaten: play the cheapest card.
    assert heuristic(playing("10D 7D 8C", "AS 9S JH", "Hearts")) in ("PLAY 7 Diamonds", "PLAY 8 Clubs")


def contracts(deals: int, seed: int) -> tuple[int, int, int]:
    """Return how many contracts four heuristics bid and make, and how many deals they pass out."""
    bid = made = out = 0
    for deal in range(deals):
        state = GAME.new(GAME.options.read({}), 4)
        state.roll(Dice(seed * 1000 + deal))
        while state.deal() == 0:
            seat = int(state.turn)
            state.apply(seat, Heuristic().choose(state.view(seat), RNG))
        result = state.results[-1]
        bid += result.level >= 0
        made += result.made
        out += result.level < 0
    return bid, made, out


def test_the_heuristic_makes_most_of_its_contracts() -> None:
    bid, made, out = contracts(25, 3)
    assert bid + out == 25
    assert made > bid // 2


def test_the_heuristic_beats_random_players() -> None:
    found = duel(GAME, Heuristic(), RandomBot(), 20, 1, {"target": 100})
    assert found.difference.value - found.difference.margin > 0


@pytest.mark.slow
@pytest.mark.compiled
def test_the_heuristic_beats_random_players_and_the_stand_in_over_many_deals() -> None:
    clearly = duel(GAME, Heuristic(), RandomBot(), 500, 11, {"target": 100})
    assert clearly.difference.value > 600
    assert clearly.difference.margin < 60
    stand_in_ = duel(GAME, Heuristic(), StandIn(), 500, 11, {"target": 100})
    assert stand_in_.difference.value - stand_in_.difference.margin > 40
    bid, made, _ = contracts(400, 5)
    assert 0.6 < made / bid < 0.85


# Clocks and pauses


def test_clocks_are_those_of_the_options() -> None:
    pace = GAME.pace(TABLE_OPTIONS.read({"bid_seconds": 30, "play_seconds": 20, "rematch_seconds": 5}))
    bidding = transcript()
    assert bidding.phase == BIDDING
    assert pace.limit(bidding.view(0), person=True) == 30.0
    assert pace.limit(say(bidding, "bid capot TA").view(0), person=False) == 20.0
    assert pace.rest() == 5.0
    assert pace.counts(bidding.view(0))


def test_pauses_are_those_of_the_options() -> None:
    none = GAME.pace(TABLE_OPTIONS.read({}))
    some = GAME.pace(
        TABLE_OPTIONS.read({"call_pause": 100, "card_pause": 200, "trick_pause": 300, "deal_pause": 400})
    )
    state = transcript()
    say(state, "bid capot Hearts")
    play(state, "7H")
    while state.deal() == 0:
        state.apply(int(state.turn), state.legal_actions(int(state.turn))[0])
    events = state.events or []
    assert not any(none.before(event) for event in events)
    pauses = {type(event).__name__: some.before(event) for event in events}
    assert pauses["Called"] == 0.1
    assert pauses["Played"] == 0.2
    assert pauses["TrickStarted"] == pauses["DealEnded"] == 0.3
    assert some.before(DealStarted(2, 0, 1)) == 0.4
    assert some.before(DealStarted(1, 0, 1)) == some.before(TrickStarted(1, 0)) == 0.0
    assert {Played, DealEnded} <= {type(event) for event in events}
    assert PLAY + CARDS.index("7H") == ACTIONS.parse("PLAY 7 Hearts")
