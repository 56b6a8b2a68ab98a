"""Taroky in a terminal: events and questions in words, typed text as actions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from croupier.core.cards import cards_of, mask_of
from croupier.core.contract import WATCHER, Event, RulesError, View
from croupier.core.words import NO_TRICK, Texts, by_player, cards_in_suits, how_many_cards, roman, trick
from croupier.games.taroky.events import (
    ContraDeclined,
    DealEnded,
    Dealt,
    IoteDeclined,
    IoteEnded,
    LaidAway,
    MatchEnded,
    MoneyCalled,
    PartnerNamed,
    Played,
    TalonAnswered,
    TrickTaken,
)
from croupier.games.taroky.scoring import DealResult
from croupier.games.taroky.view import TarokyView
from croupier.games.taroky.vocabulary import (
    CARD,
    CARDS,
    CODES,
    CONTRA,
    DISCARD,
    HALF,
    IOTE,
    MONEY,
    MONEY_VALUES,
    MONEY_WORDS,
    NAME,
    NO,
    NOBODY,
    OFFERED,
    PARTNER,
    PLAYING,
    PREVER,
    SUIT,
    TALON,
    TRUMPS,
    VALAT,
    YES,
    names,
    shown,
)

Players: TypeAlias = Sequence[str]

TEXTS: Final = Texts(__package__)

HELD: Final = "hand"
"""The title of what a player holds."""

LAST: Final = "last trick"
"""The title of what `last` returns."""

ROMAN: Final = {number: roman(number) for number in range(15, 20)}
_SIGNS: Final = {"S": ("♠", "default"), "C": ("♣", "green"), "H": ("♥", "red"), "D": ("♦", "bright_blue")}


def _rank(code: str) -> str:
    """Return the rank printed on a suit card: digits are 10 to 7 in black, 4 to ace in red."""
    if not code[1].isdigit():
        return code[1]
    return str(int(code[1]) + 6) if code[0] in "SC" else "A" if code[1] == "1" else code[1]


FACES: Final = {
    code: (
        (_rank(code) + _SIGNS[code[0]][0], _SIGNS[code[0]][1])
        if code[0] in _SIGNS
        else ("Škýz" if code == "T22" else roman(int(code[1:])), "bright_magenta")
    )
    for code in CARDS
}
"""Each card's text and colour in a terminal; trumps have Roman numbers and their own colour."""

HELP: Final = """\
Cards are suit and face: SK or K♠ is the king of spades, HR the rider of hearts, T5 or V a trump, T22 Škýz.
Digits behind a suit are 4 to 1 (ace) in hearts and diamonds, 4 = ten down to 1 = seven in spades and clubs;
in front of it they are what is printed: 10♠ is S4, 7c is C1, Ah is H1.
Follow suit; if you cannot, play a trump. Answer questions with y or n; to name a partner, type 19 or 18.
Declarers need 54 of 106 points. Kings, T01, T21 and T22 count five, queens four, riders three, jacks two."""

_SPELT: Final = {
    **{_rank(code) + code[0]: code for code in CARDS if code[0] in _SIGNS},
    **{suit + "A": suit + "1" for suit in _SIGNS},
    **{face.upper(): code for code, (face, _) in FACES.items() if code[0] == "T"},
    **{f"T{number}": f"T{number:02}" for number in range(1, 10)},
    "IV": "T04",
    "SKYZ": "T22",
}
"""Other ways to type a card, by what is typed."""
_CARD: Final = re.compile(
    r"[SŠ]K[YÝ]Z|T(?:0?[1-9]|1\d|2[0-2])(?!\d)|(?:10|[2-9AJRQK])[SCHD]|[SCHD][1234JRQKA]|[IVX]+"
)
_LETTERS: Final = str.maketrans({sign: suit for suit, (sign, _) in _SIGNS.items()})
_VERB: Final = re.compile(r"^(play|discard|card)\s+", re.IGNORECASE)
_ANSWERS: Final = {
    "y": YES,
    "yes": YES,
    "n": NO,
    "no": NO,
    "draw": YES,
    "pass": NO,
    "accept": YES,
    "reject": NO,
    "keep": YES,
    "swap": NO,
}


