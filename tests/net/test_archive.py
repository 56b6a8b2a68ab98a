"""Finished matches over HTTP: one thread replays them, and the tables go on."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from croupier.core import record
from croupier.net import api
from croupier.table import archive
from tests.net.rig import eventually, rig
from tests.net.test_api import BOTS, finished

ONE_DEAL = {**BOTS, "options": {"match_games": 1, "deals": 1}}


async def test_matches_are_replayed_one_after_the_other_and_not_by_the_event_loop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    most, running, threads = 0, 0, set[threading.Thread]()

    def watched(compute: Callable[..., Any]) -> Callable[..., Any]:
        def run(*arguments: Any, **named: Any) -> Any:
            nonlocal most, running
            threads.add(threading.current_thread())
            running += 1
            most = max(most, running)
            time.sleep(0.01)  # other threads may run
            try:
                return compute(*arguments, **named)
            finally:
                running -= 1

        return run

    async with rig() as server:
        id = await finished(server, (await server.post("/api/tables", ONE_DEAL))[1]["id"])
        monkeypatch.setattr(api, "_steps", watched(api._steps))
        monkeypatch.setattr(record, "replay", watched(record.replay))
        paths = [f"/api/matches/{id}{rest}" for rest in ("", "/steps?deal=1", "/review?deal=9")]
        found = await asyncio.gather(*(server.get(path) for path in paths * 3))
    assert [status for status, _ in found] == [200, 200, 400] * 3
    assert most == 1
    assert threading.main_thread() not in threads


async def test_only_so_many_requests_wait_for_a_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "QUEUE", 2)
    go_on = threading.Event()
    steps = api._steps

    def slow(*arguments: Any) -> Any:
        go_on.wait(60)
        return steps(*arguments)

    async with rig() as server:
        id = await finished(server, (await server.post("/api/tables", ONE_DEAL))[1]["id"])
        monkeypatch.setattr(api, "_steps", slow)
        path = f"/api/matches/{id}/steps?deal=1"
        waiting = [asyncio.create_task(server.get(path)) for _ in range(2)]
        await eventually(lambda: server.house.archive.waiting == 2)
        status, refusal = await server.get(path)
        assert (status, refusal["key"]) == (503, "busy")
        go_on.set()
        assert [status for status, _ in await asyncio.gather(*waiting)] == [200, 200]
