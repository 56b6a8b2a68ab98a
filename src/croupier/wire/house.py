"""The house protocol, the same for all games, without I/O (docs/house-protocol.md)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, assert_never, cast

from croupier.core.chance import is_nonce
from croupier.core.contract import WATCHER, Game, RulesError, View
from croupier.core.refusal import Refusal, house_refusal
from croupier.core.words import PlainWords, Texts, Words, answer
from croupier.texts import house as house_texts
from croupier.wire import house_messages as messages
from croupier.wire.frames import encode
from croupier.wire.greeting import (
    clean_name,
    kept_seat,
    locked,
    may_return,
    own_seat,
    resembling,
    seat_called,
)
from croupier.wire.house_parsing import BadMessage, read_message
from croupier.wire.identity import Account
from croupier.wire.talk import (
    BOT,
    EXPELLED,
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
    Disconnect,
    Fill,
    Frame,
    Join,
    Leave,
    Note,
    Output,
    PhaseChanged,
    Place,
    PlacesChanged,
    Refused,
    Report,
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

CROWD: Final = 64
"""The maximum number of messages that wait for the answer to an earlier request; further ones are ignored."""


PLAYERS_ONLY: Final = (
    messages.Act,
    messages.Say,
    messages.Report,
    messages.Leave,
    messages.Continue,
    messages.Undo,
    messages.Nonce,
)
ENGLISH: Final = "en"
NEEDS_SEAT: Final = frozenset(str(kind.__struct_config__.tag) for kind in PLAYERS_ONLY)
"""The types of messages that only players send."""


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
            raise house_refusal("bad_name")
        namesake = own_seat(info, self.token) or seat_called(info, name)
        if namesake is not None:
            if may_return(info, namesake, self.token, self.address):
                return namesake.seat
            raise house_refusal("name_taken", {"name": name})
        waiting = kept_seat(info, self.token)
        if waiting is not None:
            return waiting.seat
        if resembling(info, name) is not None:
            raise house_refusal("name_taken.similar", {"name": name})
        if info.identities.bars(name, self.token):
            raise house_refusal("name_reserved", {"name": name})
        place = self._free(info) if self.wanted is None else self._wanted(info, self.wanted)
        if locked(info, place, self.token):
            raise house_refusal("bad_token", {"seat": place.seat})
        return place.seat

    def _wanted(self, info: TableInfo, seat: int) -> Place:
        if not 0 <= seat < len(info.places):
            given = {"seat": seat, "last": len(info.places) - 1}
            raise house_refusal("no_such_seat", given)
        place = info.places[seat]
        if (place.name or place.kind not in self._kinds()) and not self._may_replace(info, place):
            raise house_refusal("seat_taken", {"seat": seat})
        return place

    def _free(self, info: TableInfo) -> Place:
        free = [
            place for kind in self._kinds() for place in info.places if place.kind == kind and not place.name
        ]
        free = free or [place for place in info.places if self._may_replace(info, place)]
        if not free:
            raise house_refusal("table_full")
        return next((place for place in free if place.former == self.name), free[0])

    def _may_replace(self, info: TableInfo, place: Place) -> bool:
        """Return True if this player may take the seat of the bot in *place*."""
        return info.quick_match and self.person and place.kind == BOT and not place.next

    def _kinds(self) -> tuple[str, ...]:
        """Return the kinds of seats that this player may take, preferred ones first."""
        return (PERSON, OPEN) if self.person else (OPEN,)


@dataclass(frozen=True, slots=True)
class _JoinOptions:
    """The parts of a join that concern the conversation, not the table."""

    every_view: bool
    language: str
    """The language of the words; "" for none."""
    last: int | None


class HouseConversation(TableConversation):
    """One client of the house protocol: a watcher until it joins."""

    def __init__(self, info: TableInfo, words_in: Callable[[str], Words] | None = None) -> None:
        """*words_in* returns the words of a language, for events and views of clients that request it."""
        super().__init__(info)
        self._words_in: Callable[[str], Words] = words_in or partial(_plain_words, info.game)
        self._every_view = False
        """True if each event is sent with the view after it."""
        self._language = ""
        """The language in which events and views are also sent in words; "" for none."""
        self._join_options: _JoinOptions | None = None
        """Those of the join that the table has not answered yet."""

    def greet(self, now: float) -> list[Output]:
        return [Send(frame) for frame in (self._table(now), self._view_frame(now), *self._commitment())]

    def flooded(self) -> list[Output]:
        if not self.owed:
            return [_flood()]
        self._ignore()
        return []

    def expelled(self, key: str, words: str) -> list[Output]:
        return [Send(encode(messages.Closed(reason=words, key=key))), Disconnect(EXPELLED, words)]

    def announced(self, seconds: float | None, text: str, now: float) -> list[Frame]:
        return [encode(messages.Notice(seconds=None if seconds is None else round(seconds, 1), text=text))]

    # Messages of the client.

    def receive(self, data: str | bytes, now: float) -> list[Output]:
        if not (self.owed or self.waiting):
            return self.answer(data, now)
        if len(self.waiting) < CROWD:
            self.waiting.append(data)
        else:
            self._ignore()
        return self.resume(now)

    def _ignore(self) -> None:
        """Remember that messages were ignored; they are refused together, after the earlier answers."""
        if not self.waiting or self.waiting[-1] is not None:
            self.waiting.append(None)

    def answer(self, data: str | bytes | None, now: float) -> list[Output]:
        outputs: list[Output] = [_flood()] if data is None else self._answer(data, now)
        self.owed = not isinstance(outputs[-1], Send)
        return outputs

    def _answer(self, data: str | bytes, now: float) -> list[Output]:
        """Return the answer to one message of the client, or the request to the table."""
        try:
            message = read_message(data)
        except BadMessage as bad:
            if self.seat == WATCHER and bad.kind in NEEDS_SEAT:
                return [_refuse(bad.id, house_refusal("not_joined.request", {"request": bad.kind}))]
            return [_refuse(bad.id, Refusal("bad_message", bad.words))]
        try:
            return self._carry_out(message, now)
        except Refusal as refusal:
            return [_refuse(message.id, refusal)]
        except RulesError as unknown:  # a second variable, because a compiled variable has one type
            return [_refuse(message.id, Refusal("unknown_action", str(unknown)))]

    def _carry_out(self, message: messages.ClientMessage, now: float) -> list[Output]:
        if self.seat == WATCHER and isinstance(message, PLAYERS_ONLY):
            kind = message.__struct_config__.tag
            raise house_refusal("not_joined.request", {"request": str(kind)})
        match message:
            case messages.Act():
                return self._act(message)
            case messages.Join():
                return self._join(message)
            case messages.Watch():
                return self._watch(message, now)
            case messages.Start():
                return [Start(message.id)]
            case messages.Fill():
                return [Fill(message.seat, message.id)]
            case messages.Arrange():
                return [Arrange(tuple(message.seats), message.id)]
            case messages.Say():
                if not message.text.strip():
                    raise Refusal("bad_message", "text: expected a text that is not empty")
                return [Say(message.text, message.id)]
            case messages.Report():
                return [Report(message.seat, message.text, message.id)]
            case messages.Leave():
                return [Leave(message.id)]
            case messages.Continue():
                return [Continue(message.id)]
            case messages.Undo():
                return [Undo(message.id)]
            case messages.Nonce():
                return [_contribution(message.digest, message.nonce, message.id)]
            case messages.Ping():
                return [Send(encode(messages.Pong(id=message.id)))]
        assert_never(message)

    def _join(self, message: messages.Join) -> list[Output]:
        self._check_watching()
        nonce = (
            _contribution(message.digest or "", message.nonce, None) if message.nonce is not None else None
        )
        self._join_options = _JoinOptions(message.views == "all", _language(message), message.last)
        name, token = message.name, message.token
        account = self.info.identities.holder(token)
        if account is not None:
            name = account.name
        address = "" if token else self.address
        claim = HouseClaim(name, token, message.person, message.seat, address=address)
        join = Join(claim, message.id, nonce, answers=message.person)
        return [Uses(token_digest(token)), join] if token else [join]

    def _watch(self, message: messages.Watch, now: float) -> list[Output]:
        self._check_watching()
        self._every_view, self._language = message.views == "all", _language(message)
        return [Send(encode(messages.Accepted(id=message.id))), Send(self._view_frame(now))]

    def _check_watching(self) -> None:
        if self.seat != WATCHER:
            raise house_refusal("already_joined", {"seat": self.seat})

    def _act(self, message: messages.Act) -> list[Output]:
        if message.actions is not None:
            parse = self.info.game.actions.parse
            return [Act(message.turn, tuple([parse(action) for action in message.actions]), message.id)]
        if message.text is None:
            raise Refusal("bad_message", "actions: expected a list of actions, or text")
        view = self.info.view(self.seat)
        if not view.legal:  # without a question the text cannot be interpreted
            raise house_refusal("stale")
        return [Act(message.turn, answer(self._teller(), view, message.text.strip()), message.id)]

    # Notes of the table.

    def note(self, note: Note, now: float) -> Sequence[Frame]:
        match note:
            case Told():
                return [self._event(note, self.info.number(self.seat), self._every_view)]
            case AskedNow(asked):
                current = self.info.asked(self.seat)
                if current is None or current.turn != asked.turn:
                    return []  # the clock has answered while the note waited for the store
                legal = encode(self._legal(self.info.view(self.seat)))
                frame = b'{"type":"ask","turn":%d,"seconds":%b,"legal":%b,"view":%b}'
                return [frame % (asked.turn, encode(_left(asked.deadline, now)), legal, self._view(legal))]
            case TurnChanged(deadline):
                if _last.note is not note:  # the frame is the same for all receivers
                    seats = self._to_act(self.info.view(self.seat))
                    _last.note = note
                    _last.frame = encode(messages.Turn(seats=seats, seconds=_left(deadline, now)))
                return [_last.frame]
            case PlacesChanged() | PhaseChanged():
                return [self._table(now)]
            case Resumed():
                return [self._view_frame(now)]
            case Accepted():
                self.owed = False
                return [encode(messages.Accepted(id=_id(note.id)))]
            case Refused():
                self.owed = False
                if isinstance(note.request, Join):
                    self._join_options = None
                mark = _id(getattr(note.request, "id", None))
                return [_refuse(mark, note).frame]
            case Seated():
                self.owed = self.owed and note.promised
                joined = messages.Joined(seat=note.seat, back=note.back, id=_id(note.id))
                taken_up = self._take_up(note.back, now)
                return [encode(joined), self._table(now), *taken_up, *self._commitment()]
            case Committed():
                return [self._commit(note)]
            case Revealed(deal, seed):
                return [encode(messages.Reveal(deal=deal, seed=seed))]
            case Said(seat, name, text):
                return [encode(messages.Said(seat=seat, name=name, text=text))]
            case Closed(reason):
                return [encode(messages.Closed(reason=reason, key=note.key))]
        return []

    def _take_up(self, back: bool, now: float) -> list[Frame]:
        """Return the events that a returning client has missed, or the view."""
        joining, self._join_options = self._join_options, None
        self._every_view = joining is not None and joining.every_view
        self._language = joining.language if joining is not None else ""
        last = joining.last if joining is not None and back else None
        missed = self.info.missed(self.seat, last) if last is not None else None
        if missed is None:
            return [self._view_frame(now)]
        # The views after past events are not kept; a client with `views: all` gets the current one.
        frames = [self._event(told, number, with_view=False, past=True) for number, told in missed]
        return [*frames, self._view_frame(now)] if self._every_view else frames

    # Composing frames.

    def look(self) -> object:
        return type(self), self._every_view, self._language

    def _event(self, told: Told, number: int, with_view: bool, past: bool = False) -> Frame:
        if not self._language and not with_view:
            if _last.note is not told:
                _last.note = told
                _last.frame = b',"event":%b,"auto":%b}' % (encode(told.event.fact()), encode(told.auto))
            return b'{"type":"event","number":%d%b' % (number, _last.frame)
        frame = b'{"type":"event","number":%d,"event":%b,"auto":%b' % (
            number,
            encode(told.event.fact()),
            encode(told.auto),
        )
        if self._language and past:
            frame += b',"words":%b' % encode(self._teller().describe(told.event, self._names()))
        elif self._language:
            words = self._teller().tell(told.event, self.info.view(self.seat), self._names())
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
        if self._language:
            parts.append(b'"words":%b' % encode(self._words(view)))
        return b",".join([part for part in parts if part]) + b"}"

    def _legal(self, view: View) -> list[str]:
        name = self.info.game.actions.name
        return [name(action) for action in view.legal]

    def _teller(self) -> Words:
        """Return the words of the client's language."""
        return self._words_in(self._language or ENGLISH)

    def _words(self, view: View) -> messages.Words:
        teller, names = self._teller(), self._names()
        return messages.Words(
            hand=[[code for code, _ in row] for row in teller.hand(view)],
            table=teller.table(view, names),
            last=teller.last(view, names),
            scores=teller.scores(view, names),
            question=teller.question(view, names) if view.legal else None,
        )

    def _to_act(self, view: View) -> list[int]:
        return [place.seat for place in self.info.places if view.to_act >> place.seat & 1]

    def _names(self) -> list[str]:
        texts = self._teller().texts
        return [place.name or texts("terminal.seat", n=place.seat) for place in self.info.places]

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
        nonces = list(note.nonces)
        return encode(messages.Commit(note.deal, note.digest, nonces, self.info.next_deal))

    def _you(self) -> int | None:
        return self.seat if self.seat != WATCHER else None

    def _table(self, now: float) -> Frame:
        info = self.info
        table = messages.Table(
            id=info.id,
            game=info.game.name,
            title=info.game.title,
            phase=cast(messages.Phase, info.phase),
            started=info.started,
            options=info.game.options.shown(info.rules_options),
            table_options=dict(info.table_options),
            seed=info.seed,
            you=self._you(),
            watch_open=info.watch_open,
            watch_delay=info.watch_delay,
            seats=places_of(info),
            fixed_deal=info.fixed_deal,
            next_deal=info.next_deal,
            match=f"{info.id}-{info.match}" if info.match else None,
            quick_match=info.quick_match,
            bots_in=_left(info.bots_at, now),
            answer_in=_left(info.answers_until, now),
        )
        return encode(table)


