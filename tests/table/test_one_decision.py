"""One decision at a time: what the rules would say of the next one could tell what a seat may not know."""

from __future__ import annotations

from random import Random

import pytest

from croupier.core.contract import State
from croupier.games import game, names
from croupier.table.effects import Setup
from croupier.table.table import Table
from croupier.wire import talk
from tests.table.house import House, chance


def goes_on(state: State, seat: int, question: int) -> bool:
    return question >= 0 and state.question(seat) == question and state.to_act() >> seat & 1 == 1


@pytest.mark.parametrize("name", names())
def test_whatever_follows_a_decision_gets_the_same_refusal(name: str) -> None:
    rules = game(name)
    many = max(rules.seats)
    setup = Setup(
        "t1",
        rules,
        rules.options.read({}),
        rules.table_options.read({}),
        ["open"] * many,
        seed="7",
        start=True,
    )
    house = House(Table(setup, chance, lambda: ""))
    for seat in range(many):
        house.join(f"player {seat}", seat)
    rng = Random(name)
    words: set[str] = set()
    for _ in range(60):
        while not (asked := [seat for seat in range(many) if house.table.asked(seat) is not None]):
            if house.table.phase != talk.PLAYING:
                break
            house.wait(0.1)
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
            written = len(house.written)
            refused = house.ask(f"player {seat}", seat, talk.Act(turn.turn, (*actions, more)))
            assert isinstance(refused[0], talk.Refused)
            assert refused[0].key == "too_soon"
            words.add(refused[0].words)
            assert len(house.written) == written
        assert house.ask(f"player {seat}", seat, talk.Act(turn.turn, tuple(actions)))[0] == talk.Accepted()
    assert len(words) == 1, "and there was one"
