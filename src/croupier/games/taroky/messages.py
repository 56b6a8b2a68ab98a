"""The messages of Taroky (spec 4), built only from what one seat has been told.

Players are named by the ids of the lobby; lists of four are in the order of players 1 to 4. In the secret
phases a message is sent only to the player concerned: a no is not sent, and nobody learns who is asked.
"""

from __future__ import annotations

from collections.abc import Sequence

from croupier.core.cards import count
from croupier.core.contract import Event
from croupier.games.taroky.asking import holds_pagat, is_choosing_money, valid_cards, valid_partners
from croupier.games.taroky.events import (
    ContraAsked,
    ContraCalled,
    ContraEnded,
    DealEnded,
    Discarded,
    DiscardEnded,
    DiscardStarted,
    HalfEnded,
    HalfOffered,
    HalfShown,
    IoteCalled,
    IoteEnded,
    LaidAway,
    MatchEnded,
    MoneyCalled,
    MoneyEnded,
    PartnerNamed,
    Played,
    PreverAnswered,
    PreverEnded,
    TalonAnswered,
    TalonDrawn,
    TalonEnded,
    TrickTaken,
    ValatAnswered,
    ValatEnded,
)
from croupier.games.taroky.view import TarokyView
from croupier.games.taroky.vocabulary import (
    CARDS,
    DEALING,
    HALVES,
    LEVELS,
    NOBODY,
    PHASES,
    SEATS,
    TRICKS,
    TRUMPS,
    money_names,
    names,
    shown,
)
from croupier.wire.opentarock.messages import Data

Message = tuple[str, Data]
"""The last part of an event's name, and its fields."""


