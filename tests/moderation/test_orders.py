"""Orders of the operator: closing, removing, renaming, announcing; reports of players; the audit log."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path

import pytest

from croupier.moderation.service import REPORTS_BY_ONE
from croupier.store import Store, open_store
from croupier.store.memory import MemoryStore
from croupier.wire.talk import EXPELLED
from tests.cli.command import run
from tests.moderation.doors import (
    DOORS,
    OPERATOR,
    TOKEN,
    Socket,
    coinche,
    heard,
    house,
    order,
    overview,
    refused,
    register,
    rest,
    rooms,
    tarock,
    taroky,
    trend,
    workshop,
)
from tests.net.rig import Rig, eventually, kept_rig, rig

SOON = {"sagrada": {"players_min": 2, "players_max": 2}}


async def seated(server: Rig, protocol: str, name: str) -> Socket:
    """Return a connection of a guest who has a seat."""
    if protocol in ("tarock", "taroky"):
        socket = await rooms(server, protocol, name, "")
        await socket.send_json({"command": "lobby.room.create", "name": "Room"})
        await heard(socket, "lobby.room.create")
        await socket.send_json({"command": "lobby.game.start"})
        await heard(socket, ".deal")
        return socket
    connect, welcome, _ = DOORS[protocol]
    socket = await connect(server, name, "")
    await heard(socket, welcome)
    if protocol == "workshop":
        await workshop(server, "Berthold", "")
        await heard(socket, "game")
    return socket


@pytest.mark.parametrize("protocol", DOORS)
async def test_a_person_is_removed_from_their_seat(protocol: str) -> None:
    words = DOORS[protocol][2]
    async with rig(operator_token=TOKEN, options=SOON) as server:
        socket = await seated(server, protocol, "Annabel")
        entry = await order(server, "remove", name="annabel", why="rude", by="Zoe")
        frames, code = await rest(socket)
        assert words.format(key="removed") in frames[-1]
        assert code == EXPELLED
        assert not any(
            one["name"] == "Annabel" and one["table"] for one in (await overview(server))["people"]
        )
        assert (entry["by"], entry["act"], entry["why"]) == ("Zoe", "remove", "rude")
        assert entry["whom"].startswith("annabel at ")
        # A removal is no ban.
        connect, welcome, _ = DOORS[protocol]
        await heard(await connect(server, "Dorothea", ""), welcome)


async def test_a_person_who_was_removed_from_a_room_may_open_another_one() -> None:
    async with rig(operator_token=TOKEN) as server:
        socket = await rooms(server, "tarock", "Annabel", "")
        token = json.loads(await heard(socket, "user.login"))["token"]
        await socket.send_json({"command": "lobby.room.create", "name": "Room"})
        await heard(socket, "lobby.room.create")
        await socket.send_json({"command": "lobby.game.start"})
        await heard(socket, ".deal")
        await order(server, "remove", name="Annabel")
        await rest(socket)
        socket = await rooms(server, "tarock", "", token)
        assert '"room":null' in await heard(socket, "user.login")
        await socket.send_json({"command": "lobby.room.create", "name": "Room"})
        await heard(socket, '"response":"lobby.room.create"')


async def test_a_person_is_removed_from_one_table_only() -> None:
    async with rig(operator_token=TOKEN) as server:
        sockets = [await house(server, "Annabel") for _ in range(2)]
        for socket in sockets:
            await heard(socket, '"joined"')
        first, second = [one["table"] for one in (await overview(server))["people"]]
        await order(server, "remove", name="Annabel", table=first)
        assert [one["table"] for one in (await overview(server))["people"]] == [second]
        assert await refused(server, "remove", name="Annabel", table=first) == "not_seated"
        assert await refused(server, "remove", name="Annabel", table="nowhere") == "not_found"


async def test_a_table_is_closed() -> None:
    async with rig(operator_token=TOKEN) as server:
        socket = await house(server, "Annabel")
        await heard(socket, '"joined"')
        [person] = (await overview(server))["people"]
        await order(server, "close", table=person["table"], why="spam")
        assert "the operator has closed this table: spam" in await heard(socket, '"closed"')
        assert person["table"] not in server.tables.shells
        assert await refused(server, "close", table=person["table"]) == "not_found"
        assert await refused(server, "close", table="default") == "conflict"


async def test_a_guest_is_renamed_at_their_table() -> None:
    async with rig(operator_token=TOKEN) as server:
        socket = await trend(server, "Rude Name")
        await heard(socket, "new_peer")
        await heard(await trend(server, "Berthold"), "new_peer")
        assert await refused(server, "rename", name="Rude Name", new="BerthoId") == "name_taken"
        assert await refused(server, "rename", name="Nobody", new="Clara") == "no_such_player"
        entry = await order(server, "rename", name="Rude Name", new="Annabel")
        assert (entry["whom"], entry["new"]) == ("Rude Name", "Annabel")
        await heard(socket, "Annabel")


@pytest.mark.slow
@pytest.mark.parametrize("protocol", DOORS)
async def test_an_account_is_renamed_on_every_protocol(protocol: str) -> None:
    connect, welcome, _ = DOORS[protocol]
    async with kept_rig(operator_token=TOKEN) as server:
        token = await register(server, "Rudename")
        await register(server, "Berthold")
        await heard(await connect(server, "Rudename", token), welcome)
        assert await refused(server, "rename", name="Rudename", new="BerthoId") == "name_taken"
        await order(server, "rename", name="Rudename", new="Annabel")
        status, account = await server.get("/api/account", Authorization=f"Bearer {token}")
        assert (status, account["name"]) == (200, "Annabel")
        await heard(await connect(server, "Annabel", token), welcome)
        _, found = await server.get("/api/players/Annabel")
        assert found["name"] == "Annabel"
        assert (await server.get("/api/players/Rudename"))[0] == 404


async def test_a_restart_is_announced_on_every_protocol() -> None:
    async with rig(operator_token=TOKEN) as server:
        lobby = await server.connect("/api/lobby")
        there = [await door(server, f"Guest{number}", "") for number, (door, *_) in enumerate(DOORS.values())]
        for socket, (_, welcome, _) in zip(there, DOORS.values(), strict=True):
            await heard(socket, welcome)
        [glass] = [socket for socket, name in zip(there, DOORS, strict=True) if name == "workshop"]
        await glass.send_str("events\ton")
        await heard(glass, "ok")
        entry = await order(server, "announce", seconds=600, text="new cards")
        assert (entry["whom"], entry["new"]) == ("everyone", "new cards")
        for socket in [*there, lobby]:
            assert re.search(r"600|59\d", await heard(socket, "new cards"))
        late = await house(server, "Berthold")
        assert re.search(r'"seconds":(600|5\d\d)(\.\d)?,"text":"new cards"', await heard(late, "notice"))
        glass_later = await workshop(server, "Later")
        await glass_later.send_str("events\ton")
        assert re.fullmatch(r"restart\t(600|5\d\d)\tnew cards", await heard(glass_later, "restart"))
        assert 500 < (await overview(server))["restart"] <= 600
        await order(server, "withdraw")
        for socket in [*there, lobby]:
            frame = await heard(socket, "")
            while not frame.startswith(("110 RESTART -", "restart\t-")) and '"seconds":null' not in frame:
                frame = await heard(socket, "")
        assert (await overview(server))["restart"] is None


@pytest.mark.parametrize("path", ["/tarock", "/taroky"])
async def test_a_restart_is_announced_in_the_names_of_rooms_to_clients_of_the_older_dialect(
    path: str,
) -> None:
    async with rig(operator_token=TOKEN) as server:
        await server.post("/api/tables", {"game": path[1:], "seats": ["open"] * 4})
        socket = await server.connect(path)
        await socket.send_json({"command": "user.login", "nickname": "Ana", "profile": "seed"})
        await heard(socket, "user.login")

        async def name() -> str:
            await socket.send_json({"command": "lobby.room.list"})
            frame = await socket.receive_json()
            assert frame["response"] == "lobby.room.list", "nothing that this dialect lacks is sent"
            return str(frame["rooms"][0]["name"])

        usual = await name()
        await order(server, "announce", seconds=590, text="new cards")
        assert await name() == f"{usual} (the server restarts in 10 min)"
        await order(server, "withdraw")
        assert await name() == usual


async def said(socket: Socket, text: str) -> None:
    await socket.send_json({"type": "say", "text": text})
    await heard(socket, text)


async def two(server: Rig) -> tuple[Socket, Socket]:
    """Return two guests at one table."""
    first = await house(server, "Annabel")
    await heard(first, '"joined"')
    [person] = (await overview(server))["people"]
    second = await server.connect(f"/house/{person['table']}")
    await second.send_json({"type": "join", "name": "Berthold"})
    await heard(second, '"joined"')
    return first, second


async def test_a_report_reaches_the_operator_with_the_chat_around_it() -> None:
    async with rig(operator_token=TOKEN) as server:
        first, second = await two(server)
        await said(first, "hello")
        await said(second, "something rude")
        await first.send_json({"type": "report", "seat": 1, "text": "very rude", "id": 7})
        await heard(first, '"accepted","id":7')
        [report] = (await overview(server))["reports"]
        assert (report["by"], report["whom"], report["text"]) == ("Annabel", "Berthold", "very rude")
        assert [(line["name"], line["text"]) for line in report["lines"]] == [
            ("Annabel", "hello"),
            ("Berthold", "something rude"),
        ]
        await order(server, "dismiss", report=report["id"])
        assert (await overview(server))["reports"] == []
        assert await refused(server, "dismiss", report=report["id"]) == "not_found"


async def test_reports_are_limited_and_are_about_other_players() -> None:
    async with rig(operator_token=TOKEN) as server:
        first, second = await two(server)
        for seat in (0, 2, 9, -1):
            await first.send_json({"type": "report", "seat": seat, "id": 1})
            assert '"not_seated"' in await heard(first, '"refused"')
        for _ in range(REPORTS_BY_ONE):
            await first.send_json({"type": "report", "seat": 1, "id": 2})
            await heard(first, '"accepted","id":2')
        for socket, seat in ((first, 1), (second, 0)):  # both come from one address
            await socket.send_json({"type": "report", "seat": seat, "id": 3})
            assert "too many reports: try again in 2 minutes" in await heard(socket, '"too_many"')
        watcher = await server.connect("/house/default")
        await watcher.send_json({"type": "report", "seat": 1, "id": 4})
        assert '"not_joined"' in await heard(watcher, '"refused"')


async def test_the_audit_log_outlives_a_server_in_memory() -> None:
    await audited(MemoryStore())


async def test_the_audit_log_is_durable(database: str) -> None:
    await audited(await open_store(database))


async def audited(store: Store) -> None:
    """Check that the audit log in *store* is read by the next server."""
    try:
        async with rig(store=store, operator_token=TOKEN) as server:
            await order(server, "announce", seconds=60, by="Zoe", why="new version")
            await order(server, "withdraw", by="Yves")
        async with rig(store=store, operator_token=TOKEN) as server:
            last, first = (await overview(server))["audit"]
            assert (first["by"], first["act"], first["why"]) == ("Zoe", "announce", "new version")
            assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", first["until"])
            assert (last["by"], last["act"], last["until"]) == ("Yves", "withdraw", None)
            assert (await server.get("/api/operator/audit?limit=1", **OPERATOR))[1] == [last]
    finally:
        await store.close()


async def test_the_commands(tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text(TOKEN)
    async with rig(operator_token=TOKEN) as server:
        first, second = await two(server)
        await first.send_json({"type": "report", "seat": 1, "text": "rude"})
        await heard(first, '"accepted"')
        common: list[str | Path] = ["moderate", "--server", server.http, "--operator-token-file", token]
        common += ["--by", "Zoe"]

        async def moderate(*words: str) -> str:
            done = await asyncio.to_thread(run, *common, *words)
            assert done.returncode == 0, done.stderr
            return done.stdout

        listed = await moderate("list")
        assert re.search(r"person  Annabel  guest  hearts table \w+ seat 0\n", listed)
        report = re.search(r"report  (\S+)  Annabel about Berthold", listed)
        assert report is not None
        assert "dismiss  report about Berthold" in await moderate("dismiss", report[1])
        table = (await overview(server))["people"][0]["table"]
        assert "rename  Berthold  to Bertram" in await moderate("rename", "Berthold", "Bertram")
        assert "because rude" in await moderate("mute", "Bertram", "--for", "10m", "--why", "rude")
        assert "announce  everyone  with the text soon  until" in await moderate(
            "announce", "--in", "1h", "--text", "soon"
        )
        await moderate("withdraw")
        await moderate("remove", "Bertram", "--table", table)
        await moderate("close", table)
        assert "  ban  address " in await moderate("ban", "192.0.2.7", "--for", "2d")
        found = re.search(r"ban  (\w+)  address", await moderate("list"))
        assert found is not None
        await moderate("lift", found[1])
        audit = (await moderate("audit")).splitlines()
        acts = ["lift", "ban", "close", "remove", "withdraw", "announce", "mute", "rename", "dismiss"]
        assert [line.split("  ")[1:3] for line in audit] == [["Zoe", act] for act in acts]
        assert len((await moderate("audit", "--limit", "2", "--json")).splitlines()) == 2
        wrong = await asyncio.to_thread(run, *common, "lift", "none")
        assert (wrong.returncode, wrong.stderr) == (
            1,
            "croupier: none: there is no ban or mute with this id\n",
        )
        wrong = await asyncio.to_thread(run, *common, "mute", "Ann", "--for", "soon")
        assert "expected a time such as 90s" in wrong.stderr
        await first.close()
        await second.close()


async def test_the_commands_say_what_is_wrong_with_the_server_or_the_token(tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("another token, which is wrong")
    async with rig(operator_token=TOKEN) as server:
        for url, file, words in (
            (server.http, token, "expected the operator's token"),
            ("http://127.0.0.1:1", token, "http://127.0.0.1:1: no answer: "),
            ("file:///etc/passwd", token, "expected http:// or https://"),
            (server.http, tmp_path / "none", "No such file"),
        ):
            command: list[str | Path] = ["moderate", "--server", url, "--operator-token-file", file, "list"]
            done = await asyncio.to_thread(run, *command)
            assert done.returncode == 1
            assert words in done.stderr
    done = await asyncio.to_thread(run, "moderate", "list")
    assert done.returncode == 2
    assert "'--operator-token-file'. (try 'croupier moderate --help')" in done.stderr


LOOKS = {
    "house": '"name_reserved"',
    "trend": '"player_name_dup"',
    "coinche": "403 ",
    "workshop": "failed",
    "tarock": '"invalid_token"',
    "taroky": '"invalid_token"',
}


@pytest.mark.parametrize("protocol", DOORS)
async def test_a_name_that_looks_like_an_account_is_refused_on_every_protocol(protocol: str) -> None:
    connect = DOORS[protocol][0]
    async with kept_rig() as server:
        await register(server, "Annabel")
        await heard(await connect(server, "AnnabeI", ""), LOOKS[protocol])
        status, answer = await server.post("/api/account", {"name": "AnnabeI", "password": "correct horse"})
        assert (status, answer["key"]) == (409, "name_taken")


@pytest.mark.parametrize("protocol", ["trend", "coinche", "workshop"])
async def test_two_guests_may_not_look_alike(protocol: str) -> None:
    connect, welcome, _ = DOORS[protocol]
    async with rig() as server:
        await heard(await connect(server, "billy", ""), welcome)
        await heard(await connect(server, "biIly", ""), LOOKS[protocol])


async def test_guests_of_rooms_who_look_alike_are_numbered() -> None:
    async with rig(operator_token=TOKEN) as server:
        _, made = await server.post("/api/tables", {"game": "tarock", "seats": ["open"] * 4})
        for name in ("billy", "biIly"):
            socket = await rooms(server, "tarock", name, "")
            await socket.send_json({"command": "lobby.room.join", "room_id": made["id"]})
            await heard(socket, '"response":"lobby.room.join"')
        assert [one["name"] for one in (await overview(server))["people"]] == ["billy", "biIly (2)"]


async def test_floods_of_tables_are_refused_over_http_and_in_lobbies() -> None:
    spec = {"game": "hearts", "seats": ["open"] * 4}
    async with rig(most_per_address=1) as server:
        for _ in range(2):
            status, made = await server.post("/api/tables", spec)
            assert status == 201
            assert (await server.post("/api/tables", spec))[1]["key"] == "too_many"  # one is open
            await server.tables.close_table(made["id"], "enough")
        status, answer = await server.post("/api/tables", spec)
        assert (status, answer["key"]) == (429, "too_many")
        assert answer["words"] == "more than 2 tables within a minute: try again later"
        await heard(await coinche(server, "Annabel"), "503 server full.")
        for connect in (tarock, taroky):
            socket = await connect(server, "Annabel")
            await heard(socket, "user.login")
            await socket.send_json({"command": "lobby.room.create", "name": "Room"})
            await heard(socket, "lobby.room.create")
            await socket.send_json({"command": "lobby.game.start"})
            assert "more than 2 tables within a minute" in await heard(socket, '"error"')
        await eventually(lambda: len(server.tables.shells) == 1)


async def test_a_flood_of_games_in_the_workshop_is_explained_to_its_players() -> None:
    async with rig(most_per_address=1, options=SOON) as server:
        spec = {"game": "hearts", "seats": ["open"] * 4}
        assert (await server.post("/api/tables", spec))[0] == 201
        socket = await workshop(server, "anna")
        await socket.send_str("events\ton")
        await heard(socket, "ok")
        await workshop(server, "bert")
        words = "no_game\t1 tables of your address or account are open: try again later"
        assert await heard(socket, "no_game") == words
        assert len(server.tables.shells) == 2, "the default table and the first one"
