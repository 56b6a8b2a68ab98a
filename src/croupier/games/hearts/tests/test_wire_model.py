"""The whole Hearts wire compared with a model of the spec: seats and counters.

Clients join, reconnect, disconnect, answer correctly, wrongly, late, with nonsense or not at all. Every
frame is checked when it is sent: privacy, order, counters, status. Times are eighths of a second
and the table has no pauses, so that the model's clock is exact.
"""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from croupier.games.hearts.tests.programs import OWNER_ONLY, REQUESTS, Frame, right_answer, setup
from croupier.games.hearts.wire import HeartsConversation, HeartsWatch
from croupier.testing.house import Client, VirtualTable

LIMITS = {"pass_cards": 3.0, "expose_cards": 3.0, "your_turn": 1.0}
LOBBY = {"join_error", "player_name_dup", "new_peer"}
PRIVATE = REQUESTS | {"receive_opponent_cards", "join", "join_error", "player_name_dup"}

# The frames that may follow each frame to one client (4.1), ignoring new_peer; after a snapshot, any.
AFTER_PASS = {"expose_cards", "expose_cards_end", "new_round"}
FLOW: dict[str, set[str]] = {
    "": {"new_game"},
    "new_game": {"new_deal"},
    "new_deal": {"pass_cards", *AFTER_PASS},
    "pass_cards": {"receive_opponent_cards"},
    "receive_opponent_cards": {"pass_cards_end"},
    "pass_cards_end": AFTER_PASS,
    "expose_cards": {"expose_cards_end"},
    "expose_cards_end": {"new_round"},
    "new_round": {"your_turn", "turn_end"},
    "your_turn": {"turn_end"},
    "turn_end": {"your_turn", "turn_end", "round_end"},
    "round_end": {"new_round", "deal_end"},
    "deal_end": {"new_deal", "game_end"},
    "game_end": {"match_end", "new_game"},
    "match_end": {"new_game"},
}


@dataclass
class Player:
    name: str
    token: str
    number: int
    client: Client | None
    errors: int = 0
    timeouts: int = 0
    late: bool = False
    request: Frame | None = None
    """The open request, while the client is connected."""
    deadline: float = 0.0
    last: str = ""
    """The last frame of the flow sent to this client."""
    from_broadcast: int = 0

    @property
    def status(self) -> int:
        return 1 if self.client is None else 2 if self.late else 0


