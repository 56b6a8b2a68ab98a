"""`croupier moderate`: orders of the operator to a running server, over its HTTP API."""

from __future__ import annotations

import getpass
import json
import re
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import click

TIMEOUT: Final = 30.0
UNITS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400}

F = TypeVar("F", bound=Callable[..., Any])


class Duration(click.ParamType[float]):
    """A time such as 90s, 30m, 2h or 7d."""

    name = "time"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        found = re.fullmatch(r"([0-9]+)([smhd])", str(value))
        if found is None or not int(found[1]):
            self.fail(f"{value}: expected a time such as 90s, 30m, 2h or 7d", param, ctx)
        return float(found[1]) * UNITS[found[2]]


class Server:
    """A running server and the file with the operator's token, read when it is needed: --help needs none."""

    def __init__(self, url: str, token_file: Path | None, by: str) -> None:
        self._url = url.rstrip("/")
        self._token_file = token_file
        self._by = by

    def get(self, path: str) -> Any:
        """Return the answer to a GET request."""
        return self._ask(urllib.request.Request(self._url + path))

    def order(self, act: str, why: str = "", **members: object) -> None:
        """Give an order, and print its entry in the audit log."""
        body = {"act": act, "by": self._by, "why": why, **members}
        request = urllib.request.Request(self._url + "/api/operator/orders", json.dumps(body).encode())
        request.add_header("Content-Type", "application/json")
        click.echo(_line(self._ask(request)))

    def _ask(self, request: urllib.request.Request) -> Any:
        if not request.full_url.startswith(("http://", "https://")):
            raise click.ClickException(f"--server {self._url}: expected http:// or https://")
        request.add_header("Authorization", f"Bearer {self._token()}")
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise click.ClickException(_problem(error)) from None
        except (OSError, ValueError) as error:
            reason = getattr(error, "reason", error)
            raise click.ClickException(f"{self._url}: no answer: {reason}") from None

    def _token(self) -> str:
        if self._token_file is None:
            group = click.get_current_context().parent
            raise click.UsageError("Missing option '--operator-token-file'.", group)
        try:
            return self._token_file.read_text().strip()
        except (OSError, UnicodeDecodeError) as error:
            raise click.ClickException(f"--operator-token-file {self._token_file}: {error}") from None


def _problem(error: urllib.error.HTTPError) -> str:
    """Return the words of a refusal."""
    try:
        return str(json.load(error)["words"])
    except (ValueError, KeyError, TypeError):
        return f"the server answers {error.code} {error.reason}"


def _line(entry: dict[str, str | None]) -> str:
    """Return an entry of the audit log as one line."""
    parts = [entry["when"], entry["by"], entry["act"], entry["whom"]]
    new = "with the text" if entry["act"] == "announce" else "to"
    for word, name in ((new, "new"), ("until", "until"), ("because", "why")):
        if entry[name]:
            parts.append(f"{word} {entry[name]}")
    return "  ".join(str(part) for part in parts)


@click.group()
@click.option(
    "--server", default="http://127.0.0.1:8080", show_default=True, metavar="URL", help="The running server."
)
@click.option(
    "--operator-token-file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File with the operator token, as given to 'croupier serve'.  [required]",
)
@click.option("--by", help="Your name for the audit log.  [default: the name of your login]")
@click.pass_context
def moderate(ctx: click.Context, server: str, operator_token_file: Path | None, by: str | None) -> None:
    """Give orders to a running server: each one is written to its audit log.

    The person concerned is told the reason. Names of accounts are compared without case and accents.
    """
    ctx.obj = Server(server, operator_token_file, (by or _login())[:40])


def _login() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "operator"


why_option = click.option("--why", default="", help="The reason.")
table_option = click.option("--table", default="", metavar="ID", help="At this table only.")


def for_a_time(command: F) -> F:
    """Add the options of orders that end by themselves."""
    options: list[Callable[[F], F]] = [
        click.argument("who"),
        click.option("--for", "seconds", required=True, type=Duration(), help="How long: 90s, 30m, 2h, 7d."),
        click.option(
            "--with-addresses", is_flag=True, help="Also the addresses from which the account is connected."
        ),
        why_option,
    ]
    for option in reversed(options):
        command = option(command)
    return command


