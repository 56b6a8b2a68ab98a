"""Connections without sockets: real conversations with a real shell."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from croupier.core.options import Value
from croupier.games.hearts import GAME
from croupier.games.hearts.wire import HeartsConversation
from croupier.table.shell import Shell
from croupier.table.tables import Tables
from croupier.wire.house import HouseConversation
from croupier.wire.table_spec import TableSpec
from croupier.wire.talk import Conversation, Disconnect, Join, Note, Output, Refused, Request, Send, TableInfo

Frame = dict[str, Any]
NAMES = ["ann", "bob", "cyd", "dan"]
QUICK: dict[str, Value] = {"command_interval": 0, "round_interval": 0, "deal_interval": 0, "game_interval": 0}


def config(
    rules: dict[str, Value] | None = None, options: dict[str, Value] | None = None, **how: Any
) -> TableSpec:
    """Return a table without pauses for four programs; one deal by default."""
    return TableSpec(
        **{
            "seats": ["open"] * 4,
            "options": {"deals": 1, "match_games": 1, **(rules or {})},
            "table_options": {**QUICK, **(options or {})},
            "seed": "1",
            **how,
        }
    )


async def open_table(tables: Tables, how: TableSpec | None = None, id: str | None = None) -> Shell:
    return await tables.open(GAME, how if how is not None else config(), id)


class Connection:
    """A peer of a shell that keeps its frames in a list."""

    def __init__(
        self, shell: Shell, converse: Callable[[TableInfo], Conversation] = HouseConversation
    ) -> None:
        self._conversation = converse(shell.table)
        self.shell = shell
        self.frames: list[Frame] = []
        self.disconnected: Disconnect | None = None
        self.refusals = 0
        self.on_frame: Callable[[Frame], None] = lambda frame: None
        self._loop = asyncio.get_running_loop()
        shell.attach(self)
        for output in self.conversation.greet(self._loop.time()):
            assert isinstance(output, Send)
            self.send(output.frame)

    @property
    def conversation(self) -> Conversation:
        return self._conversation

    def send(self, frame: str | bytes) -> None:
        message: Frame = msgspec.json.decode(frame)
        self.frames.append(message)
        self.on_frame(message)

    def note(self, note: Note, now: float) -> None:
        self.refusals += isinstance(note, Refused) and isinstance(note.request, Join)
        for frame in self.conversation.note(note, now):
            self.send(frame)
        if self.conversation.pending():
            self._loop.call_soon(self._resume)

    def _resume(self) -> None:
        self._carry_out(self.conversation.resume(self._loop.time()))

    def deliver(self, frames: Sequence[str | bytes]) -> None:
        for frame in frames:
            self.send(frame)

    def replaced(self) -> None:
        for output in self.conversation.replaced():
            assert isinstance(output, Disconnect)
            self.disconnected = output

    def ousted(self, disconnect: Disconnect) -> None:
        self.disconnected = disconnect

    def say(self, message: object) -> None:
        """Let the peer send one frame."""
        data = msgspec.json.encode(message).decode()
        self._carry_out(self.conversation.receive(data, self._loop.time()))

    def _carry_out(self, outputs: Sequence[Output]) -> None:
        for output in outputs:
            if isinstance(output, Send):
                self.send(output.frame)
            elif isinstance(output, Request):
                self.shell.post(self, output)

    def join(self, name: str, seat: int | None = None, token: str = "t", **more: object) -> None:
        wish = {} if seat is None else {"seat": seat}
        if isinstance(self.conversation, HeartsConversation):
            number = {} if seat is None else {"playerNumber": seat + 1}
            self.say({"eventName": "join", "data": {"playerName": name, "token": token, **number}})
        else:
            self.say({"type": "join", "name": name, "token": token, **wish, **more})

    def drop(self) -> None:
        """Lose the connection."""
        self.shell.detach(self)

    def of(self, kind: str) -> list[Frame]:
        """Return the frames of this type."""
        return [frame for frame in self.frames if frame.get("type", frame.get("eventName")) == kind]

    def play_along(self) -> None:
        """Answer every question of a Hearts table at once, with the first legal choices."""

        def answer(frame: Frame) -> None:
            if frame.get("type") == "ask":
                count = 3 if frame["legal"][0].startswith("pass ") else 1
                self._loop.call_soon(
                    self.say,
                    {
                        "type": "act",
                        "turn": frame["turn"],
                        "actions": frame["legal"][:count],
                        "id": frame["turn"],
                    },
                )

        self.on_frame = answer


async def back(tables: Tables, id: str) -> Shell:
    """Return the shell of a table that is restored after a restart."""
    shell = await tables.find(id)
    assert shell is not None
    return shell


async def settled() -> None:
    """Let the event loop run until nothing is left to do now."""
    for _ in range(60):
        await asyncio.sleep(0)


async def four(shell: Shell, playing: bool = True) -> list[Connection]:
    """Let four house programs join."""
    connections = [Connection(shell) for _ in NAMES]
    for seat, connection in enumerate(connections):
        if playing:
            connection.play_along()
        connection.join(NAMES[seat], seat)
    await settled()
    return connections
