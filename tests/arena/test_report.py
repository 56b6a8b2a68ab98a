"""Verdicts in the terminal and on the page, with the last output of the program."""

from __future__ import annotations

from pathlib import Path

import msgspec

from croupier.arena.plan import Result, Verdict
from croupier.arena.ratings import summary
from croupier.arena.report import first_verdicts, html, verdict_lines
from croupier.arena.results import Book, results_path
from croupier.cli.arena_file import read
from tests.arena.arenas import arena, finished
from tests.cli.command import run

FILE = """
[arena]
game = "coinche"
deals = 2
[options]
target = 500
[[contestant]]
name = "a"
bot = "random"
[[contestant]]
name = "b"
bot = "random"
"""


def judged(result: Result) -> Result:
    """Let "b" lose, on the first deal by a crash."""
    seat = result.play.seats.index("b")
    crash = Verdict(seat, "crash", "ended with status 1: oh", ("one <b>", "oh"))
    late = Verdict(seat, "timeout", "no answer within 5 s")
    verdict = crash if result.play.deal == 1 else late
    return msgspec.structs.replace(result, payoffs=(), scores=(), verdict=verdict)


def test_a_verdict_quotes_the_last_lines_of_the_output() -> None:
    results = finished(arena(), {"a": 1.0, "b": 2.0}, judged)
    first = first_verdicts(results)
    assert [one.play.deal for one in first] == [1, 2]  # one of each kind
    assert verdict_lines(first[0]) == ["b, deal 1: crash: ended with status 1: oh", "    one <b>", "    oh"]
    assert verdict_lines(first[1]) == ["b, deal 2: timeout: no answer within 5 s"]
    page = html(summary(arena(), results), "spring", [""] * len(results))
    assert page.count("<pre>one &lt;b&gt;\noh</pre>") == 2


def test_a_report_prints_them_and_the_digest(tmp_path: Path) -> None:
    file = tmp_path / "spring.toml"
    file.write_text(FILE)
    with Book(results_path(file), read(file)) as book:
        book.add(finished(book.arena, {"a": 1.0, "b": 2.0}, judged))
    done = run("arena", "report", file)
    assert done.returncode == 0, done.stderr
    assert "b, deal 1: crash: ended with status 1: oh\n    one <b>\n    oh\n" in done.stdout
    assert f"SHA-256 of the results: {book.digest}\n" in done.stdout
    path = results_path(file)
    path.write_bytes(path.read_bytes().replace(b"crash", b"memory", 1))
    done = run("arena", "report", file)
    assert done.returncode == 1
    assert f"{path}: line 2: its digest is wrong" in done.stderr
