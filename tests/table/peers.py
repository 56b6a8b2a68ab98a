"""Connections without sockets: real conversations at a real runner."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from croupier.core.options import Value
from croupier.games.hearts import GAME
from croupier.games.hearts.wire import HeartsConversation
from croupier.store import MatchRow, StoreError
from croupier.store.memory import MemoryStore
from croupier.store.people import PlayerRow
from croupier.table.hall import Config, Hall
from croupier.table.runner import Runner
from croupier.wire.house import HouseConversation
from croupier.wire.talk import Conversation, Face, Hang, Join, Note, Refused, Request, Send

Frame = dict[str, Any]
NAMES = ["ann", "bob", "cyd", "dan"]
QUICK: dict[str, Value] = {"command_interval": 0, "round_interval": 0, "deal_interval": 0}


def config(
    rules: dict[str, Value] | None = None, options: dict[str, Value] | None = None, **how: Any
) -> Config:
    """Return a table without pauses for four programs, one deal, unless told otherwise."""
    return Config(
        **{
            "seats": ["open"] * 4,
            "options": {"deals": 1, "match_games": 1, **(rules or {})},
            "table_options": {**QUICK, **(options or {})},
            "seed": "1",
            **how,
        }
    )


async def open_table(hall: Hall, how: Config | None = None, id: str | None = None) -> Runner:
    return await hall.open(GAME, how if how is not None else config(), id)


class Connection:
    """What a runner calls a peer, with its frames in a list."""

    def __init__(self, runner: Runner, converse: Callable[[Face], Conversation] = HouseConversation) -> None:
        self._conversation = converse(runner.table)
        self.runner = runner
        self.frames: list[Frame] = []
        self.hung: Hang | None = None
        self.refusals = 0
        self.on_frame: Callable[[Frame], None] = lambda frame: None
        self._loop = asyncio.get_running_loop()
        runner.attach(self)
        for output in self.conversation.greet(self._loop.time()):
            assert isinstance(output, Send)
            self.send(output.frame)

    @property
    def conversation(self) -> Conversation:
        return self._conversation

    def send(self, frame: str) -> None:
        message: Frame = msgspec.json.decode(frame)
        self.frames.append(message)
        self.on_frame(message)

    def note(self, note: Note, now: float) -> None:
        self.refusals += isinstance(note, Refused) and isinstance(note.request, Join)
        for frame in self.conversation.note(note, now):
            self.send(frame)

    def replaced(self) -> None:
        for output in self.conversation.replaced():
            assert isinstance(output, Hang)
            self.hung = output

    def ousted(self, hang: Hang) -> None:
        self.hung = hang

    def say(self, message: object) -> None:
        """Let the peer send one frame."""
        data = msgspec.json.encode(message).decode()
        for output in self.conversation.receive(data, self._loop.time()):
            if isinstance(output, Send):
                self.send(output.frame)
            elif isinstance(output, Request):
                self.runner.post(self, output)

    def join(self, name: str, seat: int | None = None, token: str = "t", **more: object) -> None:
        wish = {} if seat is None else {"seat": seat}
        if isinstance(self.conversation, HeartsConversation):
            number = {} if seat is None else {"playerNumber": seat + 1}
            self.say({"eventName": "join", "data": {"playerName": name, "token": token, **number}})
        else:
            self.say({"type": "join", "name": name, "token": token, **wish, **more})

    def drop(self) -> None:
        """Lose the connection."""
        self.runner.detach(self)

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


async def settled() -> None:
    """Let everything happen that can happen now."""
    for _ in range(60):
        await asyncio.sleep(0)


async def four(runner: Runner, playing: bool = True) -> list[Connection]:
    """Let four house programs join."""
    connections = [Connection(runner) for _ in NAMES]
    for seat, connection in enumerate(connections):
        if playing:
            connection.play_along()
        connection.join(NAMES[seat], seat)
    await settled()
    return connections


class SlowStore(MemoryStore):
    """A memory that takes its time, and fails when told to."""

    def __init__(self, delay: float = 0.005) -> None:
        super().__init__()
        self.delay = delay
        self.fail_at: dict[str, int] = {}
        """For each table the append to fail at, counted down."""
        self.failed: list[list[str]] = []
        """What was not stored."""

    async def append(
        self,
        table_id: str,
        first_number: int,
        entries: Sequence[str],
        matches: Sequence[MatchRow] = (),
        players: Sequence[PlayerRow] = (),
    ) -> None:
        await asyncio.sleep(self.delay)
        if table_id in self.fail_at:
            self.fail_at[table_id] -= 1
            if self.fail_at[table_id] < 0:
                del self.fail_at[table_id]
                self.failed.append(list(entries))
                raise StoreError("no room on the disk")
        await super().append(table_id, first_number, entries, matches, players)
