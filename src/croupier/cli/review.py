"""`croupier review`: compares every decision of a match with the choice of the bot expert."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

import click

from croupier.cli.coach import VISIBLE, joined, mistake
from croupier.cli.database import Database, database_options
from croupier.cli.language import language_option
from croupier.cli.records import find_record

if TYPE_CHECKING:
    from croupier.core.record import Record
    from croupier.core.words import Words
    from croupier.reviews.review import Decision, Finding, Reviewer

COSTLIEST: Final = 3
"""The maximum number of decisions listed per player."""


@click.command()
@click.argument("record", metavar="FILE|MATCH")
@database_options
@click.option("--seat", type=click.IntRange(0), help="Only decisions of this seat, counted from 0.")
@click.option("--deal", type=click.IntRange(1), help="Only decisions of this deal.")
@click.option("--people", is_flag=True, help="Omit decisions of bots and of the clock.")
@click.option("--all", "all_", is_flag=True, help="Also list decisions that expert would not improve.")
@click.option(
    "--simulations",
    type=click.IntRange(1, 1_000_000),
    help="Simulations per decision.  [default: those of expert]",
)
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(1, 1024),
    help="Decisions reviewed at the same time.  [default: one per core]",
)
@click.option("--json", "json_", is_flag=True, help="Print each decision as a line of JSON.")
@language_option
def review(
    record: str,
    database: Database,
    seat: int | None,
    deal: int | None,
    people: bool,
    all_: bool,
    simulations: int | None,
    jobs: int | None,
    json_: bool,
    language: str,
) -> None:
    """Compare every decision of a record or a stored match with the choice of the bot expert.

    Each decision is judged by what its seat could know. The difference is in points of the game, as estimated
    by a search; small ones are not significant. The same record always gets the same review.

    Examples:

    \b
      croupier review match.record --seat 0       your own decisions, if you had the first seat
      croupier review match.record --deal 2 --all every decision of the second deal
    """
    from croupier.bots.strengths import EXPERT, SIMULATIONS
    from croupier.cli.progress import counting
    from croupier.games import words_of
    from croupier.reviews.review import CannotReview, Reviewer, decisions

    found, game = find_record(record, database, ended=True)
    if seat is not None and seat >= found.seats:
        raise click.ClickException(f"--seat {seat}: expected a seat from 0 to {found.seats - 1}")
    every = decisions(found, game)
    deals = max((one.deal for one in every), default=0)
    if deal is not None and deal > deals:
        raise click.ClickException(f"--deal {deal}: the match has {deals}")
    wanted = [
        one
        for one in every
        if seat in (None, one.seat) and deal in (None, one.deal) and not (people and one.by)
    ]
    if not wanted:
        raise click.ClickException(f"{record}: there were no decisions")
    budget = simulations or SIMULATIONS[EXPERT]
    try:
        reviewer = Reviewer(found, game, budget)
    except CannotReview as error:
        raise click.ClickException(f"{record}: {error}") from None
    findings: list[Finding] = []
    with counting(len(wanted), "reviewing") as bar:
        for finding in judged(reviewer, wanted, budget, jobs or os.cpu_count() or 1):
            findings.append(finding)
            if json_:
                _print_json(finding)
            bar.show(len(findings))
    if not json_:
        _Report(found, words_of(game, language), reviewer, findings).show(all_)


def _print_json(finding: Finding) -> None:
    import msgspec

    click.echo(msgspec.json.encode(finding.message()).decode())


# Many processes


def judged(reviewer: Reviewer, wanted: list[Decision], budget: int, jobs: int) -> Iterator[Finding]:
    """Yield the finding for each decision, in order, as soon as it is available."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    from croupier.arena.signals import undisturbed
    from croupier.core import record

    many = min(jobs, len(wanted))
    if many == 1:
        yield from map(reviewer.judge, wanted)
        return
    # Spawned, not forked: the progress bar has a thread, and a fork would copy its locks in their current
    # state.
    pool = ProcessPoolExecutor(
        many, get_context("spawn"), initializer=_begin, initargs=(record.write(reviewer.record), budget)
    )
    try:
        with undisturbed():
            found = pool.map(_judge, wanted)
        yield from found
    finally:
        pool.shutdown(cancel_futures=True)


