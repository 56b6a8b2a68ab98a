"""The lobby of the wire while a table is being opened: who waits, who joins which table (spec 5, 12)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from croupier.core.contract import Game
from croupier.core.refusal import Refusal
from croupier.games.sagrada.tests.wiring import TOKENS, log_in, new_house, say
from croupier.table.shell import Shell
from croupier.testing.house import Client, VirtualHouse
from croupier.wire.house import HouseConversation
from croupier.wire.table_spec import TableSpec
from croupier.wire.talk import Disconnect, token_digest


def slowly(house: VirtualHouse, fails: bool = False) -> Callable[[Game, TableSpec], Awaitable[Shell]]:
    """Return a function that opens tables after a second, or *fails*."""
    open_table = house.all_tables.open

    async def slow(game: Game, spec: TableSpec) -> Shell:
        await asyncio.sleep(1.0)
        if fails:
            raise Refusal("full", "too many tables")
        return await open_table(game, spec)

    return slow


def test_players_who_left_before_the_table_opened_are_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    house = new_house({"lobby_wait": 5, "players_max": 3})
    with monkeypatch.context() as patch:
        patch.setattr(house.all_tables, "open", slowly(house))
        ann, bob, eve = (log_in(house, nick) for nick in ("ann", "bob", "eve"))
        bob.drop()
        house.advance(1.0)
    assert ann.take()[-1] == eve.take()[-1] == "lobbyplayers:\tann\teve"
    house.advance(4.9)
    assert ann.take() == []
    house.advance(0.2)
    for client in (ann, eve):
        assert client.take()[0].startswith("game\tid=t2;players=ann,eve;")


def test_a_table_that_cannot_be_opened_is_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    house = new_house({"lobby_wait": 0})
    with monkeypatch.context() as patch:
        patch.setattr(house.all_tables, "open", slowly(house, fails=True))
        ann, bob = log_in(house, "ann"), log_in(house, "bob")
        house.advance(1.0)
    assert ann.take()[-1] == bob.take()[-1] == "lobbyplayers:\tann\tbob"
    assert house.lobby.wake() == house.now + 5.0
    house.advance(5.0)
    for client in (ann, bob):
        assert client.take()[0].startswith("game\tid=t1;players=ann,bob;")


def test_players_with_events_are_told_why_there_is_no_game(monkeypatch: pytest.MonkeyPatch) -> None:
    house = new_house({"lobby_wait": 0})
    with monkeypatch.context() as patch:
        patch.setattr(house.all_tables, "open", slowly(house, fails=True))
        ann, bob = log_in(house, "ann", events=True), log_in(house, "bob")
        house.advance(1.0)
    assert "no_game\ttoo many tables" in ann.take()
    assert not any(line.startswith("no_game") for line in bob.take()), "a strict client gets no event"


def test_a_returning_player_is_told_who_waits_and_the_others_are_told_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house = new_house({"lobby_wait": 0, "players_max": 2})
    ann = log_in(house, "ann")

    async def full(game: Game, spec: TableSpec) -> Shell:
        await asyncio.sleep(1.0)
        raise Refusal("full", "too many tables")

    with monkeypatch.context() as patch:
        patch.setattr(house.all_tables, "open", full)
        bob = log_in(house, "bob")
        ann.send("ping")
        carl = log_in(house, "carl", events=True)
        house.advance(1.0)
    assert ann.take()[-2:] == ["lobbyplayers:\tann\tbob\tcarl", "pong"]
    assert bob.take()[-1] == "lobbyplayers:\tann\tbob\tcarl"
    assert carl.take()[-4:] == ["lobbyplayers:\tcarl", "newplayer:\tann", "newplayer:\tbob", "countdown\t5"]


def test_a_newer_connection_goes_where_the_older_was_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    house = new_house({"lobby_wait": 0})
    with monkeypatch.context() as patch:
        patch.setattr(house.all_tables, "open", slowly(house))
        older, eve = log_in(house, "bob"), log_in(house, "eve")
        newer = log_in(house, "bob")
        newer.send("ping")
        assert older.disconnected == Disconnect(4001, "replaced by a newer connection")
        assert newer.take()[-1] == "lobbyplayers:\tbob"  # its ping is answered after the game has begun
        house.advance(1.0)
    assert eve.take()[-3].startswith("game\tid=t1;players=bob,eve;")
    assert newer.take()[-1] == "pong"
    assert [client.conversation.seat for client in (newer, eve)] == [0, 1]


THREE = ["k3J9xQ0aLm27TzPw5cVd", TOKENS["bob"], TOKENS["eve"]]


def three(monkeypatch: pytest.MonkeyPatch, tokens: list[str]) -> tuple[VirtualHouse, list[Client]]:
    """Return ann, bob and eve, whose first table reserves its seats for *tokens* instead of theirs."""
    house = new_house({"lobby_wait": 5, "players_max": 3})
    other = TableSpec(("open",) * len(tokens), seat_tokens=tuple(map(token_digest, tokens)))
    open_table = house.all_tables.open
    with monkeypatch.context() as patch:
        patch.setattr(house.all_tables, "open", lambda game, spec: open_table(game, other))
        clients = [log_in(house, nick) for nick in ("ann", "bob", "eve")]
    for client in clients:
        client.take()
    return house, clients


def test_players_wait_again_when_one_is_lost_before_the_game_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    house, (ann, bob, eve) = three(monkeypatch, [*THREE, "a fourth"])
    assert [client.conversation.seat for client in (ann, bob, eve)] == [0, 1, 2]
    bob.drop()
    assert ann.take() == eve.take() == ["lobbyplayers:\tann\teve"]
    house.advance(5)
    assert ann.take()[0].startswith("game\tid=t2;players=ann,eve;")


@pytest.mark.parametrize("refused", [0, 1, 2])
def test_a_player_without_a_seat_does_not_block_the_others(
    refused: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens = [*THREE]
    tokens[refused] = "another token"
    house, clients = three(monkeypatch, tokens)
    nicks = ["ann", "bob", "eve"]
    nicks.pop(refused)
    assert clients.pop(refused).disconnected == Disconnect(1008, "you have no seat at this table")
    for client in clients:
        assert client.frames[-1] == "\t".join(["lobbyplayers:", *nicks])
        assert say(client, "ping") == ["pong"]
    assert not any(place.name for place in house.table("t1").places)
    house.advance(5)
    for client in clients:
        assert client.take()[0].startswith(f"game\tid=t2;players={','.join(nicks)};")


def test_players_do_not_wait_for_a_table_that_closed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    house = new_house({"lobby_wait": 0})
    open_table = house.all_tables.open

    async def gone(game: Game, spec: TableSpec) -> Shell:
        shell = await open_table(game, spec)
        del house.all_tables.shells[shell.table.id]
        return shell

    with monkeypatch.context() as patch:
        patch.setattr(house.all_tables, "open", gone)
        ann, bob = log_in(house, "ann"), log_in(house, "bob")
    assert bob.disconnected == Disconnect(1008, "table t1: not found")
    assert ann.take()[-1] == "lobbyplayers:\tann"


def test_a_player_at_a_table_of_the_browser_no_longer_waits() -> None:
    house = new_house({"lobby_wait": 0})
    before = log_in(house, "bob")
    table = house.open(TableSpec(("open", "bot random")))
    page = house.visit(table.id, HouseConversation)
    page.send({"type": "join", "name": "Bob", "token": TOKENS["bob"]})
    assert log_in(house, "bob").conversation.seat == 0
    assert before.disconnected is not None
    ann = log_in(house, "ann")
    assert say(ann, "ping")[-2:] == ["lobbyplayers:\tann", "pong"]


def test_a_newer_connection_gets_the_seat_before_the_game_has_begun(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house, (ann, bob, eve) = three(monkeypatch, [*THREE, "a fourth"])
    newer = log_in(house, "bob")
    assert bob.disconnected is not None
    assert newer.conversation.seat == 1
    eve.drop()
    assert newer.take()[-1] == "lobbyplayers:\tann\tbob"
    assert ann.take() == ["lobbyplayers:\tann\tbob"]
