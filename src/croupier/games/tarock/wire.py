"""The opentarock protocol of Slovenian Tarock (`game.tarock.*`), without I/O: spec parts B and C.

Login, rooms and limits, which Tarock and Taroky share, are in croupier/wire/opentarock/. This module has
Tarock's part: its commands as actions, its rules, its clocks. messages.py makes the messages, parsing.py
reads the variant spellings of clients.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar, Final

from croupier.core.contract import View
from croupier.core.options import Value
from croupier.core.refusal import Refusal
from croupier.games.tarock import messages, parsing
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
    OVER,
    PLAYING,
    TAKE,
    shown,
)
from croupier.wire.opentarock.conversation import RoomConversation
from croupier.wire.opentarock.lobby import RoomLobby
from croupier.wire.opentarock.messages import Data, Field, Fields, number, text, texts
from croupier.wire.opentarock.room import Rules
from croupier.wire.talk import Told

TABLE_RULES: Final = ("turn_timeout_ms", "deal_pause_ms")
"""The table options of part F of the specification; the others are our own."""

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
            raise Refusal("wrong_phase", f"the phase is {messages.PHASE_NAMES[view.phase]}")
        if view.turn != view.seat:
            raise Refusal("not_your_turn", f"player {view.turn} is to {words}")
        match name:
            case "bid":
                return (BID + 1 + _named(fields["contract"], parsing.contract, "contract"),)
            case "callking":
                return (CALL + _named(fields["suit"], parsing.suit, "suit"),)
            case "exchange":
                return _exchange(view, fields)
            case "announce":
                return _announce(fields)
        return (_named(fields["card"], parsing.card, "card"),)

    # Messages.

    def over(self, view: View) -> bool:
        assert isinstance(view, TarockView)
        return view.phase == OVER

    def told(self, note: Told) -> list[tuple[str, Data]]:
        view = self._view()
        if isinstance(note.event, Dealt):
            return [("deal", self._deal(view))]
        said = messages.message(note.event, view, note.auto)
        return [] if said is None else [self._timed(said, self._limit())]

    def prompt(self, now: float) -> list[tuple[str, Data]]:
        assert self.table is not None
        said = messages.prompt(self._view())
        asked = self.table.asked(self.seat)
        if said is None or asked is None:
            return []
        left = None if asked.deadline is None else max(0, round((asked.deadline - now) * 1000))
        return [self._timed(said, left)]

    def sync(self, now: float) -> Data:
        view = self._view()
        if view.deal == 0:
            raise Refusal("wrong_phase", "the first deal has not been dealt")
        return {**messages.sync(view), "options": self._rules(), "players": self.players()}

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
        """Add the time limit of the next player to a prompt."""
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
        return self.lobby.shown_rules(self.table.rules_options, self.table.table_options)

    def _view(self) -> TarockView:
        view = self.view()
        assert isinstance(view, TarockView)
        return view


class TarockLobby(RoomLobby):
    """The lobby of Tarock."""

    def conversation(self, token: str = "", line: bool = False) -> TarockConversation:
        return TarockConversation(self, token)

    def read_rules(self, raw: Mapping[str, object]) -> Rules:
        rest = {name: value for name, value in raw.items() if name not in ("seed", "deck")}
        read = super().read_rules(rest)
        return Rules(read.options, read.table_options, parsing.seed(raw), parsing.decks(raw))

    def shown_rules(self, options: Mapping[str, Value], table_options: Mapping[str, Value]) -> Data:
        return {**options, **{name: table_options[name] for name in TABLE_RULES}}


def _named(raw: object, read: Callable[[str], int | None], what: str) -> int:
    """Return the number for a name, or raise the rule error invalid_*what*."""
    assert isinstance(raw, str)
    found = read(raw)
    if found is None:
        raise Refusal(f"invalid_{what}", f"{raw[:40]!r} is not a {what}")
    return found


def _named_all(raw: object, read: Callable[[str], int | None], what: str) -> list[int]:
    assert isinstance(raw, list)
    return [_named(one, read, what) for one in raw]


def _exchange(view: TarockView, fields: Data) -> tuple[int, ...]:
    picked = fields["picked"]
    assert isinstance(picked, int)
    sets = 6 // view.many
    if not 0 <= picked < sets:
        raise Refusal("invalid_pick", f"there are {sets} sets, 0 to {sets - 1}")
    cards = _named_all(fields["cards"], parsing.card, "card")
    # The player may have begun in the browser, where the set is taken first.
    begun = view.picked == picked
    wanted = view.many - len(view.laid) if begun else view.many
    if len(cards) != wanted or len(set(cards)) != wanted:
        raise Refusal("invalid_card", f"expected {wanted} different cards to discard")
    taken = () if begun else (TAKE + picked,)
    return (*taken, *(DISCARD + card for card in cards))


def _announce(fields: Data) -> tuple[int, ...]:
    bonuses = _named_all(fields["bonuses"] or [], parsing.bonus, "bonus")
    kontras = _named_all(fields["kontras"] or [], parsing.item, "kontra")
    # The rules require ascending order; clients may use any order.
    said = [ANNOUNCE + bonus for bonus in sorted(set(bonuses))]
    doubled = [KONTRA + item for item in sorted(set(kontras))]
    return (*said, *doubled, DONE)
