"""`croupier hearts-node`: the game node of the Trend Hearts SDK (spec section 7)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

import click

SEATS: Final = {
    "dummy": "bot dummy",
    "human": "person",
    "empty": "open",
    **{bot: f"bot {bot}" for bot in ("random", "novice", "heuristic", "club", "expert")},
}
"""The words of the specification, and the house's bots."""
TABLE_WIDE: Final = ("auto_cycle", "seat_tokens", "watch_open", "seed")
"""Options of the spec's section 10 that belong to the table rather than to Hearts."""


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
@_milliseconds("--pass-cards-timeout", 3000, "Timeout of pass_cards event in milliseconds, 0 is none.")
@_milliseconds("--expose-cards-timeout", 3000, "Timeout of expose_cards event in milliseconds, 0 is none.")
@_milliseconds("--pick-card-timeout", 1000, "Timeout of pick_card event in milliseconds, 0 is none.")
@_milliseconds("--round-interval", 2000, "Time interval between rounds in milliseconds.")
@_milliseconds("--deal-interval", 2000, "Time interval between deals in milliseconds.")
@_milliseconds("--command-interval", 500, "Time interval between commands in milliseconds.")
@click.option("--auto-cycle", type=int, default=0, show_default=True, help="Auto restart games if value > 0.")
@click.option(
    "--seats",
    callback=_seats,
    default="empty,empty,empty,empty",
    show_default=True,
    help="Preset of the four seats, separated by commas: dummy, human or empty; or a bot of the house, from "
    "random, novice, heuristic, club to expert.",
)
@click.option("--start", is_flag=True, help="Start the default table at once, no page needed.")
@click.option("--seed", help="Make the deals reproducible (and say so to the players).")
@click.option(
    "--wire-profile",
    type=click.Choice(["compat", "doc"]),
    default="compat",
    show_default=True,
    help="compat sends roundCard before a player's turn too, doc leaves it out.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to bind on.")
@click.option(
    "--option",
    "options",
    multiple=True,
    callback=_pairs,
    metavar="NAME=VALUE",
    help="A rule or table option (moon=zero, deals=1); may be given often.",
)
def hearts_node(
    port: int,
    auto_cycle: int,
    seats: list[str],
    start: bool,
    seed: str | None,
    wire_profile: str,
    host: str,
    options: dict[str, str],
    **milliseconds: int,
) -> None:
    """Run the Trend Hearts game node: one page at /, WebSocket at the same address, table by table.

    '--seats empty,empty,empty,empty --start --auto-cycle 1' is a headless node for four programs.
    """
    from croupier.core.options import BadOptions, Option, OptionTable
    from croupier.games.hearts import GAME
    from croupier.net import logs
    from croupier.net.server import CannotServe, Plan, serve
    from croupier.table.hall import Config, setup_of
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
        config = Config(
            seats=seats,
            options=GAME.options.changed(GAME.options.read(rules)),
            table_options=GAME.table_options.changed(clocks),
            seed=str(wide["seed"]) or None,
            auto_cycle=bool(wide["auto_cycle"]),
            start=start,
            watch_open=bool(wide["watch_open"]),
            anybody_starts=True,
            seat_tokens=[token_digest(token) if token else "" for token in tokens]
            if isinstance(tokens, list)
            else [],
        )
        setup_of("default", GAME, config)
    except BadOptions as error:
        raise click.UsageError(str(error)) from None

    def ready(bound: int, doors: object) -> None:
        click.echo(f"Trend Hearts Poker Node is running, listening on port {bound}")

    try:
        serve(Plan(host, port, "node", "memory:", config, ready))
    except CannotServe as error:
        raise click.ClickException(str(error)) from None
