"""What the pages must know about options and presets, as a table that the tests of the pages read.

`python -m tests.page_tables` writes it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from croupier.core.options import Option
from croupier.games import BUILT_IN, game

ROOT: Final = Path(__file__).parents[1]
FILE: Final = ROOT / "web/src/tests/fixtures/server.json"


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
        "presets": {name: [preset.plain() for preset in game(name).presets] for name in BUILT_IN},
        "penalties": [name for name in BUILT_IN if game(name).penalties],
    }
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
