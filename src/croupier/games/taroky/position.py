"""The position of a match of Taroky: the data that the rules work on.

state.py holds the rules, showing.py decides what a seat may see. Card sets are 64-bit masks. The order of
discards and plays, which only views need, is packed into integers, six bits per card.

What each seat has is in a ``vec`` by seat. `stacks`, `initial` and `gains` are replaced, never changed in
place, so clones share them. The others are empty until the first deal and do not change between deals.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from croupier.core.cards import NOTHING, bit, cards_of, count, unpack
from croupier.core.contract import State
from croupier.games.taroky.scoring import DealResult, Outcome, payments, pays, points, steps
from croupier.games.taroky.vocabulary import (
    DEALING,
    GIVEN,
    NOBODY,
    OFFERED,
    OPEN,
    OVER,
    SEATS,
    TarokyRules,
)

NO_CARDS: Final[list[int]] = []
NO_RESULTS: Final[list[DealResult]] = []
"""Empty lists that fresh states share; these lists are replaced, never changed in place."""


def many(packed: i64) -> i64:
    """Return how many discards *packed* holds; card numbers count from 1."""
    n: i64 = 0
    while packed > 0:
        packed >>= 6
        n += 1
    return n


def taker_of(gift: i64, owner: i64) -> i64:
    """Return the player (from 0) who took the talon card of *owner*, or NOBODY."""
    if gift == GIVEN:
        return 3
    if gift == OPEN or gift == OFFERED:  # noqa: SIM109  # a tuple is boxed
        return NOBODY
    return owner


class TarokyPosition(State):
    """The data of a match; `TarokyState` adds the rules."""

    def __init__(self, rules: TarokyRules) -> None:
        super().__init__()
        self.rules = rules
        self.phase: i64 = DEALING
        self.turn: i64 = NOBODY
        """The seat that owes a decision."""
        # The match.
        self.number: i64 = 0
        """The deal, from 1."""
        self.ended: i64 = 0
        self.stacks: vec[i64] = rules.chips
        """The chips."""
        self.results: list[DealResult] = NO_RESULTS
        """The results of all deals except the last one, which stays open until the next deal."""
        self.before: DealResult | None = None
        """The result of the last deal, if it was not played in this state."""
        # The deal. Everything stays visible until the next one is dealt.
        self.povinnost: i64 = NOBODY
        self.order: list[int] = NO_CARDS
        """The cards of all seats in the order they were dealt, seat by seat; if empty, in canonical order."""
        self.initial: vec[i64] = vec[i64]()
        """The 12 cards dealt to each seat."""
        self.hands: vec[i64] = vec[i64]()
        """The cards each seat holds."""
        self.talon: i64 = 0
        """The six cards of the talon, packed."""
        self.asked: i64 = 0
        """How many have answered to prever."""
        self.yes: i64 = 0
        """Who said yes to prever, as a mask of players counted from 0."""
        self.prever: i64 = NOBODY
        self.shared = False
        """Whether a partner game is played and Povinnost has the four talon cards."""
        self.gift2: i64 = OPEN
        self.gift3: i64 = OPEN
        self.step: i64 = 0
        self.half: i64 = 0
        self.discarded: vec[i64] = vec[i64]()
        """The discards of each seat, packed; card numbers count from 1."""
        self.left: i64 = 0
        self.money: i64 = 0
        """The money cards called, eight bits per seat."""
        self.gains: vec[i64] = NOTHING
        """The chips that each seat has got or paid for money cards."""
        self.named: i64 = 0
        self.declarers: i64 = 0
        """The declaring side, as a mask of seats."""
        self.answers: i64 = 0
        """How many have answered to valat."""
        self.valat: i64 = NOBODY
        self.contras: i64 = 0
        self.callers: i64 = 0
        """Who called contra, rhea, supra: two bits per seat."""
        self.refused: i64 = 0
        """Who said no to which level of contra: four bits per level."""
        self.iote: i64 = NOBODY
        self.pagat: i64 = NOBODY
        """The seat that held T01 when the calls were over."""
        self.quiet = False
        """Whether that seat has declined to announce it."""
        # The play.
        self.leader: i64 = NOBODY
        self.may: i64 = 0
        """What the seat whose turn it is may discard or play."""
        self.fallen: i64 = 0
        self.trick: i64 = 0
        """The cards on the table, packed, beginning with the leader's."""
        self.pile: i64 = 0
        """The same cards as a set; after the last trick, its cards."""
        self.led: i64 = 0
        self.best: i64 = 0
        self.winner: i64 = NOBODY
        self.done: i64 = 0
        """How many tricks are finished."""
        self.taken: vec[i64] = vec[i64]()
        """The cards of the tricks each seat has taken."""
        self.played: vec[i64] = vec[i64]()
        """The finished tricks of the deal: four packed cards, then the leader."""

    def copy_to(self, twin: TarokyPosition) -> None:
        """Copy this position to *twin*, except the events."""
        twin.phase = self.phase
        twin.turn = self.turn
        twin.number = self.number
        twin.ended = self.ended
        twin.stacks = self.stacks
        twin.results = self.results
        twin.before = self.before
        twin.povinnost = self.povinnost
        twin.order = self.order
        twin.initial = self.initial
        twin.talon = self.talon
        twin.asked = self.asked
        twin.answers = self.answers
        twin.yes = self.yes
        twin.prever = self.prever
        twin.shared = self.shared
        twin.gift2 = self.gift2
        twin.gift3 = self.gift3
        twin.step = self.step
        twin.half = self.half
        twin.left = self.left
        twin.money = self.money
        twin.gains = self.gains
        twin.named = self.named
        twin.declarers = self.declarers
        twin.valat = self.valat
        twin.contras = self.contras
        twin.callers = self.callers
        twin.refused = self.refused
        twin.iote = self.iote
        twin.pagat = self.pagat
        twin.quiet = self.quiet
        twin.leader = self.leader
        twin.may = self.may
        twin.fallen = self.fallen
        twin.trick = self.trick
        twin.pile = self.pile
        twin.led = self.led
        twin.best = self.best
        twin.winner = self.winner
        twin.done = self.done
        if self.phase == DEALING or self.phase == OVER:
            twin.hands = self.hands
            twin.discarded = self.discarded
            twin.taken = self.taken
            twin.played = self.played
        else:
            twin.hands = self.hands[:]
            twin.discarded = self.discarded[:]
            twin.taken = self.taken[:]
            twin.played = self.played[:]

    def holder(self, card: i64) -> i64:
        """Return the seat that holds *card*, NOBODY if none does."""
        one = bit(card)
        seat: i64 = 0
        while seat < SEATS:
            if self.hands[seat] & one:
                return seat
            seat += 1
        return NOBODY

    def dealt(self, seat: i64) -> list[int]:
        """Return the cards dealt to *seat*, in order."""
        if self.order:
            start = 12 * int(seat)
            return self.order[start : start + 12]
        return cards_of(self.initial[seat])

    def laid(self, seat: i64) -> i64:
        """Return the discards of *seat* as a set."""
        packed = self.discarded[seat]
        cards: i64 = 0
        while packed > 0:
            cards |= bit((packed & 63) - 1)
            packed >>= 6
        return cards

    def discards(self, seat: i64) -> list[int]:
        """Return the discards of *seat*, in order."""
        packed = self.discarded[seat]
        return [card - 1 for card in unpack(packed, many(packed))]

    def chips(self) -> list[int]:
        """Return everyone's chips."""
        return [int(stack) for stack in self.stacks]

    def brought(self) -> list[int]:
        """Return the chips that each seat has got or paid for money cards in this deal."""
        return [int(gain) for gain in self.gains]

    def player(self, seat: i64) -> i64:
        """Return the number of *seat* in this deal: 0 is Povinnost, player 1 of the notation."""
        return (seat - self.povinnost) & 3

    def talon_card(self, n: i64) -> i64:
        """Return card *n* (from 0) of the talon."""
        return self.talon >> 6 * n & 63

    def talon_cards(self, start: i64, n: i64) -> list[int]:
        """Return *n* cards of the talon, beginning at *start*."""
        return unpack(self.talon >> 6 * start, n)

    def draws(self, seat: i64) -> list[int]:
        """Return the talon cards *seat* has taken so far, in their order."""
        if self.prever != NOBODY:
            if seat != self.prever or self.half == 0:
                return []
            return self.talon_cards(3 if self.half == 2 else 0, 3)
        player = self.player(seat)
        if player == 0:
            return self.talon_cards(0, 4) if self.shared else []
        out: list[int] = []
        if player == taker_of(self.gift2, 1):
            out += self.talon_cards(4, 1)
        if player == taker_of(self.gift3, 2):
            out += self.talon_cards(5, 1)
        return out

    def caller(self, level: i64) -> i64:
        """Return who called contra (*level* 0), rhea or supra."""
        return self.callers >> 2 * level & 3

    def lies_open(self) -> bool:
        """Return True between the end of a deal and the next deal."""
        return self.number > 0 and (self.phase == DEALING or self.phase == OVER)

    # The settlement.

    def outcome(self) -> Outcome:
        """Return the outcome of the finished play for the declaring side (R13)."""
        outcome = Outcome(self.declarers, self.prever != NOBODY)
        outcome.half = 4 if self.half == 3 else 2 if self.half == 2 else 1
        outcome.valat = self.valat
        outcome.contras = self.contras
        outcome.iote = self.iote
        outcome.pagat = self.pagat
        outcome.last = self.pile
        outcome.contra_on_valat = self.rules.contra_on_valat
        total: i64 = 0
        tricks: i64 = 0
        seat: i64 = 0
        while seat < SEATS:
            if self.declarers >> seat & 1:
                taken = self.taken[seat]
                total += points(taken) + points(self.laid(seat))
                tricks += count(taken) >> 2
            seat += 1
        outcome.points = total
        outcome.tricks = tricks
        return outcome

    def result(self) -> DealResult:
        """Return the result of the last deal until the next one is dealt."""
        if self.before is not None:
            return self.before
        outcome = self.outcome()
        x = pays(outcome)
        return DealResult(
            int(self.povinnost),
            int(self.declarers),
            [int(outcome.points), int(106 - outcome.points)],
            [int(outcome.tricks), int(12 - outcome.tricks)],
            steps(outcome),
            int(x),
            payments(self.declarers, x),
            self.brought(),
            self.chips(),
        )
