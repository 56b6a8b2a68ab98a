"""The rules of Hearts: a match of games of deals, each deal passed, exposed and played (R1-R11).

    DEALING -draw-> PASSING -all four have picked three-> EXPOSING -AH's holder-> PLAYING -13 rounds->
    DEALING ... OVER

PASSING is left out in a deal without passing, EXPOSING when the option is off. While PASSING every
seat that has not picked three cards owes a decision, and its picks are its own secret; while
EXPOSING only the holder of AH does, and that it is the holder nobody else may know.

Seats are the players and stay; positions rotate from game to game (R11). Card sets are 64-bit masks
held in plain attributes, one a seat (``h0`` to ``h3``): compiled, they need no objects at all. What
only views want, the order of picks and plays, is packed into integers, six bits a card.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from croupier.core.cards import bit, cards_of, count, mask_of, nth
from croupier.core.contract import BadDraw, Draw, IllegalAction, State
from croupier.core.dice import Dice
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
    RoundEnded,
    RoundStarted,
)
from croupier.games.hearts.scoring import deal_score, deal_scores, ranks, shoots
from croupier.games.hearts.view import DealResult, HeartsView
from croupier.games.hearts.vocabulary import (
    ACE_OF_HEARTS,
    ACTIONS,
    DEALING,
    DECK,
    EXPOSE,
    EXPOSING,
    HEARTS,
    KEEP,
    OVER,
    PASS,
    PASSING,
    PENALTY,
    PHASES,
    PLAYING,
    QUEEN,
    SCORE,
    SEATS,
    SUIT_WORDS,
    TWO_OF_CLUBS,
    WHOLE,
    HeartsRules,
)

TOP_SUIT: Final[i64] = 0xFFF8000000000
"""The spades. Shifted right it gives every suit (a small literal would shift in 32 bits)."""
NOBODY: Final = -1


def suit_of(card: i64) -> i64:
    """Return the suit of *card* as a set."""
    return TOP_SUIT >> (39 - card // 13 * 13)


def unpack(packed: i64, n: i64) -> list[int]:
    """Return the *n* cards of *packed* in their order, six bits a card."""
    return [int(packed >> 6 * i & 63) for i in range(n)]


class HeartsState(State):
    """One match of Hearts."""

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

    def clone(self) -> HeartsState:
        twin = HeartsState(self.rules)
        twin.phase = self.phase
        twin.waiting = self.waiting
        twin.game = self.game
        twin.number = self.number
        twin.ended = self.ended
        twin.s0 = self.s0
        twin.s1 = self.s1
        twin.s2 = self.s2
        twin.s3 = self.s3
        # These only grow, by whole new lists: see _put_away.
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
        return twin

    # One attribute a seat, found by number.

    def hand(self, seat: i64) -> i64:
        """Return the cards *seat* holds."""
        if seat < 2:
            return self.h0 if seat == 0 else self.h1
        return self.h2 if seat == 2 else self.h3

    def _set_hand(self, seat: i64, cards: i64) -> None:
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

    def _picks(self, seat: i64) -> i64:
        if seat < 2:
            return self.k0 if seat == 0 else self.k1
        return self.k2 if seat == 2 else self.k3

    def picked(self, seat: i64) -> list[int]:
        """Return the cards *seat* has picked to pass, in its order."""
        packed = self._picks(seat)
        return [card - 1 for card in unpack(packed, _many(packed))]

    def received(self, seat: i64) -> list[int]:
        """Return the cards *seat* was passed, in their giver's order."""
        if self.step == 0 or self.phase == PASSING:
            return []
        return self.picked((seat - self.step) & 3)

    # Who decides, and what.

    def to_act(self) -> int:
        return int(self.waiting)

    def question(self, seat: int) -> int:
        return int(self.ended) if self.phase == PASSING else -1

    def awaiting(self) -> Draw | None:
        if self.phase != DEALING:
            return None
        return Draw([], 0) if self._dealt_before() else Draw(list(range(DECK)), DECK)

    def over(self) -> bool:
        return self.phase == OVER

    def choices(self, seat: i64) -> i64:
        if self.phase == PLAYING:
            return count(self.may) if seat == self.turn else 0
        if not self.waiting >> seat & 1:
            return 0
        return count(self.hand(seat)) if self.phase == PASSING else 2

    def choice(self, seat: i64, k: i64) -> i64:
        if self.phase == PLAYING:
            return nth(self.may, k)
        if self.phase == PASSING:
            return PASS + nth(self.hand(seat), k)
        return EXPOSE + k

    def legal_actions(self, seat: int) -> list[int]:
        if seat < 0 or not self.waiting >> seat & 1:
            return []
        if self.phase == PLAYING:
            return cards_of(self.may)
        if self.phase == PASSING:
            return [PASS + card for card in cards_of(self.hand(seat))]
        return [EXPOSE, KEEP]

    def _playable(self) -> i64:
        """Return what the seat whose turn it is may play: the first rule that applies decides."""
        hand = self.hand(self.turn)
        if self.fallen == 0:
            if self.round == 1:
                return bit(TWO_OF_CLUBS)  # R7.1
            if self.broken:
                return hand  # R7.5
            others = hand & ~HEARTS
            return others if others else hand  # R7.6
        following = hand & self.led
        if following:
            return following  # R7.2
        if self.round == 1 and self.rules.clean_start:
            clean = hand & ~PENALTY
            return clean if clean else hand  # R7.3
        return hand  # R7.4

    # What a decision does.

    def apply(self, seat: int, action: int) -> None:
        if not 0 <= seat < SEATS or not 0 <= action <= KEEP:
            raise self.why_not(seat, action)
        asked: i64 = seat
        if not self.waiting >> asked & 1:
            raise self.why_not(seat, action)
        code: i64 = action
        if self.phase == PLAYING:
            if code >= DECK or not self.may & bit(code):
                raise self.why_not(seat, action)
            self._play(asked, code)
        elif self.phase == PASSING:
            if not PASS <= code < EXPOSE or not self.hand(asked) & bit(code - PASS):
                raise self.why_not(seat, action)
            self._pick(asked, code - PASS)
        else:
            if code < EXPOSE:
                raise self.why_not(seat, action)
            self._expose(asked if code == EXPOSE else NOBODY)

    def why_not(self, seat: int, action: int) -> IllegalAction:
        if not 0 <= action < len(ACTIONS):
            return IllegalAction("unknown_action", f"action {action}: expected 0…{len(ACTIONS) - 1}")
        name = ACTIONS.name(action)
        if self.phase == OVER:
            return IllegalAction("match_over", f"{name}: the match is over")
        phase = PLAYING if action < PASS else PASSING if action < EXPOSE else EXPOSING
        if self.phase != phase:
            return IllegalAction("wrong_phase", f"{name}: the match is {PHASES[int(self.phase)]}")
        if not 0 <= seat < SEATS:
            return IllegalAction("not_your_turn", f"{name}: seat {seat} does not play")
        if phase == EXPOSING:
            return IllegalAction("not_yours", f"{name}: you do not hold it")
        if phase == PASSING:
            return self._why_not_pass(seat, action - PASS, name)
        return self._why_not_play(seat, action, name)

    def _why_not_pass(self, seat: int, card: int, name: str) -> IllegalAction:
        if not self.waiting >> seat & 1:
            return IllegalAction("already_picked", f"{name}: you have picked three cards")
        if card in self.picked(seat):
            return IllegalAction("already_picked", f"{name}: you have picked it before")
        return IllegalAction("not_yours", f"{name}: you do not hold it")

    def _why_not_play(self, seat: int, card: int, name: str) -> IllegalAction:
        if seat != self.turn:
            return IllegalAction("not_your_turn", f"{name}: it is another seat's turn")
        if not self.hand(seat) & bit(card):
            return IllegalAction("not_yours", f"{name}: you do not hold it")
        if self.fallen == 0 and self.round == 1:
            return IllegalAction("must_lead_two_of_clubs", f"{name}: the first round is led with 2C")
        if self.fallen == 0:
            return IllegalAction("hearts_not_broken", f"{name}: hearts are not broken and you hold others")
        if self.hand(seat) & self.led:
            suit = SUIT_WORDS[int(self.trick & 63) // 13]
            return IllegalAction("must_follow", f"{name}: {suit} were led and you can follow")
        return IllegalAction("no_points_first_round", f"{name}: no penalty cards in the first round")

    # Dealing (R4, R11).

    def _dealt_before(self) -> bool:
        """Say whether the next deal takes its hands from the first game."""
        return self.rules.duplicate and self.ended >= self.rules.deals

    def apply_draw(self, outcome: list[int]) -> None:
        draw = self.awaiting()
        if draw is None:
            raise BadDraw("a draw came: none is due")
        draw.check(outcome)
        if draw.take == 0:
            self._deal_again()
            return
        north = mask_of(outcome[:13])
        east = mask_of(outcome[13:26])
        south = mask_of(outcome[26:39])
        self._deal(north, east, south, WHOLE & ~(north | east | south))

    def roll(self, dice: Dice) -> None:
        if self._dealt_before():
            self._deal_again()
            return
        # Every card in turn goes to a position, as likely as that has places left.
        hand0: i64 = 0
        hand1: i64 = 0
        hand2: i64 = 0
        room0: i64 = 13
        room1: i64 = 13
        room2: i64 = 13
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

    def _deal_again(self) -> None:
        deck = self.decks[int(self.number % self.rules.deals)]
        self._deal(deck[0], deck[1], deck[2], deck[3])

    def _deal(self, north: i64, east: i64, south: i64, west: i64) -> None:
        """Start the next deal with these hands, given by position."""
        opens = self.number == 0 or self.number == self.rules.deals
        self._put_away(opens)
        self.number += 1
        if self.rules.duplicate and self.game == 1:
            self.decks = [*self.decks, [int(north), int(east), int(south), int(west)]]
        turned = (self.game - 1) & 3
        if turned == 0:
            self.d0, self.d1, self.d2, self.d3 = north, east, south, west
        elif turned == 1:
            self.d0, self.d1, self.d2, self.d3 = east, south, west, north
        elif turned == 2:
            self.d0, self.d1, self.d2, self.d3 = south, west, north, east
        else:
            self.d0, self.d1, self.d2, self.d3 = west, north, east, south
        self.h0 = self.d0
        self.h1 = self.d1
        self.h2 = self.d2
        self.h3 = self.d3
        self.k0 = self.k1 = self.k2 = self.k3 = 0
        self.t0 = self.t1 = self.t2 = self.t3 = 0
        self.l0 = self.l1 = self.l2 = self.l3 = self.l4 = self.l5 = self.l6 = 0
        self.step = self.rules.steps[int(self.number - 1) % len(self.rules.steps)]
        self.exposed = NOBODY
        self.broken = False
        self.round = 0
        self.leader = NOBODY
        self.turn = NOBODY
        self.winner = NOBODY
        if self.events is not None:
            if opens:
                self.events.append(GameStarted(int(self.game), self.rules.options))
            self.events.append(DealStarted(int(self.number), self.rules.direction(int(self.number))))
            for seat in range(SEATS):
                self.events.append(Dealt(seat, self.dealt(seat)))
        if self.step == 0:
            self._start_exposing()
            return
        self.phase = PASSING
        self.waiting = 0b1111
        if self.events is not None:
            self.events.append(PassingStarted())

    def _put_away(self, opens: bool) -> None:
        """Enter what lies open, the last deal and maybe the last game, into the books.

        Only now, for a playout that ends with its deal needs no books. New lists rather than append:
        clones share them.
        """
        if not opens:
            if self._lies_open():
                self.results = [*self.results, self._result()]
            return
        if self.game > len(self.games):
            self.games = [*self.games, self._game_scores()]
        self.game += 1
        self.number = 0
        self.s0 = self.s1 = self.s2 = self.s3 = 0
        self.results = []

    # Passing and exposing (R5, R6).

    def _pick(self, seat: i64, card: i64) -> None:
        self._set_hand(seat, self.hand(seat) & ~bit(card))
        packed = self._picks(seat)
        many = _many(packed)
        packed |= (card + 1) << 6 * many
        if seat == 0:
            self.k0 = packed
        elif seat == 1:
            self.k1 = packed
        elif seat == 2:
            self.k2 = packed
        else:
            self.k3 = packed
        if self.events is not None:
            self.events.append(Picked(int(seat), int(card)))
        if many < 2:
            return
        self.waiting &= ~(1 << seat)
        if self.events is not None:
            self.events.append(Passed(int(seat)))
        if self.waiting == 0:
            self._exchange()

    def _exchange(self) -> None:
        giver: i64 = 0
        while giver < SEATS:
            taker = (giver + self.step) & 3
            packed = self._picks(giver)
            packet = bit((packed & 63) - 1) | bit((packed >> 6 & 63) - 1) | bit((packed >> 12) - 1)
            self._set_hand(taker, self.hand(taker) | packet)
            giver += 1
        self.phase = EXPOSING  # so that `received` speaks
        if self.events is not None:
            for seat in range(SEATS):
                self.events.append(Received(seat, int((seat - self.step) & 3), self.received(seat)))
            self.events.append(PassingEnded())
        self._start_exposing()

    def _start_exposing(self) -> None:
        if not self.rules.expose:
            self._start_play()
            return
        self.phase = EXPOSING
        self.waiting = 1 << self._holder(ACE_OF_HEARTS)
        if self.events is not None:
            self.events.append(ExposingStarted())

    def _holder(self, card: i64) -> i64:
        one = bit(card)
        if (self.h0 | self.h1) & one:
            return 0 if self.h0 & one else 1
        return 2 if self.h2 & one else 3

    def _expose(self, seat: i64) -> None:
        self.exposed = seat
        if self.events is not None:
            self.events.append(ExposingEnded(int(seat)))
        self._start_play()

    # Playing (R7, R8).

    def _start_play(self) -> None:
        self.phase = PLAYING
        self._start_round(self._holder(TWO_OF_CLUBS))

    def _start_round(self, leader: i64) -> None:
        self.round += 1
        self.leader = leader
        self.fallen = 0
        self.trick = 0
        self.pile = 0
        if self.events is not None:
            self.events.append(RoundStarted(int(self.round), int(leader)))
        self._turn_to(leader)

    def _turn_to(self, seat: i64) -> None:
        self.turn = seat
        self.waiting = 1 << seat
        self.may = self._playable()

    def _play(self, seat: i64, card: i64) -> None:
        one = bit(card)
        self._set_hand(seat, self.hand(seat) & ~one)
        if self.fallen == 0:
            self.led = suit_of(card)
            self.best = card
            self.winner = seat
        elif one & self.led and card > self.best:
            self.best = card
            self.winner = seat
        self.trick |= card << 6 * self.fallen
        self.fallen += 1
        if one & SCORE:
            self.pile |= one
            if one & HEARTS or (self.rules.queen_breaks and one & QUEEN):
                self.broken = True
        if self.events is not None:
            self.events.append(Played(int(seat), int(card), self.broken))
        if self.fallen < SEATS:
            self._turn_to((seat + 1) & 3)
        else:
            self._end_round()

    def _end_round(self) -> None:
        self._write_round(self.trick | self.leader << 24)
        winner = self.winner
        if self.pile:
            if winner == 0:
                self.t0 |= self.pile
            elif winner == 1:
                self.t1 |= self.pile
            elif winner == 2:
                self.t2 |= self.pile
            else:
                self.t3 |= self.pile
        if self.events is not None:
            self.events.append(RoundEnded(int(winner), self.pile, self._deal_scores()))
        if self.round < 13:
            self._start_round(winner)
        else:
            self._end_deal()

    def _write_round(self, packed: i64) -> None:
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

    # Scoring (R9, R10, R11).

    def _deal_scores(self) -> list[int]:
        return deal_scores([self.t0, self.t1, self.t2, self.t3], self.exposed != NOBODY, self.rules)

    def _moon(self) -> int:
        for seat in range(SEATS):
            if shoots(self.taken(seat)):
                return seat
        return NOBODY

    def _end_deal(self) -> None:
        exposed = self.exposed != NOBODY
        moon = shoots(self.t0) or shoots(self.t1) or shoots(self.t2) or shoots(self.t3)
        self.s0 += deal_score(self.t0, moon, exposed, self.rules)
        self.s1 += deal_score(self.t1, moon, exposed, self.rules)
        self.s2 += deal_score(self.t2, moon, exposed, self.rules)
        self.s3 += deal_score(self.t3, moon, exposed, self.rules)
        self.ended += 1
        ends_game = self.number == self.rules.deals
        self.phase = OVER if ends_game and self.game == self.rules.games else DEALING
        self.waiting = 0
        self.fallen = 0
        self.trick = 0
        if self.events is not None:
            self.events.append(self._deal_ended())
            if ends_game:
                totals = self._game_scores()
                self.events.append(GameEnded(int(self.game), totals, ranks(totals)))
            if self.phase == OVER:
                match = self.scores()
                self.events.append(MatchEnded(match, ranks(match)))

    def _deal_ended(self) -> DealEnded:
        seats = range(SEATS)
        return DealEnded(
            int(self.number),
            [cards_of(self.dealt(seat)) for seat in seats],
            [self.picked(seat) for seat in seats],
            [self.received(seat) for seat in seats],
            self._deal_scores(),
            self._game_scores(),
            int(self.exposed),
            self._moon(),
        )

    def _lies_open(self) -> bool:
        """Say whether a deal has ended and the next one was not yet dealt."""
        return self.round == 13 and self.phase != PLAYING

    def _result(self) -> DealResult:
        return DealResult(self._deal_scores(), int(self.exposed), self._moon())

    def _game_scores(self) -> list[int]:
        return [int(self.s0), int(self.s1), int(self.s2), int(self.s3)]

    def deal(self) -> int:
        return int(self.ended)

    def scores(self) -> list[int]:
        totals = self._game_scores()
        for game in self.games:
            for seat in range(SEATS):
                totals[seat] += game[seat]
        return totals

    def payoffs(self) -> list[float]:
        totals = self.scores()
        mean = sum(totals) / SEATS
        return [total - mean for total in totals]

    # What a seat may know.

    def view(self, seat: int) -> HeartsView:
        view = HeartsView(seat)
        if self.game == 0:
            return view
        view.to_act = self.to_act_for(seat)
        view.legal = self.legal_actions(seat)
        view.options = dict(self.rules.options)
        view.phase = int(self.phase)
        view.game = int(self.game)
        view.deal = int(self.number)
        view.round = int(self.round)
        view.direction = self.rules.direction(int(self.number))
        view.totals = self._game_scores()
        view.deals = self.results[:]
        view.games = [game[:] for game in self.games]
        if self._lies_open():
            view.deals.append(self._result())
            if self.number == self.rules.deals:
                view.games.append(self._game_scores())
        self._show_own(view)
        self._show_passing(view)
        self._show_rounds(view)
        if self._lies_open():
            self._show_all(view)
        # In game 1 the deal under way is nobody's knowledge yet.
        known = self.decks if self.game > 1 else self.decks[: int(self.ended)]
        view.decks = [[cards_of(hand) for hand in deck] for deck in known]
        return view

    def to_act_for(self, seat: int) -> int:
        """Who is asked to expose is nobody's business but the holder's (R6)."""
        if self.phase == EXPOSING and not (seat >= 0 and self.waiting >> seat & 1):
            return 0
        return int(self.waiting)

    def _show_own(self, view: HeartsView) -> None:
        seat = view.seat
        if seat < 0:
            return
        view.initial = self.dealt(seat)
        view.hand = self.hand(seat)
        view.picked = self.picked(seat)
        view.received = self.received(seat)

    def _show_passing(self, view: HeartsView) -> None:
        view.counts = [13, 13, 13, 13]
        if self.phase == PASSING:
            view.passed = int(0b1111 & ~self.waiting)
            view.counts = [13 if self.waiting >> seat & 1 else 10 for seat in range(SEATS)]
        elif self.step:
            view.passed = 0b1111
            view.exchanged = True
        view.exposed = int(self.exposed)

    def _show_rounds(self, view: HeartsView) -> None:
        if self.round == 0:
            return
        for packed in self._rounds():
            leader = int(packed >> 24)
            cards = unpack(packed, SEATS)
            for i in range(SEATS):
                _show_card(view, (leader + i) & 3, cards[i], cards[0])
            view.last = cards
            view.last_leader = leader
        view.leader = int(self.leader)
        cards = unpack(self.trick, self.fallen)
        for i, card in enumerate(cards):
            _show_card(view, (view.leader + i) & 3, card, cards[0])
            view.table[(view.leader + i) & 3] = card
        if view.last:
            # The winner of the last round leads this one, unless it was the thirteenth.
            view.last_taker = int(self.leader if self.phase == PLAYING else self.winner)
        view.broken = self.broken
        view.taken = [self.t0, self.t1, self.t2, self.t3]
        view.scores = self._deal_scores()

    def _show_all(self, view: HeartsView) -> None:
        seats = range(SEATS)
        view.hands = [cards_of(self.dealt(seat)) for seat in seats]
        view.all_picked = [self.picked(seat) for seat in seats]
        view.all_received = [self.received(seat) for seat in seats]

    def _rounds(self) -> list[i64]:
        """Return the finished rounds of the deal, each four cards and its leader."""
        many = self.round if self.phase != PLAYING else self.round - 1
        rounds: list[i64] = []
        for word in [self.l0, self.l1, self.l2, self.l3, self.l4, self.l5, self.l6]:
            rounds += [word & 0x3FFFFFF, word >> 26]
        return rounds[: int(many)]

    # For sampling and tests.

    def resume(self, games: list[list[int]], results: list[DealResult], decks: list[list[int]]) -> None:
        """Make a fresh state one whose *games*, and the deals of the next one with *results*, are played.

        The next draw deals the deal after these; *decks* are those of the first game's deals that
        were played, by position, if they are dealt again.
        """
        assert self.game == 0, "only a fresh state can be resumed"
        self.games = games
        self.results = results
        self.decks = decks
        self.game = len(games) + (1 if results else 0)
        self.number = len(results) if results or not games else self.rules.deals
        self.ended = len(games) * self.rules.deals + len(results)
        for result in results:
            self.s0 += result.scores[0]
            self.s1 += result.scores[1]
            self.s2 += result.scores[2]
            self.s3 += result.scores[3]


def _many(packed: i64) -> i64:
    """Return how many picks *packed* holds."""
    if packed == 0:
        return 0
    return 1 if packed < 64 else 2 if packed < 4096 else 3


def _show_card(view: HeartsView, seat: int, card: int, first: int) -> None:
    view.played[seat].append(card)
    view.counts[seat] -= 1
    if card // 13 != first // 13:
        view.void[seat] |= 1 << first // 13
