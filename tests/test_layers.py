"""Which package may import which: reads every import in src/croupier and reports the forbidden ones.

    core <- texts <- wire <- games, client <- store, bots <- table, envs, http
         <- accounts, tournaments, reviews, cluster, learning <- moderation <- net <- arena, mcp <- cli

A package may import those to its left, not those beside it. ``testing`` may import all up to net, and only
tests may import it; tests may import everything.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.games import names

SOURCE = Path(__file__).resolve().parent.parent / "src"
ORDER = [
    ["core"],
    ["texts"],
    ["wire"],
    ["games", "client"],
    ["store", "bots"],
    ["table", "envs", "http"],  # http.py: what all parts of the HTTP API need
    ["accounts", "tournaments", "reviews", "cluster", "learning"],
    ["moderation"],
    ["net"],
    ["arena", "mcp"],  # an arena's programs play over real sockets
    ["cli"],
]
RANK = {layer: rank for rank, layers in enumerate(ORDER) for layer in layers}
RANK["testing"] = RANK["net"] + 1  # above net; a separate check ensures that only tests import it
RANK["__main__"] = len(ORDER)
EDGES = {"http": "arena", "commands": "cli", "checking": "cli", "node": "cli"}
"""Modules of a game that only servers or the command line import, and the layer they belong to."""


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield *tree* and the statements in it, without their expressions, which contain no imports."""
    yield tree
    for name in ("body", "orelse", "handlers", "finalbody", "cases"):
        for child in getattr(tree, name, ()):
            yield from statements(child)