@moderate.command()
@click.argument("table")
@why_option
@click.pass_obj
def close(server: Server, table: str, why: str) -> None:
    """Close the table with the id TABLE; a running match is aborted."""
    server.order("close", why, table=table)


@moderate.command()
@click.argument("name")
@table_option
@why_option
@click.pass_obj
def remove(server: Server, name: str, table: str, why: str) -> None:
    """Remove the person NAME from their seats; during a match a bot takes over."""
    server.order("remove", why, name=name, table=table)


@moderate.command()
@click.argument("name")
@click.argument("new")
@table_option
@why_option
@click.pass_obj
def rename(server: Server, name: str, new: str, table: str, why: str) -> None:
    """Rename the account NAME, or the guest NAME at their tables, to NEW."""
    server.order("rename", why, name=name, new=new, table=table)


@moderate.command()
@for_a_time
@click.pass_obj
def mute(server: Server, who: str, seconds: float, with_addresses: bool, why: str) -> None:
    """Refuse the chat messages of WHO: an account, a guest who is present, or an address.

    A guest is muted by their address, and with them everyone else who has this address.
    """
    server.order("mute", why, who=who, seconds=seconds, addresses=with_addresses)


@moderate.command()
@for_a_time
@click.pass_obj
def ban(server: Server, who: str, seconds: float, with_addresses: bool, why: str) -> None:
    """Refuse WHO on every protocol: an account, a guest who is present, or an address.

    A guest is banned by their address, and with them everyone else who has this address.
    """
    server.order("ban", why, who=who, seconds=seconds, addresses=with_addresses)


@moderate.command()
@click.argument("id")
@why_option
@click.pass_obj
def lift(server: Server, id: str, why: str) -> None:
    """End the ban or mute with this ID, which 'list' shows."""
    server.order("lift", why, id=id)


@moderate.command()
@click.option("--in", "seconds", required=True, type=Duration(), help="When: 90s, 30m, 2h.")
@click.option("--text", default="", help="What is added to the announcement.")
@click.pass_obj
def announce(server: Server, seconds: float, text: str) -> None:
    """Announce a restart to everyone, with a countdown; the server does not stop by itself."""
    server.order("announce", seconds=seconds, text=text)


@moderate.command()
@why_option
@click.pass_obj
def withdraw(server: Server, why: str) -> None:
    """Withdraw the announcement of a restart."""
    server.order("withdraw", why)


@moderate.command()
@click.argument("report")
@why_option
@click.pass_obj
def dismiss(server: Server, report: str, why: str) -> None:
    """Remove the report with this id from the list."""
    server.order("dismiss", why, report=report)


@moderate.command("list")
@click.option("--json", "json_", is_flag=True, help="Print JSON.")
@click.pass_obj
def list_(server: Server, json_: bool) -> None:
    """List the people present, bans and mutes, and reports of players."""
    found = server.get("/api/operator/moderation")
    if json_:
        click.echo(json.dumps(found))
        return
    for one in found["people"]:
        where = f"{one['game']} table {one['table']} seat {one['seat']}" if one["table"] else "in a lobby"
        account = "account" if one["account"] else "guest"
        click.echo(f"person  {one['name']}  {account}  {where}" + ("" if one["connected"] else "  away"))
    for one in found["measures"]:
        because = f"  because {one['why']}" if one["why"] else ""
        click.echo(f"{one['kind']}  {one['id']}  {one['whom']}  until {one['until']}{because}")
    for one in found["reports"]:
        click.echo(f"report  {one['id']}  {one['by']} about {one['whom']} at {one['table']}: {one['text']}")
        for line in one["lines"]:
            click.echo(f"    {line['when']}  {line['name']}: {line['text']}")


@moderate.command()
@click.option(
    "--limit", default=100, show_default=True, type=click.IntRange(1, 200), help="How many entries."
)
@click.option("--json", "json_", is_flag=True, help="Print each entry as a line of JSON.")
@click.pass_obj
def audit(server: Server, limit: int, json_: bool) -> None:
    """Print the audit log, newest entries first: when, who, what, whom, until when, why."""
    for entry in server.get(f"/api/operator/audit?limit={limit}"):
        click.echo(json.dumps(entry) if json_ else _line(entry))
