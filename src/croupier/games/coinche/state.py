"""The rules of Coinche: a match of deals, each one bid, played and scored (R1-R9).

    DEALING -draw-> BIDDING -contract-> PLAYING -eight tricks-> DEALING ... OVER
                       `-four passes-> DEALING

One seat at a time calls or plays, and everyone knows which. The auction is in auction.py.
"""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from croupier.core.cards import bit, count, mask_of, nth, numbered
from croupier.core.contract import BadDraw, Draw, IllegalAction
from croupier.core.dice import Dice
from croupier.core.layout import Writer
from croupier.games.coinche.auction import NOBODY, Auction
from croupier.games.coinche.events import (
    Announced,
    AuctionEnded,
    Called,
    DealEnded,
    DealStarted,
    Dealt,
    MatchEnded,
    MatchStarted,
    PassedOut,
    Played,
    TrickStarted,
    TrickTaken,
)
from croupier.games.coinche.legality import cards_over, playable
from croupier.games.coinche.observing import observe
from croupier.games.coinche.playout import policy
from croupier.games.coinche.position import CoinchePosition
from croupier.games.coinche.ranks import LAST_TRICK, points, suit_of
from croupier.games.coinche.refusals import refusal
from croupier.games.coinche.scoring import Tally, belotes, is_made, score
from croupier.games.coinche.showing import show
from croupier.games.coinche.view import CoincheView, DealResult
from croupier.games.coinche.vocabulary import (
    BIDDING,
    DEALING,
    DECK,
    FIRST_SEAT,
    GENERALE,
    HAND,
    OVER,
    PLAY,
    PLAYING,
    SEATS,
    WHOLE,
    hands_of,
)


