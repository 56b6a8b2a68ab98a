"""The keys and reasons for which the pages need texts, as a table that the tests of the pages read.

`python -m tests.page_tables` writes it. Options are taken from tables. The keys of refusals and
the reasons for closing are constants in the code, so they are found in the syntax of those modules.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from croupier.core.options import Option
from croupier.games import BUILT_IN, game
from croupier.table import match, next_deal, questions, seating, table
from croupier.wire import house
from croupier.wire.talk import CLOSINGS

ROOT: Final = Path(__file__).parents[1]
FILE: Final = ROOT / "web/src/tests/fixtures/server.json"
SHARED: Final = (table, seating, match, questions, next_deal, house)
REFUSALS: Final = {"IllegalAction", "Refusal", "Refused", "_refuse"}
REFUSING: Final = ("refusals", "auction", "legality", "tools")
"""The modules of games that may refuse actions."""


def tree(module: str) -> ast.Module:
    """Return the syntax of *module*, even if it is compiled."""
    path = (ROOT / "src" / Path(*module.split("."))).with_suffix(".py")
    return ast.parse(path.read_text(encoding="utf-8"))


def given(syntax: ast.Module) -> Iterator[ast.expr]:
    """Yield the first two arguments in calls that refuse something."""
    for node in ast.walk(syntax):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            yield from node.args[:2] if name in REFUSALS else []


def returned(syntax: ast.Module) -> Iterator[ast.expr]:
    """Yield what functions return, alone or as first item."""
    for node in ast.walk(syntax):
        if isinstance(node, ast.Return):
            one = node.value.elts[0] if isinstance(node.value, ast.Tuple) else node.value
            yield from [one.body, one.orelse] if isinstance(one, ast.IfExp) else [one] if one else []


def listed(syntax: ast.Module) -> Iterator[ast.expr]:
    """Yield the keys of tables, and the first items of their values."""
    for node in syntax.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Dict):
            firsts = [one.elts[0] for one in node.value.values if isinstance(one, ast.Tuple)]
            yield from firsts or [one for one in node.value.keys if one]


def spelt(found: Iterable[ast.expr]) -> set[str]:
    """Return the constants in *found* that are keys of refusals."""
    values = {one.value for one in found if isinstance(one, ast.Constant) and isinstance(one.value, str)}
    return {key for key in values if re.fullmatch(r"[a-z]+(_[a-z]+)*", key)}


def refusals() -> set[str]:
    """Return the key of every refusal of the tables and the house protocol."""
    return {key for module in SHARED for key in spelt(given(tree(module.__name__)))}


def refusals_of(name: str) -> set[str]:
    """Return the key of every refusal in the rules of a game."""
    folder = ROOT / "src/croupier/games" / name
    found: set[str] = set()
    for module in REFUSING:
        if (folder / f"{module}.py").is_file():
            syntax = tree(f"croupier.games.{name}.{module}")
            found |= spelt([*given(syntax), *returned(syntax), *listed(syntax)])
    return found


def farewells() -> set[str]:
    """Return the keys of the reasons for which the server closes a table or stops."""
    return set(CLOSINGS.values())


def choices(name: str) -> set[str]:
    """Return the choices that need a text; numbers and lists are shown as they are."""
    return {choice for option in shown(name) if option.kind() == "choice" for choice in option.choices}


def shown(name: str) -> list[Option]:
    """Return the options of a game that the forms of the pages show."""
    every = [*game(name).options.options.values(), *game(name).table_options.options.values()]
    return [option for option in every if not option.technical]


def written() -> str:
    """Return the expected content of the file."""
    found = {
        "options": {name: [option.name for option in shown(name)] for name in BUILT_IN},
        "choices": {name: sorted(choices(name)) for name in BUILT_IN},
        "refusals": sorted(refusals()),
        "rules": {name: sorted(refusals_of(name) - refusals()) for name in BUILT_IN},
        "presets": {name: [preset.plain() for preset in game(name).presets] for name in BUILT_IN},
        "penalties": [name for name in BUILT_IN if game(name).penalties],
        "farewells": sorted(farewells()),
    }
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
