"""The play and the settlement of a deal (R12, R13, R14)."""

from __future__ import annotations

from mypy_extensions import i64

from croupier.core.cards import bit
from croupier.games.taroky.events import DealEnded, IoteEnded, MatchEnded, Played, TrickEnded
from croupier.games.taroky.legality import beats, playable, suit_of
from croupier.games.taroky.position import TarokyPosition
from croupier.games.taroky.scoring import payment, pays, ranks
from croupier.games.taroky.vocabulary import DEALING, NOBODY, OVER, PLAYING, SEATS, TRICKS


class TarokyPlaying(TarokyPosition):
    """A match whose deals can be played; `TarokyCalling` makes the calls before."""

    def start_play(self) -> None:
        """Let Povinnost lead to the first trick."""
        self.phase = PLAYING
        if self.events is not None:
            self.events.append(IoteEnded(int(self.povinnost)))
        self._lead(self.povinnost)

    def _lead(self, seat: i64) -> None:
        self.leader = self.turn = seat
        self.fallen = self.trick = self.pile = 0
        self.may = self.hand(seat)

    def play(self, card: i64) -> None:
        """Let the seat whose turn it is play *card*."""
        seat = self.turn
        one = bit(card)
        self.set_hand(seat, self.hand(seat) & ~one)
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
            self.may = playable(self.hand(self.turn), self.led)
            if self.events is not None:
                self.events.append(Played(int(seat), int(card), int(self.turn)))
            return
        if self.events is not None:
            self.events.append(Played(int(seat), int(card), NOBODY))
        self._end_trick()

    def _end_trick(self) -> None:
        winner = self.winner
        self.write_trick(self.trick | self.leader << 24)
        self.done += 1
        if winner == 0:
            self.t0 |= self.pile
        elif winner == 1:
            self.t1 |= self.pile
        elif winner == 2:
            self.t2 |= self.pile
        else:
            self.t3 |= self.pile
        if self.events is not None:
            self.events.append(TrickEnded(int(self.done), int(winner)))
        if self.done < TRICKS:
            self._lead(winner)
        else:
            self._end_deal()

    def _end_deal(self) -> None:
        x = pays(self.outcome())
        self.c0 += payment(0, self.declarers, x)
        self.c1 += payment(1, self.declarers, x)
        self.c2 += payment(2, self.declarers, x)
        self.c3 += payment(3, self.declarers, x)
        self.ended += 1
        self.phase = OVER if self.number == self.rules.hands else DEALING
        self.turn = NOBODY
        self.fallen = self.trick = 0  # the pile stays: the result looks at the last trick
        if self.events is not None:
            seats = range(SEATS)
            self.events.append(
                DealEnded(
                    int(self.number),
                    [self.dealt(seat) for seat in seats],
                    self.talon_cards(0, 6),
                    [self.discards(seat) for seat in seats],
                    self.result(),
                )
            )
            if self.phase == OVER:
                self.events.append(MatchEnded(self.chips(), ranks(self.chips())))
