"""The line protocol of Coinche (spec 11 to 14), without I/O: telnet, nc, programs, or a WebSocket's frames.

A connection has no name at first and sits at no table. NAME brings it to the table that has waited longest,
or back to the seat it lost; from then on it is at a table until it quits. Every line has one reply, in order;
while a reply is due, whatever else is to be told waits behind it.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from math import ceil
from typing import Final

from croupier.core.cards import cards_of
from croupier.core.contract import Event, Game
from croupier.games.coinche import notices, replies
from croupier.games.coinche.commands import FAR, LIMIT, Command, echo, is_nickname, read
from croupier.games.coinche.events import Called, MatchEnded, MatchStarted, Played
from croupier.games.coinche.flood import PATIENCE, Bucket
from croupier.games.coinche.joining import (
    BY_NAME,
    CoincheClaim,
    by_token,
    called,
    free_seats,
    may_return,
    reserved,
)
from croupier.games.coinche.notices import nickname, nicknames
from croupier.games.coinche.seats import Seats
from croupier.games.coinche.snapshot import seconds_left, snapshot, to_act
from croupier.games.coinche.turns import VERBS, wanted
from croupier.games.coinche.view import CoincheView
from croupier.games.coinche.vocabulary import SEATS
from croupier.wire import talk
from croupier.wire.accounts import Account
from croupier.wire.desk import Desk, DeskConversation, House
from croupier.wire.greeting import own_seat
from croupier.wire.lines import LineReader, Overlong
from croupier.wire.talk import (
    Act,
    Enter,
    Face,
    Hang,
    Here,
    Leave,
    Note,
    Open,
    Output,
    Prove,
    Rename,
    Say,
    Send,
    Via,
)

UNNAMED: Final = 60.0
"""Seconds after which a connection without a nickname is closed."""

MOST_TRIES: Final = 20
"""So many tables may turn out to have no seat; then there is no room here."""

# Close codes of a WebSocket; over TCP only the line before them is seen.
_DONE: Final = 1000
_ABUSE: Final = 1008
_FULL: Final = 1013
_SHUTDOWN: Final = 1001
_REPLACED: Final = 4001


class CoincheDesk(Desk):
    """All connections of the protocol: who is called what, and who waits for a table."""

    def __init__(
        self,
        game: Game,
        house: House,
        kept: Mapping[str, str],
        defaults: Mapping[str, object] | None = None,
        mint: Callable[[], str] = lambda: secrets.token_urlsafe(24),
    ) -> None:
        """*mint* makes the tokens that players come back with where tables want one."""
        super().__init__(game, house, kept, defaults)
        self.mint = mint
        self._conversations: dict[CoincheConversation, None] = {}
        self._queue: list[CoincheConversation] = []
        """Who waits for a table that is being opened."""
        self._opening = 0
        """How many are being opened."""
        self._opened = 0
        """How many have been asked for."""
        self._coming: dict[CoincheConversation, str] = {}
        """Who is on the way to which table."""
        self._fresh: set[str] = set()
        """Tables of ours where nobody has sat down yet."""

    def conversation(self, token: str = "", line: bool = False) -> CoincheConversation:
        conversation = CoincheConversation(self)
        self._conversations[conversation] = None
        return conversation

    def forget(self, conversation: CoincheConversation) -> None:
        """The connection has ended."""
        self._conversations.pop(conversation, None)
        self._coming.pop(conversation, None)
        if conversation in self._queue:
            self._queue.remove(conversation)

    def in_use(self, name: str, by: CoincheConversation) -> bool:
        """Say whether somebody else than *by*, here or at a table, is called *name*."""
        if reserved(name):
            return True
        if any(other.name.lower() == name.lower() for other in self._conversations if other is not by):
            return True
        seated = called(self.house.tables(), name)
        return any(face is not by.table or place.seat != by.seat for face, place in seated)

    def find_seat(self, conversation: CoincheConversation) -> list[Output]:
        """Bring *conversation* to the oldest table that waits for players, or to a new one."""
        for face in self.house.tables():
            if face.id not in conversation.tried and self._room(face):
                return [self._send_to(face, conversation)]
        if len(conversation.tried) >= MOST_TRIES:
            return conversation.turned_away()
        self._queue.append(conversation)
        conversation.hold()
        if len(self._queue) <= SEATS * self._opening:
            return []
        self._opening += 1
        self._opened += 1
        wish = talk.Wish(
            seats=(talk.OPEN,) * SEATS,
            options=self.options,
            table_options=self.table_options,
            seed=None if self.seed is None else f"{self.seed} {self._opened}",
            auto_cycle=True,
            filler=self.filler,
        )
        return [Open(wish)]

    def _room(self, face: Face) -> bool:
        """Say whether a seat is free at *face* that nobody is on the way to."""
        free = len(free_seats(face))
        if not free:
            return False
        seated = {place.name for place in face.places}
        coming = [one for one, table in self._coming.items() if table == face.id and one.name not in seated]
        return free > len(coming)

    def _send_to(self, face: Face, conversation: CoincheConversation) -> Enter:
        self._coming[conversation] = face.id
        return conversation.enter(face)

    def arrived(self, conversation: CoincheConversation) -> None:
        """*conversation* has a seat, or was not let in."""
        self._coming.pop(conversation, None)

    def opened(self, mark: object, table: Face | None, words: str, now: float) -> list[Output]:
        self._opening -= 1
        first, self._queue = self._queue[:SEATS], self._queue[SEATS:]
        if table is None:
            return [Via(one, output) for one in first for output in one.turned_away()]
        self._fresh.add(table.id)
        return [Via(one, self._send_to(table, one)) for one in first]

    def told_of(self, face: Face, newcomer: CoincheConversation) -> dict[int, str]:
        """Return who sits at *face* already, as everybody there has been told."""
        fresh = face.id in self._fresh
        self._fresh.discard(face.id)
        for other in self._conversations:
            if other is not newcomer and other.seats is not None and other.seats.face is face:
                return dict(other.seats.told)
        if fresh:
            return {}
        return {
            place.seat: nickname(place) for place in face.places if place.name and place.seat != newcomer.seat
        }


class CoincheConversation(DeskConversation):
    """One connection of the protocol."""

    terminator = "\r\n"

    def __init__(self, desk: CoincheDesk) -> None:
        super().__init__(LineReader(LIMIT, FAR, telnet=True))
        self.name = ""
        """The nickname, also while it is still being asked for; empty before."""
        self.tried: set[str] = set()
        """Tables that had no seat after all."""
        self.seats: Seats | None = None
        """What has been told of the table; None before this connection has a seat."""
        self._desk = desk
        self._bucket = Bucket()
        self._since = 0.0
        self._ended = False
        self._candidate = ""
        """The name that a password is being checked for."""
        self._goal = ""
        """The table it was last sent to."""
        self._token = ""
        """With what to come back, where a token is wanted."""
        self._session = ""
        """The token of the account that plays here, if one does."""
        self._asked_for = ""
        """The command whose reply is due."""
        self._behind: list[str] = []
        """Lines that wait behind that reply."""
        self._due: list[Output] = []
        self._turn = -1
        """The seat that was told to be to act, and has not acted since."""
        self._hinted = 0
        """The question that a hint was given for."""

    # The connection.

    def greet(self, now: float) -> list[Output]:
        self._since = now
        return [Send(notices.WELCOME)]

    def replaced(self) -> list[Output]:
        self._ended = True
        self.name = ""
        return [Send(replies.REPLACED), Hang(_REPLACED, "replaced by a newer connection")]

    def turned_away(self) -> list[Output]:
        return self._end(replies.FULL, _FULL)

    def closing(self, reason: str) -> list[Output]:
        return self._end(replies.SHUTDOWN, _SHUTDOWN)

    def ousted(self, reason: str, now: float) -> list[Output]:
        """Go to another table; what was going on here is over."""
        lines: list[str] = []
        if self._asked_for not in ("", "NAME"):
            lines += self._replied(replies.NO_GAME)
            self.free()
        if self.seats is not None and self.seats.playing:
            lines.append(notices.stopped("shutdown"))
        self.seats = None
        self.tried = set()
        outputs: list[Output] = [Send(line) for line in lines]
        return [*outputs, *self._desk.find_seat(self)] if self.name and not self._ended else outputs

    def wake(self) -> float | None:
        return None if self.name or self._ended else self._since + UNNAMED

    def tick(self, now: float) -> list[Output]:
        when = self.wake()
        return self._end(replies.IDLE, _ABUSE) if when is not None and now >= when else []

    def gone(self, now: float) -> list[Output]:
        self._ended = True
        self._desk.forget(self)
        return []

    def _end(self, line: str, code: int) -> list[Output]:
        self._ended = True
        return [Send(line), Hang(code, line[4:])]

    def pending(self) -> bool:
        return bool(self._due) or super().pending()

    def resume(self, now: float) -> list[Output]:
        outputs = super().resume(now)
        due, self._due = self._due, []
        return [*outputs, *due]

    # What the player sends.

    def answer(self, data: str | bytes | Overlong, now: float) -> list[Output]:
        command = read(data)
        if command is None or self._ended:
            return []
        if isinstance(command, Overlong):
            self._bucket.spend(now)
            return self._end(replies.FAR_TOO_LONG, _ABUSE) if command.far else [Send(replies.TOO_LONG)]
        if isinstance(command, Command) and command.verb in VERBS:
            return self._action(command, now)
        if not self._bucket.take(now):
            return self._drowned()
        if isinstance(command, str):
            return [Send(command)]
        match command.verb:
            case "NAME":
                return self._name(command)
            case "HELP":
                return [Send(replies.HELP_FOLLOWS), *(Send(line) for line in notices.HELP)]
            case "QUIT":
                self._ended = True
                self.name = ""
                leave: list[Output] = [Leave()] if self.seats is not None else []
                return [*leave, Hang(_DONE, "quit")]
        if self.seats is None:
            return [Send(replies.NO_NAME)]
        return self._look(command, self.seats.face, now)

    def _drowned(self) -> list[Output]:
        outputs: list[Output] = [Send(replies.TOO_MANY)]
        return outputs if self._bucket.refused < PATIENCE else [*outputs, *self._end(replies.FLOOD, _ABUSE)]

    def _look(self, command: Command, face: Face, now: float) -> list[Output]:
        """Answer a command that changes nothing in the game."""
        view = _view(face, self.seat)
        running = face.phase == talk.PLAYING
        match command.verb:
            case "MSG":
                if not command.rest:
                    return [Send(replies.NO_TEXT)]
                others = [
                    place for place in face.places if place.seat != self.seat and place.kind != talk.BOT
                ]
                if not any(place.name and place.connected for place in others):
                    return [Send(replies.NOBODY)]
                self._asked_for = "MSG"
                return [Say(command.rest, "MSG")]
            case "LAST":
                if not running or not view.tricks:
                    return [Send(replies.NO_TRICK)]
                return [Send(notices.last_trick(view, nicknames(face)))]
            case "HAND":
                if not running or not view.hand:
                    return [Send(replies.NO_HAND)]
                return [Send(f"200 There is your hand {notices.bracketed(cards_of(view.hand))}")]
        return [Send(replies.STATE_FOLLOWS), *(Send(line) for line in self._snapshot(face, now))]

    # NAME.

    def _name(self, command: Command) -> list[Output]:
        words = command.words
        tables = self._desk.house.tables()
        account = self._desk.register.owner(words[0]) if words else None
        tokens = self._desk.table_options["resume"] == "token" or any(by_token(face) for face in tables)
        many = 1 <= len(words) <= 1 + tokens or account is not None
        if not many or not is_nickname(words[0]):
            return [Send(replies.bad_nickname(echo(words[0] if account else " ".join(words))))]
        name, token = words[0], words[1] if len(words) > 1 else ""
        if self.seats is not None:
            return self._rename(name)
        if account is not None:
            return self._name_of_account(account, name, command.rest.removeprefix(name).strip(" \t"))
        for face, place in called(tables, name):
            if may_return(face, place, token):
                self.name = place.name
                self._asked_for = "NAME"
                return [self.enter(face, token)]
        if self._desk.in_use(name, self):
            return [Send(replies.NAME_TAKEN)]
        self.name = name
        self._asked_for = "NAME"
        self.tried = set()
        return self._desk.find_seat(self)

    def _name_of_account(self, account: Account, name: str, proof: str) -> list[Output]:
        """Answer NAME with a name that belongs to an account: what follows it is a token or the password."""
        if self._desk.register.holder(proof) is account:
            return self._be(account, name, proof)
        if not proof:
            return [Send(replies.NAME_TAKEN)]
        self._candidate = name
        return [Prove(name, proof)]

    def proved(self, token: str, words: str, now: float) -> list[Output]:
        account = self._desk.register.holder(token)
        if account is None or self._ended:
            return [] if self._ended else [Send(replies.NAME_TAKEN)]
        return self._be(account, self._candidate, token)

    def _be(self, account: Account, name: str, token: str) -> list[Output]:
        """Play for *account*: in the seat it has, or in another one."""
        self.name = account.name if is_nickname(account.name) else name
        self._session = token
        for face in self._desk.house.tables():
            if own_seat(face, token) is not None:
                self._asked_for = "NAME"
                return [self.enter(face, token)]
        if self._desk.in_use(self.name, self):
            self.name = self._session = ""
            return [Send(replies.NAME_TAKEN)]
        self._asked_for = "NAME"
        self.tried = set()
        return self._desk.find_seat(self)

    def _rename(self, name: str) -> list[Output]:
        if name == self.name:
            return [Send(replies.NAME_CHANGED)]
        if self._desk.in_use(name, self) or self._desk.register.bars(name, self._session):
            return [Send(replies.NAME_TAKEN)]
        self.name = name
        self._asked_for = "NAME"
        return [Rename(name, "NAME")]

    def enter(self, face: Face, token: str = "") -> Enter:
        """Return the way to a seat of *face*; *token* is what this player has come back with."""
        self._goal = face.id
        self._token = (token or self._session or self._desk.mint()) if by_token(face) else ""
        return Enter(face.id, CoincheClaim(self.name, self._session or self._token or BY_NAME))

    # The game.

    def _action(self, command: Command, now: float) -> list[Output]:
        if self.seats is None:
            return [Send(self._refused(replies.NO_NAME, now)), *self._flood_end()]
        face = self.seats.face
        action = wanted(command, face, self.seat)
        asked = face.asked(self.seat)
        if isinstance(action, int) and asked is not None:
            self._asked_for = command.verb
            return [Act(asked.turn, (action,), command.verb)]
        # Who tries to play is there, whoever has decided for him.
        here: list[Output] = [Here()] if face.places[self.seat].away else []
        return [Send(self._refused(str(action), now)), *self._flood_end(), *here]

    def _refused(self, reply: str, now: float) -> str:
        """Return *reply* to an action that is not accepted: only these are counted."""
        return reply if self._bucket.take(now) else replies.TOO_MANY

    def _flood_end(self) -> list[Output]:
        return self._end(replies.FLOOD, _ABUSE) if self._bucket.refused >= PATIENCE else []

    # What the table notes.

    def tell(self, note: Note, now: float) -> list[str]:
        match note:
            case talk.Seated():
                lines = self._seated(note, now)
            case talk.Accepted(id):
                self._bucket.refused = 0
                lines = self._replied(replies.DONE[str(id)]) if id is not None else []
            case talk.Refused(request, key):
                lines = self._not_done(request, key, now)
            case _ if self.table is None:
                return []
            case _:
                lines = self._notified(note, self._at(self.table), now)
                if self._asked_for:
                    self._behind += lines
                    return []
        return [notices.clip(line) for line in lines]

    def _at(self, face: Face) -> Seats:
        """Return what has been told of *face*; who comes back has to know everything."""
        if self.seats is None:
            self.seats = Seats(face, {place.seat: nickname(place) for place in face.places if place.name})
        return self.seats

    def _replied(self, reply: str) -> list[str]:
        """Return *reply* and what has waited behind it."""
        behind, self._behind = self._behind, []
        self._asked_for = ""
        return [reply, *behind]

    def _seated(self, note: talk.Seated, now: float) -> list[str]:
        face = self.table
        assert face is not None, "seated at no table"
        self._desk.arrived(self)
        self.name = face.places[note.seat].name
        lines = self._replied(replies.NAME_CHANGED) if self._asked_for else []
        lines.append(notices.your_seat(note.seat, face.id, self._token or "-"))
        if note.back:
            self._at(face)
            return [*lines, *self._snapshot(face, now)]
        self.seats = Seats(face, self._desk.told_of(face, self))
        if not face.started and all(place.name for place in face.places):
            self.hold()
            self._due.append(talk.Start())
        seated = sorted(self.seats.told.items())
        return [*lines, *(notices.sits(seat, name) for seat, name in seated)]

    def _not_done(self, request: talk.Request, key: str, now: float) -> list[str]:
        face = self.table
        if isinstance(request, talk.Join):
            self._desk.arrived(self)
        match request:
            case Act() if face is not None:
                reply = replies.refusal(self._asked_for, key, _view(face, self.seat))
                lines = self._replied(self._refused(reply, now))
                self._due += self._flood_end()
                return lines
            case talk.Join() if key != "name_taken":
                # The seat was gone, or the table: another will have one.
                self.hold()
                self.tried.add(self._goal)
                self._due += self._desk.find_seat(self)
                return []
            case talk.Join():
                self.name = self._session = ""
                return self._replied(replies.NAME_TAKEN)
            case Say():
                return self._replied(replies.NOBODY)
            case Rename():
                self.name = face.places[self.seat].name if face is not None else self.name
                return self._replied(replies.NAME_TAKEN)
            case Act():
                return self._replied(replies.NO_GAME)
        return []

    def _notified(self, note: Note, seats: Seats, now: float) -> list[str]:
        """Return what *note* says to this player at the table it sits at."""
        face = seats.face
        match note:
            case talk.Told(_, event):
                return self._told(event, seats, now)
            case talk.TurnChanged(deadline):
                view = _view(face, self.seat)
                seat = to_act(view)
                return [] if seat < 0 else self._turn_of(seat, seconds_left(face, view, deadline, now), face)
            case talk.AskedNow(asked):
                if asked.turn == self._hinted or not face.table_options["hints"]:
                    return []
                self._hinted = asked.turn
                return [notices.hint(_view(face, self.seat))]
            case talk.PlacesChanged():
                return seats.changed(note)
            case talk.PhaseChanged():
                return seats.gathering()
            case talk.Said(seat, name, text):
                return [notices.said(seat, nickname(talk.Place(seat, name=name)), text)]
            case talk.Warned(seat, seconds):
                return [notices.warned(seat, nickname(face.places[seat]), ceil(seconds))]
            case talk.TimedOut(seat):
                return [notices.timed_out(seat, nickname(face.places[seat]))]
            case talk.Stopped(reason):
                seats.playing = False
                return [notices.stopped(reason)]
            case talk.Resumed():
                self._starts(seats)
                return self._snapshot(face, now)
        return []

    def _starts(self, seats: Seats) -> None:
        seats.starts()
        self._turn = -1
        self._hinted = 0

    def _told(self, event: Event, seats: Seats, now: float) -> list[str]:
        face = seats.face
        view = _view(face, self.seat)
        lines: list[str] = []
        match event:
            case MatchStarted():
                self._starts(seats)
                return notices.game_starts(face)
            case Called() | Played():
                # Bots and stand-ins may act before anybody was told that it is their turn.
                lines = self._turn_of(event.seat, seconds_left(face, view, None, now), face)
                self._turn = -1
            case MatchEnded():
                seats.playing = False
        return [*lines, *notices.told(event, face, view)]

    def _turn_of(self, seat: int, seconds: int, face: Face) -> list[str]:
        """Return that *seat* is to act, unless that was told already."""
        if seat == self._turn:
            return []
        self._turn = seat
        return [notices.turn(seat, seconds, _view(face, self.seat), nicknames(face))]

    def _snapshot(self, face: Face, now: float) -> list[str]:
        """Return the snapshot; what it tells of the turn is not told again."""
        asked = face.asked(self.seat)
        self._turn = to_act(_view(face, self.seat))
        self._hinted = asked.turn if asked is not None else self._hinted
        return snapshot(face, self.seat, now)


def _view(face: Face, seat: int) -> CoincheView:
    view = face.view(seat)
    assert isinstance(view, CoincheView)
    return view


DESK: Final = CoincheDesk
"""What the server makes of this protocol: one desk, a conversation each connection."""
