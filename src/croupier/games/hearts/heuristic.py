"""A Hearts bot that follows rules of thumb.

Every legal card gets a cost in points: the probability that it takes the trick, times the points the
trick may hold, plus the danger of the cards that stay in the hand. The bot plays the cheapest card and
passes the cards whose absence makes the hand safest. When the hand looks strong enough to take every
penalty card, it tries to shoot the moon, which gains four times the points.

A decision holds what the seat knows as card sets, so that no lists are created. They come from a view, or
faster from a position; a test compares both.
"""

from __future__ import annotations

from random import Random
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from croupier.core.cards import bit, count, highest, lowest, mask_of
from croupier.core.contract import Bot, State, View
from croupier.core.tricks import above, below
from croupier.games.hearts.position import HeartsPosition, many
from croupier.games.hearts.view import HeartsView
from croupier.games.hearts.vocabulary import (
    ACE_OF_HEARTS,
    EXPOSE,
    EXPOSING,
    HEART,
    HEARTS,
    KEEP,
    NOBODY,
    PASS,
    PASSING,
    PENALTY,
    PLAYING,
    QUEEN,
    QUEEN_OF_SPADES,
    SEATS,
    TEN_OF_CLUBS,
    WHOLE,
)

TEN: Final[i64] = bit(TEN_OF_CLUBS)
SPADE: Final = 3
WORTH: Final = vec[float]([1.0, 2.0, 4.0, 5.0])
"""What a trick in clubs or diamonds may cost, by how often the suit was led before."""
LONE_QUEEN: Final = vec[float]([0.85, 0.6, 0.4, 0.22, 0.12])
"""The probability that the holder of QS has to take it, by the number of lower spades in the hand."""
OVER_QUEEN: Final = vec[float]([0.45, 0.35, 0.22, 0.12, 0.06])
"""The probability that AS or KS takes QS, by the number of lower spades in the hand."""


def _taking(out: int, lower: int) -> float:
    """Return the chance that a card takes its trick if *lower* of the *out* cards of its suit are lower."""
    return (lower / out) ** min(3, out) if out else 0.0


OUT: Final = 14
"""0 to 13 cards of a suit may be out."""
TAKES: Final = vec[float]([_taking(out, lower) for out in range(OUT) for lower in range(OUT)])
VOID: Final = vec[float]([(2 / 3) ** out for out in range(OUT)])
"""The probability that a seat lacks a suit, by the number of its cards that are out."""
SPADES: Final[i64] = 0xFFF8000000000
"""The spades; shifted right they give every suit."""


class Heuristic(Bot):
    """Always gives the same answer to the same view."""

    def choose(self, view: View, rng: Random) -> int:
        assert isinstance(view, HeartsView)
        if len(view.legal) == 1:
            return view.legal[0]
        decision = _Decision(view.seat)
        decision.read_view(view)
        return int(decision.choice(view.phase))

    def choose_at(self, state: State, seat: int, rng: Random) -> int:
        assert isinstance(state, HeartsPosition)
        if state.choices(seat) == 1:
            return int(state.choice(seat, 0))
        decision = _Decision(seat)
        decision.read_position(state)
        return int(decision.choice(state.phase))


