"""`croupier replay`: steps through a match with all hands open."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from croupier.cli.database import Database, database_options
from croupier.cli.language import language_option
from croupier.cli.records import find_record

if sys.platform != "win32":
    import termios
    import tty

if TYPE_CHECKING:
    from croupier.cli.screen import Screen
    from croupier.core.contract import Game
    from croupier.core.record import Record
    from croupier.core.words import Words

BACKSPACE = ("\x7f", "\x08")
WHY = ("clock", "fault", "absent")
"""The reasons for which the server decided."""


@dataclass(frozen=True, slots=True)
class Step:
    """The effect of one entry of the record, and the position after it."""

    deal: int
    starts: bool
    """The first step of its deal."""
    told: list[str]
    table: list[str]
    hands: list[tuple[str, list[list[tuple[str, bool]]]]]
    scores: list[list[str]] | None
    """After the last step of a deal."""


@click.command()
@click.argument("record", metavar="FILE|MATCH")
@database_options
@click.option("--deal", type=click.IntRange(1), help="Start with this deal.")
@click.option("--all", "all_", is_flag=True, help="Print everything without stopping.")
@language_option
def replay(record: str, database: Database, deal: int | None, all_: bool, language: str) -> None:
    """Step through a record or a stored match, with all hands open.

    Keys: Enter or space forward, b back, d and a number for that deal, q quit. Without a terminal, or with
    --all, everything is printed; then --deal prints only that deal.
    """
    from croupier.cli.screen import Screen
    from croupier.games import words_of

    found, game = find_record(record, database, ended=True)
    words = words_of(game, language)
    steps = list(_steps(found, game, words))
    if not steps:
        raise click.ClickException(f"{record}: this match has no entries")
    deals = steps[-1].deal
    if deal is not None and deal > deals:
        raise click.ClickException(f"--deal {deal}: the match has {deals}")
    screen = Screen(words)
    if all_ or not (sys.stdin.isatty() and sys.stdout.isatty()):
        for step in steps:
            if deal is None or step.deal == deal:
                _print(step, screen)
        return
    try:
        with Keys() as keys:
            _walk(steps, deal or 1, screen, keys)
    except (EOFError, KeyboardInterrupt):
        screen.line()


def _steps(record: Record, game: Game, words: Words) -> Iterator[Step]:
    from croupier.core.contract import WATCHER
    from croupier.core.record import Acted, Drawn, steps

    names = record.players or [words.texts("terminal.seat", n=seat + 1) for seat in range(record.seats)]
    deal, before = 1, 0
    for entry, state, events in steps(record, game):
        if not isinstance(entry, Drawn | Acted):
            continue
        told = [text for event in events if (text := words.describe(event, names))]
        if isinstance(entry, Acted):
            if not told:
                told.append(f"{names[entry.seat]}: {', '.join(entry.actions)}")
            if entry.by in WHY:
                told.append(words.texts(f"terminal.replay.{entry.by}", name=names[entry.seat]))
        view = state.view(WATCHER)
        yield Step(
            deal,
            deal != before,
            told,
            words.table(view, names),
            [(names[seat], words.hand(state.view(seat))) for seat in range(record.seats)],
            words.scores(view, names) if state.deal() == deal else None,
        )
        deal, before = state.deal() + 1, deal


def _print(step: Step, screen: Screen) -> None:
    """Show what happened, with the hands at the start of a deal and the scores at its end."""
    if step.starts:
        screen.line()
    for text in step.told:
        screen.line(text, "bold" if step.starts else "")
    if step.scores is not None:
        screen.table(step.scores)


class Keys:
    """Reads single keys while it is entered; keys typed ahead are kept."""

    def __init__(self) -> None:
        self._waiting: list[str] = []
        self._saved: list[Any] = []

    def __enter__(self) -> Keys:
        if sys.platform != "win32":
            self._saved = termios.tcgetattr(0)
            tty.setcbreak(0, termios.TCSADRAIN)
        return self

    def __exit__(self, *_: object) -> None:
        if sys.platform != "win32":
            termios.tcsetattr(0, termios.TCSADRAIN, self._saved)

    def get(self) -> str:
        """Return the next key; an arrow key is a string that starts with escape."""
        if sys.platform == "win32":
            return click.getchar()
        if not self._waiting:
            text = os.read(0, 64).decode(errors="replace")
            self._waiting = [text] if text.startswith("\x1b") else list(text)
        if not self._waiting:
            raise EOFError
        return self._waiting.pop(0)

    def line(self, prompt: str) -> str:
        """Return a line typed key by key."""
        sys.stdout.write(prompt)
        text = ""
        while True:
            sys.stdout.flush()
            key = self.get()
            if key in ("\r", "\n"):
                sys.stdout.write("\n")
                return text
            if key in BACKSPACE and text:
                text = text[:-1]
                sys.stdout.write("\b \b")
            elif key.isprintable():
                text += key
                sys.stdout.write(key)


def _walk(steps: list[Step], deal: int, screen: Screen, keys: Keys) -> None:
    at = _first(steps, deal)
    while True:
        _board(steps[at], at, len(steps), screen)
        match keys.get():
            case "q" | "Q" | "\x1b":
                return
            case "b" | "B" | "\x1b[D" | "\x7f" | "\x08":
                at = max(at - 1, 0)
            case "d" | "D":
                wanted = keys.line(screen.texts("terminal.replay.which")).strip()
                if wanted.isascii() and wanted.isdigit() and 1 <= int(wanted[:6]) <= steps[-1].deal:
                    at = _first(steps, int(wanted))
                else:
                    number = screen.texts("terminal.type.number", low=1, high=steps[-1].deal)
                    screen.line(str(screen.texts.expected(wanted, number)), "yellow")
            case "\r" | "\n" | " " | "\x1b[C":
                if at + 1 == len(steps):
                    return
                at += 1
            case "\x04":
                raise EOFError


def _first(steps: list[Step], deal: int) -> int:
    return next(number for number, step in enumerate(steps) if step.deal == deal)


def _board(step: Step, at: int, many: int, screen: Screen) -> None:
    """Show the position after a step, and the step."""
    screen.line()
    texts = screen.texts
    where = f"{texts('sheet.deal', n=step.deal)}, {texts('replay.positionText', n=at + 1, of=many)}"
    screen.line(where, "dim")
    for name, rows in step.hands:
        screen.hand(f"{name:<12}", rows)
    for text in step.table:
        screen.line(text)
    for text in step.told:
        screen.line(text, "bold")
    if step.scores is not None:
        screen.table(step.scores)
    screen.line(texts("terminal.replay.keys"), "dim")
