"""Tarock in a terminal: events and questions in words, typed text as actions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, TypeAlias

from croupier.core.contract import WATCHER, Event, Plain, View
from croupier.core.words import Words, by_player, cards_in_suits, prompted, roman
from croupier.games.tarock.contracts import CONTRACTS
from croupier.games.tarock.events import (
    Announced,
    BiddingStarted,
    DealEnded,
    Dealt,
    ExchangeEnded,
    ExchangeStarted,
    KingCalled,
    LaidAway,
    MatchEnded,
    MatchStarted,
    Played,
    PlayStarted,
    SetTaken,
    Spoke,
    sets_of,
)
from croupier.games.tarock.scoring import DealResult, Line
from croupier.games.tarock.view import TarockView
from croupier.games.tarock.vocabulary import (
    ANNOUNCE,
    ANNOUNCING,
    BID,
    BIDDING,
    BONUSES,
    CALL,
    CALLING,
    CARDS,
    CODES,
    CONTRACT_NAMES,
    DEALING,
    DISCARD,
    DONE,
    EXCHANGING,
    ITEMS,
    KONTRA,
    OVER,
    PLAYING,
    SUIT,
    SUITS,
    TAKE,
    TRICKS,
    names,
    of_mask,
    shown,
)

Players: TypeAlias = Sequence[str]

_SIGNS: Final = {"C": ("♣", "green"), "S": ("♠", "cyan"), "H": ("♥", "red"), "D": ("♦", "red")}
FACES: Final = {
    code: (
        (code[1:] + _SIGNS[code[0]][0], _SIGNS[code[0]][1])
        if code[0] in _SIGNS
        else ("Škis" if code == "TS" else roman(int(code[1:])), "yellow")
    )
    for code in CARDS
}
"""Each card's text and colour in a terminal; tarocks have Roman numbers."""

_SPELT: Final = {
    **{face.upper(): code for code, (face, _) in FACES.items()},
    **{code[1:] + code[0]: code for code in CARDS if code[0] in _SIGNS},
    **{sign + code[1:]: code for code in CARDS for suit, (sign, _) in _SIGNS.items() if code[0] == suit},
    "IV": "T4",
    "T22": "TS",
    "SKIS": "TS",
}
"""Other ways to type a card, by what is typed."""