class CoincheState(CoinchePosition):
    """One match of Coinche."""

    def clone(self) -> CoincheState:
        twin = CoincheState(self.rules)
        self.copy_to(twin)
        return twin

    # Decisions and legal actions.

    def to_act(self) -> int:
        return 0 if self.turn == NOBODY else int(1 << self.turn)

    def to_act_for(self, seat: int) -> int:
        return self.to_act()

    def awaiting(self) -> Draw | None:
        if self.phase != DEALING:
            return None
        if self.next_dealer < 0:
            return Draw(list(range(FIRST_SEAT, FIRST_SEAT + SEATS)), 1)  # R3.3
        return Draw(list(range(DECK)), DECK)

    def over(self) -> bool:
        return self.phase == OVER

    def choices(self, seat: i64) -> i64:
        if seat != self.turn:
            return 0
        if self.phase == PLAYING:
            return count(self.may)
        return self.auction.choices()

    def choice(self, seat: i64, k: i64) -> i64:
        if self.phase == PLAYING:
            return PLAY + nth(self.may, k)
        return self.auction.choice(k)

    def any_action(self, seat: i64, dice: Dice) -> i64:
        if self.phase == PLAYING:
            return PLAY + dice.any_of(self.may)
        return self.auction.choice(dice.index(self.auction.choices()))

    def policy(self, seat: i64, dice: Dice) -> i64:
        return policy(self, dice)

    def write_legal(self, seat: i64, out: Writer) -> None:
        if self.phase == PLAYING and seat == self.turn:
            out.skip(PLAY)
            out.put(self.may, DECK)
        else:
            super().write_legal(seat, out)

    def observe(self, seat: i64, out: Writer) -> bool:
        if self.turn < 0:
            return False
        observe(self, seat, out)
        return True

    def legal_actions(self, seat: int) -> list[int]:
        if seat < 0 or seat != self.turn:
            return []
        if self.phase == PLAYING:
            return numbered(self.may, PLAY)
        return [int(self.auction.choice(k)) for k in range(self.auction.choices())]

    def apply(self, seat: int, action: int) -> None:
        if not 0 <= seat < SEATS or not 0 <= action < PLAY + DECK:
            raise refusal(self, seat, action)
        asked: i64 = seat
        if asked != self.turn:
            raise refusal(self, seat, action)
        code: i64 = action
        if self.phase == PLAYING:
            if code < PLAY or not self.may & bit(code - PLAY):
                raise refusal(self, seat, action)
            self._play(asked, code - PLAY)
        else:
            if code >= PLAY or not self.auction.allows(code):
                raise refusal(self, seat, action)
            self._call(code)

    def why_not(self, seat: int, action: int) -> IllegalAction:
        return refusal(self, seat, action)

    # Dealing (R3).

    def apply_draw(self, outcome: list[int]) -> None:
        draw = self.awaiting()
        if draw is None:
            raise BadDraw("a draw came: none is due")
        draw.check(outcome)
        if self.next_dealer < 0:
            self.next_dealer = outcome[0] - FIRST_SEAT
            return
        hands = hands_of(outcome, int(self.next_dealer))
        self._deal(mask_of(hands[0]), mask_of(hands[1]), mask_of(hands[2]), mask_of(hands[3]))

    def roll(self, dice: Dice) -> None:
        if self.next_dealer < 0:
            self.next_dealer = dice.below(SEATS)
            return
        two = dice.some_of(WHOLE, 2 * HAND)
        hand0 = dice.some_of(two, HAND)
        hand2 = dice.some_of(WHOLE & ~two, HAND)
        self._deal(hand0, two & ~hand0, hand2, WHOLE & ~(two | hand2))

    def _deal(self, hand0: i64, hand1: i64, hand2: i64, hand3: i64) -> None:
        """Start the next deal with these hands."""
        self.number += 1
        self.dealer = self.next_dealer
        self.next_dealer = (self.dealer + 1) & 3
        self.dealt = vec[i64]([hand0, hand1, hand2, hand3])
        self.hands = self.dealt[:]
        self.played = vec[i64]([0] * HAND)
        self.p0 = self.p1 = 0
        self.takers = 0
        self.won = 0
        self.round = 0
        self.fallen = 0
        self.trick = 0
        self.leader = NOBODY
        self.winner = NOBODY
        self.phase = BIDDING
        self.turn = self.next_dealer
        self.auction = Auction(self.rules, self.turn)
        if self.events is not None:
            if self.number == 1:
                self.events.append(MatchStarted(self.rules.options))
            self.events.append(DealStarted(int(self.number), int(self.dealer), int(self.turn)))
            for seat in range(SEATS):
                self.events.append(Dealt(seat, self.dealt[seat]))

    # Bidding (R4).

    def _call(self, action: i64) -> None:
        auction = self.auction
        if self.events is not None:
            self.events.append(Called(int(self.turn), int(action)))
        auction.call(action)
        self.turn = auction.turn
        if auction.turn != NOBODY:
            return
        if auction.passed_out():
            self._pass_out()
            return
        if self.events is not None:
            self.events.append(
                AuctionEnded(
                    int(auction.bidder),
                    int(auction.level),
                    int(auction.denomination),
                    int(auction.doubled),
                    int(self.rules.factor(auction.doubled)),
                )
            )
        self.phase = PLAYING
        alone = auction.level == GENERALE and self.rules.generale_leads
        self._start_trick(auction.bidder if alone else (self.dealer + 1) & 3)

    def _pass_out(self) -> None:
        self.ended += 1
        self.phase = DEALING
        self.results = [*self.results, DealResult(int(self.dealer), -1, -1, -1, 0)]
        if self.events is not None:
            self.events.append(PassedOut(int(self.number), self.totals()))

    # Playing (R5, R6, R7).

    def _start_trick(self, leader: i64) -> None:
        self.round += 1
        self.leader = leader
        self.fallen = 0
        self.trick = 0
        self.pile = 0
        self.turn = leader
        self.may = self.hands[leader]
        if self.events is not None:
            self.events.append(TrickStarted(int(self.round), int(leader)))

    def _play(self, seat: i64, card: i64) -> None:
        denomination = self.auction.denomination
        self.hands[seat] &= ~bit(card)
        if self.fallen == 0:
            self.led = suit_of(card)
            self.winner = NOBODY
        if self.fallen == 0 or bit(card) & self.over_best:
            self.best = card
            self.over_best = cards_over(card, self.led, denomination)
            self.winner = seat
        self.trick |= card << 6 * self.fallen
        self.fallen += 1
        self.pile += points(card, denomination, self.rules)
        if self.events is not None:
            self.events.append(Played(int(seat), int(card)))
            word = self.announcement(seat, card, self.hands[seat])
            if word is not None:
                self.events.append(Announced(word.seat, word.suit, word.again))
        if self.fallen == SEATS:
            self._end_trick()
            return
        self.turn = (seat + 1) & 3
        self.may = playable(
            self.hands[self.turn],
            self.led,
            self.best,
            self.over_best,
            self.partner_holds(),
            denomination,
            self.rules,
        )

    def _end_trick(self) -> None:
        self.played[self.round - 1] = self.trick | self.leader << 24
        winner = self.winner
        self.takers |= winner << 2 * (self.round - 1)
        if winner & 1:
            self.p1 += self.pile
            self.won += 1
        else:
            self.p0 += self.pile
        if self.events is not None:
            self.events.append(TrickTaken(int(self.round), int(winner), int(self.pile)))
        if self.round < HAND:
            self._start_trick(winner)
        else:
            self._end_deal()

    # Scoring (R8, R9).

    def _end_deal(self) -> None:
        rules = self.rules
        auction = self.auction
        if self.winner & 1:
            self.p1 += LAST_TRICK
        else:
            self.p0 += LAST_TRICK
        if self.won == 0:
            self.p0 = rules.total_all  # R5.3
        elif self.won == HAND:
            self.p1 = rules.total_all
        kind = auction.denomination
        belote0 = belotes(self.dealt[0], kind, rules) + belotes(self.dealt[2], kind, rules)
        belote1 = belotes(self.dealt[1], kind, rules) + belotes(self.dealt[3], kind, rules)
        if auction.bidder & 1:
            tally = Tally(self.p1, self.p0, belote1, belote0)
            tally.all_tricks = self.won == HAND
        else:
            tally = Tally(self.p0, self.p1, belote0, belote1)
            tally.all_tricks = self.won == 0
        tally.alone = tally.all_tricks and self.alone()
        made = is_made(auction.level, tally, rules)
        mine, theirs = score(auction.level, auction.doubled, made, tally, rules)
        score0 = theirs if auction.bidder & 1 else mine
        score1 = mine if auction.bidder & 1 else theirs
        self.s0 += score0
        self.s1 += score1
        self.ended += 1
        self.phase = DEALING
        self.turn = NOBODY
        self.fallen = 0
        self.trick = 0
        result = DealResult(
            int(self.dealer), int(auction.bidder), int(auction.level), int(kind), int(auction.doubled)
        )
        result.made = made
        result.points = [int(self.p0), int(self.p1)]
        result.tricks = [int(HAND - self.won), int(self.won)]
        result.belote = [int(belote0), int(belote1)]
        result.scores = [int(score0), int(score1)]
        # A new list, because clones share the old one.
        self.results = [*self.results, result]
        if self.events is not None:
            self.events.append(
                DealEnded(
                    int(self.number),
                    made,
                    result.points,
                    result.tricks,
                    result.belote,
                    result.scores,
                    self.totals(),
                )
            )
        if (self.s0 >= rules.target or self.s1 >= rules.target) and self.s0 != self.s1:
            self.phase = OVER  # R9.1
            if self.events is not None:
                self.events.append(MatchEnded(self.leading(), self.totals()))

    # Views.

    def view(self, seat: int) -> CoincheView:
        view = CoincheView(seat)
        show(self, view)
        view.to_act = self.to_act()
        view.legal = self.legal_actions(seat)
        return view

    # For sampling and logs.

    def resume(self, results: list[DealResult], dealer: int) -> None:
        """Set a fresh state to the point after deals with these *results*; *dealer* deals next."""
        assert self.number == 0, "only a fresh state can be resumed"
        self.results = results
        self.number = self.ended = len(results)
        self.next_dealer = dealer
        for result in results:
            self.s0 += result.scores[0]
            self.s1 += result.scores[1]
