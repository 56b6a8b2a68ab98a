"""Coinche in a terminal: events and questions in words, typed text as actions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, TypeAlias

from croupier.core.contract import WATCHER, Event, Plain, RulesError, View
from croupier.core.words import NO_TRICK, Texts, by_player, cards_in_suits, trick
from croupier.games.coinche.events import (
    AuctionEnded,
    Called,
    DealEnded,
    Dealt,
    MatchEnded,
    MatchStarted,
    Played,
    TrickStarted,
    TrickTaken,
)
from croupier.games.coinche.explain import stakes
from croupier.games.coinche.view import CoincheView, DealResult
from croupier.games.coinche.vocabulary import (
    BIDDING,
    CARDS,
    CODES,
    COINCHE,
    CONTRACT,
    DENOMINATIONS,
    KINDS,
    LEVELS,
    PASS,
    PLAY,
    PLAYING,
    SEATS,
    SUIT,
    SUITS,
    SURCOINCHE,
    CoincheRules,
    contract_words,
    shown,
)

Players: TypeAlias = Sequence[str]

TEXTS: Final = Texts(__package__)

HELD: Final = "hand"
"""The title of what a player holds."""

LAST: Final = "last trick"
"""The title of what `last` returns."""

FACES: Final = {
    code: (code[:-1] + sign, colour)
    for suit, sign, colour in zip("HDCS", "♥♦♣♠", ("red", "red", "green", "cyan"), strict=True)
    for code in CARDS
    if code[-1] == suit
}
"""Each card's text and colour in a terminal."""

HELP: Final = """\
Cards are rank and suit: JH is the jack of hearts, 10C the ten of clubs. To play, type a card.
To bid, type a number and a suit, like 90 S or 110 hearts; or capot or generale with a suit; TA is all trumps,
SA no trumps. p passes, c coinches (doubles), sc surcoinches. Enter takes the only legal action.
In trumps the order is J 9 A 10 K Q 8 7 (20 14 11 10 4 3 0 0), elsewhere A 10 K Q J 9 8 7 (11 10 4 3 2 0 0 0).
Follow suit; go higher in trumps; trump or overtrump an opponent if you cannot. The last trick is 10 more.
King and queen of trumps in one hand are the belote, 20 points. You and the seat across are a team."""

_DOUBLED: Final = ("", ", coinched", ", surcoinched")
_CARD: Final = re.compile(r"(10|[7-9TJQKA])\s*(?:of\s+)?([HDCS♥♦♣♠])[a-z]*", re.IGNORECASE)
_SIGNS: Final = dict(zip("♥♦♣♠", "HDCS", strict=True))
_BID: Final = re.compile(r"(\d+|capot|generale|générale)\s*(TA|SA|[♥♦♣♠]|[HDCS][a-z]*)", re.IGNORECASE)
_VERB: Final = re.compile(r"^(play|contract|bid)\s+", re.IGNORECASE)
_CALLS: Final = {
    "p": PASS,
    "pass": PASS,
    "c": COINCHE,
    "coinche": COINCHE,
    "double": COINCHE,
    "sc": SURCOINCHE,
    "surcoinche": SURCOINCHE,
    "redouble": SURCOINCHE,
}


# Events.


def describe(event: Event, players: Players) -> str:
    """Return *event* in words; "" if a later event says the same."""
    return _said(event, players, WATCHER)


def _said(event: Event, players: Players, me: int) -> str:
    words: dict[str, object] = {}
    match event:
        case Dealt():
            return f"{players[event.seat]}: {' '.join(shown(event.hand))}"
        case TrickStarted():
            return trick(players, event.leader, [])
        case MatchStarted():
            words = {"target": event.options["target"], "a": _team(0, players), "b": _team(1, players)}
        case Called():
            words = {"call": _call(event.action)}
        case AuctionEnded():
            contract = contract_words(event.level, event.denomination)
            words = {"contract": contract, "bidder": _team(event.bidder % 2, players)}
        case DealEnded():
            words = {"scores": _scores(event.scores, players)}
        case MatchEnded():
            words = {"winner": _team(event.winner, players), "totals": _scores(event.totals, players)}
    return TEXTS.said(event, players, me, **words)


def tell(event: Event, view: View, players: Players) -> str:
    """Return *event* in words for a player: whole tricks instead of cards, nothing they did themselves."""
    assert isinstance(view, CoincheView)
    match event:
        case Dealt() | Played() | TrickStarted():
            return ""
        case Called() if event.seat == view.seat:
            return ""
        case TrickTaken():
            return last(view, players)
    return _said(event, players, view.seat)


# The table.


def hand(view: View) -> list[list[tuple[str, bool]]]:
    """Return the cards of the view's seat, one row per suit, each with whether it may be chosen now."""
    assert isinstance(view, CoincheView)
    allowed = [CARDS[action - PLAY] for action in view.legal if action >= PLAY]
    return cards_in_suits([shown(view.hand & suit) for suit in SUIT], allowed)


