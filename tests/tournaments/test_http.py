"""Tournaments over HTTP and at real tables: entering, reserved seats, rounds, restarts, wrong requests."""

from __future__ import annotations

import asyncio
import contextlib
import csv
import io
import time
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from croupier.store import Store
from croupier.store.memory import MemoryStore
from croupier.tournaments.service import MOST_BY_ONE, Tournaments
from croupier.wire.bot_names import bot_name
from tests.net.rig import QUICK, Rig, database, rig

SHORT: dict[str, Any] = {
    "game": "hearts",
    "starts_in": 3600,
    "fill": "random",
    "patience": 5,
    "options": {"match_games": 1, "deals": 1},
    "table_options": QUICK,
}


@contextlib.asynccontextmanager
async def house(store: Store | None = None, ahead: float = 0.0) -> AsyncIterator[tuple[Rig, Tournaments]]:
    """Run a server whose clock for tournaments is *ahead* of the real one."""
    async with contextlib.AsyncExitStack() as stack:
        found = store if store is not None else await stack.enter_async_context(database())
        server = await stack.enter_async_context(rig(store=found, now=lambda: time.time() + ahead))
        assert server.house.tournaments is not None
        yield server, server.house.tournaments


async def announce(server: Rig, **change: Any) -> Any:
    status, made = await server.post("/api/tournaments", {"name": "Evening cup", **SHORT, **change})
    assert status == 201, made
    return made


async def enter(server: Rig, id: str, *names: str) -> None:
    for name in names:
        status, told = await server.post(
            f"/api/tournaments/{id}/entry", {"name": name, "token": f"of {name}"}
        )
        assert status == 200, told


async def until(tournaments: Tournaments, id: str, phase: str) -> None:
    seen = -1
    while tournaments.all[id].phase != phase:
        seen = await tournaments.changed(seen)


class Player:
    """Joins any table with a seat reserved for it and plays the first legal action."""

    def __init__(self, server: Rig, name: str, token: str) -> None:
        self.server = server
        self.name = name
        self.token = token
        self.tables: list[str] = []

    async def run(self, id: str) -> None:
        async with self.server.session.ws_connect(f"{self.server.ws}/api/tournaments/{id}/live") as live:
            async for message in live:
                told = message.json()
                if told["phase"] == "over":
                    return
                for board in told["tables"][-1] if told["tables"] else []:
                    if (
                        self.name in board["players"]
                        and not board["ended"]
                        and board["table"] not in self.tables
                    ):
                        self.tables.append(board["table"])
                        await self.play(id, board["table"])

    async def play(self, id: str, table: str) -> None:
        link = await self.enter(id, table)
        if link is None:
            return
        async with link:
            await link.send_json({"type": "join", "name": self.name, "token": self.token})
            async for message in link:
                if message.type != aiohttp.WSMsgType.TEXT:
                    break
                told = message.json()
                assert told["type"] != "refused", told
                if told["type"] == "ask":
                    await link.send_json({"type": "act", "turn": told["turn"], "actions": _answer(told)})

    async def enter(self, id: str, table: str) -> aiohttp.ClientWebSocketResponse | None:
        """Connect to *table*, announced before it is open; return None if it was played without us."""
        while True:
            try:
                return await self.server.connect(f"/house/{table}")
            except aiohttp.WSServerHandshakeError:
                boards = (await self.server.get(f"/api/tournaments/{id}"))[1]["tables"][-1]
                if any(board["table"] == table and board["ended"] for board in boards):
                    return None
                await asyncio.sleep(0.02)


def _answer(ask: Any) -> list[str]:
    legal: list[str] = ask["legal"]
    return legal[:3] if legal[0].startswith("pass") else legal[:1]


