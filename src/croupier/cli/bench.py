"""`croupier bench`: runs the benchmarks of a source checkout, if there is one."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Final

import click

MISSING: Final = (
    "the benchmarks are part of the source checkout, not of the installed package: "
    "unpack croupier's source archive (.tar.gz) or clone its repository, and run 'make bench' there"
)


class NoCheckout(click.ClickException):
    """There is no checkout with the benchmarks."""

    exit_code = 2


def checkout() -> Path | None:
    """Return the checkout that contains this package or the current folder."""
    here = Path.cwd()
    for folder in (Path(__file__).resolve().parents[3], here, *here.parents):
        if (folder / "benchmarks/command.py").is_file() and (folder / "src/croupier").is_dir():
            return folder
    return None


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("what", nargs=-1, type=click.UNPROCESSED, metavar="[WHAT]...")
def missing(what: tuple[str, ...]) -> None:
    """Measure speed and write a report, in a source checkout of croupier."""
    raise NoCheckout(MISSING)


def command() -> click.Command:
    """Return the command of the checkout, or one that explains how to get it."""
    found = checkout()
    if found is None:
        return missing
    if str(found) not in sys.path:
        sys.path.append(str(found))
    command = import_module("benchmarks.command").bench
    assert isinstance(command, click.Command)
    return command


bench: Final = command()
