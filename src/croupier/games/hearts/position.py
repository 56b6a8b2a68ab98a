"""Where a match of Hearts stands: all that the rules remember of it.

What happens is in state.py, what a seat may see in showing.py. Seats are the players and stay; positions
rotate from game to game (R11). Card sets are 64-bit masks held in plain attributes, one a seat (``h0`` to
``h3``): compiled, they need no objects at all. What only views want, the order of picks and plays, is packed
into integers, six bits a card.
"""

from __future__ import annotations

from mypy_extensions import i64

from croupier.core.cards import bit, unpack
from croupier.core.contract import State
from croupier.games.hearts.scoring import deal_scores, shoots
from croupier.games.hearts.view import DealResult
from croupier.games.hearts.vocabulary import DEALING, NOBODY, PASSING, PLAYING, SEATS, HeartsRules


def many(packed: i64) -> i64:
    """Return how many picks *packed* holds."""
    if packed == 0:
        return 0
    return 1 if packed < 64 else 2 if packed < 4096 else 3


class HeartsPosition(State):
    """The memory of a match; `HeartsState` plays it."""

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
        self.s0: i64 = 0
        self.s1: i64 = 0
        self.s2: i64 = 0
        self.s3: i64 = 0
        """``s0`` to ``s3``: the game scores."""
        self.results: list[DealResult] = []
        """Of the game's deals, without the last: that lies open until the next one is dealt."""
        self.games: list[list[int]] = []
        """The scores of the games before this one."""
        self.decks: list[list[int]] = []
        """The hands of the first game's deals, by position, if they are dealt again."""
        # The deal. Everything stays to be seen until the next one is dealt.
        self.d0: i64 = 0
        self.d1: i64 = 0
        self.d2: i64 = 0
        self.d3: i64 = 0
        """``d0`` to ``d3``: the 13 cards each seat was dealt."""
        self.h0: i64 = 0
        self.h1: i64 = 0
        self.h2: i64 = 0
        self.h3: i64 = 0
        """``h0`` to ``h3``: the hands."""
        self.k0: i64 = 0
        self.k1: i64 = 0
        self.k2: i64 = 0
        self.k3: i64 = 0
        """``k0`` to ``k3``: the cards each seat has picked to pass, packed; a card counts from 1."""
        self.t0: i64 = 0
        self.t1: i64 = 0
        self.t2: i64 = 0
        self.t3: i64 = 0
        """``t0`` to ``t3``: the score cards each seat has taken."""
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
        """How many cards lie on the table."""
        self.trick: i64 = 0
        """These cards, packed from the leader on."""
        self.led: i64 = 0
        self.best: i64 = 0
        self.winner: i64 = NOBODY
        self.pile: i64 = 0
        """The score cards on the table."""
        # The finished rounds, two in a word: four cards, then the leader.
        self.l0: i64 = 0
        self.l1: i64 = 0
        self.l2: i64 = 0
        self.l3: i64 = 0
        self.l4: i64 = 0
        self.l5: i64 = 0
        self.l6: i64 = 0

    def copy_to(self, twin: HeartsPosition) -> None:
        """Make *twin*, which has the same rules, stand where this one does."""
        twin.phase = self.phase
        twin.waiting = self.waiting
        twin.game = self.game
        twin.number = self.number
        twin.ended = self.ended
        twin.s0 = self.s0
        twin.s1 = self.s1
        twin.s2 = self.s2
        twin.s3 = self.s3
        # These only grow, by whole new lists: see HeartsState.
        twin.results = self.results
        twin.games = self.games
        twin.decks = self.decks
        twin.d0 = self.d0
        twin.d1 = self.d1
        twin.d2 = self.d2
        twin.d3 = self.d3
        twin.h0 = self.h0
        twin.h1 = self.h1
        twin.h2 = self.h2
        twin.h3 = self.h3
        twin.k0 = self.k0
        twin.k1 = self.k1
        twin.k2 = self.k2
        twin.k3 = self.k3
        twin.t0 = self.t0
        twin.t1 = self.t1
        twin.t2 = self.t2
        twin.t3 = self.t3
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
        twin.l0 = self.l0
        twin.l1 = self.l1
        twin.l2 = self.l2
        twin.l3 = self.l3
        twin.l4 = self.l4
        twin.l5 = self.l5
        twin.l6 = self.l6

    # One attribute a seat, found by number.

    def hand(self, seat: i64) -> i64:
        """Return the cards *seat* holds."""
        if seat < 2:
            return self.h0 if seat == 0 else self.h1
        return self.h2 if seat == 2 else self.h3

    def set_hand(self, seat: i64, cards: i64) -> None:
        """Give *seat* these cards."""
        if seat < 2:
            if seat == 0:
                self.h0 = cards
            else:
                self.h1 = cards
        elif seat == 2:
            self.h2 = cards
        else:
            self.h3 = cards

    def dealt(self, seat: i64) -> i64:
        """Return the 13 cards *seat* was dealt."""
        if seat < 2:
            return self.d0 if seat == 0 else self.d1
        return self.d2 if seat == 2 else self.d3

    def taken(self, seat: i64) -> i64:
        """Return the score cards *seat* has taken in this deal."""
        if seat < 2:
            return self.t0 if seat == 0 else self.t1
        return self.t2 if seat == 2 else self.t3

    def picks(self, seat: i64) -> i64:
        """Return what *seat* has picked to pass, packed."""
        if seat < 2:
            return self.k0 if seat == 0 else self.k1
        return self.k2 if seat == 2 else self.k3

    def picked(self, seat: i64) -> list[int]:
        """Return the cards *seat* has picked to pass, in its order."""
        packed = self.picks(seat)
        return [card - 1 for card in unpack(packed, many(packed))]

    def received(self, seat: i64) -> list[int]:
        """Return the cards *seat* was passed, in their giver's order."""
        if self.step == 0 or self.phase == PASSING:
            return []
        return self.picked((seat - self.step) & 3)

    def holder(self, card: i64) -> i64:
        """Return the seat that holds *card*."""
        one = bit(card)
        if (self.h0 | self.h1) & one:
            return 0 if self.h0 & one else 1
        return 2 if self.h2 & one else 3

    # The rounds, packed away for the views.

    def write_round(self, packed: i64) -> None:
        """Note the round that ends, four cards and its leader."""
        at = self.round - 1
        if at & 1:
            packed <<= 26
        word = at >> 1
        if word == 0:
            self.l0 |= packed
        elif word == 1:
            self.l1 |= packed
        elif word == 2:
            self.l2 |= packed
        elif word == 3:
            self.l3 |= packed
        elif word == 4:
            self.l4 |= packed
        elif word == 5:
            self.l5 |= packed
        else:
            self.l6 |= packed

    def rounds(self) -> list[i64]:
        """Return the finished rounds of the deal, each four cards and its leader."""
        finished = self.round if self.phase != PLAYING else self.round - 1
        rounds: list[i64] = []
        for word in [self.l0, self.l1, self.l2, self.l3, self.l4, self.l5, self.l6]:
            rounds += [word & 0x3FFFFFF, word >> 26]
        return rounds[: int(finished)]

    # How the match stands.

    def dealt_before(self) -> bool:
        """Say whether the next deal takes its hands from the first game."""
        return self.rules.duplicate and self.ended >= self.rules.deals

    def lies_open(self) -> bool:
        """Say whether a deal has ended and the next one was not yet dealt."""
        return self.round == 13 and self.phase != PLAYING

    def deal_scores(self) -> list[int]:
        """Return what everybody has scored in this deal so far (R9)."""
        return deal_scores([self.t0, self.t1, self.t2, self.t3], self.exposed != NOBODY, self.rules)

    def moon(self) -> int:
        """Return the seat that shoots the moon (R10), or NOBODY."""
        for seat in range(SEATS):
            if shoots(self.taken(seat)):
                return seat
        return NOBODY

    def result(self) -> DealResult:
        """Return the deal as the books have it."""
        return DealResult(self.deal_scores(), int(self.exposed), self.moon())

    def game_scores(self) -> list[int]:
        """Return everybody's score in this game."""
        return [int(self.s0), int(self.s1), int(self.s2), int(self.s3)]

    def deal(self) -> int:
        return int(self.ended)

    def scores(self) -> list[int]:
        totals = self.game_scores()
        for game in self.games:
            for seat in range(SEATS):
                totals[seat] += game[seat]
        return totals