@pytest.mark.slow
async def test_people_enter_and_play_two_rounds_to_the_standings() -> None:
    store = MemoryStore()
    async with house(store) as (server, tournaments):
        made = await announce(server, rounds=2)
        assert made["phase"] == "open"
        assert made["page"] == f"/tournament/{made['id']}"
        names = ["ann", "bob", "cyd", "dan", "eve"]
        await enter(server, made["id"], *names)
        listed = (await server.get("/api/tournaments"))[1]
        assert [(one["id"], one["entrants"]) for one in listed] == [(made["id"], 5)]
        await tournaments.change(made["id"], lambda one: setattr(one, "starts", 0.0))
        players = [Player(server, name, f"of {name}") for name in names]
        await asyncio.gather(*(player.run(made["id"]) for player in players))
        told = (await server.get(f"/api/tournaments/{made['id']}"))[1]
        assert told["phase"] == "over"
        assert [len(boards) for boards in told["tables"]] == [2, 2]
        assert all(len(player.tables) == 2 for player in players)
        bots = [bot_name(number, "random") for number in range(3)]
        expected = dict.fromkeys([*names, *bots], 2)
        assert {line["name"]: line["matches"] for line in told["standings"]} == expected
        assert sorted(line["name"] for line in told["standings"] if line["bot"]) == sorted(bots)
        points = [line["points"] for line in told["standings"]]
        assert points == sorted(points, reverse=True)
        for boards in told["tables"]:
            for board in boards:
                match = (await server.get(f"/api/matches/{board['match']}"))[1]
                assert match["players"] == board["players"]
                assert match["result"] == board["scores"]
        scores = {line["name"]: line["score"] for line in told["standings"]}
        async with server.session.get(f"{server.http}/api/tournaments/{made['id']}/results.csv") as answer:
            rows = list(csv.DictReader(io.StringIO(await answer.text())))
        assert [row["player"] for row in rows] == [line["name"] for line in told["standings"]]
        for row in rows:
            assert int(row["score"]) == int(row["round 1"]) + int(row["round 2"]) == scores[row["player"]]
        assert "token" not in str(told)


async def test_a_bot_plays_for_an_absent_entrant() -> None:
    async with house() as (server, tournaments):
        made = await announce(server, rounds=1, format="knockout")
        await enter(server, made["id"], "ann", "bob")
        await tournaments.change(made["id"], lambda one: setattr(one, "patience", 0.05))
        await tournaments.change(made["id"], lambda one: setattr(one, "starts", 0.0))
        await Player(server, "ann", "of ann").run(made["id"])
        told = (await server.get(f"/api/tournaments/{made['id']}"))[1]
        assert told["phase"] == "over"
        assert told["tables"][0][0]["match"] is not None


async def test_a_restart_in_mid_round_loses_nothing() -> None:
    store = MemoryStore()
    async with house(store) as (server, tournaments):
        made = await announce(server, rounds=1)
        await enter(server, made["id"], "ann", "bob")
        await tournaments.change(made["id"], lambda one: setattr(one, "starts", 0.0))
        await until(tournaments, made["id"], "running")
    async with house(store) as (server, tournaments):
        assert tournaments.all[made["id"]].phase == "running"
        await asyncio.gather(*(Player(server, name, f"of {name}").run(made["id"]) for name in ("ann", "bob")))
        told = (await server.get(f"/api/tournaments/{made['id']}"))[1]
        assert told["tables"][0][0]["match"] is not None
        assert told["standings"][0]["matches"] == 1


async def test_a_match_of_several_games_is_played_to_its_end() -> None:
    async with house() as (server, tournaments):
        made = await announce(server, rounds=1, options={"match_games": 2, "deals": 1})
        await enter(server, made["id"], "ann", "Mira Zupan")
        await tournaments.change(made["id"], lambda one: setattr(one, "starts", 0.0))
        await asyncio.gather(
            *(Player(server, name, f"of {name}").run(made["id"]) for name in ("ann", "Mira Zupan"))
        )
        board = (await server.get(f"/api/tournaments/{made['id']}"))[1]["tables"][0][0]
        match = (await server.get(f"/api/matches/{board['match']}"))[1]
        assert match["deals"] == 2
        assert len(set(match["players"])) == 4, "no bot has the name of an entrant"


async def test_a_start_missed_while_the_server_was_down_happens_after_the_restart() -> None:
    store = MemoryStore()
    async with house(store) as (server, _):
        made = await announce(server)
        nobody = await announce(server)
        await enter(server, made["id"], "ann")
    async with house(store, ahead=7200.0) as (server, tournaments):
        await until(tournaments, made["id"], "running")
        await until(tournaments, nobody["id"], "called off")


async def test_an_account_enters_and_sits_by_its_session() -> None:
    async with house() as (server, tournaments):
        account = (await server.post("/api/account", {"name": "Anna", "password": "a long secret"}))[1]
        made = await announce(server, rounds=1)
        path = f"/api/tournaments/{made['id']}/entry"
        status, told = await server.post(path, {"name": "anna", "token": "another token"})
        assert (status, told["key"]) == (409, "name_taken")
        assert (await server.post(path, {"name": "Anna", "token": account["token"]}))[0] == 200
        again = (await server.post("/api/session", {"name": "Anna", "password": "a long secret"}))[1]
        await tournaments.change(made["id"], lambda one: setattr(one, "starts", 0.0))
        await Player(server, "Anna", again["token"]).run(made["id"])
        assert tournaments.all[made["id"]].phase == "over"
        told = (await server.get(f"/api/tournaments/{made['id']}"))[1]
        profiles = {line["name"]: line["profile"] for line in told["standings"]}
        assert {name for name, profile in profiles.items() if profile} == {"Anna"}
        assert sorted(filter(None, told["tables"][0][0]["profiles"])) == ["Anna"]


