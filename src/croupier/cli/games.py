"""`croupier games`: the games of this installation."""

from __future__ import annotations

import click


@click.command()
def games() -> None:
    """List the games: name, version of the rules, title, where it comes from, and its optional parts.

    Games of installed packages have an entry point in the group croupier.games. If one of them cannot be
    used, the reason is shown in one line, and the exit status is 1.
    """
    from croupier.games import broken, game, parts, registry

    for name, entry in registry().items():
        found = game(name)
        has = ", ".join(parts(name)) or "no optional parts"
        click.echo(f"{name} {found.rules}: {found.title}, from {entry.source}; {has}")
        if entry.problem:
            click.echo(f"{name}: {entry.problem}", err=True)
    for entry in broken():
        click.echo(f"{entry.name}: cannot be used, from {entry.source}: {entry.problem}", err=True)
    if broken():
        raise SystemExit(1)
