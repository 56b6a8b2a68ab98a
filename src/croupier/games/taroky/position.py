"""Where a match of Taroky stands: all that the rules remember of it.

What happens is in state.py, what a seat may see in showing.py. Card sets are 64-bit masks held in plain
attributes, one a seat (``h0`` to ``h3``): compiled, they need no objects at all. What only views want, the
order of discards and plays, is packed into integers, six bits a card.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from croupier.core.cards import bit, cards_of, count, unpack
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
"""Lists of the history are replaced, never changed: so fresh states can share the empty ones."""


def many(packed: i64) -> i64:
    """Return how many discards *packed* holds; each is a card counted from 1."""
    n: i64 = 0
    while packed > 0:
        packed >>= 6
        n += 1
    return n


def _taker(gift: i64, owner: i64) -> i64:
    """Return the player (from 0) who took the talon card of *owner*, or NOBODY."""
    if gift == GIVEN:
        return 3
    return NOBODY if gift == OPEN or gift == OFFERED else owner  # noqa: SIM109  # a tuple is boxed


class TarokyPosition(State):
    """The memory of a match; `TarokyState` plays it."""

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
        self.c0: i64 = rules.chips[0]
        self.c1: i64 = rules.chips[1]
        self.c2: i64 = rules.chips[2]
        self.c3: i64 = rules.chips[3]
        """``c0`` to ``c3``: the chips."""
        self.results: list[DealResult] = NO_RESULTS
        """Of the deals, without the last: that lies open until the next one is dealt."""
        self.before: DealResult | None = None
        """How the last deal ended, where it was not played here."""
        # The deal. Everything stays to be seen until the next one is dealt.
        self.povinnost: i64 = NOBODY
        self.order: list[int] = NO_CARDS
        """The cards of each seat in the order they were dealt, seat by seat; empty: in canonical order."""
        self.d0: i64 = 0
        self.d1: i64 = 0
        self.d2: i64 = 0
        self.d3: i64 = 0
        """``d0`` to ``d3``: the 12 cards each seat was dealt."""
        self.h0: i64 = 0
        self.h1: i64 = 0
        self.h2: i64 = 0
        self.h3: i64 = 0
        """``h0`` to ``h3``: the hands."""
        self.talon: i64 = 0
        """Its six cards, packed."""
        self.asked: i64 = 0
        """How many have answered to prever."""
        self.yes: i64 = 0
        """Who said yes to prever, as a mask of players counted from 0."""
        self.prever: i64 = NOBODY
        self.shared = False
        """Whether a partner game is played and Povinnost has his four talon cards."""
        self.gift2: i64 = OPEN
        self.gift3: i64 = OPEN
        self.step: i64 = 0
        self.half: i64 = 0
        self.x0: i64 = 0
        self.x1: i64 = 0
        self.x2: i64 = 0
        self.x3: i64 = 0
        """``x0`` to ``x3``: what each seat has discarded, packed; a card counts from 1."""
        self.left: i64 = 0
        self.money: i64 = 0
        """The money cards called, eight bits a seat."""
        self.b0: i64 = 0
        self.b1: i64 = 0
        self.b2: i64 = 0
        self.b3: i64 = 0
        """``b0`` to ``b3``: what money cards have brought each seat."""
        self.named: i64 = 0
        self.declarers: i64 = 0
        """The declaring side, as a mask of seats."""
        self.answers: i64 = 0
        """How many have answered to valat."""
        self.valat: i64 = NOBODY
        self.contras: i64 = 0
        self.callers: i64 = 0
        """Who called contra, rhea, supra: two bits a seat."""
        self.refused: i64 = 0
        """Who said no to which level of contra: four bits a level."""
        self.iote: i64 = NOBODY
        self.pagat: i64 = NOBODY
        """Who held T01 when the calls were over."""
        self.quiet = False
        """Whether that seat has declined to announce it."""
        # The play.
        self.leader: i64 = NOBODY
        self.may: i64 = 0
        """What the seat whose turn it is may discard or play."""
        self.fallen: i64 = 0
        self.trick: i64 = 0
        """The cards on the table, packed from the leader on."""
        self.pile: i64 = 0
        """The same cards as a set; after the last trick, that one's."""
        self.led: i64 = 0
        self.best: i64 = 0
        self.winner: i64 = NOBODY
        self.done: i64 = 0
        """How many tricks are finished."""
        self.t0: i64 = 0
        self.t1: i64 = 0
        self.t2: i64 = 0
        self.t3: i64 = 0
        """``t0`` to ``t3``: the cards of the tricks each seat has taken."""
        # The finished tricks, two in a word: four cards, then the leader.
        self.l0: i64 = 0
        self.l1: i64 = 0
        self.l2: i64 = 0
        self.l3: i64 = 0
        self.l4: i64 = 0
        self.l5: i64 = 0

    def copy_to(self, twin: TarokyPosition) -> None:
        """Make *twin* stand where this stands, but for events."""
        twin.phase = self.phase
        twin.turn = self.turn
        twin.number = self.number
        twin.ended = self.ended
        twin.c0 = self.c0
        twin.c1 = self.c1
        twin.c2 = self.c2
        twin.c3 = self.c3
        twin.results = self.results
        twin.before = self.before
        twin.povinnost = self.povinnost
        twin.order = self.order
        twin.d0 = self.d0
        twin.d1 = self.d1
        twin.d2 = self.d2
        twin.d3 = self.d3
        twin.h0 = self.h0
        twin.h1 = self.h1
        twin.h2 = self.h2
        twin.h3 = self.h3
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
        twin.x0 = self.x0
        twin.x1 = self.x1
        twin.x2 = self.x2
        twin.x3 = self.x3
        twin.left = self.left
        twin.money = self.money
        twin.b0 = self.b0
        twin.b1 = self.b1
        twin.b2 = self.b2
        twin.b3 = self.b3
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
        twin.t0 = self.t0
        twin.t1 = self.t1
        twin.t2 = self.t2
        twin.t3 = self.t3
        twin.l0 = self.l0
        twin.l1 = self.l1
        twin.l2 = self.l2
        twin.l3 = self.l3
        twin.l4 = self.l4
        twin.l5 = self.l5

    # One attribute a seat, found by number.

    def hand(self, seat: i64) -> i64:
        """Return the cards *seat* holds."""
        if seat < 2:
            return self.h0 if seat == 0 else self.h1
        return self.h2 if seat == 2 else self.h3

    def set_hand(self, seat: i64, cards: i64) -> None:
        """Let *seat* hold *cards*."""
        if seat < 2:
            if seat == 0:
                self.h0 = cards
            else:
                self.h1 = cards
        elif seat == 2:
            self.h2 = cards
        else:
            self.h3 = cards

    def holder(self, card: i64) -> i64:
        """Return the seat that holds *card*, NOBODY if none does."""
        one = bit(card)
        if (self.h0 | self.h1) & one:
            return 0 if self.h0 & one else 1
        if self.h2 & one:
            return 2
        return 3 if self.h3 & one else NOBODY

    def dealt(self, seat: i64) -> list[int]:
        """Return the cards *seat* was dealt, in their order."""
        if self.order:
            start = 12 * int(seat)
            return self.order[start : start + 12]
        if seat < 2:
            return cards_of(self.d0 if seat == 0 else self.d1)
        return cards_of(self.d2 if seat == 2 else self.d3)

    def discarded(self, seat: i64) -> i64:
        """Return what *seat* has discarded, packed."""
        if seat < 2:
            return self.x0 if seat == 0 else self.x1
        return self.x2 if seat == 2 else self.x3

    def laid(self, seat: i64) -> i64:
        """Return what *seat* has discarded as a set."""
        packed = self.discarded(seat)
        cards: i64 = 0
        while packed > 0:
            cards |= bit((packed & 63) - 1)
            packed >>= 6
        return cards

    def discards(self, seat: i64) -> list[int]:
        """Return what *seat* has discarded, in its order."""
        packed = self.discarded(seat)
        return [card - 1 for card in unpack(packed, many(packed))]

    def taken(self, seat: i64) -> i64:
        """Return the cards of the tricks *seat* has taken."""
        if seat < 2:
            return self.t0 if seat == 0 else self.t1
        return self.t2 if seat == 2 else self.t3

    def chips(self) -> list[int]:
        """Return everybody's chips."""
        return [int(self.c0), int(self.c1), int(self.c2), int(self.c3)]

    def brought(self) -> list[int]:
        """Return what money cards have brought each seat in this deal."""
        return [int(self.b0), int(self.b1), int(self.b2), int(self.b3)]

    def player(self, seat: i64) -> i64:
        """Return the number of *seat* in this deal: 0 is Povinnost, whom the notation calls 1."""
        return (seat - self.povinnost) & 3

    def talon_card(self, n: i64) -> i64:
        """Return card *n* (from 0) of the talon."""
        return self.talon >> 6 * n & 63

    def talon_cards(self, start: i64, n: i64) -> list[int]:
        """Return *n* cards of the talon from *start* on."""
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
        if player == _taker(self.gift2, 1):
            out += self.talon_cards(4, 1)
        if player == _taker(self.gift3, 2):
            out += self.talon_cards(5, 1)
        return out

    def caller(self, level: i64) -> i64:
        """Return who called contra (*level* 0), rhea or supra."""
        return self.callers >> 2 * level & 3

    def rounds(self) -> list[i64]:
        """Return the finished tricks of the deal, each four cards and its leader."""
        out: list[i64] = []
        for word in [self.l0, self.l1, self.l2, self.l3, self.l4, self.l5]:
            out += [word & 0x3FFFFFF, word >> 26]
        return out[: int(self.done)]

    def write_trick(self, packed: i64) -> None:
        """Keep the finished trick number `done`, from 0."""
        if self.done & 1:
            packed <<= 26
        word = self.done >> 1
        if word < 3:
            if word == 0:
                self.l0 |= packed
            elif word == 1:
                self.l1 |= packed
            else:
                self.l2 |= packed
        elif word == 3:
            self.l3 |= packed
        elif word == 4:
            self.l4 |= packed
        else:
            self.l5 |= packed

    def lies_open(self) -> bool:
        """Say whether a deal has ended and the next one was not yet dealt."""
        return self.number > 0 and (self.phase == DEALING or self.phase == OVER)

    # What the settlement depends on.

    def outcome(self) -> Outcome:
        """Return how the finished play has come out for the declaring side (R13)."""
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
                taken = self.taken(seat)
                total += points(taken) + points(self.laid(seat))
                tricks += count(taken) >> 2
            seat += 1
        outcome.points = total
        outcome.tricks = tricks
        return outcome

    def result(self) -> DealResult:
        """Return how the last deal has ended, while it lies open."""
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