def table(view: View, players: Players) -> list[str]:
    """Return what everyone sees of the auction or of the trick that is being played."""
    assert isinstance(view, CoincheView)
    if view.phase == BIDDING:
        said = [f"{players[seat]}: {_call(action)}" for seat, action in view.calls]
        return ["Auction: " + (", ".join(said) or f"{players[view.first()]} to speak")]
    if view.phase != PLAYING or view.leader < 0:
        return []
    order = [(view.leader + i) % SEATS for i in range(SEATS)]
    cards = [CARDS[view.table[seat]] for seat in order if view.table[seat] >= 0]
    contract = f"{view.contract()}{_DOUBLED[view.doubled]} by {players[view.bidder]}"
    return [
        f"Trick {view.trick}, {contract}",
        "Trick: " + trick(players, view.leader, cards),
    ]


def last(view: View, players: Players) -> str:
    """Return the trick before this one."""
    assert isinstance(view, CoincheView)
    if not view.tricks:
        return NO_TRICK
    taken = view.tricks[-1]
    cards = trick(players, taken.leader, [CARDS[card] for card in taken.cards])
    facts: Plain = {"kind": "trick_taken", "taker": taken.taker, "points": taken.points}
    return f"{cards}. {TEXTS.told(facts, players, view.seat)}"


def scores(view: View, players: Players) -> list[list[str]]:
    """Return the scores as a table, its head first: one row per deal, one column per team."""
    assert isinstance(view, CoincheView)
    rows = [["deal", _team(0, players), _team(1, players)]]
    for number, deal in enumerate(view.deals, 1):
        rows.append([f"{number}: {_outcome(deal, players)}", *(str(score) for score in deal.scores)])
    target = view.options.get("target", "")
    return [*rows, [f"total of {target}", *(str(total) for total in view.totals)]]


def _outcome(deal: DealResult, players: Players) -> str:
    if deal.level < 0:
        return "passed out"
    made = "made" if deal.made else "failed"
    contract = contract_words(deal.level, deal.denomination) + _DOUBLED[deal.doubled]
    mine = deal.bidder % 2
    belote = f" and belote {deal.belote[mine]}" if deal.belote[mine] else ""
    return f"{contract} by {players[deal.bidder]}, {made} with {deal.points[mine]}{belote}"


# Questions and answers.


def question(view: View, players: Players) -> str:
    """Return what the view's seat is to decide."""
    assert isinstance(view, CoincheView)
    if view.phase != BIDDING:
        return TEXTS("play.lead" if view.leader == view.seat else "play.prompt")
    what = ["p to pass"]
    if COINCHE in view.legal:
        what.append(f"c to coinche ({_stake(view, 1)})")
    if SURCOINCHE in view.legal:
        what.append(f"sc to surcoinche ({_stake(view, 2)})")
    bids = [action - CONTRACT for action in view.legal if action >= CONTRACT]
    if bids:
        what.append(f"or bid from {LEVELS[bids[0] // KINDS]}, like {LEVELS[bids[0] // KINDS]} H")
    return "Speak: " + ", ".join(what)


def _stake(view: CoincheView, doubled: int) -> str:
    """Return what is at stake after a coinche (1) or a surcoinche (2)."""
    stake = stakes(view.level, CoincheRules(view.options))[doubled]
    if stake.made == stake.failed:
        return f"×{stake.factor}, {stake.made} points to the winner"
    return f"×{stake.factor}, {stake.made} points if made, {stake.failed} if not"


def read(view: View, text: str) -> tuple[int, ...]:
    """Return the actions that *text* stands for; RulesError if it stands for none."""
    assert isinstance(view, CoincheView)
    text = text.strip()
    call = _CALLS.get(text.lower())
    if call is not None:
        return (call,)
    text = _VERB.sub("", text)
    found = _BID.fullmatch(text)
    if found and view.phase == BIDDING:
        return (_bid(found[1].lower(), found[2].upper()),)
    card = _CARD.fullmatch(text)
    if card:
        rank = card[1].upper().replace("T", "10")
        return (PLAY + CODES[rank + _SIGNS.get(card[2], card[2].upper())],)
    if view.phase == BIDDING:
        raise RulesError(f"{text!r}: expected a bid like 90 S, p, c or sc")
    raise RulesError(f"{text!r}: expected a card like JH or 10C")


def _bid(level: str, denomination: str) -> int:
    level = level.replace("é", "e")
    if level not in LEVELS:
        raise RulesError(f"{level!r}: expected one of {', '.join(LEVELS)}")
    kind = _SIGNS.get(denomination, denomination)
    for number, name in enumerate(DENOMINATIONS):
        if kind == name.upper() or (number < len(SUITS) and name.upper().startswith(kind)):
            return CONTRACT + KINDS * LEVELS.index(level) + number
    raise RulesError(f"{denomination!r}: expected one of {', '.join(DENOMINATIONS)}")


def _call(action: int) -> str:
    if action >= CONTRACT:
        contract = action - CONTRACT
        return contract_words(contract // KINDS, contract % KINDS)
    return ("pass", "coinche", "surcoinche")[action]


def _team(team: int, players: Players) -> str:
    return f"{players[team]} and {players[team + 2]}"


def _scores(values: Sequence[int], players: Players) -> str:
    return by_player([_team(0, players), _team(1, players)], values)