_reviewer: Reviewer | None = None


def _begin(text: str, budget: int) -> None:
    """Prepare a process of the pool."""
    global _reviewer
    from croupier.arena.signals import leave_interrupts_to_the_parent
    from croupier.core import record
    from croupier.games import game
    from croupier.reviews.review import Reviewer

    leave_interrupts_to_the_parent()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    found = record.read(text)
    _reviewer = Reviewer(found, game(found.game), budget)


def _end_with_parent() -> None:
    from multiprocessing import parent_process

    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def _judge(decision: Decision) -> Finding:
    assert _reviewer is not None
    return _reviewer.judge(decision)


# Output


class _Report:
    """All findings, formatted for people."""

    def __init__(self, record: Record, words: Words, reviewer: Reviewer, findings: list[Finding]) -> None:
        from croupier.cli.screen import Screen
        from croupier.reviews.review import costly

        self._words = words
        self._texts = words.texts
        self._screen = Screen(words)
        self._reviewer = reviewer
        seats = range(record.seats)
        self._names = record.players or [self._texts("terminal.seat", n=seat) for seat in seats]
        self._findings = findings
        self._costly = {
            deal: costly(one for one in findings if one.decision.deal == deal)
            for deal in {one.decision.deal for one in findings}
        }

    def show(self, all_: bool) -> None:
        listed = self._findings if all_ else [one for one in self._findings if one.difference >= VISIBLE]
        if listed:
            head = [
                self._texts(f"terminal.review.{name}")
                for name in ("deal", "move", "loses", "played", "better")
            ]
            head[2:2] = [self._texts("terminal.player")]
            head[4:4] = [""]
            rows = [head, *map(self._row, listed)]
            for number, line in enumerate(_columns(rows, numbers=(0, 1, 3))):
                self._screen.line(line, "" if number else "dim")
            self._screen.line()
        for seat in sorted({one.decision.seat for one in self._findings}):
            self._sum(seat, [one for one in self._findings if one.decision.seat == seat])

    def _row(self, finding: Finding) -> list[str]:
        decision = finding.decision
        same = finding.best.actions == finding.played.actions
        return [
            str(decision.deal),
            str(decision.step + 1),
            self._names[decision.seat],
            f"{finding.difference:.1f}",
            "*" if self._is_costly(finding) else "",
            self._said(finding, finding.played.actions),
            "" if same else self._said(finding, finding.best.actions),
        ]

    def _is_costly(self, finding: Finding) -> bool:
        return 0.0 < self._costly[finding.decision.deal] <= finding.difference

    def _said(self, finding: Finding, actions: Sequence[str]) -> str:
        """Return *actions* for people; a bare yes or no with the question."""
        if actions in (("yes",), ("no",)):
            view = self._reviewer.before(finding.decision).view(finding.decision.seat)
            asked = self._words.question(view, self._names).partition(" [")[0]
            return f"{actions[0]} ({asked})"
        return joined(actions)

    def _sum(self, seat: int, findings: list[Finding]) -> None:
        same = sum(one.best.actions == one.played.actions for one in findings)
        lost = sum(one.difference for one in findings)
        costly = sum(map(self._is_costly, findings))
        numbers = {"n": len(findings), "same": same, "costly": costly, "lost": f"{lost:.1f}"}
        self._screen.line(self._texts("terminal.review.sum", name=self._names[seat], **numbers), "bold")
        worst = sorted(findings, key=lambda one: -one.difference)[:COSTLIEST]
        for one in worst:
            if one.difference >= VISIBLE:
                better, played = (self._said(one, line.actions) for line in (one.best, one.played))
                deal, step = one.decision.deal, one.decision.step
                about = (better, played, one.difference, one.reasons, self._names)
                told = mistake(self._texts, deal, step, *about)
                self._screen.line(told)


def _columns(rows: list[list[str]], numbers: tuple[int, ...]) -> list[str]:
    """Return *rows* aligned, with the columns in *numbers* right-aligned."""
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return [
        "  ".join(
            cell.rjust(width) if at in numbers else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
