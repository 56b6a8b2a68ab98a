"""The command family of Tarock and Taroky: login, rooms, commands and events over JSON, without I/O.

What both games say alike is here and in its neighbours: messages.py reads and writes single messages,
lobby_talk.py answers what is said in the lobby, users.py knows who is who, room.py what a room is, lobby.py
holds them (`RoomDesk`). A game adds a desk and a conversation:

    class TarockDesk(RoomDesk):
        def conversation(self, token="", line=False) -> TarockConversation
        def read_rules(self, raw) -> Rules          # `rules` of lobby.room.create, BadOptions if wrong
        def shown_rules(self, options, table_options) -> Data           # as Room and deal event show them
        # and, if the defaults do not do: seats(room), bot(room), wish(room)

    class TarockConversation(RoomConversation):
        COMMANDS = {"bid": {"contract": Field(text)}, ...}      # game.<name>.* by its last words
        SEED_EVENTS = {"game.tarock.deal": frozenset({"hand", "id"}), ...}  # for profile seed; None: all
        CODES = {"must_follow": "invalid_card", ...}            # keys of refusals that have another code
        def actions(self, name, fields) -> tuple[int, ...]      # a command as actions, or raise Fault
        def told(self, note: Told) -> list[tuple[str, Data]]    # messages for an event of the rules
        def sync(self, now) -> Data                             # everything the seat knows: game.<name>.state
        def prompt(self, now) -> list[tuple[str, Data]]         # what is asked of this seat, once more
        # and, if the defaults do not do: command(call, name, fields, now), returned(now), stamp(fields),
        # player_id(seat), noted(note, now) for Warned, TimedOut and the like

Checks come in the order of the specification: message, command, parameters, room, phase, turn, rule.
`actions` is called when a match is running and the user sits at it; it checks phase and turn on the told
view, for the unknown name of a card is a broken rule and comes after them. What it returns is put to the
table as one `Act`, whose refusal becomes an error by `CODES`. A game command of a seat that is away brings it
back (`Here`).

Every game event is numbered by `seq` for its receiver (profile full). Who comes back with his token is sent
`game.<name>.sync` and the prompt, if the match waits for him.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from croupier.core.contract import View
from croupier.wire.frames import write
from croupier.wire.lobby_talk import Leaving, LobbyConversation
from croupier.wire.messages import SEED, Call, Data, Fault, read_fields, reduced
from croupier.wire.talk import (
    AWAY,
    BACK,
    CAME,
    GATHERING,
    LOST,
    PLAYING,
    PRESENT,
    QUIT,
    Accepted,
    Act,
    AskedNow,
    Depart,
    Face,
    Here,
    Leave,
    Note,
    Output,
    PlacesChanged,
    Refused,
    Seated,
    Send,
    Told,
)

_STATUS: Final = {
    BACK: "connected",
    PRESENT: "connected",
    LOST: "disconnected",
    AWAY: "away",
    QUIT: "bot",
}


class RoomConversation(LobbyConversation):
    """One client: at the desk, in a room, at its table. See the module's head."""

    SEED_EVENTS: ClassVar[Mapping[str, frozenset[str] | None]] = {}
    CODES: ClassVar[Mapping[str, str]] = {}
    REFUSED_COUNTS: ClassVar[bool] = True
    """Whether also a command that is refused shows that somebody who was away is there."""

    # What a game decides.

    def actions(self, name: str, fields: Data) -> tuple[int, ...]:
        """Return what command *name* does, or raise a Fault: wrong phase, not its turn, a broken rule."""
        raise NotImplementedError

    def told(self, note: Told) -> list[tuple[str, Data]]:
        """Return the game's messages (last words of the event's name, fields) for an event of the rules."""
        raise NotImplementedError

    def sync(self, now: float) -> Data:
        """Return everything the seat may know."""
        raise NotImplementedError

    def prompt(self, now: float) -> list[tuple[str, Data]]:
        """Return what this seat is asked, once more."""
        raise NotImplementedError

    def noted(self, note: Note, now: float) -> list[tuple[str, Data]]:
        """Return messages for other notes of the table."""
        return []

    def returned(self, now: float) -> list[str]:
        """Return what somebody is sent first who comes back to his seat in a match."""
        return self.frames("sync", self.sync(now))

    def player_id(self, seat: int) -> object:
        """Return what the game's messages call *seat*."""
        return seat

    def stamp(self, fields: Data) -> Data:
        """Return a game event's fields with what every event of the game has."""
        return fields

    def command(self, call: Call, name: str, fields: Data, now: float) -> list[Output]:
        """Carry out a command of the game."""
        self.face_playing()
        if name == "state":
            return [Send(call.response({**self.sync(now), "seq": self.seq()}))]
        return [Act(-1, self.actions(name, fields), call)]

    # For the game's use.

    def face_playing(self) -> Face:
        """Return the table where this user plays, or raise the Fault that says what is missing."""
        if self.user is None or self.user.room is None:
            raise Fault("not_in_room", "join a room first")
        if self.table is None or self.seat < 0 or self.table.phase != PLAYING:
            raise Fault("wrong_phase", "no game is running in this room")
        return self.table

    def view(self) -> View:
        """Return what this seat has been told."""
        assert self.table is not None
        return self.table.view(self.seat)

    def frames(self, name: str, fields: Data) -> list[str]:
        """Return the frame of a game event for this client, or none if its profile has no such event."""
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
        """Return the number of the last event sent to this seat, *step* further on."""
        key = (self._at, self.seat)
        number = self.desk.counts.get(key, 0) + step
        if step:
            self.desk.counts[key] = number
        return number

    def players(self) -> list[Data]:
        """Return who sits where, with the ids of the lobby."""
        face = self.table
        assert face is not None
        return [{"id": place.seat, **self.desk.users.player_at(face, place)} for place in face.places]

    def game_command(self, call: Call, name: str, found: Data, now: float) -> list[Output]:
        try:
            outputs = self.command(call, name, read_fields(found, self.COMMANDS.get(name, {})), now)
            valid = not any(isinstance(output, Act) for output in outputs)  # of an action the table says
        except Fault as fault:
            outputs = self._fail(call, fault)
            valid = False
        if valid:
            self._restraint.succeeded()
        away = self.table is not None and self.seat >= 0 and self.table.places[self.seat].away
        return [*outputs, Here()] if away and (valid or self.REFUSED_COUNTS) else outputs

    # What the table notes.

    def tell(self, note: Note, now: float) -> list[str]:
        match note:
            case Accepted(id):
                return self._on_accepted(id, now)
            case Refused():
                return self._on_refused(note)
            case Seated():
                return self._on_seated(note, now)
        if self.table is None or self.seat < 0 or self._over:
            return []
        match note:
            case Told():
                self._returning = False  # from here on events say whose turn it is
                return [frame for name, fields in self.told(note) for frame in self.frames(name, fields)]
            case AskedNow():
                if not self._returning:
                    return []  # the event that made it this seat's turn has said so
                self._returning = False
                return [frame for name, fields in self.prompt(now) for frame in self.frames(name, fields)]
            case PlacesChanged():
                return self._places(note)
        return [frame for name, fields in self.noted(note, now) for frame in self.frames(name, fields)]

    def _on_accepted(self, id: object, now: float) -> list[str]:
        if isinstance(id, Call):
            self._restraint.succeeded()
            return [id.response()]
        if not isinstance(id, Leaving) or self.user is None:
            return []
        self._restraint.succeeded()
        self._after += [Depart(), *(self.desk.leave(self.user, now) if self.user.room else [])]
        if not id.room:
            return [id.call.response()]
        try:
            room = self._room({"room_id": id.room})
            self.desk.check_join(self.user, room, id.password)
            self._after += self._enter(id.call, room, now)
        except Fault as fault:  # somebody else was faster
            return [id.call.error(fault.code, str(fault), self.profile)]
        return []

    def _on_refused(self, note: Refused) -> list[str]:
        request = note.request
        if isinstance(request, Act | Leave):
            id = request.id
            call = id.call if isinstance(id, Leaving) else id
            if isinstance(call, Call):
                self._after += self._enough()
                code = self.CODES.get(note.key, _CODES.get(note.key, note.key))
                return [call.error(code, note.words, self.profile)]
        if self._joining is not None:
            call, self._joining = self._joining, None
            self._after += self._enough()
            return [call.error("room_full", note.words, self.profile)]
        return []

    def _on_seated(self, note: Seated, now: float) -> list[str]:
        face = self.table
        assert face is not None
        self._at = face.id
        self._players = {
            place.seat: self.desk.users.player_at(face, place) for place in face.places if place.name
        }
        self._statuses = {
            place.seat: _STATUS[AWAY if place.connected else LOST]
            for place in face.places
            if place.away or not place.connected
        }
        if self._joining is not None:
            call, self._joining = self._joining, None
            user = self._who()
            user.room = self.desk.house_room(face)
            user.room.members.append(user)
            return [call.response(self._shown(user.room))]
        self.desk.counts.setdefault((self._at, self.seat), face.number(self.seat) if note.back else 0)
        if self.user is not None and self.user.room is not None:
            self._after += self.desk.fill_absent(self.user.room)
        if not note.back or face.phase != PLAYING:
            self._returning = False
            return []
        try:
            return self.returned(now)
        except Fault:
            return []  # the match begins at this moment, and will be told from its start

    def _places(self, note: PlacesChanged) -> list[str]:
        face = self.table
        assert face is not None
        if self._at != face.id or (note.seat == self.seat and self._returning):
            return []  # it is about to sit down, and will be told everything then
        frames: list[str] = []
        room = self.user.room if self.user is not None else None
        gathering = face.phase == GATHERING
        status = _STATUS.get(note.what, "")
        if gathering:
            self._statuses = {}
        elif status and status != self._statuses.get(note.seat, _STATUS[BACK]):
            self._statuses[note.seat] = status
            frames += self.frames("status", {"player_id": self.player_id(note.seat), "status": status})
        if room is not None and room.house and note.seat != self.seat:
            if note.what == CAME:
                player = self._players[note.seat] = self.desk.users.player_at(face, face.places[note.seat])
                frames += self._stamped("lobby.room.join", {"player": player})
            elif note.what == QUIT or (note.what == LOST and gathering):
                user_id = self._players.pop(note.seat, {}).get("user_id", "")
                frames += self._stamped("lobby.room.leave", {"user_id": user_id})
        return frames

    def _stamped(self, name: str, fields: Data) -> list[str]:
        return [write({"event": name, **fields, "timestamp": self.desk.wall()})]


_CODES: Final = {
    "match_over": "wrong_phase",
    "closed": "wrong_phase",
    "not_joined": "wrong_phase",
    "not_now": "wrong_phase",
    "stale": "not_your_turn",
    "too_late": "not_your_turn",
    "too_soon": "wrong_phase",
}
"""Refusals of the table's own."""
