"""The `croupier` command as a person runs it: real processes, and records for it to work on."""

from __future__ import annotations

import contextlib
import io
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from croupier.cli.main import main
from croupier.core.record import Record
from croupier.games.hearts import GAME
from croupier.table import journal
from croupier.table.effects import Setup, Write
from croupier.table.hall import entropy_of
from croupier.table.table import Table
from tests.integration.servers import PATIENCE, command


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
        timeout=PATIENCE,
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
"""What Python runs before anything else: processes of a pool stay there until they may go on."""


def interrupt_at_the_start(folder: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Press Ctrl-C while the first processes of the command's pool have only just begun."""
    (folder / "sitecustomize.py").write_text(HOLD)
    path = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
    # A terminal of its own, so that the signal reaches the workers too, as Ctrl-C does.
    with subprocess.Popen(
        command(*map(str, arguments)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": path},
    ) as process:
        until = time.monotonic() + PATIENCE
        while not list(folder.glob("*.begun")) and time.monotonic() < until:
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGINT)
        (folder / "go").touch()
        out, err = process.communicate(timeout=PATIENCE)
    assert list(folder.glob("*.begun")), "no process was started"
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


def only_line(done: subprocess.CompletedProcess[str]) -> str:
    """Return the one line on standard error, which is all that it may say there."""
    assert done.stderr.count("\n") == 1, done.stderr
    assert "Traceback" not in done.stdout
    return done.stderr.strip()


def bots_record(seed: str | None = "1", upto: int | None = None, **options: object) -> Record:
    """Return the record of a match among bots, or what it was after *upto* lines of the table's journal."""
    rules = GAME.options.read({"deals": 1, "match_games": 1, **options})
    seats = ["bot dummy", "bot random", "bot heuristic", "bot heuristic"]
    setup = Setup("t", GAME, rules, GAME.table_options.read(QUICK), seats, seed)
    table = Table(setup, entropy_of(seed), lambda: "2026-01-02T03:04:05Z")
    lines: list[journal.AnyEntry] = []
    while True:
        effects = [*table.proceed(0.0), *table.release(0.0)]
        lines += [effect.entry for effect in effects if isinstance(effect, Write)]
        if any(isinstance(line, journal.Ended) for line in lines):
            break
    begun = next(number for number, line in enumerate(lines) if isinstance(line, journal.Began))
    ended = next(number for number, line in enumerate(lines) if isinstance(line, journal.Ended))
    return journal.record_of(GAME, rules, seed, lines[begun : ended + 1][:upto])


QUICK = {"command_interval": 0, "round_interval": 0, "deal_interval": 0}


class Terminal:
    """A process whose questions are answered as they come, each when its prompt is there."""

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
        """Read until the next prompt; False if there is none any more."""
        assert self.process.stdout is not None
        while len(self.text) == self._answered or not self.text.endswith("\n> "):
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
        """Return the cards or dice that may be chosen, as the last row of them on the screen shows them."""
        line = [line for line in self.text.split("\n") if line.startswith(("Hand:", "Pool:"))][-1]
        return re.findall(r"\[(\w+)\]", line) or line.split()[1:]

    def answer(self) -> str:
        """Return something that the rules take, as far as the screen tells."""
        question = self.question()
        word, *rest = question.split()
        many = int(re.findall(r"\d+", question)[0]) if re.search(r"\d", question) else 0
        match word:
            case "Pass" | "Discard":  # Hearts, Taroky
                return " ".join(self.hand()[-many:])
            case "Expose":
                return "y"
            case "Play" if rest[0] == "a":
                return self.hand()[0]
            case "Speak:":  # Coinche
                return re.sub(r".*like ", "", question) if "80 H" in question else "p"
            case "Bid":  # Tarock: the lowest bid if the auction stands at nothing, so that all of it is asked
                return "pass" if question.endswith("or pass") and "two" not in rest[0] else rest[0].strip(",")
            case "Call" if rest[0] == "a":
                return "H"
            case "Take" if rest[0] == "a":
                return "0"
            case "Lay":
                return question.split("like ")[1]
            case "Name":  # Taroky
                return rest[-1]
            case "Choose":  # Sagrada
                return rest[-1]
            case "Your":
                found = re.search(r"place \w+ \d \d", question)
                return found[0] if found else "pass"
        return "n" if question.endswith("y or n") or "y, or n" in question else ""

    def play(self, answer: Callable[[], str] | None = None) -> int:
        """Answer every question; return the exit status."""
        while self.until_prompt():
            self.type((answer or self.answer)())
        return self.end()

    def end(self) -> int:
        """Close the input and read the rest; return the exit status."""
        out, err = self.process.communicate(timeout=PATIENCE)
        self.text += out.decode()
        assert err == b"", err
        return self.process.returncode
