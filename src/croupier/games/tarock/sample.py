"""A state that a seat cannot tell from the real one: hidden cards dealt anew, the rest replayed.

Hidden are the others' hands, the talon while it is face down, and what another declarer has laid away.
Whatever the seat has seen puts bounds on them: cards played, suits not followed, the duties of negative
contracts, ultimos announced and kept, items doubled by somebody who had to know his side, tarocks laid
away (nothing else was left). Every deal of the hidden cards inside these bounds is as likely as any
other, and one always exists, for the real one is among them. The actions the seat has heard of are then
done again, so that the rules themselves vouch for the outcome.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from croupier.core.cards import bit, cards_of, count, mask_of
from croupier.core.contract import Trail
from croupier.core.hidden import deal_out
from croupier.games.tarock.announcing import kept_by
from croupier.games.tarock.contracts import CONTRACTS
from croupier.games.tarock.events import sets_of
from croupier.games.tarock.legality import best_of, ruled_out, suit_of
from croupier.games.tarock.sides import UNKNOWN, announcer
from croupier.games.tarock.state import TarockState
from croupier.games.tarock.view import TarockView
from croupier.games.tarock.vocabulary import (
    ANNOUNCE,
    B_KING,
    B_PAGAT,
    BID,
    CALL,
    DEALING,
    DISCARD,
    DONE,
    EXCHANGING,
    HAND,
    KONTRA,
    NOBODY,
    OVER,
    PAGAT_BIT,
    PLAIN,
    RULES_OPTIONS,
    SEATS,
    TAKE,
    TAROCKS,
    TRICKS,
    WHOLE,
    TarockRules,
)

PLAIN_CARDS: Final = int(mask_of(cards_of(PLAIN)))
"""Not int(PLAIN): compiled, a literal from 2**30 to 2**31 becomes an int in 32 bits."""
PATIENCE = 50
"""How often hands without a tarock are dealt again before one is given its tarock by force."""


def sample(view: TarockView, rng: Random) -> TarockState:
    """Return a state with that very *view*."""
    assert view.seat >= 0, "a watcher has no state of its own to imagine"
    state = TarockState(TarockRules(RULES_OPTIONS.read(view.options)))
    if view.deal == 0:
        return state
    if view.phase in (DEALING, OVER):
        hands = [int(hand) for hand in view.hands]
        _play_again(state, view, hands, view.whole_talon, view.discards)
    else:
        _play_again(state, view, *_World(view, rng).imagine())
    return state


def _play_again(
    state: TarockState, view: TarockView, hands: list[int], talon: list[int], discards: list[int]
) -> None:
    """Bring the fresh *state* to where *view* stands, with these cards."""
    # A compulsory klop needs its reason; a deal that was void is one that leaves no other trace.
    state.resume(view.results[: view.deal - 1], void=view.compulsory)
    in_turn = [cards_of(hands[(view.forehand() + i) % SEATS]) for i in range(SEATS)]
    packets = [hand[:6] for hand in in_turn] + [hand[6:] for hand in in_turn]
    state.apply_draw(talon + [card for packet in packets for card in packet])
    for seat, contract in view.bids:
        state.apply(seat, BID + 1 + contract)
    if view.king >= 0:
        state.apply(view.declarer, CALL + view.king)
    if view.picked >= 0:
        state.apply(view.declarer, TAKE + view.picked)
    for card in discards:
        state.apply(view.declarer, DISCARD + card)
    for turn in view.turns:
        _say(state, turn.seat, turn.bonuses, turn.kontras)
        state.apply(turn.seat, DONE)
    _say(state, view.seat, view.claimed, view.raised)
    for seat, card, _, _ in plays(view):
        state.apply(seat, card)


def _say(state: TarockState, seat: int, bonuses: int, items: int) -> None:
    for action in _said(bonuses, items):
        state.apply(seat, action)


def _said(bonuses: int, items: int) -> list[int]:
    """Return the actions that announce these bonuses and double these items."""
    return [ANNOUNCE + bonus for bonus in cards_of(bonuses)] + [KONTRA + item for item in cards_of(items)]


def trail(view: TarockView) -> Trail:
    """Return how the seat came to where *view* stands, but for what others have laid away."""
    steps = [(seat, BID + 1 + contract) for seat, contract in view.bids]
    if view.king >= 0:
        steps.append((view.declarer, CALL + view.king))
    if view.picked >= 0:
        steps.append((view.declarer, TAKE + view.picked))
    steps += [(view.seat, DISCARD + card) for card in view.laid]
    for turn in view.turns:
        steps += [(turn.seat, action) for action in (*_said(turn.bonuses, turn.kontras), DONE)]
    steps += [(view.seat, action) for action in _said(view.claimed, view.raised)]
    steps += [(seat, card) for seat, card, _, _ in plays(view)]
    origin = (
        view.seat,
        view.deal,
        int(view.dealt),
        view.compulsory,
        *view.radelci,
        *view.totals,
    )
    return Trail(origin, steps)


def plays(view: TarockView) -> Iterator[tuple[int, int, list[int], int]]:
    """Yield seat and card of everything played, what lay there before and the number of its trick."""
    tricks = [(trick.leader, trick.cards) for trick in view.tricks] + [(view.leader, view.trick)]
    for number, (leader, cards) in enumerate(tricks):
        for at, card in enumerate(cards):
            yield (leader + at) % SEATS, card, cards[:at], number


class _World:
    """What lies hidden, as far as a view tells, and one such distribution."""

    def __init__(self, view: TarockView, rng: Random) -> None:
        self.view = view
        self.rng = rng
        self.others = [seat for seat in range(SEATS) if seat != view.seat]
        self.by_other = view.declarer >= 0 and view.declarer != view.seat
        """Whether somebody else is declarer: what he lays away is hidden."""
        self.exchanged = view.picked >= 0 and view.phase != EXCHANGING
        self.taken = 0
        """The set that was taken from the open talon."""
        if view.picked >= 0:
            self.taken = int(mask_of(sets_of(view.talon, view.many)[view.picked]))
        self.known = [self._known(seat) for seat in range(SEATS)]
        self.possible = self._possible()

    def imagine(self) -> tuple[list[int], list[int], list[int]]:
        """Return hands as dealt, the talon, and what declarer has laid away."""
        for _ in range(PATIENCE):
            hands, talon, discards = self._distribute([])
            if all(hand & int(TAROCKS) for hand in hands):
                return hands, talon, discards
        return self._with_tarocks()

    def _with_tarocks(self) -> tuple[list[int], list[int], list[int]]:
        """Deal again, giving a tarock first to whoever has shown none and goes without too often."""
        while True:
            hands, _, _ = self._distribute([])
            wanting = [seat for seat in self.others if not hands[seat] & int(TAROCKS)]
            hands, talon, discards = self._distribute(wanting)
            if all(hand & int(TAROCKS) for hand in hands):
                return hands, talon, discards

    # What a seat is known to hold, or not to.

    def _known(self, seat: int) -> int:
        """Return the cards *seat* is known to have held when the play began, or holds now."""
        view = self.view
        known = int(mask_of([card for who, card, _, _ in plays(view) if who == seat]))
        if seat == view.declarer:
            known |= int(view.revealed)
        if announcer(view.announcers, B_PAGAT) == seat:
            known |= int(PAGAT_BIT)
        king = int(view.king_card())
        if king and view.found != UNKNOWN and not king & int(mask_of(view.talon)):
            holder = view.declarer if view.found == NOBODY else view.found
            known |= king if holder == seat else 0
        if announcer(view.announcers, B_KING) == seat:
            known |= king
        return known

    def _possible(self) -> list[int]:
        """Return for each seat the cards it may still hold, by what it has done."""
        view = self.view
        possible = [int(WHOLE)] * SEATS
        king = int(view.king_card())
        for seat in range(SEATS):
            if king and view.foes >> seat & 1:
                possible[seat] &= ~king
            if self.exchanged and seat != view.declarer:
                possible[seat] &= ~self.taken
        forced = view.options["discard_tarocks"] == "forced"
        if self.exchanged and forced and view.discarded:
            possible[view.declarer] &= ~PLAIN_CARDS  # R7.2: they had all to go
        negative = view.contract >= 0 and CONTRACTS[view.contract].negative
        for seat, card, table, number in plays(view):
            led = suit_of(table[0]) if table else 0
            best = best_of(table, view.trumps()) if table else 0
            kept = kept_by(seat, view.announcers, king) if number < TRICKS - 1 else 0
            possible[seat] &= ~int(ruled_out(card, led, best, mask_of(table), negative, kept))
        return possible

    # One distribution.

    def _distribute(self, wanting: Sequence[int]) -> tuple[list[int], list[int], list[int]]:
        """Return hands as dealt, talon and discards; the seats *wanting* get a tarock beforehand."""
        view = self.view
        mine = int(view.dealt)
        known = self.known[:]
        hidden_discards = self.exchanged and self.by_other
        gifts = [trick.gift for trick in view.tricks if trick.gift >= 0]
        open_talon = int(mask_of(view.talon)) | int(mask_of(gifts))
        pool = int(WHOLE) & ~mine & ~open_talon
        if hidden_discards:
            pool |= self.taken
            pool &= ~int(view.discarded)
        for seat in self.others:
            pool &= ~known[seat]
        for seat in wanting:
            some = cards_of(pool & self.possible[seat] & int(TAROCKS) & ~self.taken)
            if some:
                one = int(bit(self.rng.choice(some)))
                known[seat] |= one
                pool &= ~one
        rooms = [HAND - int(count(known[seat])) for seat in self.others]
        possible = [self.possible[seat] for seat in self.others]
        if hidden_discards:
            rooms.append(view.many - int(count(view.discarded)))
            possible.append(PLAIN_CARDS)
        elif not view.talon:
            rooms.append(6 - len(gifts))
            possible.append(int(WHOLE))
        shares = deal_out(pool, rooms, possible, self.rng)
        hands = [mine] * SEATS
        for seat, share in zip(self.others, shares[:3], strict=True):
            hands[seat] = known[seat] | share
        if view.talon:
            talon = view.talon
        else:
            rest = cards_of(shares[3])
            self.rng.shuffle(rest)
            talon = gifts + rest
        discards = view.laid
        if hidden_discards:
            laid = shares[3] | int(view.discarded)
            discards = cards_of(laid)
            hands[view.declarer] = (hands[view.declarer] | laid) & ~self.taken
        return hands, talon, discards
