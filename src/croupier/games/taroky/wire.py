"""The protocol of Taroky (`game.taroky.*`), without I/O: spec 4.

The family it belongs to, with login, rooms and limits, is croupier/wire/rooms.py. Here is what is Taroky's
own: its commands as actions, state, notation and load; telling.py makes the messages, asking.py knows what
a seat may answer, room_rules.py and loading.py what a room plays.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar, Final

from croupier.core.contract import Plain
from croupier.core.options import Value
from croupier.games.taroky import loading, room_rules
from croupier.games.taroky.asking import is_asked, talon_words, valid_answers
from croupier.games.taroky.events import Dealt, Discarded, LaidAway
from croupier.games.taroky.loading import LoadedRules
from croupier.games.taroky.telling import Discards, Message, Teller
from croupier.games.taroky.view import TarokyView
from croupier.games.taroky.vocabulary import (
    BOT_OF,
    CARD,
    CODES,
    CONTRA,
    DISCARD,
    HALF,
    IOTE,
    MONEY,
    NAME,
    PARTNER,
    PHASES,
    PLAYING,
    PREVER,
    SECRET,
    TALON,
    VALAT,
)
from croupier.wire.lobby import RoomDesk
from croupier.wire.messages import Call, Data, Fault, Field, Fields, flag, text, texts
from croupier.wire.room import WAITING, Room, Rules
from croupier.wire.rooms import RoomConversation
from croupier.wire.talk import Note, Output, Resumed, Send, Told, Wish
from croupier.wire.users import User

COMMAND_PHASES: Final = {
    "prever": PREVER,
    "talon": TALON,
    "half": HALF,
    "discard": DISCARD,
    "moneycards": MONEY,
    "partner": PARTNER,
    "valat": VALAT,
    "contra": CONTRA,
    "iote": IOTE,
    "play": PLAYING,
}
ANSWERS: Final = {
    "prever": "prever",
    "half": "keep",
    "moneycards": "declare",
    "valat": "call",
    "contra": "call",
    "iote": "call",
}
"""The member of each command that is a plain yes or no."""
EVENTS: Final = (
    "deal",
    *(f"prever.{word}" for word in ("start", "next", "finished")),
    *(f"talon.{word}" for word in ("drawn", "next", "finished")),
    *(f"half.{word}" for word in ("offer", "shown", "finished")),
    *(f"discard.{word}" for word in ("start", "next", "finished")),
    *(f"moneycards.{word}" for word in ("choice", "called", "finished")),
    *(f"partner.{word}" for word in ("start", "finished")),
    *(f"valat.{word}" for word in ("start", "next", "finished")),
    *(f"contra.{word}" for word in ("start", "turn", "called", "finished")),
    *(f"iote.{word}" for word in ("start", "turn", "called", "finished")),
    *(f"play.{word}" for word in ("start", "turn", "next")),
    "result",
    "match",
)
"""Everything of the specification's section 4."""
PARTNERS: Final = {f"T{trump}": NAME + trump - 15 for trump in range(15, 20)}


