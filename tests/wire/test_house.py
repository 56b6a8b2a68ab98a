"""The house protocol (docs/house-protocol.md) at a table of Hearts."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.games.hearts import GAME
from croupier.table.setup import setup_of
from croupier.testing.house import Client, VirtualTable
from croupier.testing.strategies import examples
from croupier.wire.house import CROWD, HouseConversation
from croupier.wire.house_parsing import KINDS
from croupier.wire.table_spec import TableSpec
from croupier.wire.talk import CLOSINGS, Accepted, AskedNow, Output, Say, Send, token_digest

Frame = dict[str, Any]
QUICK = {"command_interval": 0, "round_interval": 0, "deal_interval": 0, "game_interval": 0}


def table(seats: str = "open open open open", rules: Frame | None = None, **how: Any) -> VirtualTable:
    kinds = [kind.replace("-", " ") for kind in seats.split()]
    options = GAME.table_options.read({**QUICK, **how.pop("table_options", {})})
    spec = TableSpec(kinds, GAME.options.read(rules or {}), options, **{"seed": "1", **how})
    return VirtualTable(setup_of("t1", GAME, spec))


def connect(wired: VirtualTable) -> Client:
    client = wired.connect(HouseConversation)
    client.read()
    return client


def ask(client: Client, type_: str, **members: object) -> list[Frame]:
    """Send a message and return the immediate replies."""
    client.read()
    client.send({"type": type_, **members})
    return client.read()


def joined(wired: VirtualTable, name: str, **members: object) -> Client:
    client = connect(wired)
    frames = ask(client, "join", name=name, token=f"token of {name}", **members)
    assert frames[0]["type"] == "joined", frames
    return client


def refusal(frames: list[Frame]) -> str:
    assert [frame["type"] for frame in frames] == ["refused"], frames
    assert [member for member in frames[0] if member != "about"] == ["type", "id", "key", "words"]
    return str(frames[0]["key"])


def types(frames: list[Frame]) -> list[str]:
    return [frame["type"] for frame in frames]


def question(client: Client) -> Frame:
    """Return the last question to *client*."""
    frames: list[Frame] = [msgspec.json.decode(frame) for frame in client.frames]
    return next(frame for frame in reversed(frames) if frame["type"] == "ask")


def answer(client: Client, asked: Frame, pick: int = 0) -> None:
    legal = asked["legal"]
    count = 3 if legal[0].startswith("pass") else 1
    start = pick % (len(legal) - count + 1)
    client.send({"type": "act", "turn": asked["turn"], "actions": legal[start : start + count]})


# Connecting and joining.


def test_a_connection_starts_as_a_watcher_with_the_table_and_the_view() -> None:
    wired = table("bot-dummy person open open", auto_cycle=True)
    client = wired.connect(HouseConversation)
    first, second = client.read()
    assert list(first) == [
        *["type", "id", "game", "title", "phase", "started", "options", "table_options", "seed", "you"],
        *["watch_open", "watch_delay", "seats", "fixed_deal", "next_deal", "match"],
        *["quick_match", "bots_in", "answer_in"],
    ]
    assert (first["type"], first["id"], first["game"], first["title"]) == ("table", "t1", "hearts", "Hearts")
    assert (first["phase"], first["seed"], first["you"]) == ("gathering", "1", None)
    assert first["fixed_deal"] is True, "a seed was given"
    assert first["options"]["deals"] == 4
    assert first["table_options"]["pick_card_timeout"] == 1000
    assert [seat["kind"] for seat in first["seats"]] == ["bot", "person", "open", "open"]
    assert first["seats"][0] == {
        "seat": 0, "kind": "bot", "bot": "dummy", "name": "player1", "number": 1, "person": False,
        "connected": True, "late": False, "auto": False, "timeouts": 0, "errors": 0, "account": None,
        "next": "", "ready": False,
    }  # fmt: skip
    assert list(second) == ["type", "number", "view", "turn", "seconds"]
    assert (second["turn"], second["seconds"], second["view"]["seat"]) == (None, None, None)


def test_joining() -> None:
    wired = table()
    watcher, ann = connect(wired), connect(wired)
    frames = ask(ann, "join", name=" ann ", token="secret", id="j1")
    assert frames[0] == {"type": "joined", "seat": 0, "back": False, "id": "j1"}
    assert types(frames) == ["joined", "table", "view", "table"]
    assert frames[1]["you"] == 0
    assert frames[2]["view"]["seat"] == 0
    assert types(watcher.read()) == ["table"]
    assert "secret" not in str(wired.journal)
    assert token_digest("secret") not in "".join(ann.frames + watcher.frames)


@pytest.mark.parametrize(
    ("members", "key"),
    [
        ({}, "bad_message"),
        ({"name": 7}, "bad_message"),
        ({"name": ""}, "bad_name"),
        ({"name": "a\tb"}, "bad_name"),
        ({"name": "\u200b\u3164"}, "bad_name"),  # nobody could see it
        ({"name": "a" * 65}, "bad_name"),
        ({"name": "a" * 2000}, "bad_name"),
        ({"name": "eve", "token": 7}, "bad_message"),
        ({"name": "eve", "token": "t" * 257}, "bad_message"),
        ({"name": "eve", "seat": "1"}, "bad_message"),
        ({"name": "eve", "seat": True}, "bad_message"),
        ({"name": "eve", "person": 1}, "bad_message"),
        ({"name": "eve", "views": "some"}, "bad_message"),
        ({"name": "eve", "views": []}, "bad_message"),
        ({"name": "eve", "last": "1"}, "bad_message"),
        ({"name": "ann", "token": "guess"}, "name_taken"),
        ({"name": "player2", "token": ""}, "name_taken"),
        ({"name": "eve", "seat": 4}, "no_such_seat"),
        ({"name": "eve", "seat": -1}, "no_such_seat"),
        ({"name": "eve", "seat": 0}, "seat_taken"),
        ({"name": "eve", "seat": 1}, "seat_taken"),
        ({"name": "eve", "seat": 2}, "seat_taken"),
        ({"name": "eve", "seat": 3}, "bad_token"),
        ({"name": "eve"}, "bad_token"),
    ],
)
def test_an_invalid_join_is_refused(members: Frame, key: str) -> None:
    wired = table("open bot-dummy person open", seat_tokens=["", "", "", token_digest("key")])
    joined(wired, "ann", seat=0)
    client = connect(wired)
    assert refusal(ask(client, "join", **members)) == key
    assert types(ask(client, "join", name="eve", token="key")) == ["joined", "table", "view", "table"]


def test_a_full_table() -> None:
    wired = table("open bot-dummy bot-dummy person")
    joined(wired, "ann")
    assert refusal(ask(connect(wired), "join", name="bob")) == "table_full"
    bob = joined(wired, "bob", person=True)
    assert bob.conversation.seat == 3
    assert wired.table.places[3].person


def test_people_get_the_seats_for_people_first() -> None:
    wired = table("open person open open")
    assert [joined(wired, name, person=True).conversation.seat for name in ("ann", "bob")] == [1, 0]


def test_a_seated_connection_cannot_join_again() -> None:
    ann = joined(table(), "ann")
    assert refusal(ask(ann, "join", name="eve")) == "already_joined"


def test_a_second_join_waits_for_the_answer_to_the_first() -> None:
    client = connect(table())
    client.send({"type": "join", "name": "ann", "id": 1}, {"type": "join", "name": "bob", "id": 2})
    answers = [frame for frame in client.read() if "id" in frame and frame["type"] != "table"]
    assert [(frame["type"], frame["id"]) for frame in answers] == [("joined", 1), ("refused", 2)]
    assert answers[1]["key"] == "already_joined"


def test_messages_after_a_join_are_answered_as_those_of_a_player() -> None:
    client = connect(table())
    client.send({"type": "join", "name": "ann", "id": 1}, {"type": "say", "text": "hello", "id": 2})
    assert [frame["type"] for frame in client.read()][-2:] == ["accepted", "said"]


def answered_in_order(client: Client, *messages: Frame) -> list[tuple[str, str]]:
    """Send *messages* at once; return the type and key of each answer, which must be in order."""
    client.read()
    client.send(*({**message, "id": number} for number, message in enumerate(messages)))
    answers = [frame for frame in client.read() if frame["type"] in ("accepted", "refused", "pong", "joined")]
    assert [frame["id"] for frame in answers] == list(range(len(messages)))
    return [(frame["type"], frame.get("key", "")) for frame in answers]


def test_answers_come_in_the_order_of_the_requests() -> None:
    wired = table()
    ann, *_ = seated(wired)
    asked = question(ann)
    act = {"type": "act", "turn": asked["turn"]}
    found = answered_in_order(
        ann,
        {**act, "actions": asked["legal"][:3]},
        {**act, "actions": ["fly to the moon"]},
        {**act, "actions": asked["legal"][3:6]},
        {"type": "ping"},
        {"type": "nonsense"},
        {"type": "say", "text": "hello"},
        {"type": "ping"},
    )
    assert found == [
        ("accepted", ""),
        ("refused", "unknown_action"),
        ("refused", "stale"),
        ("pong", ""),
        ("refused", "bad_message"),
        ("accepted", ""),
        ("pong", ""),
    ]


def test_a_flood_is_refused_after_the_earlier_answers() -> None:
    conversation = HouseConversation(READY.table)
    conversation.seat = 0
    say = b'{"type": "say", "text": "hello", "id": 1}'
    (request,) = conversation.receive(say, 0.0)
    assert isinstance(request, Say)
    assert [conversation.receive(say, 0.0) for _ in range(2 * CROWD)] == [[]] * 2 * CROWD
    assert conversation.flooded() == []
    answers = 0
    refused: list[Output] = []
    while conversation.note(Accepted(1), 0.0) and (outputs := conversation.resume(0.0)):
        refused += [output for output in outputs if isinstance(output, Send)]
        answers += 1
    assert answers == CROWD + 1, "the last answer is the refusal"
    assert [msgspec.json.decode(output.frame)["key"] for output in refused if isinstance(output, Send)] == [
        "flood"
    ]
    assert len(conversation.flooded()) == 1


# Messages.


@pytest.mark.parametrize(
    "message",
    [
        "", "x", "[]", "7", b"\xff", "{}", '{"type": 7}', '{"type": "fly"}', '{"type": ["join"]}',
        '{"type": "ping", "id": []}', '{"type": "ping", "id": true}', '{"type": "ping", "id": {}}',
        '{"type": "arrange"}', '{"type": "arrange", "seats": "open"}', '{"type": "arrange", "seats": [1]}',
    ],
    ids=repr,
)  # fmt: skip
def test_a_bad_message_is_refused(message: str | bytes) -> None:
    client = connect(table())
    client.send(message)
    assert refusal(client.read()) == "bad_message"


@pytest.mark.parametrize("kind", ["act", "say", "leave"])
def test_only_players_may_act_say_and_leave(kind: str) -> None:
    assert refusal(ask(connect(table()), kind, turn=1, actions=["play 2C"], text="hi")) == "not_joined"


@pytest.mark.parametrize(
    ("kind", "members", "key"),
    [
        ("act", {}, "bad_message"),
        ("act", {"turn": "1", "actions": ["pass 2C"]}, "bad_message"),
        ("act", {"turn": -1, "actions": ["pass 2C"]}, "bad_message"),
        ("act", {"turn": 1, "actions": []}, "bad_message"),
        ("act", {"turn": 1, "actions": ["pass 2C"] * 65}, "bad_message"),
        ("act", {"turn": 1, "actions": "pass 2C"}, "bad_message"),
        ("act", {"turn": 1, "actions": ["pass 1C"]}, "unknown_action"),
        ("act", {"turn": 1, "actions": ["pass 2C"]}, "stale"),
        ("say", {}, "bad_message"),
        ("say", {"text": " "}, "bad_message"),
        ("say", {"text": "x" * 501}, "bad_message"),
        ("arrange", {"seats": ["open"]}, "bad_seats"),
        ("arrange", {"seats": ["open", "open", "open", "bot genius"]}, "bad_seats"),
    ],
)
def test_an_invalid_request_is_refused(kind: str, members: Frame, key: str) -> None:
    ann = joined(table(), "ann")
    frames = ask(ann, kind, id=7, **members)
    assert refusal(frames) == key
    assert frames[0]["id"] == 7


@pytest.mark.parametrize("mark", [None, 0, 17, -1.5, "", "x", 10**30])
def test_the_answer_has_the_id_of_the_request(mark: object) -> None:
    assert ask(connect(table()), "ping", id=mark) == [{"type": "pong", "id": mark}]


def test_chat() -> None:
    wired = table()
    ann, watcher = joined(wired, "ann"), connect(wired)
    frames = ask(ann, "say", text="good evening", id=1)
    said = {"type": "said", "seat": 0, "name": "ann", "text": "good evening"}
    assert frames == [{"type": "accepted", "id": 1}, said]
    assert watcher.read() == [said]


def test_arranging_starting_and_leaving() -> None:
    wired = table(start=False)
    ann = joined(wired, "ann")
    frames = ask(ann, "arrange", seats=["open", *["bot dummy"] * 3], id="a")
    assert types(frames) == ["accepted", "table"]
    assert [seat["name"] for seat in frames[1]["seats"]] == ["ann", "player2", "player3", "player4"]
    frames = ask(ann, "start", id="s")
    assert frames[0] == {"type": "accepted", "id": "s"}
    assert "ask" in types(frames)
    assert [frame["match"] for frame in frames if frame["type"] == "table"][-1] == "t1-1"
    assert refusal(ask(ann, "start")) == "not_now"
    frames = ask(ann, "leave", id="l")
    assert {"type": "accepted", "id": "l"} in frames
    seats = [frame["seats"] for frame in frames if frame["type"] == "table"][-1]
    assert (seats[0]["kind"], seats[0]["name"]) == ("open", ""), "no player is left: the match is aborted"
    assert ann.conversation.seat < 0


# Playing.


def seated(wired: VirtualTable) -> list[Client]:
    return [joined(wired, name) for name in ("ann", "bob", "cyd", "dan")]


def test_a_program_that_only_answers_every_ask_plays_a_whole_match() -> None:
    wired = table(rules={"match_games": 1, "deals": 2})
    clients = seated(wired)
    watcher = connect(wired)
    kinds: list[list[str]] = [[], [], [], []]
    numbers: list[list[int]] = [[], [], [], []]
    read = [0] * 4
    while any(read[seat] < len(clients[seat].frames) for seat in range(4)):
        for seat, client in enumerate(clients):
            fresh: list[Frame] = [msgspec.json.decode(frame) for frame in client.frames[read[seat] :]]
            read[seat] += len(fresh)
            for frame in fresh:
                if frame["type"] == "event":
                    kinds[seat].append(frame["event"]["kind"])
                    numbers[seat].append(frame["number"])
                elif frame["type"] == "ask":
                    assert frame["seconds"] == (1.0 if "play" in frame["legal"][0] else 3.0)
                    assert frame["view"]["legal"] == frame["legal"]
                    assert frame["view"]["to_act"] == (
                        [0, 1, 2, 3] if "pass" in frame["legal"][0] else [seat]
                    )
                    answer(client, frame, pick=seat)
                assert frame["type"] != "refused", frame
    for seat in range(4):
        assert kinds[seat][-2:] == ["game_ended", "match_ended"]
        assert kinds[seat].count("played") == 104
        assert kinds[seat].count("dealt") == 2, "their own cards"
        assert numbers[seat] == list(range(1, len(numbers[seat]) + 1)), "without holes"
    public = [frame["event"]["kind"] for frame in watcher.read() if frame["type"] == "event"]
    assert public[-1] == "match_ended"
    assert not {"dealt", "picked", "received"} & set(public)


def test_a_question_and_its_answers() -> None:
    wired = table()
    clients = seated(wired)
    asked = question(clients[0])
    assert list(asked) == ["type", "turn", "seconds", "legal", "view"]
    assert len(asked["legal"]) == 13
    turn, legal = asked["turn"], asked["legal"]
    frames = ask(clients[0], "act", turn=turn, actions=["play 2C"], id=1)
    assert refusal(frames) == "wrong_phase", "the rules' own key"
    assert frames[0]["about"] == {"action": "play 2C", "arguments": {"phase": "passing"}}
    frames = ask(clients[0], "act", turn=turn, actions=legal[:4], id=2)
    assert refusal(frames) == "too_soon", "all or none, and no more than the decision takes"
    assert frames[0]["about"] == {"action": legal[3], "reason": "too_soon.next_decision"}
    frames = ask(clients[0], "act", turn=turn, actions=legal[:3], id=3)
    assert frames[0] == {"type": "accepted", "id": 3}
    assert [f["event"]["kind"] for f in frames if f["type"] == "event"] == ["picked"] * 3 + ["passed"]
    again = ask(clients[0], "act", turn=turn, actions=legal[:3], id=4)
    assert again == [{"type": "accepted", "id": 4}], "a repeated answer takes effect once"
    assert refusal(ask(clients[0], "act", turn=turn, actions=legal[3:6])) == "stale"


def test_two_players_at_a_table_cannot_have_names_that_look_alike() -> None:
    wired = table()
    joined(wired, "ann")
    assert refusal(ask(connect(wired), "join", name="\u0430nn", token="cyrillic")) == "name_taken"
    joined(wired, "Ann")


def test_without_a_token_a_seat_belongs_to_its_player_while_they_are_connected() -> None:
    wired = table()
    ann = connect(wired)
    ask(ann, "join", name="ann")
    for name in ("bob", "cyd", "dan"):
        joined(wired, name)
    assert refusal(ask(connect(wired), "join", name="ann")) == "name_taken"
    assert ann.connected
    ann.drop()
    stranger = wired.connect(HouseConversation, "elsewhere")
    assert refusal(ask(stranger, "join", name="ann")[-1:]) == "name_taken"
    assert "joined" in types(ask(connect(wired), "join", name="ann"))


def test_turn_messages_have_the_seats_and_the_time() -> None:
    wired = table()
    watcher = connect(wired)
    clients = seated(wired)
    turns = [frame for frame in watcher.read() if frame["type"] == "turn"]
    assert turns[-1] == {"type": "turn", "seats": [0, 1, 2, 3], "seconds": 3.0}
    wired.advance(1.2345)
    back = connect(wired)
    frames = ask(back, "join", name="ann", token="token of ann")
    asked = next(frame for frame in frames if frame["type"] == "ask")
    assert asked["seconds"] == pytest.approx(3 - 1.2345, abs=0.001)
    assert clients[0].disconnected is not None
    assert clients[0].disconnected.code == 4001


def test_only_the_holder_of_the_ace_learns_of_the_question() -> None:
    wired = table()
    clients = seated(wired)
    for client in clients:
        answer(client, question(client))
    holders = [seat for seat, client in enumerate(clients) if "expose AH" in question(client)["legal"]]
    assert len(holders) == 1
    for seat, client in enumerate(clients):
        frames: list[Frame] = [msgspec.json.decode(frame) for frame in client.frames]
        at = next(i for i, f in enumerate(frames) if f.get("event") == {"kind": "exposing_started"})
        turns = [(frame["seats"], frame["seconds"]) for frame in frames[at:] if frame["type"] == "turn"]
        known: list[tuple[list[int], float | None]] = [([seat], 3.0)] if seat in holders else [([], None)]
        assert turns == known


def test_the_seed_is_committed_before_the_deal_and_revealed_after_it() -> None:
    wired = table("bot-dummy bot-dummy bot-dummy open", rules={"match_games": 1, "deals": 1})
    ann = connect(wired)
    frames = ask(ann, "join", name="ann")
    for _ in range(20):
        answer(ann, question(ann))
        frames += (fresh := ann.read())
        if not any(frame["type"] == "ask" for frame in fresh):
            break
    kinds = [frame["event"]["kind"] if frame["type"] == "event" else frame["type"] for frame in frames]
    assert kinds.index("commit") < kinds.index("dealt")
    assert kinds.index("deal_ended") < kinds.index("reveal")
    commit = next(frame for frame in frames if frame["type"] == "commit")
    reveal = next(frame for frame in frames if frame["type"] == "reveal")
    assert commit["deal"] == reveal["deal"] == 1
    assert (len(commit["digest"]), len(reveal["seed"])) == (64, 64)


def test_views_with_every_event() -> None:
    wired = table("open bot-dummy bot-dummy bot-dummy")
    ann = connect(wired)
    events = [frame for frame in ask(ann, "join", name="ann", views="all") if frame["type"] == "event"]
    assert events
    assert all("view" in frame for frame in events)
    assert len(next(f for f in events if f["event"]["kind"] == "dealt")["view"]["hand"]) == 13


def test_a_refused_join_does_not_change_what_a_watcher_gets() -> None:
    wired = table()
    watcher = connect(wired)
    seated(wired)[0].read()
    assert refusal(ask(watcher, "join", name="eve", views="all")) == "table_full"
    wired.advance(3.0)
    assert not any("view" in frame for frame in watcher.read() if frame["type"] == "event")


def test_a_closed_table_is_reported() -> None:
    wired = table()
    watcher = connect(wired)
    wired.close("the house closes")
    assert watcher.read()[-1] == {"type": "closed", "reason": "the house closes", "key": "closed"}


@pytest.mark.parametrize(("reason", "key"), CLOSINGS.items())
def test_a_closing_has_a_key(reason: str, key: str) -> None:
    wired = table()
    watcher = connect(wired)
    wired.close(reason)
    assert watcher.read()[-1] == {"type": "closed", "reason": reason, "key": key}


def test_too_many_messages_are_refused() -> None:
    (said,) = connect(table()).conversation.flooded()
    assert isinstance(said, Send)
    assert msgspec.json.decode(said.frame)["key"] == "flood"


# Reconnecting.


def test_missed_events_are_sent_if_they_are_kept() -> None:
    wired = table()
    clients = seated(wired)
    events = [frame for frame in clients[0].read() if frame["type"] == "event"]
    last = events[-1]["number"]
    clients[0].drop()
    for client in clients[1:]:
        answer(client, question(client))
    back = connect(wired)
    frames = ask(back, "join", name="ann", token="token of ann", last=last, id=1)
    assert types(frames)[0] == "table", "all are told that ann is back"
    assert {"type": "joined", "seat": 0, "back": True, "id": 1} in frames
    missed = [frame["number"] for frame in frames if frame["type"] == "event"]
    assert missed == [last + 1, last + 2, last + 3]
    assert "view" not in types(frames)
    assert types(frames)[-1] == "ask"


@pytest.mark.parametrize("last", [10**6, -1])
def test_a_view_is_sent_if_missed_events_are_not_kept(last: int) -> None:
    wired = table()
    seated(wired)[0].drop()
    frames = ask(connect(wired), "join", name="ann", token="token of ann", last=last)
    assert "view" in types(frames)
    assert "event" not in types(frames)


def test_with_all_views_the_current_one_follows_the_missed_events() -> None:
    wired = table()
    seated(wired)[0].drop()
    frames = ask(connect(wired), "join", name="ann", token="token of ann", last=1, views="all")
    kinds = types(frames)
    assert kinds.index("view") > kinds.index("event")
    shown = next(frame for frame in frames if frame["type"] == "view")
    assert shown["turn"] == 1
    assert shown["seconds"] == 3.0
    assert shown["number"] == max(frame["number"] for frame in frames if frame["type"] == "event")


# Random messages.

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
MEMBERS = [
    "id",
    "name",
    "token",
    "seat",
    "person",
    "views",
    "last",
    "turn",
    "actions",
    "seats",
    "text",
    "words",
]
MESSAGES = st.one_of(
    st.binary(max_size=60),
    st.text(max_size=60),
    JSON,
    st.builds(
        lambda kind, members: {**members, "type": kind},
        st.sampled_from([*KINDS]) | JSON,
        st.dictionaries(
            st.sampled_from(MEMBERS), JSON | st.sampled_from([["pass 2C"], "all", 1]), max_size=5
        ),
    ),
)
READY = table()
seated(READY)


@examples(150)
@given(MESSAGES, st.integers(-2, 3))
def test_every_message_gets_one_answer_or_becomes_one_request(message: object, seat: int) -> None:
    conversation = HouseConversation(READY.table)
    conversation.seat = seat if seat >= 0 else -2
    data = message if isinstance(message, str | bytes) else msgspec.json.encode(message)
    first, *rest = conversation.receive(data, READY.now)
    frames = [msgspec.json.decode(output.frame)["type"] for output in rest if isinstance(output, Send)]
    answer = msgspec.json.decode(first.frame)["type"] if isinstance(first, Send) else "request"
    assert answer in ("request", "refused", "pong") or (answer, frames) == ("accepted", ["view"])
    assert len(frames) == len(rest)


# Watching.


def test_a_watcher_may_ask_for_the_view_with_every_event() -> None:
    wired = table("open bot-dummy bot-dummy bot-dummy")
    watcher = connect(wired)
    assert types(ask(watcher, "watch", views="all", id=1)) == ["accepted", "view"]
    joined(wired, "ann")
    events = [frame for frame in watcher.read() if frame["type"] == "event"]
    assert events
    assert all(frame["view"]["seat"] is None and frame["view"]["hand"] == [] for frame in events)
    assert refusal(ask(watcher, "watch", views="some")) == "bad_message"


def test_a_player_cannot_watch() -> None:
    wired = table()
    assert refusal(ask(joined(wired, "ann"), "watch")) == "already_joined"


def test_watchers_of_an_open_table_see_every_hand_and_others_none() -> None:
    for watch_open in (True, False):
        wired = table("open bot-dummy bot-dummy bot-dummy", watch_open=watch_open)
        joined(wired, "ann")
        watcher = connect(wired)
        view = ask(watcher, "watch")[1]["view"]
        hands = [len(facts["hand"]) for facts in view.get("open", [])]
        assert hands == ([13, 10, 10, 10] if watch_open else [])


def test_a_new_connection_during_a_deal_is_told_its_commitment() -> None:
    wired = table("open bot-dummy bot-dummy bot-dummy")
    ann = joined(wired, "ann")
    told = [frame for frame in map(msgspec.json.decode, ann.frames) if frame["type"] == "commit"]
    late = wired.connect(HouseConversation)
    assert [frame for frame in late.read() if frame["type"] == "commit"] == told != []


def test_a_question_that_has_been_answered_while_its_note_waited_for_the_store_is_not_asked() -> None:
    wired = table("open bot-dummy bot-dummy bot-dummy", start=True)
    ann = joined(wired, "ann")
    asked = wired.table.asked(0)
    assert asked is not None
    late = HouseConversation(wired.table)
    late.seat = 0
    assert len(late.note(AskedNow(asked), 0.0)) == 1
    answer(ann, question(ann))
    assert late.note(AskedNow(asked), 0.0) == []
