"""A review finds blunders, accepts good moves, and uses only what the player knew."""

from __future__ import annotations

import pytest

from croupier.core import record
from croupier.core.contract import Game
from croupier.core.record import Record
from croupier.games.hearts import GAME, HeartsGame
from croupier.reviews.review import CannotReview, Reviewer, costly, decisions
from tests.cli.command import bots_record

HANDS = [
    "2C 3C 4C 2D AD 2H 3H 4H 2S 3S 4S 5S 6S",
    "AC 5C 6C KD QD JD TD 9D 5H 6H 7H 7S 8S",
    "7C 8C 3D 4D 5D 6D 7D 8D 8H 9H TH 9S TS",
    "9C TC JC QC KC JH QH KH AH JS QS KS AS",
]
HEAD = "croupier record 1\ngame hearts 1\nseats 4\noption pass_sequence none\noption expose off\n"
TRICKS = "0 play 2C\n1 play AC\n2 play 8C\n3 play KC\n1 play KD\n2 play 5D\n3 play QS\n"


def written(last: str, hands: list[str] = HANDS) -> Record:
    """Return a match in which seat 0 answers a trick with the queen of spades in it."""
    return record.read(f"{HEAD}\ndraw {' '.join(hands)}\n{TRICKS}{last}\n")


def test_taking_the_queen_instead_of_ducking_is_a_blunder() -> None:
    found = written("0 play AD")
    last = decisions(found, GAME)[-1]
    assert (last.deal, last.step, last.seat, last.by) == (1, 8, 0, "")
    finding = Reviewer(found, GAME, 60).judge(last)
    assert (finding.played.actions, finding.best.actions) == (("play AD",), ("play 2D",))
    assert finding.difference > 8
    assert finding.difference >= costly([finding]) > 0
    assert finding.best.events == ({"kind": "played", "seat": 0, "card": "2D", "broken": False},)
    assert [option.action for option in finding.options] == ["play 2D", "play AD"]
    assert sum(option.visits for option in finding.options) == 60


def test_the_best_move_costs_nothing() -> None:
    found = written("0 play 2D")
    finding = Reviewer(found, GAME, 60).judge(decisions(found, GAME)[-1])
    assert finding.played == finding.best
    assert finding.difference == 0


def test_hidden_cards_make_no_difference() -> None:
    hands = [*HANDS[:2], HANDS[2].replace("8H", "JH").replace("9S", "JS")]
    hands.append(HANDS[3].replace("JH", "8H").replace("JS", "9S"))
    plain = []
    for found in (written("0 play AD"), written("0 play AD", hands)):
        reviewer = Reviewer(found, GAME, 24)
        reviewer._digest = "the same worlds"
        plain.append([reviewer.judge(one).message() for one in decisions(found, GAME) if one.seat == 0])
    assert plain[0] == plain[1]


def test_a_finding_does_not_depend_on_the_order_or_on_other_reviews() -> None:
    found = written("0 play AD")
    every = decisions(found, GAME)
    forth, back = Reviewer(found, GAME, 12), Reviewer(found, GAME, 12)
    assert [forth.judge(one) for one in every] == [back.judge(one) for one in every[::-1]][::-1]


def test_three_cards_to_pass_are_one_decision() -> None:
    found = bots_record()
    every = decisions(found, GAME)
    passing = [one for one in every if len(one.actions) == 3]
    assert [(one.seat, one.step, one.ends) for one in passing] == [
        (seat, seat + 1, True) for seat in range(4)
    ]
    assert all(len(one.actions) == 1 for one in every if one not in passing)
    finding = Reviewer(found, GAME, 12).judge(passing[0])
    assert finding.played.actions == ("pass 6S", "pass 5S", "pass 4S")
    assert len(set(finding.best.actions)) == 3
    assert len(finding.best.events) == 3


def test_a_forced_action_is_not_a_decision() -> None:
    every = decisions(written("0 play AD"), GAME)
    assert [one.step for one in every] == [2, 3, 4, 5, 6, 7, 8], "the first card is the two of clubs"


class Blind(HeartsGame):
    """Hearts without a sampler of hidden cards."""

    sample = Game.sample


def test_a_game_that_cannot_be_searched() -> None:
    with pytest.raises(CannotReview, match="cannot be searched"):
        Reviewer(written("0 play AD"), Blind())
