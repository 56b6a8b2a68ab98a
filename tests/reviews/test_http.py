"""Reviews over HTTP: computed in another process, sent decision by decision, ended without readers."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest

from croupier.core.refusal import Refusal
from croupier.reviews import service
from croupier.reviews.service import Review, Reviews
from tests.net.rig import Rig, eventually, rig
from tests.net.test_api import BOTS, finished


async def one_deal(server: Rig) -> str:
    """Let bots play a match of one deal and return its id."""
    made = (await server.post("/api/tables", {**BOTS, "options": {"match_games": 1, "deals": 1}}))[1]
    return await finished(server, made["id"])


async def lines(server: Rig, match: str) -> list[dict[str, Any]]:
    async with server.session.get(f"{server.http}/api/matches/{match}/review?deal=1") as response:
        assert (response.status, response.content_type) == (200, "application/x-ndjson")
        return [msgspec.json.decode(line) async for line in response.content]


@pytest.mark.slow
async def test_a_review_is_sent_decision_by_decision_and_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "BUDGET", 2)
    async with rig() as server:
        match = await one_deal(server)
        head, *findings, end = await lines(server, match)
        assert head == {"decisions": len(findings)}
        assert len(findings) > 30
        assert end["done"]
        assert end["costly"] > 0
        steps = (await server.get(f"/api/matches/{match}/steps?deal=1"))[1]["steps"]
        for found in findings:
            seat, _, actions = steps[found["step"]]["entry"].removesuffix(" (bot)").partition(" ")
            assert (found["seat"], found["played"]["actions"]) == (int(seat), actions.split(", "))
        monkeypatch.setattr(Review, "compute", None)
        assert await lines(server, match) == [head, *findings, end], "nothing is computed a second time"


@pytest.mark.slow
async def test_a_review_without_readers_ends_and_few_run_at_the_same_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(service, "BUDGET", 1_000_000)
    monkeypatch.setattr(service, "MOST", 1)
    reviews = Reviews()
    monkeypatch.setattr("croupier.net.house.Reviews", lambda: reviews)
    async with rig() as server:
        first, second = await one_deal(server), await one_deal(server)
        address = f"{server.http}/api/matches/{first}/review?deal=1"
        async with server.session.get(address) as one, server.session.get(address) as other:
            assert b"decisions" in await one.content.readline()
            assert b"decisions" in await other.content.readline(), "both read the same"
            status, words = await server.get(f"/api/matches/{second}/review?deal=1")
            assert (status, words["key"]) == (503, "busy")
            assert reviews.computing == 1
        await eventually(lambda: reviews.computing == 0)


async def test_one_review_at_a_time_is_computed_for_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    async def endless(review: Review, order: object) -> None:
        await asyncio.sleep(3600.0)

    monkeypatch.setattr(Review, "compute", endless)
    reviews = Reviews()
    with reviews.reading("m", 1, "", "192.0.2.1"), reviews.reading("m", 1, "", "192.0.2.1"):
        with pytest.raises(Refusal, match="for your address"), reviews.reading("m", 2, "", "192.0.2.1"):
            pass
        with reviews.reading("m", 2, "", "192.0.2.2"):
            assert reviews.computing == 2
    await reviews.stop()


@pytest.mark.slow
@pytest.mark.parametrize("turns", range(4))
async def test_no_process_outlives_the_server(monkeypatch: pytest.MonkeyPatch, turns: int) -> None:
    reviews = Reviews()
    process: list[asyncio.subprocess.Process] = []
    start = asyncio.create_subprocess_exec

    async def started(*words: str, **how: Any) -> asyncio.subprocess.Process:
        process.append(await start(*words, **how))
        return process[-1]

    monkeypatch.setattr("asyncio.create_subprocess_exec", started)
    with reviews.reading("m", 1, "not a record, and there is no reader"):
        await eventually(lambda: bool(process))
    for _ in range(turns):  # the review may be about to end when the server stops
        await asyncio.sleep(0)
    await reviews.stop()
    assert process[0].returncode is not None, "the reader had just disconnected"


async def test_a_review_whose_process_cannot_start_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    async with rig() as server:
        match = await one_deal(server)
        monkeypatch.setattr("sys.executable", "/nonexistent")
        for _ in range(2):  # the second reader does not get the lines of the first attempt
            assert [line["key"] for line in await lines(server, match)] == ["broken_off"]


async def test_what_cannot_be_reviewed() -> None:
    async with rig() as server:
        assert (await server.get("/api/matches/nothing/review"))[1]["key"] == "no_such_match"
        match = await one_deal(server)
        for deal in ("0", "2", "x", "", "9" * 5000):
            status, words = await server.get(f"/api/matches/{match}/review?deal={deal}")
            assert (status, words["key"]) == (400, "bad_deal")
