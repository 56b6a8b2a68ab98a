"""`croupier serve`: the server with all protocols on one port."""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import TYPE_CHECKING

import click

from croupier.cli import config
from croupier.cli.database import Database, database_options
from croupier.cli.workers import Workers, command, is_worker, stop_with_supervisor
from croupier.games import game, protocol_of
from croupier.store.address import is_postgres

if TYPE_CHECKING:
    from ssl import SSLContext

    from croupier.http import TrustedProxies
    from croupier.net.house import LinePort

HOSTS = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}
"""The address to open in a browser for wildcard addresses."""


class PortType(click.ParamType[int | None]):
    """A port of a line protocol: a number, ``any`` for a free one, ``off`` (or 0) for none."""

    name = "port"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int | None:
        if value in ("off", "0", 0, None):
            return None
        if value == "any":
            return 0
        text = str(value)
        if not text.isascii() or not text.isdigit() or len(text) > 5 or int(text) > 65535:
            self.fail(f"{text[:40]!r}: expected a port, 'any' or 'off'", param, ctx)
        return int(text)


class ProxiesType(click.ParamType["TrustedProxies"]):
    """Addresses and networks of proxies, separated by commas."""

    name = "addresses"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> TrustedProxies:
        from croupier.http import TrustedProxies

        if isinstance(value, TrustedProxies):
            return value
        try:
            return TrustedProxies([ip_network(word.strip()) for word in str(value).split(",")])
        except ValueError as error:
            self.fail(f"{error}; expected addresses or networks like 10.0.0.0/8", param, ctx)


public_host_option = click.option(
    "--public-host",
    "public_hosts",
    multiple=True,
    metavar="NAME",
    help="A name under which browsers reach the server, like cards.example.org; can be repeated.",
)


def with_line_ports(command: Callable[..., None]) -> Callable[..., None]:
    """Add an option for every TCP port to *command*, which gets the ports to open."""

    @wraps(command)
    def opened(**options: object) -> None:
        from croupier.net.house import LinePort

        context = click.get_current_context()
        line_ports: list[LinePort] = []
        for owner, port in config.line_ports():
            name = f"{port.name}_port".replace("-", "_")
            number = options.pop(name)
            if isinstance(number, int):
                given = context.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT
                line_ports.append(LinePort(owner, number, f"--{port.name}-port", given, port.line))
        command(line_ports=line_ports, **options)

    decorated: Callable[..., None] = opened
    for _, port in reversed(config.line_ports()):
        words = f"{port.words} A number, 'any' or 'off'."
        option = f"--{port.name}-port"
        decorated = click.option(
            option, default=port.default, show_default=True, type=PortType(), help=words
        )(decorated)
    return decorated


def served(name: str) -> Mapping[str, object]:
    """Return the options of a game's lobby on a server that differ from its defaults."""
    protocol = protocol_of(name)
    return protocol.served if protocol is not None else {}


def given_options(words: Sequence[str]) -> dict[str, dict[str, object]]:
    """Return the options by game and name; if one is repeated, the last one counts."""
    found: dict[str, dict[str, object]] = {name: dict(served(name)) for name in config.GAMES if served(name)}
    for word in words:
        name, equals, value = word.partition("=")
        game, dot, option = name.partition(".")
        if not (equals and dot and option):
            raise click.UsageError(f"--option {word}: expected GAME.NAME=VALUE")
        if game not in config.GAMES:
            raise click.UsageError(
                f"--option {word}: expected one of {', '.join(config.GAMES)} before the dot"
            )
        found.setdefault(game, {})[option] = value
    return found


