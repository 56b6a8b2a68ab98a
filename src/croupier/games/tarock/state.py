"""The rules of Slovenian Tarock: a match of deals, each bid for, exchanged, announced and played (R1-R13).

    DEALING -draw-> BIDDING -> CALLING -> EXCHANGING -> ANNOUNCING -> PLAYING -12 tricks-> DEALING ... OVER

CALLING is skipped if no king is called, EXCHANGING if nothing is taken from the talon, and ANNOUNCING if
there is nothing to announce or to double. A deal in which a hand has no tarock is void: the state stays in
DEALING and no event is written. One seat at a time owes a decision, and everyone knows which. An exchange
(a set, then cards, one by one) and a turn of announcements (bonuses, then items, then done) are single
decisions of several actions.
"""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from croupier.core.cards import bit, cards_of, count, mask_of, nth, unpack
from croupier.core.contract import BadDraw, Draw, IllegalAction
from croupier.core.dice import Dice
from croupier.core.layout import Writer
from croupier.core.tricks import beats
from croupier.games.tarock import sides
from croupier.games.tarock.announcing import (
    announceable,
    kept_by,
    only_above,
    with_announcing,
)
from croupier.games.tarock.contracts import (
    ALL,
    COLOR_VALAT,
    CONTRACTS,
    KLOP,
    MANY,
    NONE,
    OPEN_BEGGAR,
    SOLO_WITHOUT,
    THREE,
    left_alone,
    lowest_bid,
    may_pass,
    next_speaker,
)
from croupier.games.tarock.dealing import TarockDealing
from croupier.games.tarock.events import (
    Announced,
    AnnouncingEnded,
    AnnouncingStarted,
    BiddingEnded,
    BiddingStarted,
    CallingStarted,
    Claimed,
    ExchangeEnded,
    ExchangeStarted,
    HandShown,
    KingCalled,
    LaidAway,
    Played,
    PlayStarted,
    SetTaken,
    Spoke,
)
from croupier.games.tarock.legality import next_discards, playable, suit_of
from croupier.games.tarock.observing import observe
from croupier.games.tarock.playout import play
from croupier.games.tarock.refusals import why_not
from croupier.games.tarock.showing import show
from croupier.games.tarock.view import TarockView
from croupier.games.tarock.vocabulary import (
    ANNOUNCE,
    ANNOUNCING,
    B_KING,
    BID,
    BIDDING,
    CALL,
    CALLING,
    DEALING,
    DECK,
    DISCARD,
    DONE,
    EXCHANGING,
    HAND,
    ITEMS,
    KONTRA,
    MOND,
    MOND_BIT,
    NOBODY,
    OVER,
    PAGAT,
    PLAYING,
    SEATS,
    SKIS_BIT,
    TAKE,
    TAROCKS,
    TRICKS,
    TRULA,
    WHOLE,
)


