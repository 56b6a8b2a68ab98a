"""A game in words, for people at a terminal and for programs that read text: the interface of `words`
modules, and the texts that they use.

The texts are made only from events and views, so they never contain what a seat may not know.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final, cast

from croupier.core.contract import WATCHER, Event, Game, Plain, RulesError, View

SEAT_FIELDS: Final = (
    "seat",
    "taker",
    "dealer",
    "first",
    "leader",
    "start",
    "giver",
    "moon",
    "winner",
    "povinnost",
    "offered_by",
)
"""Fields of an event that are seats. If the first of them is the reader's seat, the texts address the reader
as "you".
"""
LABELLED: Final = ("dealer", "first")
"""Those of them that stand alone after a label ("Dealer: …"): the reader is called "You"."""


class Texts:
    """The texts of a game and of the house in one language: the same that the pages show."""

    def __init__(self, texts: Mapping[str, str], language: str = "en") -> None:
        self._texts = texts
        self.language = language

    def __contains__(self, key: str) -> bool:
        return key in self._texts

    def __call__(self, key: str, **values: object) -> str:
        """Return the text *key* with *values* filled in."""
        return self._filled(self._texts[key], values)

    def name(self, key: str, otherwise: str) -> str:
        """Return the text *key*, or *otherwise* if there is none."""
        return self._texts.get(key, otherwise)

    def all_of(self, items: Sequence[str]) -> str:
        """Return *items* as a list: ``a, b and c``."""
        return _listed(items, self._texts["terminal.and"])

    def one_of(self, items: Sequence[str]) -> str:
        """Return *items* as a choice: ``a, b or c``."""
        return _listed(items, self._texts["terminal.or"])

    def trick(self, players: Sequence[str], leader: int, cards: Sequence[str], me: int = WATCHER) -> str:
        """Return the cards of a trick for the seat *me*, each with its player, beginning with *leader*'s."""
        if not cards:
            return self(f"terminal.trick.leads{'.you' if leader == me else ''}", name=players[leader])
        return ", ".join(f"{players[(leader + at) % len(players)]} {card}" for at, card in enumerate(cards))

    def expected(self, text: str, what: str) -> RulesError:
        """Return why the typed *text* cannot be understood."""
        return RulesError(self("terminal.type.expected", text=text, what=what))

    def miscounted(self, cards: int, expected: int) -> RulesError:
        """Return why *cards* are too many or too few."""
        return RulesError(self("terminal.type.count", n=cards, of=expected))

    def refusal(self, key: str, words: str, about: Mapping[str, object]) -> str:
        """Return why something is refused; in *words*, those of the server, if there is no text for it.

        *about* may have the whole reason (core/refusal.py) and its arguments.
        """
        text = self._texts.get(f"refusal.{about.get('reason', key)}") or self._texts.get(f"refusal.{key}")
        if text is None:
            return words
        given = cast("Mapping[str, object]", about.get("arguments", {}))  # as core/refusal.py types it
        values = {name: self.name(f"{name}.{value}", str(value)) for name, value in given.items()}
        told = self._filled(text, {**values, "words": words})
        thing = str(about.get("action", "")).partition(" ")[2]
        return f"{thing}: {told}" if thing else told

    def said(self, event: Event, players: Sequence[str], me: int, **words: object) -> str:
        """Return *event* for the seat *me*, with some of its fields in *words*; "" if it has no text."""
        return self.told(event.plain(), players, me, **words)

    def told(self, facts: Plain, players: Sequence[str], me: int, **words: object) -> str:
        """Return an event, given as its *facts*, by the rule of CONTRIBUTING.md; "" if it has no text."""
        key, subject = self._key(facts)
        mine = subject is not None and facts[subject] == me
        text = self._texts.get(f"{key}.you" if mine else key) or self._texts.get(key, "")
        if not text:
            return ""
        spelt = {field: self._spelt(field, value, players, me) for field, value in facts.items()}
        return self._filled(text, {**spelt, **words})

    def _key(self, facts: Plain) -> tuple[str, str | None]:
        """Return the key of the text for an event, and the field that names its subject."""
        base = f"log.{facts['kind']}"
        subject = next((field for field, value in facts.items() if _is_seat(field, value)), None)
        for field, value in facts.items():
            exact, key = f"{base}.{field}.{value}", f"{base}.{field}"
            if exact in self._texts:
                return exact, subject
            unset = value is None or value is False or value in ("", [])
            if not unset and (key in self._texts or f"{key}.you" in self._texts):
                return key, field if _is_seat(field, value) else subject
        return base, subject

    def _spelt(self, field: str, value: object, players: Sequence[str], me: int) -> object:
        """Return a field of an event in words."""
        if field in LABELLED and value == me and "sheet.you" in self._texts:
            return self._texts["sheet.you"]
        if _is_seat(field, value):
            return players[cast(int, value)]
        if isinstance(value, list):
            return " ".join(str(item) for item in value)
        return self._texts.get(f"{field}.{value}", value)

    def _filled(self, text: str, values: Mapping[str, object]) -> str:
        """Return *text* with ``{name}`` replaced by a value, and ``{name|one|many}`` by the form for it."""

        def replace(found: re.Match[str]) -> str:
            value = values.get(found[1], found[0])
            if found[2] is None:
                return str(value)
            forms = found[2].split("|")
            number = value if isinstance(value, int) else len(forms)
            return forms[min(_form(self.language, abs(number)), len(forms) - 1)]

        return re.sub(r"\{(\w+)(?:\|([^{}]*))?\}", replace, text)


