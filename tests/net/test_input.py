"""Bad input of every kind over a real socket: it gets the specified answer and changes nothing."""

from __future__ import annotations

import asyncio
from typing import Any

import aiohttp
import msgspec
import pytest

from croupier.games.hearts.wire import HeartsConversation, HeartsWatch
from croupier.wire.table_spec import TableSpec
from croupier.wire.talk import TableInfo
from tests.net.rig import BINARY, CLOSE, PING, PONG, QUICK, RawSocket, Rig, eventually, rig, skip

PATIENT = {
    **QUICK,
    "pass_cards_timeout": 600_000,
    "expose_cards_timeout": 600_000,
    "pick_card_timeout": 600_000,
}
DUMMIES = TableSpec(["open", "bot dummy", "bot dummy", "bot dummy"], table_options=PATIENT, seed="1")

NOT_MESSAGES: list[bytes] = [
    b"",
    b"null",
    b"7",
    b'"join"',
    b"[]",
    b'[{"eventName": "join"}]',
    b"{",
    b'{"eventName": "join", "data": {}',
    b"{'eventName': 'join'}",
    b'{"eventName": NaN}',
    b'{"eventName": "join"} {"eventName": "join"}',
    b"\x00",
    b'{"eventName": 7, "type": 7}',
    b'{"eventName": ["join"], "type": ["join"]}',
    b'{"eventName": "JOIN", "type": "JOIN"}',
    b'{"eventName": "stop_game", "data": {}}',
    b'{"data": {"playerName": "eve"}}',
    b'{"eventName": "\\ud800", "type": "\\ud800"}',
    b"[" * 16000,
    b'{"a":' * 3000,
]
BAD_UTF8 = b'{"eventName": "join", "type": "join", "name": "\xff\xfe"}'


async def passing(server: Rig) -> tuple[RawSocket, dict[str, Any]]:
    """Return a Trend client that has been asked to pass, and the request's data."""
    client = await server.raw("/")
    client.send({"eventName": "join", "data": {"playerName": "ann", "playerNumber": 1, "token": "t"}})
    return client, (await client.next("pass_cards"))["data"]


@pytest.mark.parametrize("opcode", [1, BINARY])
async def test_the_trend_protocol_ignores_malformed_messages(opcode: int) -> None:  # 5.2, 1
    async with rig(DUMMIES) as server:
        client, asked = await passing(server)
        entries = server.default.table.entries
        for data in NOT_MESSAGES:
            client.send(data, opcode)
        if opcode == BINARY:
            client.send(BAD_UTF8, BINARY)
        cards = asked["self"]["cards"][:3]
        await client.caught_up()
        skip(1.0)  # these were nearly as many frames as one second allows
        assert server.default.table.entries == entries
        client.send({"eventName": "pass_my_cards", "data": {"dealNumber": 1, "cards": cards}})
        frame = await client.next("receive_opponent_cards")
        assert frame["data"]["self"]["pickedCards"] == cards
        assert frame["data"]["self"]["errorCount"] == 0


@pytest.mark.parametrize("opcode", [1, BINARY])
async def test_the_house_protocol_refuses_malformed_messages(opcode: int) -> None:
    async with rig() as server:
        client = await server.raw("/house/default")
        await client.answered()
        junk = [*NOT_MESSAGES, *([BAD_UTF8] if opcode == BINARY else [])]
        for data in junk:
            client.send(data, opcode)
            frame = await client.next("refused")
            assert frame["key"] == "bad_message", data[:40]
            assert frame["words"]
        assert server.default.table.entries == 0


@pytest.mark.parametrize("path", ["/", "/house/default"])
async def test_a_text_frame_of_bad_utf8_ends_the_connection(path: str) -> None:  # RFC 6455, 8.1
    async with rig() as server:
        client = await server.raw(path)
        client.send(BAD_UTF8)
        assert await client.closed() == 1007
        await gone(server, 0)


