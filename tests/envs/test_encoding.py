"""Observations: what every layout promises, and that they say no more than the view does."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
import pytest

from croupier import envs, games
from croupier.core.contract import State, View, first_seat
from croupier.core.dice import Dice
from croupier.core.layout import Field, Layout, away, row, turned
from croupier.envs.setup import Setup
from croupier.games.hearts.view import HeartsView
from croupier.games.hearts.vocabulary import CODES

SOURCE = Path(__file__).parents[2] / "src"
SEATS = [(name, seats) for name in games.names() for seats in games.game(name).seats]


def walk(setup: Setup, seed: int, steps: int) -> Iterator[State]:
    """Yield the states of matches played at random."""
    rng, dice = Random(seed), Dice(seed)
    state = setup.start()
    for _ in range(steps):
        if waiting := state.to_act():
            yield state
            seat = int(first_seat(waiting))
            state.apply(seat, rng.choice(state.legal_actions(seat)))
        elif state.over():
            yield state
            state = setup.start()
        else:
            state.roll(dice)


@pytest.mark.parametrize(("name", "seats"), SEATS)
def test_every_value_fits_its_field(name: str, seats: int) -> None:
    setup = Setup.read(name, seats, "match", {})
    for state in walk(setup, 3, 400):
        for seat in range(seats):
            found = setup.encode(state.view(seat))
            for field, value in zip(setup.layout.sets, found.sets, strict=True):
                assert 0 <= value < 1 << field.size, field.name
            assert len(found.sets) == len(setup.layout.sets)
            assert len(found.numbers) == setup.layout.size - setup.layout.bits
            assert all(abs(number) < 100 for number in found.numbers)


@pytest.mark.parametrize("name", games.names())
def test_a_match_that_has_not_begun_can_be_observed(name: str) -> None:
    setup = Setup.read(name, None, "match", {})
    assert setup.observe([setup.start().view(0)]).shape == (1, setup.layout.size)


@pytest.mark.parametrize("name", games.names())
def test_the_worlds_a_seat_cannot_tell_apart_look_the_same(name: str) -> None:
    """`sample` deals the hidden cards anew: if a number came from the state, it would change."""
    setup = Setup.read(name, None, "match", {})
    rng = Random(1)
    different = 0
    for number, state in enumerate(walk(setup, 5, 240)):
        waiting = state.to_act()
        if number % 4 or not waiting:
            continue
        seat = int(first_seat(waiting))
        view = state.view(seat)
        other = setup.game.sample(view, rng)
        assert np.array_equal(setup.observe([view]), setup.observe([other.view(seat)]))
        rest = [s for s in range(setup.seats) if s != seat]
        different += any(other.view(s).facts() != state.view(s).facts() for s in rest)
    assert different > 20, "the worlds must differ for the others, else nothing was tested"


@pytest.mark.parametrize("name", games.names())
def test_an_encoding_never_sees_a_state(name: str) -> None:
    source = SOURCE.joinpath(*games.REGISTRY[name].split("."), "encoding.py")
    modules = [
        node.module for node in ast.walk(ast.parse(source.read_text())) if isinstance(node, ast.ImportFrom)
    ]
    assert modules
    assert not [module for module in modules if module and module.endswith((".state", ".position"))]


@pytest.mark.parametrize("name", games.names())
def test_layouts_have_no_holes(name: str) -> None:
    table = envs.layout(name).table()
    assert [begin for begin, *_ in table] == [0, *(end for _, end, *_ in table[:-1])]
    assert table[-1][1] == envs.layout(name).size
    assert all(words for *_, words in table)


def field(setup: Setup, view: View, name: str) -> list[int]:
    """Return where the field called *name* is not zero."""
    begin, end = next((begin, end) for begin, end, found, _ in setup.layout.table() if found == name)
    return [int(at) for at in np.flatnonzero(setup.observe([view])[0, begin:end])]


def test_hearts_is_where_the_layout_says() -> None:
    setup = Setup.read("hearts", None, "deal", {})
    view = HeartsView(2)
    view.hand = 1 << CODES["QS"] | 1 << CODES["2D"]
    view.leader = 1
    view.table = [-1, CODES["AC"], -1, -1]
    view.void = [0, 0, 0, 0b1000]
    view.scores = [0, 0, -26, -13]
    assert field(setup, view, "hand") == [CODES["2D"], CODES["QS"]]
    assert field(setup, view, "leader") == [3]
    assert field(setup, view, "table") == [3 * 52 + CODES["AC"]]
    assert field(setup, view, "void") == [4 + 3]
    begin = setup.layout.start["scores"]
    assert list(setup.observe([view])[0, begin : begin + 4]) == [-1, -0.5, 0, 0]


@pytest.mark.parametrize(
    ("name", "wanted", "counted"),
    [
        ("hearts", "hand", lambda view: len(view.facts()["hand"])),
        ("coinche", "hand", lambda view: len(view.facts()["hand"])),
        ("tarock", "hand", lambda view: len(view.facts()["hand"])),
        ("taroky", "hand", lambda view: len(view.facts()["hand"])),
        ("tarock", "played", lambda view: 4 * len(view.facts()["tricks"])),
        ("taroky", "played", lambda view: 4 * len(view.facts()["tricks"])),
        ("coinche", "taken", lambda view: 4 * len(view.facts()["tricks"])),
        ("hearts", "played", lambda view: sum(map(len, view.facts()["played"]))),
        ("sagrada", "windows", lambda view: sum(2 for w in view.facts()["windows"] for d in w["dice"] if d)),
        ("sagrada", "tools", lambda view: len(view.facts()["tools"])),
    ],
)
def test_as_much_is_encoded_as_the_view_tells(name: str, wanted: str, counted: object) -> None:
    assert callable(counted)
    setup = Setup.read(name, None, "match", {})
    for state in walk(setup, 7, 300):
        view = state.view(1)
        assert len(field(setup, view, wanted)) == counted(view)


def test_pieces_of_a_layout() -> None:
    layout = Layout([Field("a", 3, "x"), Field("b", 9, "y")], [Field("c", 2, "z")])
    assert (layout.bits, layout.size, layout.width) == (12, 14, 2)
    assert layout.pack([0b101, 0b1_0000_0001]) == bytes([0b00001101, 0b1000])
    assert layout.table() == [(0, 3, "a", "x"), (3, 12, "b", "y"), (12, 14, "c", "z")]
    assert row([1, 2, 3], 2) == 0b111001
    assert turned(0b0001, 3, 4) == 0b0010
    assert [away(other, 3, 4) for other in (-1, 0, 3)] == [0, 2, 1]
