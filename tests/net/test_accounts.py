"""Accounts over HTTP, and what becomes of them at tables: names, seats, results, ratings."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from croupier.games import game as find_game
from croupier.net import clerk as clerk_module
from croupier.net.clerk import Clerk, Declined
from croupier.net.limits import Attempts
from croupier.net.passwords import Passwords, TooBusy
from croupier.net.reception import Reception
from croupier.store import Store, open_store
from croupier.store.memory import MemoryStore
from croupier.table.hall import Config, Hall
from croupier.wire.accounts import Register
from croupier.wire.lobby import RoomDesk
from croupier.wire.talk import token_digest
from tests.net.rig import QUICK, Frame, RawSocket, Rig, eventually, rig

pytestmark = pytest.mark.slow

PASSWORD = "correct horse"
ONE_DEAL: dict[str, Any] = {"deals": 1, "match_games": 1}


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def register(server: Rig, name: str = "Anna", **more: str) -> str:
    """Make an account and return its token."""
    status, made = await server.post("/api/account", {"name": name, "password": PASSWORD, **more})
    assert (status, made["name"]) == (201, name)
    return str(made["token"])


async def send(server: Rig, method: str, path: str, body: object = None, token: str = "") -> tuple[int, Any]:
    async with server.session.request(
        method, server.http + path, json=body, headers=bearer(token)
    ) as response:
        return response.status, await response.json() if response.status != 204 else None


async def join(
    server: Rig, table: str, name: str, token: str = "", **more: object
) -> tuple[RawSocket, Frame]:
    socket = await server.raw(f"/house/{table}")
    socket.send({"type": "join", "name": name, "token": token, **more})
    return socket, await socket.next("joined", "refused")


async def play(server: Rig, name: str, token: str, leave_after: int = 1000) -> str:
    """Play a deal of Hearts against bots, all of it or some questions; return the match."""
    _, made = await server.post(
        "/api/tables",
        {
            "game": "hearts",
            "seats": ["open", "bot dummy", "bot random", "bot dummy"],
            "options": ONE_DEAL,
            "table_options": QUICK,
            "start": False,
        },
    )
    socket, joined = await join(server, made["id"], name, token)
    assert joined["type"] == "joined"
    socket.send({"type": "start"})
    playing = False
    while True:
        frame = await socket.next("ask", "table")
        if frame["type"] == "table":
            if playing and frame["phase"] == "gathering":
                break
            playing = frame["phase"] == "playing"
            continue
        leave_after -= 1
        if not leave_after:
            socket.send({"type": "leave"})
            break
        many = 3 if frame["legal"][0].startswith("pass") else 1
        socket.send({"type": "act", "turn": frame["turn"], "actions": frame["legal"][:many]})
    await eventually(lambda: server.hall.runners[made["id"]].table.phase == "gathering")
    await server.hall.scribe.done()
    return f"{made['id']}-1"


async def test_from_an_account_to_its_end() -> None:
    async with rig() as server:
        token = await register(server)
        status, shown = await server.get("/api/account", **bearer(token))
        assert (status, shown["name"], shown["tables"]) == (200, "Anna", [])
        status, again = await server.post("/api/session", {"name": "aNNa", "password": PASSWORD})
        assert (status, again["name"]) == (201, "Anna")
        other = again["token"]
        assert other != token
        assert len(token) == 43
        changed = {"old": PASSWORD, "new": "another horse"}
        assert (await send(server, "POST", "/api/account/password", changed, token))[0] == 204
        assert (await server.get("/api/account", **bearer(other)))[0] == 401
        assert (await server.get("/api/account", **bearer(token)))[0] == 200
        assert (await server.post("/api/session", {"name": "Anna", "password": PASSWORD}))[0] == 401
        assert (await send(server, "DELETE", "/api/session", None, token))[0] == 204
        assert (await send(server, "DELETE", "/api/session", None, token))[0] == 401
        _, last = await server.post("/api/session", {"name": "Anna", "password": "another horse"})
        wrong = await send(server, "DELETE", "/api/account", {"password": PASSWORD}, last["token"])
        assert (wrong[0], wrong[1]["key"]) == (401, "bad_login")
        assert (await send(server, "DELETE", "/api/account", {"password": "another horse"}, last["token"]))[
            0
        ] == 204
        assert (await server.get("/api/account", **bearer(last["token"])))[0] == 401
        assert (await server.get("/api/players/anna"))[0] == 404
        await register(server)


async def test_names_that_differ_only_in_spelling_are_taken() -> None:
    async with rig() as server:
        await register(server)
        for name in ("anna", "ANNA", "Án-na", "ａｎｎａ", "A\u0300nna"):
            status, refused = await server.post("/api/account", {"name": name, "password": PASSWORD})
            assert (status, refused["key"]) == (409, "name_taken"), name
            assert (await server.get(f"/api/players/{name}"))[1]["name"] == "Anna"


async def test_two_at_once_do_not_get_the_same_name() -> None:
    async with rig() as server:
        wishes = [{"name": name, "password": PASSWORD} for name in ("anna", "Anna", "ANNA", "änna")]
        answers = await asyncio.gather(*(server.post("/api/account", wish) for wish in wishes))
        assert sorted(status for status, _ in answers) == [201, 409, 409, 409]
        assert len(await server.hall.store.accounts()) == 1


GOOD = {"name": "Anna", "password": PASSWORD}


BAD: list[object] = [
    b"",
    b"{",
    b"[]",
    b"null",
    b"\xff\xfe",
    b"[" * 60000,
    {},
    {"name": "anna"},
    {"name": 7, "password": PASSWORD},
    {"name": None, "password": PASSWORD},
    {"name": "Anna", "password": ["x"]},
    {**GOOD, "more": 1},
    {**GOOD, "guest": "short"},
    {**GOOD, "guest": "x" * 257},
]


@pytest.mark.parametrize("path", ["/api/account", "/api/session"])
async def test_bad_bodies_are_refused_in_words(path: str) -> None:
    async with rig() as server:
        for body in BAD:
            status, refused = await server.post(path, body)
            assert status == 400, body
            assert refused["key"] in ("bad_message", "bad_token")
            assert refused["words"]
            assert PASSWORD not in refused["words"]


async def test_bad_names_and_passwords_and_types() -> None:
    async with rig() as server:
        for name in ("", "ab", "bot4", "x" * 30, "Анна", "a\x07bcd"):
            status, refused = await server.post("/api/account", {"name": name, "password": PASSWORD})
            assert (status, refused["key"]) == (400, "bad_name"), name
        for password in ("", "short", "12345678", "anna anna", "x" * 200):
            status, refused = await server.post("/api/account", {"name": "Anna", "password": password})
            assert (status, refused["key"]) == (400, "bad_password"), password
            assert not password or password not in refused["words"]
        headers = {"Content-Type": "text/plain"}
        async with server.session.post(f"{server.http}/api/account", data=b"{}", headers=headers) as response:
            assert response.status == 415
        lone = b'{"name": "Anna", "password": "\\ud800 half a letter"}'
        status, _ = await server.post("/api/account", lone)
        assert status in (201, 400)


async def test_wrong_passwords_are_slowed_down_and_names_are_not_betrayed() -> None:
    async with rig() as server:
        await register(server)
        bad = {"name": "Anna", "password": "wrong horse"}
        nobody = {"name": "Nobody here", "password": "wrong horse"}
        for wish in (bad, nobody):
            answers = [await server.post("/api/session", wish) for _ in range(5)]
            assert {status for status, _ in answers} == {401}
            assert {refused["words"] for _, refused in answers} == {
                "name or password: they do not belong together"
            }
            async with server.session.post(f"{server.http}/api/session", json=wish) as response:
                assert response.status == 429
                assert 1 <= int(response.headers["Retry-After"]) <= 601
        # The right one has to wait as well, or a flood could be told from a hit.
        assert (await server.post("/api/session", GOOD))[0] == 429


async def test_a_flood_of_logins_does_not_pass_the_limit_by_coming_at_once() -> None:
    async with rig() as server:
        await register(server)
        wish = {"name": "Anna", "password": "wrong horse"}
        answers = await asyncio.gather(*(server.post("/api/session", wish) for _ in range(30)))
        statuses = [status for status, _ in answers]
        assert statuses.count(401) == 5
        assert set(statuses) <= {401, 429, 503}


async def test_the_queue_for_passwords_is_bounded() -> None:
    passwords = Passwords()
    hashed = await passwords.hash("čebula")
    assert await passwords.fits(hashed, "c\u030cebula"), "however the keyboard composes it"
    assert not await passwords.fits(None, "nobody's")
    assert not await passwords.fits("no hash", "x")
    assert not passwords.outdated(hashed)
    assert "m=19456,t=2,p=1" in hashed
    checks = [asyncio.ensure_future(passwords.fits(hashed, "x")) for _ in range(60)]
    done, _ = await asyncio.wait(checks, return_when=asyncio.FIRST_COMPLETED)
    assert sum(isinstance(one.exception(), TooBusy) for one in done) == 10
    for check in checks:
        check.cancel()
    passwords.close()


def test_attempts_are_forgotten_with_time() -> None:
    attempts = Attempts(3, 10.0)
    for now in (0.0, 1.0, 2.0):
        assert attempts.wait("a", now) == 0
        attempts.note("a", now)
    assert attempts.wait("a", 4.0) == 6.0
    assert attempts.wait("b", 4.0) == 0
    assert attempts.wait("a", 10.5) == 0
    attempts.note("a", 10.5)
    assert attempts.wait("a", 10.6) > 0
    attempts.forgive("a")
    assert attempts.wait("a", 10.6) == 0
    attempts.forgive("nobody")


async def test_accounts_from_one_address_are_not_without_number() -> None:
    keeper = Clerk(MemoryStore(), Register())
    keeper._made = Attempts(2, 100.0)
    for name in ("anna", "berta"):
        await keeper.create(name, PASSWORD, "", "1.2.3.4")
    with pytest.raises(Declined, match="too many accounts from your address"):
        await keeper.create("carla", PASSWORD, "", "1.2.3.4")
    await keeper.create("carla", PASSWORD, "", "5.6.7.8")
    keeper.close()


# At tables.


async def test_an_account_sits_under_its_name_and_comes_back_with_any_of_its_sessions() -> None:
    async with rig() as server:
        token = await register(server)
        _, again = await server.post("/api/session", GOOD)
        first, joined = await join(server, "default", "whatever", token)
        assert joined["seat"] == 0
        assert server.default.table.places[0].name == "Anna"
        [row] = (await server.get("/api/tables"))[1]
        assert [(seat["name"], seat["account"]) for seat in row["seats"][:2]] == [
            ("Anna", "Anna"),
            ("", None),
        ]
        _, shown = await server.get("/api/account", **bearer(token))
        assert shown["tables"] == [
            {"id": "default", "game": "hearts", "page": "/table/default", "seat": 0, "phase": "gathering"}
        ]
        _, back = await join(server, "default", "Anna", again["token"])
        assert (back["seat"], back["back"]) == (0, True)
        assert await first.closed() == 4001


async def test_nobody_else_takes_the_name() -> None:
    async with rig() as server:
        await register(server)
        other = await register(server, "Berta")
        for name in ("Anna", "anna", "AN NA", "Ánna"):
            _, refused = await join(server, "default", name, "a guest's token")
            assert refused["key"] == "name_reserved"
            assert "account" in refused["words"]
        _, joined = await join(server, "default", "Anna", other)
        assert joined["type"] == "joined"
        assert server.default.table.places[0].name == "Berta"
        _, joined = await join(server, "default", "Annabel", "a guest's token")
        assert joined["seat"] == 1


async def test_who_was_there_as_a_guest_stays_there() -> None:
    async with rig() as server:
        guest = "0123456789abcdef0123456789"
        await join(server, "default", "Anna", guest)
        stranger = await register(server, "Berta")
        token = await register(server, guest=guest)
        _, shown = await server.get("/api/account", **bearer(token))
        assert [row["seat"] for row in shown["tables"]] == [0]
        _, back = await join(server, "default", "Anna", token)
        assert (back["seat"], back["back"]) == (0, True)
        _, back = await join(server, "default", "x", guest)
        assert back["seat"] == 0
        change = {"old": PASSWORD, "new": "another password"}
        assert (await send(server, "POST", "/api/account/password", change, token))[0] == 204
        _, shown = await server.get("/api/account", **bearer(token))
        assert [row["seat"] for row in shown["tables"]] == [0], "other sessions end, not what is one's own"
        assert (await server.get("/api/account", **bearer(guest)))[0] == 401
        _, back = await join(server, "default", "Anna", token)
        assert (back["seat"], back["back"]) == (0, True)
        _, refused = await join(server, "default", "Anna", stranger)
        assert refused["seat"] == 1, "as herself"


async def test_a_guests_token_that_is_somebodys_is_not_taken_over() -> None:
    async with rig() as server:
        token = await register(server)
        await register(server, "Berta", guest=token)
        assert (await server.get("/api/account", **bearer(token)))[1]["name"] == "Anna"


async def test_figures_after_real_matches() -> None:
    async with rig() as server:
        token = await register(server)
        matches = [await play(server, "Anna", token) for _ in range(2)]
        status, found = await server.get("/api/players/anna")
        assert status == 200
        [hearts] = found["games"]
        assert (hearts["game"], hearts["title"], hearts["matches"], hearts["broken_off"]) == (
            "hearts",
            "Hearts",
            2,
            0,
        )
        assert sum(hearts["places"]) == 2
        assert hearts["won"] == (hearts["places"] or [0])[0]
        assert hearts["rating"]["interval"] < 1.96 * 25 / 3
        assert {row["match"] for row in found["results"]} == set(matches)
        last = found["results"][0]
        assert last["rating"] == hearts["rating"]
        assert last["players"][0] == "Anna"
        assert last["profiles"] == ["Anna", None, None, None]
        for path in ("/api/matches?limit=1", f"/api/matches/{last['match']}"):
            _, told = await server.get(path)
            assert (told[0] if isinstance(told, list) else told)["profiles"] == last["profiles"]
        assert last["score"] == last["scores"][0]
        assert last["place"] == 1 + sum(score > last["score"] for score in last["scores"])
        _, ranking = await server.get("/api/players?game=hearts")
        assert {(row["name"], row["bot"]) for row in ranking} == {
            ("Anna", None),
            (None, "dummy"),
            (None, "random"),
        }
        low = [row["rating"]["value"] - row["rating"]["interval"] for row in ranking]
        assert low == sorted(low, reverse=True)
        page = (await server.get("/api/players/anna?limit=1"))[1]
        assert (len(page["results"]), page["more"]) == (1, True)
        rest = (await server.get(f"/api/players/anna?limit=1&before={page['results'][0]['match']}"))[1]
        assert (rest["results"][0]["match"], rest["more"]) == (found["results"][1]["match"], False)
        assert (await server.get("/api/players/anna?game=tarock"))[1]["results"] == []
        for wrong in ("limit=0", "limit=x", "game=chess"):
            assert (await server.get(f"/api/players/anna?{wrong}"))[0] == 400
        assert (await server.get("/api/players"))[0] == 400


async def test_who_leaves_has_played_and_what_is_broken_off_is_not_rated() -> None:
    async with rig() as server:
        token = await register(server)
        await play(server, "Anna", token, leave_after=3)
        _, found = await server.get("/api/players/anna")
        [row] = found["results"]
        [hearts] = found["games"]
        # Nobody was left: the match is broken off and has no result.
        assert (row["place"], row["score"], row["scores"], row["rating"]) == (None, None, None, None)
        assert (hearts["matches"], hearts["won"], hearts["broken_off"], hearts["rating"]) == (0, 0, 1, None)


async def test_guests_leave_no_trace_among_players() -> None:
    async with rig() as server:
        await play(server, "guest", "a guest's token")
        assert (await server.get("/api/players?game=hearts"))[1] == []
        assert await server.hall.store.unrated() == []


# Over restarts.


async def test_everything_is_there_after_a_restart(tmp_path: Path) -> None:
    store = await open_store(tmp_path / "games.db")
    async with rig(store=store) as server:
        token = await register(server)
        await play(server, "Anna", token)
        before = (await server.get("/api/players/anna"))[1]
        socket, _ = await join(server, "default", "Anna", token)
        for name in ("bob", "cyd", "dan"):
            await join(server, "default", name, f"a token for {name}")
        socket.send({"type": "start"})
        await socket.next("ask")
    await store.close()
    store = await open_store(tmp_path / "games.db")
    hall = Hall(store)
    keeper = Clerk(store, hall.register)
    await keeper.open()
    await hall.recover()
    try:
        account = hall.register.holder(token)
        assert account is not None
        assert account.name == "Anna"
        table = hall.runners["default"].table
        assert table.places[0].token == account.seal
        assert table.who[0] == account.seal
        assert len(await store.results(account.seal)) == len(before["results"])
        row = await store.account(account.seal)
        assert row is not None
        assert row.password.startswith("$argon2id$")
    finally:
        keeper.close()
        await hall.stop("over")
        await store.close()


async def test_a_result_that_was_not_rated_is_after_the_next_start(tmp_path: Path) -> None:
    store = await open_store(tmp_path / "games.db")
    async with rig(store=store) as server:
        token = await register(server)
        server.hall.scribe.poke = lambda: None  # type: ignore[method-assign]  # killed right after the result
        await play(server, "Anna", token)
        assert (await server.get("/api/players/anna"))[1]["games"][0]["rating"] is None
        assert len(await store.unrated()) == 4
    hall = Hall(store)
    await hall.recover()
    await hall.scribe.done()
    assert await store.unrated() == []
    assert len(await store.best("hearts")) == 3
    await hall.stop("over")
    await store.close()


async def test_sessions_die_when_nobody_uses_them(monkeypatch: pytest.MonkeyPatch) -> None:
    store = MemoryStore()
    keeper = Clerk(store, Register())
    _, old = await keeper.create("anna", PASSWORD, "", "")
    _, used = await keeper.login("anna", PASSWORD, "", "")
    for row in await store.sessions():
        await store.use_sessions([row.digest], "2020-01-01T00:00:00Z")
    assert keeper.register.holder(used) is not None
    keeper.register.used = {token_digest(used)}
    await keeper.forget_unused()
    assert keeper.register.holder(old) is None
    assert keeper.register.holder(used) is not None
    assert [row.digest for row in await store.sessions()] == [token_digest(used)]
    monkeypatch.setattr(clerk_module, "MOST_SESSIONS", 3)
    tokens = [(await keeper.login("anna", PASSWORD, "", ""))[1] for _ in range(4)]
    assert len(await store.sessions()) == 3
    assert keeper.register.holder(tokens[-1]) is not None
    keeper.close()


async def test_the_session_that_makes_room_is_not_one_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clerk_module, "MOST_SESSIONS", 3)
    store = MemoryStore()
    keeper = Clerk(store, Register())
    tokens = [(await keeper.create("anna", PASSWORD, "", ""))[1]]
    tokens += [(await keeper.login("anna", PASSWORD, "", ""))[1] for _ in range(2)]
    for day, token in enumerate(tokens, 1):
        await store.use_sessions([token_digest(token)], f"2020-01-0{day}T00:00:00Z")
    assert keeper.register.holder(tokens[0]) is not None  # used, which is written down once an hour
    tokens.append((await keeper.login("anna", PASSWORD, "", ""))[1])
    there = [keeper.register.holder(token) is not None for token in tokens]
    assert there == [True, False, True, True]
    keeper.close()


@pytest.mark.parametrize("outdated", [False, True])
async def test_an_old_password_is_of_no_use_to_who_was_just_logging_in(
    outdated: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = MemoryStore()
    keeper = Clerk(store, Register())
    account, token = await keeper.create("anna", PASSWORD, "", "")
    fits, slow, go_on = keeper._passwords.fits, asyncio.Event(), asyncio.Event()

    async def dawdle(kept: str | None, password: str) -> bool:
        found = await fits(kept, password)
        slow.set()
        await go_on.wait()
        return found

    monkeypatch.setattr(keeper._passwords, "fits", dawdle)
    monkeypatch.setattr(keeper._passwords, "outdated", lambda kept: outdated)
    late = [
        asyncio.create_task(keeper.login("anna", PASSWORD, "", "")),
        asyncio.create_task(keeper.change_password(account, token, PASSWORD, "a third horse", "")),
        asyncio.create_task(keeper.forget(account, PASSWORD, "")),
    ]
    await slow.wait()
    monkeypatch.setattr(keeper._passwords, "fits", fits)
    monkeypatch.setattr(keeper._passwords, "outdated", lambda kept: False)
    await keeper.change_password(account, token, PASSWORD, "another horse", "")
    monkeypatch.setattr(keeper._passwords, "outdated", lambda kept: outdated)
    go_on.set()
    for task in late:
        with pytest.raises(Declined, match="has just been changed"):
            await task
    assert [row.digest for row in await store.sessions()] == [token_digest(token)]
    assert (await keeper.login("anna", "another horse", "", ""))[0] is account
    keeper.close()


async def test_nothing_secret_is_at_rest_or_in_a_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    path = tmp_path / "games.db"
    store: Store = await open_store(path)
    async with rig(store=store) as server:
        token = await register(server)
        match = await play(server, "Anna", token)
        async with server.session.get(f"{server.http}/api/matches/{match}/record") as response:
            text = await response.text()
        with pytest.raises(aiohttp.ClientResponseError):
            async with server.session.get(f"{server.http}/api/account", raise_for_status=True) as response:
                pass
    await store.close()
    everything = path.read_bytes() + text.encode() + caplog.text.encode()
    for secret in (token, PASSWORD):
        assert secret.encode() not in everything
    assert token_digest(token).encode() in everything


async def test_behind_a_proxy_everybody_has_his_own_address() -> None:
    async with rig() as server:
        await register(server)
        bad = {"name": "Anna", "password": "wrong horse"}
        for _ in range(6):
            status, _ = await server.post("/api/session", bad, **{"X-Forwarded-For": "made up, 192.0.2.1"})
        assert status == 429
        status, _ = await server.post("/api/session", GOOD, **{"X-Forwarded-For": "192.0.2.2"})
        assert status == 201


async def test_desks_forget_who_has_not_come_for_a_year() -> None:
    store = MemoryStore()
    person = '{{"id": "u{}", "nickname": "Ana"}}'
    for number in range(3):
        await store.keep("tarock", f"user {token_digest(f'token {number}')}", person.format(number))
    for name in await store.kept("tarock"):
        store._used["tarock", name] = "2020-01-01"
    hall = Hall(store)
    seat_tokens = ["", "", token_digest("token 2"), ""]
    runner = await hall.open(find_game("tarock"), Config(["open"] * 4, seat_tokens=seat_tokens))
    runner.table.places[2].name = "Ana"  # plays since last year
    reception = Reception(hall, find_game("tarock"), await store.kept("tarock"), {})
    assert isinstance(reception.desk, RoomDesk)
    assert reception.desk.users.known("token 1") is not None
    await reception.forget_unused()
    left = {f"user {token_digest(f'token {number}')}" for number in (1, 2)}
    assert set(await store.kept("tarock")) == left
    assert reception.desk.users.known("token 0") is None
    await hall.stop("over")


async def test_a_name_in_the_workshop_takes_its_token() -> None:
    async with rig() as server:
        hall = server.hall
        token = "k3J9xQ0aLm27TzPw5cVd"
        keeper = Clerk(hall.store, hall.register)
        Reception(hall, find_game("sagrada"), {"user anna": f"anna {token_digest(token)}"}, {}, keeper)
        for guest in ("", "another token, long enough"):
            with pytest.raises(Declined, match="somebody plays under it"):
                await keeper.create("Anna", PASSWORD, guest, "")
        account, _ = await keeper.create("Anna", PASSWORD, token, "")
        assert hall.register.holder(token) is account
        keeper.close()
