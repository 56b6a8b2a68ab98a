"""The rules of Hearts: a match of games of deals, each deal passed, exposed and played (R1-R11).

    DEALING -draw-> PASSING -all four have picked three-> EXPOSING -AH's holder-> PLAYING -13 rounds->
    DEALING ... OVER

PASSING is skipped in a deal without passing, EXPOSING when the option is off. While PASSING every
seat that has not picked three cards owes a decision, and its picks are secret; while EXPOSING only
the holder of AH does, and nobody else may know who that is.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from croupier.core.cards import NOTHING, bit, cards_of, count, mask_of, nth, numbered
from croupier.core.contract import BadDraw, Draw, IllegalAction
from croupier.core.dice import Dice
from croupier.core.layout import Writer
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
from croupier.games.hearts.observing import observe
from croupier.games.hearts.playout import card, policy
from croupier.games.hearts.position import HeartsPosition, many
from croupier.games.hearts.refusals import refusal
from croupier.games.hearts.scoring import deal_score, ranks, shoots
from croupier.games.hearts.showing import secret_to_act, show
from croupier.games.hearts.view import DealResult, HeartsView
from croupier.games.hearts.vocabulary import (
    ACE_OF_HEARTS,
    DEALING,
    DECK,
    EXPOSE,
    EXPOSING,
    HEARTS,
    KEEP,
    NOBODY,
    OVER,
    PASS,
    PASSING,
    PENALTY,
    PLAYING,
    QUEEN,
    SCORE,
    SEATS,
    TWO_OF_CLUBS,
    WHOLE,
)

TOP_SUIT: Final[i64] = 0xFFF8000000000
"""The spades. Shifted right it gives every suit (a small literal would shift in 32 bits)."""


def suit_of(card: i64) -> i64:
    """Return the suit of *card* as a set."""
    return TOP_SUIT >> (39 - card // 13 * 13)


class HeartsState(HeartsPosition):
    """One match of Hearts."""

    def clone(self) -> HeartsState:
        twin = HeartsState(self.rules)
        self.copy_to(twin)
        return twin

    # Decisions and legal actions.

    def to_act(self) -> int:
        return int(self.waiting)

    def to_act_for(self, seat: int) -> int:
        return secret_to_act(self, seat)

    def question(self, seat: int) -> int:
        return int(self.ended) if self.phase == PASSING else -1

    def awaiting(self) -> Draw | None:
        if self.phase != DEALING:
            return None
        return Draw([], 0) if self.dealt_before() else Draw(list(range(DECK)), DECK)

    def over(self) -> bool:
        return self.phase == OVER

    def choices(self, seat: i64) -> i64:
        if not self.waiting >> seat & 1:
            return 0
        if self.phase == PLAYING:
            return count(self.may)
        if self.phase == PASSING:
            return count(self.hands[seat])
        return 2

    def choice(self, seat: i64, k: i64) -> i64:
        if self.phase == PLAYING:
            return nth(self.may, k)
        if self.phase == PASSING:
            return PASS + nth(self.hands[seat], k)
        return EXPOSE + k

    def any_action(self, seat: i64, dice: Dice) -> i64:
        if self.phase == PLAYING:
            return dice.any_of(self.may)
        if self.phase == PASSING:
            return PASS + dice.any_of(self.hands[seat])
        return EXPOSE + dice.below(2)

    def policy(self, seat: i64, dice: Dice) -> i64:
        return policy(self, seat, dice)

    def play_on(self, dice: Dice) -> None:
        while self.phase == PLAYING:
            self._play(self.turn, card(self, dice))

    def hidden(self, seat: i64) -> bool:
        return self.phase != PLAYING

    def write_legal(self, seat: i64, out: Writer) -> None:
        if not self.waiting >> seat & 1:
            return
        if self.phase == PLAYING:
            out.put(self.may, DECK)
        elif self.phase == PASSING:
            out.skip(PASS)
            out.put(self.hands[seat], DECK)
        else:
            out.skip(EXPOSE)
            out.put(0b11, 2)

    def observe(self, seat: i64, out: Writer) -> bool:
        if self.waiting == 0:
            return False
        observe(self, seat, out)
        return True

    def legal_actions(self, seat: int) -> list[int]:
        if seat < 0 or not self.waiting >> seat & 1:
            return []
        if self.phase == PLAYING:
            return cards_of(self.may)
        if self.phase == PASSING:
            return numbered(self.hands[seat], PASS)
        return [EXPOSE, KEEP]

    def _playable(self) -> i64:
        """Return what the seat whose turn it is may play: the first applicable rule decides."""
        hand = self.hands[self.turn]
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

    # Applying actions.

    def apply(self, seat: int, action: int) -> None:
        if not 0 <= seat < SEATS or not 0 <= action <= KEEP:
            raise refusal(self, seat, action)
        asked: i64 = seat
        if not self.waiting >> asked & 1:
            raise refusal(self, seat, action)
        code: i64 = action
        if self.phase == PLAYING:
            if code >= DECK or not self.may & bit(code):
                raise refusal(self, seat, action)
            self._play(asked, code)
        elif self.phase == PASSING:
            if not PASS <= code < EXPOSE or not self.hands[asked] & bit(code - PASS):
                raise refusal(self, seat, action)
            self._pick(asked, code - PASS)
        else:
            if code < EXPOSE:
                raise refusal(self, seat, action)
            if code == KEEP:
                asked = NOBODY
            self._expose(asked)

    def why_not(self, seat: int, action: int) -> IllegalAction:
        return refusal(self, seat, action)

    # Dealing (R4, R11).

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
        if self.dealt_before():
            self._deal_again()
            return
        two = dice.some_of(WHOLE, 26)
        north = dice.some_of(two, 13)
        south = dice.some_of(WHOLE & ~two, 13)
        self._deal(north, two & ~north, south, WHOLE & ~(two | south))

    def _deal_again(self) -> None:
        deck = self.decks[int(self.number % self.rules.deals)]
        self._deal(deck[0], deck[1], deck[2], deck[3])

    def _deal(self, north: i64, east: i64, south: i64, west: i64) -> None:
        """Start the next deal with these hands, given by position."""
        opens = self.number == 0 or self.ends_game()
        self._put_away(opens)
        self.number += 1
        if self.rules.duplicate and self.game == 1:
            self.decks = [*self.decks, [int(north), int(east), int(south), int(west)]]
        turned = (self.game - 1) & 3
        if turned == 0:
            self.dealt = vec[i64]([north, east, south, west])
        elif turned == 1:
            self.dealt = vec[i64]([east, south, west, north])
        elif turned == 2:
            self.dealt = vec[i64]([south, west, north, east])
        else:
            self.dealt = vec[i64]([west, north, east, south])
        self.hands = self.dealt[:]
        self.picks = NOTHING[:]
        self.taken = NOTHING[:]
        self.played = vec[i64]([0] * 13)
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
                self.events.append(Dealt(seat, self.dealt[seat]))
        if self.step == 0:
            self._start_exposing()
            return
        self.phase = PASSING
        self.waiting = 0b1111
        if self.events is not None:
            self.events.append(PassingStarted())

    def _put_away(self, opens: bool) -> None:
        """Add the result of the last deal, and of the last game if it has ended, to the lists of results.

        This happens only when the next deal starts: a playout that ends with its deal does not need it.
        The lists are replaced because clones share them.
        """
        if not opens:
            if self.lies_open():
                self.results = [*self.results, self.result()]
            return
        if self.game > len(self.games):
            self.games = [*self.games, self.game_scores()]
        self.game += 1
        self.number = 0
        self.totals = NOTHING
        self.results = []

    # Passing and exposing (R5, R6).

    def _pick(self, seat: i64, card: i64) -> None:
        self.hands[seat] &= ~bit(card)
        packed = self.picks[seat]
        before = many(packed)
        packed |= (card + 1) << 6 * before
        self.picks[seat] = packed
        if self.events is not None:
            self.events.append(Picked(int(seat), int(card)))
        if before < 2:
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
            packed = self.picks[giver]
            packet = bit((packed & 63) - 1) | bit((packed >> 6 & 63) - 1) | bit((packed >> 12) - 1)
            self.hands[taker] |= packet
            giver += 1
        self.phase = EXPOSING  # `received` returns nothing while passing
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
        self.waiting = 1 << self.holder(ACE_OF_HEARTS)
        if self.events is not None:
            self.events.append(ExposingStarted())

    def _expose(self, seat: i64) -> None:
        self.exposed = seat
        if self.events is not None:
            self.events.append(ExposingEnded(int(seat)))
        self._start_play()

    # Playing (R7, R8).

    def _start_play(self) -> None:
        self.phase = PLAYING
        self._start_round(self.holder(TWO_OF_CLUBS))

    def _start_round(self, leader: i64) -> None:
        self.round += 1
        self.leader = leader
        self.fallen = 0
        self.trick = 0
        self.pile = 0
        if self.events is not None:
            self.events.append(TrickStarted(int(self.round), int(leader)))
        self._turn_to(leader)

    def _turn_to(self, seat: i64) -> None:
        self.turn = seat
        self.waiting = 1 << seat
        self.may = self._playable()

    def _play(self, seat: i64, card: i64) -> None:
        one = bit(card)
        self.hands[seat] &= ~one
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
        self.played[self.round - 1] = self.trick | self.leader << 24
        winner = self.winner
        if self.pile:
            self.taken[winner] |= self.pile
        if self.events is not None:
            self.events.append(TrickTaken(int(winner), self.pile, self.deal_scores()))
        if self.round < 13:
            self._start_round(winner)
        else:
            self._end_deal()

    # Scoring (R9, R10, R11).

    def _end_deal(self) -> None:
        exposed = self.exposed != NOBODY
        taken = self.taken
        moon = shoots(taken[0]) or shoots(taken[1]) or shoots(taken[2]) or shoots(taken[3])
        totals = self.totals[:]
        seat: i64 = 0
        while seat < SEATS:
            totals[seat] += deal_score(taken[seat], moon, exposed, self.rules)
            seat += 1
        self.totals = totals
        self.ended += 1
        ends_game = self.ends_game()
        self.phase = OVER if ends_game and self.game == self.rules.games else DEALING
        self.waiting = 0
        self.fallen = 0
        self.trick = 0
        if self.events is not None:
            self.events.append(self._deal_ended())
            if ends_game:
                scores = self.game_scores()
                self.events.append(GameEnded(int(self.game), scores, ranks(scores)))
            if self.phase == OVER:
                match = self.scores()
                self.events.append(MatchEnded(match, ranks(match)))

    def _deal_ended(self) -> DealEnded:
        seats = range(SEATS)
        return DealEnded(
            int(self.number),
            [cards_of(self.dealt[seat]) for seat in seats],
            [self.picked(seat) for seat in seats],
            [self.received(seat) for seat in seats],
            self.deal_scores(),
            self.game_scores(),
            int(self.exposed),
            self.moon(),
        )

    # Views.

    def view(self, seat: int) -> HeartsView:
        view = HeartsView(seat)
        show(self, view)
        view.to_act = secret_to_act(self, seat)
        view.legal = self.legal_actions(seat)
        return view

    # For sampling and tests.

    def resume(self, games: list[list[int]], results: list[DealResult], decks: list[list[int]]) -> None:
        """Set a fresh state to the point after these finished *games* and the next game's *results*.

        The next draw deals the following deal. *decks* are the hands of the first game's deals so far,
        by position, if they are dealt again.
        """
        assert self.game == 0, "only a fresh state can be resumed"
        self.games = games
        self.results = results
        self.decks = decks
        self.game = len(games) + (1 if results else 0)
        self.number = len(results) if results or not games else self.rules.deals
        self.ended = len(games) * self.rules.deals + len(results)
        self.totals = NOTHING[:]
        for result in results:
            for seat in range(SEATS):
                self.totals[seat] += result.scores[seat]
