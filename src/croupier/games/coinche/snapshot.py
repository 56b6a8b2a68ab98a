"""The current deal as the notifications that told it, for STATE and returning players (spec 14, snapshot)."""

from __future__ import annotations

from math import ceil

from croupier.games.coinche import messages
from croupier.games.coinche.view import CoincheView
from croupier.games.coinche.vocabulary import BIDDING, SEATS
from croupier.wire.talk import PLAYING, TableInfo


def seconds_left(info: TableInfo, view: CoincheView, deadline: float | None, now: float) -> int:
    """Return the whole seconds for 320 and 330; without a deadline, those of the options."""
    if deadline is not None:
        return max(0, ceil(deadline - now - 0.001))  # clocks are not exact enough
    seconds = info.table_options["bid_seconds" if view.phase == BIDDING else "play_seconds"]
    assert isinstance(seconds, int)
    return seconds


def to_act(view: CoincheView) -> int:
    """Return the seat whose turn it is, as far as this view has been told, or -1."""
    return next((seat for seat in range(SEATS) if view.to_act >> seat & 1), -1)


def snapshot(info: TableInfo, seat: int, now: float) -> list[str]:
    """Return everything that *seat* may know of the table now, 360 to 361."""
    lines = _playing(info, seat, now) if info.phase == PLAYING else _waiting(info)
    return ["360 begin", *lines, "361 end"]


def _waiting(info: TableInfo) -> list[str]:
    seated = [place for place in info.places if place.name]
    sit = [messages.sits(place.seat, messages.nickname(place)) for place in seated]
    return [*sit, messages.waiting(len(seated), info)]


def _playing(info: TableInfo, seat: int, now: float) -> list[str]:
    view = info.view(seat)
    assert isinstance(view, CoincheView)
    names = messages.nicknames(info)
    lines = [*messages.game_starts(info), messages.totals(view.totals, info)]
    if not view.deal:
        return lines
    lines += [
        messages.deal_starts(view.deal, view.dealer, view.first(), names),
        messages.hand(view.deal, view.hand),
    ]
    lines += [messages.called(caller, action, names[caller]) for caller, action in view.calls]
    if view.factor:
        contract = view.contract()
        lines.append(messages.auction_ends(view.bidder, contract, view.doubled, view.factor, names))
    if view.tricks:
        trick = view.tricks[-1]
        for i, card in enumerate(trick.cards):
            player = (trick.leader + i) % SEATS
            lines.append(messages.played(player, card, names[player]))
        lines.append(messages.trick_taken(len(view.tricks), trick.taker, trick.points, names[trick.taker]))
    if len(view.tricks) < view.trick:
        for i in range(SEATS):
            player = (view.leader + i) % SEATS
            if view.table[player] >= 0:
                lines.append(messages.played(player, view.table[player], names[player]))
    lines += [messages.announced(one.seat, one.suit, one.again, names[one.seat]) for one in view.announced]
    turn = to_act(view)
    if turn >= 0:
        asked = info.asked(turn)
        left = seconds_left(info, view, asked.deadline if asked is not None else None, now)
        lines.append(messages.turn(turn, left, view, names))
    if info.table_options["hints"] and info.asked(seat) is not None:
        lines.append(messages.hint(view))
    return lines
