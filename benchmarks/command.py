"""The command `croupier bench`, found by cli/bench.py in a checkout."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.console import Console
    from rich.status import Status

    from benchmarks.report import Section

SERVER = ("trend", "house", "rate", "crowd", "watchers", "thinking")
"""The benchmarks that `server` consists of."""
WHAT = ("playouts", "games", "training", "heuristics", "search", "taroky", "store", *SERVER, "lines", "nodes")
NAMED = ("pages", "strength")
"""Benchmarks that run only if they are named: `pages` needs a browser, `strength` takes hours."""
PROFILED = ("trend", "house", "lines")
GROUPS = {"server": SERVER, "all": WHAT}


@click.command()
@click.argument("what", type=click.Choice([*WHAT, *NAMED, *GROUPS]), nargs=-1, metavar="[WHAT]...")
@click.option(
    "--quick", is_flag=True, help="Smaller and faster: 25 tables instead of 250, each measured once."
)
@click.option(
    "--repeat",
    default=3,
    show_default=True,
    type=click.IntRange(min=1),
    help="Runs of each server benchmark; the median is shown. 1 with --quick.",
)
@click.option(
    "-o",
    "--output",
    default="bench-report.md",
    show_default=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="Path of the report.",
)
@click.option(
    "--folder",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Folder of the databases; its disk matters.  [default: the system's temporary folder]",
)
@click.option(
    "--deals",
    default=1000,
    show_default=True,
    type=click.IntRange(min=2),
    help="Duplicate deals per pairing, only for strength.",
)
@click.option(
    "--profile",
    is_flag=True,
    help="Profile the server with py-spy instead of measuring trend, house or lines.",
)
def bench(
    what: tuple[str, ...],
    quick: bool,
    repeat: int,
    output: Path,
    folder: Path | None,
    deals: int,
    profile: bool,
) -> None:
    """Measure speed and write a report.

    WHAT is any of playouts, games, training, heuristics, search, taroky, store, server, lines, nodes, or all
    of these by default; or pages, which needs a browser, or strength, which takes hours. server consists of
    trend, house, rate, crowd, watchers and thinking, which can also be run separately.

    Playouts compares the rules with OpenSpiel's, search the bots with its ISMCTSBot, training the
    environments with Shimmy's and PettingZoo's, if those are installed. Trend compares the server with a
    bare echo over the same WebSocket library, lines compares Coinche's lines with a bare line echo; house
    measures the house protocol, rate and crowd the latency of a move at a fixed rate with 1,000 and
    10,000 connections, watchers the cost of an event with 0, 1 and 100 watchers, thinking tables beside
    searching bots, nodes the cost of a move with several nodes. Pages measures in Chromium how soon a
    page reacts, how smoothly it moves and how quickly it loads.
    Strength plays duplicate deals between the bots; if it is interrupted, the next run resumes it.

    With --profile the server runs under py-spy: a table shows the share of each part of the path of a move
    (input, rules, store, feed, wire, socket, rest); a flame graph beside the report shows every function.
    """
    from rich import console as rich_console

    from benchmarks.report import aims, machine, markdown

    if not output.parent.is_dir():
        raise click.UsageError(f"-o {output}: no such folder: {output.parent}")
    console = rich_console.Console(highlight=False)
    if not console.is_terminal:
        console.width = 160  # no wrapping in a file
    for line in machine():
        console.print(line, style="dim", soft_wrap=True)
    sections: list[Section] = []
    names = list(dict.fromkeys(name for word in what or ["all"] for name in GROUPS.get(word, (word,))))
    if profile:
        names = [name for name in names if name in PROFILED]
        if not names:
            raise click.UsageError(f"--profile: expected {', '.join(PROFILED)} or server")
    with tempfile.TemporaryDirectory(prefix="croupier-bench-", dir=folder) as place:
        for name in names:
            with console.status(f"measuring: {name}") as status:
                if profile:
                    picture = output.with_name(f"{output.stem}-{name}.svg")
                    sections.append(_profile(name, Path(place), quick, picture, status))
                elif name == "strength":
                    sections.append(_strength(output, 4 if quick else deals, status))
                else:
                    sections.append(_measure(name, Path(place), quick, 1 if quick else repeat, status))
            _show(sections[-1], console)
    summary = None if quick else aims(sections)  # the targets are for the full size
    if summary is not None:
        _show(summary, console)
        sections.append(summary)
    try:
        output.write_text(markdown(sections), encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"-o {output}: {error.strerror}") from None
    console.print(f"Report written to {output}", style="dim")


def _strength(output: Path, deals: int, status: Status) -> Section:
    from benchmarks import strength

    def told(done: int, all_of: int) -> None:
        status.update(f"measuring: strength, {done} of {all_of} parts")

    return strength.section(deals, output.with_suffix(".strength"), told)


def _measure(name: str, place: Path, quick: bool, repeat: int, status: Status) -> Section:
    if name == "playouts":
        from benchmarks import playouts

        return playouts.section(quick)
    if name == "games":
        from benchmarks import every_game

        return every_game.section(quick)
    if name == "training":
        from benchmarks import training

        return training.section(quick)
    if name == "heuristics":
        from benchmarks import heuristics

        return heuristics.section(quick)
    if name == "search":
        from benchmarks import search

        return search.section(quick)
    if name == "taroky":
        from benchmarks import taroky

        return taroky.section(quick)
    if name == "store":
        from benchmarks import store

        return store.section(place, quick)
    if name == "pages":
        from benchmarks import pages

        return pages.section(place, quick, lambda words: status.update(f"measuring: {name}, {words}"))
    return _load(name, place, quick, repeat, status)


def _load(name: str, place: Path, quick: bool, repeat: int, status: Status) -> Section:
    """Measure a real server under load."""
    from benchmarks import house, lines, nodes, server, steady, thinking, trend, watchers

    ways = {
        "trend": trend.section,
        "house": house.section,
        "rate": steady.rate,
        "crowd": steady.crowd,
        "watchers": watchers.section,
        "thinking": thinking.section,
        "lines": lines.section,
        "nodes": nodes.section,
    }
    try:
        return ways[name](place, quick, repeat, lambda words: status.update(f"measuring: {name}, {words}"))
    except server.BenchFailed as error:
        raise click.ClickException(str(error)) from None


def _profile(name: str, place: Path, quick: bool, picture: Path, status: Status) -> Section:
    from benchmarks import profile, server

    try:
        return profile.section(
            name, place, quick, picture, lambda words: status.update(f"profiling: {name}, {words}")
        )
    except server.BenchFailed as error:
        raise click.ClickException(str(error)) from None


def _show(section: Section, console: Console) -> None:
    from rich.table import Table

    table = Table(title=section.title, title_justify="left", box=None, pad_edge=False, header_style="dim")
    head, *rows = section.rows
    for number, cell in enumerate(head):
        table.add_column(cell, justify="right" if number else "left", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    console.print()
    console.print(table)
    for note in section.notes:
        console.print(f"- {note}", soft_wrap=True)