def imports(source: str, module: str, is_package: bool) -> Iterator[tuple[int, str]]:
    """Yield (line, full name) of every module of this project that *module* imports."""
    package = module.split(".") if is_package else module.split(".")[:-1]
    for node in statements(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            path = [*base, *(node.module.split(".") if node.module else [])]
            # In `from a import b`, b may be a module: use the longer name, as with `import a.b`.
            names = [".".join(path if alias.name == "*" else [*path, alias.name]) for alias in node.names]
        else:
            continue
        yield from ((node.lineno, name) for name in names if name.split(".")[0] == "croupier")


def objection(importer: str, imported: str) -> str | None:
    """Return why *importer* may not import *imported*, or None."""
    here, there = importer.split("."), imported.split(".")
    if "tests" in here:
        return None
    layer = here[1] if len(here) > 1 else "croupier itself"
    if layer == "games" and len(here) == 4 and here[3] in EDGES:
        layer = EDGES[here[3]]
    other = there[1] if len(there) > 1 and not there[1].startswith("__") else None
    if other is None:
        return "core imports no other package" if layer == "core" else None
    if layer not in RANK:
        return f"{layer} has no place among the layers: give it one in {Path(__file__).name}"
    if other not in RANK:
        return f"{other} is no layer"
    if layer == other == "games":
        return game_objection(here, there)
    if layer == other:
        return None
    if other == "testing":
        return "testing is for tests alone"
    return None if RANK[other] < RANK[layer] else f"{layer} may not import {other}"


def game_objection(here: list[str], there: list[str]) -> str | None:
    """Check an import between two modules in games (the registry, games/__init__.py, may import any game)."""
    if len(here) < 3 or len(there) < 3 or not (SOURCE / "croupier" / "games" / there[2]).is_dir():
        return None
    if here[2] != there[2]:
        return f"{here[2]} may not import another game, {there[2]}"
    if here[3:] == ["wire"] and there[3:4] == ["state"]:
        return "a wire sees vocabulary, events and view, never state"
    return None


def modules() -> Iterator[tuple[str, bool, Path]]:
    """Yield (name, is it a package?, file) of every module except tests."""
    for path in sorted((SOURCE / "croupier").rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        if "tests" in parts:
            continue
        is_package = parts[-1] == "__init__"
        yield ".".join(parts[:-1] if is_package else parts), is_package, path


def test_every_import_goes_to_a_lower_layer() -> None:
    wrong = [
        f"{path.relative_to(SOURCE.parent)}:{line}: {module} -> {name}: {reason}"
        for module, is_package, path in modules()
        for line, name in imports(path.read_text(encoding="utf-8"), module, is_package)
        if (reason := objection(module, name))
    ]
    assert not wrong, "\n".join(["forbidden imports:", *wrong])


SECRETS = {"state", "position", "showing"}
"""Modules with all hands: no wire may import them, not even through other modules."""
NOT_FOLLOWED = {"croupier.games.taroky.loading", "croupier.games.taroky.notation"}
"""One reads a position that a player has given and therefore knows; the other writes finished deals, which
are public."""


@pytest.mark.parametrize("game", names())
def test_no_wire_imports_modules_with_all_hands(game: str) -> None:
    inside = {module: path for module, _, path in modules() if module.startswith(f"croupier.games.{game}.")}
    seen: set[str] = set()
    due = [f"croupier.games.{game}.wire"]
    while due:
        module = due.pop()
        if module in seen or module not in inside:
            continue
        seen.add(module)
        if module not in NOT_FOLLOWED:
            text = inside[module].read_text(encoding="utf-8")
            found = [name for _, name in imports(text, module, is_package=False)]
            due += found + [name.rpartition(".")[0] for name in found]
    assert not {module.rpartition(".")[2] for module in seen} & SECRETS


@pytest.mark.parametrize(
    ("module", "statement", "reason"),
    [
        ("croupier.core.cards", "import croupier.wire.lines", "core may not import wire"),
        ("croupier.core.cards", "import os, croupier.games as g", "core may not import games"),
        ("croupier.core.cards", "from croupier import __version__", "core imports no other package"),
        (
            "croupier.core.cards",
            "def f():\n    from croupier.table import table",
            "core may not import table",
        ),
        ("croupier.core.cards", "from ..wire import lines", "core may not import wire"),
        ("croupier.core.cards", "from .. import wire", "core may not import wire"),
        ("croupier.store.api", "from croupier.bots import api", "store may not import bots"),
        ("croupier.table.table", "from croupier import net", "table may not import net"),
        ("croupier.net.web", "import croupier.testing.clock", "testing is for tests alone"),
        ("croupier.accounts.service", "from croupier.net.house import House", "accounts may not import net"),
        ("croupier.reviews.http", "import croupier.accounts.store", "reviews may not import accounts"),
        ("croupier.testing.clock", "from croupier.cli import main", "testing may not import cli"),
        ("croupier.games.hearts.wire", "from croupier.games.hearts import state", "never state"),
        ("croupier.games.hearts.wire", "from croupier.games.hearts.state import HeartsState", "never state"),
        ("croupier.games.hearts.wire", "from .state import HeartsState", "never state"),
        ("croupier.games.hearts.wire", "from . import state", "never state"),
        ("croupier.games.tarock.state", "from croupier.games.hearts.state import x", "another game, hearts"),
        ("croupier.games.tarock.state", "from ..hearts import scoring", "another game, hearts"),
        ("croupier.games.tarock.state", "from croupier.games import hearts", "another game, hearts"),
        ("croupier.cellar.wine", "import croupier.core.cards", "cellar has no place"),
        ("croupier.cli.main", "from croupier.cellar import wine", "cellar is no layer"),
        ("croupier", "from croupier.core import cards", "no place"),
    ],
)
def test_a_forbidden_import_is_reported(module: str, statement: str, reason: str) -> None:
    found = [objection(module, name) for _, name in imports(statement, module, is_package=False)]
    assert any(reason in words for words in found if words), found


@pytest.mark.parametrize(
    ("module", "statement"),
    [
        (
            "croupier.core.record",
            "from croupier.core.contract import State\nfrom . import chance\nimport json",
        ),
        (
            "croupier.games.hearts.wire",
            "from croupier.games.hearts.view import HeartsView\nfrom . import events",
        ),
        (
            "croupier.games.hearts.state",
            "from croupier.games.hearts.state import bit\nfrom croupier.games import x",
        ),
        ("croupier.games", "from croupier.games import hearts\nimport croupier.core.contract"),
        (
            "croupier.games.hearts.tests.test_wire",
            "from croupier.testing import transcripts\nimport croupier.net",
        ),
        ("croupier.testing.conformance", "from croupier.table.table import Table\nimport croupier.envs"),
        ("croupier.net.web", "from croupier import __version__\nfrom croupier.table import runner"),
        ("croupier.__main__", "from croupier.cli.main import main"),
    ],
)
def test_an_allowed_import_is_not_reported(module: str, statement: str) -> None:
    is_package = module == "croupier.games"
    assert [objection(module, name) for _, name in imports(statement, module, is_package)].count(None) >= 1
    assert not [
        words for _, name in imports(statement, module, is_package) if (words := objection(module, name))
    ]


def test_the_map_of_the_architecture_names_every_package() -> None:
    text = (SOURCE.parent / "ARCHITECTURE.md").read_text(encoding="utf-8")
    packages = [path.parent.name for path in (SOURCE / "croupier").glob("*/__init__.py")]
    assert [name for name in sorted(packages) if f" {name}/" not in text] == []
