"""The rules of Coinche: a match of deals, each one bid, played and scored (R1-R9).

    DEALING -draw-> BIDDING -contract-> PLAYING -eight tricks-> DEALING ... OVER
                       `-four passes-> DEALING

The auction is a value of its own (auction.py), frozen once it is over, so that clones share it. Card
sets are 64-bit masks held in plain attributes, one a seat (``h0`` to ``h3``): compiled, they need no
objects at all. What only views want, the order of plays, is packed into integers, six bits a card.
"""

from __future__ import annotations

from mypy_extensions import i64

from croupier.core.cards import bit, cards_of, count, mask_of, nth
from croupier.core.contract import BadDraw, Draw, IllegalAction, State
from croupier.core.dice import Dice
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
from croupier.games.coinche.legality import broken_rule, cards_over, playable, reason
from croupier.games.coinche.ranks import LAST_TRICK, points, suit_of
from croupier.games.coinche.scoring import Tally, belote_suits, belotes, is_made, pair, score
from croupier.games.coinche.view import Announcement, CoincheView, DealResult, Trick
from croupier.games.coinche.vocabulary import (
    ACTIONS,
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
    SUITS,
    SURCOINCHE,
    WHOLE,
    CoincheRules,
    hands_of,
)


class CoincheState(State):
    """One match of Coinche."""

    def __init__(self, rules: CoincheRules) -> None:
        super().__init__()
        self.rules = rules
        self.phase: i64 = DEALING
        # The match.
        self.number: i64 = 0
        """The deal, from 1."""
        self.ended: i64 = 0
        """The deals that are over."""
        self.next_dealer: i64 = rules.first_dealer
        """Who deals next, or -1 while that is to be drawn."""
        self.s0: i64 = 0
        self.s1: i64 = 0
        """``s0`` and ``s1``: the match score of the teams."""
        self.results: list[DealResult] = []
        # The deal. Everything stays to be seen until the next one is dealt.
        self.dealer: i64 = NOBODY
        self.auction = Auction(rules, NOBODY)
        self.d0: i64 = 0
        self.d1: i64 = 0
        self.d2: i64 = 0
        self.d3: i64 = 0
        """``d0`` to ``d3``: the eight cards each seat was dealt."""
        self.h0: i64 = 0
        self.h1: i64 = 0
        self.h2: i64 = 0
        self.h3: i64 = 0
        """``h0`` to ``h3``: the hands."""
        self.p0: i64 = 0
        self.p1: i64 = 0
        """``p0`` and ``p1``: the card points the teams have taken."""
        self.takers: i64 = 0
        """Who took the tricks, two bits each."""
        self.won: i64 = 0
        """How many of them team 1 took."""
        # The trick.
        self.round: i64 = 0
        self.leader: i64 = NOBODY
        self.turn: i64 = NOBODY
        """Whoever is to speak or to play."""
        self.may: i64 = 0
        """What the seat whose turn it is may play."""
        self.fallen: i64 = 0
        """How many cards lie on the table."""
        self.trick: i64 = 0
        """These cards, packed from the leader on."""
        self.led: i64 = 0
        self.best: i64 = 0
        self.over_best: i64 = 0
        """The cards that would take the trick from the best one."""
        self.winner: i64 = NOBODY
        self.pile: i64 = 0
        """The points on the table."""
        # The finished tricks, two in a word: four cards, then the leader.
        self.l0: i64 = 0
        self.l1: i64 = 0
        self.l2: i64 = 0
        self.l3: i64 = 0

    def clone(self) -> CoincheState:
        twin = CoincheState(self.rules)
        twin.phase = self.phase
        twin.number = self.number
        twin.ended = self.ended
        twin.next_dealer = self.next_dealer
        twin.s0 = self.s0
        twin.s1 = self.s1
        twin.results = self.results  # it only grows, by whole new lists: see _end_deal
        twin.dealer = self.dealer
        twin.auction = self.auction.clone() if self.phase == BIDDING else self.auction
        twin.d0 = self.d0
        twin.d1 = self.d1
        twin.d2 = self.d2
        twin.d3 = self.d3
        twin.h0 = self.h0
        twin.h1 = self.h1
        twin.h2 = self.h2
        twin.h3 = self.h3
        twin.p0 = self.p0
        twin.p1 = self.p1
        twin.takers = self.takers
        twin.won = self.won
        twin.round = self.round
        twin.leader = self.leader
        twin.turn = self.turn
        twin.may = self.may
        twin.fallen = self.fallen
        twin.trick = self.trick
        twin.led = self.led
        twin.best = self.best
        twin.over_best = self.over_best
        twin.winner = self.winner
        twin.pile = self.pile
        twin.l0 = self.l0
        twin.l1 = self.l1
        twin.l2 = self.l2
        twin.l3 = self.l3
        return twin

    # One attribute a seat, found by number.

    def hand(self, seat: i64) -> i64:
        """Return the cards *seat* holds."""
        if seat < 2:
            return self.h0 if seat == 0 else self.h1
        return self.h2 if seat == 2 else self.h3

    def dealt(self, seat: i64) -> i64:
        """Return the eight cards *seat* was dealt."""
        if seat < 2:
            return self.d0 if seat == 0 else self.d1
        return self.d2 if seat == 2 else self.d3

    def _take_from(self, seat: i64, card: i64) -> None:
        gone = ~bit(card)
        if seat < 2:
            if seat == 0:
                self.h0 &= gone
            else:
                self.h1 &= gone
        elif seat == 2:
            self.h2 &= gone
        else:
            self.h3 &= gone

    # Who decides, and what.

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
        return count(self.may) if self.phase == PLAYING else self.auction.choices()

    def choice(self, seat: i64, k: i64) -> i64:
        if self.phase == PLAYING:
            return PLAY + nth(self.may, k)
        return self.auction.choice(k)

    def legal_actions(self, seat: int) -> list[int]:
        if seat < 0 or seat != self.turn:
            return []
        if self.phase == PLAYING:
            return [PLAY + card for card in cards_of(self.may)]
        return [int(self.auction.choice(k)) for k in range(self.auction.choices())]

    def apply(self, seat: int, action: int) -> None:
        if not 0 <= seat < SEATS or not 0 <= action < PLAY + DECK:
            raise self.why_not(seat, action)
        asked: i64 = seat
        if asked != self.turn:
            raise self.why_not(seat, action)
        code: i64 = action
        if self.phase == PLAYING:
            if code < PLAY or not self.may & bit(code - PLAY):
                raise self.why_not(seat, action)
            self._play(asked, code - PLAY)
        else:
            if code >= PLAY or not self.auction.allows(code):
                raise self.why_not(seat, action)
            self._call(code)

    def why_not(self, seat: int, action: int) -> IllegalAction:
        if not 0 <= action < len(ACTIONS):
            return IllegalAction("unknown_action", f"action {action}: expected 0…{len(ACTIONS) - 1}")
        name = ACTIONS.name(action)
        if self.phase == OVER:
            return IllegalAction("match_over", f"{name}: the match is over")
        if self.phase == DEALING:
            return IllegalAction("not_dealt", f"{name}: the cards are not dealt yet")
        if action >= PLAY:
            return self._why_not_play(seat, action - PLAY, name)
        if self.phase == BIDDING:
            return self.auction.refusal(seat, action)
        if action == SURCOINCHE and self.auction.doubled == 2:
            return IllegalAction("already_surcoinched", f"{name}: the contract is surcoinched already")
        return IllegalAction("bidding_over", f"{name}: the cards are being played")

    def _why_not_play(self, seat: int, card: int, name: str) -> IllegalAction:
        if self.phase == BIDDING:
            return IllegalAction("not_your_turn", f"{name}: the auction is not over")
        if not 0 <= seat < SEATS:
            return IllegalAction("not_your_turn", f"{name}: seat {seat} does not play")
        if seat != self.turn:
            return IllegalAction("not_your_turn", f"{name}: it is another seat's turn")
        hand = self.hand(seat)
        if not hand & bit(card):
            return IllegalAction("not_yours", f"{name}: you do not hold it")
        denomination = self.auction.denomination
        key = broken_rule(card, hand, self.led, self.over_best, self._partner_holds(), denomination)
        return IllegalAction(key, f"{name}: {reason(key, SUITS[int(self.trick & 63) // 8])}")

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
        # Every card in turn goes to a seat, as likely as that has places left.
        hand0: i64 = 0
        hand1: i64 = 0
        hand2: i64 = 0
        room0: i64 = HAND
        room1: i64 = HAND
        room2: i64 = HAND
        left: i64 = DECK
        while left > 0:
            place = dice.below(left)
            left -= 1
            if place < room0:
                room0 -= 1
                hand0 |= bit(left)
            elif place < room0 + room1:
                room1 -= 1
                hand1 |= bit(left)
            elif place < room0 + room1 + room2:
                room2 -= 1
                hand2 |= bit(left)
        self._deal(hand0, hand1, hand2, WHOLE & ~(hand0 | hand1 | hand2))

    def _deal(self, hand0: i64, hand1: i64, hand2: i64, hand3: i64) -> None:
        """Start the next deal with these hands."""
        self.number += 1
        self.dealer = self.next_dealer
        self.next_dealer = (self.dealer + 1) & 3
        self.d0 = self.h0 = hand0
        self.d1 = self.h1 = hand1
        self.d2 = self.h2 = hand2
        self.d3 = self.h3 = hand3
        self.p0 = self.p1 = 0
        self.takers = 0
        self.won = 0
        self.round = 0
        self.fallen = 0
        self.trick = 0
        self.leader = NOBODY
        self.winner = NOBODY
        self.l0 = self.l1 = self.l2 = self.l3 = 0
        self.phase = BIDDING
        self.turn = self.next_dealer
        self.auction = Auction(self.rules, self.turn)
        if self.events is not None:
            if self.number == 1:
                self.events.append(MatchStarted(self.rules.options))
            self.events.append(DealStarted(int(self.number), int(self.dealer), int(self.turn)))
            for seat in range(SEATS):
                self.events.append(Dealt(seat, self.dealt(seat)))

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
        self.may = self.hand(leader)
        if self.events is not None:
            self.events.append(TrickStarted(int(self.round), int(leader)))

    def _partner_holds(self) -> bool:
        return (self.winner ^ self.turn) & 1 == 0

    def _play(self, seat: i64, card: i64) -> None:
        denomination = self.auction.denomination
        self._take_from(seat, card)
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
            word = self._announcement(seat, card, self.hand(seat))
            if word is not None:
                self.events.append(Announced(word.seat, word.suit, word.again))
        if self.fallen == SEATS:
            self._end_trick()
            return
        self.turn = (seat + 1) & 3
        self.may = playable(
            self.hand(self.turn),
            self.led,
            self.best,
            self.over_best,
            self._partner_holds(),
            denomination,
            self.rules,
        )

    def _announcement(self, seat: i64, card: i64, left: i64) -> Announcement | None:
        """Return what *seat* says when it plays *card* and keeps *left* (R7.2)."""
        suit = card // 8
        both = pair(suit)
        if not bit(card) & both or self.dealt(seat) & both != both:
            return None
        if not belote_suits(self.auction.denomination, self.rules) >> suit & 1:
            return None
        return Announcement(int(seat), int(suit), left & both == 0)

    def _end_trick(self) -> None:
        packed = self.trick | self.leader << 24
        at = self.round - 1
        if at & 1:
            packed <<= 26
        word = at >> 1
        if word < 2:
            if word == 0:
                self.l0 |= packed
            else:
                self.l1 |= packed
        elif word == 2:
            self.l2 |= packed
        else:
            self.l3 |= packed
        winner = self.winner
        self.takers |= winner << 2 * at
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

    def _alone(self) -> bool:
        """Say whether the bidder's own cards took all eight tricks."""
        at: i64 = 0
        while at < HAND:
            if self.takers >> 2 * at & 3 != self.auction.bidder:
                return False
            at += 1
        return True

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
        belote0 = belotes(self.d0, kind, rules) + belotes(self.d2, kind, rules)
        belote1 = belotes(self.d1, kind, rules) + belotes(self.d3, kind, rules)
        if auction.bidder & 1:
            tally = Tally(self.p1, self.p0, belote1, belote0)
            tally.all_tricks = self.won == HAND
        else:
            tally = Tally(self.p0, self.p1, belote0, belote1)
            tally.all_tricks = self.won == 0
        tally.alone = tally.all_tricks and self._alone()
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
        # A new list rather than append: a clone shares the old one.
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
                self.events.append(MatchEnded(self._leading(), self.totals()))

    def _leading(self) -> int:
        return 0 if self.s0 > self.s1 else 1

    def totals(self) -> list[int]:
        """Return the match score of the two teams."""
        return [int(self.s0), int(self.s1)]

    def deal(self) -> int:
        return int(self.ended)

    def scores(self) -> list[int]:
        return self.totals() * 2

    def payoffs(self) -> list[float]:
        gap = float(self.s0 - self.s1)
        return [gap, -gap, gap, -gap]

    # What a seat may know.

    def view(self, seat: int) -> CoincheView:
        view = CoincheView(seat)
        if self.number == 0:
            return view
        view.to_act = self.to_act()
        view.legal = self.legal_actions(seat)
        view.options = dict(self.rules.options)
        view.phase = int(self.phase)
        view.deal = int(self.number)
        view.dealer = int(self.dealer)
        if seat >= 0:
            view.initial = self.dealt(seat)
            view.hand = self.hand(seat)
        view.totals = self.totals()
        view.deals = self.results[:]
        view.winner = self._leading() if self.phase == OVER else -1
        self._show_auction(view)
        self._show_tricks(view)
        return view

    def _show_auction(self, view: CoincheView) -> None:
        auction = self.auction
        view.calls = [(call % 4, call // 4) for call in auction.calls]
        view.level = int(auction.level)
        view.denomination = int(auction.denomination)
        view.bidder = int(auction.bidder)
        view.doubled = int(auction.doubled)
        if auction.turn == NOBODY and not auction.passed_out():
            view.factor = int(self.rules.factor(auction.doubled))

    def _show_tricks(self, view: CoincheView) -> None:
        view.counts = [int(count(self.hand(seat))) for seat in range(SEATS)]
        if self.round == 0:
            return
        view.trick = int(self.round)
        view.leader = int(self.leader)
        held = [self.d0, self.d1, self.d2, self.d3]
        for at in range(self.round if self.phase != PLAYING else self.round - 1):
            packed = self._finished(at)
            leader = int(packed >> 24)
            cards = unpack(packed, SEATS)
            total: i64 = 0
            for i in range(SEATS):
                total += points(cards[i], self.auction.denomination, self.rules)
                self._show_card(view, held, (leader + i) & 3, cards[i])
            view.tricks.append(Trick(leader, cards, int(self.takers >> 2 * at & 3), int(total)))
        for i, card in enumerate(unpack(self.trick, self.fallen)):
            seat = int((self.leader + i) & 3)
            self._show_card(view, held, seat, card)
            view.table[seat] = card

    def _show_card(self, view: CoincheView, held: list[i64], seat: int, card: int) -> None:
        held[seat] &= ~bit(card)
        word = self._announcement(seat, card, held[seat])
        if word is not None:
            view.announced.append(word)

    def _finished(self, at: i64) -> i64:
        """Return trick *at* (from 0) of the deal: four cards and its leader."""
        word = self.l0 if at < 2 else self.l1 if at < 4 else self.l2 if at < 6 else self.l3
        return word >> 26 if at & 1 else word & 0x3FFFFFF

    # For sampling and logs.

    def resume(self, results: list[DealResult], dealer: int) -> None:
        """Make a fresh state one whose *results* are played and whose next dealer is *dealer*."""
        assert self.number == 0, "only a fresh state can be resumed"
        self.results = results
        self.number = self.ended = len(results)
        self.next_dealer = dealer
        for result in results:
            self.s0 += result.scores[0]
            self.s1 += result.scores[1]


def unpack(packed: i64, n: i64) -> list[int]:
    """Return the *n* cards of *packed* in their order, six bits a card."""
    return [int(packed >> 6 * i & 63) for i in range(n)]
