"""Bans and mutes: on every protocol and door, until they end by themselves."""

from __future__ import annotations

import pytest

from croupier.core.refusal import Refusal
from croupier.wire.measures import BAN, CHAT_LINES, CHAT_SECONDS, MUTE, Measure, Measures
from croupier.wire.talk import EXPELLED
from tests.moderation.doors import (
    DOORS,
    OPERATOR,
    TOKEN,
    heard,
    house,
    order,
    overview,
    refused,
    register,
    rest,
    rooms,
)
from tests.net.rig import Rig, database, kept_rig, rig

NAME = "Annabel"
HERE = "127.0.0.1"


def test_a_measure_ends_by_itself() -> None:
    times = [100.0]
    measures = Measures(lambda: times[0])
    measures.put(Measure("1", BAN, "Ann", ("a",), 110.0, "spam"))
    measures.put(Measure("2", BAN, "Ann", ("a", "b"), 120.0))
    assert measures.find(BAN, ["a"]) is not None
    assert measures.find(MUTE, ["a"]) is None
    assert measures.find(BAN, ["c"]) is None
    with pytest.raises(Refusal, match="you are banned until 1970-01-01 00:02 UTC"):
        measures.check_ban(["a"])
    times[0] = 115.0
    assert [one.id for one in measures.all()] == ["2"]
    times[0] = 120.0
    measures.check_ban(["a", "b"])
    assert not measures.all()


def test_chat_is_limited_by_account_or_else_by_address() -> None:
    measures = Measures()
    for _ in range(CHAT_LINES):
        measures.check_chat(["address"], 50.0)
    with pytest.raises(Refusal, match="too many chat messages: wait 2 s") as found:
        measures.check_chat(["address"], 50.0)
    assert found.value.key == "chat_flood"
    measures.check_chat(["address", "account"], 50.0)
    measures.check_chat(["address"], 50.0 + CHAT_SECONDS)


@pytest.mark.parametrize("protocol", DOORS)
async def test_a_banned_account_is_disconnected_and_may_not_return(protocol: str) -> None:
    connect, welcome, words = DOORS[protocol]
    async with kept_rig(operator_token=TOKEN) as server:
        token = await register(server, NAME)
        socket = await connect(server, NAME, token)
        await heard(socket, welcome)
        await order(server, "ban", who=NAME, seconds=3600, why="spam")
        frames, code = await rest(socket)
        assert words.format(key="banned") in "".join(frames)
        assert code == EXPELLED
        for frames, code in [await rest(await connect(server, NAME, token))]:
            assert words.format(key="banned") in "".join(frames)
            assert code == EXPELLED
        await heard(await connect(server, "Berthold", ""), welcome)  # others still may


@pytest.mark.parametrize("protocol", DOORS)
async def test_a_banned_address_is_refused_on_every_protocol(protocol: str) -> None:
    connect, welcome, words = DOORS[protocol]
    async with rig(operator_token=TOKEN) as server:
        socket = await connect(server, NAME, "")
        await heard(socket, welcome)
        await order(server, "ban", who=HERE, seconds=3600)
        assert (await rest(socket))[1] == EXPELLED
        for name in (NAME, "Berthold"):
            frames, code = await rest(await connect(server, name, ""))
            assert words.format(key="banned") in frames[-1]
            assert code == EXPELLED
        [ban] = (await overview(server))["measures"]
        await order(server, "lift", id=ban["id"])
        await heard(await connect(server, NAME, ""), welcome)


@pytest.mark.parametrize("protocol", ["coinche", "workshop", "tarock"])
async def test_a_banned_account_may_not_log_in_with_its_password(protocol: str) -> None:
    connect, _, words = DOORS[protocol]
    async with kept_rig(operator_token=TOKEN) as server:
        await register(server, NAME)
        await order(server, "ban", who="annabel", seconds=3600)
        if protocol == "tarock":
            socket = await server.connect("/tarock")
            login = {"command": "user.login", "nickname": NAME, "password": "correct horse"}
            await socket.send_json(login)
        else:
            socket = await connect(server, NAME, "correct horse")
        frames, code = await rest(socket)
        assert words.format(key="banned") in frames[-1]
        assert code == EXPELLED


async def test_a_banned_account_is_refused_over_http() -> None:
    async with kept_rig(operator_token=TOKEN) as server:
        token = await register(server, NAME)
        _, made = await server.post("/api/tournaments", {"name": "Cup", "game": "hearts", "starts_in": 600})
        await order(server, "ban", who=NAME, seconds=3600)
        login = {"name": NAME, "password": "correct horse"}
        session = {"Authorization": f"Bearer {token}"}
        entry = f"/api/tournaments/{made['id']}/entry"
        cup = {"name": "Mine", "game": "hearts", "starts_in": 600, "token": token}
        answers = [
            await server.post("/api/session", login),
            await server.post("/api/tables", {"game": "hearts", "seats": ["open"] * 4}, **session),
            await server.post(entry, {"name": NAME, "token": token}),
            await server.post("/api/tournaments", cup),
            await server.post(
                "/api/account/password", {"old": "correct horse", "new": "horse two"}, **session
            ),
        ]
        assert [(status, answer["key"]) for status, answer in answers] == [(403, "banned")] * len(answers)
        _, answer = await server.post("/relay", {"command": "lobby.room.list"}, **session)
        assert answer["error"] == "banned"


