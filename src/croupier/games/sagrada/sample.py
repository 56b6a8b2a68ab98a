"""Sample a state that a seat cannot distinguish from the real one.

The others' private objectives are hidden, and so are the steps of another seat's turn that can still be taken
back. Before the first round the others' window cards and choices, the public objectives and the start seat
are hidden too. Each of these is drawn again from what is possible; everything else is public. The bag holds
the remaining dice.
"""

from __future__ import annotations

from random import Random

from croupier.core.cards import mask_of
from croupier.games.sagrada.material import faces_of
from croupier.games.sagrada.position import pack
from croupier.games.sagrada.state import GlassState
from croupier.games.sagrada.view import GlassView
from croupier.games.sagrada.vocabulary import (
    CHOOSING,
    EXTRACTING,
    OVER,
    RULES_OPTIONS,
    SEATING,
    VALUE,
    GlassRules,
)


def sample(view: GlassView, rng: Random) -> GlassState:
    """Return a state with exactly this *view*."""
    assert view.seat >= 0, "a watcher has no state of its own to imagine"
    rules = GlassRules(RULES_OPTIONS.read(view.options), view.seats)
    state = GlassState(rules)
    if view.phase == SEATING:
        return state
    state.tools = view.tools[:]
    state.privates = _privates(view, rng)
    state.offers = _offers(view, rng)
    if view.phase == CHOOSING:
        _imagine_choices(state, view, rng)
    else:
        _set_table(state, view)
        _set_turn(state, view)
    return state


def _privates(view: GlassView, rng: Random) -> list[list[int]]:
    if view.all_privates:
        return [numbers[:] for numbers in view.all_privates]
    left = [number for number in range(1, 6) if number not in view.privates]
    rng.shuffle(left)
    return [view.privates[:] if seat == view.seat else [left.pop()] for seat in range(view.seats)]


def _offers(view: GlassView, rng: Random) -> list[list[int]]:
    """Return two window cards for each seat; those of the others no longer matter once all have chosen."""
    cards = [card for card in range(1, 13) if faces_of(card)[0] not in view.offered]
    rng.shuffle(cards)
    return [
        view.offered[:] if seat == view.seat else faces_of(cards.pop()) + faces_of(cards.pop())
        for seat in range(view.seats)
    ]


def _imagine_choices(state: GlassState, view: GlassView, rng: Random) -> None:
    state.phase = CHOOSING
    if state.start < 0:
        state.start = rng.randrange(view.seats)
    state.publics = rng.sample(range(1, 11), state.rules.publics)
    state.chosen = [
        (view.window if seat == view.seat else rng.choice(state.offers[seat]))
        if view.chosen >> seat & 1
        else 0
        for seat in range(view.seats)
    ]
    state.waiting = (1 << view.seats) - 1 & ~view.chosen


def _set_table(state: GlassState, view: GlassView) -> None:
    state.publics = view.publics[:]
    state.chosen = [window.pattern.number for window in view.windows]
    state.windows = [window.clone() for window in view.windows]
    state.tokens = sum(tokens << 8 * seat for seat, tokens in enumerate(view.tokens))
    state.spent = mask_of(view.used_tools)
    state.bag = sum(many << 5 * colour for colour, many in enumerate(view.bag()))
    state.track = [int(pack(slot)) for slot in view.track]
    state.paid = view.paid[:]
    state.round = view.round
    state.start = (view.start - view.round + 1) % view.seats
    state.dropped = view.dropped
    state.pool = pack(view.pool)


def _set_turn(state: GlassState, view: GlassView) -> None:
    if view.phase == OVER:
        state.phase = OVER
        return
    if view.phase == EXTRACTING:
        # Once the start seat has asked for the dice, chance is due.
        state.resume(view.start, True, bool(view.to_act))
        return
    state.turn = view.turn
    place = (view.turn_seat - view.start) % view.seats
    state.at = 2 * view.seats - 1 - place if view.turn == 1 else place
    state.drafted = view.drafted
    state.used = view.used
    state.hand = view.hand
    state.moved = mask_of(view.moved)
    if view.seat == view.turn_seat:
        state.active = view.active
        state.paying = view.paying
        state.activations = view.activations - len([pick for pick in view.picks if pick < VALUE])
    elif view.used == 12 and len(view.moved) == 1:
        state.active = 12
    state.resume(view.turn_seat, False, bool(view.to_act))
    for action in view.picks:
        state.apply(view.seat, action)
