"""Who waits for a game, in the order of coming, and the clock that starts it (spec 5).

A guest leaves the lobby when a table is opened for him. If one of those who were sent there gets no seat,
or is lost before the game begins, nothing comes of the table and all the others come back, at the head.
Guests who speak the older dialect are shown but never dealt into a game.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil
from typing import Final

from croupier.games.sagrada.settings import Settings
from croupier.games.sagrada.users import Seat, User
from croupier.wire.desk import DeskConversation
from croupier.wire.talk import OPEN, Depart, Enter, Open, Output, Send, Via, Wish

RETRY: Final = 5.0
"""How long to wait at least before a table is asked for again that could not be opened."""


class Waiting(DeskConversation):
    """A connection as the lobby sees it."""

    legacy = False

    def present(self, nicks: Iterable[str]) -> list[str]:
        """Return how it is told who waits, itself last."""
        raise NotImplementedError

    def newcomer(self, nick: str) -> list[str]:
        """Return how it is told that somebody has come."""
        raise NotImplementedError

    def left(self, nick: str) -> list[str]:
        """Return how it is told that somebody waits no more."""
        raise NotImplementedError

    def countdown(self, seconds: str) -> list[str]:
        """Return how it is told that the clock was started or, ``-``, stopped."""
        raise NotImplementedError

    def called(self) -> None:
        """A table is being opened for it; what it says from now on waits until the game has begun."""
        raise NotImplementedError

    def dismissed(self) -> None:
        """Nothing came of that table: it waits again."""
        raise NotImplementedError


@dataclass(slots=True, eq=False)
class Guest:
    """Somebody who waits."""

    conversation: Waiting
    user: User
    token: str
    table: str = ""
    """Where he was sent."""


class Lobby:
    """See the module's head. What it wants done is done by the guests' connections."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._guests: list[Guest] = []
        self._called: dict[str, Guest] = {}
        """Guests for whom a table is being opened, or whose game there has not begun, by the user's key."""
        self._ends: float | None = None
        self._games = 0

    def nicks(self) -> list[str]:
        """Return everybody who waits."""
        return [guest.user.nick for guest in self._guests]

    def waits(self, conversation: Waiting) -> bool:
        """Say whether this connection waits here."""
        return any(guest.conversation is conversation for guest in self._guests)

    def seconds_left(self, now: float) -> str:
        """Return what the clock shows."""
        return "-" if self._ends is None else str(max(0, ceil(self._ends - now)))

    def wake(self) -> float | None:
        """Return when the clock ends."""
        return self._ends

    def tick(self, now: float) -> list[Output]:
        """The clock has ended."""
        if self._ends is None or now < self._ends:
            return []
        self._ends = None
        return self._start(now) if len(self._players()) >= self._settings.least else []

    # Coming and going.

    def join(self, guest: Guest, now: float) -> list[Output]:
        """Let *guest*, whose connection does what comes of it, wait; he is told who is there, they of him."""
        others = self._guests[:]
        self._guests.append(guest)
        outputs: list[Output] = [Send(line) for line in guest.conversation.present(self.nicks())]
        for other in others:
            outputs += _say(other, other.conversation.newcomer(guest.user.nick))
        return outputs + self._check(now)

    def replace(self, newer: Guest) -> bool:
        """Let *newer* stand where the same user's older connection does, if it does."""
        for guest in [*self._guests, *self._called.values()]:
            if guest.user is newer.user:
                guest.conversation, guest.token = newer.conversation, newer.token
                if guest.user.key in self._called:
                    guest.conversation.called()
                return True
        return False

    def leave(self, conversation: Waiting, now: float) -> list[Output]:
        """The connection waits no more: it is gone, or its player is."""
        for key, guest in list(self._called.items()):
            if guest.conversation is conversation:
                del self._called[key]
        guests = [guest for guest in self._guests if guest.conversation is not conversation]
        gone = [guest for guest in self._guests if guest.conversation is conversation]
        self._guests = guests
        outputs = self._farewell(gone, guests)
        return outputs + self._check(now) if gone else []

    def _farewell(self, gone: list[Guest], others: list[Guest]) -> list[Output]:
        return [
            output
            for guest in gone
            for other in others
            for output in _say(other, other.conversation.left(guest.user.nick))
        ]

    # Starting.

    def _players(self) -> list[Guest]:
        return [guest for guest in self._guests if not guest.conversation.legacy]

    def _check(self, now: float, pause: float = 0.0) -> list[Output]:
        """Start a game, or the clock, or stop it, as the number of players wants it."""
        many = len(self._players())
        if many >= self._settings.most and not pause:
            return self._start(now)
        if many < self._settings.least:
            stopped, self._ends = self._ends is not None, None
            return self._tell_clock(now) if stopped else []
        if self._ends is not None:
            return []
        self._ends = now + max(self._settings.lobby_wait, pause)
        if self._ends <= now:
            return self.tick(now)
        return self._tell_clock(now)

    def _tell_clock(self, now: float) -> list[Output]:
        shown = self.seconds_left(now)
        return [
            output for guest in self._guests for output in _say(guest, guest.conversation.countdown(shown))
        ]

    def _start(self, now: float) -> list[Output]:
        players = self._players()[: self._settings.most]
        self._guests = [guest for guest in self._guests if guest not in players]
        self._ends = None
        self._games += 1
        for guest in players:
            guest.table = ""
            guest.conversation.called()
            self._called[guest.user.key] = guest
        opened = Via(players[0].conversation, Open(self._wish(players), tuple(players)))
        return [*self._farewell(players, self._guests), opened, *self._check(now)]

    def _wish(self, players: list[Guest]) -> Wish:
        settings = self._settings
        return Wish(
            seats=(OPEN,) * len(players),
            options=settings.rules,
            table_options=settings.table,
            seed=None if settings.seed is None else f"{settings.seed} {self._games}",
            seat_tokens=tuple(guest.user.digest for guest in players),
            single=True,
        )

    def opened(self, players: tuple[Guest, ...], table: str, now: float) -> list[Output]:
        """Send *players* to their *table*; without one, or if somebody has gone, let them wait on."""
        there = [guest for guest in players if self._called.get(guest.user.key) is guest]
        if not table or len(there) < len(players):
            return self._come_back(there, now, 0.0 if table else RETRY)
        outputs: list[Output] = []
        for guest in players:
            guest.table = table
            claim = Seat(guest.user.nick, guest.token, guest.user.digest)
            outputs.append(Via(guest.conversation, Enter(table, claim, table)))
        return outputs

    def on_the_way(self, user: User) -> str:
        """Return the table that *user* has been sent to, until his game begins."""
        guest = self._called.get(user.key)
        return guest.table if guest is not None else ""

    def begun(self, user: User) -> None:
        """*user* plays."""
        self._called.pop(user.key, None)

    def dissolve(self, table: str, now: float, but: User | None = None) -> list[Output]:
        """Nobody plays at *table*: let all who were sent there wait again, *but* one."""
        sent = [guest for guest in self._called.values() if guest.table == table]
        away = [Via(guest.conversation, Depart()) for guest in sent if guest.conversation.seat >= 0]
        if but is not None:
            self._called.pop(but.key, None)
        return [*away, *self._come_back([guest for guest in sent if guest.user is not but], now, RETRY)]

    def _come_back(self, guests: list[Guest], now: float, pause: float) -> list[Output]:
        others = self._guests
        self._guests = [*guests, *others]
        outputs: list[Output] = []
        for guest in guests:
            self._called.pop(guest.user.key, None)
            guest.conversation.dismissed()
            outputs += _say(guest, guest.conversation.present(self.nicks()))
            for other in others:
                outputs += _say(other, other.conversation.newcomer(guest.user.nick))
        return outputs + self._check(now, pause)


def _say(guest: Guest, lines: list[str]) -> list[Output]:
    return [Via(guest.conversation, Send(line)) for line in lines]
