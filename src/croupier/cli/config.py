"""The configuration file of a server (TOML): the options of `croupier serve` by name, validated."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final, TypeAlias

import click

from croupier.cli.tomlfile import TomlFile
from croupier.core.options import BadOptions, spell
from croupier.games import game, has_lobby, names, protocol_of
from croupier.wire.protocol import Port


def line_ports() -> list[tuple[str, Port]]:
    """Return the TCP ports of all games, each with the name of its game."""
    return [(name, port) for name in names() if (found := protocol_of(name)) for port in found.ports]


Sections: TypeAlias = "dict[str, dict[str, tuple[str, tuple[type, ...]]]]"

SECTIONS: Final[Sections] = {
    "server": {
        "host": ("host", (str,)),
        "port": ("port", (int,)),
        "public_hosts": ("public_hosts", (list,)),
        "data": ("data", (str,)),
        "database": ("database", (str,)),
        "nats": ("nats", (str,)),
        "workers": ("workers", (int,)),
        "seed": ("seed", (str, int)),
        "log_level": ("log_level", (str,)),
        "log_json": ("log_json", (bool,)),
        "trust_proxy": ("trust_proxy", (str,)),
    },
    "ports": {
        parameter.removesuffix("_port"): (parameter, (int, str))
        for parameter in (f"{port.name}_port".replace("-", "_") for _, port in line_ports())
    },
    "tls": {"certificate": ("tls_certificate", (str,)), "key": ("tls_key", (str,))},
    "limits": {
        "tables": ("most_tables", (int,)),
        "connections": ("most_connections", (int,)),
        "per_address": ("most_per_address", (int,)),
        "connections_per_address": ("most_connections_per_address", (int,)),
        "bot_pause": ("bot_pause", (int,)),
        "bot_processes": ("bot_processes", (int,)),
        "quick_match_wait": ("quick_match_wait", (int,)),
    },
    "operator": {"token_file": ("operator_token_file", (str,))},
}
"""The parameter and the allowed types for each key of each section."""
FORMER: Final[Sections] = {"limits": {"thinkers": ("bot_processes", (int,))}}
"""Keys of files written for version 0.2 or earlier."""

GAMES: Final = [name for name in names() if has_lobby(name)]
"""Sections for the tables that the games' own protocols open."""
LOBBY: Final = ("seed", "bots")
"""The keys of such a section besides the game's options."""


def read(path: Path, parameters: Mapping[str, click.Parameter]) -> dict[str, object]:
    """Return the values of *parameters* in the file at *path*; raise ClickException with the line of an
    error."""
    file = TomlFile(path, f"--config {path}")
    settings: dict[str, object] = {}
    options: list[str] = []
    for section, keys in file.found.items():
        if section not in SECTIONS and section not in GAMES:
            expected = ", ".join(f"[{name}]" for name in (*SECTIONS, *GAMES))
            raise file.wrong((section,), f"{section}: unknown, expected one of the sections {expected}")
        if not isinstance(keys, dict):
            raise file.wrong((section,), f"{section}: expected [{section}]")
        if section in GAMES:
            _check_options(file, section, keys)
            options += [f"{section}.{key}={spell(value)}" for key, value in keys.items()]
            continue
        known = SECTIONS[section] | FORMER.get(section, {})
        file.check((section,), keys, {key: types for key, (_, types) in known.items()})
        for key, value in keys.items():
            parameter = parameters[known[key][0]]
            try:
                parameter.type.convert(value, parameter, None)
            except click.BadParameter as error:
                raise file.wrong((section, key), f"{key}: {error.message}") from None
            settings[known[key][0]] = value
    if options:
        settings["options"] = options
    return settings


def _check_options(file: TomlFile, name: str, values: Mapping[str, object]) -> None:
    """Check that every option belongs to the game *name* or its tables, and has a valid value."""
    known = {**game(name).options.options, **game(name).table_options.options}
    for key, value in values.items():
        if key in LOBBY:
            continue
        if key not in known:
            expected = ", ".join((*known, *LOBBY))
            raise file.wrong((name, key), f"{name}: option {key}: unknown, expected one of {expected}")
        try:
            known[key].read(value)
        except BadOptions as error:
            raise file.wrong((name, key), f"{name}: {error}") from None


def apply(ctx: click.Context, param: click.Parameter, value: Path | None) -> None:
    """Use the values of the file as defaults of the command line options."""
    if value is not None and not ctx.resilient_parsing:
        parameters = {parameter.name: parameter for parameter in ctx.command.params}
        ctx.default_map = {**(ctx.default_map or {}), **read(value, parameters)}
