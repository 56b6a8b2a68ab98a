"""The structs of the house protocol against a real server: they describe what it sends, in every game."""

from __future__ import annotations

import typing
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

import aiohttp
import msgspec
import pytest

from croupier.games import names
from croupier.wire import house_messages as messages
from croupier.wire.house_messages import ClientMessage, ServerMessage
from croupier.wire.house_parsing import KINDS
from tests.client.quick import finished, wish
from tests.integration.servers import Server, house

pytestmark = pytest.mark.slow

T = TypeVar("T")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with house(tmp_path_factory.mktemp("house"), "--log-level", "error") as server:
        yield server


class Raw:
    """A connection whose every frame is compared with its struct."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self.seen: dict[str, ServerMessage] = {}
        """The last message of each type."""

    async def send(self, message: ClientMessage) -> None:
        await self._socket.send_bytes(msgspec.json.encode(message))

    async def hear(self) -> ServerMessage | None:
        frame = await self._socket.receive()
        if frame.type != aiohttp.WSMsgType.TEXT:
            return None
        message: ServerMessage = msgspec.json.decode(frame.data, type=ServerMessage)
        assert msgspec.to_builtins(message) == msgspec.json.decode(frame.data), "every member has its field"
        self.seen[tag(type(message))] = message
        return message

    async def until(self, kind: type[T], **members: object) -> T:
        """Return the next message of a kind that has these members."""
        while (message := await self.hear()) is not None:
            if isinstance(message, kind) and all(getattr(message, n) == v for n, v in members.items()):
                return message
        raise AssertionError(f"the connection ended before {kind.__name__} {members}")

    async def ask(self, message: ClientMessage) -> ServerMessage:
        """Send a message and return its answer."""
        id = f"id of {type(message).__name__}"
        await self.send(msgspec.structs.replace(message, id=id))
        while (answer := await self.hear()) is not None:
            if getattr(answer, "id", None) == id and not isinstance(answer, messages.Table):
                return answer
        raise AssertionError("the connection ended before the answer")


def tag(kind: type[msgspec.Struct]) -> str:
    return str(kind.__struct_config__.tag)


def tags(union: object) -> set[str]:
    return {tag(kind) for kind in typing.get_args(union)}


@asynccontextmanager
async def connected(server: Server, table: str) -> AsyncIterator[Raw]:
    address = f"{server.ws}/house/{table}"
    async with aiohttp.ClientSession() as session, session.ws_connect(address, max_msg_size=0) as socket:
        yield Raw(socket)


@pytest.mark.parametrize("name", names())
async def test_a_match_of_every_game_in_structs(server: Server, name: str) -> None:
    table = server.new_table(game=name, **wish(name))
    async with connected(server, table) as watcher, connected(server, table) as player:
        assert await watcher.ask(messages.Watch(views="all", words=True)) == messages.Accepted("id of Watch")
        await player.send(messages.Join(name="ann", token="t", views="all", words=True, id=1))
        asked = 0
        while not (isinstance(heard := await player.hear(), messages.Event) and heard.kind == "match_ended"):
            if isinstance(heard, messages.Ask):
                asked += 1
                msgspec.convert(heard.view["words"], messages.Words)
                await player.send(messages.Act(turn=heard.turn, actions=heard.legal[:1], id=asked))
            assert heard is not None
            assert not isinstance(heard, messages.Refused)
        await watcher.until(messages.Reveal)
        row = finished(server, table)
        assert msgspec.to_builtins(msgspec.convert(row, messages.MatchRow)) == row
    assert asked
    assert {"table", "view", "event", "ask", "turn", "commit", "joined", "accepted"} <= set(player.seen)
    told = player.seen["event"]
    assert isinstance(told, messages.Event)
    assert told.view is not None
    assert msgspec.convert(told.view["words"], messages.Words).scores
    assert msgspec.to_builtins(msgspec.convert(told.view["words"], messages.Words)) == told.view["words"]
    assert told.words is not None
    assert {"table", "view", "event", "turn", "commit", "reveal"} <= set(watcher.seen)


async def test_every_message_of_a_client_is_taken_and_every_member_means_something(server: Server) -> None:
    sent = tags(ClientMessage)
    assert sent == set(KINDS)
    table = server.new_table(**{**wish("hearts"), "seats": ["open"] * 4, "start": False})
    async with connected(server, table) as ann, connected(server, table) as bob:
        assert await ann.ask(messages.Watch(words=True)) == messages.Accepted("id of Watch")
        view = await ann.until(messages.View)
        assert msgspec.convert(view.view["words"], messages.Words).question is None
        joined = await ann.ask(
            messages.Join(name="ann", token="t", seat=2, person=True, views="all", words=True)
        )
        assert joined == messages.Joined(2, False, "id of Join")
        while not (seats := (await ann.until(messages.Table)).seats)[2].name:
            pass
        assert (seats[2].name, seats[2].person, seats[2].connected) == ("ann", True, True)
        assert await ann.ask(messages.Ping()) == messages.Pong("id of Ping")
        refused = await bob.ask(messages.Say(text="hello"))
        assert isinstance(refused, messages.Refused)
        assert (refused.id, refused.key) == ("id of Say", "not_joined")
        arranged = await ann.ask(messages.Arrange(seats=["bot random", "bot random", "open", "bot random"]))
        assert arranged == messages.Accepted("id of Arrange")
        assert await ann.ask(messages.Say(text="hello")) == messages.Accepted("id of Say")
        assert await bob.until(messages.Said) == messages.Said(2, "ann", "hello")
        described = ann.seen["table"]
        assert isinstance(described, messages.Table)
        assert described.next_deal is not None
        nonce = messages.Nonce(digest=described.next_deal, nonce="mine")
        assert await ann.ask(nonce) == messages.Accepted("id of Nonce")
        assert await ann.ask(messages.Start()) == messages.Accepted("id of Start")
        asked = await ann.until(messages.Ask)
        committed = ann.seen["commit"]
        assert isinstance(committed, messages.Commit)
        assert (committed.digest, committed.nonces) == (described.next_deal, ["", "", "mine", ""])
        assert asked.seconds is not None
        told = ann.seen["event"]
        assert isinstance(told, messages.Event)
        assert told.words is not None
        assert told.view is not None
        first, second, *_ = [word.split()[1] for word in asked.legal]
        wrong = await ann.ask(messages.Act(turn=asked.turn, text=f"{first} {first} {second}"))
        assert isinstance(wrong, messages.Refused)
        right = messages.Act(turn=asked.turn, actions=asked.legal[:3])
        assert await ann.ask(right) == messages.Accepted("id of Act")
        last = ann.seen["event"]
        assert isinstance(last, messages.Event)
        async with connected(server, table) as again:
            back = await again.ask(messages.Join(name="ann", token="t", last=last.number - 2))
            assert back == messages.Joined(2, True, "id of Join")
            assert (await again.until(messages.Event)).number == last.number - 1
            assert await again.ask(messages.Leave()) == messages.Accepted("id of Leave")


async def test_the_last_message_of_a_server_that_stops(tmp_path: Path) -> None:
    with house(tmp_path, "--log-level", "error") as server:
        async with connected(server, "default") as client:
            await client.until(messages.View)
            server.stop()
            await client.until(messages.Closed)


def test_every_message_of_a_server_is_met_here() -> None:
    met = {"table", "view", "event", "ask", "turn", "commit", "reveal", "joined", "accepted"}
    elsewhere = {"notice"}  # tests/moderation
    assert met | {"said", "refused", "pong", "closed"} | elsewhere == tags(ServerMessage)


def test_the_structs_of_the_http_api(server: Server) -> None:
    table = messages.NewTable(
        game="coinche",
        seats=["open", *["bot random"] * 3],
        options={"target": 300},
        table_options={"card_pause": 0},
        seed="7",
        auto_cycle=True,
        start=False,
        watch_open=True,
        watch_delay=5,
        seat_tokens=["a", "", "", ""],
    )
    status, found = server.ask("/api/tables", msgspec.to_builtins(table))
    assert status == 201
    opened = msgspec.convert(found, messages.Opened)
    assert opened.house == f"{server.ws}/house/{opened.id}"
    for path, kind in [("/api/games", messages.GameRow), ("/api/tables", messages.TableRow)]:
        rows = server.ask(path)[1]
        assert rows
        assert msgspec.to_builtins(msgspec.convert(rows, list[kind])) == rows  # type: ignore[valid-type]
    status, found = server.ask("/api/tables", {"game": "chess", "seats": []})
    assert status == 400
    assert msgspec.to_builtins(msgspec.convert(found, messages.Problem)) == found
