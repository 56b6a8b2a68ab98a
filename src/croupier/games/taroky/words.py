"""Taroky in a terminal: events and questions in words, typed text as actions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from croupier.core.cards import cards_of, mask_of
from croupier.core.contract import WATCHER, Event, Plain, View
from croupier.core.words import Words, by_player, cards_in_suits, prompted, roman
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
from croupier.games.taroky.view import TarokyView
from croupier.games.taroky.vocabulary import (
    CARD,
    CARDS,
    CODES,
    CONTRA,
    DISCARD,
    HALF,
    LEVELS,
    MONEY,
    MONEY_CODES,
    MONEY_VALUES,
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


class GameWords(Words):
    faces = FACES

    # Events.

    def describe(self, event: Event, players: Players, /) -> str:
        return self._said(event, players, WATCHER)

    def _said(self, event: Event, players: Players, me: int) -> str:
        words: dict[str, object] = {}
        match event:
            case Dealt():
                return f"{players[event.seat]}: {_row(shown(mask_of(event.cards)))}"
            case IoteEnded():
                return self.texts.trick(players, event.leader, [])
            case DealEnded():
                return self._outcome(event, players, me)
            case MoneyCalled():
                words = {"codes": self._money(int(event.codes))}
            case PartnerNamed():
                words = {"trump": ROMAN[event.trump]}
            case MatchEnded():
                words = {"chips": by_player(players, event.chips)}
        return self.texts.said(event, players, me, **words)

    def tell(self, event: Event, view: View, players: Players, /) -> str:
        match event:
            case Dealt() | Played() | IoteEnded() | LaidAway() | ContraDeclined() | IoteDeclined():
                return ""
            case TalonAnswered() if event.seat == view.seat:
                return ""
            case TrickTaken():
                return self.last(view, players)
        return self._said(event, players, view.seat)

    def _outcome(self, event: DealEnded, players: Players, me: int) -> str:
        """Return the result of a deal in one line."""
        result = event.result
        side = [name for seat, name in enumerate(players) if result.declarers >> seat & 1]
        facts: Plain = {
            "kind": "deal_ended",
            "deal": event.deal,
            "how": "won" if result.x > 0 else "lost" if result.x < 0 else "even",
            "names": self.texts.all_of(side),
            "points": result.points[0],
            "chips": by_player(players, [f"{amount:+}" for amount in result.payments]),
        }
        return self.texts.told(facts, players, me)

    def _money(self, codes: int) -> str:
        """Return a set of money cards in words, each with its value."""
        called = [f"{self._money_card(code)} ({MONEY_VALUES[code]})" for code in cards_of(codes)]
        return self.texts.all_of(called)

    def _money_card(self, code: int) -> str:
        return self.texts(f"money.{MONEY_CODES[code]}")

    # The table.

    def hand(self, view: View, /) -> list[list[tuple[str, bool]]]:
        assert isinstance(view, TarokyView)
        allowed = [CARDS[action - CARD] for action in view.legal if action >= CARD]
        return cards_in_suits([shown(view.hand & suit)[::-1] for suit in (TRUMPS, *SUIT[:4])], allowed)

    def table(self, view: View, players: Players, /) -> list[str]:
        assert isinstance(view, TarokyView)
        lines: list[str] = []
        if view.phase >= VALAT and view.hands == []:
            lines.append(", ".join(self._calls(view, players)))
        if view.phase == HALF and view.seen:
            seen: Plain = {"kind": "half_seen", "seat": view.seat, "cards": _row(names(view.seen))}
            lines.append(self.texts.told(seen, players, view.seat))
        if view.phase == PLAYING and view.leader >= 0:
            number = self.texts("trickOf", n=len(view.tricks) + 1)
            lines.append(f"{number}: {self.texts.trick(players, view.leader, names(view.trick), view.seat)}")
        return lines

    def _calls(self, view: TarokyView, players: Players) -> list[str]:
        """Return who plays with whom, and what was announced."""
        texts = self.texts
        if view.prever != NOBODY:
            calls = [texts("mark.prever", name=players[view.prever])]
        else:
            partner = texts("mark.partner", trump=ROMAN.get(view.named, "?"))
            calls = [f"{players[view.povinnost]}, {partner}"]
            if view.partner() not in (NOBODY, view.povinnost):
                calls[0] += f" ({players[view.partner()]})"
        if view.valat != NOBODY:
            calls.append(texts("mark.valat", name=players[view.valat]))
        if view.contras:
            calls.append(texts("mark.multiplier", n=1 << len(view.contras)))
        if view.iote != NOBODY:
            calls.append(texts("mark.iote", name=players[view.iote]))
        return calls

    def last(self, view: View, players: Players, /) -> str:
        assert isinstance(view, TarokyView)
        if not view.tricks:
            return self.texts("terminal.trick.none")
        taken = view.tricks[-1]
        facts: Plain = {"kind": "trick_ended", "taker": taken.taker, "number": len(view.tricks)}
        said = self.texts.told(facts, players, view.seat)
        return f"{self.texts.trick(players, taken.leader, names(taken.cards))}. {said}"

    def scores(self, view: View, players: Players, /) -> list[list[str]]:
        """Return the chips."""
        assert isinstance(view, TarokyView)
        deals = [self.texts("sheet.deal", n=n + 1) for n in range(len(view.results))]
        rows = [[self.texts("terminal.player"), *deals, self.texts("settle.chips")]]
        for seat, name in enumerate(players):
            won = [f"{result.payments[seat] + result.money[seat]:+}" for result in view.results]
            rows.append([name, *won, str(view.chips[seat]) if view.chips else ""])
        return rows

    # Questions and answers.

    def question(self, view: View, players: Players, /) -> str:
        assert isinstance(view, TarokyView)
        texts = self.texts
        if view.phase == DISCARD:
            return texts("discard.prompt", n=view.left)
        if view.phase == PARTNER:
            may = [ROMAN[action - NAME + 15] for action in reversed(view.legal)]
            return prompted(texts("partner.prompt"), may)
        if view.phase == PLAYING:
            return texts("play.lead" if not view.trick and view.leader == view.seat else "play.prompt")
        asked, yes, no = self._yes_or_no(view, players)
        return prompted(asked, [f"y: {yes}", f"n: {no}"])

    def _yes_or_no(self, view: TarokyView, players: Players) -> tuple[str, str, str]:
        """Return a question, and what the answers yes and no mean."""
        texts = self.texts
        match view.phase:
            case _ if view.phase == PREVER:
                return texts("prever.prompt"), texts("prever.yes"), texts("prever.no")
            case _ if view.phase == TALON and view.player(view.seat) == 4:
                giver = players[view.seat_of(2 + view.gifts.index(OFFERED))]
                asked = texts("talon.offered", name=giver)
                return asked, texts("talon.accept"), texts("talon.reject")
            case _ if view.phase == TALON:
                asked = texts("talon.prompt", name=players[view.seat_of(4)])
                return asked, texts("talon.yes"), texts("talon.no")
            case _ if view.phase == HALF:
                half = texts(f"half.prompt.{view.step}")
                return half, texts("half.yes"), texts(f"half.no.{view.step}")
            case _ if view.phase == MONEY:
                code = 1 if view.hand & TRUMPS else 0
                what = self._money_card(code)
                asked = texts("money.prompt", what=what, value=MONEY_VALUES[code])
                return asked, texts("money.yes", what=what), texts("money.no")
            case _ if view.phase == VALAT:
                return texts("valat.prompt"), texts("valat.yes"), texts("valat.no")
            case _ if view.phase == CONTRA:
                level = texts(f"level.{LEVELS[len(view.contras)]}")
                asked = texts("contra.prompt", level=level, n=2 << len(view.contras))
                return asked, texts("contra.yes", level=level), texts("contra.no")
        return texts("iote.prompt"), texts("iote.yes"), texts("iote.no")

    def read(self, view: View, text: str, /) -> tuple[int, ...]:
        assert isinstance(view, TarokyView)
        if view.phase == PARTNER:
            return (self._partner(text),)
        if view.phase not in (DISCARD, PLAYING):
            answer = _ANSWERS.get(text.lower())
            if answer is None:
                raise self.texts.expected(text, self.texts("terminal.type.yes_no"))
            return (answer,)
        cards = self._cards(text)
        most = view.left if view.phase == DISCARD else 1
        if not 1 <= len(cards) <= most:
            raise self.texts.miscounted(len(cards), most)
        return tuple(CARD + card for card in cards)

    def _partner(self, text: str) -> int:
        word = text.upper().removeprefix("T")
        for trump, shown_as in ROMAN.items():
            if word in (str(trump), shown_as):
                return NAME + trump - 15
        raise self.texts.expected(text, self.texts.one_of([*ROMAN.values()]))

    def _cards(self, text: str) -> list[int]:
        """Return the cards in *text*, with any separators."""
        text = _VERB.sub("", text).upper().translate(_LETTERS)
        left = _CARD.sub("", text).strip(" ,;")
        found = [(token, _SPELT.get(token, token)) for token in _CARD.findall(text)]
        wrong = left.split()[:1] + [token for token, code in found if code not in CODES]
        if wrong:
            raise self.texts.expected(wrong[0], self.texts("terminal.type.cards", example="SK T05"))
        return [CODES[code] for _, code in found]


def _row(cards: Iterable[str]) -> str:
    return " ".join(cards)
