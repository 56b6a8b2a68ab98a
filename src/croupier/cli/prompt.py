"""The dialogue with the person at the terminal: questions, commands and the table, local or remote."""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from croupier.cli.screen import Screen
    from croupier.core.contract import Game


class Left(Exception):
    """The person has left the table."""


class Prompt(ABC):
    """Shows and asks; subclasses provide the data of local and remote tables."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.words = screen.words
        self.texts = screen.texts

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
            wish = self._read(self.texts("terminal.finish"), table=False)
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
        self.screen.instruct(self.words.help)
        self._commands()

    def _commands(self) -> None:
        hand, last = self.words.held, self.words.recent
        self.screen.line(self.texts("terminal.commands", hand=hand, last=last), "dim")
        self.screen.line(self.texts("terminal.commands.hint"), "dim")

    def _refuse(self, key: str, words: str, about: Mapping[str, object]) -> None:
        """Print why a request is refused, in the language of the texts if they have the reason."""
        told = self.texts.refusal(key, words, about)
        self.screen.line(self.texts("terminal.refused", words=told), "yellow")

    def _misread(self, words: str) -> None:
        """Print why what was typed cannot be understood."""
        self.screen.instruct(self.texts("terminal.refused.help", words=words), "yellow")

    def _title(self, game: Game) -> str:
        return self.texts.name("title", game.title)

    def _cannot_search(self, game: Game) -> None:
        """Print that there is no coach for *game*."""
        self.screen.line(self.texts("terminal.unsearched", game=self._title(game)), "yellow")

    def _greet(self, game: str, others: Sequence[str], seed: str | None) -> None:
        """Print who plays, and the seed of a reproducible match."""
        key = "terminal.against" if others else "terminal.alone"
        self.screen.line(self.texts(key, game=game, others=", ".join(others)), "bold")
        if seed is not None:
            self.screen.line(self.texts("terminal.seed", seed=seed), "dim")

    def _show_hand(self) -> None:
        if not self.screen.redraws:
            self.screen.hand(self._label(), self._hand())

    def _label(self) -> str:
        return f"{self.words.held}:"


def standing(rows: list[list[str]]) -> str:
    """Return the line that summarises a score table: a total for each player or side."""
    head, *others = rows
    if not others or len(head) < 2:
        return ""
    if head[0]:
        label, totals = head[-1], [(row[0], row[-1]) for row in others]
    else:  # one column for each side, the total in the last row
        label, totals = others[-1][0], list(zip(head[1:], others[-1][1:], strict=True))
    if all(total == "?" for _, total in totals):  # not known before the match is over
        return ""
    return f"{label}: " + ", ".join(f"{who} {total}" for who, total in totals)
