"""Hearts in a terminal: what happened and what is asked in words, and what somebody typed as actions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from croupier.core.cards import bit, mask_of
from croupier.core.contract import Event, RulesError, View
from croupier.games.hearts.events import (
    DealEnded,
    DealStarted,
    Dealt,
    ExposingEnded,
    ExposingStarted,
    GameEnded,
    GameStarted,
    MatchEnded,
    Passed,
    PassingEnded,
    PassingStarted,
    Picked,
    Played,
    Received,
    RoundEnded,
    RoundStarted,
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

CASUAL: Final[Mapping[str, object]] = {"match_games": 1}
"""The options that suit one person who sits down for a while."""

PATIENT: Final[Mapping[str, object]] = {
    "human_pass_timeout": 600_000,
    "human_expose_timeout": 600_000,
    "human_pick_timeout": 600_000,
}
"""Table options that leave time to whoever thinks in words."""

HELD: Final = "hand"
"""What lies before a player."""

LAST: Final = "last trick"
"""What one may want to look at again."""

FACES: Final = {
    code: (code[0] + sign, colour)
    for suit, sign, colour in zip(SUITS, "♦♣♥♠", ("bright_blue", "green", "red", "default"), strict=True)
    for code in CARDS
    if code[1] == suit
}
"""Each card as a terminal with colours shows it: four colours, as many players like them."""

HELP: Final = """\
Cards are rank and suit: QS is the queen of spades, TC or 10C the ten of clubs, AH the ace of hearts.
To play, type a card; to pass, type three of them, like QS KH 2D; Enter plays the only card you may play.
Hearts cost 1 point, QS costs 13, TC doubles what you take. An exposed AH doubles the hearts.
Who takes all of hearts and QS shoots the moon, and gains four times as much instead.
That is how it is played here unless an option says otherwise."""

_CARD: Final = re.compile(r"([2-9TJQKA]|10)([DCHS♦♣♥♠])", re.IGNORECASE)
_VERB: Final = re.compile(r"^(play|pass)\s+", re.IGNORECASE)
_SIGNS: Final = str.maketrans("♦♣♥♠", "DCHS")


# What happened.


def describe(event: Event, players: Players) -> str:
    """Return *event* in words, nothing if what follows tells it better."""
    match event:
        case GameStarted():
            return f"Game {event.game} of {event.options['match_games']}"
        case DealStarted():
            where = (
                "nobody passes" if event.direction == "none" else f"three cards go {_where(event.direction)}"
            )
            return f"Deal {event.deal}: {where}"
        case Dealt():
            return f"Dealt to {players[event.seat]}: {_row(shown(event.hand))}"
        case Received():
            return f"{players[event.seat]} got {_row(names(event.cards))} from {players[event.giver]}"
        case ExposingEnded():
            if event.seat < 0:
                return "The ace of hearts stays hidden"
            return f"{players[event.seat]} exposed the ace of hearts: hearts count double"
        case RoundStarted():
            return f"Round {event.number}: {players[event.leader]} to lead"
        case Played():
            return f"{players[event.seat]} played {CARDS[event.card]}"
        case RoundEnded():
            return f"{players[event.taker]} took the trick" + _with(shown(event.taken))
        case DealEnded():
            moon = f"{players[event.moon]} shot the moon! " if event.moon >= 0 else ""
            return f"{moon}Deal {event.deal} is over: {_points(event.scores, players)}"
        case GameEnded():
            return f"Game {event.game} is over: {_points(event.totals, players)}"
        case MatchEnded():
            winners = [name for name, rank in zip(players, event.ranks, strict=True) if rank == 1]
            return f"The match is over, won by {' and '.join(winners)}: {_points(event.totals, players)}"
        case PassingStarted() | Picked() | Passed() | PassingEnded() | ExposingStarted():
            return ""
    raise AssertionError(f"an event of another game: {event!r}")


def tell(event: Event, view: View, players: Players) -> str:
    """Return what somebody who plays wants to read of *event*: tricks whole, own choices not again."""
    assert isinstance(view, HeartsView)
    match event:
        case Dealt() | Played() | RoundStarted():
            return ""
        case RoundEnded():
            return last(view, players)
        case GameStarted() | GameEnded() if view.options["match_games"] == 1:
            return ""
    return describe(event, players)


# What lies on the table.


def hand(view: View) -> list[list[tuple[str, bool]]]:
    """Return the cards of the view's seat, a row each suit, each with whether it may be chosen now."""
    assert isinstance(view, HeartsView)
    allowed = mask_of([action % PASS for action in view.legal if action < EXPOSE])
    rows: list[list[tuple[str, bool]]] = []
    for suit in (3, 2, 1, 0):
        cards = shown(view.hand & SUIT[suit])
        if cards:
            rows.append([(code, allowed & bit(CODES[code]) != 0) for code in cards])
    return rows


