"""`croupier hearts-node`: the game node of the Trend Hearts SDK (spec section 7)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

import click

from croupier.cli.serve import public_host_option

SEATS: Final = {
    "dummy": "bot dummy",
    "human": "person",
    "empty": "open",
    **{bot: f"bot {bot}" for bot in ("random", "novice", "heuristic", "club", "expert")},
}
"""The words of the specification, and the bots of the server."""
TABLE_WIDE: Final = ("auto_cycle", "seat_tokens", "watch_open", "seed")
"""Options of section 10 of the spec that belong to the table rather than to Hearts."""


Command = TypeVar("Command", bound=Callable[..., Any])  # click's own decorators are typed so


def _milliseconds(name: str, default: int, words: str) -> Callable[[Command], Command]:
    return click.option(name, type=click.IntRange(0, 600_000), default=default, show_default=True, help=words)


def _seats(ctx: click.Context, param: click.Parameter, value: str) -> list[str]:
    words = [word.strip() for word in value.split(",")]
    if len(words) != 4 or any(word not in SEATS for word in words):
        raise click.BadParameter(f"{value!r}: expected four of {', '.join(SEATS)}, separated by commas")
    return [SEATS[word] for word in words]


def _pairs(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for item in value:
        name, equals, text = item.partition("=")
        if not equals:
            raise click.BadParameter(f"{item!r}: expected NAME=VALUE")
        pairs[name] = text
    return pairs


@click.command(context_settings={"help_option_names": ["--help"]})
@click.version_option(package_name="croupier", message="%(version)s")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8080, show_default=True, help="Port to bind on."
)
@_milliseconds("--pass-cards-timeout", 3000, "Timeout of pass_cards event in milliseconds, 0 for none.")
@_milliseconds("--expose-cards-timeout", 3000, "Timeout of expose_cards event in milliseconds, 0 for none.")
@_milliseconds("--pick-card-timeout", 1000, "Timeout of pick_card event in milliseconds, 0 for none.")
@_milliseconds("--round-interval", 2000, "Time interval between rounds in milliseconds.")
@_milliseconds("--deal-interval", 2000, "Time interval between deals in milliseconds.")
@_milliseconds("--command-interval", 500, "Time interval between commands in milliseconds.")
@click.option("--auto-cycle", type=int, default=0, show_default=True, help="Auto restart games if value > 0.")
@click.option(
    "--seats",
    callback=_seats,
    default="empty,empty,empty,empty",
    show_default=True,
    help="Preset of the four seats, separated by commas: dummy, human or empty; or a bot: "
    "random, novice, heuristic, club or expert.",
)
@click.option("--start", is_flag=True, help="Start the default table immediately, without the page.")
@click.option("--seed", help="Make the deals reproducible; the players are informed.")
@click.option(
    "--wire-profile",
    type=click.Choice(["compat", "doc"]),
    default="compat",
    show_default=True,
    help="compat also sends roundCard before a player's turn, doc omits it.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to bind on.")
@public_host_option
@click.option(
    "--option",
    "options",
    multiple=True,
    callback=_pairs,
    metavar="NAME=VALUE",
    help="A rule or table option (moon=zero, deals=1); can be repeated.",
)
def hearts_node(
    port: int,
    auto_cycle: int,
    seats: list[str],
    start: bool,
    seed: str | None,
    wire_profile: str,
    host: str,
    public_hosts: tuple[str, ...],
    options: dict[str, str],
    **milliseconds: int,
) -> None:
    """Run the Trend Hearts game node: a page at /, WebSocket at the same address, any number of tables.

    '--seats empty,empty,empty,empty --start --auto-cycle 1' is a headless node for four programs.
    """
    from croupier.core.options import BadOptions, Option, OptionTable
    from croupier.games.hearts import GAME
    from croupier.net import logs
    from croupier.net.house import CannotServe, Plan
    from croupier.net.server import serve
    from croupier.table.setup import setup_of
    from croupier.wire.table_spec import TableSpec
    from croupier.wire.talk import token_digest

    logs.set_up("warning", False)
    table_wide = OptionTable(
        [
            Option("auto_cycle", max(auto_cycle, 0), "", low=0, high=2**31),
            Option("seat_tokens", [], ""),
            Option("watch_open", False, ""),
            Option("seed", seed or "", ""),
        ]
    )
    try:
        wide = table_wide.read({name: options[name] for name in options if name in TABLE_WIDE})
        rules = {name: options[name] for name in options if name in GAME.options.options}
        rest = {name: options[name] for name in options if name not in TABLE_WIDE and name not in rules}
        clocks = GAME.table_options.read({**milliseconds, "wire_profile": wire_profile, **rest})
        tokens = wide["seat_tokens"]
        spec = TableSpec(
            seats=seats,
            options=GAME.options.read(rules),
            table_options=clocks,
            seed=str(wide["seed"]) or None,
            auto_cycle=bool(wide["auto_cycle"]),
            start=start,
            watch_open=bool(wide["watch_open"]),
            anybody_starts=True,
            seat_tokens=[token_digest(token) if token else "" for token in tokens]
            if isinstance(tokens, list)
            else [],
        )
        setup_of("default", GAME, spec)
    except BadOptions as error:
        raise click.UsageError(str(error)) from None

    def ready(bound: int, line_ports: object) -> None:
        click.echo(f"Trend Hearts Poker Node is running, listening on port {bound}")

    try:
        serve(Plan(host, port, "node", "memory:", spec, ready, public_hosts=public_hosts))
    except CannotServe as error:
        raise click.ClickException(str(error)) from None