class HeartsWireModel(RuleBasedStateMachine):
    @initialize(
        deals=st.sampled_from([1, 2, 4]),
        games=st.sampled_from([1, 2]),
        expose=st.booleans(),
        profile=st.sampled_from(["compat", "doc"]),
        seed=st.integers(0, 999),
    )
    def open_table(self, deals: int, games: int, expose: bool, profile: str, seed: int) -> None:
        rules = {"deals": deals, "match_games": games, "expose": expose}
        how = setup(rules, {"wire_profile": profile}, seed=str(seed), auto_cycle=True)
        self.profile = profile
        self.seats: list[Player | None] = [None] * 4
        self.playing = False
        self.begun = False
        """Whether any game has been played here."""
        self.ended = 0
        self.match: list[str] = []
        """The players of the current match, by seat, also between its games."""
        self.turn_of: str | None = None
        """The player whose turn it is: until it ends no other frames of the table are sent (4.1)."""
        self.broadcasts: list[tuple[object, ...]] = []
        self.broadcast_at = 0.0
        self.strangers: list[Client] = []
        self.wired = VirtualTable(how)
        self.wired.on_frame = self.sent
        self.watcher = self.wired.connect(HeartsWatch)

    # Actions of clients.

    @rule(
        name=st.sampled_from(["ann", "bob", "cyd", "dan", "eve"]),
        number=st.sampled_from([None, 1, "2", 3, "04", 77, 88]),
        token=st.sampled_from(["t", "t", "t", "u"]),
    )
    def join(self, name: str, number: int | str | None, token: str) -> None:
        known = next((player for player in self.seats if player and player.name == name), None)
        client = self.wired.connect(HeartsConversation)
        expected = self.expect_join(name, None if number is None else int(number), token, client)
        data: Frame = {"playerName": name, "token": token}
        if number is not None:
            data["playerNumber"] = number
        old = known.client if known is not None and expected == "back" else None
        if known is not None and expected == "back":
            known.client = client
            known.last = "join" if known.last else ""
            known.request = None
            known.from_broadcast = len(self.broadcasts)
        client.send({"eventName": "join", "data": data})
        events = [msgspec.json.decode(frame)["eventName"] for frame in client.frames]
        if expected == "back":
            assert old is None or (old.disconnected is not None and old.disconnected.code == 4001)
            assert known is not None
            again = [known.request["eventName"]] if known.request else []
            assert events == ["new_peer", *(["join"] if self.begun else []), *again]
        elif expected == "seated":
            assert events[0] == "new_peer"
        else:
            assert events == ["player_name_dup" if expected == "player_name_dup" else "join_error"]
            assert expected in client.frames[0]
            assert client.connected
            self.strangers.append(client)

    def expect_join(self, name: str, number: int | None, token: str, client: Client) -> str:
        """Return the answer to a join according to 6.1, and seat a new player."""
        for player in self.seats:
            if player and player.name == name:
                return "back" if player.token == token else "player_name_dup"
        free = [seat for seat, player in enumerate(self.seats) if player is None]
        if number is not None and number <= 4:
            if number - 1 not in free:
                return "seat_taken"
            seat = number - 1
        elif not free:
            return "table_full"
        elif any(player and player.number == number for player in self.seats):
            return "number_taken"
        else:
            own = [seat for seat in free if self.match and self.match[seat] == name]
            seat = (own or free)[0]
        self.seats[seat] = Player(
            name, token, number or seat + 1, client, from_broadcast=len(self.broadcasts)
        )
        return "seated"

    @precondition(lambda self: None in self.seats)
    @rule()
    def fill_the_table(self) -> None:
        for name in ("ann", "bob", "cyd", "dan"):
            if None in self.seats:
                self.join(name, None, "t")

    @precondition(lambda self: any(player and player.client for player in self.seats))
    @rule(data=st.data())
    def lose_connection(self, data: st.DataObject) -> None:
        seat = data.draw(st.sampled_from([s for s, p in enumerate(self.seats) if p and p.client]))
        player = self.player(seat)
        client, player.client, player.request = player.client, None, None
        if not self.playing:
            self.seats[seat] = None
        assert client is not None
        heard = len(self.broadcasts)
        client.drop()
        expected = ["new_peer"] if any(self.seats) else []
        assert [name for name, *_ in self.broadcasts[heard:]] == expected

    def asked(self) -> list[int]:
        return [seat for seat, player in enumerate(self.seats) if player and player.request]

    @precondition(lambda self: self.asked())
    @rule(data=st.data(), pick=st.integers(0, 12), expose=st.booleans())
    def answer_rightly(self, data: st.DataObject, pick: int, expose: bool) -> None:
        self.reply(data.draw(st.sampled_from(self.asked())), pick, expose)

    def reply(self, seat: int, pick: int, expose: bool) -> None:
        player = self.player(seat)
        assert player.request is not None
        assert player.client is not None
        event, data = right_answer(player.request, pick, expose)
        player.request = None
        player.late = False
        player.client.send({"eventName": event, "data": data})

    @precondition(lambda self: self.asked())
    @rule(data=st.data(), how=st.sampled_from(["no data", "next deal", "no card", "null"]))
    def answer_wrongly(self, data: st.DataObject, how: str) -> None:
        player = self.player(data.draw(st.sampled_from(self.asked())))
        assert player.request is not None
        assert player.client is not None
        event, values = right_answer(player.request)
        wrong: dict[str, object] = {
            "no data": {},
            "next deal": {**values, "dealNumber": values["dealNumber"] + 1},
            "no card": {**values, "cards": ["XX"], "turnCard": "XX"},
            "null": None,
        }
        player.request = None
        player.errors += 1
        player.client.send({"eventName": event, "data": wrong[how]})

    @precondition(lambda self: self.asked())
    @rule(data=st.data())
    def answer_an_earlier_request(self, data: st.DataObject) -> None:
        player = self.player(data.draw(st.sampled_from(self.asked())))
        assert player.request is not None
        assert player.client is not None
        event, values = right_answer(player.request)
        frames = self.everything()
        player.client.send({"eventName": event, "data": {**values, "dealNumber": values["dealNumber"] - 1}})
        if "roundNumber" in values:
            late = {**values, "roundNumber": str(values["roundNumber"] - 1), "turnCard": None}
            player.client.send({"eventName": event, "data": late})
        assert self.everything() == frames

    @rule(
        data=st.data(),
        frame=st.sampled_from(
            [
                b"\xff", "", "[1]", '{"eventName": 1}', '{"eventName": "stop_game", "data": {}}',
                '{"eventName": "game_end", "data": {}}', '{"data": {"cards": []}}', "[" * 5000,
            ]
        ),
    )  # fmt: skip
    def send_rubbish(self, data: st.DataObject, frame: str | bytes) -> None:
        sender = data.draw(st.sampled_from(range(len(self.wired.clients))))
        frames = self.everything()
        self.wired.clients[sender].send(frame)
        assert self.everything() == frames

    @precondition(lambda self: any(p and p.client and not p.request for p in self.seats))
    @rule(data=st.data(), event=st.sampled_from(["pass_my_cards", "expose_my_cards", "pick_card", "join"]))
    def speak_unasked(self, data: st.DataObject, event: str) -> None:
        quiet = [p for p in self.seats if p and p.client and not p.request]
        player = data.draw(st.sampled_from(quiet))
        frames = self.everything()
        assert player.client is not None
        player.client.send({"eventName": event, "data": {"dealNumber": 1, "cards": [], "playerName": "zoe"}})
        assert self.everything() == frames

    @rule(eighths=st.integers(1, 32))
    def let_time_pass(self, eighths: int) -> None:
        until = self.wired.now + eighths / 8
        while self.wired.now < until:
            wake = self.wired.table.wake()
            step = until if wake is None else min(max(wake, self.wired.now), until)
            for player in self.seats:
                if player and player.request and player.deadline <= step:
                    player.request = None
                    player.timeouts += 1
                    player.late = True
            self.wired.advance(step - self.wired.now)

    @rule(replies=st.integers(1, 40))
    def play_on(self, replies: int) -> None:
        for pick in range(replies):
            if self.asked():
                self.reply(self.asked()[0], pick, expose=True)

    # Frames of the table.

    def player(self, seat: int) -> Player:
        player = self.seats[seat]
        assert player is not None
        return player

    def everything(self) -> list[list[str]]:
        return [client.frames[:] for client in self.wired.clients]

    def sent(self, client: Client, text: str) -> None:
        frame: Frame = msgspec.json.decode(text)
        event, data = frame["eventName"], frame["data"]
        if client is self.watcher:
            self.broadcast(frame)
            receiver = None
        else:
            receiver = next((p for p in self.seats if p and p.client is client), None)
            assert receiver is not None or event in LOBBY, f"{event} to a stranger"
        if event == "new_game":
            self.game_begins()
        self.check_turn(event, data)
        if receiver is not None:
            self.check_flow(receiver, event, data)
            if event in REQUESTS:
                receiver.request = frame
                receiver.deadline = self.broadcast_at + LIMITS[event]
        for entry in data.get("players", []):
            self.check_entry(event, entry, receiver)
        if event == "game_end":
            self.game_ends()
        elif event == "match_end":
            self.match = []
        if "self" in data:
            assert receiver is not None
            assert data["self"] in data["players"]
            assert data["self"]["playerName"] == receiver.name

    def broadcast(self, frame: Frame) -> None:
        if frame["eventName"] != "new_peer":
            self.broadcast_at = self.wired.now
        self.broadcasts.append(gist(frame))

    def game_begins(self) -> None:
        if self.playing:
            return  # another copy of the frame
        self.playing = self.begun = True
        self.match = [self.player(seat).name for seat in range(4)]
        for seat in range(4):
            self.player(seat).errors = self.player(seat).timeouts = 0

    def game_ends(self) -> None:
        if self.playing:  # the first copy of the frame
            self.playing = False
            self.ended += 1
            self.seats = [player if player and player.client else None for player in self.seats]

    def check_turn(self, event: str, data: Frame) -> None:
        if event == "your_turn":
            assert self.turn_of in (None, data["self"]["playerName"])
            self.turn_of = data["self"]["playerName"]
        elif self.turn_of is not None:
            assert event in LOBBY | {"turn_end", "join"}, f"{event} in the turn of {self.turn_of}"
            if event == "turn_end":
                assert data["turnPlayer"] == self.turn_of
                self.turn_of = None

    def check_flow(self, player: Player, event: str, data: Frame) -> None:
        if event in LOBBY:
            return
        if event == "join":
            assert player.last == "join" or not player.last
        elif player.last == "join":
            assert event in set().union(*FLOW.values())
        else:
            assert event in FLOW[player.last], f"{event} after {player.last}"
        assert player.request is None or event == player.request["eventName"], "a request was not closed"
        player.last = event

    def check_entry(self, event: str, entry: Frame, receiver: Player | None) -> None:
        player = next((p for p in self.seats if p and p.name == entry["playerName"]), None)
        if player is None:
            assert event in ("game_end", "match_end"), "an absent player has been freed"
            return
        assert entry["playerNumber"] == player.number
        if "status" in entry:
            assert entry["status"] == player.status, event
        if "errorCount" in entry:
            counted = entry["errorCount"], entry["timeoutCount"]
            assert counted == (player.errors, player.timeouts), event
        if player is not receiver and event != "deal_end":
            assert not OWNER_ONLY & set(entry), f"{event} shows the cards of {player.name}"
        if event == "deal_end":
            assert set(entry) >= OWNER_ONLY | {"initialCards"}
        if self.profile == "doc":
            assert entry.get("roundCard") != ""
        if "cards" in entry:
            assert len(entry["cards"]) == entry["cardsCount"]
            asked = event in REQUESTS or (event == "join" and entry["candidateCards"])
            assert bool(entry["candidateCards"]) == bool(asked)

    # Invariants.

    @invariant()
    def the_same_people_sit_at_the_table(self) -> None:
        table = self.wired.table
        assert (table.phase == "playing") == self.playing
        assert [place.name for place in table.places] == [p.name if p else "" for p in self.seats]
        assert [place.connected for place in table.places] == [bool(p and p.client) for p in self.seats]

    @invariant()
    def everybody_saw_the_same_broadcasts(self) -> None:
        for player in self.seats:
            if player and player.client:
                frames = [msgspec.json.decode(frame) for frame in player.client.frames]
                mine = [gist(frame) for frame in frames if frame["eventName"] not in PRIVATE]
                assert mine == self.broadcasts[player.from_broadcast :]

    @invariant()
    def only_the_seat_that_is_asked_knows_it(self) -> None:
        asked = [self.wired.table.asked(seat) is not None for seat in range(4)]
        for seat, player in enumerate(self.seats):
            if player and player.client:
                assert asked[seat] == (player.request is not None)

    def teardown(self) -> None:
        """If no client does anything the game still ends, and every request is closed."""
        if not hasattr(self, "wired") or not self.playing:
            return
        ended = self.ended
        for player in self.seats:
            if player and player.client:
                client, player.client, player.request = player.client, None, None
                client.drop()
        for _ in range(16 * 60):
            self.let_time_pass(24)
            if self.ended > ended:
                return
        raise AssertionError("the game does not end")


def gist(frame: Frame) -> tuple[object, ...]:
    """Return the part of a broadcast that is the same for all receivers."""
    data = frame["data"]
    keys = [
        "dealNumber",
        "roundNumber",
        "gameNumber",
        "turnPlayer",
        "turnCard",
        "roundPlayer",
        "serverRandom",
    ]
    names = tuple(entry["playerName"] for entry in data.get("players", []))
    return (frame["eventName"], names, *(data.get(key) for key in keys))


TestHeartsWire = HeartsWireModel.TestCase
TestHeartsWire.settings = settings(max_examples=20, stateful_step_count=40, deadline=None)
