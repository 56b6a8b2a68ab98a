"""The terminal table: cards, tricks and scores as lines that any terminal can show.

What is said comes from the game's own `words` module; here it gets its colours, if the terminal has any.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Protocol, cast

from rich.console import Console
from rich.table import Table
from rich.text import Text

from croupier.core.contract import Event, Game, Plain, View
from croupier.games import REGISTRY


class Words(Protocol):
    """What a game's `words` module has for the terminal."""

    @property
    def CASUAL(self) -> Mapping[str, object]:  # noqa: N802  # a constant of the module
        """Return the options that suit one person who plays alone."""
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


def words_of(game: Game) -> Words:
    """Return the words of *game*: its own, or what can be said of any game."""
    module = f"{REGISTRY[game.name]}.words"
    try:
        # A module fulfils a Protocol, but import_module cannot say so.
        return cast(Words, import_module(module))
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        return PlainWords(game)


class PlainWords:
    """Words for a game that has none of its own: facts and actions as the house protocol spells them."""

    CASUAL: Mapping[str, object] = {}
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


def _pairs(facts: Plain) -> list[str]:
    return [f"{name}={_value(value)}" for name, value in facts.items()]


def _value(value: object) -> str:
    if isinstance(value, list):
        return "[" + " ".join(_value(item) for item in value) + "]"
    return "-" if value is None else str(value)


def _is_score(value: object, seats: int) -> bool:
    return isinstance(value, list) and len(value) == seats and all(type(item) is int for item in value)


class Screen:
    """Lines for a terminal: with signs and colours where it has them, plain ASCII codes elsewhere."""

    def __init__(self, words: Words, console: Console | None = None) -> None:
        self.words = words
        self.console = console if console is not None else Console(highlight=False)
        utf = self.console.encoding.lower().replace("-", "").startswith("utf")
        self.colours = self.console.is_terminal and not self.console.is_dumb_terminal and utf
        codes = "|".join(re.escape(code) for code in sorted(words.FACES, key=len, reverse=True))
        self._codes = re.compile(rf"\b(?:{codes})\b" if codes else r"(?!)")

    def line(self, text: str = "", style: str = "") -> None:
        """Show a line; cards in it get their faces."""
        self.console.print(self._drawn(text, style), soft_wrap=True)

    def hand(self, label: str, rows: list[list[tuple[str, bool]]]) -> None:
        """Show cards, suit by suit; where only some may be chosen, those stand out."""
        if not rows:
            return
        cards = [card for row in rows for card in row]
        choice = any(legal for _, legal in cards) and not all(legal for _, legal in cards)
        shown = Text(f"{label:8}")
        for number, row in enumerate(rows):
            shown.append("   " if number else "")
            for place, (code, legal) in enumerate(row):
                shown.append(" " if place else "")
                shown.append_text(self._card(code, choice, legal))
        self.console.print(shown, soft_wrap=True)

    def _card(self, code: str, choice: bool, legal: bool) -> Text:
        if not self.colours:
            return Text(f"[{code}]" if choice and legal else code)
        face, colour = self.words.FACES[code]
        if choice and not legal:
            return Text(face, style=f"dim {colour}")
        return Text(face, style=f"bold {colour} reverse" if choice else f"bold {colour}")

    def table(self, rows: list[list[str]]) -> None:
        """Show *rows*, the head first: the first column is text, the others are numbers."""
        if not self.console.is_terminal:
            widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
            for row in rows:
                cells = [
                    row[0].ljust(widths[0]),
                    *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True)),
                ]
                self.line("  ".join(cells).rstrip())
            return
        table = Table(box=None, pad_edge=False, header_style="dim")
        for number, head in enumerate(rows[0]):
            table.add_column(head, justify="right" if number else "left")
        for row in rows[1:]:
            table.add_row(*(Text(cell) for cell in row))
        self.console.print(table)

    def _drawn(self, text: str, style: str) -> Text:
        if not self.colours:
            return Text(text, style=style)
        drawn = Text(style=style)
        at = 0
        for found in self._codes.finditer(text):
            face, colour = self.words.FACES[found[0]]
            drawn.append(text[at : found.start()])
            drawn.append(face, style=colour)
            at = found.end()
        drawn.append(text[at:])
        return drawn
