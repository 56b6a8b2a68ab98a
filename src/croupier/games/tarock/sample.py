"""Sample a state that a seat cannot distinguish from the real one: deal the hidden cards again, replay the
rest.

The others' hands, the talon while it is face down, and another declarer's discards are hidden. What the seat
has seen limits them: cards played, suits not followed, the obligations of negative contracts, ultimos
announced and kept, items doubled by a seat that had to know its side, tarocks discarded (nothing else was
left). Every deal of the hidden cards within these limits is equally likely, unless odds for the cards are
given; the real deal is one of them, so one always exists. The actions known to the seat are then replayed,
so the rules check the result.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from croupier.core.cards import bit, cards_of, count, mask_of
from croupier.core.hidden import ELSEWHERE, Odds, deal_out
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
    RULES,
    SEATS,
    TAKE,
    TAROCKS,
    TRICKS,
    WHOLE,
)

PLAIN_CARDS: Final = int(mask_of(cards_of(PLAIN)))
"""Not int(PLAIN): compiled, a literal from 2**30 to 2**31 becomes an int in 32 bits."""
MOST_TRIES = 50
"""How many times a deal with a hand without tarocks is repeated before that hand is given one."""


def sample(view: TarockView, rng: Random, odds: Odds | None = None) -> TarockState:
    """Return a state with exactly this *view*."""
    assert view.seat >= 0, "a watcher has no state of its own to imagine"
    state = TarockState(RULES.of(view.options))
    if view.deal == 0:
        return state
    if view.phase in (DEALING, OVER):
        hands = [int(hand) for hand in view.hands]
        _play_again(state, view, hands, view.whole_talon, view.discards)
    else:
        _play_again(state, view, *_World(view, rng, odds).imagine())
    return state


def _play_again(
    state: TarockState, view: TarockView, hands: list[int], talon: list[int], discards: list[int]
) -> None:
    """Play the fresh *state* up to the point of *view*, with these cards."""
    # A compulsory klop needs a reason; a void deal is one that leaves no other trace.
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
    """Announce these bonuses and double these items."""
    for bonus in cards_of(bonuses):
        state.apply(seat, ANNOUNCE + bonus)
    for item in cards_of(items):
        state.apply(seat, KONTRA + item)


def plays(view: TarockView) -> Iterator[tuple[int, int, list[int], int]]:
    """Yield each card played with its seat, the cards on the table before it and the number of its trick."""
    tricks = [(trick.leader, trick.cards) for trick in view.tricks] + [(view.leader, view.trick)]
    for number, (leader, cards) in enumerate(tricks):
        for at, card in enumerate(cards):
            yield (leader + at) % SEATS, card, cards[:at], number


class _World:
    """Derives from a view what is hidden and draws one such distribution."""

    def __init__(self, view: TarockView, rng: Random, odds: Odds | None) -> None:
        self.view = view
        self.rng = rng
        self.odds = odds
        self.others = [seat for seat in range(SEATS) if seat != view.seat]
        self.by_other = view.declarer >= 0 and view.declarer != view.seat
        """Whether another seat is declarer and its discards are hidden."""
        self.exchanged = view.picked >= 0 and view.phase != EXCHANGING
        self.taken = 0
        """The set that was taken from the open talon."""
        if view.picked >= 0:
            self.taken = int(mask_of(sets_of(view.talon, view.many)[view.picked]))
        self.known = [self._known(seat) for seat in range(SEATS)]
        self.possible = self._possible()

    def imagine(self) -> tuple[list[int], list[int], list[int]]:
        """Return hands as dealt, the talon, and declarer's discards."""
        for _ in range(MOST_TRIES):
            hands, talon, discards = self._distribute([])
            if all(hand & int(TAROCKS) for hand in hands):
                return hands, talon, discards
        return self._with_tarocks()

    def _with_tarocks(self) -> tuple[list[int], list[int], list[int]]:
        """Deal again; if the hand of a seat is without tarocks too often, give that seat one first."""
        while True:
            hands, _, _ = self._distribute([])
            wanting = [seat for seat in self.others if not hands[seat] & int(TAROCKS)]
            hands, talon, discards = self._distribute(wanting)
            if all(hand & int(TAROCKS) for hand in hands):
                return hands, talon, discards

    # Cards that a seat is known to hold or not to hold.

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
        """Return the cards each seat may still hold, given its actions."""
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
            possible[view.declarer] &= ~PLAIN_CARDS  # R7.2: all plain cards had to be discarded
        negative = view.contract >= 0 and CONTRACTS[view.contract].negative
        for seat, card, table, number in plays(view):
            led = suit_of(table[0]) if table else 0
            best = best_of(table, view.trumps()) if table else 0
            kept = kept_by(seat, view.announcers, king) if number < TRICKS - 1 else 0
            possible[seat] &= ~int(ruled_out(card, led, best, mask_of(table), negative, kept))
        return possible

    # Drawing a distribution.

    def _distribute(self, wanting: Sequence[int]) -> tuple[list[int], list[int], list[int]]:
        """Return hands as dealt, talon and discards; the seats *wanting* get a tarock first."""
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
        holders = [*[self.odds.of(seat) for seat in self.others], ELSEWHERE] if self.odds is not None else []
        shares = deal_out(pool, rooms, possible, self.rng, self.odds, holders)
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
