"""The house protocol, the same for all games, without I/O (docs/house-protocol.md)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from croupier.core.chance import is_nonce
from croupier.core.contract import WATCHER, Plain, RulesError, View
from croupier.core.refusal import Refusal
from croupier.core.words import PlainWords, Words, answer
from croupier.wire.frames import LIMIT, encode, read_object, whole, words
from croupier.wire.greeting import clean_name, locked, may_return, own_seat, resembling, seat_called
from croupier.wire.identity import Account
from croupier.wire.talk import (
    OPEN,
    PERSON,
    Accepted,
    Act,
    Arrange,
    AskedNow,
    Closed,
    Committed,
    Continue,
    Contribute,
    Frame,
    Join,
    Leave,
    Note,
    Output,
    PhaseChanged,
    Place,
    PlacesChanged,
    Refused,
    Resumed,
    Revealed,
    Said,
    Say,
    Seated,
    Send,
    Start,
    TableConversation,
    TableInfo,
    Told,
    TurnChanged,
    Undo,
    Uses,
    token_digest,
)

TOKEN_LIMIT: Final = 256
TEXT_LIMIT: Final = 500
ACTIONS_LIMIT: Final = 64
"""The maximum of actions in one request, more than any decision needs."""
CROWD: Final = 64
"""The maximum of messages that wait for the answer to an earlier request; further ones are ignored."""


@dataclass(frozen=True, slots=True)
class HouseClaim:
    """A `join` whose members have the right types."""

    raw_name: str
    token: str = field(repr=False)
    person: bool
    wanted: int | None = None
    """The requested seat; None: the first free one."""
    number: int | None = None
    address: str = field(default="", repr=False)

    @property
    def name(self) -> str:
        return clean_name(self.raw_name) or ""

    def seat(self, info: TableInfo) -> int:
        name = clean_name(self.raw_name)
        if name is None:
            raise Refusal("bad_name", "name: expected 1 to 64 characters, no control characters")
        namesake = own_seat(info, self.token) or seat_called(info, name)
        if namesake is not None:
            if may_return(info, namesake, self.token, self.address):
                return namesake.seat
            raise Refusal("name_taken", f"name {name!r}: a player at this table has this name")
        if resembling(info, name) is not None:
            raise Refusal(
                "name_taken", f"name {name!r}: it looks like the name of another player at this table"
            )
        if info.identities.bars(name, self.token):
            words = (
                f"name {name!r}: it belongs to an account, or looks like it: log in or choose another name"
            )
            raise Refusal("name_reserved", words)
        place = self._free(info) if self.wanted is None else self._wanted(info, self.wanted)
        if locked(info, place, self.token):
            raise Refusal("bad_token", f"seat {place.seat}: it is reserved for another token")
        return place.seat

    def _wanted(self, info: TableInfo, seat: int) -> Place:
        if not 0 <= seat < len(info.places):
            raise Refusal("no_such_seat", f"seat {seat}: expected 0…{len(info.places) - 1}")
        place = info.places[seat]
        if place.name or place.kind not in self._kinds():
            raise Refusal("seat_taken", f"seat {seat}: it is not free")
        return place

    def _free(self, info: TableInfo) -> Place:
        free = [
            place for kind in self._kinds() for place in info.places if place.kind == kind and not place.name
        ]
        if not free:
            raise Refusal("table_full", "no seat is free at this table")
        return next((place for place in free if place.former == self.name), free[0])

    def _kinds(self) -> tuple[str, ...]:
        """Return the kinds of seats that this player may take, preferred ones first."""
        return (PERSON, OPEN) if self.person else (OPEN,)


@dataclass(frozen=True, slots=True)
class _Joining:
    """The parts of a join that concern the conversation, not the table."""

    every_view: bool
    in_words: bool
    last: int | None


class HouseConversation(TableConversation):
    """One client of the house protocol: a watcher until it joins."""

    def __init__(self, info: TableInfo, teller: Words | None = None) -> None:
        """*teller* describes events and views in words, for clients that request it."""
        super().__init__(info)
        self._teller: Words = teller or PlainWords(info.game)
        self._every_view = False
        """True if each event is sent with the view after it."""
        self._in_words = False
        """True if events and views are also sent in words."""
        self._joining: _Joining | None = None
        """The join that the table has not answered yet."""
        self._asks = False
        """True while the table owes an answer: later messages wait, so that answers come in order."""
        self._waiting: list[str | bytes | None] = []
        """Messages that wait for that answer; None stands for messages that were ignored."""

    def greet(self, now: float) -> list[Output]:
        return [Send(frame) for frame in (self._table(), self._view_frame(now), *self._commitment())]

    def flooded(self) -> list[Output]:
        if not self._asks:
            return [_flood()]
        self._ignore()
        return []

    # Messages of the client.

    def receive(self, data: str | bytes, now: float) -> list[Output]:
        if self._asks or self._waiting:
            if len(self._waiting) < CROWD:
                self._waiting.append(data)
            else:
                self._ignore()
            return self.resume(now)
        outputs = self._answer(data, now)
        self._asks = not isinstance(outputs[0], Send)
        return outputs

    def _ignore(self) -> None:
        """Remember that messages were ignored; they are refused together, after the earlier answers."""
        if not self._waiting or self._waiting[-1] is not None:
            self._waiting.append(None)

    def pending(self) -> bool:
        return bool(self._waiting) and not self._asks

    def resume(self, now: float) -> list[Output]:
        outputs: list[Output] = []
        while self._waiting and not self._asks:
            data = self._waiting.pop(0)
            outputs += [_flood()] if data is None else self._answer(data, now)
            self._asks = not isinstance(outputs[-1], Send)
        return outputs

    def _answer(self, data: str | bytes, now: float) -> list[Output]:
        """Return the answer to one message of the client, or the request to the table."""
        message = read_object(data)
        if message is None:
            return [_refuse(None, "bad_message", "expected one JSON object per frame")]
        mark = message.get("id")
        if isinstance(mark, bool) or not isinstance(mark, str | int | float | None):
            return [_refuse(None, "bad_message", "id: expected a string or a number")]
        kind = message.get("type")
        reader = READERS.get(kind) if isinstance(kind, str) else None
        if reader is None:
            return [_refuse(mark, "bad_message", f"type: expected one of {', '.join(READERS)}")]
        if self.seat == WATCHER and kind in ("act", "say", "leave", "continue", "undo", "nonce"):
            return [_refuse(mark, "not_joined", f"{kind}: join first")]
        try:
            return reader(self, message, mark, now)
        except Refusal as refusal:
            return [_refuse(mark, refusal.key, refusal.words)]
        except RulesError as unknown:  # another name: compiled, a variable has one type
            return [_refuse(mark, "unknown_action", str(unknown))]

    def _join(self, message: Plain, mark: object, now: float) -> list[Output]:
        if self.seat != WATCHER:
            return [_refuse(mark, "already_joined", f"you have seat {self.seat}")]
        name = _text(message, "name", LIMIT)
        token = _text(message, "token", TOKEN_LIMIT, default="")
        person = _flag(message, "person")
        seat = _number(message, "seat") if message.get("seat") is not None else None
        last = _number(message, "last") if message.get("last") is not None else None
        nonce = _contribution(message, None) if "nonce" in message else None
        self._joining = _Joining(_every_view(message), _flag(message, "words"), last)
        account = self.info.identities.holder(token)
        if account is not None:
            name = account.name
        address = "" if token else self.address
        join = Join(HouseClaim(name, token, person, seat, address=address), mark, nonce)
        return [Uses(token_digest(token)), join] if token else [join]

    def _watch(self, message: Plain, mark: object, now: float) -> list[Output]:
        if self.seat != WATCHER:
            return [_refuse(mark, "already_joined", f"you have seat {self.seat}")]
        every_view, self._in_words = _every_view(message), _flag(message, "words")
        self._every_view = every_view
        return [Send(encode({"type": "accepted", "id": mark})), Send(self._view_frame(now))]

    def _act(self, message: Plain, mark: object, now: float) -> list[Output]:
        turn = _number(message, "turn")
        if turn < 0:
            raise Refusal("bad_message", "turn: expected the number of a question")
        if "text" in message and "actions" not in message:
            return self._act_in_words(turn, _text(message, "text", TEXT_LIMIT), mark)
        actions = words(message.get("actions"))
        if not actions or len(actions) > ACTIONS_LIMIT:
            raise Refusal("bad_message", f"actions: expected a list of 1 to {ACTIONS_LIMIT} strings")
        parse = self.info.game.actions.parse
        return [Act(turn, tuple(parse(action) for action in actions), mark)]

    def _act_in_words(self, turn: int, text: str, mark: object) -> list[Output]:
        view = self.info.view(self.seat)
        if not view.legal:  # without a question the text cannot be interpreted
            return [_refuse(mark, "stale", "nothing is asked of you now")]
        return [Act(turn, answer(self._teller, view, text.strip()), mark)]

    def _start(self, message: Plain, mark: object, now: float) -> list[Output]:
        return [Start(mark)]

    def _arrange(self, message: Plain, mark: object, now: float) -> list[Output]:
        seats = words(message.get("seats"))
        if seats is None:
            raise Refusal("bad_message", "seats: expected a list of strings, one per seat")
        return [Arrange(tuple(seats), mark)]

    def _say(self, message: Plain, mark: object, now: float) -> list[Output]:
        text = _text(message, "text", TEXT_LIMIT)
        if not text.strip():
            raise Refusal("bad_message", "text: expected a text that is not empty")
        return [Say(text, mark)]

    def _leave(self, message: Plain, mark: object, now: float) -> list[Output]:
        return [Leave(mark)]

    def _continue(self, message: Plain, mark: object, now: float) -> list[Output]:
        return [Continue(mark)]

    def _undo(self, message: Plain, mark: object, now: float) -> list[Output]:
        return [Undo(mark)]

    def _nonce(self, message: Plain, mark: object, now: float) -> list[Output]:
        return [_contribution(message, mark)]

    def _ping(self, message: Plain, mark: object, now: float) -> list[Output]:
        return [Send(encode({"type": "pong", "id": mark}))]

    # Notes of the table.

    def note(self, note: Note, now: float) -> Sequence[Frame]:
        match note:
            case Told():
                return [self._event(note, self.info.number(self.seat), self._every_view)]
            case AskedNow(asked):
                legal = encode(self._legal(self.info.view(self.seat)))
                frame = b'{"type":"ask","turn":%d,"seconds":%b,"legal":%b,"view":%b}'
                return [frame % (asked.turn, encode(_left(asked.deadline, now)), legal, self._view(legal))]
            case TurnChanged(deadline):
                if _last.note is not note:  # the frame is the same for all receivers
                    seats = self._to_act(self.info.view(self.seat))
                    _last.note = note
                    _last.frame = encode({"type": "turn", "seats": seats, "seconds": _left(deadline, now)})
                return [_last.frame]
            case PlacesChanged() | PhaseChanged():
                return [self._table()]
            case Resumed():
                return [self._view_frame(now)]
            case Accepted():
                self._asks = False
                return [encode({"type": "accepted", "id": note.id})]
            case Refused():
                self._asks = False
                if isinstance(note.request, Join):
                    self._joining = None
                return [_refuse(getattr(note.request, "id", None), note.key, note.words).frame]
            case Seated():
                self._asks = False
                joined = {"type": "joined", "seat": note.seat, "back": note.back, "id": note.id}
                taken_up = self._take_up(note.back, now)
                return [encode(joined), self._table(), *taken_up, *self._commitment()]
            case Committed():
                return [self._commit(note)]
            case Revealed(deal, seed):
                return [encode({"type": "reveal", "deal": deal, "seed": seed})]
            case Said(seat, name, text):
                return [encode({"type": "said", "seat": seat, "name": name, "text": text})]
            case Closed(reason):
                return [encode({"type": "closed", "reason": reason})]
        return []

    def _take_up(self, back: bool, now: float) -> list[Frame]:
        """Return the events that a returning client has missed, or the view."""
        joining, self._joining = self._joining, None
        self._every_view = joining is not None and joining.every_view
        self._in_words = joining is not None and joining.in_words
        last = joining.last if joining is not None and back else None
        missed = self.info.missed(self.seat, last) if last is not None else None
        if missed is None:
            return [self._view_frame(now)]
        # The views after past events are not kept; a client with `views: all` gets the current one.
        frames = [self._event(told, number, with_view=False, past=True) for number, told in missed]
        return [*frames, self._view_frame(now)] if self._every_view else frames

    # Composing frames.

    def look(self) -> object:
        return type(self), self._every_view, self._in_words

    def _event(self, told: Told, number: int, with_view: bool, past: bool = False) -> Frame:
        if not self._in_words and not with_view:
            if _last.note is not told:
                _last.note = told
                _last.frame = b',"event":%b,"auto":%b}' % (encode(told.event.fact()), encode(told.auto))
            return b'{"type":"event","number":%d%b' % (number, _last.frame)
        frame = b'{"type":"event","number":%d,"event":%b,"auto":%b' % (
            number,
            encode(told.event.fact()),
            encode(told.auto),
        )
        if self._in_words and past:
            frame += b',"words":%b' % encode(self._teller.describe(told.event, self._names()))
        elif self._in_words:
            words = self._teller.tell(told.event, self.info.view(self.seat), self._names())
            frame += b',"words":%b' % encode(words)
        return frame + (b',"view":%b}' % self._view() if with_view else b"}")

    def _view(self, legal: bytes | None = None) -> bytes:
        """Return the view as JSON; *legal* are its legal actions, if they are already encoded."""
        view = self.info.view(self.seat)
        if legal is None:
            legal = encode(self._legal(view))
        head = b'{"seat":%b,"to_act":%b,"legal":%b' % (encode(self._you()), encode(self._to_act(view)), legal)
        parts = [head, encode(view.typed_facts())[1:-1]]
        if self.seat == WATCHER and self.info.watch_open:
            seats = range(len(self.info.places))
            parts.append(b'"open":%b' % encode([self.info.view(seat).typed_facts() for seat in seats]))
        if self._in_words:
            parts.append(b'"words":%b' % encode(self._words(view)))
        return b",".join([part for part in parts if part]) + b"}"

    def _legal(self, view: View) -> list[str]:
        name = self.info.game.actions.name
        return [name(action) for action in view.legal]

    def _words(self, view: View) -> Plain:
        teller, names = self._teller, self._names()
        return {
            "hand": [[code for code, _ in row] for row in teller.hand(view)],
            "table": teller.table(view, names),
            "last": teller.last(view, names),
            "scores": teller.scores(view, names),
            "question": teller.question(view, names) if view.legal else None,
        }

    def _to_act(self, view: View) -> list[int]:
        return [place.seat for place in self.info.places if view.to_act >> place.seat & 1]

    def _names(self) -> list[str]:
        return [place.name or f"seat {place.seat}" for place in self.info.places]

    def _view_frame(self, now: float) -> Frame:
        asked = self.info.asked(self.seat) if self.seat != WATCHER else None
        return b'{"type":"view","number":%d,"view":%b,"turn":%b,"seconds":%b}' % (
            self.info.number(self.seat),
            self._view(),
            encode(asked.turn if asked else None),
            encode(_left(asked.deadline, now) if asked else None),
        )

    def _commitment(self) -> list[Frame]:
        """Return the commitment to the seed of the current deal, for a new connection."""
        committed = self.info.committed
        return [self._commit(committed)] if committed is not None else []

    def _commit(self, note: Committed) -> Frame:
        frame: Plain = {"type": "commit", "deal": note.deal, "digest": note.digest}
        if note.nonces:
            frame["nonces"] = note.nonces
        if self.info.next_deal is not None:
            frame["next"] = self.info.next_deal
        return encode(frame)

    def _you(self) -> int | None:
        return self.seat if self.seat != WATCHER else None

    def _table(self) -> Frame:
        info = self.info
        return encode(
            {
                "type": "table",
                "id": info.id,
                "game": info.game.name,
                "title": info.game.title,
                "phase": info.phase,
                "started": info.started,
                "options": info.game.options.shown(info.rules_options),
                "table_options": info.table_options,
                "seed": info.seed,
                "you": self._you(),
                "watch_open": info.watch_open,
                "watch_delay": info.watch_delay,
                "seats": seats_plain(info),
                "fixed_deal": info.fixed_deal,
                "next_deal": info.next_deal,
                "match": f"{info.id}-{info.match}" if info.match else None,
            }
        )


class _Last:
    """The note that is being sent to several connections, and the part that its frames share."""

    def __init__(self) -> None:
        self.note: Note | None = None
        self.frame = b""


_last: Final = _Last()


READERS: Final[dict[str, Callable[[HouseConversation, Plain, object, float], list[Output]]]] = {
    "join": HouseConversation._join,
    "watch": HouseConversation._watch,
    "act": HouseConversation._act,
    "start": HouseConversation._start,
    "arrange": HouseConversation._arrange,
    "say": HouseConversation._say,
    "leave": HouseConversation._leave,
    "continue": HouseConversation._continue,
    "undo": HouseConversation._undo,
    "nonce": HouseConversation._nonce,
    "ping": HouseConversation._ping,
}


def seats_plain(info: TableInfo) -> list[Plain]:
    """Return the seats as the protocol and the lists of tables show them."""
    identities = info.identities
    return [_seat(place, identities.account(identities.person(place.token))) for place in info.places]


def _seat(place: Place, account: Account | None) -> Plain:
    return {
        "seat": place.seat,
        "kind": place.kind,
        "bot": place.bot,
        "name": place.name,
        "account": account.name if account is not None and place.name else None,
        "number": place.number,
        "person": place.person,
        "connected": place.connected,
        "late": place.late,
        "auto": place.auto,
        "timeouts": place.timeouts,
        "errors": place.errors,
    }


def _refuse(mark: object, key: str, text: str) -> Send:
    return Send(encode({"type": "refused", "id": mark, "key": key, "words": text}))


def _contribution(message: Plain, mark: object) -> Contribute:
    nonce = _text(message, "nonce", LIMIT)
    if not is_nonce(nonce):
        raise Refusal("bad_message", "nonce: expected 1 to 64 letters, digits, - and _")
    return Contribute(_text(message, "digest", LIMIT), nonce, mark)


def _flood() -> Send:
    return _refuse(None, "flood", "too many messages: the rest of this second is ignored")


def _left(deadline: float | None, now: float) -> float | None:
    return None if deadline is None else round(max(0.0, deadline - now), 3)


def _every_view(message: Plain) -> bool:
    views = message.get("views", "ask")
    if views not in ("ask", "all"):
        raise Refusal("bad_message", 'views: expected "ask" or "all"')
    return views == "all"


def _flag(message: Plain, member: str) -> bool:
    value = message.get(member, False)
    if not isinstance(value, bool):
        raise Refusal("bad_message", f"{member}: expected true or false")
    return value


def _text(message: Plain, member: str, limit: int, default: str | None = None) -> str:
    value = message.get(member, default)
    if not isinstance(value, str) or len(value) > limit:
        raise Refusal("bad_message", f"{member}: expected a string of at most {limit} characters")
    return value


def _number(message: Plain, member: str) -> int:
    value = whole(message.get(member))
    if value is None:
        raise Refusal("bad_message", f"{member}: expected a whole number")
    return value
