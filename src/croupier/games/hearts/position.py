"""The position of a match of Hearts: the data that the rules work on.

state.py holds the rules, showing.py decides what a seat may see. Seats are the players and stay the same;
positions rotate from game to game (R11). Card sets are 64-bit masks. The order of picks and plays, which
only views need, is packed into integers, six bits per card.

What each seat has is in a ``vec`` by seat. `totals` and `dealt` are replaced, never changed in place, so
clones share them. The others are empty until the first deal and do not change between deals.
"""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from croupier.core.cards import NOTHING, bit, unpack
from croupier.core.contract import State
from croupier.games.hearts.scoring import deal_scores, shoots
from croupier.games.hearts.view import DealResult
from croupier.games.hearts.vocabulary import DEALING, NOBODY, OVER, PASSING, PLAYING, SEATS, HeartsRules


def many(packed: i64) -> i64:
    """Return how many picks *packed* holds."""
    if packed == 0:
        return 0
    return 1 if packed < 64 else 2 if packed < 4096 else 3


def _void(packed: i64, leader: i64, fallen: i64) -> i64:
    """Return the suits that seats have shown not to hold in a trick of *fallen* cards."""
    led = (packed & 63) // 13
    found: i64 = 0
    at: i64 = 1
    while at < fallen:
        if (packed >> 6 * at & 63) // 13 != led:
            found |= 1 << 4 * ((leader + at) & 3) + led
        at += 1
    return found


class HeartsPosition(State):
    """The data of a match; `HeartsState` adds the rules."""

    def __init__(self, rules: HeartsRules) -> None:
        super().__init__()
        self.rules = rules
        self.phase: i64 = DEALING
        self.waiting: i64 = 0
        """The seats that owe a decision."""
        # The match.
        self.game: i64 = 0
        self.number: i64 = 0
        """The deal of the game, from 1."""
        self.ended: i64 = 0
        """The deals of the match that are over."""
        self.totals: vec[i64] = NOTHING
        """The game scores."""
        self.results: list[DealResult] = []
        """The results of the game's deals except the last one, which stays open until the next deal."""
        self.games: list[list[int]] = []
        """The scores of the games before this one."""
        self.decks: list[list[int]] = []
        """The hands of the first game's deals, by position, if they are dealt again."""
        # The deal. Everything stays visible until the next one is dealt.
        self.dealt: vec[i64] = vec[i64]()
        """The 13 cards dealt to each seat."""
        self.hands: vec[i64] = vec[i64]()
        """The cards each seat holds."""
        self.picks: vec[i64] = vec[i64]()
        """The cards each seat has picked to pass, packed; card numbers count from 1."""
        self.taken: vec[i64] = vec[i64]()
        """The score cards each seat has taken."""
        self.step: i64 = 0
        """How many seats clockwise the packets travel; 0 in a deal without passing."""
        self.exposed: i64 = NOBODY
        self.broken = False
        self.round: i64 = 0
        # The round.
        self.leader: i64 = NOBODY
        self.turn: i64 = NOBODY
        self.may: i64 = 0
        """What the seat whose turn it is may play."""
        self.fallen: i64 = 0
        """The number of cards on the table."""
        self.trick: i64 = 0
        """The cards on the table, packed, beginning with the leader's."""
        self.led: i64 = 0
        self.best: i64 = 0
        self.winner: i64 = NOBODY
        self.pile: i64 = 0
        """The score cards on the table."""
        self.played: vec[i64] = vec[i64]()
        """The finished rounds of the deal: four packed cards, then the leader."""

    def copy_to(self, twin: HeartsPosition) -> None:
        """Copy this position to *twin*, which has the same rules."""
        twin.phase = self.phase
        twin.waiting = self.waiting
        twin.game = self.game
        twin.number = self.number
        twin.ended = self.ended
        twin.totals = self.totals
        # These lists are replaced, never changed in place.
        twin.results = self.results
        twin.games = self.games
        twin.decks = self.decks
        twin.dealt = self.dealt
        twin.step = self.step
        twin.exposed = self.exposed
        twin.broken = self.broken
        twin.round = self.round
        twin.leader = self.leader
        twin.turn = self.turn
        twin.may = self.may
        twin.fallen = self.fallen
        twin.trick = self.trick
        twin.led = self.led
        twin.best = self.best
        twin.winner = self.winner
        twin.pile = self.pile
        if self.phase == DEALING or self.phase == OVER:
            twin.hands = self.hands
            twin.picks = self.picks
            twin.taken = self.taken
            twin.played = self.played
        else:
            twin.hands = self.hands[:]
            twin.picks = self.picks[:]
            twin.taken = self.taken[:]
            twin.played = self.played[:]

    def picked(self, seat: i64) -> list[int]:
        """Return the cards *seat* has picked to pass, in the order picked."""
        packed = self.picks[seat]
        return [card - 1 for card in unpack(packed, many(packed))]

    def received(self, seat: i64) -> list[int]:
        """Return the cards passed to *seat*, in the order their giver picked them."""
        if self.step == 0 or self.phase == PASSING:
            return []
        return self.picked((seat - self.step) & 3)

    def holder(self, card: i64) -> i64:
        """Return the seat that holds *card*."""
        one = bit(card)
        seat: i64 = 0
        while not self.hands[seat] & one:
            seat += 1
        return seat

    def held(self) -> i64:
        """Return the cards that have not been played."""
        return self.hands[0] | self.hands[1] | self.hands[2] | self.hands[3]

    def void(self) -> i64:
        """Return the suits that seats have shown not to hold, four bits for each seat."""
        found: i64 = 0
        at: i64 = 0
        while at < self.finished():
            packed = self.played[at]
            found |= _void(packed, packed >> 24, SEATS)
            at += 1
        return found | _void(self.trick, self.leader, self.fallen)

    def finished(self) -> i64:
        """Return how many rounds of the deal are over."""
        if self.phase == PLAYING:
            return self.round - 1
        return self.round

    # Scores and results.

    def dealt_before(self) -> bool:
        """Return True if the next deal takes its hands from the first game."""
        return self.rules.duplicate and self.ended >= self.rules.deals

    def ends_game(self) -> bool:
        """Return True if the deal that has ended is the last of its game (R10)."""
        if self.number == self.rules.deals or self.rules.target == 0:
            return self.number == self.rules.deals
        most = self.totals[0]
        for score in self.totals:
            most = min(most, score)
        return most <= -self.rules.target

    def lies_open(self) -> bool:
        """Return True between the end of a deal and the next deal."""
        return self.round == 13 and self.phase != PLAYING

    def deal_scores(self) -> list[int]:
        """Return what everyone has scored in this deal so far (R9)."""
        return deal_scores(self.taken, self.exposed != NOBODY, self.rules)

    def moon(self) -> int:
        """Return the seat that has shot the moon (R9.3), or NOBODY."""
        for seat in range(SEATS):
            if shoots(self.taken[seat]):
                return seat
        return NOBODY

    def result(self) -> DealResult:
        """Return the result of the deal."""
        return DealResult(self.deal_scores(), int(self.exposed), self.moon())

    def game_scores(self) -> list[int]:
        """Return everyone's score in this game."""
        return [int(score) for score in self.totals]

    def deal(self) -> int:
        return int(self.ended)

    def scores(self) -> list[int]:
        totals = self.game_scores()
        for game in self.games:
            for seat in range(SEATS):
                totals[seat] += game[seat]
        return totals
