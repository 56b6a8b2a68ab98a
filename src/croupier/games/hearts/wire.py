"""The Trend protocol of Hearts over WebSocket JSON, without I/O (spec sections 3 to 6).

A frame is composed for one receiver from what that receiver's view holds, so that nothing hidden is
ever in reach: other players' cards are not left out here, they are not there. Three things open them:
the end of a deal, which is an event with everybody's cards, and the watchers of an open table, to
whom the face shows every seat's view.

The frames follow the events of the rules one for one, with these exceptions: `new_deal` waits for
the receiver's own cards, `receive_opponent_cards` for the end of the exchange (all hands are those
after the pass), and the requests are the table's asking, not an event.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from msgspec import UNSET, Raw, Struct, UnsetType

from croupier.core.contract import WATCHER, Event
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
    RoundEnded,
    RoundStarted,
)
from croupier.games.hearts.joining import HeartsClaim
from croupier.games.hearts.view import HeartsView
from croupier.games.hearts.vocabulary import (
    ACE_OF_HEARTS,
    CARDS,
    CODES,
    EXPOSE,
    EXPOSING,
    KEEP,
    PASS,
    PASSING,
    PENALTY,
    PLAYING,
    SEATS,
    STEPS,
    names,
    shown,
)
from croupier.wire.frames import encode, read_any_object, whole_or_digits, words, write
from croupier.wire.talk import (
    BOT,
    Act,
    AskedNow,
    Closed,
    Face,
    Join,
    Note,
    Output,
    Place,
    PlacesChanged,
    Refused,
    Seated,
    Send,
    Shown,
    Stopped,
    TableConversation,
    Told,
    Wrong,
)

PATIENCE: Final = 30.0
"""How long a connection may stay without an accepted join (6.2)."""

CROWD: Final = 16
"""So many frames may wait for the answer to a join; what comes then is ignored."""

BACKLOG: Final = 4 * 1024 * 1024
"""How much may wait for a client that does not read (6.5)."""

Cards: TypeAlias = Sequence[str]
Data: TypeAlias = dict[str, object]

NONE: Final[Cards] = ()
EXPOSED: Final[Cards] = (CARDS[ACE_OF_HEARTS],)


class Public(NamedTuple):
    """What everybody may know of a player."""

    number: int
    name: str
    total: int
    errors: int
    timeouts: int
    score: int
    taken: int
    held: int
    giver: str
    exposed: bool
    auto: bool
    card: int
    """What he has played in this round, or -1."""
    status: int
    person: bool
    brief: bool
    """Whether to say nothing of a card that has not been played (profile doc)."""


class Private(NamedTuple):
    """What only its owner may know, or everybody when the deal has ended."""

    cards: Cards
    picked: Cards
    received: Cards
    candidates: Cards
    initial: Cards | UnsetType = UNSET


class Player(Struct, rename="camel", gc=False):
    """The player object of 3.3, its keys in the spec's order; what is UNSET is not sent."""

    player_number: int
    player_name: str
    game_score: int
    error_count: int
    timeout_count: int
    deal_score: int
    score_cards: Cards
    cards: Cards | UnsetType
    cards_count: int
    picked_cards: Cards | UnsetType
    received_cards: Cards | UnsetType
    received_from: str
    exposed_cards: Cards
    shooting_the_moon: bool
    server_random: bool | UnsetType
    initial_cards: Cards | UnsetType
    round_card: str | UnsetType
    candidate_cards: Cards | UnsetType
    status: int
    is_human: bool


