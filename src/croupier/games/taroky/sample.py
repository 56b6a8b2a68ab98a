"""Sample a state that a seat cannot distinguish from the real one: deal the hidden cards again, replay the
rest.

The others' hands, their plain discards and the talon are hidden. What the seat has seen limits them: cards
played, suits not followed, trumps discarded (nothing else was left), the trump Povinnost named, who called or
was asked for contra. These limits apply to single cards, and cards are dealt within them. Money cards limit
how many trumps and five-pointers a hand has. If a deal breaks such a limit, random exchanges of cards that do
not make it worse are applied until no limit is broken. The actions known to the seat are then replayed, so
the rules check the result.
"""

from __future__ import annotations

from random import Random
from typing import Final

from mypy_extensions import i64

from croupier.core.cards import bit, cards_of, count, mask_of
from croupier.core.dice import Dice
from croupier.core.hidden import ELSEWHERE, Odds, deal_out
from croupier.games.taroky.legality import suit_of
from croupier.games.taroky.state import TarokyState
from croupier.games.taroky.view import TarokyView
from croupier.games.taroky.vocabulary import (
    CARD,
    CONTRA,
    DEALING,
    FIVES,
    GIVEN,
    IOTE,
    KINGS,
    MONEY,
    NAME,
    NO,
    NOBODY,
    OPEN,
    OVER,
    PAGAT,
    PARTNER,
    PLAIN,
    RULES,
    SEATS,
    TRUL,
    TRUMP,
    TRUMPS,
    WHOLE,
    YES,
)

PLAIN_CARDS: Final = int(mask_of(cards_of(PLAIN)))
"""Not int(PLAIN): compiled, a literal from 2**30 to 2**31 becomes an int in 32 bits."""
HAND: Final = 12
MOST_TRIES = 400
"""How many exchanges are tried before the cards are dealt again."""
TRUMP_RANGES = {1: (0, 0), 2: (1, 2), 4: (8, 9), 8: (10, 12), 0: (3, 7)}
"""The number of trumps in a hand, by its call of U, B, T or R."""
RANGE_CODES = 0b1111


def sample(view: TarokyView, rng: Random, odds: Odds | None = None) -> TarokyState:
    """Return a state with exactly this *view*."""
    assert view.seat >= 0, "a watcher has no state of its own to imagine"
    state = TarokyState(RULES.of(view.options))
    if view.deal == 0:
        return state
    if view.phase in (DEALING, OVER):
        whole = _Cards([hand[:] for hand in view.hands], view.talon, [c[:] for c in view.all_discards])
        _play_again(state, view, whole, rng)
    else:
        _play_again(state, view, _World(view, rng, odds).imagine(), rng)
    return state


class _Cards:
    """One distribution of all cards, with the discards."""

    def __init__(self, hands: list[list[int]], talon: list[int], discards: list[list[int]]) -> None:
        self.hands = hands
        self.talon = talon
        self.discards = discards


def _play_again(state: TarokyState, view: TarokyView, cards: _Cards, rng: Random) -> None:
    """Play the fresh *state* up to the point of *view*, with these cards."""
    lies_open = view.phase in (DEALING, OVER)
    state.resume(view.results[: view.deal - 1])
    state.set_out([card for hand in cards.hands for card in hand], cards.talon)
    for yes in view.prevers:
        _act(state, YES if yes else NO)
    if view.prever == NOBODY:
        for gift in view.gifts:
            if gift != OPEN:
                _act(state, YES if gift == 1 else NO)
            if gift > 2:
                _act(state, YES if gift == GIVEN else NO)
    elif view.half or view.step == 2:
        for keep in {0: [NO], 1: [YES], 2: [NO, YES], 3: [NO, NO]}[view.half]:
            _act(state, keep)
    for player in range(1, SEATS + 1):
        for card in cards.discards[view.seat_of(player)]:
            _act(state, CARD + card)
    if state.phase == MONEY and (lies_open or view.phase > MONEY):
        _act(state, YES if view.money[0] & 3 else NO)
    if view.named:
        _act(state, NAME + view.named - 15)
    for yes in view.valats:
        _act(state, YES if yes else NO)
    if lies_open or view.phase >= CONTRA:
        _contra_again(state, view, lies_open, rng)
    if state.phase == IOTE and (lies_open or view.phase > IOTE):
        _act(state, YES if view.iote != NOBODY else NO)
    for trick in view.tricks:
        for card in trick.cards:
            _act(state, CARD + card)
    for card in view.trick:
        _act(state, CARD + card)


