"""The rules of Taroky: a match of deals, each called, settled in money cards, played and paid (R1-R14).

    DEALING -draw-> PREVER -+- nobody --> TALON ----------+-> DISCARD -> MONEY -+-> PARTNER -+
                            +- a seat --> HALF -----------+                     +------------+-> VALAT
    VALAT -> CONTRA -> IOTE -> PLAYING -12 tricks-> DEALING ... OVER

Exactly one seat is asked at a time; phases without a question are skipped. Nobody else may know which seat
is asked in MONEY (it holds at most two trumps), in CONTRA (it would reveal the seat's side) and in IOTE (the
seat holds T01): there a "no" is told to nobody else.

This module has the decisions up to the discards (R3-R8); calling.py and playing.py have the later ones.
"""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from croupier.core.cards import NOTHING, bit, count, mask_of, nth, numbered
from croupier.core.contract import BadDraw, Draw, IllegalAction
from croupier.core.dice import Dice
from croupier.core.layout import Writer
from croupier.games.taroky.calling import TarokyCalling
from croupier.games.taroky.events import (
    DealStarted,
    Dealt,
    Discarded,
    DiscardEnded,
    DiscardStarted,
    HalfEnded,
    HalfOffered,
    HalfSeen,
    HalfShown,
    LaidAway,
    MatchStarted,
    PreverAnswered,
    PreverEnded,
    TalonAnswered,
    TalonCards,
    TalonDrawn,
    TalonEnded,
)
from croupier.games.taroky.facts import Answer
from croupier.games.taroky.legality import (
    discardable,
    partner_choice,
)
from croupier.games.taroky.observing import observe
from croupier.games.taroky.playout import play
from croupier.games.taroky.position import NO_CARDS, many
from croupier.games.taroky.refusals import refusal
from croupier.games.taroky.scoring import DealResult
from croupier.games.taroky.showing import secret_to_act, show
from croupier.games.taroky.view import TarokyView
from croupier.games.taroky.vocabulary import (
    CARD,
    CONTRA,
    DEALING,
    DECK,
    DISCARD,
    DREW,
    GIVEN,
    HALF,
    MONEY,
    NAME,
    NO,
    NOBODY,
    OFFERED,
    OPEN,
    OVER,
    PARTNER,
    PLAYING,
    PREVER,
    RETURNED,
    SEATS,
    TALON,
    TRICKS,
    TRUMP,
    VALAT,
    WHOLE,
    YES,
)


