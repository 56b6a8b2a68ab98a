"""The Trend protocol of Hearts over WebSocket JSON, without I/O (spec sections 3 to 6).

A frame is built from the receiver's view alone, which does not hold other players' cards. There are two
exceptions: the event at the end of a deal holds everyone's cards, and at an open table watchers get
every seat's view from the table.

Each event of the rules becomes one frame, with these exceptions: `new_deal` is sent once the receiver has
been dealt their cards, `receive_opponent_cards` at the end of the exchange (hands are those after the
pass), and requests are sent when the table asks, not for an event.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final, TypeAlias

from croupier.core.contract import WATCHER, Event
from croupier.games.hearts import parsing
from croupier.games.hearts.events import (
    DealEnded,
    DealStarted,
    Dealt,
    ExposingEnded,
    GameEnded,
    GameStarted,
    MatchEnded,
    PassingEnded,
    Played,
    TrickStarted,
    TrickTaken,
)
from croupier.games.hearts.joining import HeartsClaim
from croupier.games.hearts.messages import (
    EXPOSED,
    NONE,
    Cards,
    Frame,
    Private,
    Public,
    Rendered,
    card_list,
    shown_cards,
    string,
)
from croupier.games.hearts.view import HeartsView
from croupier.games.hearts.vocabulary import (
    CARDS,
    EXPOSE,
    EXPOSING,
    PASS,
    PASSING,
    PLAYING,
    SEATS,
    STEPS,
    names,
)
from croupier.wire.frames import encode, read_any_object
from croupier.wire.talk import (
    BOT,
    EXPELLED,
    Accepted,
    Act,
    AskedNow,
    Closed,
    Committed,
    Disconnect,
    Join,
    Note,
    Output,
    PhaseChanged,
    Place,
    PlacesChanged,
    Refused,
    Resumed,
    Revealed,
    Said,
    Seated,
    Send,
    Shown,
    Stopped,
    TableConversation,
    TableInfo,
    TimedOut,
    Told,
    TurnChanged,
    Uses,
    Warned,
    Wrong,
    token_digest,
)

JOIN_SECONDS: Final = 30.0
"""Seconds that a connection may stay open without an accepted join (6.2)."""

CROWD: Final = 16
"""At most this many frames wait for the answer to a join; further ones are ignored."""

BACKLOG: Final = 4 * 1024 * 1024
"""Bytes that may wait for a client that does not read (6.5)."""

Data: TypeAlias = dict[str, object]


class HeartsConversation(TableConversation):
    """The conversation with one client, before and after it has joined."""

    ignores: ClassVar[frozenset[type]] = frozenset(
        {Accepted, Committed, PhaseChanged, Revealed, Said, TimedOut, TurnChanged, Warned}
    )

    def __init__(self, info: TableInfo) -> None:
        super().__init__(info)
        self.join_seconds = JOIN_SECONDS
        self.outbox_limit = BACKLOG
        self._brief = info.table_options["wire_profile"] == "doc"
        self._hand = 0
        self._shown = b"[]"
        """The cards of `_hand` as JSON."""
        self._stop_told = (0, 0)
        """The match and game for which `game_stop` was sent last."""

    # What the client sends (5.2, 6.1).

    def receive(self, data: str | bytes, now: float) -> list[Output]:
        if len(self.waiting) < CROWD:
            self.waiting.append(data)
        return self.resume(now)

    def answer(self, data: str | bytes | None, now: float) -> list[Output]:
        frame = None if data is None else read_any_object(data)
        if frame is None:
            return []
        name = frame.get("eventName")
        if self.seat == WATCHER:
            return self._join(frame.get("data")) if name == "join" else []
        asked = self.info.asked(self.seat)
        view = self._view(self.seat)
        if asked is None or name != parsing.REPLIES.get(view.phase):
            return []
        if asked.deadline is not None and now >= asked.deadline:
            return []  # the time is up (5.1), even if the table has not acted on it yet
        members = frame.get("data")
        reply = members if isinstance(members, dict) else {}
        if parsing.is_late(view, reply):
            return []
        actions = parsing.actions(view, reply)
        return [Wrong(asked.turn) if actions is None else Act(asked.turn, actions)]

    def _join(self, data: object) -> list[Output]:
        self.owed = True
        claim = HeartsClaim.read(data, self.address)
        return [Uses(token_digest(claim.token)), Join(claim)] if claim.token else [Join(claim)]

    def expelled(self, key: str, words: str) -> list[Output]:
        return [Send(_envelope("join_error", {"code": key, "message": words})), Disconnect(EXPELLED, words)]

    def announced(self, seconds: float | None, text: str, now: float) -> Sequence[bytes]:
        left = None if seconds is None else round(seconds)
        return [_envelope("server_notice", {"seconds": left, "text": text})]

    # What the table sends.

    def note(self, note: Note, now: float) -> Sequence[bytes]:
        if not self._listens():
            if not (isinstance(note, Refused) and isinstance(note.request, Join)):
                return []
            self.owed = False
            return [_refusal(note)]
        match note:
            case Told():
                return self._told(note.event, note.auto)
            case AskedNow():
                return [self._request()]
            case PlacesChanged():
                return self._peers()
            case Seated():
                self.owed = False
                return self._snapshot() if note.back else []
            case Resumed():
                return self._snapshot()
            case Stopped() | Closed():
                return self._stopped(note.reason)
        return []

    def _listens(self) -> bool:
        """Return True if this client gets broadcasts: only after its join."""
        return self.seat != WATCHER

    def _told(self, event: Event, auto: bool) -> list[bytes]:
        view = self._view(self.seat)
        match event:
            case Played() | TrickTaken() | TrickStarted() | ExposingEnded() | DealEnded():
                return [self._broadcast(view, event, auto)]
            case DealStarted():
                return self._deal_started(view)
            case Dealt():
                return [self._send_to(self._frame(b"new_deal", view, own=True), view)]
            case PassingEnded():
                return [*self._received(view), self._broadcast(view, event, auto)]
            case GameStarted():
                return [_envelope("new_game", {"gameNumber": event.game, "players": self._short(view)})]
            case GameEnded():
                return [self._game_end(view, event)]
            case MatchEnded():
                return [self._match_end(view, event)]
        return []

    def _deal_started(self, view: HeartsView) -> list[bytes]:
        """Return nothing: a player's `new_deal` is sent with their cards."""
        return []

    def _received(self, view: HeartsView) -> list[bytes]:
        sender = b',"receivedCards":%b,"sender":%b' % (
            card_list(names(view.received)),
            string(self._name(view.giver(self.seat))),
        )
        frame = self._frame(b"receive_opponent_cards", view, after=sender, own=True)
        return [self._send_to(frame, view)]

    def _request(self) -> bytes:
        view = self._view(self.seat)
        if view.phase == PASSING:
            receiver = string(self._name((self.seat + STEPS[view.direction]) % SEATS))
            frame = self._frame(b"pass_cards", view, after=b',"receiver":' + receiver, own=True)
        elif view.phase == EXPOSING:
            frame = self._frame(b"expose_cards", view, own=True)
        else:
            frame = self._frame(b"your_turn", view, after=self._round_players(view), own=True)
        return self._send_to(frame, view)

    def _snapshot(self) -> list[bytes]:
        view = self._view(self.seat)
        if view.deal == 0:
            return []  # the match has not begun
        order = self._round_players(view) if view.phase == PLAYING else b',"roundPlayers":[]'
        return [self._send_to(self._frame(b"join", view, after=order, own=True), view)]

    def _peers(self) -> list[bytes]:
        players = self._short(self._view(self.seat))
        return [_envelope("new_peer", {"players": players})] if players else []

    def _stopped(self, reason: str) -> list[bytes]:
        view = self._view(self.seat)
        ended = 0 < view.game <= len(view.games)
        this = self.info.match, view.game
        if ended or self._stop_told == this:
            return []
        self._stop_told = this
        return [_envelope("game_stop", {"reason": reason})]

    # Building frames.

    def _rendered(self) -> Rendered:
        rendered = self.info.rendered.get("hearts")
        if not isinstance(rendered, Rendered):
            rendered = self.info.rendered["hearts"] = Rendered(SEATS)
        return rendered

    def _view(self, seat: int) -> HeartsView:
        view = self.info.view(seat)
        assert isinstance(view, HeartsView)
        return view

    def _name(self, seat: int) -> str:
        return self.info.places[seat].name

    def _round_players(self, view: HeartsView) -> bytes:
        order = b",".join([string(self._name((view.leader + i) % SEATS)) for i in range(SEATS)])
        return b',"roundPlayers":[%b]' % order

    def _short(self, view: HeartsView) -> list[Data]:
        return [
            {"playerNumber": place.number, "playerName": place.name, "status": _status(place)}
            for place in self._seated(view)
        ]

    def _seated(self, view: HeartsView) -> list[Place]:
        """Return the taken places from North to West."""
        places = self.info.places
        north = -view.position(0) % SEATS
        turned = [places[(north + i) % SEATS] for i in range(SEATS)]
        return [place for place in turned if place.name]

    def _broadcast(self, view: HeartsView, event: Event, auto: bool) -> bytes:
        """Return the frame of *event*; the part shared by all receivers is built once."""
        rendered = self._rendered()
        told = event, self.info.number(WATCHER)  # a person's action is told to them first, then to the others
        frame = rendered.frame
        if frame is None or rendered.told != told:
            rendered.told = told
            frame = rendered.frame = self._event_frame(view, event, auto)
        if isinstance(event, DealEnded):
            return frame.opened(_last_privates(event), self.seat)
        return self._send_to(frame, view)

    def _event_frame(self, view: HeartsView, event: Event, auto: bool) -> Frame:
        match event:
            case Played():
                extra = b',"turnPlayer":%b,"turnCard":"%b","serverRandom":%b' % (
                    string(self._name(event.seat)),
                    CARDS[event.card].encode(),
                    b"true" if auto else b"false",
                )
                return self._frame(b"turn_end", view, extra + self._round_players(view))
            case TrickTaken():
                taker = b',"roundPlayer":' + string(self._name(event.taker))
                return self._frame(b"round_end", view, self._round_players(view) + taker)
            case TrickStarted():
                return self._frame(b"new_round", view, self._round_players(view), own=True)
            case PassingEnded():
                return self._frame(b"pass_cards_end", view)
            case ExposingEnded():
                return self._frame(b"expose_cards_end", view)
        return self._frame(b"deal_end", view)

    def _frame(
        self, name: bytes, view: HeartsView, extra: bytes = b"", after: bytes = b"", own: bool = False
    ) -> Frame:
        rendered = self._rendered()
        entries = [
            (place.seat, rendered.entry(place.seat, self._public(place, view)))
            for place in self._seated(view)
        ]
        return Frame(name, view.deal, view.round, view.game, entries, extra, after, own)

    def _send_to(self, frame: Frame, view: HeartsView) -> bytes:
        """Return *frame* with the client's own cards."""
        if view.hand != self._hand:
            self._hand, self._shown = view.hand, shown_cards(view.hand)
        return frame.opened({self.seat: _private(view, self._shown)}, self.seat)

    def _public(self, place: Place, view: HeartsView) -> Public:
        seat = place.seat
        giver = view.giver(seat) if view.exchanged else -1
        card = view.table[seat]
        return Public(
            place.number,
            place.name,
            view.totals[seat],
            place.errors,
            place.timeouts,
            view.scores[seat],
            view.taken[seat],
            view.counts[seat],
            self._name(giver) if giver >= 0 else "",
            view.exposed == seat,
            place.auto and card >= 0,
            card,
            _status(place),
            place.person,
            self._brief,
        )

    def _game_end(self, view: HeartsView, event: GameEnded) -> bytes:
        players = [
            {
                "playerNumber": place.number,
                "playerName": place.name,
                "gameScore": event.totals[place.seat],
                "timeoutCount": place.timeouts,
                "errorCount": place.errors,
                "rank": event.ranks[place.seat],
                "deals": [
                    {
                        "dealNumber": number,
                        "score": deal.scores[place.seat],
                        "exposedCards": EXPOSED if deal.exposed == place.seat else NONE,
                        "shootingTheMoon": deal.moon == place.seat,
                    }
                    for number, deal in enumerate(view.deals, 1)
                ],
            }
            for place in self._seated(view)
        ]
        return _envelope("game_end", {"gameNumber": event.game, "players": players})

    def _match_end(self, view: HeartsView, event: MatchEnded) -> bytes:
        players = [
            {
                "playerNumber": place.number,
                "playerName": place.name,
                "matchScore": event.totals[place.seat],
                "rank": event.ranks[place.seat],
                "games": [game[place.seat] for game in view.games],
            }
            for place in self._seated(view)
        ]
        return _envelope("match_end", {"players": players})


