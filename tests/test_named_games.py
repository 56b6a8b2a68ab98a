"""A game is its folder: no other file of the package names one, except a few with a reason."""

from __future__ import annotations

import re
from pathlib import Path

from croupier.games import BUILT_IN

SOURCE = Path(__file__).resolve().parent.parent / "src" / "croupier"
ALLOWED = {
    "games/__init__.py": "the registry",
    "schema.json": "generated from the games",
    "envs/__init__.py": "an example in the description",
    "envs/registration.py": "an example in the description",
    "testing/rooms.py": "the protocol that two games share",
    "wire/opentarock/__init__.py": "the protocol that two games share",
    "wire/opentarock/conversation.py": "the protocol that two games share",
    "wire/opentarock/lobby.py": "the protocol that two games share",
    "wire/opentarock/messages.py": "the protocol that two games share",
    "wire/opentarock/room.py": "the protocol that two games share",
    "wire/opentarock/users.py": "the protocol that two games share",
}
FOLDERS = [f"games/{name}/" for name in BUILT_IN]
NAMES = re.compile(rf"\b({'|'.join(BUILT_IN)})\b", re.IGNORECASE)


def naming() -> set[str]:
    """Return the files outside the folders of the games that name a game."""
    found = set()
    for path in SOURCE.rglob("*"):
        file = path.relative_to(SOURCE).as_posix()
        if path.suffix not in (".py", ".json") or file.startswith((*FOLDERS, "pages/", "examples/")):
            continue
        if NAMES.search(path.read_text(encoding="utf-8")):
            found.add(file)
    return found


def test_no_file_outside_its_folder_names_a_game() -> None:
    assert naming() - set(ALLOWED) == set()


def test_the_list_of_exceptions_is_not_longer_than_necessary() -> None:
    assert set(ALLOWED) - naming() == set()
