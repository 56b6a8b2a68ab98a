"""The opentarock protocol of Slovenian Tarock (`game.tarock.*`), without I/O: spec parts B and C.

The family it belongs to, with login, rooms and limits, is croupier/wire/rooms.py. Here is what is Tarock's
own: its commands as actions, its rules, its clocks; telling.py makes the messages, reading.py reads what
clients spell in their own ways.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar, Final

from croupier.core.options import Value
from croupier.games.tarock import reading, telling
from croupier.games.tarock.events import Dealt
from croupier.games.tarock.view import TarockView
from croupier.games.tarock.vocabulary import (
    ANNOUNCE,
    ANNOUNCING,
    BID,
    BIDDING,
    CALL,
    CALLING,
    DISCARD,
    DONE,
    EXCHANGING,
    KONTRA,
    PLAYING,
    TAKE,
    shown,
)
from croupier.wire.lobby import RoomDesk
from croupier.wire.messages import Data, Fault, Field, Fields, number, text, texts
from croupier.wire.room import Rules
from croupier.wire.rooms import RoomConversation
from croupier.wire.talk import Told

TABLE_RULES: Final = ("turn_timeout_ms", "deal_pause_ms")
"""The table options that part F of the specification has; the others are ours."""

PHASES: Final = {
    "bid": (BIDDING, "bid"),
    "callking": (CALLING, "call a king"),
    "exchange": (EXCHANGING, "exchange cards"),
    "announce": (ANNOUNCING, "announce"),
    "play": (PLAYING, "play"),
}

PROMPTS: Final = ("bid.next", "callking.start", "exchange.start", "announce.next", "play.next")


class TarockConversation(RoomConversation):
    """One client of Tarock."""

    COMMANDS: ClassVar[Mapping[str, Fields]] = {
        "bid": {"contract": Field(text)},
        "callking": {"suit": Field(text)},
        "exchange": {"picked": Field(number), "cards": Field(texts)},
        "announce": {"bonuses": Field(texts, required=False), "kontras": Field(texts, required=False)},
        "play": {"card": Field(text)},
    }
    SEED_EVENTS: ClassVar[Mapping[str, frozenset[str] | None]] = {
        "game.tarock.deal": frozenset({"hand", "id"}),
        "game.tarock.bid.next": frozenset({"player_id", "contract", "next_player", "valid_bids"}),
        "game.tarock.bid.winner": frozenset({"player_id", "contract"}),
        "game.tarock.callking.start": frozenset({"player_id"}),
        "game.tarock.callking.finished": frozenset({"player_id", "suit"}),
        "game.tarock.exchange.start": frozenset({"player_id", "invalid_cards", "talon"}),
        "game.tarock.exchange.finished": frozenset({"picked", "discarded"}),
        "game.tarock.announce.next": frozenset({"player_id", "bonuses", "next_player", "valid_bonuses"}),
        "game.tarock.accounce.finished": frozenset(),
        "game.tarock.play.next": frozenset({"player_id", "card", "trick_finished", "next_player"}),
    }
    CODES: ClassVar[Mapping[str, str]] = {
        "not_yours": "invalid_card",
        "must_follow": "invalid_card",
        "must_play_tarock": "invalid_card",
        "emperor": "invalid_card",
        "must_overtake": "invalid_card",
        "pagat_last": "invalid_card",
        "keep_ultimo": "invalid_card",
    }

    # Commands.

    def actions(self, name: str, fields: Data) -> tuple[int, ...]:
        view = self._view()
        phase, words = PHASES[name]
        if view.phase != phase:
            raise Fault("wrong_phase", f"now is the time for: {telling.PHASE_NAMES[view.phase]}")
        if view.turn != view.seat:
            raise Fault("not_your_turn", f"player {view.turn} is to {words}")
        match name:
            case "bid":
                return (BID + 1 + _named(fields["contract"], reading.contract, "contract"),)
            case "callking":
                return (CALL + _named(fields["suit"], reading.suit, "suit"),)
            case "exchange":
                return _exchange(view, fields)
            case "announce":
                return _announce(fields)
        return (_named(fields["card"], reading.card, "card"),)

    # Messages.

    def told(self, note: Told) -> list[tuple[str, Data]]:
        view = self._view()
        if isinstance(note.event, Dealt):
            return [("deal", self._deal(view))]
        said = telling.message(note.event, view, note.auto)
        return [] if said is None else [self._timed(said, self._limit())]

    def prompt(self, now: float) -> list[tuple[str, Data]]:
        assert self.table is not None
        said = telling.prompt(self._view())
        asked = self.table.asked(self.seat)
        if said is None or asked is None:
            return []
        left = None if asked.deadline is None else max(0, round((asked.deadline - now) * 1000))
        return [self._timed(said, left)]

    def sync(self, now: float) -> Data:
        view = self._view()
        if view.deal == 0:
            raise Fault("wrong_phase", "the first deal has not been dealt")
        return {**telling.sync(view), "options": self._rules(), "players": self.players()}

    def _deal(self, view: TarockView) -> Data:
        out: Data = {
            "hand": shown(view.hand),
            "id": view.seat,
            "deal": view.deal,
            "dealer": view.dealer,
            "forehand": view.forehand(),
            "players": self.players(),
            "totals": view.totals[:],
            "radelci": view.radelci[:],
        }
        if view.deal == 1:
            out["options"] = self._rules()
        return out

    def _timed(self, said: tuple[str, Data], limit: int | None) -> tuple[str, Data]:
        """Add to a prompt how long the next player has."""
        name, fields = said
        if limit is not None and name in PROMPTS and fields.get("next_player", 0) is not None:
            fields["time_ms"] = limit
        return said

    def _limit(self) -> int | None:
        assert self.table is not None
        limit = self.table.table_options["turn_timeout_ms"]
        return limit if isinstance(limit, int) and limit else None

    def _rules(self) -> Data:
        assert self.table is not None
        return self.desk.shown_rules(self.table.rules_options, self.table.table_options)

    def _view(self) -> TarockView:
        view = self.view()
        assert isinstance(view, TarockView)
        return view


class TarockDesk(RoomDesk):
    """The lobby of Tarock."""

    def conversation(self, token: str = "", line: bool = False) -> TarockConversation:
        return TarockConversation(self, token)

    def read_rules(self, raw: Mapping[str, object]) -> Rules:
        rest = {name: value for name, value in raw.items() if name not in ("seed", "deck")}
        read = super().read_rules(rest)
        return Rules(read.options, read.table_options, reading.seed(raw), reading.decks(raw))

    def shown_rules(self, options: Mapping[str, Value], table_options: Mapping[str, Value]) -> Data:
        return {**options, **{name: table_options[name] for name in TABLE_RULES}}


DESK = TarockDesk


def _named(raw: object, read: Callable[[str], int | None], what: str) -> int:
    """Return the number of a thing's name, or raise the rule error invalid_*what*."""
    assert isinstance(raw, str)
    found = read(raw)
    if found is None:
        raise Fault(f"invalid_{what}", f"{raw[:40]!r} is no {what}")
    return found


