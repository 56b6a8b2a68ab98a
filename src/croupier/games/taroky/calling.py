"""The calls between discards and play: money cards, partner, valat, contra, I on the end (R9, R10, R11)."""

from __future__ import annotations

from mypy_extensions import i64

from croupier.core.cards import NOTHING, bit, count
from croupier.games.taroky.events import (
    ContraAsked,
    ContraCalled,
    ContraDeclined,
    ContraEnded,
    IoteCalled,
    IoteDeclined,
    MoneyCalled,
    MoneyEnded,
    PartnerNamed,
    ValatAnswered,
    ValatEnded,
)
from croupier.games.taroky.legality import money_cards, money_value
from croupier.games.taroky.playing import TarokyPlaying
from croupier.games.taroky.vocabulary import (
    CONTRA,
    IOTE,
    MONEY,
    NOBODY,
    OPTIONAL_MONEY,
    PAGAT,
    PARTNER,
    SEATS,
    TRUMP,
    TRUMPS,
    VALAT,
)


class TarokyCalling(TarokyPlaying):
    """Adds the calls to the play; `TarokyState` adds the deal, the talon and the discards."""

    # Money cards (R9).

    def start_money(self) -> None:
        """Ask Povinnost if silence is possible, otherwise call at once."""
        self.phase = MONEY
        if self.prever == NOBODY and count(self.hands[self.povinnost] & TRUMPS) <= 2:
            self.turn = self.povinnost
        else:
            self.call_money(False)

    def call_money(self, silent: bool) -> None:
        """Call and pay everyone's money cards; *silent* if Povinnost keeps a Uni or Bida secret."""
        self.gains = NOTHING[:]
        self.stacks = self.stacks[:]
        player: i64 = 0
        while player < SEATS:
            seat = (self.povinnost + player) & 3
            codes = money_cards(self.hands[seat])
            if silent and player == 0:
                codes &= ~OPTIONAL_MONEY
            self.money |= codes << 8 * seat
            value = money_value(codes)
            if value:
                self._pay_money(seat, value)
            if self.events is not None:
                self.events.append(MoneyCalled(int(seat), codes, int(value), self.chips()))
            player += 1
        if self.events is not None:
            self.events.append(MoneyEnded(self.chips()))
        self.turn = self.povinnost
        if self.prever == NOBODY:
            self.phase = PARTNER
        else:
            self.declarers = bit(self.prever)
            self.phase = VALAT

    def _pay_money(self, taker: i64, value: i64) -> None:
        """Let everyone pay *value* to *taker*."""
        seat: i64 = 0
        while seat < SEATS:
            self.gains[seat] -= value
            self.stacks[seat] -= value
            seat += 1
        self.gains[taker] += 4 * value
        self.stacks[taker] += 4 * value

    # Partner and valat (R10, R11).

    def name(self, trump: i64) -> None:
        """Let Povinnost name this *trump*: its holder is the partner."""
        self.named = trump
        self.declarers = bit(self.povinnost)
        holder = self.holder(TRUMP + trump)
        if holder != NOBODY:
            self.declarers |= bit(holder)
        if self.events is not None:
            self.events.append(PartnerNamed(int(self.povinnost), int(trump)))
        self.phase = VALAT
        self.turn = self.povinnost

    def answer_valat(self, yes: bool) -> None:
        """Apply an answer to valat."""
        seat = self.turn
        self.answers += 1
        over = yes or self.answers == SEATS
        self.turn = NOBODY if over else (seat + 1) & 3
        if yes:
            self.valat = seat
        if self.events is not None:
            self.events.append(ValatAnswered(int(seat), yes, int(self.turn)))
        if not over:
            return
        if self.events is not None:
            self.events.append(ValatEnded(int(self.valat)))
        self.phase = CONTRA
        start = self.povinnost if self.prever == NOBODY else self.prever
        if self.valat == NOBODY or self.declarers >> self.valat & 1:
            start = (start + 1) & 3
        self.turn = self._next_of(self.contra_side(0), start)
        if self.events is not None:
            self.events.append(ContraAsked(int(self.turn), 0))

    # Contra (R11).

    def contra_side(self, level: i64) -> i64:
        """Return the seats that may call contra (*level* 0), rhea (1) or supra (2), as a mask."""
        attacking = self.declarers
        if self.valat != NOBODY and not attacking >> self.valat & 1:
            attacking ^= 0b1111
        return attacking if level == 1 else attacking ^ 0b1111

    def _next_of(self, side: i64, start: i64) -> i64:
        """Return the first seat of *side*, beginning at *start*, that was not asked in this stage."""
        for step in range(SEATS):
            seat = (start + step) & 3
            if side >> seat & 1 and not self.refused >> (4 * self.contras + seat) & 1:
                return seat
        return NOBODY

    def answer_contra(self, yes: bool) -> None:
        """Apply an answer to contra, rhea or supra."""
        seat = self.turn
        level = self.contras
        if yes:
            self.callers |= seat << 2 * level
            self.contras += 1
            if self.events is not None:
                self.events.append(ContraCalled(int(seat), int(level)))
        else:
            self.refused |= bit(4 * level + seat)
            if self.events is not None:
                self.events.append(ContraDeclined(int(seat), int(level)))
        self.turn = NOBODY
        if self.contras < 3:
            self.turn = self._next_of(self.contra_side(self.contras), (seat + 1) & 3)
        if self.turn == NOBODY:
            if self.events is not None:
                self.events.append(ContraEnded(int(self.contras)))
            self._start_iote()
        elif self.events is not None:
            # A seat that does not know the announcer's side learns its own by being asked.
            self.events.append(ContraAsked(int(self.turn), int(self.contras)))

    # I on the end (R11).

    def _start_iote(self) -> None:
        self.phase = IOTE
        self.pagat = self.holder(PAGAT)
        if self.valat != NOBODY or self.pagat == NOBODY:
            self.start_play()
        else:
            self.turn = self.pagat

    def answer_iote(self, yes: bool) -> None:
        """Apply the answer to I on the end."""
        if yes:
            self.iote = self.turn
        else:
            self.quiet = True
        if self.events is not None:
            if yes:
                self.events.append(IoteCalled(int(self.turn)))
            else:
                self.events.append(IoteDeclined(int(self.turn)))
        self.start_play()
