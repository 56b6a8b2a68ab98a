"""What one seat or a watcher knows of a match of Hearts: a fold of the events it has heard."""

from __future__ import annotations

from mypy_extensions import i64

from croupier.core.cards import bit, mask_of
from croupier.core.contract import Event, View
from croupier.core.options import Value
from croupier.games.hearts import facts
from croupier.games.hearts.events import (
    DealEnded,
    DealStarted,
    Dealt,
    ExposingEnded,
    ExposingStarted,
    GameEnded,
    GameStarted,
    MatchEnded,
    Passed,
    PassingEnded,
    PassingStarted,
    Picked,
    Played,
    Received,
    TrickStarted,
    TrickTaken,
)
from croupier.games.hearts.vocabulary import (
    CARDS,
    DEALING,
    EXPOSING,
    OVER,
    PASSING,
    PHASES,
    PLAYING,
    SEATS,
    SUITS,
    names,
    shown,
)


class DealResult:
    """The result of one deal of the current game."""

    def __init__(self, scores: list[int], exposed: int, moon: int) -> None:
        self.scores = scores
        self.exposed = exposed
        self.moon = moon

    def fact(self) -> facts.DealResult:
        return facts.DealResult(
            scores=self.scores[:],
            exposed=self.exposed if self.exposed >= 0 else None,
            moon=self.moon if self.moon >= 0 else None,
        )