@pytest.mark.parametrize("path", ["/", "/house/default"])
@pytest.mark.parametrize("opcode", [1, BINARY])
async def test_a_frame_may_have_16_kib_and_no_more(path: str, opcode: int) -> None:  # 6.5
    async with rig() as server:
        client = await server.raw(path)
        join = b'{"eventName": "join", "data": {"playerName": "ann"}, "type": "join", "name": "ann", "x": "'
        client.send(join + b"x" * (16 * 1024 - len(join) - 2) + b'"}', opcode)
        await client.next("new_peer", "joined")
        client.send(join + b"x" * (16 * 1024 - len(join) - 1) + b'"}', opcode)
        assert await client.closed() == 1009
        await gone(server, 0)
        assert server.default.table.places[0].name == ""


async def test_many_small_fragments_are_one_frame_to_the_limit() -> None:
    async with rig() as server:
        client = await server.raw("/house/default")
        client.send(b'{"type": "ping", "id": "', final=False)
        for _ in range(16):
            client.send(b"x" * 1024, opcode=0, final=False)
        client.send(b'"}', opcode=0)
        assert await client.closed() == 1009


async def gone(server: Rig, left: int) -> None:
    """Wait until the server has noticed that a connection ended."""
    await eventually(lambda: len(server.default.peers) == left)


@pytest.mark.parametrize(
    ("data", "counted"),
    [
        ({"dealNumber": 0, "cards": []}, False),  # late (5.2, 3)
        ({"dealNumber": "0", "cards": ["2C"]}, False),
        ({"dealNumber": 1, "cards": ["2X", "3X", "4X"]}, True),
        ({"dealNumber": 1, "cards": ["2c", "3c", "4c"]}, True),
        ({"dealNumber": 1, "cards": "2C3C4C"}, True),
        ({"dealNumber": 1, "cards": [1, 2, 3]}, True),
        ({"dealNumber": 1, "cards": [["2C"], {}, None]}, True),
        ({"dealNumber": 1, "cards": None}, True),
        ({"dealNumber": 1.0, "cards": []}, True),
        ({"dealNumber": True, "cards": []}, True),
        ({"dealNumber": 2, "cards": []}, True),
        ({"dealNumber": 10**30, "cards": []}, True),
        ({}, True),
        ([], True),
        ("pass", True),
        (None, True),
    ],
)
async def test_wrong_values_are_counted_and_decided_at_once(data: object, counted: bool) -> None:  # 5.2, 5
    async with rig(DUMMIES) as server:
        client, asked = await passing(server)
        client.send({"eventName": "pass_my_cards", "data": data})
        if not counted:
            cards = asked["self"]["cards"][:3]
            client.send({"eventName": "pass_my_cards", "data": {"dealNumber": 1, "cards": cards}})
        frame = await client.next("receive_opponent_cards")
        assert frame["data"]["self"]["errorCount"] == int(counted)
        assert frame["data"]["self"]["timeoutCount"] == 0


async def test_unexpected_replies_are_ignored() -> None:  # 5.2, 2
    async with rig(DUMMIES) as server:
        client, asked = await passing(server)
        for event in ("pick_card", "expose_my_cards", "join", "new_game", "your_turn"):
            client.send(
                {
                    "eventName": event,
                    "data": {"dealNumber": 1, "roundNumber": 0, "turnCard": "2C", "cards": []},
                }
            )
        cards = asked["self"]["cards"][:3]
        reply = {"eventName": "pass_my_cards", "data": {"dealNumber": 1, "cards": cards}}
        client.send(reply)
        client.send(reply)
        frame = await client.next("receive_opponent_cards")
        assert frame["data"]["self"]["errorCount"] == 0


async def house_turn(server: Rig) -> tuple[RawSocket, dict[str, Any]]:
    client = await server.raw("/house/default")
    client.send({"type": "join", "name": "ann", "seat": 0, "token": "t"})
    return client, await client.next("ask")


