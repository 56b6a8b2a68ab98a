"""Coinche in a terminal: events and questions in words, typed text as actions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, TypeAlias

from croupier.core.contract import WATCHER, Event, Plain, View
from croupier.core.words import Words, by_player, cards_in_suits, prompted, sentence
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
from croupier.games.coinche.explain import needed, stakes
from croupier.games.coinche.view import CoincheView, DealResult
from croupier.games.coinche.vocabulary import (
    ACTIONS,
    BIDDING,
    CARDS,
    CODES,
    COINCHE,
    CONTRACT,
    DENOMINATIONS,
    HAND,
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
    shown,
)

Players: TypeAlias = Sequence[str]

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


FACES: Final = {
    code: (code[:-1] + sign, colour)
    for suit, sign, colour in zip("HDCS", "♥♦♣♠", ("red", "red", "green", "cyan"), strict=True)
    for code in CARDS
    if code[-1] == suit
}
"""Each card's text and colour in a terminal."""


class GameWords(Words):
    faces = FACES

    # Events.

    def describe(self, event: Event, players: Players, /) -> str:
        return self._said(event, players, WATCHER)

    def _said(self, event: Event, players: Players, me: int) -> str:
        words: dict[str, object] = {}
        match event:
            case Dealt():
                return f"{players[event.seat]}: {' '.join(shown(event.hand))}"
            case TrickStarted():
                return self.texts.trick(players, event.leader, [])
            case MatchStarted():
                a, b = self._teams(players)
                words = {"target": event.options["target"], "a": a, "b": b}
            case Called():
                words = {"call": self._call(event.action)}
            case AuctionEnded():
                contract = self._contract(event.level, event.denomination)
                words = {"contract": contract, "bidder": self._teams(players)[event.bidder % 2]}
            case DealEnded():
                words = {"scores": by_player(self._teams(players), event.scores)}
            case MatchEnded():
                teams = self._teams(players)
                words = {"winner": teams[event.winner], "totals": by_player(teams, event.totals)}
        return self.texts.said(event, players, me, **words)

    def tell(self, event: Event, view: View, players: Players, /) -> str:
        assert isinstance(view, CoincheView)
        match event:
            case Dealt() | Played() | TrickStarted():
                return ""
            case Called() if event.seat == view.seat:
                return ""
            case TrickTaken():
                return self.last(view, players)
        return self._said(event, players, view.seat)

    # The table.

    def hand(self, view: View, /) -> list[list[tuple[str, bool]]]:
        assert isinstance(view, CoincheView)
        allowed = [CARDS[action - PLAY] for action in view.legal if action >= PLAY]
        return cards_in_suits([shown(view.hand & suit) for suit in SUIT], allowed)

    def table(self, view: View, players: Players, /) -> list[str]:
        assert isinstance(view, CoincheView)
        if view.phase == BIDDING:
            said = [f"{players[seat]}: {self._call(action)}" for seat, action in view.calls]
            return [f"{self.texts('auction')}: {', '.join(said) or f'{players[view.first()]} …'}"]
        if view.phase != PLAYING or view.leader < 0:
            return []
        order = [(view.leader + i) % SEATS for i in range(SEATS)]
        cards = [CARDS[view.table[seat]] for seat in order if view.table[seat] >= 0]
        trick = self.texts.trick(players, view.leader, cards, view.seat)
        return [
            f"{self.texts('trick', n=view.trick)}: {self._standing(view, players)}",
            self.texts("terminal.trick.now", cards=trick),
        ]

    def last(self, view: View, players: Players, /) -> str:
        assert isinstance(view, CoincheView)
        if not view.tricks:
            return self.texts("terminal.trick.none")
        taken = view.tricks[-1]
        cards = self.texts.trick(players, taken.leader, [CARDS[card] for card in taken.cards])
        facts: Plain = {"kind": "trick_taken", "taker": taken.taker, "points": taken.points}
        return f"{cards}. {self.texts.told(facts, players, view.seat)}"

    def scores(self, view: View, players: Players, /) -> list[list[str]]:
        """Return one row per deal, one column per team."""
        assert isinstance(view, CoincheView)
        rows = [["", *self._teams(players)]]
        for number, deal in enumerate(view.deals, 1):
            label = f"{self.texts('sheet.deal', n=number)}: {self._outcome(deal, view, players)}"
            rows.append([label, *(str(score) for score in deal.scores)])
        total = self.texts("total", target=view.options.get("target", ""))
        return [*rows, [total, *(str(total) for total in view.totals)]]

    def _outcome(self, deal: DealResult, view: CoincheView, players: Players) -> str:
        if deal.level < 0:
            return self.texts("note.out")
        contract = self._by(deal.level, deal.denomination, players[deal.bidder], deal.doubled)
        return self.texts("note", contract=contract, outcome=self._reached(deal, view))

    def _reached(self, deal: DealResult, view: CoincheView) -> str:
        """Return whether the contract was made, and by how much."""
        rules = CoincheRules(view.options)
        points = needed(deal.level, rules)
        if points is None:
            tricks = deal.tricks[deal.bidder % 2]
            failed = "failed.alone" if tricks == HAND else "failed.tricks"
            return self.texts("made.tricks" if deal.made else failed, n=tricks)
        reached = deal.reached(rules)
        key = "made" if deal.made else "failed" if reached < points else "failed.beaten"
        return self.texts(key, reached=reached, needed=points)

    # Questions and answers.

    def question(self, view: View, players: Players, /) -> str:
        assert isinstance(view, CoincheView)
        if view.phase != BIDDING:
            return self.texts("play.lead" if view.leader == view.seat else "play.prompt")
        what = ["p"]
        if COINCHE in view.legal:
            what.append(f"c ({self._stake(view, 1)})")
        if SURCOINCHE in view.legal:
            what.append(f"sc ({self._stake(view, 2)})")
        bids = [action - CONTRACT for action in view.legal if action >= CONTRACT]
        if bids:
            what.append(f"{LEVELS[bids[0] // KINDS]} H")
        return prompted(sentence(self._prompt(view, players, bool(bids))), what)

    def _prompt(self, view: CoincheView, players: Players, open_: bool) -> str:
        if view.level < 0:
            return self.texts("bid.open")
        if SURCOINCHE in view.legal:
            key = "bid.answer"
        elif COINCHE in view.legal:
            key = "bid.over" if open_ else "bid.close"
        elif not open_:
            key = "bid.pass"
        else:
            key = "bid.own" if view.bidder == view.seat else "bid.partner"
        contract = self._contract(view.level, view.denomination)
        return self.texts(key, contract=contract, name=players[view.bidder])

    def _stake(self, view: CoincheView, doubled: int) -> str:
        """Return what is at stake after a coinche (1) or a surcoinche (2)."""
        stake = stakes(view.level, CoincheRules(view.options))[doubled]
        key = "terminal.stake.same" if stake.made == stake.failed else "terminal.stake"
        return self.texts(key, factor=stake.factor, made=stake.made, failed=stake.failed)

    def read(self, view: View, text: str, /) -> tuple[int, ...]:
        assert isinstance(view, CoincheView)
        text = text.strip()
        call = _CALLS.get(text.lower())
        if call is not None:
            return (call,)
        text = _VERB.sub("", text)
        found = _BID.fullmatch(text)
        if found and view.phase == BIDDING:
            return (self._bid(found[1].lower(), found[2].upper()),)
        card = _CARD.fullmatch(text)
        if card:
            rank = card[1].upper().replace("T", "10")
            return (PLAY + CODES[rank + _SIGNS.get(card[2], card[2].upper())],)
        if view.phase == BIDDING:
            raise self.texts.expected(text, "90 S, p, c, sc")
        raise self.texts.expected(text, self.texts("terminal.type.card", example="JH"))

    def _bid(self, level: str, denomination: str) -> int:
        level = level.replace("é", "e")
        if level not in LEVELS:
            raise self.texts.expected(level, self.texts.one_of(LEVELS))
        kind = _SIGNS.get(denomination, denomination)
        for number, name in enumerate(DENOMINATIONS):
            if kind == name.upper() or (number < len(SUITS) and name.upper().startswith(kind)):
                return CONTRACT + KINDS * LEVELS.index(level) + number
        raise self.texts.expected(denomination, self.texts.one_of(DENOMINATIONS))

    # Names.

    def _call(self, action: int) -> str:
        if action >= CONTRACT:
            contract = action - CONTRACT
            return self._contract(contract // KINDS, contract % KINDS)
        return self.texts(f"call.{ACTIONS.name(action)}")

    def _contract(self, level: int, denomination: int) -> str:
        points = self.texts.name(f"level.{LEVELS[level]}", LEVELS[level])
        return self.texts("contract", level=points, kind=self.texts(f"kind.{DENOMINATIONS[denomination]}"))

    def _by(self, level: int, denomination: int, bidder: str, doubled: int) -> str:
        """Return a contract with its bidder, and whether it was doubled."""
        return self.texts(f"by.{doubled}", contract=self._contract(level, denomination), name=bidder)

    def _standing(self, view: CoincheView, players: Players) -> str:
        return self._by(view.level, view.denomination, players[view.bidder], view.doubled)

    def _teams(self, players: Players) -> list[str]:
        return [self.texts.all_of([players[team], players[team + 2]]) for team in (0, 1)]
