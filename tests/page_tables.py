"""The keys and reasons for which the pages need texts, as a table that the tests of the pages read.

`python -m tests.page_tables` writes it. Options and faults are taken from tables. The keys of refusals and
the reasons for closing are constants in the code, so they are found in the syntax of those modules.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Final

from croupier.core.options import Option
from croupier.games import BUILT_IN, game
from croupier.games.coinche import auction, legality
from croupier.games.coinche import refusals as of_coinche
from croupier.games.hearts import refusals as of_hearts
from croupier.games.sagrada import refusals as of_sagrada
from croupier.games.sagrada import tools
from croupier.games.tarock import refusals as of_tarock
from croupier.games.taroky import refusals as of_taroky
from croupier.games.taroky.tests.test_notation_errors import REASONS
from croupier.table import match, table
from croupier.wire import house
from croupier.wire.talk import CLOSINGS

ROOT: Final = Path(__file__).parents[1]
FILE: Final = ROOT / "web/src/tests/fixtures/server.json"
REFUSING: Final = (of_hearts, of_tarock, of_coinche, auction, of_taroky, of_sagrada, table, match, house)
REFUSALS: Final = {"IllegalAction", "Refusal", "Refused", "_refuse"}
RETURNING: Final = ((legality, "broken_rule"), (of_sagrada, ""), (tools, "objection"))
"""Modules, or one function of them, that return the key of a refusal, with or without its words."""


def tree(module: ModuleType) -> ast.Module:
    """Return the syntax of *module*, even if it is compiled."""
    path = (ROOT / "src" / Path(*module.__name__.split("."))).with_suffix(".py")
    return ast.parse(path.read_text(encoding="utf-8"))


def given(module: ModuleType, functions: set[str], at: int) -> Iterator[str]:
    """Yield the constants among the first *at* arguments in calls of *functions*."""
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            for one in node.args[:at] if name in functions else []:
                if isinstance(one, ast.Constant) and isinstance(one.value, str):
                    yield one.value


def returned(module: ModuleType, function: str) -> Iterator[str]:
    """Yield the constants that *function*, or any function if it is empty, returns alone or as first item."""
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.FunctionDef) and node.name.startswith(function):
            values = [one.value for one in ast.walk(node) if isinstance(one, ast.Return)]
            firsts = [one.elts[0] if isinstance(one, ast.Tuple) else one for one in values]
            for one in firsts:
                ends = [one.body, one.orelse] if isinstance(one, ast.IfExp) else [one]
                yield from (
                    end.value for end in ends if isinstance(end, ast.Constant) and isinstance(end.value, str)
                )


def refusals() -> set[str]:
    """Return the key of every refusal of the rules, the tables and the house protocol."""
    found = {key for module in REFUSING for key in given(module, REFUSALS, 2)}
    found |= {key for module, function in RETURNING for key in returned(module, function)}
    found |= {key for key, _ in of_sagrada.PLACEMENT.values()} | set(of_sagrada.CONDITIONS)
    return {key for key in found if re.fullmatch(r"[a-z]+(_[a-z]+)*", key)}


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
        "presets": {name: [preset.plain() for preset in game(name).presets] for name in BUILT_IN},
        "penalties": [name for name in BUILT_IN if game(name).penalties],
        "faults": sorted(REASONS),
        "farewells": sorted(farewells()),
    }
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