# Events.


def describe(event: Event, players: Players) -> str:
    """Return *event* in words; "" if a later event says the same."""
    return _said(event, players, WATCHER)


def _said(event: Event, players: Players, me: int) -> str:
    words: dict[str, object] = {}
    match event:
        case Dealt():
            return f"{players[event.seat]}: {_row(shown(mask_of(event.cards)))}"
        case IoteEnded():
            return trick(players, event.leader, [])
        case DealEnded():
            return f"Deal {event.deal} is over: {outcome(event.result, players)}"
        case MoneyCalled():
            words = {"codes": money_words(int(event.codes))}
        case PartnerNamed():
            words = {"trump": ROMAN[event.trump]}
        case MatchEnded():
            words = {"chips": by_player(players, event.chips)}
    return TEXTS.said(event, players, me, **words)


def tell(event: Event, view: View, players: Players) -> str:
    """Return *event* in words for a player: whole tricks instead of cards, nothing they did themselves."""
    match event:
        case Dealt() | Played() | IoteEnded() | LaidAway() | ContraDeclined() | IoteDeclined():
            return ""
        case TalonAnswered() if event.seat == view.seat:
            return ""
        case TrickTaken():
            return last(view, players)
    return _said(event, players, view.seat)


def outcome(result: DealResult, players: Players) -> str:
    """Return the result of a deal in one line."""
    side = [name for seat, name in enumerate(players) if result.declarers >> seat & 1]
    verb = "won" if result.x > 0 else "lost" if result.x < 0 else "settled at"
    paid = ", ".join(f"{name} {amount:+}" for name, amount in zip(players, result.payments, strict=True))
    return f"{' and '.join(side)} {verb} {abs(result.x)} with {result.points[0]} points ({paid})"


def money_words(codes: int) -> str:
    """Return a set of money cards in words, each with its value."""
    return " and ".join(f"{MONEY_WORDS[code]} ({MONEY_VALUES[code]})" for code in cards_of(codes))


def _level(level: int) -> str:
    return ("contra", "rhea-contra", "supra-contra")[level]


# The table.


def hand(view: View) -> list[list[tuple[str, bool]]]:
    """Return the cards of the view's seat, one row per suit, each with whether it may be chosen now."""
    assert isinstance(view, TarokyView)
    allowed = [CARDS[action - CARD] for action in view.legal if action >= CARD]
    return cards_in_suits([shown(view.hand & suit)[::-1] for suit in (TRUMPS, *SUIT[:4])], allowed)


def table(view: View, players: Players) -> list[str]:
    """Return what everyone sees of the deal."""
    assert isinstance(view, TarokyView)
    lines: list[str] = []
    if view.phase >= VALAT and view.hands == []:
        if view.prever != NOBODY:
            calls = [f"Prever by {players[view.prever]}"]
        else:
            calls = [f"{players[view.povinnost]} with {ROMAN.get(view.named, '?')}"]
            if view.partner() not in (NOBODY, view.povinnost):
                calls[0] += f" ({players[view.partner()]})"
        if view.valat != NOBODY:
            calls.append(f"{players[view.valat]} announced valat")
        if view.contras:
            calls.append(f"×{1 << len(view.contras)}")
        if view.iote != NOBODY:
            calls.append(f"{players[view.iote]} announced the I")
        lines.append(", ".join(calls))
    if view.phase == HALF and view.seen:
        lines.append(f"You look at {_row(names(view.seen))}")
    if view.phase == PLAYING and view.leader >= 0:
        lines.append(f"Trick {len(view.tricks) + 1}: {trick(players, view.leader, names(view.trick))}")
    return lines


def last(view: View, players: Players) -> str:
    """Return the trick before this one."""
    assert isinstance(view, TarokyView)
    if not view.tricks:
        return NO_TRICK
    taken = view.tricks[-1]
    facts = {"kind": "trick_ended", "taker": taken.taker, "number": len(view.tricks)}
    said = TEXTS.told(facts, players, view.seat)
    return f"{trick(players, taken.leader, names(taken.cards))}. {said}"


