"""Turn commands such as CONTRACT and PLAY into actions, or into replies (spec 12).

The checks are in the specification's order. A seat that is asked has been told everything, so its action
goes to the rules. For any other seat the reply is found in what that seat has been told, because the rules
run ahead of that.
"""

from __future__ import annotations

from typing import Final

from croupier.games.coinche import replies
from croupier.games.coinche.parsing import Command, card_of, denomination_of, echo, level_of, number_of
from croupier.games.coinche.view import CoincheView
from croupier.games.coinche.vocabulary import (
    BIDDING,
    COINCHE,
    CONTRACT,
    GENERALE,
    KINDS,
    OVER,
    PASS,
    PLAY,
    PLAYING,
    SURCOINCHE,
    CoincheRules,
)
from croupier.wire import talk
from croupier.wire.talk import TableInfo

VERBS: Final = ("CONTRACT", "COINCHE", "SURCOINCHE", "PASS", "PLAY")
"""The commands that take a turn."""

_CALLS: Final = {"PASS": PASS, "COINCHE": COINCHE, "SURCOINCHE": SURCOINCHE}


def wanted(command: Command, info: TableInfo, seat: int) -> int | str:
    """Return the action that *command* asks for, or its reply if it cannot be an action."""
    view = info.view(seat)
    assert isinstance(view, CoincheView)
    if not in_game(info, view):
        return replies.NO_GAME
    action = _named(command, info, view)
    if isinstance(action, str) or info.asked(seat) is not None:
        return action
    key = _out_of_turn(command.verb, view)
    if key == "not_your_turn" and info.waits_for_players:
        return replies.NOT_BACK
    return replies.refusal(command.verb, key, view)


def in_game(info: TableInfo, view: CoincheView) -> bool:
    """Return True if a game is running; it is over when its end has been told, before the table rests."""
    return info.phase == talk.PLAYING and view.phase != OVER


def _named(command: Command, info: TableInfo, view: CoincheView) -> int | str:
    if command.verb == "CONTRACT":
        return _contract((*command.words, "", "")[:2], info, view)
    if command.verb != "PLAY":
        return _CALLS[command.verb]
    card = card_of(command.words)
    if card is None:
        return replies.NO_CARD.format(" ".join(echo(word) for word in command.words) or echo(""))
    return PLAY + card


def _contract(words: tuple[str, ...], info: TableInfo, view: CoincheView) -> int | str:
    if view.phase == PLAYING or (view.phase == BIDDING and view.doubled):
        return replies.BIDDING_OVER
    option, suit = words
    rules = CoincheRules(info.rules_options)
    number, level = number_of(option), level_of(option)
    if number is not None:
        if number < rules.min_bid:
            return replies.TOO_LOW.format(info.rules_options["min_bid"])
        if number > rules.max_bid:
            return replies.TOO_HIGH.format(info.rules_options["max_bid"])
        if not rules.number_fits(number):
            return replies.BAD_OPTION.format(echo(option))
    if level is None or (level == GENERALE and not rules.generale):
        return replies.BAD_OPTION.format(echo(option))
    denomination = denomination_of(suit)
    if denomination is None or denomination >= rules.kinds:
        return replies.BAD_SUIT.format(echo(suit))
    return CONTRACT + KINDS * level + denomination


def _out_of_turn(verb: str, view: CoincheView) -> str:
    """Return the refusal for a seat that is not asked, as far as it has been told."""
    if view.phase == PLAYING:
        if verb == "SURCOINCHE" and view.doubled == 2:
            return "already_surcoinched"
        return "not_your_turn" if verb == "PLAY" else "bidding_over"
    if view.phase != BIDDING:
        return "not_dealt"
    mine = view.bidder >= 0 and view.bidder % 2 == view.seat % 2
    if verb == "COINCHE":
        if view.level < 0:
            return "no_contract"
        if view.doubled:
            return "already_coinched"
        if mine:
            return "own_contract"
    if verb == "SURCOINCHE" and not (view.doubled and mine):
        return "not_coinched"
    return "not_your_turn"