def _form(language: str, number: int) -> int:
    """Return which of the forms of a counted word is used for *number*, counted from 0."""
    match language:
        case "fr":
            return int(number > 1)
        case "sl":
            return {1: 0, 2: 1, 3: 2, 4: 2}.get(number % 100, 3)
        case "cs":
            return 0 if number == 1 else 1 if 2 <= number <= 4 else 2
    return int(number != 1)


class Words(ABC):
    """A game in the words of one language. The `words` module of a game has a subclass called `GameWords`."""

    faces: Mapping[str, tuple[str, str]] = {}
    """How a terminal with colours shows each card: its face and its colour."""

    def __init__(self, game: Game, texts: Texts) -> None:
        self.game = game
        self.texts = texts

    @property
    def help(self) -> str:
        """Return what to type, and the rules in a few lines."""
        return self.texts("terminal.help")

    @property
    def held(self) -> str:
        """Return the name of the things in front of a player: a hand, a pool."""
        return self.texts("terminal.hand")

    @property
    def recent(self) -> str:
        """Return the name of what `last` shows: the last trick, the round track."""
        return self.texts("trick.last")

    @abstractmethod
    def describe(self, event: Event, players: Sequence[str], /) -> str:
        """Return *event* in words; "" if a later event says the same."""

    @abstractmethod
    def tell(self, event: Event, view: View, players: Sequence[str], /) -> str:
        """Return *event* in words for a player: not what they did themselves, nor what the table shows."""

    @abstractmethod
    def hand(self, view: View, /) -> list[list[tuple[str, bool]]]:
        """Return the cards of the view's seat, in rows, each with whether it may be chosen now."""

    @abstractmethod
    def table(self, view: View, players: Sequence[str], /) -> list[str]:
        """Return what everyone sees of the deal."""

    @abstractmethod
    def last(self, view: View, players: Sequence[str], /) -> str:
        """Return the last trick or similar."""

    @abstractmethod
    def scores(self, view: View, players: Sequence[str], /) -> list[list[str]]:
        """Return the scores as a table, its head first: one row per player with the total at the end.

        If the first cell is empty, there is one column per side, and the total is the last row.
        """

    @abstractmethod
    def question(self, view: View, players: Sequence[str], /) -> str:
        """Return what the view's seat is to decide, and what may be typed."""

    @abstractmethod
    def read(self, view: View, text: str, /) -> tuple[int, ...]:
        """Return the actions that *text* stands for; RulesError if it stands for none."""


