"""Croupier with the fault that CHAOS_FAULT names: `python -m tests.chaos.faulty serve …`."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Sequence
from typing import Any

from chaos import observed
from croupier.cli.main import main
from croupier.net.fair_clock import FairClock
from croupier.store.sqlite import SqliteStore
from croupier.table.shell import Shell
from croupier.table.tables import Tables
from croupier.wire.house import HouseConversation
from croupier.wire.talk import Output, Request, TableInfo
from tests.table.test_stored_first import tell_first

KEPT: list[Shell] = []


def replace(owner: type, name: str, method: object) -> None:
    """Give a class another method."""
    setattr(owner, name, method)


def told_before_stored() -> None:
    """Tell first, and store half a second later."""
    append = SqliteStore.append_soon

    def late(store: SqliteStore, *what: Any, **how: Any) -> None:
        asyncio.get_running_loop().call_later(0.5, lambda: append(store, *what, **how))

    replace(Shell, "_perform", tell_first)
    replace(SqliteStore, "append_soon", late)


def a_table_is_forgotten() -> None:
    """Do not find one of the tables after a restart."""
    recover = Tables.recover

    async def some(tables: Tables) -> int:
        found = await recover(tables)
        for id in [id for id in tables._unrestored if id != "default"][:1]:
            del tables._unrestored[id]
        return found

    replace(Tables, "recover", some)


def input_that_fails() -> None:
    """Raise an error for some input."""
    receive = HouseConversation.receive

    def fragile(conversation: HouseConversation, data: str | bytes, now: float) -> Sequence[Output]:
        assert "null" not in str(data), "no such input was expected"
        return receive(conversation, data, now)

    replace(HouseConversation, "receive", fragile)


def queues_without_limit() -> None:
    """Never disconnect a client that does not read."""
    begin = HouseConversation.__init__

    def unlimited(conversation: HouseConversation, info: TableInfo, *more: Any) -> None:
        begin(conversation, info, *more)
        conversation.outbox_limit = 1 << 40

    replace(HouseConversation, "__init__", unlimited)


def slow_moves() -> None:
    """Block the event loop for a while with each request to a table."""
    post = Shell.post

    def slow(shell: Shell, peer: Any, request: Request) -> None:
        time.sleep(0.1)
        post(shell, peer, request)

    replace(Shell, "post", slow)


def unfair_clock() -> None:
    """Charge pauses of the process to the players."""
    replace(FairClock, "time", lambda clock: clock._read())


def tables_are_kept() -> None:
    """Free no closed table."""
    forget = Tables._forget

    def kept(tables: Tables, shell: Shell) -> None:
        KEPT.append(shell)
        forget(tables, shell)

    replace(Tables, "_forget", kept)


if __name__ == "__main__":
    globals()[os.environ["CHAOS_FAULT"]]()
    if observed.VARIABLE in os.environ:
        observed.start()
    sys.argv[0] = "croupier"
    main()
