"""The `croupier` command: subcommands are imported on use, so that --help is fast."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Final

import click

from croupier import __version__

COMMANDS: Final = {
    "serve": ("croupier.cli.serve", "serve", "Run the server: lobby, tables, all protocols."),
    "games": ("croupier.cli.games", "games", "List the games, where they come from, and their parts."),
    "play": ("croupier.cli.play", "play", "Play in the terminal against bots."),
    "replay": ("croupier.cli.replay", "replay", "Step through a record or a stored match."),
    "review": (
        "croupier.cli.review",
        "review",
        "Compare every decision with the choice of the bot expert.",
    ),
    "export": ("croupier.cli.records", "export", "Write stored matches as records."),
    "import": ("croupier.cli.records", "import_", "Import records into the database."),
    "verify": ("croupier.cli.records", "verify", "Check a record's deals against their commitments."),
    "backup": ("croupier.cli.backup", "backup", "Copy the database while the server runs."),
    "migrate": ("croupier.cli.backup", "migrate", "Copy a database from SQLite to PostgreSQL, or back."),
    "drain": ("croupier.cli.nodes", "drain", "Hand over everything from one node to the others."),
    "nodes": ("croupier.cli.nodes", "nodes", "List the servers that use a PostgreSQL database."),
    "moderate": ("croupier.cli.moderate", "moderate", "Close tables, remove, rename, mute and ban people."),
    "mcp": ("croupier.cli.mcp", "mcp", "Let language-model agents play (Model Context Protocol)."),
    "arena": ("croupier.cli.arena", "arena", "Let bots and programs play each other, and rank them."),
    "train": ("croupier.cli.train", "train", "Train the network of a game for the strength master."),
    "example": ("croupier.cli.example", "example", "Print an example program or configuration file."),
    "bench": ("croupier.cli.bench", "bench", "Measure speed and write a report."),
}


def commands() -> dict[str, Sequence[str]]:
    """Return all commands, those of the games last: module, function and one line of help."""
    from croupier import games

    return {**COMMANDS, **games.commands()}


class Lazy(click.Group):
    """A group with a name and one line for each command; it imports only the one that is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(commands())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        found = COMMANDS.get(cmd_name) or commands().get(cmd_name)
        if found is None:
            return None
        module, name, _ = found
        command = getattr(import_module(module), name)
        assert isinstance(command, click.Command), name
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, words) for name, (_, _, words) in commands().items()])


def _version(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    if not value or ctx.resilient_parsing:
        return
    from croupier.core import contract

    kind = "interpreted" if contract.__file__.endswith(".py") else "compiled"
    click.echo(f"croupier {__version__} (rules: {kind})")
    ctx.exit()


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Show the version and whether the rules are compiled.",
)
def cli() -> None:
    """A table-game server for programs and people.

    Start with 'croupier serve' and open the address it prints.
    """


def _open_streams() -> None:
    """Replace a closed standard stream (`<&-`) with an empty one."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode))  # noqa: SIM115  # open until exit


def _let_go() -> None:
    """Discard output that standard output does not accept, or Python would complain at exit."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main() -> None:
    """Run the command; report user errors in one line on standard error, without a traceback."""
    _open_streams()
    try:
        code = cli.main(prog_name="croupier", standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except click.Abort:
        sys.exit(130)
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "croupier"
        click.echo(f"{command}: {error.format_message()} (try '{command} --help')", err=True)
        sys.exit(error.exit_code)
    except click.ClickException as error:
        click.echo(f"croupier: {error.format_message()}", err=True)
        sys.exit(error.exit_code)
    except OSError as error:
        _let_go()
        if not isinstance(error, BrokenPipeError):
            where = f"{error.filename}: " if error.filename else ""
            click.echo(f"croupier: {where}{error.strerror or error}", err=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