class HeartsWatch(HeartsConversation):
    """A spectator (6.4): gets every broadcast, without private cards unless the table is open to watchers."""

    def __init__(self, info: TableInfo) -> None:
        super().__init__(info)
        self.join_seconds = None

    def greet(self, now: float) -> list[Output]:
        return [Send(frame) for frame in self._peers()]

    def receive(self, data: str | bytes, now: float) -> list[Output]:
        return []

    def note(self, note: Note, now: float) -> Sequence[bytes]:
        # Send it once the last seat has been dealt its cards.
        if isinstance(note, Shown) and isinstance(note.event, Dealt) and note.event.seat == SEATS - 1:
            return [self._send_to(self._frame(b"new_deal", self._view(WATCHER)), self._view(WATCHER))]
        return super().note(note, now)

    def look(self) -> object:
        return type(self), self._stop_told

    def _listens(self) -> bool:
        return True

    def _deal_started(self, view: HeartsView) -> list[bytes]:
        return [] if self.info.watch_open else [self._frame(b"new_deal", view).closed()]

    def _received(self, view: HeartsView) -> list[bytes]:
        return []

    def _send_to(self, frame: Frame, view: HeartsView) -> bytes:
        """Return *frame*, with everyone's cards if the table is open to watchers."""
        if not self.info.watch_open:
            return frame.closed()
        views = [self._view(seat) for seat in range(SEATS)]
        privates = {view.seat: _private(view, shown_cards(view.hand)) for view in views}
        return frame.opened(privates, WATCHER)


