"""The HTTP API: tables, matches, health, metrics, and the answers to wrong requests."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any, Literal

import aiohttp
import pytest

from croupier.core import record
from croupier.core.contract import WATCHER
from croupier.games import has_lobby, names
from croupier.games.hearts import GAME
from croupier.net.frames import close_frame
from croupier.store.api import StoreError
from croupier.wire.table_spec import TableSpec
from croupier.wire.talk import PLAYING, Disconnect
from tests.net.rig import QUICK, TIMEOUT, Frame, Rig, database, eventually, kept_rig, rig, skip

DASHBOARD = Path(__file__).parents[2] / "docs" / "ops" / "grafana.json"
BOTS = {"game": "hearts", "seats": ["bot dummy"] * 4, "table_options": QUICK, "options": {"match_games": 1}}


async def finished(server: Rig, id: str) -> str:
    """Wait until the first match of a table is over; return its id."""
    await eventually(lambda: server.tables.shells[id].table.phase == "gathering")
    await eventually(lambda: server.tables.shells[id].table.match == 1)
    return f"{id}-1"


async def test_games_and_their_options() -> None:
    async with rig() as server:
        status, games = await server.get("/api/games")
        assert status == 200
        [hearts] = [game for game in games if game["name"] == "hearts"]
        assert hearts["seats"] == [4]
        assert {"random", "dummy", "heuristic"} <= set(hearts["bots"])
        assert {"deals", "moon", "match_games"} <= {option["name"] for option in hearts["options"]}
        assert {"pick_card_timeout", "wire_profile"} <= {option["name"] for option in hearts["table_options"]}


async def test_the_material_of_a_game() -> None:
    async with rig() as server:
        games = (await server.get("/api/games"))[1]
        links = {game["name"]: game["material"] for game in games}
        assert links["hearts"] is None
        status, found = await server.get(links["sagrada"])
        assert status == 200
        assert [one["number"] for one in found["windows"]] == list(range(1, 25))
        assert found["windows"][0] == {"number": 1, "tokens": 4, "rows": ["YB..1", "G.5.4", "3.R.G", "2..BY"]}
        goals = {one["number"]: one["colour"] for one in found["private_goals"]}
        assert goals == {1: "red", 2: "yellow", 3: "green", 4: "blue", 5: "purple"}
        assert [one["points"] for one in found["public_goals"]] == [6, 5, 5, 4, 2, 2, 2, 5, 1, 4]
        assert len(found["tools"]) == 12
        hammer = found["tools"][6]
        assert (hammer["turn"], hammer["before_drafting"], hammer["solo_colour"]) == ("second", True, "blue")
        for game, key in [("hearts", "no_material"), ("chess", "no_such_game")]:
            status, refused = await server.get(f"/api/games/{game}/material")
            assert (status, refused["key"]) == (404, key)


@pytest.mark.parametrize(
    ("told", "trusted", "scheme"),
    [("https", "127.0.0.1/32", "wss"), ("http", "127.0.0.1/32", "ws"), ("https", "", "ws")],
)
async def test_addresses_behind_a_proxy_that_speaks_tls(told: str, trusted: str, scheme: str) -> None:
    async with rig(proxies=trusted) as server:
        wish = {"game": "hearts", "seats": ["open"] * 4}
        made = (await server.post("/api/tables", wish, **{"X-Forwarded-Proto": told}))[1]
        base = f"{scheme}://127.0.0.1:{server.port}"
        assert (made["house"], made["protocol"]) == (f"{base}/house/{made['id']}", f"{base}/t/{made['id']}")


async def test_a_table_from_opening_to_record() -> None:
    async with rig() as server:
        status, made = await server.post("/api/tables", {**BOTS, "seed": 7})
        assert status == 201
        assert made["page"] == f"/table/{made['id']}"
        assert made["house"] == f"{server.ws}/house/{made['id']}"
        assert made["protocol"] == f"{server.ws}/t/{made['id']}"
        listed = (await server.get("/api/tables"))[1]
        assert {"id", "game", "title", "phase", "seats", "watchers", "created", "page"} <= set(listed[0])
        assert made["id"] in {row["id"] for row in listed}
        match = await finished(server, made["id"])
        found = (await server.get(f"/api/matches/{match}"))[1]
        assert found["players"] == ["player1", "player2", "player3", "player4"]
        assert found["profiles"] == [None] * 4
        assert found["deals"] == 4
        assert [row["deal"] for row in found["commitments"]] == [1, 2, 3, 4]
        assert all(row["seed"] for row in found["commitments"])
        assert found["result"] is not None
        assert match in {row["id"] for row in (await server.get("/api/matches"))[1]}
        steps = (await server.get(f"/api/matches/{match}/steps?deal=4"))[1]
        assert (steps["deal"], steps["deals"]) == (4, 4)
        assert len(steps["steps"]) > 52
        async with server.session.get(f"{server.http}/api/matches/{match}/record") as response:
            assert response.content_type == "text/plain"
            written = record.read(await response.text())
        assert record.replay(written, GAME).scores() == found["result"]
        assert {finding.kind for finding in record.verify(written, GAME)} == {"given"}
        assert found["fixed_deal"] is True


async def test_players_can_see_where_a_player_could_know_the_cards() -> None:
    async with rig() as server:
        wish: Frame = {"game": "hearts", "seats": ["open"] * 4}
        cases: list[tuple[Frame, bool, bool, str | None]] = [
            ({}, False, False, None),
            ({"seed": "a secret"}, True, False, "fixed-deal"),
            ({"watch_open": True}, False, True, "watch-open"),
            ({"seed": 7, "watch_open": True}, True, True, "fixed-deal, watch-open"),
        ]
        for how, fixed, open_, notice in cases:
            id = (await server.post("/api/tables", {**wish, **how}))[1]["id"]
            [row] = [row for row in (await server.get("/api/tables"))[1] if row["id"] == id]
            assert (row["fixed_deal"], row["watch_open"]) == (fixed, open_)
            for path in (f"/house/{id}", f"/t/{id}", f"/t/{id}/watch"):
                async with server.session.ws_connect(server.ws + path) as socket:
                    assert socket._response.headers.get("Croupier-Notice") == notice


@pytest.mark.parametrize("game", [name for name in names() if has_lobby(name)])
async def test_a_protocol_that_begins_in_a_lobby_has_no_address_at_the_table(game: str) -> None:
    wish = {"game": game, "seats": ["open"] * 4}
    async with rig() as server:
        made = (await server.post("/api/tables", wish))[1]
        assert made["protocol"] == f"{server.ws}/{game}"
        for path in (f"/t/{made['id']}", f"/t/{made['id']}/watch"):
            headers = {"Upgrade": "websocket", "Connection": "Upgrade"}
            async with server.session.get(server.http + path, headers=headers) as response:
                assert response.status == 404
                found = await response.json()
            assert found["key"] == "no_such_wire"
            assert f"/{game}" in found["words"]
            assert f"/house/{made['id']}" in found["words"]
            async with server.session.get(server.http + path) as page:
                assert page.content_type in ("text/html", "text/plain"), "a page to watch the table"
    async with rig(mode="node") as server:
        assert set((await server.post("/api/tables", wish))[1]) == {"id", "page", "house"}


async def test_seats_can_be_reserved_for_tokens() -> None:
    async with rig() as server:
        wish = {"game": "hearts", "seats": ["open"] * 4, "seat_tokens": ["key", "", "", ""]}
        status, made = await server.post("/api/tables", wish)
        assert status == 201
        wrong, right, free = [await server.raw(f"/t/{made['id']}") for _ in range(3)]
        for client, number, token in [(wrong, 1, "guess"), (right, 1, "key"), (free, 2, "mine")]:
            data = {"playerName": f"{token} {number}", "playerNumber": number, "token": token}
            client.send({"eventName": "join", "data": data})
        assert (await wrong.next())["data"]["code"] == "bad_token"
        assert (await right.next())["eventName"] == "new_peer"
        assert (await free.next())["eventName"] == "new_peer"


@pytest.mark.parametrize(("mode", "answer"), [("node", "accepted"), ("serve", "refused")])
async def test_anyone_may_start_a_table_of_the_game_node(  # 7.3, 7.4
    mode: Literal["serve", "node"], answer: str
) -> None:
    async with rig(mode=mode) as server:
        wish = {"game": "hearts", "seats": ["open"] * 4, "start": False}
        made = (await server.post("/api/tables", wish))[1]
        program = await server.raw(f"/t/{made['id']}")
        program.send({"eventName": "join", "data": {"playerName": "ann"}})
        await program.next("new_peer")
        page = await server.raw(f"/house/{made['id']}")
        page.send({"type": "start", "id": 1})
        assert (await page.next("accepted", "refused"))["type"] == answer


async def test_the_list_of_tables_shows_a_match_as_late_as_its_watchers_see_it() -> None:
    async with rig() as server:
        made = [(await server.post("/api/tables", {**BOTS, "watch_delay": delay}))[1] for delay in (0, 600)]
        for one in made:
            await finished(server, one["id"])
        rows = {row["id"]: row for row in (await server.get("/api/tables"))[1]}
        assert [rows[one["id"]]["watch_delay"] for one in made] == [0, 600]
        late = server.tables.shells[made[1]["id"]].table.for_watchers
        assert (late.match, late.view(WATCHER).facts()["deals"]) == (0, [])
        prompt = server.tables.shells[made[0]["id"]].table.for_watchers
        assert (prompt.match, prompt.view(WATCHER).facts()["deals"] == []) == (1, False)


@pytest.mark.parametrize(
    ("body", "status", "key"),
    [
        (b"", 400, "bad_message"),
        (b"{", 400, "bad_message"),
        (b"[]", 400, "bad_message"),
        (b"\xff\xfe", 400, "bad_message"),
        (b"[" * 60000, 400, "bad_message"),
        (b'{"game": "hearts", "seats": ' + b"[" * 60000, 400, "bad_message"),
        (b"{}", 400, "bad_message"),
        ({"game": "hearts"}, 400, "bad_message"),
        ({"game": 7, "seats": []}, 400, "bad_message"),
        ({"game": "chess", "seats": ["open"] * 4}, 400, "bad_options"),
        ({"game": "hearts", "seats": ["open"] * 3}, 400, "bad_options"),
        ({"game": "hearts", "seats": ["sofa"] * 4}, 400, "bad_options"),
        ({"game": "hearts", "seats": ["bot genius"] * 4}, 400, "bad_options"),
        ({"game": "hearts", "seats": ["open"] * 4, "options": {"deals": 0}}, 400, "bad_options"),
        ({"game": "hearts", "seats": ["open"] * 4, "options": {"deals": 10**40}}, 400, "bad_options"),
        ({"game": "hearts", "seats": ["open"] * 4, "options": {"colour": "red"}}, 400, "bad_options"),
        ({"game": "hearts", "seats": ["open"] * 4, "options": {"moon": ["plus4"]}}, 400, "bad_options"),
        ({"game": "hearts", "seats": ["open"] * 4, "options": {"deals": None}}, 400, "bad_message"),
        (
            {"game": "hearts", "seats": ["open"] * 4, "table_options": {"pick_card_timeout": -1}},
            400,
            "bad_options",
        ),
        ({"game": "hearts", "seats": ["open"] * 4, "watch_delay": -1}, 400, "bad_options"),
        ({"game": "hearts", "seats": ["open"] * 4, "watch_delay": 1.5}, 400, "bad_message"),
        ({"game": "hearts", "seats": ["open"] * 4, "seat_tokens": ["key"]}, 400, "bad_options"),
        ({"game": "hearts", "seats": ["open"] * 4, "seat_tokens": [None] * 4}, 400, "bad_message"),
        ({"game": "hearts", "seats": ["open"] * 4, "unknown": 1}, 400, "bad_message"),
        ({"game": "hearts", "seats": ["open"] * 4, "start": "yes"}, 400, "bad_message"),
        (
            b'{"game": "hearts", "seats": ["open", "open", "open", "open"], "seed": "\\ud800"}',
            400,
            "bad_message",
        ),
        (b'{"game": "hearts", "seats": ["open"], "seed": ' + b"9" * 5000 + b"}", 400, "bad_message"),
        (b"x" * 70_000, 413, "too_large"),
    ],
)
async def test_a_wrong_request_for_a_table(body: object, status: int, key: str) -> None:
    async with rig() as server:
        found, words = await server.post("/api/tables", body)
        assert (found, words["key"]) == (status, key)
        assert words["words"]
        assert len(server.tables.shells) == 1


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
async def test_content_types_that_a_foreign_page_may_send_are_refused(kind: str) -> None:
    async with rig() as server:
        found, words = await server.post("/api/tables", BOTS, **{"Content-Type": kind})
        assert (found, words["key"]) == (415, "bad_type")


@pytest.mark.parametrize(
    ("path", "status", "key"),
    [
        ("/api/nothing", 404, "not_found"),
        ("/t/", 404, "not_found"),
        ("/house/nothing", 404, "not_found"),
        ("/house/default", 426, "upgrade"),
        ("/api/matches/nothing", 404, "no_such_match"),
        ("/api/matches/nothing/steps", 404, "no_such_match"),
        ("/api/matches/nothing/record", 404, "no_such_match"),
        ("/api/matches/%00", 404, "no_such_match"),
        ("/api/matches/%ff%fe", 404, "no_such_match"),
        ("/api/matches?limit=0", 400, "bad_limit"),
        ("/api/matches?limit=201", 400, "bad_limit"),
        ("/api/matches?limit=-1", 400, "bad_limit"),
        ("/api/matches?limit=many", 400, "bad_limit"),
        ("/api/matches?limit=%D9%A3", 400, "bad_limit"),
        ("/api/matches?limit=00002000000", 400, "bad_limit"),
        ("/api/matches?limit=000100" + "9" * 5000, 400, "bad_limit"),
    ],
)
async def test_wrong_addresses_and_questions(path: str, status: int, key: str) -> None:
    async with rig() as server:
        found, words = await server.get(path)
        assert (found, words["key"]) == (status, key)
        assert words["words"]


@pytest.mark.parametrize(("path", "type"), [("/nothing", "text/html"), ("/api/nothing", "application/json")])
async def test_an_unknown_address_shows_the_page_to_browsers(path: str, type: str) -> None:
    async with rig() as server:
        headers = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
        async with server.session.get(server.http + path, headers=headers) as answer:
            assert (answer.status, answer.content_type) == (404, type)
        async with server.session.get(server.http + path) as answer:
            assert (await answer.json())["key"] == "not_found"


@pytest.mark.parametrize(
    "query", ["game=chess", "before=nothing", "game=%00", "before=%ff", "game=%F0%9F%82%A1", "limit=020"]
)
async def test_questions_that_find_nothing(query: str) -> None:
    async with rig() as server:
        assert await server.get(f"/api/matches?{query}") == (200, [])


async def test_methods() -> None:
    async with rig() as server:
        for method, path in [
            ("POST", "/api/games"),
            ("DELETE", "/api/tables"),
            ("PUT", "/"),
            ("POST", "/healthz"),
        ]:
            async with server.session.request(method, server.http + path) as response:
                assert response.status == 405
                assert (await response.json())["key"] == "bad_method"


async def test_an_invalid_upgrade() -> None:
    async with rig() as server:
        for path in ("/", "/house/default", "/api/lobby"):
            headers = {"Upgrade": "websocket", "Connection": "Upgrade"}
            async with server.session.get(server.http + path, headers=headers) as response:
                assert response.status == 400
                assert (await response.json())["key"] == "bad_request"


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "::", "http://a:b:c"])
async def test_an_invalid_origin(origin: str) -> None:
    async with rig() as server:
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await server.connect("/house/default", Origin=origin)
        assert refused.value.status == 403


async def test_a_running_match_cannot_be_read() -> None:
    async with rig() as server:
        status, made = await server.post(
            "/api/tables", {**BOTS, "table_options": {**QUICK, "command_interval": 60_000}}
        )
        assert status == 201
        shell = server.tables.shells[made["id"]]
        await eventually(lambda: shell.table.match == 1)
        for path in ("", "/steps", "/record"):
            found, words = await server.get(f"/api/matches/{made['id']}-1{path}")
            assert (found, words["key"]) == (409, "not_finished")
        assert (await server.get("/api/matches"))[1] == []


async def test_steps_of_an_unknown_deal() -> None:
    async with rig() as server:
        made = (await server.post("/api/tables", {**BOTS, "options": {"match_games": 1, "deals": 1}}))[1]
        match = await finished(server, made["id"])
        for deal in ("x", "-1", "1.5", ""):
            assert (await server.get(f"/api/matches/{match}/steps?deal={deal}"))[0] == 400
        for deal in ("0", "2", "9" * 5000):
            status, found = await server.get(f"/api/matches/{match}/steps?deal={deal}")
            assert (status, found["steps"]) == (200, [])


async def test_matches_are_paged() -> None:
    async with rig() as server:
        ids = [
            (await server.post("/api/tables", {**BOTS, "options": {"match_games": 1, "deals": 1}}))[1]["id"]
            for _ in range(5)
        ]
        for id in ids:
            await finished(server, id)
        whole = [row["id"] for row in (await server.get("/api/matches?limit=200&game=hearts"))[1]]
        assert sorted(whole) == sorted(f"{id}-1" for id in ids)
        paged: list[str] = []
        before = ""
        while rows := (await server.get(f"/api/matches?limit=2{before}"))[1]:
            paged += [row["id"] for row in rows]
            before = f"&before={paged[-1]}"
        assert paged == whole


async def test_the_lobby_over_a_socket() -> None:
    async with rig() as server, server.session.ws_connect(server.ws + "/api/lobby") as lobby:

        async def told() -> tuple[set[str], set[str]]:
            """Return the ids of the tables in the next frame, and of those that have closed."""
            frame = await lobby.receive_json(timeout=TIMEOUT)
            rows.update({row["id"]: row for row in frame["tables"]})
            return {row["id"] for row in frame["tables"]}, set(frame.get("closed", ()))

        rows: dict[str, Any] = {}
        assert await told() == ({"default"}, set())
        made = (await server.post("/api/tables", {"game": "hearts", "seats": ["open"] * 4}))[1]
        assert await told() == ({made["id"]}, set())
        client = await server.raw(f"/house/{made['id']}")
        client.send({"type": "join", "name": "ann"})
        while rows[made["id"]]["seats"][0]["name"] != "ann":
            assert await told() == ({made["id"]}, set())
        await lobby.send_str("the server ignores this")
        await server.tables.close_table(made["id"], "enough")
        while made["id"] not in (await told())[1]:
            pass


async def test_the_list_of_tables_has_pages() -> None:
    async with rig() as server:
        for _ in range(4):
            await server.tables.open(GAME, TableSpec(["open"] * 4))
        _, whole = await server.get("/api/tables")
        assert [row["id"] for row in whole] == list(server.tables.shells)[::-1]
        _, two = await server.get("/api/tables?limit=2")
        _, rest = await server.get(f"/api/tables?before={two[-1]['number']}")
        assert [*two, *rest] == whole
        assert (await server.get("/api/tables?before=x"))[1]["key"] == "bad_before"


async def test_health_and_metrics() -> None:
    async with rig() as server:
        assert await server.get("/healthz") == (200, {"ok": True, "tables": 1, "broken": 0})
        client = await server.raw("/house/default")
        client.send({"type": "join", "name": "a secret name", "token": "a secret token"})
        await client.next("joined")
        made = (await server.post("/api/tables", {**BOTS, "options": {"match_games": 1, "deals": 1}}))[1]
        await finished(server, made["id"])
        async with server.session.get(server.http + "/metrics") as response:
            text = await response.text()
            assert response.content_type == "text/plain"
        values = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
        assert values['croupier_tables{game="hearts",phase="gathering"}'] == "2.0"
        assert values["croupier_connections"] == "1.0"
        assert float(values["croupier_actions_total"]) >= 52
        assert float(values["croupier_store_commits"]) > 0
        assert values["croupier_store_failures"] == "0.0"
        assert 'croupier_move_to_told_seconds_bucket{le="0.001"}' in values
        assert values["croupier_move_to_told_seconds_count"] == "0.0", "only bots have played"
        assert "croupier_loop_delay_seconds_sum" in values
        assert "nobody" not in text
        assert "a secret token" not in text


async def test_a_private_table_needs_its_invitation_and_is_in_no_list() -> None:
    quick = {"command_interval": 0, "round_interval": 0, "deal_interval": 0, "game_interval": 0}
    spec = TableSpec(
        ["bot dummy"] * 4, {"deals": 1, "match_games": 1}, quick, private=True, invitation="p123", start=False
    )
    async with rig() as server:
        id = (await server.tables.open(GAME, spec)).table.id
        for path in (f"/house/{id}", f"/t/{id}", f"/t/{id}/watch"):
            for query in ("", "?invitation=", "?invitation=p12", "?invitation=r1"):
                with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                    await server.session.ws_connect(server.ws + path + query)
                assert refused.value.status == 404
        client = await server.raw(f"/house/{id}?invitation=p123")
        assert (await client.next("table"))["id"] == id
        assert id not in {row["id"] for row in (await server.get("/api/tables"))[1]}
        client.send({"type": "start"})
        match = await finished(server, id)
        assert match not in {row["id"] for row in (await server.get("/api/matches"))[1]}
        assert (await server.get(f"/api/matches/{match}"))[0] == 200, "for those who know it"


async def test_the_deals_of_a_table_can_be_read_but_no_seed_before_the_end() -> None:
    async with rig() as server:
        seats = ["open", "bot dummy", "bot dummy", "bot dummy"]
        made = (await server.post("/api/tables", {**BOTS, "seats": seats}))[1]["id"]
        path = f"/api/tables/{made}/deals"
        before = (await server.get(path))[1]
        assert (before["match"], before["deals"], before["fixed_deal"]) == (None, [], False)
        client = await server.raw(f"/house/{made}")
        client.send({"type": "join", "name": "ann", "nonce": "mine", "digest": before["next_deal"]})
        await client.next("ask")
        during = (await server.get(path))[1]
        assert during["match"] == f"{made}-1"
        digest = before["next_deal"]
        assert during["deals"] == [
            {"deal": 1, "digest": digest, "nonces": ["mine", "", "", ""], "seed": None}
        ]
        assert during["next_deal"] not in (None, digest)
        assert (await server.get("/api/tables/nothing/deals"))[0] == 404
        later = {**BOTS, "seats": seats, "watch_delay": 60}
        made = (await server.post("/api/tables", later))[1]["id"]
        client = await server.raw(f"/house/{made}")
        client.send({"type": "join", "name": "ann"})
        await client.next("ask")
        hidden = (await server.get(f"/api/tables/{made}/deals"))[1]
        assert (hidden["match"], hidden["deals"]) == (None, []), "watchers see the match later"


async def test_the_dashboard_shows_figures_that_exist() -> None:
    dashboard = json.loads(DASHBOARD.read_text())
    asked = " ".join(target["expr"] for panel in dashboard["panels"] for target in panel["targets"])
    async with kept_rig() as server, server.session.get(server.http + "/metrics") as response:
        text = await response.text()
    shown = set(re.findall(r"^(\w+)", text, re.MULTILINE))
    assert (names := set(re.findall(r"croupier_\w+", asked)))
    assert names - shown == set()


async def test_the_metrics_are_for_the_operator() -> None:
    async with rig() as server:

        async def asked(**headers: str) -> int:
            async with server.session.get(server.http + "/metrics", headers=headers) as response:
                return response.status

        assert await asked() == 200, "without an operator's token, from this machine"
        for header in ("X-Forwarded-For", "Forwarded"):
            assert await asked(**{header: "203.0.113.7"}) == 404, "from elsewhere, through a proxy"
        server.house.plan.operator_token = "a-token-that-is-long-enough"
        assert await asked() == 401
        assert await asked(Authorization="Bearer another") == 401
        assert await asked(Authorization="Bearer a-token-that-is-long-enough") == 200


async def test_health_while_a_table_is_broken(caplog: pytest.LogCaptureFixture) -> None:
    async with rig() as server:
        client = await server.raw("/house/default")
        await client.answered()
        pace = server.default.table.pace
        pace.filling = lambda: 1 // 0  # type: ignore[method-assign]  # simulates a bug
        client.send({"type": "start"})
        assert await client.closed() == 1011
        assert await server.get("/healthz") == (503, {"ok": False, "tables": 0, "broken": 1})
        # A new connection waits until the table has been rebuilt, a second later.
        skip(1.0)
        back = await server.raw("/house/default")
        assert (await back.next("table"))["id"] == "default"
        assert (await server.get("/healthz"))[0] == 200
    assert "rebuilding it from its journal" in caplog.text


async def test_the_pages_and_the_answer_without_them() -> None:
    async with rig() as server:
        for path in ("/", "/table/default", "/t/default/", "/watch", "/replay/x-1"):
            async with server.session.get(server.http + path) as response:
                assert response.status in (200, 503)
                assert response.content_type in ("text/html", "text/plain")
        about = (await server.get("/api/house"))[1]
        assert about["mode"] == "serve"
        assert about["default_table"] == "default"


async def test_rules_that_are_compiled_for_the_next_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CROUPIER_COMPILING", raising=False)
    async with rig() as server:
        assert (await server.get("/api/house"))[1]["compiling"] is False
        monkeypatch.setenv("CROUPIER_COMPILING", "1")
        assert (await server.get("/api/house"))[1]["compiling"] is True


def test_a_reason_to_close_is_cut_between_letters() -> None:
    frame = close_frame(Disconnect(1000, "ä" * 100))
    assert frame == bytes([0x88, 2 + 122]) + (1000).to_bytes(2, "big") + ("ä" * 61).encode()


async def test_all_errors_are_json(monkeypatch: pytest.MonkeyPatch) -> None:
    wish = b'{"game": "hearts", "seats": ["open", "open", "open", "open"]}'
    async with rig() as server:
        url = f"{server.http}/api/tables"
        kind = {"Content-Type": "application/json"}
        before = len(server.tables.shells)
        headers = {**kind, "Content-Encoding": "gzip"}
        async with server.session.post(url, data=b"no gzip", headers=headers) as response:
            assert (response.status, (await response.json())["key"]) == (415, "bad_type")
        async with server.session.post(url, data=wish, headers={**kind, "Host": "a\u00ffb"}) as response:
            assert (response.status, (await response.json())["key"]) == (421, "bad_host")
        assert len(server.tables.shells) == before

        async def full(*_: object) -> None:
            raise StoreError("the disk is full")

        monkeypatch.setattr(server.tables.store, "open_table", full)
        async with server.session.post(url, data=wish, headers=kind) as response:
            assert (response.status, (await response.json())["key"]) == (503, "cannot_store")
        assert len(server.tables.shells) == before


async def test_a_full_server_opens_no_more_tables() -> None:
    async with rig() as server:
        server.tables.most_tables = 2
        answers = [await server.post("/api/tables", BOTS) for _ in range(3)]
        assert answers[-1][0] == 503
        assert answers[-1][1]["key"] == "full"


async def test_an_address_may_have_a_limited_number_of_open_tables() -> None:
    async with rig(most_per_address=2, proxies="127.0.0.1/32") as server:
        here, there = ({"X-Forwarded-For": f"192.0.2.{number}"} for number in (1, 2))
        answers = [await server.post("/api/tables", BOTS, **here) for _ in range(3)]
        assert [status for status, _ in answers] == [201, 201, 429]
        assert answers[-1][1]["key"] == "too_many"
        assert (await server.post("/api/tables", BOTS, **there))[0] == 201
        await server.tables.close_table(answers[0][1]["id"], "enough")
        assert (await server.post("/api/tables", BOTS, **here))[0] == 201


async def test_tables_that_are_opened_at_the_same_time_count_too() -> None:
    async with rig(most_per_address=2) as server:
        answers = await asyncio.gather(*(server.post("/api/tables", BOTS) for _ in range(6)))
        assert sorted(status for status, _ in answers) == [201, 201, 429, 429, 429, 429]


async def test_an_account_may_have_a_limited_number_of_open_tables_from_all_its_addresses() -> None:
    async with kept_rig(most_per_address=2, proxies="127.0.0.1/32") as server:
        _, made = await server.post("/api/account", {"name": "Anna", "password": "correct horse"})
        statuses = []
        for number in range(3):
            headers = {"X-Forwarded-For": f"192.0.2.{number}", "Authorization": f"Bearer {made['token']}"}
            statuses.append((await server.post("/api/tables", BOTS, **headers))[0])
        assert statuses == [201, 201, 429]


async def test_the_limit_counts_tables_after_a_restart() -> None:
    async with database() as store:
        async with rig(store=store, most_per_address=1) as server:
            assert (await server.post("/api/tables", {"game": "hearts", "seats": ["open"] * 4}))[0] == 201
        async with rig(store=store, most_per_address=1) as server:
            await eventually(lambda: len(server.tables.shells) == 2)
            assert (await server.post("/api/tables", BOTS))[0] == 429


async def test_a_player_without_a_token_returns_after_a_restart_from_the_same_address() -> None:
    async def sit(server: Rig, number: int) -> Frame:
        """Join from the address with this number; return the answer."""
        client = await server.raw("/house/default", 0, **{"X-Forwarded-For": f"192.0.2.{number}"})
        client.send({"type": "join", "name": "ann"})
        return await client.next("joined", "refused")

    spec = TableSpec(["open", *["bot dummy"] * 3], table_options={**QUICK, "pass_cards_timeout": 0})
    async with database() as store:
        async with rig(spec, store, proxies="127.0.0.1/32") as server:
            assert (await sit(server, 1))["back"] is False
            await eventually(lambda: server.default.table.phase == PLAYING)
        async with rig(spec, store, proxies="127.0.0.1/32") as server:
            assert (await sit(server, 2))["key"] == "name_taken"
            assert (await sit(server, 1))["back"] is True


async def test_a_private_table_is_in_no_list() -> None:
    async with rig() as server:
        shell = await server.tables.open(GAME, TableSpec(["open"] * 4, private=True))
        _, listed = await server.get("/api/tables")
        assert shell.table.id not in [row["id"] for row in listed]
        assert len(listed) == 1


async def test_missing_files_are_not_cached() -> None:
    async with rig() as server, server.session.get(f"{server.http}/assets/nothing.js") as response:
        assert response.status == 404
        assert "immutable" not in response.headers.get("Cache-Control", "")
