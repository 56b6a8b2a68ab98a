"""A connection outside a game: how its lines come in, its login, the lobby (spec 2, 4, 5, 12)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from croupier.games.sagrada.announcing import line
from croupier.games.sagrada.fields import LINE_LIMIT, fields_of, is_nick, is_word, text_of
from croupier.games.sagrada.front import Front
from croupier.games.sagrada.intake import Bucket, Latch
from croupier.games.sagrada.lobby import Guest, Waiting
from croupier.games.sagrada.orders import BAD, OK
from croupier.games.sagrada.users import Seat, User, owns
from croupier.wire.accounts import Account
from croupier.wire.lines import LineReader, Overlong
from croupier.wire.talk import Act, Depart, Enter, Hang, Here, Keep, Output, Prove, Send, Via

WELCOME: Final = "welcome to the glass workshop"
LOGIN_TIME: Final = 60.0
"""How long a connection may be without a user."""
FAILURES: Final = 5
"""So many end the connection."""
BAD_REQUESTS: Final = 50
"""So many in a row end it, too."""
_TOO_BAD: Final = Hang(1008, "too many bad requests")
_REPLACED: Final = Hang(4001, "replaced by a newer connection")

# Where a connection is.
OUTSIDE: Final = "outside"
"""Nobody has logged in."""
LOBBY: Final = "lobby"
TABLE: Final = "table"
"""At a table, or on the way there."""
OUT: Final = "out"
"""Logged in, and the game is over."""


class Entrance(Waiting):
    """One client, but for what it does in a game (wire.py)."""

    outbox_limit = 64 * 1024

    def __init__(self, desk: Front, spaced: bool) -> None:
        super().__init__(LineReader(LINE_LIMIT + 1, bare_cr=True))
        self.terminator = "\r\n" if spaced else "\r"
        self._desk = desk
        self._spaced = spaced
        self._latch = Latch()
        self._bucket = Bucket()
        self._held: deque[str | bytes | Overlong] = deque()
        """Lines that wait for the latch, or for the bucket to fill."""
        self._todo: deque[Callable[[float], list[Output]]] = deque()
        """What is to be done as soon as nothing is waited for."""
        self._where = OUTSIDE
        self._fresh = True
        """No line has come yet."""
        self._candidate = ""
        """The nick that a token is awaited for."""
        self._user: User | None = None
        self._token = ""
        self._failures = 0
        self._bad = 0
        self._closes: float | None = None
        """When the connection ends if nothing happens."""
        self._opening = False
        """A table has been asked for, and the game has not begun."""
        self._events = False
        self._last_game = ""

    # Lines in.

    def greet(self, now: float) -> list[Output]:
        self._closes = now + LOGIN_TIME
        return [Send(WELCOME)]

    def feed(self, data: bytes, now: float) -> list[Output]:
        self._held.extend(self._reader.feed(data))
        if not self._spaced:
            self._latch.see(data, now)
        return self._let_in(now)

    def receive(self, data: str | bytes, now: float) -> list[Output]:
        self._held.append(data)
        return self._let_in(now)

    def _let_in(self, now: float) -> list[Output]:
        if self._latch.due is not None:
            return []
        self.terminator = self._latch.found or self.terminator
        while self._held and self._bucket.take(now):
            self._waiting.append(self._held.popleft())
        return self.resume(now)

    @property
    def crowded(self) -> bool:
        return super().crowded or (bool(self._held) and self._latch.due is None)

    @property
    def settled(self) -> bool:
        return super().settled and not self._held

    def pending(self) -> bool:
        return super().pending() or (bool(self._todo) and not self._busy)

    def resume(self, now: float) -> list[Output]:
        outputs: list[Output] = []
        while self._todo and not self._busy:
            outputs += self._todo.popleft()(now)
        return outputs + super().resume(now)

    def wake(self) -> float | None:
        moments = [self._closes, self._latch.due]
        if self._held and self._latch.due is None:
            moments.append(self._bucket.ready())
        return min((moment for moment in moments if moment is not None), default=None)

    def tick(self, now: float) -> list[Output]:
        self._latch.tick(now)
        outputs = self._let_in(now)
        if self._closes is None or now < self._closes:
            return outputs
        self._closes = None
        return [*outputs, Hang(1000, "nothing has come for too long")]

    def answer(self, data: str | bytes | Overlong, now: float) -> list[Output]:
        fields = self._fields(text_of(data))
        if fields == []:
            return []
        if self._where == OUT:
            self._closes = now + self._desk.settings.idle_time
        here: list[Output] = [Here()] if self._is_away() else []
        answered = [Send(BAD)] if fields is None else self._do(fields[0].lower(), fields[1:], now)
        if any(isinstance(output, Act) for output in answered):
            return [*here, *answered]  # how the table answers, counts
        return [*here, *answered, *self._count(Send(BAD) in answered)]

    def _fields(self, text: str | None) -> list[str] | None:
        """Return the fields of a line, none of an empty one, None if it cannot be read."""
        if text is None:
            self._fresh = False
            return None
        if self._fresh and not self._spaced and text.lower().startswith("login ") and "\t" not in text:
            self.legacy = True
        fields = text.split(" ") if self.legacy and text else fields_of(text, self._spaced)
        self._fresh = self._fresh and not fields
        return fields

    def _count(self, bad: bool) -> list[Output]:
        """Count a bad request, and end what is nothing but that."""
        self._bad = self._bad + 1 if bad else 0
        return [_TOO_BAD] if self._bad == BAD_REQUESTS else []

    def _do(self, verb: str, fields: list[str], now: float) -> list[Output]:
        """Carry out one command."""
        commands = _LEGACY if self.legacy else _OUTSIDE if self._where == OUTSIDE else _INSIDE
        command = commands.get(verb)
        if command is not None:
            return command(self, fields, now)
        if self.legacy or self._where == OUTSIDE:
            return [Send(BAD)]
        return self._play(verb, fields)

    # What a game has to say (wire.py).

    def _play(self, verb: str, fields: list[str]) -> list[Output]:
        """Carry out a command that belongs to a game."""
        raise NotImplementedError

    def _is_away(self) -> bool:
        """Say whether the server has stopped waiting for this player."""
        raise NotImplementedError

    def _picture(self, now: float) -> list[str]:
        """Return the state of the game, none outside of one."""
        raise NotImplementedError

    # Login (spec 4).

    def _login(self, fields: list[str], now: float) -> list[Output]:
        self._candidate = ""
        if self._user is not None or len(fields) != 1:
            return [Send(BAD)]
        nick = fields[0]
        if not is_nick(nick):
            return self._failed()
        account = self._desk.register.owner(nick)
        user = self._desk.users.enrol(account) if account is not None else self._desk.known(nick, now)
        if user is not None:
            self._candidate = user.nick
            return [Send(self._line("login", user.nick, "token"))]
        token = self._desk.new_token()
        user, keep = self._desk.users.create(nick, token)
        self._become(user, token)
        self._todo.append(self._arrive)
        forgotten = [output for output in self._desk.forgotten(now) if output != keep]
        return [Keep(keep.name, keep.data, (Send(self._line("login", nick, token)), *forgotten))]

    def _give_token(self, fields: list[str], now: float) -> list[Output]:
        nick, self._candidate = self._candidate, ""
        account = self._desk.register.owner(nick)
        if account is not None and len(fields) == 1:
            if self._desk.register.holder(fields[0]) is account:
                return self._prove_to_be(account, fields[0], now)
            return [Prove(nick, fields[0])]
        user = self._desk.known(nick, now) if nick else None
        if user is None or len(fields) != 1:
            return [Send(BAD)]
        if not owns(user, fields[0]):
            return self._failed()
        self._become(user, fields[0])
        return [Send("verified"), *self._arrive(now)]

    def proved(self, token: str, words: str, now: float) -> list[Output]:
        account = self._desk.register.holder(token)
        return self._failed() if account is None else self._prove_to_be(account, token, now)

    def _prove_to_be(self, account: Account, token: str, now: float) -> list[Output]:
        self._become(self._desk.users.enrol(account), token)
        return [Send("verified"), *self._arrive(now)]

    def _become(self, user: User, token: str) -> None:
        self._desk.seen(user)
        self._user = user
        self._token = token
        self._where = LOBBY
        self._closes = None
        user.seen = None

    def _failed(self) -> list[Output]:
        self._failures += 1
        failed = Send("failed")
        return [failed] if self._failures < FAILURES else [failed, Hang(1008, "too many failures")]

    def _guest(self) -> Guest:
        assert self._user is not None
        return Guest(self, self._user, self._token)

    def _arrive(self, now: float) -> list[Output]:
        """Go back to the game one plays, or wait for one. Nobody is logged in twice."""
        desk, guest = self._desk, self._guest()
        user = guest.user
        before = desk.online.get(user.key)
        desk.online[user.key] = self
        table = "" if self.legacy else desk.table_of(user)
        if table:
            self._where = TABLE
            back = Enter(table, Seat(user.nick, self._token, user.digest), table)
            if before is None:
                return [back]
            # He may have sat down elsewhere while he waited.
            sent = desk.lobby.on_the_way(user) and desk.lobby.replace(guest)
            left = [] if sent else desk.lobby.leave(before, now)
            # A connection at that table is cut off by it, and its seat is not empty in between.
            there = before.table is not None and before.table.id == table
            return [back, *left] if there else [back, Via(before, _REPLACED), *left]
        if before is None:
            return desk.lobby.join(guest, now)
        if self.legacy == before.legacy and desk.lobby.replace(guest):
            return [*self._tell_present(), Via(before, _REPLACED)]
        left = desk.lobby.leave(before, now)
        return [Via(before, _REPLACED), *left, *desk.lobby.join(guest, now)]

    def _logout(self, fields: list[str], now: float) -> list[Output]:
        if fields:
            return [Send(BAD)]
        bye = Hang(1000, "logged out")
        if self._user is None or not self._desk.lobby.waits(self):
            return [bye]
        forget = self._desk.users.forget(self._user)
        return [Keep(forget.name, None, (bye,))]

    def gone(self, now: float) -> list[Output]:
        # Something may still be on its way to the disk: nobody is there any more to go on with it.
        self._todo.clear()
        self._waiting.clear()
        self._held.clear()
        user = self._user
        if user is None or self._desk.online.get(user.key, self) is not self:
            return []
        self._desk.online.pop(user.key, None)
        user.seen = now
        return self._desk.lobby.leave(self, now)

    def replaced(self) -> list[Output]:
        return [_REPLACED]

    # The lobby (spec 5).

    def _new_game(self, fields: list[str], now: float) -> list[Output]:
        if fields or self._where == TABLE:
            return [Send(BAD)]
        if self._where == LOBBY:
            return self._tell_present()
        self._where = LOBBY
        self._closes = None
        away: list[Output] = [Depart()] if self.table is not None else []
        return [*away, *self._desk.lobby.join(self._guest(), now)]

    def _turned_back(self, table: object, words: str, now: float) -> list[Output]:
        """There is no seat at *table*: wait, but not if it was the lobby that has sent this player there."""
        lobby, guest = self._desk.lobby, self._guest()
        sent = lobby.on_the_way(guest.user)
        if sent == table:
            return [*lobby.dissolve(sent, now, but=guest.user), Hang(1008, words)]
        if self._where == LOBBY:
            return []
        self._where = LOBBY
        return lobby.join(guest, now)

    def called(self) -> None:
        self._where = TABLE
        self._opening = True
        self.hold()

    def dismissed(self) -> None:
        self._where = LOBBY
        self._opening = False
        self.free()

    def _tell_present(self) -> list[Output]:
        assert self._user is not None
        nicks = self._desk.lobby.nicks()
        if self._user.nick not in nicks:  # a table is being opened for him
            nicks.append(self._user.nick)
        return [Send(shown) for shown in self.present(nicks)]

    def present(self, nicks: Iterable[str]) -> list[str]:
        if not self.legacy:
            return [line("lobbyplayers:", *nicks)]
        assert self._user is not None
        others = [nick for nick in nicks if nick != self._user.nick]
        return [self._line("new_player", *others)] if others else []

    def newcomer(self, nick: str) -> list[str]:
        return [self._line("new_player", nick) if self.legacy else line("newplayer:", nick)]

    def left(self, nick: str) -> list[str]:
        return [self._line("quit", nick)] if self.legacy or self._events else []

    def countdown(self, seconds: str) -> list[str]:
        return [line("countdown", seconds)] if self._events else []

    def _line(self, *fields: str) -> str:
        """Return a line in the dialect of this connection."""
        return (" " if self.legacy else "\t").join(fields)

    # Anywhere (spec 10).

    def _switch_events(self, fields: list[str], now: float) -> list[Output]:
        wish = fields[0].lower() if len(fields) == 1 else ""
        if wish not in ("on", "off"):
            return [Send(BAD)]
        self._events = wish == "on"
        return [Send(OK)]

    def _ping(self, fields: list[str], now: float) -> list[Output]:
        if len(fields) > 1 or not all(is_word(field) for field in fields):
            return [Send(BAD)]
        return [Send(line("pong", *fields))]

    def _state(self, fields: list[str], now: float) -> list[Output]:
        if fields:
            return [Send(BAD)]
        return [Send(shown) for shown in self._picture(now) or self._blank(now)]

    def _blank(self, now: float) -> list[str]:
        """Return the state of no game."""
        if self._where == OUT:
            return [line("state", self._last_game, 0, "over", "-", "-"), "end_state"]
        return [line("state", "-", 0, "lobby", "-", self._desk.lobby.seconds_left(now)), "end_state"]


_Command = Callable[[Entrance, list[str], float], list[Output]]
_LEGACY: Final[Mapping[str, _Command]] = {
    "login": Entrance._login,
    "token": Entrance._give_token,
    "logout": Entrance._logout,
}
_OUTSIDE: Final[Mapping[str, _Command]] = {
    **_LEGACY,
    "events": Entrance._switch_events,
    "ping": Entrance._ping,
}
_INSIDE: Final[Mapping[str, _Command]] = {
    **_OUTSIDE,
    "state": Entrance._state,
    "newgame": Entrance._new_game,
}