class PlainWords(Words):
    """The words of a game without texts: facts and actions as in the house protocol."""

    @property
    def help(self) -> str:
        return self.texts("terminal.type.actions")

    def describe(self, event: Event, players: Sequence[str], /) -> str:
        facts = event.plain()
        return " ".join([str(facts["kind"]), *_pairs({k: v for k, v in facts.items() if k != "kind"})])

    def tell(self, event: Event, view: View, players: Sequence[str], /) -> str:
        return self.describe(event, players)

    def hand(self, view: View, /) -> list[list[tuple[str, bool]]]:
        return []

    def table(self, view: View, players: Sequence[str], /) -> list[str]:
        return _pairs(view.facts())

    def last(self, view: View, players: Sequence[str], /) -> str:
        return ""

    def scores(self, view: View, players: Sequence[str], /) -> list[list[str]]:
        """Return every fact that has one number per seat."""
        facts = {name: value for name, value in view.facts().items() if _is_score(value, len(players))}
        columns = [[str(number) for number in cast(list[int], value)] for value in facts.values()]
        head = [self.texts("terminal.player"), *facts]
        return [head, *([name, *(c[at] for c in columns)] for at, name in enumerate(players))]

    def question(self, view: View, players: Sequence[str], /) -> str:
        return ", ".join(self.game.actions.name(action) for action in view.legal)

    def read(self, view: View, text: str, /) -> tuple[int, ...]:
        return tuple(self.game.actions.parse(" ".join(word.split())) for word in text.split(","))


class TextWords(PlainWords):
    """The words of a game that brings texts: its events by ``log.KIND``, its questions by ``ask.VERB``.

    The table is drawn from the facts of the view by their roles (`Game.page`), like the page in the browser.
    """

    @property
    def help(self) -> str:
        return self.texts("terminal.type.card_or_action")

    def _fact(self, view: View, role: str) -> Any:
        return view.facts().get(self.game.page.get(role, role))

    def _said(self, event: Event, players: Sequence[str], me: int) -> str:
        facts, sides = event.plain(), self._sides(players)
        scores = {
            field: by_player(sides, cast(list[int], value))
            for field, value in facts.items()
            if _is_score(value, len(sides))
        }
        return self.texts.told(facts, players, me, **scores)

    def _sides(self, players: Sequence[str]) -> list[str]:
        sides = self.game.sides(len(players))
        return [self.texts.all_of([players[seat] for seat in side]) for side in sides]

    def describe(self, event: Event, players: Sequence[str], /) -> str:
        return self._said(event, players, -1)

    def tell(self, event: Event, view: View, players: Sequence[str], /) -> str:
        return self._said(event, players, view.seat)

    def hand(self, view: View, /) -> list[list[tuple[str, bool]]]:
        cards: list[str] = self._fact(view, "hand") or []
        legal = {self.game.actions.name(action).rpartition(" ")[2] for action in view.legal}
        suits = sorted({card[-1] for card in cards})
        return cards_in_suits([[card for card in cards if card[-1] == suit] for suit in suits], legal)

    def table(self, view: View, players: Sequence[str], /) -> list[str]:
        lines = []
        for role in ("bids", "taken"):
            found = self._fact(view, role)
            if isinstance(found, list) and any(value is not None for value in found):
                shown = ["–" if value is None else value for value in found]
                lines.append(f"{self.texts.name(role, role.capitalize())}: {by_player(players, shown)}")
        leader, table = self._fact(view, "leader"), self._fact(view, "table")
        if isinstance(leader, int) and isinstance(table, list):
            order = [(leader + step) % len(players) for step in range(len(players))]
            cards = self.texts.trick(players, leader, [table[s] for s in order if table[s]], view.seat)
            lines.append(self.texts("terminal.trick.now", cards=cards))
        marks = [f"mark.{name}" for name, value in view.facts().items() if value is True]
        return [*lines, *(self.texts(mark) for mark in marks if mark in self.texts)]

    def last(self, view: View, players: Sequence[str], /) -> str:
        cards, leader = self._fact(view, "last"), self._fact(view, "last_leader")
        if not cards or not isinstance(leader, int):
            return self.texts("terminal.trick.none")
        return self.texts.trick(players, leader, cards)

    def scores(self, view: View, players: Sequence[str], /) -> list[list[str]]:
        totals = self._fact(view, "totals")
        sides = self._sides(players)
        if not isinstance(totals, list) or len(totals) != len(sides):
            return PlainWords.scores(self, view, players)
        head = [self.texts("terminal.player"), self.texts("sheet.total")]
        return [head, *([side, str(n)] for side, n in zip(sides, totals, strict=True))]

    def question(self, view: View, players: Sequence[str], /) -> str:
        names = [self.game.actions.name(action) for action in view.legal]
        verb = names[0].partition(" ")[0]
        asked = self.texts.name(f"ask.{verb}", self.texts("generic.turn"))
        return prompted(asked, [name.partition(" ")[2] or name for name in names])

    def read(self, view: View, text: str, /) -> tuple[int, ...]:
        word = "".join(text.split()).upper()
        verbs = {self.game.actions.name(action).partition(" ")[0] for action in view.legal}
        for action, name in enumerate(self.game.actions.names):
            verb, _, thing = name.partition(" ")
            if verb in verbs and thing.upper() == word:
                return (action,)
        return PlainWords.read(self, view, text)


