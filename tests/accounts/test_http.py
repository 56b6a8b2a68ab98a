"""Accounts over HTTP and at tables: names, seats, results, ratings."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import pytest_asyncio

from croupier.accounts import service
from croupier.accounts.passwords import Passwords
from croupier.accounts.service import Accounts
from croupier.accounts.store import AccountStore
from croupier.core.refusal import Refusal
from croupier.games import game as find_game
from croupier.net.lobby import LobbyServer
from croupier.store import Store, open_store
from croupier.store.memory import MemoryStore
from croupier.store.sqlite import SqliteStore
from croupier.table.tables import Tables
from croupier.wire.identity import Account, Identities
from croupier.wire.opentarock.lobby import RoomLobby
from croupier.wire.table_spec import TableSpec
from croupier.wire.talk import token_digest
from croupier.wire.token_bucket import TokenBuckets
from tests.net.rig import QUICK, Frame, RawSocket, Rig, eventually, kept_rig, rig

pytestmark = pytest.mark.slow

PASSWORD = "correct horse"
ONE_DEAL: dict[str, Any] = {"deals": 1, "match_games": 1}


async def nobody(account: Account) -> None:
    """Do nothing: the account takes part in no tournament."""


@pytest_asyncio.fixture
async def accounts(tmp_path: Path) -> AsyncIterator[Accounts]:
    """Accounts without a server."""
    store = await open_store(tmp_path / "accounts.db")
    assert isinstance(store, SqliteStore)
    made = Accounts(AccountStore(store), Identities(), lambda key: [], nobody)
    yield made
    made.close()
    await store.close()


def people(server: Rig) -> AccountStore:
    assert server.house.accounts is not None
    return server.house.accounts.store


async def rated(server: Rig) -> None:
    """Wait until all matches are rated."""
    assert server.house.ratings is not None
    await server.house.ratings.done()


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def register(server: Rig, name: str = "Anna", **more: str) -> str:
    """Create an account and return its token."""
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
    """Play a deal of Hearts against bots, or at most *leave_after* questions of it; return the match."""
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
    await eventually(lambda: server.tables.shells[made["id"]].table.phase == "gathering")
    await rated(server)
    return f"{made['id']}-1"


async def test_from_an_account_to_its_end() -> None:
    async with kept_rig() as server:
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


async def test_a_name_that_differs_only_in_spelling_is_taken() -> None:
    async with kept_rig() as server:
        await register(server)
        for name in ("anna", "ANNA", "Án-na", "ａｎｎａ", "A\u0300nna"):
            status, refused = await server.post("/api/account", {"name": name, "password": PASSWORD})
            assert (status, refused["key"]) == (409, "name_taken"), name
            assert (await server.get(f"/api/players/{name}"))[1]["name"] == "Anna"


async def test_two_simultaneous_requests_do_not_get_the_same_name() -> None:
    async with kept_rig() as server:
        wishes = [{"name": name, "password": PASSWORD} for name in ("anna", "Anna", "ANNA", "änna")]
        answers = await asyncio.gather(*(server.post("/api/account", wish) for wish in wishes))
        assert sorted(status for status, _ in answers) == [201, 409, 409, 409]
        assert len(await people(server).accounts()) == 1


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
async def test_bad_bodies_are_refused_with_the_cause(path: str) -> None:
    async with kept_rig() as server:
        for body in BAD:
            status, refused = await server.post(path, body)
            assert status == 400, body
            assert refused["key"] in ("bad_message", "bad_token")
            assert refused["words"]
            assert PASSWORD not in refused["words"]


async def test_bad_names_and_passwords_and_types() -> None:
    async with kept_rig() as server:
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


async def test_wrong_passwords_are_rate_limited_and_do_not_reveal_names() -> None:
    async with kept_rig() as server:
        await register(server)
        bad = {"name": "Anna", "password": "wrong horse"}
        nobody = {"name": "Nobody here", "password": "wrong horse"}
        for wish in (bad, nobody):
            answers = [await server.post("/api/session", wish) for _ in range(5)]
            assert {status for status, _ in answers} == {401}
            assert {refused["words"] for _, refused in answers} == {"wrong name or password"}
            async with server.session.post(f"{server.http}/api/session", json=wish) as response:
                assert response.status == 429
                assert 1 <= int(response.headers["Retry-After"]) <= 601
        # The right password has to wait as well, or the delay would reveal it.
        assert (await server.post("/api/session", GOOD))[0] == 429


async def test_simultaneous_logins_do_not_bypass_the_limit() -> None:
    async with kept_rig() as server:
        await register(server)
        wish = {"name": "Anna", "password": "wrong horse"}
        answers = await asyncio.gather(*(server.post("/api/session", wish) for _ in range(30)))
        statuses = [status for status, _ in answers]
        assert statuses.count(401) == 5
        assert set(statuses) <= {401, 429, 503}


async def test_the_queue_for_passwords_is_bounded() -> None:
    passwords = Passwords()
    hashed = await passwords.hash("čebula")
    assert await passwords.fits(hashed, "c\u030cebula"), "independent of how the keyboard composes it"
    assert not await passwords.fits(None, "no password")
    assert not await passwords.fits("no hash", "x")
    assert not passwords.outdated(hashed)
    assert "m=19456,t=2,p=1" in hashed
    checks = [asyncio.ensure_future(passwords.fits(hashed, "x")) for _ in range(60)]
    done, _ = await asyncio.wait(checks, return_when=asyncio.FIRST_COMPLETED)
    assert sum(isinstance(one.exception(), Refusal) for one in done) == 10
    for check in checks:
        check.cancel()
    passwords.close()


async def test_the_number_of_accounts_from_one_address_is_limited(accounts: Accounts) -> None:
    accounts._made = TokenBuckets(2, 0.02)
    for name in ("anna", "berta"):
        await accounts.create(name, PASSWORD, "", "1.2.3.4")
    with pytest.raises(Refusal, match="too many accounts from your address"):
        await accounts.create("carla", PASSWORD, "", "1.2.3.4")
    await accounts.create("carla", PASSWORD, "", "5.6.7.8")


# At tables.


async def test_an_account_sits_under_its_name_and_returns_with_any_of_its_sessions() -> None:
    async with kept_rig() as server:
        token = await register(server)
        _, again = await server.post("/api/session", GOOD)
        first, joined = await join(server, "default", "ignored", token)
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


async def test_no_other_player_can_take_the_name() -> None:
    async with kept_rig() as server:
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


async def test_a_guest_who_creates_an_account_keeps_the_seat() -> None:
    async with kept_rig() as server:
        guest = "0123456789abcdef0123456789"
        await join(server, "default", "Anna", guest)
        stranger = await register(server, "Berta")
        token = await register(server, guest=guest)
        _, shown = await server.get("/api/account", **bearer(token))
        assert [row["seat"] for row in shown["tables"]] == [0]
        _, back = await join(server, "default", "x", guest)
        assert (back["seat"], back["back"]) == (0, True)
        _, back = await join(server, "default", "Anna", token)
        assert (back["seat"], back["back"]) == (0, True)
        change = {"old": PASSWORD, "new": "another password"}
        assert (await send(server, "POST", "/api/account/password", change, token))[0] == 204
        _, shown = await server.get("/api/account", **bearer(token))
        assert [row["seat"] for row in shown["tables"]] == [0], (
            "the password change ends other sessions, not this one"
        )
        assert (await server.get("/api/account", **bearer(guest)))[0] == 401
        _, back = await join(server, "default", "Anna", token)
        assert (back["seat"], back["back"]) == (0, True)
        _, refused = await join(server, "default", "Anna", stranger)
        assert refused["seat"] == 1, "as herself"


async def test_a_guest_token_of_another_account_is_not_taken_over() -> None:
    async with kept_rig() as server:
        token = await register(server)
        await register(server, "Berta", guest=token)
        assert (await server.get("/api/account", **bearer(token)))[1]["name"] == "Anna"


async def test_figures_after_real_matches() -> None:
    async with kept_rig() as server:
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
        assert 1000 < hearts["rating"]["value"] < 2000
        assert hearts["rating"]["interval"] < 653
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
        _, people = await server.get("/api/players?game=hearts&bots=no")
        assert people == [row for row in ranking if row["name"] == "Anna"]
        changes = [(await server.get(f"/api/matches/{match}/ratings"))[1] for match in matches]
        assert all(told["rated"] and len(told["ratings"]) == 4 for told in changes)
        assert 1500 + sum(told["ratings"][0]["change"] for told in changes) == hearts["rating"]["value"]
        assert (await server.get("/api/matches/nothing/ratings"))[1]["key"] == "no_such_match"
        page = (await server.get("/api/players/anna?limit=1"))[1]
        assert (len(page["results"]), page["more"]) == (1, True)
        rest = (await server.get(f"/api/players/anna?limit=1&before={page['results'][0]['match']}"))[1]
        assert (rest["results"][0]["match"], rest["more"]) == (found["results"][1]["match"], False)
        assert (await server.get("/api/players/anna?game=tarock"))[1]["results"] == []
        for wrong in ("limit=0", "limit=x", "game=chess"):
            assert (await server.get(f"/api/players/anna?{wrong}"))[0] == 400
        assert (await server.get("/api/players"))[0] == 400


async def test_a_player_who_leaves_has_played_and_an_aborted_match_is_not_rated() -> None:
    async with kept_rig() as server:
        token = await register(server)
        await play(server, "Anna", token, leave_after=3)
        _, found = await server.get("/api/players/anna")
        [row] = found["results"]
        [hearts] = found["games"]
        # No player was left: the match is aborted and has no result.
        assert (row["place"], row["score"], row["scores"], row["rating"]) == (None, None, None, None)
        assert (hearts["matches"], hearts["won"], hearts["broken_off"], hearts["rating"]) == (0, 0, 1, None)


async def test_guests_leave_no_trace_among_players() -> None:
    async with kept_rig() as server:
        await play(server, "guest", "a guest's token")
        assert (await server.get("/api/players?game=hearts"))[1] == []
        assert await people(server).unrated() == []


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
    async with rig(store=store) as server:
        account = server.house.identities.holder(token)
        assert account is not None
        assert account.name == "Anna"
        assert server.default.table.places[0].token == account.id
        began = [line for line in await store.log("default") if '"began"' in line]
        assert account.id in began[-1]
        assert len(await people(server).results(account.id)) == len(before["results"])
        row = await people(server).account(account.id)
        assert row is not None
        assert row.password.startswith("$argon2id$")
    await store.close()


async def test_an_unrated_result_is_rated_after_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await open_store(tmp_path / "games.db")
    async with rig(store=store) as server:
        token = await register(server)
        assert server.house.ratings is not None
        await server.house.ratings.stop()
        monkeypatch.setattr(server.house.ratings, "_work", never)  # as if killed right after the result
        await play(server, "Anna", token)
        assert (await server.get("/api/players/anna"))[1]["games"][0]["rating"] is None
        assert len(await people(server).unrated()) == 4
    async with rig(store=store) as server:
        await rated(server)
        assert await people(server).unrated() == []
        assert len(await people(server).best("hearts")) == 3
    await store.close()


async def never() -> None:
    """Rate nothing."""


async def test_unused_sessions_expire(accounts: Accounts, monkeypatch: pytest.MonkeyPatch) -> None:
    store = accounts.store
    _, old, _ = await accounts.create("anna", PASSWORD, "", "")
    _, used = await accounts.login("anna", PASSWORD, "", "")
    for row in await store.sessions():
        await store.use_sessions([row.digest], "2020-01-01T00:00:00Z")
    assert accounts.identities.holder(used) is not None
    accounts.identities.used = {token_digest(used)}
    await accounts.forget_unused()
    assert accounts.identities.holder(old) is None
    assert accounts.identities.holder(used) is not None
    assert [row.digest for row in await store.sessions()] == [token_digest(used)]
    monkeypatch.setattr(service, "MOST_SESSIONS", 3)
    tokens = [(await accounts.login("anna", PASSWORD, "", ""))[1] for _ in range(4)]
    assert len(await store.sessions()) == 3
    assert accounts.identities.holder(tokens[-1]) is not None


async def test_a_session_in_use_is_not_ended_to_make_room(
    accounts: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "MOST_SESSIONS", 3)
    store = accounts.store
    tokens = [(await accounts.create("anna", PASSWORD, "", ""))[1]]
    tokens += [(await accounts.login("anna", PASSWORD, "", ""))[1] for _ in range(2)]
    for day, token in enumerate(tokens, 1):
        await store.use_sessions([token_digest(token)], f"2020-01-0{day}T00:00:00Z")
    assert accounts.identities.holder(tokens[0]) is not None  # used, which is stored once an hour
    tokens.append((await accounts.login("anna", PASSWORD, "", ""))[1])
    there = [accounts.identities.holder(token) is not None for token in tokens]
    assert there == [True, False, True, True]


@pytest.mark.parametrize("outdated", [False, True])
async def test_a_login_in_progress_with_the_old_password_is_refused(
    accounts: Accounts, outdated: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = accounts.store
    account, token, _ = await accounts.create("anna", PASSWORD, "", "")
    fits, slow, go_on = accounts._passwords.fits, asyncio.Event(), asyncio.Event()

    async def dawdle(kept: str | None, password: str) -> bool:
        found = await fits(kept, password)
        slow.set()
        await go_on.wait()
        return found

    monkeypatch.setattr(accounts._passwords, "fits", dawdle)
    monkeypatch.setattr(accounts._passwords, "outdated", lambda kept: outdated)
    late = [
        asyncio.create_task(accounts.login("anna", PASSWORD, "", "")),
        asyncio.create_task(accounts.change_password(account, token, PASSWORD, "a third horse", "")),
        asyncio.create_task(accounts.forget(account, PASSWORD, "")),
    ]
    await slow.wait()
    monkeypatch.setattr(accounts._passwords, "fits", fits)
    monkeypatch.setattr(accounts._passwords, "outdated", lambda kept: False)
    await accounts.change_password(account, token, PASSWORD, "another horse", "")
    monkeypatch.setattr(accounts._passwords, "outdated", lambda kept: outdated)
    go_on.set()
    for task in late:
        with pytest.raises(Refusal, match="has just been changed"):
            await task
    assert [row.digest for row in await store.sessions()] == [token_digest(token)]
    assert (await accounts.login("anna", "another horse", "", ""))[0] is account


async def test_no_secret_is_stored_or_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
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


async def test_behind_a_trusted_proxy_every_client_has_its_own_address() -> None:
    async with kept_rig(proxies="127.0.0.0/8") as server:
        await register(server)
        bad = {"name": "Anna", "password": "wrong horse"}
        for _ in range(6):
            status, _ = await server.post("/api/session", bad, **{"X-Forwarded-For": "made up, 192.0.2.1"})
        assert status == 429
        status, _ = await server.post("/api/session", GOOD, **{"X-Forwarded-For": "192.0.2.2"})
        assert status == 201


async def test_a_client_cannot_make_up_an_address() -> None:
    async with kept_rig() as server:
        await register(server)
        bad = {"name": "Anna", "password": "wrong horse"}
        for number in range(6):
            status, _ = await server.post("/api/session", bad, **{"X-Forwarded-For": f"192.0.2.{number}"})
        assert status == 429


async def test_wrong_passwords_from_elsewhere_do_not_lock_out_the_owner(accounts: Accounts) -> None:
    await accounts.create("Anna", PASSWORD, "", "home")
    accounts._passwords.fits = guess  # type: ignore[method-assign]  # argon2 would take a minute
    for number in range(100):
        with pytest.raises(Refusal, match="wrong name or password"):
            await accounts.login("Anna", "wrong horse", "", f"192.0.2.{number}")
    with pytest.raises(Refusal, match="too many failed logins with this name"):
        await accounts.login("Anna", PASSWORD, "", "a friend's house")
    assert (await accounts.login("Anna", PASSWORD, "", "home"))[0].name == "Anna"
    again = Accounts(accounts.store, Identities(), lambda key: [], nobody)
    await again.open()
    assert again._known == accounts._known, "it is remembered after a restart"
    again.close()


async def guess(kept: str | None, password: str) -> bool:
    return password == PASSWORD


async def test_lobbies_delete_users_inactive_for_a_year() -> None:
    store = MemoryStore()
    person = '{{"id": "u{}", "nickname": "Ana"}}'
    for number in range(3):
        await store.keep("tarock", f"user {token_digest(f'token {number}')}", person.format(number))
    for name in await store.kept("tarock"):
        store._used["tarock", name] = "2020-01-01"
    tables = Tables(store)
    seat_tokens = ["", "", token_digest("token 2"), ""]
    shell = await tables.open(find_game("tarock"), TableSpec(["open"] * 4, seat_tokens=seat_tokens))
    shell.table.places[2].name = "Ana"  # the account has been playing since last year
    reception = LobbyServer(tables, find_game("tarock"), await store.kept("tarock"), {})
    assert isinstance(reception.lobby, RoomLobby)
    assert reception.lobby.users.known("token 1") is not None
    await reception.forget_unused()
    left = {f"user {token_digest(f'token {number}')}" for number in (1, 2)}
    assert set(await store.kept("tarock")) == left
    assert reception.lobby.users.known("token 0") is None
    await tables.stop("over")


async def test_a_name_of_the_workshop_requires_its_token(tmp_path: Path) -> None:
    token = "k3J9xQ0aLm27TzPw5cVd"
    store = await open_store(tmp_path / "games.db")
    await store.keep("sagrada", "user anna", f"anna {token_digest(token)}")
    async with rig(store=store) as server:
        accounts = server.house.accounts
        assert accounts is not None
        for guest in ("", "another token, long enough"):
            with pytest.raises(Refusal, match="another player uses it"):
                await accounts.create("Anna", PASSWORD, guest, "")
        account, _, _ = await accounts.create("Anna", PASSWORD, token, "")
        assert server.house.identities.holder(token) is account
    await store.close()


async def test_a_recovery_code_replaces_a_forgotten_password_once() -> None:
    async with kept_rig() as server:
        status, made = await server.post("/api/account", {"name": "Anna", "password": "a long secret"})
        assert (status, len(made["recovery"])) == (201, 4)
        code = made["recovery"][0]
        stored = await server.house.store.kept("recovery")
        assert len(stored) == 4
        assert code.replace("-", "") not in str(stored), "only digests are stored"
        wish = {"name": "anna", "code": code.upper().replace("-", " "), "password": "another secret"}
        status, told = await server.post("/api/account/recovery", {**wish, "password": "short"})
        assert (status, told["key"]) == (400, "bad_password")
        status, told = await server.post("/api/account/recovery", wish)
        assert (status, told["name"]) == (201, "Anna")
        assert (await server.get("/api/account", Authorization=f"Bearer {made['token']}"))[0] == 401
        assert (await server.get("/api/account", Authorization=f"Bearer {told['token']}"))[0] == 200
        assert (await server.post("/api/session", {"name": "Anna", "password": "another secret"}))[0] == 201
        status, told = await server.post("/api/account/recovery", wish)
        assert (status, told["key"]) == (401, "bad_login"), "each code works once"
        for name in ("Anna", "Nobody"):
            wrong = {"name": name, "code": "0000-0000-0000-0000", "password": "another secret"}
            status, told = await server.post("/api/account/recovery", wrong)
            assert (status, told["key"]) == (401, "bad_login")


async def test_guesses_of_recovery_codes_are_limited_like_logins() -> None:
    async with kept_rig() as server:
        await register(server)
        wrong = {"name": "Anna", "code": "0000-0000-0000-0000", "password": "another secret"}
        answers = [(await server.post("/api/account/recovery", wrong))[0] for _ in range(6)]
        assert answers == [401] * 5 + [429]
        login = {"name": "Anna", "password": "a wrong secret"}
        assert (await server.post("/api/session", login))[0] == 429


async def test_the_codes_of_a_deleted_account_are_forgotten() -> None:
    async with kept_rig() as server:
        secret = {"name": "Anna", "password": "a long secret"}
        token = (await server.post("/api/account", secret))[1]["token"]
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        body = b'{"password": "a long secret"}'
        async with server.session.delete(server.http + "/api/account", data=body, headers=headers) as gone:
            assert gone.status == 204
        assert await server.house.store.kept("recovery") == {}
