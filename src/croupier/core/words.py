"""A game in words, for people at a terminal and for programs that read text: the interface of `words`
modules.

The texts are made only from events and views, so they never contain what a seat may not know.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from importlib.resources import files
from typing import Any, Final, Protocol, cast

from croupier.core.contract import Event, Game, Plain, View

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


class Words(Protocol):
    """The content of a game's `words` module."""

    @property
    def FACES(self) -> Mapping[str, tuple[str, str]]:  # noqa: N802  # a constant of the module
        """Return how a terminal with colours shows each card: its face and its colour."""
        ...

    @property
    def HELP(self) -> str: ...  # noqa: N802

    @property
    def HELD(self) -> str:  # noqa: N802
        """Return the name of the things in front of a player: a hand, a pool."""
        ...

    @property
    def LAST(self) -> str:  # noqa: N802
        """Return the name of what can be shown again: the last trick, the round track."""
        ...

    def describe(self, event: Event, players: Sequence[str], /) -> str: ...
    def tell(self, event: Event, view: View, players: Sequence[str], /) -> str: ...
    def hand(self, view: View, /) -> list[list[tuple[str, bool]]]: ...
    def table(self, view: View, players: Sequence[str], /) -> list[str]: ...
    def last(self, view: View, players: Sequence[str], /) -> str: ...
    def scores(self, view: View, players: Sequence[str], /) -> list[list[str]]: ...
    def question(self, view: View, players: Sequence[str], /) -> str: ...
    def read(self, view: View, text: str, /) -> tuple[int, ...]: ...


class PlainWords:
    """The words of a game without its own: facts and actions as in the house protocol."""

    FACES: Mapping[str, tuple[str, str]] = {}
    HELD = "hand"
    LAST = "last"
    HELP = "Type one of the listed actions, or several that belong together, separated by commas."

    def __init__(self, game: Game) -> None:
        self._actions = game.actions

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
        return [["player", *facts], *([name, *(c[at] for c in columns)] for at, name in enumerate(players))]

    def question(self, view: View, players: Sequence[str], /) -> str:
        return ", ".join(self._actions.name(action) for action in view.legal)

    def read(self, view: View, text: str, /) -> tuple[int, ...]:
        return tuple(self._actions.parse(" ".join(word.split())) for word in text.split(","))


class TextWords(PlainWords):
    """The words of a game that brings texts: its events by ``log.KIND``, its questions by ``ask.VERB``.

    The table is drawn from the facts of the view by their roles (`Game.page`), like the page in the browser.
    """

    HELP = "Type a card (QS), a number, or one of the listed actions."
    LAST = "last trick"

    def __init__(self, game: Game, texts: Mapping[str, str]) -> None:
        super().__init__(game)
        self._game = game
        self._texts = texts

    def _fact(self, view: View, role: str) -> Any:
        return view.facts().get(self._game.page.get(role, role))

    def _said(self, event: Event, players: Sequence[str], me: int) -> str:
        facts, sides = event.plain(), self._sides(players)
        scores = {
            field: by_player(sides, cast(list[int], value))
            for field, value in facts.items()
            if _is_score(value, len(sides))
        }
        return said(self._texts, facts, players, me, scores)

    def _sides(self, players: Sequence[str]) -> list[str]:
        return [" and ".join(players[seat] for seat in side) for side in self._game.sides(len(players))]

    def describe(self, event: Event, players: Sequence[str], /) -> str:
        return self._said(event, players, -1)

    def tell(self, event: Event, view: View, players: Sequence[str], /) -> str:
        return self._said(event, players, view.seat)

    def hand(self, view: View, /) -> list[list[tuple[str, bool]]]:
        cards: list[str] = self._fact(view, "hand") or []
        legal = {self._actions.name(action).rpartition(" ")[2] for action in view.legal}
        suits = sorted({card[-1] for card in cards})
        return cards_in_suits([[card for card in cards if card[-1] == suit] for suit in suits], legal)

    def table(self, view: View, players: Sequence[str], /) -> list[str]:
        lines = []
        for role in ("bids", "taken"):
            found = self._fact(view, role)
            if isinstance(found, list) and any(value is not None for value in found):
                shown = ["–" if value is None else value for value in found]
                lines.append(f"{self._texts.get(role, role.capitalize())}: {by_player(players, shown)}")
        leader, table = self._fact(view, "leader"), self._fact(view, "table")
        if isinstance(leader, int) and isinstance(table, list):
            order = [(leader + step) % len(players) for step in range(len(players))]
            lines.append(f"Trick: {trick(players, leader, [table[s] for s in order if table[s]])}")
        marks = [f"mark.{name}" for name, value in view.facts().items() if value is True]
        return [*lines, *(self._texts[mark] for mark in marks if mark in self._texts)]

    def last(self, view: View, players: Sequence[str], /) -> str:
        cards, leader = self._fact(view, "last"), self._fact(view, "last_leader")
        return trick(players, leader, cards) if cards and isinstance(leader, int) else NO_TRICK

    def scores(self, view: View, players: Sequence[str], /) -> list[list[str]]:
        totals = self._fact(view, "totals")
        sides = self._sides(players)
        if not isinstance(totals, list) or len(totals) != len(sides):
            return PlainWords.scores(self, view, players)
        return [["player", "points"], *([side, str(n)] for side, n in zip(sides, totals, strict=True))]

    def question(self, view: View, players: Sequence[str], /) -> str:
        names = [self._actions.name(action) for action in view.legal]
        asked = self._texts.get(f"ask.{names[0].partition(' ')[0]}", "Your turn")
        colon = "" if asked.endswith("?") else ":"
        return f"{asked}{colon} {', '.join(name.partition(' ')[2] or name for name in names)}"

    def read(self, view: View, text: str, /) -> tuple[int, ...]:
        word = "".join(text.split()).upper()
        verbs = {self._actions.name(action).partition(" ")[0] for action in view.legal}
        for action, name in enumerate(self._actions.names):
            verb, _, thing = name.partition(" ")
            if verb in verbs and thing.upper() == word:
                return (action,)
        return PlainWords.read(self, view, text)


