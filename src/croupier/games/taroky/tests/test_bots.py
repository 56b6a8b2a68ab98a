"""The default actions of the specification, and the heuristic bot."""

from __future__ import annotations

from random import Random

import pytest

from croupier.bots.duel import duel
from croupier.core.contract import Bot, RandomBot, View
from croupier.games.taroky import GAME
from croupier.games.taroky.heuristic import Heuristic, hand_strength
from croupier.games.taroky.stand_in import StandIn
from croupier.games.taroky.state import TarokyState
from croupier.games.taroky.tests.positions import cards, dealt, discard_all, partner_game, say
from croupier.games.taroky.vocabulary import CARD, CARDS, CODES, NAME, NO, PLAYING, YES


def chosen(bot: Bot, state: TarokyState) -> int:
    return bot.choose(state.view(int(state.turn)), Random(0))


def test_default_answers() -> None:  # spec 5
    bot = StandIn()
    state = dealt([])
    assert chosen(bot, state) == NO  # prever
    say(state, NO, NO, NO, NO)
    assert chosen(bot, state) == YES  # draw
    say(state, NO)
    assert chosen(bot, state) == NO  # reject
    state = dealt([])
    say(state, YES)
    assert chosen(bot, state) == YES  # keep


def test_the_default_partner_is_the_lower_trump_if_there_is_one() -> None:
    bot = StandIn()
    high = partner_game(dealt(["T19 T18 S1 S2 S3"], talon="C1 C2 C3 C4 H1 H2"))
    assert chosen(bot, high) == NAME + 2
    plain = partner_game(dealt(["T02 T03 T04 S1 S2 S3", "T19"], talon="C1 C2 C3 C4 H1 H2"))
    assert chosen(bot, plain) == NAME + 4


@pytest.mark.parametrize(
    ("ace_high", "hand", "first"),
    [
        (False, "S3 H1 H2 C1 D1 T02 T03 T04 SK HK CK DK", "S3"),
        (False, "H1 H2 C1 D1 T02 T03 T04 T05 SK HK CK DK", "H1"),
        (True, "H1 H2 C1 D1 T02 T03 T04 T05 SK HK CK DK", "H2"),
        (False, "C1 D1 T02 T03 T04 T05 T06 SK HK CK DK T07", "C1"),
    ],
)
def test_the_default_card_is_the_first_of_spades_hearts_clubs_diamonds_trumps(
    ace_high: bool, hand: str, first: str
) -> None:
    state = dealt([hand], talon="T08 T09 T10 T11 T12 T13", ace_high=ace_high)
    say(state, NO, NO, NO, NO, YES, YES)
    assert CARDS[chosen(StandIn(), state) - CARD] == first


def test_the_heuristic_discards_points_and_keeps_kings() -> None:
    state = dealt(["SQ S1 CK CQ C1 H2 H3 H4 T02 T03 T04 T05"], talon="T08 T09 T10 T11 T12 T13")
    say(state, NO, NO, NO, NO, YES, YES)
    assert CARDS[chosen(Heuristic(), state) - CARD] == "SQ"


def test_strong_hands_play_prever_and_weak_ones_do_not() -> None:
    strong = "T22 T21 T20 T19 T18 T17 T16 T15 SK CK HK DK"
    weak = "S1 S2 S3 C1 C2 C3 H1 H2 H3 D1 D2 T05"
    for hand, answer in ((strong, YES), (weak, NO)):
        assert chosen(Heuristic(), dealt([hand])) == answer
    assert hand_strength(sum(1 << card for card in cards(strong))) > 12


def test_a_hand_that_takes_everything_announces_valat() -> None:
    hand = "T22 T21 T20 T19 T18 T17 T16 T15 SK CK HK DK"
    state = dealt([hand], talon="S1 S2 S3 S4 C1 C2")
    say(state, YES, YES)
    discard_all(state)
    assert chosen(Heuristic(), state) == YES


def test_partners_get_points_and_opponents_do_not() -> None:
    """Prever by player 1: opponents feed the opponent who takes the trick."""
    state = dealt(
        [
            "S1 C1 D1 T04 T05 T06 T07 T08 T09 T10 T11 T12",
            "SK T02 C2 C3 C4 H1 H2 H3 T13 D4 D2 D3",
            "SQ S2 S3 S4 CJ CR HJ HR DJ DR CQ HQ",
        ],
        talon="H4 T14 T15 T16 T17 T18",
    )
    say(state, YES, YES, CARD + CODES["C1"], CARD + CODES["D1"], CARD + CODES["H4"])
    while state.phase != PLAYING:
        say(state, NO)
    say(state, CARD + CODES["S1"], CARD + CODES["SK"])
    assert chosen(Heuristic(), state) == CARD + CODES["SQ"]


class Quiet(Bot):
    """Calls nothing and plays any card."""

    def choose(self, view: View, rng: Random) -> int:
        return (RandomBot() if view.legal[0] >= CARD else StandIn()).choose(view, rng)


@pytest.mark.parametrize("other", [Quiet(), StandIn()])
def test_the_heuristic_beats_quiet_bots(other: Bot) -> None:
    found = duel(GAME, Heuristic(), other, 150, 7, {"hands": 1}).difference
    assert found.value - found.margin > 0


@pytest.mark.slow
@pytest.mark.compiled
def test_the_heuristic_beats_random_over_500_duplicate_deals() -> None:
    found = duel(GAME, Heuristic(), RandomBot(), 500, 11, {"hands": 1}).difference
    assert found.value - found.margin > 10
