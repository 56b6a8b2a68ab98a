"""Hearts in a terminal: events and questions in words, typed text as actions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, TypeAlias

from croupier.core.contract import WATCHER, Event, RulesError, View
from croupier.core.words import NO_TRICK, Texts, by_player, cards_in_suits, how_many_cards, trick
from croupier.games.hearts.events import (
    DealEnded,
    Dealt,
    GameEnded,
    GameStarted,
    MatchEnded,
    Passed,
    Played,
    TrickStarted,
    TrickTaken,
)
from croupier.games.hearts.view import HeartsView
from croupier.games.hearts.vocabulary import (
    CARDS,
    CODES,
    EXPOSE,
    EXPOSING,
    KEEP,
    PASS,
    PASSING,
    PLAYING,
    SEATS,
    STEPS,
    SUIT,
    SUITS,
    names,
    shown,
)

Players: TypeAlias = Sequence[str]

TEXTS: Final = Texts(__package__)

HELD: Final = "hand"
"""The title of what a player holds."""

LAST: Final = "last trick"
"""The title of what `last` returns."""

FACES: Final = {
    code: (code[0] + sign, colour)
    for suit, sign, colour in zip(SUITS, "♦♣♥♠", ("bright_blue", "green", "red", "default"), strict=True)
    for code in CARDS
    if code[1] == suit
}
"""Each card's text and colour in a terminal; every suit has its own colour."""

HELP: Final = """\
Cards are rank and suit: QS is the queen of spades, TC or 10C the ten of clubs, AH the ace of hearts.
To play, type a card; to pass, type three of them, like QS KH 2D; Enter plays the only card you may play.
Each heart is 1 penalty point, QS is 13; the fewest points win. A player with 100 points ends the game.
If you take all hearts and QS you shoot the moon: you get none, and the others 26 each.
Options of the table may change these rules: in Trend Hearts TC doubles what you take, an exposed AH doubles
the hearts, and the moon takes four times as many points off your score."""

_CARD: Final = re.compile(r"([2-9TJQKA]|10)([DCHS♦♣♥♠])", re.IGNORECASE)
_VERB: Final = re.compile(r"^(play|pass)\s+", re.IGNORECASE)
_SIGNS: Final = str.maketrans("♦♣♥♠", "DCHS")


# Events.


def describe(event: Event, players: Players) -> str:
    """Return *event* in words; "" if a later event says the same."""
    return _said(event, players, WATCHER)


def _said(event: Event, players: Players, me: int) -> str:
    match event:
        case Dealt():
            return f"{players[event.seat]}: {_row(shown(event.hand))}"
        case TrickStarted():
            return trick(players, event.leader, [])
        case Passed():
            return ""
        case DealEnded():
            return TEXTS.said(event, players, me, scores=_scores(event.scores, players))
        case GameEnded() | MatchEnded():
            return TEXTS.said(event, players, me, totals=_scores(event.totals, players))
    return TEXTS.said(event, players, me)


def tell(event: Event, view: View, players: Players) -> str:
    """Return *event* in words for a player: whole tricks instead of cards, nothing they did themselves."""
    assert isinstance(view, HeartsView)
    match event:
        case Dealt() | Played() | TrickStarted():
            return ""
        case TrickTaken():
            return last(view, players)
        case GameStarted() | GameEnded() if view.options["match_games"] == 1:
            return ""
    return _said(event, players, view.seat)


# The table.


def hand(view: View) -> list[list[tuple[str, bool]]]:
    """Return the cards of the view's seat, one row per suit, each with whether it may be chosen now."""
    assert isinstance(view, HeartsView)
    allowed = [CARDS[action % PASS] for action in view.legal if action < EXPOSE]
    return cards_in_suits([shown(view.hand & suit) for suit in reversed(SUIT)], allowed)