def _act(state: TarokyState, action: int) -> None:
    state.apply(int(state.turn), action)


def _contra_again(state: TarokyState, view: TarokyView, lies_open: bool, rng: Random) -> None:
    for caller in view.contras:
        while state.turn != caller:
            _act(state, NO)
        _act(state, YES)
    if lies_open or view.phase > CONTRA:
        while state.phase == CONTRA:
            _act(state, NO)
        return
    order = contra_order(view, int(state.declarers), len(view.contras))
    for _ in range(rng.choice(_stops(view, order))):
        _act(state, NO)


# What contra reveals about the sides


def contra_order(view: TarokyView, declarers: int, level: int) -> list[int]:
    """Return the seats asked for a *level* of contra, in order, if these are the *declarers*."""
    attacking = declarers
    first = view.povinnost if view.prever == NOBODY else view.prever
    if view.valat != NOBODY and not declarers >> view.valat & 1:
        attacking ^= 0b1111
    elif level == 0:
        first += 1
    if level:
        first = view.contras[level - 1] + 1
    side = attacking if level == 1 else attacking ^ 0b1111
    return [(first + n) % SEATS for n in range(SEATS) if side >> (first + n) % SEATS & 1]


def _stops(view: TarokyView, order: list[int]) -> list[int]:
    """Return the numbers of answers of *order* after which the stage of contra agrees with *view*."""
    seat = view.seat
    if view.to_act >> seat & 1:
        return [order.index(seat)] if seat in order else []
    if view.refused >> len(view.contras) & 1:
        return list(range(order.index(seat) + 1, len(order))) if seat in order else []
    return list(range(order.index(seat) if seat in order else len(order)))


def fits(view: TarokyView, declarers: int) -> bool:
    """Return True if what *view* has heard of contra fits these *declarers*."""
    if view.phase < CONTRA:
        return True
    for level in range(min(len(view.contras) + 1, 3)):
        order = contra_order(view, declarers, level)
        refused = view.refused >> level & 1 == 1
        if level < len(view.contras):
            caller = view.contras[level]
            if caller not in order or refused != (view.seat in order[: order.index(caller)]):
                return False
        elif view.phase == CONTRA:
            if not _stops(view, order):
                return False
        elif refused != (view.seat in order):
            return False
    return True


