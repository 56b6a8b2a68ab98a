"""Sample a state that a seat cannot distinguish from the real one: deal the hidden cards again, replay the
rest.

What the seat has seen limits what the others may hold: cards shown or passed to them, suits they did not
follow, a penalty card thrown in the first round (they had nothing else), a heart led before hearts were
broken (they had only hearts). Every deal of the hidden cards within these limits is equally likely, unless
odds for the cards are given; the real deal is one of them, so one always exists. The actions known to the
seat are then replayed, so the rules check the result.
"""

from __future__ import annotations

from random import Random

from croupier.core.cards import bit, cards_of, count, mask_of
from croupier.core.hidden import Odds, deal_out
from croupier.core.tricks import taken_by
from croupier.games.hearts.state import HeartsState
from croupier.games.hearts.view import HeartsView
from croupier.games.hearts.vocabulary import (
    ACE_OF_HEARTS,
    DEALING,
    EXPOSE,
    EXPOSING,
    HEARTS,
    KEEP,
    OVER,
    PASS,
    PASSING,
    PENALTY,
    RULES,
    SEATS,
    STEPS,
    SUIT,
    TWO_OF_CLUBS,
    WHOLE,
    HeartsRules,
)


def sample(view: HeartsView, rng: Random, odds: Odds | None = None) -> HeartsState:
    """Return a state with exactly this *view*; without *odds* all possible ones are equally likely."""
    assert view.seat >= 0, "a watcher has no state of its own to imagine"
    rules = RULES.of(view.options)
    state = HeartsState(rules)
    if view.game == 0:
        return state
    course = plays(view)
    dealt, picked = _World(view, course, rules, rng, odds).hands_and_picks()
    _play_again(state, view, course, dealt, picked)
    return state


def _play_again(
    state: HeartsState,
    view: HeartsView,
    course: list[tuple[int, int]],
    dealt: list[int],
    picked: list[list[int]],
) -> None:
    """Play the fresh *state* up to the point of *view*, with these hands and picks."""
    decks = [[int(mask_of(hand)) for hand in deck] for deck in view.decks]
    if view.game == 1:
        decks = decks[: view.deal - 1]
    state.resume(
        [game[:] for game in view.games[: view.game - 1]],
        view.deals[: view.deal - 1],
        decks,
    )
    if state.dealt_before():
        state.apply_draw([])
    else:
        deck: list[int] = []
        for position in range(SEATS):
            deck += cards_of(dealt[(position - view.game + 1) % SEATS])
        state.apply_draw(deck)
    for seat in range(SEATS):
        for card in picked[seat]:
            state.apply(seat, PASS + card)
    if view.phase in (PASSING, EXPOSING):
        return
    if state.rules.expose:
        holder = int(state.to_act()).bit_length() - 1
        state.apply(holder, EXPOSE if view.exposed >= 0 else KEEP)
    for seat, card in course:
        state.apply(seat, card)