def options_at(host: str, options: Mapping[str, Mapping[str, object]]) -> dict[str, dict[str, object]]:
    """Return *options* for a server that listens at *host*.

    If strangers can reach it, players come back with a token unless the options say otherwise: a nickname is
    no secret.
    """
    found = {name: dict(given) for name, given in options.items()}
    if not _is_loopback(host):
        for name in config.GAMES:
            if "resume" in game(name).table_options.options:
                found.setdefault(name, {}).setdefault("resume", "token")
    return found


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _token(path: Path | None) -> str:
    """Return the operator token; raise ClickException if its file is not valid."""
    if path is None:
        return ""
    try:
        token = path.read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise click.ClickException(f"--operator-token-file {path}: {error}") from None
    if len(token) < 16:
        raise click.ClickException(
            f"--operator-token-file {path}: {len(token)} characters, expected 16 or more"
        )
    return token


def tls_of(certificate: Path | None, key: Path | None) -> SSLContext | None:
    """Return the TLS context, if TLS is wanted; raise ClickException if the files are not valid."""
    if certificate is None and key is None:
        return None
    if certificate is None or key is None:
        raise click.UsageError("--tls-certificate and --tls-key must be given together")
    import ssl

    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(certificate, key)
    except (OSError, ssl.SSLError) as error:
        words = error.strerror or str(error)
        raise click.ClickException(f"--tls-certificate {certificate}, --tls-key {key}: {words}") from None
    return context


def supervise(workers: int) -> None:
    """Run the workers until this process is asked to stop."""
    import asyncio

    async def run() -> bool:
        return await Workers(workers, command(), click.echo).run()

    if not asyncio.run(run()):
        raise click.ClickException("no worker runs any more: see the log for the reasons")


