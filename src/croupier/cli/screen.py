"""The table in a terminal: cards, tricks and scores as lines that any terminal can show.

The texts come from the game's `words` module; this module adds colours, if the terminal supports them. On a
terminal with cursor control, an area below all output shows the current table.
"""

from __future__ import annotations

import re
import sys

from rich.console import Console
from rich.table import Table
from rich.text import Text

from croupier.core.words import Words, aligned


class Screen:
    """Lines for a terminal: with symbols and colours if it supports them, otherwise plain ASCII codes."""

    def __init__(self, words: Words, *, plain: bool = False) -> None:
        self.words = words
        self.texts = words.texts
        console = Console(highlight=False)
        utf = console.encoding.lower().replace("-", "").startswith("utf")
        able = console.is_terminal and not console.is_dumb_terminal and not console.no_color
        self.colours = able and utf and not plain
        self.console = console if self.colours else Console(highlight=False, color_system=None)
        self.redraws = self.colours and sys.stdin.isatty() and sys.stdout.isatty()
        """Whether the table is drawn in place; otherwise it is printed again for each question."""
        self._area: list[Text] = []
        """The area drawn below all output."""
        codes = "|".join(re.escape(code) for code in sorted(words.faces, key=len, reverse=True))
        self._codes = re.compile(rf"\b(?:{codes})\b" if codes else r"(?!)")

    def line(self, text: str = "", style: str = "") -> None:
        """Print a line, with cards shown as faces."""
        self._print(self._drawn(text, style))

    def instruct(self, text: str, style: str = "") -> None:
        """Print lines that say what to type: cards stay codes."""
        self._print(Text(text, style=style))

    def hand(self, label: str, rows: list[list[tuple[str, bool]]]) -> None:
        """Print cards by suit; if only some may be chosen, those are highlighted."""
        if rows:
            self._print(self._cards(label, rows))

    def table(self, rows: list[list[str]]) -> None:
        """Print *rows*, header first: the first column is text, the others are numbers."""
        if not self.colours:
            for line in aligned(rows):
                self.line(line)
            return
        table = Table(box=None, pad_edge=False, header_style="dim")
        for number, head in enumerate(rows[0]):
            table.add_column(Text(head), justify="right" if number else "left")
        for row in rows[1:]:
            table.add_row(*(Text(cell) for cell in row))
        self._print(table)

    def draw(self, lines: list[str], label: str, rows: list[list[tuple[str, bool]]], scores: str) -> None:
        """Redraw the table in place: *lines*, cards and scores."""
        shown = [Text(), *(self._drawn(line, "") for line in lines)]
        if rows:
            shown.append(self._cards(label, rows))
        if scores:
            shown.append(Text(scores, style="dim"))
        self._erase()
        self._add(shown)

    def ask(self, question: str) -> str:
        """Return the answer typed to *question*."""
        self._add([self._drawn(question, "bold")])
        # If the person leaves without an answer, the drawing stays.
        area, self._area = self._area, []
        typed = input("> ")
        if self.redraws:
            self._area = [*area, Text("> " + typed)]
        elif not sys.stdin.isatty():
            self.line(typed.strip())  # input is not from a terminal: echo it
        return typed.strip()

    def _print(self, what: Text | Table) -> None:
        self._erase()
        self.console.print(what, soft_wrap=not self.redraws)

    def _add(self, lines: list[Text]) -> None:
        """Print *lines* below the drawing."""
        width = self.console.width
        rows = [row for line in lines for row in line.wrap(self.console, width)] if self.redraws else lines
        for row in rows:
            self.console.print(row, soft_wrap=True)
        self._area += rows

    def _erase(self) -> None:
        """Remove the drawing: as many rows as it takes at the current width of the terminal."""
        width = self.console.width
        rows = sum(max(1, -(-text.cell_len // width)) for text in self._area)
        self._area = []
        if rows and self.redraws:
            self.console.file.write(f"\x1b[{rows}F\x1b[J")  # move up to the first row and clear from there

    def _cards(self, label: str, rows: list[list[tuple[str, bool]]]) -> Text:
        cards = [card for row in rows for card in row]
        choice = any(legal for _, legal in cards) and not all(legal for _, legal in cards)
        shown = Text(f"{label:7} ")
        for number, row in enumerate(rows):
            shown.append("   " if number else "")
            for place, (code, legal) in enumerate(row):
                shown.append(" " if place else "")
                shown.append_text(self._card(code, choice, legal))
        return shown

    def _card(self, code: str, choice: bool, legal: bool) -> Text:
        if not self.colours:
            return Text(f"[{code}]" if choice and legal else code)
        face, colour = self.words.faces[code]
        if choice and not legal:
            return Text(face, style=f"dim {colour}")
        return Text(face, style=f"bold {colour} reverse" if choice else f"bold {colour}")

    def _drawn(self, text: str, style: str) -> Text:
        if not self.colours:
            return Text(text, style=style)
        drawn = Text(style=style)
        at = 0
        for found in self._codes.finditer(text):
            face, colour = self.words.faces[found[0]]
            drawn.append(text[at : found.start()])
            drawn.append(face, style=colour)
            at = found.end()
        drawn.append(text[at:])
        return drawn
