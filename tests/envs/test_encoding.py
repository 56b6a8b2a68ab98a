"""Observations: the properties of every layout, and that they contain no more than the view."""

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
from croupier.core.layout import Field, Layout, away, turned
from croupier.envs.arrays import Bits
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


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats"), SEATS)
def test_sets_are_zeros_and_ones_and_numbers_are_within_their_bounds(name: str, seats: int) -> None:
    setup = Setup.read(name, seats, "match", {})
    seen = setup.observations(1, "float32")
    small = setup.observations(1, "uint8")
    space, small_space = seen.space(), small.space()
    assert np.isfinite(space.low).all()
    assert np.isfinite(space.high).all()
    for state in walk(setup, 3, 200):
        for seat in range(seats):
            found = seen.of_view(state.view(seat))
            assert found.flags.writeable
            assert np.isin(found[: setup.layout.bits], (0, 1)).all()
            assert space.contains(found)
            packed = small.of_view(state.view(seat))
            assert small_space.contains(packed)
            numbers = slice(setup.layout.bits, None)
            assert np.array_equal(packed[: setup.layout.bits], found[: setup.layout.bits])
            back = space.low[numbers] + packed[numbers] * ((space.high - space.low)[numbers] / 255)
            assert np.abs(back - found[numbers]).max() <= (space.high - space.low)[numbers].max() / 500


@pytest.mark.parametrize(
    "seed", [0, pytest.param(1, marks=pytest.mark.slow), pytest.param(2, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize(("name", "seats"), SEATS)
def test_an_observation_written_from_a_position_is_that_of_the_view(name: str, seats: int, seed: int) -> None:
    """Every seat at every decision, so that a position contributes no more than the view."""
    setup = Setup.read(name, seats, "match", {})
    seen = setup.observations(1, "float32")
    names = [field for _, _, field, _ in setup.layout.table()]
    starts = [begin for begin, *_ in setup.layout.table()]
    for state in walk(setup, seed, 250):
        for seat in range(seats):
            told = seen.of_view(state.view(seat))
            written = seen.of_state(state, seat)
            wrong = {
                names[int(np.searchsorted(starts, at, "right")) - 1] for at in np.flatnonzero(told != written)
            }
            assert not wrong, (seat, wrong)


SINGLE = {
    "hearts": {"phase": 5, "table": 52, "leader": 4, "exposed": 4, "direction": 4},
    "tarock": {"phase": 7, "high": 12, "contract": 12, "declarer": 4, "holder": 4, "dealer": 4, "table": 54},
    "coinche": {"phase": 4, "level": 11, "denomination": 6, "bidder": 4, "dealer": 4, "table": 32},
    "taroky": {"phase": 12, "povinnost": 4, "prevers": 2, "gifts": 5, "half": 4, "valats": 2, "table": 54},
    "sagrada": {"phase": 5, "window": 24, "demands": 11, "turn_seat": 4, "start": 4, "used": 12, "hand": 35},
}
"""Fields whose parts, each so wide, hold one member or none."""


@pytest.mark.slow
@pytest.mark.parametrize("name", games.names())
def test_fields_lie_where_the_layout_says(name: str) -> None:
    setup = Setup.read(name, None, "match", {})
    fields = {field: (begin, end) for begin, end, field, _ in setup.layout.table()}
    met = dict.fromkeys(SINGLE[name], 0)
    for number, state in enumerate(walk(setup, 4, 400)):
        seat = number % setup.seats
        view = state.view(seat)
        line = setup.observe(view)
        for field, width in SINGLE[name].items():
            parts = line[slice(*fields[field])].reshape(-1, width).sum(axis=1)
            assert (parts <= 1).all(), field
            met[field] += parts.any()
        assert line[fields["to_act"][0]] == (view.to_act >> seat & 1)
    assert all(met.values()), met


@pytest.mark.parametrize("name", games.names())
def test_a_match_that_has_not_begun_can_be_observed(name: str) -> None:
    setup = Setup.read(name, None, "match", {})
    assert setup.observe(setup.start().view(0)).shape == (setup.layout.size,)


@pytest.mark.slow
@pytest.mark.parametrize("name", games.names())
def test_the_worlds_a_seat_cannot_tell_apart_look_the_same(name: str) -> None:
    """`sample` redeals the hidden cards: if a number came from the state, it would change."""
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
        assert np.array_equal(setup.observe(view), setup.observe(other.view(seat)))
        rest = [s for s in range(setup.seats) if s != seat]
        different += any(other.view(s).facts() != state.view(s).facts() for s in rest)
    assert different > 20, "the worlds must differ for the others, else nothing was tested"


@pytest.mark.parametrize("name", games.names())
def test_an_encoding_never_sees_a_state(name: str) -> None:
    source = SOURCE.joinpath(*games.registry()[name].package.split("."), "encoding.py")
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
    return [int(at) for at in np.flatnonzero(setup.observe(view)[begin:end])]


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
    assert list(setup.observe(view)[begin : begin + 4]) == [-1, -0.5, 0, 0]


@pytest.mark.slow
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
    layout = Layout([Field("a", 3, "x"), Field("b", 69, "y"), Field("c", 40, "w")], [Field("d", 2, "z")])
    assert (layout.bits, layout.size) == (112, 114)
    assert layout.table() == [(0, 3, "a", "x"), (3, 72, "b", "y"), (72, 112, "c", "w"), (112, 114, "d", "z")]
    out = layout.writer(2)
    out.begin(1)
    out.one(2, 3)
    out.several([0, 31, 32, 68], 69)
    out.put(1 << 39 | 1, 40)
    out.number(0.5)
    out.number(-1)
    out.end()
    ones = [2, *(3 + at for at in (0, 31, 32, 68)), 72, 72 + 39]
    assert list(Bits(out, 112).array()[1]) == [at in ones for at in range(112)]
    assert not Bits(out, 112).array()[0].any()
    assert list(out.numbers) == [0, 0, 0.5, 0]
    assert turned(0b0001, 3, 4) == 0b0010
    assert [away(other, 3, 4) for other in (-1, 0, 3)] == [0, 2, 1]


def test_what_does_not_fit_its_layout_is_no_observation() -> None:
    layout = Layout([Field("a", 3, "x")], [Field("b", 1, "y")])
    with pytest.raises(AssertionError, match="fit its field"):
        layout.writer(1).put(0b1000, 3)
    with pytest.raises(AssertionError, match="fit its field"):
        layout.writer(1).one(3, 3)
