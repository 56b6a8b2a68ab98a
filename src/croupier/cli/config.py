"""A server's settings in a TOML file: the options of `croupier serve` by their names, checked."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from croupier.cli.tomlfile import TomlFile
from croupier.core.options import spell

SECTIONS: Final[dict[str, dict[str, tuple[str, tuple[type, ...]]]]] = {
    "server": {
        "host": ("host", (str,)),
        "port": ("port", (int,)),
        "data": ("data", (str,)),
        "seed": ("seed", (str, int)),
        "log_level": ("log_level", (str,)),
        "log_json": ("log_json", (bool,)),
    },
    "ports": {
        "coinche": ("coinche_port", (int, str)),
        "sagrada": ("sagrada_port", (int, str)),
        "sagrada_line": ("sagrada_line_port", (int, str)),
        "tarock": ("tarock_port", (int, str)),
        "taroky": ("taroky_port", (int, str)),
    },
    "tls": {"certificate": ("tls_certificate", (str,)), "key": ("tls_key", (str,))},
    "limits": {
        "tables": ("most_tables", (int,)),
        "connections": ("most_connections", (int,)),
        "thinkers": ("thinkers", (int,)),
    },
    "operator": {"token_file": ("operator_token_file", (str,))},
}
"""For each key of each section the parameter it sets, and the types it may have."""

GAMES: Final = ("coinche", "sagrada", "tarock", "taroky")
"""Sections of options of what these games' own protocols open; the games check them."""


def read(path: Path) -> dict[str, object]:
    """Return the parameters that the file at *path* sets; ClickException says what is wrong, and where."""
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
            options += [f"{section}.{key}={spell(value)}" for key, value in keys.items()]
            continue
        known = SECTIONS[section]
        file.check((section,), keys, {key: types for key, (_, types) in known.items()})
        settings.update({known[key][0]: value for key, value in keys.items()})
    if options:
        settings["options"] = options
    return settings


def apply(ctx: click.Context, param: click.Parameter, value: Path | None) -> None:
    """Let the file's settings be the defaults of the command line's options."""
    if value is not None and not ctx.resilient_parsing:
        ctx.default_map = {**(ctx.default_map or {}), **read(value)}
