"""The decisions of searching bots, without a table: one task per action, time limits, cancelling."""

from __future__ import annotations

import pytest

from croupier.bots.strengths import PATIENCE
from croupier.core.chance import derived_seed
from croupier.core.contract import Pace, View
from croupier.games import game
from croupier.table.effects import Drop, Ponder
from croupier.table.match import Match
from croupier.table.thoughts import ALONE, LATE, SHARE, Thoughts
from tests.sample_game import GAME

BOTS = {0: "club"}


class Hasty(Pace):
    def limit(self, view: View, person: bool) -> float:
        return 1.0


def coins() -> Match:
    return Match(GAME, "t-1", {}, 2, lambda deal: derived_seed("7", 1, deal))


def hearts() -> Match:
    """Return a match of Hearts in which all seats have to pass three cards."""
    rules = game("hearts")
    made = Match(rules, "t-1", rules.options.read({}), 4, lambda deal: derived_seed("7", 1, deal))
    made.draw()
    return made


def test_a_search_is_requested_once_for_each_decision() -> None:
    thoughts, match = Thoughts("t", Pace()), coins()
    [ponder] = thoughts.want(match, BOTS, True, 3, 10.0)
    assert isinstance(ponder, Ponder)
    assert (ponder.task.seat, ponder.task.bot, ponder.task.actions) == (0, "club", ())
    assert ponder.task.course == bytes(match.course)
    assert thoughts.want(match, BOTS, True, 3, 11.0) == []


def test_a_legal_answer_ends_the_decision_and_an_illegal_one_fails() -> None:
    for answer, done in ((2, True), (9, False), (None, False)):
        thoughts, match = Thoughts("t", Pace()), coins()
        [ponder] = thoughts.want(match, BOTS, True, 3, 10.0)
        assert isinstance(ponder, Ponder)
        thoughts.answer(ponder.number, answer)
        assert thoughts.want(match, BOTS, True, 3, 11.0) == []
        thought = thoughts.of[0]
        assert (thought.done, thought.failed) == (done, not done)
        assert thought.actions == ([answer] if done else [])


def test_a_decision_of_several_actions_is_requested_action_by_action_within_one_time_limit() -> None:
    thoughts, match = Thoughts("t", Pace()), hearts()
    asked: list[Ponder] = []
    for step in range(3):
        [ponder] = thoughts.want(match, BOTS, True, 3, 10.0 + step / 2)
        assert isinstance(ponder, Ponder)
        asked.append(ponder)
        thoughts.answer(ponder.number, match.state.legal_actions(0)[step])
    assert thoughts.want(match, BOTS, True, 3, 13.0) == []
    assert [len(one.task.actions) for one in asked] == [0, 1, 2]
    assert [one.task.seconds for one in asked] == [PATIENCE, PATIENCE - 0.5, PATIENCE - 1]
    assert thoughts.of[0].done


def test_an_answer_to_another_request_is_ignored() -> None:
    thoughts, match = Thoughts("t", Pace()), coins()
    [ponder] = thoughts.want(match, BOTS, True, 3, 10.0)
    assert isinstance(ponder, Ponder)
    thoughts.answer(ponder.number + 1, 2)
    thoughts.want(match, BOTS, True, 3, 10.0)
    assert not thoughts.of[0].done


def test_a_search_is_cancelled_when_its_decision_is_no_longer_due() -> None:
    for later in ({}, {0: "expert"}):
        thoughts, match = Thoughts("t", Pace()), coins()
        [ponder] = thoughts.want(match, BOTS, True, 3, 10.0)
        assert isinstance(ponder, Ponder)
        assert thoughts.want(match, later, True, 3, 11.0)[0] == Drop(ponder.number)
    thoughts, match = Thoughts("t", Pace()), coins()
    [ponder] = thoughts.want(match, BOTS, True, 3, 10.0)
    assert isinstance(ponder, Ponder)
    assert thoughts.want(None, {}, True, 3, 11.0) == [Drop(ponder.number)]
    assert thoughts.of == {}


def test_the_search_time_depends_on_who_plays_and_on_the_clock() -> None:
    for pace, watched, seconds in (
        (Pace(), True, PATIENCE),
        (Pace(), False, ALONE),
        (Hasty(), True, SHARE),
    ):
        thoughts = Thoughts("t", pace)
        [ponder] = thoughts.want(coins(), BOTS, watched, 3, 10.0)
        assert isinstance(ponder, Ponder)
        assert ponder.task.seconds == pytest.approx(seconds)
        assert thoughts.of[0].due == pytest.approx(10.0 + seconds + LATE)