@click.command()
@click.option(
    "--config",
    type=click.Path(path_type=Path, dir_okay=False),
    is_eager=True,
    expose_value=False,
    callback=config.apply,
    help="Configuration file (TOML, see docs/ops/croupier.toml); command line options override it.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    default=8080,
    show_default=True,
    type=click.IntRange(0, 65535),
    help="Port of pages, HTTP and every WebSocket; 0 for any free one.",
)
@database_options
@click.option(
    "--nats",
    metavar="URL",
    help="NATS server: this server is then one of several nodes that share the PostgreSQL database.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    help="Start and watch this many nodes on this machine, all on the same ports; with --nats.",
)
@click.option("--seed", help="Make the deals of the default table reproducible; its players are informed.")
@click.option(
    "--log-level",
    default="info",
    show_default=True,
    type=click.Choice(["debug", "info", "warning", "error"]),
    help="Log level on standard error.",
)
@click.option("--log-json", is_flag=True, help="Log one JSON object per line.")
@click.option(
    "--tls-certificate",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Certificate chain in PEM: all ports then use TLS.",
)
@click.option("--tls-key", type=click.Path(path_type=Path, dir_okay=False), help="Its private key in PEM.")
@click.option(
    "--trust-proxy",
    type=ProxiesType(),
    help="Proxies whose X-Forwarded headers are trusted: addresses or networks, separated by commas.",
)
@click.option(
    "--most-tables",
    default=5000,
    show_default=True,
    type=click.IntRange(1),
    help="Maximum number of open tables.",
)
@click.option(
    "--most-connections",
    default=10000,
    show_default=True,
    type=click.IntRange(1),
    help="Maximum number of connections.",
)
@click.option(
    "--most-connections-per-address",
    default=256,
    show_default=True,
    type=click.IntRange(0),
    help="Maximum number of connections of one address, except this machine; 0 for no limit.",
)
@click.option(
    "--most-per-address",
    default=200,
    show_default=True,
    type=click.IntRange(0),
    help="Maximum number of open tables, tournaments, reviews and similar per address and account; 0 for no "
    "limit.",
)
@public_host_option
@click.option(
    "--bot-pause",
    default=500,
    show_default=True,
    type=click.IntRange(0, 60_000),
    help="Minimum time in milliseconds between two decisions at a table where only bots play.",
)
@click.option(
    "--quick-match-wait",
    default=30,
    show_default=True,
    type=click.IntRange(1, 3600),
    help="Seconds after which bots take the free seats of a quick match.",
)
@click.option(
    "--bot-processes",
    type=click.IntRange(0, 256),
    help="Size of the bot pool: processes for searching bots; with 0 they play by heuristic.  "
    "[default: one fewer than the cores, at least 1]",
)
@click.option("--thinkers", type=click.IntRange(0, 256), hidden=True)  # the name until 0.2
@click.option(
    "--operator-token-file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File with the token for the operator page at /operator; without it there is no such page.",
)
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="GAME.NAME=VALUE",
    callback=lambda ctx, param, words: given_options(words),
    help="An option of the tables that a game's own protocol opens (GAME.target=1000); can be repeated.",
)
@with_line_ports
def serve(
    host: str,
    port: int,
    database: Database,
    nats: str | None,
    workers: int | None,
    seed: str | None,
    log_level: str,
    log_json: bool,
    tls_certificate: Path | None,
    tls_key: Path | None,
    trust_proxy: TrustedProxies | None,
    most_tables: int,
    most_connections: int,
    most_connections_per_address: int,
    most_per_address: int,
    public_hosts: tuple[str, ...],
    bot_pause: int,
    quick_match_wait: int,
    bot_processes: int | None,
    thinkers: int | None,
    operator_token_file: Path | None,
    options: dict[str, dict[str, object]],
    line_ports: list[LinePort],
) -> None:
    """Run the server: lobby, tables, all protocols.

    Open the address it prints. Programs connect to the same port. The house protocol of every game is at
    /house/TABLE. The published protocol of a game is at /GAME if it has a lobby, otherwise at /t/TABLE; the
    default table, which plays the first game of 'croupier games', is also at /. Line protocols have ports of
    their own; a default port that is in use is skipped with a warning.
    """
    from croupier.http import TrustedProxies
    from croupier.net import logs
    from croupier.net.house import CannotServe, Plan
    from croupier.net.server import serve as run
    from croupier.wire.table_spec import TableSpec

    if nats and not is_postgres(database.where):
        raise click.UsageError("--nats: several nodes need a PostgreSQL database: add --database URL")
    if workers is not None and not hasattr(socket, "SO_REUSEPORT"):
        raise click.UsageError("--workers: this system does not let several processes share a port")
    if workers is not None and nats is None:
        raise click.UsageError("--workers: several nodes need NATS and a PostgreSQL database: add --nats URL")
    if workers is not None and (port == 0 or any(one.port == 0 for one in line_ports)):
        raise click.UsageError("--workers: all workers listen on the same ports: choose their numbers")
    logs.set_up(log_level, log_json)
    if workers is not None and not is_worker():
        supervise(workers)
        return
    if is_worker():
        stop_with_supervisor()
    database.make_folder()
    tls = tls_of(tls_certificate, tls_key)

    def ready(bound: int, ports: Mapping[LinePort, int]) -> None:
        shown = HOSTS.get(host, host)
        click.echo(f"Croupier is at {'https' if tls else 'http'}://{shown}:{bound}/")
        for line_port, real in ports.items():
            click.echo(
                f"  line protocol {line_port.option.strip('-').removesuffix('-port')} at {shown} port {real}"
            )

    default = TableSpec(["open"] * 4, seed=seed, auto_cycle=True)
    plan = Plan(
        host,
        port,
        "serve",
        database.where,
        default,
        ready,
        line_ports,
        tls=tls,
        trusted_proxies=trust_proxy or TrustedProxies(),
        most_tables=most_tables,
        most_connections=most_connections,
        most_connections_per_address=most_connections_per_address,
        most_per_address=most_per_address,
        public_hosts=public_hosts,
        bot_pause=bot_pause / 1000,
        quick_match_wait=quick_match_wait,
        bot_processes=bot_processes if bot_processes is not None else thinkers,
        operator_token=_token(operator_token_file),
        options=options_at(host, options),
        nats=nats or "",
        reuse_port=is_worker(),
    )
    try:
        run(plan)
    except CannotServe as error:
        raise click.ClickException(str(error)) from None
