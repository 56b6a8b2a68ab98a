"""The terminal table: cards, tricks and scores as lines that any terminal can show.

What is said comes from the game's own `words` module; here it gets its colours, if the terminal has any.
"""

from __future__ import annotations

import re

from rich.console import Console
from rich.table import Table
from rich.text import Text

from croupier.core.words import Words, aligned


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
            for line in aligned(rows):
                self.line(line)
            return
        table = Table(box=None, pad_edge=False, header_style="dim")
        for number, head in enumerate(rows[0]):
            table.add_column(Text(head), justify="right" if number else "left")
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
