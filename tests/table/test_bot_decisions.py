"""The decisions of searching bots, without a table: one task per action, time limits, cancelling."""

from __future__ import annotations

import pytest

from croupier.bots.strengths import SEARCH_SECONDS
from croupier.core.chance import derived_seed
from croupier.core.contract import Pace, View
from croupier.games import game
from croupier.table.bot_decisions import ALONE, LATE, SHARE, BotDecisions
from croupier.table.effects import CancelSearch, Search
from croupier.table.match import Match
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
    decisions, match = BotDecisions("t", Pace()), coins()
    [search] = decisions.want(match, BOTS, True, 3, 10.0)
    assert isinstance(search, Search)
    assert (search.task.seat, search.task.bot, search.task.actions) == (0, "club", ())
    assert search.task.course == bytes(match.course)
    assert decisions.want(match, BOTS, True, 3, 11.0) == []


def test_a_legal_answer_ends_the_decision_and_an_illegal_one_fails() -> None:
    for answer, done in ((2, True), (9, False), (None, False)):
        decisions, match = BotDecisions("t", Pace()), coins()
        [search] = decisions.want(match, BOTS, True, 3, 10.0)
        assert isinstance(search, Search)
        decisions.answer(search.number, answer)
        assert decisions.want(match, BOTS, True, 3, 11.0) == []
        decision = decisions.of[0]
        assert (decision.done, decision.failed) == (done, not done)
        assert decision.actions == ([answer] if done else [])


def test_a_decision_of_several_actions_is_requested_action_by_action_within_one_time_limit() -> None:
    decisions, match = BotDecisions("t", Pace()), hearts()
    asked: list[Search] = []
    for step in range(3):
        [search] = decisions.want(match, BOTS, True, 3, 10.0 + step / 2)
        assert isinstance(search, Search)
        asked.append(search)
        decisions.answer(search.number, match.state.legal_actions(0)[step])
    assert decisions.want(match, BOTS, True, 3, 13.0) == []
    assert [len(one.task.actions) for one in asked] == [0, 1, 2]
    assert [one.task.seconds for one in asked] == [SEARCH_SECONDS, SEARCH_SECONDS - 0.5, SEARCH_SECONDS - 1]
    assert decisions.of[0].done


def test_an_answer_to_another_request_is_ignored() -> None:
    decisions, match = BotDecisions("t", Pace()), coins()
    [search] = decisions.want(match, BOTS, True, 3, 10.0)
    assert isinstance(search, Search)
    decisions.answer(search.number + 1, 2)
    decisions.want(match, BOTS, True, 3, 10.0)
    assert not decisions.of[0].done


def test_a_search_is_cancelled_when_its_decision_is_no_longer_due() -> None:
    for later in ({}, {0: "expert"}):
        decisions, match = BotDecisions("t", Pace()), coins()
        [search] = decisions.want(match, BOTS, True, 3, 10.0)
        assert isinstance(search, Search)
        assert decisions.want(match, later, True, 3, 11.0)[0] == CancelSearch(search.number)
    decisions, match = BotDecisions("t", Pace()), coins()
    [search] = decisions.want(match, BOTS, True, 3, 10.0)
    assert isinstance(search, Search)
    assert decisions.want(None, {}, True, 3, 11.0) == [CancelSearch(search.number)]
    assert decisions.of == {}


def test_the_search_time_depends_on_who_plays_and_on_the_clock() -> None:
    for pace, watched, seconds in (
        (Pace(), True, SEARCH_SECONDS),
        (Pace(), False, ALONE),
        (Hasty(), True, SHARE),
    ):
        decisions = BotDecisions("t", pace)
        [search] = decisions.want(coins(), BOTS, watched, 3, 10.0)
        assert isinstance(search, Search)
        assert search.task.seconds == pytest.approx(seconds)
        assert decisions.of[0].due == pytest.approx(10.0 + seconds + LATE)
