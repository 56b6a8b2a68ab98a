"""The lobby of Tarock and Taroky: users, rooms, and the tables of rooms.

A *user* is identified by a token, of which only the digest is stored; one without a token is a guest until
the connection ends. A *room* has at most as many members as the game has seats:

    waiting   users join and leave; the owner starts (or autostart does, when the room is full)
    starting  all members except the owner must confirm within 15 seconds that they are ready
    playing   a table was opened for the room; its members are at the table, each in the seat that is
              reserved for their token. When the match ends the table closes, and the room waits again with
              the members who are connected

The members of a room are in the order of joining, which is also the order of seats; the first one is the
owner. A user who loses the connection leaves the room, unless it is playing. Tables that were opened
elsewhere and wait for players are shown as rooms, too (`house`): they belong to the server and start when
they are full.

The store has the users who have played (``user <digest>``) and the rooms that are playing (``room <table>``).
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Container, Mapping
from math import ceil
from typing import TYPE_CHECKING, Final

import msgspec

from croupier.core.contract import Game
from croupier.core.options import BadOptions, Value
from croupier.core.refusal import Refusal
from croupier.wire.frames import write
from croupier.wire.lobby import Host, Lobby, free_places
from croupier.wire.opentarock.messages import FULL, SEED, Data
from croupier.wire.opentarock.room import PLAYING, STARTING, WAITING, Room, Row, Rules, recalled, row_of
from croupier.wire.opentarock.users import (
    OwnSeat,
    User,
    Users,
    number_of,
    place_of,
    seat_name,
)
from croupier.wire.table_spec import TableSpec
from croupier.wire.talk import ABANDONED, GATHERING, OPEN, Claim, Close, Keep, Open, TableInfo, token_digest

if TYPE_CHECKING:
    from croupier.wire.opentarock.conversation import RoomConversation

READY_SECONDS: Final = 15.0
RETURN_SECONDS: Final = 60.0
"""How long a table is kept for a player against bots who has lost the connection."""
MOST_LISTED: Final = 50
"""The maximum number of rooms, and of tables of the house, in a list, which has to fit into an output queue.
"""


def fresh_secret() -> str:
    """Return a random token."""
    return secrets.token_urlsafe(18)


class RoomLobby(Lobby):
    """The lobby of one game. Games implement `read_rules` and `shown_rules` for the rules of rooms."""

    def __init__(
        self,
        game: Game,
        host: Host,
        kept: Mapping[str, str],
        defaults: Mapping[str, object] | None = None,
        *,
        wall: Callable[[], int] = time.time_ns,
        secret: Callable[[], str] = fresh_secret,
    ) -> None:
        """*wall* returns the nanoseconds since 1970, *secret* a random token."""
        super().__init__(game, host, kept, defaults)
        self.rooms: dict[str, Room] = {}
        self.counts: dict[tuple[str, int], int] = {}
        """The number of events sent to each seat (table, seat) of a running table."""
        self.wall = wall
        self._secret = secret
        self.users = Users(secret, self.identities)
        self._numbered = 0
        self._opened = 0
        """The number of tables it has requested."""
        self.own_bots = self.filler if defaults and "bots" in defaults else ""
        """The bot from the options of this lobby, if they have one."""
        self._recall(kept)

    def used(self) -> set[str]:
        used, self.users.used = self.users.used, set()
        return used

    def drop(self, name: str, seated: Container[str]) -> bool:
        user = self.users.kept_as(name)
        if user is None or user.conversation is not None or user.room is not None:
            return False
        if self.identities.person(user.digest) in seated:
            return False
        self.users.forget(user)
        return True

    # Implemented by games.

    def read_rules(self, raw: Mapping[str, object]) -> Rules:
        """Return the rules in a client's request, completed by the lobby's defaults; or raise BadOptions."""
        own = self.game.table_options.options
        wanted = {**self.defaults, **raw}
        table = {name: value for name, value in wanted.items() if name in own}
        rules = {name: value for name, value in wanted.items() if name not in own}
        return Rules(self.game.options.read(rules), self.game.table_options.read(table))

    def shown_rules(self, options: Mapping[str, Value], table_options: Mapping[str, Value]) -> Data:
        """Return rules for messages."""
        return {**options, **table_options}

    def seats(self, room: Room) -> list[User | None]:
        """Return the users by seat when *room* starts; None is a bot."""
        free = self.most - len(room.members)
        return [*room.members, *[None] * free]

    def bot(self, room: Room) -> str:
        """Return the bot for free seats and for the seats of players who leave."""
        return room.bots or self.filler

    def spec(self, room: Room) -> TableSpec:
        """Return the specification of the table for *room*."""
        again = room.games > 1
        seed = room.rules.seed
        if seed is not None and again:
            seed = f"{seed} {room.games}"
        elif seed is None and self.seed is not None:
            seed = f"{self.seed} {self._opened}"
        seats = self.seats(room)
        return TableSpec(
            seats=tuple(OPEN if user is not None else f"bot {self.bot(room)}" for user in seats),
            options=room.rules.options,
            table_options=room.rules.table_options,
            seed=seed,
            secret_seed=True,
            draws=() if again else room.rules.draws,
            seat_tokens=tuple(user.digest if user is not None else "" for user in seats),
            single=True,
            private=room.private,
            invitation=room.id if room.private and room.id.startswith(_PRIVATE) else "",
            filler=self.bot(room),
        )

    @property
    def most(self) -> int:
        """Return the maximum number of members of a room."""
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
                self.wanted.append(Keep(name, None))
        for table, row in rows:
            room = recalled(row, table)
            for id in row.members:
                member = by_id.get(id)
                if member is not None and member.room is None:
                    member.room = room
                    room.members.append(member)
            self.rooms[room.id] = room
            self._numbered = max(self._numbered, number_of(row.id, "r"))

    # Finding and showing rooms.

    def table_of(self, user: User) -> TableInfo | None:
        """Return the running table with a seat of *user*, or None."""
        for info in self.tables():
            place = place_of(info, user.digest)
            if place is not None and (place.name or (user.room and user.room.table == info.id)):
                return info
        return None

    def find(self, id: str) -> Room | None:
        """Return the room with this id, which may be a table that waits for players, or None."""
        self.tidy()
        room = self.rooms.get(id)
        if room is not None:
            return room
        info = self.info(id)
        return self._house_room(info) if info is not None and _has_room(info) else None

    def house_room(self, info: TableInfo) -> Room:
        """Return the room of a table of the house, for its players."""
        for room in self.rooms.values():
            if room.table == info.id:
                return room
        room = self._house_room(info)
        self.rooms[room.id] = room
        return room

    def _house_room(self, info: TableInfo) -> Room:
        rules = Rules(info.rules_options, info.table_options)
        return Room(info.id, f"Table {info.id}", rules, house=True, table=info.id)

    def listed(self) -> list[Room]:
        """Return the rooms that are not private, those that wait for players first; if there are many, only
        the newest.
        """
        self.tidy()
        own = [room for room in self.rooms.values() if not room.private]
        if len(own) > MOST_LISTED:
            own = sorted(own, key=lambda room: room.status == WAITING)[-MOST_LISTED:]
        taken = {room.table for room in self.rooms.values()}
        tables = [info for info in self.tables() if info.id not in taken and _has_room(info)]
        return [*own, *map(self._house_room, tables[-MOST_LISTED:])]

    def tidy(self) -> None:
        """Remove rooms whose table no longer exists after a restart."""
        running = {info.id for info in self.tables()}
        for room in list(self.rooms.values()):
            if room.table and room.table not in running and not room.connected():
                for user in room.members:
                    user.room = None
                self._drop(room)

    def _drop(self, room: Room) -> None:
        self.rooms.pop(room.id, None)
        self._forget_table(room.table)
        if room.table and not room.house:
            self.wanted.append(Keep(f"room {room.table}", None))

    def _forget_table(self, table: str) -> None:
        self.counts = {key: number for key, number in self.counts.items() if key[0] != table}

    def describe(self, room: Room, profile: str) -> Data:
        """Return a room for messages."""
        owner: Data = {"user_id": "house", "nickname": "Croupier"}
        info = self.info(room.table) if room.house else None
        if info is not None:
            players = [self.users.player_at(info, place) for place in info.places if place.name]
        elif room.members:
            owner = room.owner.player()
            players = [user.player() for user in room.members[1:]]
        else:
            players = []
        out: Data = {"id": room.id, "name": room.name, "owner": owner, "players": players}
        fixed_deal = self.fixed_deal(room) if info is None else info.fixed_deal
        watch_open = info is not None and info.watch_open
        if profile == SEED:  # the name is the only place for a notice
            notices = [
                words for words, holds in zip(_NOTICES, (fixed_deal, watch_open), strict=True) if holds
            ]
            left = self.identities.measures.seconds_left()
            if left is not None:
                notices.append(f"the server restarts in {ceil(left / 60)} min")
            out["name"] = f"{room.name} ({', '.join(notices)})" if notices else room.name
        else:
            out["game"] = self.game.name
            shown: Data = {
                "private": room.private,
                "password": room.password != "",
                "autostart": room.autostart or room.house,
                "fill_bots": room.fill_bots and not room.house,
            }
            out["options"] = {**shown, "bots": room.bots} if room.bots else shown
            out["status"] = self._status(room, info)
            out["rules"] = self.shown_rules(room.rules.options, room.rules.table_options)
            out["fixed_deal"] = fixed_deal
            out["watch_open"] = watch_open
        return out

    def fixed_deal(self, room: Room) -> bool:
        """Return True if a player could know the cards of *room* in advance."""
        return self.all_fixed or room.fixed_deal

    def _status(self, room: Room, info: TableInfo | None) -> str:
        if info is None:
            return room.status
        return WAITING if info.phase == GATHERING else PLAYING

    # Joining and leaving.

    def come_back(self, user: User) -> tuple[Room | None, TableInfo | None]:
        """Return the room and the table of *user*, who has logged in with their token."""
        self.tidy()
        info = self.table_of(user)
        if info is not None and user.room is None:
            self.join_table(user, info)
        room = user.room
        if room is not None and room.status == PLAYING:
            room.deadline = 0.0
        return room, info

    def create(self, user: User, name: str, options: Data, raw: Data) -> Room:
        """Create a room for *user* and return it."""
        try:
            rules = self.read_rules(raw)
        except BadOptions as error:
            raise Refusal("invalid_request", f"rules: {error}") from error
        room = Room("", name, rules, [user], *_room_options(options))
        try:
            room.bots = self.strength(options["bots"]) if "bots" in options else ""
        except BadOptions as error:
            raise Refusal("invalid_request", f"options: {error}") from error
        # The id of a private room cannot be guessed.
        if room.private:
            room.id = f"{_PRIVATE}{self._secret()[:10]}"
        else:
            self._numbered += 1
            room.id = f"r{self._numbered}"
        self.rooms[room.id] = room
        user.room = room
        return room

    def register(self, nickname: str, conversation: RoomConversation) -> User:
        """Return a new user with this nickname, or raise Refusal if the address has too many."""
        most = self.host.most_per_address
        return self.users.register(nickname, conversation.address, most, conversation.now)

    def check_join(self, user: User, room: Room, password: str | None) -> None:
        """Raise Refusal if *user* cannot join *room*."""
        if room.house:
            info = self.info(room.table)
            if info is None or not free_places(info):
                raise Refusal("room_full", "no seat of this table is free")
        elif len(room.members) >= self.most or room.status != WAITING:
            words = "all seats are taken" if room.status == WAITING else "the game has been started"
            raise Refusal("room_full", words)
        elif room.password and not secrets.compare_digest(room.password, token_digest(password or "")):
            raise Refusal("wrong_password", "the password of this room is different")

    def join(self, user: User, room: Room) -> None:
        """Add *user* to *room*, and tell the others."""
        fields: Data = {"player": user.player(), "timestamp": self.wall()}
        self._tell(room, "lobby.room.join", fields)
        room.members.append(user)
        user.room = room

    def join_table(self, user: User, info: TableInfo) -> Room:
        """Add *user*, who has a seat at a table of the house, to its room; return the room."""
        room = user.room = self.house_room(info)
        room.members.append(user)
        return room

    def autostart(self, room: Room, now: float) -> None:
        """Start a full room, if it starts automatically."""
        if room.autostart and room.status == WAITING and len(room.members) == self.most:
            self.start(room, now)

    def leave(self, user: User, now: float) -> None:
        """Remove *user* from their room, and tell the others."""
        room = user.room
        assert room is not None
        user.room = None
        if user.guest and user.conversation is None:
            self.users.forget(user)
        was_owner = room.owner is user
        room.members.remove(user)
        if not room.members:
            self._drop(room)
        elif not room.house:  # a table of the house reports its players itself
            fields: Data = {"user_id": user.id}
            if was_owner:
                fields["owner"] = room.owner.player()
            self._tell(room, "lobby.room.leave", {**fields, "timestamp": self.wall()})
            if room.status == PLAYING:
                self._keep_table(room, now)

    def lost(self, user: User, now: float) -> None:
        """Handle the end of the connection of *user*."""
        room = user.room
        if room is not None and room.status == PLAYING and not room.house:
            seated = next((other for other in room.connected() if other.seat >= 0), None)
            if seated is not None:
                seated.begin(seated.fill_seats(room))
            self._keep_table(room, now)
        elif room is not None:
            if room.status == STARTING:
                self._cancel(room, [user.id])
            self.leave(user, now)
        if user.guest and user.room is None:
            self.users.forget(user)
        else:
            self.users.rest(user, now)

    def _keep_table(self, room: Room, now: float) -> None:
        """If all members of *room*, which is playing, are disconnected, keep its table for a while.

        Guests cannot return. A match of several users that has begun is kept until the table ends it.
        """
        if room.connected():
            return
        if any(not user.guest for user in room.members):
            room.deadline = now + RETURN_SECONDS
        else:
            self._give_up(room)

    def _give_up(self, room: Room) -> None:
        room.deadline = 0.0
        info = self.info(room.table)
        people = sum(not user.guest for user in room.members)
        if info is not None and (people <= 1 or info.phase == GATHERING):
            self.wanted.append(Close(info.id, ABANDONED))

    def _tell(self, room: Room, name: str, fields: Data, but: User | None = None) -> None:
        for other in room.connected(but):
            other.event(name, fields)

    # Starting.

    def start(self, room: Room, now: float) -> None:
        """Start *room*: ask its members whether they are ready, or open its table at once."""
        if len(room.members) < self.most and not room.fill_bots:
            raise Refusal("invalid_request", f"{len(room.members)} players: expected {self.most}")
        for user in room.members:
            keep = self.users.keep(user)
            if keep is not None:
                self.wanted.append(keep)
        if len(room.members) == 1:
            self._open(room)
            return
        room.status = STARTING
        room.deadline = now + READY_SECONDS
        room.ready = {room.owner.id}
        room.states = {user.id: self._secret() for user in room.members[1:]}
        for user in room.members[1:]:
            self.ask_ready(user)

    def ask_ready(self, user: User) -> None:
        """Ask *user* whether they are ready, if their room waits for their answer."""
        room = user.room
        if room is None or user.conversation is None or user.id in room.ready or user.id not in room.states:
            return
        fields: Data = {"room_id": room.id, "state": room.states[user.id]}
        if self.fixed_deal(room):
            fields["fixed_deal"] = True
        user.conversation.event(_START, fields)

    def set_ready(self, user: User, state: str) -> None:
        """Mark *user* as ready; open the table if they are the last."""
        room = user.room
        assert room is not None
        if room.status != STARTING:
            raise Refusal("unexpected", "no game is being started in this room")
        if user.id in room.ready:
            raise Refusal("already_ready", "you are already ready")
        if state != room.states.get(user.id):
            raise Refusal("invalid_state", "state: expected the value from the event lobby.game.start")
        room.ready.add(user.id)
        self._tell(room, "lobby.player.ready", {"user_id": user.id}, but=user)
        if len(room.ready) == len(room.members):
            self._open(room)

    def _open(self, room: Room) -> None:
        """Open the table of *room*; its members join it as soon as it is open."""
        room.status = PLAYING
        room.deadline = 0.0
        room.games += 1
        self._opened += 1
        room.states.clear()
        room.opening = Open(self.spec(room), room)
        for member in room.connected():
            member.begin(member.play(room.opening))

    def opened(self, mark: object, table: TableInfo | None, words: str, now: float) -> None:
        assert isinstance(mark, Room)
        room = mark
        room.opening = None
        if table is not None:
            room.table = table.id
            self.wanted.append(Keep(f"room {table.id}", write(row_of(room))))
            self._keep_table(room, now)
            return
        self._cancel(room, [])
        owner = room.owner.conversation if room.members else None
        if owner is not None:
            owner.failed(_START, "server_error", words)

    def _cancel(self, room: Room, missing: list[str]) -> None:
        room.status = WAITING
        room.deadline = 0.0
        room.states.clear()
        self._tell(room, "lobby.game.cancelled", {"room_id": room.id, "missing": missing})

    def wake(self) -> float | None:
        return min((room.deadline for room in self.rooms.values() if room.deadline), default=None)

    def tick(self, now: float) -> None:
        for room in list(self.rooms.values()):
            if not room.deadline or now < room.deadline:
                continue
            if room.status == STARTING:
                self._cancel(room, [user.id for user in room.members if user.id not in room.ready])
            else:
                self._give_up(room)

    def claim(self, user: User, info: TableInfo) -> Claim:
        """Return the claim of *user* to their seat at *info*, with a name that is not taken there."""
        room = user.room
        before = room.members[: room.members.index(user)] if room is not None else []
        return OwnSeat(seat_name(user, info, before), user.token)

    def without_absent(self, room: Room) -> tuple[str, ...]:
        """Return the seats of the table of *room* with bots in place of members who left before the match
        began (it would wait for them forever); nothing if all are connected.
        """
        info = self.info(room.table)
        present = [user is not None and user.conversation is not None for user in self.seats(room)]
        if room.house or info is None or info.phase != GATHERING or sum(present) == len(room.members):
            return ()
        return tuple(OPEN if here else f"bot {self.bot(room)}" for here in present)

    def closed(self, table: str, now: float) -> None:
        """Let the room that played at *table* wait again, without members who are not connected."""
        room = next((room for room in self.rooms.values() if room.table == table), None)
        if room is None:
            return
        there = list(room.connected())
        if room.house:
            for user in room.members:
                user.room = None
            self._drop(room)
        else:
            self._open_again(room, now)
        for member in there:
            member.go_on()

    def _open_again(self, room: Room, now: float) -> None:
        self.wanted.append(Keep(f"room {room.table}", None))
        self._forget_table(room.table)
        room.table = ""
        room.status = WAITING
        room.deadline = 0.0
        room.rules = room.rules.before or room.rules
        for user in room.members[:]:
            if user.conversation is None:
                self.leave(user, now)
        self._tell(room, "lobby.game.finished", {"room": self.describe(room, FULL)})


_PRIVATE: Final = "p"
"""The beginning of the id of a private room; the id is its invitation."""
_START: Final = "lobby.game.start"
_NOTICES: Final = ("fixed cards", "watchers see all hands")


def _room_options(raw: Data) -> tuple[bool, str, bool, bool]:
    """Return private, password, autostart and fill_bots; other options are ignored."""
    password = raw.get("password")
    if password is not None and not isinstance(password, str):
        raise Refusal("invalid_request", "options: password: expected a string")
    flags: list[bool] = []
    for name, default in (("private", False), ("autostart", False), ("fill_bots", True)):
        value = raw.get(name, default)
        if not isinstance(value, bool):
            raise Refusal("invalid_request", f"options: {name}: expected true or false")
        flags.append(value)
    return flags[0], token_digest(password) if password else "", flags[1], flags[2]


def _has_room(info: TableInfo) -> bool:
    """Return True if a stranger may take a seat at a table that was not opened in this lobby."""
    return bool(free_places(info)) and not info.private