def answer(words: Words, view: View, text: str) -> tuple[int, ...]:
    """Return the actions for *text*; an empty text means the only legal action."""
    if not text and len(view.legal) == 1:
        return (view.legal[0],)
    return words.read(view, text)


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return *rows* as aligned lines: the first column is text, the others are numbers."""
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return [
        "  ".join(
            [row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True))]
        ).rstrip()
        for row in rows
    ]


def roman(number: int) -> str:
    """Return *number*, 1 to 39, as printed on a trump card: four is IIII, but fourteen is XIV."""
    return "X" * (number // 10) + ("IIII" if number == 4 else _ONES[number % 10])


def cards_in_suits(suits: Iterable[Sequence[str]], allowed: Collection[str]) -> list[list[tuple[str, bool]]]:
    """Return a row for each suit that is not empty: its cards, each with True if it is *allowed*."""
    return [[(code, code in allowed) for code in cards] for cards in suits if cards]


def by_player(players: Sequence[str], values: Sequence[object]) -> str:
    """Return each player's name with their value, separated by commas."""
    return ", ".join(f"{name} {value}" for name, value in zip(players, values, strict=True))


def sentence(text: str) -> str:
    """Return *text* with a capital letter."""
    return text[:1].upper() + text[1:]


def prompted(question: str, typed: Iterable[str]) -> str:
    """Return *question* with what may be *typed* as an answer."""
    return f"{question} [{', '.join(typed)}]"


_ONES = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")


def _listed(items: Sequence[str], last: str) -> str:
    """Return *items* with commas, and the word *last* before the last one."""
    return f" {last} ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def _is_seat(field: str, value: object) -> bool:
    return field in SEAT_FIELDS and type(value) is int


def _pairs(facts: Plain) -> list[str]:
    return [f"{name}={_value(value)}" for name, value in facts.items()]


def _value(value: object) -> str:
    if isinstance(value, list):
        return "[" + " ".join(_value(item) for item in value) + "]"
    return "-" if value is None else str(value)


def _is_score(value: object, seats: int) -> bool:
    return isinstance(value, list) and len(value) == seats and all(type(item) is int for item in value)