class GameWords(Words):
    faces = FACES

    # Events.

    def describe(self, event: Event, players: Players, /) -> str:
        return self._said(event, players, WATCHER)

    def _said(self, event: Event, players: Players, me: int) -> str:
        words: dict[str, object] = {}
        match event:
            case Dealt():
                return f"{players[event.seat]}: {_row(shown(event.hand))}"
            case LaidAway():
                return f"{players[event.seat]}: {CARDS[event.card]}"
            case PlayStarted():
                return self.texts.trick(players, event.leader, [])
            case BiddingStarted():
                return ""
            case DealEnded():
                scores = by_player(players, event.result.scores())
                outcome = self._account(event.result, players)
                return self.texts.said(event, players, me, outcome=outcome, scores=scores)
            case MatchStarted():
                words = {"deals": event.options["deals"]}
            case Spoke() if event.contract >= 0:
                words = {"bid": self._contract(event.contract)}
            case KingCalled():
                words = {"suit": f"{SUITS[event.suit]}K"}
            case ExchangeStarted():
                words = {"talon": _sets(event.sets())}
            case Announced():
                words = {"what": self._announcement(event)}
            case Played() if event.winner >= 0:
                played = self.texts.said(event, players, me)
                return f"{played} {self._taken(event.winner, event.gift, players, me)}"
            case MatchEnded():
                words = {"final": by_player(players, event.final)}
        return self.texts.said(event, players, me, **words)

    def _taken(self, winner: int, gift: int, players: Players, me: int) -> str:
        given = CARDS[gift] if gift >= 0 else None
        return self.texts.told({"kind": "trick_taken", "seat": winner, "gift": given}, players, me)

    def _announcement(self, event: Announced) -> str:
        bonuses = [self._item(bonus) for bonus in of_mask(BONUSES, event.bonuses)]
        kontras = [self.texts("kontraOn", item=self._item(item)) for item in of_mask(ITEMS, event.kontras)]
        return self.texts.all_of([*bonuses, *kontras]) or self.texts("nothing")

    def tell(self, event: Event, view: View, players: Players, /) -> str:
        assert isinstance(view, TarockView)
        match event:
            case Dealt() | PlayStarted() | LaidAway():
                return ""
            case Played():
                return self.last(view, players) if event.winner >= 0 else ""
            case Spoke() | KingCalled() | SetTaken() | ExchangeEnded() | Announced() if (
                event.seat == view.seat
            ):
                return ""
        return self._said(event, players, view.seat)

    # The account of a deal.

    def _account(self, result: DealResult, players: Players) -> str:
        """Return the outcome of a deal, and the lines that add up to its score."""
        klop = CONTRACTS[int(result.contract)].name == "klop"
        lines = [self._line(line, result, players) for line in result.lines()]
        if klop:
            points = by_player(players, result.points())
            lines.append(f"{self.texts('line.klop.points')}: {points}")
        elif result.doubled:
            lines.append(self.texts("line.radelc"))
        for seat, cost in enumerate(result.mond_penalties()):
            if cost:
                lines.append(f"{self.texts('line.mond', name=players[seat])}: {cost:+d}")
        outcome = self.texts("outcome.klop") if klop else self._outcome(result, players)
        return f"{outcome} {'; '.join(lines)}." if lines else outcome

    def _outcome(self, result: DealResult, players: Players) -> str:
        seats = [int(seat) for seat in (result.declarer, result.partner) if seat >= 0]
        key = "outcome.won" if result.won else "outcome.lost"
        points = result.points()
        return self.texts(
            f"{key}.points" if points else key,
            names=self.texts.all_of([players[seat] for seat in seats]),
            contract=self._contract(int(result.contract)),
            ours=points[0] if points else 0,
            theirs=points[1] if points else 0,
        )

    def _line(self, line: Line, result: DealResult, players: Players) -> str:
        texts = self.texts
        if line.item == 0:
            key = "line.won" if result.won else "line.lost"
            label = texts(key, contract=self._contract(int(result.contract)), value=line.value)
            if line.difference:
                label += texts("line.difference", n=line.difference, points=result.points()[0])
        else:
            label = self._item(ITEMS[line.item])
            if not line.announced:
                label += texts("line.silent")
            elif line.by >= 0:
                label += texts("line.announced", name=players[line.by])
            label += "" if line.made else texts("line.failed")
        if line.kontra > 1:
            label += texts("line.times", name=texts(f"kontra.{line.kontra}"), n=line.kontra)
        return f"{label}: {line.score:+d}"

    # The table.

    def hand(self, view: View, /) -> list[list[tuple[str, bool]]]:
        assert isinstance(view, TarockView)
        allowed = [CARDS[action] for action in view.legal if action < BID]
        allowed += [CARDS[action - DISCARD] for action in view.legal if DISCARD <= action < ANNOUNCE]
        return cards_in_suits([shown(view.hand & SUIT[suit])[::-1] for suit in (4, 0, 1, 2, 3)], allowed)

    def table(self, view: View, players: Players, /) -> list[str]:
        assert isinstance(view, TarockView)
        if view.phase == BIDDING:
            return [self._auction(view, players)]
        out: list[str] = []
        if view.contract >= 0 and view.phase not in (DEALING, OVER):
            contract = CONTRACT_NAMES[view.contract]
            facts: Plain = {"kind": "bidding_ended", "seat": view.declarer, "contract": contract}
            told = [self.texts.told(facts, players, view.seat)]
            if view.king >= 0:
                king: Plain = {"kind": "king_called", "seat": view.declarer}
                told.append(self.texts.told(king, players, view.seat, suit=f"{SUITS[view.king]}K"))
            out.append(" ".join(told))
        if view.phase == EXCHANGING:
            out.append(f"{self.texts('talon')}: {_sets(sets_of(view.talon, view.many))}")
        if view.phase == PLAYING and view.leader >= 0:
            if view.revealed:
                cards = _row(shown(view.revealed))
                shows: Plain = {"kind": "hand_shown", "seat": view.declarer, "cards": cards}
                out.append(self.texts.told(shows, players, view.seat))
            number = self.texts("trickOf", n=len(view.tricks) + 1, of=TRICKS)
            out.append(f"{number}: {self.texts.trick(players, view.leader, names(view.trick), view.seat)}")
        return out

    def _auction(self, view: TarockView, players: Players) -> str:
        standing = self.texts(f"contract.{'klop' if view.compulsory else 'three'}")
        said = [
            f"{players[seat]} {self._contract(bid) if bid >= 0 else self.texts('bid.passes')}"
            for seat, bid in view.bids
        ]
        return f"{self.texts('auction')}: {', '.join([f'{players[view.forehand()]} ({standing})', *said])}"

    def last(self, view: View, players: Players, /) -> str:
        assert isinstance(view, TarockView)
        if not view.tricks:
            return self.texts("terminal.trick.none")
        taken = view.tricks[-1]
        cards = self.texts.trick(players, taken.leader, names(taken.cards))
        return f"{cards}. {self._taken(int(taken.taker), int(taken.gift), players, view.seat)}"

    def scores(self, view: View, players: Players, /) -> list[list[str]]:
        assert isinstance(view, TarockView)
        texts = self.texts
        deals = [f"{n} {self._contract(int(result.contract))}" for n, result in enumerate(view.results, 1)]
        rows = [[texts("terminal.player"), *deals, texts("sheet.radelci"), texts("sheet.total")]]
        for seat, name in enumerate(players):
            row = [name, *(str(result.scores()[seat]) for result in view.results)]
            rows.append([*row, str(view.radelci[seat]), str(view.totals[seat])])
        return rows

    # Questions and answers.

    def question(self, view: View, players: Players, /) -> str:
        assert isinstance(view, TarockView)
        texts = self.texts
        if view.phase == BIDDING:
            may = [_typed(CONTRACT_NAMES[bid], self._contract(bid)) for bid in view.valid_bids()]
            passing = view.can_pass()
            raised = "bid.last" if any(bid >= 0 for _, bid in view.bids) else "bid.free"
            asked = texts("bid.prompt" if passing else raised)
            return prompted(asked, [*may, "pass"] if passing else may)
        if view.phase == CALLING:
            return prompted(texts("call.prompt"), SUITS)
        if view.phase == EXCHANGING:
            return self._exchange_question(view)
        if view.phase == ANNOUNCING:
            bonuses = of_mask(BONUSES, view.valid_bonuses())
            able = [_typed(bonus, self._item(bonus)) for bonus in bonuses]
            able += [
                f"kontra {_typed(item, self._item(item))}" for item in of_mask(ITEMS, view.valid_kontras())
            ]
            asked = texts("announce.prompt" if bonuses else "kontra.prompt")
            nothing = f"Enter: {texts('announce.none')}"
            return prompted(asked, [*able, nothing]) if able else nothing
        return texts("play.lead" if not view.trick and view.leader == view.seat else "play.prompt")

    def _exchange_question(self, view: TarockView) -> str:
        left = view.many - len(view.laid)
        discard = self.texts("discard.prompt", n=left)
        if view.picked < 0:
            sets = [str(number) for number in range(6 // view.many)]
            return f"{prompted(self.texts('talon.prompt'), sets)}. {discard}"
        return prompted(discard, [self.texts("terminal.type.like", example=_example(view, left))])

    def read(self, view: View, text: str, /) -> tuple[int, ...]:
        assert isinstance(view, TarockView)
        text = text.strip()
        if view.phase == BIDDING:
            return (self._bid(text),)
        if view.phase == CALLING:
            suit = re.sub(r"^(call\s+)?", "", text, flags=re.IGNORECASE)[:1].upper()
            if suit not in SUITS or not suit:
                raise self.texts.expected(text, self.texts.one_of([*SUITS]))
            return (CALL + SUITS.index(suit),)
        if view.phase == EXCHANGING:
            return self._exchange(view, text)
        if view.phase == ANNOUNCING:
            return self._announce(text)
        cards = self._cards(re.sub(r"^play\s+", "", text, flags=re.IGNORECASE))
        if len(cards) != 1:
            raise self.texts.miscounted(len(cards), 1)
        return (cards[0],)

    def _bid(self, text: str) -> int:
        word = _normal(re.sub(r"^bid\s+", "", text.lower()))
        if word in ("p", "pass"):
            return BID
        if word not in CONTRACT_NAMES:
            raise self.texts.expected(text, "pass, two, solo_three, beggar …")
        return BID + 1 + CONTRACT_NAMES.index(word)

    def _exchange(self, view: TarockView, text: str) -> tuple[int, ...]:
        found = re.match(r"^(?:take\s+|set\s+)?([0-5])(?=\s|,|$)", text, re.IGNORECASE)
        actions: list[int] = []
        if view.picked < 0:
            if found is None:
                number = self.texts("terminal.type.number", low=0, high=6 // view.many - 1)
                raise self.texts.expected(text, number)
            actions.append(TAKE + int(found[1]))
            text = text[found.end() :]
        cards = self._cards(re.sub(r"^\s*discard\s+", "", text, flags=re.IGNORECASE))
        left = view.many - len(view.laid)
        if len(cards) not in (0, left) or (view.picked >= 0 and not cards):
            raise self.texts.miscounted(len(cards), left)
        return (*actions, *(DISCARD + card for card in cards))

    def _announce(self, text: str) -> tuple[int, ...]:
        actions: set[int] = set()
        doubling = False
        for word in text.lower().replace(",", " ").split():
            word = "kings_ultimo" if word == "king_ultimo" else word
            if word in ("announce", "nothing", "none", "no", "done", "and"):
                continue
            if word == "kontra":
                doubling = True
            elif doubling and word in ITEMS:
                actions.add(KONTRA + ITEMS.index(word))
            elif word in BONUSES:
                actions.add(ANNOUNCE + BONUSES.index(word))
            else:
                raise self.texts.expected(word, ", ".join([*BONUSES, "kontra", "nothing"]))
        return (*sorted(actions), DONE)

    def _cards(self, text: str) -> list[int]:
        out: list[int] = []
        for word in text.replace(",", " ").split():
            code = _SPELT.get(word.upper(), word.upper())
            if code not in CODES:
                raise self.texts.expected(word, self.texts("terminal.type.cards", example="CK T5"))
            out.append(CODES[code])
        return out

    # Names.

    def _contract(self, number: int) -> str:
        return self.texts(f"contract.{CONTRACT_NAMES[number]}")

    def _item(self, item: str) -> str:
        return self.texts(f"item.{item}")


def _normal(text: str) -> str:
    """Return how a contract or a bonus is written in actions."""
    return text.lower().replace("-", "_").replace(" ", "_").replace("colour", "color")


def _typed(word: str, name: str) -> str:
    """Return what to type for a contract or a bonus, with its *name* if that is another word."""
    typed = word.replace("_", " ") if word in CONTRACT_NAMES else word
    return typed if _normal(name) in (word, "the_game", "king_ultimo") else f"{typed} ({name})"


def _example(view: TarockView, many: int) -> str:
    """Return cards that may be discarded, the last ones marked in the hand."""
    return _row([CARDS[action - DISCARD] for action in view.legal[-many:]])


def _row(cards: Sequence[str]) -> str:
    return " ".join(cards)


def _sets(sets: Sequence[Sequence[int]]) -> str:
    return ", ".join(f"{number}: {_row(names(cards))}" for number, cards in enumerate(sets))
