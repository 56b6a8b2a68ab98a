"""Taroky Notation over HTTP: checked, stored, continued at a table, exported; errors are reported."""

from __future__ import annotations

from typing import Any

import aiohttp
import pytest

from croupier.games.taroky.notation import game_fields
from croupier.games.taroky.reader import parse
from croupier.games.taroky.tests.positions import GAME_A, GAME_B, SEED_DEAL
from tests.net.rig import QUICK as HEARTS_QUICK
from tests.net.rig import TIMEOUT, Rig, eventually, rig

QUICK = {"card_pause": 0, "trick_pause": 0, "deal_pause": 0, "secret_pause": 0}
BOTS = ["bot default"] * 4


async def lines(server: Rig, match: str) -> list[str]:
    async with server.session.get(f"{server.http}/api/matches/{match}/notation") as response:
        assert response.content_type == "text/plain"
        return (await response.text()).splitlines()


async def frame(socket: aiohttp.ClientWebSocketResponse, kind: str) -> Any:
    """Return the next frame of this kind."""
    while True:
        found = await socket.receive_json(timeout=TIMEOUT)
        if found["type"] == kind:
            return found


async def test_a_finished_deal_is_summarised() -> None:
    async with rig() as server:
        status, found = await server.post("/api/notation/check", {"text": f"  {GAME_A}\n"})
        assert status == 200
        assert found["notation"] == GAME_A
        assert (found["finished"], found["phase"], found["turn"], found["saved_by"]) == (
            True,
            "finished",
            None,
            1,
        )
        assert found["payments"][-1] == {"name": "after the deal", "chips": [134, 70, 126, 70]}
        assert "X = 24: what each opponent pays each declarer" in found["reasons"]
        assert len(found["tricks"]) == 12
        assert found["tricks"][11] == {"cards": ["T01", "HQ", "D4", "CQ"], "winner": 1}


async def test_an_unfinished_deal_names_the_next_phase() -> None:
    async with rig() as server:
        text = GAME_A.partition("/H2HKH4T061/")[0] + "/H2HK/"
        found = (await server.post("/api/notation/check", {"text": text}))[1]
        assert (found["finished"], found["phase"], found["turn"]) == (False, "play", 4)
        assert found["open_trick"] == ["H2", "HK"]
        assert found["payments"][-1]["name"] == "so far"


@pytest.mark.parametrize("path", ["check", "record", "table"])
async def test_an_invalid_text_is_reported_with_the_position(path: str) -> None:
    wrong = GAME_A.replace("T204", "T203")
    async with rig() as server:
        status, found = await server.post(f"/api/notation/{path}", {"text": wrong})
        assert status == 400
        assert found["key"] == "invalid_notation"
        assert (found["slot"], found["reason"], found["field"]) == ("trick1", "wrong_winner", 17)
        assert wrong[found["offset"]] == "3"
        assert await server.tables.store.matches(None, None, 10, None) == []


@pytest.mark.parametrize("path", ["check", "record", "table"])
@pytest.mark.parametrize(
    ("body", "key"),
    [
        (b"", "bad_message"),
        (b"[]", "bad_message"),
        (b"\xff", "bad_message"),
        (b"[" * 60000, "bad_message"),
        ({}, "bad_message"),
        ({"text": 7}, "bad_message"),
        ({"text": ""}, "invalid_notation"),
        ({"text": "x" * 5000}, "invalid_notation"),
        ({"text": "\x00\ud7ff/;"}, "invalid_notation"),
    ],
)
async def test_wrong_bodies_are_answered(path: str, body: object, key: str) -> None:
    async with rig() as server:
        status, found = await server.post(f"/api/notation/{path}", body)
        assert (status, found["key"]) == (400, key)


async def test_a_foreign_page_cannot_post() -> None:
    async with rig() as server:
        headers = {"Content-Type": "text/plain"}
        status, found = await server.post("/api/notation/record", {"text": GAME_A}, **headers)
        assert (status, found["key"]) == (415, "bad_type")


