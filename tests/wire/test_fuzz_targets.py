"""The fuzz targets, run with random and almost correct frames, so that they keep working."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from croupier.games.hearts import GAME
from croupier.testing.house import VirtualTable
from croupier.testing.strategies import examples
from fuzz import hearts_wire, house_wire

pytestmark = pytest.mark.slow

CARDS = st.sampled_from(["2C", "AH", "QS", "9D", "xx", ""])
VALUES = st.one_of(
    *[st.integers(-1, 3), CARDS, st.lists(CARDS, max_size=4), st.none(), st.booleans(), st.just("1")],
)
HEARTS = st.builds(
    lambda name, data: msgspec.json.encode({"eventName": name, "data": data}),
    st.sampled_from(["join", "pass_my_cards", "expose_my_cards", "pick_card"]),
    st.dictionaries(
        st.sampled_from(["dealNumber", "roundNumber", "cards", "turnCard", "playerName", "playerNumber"]),
        VALUES,
    ),
)
HOUSE = st.builds(
    lambda name, data: msgspec.json.encode({**data, "type": name}),
    st.sampled_from(["join", "act", "start", "arrange", "say", "leave", "ping"]),
    st.dictionaries(
        st.sampled_from(["id", "name", "token", "seat", "turn", "actions", "text", "seats"]), VALUES
    ),
)


@examples(300)
@given(st.integers(0, 255), st.binary() | HEARTS)
@example(7, b'{"eventName": "join", "data": {"playerName": "p1", "token": "u"}}')
@example(3, b'{"eventName": "pick_card", "data": {"dealNumber": 1, "roundNumber": 1, "turnCard": "2C"}}')
def test_hearts_wire(first: int, frame: bytes) -> None:
    hearts_wire.check(bytes([first]) + frame)


@examples(300)
@given(st.integers(0, 255), st.binary() | HOUSE)
def test_house_wire(first: int, frame: bytes) -> None:
    house_wire.check(bytes([first]) + frame)


def test_the_tables_are_in_every_phase() -> None:
    def legal(wired: VirtualTable) -> set[str]:
        actions = [action for seat in range(4) for action in wired.table.view(seat).legal]
        return {GAME.actions.name(action).split()[0] for action in actions}

    assert [legal(wired) for wired in hearts_wire.TABLES] == [
        {"pass"},
        {"expose", "keep"},
        {"play"},
        {"play"},
    ]


def test_empty_input_is_accepted() -> None:
    hearts_wire.check(b"")
    house_wire.check(b"")
