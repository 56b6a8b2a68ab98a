"""The lobby of the protocol: known users, online users, the queue for a game, and the clock that starts it.

Guests wait in the order of their arrival (spec 5). When a table is opened, its players leave the queue and
form a *party*. If one of them gets no seat or disconnects before the game begins, the table is given up and
the others return to the head of the queue. Guests who use the older dialect are listed but never join a game.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Final

from croupier.core.contract import Game
from croupier.games.sagrada.settings import Settings
from croupier.games.sagrada.users import User, Users, fresh_token, kept_name, place_of
from croupier.wire.lobby import Host, Lobby
from croupier.wire.lookalikes import skeleton
from croupier.wire.table_spec import TableSpec
from croupier.wire.talk import OPEN, Depart, Keep, Open, Opened, Send

if TYPE_CHECKING:
    from croupier.games.sagrada.wire import GlassConversation

RETRY: Final = 5.0
"""Seconds until another attempt after a table could not be opened."""


@dataclass(slots=True, eq=False)
class Guest:
    """A player who waits, or whose game has not begun."""

    client: GlassConversation
    user: User
    token: str
    party: Party | None = None


@dataclass(slots=True, eq=False)
class Party:
    """The players of a game that has not begun."""

    guests: list[Guest]
    opening: Open
    table: str = ""
    """The table, once it is open."""
    dissolved: bool = False


class GlassLobby(Lobby):
    """The lobby of one server; see the module docstring."""

    def __init__(
        self,
        game: Game,
        host: Host,
        kept: Mapping[str, str],
        defaults: Mapping[str, object] | None = None,
        new_token: Callable[[], str] = fresh_token,
    ) -> None:
        """*new_token* creates the token of a user."""
        super().__init__(game, host, kept, defaults)
        self.settings = Settings(game, self.defaults, self.seed)
        self.per_address = self.settings.per_address
        self.users = Users(kept, self.settings.user_ttl)
        self.new_token = new_token
        self._used: set[str] = set()
        """The storage names of the users who logged in since the last `used`."""
        self._waiting: list[Guest] = []
        self._called: dict[str, Guest] = {}
        """The guests of all parties, by the key of the user."""
        self._ends: float | None = None
        self._games = 0

    def conversation(self, token: str = "", line: bool = False) -> GlassConversation:
        from croupier.games.sagrada.wire import GlassConversation  # it imports this module

        return GlassConversation(self, spaced=line)

    # Users.

    def holder(self, key: str) -> str | None:
        return self.users.holder(key)

    def used(self) -> set[str]:
        used, self._used = self._used, set()
        return used | {kept_name(one) for one in map(self.users.get, self.online) if one is not None}

    def drop(self, name: str, seated: Container[str]) -> bool:
        user = self.users.kept_as(name)
        if user is None or user.key in self.online or self.on_the_way(user):
            return False
        if self.identities.person(user.digest) in seated:
            return False
        self.users.forget(user)
        return True

    def seen(self, user: User) -> None:
        """Note that *user* has logged in."""
        self._used.add(kept_name(user))
        user.seen = None

    def resembles(self, nick: str) -> bool:
        """Return True if another user who is online has a nick that looks the same as *nick*."""
        look = skeleton(nick)
        others = [one.name for key, one in self.online.items() if key != nick.lower()]
        return any(skeleton(other) == look for other in others)

    def known(self, nick: str, now: float) -> User | None:
        """Return the user with this nick, unless the user has expired."""
        user = self.users.get(nick)
        return None if user is None or user in self._stale(now) else user

    def forgotten(self, now: float) -> list[Keep]:
        """Remove expired users; return the changes to store."""
        return [self.users.forget(user) for user in self._stale(now)]

    def _stale(self, now: float) -> list[User]:
        return [user for user in self.users.stale(now) if not self.table_of(user)]

    def table_of(self, user: User) -> str:
        """Return the table where *user* plays, or to which they were sent."""
        sent = self.on_the_way(user)
        if sent:
            return sent
        return next((info.id for info in self.tables() if place_of(user, info) is not None), "")

    # Waiting for a game.

    def nicks(self) -> list[str]:
        """Return all waiting guests."""
        return [guest.user.nick for guest in self._waiting]

    def waits(self, client: GlassConversation) -> bool:
        """Return True if *client* waits for a game."""
        return any(guest.client is client for guest in self._waiting)

    def seconds_left(self, now: float) -> str:
        """Return the remaining seconds of the clock."""
        return "-" if self._ends is None else str(max(0, ceil(self._ends - now)))

    def wake(self) -> float | None:
        return self._ends

    def tick(self, now: float) -> None:
        if self._ends is not None and now >= self._ends:
            self._ends = None
            if len(self._players()) >= self.settings.least:
                self._start(now)

    def join(self, guest: Guest, now: float) -> None:
        """Add *guest* to the queue; tell them who is waiting, and the others that they have joined."""
        others = self._waiting[:]
        self._waiting.append(guest)
        _say(guest, guest.client.present(self.nicks()))
        for other in others:
            _say(other, other.client.newcomer(guest.user.nick))
        self._check(now)

    def replace(self, newer: Guest) -> bool:
        """Put *newer* in the place of the older connection of the same user, if there is one."""
        for guest in [*self._waiting, *self._called.values()]:
            if guest.user is newer.user:
                guest.client, guest.token = newer.client, newer.token
                if guest.party is not None and not guest.party.table:
                    guest.client.call(guest.party)
                return True
        return False

    def leave(self, client: GlassConversation, now: float) -> None:
        """Remove *client* from the queue: the connection or the player has left."""
        for key, guest in list(self._called.items()):
            if guest.client is client:
                del self._called[key]
        gone = [guest for guest in self._waiting if guest.client is client]
        self._waiting = [guest for guest in self._waiting if guest.client is not client]
        if gone:
            self._say_farewell(gone)
            self._check(now)

    def _say_farewell(self, gone: list[Guest]) -> None:
        for guest in gone:
            for other in self._waiting:
                _say(other, other.client.departed(guest.user.nick))

    # Starting.

    def _players(self) -> list[Guest]:
        return [guest for guest in self._waiting if not guest.client.legacy]

    def _check(self, now: float, pause: float = 0.0) -> None:
        """Start a game, or start or stop the clock, depending on the number of players."""
        many = len(self._players())
        if many >= self.settings.most and not pause:
            self._start(now)
        elif many < self.settings.least:
            if self._ends is not None:
                self._ends = None
                self._tell_clock(now)
        elif self._ends is None:
            self._ends = now + max(self.settings.lobby_wait, pause)
            if self._ends <= now:
                self.tick(now)
            else:
                self._tell_clock(now)

    def _tell_clock(self, now: float) -> None:
        shown = self.seconds_left(now)
        for guest in self._waiting:
            _say(guest, guest.client.countdown(shown))

    def _start(self, now: float) -> None:
        players = self._players()[: self.settings.most]
        self._waiting = [guest for guest in self._waiting if guest not in players]
        self._ends = None
        self._games += 1
        party = Party(players, Open(self._spec(players)))
        self._say_farewell(players)
        for guest in players:
            guest.party = party
            self._called[guest.user.key] = guest
            guest.client.call(party)
        self._check(now)

    def _spec(self, players: list[Guest]) -> TableSpec:
        settings = self.settings
        return TableSpec(
            seats=(OPEN,) * len(players),
            options=settings.rules,
            table_options=settings.table,
            seed=None if settings.seed is None else f"{settings.seed} {self._games}",
            secret_seed=True,
            seat_tokens=tuple(guest.user.digest for guest in players),
            single=True,
        )

    def ready(self, party: Party, opened: Opened, now: float) -> bool:
        """Return True if *party* may go to its table: it is open, and all players are still there."""
        if party.table or party.dissolved:
            return not party.dissolved
        there = [guest for guest in party.guests if self._called.get(guest.user.key) is guest]
        if opened.table is not None and len(there) == len(party.guests):
            party.table = opened.table.id
            return True
        party.dissolved = True
        self._come_back(there, now, RETRY if opened.table is None else 0.0)
        return False

    def on_the_way(self, user: User) -> str:
        """Return the table to which *user* has been sent, until the game begins."""
        guest = self._called.get(user.key)
        return guest.party.table if guest is not None and guest.party is not None else ""

    def begun(self, user: User) -> None:
        """Note that the game of *user* has begun."""
        self._called.pop(user.key, None)

    def dissolve(self, table: str, now: float, but: User | None = None) -> None:
        """Return all players who were sent to *table* to the queue, except *but*: there will be no game."""
        sent = [guest for guest in self._called.values() if self.on_the_way(guest.user) == table]
        for guest in sent:
            if guest.party is not None:
                guest.party.dissolved = True
            if guest.client.seat >= 0:
                guest.client.post(Depart())
        if but is not None:
            self._called.pop(but.key, None)
        self._come_back([guest for guest in sent if guest.user is not but], now, RETRY)

    def _come_back(self, guests: list[Guest], now: float, pause: float) -> None:
        others = self._waiting
        self._waiting = [*guests, *others]
        for guest in guests:
            self._called.pop(guest.user.key, None)
            guest.party = None
            guest.client.dismiss()
            _say(guest, guest.client.present(self.nicks()))
            for other in others:
                _say(other, other.client.newcomer(guest.user.nick))
        self._check(now, pause)


def _say(guest: Guest, lines: list[str]) -> None:
    for line in lines:
        guest.client.post(Send(line))