class Texts:
    """The English texts of a game that has a `words` module; its page shows the same texts."""

    def __init__(self, package: str) -> None:
        self._package = package

    @cached_property
    def _found(self) -> dict[str, str]:
        file = files(self._package) / "texts" / "en.json"
        found: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
        return found

    def __call__(self, key: str, **values: object) -> str:
        """Return the text *key* with *values* filled in."""
        return filled(self._found[key], values)

    def said(self, event: Event, players: Sequence[str], me: int, **words: object) -> str:
        """Return *event* for the seat *me*, with some of its fields in *words*; "" if it has no text."""
        return self.told(event.plain(), players, me, **words)

    def told(self, facts: Plain, players: Sequence[str], me: int, **words: object) -> str:
        """Return an event, given as its *facts*, as `said` does."""
        return said(self._found, facts, players, me, words)


def said(
    texts: Mapping[str, str], facts: Plain, players: Sequence[str], me: int, words: Mapping[str, object]
) -> str:
    """Return an event in the words of *texts*, by the rule of CONTRIBUTING.md; "" if it has no text."""
    key, subject = _key(texts, facts)
    mine = subject is not None and facts[subject] == me
    text = texts.get(f"{key}.you" if mine else key) or texts.get(key, "")
    if not text:
        return ""
    spelt = {field: _spelt(texts, field, value, players) for field, value in facts.items()}
    return filled(text, {**spelt, **words})


def _spelt(texts: Mapping[str, str], field: str, value: object, players: Sequence[str]) -> object:
    """Return a field of an event in words."""
    if _is_seat(field, value):
        return players[cast(int, value)]
    if isinstance(value, list):
        return " ".join(str(item) for item in value)
    return texts.get(f"{field}.{value}", value)


def _key(texts: Mapping[str, str], facts: Plain) -> tuple[str, str | None]:
    """Return the key of the text for an event, and the field that names its subject."""
    base = f"log.{facts['kind']}"
    subject = next((field for field, value in facts.items() if _is_seat(field, value)), None)
    for field, value in facts.items():
        exact, key = f"{base}.{field}.{value}", f"{base}.{field}"
        if exact in texts:
            return exact, subject
        unset = value is None or value is False or value in ("", [])
        if not unset and (key in texts or f"{key}.you" in texts):
            return key, field if _is_seat(field, value) else subject
    return base, subject


def _is_seat(field: str, value: object) -> bool:
    return field in SEAT_FIELDS and type(value) is int


def filled(text: str, values: Mapping[str, object]) -> str:
    """Return *text* with ``{name}`` replaced by a value, and ``{name|one|many}`` by the form for it."""

    def replace(found: re.Match[str]) -> str:
        value = values.get(found[1], found[0])
        forms = found[2].split("|") if found[2] is not None else None
        return str(value) if forms is None else forms[0 if value == 1 else -1]

    return re.sub(r"\{(\w+)(?:\|([^{}]*))?\}", replace, text)


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


def how_many_cards(number: int) -> str:
    """Return ``1 card``, ``2 cards`` and so on."""
    return "1 card" if number == 1 else f"{number} cards"


def by_player(players: Sequence[str], values: Sequence[object]) -> str:
    """Return each player's name with their value, separated by commas."""
    return ", ".join(f"{name} {value}" for name, value in zip(players, values, strict=True))


def trick(players: Sequence[str], leader: int, cards: Sequence[str]) -> str:
    """Return the cards of a trick, each with its player, beginning with *leader*'s."""
    if not cards:
        return f"{players[leader]} to lead"
    return ", ".join(f"{players[(leader + at) % len(players)]} {card}" for at, card in enumerate(cards))


NO_TRICK = "No trick has been taken in this deal"

_ONES = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")


def _pairs(facts: Plain) -> list[str]:
    return [f"{name}={_value(value)}" for name, value in facts.items()]


def _value(value: object) -> str:
    if isinstance(value, list):
        return "[" + " ".join(_value(item) for item in value) + "]"
    return "-" if value is None else str(value)


def _is_score(value: object, seats: int) -> bool:
    return isinstance(value, list) and len(value) == seats and all(type(item) is int for item in value)
