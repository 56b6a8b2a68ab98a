"""The room protocol with random and almost correct messages, divided anywhere."""

from __future__ import annotations

import json
from itertools import pairwise

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from croupier.games.tarock.tests.rooms import new_house
from croupier.testing.strategies import examples
from fuzz import tarock_wire

WORDS = st.sampled_from(
    ["r1", "two", "pass", "H", "C7", "T22", "", "Ana", "seed", "x", "game", "trula", "t1", "\u0000", "é" * 30]
)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)
COMMANDS = [
    "user.login",
    *(f"lobby.room.{verb}" for verb in ("create", "list", "join", "leave", "info")),
    "lobby.game.start",
    "lobby.player.ready",
    *(f"game.tarock.{verb}" for verb in ("bid", "callking", "exchange", "announce", "play", "state", "x")),
]
FIELDS = [
    "nickname",
    "token",
    "profile",
    "name",
    "options",
    "rules",
    "room_id",
    "password",
    "state",
    "contract",
    "suit",
    "picked",
    "cards",
    "bonuses",
    "kontras",
    "card",
    "request_id",
]
MESSAGES = st.builds(
    lambda command, fields: msgspec.json.encode({**fields, "command": command}),
    st.sampled_from(COMMANDS),
    st.dictionaries(st.sampled_from(FIELDS), VALUES),
)


@examples(300)
@given(st.integers(0, 255), st.binary() | MESSAGES)
def test_every_message_has_one_answer(first: int, message: bytes) -> None:
    tarock_wire.check(bytes([first]) + message)


def test_the_tables_are_in_three_phases() -> None:
    phases = [house.tables()[0].view(0).facts()["phase"] for house in tarock_wire.HOUSES]
    assert phases == ["bidding", "exchanging", "playing"]


LINES = st.lists(
    MESSAGES
    | st.sampled_from([b"", b"\r", b"no json", b"{}", b"[1]", b"x" * 20_000, b'"\xff"', b"\x00", b"\rx"]),
    max_size=6,
)


@examples(100)
@given(LINES, st.data())
def test_answers_do_not_depend_on_how_the_bytes_are_divided(lines: list[bytes], data: st.DataObject) -> None:
    stream = b"".join(line + data.draw(st.sampled_from([b"\n", b"\r\n"])) for line in lines)
    whole, cut = new_house().connect(), new_house().connect()
    whole.feed(stream)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=8)))
    for start, end in pairwise([0, *cuts, len(stream)]):
        cut.feed(stream[start:end])
    assert cut.frames == whole.frames
    for frame in whole.frames:
        assert isinstance(json.loads(frame), dict)
