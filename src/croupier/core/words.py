"""A game in words, for people at a terminal and for programs that read: what every `words` module has.

What is said is made of events and views alone, so nobody reads what his seat may not know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, cast

from croupier.core.contract import Event, Game, Plain, View


class Words(Protocol):
    """What a game's `words` module has."""

    @property
    def CASUAL(self) -> Mapping[str, object]:  # noqa: N802  # a constant of the module
        """Return the options that suit one person who plays alone."""
        ...

    @property
    def PATIENT(self) -> Mapping[str, object]:  # noqa: N802
        """Return the table options that leave time to whoever thinks in words: ten minutes a decision."""
        ...

    @property
    def FACES(self) -> Mapping[str, tuple[str, str]]:  # noqa: N802
        """Return how a terminal with colours shows each card: its face and its colour."""
        ...

    @property
    def HELP(self) -> str: ...  # noqa: N802

    @property
    def HELD(self) -> str:  # noqa: N802
        """Return what lies before a player: a hand, a pool."""
        ...

    @property
    def LAST(self) -> str:  # noqa: N802
        """Return what one may want to look at again: the last trick, the round track."""
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
    """Words for a game that has none of its own: facts and actions as the house protocol spells them."""

    CASUAL: Mapping[str, object] = {}
    PATIENT: Mapping[str, object] = {}
    FACES: Mapping[str, tuple[str, str]] = {}
    HELD = "hand"
    LAST = "last"
    HELP = "Type one of the actions you are offered; several that belong together with commas between."

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
        """Return every fact that has one number a seat."""
        facts = {name: value for name, value in view.facts().items() if _is_score(value, len(players))}
        columns = [[str(number) for number in cast(list[int], value)] for value in facts.values()]
        return [["player", *facts], *([name, *(c[at] for c in columns)] for at, name in enumerate(players))]

    def question(self, view: View, players: Sequence[str], /) -> str:
        return ", ".join(self._actions.name(action) for action in view.legal)

    def read(self, view: View, text: str, /) -> tuple[int, ...]:
        return tuple(self._actions.parse(" ".join(word.split())) for word in text.split(","))


def answer(words: Words, view: View, text: str) -> tuple[int, ...]:
    """Return the actions that *text* stands for, an empty one for the only one there is."""
    if not text and len(view.legal) == 1:
        return (view.legal[0],)
    return words.read(view, text)


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return *rows* as lines with straight columns: the first is text, the others are numbers."""
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return [
        "  ".join(
            [row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True))]
        ).rstrip()
        for row in rows
    ]


def _pairs(facts: Plain) -> list[str]:
    return [f"{name}={_value(value)}" for name, value in facts.items()]


def _value(value: object) -> str:
    if isinstance(value, list):
        return "[" + " ".join(_value(item) for item in value) + "]"
    return "-" if value is None else str(value)


def _is_score(value: object, seats: int) -> bool:
    return isinstance(value, list) and len(value) == seats and all(type(item) is int for item in value)