def _named_all(raw: object, read: Callable[[str], int | None], what: str) -> list[int]:
    assert isinstance(raw, list)
    return [_named(one, read, what) for one in raw]


def _exchange(view: TarockView, fields: Data) -> tuple[int, ...]:
    picked = fields["picked"]
    assert isinstance(picked, int)
    sets = 6 // view.many
    if not 0 <= picked < sets:
        raise Fault("invalid_pick", f"there are {sets} sets, 0 to {sets - 1}")
    cards = _named_all(fields["cards"], reading.card, "card")
    # Somebody may have begun at the page, where a set is taken first.
    begun = view.picked == picked
    wanted = view.many - len(view.laid) if begun else view.many
    if len(cards) != wanted or len(set(cards)) != wanted:
        raise Fault("invalid_card", f"expected {wanted} different cards to lay away")
    taken = () if begun else (TAKE + picked,)
    return (*taken, *(DISCARD + card for card in cards))


def _announce(fields: Data) -> tuple[int, ...]:
    bonuses = _named_all(fields["bonuses"] or [], reading.bonus, "bonus")
    kontras = _named_all(fields["kontras"] or [], reading.item, "kontra")
    # The rules want several things in ascending order; clients name them in any.
    said = [ANNOUNCE + bonus for bonus in sorted(set(bonuses))]
    doubled = [KONTRA + item for item in sorted(set(kontras))]
    return (*said, *doubled, DONE)
