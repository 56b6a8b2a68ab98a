"""The lobby of the wire when a table takes its time: who waits, who goes where (spec 5, 12)."""

from __future__ import annotations

import pytest

from croupier.games.sagrada import GAME
from croupier.games.sagrada.lobby import Guest, Lobby
from croupier.games.sagrada.settings import Settings
from croupier.games.sagrada.tests.wiring import TOKENS, log_in, new_house, say
from croupier.games.sagrada.users import User
from croupier.games.sagrada.wire import DESK, GlassConversation, GlassDesk
from croupier.testing.desked import DeskClient, DeskedHouse
from croupier.wire.house import HouseConversation
from croupier.wire.talk import Enter, Hang, Open, Output, Send, Via, Wish, token_digest


class Spy(GlassConversation):
    """A connection that only waits."""


def guests(desk: GlassDesk, *nicks: str) -> list[Guest]:
    return [Guest(Spy(desk), User(nick, ""), "t" * 20) for nick in nicks]


def opened_by(outputs: list[Output]) -> tuple[Guest, ...]:
    """Return for whom a table is to be opened."""
    found = [one.output.mark for one in outputs if isinstance(one, Via) and isinstance(one.output, Open)]
    assert len(found) == 1
    mark = found[0]
    assert isinstance(mark, tuple)
    return mark


def entered(outputs: list[Output]) -> list[object]:
    return [one.conversation for one in outputs if isinstance(one, Via) and isinstance(one.output, Enter)]


def test_whoever_is_gone_before_the_table_is_there_is_not_waited_for() -> None:
    desk = DESK(GAME, new_house(), {})
    lobby = Lobby(Settings(GAME, {"lobby_wait": 5, "players_max": 3}))
    three = guests(desk, "a", "b", "c")
    outputs = [output for guest in three for output in lobby.join(guest, 10.0)]
    called = opened_by(outputs)
    lobby.leave(three[1].conversation, 11.0)
    assert entered(lobby.opened(called, "t1", 12.0)) == []
    assert lobby.nicks() == ["a", "c"]
    assert lobby.wake() == 17.0
    assert entered(lobby.opened(opened_by(lobby.tick(17.0)), "t2", 18.0)) == [
        three[0].conversation,
        three[2].conversation,
    ]


def test_a_table_that_cannot_be_opened_is_asked_for_again() -> None:
    desk = DESK(GAME, new_house(), {})
    lobby = Lobby(Settings(GAME, {"lobby_wait": 0}))
    pair = guests(desk, "a", "b")
    outputs = [output for guest in pair for output in lobby.join(guest, 10.0)]
    assert lobby.opened(opened_by(outputs), "", 10.0) == [
        Via(guest.conversation, Send("lobbyplayers:\ta\tb")) for guest in pair
    ]
    assert lobby.nicks() == ["a", "b"]
    assert lobby.wake() == 15.0
    assert opened_by(lobby.tick(15.0))


def test_who_comes_back_is_told_who_waits_and_the_others_of_him(monkeypatch: pytest.MonkeyPatch) -> None:
    house = new_house({"lobby_wait": 0, "players_max": 2})
    ann = log_in(house, "ann")
    late: list[DeskClient] = []

    def full(wish: Wish) -> None:
        ann.send("ping")
        late.append(log_in(house, "carl", events=True))
        raise ValueError("too many tables")

    with monkeypatch.context() as patch:
        patch.setattr(house, "open", full)
        bob = log_in(house, "bob")
    (carl,) = late
    assert ann.take()[-2:] == ["lobbyplayers:\tann\tbob\tcarl", "pong"]
    assert bob.take()[-1] == "lobbyplayers:\tann\tbob\tcarl"
    assert carl.take()[-4:] == ["lobbyplayers:\tcarl", "newplayer:\tann", "newplayer:\tbob", "countdown\t5"]


def test_a_newer_connection_goes_where_the_older_was_sent() -> None:
    desk = DESK(GAME, new_house(), {})
    lobby = Lobby(Settings(GAME, {"lobby_wait": 0}))
    pair = guests(desk, "a", "b")
    outputs = [output for guest in pair for output in lobby.join(guest, 10.0)]
    newer = Guest(Spy(desk), pair[0].user, pair[0].token)
    assert lobby.replace(newer)
    assert entered(lobby.opened(opened_by(outputs), "t1", 11.0)) == [
        newer.conversation,
        pair[1].conversation,
    ]
    assert lobby.on_the_way(newer.user) == "t1"
    lobby.begun(newer.user)
    assert lobby.on_the_way(newer.user) == ""


THREE = ["k3J9xQ0aLm27TzPw5cVd", TOKENS["bob"], TOKENS["eve"]]


def three(monkeypatch: pytest.MonkeyPatch, tokens: list[str]) -> tuple[DeskedHouse, list[DeskClient]]:
    """Return ann, bob and eve, whose first table has its seats for *tokens*, whatever the lobby wants."""
    house = new_house({"lobby_wait": 5, "players_max": 3})
    other = Wish(("open",) * len(tokens), seat_tokens=tuple(map(token_digest, tokens)))
    open_table = house.open
    with monkeypatch.context() as patch:
        patch.setattr(house, "open", lambda wish: open_table(other))
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
def test_a_player_without_a_seat_keeps_nobody_from_playing(
    refused: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens = [*THREE]
    tokens[refused] = "somebody else's"
    house, clients = three(monkeypatch, tokens)
    nicks = ["ann", "bob", "eve"]
    nicks.pop(refused)
    assert clients.pop(refused).hung == Hang(1008, "no seat of this table is yours")
    for client in clients:
        assert client.frames[-1] == "\t".join(["lobbyplayers:", *nicks])
        assert say(client, "ping") == ["pong"]
    assert not any(place.name for place in house.table("t1").places)
    house.advance(5)
    for client in clients:
        assert client.take()[0].startswith(f"game\tid=t2;players={','.join(nicks)};")


def test_a_table_that_is_gone_at_once_is_waited_for_by_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    house = new_house({"lobby_wait": 0})
    with monkeypatch.context() as patch:
        patch.setattr(house, "open", new_house().open)
        ann, bob = log_in(house, "ann"), log_in(house, "bob")
    assert ann.hung == Hang(1008, "table t1: there is none")
    assert bob.take()[-1] == "lobbyplayers:\tbob"


def test_who_has_gone_to_a_table_of_the_browser_waits_no_more() -> None:
    house = new_house({"lobby_wait": 0})
    before = log_in(house, "bob")
    table = house.open(Wish(("open", "bot random")))
    page = house.visit(table.id, HouseConversation)
    page.send({"type": "join", "name": "Bob", "token": TOKENS["bob"]})
    assert log_in(house, "bob").conversation.seat == 0
    assert before.hung is not None
    ann = log_in(house, "ann")
    assert say(ann, "ping")[-2:] == ["lobbyplayers:\tann", "pong"]


def test_a_newer_connection_has_the_seat_where_the_game_has_not_begun(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house, (ann, bob, eve) = three(monkeypatch, [*THREE, "a fourth"])
    newer = log_in(house, "bob")
    assert bob.hung is not None
    assert newer.conversation.seat == 1
    eve.drop()
    assert newer.take()[-1] == "lobbyplayers:\tann\tbob"
    assert ann.take() == ["lobbyplayers:\tann\tbob"]
