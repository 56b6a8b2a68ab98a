"""The dialogue with the person at the terminal: questions, commands and the table, local or remote."""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from croupier.cli.screen import Screen


class Left(Exception):
    """The person has left the table."""


class Prompt(ABC):
    """Shows and asks; subclasses provide the data of local and remote tables."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.words = screen.words

    @abstractmethod
    def _table(self) -> list[str]:
        """Return the public part of the table, line by line."""

    @abstractmethod
    def _hand(self) -> list[list[tuple[str, bool]]]:
        """Return the cards by suit, each with True if it may be chosen now."""

    @abstractmethod
    def _scores(self) -> list[list[str]]:
        """Return the rows of the score table, header first."""

    @abstractmethod
    def _last(self) -> str:
        """Return the last trick or similar."""

    @abstractmethod
    def _hint(self) -> None:
        """Print what expert would do with what this seat knows."""

    @abstractmethod
    def _mistakes(self) -> None:
        """Print the person's costly decisions in the finished match."""

    def _offer_review(self) -> None:
        """Review the mistakes of the finished match if the person wants it."""
        with contextlib.suppress(EOFError, KeyboardInterrupt, Left):
            wish = self._read("Type m to review your mistakes, or press Enter to finish", table=False)
            if wish.lower() == "m":
                self._mistakes()

    def _read(self, question: str, *, table: bool = True) -> str:
        """Return the input that is not a command; the *table* is drawn above it if possible."""
        commands = self._named_commands()
        while True:
            if table:
                self._redraw()
            text = self.screen.ask(question)
            if text.lower() in ("q", "quit"):
                raise Left
            command = commands.get(text)  # case matters: H and S are suits when a king is called
            if command is None:
                return text
            command()

    def _named_commands(self) -> dict[str, Callable[[], None]]:
        return {
            "?": self._help,
            "h": self._show_hand,
            "s": lambda: self.screen.table(self._scores()),
            "l": lambda: self.screen.line(self._last()),
            "hint": self._hint,
        }

    def _show(self) -> None:
        """Print the table, unless it is drawn in place."""
        if not self.screen.redraws:
            self.screen.line()
            for line in self._table():
                self.screen.line(line)
            self._show_hand()

    def _redraw(self) -> None:
        """Redraw the table, if it is drawn in place."""
        if self.screen.redraws:
            self.screen.draw(self._table(), self._label(), self._hand(), standing(self._scores()))

    def _help(self) -> None:
        self.screen.instruct(self.words.HELP)
        self._commands()

    def _commands(self) -> None:
        commands = f"? help   h {self.words.HELD}   s scores   l {self.words.LAST}   Enter table   q quit"
        self.screen.line(commands, "dim")
        self.screen.line("hint: what the bot expert would do, and why", "dim")

    def _show_hand(self) -> None:
        if not self.screen.redraws:
            self.screen.hand(self._label(), self._hand())

    def _label(self) -> str:
        return f"{self.words.HELD.capitalize()}:"


def standing(rows: list[list[str]]) -> str:
    """Return the line that summarises a score table: a total for each player or side."""
    head, *others = rows
    if not others or len(head) < 2:
        return ""
    if head[0] == "player":
        label, totals = head[-1], [(row[0], row[-1]) for row in others]
    else:  # one column for each side, the total in the last row
        label, totals = others[-1][0], list(zip(head[1:], others[-1][1:], strict=True))
    if all(total == "?" for _, total in totals):  # not known before the match is over
        return ""
    return f"{label.capitalize()}: " + ", ".join(f"{who} {total}" for who, total in totals)
