"""The line protocol of the dice game, without I/O (spec 2 to 12): one client from its welcome to its end.

A connection logs in, waits in the lobby, plays at a table and leaves the game again. There are three
transports: the seed port (fields separated by TABs, line endings as the client uses them, CR at first), the
line port (CR LF, spaces separate fields as well) and a WebSocket, where a frame is a line.

An order of a player is answered, and its consequences are sent, before the next line is read: so each line
applies to the state that its sender has seen. Between `your-turn` and the end of the turn a client without
events gets only these answers.

Operations that wait for an answer are exchanges (wire/driver.py): login, joining a table, orders in a game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, TypeAlias

from croupier.core.contract import WATCHER, Event
from croupier.games.sagrada import messages, orders
from croupier.games.sagrada.events import (
    HandChanged,
    MatchEnded,
    MatchStarted,
    PoolRerolled,
    TurnEnded,
    TurnStarted,
)
from croupier.games.sagrada.help import FIXED, WELCOME, help_lines, how
from croupier.games.sagrada.intake import Intake
from croupier.games.sagrada.lobby import GlassLobby, Guest, Party
from croupier.games.sagrada.messages import line, restart_line
from croupier.games.sagrada.orders import BAD, HAND, OK, POOL, Order
from croupier.games.sagrada.parsing import LINE_LIMIT, fields_of, is_nick, is_word, nick_of, text_of
from croupier.games.sagrada.users import Seat, User, owns
from croupier.games.sagrada.view import GlassView
from croupier.games.sagrada.vocabulary import CANCEL, CHOOSING, EXTRACT, EXTRACTING, OVER, SEATING
from croupier.wire.driver import Exchange, LobbyConversation
from croupier.wire.lines import LineReader, Overlong
from croupier.wire.talk import (
    AWAY,
    BACK,
    EXPELLED,
    GATHERING,
    LOST,
    PRESENT,
    QUIT,
    Act,
    AskedNow,
    Depart,
    Disconnect,
    Enter,
    Here,
    Note,
    Opened,
    Output,
    PlacesChanged,
    Prove,
    Proved,
    Refused,
    Send,
    Stopped,
    TableInfo,
    TimedOut,
    Told,
    TurnChanged,
    Wait,
)

LOGIN_TIME: Final = 60.0
"""Seconds that a connection may stay open without a login."""
FAILURES: Final = 5
"""How many failed logins end the connection."""
BAD_REQUESTS: Final = 50
"""How many successive bad requests end it."""
_REPLACED: Final = Disconnect(4001, "replaced by a newer connection")
_BETWEEN_MOVES: Final = ("deactive_tool_card", "deactivate_tool_card", "pass")

# The stages of a connection.
OUTSIDE: Final = "outside"
"""Not logged in."""
WAITING: Final = "waiting"
"""In the lobby, until a game begins."""
TABLE: Final = "table"
"""At a table, or about to join it."""
OUT: Final = "out"
"""Logged in, and the game is over."""

# Reasons for an exchange to wait.
_BEGUN: Final = "begun"
"""The game begins."""
_TOLD: Final = "told"
"""All consequences of an order have been sent."""


class GlassConversation(LobbyConversation):
    """One client."""

    def __init__(self, lobby: GlassLobby, spaced: bool = False) -> None:
        reader = LineReader(LINE_LIMIT + 1, bare_cr=True)
        super().__init__(lobby, reader)
        self.outbox_limit = 64 * 1024
        self.legacy = False
        self._lobby = lobby
        self._spaced = spaced
        self._intake = Intake(reader, spaced)
        self.terminator = self._intake.terminator
        self._where = OUTSIDE
        self._fresh = True
        """Whether no line has been received yet."""
        self._candidate = ""
        """The nick for which a token is expected."""
        self._user: User | None = None
        self._token = ""
        self._failures = 0
        self._bad = 0
        """The number of successive bad requests, including the current line if it is one."""
        self._bad_before = 0
        self._closes: float | None = None
        """When the connection is closed if nothing happens."""
        self._events = False
        self._restart: tuple[float, str] | None = None
        """When the server restarts, and the words of the operator."""
        self._last_game = ""
        self._awaits = ""
        """The change that has to occur before the order is answered."""
        self._held: list[str] = []
        """Events to send after that answer."""
        self._first_move: tuple[int, int] | None = None
        """The first `move` of tool 4."""
        self._announced = True
        """Whether the player has been told that it is their turn."""
        self._late = -1
        """The seat whose time has run out in this turn."""
        self._returned = -1
        """The seat that has just reconnected."""

    # Input.

    def greet(self, now: float) -> list[Output]:
        self._closes = now + LOGIN_TIME
        welcome = WELCOME + FIXED if self._lobby.all_fixed else WELCOME
        settings = self._lobby.settings
        return [Send(welcome + how(settings.least, settings.lobby_wait) if self._spaced else welcome)]

    def feed(self, data: bytes, now: float) -> list[Output]:
        self._intake.feed(data, now)
        return self._let_in(now)

    def receive(self, data: str | bytes, now: float) -> list[Output]:
        self._intake.receive(data)
        return self._let_in(now)

    def _let_in(self, now: float) -> list[Output]:
        self._inbox.extend(self._intake.take(now))
        self.terminator = self._intake.terminator
        return self.resume(now)

    @property
    def crowded(self) -> bool:
        return super().crowded or self._intake.full

    @property
    def settled(self) -> bool:
        return super().settled and self._intake.empty

    def wake(self) -> float | None:
        moments = [self._closes, self._intake.wake()]
        return min((moment for moment in moments if moment is not None), default=None)

    def tick(self, now: float) -> list[Output]:
        outputs = self._let_in(now)
        if self._closes is not None and now >= self._closes:
            self._closes = None
            self.disconnect(1000, "idle for too long")
            outputs = [*outputs, *self.take()]
        return outputs

    def answer(self, data: str | bytes | Overlong, now: float) -> Exchange | None:
        fields = self._fields(text_of(data))
        if fields == []:
            return None
        self._bad_before, self._bad = self._bad, 0
        if self._where == OUT:
            self._closes = now + self._lobby.settings.idle_time
        if self._is_away():
            self.post(Here())
        return self._reject() if fields is None else self._do(fields[0].lower(), fields[1:])

    def _fields(self, text: str | None) -> list[str] | None:
        """Return the fields of a line, [] for an empty one, None if it cannot be read."""
        if text is None:
            self._fresh = False
            return None
        if self._fresh and not self._spaced and text.lower().startswith("login ") and "\t" not in text:
            self.legacy = True
        fields = text.split(" ") if self.legacy and text else fields_of(text, self._spaced)
        self._fresh = self._fresh and not fields
        return fields

    def _do(self, verb: str, fields: list[str]) -> Exchange | None:
        """Carry out one command."""
        commands = _LEGACY if self.legacy else _OUTSIDE if self._where == OUTSIDE else _INSIDE
        command = commands.get(verb) or (_TYPED.get(verb) if self._spaced else None)
        if command is not None:
            return command(self, fields)
        if self.legacy or self._where == OUTSIDE:
            return self._reject()
        return self._play(verb, fields)

    def _reject(self) -> Exchange | None:
        """Answer a bad request, and close the connection after too many in a row."""
        self.send(BAD)
        self._bad = self._bad_before + 1
        if self._bad == BAD_REQUESTS:
            self.disconnect(1008, "too many bad requests")
        return None

    def _send_all(self, lines: Iterable[str]) -> None:
        for shown in lines:
            self.send(shown)

    def _line(self, *fields: str) -> str:
        """Return a line in the dialect of this connection."""
        return (" " if self.legacy else "\t").join(fields)

    # Login (spec 4).

    def _login(self, fields: list[str]) -> Exchange:
        self._candidate = ""
        if self._user is not None or len(fields) != 1:
            self._reject()
            return
        nick = fields[0]
        lobby = self._lobby
        if not is_nick(nick) or lobby.identities.resembled(nick) is not None or lobby.resembles(nick):
            self._fail()
            return
        account = lobby.identities.owner(nick)
        known = lobby.users.enrol(account) if account is not None else lobby.known(nick, self.now)
        if known is not None:
            self._candidate = known.nick
            self.send(self._line("login", known.nick, "token"))
            return
        token = lobby.new_token()
        user, keep = lobby.users.create(nick, token)
        self._become(user, token)
        stale = lobby.forgotten(self.now)
        yield keep
        self.send(self._line("login", nick, token))
        while stale:
            yield stale.pop()
        yield from self._arrive(user)

    def _give_token(self, fields: list[str]) -> Exchange:
        nick, self._candidate = self._candidate, ""
        lobby = self._lobby
        account = lobby.identities.owner(nick)
        user = lobby.known(nick, self.now) if nick and account is None else None
        if len(fields) != 1 or (account is None and user is None):
            self._reject()
            return
        token = fields[0]
        if account is not None:
            if lobby.identities.holder(token) is not account:
                proved = yield Prove(nick, token)
                assert isinstance(proved, Proved)
                token = proved.token
                account = lobby.identities.holder(token)
            user = lobby.users.enrol(account) if account is not None else None
        elif user is not None and not owns(user, token):
            user = None
        if user is None:
            self._fail()
            return
        self._become(user, token)
        self.send("verified")
        yield from self._arrive(user)

    def _become(self, user: User, token: str) -> None:
        self._lobby.seen(user)
        self._user = user
        self.name = user.nick
        self._token = token
        self.uses(token)
        self._where = WAITING
        self._closes = None

    def _fail(self) -> None:
        self._failures += 1
        self.send("failed")
        if self._failures >= FAILURES:
            self.disconnect(1008, "too many failures")

    def expelled(self, key: str, words: str) -> list[Output]:
        self.ended = True
        return [Send("failed"), Disconnect(EXPELLED, words)]

    def _arrive(self, user: User) -> Exchange:
        """Return to the game of *user*, or wait for one. An older connection of the user is replaced."""
        lobby = self._lobby
        guest = Guest(self, user, self._token)
        before = lobby.online.get(user.key)
        assert before is None or isinstance(before, GlassConversation)
        lobby.online[user.key] = self
        table = "" if self.legacy else lobby.table_of(user)
        if table:
            if before is not None:
                # The user may have taken a seat elsewhere while waiting.
                if not (lobby.on_the_way(user) and lobby.replace(guest)):
                    lobby.leave(before, self.now)
                # It replaces an older connection at that table, whose seat is never empty in between.
                if before.table is None or before.table.id != table:
                    before.post(_REPLACED)
            yield from self._enter(table, user)
        elif before is None:
            lobby.join(guest, self.now)
        elif self.legacy == before.legacy and lobby.replace(guest):
            self._tell_present()
            before.post(_REPLACED)
        else:
            before.post(_REPLACED)
            lobby.leave(before, self.now)
            lobby.join(guest, self.now)

    def _logout(self, fields: list[str]) -> Exchange:
        if fields:
            self._reject()
            return
        if self._user is not None and self._lobby.waits(self):
            yield self._lobby.users.forget(self._user)
        self.disconnect(1000, "logged out")

    def left(self, now: float) -> None:
        self._intake.clear()
        user = self._user
        if user is not None and self._lobby.online.get(user.key, self) is self:
            self._lobby.online.pop(user.key, None)
            user.seen = now
            self._lobby.leave(self, now)

    def replaced(self) -> list[Output]:
        return [_REPLACED]

    # The lobby (spec 5).

    def _new_game(self, fields: list[str]) -> None:
        if fields or self._where == TABLE or self._user is None:
            self._reject()
        elif self._where == WAITING:
            self._tell_present()
        else:
            self._where = WAITING
            self._closes = None
            if self.table is not None:
                self.post(Depart())
            self._lobby.join(Guest(self, self._user, self._token), self.now)

    def _tell_present(self) -> None:
        assert self._user is not None
        nicks = self._lobby.nicks()
        if self._user.nick not in nicks:  # a table is being opened for this user
            nicks.append(self._user.nick)
        self._send_all(self.present(nicks))

    def present(self, nicks: Iterable[str]) -> list[str]:
        """Return the line that lists the waiting players, this client last."""
        if not self.legacy:
            return [line("lobbyplayers:", *nicks)]
        assert self._user is not None
        others = [nick for nick in nicks if nick != self._user.nick]
        return [self._line("new_player", *others)] if others else []

    def newcomer(self, nick: str) -> list[str]:
        """Return the line that a player has joined the lobby."""
        return [self._line("new_player", nick) if self.legacy else line("newplayer:", nick)]

    def departed(self, nick: str) -> list[str]:
        """Return the line that a player has left the lobby."""
        return [self._line("quit", nick)] if self.legacy or self._events else []

    def countdown(self, seconds: str) -> list[str]:
        """Return the line that the clock was started or, with ``-``, stopped."""
        return [line("countdown", seconds)] if self._events else []

    def call(self, party: Party) -> None:
        """Start to join the table of *party* when it is open; messages wait until the game has begun."""
        self.begin(self._go_to_game(party))

    def dismiss(self) -> None:
        """Wait again: the table was given up."""
        self._where = WAITING
        self.go_on(_BEGUN)

    def _go_to_game(self, party: Party) -> Exchange:
        """Join the table of *party* when it is open."""
        assert self._user is not None
        self._where = TABLE
        opened = yield party.opening
        assert isinstance(opened, Opened)
        if self._lobby.ready(party, opened, self.now):
            yield from self._enter(party.table, self._user)
        elif opened.table is None and self._events:
            self.send(line("no_game", opened.words))

    def _enter(self, table: str, user: User) -> Exchange:
        """Take the seat of *user* at *table*: send the state of the game, or wait until it begins."""
        self._where = TABLE
        answer = yield Enter(table, Seat(user.nick, self._token, user.digest))
        if isinstance(answer, Refused):
            if answer.key != "closed":
                self._turn_back(table, user, answer.words)
        elif self._where != TABLE:  # the lobby has removed this player in the meantime
            yield Depart()
        elif self._game() is not None:
            self._tell_state()
        else:
            yield Wait(_BEGUN)

    def _turn_back(self, table: str, user: User, words: str) -> None:
        """Wait, as there is no seat at *table*; unless the lobby sent this player there and handles it."""
        if self._lobby.on_the_way(user) == table:
            self._lobby.dissolve(table, self.now, but=user)
            self.disconnect(1008, words)
        elif self._where != WAITING:
            self._where = WAITING
            self._lobby.join(Guest(self, user, self._token), self.now)

    def _dissolve(self, table: str) -> Exchange:
        yield from ()  # an exchange without a request: it ends when the table has sent everything
        self._lobby.dissolve(table, self.now)

    # Anywhere (spec 10).

    def announced(self, seconds: float | None, text: str, now: float) -> list[str]:
        self._restart = None if seconds is None else (now + seconds, text)
        return [restart_line(seconds, text)] if self._events else []

    def _switch_events(self, fields: list[str]) -> None:
        setting = fields[0].lower() if len(fields) == 1 else ""
        if setting not in ("on", "off"):
            self._reject()
            return
        self._events = setting == "on"
        self.send(OK)
        if self._events and self._restart is not None and self._restart[0] > self.now:
            self.send(restart_line(self._restart[0] - self.now, self._restart[1]))

    def _ping(self, fields: list[str]) -> None:
        if len(fields) > 1 or not all(is_word(field) for field in fields):
            self._reject()
        else:
            self.send(line("pong", *fields))

    def _state(self, fields: list[str]) -> None:
        if fields:
            self._reject()
        else:
            self._send_all(self._picture() or self._blank())

    def _blank(self) -> list[str]:
        """Return the state outside a game."""
        if self._where == OUT:
            return [line("state", self._last_game, 0, "over", "-", "-"), "end_state"]
        return [line("state", "-", 0, "lobby", "-", self._lobby.seconds_left(self.now)), "end_state"]

    def _help(self, fields: list[str]) -> None:
        self._send_all(help_lines())

    def _show(self, fields: list[str]) -> None:
        from croupier.games import words_of

        game = self._game()
        if game is None:
            shown = ["no game is running"]
        else:
            shown = words_of(game[0].game).table(game[1], _nicks(game[0]))
        self._send_all(line("show", one) for one in shown)

    # Orders (spec 6 to 8).

    def _game(self) -> tuple[TableInfo, GlassView] | None:
        """Return the table and the player's view while a game is being played."""
        if self._where != TABLE or self.table is None or self.seat == WATCHER:
            return None
        view = _told_view(self.table, self.seat)
        return None if view.phase in (SEATING, OVER) else (self.table, view)

    def _is_away(self) -> bool:
        return self.table is not None and self.seat >= 0 and self.table.places[self.seat].away

    def _play(self, verb: str, fields: list[str]) -> Exchange | None:
        """Carry out a command of a game."""
        game = self._game()
        if verb == "extract":
            return self._extract(fields, game[1]) if game is not None else self._reject()
        if verb not in orders.READERS:
            return self._reject()
        if game is None:
            return self._answer_order(orders.OUT_OF_GAME.get(verb, BAD))
        view = game[1]
        if verb == "move" and view.active == 4:
            return self._move_of_two(fields, view)
        if self._first_move is not None and verb not in _BETWEEN_MOVES:
            return self._answer_order(orders.OUT_OF_GAME.get(verb, BAD))
        order = orders.read(verb, fields, view)
        return self._answer_order(order) if isinstance(order, str) else self._submit(order, view)

    def _answer_order(self, word: str) -> Exchange | None:
        if word == BAD:
            return self._reject()
        self.send(word)
        return None

    def _move_of_two(self, fields: list[str], view: GlassView) -> Exchange | None:
        """Process one of the two moves of tool 4: only the second is answered, for both."""
        cells = orders.cells_of(fields)
        first, self._first_move = self._first_move, None
        if cells is None:
            return self._reject()
        if first is None:
            self._first_move = cells
            return None
        return self._submit(orders.moves([first, cells]), view)

    def _extract(self, fields: list[str], view: GlassView) -> Exchange | None:
        if fields or view.phase == CHOOSING or self._first_move is not None:
            return self._reject()
        if view.phase != EXTRACTING:
            self.send(messages.dice_line("dice", view.pool))
            return None
        if view.start != self.seat:
            return None  # the dice that follow are the answer
        return self._submit(Order((EXTRACT,), {}, otherwise="", reply=""), view)

    def _submit(self, order: Order, view: GlassView) -> Exchange:
        """Send *order* to the table; answer and consequences are sent before the next line is read."""
        # The player may have picked a die in the browser before this client connected.
        dropped = (CANCEL,) if view.picks else ()
        answer = yield Act(-1, (*dropped, *order.actions))
        if isinstance(answer, Refused):
            word = order.refusal(answer.key, _told_view(self.table, self.seat)) if self.table else ""
            if word:
                self._answer_order(word)
            return
        self._first_move = None
        if order.reply:
            self.send(order.reply)
        self._awaits = order.awaits
        yield Wait(_TOLD)

    # Notes of the table.

    def tell(self, note: Note, now: float) -> list[str]:
        returned, self._returned = self._returned, -1
        match note:
            case Told():
                return self._told(note.event, now)
            case AskedNow():
                self.go_on(_BEGUN)
                return [*self._settle(), *self._your_turn()]
            case TurnChanged():
                return [] if self._owes() else self._settle()
            case TimedOut():
                self._late = note.seat
            case Stopped():
                self._game_over(now)
            case PlacesChanged() if note.seat >= 0:
                return self._places_changed(note, returned)
        if self.table is not None and self.table.phase == GATHERING and self._where == OUT:
            self.begin(self._depart())  # the table continues without this game
        return []

    def _settle(self) -> list[str]:
        """Allow the next line: all consequences of the last order are known. Return the held events."""
        self.go_on(_TOLD)
        self._awaits = ""
        held, self._held = self._held, []
        return held

    def _owes(self) -> bool:
        """Return True if this player has to decide next."""
        return self.table is not None and bool(self.table.view(self.seat).to_act >> self.seat & 1)

    def _your_turn(self) -> list[str]:
        game = self._game()
        if self._announced or game is None or game[1].turn_seat != self.seat:
            return []
        self._announced = True
        hand = game[1].hand
        return ["your-turn", *([messages.hand_line(hand)] if hand >= 0 else [])]

    def _tell_state(self) -> None:
        """Return the lines for a returning player (spec 12.4)."""
        game = self._game()
        assert game is not None
        table, view = game
        self._send_all(messages.rejoin_block(table, self.seat, view, _nicks(table)))
        self._announced = view.turn_seat != self.seat
        if table.asked(self.seat) is not None:
            self._send_all(self._your_turn())
        if self._events:
            self._send_all(self._picture())

    def _picture(self) -> list[str]:
        """Return the state of the game; nothing outside a game."""
        game = self._game()
        if game is None:
            return []
        return messages.state_block(game[0], self.seat, game[1], _nicks(game[0]), self.now)

    def _places_changed(self, note: PlacesChanged, returned: int) -> list[str]:
        table = self.table
        assert table is not None
        if table.phase == GATHERING and note.what in (LOST, QUIT) and self._where == TABLE:
            self.go_on(_BEGUN)
            self.begin(self._dissolve(table.id))
        if not self._events or self._game() is None:
            return []
        nick = nick_of(note.name)
        if note.what in (LOST, QUIT):
            return [line("quit", nick)]
        if note.what == AWAY:
            return [line("suspended", nick)] if table.places[note.seat].connected else []
        if note.what == BACK:
            self._returned = note.seat
        elif note.what != PRESENT or note.seat == returned:
            return []
        return [] if note.seat == self.seat else [line("rejoin", nick)]

    # Events of a game.

    def _told(self, event: Event, now: float) -> list[str]:
        table = self.table
        assert table is not None
        view, nicks = _told_view(table, self.seat), _nicks(table)
        seed = messages.seed_lines(event, table, view, nicks)
        more: list[str] = []
        if self._events:
            if isinstance(event, TurnEnded):
                more = [line("timeout" if self._late == event.seat else "passed", nicks[event.seat])]
            more += messages.event_lines(event, table, view, nicks)
        self._follow(event, now)
        if isinstance(event, MatchEnded):
            return [*more, *seed]
        if not self._awaits:
            return [*seed, *more]
        self._held += more
        reply = self._reply(event)
        if not reply:
            return []
        self._awaits = ""
        held, self._held = self._held, []
        return [reply, *held]

    def _reply(self, event: Event) -> str:
        """Return the answer to the pending order, if *event* determines it."""
        if self._awaits == HAND and isinstance(event, HandChanged):
            return messages.hand_line(event.die)
        if self._awaits == POOL and isinstance(event, PoolRerolled):
            return messages.dice_line("dice_list", event.dice)
        return ""

    def _follow(self, event: Event, now: float) -> None:
        if isinstance(event, MatchStarted):
            assert self._user is not None
            self._lobby.begun(self._user)
        elif isinstance(event, TurnStarted):
            self._late = -1
            self._announced = event.seat != self.seat
        elif isinstance(event, TurnEnded):
            self._first_move = None
            self._announced = True
        elif isinstance(event, MatchEnded):
            self._game_over(now)

    # End of a game.

    def _game_over(self, now: float) -> None:
        """Leave the game; the player may wait for another."""
        if self._where == TABLE and self.table is not None:
            self._where = OUT
            self._last_game = self.table.id
            self._closes = now + self._lobby.settings.idle_time
        self._first_move = None
        self._settle()

    def _depart(self) -> Exchange:
        if self.table is not None and self._where != TABLE:
            yield Depart()

    def closed(self, reason: str, now: float) -> None:
        self._settle()
        # The protocol has no message for an aborted game: its players only see the connection end.
        if self._where == TABLE:
            self.disconnect(1000, reason)


def _told_view(table: TableInfo, seat: int) -> GlassView:
    view = table.view(seat)
    assert isinstance(view, GlassView)
    return view


def _nicks(table: TableInfo) -> list[str]:
    return [nick_of(place.name) for place in table.places]


_Command: TypeAlias = "Callable[[GlassConversation, list[str]], Exchange | None]"
_LEGACY: Final[Mapping[str, _Command]] = {
    "login": GlassConversation._login,
    "token": GlassConversation._give_token,
    "logout": GlassConversation._logout,
}
_OUTSIDE: Final[Mapping[str, _Command]] = {
    **_LEGACY,
    "events": GlassConversation._switch_events,
    "ping": GlassConversation._ping,
}
_INSIDE: Final[Mapping[str, _Command]] = {
    **_OUTSIDE,
    "state": GlassConversation._state,
    "newgame": GlassConversation._new_game,
}
_TYPED: Final[Mapping[str, _Command]] = {
    "help": GlassConversation._help,
    "?": GlassConversation._help,
    "show": GlassConversation._show,
}
"""The commands of the line port only."""
