"""`croupier serve`: everything the house has, on one port."""

from __future__ import annotations

from pathlib import Path

import click

HOSTS = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}
"""What to open in a browser for addresses that mean every address."""


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    default=8080,
    show_default=True,
    type=click.IntRange(0, 65535),
    help="Port of pages, HTTP and every WebSocket; 0 takes any free one.",
)
@click.option(
    "--data",
    default="data",
    show_default=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Directory of the database.",
)
@click.option("--seed", help="Make the default table's deals reproducible (and say so to its players).")
@click.option(
    "--log-level",
    default="info",
    show_default=True,
    type=click.Choice(["debug", "info", "warning", "error"]),
    help="How much to log on standard error.",
)
@click.option("--log-json", is_flag=True, help="One JSON object a log line.")
def serve(host: str, port: int, data: Path, seed: str | None, log_level: str, log_json: bool) -> None:
    """Run the server: lobby, tables, every protocol.

    Open the address it prints. Programs connect to the same port: Hearts in the Trend protocol at / and
    /t/<table>, every game in the house protocol at /house/<table>.
    """
    from croupier.net import logs
    from croupier.net.server import CannotServe, Plan
    from croupier.net.server import serve as run
    from croupier.table.hall import Config

    logs.set_up(log_level, log_json)
    try:
        data.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.ClickException(f"--data {data}: {error.strerror}") from None

    def ready(bound: int) -> None:
        click.echo(f"Croupier is at http://{HOSTS.get(host, host)}:{bound}/")

    plan = Plan(
        host, port, "serve", data / "croupier.db", Config(["open"] * 4, seed=seed, auto_cycle=True), ready
    )
    try:
        run(plan)
    except CannotServe as error:
        raise click.ClickException(str(error)) from None
