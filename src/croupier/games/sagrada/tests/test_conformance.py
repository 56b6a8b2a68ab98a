"""The conformance kit, and random matches of every kind."""

from __future__ import annotations

from random import Random

import pytest

from croupier.core.contract import play_out
from croupier.core.dice import Dice
from croupier.games.sagrada import GAME
from croupier.games.sagrada.position import appended, exchanged, kinds, pack, unpack, without
from croupier.games.sagrada.state import GlassState
from croupier.testing.walks import random_step, seen, take


def test_every_die_is_somewhere() -> None:
    """Play random matches with every number of seats; all 90 dice are accounted for at the end."""
    dice = Dice(5)
    for seats in (1, 2, 3, 4):
        for _ in range(5):
            state = GAME.new(GAME.options.read({}), seats)
            play_out(state, dice)
            assert isinstance(state, GlassState)
            found = [18] * 5
            for lying in [
                *(die for window in state.windows for die in window.dice() if die >= 0),
                *(die for slot in state.track for die in unpack(slot)),
                *state.paid,
            ]:
                found[lying // 6] -= 1
            assert found == [int(state.bag) >> 5 * colour & 31 for colour in range(5)]
            assert len(state.track) == 10
            assert sum(found) == 90 - 10 * (4 if seats == 1 else 2 * seats + 1)


@pytest.mark.parametrize("seats", [1, 2, 3])
def test_every_step_of_a_match_can_be_sampled_for_each_seat(seats: int) -> None:
    """Sample in every phase, including those that wait for chance; the kit tests only some."""
    rng = Random(seats)
    for tools in ([1, 5, 6], [2, 7, 11], [4, 8, 12], [11, 6, 10]):
        state = GAME.new(GAME.options.read({"rounds": 2, "deal": {"tools": tools}}), seats)
        while not state.over():
            for seat in range(seats):
                twin = GAME.sample(state.view(seat), rng)
                assert seen(twin, seat) == seen(state, seat)
            actor, items = random_step(state, rng)
            take(state, (actor, items))


def test_packed_rows() -> None:
    dice = [0, 29, 7, 7, 12, 29, 3, 18, 24]
    packed = pack(dice)
    assert unpack(packed) == dice
    assert unpack(without(packed, 7)) == [0, 29, 7, 12, 29, 3, 18, 24]
    assert unpack(without(packed, 24)) == dice[:-1]
    assert unpack(appended(without(packed, 0), 5)) == [29, 7, 7, 12, 29, 3, 18, 24, 5]
    assert unpack(exchanged(packed, 29, 1)) == [0, 1, 7, 7, 12, 29, 3, 18, 24]
    assert int(kinds(packed)) == sum(1 << die for die in set(dice))
