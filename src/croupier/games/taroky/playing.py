"""The play and the settlement of a deal (R12, R13, R14)."""

from __future__ import annotations

from mypy_extensions import i64

from croupier.core.cards import bit
from croupier.games.taroky.events import DealEnded, IoteEnded, MatchEnded, Played, TrickTaken
from croupier.games.taroky.legality import beats, playable, suit_of
from croupier.games.taroky.position import TarokyPosition
from croupier.games.taroky.scoring import payment, pays, ranks
from croupier.games.taroky.vocabulary import DEALING, NOBODY, OVER, PLAYING, SEATS, TRICKS


class TarokyPlaying(TarokyPosition):
    """Adds the play and the settlement; `TarokyCalling` adds the calls before."""

    def start_play(self) -> None:
        """Let Povinnost lead to the first trick."""
        self.phase = PLAYING
        if self.events is not None:
            self.events.append(IoteEnded(int(self.povinnost)))
        self._lead(self.povinnost)

    def _lead(self, seat: i64) -> None:
        self.leader = self.turn = seat
        self.fallen = self.trick = self.pile = 0
        self.may = self.hands[seat]

    def play(self, card: i64) -> None:
        """Let the seat whose turn it is play *card*."""
        seat = self.turn
        one = bit(card)
        self.hands[seat] &= ~one
        if self.fallen == 0:
            self.led = suit_of(card)
            self.best = card
            self.winner = seat
        elif beats(card, self.best, self.led, self.rules.ace_high):
            self.best = card
            self.winner = seat
        self.trick |= card << 6 * self.fallen
        self.pile |= one
        self.fallen += 1
        if self.fallen < SEATS:
            self.turn = (seat + 1) & 3
            self.may = playable(self.hands[self.turn], self.led)
            if self.events is not None:
                self.events.append(Played(int(seat), int(card), int(self.turn)))
            return
        if self.events is not None:
            self.events.append(Played(int(seat), int(card), NOBODY))
        self._end_trick()

    def _end_trick(self) -> None:
        winner = self.winner
        self.played[self.done] = self.trick | self.leader << 24
        self.done += 1
        self.taken[winner] |= self.pile
        if self.events is not None:
            self.events.append(TrickTaken(int(self.done), int(winner)))
        if self.done < TRICKS:
            self._lead(winner)
        else:
            self._end_deal()

    def _end_deal(self) -> None:
        x = pays(self.outcome())
        stacks = self.stacks[:]
        seat: i64 = 0
        while seat < SEATS:
            stacks[seat] += payment(seat, self.declarers, x)
            seat += 1
        self.stacks = stacks
        self.ended += 1
        self.phase = OVER if self.number == self.rules.hands else DEALING
        self.turn = NOBODY
        self.fallen = self.trick = 0  # the pile stays: the result needs the last trick
        if self.events is not None:
            seats = range(SEATS)
            self.events.append(
                DealEnded(
                    int(self.number),
                    [self.dealt(one) for one in seats],
                    self.talon_cards(0, 6),
                    [self.discards(one) for one in seats],
                    self.result(),
                )
            )
            if self.phase == OVER:
                self.events.append(MatchEnded(self.chips(), ranks(self.chips())))