def table(view: View, players: Players) -> list[str]:
    """Return what everyone sees of the round that is being played."""
    assert isinstance(view, HeartsView)
    if view.phase != PLAYING or view.leader < 0:
        return []
    order = [(view.leader + i) % SEATS for i in range(SEATS)]
    cards = [CARDS[view.table[seat]] for seat in order if view.table[seat] >= 0]
    broken = [TEXTS("broken")] if view.broken else []
    return [
        ", ".join([TEXTS("round", n=view.round), *broken]),
        "Trick: " + trick(players, view.leader, cards),
    ]


def last(view: View, players: Players) -> str:
    """Return the trick before this one."""
    assert isinstance(view, HeartsView)
    if not view.last:
        return NO_TRICK
    taken = TEXTS.told({"kind": "round_ended", "taker": view.last_taker}, players, view.seat)
    return f"{trick(players, view.last_leader, names(view.last))}. {taken}"


def scores(view: View, players: Players) -> list[list[str]]:
    """Return the penalty points as a table, its head first."""
    assert isinstance(view, HeartsView)
    under_way = view.phase in (PASSING, EXPOSING, PLAYING)
    many = view.options.get("match_games") != 1
    head = ["player", *(f"deal {n}" for n in range(1, len(view.deals) + 1))]
    head += ["this deal"] if under_way else []
    rows = [[*head, "game", *(f"game {n}" for n in range(1, len(view.games) + 1) if many)]]
    for seat, name in enumerate(players):
        scores = [deal.scores[seat] for deal in view.deals]
        scores += [view.scores[seat]] if under_way else []
        scores += [view.totals[seat], *(game[seat] for game in view.games if many)]
        rows.append([name, *map(str, _penalties(scores))])
    return rows


# Questions and answers.


def question(view: View, players: Players) -> str:
    """Return what the view's seat is to decide."""
    assert isinstance(view, HeartsView)
    if view.phase == PASSING:
        left = 3 - len(view.picked)
        to = (view.seat + STEPS[view.direction]) % SEATS
        return f"Pass {how_many_cards(left)} to {players[to]}"
    if view.phase == EXPOSING:
        return f"{TEXTS('expose.prompt')} y or n"
    return TEXTS("play.lead" if view.leader == view.seat else "play.prompt")


def read(view: View, text: str) -> tuple[int, ...]:
    """Return the actions that *text* stands for; RulesError if it stands for none."""
    assert isinstance(view, HeartsView)
    if view.phase == EXPOSING:
        answer = {"y": EXPOSE, "yes": EXPOSE, "ah": EXPOSE, "n": KEEP, "no": KEEP}.get(text.lower())
        if answer is None:
            raise RulesError(f"{text!r}: expected y or n")
        return (answer,)
    cards = _cards(text)
    if view.phase == PASSING:
        left = 3 - len(view.picked)
        if len(cards) != left:
            raise RulesError(
                f"{how_many_cards(len(cards))}: expected {left}, like {_row(shown(view.hand)[:left])}"
            )
        return tuple(PASS + card for card in cards)
    if len(cards) != 1:
        raise RulesError(f"{how_many_cards(len(cards))}: expected one")
    return (cards[0],)


def _cards(text: str) -> list[int]:
    """Return the cards in *text*, with any separators."""
    text = _VERB.sub("", text)
    left = _CARD.sub("", text).strip(" ,;")
    if left:
        word = left.split()[0]
        raise RulesError(f"{word!r}: expected cards like QS or 10H")
    found = _CARD.findall(text)
    return [CODES[rank.upper().replace("10", "T") + suit.upper().translate(_SIGNS)] for rank, suit in found]


def _penalties(scores: Sequence[int]) -> list[int]:
    """Return *scores* as people count them, as penalty points: the fewest win."""
    return [-score for score in scores]


def _row(cards: Sequence[str]) -> str:
    return " ".join(cards)


def _scores(scores: Sequence[int], players: Players) -> str:
    return by_player(players, _penalties(scores))