def _candidates(view: HeartsView) -> Cards:
    """Return what the seat may choose from now (view.legal ascends, cards are shown descending)."""
    if not view.legal:
        return NONE
    if view.legal[0] >= EXPOSE:
        return EXPOSED
    return [CARDS[action % PASS] for action in reversed(view.legal)]


def _private(view: HeartsView, hand: bytes) -> Private:
    """Return the private keys of the owner of *view*; *hand* is their hand as JSON."""
    return Private(hand, names(view.picked), names(view.received), _candidates(view))


def _last_privates(ended: DealEnded) -> dict[int, Private]:
    """Return everyone's cards at the end of a deal."""
    return {
        seat: Private(
            b"[]",
            names(ended.picked[seat]),
            names(ended.received[seat]),
            NONE,
            names(reversed(ended.hands[seat])),
        )
        for seat in range(SEATS)
    }


def _status(place: Place) -> int:
    if not place.connected and place.kind != BOT:
        return 1
    return 2 if place.late else 0


def _refusal(note: Refused) -> bytes:
    if note.key == "player_name_dup":
        return _envelope("player_name_dup", {"message": note.words})
    return _envelope("join_error", {"code": note.key, "message": note.words})


def _envelope(name: str, data: Data) -> bytes:
    return encode({"eventName": name, "data": data})
