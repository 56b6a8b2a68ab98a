"""The line protocol of Coinche (spec 11 to 14), without I/O: for telnet, nc, programs, or WebSocket frames.

A new connection has no name and no table. NAME takes it to a table that waits for players, or back to the
seat it lost; then it stays at a table until it quits. Every line gets one reply, in order; notifications that
occur while a reply is due follow it.

NAME is an exchange (wire/driver.py), because it has to wait; the commands of a game are plain methods.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Generator, Mapping
from math import ceil
from typing import Final

from croupier.core.cards import cards_of
from croupier.core.contract import Event, Game
from croupier.games.coinche import messages, replies
from croupier.games.coinche.events import Called, MatchEnded, MatchStarted, Played
from croupier.games.coinche.joining import (
    BY_NAME,
    CoincheClaim,
    by_token,
    called,
    may_return,
    reserved,
)
from croupier.games.coinche.messages import nickname, nicknames
from croupier.games.coinche.orders import VERBS, in_game, wanted
from croupier.games.coinche.parsing import FAR, LIMIT, Command, echo, is_nickname, read
from croupier.games.coinche.seats import Seats
from croupier.games.coinche.snapshot import seconds_left, snapshot, to_act
from croupier.games.coinche.view import CoincheView
from croupier.games.coinche.vocabulary import SEATS
from croupier.wire import talk
from croupier.wire.driver import Answer, Exchange, LobbyConversation
from croupier.wire.greeting import own_seat
from croupier.wire.identity import Account
from croupier.wire.lines import LineReader, Overlong
from croupier.wire.lobby import Host, Lobby
from croupier.wire.table_spec import TableSpec
from croupier.wire.talk import (
    Act,
    Disconnect,
    Enter,
    Here,
    Leave,
    Note,
    Open,
    Opened,
    Output,
    Prove,
    Proved,
    Refused,
    Rename,
    Say,
    Seated,
    Send,
    Start,
    TableInfo,
)
from croupier.wire.token_bucket import TokenBucket

UNNAMED: Final = 60.0
"""Seconds after which a connection without a nickname is closed."""

RATE: Final = 50.0
"""The average number of lines per second (spec 14, flood)."""
BURST: Final = 200.0
MOST_REFUSED: Final = 1000
"""This many successive lines above the limit end the connection."""
MOST_TRIES: Final = 20
"""After this many tables without a free seat a new player is refused."""

# Close codes of a WebSocket; over TCP the client sees only the line before the close.
_DONE: Final = 1000
_ABUSE: Final = 1008
_FULL: Final = 1013
_SHUTDOWN: Final = 1001
_REPLACED: Final = 4001


class CoincheLobby(Lobby):
    """All connections of the protocol, their names, and the choice of tables."""

    def __init__(
        self,
        game: Game,
        host: Host,
        kept: Mapping[str, str],
        defaults: Mapping[str, object] | None = None,
        mint: Callable[[], str] = lambda: secrets.token_urlsafe(24),
    ) -> None:
        """*mint* creates the tokens with which players return if their table requires one."""
        super().__init__(game, host, kept, defaults)
        self.mint = mint
        self.tokens = self.table_options["resume"] == "token"
        """Whether every player who sits down gets a token to return with, also at tables opened elsewhere."""
        self._conversations: dict[CoincheConversation, None] = {}
        self._opening: dict[Open, int] = {}
        """The tables that are being opened, with the number of players waiting for each."""
        self._opened = 0
        """How many tables have been requested."""
        self._fresh: set[str] = set()
        """Tables opened by this lobby that no player has joined yet."""

    def conversation(self, token: str = "", line: bool = False) -> CoincheConversation:
        conversation = CoincheConversation(self)
        self._conversations[conversation] = None
        return conversation

    def forget(self, conversation: CoincheConversation) -> None:
        """Remove a connection that has ended."""
        self._conversations.pop(conversation, None)
        self.call(conversation, "")

    def call(self, conversation: CoincheConversation, name: str) -> None:
        """Set the name of *conversation*."""
        if self.online.get(conversation.name.lower()) is conversation:
            del self.online[conversation.name.lower()]
        conversation.name = name
        if name:
            self.online[name.lower()] = conversation

    def in_use(self, name: str, by: CoincheConversation) -> bool:
        """Return True if a player other than *by*, in the lobby or at a table, has the name *name*."""
        if reserved(name):
            return True
        if self.online.get(name.lower(), by) is not by:
            return True
        seated = called(self.tables(), name)
        return any(info is not by.table or place.seat != by.seat for info, place in seated)

    def new_table(self) -> Generator[Output, Answer, TableInfo | None]:
        """Open a table, or wait for one that is being opened and has room; return None if there is none."""
        opening = next((one for one, waiting in self._opening.items() if waiting < SEATS), None)
        if opening is None:
            opening = self._open()
        self._opening[opening] = self._opening.get(opening, 0) + 1
        try:
            opened = yield opening
        except GeneratorExit:
            self._opening[opening] -= 1
            raise
        self._opening.pop(opening, None)
        assert isinstance(opened, Opened)
        if opened.table is not None and not any(place.name for place in opened.table.places):
            self._fresh.add(opened.table.id)
        return opened.table

    def _open(self) -> Open:
        self._opened += 1
        spec = TableSpec(
            seats=(talk.OPEN,) * SEATS,
            options=self.options,
            table_options=self.table_options,
            seed=None if self.seed is None else f"{self.seed} {self._opened}",
            secret_seed=True,
            auto_cycle=True,
            closes_empty=True,
            filler=self.filler,
        )
        return Open(spec)

    def told_of(self, info: TableInfo, newcomer: CoincheConversation) -> dict[int, str]:
        """Return the players at *info* as all clients there have been told."""
        fresh = info.id in self._fresh
        self._fresh.discard(info.id)
        for other in self._conversations:
            if other is not newcomer and other.seats is not None and other.seats.info is info:
                return dict(other.seats.told)
        if fresh:
            return {}
        return {
            place.seat: nickname(place) for place in info.places if place.name and place.seat != newcomer.seat
        }


class CoincheConversation(LobbyConversation):
    """One connection of the protocol."""

    def __init__(self, lobby: CoincheLobby) -> None:
        super().__init__(lobby, LineReader(LIMIT, FAR, telnet=True))
        self.terminator = "\r\n"
        self.seats: Seats | None = None
        """The seats as told to this connection; None before it has a seat."""
        self._lobby = lobby
        self._bucket = TokenBucket(BURST, RATE)
        self._since = 0.0
        self._token = ""
        """The token to return with, if the table requires one."""
        self._session = ""
        """The token of the account that plays on this connection, if any."""
        self._held: list[str] = []
        """Notifications to send after the reply that is due."""
        self._turn = -1
        """The seat whose turn was told last, if it has not acted since."""
        self._hinted = 0
        """The question for which a hint was sent."""

    # The connection.

    def greet(self, now: float) -> list[Output]:
        self._since = now
        return [Send(messages.WELCOME + (messages.FIXED if self._lobby.all_fixed else ""))]

    def replaced(self) -> list[Output]:
        self.ended = True
        self._call("")
        return [Send(replies.REPLACED), Disconnect(_REPLACED, "replaced by a newer connection")]

    def revoked(self) -> list[Output]:
        return self._end(replies.SESSION_ENDED, talk.SESSION_ENDED)

    def expelled(self, key: str, words: str) -> list[Output]:
        return self._end(messages.clip(replies.EXPELLED.format(words)), talk.EXPELLED)

    def announced(self, seconds: float | None, text: str, now: float) -> list[str]:
        return [messages.restart(seconds, text)]

    def turned_away(self) -> list[Output]:
        return self._end(replies.FULL, _FULL)

    def closing(self, reason: str) -> list[Output]:
        return self._end(replies.SHUTDOWN, _SHUTDOWN)

    def closed(self, reason: str, now: float) -> None:
        """Go to another table: this one has closed."""
        seats, self.seats = self.seats, None
        if seats is None or self.ended:
            return
        if seats.playing:
            self.send(messages.stopped("shutdown"))
        self.begin(self._take_seat(""))

    def wake(self) -> float | None:
        return None if self.name or self.ended else self._since + UNNAMED

    def tick(self, now: float) -> list[Output]:
        when = self.wake()
        return self._end(replies.IDLE, _ABUSE) if when is not None and now >= when else []

    def left(self, now: float) -> None:
        self._lobby.forget(self)

    def _end(self, line: str, code: int) -> list[Output]:
        """Close the connection with *line*; return everything that is still to be sent."""
        self.send(line)
        self.disconnect(code, line[4:])
        return self.take()

    def _call(self, name: str) -> None:
        """Reserve *name*, already while the request for it is pending."""
        self._lobby.call(self, name)

    def _say(self, lines: list[str]) -> None:
        for line in lines:
            self.send(messages.clip(line))

    # Input of the player.

    def answer(self, data: str | bytes | Overlong, now: float) -> Exchange | None:
        command = read(data)
        if command is None:
            return None
        if isinstance(command, Overlong):
            self._bucket.spend(now)
            if command.far:
                self.send(replies.FAR_TOO_LONG)
                self.disconnect(_ABUSE, replies.FAR_TOO_LONG[4:])
            else:
                self.send(replies.TOO_LONG)
        elif isinstance(command, Command) and command.verb in VERBS:
            self._action(command, now)
        elif not self._bucket.take(now):
            self.send(replies.TOO_MANY)
            self._check_flood()
        elif isinstance(command, str):
            self.send(command)
        elif command.verb == "NAME":
            return self._name(command)
        else:
            self._command(command, now)
        return None

    def _command(self, command: Command, now: float) -> None:
        match command.verb:
            case "HELP":
                self._say([replies.HELP_FOLLOWS, *messages.HELP])
            case "QUIT":
                self._call("")
                if self.seats is not None:
                    self.post(Leave())
                self.disconnect(_DONE, "quit")
            case _ if self.seats is None:
                self.send(replies.NO_NAME)
            case _:
                self._look(command, self.seats.info, now)

    def _look(self, command: Command, info: TableInfo, now: float) -> None:
        """Answer a command that changes nothing in the game."""
        view = _view(info, self.seat)
        running = in_game(info, view)
        match command.verb:
            case "MSG":
                others = [
                    place for place in info.places if place.seat != self.seat and place.kind != talk.BOT
                ]
                if not command.rest:
                    self.send(replies.NO_TEXT)
                elif any(place.name and place.connected for place in others):
                    self.ask(Say(command.rest, "MSG"))
                else:
                    self.send(replies.NOBODY)
            case "LAST":
                last = running and view.tricks
                self.send(messages.last_trick(view, nicknames(info)) if last else replies.NO_TRICK)
            case "HAND":
                shown = replies.HAND.format(messages.bracketed(cards_of(view.hand)))
                self.send(shown if running and view.hand else replies.NO_HAND)
            case _:
                self.send(replies.STATE_FOLLOWS)
                for line in self._snapshot(info, now):
                    self.send(line)

    # NAME.

    def _name(self, command: Command) -> Exchange:
        words = command.words
        tables = self._lobby.tables()
        account = self._lobby.identities.owner(words[0]) if words else None
        tokens = self._lobby.tokens or any(by_token(info) for info in tables)
        many = 1 <= len(words) <= 1 + tokens or account is not None
        if not many or not is_nickname(words[0]):
            self.send(replies.BAD_NICKNAME.format(echo(words[0] if account else " ".join(words))))
            return
        name, token = words[0], words[1] if len(words) > 1 else ""
        if self.seats is not None:
            yield from self._rename(name, self.seats.info)
        elif account is not None:
            yield from self._be(account, name, command.rest.removeprefix(name).strip(" \t"))
        else:
            for info, place in called(tables, name):
                if may_return(info, place, self._claim(name, token)):
                    self._call(place.name)
                    yield from self._take_seat(replies.NAME_CHANGED, info, token or BY_NAME)
                    return
            yield from self._be_new(name)

    def _rename(self, name: str, info: TableInfo) -> Exchange:
        if name == self.name:
            self.send(replies.NAME_CHANGED)
            return
        if self._lobby.in_use(name, self) or self._lobby.identities.bars(name, self._session):
            self.send(replies.NAME_TAKEN)
            return
        self._call(name)
        answer = yield Rename(name)
        if isinstance(answer, Refused):
            self._call(info.places[self.seat].name if self.table is not None else self.name)
        self._say(self._replied(replies.NAME_TAKEN if isinstance(answer, Refused) else replies.NAME_CHANGED))

    def _be(self, account: Account, name: str, proof: str) -> Exchange:
        """Log in as *account*, and take its seat or another one; *proof* is a token or the password."""
        identities = self._lobby.identities
        if identities.holder(proof) is not account:
            if not proof:
                self.send(replies.NAME_TAKEN)
                return
            proved = yield Prove(name, proof)
            assert isinstance(proved, Proved)
            proof = proved.token
            holder = identities.holder(proof)
            if holder is None:
                self.send(replies.NAME_TAKEN)
                return
            account = holder
        self._session = proof
        self.uses(proof)
        shown = account.name if is_nickname(account.name) else name
        for info in self._lobby.tables():
            if own_seat(info, proof) is not None:
                self._call(shown)
                yield from self._take_seat(replies.NAME_CHANGED, info, proof)
                return
        yield from self._be_new(shown)

    def _be_new(self, name: str) -> Exchange:
        """Take a seat as *name*, if no other player has this name and it does not look like an account's."""
        if self._lobby.in_use(name, self) or self._lobby.identities.bars(name, self._session):
            self._session = ""
            self.send(replies.NAME_TAKEN)
            return
        self._call(name)
        yield from self._take_seat(replies.NAME_CHANGED)

    def _take_seat(self, reply: str, own: TableInfo | None = None, token: str = "") -> Exchange:
        """Return to the seat at *own*, or join a table with a free seat; send *reply* when one is found.

        *token* is the token with which this player returns to their seat.
        """
        tried: set[str] = set()
        info = own
        for _ in range(MOST_TRIES):
            if info is None:
                info = self._lobby.with_room(tried)
            if info is None:
                opened = yield from self._lobby.new_table()
                info = self._lobby.with_room(tried) or opened
            if info is None:
                break
            answer = yield from self._enter(info, token)
            if isinstance(answer, Seated):
                self._seated(answer, info, reply)
                if not answer.back and not info.started and all(place.name for place in info.places):
                    yield Start()
                    self._say(self._released())
                return
            assert isinstance(answer, Refused)
            if answer.key == "name_taken":
                self._call("")
                self._session = ""
                self.send(replies.NAME_TAKEN)
                return
            # The seat has been taken in the meantime, or the table has closed: try another one.
            tried.add(info.id)
            info, token = None, ""
        self.send(replies.FULL)
        self.disconnect(_FULL, replies.FULL[4:])

    def _enter(self, info: TableInfo, token: str) -> Generator[Output, Answer, Answer]:
        self._token = ""
        if token != BY_NAME and (self._lobby.tokens or by_token(info)):
            self._token = token or self._session or self._lobby.mint()
            self.uses(self._token)
        coming = self._lobby.coming
        coming[self] = info.id
        try:
            return (yield Enter(info.id, self._claim(self.name, self._session or self._token)))
        finally:
            coming.pop(self, None)

    def _claim(self, name: str, token: str) -> CoincheClaim:
        """Return the claim of this player with *token*, or by name if it is empty."""
        return CoincheClaim(name, token or BY_NAME, "" if token else self.address)

    def _seated(self, seated: Seated, info: TableInfo, reply: str) -> None:
        self._call(info.places[seated.seat].name)
        lines = self._replied(reply) if reply else self._released()
        lines.append(messages.your_seat(seated.seat, info, self._token or "-"))
        if seated.back:
            self._at(info)
            lines += self._snapshot(info, self.now)
        else:
            self.seats = Seats(info, self._lobby.told_of(info, self))
            lines += [messages.sits(seat, name) for seat, name in sorted(self.seats.told.items())]
        self._say(lines)

    # The game.

    def _action(self, command: Command, now: float) -> None:
        if self.seats is None:
            self._refuse_action(replies.NO_NAME, now)
            return
        info = self.seats.info
        action = wanted(command, info, self.seat)
        asked = info.asked(self.seat)
        if isinstance(action, int) and asked is not None:
            self.ask(Act(asked.turn, (action,), command.verb))
            return
        self._refuse_action(str(action), now)
        if info.places[self.seat].away:
            self.post(Here())  # a player who tries to play is present

    def _refuse_action(self, reply: str, now: float) -> None:
        self.send(self._counted(reply, now))
        self._check_flood()

    def _counted(self, reply: str, now: float) -> str:
        """Return the reply to an action that is not accepted, and count it."""
        return reply if self._bucket.take(now) else replies.TOO_MANY

    def _check_flood(self) -> None:
        if self._bucket.refused >= MOST_REFUSED:
            self.send(replies.FLOOD)
            self.disconnect(_ABUSE, replies.FLOOD[4:])

    # Notes of the table.

    def tell(self, note: Note, now: float) -> list[str]:
        match note:
            case talk.Accepted(id):
                self._bucket.refused = 0
                lines = self._replied(replies.DONE[str(id)]) if id is not None else []
            case Refused(request, key, words):
                lines = self._not_done(request, key, words, now)
            case _ if self.table is None:
                return []
            case _:
                lines = self._notified(note, self._at(self.table), now)
                if self.waits:
                    self._held += lines
                    return []
        return [messages.clip(line) for line in lines]

    def _at(self, info: TableInfo) -> Seats:
        """Return the seats as told at *info*; a returning player has to be told everything."""
        if self.seats is None:
            self.seats = Seats(info, {place.seat: nickname(place) for place in info.places if place.name})
        return self.seats

    def _replied(self, reply: str) -> list[str]:
        """Return *reply* and the notifications after it."""
        return [reply, *self._released()]

    def _released(self) -> list[str]:
        held, self._held = self._held, []
        return held

    def _not_done(self, request: talk.Request, key: str, words: str, now: float) -> list[str]:
        match request:
            case Act(_, _, verb) if self.table is not None:
                reply = replies.refusal(str(verb), key, _view(self.table, self.seat))
                lines = self._replied(self._counted(reply, now))
                self._check_flood()
                return lines
            case Act():
                return self._replied(replies.NO_GAME)
            case Say() if key == "muted":
                return self._replied(replies.MUTED.format(words))
            case Say():
                return self._replied(replies.TOO_MANY if key == "chat_flood" else replies.NOBODY)
        return []

    def _notified(self, note: Note, seats: Seats, now: float) -> list[str]:
        """Return the lines of *note* for this player at its table."""
        info = seats.info
        match note:
            case talk.Told(event):
                return self._told(event, seats, now)
            case talk.TurnChanged(deadline):
                view = _view(info, self.seat)
                seat = to_act(view)
                return [] if seat < 0 else self._turn_of(seat, seconds_left(info, view, deadline, now), info)
            case talk.AskedNow(asked):
                if asked.turn == self._hinted or not info.table_options["hints"]:
                    return []
                self._hinted = asked.turn
                return [messages.hint(_view(info, self.seat))]
            case talk.PlacesChanged():
                return seats.changed(note)
            case talk.PhaseChanged():
                return seats.gathering()
            case talk.Said(seat, name, text):
                return [messages.said(seat, nickname(talk.Place(seat, name=name)), text)]
            case talk.Warned(seat, seconds):
                return [messages.warned(seat, nickname(info.places[seat]), ceil(seconds))]
            case talk.TimedOut(seat):
                return [messages.timed_out(seat, nickname(info.places[seat]))]
            case talk.Stopped(reason):
                seats.playing = False
                return [messages.stopped(reason)]
            case talk.Resumed():
                self._starts(seats)
                return self._snapshot(info, now)
        return []

    def _starts(self, seats: Seats) -> None:
        seats.starts()
        self._turn = -1
        self._hinted = 0

    def _told(self, event: Event, seats: Seats, now: float) -> list[str]:
        info = seats.info
        view = _view(info, self.seat)
        lines: list[str] = []
        match event:
            case MatchStarted():
                self._starts(seats)
                return messages.game_starts(info)
            case Called() | Played():
                # Bots and stand-ins may act before their turn was announced.
                lines = self._turn_of(event.seat, seconds_left(info, view, None, now), info)
                self._turn = -1
            case MatchEnded():
                seats.playing = False
        return [*lines, *messages.told(event, info, view)]

    def _turn_of(self, seat: int, seconds: int, info: TableInfo) -> list[str]:
        """Return the line that it is the turn of *seat*, unless it was already sent."""
        if seat == self._turn:
            return []
        self._turn = seat
        return [messages.turn(seat, seconds, _view(info, self.seat), nicknames(info))]

    def _snapshot(self, info: TableInfo, now: float) -> list[str]:
        """Return the snapshot; the turn in it is not announced again."""
        asked = info.asked(self.seat)
        self._turn = to_act(_view(info, self.seat))
        self._hinted = asked.turn if asked is not None else self._hinted
        return snapshot(info, self.seat, now)


def _view(info: TableInfo, seat: int) -> CoincheView:
    view = info.view(seat)
    assert isinstance(view, CoincheView)
    return view