def table(view: View, players: Players) -> list[str]:
    """Return what everybody sees of the round that is being played."""
    assert isinstance(view, HeartsView)
    if view.phase != PLAYING or view.leader < 0:
        return []
    order = [(view.leader + i) % SEATS for i in range(SEATS)]
    lie = [f"{players[seat]} {CARDS[view.table[seat]]}" for seat in order if view.table[seat] >= 0]
    hearts = "hearts are broken" if view.broken else "hearts are not broken"
    return [
        f"Round {view.round}, {hearts}",
        "Trick: " + (", ".join(lie) or f"{players[view.leader]} to lead"),
    ]


def last(view: View, players: Players) -> str:
    """Return the trick before this one."""
    assert isinstance(view, HeartsView)
    if not view.last:
        return "No trick has been taken in this deal"
    order = [(view.last_leader + i) % SEATS for i in range(SEATS)]
    cards = ", ".join(f"{players[seat]} {CARDS[card]}" for seat, card in zip(order, view.last, strict=True))
    return f"{cards}: {players[view.last_taker]} took it"


def scores(view: View, players: Players) -> list[list[str]]:
    """Return the scores as a table, its head first."""
    assert isinstance(view, HeartsView)
    under_way = view.phase in (PASSING, EXPOSING, PLAYING)
    many = view.options.get("match_games") != 1
    head = ["player", *(f"deal {n}" for n in range(1, len(view.deals) + 1))]
    head += ["this deal"] if under_way else []
    rows = [[*head, "game", *(f"game {n}" for n in range(1, len(view.games) + 1) if many)]]
    for seat, name in enumerate(players):
        row = [name, *(str(deal.scores[seat]) for deal in view.deals)]
        row += [str(view.scores[seat])] if under_way else []
        rows.append([*row, str(view.totals[seat]), *(str(game[seat]) for game in view.games if many)])
    return rows


# What is asked, and what was answered.


def question(view: View, players: Players) -> str:
    """Return what the view's seat is to decide."""
    assert isinstance(view, HeartsView)
    if view.phase == PASSING:
        left = 3 - len(view.picked)
        to = (view.seat + STEPS[view.direction]) % SEATS
        return f"Pass {_many(left)} to {players[to]}"
    if view.phase == EXPOSING:
        return "Expose the ace of hearts, so that hearts count double? y or n"
    return "Play a card"


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
            raise RulesError(f"{_many(len(cards))}: expected {left}, like {_row(shown(view.hand)[:left])}")
        return tuple(PASS + card for card in cards)
    if len(cards) != 1:
        raise RulesError(f"{_many(len(cards))}: expected one")
    return (cards[0],)


def _cards(text: str) -> list[int]:
    """Return the cards in *text*, however they are separated."""
    text = _VERB.sub("", text)
    left = _CARD.sub("", text).strip(" ,;")
    if left:
        word = left.split()[0]
        raise RulesError(f"{word!r}: expected cards like QS or 10H")
    found = _CARD.findall(text)
    return [CODES[rank.upper().replace("10", "T") + suit.upper().translate(_SIGNS)] for rank, suit in found]


def _many(cards: int) -> str:
    return "1 card" if cards == 1 else f"{cards} cards"


def _where(direction: str) -> str:
    return direction if direction == "across" else f"to the {direction}"


def _row(cards: Sequence[str]) -> str:
    return " ".join(cards)


def _with(cards: Sequence[str]) -> str:
    return f" with {_row(cards)}" if cards else ""


def _points(numbers: Sequence[int], players: Players) -> str:
    return ", ".join(f"{name} {score}" for name, score in zip(players, numbers, strict=True))