class Teller:
    """Turns the events told to one seat into messages."""

    def __init__(self, view: TarokyView, ids: Sequence[object]) -> None:
        """*ids* are the ids of the players, by seat."""
        self._view = view
        self._ids = ids

    def id(self, seat: int) -> object:
        """Return the id of the player of *seat*, None for nobody."""
        return self._ids[seat] if seat >= 0 else None

    def order(self) -> list[int]:
        """Return the seats of players 1 to 4."""
        return [self._view.seat_of(player) for player in range(1, SEATS + 1)]

    def by_player(self, values: Sequence[object]) -> list[object]:
        """Return *values*, one for each seat, in the order of the players."""
        return [values[seat] for seat in self.order()]

    def messages(self, event: Event, auto: bool) -> list[Message]:
        """Return the messages of *event*, which the view has heard; *auto* if the server acted for a seat."""
        said = self._calls(event)
        if said is None:
            said = self._talon(event)
        if said is None:
            said = self._play(event)
        if auto and said and isinstance(event, _PUBLIC_ANSWERS):
            said[0][1]["auto"] = True
        return said or []

    # Calls.

    def _calls(self, event: Event) -> list[Message] | None:
        view = self._view
        match event:
            case PreverAnswered(seat=seat, prever=prever):
                fields: Data = {"player_id": self.id(seat), "prever": prever}
                return [("prever.next", {**fields, "next_player": self.id(event.next)})]
            case PreverEnded(seat=seat):
                return [("prever.finished", {"player_id": self.id(seat)})]
            case MoneyCalled(seat=seat, value=value, chips=chips):
                fields = {"player_id": self.id(seat), "codes": money_names(event.codes), "value": value}
                return [("moneycards.called", {**fields, "chips": self.by_player(chips)})]
            case MoneyEnded(chips=chips):
                finished: Message = ("moneycards.finished", {"chips": self.by_player(chips)})
                return [finished, self._partner() if view.prever == NOBODY else self._valat()]
            case PartnerNamed(seat=seat, trump=trump):
                named: Data = {"player_id": self.id(seat), "card": f"T{trump}"}
                return [("partner.finished", named), self._valat()]
            case ValatAnswered(seat=seat, call=call):
                fields = {"player_id": self.id(seat), "call": call}
                return [("valat.next", {**fields, "next_player": self.id(event.next)})]
            case ValatEnded(seat=seat):
                return [("valat.finished", {"player_id": self.id(seat)}), ("contra.start", {})]
            case ContraAsked(level=level):
                return [("contra.turn", {"level": LEVELS[level]})]
            case ContraCalled(seat=seat, level=level):
                fields = {"player_id": self.id(seat), "level": LEVELS[level], "multiplier": 2 << level}
                return [("contra.called", fields)]
            case ContraEnded(contras=contras):
                turn: list[Message] = [("iote.turn", {})] if holds_pagat(view) else []
                return [("contra.finished", {"multiplier": 1 << contras}), ("iote.start", {}), *turn]
            case IoteCalled(seat=seat):
                return [("iote.called", {"player_id": self.id(seat)})]
        return None

    def _partner(self) -> Message:
        fields: Data = {"next_player": self.id(self._view.povinnost)}
        if self._view.seat == self._view.povinnost:
            fields["valid_partners"] = valid_partners(self._view)
        return "partner.start", fields

    def _valat(self) -> Message:
        return "valat.start", {"next_player": self.id(self._view.povinnost)}

    # The deal, the talon.

    def deal(self, options: Data) -> list[Message]:
        """Return the message of a new deal."""
        view = self._view
        fields: Data = {
            "id": self.id(view.seat),
            "position": view.player(view.seat),
            "players": self.by_player(self._ids),
            "hand": names(view.initial),
            "chips": self.by_player(view.chips),
            "options": options,
        }
        return [("deal", fields), ("prever.start", {"next_player": self.id(view.povinnost)})]

    def _talon(self, event: Event) -> list[Message] | None:
        view = self._view
        match event:
            case TalonDrawn(seat=seat):
                return self._drawn(seat, event.count)
            case TalonAnswered(seat=seat, action=action):
                fields: Data = {"player_id": self.id(seat), "action": action}
                if action == "pass":
                    fields["offered_by"] = self.id(event.offered_by)
                return [("talon.next", {**fields, "next_player": self.id(event.next)})]
            case TalonEnded(counts=counts):
                return [("talon.finished", {"counts": self.by_player(counts)})]
            case HalfOffered(seat=seat, step=step):
                fields = {"player_id": self.id(seat), "step": step}
                if seat == view.seat:
                    fields["cards"] = names(view.seen)
                return [("half.offer", fields)]
            case HalfShown(seat=seat, cards=cards):
                return [("half.shown", {"player_id": self.id(seat), "cards": names(cards)})]
            case HalfEnded(seat=seat, half=half):
                fields = {"player_id": self.id(seat), "half": HALVES[half], "multiplier": 1 << half - 1}
                return [("half.finished", fields)]
            case DiscardStarted(seat=seat, left=left):
                fields = {"next_player": self.id(seat), "count": left}
                if seat == view.seat:
                    fields["valid_cards"] = valid_cards(view)
                return [("discard.start", fields)]
            case DiscardEnded():
                code = "U" if count(view.hand & TRUMPS) == 0 else "B"
                choice: list[Message] = (
                    [("moneycards.choice", {"code": code})] if is_choosing_money(view) else []
                )
                return [("discard.finished", {}), *choice]
        return None

    def _drawn(self, seat: int, count: int) -> list[Message]:
        view = self._view
        if view.prever != NOBODY:
            return []  # half.finished has told it
        fields: Data = {"player_id": self.id(seat), "count": count}
        if count > 1:
            fields["next_player"] = self.id(view.seat_of(2))
        if seat == view.seat:
            fields["cards"] = names(view.drawn[-count:])
        return [("talon.drawn", fields)]

    def discarded(self, seat: int, cards: int, trumps: list[int], own: list[int]) -> Message:
        """Return the message of *cards* discards that *seat* has made together."""
        view = self._view
        fields: Data = {
            "player_id": self.id(seat),
            "count": cards,
            "shown": names(trumps),
            "next_player": self.id(view.turn),
            "left": view.left,
        }
        if view.turn == view.seat:
            fields["valid_cards"] = valid_cards(view)
        if seat == view.seat:
            fields["cards"] = names(own)
        return "discard.next", fields

    # The play, the end.

    def _play(self, event: Event) -> list[Message] | None:
        view = self._view
        match event:
            case IoteEnded(leader=leader):
                start: Message = ("play.start", {"next_player": self.id(leader)})
                return [("iote.finished", {}), start, *self._turn()]
            case Played(seat=seat, card=card):
                if event.next == NOBODY:
                    return []  # the end of the trick tells it
                fields: Data = {"player_id": self.id(seat), "card": CARDS[card], "trick_finished": False}
                return [("play.next", {**fields, "next_player": self.id(event.next)}), *self._turn()]
            case TrickTaken(number=number, taker=taker):
                trick = view.tricks[-1]
                fields = {
                    "player_id": self.id((trick.leader + SEATS - 1) % SEATS),
                    "card": CARDS[trick.cards[-1]],
                    "trick_finished": True,
                    "next_player": self.id(taker) if number < TRICKS else None,
                    "winner": self.id(taker),
                    "trick_number": number,
                }
                return [("play.next", fields), *self._turn()]
            case DealEnded():
                return [("result", self._result(event))]
            case MatchEnded(chips=chips, ranks=ranks):
                ranking: list[Data] = [
                    {"player_id": self.id(seat), "chips": chips[seat], "rank": ranks[seat]}
                    for seat in sorted(self.order(), key=lambda seat: ranks[seat])
                ]
                return [("match", {"ranking": ranking})]
        return None

    def _turn(self) -> list[Message]:
        view = self._view
        return [("play.turn", {"valid_cards": valid_cards(view)})] if view.turn == view.seat else []

    def _result(self, event: DealEnded) -> Data:
        view = self._view
        result = event.result
        return {
            "declarers": [self.id(seat) for seat in self.order() if result.declarers >> seat & 1],
            "prever": self.id(view.prever),
            "half": HALVES[view.half] or None,
            "valat": self.id(view.valat),
            "contra": [self.id(seat) for seat in view.contras],
            "iote": self.id(view.iote),
            "points": result.points[:],
            "tricks": result.tricks[:],
            "steps": [{"name": name, "value": value} for name, value in result.steps],
            "x": result.x,
            "payments": self.by_player(result.payments),
            "moneycards": self.by_player(result.money),
            "chips": self.by_player(result.chips),
            "notation": view.notation(),
        }

    # Complete states.

    def state(self) -> Data:
        """Return everything the seat may know (spec 4.13), except clocks."""
        view = self._view
        last = view.tricks[-1] if view.tricks else None
        won = [sum(trick.taker == seat for trick in view.tricks) for seat in range(SEATS)]
        return {
            "phase": PHASES[-1] if view.phase == DEALING else PHASES[view.phase],
            "position": view.player(view.seat),
            "players": self.by_player(self._ids),
            "chips": self.by_player(view.chips),
            "hand": shown(view.hand),
            "my_discards": names(view.laid),
            "shown_discards": [names(view.thrown[seat]) for seat in self.order()],
            "shown_talon": names(view.shown),
            "seen": names(view.seen),
            "left": view.left,
            "prever": self.id(view.prever),
            "half": HALVES[view.half] or None,
            "moneycards": [money_names(codes) for codes in view.money],
            "partner": f"T{view.named}" if view.named else None,
            "valat": self.id(view.valat),
            "contra": [self.id(seat) for seat in view.contras],
            "multiplier": 1 << len(view.contras),
            "iote": self.id(view.iote),
            "trick": {"leader": self.id(view.leader), "cards": names(view.trick)},
            "last_trick": None
            if last is None
            else {"leader": self.id(last.leader), "cards": names(last.cards), "winner": self.id(last.taker)},
            "tricks_won": self.by_player(won),
            "turn": self.id(view.turn),
        }


