"""Only one decision per request: the rules' answer to a second one could reveal what a seat may not know."""

from __future__ import annotations

from random import Random

import pytest

from croupier.core.contract import State
from croupier.games import game, names
from croupier.table.setup import setup_of
from croupier.wire import talk
from croupier.wire.table_spec import TableSpec
from tests.table.recorded import Recorded, seated


def goes_on(state: State, seat: int, question: int) -> bool:
    return question >= 0 and state.question(seat) == question and state.to_act() >> seat & 1 == 1


@pytest.mark.parametrize("name", names())
def test_any_action_after_a_decision_gets_the_same_refusal(name: str) -> None:
    rules = game(name)
    many = max(rules.seats)
    house = Recorded(setup_of("t1", rules, TableSpec(["open"] * many, seed="7", start=True)))
    for seat in range(many):
        house.join(f"player {seat}", seat)
    rng = Random(name)
    words: set[str] = set()
    for _ in range(60):
        while not (asked := [seat for seat in range(many) if house.table.asked(seat) is not None]):
            if house.table.phase != talk.PLAYING:
                break
            house.advance(0.1)
        if not asked:
            break
        seat = rng.choice(asked)
        state = house.table.state
        assert state is not None
        question = state.question(seat)
        trial = state.clone()
        actions: list[int] = []
        while not actions or (trial.awaiting() is None and goes_on(trial, seat, question)):
            legal = [one for one in trial.legal_actions(seat) if one not in rules.reserved()]
            actions.append(rng.choice(legal))
            trial.apply(seat, actions[-1])
        turn = house.table.asked(seat)
        assert turn is not None
        if not goes_on(trial, seat, question):
            more = rng.randrange(len(rules.actions))
            written = len(house.journal)
            [answer] = house.ask(f"player {seat}", talk.Act(turn.turn, (*actions, more)))
            assert isinstance(answer, talk.Refused)
            assert answer.key == "too_soon"
            words.add(answer.words)
            assert len(house.journal) == written
        assert house.ask(f"player {seat}", talk.Act(turn.turn, tuple(actions)))[0] == talk.Accepted()
    assert len(words) == 1, "all refusals are the same, and there was at least one"


def test_the_others_are_told_nothing_of_a_step_within_a_decision() -> None:
    full = seated()
    hand = full.table.view(0).facts()["hand"]
    assert isinstance(hand, list)
    before = [len(full.told(seat)) for seat in (1, 2, 3)]
    full.act(0, f"pass {hand[0]}")
    assert full.table.asked(0) is not None, "two more cards are due"
    assert [len(full.told(seat)) for seat in (1, 2, 3)] == before