@pytest.mark.parametrize(
    ("message", "key"),
    [
        ({"turn": 1, "actions": ["pass 2X"]}, "unknown_action"),
        ({"turn": 1, "actions": ["PASS 2C"]}, "unknown_action"),
        ({"turn": 1, "actions": [""]}, "unknown_action"),
        ({"turn": 1, "actions": ["play 2C"]}, None),
        ({"turn": 1, "actions": ["pass 2C"] * 3}, None),
        ({"turn": 0, "actions": ["pass 2C"]}, "stale"),
        ({"turn": 2, "actions": ["pass 2C"]}, "stale"),
        ({"turn": 10**40, "actions": ["pass 2C"]}, "stale"),
        ({"turn": -1, "actions": ["pass 2C"]}, "bad_message"),
        ({"turn": "1", "actions": ["pass 2C"]}, "bad_message"),
        ({"turn": True, "actions": ["pass 2C"]}, "bad_message"),
        ({"turn": 1.0, "actions": ["pass 2C"]}, "bad_message"),
        ({"turn": 1, "actions": []}, "bad_message"),
        ({"turn": 1, "actions": "pass 2C"}, "bad_message"),
        ({"turn": 1, "actions": [1]}, "bad_message"),
        ({"turn": 1, "actions": ["pass 2C"] * 65}, "bad_message"),
        ({"turn": 1}, "bad_message"),
        ({"actions": ["pass 2C"]}, "bad_message"),
    ],
)
async def test_a_wrong_act_is_refused_and_changes_nothing(
    message: dict[str, object], key: str | None
) -> None:
    async with rig(DUMMIES) as server:
        client, ask = await house_turn(server)
        entries = server.default.table.entries
        client.send({"type": "act", "id": "mine", **message})
        frame = await client.next("refused", "accepted")
        assert frame["type"] == "refused"
        assert frame["id"] == "mine"
        assert key is None or frame["key"] == key
        assert server.default.table.entries == entries
        client.send({"type": "act", "turn": ask["turn"], "actions": ask["legal"][:3], "id": 2})
        assert (await client.next("accepted"))["id"] == 2


@pytest.mark.parametrize(
    ("message", "key"),
    [
        ({"type": "join"}, "bad_message"),
        ({"type": "join", "name": 7}, "bad_message"),
        ({"type": "join", "name": ""}, "bad_name"),
        ({"type": "join", "name": "a\nb"}, "bad_name"),
        ({"type": "join", "name": "x" * 65}, "bad_name"),
        ({"type": "join", "name": "ann", "token": 7}, "bad_message"),
        ({"type": "join", "name": "ann", "token": "x" * 257}, "bad_message"),
        ({"type": "join", "name": "ann", "seat": "0"}, "bad_message"),
        ({"type": "join", "name": "ann", "seat": 4}, "no_such_seat"),
        ({"type": "join", "name": "ann", "seat": -1}, "no_such_seat"),
        ({"type": "join", "name": "ann", "seat": 10**40}, "no_such_seat"),
        ({"type": "join", "name": "ann", "person": 1}, "bad_message"),
        ({"type": "join", "name": "ann", "views": "none"}, "bad_message"),
        ({"type": "join", "name": "ann", "last": "7"}, "bad_message"),
        ({"type": "act", "turn": 1, "actions": ["play 2C"]}, "not_joined"),
        ({"type": "say", "text": "hello"}, "not_joined"),
        ({"type": "leave"}, "not_joined"),
        ({"type": "arrange"}, "bad_message"),
        ({"type": "arrange", "seats": ["open"]}, "bad_seats"),
        ({"type": "arrange", "seats": ["throne"] * 4}, "bad_seats"),
        ({"type": "arrange", "seats": [0, 0, 0, 0]}, "bad_message"),
        ({"type": "ping", "id": True}, "bad_message"),
        ({"type": "ping", "id": {}}, "bad_message"),
    ],
)
async def test_a_wrong_request_of_a_watcher(message: dict[str, object], key: str) -> None:
    async with rig() as server:
        client = await server.raw("/house/default")
        await client.answered()
        client.send({"id": "mine", **message})
        frame = await client.next("refused")
        assert frame["key"] == key
        assert server.default.table.entries == 0


