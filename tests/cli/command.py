"""The `croupier` command as a person runs it: real processes, and records for it to work on."""

from __future__ import annotations

import contextlib
import io
import os
import pty
import re
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Self

from croupier.cli.main import main
from croupier.core.record import Record
from croupier.games.hearts import GAME
from croupier.table import journal
from croupier.table.setup import setup_of
from croupier.testing.house import VirtualTable
from croupier.wire.table_spec import TableSpec
from tests.integration.servers import TIMEOUT, command


def run(*arguments: str | Path, input: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command to its end in this process, which is quicker than starting one."""
    words = [str(word) for word in arguments]
    out, err = io.StringIO(), io.StringIO()
    before = sys.argv, sys.stdin
    sys.argv, sys.stdin = ["croupier", *words], io.StringIO(input)
    status: object = None
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main()
    except SystemExit as end:
        status = end.code
    finally:
        sys.argv, sys.stdin = before
    assert status is None or isinstance(status, int), status
    return subprocess.CompletedProcess(words, status or 0, out.getvalue(), err.getvalue())


def spawn(*arguments: str | Path, input: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command to its end as a process."""
    return subprocess.run(
        command(*map(str, arguments)),
        input=input,
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )


HOLD = """
import os, pathlib, sys, time

here = pathlib.Path(__file__).parent
if "--multiprocessing-fork" in sys.orig_argv:
    (here / f"{os.getpid()}.begun").touch()
    while not (here / "go").exists():
        time.sleep(0.01)
"""
"""Python runs this at its start: processes of a pool wait here until the file `go` exists."""


def interrupt_at_the_start(folder: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Press Ctrl-C while the first processes of the command's pool are starting."""
    (folder / "sitecustomize.py").write_text(HOLD)
    path = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
    # A session of its own, so that the signal also reaches the workers, as Ctrl-C does.
    with subprocess.Popen(
        command(*map(str, arguments)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": path},
    ) as process:
        until = time.monotonic() + TIMEOUT
        while not list(folder.glob("*.begun")) and time.monotonic() < until:
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGINT)
        (folder / "go").touch()
        out, err = process.communicate(timeout=TIMEOUT)
    assert list(folder.glob("*.begun")), "no process was started"
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


def only_line(done: subprocess.CompletedProcess[str]) -> str:
    """Return the only line on standard error."""
    assert done.stderr.count("\n") == 1, done.stderr
    assert "Traceback" not in done.stdout
    return done.stderr.strip()


def bots_record(seed: str | None = "1", upto: int | None = None, **options: object) -> Record:
    """Return the record of a match among bots, or of its first *upto* lines of the table's journal."""
    rules = GAME.options.read({"deals": 1, "match_games": 1, **options})
    seats = ["bot dummy", "bot random", "bot heuristic", "bot heuristic"]
    setup = setup_of("t", GAME, TableSpec(seats, rules, GAME.table_options.read(QUICK), seed))
    lines = VirtualTable(setup).journal
    begun = next(number for number, line in enumerate(lines) if isinstance(line, journal.Began))
    ended = next(number for number, line in enumerate(lines) if isinstance(line, journal.Ended))
    record = journal.record_of(GAME, rules, seed, lines[begun : ended + 1][:upto])
    return replace(record, started="2026-01-02T03:04:05Z")


QUICK = {"command_interval": 0, "round_interval": 0, "deal_interval": 0}


class Terminal:
    """A process whose questions are answered when their prompts appear."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            command(*arguments),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        self.text = ""
        self._answered = 0

    def until_prompt(self) -> bool:
        """Read until the next prompt; return False if there is none."""
        return self._until(lambda: len(self.text) > self._answered and self.text.endswith("\n> "))

    def until(self, words: str) -> bool:
        """Read until *words* have been printed; return False if they are not."""
        return self._until(lambda: words in self.text)

    def _until(self, done: Callable[[], bool]) -> bool:
        assert self.process.stdout is not None
        while not done():
            data = os.read(self.process.stdout.fileno(), 65536)
            if not data:
                return False
            self.text += data.decode()
        return True

    def type(self, line: str) -> None:
        assert self.process.stdin is not None
        self._answered = len(self.text)
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def question(self) -> str:
        return self.text.split("\n")[-2]

    def hand(self) -> list[str]:
        """Return the cards or dice that may be chosen, from the last row of them on the screen."""
        line = [line for line in self.text.split("\n") if line.startswith(("Hand:", "Draft pool:"))][-1]
        return re.findall(r"\[(\w+)\]", line) or line.partition(":")[2].split()

    def answer(self) -> str:
        """Return a legal answer, as far as the screen shows it."""
        question = self.question()
        typed = [word for word in re.sub(r".*\[|\]$", "", question).split(", ") if "[" in question]
        match question.split()[0]:
            case "Discard":  # Tarock, Taroky
                return " ".join(self.hand()[-int(question.split()[1]) :])
            case "Choose" if "three cards" in question:  # Hearts
                return " ".join(self.hand()[-3:])
            case "You" if "ace of hearts" in question:
                return "y"
            case "Your" if " a card" in question:
                return self.hand()[0]
            case "Open":  # Coinche
                return typed[-1]
            case "Your" | "The" | "Nobody" if "two" in typed:  # Tarock: the lowest bid if there is none yet
                return "two"
            case "Call" if typed == ["C", "S", "H", "D"]:
                return "H"
            case "Take" if question.startswith("Take one set"):
                return "0"
            case "The" if "partner" in question:  # Taroky
                return typed[-1]
            case "Choose":  # Sagrada
                return typed[-1]
            case "Your" if "turn" in question:
                found = re.search(r"place \w+ \d \d", question)
                return found[0] if found else "pass"
        if any(word.startswith("n: ") for word in typed):
            return "n"
        return next((word for word in ("p", "pass") if word in typed), "")

    def play(self, answer: Callable[[], str] | None = None) -> int:
        """Answer every question; return the exit status."""
        while self.until_prompt():
            self.type((answer or self.answer)())
        return self.end()

    def end(self) -> int:
        """Close the input and read the rest; return the exit status."""
        out, err = self.process.communicate(timeout=TIMEOUT)
        self.text += out.decode()
        assert err == b"", err
        return self.process.returncode


class Tty:
    """The command on a pseudo-terminal, with all its output."""

    def __init__(self, *arguments: str, columns: int = 100, environment: Mapping[str, str] = {}) -> None:
        self.text = ""
        self._columns = columns
        self._ours, theirs = pty.openpty()
        termios.tcsetwinsize(theirs, (24, columns))
        env = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS")}
        env |= {"TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8", **environment}
        self._process = subprocess.Popen(
            command("play", *arguments), stdin=theirs, stdout=theirs, stderr=theirs, env=env
        )
        os.close(theirs)

    def __enter__(self) -> Self:
        self._until("> ")
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._ours)
        self._process.kill()
        self._process.wait(TIMEOUT)

    def type(self, line: str) -> None:
        """Type *line*, and read until the next prompt."""
        os.write(self._ours, line.encode() + b"\n")
        self._until("\n> ")

    def leave(self) -> None:
        """Leave the table here, and do not save the record."""
        os.write(self._ours, b"q\n")
        self._until("Type a file name, or press Enter to skip: ")
        os.write(self._ours, b"\n")
        assert self._process.wait(TIMEOUT) == 0

    def _until(self, end: str) -> None:
        text = b""
        while not text.endswith(end.encode()):
            text += os.read(self._ours, 65536)
        self.text += text.decode()

    def rows(self) -> list[str]:
        """Return the rows on the screen and those that have scrolled off, without colours."""
        rows: list[str] = []
        at = 0
        for erased in ERASED.finditer(self.text):
            rows += self._wrapped(self.text[at : erased.start()])[:-1]
            del rows[-int(erased[1]) :]
            at = erased.end()
        return rows + self._wrapped(self.text[at:])

    def _wrapped(self, text: str) -> list[str]:
        lines = re.sub(r"\x1b\[[\d;]*m", "", text).split("\r\n")
        width = self._columns
        return [line[at : at + width] for line in lines for at in range(0, max(1, len(line)), width)]


ERASED = re.compile(r"\x1b\[(\d+)F\x1b\[J")
"""Move the cursor up this many rows, and clear from there."""
