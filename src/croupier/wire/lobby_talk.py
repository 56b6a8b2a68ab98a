"""What a client says in the lobby of the command family, and what it is answered: login, rooms, starting.

The half of a conversation that needs no table. The other half, at the table, is rooms.py; users and rooms
themselves are in users.py and lobby.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from croupier.wire.frames import LIMIT, write
from croupier.wire.greeting import clean_name
from croupier.wire.lines import LineReader, Overlong
from croupier.wire.lobby import RoomDesk
from croupier.wire.messages import (
    FULL,
    SEED,
    Call,
    Data,
    Fault,
    Field,
    Fields,
    an_object,
    read_call,
    read_fields,
    text,
)
from croupier.wire.restraint import ERRORS_IN_A_ROW, MESSAGES_A_SECOND, Restraint
from croupier.wire.room import PLAYING, STARTING, WAITING, Room
from croupier.wire.talk import Enter, Hang, Keep, Leave, Output, Prove, Send, Via
from croupier.wire.users import AnySeat, Member, User, seat_name

NICKNAME: Final = 24

_LOBBY: Final[Mapping[str, Fields]] = {
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

_TOWARDS_A_SEAT: Final = frozenset(
    {"lobby.room.create", "lobby.room.join", "lobby.game.start", "lobby.player.ready"}
)

_LOBBY_EVENTS: Final[Mapping[str, frozenset[str] | None]] = {
    "lobby.room.join": None,
    "lobby.room.leave": None,
    "lobby.game.start": None,
    "lobby.player.ready": None,
}
"""What the published lobby has; the rest is ours."""


@dataclass(frozen=True, slots=True)
class Leaving:
    """What the end of a seat answers: a command to leave, or to join *room* instead."""

    call: Call
    room: str = ""
    password: str | None = None


class LobbyConversation(Member):
    """One client, as far as the lobby goes."""

    COMMANDS: ClassVar[Mapping[str, Fields]] = {}
    """The game's own commands by the last words of their names, with their parameters."""

    def __init__(self, desk: RoomDesk, token: str = "") -> None:
        """*token* came with the connection itself, as if it were in a first `user.login`."""
        super().__init__(LineReader(LIMIT + len(b"\r\n")))  # the message itself is measured when it is read
        self.desk = desk
        self.user: User | None = None
        self.profile = FULL
        self.prefix = f"game.{desk.game.name}."
        self._token = token
        self._restraint = Restraint()
        self._over = False
        """Nothing is read from this client any more."""
        self._after: list[Output] = []
        """What follows from a note."""
        self._proving: tuple[Call, object] | None = None
        """The login, and the profile it asks for, whose password is being checked."""
        self._joining: Call | None = None
        """The lobby.room.join that waits for a seat at a table of the house."""
        self._at = ""
        """The table where it sits, or sat last."""
        self._returning = False
        self._players: dict[int, Data] = {}
        """Who sits where at a table of the house: those who go are named when they are gone."""
        self._statuses: dict[int, str] = {}
        """The seats that were last told to be otherwise than connected, and those that have been since."""

    def game_command(self, call: Call, name: str, found: Data, now: float) -> list[Output]:
        """Carry out a command of the game, whose parameters are in *found*."""
        raise NotImplementedError

    # What the client sends.

    def greet(self, now: float) -> list[Output]:
        if not self._token:
            return []
        call = Call("user.login")
        try:
            fields: Data = {"token": self._token, "nickname": None, "password": None, "profile": None}
            outputs = self._login(call, fields, now)
        except Fault as fault:
            return self._fail(call, fault)
        if any(isinstance(output, Keep) for output in outputs):
            self.hold()
        return outputs

    def receive(self, data: str | bytes, now: float) -> list[Output]:
        return self._take([data], now)

    def feed(self, data: bytes, now: float) -> list[Output]:
        return self._take(self._reader.feed(data), now)

    def _take(self, messages: list[str | bytes] | list[bytes | Overlong], now: float) -> list[Output]:
        asked = self.table.asked(self.seat) if self.table is not None and self.seat >= 0 else None
        for message in messages:
            if self._over:
                return []
            if self._restraint.floods(now, asked):
                return self.flooded()
            self._waiting.append(message)
        return self.resume(now)

    def flooded(self) -> list[Output]:
        if self._over:
            return []
        self._over = True
        words = f"more than {MESSAGES_A_SECOND} messages a second"
        frame = Call().error("invalid_request", words, self.profile)
        return [Send(frame), Hang(1008, words)]

    def answer(self, data: str | bytes | Overlong, now: float) -> list[Output]:
        if self._over or (isinstance(data, bytes) and not data.strip()):
            return []  # somebody at a terminal has pressed return once more
        call, found, fault = read_call(data)
        try:
            if fault is not None:
                raise fault
            return self._carry_out(call, found, now)
        except Fault as fault:
            return self._fail(call, fault)

    def _carry_out(self, call: Call, found: Data, now: float) -> list[Output]:
        command = call.command
        assert command is not None
        if command.startswith(self.prefix):
            name = command.removeprefix(self.prefix)
            if name in self.COMMANDS or name == "state":
                return self.game_command(call, name, found, now)
        if command not in _LOBBY:
            raise Fault("unknown_command", f"there is no command {command[:60]!r} here")
        fields = read_fields(found, _LOBBY[command])
        outputs = self._lobby(call, fields, now)
        self._restraint.succeeded()
        return outputs

    def _lobby(self, call: Call, fields: Data, now: float) -> list[Output]:
        if call.command in _TOWARDS_A_SEAT and self.user is not None and self.desk.users.expired(self.user):
            raise Fault("invalid_token", "your session has ended: connect and log in again")
        match call.command:
            case "user.login":
                return self._login(call, fields, now)
            case "lobby.room.create":
                return self._create(call, fields)
            case "lobby.room.list":
                rooms = [self.desk.describe(room, self.profile) for room in self.desk.listed()]
                return [Send(call.response({"rooms": rooms}))]
            case "lobby.room.info":
                return [Send(call.response(self._shown(self._room(fields))))]
            case "lobby.room.join":
                return self._join(call, fields, now)
            case "lobby.room.leave":
                return self._leave(call, now)
            case "lobby.game.start":
                return self._start(call, now)
        return self._ready(call, fields)

    # Login (C6).

    def _login(self, call: Call, fields: Data, now: float) -> list[Output]:
        profile = fields["profile"]
        if profile not in (None, SEED, FULL):
            raise Fault("invalid_request", f"profile: expected {SEED!r} or {FULL!r}")
        token, nickname = fields["token"], fields["nickname"]
        if token is None and nickname is None:
            raise Fault("invalid_request", "expected a nickname, or the token of an earlier login")
        name = clean_name(nickname)
        if token is None and (name is None or len(name) > NICKNAME):
            words = f"nickname: expected 1 to {NICKNAME} characters, no control characters"
            raise Fault("invalid_request", words)
        if self.user is not None and not (self.user.guest and self.user.room is None):
            raise Fault("already_logged_in", f"you are {self.user.nickname}")
        if isinstance(token, str):
            return self._login_with(call, token, profile)
        assert name is not None
        if self.desk.register.owner(name) is not None:
            password = fields["password"]
            if not isinstance(password, str):
                words = f"nickname {name!r}: it belongs to an account: its token or password would do"
                raise Fault("invalid_token", words)
            self._proving = (call, profile)
            return [Prove(name, password)]
        user, keep = self.desk.users.register(name)
        self._become(user, profile)
        user.conversation = self
        return [Keep(keep.name, keep.data, (Send(self._welcome(call, user)),))]

    def _login_with(self, call: Call, token: str, profile: object) -> list[Output]:
        known = self.desk.users.known(token)
        if known is not None:
            self._become(known, profile)
            return self._return(call, known)
        account = self.desk.register.holder(token)
        if account is None:
            raise Fault("invalid_token", "nobody here has this token")
        user, keeps = self.desk.users.enrol(account, token)
        self._become(user, profile)
        outputs = self._return(call, user)
        for keep in reversed(keeps):
            outputs = [Keep(keep.name, keep.data, tuple(outputs))]
        return outputs

    def proved(self, token: str, words: str, now: float) -> list[Output]:
        assert self._proving is not None
        (call, profile), self._proving = self._proving, None
        if self._over:
            return []
        try:
            if not token:
                raise Fault("invalid_token", words)
            return self._login_with(call, token, profile)
        except Fault as fault:
            return self._fail(call, fault)

    def _become(self, user: User, profile: object) -> None:
        if self.user is not None:
            self.desk.users.forget(self.user)
        self.user = user
        self.profile = SEED if profile == SEED else FULL

    def _return(self, call: Call, user: User) -> list[Output]:
        """Take over from the user's last connection, and take his seat if he has one."""
        self.desk.tidy()
        old, user.conversation = user.conversation, self
        face = self.desk.table_of(user)
        outputs: list[Output] = []
        # At its table the old connection is cut when this one takes the seat, and the seat is never lost.
        if old is not None and (face is None or old.table is not face):
            outputs += [Via(old, output) for output in old.replaced()]
        if face is not None:
            if user.room is None:
                user.room = self.desk.house_room(face)
                user.room.members.append(user)
            self._returning = True
            outputs.append(Enter(face.id, self.desk.claim(user, face)))
        return [Send(self._welcome(call, user)), *outputs, *self.desk.ask_ready(user)]

    def _welcome(self, call: Call, user: User) -> str:
        room = self.desk.describe(user.room, self.profile) if user.room is not None else None
        return call.response(
            {"user_id": user.id, "nickname": user.nickname, "token": user.token, "room": room}
        )

    def _who(self) -> User:
        """Return the user of this connection: a guest, if nobody has logged in."""
        if self.user is None:
            self.user = self.desk.users.guest()
            self.user.conversation = self
        return self.user

    # The lobby (C7).

    def _shown(self, room: Room) -> Data:
        return {"room": self.desk.describe(room, self.profile)}

    def _room(self, fields: Data) -> Room:
        room = self.desk.find(str(fields["room_id"]))
        if room is None:
            raise Fault("room_does_not_exist", "there is no room with this id")
        return room

    def _own_room(self) -> Room:
        if self.user is None or self.user.room is None:
            raise Fault("not_in_room", "you are in no room")
        return self.user.room

    def _create(self, call: Call, fields: Data) -> list[Output]:
        name = clean_name(fields["name"])
        if name is None:
            raise Fault("invalid_request", "name: expected 1 to 64 characters, no control characters")
        if self.user is not None and self.user.room is not None:
            raise Fault("already_in_room", f"you are in {self.user.room.name}")
        options, rules = fields["options"] or {}, fields["rules"] or {}
        assert isinstance(options, dict)
        assert isinstance(rules, dict)
        room = self.desk.create(self._who(), name, options, rules)
        return [Send(call.response(self._shown(room)))]

    def _join(self, call: Call, fields: Data, now: float) -> list[Output]:
        room = self._room(fields)
        user = self._who()
        if user.room is room:
            return [Send(call.response(self._shown(room)))]
        password = fields["password"]
        assert password is None or isinstance(password, str)
        self.desk.check_join(user, room, password)
        if user.room is None:
            return self._enter(call, room, now)
        if self.table is not None and self.seat >= 0:
            return [Leave(Leaving(call, room.id, password))]
        if user.room.status != WAITING:
            raise Fault("start_in_progress", "your room is being started")
        left = self.desk.leave(user, now)
        return [*self._enter(call, room, now), *left]

    def _enter(self, call: Call, room: Room, now: float) -> list[Output]:
        """Go into *room*, which has a place."""
        user = self._who()
        face = self.desk.face(room.table) if room.house else None
        if face is not None:
            self._joining = call
            return [Enter(face.id, AnySeat(seat_name(user, face), user.token))]
        told = self.desk.join(user, room, now)
        return [Send(call.response(self._shown(room))), *told, *self.desk.autostart(room, now)]

    def _leave(self, call: Call, now: float) -> list[Output]:
        room = self._own_room()
        assert self.user is not None
        if self.table is not None and self.seat >= 0:
            return [Leave(Leaving(call))]
        if room.status in (STARTING, PLAYING):
            raise Fault("start_in_progress", "the game is being started")
        return [Send(call.response()), *self.desk.leave(self.user, now)]

    def _start(self, call: Call, now: float) -> list[Output]:
        room = self._own_room()
        if room.house or room.owner is not self.user:
            raise Fault("not_owner", "only the owner of the room starts the game")
        if room.status in (STARTING, PLAYING):
            raise Fault("already_started", "the game has been started")
        return [Send(call.response()), *self.desk.start(room, self, now)]

    def _ready(self, call: Call, fields: Data) -> list[Output]:
        self._own_room()
        assert self.user is not None
        return [Send(call.response()), *self.desk.set_ready(self.user, self, str(fields["state"]))]

    # Errors and ends.

    def _fail(self, call: Call, fault: Fault) -> list[Output]:
        frame = call.error(fault.code, str(fault), self.profile, fault.more)
        return [Send(frame), *self._enough()]

    def _enough(self) -> list[Output]:
        """Count an error; return how to end if there were too many in a row."""
        if not self._restraint.erred() or self._over:
            return []
        self._over = True
        return [Hang(1008, f"{ERRORS_IN_A_ROW} errors in a row")]

    def event(self, name: str, fields: Data) -> list[Output]:
        if self.profile == SEED and name not in _LOBBY_EVENTS:
            return []
        return [Send(write({"event": name, **fields}))]

    def failed(self, command: str, code: str, words: str) -> list[Output]:
        return [Send(Call(command).error(code, words, self.profile))]

    def replaced(self) -> list[Output]:
        self._over = True
        words = "a newer connection has taken your place"
        return [Send(Call().error("replaced", words, self.profile)), Hang(4001, words)]

    def gone(self, now: float) -> list[Output]:
        user = self.user
        if user is None or user.conversation is not self:
            return []
        user.conversation = None
        return self.desk.lost(user, now)

    def ousted(self, reason: str, now: float) -> list[Output]:
        self._returning = False
        return self.desk.ended(self.user, self._at, now) if self.user is not None else []

    def pending(self) -> bool:
        return bool(self._after) or super().pending()

    def resume(self, now: float) -> list[Output]:
        after, self._after = self._after, []
        if any(isinstance(output, Enter) for output in after):
            self._busy = True
        return [*after, *super().resume(now)]
