"""Arbitrary bytes: nothing raises, every message gets one answer, and cuts in the stream do not matter."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from croupier.games.taroky.tests.positions import GAME_A
from croupier.games.taroky.tests.rooms import QUICK, deal_of, new_house
from croupier.games.taroky.vocabulary import CARDS
from croupier.games.taroky.wire import TarokyConversation
from croupier.testing.strategies import examples
from fuzz import taroky_wire

VALUES: st.SearchStrategy[object] = st.one_of(
    st.sampled_from([*CARDS[::5], "T19", "draw", "reject", "x", "", "r1", GAME_A, deal_of(GAME_A)]),
    st.lists(st.sampled_from([*CARDS[::7], "D3", "x"]) | st.none(), max_size=5),
    st.booleans() | st.none() | st.integers(-1, 3) | st.floats() | st.just({}),
)
MEMBERS = (
    "prever",
    "action",
    "keep",
    "cards",
    "declare",
    "card",
    "call",
    "notation",
    "name",
    "room_id",
    "rules",
)
COMMANDS = [f"game.taroky.{name}" for name in (*TarokyConversation.COMMANDS, "state", "fly")]
COMMANDS += ["lobby.room.create", "lobby.room.list", "lobby.room.join", "lobby.game.start", "user.login"]
MESSAGES = st.builds(
    lambda command, members: msgspec.json.encode({**members, "command": command}),
    st.sampled_from(COMMANDS),
    st.dictionaries(st.sampled_from(MEMBERS), VALUES),
)


@examples(400)
@given(st.integers(0, 255), st.binary() | MESSAGES)
@example(5, b'{"command": "game.taroky.prever", "prever": false}')
@example(6, b'{"command": "game.taroky.discard", "cards": ["D3", "HJ"]}')
@example(8, b'{"command": "game.taroky.contra", "call": true}')
@example(0, b'{"command": "game.taroky.load", "notation": ""}')
def test_any_message_gets_one_answer(first: int, message: bytes) -> None:
    taroky_wire.check(bytes([first]) + message)


OPENING: list[dict[str, Any]] = [
    {"command": "lobby.room.create", "name": "r", "rules": QUICK},
    {"command": "game.taroky.load", "notation": deal_of(GAME_A)},
    {"command": "lobby.game.start"},
]


@pytest.mark.slow
@examples(60)
@given(st.lists(MESSAGES | st.binary(max_size=30), max_size=8), st.data())
def test_answers_do_not_depend_on_how_the_bytes_are_cut(messages: list[bytes], data: st.DataObject) -> None:
    lines = [json.dumps(message).encode() for message in OPENING] + messages
    stream = b"\n".join(lines) + b"\n"
    whole = new_house().connect()
    whole.feed(stream)
    cut = new_house().connect()
    while stream:
        size = data.draw(st.integers(1, len(stream)))
        cut.feed(stream[:size])
        stream = stream[size:]
    assert cut.frames == whole.frames
    assert cut.disconnected == whole.disconnected