async def test_chat_is_limited() -> None:
    async with rig() as server:
        client = await server.raw("/house/default")
        client.send({"type": "join", "name": "ann"})
        await client.next("joined")
        for text in (7, "", "  ", "x" * 501):
            client.send({"type": "say", "text": text})
            assert (await client.next("refused"))["key"] == "bad_message"
        client.send({"type": "say", "text": "x" * 500, "id": 1})
        assert (await client.next("accepted"))["id"] == 1
        assert (await client.next("said"))["text"] == "x" * 500


# Floods.


async def test_more_than_50_frames_per_second_are_ignored_with_one_refusal_per_second() -> None:
    async with rig() as server:
        client = await server.raw("/house/default")
        await client.answered()
        seen = len(client.frames)
        for number in range(400):
            client.send({"type": "ping", "id": number})
        await client.caught_up()
        skip(1.0)
        client.send({"type": "ping", "id": "last"})
        while client.frames[-1].get("id") != "last":
            await client.next("pong")
        frames = client.frames[seen:]
        pongs = [frame["id"] for frame in frames if frame["type"] == "pong"]
        floods = [frame for frame in frames if frame["type"] == "refused"]
        assert {frame["key"] for frame in floods} == {"flood"}
        assert 1 <= len(floods) <= 2, "the frames may have fallen into two seconds"
        assert 49 <= len(pongs) <= 101
        assert pongs[:-1] != list(range(400))


async def test_a_flood_of_the_trend_protocol_is_ignored_in_silence() -> None:
    async with rig(DUMMIES) as server:
        client, asked = await passing(server)
        for _ in range(300):
            client.send({"eventName": "pass_my_cards", "data": {"dealNumber": 0}})
        await client.caught_up()
        skip(1.0)
        cards = asked["self"]["cards"][:3]
        client.send({"eventName": "pass_my_cards", "data": {"dealNumber": 1, "cards": cards}})
        frame = await client.next()
        assert frame["eventName"] == "receive_opponent_cards"
        assert frame["data"]["self"]["errorCount"] == 0


async def test_a_flood_does_not_delay_others() -> None:
    async with rig() as server:
        flooder, other = await server.raw("/house/default"), await server.raw("/house/default")
        await other.answered()
        for _ in range(5000):
            flooder.send(b'{"type": "say", "text": "hello"}')
        loop = asyncio.get_running_loop()
        begun = loop.time()
        await other.answered()
        assert loop.time() - begun < 2.0


# Control frames and closing.


async def test_pings_are_answered_and_pongs_need_not_come() -> None:
    async with rig() as server:
        client = await server.raw("/house/default")
        client.send(b"hello", PING)
        client.send(b"nobody asked", PONG)
        opcode, payload = await client.receive()
        while opcode != PONG:
            opcode, payload = await client.receive()
        assert payload == b"hello"


async def test_a_close_frame_is_answered() -> None:
    async with rig() as server:
        client = await server.raw("/house/default")
        client.send((1000).to_bytes(2, "big"), CLOSE)
        assert await client.closed() == 1000
        await gone(server, 0)


async def test_a_lost_connection_is_detected() -> None:
    async with rig() as server:
        client = await server.raw("/")
        client.send({"eventName": "join", "data": {"playerName": "ann"}})
        await client.next("new_peer")
        client.writer.transport.abort()
        await gone(server, 0)
        await eventually(lambda: not server.default.table.places[0].name)


@pytest.mark.parametrize(
    "frame", [b"\x83\x80\x00\x00\x00\x00", b"\xc1\x80\x00\x00\x00\x00", b"\x89\xfe\x00\x7e" + b"\x00" * 130]
)
async def test_frames_against_the_rules_of_websockets_end_the_connection(frame: bytes) -> None:
    async with rig() as server:
        client = await server.raw("/")
        client.writer.write(frame)
        assert await client.closed() in (1002, None)
        await gone(server, 0)


# Origins and limits.