async def test_a_finished_deal_is_stored_once_and_exported_unchanged() -> None:
    async with rig() as server:
        status, made = await server.post("/api/notation/record", {"text": GAME_B})
        assert (status, made["page"]) == (201, f"/replay/{made['id']}")
        assert (await server.post("/api/notation/record", {"text": GAME_B}))[1] == made
        found = (await server.get(f"/api/matches/{made['id']}"))[1]
        assert (found["result"], found["deals"]) == ([122, 26, 130, 122], 1)
        steps = (await server.get(f"/api/matches/{made['id']}/steps?deal=1"))[1]["steps"]
        [text] = await lines(server, made["id"])
        assert steps[-1]["views"][0]["notation"] == text
        assert game_fields(parse(text)) == game_fields(parse(GAME_B))


async def test_an_unfinished_deal_is_not_stored() -> None:
    async with rig() as server:
        status, found = await server.post("/api/notation/record", {"text": SEED_DEAL})
        assert (status, found["key"]) == (409, "not_finished")
        status, found = await server.post("/api/notation/table", {"text": GAME_A})
        assert (status, found["key"]) == (409, "finished")


@pytest.mark.parametrize(
    "more",
    [
        {"seats": ["person"]},
        {"seats": ["sofa"] * 4},
        {"hands": 0},
        {"table_options": {"timeout": "soon"}},
        {"text": SEED_DEAL.replace("100", "99999999999", 1)},
    ],
)
async def test_an_invalid_table_is_refused(more: dict[str, object]) -> None:
    async with rig() as server:
        status, found = await server.post("/api/notation/table", {"text": SEED_DEAL, **more})
        assert (status, found["key"]) == (400, "bad_options")


@pytest.mark.parametrize("cut", [9, 11, 13, 16, 18, 27])
async def test_bots_play_a_position_to_its_end(cut: int) -> None:
    fields = GAME_A.split("/")[:cut]
    async with rig() as server:
        wish = {"text": "/".join([*fields, ""]), "seats": BOTS, "table_options": QUICK}
        status, made = await server.post("/api/notation/table", wish)
        assert status == 201
        table = server.tables.shells[made["id"]].table
        await eventually(lambda: table.match == 1 and table.phase == "gathering")
        [text] = await lines(server, f"{made['id']}-1")
        assert text.split("/")[:cut] == fields
        result = (await server.get(f"/api/matches/{made['id']}-1"))[1]["result"]
        assert parse(text).result().chips == result


async def test_a_person_continues_the_saved_hand() -> None:
    text = GAME_A.partition("/H2HKH4T061/")[0] + "/H2HK/;pn=3"
    async with rig() as server:
        made = (await server.post("/api/notation/table", {"text": text, "table_options": QUICK}))[1]
        async with server.session.ws_connect(made["house"]) as socket:
            seats = (await frame(socket, "table"))["seats"]
            assert [seat["kind"] for seat in seats] == ["bot", "bot", "bot", "person"]
            await frame(socket, "view")
            await socket.send_json({"type": "join", "name": "ann", "token": "t", "seat": 3, "person": True})
            await frame(socket, "joined")
            view = (await frame(socket, "view"))["view"]
            assert view["trick"] == ["H2", "HK"]
            assert len(view["tricks"]) == 2
            assert len(view["hand"]) == 10
            asked = await frame(socket, "ask")
            assert asked["legal"] == ["card H4"]
            await socket.send_json({"type": "act", "turn": asked["turn"], "actions": ["card H4"]})
            assert (await frame(socket, "event"))["event"]["card"] == "H4"


async def test_only_finished_taroky_matches_have_notations() -> None:
    async with rig() as server:
        status, found = await server.get("/api/matches/nothing/notation")
        assert (status, found["key"]) == (404, "no_such_match")
        dummies = {"game": "hearts", "seats": ["bot dummy"] * 4, "table_options": HEARTS_QUICK}
        made = (await server.post("/api/tables", {**dummies, "options": {"deals": 1, "match_games": 1}}))[1]
        table = server.tables.shells[made["id"]].table
        await eventually(lambda: table.match == 1 and table.phase == "gathering")
        status, found = await server.get(f"/api/matches/{made['id']}-1/notation")
        assert (status, found["key"]) == (404, "no_notation")
