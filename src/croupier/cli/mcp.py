"""`croupier mcp`: tables for language-model agents."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import click


class Address(click.ParamType[tuple[str, int]]):
    """HOST:PORT."""

    name = "address"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, int]:
        host, _, port = str(value).rpartition(":")
        if not host or not (port.isascii() and port.isdigit()) or int(port) > 65535:
            self.fail(f"{value!r}: expected HOST:PORT, like 127.0.0.1:8090", param, ctx)
        return host.strip("[]"), int(port)


@click.command()
@click.option(
    "--server",
    metavar="URL",
    help="Use the tables of this server (http://127.0.0.1:8080); by default it starts its own.",
)
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    help="Directory of the database of its own tables; by default they are not stored.",
)
@click.option(
    "--http",
    type=Address(),
    metavar="HOST:PORT",
    help="Serve agents over HTTP at /mcp (port 0: any free port) instead of standard input.",
)
@click.option(
    "--log-level",
    default="warning",
    show_default=True,
    type=click.Choice(["debug", "info", "warning", "error"]),
    help="Log level on standard error.",
)
def mcp(server: str | None, data: Path | None, http: tuple[str, int] | None, log_level: str) -> None:
    """Let language-model agents play, over the Model Context Protocol.

    The program of an agent starts this command and gets tools to open tables, take a seat, read the table,
    decide, wait for its turn and read the rules: see docs/mcp.md for the configuration. It needs the package
    'mcp', which pip install 'croupier[mcp]' installs.

    \b
    Examples:
      croupier mcp                                  own tables, over standard input and output
      croupier mcp --server http://127.0.0.1:8080   the tables of 'croupier serve'
      croupier mcp --http 127.0.0.1:8090            agents connect to http://127.0.0.1:8090/mcp
    """
    if server is not None and data is not None:
        raise click.UsageError("--data is for its own tables: omit --server or --data")
    if server is not None and not server.startswith(("http://", "https://")):
        raise click.UsageError(f"--server {server}: expected an address like http://127.0.0.1:8080")
    try:
        from croupier.mcp.running import serve
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("croupier"):
            raise
        words = f"{error.name} is missing: run pip install 'croupier[mcp]'"
        raise click.ClickException(words) from None
    from croupier.net import logs
    from croupier.net.house import CannotServe

    logs.set_up(log_level, json=False)
    store: str | Path = "memory:"
    if data is not None:
        try:
            data.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise click.ClickException(f"--data {data}: {error.strerror}") from None
        store = data / "croupier.db"

    if http is None:
        # A read from standard input cannot be interrupted: exit immediately. Everything is already stored.
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    def tell(line: str) -> None:
        # Standard output is reserved for the protocol.
        click.echo(line, err=http is None)

    try:
        asyncio.run(serve(server, store, http, tell))
    except CannotServe as error:
        raise click.ClickException(str(error)) from None
