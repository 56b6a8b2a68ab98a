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
from croupier.cluster.lease import Lease
from croupier.cluster.links import Links
from croupier.cluster.messages import Frame
from croupier.net.fair_clock import FairClock
from croupier.net.frames import pong_frame
from croupier.net.member import Member
from croupier.net.websocket import WebSocket
from croupier.store.api import StoreError
from croupier.store.postgres_nodes import Nodes
from croupier.store.postgres_writer import Writer
from croupier.store.sql import SqlStore
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
    append = SqlStore.append_soon

    def late(store: SqlStore, *what: Any, **how: Any) -> None:
        asyncio.get_running_loop().call_later(0.5, lambda: append(store, *what, **how))

    replace(Shell, "_perform", tell_first)
    replace(SqlStore, "append_soon", late)


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


def pings_are_all_answered() -> None:
    """Answer every ping of a client that does not read."""

    def answer(socket: WebSocket, payload: bytes) -> None:
        socket.writer.write(pong_frame(payload))

    replace(WebSocket, "_answer_ping", answer)


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
    """Keep closed tables in memory."""
    forget = Tables._forget

    def kept(tables: Tables, shell: Shell) -> None:
        KEPT.append(shell)
        forget(tables, shell)

    replace(Tables, "_forget", kept)


# Of nodes.


def a_takeover_repeats_a_move() -> None:
    """Store the last decision of a table a second time when it is restored."""
    restore = Tables._restore_one

    async def repeated(tables: Tables, unrestored: Any, lines: list[str] | StoreError) -> None:
        assert isinstance(lines, list), lines
        acted = [line for line in lines if '"acted"' in line]
        if acted:
            await tables.store.append(unrestored.row.id, unrestored.first + len(lines), acted[-1:])
        await restore(tables, unrestored, lines)

    replace(Tables, "_restore_one", repeated)


def a_stale_owner_goes_on() -> None:
    """Continue without a lease, and treat a refused write as stored."""

    async def done(writer: Writer, number: int, db: Any) -> bool:
        return True

    replace(Lease, "acts", lambda lease, now: True)
    replace(Writer, "_check_done", done)


def lost_messages_are_not_noticed() -> None:
    """Accept the messages of the bus in spite of gaps, and continue when it cannot be reached."""
    pass_on = Links._pass_on

    def any_number(links: Links, sender: int, frame: Frame) -> None:
        for edge in (False, True):
            stream = links._streams.get((sender, frame.connection, edge))
            if stream is not None:
                stream.heard = frame.number
        pass_on(links, sender, frame)

    replace(Links, "_pass_on", any_number)
    replace(Links, "_compare", lambda links, sender, payload: None)
    replace(Links, "drop", lambda links, peer, reason: None)


def nothing_is_released() -> None:
    """Stop without giving up what the node owns."""

    async def release(nodes: Nodes) -> None:
        pass

    async def stop(writer: Writer) -> None:
        writer._closing = True
        writer._wake.set()
        await writer._task
        writer._timer.cancel()
        writer._drop()

    replace(Nodes, "release", release)
    replace(Writer, "stop", stop)


def a_stop_aborts_matches() -> None:
    """Close all tables before they are given up."""
    drain = Member.drain

    async def closing(member: Member) -> None:
        tables = member._house.tables
        for id in list(tables.shells):
            await tables.close_table(id, "the server stops")
        await drain(member)

    replace(Member, "drain", closing)


if __name__ == "__main__":
    globals()[os.environ["CHAOS_FAULT"]]()
    if observed.VARIABLE in os.environ:
        observed.start()
    sys.argv[0] = "croupier"
    main()