class HeartsConversation(TableConversation):
    """One client: a program of 2018 or later, before and after it has joined."""

    patience: float | None = PATIENCE
    outbox_limit = BACKLOG

    def __init__(self, face: Face) -> None:
        super().__init__(face)
        self._brief = face.table_options["wire_profile"] == "doc"
        self._joining = False
        """A join is on its way to the table; what follows waits, for it means one thing or another."""
        self._waiting: deque[str | bytes] = deque()
        self._stop_told = False
        """The game has been broken off, and the client knows it."""

    # What the client sends (5.2, 6.1).

    def receive(self, data: str | bytes, now: float) -> list[Output]:
        if len(self._waiting) < CROWD:
            self._waiting.append(data)
        return self.resume(now)

    def pending(self) -> bool:
        return bool(self._waiting) and not self._joining

    def resume(self, now: float) -> list[Output]:
        outputs: list[Output] = []
        while self.pending():
            outputs += self._answer(self._waiting.popleft(), now)
        return outputs

    def _answer(self, data: str | bytes, now: float) -> list[Output]:
        frame = read_any_object(data)
        if frame is None:
            return []
        name = frame.get("eventName")
        if self.seat == WATCHER:
            return self._join(frame.get("data")) if name == "join" else []
        asked = self.face.asked(self.seat)
        view = self._view(self.seat)
        if asked is None or name != REPLIES.get(view.phase):
            return []
        if asked.deadline is not None and now >= asked.deadline:
            return []  # its time is up (5.1), even if the table has not come to that yet
        members = frame.get("data")
        reply = members if isinstance(members, dict) else {}
        if _is_late(view, reply):
            return []
        actions = _actions(view, reply)
        return [Wrong(asked.turn) if actions is None else Act(asked.turn, actions)]

    def _join(self, data: object) -> list[Output]:
        self._joining = True
        return [Join(HeartsClaim.read(data))]

    # What the table notes.

    def note(self, note: Note, now: float) -> list[str]:
        if not self._listens():
            if not (isinstance(note, Refused) and isinstance(note.request, Join)):
                return []
            self._joining = False
            return [_refusal(note)]
        match note:
            case Told():
                return self._told(note.event, note.auto)
            case AskedNow():
                return [self._request()]
            case PlacesChanged():
                return self._peers()
            case Seated():
                self._joining = False
                return self._snapshot() if note.back else []
            case Stopped() | Closed():
                return self._stopped(note.reason)
        return []

    def _listens(self) -> bool:
        """Say whether broadcasts go here: not before the join."""
        return self.seat != WATCHER

    def _told(self, event: Event, auto: bool) -> list[str]:
        view = self._view(self.seat)
        match event:
            case Played():
                extra: Data = {
                    "turnPlayer": self._name(event.seat),
                    "turnCard": CARDS[event.card],
                    "serverRandom": auto,
                    "roundPlayers": self._round_players(view),
                }
                return [self._frame("turn_end", view, extra, event)]
            case RoundEnded():
                extra = {"roundPlayers": self._round_players(view), "roundPlayer": self._name(event.taker)}
                return [self._frame("round_end", view, extra, event)]
            case RoundStarted():
                extra = {"roundPlayers": self._round_players(view), "self": None}
                return [self._frame("new_round", view, extra, event)]
            case DealStarted():
                return self._deal_started(view)
            case Dealt():
                return [self._frame("new_deal", view, {"self": None})]
            case PassingEnded():
                return [*self._received(view), self._frame("pass_cards_end", view, {}, event)]
            case ExposingEnded():
                return [self._frame("expose_cards_end", view, {}, event)]
            case DealEnded():
                return [self._frame("deal_end", view, {}, event)]
            case GameStarted():
                self._stop_told = False
                return [_envelope("new_game", {"gameNumber": event.game, "players": self._short(view)})]
            case GameEnded():
                return [self._game_end(view, event)]
            case MatchEnded():
                return [self._match_end(view, event)]
        return []

    def _deal_started(self, view: HeartsView) -> list[str]:
        """Players have yet to be dealt their cards."""
        return []

    def _received(self, view: HeartsView) -> list[str]:
        giver = view.giver(self.seat)
        extra: Data = {"self": None, "receivedCards": names(view.received), "sender": self._name(giver)}
        return [self._frame("receive_opponent_cards", view, extra)]

    def _request(self) -> str:
        view = self._view(self.seat)
        if view.phase == PASSING:
            receiver = (self.seat + STEPS[view.direction]) % SEATS
            return self._frame("pass_cards", view, {"self": None, "receiver": self._name(receiver)})
        if view.phase == EXPOSING:
            return self._frame("expose_cards", view, {"self": None})
        return self._frame("your_turn", view, {"self": None, "roundPlayers": self._round_players(view)})

    def _snapshot(self) -> list[str]:
        view = self._view(self.seat)
        if view.deal == 0:
            return []  # nothing to come back to: the match has not begun
        order = self._round_players(view) if view.phase == PLAYING else []
        return [self._frame("join", view, {"self": None, "roundPlayers": order})]

    def _peers(self) -> list[str]:
        players = self._short(self._view(self.seat))
        return [_envelope("new_peer", {"players": players})] if players else []

    def _stopped(self, reason: str) -> list[str]:
        view = self._view(self.seat)
        ended = 0 < view.game <= len(view.games)
        if ended or self._stop_told:
            return []
        self._stop_told = True
        return [_envelope("game_stop", {"reason": reason})]

    # Composing.

    def _view(self, seat: int) -> HeartsView:
        view = self.face.view(seat)
        assert isinstance(view, HeartsView)
        return view

    def _name(self, seat: int) -> str:
        return self.face.places[seat].name

    def _round_players(self, view: HeartsView) -> list[str]:
        return [self._name((view.leader + i) % SEATS) for i in range(SEATS)]

    def _short(self, view: HeartsView) -> list[Data]:
        return [
            {"playerNumber": place.number, "playerName": place.name, "status": _status(place)}
            for place in self._seated(view)
        ]

    def _seated(self, view: HeartsView) -> list[Place]:
        """Return the taken places from North to West."""
        north = -view.position(0) % SEATS
        turned = [self.face.places[(north + i) % SEATS] for i in range(SEATS)]
        return [place for place in turned if place.name]

    def _frame(self, name: str, view: HeartsView, extra: Data, event: Event | None = None) -> str:
        """Return a frame with `players` and *extra*, in which `self` only says where it goes.

        *event* is what all receivers are being told, if the frame is a broadcast.
        """
        ended = event if isinstance(event, DealEnded) else None
        players: list[Raw] = []
        me: Raw | None = None
        for seat, public, closed in self._publics(view, event):
            private = self._private(seat, view, ended)
            player = closed if private is None else _open_entry(public, private)
            players.append(player)
            if seat == self.seat:
                me = player
        data: Data = {
            "dealNumber": view.deal,
            "roundNumber": view.round,
            "gameNumber": view.game,
            "players": players,
        }
        data.update(extra)
        if "self" in extra:
            if me is None:
                del data["self"]
            else:
                data["self"] = me
        return _envelope(name, data)

    def _publics(self, view: HeartsView, event: Event | None) -> list[tuple[int, Public, Raw]]:
        """Return what everybody may know of the players, from North to West.

        It is the same for all who are told *event*, one after the other, and put together once.
        """
        if event is not None and _told_last.event is event:
            return _told_last.publics
        publics: list[tuple[int, Public, Raw]] = []
        for place in self._seated(view):
            public = self._public(place, view)
            publics.append((place.seat, public, _entry(public)))
        if event is not None:
            _told_last.event = event
            _told_last.publics = publics
        return publics

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

    def _private(self, seat: int, view: HeartsView, ended: DealEnded | None) -> Private | None:
        if ended is not None:
            picked, received = names(ended.picked[seat]), names(ended.received[seat])
            return Private(NONE, picked, received, NONE, names(reversed(ended.hands[seat])))
        own = self._owner(seat, view)
        if own is None:
            return None
        return Private(_shown(own.hand), names(own.picked), names(own.received), _candidates(own))

    def _owner(self, seat: int, view: HeartsView) -> HeartsView | None:
        """Return the view of *seat* if the receiver may see its cards."""
        return view if seat == self.seat else None

    def _game_end(self, view: HeartsView, event: GameEnded) -> str:
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

    def _match_end(self, view: HeartsView, event: MatchEnded) -> str:
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
    """A spectator (6.4): every broadcast, nobody's cards unless the table is open to watchers."""

    patience = None

    def greet(self, now: float) -> list[Output]:
        return [Send(frame) for frame in self._peers()]

    def receive(self, data: str | bytes, now: float) -> list[Output]:
        return []

    def note(self, note: Note, now: float) -> list[str]:
        # All hands are there when the last seat has been dealt its own.
        if isinstance(note, Shown) and isinstance(note.event, Dealt) and note.event.seat == SEATS - 1:
            return [self._frame("new_deal", self._view(WATCHER), {})]
        return super().note(note, now)

    def _listens(self) -> bool:
        return True

    def _deal_started(self, view: HeartsView) -> list[str]:
        return [] if self.face.watch_open else [self._frame("new_deal", view, {})]

    def _received(self, view: HeartsView) -> list[str]:
        return []

    def _owner(self, seat: int, view: HeartsView) -> HeartsView | None:
        return self._view(seat) if self.face.watch_open else None


