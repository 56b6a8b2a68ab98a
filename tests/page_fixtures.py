"""The matches with which the pages are tested: `python -m tests.page_fixtures` writes them.

A game that wants some has a function `recorded` in its folder, in tests/pages.py.
"""

from __future__ import annotations

import json
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from croupier.games import BUILT_IN
from tests.page_tables import ROOT

FOLDER: Final = ROOT / "web/src/tests/fixtures"
RECORDED: Final = [name for name in BUILT_IN if find_spec(f"croupier.games.{name}.tests.pages")]


def path(name: str) -> Path:
    """Return the file with the matches of a game."""
    return FOLDER / f"{name}.json"


def written(name: str) -> str:
    """Return the expected content of this file."""
    found = import_module(f"croupier.games.{name}.tests.pages").recorded()
    return json.dumps(found, ensure_ascii=False, separators=(",", ":")) + "\n"


if __name__ == "__main__":
    for name in RECORDED:
        path(name).write_text(written(name), encoding="utf-8")
