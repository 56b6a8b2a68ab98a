"""Thinkers: real processes that answer, are cancelled, die, and are gone when the server is."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from croupier.store.memory import MemoryStore
from croupier.table.hall import Hall
from croupier.table.task import Task
from croupier.table.thinkers import Aside, Thinkers
from croupier.wire.talk import GATHERING
from tests.net.rig import eventually
from tests.table.peers import Connection, config, open_table
from tests.table.test_pondering import Study, study

pytestmark = pytest.mark.slow


@pytest.fixture
async def thinkers() -> AsyncIterator[Thinkers]:
    made = Thinkers(1)
    yield made
    await made.stop()


@pytest.fixture(scope="module")
def position() -> Study:
    return study()


def tasks(position: Study, bot: str = "novice", **how: object) -> list[Task]:
    return [replace(one.task, bot=bot, **how) for one in position.pondered]  # type: ignore[arg-type]


def ask(thinkers: Thinkers, task: Task) -> asyncio.Future[int | None]:
    found: asyncio.Future[int | None] = asyncio.get_running_loop().create_future()
    thinkers.ask(task, found.set_result)
    return found


def alive(pid: int) -> bool:
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] != "Z"


async def test_every_task_is_answered(thinkers: Thinkers, position: Study) -> None:
    assert thinkers.pids() == [], "nothing runs before there is work"
    answers = [ask(thinkers, task) for task in tasks(position)]
    for task, answer in zip(tasks(position), answers, strict=True):
        assert await answer in position.legal(task)
    assert len(thinkers.pids()) == 1
    assert os.getpriority(os.PRIO_PROCESS, thinkers.pids()[0]) == 19
    assert (thinkers.figures.answered, thinkers.figures.failed) == (3, 0)


async def test_the_process_says_what_a_search_here_would_say(thinkers: Thinkers, position: Study) -> None:
    task = tasks(position, seconds=600.0)[0]
    beside = Aside()
    found: asyncio.Future[int | None] = asyncio.get_running_loop().create_future()
    beside.ask(task, found.set_result)
    assert await ask(thinkers, task) == await found
    beside.stop()


async def test_a_thought_is_cancelled_and_one_that_waits_is_never_begun(
    thinkers: Thinkers, position: Study
) -> None:
    long, queued, last = tasks(position, "expert", seconds=600.0)
    heard: list[int | None] = []
    cancel = thinkers.ask(long, heard.append)
    forget = thinkers.ask(queued, heard.append)
    await eventually(lambda: thinkers.thinking == 1 and bool(thinkers.pids()))
    forget()
    cancel()
    assert await ask(thinkers, replace(last, bot="novice")) is not None, "the process is free again"
    assert heard == []
    assert (thinkers.figures.answered, thinkers.figures.cancelled) == (1, 2)


async def test_whose_time_is_up_first_comes_first(thinkers: Thinkers, position: Study) -> None:
    first, second, third = tasks(position)
    order: list[str] = []

    def asked(name: str, task: Task, seconds: float) -> asyncio.Future[int | None]:
        found = ask(thinkers, replace(task, seconds=seconds))
        found.add_done_callback(lambda _: order.append(name))
        return found

    busy = asked("busy", first, 60.0)
    await eventually(lambda: thinkers.thinking == 1)
    await asyncio.gather(busy, asked("bots", second, 60.0), asked("people", third, 2.0))
    assert order == ["busy", "people", "bots"]


async def test_a_process_that_is_killed_is_replaced(thinkers: Thinkers, position: Study) -> None:
    long, next_one, _ = tasks(position, "expert", seconds=600.0)
    answer = ask(thinkers, long)
    await eventually(lambda: bool(thinkers.pids()))
    pid = thinkers.pids()[0]
    os.kill(pid, signal.SIGKILL)
    assert await answer is None
    assert await ask(thinkers, replace(next_one, bot="novice")) in position.legal(next_one)
    assert thinkers.pids() != [pid]
    assert thinkers.figures.failed == 1


async def test_a_task_that_cannot_be_is_no_end(thinkers: Thinkers, position: Study) -> None:
    task = tasks(position)[0]
    assert await ask(thinkers, replace(task, game="chess")) is None
    assert await ask(thinkers, replace(task, match="other", course=b"\1")) is None
    pid = thinkers.pids()
    assert await ask(thinkers, replace(task, match="another")) is not None
    assert thinkers.pids() == pid, "a mistake in a task does not cost a process"


async def test_who_leaves_is_not_thought_against(thinkers: Thinkers) -> None:
    hall = Hall(MemoryStore(), thinkers=thinkers)
    seats = ["open", "bot expert", "bot expert", "bot expert"]
    runner = await open_table(hall, config(seats=seats))
    ann = Connection(runner)
    ann.join("ann", 0)
    await eventually(lambda: thinkers.thinking == 1)
    ann.say({"type": "leave"})
    await eventually(lambda: thinkers.thinking == thinkers.waiting == 0)
    assert thinkers.figures.cancelled == 3
    assert thinkers.figures.answered == 0
    assert runner.table.phase == GATHERING
    await hall.stop("enough")


async def test_nothing_is_left_behind(position: Study) -> None:
    thinkers = Thinkers(2)
    heard: list[int | None] = []
    for task in tasks(position, "expert", seconds=600.0):
        thinkers.ask(task, heard.append)
    await eventually(lambda: len(thinkers.pids()) == 2)
    pids = thinkers.pids()
    await thinkers.stop()
    assert not any(map(alive, pids))
    assert heard == []
