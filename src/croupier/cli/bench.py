"""`croupier bench`: how fast it is, on this machine, beside what everybody knows."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.console import Console
    from rich.status import Status

    from croupier.bench.report import Section

WHAT = ("playouts", "games", "training", "search", "taroky", "store", "server", "lines", "thinking")
LONG = ("strength",)
"""What takes hours: only by its name."""


@click.command()
@click.argument("what", type=click.Choice([*WHAT, *LONG, "all"]), default="all")
@click.option("--quick", is_flag=True, help="Less of everything: 25 tables instead of 250.")
@click.option(
    "-o",
    "--output",
    default="bench-report.md",
    show_default=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where the report goes.",
)
@click.option(
    "--folder",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Where databases are made meanwhile: their disk decides.  [default: the system's folder]",
)
@click.option(
    "--deals",
    default=1000,
    show_default=True,
    type=click.IntRange(min=2),
    help="Duplicate deals of each pairing, for strength alone.",
)
def bench(what: str, quick: bool, output: Path, folder: Path | None, deals: int) -> None:
    """Measure speed and write a report: playouts, games, training, search, taroky, store, server, lines,
    thinking, or all of these; or strength.

    Playouts compare the rules with OpenSpiel's, search the bots with its ISMCTSBot, training the environments
    with Shimmy's and PettingZoo's, if those are installed; the server is compared with a bare echo over the
    same WebSocket library, Coinche's lines with a bare line echo; thinking compares tables beside bots that
    search with tables beside none. Strength, which takes hours, plays duplicate deals between the bots;
    broken off, it goes on where it was.
    """
    from rich import console as rich_console

    from croupier.bench.report import machine, markdown

    if not output.parent.is_dir():
        raise click.UsageError(f"-o {output}: there is no folder {output.parent}")
    console = rich_console.Console(highlight=False)
    if not console.is_terminal:
        console.width = 160  # a file has no edge to wrap at
    for line in machine():
        console.print(line, style="dim", soft_wrap=True)
    sections: list[Section] = []
    with tempfile.TemporaryDirectory(prefix="croupier-bench-", dir=folder) as place:
        for name in WHAT if what == "all" else [what]:
            with console.status(f"measuring: {name}") as status:
                if name == "strength":
                    sections.append(_strength(output, 4 if quick else deals, status))
                else:
                    sections.append(_measure(name, Path(place), quick))
            _show(sections[-1], console)
    try:
        output.write_text(markdown(sections), encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"-o {output}: {error.strerror}") from None
    console.print(f"The report is in {output}", style="dim")


def _strength(output: Path, deals: int, status: Status) -> Section:
    from croupier.bench import strength

    def told(done: int, all_of: int) -> None:
        status.update(f"measuring: strength, {done} of {all_of} parts")

    return strength.section(deals, output.with_suffix(".strength"), told)


def _measure(name: str, place: Path, quick: bool) -> Section:
    if name == "playouts":
        from croupier.bench import playouts

        return playouts.section(quick)
    if name == "games":
        from croupier.bench import every_game

        return every_game.section(quick)
    if name == "training":
        from croupier.bench import training

        return training.section(quick)
    if name == "search":
        from croupier.bench import search

        return search.section(quick)
    if name == "taroky":
        from croupier.bench import taroky

        return taroky.section(quick)
    if name == "store":
        from croupier.bench import store

        return store.section(place, quick)
    from croupier.bench import lines, server, thinking

    try:
        if name == "thinking":
            return thinking.section(place, quick)
        return lines.section(place, quick) if name == "lines" else server.section(place, quick)
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