REPLIES: Final = {PASSING: "pass_my_cards", EXPOSING: "expose_my_cards", PLAYING: "pick_card"}
"""The reply that each phase's request waits for."""


def _is_late(view: HeartsView, reply: Data) -> bool:
    """Say whether *reply* answers an earlier request than the open one (5.2, 3)."""
    deal = whole_or_digits(reply.get("dealNumber"))
    if deal is None or deal > view.deal:
        return False
    if deal < view.deal:
        return True
    if view.phase != PLAYING:
        return False
    number = whole_or_digits(reply.get("roundNumber"))
    return number is not None and number < view.round


def _actions(view: HeartsView, reply: Data) -> tuple[int, ...] | None:
    """Return what *reply* asks for, None if its values are wrong (5.3)."""
    if whole_or_digits(reply.get("dealNumber")) != view.deal:
        return None
    if view.phase == PLAYING:
        if whole_or_digits(reply.get("roundNumber")) != view.round:
            return None
        card = _code(reply.get("turnCard"))
        return (card,) if card in view.legal else None
    cards = words(reply.get("cards"))
    if cards is None:
        return None
    if view.phase == EXPOSING:
        return {(): (KEEP,), tuple(EXPOSED): (EXPOSE,)}.get(tuple(cards))
    picks = tuple(PASS + _code(card) for card in cards)
    # Somebody may have picked the first of his three cards by hand before a program came back.
    if len(picks) != 3 - len(view.picked) or len(set(picks)) != len(picks):
        return None
    return picks if all(pick in view.legal for pick in picks) else None


