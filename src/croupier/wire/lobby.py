"""The lobby of the command family: users, rooms, and how a room becomes a table and comes back.

A *user* is known by a token, of which only the digest is kept; one without a token is a guest for as long as
its connection lasts. A *room* gathers up to as many users as the game has seats:

    waiting   people come and go; the owner starts (or autostart does, when the room is full)
    starting  everybody but the owner must say that he is ready, within 15 seconds
    playing   a table was opened for the room; its members are at the table, each in the seat that is kept
              for his token. When the match ends the table closes and whoever is still there is in the room

A room's members are in the order of joining, and the first of them is the owner: that is the order of seats
too. Who loses his connection has left the room, unless it plays. Tables that were opened elsewhere and wait
for players are rooms as well (`house`): their owner is the house, and they start when they are filled.

What is kept on disk: users who logged in (``user <digest>``) and rooms that play (``room <table>``).
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from croupier.core.contract import Game
from croupier.core.options import BadOptions, Value
from croupier.wire.desk import Desk, House
from croupier.wire.frames import write
from croupier.wire.messages import SEED, Data, Fault
from croupier.wire.room import PLAYING, STARTING, WAITING, Room, Row, Rules, recalled, row_of
from croupier.wire.talk import (
    GATHERING,
    OPEN,
    Arrange,
    Claim,
    Enter,
    Face,
    Keep,
    Open,
    Output,
    Start,
    Via,
    Wish,
    token_digest,
)
from croupier.wire.users import Member, OwnSeat, User, Users, free_places, number_of, place_of, seat_name

READY_SECONDS: Final = 15.0


def fresh_secret() -> str:
    """Return a token nobody can guess."""
    return secrets.token_urlsafe(18)


class RoomDesk(Desk):
    """The lobby of one game. A game's desk says in `read_rules` and `shown_rules` what rooms play."""

    def __init__(
        self,
        game: Game,
        house: House,
        kept: Mapping[str, str],
        defaults: Mapping[str, object] | None = None,
        *,
        wall: Callable[[], int] = time.time_ns,
        secret: Callable[[], str] = fresh_secret,
    ) -> None:
        """*wall* tells the nanoseconds since 1970, *secret* a token nobody can guess."""
        super().__init__(game, house, kept, defaults)
        self.rooms: dict[str, Room] = {}
        self.counts: dict[tuple[str, int], int] = {}
        """How many events were sent to each seat (table, seat) of a running table."""
        self.wall = wall
        self._secret = secret
        self.users = Users(secret, self.register)
        self._stale: list[str] = []
        """Names of what is kept and no longer needed."""
        self._numbered = 0
        self._opened = 0
        """How many tables it has asked for."""
        self.own_bots = self.filler if defaults and "bots" in defaults else ""
        """The bots this desk was told to take, if it was."""
        self._recall(kept)

    def used(self) -> set[str]:
        used, self.users.used = self.users.used, set()
        return used

    def drop(self, name: str) -> bool:
        user = self.users.kept_as(name)
        if user is None or user.conversation is not None or user.room is not None or self.table_of(user):
            return False
        self.users.forget(user)
        return True

    # What a game decides.

    def read_rules(self, raw: Mapping[str, object]) -> Rules:
        """Return the rules that a client asks for, the desk's own where it does not; or raise BadOptions."""
        own = self.game.table_options.options
        wanted = {**self.defaults, **raw}
        table = {name: value for name, value in wanted.items() if name in own}
        rules = {name: value for name, value in wanted.items() if name not in own}
        return Rules(self.game.options.read(rules), self.game.table_options.read(table))

    def shown_rules(self, options: Mapping[str, Value], table_options: Mapping[str, Value]) -> Data:
        """Return rules as messages show them."""
        return {**options, **table_options}

    def seats(self, room: Room) -> list[User | None]:
        """Return who sits where when *room* starts; None is a bot."""
        free = self.most - len(room.members)
        return [*room.members, *[None] * free]

    def bot(self, room: Room) -> str:
        """Return the bot that takes free seats, and those of players who leave."""
        return room.bots or self.filler

    def wish(self, room: Room) -> Wish:
        """Return the table that *room* plays at."""
        again = room.games > 1
        seed = room.rules.seed
        if seed is not None and again:
            seed = f"{seed} {room.games}"
        elif seed is None and self.seed is not None:
            seed = f"{self.seed} {self._opened}"
        seats = self.seats(room)
        return Wish(
            seats=tuple(OPEN if user is not None else f"bot {self.bot(room)}" for user in seats),
            options=room.rules.options,
            table_options=room.rules.table_options,
            seed=seed,
            draws=() if again else room.rules.draws,
            seat_tokens=tuple(user.digest if user is not None else "" for user in seats),
            single=True,
            private=room.private,
            filler=self.bot(room),
        )

    @property
    def most(self) -> int:
        """Return how many people a room holds."""
        return max(self.game.seats)

    def _recall(self, kept: Mapping[str, str]) -> None:
        by_id: dict[str, User] = {}
        rows: list[tuple[str, Row]] = []
        for name, data in kept.items():
            kind, _, rest = name.partition(" ")
            try:
                if kind == "user":
                    user = self.users.recall(rest, data)
                    by_id[user.id] = user
                elif kind == "room":
                    rows.append((rest, msgspec.json.decode(data, type=Row)))
            except msgspec.DecodeError:
                self._stale.append(name)
        for table, row in rows:
            room = recalled(row, table)
            for id in row.members:
                member = by_id.get(id)
                if member is not None and member.room is None:
                    member.room = room
                    room.members.append(member)
            self.rooms[room.id] = room
            self._numbered = max(self._numbered, number_of(row.id, "r"))

    # Rooms as they are found and shown.

    def table_of(self, user: User) -> Face | None:
        """Return the running table where a seat is *user*'s."""
        for face in self.house.tables():
            place = place_of(face, user.digest)
            if place is not None and (place.name or (user.room and user.room.table == face.id)):
                return face
        return None

    def face(self, id: str) -> Face | None:
        """Return the running table called so."""
        return next((face for face in self.house.tables() if face.id == id), None)

    def find(self, id: str) -> Room | None:
        """Return a room by its id, a table that waits for players among them."""
        self.tidy()
        room = self.rooms.get(id)
        if room is not None:
            return room
        face = self.face(id)
        return self._house_room(face) if face is not None and free_places(face) else None

    def house_room(self, face: Face) -> Room:
        """Return the room that a table of the house is to those who sit there."""
        for room in self.rooms.values():
            if room.table == face.id:
                return room
        room = self._house_room(face)
        self.rooms[room.id] = room
        return room

    def _house_room(self, face: Face) -> Room:
        rules = Rules(face.rules_options, face.table_options)
        return Room(face.id, f"Table {face.id}", rules, house=True, table=face.id)

    def listed(self) -> list[Room]:
        """Return the rooms that everybody may see."""
        self.tidy()
        own = [room for room in self.rooms.values() if not room.private]
        taken = {room.table for room in self.rooms.values()}
        tables = (face for face in self.house.tables() if face.id not in taken and free_places(face))
        return [*own, *map(self._house_room, tables)]

    def tidy(self) -> None:
        """Drop rooms whose table is gone while nobody was there to see it."""
        running = {face.id for face in self.house.tables()}
        for room in list(self.rooms.values()):
            if room.table and room.table not in running and not any(room.others(None)):
                for user in room.members:
                    user.room = None
                self._drop(room)

    def _drop(self, room: Room) -> None:
        self.rooms.pop(room.id, None)
        self._forget_table(room.table)
        if room.table and not room.house:
            self._stale.append(f"room {room.table}")

    def _forget_table(self, table: str) -> None:
        self.counts = {key: number for key, number in self.counts.items() if key[0] != table}

    def describe(self, room: Room, profile: str) -> Data:
        """Return a room as messages show it."""
        owner: Data = {"user_id": "house", "nickname": "Croupier"}
        face = self.face(room.table) if room.house else None
        if face is not None:
            players = [self.users.player_at(face, place) for place in face.places if place.name]
        elif room.members:
            owner = room.owner.player()
            players = [user.player() for user in room.members[1:]]
        else:
            players = []
        out: Data = {"id": room.id, "name": room.name, "owner": owner, "players": players}
        if profile != SEED:
            out["game"] = self.game.name
            shown: Data = {
                "private": room.private,
                "password": room.password != "",
                "autostart": room.autostart or room.house,
                "fill_bots": room.fill_bots and not room.house,
            }
            out["options"] = {**shown, "bots": room.bots} if room.bots else shown
            out["status"] = self._status(room, face)
            out["rules"] = self.shown_rules(room.rules.options, room.rules.table_options)
        return out

    def _status(self, room: Room, face: Face | None) -> str:
        if face is None:
            return room.status
        return WAITING if face.phase == GATHERING else PLAYING

    # Coming and going.

    def create(self, user: User, name: str, options: Data, raw: Data) -> Room:
        """Return the new room of *user*."""
        try:
            rules = self.read_rules(raw)
        except BadOptions as error:
            raise Fault("invalid_request", f"rules: {error}") from error
        room = Room("", name, rules, [user], *_room_options(options))
        try:
            room.bots = self.strength(options["bots"]) if "bots" in options else ""
        except BadOptions as error:
            raise Fault("invalid_request", f"options: {error}") from error
        # Who wants a room of his own does not want it to be guessed.
        if room.private:
            room.id = f"p{self._secret()[:10]}"
        else:
            self._numbered += 1
            room.id = f"r{self._numbered}"
        self.rooms[room.id] = room
        user.room = room
        return room

    def check_join(self, user: User, room: Room, password: str | None) -> None:
        """Raise the Fault if *user* cannot join."""
        if room.house:
            face = self.face(room.table)
            if face is None or not free_places(face):
                raise Fault("room_full", "no seat of this table is free")
        elif len(room.members) >= self.most or room.status != WAITING:
            words = "all seats are taken" if room.status == WAITING else "the game has been started"
            raise Fault("room_full", words)
        elif room.password and not secrets.compare_digest(room.password, token_digest(password or "")):
            raise Fault("wrong_password", "this room has another password")

    def join(self, user: User, room: Room, now: float) -> list[Output]:
        """Let *user* in; return how the others are told."""
        told = self._tell(room, user, "lobby.room.join", {"player": user.player(), "timestamp": self.wall()})
        room.members.append(user)
        user.room = room
        return told

    def autostart(self, room: Room, now: float) -> list[Output]:
        """Start a room that is full, if it is to start by itself."""
        if room.autostart and room.status == WAITING and len(room.members) == self.most:
            return self.start(room, None, now)
        return []

    def leave(self, user: User, now: float) -> list[Output]:
        """Let *user* out of his room; return how those left are told."""
        room = user.room
        assert room is not None
        user.room = None
        if user.guest and user.conversation is None:
            self.users.forget(user)
        owner = room.members[0]
        room.members.remove(user)
        if not room.members or room.house:  # a table of the house tells of its players itself
            if not room.members:
                self._drop(room)
            return []
        fields: Data = {"user_id": user.id}
        if owner is user and not room.house:
            fields["owner"] = room.owner.player()
        fields["timestamp"] = self.wall()
        return self._tell(room, user, "lobby.room.leave", fields)

    def lost(self, user: User, now: float) -> list[Output]:
        """The connection of *user* has ended."""
        room = user.room
        outputs: list[Output] = []
        if room is not None and room.house:
            self.leave(user, now)
        elif room is not None and room.status != PLAYING:
            if room.status == STARTING:
                outputs += self._cancel(room, [user.id])
            outputs += self.leave(user, now)
        elif room is not None:
            seated = next((other for other in room.others(user) if other.seat >= 0), None)
            if seated is not None:
                outputs += [Via(seated, output) for output in self.fill_absent(room)]
        if user.guest and user.room is None:
            self.users.forget(user)
        return outputs

    def _tell(self, room: Room, but: User | None, name: str, fields: Data) -> list[Output]:
        return [Via(other, told) for other in room.others(but) for told in other.event(name, fields)]

    # Starting.

    def start(self, room: Room, opener: Member | None, now: float) -> list[Output]:
        """Begin to start *room*: ask who has to be asked, or open its table at once."""
        if len(room.members) < self.most and not room.fill_bots:
            raise Fault("invalid_request", f"{len(room.members)} players: {self.most} are needed here")
        room.opener = opener
        if len(room.members) == 1:
            return self._open(room)
        room.status = STARTING
        room.deadline = now + READY_SECONDS
        room.ready = {room.owner.id}
        room.states = {user.id: self._secret() for user in room.members[1:]}
        return [output for user in room.members[1:] for output in self.ask_ready(user)]

    def ask_ready(self, user: User) -> list[Output]:
        """Ask *user* whether he is ready, if his room waits for that."""
        room = user.room
        if room is None or user.conversation is None or user.id in room.ready or user.id not in room.states:
            return []
        fields: Data = {"room_id": room.id, "state": room.states[user.id]}
        return [Via(user.conversation, told) for told in user.conversation.event(_START, fields)]

    def set_ready(self, user: User, opener: Member, state: str) -> list[Output]:
        """*user* is ready; when he is the last, the table is opened."""
        room = user.room
        assert room is not None
        if room.status != STARTING:
            raise Fault("unexpected", "no game is being started in this room")
        if user.id in room.ready:
            raise Fault("already_ready", "you are ready already")
        if state != room.states.get(user.id):
            raise Fault("invalid_state", "state: expected what lobby.game.start has told you")
        room.ready.add(user.id)
        outputs = self._tell(room, user, "lobby.player.ready", {"user_id": user.id})
        if len(room.ready) == len(room.members):
            room.opener = opener
            outputs += self._open(room)
        return outputs

    def _open(self, room: Room) -> list[Output]:
        room.status = PLAYING
        room.games += 1
        self._opened += 1
        room.states.clear()
        return [Open(self.wish(room), room)]

    def _cancel(self, room: Room, missing: list[str]) -> list[Output]:
        room.status = WAITING
        room.states.clear()
        return self._tell(room, None, "lobby.game.cancelled", {"room_id": room.id, "missing": missing})

    def wake(self) -> float | None:
        return min((room.deadline for room in self.rooms.values() if room.status == STARTING), default=None)

    def tick(self, now: float) -> list[Output]:
        outputs: list[Output] = []
        for room in list(self.rooms.values()):
            if room.status == STARTING and now >= room.deadline:
                missing = [user.id for user in room.members if user.id not in room.ready]
                outputs += self._cancel(room, missing)
        return outputs

    def opened(self, mark: object, table: Face | None, words: str, now: float) -> list[Output]:
        assert isinstance(mark, Room)
        room = mark
        opener, room.opener = room.opener, None
        if opener is not None:
            opener.free()
        there = list(room.others(None))
        if table is None:
            room.status = WAITING
            told = self._cancel(room, [])
            owner = room.owner.conversation if room.members else None
            if owner is not None:
                told += [Via(owner, said) for said in owner.failed(_START, "server_error", words)]
            return told
        room.table = table.id
        if not there:
            self.tidy()
            return []
        enters = [
            Via(user.conversation, Enter(table.id, self.claim(user, table)))
            for user in room.members
            if user.conversation is not None
        ]
        keep = Keep(f"room {table.id}", write(row_of(room)), tuple(enters))
        stale, self._stale = self._stale, []
        return [Via(there[0], keep), *(Via(there[0], Keep(name, None)) for name in stale)]

    def claim(self, user: User, face: Face) -> Claim:
        """Return the claim of *user* to his seat of his room's table, under a name nobody else there has."""
        room = user.room
        before = room.members[: room.members.index(user)] if room is not None else []
        return OwnSeat(seat_name(user, face, before), user.token)

    def fill_absent(self, room: Room) -> list[Output]:
        """Return how somebody at the table lets bots take the seats of members who are gone before the match
        has begun; without them it never would."""
        face = self.face(room.table)
        seats = self.seats(room)
        present = [user is not None and user.conversation is not None for user in seats]
        if room.house or face is None or face.phase != GATHERING or sum(present) == len(room.members):
            return []
        kinds = tuple(OPEN if here else f"bot {self.bot(room)}" for here in present)
        return [Arrange(kinds), Start()]

    def ended(self, user: User, table: str, now: float) -> list[Output]:
        """*table*, where *user* was, is closed: his room waits again, without those who are not there."""
        room = user.room
        if room is None or not table or room.table != table:
            return []
        room.table = ""
        self._forget_table(table)
        if room.house:
            for member in room.members:
                member.room = None
            self.rooms.pop(room.id, None)
            return []
        room.status = WAITING
        room.rules = room.rules.before or room.rules
        outputs: list[Output] = [Keep(f"room {table}", None)]
        for member in room.members[:]:
            if member.conversation is None:
                outputs += self.leave(member, now)
        return outputs


_START: Final = "lobby.game.start"


def _room_options(raw: Data) -> tuple[bool, str, bool, bool]:
    """Return private, password, autostart and fill_bots; what else there is means nothing to us."""
    password = raw.get("password")
    if password is not None and not isinstance(password, str):
        raise Fault("invalid_request", "options: password: expected a string")
    flags: list[bool] = []
    for name, default in (("private", False), ("autostart", False), ("fill_bots", True)):
        value = raw.get(name, default)
        if not isinstance(value, bool):
            raise Fault("invalid_request", f"options: {name}: expected true or false")
        flags.append(value)
    return flags[0], token_digest(password) if password else "", flags[1], flags[2]