def plays(view: HeartsView) -> list[tuple[int, int]]:
    """Return the cards played in this deal in order, each with its seat."""
    found: list[tuple[int, int]] = []
    leader = view.leader
    if view.round > 1:
        for seat in range(SEATS):
            if TWO_OF_CLUBS in view.played[seat]:
                leader = seat
    for at in range(view.round):
        cards: list[int] = []
        for i in range(SEATS):
            seat = (leader + i) % SEATS
            if at < len(view.played[seat]):
                cards.append(view.played[seat][at])
                found.append((seat, cards[-1]))
        if len(cards) == SEATS:
            leader = taken_by(cards, leader, SUIT[cards[0] // 13])
    return found


class _World:
    """Derives from a view what the others may hold and draws one such distribution."""

    def __init__(
        self,
        view: HeartsView,
        course: list[tuple[int, int]],
        rules: HeartsRules,
        rng: Random,
        odds: Odds | None,
    ) -> None:
        self.view = view
        self.course = course
        """The cards played in this deal."""
        self.rules = rules
        self.rng = rng
        self.odds = odds
        self.others = [seat for seat in range(SEATS) if seat != view.seat]
        self.step = STEPS[view.direction]

    def hands_and_picks(self) -> tuple[list[int], list[list[int]]]:
        """Return what each seat was dealt and what it has picked to pass."""
        view = self.view
        if view.phase in (DEALING, OVER):
            return [int(mask_of(hand)) for hand in view.hands], view.all_picked
        if view.game > 1 and self.rules.duplicate:
            dealt = self._dealt_before()
            return dealt, self._picks_from(dealt)
        if view.phase == PASSING:
            rooms = [13] * len(self.others)
            dealt = self._whole(deal_out(WHOLE & ~view.initial, rooms, [WHOLE] * 3, self.rng), view.initial)
            return dealt, self._picks_before(dealt)
        held = self._held()
        return self._before_passing(held)

    def _whole(self, hands: list[int], mine: int) -> list[int]:
        """Return the hands of all four seats, given those of the other three."""
        whole = hands[:]
        whole.insert(self.view.seat, int(mine))
        return whole

    # Cards that a seat is known to hold or not to hold.

    def _known(self, seat: int) -> int:
        """Return the cards *seat* is known to have held when the play began."""
        view = self.view
        known = int(mask_of(view.played[seat]))
        if self.step and seat == (view.seat + self.step) % SEATS:
            known |= int(mask_of(view.picked))
        if view.exposed == seat:
            known |= int(bit(ACE_OF_HEARTS))
        if view.round == 1 and view.leader == seat:
            known |= int(bit(TWO_OF_CLUBS))
        return known

    def _possible(self) -> list[int]:
        """Return the cards each seat may still hold, given what it has played."""
        possible = [int(WHOLE)] * SEATS
        broken = False
        led = 0
        for at, (seat, card) in enumerate(self.course):
            one = int(bit(card))
            if at % SEATS == 0:
                led = int(SUIT[card // 13])
                if at and one & HEARTS and not broken:
                    possible[seat] &= int(HEARTS)  # R7.6
            elif not one & led:
                possible[seat] &= ~led  # R7.2
                if at < SEATS and one & PENALTY and self.rules.clean_start:
                    possible[seat] &= int(PENALTY)  # R7.3
            broken = broken or one & HEARTS != 0 or (self.rules.queen_breaks and one & PENALTY != 0)
        return possible

    # Hands that were dealt in this game for the first time.

    def _held(self) -> list[int]:
        """Return hands after the passing, within all limits."""
        view = self.view
        mine = (view.initial & ~mask_of(view.picked)) | mask_of(view.received)
        known = [self._known(seat) for seat in self.others]
        possible = self._possible()
        unknown = int(WHOLE & ~mine)
        for cards in known:
            unknown &= ~cards
        rooms = [13 - int(count(cards)) for cards in known]
        holders = [self.odds.of(seat) for seat in self.others] if self.odds is not None else []
        bounds = [possible[seat] for seat in self.others]
        shares = deal_out(unknown, rooms, bounds, self.rng, self.odds, holders)
        return self._whole([cards | share for cards, share in zip(known, shares, strict=True)], mine)

    def _before_passing(self, held: list[int]) -> tuple[list[int], list[list[int]]]:
        """Return hands and picks that result in the hands *held*."""
        if not self.step:
            return held, [[], [], [], []]
        picked: list[list[int]] = []
        for giver in range(SEATS):
            taker = (giver + self.step) % SEATS
            if giver == self.view.seat:
                picked.append(self.view.picked)
            elif taker == self.view.seat:
                picked.append(self.view.received)
            else:
                picked.append(self.rng.sample(cards_of(held[taker]), 3))
        dealt = held[:]
        for giver in range(SEATS):
            packet = int(mask_of(picked[giver]))
            dealt[giver] |= packet
            dealt[(giver + self.step) % SEATS] &= ~packet
        return dealt, picked

    def _picks_before(self, dealt: list[int]) -> list[list[int]]:
        """Return picks of the seats that have passed, before the packets change hands."""
        view = self.view
        picked: list[list[int]] = []
        for seat in range(SEATS):
            if seat == view.seat:
                picked.append(view.picked)
            elif view.passed >> seat & 1:
                picked.append(self.rng.sample(cards_of(dealt[seat]), 3))
            else:
                picked.append([])
        return picked

    # Hands that were open at the end of a deal of the first game (R11).

    def _dealt_before(self) -> list[int]:
        deck = self.view.decks[self.view.deal - 1]
        return [int(mask_of(deck[self.view.position(seat)])) for seat in range(SEATS)]

    def _picks_from(self, dealt: list[int]) -> list[list[int]]:
        """Return picks, within all limits, from hands that everyone knows."""
        view = self.view
        if not self.step:
            return [[], [], [], []]
        if view.phase == PASSING:
            return self._picks_before(dealt)
        possible = self._possible()
        picked: list[list[int]] = []
        for giver in range(SEATS):
            taker = (giver + self.step) % SEATS
            if giver == view.seat:
                picked.append(view.picked)
            elif taker == view.seat:
                picked.append(view.received)
            else:
                gone = self._known(taker) | ~(possible[giver] | self._known(giver))
                stayed = self._known(giver) | ~(possible[taker] | self._known(taker))
                sure = cards_of(dealt[giver] & gone)
                maybe = cards_of(dealt[giver] & ~gone & ~stayed)
                packet = sure + self.rng.sample(maybe, 3 - len(sure))
                self.rng.shuffle(packet)
                picked.append(packet)
        return picked
