"""The JSON log of the specification (section 18): deals as hands, actions and result; seats from 1.

The options, the dealer, the four hands and the actions in their order describe a deal fully; the result
is written for readers and checked on replay. A match is a list of such deals with one object of options
and the target.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from croupier.core.contract import RulesError
from croupier.core.options import BadOptions, Value
from croupier.core.record import Record, steps
from croupier.games.coinche import GAME
from croupier.games.coinche.sample import tricks
from croupier.games.coinche.state import CoincheState
from croupier.games.coinche.view import CoincheView, DealResult
from croupier.games.coinche.vocabulary import (
    ACTIONS,
    CODES,
    DEALING,
    DECK,
    HAND,
    OVER,
    PLAY,
    SEATS,
    contract_words,
    deck_of,
    shown,
)


class BadLog(ValueError):
    """A log that cannot be read or replayed; the message says where, what was found and what is expected."""


class Result(msgspec.Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The result of a deal; pairs are [team A, team B]. If passed out, only ``redeal`` and ``score``."""

    redeal: bool
    contract: str | None = None
    bidder: int | None = None
    level: int | None = None
    winners: list[int] | None = None
    points: list[int] | None = None
    tricks: list[int] | None = None
    belote: list[int] | None = None
    made: bool | None = None
    score: list[int]


class Deal(msgspec.Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One deal; without ``options`` inside a match, without ``result`` until the deal has ended."""

    options: dict[str, bool | int | str] | None = None
    dealer: int
    hands: list[list[str]]
    actions: list[str]
    result: Result | None = None


class Match(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A match, from its first deal on."""

    options: dict[str, bool | int | str]
    target: int
    deals: list[Deal]


# Writing


def deal_of(state: CoincheState) -> Deal:
    """Return the log of the current deal of *state*, or of the one that ended last."""
    if state.number == 0:
        raise BadLog("no deal has begun: nothing to log")
    view = state.view(0)
    done = view.phase in (DEALING, OVER)
    return Deal(
        options=_written(state.rules.options),
        dealer=view.dealer + 1,
        hands=[shown(state.dealt[seat]) for seat in range(SEATS)],
        actions=[ACTIONS.name(action) for action in _actions(view)],
        result=_result(view, view.deals[-1]) if done else None,
    )


def match_of(record: Record) -> Match:
    """Return the log of the finished deals of a recorded match."""
    deals: list[Deal] = []
    options: dict[str, bool | int | str] = {}
    ended = 0
    for _, state, _ in steps(record, GAME):
        assert isinstance(state, CoincheState)
        options = _written(state.rules.options)
        if state.deal() > ended:
            ended = state.deal()
            deal = deal_of(state)
            deal.options = None
            deals.append(deal)
    if not options:
        options = _written(GAME.options.read(record.options))
    target = options.pop("target")
    assert isinstance(target, int)
    return Match(options=options, target=target, deals=deals)


def write(log: Deal | Match) -> str:
    """Return *log* as one line of JSON."""
    return msgspec.json.encode(log).decode()


def _written(options: Mapping[str, Value]) -> dict[str, bool | int | str]:
    written: dict[str, bool | int | str] = {}
    for name, value in options.items():
        assert not isinstance(value, list), name
        # A number in the log; the option is a word because it may be "random".
        written[name] = int(value) if name == "first_dealer" and value != "random" else value
    return written


def _actions(view: CoincheView) -> Iterable[int]:
    yield from (action for _, action in view.calls)
    for trick in tricks(view):
        yield from (PLAY + card for _, card in trick)


def _result(view: CoincheView, deal: DealResult) -> Result:
    if deal.level < 0:
        return Result(redeal=True, score=deal.scores[:])
    return Result(
        redeal=False,
        contract=contract_words(deal.level, deal.denomination),
        bidder=deal.bidder + 1,
        level=deal.doubled,
        winners=[trick.taker + 1 for trick in view.tricks],
        points=deal.points[:],
        tricks=deal.tricks[:],
        belote=deal.belote[:],
        made=deal.made,
        score=deal.scores[:],
    )


# Reading


def read_deal(text: str | bytes) -> Deal:
    """Return the deal written as *text*."""
    try:
        return msgspec.json.decode(text, type=Deal)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadLog(f"not a log of a deal: {error}") from None


def read_match(text: str | bytes) -> Match:
    """Return the match written as *text*."""
    try:
        return msgspec.json.decode(text, type=Match)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadLog(f"not a log of a match: {error}") from None


# Replaying


def replay_deal(deal: Deal) -> CoincheState:
    """Return the state after the actions of *deal*; raise BadLog if rules or result contradict it."""
    state = _start(deal.options or {})
    state.resume([], _dealer(deal))
    _play(state, deal, "the deal")
    return state


def replay_match(match: Match) -> CoincheState:
    """Return the state after the deals of *match*; raise BadLog if the rules contradict it."""
    if "target" in match.options:
        raise BadLog("target is among the options: expected as a member of the match")
    state = _start({**match.options, "target": match.target})
    for number, deal in enumerate(match.deals, 1):
        if deal.options is not None:
            raise BadLog(f"deal {number}: it has options; expected one object of options for the whole match")
        if state.over():
            raise BadLog(f"deal {number}: the match is over")
        if state.phase != DEALING:
            raise BadLog(f"deal {number}: the deal before it is not over")
        if state.next_dealer < 0:
            state.next_dealer = _dealer(deal)
        if deal.dealer != state.next_dealer + 1:
            raise BadLog(f"deal {number}: dealer {deal.dealer}, expected {int(state.next_dealer) + 1}")
        _play(state, deal, f"deal {number}")
    return state


def _start(options: Mapping[str, bool | int | str]) -> CoincheState:
    raw: dict[str, object] = dict(options)
    if "first_dealer" in raw:
        raw["first_dealer"] = str(raw["first_dealer"])
    try:
        return GAME.new(GAME.options.read(raw), SEATS)
    except BadOptions as error:
        raise BadLog(str(error)) from None


def _dealer(deal: Deal) -> int:
    if not 1 <= deal.dealer <= SEATS:
        raise BadLog(f"dealer {deal.dealer}: expected 1…{SEATS}")
    return deal.dealer - 1


def _play(state: CoincheState, deal: Deal, where: str) -> None:
    hands = _hands(deal, where)
    state.apply_draw(deck_of(hands, _dealer(deal)))
    ended = state.deal()
    for number, words in enumerate(deal.actions, 1):
        if state.deal() > ended:
            raise BadLog(f"{where}, action {number} {words!r}: the deal is over")
        try:
            state.apply(int(state.turn), ACTIONS.parse(words))
        except RulesError as error:
            raise BadLog(f"{where}, action {number}: {error}") from None
    found = deal_of(state).result
    if deal.result is not None and deal.result != found:
        raise BadLog(f"{where}: its result is {deal.result}, the rules find {found}")


def _hands(deal: Deal, where: str) -> list[list[int]]:
    codes = [[CODES.get(card, -1) for card in hand] for hand in deal.hands]
    cards = {card for hand in codes for card in hand if card >= 0}
    if len(cards) != DECK or [len(hand) for hand in codes] != [HAND] * SEATS:
        raise BadLog(f"{where}: its hands are not a deal, expected {SEATS} of {HAND} cards like 10H")
    return codes