class _World:
    """Derives from a view what is hidden and draws one such distribution."""

    def __init__(self, view: TarokyView, rng: Random, odds: Odds | None) -> None:
        self.view = view
        self.rng = rng
        self.odds = odds
        self.dice = Dice(rng.getrandbits(62))
        self.me = view.seat
        self.others = [seat for seat in range(SEATS) if seat != view.seat]
        self.played = [0] * SEATS
        self.possible = [int(WHOLE)] * SEATS
        self._follow_tricks()
        for seat in range(SEATS):
            if view.thrown[seat]:
                self.possible[seat] &= ~PLAIN_CARDS  # R8: suit cards are discarded first
        self.laid = [view.discards[seat] - len(view.thrown[seat]) for seat in range(SEATS)]
        """The number of discards of each seat that nobody else has seen."""
        self.fixed_talon = self._fixed_talon()
        mine = int(mask_of(view.initial + view.drawn))
        known = mine | sum(self.played) | int(mask_of([c for cards in view.thrown for c in cards]))
        self.out_known = [card for card in self.fixed_talon.values() if not mine >> card & 1]
        if view.prever != NOBODY and view.half:
            kept = range(3, 6) if view.half == 2 else range(3)
            self.kept = [self.fixed_talon[n] for n in kept if n in self.fixed_talon]
        else:
            self.kept = []
        """Talon cards that everyone has seen the prever player take."""
        if view.half:
            self.out_known = [card for card in self.out_known if card not in self.kept]
        known |= int(mask_of(self.out_known))
        self.hidden = int(WHOLE) & ~(known | mine)
        self.out_room = 6 - sum(view.draws) - len(self.out_known)
        self.dealt_low = 0
        """The trump that decided who is Povinnost; it was dealt to Povinnost, not drawn."""
        self.lows: list[int] = []
        self.highs: list[int] = []
        self.codes: list[int] = []
        """The number of trumps in the others' hands, and their other calls; -1 if not known yet."""
        self._calls()

    def _follow_tricks(self) -> None:
        """Collect what everyone has played and cannot hold."""
        view = self.view
        for leader, cards in [*((t.leader, t.cards) for t in view.tricks), (view.leader, view.trick)]:
            for at, card in enumerate(cards):
                seat = (leader + at) % SEATS
                led = int(suit_of(cards[0]))
                self.played[seat] |= int(bit(card))
                if not led >> card & 1:
                    self.possible[seat] &= ~led
                    if card <= TRUMP:
                        self.possible[seat] &= ~int(TRUMPS)

    def _fixed_talon(self) -> dict[int, int]:
        """Return the talon cards that this seat knows, by their place."""
        view = self.view
        fixed = dict(enumerate(view.shown))
        if view.seen:
            fixed |= dict(enumerate(view.seen, 3 if view.step == 2 else 0))
        if view.drawn:
            fixed |= dict(zip(self._places(self.me), view.drawn, strict=True))
        return fixed

    def _places(self, seat: int) -> list[int]:
        """Return the places of the talon that *seat* has drawn."""
        view = self.view
        if view.prever != NOBODY:
            return ([3, 4, 5] if view.half == 2 else [0, 1, 2]) if view.half and seat == view.prever else []
        player = view.player(seat)
        if player == 1:
            return [0, 1, 2, 3] if view.draws[seat] else []
        out: list[int] = []
        for owner, gift in ((2, view.gifts[0]), (3, view.gifts[1])):
            if (player == 4 and gift == GIVEN) or (player == owner and gift in (1, 4)):
                out.append(owner + 2)
        return out

    # Drawing a distribution

    def imagine(self) -> _Cards:
        """Return a distribution that agrees with everything in the view."""
        while True:
            found = self._attempt()
            if found is not None:
                return found

    def _attempt(self) -> _Cards | None:
        view = self.view
        self.dealt_low = 0
        held = [0] * SEATS  # known cards in the others' hands
        possible = self.possible[:]
        out_possible = int(WHOLE)
        hidden = self.hidden
        drawn = [0] * SEATS  # known cards that they have drawn
        if view.prever not in (NOBODY, self.me):
            for card in self.kept:
                # It is in that seat's hand, unless it was played or is one of its discards.
                if hidden >> card & 1:
                    drawn[view.prever] |= int(bit(card))
        if not self._forced(held, possible, hidden):
            return None
        if view.phase == IOTE and not view.hand & bit(PAGAT):
            out_possible &= ~int(bit(PAGAT))
        out_forced = self._lowest_trumps(held, possible, drawn, hidden)
        if out_forced is None:
            return None
        for seat in self.others:
            hidden &= ~held[seat]
        hidden &= ~out_forced
        # The cards that the prever player was seen to draw are in that hand or among its discards.
        rooms: list[int] = []
        bounds: list[int] = []
        for seat in self.others:
            rooms.append(view.counts[seat] - int(count(held[seat])))
            bounds.append(possible[seat])
        for seat in self.others:
            rooms.append(self.laid[seat])
            bounds.append(PLAIN_CARDS)
        rooms.append(self.out_room - int(count(out_forced)))
        bounds.append(out_possible)
        for seat in self.others:
            if drawn[seat]:
                for n, other in enumerate([*self.others, *self.others, NOBODY]):
                    if other != seat:
                        bounds[n] &= ~drawn[seat]
        if min(rooms) < 0:
            return None
        roomy = [n for n, room in enumerate(rooms) if room]
        holders: list[int] = []
        if self.odds is not None:
            own = [self.odds.of(seat) for seat in self.others]
            holders = [own[n] if n < 3 else ELSEWHERE for n in roomy]
        try:
            dealt = deal_out(
                hidden, [rooms[n] for n in roomy], [bounds[n] for n in roomy], self.rng, self.odds, holders
            )
        except ValueError:
            return None
        places = [0] * len(rooms)
        for n, cards in zip(roomy, dealt, strict=True):
            places[n] = cards
        kept = [held[seat] | self.played[seat] for seat in self.others]
        if not self._mend(places, bounds, kept):
            return None
        hands = [places[n] | held[seat] for n, seat in enumerate(self.others)]
        laid = places[3:6]
        return self._assemble(hands, laid, places[6] | out_forced, drawn)

    def _forced(self, held: list[int], possible: list[int], hidden: int) -> bool:
        """Place the cards that calls reveal: the named run, the I, the partner."""
        view = self.view
        pov = view.povinnost
        if view.named and pov != self.me:
            for trump in range(view.named + 1, 20 if view.named < 19 else 0):
                if hidden >> (TRUMP + trump) & 1:
                    held[pov] |= int(bit(TRUMP + trump))
            if view.named < 19:
                possible[pov] &= ~int(bit(TRUMP + view.named))
        if view.iote not in (NOBODY, self.me) and hidden >> PAGAT & 1:
            held[view.iote] |= int(bit(PAGAT))
        wanted = TRUMP + view.named
        if not view.named or not hidden >> wanted & 1:
            return True
        seats = [
            seat
            for seat in self.others
            if possible[seat] >> wanted & 1
            and count(held[seat]) < view.counts[seat]
            and fits(view, 1 << pov | 1 << seat)
        ]
        if not seats:
            return False
        weights = [view.counts[seat] - int(count(held[seat])) for seat in seats]
        held[self.rng.choices(seats, weights)[0]] |= int(bit(wanted))
        return True

    def _lowest_trumps(
        self, held: list[int], possible: list[int], drawn: list[int], hidden: int
    ) -> int | None:
        """Place II, III and so on so that the right seat is Povinnost of the first deal; return the rest.

        Povinnost was dealt the lowest of them that is not in the talon. Each lower one is in the talon:
        drawn by a seat, or not drawn at all.
        """
        view = self.view
        if view.deal != 1 or view.options["first_povinnost"] != "II":
            return 0
        pov = view.povinnost
        out = 0
        initial = int(mask_of(view.initial))
        for trump in range(2, 23):
            card = TRUMP + trump
            one = int(bit(card))
            if initial & one:
                return out if pov == self.me else None
            if card in self.fixed_talon.values():
                continue
            owner = self._owner(card, held)
            if owner == pov and pov != self.me and (not drawn[pov] & one):
                self.dealt_low = one
                return out
            if owner == NOBODY and hidden & one:
                # Povinnost usually has it; sometimes it must be somewhere else.
                can = pov != self.me and possible[pov] & one and count(held[pov]) < view.counts[pov]
                if can and self.rng.random() < 0.9:
                    held[pov] |= one
                    self.dealt_low = one
                    return out
                owner = self._lay(card, held, possible, drawn, out)
                if owner == SEATS:
                    return None
                if owner == NOBODY:
                    out |= one
                    continue
            if owner not in (NOBODY, self.me) and not drawn[owner] & one:
                if count(drawn[owner]) >= view.draws[owner]:
                    return None
                drawn[owner] |= one
        return None

    def _owner(self, card: int, held: list[int]) -> int:
        """Return the seat known to have this card, NOBODY if it is hidden or no seat has it."""
        for seat in self.others:
            if (held[seat] | self.played[seat]) >> card & 1 or card in self.view.thrown[seat]:
                return seat
        return self.me if card in self.view.drawn else NOBODY

    def _lay(self, card: int, held: list[int], possible: list[int], drawn: list[int], out: int) -> int:
        """Place a hidden trump of the talon; return the seat that drew it, NOBODY, or SEATS if impossible."""
        view = self.view
        places = [NOBODY] if count(out) < self.out_room else []
        for seat in self.others:
            room = count(held[seat]) < view.counts[seat] and count(drawn[seat]) < view.draws[seat]
            if room and possible[seat] >> card & 1:
                places.append(seat)
        if not places:
            return SEATS
        seat = self.rng.choice(places)
        if seat != NOBODY:
            held[seat] |= int(bit(card))
            drawn[seat] |= int(bit(card))
        return seat

    # Money cards

    def _calls(self) -> None:
        """Collect what the others' calls tell about their twelve cards."""
        view = self.view
        for seat in self.others:
            player = view.player(seat)
            low, high, codes = 0, HAND, -1
            if view.phase == MONEY and player == 1:
                high = 2  # only Povinnost is asked, and only for a Uni or Bida
            elif view.phase >= PARTNER:
                codes = int(view.money[player - 1])
                low, high = TRUMP_RANGES[codes & RANGE_CODES]
                if player == 1 and view.prever == NOBODY and not codes & RANGE_CODES:
                    low = 0
            self.lows.append(low)
            self.highs.append(high)
            self.codes.append(codes)

    def _mend(self, places: list[int], bounds: list[int], kept: list[int]) -> bool:
        """Exchange cards between *places* until every hand agrees with its calls."""
        gaps = [self._gap(n, kept[n] | places[n]) for n in range(3)]
        filled = [n for n in range(len(places)) if places[n]]
        if len(filled) < 2:
            return max(gaps) == 0
        dice = self.dice
        for _ in range(MOST_TRIES):
            bad = [n for n in range(3) if gaps[n]]
            if not bad:
                return True
            one = bad[dice.below(len(bad))]
            other = filled[dice.below(len(filled))]
            give = places[one] & bounds[other]
            take = places[other] & bounds[one]
            if one == other or not give or not take:
                continue
            swap = int(bit(dice.one_of(give)) | bit(dice.one_of(take)))
            mine = self._gap(one, kept[one] | places[one] ^ swap)
            theirs = self._gap(other, kept[other] | places[other] ^ swap) if other < 3 else 0
            if mine + theirs <= gaps[one] + (gaps[other] if other < 3 else 0):
                places[one] ^= swap
                places[other] ^= swap
                gaps[one] = mine
                if other < 3:
                    gaps[other] = theirs
        return max(gaps) == 0

    def _gap(self, n: int, cards: int) -> int:
        """Return how far twelve *cards* of the n-th other seat are from what it called."""
        hand: i64 = cards
        trumps = count(hand & TRUMPS)
        low: i64 = self.lows[n]
        high: i64 = self.highs[n]
        gap: i64 = low - trumps if trumps < low else trumps - high if trumps > high else 0
        codes: i64 = self.codes[n]
        if codes < 0:
            return int(gap)
        trul = count(hand & TRUL)
        if codes & 16:
            gap += 3 - trul
        elif trul == 3:
            gap += 1
        fives = count(hand & FIVES)
        kings = count(hand & KINGS)
        if codes & 64:
            gap += 4 - kings + fives - kings
        elif codes & 128:
            gap += 4 - kings
            if fives == kings:
                gap += 1
        elif codes & 32:
            if fives < 4:
                gap += 4 - fives
            if kings == 4:
                gap += 1
        elif fives > 3:
            gap += fives - 3
        return int(gap)

    # Assembling the distribution

    def _assemble(self, hands: list[int], laid: list[int], out: int, drawn: list[int]) -> _Cards | None:
        view = self.view
        dealt: list[list[int]] = [[] for _ in range(SEATS)]
        discards: list[list[int]] = [[] for _ in range(SEATS)]
        talon = [NOBODY] * 6
        for place, card in self.fixed_talon.items():
            talon[place] = card
        dealt[self.me] = view.initial[:]
        discards[self.me] = view.laid[:]
        for n, seat in enumerate(self.others):
            whole = hands[n] | self.played[seat] | laid[n] | int(mask_of(view.thrown[seat]))
            discards[seat] = [*cards_of(laid[n]), *view.thrown[seat]]
            places = self._places(seat)
            taken = int(mask_of([talon[place] for place in places if talon[place] != NOBODY]))
            empty = [place for place in places if talon[place] == NOBODY]
            picked = drawn[seat] & ~taken
            free = whole & ~(self.dealt_low | picked | taken)
            missing = len(empty) - int(count(picked))
            if missing < 0 or count(free) < missing:
                return None
            for _ in range(missing):
                card = int(bit(self.dice.one_of(free)))
                free ^= card
                picked |= card
            dealt[seat] = cards_of(whole & ~(taken | picked))
            self._lay_out(picked, empty, talon)
        self._lay_out(out, [place for place in range(6) if talon[place] == NOBODY], talon)
        return _Cards(dealt, talon, discards)

    def _lay_out(self, cards: int, places: list[int], talon: list[int]) -> None:
        """Put *cards* on *places* of the talon, in random order."""
        for place in places:
            card = int(self.dice.one_of(cards))
            cards ^= 1 << card
            talon[place] = card
