"""Quick matches over HTTP: people who ask for the same game meet at one table."""

from __future__ import annotations

import asyncio
from typing import Any

from croupier.games import names
from croupier.net.quick_match import has_room, nearest
from croupier.wire.house_messages import Kind, Phase, Place, TableRow
from tests.net.rig import Rig, rig


async def ask(served: Rig, game: str) -> str:
    status, found = await served.post("/api/quick-match", {"game": game})
    assert status == 200, found
    assert found["page"] == f"/table/{found['id']}"
    return str(found["id"])


async def sit(served: Rig, id: str, name: str) -> dict[str, Any]:
    """Join a table as a person; return the answer."""
    socket = await served.connect(f"/house/{id}")
    await socket.send_json({"type": "join", "name": name, "token": name, "person": True, "id": 1})
    while True:
        frame: dict[str, Any] = await socket.receive_json()
        if frame.get("id") == 1:
            return frame


async def listed(served: Rig, id: str) -> dict[str, Any]:
    """Return the row of a table in the list."""
    _, rows = await served.get("/api/tables")
    return next(row for row in rows if row["id"] == id)


async def test_people_who_ask_for_the_same_game_meet() -> None:
    async with rig() as served:
        hearts = await asyncio.gather(*(ask(served, "hearts") for _ in range(3)))
        assert len(set(hearts)) == 1, "even before the first of them has joined"
        assert (await listed(served, hearts[0]))["deserted"], "nobody has come"
        for name in ("ann", "bob", "cyd", "dan"):
            assert await ask(served, "hearts") == hearts[0]
            assert (await sit(served, hearts[0], name))["type"] == "joined"
        assert await ask(served, "hearts") != hearts[0], "it is full"
        row = await listed(served, hearts[0])
        assert (row["quick_match"], row["deserted"]) == (True, False)


async def test_every_game_has_a_quick_match_and_no_other_game() -> None:
    async with rig() as served:
        tables = {game: await ask(served, game) for game in names()}
        assert len(set(tables.values())) == len(tables)
        for game, id in tables.items():
            assert served.tables.shells[id].table.game.name == game
        status, refused = await served.post("/api/quick-match", {"game": "chess"})
        assert (status, refused["key"]) == (404, "no_such_game")


async def test_quick_matches_count_as_tables_of_the_address() -> None:
    async with rig(most_per_address=1) as served:
        await sit(served, await ask(served, "hearts"), "ann")
        status, refused = await served.post("/api/quick-match", {"game": "tarock"})
        assert (status, refused["key"]) == (429, "too_many")


def seat(number: int, name: str = "", bot: bool = False, lost: bool = False, next: str = "") -> Place:
    kind: Kind = "bot" if bot else "person"
    here = bool(name) and not lost
    return Place(number, kind, "", name, None, number + 1, not bot, here, False, False, 0, 0, next)


def table(number: int, phase: Phase, *seats: Place, quick: bool = True) -> TableRow:
    return TableRow(
        f"t{number}", "hearts", "Hearts", phase, list(seats), 0, 0, "", "", number, quick_match=quick
    )


def test_a_table_has_room_for_a_person_if_somebody_is_there() -> None:
    free, ann, bot = seat(1), seat(0, "ann"), seat(1, "Ida", bot=True)
    assert has_room(table(1, "gathering", ann, free), "hearts")
    assert has_room(table(1, "playing", ann, bot), "hearts")
    assert not has_room(table(1, "playing", ann, seat(1, "Ida", bot=True, next="bob")), "hearts")
    assert not has_room(table(1, "gathering", free, free), "hearts")
    assert not has_room(table(1, "playing", seat(0, "ann", lost=True), bot), "hearts")
    assert not has_room(table(1, "gathering", ann, free, quick=False), "hearts")
    assert not has_room(table(1, "gathering", ann, free), "tarock")
    assert not has_room(table(1, "closed", ann, free), "hearts")


def test_a_table_that_waits_comes_first_then_the_one_with_the_most_people() -> None:
    ann, bob, free, bot = seat(0, "ann"), seat(1, "bob"), seat(2), seat(2, "Ida", bot=True)
    waits = table(5, "gathering", ann, free, free)
    fuller = table(6, "gathering", ann, bob, free)
    runs = table(1, "playing", ann, bob, bot)
    assert nearest([runs, waits, fuller]) is fuller
    assert nearest([runs, waits]) is waits
    assert nearest([]) is None