@pytest.mark.parametrize("path", ["/", "/t/default", "/watch", "/t/default/watch"])
@pytest.mark.parametrize("origin", ["http://evil.example", "null", "file://", ""])
async def test_any_origin_gets_into_the_trend_protocol(path: str, origin: str) -> None:  # 3.1
    async with rig() as server:
        client = await server.raw(path, Origin=origin)
        client.close()


@pytest.mark.parametrize("path", ["/house/default", "/api/lobby"])
@pytest.mark.parametrize("own", [False, True])
async def test_programs_and_our_own_pages_get_into_the_house(path: str, own: bool) -> None:
    async with rig() as server:
        headers = {"Origin": server.http} if own else {}
        async with server.session.ws_connect(server.ws + path, headers=headers) as socket:
            assert not socket.closed


@pytest.mark.parametrize("path", ["/house/default", "/api/lobby"])
@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1"])
async def test_a_foreign_page_does_not_get_into_the_house(path: str, origin: str) -> None:
    async with rig() as server:
        headers = {"Origin": origin}
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await server.session.ws_connect(server.ws + path, headers=headers)
        assert refused.value.status == 403


async def test_a_connection_that_never_joins_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:  # 6.2
    def impatient(info: TableInfo) -> HeartsConversation:
        conversation = HeartsConversation(info)
        conversation.join_seconds = 0.3
        return conversation

    monkeypatch.setattr("croupier.games.hearts.wire.HeartsConversation", impatient)
    async with rig() as server:
        idle, joined, watcher = await server.raw("/"), await server.raw("/"), await server.raw("/watch")
        joined.send({"eventName": "join", "data": {"playerName": "ann"}})
        await joined.next("new_peer")
        assert await idle.closed() == 1008
        idle.close()
        await gone(server, 2)
        later = await server.raw("/")
        assert await later.closed() == 1008, "the timeout has passed once more since the others connected"
        later.close()
        await gone(server, 2)
        joined.close()
        watcher.close()


async def test_the_join_timeout_of_the_trend_protocol_is_30_seconds() -> None:
    async with rig() as server:
        assert HeartsConversation(server.default.table).join_seconds == 30.0
        assert HeartsWatch(server.default.table).join_seconds is None


async def test_simultaneous_joins_fill_the_table_once() -> None:
    async with rig() as server:
        clients = [await server.raw("/") for _ in range(12)]
        for number, client in enumerate(clients):
            client.send({"eventName": "join", "data": {"playerName": f"p{number}", "token": "t"}})
        kinds = [(await client.next("new_peer", "join_error"))["eventName"] for client in clients]
        assert kinds.count("new_peer") == 4
        assert sorted(place.name for place in server.default.table.places)[0] != ""


async def test_names_are_compared_after_decoding() -> None:
    async with rig() as server:
        first, second = await server.raw("/"), await server.raw("/")
        first.send('{"eventName": "join", "data": {"playerName": "\\u00e4nn", "token": "a"}}')
        await first.next("new_peer")
        second.send(msgspec.json.encode({"eventName": "join", "data": {"playerName": " änn ", "token": "b"}}))
        assert (await second.next())["eventName"] == "player_name_dup"


async def test_a_client_can_answer_a_close_frame() -> None:  # RFC 6455, 7.1.1
    """If the connection ended before the client's close frame, the client would report code 1006."""
    async with rig() as server:
        old = await server.raw("/")
        old.send({"eventName": "join", "data": {"playerName": "ann", "token": "t"}})
        await old.next("new_peer")
        new = await server.raw("/")
        new.send({"eventName": "join", "data": {"playerName": "ann", "token": "t"}})
        await new.next("new_peer")
        opcode, payload = await old.receive()
        assert (opcode, int.from_bytes(payload[:2], "big")) == (CLOSE, 4001)
        old.send({"eventName": "join", "data": {"playerName": "eve", "token": "t"}})
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(old.reader.read(1), 0.5)
        old.send(payload[:2], CLOSE)
        assert await old.closed() in (4001, None)
        assert [place.name for place in server.default.table.places] == ["ann", "", "", ""]