class _Last:
    """The note that is being sent to several connections, and the part that its frames share."""

    def __init__(self) -> None:
        self.note: Note | None = None
        self.frame = b""


_last: Final = _Last()


def places_of(info: TableInfo) -> list[messages.Place]:
    """Return the seats as the protocol and the lists of tables show them."""
    identities = info.identities
    return [_place(place, identities.account(identities.person(place.token))) for place in info.places]


def _place(place: Place, account: Account | None) -> messages.Place:
    return messages.Place(
        seat=place.seat,
        kind=cast(messages.Kind, place.kind),
        bot=place.bot,
        name=place.name,
        account=account.name if account is not None and place.name else None,
        number=place.number,
        person=place.person,
        connected=place.connected,
        late=place.late,
        auto=place.auto,
        timeouts=place.timeouts,
        errors=place.errors,
        next=place.next,
        ready=place.ready,
    )


def _plain_words(game: Game, language: str) -> Words:
    return PlainWords(game, Texts(house_texts(language), language))


def _language(message: messages.Join | messages.Watch) -> str:
    """Return the language of the words that a client requests; "" for none."""
    return (message.language or ENGLISH) if message.words else ""


def _id(mark: object) -> messages.Id:
    """Return the id of a request of this protocol."""
    return mark if isinstance(mark, (str, int, float)) else None


def _refuse(mark: messages.Id, why: Refusal | Refused) -> Send:
    about = cast(messages.About, why.about)
    return Send(encode(messages.Refused(id=mark, key=why.key, words=why.words, about=about)))


def _contribution(digest: str, nonce: str, mark: messages.Id) -> Contribute:
    if not is_nonce(nonce):
        raise Refusal("bad_message", "nonce: expected 1 to 64 letters, digits, - and _")
    return Contribute(digest, nonce, mark)


def _flood() -> Send:
    return _refuse(None, house_refusal("flood"))


def _left(deadline: float | None, now: float) -> float | None:
    return None if deadline is None else round(max(0.0, deadline - now), 3)