class TarokyConversation(RoomConversation):
    """One client of Taroky."""

    REFUSED_COUNTS: ClassVar[bool] = False
    COMMANDS: ClassVar[Mapping[str, Fields]] = {
        **{name: {member: Field(flag)} for name, member in ANSWERS.items()},
        "talon": {"action": Field(text)},
        "discard": {"cards": Field(texts)},
        "partner": {"card": Field(text)},
        "play": {"card": Field(text)},
        "notation": {},
        "load": {"notation": Field(text)},
    }
    SEED_EVENTS: ClassVar[Mapping[str, frozenset[str] | None]] = {
        f"game.taroky.{name}": None for name in EVENTS
    }
    CODES: ClassVar[Mapping[str, str]] = {
        "not_yours": "invalid_card",
        "five_pointer": "invalid_card",
        "suit_first": "invalid_card",
        "must_follow": "invalid_card",
        "must_trump": "invalid_card",
    }

    def __init__(self, desk: TarokyDesk, token: str = "") -> None:
        super().__init__(desk, token)
        self._ids: list[object] = []
        """What this client knows the players as: the same for a whole hand, whoever leaves."""
        self._discards = Discards()

    # Commands.

    def command(self, call: Call, name: str, fields: Data, now: float) -> list[Output]:
        if name == "load":
            return self._load(call, str(fields["notation"]))
        if name == "notation":
            self.face_playing()
            notation = self._view().notation()
            if notation is None:
                raise Fault("hidden", "the notation shows all hands: wait for the end of this one")
            return [Send(call.response({"notation": notation}))]
        return super().command(call, name, fields, now)

    def actions(self, name: str, fields: Data) -> tuple[int, ...]:
        view = self._view()
        if view.phase != COMMAND_PHASES[name]:
            raise Fault("wrong_phase", f"the phase is {PHASES[view.phase] if view.deal else PHASES[0]}")
        if not is_asked(view):
            raise Fault("not_your_turn", "you are not asked")
        if name in ANSWERS:
            return (int(fields[ANSWERS[name]] is True),)
        match name:
            case "talon":
                return (_talon(view, str(fields["action"])),)
            case "partner":
                return (_partner(str(fields["card"])),)
            case "play":
                return (_card(str(fields["card"])),)
        cards = fields["cards"]
        assert isinstance(cards, list)
        if not 1 <= len(cards) <= view.left:
            raise Fault("invalid_count", f"{len(cards)} cards, expected 1 to {view.left}")
        return tuple(_card(card) for card in cards)

    def _load(self, call: Call, notation: str) -> list[Output]:
        room = self._own_room()
        if room.house or room.status != WAITING:
            raise Fault("wrong_phase", "the game has been started: a position is loaded before")
        if room.owner is not self.user:
            raise Fault("not_owner", "only the owner of the room loads a position")
        room.rules, lock = loading.load(notation, room.rules)
        if lock is not None:
            room.private = lock
        return [Send(call.response(self._shown(room)))]

    # Messages.

    def tell(self, note: Note, now: float) -> list[str]:
        frames: list[str] = []
        if self._discards.waiting and not isinstance(note, Told):
            # A note of another kind says that nothing more belongs to the same discard.
            rest = self._discards.flush(self._teller())
            frames += [frame for name, fields in rest for frame in self.frames(name, fields)]
        if isinstance(note, Resumed) and self.seat >= 0:
            return [*frames, *self.returned(now)]
        return [*frames, *super().tell(note, now)]

    def told(self, note: Told) -> list[Message]:
        event = note.event
        if isinstance(event, Dealt):
            self._meet()
            return self._teller().deal(self._options())
        if isinstance(event, LaidAway | Discarded):
            return self._discards.hear(event, note.auto, self._teller())
        return self._teller().messages(event, note.auto)

    def stamp(self, fields: Data) -> Data:
        return {"hand_number": self._view().deal, **fields}

    def player_id(self, seat: int) -> object:
        if not self._ids:
            self._meet()
        return self._ids[seat]

    def returned(self, now: float) -> list[str]:
        self._meet()
        if self._view().deal == 0:
            return []
        return [Call(f"{self.prefix}state").response(self.sync(now))]

    def prompt(self, now: float) -> list[Message]:
        return []  # the state that was sent before has it

    def sync(self, now: float) -> Data:
        view = self._view()
        if view.deal == 0:
            raise Fault("wrong_phase", "the first hand has not been dealt")
        answered = self._has_called()
        state: Plain = {
            **self._teller().state(),
            "your_turn": is_asked(view) and not answered,
            "valid": [] if answered else valid_answers(view),
            "deadline": self._left(now),
            "hand_number": view.deal,
            "options": self._options(),
            "seq": self.seq(),
        }
        return state

    def _has_called(self) -> bool:
        """Say whether this seat has called contra and nobody has been told yet, not even its own view."""
        assert self.table is not None
        view = self._view()
        # A question that was never asked is not open either: after a restart, say.
        was_asked = view.to_act >> self.seat & 1 == 1
        return view.phase == CONTRA and was_asked and self.table.asked(self.seat) is None

    def _left(self, now: float) -> int | None:
        """Return the milliseconds of whoever is known to be asked."""
        assert self.table is not None
        view = self._view()
        # Who is asked in a secret phase knows it, and may know his clock; the others may not.
        seat = view.turn if view.phase not in SECRET else view.seat
        asked = self.table.asked(seat)
        if asked is None or asked.deadline is None:
            return None
        return max(0, round((asked.deadline - now) * 1000))

    def _options(self) -> Data:
        assert self.table is not None
        shown = self.desk.shown_rules(self.table.rules_options, self.table.table_options)
        room = self.user.room if self.user is not None else None
        return {**shown, room_rules.LOCK: room is not None and room.private}

    def _meet(self) -> None:
        """Learn the players' ids anew."""
        face = self.table
        assert face is not None
        self._ids = [self.desk.users.player_at(face, place)["user_id"] for place in face.places]

    def _teller(self) -> Teller:
        if not self._ids:
            self._meet()
        return Teller(self._view(), self._ids)

    def _view(self) -> TarokyView:
        view = self.view()
        assert isinstance(view, TarokyView)
        return view


class TarokyDesk(RoomDesk):
    """The lobby of Taroky."""

    def conversation(self, token: str = "", line: bool = False) -> TarokyConversation:
        return TarokyConversation(self, token)

    def create(self, user: User, name: str, options: Data, raw: Data) -> Room:
        rest = dict(raw)
        if room_rules.LOCK in rest:
            # One thing has two names: in this game's options and in every room's.
            options = {**options, "private": rest.pop(room_rules.LOCK)}
        room = super().create(user, name, options, rest)
        if "difficulty" not in rest:
            room.bots = room.bots or self.own_bots
        return room

    def read_rules(self, raw: Mapping[str, object]) -> Rules:
        return room_rules.read(raw, self.defaults)

    def shown_rules(self, options: Mapping[str, Value], table_options: Mapping[str, Value]) -> Data:
        return room_rules.show(options, table_options)

    def seats(self, room: Room) -> list[User | None]:
        seats = super().seats(room)
        if isinstance(room.rules, LoadedRules):
            owner = seats.pop(0)
            seats.insert(room.rules.host, owner)
        return seats

    def bot(self, room: Room) -> str:
        difficulty = room.rules.table_options["difficulty"]
        assert isinstance(difficulty, int)
        return room.bots or BOT_OF[difficulty]

    def wish(self, room: Room) -> Wish:
        wish = super().wish(room)
        if isinstance(room.rules, LoadedRules):
            return replace(wish, draws=room.rules.draws, opening=room.rules.opening)
        return wish


DESK = TarokyDesk


def _card(name: str) -> int:
    if name not in CODES:
        raise Fault("invalid_card", f"{name[:20]!r}: no such card, expected one like S1, HK or T05")
    return CARD + CODES[name]


def _partner(name: str) -> int:
    if name not in PARTNERS:
        raise Fault("invalid_partner", f"{name[:20]!r}: expected one of {', '.join(PARTNERS)}")
    return PARTNERS[name]


def _talon(view: TarokyView, word: str) -> int:
    words = talon_words(view)
    if word not in words:
        raise Fault("invalid_action", f"{word[:20]!r}: expected {words[1]} or {words[0]}")
    return words.index(word)