def _code(card: object) -> int:
    return CODES.get(card, -1 - PASS) if isinstance(card, str) else -1 - PASS


def _candidates(view: HeartsView) -> Cards:
    """Return what the seat may choose from right now (view.legal ascends, cards are shown descending)."""
    if not view.legal:
        return NONE
    if view.legal[0] >= EXPOSE:
        return EXPOSED
    return [CARDS[action % PASS] for action in reversed(view.legal)]


class _ToldLast:
    """The event that is being told, and the entries that all its frames share."""

    def __init__(self) -> None:
        self.event: Event | None = None
        self.publics: list[tuple[int, Public, Raw]] = []


_told_last: Final = _ToldLast()


# Most entries stay the same from event to event: they are written once.
@lru_cache(maxsize=4096)
def _entry(public: Public) -> Raw:
    return Raw(encode(_player(public, None)))


def _open_entry(public: Public, private: Private) -> Raw:
    return Raw(encode(_player(public, private)))


def _player(public: Public, private: Private | None) -> Player:
    silent = public.brief and public.card < 0
    return Player(
        public.number,
        public.name,
        public.total,
        public.errors,
        public.timeouts,
        public.score,
        _shown(public.taken),
        private.cards if private else UNSET,
        public.held,
        private.picked if private else UNSET,
        private.received if private else UNSET,
        public.giver,
        EXPOSED if public.exposed else NONE,
        public.taken & PENALTY == PENALTY,
        UNSET if silent else public.auto,
        private.initial if private else UNSET,
        UNSET if silent else CARDS[public.card] if public.card >= 0 else "",
        private.candidates if private else UNSET,
        public.status,
        public.person,
    )


@lru_cache(maxsize=4096)
def _shown(cards: int) -> Cards:
    return tuple(shown(cards))


def _status(place: Place) -> int:
    if not place.connected and place.kind != BOT:
        return 1
    return 2 if place.late else 0


def _refusal(note: Refused) -> str:
    if note.key == "player_name_dup":
        return _envelope("player_name_dup", {"message": note.words})
    return _envelope("join_error", {"code": note.key, "message": note.words})


def _envelope(name: str, data: Data) -> str:
    return write({"eventName": name, "data": data})


CONVERSATION: Final = HeartsConversation
WATCH: Final = HeartsWatch
