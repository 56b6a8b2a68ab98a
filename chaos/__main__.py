"""The command `python -m chaos`, run by `make chaos`."""

from __future__ import annotations

import os
import secrets
import sys
import time
from dataclasses import replace
from pathlib import Path

import click

from benchmarks.report import machine
from benchmarks.server import lift_file_limit
from chaos.goals import GOALS, Goal
from chaos.outcome import UNMEASURABLE, Outcome, Row, markdown, none_of
from chaos.stopping import stopping

ATTEMPTS = 3
"""How often a goal is measured on a machine that is too busy."""


class Size(click.ParamType[object]):
    """``full``, ``nightly``, ``small``, or a share of the full size."""

    name = "size"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> object:
        if value in ("full", "nightly", "small"):
            return value
        try:
            share = float(str(value))
        except ValueError:
            share = 0.0
        if not 0 < share <= 1:
            self.fail(f"{value!r}: expected full, nightly, small or a share like 0.01")
        return share


def size_of(goal: Goal, size: object) -> int:
    """Return the number of cases of *goal*."""
    if isinstance(size, float):
        return max(goal.small, round(goal.full * size))
    return {"full": goal.full, "nightly": goal.nightly, "small": goal.small}[str(size)]


@click.command()
@click.argument("goals", type=click.Choice([*GOALS], case_sensitive=False), nargs=-1, metavar="[GOAL]...")
@click.option(
    "--size", default="full", show_default=True, type=Size(), help="full, nightly, small, or a share."
)
@click.option("--seed", type=int, help="Repeat a run.  [default: a new one, which is printed]")
@click.option(
    "-o",
    "--output",
    default="chaos-report.md",
    show_default=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="Path of the report.",
)
def main(goals: tuple[str, ...], size: object, seed: int | None, output: Path) -> None:
    """Measure the permanent goals and write a report; the exit status is 1 if one of them failed.

    Without a GOAL all are measured, at the sizes of docs/security.md, which also says how long that takes.
    The report is written after every goal. Ctrl-C ends the goal: G3, G7, G8, G12 and G13 then report the
    cases that were tried, the others how far they came.
    """
    lift_file_limit()
    chosen = seed if seed is not None else secrets.randbelow(2**31)
    for line in machine():
        click.echo(line)
    click.echo(f"seed {chosen}")
    rows: list[Row] = []
    stopping.listen()
    for name in goals or GOALS:
        rows.append(_measure(GOALS[name], size, chosen))
        output.write_text(markdown(rows, chosen, str(size)), encoding="utf-8")
        if stopping.asked:
            break
    click.echo(f"report written to {output}")
    sys.exit(0 if all(row.outcome.passed for row in rows) else 1)


def _measure(goal: Goal, size: object, seed: int) -> Row:
    repeat = f"make chaos SIZE={size} ARGS='{goal.name} --seed {seed}'"
    click.echo(f"== {goal.name} {goal.title}")
    begun = shown = time.monotonic()
    last = ""

    def tell(words: str) -> None:
        nonlocal shown, last
        last = words
        if time.monotonic() - shown >= 1.0 or not sys.stdout.isatty():
            shown = time.monotonic()
            click.echo(f"   {shown - begun:6.0f} s  {words}")

    for attempt in range(1, ATTEMPTS + 1):
        begun = time.monotonic()
        try:
            outcome = goal.run(size_of(goal, size), seed, tell)
        except KeyboardInterrupt:
            outcome = Outcome(f"the last step: {last}" if last else "nothing yet", [])
        if stopping.asked:
            outcome = replace(outcome, counts=[*outcome.counts, none_of("interruptions", 1)])
        if outcome.measurable or attempt == ATTEMPTS or stopping.asked:
            break
        click.echo(f"   {UNMEASURABLE}; repeated ({attempt} of {ATTEMPTS} attempts)")
    load = "load averages " + ", ".join(f"{load:.1f}" for load in os.getloadavg())
    row = Row(goal.name.upper(), goal.title, outcome, time.monotonic() - begun, load, repeat)
    click.echo(f"   {outcome.size}, {row.seconds:.0f} s, {load}")
    if not outcome.measurable:
        click.echo(f"   {UNMEASURABLE}")
    for figure in outcome.figures:
        name, value, limit, reached = figure.row()
        click.echo(f"   {'ok    ' if reached == 'yes' else 'FAILED'} {name}: {value} (limit {limit})")
    for note in outcome.notes:
        click.echo(f"   - {note}")
    if not outcome.passed:
        click.echo(f"   repeat with: {repeat}")
    return row


if __name__ == "__main__":
    main()
