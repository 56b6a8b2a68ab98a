"""The protocol of Taroky (`game.taroky.*`), without I/O: spec 4.

Login, rooms and limits, which Tarock and Taroky share, are in croupier/wire/opentarock/. This module has
Taroky's part: state, notation and load. parsing.py reads the commands, messages.py creates the messages,
asking.py computes the possible answers of a seat, room_rules.py and loading.py read what a room plays.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

import msgspec

from croupier.core.contract import Plain, View
from croupier.core.options import Value
from croupier.core.refusal import Refusal
from croupier.games.taroky import loading, room_rules
from croupier.games.taroky.asking import is_asked, valid_answers
from croupier.games.taroky.events import Dealt, Discarded, LaidAway
from croupier.games.taroky.loading import LoadedRules
from croupier.games.taroky.messages import Discards, Message, Teller
from croupier.games.taroky.parsing import ANSWERS, actions
from croupier.games.taroky.view import TarokyView
from croupier.games.taroky.vocabulary import (
    BOT_OF,
    CONTRA,
    LEVELS,
    OVER,
    SECRET,
)
from croupier.wire.opentarock.conversation import RoomConversation
from croupier.wire.opentarock.lobby import RoomLobby
from croupier.wire.opentarock.messages import Call, Data, Field, Fields, flag, text, texts
from croupier.wire.opentarock.room import WAITING, Room, Rules
from croupier.wire.opentarock.users import User
from croupier.wire.table_spec import TableSpec
from croupier.wire.talk import Note, Resumed, Told

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
"""The events of section 4 of the specification."""


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

    def __init__(self, lobby: TarokyLobby, token: str = "") -> None:
        super().__init__(lobby, token)
        self._ids: list[object] = []
        """The ids of the players in messages to this client; they do not change during a hand."""
        self._discards = Discards()
        self._shown_question = False
        """True if the last state that was sent contains an open question to this seat."""

    # Commands.

    def command(self, call: Call, name: str, fields: Data, now: float) -> None:
        if name == "load":
            self._load(call, str(fields["notation"]))
        elif name == "notation":
            self.info_playing()
            notation = self._view().notation()
            if notation is None:
                raise Refusal("hidden", "the notation shows all hands: wait for the end of this one")
            self.send(call.response({"notation": notation}))
        else:
            super().command(call, name, fields, now)

    def actions(self, name: str, fields: Data) -> tuple[int, ...]:
        return actions(self._view(), name, fields)

    def _load(self, call: Call, notation: str) -> None:
        room = self.own_room()
        if room.house or room.status != WAITING:
            raise Refusal("wrong_phase", "the game has started: a position must be loaded before the start")
        if room.owner is not self.user:
            raise Refusal("not_owner", "only the owner of the room may load a position")
        room.rules, lock = loading.load(notation, room.rules)
        if lock is not None:
            room.private = lock
        self.send(call.response(self.shown(room)))

    # Messages.

    def over(self, view: View) -> bool:
        assert isinstance(view, TarokyView)
        return view.phase == OVER

    def tell(self, note: Note, now: float) -> list[str]:
        frames: list[str] = []
        if self._discards.waiting and not isinstance(note, Told):
            # A note of another kind shows that the discard is complete.
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
        if self._shown_question or self._view().phase != CONTRA:
            return []  # the state that was sent before contains it
        return [("contra.turn", {"level": LEVELS[len(self._view().contras)]})]

    def sync(self, now: float) -> Data:
        view = self._view()
        if view.deal == 0:
            raise Refusal("wrong_phase", "the first hand has not been dealt")
        answered = self._has_called()
        self._shown_question = is_asked(view) and not answered
        state: Plain = {
            **self._teller().state(),
            "your_turn": self._shown_question,
            "valid": [] if answered else valid_answers(view),
            "deadline": self._left(now),
            "hand_number": view.deal,
            "options": self._options(),
            "seq": self.seq(),
        }
        return state

    def _has_called(self) -> bool:
        """Return True if this seat has called contra but its own view has not been told yet."""
        assert self.table is not None
        if self._view().phase != CONTRA or self.table.asked(self.seat) is not None:
            return False
        return not self.table.waits_for_players  # after a restart the question is not open yet

    def _left(self, now: float) -> int | None:
        """Return the milliseconds left to the seat that is known to be asked."""
        assert self.table is not None
        view = self._view()
        # In a secret phase only the seat that is asked may know it, and its own clock.
        seat = view.turn if view.phase not in SECRET else view.seat
        asked = self.table.asked(seat)
        if asked is None or asked.deadline is None:
            return None
        return max(0, round((asked.deadline - now) * 1000))

    def _options(self) -> Data:
        assert self.table is not None
        shown = self.lobby.shown_rules(self.table.rules_options, self.table.table_options)
        room = self.user.room if self.user is not None else None
        return {**shown, room_rules.LOCK: room is not None and room.private}

    def _meet(self) -> None:
        """Update the ids of the players."""
        info = self.table
        assert info is not None
        self._ids = [self.lobby.users.player_at(info, place)["user_id"] for place in info.places]

    def _teller(self) -> Teller:
        if not self._ids:
            self._meet()
        return Teller(self._view(), self._ids)

    def _view(self) -> TarokyView:
        view = self.view()
        assert isinstance(view, TarokyView)
        return view


class TarokyLobby(RoomLobby):
    """The lobby of Taroky."""

    def conversation(self, token: str = "", line: bool = False) -> TarokyConversation:
        return TarokyConversation(self, token)

    def create(self, user: User, name: str, options: Data, raw: Data) -> Room:
        rest = dict(raw)
        if room_rules.LOCK in rest:
            # The same option has two names: one in this game and one in rooms.
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

    def spec(self, room: Room) -> TableSpec:
        spec = super().spec(room)
        if isinstance(room.rules, LoadedRules):
            return msgspec.structs.replace(spec, draws=room.rules.draws, opening=room.rules.opening)
        return spec