_PUBLIC_ANSWERS = (
    HalfEnded,
    HalfShown,
    PartnerNamed,
    Played,
    PreverAnswered,
    TalonAnswered,
    TrickTaken,
    ValatAnswered,
)
"""The messages marked as automatic; none of the secret phases, as that would reveal who was asked."""


class Discards:
    """Collects the discards of one command, which the rules tell card by card."""

    def __init__(self) -> None:
        self._seat = NOBODY
        self._count = 0
        self._trumps: list[int] = []
        self._own: list[int] = []
        self._auto = False

    def hear(self, event: Event, auto: bool, teller: Teller) -> list[Message]:
        """Add a card; return the message if it is the seat's last."""
        if isinstance(event, LaidAway):
            self._own.append(event.card)
        elif isinstance(event, Discarded):
            self._seat = event.seat
            self._count += 1
            self._auto = auto
            if event.shown != NOBODY:
                self._trumps.append(event.shown)
            if event.next != event.seat:
                return self.flush(teller)
        return []

    @property
    def waiting(self) -> bool:
        """Return True if a card was added that no message has told yet."""
        return self._count > 0

    def flush(self, teller: Teller) -> list[Message]:
        """Return the message of the cards added so far."""
        said = teller.discarded(self._seat, self._count, self._trumps, self._own)
        if self._auto:
            said[1]["auto"] = True
        self._count = 0
        self._trumps, self._own = [], []
        return [said]