class TarokyState(TarokyCalling):
    """One match of Taroky."""

    def clone(self) -> TarokyState:
        twin = TarokyState(self.rules)
        self.copy_to(twin)
        return twin

    # Decisions and legal actions.

    def to_act(self) -> int:
        return 0 if self.turn == NOBODY else int(bit(self.turn))

    def to_act_for(self, seat: int) -> int:
        return secret_to_act(self, seat)

    def question(self, seat: int) -> int:
        return int(self.ended) if self.phase == DISCARD else -1

    def awaiting(self) -> Draw | None:
        return Draw(list(range(DECK)), DECK) if self.phase == DEALING else None

    def over(self) -> bool:
        return self.phase == OVER

    def choices(self, seat: i64) -> i64:
        if seat != self.turn:
            return 0
        if self.phase == PLAYING or self.phase == DISCARD:
            return count(self.may)
        if self.phase == PARTNER:
            return 2 if partner_choice(self.hands[seat]) else 1
        return 2

    def choice(self, seat: i64, k: i64) -> i64:
        if self.phase == PLAYING or self.phase == DISCARD:
            return CARD + nth(self.may, k)
        if self.phase == PARTNER:
            lower = partner_choice(self.hands[seat])
            if k == 0 and lower:
                return NAME + lower - 15
            return NAME + 4
        return k

    def any_action(self, seat: i64, dice: Dice) -> i64:
        if self.phase == PLAYING or self.phase == DISCARD:
            return CARD + dice.any_of(self.may)
        return self.choice(seat, dice.index(self.choices(seat)))

    def policy(self, seat: i64, dice: Dice) -> i64:
        phase = self.phase
        if phase == PLAYING:
            return CARD + play(self, dice)
        if phase == DISCARD:
            return self.choice(seat, dice.below(self.choices(seat)))
        if phase == PARTNER:
            return self.choice(seat, 0)
        return NO if phase == PREVER or phase >= VALAT else YES

    def hidden(self, seat: i64) -> bool:
        phase = self.phase
        return DISCARD <= phase <= MONEY or CONTRA <= phase < PLAYING

    def write_legal(self, seat: i64, out: Writer) -> None:
        if (self.phase == PLAYING or self.phase == DISCARD) and seat == self.turn:
            out.skip(CARD)
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
        if self.phase == PLAYING or self.phase == DISCARD:
            return numbered(self.may, CARD)
        return [int(self.choice(seat, k)) for k in range(self.choices(seat))]

    def is_legal(self, action: i64) -> bool:
        """Return True if *action*, a number of the action table, is legal for the seat whose turn it is."""
        if action >= CARD:
            return (self.phase == PLAYING or self.phase == DISCARD) and self.may & bit(action - CARD) != 0
        if self.phase == PARTNER:
            if action == NAME + 4:
                return True
            return action >= NAME and action - NAME + 15 == partner_choice(self.hands[self.turn])
        return action < NAME and self.phase != PLAYING and self.phase != DISCARD

    def why_not(self, seat: int, action: int) -> IllegalAction:
        return refusal(self, seat, action)

    def apply(self, seat: int, action: int) -> None:
        if seat < 0 or seat != self.turn or not 0 <= action < CARD + DECK:
            raise refusal(self, seat, action)
        code: i64 = action
        if not self.is_legal(code):
            raise refusal(self, seat, action)
        if self.phase == PLAYING:
            self.play(code - CARD)
        elif self.phase == DISCARD:
            self._discard(code - CARD)
        elif self.phase == PREVER:
            self._answer_prever(code == YES)
        elif self.phase == TALON:
            self._answer_talon(code == YES)
        elif self.phase == HALF:
            self._answer_half(code == YES)
        elif self.phase == MONEY:
            self.call_money(code == NO)
        elif self.phase == PARTNER:
            self.name(code - NAME + 15)
        elif self.phase == VALAT:
            self.answer_valat(code == YES)
        elif self.phase == CONTRA:
            self.answer_contra(code == YES)
        else:
            self.answer_iote(code == YES)

    # Dealing (R1, R3).

    def first_dealt(self) -> i64:
        """Return the seat that is dealt to first in the next deal."""
        if self.number == 0:
            return 0
        return (self.povinnost + 1) & 3

    def apply_draw(self, outcome: list[int]) -> None:
        draw = self.awaiting()
        if draw is None:
            raise BadDraw("a draw came: none is due")
        draw.check(outcome)
        first = int(self.first_dealt())
        order: list[int] = []
        for seat in range(SEATS):
            start = 6 + 6 * ((seat - first) % SEATS)
            order += outcome[start : start + 6] + outcome[start + 24 : start + 30]
        self.set_out(order, outcome[:6])

    def roll(self, dice: Dice) -> None:
        left: i64 = DECK
        cards: i64 = WHOLE
        talon: i64 = 0
        while left > 48:
            card = nth(cards, dice.below(left))
            cards &= ~bit(card)
            talon |= card << 6 * (DECK - left)
            left -= 1
        two = dice.some_of(cards, 24)
        hand0 = dice.some_of(two, 12)
        hand2 = dice.some_of(cards & ~two, 12)
        self._deal(hand0, two & ~hand0, hand2, cards & ~(two | hand2), talon, NO_CARDS)

    def set_out(self, order: list[int], talon: list[int]) -> None:
        """Start the next deal with these hands, twelve cards for each seat from seat 0 on, and this talon."""
        packed: i64 = 0
        for n in range(6):
            card: i64 = talon[n]
            packed |= card << 6 * n
        self._deal(
            mask_of(order[:12]),
            mask_of(order[12:24]),
            mask_of(order[24:36]),
            mask_of(order[36:]),
            packed,
            order,
        )

    def _deal(self, hand0: i64, hand1: i64, hand2: i64, hand3: i64, talon: i64, order: list[int]) -> None:
        if self.number > 0:
            # Done only now: a playout that ends with its deal does not need it. A new list: clones share it.
            self.results = [*self.results, self.result()]
            self.before = None
        self.number += 1
        self.order = order
        self.initial = vec[i64]([hand0, hand1, hand2, hand3])
        self.hands = self.initial[:]
        self.talon = talon
        self.asked = self.answers = self.yes = 0
        self.prever = NOBODY
        self.shared = False
        self.gift2 = self.gift3 = OPEN
        self.step = self.half = 0
        self.discarded = NOTHING[:]
        self.left = 0
        self.money = 0
        self.gains = NOTHING
        self.named = self.declarers = 0
        self.valat = NOBODY
        self.contras = self.callers = self.refused = 0
        self.iote = self.pagat = NOBODY
        self.quiet = False
        self.leader = self.winner = NOBODY
        self.may = self.fallen = self.trick = self.pile = self.done = 0
        self.taken = NOTHING[:]
        self.played = vec[i64]([0] * TRICKS)
        self.povinnost = self._first_povinnost() if self.number == 1 else (self.povinnost + 1) & 3
        self.phase = PREVER
        self.turn = self.povinnost
        if self.events is not None:
            if self.number == 1:
                self.events.append(MatchStarted(self.rules.options))
            self.events.append(DealStarted(int(self.number), int(self.povinnost), self.chips()))
            for seat in range(SEATS):
                self.events.append(Dealt(seat, self.dealt(seat)))

    def _first_povinnost(self) -> i64:
        if self.rules.first != NOBODY:
            return self.rules.first
        card: i64 = TRUMP + 2
        while self.holder(card) == NOBODY:
            card += 1
        return self.holder(card)

    # Prever (R5).

    def _answer_prever(self, yes: bool) -> None:
        seat = self.turn
        if yes:
            self.yes |= bit(self.asked)
            self.prever = seat
        self.asked += 1
        over = self.asked == SEATS or (yes and not self.rules.last_prever)
        following = NOBODY if over else (seat + 1) & 3
        self.turn = following
        if self.events is not None:
            self.events.append(PreverAnswered(int(seat), yes, int(following)))
        if not over:
            return
        if self.events is not None:
            self.events.append(PreverEnded(int(self.prever)))
        if self.prever == NOBODY:
            self._share_talon()
            return
        self.phase = HALF
        self.turn = self.prever
        self._offer_half(1)

    # The talon in a partner game (R6).

    def _share_talon(self) -> None:
        self.phase = TALON
        self.shared = True
        cards = self.talon_card(0) | self.talon_card(1) << 6 | self.talon_card(2) << 12
        self._take(self.povinnost, cards | self.talon_card(3) << 18, 4)
        self.turn = (self.povinnost + 1) & 3

    def _take(self, seat: i64, packed: i64, n: i64) -> None:
        """Give *seat* the *n* cards of *packed*."""
        hand = self.hands[seat]
        for k in range(n):
            hand |= bit(packed >> 6 * k & 63)
        self.hands[seat] = hand
        if self.events is not None:
            self.events.append(TalonCards(int(seat), [int(packed >> 6 * k & 63) for k in range(n)]))
            self.events.append(TalonDrawn(int(seat), int(n)))

    def _answer_talon(self, yes: bool) -> None:
        seat = self.turn
        second = self.gift2 == OPEN or self.gift2 == OFFERED  # card 5 is still in question
        owner = (self.povinnost + (1 if second else 2)) & 3
        offer = (self.gift2 if second else self.gift3) == OFFERED
        if offer:
            gift: i64 = GIVEN if yes else RETURNED
        else:
            gift = DREW if yes else OFFERED
        if second:
            self.gift2 = gift
        else:
            self.gift3 = gift
        if gift == OFFERED:
            self.turn = (self.povinnost + 3) & 3
        else:
            self.turn = (self.povinnost + 2) & 3 if second else NOBODY
        if self.events is not None:
            word: Answer = ("accept" if yes else "reject") if offer else ("draw" if yes else "pass")
            giver = NOBODY if gift == DREW else int(owner)
            self.events.append(TalonAnswered(int(seat), word, giver, int(self.turn)))
        if gift == OFFERED:
            return
        taker = seat if gift == GIVEN else owner
        self._take(taker, self.talon_card(4 if second else 5), 1)
        if self.turn == NOBODY:
            if self.events is not None:
                self.events.append(TalonEnded([len(self.draws(s)) for s in range(SEATS)]))
            self._start_discard()

    # The talon in a prever game (R7).

    def _offer_half(self, step: i64) -> None:
        self.step = step
        if self.events is not None:
            cards = self.talon_cards(3 if step == 2 else 0, 3)
            self.events.append(HalfSeen(int(self.prever), cards))
            self.events.append(HalfOffered(int(self.prever), int(step)))

    def _answer_half(self, keep: bool) -> None:
        seat = self.prever
        if not keep:
            if self.events is not None:
                cards = self.talon_cards(3 if self.step == 2 else 0, 3)
                self.events.append(HalfShown(int(seat), cards))
            if self.step == 1:
                self._offer_half(2)
                return
        self.half = self.step if keep else 3
        start: i64 = 3 if self.half == 2 else 0
        if self.events is not None:
            self.events.append(HalfEnded(int(seat), int(self.half)))
        self._take(seat, self.talon >> 6 * start & 0x3FFFF, 3)
        self._start_discard()

    # Discarding (R8).

    def _start_discard(self) -> None:
        self.phase = DISCARD
        self._next_discard(self.povinnost if self.prever == NOBODY else self.prever)
        if self.events is not None:
            self.events.append(DiscardStarted(int(self.turn), int(self.left)))

    def _next_discard(self, seat: i64) -> None:
        """Ask the first seat, beginning at *seat* in playing order, that holds too many cards."""
        while True:
            extra = count(self.hands[seat]) - 12
            if extra > 0:
                self.turn = seat
                self.left = extra
                self.may = discardable(self.hands[seat])
                return
            seat = (seat + 1) & 3
            if seat == self.povinnost or self.prever != NOBODY:
                self.turn = NOBODY
                self.left = 0
                return

    def _discard(self, card: i64) -> None:
        seat = self.turn
        self.hands[seat] &= ~bit(card)
        self.discarded[seat] |= (card + 1) << 6 * many(self.discarded[seat])
        self._next_discard(seat)
        if self.events is not None:
            self.events.append(LaidAway(int(seat), int(card)))
            shown = int(card) if card > TRUMP else NOBODY
            self.events.append(Discarded(int(seat), shown, int(self.turn), int(self.left)))
        if self.turn == NOBODY:
            if self.events is not None:
                self.events.append(DiscardEnded())
            self.start_money()

    # Scores and views.

    def deal(self) -> int:
        return int(self.ended)

    def scores(self) -> list[int]:
        return self.chips()

    def view(self, seat: int) -> TarokyView:
        view = TarokyView(seat)
        show(self, view)
        view.to_act = secret_to_act(self, seat)
        view.legal = self.legal_actions(seat)
        return view

    # For sampling, loading and tests.

    def resume(self, results: list[DealResult]) -> None:
        """Set a fresh state to the point after deals with these *results*; the next draw deals."""
        assert self.number == 0, "only a fresh state can be resumed"
        if not results:
            return
        last = results[-1]
        self.results = results[:-1]
        self.number = len(results)
        self.ended = len(results)
        self.povinnost = last.povinnost
        self.stacks = vec[i64](last.chips)
        self.before = last
