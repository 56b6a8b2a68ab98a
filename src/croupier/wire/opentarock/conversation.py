"""One client of Tarock or Taroky: login, rooms, commands and events over JSON, without I/O.

The common part of both games is here and in the other modules of this folder: messages.py reads and writes
single messages, users.py has the users, room.py the rooms, lobby.py the lobby (`RoomLobby`). A game adds a
lobby and a conversation:

    class TarockLobby(RoomLobby):
        def conversation(self, token="", line=False) -> TarockConversation
        def read_rules(self, raw) -> Rules          # `rules` of lobby.room.create, or raise BadOptions
        def shown_rules(self, options, table_options) -> Data           # as shown in Room and deal event
        # optional: seats(room), bot(room), spec(room)

    class TarockConversation(RoomConversation):
        COMMANDS = {"bid": {"contract": Field(text)}, ...}      # commands, without the prefix game.<name>.
        SEED_EVENTS = {"game.tarock.deal": frozenset({"hand", "id"}), ...}  # for profile seed; None: all
        CODES = {"must_follow": "invalid_card", ...}            # error codes that differ from the key
        def actions(self, name, fields) -> tuple[int, ...]      # the actions of a command, or raise Refusal
        def over(self, view) -> bool                            # True if the end of the match has been told
        def told(self, note: Told) -> list[tuple[str, Data]]    # messages for an event of the rules
        def sync(self, now) -> Data                             # everything the seat knows: game.<name>.state
        def prompt(self, now) -> list[tuple[str, Data]]         # the open question to this seat
        # optional: command(call, name, fields, now), returned(now), stamp(fields), player_id(seat),
        # noted(note, now) for Warned, TimedOut and similar

Commands of the lobby are exchanges (driver.py), because some of them wait for the table or the store.
Commands of the game are plain methods: they wait only for the table's own answer. Checks are in the order of
the specification: message, command, parameters, room, phase, turn, rule. `actions` is called if a match is
running and the user plays in it; it checks phase and turn on the told view, because an unknown name of a card
is a broken rule and comes after them. The actions are sent to the table as one `Act`, and `CODES` gives the
error code of a refusal. A game command of a seat that is away marks the player as present (`Here`).

Every game event has a number `seq`, counted for its receiver (profile full). A user who returns with their
token is sent `game.<name>.sync` and the prompt, if the match waits for them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from croupier.core.contract import View
from croupier.core.refusal import Refusal
from croupier.wire.driver import Exchange, LobbyConversation
from croupier.wire.frames import LIMIT, write
from croupier.wire.greeting import clean_name
from croupier.wire.lines import LineReader, Overlong
from croupier.wire.opentarock.limits import ERRORS_IN_A_ROW, ClientLimits
from croupier.wire.opentarock.lobby import RoomLobby
from croupier.wire.opentarock.messages import (
    FULL,
    SEED,
    Call,
    Data,
    DetailedRefusal,
    Field,
    Fields,
    an_object,
    read_call,
    read_fields,
    reduced,
    text,
)
from croupier.wire.opentarock.room import WAITING, Room
from croupier.wire.opentarock.users import AnySeat, User, seat_name
from croupier.wire.talk import (
    AWAY,
    BACK,
    CAME,
    CLOSED,
    EXPELLED,
    GATHERING,
    LOST,
    PLAYING,
    PRESENT,
    QUIT,
    SESSION_ENDED,
    Accepted,
    Act,
    Arrange,
    AskedNow,
    Depart,
    Disconnect,
    Enter,
    Here,
    Kept,
    Leave,
    Note,
    Open,
    Opened,
    Output,
    PlacesChanged,
    Prove,
    Proved,
    Refused,
    Seated,
    Send,
    Start,
    TableInfo,
    Told,
    Wait,
)
from croupier.wire.token_bucket import MESSAGES_A_SECOND

NICKNAME: Final = 24
NOTICE: Final = "lobby.notice"
"""The event of an announced restart, an extension of the published lobby."""

LOBBY_COMMANDS: Final[Mapping[str, Fields]] = {
    "user.login": {
        "nickname": Field(text, required=False),
        "token": Field(text, required=False),
        "password": Field(text, required=False),
        "profile": Field(text, required=False),
    },
    "lobby.room.create": {
        "name": Field(text),
        "options": Field(an_object, required=False),
        "rules": Field(an_object, required=False),
    },
    "lobby.room.list": {},
    "lobby.room.join": {"room_id": Field(text), "password": Field(text, required=False)},
    "lobby.room.leave": {},
    "lobby.room.info": {"room_id": Field(text)},
    "lobby.game.start": {},
    "lobby.player.ready": {"state": Field(text)},
}
_AFTER_THE_MATCH: Final = frozenset(
    {"lobby.room.create", "lobby.room.join", "lobby.game.start", "lobby.player.ready", "lobby.room.leave"}
)
"""Commands that wait until the table of a match that is over has closed."""

_LOBBY_EVENTS: Final[Mapping[str, frozenset[str] | None]] = {
    "lobby.room.join": None,
    "lobby.room.leave": None,
    "lobby.game.start": frozenset({"room_id", "state"}),
    "lobby.player.ready": None,
}
"""The events of the published lobby with their fields (None: all); other events are extensions."""

_STATUS: Final = {
    BACK: "connected",
    PRESENT: "connected",
    LOST: "disconnected",
    AWAY: "away",
    QUIT: "bot",
}
_CODES: Final = {
    "match_over": "wrong_phase",
    "closed": "wrong_phase",
    "not_joined": "wrong_phase",
    "not_now": "wrong_phase",
    "stale": "not_your_turn",
    "too_late": "not_your_turn",
    "too_soon": "wrong_phase",
}
"""The error codes of refusals by the table."""


class RoomConversation(LobbyConversation):
    """One client: in the lobby, in a room, at its table (see the module docstring)."""

    COMMANDS: ClassVar[Mapping[str, Fields]] = {}
    """The parameters of the game's own commands, by their names without the prefix."""
    SEED_EVENTS: ClassVar[Mapping[str, frozenset[str] | None]] = {}
    CODES: ClassVar[Mapping[str, str]] = {}
    REFUSED_COUNTS: ClassVar[bool] = True
    """True if a refused command also marks a player who was away as present."""

    def __init__(self, lobby: RoomLobby, token: str = "") -> None:
        """*token* was sent with the connection; it is used like the token of a first `user.login`."""
        # The size of a message is checked when it is read.
        super().__init__(lobby, LineReader(LIMIT + len(b"\r\n")))
        self.lobby = lobby
        self.user: User | None = None
        self.profile = FULL
        self.prefix = f"game.{lobby.game.name}."
        self._token = token
        self._limits = ClientLimits()
        self._at = ""
        """The id of its current or last table."""
        self._heard = False
        """True if an event of the match has been sent; it also says whose turn it is."""
        self._players: dict[int, Data] = {}
        """The players by seat, at a table of the house: needed for the id of a player who has left."""
        self._statuses: dict[int, str] = {}
        """The last status that was sent, for each seat that was not always connected."""

    # Implemented by games.

    def actions(self, name: str, fields: Data) -> tuple[int, ...]:
        """Return the actions of command *name*, or raise Refusal: wrong phase, wrong turn, a broken rule."""
        raise NotImplementedError

    def over(self, view: View) -> bool:
        """Return True if the match of *view* is over, as far as it has been told."""
        raise NotImplementedError

    def told(self, note: Told) -> list[tuple[str, Data]]:
        """Return the game's messages (name without the prefix, fields) for an event of the rules."""
        raise NotImplementedError

    def sync(self, now: float) -> Data:
        """Return everything the seat may know."""
        raise NotImplementedError

    def prompt(self, now: float) -> list[tuple[str, Data]]:
        """Return the messages for the open question to this seat."""
        raise NotImplementedError

    def noted(self, note: Note, now: float) -> list[tuple[str, Data]]:
        """Return messages for other notes of the table."""
        return []

    def returned(self, now: float) -> list[str]:
        """Return the first frames for a player who returns to their seat in a match."""
        return self.frames("sync", self.sync(now))

    def player_id(self, seat: int) -> object:
        """Return the id of *seat* in the game's messages."""
        return seat

    def stamp(self, fields: Data) -> Data:
        """Return the fields of a game event with those that every event of the game has."""
        return fields

    def command(self, call: Call, name: str, fields: Data, now: float) -> None:
        """Carry out a command of the game."""
        self.info_playing()
        if name == "state":
            self.send(call.response({**self.sync(now), "seq": self.seq()}))
        else:
            self.ask(Act(-1, self.actions(name, fields), call))

    # Used by games.

    def info_playing(self) -> TableInfo:
        """Return the table where this user plays, or raise Refusal."""
        if self.user is None or self.user.room is None:
            raise Refusal("not_in_room", "join a room first")
        if self.table is None or self.seat < 0 or self.table.phase != PLAYING:
            raise Refusal("wrong_phase", "no game is running in this room")
        return self.table

    def view(self) -> View:
        """Return the told view of this seat."""
        assert self.table is not None
        return self.table.view(self.seat)

    def frames(self, name: str, fields: Data) -> list[str]:
        """Return the frame of a game event for this client; nothing if its profile lacks the event."""
        whole = self.prefix + name
        known: frozenset[str] | None = None
        if self.profile == SEED:
            if whole not in self.SEED_EVENTS:
                return []
            known = self.SEED_EVENTS[whole]
        frame: Data = {"event": whole}
        if self.profile != SEED:
            frame["seq"] = self.seq(1)
        return [write(frame | reduced(self.stamp(fields), known))]

    def seq(self, step: int = 0) -> int:
        """Add *step* to the number of events sent to this seat, and return it."""
        key = (self._at, self.seat)
        number = self.lobby.counts.get(key, 0) + step
        if step:
            self.lobby.counts[key] = number
        return number

    def players(self) -> list[Data]:
        """Return the players of the table, with their user ids."""
        info = self.table
        assert info is not None
        return [{"id": place.seat, **self.lobby.users.player_at(info, place)} for place in info.places]

    def own_room(self) -> Room:
        """Return the room of this user, or raise Refusal."""
        if self.user is None or self.user.room is None:
            raise Refusal("not_in_room", "you are not in a room")
        return self.user.room

    def shown(self, room: Room) -> Data:
        """Return *room* for a response."""
        return {"room": self.lobby.describe(room, self.profile)}

    # Messages of the client.

    def greet(self, now: float) -> list[Output]:
        if not self._token:
            return []
        fields: Data = {"token": self._token, "nickname": None, "password": None, "profile": None}
        self.begin(self._carry_out(Call("user.login"), fields))
        return self.resume(now)

    def receive(self, data: str | bytes, now: float) -> list[Output]:
        return self._take_in([data], now)

    def feed(self, data: bytes, now: float) -> list[Output]:
        return self._take_in(self._reader.feed(data), now)

    def _take_in(self, messages: Sequence[str | bytes | Overlong], now: float) -> list[Output]:
        asked = self.table.asked(self.seat) if self.table is not None and self.seat >= 0 else None
        for message in messages:
            if self.ended:
                return []
            if not self._limits.allows(now, asked):
                return self.flooded()
            self._inbox.append(message)
        return self.resume(now)

    def flooded(self) -> list[Output]:
        if self.ended:
            return []
        self.ended = True
        words = f"more than {MESSAGES_A_SECOND} messages per second"
        return [Send(Call().error("invalid_request", words, self.profile)), Disconnect(1008, words)]

    def answer(self, data: str | bytes | Overlong, now: float) -> Exchange | None:
        if isinstance(data, bytes) and not data.strip():
            return None  # an empty line from a terminal
        call, found, wrong = read_call(data)
        if wrong is not None:
            self._refuse_call(call, wrong)  # not raised: its traceback would refer to itself
            return None
        try:
            return self._answer_call(call, found, now)
        except Refusal as refusal:
            self._refuse_call(call, refusal)
            return None

    def _answer_call(self, call: Call, found: Data, now: float) -> Exchange | None:
        command = call.command
        assert command is not None
        if command.startswith(self.prefix):
            name = command.removeprefix(self.prefix)
            if name in self.COMMANDS or name == "state":
                self._game_command(call, name, found, now)
                return None
        if command not in LOBBY_COMMANDS:
            raise Refusal("unknown_command", f"unknown command {command[:60]!r}")
        return self._carry_out(call, read_fields(found, LOBBY_COMMANDS[command]))

    def _game_command(self, call: Call, name: str, found: Data, now: float) -> None:
        try:
            self.command(call, name, read_fields(found, self.COMMANDS.get(name, {})), now)
            valid = not self.waits  # whether an action is valid is decided by the table
        except Refusal as refusal:
            self._refuse_call(call, refusal)
            valid = False
        if valid:
            self._limits.succeeded()
        away = self.table is not None and self.seat >= 0 and self.table.places[self.seat].away
        if away and (valid or self.REFUSED_COUNTS):
            self.post(Here())

    def _carry_out(self, call: Call, fields: Data) -> Exchange:
        """Carry out a command of the lobby."""
        try:
            if call.command in _AFTER_THE_MATCH and self._table_closes():
                yield Wait()
            match call.command:
                case "user.login":
                    yield from self._login(call, fields)
                case "lobby.room.create":
                    self._create(call, fields)
                case "lobby.room.list":
                    rooms = [self.lobby.describe(room, self.profile) for room in self.lobby.listed()]
                    self.send(call.response({"rooms": rooms}))
                case "lobby.room.info":
                    self.send(call.response(self.shown(self._room(fields))))
                case "lobby.room.join":
                    yield from self._join(call, fields)
                case "lobby.room.leave":
                    yield from self._leave(call)
                case "lobby.game.start":
                    self._start(call)
                case _:
                    self._ready(call, fields)
        except Refusal as refusal:
            self._refuse_call(call, refusal)
        else:
            self._limits.succeeded()

    def _table_closes(self) -> bool:
        """Return True if the table of this user's room is about to close: the room will be open again."""
        room = self.user.room if self.user is not None else None
        if room is None:
            return False
        info = self.table if self.table is not None else self.lobby.info(room.table)
        if info is None:
            return False
        told = not room.house and self.seat >= 0 and self.over(info.view(self.seat))
        return told or info.phase == CLOSED

    # Login (C6).

    def _login(self, call: Call, fields: Data) -> Exchange:
        profile = fields["profile"]
        if profile not in (None, SEED, FULL):
            raise Refusal("invalid_request", f"profile: expected {SEED!r} or {FULL!r}")
        token, nickname = fields["token"], fields["nickname"]
        if token is None and nickname is None:
            raise Refusal("invalid_request", "expected a nickname, or the token of an earlier login")
        name = clean_name(nickname)
        if token is None and (name is None or len(name) > NICKNAME):
            words = f"nickname: expected 1 to {NICKNAME} characters, no control characters"
            raise Refusal("invalid_request", words)
        if self.user is not None and not (self.user.guest and self.user.room is None):
            raise Refusal("already_logged_in", f"you are {self.user.nickname}")
        if isinstance(token, str):
            yield from self._login_with(call, token, profile)
            return
        assert name is not None
        if self.lobby.identities.resembled(name) is not None:
            words = f"nickname {name!r}: it looks like the name of an account: choose another one"
            raise Refusal("invalid_token", words)
        if self.lobby.identities.owner(name) is None:
            user = self.lobby.register(name, self)
            self._become(user, profile)
            user.conversation = self
            self.send(self._welcome(call, user))
            return
        password = fields["password"]
        if not isinstance(password, str):
            words = f"nickname {name!r}: it belongs to an account: send its token or password"
            raise Refusal("invalid_token", words)
        proved = yield Prove(name, password)
        assert isinstance(proved, Proved)
        if not proved.token:
            raise Refusal("invalid_token", proved.words)
        yield from self._login_with(call, proved.token, profile)

    def _login_with(self, call: Call, token: str, profile: object) -> Exchange:
        user = self.lobby.users.known(token)
        if user is None:
            account = self.lobby.identities.holder(token)
            if account is None:
                raise Refusal("invalid_token", "unknown token: log in with a nickname")
            user, keeps = self.lobby.users.enrol(account, token)
            for keep in keeps:
                kept = yield keep
                assert isinstance(kept, Kept)
        self._become(user, profile)
        yield from self._return(call, user)

    def _become(self, user: User, profile: object) -> None:
        if self.user is not None:
            self.lobby.users.forget(self.user)
        self.user = user
        self.name = user.nickname
        self.uses(user.token)
        self.profile = SEED if profile == SEED else FULL

    def _return(self, call: Call, user: User) -> Exchange:
        """Replace the user's last connection, and take their seat if they have one."""
        room, info = self.lobby.come_back(user)
        old, user.conversation = user.conversation, self
        self.send(self._welcome(call, user))
        # At the same table the old connection is ended when this one takes the seat, which stays connected.
        if old is not None and (info is None or old.table is not info):
            for output in old.replaced():
                old.post(output)
        if info is not None:
            yield from self._take_seat(info)
        elif room is not None and room.opening is not None:
            yield from self.play(room.opening)
        self.lobby.ask_ready(user)

    def _welcome(self, call: Call, user: User) -> str:
        room = self.lobby.describe(user.room, self.profile) if user.room is not None else None
        return call.response(
            {"user_id": user.id, "nickname": user.nickname, "token": user.token, "room": room}
        )

    def _who(self) -> User:
        """Return the user of this connection: a guest without a login."""
        if self.user is None:
            self.user = self.lobby.users.guest()
            self.name = self.user.nickname
            self.user.conversation = self
        return self.user

    # The lobby (C7).

    def _room(self, fields: Data) -> Room:
        room = self.lobby.find(str(fields["room_id"]))
        if room is None:
            raise Refusal("room_does_not_exist", "there is no room with this id")
        return room

    def _create(self, call: Call, fields: Data) -> None:
        name = clean_name(fields["name"])
        if name is None:
            raise Refusal("invalid_request", "name: expected 1 to 64 characters, no control characters")
        if self.user is not None and self.user.room is not None:
            raise Refusal("already_in_room", f"you are in {self.user.room.name}")
        options, rules = fields["options"] or {}, fields["rules"] or {}
        assert isinstance(options, dict)
        assert isinstance(rules, dict)
        room = self.lobby.create(self._who(), name, options, rules)
        self.send(call.response(self.shown(room)))

    def _join(self, call: Call, fields: Data) -> Exchange:
        room = self._room(fields)
        user = self._who()
        if user.room is room:
            self.send(call.response(self.shown(room)))
            return
        password = fields["password"]
        assert password is None or isinstance(password, str)
        self.lobby.check_join(user, room, password)
        if user.room is not None:
            if self.table is not None and self.seat >= 0:
                yield from self._leave_table()
                room = self._room(fields)  # room and user may have changed meanwhile
                self.lobby.check_join(user, room, password)
            elif user.room.status != WAITING:
                raise Refusal("start_in_progress", "your room is being started")
            else:
                self.lobby.leave(user, self.now)
        info = self.lobby.info(room.table) if room.house else None
        if info is not None:
            keep = self.lobby.users.keep(user)
            if keep is not None:
                yield keep
            seated = yield Enter(info.id, AnySeat(seat_name(user, info), user.token))
            if isinstance(seated, Refused):
                raise Refusal("room_full", seated.words)
            self._note_players(info)
            room = self.lobby.join_table(user, info)
            self.send(call.response(self.shown(room)))
        else:
            self.lobby.join(user, room)
            self.send(call.response(self.shown(room)))
            self.lobby.autostart(room, self.now)

    def _leave(self, call: Call) -> Exchange:
        room = self.own_room()
        assert self.user is not None
        if self.table is not None and self.seat >= 0:
            yield from self._leave_table()
        elif room.status != WAITING:
            raise Refusal("start_in_progress", "the game is being started")
        else:
            self.lobby.leave(self.user, self.now)
        self.send(call.response())

    def _leave_table(self) -> Exchange:
        """Give up the seat, and leave the room."""
        answer = yield Leave()
        if isinstance(answer, Refused):
            assert answer.key == "closed", answer
            yield Wait()
        else:
            yield Depart()
        if self.user is not None and self.user.room is not None:
            self.lobby.leave(self.user, self.now)

    def _start(self, call: Call) -> None:
        room = self.own_room()
        if room.house or room.owner is not self.user:
            raise Refusal("not_owner", "only the owner of the room starts the game")
        if room.status != WAITING:
            raise Refusal("already_started", "the game has been started")
        self.lobby.start(room, self.now)
        self.send(call.response())

    def _ready(self, call: Call, fields: Data) -> None:
        self.own_room()
        assert self.user is not None
        self.lobby.set_ready(self.user, str(fields["state"]))
        self.send(call.response())

    # Joining a table.

    def play(self, opening: Open) -> Exchange:
        """Wait for the table that is being opened for the room, and join it."""
        opened = yield opening
        assert isinstance(opened, Opened)
        if opened.table is not None:  # else the lobby has sent the error
            yield from self._take_seat(opened.table)

    def _take_seat(self, info: TableInfo) -> Exchange:
        """Take the seat that is reserved for this user at *info*, or that they already have."""
        assert self.user is not None
        self._at = ""
        self._heard = False
        seated = yield Enter(info.id, self.lobby.claim(self.user, info))
        if not isinstance(seated, Seated):
            return  # the table is closing, and the lobby will report it
        self._note_players(info)
        self.lobby.counts.setdefault((info.id, self.seat), info.number(self.seat) if seated.back else 0)
        if seated.back and info.phase == PLAYING:
            try:
                for frame in self.returned(self.now):
                    self.send(frame)
            except Refusal:
                pass  # the match is just beginning and will be told from its start
        if self.user.room is not None:
            yield from self.fill_seats(self.user.room)

    def fill_seats(self, room: Room) -> Exchange:
        """Let bots take the seats of members who have gone before the match began."""
        kinds = self.lobby.without_absent(room)
        if kinds and self.seat >= 0:
            yield Arrange(kinds)
            yield Start()

    def _note_players(self, info: TableInfo) -> None:
        """Remember the players at *info*, which this client has just joined."""
        self._at = info.id
        self._players = {
            place.seat: self.lobby.users.player_at(info, place) for place in info.places if place.name
        }
        self._statuses = {
            place.seat: _STATUS[AWAY if place.connected else LOST]
            for place in info.places
            if place.away or not place.connected
        }

    # Notes of the table.

    def tell(self, note: Note, now: float) -> list[str]:
        match note:
            case Accepted(Call() as call):
                self._limits.succeeded()
                return [call.response()]
            case Refused(Act(_, _, Call() as call)):
                self._count_error()
                return [call.error(self._code(note), note.words, self.profile)]
        if self.table is None or self.seat < 0 or self.ended:
            return []
        match note:
            case Told():
                self._heard = True
                return [frame for name, fields in self.told(note) for frame in self.frames(name, fields)]
            case AskedNow():
                if self._heard:
                    return []  # the event that made it this seat's turn has been sent
                self._heard = True
                return [frame for name, fields in self.prompt(now) for frame in self.frames(name, fields)]
            case PlacesChanged():
                return self._places(note)
        return [frame for name, fields in self.noted(note, now) for frame in self.frames(name, fields)]

    def _code(self, refused: Refused) -> str:
        return self.CODES.get(refused.key, _CODES.get(refused.key, refused.key))

    def _places(self, note: PlacesChanged) -> list[str]:
        info = self.table
        assert info is not None
        if self._at != info.id:
            return []  # it is about to join and will then get the whole state
        frames: list[str] = []
        room = self.user.room if self.user is not None else None
        gathering = info.phase == GATHERING
        status = _STATUS.get(note.what, "")
        if gathering:
            self._statuses = {}
        elif status and status != self._statuses.get(note.seat, _STATUS[BACK]):
            self._statuses[note.seat] = status
            frames += self.frames("status", {"player_id": self.player_id(note.seat), "status": status})
        if room is not None and room.house and note.seat != self.seat:
            if note.what == CAME:
                player = self._players[note.seat] = self.lobby.users.player_at(info, info.places[note.seat])
                frames += self._stamped("lobby.room.join", {"player": player})
            elif note.what == QUIT or (note.what == LOST and gathering):
                user_id = self._players.pop(note.seat, {}).get("user_id", "")
                frames += self._stamped("lobby.room.leave", {"user_id": user_id})
        return frames

    def _stamped(self, name: str, fields: Data) -> list[str]:
        return [write({"event": name, **fields, "timestamp": self.lobby.wall()})]

    # Events of the lobby, errors, the end of the connection.

    def event(self, name: str, fields: Data) -> None:
        """Send an event of the lobby to this client, if its profile has it."""
        if self.profile == SEED:
            if name not in _LOBBY_EVENTS:
                return
            fields = reduced(fields, _LOBBY_EVENTS[name])
        self.post(Send(write({"event": name, **fields})))

    def failed(self, command: str, code: str, words: str) -> None:
        """Send an error for a command that failed after its response."""
        self.post(Send(Call(command).error(code, words, self.profile)))

    def _refuse_call(self, call: Call, refusal: Refusal) -> None:
        details = refusal.details if isinstance(refusal, DetailedRefusal) else None
        self.send(call.error(refusal.key, refusal.words, self.profile, details))
        self._count_error()

    def _count_error(self) -> None:
        """Count an error; close the connection if there were too many in a row."""
        if self._limits.erred() and not self.ended:
            self.disconnect(1008, f"{ERRORS_IN_A_ROW} errors in a row")

    def replaced(self) -> list[Output]:
        self.ended = True
        words = "a newer connection has taken your place"
        return [Send(Call().error("replaced", words, self.profile)), Disconnect(4001, words)]

    def revoked(self) -> list[Output]:
        self.ended = True
        words = "your session has ended: connect and log in again"
        return [Send(Call().error("invalid_token", words, self.profile)), Disconnect(SESSION_ENDED, words)]

    def expelled(self, key: str, words: str) -> list[Output]:
        self.ended = True
        if key == "removed" and self.user is not None and self.user.room is not None:
            self.lobby.leave(self.user, self.now)
        return [Send(Call().error(key, words, self.profile)), Disconnect(EXPELLED, words)]

    def announced(self, seconds: float | None, text: str, now: float) -> list[str]:
        left = None if seconds is None else round(seconds)
        return [] if self.profile == SEED else [write({"event": NOTICE, "seconds": left, "text": text})]

    def left(self, now: float) -> None:
        user = self.user
        if user is not None and user.conversation is self:
            user.conversation = None
            self.lobby.lost(user, now)
