"""A game is its folder: no other file lists the games or depends on one, except a few with a reason."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from croupier.games import BUILT_IN

ROOT = Path(__file__).resolve().parent.parent
ALLOWED = {
    "src/croupier/games/__init__.py": "the registry",
    "src/croupier/schema.json": "generated from the games",
    "src/croupier/envs/__init__.py": "an example in the description",
    "src/croupier/envs/registration.py": "an example in the description",
    "src/croupier/texts/coach/": "a suit is called like a game",
    "src/croupier/testing/rooms.py": "the protocol that two games share",
    "src/croupier/wire/opentarock/": "the protocol that two games share",
    "web/README.md": "names the folders of pages",
    "web/src/cards/": "a deck is called like a game",
    "web/src/glass/": "the board of one game",
    "web/src/notation/": "the page of one game's notation",
    "web/src/node/": "the page of one game's node",
    "web/src/connect/": "explains each published protocol to authors of programs",
    "web/src/lobby/emblems.tsx": "a drawing for each built-in game",
    "web/src/review/": "a suit is called like a game",
    "web/src/table/live.css": "what a small centre omits",
    "web/src/texts/": "generated keys; a suit, and the node of one game",
    "web/src/tests/": "tests of the pages of games",
}
"""Files and folders of the package and the pages that name a game, with the reason."""
LISTS = {
    "benchmarks/every_game.py": "the lines whose figures docs and goals refer to",
    "benchmarks/search.py": "the position from which each search is measured",
    "chaos/real.py": "the end of a line in each line protocol",
    "chaos/secrecy.py": "the cards that matter in games with secret questions",
    "src/croupier/games/__init__.py": "the registry",
    "tests/arena/test_lobbies.py": "an example program for each lobby",
    "tests/bots/test_worlds.py": "a judge of the worlds of each game",
    "tests/browser/players.py": "a player of each page with a design of its own",
    "tests/browser/test_connect.py": "a conversation in each published protocol",
    "tests/cli/test_play.py": "the end of a match in the words of each game",
    "tests/envs/test_encoding.py": "the meaning of the fields of each encoding",
    "tests/integration/test_tournament.py": "the first message of a match in each lobby",
    "tests/moderation/doors.py": "how to enter in each published protocol",
    "tests/moderation/test_line_ports.py": "how to log in at each line port",
    "tests/moderation/test_orders.py": "the refusal in each published protocol",
    "tests/net/test_masking.py": "secrets in each published protocol",
    "tests/table/test_stored_first.py": "how to begin a match in each published protocol",
    "tests/test_docs_exchanges.py": "the ports that documents name",
}
"""Python files with a list or a table of three or more games, with the reason."""
PAGES = {
    "README.md": "the entry page of the project",
    "docs/README.md": "the entry page: rules and protocols of each game",
    "docs/accounts.md": "how each published protocol sends a token",
    "docs/arena.md": "how programs of each published protocol take part",
    "docs/bots.md": "measured strength and speed in each game",
    "docs/command-line.md": "examples, and generated tables of options",
    "docs/house-protocol.md": "an example for each kind of game",
    "docs/scale.md": "the published protocols that need a lobby",
    "docs/tournaments.md": "how each published protocol reaches a reserved seat",
    "docs/training.md": "measured figures and examples",
    "docs/tutorial-agent.md": "an example program for each published protocol",
    "docs/tutorial-operator.md": "the ports of the published protocols",
    "docs/tutorial-player.md": "the games for players",
    "docs/writing-a-bot.md": "an example program for each published protocol",
}
"""Documents with a paragraph or a table that names three or more games, with the reason."""
GENERATED = ("src/croupier/pages/", "src/croupier/examples/")
FOLDERS = (
    *(f"src/croupier/games/{name}/" for name in BUILT_IN),
    *(f"web/src/games/{name}." for name in BUILT_IN),
)
"""What belongs to a game."""
NAMES = re.compile(rf"\b({'|'.join(BUILT_IN)})\b", re.IGNORECASE)
TEXT = {".py", ".json", ".ts", ".tsx", ".css", ".md"}
PYTHON = ("src", "tests", "benchmarks", "chaos", "fuzz", "scripts", "examples")


def files(*folders: str) -> Iterator[tuple[str, Path]]:
    """Yield the files outside the folders of the games, with their paths."""
    for folder in folders:
        for path in (ROOT / folder).rglob("*"):
            name = path.relative_to(ROOT).as_posix()
            if (
                path.suffix in TEXT
                and "node_modules" not in name
                and not name.startswith(FOLDERS + GENERATED)
            ):
                yield name, path


def naming() -> set[str]:
    """Return the files of the package and of the pages that name a game."""
    return {name for name, path in files("src", "web") if NAMES.search(path.read_text(encoding="utf-8"))}


def listed(node: ast.AST) -> set[str]:
    """Return the games that a list or a table names, in items or parts of them."""
    if isinstance(node, ast.Dict):
        items = [key for key in node.keys if key is not None]
    else:
        items = node.elts if isinstance(node, ast.List | ast.Tuple | ast.Set) else []
    parts = [part for item in items for part in ast.walk(item)]
    return {str(part.value) for part in parts if isinstance(part, ast.Constant)} & set(BUILT_IN)


def listing() -> set[str]:
    """Return the Python files that list three or more games."""
    return {
        name
        for name, path in files(*PYTHON)
        if path.suffix == ".py"
        and any(len(listed(node)) >= 3 for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    }


def test_no_file_of_the_package_and_the_pages_names_a_game() -> None:
    found = naming()
    assert {name for name in found if not name.startswith(tuple(ALLOWED))} == set()
    assert {one for one in ALLOWED if not any(name.startswith(one) for name in found)} == set()


def test_no_other_file_lists_games_instead_of_asking_the_registry() -> None:
    found = listing()
    assert found - set(LISTS) == set()
    assert set(LISTS) - found == set()


def test_no_other_document_lists_games() -> None:
    pages = (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md"))
    found = {
        path.relative_to(ROOT).as_posix()
        for path in pages
        if path.name != "CHANGELOG.md"
        and any(
            len({name.lower() for name in NAMES.findall(part)}) >= 3
            for part in re.split(r"\n\s*\n", path.read_text(encoding="utf-8"))
        )
    }
    assert found == set(PAGES)