class HeartsView(View):
    """What a seat knows. Seats are 0 to 3 clockwise and stay; `position` depends on the game."""

    def __init__(self, seat: int) -> None:
        super().__init__(seat)
        self.options: dict[str, Value] = {}
        """The rules of the match, known when its first game starts."""
        self.phase = DEALING
        self.game = 0
        self.deal = 0
        self.round = 0
        self.direction: facts.Direction = "none"
        # Known to this seat alone.
        self.initial: i64 = 0
        self.hand: i64 = 0
        self.picked: list[int] = []
        self.received: list[int] = []
        # Known to everyone.
        self.counts: list[int] = [0, 0, 0, 0]
        self.passed = 0
        """The seats that have chosen their three cards, as a mask."""
        self.exchanged = False
        """Whether the packets have changed hands in this deal."""
        self.exposed = -1
        self.leader = -1
        self.table: list[int] = [-1, -1, -1, -1]
        """The card each seat has played in this round, until the next round starts."""
        self.last: list[int] = []
        """The cards of the last round, beginning with its leader's."""
        self.last_leader = -1
        self.last_taker = -1
        self.played: list[list[int]] = [[], [], [], []]
        """Every card each seat has played in this deal, in order."""
        self.void: list[int] = [0, 0, 0, 0]
        """The suits each seat is known not to hold, as a mask of suits."""
        self.broken = False
        self.taken: list[i64] = [0, 0, 0, 0]
        """The score cards each seat has taken in this deal."""
        self.scores: list[int] = [0, 0, 0, 0]
        self.totals: list[int] = [0, 0, 0, 0]
        self.deals: list[DealResult] = []
        self.games: list[list[int]] = []
        """The game scores of the match's finished games."""
        self.decks: list[list[list[int]]] = []
        """The hands of the first game's deals by position, if later games deal them again (R11)."""
        # Open from the end of a deal until the next one starts.
        self.hands: list[list[int]] = []
        self.all_picked: list[list[int]] = []
        self.all_received: list[list[int]] = []

    def giver(self, seat: int) -> int:
        """Return the seat that passes to *seat* in this deal, or -1."""
        step = {"left": 1, "right": 3, "across": 2}.get(self.direction, 0)
        return (seat - step) % SEATS if step else -1

    def position(self, seat: int) -> int:
        """Return where *seat* sits in this game: 0 North, 1 East, 2 South, 3 West (R11)."""
        return (seat + max(self.game, 1) - 1) % SEATS

    def hear(self, event: Event) -> None:
        if isinstance(event, Played):
            self._played(event.seat, event.card)
            self.broken = event.broken
        elif isinstance(event, TrickStarted):
            self.phase = PLAYING
            self.round = event.number
            self.leader = event.leader
            self.table = [-1, -1, -1, -1]
        elif isinstance(event, TrickTaken):
            self.last = [self.table[(self.leader + i) % SEATS] for i in range(SEATS)]
            self.last_leader = self.leader
            self.last_taker = event.taker
            self.taken[event.taker] |= event.taken
            self.scores = event.scores
        elif isinstance(event, Dealt):
            self.initial = event.hand
            self.hand = event.hand
        elif isinstance(event, DealStarted):
            self._deal_started(event)
        elif isinstance(event, PassingStarted):
            self.phase = PASSING
        elif isinstance(event, Picked):
            self.picked.append(event.card)
            self.hand &= ~bit(event.card)
        elif isinstance(event, Passed):
            self.passed |= 1 << event.seat
            self.counts[event.seat] -= 3
        elif isinstance(event, Received):
            self.received = event.cards[:]
            self.hand |= mask_of(event.cards)
        elif isinstance(event, PassingEnded):
            self.exchanged = True
            self.counts = [13, 13, 13, 13]
        elif isinstance(event, ExposingStarted):
            self.phase = EXPOSING
        elif isinstance(event, ExposingEnded):
            self.exposed = event.seat
        elif isinstance(event, DealEnded):
            self._deal_ended(event)
        elif isinstance(event, GameStarted):
            self.game = event.game
            self.options = dict(event.options)
            self.totals = [0, 0, 0, 0]
            self.deals = []
        elif isinstance(event, GameEnded):
            self.games.append(event.totals[:])
        elif isinstance(event, MatchEnded):
            self.phase = OVER

    def _deal_started(self, event: DealStarted) -> None:
        self.phase = DEALING
        self.deal = event.deal
        self.round = 0
        self.direction = event.direction
        self.initial = 0
        self.hand = 0
        self.picked = []
        self.received = []
        self.counts = [13, 13, 13, 13]
        self.passed = 0
        self.exchanged = False
        self.exposed = -1
        self.leader = -1
        self.table = [-1, -1, -1, -1]
        self.last = []
        self.last_leader = -1
        self.last_taker = -1
        self.played = [[], [], [], []]
        self.void = [0, 0, 0, 0]
        self.broken = False
        self.taken = [0, 0, 0, 0]
        self.scores = [0, 0, 0, 0]
        self.hands = []
        self.all_picked = []
        self.all_received = []

    def _played(self, seat: int, card: int) -> None:
        led = self.table[self.leader]
        if led >= 0 and card // 13 != led // 13:
            self.void[seat] |= 1 << led // 13
        self.table[seat] = card
        self.played[seat].append(card)
        self.counts[seat] -= 1
        if seat == self.seat:
            self.hand &= ~bit(card)

    def _deal_ended(self, event: DealEnded) -> None:
        self.phase = DEALING
        self.table = [-1, -1, -1, -1]
        # An event does not change, so all views of a table share its lists.
        self.scores = event.scores
        self.totals = event.totals
        self.deals.append(DealResult(event.scores, event.exposed, event.moon))
        self.hands = event.hands
        self.all_picked = event.picked
        self.all_received = event.received
        if self.game == 1 and self.options["match_decks"] == "duplicate":
            self.decks.append(event.hands)  # in game 1 positions are seats

    def typed_facts(self) -> facts.Facts:
        return facts.Facts(
            phase=PHASES[self.phase],
            game=self.game,
            deal=self.deal,
            round=self.round,
            direction=self.direction,
            initial=shown(self.initial),
            hand=shown(self.hand),
            picked=names(self.picked),
            received=names(self.received),
            received_from=self.giver(self.seat) if self.exchanged and self.seat >= 0 else None,
            counts=self.counts[:],
            passed=[seat for seat in range(SEATS) if self.passed >> seat & 1],
            exposed=self.exposed if self.exposed >= 0 else None,
            leader=self.leader if self.leader >= 0 else None,
            table=[CARDS[card] if card >= 0 else None for card in self.table],
            last=names(self.last),
            last_leader=self.last_leader if self.last_leader >= 0 else None,
            last_taker=self.last_taker if self.last_taker >= 0 else None,
            played=[names(cards) for cards in self.played],
            void=[[SUITS[s] for s in range(4) if mask >> s & 1] for mask in self.void],
            broken=self.broken,
            taken=[shown(mask) for mask in self.taken],
            scores=self.scores[:],
            totals=self.totals[:],
            deals=[deal.fact() for deal in self.deals],
            games=[game[:] for game in self.games],
            hands=[shown(mask_of(hand)) for hand in self.hands],
            all_picked=[names(cards) for cards in self.all_picked],
            all_received=[names(cards) for cards in self.all_received],
            decks=[[shown(mask_of(hand)) for hand in deck] for deck in self.decks],
            options=dict(self.options),
            positions=[self.position(seat) for seat in range(SEATS)],
        )