class _Decision:
    """One decision: the unseen cards, the danger of each suit, the choice."""

    def __init__(self, seat: i64) -> None:
        self.seat: i64 = seat
        self.hand: i64 = 0
        self.may: i64 = 0
        """The cards it may play."""
        self.out: i64 = 0
        """The cards the others hold."""
        self.picked: i64 = 0
        """How many cards it has picked to pass."""
        self.mine: i64 = 0
        """The score cards it has taken."""
        self.others: i64 = 0
        """The penalty cards the others have taken."""
        self.takers: i64 = 0
        """How many of the others have taken penalty cards."""
        # The trick.
        self.table: i64 = 0
        self.fallen: i64 = 0
        self.led: i64 = -1
        """Its suit, or -1."""
        self.best: i64 = -1
        """The card that takes it so far, or -1."""
        self.after: i64 = 0
        """The seats that play after this one, as a mask."""
        self.void: i64 = 0
        """The suits that seats have shown not to hold, four bits for each."""
        # The rules.
        self.heart: float = 1.0
        """The points of a heart."""
        self.moon: float = 1.0
        self.ten_counts: bool = False
        self.clean: bool = False
        """True if no seat may throw penalty cards into this trick."""

    # What the seat knows.

    def read_view(self, view: HeartsView) -> None:
        """Take everything from *view*."""
        self.hand = view.hand
        seen = view.hand
        for cards in view.played:
            seen |= mask_of(cards)
        self.out = WHOLE & ~seen
        self.picked = len(view.picked)
        self.may = mask_of(view.legal) if view.phase == PLAYING else 0
        seat: i64 = 0
        while seat < SEATS:
            self._add_taken(seat, view.taken[seat])
            self.void |= view.void[seat] << 4 * seat
            card: i64 = view.table[seat]
            if card >= 0:
                self.table |= bit(card)
                self.fallen += 1
            elif seat != self.seat:
                self.after |= 1 << seat
            seat += 1
        if self.table:
            first: i64 = view.table[view.leader]
            self.led = first // 13
            self.best = highest(self.table & _suit(self.led))
        self.heart = 2.0 if view.exposed >= 0 else 1.0
        self.moon = 4.0 if view.options.get("moon") == "plus4" else 1.0
        self.ten_counts = view.options.get("ten_of_clubs") is True
        self.clean = view.round == 1 and view.options.get("first_round_points") == "forbid"

    def read_position(self, position: HeartsPosition) -> None:
        """Take from *position* what the view of the seat contains."""
        self.hand = position.hands[self.seat]
        if position.phase == PASSING:
            self.out = WHOLE & ~self.hand
            self.picked = many(position.picks[self.seat])
        else:
            self.out = position.held() & ~self.hand
        self.may = position.may
        self.fallen = position.fallen
        seat: i64 = 0
        while seat < SEATS:
            self._add_taken(seat, position.taken[seat])
            at = (seat - position.leader) & 3
            if at < self.fallen:
                self.table |= bit(position.trick >> 6 * at & 63)
            elif seat != self.seat:
                self.after |= 1 << seat
            seat += 1
        if self.fallen:
            self.led = (position.trick & 63) // 13
            self.best = position.best
        if self.after:
            self.void = position.void()
        self.heart = 2.0 if position.exposed != NOBODY else 1.0
        self.moon = 4.0 if position.rules.moon_pays else 1.0
        self.ten_counts = position.rules.ten_of_clubs
        self.clean = position.round == 1 and position.rules.clean_start

    def _add_taken(self, seat: i64, taken: i64) -> None:
        if seat == self.seat:
            self.mine = taken
        elif taken & PENALTY:
            self.others |= taken & PENALTY
            self.takers += 1

    # The danger of a hand.

    def suit_danger(self, suit: i64, cards: i64) -> float:
        """Return what holding *cards* of *suit* may cost in the rest of the deal."""
        if not cards:
            return -0.8 if suit < HEART else -0.4  # a void lets the seat throw dangerous cards
        if suit == SPADE:
            return self._spade_danger(cards)
        out = self.out & _suit(suit)
        left = count(out)
        total: float = 0.0
        at: i64 = 0
        rest = cards
        while rest:
            card = lowest(rest)
            rest &= rest - 1
            if left == 0:
                total += 0.6
            else:
                worth: float = 3.5 * self.heart if suit == HEART else WORTH[at if at < 3 else 3]
                if self.ten_counts and card == TEN_OF_CLUBS:
                    worth += 2.0
                total += TAKES[left * OUT + count(below(out, card))] * worth
            at += 1
        if at == 1 and suit < HEART:
            total -= 0.3
        return total

    def _spade_danger(self, cards: i64) -> float:
        low = count(below(cards, QUEEN_OF_SPADES))
        if low > 4:
            low = 4
        if cards & QUEEN:
            return 13.0 * LONE_QUEEN[low]
        if self.out & QUEEN:
            return 13.0 * float(count(above(cards, QUEEN_OF_SPADES))) * OVER_QUEEN[low]
        out = self.out & _suit(SPADE)
        left = count(out)
        total: float = 0.0
        at: i64 = 0
        while cards:
            take: float = TAKES[left * OUT + count(below(out, lowest(cards)))] if left else 0.3
            total += take * WORTH[at if at < 3 else 3]
            cards &= cards - 1
            at += 1
        return total

    # The moon.

    def takes_all(self, hand: i64, bound: float) -> bool:
        """Return whether *hand* is expected to lose at most *bound* tricks if it leads its highest cards
        first."""
        total: float = 0.0
        suit: i64 = 0
        while suit < 4:
            held = hand & _suit(suit)
            out = self.out & _suit(suit)
            left = count(out)
            at: i64 = 0
            while held and left:
                card = highest(held)
                held &= ~bit(card)
                higher = count(above(out, card))
                if higher:
                    # Each lead before this one draws about three cards, high ones or not.
                    stay: float = 1.0 - 3.0 * float(at) / float(left)
                    if stay > 0.0:
                        lost: float = float(higher) * stay * 0.9
                        total += lost if lost < 1.0 else 1.0
                        if total > bound:
                            return False
                at += 1
            suit += 1
        return total <= bound

    def shoots(self) -> bool:
        """Return True if the seat should try to take all the penalty cards."""
        if self.others:
            return False
        points = count(self.mine & HEARTS) + (13 if self.mine & QUEEN else 0)
        return self.takes_all(self.hand, 0.7 + 0.06 * float(points))

    # The decisions.

    def choice(self, phase: i64) -> i64:
        """Return the action to choose."""
        if phase == PASSING:
            return PASS + self.card_to_pass()
        if phase == EXPOSING:
            return EXPOSE if self.wants_to_expose() else KEEP
        if self.shoots():
            return self._grab()
        return self.cheapest(self.may, True)

    def card_to_pass(self) -> i64:
        first = self._weakest(self.hand)
        rest = self.hand & ~bit(first)
        more = 2 - self.picked
        while more > 0:
            rest &= ~bit(self._weakest(rest))
            more -= 1
        if self.takes_all(rest, 1.0):
            return first
        return self.cheapest(self.hand, False)

    def _weakest(self, cards: i64) -> i64:
        """Return the card that helps least to take every trick."""
        weakest: i64 = -1
        most: i64 = -1
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            higher = self._higher(card)
            if higher > most:
                weakest = card
                most = higher
        return weakest

    def _higher(self, card: i64) -> i64:
        """Return how many cards may beat *card*, and two more for a heart that is not the highest."""
        higher = count(above(self.out & _suit(card // 13), card))
        return higher + 2 if higher and card // 13 == HEART else higher

    def wants_to_expose(self) -> bool:
        if self.takes_all(self.hand, 0.7):
            return True
        if count(below(self.hand & HEARTS, ACE_OF_HEARTS - 6)) < 3:
            return False
        danger: float = 0.0
        suit: i64 = 0
        while suit < 4:
            danger += self.suit_danger(suit, self.hand & _suit(suit))
            suit += 1
        return danger < 3.0

    def cheapest(self, cards: i64, playing: bool) -> i64:
        """Return the card that costs least to play, or to pass: the highest of those that cost the same."""
        best: i64 = -1
        least: float = 1e300
        menaced = self._menaced()
        suit: i64 = 0
        while suit < 4:
            some = cards & _suit(suit)
            held = self.hand & _suit(suit)
            danger: float = self.suit_danger(suit, held) if some else 0.0
            while some:
                card = lowest(some)
                some &= some - 1
                cost: float = self.suit_danger(suit, held & ~bit(card)) - danger
                if playing:
                    cost = self._cost(card, menaced, cost)
                if cost <= least:
                    least = cost
                    best = card
            suit += 1
        return best

    def _grab(self) -> i64:
        """Return the card for a seat that wants every trick."""
        if self.led < 0:
            return self._lead()
        winners = self.may & _suit(self.led)
        winners = above(winners, self.best)
        if winners:
            return lowest(winners) if self.fallen == SEATS - 1 else highest(winners)
        harmless = self.may & ~PENALTY
        best: i64 = -1
        least: i64 = 99
        left = harmless if harmless else self.may
        while left:
            card = lowest(left)
            left &= left - 1
            higher = self._higher(card)
            if higher < least:
                least = higher
                best = card
        return best

    def _lead(self) -> i64:
        """Return the card to lead: those that cannot be beaten first, hearts after the other suits, high
        cards before low ones."""
        best: i64 = -1
        most: i64 = -1
        left = self.may
        while left:
            card = lowest(left)
            left &= left - 1
            worth = card % 13
            if card // 13 != HEART:
                worth += 16
            if not above(self.out & _suit(card // 13), card):
                worth += 32
            if worth > most:
                most = worth
                best = card
        return best

    def _cost(self, card: i64, menaced: bool, keeping: float) -> float:
        """Return what playing *card* may cost, in points; *keeping* is the danger of the other cards."""
        suit = card // 13 if self.led < 0 else self.led
        chance = self._chance(card, suit)
        if chance > 0.0:
            return chance * self._trick_worth(card, suit, menaced) + keeping
        if menaced and card // 13 == HEART:
            return keeping + 6.0 * self.heart  # a heart that is kept may prevent another player's moon
        return keeping

    def _chance(self, card: i64, suit: i64) -> float:
        """Return the chance that *card* takes the trick."""
        if card // 13 != suit or card < self.best:
            return 0.0
        out = self.out & _suit(suit)
        higher = count(above(out, card))
        chance: float = 1.0
        if not higher:
            return chance
        each: float = 1.0 - 0.85 * float(higher) / float(count(out))
        seat: i64 = 0
        while seat < SEATS:
            if self.after >> seat & 1 and not self.void >> 4 * seat + suit & 1:
                chance *= each
            seat += 1
        return chance

    def _trick_worth(self, card: i64, suit: i64, menaced: bool) -> float:
        """Return how many points the trick may cost the seat that takes it."""
        lying = bit(card) | self.table
        worth: float = self.heart * float(count(lying & HEARTS)) + (13.0 if lying & QUEEN else 0.0)
        queen_out = self.out & QUEEN != 0
        thrown: float = 4.5 if queen_out and suit != SPADE else 0.0
        if self.out & HEARTS:
            thrown += 1.2 * self.heart
        lacks: float = VOID[count(self.out & _suit(suit))]
        seat: i64 = 0
        while seat < SEATS:
            if self.after >> seat & 1:
                void: float = 1.0 if self.void >> 4 * seat + suit & 1 else lacks
                if suit == HEART:
                    worth += (1.0 - void) * self.heart
                elif suit == SPADE and queen_out and card > QUEEN_OF_SPADES:
                    worth += (1.0 - void) * 13.0 / 3.0
                if not self.clean:
                    worth += void * thrown
            seat += 1
        if self.ten_counts:
            if self.mine & TEN:
                worth *= 2.0
            elif lying & TEN:
                points = count(self.mine & HEARTS)
                worth = (
                    2.0 * worth + (self.heart * float(points) + (13.0 if self.mine & QUEEN else 0.0)) + 3.0
                )
        if menaced and worth > 0.0:
            worth = (worth if worth < 6.0 else 6.0) - 20.0 * (self.moon / 4.0)
        return worth

    def _menaced(self) -> bool:
        """Return whether another seat may be shooting the moon."""
        if self.mine & PENALTY or self.takers != 1:
            return False
        hearts = count(self.others & HEARTS)
        return hearts >= 6 or (hearts >= 3 and self.others & QUEEN != 0)


def _suit(suit: i64) -> i64:
    """Return the cards of *suit*."""
    return SPADES >> (39 - 13 * suit)