async def test_an_account_enters_only_once_under_any_name() -> None:
    async with house() as (server, _):
        secret = {"name": "Anna K.", "password": "a long secret"}
        tokens = [(await server.post("/api/account", secret))[1]["token"]]
        tokens.append((await server.post("/api/session", secret))[1]["token"])
        path = f"/api/tournaments/{(await announce(server))['id']}/entry"
        for token in tokens:
            for name in ("annak", "other", "Anna K."):
                status, told = await server.post(path, {"name": name, "token": token})
                assert (status, told["players"]) == (200, ["Anna K."])


async def test_a_guest_can_withdraw_after_an_account_took_the_name() -> None:
    async with house() as (server, _):
        made = await announce(server)
        await enter(server, made["id"], "wilma")
        await server.post("/api/account", {"name": "Wilma", "password": "a long secret"})
        address = f"{server.http}/api/tournaments/{made['id']}/entry"
        async with server.session.delete(address, json={"name": "wilma", "token": "of wilma"}) as response:
            assert (response.status, (await response.json())["players"]) == (200, [])


async def test_deleting_an_account_withdraws_its_open_entries() -> None:
    async with house() as (server, tournaments):
        secret = {"name": "Anna", "password": "a long secret"}
        token = (await server.post("/api/account", secret))[1]["token"]
        begun, due, other = [(await announce(server))["id"] for _ in range(3)]
        for id in (begun, due):
            await server.post(f"/api/tournaments/{id}/entry", {"name": "Anna", "token": token})
        for id in (due, other):
            await enter(server, id, "bob")
        await tournaments.change(begun, lambda one: setattr(one, "starts", 0.0))
        await until(tournaments, begun, "running")
        headers = {"Authorization": f"Bearer {token}"}
        body = {"password": secret["password"]}
        async with server.session.delete(
            f"{server.http}/api/account", json=body, headers=headers
        ) as response:
            assert response.status == 204
        names = {id: [one.name for one in tournaments.all[id].entrants] for id in (begun, due, other)}
        assert names == {begun: ["Anna"], due: ["bob"], other: ["bob"]}


async def test_entries_of_guests_with_the_same_account_are_merged_at_the_start() -> None:
    async with house() as (server, tournaments):
        made = await announce(server)
        path = f"/api/tournaments/{made['id']}/entry"
        guests = ["the token of one guest", "the token of another"]
        for name, token in zip(("one", "two"), guests, strict=True):
            assert (await server.post(path, {"name": name, "token": token}))[0] == 200
        secret = {"name": "Anna", "password": "a long secret"}
        await server.post("/api/account", {**secret, "guest": guests[0]})
        again = (await server.post("/api/session", {**secret, "guest": guests[1]}))[1]
        await tournaments.change(made["id"], lambda one: setattr(one, "starts", 0.0))
        await until(tournaments, made["id"], "running")
        assert [one.name for one in tournaments.all[made["id"]].entrants] == ["one"]
        status, told = await server.post(path, {"name": "Anna", "token": again["token"]})
        assert (status, told["key"]) == (409, "not_open")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"game": "chess"}, "chess"),
        ({"fill": "grandmaster"}, "grandmaster"),
        ({"format": "lottery"}, "round-robin, swiss, knockout"),
        ({"rounds": 99}, "99 rounds"),
        ({"starts_in": -1}, "starts_in -1"),
        ({"seats": 5}, "5 seats"),
        ({"seats": 2_000_000_000}, "2000000000 seats: expected 4"),
        ({"options": {"nonsense": 1}}, "nonsense"),
        ({"name": ""}, "name of 0 characters"),
    ],
)
async def test_an_invalid_tournament_is_refused(change: dict[str, Any], words: str) -> None:
    async with house() as (server, tournaments):
        status, told = await server.post("/api/tournaments", {"name": "Cup", **SHORT, **change})
        assert status == 400
        assert words in told["words"]
        assert not tournaments.all