class TarockState(TarockDealing):
    """One match of Slovenian Tarock."""

    def clone(self) -> TarockState:
        twin = TarockState(self.rules)
        self.copy_to(twin)
        return twin

    # Decisions and legal actions.

    def to_act(self) -> int:
        if self.turn < 0:
            return 0
        return int(1 << self.turn)

    def to_act_for(self, seat: int) -> int:
        return self.to_act()

    def question(self, seat: int) -> int:
        if self.phase == EXCHANGING:
            return int(self.ended * 256)
        return int(self.ended * 256 + 1 + self.turns) if self.phase == ANNOUNCING else -1

    def awaiting(self) -> Draw | None:
        return Draw(list(range(DECK)), DECK) if self.phase == DEALING else None

    def over(self) -> bool:
        return self.phase == OVER

    def choices(self, seat: i64) -> i64:
        if seat != self.turn or seat < 0:
            return 0
        if self.phase == PLAYING:
            return count(self.may)
        if self.phase == BIDDING:
            return MANY - self.low + self.passable
        if self.phase == CALLING:
            return 4
        if self.phase == EXCHANGING:
            return 6 // self.many if self.picked < 0 else count(self.discards())
        return count(self.bonuses()) + count(self.items()) + 1

    def choice(self, seat: i64, k: i64) -> i64:
        if self.phase == PLAYING:
            return nth(self.may, k)
        if self.phase == BIDDING:
            k -= self.passable
            if k < 0:
                return BID
            return BID + 1 + self.low + k
        if self.phase == CALLING:
            return CALL + k
        if self.phase == EXCHANGING:
            return TAKE + k if self.picked < 0 else DISCARD + nth(self.discards(), k)
        bonuses = self.bonuses()
        many = count(bonuses)
        if k < many:
            return ANNOUNCE + nth(bonuses, k)
        items = self.items()
        if k < many + count(items):
            return KONTRA + nth(items, k - many)
        return DONE

    def any_action(self, seat: i64, dice: Dice) -> i64:
        if self.phase == PLAYING:
            return dice.any_of(self.may)
        return self.choice(seat, dice.index(self.choices(seat)))

    def policy(self, seat: i64, dice: Dice) -> i64:
        if self.phase == PLAYING:
            return play(self, dice)
        if self.phase == BIDDING:
            return self.choice(seat, 0)
        if self.phase == ANNOUNCING:
            return DONE
        return self.choice(seat, dice.below(self.choices(seat)))

    def hidden(self, seat: i64) -> bool:
        return self.phase == EXCHANGING and self.picked >= 0

    def write_legal(self, seat: i64, out: Writer) -> None:
        if self.phase == PLAYING and seat == self.turn:
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
            return cards_of(self.may)
        return [int(self.choice(seat, k)) for k in range(self.choices(seat))]

    def discards(self) -> i64:
        """Return the cards that declarer may discard next."""
        return next_discards(self.hands[self.declarer], self.laid, self.many, self.rules.free_discards)

    def bonuses(self) -> i64:
        """Return the bonuses that may be announced now, as a mask."""
        return announceable(
            self.turns,
            self.contract,
            self.rules,
            self.announcers,
            self.claimed,
            self.raised,
            self.hands[self.turn],
            self.king_bit,
        )

    def items(self) -> i64:
        """Return the items that may be doubled now, as a mask."""
        if not self.rules.kontra:
            return 0
        seat = self.turn
        holds = self.hands[seat] & self.king_bit != 0
        found = sides.found_by(seat, holds, self.declarer, self.found)
        foes = sides.foes_for(seat, holds, self.declarer, self.foes)
        pending = sides.with_claims(self.announcers, seat, self.claimed)
        items = sides.raisable(seat, self.declarer, found, foes, pending, self.steps, self.rules.steps)
        return only_above(items, self.raised)

    # Applying actions.

    def apply(self, seat: int, action: int) -> None:
        if not 0 <= seat < SEATS or not 0 <= action <= DONE or seat != self.turn:
            raise self.why_not(seat, action)
        code: i64 = action
        if self.phase == PLAYING:
            if code >= DECK or not self.may & bit(code):
                raise self.why_not(seat, action)
            self._play(seat, code)
        elif self.phase == BIDDING:
            if not BID <= code < CALL or not self._may_bid(code - BID - 1):
                raise self.why_not(seat, action)
            self._bid(seat, code - BID - 1)
        elif self.phase == CALLING:
            if not CALL <= code < TAKE:
                raise self.why_not(seat, action)
            self._call(code - CALL)
        elif self.phase == EXCHANGING:
            self._exchange(seat, code)
        else:
            self._announce(seat, code)

    def _may_bid(self, contract: i64) -> bool:
        return self.passable == 1 if contract < 0 else contract >= self.low

    def why_not(self, seat: int, action: int) -> IllegalAction:
        return why_not(self, seat, action, self._legal_now())

    def _legal_now(self) -> list[int]:
        return self.legal_actions(int(self.turn))

    # Dealing (R3).

    def apply_draw(self, outcome: list[int]) -> None:
        draw = self.awaiting()
        if draw is None:
            raise BadDraw("a draw came: none is due")
        draw.check(outcome)
        hands: list[i64] = [0, 0, 0, 0]
        for packet in range(8):
            cards = outcome[6 + 6 * packet : 12 + 6 * packet]
            hands[packet % SEATS] |= mask_of(cards)
        talon: i64 = 0
        for at in range(6):
            card: i64 = outcome[at]
            talon |= card << 6 * at
        self._deal(hands[0], hands[1], hands[2], hands[3], talon)

    def roll(self, dice: Dice) -> None:
        talon: i64 = 0
        taken: i64 = 0
        at: i64 = 0
        while at < 6:
            card = dice.below(DECK)
            if not taken & bit(card):
                taken |= bit(card)
                talon |= card << 6 * at
                at += 1
        two = dice.some_of(WHOLE & ~taken, 2 * HAND)
        first = dice.some_of(two, HAND)
        rest = WHOLE & ~(taken | two)
        third = dice.some_of(rest, HAND)
        self._deal(first, two & ~first, third, rest & ~third, talon)

    def _deal(self, first: i64, second: i64, third: i64, fourth: i64, talon: i64) -> None:
        """Start the next deal with these hands, forehand's first; a void deal leaves no events (R3.3)."""
        if not (first & TAROCKS and second & TAROCKS and third & TAROCKS and fourth & TAROCKS):
            self.void = True
            return
        forehand = (self.number + 1) & 3
        if forehand == 0:
            self.dealt = vec[i64]([first, second, third, fourth])
        elif forehand == 1:
            self.dealt = vec[i64]([fourth, first, second, third])
        elif forehand == 2:
            self.dealt = vec[i64]([third, fourth, first, second])
        else:
            self.dealt = vec[i64]([second, third, fourth, first])
        if self.last is not None:
            # Done only now: a playout that ends with its deal does not need it. A new list: clones share it.
            self.books = self.results()
            self.last = None
        zero = self.ended > 0 and 0 in self.sums
        self.compulsory = self.rules.compulsory_klop and (self.void or zero)
        self.void = False
        self.number += 1
        self.dealer = (forehand - 1) & 3
        self.talon = talon
        self.clear()
        if self.events is not None:
            self.tell_deal()
        self.phase = BIDDING
        self._speak((forehand + 1) & 3)
        if self.events is not None:
            standing = KLOP if self.compulsory else THREE
            self.events.append(BiddingStarted(int(forehand), standing, int(self.turn)))

    # The auction (R4).

    def _speak(self, seat: i64) -> None:
        """Give *seat* the turn to bid."""
        self.turn = seat
        forehand = (self.dealer + 1) & 3
        self.low = lowest_bid(forehand, seat, self.passed, self.high, self.holder, self.compulsory)
        self.passable = 1 if may_pass(seat, self.passed, self.high, self.compulsory) else 0

    def _bid(self, seat: i64, contract: i64) -> None:
        alone = left_alone(seat, self.passed)
        self.write_bid(contract + 1)
        if contract >= 0:
            self.high = contract
            self.holder = seat
            if alone:
                self._end_bidding(seat, contract, seat, contract)
                return
        else:
            self.passed |= 1 << seat
            if self.passed == 0b1111:
                # The last player may pass only if klop is compulsory.
                self._end_bidding((self.dealer + 1) & 3, KLOP, seat, contract)
                return
        speaker = next_speaker(seat, self.passed)
        if self.high >= 0 and left_alone(speaker, self.passed) and not self.rules.final_raise:
            self._end_bidding(speaker, self.high, seat, contract)
            return
        self._speak(speaker)
        if self.events is not None:
            self.events.append(Spoke(int(seat), int(contract), int(speaker)))

    def _end_bidding(self, declarer: i64, contract: i64, seat: i64, said: i64) -> None:
        self.declarer = declarer
        self.contract = contract
        kind = CONTRACTS[int(contract)]
        if contract != KLOP and not kind.king:
            self.found = NOBODY
        if self.events is not None:
            self.events.append(Spoke(int(seat), int(said), NOBODY))
            self.events.append(BiddingEnded(int(declarer), int(contract)))
        if kind.king:
            self.phase = CALLING
            self.turn = declarer
            if self.events is not None:
                self.events.append(CallingStarted(int(declarer)))
        elif kind.talon:
            self._start_exchange()
        else:
            self._start_announcing()

    # The king and the talon (R6, R7).

    def _call(self, suit: i64) -> None:
        self.king = suit
        self.king_bit = bit(8 * suit + 7)
        seat: i64 = 0
        while seat < SEATS:
            if seat != self.declarer and self.hands[seat] & self.king_bit:
                self.partner = seat
            seat += 1
        if self.events is not None:
            self.events.append(KingCalled(int(self.declarer), int(suit)))
        self._start_exchange()

    def _start_exchange(self) -> None:
        self.phase = EXCHANGING
        self.turn = self.declarer
        self.many = CONTRACTS[int(self.contract)].talon
        at: i64 = 0
        while at < 6:
            self.rest |= bit(self.talon >> 6 * at & 63)
            at += 1
        if self.rest & self.king_bit:
            self.found = NOBODY
        if self.events is not None:
            self.events.append(ExchangeStarted(int(self.declarer), unpack(self.talon, 6), int(self.many)))

    def _exchange(self, seat: i64, code: i64) -> None:
        if self.picked < 0:
            if not TAKE <= code < TAKE + 6 // self.many:
                raise self.why_not(int(seat), int(code))
            self.picked = code - TAKE
            cards = self.talon_set(self.picked)
            self.rest &= ~cards
            self.hands[seat] |= cards
            if self.events is not None:
                self.events.append(SetTaken(int(seat), int(self.picked)))
            return
        if not DISCARD <= code < ANNOUNCE or not self.discards() & bit(code - DISCARD):
            raise self.why_not(int(seat), int(code))
        card = code - DISCARD
        self.hands[seat] &= ~bit(card)
        self.laid_order |= card << 6 * count(self.laid)
        self.laid |= bit(card)
        if self.events is not None:
            self.events.append(LaidAway(int(seat), int(card)))
        if count(self.laid) < self.many:
            return
        self.exchanged = True
        if self.events is not None:
            self.events.append(ExchangeEnded(int(seat), int(self.picked), self.laid & TAROCKS))
        self._start_announcing()

    # Announcements (R8, R9).

    def _start_announcing(self) -> None:
        if not with_announcing(self.contract, self.rules):
            self._start_play()
            return
        self.phase = ANNOUNCING
        self.turn = self.declarer
        if self.events is not None:
            self.events.append(AnnouncingStarted(int(self.turn)))

    def _announce(self, seat: i64, code: i64) -> None:
        if code == DONE:
            self._end_turn(seat)
        elif ANNOUNCE <= code < KONTRA and self.bonuses() >> (code - ANNOUNCE) & 1:
            self.claimed |= 1 << (code - ANNOUNCE)
            if self.events is not None:
                self.events.append(Claimed(int(seat), int(code - ANNOUNCE), NOBODY))
        elif KONTRA <= code < DONE and self.items() >> (code - KONTRA) & 1:
            self.raised |= 1 << (code - KONTRA)
            if self.events is not None:
                self.events.append(Claimed(int(seat), NOBODY, int(code - KONTRA)))
        else:
            raise self.why_not(int(seat), int(code))

    def _end_turn(self, seat: i64) -> None:
        claimed = self.claimed
        raised = self.raised
        self.claimed = 0
        self.raised = 0
        self.announcers = sides.with_claims(self.announcers, seat, claimed)
        if claimed >> B_KING & 1:
            self._find(seat)
        item: i64 = 0
        while item < len(ITEMS):
            if raised >> item & 1:
                self._raise(seat, item)
            item += 1
        self.write_turn(seat, claimed, raised)
        self.idle += 1
        if claimed or raised:
            self.idle = 0
        ended = self.turns >= SEATS and (not self.rules.kontra or self.idle >= 3)
        self.turn = (seat + 1) & 3
        if self.events is not None:
            following = NOBODY if ended else int(self.turn)
            self.events.append(Announced(int(seat), int(claimed), int(raised), following))
        if not ended:
            return
        if self.events is not None:
            self.events.append(AnnouncingEnded())
        self._start_play()

    def _find(self, seat: i64) -> None:
        """Record that everyone knows *seat* holds the called king."""
        self.found = seat
        if seat == self.declarer:
            self.found = NOBODY

    def _raise(self, seat: i64, item: i64) -> None:
        step = sides.step_of(self.steps, item)
        found = self.found
        foes = self.foes
        self.found = sides.found_by_raise(seat, item, self.declarer, found, foes, self.announcers, step)
        self.foes = sides.foes_by_raise(seat, item, self.declarer, found, foes, self.announcers, step)
        self.steps += 1 << 3 * item

    # Playing (R10).

    def _start_play(self) -> None:
        kind = CONTRACTS[int(self.contract)]
        self.phase = PLAYING
        self.negative = kind.negative
        self.aim = kind.aim
        self.trumps = TAROCKS
        if self.contract == COLOR_VALAT:
            self.trumps = 0
        self.leader = self.declarer if kind.declarer_leads else (self.dealer + 1) & 3
        if self.contract == OPEN_BEGGAR and self.rules.shown_at_start:
            self._show_hand()
        if self.events is not None:
            self.events.append(PlayStarted(int(self.leader)))
        self._turn_to(self.leader)

    def _show_hand(self) -> None:
        self.shown = True
        if self.events is not None:
            self.events.append(HandShown(int(self.declarer), self.hands[self.declarer]))

    def _turn_to(self, seat: i64) -> None:
        self.turn = seat
        kept: i64 = 0
        if self.announcers and self.tricks < TRICKS - 1:
            kept = kept_by(seat, self.announcers, self.king_bit)
        led: i64 = 0
        if self.fallen:
            led = self.led
        self.may = playable(self.hands[seat], led, self.best, self.table, self.negative, kept)

    def _play(self, seat: i64, card: i64) -> None:
        one = bit(card)
        self.hands[seat] &= ~one
        if self.fallen == 0:
            self.led = suit_of(card)
            self.best = card
            self.winner = seat
        elif beats(card, self.best, self.led, self.trumps):
            self.best = card
            self.winner = seat
        self.trick |= card << 6 * self.fallen
        self.table |= one
        self.fallen += 1
        if one & self.king_bit:
            self._find(seat)
        if self.fallen == SEATS:
            self._end_trick(seat, card)
            return
        following = (seat + 1) & 3
        if self.events is not None:
            self.events.append(Played(int(seat), int(card), self.fallen == 1, int(following), NOBODY, NOBODY))
        self._turn_to(following)

    def _end_trick(self, seat: i64, card: i64) -> None:
        table = self.table
        if table & TRULA == TRULA and (self.trumps or self.led == TAROCKS):
            self.best = PAGAT
            self.winner = self.player_of(PAGAT)  # R10.3
        winner = self.winner
        if table & MOND_BIT and table & SKIS_BIT and (self.many or self.contract == SOLO_WITHOUT):
            self.mond = self.player_of(MOND)  # R12
        self.piles[winner] |= table
        self.won += 1 << 4 * winner
        gift: i64 = NOBODY
        if self.contract == KLOP and self.tricks < 6:
            gift = self.talon >> 6 * self.tricks & 63
            self.piles[winner] |= bit(gift)
        if bit(self.best) == self.king_bit and self.talon_set(self.picked) & self.king_bit:
            self.piles[winner] |= self.rest  # R6.3
            self.rest = 0
        self.played[self.tricks] = self.trick | self.leader << 24
        self.tricks += 1
        ended = self.tricks == TRICKS
        if (self.aim == NONE and winner == self.declarer) or (self.aim == ALL and winner != self.declarer):
            ended = True  # R10.9
        if self.events is not None:
            following = NOBODY if ended else int(winner)
            self.events.append(Played(int(seat), int(card), False, following, int(winner), int(gift)))
        if ended:
            self.end_deal()
            return
        self.leader = winner
        self.fallen = 0
        self.trick = 0
        self.table = 0
        if self.contract == OPEN_BEGGAR and not self.shown:
            self._show_hand()
        self._turn_to(winner)

    # Views.

    def view(self, seat: int) -> TarockView:
        view = TarockView(seat)
        show(self, view)
        view.to_act = self.to_act()
        view.legal = self.legal_actions(seat)
        return view
