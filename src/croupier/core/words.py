"""A game in words, for people at a terminal and for programs that read text: the interface of `words`
modules.

The texts are made only from events and views, so they never contain what a seat may not know.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Protocol, cast

from croupier.core.contract import Event, Game, Plain, View


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
    """Return a row for each suit that is not empty: its cards, each with whether it is *allowed*."""
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