async def test_wrong_entries_change_nothing() -> None:
    async with house() as (server, tournaments):
        made = await announce(server)
        await enter(server, made["id"], "ann")
        path = f"/api/tournaments/{made['id']}/entry"
        wrong: list[tuple[object, int, str]] = [
            ({"name": "", "token": "x"}, 400, "bad_name"),
            ({"name": "bob", "token": ""}, 400, "bad_token"),
            ({"name": "bob"}, 400, "bad_message"),
            ({"name": "ANN", "token": "x"}, 409, "name_taken"),
            ({"name": "A. nn", "token": "x"}, 409, "name_taken"),
            ({"name": "bob", "token": "of ann"}, 409, "already_entered"),
            (b"[" * 5000, 400, "bad_message"),
        ]
        for body, status, key in wrong:
            answer = await server.post(path, body)
            assert (answer[0], answer[1]["key"]) == (status, key)
        assert (await server.post("/api/tournaments/none/entry", {"name": "a", "token": "b"}))[0] == 404
        assert (await server.get("/api/tournaments/none"))[0] == 404
        assert [one.name for one in tournaments.all[made["id"]].entrants] == ["ann"]
        async with server.session.delete(
            server.http + path, json={"name": "ann", "token": "of ann"}
        ) as response:
            assert (await response.json())["players"] == []


async def cancel(server: Rig, id: str, token: str) -> tuple[int, Any]:
    async with server.session.delete(f"{server.http}/api/tournaments/{id}", json={"token": token}) as answer:
        return answer.status, await answer.json()


async def test_the_organiser_cancels_a_tournament() -> None:
    store = MemoryStore()
    async with house(store) as (server, tournaments):
        made = await announce(server, token="mine, only mine")
        await enter(server, made["id"], "ann")
        for token, status, key in [("of ann", 409, "not_yours"), ("", 400, "bad_token")]:
            answer = await cancel(server, made["id"], token)
            assert (answer[0], answer[1]["key"]) == (status, key)
        assert (await cancel(server, "none", "mine, only mine"))[0] == 404
        assert tournaments.all[made["id"]].phase == "open"
        status, told = await cancel(server, made["id"], "mine, only mine")
        assert (status, told["phase"], told["players"]) == (200, "called off", ["ann"])
        assert "mine" not in str(told)
        status, told = await cancel(server, made["id"], "mine, only mine")
        assert (status, told["key"]) == (409, "not_open")
    async with house(store, ahead=7200.0) as (server, tournaments):
        assert tournaments.all[made["id"]].phase == "called off"
        anonymous = await announce(server)
        assert (await cancel(server, anonymous["id"], "x"))[1]["key"] == "not_yours"


async def test_an_account_cancels_a_tournament_that_it_announced_as_a_guest() -> None:
    async with house() as (server, tournaments):
        guest = "a guest's secret of some length"
        made, other = await announce(server, token=guest), await announce(server, token=guest)
        wish = {"name": "Anna", "password": "correct horse", "guest": guest}
        _, account = await server.post("/api/account", wish)
        status, told = await cancel(server, made["id"], account["token"])
        assert (status, told["phase"]) == (200, "called off")
        headers = {"Authorization": f"Bearer {account['token']}"}
        path = f"{server.http}/api/account"
        async with server.session.delete(path, json={"password": "correct horse"}, headers=headers) as answer:
            assert answer.status == 204
        assert tournaments.all[other["id"]].owner == ""


async def test_the_name_of_a_guest_in_a_tournament_cannot_become_another_account() -> None:
    async with house() as (server, _):
        made = await announce(server)
        guest = "a guest's secret of some length"
        await server.post(f"/api/tournaments/{made['id']}/entry", {"name": "Anna K.", "token": guest})
        wish = {"name": "annak", "password": "correct horse"}
        status, told = await server.post("/api/account", wish)
        assert (status, told["key"]) == (409, "name_taken")
        assert (await server.post("/api/account", {**wish, "guest": "another secret of some length"}))[
            0
        ] == 409
        assert (await server.post("/api/account", {**wish, "guest": guest}))[0] == 201


async def test_the_number_of_tournaments_from_one_address_is_limited() -> None:
    async with house() as (server, _):
        first = await announce(server, token="mine")
        for _ in range(MOST_BY_ONE - 1):
            await announce(server)
        status, told = await server.post("/api/tournaments", {"name": "One more", **SHORT})
        assert (status, told["key"]) == (503, "full")
        assert "cancel one" in told["words"]
        await cancel(server, first["id"], "mine")
        await announce(server)
