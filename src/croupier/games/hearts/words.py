"""Hearts in a terminal: events and questions in words, typed text as actions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, TypeAlias

from croupier.core.contract import WATCHER, Event, View
from croupier.core.words import Words, by_player, cards_in_suits, prompted
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

_CARD: Final = re.compile(r"([2-9TJQKA]|10)([DCHS♦♣♥♠])", re.IGNORECASE)
_VERB: Final = re.compile(r"^(play|pass)\s+", re.IGNORECASE)
_SIGNS: Final = str.maketrans("♦♣♥♠", "DCHS")


FACES: Final = {
    code: (code[0] + sign, colour)
    for suit, sign, colour in zip(SUITS, "♦♣♥♠", ("bright_blue", "green", "red", "default"), strict=True)
    for code in CARDS
    if code[1] == suit
}
"""Each card's text and colour in a terminal; every suit has its own colour."""


class GameWords(Words):
    faces = FACES

    # Events.

    def describe(self, event: Event, players: Players, /) -> str:
        return self._said(event, players, WATCHER)

    def _said(self, event: Event, players: Players, me: int) -> str:
        match event:
            case Dealt():
                return f"{players[event.seat]}: {_row(shown(event.hand))}"
            case TrickStarted():
                return self.texts.trick(players, event.leader, [])
            case Passed():
                return ""
            case DealEnded():
                return self.texts.said(event, players, me, scores=_scores(event.scores, players))
            case GameEnded() | MatchEnded():
                return self.texts.said(event, players, me, totals=_scores(event.totals, players))
        return self.texts.said(event, players, me)

    def tell(self, event: Event, view: View, players: Players, /) -> str:
        assert isinstance(view, HeartsView)
        match event:
            case Dealt() | Played() | TrickStarted():
                return ""
            case TrickTaken():
                return self.last(view, players)
            case GameStarted() | GameEnded() if view.options["match_games"] == 1:
                return ""
        return self._said(event, players, view.seat)

    # The table.

    def hand(self, view: View, /) -> list[list[tuple[str, bool]]]:
        assert isinstance(view, HeartsView)
        allowed = [CARDS[action % PASS] for action in view.legal if action < EXPOSE]
        return cards_in_suits([shown(view.hand & suit) for suit in reversed(SUIT)], allowed)

    def table(self, view: View, players: Players, /) -> list[str]:
        assert isinstance(view, HeartsView)
        if view.phase != PLAYING or view.leader < 0:
            return []
        order = [(view.leader + i) % SEATS for i in range(SEATS)]
        cards = [CARDS[view.table[seat]] for seat in order if view.table[seat] >= 0]
        broken = [self.texts("broken")] if view.broken else []
        trick = self.texts.trick(players, view.leader, cards, view.seat)
        return [
            ", ".join([self.texts("round", n=view.round), *broken]),
            self.texts("terminal.trick.now", cards=trick),
        ]

    def last(self, view: View, players: Players, /) -> str:
        assert isinstance(view, HeartsView)
        if not view.last:
            return self.texts("terminal.trick.none")
        taken = self.texts.told({"kind": "round_ended", "taker": view.last_taker}, players, view.seat)
        return f"{self.texts.trick(players, view.last_leader, names(view.last))}. {taken}"

    def scores(self, view: View, players: Players, /) -> list[list[str]]:
        assert isinstance(view, HeartsView)
        texts = self.texts
        under_way = view.phase in (PASSING, EXPOSING, PLAYING)
        games = view.games if view.options.get("match_games") != 1 else []
        head = [texts("terminal.player"), *(texts("sheet.deal", n=n + 1) for n in range(len(view.deals)))]
        head += [texts("dealScore")] if under_way else []
        head += [texts("sheet.total"), *(texts("sheet.game", n=n + 1) for n in range(len(games)))]
        rows = [[*head, texts("sheet.match")] if games else head]
        for seat, name in enumerate(players):
            scores = [deal.scores[seat] for deal in view.deals]
            scores += [view.scores[seat]] if under_way else []
            scores += [view.totals[seat], *(game[seat] for game in games)]
            scores += [sum(game[seat] for game in games)] if games else []
            rows.append([name, *map(str, _penalties(scores))])
        return rows

    # Questions and answers.

    def question(self, view: View, players: Players, /) -> str:
        assert isinstance(view, HeartsView)
        if view.phase == PASSING:
            return self.texts("pass.prompt", name=players[(view.seat + STEPS[view.direction]) % SEATS])
        if view.phase == EXPOSING:
            yes, no = self.texts("action.expose.AH"), self.texts("action.keep.AH")
            return prompted(self.texts("expose.prompt"), [f"y: {yes}", f"n: {no}"])
        return self.texts("play.lead" if view.leader == view.seat else "play.prompt")

    def read(self, view: View, text: str, /) -> tuple[int, ...]:
        assert isinstance(view, HeartsView)
        if view.phase == EXPOSING:
            answer = {"y": EXPOSE, "yes": EXPOSE, "ah": EXPOSE, "n": KEEP, "no": KEEP}.get(text.lower())
            if answer is None:
                raise self.texts.expected(text, self.texts("terminal.type.yes_no"))
            return (answer,)
        cards = self._cards(text)
        wanted = 3 - len(view.picked) if view.phase == PASSING else 1
        if len(cards) != wanted:
            raise self.texts.miscounted(len(cards), wanted)
        return tuple(PASS + card for card in cards) if view.phase == PASSING else (cards[0],)

    def _cards(self, text: str) -> list[int]:
        """Return the cards in *text*, with any separators."""
        text = _VERB.sub("", text)
        left = _CARD.sub("", text).strip(" ,;")
        if left:
            raise self.texts.expected(left.split()[0], self.texts("terminal.type.cards", example="QS 10H"))
        found = _CARD.findall(text)
        return [
            CODES[rank.upper().replace("10", "T") + suit.upper().translate(_SIGNS)] for rank, suit in found
        ]


def _penalties(scores: Sequence[int]) -> list[int]:
    """Return *scores* as people count them, as penalty points: the fewest win."""
    return [-score for score in scores]


def _row(cards: Sequence[str]) -> str:
    return " ".join(cards)


def _scores(scores: Sequence[int], players: Players) -> str:
    return by_player(players, _penalties(scores))
