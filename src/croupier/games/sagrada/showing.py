"""Fill a fresh view with what a seat may know; folding the events gives the same view."""

from __future__ import annotations

from croupier.core.cards import bit, cards_of
from croupier.games.sagrada import tools
from croupier.games.sagrada.position import GlassPosition, unpack
from croupier.games.sagrada.view import GlassView
from croupier.games.sagrada.vocabulary import CHOOSING, EXTRACTING, OVER, PAYING, TURN


def show(shop: GlassPosition, view: GlassView) -> None:
    """Fill *view* with what its seat may know, except the legal actions and the final scores."""
    seat = view.seat
    phase = int(shop.phase)
    everyone = int(bit(shop.seats)) - 1
    view.to_act = int(shop.waiting)
    view.phase = phase if phase in (CHOOSING, OVER) else TURN if phase >= TURN else EXTRACTING
    view.tools = shop.tools[:]
    view.chosen = everyone & ~view.to_act if phase == CHOOSING else everyone
    if seat >= 0:
        view.offered = shop.offers[seat][:]
        view.window = shop.chosen[seat]
    if seat >= 0 or shop.rules.solo:
        view.privates = shop.privates[max(seat, 0)][:]
    if phase > CHOOSING:
        _show_table(shop, view)
    if TURN <= phase < OVER:
        _show_turn(shop, view)


def _show_table(shop: GlassPosition, view: GlassView) -> None:
    view.publics = shop.publics[:]
    view.windows = [window.clone() for window in shop.windows]
    view.tokens = [int(shop.tokens_of(seat)) for seat in range(shop.rules.seats)]
    view.used_tools = [tool for tool in shop.tools if shop.spent & bit(tool)]
    view.round = int(shop.round)
    view.start = int(shop.start_seat())
    if shop.phase >= TURN:
        view.pool = unpack(shop.pool)
    view.track = [unpack(slot) for slot in shop.track]
    view.paid = shop.paid[:]
    view.dropped = int(shop.dropped)


def _show_turn(shop: GlassPosition, view: GlassView) -> None:
    view.turn_seat = int(shop.seat)
    view.turn = int(shop.turn)
    view.drafted = shop.drafted
    view.used = int(shop.used)
    view.hand = int(shop.hand)
    view.moved = cards_of(shop.moved)
    if view.seat != shop.seat:
        return
    view.active = int(shop.active) if shop.phase != PAYING else 0
    view.paying = int(shop.paying)
    view.activations = int(shop.activations)
    view.picks = tools.picks(shop)