async def test_a_banned_address_is_refused_over_http() -> None:
    async with kept_rig(operator_token=TOKEN) as server:
        _, first = await server.post("/relay", {"command": "user.login", "nickname": NAME})
        await order(server, "ban", who=HERE, seconds=3600)
        answers = [
            await server.post("/api/account", {"name": NAME, "password": "correct horse"}),
            await server.post("/api/session", {"name": NAME, "password": "correct horse"}),
            await server.post("/api/tables", {"game": "hearts", "seats": ["open"] * 4}),
            await server.post("/api/tournaments", {"name": "Cup", "game": "hearts", "starts_in": 600}),
        ]
        assert [(status, answer["key"]) for status, answer in answers] == [(403, "banned")] * len(answers)
        for headers in ({}, {"Authorization": f"Bearer {first['token']}"}):
            _, answer = await server.post("/relay", {"command": "lobby.room.list"}, **headers)
            assert answer["error"] == "banned"


async def test_an_account_is_banned_with_the_addresses_from_which_it_is_connected() -> None:
    async with kept_rig(operator_token=TOKEN) as server:
        token = await register(server, NAME)
        socket = await house(server, NAME, token)
        await heard(socket, '"joined"')
        await order(server, "ban", who=NAME, seconds=3600, addresses=True)
        _, code = await rest(await house(server, "Berthold"))
        assert code == EXPELLED


async def test_bans_survive_a_restart_and_end_by_themselves() -> None:
    async with database() as store:
        async with rig(store=store, operator_token=TOKEN) as server:
            await order(server, "ban", who=HERE, seconds=3600, why="spam", by="Zoe")
            await order(server, "mute", who=HERE, seconds=60)
        async with rig(store=store, operator_token=TOKEN) as server:
            found = await overview(server)
            assert {one["kind"] for one in found["measures"]} == {"ban", "mute"}
            assert [one["act"] for one in found["audit"]] == ["mute", "ban"]
            later(server, 3601)
            await heard(await house(server, NAME), '"joined"')
            assert (await overview(server))["measures"] == []
        async with rig(store=store, operator_token=TOKEN) as server:
            later(server, 3601)
            await server.house.moderation.load()
            assert await store.kept("moderation measures") == {}


def later(server: Rig, seconds: float) -> None:
    """Let the time by which measures end pass."""
    measures = server.house.identities.measures
    now = measures.now()
    measures.now = lambda: now + seconds


async def test_a_muted_person_may_not_chat_until_the_mute_ends() -> None:
    async with rig(operator_token=TOKEN) as server:
        socket = await house(server, NAME)
        await heard(socket, '"joined"')
        await order(server, "mute", who=NAME, seconds=600, why="rude")
        await socket.send_json({"type": "say", "text": "hello", "id": 1})
        assert '"key":"muted"' in await heard(socket, '"id":1')
        later(server, 601)
        await socket.send_json({"type": "say", "text": "hello", "id": 2})
        await heard(socket, '"accepted"')


async def test_chat_of_coinche_is_muted_and_limited_in_its_own_words() -> None:
    async with rig(operator_token=TOKEN) as server:
        sockets = [await DOORS["coinche"][0](server, name, "") for name in ("anna", "bobby")]
        for socket in sockets:
            await heard(socket, "108 ")
        for _ in range(CHAT_LINES):
            await sockets[0].send_str("MSG hello")
            await heard(sockets[0], "200 message sent.")
        await sockets[0].send_str("MSG hello")
        await heard(sockets[0], "407 too many commands.")
        await order(server, "mute", who="anna", seconds=600)
        await sockets[0].send_str("MSG hello")
        assert (await heard(sockets[0], "413 ")).startswith("413 you are muted until ")


async def test_floods_of_chat_are_refused_in_the_house_protocol() -> None:
    async with rig() as server:
        socket = await house(server, NAME)
        await heard(socket, '"joined"')
        for number in range(CHAT_LINES + 1):
            await socket.send_json({"type": "say", "text": "hello", "id": number})
        assert '"key":"chat_flood"' in await heard(socket, '"refused"')


async def test_only_the_operator_gives_orders() -> None:
    ban = {"act": "ban", "who": HERE, "seconds": 60}
    async with rig() as server:
        status, answer = await server.post("/api/operator/orders", ban)
        assert (status, answer["key"]) == (404, "no_operator")
    async with rig(operator_token=TOKEN) as server:
        for path in ("/api/operator/moderation", "/api/operator/audit"):
            assert (await server.get(path))[0] == 401
        assert (await server.post("/api/operator/orders", ban))[0] == 401
        assert (await overview(server))["measures"] == []
        assert await refused(server, "ban", who="Nobody here", seconds=60) == "no_such_player"
        assert await refused(server, "ban", who=HERE, seconds=0) == "bad_message"
        assert await refused(server, "lift", id="none") == "not_found"
        # The operator's own address is banned: orders are still accepted.
        await order(server, "ban", who=HERE, seconds=60)
        [entry] = (await server.get("/api/operator/audit?limit=1", **OPERATOR))[1]
        assert entry["act"] == "ban"


@pytest.mark.parametrize("protocol", DOORS)
async def test_a_guest_is_listed_and_banned_by_name_on_every_protocol(protocol: str) -> None:
    connect, welcome, words = DOORS[protocol]
    async with rig(operator_token=TOKEN) as server:
        socket = await connect(server, NAME, "")
        await heard(socket, welcome or "login")
        [listed] = (await overview(server))["people"]
        assert listed["name"].lower() == NAME.lower()
        await order(server, "ban", who=NAME, seconds=60)
        frames, code = await rest(socket)
        assert words.format(key="banned") in "".join(frames)
        assert code == EXPELLED


async def test_guests_are_muted_and_banned_by_their_address() -> None:
    async with rig(operator_token=TOKEN) as server:
        await heard(await rooms(server, "tarock", "Gus", ""), "user.login")
        socket = await house(server, NAME)
        await heard(socket, '"joined"')
        entry = await order(server, "ban", who=NAME, seconds=60)
        assert entry["whom"].startswith("guest Annabel, address ")
        assert HERE not in str(await overview(server))
