"""Bytes of any kind, cut anywhere: the same answers, and never an exception (spec 2, 12.1)."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from croupier.games.sagrada.tests.wiring import TOKENS, new_house
from croupier.testing.house import Client, VirtualHouse
from croupier.testing.strategies import examples

SOLO = {
    "solo": "on",
    "rounds": 2,
    "deal": {
        "private": [4, 1],
        "public": [1, 5],
        "cards": [[8, 7]],
        "tools": [4, 6, 12],
        "draws": [["R5", "P6", "Y1", "G3"], ["G1", "B2", "Y2", "R2"]],
        "chance": ["2"],
    },
}
LINES = [
    "events\ton",
    "login\tbob",
    f"token\t{TOKENS['bob']}",
    "schema\t3",
    "schema\t14",
    "extract",
    "active_tool_card\t6\tP6",
    "reroll_dice\tR5",
    "place\tR2\t4\t1",
    "pass",
    "place\tY1\t4\t2",
    "active_tool_card\t4",
    "state",
    "ping\tx",
    "pass",
    "extract",
    "place\tB2\t4\t3",
    "pass",
    "active_tool_card\t4\tY2",
    "move\t4\t1\t3\t1",
    "move\t4\t3\t4\t4\t",
    "move\t4\t1\t4\t3\t",
    "move\t4\t3\t4\t1\t",
    "pass",
    "newgame",
]

WORDS = st.sampled_from(
    (
        b"login token place move pass extract schema active_tool_card state events on newgame ping swap_dice "
        b"put_in_bag set_value flip_dice reroll_all reroll_dice deactive_tool_card R5 G3@1 1 4 +1 bob ann"
    ).split()
)
GARBAGE = st.one_of(
    st.binary(max_size=40),
    st.lists(WORDS, max_size=5).map(b"\t".join).map(lambda line: line + b"\n"),
    st.lists(WORDS, max_size=3).map(b" ".join).map(lambda line: line + b"\r"),
)
SERVER = re.compile(
    r"(welcome|login|verified|failed|lobbyplayers:|newplayer:|game|privateGoal|schemas|publicGoal|round|dice"
    r"|your-turn|new_dice|dice_list|dice_from_pool|endRound|endGame|ok|invalid|no|not_valid|invalid_dice"
    r"|constrains_violated|constraints_violated|empty_cell|cell_already_occupied|not_enough_token"
    r"|not_valid_choice|bad_request|pong|state|tools|window|track|pool|active|hand|end_state|countdown|quit"
    r"|rejoin|suspended|turn|placed|moved|tool_used|tokens|passed|timeout|score|new_player)([\t ][ -~\t]*)?"
)
"""Every verb the server may send (spec 2, 10)."""


def played(cuts: list[bytes], line: bool = False) -> list[str]:
    """Return the lines sent to a client who plays alone."""
    house = new_house(SOLO)
    client = house.connect(line=line)
    for cut in cuts:
        client.feed(cut)
    house.advance(0.1)
    return client.frames


def cut(data: bytes, places: list[int]) -> list[bytes]:
    at = sorted({place % len(data) for place in places})
    return [data[start:end] for start, end in zip([0, *at], [*at, len(data)], strict=True)]


WHOLE = played(["\n".join([*LINES, ""]).encode()])
LINE_PORT = played(["\n".join([*LINES, ""]).encode()], line=True)


def test_the_script_gets_somewhere() -> None:
    assert "new_dice\tR2" in WHOLE
    assert any(frame.startswith("moved") for frame in WHOLE)
    assert any(frame.startswith("endGame") for frame in WHOLE)


@examples(60)
@given(st.lists(st.integers(0, 600), max_size=12), st.sampled_from(["\n", "\r", "\r\n"]))
def test_answers_do_not_depend_on_cuts(places: list[int], end: str) -> None:
    data = end.join([*LINES, ""]).encode()
    assert played(cut(data, places)) == WHOLE


@examples(20)
@given(st.lists(st.integers(0, 600), max_size=12))
def test_nor_on_the_line_port(places: list[int]) -> None:
    data = "\r\n".join([*LINES, ""]).replace("\t", "  ").encode()
    assert played(cut(data, places), line=True) == LINE_PORT


def test_the_line_port_differs_only_in_its_welcome() -> None:
    assert LINE_PORT[1:] == WHOLE[1:]


def test_nor_on_single_bytes() -> None:
    data = "\r\n".join([*LINES, ""]).encode()
    assert played([data[at : at + 1] for at in range(len(data))]) == WHOLE


def _turn() -> tuple[VirtualHouse, Client, Client]:
    """Return a game of bob, whose turn it is, and eve."""
    house = new_house({"lobby_wait": 0})
    clients = []
    for nick in ("bob", "eve"):
        client = house.connect()
        client.feed(f"login\t{nick}\ntoken\t{TOKENS[nick]}\n".encode())
        clients.append(client)
    for client in clients:
        offered = next(frame for frame in client.frames if frame.startswith("schemas")).split("\t")[1]
        client.feed(f"schema\t{offered}\nextract\n".encode())
    bob, eve = clients
    return house, bob, eve


@examples(60)
@given(st.lists(GARBAGE, max_size=8), st.booleans(), st.booleans())
def test_no_bytes_raise_and_nothing_unknown_is_sent(data: list[bytes], line: bool, frames: bool) -> None:
    house = new_house()
    client = house.connect(line=line)
    for part in data:
        if frames:
            client.send(part)
        else:
            client.feed(part)
    house.advance(1.0)
    assert all(SERVER.fullmatch(frame) for frame in client.frames)


@examples(60)
@given(st.lists(GARBAGE, max_size=8))
def test_nor_in_a_game(data: list[bytes]) -> None:
    house, bob, eve = _turn()
    for part in data:
        bob.feed(part)
        eve.feed(part)
    house.advance(200.0)
    for client in (bob, eve):
        assert all(SERVER.fullmatch(frame) for frame in client.frames)