def scores(view: View, players: Players) -> list[list[str]]:
    """Return the chips as a table, its head first."""
    assert isinstance(view, TarokyView)
    rows = [["player", *(f"deal {n}" for n in range(1, len(view.results) + 1)), "chips"]]
    for seat, name in enumerate(players):
        won = [f"{result.payments[seat] + result.money[seat]:+}" for result in view.results]
        rows.append([name, *won, str(view.chips[seat]) if view.chips else ""])
    return rows


# Questions and answers.


def question(view: View, players: Players) -> str:
    """Return what the view's seat is to decide."""
    assert isinstance(view, TarokyView)
    match view.phase:
        case _ if view.phase == PREVER:
            return f"{TEXTS('prever.prompt')} y or n"
        case _ if view.phase == TALON:
            if view.player(view.seat) == 4:
                giver = players[view.seat_of(2 + view.gifts.index(OFFERED))]
                return f"{TEXTS('talon.offered', name=giver)} y or n"
            return f"{TEXTS('talon.prompt', name=players[view.seat_of(4)])} y, or n to pass it on"
        case _ if view.phase == HALF:
            return f"{TEXTS(f'half.prompt.{view.step}')} y, or n to swap"
        case _ if view.phase == DISCARD:
            return TEXTS("discard.prompt", n=view.left)
        case _ if view.phase == MONEY:
            code = 1 if view.hand & TRUMPS else 0
            prompt = TEXTS("money.prompt", what=MONEY_WORDS[code], value=MONEY_VALUES[code])
            return f"{prompt} y or n"
        case _ if view.phase == PARTNER:
            may = " or ".join(ROMAN[action - NAME + 15] for action in reversed(view.legal))
            return f"{TEXTS('partner.prompt')}: {may}"
        case _ if view.phase == VALAT:
            return f"{TEXTS('valat.prompt')} y or n"
        case _ if view.phase == CONTRA:
            level = len(view.contras)
            return f"{TEXTS('contra.prompt', level=_level(level), n=2 << level)} y or n"
        case _ if view.phase == IOTE:
            return f"{TEXTS('iote.prompt')} y or n"
    return TEXTS("play.lead" if not view.trick and view.leader == view.seat else "play.prompt")


def read(view: View, text: str) -> tuple[int, ...]:
    """Return the actions that *text* stands for; RulesError if it stands for none."""
    assert isinstance(view, TarokyView)
    if view.phase == PARTNER:
        return (_partner(text),)
    if view.phase not in (DISCARD, PLAYING):
        answer = _ANSWERS.get(text.lower())
        if answer is None:
            raise RulesError(f"{text!r}: expected y or n")
        return (answer,)
    cards = _cards(text)
    most = view.left if view.phase == DISCARD else 1
    if not 1 <= len(cards) <= most:
        raise RulesError(
            f"{how_many_cards(len(cards))}: expected {most}, like {_row(shown(view.hand)[:most])}"
        )
    return tuple(CARD + card for card in cards)


def _partner(text: str) -> int:
    word = text.upper().removeprefix("T")
    for trump, shown_as in ROMAN.items():
        if word in (str(trump), shown_as):
            return NAME + trump - 15
    raise RulesError(f"{text!r}: expected XIX or 19, or a lower trump you may name")


def _cards(text: str) -> list[int]:
    """Return the cards in *text*, with any separators."""
    text = _VERB.sub("", text).upper().translate(_LETTERS)
    left = _CARD.sub("", text).strip(" ,;")
    found = [(token, _SPELT.get(token, token)) for token in _CARD.findall(text)]
    wrong = left.split()[:1] + [token for token, code in found if code not in CODES]
    if wrong:
        raise RulesError(f"{wrong[0]!r}: expected cards like SK or T05")
    return [CODES[code] for _, code in found]


def _row(cards: Iterable[str]) -> str:
    return " ".join(cards)
