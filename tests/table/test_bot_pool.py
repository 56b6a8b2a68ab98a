"""BotPool with real processes: answers, cancelling, failing processes, stopping."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from croupier.store.memory import MemoryStore
from croupier.table.bot_pool import REST, BotPool, BotThread, Throttle
from croupier.table.bot_task import BotTask
from croupier.table.tables import Tables
from croupier.wire.talk import GATHERING
from tests.net.rig import eventually
from tests.table.peers import Connection, config, open_table
from tests.table.test_searching import Study, study

pytestmark = pytest.mark.slow


@pytest.fixture
async def bot_pool() -> AsyncIterator[BotPool]:
    made = BotPool(1)
    yield made
    await made.stop()


@pytest.fixture(scope="module")
def position() -> Study:
    return study()


def tasks(position: Study, bot: str = "novice", **how: object) -> list[BotTask]:
    return [replace(one.task, bot=bot, **how) for one in position.searches]  # type: ignore[arg-type]


def ask(bot_pool: BotPool, task: BotTask) -> asyncio.Future[int | None]:
    found: asyncio.Future[int | None] = asyncio.get_running_loop().create_future()
    bot_pool.ask(task, found.set_result)
    return found


def alive(pid: int) -> bool:
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] != "Z"


async def test_every_task_is_answered(bot_pool: BotPool, position: Study) -> None:
    assert bot_pool.pids() == [], "nothing runs before there is work"
    answers = [ask(bot_pool, task) for task in tasks(position)]
    for search, answer in zip(position.searches, answers, strict=True):
        assert await answer in search.legal
    assert len(bot_pool.pids()) == 1
    assert os.getpriority(os.PRIO_PROCESS, bot_pool.pids()[0]) == 19
    assert (bot_pool.figures.answered, bot_pool.figures.failed) == (3, 0)


async def test_a_process_chooses_the_same_action_as_a_search_in_this_process(
    bot_pool: BotPool, position: Study
) -> None:
    task = tasks(position, seconds=600.0)[0]
    beside = BotThread()
    found: asyncio.Future[int | None] = asyncio.get_running_loop().create_future()
    beside.ask(task, found.set_result)
    assert await ask(bot_pool, task) == await found
    beside.stop()


async def test_a_running_search_is_cancelled_and_a_waiting_one_is_not_started(
    bot_pool: BotPool, position: Study
) -> None:
    long, queued, last = tasks(position, "expert", seconds=600.0)
    heard: list[int | None] = []
    cancel = bot_pool.ask(long, heard.append)
    forget = bot_pool.ask(queued, heard.append)
    await eventually(lambda: bot_pool.searching == 1 and bool(bot_pool.pids()))
    forget()
    cancel()
    assert await ask(bot_pool, replace(last, bot="novice")) is not None, "the process is free again"
    assert heard == []
    assert (bot_pool.figures.answered, bot_pool.figures.cancelled) == (1, 2)


async def test_the_task_with_the_earliest_deadline_comes_first(bot_pool: BotPool, position: Study) -> None:
    first, second, third = tasks(position)
    order: list[str] = []

    def asked(name: str, task: BotTask, seconds: float) -> asyncio.Future[int | None]:
        found = ask(bot_pool, replace(task, seconds=seconds))
        found.add_done_callback(lambda _: order.append(name))
        return found

    busy = asked("busy", first, 60.0)
    await eventually(lambda: bot_pool.searching == 1)
    await asyncio.gather(busy, asked("bots", second, 60.0), asked("people", third, 2.0))
    assert order == ["busy", "people", "bots"]


async def test_a_process_that_is_killed_is_replaced(bot_pool: BotPool, position: Study) -> None:
    long, next_one, _ = tasks(position, "expert", seconds=600.0)
    answer = ask(bot_pool, long)
    await eventually(lambda: bool(bot_pool.pids()))
    pid = bot_pool.pids()[0]
    os.kill(pid, signal.SIGKILL)
    assert await answer is None
    assert await ask(bot_pool, replace(next_one, bot="novice")) in position.searches[1].legal
    assert bot_pool.pids() != [pid]
    assert bot_pool.figures.failed == 1


async def test_an_invalid_task_fails_without_ending_the_process(bot_pool: BotPool, position: Study) -> None:
    task = tasks(position)[0]
    assert await ask(bot_pool, replace(task, game="chess")) is None
    assert await ask(bot_pool, replace(task, match="other", course=b"\1")) is None
    pid = bot_pool.pids()
    assert await ask(bot_pool, replace(task, match="another")) is not None
    assert bot_pool.pids() == pid, "an invalid task does not end the process"


async def test_the_search_is_cancelled_when_the_player_leaves(bot_pool: BotPool) -> None:
    tables = Tables(MemoryStore(), bot_pool=bot_pool)
    seats = ["open", "bot expert", "bot expert", "bot expert"]
    shell = await open_table(tables, config(seats=seats))
    ann = Connection(shell)
    ann.join("ann", 0)
    await eventually(lambda: bot_pool.searching == 1)
    ann.say({"type": "leave"})
    await eventually(lambda: bot_pool.searching == bot_pool.waiting == 0)
    assert bot_pool.figures.cancelled == 3
    assert bot_pool.figures.answered == 0
    assert shell.table.phase == GATHERING
    await tables.stop("enough")


async def test_a_table_continues_when_the_process_of_its_bots_dies(bot_pool: BotPool) -> None:
    tables = Tables(MemoryStore(), bot_pool=bot_pool)
    shell = await open_table(tables, config(seats=["open", "bot expert", "bot expert", "bot expert"]))
    ann = Connection(shell)
    ann.join("ann", 0)
    await eventually(lambda: bot_pool.searching == 1 and bool(bot_pool.pids()))
    os.kill(bot_pool.pids()[0], signal.SIGKILL)
    await eventually(lambda: shell.table.actions > 0)
    assert ann.disconnected is None
    assert not tables.broken
    await tables.stop("enough")


async def test_no_process_is_left_after_a_stop(position: Study) -> None:
    bot_pool = BotPool(2)
    heard: list[int | None] = []
    for task in tasks(position, "expert", seconds=600.0):
        bot_pool.ask(task, heard.append)
    await eventually(lambda: len(bot_pool.pids()) == 2)
    pids = bot_pool.pids()
    await bot_pool.stop()
    assert not any(map(alive, pids))
    assert heard == []


def test_a_search_rests_only_after_it_had_to_wait_for_the_processor() -> None:
    clock, used = [100.0], [5.0]
    rests: list[float] = []

    def rest(seconds: float) -> None:
        rests.append(seconds)
        clock[0] += seconds

    throttle = Throttle(lambda: clock[0], lambda: used[0], rest)
    for worked, waited in ((0.005, 0.0), (0.005, 0.0005), (0.005, 0.002), (0.005, 0.0)):
        clock[0] += worked + waited
        used[0] += worked
        throttle.pause()
    assert rests == [REST]
