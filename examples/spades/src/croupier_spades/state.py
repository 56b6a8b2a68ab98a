"""The rules of Spades; the numbers refer to README.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mypy_extensions import i64

from croupier.core.cards import bit, cards_of, count, mask_of, nth
from croupier.core.contract import Draw, Event, IllegalAction, Refusals, State
from croupier.core.dice import Dice
from croupier.core.options import Value, number_of
from croupier.core.tricks import taken_by
from croupier_spades.events import Bid, DealEnded, DealStarted, Dealt, Played, TrickTaken
from croupier_spades.view import SpadesView
from croupier_spades.vocabulary import (
    ACTIONS,
    BID,
    BIDDING,
    DEALING,
    DECK,
    FLOOR,
    HAND,
    OVER,
    PLAY,
    PLAYING,
    SEATS,
    SPADES,
    SUIT,
)

WHOLE: Final = list(range(DECK))
REFUSALS: Final = Refusals(
    ACTIONS,
    {
        "not_your_turn": "it is not your turn",
        "not_now.bidding": "expected a bid",
        "not_now.playing": "the bids are complete, expected a card",
        "no_nil": "nil is not allowed at this table",
        "must_follow": "you can follow suit",
        "not_broken": "spades are not broken",
    },
)


class SpadesState(State):
    """One match."""

    def __init__(self, options: Mapping[str, Value]) -> None:
        super().__init__()
        self.options = options
        self.target = number_of(options, "target")
        self.phase = DEALING
        self.dealt = 0
        """The number of deals so far, including the current one."""
        self.dealer = 0
        self.hands: list[int] = [0] * SEATS
        self.initial: list[int] = [0] * SEATS
        self.bids = [-1] * SEATS
        self.leader = 1
        self.trick: list[int] = []
        self.tricks: list[tuple[int, list[int], int]] = []
        self.broken = False
        self.deals: list[tuple[list[int], list[int]]] = []
        self.totals = [0, 0]

    # Whose turn it is, and what is legal.

    def turn(self) -> int:
        """Return the seat that decides, -1 if none does."""
        if self.phase == BIDDING:
            return (self.dealer + 1 + sum(bid >= 0 for bid in self.bids)) % SEATS  # R2.1
        if self.phase == PLAYING:
            return (self.leader + len(self.trick)) % SEATS  # R3.1
        return -1

    def to_act(self) -> int:
        turn = self.turn()
        return 1 << turn if turn >= 0 else 0

    def awaiting(self) -> Draw | None:
        return Draw(WHOLE, DECK) if self.phase == DEALING else None

    def over(self) -> bool:
        return self.phase == OVER

    def playable(self, seat: int) -> i64:
        """Return the cards that *seat* may play to this trick."""
        hand: i64 = self.hands[seat]
        if self.trick:
            follow: i64 = hand & SUIT[self.trick[0] // 13]
            return follow if follow else hand  # R3.2
        if not self.broken and hand & ~SPADES:
            return hand & ~SPADES  # R3.4
        return hand

    def legal_actions(self, seat: int) -> list[int]:
        if seat < 0 or seat != self.turn():
            return []
        if self.phase == BIDDING:
            return list(range(BID + (0 if self.options["nil"] else 1), BID + 14))  # R2.2
        return [PLAY + card for card in cards_of(self.playable(seat))]

    def choices(self, seat: i64) -> i64:
        if self.phase == PLAYING and seat == self.turn():
            return count(self.playable(int(seat)))
        return len(self.legal_actions(int(seat)))

    def choice(self, seat: i64, k: i64) -> i64:
        if self.phase == PLAYING:
            return PLAY + nth(self.playable(int(seat)), k)
        return self.legal_actions(int(seat))[int(k)]

    def why_not(self, seat: int, action: int) -> IllegalAction:
        if not 0 <= action < len(ACTIONS):
            return REFUSALS.unknown(action)
        if seat != self.turn():
            return REFUSALS.of("not_your_turn", action)
        if self.phase == BIDDING:
            if action >= PLAY:
                return REFUSALS.of("not_now.bidding", action)
            return REFUSALS.of("no_nil", action)
        if action < PLAY:
            return REFUSALS.of("not_now.playing", action)
        if not self.hands[seat] & bit(action - PLAY):
            return REFUSALS.of("not_yours", action)
        if self.trick:
            return REFUSALS.of("must_follow", action)
        return REFUSALS.of("not_broken", action)

    # What happens.

    def _tell(self, event: Event) -> None:
        if self.events is not None:
            self.events.append(event)

    def apply_draw(self, outcome: list[int]) -> None:
        (self.awaiting() or Draw([], 0, replace=True)).check(outcome)
        self.dealt += 1
        self.dealer = (self.dealt - 1) % SEATS  # R1.3
        self.phase, self.broken = BIDDING, False
        self.bids, self.trick, self.tricks = [-1] * SEATS, [], []
        self.leader = (self.dealer + 1) % SEATS
        self.initial = [int(mask_of(outcome[HAND * seat : HAND * (seat + 1)])) for seat in range(SEATS)]
        self.hands = self.initial[:]
        if self.events is not None:
            self._tell(DealStarted(self.dealt, self.dealer))
            for seat in range(SEATS):
                self._tell(Dealt(seat, self.hands[seat]))

    def apply(self, seat: int, action: int) -> None:
        if action not in self.legal_actions(seat):
            raise self.why_not(seat, action)
        if self.phase == BIDDING:
            self.bids[seat] = action - BID
            self._tell(Bid(seat, action - BID))
            if -1 not in self.bids:
                self.phase = PLAYING
        else:
            self._play(seat, action - PLAY)

    def _play(self, seat: int, card: int) -> None:
        self.hands[seat] &= ~bit(card)
        self.trick.append(card)
        self.broken = self.broken or bool(bit(card) & SPADES)
        self._tell(Played(seat, card))
        if len(self.trick) == SEATS:
            taker = taken_by(self.trick, self.leader, SUIT[self.trick[0] // 13], SPADES)  # R3.3
            self._tell(TrickTaken(self.leader, self.trick, taker))
            self.tricks.append((self.leader, self.trick, taker))
            self.leader, self.trick = taker, []
            if len(self.tricks) == HAND:
                self._settle()

    # Scores.

    def taken(self, seat: int) -> int:
        return sum(taker == seat for _, _, taker in self.tricks)

    def _settle(self) -> None:
        before = self.deals[-1][1] if self.deals else [0, 0]
        results = [self._side(side, before[side]) for side in range(2)]
        scores, bags = [points for points, _ in results], [left for _, left in results]
        self.deals.append((scores, bags))
        self.totals = [total + points for total, points in zip(self.totals, scores, strict=True)]
        ends = max(self.totals) >= self.target or min(self.totals) <= FLOOR
        self.phase = OVER if ends and self.totals[0] != self.totals[1] else DEALING  # R4.5
        self._tell(DealEnded(self.dealt, scores, bags, self.totals, self.phase == OVER))

    def _side(self, side: int, bags: int) -> tuple[int, int]:
        """Return the points of a side in this deal, and its bags since the last penalty."""
        seats = (side, side + 2)
        bid = sum(self.bids[seat] for seat in seats)
        over = sum(self.taken(seat) for seat in seats) - bid
        points = 10 * bid + over if over >= 0 else -10 * bid  # R4.1, R4.2
        for seat in seats:
            if self.bids[seat] == 0:
                points += -100 if self.taken(seat) else 100  # R4.3
        bags += max(over, 0)
        if self.options["sandbags"] and bags >= 10:  # R4.4
            return points - 100, bags - 10
        return points, bags

    def deal(self) -> int:
        return len(self.deals)

    def scores(self) -> list[int]:
        return [self.totals[seat % 2] for seat in range(SEATS)]

    # Views, copies, playouts.

    def view(self, seat: int) -> SpadesView:
        view = SpadesView(seat, self.options)
        view.to_act, view.legal = self.to_act(), self.legal_actions(seat)
        view.phase, view.deal = self.phase, self.dealt
        view.bids, view.trick = self.bids[:], self.trick[:]
        view.tricks, view.deals, view.totals = self.tricks[:], self.deals[:], self.totals[:]
        if self.dealt:
            view.dealer, view.leader = self.dealer, self.leader
        if seat >= 0:
            view.initial, view.hand = self.initial[seat], self.hands[seat]
        return view

    def clone(self) -> SpadesState:
        other = SpadesState(self.options)
        other.phase, other.dealt, other.dealer = self.phase, self.dealt, self.dealer
        other.hands, other.initial, other.bids = self.hands[:], self.initial[:], self.bids[:]
        other.leader, other.trick, other.tricks = self.leader, self.trick[:], self.tricks[:]
        other.broken, other.deals, other.totals = self.broken, self.deals[:], self.totals[:]
        return other

    def policy(self, seat: i64, dice: Dice) -> i64:
        """Bid by high cards in a playout, play at random."""
        if self.phase == BIDDING:
            return BID + estimate(self.hands[int(seat)])
        return self.any_action(seat, dice)


def estimate(hand: i64) -> int:
    """Return a cautious number of tricks for *hand*, at least 1."""
    sure = 0.0
    for suit in range(3):
        cards = hand & SUIT[suit]
        length = count(cards)
        for rank, worth in ((12, 0.9), (11, 0.6), (10, 0.25)):
            if cards & bit(13 * suit + rank) and length <= 6:
                sure += worth
    trumps = hand & SPADES
    sure += 0.7 * max(0, int(count(trumps)) - 3)
    for rank, worth in ((12, 1.0), (11, 0.9), (10, 0.6)):
        if trumps & bit(39 + rank):
            sure += worth
    return max(1, min(13, round(sure)))
